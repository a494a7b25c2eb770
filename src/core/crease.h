// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where skin can fold onto skin: at each joint that bends like a hinge, the vertices that could
// ever pass the plane which halves the angle between its two bones.
#ifndef TURGOR_CORE_CREASE_H
#define TURGOR_CORE_CREASE_H

#include "core/limb.h"

/// A vertex comes no nearer to the plane than this part of its height at rest, however wide the
/// gap: at rest nothing moves, and what starts on the plane may stay there.
#define TG_CREASE_NEAREST 0.5f
/// Skin closes on the plane, by degrees, from this part of its height at rest on.
#define TG_CREASE_CLOSES 0.9f

/// How near the plane a vertex may come that was so high at rest.
static inline float tgGetLeastHeight(float height, float gap)
{
    float nearest = TG_CREASE_NEAREST * height;
    return nearest < gap ? nearest : gap;
}

/// From so far above that on it closes on the plane.
static inline float tgGetClosingRange(float height, float radius)
{
    float range = TG_CREASE_CLOSES * height;
    return range < radius ? range : radius;
}

/// A vertex belongs to the bone that is nearer at rest: to the one on its side of the plane. Arrays
/// have one entry for each vertex, by rising onsets.
typedef struct tgCrease {
    int count;      ///< of vertices; 0: this joint cannot fold
    int* vertices;  ///< of the mesh
    float* sides;   ///< 1 with the joint's own bone, -1 with its carrier's
    float* heights; ///< over the plane at rest
    float* spans;   ///< from the joint along the plane at rest
    float* drifts;  ///< see tgLimb
    int* witnesses; ///< places in these arrays: itself, or, where it all but lies on the plane and
                    ///< cannot tell by its height whether skin meets there, one beside it that can
    float* onsets;  ///< sine of half the bend up to which it, and its witness, keep away
    tgPatch faces;  ///< that touch these vertices, over vertices of the whole mesh
} tgCrease;

typedef struct tgCreases {
    int count;         ///< as many as limbs; 0 without contact
    int most;          ///< vertices of one crease
    tgCrease* creases; ///< of each limb
} tgCreases;

/// False without memory.
/// @param gap between skin and skin, in limb radii
bool tgBuildCreases(const tgMesh* mesh, const tgSkeleton* skeleton, const tgLimbs* limbs,
                    const tgInfluences* influences, const float* rest, float gap,
                    tgScratch* scratch, tgCreases* creases);

void tgCreases_Place(const tgCreases* built, tgLayout* layout, tgCreases* placed);

#endif
