// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A pose driver. Each joint alone is turned through the range that it has in the clips, widened by
// 20 degrees, and few targets are fitted to the corrections that its turns need. The weights are
// Gaussians of the turn about those samples, solved so that the samples come back. Corrections of
// two joints that bend the same skin do not quite add up: what is missing where both are far turned
// is fitted in the same way over both. Where many joints meet, as in a neck, they say more than is
// true together; so in the end poses that turn all joints at once, at random within their ranges,
// tell how much each may say.

#include "driver_fit.h"

#include "bind/correctives.h"
#include "core/core.h"
#include "core/polar.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_mostLevels = 5,  ///< samples along the axis of the widest range; then 3, then 3
    tg_mostTrain = 46,  ///< samples of one element
    tg_pairTargets = 3, ///< targets of a pair at most
    tg_balanceRounds = 10,
};

/// 20 degrees as twice the sine of half the angle; and the most that a turn can be told by.
static const float tg_widen = 0.3473f, tg_mostTurn = 1.9f;
/// A joint whose range is less bends nothing: 2 degrees.
static const float tg_leastRange = 0.035f;
/// Two joints meet where a vertex follows both by more than this.
static const float tg_leastShare = 0.1f;
/// Gaussians are so wide, in distances of samples.
static const float tg_gaussianWidth = 1.5f;
/// What keeps coefficients small, for one joint and for two.
static const double tg_ridge[] = {1e-3, 5e-2};
/// The most that an element may say, of what it alone was trained to.
static const double tg_mostSay = 1.2;
/// The range of a joint when there are no clips: 60 degrees to each side.
static const float tg_restRange = 1.0f;

/// One element being trained.
typedef struct tgTraining {
    const tgTrainDef* def;
    tgTrained* trained;
    tgClips clips; ///< samples of the element
    int jointCount;
    int joints[2];                ///< driving ones
    float turns[tg_mostTrain][6]; ///< of each sample
    float widths[6];
    const tgVec3* rows[tg_mostTrain];
} tgTraining;

/// Range of each driving joint's turns.
typedef struct tgTurnRange {
    float low[3], high[3];
} tgTurnRange;

