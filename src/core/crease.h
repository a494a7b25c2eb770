// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where skin can fold onto skin: at each joint that bends like a hinge, the vertices that could
// ever pass the plane which halves the angle between its two bones.
#ifndef TURGOR_CORE_CREASE_H
#define TURGOR_CORE_CREASE_H

#include "core/limb.h"

/// A vertex belongs to the bone that is nearer at rest: to the one on its side of the plane. Arrays
/// have one entry for each vertex.
typedef struct tgCrease {
    int count;      ///< of vertices; 0: this joint cannot fold
    int* vertices;  ///< of the mesh
    float* sides;   ///< 1 with the joint's own bone, -1 with its carrier's
    float* heights; ///< over the plane at rest
    float* spans;   ///< from the joint along the plane at rest
    float* drifts;  ///< see tgLimb
    int* witnesses; ///< places in these arrays: itself, or, where it all but lies on the plane and
                    ///< cannot tell by its height whether skin meets there, one beside it that can
    tgPatch faces;  ///< that touch these vertices, over vertices of the whole mesh
} tgCrease;

typedef struct tgCreases {
    int count;         ///< as many as limbs; 0 without contact
    int most;          ///< vertices of one crease
    tgCrease* creases; ///< of each limb
} tgCreases;

/// False without memory.
bool tgBuildCreases(const tgMesh* mesh, const tgSkeleton* skeleton, const tgLimbs* limbs,
                    const tgInfluences* influences, const float* rest, tgScratch* scratch,
                    tgCreases* creases);

void tgCreases_Place(const tgCreases* built, tgLayout* layout, tgCreases* placed);

#endif
