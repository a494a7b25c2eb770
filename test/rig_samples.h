// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Rigged characters whose skeletons are forgotten and found again, and what their artists did.
#ifndef TURGOR_TEST_RIG_SAMPLES_H
#define TURGOR_TEST_RIG_SAMPLES_H

#include "turgor/autorig.h"
#include "turgor/io.h"

typedef struct tgRigSample {
    const char* file;        ///< an asset, or an embedded model when it has no ending
    const char* extremities; ///< joints; "a|b" is one that either stands for
    const char* hinges;      ///< knees, elbows, wrists, ankles
    const char* ignored;     ///< beginnings of names: joints that no body plan has, as of a face
    int extraTips;           ///< that stick out but have no joint: ears, horns, tusks
} tgRigSample;

extern const tgRigSample tg_rigSamples[];
extern const int tg_rigSampleCount;
/// Not used while the proportions were measured.
extern const tgRigSample tg_unseenSamples[];
extern const int tg_unseenSampleCount;

/// NULL when the file is not there; one that is must load.
tgScene* tgLoadRigSample(const tgRigSample* sample);
/// A definition that points into the scene; the skin is ignored.
tgAutorigDef tgGetAutorigDef(const tgScene* scene);

/// Distances from the artist's joints to ours.
typedef struct tgRigScore {
    int extremityCount, foundCount, falseCount;
    int jointCount, hingeCount;
    double* distances;      ///< in bone lengths
    double* curveDistances; ///< from the curve, in its radii
    double* hingeDistances;
    char missed[256];
} tgRigScore;

/// The distances are in memory of the caller: room for `room` of each.
void tgScoreRig(const tgRigSample* sample, const tgScene* scene, const tgAutorig* rig,
                tgRigScore* score, int room);
double tgGetQuantile(double* values, int count, double part); ///< sorts them

/// Faces that 60 degree bends turn over, by joints that move the same skin.
typedef struct tgBendScore {
    int pairCount;
    int artistFlips, ownFlips;
} tgBendScore;
/// @param own the same mesh with our skeleton and weights
tgBendScore tgScoreBends(const tgScene* artist, const tgScene* own);

/// The mesh of a scene with the found skeleton and weights for it. It points into the scene.
/// @param outsideCount joints that the binding found outside the skin
tgScene* tgBindSample(const tgScene* scene, const tgAutorig* rig, int* outsideCount);

#endif
