// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A trained driver as it leaves. Weights are shifted and scaled to 0 to 1 as those of clips are,
// and what the shifts leave goes into one constant target.

#include "driver_file.h"

#include "core/core.h"
#include "io/json.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Offsets shorter than this part of the error allowed are left out; one step of the grid.
static const float tg_leftOutPart = 0.05f, tg_stepPart = 0.02f;
static const float tg_shortNormal = 0.01f;
enum { tg_normalExponent = -8 };
/// Bytes of a joint's name that a target's has.
enum { tg_longestJointName = 60 };
/// Room at both ends of a weight's range, in parts of it.
static const float tg_margin = 0.1f;

/// The smallest and the largest weight of a target at its own samples, 0 among them.
static void tgFindSpan(const tgDriverElement* element, int target, float* low, float* high)
{
    int width = 3 * element->jointCount;
    *low = *high = 0.0f;
    for (int s = 0; s < element->centerCount; ++s) {
        double weight = tgEvaluateTarget(element, target, element->centers + s * width);
        *low = fminf(*low, (float)weight);
        *high = fmaxf(*high, (float)weight);
    }
    float margin = tg_margin * (*high - *low);
    *low -= margin;
    *high += margin;
}

/// Weights of 0 to 1 for one element; its targets grow by as much.
static void tgShiftElement(tgTrainedElement* element, size_t vertexCount, tgVec3* constant,
                           tgVec3* constantNormals)
{
    tgDriverElement* driven = &element->driven;
    for (int t = 0; t < driven->targetCount; ++t) {
        float low, high;
        tgFindSpan(driven, t, &low, &high);
        float span = high > low ? high - low : 1.0f;
        float* a = (float*)driven->coefficients + t * driven->centerCount;
        for (int c = 0; c < driven->centerCount; ++c) {
            a[c] /= span;
        }
        ((float*)driven->biases)[t] = -low / span;
        for (size_t v = 0; v < vertexCount; ++v) {
            tgVec3* offset = &element->offsets[(size_t)t * vertexCount + v];
            constant[v] = tgMulAdd(constant[v], low, *offset);
            *offset = tgMulSV(span, *offset);
        }
        for (size_t v = 0; v < vertexCount && element->normals != NULL; ++v) {
            tgVec3* normal = &element->normals[(size_t)t * vertexCount + v];
            constantNormals[v] = tgMulAdd(constantNormals[v], low, *normal);
            *normal = tgMulSV(span, *normal);
        }
    }
}

/// Copy the part of a target that lies on a mesh, without what is too short to see.
static void tgCopyPart(const tgVec3* from, int count, float shortest, int exponent, tgVec3* to)
{
    float step = ldexpf(1.0f, exponent);
    for (int v = 0; v < count; ++v) {
        tgVec3 p = from[v];
        bool isShort = tgLength(p) < shortest;
        to[v] = isShort ? tgMakeVec3(0.0f, 0.0f, 0.0f) : tgRoundVector(p, step);
    }
}

/// The targets of a mesh: the constant one, then those of all elements.
static void tgFillMesh(const tgTrained* trained, const tgShownMesh* shown, const tgVec3* constant,
                       const tgVec3* constantNormals, size_t sceneCount, float shortest,
                       const tgFitted* fitted, tgFittedMesh* mesh)
{
    size_t first = (size_t)shown->firstVertices[0];
    int count = shown->vertexCount;
    tgCopyPart(constant + first, count, shortest, fitted->offsetExponent, mesh->offsets);
    if (mesh->normals != NULL) {
        tgCopyPart(constantNormals + first, count, tg_shortNormal, tg_normalExponent,
                   mesh->normals);
    }
    size_t at = (size_t)count;
    for (int e = 0; e < trained->elementCount; ++e) {
        const tgTrainedElement* element = &trained->elements[e];
        for (int t = 0; t < element->driven.targetCount; ++t, at += (size_t)count) {
            size_t from = (size_t)t * sceneCount + first;
            tgCopyPart(element->offsets + from, count, shortest, fitted->offsetExponent,
                       mesh->offsets + at);
            if (mesh->normals != NULL) {
                tgCopyPart(element->normals + from, count, tg_shortNormal, tg_normalExponent,
                           mesh->normals + at);
            }
        }
    }
}

