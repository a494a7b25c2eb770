// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is said of the whole character: flesh, bones, contact, breath.

import { writeFileSync } from "node:fs";
import { ask, bench, check, choose, fresh, page, quick, same, seek, settings, test } from "./cases.mjs";
import { apart, centerOf, dragFrom, drop, positions, sameBits, save, settle } from "./harness.mjs";

// ---- flesh, bones, breath ----

test("flesh that is tuned while it swings", async () => {
  await fresh();
  const name = await ask(() => {
    const { joints } = window.studio.character;
    return joints.find((joint) => /spine|belly|hip/i.test(joint.name) && joint.children.length > 0).name;
  });
  await choose(name);
  await page.click("#tabs [data-value=flesh]");
  await page.click("text=Add at the selected joint");
  await settle(page);
  same((await settings()).flesh[0].driver, name, "the driver");
  await page.waitForFunction(() => window.studio.flesh.length === 1);
  const swing = () =>
    ask(() => Math.hypot(...window.studio.flesh[0].displacement) / window.studio.character.bounds.diagonal);
  await page.getByRole("button", { name: "Shake", exact: true }).click();
  await page.waitForFunction(
    () => Math.hypot(...window.studio.flesh[0].displacement) > 1e-4 * window.studio.character.bounds.diagonal,
    null,
    { timeout: 60000 },
  );
  const before = await swing();
  const field = page.locator(".fleshpanel .controller", { hasText: "damping" }).locator("input");
  await field.fill("0.01");
  await field.press("Enter");
  await settle(page);
  same((await settings()).flesh[0].dampingRatio, 0.01, "damping");
  check((await swing()) > 0.02 * before, "it came to rest when it was tuned");
  for (const [label, value, key] of [
    ["frequency", "1.5", "frequency"],
    ["elongation", "0.4", "elongation"],
  ]) {
    const other = page.locator(".fleshpanel .controller", { hasText: label }).locator("input");
    await other.fill(value);
    await other.press("Enter");
    same((await settings()).flesh[0][key], Number(value), label);
  }
  const gravity = page.locator(".fleshpanel .controller", { hasText: "gravity" }).locator("input");
  await gravity.fill("9.81");
  await gravity.press("Enter");
  same((await settings()).flesh[0].gravity, [0, -9.81, 0], "gravity");
  await field.fill("1"); // so that it comes to hang
  await field.press("Enter");
  await page.waitForTimeout(900);
  check((await ask(() => window.studio.flesh[0].displacement[1])) < 0, "gravity does not pull it down");
  await page.click(".element >> text=Remove");
  same((await settings()).flesh, undefined, "flesh after it was removed");
  await page.click("text=Find by names");
  await page.waitForFunction(
    () =>
      document.querySelectorAll(".element").length > 0 ||
      /No joint/.test(document.querySelector(".fleshpanel .hint").textContent),
  );
});

test("bones and contact on and off", async () => {
  const file = bench.model("elephant");
  await fresh(file);
  await seek(2);
  await page.click("#tabs [data-value=body]");
  const skin = await positions(page);
  for (const [label, text] of [
    ["contact", '{"volume": {"contact": false}}'],
    ["bones under the skin", '{"volume": {"contact": false}, "bones": "auto"}'],
  ]) {
    await page.locator(".bodypanel .controller.boolean", { hasText: label }).locator("input").click();
    await settle(page);
    writeFileSync(bench.path("switch.json"), text);
    const now = await positions(page);
    check(
      sameBits(now, bench.bakeFrame(file, 60, "--settings", "switch.json")),
      `${label}: not turgor bake's skin`,
    );
  }
  await page.locator(".bodypanel .controller.boolean", { hasText: "bones" }).locator("input").click();
  await page.locator(".bodypanel .controller.boolean", { hasText: "contact" }).locator("input").first().click();
  await settle(page);
  check(sameBits(await positions(page), skin), "it is not as it was");
});

