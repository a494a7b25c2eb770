// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Animations of an Assimp scene: keys of position, rotation and scale for each node, and weights of
// morph targets. Times become seconds; everything is interpolated linearly, because Assimp has
// already turned curves and whole matrices into such keys.

#include "core/core.h"
#include "io/import_assimp_private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/// Assimp's own viewer takes this where a file does not say.
static const double tg_defaultTicksPerSecond = 25.0;

/// One animation on its way in.
typedef struct tgAnimationTask {
    const tgAssimpImport* import;
    double secondsPerTick;
    tgChannel* channels;
    int channelCount;
    unsigned char* isAnimated; ///< for each node the paths that have a channel, as bits
    double start, end;
    int badKeyCount; ///< over all animations
} tgAnimationTask;

/// Room for a channel's keys; false when there is no memory.
static bool tgAllocKeys(const tgAnimationTask* task, size_t keyCount, size_t width, float** times,
                        float** values)
{
    tgScene* scene = task->import->scene;
    *times = tgScene_Alloc(scene, keyCount, sizeof(float));
    *values = tgScene_Alloc(scene, keyCount, width * sizeof(float));
    return *times != NULL && *values != NULL;
}

/// Keep a key when its time is later than the last one's and all of it is a number.
/// @return true when the key stands
static bool tgKeepKey(tgAnimationTask* task, tgChannel* channel, float* times, double ticks,
                      const float* value)
{
    float time = (float)(ticks * task->secondsPerTick);
    bool isFinite = isfinite(time);
    for (int i = 0; i < channel->width; ++i) {
        isFinite &= isfinite(value[i]) != 0;
    }
    if (!isFinite) {
        task->badKeyCount += 1;
        return false;
    }
    if (channel->keyCount > 0 && time <= times[channel->keyCount - 1]) {
        return false;
    }
    times[channel->keyCount++] = time;
    return true;
}

/// Take the channel unless it is empty or the node already has one for that path.
static void tgAddChannel(tgAnimationTask* task, const tgChannel* channel)
{
    unsigned char bit = (unsigned char)(1u << channel->path);
    if (channel->keyCount == 0 || (task->isAnimated[channel->node] & bit) != 0) {
        return;
    }
    task->isAnimated[channel->node] |= bit;
    task->start = fmin(task->start, (double)channel->times[0]);
    task->end = fmax(task->end, (double)channel->times[channel->keyCount - 1]);
    task->channels[task->channelCount++] = *channel;
    if (channel->path != tg_pathWeights) {
        task->import->scene->nodes[channel->node].hasMatrix = false;
    }
}

static tgResult tgReadVectorKeys(tgAnimationTask* task, int node, tgPath path,
                                 const struct aiVectorKey* keys, unsigned keyCount)
{
    float* times;
    float* values;
    if (!tgAllocKeys(task, keyCount, 3, &times, &values)) {
        return tgAssimpImport_FailMemory(task->import);
    }
    tgChannel channel = {.node = node,
                         .path = path,
                         .interpolation = tg_interpolateLinear,
                         .width = 3,
                         .times = times,
                         .values = values};
    for (unsigned k = 0; k < keyCount; ++k) {
        tgVec3 value = tgFromAiVector(keys[k].mValue);
        size_t at = 3 * (size_t)channel.keyCount;
        if (tgKeepKey(task, &channel, times, keys[k].mTime, &value.x)) {
            memcpy(&values[at], &value, sizeof(value));
        }
    }
    tgAddChannel(task, &channel);
    return tg_success;
}

static tgResult tgReadRotationKeys(tgAnimationTask* task, int node, bool isChainPart,
                                   const struct aiQuatKey* keys, unsigned keyCount)
{
    float* times;
    float* values;
    if (!tgAllocKeys(task, keyCount, 4, &times, &values)) {
        return tgAssimpImport_FailMemory(task->import);
    }
    tgChannel channel = {.node = node,
                         .path = tg_pathRotation,
                         .interpolation = tg_interpolateLinear,
                         .width = 4,
                         .times = times,
                         .values = values};
    for (unsigned k = 0; k < keyCount; ++k) {
        struct aiQuaternion source = keys[k].mValue;
        tgQuat raw = {(float)source.x, (float)source.y, (float)source.z, (float)source.w};
        size_t at = 4 * (size_t)channel.keyCount;
        if (tgKeepKey(task, &channel, times, keys[k].mTime, &raw.x)) {
            tgQuat value = tgNormalizeQuat(raw);
            value = tgOrientKey(&task->import->orientations[node], isChainPart, value);
            memcpy(&values[at], &value, sizeof(value));
        }
    }
    tgAddChannel(task, &channel);
    return tg_success;
}

