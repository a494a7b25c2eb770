// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The balance of a driver's elements. Where many joints meet, as in a neck, their targets say more
// than is true together; so poses that turn all joints at once, at random within their ranges, tell
// how much each may say.

#include "bind/dense.h"
#include "bind/rows.h"
#include "core/core.h"
#include "driver_training.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

/// Products are taken over so many vertices at least, where there are more.
enum { tg_fewVertices = 4096 };

/// What targets of one joint and of two say before poses of all joints were asked, in parts of what
/// they were trained to: in chains of joints pairs tell the same thing again. And how far that
/// weighs against the poses.
static const double tg_prior[] = {1.0, 0.6}, tg_doubt = 0.1;

/// A number from 0 to 1; the same ones every time.
static float tgDraw(unsigned* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / 16777216.0f;
}

/// All joints at once, at random within the ranges that clips have.
static tgResult tgTakeRandomPoses(tgTraining* training, const tgTurnRange* ranges,
                                  tgQuat* rotations, tgError* error)
{
    const tgTrained* trained = training->trained;
    size_t count = (size_t)trained->jointCount;
    tgMat34* joints = malloc(((size_t)training->def->viewer->jointCount + 1) * sizeof(tgMat34));
    int* which = malloc((count + 1) * sizeof(int));
    tgResult result = joints != NULL && which != NULL
                          ? tg_success
                          : tgFail(error, tg_outOfMemory, -1, "no memory for a pose");
    unsigned state = 1;
    for (int s = 0; s < tg_poseCount && result == tg_success; ++s) {
        if (tgWasInterrupted()) {
            result = tgFail(error, tg_ioError, -1, "interrupted at pose %d of %d", s, tg_poseCount);
            break;
        }
        tgQuat* pose = rotations + (size_t)s * count;
        for (int i = 0; i < trained->jointCount; ++i) {
            float turn[3] = {0};
            for (int k = 0; k < 3 && ranges[i].high[0] > ranges[i].low[0]; ++k) {
                float low = ranges[i].low[k] + tg_widen, high = ranges[i].high[k] - tg_widen;
                turn[k] = low + tgDraw(&state) * (high - low);
            }
            which[i] = i;
            pose[i] = tgMakeRotation(&trained->joints[i], turn);
        }
        result = tgTakePose(training, s, which, trained->jointCount, pose, joints, error);
    }
    free(joints);
    free(which);
    return result;
}

/// Weights of all elements as they are, without ends.
static void tgEvaluate(const tgTrained* trained, const tgQuat* rotations, float* weights)
{
    for (int e = 0; e < trained->elementCount; ++e) {
        const tgDriverElement* driven = &trained->elements[e].driven;
        float turn[6];
        for (int j = 0; j < driven->jointCount; ++j) {
            int joint = driven->joints[j];
            tgVec3 at = tgDriver_GetTurn(&trained->joints[joint], rotations[joint]);
            memcpy(turn + 3 * j, &at, sizeof(at));
        }
        for (int t = 0; t < driven->targetCount; ++t) {
            weights[driven->firstTarget + t] = (float)tgEvaluateTarget(driven, t, turn);
        }
    }
}

/// Rows to take products of: all targets, then all poses.
static void tgListRows(const tgTraining* training, const float** rows)
{
    const tgTrained* trained = training->trained;
    size_t vertexCount = (size_t)training->def->viewer->vertexCount;
    for (int e = 0; e < trained->elementCount; ++e) {
        for (int t = 0; t < trained->elements[e].driven.targetCount; ++t) {
            *rows++ = &trained->elements[e].offsets[(size_t)t * vertexCount].x;
        }
    }
    for (int s = 0; s < tg_poseCount; ++s) {
        *rows++ = &training->clips.offsets[(size_t)s * vertexCount].x;
    }
}

