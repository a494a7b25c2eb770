// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A browser with the built page, the command line beside it, and what a person does: drop, click,
// drag, type. Status 2 when Chromium, playwright-core or the page is not there.

import { spawn, spawnSync } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, extname, join, resolve, sep } from "node:path";
import { inflateSync } from "node:zlib";
import { findBrowser } from "../../../scripts/find_browser.mjs";

const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};
// A browser without a graphics card, everywhere alike: the processor draws the character, and paints the page.
// (To force the card's ways of painting on the processor takes three times as long as the character.)
const flags = ["--no-sandbox", "--enable-unsafe-swiftshader"];

export class Skipped extends Error {}

/** The folder as a static host would serve it. */
export function serve(folder) {
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://host").pathname);
    const path = resolve(folder, `.${name.endsWith("/") ? `${name}index.html` : name}`);
    if (!path.startsWith(folder + sep) || !existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(path)] ?? "application/octet-stream" });
    createReadStream(path).pipe(response);
  });
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () => {
      done({ url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() });
    }),
  );
}

export async function start(program, pageFolder, assets) {
  if (!existsSync(join(pageFolder, "index.html"))) {
    console.error(`${pageFolder}: the page is not built; make studio builds it`);
    process.exit(2);
  }
  const { chromium, executablePath } = findBrowser();
  const browser = await chromium.launch({ executablePath, args: flags, timeout: 180_000 });
  const site = await serve(resolve(pageFolder));
  return new Bench(program, browser, site, assets);
}

export class Bench {
  faults = [];

  constructor(program, browser, site, assets) {
    Object.assign(this, { program: resolve(program), browser, site, assets: resolve(assets) });
    this.work = mkdtempSync(join(tmpdir(), "turgor_studio_"));
  }

  async end() {
    await this.browser.close();
    this.site.close();
    rmSync(this.work, { recursive: true });
  }

  // ---- the command line ----

  /** Standard output; `status` is what is wanted. */
  cli(...given) {
    return this.cliStatus(0, ...given).stdout;
  }

  cliStatus(status, ...given) {
    const ran = spawnSync(this.program, given.map(String), {
      cwd: this.work,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    if (ran.status !== status) {
      throw new Error(
        `turgor ${given.join(" ")}: status ${ran.status}, wanted ${status}: ${ran.stderr.slice(-500)}`,
      );
    }
    return ran;
  }

  path(name) {
    return join(this.work, name);
  }

  /** An embedded character as a file. */
  model(name) {
    const path = this.path(`${name}.glb`);
    if (!existsSync(path)) {
      this.cli("model", name, "-o", path);
    }
    return path;
  }

  asset(name) {
    const path = join(this.assets, name);
    if (!existsSync(path)) {
      throw new Skipped(`there is no ${name}`);
    }
    return path;
  }

  /** Positions of one frame by `turgor bake`, with settings as a text or options. */
  bakeFrame(file, frame, ...options) {
    const out = this.path("frame.pc2");
    this.cli("bake", file, "--frames", `${frame}:${frame}`, "-o", out, ...options);
    const bytes = readFileSync(out);
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset + 32, bytes.byteOffset + bytes.byteLength));
  }

  // ---- pages ----

  async open(options = {}, url = this.site.url) {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      acceptDownloads: true,
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60000); // a machine may be slow, and busy
    page.on("console", (message) => {
      // Software rendering is slow to read back from, which the driver tells.
      if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver Message/.test(message.text())) {
        this.faults.push(`console: ${message.text()}`);
      }
    });
    page.on("pageerror", (error) => this.faults.push(`page: ${error.stack}`));
    await page.goto(url);
    // By hand, since waitForFunction evaluates text, which the server's policy does not let a page do.
    for (let i = 0; !(await page.evaluate(() => window.studio?.frame != null)); ++i) {
      if (i > 1200) {
        throw new Error("the page shows no character");
      }
      await page.waitForTimeout(100);
    }
    return page;
  }
}

/** Until the skin on screen is that of the settings and the pose. */
export async function settle(page) {
  await page.waitForFunction(() => window.studio.isAtRest && window.stage.isStill, null, {
    timeout: 60000,
    polling: 20,
  });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Files let go of over the page. */
export async function drop(page, files, at = { x: 600, y: 350 }) {
  const data = files.map((file) =>
    typeof file === "string"
      ? { name: basename(file), text: readFileSync(file).toString("base64") }
      : { name: file.name, text: Buffer.from(file.bytes).toString("base64") },
  );
  const transfer = await page.evaluateHandle((list) => {
    const made = new DataTransfer();
    for (const { name, text } of list) {
      made.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
    }
    return made;
  }, data);
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer, clientX: at.x, clientY: at.y });
  await transfer.dispose();
}

