// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skins without any symmetry, and their volume by a route of its own, in double.
#ifndef TURGOR_TEST_RANDOM_SKIN_H
#define TURGOR_TEST_RANDOM_SKIN_H

#include "check.h"
#include "random.h"
#include "shapes.h"

static inline tgVec3 tgRandomVec3(unsigned* seed)
{
    float x = (float)tgNextSigned(seed), y = (float)tgNextSigned(seed);
    return tgMakeVec3(x, y, (float)tgNextSigned(seed));
}

typedef enum tgFaceKinds { tg_trianglesOnly, tg_quadsOnly, tg_facesMixed } tgFaceKinds;

typedef struct tgRandomDef {
    unsigned seed;
    int around, rings;
    bool isOpen; ///< else the ends are closed by fans
    tgFaceKinds faces;
    int jointCount, influences; ///< influences of most vertices; every third follows one joint
} tgRandomDef;

static inline void tgAddSide(tgShape* shape, const int c[4], bool isQuad)
{
    if (isQuad) {
        tgShape_AddFace(shape, 4, c);
    } else {
        const int two[6] = {c[0], c[1], c[2], c[0], c[2], c[3]};
        tgShape_AddFace(shape, 3, two);
        tgShape_AddFace(shape, 3, two + 3);
    }
}

/// Any tree of joints along the x axis, any weights.
static inline void tgGiveRandomJoints(tgShape* shape, const tgRandomDef* def, unsigned* seed)
{
    size_t all = (size_t)shape->vertexCount * (size_t)def->influences;
    size_t joints = (size_t)def->jointCount;
    shape->jointCount = def->jointCount;
    shape->influencesPerVertex = def->influences;
    shape->parents = realloc(shape->parents, joints * sizeof(int));
    shape->restJoints = realloc(shape->restJoints, joints * sizeof(tgMat34));
    shape->joints = realloc(shape->joints, all * sizeof(int));
    shape->weights = realloc(shape->weights, all * sizeof(float));
    for (int j = 0; j < def->jointCount; ++j) {
        tgVec3 axis = tgNormalize(tgRandomVec3(seed), tgMakeVec3(1, 0, 0));
        tgTransform t = {tgMulSV(0.3f, tgRandomVec3(seed)), tgMakeQuat(axis, 1.0f), {1, 1, 1}};
        t.position.x += 6.0f * ((float)j + 0.5f) / (float)def->jointCount;
        shape->restJoints[j] = tgMakeMat34(t);
        int up = (int)(0.5 * (tgNextSigned(seed) + 1.0) * j);
        shape->parents[j] = j > 0 ? up : -1;
    }
    for (int v = 0; v < shape->vertexCount; ++v) {
        double sum = 0.0, weights[64] = {0.0};
        int first = (int)(0.5 * (tgNextSigned(seed) + 1.0) * def->jointCount);
        for (int k = 0; k < def->influences; ++k) {
            weights[k] = v % 3 == 0 && k > 0 ? 0.0 : tgNextSigned(seed) + 1.01;
            sum += weights[k];
        }
        for (int k = 0; k < def->influences; ++k) {
            shape->joints[v * def->influences + k] = (first + k) % def->jointCount;
            shape->weights[v * def->influences + k] = (float)(weights[k] / sum);
        }
    }
}

/// A tube of length 6 and radius about 1 along x.
static inline tgShape tgMakeRandomSkin(const tgRandomDef* def)
{
    int n = def->around, sides = n * (def->rings - 1), ends = def->isOpen ? 0 : 2 * n;
    unsigned seed = def->seed * 7919u + 1u;
    tgShape shape =
        tgMakeShape(n * def->rings + (def->isOpen ? 0 : 2), 2 * sides + ends, 6 * sides + 3 * ends);
    for (int v = 0; v < n * def->rings; ++v) {
        double angle = 6.283185307179586 * (v % n) / n, radius = 1.0 + 0.25 * tgNextSigned(&seed);
        double x = 6.0 * (v / n) / (def->rings - 1) + 0.3 / def->rings * tgNextSigned(&seed);
        shape.positions[v] =
            tgMakeVec3((float)x, (float)(radius * cos(angle)), (float)(radius * sin(angle)));
    }
    for (int v = 0; v < sides; ++v) {
        int a = v, b = v / n * n + (v + 1) % n;
        const int c[4] = {a, b, b + n, a + n};
        bool isMixed = def->faces == tg_facesMixed && tgNextSigned(&seed) > 0.0;
        tgAddSide(&shape, c, def->faces == tg_quadsOnly || isMixed);
    }
    int low = n * def->rings, high = low + 1, last = n * (def->rings - 1);
    for (int k = 0; !def->isOpen && k < n; ++k) {
        const int bottom[3] = {(k + 1) % n, k, low}, top[3] = {last + k, last + (k + 1) % n, high};
        shape.positions[low] = tgMakeVec3(-0.3f, 0.1f, 0.0f);
        shape.positions[high] = tgMakeVec3(6.4f, 0.0f, 0.1f);
        tgShape_AddFace(&shape, 3, bottom);
        tgShape_AddFace(&shape, 3, top);
    }
    tgGiveRandomJoints(&shape, def, &seed);
    return shape;
}

static inline double tgGetDet(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// A quad as the mean of its two triangulations; open ends by fans to the mean of their ring.
static inline double tgGetSkinVolume(const tgShape* shape, const tgRandomDef* def,
                                     const double (*p)[3])
{
    double sum = 0.0;
    const int* c = shape->faceVertices;
    for (int f = 0; f < shape->faceCount; c += shape->faceSizes[f], ++f) {
        if (shape->faceSizes[f] == 3) {
            sum += tgGetDet(p[c[0]], p[c[1]], p[c[2]]);
        } else {
            sum +=
                0.5 * (tgGetDet(p[c[0]], p[c[1]], p[c[2]]) + tgGetDet(p[c[0]], p[c[2]], p[c[3]]) +
                       tgGetDet(p[c[0]], p[c[1]], p[c[3]]) + tgGetDet(p[c[1]], p[c[2]], p[c[3]]));
        }
    }
    for (int end = 0; def->isOpen && end < 2; ++end) {
        int n = def->around, first = end == 0 ? 0 : n * (def->rings - 1);
        double middle[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 3 * n; ++k) {
            middle[k % 3] += p[first + k / 3][k % 3] / n;
        }
        for (int k = 0; k < n; ++k) {
            const double *a = p[first + k], *b = p[first + (k + 1) % n];
            sum += end == 0 ? tgGetDet(b, a, middle) : tgGetDet(a, b, middle);
        }
    }
    return sum / 6.0;
}

/// A turn by an angle about an axis, by columns: Rodrigues' formula.
static inline void tgMakeTurn(tgVec3 axis, double angle, double turn[3][3])
{
    double length = sqrt((double)tgDot(axis, axis)), k[3];
    for (int i = 0; i < 3; ++i) {
        k[i] = (double)(&axis.x)[i] / length;
    }
    for (int c = 0; c < 3; ++c) {
        const double unit[3] = {c == 0, c == 1, c == 2};
        const double cross[3] = {k[1] * unit[2] - k[2] * unit[1], k[2] * unit[0] - k[0] * unit[2],
                                 k[0] * unit[1] - k[1] * unit[0]};
        for (int i = 0; i < 3; ++i) {
            turn[c][i] =
                unit[i] * cos(angle) + cross[i] * sin(angle) + k[i] * k[c] * (1.0 - cos(angle));
        }
    }
}

#endif
