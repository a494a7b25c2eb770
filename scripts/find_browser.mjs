// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where headless Chromium is, and what drives it. Ends with status 2 when either is not there.

import { createRequire } from "node:module";
import { existsSync } from "node:fs";

const require = createRequire(import.meta.url);
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function findBrowser() {
  const executablePath = process.env.CHROMIUM ?? browsers.find((path) => existsSync(path));
  if (executablePath === undefined || !existsSync(executablePath)) {
    console.error("Chromium is not installed, so nothing was tried in a browser; scripts/setup test installs it");
    process.exit(2);
  }
  try {
    return { chromium: require("playwright-core").chromium, executablePath };
  } catch {
    console.error(
      "playwright-core is not installed, so nothing was tried in a browser; scripts/setup test installs it",
    );
    process.exit(2);
  }
}
