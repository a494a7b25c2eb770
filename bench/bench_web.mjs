// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A frame of the web package against a native one, in turns: node bench_web.mjs PACKAGE BENCH_HERO
// FILE.glb... Status 1 when a ratio is above the bar.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const bar = 1.6, frames = 60, rounds = 6;
const [packageFolder, native, ...files] = process.argv.slice(2);
const turgor = await import(pathToFileURL(resolve(packageFolder, "turgor.js")));
await turgor.ready;

function timeFrames(hero) {
    const end = hero.animations[0]?.end ?? 1, animation = hero.animations.length > 0 ? 0 : -1;
    const start = performance.now();
    for (let i = 0; i < frames; ++i) {
        hero.play(animation, (end * i) / frames);
        hero.deform();
    }
    return (performance.now() - start) / frames;
}

let missed = 0;
console.log("character                 vertices  native ms  wasm ms  ratio  curve dragged, ms");
for (const file of files) {
    const hero = turgor.loadCharacter(new Uint8Array(readFileSync(file)));
    let own = Infinity, other = Infinity, drag = Infinity;
    timeFrames(hero); // the engine compiles
    for (let round = 0; round < rounds; ++round) {
        own = Math.min(own, timeFrames(hero), timeFrames(hero));
        other = Math.min(other, Number(spawnSync(native, [file, String(frames), "2"]).stdout));
    }
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
                `${own.toFixed(3).padStart(8)} ${ratio.toFixed(2).padStart(6)}  ${drag.toFixed(2)}` +
                (ratio > bar ? `  MISSED: the bar is ${bar}` : ""));
    hero.destroy();
}
process.exit(missed > 0 ? 1 : 0);
