// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The plane across which a body is its own mirror image.
#ifndef TURGOR_BIND_MIRROR_H
#define TURGOR_BIND_MIRROR_H

#include "bind/skin_net.h"
#include "turgor/autorig.h"

typedef struct tgMirror {
    bool isFound;
    tgVec3d normal; ///< unit; exactly an axis when it is near one
    double offset;  ///< normal . p on the plane; exactly 0 when it is near that
    double share;   ///< of the area that has its mirror image
} tgMirror;

static inline double tgMirror_Height(const tgMirror* mirror, tgVec3d p)
{
    return tgDotD(mirror->normal, p) - mirror->offset;
}

static inline tgVec3d tgMirror_Reflect(const tgMirror* mirror, tgVec3d p)
{
    return tgMulAddD(p, -2.0 * tgMirror_Height(mirror, p), mirror->normal);
}

static inline tgVec3d tgMirror_Flatten(const tgMirror* mirror, tgVec3d p)
{
    return tgMulAddD(p, -tgMirror_Height(mirror, p), mirror->normal);
}

/// @param up planes that stand upright are taken first; zero: not known
bool tgFindMirror(const tgSkinNet* net, tgSymmetry symmetry, tgVec3d up, tgScratch* scratch,
                  tgMirror* mirror);

#endif
