// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A few shapes whose sums come near many: the corrective morph targets of a mesh, from the offsets
// that its vertices have in many frames.
#ifndef TURGOR_BIND_CORRECTIVES_H
#define TURGOR_BIND_CORRECTIVES_H

#include "bind/reduce_frames.h"

/// How far vertices `first` and on are off in a frame, given how far their offsets are.
/// @param residuals `count` of them
/// @param errors so many, too; raised to what this frame has
typedef void tgCorrectiveErrorFcn(int frame, int first, int count, const tgVec3* residuals,
                                  float* errors, void* user);

typedef struct tgCorrectiveDef {
    tgFrames frames;
    float goal;      ///< every vertex is to be within it in every frame
    int targetCount; ///< so many targets whatever the error; 0: as few as keep the goal
    tgCorrectiveErrorFcn* measure;
    void* user;
} tgCorrectiveDef;

/// frame = sum over targets of weight times offsets.
typedef struct tgCorrectives {
    int targetCount; ///< 0 where nothing moves
    tgVec3* offsets; ///< vertexCount for each target
    double* weights; ///< targetCount for each frame
    float error;     ///< of the worst vertex in the worst frame
} tgCorrectives;

/// Needs memory; free it also on failure.
/// @param basis all 0 at first; kept, it spares the next fit of the same frames the most of its
/// work
tgResult tgFitCorrectives(const tgCorrectiveDef* def, tgFrameBasis* basis, tgCorrectives* fit,
                          tgError* error);
void tgFreeCorrectives(tgCorrectives* fit);

#endif
