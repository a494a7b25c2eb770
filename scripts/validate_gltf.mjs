// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Judges glTF files with Khronos' gltf-validator: node scripts/validate_gltf.mjs FILE...
// Prints one line for each file and one for each error. Status 1 when there is any error, 2 when no
// file was given or the validator is not installed (npm install gltf-validator).

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const severityError = 0;
const severityWarning = 1;

function loadValidator() {
  // From here up to the repository's node_modules, then from NODE_PATH.
  try {
    return createRequire(import.meta.url)("gltf-validator");
  } catch {
    console.error("gltf-validator is not installed: npm install gltf-validator, or set NODE_PATH");
    process.exit(2);
  }
}

async function validate(validator, path) {
  const bytes = new Uint8Array(await readFile(path));
  return validator.validateBytes(bytes, {
    uri: path,
    maxIssues: 0,
    externalResourceFunction: async (uri) =>
      new Uint8Array(await readFile(join(dirname(path), decodeURIComponent(uri)))),
  });
}

const args = process.argv.slice(2);
const showsWarnings = args.includes("--warnings");
const paths = args.filter((argument) => !argument.startsWith("--"));
if (paths.length === 0) {
  console.error("usage: node scripts/validate_gltf.mjs [--warnings] FILE...");
  process.exit(2);
}

const validator = loadValidator();
let errorCount = 0;
for (const path of paths) {
  try {
    const { issues } = await validate(validator, path);
    console.log(`${path}: ${issues.numErrors} errors, ${issues.numWarnings} warnings`);
    const worst = showsWarnings ? severityWarning : severityError;
    for (const issue of issues.messages.filter((message) => message.severity <= worst)) {
      console.log(`  ${issue.code} at ${issue.pointer ?? "?"}: ${issue.message}`);
    }
    errorCount += issues.numErrors;
  } catch (failure) {
    console.log(`${path}: cannot be read: ${failure.message ?? failure}`);
    errorCount += 1;
  }
}
process.exit(errorCount > 0 ? 1 : 0);
