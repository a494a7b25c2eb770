// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The actors of a picture: the takes that are compared, or the one that the settings ask for.
#ifndef TURGOR_CLI_STAGE_H
#define TURGOR_CLI_STAGE_H

#include "moment.h"
#include "panel.h"
#include "take.h"

typedef struct tgStageDef {
    const tgShot* shot;
    const tgShow* show;
    const tgFocus* focus; ///< joints that the camera looks at; NULL: none
    bool compare;         ///< all takes side by side
    float arrowScale;     ///< 0: no arrows
} tgStageDef;

typedef struct tgStage {
    const tgShot* shot;
    const tgShow* show;
    const tgFocus* focus;
    float arrowScale; ///< 0: no arrows
    int takeCount;
    tgTake takes[tg_takeCount];
    tgActor actors[tg_takeCount];
    bool hasJudges;               ///< what a joint lost is told with each take
    tgActor judges[tg_takeCount]; ///< plain takes with their volume kept: they know that
    tgProps props;                ///< what of the file has no skin
    bool hasPlain;
    tgActor plain; ///< under the shot's skinning, without correction
} tgStage;

/// Returns the status.
int tgOpenStage(const tgStageDef* def, tgStage* stage);
void tgCloseStage(tgStage* stage);

/// Everyone takes the pose; returns the status.
int tgStage_Play(tgStage* stage, const tgMoment* moment);
/// Copy everyone as they stand, each with its label; returns the status.
int tgStage_Capture(tgStage* stage, tgPanel* panels);

#endif
