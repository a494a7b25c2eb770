// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A frame of the web package against a native one, in turns: node bench_web.mjs PACKAGE BENCH_HERO
// FILE.glb... Status 1 when a ratio is above the bar.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const bar = 1.6, frames = 60, rounds = 5;
const [packageFolder, native, ...files] = process.argv.slice(2);
const turgor = await import(pathToFileURL(resolve(packageFolder, "turgor.js")));
await turgor.ready;

/** Every frame's fastest time so far. */
function timeFrames(hero, least) {
    const end = hero.animations[0]?.end ?? 1, animation = hero.animations.length > 0 ? 0 : -1;
    for (let i = 0; i < frames; ++i) {
        const start = performance.now();
        hero.play(animation, (end * i) / frames);
        hero.deform();
        least[i] = Math.min(least[i], performance.now() - start);
    }
}

const timeNatively = (file, simd) => Number(spawnSync(native, [file, frames, 8, simd].map(String)).stdout);

let missed = 0;
console.log("character                 vertices  native ms  wasm ms  ratio  to SSE2  curve dragged, ms");
for (const file of files) {
    const hero = turgor.loadCharacter(new Uint8Array(readFileSync(file)));
    let other = Infinity, narrow = Infinity, drag = Infinity;
    const least = new Float64Array(frames).fill(Infinity);
    for (let round = 0; round < rounds; ++round) {
        for (let i = 0; i < 8; ++i) {
            timeFrames(hero, least);
        }
        other = Math.min(other, timeNatively(file, 0));
        narrow = Math.min(narrow, timeNatively(file, 2));
    }
    const own = least.reduce((sum, time) => sum + time / frames, 0);
    const joint = hero.joints.find(({ bends }) => bends)?.index ?? 0;
    for (let i = 0; i < 30; ++i) {
        const start = performance.now();
        hero.setProfiles(joint, { profile: "muscle", sigma: 0.2 + 0.01 * i });
        hero.deform();
        drag = Math.min(drag, performance.now() - start);
    }
    const ratio = own / other;
    missed += ratio > bar;
    console.log(`${basename(file).padEnd(25)} ${String(hero.vertexCount).padStart(8)}  ${other.toFixed(3).padStart(9)} ` +
                `${own.toFixed(3).padStart(8)} ${ratio.toFixed(2).padStart(6)}   ${(own / narrow).toFixed(2).padStart(6)}  ${drag.toFixed(2)}` +
                (ratio > bar ? `  MISSED: the bar is ${bar}` : ""));
    hero.destroy();
}
process.exit(missed > 0 ? 1 : 0);
