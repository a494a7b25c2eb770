// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Volume: one sixth of det(a - o, b - o, c - o), summed over triangles; a quad is a bilinear patch,
// whose volume is the mean of its two triangulations. Gradient at a vertex: one sixth of the cross
// products round it.

#include "core/volume.h"

#include <string.h>

void tgPlaceCapCenter(const tgMesh* mesh, int loop, float* positions)
{
    int begin = mesh->loopStart[loop], end = mesh->loopStart[loop + 1];
    double sum[3] = {0.0, 0.0, 0.0};
    for (int i = begin; i < end; ++i) {
        const float* p = positions + 4 * (size_t)mesh->loopVertices[i];
        for (int axis = 0; axis < 3; ++axis) {
            sum[axis] += (double)p[axis];
        }
    }
    float* center = positions + 4 * (size_t)(mesh->vertexCount + loop);
    for (int axis = 0; axis < 3; ++axis) {
        center[axis] = (float)(sum[axis] / (end - begin));
    }
    center[3] = 0.0f;
}

void tgPlaceCapCenters(const tgMesh* mesh, float* positions)
{
    for (int l = 0; l < mesh->loopCount; ++l) {
        tgPlaceCapCenter(mesh, l, positions);
    }
}

tgVec3 tgGetCapGradient(const tgMesh* mesh, int loop, const float* positions)
{
    // A loop's fan has one triangle for each of its vertices, and stands where the loop does.
    int begin = mesh->loopStart[loop], end = mesh->loopStart[loop + 1];
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = begin; i < end; ++i) {
        const int* corners = mesh->triangles + 3 * (size_t)(mesh->triangleCount + i);
        const float* a = positions + 4 * (size_t)corners[0];
        const float* b = positions + 4 * (size_t)corners[1];
        const float* c = positions + 4 * (size_t)corners[2];
        tgVec3 ab = tgMakeVec3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
        tgVec3 ac = tgMakeVec3(c[0] - a[0], c[1] - a[1], c[2] - a[2]);
        sum = tgAdd(sum, tgCross(ab, ac));
    }
    return tgMulSV((float)1 / 6 / (float)(end - begin), sum);
}

