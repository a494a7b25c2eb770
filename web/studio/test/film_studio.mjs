// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The README's picture of the studio, and the film of a curve being dragged:
// node film_studio.mjs PROGRAM PAGE_DIR ASSETS_DIR OUT_DIR

import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { dropCharacter, settle, start } from "./harness.mjs";

const [program, pageFolder, assets, out] = process.argv.slice(2);
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

async function prepare(name, kind, time, gain) {
  await page.evaluate(
    ([joint, at]) => {
      const { studio } = window;
      studio.seek(at * studio.clipRange.end);
      studio.select(studio.character.joints.find((each) => each.name === joint).index);
    },
    [name, time],
  );
  await settle(page);
  await page.selectOption("[aria-label=Profile]", kind);
  await page.waitForFunction((wanted) => document.querySelector(".curves").dataset.kind === wanted, kind);
  const field = page.locator(".jointpanel .controller", { hasText: "gain" }).locator("input");
  await field.fill(String(gain));
  await field.press("Enter");
  await page.waitForFunction(() => window.studio.clip !== null, null, { timeout: 60000 });
  await page.evaluate(() => {
    window.stage.setGizmo(false);
    document.activeElement.blur();
    document.querySelector("#side").scrollTop = 0;
    document.querySelectorAll(".toast").forEach((toast) => toast.remove());
  });
  await settle(page);
}

// The picture: the elephant sits down, plain and corrected.
await prepare("knee.L", "rubber", 0.5, 1);
await page.click(".segmented >> text=Wiper");
await settle(page);
await page.screenshot({ path: join(out, "studio.png") });
await page.click(".segmented >> text=One >> nth=0");

// The film: a biceps is drawn.
await dropCharacter(page, bench.model("arm"));
const elbow = await page.evaluate(
  () => window.studio.character.joints.reduce((a, b) => (a.swing > b.swing ? a : b)).name,
);
await prepare(elbow, "muscle", 0.5, 3);
await page.selectOption("[aria-label=Colours]", "gamma");
await page.click("[data-test=toggle-bones]");
await page.click("[aria-label='Show all']");
// A cursor, since a picture of the page has none.
await page.evaluate(() => {
  const cursor = document.createElement("div");
  cursor.innerHTML =
    '<svg width="18" height="22"><path d="M1 1v17l4.5-4 3 7 3-1.2-3-6.8H15z" fill="#fff" stroke="#000"/></svg>';
  cursor.style.cssText = "position:fixed;left:0;top:0;z-index:99;pointer-events:none";
  document.body.append(cursor);
  const follow = (event) => (cursor.style.transform = `translate(${event.clientX}px,${event.clientY}px)`);
  addEventListener("pointermove", follow, true);
});
for (const [axis, index, by] of [
  [0, 6, { x: 40, y: 0 }],
  [0, 7, { x: 40, y: -8 }],
  [0, 6, { x: -60, y: -12 }],
  [1, 6, { x: 0, y: 30 }],
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