/// How much each target may say: factors x with which all of them come nearest to the poses,
///   sum over poses |d - sum_t x_t w_t target_t|^2 + ridge sum_t (x_t - prior_t)^2 |w_t
///   target_t|^2.
/// @param weights of all targets, for each pose
/// @param gram products of rows with each other
static bool tgSolveFactors(const tgTrained* trained, const float* weights, const double* gram,
                           double* a, double* x)
{
    int n = trained->driver.targetCount, width = n + tg_poseCount;
    memset(a, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int t = 0; t < n; ++t) {
        x[t] = 0.0;
        for (int s = 0; s < tg_poseCount; ++s) {
            double w = (double)weights[(ptrdiff_t)s * n + t];
            x[t] += w * gram[(ptrdiff_t)(n + s) * width + t];
            for (int k = 0; k <= t; ++k) {
                a[(ptrdiff_t)t * n + k] += w * (double)weights[(ptrdiff_t)s * n + k];
            }
        }
        for (int k = 0; k <= t; ++k) {
            a[(ptrdiff_t)t * n + k] *= gram[(ptrdiff_t)t * width + k];
        }
    }
    int at = 0;
    for (int e = 0; e < trained->elementCount; ++e) {
        double prior = tg_prior[trained->elements[e].driven.jointCount - 1];
        for (int t = 0; t < trained->elements[e].driven.targetCount; ++t, ++at) {
            double* diagonal = &a[(ptrdiff_t)at * n + at];
            double ridge = tg_doubt * *diagonal + 1e-30;
            *diagonal += ridge;
            x[at] += ridge * prior;
        }
    }
    if (!tgFactorDense(n, a)) {
        return false;
    }
    tgSolveLower(n, a, 1, x);
    tgSolveUpper(n, a, 1, x);
    return true;
}

tgResult tgBalanceElements(tgTraining* training, const tgTurnRange* ranges, tgError* error)
{
    tgTrained* trained = training->trained;
    tgNumberTargets(trained);
    const tgScene* viewer = training->def->viewer;
    size_t n = (size_t)trained->driver.targetCount, width = n + tg_poseCount;
    size_t vertexCount = (size_t)viewer->vertexCount;
    tgQuat* rotations = malloc(((size_t)trained->jointCount + 1) * tg_poseCount * sizeof(tgQuat));
    float* weights = malloc((n + 1) * tg_poseCount * sizeof(float));
    float* share = calloc(vertexCount + 1, sizeof(float));
    const float** rows = malloc(width * sizeof(*rows));
    double* gram = malloc((width * width + n * n + n + 1) * sizeof(double));
    tgResult result =
        rotations != NULL && weights != NULL && share != NULL && rows != NULL && gram != NULL
            ? tgTakeRandomPoses(training, ranges, rotations, error)
            : tgFail(error, tg_outOfMemory, -1, "no memory for the elements");
    if (result == tg_success) {
        for (int s = 0; s < tg_poseCount; ++s) {
            tgEvaluate(trained, rotations + (size_t)s * (size_t)trained->jointCount,
                       weights + (size_t)s * n);
        }
        size_t stride = (vertexCount + tg_fewVertices - 1) / tg_fewVertices;
        for (size_t v = 0; v < vertexCount; v += stride) {
            share[v] = 1.0f;
        }
        tgListRows(training, rows);
        tgGramTask task = {rows, (int)width, viewer->vertexCount, share, gram};
        double *a = gram + width * width, *x = a + n * n;
        if (!tgMultiplyRows(&training->clips.parallel, &task)) {
            result = tgFail(error, tg_outOfMemory, -1, "no memory for the elements");
        } else if (!tgSolveFactors(trained, weights, gram, a, x)) {
            result = tgFail(error, tg_notConverged, -1, "the driver's targets have no balance");
        }
        for (int e = 0; e < trained->elementCount && result == tg_success; ++e) {
            tgDriverElement* driven = &trained->elements[e].driven;
            for (int i = 0; i < driven->targetCount * driven->centerCount; ++i) {
                ((float*)driven->coefficients)[i] *=
                    (float)x[driven->firstTarget + i / driven->centerCount];
            }
        }
    }
    free(rotations);
    free(weights);
    free(share);
    free((void*)rows);
    free(gram);
    return result;
}
