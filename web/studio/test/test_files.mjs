// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What comes in and what goes out: characters, settings, pictures; held against the command line.

import { readFileSync, writeFileSync } from "node:fs";
import {
  ask,
  bench,
  bent,
  check,
  choose,
  fresh,
  page,
  pointOf,
  quick,
  same,
  seek,
  settings,
  test,
  toasts,
} from "./cases.mjs";
import {
  apart,
  differing,
  dragFrom,
  drop,
  dropCharacter,
  look,
  positions,
  readPng,
  sameBits,
  save,
  settle,
} from "./harness.mjs";

// ---- in ----

test("an elephant stands there from the start", async () => {
  const opened = await bench.open();
  same(await opened.textContent(".filename"), "elephant", "the name");
  const picture = await look(opened);
  const corner = picture.pixel(30, picture.height - 40);
  check(differing(picture, { ...picture, pixel: () => corner }) > 2000, "nothing is seen");
  await opened.context().close();
});

quick("drop a character", async () => {
  await fresh();
  const before = await look(page);
  const file = bench.model("giraffe");
  await dropCharacter(page, file);
  same(await page.textContent(".filename"), "giraffe.glb", "the name");
  check(differing(before, await look(page)) > 1000, "the view shows the same");
  check(sameBits(await positions(page), bench.bakeFrame(file, 0)), "another skin than turgor bake's");
});

test("open a .gltf and the files that it names", async () => {
  const gltf = bench.path("arm.gltf");
  bench.cli("model", "arm", "-o", gltf);
  const beside = (JSON.parse(readFileSync(gltf, "utf8")).buffers ?? [])
    .map((buffer) => buffer.uri)
    .filter((uri) => uri && !uri.startsWith("data:"))
    .map((uri) => bench.path(uri));
  await page.setInputFiles("[data-test=open]", [gltf, ...beside]);
  await page.waitForFunction(() => window.studio.character.name === "arm.gltf");
  await settle(page);
  check(sameBits(await positions(page), bench.bakeFrame(gltf, 0)), "another skin than turgor bake's");
});

test("errors are told where the file was dropped, in the command line's words", async () => {
  await fresh();
  const bytes = readFileSync(bench.model("elephant"));
  const cut = bytes.subarray(0, 5000);
  writeFileSync(bench.path("cut.glb"), cut);
  const words = bench
    .cliStatus(1, "info", "cut.glb")
    .stderr.trim()
    .replace(/^turgor: /, "");
  await drop(page, [bench.path("cut.glb")], { x: 500, y: 300 });
  const toast = page.locator(".toast.placed");
  await toast.waitFor();
  same((await toast.locator("p").textContent()).trim(), words, "what is told");
  const box = await toast.boundingBox();
  check(Math.abs(box.x + box.width / 2 - 500) < 200 && Math.abs(box.y - 300) < 60, box);
  same(await page.textContent(".filename"), "elephant.glb", "the character that stayed");
});

quick("ten hostile files, one after the other", async () => {
  await fresh();
  const good = readFileSync(bench.model("arm"));
  const json = JSON.parse(good.toString("utf8", 20, 20 + good.readUInt32LE(12)));
  const gltf = (change) => {
    const made = structuredClone(json);
    change(made);
    return Buffer.from(JSON.stringify(made));
  };
  const wild = Buffer.from(good);
  for (let i = 40; i < wild.length; i += 7) {
    wild[i] ^= 0x5a;
  }
  const huge = Buffer.from(good);
  huge.writeUInt32LE(0xffffffff, 12);
  const hostile = [
    ["empty.glb", Buffer.alloc(0)],
    ["noise.glb", Buffer.from("not a model")],
    ["cut.glb", good.subarray(0, 700)],
    ["wild.glb", wild],
    ["huge.glb", huge],
    ["deep.gltf", Buffer.from("[".repeat(200000))],
    ["loop.gltf", gltf((made) => made.nodes.forEach((node) => (node.children = [0])))],
    ["count.gltf", gltf((made) => made.accessors.forEach((accessor) => (accessor.count = 4e9)))],
    ["outside.gltf", gltf((made) => made.buffers.forEach((buffer) => (buffer.uri = "../../../etc/passwd")))],
    ["script.fbx", Buffer.from("<script>alert(1)</script>")],
  ];
  for (const [name, bytes] of hostile) {
    await drop(page, [{ name, bytes }]);
    await page.waitForFunction(
      (text) => document.querySelector(".toast.placed.error p")?.textContent.startsWith(text),
      `${name}: `,
      { timeout: 60000 },
    );
  }
  await page.keyboard.press("Escape");
  same(await page.textContent(".filename"), "elephant.glb", "the character that stayed");
  await fresh(bench.model("arm"));
  check(sameBits(await positions(page), bench.bakeFrame(bench.model("arm"), 0)), "the page does not work any more");
});

