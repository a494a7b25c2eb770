// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A pose driver. Each joint alone is turned through the range that it has in the clips, widened by
// 20 degrees, and few targets are fitted to the corrections that its turns need. The weights are
// Gaussians of the turn about those samples, solved so that the samples come back. Corrections of
// two joints that bend the same skin do not quite add up: what is missing where both are far turned
// is fitted in the same way over both. In the end all of them are balanced (driver_balance.c).

#include "driver_fit.h"

#include "bind/correctives.h"
#include "bind/dense.h"
#include "core/core.h"
#include "core/gaussian.h"
#include "driver_training.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_pairTrain = 24,   ///< samples of two joints
    tg_firstSamples = 8, ///< that tell whether the others need be asked
    tg_pairTargets = 3,  ///< targets of a pair at most
};

/// Two joints meet where a vertex follows both by more than this.
static const float tg_leastShare = 0.1f;
/// Gaussians are so wide, in parts of the range.
static const float tg_gaussianWidth = 0.5f;
/// What keeps coefficients small, for one joint and for two, in parts of a sample's kernel.
static const double tg_ridge[] = {1e-3, 1e-2};
/// Elements that nowhere move skin by more than this part of the error allowed are left out.
static const float tg_leastMove = 0.25f;

/// The viewer's joints in the bind pose, with some turned against their parents.
/// @param which driving joints, `count` of them, with their rotations
static void tgPoseJoints(const tgTraining* training, const int* which, int count,
                         const tgQuat* rotations, tgMat34* joints)
{
    const tgTrained* trained = training->trained;
    const tgScene* viewer = training->def->viewer;
    for (int j = 0; j < viewer->jointCount; ++j) {
        int parent = viewer->joints[j].parent;
        tgMat34 back;
        joints[j] = viewer->joints[j].restJoint;
        if (parent < 0 || !tgInvertMat34(&viewer->joints[parent].restJoint, &back)) {
            continue;
        }
        tgMat34 local = tgMulMat34(&back, &viewer->joints[j].restJoint);
        for (int i = 0; i < count; ++i) {
            if (trained->sceneJoints[which[i]] == j) { // local = T R S: only R changes
                const tgQuat rest = trained->joints[which[i]].rest;
                tgQuat turn = tgMulQuat(rotations[i], (tgQuat){-rest.x, -rest.y, -rest.z, rest.w});
                local.x = tgRotate(turn, local.x);
                local.y = tgRotate(turn, local.y);
                local.z = tgRotate(turn, local.z);
            }
        }
        joints[j] = tgMulMat34(&joints[parent], &local);
    }
}

/// Both scenes have the same joints, see tgCheckJoints, so one pose serves both.
tgResult tgTakePose(tgTraining* training, int sample, const int* which, int count,
                    const tgQuat* rotations, tgMat34* joints, tgError* error)
{
    const tgTrainDef* def = training->def;
    tgPoseJoints(training, which, count, rotations, joints);
    tgInstance_Reset(def->actor->instance);
    tgResult result = tgActor_Pose(def->actor, joints, error);
    if (result == tg_success) {
        tgClips_SetPalette(&training->clips, sample, joints);
        tgClips_Take(&training->clips, sample, def->actor, NULL);
    }
    return result;
}

/// The same of one sample's turns.
static tgResult tgTakeTurn(tgTraining* training, int sample, tgMat34* joints, tgError* error)
{
    tgQuat rotations[2];
    for (int i = 0; i < training->jointCount; ++i) {
        rotations[i] = tgMakeRotation(&training->trained->joints[training->joints[i]],
                                      training->turns[sample] + 3 * i);
    }
    return tgTakePose(training, sample, training->joints, training->jointCount, rotations, joints,
                      error);
}

static void tgMeasureTurn(int frame, int first, int count, const tgVec3* residuals, float* errors,
                          void* user)
{
    (void)frame;
    (void)first;
    (void)user;
    for (int v = 0; v < count; ++v) { // in the bind pose, which is as large
        float error = tgLength(residuals[v]);
        errors[v] = error > errors[v] ? error : errors[v];
    }
}

double tgEvaluateTarget(const tgDriverElement* element, int target, const float* turn)
{
    int width = 3 * element->jointCount;
    double weight = 0.0;
    for (int c = 0; c < element->centerCount; ++c) {
        weight += (double)element->coefficients[target * element->centerCount + c] *
                  tgGetGaussian(width, turn, element->centers + c * width, element->widths);
    }
    return weight;
}

