// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Animations: key times and values of each animated property (section 3.11), checked so that
// sampling can trust them: times increase, and there are as many values as keys.

#include "core/core.h"
#include "io/gltf_read.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/// Key times of one accessor; many channels share them.
typedef struct tgKeyTimes {
    bool isRead;
    int count;
    const float* times; ///< `count` of them
} tgKeyTimes;

typedef struct tgAnimationReader {
    tgGltfReader* reader;
    const tgJsonValue* samplers; ///< of the animation at hand
    int animation;
    tgKeyTimes* keyTimes;    ///< by accessor
    int repeatedKeyCount;    ///< moved the least bit on
    int unknownChannelCount; ///< left out
} tgAnimationReader;

/// Two keys at one time are a jump: the later one comes the least bit later.
static void tgPartRepeatedKeys(tgAnimationReader* state, float* times, int count)
{
    for (int k = 1; k < count; ++k) {
        if (times[k] <= times[k - 1]) {
            times[k] = nextafterf(times[k - 1], HUGE_VALF);
            state->repeatedKeyCount += 1;
        }
    }
}

static tgResult tgReadKeyTimes(tgAnimationReader* state, int accessorIndex, const char* place,
                               tgKeyTimes* keys, tgError* error)
{
    tgGltfReader* reader = state->reader;
    tgGltfAccessor accessor;
    tgResult result = tgGltfReader_GetAccessor(reader, accessorIndex, 1, place, &accessor, error);
    if (result != tg_success) {
        return result;
    }
    if (accessor.componentType != tg_componentFloat) {
        return tgFail(error, tg_invalidMesh, -1,
                      "%s: key times of component type %d, expected 5126", place,
                      accessor.componentType);
    }
    float* times = tgGltfReader_Alloc(reader->scene, (size_t)accessor.count, sizeof(float), error);
    if (times == NULL) {
        return tg_outOfMemory;
    }
    tgGltfAccessor_CopyFloats(&accessor, times);
    for (int k = 0; k < accessor.count; ++k) {
        if (!isfinite(times[k]) || (k > 0 && times[k] < times[k - 1])) {
            return tgFail(error, tg_invalidMesh, -1,
                          "%s: key %d is at %g seconds after one at %g, expected later", place, k,
                          (double)times[k], k > 0 ? (double)times[k - 1] : 0.0);
        }
    }
    *keys = (tgKeyTimes){
        .isRead = true,
        .count = accessor.count,
        .times = times,
    };
    tgPartRepeatedKeys(state, times, accessor.count);
    return tg_success;
}

/// How the property is called in the file; false for one we do not know.
static bool tgParsePath(const char* text, tgPath* path)
{
    static const char* const names[] = {"translation", "rotation", "scale", "weights"};
    for (int i = 0; i < 4; ++i) {
        if (strcmp(text, names[i]) == 0) {
            *path = (tgPath)i;
            return true;
        }
    }
    return false;
}

_Static_assert(tg_pathTranslation == 0 && tg_pathWeights == 3, "the order of names above");

static tgResult tgParseInterpolation(const tgJsonValue* sampler, const char* place,
                                     tgInterpolation* interpolation, tgError* error)
{
    const char* text = "LINEAR";
    tgResult result = tgJson_GetText(sampler, "interpolation", place, &text, error);
    if (result != tg_success) {
        return result;
    }
    if (strcmp(text, "STEP") == 0) {
        *interpolation = tg_interpolateStep;
    } else if (strcmp(text, "LINEAR") == 0) {
        *interpolation = tg_interpolateLinear;
    } else if (strcmp(text, "CUBICSPLINE") == 0) {
        *interpolation = tg_interpolateCubic;
    } else {
        tgPlace found = tgShortenText(text);
        return tgFail(error, tg_invalidMesh, -1,
                      "%s.interpolation is \"%s\", expected STEP, LINEAR or CUBICSPLINE", place,
                      found.text);
    }
    return tg_success;
}

/// Values of a channel whose times, width and interpolation are known.
static tgResult tgReadValues(tgAnimationReader* state, int accessorIndex, const char* place,
                             const tgKeyTimes* keys, tgChannel* channel, tgError* error)
{
    tgGltfReader* reader = state->reader;
    bool isCubic = channel->interpolation == tg_interpolateCubic;
    size_t keyWidth = (size_t)channel->width * (isCubic ? 3 : 1);
    bool isWeights = channel->path == tg_pathWeights;
    tgGltfAccessor accessor;
    tgResult result = tgGltfReader_GetAccessor(
        reader, accessorIndex, isWeights ? 1 : channel->width, place, &accessor, error);
    if (result != tg_success) {
        return result;
    }
    // Weights of one key are so many scalars in a row; the other properties are one element.
    size_t found = (size_t)accessor.count * (size_t)accessor.componentCount;
    if (found != (size_t)keys->count * keyWidth) {
        return tgFail(error, tg_invalidMesh, -1, "%s: %zu values for %d keys, expected %zu", place,
                      found, keys->count, (size_t)keys->count * keyWidth);
    }
    float* values = tgGltfReader_Alloc(reader->scene, found, sizeof(float), error);
    if (values == NULL) {
        return tg_outOfMemory;
    }
    tgGltfAccessor_CopyFloats(&accessor, values);
    for (size_t i = 0; i < found; ++i) {
        if (!isfinite(values[i])) {
            return tgFail(error, tg_invalidMesh, -1,
                          "%s: key %zu holds %g, expected a finite number", place, i / keyWidth,
                          (double)values[i]);
        }
    }
    channel->values = values;
    return tg_success;
}

