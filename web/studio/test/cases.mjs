// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The cases and the page that they share, and steps that several of them take.

import { join } from "node:path";
import { dropCharacter, settle, Skipped, start } from "./harness.mjs";

const [program, pageFolder, assets, ...words] = process.argv.slice(2);
export { pageFolder };
export const bench = await start(program, pageFolder, assets);
const cases = [];
/** Instead of names: only the cases that `make test` has. */
const quickWord = "--quick";
/** The one that is used now; another one after a case that failed. */
export let page;

export function test(name, run) {
  cases.push({ name, run, isQuick: false });
}

/** One that `make test` has, too. */
export function quick(name, run) {
  cases.push({ name, run, isQuick: true });
}

export function check(condition, words) {
  if (!condition) {
    throw new Error(typeof words === "string" ? words : JSON.stringify(words));
  }
}

export function same(found, wanted, what) {
  check(
    JSON.stringify(found) === JSON.stringify(wanted),
    `${what} is ${JSON.stringify(found)?.slice(0, 300)}, wanted ${JSON.stringify(wanted)?.slice(0, 300)}`,
  );
}

/** What the page knows. */
export const ask = (run, given) => page.evaluate(run, given);
export const settings = () => ask(() => window.studio.work.settings);
export const selectedName = () => ask(() => window.studio.character.joints[window.studio.selected]?.name);
export const toasts = () => page.locator(".toast p").allTextContents();

/** The embedded elephant again, as it comes, and a plain view of it. */
export async function fresh(file = bench.model("elephant")) {
  await page.keyboard.press("Escape");
  await ask(() =>
    window.studio.setView({
      compare: "one",
      only: "corrected",
      other: "linear",
      wiper: 0.5,
      show: "skin",
      bones: true,
      axes: true,
      cut: false,
      cutAxis: 0,
      cutOffset: 0,
      wires: false,
    }),
  );
  await dropCharacter(page, file);
  await page.click("#tabs [data-value=joint]");
}

/** A joint by the search and a click. */
export async function choose(name) {
  await page.fill("[aria-label='Search joints']", name);
  const row = page.locator(".joints li", { has: page.getByText(name, { exact: true }) });
  await row.first().click();
  await page.fill("[aria-label='Search joints']", "");
  await settle(page);
  await page.waitForFunction(() => window.studio.profiles.length > 0, null, { timeout: 60000 });
  same(await selectedName(), name, "the selected joint");
}

export async function seek(time) {
  await page.locator(".scrub").evaluate((scrub, value) => {
    scrub.value = String(value);
    scrub.dispatchEvent(new Event("input"));
  }, time);
  await settle(page);
}

export const pointOf = (axis, index) => page.locator(`.plot.axis${axis} .point`).nth(index);
export const pointCount = (axis) => page.locator(`.plot.axis${axis} .point`).count();

/** Until the editor shows the curves of such a profile, as the core has it. */
export async function waitForCurves(kind) {
  await page.waitForFunction(
    (wanted) =>
      window.studio.profiles[0]?.profile === wanted && document.querySelector(".curves").dataset.kind === wanted,
    kind,
  );
}

/** A joint that bends in a frame, with a profile. */
export async function bent(kind, isNear = false) {
  await fresh();
  await seek(2);
  const name = await ask(() => {
    const { losses, character } = window.studio;
    // A limb, where a bulge of a preset's size reaches the skin.
    const limbs = losses.filter(
      ({ joint }) => character.joints[joint].radius < 0.6 * character.joints[joint].boneLength,
    );
    return character.joints[[...limbs].sort((a, b) => a.loss - b.loss)[0].joint].name;
  });
  await choose(name);
  if (isNear) {
    await page.locator(".joints li[aria-selected=true]").dblclick(); // the camera goes there
    await settle(page);
  }
  if (kind) {
    await page.selectOption("[aria-label=Profile]", kind);
    await settle(page);
    await waitForCurves(kind);
  }
  return name;
}

// ---- all of them ----

const isWanted = ({ name, isQuick }) =>
  words.length === 0 || (isQuick && words.includes(quickWord)) || words.some((word) => name.includes(word));

/** What is seen when a case fails, for whoever looks for the reason. */
async function keepPicture(name) {
  if (process.env.TURGOR_SHOTS) {
    await page.screenshot({ path: join(process.env.TURGOR_SHOTS, `${name.replace(/\W+/g, "_")}.png`) });
  }
}

/** @returns "passed", "failed" or "skipped" */
async function runCase({ name, run }) {
  bench.faults.length = 0;
  try {
    await run();
    if (bench.faults.length > 0 && !name.startsWith("works offline")) {
      throw new Error(bench.faults.join("; "));
    }
    return "passed";
  } catch (error) {
    if (error instanceof Skipped) {
      console.log(`skipped  ${name}: ${error.message}`);
      return "skipped";
    }
    console.log(`FAILED   ${name}: ${error.stack?.split("\n").slice(0, 6).join("\n    ")}`);
    await keepPicture(name).catch(() => {});
    const old = page.context();
    page = await bench.open();
    await old.close().catch(() => {}); // whatever it left behind
    return "failed";
  }
}

export async function runAll() {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  page = await bench.open();
  for (const each of cases.filter(isWanted)) {
    const begin = performance.now();
    counts[await runCase(each)] += 1;
    if (process.env.TURGOR_TEST_TIMES) {
      console.log(`${((performance.now() - begin) / 1000).toFixed(2).padStart(7)} s  ${each.name}`);
    }
  }
  await bench.end();
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exit(counts.failed > 0 ? 1 : 0);
}
