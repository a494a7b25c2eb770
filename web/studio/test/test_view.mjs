// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is seen, and where one looks: camera, time, joints, comparisons, colours, cuts, plots.

import { ask, bench, bent, check, choose, fresh, page, quick, same, seek, selectedName, test } from "./cases.mjs";
import { apart, centerOf, differing, dragFrom, look, positions, sameBits, settle } from "./harness.mjs";

// ---- the view ----

test("orbit and zoom, by mouse and by keys", async () => {
  await fresh();
  const place = () => ask(() => window.stage.cameraPlace);
  const first = await look(page),
    from = await place();
  await dragFrom(page, { x: 300, y: 560 }, { x: 120, y: 10 });
  const turned = await place();
  check(apart(from, turned) > 0.05 && differing(first, await look(page)) > 1000, "it did not turn");
  await page.mouse.wheel(0, -400);
  await page.waitForTimeout(100);
  check(Math.hypot(...(await place())) < Math.hypot(...turned), "it did not come nearer");
  await page.focus("#view canvas");
  const before = await place();
  await page.keyboard.press("ArrowLeft");
  check(apart(before, await place()) > 0.01, "keys do not turn it");
  await page.click("[aria-label='Show all']");
});

test("play, pause, loop and speed", async () => {
  await fresh();
  const start_ = await positions(page);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.studio.time > 0.3);
  check(apart(start_, await positions(page)) > 1e-3, "it does not move");
  await page.click("[aria-label=Pause]");
  const held = await ask(() => window.studio.time);
  await page.waitForTimeout(120);
  same(await ask(() => window.studio.time), held, "the time while it is paused");
  await page.selectOption("[aria-label=Speed]", "2");
  await seek(3.6);
  await page.click("[aria-label=Play]");
  await page.waitForFunction(() => window.studio.time < 2, null, { timeout: 60000 }); // it came round
  await page.click("[aria-label=Loop]");
  await seek(3.8);
  await page.click("[aria-label=Play]");
  await page.waitForFunction(() => !window.studio.playing, null, { timeout: 60000 }); // it stopped at the end
  same(await ask(() => window.studio.time), await ask(() => window.studio.clipRange.end), "the time at the end");
  await page.click("[aria-label=Loop]");
  await page.selectOption("[aria-label=Speed]", "1");
});

quick("scrub to any frame", async () => {
  const file = bench.model("elephant");
  await fresh(file);
  for (const frame of [20, 77, 5]) {
    await seek(frame / 30);
    check(sameBits(await positions(page), bench.bakeFrame(file, frame)), `frame ${frame} is not turgor bake's`);
  }
});

test("choose any animation", async () => {
  const file = bench.asset("Fox.glb");
  await fresh(file);
  const options = await page.locator("[aria-label=Animation] option").allTextContents();
  check(options.length >= 3, options);
  await page.selectOption("[aria-label=Animation]", "1");
  await settle(page);
  check(sameBits(await positions(page), bench.bakeFrame(file, 0, "--animation", 1)), "not the second animation");
});

test("choose a joint in the view, in the tree, by search and by keys", async () => {
  await fresh();
  const knee = await ask(() => {
    const { joints } = window.studio.character;
    const joint = joints.findIndex((each) => /knee/i.test(each.name) || /trunk4/i.test(each.name));
    return { joint, name: joints[joint].name, ...window.stage.project(joint) };
  });
  const view = await page.locator("#view").boundingBox();
  await page.mouse.move(view.x + knee.x, view.y + knee.y);
  await page.locator(".tip:not([hidden])").waitFor();
  await page.mouse.click(view.x + knee.x, view.y + knee.y);
  await settle(page);
  const place = await ask(() => window.stage.project(window.studio.selected));
  check(
    Math.hypot(place.x - knee.x, place.y - knee.y) < 14,
    `${await selectedName()} is at ${JSON.stringify(place)}`,
  );
  same(await page.textContent(".jointname"), await selectedName(), "the panel's joint");
  await page.fill("[aria-label='Search joints']", "trunk");
  const found = await page.locator(".joints li .name").allTextContents();
  check(found.length >= 3 && found.every((name) => /trunk/i.test(name)), found);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  same(await selectedName(), found[1], "the joint after a key");
  await page.locator(".joints li").nth(2).click();
  same(await selectedName(), found[2], "the joint after a click");
  await page.fill("[aria-label='Search joints']", "nosuch");
  same(await page.textContent(".jointlist > .hint"), "No joint is called so.", "what is told");
  await page.fill("[aria-label='Search joints']", "");
});