static tgQuat tgFindRotation(const tgMat34* m)
{
    tgMat34d d = tgMat34d_FromFloat(m);
    double rotation[3][3], stretch[3][3], q[4];
    if (!tgPolarDecompose(&d, rotation, stretch)) {
        const tgVec3* axes[3] = {&m->x, &m->y, &m->z};
        for (int c = 0; c < 3; ++c) {
            rotation[c][0] = (double)axes[c]->x;
            rotation[c][1] = (double)axes[c]->y;
            rotation[c][2] = (double)axes[c]->z;
        }
    }
    tgRotationToQuat(rotation, q);
    return (tgQuat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

/// The rotation of a joint against its parent joint; joint to model for both.
static tgQuat tgFindLocalRotation(const tgMat34* parent, const tgMat34* joint)
{
    tgMat34 back;
    if (!tgInvertMat34(parent, &back)) {
        return tgIdentityQuat();
    }
    tgMat34 local = tgMulMat34(&back, joint);
    return tgFindRotation(&local);
}

/// Along the bone: to the mean of the joint's children; the joint's own y where it has none.
static tgVec3 tgFindAxis(const tgScene* scene, int joint)
{
    const tgMat34* rest = &scene->joints[joint].restJoint;
    tgVec3 sum = {0};
    int count = 0;
    for (int j = 0; j < scene->jointCount; ++j) {
        if (scene->joints[j].parent == joint) {
            sum = tgAdd(sum, tgSub(scene->joints[j].restJoint.origin, rest->origin));
            count += 1;
        }
    }
    tgMat34 back;
    tgVec3 y = tgMakeVec3(0.0f, 1.0f, 0.0f);
    if (count == 0 || !tgInvertMat34(rest, &back)) {
        return y;
    }
    return tgNormalize(tgMulMatDirection(&back, sum), y);
}

void tgGetRotations(const tgTrained* trained, const tgClips* clips, int sample, tgQuat* rotations)
{
    const tgScene* viewer = clips->viewer;
    const tgMat34* palette = clips->palettes + (size_t)sample * (size_t)viewer->jointCount;
    for (int i = 0; i < trained->jointCount; ++i) {
        int joint = trained->sceneJoints[i];
        int parent = viewer->joints[joint].parent;
        tgMat34 at = tgMulMat34(&palette[joint], &viewer->joints[joint].restJoint);
        tgMat34 above = tgMulMat34(&palette[parent], &viewer->joints[parent].restJoint);
        rotations[i] = tgFindLocalRotation(&above, &at);
    }
}

/// All joints that have a parent and skin of their own.
static tgResult tgListJoints(const tgTrainDef* def, tgTrained* trained, tgError* error)
{
    const tgScene* viewer = def->viewer;
    size_t count = (size_t)viewer->jointCount + 1;
    bool* hasSkin = calloc(count, sizeof(bool));
    trained->sceneJoints = calloc(count, sizeof(int));
    trained->joints = calloc(count, sizeof(tgDriverJoint));
    if (hasSkin == NULL || trained->sceneJoints == NULL || trained->joints == NULL) {
        free(hasSkin);
        return tgFail(error, tg_outOfMemory, -1, "no memory for the joints");
    }
    for (int i = 0; i < viewer->vertexCount * viewer->influencesPerVertex; ++i) {
        if (viewer->influenceWeights[i] > 0.0f) {
            hasSkin[viewer->influenceJoints[i]] = true;
        }
    }
    for (int j = viewer->jointCount - 1; j > 0; --j) { // what moves skin below it moves skin
        if (hasSkin[j] && viewer->joints[j].parent >= 0) {
            hasSkin[viewer->joints[j].parent] = true;
        }
    }
    for (int j = 0; j < viewer->jointCount; ++j) {
        int parent = viewer->joints[j].parent;
        if (hasSkin[j] && parent >= 0) {
            int i = trained->jointCount++;
            trained->sceneJoints[i] = j;
            trained->joints[i] =
                (tgDriverJoint){.rest = tgFindLocalRotation(&viewer->joints[parent].restJoint,
                                                            &viewer->joints[j].restJoint),
                                .axis = tgFindAxis(viewer, j)};
        }
    }
    free(hasSkin);
    return tg_success;
}

static float tgGetPart(const tgVec3* v, int k)
{
    return (&v->x)[k];
}

/// Which turns the clips have, widened.
static tgResult tgFindRanges(const tgTrainDef* def, const tgTrained* trained, tgTurnRange* ranges,
                             tgError* error)
{
    tgQuat* rotations = malloc(((size_t)trained->jointCount + 1) * sizeof(tgQuat));
    if (rotations == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for a pose");
    }
    bool isStill = def->clips->sampleCount < 2;
    for (int s = 0; s < def->clips->sampleCount; ++s) {
        tgGetRotations(trained, def->clips, s, rotations);
        for (int i = 0; i < trained->jointCount; ++i) {
            tgVec3 turn = tgDriver_GetTurn(&trained->joints[i], rotations[i]);
            for (int k = 0; k < 3; ++k) {
                float x = isStill ? 0.0f : tgGetPart(&turn, k);
                ranges[i].low[k] = s == 0 ? x : fminf(ranges[i].low[k], x);
                ranges[i].high[k] = s == 0 ? x : fmaxf(ranges[i].high[k], x);
            }
        }
    }
    for (int i = 0; i < trained->jointCount && isStill; ++i) {
        for (int k = 0; k < 3; ++k) {
            ranges[i].low[k] = -tg_restRange;
            ranges[i].high[k] = tg_restRange;
        }
    }
    free(rotations);
    return tg_success;
}

static void tgWidenRange(tgTurnRange* range)
{
    for (int k = 0; k < 3; ++k) {
        range->low[k] = fmaxf(range->low[k] - tg_widen, -tg_mostTurn);
        range->high[k] = fminf(range->high[k] + tg_widen, tg_mostTurn);
    }
}

/// Does it turn at all, or stand turned?
static bool tgBends(const tgTurnRange* range)
{
    float most = 0.0f;
    for (int k = 0; k < 3; ++k) {
        most = fmaxf(most, fmaxf(fabsf(range->low[k]), fabsf(range->high[k])));
    }
    return most > tg_leastRange;
}

/// Axes from the widest range to the narrowest.
static void tgSortAxes(const tgTurnRange* range, int order[3])
{
    order[0] = 0, order[1] = 1, order[2] = 2;
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2 - i; ++k) {
            float a = range->high[order[k]] - range->low[order[k]];
            float b = range->high[order[k + 1]] - range->low[order[k + 1]];
            if (b > a) {
                int was = order[k];
                order[k] = order[k + 1];
                order[k + 1] = was;
            }
        }
    }
}

