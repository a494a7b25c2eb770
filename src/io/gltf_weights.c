// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which joints move each vertex: all JOINTS_n and WEIGHTS_n of a part, merged, sorted by weight and
// brought to a sum of one. What a file got wrong is mended where the intent is plain, and told once
// with a count; a weight on a joint that does not exist is an error.

#include "core/core.h"
#include "io/gltf_read.h"
#include "io/number_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Sums this far from one are not worth a word. Bytes are coarse: four weights rounded to 1/255 may
/// be off by two steps.
static const float tg_weightSlop = 1e-3f;
static const float tg_byteWeightSlop = 2.5f / 255.0f;

/// When there is a word to say, it counts the vertices beyond what the specification allows: so
/// much for each weight, summed in float (section 3.7.3.3).
static const float tg_weightTolerance = 2e-7f;

enum { tg_mostInfluences = 256 }; ///< 64 sets of four

/// Counted over all parts, told at the end.
typedef struct tgWeightTrouble {
    int scaledCount; ///< vertices whose weights had another sum than one
    float lowestSum, highestSum;
    bool isWorthTelling;  ///< some sum was further off than rounding explains
    int unboundCount;     ///< vertices without any weight
    long long strayCount; ///< joint indices out of range, all with weight 0
} tgWeightTrouble;

/// One part's sets as the file has them: 4 for each vertex and set, set after set.
typedef struct tgWeightSets {
    int setCount;
    int vertexCount;
    uint32_t* joints;
    float* weights;
    const tgGltfSkin* skin;
    const char* partName;
    float slop;
} tgWeightSets;

/// One vertex's influences. In double, so that no sum of floats can overflow.
typedef struct tgInfluences {
    int count;
    float storedSum; ///< of the weights, as the file has them
    int joints[tg_mostInfluences];
    double weights[tg_mostInfluences];
} tgInfluences;

static void tgAddInfluence(tgInfluences* influences, int joint, double weight)
{
    for (int k = 0; k < influences->count; ++k) {
        if (influences->joints[k] == joint) {
            influences->weights[k] += weight;
            return;
        }
    }
    influences->joints[influences->count] = joint;
    influences->weights[influences->count] = weight;
    influences->count += 1;
}

/// Largest first; equal ones stay in the order of the file.
static void tgSortInfluences(tgInfluences* influences)
{
    for (int i = 1; i < influences->count; ++i) {
        int joint = influences->joints[i];
        double weight = influences->weights[i];
        int k = i;
        for (; k > 0 && influences->weights[k - 1] < weight; --k) {
            influences->joints[k] = influences->joints[k - 1];
            influences->weights[k] = influences->weights[k - 1];
        }
        influences->joints[k] = joint;
        influences->weights[k] = weight;
    }
}

/// Gather the influences of vertex v from all sets.
static tgResult tgGatherInfluences(const tgWeightSets* sets, int v, tgInfluences* influences,
                                   tgWeightTrouble* trouble, tgError* error)
{
    influences->count = 0;
    influences->storedSum = 0.0f;
    for (int s = 0; s < sets->setCount; ++s) {
        size_t first = 4 * ((size_t)s * (size_t)sets->vertexCount + (size_t)v);
        for (size_t k = first; k < first + 4; ++k) {
            uint32_t joint = sets->joints[k];
            float weight = sets->weights[k];
            bool isStray = joint >= (uint32_t)sets->skin->jointCount;
            if (weight == 0.0f) {
                trouble->strayCount += isStray;
                continue;
            }
            if (!(weight > 0.0f && isfinite(weight))) {
                tgPlace name = tgShortenText(sets->partName);
                return tgFail(error, tg_invalidMesh, v,
                              "vertex %d of \"%s\" has the weight %g, expected 0 to 1", v,
                              name.text, (double)weight);
            }
            if (isStray) {
                tgPlace name = tgShortenText(sets->partName);
                return tgFail(error, tg_invalidMesh, v,
                              "vertex %d of \"%s\" has weight %g on joint %u, its skin has %d", v,
                              name.text, (double)weight, joint, sets->skin->jointCount);
            }
            influences->storedSum += weight;
            tgAddInfluence(influences, sets->skin->joints[joint], (double)weight);
        }
    }
    return tg_success;
}

