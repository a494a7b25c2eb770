// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Settings files of the embedded characters that are shown most, as texts.
#ifndef TURGOR_CLI_DEMO_SETTINGS_H
#define TURGOR_CLI_DEMO_SETTINGS_H

/// Its belly hangs two bones below the spine, so the folds reach down there; they come out
/// sideways, where they do not meet the thighs. What the hips lose goes all round them: in a body
/// the inner side of a thigh is no place of its own.
static const char tg_elephantSettings[] =
    "{\n"
    "  \"turgor\": 1,\n"
    "  \"volume\": {\n"
    "    \"default\": {\"profile\": \"organic\"},\n"
    "    \"joints\": {\n"
    "      \"spine1\": {\"profile\": \"belly\", \"mu\": [0, 1, 0], \"sigma\": [1.6, 2, 2],\n"
    "                 \"folds\": 1.25, \"foldAngle\": 9},\n"
    "      \"spine2\": {\"profile\": \"belly\", \"mu\": [0, 1, 0], \"sigma\": [1.6, 2, 2],\n"
    "                 \"folds\": 1.25, \"foldAngle\": 9},\n"
    "      \"spine3\": {\"profile\": \"belly\", \"mu\": [0, 1, 0], \"sigma\": [1.6, 2, 2],\n"
    "                 \"folds\": 1.25, \"foldAngle\": 9},\n"
    "      \"hip.L\": {\"profile\": \"isotropic\", \"sigma\": 1.5},\n"
    "      \"hip.R\": {\"profile\": \"isotropic\", \"sigma\": 1.5},\n"
    "      \"tail1\": null, \"tail2\": null, \"tail3\": null\n"
    "    }\n"
    "  }\n"
    "}\n";

/// Twice the preset's width: its bones are shorter than its neck is thick.
static const char tg_giraffeSettings[] =
    "{\n"
    "  \"turgor\": 1,\n"
    "  \"volume\": {\"default\": {\"profile\": \"rubber\", \"sigma\": 0.5}}\n"
    "}\n";

#endif