test("turn a joint with the gizmo, mirror it, reset it", async () => {
  await fresh();
  const name = await ask(() => window.studio.character.joints.find((joint) => joint.bends && joint.twin >= 0).name);
  await choose(name);
  const rest = await positions(page);
  // The ring is somewhere about the joint: feel for it.
  const view = await page.locator("#view").boundingBox();
  const center = await ask(() => window.stage.project(window.studio.selected));
  let grip = null;
  for (let radius = 20; radius < 110 && grip === null; radius += 3) {
    for (let angle = 0; angle < 6.3 && grip === null; angle += 0.4) {
      const at = {
        x: view.x + center.x + radius * Math.cos(angle),
        y: view.y + center.y + radius * Math.sin(angle),
      };
      await page.mouse.move(at.x, at.y);
      grip = (await ask(() => ["X", "Y", "Z"].includes(window.stage.gizmo.axis))) ? at : null;
    }
  }
  check(grip !== null, "there is no gizmo about the joint");
  await dragFrom(page, grip, { x: 40, y: 25 });
  same(
    await ask(() => [...window.studio.work.rotations.keys()]),
    [await ask(() => window.studio.selected)],
    "turned joints",
  );
  const turned = await positions(page);
  check(apart(rest, turned) > 1e-3, "the skin does not follow");
  await page.click("text=Mirror the turn");
  await page.waitForFunction(() => window.studio.work.rotations.size === 2);
  await settle(page);
  const both = await positions(page);
  // What is turned on one side is turned on the other: the mirrored skin is as far from rest.
  const moved = (skin, sign) =>
    skin.reduce(
      (most, value, i) =>
        i % 3 === 0 && Math.sign(rest[i]) === sign
          ? Math.max(most, Math.hypot(value - rest[i], skin[i + 1] - rest[i + 1], skin[i + 2] - rest[i + 2]))
          : most,
      0,
    );
  const left = moved(both, -1),
    right = moved(both, 1);
  check(Math.abs(left - right) < 0.05 * Math.max(left, right), `left moved ${left}, right ${right}`);
  await page.click("text=Reset all");
  await settle(page);
  check(sameBits(await positions(page), rest), "it is not as it was");
});

test("turn a joint by numbers", async () => {
  await fresh();
  await choose(await ask(() => window.studio.character.joints.find((joint) => joint.bends).name));
  const rest = await positions(page);
  const field = page.locator(".jointpanel .fields >> nth=1 >> input").first();
  await field.fill("35");
  await field.press("Enter");
  await settle(page);
  check(apart(rest, await positions(page)) > 1e-3, "the skin does not follow");
  await page.click(".jointpanel >> text=Reset >> nth=0");
  await settle(page);
  check(sameBits(await positions(page), rest), "it is not as it was");
});

// ---- to see ----

test("three skins side by side", async () => {
  const file = bench.model("elephant");
  await fresh(file);
  await seek(2);
  await page.click("text=Side by side");
  await settle(page);
  same(
    (await page.locator(".panelabels span").allTextContents()).map((text) => text.replace(/ [−+].*/, "")),
    ["linear", "dual quaternion", "corrected"],
    "labels",
  );
  check(
    sameBits(
      await positions(page, "linear"),
      bench.bakeFrame(file, 60, "--volume", "none", "--skinning", "linear"),
    ),
    "linear",
  );
  check(
    sameBits(
      await positions(page, "dual-quaternion"),
      bench.bakeFrame(file, 60, "--volume", "none", "--skinning", "dual-quaternion"),
    ),
    "dual quaternion",
  );
  check(sameBits(await positions(page), bench.bakeFrame(file, 60)), "corrected");
  const picture = await look(page);
  const third = (k) => ({
    ...picture,
    width: Math.floor(picture.width / 3),
    pixel: (x, y) => picture.pixel(x + Math.floor((k * picture.width) / 3), y),
  });
  check(differing(third(0), third(2)) > 20, "linear and corrected look the same");
  await page.click("text=One >> nth=0");
});

test("a wiper between two skins", async () => {
  await fresh();
  await seek(2);
  await page.click(".segmented >> text=Wiper");
  await settle(page);
  await page.click("[data-test=toggle-bones]");
  const view = await page.locator("#view").boundingBox();
  const right = await look(page);
  await dragFrom(page, await centerOf(page.locator(".wiper")), { x: view.width * 0.35, y: 0 });
  check((await ask(() => window.studio.view.wiper)) > 0.8, "the wiper did not move");
  const moved = await look(page);
  check(differing(right, moved, 0.55, 0.8) > 5, "what the wiper went over looks the same");
  same(differing(right, moved, 0, 0.45), 0, "pixels that changed left of it");
  await page.locator(".wiper").focus();
  await page.keyboard.press("ArrowLeft");
  check((await ask(() => window.studio.view.wiper)) < 0.85, "keys do not move it");
  await page.selectOption("[aria-label='Compare with']", "dual-quaternion");
  await settle(page);
  check(apart(await positions(page, "dual-quaternion"), await positions(page)) > 0, "no dual quaternion skin");
});

test("heat maps", async () => {
  await bent("muscle");
  await page.click("[data-test=toggle-bones]");
  const plain = await look(page);
  for (const [show, legend] of [
    ["gamma", "1"],
    ["weights", "1"],
    ["displacement", "% of the size"],
  ]) {
    await page.selectOption("[aria-label=Colours]", show);
    await settle(page);
    check((await page.textContent(".legend")).includes(legend), await page.textContent(".legend"));
    const most = await ask(() => Math.max(...window.studio.frame.channel));
    check(most > 0, `${show} is 0 all over`);
    check(differing(plain, await look(page)) > 500, `${show} looks like skin`);
  }
  await page.selectOption("[aria-label=Colours]", "turned");
  await settle(page);
  const told = await page.textContent(".legend");
  const count = await ask(() => window.studio.frame.turned.reduce((sum, face) => sum + face, 0));
  check(told.startsWith(`${count} face`), `${told}, ${count}`);
});

