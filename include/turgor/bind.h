// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file bind.h
/// Automatic skin weights: a mesh and a skeleton are enough. Takes seconds and memory; for set-up,
/// not for frames.
#ifndef TURGOR_BIND_H
#define TURGOR_BIND_H

#include "turgor/base.h"
#include "turgor/math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tgBindMethod {
    tg_bindGeodesic = 0, ///< distance through the inside of the body, then diffusion over the skin
    tg_bindDistance,     ///< a power of the distance to every bone that can be seen from the vertex
} tgBindMethod;

/// How the distance method tells whether the way from a vertex to a bone stays inside.
typedef enum tgInsideTest {
    tg_insideByRay = 0, ///< no face lies between
    tg_insideByNormal,  ///< the way is 45 degrees or more off the vertex normal; cheaper, blind to
                        ///< bends
} tgInsideTest;

/// Told now and then while the work goes on.
/// @param stage what is being done: "voxels", "distances", "weights"
typedef void tgBindProgressFcn(const char* stage, int done, int total, void* user);

/// A mesh and a skeleton in the same space. Start from tgDefaultBindDef(). All is only read.
typedef struct tgBindDef {
    tgVec3View positions;    ///< render vertices; those at one place get the same weights
    const int* faceVertices; ///< corners of all faces
    const int* faceSizes;    ///< corners of each face, 3 or more; NULL: all triangles
    int faceCount;
    tgVec3View jointPositions; ///< where each joint turns
    const int* jointParents;   ///< -1 for a root; any order
    int jointParentStride;     ///< bytes from one to the next; default sizeof(int)
    const tgVec3* jointTails;  ///< optional: where the bone of a joint without children ends; equal
                               ///< to the joint's position when that is not known
    tgBindMethod method;       ///< default tg_bindGeodesic
    int voxels;                ///< along the longest side of the body, 8 to 512; default 128
    int influencesPerVertex;   ///< the most joints of a vertex, 1 to 16; default 4
    float falloff;           ///< how sharply one bone gives way to the next, > 0. geodesic: 1, the
                             ///< heat a bone gives; distance: 4, the power. 0: the method's own
    bool useBoneLength;      ///< distance: longer bones reach further, as published; default false
    tgInsideTest insideTest; ///< distance: default tg_insideByRay
    tgBindProgressFcn* progress; ///< default NULL
    void* progressUser;
    int cookie; ///< set by tgDefaultBindDef, not by you
} tgBindDef;

/// Where a joint was found.
typedef enum tgJointPlace {
    tg_jointInside = 0,
    tg_jointSnapped, ///< outside, and brought to the nearest place inside for the weights
    tg_jointOutside, ///< outside with most of its bone; it takes no vertices
} tgJointPlace;

typedef struct tgBindJoint {
    tgJointPlace place;
    float snapDistance; ///< how far it was brought; 0 when it was not
    int vertexCount;    ///< render vertices that follow this joint most
} tgBindJoint;

/// The weights, and what was met on the way. Arrays live as long as the binding.
typedef struct tgBinding {
    int vertexCount;
    int influencesPerVertex;
    const int* influenceJoints;    ///< influencesPerVertex for each vertex, heaviest first
    const float* influenceWeights; ///< same shape, in [0, 1], each vertex sums to 1

    int jointCount;
    const tgBindJoint* joints;

    int weldedVertexCount;
    int islandCount;          ///< pieces of the mesh that share no vertex
    int followingIslandCount; ///< of those, pieces without bones that follow the skin they lie on
    int unreachedIslandCount; ///< pieces that no bone reached through the inside
    int unreachedVertexCount; ///< render vertices that were given the nearest bone instead
    int looseVertexCount;     ///< render vertices in no face; the same
    int insideCellCount;      ///< voxels inside the body
    float cellSize;           ///< side of a voxel
    float largestJump;        ///< the most that a weight changes along an edge
    const char* solver;       ///< "built-in" or "none"
    struct tgBindMemory* memory;
} tgBinding;

TG_API tgBindDef tgDefaultBindDef(void);
/// NULL on failure.
TG_API tgBinding* tgCreateBinding(const tgBindDef* def, tgError* error);
TG_API void tgDestroyBinding(tgBinding* binding); ///< NULL is fine
#ifdef __cplusplus
}
#endif

#endif
