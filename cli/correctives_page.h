// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What correctives cost and give, as one page.
#ifndef TURGOR_CLI_CORRECTIVES_PAGE_H
#define TURGOR_CLI_CORRECTIVES_PAGE_H

#include "io/output_file.h"
#include "play/correctives.h"
#include "shot.h"

typedef struct tgCorrectivesPageDef {
    const tgShot* shot;
    const tgRig* rig;
    const tgClips* clips;
    const tgShownMeshes* meshes;
    const tgFitted* fitted; ///< what was written
    tgFitOptions options;
    long long size; ///< of the file, bytes
    const char* path;
} tgCorrectivesPageDef;

/// Size, error and volume for 1, 2, 4 ... targets, over time and as a table, and a picture of each
/// target, in one HTML file, which is finished and keeps its temporary name. From when it is there
/// interruptions are held. Returns the status; discard the file whatever that is.
int tgPrepareCorrectivesPage(const tgCorrectivesPageDef* def, tgOutputFile* file);

#endif
