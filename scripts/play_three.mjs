// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A glTF as three.js plays it in headless Chromium:
//   node play_three.mjs FILE.glb ANIMATION OUT.f32 SECONDS...
// For each time the places of all vertices after morph targets and skinning, as three floats each,
// node after node and primitive after primitive in the file's order. Status 2 when Chromium,
// playwright-core or three is not there.

import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

function find() {
  const executablePath = process.env.CHROMIUM ?? browsers.find((path) => existsSync(path));
  if (executablePath === undefined || !existsSync(executablePath)) {
    console.error("Chromium is not installed");
    process.exit(2);
  }
  try {
    const three = dirname(dirname(require.resolve("three")));
    return { chromium: require("playwright-core").chromium, executablePath, three };
  } catch {
    console.error("playwright-core or three is not installed");
    process.exit(2);
  }
}

const page = `<!doctype html><script type="importmap">{"imports": {"three": "/three/build/three.module.js",
"three/addons/": "/three/examples/jsm/"}}</script><script type="module">
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";

// Skinned meshes in the order of the file's nodes and their primitives.
function list(gltf) {
  const found = [];
  gltf.scene.traverse((object) => {
    if (object.isSkinnedMesh) {
      const own = gltf.parser.associations.get(object);
      const above = gltf.parser.associations.get(object.parent);
      found.push({ object, node: own.nodes ?? above?.nodes ?? 0, primitive: own.primitives ?? 0 });
    }
  });
  found.sort((a, b) => a.node - b.node || a.primitive - b.primitive);
  return found.map((entry) => entry.object);
}

window.play = async (animation, times) => {
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  const gltf = await loader.loadAsync("/file");
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[animation]);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  const meshes = list(gltf);
  const numbers = [];
  const place = new THREE.Vector3();
  for (const time of times) {
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    for (const mesh of meshes) {
      for (let v = 0; v < mesh.geometry.attributes.position.count; ++v) {
        mesh.getVertexPosition(v, place).applyMatrix4(mesh.matrixWorld);
        numbers.push(place.x, place.y, place.z);
      }
    }
  }
  const bytes = new Uint8Array(new Float32Array(numbers).buffer);
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) {
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  }
  return btoa(text);
};
window.ready = true;
</script>`;

function serve(three, file) {
  const types = { ".js": "text/javascript", ".html": "text/html" };
  const server = createServer(async (request, response) => {
    try {
      const path = new URL(request.url, "http://localhost").pathname;
      if (path === "/") {
        response.writeHead(200, { "content-type": "text/html" }).end(page);
      } else if (path === "/file") {
        response.writeHead(200).end(await readFile(file));
      } else if (path.startsWith("/three/") && !path.includes("..")) {
        const bytes = await readFile(join(three, path.slice("/three/".length)));
        response.writeHead(200, { "content-type": types[path.match(/\.\w+$/)?.[0]] ?? "" }).end(bytes);
      } else {
        response.writeHead(404).end();
      }
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const [file, animation, output, ...times] = process.argv.slice(2);
if (output === undefined || times.length === 0) {
  console.error("usage: node play_three.mjs FILE.glb ANIMATION OUT.f32 SECONDS...");
  process.exit(2);
}
const { chromium, executablePath, three } = find();
const server = await serve(three, file);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let status = 0;
try {
  const tab = await browser.newPage();
  const faults = [];
  tab.on("pageerror", (error) => faults.push(error.message));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "load" });
  await tab.waitForFunction("window.ready === true");
  const text = await tab.evaluate(([index, list]) => window.play(index, list), [
    Number(animation),
    times.map(Number),
  ]);
  if (faults.length > 0) {
    throw new Error(faults.join("; "));
  }
  await writeFile(output, Buffer.from(text, "base64"));
} catch (failure) {
  console.error(`${basename(file)}: ${failure.message}`);
  status = 1;
}
await browser.close();
server.close();
process.exit(status);