static tgResult tgReadNodeChannel(tgAnimationTask* task, const struct aiNodeAnim* source)
{
    unsigned pathBits = 0;
    int node = tgFindChainNode(task->import, source->mNodeName.data, &pathBits);
    if (node < 0) {
        return tg_success;
    }
    bool isChainPart = pathBits != ~0u;
    tgResult result = tg_success;
    if ((pathBits & 1u << tg_pathTranslation) != 0) {
        result = tgReadVectorKeys(task, node, tg_pathTranslation, source->mPositionKeys,
                                  source->mNumPositionKeys);
    }
    if (result == tg_success && (pathBits & 1u << tg_pathRotation) != 0) {
        result = tgReadRotationKeys(task, node, isChainPart, source->mRotationKeys,
                                    source->mNumRotationKeys);
    }
    if (result == tg_success && (pathBits & 1u << tg_pathScale) != 0) {
        result = tgReadVectorKeys(task, node, tg_pathScale, source->mScalingKeys,
                                  source->mNumScalingKeys);
    }
    return result;
}

// ---- morph targets ----

/// The node whose morphs a channel means: by the node's name, or by the mesh's. -1 for none.
static int tgFindMorphNode(const tgAssimpImport* import, const char* name)
{
    char bare[sizeof(((struct aiString*)0)->data)];
    strncpy(bare, name, sizeof(bare) - 1);
    bare[sizeof(bare) - 1] = '\0';
    char* star = strrchr(bare, '*'); // Assimp numbers the pieces of a mesh: "Face*0"
    if (star != NULL) {
        *star = '\0';
    }
    for (int m = 0; m < import->meshCount; ++m) {
        const tgAssimpMesh* mesh = &import->meshes[m];
        const char* nodeName = import->scene->nodes[mesh->node].name;
        if (mesh->source->mNumAnimMeshes > 0 &&
            (strcmp(nodeName, bare) == 0 || strcmp(mesh->source->mName.data, bare) == 0)) {
            return mesh->node;
        }
    }
    return -1;
}

static bool tgFindMorphWeight(const struct aiMeshMorphKey* key, unsigned target, float* weight)
{
    for (unsigned i = 0; i < key->mNumValuesAndWeights; ++i) {
        if (key->mValues[i] == target) {
            *weight = (float)key->mWeights[i];
            return true;
        }
    }
    return false;
}

/// A key names the targets that move at its time, not the others: put those on the line between
/// the keys before and after that do name them.
static void tgFillMorphGaps(float* values, const bool* isSet, const float* times, int keyCount,
                            int width, int target)
{
    int last = -1;
    for (int k = 0; k < keyCount; ++k) {
        if (!isSet[k]) {
            continue;
        }
        for (int gap = last + 1; gap < k; ++gap) {
            float from = values[(size_t)(last < 0 ? k : last) * (size_t)width + (size_t)target];
            float to = values[(size_t)k * (size_t)width + (size_t)target];
            float t = last < 0 ? 1.0f : (times[gap] - times[last]) / (times[k] - times[last]);
            values[(size_t)gap * (size_t)width + (size_t)target] = from + t * (to - from);
        }
        last = k;
    }
    for (int gap = last + 1; gap < keyCount && last >= 0; ++gap) {
        values[(size_t)gap * (size_t)width + (size_t)target] =
            values[(size_t)last * (size_t)width + (size_t)target];
    }
}

static int tgCountNodeMorphs(const tgScene* scene, int node)
{
    int count = 0;
    for (int t = 0; t < scene->morphCount; ++t) {
        const tgSceneMorph* morph = &scene->morphs[t];
        if (morph->node == node && morph->indexInNode >= count) {
            count = morph->indexInNode + 1;
        }
    }
    return count;
}

static float tgFindRestWeight(const tgScene* scene, int node, int index)
{
    for (int t = 0; t < scene->morphCount; ++t) {
        if (scene->morphs[t].node == node && scene->morphs[t].indexInNode == index) {
            return scene->morphs[t].weight;
        }
    }
    return 0.0f;
}

