// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A joint's profile, made by hand.

import {
  ask,
  bent,
  check,
  choose,
  fresh,
  page,
  pointCount,
  pointOf,
  quick,
  same,
  settings,
  test,
  waitForCurves,
} from "./cases.mjs";
import { apart, centerOf, differing, dragFrom, look, positions, sameBits, settle } from "./harness.mjs";

// ---- curves ----

/** Until the editor shows the curves of such a profile, as the core has it. */

quick("drag a curve's point and the skin follows", async () => {
  const name = await bent("muscle", true);
  const before = await positions(page),
    picture = await look(page);
  const count = await pointCount(0);
  check(count >= 3, `${count} points`);
  await dragFrom(page, pointOf(0, Math.floor(count / 2)), { x: -30, y: 14 });
  const made = (await settings()).volume.joints[name];
  same(made.profile, "curves", "the profile");
  same(made.curves[0].length, count, "points");
  check(apart(before, await positions(page)) > 1e-5, "the skin is the same");
  check(differing(picture, await look(page)) > 0, "the picture is the same");
  same(await page.inputValue("[aria-label=Profile]"), "curves", "the kind that is shown");
});

test("add a point, delete it, snap, and move it by keys", async () => {
  const name = await bent("rubber");
  const curve = async (axis) => (await settings()).volume.joints[name].curves[axis];
  const count = await pointCount(1);
  const plot = await page.locator(".plot.axis1 .hit").boundingBox();
  await page.mouse.click(plot.x + plot.width * 0.515, plot.y + plot.height * 0.35);
  await settle(page);
  same((await curve(1)).length, count + 1, "points after a click");
  const index = (await curve(1)).findIndex(
    (point, i, all) => i > 0 && Math.abs(point[0]) < 0.2 && all[i - 1][0] <= 0 && point[0] > 0,
  );
  await pointOf(1, index).focus();
  const [x, y] = (await curve(1))[index];
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await settle(page);
  const moved = (await curve(1))[index];
  check(Math.abs(moved[0] - x - 0.01) < 1e-6 && Math.abs(moved[1] - y - 0.01) < 1e-6, `${moved} from ${[x, y]}`);
  await dragFrom(page, pointOf(1, index), { x: 4, y: 9 }, 6, { shift: true });
  const snapped = (await curve(1))[index];
  check(
    snapped.every((value) => Math.abs(value / 0.05 - Math.round(value / 0.05)) < 1e-6),
    snapped,
  );
  await pointOf(1, index).focus();
  await page.keyboard.press("Delete");
  await settle(page);
  same((await curve(1)).length, count, "points after Delete");
  await pointOf(1, 0).focus();
  await page.keyboard.press("Enter");
  await settle(page);
  same((await curve(1)).length, count + 1, "points after Enter");
});

test("the limb's silhouette is behind the curves", async () => {
  await bent();
  for (const axis of [0, 1, 2]) {
    const d = await page.locator(`.plot.axis${axis} .limb`).getAttribute("d");
    check((d?.match(/L/g) ?? []).length > 10, `axis ${axis}: ${d?.slice(0, 80)}`);
  }
});

quick("undo and redo everything, and go to any place in the log", async () => {
  const name = await bent("muscle");
  const skins = [await positions(page)];
  await dragFrom(page, pointOf(0, 2), { x: 10, y: -10 });
  skins.push(await positions(page));
  await page.selectOption("[aria-label=Profile]", "folds");
  await settle(page);
  skins.push(await positions(page));
  await page.click("#tabs [data-value=body]");
  await page.locator(".bodypanel .lil-gui .controller.boolean input").first().click(); // contact
  await settle(page);
  skins.push(await positions(page));
  for (const wanted of [2, 1, 0]) {
    await page.keyboard.press("Control+z");
    await settle(page);
    check(sameBits(await positions(page), skins[wanted]), `undo did not come to step ${wanted}`);
  }
  for (const wanted of [1, 2, 3]) {
    await page.keyboard.press("Control+Shift+z");
    await settle(page);
    check(sameBits(await positions(page), skins[wanted]), `redo did not come to step ${wanted}`);
  }
  await page.click("[aria-label=History]");
  const log = await page.locator(".log button").allTextContents();
  check(log.length === 5 && log[1] === `muscle for ${name}` && /^Drag a point/.test(log[2]), log);
  await page.locator(".log button").nth(1).click();
  await settle(page);
  check(sameBits(await positions(page), skins[0]), "the log did not lead there");
  await page.keyboard.press("Escape");
});

