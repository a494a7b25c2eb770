// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the files that make regions share.
#ifndef TURGOR_CORE_REGION_MAKER_H
#define TURGOR_CORE_REGION_MAKER_H

#include "core/region.h"

#include <stdint.h>

typedef struct tgRegionMaker {
    const tgRegionSource* source;
    const tgLocalDef* def;
    tgScratch* scratch;
    tgRegions* out;
    int* vertexJoint;    ///< the joint that each vertex follows most
    int* faceJoint;      ///< the same for faces: triangles, caps included, then quads
    int* vertexRegion;   ///< -1 for vertices without faces, or of a piece without an inside
    int* faceRegion;     ///< -1 for those of such a piece
    const int64_t* keys; ///< of the regions: piece and joint, sorted
    float* map;          ///< of every vertex
    float* gamma;        ///< the same, evened out
    float* shares;       ///< of its own region's step that each vertex follows
    int* across;         ///< the region whose step the rest follows
    int* byJoint;        ///< the settings' entry of each joint, + 1; 0 for none
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

/// region.c: the region of a joint in the piece of a vertex; -1 for none.
int tgFindRegion(const tgRegionMaker* maker, int vertex, int joint);
/// region_map.c: fills map and gamma, and the regions' radii. False without memory.
bool tgFillRegionMap(tgRegionMaker* maker);
/// region_list.c: faces, takers, loops and joints of each region. False without memory.
bool tgListRegions(tgRegionMaker* maker);
/// region_rim.c: where regions meet. False without memory.
bool tgFindRims(tgRegionMaker* maker);

#endif
