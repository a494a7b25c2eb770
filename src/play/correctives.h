// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Corrective morph targets for a character's clips: few targets, and weights of them for every
// sample, with which a plain viewer shows the corrected skin and its exact volume.
#ifndef TURGOR_PLAY_CORRECTIVES_H
#define TURGOR_PLAY_CORRECTIVES_H

#include "io/correctives.h"
#include "play/clips.h"

#include <math.h>

/// Targets of one mesh. The first is constant: it has weight 1 in every sample.
typedef struct tgFittedMesh {
    int targetCount; ///< 0: nothing on it moves
    tgVec3* offsets; ///< vertexCount for each target
    tgVec3* normals; ///< the same; NULL: not wanted
    float* weights;  ///< targetCount for each sample of each node, 0 to 1
    float* slopes;   ///< the same: how the volume changes with the weight, in parts of it
    float* spans;    ///< of each target: what weight 1 stands for, in the fit's own measure
} tgFittedMesh;

typedef struct tgFitted {
    int meshCount;
    tgFittedMesh* meshes;
    int offsetExponent, normalExponent; ///< of the steps of offsets and normals
    float* errors;                      ///< of each sample: its worst vertex, in diagonals
    double* squares;                    ///< of each sample: the sum of all vertices' squares
    double* volumeErrors;               ///< of each sample: volume over what it should be, minus 1
    float worst;
    double worstVolume;
} tgFitted;

typedef struct tgFitOptions {
    float maxError;  ///< in diagonals
    int targetCount; ///< moving ones for each mesh; 0: as many as the error needs
    bool compress;   ///< on coarser grids, which compress better
} tgFitOptions;

/// Room for what a fit makes, without targets. Free it also on failure.
tgResult tgMakeFitted(const tgClips* clips, const tgShownMeshes* meshes, tgFitted* fitted,
                      tgError* error);
/// Targets of one mesh, all 0. False without memory.
/// @param rowCount samples of all its nodes
bool tgMakeFittedMesh(int targetCount, int vertexCount, int rowCount, bool hasNormals,
                      tgFittedMesh* mesh);

/// The vector to the nearest of a grid.
static inline tgVec3 tgRoundVector(tgVec3 p, float step)
{
    return tgMakeVec3(step * rintf(p.x / step), step * rintf(p.y / step), step * rintf(p.z / step));
}

/// Free it also on failure.
tgResult tgFitClips(const tgClips* clips, const tgShownMeshes* meshes, const tgFitOptions* options,
                    tgFitted* fitted, tgError* error);
void tgFreeFitted(tgFitted* fitted);

/// Targets of the mesh that has the most, with the constant one; 0 where there is none.
static inline int tgFitted_GetMost(const tgFitted* fitted)
{
    int most = 0;
    for (int m = 0; m < fitted->meshCount; ++m) {
        most = fitted->meshes[m].targetCount > most ? fitted->meshes[m].targetCount : most;
    }
    return most;
}

/// The same without it: those that move.
static inline int tgFitted_GetMostMoving(const tgFitted* fitted)
{
    int most = tgFitted_GetMost(fitted);
    return most > 0 ? most - 1 : 0;
}

/// Weights of one sample of one node.
static inline float* tgGetWeights(const tgFittedMesh* mesh, const tgClips* clips, int node,
                                  int sample)
{
    size_t row = (size_t)node * (size_t)clips->sampleCount + (size_t)sample;
    return mesh->weights + row * (size_t)mesh->targetCount;
}

/// Choose the weights nearest to those given for which the volume of what a viewer shows is what it
/// should be; and measure what that leaves.
tgResult tgKeepVolumes(const tgClips* clips, const tgShownMeshes* meshes, tgFitted* fitted,
                       tgError* error);

/// Measure alone: the weights stay.
tgResult tgMeasureVolumes(const tgClips* clips, const tgShownMeshes* meshes, tgFitted* fitted,
                          tgError* error);

/// Which samples of first to last are to be keys, so that straight lines between them stay within a
/// small part of the error. False without memory.
bool tgChooseKeys(const tgClips* clips, const tgShownMeshes* meshes, const tgFitted* fitted,
                  float maxError, int first, int last, bool* isKey);

#endif