static tgResult tgReadSampler(tgAnimationReader* state, int sampler, tgChannel* channel,
                              tgError* error)
{
    tgGltfReader* reader = state->reader;
    const tgJsonValue* json = tgJson_GetItem(state->samplers, (size_t)sampler);
    tgPlace place = tgMakePlace("animations[%d].samplers[%d]", state->animation, sampler);
    if (!tgJson_IsObject(json)) {
        return tgFail(error, tg_invalidMesh, -1, "%s is %s, expected an object", place.text,
                      tgJson_GetTypeName(json));
    }
    size_t accessorCount = tgJson_CountItems(reader->accessors);
    int input = -1;
    int output = -1;
    tgResult result = tgParseInterpolation(json, place.text, &channel->interpolation, error);
    if (result == tg_success) {
        result = tgJson_GetIndex(json, "input", place.text, accessorCount, &input, error);
    }
    if (result == tg_success) {
        result = tgJson_GetIndex(json, "output", place.text, accessorCount, &output, error);
    }
    if (result == tg_success && (input < 0 || output < 0)) {
        return tgFail(error, tg_invalidMesh, -1, "%s has no input or no output", place.text);
    }
    if (result == tg_success && !state->keyTimes[input].isRead) {
        result = tgReadKeyTimes(state, input, place.text, &state->keyTimes[input], error);
    }
    if (result == tg_success) {
        result = tgReadValues(state, output, place.text, &state->keyTimes[input], channel, error);
    }
    if (result == tg_success) {
        channel->keyCount = state->keyTimes[input].count;
        channel->times = state->keyTimes[input].times;
    }
    return result;
}

/// An animated node may not have a matrix (section 3.5.2), yet files do: split it. Shear is lost.
static void tgSplitMatrix(tgSceneNode* node)
{
    if (!node->hasMatrix) {
        return;
    }
    const tgMat34* m = &node->matrix;
    tgVec3 scale = tgMakeVec3(tgLength(m->x), tgLength(m->y), tgLength(m->z));
    if (tgDeterminant(m) < 0.0f) {
        scale.x = -scale.x;
    }
    tgVec3 x = tgMulSV(scale.x < 0.0f ? -1.0f : 1.0f, tgNormalize(m->x, tgMakeVec3(1, 0, 0)));
    tgVec3 y = tgNormalize(m->y, tgMakeVec3(0, 1, 0));
    tgVec3 z = tgNormalize(tgCross(x, y), tgMakeVec3(0, 0, 1));
    y = tgCross(z, x);
    // The largest of the four squared components decides which one to divide by.
    float squares[4] = {x.x - y.y - z.z, y.y - x.x - z.z, z.z - x.x - y.y, x.x + y.y + z.z};
    int largest = 0;
    for (int i = 1; i < 4; ++i) {
        largest = squares[i] > squares[largest] ? i : largest;
    }
    float size = 0.5f * sqrtf(fmaxf(squares[largest] + 1.0f, 0.0f));
    float s = size > 0.0f ? 0.25f / size : 0.0f;
    tgQuat candidates[4] = {
        {size, s * (x.y + y.x), s * (x.z + z.x), s * (y.z - z.y)},
        {s * (x.y + y.x), size, s * (y.z + z.y), s * (z.x - x.z)},
        {s * (x.z + z.x), s * (y.z + z.y), size, s * (x.y - y.x)},
        {s * (y.z - z.y), s * (z.x - x.z), s * (x.y - y.x), size},
    };
    node->local.position = m->origin;
    node->local.rotation = tgNormalizeQuat(candidates[largest]);
    node->local.scale = scale;
    node->hasMatrix = false;
}

