// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT

#include "bind_shapes.h"

#include <stdlib.h>
#include <string.h>

static const float tg_pi = 3.14159265f;
static const float tg_armLength = 8.0f;

enum { tg_endRings = 4 };

void tgFreeBindShape(tgBindShape* shape)
{
    free(shape->positions);
    free(shape->faceSizes);
    free(shape->corners);
    *shape = (tgBindShape){0};
}

tgBindDef tgBindShape_GetDef(const tgBindShape* shape)
{
    tgBindDef def = tgDefaultBindDef();
    def.positions = (tgVec3View){&shape->positions->x, shape->vertexCount, sizeof(tgVec3)};
    def.faceVertices = shape->corners;
    def.faceSizes = shape->faceSizes;
    def.faceCount = shape->faceCount;
    def.jointPositions = (tgVec3View){&shape->joints->x, shape->jointCount, sizeof(tgVec3)};
    def.jointParents = shape->parents;
    def.jointTails = shape->tails;
    return def;
}

int tgBindShape_AddVertex(tgBindShape* shape, tgVec3 p)
{
    if (shape->vertexCount == shape->vertexRoom) {
        shape->vertexRoom = 2 * shape->vertexRoom + 256;
        shape->positions = realloc(shape->positions, (size_t)shape->vertexRoom * sizeof(tgVec3));
    }
    shape->positions[shape->vertexCount] = p;
    return shape->vertexCount++;
}

void tgBindShape_AddFace(tgBindShape* shape, int a, int b, int c, int d)
{
    if (shape->faceCount == shape->faceRoom) {
        shape->faceRoom = 2 * shape->faceRoom + 256;
        shape->faceSizes = realloc(shape->faceSizes, (size_t)shape->faceRoom * sizeof(int));
        shape->corners = realloc(shape->corners, 4 * (size_t)shape->faceRoom * sizeof(int));
    }
    const int corners[4] = {a, b, c, d};
    int size = d >= 0 ? 4 : 3;
    memcpy(shape->corners + shape->cornerCount, corners, (size_t)size * sizeof(int));
    shape->cornerCount += size;
    shape->faceSizes[shape->faceCount++] = size;
}

void tgBindShape_AddJoint(tgBindShape* shape, int parent, tgVec3 p)
{
    shape->joints[shape->jointCount] = p;
    shape->tails[shape->jointCount] = p;
    shape->parents[shape->jointCount++] = parent;
}

/// A ring of vertices about a place; the first of them.
static int tgAddRing(tgBindShape* shape, tgVec3 center, tgVec3 along, float radius, int around)
{
    tgVec3 up = tgMakeVec3(0.0f, 0.0f, 1.0f);
    tgVec3 side = tgCross(up, along);
    int first = shape->vertexCount;
    for (int i = 0; i < around; ++i) {
        float angle = 2.0f * tg_pi * (float)i / (float)around;
        tgVec3 p = tgMulAdd(center, radius * cosf(angle), side);
        tgBindShape_AddVertex(shape, tgMulAdd(p, radius * sinf(angle), up));
    }
    return first;
}

static void tgJoinRings(tgBindShape* shape, int first, int second, int around)
{
    for (int i = 0; i < around; ++i) {
        int next = (i + 1) % around;
        tgBindShape_AddFace(shape, first + i, first + next, second + next, second + i);
    }
}

