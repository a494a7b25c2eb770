// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Opens the three.js example in headless Chromium: node open_three.mjs WEB_DIR BAKED.glb FRAMES [SHOT.png]
// It must load without a word on the console, have so many morph targets, and move. WEB_DIR holds the example
// with its node_modules. Status 2 when Chromium or playwright-core is not there.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { basename, dirname, resolve } from "node:path";
import { findBrowser } from "../scripts/find_browser.mjs";

const [web, baked, frames, shot] = process.argv.slice(2);
const { chromium, executablePath } = findBrowser();
const server = spawn("node", [resolve(web, "serve.mjs"), "0"], { cwd: dirname(resolve(baked)) });
const url = await new Promise((done) => server.stdout.once("data", (text) => done(String(text).trim())));
const args = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist"];
const browser = await chromium.launch({ executablePath, args });
const faults = [];
try {
  const page = await browser.newPage({ viewport: { width: 480, height: 360 } });
  page.on("console", (message) => {
    // Software rendering is slow to read back from, which the driver tells.
    if (["error", "warning"].includes(message.type()) && !/GPU stall/.test(message.text())) {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => faults.push(`page: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) {
      faults.push(`asks for ${request.url()}`);
    }
  });
  await page.goto(`${url}?file=${encodeURIComponent(basename(baked))}`);
  await page.waitForFunction(() => document.getElementById("words").textContent !== "loading", null,
    { timeout: 60000 });
  const words = await page.textContent("#words");
  if (words !== `${basename(baked)}: ${frames} frames`) {
    faults.push(`it says ${words}, wanted ${frames} frames`);
  }
  const looks = new Set();
  for (let i = 0; i < 6; ++i) {
    await page.waitForTimeout(250);
    const picture = await page.screenshot({ path: i === 2 && shot !== undefined ? shot : undefined });
    looks.add(createHash("sha256").update(picture).digest("hex"));
  }
  if (looks.size < 3) {
    faults.push(`six looks at it show ${looks.size} pictures: it does not move`);
  }
  console.log(`three.js: ${words}, ${looks.size} of 6 pictures differ`);
} finally {
  await browser.close();
  server.kill();
}
faults.forEach((fault) => console.error(fault));
process.exit(faults.length > 0 ? 1 : 0);