/// How like two samples are: for each joint the Gaussian g(a, b) less what it has through the rest,
/// g(a, 0) g(0, b). So every sum of them is 0 where a joint is at rest: one joint needs no
/// correction there, and two no more than each for itself.
static double tgGetKernel(const tgTraining* training, const float* a, const float* b)
{
    double product = 1.0;
    for (int j = 0; j < training->jointCount; ++j) {
        const float *x = a + 3 * j, *y = b + 3 * j, *widths = training->widths + 3 * j;
        product *= tgGetGaussian(3, x, y, widths) -
                   tgGetGaussian(3, x, NULL, widths) * tgGetGaussian(3, y, NULL, widths);
    }
    return product;
}

/// The centres of an element are its samples as they are and with any of its joints at rest.
static bool tgAllocateElement(const tgTraining* training, int samples, int targets, bool hasNormals,
                              tgTrainedElement* element)
{
    int centers = ((1 << training->jointCount) - 1) * samples + 1;
    size_t width = 3 * (size_t)training->jointCount;
    size_t size = (size_t)targets * (size_t)training->def->viewer->vertexCount;
    float* numbers = calloc((size_t)centers * width + width + (size_t)targets * (size_t)centers +
                                (size_t)targets,
                            sizeof(float));
    element->offsets = calloc(size + 1, sizeof(tgVec3));
    element->normals = hasNormals ? calloc(size + 1, sizeof(tgVec3)) : NULL;
    element->driven = (tgDriverElement){.jointCount = training->jointCount,
                                        .joints = {training->joints[0], training->joints[1]},
                                        .targetCount = targets,
                                        .centerCount = centers,
                                        .centers = numbers};
    if (numbers == NULL || element->offsets == NULL || (hasNormals && element->normals == NULL)) {
        return false;
    }
    float* next = numbers + (size_t)centers * width;
    element->driven.widths = next;
    memcpy(next, training->widths, width * sizeof(float));
    element->driven.coefficients = next + width;
    element->driven.biases = next + width + (size_t)targets * (size_t)centers;
    for (int c = 0; c < centers - 1; ++c) { // the last: all at rest
        for (int j = 0; j < training->jointCount; ++j) {
            bool isAtRest = (c / samples >> j & 1) != 0;
            memcpy(numbers + (size_t)c * width + 3 * j, training->turns[c % samples] + 3 * j,
                   isAtRest ? 0 : 3 * sizeof(float));
        }
    }
    return true;
}

/// What the kernels' factors come to as coefficients of Gaussians: those of a sample with some of
/// its joints at rest are minus theirs through the rest.
static void tgSpreadFactors(const tgTraining* training, int samples, const double* factors,
                            int sides, tgDriverElement* driven)
{
    float* coefficients = (float*)driven->coefficients;
    for (int t = 0; t < driven->targetCount; ++t) {
        double last = 0.0;
        for (int c = 0; c < samples << training->jointCount; ++c) {
            double factor = factors[c % samples * sides + t];
            for (int j = 0; j < training->jointCount; ++j) {
                if ((c / samples >> j & 1) != 0) {
                    factor *= -tgGetGaussian(3, training->turns[c % samples] + 3 * j, NULL,
                                             training->widths + 3 * j);
                }
            }
            if (c < driven->centerCount - 1) {
                coefficients[t * driven->centerCount + c] = (float)factor;
            } else {
                last += factor;
            }
        }
        coefficients[t * driven->centerCount + driven->centerCount - 1] = (float)last;
    }
}

/// Gaussians that give the samples' weights back, all but for a ridge: (K + ridge) x = w.
static tgResult tgFitGaussians(const tgTraining* training, const tgCorrectives* fit, int n,
                               tgTrainedElement* element, tgError* error)
{
    int sides = fit->targetCount;
    double* a = malloc((size_t)n * (size_t)n * sizeof(double));
    double* x = malloc((size_t)n * (size_t)sides * sizeof(double));
    bool good = a != NULL && x != NULL;
    double trace = 0.0;
    for (int i = 0; i < n && good; ++i) {
        for (int k = 0; k < n; ++k) {
            a[i * n + k] = tgGetKernel(training, training->turns[i], training->turns[k]);
        }
        trace += a[i * n + i];
    }
    for (int i = 0; i < n && good; ++i) {
        a[i * n + i] += tg_ridge[training->jointCount - 1] * trace / n + 1e-12;
    }
    bool isRegular = good && tgFactorDense(n, a);
    if (isRegular) {
        memcpy(x, fit->weights, (size_t)n * (size_t)sides * sizeof(double));
        tgSolveLower(n, a, sides, x);
        tgSolveUpper(n, a, sides, x);
        tgSpreadFactors(training, n, x, sides, &element->driven);
    }
    free(a);
    free(x);
    if (!good) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for a driver's targets");
    }
    return isRegular ? tg_success
                     : tgFail(error, tg_notConverged, training->joints[0],
                              "the turns of a joint have no weights that give them back");
}

