// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Bones for characters that have none: a shaft with two heads along each bone of the skeleton, as
// thick as its limb lets it be. No sines: the same bits on every machine.

#include "core/boneshape.h"

enum { tg_boneRings = 25, tg_boneSides = 16, tg_fewestLimbVertices = 8 };
/// Of the limb's radius.
static const float tg_headRadius = 0.72f, tg_baseRadius = 0.62f, tg_shaftRadius = 0.34f;
/// Limb vertices are measured along this middle part of the bone, away from both joints.
static const float tg_measureFrom = 0.15f, tg_measureTo = 0.85f;
/// Children that lie apart this much, as a fraction of how far they are, have no bone to them all.
static const float tg_leastCommon = 0.5f;

/// A sixteenth part of the circle, and on.
static const float tg_circle[tg_boneSides][2] = {
    {1.0f, 0.0f},
    {0.9238795f, 0.3826834f},
    {0.7071068f, 0.7071068f},
    {0.3826834f, 0.9238795f},
    {0.0f, 1.0f},
    {-0.3826834f, 0.9238795f},
    {-0.7071068f, 0.7071068f},
    {-0.9238795f, 0.3826834f},
    {-1.0f, 0.0f},
    {-0.9238795f, -0.3826834f},
    {-0.7071068f, -0.7071068f},
    {-0.3826834f, -0.9238795f},
    {0.0f, -1.0f},
    {0.3826834f, -0.9238795f},
    {0.7071068f, -0.7071068f},
    {0.9238795f, -0.3826834f},
};

typedef struct tgBoneLine {
    tgVec3 start, along; ///< along is a unit vector
    float length;
} tgBoneLine;

/// False where the joint's children do not lie on one side of it: hips have no such bone.
static bool tgFindBoneLine(const tgSkeleton* skeleton, int joint, tgBoneLine* line)
{
    const double* own = skeleton->rest[joint].c[3];
    line->start = tgMakeVec3((float)own[0], (float)own[1], (float)own[2]);
    tgVec3 along = tgSub(tgFindBoneEnd(skeleton, joint), line->start);
    line->length = tgLength(along);
    line->along = tgNormalize(along, tgMakeVec3(0.0f, 0.0f, 0.0f));
    float sum = 0.0f;
    int count = 0;
    for (int child = 0; child < skeleton->jointCount; ++child) {
        if (skeleton->parents[child] == joint) {
            const double* o = skeleton->rest[child].c[3];
            tgVec3 p = tgMakeVec3((float)o[0], (float)o[1], (float)o[2]);
            sum += tgDistance(p, line->start);
            count += 1;
        }
    }
    return line->length > 0.0f &&
           (count == 0 || (float)count * line->length >= tg_leastCommon * sum);
}

static int tgCountBelow(const float* radii, int count, float limit)
{
    int below = 0;
    for (int i = 0; i < count; ++i) {
        below += radii[i] < limit;
    }
    return below;
}

/// The lower quartile of the distances of the limb's vertices from the bone: a limb that is not
/// round is thinnest there. By halving, which needs no sorting.
static float tgFindQuartile(const float* radii, int count)
{
    float low = 0.0f, high = 0.0f;
    for (int i = 0; i < count; ++i) {
        high = fmaxf(high, radii[i]);
    }
    for (int step = 0; step < 24; ++step) {
        float middle = 0.5f * (low + high);
        bool isAbove = 4 * tgCountBelow(radii, count, middle) > count;
        high = isAbove ? middle : high;
        low = isAbove ? low : middle;
    }
    return low;
}

static float tgMeasureLimb(const tgMesh* mesh, const tgInfluences* influences, const float* rest,
                           int joint, const tgBoneLine* line, tgScratch* scratch)
{
    float* radii = tgScratch_Take(scratch, (size_t)mesh->vertexCount, sizeof(float));
    int count = 0;
    for (int v = 0; v < mesh->vertexCount && radii != NULL; ++v) {
        int first = influences->start[mesh->vertexToRender[v]];
        if (influences->joints[first] != joint) {
            continue;
        }
        const float* p = rest + 4 * (size_t)v;
        tgVec3 arm = tgSub(tgMakeVec3(p[0], p[1], p[2]), line->start);
        float t = tgDot(arm, line->along) / line->length;
        if (t >= tg_measureFrom && t <= tg_measureTo) {
            radii[count++] = tgLength(tgMulAdd(arm, -t * line->length, line->along));
        }
    }
    return count >= tg_fewestLimbVertices ? tgFindQuartile(radii, count) : 0.0f;
}

