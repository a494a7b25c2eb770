// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// One moment under two settings files, side by side and seen by one camera.
#ifndef TURGOR_CLI_RENDER_SETTINGS_H
#define TURGOR_CLI_RENDER_SETTINGS_H

#include "render.h"

/// What both pictures are made with; each has a shot and a show of its own.
typedef struct tgSettingsPair {
    const char* paths[2];
    tgRenderDef defs[2];
} tgSettingsPair;

/// One picture of both; tells what differs. Returns the status.
/// @param picture for the caller to destroy
int tgRenderSettings(const tgSettingsPair* pair, const tgMoment* moment, tgPicture** picture);

#endif