static tgResult tgReadMorphChannel(tgAnimationTask* task, const struct aiMeshMorphAnim* source)
{
    const tgAssimpImport* import = task->import;
    int node = tgFindMorphNode(import, source->mName.data);
    int width = node >= 0 ? tgCountNodeMorphs(import->scene, node) : 0;
    if (width == 0 || source->mNumKeys == 0) {
        return tg_success;
    }
    float* times;
    float* values;
    const struct aiMeshMorphKey** keys =
        tgScene_Alloc(import->scratch, source->mNumKeys, sizeof(*keys));
    bool* isSet = tgScene_Alloc(import->scratch, source->mNumKeys, sizeof(bool));
    if (!tgAllocKeys(task, source->mNumKeys, (size_t)width, &times, &values) || keys == NULL ||
        isSet == NULL) {
        return tgAssimpImport_FailMemory(import);
    }
    tgChannel channel = {.node = node,
                         .path = tg_pathWeights,
                         .interpolation = tg_interpolateLinear,
                         .times = times,
                         .values = values};
    for (unsigned k = 0; k < source->mNumKeys; ++k) {
        keys[channel.keyCount] = &source->mKeys[k];
        tgKeepKey(task, &channel, times, source->mKeys[k].mTime, NULL); // width 0: the time only
    }
    channel.width = width;
    for (int target = 0; target < width; ++target) {
        float rest = tgFindRestWeight(import->scene, node, target);
        for (int k = 0; k < channel.keyCount; ++k) {
            float* value = &values[(size_t)k * (size_t)width + (size_t)target];
            *value = rest;
            isSet[k] = tgFindMorphWeight(keys[k], (unsigned)target, value);
            if (!isfinite(*value)) {
                *value = rest;
                task->badKeyCount += 1;
            }
        }
        tgFillMorphGaps(values, isSet, times, channel.keyCount, width, target);
    }
    tgAddChannel(task, &channel);
    return tg_success;
}

// ---- the whole animation ----

static tgResult tgReadAiAnimation(tgAnimationTask* task, const struct aiAnimation* source,
                                  tgAnimation* animation)
{
    const tgAssimpImport* import = task->import;
    tgScene* scene = import->scene;
    size_t most = 3 * (size_t)source->mNumChannels + source->mNumMorphMeshChannels;
    task->channels = tgScene_Alloc(scene, most, sizeof(tgChannel));
    if (task->channels == NULL || most > INT_MAX) {
        return tgAssimpImport_FailMemory(import);
    }
    // FBX times are frames and this is the frame rate, DAE times are milliseconds.
    double ticksPerSecond = source->mTicksPerSecond;
    bool isKnown = isfinite(ticksPerSecond) && ticksPerSecond != 0.0;
    task->secondsPerTick = 1.0 / (isKnown ? ticksPerSecond : tg_defaultTicksPerSecond);
    task->channelCount = 0;
    task->start = HUGE_VAL;
    task->end = -HUGE_VAL;
    memset(task->isAnimated, 0, (size_t)scene->nodeCount);
    tgResult result = tg_success;
    for (unsigned c = 0; c < source->mNumChannels && result == tg_success; ++c) {
        result = tgReadNodeChannel(task, source->mChannels[c]);
    }
    for (unsigned c = 0; c < source->mNumMorphMeshChannels && result == tg_success; ++c) {
        result = tgReadMorphChannel(task, source->mMorphMeshChannels[c]);
    }
    animation->name = tgScene_CopyText(scene, source->mName.data);
    animation->start = task->channelCount > 0 ? task->start : 0.0;
    animation->end = task->channelCount > 0 ? task->end : 0.0;
    animation->channelCount = task->channelCount;
    animation->channels = task->channels;
    return result;
}

tgResult tgAssimpImport_ReadAnimations(tgAssimpImport* import)
{
    tgScene* scene = import->scene;
    unsigned count = import->source->mNumAnimations;
    scene->animations = tgScene_Alloc(scene, count, sizeof(tgAnimation));
    tgAnimationTask task = {.import = import};
    task.isAnimated = tgScene_Alloc(import->scratch, (size_t)scene->nodeCount, 1);
    if (scene->animations == NULL || task.isAnimated == NULL || count > INT_MAX) {
        return tgAssimpImport_FailMemory(import);
    }
    for (unsigned a = 0; a < count; ++a) {
        tgAnimation* animation = &scene->animations[scene->animationCount];
        tgResult result = tgReadAiAnimation(&task, import->source->mAnimations[a], animation);
        if (result != tg_success) {
            return result;
        }
        scene->animationCount += animation->channelCount > 0 ? 1 : 0;
    }
    if (task.badKeyCount > 0) {
        tgScene_Warn(scene, "%s left out",
                     tgTellCount(task.badKeyCount, "animation key is not a number and was",
                                 "animation keys are not numbers and were")
                         .text);
    }
    return tg_success;
}
