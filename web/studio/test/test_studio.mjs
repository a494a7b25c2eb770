// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The studio as a person uses it: node test_studio.mjs PROGRAM PAGE_DIR ASSETS_DIR [--quick | NAME ...]
// Each case acts by hand or by keys and checks what is seen: positions, pixels, files. What the page shows and
// writes is held against the command line. Status 2 when the browser or the page is not there.

import { runAll } from "./cases.mjs";
import "./test_files.mjs";
import "./test_view.mjs";
import "./test_curves.mjs";
import "./test_body.mjs";
import "./test_page.mjs";

await runAll();