/// Bring the sum to one; a vertex without weights follows the skin's first joint.
static void tgNormalizeInfluences(const tgWeightSets* sets, tgInfluences* influences,
                                  tgWeightTrouble* trouble)
{
    double sum = 0.0;
    for (int k = 0; k < influences->count; ++k) {
        sum += influences->weights[k];
    }
    if (influences->count == 0) {
        trouble->unboundCount += 1;
        tgAddInfluence(influences, sets->skin->joints[0], 1.0);
        return;
    }
    float stored = influences->storedSum;
    float gap = fabsf(stored - 1.0f);
    if (gap > tg_weightTolerance * (float)influences->count) {
        bool isFirst = trouble->scaledCount == 0;
        trouble->lowestSum = isFirst ? stored : fminf(trouble->lowestSum, stored);
        trouble->highestSum = isFirst ? stored : fmaxf(trouble->highestSum, stored);
        trouble->scaledCount += 1;
        trouble->isWorthTelling = trouble->isWorthTelling || gap > sets->slop;
    }
    for (int k = 0; k < influences->count; ++k) {
        influences->weights[k] /= sum;
    }
}

/// @param stride room for each vertex's influences in the scene's arrays
static tgResult tgBindVertices(tgScene* scene, const tgScenePart* part, const tgWeightSets* sets,
                               int stride, tgWeightTrouble* trouble, tgError* error)
{
    for (int v = 0; v < part->vertexCount; ++v) {
        tgInfluences influences;
        tgResult result = tgGatherInfluences(sets, v, &influences, trouble, error);
        if (result != tg_success) {
            return result;
        }
        tgSortInfluences(&influences);
        tgNormalizeInfluences(sets, &influences, trouble);
        size_t first = (size_t)(part->firstVertex + v) * (size_t)stride;
        for (int k = 0; k < influences.count; ++k) {
            scene->influenceJoints[first + (size_t)k] = influences.joints[k];
            scene->influenceWeights[first + (size_t)k] = (float)influences.weights[k];
        }
        if (influences.count > scene->influencesPerVertex) {
            scene->influencesPerVertex = influences.count;
        }
    }
    return tg_success;
}

/// Decode set n of a part into its place.
static tgResult tgReadSet(tgGltfReader* reader, const tgGltfPrimitive* primitive, const char* place,
                          int n, tgWeightSets* sets, tgError* error)
{
    char jointKey[24];
    char weightKey[24];
    snprintf(jointKey, sizeof(jointKey), "JOINTS_%d", n);
    snprintf(weightKey, sizeof(weightKey), "WEIGHTS_%d", n);
    size_t accessorCount = tgJson_CountItems(reader->accessors);
    int jointIndex = -1;
    int weightIndex = -1;
    tgGltfAccessor jointAccessor;
    tgGltfAccessor weightAccessor;
    tgResult result =
        tgJson_GetIndex(primitive->attributes, jointKey, place, accessorCount, &jointIndex, error);
    if (result == tg_success) {
        result = tgJson_GetIndex(primitive->attributes, weightKey, place, accessorCount,
                                 &weightIndex, error);
    }
    if (result == tg_success) {
        result = tgGltfReader_GetAccessor(reader, jointIndex, 4, place, &jointAccessor, error);
    }
    if (result == tg_success) {
        result = tgGltfReader_GetAccessor(reader, weightIndex, 4, place, &weightAccessor, error);
    }
    if (result != tg_success) {
        return result;
    }
    if (jointAccessor.count != sets->vertexCount || weightAccessor.count != sets->vertexCount) {
        return tgFail(error, tg_invalidMesh, -1,
                      "%s: %s has %d elements and %s has %d, expected %d vertices", place, jointKey,
                      jointAccessor.count, weightKey, weightAccessor.count, sets->vertexCount);
    }
    if (!tgGltfAccessor_IsUnsigned(&jointAccessor)) {
        return tgFail(error, tg_invalidMesh, -1,
                      "%s: %s of component type %d, expected 5121, 5123 or 5125", place, jointKey,
                      jointAccessor.componentType);
    }
    // Weights of integers are fractions even where a careless exporter forgot to say so.
    weightAccessor.normalized = true;
    bool isByte = weightAccessor.componentSize == 1;
    sets->slop = isByte ? fmaxf(sets->slop, tg_byteWeightSlop * (float)(n + 1)) : sets->slop;
    size_t first = 4 * (size_t)n * (size_t)sets->vertexCount;
    tgGltfAccessor_CopyUnsigned(&jointAccessor, sets->joints + first);
    tgGltfAccessor_CopyFloats(&weightAccessor, sets->weights + first);
    return tg_success;
}

