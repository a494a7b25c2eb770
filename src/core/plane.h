// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The planes between bodies whose skin can meet. A body is the skin that follows one joint most;
// two bodies that share weights have a plane between them, which lies across the transition of the
// weights. Made once, at creation; contact.c turns the planes with their bodies.
#ifndef TURGOR_CORE_PLANE_H
#define TURGOR_CORE_PLANE_H

#include "core/influence.h"
#include "core/mesh.h"
#include "core/parts.h"
#include "core/skeleton.h"

/// In the bind pose.
typedef struct tgPlane {
    int bodies[2]; ///< joints; the normal points to the side of the first
    int joint;     ///< of the two the one that is farther from the root: its turn moves the plane
    float radius;  ///< of the limb there
    tgVec3 place;  ///< a point of the plane: the joint that the bodies turn about
    tgVec3 middle; ///< of the skin that both share
    tgVec3 normal; ///< unit vector
    int first;     ///< of its vertices
    int count;
} tgPlane;

/// Vertices at planes, plane by plane, in each by chunk and rising onset; one array for each
/// number. Lengths are those of the bind pose.
typedef struct tgPlaneVertices {
    int* vertex;
    float* side;                  ///< at rest: 1 with the first body, -1 with the second
    float* mix;                   ///< weight of the first body over that of both
    float* least;                 ///< height over the plane that it keeps
    float* soft;                  ///< so much higher it begins to give way
    float* overNear;              ///< 1 over the height from which on it is as free as ever
    float* share;                 ///< 0 to 1: how much the plane concerns it
    float* own;                   ///< the same of what belongs to the two bodies themselves
    float *areaX, *areaY, *areaZ; ///< dV/dp at rest
    float* onset;                 ///< sine of half the bend up to which the plane leaves it alone
} tgPlaneVertices;

typedef struct tgPlanes {
    int count;
    tgPlane* planes;
    int vertexCount; ///< of all planes
    tgPlaneVertices vertices;
    tgParts parts; ///< of the planes' lists of vertices
    float* onsets; ///< of each part: the least
} tgPlanes;

/// Skin nearer to its plane than this, in limb radii, is less free for the stages that follow. It
/// is in the crease when so far on the inner side, times the sine of half the bend: the inner skin
/// of a limb that is bent by 35 degrees.
#define TG_PLANE_NEAR 0.3f
/// Planes hold the inner side of a bend, and from 0.2 to 0.6 radii u on the outer side less and
/// less: elbows would grow spikes. What a smoothstep is taken of.
#define TG_PLANE_INNER_AT    1.5f
#define TG_PLANE_INNER_SLOPE 2.5f
#define TG_PLANE_INNER(u)    (TG_PLANE_INNER_AT + TG_PLANE_INNER_SLOPE * (u))
/// Bones that fold flat onto each other have no plane between them: it fades as the cosine of half
/// the bend goes from the first to the second.
#define TG_PLANE_FOLDED 0.25f
#define TG_PLANE_FLAT   0.1f

/// Builds in scratch memory; false without any.
/// @param rest 4 floats for each vertex
/// @param gap to leave between skin and skin, in limb radii
bool tgBuildPlanes(const tgMesh* mesh, const tgSkeleton* skeleton, const tgInfluences* influences,
                   const float* rest, float gap, tgScratch* scratch, tgPlanes* planes);

/// Sine of half the bend up to which a vertex stays higher than `near`. Turned about the plane's
/// place by half the bend t it is no lower than h cos t - span sin t, which falls to `near` where
/// cos(t + phi) = near / sqrt(h^2 + span^2), tan phi = span / h.
float tgGetOnset(float height, float span, float near);

void tgPlanes_Place(const tgPlanes* built, tgLayout* layout, tgPlanes* placed);

#endif
