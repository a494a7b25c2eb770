// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));
const output = resolve(here, "../../build/studio");

function list(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? list(join(folder, entry.name)) : [relative(output, join(folder, entry.name))],
  );
}

/** Tells the service worker the names of all files, and by a hash when they became others. */
function offline() {
  return {
    name: "offline",
    apply: "build",
    closeBundle() {
      const files = list(output)
        .filter((name) => name !== "sw.js")
        .sort();
      const hash = createHash("sha256");
      files.forEach((name) => hash.update(name).update(readFileSync(join(output, name))));
      const path = join(output, "sw.js");
      const text = readFileSync(path, "utf8")
        .replace('"VERSION"', JSON.stringify(hash.digest("hex").slice(0, 16)))
        .replace('["FILES"]', JSON.stringify(files));
      writeFileSync(path, text);
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [offline()],
  resolve: { alias: { turgor: resolve(here, "../../build/web/turgor/turgor_url.js") } },
  worker: { format: "es" },
  build: { outDir: output, emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 1200, assetsInlineLimit: 0 },
});
