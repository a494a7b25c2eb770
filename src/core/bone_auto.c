// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Bones for characters that have none: a shaft with two heads along each bone of the skeleton, as
// thick as its limb lets it be and never out of the skin. No sines: the same bits on every machine.

#include "core/boneshape.h"

enum { tg_boneRings = 25, tg_boneSides = 16, tg_fewestLimbVertices = 8 };
/// Depths below the skin are measured at so many places along a bone, which has to span so many.
enum { tg_lineSteps = 16, tg_fewestSteps = 4, tg_mostSkinHits = 32 };
/// Of the limb's radius.
static const float tg_headRadius = 0.72f, tg_baseRadius = 0.62f, tg_shaftRadius = 0.34f;
/// No limb counts as thicker than this, in lengths of its bone: a spine is no row of balls.
static const float tg_thickestLimb = 0.3f;
/// How much of the depth below the skin a bone may fill.
static const float tg_mostOfDepth = 0.85f;
/// Pieces of the mesh with fewer vertices than this, of the largest piece's, are no limb's skin.
static const float tg_leastPiece = 0.05f;
/// A bone that several follow has no joint at its end, and ends before it.
static const float tg_branchLength = 0.6f;
/// The last bone of a limb ends where it is so deep, of its deepest.
static const float tg_leafDepth = 0.6f;
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
    bool isLeaf;             ///< no joint follows: it ends before the skin of the limb's end does
    float base, shaft, head; ///< what the depth below the skin leaves of their radii
} tgBoneLine;

/// Leaves out the faces of pieces that are small beside the largest: nails, eyes and teeth bound no
/// limb.
/// @return how many triangles are left
static int tgDropSmallPieces(const tgMesh* mesh, int* sizes, int* triangles, int count)
{
    int largest = 0, kept = 0;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        int piece = mesh->vertexComponent[v];
        int size = piece >= 0 ? ++sizes[piece] : 0;
        largest = size > largest ? size : largest;
    }
    for (int f = 0; f < count; ++f) {
        int size = sizes[mesh->vertexComponent[triangles[3 * f]]];
        if ((float)size >= tg_leastPiece * (float)largest) {
            for (int k = 0; k < 3; ++k) {
                triangles[3 * kept + k] = triangles[3 * f + k];
            }
            kept += 1;
        }
    }
    return kept;
}

bool tgBoneMaker_Open(tgBoneMaker* maker)
{
    const tgMesh* mesh = maker->mesh;
    int count = mesh->triangleCount + 2 * mesh->quadCount;
    int* triangles = tgScratch_Take(maker->scratch, 3 * (size_t)count, sizeof(int));
    int* sizes = tgScratch_Take(maker->scratch, (size_t)mesh->componentCount, sizeof(int));
    void* memory = tgScratch_Take(maker->scratch, 1, tgBvh_GetSize(count));
    if (maker->scratch->failed) {
        return false;
    }
    tgSplitFaces(mesh->triangles, mesh->triangleCount, mesh->quads, mesh->quadCount, triangles);
    count = tgDropSmallPieces(mesh, sizes, triangles, count);
    maker->surface =
        (tgSurface){{maker->rest, mesh->vertexCount, 4 * (int)sizeof(float)}, triangles, count};
    tgBvh_Build(&maker->tree, &maker->surface, memory);
    return true;
}

/// Whether a ray leaves the skin more often than it enters, which counts pieces that overlap.
static bool tgLeavesSkin(const tgBoneMaker* maker, const tgRay* ray)
{
    tgRayHit hits[tg_mostSkinHits];
    int count = tgBvh_FindAllHits(&maker->tree, &maker->surface, ray, hits, tg_mostSkinHits);
    int exits = 0;
    for (int i = 0; i < count && i < tg_mostSkinHits; ++i) {
        exits += hits[i].entering ? -1 : 1;
    }
    return exits > 0;
}

/// How far below the skin a point is; 0 outside, which two of three rays tell.
static float tgMeasureDepth(const tgBoneMaker* maker, tgVec3 p)
{
    static const tgVec3 ways[3] = {
        {0.31f, 0.77f, 0.55f}, {-0.61f, 0.23f, 0.77f}, {0.13f, -0.91f, 0.4f}};
    int votes = 0;
    for (int k = 0; k < 3; ++k) {
        tgRay ray = tgMakeRay(p, ways[k]);
        votes += tgLeavesSkin(maker, &ray);
    }
    tgClosestPoint closest;
    bool isInside =
        votes >= 2 && tgBvh_FindClosest(&maker->tree, &maker->surface, p, HUGE_VAL, &closest);
    return isInside ? (float)sqrt(closest.distanceSquared) : 0.0f;
}

static bool tgIsOfJoint(const tgBoneMaker* maker, int v, int joint)
{
    int first = maker->influences->start[maker->mesh->vertexToRender[v]];
    return maker->influences->joints[first] == joint;
}

static tgVec3 tgGetRest(const tgBoneMaker* maker, int v)
{
    const float* p = maker->rest + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

/// A leaf's bone goes to the middle of its skin, and as far as that reaches.
static void tgAimLeaf(const tgBoneMaker* maker, int joint, tgBoneLine* line)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        if (tgIsOfJoint(maker, v, joint)) {
            sum = tgAdd(sum, tgSub(tgGetRest(maker, v), line->start));
        }
    }
    line->along = tgNormalize(sum, tgMakeVec3(0.0f, 0.0f, 0.0f));
    line->length = 0.0f;
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        if (tgIsOfJoint(maker, v, joint)) {
            float along = tgDot(tgSub(tgGetRest(maker, v), line->start), line->along);
            line->length = fmaxf(line->length, along);
        }
    }
}