/// Radius of a ball of this size about `center`, cut at x; 0 beyond it.
static float tgCutBall(float center, float radius, float x)
{
    float squared = radius * radius - (x - center) * (x - center);
    return squared > 0.0f ? sqrtf(squared) : 0.0f;
}

/// Larger of the two, rounded where they meet.
static float tgJoinRadii(float a, float b, float width)
{
    float h = fmaxf(width - fabsf(a - b), 0.0f) / width;
    return fmaxf(a, b) + 0.25f * h * h * width;
}

/// The outline: a base at the joint, a shaft, a head at the far end.
static float tgGetBoneRadius(float limb, float length, float x)
{
    float base = tgCutBall(0.0f, tg_baseRadius * limb, x);
    float head = tgCutBall(length, tg_headRadius * limb, x);
    bool isBetween = x > 0.0f && x < length;
    float radius = fmaxf(base, head);
    return isBetween ? tgJoinRadii(radius, tg_shaftRadius * limb, 0.5f * tg_shaftRadius * limb)
                     : radius;
}

static void tgPlaceRings(const tgBoneLine* line, float limb, tgVec3* positions)
{
    tgVec3 helper =
        fabsf(line->along.x) < 0.7f ? tgMakeVec3(1.0f, 0.0f, 0.0f) : tgMakeVec3(0.0f, 1.0f, 0.0f);
    tgVec3 side = tgNormalize(tgCross(line->along, helper), helper);
    tgVec3 up = tgCross(line->along, side);
    float from = -tg_baseRadius * limb, to = line->length + tg_headRadius * limb;
    for (int r = 0; r < tg_boneRings; ++r) {
        float u = ((float)r + 1.0f) / (float)(tg_boneRings + 1);
        float x = from + (to - from) * u * u * (3.0f - 2.0f * u); // closer rings at both ends
        float radius = tgGetBoneRadius(limb, line->length, x);
        tgVec3 middle = tgMulAdd(line->start, x, line->along);
        for (int s = 0; s < tg_boneSides; ++s) {
            tgVec3 out = tgMulAdd(tgMulSV(tg_circle[s][0], side), tg_circle[s][1], up);
            positions[r * tg_boneSides + s] = tgMulAdd(middle, radius, out);
        }
    }
    positions[tg_boneRings * tg_boneSides] = tgMulAdd(line->start, from, line->along);
    positions[tg_boneRings * tg_boneSides + 1] = tgMulAdd(line->start, to, line->along);
}

static void tgConnectRings(int* corners)
{
    int first = tg_boneRings * tg_boneSides, last = first + 1, at = 0;
    for (int s = 0; s < tg_boneSides; ++s) {
        int next = (s + 1) % tg_boneSides, top = (tg_boneRings - 1) * tg_boneSides;
        const int ends[6] = {first, next, s, last, top + s, top + next};
        for (int k = 0; k < 6; ++k) {
            corners[at++] = ends[k];
        }
        for (int r = 0; r + 1 < tg_boneRings; ++r) {
            int low = r * tg_boneSides, high = low + tg_boneSides;
            const int quad[6] = {low + s, low + next, high + next, low + s, high + next, high + s};
            for (int k = 0; k < 6; ++k) {
                corners[at++] = quad[k];
            }
        }
    }
}

bool tgMakeAutomaticBone(const tgMesh* mesh, const tgSkeleton* skeleton,
                         const tgInfluences* influences, const float* rest, int joint,
                         tgScratch* scratch, tgBoneDef* bone)
{
    enum {
        vertexCount = tg_boneRings * tg_boneSides + 2,
        faceCount = 2 * tg_boneRings * tg_boneSides
    };
    tgBoneLine line;
    if (!tgFindBoneLine(skeleton, joint, &line)) {
        return false;
    }
    float limb = tgMeasureLimb(mesh, influences, rest, joint, &line, scratch);
    if (!(limb > 0.0f)) {
        return false;
    }
    tgVec3* positions = tgScratch_Take(scratch, vertexCount, sizeof(tgVec3));
    int* corners = tgScratch_Take(scratch, 3 * (size_t)faceCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    tgPlaceRings(&line, limb, positions);
    tgConnectRings(corners);
    *bone = (tgBoneDef){
        .joint = joint,
        .positions = {&positions->x, vertexCount, sizeof(tgVec3)},
        .faceVertices = corners,
        .faceCount = faceCount,
        .thickness = -1.0f,
    };
    return true;
}
