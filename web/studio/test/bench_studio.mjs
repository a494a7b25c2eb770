// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Milliseconds from a hand's move to the skin on screen, and memory over many changes of character:
// node bench_studio.mjs PROGRAM PAGE_DIR ASSETS_DIR [CHANGES]. Status 1 when a bar is missed.

import { readFileSync } from "node:fs";
import { dropCharacter, settle, start } from "./harness.mjs";

const [program, pageFolder, assets, changes = "200"] = process.argv.slice(2);
const bench = await start(program, pageFolder, assets);
const page = await bench.open();

/** Memory over the changes is flat within this part of what there was after so many of them, once every
 *  character has been there ten times. */
const flat = 0.1,
  settledAfter = 40,
  told = 20;
let missed = 0;

function hold(what, value, bar) {
  if (!(value <= bar)) {
    console.log(`${what}: ${value.toFixed(1)}, wanted ${bar} at most: MISSED`);
    missed += 1;
  }
}

/** A curve's point is dragged to and fro; each move waits until its skin was shown, as a hand does that looks. */
async function measureDrag(file, bar, moves = 100) {
  await dropCharacter(page, file);
  await page.evaluate(() => window.studio.seek(0.5 * window.studio.clipRange.end));
  await settle(page);
  await page.evaluate(() => {
    const { losses, character } = window.studio;
    const limbs = losses.filter(
      ({ joint }) => character.joints[joint].radius < 0.6 * character.joints[joint].boneLength,
    );
    window.studio.select([...limbs].sort((a, b) => a.loss - b.loss)[0].joint);
  });
  await settle(page);
  await page.selectOption("[aria-label=Profile]", "muscle");
  await page.waitForFunction(() => document.querySelector(".curves").dataset.kind === "muscle");
  await page.waitForFunction(() => window.studio.clip !== null, null, { timeout: 120000 });
  const point = await page.locator(".plot.axis0 .point").nth(3).boundingBox();
  const at = { x: point.x + point.width / 2, y: point.y + point.height / 2 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.evaluate(() => (window.studio.latencies.length = window.studio.drawnLatencies.length = 0));
  // The moves come from the page itself: what drives the browser from outside takes its processor, too.
  const times = await page.evaluate(
    async ({ x, y, count }) => {
      const { studio, stage } = window;
      const told = { core: [], draw: [] };
      for (let i = 1; i <= count; ++i) {
        const place = { clientX: x + 12 * Math.sin(i / 5), clientY: y + 12 + 10 * Math.cos(i / 7) };
        window.dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, buttons: 1, ...place }));
        const begin = performance.now();
        while (studio.latencies.length < i && performance.now() - begin < 2000) {
          await new Promise((done) => setTimeout(done, 2));
        }
        told.core.push(studio.frame.milliseconds);
        told.draw.push(stage.drawTime);
        await new Promise((done) => setTimeout(done, 10));
      }
      return told;
    },
    { ...at, count: moves },
  );
  await page.mouse.up();
  const latencies = await page.evaluate(() => [...window.studio.latencies]);
  const drawn = await page.evaluate(() => [...window.studio.drawnLatencies]);
  const at_ = (list, part) =>
    [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(part * list.length))];
  const vertices = await page.evaluate(() => window.studio.character.vertexCount);
  console.log(
    `${file.split("/").pop()}, ${vertices} vertices, ${latencies.length} moves: median ${at_(latencies, 0.5).toFixed(1)} ms, ` +
      `p95 ${at_(latencies, 0.95).toFixed(1)} ms; drawn median ${at_(drawn, 0.5).toFixed(1)} ms, p95 ${at_(drawn, 0.95).toFixed(1)} ms; core median ${at_(times.core, 0.5).toFixed(1)} ms, draw ${at_(times.draw, 0.5).toFixed(1)} ms`,
  );
  hold(`${file.split("/").pop()}, milliseconds at 95 %`, at_(latencies, 0.95), bar);
}

/** Kilobytes of their own that all processes of the browser hold; what they share is no character's. */
function resident() {
  const pids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean);
  let sum = 0;
  for (let i = 0; i < pids.length; ++i) {
    try {
      pids.push(
        ...readFileSync(`/proc/${pids[i]}/task/${pids[i]}/children`, "utf8").trim().split(" ").filter(Boolean),
      );
      sum += Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pids[i]}/status`, "utf8"))?.[1] ?? 0);
    } catch {
      // It ended meanwhile.
    }
  }
  return sum;
}

await measureDrag(bench.asset("CesiumMan.glb"), 33);
await measureDrag(bench.asset("human_makehuman.glb"), 60);
const files = [
  bench.model("elephant"),
  bench.model("giraffe"),
  bench.asset("CesiumMan.glb"),
  bench.asset("Fox.glb"),
];
const sizes = [];
for (let i = 0; i <= Number(changes); ++i) {
  await dropCharacter(page, files[i % files.length]);
  if (i % told === 0) {
    sizes.push(resident());
    console.log(`after ${i} changes of character: ${(sizes.at(-1) / 1024).toFixed(0)} MB`);
  }
}
const settled = sizes[settledAfter / told];
if (sizes.length > 1 + settledAfter / told) {
  hold(`memory after all changes over that after ${settledAfter}`, sizes.at(-1) / settled, 1 + flat);
}
await bench.end();
process.exit(missed > 0 ? 1 : 0);
