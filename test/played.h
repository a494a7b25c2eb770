// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A glTF as a plain viewer plays it: morph targets added up, joints blended linearly, in double;
// from what the reader says is in the file, by none of the writers' code.
#ifndef TURGOR_TEST_PLAYED_H
#define TURGOR_TEST_PLAYED_H

#include "assets.h"
#include "mesh_volume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct tgPlayed {
    const tgScene* scene;
    tgMat34* nodes;
    tgMat34* joints;
    float* weights;
    tgVec3* positions; ///< of the last moment
} tgPlayed;

static inline tgPlayed tgOpenPlayed(const tgScene* scene)
{
    tgPlayed played = {.scene = scene,
                       .nodes = calloc((size_t)scene->nodeCount + 1, sizeof(tgMat34)),
                       .joints = calloc((size_t)scene->jointCount + 1, sizeof(tgMat34)),
                       .weights = calloc((size_t)scene->morphCount + 1, sizeof(float)),
                       .positions = calloc((size_t)scene->vertexCount + 1, sizeof(tgVec3))};
    return played;
}

static inline void tgClosePlayed(tgPlayed* played)
{
    free(played->nodes);
    free(played->joints);
    free(played->weights);
    free(played->positions);
}

/// The bind pose with its morph targets.
static inline void tgPlayShape(tgPlayed* played, double* shape)
{
    const tgScene* scene = played->scene;
    for (int i = 0; i < 3 * scene->vertexCount; ++i) {
        shape[i] = (double)(&scene->positions->x)[i];
    }
    for (int m = 0; m < scene->morphCount; ++m) {
        const tgSceneMorph* morph = &scene->morphs[m];
        double weight = (double)played->weights[m];
        for (int i = 0; i < 3 * morph->vertexCount && weight != 0.0; ++i) {
            shape[3 * morph->firstVertex + i] += weight * (double)(&morph->offsets->x)[i];
        }
    }
}

static inline void tgAddMoved(const tgMat34* m, double w, const double* p, double* sum)
{
    const float* x = &m->x.x;
    const float* y = &m->y.x;
    const float* z = &m->z.x;
    const float* o = &m->origin.x;
    for (int k = 0; k < 3; ++k) {
        sum[k] +=
            w * ((double)x[k] * p[0] + (double)y[k] * p[1] + (double)z[k] * p[2] + (double)o[k]);
    }
}

/// With the morph weights as they are.
static inline void tgPlayWeights(tgPlayed* played, int animation, double time)
{
    const tgScene* scene = played->scene;
    tgScene_SamplePose(scene, animation, time, played->nodes, played->joints, NULL);
    double* shape = malloc(3 * (size_t)scene->vertexCount * sizeof(double));
    assert_non_null(shape);
    tgPlayShape(played, shape);
    for (int j = 0; j < scene->jointCount; ++j) {
        tgMat34 back = tgIdentityMat34();
        assert_true(tgInvertMat34(&scene->joints[j].restJoint, &back));
        played->joints[j] = tgMulMat34(&played->joints[j], &back);
    }
    for (int v = 0; v < scene->vertexCount; ++v) {
        double sum[3] = {0};
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            size_t at = (size_t)v * (size_t)scene->influencesPerVertex + (size_t)k;
            tgAddMoved(&played->joints[scene->influenceJoints[at]],
                       (double)scene->influenceWeights[at], shape + 3 * v, sum);
        }
        if (scene->influencesPerVertex == 0) {
            memcpy(sum, shape + 3 * v, sizeof(sum));
        }
        played->positions[v] = tgMakeVec3((float)sum[0], (float)sum[1], (float)sum[2]);
    }
    free(shape);
}

static inline void tgPlay(tgPlayed* played, int animation, double time)
{
    tgScene_SamplePose(played->scene, animation, time, played->nodes, played->joints,
                       played->weights);
    tgPlayWeights(played, animation, time);
}

/// The area of all faces, for how large a character stands.
static inline double tgMeasureArea(const tgScene* scene, const tgVec3* positions)
{
    double sum = 0.0;
    for (int f = 0, corner = 0; f < scene->faceCount; corner += scene->faceSizes[f++]) {
        const int* face = scene->faceVertices + corner;
        for (int k = 2; k < scene->faceSizes[f]; ++k) {
            tgVec3 a = positions[face[0]];
            sum += (double)tgLength(
                tgCross(tgSub(positions[face[k - 1]], a), tgSub(positions[face[k]], a)));
        }
    }
    return sum;
}

static inline double tgMeasureDiagonal(const tgVec3* positions, int count)
{
    tgVec3 low = positions[0], high = positions[0];
    for (int v = 1; v < count; ++v) {
        tgVec3 p = positions[v];
        low = tgMakeVec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = tgMakeVec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    return (double)tgDistance(low, high);
}

#endif