/// Normals by least squares: targets are near orthogonal, so each for itself.
static void tgFitTurnNormals(const tgTraining* training, const tgCorrectives* fit, int samples,
                             tgTrainedElement* element)
{
    size_t vertexCount = (size_t)training->def->viewer->vertexCount;
    for (int t = 0; t < fit->targetCount && element->normals != NULL; ++t) {
        double sum = 0.0;
        for (int s = 0; s < samples; ++s) {
            double w = fit->weights[s * fit->targetCount + t];
            sum += w * w;
        }
        tgVec3* out = element->normals + (size_t)t * vertexCount;
        for (int s = 0; s < samples && sum > 0.0; ++s) {
            float w = (float)(fit->weights[s * fit->targetCount + t] / sum);
            const tgVec3* from = training->clips.normals + (size_t)s * vertexCount;
            for (size_t v = 0; v < vertexCount; ++v) {
                out[v] = tgMulAdd(out[v], w, from[v]);
            }
        }
    }
}

/// Weights of the elements trained so far at a sample's turns, taken off its offsets and normals.
static void tgTakeOff(tgTraining* training, int sample)
{
    size_t vertexCount = (size_t)training->def->viewer->vertexCount;
    tgVec3* offsets = training->clips.offsets + (size_t)sample * vertexCount;
    tgVec3* normals = training->clips.normals != NULL
                          ? training->clips.normals + (size_t)sample * vertexCount
                          : NULL;
    for (int e = 0; e < training->trained->elementCount; ++e) {
        const tgTrainedElement* element = &training->trained->elements[e];
        const tgDriverElement* driven = &element->driven;
        int which = driven->joints[0] == training->joints[0]   ? 0
                    : driven->joints[0] == training->joints[1] ? 1
                                                               : -1;
        if (driven->jointCount != 1 || which < 0) {
            continue;
        }
        for (int t = 0; t < driven->targetCount; ++t) {
            double weight = tgEvaluateTarget(driven, t, training->turns[sample] + 3 * which);
            const tgVec3* target = element->offsets + (size_t)t * vertexCount;
            for (size_t v = 0; v < vertexCount; ++v) {
                offsets[v] = tgMulAdd(offsets[v], (float)-weight, target[v]);
            }
            for (size_t v = 0; v < vertexCount && normals != NULL; ++v) {
                normals[v] = tgMulAdd(normals[v], (float)-weight,
                                      element->normals[(size_t)t * vertexCount + v]);
            }
        }
    }
}

/// The longest offset of a sample.
static float tgMeasureSample(const tgTraining* training, int sample)
{
    size_t vertexCount = (size_t)training->def->viewer->vertexCount;
    const tgVec3* offsets = training->clips.offsets + (size_t)sample * vertexCount;
    float most = 0.0f;
    for (size_t v = 0; v < vertexCount; ++v) {
        float square = tgDot(offsets[v], offsets[v]);
        most = square > most ? square : most;
    }
    return sqrtf(most);
}