// ---- out ----

quick("save settings, and load them again", async () => {
  const name = await bent("muscle");
  await dragFrom(page, pointOf(2, 2), { x: 8, y: 6 });
  await page.click("text=Breathing key");
  await settle(page);
  const skin = await positions(page),
    made = await settings();
  const saved = await save(page, "save-settings");
  same(saved.name, "elephant.json", "the name");
  writeFileSync(bench.path("saved.json"), saved.bytes);
  check(
    bench.cli("info", bench.model("elephant"), "--settings", "saved.json").includes("curves"),
    "turgor info does not tell of the curves",
  );
  check(
    sameBits(skin, bench.bakeFrame(bench.model("elephant"), 60, "--settings", "saved.json")),
    "not the skin of turgor bake with it",
  );
  await fresh();
  await seek(2);
  check(apart(skin, await positions(page)) > 1e-6, "the page still has the settings");
  await drop(page, [bench.path("saved.json")]);
  await page.waitForFunction((wanted) => window.studio.work.settings.volume?.joints?.[wanted] !== undefined, name);
  await settle(page);
  same((await settings()).volume, made.volume, "the settings");
  check(sameBits(await positions(page), skin), "the skin is another");
  await drop(page, [{ name: "bad.json", bytes: Buffer.from('{"volume":\n {"joints": {"nosuch": null}}}') }]);
  await page.locator(".toast.placed.error").waitFor();
  check(
    /^bad\.json: line 2, column \d+: .*nosuch/.test(await page.locator(".toast.placed p").textContent()),
    await toasts(),
  );
  check(sameBits(await positions(page), skin), "bad settings changed the skin");
});

test("save a picture", async () => {
  await fresh();
  const saved = await save(page, "save-picture");
  same(saved.name, "elephant.png", "the name");
  const picture = readPng(saved.bytes);
  const view = await page.locator("#view").boundingBox();
  same([picture.width, picture.height], [Math.round(view.width), Math.round(view.height)], "its size");
  const corner = picture.pixel(2, 2);
  check(differing(picture, { ...picture, pixel: () => corner }) > 1000, "nothing is in it");
});

quick("save the baked character, byte for byte the command line's", async () => {
  const file = bench.model("arm");
  await fresh(file);
  await choose(await ask(() => window.studio.character.joints.find((joint) => joint.bends).name));
  await page.selectOption("[aria-label=Profile]", "muscle");
  await settle(page);
  const written = await save(page, "save-settings");
  writeFileSync(bench.path("arm.json"), written.bytes);
  const saved = await save(page, "save-bake");
  same(saved.name, "arm_baked.glb", "the name");
  bench.cli("bake", file, "--settings", "arm.json", "-o", "arm_cli.glb");
  check(saved.bytes.equals(readFileSync(bench.path("arm_cli.glb"))), "not the bytes of turgor bake");
});

test("save the character with correctives, byte for byte the command line's", async () => {
  const file = bench.model("arm");
  await fresh(file);
  const saved = await save(page, "save-correctives");
  same(saved.name, "arm_corrected.glb", "the name");
  bench.cli("correctives", file, "-o", "arm_correctives.glb");
  check(saved.bytes.equals(readFileSync(bench.path("arm_correctives.glb"))), "not the bytes of turgor correctives");
});

test("the skin has the bits of the command line: five characters, all presets", async () => {
  const files = [
    bench.model("elephant"),
    bench.model("giraffe"),
    bench.model("human"),
    bench.asset("CesiumMan.glb"),
    bench.asset("Fox.glb"),
  ];
  for (const file of files) {
    await fresh(file);
    await seek(0.5);
    await page.click("#tabs [data-value=body]");
    for (const preset of await ask(() => window.studio.character.presets)) {
      const before = await ask(() => window.studio.history.index);
      await page.selectOption("[aria-label='Preset of all joints']", preset);
      await page.waitForFunction((index) => window.studio.history.index > index, before);
      await settle(page);
      const shown = await positions(page);
      // Flesh starts to swing where one looks first; a bake swings from its first frame on.
      const frame = preset === "flesh" ? 0 : 15;
      if (preset === "flesh") {
        await seek(0);
      }
      check(
        sameBits(
          preset === "flesh" ? await positions(page) : shown,
          bench.bakeFrame(file, frame, "--preset", preset),
        ),
        `${file}: ${preset}`,
      );
      await page.keyboard.press("Control+z");
      await seek(0.5);
    }
  }
});
