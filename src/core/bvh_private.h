// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the files of the tree of boxes share.
#ifndef TURGOR_CORE_BVH_PRIVATE_H
#define TURGOR_CORE_BVH_PRIVATE_H

#include "core/bvh.h"

/// No leaf lies deeper: see tgBvh_Build.
enum { tg_bvhDepth = 80 };

static inline void tgGetTriangle(const tgSurface* surface, int triangle, tgVec3 corners[3])
{
    for (int k = 0; k < 3; ++k) {
        corners[k] =
            tgVec3View_Get(surface->positions, surface->triangles[3 * (size_t)triangle + k]);
    }
}

#endif
