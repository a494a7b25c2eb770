// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How thick the flesh under each vertex is, and how wide the air over it.
#ifndef TURGOR_CORE_THICKNESS_H
#define TURGOR_CORE_THICKNESS_H

#include "core/mesh.h"

/// One for each vertex, in scratch memory. The least that a vertex or one beside it sees: a ray
/// that leaves by the side of an ear does not make it thick.
typedef struct tgThickness {
    float* flesh; ///< against the normal, to the skin on the other side
    float* air;   ///< along the normal, to the next skin
} tgThickness;

/// @param rest 4 floats for each vertex
/// @param normals so, too; of any length
/// @param most what is thicker or wider counts as this
/// @return false without memory
bool tgMeasureThickness(const tgMesh* mesh, const float* rest, const float* normals, float most,
                        tgScratch* scratch, tgThickness* thickness);

#endif
