// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Tracks of added morph targets. A node has one channel of weights, so the tracks of its own
// targets go into it, too: at the keys of both, and as they were. A piece of a cubic is a cubic
// with the same slopes at its ends; a straight line is a cubic, too; and where a step track jumps
// two keys stand next to each other.

#include "io/gltf_correctives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The track that is written.
typedef struct tgMergedTrack {
    const tgTargetTrack* added;
    const tgChannel* own;  ///< of the mesh's own targets; NULL: they stand still
    const float* ownStill; ///< their weights then
    int ownCount;
    int addedCount;
    bool isCubic;
    int keyCount;
    float* times;
    float* values; ///< ownCount + addedCount for each key; three times so many for cubic
} tgMergedTrack;

static int tgCompareTimes(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

/// Times of both, and those just before a step.
static bool tgMergeTimes(tgMergedTrack* track)
{
    const tgChannel* own = track->own;
    int ownKeys = own != NULL ? own->keyCount : 0;
    track->times = malloc(((size_t)track->added->keyCount + 2 * (size_t)ownKeys) * sizeof(float));
    if (track->times == NULL) {
        return false;
    }
    int count = track->added->keyCount;
    memcpy(track->times, track->added->times, (size_t)count * sizeof(float));
    for (int k = 0; k < ownKeys; ++k) {
        track->times[count++] = own->times[k];
        if (own->interpolation == tg_interpolateStep && k > 0) {
            track->times[count++] = nextafterf(own->times[k], -INFINITY);
        }
    }
    qsort(track->times, (size_t)count, sizeof(float), tgCompareTimes);
    for (int i = 0; i < count; ++i) {
        if (track->times[i] >= 0.0f &&
            (track->keyCount == 0 || track->times[i] > track->times[track->keyCount - 1])) {
            track->times[track->keyCount++] = track->times[i];
        }
    }
    return true;
}

/// The key at or before a time; -1 before the first.
static int tgFindKey(const float* times, int count, float time)
{
    int low = -1, high = count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/// Value and slopes of one weight at a time.
typedef struct tgTrackPoint {
    float value, in, out;
} tgTrackPoint;

static tgTrackPoint tgSampleLine(const float* times, const float* values, int keyCount, int width,
                                 int w, float time)
{
    int k = tgFindKey(times, keyCount, time);
    if (k < 0 || keyCount == 1) {
        return (tgTrackPoint){values[w], 0.0f, 0.0f};
    }
    const float* at = values + (size_t)k * (size_t)width + (size_t)w;
    float after = 0.0f, before = 0.0f;
    if (k + 1 < keyCount) {
        after = (at[width] - at[0]) / (times[k + 1] - times[k]);
    }
    if (times[k] < time) {
        return (tgTrackPoint){at[0] + after * (time - times[k]), after, after};
    }
    if (k > 0) {
        before = (at[0] - at[-width]) / (times[k] - times[k - 1]);
    }
    return (tgTrackPoint){at[0], before, after};
}

/// The cubic between two keys, and its slope: both are what they were.
static tgTrackPoint tgSampleCubic(const tgChannel* own, int w, float time)
{
    size_t width = (size_t)own->width;
    int k = tgFindKey(own->times, own->keyCount, time);
    bool isOutside = k < 0 || (k == own->keyCount - 1 && time > own->times[k]);
    const float* at = own->values + (size_t)(k < 0 ? 0 : k) * 3 * width + (size_t)w;
    if (isOutside) {
        return (tgTrackPoint){at[width], 0.0f, 0.0f};
    }
    if (time == own->times[k]) { // outside the track nothing moves
        return (tgTrackPoint){at[width], k > 0 ? at[0] : 0.0f,
                              k < own->keyCount - 1 ? at[2 * width] : 0.0f};
    }
    double span = (double)own->times[k + 1] - (double)own->times[k];
    double t = ((double)time - (double)own->times[k]) / span;
    double from = (double)at[width], to = (double)at[4 * width];
    double leave = span * (double)at[2 * width], arrive = span * (double)at[3 * width];
    double value = (2 * t * t * t - 3 * t * t + 1) * from + (t * t * t - 2 * t * t + t) * leave +
                   (3 * t * t - 2 * t * t * t) * to + (t * t * t - t * t) * arrive;
    double slope = ((6 * t * t - 6 * t) * (from - to) + (3 * t * t - 4 * t + 1) * leave +
                    (3 * t * t - 2 * t) * arrive) /
                   span;
    return (tgTrackPoint){(float)value, (float)slope, (float)slope};
}

static tgTrackPoint tgSampleOwn(const tgMergedTrack* track, int w, float time)
{
    const tgChannel* own = track->own;
    if (own == NULL || w >= own->width) {
        return (tgTrackPoint){track->ownStill[w], 0.0f, 0.0f};
    }
    if (own->interpolation == tg_interpolateCubic) {
        return tgSampleCubic(own, w, time);
    }
    if (own->interpolation == tg_interpolateLinear) {
        return tgSampleLine(own->times, own->values, own->keyCount, own->width, w, time);
    }
    int k = tgFindKey(own->times, own->keyCount, time);
    return (tgTrackPoint){own->values[(size_t)(k < 0 ? 0 : k) * (size_t)own->width + (size_t)w],
                          0.0f, 0.0f};
}

static bool tgMergeValues(tgMergedTrack* track)
{
    const tgTargetTrack* added = track->added;
    size_t width = (size_t)track->ownCount + (size_t)track->addedCount;
    size_t rows = track->isCubic ? 3 : 1;
    track->values = malloc((size_t)track->keyCount * width * rows * sizeof(float));
    if (track->values == NULL) {
        return false;
    }
    for (int k = 0; k < track->keyCount; ++k) {
        float time = track->times[k];
        float* row = track->values + (size_t)k * width * rows;
        for (size_t w = 0; w < width; ++w) {
            int of = (int)w - track->ownCount;
            tgTrackPoint point = of < 0
                                     ? tgSampleOwn(track, (int)w, time)
                                     : tgSampleLine(added->times, added->weights, added->keyCount,
                                                    track->addedCount, of, time);
            if (track->isCubic) {
                row[w] = point.in;
                row[width + w] = point.value;
                row[2 * width + w] = point.out;
            } else {
                row[w] = point.value;
            }
        }
    }
    return true;
}

static const tgChannel* tgFindOwnChannel(const tgScene* scene, const tgTargetTrack* track, int node)
{
    const tgAnimation* animation = &scene->animations[track->animation];
    for (int c = 0; c < animation->channelCount; ++c) {
        const tgChannel* channel = &animation->channels[c];
        if (channel->node == node && channel->path == tg_pathWeights) {
            return channel;
        }
    }
    return NULL;
}

/// Weights of a node's own targets when nothing plays: they come first in what was written.
static void tgReadStill(const tgCorrectivesWork* work, int mesh, int node, int count, float* still)
{
    const tgJsonValue* document = work->builder.document;
    const tgJsonValue* json =
        tgJson_GetItem(tgJson_Find(document, "nodes"), (size_t)work->source->gltfNodes[node]);
    if (tgJson_Find(json, "weights") == NULL) {
        json = tgJson_GetItem(tgJson_Find(document, "meshes"),
                              (size_t)work->file->meshes->meshes[mesh].mesh);
    }
    const tgJsonValue* weights = tgJson_Find(json, "weights");
    for (int i = 0; i < count; ++i) {
        still[i] = (float)tgJson_GetNumber(tgJson_GetItem(weights, (size_t)i));
    }
}

/// The node of the document whose weights a channel moves; -1 for another path.
static long long tgGetWeightsNode(const tgJsonValue* channel)
{
    const tgJsonValue* target = tgJson_Find(channel, "target");
    const tgJsonValue* node = tgJson_Find(target, "node");
    const char* path = tgJson_GetString(tgJson_Find(target, "path"));
    bool isIt = path != NULL && strcmp(path, "weights") == 0 && tgJson_IsWhole(node);
    return isIt ? tgJson_GetWhole(node) : -1;
}

/// A new channel of a node's weights, without a sampler.
static tgJsonValue* tgAddWeightsChannel(tgCorrectivesWork* work, tgJsonValue* channels,
                                        int gltfNode)
{
    tgJsonValue* channel = tgPackJson(&work->builder.arena, "{s:{s:i, s:s}}", "target", "node",
                                      gltfNode, "path", "weights");
    tgGltfBuilder_Append(&work->builder, channels, channel);
    return tgJson_GetItem(channels, tgJson_CountItems(channels) - 1);
}

/// The channel of a node's weights in an animation of the document, a new one when there is none.
static tgJsonValue* tgGetWeightsChannel(tgCorrectivesWork* work, tgJsonValue* animation,
                                        int gltfNode)
{
    tgJsonValue* channels = tgJson_Find(animation, "channels");
    tgJsonValue* channel = NULL;
    for (size_t index = 0; (channel = tgJson_GetItem(channels, index)) != NULL; ++index) {
        if (tgGetWeightsNode(channel) == gltfNode) {
            return channel;
        }
    }
    return tgAddWeightsChannel(work, channels, gltfNode);
}

static void tgWriteMerged(tgCorrectivesWork* work, const tgMergedTrack* track, int gltfNode)
{
    tgGltfBuilder* builder = &work->builder;
    tgJsonValue* animation = tgJson_GetItem(tgGltfBuilder_GetArray(builder, "animations"),
                                            (size_t)track->added->animation);
    tgJsonValue* samplers = tgJson_Find(animation, "samplers");
    size_t width = (size_t)track->ownCount + (size_t)track->addedCount;
    size_t valueCount = (size_t)track->keyCount * width * (track->isCubic ? 3 : 1);
    tgGltfArray times = {track->times, track->keyCount, tg_gltfFloat, 1, tg_gltfNoTarget, true};
    tgGltfArray values = {track->values, (int)valueCount, tg_gltfFloat, 1, tg_gltfNoTarget, false};
    tgJsonValue* sampler = tgMakeJsonObject(&builder->arena);
    tgGltfBuilder_SetWhole(builder, sampler, "input", tgGltfBuilder_AddArray(builder, &times));
    tgGltfBuilder_SetWhole(builder, sampler, "output", tgGltfBuilder_AddArray(builder, &values));
    tgGltfBuilder_SetText(builder, sampler, "interpolation",
                          track->isCubic ? "CUBICSPLINE" : "LINEAR");
    tgJsonValue* channel = tgGetWeightsChannel(work, animation, gltfNode);
    tgGltfBuilder_SetWhole(builder, channel, "sampler", (int)tgJson_CountItems(samplers));
    tgGltfBuilder_Append(builder, samplers, sampler);
}

static void tgWriteTrack(tgCorrectivesWork* work, const tgTargetTrack* added)
{
    const tgShownMesh* shown = &work->file->meshes->meshes[added->mesh];
    int node = shown->nodes[added->node];
    int ownCount = work->oldCounts[added->mesh];
    float* still = calloc((size_t)ownCount + 1, sizeof(float));
    tgMergedTrack track = {
        .added = added,
        .own = ownCount > 0 ? tgFindOwnChannel(work->file->scene, added, node) : NULL,
        .ownStill = still,
        .ownCount = ownCount,
        .addedCount = work->file->targets[added->mesh].targetCount,
    };
    track.isCubic = track.own != NULL && track.own->interpolation == tg_interpolateCubic;
    bool good = still != NULL;
    if (good) {
        tgReadStill(work, added->mesh, node, ownCount, still);
        good = tgMergeTimes(&track) && tgMergeValues(&track);
    }
    if (good) {
        tgWriteMerged(work, &track, work->source->gltfNodes[node]);
    } else {
        tgGltfBuilder_Fail(&work->builder, tg_outOfMemory, -1, "no memory for a track of weights");
    }
    free(still);
    free(track.times);
    free(track.values);
}

/// In one animation, channels of places: they share the sampler of their source's.
/// @param byNode scratch, one for each node of the document; all NULL before and after
static void tgWritePlaces(tgCorrectivesWork* work, tgJsonValue* channels, tgJsonValue** byNode)
{
    const tgScene* scene = work->file->scene;
    const int* gltfNodes = work->source->gltfNodes;
    tgJsonValue* channel = NULL;
    for (size_t i = tgJson_CountItems(channels); i > 0; --i) { // of two for a node the first counts
        channel = tgJson_GetItem(channels, i - 1);
        long long node = tgGetWeightsNode(channel);
        if (node >= 0 && node < work->source->nodeCount) {
            byNode[node] = channel;
        }
    }
    for (int i = 0; i < scene->placeCount; ++i) {
        const tgScenePlace* place = &scene->places[i];
        const tgJsonValue* source = byNode[gltfNodes[place->source]];
        if (source == NULL || !work->isExtended[place->source]) {
            continue;
        }
        tgJsonValue** own = &byNode[gltfNodes[place->node]];
        if (*own == NULL) {
            *own = tgAddWeightsChannel(work, channels, gltfNodes[place->node]);
        }
        tgGltfBuilder_SetWhole(&work->builder, *own, "sampler",
                               (int)tgJson_GetWhole(tgJson_Find(source, "sampler")));
    }
    for (size_t i = 0; (channel = tgJson_GetItem(channels, i)) != NULL; ++i) {
        long long node = tgGetWeightsNode(channel);
        if (node >= 0 && node < work->source->nodeCount) {
            byNode[node] = NULL;
        }
    }
}

/// The same in all animations that have a track: once for each, however many tracks it has.
static void tgWriteAllPlaces(tgCorrectivesWork* work)
{
    tgJsonValue* animations = tgJson_Find(work->builder.document, "animations");
    size_t nodeCount = (size_t)work->source->nodeCount, count = tgJson_CountItems(animations);
    tgJsonValue** byNode = calloc(nodeCount + 1, sizeof(*byNode));
    bool* isDone = calloc(count + 1, sizeof(bool));
    if (byNode == NULL || isDone == NULL) {
        tgGltfBuilder_Fail(&work->builder, tg_outOfMemory, -1, "no memory for the tracks");
    }
    for (int i = 0; i < work->file->trackCount && !tgGltfBuilder_HasFailed(&work->builder); ++i) {
        size_t animation = (size_t)work->file->tracks[i].animation;
        if (!isDone[animation]) {
            isDone[animation] = true;
            tgJsonValue* json = tgJson_GetItem(animations, animation);
            tgWritePlaces(work, tgJson_Find(json, "channels"), byNode);
        }
    }
    free(byNode);
    free(isDone);
}

void tgWriteTargetTracks(tgCorrectivesWork* work)
{
    for (int i = 0; i < work->file->trackCount; ++i) {
        if (!tgGltfBuilder_HasFailed(&work->builder)) {
            tgWriteTrack(work, &work->file->tracks[i]);
        }
    }
    if (work->file->scene->placeCount > 0 && !tgGltfBuilder_HasFailed(&work->builder)) {
        tgWriteAllPlaces(work);
    }
}
