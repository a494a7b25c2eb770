// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which skin the bones may move, found at creation.
#ifndef TURGOR_CORE_BONE_SKIN_H
#define TURGOR_CORE_BONE_SKIN_H

#include "core/boneshape.h"

typedef struct tgBoneSkinMaker {
    tgBones* bones; ///< the bones are there; gets hinges and skin
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgInfluences* influences;
    const float* rest; ///< 4 for each element
    tgScratch* scratch;

} tgBoneSkinMaker;

/// False without memory.
bool tgBuildBoneSkin(tgBoneSkinMaker* maker);

static inline tgVec3 tgMulPointD(const tgMat34d* m, tgVec3 p)
{
    double x = (double)p.x, y = (double)p.y, z = (double)p.z;
    double out[3];
    for (int i = 0; i < 3; ++i) {
        out[i] = m->c[0][i] * x + m->c[1][i] * y + m->c[2][i] * z + m->c[3][i];
    }
    return tgMakeVec3((float)out[0], (float)out[1], (float)out[2]);
}

static inline tgSurface tgBone_GetSurface(const tgBone* bone)
{
    tgSurface surface = {
        .positions = {&bone->positions->x, bone->vertexCount, sizeof(tgVec3)},
        .triangles = bone->triangles,
        .triangleCount = bone->triangleCount,
    };
    return surface;
}

#endif
