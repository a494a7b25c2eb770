// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Painted gamma (2008 s.4): an artist says where skin may swell. What is painted multiplies every
// profile and every map.
#ifndef TURGOR_CORE_PAINT_H
#define TURGOR_CORE_PAINT_H

#include "core/mesh.h"
#include "turgor/turgor.h"

/// Paints of all joints; without any nothing is allocated and all of them are 1.
typedef struct tgPaint {
    int setCount;    ///< different paints; 0: nobody painted
    int vertexCount; ///< of the welded mesh
    float* sets;     ///< vertexCount for each
    int* jointSets;  ///< of each joint
    float* most;     ///< of each vertex: the largest of all sets
} tgPaint;

tgResult tgCheckPaint(const tgRigDef* def, tgError* error);
/// False without memory.
bool tgBuildPaint(const tgRigDef* def, const tgMesh* mesh, tgScratch* scratch, tgPaint* paint);
void tgPaint_Place(const tgPaint* built, int jointCount, tgLayout* layout, tgPaint* placed);

/// How much of a joint's correction a vertex may take.
static inline float tgPaint_Get(const tgPaint* paint, int joint, int vertex)
{
    if (paint->setCount == 0) {
        return 1.0f;
    }
    return paint
        ->sets[(size_t)paint->jointSets[joint] * (size_t)paint->vertexCount + (size_t)vertex];
}

/// How much of any correction it may take.
static inline float tgPaint_GetMost(const tgPaint* paint, int vertex)
{
    return paint->setCount > 0 ? paint->most[vertex] : 1.0f;
}

/// The first as a part of the second; 0 where both are.
static inline float tgPaint_GetPart(const tgPaint* paint, int joint, int vertex)
{
    float most = tgPaint_GetMost(paint, vertex);
    return most > 0.0f ? tgPaint_Get(paint, joint, vertex) / most : 0.0f;
}

#endif
