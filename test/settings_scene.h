// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character of nothing but joint names, for the tests of the settings file.
#ifndef TURGOR_TEST_SETTINGS_SCENE_H
#define TURGOR_TEST_SETTINGS_SCENE_H

#include "check.h"

#include "turgor/settings.h"

static tgSceneJoint tg_joints[] = {
    {.name = "hips", .parent = -1},
    {.name = "spine_01"},
    {.name = "spine_02", .parent = 1},
    {.name = "neck", .parent = 2},
    {.name = "twin"},
    {.name = "elbow.L"},
    {.name = "elbow.R"},
    {.name = "twin"},
    {.name = ""},
    {.name = "mixamorig:LeftArm"},
    {.name = "Ärmel"},
};

enum { tg_jointTotal = sizeof(tg_joints) / sizeof(tg_joints[0]) };

static const tgScene tg_scene = {.joints = tg_joints, .jointCount = tg_jointTotal};

static inline tgSettings* tgMustParse(const char* text)
{
    tgError error = {0};
    tgSettings* settings = tgParseSettings(text, strlen(text), &tg_scene, &error);
    if (settings == NULL) {
        print_error("%s\n%s\n", text, error.message);
    }
    assert_non_null(settings);
    return settings;
}

#endif
