// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skin weights of a document as the reader mended them. Some viewers bring weights to a sum of one
// and some do not; a file whose sums are one looks the same in all of them.

#include "io/gltf_correctives.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Sums further off than this, for each weight, are worth a new accessor: what glTF allows.
static const float tg_sumSlop = 2e-7f;

/// Floats of an attribute of a primitive, 4 for each vertex; NULL when there is none. Without
/// memory the work fails: weights that cannot be read are not unsound.
static float* tgReadSet(tgCorrectivesWork* work, const tgJsonValue* attributes, const char* key,
                        int vertexCount)
{
    const tgJsonValue* index = tgJson_Find(attributes, key);
    tgGltfAccessor accessor;
    if (!tgJson_IsWhole(index) ||
        tgGltfSource_GetAccessor(work->source, (int)tgJson_GetWhole(index), &accessor, NULL) !=
            tg_success ||
        accessor.count != vertexCount || accessor.componentCount != 4) {
        return NULL;
    }
    float* values = malloc(4 * ((size_t)vertexCount + 1) * sizeof(float));
    if (values == NULL) {
        tgGltfBuilder_Fail(&work->builder, tg_outOfMemory, -1, "no memory for skin weights");
        return NULL;
    }
    accessor.normalized = strncmp(key, "WEIGHTS", 7) == 0;
    tgGltfAccessor_CopyFloats(&accessor, values);
    return values;
}

/// Adds one set to the sums; false when a joint leads nowhere or comes twice.
static bool tgAddSet(const float* joints, const float* weights, int vertexCount, int jointCount,
                     float* sums, float* counts)
{
    for (int v = 0; v < vertexCount; ++v) {
        for (int k = 0; k < 4; ++k) {
            float joint = joints[4 * v + k], weight = weights[4 * v + k];
            if (joint >= (float)jointCount) {
                return false;
            }
            for (int i = 0; i < k && weight > 0.0f; ++i) {
                if (joints[4 * v + i] == joint && weights[4 * v + i] > 0.0f) {
                    return false;
                }
            }
            sums[v] += weight;
            counts[v] += weight > 0.0f ? 1.0f : 0.0f;
        }
    }
    return true;
}

static int tgCountSets(const tgJsonValue* attributes)
{
    int count = 0;
    char key[24];
    do {
        snprintf(key, sizeof(key), "JOINTS_%d", count++);
    } while (tgJson_Find(attributes, key) != NULL);
    return count - 1;
}

/// Do all vertices have weights of sum one on joints that are there?
static bool tgAreInfluencesSound(tgCorrectivesWork* work, const tgJsonValue* attributes,
                                 int vertexCount, int jointCount, int setCount)
{
    float* sums = calloc(2 * ((size_t)vertexCount + 1), sizeof(float));
    float* counts = sums + vertexCount;
    bool sound = sums != NULL;
    if (sums == NULL) {
        tgGltfBuilder_Fail(&work->builder, tg_outOfMemory, -1, "no memory for skin weights");
    }
    for (int s = 0; s < setCount && sound; ++s) {
        char key[24];
        snprintf(key, sizeof(key), "JOINTS_%d", s);
        float* joints = tgReadSet(work, attributes, key, vertexCount);
        snprintf(key, sizeof(key), "WEIGHTS_%d", s);
        float* weights = tgReadSet(work, attributes, key, vertexCount);
        sound = joints != NULL && weights != NULL &&
                tgAddSet(joints, weights, vertexCount, jointCount, sums, counts);
        free(joints);
        free(weights);
    }
    for (int v = 0; v < vertexCount && sound; ++v) {
        sound = fabsf(sums[v] - 1.0f) <= tg_sumSlop * counts[v];
    }
    free(sums);
    return sound;
}

/// The place of each node in a skin's list of joints.
static int* tgListPlaces(const tgCorrectivesWork* work, const tgJsonValue* joints)
{
    int* places = calloc((size_t)work->source->nodeCount + 1, sizeof(int));
    for (size_t i = tgJson_CountItems(joints); i-- > 0 && places != NULL;) {
        long long node = tgJson_GetWhole(tgJson_GetItem(joints, i));
        if (node >= 0 && node < work->source->nodeCount) {
            places[node] = (int)i;
        }
    }
    return places;
}