/// Cuts the line to what is inside the skin, and measures how thick a bone has room there.
static bool tgTrimLine(const tgBoneMaker* maker, tgBoneLine* line)
{
    float depths[tg_lineSteps + 1], most = 0.0f, step = line->length / (float)tg_lineSteps;
    for (int i = 0; i <= tg_lineSteps; ++i) {
        tgVec3 p = tgMulAdd(line->start, (float)i * step, line->along);
        depths[i] = tgMeasureDepth(maker, p);
        most = fmaxf(most, depths[i]);
    }
    int first = 0, last = tg_lineSteps;
    float least = line->isLeaf ? tg_leafDepth * most : 0.0f;
    while (first < last && !(depths[first] > 0.0f)) {
        first += 1;
    }
    while (last > first && !(depths[last] > least)) {
        last -= 1;
    }
    line->start = tgMulAdd(line->start, (float)first * step, line->along);
    line->length = (float)(last - first) * step;
    line->base = tg_mostOfDepth * depths[first];
    line->head = tg_mostOfDepth * depths[last];
    line->shaft = tg_mostOfDepth * most;
    for (int i = first; i <= last; ++i) {
        line->shaft = fminf(line->shaft, tg_mostOfDepth * depths[i]);
    }
    return last - first >= tg_fewestSteps && line->shaft > 0.0f;
}

/// False where the joint's children do not lie on one side of it: hips have no such bone.
static bool tgFindBoneLine(const tgBoneMaker* maker, int joint, tgBoneLine* line)
{
    const tgSkeleton* skeleton = maker->skeleton;
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
    line->isLeaf = count == 0;
    if (line->isLeaf) {
        tgAimLeaf(maker, joint, line);
    }
    bool isCommon = line->length > 0.0f && (float)count * line->length >= tg_leastCommon * sum;
    line->length *= count > 1 ? tg_branchLength : 1.0f;
    return isCommon && tgTrimLine(maker, line);
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

static float tgMeasureLimb(const tgBoneMaker* maker, int joint, const tgBoneLine* line)
{
    int vertexCount = maker->mesh->vertexCount, count = 0;
    float* radii = tgScratch_Take(maker->scratch, (size_t)vertexCount, sizeof(float));
    for (int v = 0; v < vertexCount && radii != NULL; ++v) {
        if (!tgIsOfJoint(maker, v, joint)) {
            continue;
        }
        tgVec3 arm = tgSub(tgGetRest(maker, v), line->start);
        float t = tgDot(arm, line->along) / line->length;
        if (t >= tg_measureFrom && t <= tg_measureTo) {
            radii[count++] = tgLength(tgMulAdd(arm, -t * line->length, line->along));
        }
    }
    float radius = count >= tg_fewestLimbVertices ? tgFindQuartile(radii, count) : 0.0f;
    return fminf(radius, tg_thickestLimb * line->length);
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
static float tgGetBoneRadius(const tgBoneLine* line, float x)
{
    float radius = fmaxf(tgCutBall(0.0f, line->base, x), tgCutBall(line->length, line->head, x));
    bool isBetween = x > 0.0f && x < line->length;
    return isBetween ? tgJoinRadii(radius, line->shaft, 0.5f * line->shaft) : radius;
}

static void tgPlaceRings(const tgBoneLine* line, tgVec3* positions)
{
    tgVec3 helper =
        fabsf(line->along.x) < 0.7f ? tgMakeVec3(1.0f, 0.0f, 0.0f) : tgMakeVec3(0.0f, 1.0f, 0.0f);
    tgVec3 side = tgNormalize(tgCross(line->along, helper), helper);
    tgVec3 up = tgCross(line->along, side);
    float from = -line->base, to = line->length + line->head;
    for (int r = 0; r < tg_boneRings; ++r) {
        float u = ((float)r + 1.0f) / (float)(tg_boneRings + 1);
        float x = from + (to - from) * u * u * (3.0f - 2.0f * u); // closer rings at both ends
        float radius = tgGetBoneRadius(line, x);
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

bool tgMakeAutomaticBone(const tgBoneMaker* maker, int joint, tgBoneDef* bone)
{
    enum {
        vertexCount = tg_boneRings * tg_boneSides + 2,
        faceCount = 2 * tg_boneRings * tg_boneSides
    };
    tgBoneLine line;
    if (!tgFindBoneLine(maker, joint, &line)) {
        return false;
    }
    float limb = tgMeasureLimb(maker, joint, &line);
    if (!(limb > 0.0f)) {
        return false;
    }
    line.base = fminf(line.base, tg_baseRadius * limb);
    line.head = fminf(line.head, tg_headRadius * limb);
    line.shaft = fminf(fminf(line.shaft, tg_shaftRadius * limb), fmaxf(line.base, line.head));
    tgScratch* scratch = maker->scratch;
    tgVec3* positions = tgScratch_Take(scratch, vertexCount, sizeof(tgVec3));
    int* corners = tgScratch_Take(scratch, 3 * (size_t)faceCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    tgPlaceRings(&line, positions);
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
