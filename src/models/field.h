// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The shape of a character before it is a mesh: chains of swept spheres whose union is smooth. A
// signed field, negative inside, with its gradient.
#ifndef TURGOR_MODELS_FIELD_H
#define TURGOR_MODELS_FIELD_H

#include "turgor/math.h"

enum { tg_maxChainKeys = 12, tg_maxChainJoints = 12 };

/// A sphere that a chain passes through.
typedef struct tgChainKey {
    tgVec3 position;
    float radius; ///< 0 ends the list
} tgChainKey;

/// Spheres swept along a smooth curve: a limb, a torso, an ear. Written as a constant table.
typedef struct tgChainDef {
    tgChainKey keys[tg_maxChainKeys]; ///< 1 or more; a radius of 0 ends the list
    float blend;        ///< width of the smooth union with all chains before this one; 0: a crease
    float flatten;      ///< thickness along flattenAxis over the radius; 0 counts as 1, round
    tgVec3 flattenAxis; ///< unit
    float thickness; ///< half of it, for a plate across flattenAxis with an even, round rim, such
                     ///< as an ear; 0 for a solid
    bool mirrored;   ///< a twin stands at -x
    bool revolved;   ///< the keys, at x >= 0 and z = 0, are turned about the y axis: a ring, a cap
    const char* joints[tg_maxChainJoints]; ///< that move it, root to tip; NULL ends the list
    tgVec3 tail; ///< where the last joint's bone ends; all zero: at the last key
    float ramp;  ///< length of the weights' transition at each joint
    float reach; ///< how far the weights run over into a neighbouring chain
} tgChainDef;

/// One swept sphere with linear radius, in its chain's stretched space.
typedef struct tgCone {
    tgVec3 start, axis;               ///< axis has unit length
    float length, startRadius, slope; ///< radius at t is startRadius + slope * t
    float lean;               ///< how far along the foot of a point moves for each unit away
    float startHeight, climb; ///< of a plate's middle along flattenAxis
    tgVec3 middle;
    float boundRadius;
} tgCone;

typedef struct tgChain {
    int firstCone, coneCount;
    float blend;
    tgVec3 flattenAxis;
    float stretch;   ///< 1 / flatten - 1; -1 for a plate, which is projected
    float thickness; ///< of a plate; 0 for a solid
    float rimRadius; ///< of a plate before it was thickened: it grows outwards from a fixed middle,
                     ///< so that a vertex keeps its place on the rim when it is thinned again
    tgVec3 middle;   ///< of a ball around it, not stretched
    float boundRadius;
    bool mirrored;
    bool revolved;
} tgChain;

typedef struct tgField {
    tgChain* chains;
    int chainCount;
    tgCone* cones;
    int coneCount;
    bool hasGround;    ///< cut off flat at y = 0
    float groundBlend; ///< roundness of that edge
    tgVec3 min, max;   ///< a box around it all
} tgField;

/// Value and gradient; the gradient is close to unit length near the surface.
typedef struct tgFieldSample {
    float value; ///< distance, negative inside
    tgVec3 gradient;
} tgFieldSample;

/// @param minRadius thinner places are thickened to this, so that a coarse grid does not lose them
/// @param groundBlend cut off flat at y = 0 with an edge so round, in heights of it; 0: not cut
/// @return false when there is no memory
bool tgField_Create(tgField* field, const tgChainDef* chains, int chainCount, float minRadius,
                    float groundBlend);
void tgField_Destroy(tgField* field);

tgFieldSample tgField_Sample(const tgField* field, tgVec3 p);

/// Distance to one chain alone, or about `limit` when it is farther away than that. A mirrored
/// one's twin is asked for with the mirrored point.
tgFieldSample tgField_SampleChain(const tgField* field, int chain, tgVec3 p, float limit);

#endif
