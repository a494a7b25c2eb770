// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Puts the package together: node build.mjs MODULE.wasm FOLDER. Then `npm pack FOLDER`.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const [modulePath, folder] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const wasm = readFileSync(modulePath);
const core = readFileSync(join(here, "core.js"), "utf8");

const embedded = `
// The module itself, in base64.
function decodeModule(text) {
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; ++i) {
        bytes[i] = letters.charCodeAt(i);
    }
    return bytes;
}

export const ready = Promise.resolve().then(() => start(decodeModule(
    "${wasm.toString("base64")}")));
`;
const loaded = `
/** The module lies beside this file; in node it is read, elsewhere fetched. */
async function fetchModule(address) {
    if (address.protocol === "file:") {
        const { readFile } = await import(/* @vite-ignore */ "node:" + "fs/promises");
        return readFile(address);
    }
    const answer = await fetch(address);
    if (!answer.ok) {
        throw new TurgorError(\`\${address}: \${answer.status} \${answer.statusText}\`, "input/output");
    }
    return answer.arrayBuffer();
}

export const ready = Promise.resolve().then(() => start(fetchModule(new URL("./turgor.wasm", import.meta.url))));
`;

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "turgor.js"), core + embedded);
writeFileSync(join(folder, "turgor_url.js"), core + loaded);
writeFileSync(join(folder, "turgor.wasm"), wasm);
for (const name of ["package.json", "turgor.d.ts", "three.js", "three.d.ts", "README.md"]) {
    copyFileSync(join(here, name), join(folder, name));
}
copyFileSync(join(here, "turgor.d.ts"), join(folder, "turgor_url.d.ts"));
copyFileSync(join(here, "../../LICENSE"), join(folder, "LICENSE"));
console.log(`${folder}: the module has ${Math.round(wasm.length / 1000)} kB, gzipped ` +
            `${Math.round(gzipSync(wasm, { level: 9 }).length / 1000)} kB`);