void tgBindShape_AddTube(tgBindShape* shape, tgLineFcn* line, const void* user, int around,
                         int rings)
{
    int before = -1, pole = -1;
    for (int i = -tg_endRings; i <= rings + tg_endRings; ++i) {
        // The round ends: rings that go out by sin and shrink by cos.
        int past = i < 0 ? i : i > rings ? i - rings : 0;
        float t = (float)(past != 0 ? (i < 0 ? 0 : rings) : i) / (float)rings;
        float angle = 0.5f * tg_pi * (float)past / (float)tg_endRings;
        tgVec3 along =
            tgNormalize(tgSub(line(t + 1e-3f, user), line(t - 1e-3f, user)), tgMakeVec3(1, 0, 0));
        tgVec3 center = tgMulAdd(line(t, user), sinf(angle), along);
        if (past == -tg_endRings || past == tg_endRings) {
            pole = tgBindShape_AddVertex(shape, center);
            for (int k = 0; past > 0 && k < around; ++k) {
                tgBindShape_AddFace(shape, before + k, before + (k + 1) % around, pole, -1);
            }
            continue;
        }
        int ring = tgAddRing(shape, center, along, cosf(angle), around);
        for (int k = 0; before < 0 && k < around; ++k) {
            tgBindShape_AddFace(shape, ring + (k + 1) % around, ring + k, pole, -1);
        }
        if (before >= 0) {
            tgJoinRings(shape, before, ring, around);
        }
        before = ring;
    }
}

static tgVec3 tgStraightLine(float t, const void* user)
{
    float length = *(const float*)user;
    return tgMakeVec3(length * (t - 0.5f), 0.0f, 0.0f);
}

tgBindShape tgMakeCapsule(float length, int around, int rings)
{
    tgBindShape shape = {0};
    tgBindShape_AddTube(&shape, tgStraightLine, &length, around, rings);
    tgBindShape_AddJoint(&shape, -1, tgMakeVec3(-0.5f * length, 0.0f, 0.0f));
    tgBindShape_AddJoint(&shape, 0, tgMakeVec3(0.0f, 0.0f, 0.0f));
    tgBindShape_AddJoint(&shape, 1, tgMakeVec3(0.5f * length, 0.0f, 0.0f));
    return shape;
}

/// Down the first arm, round the bend, back along the second. Goes on straight past its ends.
static tgVec3 tgHairpinLine(float t, const void* user)
{
    float radius = *(const float*)user;
    float length = t * (2.0f * tg_armLength + tg_pi * radius);
    if (length <= tg_armLength) {
        return tgMakeVec3(length - tg_armLength, radius, 0.0f);
    }
    length -= tg_armLength;
    if (length >= tg_pi * radius) {
        return tgMakeVec3(tg_pi * radius - length, -radius, 0.0f);
    }
    return tgMakeVec3(radius * sinf(length / radius), radius * cosf(length / radius), 0.0f);
}

tgBindShape tgMakeHairpin(float gap, int around, int rings)
{
    tgBindShape shape = {0};
    float radius = 1.0f + 0.5f * gap;
    tgBindShape_AddTube(&shape, tgHairpinLine, &radius, around, rings);
    tgBindShape_AddJoint(&shape, -1, tgMakeVec3(radius, 0.0f, 0.0f));
    tgBindShape_AddJoint(&shape, 0, tgMakeVec3(0.0f, radius, 0.0f));
    tgBindShape_AddJoint(&shape, 1, tgMakeVec3(-tg_armLength, radius, 0.0f));
    tgBindShape_AddJoint(&shape, 0, tgMakeVec3(0.0f, -radius, 0.0f));
    tgBindShape_AddJoint(&shape, 3, tgMakeVec3(-tg_armLength, -radius, 0.0f));
    return shape;
}

tgBindShape tgMakeTongue(float gap, int around, int rings)
{
    tgBindShape shape = {0};
    float radius = 1.0f + 0.5f * gap;
    tgBindShape_AddTube(&shape, tgHairpinLine, &radius, around, rings);
    tgBindShape_AddJoint(&shape, -1, tgMakeVec3(-tg_armLength, radius, 0.0f));
    tgBindShape_AddJoint(&shape, 0, tgMakeVec3(-0.5f * tg_armLength, radius, 0.0f));
    tgBindShape_AddJoint(&shape, 1, tgMakeVec3(0.0f, radius, 0.0f));
    return shape;
}
