// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Tangents carried along by a deformation. Within a rest triangle with edges a and b a tangent is
// s a + t b (plus a part along the normal, which does not matter); the deformed triangle takes it
// to s A + t B. The vertex takes the mean over its faces by rest area.

#include "io/tangents.h"

#include <string.h>

/// Add what the triangle (v, next, last) makes of the tangent at v.
static void tgAddMovedTangent(const tgVec3* rest, const tgVec3* positions, const int corners[3],
                              const tgVec3* restTangents, tgVec3* moved)
{
    int v = corners[0];
    tgVec3 a = tgSub(rest[corners[1]], rest[v]), b = tgSub(rest[corners[2]], rest[v]);
    float aa = tgDot(a, a), ab = tgDot(a, b), bb = tgDot(b, b);
    float determinant = aa * bb - ab * ab; // the squared area, four times
    if (!(determinant > 1e-12f * aa * bb)) {
        return;
    }
    float ta = tgDot(restTangents[v], a), tb = tgDot(restTangents[v], b);
    // Divided by the determinant and times the area: once by its root.
    float scale = 1.0f / sqrtf(determinant);
    tgVec3 movedA = tgSub(positions[corners[1]], positions[v]);
    tgVec3 movedB = tgSub(positions[corners[2]], positions[v]);
    moved[v] = tgMulAdd(moved[v], scale * (ta * bb - tb * ab), movedA);
    moved[v] = tgMulAdd(moved[v], scale * (tb * aa - ta * ab), movedB);
}

void tgMoveTangents(const tgScene* scene, const tgMeshLayout* layout, const tgVec3* restTangents,
                    const tgVec3* positions, const tgVec3* normals, tgVec3* moved)
{
    memset(moved, 0, (size_t)scene->vertexCount * sizeof(*moved));
    for (int part = 0; part < layout->partCount; ++part) {
        int firstFace = layout->parts[part].firstFace;
        for (int f = firstFace; f < firstFace + layout->parts[part].faceCount; ++f) {
            const int* face = scene->faceVertices + layout->faceStarts[f];
            int size = layout->faceStarts[f + 1] - layout->faceStarts[f];
            for (int k = 0; k < size; ++k) {
                int corners[3] = {face[k], face[(k + 1) % size], face[(k + size - 1) % size]};
                tgAddMovedTangent(scene->positions, positions, corners, restTangents, moved);
            }
        }
    }
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 n = normals[v];
        tgVec3 flat = tgMulAdd(moved[v], -tgDot(moved[v], n), n);
        tgVec3 unit = tgNormalize(flat, restTangents[v]);
        moved[v] = tgIsFiniteVec3(unit) ? unit : restTangents[v];
    }
}
