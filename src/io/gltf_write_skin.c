// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene's skin as glTF: inverse bind matrices, and joints and weights in sets of four. Within a
// vertex joints are different and weights are positive with the sum 1, as glTF wants them; the
// largest come first when there is more than one set, for viewers that read only that one.

#include "io/gltf_write.h"

#include "core/core.h"

#include <stdlib.h>
#include <string.h>

/// Weights whose sum is off by less than this for each of them keep their bits.
static const double tg_weightSumSlop = 1e-7;

enum { tg_mostJoints = 65535 }; ///< indices of 16 bits

typedef struct tgInfluence {
    int joint;
    double weight;
} tgInfluence;

void tgWriteSkin(tgSceneWriter* writer)
{
    const tgScene* scene = writer->scene;
    tgGltfBuilder* builder = &writer->builder;
    if (scene->jointCount < 1 || scene->influencesPerVertex < 1) {
        return;
    }
    if (scene->jointCount > tg_mostJoints) {
        tgGltfBuilder_Fail(builder, tg_unsupported, -1, "%d joints, glTF can tell %d apart",
                           scene->jointCount, tg_mostJoints);
        return;
    }
    float* matrices = calloc((size_t)scene->jointCount, 16 * sizeof(float));
    tgJsonValue* joints = tgMakeJsonList(&builder->arena);
    if (matrices == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the bind matrices");
    }
    for (int j = 0; j < scene->jointCount && matrices != NULL; ++j) {
        tgMat34 inverse = tgIdentityMat34();
        bool isFinite = tgIsFiniteMat34(&scene->joints[j].restJoint);
        if (!isFinite || !tgInvertMat34(&scene->joints[j].restJoint, &inverse)) {
            tgGltfBuilder_Fail(builder, tg_invalidMesh, j,
                               "the bind transform of joint %d, \"%s\", %s", j,
                               scene->joints[j].name,
                               isFinite ? "flattens space, expected one that can be inverted"
                                        : "has a NaN or an infinity, expected finite numbers");
        }
        float* m = matrices + 16 * (size_t)j;
        memcpy(m, &inverse.x, sizeof(tgVec3));
        memcpy(m + 4, &inverse.y, sizeof(tgVec3));
        memcpy(m + 8, &inverse.z, sizeof(tgVec3));
        memcpy(m + 12, &inverse.origin, sizeof(tgVec3));
        m[15] = 1.0f;
        tgGltfBuilder_Append(builder, joints,
                             tgMakeJsonWhole(&builder->arena, writer->jointNodes[j]));
    }
    tgGltfArray array = {matrices,        matrices != NULL ? scene->jointCount : 0,
                         tg_gltfFloat,    16,
                         tg_gltfNoTarget, false};
    int accessor = tgGltfBuilder_AddArray(builder, &array);
    free(matrices);
    tgJsonValue* skin = tgPackJson(&builder->arena, "{s:i, s:o}", "inverseBindMatrices", accessor,
                                   "joints", joints);
    tgGltfBuilder_Append(builder, tgGltfBuilder_GetArray(builder, "skins"), skin);
    writer->skin = 0;
}

static int tgCompareInfluences(const void* left, const void* right)
{
    const tgInfluence* a = left;
    const tgInfluence* b = right;
    int order = (a->weight < b->weight) - (a->weight > b->weight);
    return order != 0 ? order : (a->joint > b->joint) - (a->joint < b->joint);
}

