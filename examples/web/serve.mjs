// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Serves this folder, and baked characters from the one it is started in, on loopback alone:
//
//   node serve.mjs [PORT]     8080; 0: any that is free

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const types = { ".html": "text/html", ".js": "text/javascript", ".glb": "model/gltf-binary" };
const page = fileURLToPath(new URL(".", import.meta.url));

async function find(path) {
  for (const folder of [page, process.cwd()]) {
    const file = join(folder, normalize(path));
    if (relative(folder, file).split(sep)[0] === "..") {
      continue;
    }
    try {
      return await readFile(file);
    } catch {
      // perhaps in the other one
    }
  }
  return null;
}

const server = createServer(async (request, response) => {
  let path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  path = path === "/" ? "/index.html" : path;
  const data = path === "/favicon.ico" ? Buffer.alloc(0) : await find(path);
  response.writeHead(data !== null ? 200 : 404, {
    "content-type": types[extname(path)] ?? "application/octet-stream",
  });
  response.end(data);
});
server.listen(Number(process.argv[2] ?? 8080), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
