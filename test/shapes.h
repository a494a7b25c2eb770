// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Small meshes with known volume, and rigs made of them.
#ifndef TURGOR_TEST_SHAPES_H
#define TURGOR_TEST_SHAPES_H

#include "turgor/turgor.h"

#include <stdlib.h>

/// A mesh with room for everything a rig definition points to.
typedef struct tgShape {
    int vertexCount, faceCount, cornerCount, jointCount, influencesPerVertex;
    tgVec3* positions;
    int* faceSizes;
    int* faceVertices;
    int* parents;
    tgMat34* restJoints;
    int* joints;
    float* weights;
} tgShape;

/// Empty arrays; `corners` is the sum of all face sizes. One joint at the origin carries it all.
tgShape tgMakeShape(int vertices, int faces, int corners);
void tgFreeShape(tgShape* shape);
tgRigDef tgShape_GetRigDef(const tgShape* shape);
/// Appends a face of 3 or 4 corners.
void tgShape_AddFace(tgShape* shape, int size, const int* corners);

tgShape tgMakeCube(bool quads);              ///< [0, 1]^3, outwards
tgShape tgMakeSphere(int around, int rings); ///< radius 1, triangles and quads
tgShape tgMakeTorus(int around, int tube);   ///< radii 2 and 0.5, quads
/// Quads round the x axis from 0 to `length`, radius 1, open at both ends, 2 bones of equal length;
/// weights go over smoothly between from and to, as a cubic step or as a ramp.
tgShape tgMakeTube(int around, int rings, float length, float from, float to, bool smooth);

/// The joints of a tube whose second bone is turned about z through its joint.
void tgBendTube(const tgShape* tube, float length, float offset, double angle, tgMat34 joints[2]);

#endif