test("axes, bones, wires and texture on and off", async () => {
  await bent();
  for (const key of ["axes", "bones", "wires"]) {
    const before = await look(page);
    await page.click(`[data-test=toggle-${key}]`);
    await settle(page);
    check(differing(before, await look(page)) > 5, `${key}: nothing changed`);
  }
  await fresh(bench.asset("CesiumMan.glb"));
  await page.waitForFunction(() => window.stage.skins.hasTextures);
  await settle(page);
  const painted = await look(page);
  await page.click("[data-test=toggle-texture]");
  await settle(page);
  check(differing(painted, await look(page)) > 300, "the texture is not seen");
  await page.click("[data-test=toggle-texture]");
});

test("the cut and its outline", async () => {
  await bent("rubber");
  await page.click("[data-test=toggle-cut]");
  await settle(page);
  const outlines = async () =>
    ask(() => {
      const area = (pieces) => {
        // of a closed outline, whichever way its pieces go: by Green's theorem from its middle
        let x = 0,
          y = 0,
          sum = 0;
        for (let i = 0; i < pieces.length; i += 2) {
          x += (2 * pieces[i]) / pieces.length;
          y += (2 * pieces[i + 1]) / pieces.length;
        }
        for (let i = 0; i < pieces.length; i += 4) {
          sum += Math.abs((pieces[i] - x) * (pieces[i + 3] - y) - (pieces[i + 2] - x) * (pieces[i + 1] - y)) / 2;
        }
        return sum;
      };
      const { linear, corrected } = window.stage.overlay.outlines;
      return { linear: area(linear), corrected: area(corrected) };
    });
  const at = await outlines();
  check(
    at.linear > 0 && at.corrected > at.linear,
    `the corrected section is ${at.corrected}, the linear one ${at.linear}`,
  );
  check((await page.locator(".outline .corrected").getAttribute("d")).length > 50, "the outline is not drawn");
  const before = await page.locator(".outline .corrected").getAttribute("d");
  await page.locator("[aria-label='Place of the cut']").focus();
  for (let i = 0; i < 5; ++i) {
    await page.keyboard.press("ArrowLeft");
  }
  await settle(page);
  check((await page.locator(".outline .corrected").getAttribute("d")) !== before, "it does not move");
  await page.click(".cut >> text=e1");
  await settle(page);
  check((await page.locator(".outline .corrected").getAttribute("d")).length > 50, "no outline across e1");
});

test("volume over the clip, with a cursor tied to the time", async () => {
  const file = bench.model("elephant");
  await fresh(file);
  await page.waitForFunction(() => window.studio.clip !== null, null, { timeout: 60000 });
  const measured = JSON.parse(bench.cli("measure", file, "--every-frame", "--json"));
  const clip = await ask(() => ({
    times: [...window.studio.clip.times],
    plain: [...window.studio.clip.plain],
    corrected: [...window.studio.clip.corrected],
    target: [...window.studio.clip.target],
  }));
  same(clip.times.length, measured.perFrame.length, "frames");
  for (const [name, mine] of [
    ["target", "target"],
    ["linear", "plain"],
    ["corrected", "corrected"],
  ]) {
    const off = measured.perFrame.reduce(
      (most, frame, i) => Math.max(most, Math.abs(frame[name] / clip[mine][i] - 1)),
      0,
    );
    check(off < 1e-6, `${mine} is off by ${off}`);
  }
  const over = await page.locator(".u-over").boundingBox();
  await page.mouse.click(over.x + over.width * 0.5, over.y + over.height / 2);
  await settle(page);
  const range = await ask(() => ({ ...window.studio.clipRange, time: window.studio.time }));
  check(Math.abs(range.time - (range.start + range.end) / 2) < 0.05 * (range.end - range.start), range);
  await seek(range.end * 0.25);
  const cursor = await page.locator(".timecursor").boundingBox();
  check(Math.abs(cursor.x - over.x - over.width * 0.25) < 0.03 * over.width, cursor);
});

test("joints ranked by what they lose", async () => {
  const file = bench.model("elephant");
  await fresh(file);
  await page.waitForFunction(() => window.studio.clip !== null, null, { timeout: 60000 });
  await page.click("text=By loss");
  const order = await page.locator(".joints li .name").allTextContents();
  const measured = JSON.parse(bench.cli("measure", file, "--every-frame", "--all-joints", "--json")).joints;
  const worst = measured.reduce((a, b) => (a.loss < b.loss ? a : b));
  same(order[0].replace(" •", ""), worst.name, "the joint that loses most");
  await page.locator(".joints li").nth(1).click();
  same(await selectedName(), order[1].replace(" •", ""), "the chosen joint");
  await page.click("text=Tree");
});
