// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which way the faces of a scene look: by the sign of the volume that each piece of the mesh
// encloses in the bind pose, as the rig has it, and by its holes.

#include "facing.h"

#include "core/rig.h"

#include <stdlib.h>

static int tgGetComponent(const tgMesh* mesh, int vertex)
{
    return mesh->vertexComponent[mesh->renderToVertex[vertex]];
}

/// Six times the volume of the cone from the origin over a face.
static double tgGetCone(const int* corners, int size, const tgVec3* positions, tgVec3 origin)
{
    double sum = 0.0;
    tgVec3 a = tgSub(positions[corners[0]], origin);
    for (int k = 1; k + 1 < size; ++k) {
        tgVec3 b = tgSub(positions[corners[k]], origin);
        tgVec3 c = tgSub(positions[corners[k + 1]], origin);
        sum += (double)tgDot(a, tgCross(b, c));
    }
    return sum;
}

bool tgTurnOutwards(const tgRig* rig, const tgScene* scene, int* corners)
{
    const tgMesh* mesh = &rig->mesh;
    double* volumes = calloc((size_t)mesh->componentCount + 1, sizeof(double));
    if (volumes == NULL) {
        return false;
    }
    // About a point of the mesh: caps, which are not drawn, then matter little.
    tgVec3 origin = scene->positions[scene->faceVertices[0]];
    const int* from = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; from += scene->faceSizes[f++]) {
        volumes[tgGetComponent(mesh, from[0])] +=
            tgGetCone(from, scene->faceSizes[f], scene->positions, origin);
    }
    from = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; ++f) {
        int size = scene->faceSizes[f];
        bool isTurned = volumes[tgGetComponent(mesh, from[0])] < 0.0;
        for (int k = 0; k < size; ++k) {
            corners[k] = from[isTurned ? size - 1 - k : k];
        }
        from += size;
        corners += size;
    }
    free(volumes);
    return true;
}

bool tgFindOpenParts(const tgRig* rig, const tgScene* scene, bool* isOpen)
{
    const tgMesh* mesh = &rig->mesh;
    bool* hasHole = calloc((size_t)mesh->componentCount + 1, sizeof(bool));
    if (hasHole == NULL) {
        return false;
    }
    for (int i = 0; i < mesh->loopCount; ++i) {
        hasHole[mesh->vertexComponent[mesh->loopVertices[mesh->loopStart[i]]]] = true;
    }
    const int* corners = scene->faceVertices;
    int face = 0;
    for (int p = 0; p < scene->partCount; ++p) {
        isOpen[p] = false;
        int end = scene->parts[p].firstFace + scene->parts[p].faceCount;
        for (; face < end; corners += scene->faceSizes[face++]) {
            isOpen[p] |= hasHole[tgGetComponent(mesh, corners[0])];
        }
    }
    free(hasHole);
    return true;
}