static void tgTellTrouble(tgScene* scene, const tgWeightTrouble* trouble)
{
    if (trouble->isWorthTelling) {
        tgScene_Warn(scene, "%d %s had weights that sum to %s; normalised", trouble->scaledCount,
                     trouble->scaledCount == 1 ? "vertex" : "vertices",
                     tgTellSums((double)trouble->lowestSum, (double)trouble->highestSum).text);
    }
    if (trouble->unboundCount > 0) {
        tgScene_Warn(scene, "%d %s no weights; bound to the first joint of the skin",
                     trouble->unboundCount,
                     trouble->unboundCount == 1 ? "vertex had" : "vertices had");
    }
    if (trouble->strayCount > 0) {
        tgScene_Warn(scene, "%lld joint %s out of range, all with weight 0; ignored",
                     trouble->strayCount, trouble->strayCount == 1 ? "index was" : "indices were");
    }
}

/// Rows were made wide enough for every set; keep what the busiest vertex uses.
static void tgCloseRanks(tgScene* scene, int stride)
{
    size_t used = (size_t)scene->influencesPerVertex;
    for (size_t v = 1; v < (size_t)scene->vertexCount && used < (size_t)stride; ++v) {
        memmove(scene->influenceJoints + v * used, scene->influenceJoints + v * (size_t)stride,
                used * sizeof(int));
        memmove(scene->influenceWeights + v * used, scene->influenceWeights + v * (size_t)stride,
                used * sizeof(float));
    }
}

/// Room for the rows of all vertices and for the sets of the largest part.
static tgResult tgAllocateWeights(tgGltfReader* reader, int* stride, uint32_t** joints,
                                  float** weights, tgError* error)
{
    tgScene* scene = reader->scene;
    size_t mostElements = 0;
    *stride = 1;
    for (int i = 0; i < scene->partCount; ++i) {
        size_t elements = 4 * (size_t)reader->primitives[i].setCount;
        *stride = (int)elements > *stride ? (int)elements : *stride;
        elements *= (size_t)scene->parts[i].vertexCount;
        mostElements = elements > mostElements ? elements : mostElements;
    }
    size_t rows = (size_t)scene->vertexCount;
    tgPlace what = tgMakePlace("vertices with %d influences each", *stride);
    size_t rowSize = (size_t)*stride * (sizeof(int) + sizeof(float));
    tgResult spent = tgGltfReader_Spend(reader, "meshes", rows, rowSize, what.text, error);
    if (spent != tg_success) {
        return spent;
    }
    scene->influenceJoints = tgGltfReader_Alloc(scene, rows, (size_t)*stride * sizeof(int), error);
    scene->influenceWeights =
        tgGltfReader_Alloc(scene, rows, (size_t)*stride * sizeof(float), error);
    *joints = tgGltfReader_Alloc(reader->scratch, mostElements, sizeof(uint32_t), error);
    *weights = tgGltfReader_Alloc(reader->scratch, mostElements, sizeof(float), error);
    bool isComplete = scene->influenceJoints != NULL && scene->influenceWeights != NULL &&
                      *joints != NULL && *weights != NULL;
    return isComplete ? tg_success : tg_outOfMemory;
}

tgResult tgReadGltfWeights(tgGltfReader* reader, tgError* error)
{
    tgScene* scene = reader->scene;
    if (!reader->hasSkin) {
        return tg_success;
    }
    int stride = 0;
    uint32_t* joints = NULL;
    float* weights = NULL;
    tgWeightTrouble trouble = {0};
    tgResult result = tgAllocateWeights(reader, &stride, &joints, &weights, error);
    for (int i = 0; i < scene->partCount && result == tg_success; ++i) {
        const tgGltfPart* origin = &reader->source->parts[i];
        const tgScenePart* part = &scene->parts[i];
        if (!origin->ownsVertices) {
            continue;
        }
        tgPlace place = tgMakePlace("meshes[%d].primitives[%d]", origin->mesh, origin->primitive);
        tgWeightSets sets = {
            .setCount = reader->primitives[i].setCount,
            .vertexCount = part->vertexCount,
            .joints = joints,
            .weights = weights,
            .skin = &reader->gltfSkins[origin->skin],
            .partName = part->name,
            .slop = tg_weightSlop,
        };
        for (int n = 0; n < sets.setCount && result == tg_success; ++n) {
            result = tgReadSet(reader, &reader->primitives[i], place.text, n, &sets, error);
        }
        if (result == tg_success) {
            result = tgBindVertices(scene, part, &sets, stride, &trouble, error);
        }
    }
    if (result == tg_success) {
        tgCloseRanks(scene, stride);
        tgTellTrouble(scene, &trouble);
    }
    return result;
}
