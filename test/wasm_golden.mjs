// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The golden hashes through WebAssembly: node wasm_golden.mjs MODULE.wasm GOLDEN.txt
import { readFileSync } from "node:fs";

const [modulePath, goldenPath] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(modulePath));
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) {
    console.error("the module wants imports:", imports);
    process.exit(1);
}
const { exports } = new WebAssembly.Instance(module, {});
exports._initialize?.();

const scalar = 1, wasm = 5; // of tgSimd
let passed = 0, failed = 0;
for (const line of readFileSync(goldenPath, "utf8").trim().split("\n")) {
    const [which, golden] = line.split(" ");
    for (const [name, simd] of [["scalar", scalar], ["wasm", wasm]]) {
        const hash = BigInt.asUintN(64, exports.tgHashFrameCase(Number(which), simd));
        const text = hash.toString(16).padStart(16, "0");
        const good = text === golden;
        good ? passed++ : failed++;
        console.log(`case ${which} ${name.padEnd(6)} ${text} ${good ? "ok" : "DIFFERS"}`);
    }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
