// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Small meshes with known volume, and rigs made of them.

#include "shapes.h"

#include <math.h>

static const double tg_pi = 3.14159265358979323846;

tgShape tgMakeShape(int vertices, int faces, int corners)
{
    tgShape shape = {.vertexCount = vertices, .jointCount = 1, .influencesPerVertex = 1};
    shape.positions = calloc((size_t)vertices, sizeof(tgVec3));
    shape.faceSizes = calloc((size_t)faces, sizeof(int));
    shape.faceVertices = calloc((size_t)corners, sizeof(int));
    shape.parents = calloc(2, sizeof(int));
    shape.restJoints = calloc(2, sizeof(tgMat34));
    shape.joints = calloc(2 * (size_t)vertices, sizeof(int));
    shape.weights = calloc(2 * (size_t)vertices, sizeof(float));
    shape.parents[0] = -1;
    shape.restJoints[0] = shape.restJoints[1] = tgIdentityMat34();
    for (int v = 0; v < vertices; ++v) {
        shape.weights[v] = 1.0f;
    }
    return shape;
}

void tgFreeShape(tgShape* shape)
{
    free(shape->positions);
    free(shape->faceSizes);
    free(shape->faceVertices);
    free(shape->parents);
    free(shape->restJoints);
    free(shape->joints);
    free(shape->weights);
}

tgRigDef tgShape_GetRigDef(const tgShape* shape)
{
    tgRigDef def = tgDefaultRigDef();
    def.restPositions = (tgVec3View){&shape->positions->x, shape->vertexCount, sizeof(tgVec3)};
    def.faceVertices = shape->faceVertices;
    def.faceSizes = shape->faceSizes;
    def.faceCount = shape->faceCount;
    def.jointParents = shape->parents;
    def.restJoints = shape->restJoints;
    def.jointCount = shape->jointCount;
    def.influencesPerVertex = shape->influencesPerVertex;
    def.influenceJoints = shape->joints;
    def.influenceWeights = shape->weights;
    return def;
}

void tgShape_AddFace(tgShape* shape, int size, const int* corners)
{
    shape->faceSizes[shape->faceCount++] = size;
    for (int k = 0; k < size; ++k) {
        shape->faceVertices[shape->cornerCount++] = corners[k];
    }
}

tgShape tgMakeCube(bool quads)
{
    static const int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    tgShape cube = tgMakeShape(8, 12, 36);
    for (int v = 0; v < 8; ++v) {
        cube.positions[v] = tgMakeVec3((float)(v & 1), (float)(v >> 1 & 1), (float)(v >> 2 & 1));
    }
    for (int s = 0; s < 6; ++s) {
        if (quads) {
            tgShape_AddFace(&cube, 4, sides[s]);
        } else {
            const int first[3] = {sides[s][0], sides[s][1], sides[s][2]};
            const int second[3] = {sides[s][0], sides[s][2], sides[s][3]};
            tgShape_AddFace(&cube, 3, first);
            tgShape_AddFace(&cube, 3, second);
        }
    }
    return cube;
}

tgShape tgMakeSphere(int around, int rings)
{
    int bottom = around * rings, top = bottom + 1;
    tgShape sphere =
        tgMakeShape(around * rings + 2, around * (rings + 1), 4 * around * (rings + 1));
    for (int i = 0; i < rings; ++i) {
        double latitude = tg_pi * ((i + 1.0) / (rings + 1.0) - 0.5);
        for (int k = 0; k < around; ++k) {
            double longitude = 2.0 * tg_pi * k / around;
            sphere.positions[i * around + k] =
                tgMakeVec3((float)(cos(latitude) * cos(longitude)),
                           (float)(cos(latitude) * sin(longitude)), (float)sin(latitude));
        }
    }
    sphere.positions[bottom] = tgMakeVec3(0.0f, 0.0f, -1.0f);
    sphere.positions[top] = tgMakeVec3(0.0f, 0.0f, 1.0f);
    for (int k = 0; k < around; ++k) {
        int next = (k + 1) % around, last = (rings - 1) * around;
        const int low[3] = {bottom, next, k};
        const int high[3] = {top, last + k, last + next};
        tgShape_AddFace(&sphere, 3, low);
        tgShape_AddFace(&sphere, 3, high);
        for (int i = 0; i + 1 < rings; ++i) {
            const int side[4] = {i * around + k, i * around + next, (i + 1) * around + next,
                                 (i + 1) * around + k};
            tgShape_AddFace(&sphere, 4, side);
        }
    }
    return sphere;
}

tgShape tgMakeTorus(int around, int tube)
{
    tgShape torus = tgMakeShape(around * tube, around * tube, 4 * around * tube);
    for (int i = 0; i < around; ++i) {
        double u = 2.0 * tg_pi * i / around;
        for (int k = 0; k < tube; ++k) {
            double v = 2.0 * tg_pi * k / tube, r = 2.0 + 0.5 * cos(v);
            torus.positions[i * tube + k] =
                tgMakeVec3((float)(r * cos(u)), (float)(r * sin(u)), (float)(0.5 * sin(v)));
            int in = (i + 1) % around, kn = (k + 1) % tube;
            const int side[4] = {i * tube + k, in * tube + k, in * tube + kn, i * tube + kn};
            tgShape_AddFace(&torus, 4, side);
        }
    }
    return torus;
}

tgShape tgMakeTube(int around, int rings, float length, float from, float to, bool smooth)
{
    tgShape tube = tgMakeShape(around * rings, around * (rings - 1), 4 * around * (rings - 1));
    tube.jointCount = 2;
    tube.influencesPerVertex = 2;
    tube.parents[1] = 0;
    tube.restJoints[1].origin.x = 0.5f * length;
    for (int i = 0; i < rings; ++i) {
        float x = length * (float)i / (float)(rings - 1);
        float t = fminf(fmaxf((x - from) / (to - from), 0.0f), 1.0f);
        float w = smooth ? t * t * (3.0f - 2.0f * t) : t;
        for (int k = 0; k < around; ++k) {
            int v = i * around + k, next = i * around + (k + 1) % around;
            double angle = 2.0 * tg_pi * k / around;
            tube.positions[v] = tgMakeVec3(x, (float)cos(angle), (float)sin(angle));
            tube.joints[2 * v + 1] = 1;
            tube.weights[2 * v] = 1.0f - w;
            tube.weights[2 * v + 1] = w;
            if (i + 1 < rings) {
                const int side[4] = {v, next, next + around, v + around};
                tgShape_AddFace(&tube, 4, side);
            }
        }
    }
    return tube;
}

void tgBendTube(const tgShape* tube, float length, float offset, double angle, tgMat34 joints[2])
{
    (void)tube;
    joints[0] = tgIdentityMat34();
    joints[0].origin.y = offset;
    joints[1] = tgIdentityMat34();
    joints[1].x = tgMakeVec3((float)cos(angle), (float)sin(angle), 0.0f);
    joints[1].y = tgMakeVec3((float)-sin(angle), (float)cos(angle), 0.0f);
    joints[1].origin = tgMakeVec3(0.5f * length, offset, 0.0f);
}
