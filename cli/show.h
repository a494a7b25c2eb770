// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What a picture shows on the skin: its own colours, or something that each vertex knows.
//
// To show something new, add a line to the table in show.c: a function that fills one value for
// each vertex, or one colour.
#ifndef TURGOR_CLI_SHOW_H
#define TURGOR_CLI_SHOW_H

#include "draw/legend.h"
#include "play/actor.h"
#include "report.h"
#include "shot.h"

typedef struct tgShowKind tgShowKind;

/// What to show, settled.
typedef struct tgShow {
    const tgShowKind* kind;
    const tgShot* shot;
    int* joints;         ///< of which something is shown
    int jointCount;      ///< 0: of all
    float* aptness;      ///< of each vertex, where that is shown; NULL otherwise
    char title[192];     ///< of the legend, with the unit; empty: there is none
    char emptyTitle[32]; ///< where all values are 0
    int* jointColors;    ///< category of each joint; -1 for one that moves nothing
} tgShow;

/// @param name as in --show
/// @param joint a name or a pattern; NULL: all joints
/// @return the status
int tgOpenShow(const char* name, const char* joint, const tgShot* shot, tgShow* show);
void tgCloseShow(tgShow* show);

/// The first joint that moves skin.
int tgShow_GetFirstJoint(const tgShow* show);
bool tgShow_HasValues(const tgShow* show); ///< one value for each vertex, on a scale from 0
bool tgShow_HasLegend(const tgShow* show);
bool tgShow_IsGlass(const tgShow* show); ///< the skin is seen through, to what lies below
/// Largest value of the scale where it is known beforehand; 0 where it is the largest that is seen.
float tgShow_GetFixedRange(const tgShow* show);

/// One value for each vertex of an actor as it stands.
/// @param plain the same pose under the same skinning without any correction
tgResult tgShow_SampleValues(const tgShow* show, tgActor* actor, const tgActor* plain,
                             float* values, tgError* error);
/// One colour for each vertex. Without values only; false when the skin shows its own colours.
/// @param rig of any actor of the shot
bool tgShow_Paint(const tgShow* show, const tgRig* rig, tgColor* colors);

/// Range or entries.
/// @param isSeen of each joint: its skin is in the picture; NULL: all are
/// @param entries room for as many as the scene has joints
void tgShow_FillLegend(const tgShow* show, float range, const bool* isSeen, tgLegendDef* legend,
                       tgLegendEntry* entries);

#endif
