// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Bodies of cubic cells about line segments: closed meshes of quads whose skeletons are known.
#ifndef TURGOR_TEST_CELL_BODY_H
#define TURGOR_TEST_CELL_BODY_H

#include "turgor/autorig.h"

#include <stdlib.h>

/// A round stick.
typedef struct tgStick {
    tgVec3 from, to;
    float radius;
} tgStick;

typedef struct tgCellBody {
    int vertexCount, faceCount;
    tgVec3* positions;
    int* corners;
    int* sizes;
} tgCellBody;

static inline float tgMeasureToStick(const tgStick* stick, tgVec3 p)
{
    tgVec3 along = tgSub(stick->to, stick->from), off = tgSub(p, stick->from);
    float square = tgDot(along, along);
    float t = square > 0.0f ? tgDot(off, along) / square : 0.0f;
    t = fminf(fmaxf(t, 0.0f), 1.0f);
    return tgDistance(p, tgMulAdd(stick->from, t, along)) - stick->radius;
}

/// Cells are `1 / perUnit` wide and stand symmetrically about x = 0. The cube is [-extent, extent].
static inline tgCellBody tgMakeCellBody(const tgStick* sticks, int stickCount, int perUnit,
                                        float extent)
{
    int n = 2 * (int)ceilf(extent * (float)perUnit) + 2;
    size_t cellCount = (size_t)n * (size_t)n * (size_t)n, cornerSide = (size_t)n + 1;
    unsigned char* isFull = calloc(cellCount, 1);
    int* cornerOf = malloc(cornerSide * cornerSide * cornerSide * sizeof(int));
    tgCellBody body = {0};
    for (size_t i = 0; i < cellCount; ++i) {
        int at[3] = {(int)(i % (size_t)n), (int)(i / (size_t)n % (size_t)n),
                     (int)(i / (size_t)n / (size_t)n)};
        tgVec3 p;
        float* place = &p.x;
        for (int k = 0; k < 3; ++k) {
            place[k] = ((float)(at[k] - n / 2) + 0.5f) / (float)perUnit;
        }
        for (int s = 0; s < stickCount && !isFull[i]; ++s) {
            isFull[i] = tgMeasureToStick(&sticks[s], p) < 0.0f;
        }
    }
    for (size_t i = 0; i < cornerSide * cornerSide * cornerSide; ++i) {
        cornerOf[i] = -1;
    }
    size_t room = 0;
    const size_t steps[3] = {1, (size_t)n, (size_t)n * (size_t)n};
    for (size_t i = 0; i < cellCount; ++i) {
        if (!isFull[i]) {
            continue;
        }
        int at[3] = {(int)(i % (size_t)n), (int)(i / (size_t)n % (size_t)n),
                     (int)(i / (size_t)n / (size_t)n)};
        for (int side = 0; side < 6; ++side) {
            int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
            bool isHigh = side % 2 == 1;
            if (isFull[isHigh ? i + steps[axis] : i - steps[axis]]) {
                continue;
            }
            if ((size_t)body.faceCount == room) {
                room = room > 0 ? 2 * room : 1024;
                body.corners = realloc(body.corners, 4 * room * sizeof(int));
                body.sizes = realloc(body.sizes, room * sizeof(int));
                body.positions = realloc(body.positions, 4 * room * sizeof(tgVec3));
            }
            for (int k = 0; k < 4; ++k) { // counter-clockwise seen from outside
                int turn = isHigh ? k : 3 - k;
                int corner[3] = {at[0], at[1], at[2]};
                corner[axis] += isHigh;
                corner[u] += turn == 1 || turn == 2;
                corner[v] += turn >= 2;
                size_t index = ((size_t)corner[2] * cornerSide + (size_t)corner[1]) * cornerSide +
                               (size_t)corner[0];
                if (cornerOf[index] < 0) {
                    cornerOf[index] = body.vertexCount;
                    body.positions[body.vertexCount++] =
                        tgMakeVec3((float)(corner[0] - n / 2) / (float)perUnit,
                                   (float)(corner[1] - n / 2) / (float)perUnit,
                                   (float)(corner[2] - n / 2) / (float)perUnit);
                }
                body.corners[4 * (size_t)body.faceCount + (size_t)k] = cornerOf[index];
            }
            body.sizes[body.faceCount++] = 4;
        }
    }
    free(isFull);
    free(cornerOf);
    return body;
}

static inline void tgFreeCellBody(tgCellBody* body)
{
    free(body->positions);
    free(body->corners);
    free(body->sizes);
}

static inline tgAutorigDef tgCellBody_GetDef(const tgCellBody* body)
{
    tgAutorigDef def = tgDefaultAutorigDef();
    def.positions = (tgVec3View){&body->positions->x, body->vertexCount, sizeof(tgVec3)};
    def.faceVertices = body->corners;
    def.faceSizes = body->sizes;
    def.faceCount = body->faceCount;
    return def;
}

#endif
