// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skeleton from another file: whether it fits a mesh, and how it would.
#ifndef TURGOR_CLI_BIND_FIT_H
#define TURGOR_CLI_BIND_FIT_H

#include "turgor/io.h"

typedef enum tgStance {
    tg_stanceBound,  ///< as its own skin was bound
    tg_stanceStands, ///< as its file's nodes stand it
    tg_stanceStarts, ///< as its first animation starts
    tg_stanceCount,
} tgStance;

/// How a skeleton is placed, and what comes of it.
typedef struct tgFit {
    tgStance stance;
    bool isMoved;     ///< by the next two
    float scale;      ///< then
    tgVec3 offset;    ///< in scene units
    int outsideCount; ///< joints that lie outside the mesh
} tgFit;

typedef struct tgFitText {
    char text[256];
} tgFitText;

/// The placement that leaves the fewest joints outside: one of the stances, or one of them scaled
/// and moved so that the skeleton's own mesh, or its joints, fill the mesh's box.
tgResult tgFindFit(const tgScene* mesh, const tgScene* skeleton, tgFit* fit, tgError* error);
tgResult tgApplyFit(const tgFit* fit, tgScene* skeleton, tgError* error);
/// "as its file stands it, scaled by 100 and moved by (0 1.1 0)"
tgFitText tgTellFit(const tgFit* fit);
/// "the mesh is 48 times as large as the skeleton, and its middle lies (0 1.1 -1.3) away"
tgFitText tgTellMisfit(const tgScene* mesh, const tgScene* skeleton);

#endif