test("breathing keys on the timeline", async () => {
  await fresh();
  await seek(1);
  const volume = () => ask(() => window.studio.volumes.target);
  const before = await volume();
  await page.click("text=Breathing key");
  await settle(page);
  same((await settings()).volume.target, [{ time: 1, scale: 1.05 }], "the key");
  check(Math.abs((await volume()) / before - 1.05) < 1e-6, "the volume to keep");
  const place = await centerOf(page.locator(".keys .key").first());
  const isSeen = await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest(".key") !== null, place);
  check(isSeen, "the first key is out of sight");
  await seek(2);
  await page.click("text=Breathing key");
  await dragFrom(page, await centerOf(page.locator(".keys .key").nth(1)), { x: 0, y: -20 });
  const keys = (await settings()).volume.target;
  check(keys.length === 2 && keys[1].scale > 1.1 && keys[1].scale < 1.2, keys);
  await settle(page);
  const volumes = await ask(() => window.studio.volumes);
  check(Math.abs(volumes.corrected / volumes.target - 1) < 1e-5 && volumes.target / before > 1.1, volumes);
  await page.locator(".keys .key").first().focus();
  await page.keyboard.press("ArrowRight");
  check((await settings()).volume.target[0].time > 1, "keys do not move it");
  await page.keyboard.press("Delete");
  same((await settings()).volume.target.length, 1, "keys after Delete");
});

// ---- paint, wrinkles, refinement, the local method ----

/** The skin of frame 60 by the command line, with what the page saves. */
async function bakeSaved(file) {
  writeFileSync(bench.path("saved.json"), (await save(page, "save-settings")).bytes);
  return bench.bakeFrame(file, 60, "--settings", "saved.json");
}

const detail = (label) =>
  page.locator(".details .controller", { has: page.getByText(label, { exact: true }) }).locator("input, select");

quick("settings that have no curve are kept, and edited as plain fields", async () => {
  const file = bench.model("elephant");
  await fresh(file);
  await seek(2);
  const [joint, other] = await ask(() =>
    window.studio.character.joints.filter((each) => each.bends).map((each) => each.name),
  );
  const loaded = {
    turgor: 1,
    volume: {
      method: "local",
      target: [{ time: 0, scale: 1.02 }],
      local: {
        map: "rubber",
        alpha: 1.5,
        parts: 2,
        regions: { [joint]: { map: "uniform" } },
        bones: { [other]: [joint, other] },
      },
      contact: { gap: 0.05 },
      paint: null,
    },
    wrinkles: [{ joint, side: "inner", count: 3, depth: 0.02 }],
    refine: { threshold: 0.6, smooth: true },
  };
  await drop(page, [{ name: "all.json", bytes: Buffer.from(JSON.stringify(loaded)) }]);
  await page.waitForFunction(() => window.studio.work.settings.refine !== undefined);
  await settle(page);
  same(JSON.parse((await save(page, "save-settings")).bytes), loaded, "what is saved");
  await page.click("#tabs [data-value=body]");
  same(await detail("map").inputValue(), "rubber", "the map that is shown");
  same([await detail("threshold").last().inputValue(), await detail("paint").inputValue()], ["0.6", "null"], "fields");
  await detail("refine folds").click(); // the mesh is the file's again
  await detail("wrinkles").click();
  await detail("map").selectOption("uniform");
  await detail("paint").fill("");
  await detail("paint").press("Enter");
  await settle(page);
  const made = await settings();
  same([made.refine, made.wrinkles, made.volume.paint], [undefined, undefined, undefined], "what was taken away");
  same(made.volume.local, { ...loaded.volume.local, map: "uniform" }, "the local method");
  check(sameBits(await positions(page), await bakeSaved(file)), "not the skin of turgor bake with it");
});

test("wrinkles, refinement and the published method by fields", async () => {
  const file = bench.model("elephant");
  await fresh(file);
  await seek(2);
  await page.click("#tabs [data-value=body]");
  const plain = await positions(page);
  await detail("wrinkles").click();
  await settle(page);
  same((await settings()).wrinkles, "auto", "wrinkles");
  check(apart(plain, await positions(page)) > 1e-6, "nothing wrinkles");
  check(sameBits(await positions(page), await bakeSaved(file)), "wrinkles: not turgor bake's skin");
  await detail("refine folds").click();
  await page.waitForFunction((count) => window.studio.frame.corrected.positions.length > count, plain.length);
  await settle(page);
  check(sameBits(await positions(page), await bakeSaved(file)), "refinement: not turgor bake's skin");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await settle(page);
  check(sameBits(await positions(page), plain), "undo does not bring the mesh back");
  await detail("exact method").selectOption("paper");
  await settle(page);
  check(apart(plain, await positions(page)) > 1e-6, "the published method gives the same skin");
  check(sameBits(await positions(page), await bakeSaved(file)), "the published method: not turgor bake's skin");
  await detail("paint").fill("nosuch");
  await detail("paint").press("Enter");
  await page.locator(".toast.error", { hasText: "nosuch" }).waitFor();
});