/// Weights of the driver at all samples, on all meshes.
static bool tgFillWeights(const tgTrained* trained, const tgClips* clips, tgFitted* fitted)
{
    tgQuat* rotations = malloc(((size_t)trained->jointCount + 1) * sizeof(tgQuat));
    float* weights = malloc(((size_t)trained->driver.targetCount + 1) * sizeof(float));
    bool good = rotations != NULL && weights != NULL;
    for (int s = 0; s < clips->sampleCount && good; ++s) {
        tgGetRotations(trained, clips, s, rotations);
        tgDriver_GetWeights(&trained->driver, rotations, weights + 1);
        weights[0] = 1.0f;
        for (int m = 0; m < fitted->meshCount; ++m) {
            memcpy(tgGetWeights(&fitted->meshes[m], clips, 0, s), weights,
                   (size_t)fitted->meshes[m].targetCount * sizeof(float));
        }
    }
    free(rotations);
    free(weights);
    return good;
}

/// Bytes of a joint's name that a target's has, cut where a letter begins.
static int tgCutName(const char* name)
{
    size_t length = strlen(name);
    if (length > tg_longestJointName) {
        length = tg_longestJointName;
        while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) {
            length -= 1;
        }
    }
    return (int)length;
}

/// Is this what only one joint is called?
static bool tgIsOwnName(const tgScene* viewer, int joint)
{
    const char* name = viewer->joints[joint].name;
    int length = tgCutName(name);
    bool isOwn =
        memchr(name, '#', (size_t)length) == NULL && memchr(name, '+', (size_t)length) == NULL;
    for (int j = 0; j < viewer->jointCount && isOwn; ++j) {
        const char* other = viewer->joints[j].name;
        isOwn =
            j == joint || tgCutName(other) != length || memcmp(name, other, (size_t)length) != 0;
    }
    return isOwn;
}

/// What a target's name calls a joint: its name, with #N for joint N where others might be called
/// so. No two joints, and no two pairs told as A+B, come out the same.
static tgDriverName tgNameJoint(const tgScene* viewer, int joint)
{
    tgDriverName label;
    const char* name = viewer->joints[joint].name;
    char number[16] = "";
    if (!tgIsOwnName(viewer, joint)) {
        snprintf(number, sizeof(number), "#%d", joint);
    }
    snprintf(label.text, sizeof(label.text), "%.*s%s", tgCutName(name), name, number);
    return label;
}

static tgDriverName* tgNameTargets(const tgTrained* trained, const tgScene* viewer)
{
    tgDriverName* names = calloc((size_t)trained->driver.targetCount + 2, sizeof(*names));
    if (names == NULL) {
        return NULL;
    }
    snprintf(names[0].text, sizeof(names[0].text), "turgor");
    int at = 1;
    for (int e = 0; e < trained->elementCount; ++e) {
        const tgTrainedElement* element = &trained->elements[e];
        bool isPair = element->driven.jointCount == 2;
        tgDriverName first = tgNameJoint(viewer, element->joints[0]), second = {""};
        if (isPair) {
            second = tgNameJoint(viewer, element->joints[1]);
        }
        for (int t = 0; t < element->driven.targetCount; ++t) {
            snprintf(names[at++].text, sizeof(names[0].text), "turgor_%.80s%s%.80s_%d", first.text,
                     isPair ? "+" : "", second.text, t + 1);
        }
    }
    return names;
}

tgResult tgFitDriver(tgTrained* trained, const tgClips* clips, const tgShownMeshes* meshes,
                     float maxError, tgFitted* fitted, tgDriverName** names, tgError* error)
{
    size_t vertexCount = (size_t)clips->viewer->vertexCount;
    float allowed = maxError * clips->restDiagonal;
    tgVec3* constant = calloc(2 * vertexCount + 1, sizeof(tgVec3));
    *names = tgNameTargets(trained, clips->viewer);
    bool good = tgMakeFitted(clips, meshes, fitted, error) == tg_success && constant != NULL &&
                *names != NULL;
    fitted->offsetExponent = (int)floorf(log2f(tg_stepPart * allowed));
    fitted->normalExponent = tg_normalExponent;
    for (int e = 0; e < trained->elementCount && good; ++e) {
        tgShiftElement(&trained->elements[e], vertexCount, constant, constant + vertexCount);
        trained->driven[e] = trained->elements[e].driven;
    }
    for (int m = 0; m < meshes->count && good; ++m) {
        good = tgMakeFittedMesh(trained->driver.targetCount + 1, meshes->meshes[m].vertexCount,
                                clips->sampleCount, clips->normals != NULL, &fitted->meshes[m]);
        if (good) {
            tgFillMesh(trained, &meshes->meshes[m], constant, constant + vertexCount, vertexCount,
                       tg_leftOutPart * allowed, fitted, &fitted->meshes[m]);
        }
    }
    good = good && tgFillWeights(trained, clips, fitted);
    free(constant);
    if (!good) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d targets of a driver",
                      trained->driver.targetCount);
    }
    return tgMeasureVolumes(clips, meshes, fitted, error);
}

