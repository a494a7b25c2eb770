// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Bodies and skeletons for automatic weights: tubes along a line, straight or bent back on
// themselves.
#ifndef TURGOR_TEST_BIND_SHAPES_H
#define TURGOR_TEST_BIND_SHAPES_H

#include "turgor/bind.h"

enum { tg_mostShapeJoints = 8 };

/// A mesh of triangles and quads with a skeleton.
typedef struct tgBindShape {
    int vertexCount, vertexRoom, faceCount, faceRoom, cornerCount;
    tgVec3* positions;
    int* faceSizes;
    int* corners;
    int jointCount;
    tgVec3 joints[tg_mostShapeJoints];
    tgVec3 tails[tg_mostShapeJoints]; ///< the joint's own place: none
    int parents[tg_mostShapeJoints];
} tgBindShape;

void tgFreeBindShape(tgBindShape* shape);
/// Points into the shape.
tgBindDef tgBindShape_GetDef(const tgBindShape* shape);
int tgBindShape_AddVertex(tgBindShape* shape, tgVec3 p);
/// @param d -1 for a triangle
void tgBindShape_AddFace(tgBindShape* shape, int a, int b, int c, int d);
void tgBindShape_AddJoint(tgBindShape* shape, int parent, tgVec3 p);

/// A place along a line at the fraction t of it; lies in the plane z = 0.
typedef tgVec3 tgLineFcn(float t, const void* user);
/// A closed tube of radius 1 with round ends, about `rings` rings of `around` vertices.
void tgBindShape_AddTube(tgBindShape* shape, tgLineFcn* line, const void* user, int around,
                         int rings);

/// Along x from -length / 2 to length / 2, three joints.
tgBindShape tgMakeCapsule(float length, int around, int rings);

/// Two arms along x, from 0 to -8, that touch but for a gap, joined by a half circle. The arm at y
/// > 0 is the first. Joints: 0 in the middle of the bend, 1 and 2 at both ends of the first arm, 3
/// and 4 at those of the second.
tgBindShape tgMakeHairpin(float gap, int around, int rings);
/// The same body, but the second arm and the bend are a tongue without bones: joints 0, 1, 2 go
/// along the first arm up to the bend.
tgBindShape tgMakeTongue(float gap, int around, int rings);

#endif
