// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Settings files of the embedded characters that are shown most, as texts.
#ifndef TURGOR_CLI_DEMO_SETTINGS_H
#define TURGOR_CLI_DEMO_SETTINGS_H

/// Its belly hangs two bones below the spine, so the folds reach down there; they come out
/// sideways, where they do not meet the thighs.
static const char tg_elephantSettings[] =
    "{\n"
    "  \"turgor\": 1,\n"
    "  \"volume\": {\n"
    "    \"default\": {\"profile\": \"organic\"},\n"
    "    \"joints\": {\n"
    "      \"spine1\": {\"profile\": \"belly\", \"mu\": [0, 1, 0], \"sigma\": [1.6, 3, 3],\n"
    "                 \"folds\": 1.25, \"foldAngle\": 9},\n"
    "      \"spine2\": {\"profile\": \"belly\", \"mu\": [0, 1, 0], \"sigma\": [1.6, 3, 3],\n"
    "                 \"folds\": 1.25, \"foldAngle\": 9},\n"
    "      \"spine3\": {\"profile\": \"belly\", \"mu\": [0, 1, 0], \"sigma\": [1.6, 3, 3],\n"
    "                 \"folds\": 1.25, \"foldAngle\": 9}\n"
    "    }\n"
    "  }\n"
    "}\n";

/// Twice the preset's width: the bulge goes as far as the neck bends.
static const char tg_giraffeSettings[] =
    "{\n"
    "  \"turgor\": 1,\n"
    "  \"volume\": {\"default\": {\"profile\": \"rubber\", \"sigma\": 0.5}}\n"
    "}\n";

/// Four elements as 2005 has them: each on the vertices that the model has selected for it.
static const char tg_humanSettings[] =
    "{\n"
    "  \"turgor\": 1,\n"
    "  \"flesh\": [\n"
    "    {\"name\": \"buttock.L\", \"driver\": \"pelvis\", \"driven\": \"seat.L\", \"joints\": "
    "\"hip.L\",\n"
    "     \"vertices\": \"buttock.L\", \"frequency\": 3.5, \"elongation\": 0.5},\n"
    "    {\"name\": \"buttock.R\", \"driver\": \"pelvis\", \"driven\": \"seat.R\", \"joints\": "
    "\"hip.R\",\n"
    "     \"vertices\": \"buttock.R\", \"frequency\": 3.5, \"elongation\": 0.5},\n"
    "    {\"name\": \"thigh.L\", \"driver\": \"hip.L\", \"driven\": \"knee.L\", \"vertices\": "
    "\"thigh.L\",\n"
    "     \"frequency\": 4, \"elongation\": 0.5},\n"
    "    {\"name\": \"thigh.R\", \"driver\": \"hip.R\", \"driven\": \"knee.R\", \"vertices\": "
    "\"thigh.R\",\n"
    "     \"frequency\": 4, \"elongation\": 0.5}\n"
    "  ]\n"
    "}\n";

#endif
