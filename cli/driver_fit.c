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
#include "bind/dense.h"
#include "bind/rows.h"
#include "core/core.h"
#include "core/gaussian.h"
#include "core/polar.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_mostTrain = 48,   ///< samples of one joint
    tg_pairTrain = 24,   ///< of two
    tg_firstSamples = 8, ///< that tell whether the others need be asked
    tg_pairTargets = 3,  ///< targets of a pair at most
    tg_poseCount = 128,  ///< of all joints at once
    tg_fewVertices = 4096,
};

/// 20 degrees as twice the sine of half the angle; and the most that a turn can be told by.
static const float tg_widen = 0.3473f, tg_mostTurn = 1.9f;
/// A joint whose range is less bends nothing: 2 degrees.
static const float tg_leastRange = 0.035f;
/// Two joints meet where a vertex follows both by more than this.
static const float tg_leastShare = 0.1f;
/// Gaussians are so wide, in parts of the range.
static const float tg_gaussianWidth = 0.5f;
/// What keeps coefficients small, for one joint and for two, in parts of a sample's kernel.
static const double tg_ridge[] = {1e-3, 1e-2};
/// What targets of one joint and of two say before poses of all joints were asked, in parts of what
/// they were trained to: in chains of joints pairs tell the same thing again. And how far that
/// weighs against the poses.
static const double tg_prior[] = {1.0, 0.6}, tg_doubt = 0.1;
/// Elements that nowhere move skin by more than this part of the error allowed are left out.
static const float tg_leastMove = 0.25f;
/// The range of a joint when there are no clips: 60 degrees to each side.
static const float tg_restRange = 1.0f;

/// Joints of two scenes are the same within this, in diagonals and in lengths of their axes.
static const float tg_sameJoint = 1e-3f;

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

static float tgGetGap(const tgMat34* a, const tgMat34* b)
{
    return fmaxf(fmaxf(tgDistance(a->x, b->x), tgDistance(a->y, b->y)), tgDistance(a->z, b->z));
}

/// The viewer's scene may be another one than the character's, written and read again. Its joints
/// have to be the same at the same places of the list; names tell nothing, joints may share them.
static tgResult tgCheckJoints(const tgTrainDef* def, tgError* error)
{
    const tgScene *scene = def->scene, *viewer = def->viewer;
    if (scene->jointCount != viewer->jointCount) {
        return tgFail(error, tg_unsupported, -1,
                      "it has %d joints, and %d when it is written as glTF; save it as .glb first, "
                      "with turgor bind or another program",
                      scene->jointCount, viewer->jointCount);
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        const tgMat34 *a = &scene->joints[j].restJoint, *b = &viewer->joints[j].restJoint;
        float size = tgLength(a->x) + tgLength(a->y) + tgLength(a->z);
        if (tgGetGap(a, b) > tg_sameJoint * size ||
            tgDistance(a->origin, b->origin) > tg_sameJoint * def->clips->restDiagonal) {
            return tgFail(error, tg_unsupported, j,
                          "joint %d is another one when it is written as glTF; save it as .glb "
                          "first, with turgor bind or another program",
                          j);
        }
    }
    return tg_success;
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

/// What turgor makes of some joints' rotations, against what a viewer does. Both have the same
/// joints, see tgCheckJoints, so one pose serves both.
static tgResult tgTakePose(tgTraining* training, int sample, const int* which, int count,
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

static void tgNumberTargets(tgTrained* trained)
{
    int targets = 0;
    for (int e = 0; e < trained->elementCount; ++e) {
        trained->elements[e].driven.firstTarget = targets;
        targets += trained->elements[e].driven.targetCount;
    }
    trained->driver.targetCount = targets;
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

static tgResult tgBalanceElements(tgTraining* training, const tgTurnRange* ranges, tgError* error)
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
