// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Wrinkles (the third layer of 2005): waves of the bind shape where a joint compresses skin.
#ifndef TURGOR_CORE_WRINKLE_H
#define TURGOR_CORE_WRINKLE_H

#include "core/influence.h"
#include "core/limb.h"
#include "core/mat34d.h"
#include "core/parallel.h"
#include "turgor/wrinkles.h"

/// A vertex in the bind pose. W is the weight of the joint and all that it carries.
typedef struct tgWrinkleVertex {
    int vertex;
    float weight; ///< W
    float slope;  ///< dW along d
    float wave;   ///< of a wave of amplitude 1 in lengths over 2 pi: where it stands in the wave,
                  ///< faded out at the ends
    tgVec3 place; ///< x
    tgVec3 along; ///< d: along the limb, in the skin; a unit vector
    tgVec3 up;    ///< n: the skin's normal
    tgVec3 out;   ///< from the middle of the limb, in radii
} tgWrinkleVertex;

/// Wrinkles of one joint.
typedef struct tgWrinkleJoint {
    tgWrinkleInfo info;
    int joint, carrier; ///< that turn against each other
    tgWrinkleSide side;
    float depth;       ///< the most, times the wave number; infinity for no end
    tgVec3 axis, bone; ///< unit vectors along the limb, and along the bone that turns
    float waveLength;  ///< at rest, over 2 pi: 1 over the wave number
    int first, count;  ///< of its vertices
} tgWrinkleJoint;

typedef struct tgWrinkles {
    int count;
    tgWrinkleJoint* joints;
    int vertexCount;
    tgWrinkleVertex* vertices; ///< joint by joint; of one joint each vertex once
} tgWrinkles;

/// What is read once.
typedef struct tgWrinkleSource {
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgInfluences* influences; ///< of the render vertices
    const float* rest;              ///< 4 for each vertex
    float diagonal;
} tgWrinkleSource;

tgResult tgCheckWrinkles(const tgRigDef* def, tgError* error);
/// wrinkle_build.c. False without memory.
bool tgBuildWrinkles(const tgWrinklesDef* def, const tgWrinkleSource* source, tgScratch* scratch,
                     tgWrinkles* wrinkles);
void tgWrinkles_Place(const tgWrinkles* built, tgLayout* layout, tgWrinkles* placed);

/// How a joint stands against its carrier: x goes to rotation x + shift, both in the bind pose.
typedef struct tgWrinkleTurn {
    float linear[3][3]; ///< by columns
    tgVec3 shift;
    tgVec3 inner; ///< unit vector to the side the bone bends to; 0 for none
} tgWrinkleTurn;

/// How far a vertex is compressed along the limb, as a part of its length; negative: stretched.
float tgGetCompression(const tgWrinkleVertex* vertex, const tgWrinkleTurn* turn);
/// Amplitude times wave number at rest of waves that take up a compression.
float tgGetWaveSteepness(float compression);

typedef struct tgWrinkleTask {
    const tgWrinkles* wrinkles;
    const tgMat34d* skinMatrices; ///< of each joint since the bind pose
    const tgParallel* parallel;
    const float* rest; ///< what is wrinkled; 4 for each element
    float* shaped;     ///< out; may be `rest`
    int elementCount;
    tgWrinkleTurn* turns;        ///< scratch, of each joint with wrinkles
    const tgWrinkleJoint* joint; ///< scratch: the one at hand
} tgWrinkleTask;

/// Before skinning: waves of the bind shape.
/// @return false where no joint turns; `shaped` is not filled in then
bool tgWrinkleRest(tgWrinkleTask* task);

#endif
