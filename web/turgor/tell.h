// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is known of a character, as JSON for the page.
#ifndef TURGOR_WEB_TELL_H
#define TURGOR_WEB_TELL_H

#include "hero.h"

// Each is text that the caller frees; NULL without memory.

/// Mesh, joints, animations, parts, materials, warnings.
char* tgTellHero(const tgHero* hero);
/// Of all joints what the rig knows of them.
char* tgTellJoints(const tgHero* hero);
/// Warnings and notes of the settings in use.
char* tgTellSettings(const tgSettings* settings);
/// The profiles of a joint, every number told.
char* tgTellProfiles(const tgHero* hero, int joint);
/// Of a kind; NULL also where there is no such kind.
char* tgTellDefaultProfile(const char* kind);
/// The elements, as a settings file would have them.
char* tgTellFlesh(const tgHero* hero);
/// Where their springs are.
char* tgTellFleshMotion(const tgHero* hero);
/// Losses of the last frame.
char* tgTellLosses(const tgHero* hero);
/// A joint's axes; "null" where it has none.
char* tgTellAxes(const tgHero* hero, int joint);
/// Settings as `--preset` makes them: volume and flesh.
char* tgTellPreset(const tgHero* hero, const char* preset, tgError* error);
char* tgTellPresetNames(void);
char* tgTellModels(void);

#endif
