// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The actors of a picture: the takes that are compared, or the one that the settings ask for.
#ifndef TURGOR_CLI_STAGE_H
#define TURGOR_CLI_STAGE_H

#include "moment.h"
#include "panel.h"
#include "take.h"

typedef struct tgStage {
    const tgShot* shot;
    const tgShow* show;
    float arrowScale; ///< 0: no arrows
    int takeCount;
    tgTake takes[tg_takeCount];
    tgActor actors[tg_takeCount];
    bool hasPlain;
    tgActor plain; ///< under the shot's skinning, without correction
} tgStage;

/// @param compare all takes side by side
/// @return the status
int tgOpenStage(const tgShot* shot, const tgShow* show, bool compare, float arrowScale,
                tgStage* stage);
void tgCloseStage(tgStage* stage);

/// Everyone takes the pose; returns the status.
int tgStage_Play(tgStage* stage, const tgMoment* moment);
/// Copy everyone as they stand, each with its label; returns the status.
int tgStage_Capture(tgStage* stage, tgPanel* panels);

#endif
