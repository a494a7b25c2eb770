// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Opens pages in headless Chromium: node open_page.mjs PAGE.html ...
// Fails on a console error, a page error, a request that leaves the page, or a picture that does
// not load, in the light and in the dark. Reports are looked at on a telephone, too. Status 2 when Chromium or playwright-core is not there.

import { pathToFileURL } from "node:url";
import { findBrowser } from "./find_browser.mjs";

const phone = { width: 390, height: 844 };

async function open(browser, file, colorScheme, viewport) {
  const faults = [];
  const page = await browser.newPage({ colorScheme, viewport });
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => faults.push(`page: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("data:") && url !== pathToFileURL(file).href) {
      faults.push(`asks for ${url}`);
    }
  });
  await page.goto(pathToFileURL(file).href, { waitUntil: "load" });
  const found = await page.evaluate(() => ({
    title: document.title,
    pictures: [...document.images].map((image) => image.complete && image.naturalWidth),
    plots: document.querySelectorAll("svg.plot path").length,
    rows: document.querySelectorAll("table tr").length,
    paper: getComputedStyle(document.body).backgroundColor,
    cards: [...document.querySelectorAll(".numbers li")].map((card) => card.getBoundingClientRect().width),
    panels: [...document.querySelectorAll(".panels img")].map((image) => image.getBoundingClientRect().width),
    grounds: [...document.images].map((image) => getComputedStyle(image).backgroundColor),
    letters: Math.min(...[...document.querySelectorAll("p, li, figcaption, td, th, svg text")]
      .filter((element) => element.getClientRects().length > 0)
      .map((element) => parseFloat(getComputedStyle(element).fontSize) *
        (element.getScreenCTM === undefined ? 1 : element.getScreenCTM().a))),
    overflow: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  }));
  if (found.pictures.some((width) => !width)) {
    faults.push("a picture does not load");
  }
  if (found.overflow) {
    faults.push("the page is wider than its window");
  }
  await page.close();
  return { faults, found };
}

const { chromium, executablePath } = findBrowser();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let failed = false;
for (const file of process.argv.slice(2)) {
  const light = await open(browser, file, "light");
  const dark = await open(browser, file, "dark");
  if (light.found.cards.length > 0) {
    const small = await open(browser, file, "dark", phone);
    for (const { faults, found } of [light, small]) {
      if (Math.max(...found.cards) - Math.min(...found.cards) > 1) {
        faults.push(`cards are ${found.cards} wide`);
      }
      if (found.letters < 9) {
        faults.push(`there are letters of ${found.letters} pixels`);
      }
      if (Math.min(...found.panels) < 200) {
        faults.push(`panels are ${found.panels} wide`);
      }
    }
    if (dark.found.grounds.includes("rgb(255, 255, 255)")) {
      dark.faults.push("a picture is white in the dark");
    }
    dark.faults.push(...small.faults);
  }
  if (light.found.paper === dark.found.paper) {
    dark.faults.push(`the paper is ${dark.found.paper} in the dark too`);
  }
  for (const fault of [...light.faults, ...dark.faults]) {
    failed = true;
    console.error(`${file}: ${fault}`);
  }
  console.log(JSON.stringify(light.found));
}
await browser.close();
process.exit(failed ? 1 : 0);
