// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The stage between skin and contact: the skin goes out over the bones that would come through it
// (Suda, Yamanaka and Morishima 2010, section 4). With t the bone's exit on the line along the
// normal, d the distance to keep and r the softness, s = t + d and
//   h = 0 for s <= -r,  (s + r)^2 / 4r between,  s for s >= r;  S' = S + m h n.
// Then a few rounds that raise the skin about it to the mean of its neighbours, so that there is no
// crease. m spares the inner side of a bend, told by position: normals fail in a crushed crease.

#include "core/boneshape.h"

#include <string.h>

/// Chords 2 sin(a/2) of the bends of 5 and 20 degrees between which the inner side is let go.
static const float tg_straightChord = 0.0872388f, tg_bentChord = 0.3472964f;
/// Cosines about the bone between which a vertex comes to the inner side.
static const float tg_outerCosine = -0.25f, tg_innerCosine = 0.25f;
/// From this fraction of the reach on the bone is left alone, bit by bit.
static const float tg_fadeStart = 0.75f;
/// How much of the neighbours' mean a round takes.
static const float tg_smoothShare = 0.5f;
/// Skin this many softnesses clear of the bone is free again.
static const float tg_freeClearance = 2.0f;

static float tgSmoothStep(float low, float high, float x)
{
    float t = fminf(fmaxf((x - low) / (high - low), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

static tgVec3 tgGetPosition(const float* positions, int v)
{
    const float* p = positions + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

tgVec3 tgGatherNormal(const tgMesh* mesh, const float* slots, int v)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    int capEnd = mesh->triangleCount + mesh->capTriangleCount;
    for (int k = mesh->cornerStart[v]; k < mesh->cornerStart[v + 1]; ++k) {
        int slot = mesh->cornerSlots[k];
        if (slot < mesh->triangleCount || slot >= capEnd) {
            sum = tgAdd(sum, tgGetPosition(slots, slot));
        }
    }
    return tgNormalize(sum, tgMakeVec3(0.0f, 0.0f, 0.0f));
}

static tgVec3 tgFindClosestOnSegment(tgVec3 a, tgVec3 b, tgVec3 p)
{
    tgVec3 along = tgSub(b, a);
    float squared = tgDot(along, along);
    float t = squared > 0.0f ? tgDot(tgSub(p, a), along) / squared : 0.0f;
    return tgMulAdd(a, fminf(fmaxf(t, 0.0f), 1.0f), along);
}

/// 1 on the outer side of a bend and where there is none, 0 on the inner side.
static float tgGetOuterShare(const tgBoneTask* task, int hinge, tgVec3 p)
{
    if (hinge < 0 || !task->bones->spareInside) {
        return 1.0f;
    }
    const tgBoneHinge* bend = &task->bones->hinges[hinge];
    const tgVec3 zero = {0.0f, 0.0f, 0.0f};
    tgVec3 start = task->joints[bend->parent].origin, middle = task->joints[bend->joint].origin;
    tgVec3 end = tgMulMatPoint(&task->joints[bend->joint], bend->end);
    tgVec3 inwards =
        tgSub(tgNormalize(tgSub(end, middle), zero), tgNormalize(tgSub(middle, start), zero));
    float chord = tgLength(inwards);
    if (chord <= tg_straightChord) {
        return 1.0f;
    }
    tgVec3 first = tgFindClosestOnSegment(start, middle, p);
    tgVec3 second = tgFindClosestOnSegment(middle, end, p);
    tgVec3 closest = tgDistance(first, p) < tgDistance(second, p) ? first : second;
    float side = tgDot(tgNormalize(tgSub(p, closest), zero), inwards) / chord;
    return 1.0f - tgSmoothStep(tg_straightChord, tg_bentChord, chord) *
                      tgSmoothStep(tg_outerCosine, tg_innerCosine, side);
}

/// How far skin goes out whose bone is s beyond its place.
static float tgGiveWay(float s, float softness)
{
    if (s <= -softness) {
        return 0.0f;
    }
    return s >= softness ? s : (s + softness) * (s + softness) / (4.0f * softness);
}

/// One vertex: how far it has to go out, and how free it is then.
/// @return the rays cast
static int tgRequireHeight(const tgBoneTask* task, int i)
{
    const tgBoneSkin* skin = &task->bones->skin;
    int v = skin->vertices[i];
    task->normals[i] = tgGatherNormal(task->mesh, task->slots, v);
    task->required[i] = task->holds[i] = 0.0f;
    task->isBeyond[i] = false;
    int boneCount = skin->boneStart[i + 1] - skin->boneStart[i];
    bool hasNormal = tgHasLength(task->normals[i]);
    if (boneCount == 0 || !hasNormal || !(skin->offsets[i] > -INFINITY)) {
        return 0;
    }
    tgBoneProbe probe = {
        .origin = tgGetPosition(task->positions, v),
        .normal = task->normals[i],
        .offset = skin->offsets[i],
        .softness = skin->softness[i] * (1.0f + tg_freeClearance),
        .gap = skin->gaps[i],
    };
    tgBoneExit exit = {0};
    if (!tgFindBoneExit(task->bones, task->poses, skin->bones + skin->boneStart[i], boneCount,
                        &probe, &exit)) {
        return exit.rayCount;
    }
    float t = (float)exit.t, s = t + skin->offsets[i], softness = skin->softness[i];
    float share = exit.share * tgGetOuterShare(task, skin->hinges[i], probe.origin);
    float within = 1.0f - tgSmoothStep(tg_fadeStart * exit.reach, exit.reach, t);
    task->isBeyond[i] = within < 1.0f && share > 0.0f;
    task->required[i] = share * within * tgGiveWay(s, softness);
    float clear = (-s - softness) / (tg_freeClearance * softness);
    task->holds[i] = share * within * (1.0f - fminf(fmaxf(clear, 0.0f), 1.0f));
    return exit.rayCount;
}

static void tgRequireBlock(int block, int begin, int end, void* context)
{
    const tgBoneTask* task = context;
    int* counts = task->counts + 4 * (size_t)block;
    counts[0] = counts[1] = counts[2] = counts[3] = 0;
    for (int i = begin; i < end; ++i) {
        counts[0] += tgRequireHeight(task, i);
        counts[1] += task->required[i] > 0.0f;
        counts[2] += task->isBeyond[i] && task->required[i] == 0.0f;
    }
}

/// Rounds read one half of the heights and write the other.
typedef struct tgSmoothLoop {
    const tgBoneTask* task;
    const float* least; ///< smoothing never goes below
    float *from, *to;
} tgSmoothLoop;

static void tgSmoothBlock(int block, int begin, int end, void* context)
{
    (void)block;
    const tgSmoothLoop* loop = context;
    const tgBoneSkin* skin = &loop->task->bones->skin;
    for (int i = begin; i < end; ++i) {
        float sum = 0.0f;
        for (int k = skin->ringStart[i]; k < skin->ringStart[i + 1]; ++k) {
            sum += loop->from[skin->rings[k]];
        }
        float own = loop->from[i];
        float blend = own + tg_smoothShare * (sum * skin->ringShare[i] - own);
        // The bone stays an obstacle: smoothing only ever raises the skin about it.
        loop->to[i] = fmaxf(loop->least[i], blend);
    }
}

/// The smooth field ends in `from`.
static tgSmoothLoop tgSmooth(const tgBoneTask* task, const float* least)
{
    int count = task->bones->skin.count;
    tgSmoothLoop loop = {task, least, task->heights, task->heights + count};
    memcpy(loop.from, least, (size_t)count * sizeof(float));
    for (int round = 0; round < task->bones->smoothRounds; ++round) {
        tgParallelBlocks(task->parallel, count, tgSmoothBlock, &loop);
        float* read = loop.from;
        loop.from = loop.to;
        loop.to = read;
    }
    return loop;
}

static void tgMoveBlock(int block, int begin, int end, void* context)
{
    const tgSmoothLoop* loop = context;
    const tgBoneTask* task = loop->task;
    for (int i = begin; i < end; ++i) {
        if (!(loop->from[i] > 0.0f)) {
            continue; // others keep their bits
        }
        float* p = task->positions + 4 * (size_t)task->bones->skin.vertices[i];
        tgVec3 moved = tgMulAdd(tgMakeVec3(p[0], p[1], p[2]), loop->from[i], task->normals[i]);
        p[0] = moved.x;
        p[1] = moved.y;
        p[2] = moved.z;
        task->counts[4 * (size_t)block + 3] += 1;
    }
}

static void tgPoseBones(tgBoneTask* task)
{
    for (int b = 0; b < task->bones->count; ++b) {
        tgBonePose* pose = &task->poses[b];
        pose->jointToModel = tgMat34d_FromFloat(&task->joints[task->bones->bones[b].info.joint]);
        pose->isThere = tgMat34d_Invert(&pose->jointToModel, &pose->modelToJoint);
    }
    tgBoxBones(task->bones, task->poses, task->boxes);
}

/// From what every vertex needs to a smooth field, and the move.
static void tgRaiseSkin(tgBoneTask* task)
{
    int count = task->bones->skin.count;
    tgSmoothLoop loop = tgSmooth(task, task->required);
    tgParallelBlocks(task->parallel, count, tgMoveBlock, &loop);
    for (int block = 0; block < tgCountBlocks(count); ++block) {
        task->report.movedCount += task->counts[4 * block + 3];
    }
}

static void tgHoldBlock(int block, int begin, int end, void* context)
{
    (void)block;
    const tgSmoothLoop* loop = context;
    for (int i = begin; i < end; ++i) {
        float* freedom = &loop->task->freedom[loop->task->bones->skin.vertices[i]];
        *freedom = fminf(*freedom, 1.0f - loop->from[i]);
    }
}

/// Skin on bone is pinned, and what is about it less and less: a bulge that stops at once where the
/// bone begins would be a ridge.
static void tgHoldSkin(tgBoneTask* task)
{
    tgSmoothLoop loop = tgSmooth(task, task->holds);
    tgParallelBlocks(task->parallel, task->bones->skin.count, tgHoldBlock, &loop);
}

bool tgLookAtBones(tgBoneTask* task)
{
    int left = tgLeaveBones(task, false);
    task->report.leftCount += left;
    return left > 0;
}

void tgRunBones(tgBoneTask* task)
{
    int count = task->bones->skin.count;
    tgPoseBones(task);
    tgParallelBlocks(task->parallel, count, tgRequireBlock, task);
    task->report = (tgBoneReport){0};
    for (int block = 0; block < tgCountBlocks(count); ++block) {
        task->report.rayCount += task->counts[4 * block];
        task->report.heldCount += task->counts[4 * block + 1];
        task->report.beyondCount += task->counts[4 * block + 2];
    }
    if (task->report.heldCount > 0) {
        tgRaiseSkin(task);
    }
    if (task->freedom != NULL) {
        tgHoldSkin(task);
    }
    task->report.movedCount += tgLeaveBones(task, true);
}