tgResult tgScoreDriver(const tgClips* clips, const tgShownMeshes* meshes, const tgFitted* fitted,
                       tgDriverScore* score, tgError* error)
{
    tgFitted plain;
    tgResult result = tgMakeFitted(clips, meshes, &plain, error);
    if (result == tg_success) {
        result = tgMeasureVolumes(clips, meshes, &plain, error);
    }
    double sums[4] = {0};
    for (int s = 0; s < clips->sampleCount && result == tg_success; ++s) {
        if (clips->samples[s].isFrame) {
            sums[0] += fitted->squares[s];
            sums[1] += plain.squares[s];
            sums[2] += fitted->volumeErrors[s] * fitted->volumeErrors[s];
            sums[3] += plain.volumeErrors[s] * plain.volumeErrors[s];
        }
    }
    score->rms = sums[1] > 0.0 ? sqrt(sums[0] / sums[1]) : 0.0;
    score->volume = sums[3] > 0.0 ? sqrt(sums[2] / sums[3]) : 0.0;
    tgFreeFitted(&plain);
    return result;
}

/// Numbers as JSON, row after row.
static tgJsonValue* tgMakeRows(tgArena* arena, const float* numbers, int rows, int width)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int r = 0; r < rows; ++r) {
        tgJson_Append(list, tgMakeJsonFloats(arena, numbers + (ptrdiff_t)r * width, width));
    }
    return list;
}

static tgJsonValue* tgMakeElement(tgArena* arena, const tgDriverElement* element)
{
    int width = 3 * element->jointCount;
    tgJsonValue* joints = tgMakeJsonList(arena);
    for (int j = 0; j < element->jointCount; ++j) {
        tgJson_Append(joints, tgMakeJsonWhole(arena, element->joints[j]));
    }
    return tgPackJson(
        arena, "{s:o, s:i, s:i, s:o, s:o, s:o, s:o}", "joints", joints, "firstTarget",
        element->firstTarget, "targetCount", element->targetCount, "widths",
        tgMakeJsonFloats(arena, element->widths, width), "centers",
        tgMakeRows(arena, element->centers, element->centerCount, width), "coefficients",
        tgMakeRows(arena, element->coefficients, element->targetCount, element->centerCount),
        "biases", tgMakeJsonFloats(arena, element->biases, element->targetCount));
}

static tgJsonValue* tgMakeDriverJson(tgArena* arena, const tgTrained* trained,
                                     const tgScene* viewer, const tgDriverName* names)
{
    tgJsonValue *joints = tgMakeJsonList(arena), *targets = tgMakeJsonList(arena),
                *elements = tgMakeJsonList(arena);
    for (int i = 0; i < trained->jointCount; ++i) {
        const tgDriverJoint* joint = &trained->joints[i];
        const tgSceneJoint* scene = &viewer->joints[trained->sceneJoints[i]];
        tgJson_Append(joints, tgPackJson(arena, "{s:s, s:s, s:o, s:o}", "name", scene->name,
                                         "parent", viewer->joints[scene->parent].name, "rest",
                                         tgMakeJsonFloats(arena, &joint->rest.x, 4), "axis",
                                         tgMakeJsonFloats(arena, &joint->axis.x, 3)));
    }
    for (int t = 0; t < trained->driver.targetCount; ++t) {
        tgJson_Append(targets, tgMakeJsonText(arena, names[t + 1].text));
    }
    for (int e = 0; e < trained->elementCount; ++e) {
        tgJson_Append(elements, tgMakeElement(arena, &trained->elements[e].driven));
    }
    return tgPackJson(arena, "{s:i, s:s, s:o, s:o, s:o}", "turgorDriver", 1, "constant",
                      names[0].text, "joints", joints, "targets", targets, "elements", elements);
}

tgResult tgWriteDriver(const tgTrained* trained, const tgScene* viewer, const tgDriverName* names,
                       tgOutputFile* file, tgError* error)
{
    static const tgJsonLook look = {.digits = 9};
    tgArena arena = {0};
    const tgJsonValue* json = tgMakeDriverJson(&arena, trained, viewer, names);
    // What finds no memory is left out of its list, and the arena knows.
    char* text = arena.ranOut || json == NULL ? NULL : tgFormatJson(json, &look);
    tgArena_Free(&arena);
    if (text == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the driver's numbers");
    }
    tgResult result = tgOutputFile_Write(file, text, strlen(text), error);
    if (result == tg_success) {
        result = tgOutputFile_Write(file, "\n", 1, error);
    }
    if (result == tg_success) {
        result = tgOutputFile_Finish(file, error);
    }
    free(text);
    return result;
}