test("presets start from their own curves", async () => {
  await bent();
  const shapes = new Set();
  for (const kind of ["rubber", "muscle", "folds", "isotropic", "belly"]) {
    await page.selectOption("[aria-label=Profile]", kind);
    await settle(page);
    await waitForCurves(kind);
    const lines = await Promise.all(
      [0, 1, 2].map((axis) => page.locator(`.plot.axis${axis} .line`).getAttribute("d")),
    );
    shapes.add(lines.join());
    // Taking a point up without moving it changes nothing but the kind: the skin is nearly that of the preset.
    if (kind === "rubber" || kind === "muscle") {
      const before = await positions(page);
      const size = await ask(() => window.studio.character.bounds.diagonal);
      await pointOf(0, 1).focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowLeft");
      await settle(page);
      const after = await positions(page);
      check(
        apart(before, after) < 0.01 * size,
        `${kind} as curves moves the skin by ${apart(before, after) / size}`,
      );
    }
  }
  check(shapes.size >= 4, `${shapes.size} different shapes of 5`);
});

test("drag shares in the triangle", async () => {
  const name = await bent("rubber");
  const before = await positions(page);
  const box = await page.locator(".triangle").boundingBox();
  await dragFrom(page, await centerOf(page.locator(".triangle .point")), {
    x: -box.width * 0.2,
    y: -box.height * 0.25,
  });
  const { mu } = (await settings()).volume.joints[name];
  check(Math.abs(mu[0] + mu[1] + mu[2] - 1) < 1e-9 && mu.every((share) => share >= 0) && mu[1] < 0.9, mu);
  check(apart(before, await positions(page)) > 1e-6, "the skin is the same");
  await page.locator(".triangle .point").focus();
  await page.keyboard.press("ArrowUp");
  check((await settings()).volume.joints[name].mu[2] > mu[2], "keys do not move it");
});

test("width, centre and gain as sliders", async () => {
  const name = await bent("muscle");
  const type = async (label, value) => {
    const field = page.locator(".jointpanel .controller", { hasText: label }).locator("input");
    await field.fill(String(value));
    await field.press("Enter");
    await settle(page);
  };
  let before = await positions(page);
  for (const [label, value, read] of [
    ["width e0", 0.5, (p) => p.sigma[0]],
    ["centre e0", -0.2, (p) => p.center[0]],
    ["gain", 2, (p) => p.gain],
  ]) {
    await type(label, value);
    same(read((await settings()).volume.joints[name]), value, label);
    const after = await positions(page);
    check(apart(before, after) > 1e-6, `${label} changes nothing`);
    before = after;
  }
  // And a slider taken by hand.
  const slider = page.locator(".jointpanel .controller", { hasText: "gain" }).locator(".slider");
  const box = await slider.boundingBox();
  await dragFrom(page, { x: box.x + box.width / 2, y: box.y + box.height / 2 }, { x: -box.width / 4, y: 0 });
  check((await settings()).volume.joints[name].gain < 2, "the slider does not move");
});

test("apply to the other side, to all like it, copy and paste", async () => {
  await fresh();
  const pair = await ask(() => {
    const { joints } = window.studio.character;
    const one = joints.find((joint) => joint.bends && joint.twin >= 0);
    return [one.name, joints[one.twin].name];
  });
  await choose(pair[0]);
  await page.selectOption("[aria-label=Profile]", "muscle");
  await settle(page);
  const field = page.locator(".jointpanel .controller", { hasText: "centre e1" }).locator("input");
  await field.fill("0.1");
  await field.press("Enter");
  await page.click("text=To the other side");
  await settle(page);
  const { joints } = (await settings()).volume;
  same([joints[pair[0]].center[1], joints[pair[1]].center[1]], [0.1, -0.1], "centres along the bending axis");
  await page.click(".jointpanel >> text=Copy");
  const other = await ask(
    (names_) => window.studio.character.joints.find((joint) => joint.bends && !names_.includes(joint.name)).name,
    pair,
  );
  await choose(other);
  await page.click(".jointpanel >> text=Paste");
  await settle(page);
  same((await settings()).volume.joints[other].profile, "muscle", "the pasted profile");
  await page.click("text=To all like it");
  await settle(page);
  check(Object.keys((await settings()).volume.joints).length > 3, Object.keys((await settings()).volume.joints));
});
