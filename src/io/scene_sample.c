// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Poses out of animations: key frames to local transforms, local transforms to joint-to-model
// matrices, morph weights to a bind shape. Interpolation as in appendix C of the glTF
// specification. Nothing here allocates.

#include "core/elementary.h"
#include "turgor/scene.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/// Below this angle (its cosine) the arc is as good as straight, and slerp would divide by nearly
/// 0.
static const double tg_straightArc = 0.9995;

/// A last key that floating-point error puts just past a frame does not ask for another.
static const double tg_frameSlop = 1e-4;

// Local transforms wait in the node matrices until they are composed.
_Static_assert(sizeof(tgTransform) <= sizeof(tgMat34), "a transform must fit in a matrix");

static const tgAnimation* tgGetAnimation(const tgScene* scene, int animation)
{
    bool isThere = animation >= 0 && animation < scene->animationCount;
    return isThere ? &scene->animations[animation] : NULL;
}

int tgScene_GetFrameCount(const tgScene* scene, int animation, double fps)
{
    const tgAnimation* clip = tgGetAnimation(scene, animation);
    if (clip == NULL || !(fps > 0.0)) {
        return 1;
    }
    double last = ceil((clip->end - fmin(clip->start, 0.0)) * fps - tg_frameSlop);
    if (!(last < (double)(INT_MAX - 1))) {
        return INT_MAX;
    }
    return last > 0.0 ? (int)last + 1 : 1;
}

double tgScene_GetFrameTime(const tgScene* scene, int animation, double fps, int frame)
{
    const tgAnimation* clip = tgGetAnimation(scene, animation);
    double first = clip != NULL ? fmin(clip->start, 0.0) : 0.0;
    return fps > 0.0 ? first + frame / fps : first;
}

/// Where a time falls among the keys.
typedef struct tgKeySpan {
    int first;       ///< the key at or before the time
    int second;      ///< the key after it; the same as first at the ends and for step
    double fraction; ///< 0 at first, 1 at second
    double duration; ///< seconds between them
} tgKeySpan;