/// The influences of a vertex that count, each joint once; how many they are.
static int tgCollectInfluences(tgSceneWriter* writer, int v, tgInfluence* influences)
{
    const tgScene* scene = writer->scene;
    size_t start = (size_t)v * (size_t)scene->influencesPerVertex;
    int count = 0;
    double sum = 0.0;
    for (int k = 0; k < scene->influencesPerVertex; ++k) {
        int joint = scene->influenceJoints[start + (size_t)k];
        float weight = scene->influenceWeights[start + (size_t)k];
        if (!(weight > 0.0f) || !isfinite(weight)) {
            continue;
        }
        if (joint < 0 || joint >= scene->jointCount) {
            tgGltfBuilder_Fail(&writer->builder, tg_invalidMesh, v,
                               "vertex %d has a weight for joint %d, the scene has %d", v, joint,
                               scene->jointCount);
            return 0;
        }
        int at = 0;
        while (at < count && influences[at].joint != joint) {
            at += 1;
        }
        influences[at] =
            (tgInfluence){joint, (at < count ? influences[at].weight : 0.0) + (double)weight};
        count = at == count ? count + 1 : count;
        sum += (double)weight;
    }
    if (count == 0) {
        tgGltfBuilder_Fail(&writer->builder, tg_invalidMesh, v,
                           "vertex %d has no weight above 0, expected a sum of 1", v);
    }
    for (int k = 0; k < count && fabs(sum - 1.0) > tg_weightSumSlop * count; ++k) {
        influences[k].weight /= sum;
    }
    if (count > 4) {
        qsort(influences, (size_t)count, sizeof(*influences), tgCompareInfluences);
    }
    return count;
}

/// One set of four joints and weights for all vertices of a range.
static void tgWriteSet(tgSceneWriter* writer, tgVertexRange range, int set, const uint16_t* joints,
                       const float* weights, tgJsonValue* attributes)
{
    tgGltfBuilder* builder = &writer->builder;
    size_t count = 4 * (size_t)range.vertexCount;
    bool isByte = writer->scene->jointCount <= 256;
    tgGltfBuilder_BeginView(builder);
    for (size_t i = 0; i < count; ++i) {
        // Little endian: the first byte is the low one.
        tgGltfBuilder_Write(builder, &joints[i], isByte ? 1 : 2);
    }
    int view = tgGltfBuilder_EndView(builder, tg_gltfVertices, 0);
    tgJsonValue* accessor =
        tgPackJson(&builder->arena, "{s:i, s:i, s:i, s:s}", "bufferView", view, "componentType",
                   isByte ? tg_gltfUnsignedByte : tg_gltfUnsignedShort, "count", range.vertexCount,
                   "type", "VEC4");
    char key[32];
    snprintf(key, sizeof(key), "JOINTS_%d", set);
    tgGltfBuilder_SetWhole(builder, attributes, key, tgGltfBuilder_AddAccessor(builder, accessor));
    tgGltfArray array = {weights, range.vertexCount, tg_gltfFloat, 4, tg_gltfVertices, false};
    snprintf(key, sizeof(key), "WEIGHTS_%d", set);
    tgGltfBuilder_SetWhole(builder, attributes, key, tgGltfBuilder_AddArray(builder, &array));
}

void tgWriteInfluences(tgSceneWriter* writer, tgVertexRange range, tgJsonValue* attributes)
{
    size_t perVertex = ((size_t)writer->scene->influencesPerVertex + 3) / 4 * 4;
    size_t setSize = 4 * (size_t)range.vertexCount;
    uint16_t* joints = calloc(setSize * (perVertex / 4), sizeof(*joints));
    float* weights = calloc(setSize * (perVertex / 4), sizeof(*weights));
    tgInfluence* influences = malloc(perVertex * sizeof(*influences));
    int most = 1;
    if (joints == NULL || weights == NULL || influences == NULL) {
        tgGltfBuilder_Fail(&writer->builder, tg_outOfMemory, -1, "no memory for the weights");
    }
    for (int i = 0; i < range.vertexCount && !tgGltfBuilder_HasFailed(&writer->builder); ++i) {
        int count = tgCollectInfluences(writer, range.firstVertex + i, influences);
        most = count > most ? count : most;
        for (int k = 0; k < count; ++k) {
            size_t at = (size_t)(k / 4) * setSize + 4 * (size_t)i + (size_t)(k % 4);
            joints[at] = (uint16_t)influences[k].joint;
            weights[at] = (float)influences[k].weight;
        }
    }
    for (int set = 0; set < (most + 3) / 4 && !tgGltfBuilder_HasFailed(&writer->builder); ++set) {
        tgWriteSet(writer, range, set, joints + (size_t)set * setSize,
                   weights + (size_t)set * setSize, attributes);
    }
    free(joints);
    free(weights);
    free(influences);
}