/// Deform all samples and fit targets; nothing is added where the first samples need none.
static tgResult tgTrainElement(tgTraining* training, int samples, tgError* error)
{
    const tgTrainDef* def = training->def;
    tgTrained* trained = training->trained;
    bool hasNormals = def->clips->normals != NULL;
    tgMat34* joints = malloc(((size_t)def->viewer->jointCount + 1) * sizeof(tgMat34));
    tgResult result =
        joints != NULL ? tg_success : tgFail(error, tg_outOfMemory, -1, "no memory for a pose");
    float goal = def->maxError * def->clips->restDiagonal, most = 0.0f;
    for (int s = 0; s < samples && result == tg_success; ++s) {
        result = tgTakeTurn(training, s, joints, error);
        if (training->jointCount == 2) {
            tgTakeOff(training, s);
        }
        training->rows[s] = training->clips.offsets + (size_t)s * (size_t)def->viewer->vertexCount;
        most = s < tg_firstSamples ? fmaxf(most, tgMeasureSample(training, s)) : most;
        if (s + 1 == tg_firstSamples && most < tg_leastMove * goal) {
            free(joints);
            return result;
        }
    }
    free(joints);
    tgCorrectives fit = {0};
    if (result == tg_success) {
        tgCorrectiveDef fitDef = {.frames = {.frameCount = samples,
                                             .frames = training->rows,
                                             .vertexCount = def->viewer->vertexCount,
                                             .areas = training->clips.areas,
                                             .parallel = training->clips.parallel},
                                  .goal = goal,
                                  .measure = tgMeasureTurn};
        tgFrameBasis basis = {0};
        result = tgFitCorrectives(&fitDef, &basis, &fit, error);
        if (result == tg_success && training->jointCount == 2 && fit.targetCount > tg_pairTargets) {
            tgFreeCorrectives(&fit);
            fitDef.targetCount = tg_pairTargets;
            result = tgFitCorrectives(&fitDef, &basis, &fit, error);
        }
        tgFreeFrameBasis(&basis);
    }
    if (result == tg_success && fit.targetCount > 0) {
        tgTrainedElement* element = &trained->elements[trained->elementCount];
        trained->elementCount += 1;
        result = tgAllocateElement(training, samples, fit.targetCount, hasNormals, element)
                     ? tgFitGaussians(training, &fit, samples, element, error)
                     : tgFail(error, tg_outOfMemory, -1, "no memory for a driver's targets");
        if (result == tg_success) {
            memcpy(element->offsets, fit.offsets,
                   (size_t)fit.targetCount * (size_t)def->viewer->vertexCount * sizeof(tgVec3));
            tgFitTurnNormals(training, &fit, samples, element);
            for (int i = 0; i < training->jointCount; ++i) {
                element->joints[i] = trained->sceneJoints[training->joints[i]];
            }
        }
    }
    tgFreeCorrectives(&fit);
    return result;
}

/// Number i of Halton's sequence in a base: evenly spread in 0 to 1.
static float tgGetHalton(int i, int base)
{
    double sum = 0.0, part = 1.0;
    for (; i > 0; i /= base) {
        part /= base;
        sum += part * (i % base);
    }
    return (float)sum;
}

/// Samples of the joints at hand, evenly spread over their ranges: every other one over what the
/// clips have, the others over that widened.
static int tgListTurns(tgTraining* training, const tgTurnRange* ranges)
{
    static const int bases[6] = {2, 3, 5, 7, 11, 13};
    int count = training->jointCount == 1 ? tg_mostTrain : tg_pairTrain;
    for (int i = 0; i < 3 * training->jointCount; ++i) {
        const tgTurnRange* range = &ranges[training->joints[i / 3]];
        float low = range->low[i % 3], high = range->high[i % 3];
        training->widths[i] = tg_gaussianWidth * (fmaxf(high, 0.0f) - fminf(low, 0.0f));
        for (int s = 0; s < count; ++s) {
            float less = s % 2 == 0 ? 0.0f : tg_widen;
            training->turns[s][i] =
                low + less + tgGetHalton(s / 2 + 1, bases[i]) * (high - low - 2.0f * less);
        }
    }
    return count;
}

/// Does some vertex follow both?
static bool tgMeet(const tgScene* scene, int a, int b)
{
    for (int v = 0; v < scene->vertexCount; ++v) {
        size_t first = (size_t)v * (size_t)scene->influencesPerVertex;
        float ofA = 0.0f, ofB = 0.0f;
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            int joint = scene->influenceJoints[first + (size_t)k];
            float w = scene->influenceWeights[first + (size_t)k];
            ofA += joint == a ? w : 0.0f;
            ofB += joint == b ? w : 0.0f;
        }
        if (ofA > tg_leastShare && ofB > tg_leastShare) {
            return true;
        }
    }
    return false;
}