/// The rotation against the parent that a turn stands for: swing after twist.
static tgQuat tgMakeRotation(const tgDriverJoint* joint, const float* turn)
{
    tgVec3 x = tgMakeVec3(0.5f * turn[0], 0.5f * turn[1], 0.5f * turn[2]);
    float along = fminf(fmaxf(tgDot(x, joint->axis), -0.99f), 0.99f);
    tgVec3 across = tgSub(x, tgMulSV(tgDot(x, joint->axis), joint->axis));
    float length = tgLength(across);
    across = length > 0.99f ? tgMulSV(0.99f / length, across) : across;
    tgVec3 v = tgMulSV(along, joint->axis);
    tgQuat twist = {v.x, v.y, v.z, sqrtf(1.0f - along * along)};
    tgQuat swing = {across.x, across.y, across.z, sqrtf(1.0f - tgDot(across, across))};
    return tgMulQuat(joint->rest, tgMulQuat(swing, twist));
}

/// Joints of a scene in the bind pose, with some turned against their parents.
/// @param which driving joints, `count` of them, with their rotations
static void tgPoseJoints(const tgScene* scene, const tgTraining* training, const int* which,
                         int count, const tgQuat* rotations, tgMat34* joints)
{
    const tgTrained* trained = training->trained;
    for (int j = 0; j < scene->jointCount; ++j) {
        int parent = scene->joints[j].parent;
        tgMat34 back;
        joints[j] = scene->joints[j].restJoint;
        if (parent < 0 || !tgInvertMat34(&scene->joints[parent].restJoint, &back)) {
            continue;
        }
        tgMat34 local = tgMulMat34(&back, &scene->joints[j].restJoint);
        for (int i = 0; i < count; ++i) {
            int driving = which[i];
            const char* name = training->def->viewer->joints[trained->sceneJoints[driving]].name;
            bool isIt = scene == training->def->viewer ? trained->sceneJoints[driving] == j
                                                       : strcmp(name, scene->joints[j].name) == 0;
            if (isIt) { // local = T R S: only R changes
                const tgQuat rest = trained->joints[driving].rest;
                tgQuat turn = tgMulQuat(rotations[i], (tgQuat){-rest.x, -rest.y, -rest.z, rest.w});
                local.x = tgRotate(turn, local.x);
                local.y = tgRotate(turn, local.y);
                local.z = tgRotate(turn, local.z);
            }
        }
        joints[j] = tgMulMat34(&joints[parent], &local);
    }
}

