// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Faces that a deformation turned inside out.
#ifndef TURGOR_PLAY_FLIPS_H
#define TURGOR_PLAY_FLIPS_H

#include "turgor/scene.h"

/// Knows which way every face should look: its rest normal, turned by the joints of its corners.
typedef struct tgFlipCounter {
    const tgScene* scene;
    tgQuat* turns;   ///< of each joint since the bind pose
    tgVec3* normals; ///< of each face in this pose; as long as its rest area
} tgFlipCounter;

tgResult tgOpenFlipCounter(const tgScene* scene, tgFlipCounter* counter, tgError* error);
void tgCloseFlipCounter(tgFlipCounter* counter);

/// The pose to count in from here on: joint to model.
void tgFlipCounter_SetPose(tgFlipCounter* counter, const tgMat34* joints);
/// Faces that look away from there.
/// @param positions of all the scene's vertices in this pose
int tgFlipCounter_Count(const tgFlipCounter* counter, const tgVec3* positions);
/// The same; which ones, faceCount marks of 0 or 1.
int tgFlipCounter_Mark(const tgFlipCounter* counter, const tgVec3* positions, uint8_t* marks);

#endif
