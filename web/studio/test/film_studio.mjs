// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The README's picture of the studio, and the film of a curve being dragged:
// node film_studio.mjs PROGRAM PAGE_DIR ASSETS_DIR OUT_DIR

import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { settle, start } from "./harness.mjs";

const [program, pageFolder, assets, out] = process.argv.slice(2);
const joint = process.env.JOINT ?? "hock.L",
  kind = process.env.KIND ?? "muscle";
const bench = await start(program, pageFolder, assets);
const page = await bench.open({ viewport: { width: 1120, height: 700 }, colorScheme: "light" });
const frames = join(bench.work, "frames");
mkdirSync(frames);
let count = 0;

async function shoot(times = 1) {
  await settle(page);
  const picture = await page.screenshot();
  for (let i = 0; i < times; ++i) {
    writeFileSync(join(frames, `${String(count++).padStart(4, "0")}.png`), picture);
  }
}

/** A cursor, since a picture of the page has none. */
await page.evaluate(() => {
  const cursor = document.createElement("div");
  cursor.innerHTML =
    '<svg width="18" height="22" viewBox="0 0 18 22"><path d="M1 1v17l4.5-4 3 7 3-1.2-3-6.8H15z" fill="#fff" stroke="#000" stroke-width="1.4"/></svg>';
  cursor.style.cssText = "position:fixed;left:0;top:0;z-index:99;pointer-events:none";
  document.body.append(cursor);
  addEventListener(
    "pointermove",
    (event) => (cursor.style.transform = `translate(${event.clientX}px,${event.clientY}px)`),
    true,
  );
});
await page.evaluate((name) => {
  const { studio } = window;
  studio.setPlaying(false);
  studio.seek(2);
  studio.select(studio.character.joints.find((each) => each.name === name).index);
}, joint);
await settle(page);
await page.selectOption("[aria-label=Profile]", kind);
await page.waitForFunction((wanted) => document.querySelector(".curves").dataset.kind === wanted, kind);
const gain = page.locator(".jointpanel .controller", { hasText: "gain" }).locator("input");
await gain.fill("2.5");
await gain.press("Enter");
await page.waitForFunction(() => window.studio.clip !== null, null, { timeout: 60000 });
await page.evaluate(() => window.stage.setGizmo(false));
await page.selectOption("[aria-label=Colours]", "gamma");
await shoot();
await page.screenshot({ path: join(out, "studio.png") });
for (const [axis, index, by] of [
  [0, 3, { x: 60, y: 0 }],
  [0, 3, { x: -70, y: 0 }],
  [2, 3, { x: 30, y: 24 }],
  [1, 3, { x: 0, y: 30 }],
]) {
  const box = await page.locator(`.plot.axis${axis} .point`).nth(index).boundingBox();
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(at.x, at.y);
  await shoot(3);
  await page.mouse.down();
  for (let i = 1; i <= 10; ++i) {
    const t = 0.5 - 0.5 * Math.cos((Math.PI * i) / 10);
    await page.mouse.move(at.x + by.x * t, at.y + by.y * t);
    await shoot();
  }
  await page.mouse.up();
  await shoot(2);
}
const film = join(out, "studio.gif");
const filter =
  "scale=840:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=96:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle";
spawnSync(
  "ffmpeg",
  ["-nostdin", "-y", "-loglevel", "error", "-framerate", "12", "-i", join(frames, "%04d.png"), "-vf", filter, film],
  { stdio: "inherit" },
);
console.log(`${film}: ${count} frames, ${statSync(film).size} bytes`);
await bench.end();