static tgKeySpan tgFindKeys(const tgChannel* channel, double time)
{
    const float* times = channel->times;
    int last = channel->keyCount - 1;
    tgKeySpan span = {0};
    if (!(time > (double)times[0])) {
        return span;
    }
    if (time >= (double)times[last]) {
        span.first = span.second = last;
        return span;
    }
    // times[low] <= time < times[high] throughout.
    int low = 0;
    int high = last;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if ((double)times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    span.first = span.second = low;
    if (channel->interpolation != tg_interpolateStep) {
        span.second = high;
        span.duration = (double)times[high] - (double)times[low];
        span.fraction = (time - (double)times[low]) / span.duration;
    }
    return span;
}

/// Component c of the channel's value. Rotations come out as they are interpolated, not yet of
/// length one.
static float tgInterpolate(const tgChannel* channel, const tgKeySpan* span, int c)
{
    size_t width = (size_t)channel->width;
    size_t first = (size_t)span->first;
    size_t second = (size_t)span->second;
    const float* values = channel->values + c;
    if (channel->interpolation != tg_interpolateCubic) {
        double a = (double)values[first * width];
        double b = (double)values[second * width];
        return (float)(a + span->fraction * (b - a));
    }
    // In-tangent, value, out-tangent of each key; tangents are per second.
    double t = span->fraction;
    double a = (double)values[(3 * first + 1) * width];
    double b = (double)values[(3 * second + 1) * width];
    double leave = span->duration * (double)values[(3 * first + 2) * width];
    double arrive = span->duration * (double)values[3 * second * width];
    double t2 = t * t;
    double t3 = t2 * t;
    double value = (2.0 * t3 - 3.0 * t2 + 1.0) * a + (t3 - 2.0 * t2 + t) * leave +
                   (3.0 * t2 - 2.0 * t3) * b + (t3 - t2) * arrive;
    return (float)value;
}

/// Along the shorter arc, at constant speed.
static tgQuat tgSlerp(const float* from, const float* to, double fraction)
{
    tgQuat a = tgNormalizeQuat((tgQuat){from[0], from[1], from[2], from[3]});
    tgQuat b = tgNormalizeQuat((tgQuat){to[0], to[1], to[2], to[3]});
    double cosine = (double)a.x * (double)b.x + (double)a.y * (double)b.y +
                    (double)a.z * (double)b.z + (double)a.w * (double)b.w;
    double side = cosine < 0.0 ? -1.0 : 1.0; // q and -q are the same rotation
    double shareA = 1.0 - fraction;
    double shareB = fraction;
    if (side * cosine < tg_straightArc) {
        // By functions of our own: a pose has the same bits everywhere.
        double c = side * cosine, angle = tgArcTangent(sqrt(1.0 - c * c), c), whole, unused;
        tgSineCosine(angle, &whole, &unused);
        tgSineCosine(shareA * angle, &shareA, &unused);
        tgSineCosine(shareB * angle, &shareB, &unused);
        shareA /= whole;
        shareB /= whole;
    }
    shareB *= side;
    tgQuat q = {
        (float)(shareA * (double)a.x + shareB * (double)b.x),
        (float)(shareA * (double)a.y + shareB * (double)b.y),
        (float)(shareA * (double)a.z + shareB * (double)b.z),
        (float)(shareA * (double)a.w + shareB * (double)b.w),
    };
    return tgNormalizeQuat(q);
}

static tgVec3 tgSampleVector(const tgChannel* channel, const tgKeySpan* span)
{
    return tgMakeVec3(tgInterpolate(channel, span, 0), tgInterpolate(channel, span, 1),
                      tgInterpolate(channel, span, 2));
}

static tgQuat tgSampleRotation(const tgChannel* channel, const tgKeySpan* span)
{
    if (channel->interpolation != tg_interpolateCubic) {
        return tgSlerp(channel->values + 4 * (size_t)span->first,
                       channel->values + 4 * (size_t)span->second, span->fraction);
    }
    tgQuat q = {tgInterpolate(channel, span, 0), tgInterpolate(channel, span, 1),
                tgInterpolate(channel, span, 2), tgInterpolate(channel, span, 3)};
    return tgNormalizeQuat(q);
}

static void tgSampleWeights(const tgScene* scene, const tgChannel* channel, const tgKeySpan* span,
                            float* morphWeights)
{
    for (int m = 0; m < scene->morphCount; ++m) {
        const tgSceneMorph* morph = &scene->morphs[m];
        if (morph->node == channel->node && morph->indexInNode < channel->width) {
            morphWeights[m] = tgInterpolate(channel, span, morph->indexInNode);
        }
    }
}

/// Overwrite what one channel animates.
static void tgApplyChannel(const tgScene* scene, const tgChannel* channel, double time,
                           tgMat34* nodes, float* morphWeights)
{
    if (channel->keyCount <= 0) {
        return;
    }
    tgKeySpan span = tgFindKeys(channel, time);
    if (channel->path == tg_pathWeights) {
        if (morphWeights != NULL) {
            tgSampleWeights(scene, channel, &span, morphWeights);
        }
        return;
    }
    if (scene->nodes[channel->node].hasMatrix) {
        return;
    }
    tgTransform local;
    memcpy(&local, &nodes[channel->node], sizeof(local));
    if (channel->path == tg_pathTranslation) {
        local.position = tgSampleVector(channel, &span);
    } else if (channel->path == tg_pathRotation) {
        local.rotation = tgSampleRotation(channel, &span);
    } else {
        local.scale = tgSampleVector(channel, &span);
    }
    memcpy(&nodes[channel->node], &local, sizeof(local));
}

/// From local transforms to node-to-model, parents first.
static void tgComposeNodes(const tgScene* scene, tgMat34* nodes)
{
    for (int n = 0; n < scene->nodeCount; ++n) {
        const tgSceneNode* node = &scene->nodes[n];
        if (!node->hasMatrix) {
            tgTransform local;
            memcpy(&local, &nodes[n], sizeof(local));
            nodes[n] = tgMakeMat34(local);
        }
        if (node->parent >= 0) {
            nodes[n] = tgMulMat34(&nodes[node->parent], &nodes[n]);
        }
    }
}

/// Puts a rotation in place of the one that a joint's node has by now.
static void tgTurnNode(const tgSceneNode* node, tgQuat rotation, tgMat34* local)
{
    if (node->hasMatrix) {
        tgTransform turn = tgIdentityTransform();
        turn.position = local->origin;
        turn.rotation = rotation;
        turn.scale = tgMakeVec3(tgLength(local->x), tgLength(local->y), tgLength(local->z));
        *local = tgMakeMat34(turn);
    } else {
        tgTransform transform;
        memcpy(&transform, local, sizeof(transform));
        transform.rotation = rotation;
        memcpy(local, &transform, sizeof(transform));
    }
}

void tgScene_SamplePose(const tgScene* scene, int animation, double time, tgMat34* nodes,
                        tgMat34* joints, float* morphWeights)
{
    tgScene_SampleTurnedPose(scene, animation, time, NULL, nodes, joints, morphWeights);
}

void tgScene_SampleTurnedPose(const tgScene* scene, int animation, double time,
                              const tgQuat* rotations, tgMat34* nodes, tgMat34* joints,
                              float* morphWeights)
{
    for (int n = 0; n < scene->nodeCount; ++n) {
        const tgSceneNode* node = &scene->nodes[n];
        if (node->hasMatrix) {
            nodes[n] = node->matrix;
        } else {
            memcpy(&nodes[n], &node->local, sizeof(tgTransform));
        }
    }
    for (int m = 0; m < scene->morphCount && morphWeights != NULL; ++m) {
        morphWeights[m] = scene->morphs[m].weight;
    }
    const tgAnimation* clip = tgGetAnimation(scene, animation);
    for (int c = 0; clip != NULL && c < clip->channelCount; ++c) {
        tgApplyChannel(scene, &clip->channels[c], time, nodes, morphWeights);
    }
    for (int j = 0; rotations != NULL && j < scene->jointCount; ++j) {
        tgQuat q = rotations[j];
        int node = scene->joints[j].node;
        if (q.x != 0.0f || q.y != 0.0f || q.z != 0.0f || q.w != 0.0f) {
            tgTurnNode(&scene->nodes[node], tgNormalizeQuat(q), &nodes[node]);
        }
    }
    tgComposeNodes(scene, nodes);
    for (int j = 0; j < scene->jointCount; ++j) {
        joints[j] = nodes[scene->joints[j].node];
    }
}

void tgScene_SampleShape(const tgScene* scene, const float* morphWeights, tgVec3* positions)
{
    if (scene->vertexCount > 0) {
        memcpy(positions, scene->positions, (size_t)scene->vertexCount * sizeof(tgVec3));
    }
    for (int m = 0; m < scene->morphCount; ++m) {
        const tgSceneMorph* morph = &scene->morphs[m];
        float weight = morphWeights[m];
        tgVec3* moved = positions + morph->firstVertex;
        for (int v = 0; v < morph->vertexCount && weight != 0.0f; ++v) {
            moved[v] = tgMulAdd(moved[v], weight, morph->offsets[v]);
        }
    }
}
