// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The last stage of the frame: vertex normals of the result.
#ifndef TURGOR_CORE_NORMALS_H
#define TURGOR_CORE_NORMALS_H

#include "core/kernels.h"
#include "core/mesh.h"
#include "core/parallel.h"

/// Which faces round a vertex smooth into one normal. Render vertices of one welded vertex with the
/// same rest normal share it (a texture seam); with different ones they do not (a hard edge). Goes
/// by skin element, see skin.h: the first normal of a vertex is its own element, further ones are
/// extra elements.
typedef struct tgNormalMap {
    int extraCount;
    int* extraVertices;   ///< the welded vertex of each extra element; only while building
    int* renderToElement; ///< one for each render vertex
    int* centers;         ///< 4 times the welded vertex of each element
    int* wedgeStart;      ///< of each two elements, and the end
    int* wedges;          ///< 6 for each: see tgNormalTask
    float* rest;          ///< 4 for each element: x, y, z, 0; the rest normals
    int reversedCount;
    int* reversed; ///< elements whose faces came looking inwards: their normals look there still
} tgNormalMap;

/// Finds the extra elements.
bool tgBuildNormalElements(const tgRigDef* def, const tgMesh* mesh, tgScratch* scratch,
                           tgNormalMap* map);
/// The rest, once the elements are numbered. Rest normals that the definition lacks are taken from
/// the rest shape.
/// @param rest 4 floats for each element: the rest positions, virtual ones in place
bool tgBuildNormals(const tgRigDef* def, const tgMesh* mesh, const float* rest, int extraStart,
                    int elementCount, tgScratch* scratch, tgNormalMap* map);

void tgNormalMap_Place(const tgNormalMap* built, int renderCount, int elementCount,
                       tgLayout* layout, tgNormalMap* placed);

/// @param positions 4 for each vertex
void tgRunNormals(const tgParallel* parallel, const tgKernels* kernels, const tgNormalMap* map,
                  const float* positions, float* normals, int elementCount);

#endif
