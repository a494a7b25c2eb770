// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A trained driver as it leaves: targets of weights 0 to 1 on the character's meshes, and the
// numbers that make the weights, as JSON.
#ifndef TURGOR_CLI_DRIVER_FILE_H
#define TURGOR_CLI_DRIVER_FILE_H

#include "driver_fit.h"
#include "io/output_file.h"
#include "play/correctives.h"

typedef struct tgDriverName {
    char text[192];
} tgDriverName;

/// The driver's targets in place of a fit, and its weights at the samples of the clips. The
/// driver's own weights are brought to 0 to 1 with it.
/// @param names one for each target and the constant one before them; the caller frees them
tgResult tgFitDriver(tgTrained* trained, const tgClips* clips, const tgShownMeshes* meshes,
                     float maxError, tgFitted* fitted, tgDriverName** names, tgError* error);

/// How well the driver does on the clips, in parts of what plain skinning misses.
typedef struct tgDriverScore {
    double rms;    ///< of positions
    double volume; ///< of the volume, in the mean of its squares
} tgDriverScore;

tgResult tgScoreDriver(const tgClips* clips, const tgShownMeshes* meshes, const tgFitted* fitted,
                       tgDriverScore* score, tgError* error);

/// Into an open file, which is finished and keeps its temporary name.
tgResult tgWriteDriver(const tgTrained* trained, const tgScene* viewer, const tgDriverName* names,
                       tgOutputFile* file, tgError* error);

#endif