export async function dropCharacter(page, file) {
  const before = await page.evaluate(() => window.studio.loads);
  await drop(page, [file]);
  await page.waitForFunction(
    ([count, name]) =>
      window.studio.loads > count &&
      window.studio.character?.name === name &&
      window.studio.frame?.corrected.positions.length === 3 * window.studio.character.vertexCount,
    [before, basename(file)],
    { timeout: 90000 },
  );
  await settle(page);
}

/** The skin that is on screen. */
export async function positions(page, skin = "corrected") {
  const text = await page.evaluate((name) => {
    const { frame } = window.studio;
    const { positions: values } = name === "corrected" ? frame.corrected : frame.bases[name];
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    let letters = "";
    for (let i = 0; i < bytes.length; i += 8192) {
      letters += String.fromCharCode(...bytes.subarray(i, i + 8192));
    }
    return btoa(letters);
  }, skin);
  const bytes = Buffer.from(text, "base64");
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** The largest distance that any number of two lists is apart. */
export function apart(a, b) {
  return a.length !== b.length ? Infinity : a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);
}

export function sameBits(a, b) {
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(
    Buffer.from(b.buffer, b.byteOffset, b.byteLength),
  );
}

/** A PNG's size and RGB pixels. */
export function readPng(bytes) {
  const width = bytes.readUInt32BE(16),
    height = bytes.readUInt32BE(20),
    channels = bytes[25] === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT") {
      parts.push(bytes.subarray(at + 8, at + 8 + size));
    }
    at += 12 + size;
  }
  const raw = inflateSync(Buffer.concat(parts)),
    stride = width * channels;
  const data = Buffer.alloc(height * stride);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? data[y * stride + x - channels] : 0,
        up = y > 0 ? data[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? data[(y - 1) * stride + x - channels] : 0;
      const p = left + up - corner,
        pa = Math.abs(p - left),
        pb = Math.abs(p - up),
        pc = Math.abs(p - corner);
      const paeth = pa <= pb && pa <= pc ? left : pb <= pc ? up : corner;
      const guess = [0, left, up, (left + up) >> 1, paeth][filter];
      data[y * stride + x] = (raw[y * (stride + 1) + 1 + x] + guess) & 255;
    }
  }
  return {
    width,
    height,
    pixel: (x, y) => [...data.subarray(y * stride + x * channels, y * stride + x * channels + 3)],
  };
}

/** What the view shows, as pixels. */
export async function look(page, selector = "#view") {
  await page.waitForFunction(() => window.stage.isStill, null, { polling: 20 });
  return readPng(await page.locator(selector).screenshot());
}

/** How many pixels of two pictures differ clearly, within columns as parts of the width. */
export function differing(a, b, from = 0, to = 1) {
  let count = 0;
  for (let y = 0; y < Math.min(a.height, b.height); y += 2) {
    for (let x = Math.floor(from * a.width); x < Math.floor(to * a.width); x += 2) {
      const p = a.pixel(x, y),
        q = b.pixel(x, y);
      count += Math.abs(p[0] - q[0]) + Math.abs(p[1] - q[1]) + Math.abs(p[2] - q[2]) > 30 ? 1 : 0;
    }
  }
  return count;
}

/** A hand that takes something, an element or what is at a place, and moves it. */
export async function dragFrom(page, what, by, steps = 8, options = {}) {
  if (what.hover !== undefined) {
    await what.hover(); // once it stands still and nothing lies over it
  }
  const from = what.hover !== undefined ? await centerOf(what) : what;
  await page.mouse.move(from.x, from.y);
  if (options.shift) {
    await page.keyboard.down("Shift");
  }
  await page.mouse.down();
  for (let i = 1; i <= steps; ++i) {
    await page.mouse.move(from.x + (by.x * i) / steps, from.y + (by.y * i) / steps);
  }
  await page.mouse.up();
  if (options.shift) {
    await page.keyboard.up("Shift");
  }
  await settle(page);
}

export async function centerOf(locator) {
  const box = await locator.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** What a click in the menu of saves gives: its name and bytes. */
export async function save(page, test) {
  const waiting = page.waitForEvent("download", { timeout: 120000 });
  await page.click("#top >> text=Save");
  await page.click(`[data-test=${test}]`);
  const download = await waiting;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** `turgor studio`, running. */
export async function startStudio(program, ...given) {
  const process_ = spawn(program, ["studio", "--no-open", ...given], { stdio: ["ignore", "pipe", "pipe"] });
  const url = await new Promise((done, fail) => {
    process_.stdout.once("data", (text) => done(String(text).split("\n")[0]));
    process_.once("exit", () => fail(new Error(`turgor studio ended: ${process_.stderr.read()}`)));
  });
  return {
    url,
    end: () =>
      new Promise((done) => {
        process_.once("exit", done);
        process_.kill("SIGINT");
      }),
  };
}