/// All joints, then the pairs that meet.
static tgResult tgTrainAll(tgTraining* training, tgTurnRange* ranges, tgError* error)
{
    tgTrained* trained = training->trained;
    tgResult result = tg_success;
    int count = trained->jointCount;
    for (int i = 0; i < count && result == tg_success; ++i) {
        tgShowProgress("driver", i, 2 * count);
        if (tgWasInterrupted()) {
            return tgFail(error, tg_ioError, -1, "interrupted at joint %d of %d", i, count);
        }
        if (tgBends(&ranges[i])) {
            tgWidenRange(&ranges[i]);
            training->jointCount = 1;
            training->joints[0] = i;
            training->joints[1] = -1;
            result = tgTrainElement(training, tgListTurns(training, ranges), error);
        } else {
            ranges[i].low[0] = ranges[i].high[0] = 0.0f;
        }
    }
    for (int i = 0; i < count && result == tg_success; ++i) {
        tgShowProgress("driver", count + i + 1, 2 * count);
        for (int k = 0; k < i && result == tg_success; ++k) {
            bool bend =
                ranges[i].high[0] > ranges[i].low[0] && ranges[k].high[0] > ranges[k].low[0];
            if (bend &&
                tgMeet(training->def->viewer, trained->sceneJoints[i], trained->sceneJoints[k])) {
                training->jointCount = 2;
                training->joints[0] = k;
                training->joints[1] = i;
                result = tgTrainElement(training, tgListTurns(training, ranges), error);
            }
            if (tgWasInterrupted()) {
                return tgFail(error, tg_ioError, -1, "interrupted at joint %d of %d", i, count);
            }
        }
    }
    return result;
}

void tgNumberTargets(tgTrained* trained)
{
    int targets = 0;
    for (int e = 0; e < trained->elementCount; ++e) {
        trained->elements[e].driven.firstTarget = targets;
        targets += trained->elements[e].driven.targetCount;
    }
    trained->driver.targetCount = targets;
}

/// The driver as an engine has it: all elements, targets numbered.
static bool tgFillDriver(tgTrained* trained)
{
    trained->driven = calloc((size_t)trained->elementCount + 1, sizeof(tgDriverElement));
    tgNumberTargets(trained);
    for (int e = 0; e < trained->elementCount && trained->driven != NULL; ++e) {
        trained->driven[e] = trained->elements[e].driven;
    }
    trained->driver.jointCount = trained->jointCount;
    trained->driver.joints = trained->joints;
    trained->driver.elementCount = trained->elementCount;
    trained->driver.elements = trained->driven;
    return trained->driven != NULL;
}

tgResult tgTrainDriver(const tgTrainDef* def, tgTrained* trained, tgError* error)
{
    *trained = (tgTrained){0};
    tgTraining training = {.def = def, .trained = trained};
    tgResult result = tgCheckJoints(def, error);
    result = result == tg_success ? tgListJoints(def, trained, error) : result;
    size_t count = (size_t)trained->jointCount;
    tgTurnRange* ranges = calloc(count + 1, sizeof(*ranges));
    trained->elements = calloc(count * (count + 1) / 2 + 1, sizeof(*trained->elements));
    if (result == tg_success && (ranges == NULL || trained->elements == NULL)) {
        result = tgFail(error, tg_outOfMemory, -1, "no memory for %zu joints", count);
    }
    if (result == tg_success) {
        result = tgClips_Make(&training.clips, def->viewer, def->actor, def->parallel, tg_poseCount,
                              def->clips->normals != NULL, error);
    }
    if (result == tg_success) {
        memcpy(training.clips.restNormals, def->clips->restNormals,
               (size_t)def->viewer->vertexCount * sizeof(tgVec3));
        result = tgFindRanges(def, trained, ranges, error);
    }
    if (result == tg_success) {
        result = tgTrainAll(&training, ranges, error);
    }
    if (result == tg_success) {
        result = tgBalanceElements(&training, ranges, error);
    }
    if (result == tg_success && !tgFillDriver(trained)) {
        result = tgFail(error, tg_outOfMemory, -1, "no memory for the driver");
    }
    tgClips_Free(&training.clips);
    free(ranges);
    return result;
}

void tgFreeTrained(tgTrained* trained)
{
    for (int e = 0; e < trained->elementCount && trained->elements != NULL; ++e) {
        free((void*)trained->elements[e].driven.centers);
        free(trained->elements[e].offsets);
        free(trained->elements[e].normals);
    }
    free(trained->elements);
    free(trained->driven);
    free(trained->sceneJoints);
    free(trained->joints);
    *trained = (tgTrained){0};
}