/// What turgor makes of some joints' rotations, against what a viewer does.
static tgResult tgTakePose(tgTraining* training, int sample, const int* which, int count,
                           const tgQuat* rotations, tgMat34* joints, tgError* error)
{
    const tgTrainDef* def = training->def;
    tgPoseJoints(def->scene, training, which, count, rotations, joints);
    tgInstance_Reset(def->actor->instance);
    tgResult result = tgActor_Pose(def->actor, joints, error);
    if (result == tg_success) {
        tgPoseJoints(def->viewer, training, which, count, rotations, joints);
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

/// Solve A x = b for several right sides by elimination with pivots; A and b are spent.
static bool tgSolve(double* a, double* b, int n, int sides)
{
    for (int i = 0; i < n; ++i) {
        int pivot = i;
        for (int r = i + 1; r < n; ++r) {
            pivot = fabs(a[r * n + i]) > fabs(a[pivot * n + i]) ? r : pivot;
        }
        if (!(fabs(a[pivot * n + i]) > 1e-12)) {
            return false;
        }
        for (int c = 0; c < n && pivot != i; ++c) {
            double was = a[i * n + c];
            a[i * n + c] = a[pivot * n + c];
            a[pivot * n + c] = was;
        }
        for (int c = 0; c < sides && pivot != i; ++c) {
            double was = b[i * sides + c];
            b[i * sides + c] = b[pivot * sides + c];
            b[pivot * sides + c] = was;
        }
        for (int r = 0; r < n; ++r) {
            double factor = r != i ? a[r * n + i] / a[i * n + i] : 0.0;
            for (int c = i; c < n && factor != 0.0; ++c) {
                a[r * n + c] -= factor * a[i * n + c];
            }
            for (int c = 0; c < sides && factor != 0.0; ++c) {
                b[r * sides + c] -= factor * b[i * sides + c];
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int c = 0; c < sides; ++c) {
            b[i * sides + c] /= a[i * n + i];
        }
    }
    return true;
}

static double tgGetGaussian(const tgTraining* training, int a, int b)
{
    double square = 0.0;
    for (int i = 0; i < 3 * training->jointCount; ++i) {
        double gap =
            (double)(training->turns[a][i] - training->turns[b][i]) / (double)training->widths[i];
        square += gap * gap;
    }
    return exp(-0.5 * square);
}

static bool tgAllocateElement(const tgTraining* training, int centers, int targets, bool hasNormals,
                              tgTrainedElement* element)
{
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
    for (int c = 0; c < centers; ++c) {
        memcpy(numbers + (size_t)c * width, training->turns[c], width * sizeof(float));
    }
    return true;
}

/// Coefficients of Gaussians that give the samples' weights back.
static bool tgFitGaussians(const tgTraining* training, const tgCorrectives* fit,
                           tgTrainedElement* element)
{
    int n = element->driven.centerCount, sides = fit->targetCount;
    double* a = malloc((size_t)n * (size_t)n * sizeof(double));
    double* b = malloc((size_t)n * (size_t)sides * sizeof(double));
    bool good = a != NULL && b != NULL;
    for (int i = 0; i < n && good; ++i) {
        for (int k = 0; k < n; ++k) {
            a[i * n + k] =
                tgGetGaussian(training, i, k) + (i == k ? tg_ridge[training->jointCount - 1] : 0.0);
        }
        for (int t = 0; t < sides; ++t) {
            b[i * sides + t] = fit->weights[i * sides + t];
        }
    }
    good = good && tgSolve(a, b, n, sides);
    float* coefficients = (float*)element->driven.coefficients;
    for (int t = 0; t < sides && good; ++t) {
        for (int c = 0; c < n; ++c) {
            coefficients[t * n + c] = (float)b[c * sides + t];
        }
    }
    free(a);
    free(b);
    return good;
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
            double weight = 0.0;
            for (int c = 0; c < driven->centerCount; ++c) {
                double square = 0.0;
                for (int k = 0; k < 3; ++k) {
                    double gap = (double)(training->turns[sample][3 * which + k] -
                                          driven->centers[3 * c + k]) /
                                 (double)driven->widths[k];
                    square += gap * gap;
                }
                weight +=
                    (double)driven->coefficients[t * driven->centerCount + c] * exp(-0.5 * square);
            }
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

/// Deform all samples and fit targets; nothing is added where none are needed.
static tgResult tgTrainElement(tgTraining* training, int samples, tgError* error)
{
    const tgTrainDef* def = training->def;
    tgTrained* trained = training->trained;
    bool hasNormals = def->clips->normals != NULL;
    const tgScene* largest =
        def->scene->jointCount > def->viewer->jointCount ? def->scene : def->viewer;
    tgMat34* joints = malloc(((size_t)largest->jointCount + 1) * sizeof(tgMat34));
    tgResult result =
        joints != NULL ? tg_success : tgFail(error, tg_outOfMemory, -1, "no memory for a pose");
    for (int s = 0; s < samples && result == tg_success; ++s) {
        result = tgTakeTurn(training, s, joints, error);
        if (training->jointCount == 2) {
            tgTakeOff(training, s);
        }
        training->rows[s] = training->clips.offsets + (size_t)s * (size_t)def->viewer->vertexCount;
    }
    free(joints);
    tgCorrectives fit = {0};
    if (result == tg_success) {
        tgCorrectiveDef fitDef = {.frames = {.frameCount = samples,
                                             .frames = training->rows,
                                             .vertexCount = def->viewer->vertexCount,
                                             .areas = training->clips.areas,
                                             .parallel = training->clips.parallel},
                                  .goal = def->maxError * def->clips->restDiagonal,
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
        if (!tgAllocateElement(training, samples, fit.targetCount, hasNormals, element) ||
            !tgFitGaussians(training, &fit, element)) {
            result = tgFail(error, tg_outOfMemory, -1, "no memory for a driver's targets");
        } else {
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

/// Samples of one joint on a grid over its range, the rest first.
static int tgListTurns(tgTraining* training, const tgTurnRange* range)
{
    static const int levels[3] = {tg_mostLevels, 3, 3};
    int order[3];
    tgSortAxes(range, order);
    int count = 1;
    memset(training->turns[0], 0, sizeof(training->turns[0]));
    for (int i = 0; i < 3; ++i) {
        int k = order[i];
        training->widths[k] =
            tg_gaussianWidth * (range->high[k] - range->low[k]) / (float)(levels[i] - 1);
    }
    for (int a = 0; a < levels[0]; ++a) {
        for (int b = 0; b < levels[1]; ++b) {
            for (int c = 0; c < levels[2]; ++c) {
                const int at[3] = {a, b, c};
                float* turn = training->turns[count++];
                for (int i = 0; i < 3; ++i) {
                    int k = order[i];
                    float part = (float)at[i] / (float)(levels[i] - 1);
                    turn[k] = range->low[k] + part * (range->high[k] - range->low[k]);
                }
            }
        }
    }
    return count;
}

/// Samples of two joints: ends of the widest axis of each, and its middle.
static int tgListPairTurns(tgTraining* training, const tgTurnRange* first,
                           const tgTurnRange* second)
{
    const tgTurnRange* ranges[2] = {first, second};
    int axes[2], order[3];
    for (int i = 0; i < 2; ++i) {
        tgSortAxes(ranges[i], order);
        axes[i] = order[0];
        for (int k = 0; k < 3; ++k) {
            float span = ranges[i]->high[k] - ranges[i]->low[k];
            training->widths[3 * i + k] = tg_gaussianWidth * 0.5f * span;
        }
    }
    int count = 1;
    memset(training->turns[0], 0, sizeof(training->turns[0]));
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            const int at[2] = {a, b};
            float* turn = training->turns[count++];
            for (int i = 0; i < 2; ++i) {
                for (int k = 0; k < 3; ++k) {
                    float part = k == axes[i] ? 0.5f * (float)at[i] : 0.5f;
                    turn[3 * i + k] =
                        ranges[i]->low[k] + part * (ranges[i]->high[k] - ranges[i]->low[k]);
                }
            }
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
            result = tgTrainElement(training, tgListTurns(training, &ranges[i]), error);
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
                result = tgTrainElement(training, tgListPairTurns(training, &ranges[k], &ranges[i]),
                                        error);
            }
            if (tgWasInterrupted()) {
                return tgFail(error, tg_ioError, -1, "interrupted at joint %d of %d", i, count);
            }
        }
    }
    return result;
}

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
    const tgScene *scene = training->def->scene, *viewer = training->def->viewer;
    int most = scene->jointCount > viewer->jointCount ? scene->jointCount : viewer->jointCount;
    size_t count = (size_t)trained->jointCount;
    tgMat34* joints = malloc(((size_t)most + 1) * sizeof(tgMat34));
    int* which = malloc((count + 1) * sizeof(int));
    tgResult result = joints != NULL && which != NULL
                          ? tg_success
                          : tgFail(error, tg_outOfMemory, -1, "no memory for a pose");
    unsigned state = 1;
    for (int s = 0; s < tg_mostTrain && result == tg_success; ++s) {
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

/// The field of one element in a pose, added to `sum` times a factor.
static void tgAddField(const tgTraining* training, int e, const float* weights, float factor,
                       tgVec3* sum)
{
    const tgTrainedElement* element = &training->trained->elements[e];
    size_t vertexCount = (size_t)training->def->viewer->vertexCount;
    for (int t = 0; t < element->driven.targetCount; ++t) {
        float w = factor * weights[element->driven.firstTarget + t];
        const tgVec3* from = element->offsets + (size_t)t * vertexCount;
        for (size_t v = 0; v < vertexCount && w != 0.0f; ++v) {
            sum[v] = tgMulAdd(sum[v], w, from[v]);
        }
    }
}

static double tgDotFields(const tgVec3* a, const tgVec3* b, size_t count)
{
    double sum = 0.0;
    for (size_t v = 0; v < count; ++v) {
        sum += (double)tgDot(a[v], b[v]);
    }
    return sum;
}

/// One pose's part in how much elements may say: products of their fields with what is wanted, and
/// with what all together say.
/// @param weights of all targets in the pose, not clamped
/// @param fields 2 * vertexCount scratch
static void tgWeighElements(const tgTraining* training, int sample, const float* weights,
                            const double* says, tgVec3* fields, double* wanted, double* said)
{
    const tgTrained* trained = training->trained;
    size_t vertexCount = (size_t)training->def->viewer->vertexCount;
    const tgVec3* truth = training->clips.offsets + (size_t)sample * vertexCount;
    tgVec3 *all = fields, *own = fields + vertexCount;
    memset(all, 0, vertexCount * sizeof(tgVec3));
    for (int e = 0; e < trained->elementCount; ++e) {
        tgAddField(training, e, weights, (float)says[e], all);
    }
    for (int e = 0; e < trained->elementCount; ++e) {
        memset(own, 0, vertexCount * sizeof(tgVec3));
        tgAddField(training, e, weights, 1.0f, own);
        wanted[e] += tgDotFields(truth, own, vertexCount);
        said[e] += tgDotFields(all, own, vertexCount);
    }
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
            double sum = 0.0;
            for (int c = 0; c < driven->centerCount; ++c) {
                double square = 0.0;
                for (int k = 0; k < 3 * driven->jointCount; ++k) {
                    double gap =
                        (double)(turn[k] - driven->centers[3 * driven->jointCount * c + k]) /
                        (double)driven->widths[k];
                    square += gap * gap;
                }
                sum +=
                    (double)driven->coefficients[t * driven->centerCount + c] * exp(-0.5 * square);
            }
            weights[driven->firstTarget + t] = (float)sum;
        }
    }
}

static void tgNumberTargets(tgTrained* trained)
{
    int targets = 0;
    for (int e = 0; e < trained->elementCount; ++e) {
        trained->elements[e].driven.firstTarget = targets;
        targets += trained->elements[e].driven.targetCount;
    }
    trained->driver.targetCount = targets;
}

/// How much each element may say, by poses of all joints: says *= (wanted / said)^(1/2), round by
/// round, which tends to the least squares.
static tgResult tgBalanceElements(tgTraining* training, const tgTurnRange* ranges, tgError* error)
{
    tgTrained* trained = training->trained;
    tgNumberTargets(trained);
    size_t count = (size_t)trained->elementCount + 1;
    size_t vertexCount = (size_t)training->def->viewer->vertexCount;
    double* says = calloc(3 * count, sizeof(double));
    double *wanted = says + count, *said = says + 2 * count;
    tgVec3* fields = malloc(2 * vertexCount * sizeof(tgVec3));
    float* weights = malloc(((size_t)trained->driver.targetCount + 1) * sizeof(float));
    tgQuat* rotations = malloc(((size_t)trained->jointCount + 1) * tg_mostTrain * sizeof(tgQuat));
    tgResult result = says != NULL && fields != NULL && weights != NULL && rotations != NULL
                          ? tgTakeRandomPoses(training, ranges, rotations, error)
                          : tgFail(error, tg_outOfMemory, -1, "no memory for the elements");
    for (int e = 0; e < trained->elementCount && result == tg_success; ++e) {
        says[e] = 1.0;
    }
    for (int round = 0; round < tg_balanceRounds && result == tg_success; ++round) {
        memset(wanted, 0, 2 * count * sizeof(double));
        for (int s = 0; s < tg_mostTrain; ++s) {
            tgEvaluate(trained, rotations + (size_t)s * (size_t)trained->jointCount, weights);
            tgWeighElements(training, s, weights, says, fields, wanted, said);
        }
        for (int e = 0; e < trained->elementCount; ++e) {
            double ratio = said[e] > 0.0 ? sqrt(fmax(wanted[e] / said[e], 0.0)) : 1.0;
            says[e] = fmin(says[e] * fmin(fmax(ratio, 0.0), 2.0), tg_mostSay);
        }
    }
    for (int e = 0; e < trained->elementCount && result == tg_success; ++e) {
        tgDriverElement* driven = &trained->elements[e].driven;
        for (int i = 0; i < driven->targetCount * driven->centerCount; ++i) {
            ((float*)driven->coefficients)[i] *= (float)says[e];
        }
    }
    free(says);
    free(fields);
    free(weights);
    free(rotations);
    return result;
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
    tgResult result = tgListJoints(def, trained, error);
    size_t count = (size_t)trained->jointCount;
    tgTurnRange* ranges = calloc(count + 1, sizeof(*ranges));
    trained->elements = calloc(count * (count + 1) / 2 + 1, sizeof(*trained->elements));
    if (result == tg_success && (ranges == NULL || trained->elements == NULL)) {
        result = tgFail(error, tg_outOfMemory, -1, "no memory for %zu joints", count);
    }
    if (result == tg_success) {
        result = tgClips_Make(&training.clips, def->viewer, def->actor, def->pool, tg_mostTrain,
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
