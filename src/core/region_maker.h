// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the files that make regions share.
#ifndef TURGOR_CORE_REGION_MAKER_H
#define TURGOR_CORE_REGION_MAKER_H

#include "core/region.h"

typedef struct tgRegionMaker {
    const tgRegionSource* source;
    const tgLocalDef* def;
    tgScratch* scratch;
    tgRegions* out;
    int* vertexJoint;  ///< the joint that each vertex follows most
    int* faceJoint;    ///< the same for faces: triangles, caps included, then quads
    int* vertexRegion; ///< -1 for vertices without faces
    int* faceRegion;
    float* gamma; ///< of every vertex
    int* byJoint; ///< the settings' entry of each joint, + 1; 0 for none
} tgRegionMaker;

static inline int tgRegionMaker_TriangleCount(const tgRegionMaker* maker)
{
    return maker->source->mesh->triangleCount + maker->source->mesh->capTriangleCount;
}
static inline int tgRegionMaker_FaceCount(const tgRegionMaker* maker)
{
    return tgRegionMaker_TriangleCount(maker) + maker->source->mesh->quadCount;
}
/// Corners of face f of the numbering of faceJoint; how many come back in `count`.
static inline const int* tgRegionMaker_Corners(const tgRegionMaker* maker, int f, int* count)
{
    int triangles = tgRegionMaker_TriangleCount(maker);
    *count = f < triangles ? 3 : 4;
    return f < triangles ? maker->source->mesh->triangles + 3 * (size_t)f
                         : maker->source->mesh->quads + 4 * (size_t)(f - triangles);
}

/// region_map.c: fills gamma, and the regions' radii. False without memory.
bool tgFillRegionMap(tgRegionMaker* maker);
/// region_list.c: faces, takers, loops and joints of each region. False without memory.
bool tgListRegions(tgRegionMaker* maker);
/// region_rim.c: where regions meet. False without memory.
bool tgFindRims(tgRegionMaker* maker);

#endif