static void tgMeanPoint(const tgMesh* mesh, const float* positions, double mean[3])
{
    memset(mean, 0, 3 * sizeof(double));
    for (int v = 0; v < mesh->vertexCount; ++v) {
        for (int axis = 0; axis < 3; ++axis) {
            mean[axis] += (double)positions[4 * (size_t)v + (size_t)axis];
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        mean[axis] /= mesh->vertexCount;
    }
}

/// det(a - o, b - o, c - o)
static double tgConeOver(const float* a, const float* b, const float* c, const double* o)
{
    double ax = (double)a[0] - o[0], ay = (double)a[1] - o[1], az = (double)a[2] - o[2];
    double bx = (double)b[0] - o[0], by = (double)b[1] - o[1], bz = (double)b[2] - o[2];
    double cx = (double)c[0] - o[0], cy = (double)c[1] - o[1], cz = (double)c[2] - o[2];
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

double tgTriangleCone(const int corners[3], const float* positions, const double origin[3])
{
    return tgConeOver(positions + 4 * (size_t)corners[0], positions + 4 * (size_t)corners[1],
                      positions + 4 * (size_t)corners[2], origin);
}

double tgQuadCone(const int corners[4], const float* positions, const double origin[3])
{
    const float* a = positions + 4 * (size_t)corners[0];
    const float* b = positions + 4 * (size_t)corners[1];
    const float* c = positions + 4 * (size_t)corners[2];
    const float* d = positions + 4 * (size_t)corners[3];
    return 0.5 * (tgConeOver(a, b, c, origin) + tgConeOver(a, c, d, origin) +
                  tgConeOver(a, b, d, origin) + tgConeOver(b, c, d, origin));
}

double tgVolume(const tgMesh* mesh, const float* positions)
{
    double origin[3];
    tgMeanPoint(mesh, positions, origin);
    double sum = 0.0;
    for (int t = mesh->looseTriangleCount; t < mesh->triangleCount + mesh->capTriangleCount; ++t) {
        sum += tgTriangleCone(mesh->triangles + 3 * (size_t)t, positions, origin);
    }
    for (int q = mesh->looseQuadCount; q < mesh->quadCount; ++q) {
        sum += tgQuadCone(mesh->quads + 4 * (size_t)q, positions, origin);
    }
    return sum / 6.0;
}

double tgQuickVolume(const tgKernels* kernels, const tgMesh* mesh, const float* positions,
                     tgVec3 apex)
{
    int loose = mesh->looseTriangleCount, looseQuads = mesh->looseQuadCount;
    return kernels->coneVolume(mesh->triangles + 3 * (size_t)loose,
                               mesh->triangleCount + mesh->capTriangleCount - loose,
                               mesh->quads + 4 * (size_t)looseQuads, mesh->quadCount - looseQuads,
                               positions, apex) /
           6.0;
}

typedef struct tgFaceLoop {
    const tgFaceTask* task;
    void (*kernel)(const tgFaceTask*, int, int);
} tgFaceLoop;

static void tgFaceBlock(int block, int begin, int end, void* context)
{
    (void)block;
    const tgFaceLoop* loop = context;
    loop->kernel(loop->task, begin, end);
}

void tgRunFaceSlots(const tgParallel* parallel, const tgKernels* kernels, const tgMesh* mesh,
                    const float* positions, float* slots)
{
    tgFaceTask task = {
        .triangles = mesh->triangles,
        .quads = mesh->quads,
        .positions = positions,
        .slots = slots,
        .triangleCount = mesh->triangleCount + mesh->capTriangleCount,
    };
    tgFaceLoop triangles = {&task, kernels->triangleSlots};
    tgFaceLoop quads = {&task, kernels->quadSlots};
    tgParallelBlocks(parallel, task.triangleCount, tgFaceBlock, &triangles);
    tgParallelBlocks(parallel, mesh->quadCount, tgFaceBlock, &quads);
}

/// A cap's middle is the mean of its loop, so each loop vertex moves it by one n-th.
void tgSpreadCapGradient(const tgMesh* mesh, float* gradient)
{
    for (int l = 0; l < mesh->loopCount; ++l) {
        int begin = mesh->loopStart[l], end = mesh->loopStart[l + 1];
        const float* center = gradient + 4 * (size_t)(mesh->vertexCount + l);
        float share = 1.0f / (float)(end - begin);
        for (int i = begin; i < end; ++i) {
            float* g = gradient + 4 * (size_t)mesh->loopVertices[i];
            for (int axis = 0; axis < 3; ++axis) {
                g[axis] += share * center[axis];
            }
        }
    }
}

/// Takes pieces without an inside out of a gradient.
static void tgDropLoose(const tgMesh* mesh, float* gradient)
{
    for (int v = 0; mesh->noInsideCount > 0 && v < mesh->vertexCount; ++v) {
        if (!tgMesh_HasInside(mesh, v)) {
            memset(gradient + 4 * (size_t)v, 0, 3 * sizeof(float));
        }
    }
}

void tgFillGradient(const tgParallel* parallel, const tgKernels* kernels, const tgMesh* mesh,
                    const float* positions, float* slots, float* gradient)
{
    tgRunFaceSlots(parallel, kernels, mesh, positions, slots);
    tgGatherTask gather = {
        .start = mesh->cornerStart, .slotList = mesh->cornerSlots, .slots = slots, .out = gradient};
    kernels->gatherList(&gather, 0, mesh->vertexCount + mesh->loopCount);
    tgDropLoose(mesh, gradient);
    tgSpreadCapGradient(mesh, gradient);
}