/// Reads one channel; leaves keyCount 0 when it moves nothing that the scene has.
static tgResult tgReadChannel(tgAnimationReader* state, const tgJsonValue* json, size_t index,
                              tgChannel* channel, tgError* error)
{
    tgGltfReader* reader = state->reader;
    tgPlace place = tgMakePlace("animations[%d].channels[%zu]", state->animation, index);
    if (!tgJson_IsObject(json)) {
        return tgFail(error, tg_invalidMesh, -1, "%s is %s, expected an object", place.text,
                      tgJson_GetTypeName(json));
    }
    const tgJsonValue* target = NULL;
    const char* pathText = "";
    int node = -1;
    int sampler = -1;
    tgResult result = tgJson_GetIndex(json, "sampler", place.text,
                                      tgJson_CountItems(state->samplers), &sampler, error);
    if (result == tg_success) {
        result = tgJson_GetObject(json, "target", place.text, &target, error);
    }
    if (result == tg_success) {
        result = tgJson_GetIndex(target, "node", place.text, (size_t)reader->source->nodeCount,
                                 &node, error);
    }
    if (result == tg_success) {
        result = tgJson_GetText(target, "path", place.text, &pathText, error);
    }
    if (result != tg_success) {
        return result;
    }
    if (sampler < 0) {
        return tgFail(error, tg_invalidMesh, -1, "%s has no sampler", place.text);
    }
    if (!tgParsePath(pathText, &channel->path)) {
        state->unknownChannelCount += 1;
        return tg_success;
    }
    static const int widths[] = {3, 4, 3};
    int mesh = node >= 0 ? reader->gltfNodes[node].mesh : -1;
    if (channel->path != tg_pathWeights) {
        channel->width = widths[channel->path];
    } else if (mesh >= 0) {
        channel->width = tgGltfReader_CountTargets(reader, mesh);
    }
    if (node < 0 || channel->width == 0) {
        return tg_success;
    }
    channel->node = reader->source->sceneNodes[node];
    if (channel->path != tg_pathWeights) {
        tgSplitMatrix(&reader->scene->nodes[channel->node]);
    }
    return tgReadSampler(state, sampler, channel, error);
}

static tgResult tgReadAnimation(tgAnimationReader* state, tgAnimation* animation, tgError* error)
{
    tgGltfReader* reader = state->reader;
    const tgJsonValue* json = tgJson_GetItem(reader->animations, (size_t)state->animation);
    tgPlace place = tgMakePlace("animations[%d]", state->animation);
    const tgJsonValue* channels = NULL;
    animation->name = "";
    tgResult result = tgJson_GetText(json, "name", place.text, &animation->name, error);
    if (result == tg_success) {
        result = tgJson_GetArray(json, "channels", place.text, &channels, error);
    }
    if (result == tg_success) {
        result = tgJson_GetArray(json, "samplers", place.text, &state->samplers, error);
    }
    if (result != tg_success) {
        return result;
    }
    size_t count = tgJson_CountItems(channels);
    tgChannel* out = tgGltfReader_Alloc(reader->scene, count, sizeof(tgChannel), error);
    if (out == NULL) {
        return tg_outOfMemory;
    }
    animation->channels = out;
    for (size_t c = 0; c < count; ++c) {
        tgChannel channel = {0};
        result = tgReadChannel(state, tgJson_GetItem(channels, c), c, &channel, error);
        if (result != tg_success) {
            return result;
        }
        if (channel.keyCount == 0) {
            continue;
        }
        double first = (double)channel.times[0];
        double last = (double)channel.times[channel.keyCount - 1];
        bool isFirst = animation->channelCount == 0;
        animation->start = isFirst ? first : fmin(animation->start, first);
        animation->end = isFirst ? last : fmax(animation->end, last);
        out[animation->channelCount] = channel;
        animation->channelCount += 1;
    }
    return tg_success;
}

tgResult tgReadGltfAnimations(tgGltfReader* reader, tgError* error)
{
    tgScene* scene = reader->scene;
    size_t count = tgJson_CountItems(reader->animations);
    tgAnimationReader state = {.reader = reader};
    scene->animations = tgGltfReader_Alloc(scene, count, sizeof(tgAnimation), error);
    state.keyTimes = tgGltfReader_Alloc(reader->scratch, tgJson_CountItems(reader->accessors),
                                        sizeof(tgKeyTimes), error);
    if (scene->animations == NULL || state.keyTimes == NULL) {
        return tg_outOfMemory;
    }
    scene->animationCount = (int)count;
    for (int a = 0; a < scene->animationCount; ++a) {
        state.animation = a;
        tgResult result = tgReadAnimation(&state, &scene->animations[a], error);
        if (result != tg_success) {
            return result;
        }
    }
    if (state.repeatedKeyCount > 0) {
        tgScene_Warn(scene, "%d animation key%s the time of the key before; taken as a jump",
                     state.repeatedKeyCount, state.repeatedKeyCount == 1 ? " has" : "s have");
    }
    if (state.unknownChannelCount > 0) {
        tgScene_Warn(scene,
                     "%d animation channel%s something that is not a transform or a weight; "
                     "left out",
                     state.unknownChannelCount,
                     state.unknownChannelCount == 1 ? " moves" : "s move");
    }
    return tg_success;
}
