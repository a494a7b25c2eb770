// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene's animations as glTF. Key times start at 0 or later, rotations are unit, and channels
// with the same times share them.

#include "io/gltf_write.h"
#include "io/gltf_write_mesh.h"

#include <stdlib.h>
#include <string.h>

static const char* const tg_pathNames[] = {"translation", "rotation", "scale", "weights"};
static const char* const tg_interpolationNames[] = {"STEP", "LINEAR", "CUBICSPLINE"};

/// A rotation key whose squared length is further from 1 than this is made unit.
static const float tg_unitKeySlop = 1e-5f;

/// The written node a channel drives, -1 when glTF cannot say it.
static int tgGetChannelNode(const tgSceneWriter* writer, const tgChannel* channel)
{
    const tgScene* scene = writer->scene;
    if (channel->keyCount < 1 || channel->node < 0 || channel->node >= scene->nodeCount) {
        return -1;
    }
    if (channel->path != tg_pathWeights) {
        return scene->nodes[channel->node].hasMatrix ? -1 : channel->node;
    }
    for (int i = 0; i < writer->layout.meshCount; ++i) {
        if (writer->layout.objects[i].node == channel->node &&
            writer->targetCounts[i] == channel->width && channel->width > 0) {
            return writer->objectNodes[i];
        }
    }
    return -1;
}

/// Does an earlier channel drive the same? Two are an error in glTF.
static bool tgIsRepeated(const tgAnimation* animation, int index)
{
    const tgChannel* channel = &animation->channels[index];
    for (int i = 0; i < index; ++i) {
        if (animation->channels[i].node == channel->node &&
            animation->channels[i].path == channel->path) {
            return true;
        }
    }
    return false;
}

/// The accessor of a channel's times; an earlier channel's when they are equal.
static int tgWriteTimes(tgSceneWriter* writer, const tgAnimation* animation, int index,
                        int* accessors)
{
    const tgChannel* channel = &animation->channels[index];
    size_t size = (size_t)channel->keyCount * sizeof(float);
    for (int i = 0; i < index; ++i) {
        const tgChannel* other = &animation->channels[i];
        if (accessors[i] >= 0 && other->keyCount == channel->keyCount &&
            (other->times == channel->times || memcmp(other->times, channel->times, size) == 0)) {
            return accessors[i];
        }
    }
    float* times = malloc(size);
    if (times == NULL) {
        tgGltfBuilder_Fail(&writer->builder, tg_outOfMemory, -1, "no memory for key times");
        return -1;
    }
    // glTF has no time before 0; such an animation moves as a whole.
    double shift = animation->start < 0.0 ? -animation->start : 0.0;
    for (int i = 0; i < channel->keyCount; ++i) {
        float time = (float)((double)channel->times[i] + shift);
        times[i] = time > 0.0f ? time : 0.0f;
    }
    tgGltfArray array = {times, channel->keyCount, tg_gltfFloat, 1, tg_gltfNoTarget, true};
    int accessor = tgGltfBuilder_AddArray(&writer->builder, &array);
    free(times);
    return accessor;
}

static void tgMakeKeysUnit(const tgChannel* channel, float* values)
{
    bool isCubic = channel->interpolation == tg_interpolateCubic;
    for (int i = 0; i < channel->keyCount; ++i) {
        float* key = values + 4 * (size_t)(isCubic ? 3 * i + 1 : i);
        float squared = key[0] * key[0] + key[1] * key[1] + key[2] * key[2] + key[3] * key[3];
        if (!(fabsf(squared - 1.0f) <= tg_unitKeySlop)) {
            tgQuat q = tgNormalizeQuat((tgQuat){key[0], key[1], key[2], key[3]});
            memcpy(key, &q, sizeof(q));
        }
    }
}

static int tgWriteValues(tgSceneWriter* writer, const tgChannel* channel)
{
    size_t perKey = channel->interpolation == tg_interpolateCubic ? 3 : 1;
    size_t count = (size_t)channel->keyCount * perKey * (size_t)channel->width;
    float* values = malloc(count * sizeof(float));
    if (values == NULL || count > INT32_MAX) {
        free(values);
        tgGltfBuilder_Fail(&writer->builder, tg_outOfMemory, -1, "no memory for key values");
        return -1;
    }
    for (size_t i = 0; i < count; ++i) {
        values[i] = isfinite(channel->values[i]) ? channel->values[i] : 0.0f;
    }
    if (channel->path == tg_pathRotation) {
        tgMakeKeysUnit(channel, values);
    }
    int width = channel->path == tg_pathWeights ? 1 : channel->width;
    tgGltfArray array = {values, (int)(count / (size_t)width), tg_gltfFloat, width, tg_gltfNoTarget,
                         false};
    int accessor = tgGltfBuilder_AddArray(&writer->builder, &array);
    free(values);
    return accessor;
}

static void tgWriteAnimation(tgSceneWriter* writer, const tgAnimation* animation)
{
    tgGltfBuilder* builder = &writer->builder;
    tgJsonValue* channels = tgMakeJsonList(&builder->arena);
    tgJsonValue* samplers = tgMakeJsonList(&builder->arena);
    int* times = malloc(((size_t)animation->channelCount + 1) * sizeof(int));
    if (times == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for an animation");
    }
    for (int c = 0; c < animation->channelCount && times != NULL; ++c) {
        const tgChannel* channel = &animation->channels[c];
        int node = tgGetChannelNode(writer, channel);
        times[c] = -1;
        if (node < 0 || tgIsRepeated(animation, c)) {
            continue;
        }
        times[c] = tgWriteTimes(writer, animation, c, times);
        int values = tgWriteValues(writer, channel);
        int sampler = (int)tgJson_CountItems(samplers);
        tgGltfBuilder_Append(builder, samplers,
                             tgPackJson(&builder->arena, "{s:i, s:i, s:s}", "input", times[c],
                                        "output", values, "interpolation",
                                        tg_interpolationNames[channel->interpolation]));
        tgGltfBuilder_Append(builder, channels,
                             tgPackJson(&builder->arena, "{s:i, s:{s:i, s:s}}", "sampler", sampler,
                                        "target", "node", node, "path",
                                        tg_pathNames[channel->path]));
    }
    free(times);
    if (tgJson_CountItems(channels) == 0) { // glTF has no empty animations
        return;
    }
    tgJsonValue* json = tgMakeJsonObject(&builder->arena);
    tgGltfBuilder_SetName(builder, json, animation->name);
    tgGltfBuilder_Set(builder, json, "channels", channels);
    tgGltfBuilder_Set(builder, json, "samplers", samplers);
    tgGltfBuilder_Append(builder, tgGltfBuilder_GetArray(builder, "animations"), json);
}

void tgWriteAnimations(tgSceneWriter* writer)
{
    for (int a = 0; a < writer->scene->animationCount; ++a) {
        tgWriteAnimation(writer, &writer->scene->animations[a]);
    }
}
