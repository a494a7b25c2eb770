// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character at many times: what a plain viewer makes of it, and by how much turgor's skin
// differs, told in the bind pose, where morph targets work.
#ifndef TURGOR_PLAY_CLIPS_H
#define TURGOR_PLAY_CLIPS_H

#include "core/mesh.h"
#include "core/parallel.h"
#include "play/preroll.h"

typedef struct tgClipSample {
    int animation; ///< -1: the file's own pose
    double time;
    bool isFrame; ///< one that turgor bake writes; else a key of the source
} tgClipSample;

typedef struct tgClips {
    const tgScene* viewer; ///< the character as a viewer has it
    const tgMesh* mesh;    ///< what encloses its volume
    tgParallel parallel;
    int sampleCount;
    tgClipSample* samples;
    tgMat34* palettes;   ///< viewer->jointCount for each sample: bind pose to model
    float* morphWeights; ///< viewer->morphCount for each sample
    tgVec3* offsets;     ///< vertexCount for each sample
    tgVec3* normals;     ///< the same, of unit normals; NULL: not wanted
    double* volumes;     ///< of each sample, to be kept; 0: there is none
    tgVec3* restNormals; ///< of the surface in the bind pose
    float* areas;        ///< of each vertex, in the bind pose
    float restDiagonal;  ///< of the bind pose
    float diagonal;      ///< the same at the size at which the character stands
} tgClips;

/// Room for samples of an open actor. Free it also on failure.
tgResult tgClips_Make(tgClips* clips, const tgScene* viewer, const tgActor* actor,
                      tgParallel parallel, int sampleCount, bool hasNormals, tgError* error);
void tgClips_Free(tgClips* clips);

/// The times of an animation: its frames, and keys of its channels in between.
/// @param samples NULL to count them
int tgListSamples(const tgRoll* roll, tgClipSample* samples);

/// Keep the actor's last frame, whose joints and morph weights the viewer has been asked for.
/// @param plain deformed alike without corrections, where morph targets change the normals; or NULL
void tgClips_Take(tgClips* clips, int sample, tgActor* actor, const tgActor* plain);
/// The viewer's joints as matrices for its vertices.
void tgClips_SetPalette(tgClips* clips, int sample, const tgMat34* joints);
/// After sample 0: how large the character stands.
void tgClips_MeasureSize(tgClips* clips);

/// The matrix that a viewer moves a vertex of the bind pose by.
tgMat34 tgClips_Blend(const tgClips* clips, int sample, int vertex);
/// The bind shape under the sample's morph weights.
/// @param scratch vertexCount entries, where morph targets are
const tgVec3* tgClips_GetShape(const tgClips* clips, int sample, tgVec3* scratch);

#endif
