// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume of a scene's mesh by a route of its own: welded by place, cut into triangles, holes
// closed by fans to the mean of their loop. Slow and plain, to judge importers by.
#ifndef TURGOR_TEST_MESH_VOLUME_H
#define TURGOR_TEST_MESH_VOLUME_H

#include "turgor/scene.h"

typedef struct tgTestMesh {
    int* welded; ///< for each vertex the first one at its place
    int triangleCount;
    int* triangles;
    int edgeCount;
    int* edges; ///< two for each hole's edge, as the faces beside it run
} tgTestMesh;

tgTestMesh tgMakeTestMesh(const tgScene* scene);
void tgFreeTestMesh(tgTestMesh* mesh);
double tgTestMesh_Measure(const tgTestMesh* mesh, const tgVec3* positions);

typedef struct tgVolumeRange {
    double lowest, highest; ///< of the bind volume, in percent
} tgVolumeRange;

/// Linear blend skinning over one animation at 30 frames a second, its end included. What the nodes
/// above the first joint scale is divided out.
tgVolumeRange tgMeasureAnimation(const tgScene* scene, int animation);

/// Which corner the fan of a polygon starts from. The published ranges were measured after Blender,
/// which cuts a quad from its first corner unless that leaves it, and clips larger polygons at
/// their first ear, which here is a fan from the second corner.
int tgChooseFanStart(const tgScene* scene, const int* corners, int size);

#endif
