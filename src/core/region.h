// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Regions: a mesh cut up by the joint that the skin follows most. Each vertex and each face is in
// exactly one. What the local method knows of them beforehand.
#ifndef TURGOR_CORE_REGION_H
#define TURGOR_CORE_REGION_H

#include "core/influence.h"
#include "core/kernels.h"
#include "core/mesh.h"
#include "core/paint.h"
#include "core/skeleton.h"
#include "turgor/volume.h"

/// The takers of a region that lie towards one other region; those that lie towards none are its
/// seam with itself.
typedef struct tgSeam {
    int across;
    int firstTaker, takerCount; ///< padded to tg_lane
} tgSeam;

/// One region of one connected piece of the mesh, or, in global scope, the whole piece. All "first"
/// are places in the arrays of tgRegions.
typedef struct tgRegion {
    int joint;         ///< that it follows most
    int anchor;        ///< some vertex of it
    float radius;      ///< distance of its farthest vertex to the bones
    double restVolume; ///< at rest, closed: six times the cones from tgGetApex, fans included
    int firstTriangle, triangleCount, ownTriangleCount; ///< its faces, then others round takers
    int firstQuad, quadCount, ownQuadCount;
    int firstSlot; ///< the triangles' gradient shares, the quads', the loops'
    int firstSeam, seamCount;
    int firstTaker, takerCount; ///< of all its seams
    int firstLoop, loopCount;   ///< boundary loops with a taker
    int firstRim, rimCount;     ///< vertices where it meets other regions
    int firstHinge, hingeCount; ///< points that its rim closes to
    int firstWall, wallCount;   ///< edges of its rim
    int firstPoint;             ///< in scratch memory: its rim, then its hinges or the carried rim
    int firstJoint, jointCount; ///< the others that its faces follow
} tgRegion;

typedef struct tgRegions {
    bool whole;  ///< global scope
    bool prisms; ///< of the losses
    int count;
    int triangleCount, quadCount, slotCount, seamCount, takerCount, loopCount, rimCount, hingeCount,
        wallCount, pointCount, jointCount;
    tgRegion* regions;
    int* triangles; ///< 3 for each
    int* quads;     ///< 4 for each
    tgSeam* seams;
    int* takers;    ///< vertices that may take a correction; padding repeats a seam's first
    float* map;     ///< how much of a step each taker may take; 0 in the padding
    float* gamma;   ///< the same over its area, so that meshes of any grain move alike
    float* shares;  ///< of its own region's step that it follows, 1/2 to 1; the rest is across
    int* slotStart; ///< takerCount + 1: places in slotList
    int* slotList;  ///< slots of a taker's corners, and of the loops it is on; each region from 0
    int* loops;
    int* rim;    ///< vertices
    int* hinges; ///< 2 joints for each: half way between them
    int* walls;  ///< 4 for each: quads over the region's points
    int* joints;
} tgRegions;

/// What regions are made from.
typedef struct tgRegionSource {
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgInfluences* influences; ///< of the render vertices
    const float* rest;              ///< 4 for each vertex, virtual ones in place
    float restDiagonal;
    const tgPaint* paint; ///< by the joint that a vertex follows most; NULL: none
    bool evenOut;
} tgRegionSource;

tgResult tgCheckLocalDef(const tgLocalDef* def, int jointCount, tgError* error);

/// Builds in scratch memory; false without any.
bool tgBuildRegions(const tgRegionSource* source, const tgLocalDef* def, tgScratch* scratch,
                    tgRegions* regions);

/// Places the arrays in an object's block and copies them there.
void tgRegions_Place(const tgRegions* built, tgLayout* layout, tgRegions* placed);

/// Where a region's cones have their apex: its joint. A whole piece is closed, so that any point
/// will do; a vertex of it is near.
/// @param origins of the joints, in the pose of `positions`
static inline tgVec3 tgGetApex(const tgRegions* regions, const tgRegion* region,
                               const float* positions, const tgVec3* origins)
{
    const float* p = positions + 4 * (size_t)region->anchor;
    return regions->whole ? tgMakeVec3(p[0], p[1], p[2]) : origins[region->joint];
}

/// Six times the volume of the cones over a region's own faces.
double tgMeasureCones(const tgKernels* kernels, const tgRegions* regions, const tgRegion* region,
                      const float* positions, const tgVec3* origins);
/// region_rim.c: the same over the fans that close it; 0 with prisms.
/// @param points scratch: 4 for each point of the regions
double tgMeasureFans(const tgKernels* kernels, const tgRegions* regions, const tgRegion* region,
                     const float* positions, const tgVec3* origins, float* points);
/// region_rim.c: the same over the side walls of its prisms, from its rim as carried by a motion to
/// its rim as posed.
double tgMeasureWalls(const tgKernels* kernels, const tgRegions* regions, const tgRegion* region,
                      const float* rest, const float* posed, const tgMat34d* motion,
                      const tgVec3* origins, float* points);

#endif