/// One pair of JOINTS_n and WEIGHTS_n from the scene's influences 4 n to 4 n + 3.
static void tgWriteSet(tgCorrectivesWork* work, const tgScenePart* part, const int* places, int set,
                       tgJsonValue* attributes)
{
    const tgScene* scene = work->file->scene;
    tgGltfBuilder* builder = &work->builder;
    size_t count = 4 * (size_t)part->vertexCount;
    uint16_t* joints = calloc(count + 1, sizeof(uint16_t));
    float* weights = calloc(count + 1, sizeof(float));
    if (joints == NULL || weights == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for skin weights");
    } else {
        for (int v = 0; v < part->vertexCount; ++v) {
            size_t row = (size_t)(part->firstVertex + v) * (size_t)scene->influencesPerVertex;
            for (int k = 0; k < 4 && 4 * set + k < scene->influencesPerVertex; ++k) {
                float weight = scene->influenceWeights[row + (size_t)(4 * set + k)];
                int joint = scene->influenceJoints[row + (size_t)(4 * set + k)];
                int node = work->source->gltfNodes[scene->joints[joint].node];
                weights[4 * v + k] = weight;
                joints[4 * v + k] = weight > 0.0f ? (uint16_t)places[node] : 0;
            }
        }
        char key[24];
        tgGltfArray jointArray = {joints, part->vertexCount, tg_gltfUnsignedShort,
                                  4,      tg_gltfVertices,   false};
        tgGltfArray weightArray = {weights, part->vertexCount, tg_gltfFloat,
                                   4,       tg_gltfVertices,   false};
        snprintf(key, sizeof(key), "JOINTS_%d", set);
        tgGltfBuilder_SetWhole(builder, attributes, key,
                               tgGltfBuilder_AddArray(builder, &jointArray));
        snprintf(key, sizeof(key), "WEIGHTS_%d", set);
        tgGltfBuilder_SetWhole(builder, attributes, key,
                               tgGltfBuilder_AddArray(builder, &weightArray));
    }
    free(joints);
    free(weights);
}

void tgMendInfluences(tgCorrectivesWork* work, int part, tgJsonValue* primitive)
{
    const tgScenePart* range = &work->file->scene->parts[part];
    tgJsonValue* attributes = tgJson_Find(primitive, "attributes");
    const tgJsonValue* skins = tgJson_Find(work->source->document, "skins");
    const tgJsonValue* skin = tgJson_GetItem(skins, (size_t)work->source->parts[part].skin);
    const tgJsonValue* joints = tgJson_Find(skin, "joints");
    int jointCount = (int)tgJson_CountItems(joints);
    int setCount = tgCountSets(attributes);
    if (tgAreInfluencesSound(work, attributes, range->vertexCount, jointCount, setCount)) {
        return;
    }
    int* places = tgListPlaces(work, joints);
    if (places == NULL) {
        tgGltfBuilder_Fail(&work->builder, tg_outOfMemory, -1, "no memory for skin weights");
        return;
    }
    for (int s = 0; s < setCount; ++s) {
        tgWriteSet(work, range, places, s, attributes);
    }
    free(places);
}

/// Is a node of the document another one or below it?
static bool tgIsBelow(const tgCorrectivesWork* work, long long node, long long above)
{
    const tgScene* scene = work->file->scene;
    bool isListed = node >= 0 && node < work->source->nodeCount;
    int at = isListed ? work->source->sceneNodes[node] : -1;
    while (at >= 0 && work->source->gltfNodes[at] != above) {
        at = scene->nodes[at].parent;
    }
    return at >= 0;
}

void tgMendSkeletons(tgCorrectivesWork* work)
{
    tgJsonValue *skin = NULL, *joint = NULL;
    for (size_t s = 0;
         (skin = tgJson_GetItem(tgJson_Find(work->builder.document, "skins"), s)) != NULL; ++s) {
        const tgJsonValue* skeleton = tgJson_Find(skin, "skeleton");
        bool isRoot = true;
        for (size_t j = 0; (joint = tgJson_GetItem(tgJson_Find(skin, "joints"), j)) != NULL; ++j) {
            isRoot = isRoot && tgIsBelow(work, tgJson_GetWhole(joint), tgJson_GetWhole(skeleton));
        }
        if (skeleton != NULL && !isRoot) {
            tgJson_Remove(skin, "skeleton");
        }
    }
}
