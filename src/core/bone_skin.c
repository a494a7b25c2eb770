// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// For every skin vertex the bones that may reach it: those of its own joints, and of the neighbours
// of its main joint, that are near at rest. Then the distance to keep from them, the joint whose
// bend tells the inner side, and a few rings of skin about, over which the move fades.

#include "core/bone_skin.h"

#include "core/kernels.h"
#include "core/topology.h"
#include "core/volume.h"

/// Joints that carry less of a vertex have no bone for it.
static const float tg_leastWeight = 0.02f;
/// Bones that are farther than so many of their reaches at rest stay out of it.
static const float tg_nearReaches = 1.5f;
/// Softness where skin is thin, of that thickness; and what keeps the rest pose clear of rounding.
static const float tg_thinSoftness = 0.25f, tg_restMargin = 1.02f;
/// A bone that sticks out at rest by more than this fraction of its reach is left alone.
static const float tg_mostOutAtRest = 0.7f;

/// Neighbours of all vertices.
typedef struct tgRings {
    int* start;
    int* list;
} tgRings;

static bool tgBuildRings(const tgMesh* mesh, tgScratch* scratch, tgRings* rings)
{
    tgEdges edges = {0};
    size_t count = (size_t)mesh->vertexCount;
    rings->start = tgScratch_Take(scratch, count + 1, sizeof(int));
    int* fill = tgScratch_Take(scratch, count, sizeof(int));
    if (scratch->failed || !tgBuildEdges(mesh, scratch, &edges)) {
        return false;
    }
    for (int e = 0; e < edges.edgeCount; ++e) {
        const tgEdgeUse* use = &edges.uses[edges.edgeStart[e]];
        rings->start[use->low + 1] += 1;
        rings->start[use->high + 1] += 1;
    }
    for (size_t v = 0; v < count; ++v) {
        rings->start[v + 1] += rings->start[v];
        fill[v] = rings->start[v];
    }
    rings->list = tgScratch_Take(scratch, (size_t)rings->start[count], sizeof(int));
    for (int e = 0; e < edges.edgeCount && !scratch->failed; ++e) {
        const tgEdgeUse* use = &edges.uses[edges.edgeStart[e]];
        rings->list[fill[use->low]++] = use->high;
        rings->list[fill[use->high]++] = use->low;
    }
    return !scratch->failed;
}

/// What is worked out for one vertex before it is known how many there are.
typedef struct tgBoneLists {
    int* boneOfJoint; ///< the last bone of each joint, -1 for none
    int* nextBone;    ///< the one before it on the same joint
    int* places;      ///< of each vertex in the list + 1; 0 for those not in it
    int* starts;      ///< of each vertex's bones in `bones`, and the end
    int* bones;
    int boneCount, boneRoom;
    int* nearest;     ///< of each vertex: its nearest bone, as place in `bones`
    float* distances; ///< of each vertex to that bone
    tgRings rings;
} tgBoneLists;

static tgVec3 tgGetRest(const tgBoneSkinMaker* maker, int v)
{
    const float* p = maker->rest + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

static float tgMeasureDistance(const tgBoneSkinMaker* maker, const tgBone* bone, tgVec3 p)
{
    const tgSkeleton* skeleton = maker->skeleton;
    tgVec3 inJoint = tgMulPointD(&skeleton->restInverse[bone->info.joint], p);
    tgSurface surface = tgBone_GetSurface(bone);
    tgClosestPoint closest;
    if (!tgBvh_FindClosest(&bone->tree, &surface, inJoint, HUGE_VAL, &closest)) {
        return INFINITY;
    }
    return tgDistance(p, tgMulPointD(&skeleton->rest[bone->info.joint], closest.point));
}

/// The bones of one joint, where they are near.
static bool tgAddJointBones(const tgBoneSkinMaker* maker, tgBoneLists* lists, int joint, int v,
                            float* nearest)
{
    for (int b = joint >= 0 ? lists->boneOfJoint[joint] : -1; b >= 0; b = lists->nextBone[b]) {
        const tgBone* bone = &maker->bones->bones[b];
        bool isKnown = false;
        for (int k = lists->starts[v]; k < lists->boneCount; ++k) {
            isKnown = isKnown || lists->bones[k] == b;
        }
        float distance = isKnown ? INFINITY : tgMeasureDistance(maker, bone, tgGetRest(maker, v));
        if (!(distance <= tg_nearReaches * bone->reach + bone->thickness)) {
            continue;
        }
        if (lists->boneCount == lists->boneRoom) {
            return false;
        }
        lists->bones[lists->boneCount++] = b;
        if (distance < *nearest) {
            *nearest = distance;
            lists->nearest[v] = lists->boneCount - 1;
            lists->distances[v] = distance;
        }
    }
    return true;
}

static bool tgAddVertexBones(const tgBoneSkinMaker* maker, tgBoneLists* lists, int v)
{
    const tgInfluences* influences = maker->influences;
    const tgTree* tree = &maker->skeleton->tree;
    int r = maker->mesh->vertexToRender[v], first = influences->start[r];
    float nearest = INFINITY;
    bool isDone = true;
    for (int k = first; k < influences->start[r + 1]; ++k) {
        if (influences->weights[k] >= tg_leastWeight) {
            isDone = isDone && tgAddJointBones(maker, lists, influences->joints[k], v, &nearest);
        }
    }
    int main = influences->joints[first]; // heaviest first
    isDone = isDone && tgAddJointBones(maker, lists, maker->skeleton->parents[main], v, &nearest);
    for (int child = tree->firstChild[main]; child >= 0; child = tree->nextSibling[child]) {
        isDone = isDone && tgAddJointBones(maker, lists, child, v, &nearest);
    }
    return isDone;
}

static bool tgListBones(const tgBoneSkinMaker* maker, tgBoneLists* lists)
{
    const tgBones* bones = maker->bones;
    size_t vertexCount = (size_t)maker->mesh->vertexCount;
    int jointCount = maker->skeleton->jointCount;
    lists->boneOfJoint = tgScratch_Take(maker->scratch, (size_t)jointCount, sizeof(int));
    lists->nextBone = tgScratch_Take(maker->scratch, (size_t)bones->count, sizeof(int));
    lists->starts = tgScratch_Take(maker->scratch, vertexCount + 1, sizeof(int));
    lists->places = tgScratch_Take(maker->scratch, vertexCount, sizeof(int));
    lists->nearest = tgScratch_Take(maker->scratch, vertexCount, sizeof(int));
    lists->distances = tgScratch_Take(maker->scratch, vertexCount, sizeof(float));
    if (maker->scratch->failed) {
        return false;
    }
    for (int j = 0; j < jointCount; ++j) {
        lists->boneOfJoint[j] = -1;
    }
    for (int b = 0; b < bones->count; ++b) {
        lists->nextBone[b] = lists->boneOfJoint[bones->bones[b].info.joint];
        lists->boneOfJoint[bones->bones[b].info.joint] = b;
    }
    // Few vertices have many bones; grow by starting over with more room.
    for (lists->boneRoom = 4 * (int)vertexCount + 64;; lists->boneRoom *= 2) {
        lists->bones = tgScratch_Take(maker->scratch, (size_t)lists->boneRoom, sizeof(int));
        lists->boneCount = 0;
        bool isDone = !maker->scratch->failed;
        for (int v = 0; v < (int)vertexCount && isDone; ++v) {
            lists->starts[v] = lists->boneCount;
            isDone = tgAddVertexBones(maker, lists, v);
        }
        if (isDone || maker->scratch->failed) {
            lists->starts[vertexCount] = lists->boneCount;
            return isDone;
        }
    }
}

/// The vertices with bones, then ring after ring about them.
static bool tgListVertices(const tgBoneSkinMaker* maker, tgBoneLists* lists)
{
    tgBoneSkin* skin = &maker->bones->skin;
    int vertexCount = maker->mesh->vertexCount;
    skin->vertices = tgScratch_Take(maker->scratch, (size_t)vertexCount, sizeof(int));
    if (maker->scratch->failed) {
        return false;
    }
    for (int v = 0; v < vertexCount; ++v) {
        if (lists->starts[v + 1] > lists->starts[v]) {
            skin->vertices[skin->count++] = v;
            lists->places[v] = skin->count;
        }
    }
    int begin = 0;
    for (int round = 0; round < maker->bones->smoothRounds; ++round) {
        int end = skin->count;
        for (int i = begin; i < end; ++i) {
            int v = skin->vertices[i];
            for (int k = lists->rings.start[v]; k < lists->rings.start[v + 1]; ++k) {
                int other = lists->rings.list[k];
                if (lists->places[other] == 0) {
                    skin->vertices[skin->count++] = other;
                    lists->places[other] = skin->count;
                }
            }
        }
        begin = end;
    }
    return true;
}

/// Copies of bones and rings in the order of the list.
static bool tgFillLists(const tgBoneSkinMaker* maker, const tgBoneLists* lists)
{
    tgBoneSkin* skin = &maker->bones->skin;
    size_t count = (size_t)skin->count;
    size_t ringCount = (size_t)lists->rings.start[maker->mesh->vertexCount];
    tgScratch* scratch = maker->scratch;
    skin->boneStart = tgScratch_Take(scratch, count + 1, sizeof(int));
    skin->bones = tgScratch_Take(scratch, (size_t)lists->boneCount, sizeof(int));
    skin->ringStart = tgScratch_Take(scratch, count + 1, sizeof(int));
    skin->rings = tgScratch_Take(scratch, ringCount, sizeof(int));
    skin->ringShare = tgScratch_Take(scratch, count, sizeof(float));
    skin->offsets = tgScratch_Take(scratch, count, sizeof(float));
    skin->isHeld = tgScratch_Take(scratch, count, sizeof(bool));
    skin->softness = tgScratch_Take(scratch, count, sizeof(float));
    skin->gaps = tgScratch_Take(scratch, count, sizeof(float));
    skin->hinges = tgScratch_Take(scratch, count, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    int boneCount = 0, ringFill = 0;
    for (int i = 0; i < skin->count; ++i) {
        int v = skin->vertices[i];
        for (int k = lists->starts[v]; k < lists->starts[v + 1]; ++k) {
            skin->bones[boneCount++] = lists->bones[k];
            maker->bones->bones[lists->bones[k]].info.vertexCount += 1;
        }
        for (int k = lists->rings.start[v]; k < lists->rings.start[v + 1]; ++k) {
            int place = lists->places[lists->rings.list[k]];
            if (place > 0) {
                skin->rings[ringFill++] = place - 1;
            }
        }
        int degree = lists->rings.start[v + 1] - lists->rings.start[v];
        skin->ringShare[i] = degree > 0 ? 1.0f / (float)degree : 0.0f;
        skin->boneStart[i + 1] = boneCount;
        skin->ringStart[i + 1] = ringFill;
    }
    return true;
}

/// The distance to keep from the bones along the normal, from the rest pose.
static bool tgMeasureOffsets(const tgBoneSkinMaker* maker, const tgBoneLists* lists)
{
    tgBones* bones = maker->bones;
    tgBoneSkin* skin = &bones->skin;
    const tgMesh* mesh = maker->mesh;
    tgBonePose* poses = tgScratch_Take(maker->scratch, (size_t)bones->count, sizeof(tgBonePose));
    tgBoneBox* boxes = tgScratch_Take(maker->scratch, (size_t)bones->count, sizeof(tgBoneBox));
    float* slots =
        tgScratch_Take(maker->scratch, 4 * (size_t)tgMesh_SlotCount(mesh), sizeof(float));
    if (maker->scratch->failed) {
        return false;
    }
    for (int b = 0; b < bones->count; ++b) {
        int joint = bones->bones[b].info.joint;
        poses[b] =
            (tgBonePose){maker->skeleton->restInverse[joint], maker->skeleton->rest[joint], true};
    }
    tgBoxBones(bones, poses, boxes);
    const tgParallel here = {NULL, NULL};
    tgRunFaceSlots(&here, tgSelectKernels(tg_simdScalar), mesh, maker->rest, slots);
    for (int i = 0; i < skin->count; ++i) {
        int v = skin->vertices[i];
        int boneCount = skin->boneStart[i + 1] - skin->boneStart[i];
        skin->isHeld[i] = tgIsInsideBones(bones, poses, boxes, tgGetRest(maker, v));
        if (boneCount == 0) {
            continue;
        }
        const tgBone* nearest = &bones->bones[lists->bones[lists->nearest[v]]];
        float softness = nearest->softness;
        tgBoneProbe probe = {tgGetRest(maker, v), tgGatherNormal(mesh, slots, v),
                             nearest->thickness, tg_restMargin * softness, nearest->gap};
        tgBoneExit exit = {0};
        bool isMet = tgHasLength(probe.normal) &&
                     tgFindBoneExit(bones, poses, skin->bones + skin->boneStart[i], boneCount,
                                    &probe, &exit);
        // The line may miss at rest what it meets later, so the shortest distance counts as well.
        float depth = isMet && exit.t > 0.0 ? -(float)exit.t : lists->distances[v];
        softness = depth > 0.0f ? fminf(softness, tg_thinSoftness * depth) : softness;
        float thickness = fminf(nearest->thickness, depth - tg_restMargin * softness);
        thickness = -depth > tg_mostOutAtRest * exit.reach ? -INFINITY : thickness;
        skin->offsets[i] = thickness;
        skin->softness[i] = softness;
        skin->gaps[i] = nearest->gap;
    }
    return true;
}

tgVec3 tgFindBoneEnd(const tgSkeleton* skeleton, int joint)
{
    const double* own = skeleton->rest[joint].c[3];
    double end[3] = {0.0, 0.0, 0.0};
    int count = 0;
    for (int child = 0; child < skeleton->jointCount; ++child) {
        if (skeleton->parents[child] == joint) {
            for (int i = 0; i < 3; ++i) {
                end[i] += skeleton->rest[child].c[3][i];
            }
            count += 1;
        }
    }
    int parent = skeleton->parents[joint];
    for (int i = 0; i < 3; ++i) {
        double beyond = parent >= 0 ? 2.0 * own[i] - skeleton->rest[parent].c[3][i] : own[i];
        end[i] = count > 0 ? end[i] / count : beyond;
    }
    return tgMakeVec3((float)end[0], (float)end[1], (float)end[2]);
}

static float tgMeasureToJoint(const tgBoneSkinMaker* maker, int joint, tgVec3 p)
{
    const double* o = maker->skeleton->rest[joint].c[3];
    return tgDistance(p, tgMakeVec3((float)o[0], (float)o[1], (float)o[2]));
}

/// One hinge for every joint that has a parent; each vertex goes by the nearest joint of its bone.
static bool tgFindHinges(const tgBoneSkinMaker* maker)
{
    const tgSkeleton* skeleton = maker->skeleton;
    tgBones* bones = maker->bones;
    size_t jointCount = (size_t)skeleton->jointCount;
    bones->hinges = tgScratch_Take(maker->scratch, jointCount, sizeof(tgBoneHinge));
    int* hingeOfJoint = tgScratch_Take(maker->scratch, jointCount, sizeof(int));
    if (maker->scratch->failed) {
        return false;
    }
    for (int j = 0; j < skeleton->jointCount; ++j) {
        hingeOfJoint[j] = -1;
        if (skeleton->parents[j] >= 0) {
            hingeOfJoint[j] = bones->hingeCount;
            tgVec3 end = tgMulPointD(&skeleton->restInverse[j], tgFindBoneEnd(skeleton, j));
            bones->hinges[bones->hingeCount++] = (tgBoneHinge){j, skeleton->parents[j], end};
        }
    }
    for (int i = 0; i < bones->skin.count; ++i) {
        int v = bones->skin.vertices[i];
        tgVec3 p = tgGetRest(maker, v);
        int main =
            maker->influences->joints[maker->influences->start[maker->mesh->vertexToRender[v]]];
        int best = main;
        const tgTree* tree = &skeleton->tree;
        for (int child = tree->firstChild[main]; child >= 0; child = tree->nextSibling[child]) {
            bool isNearer = tgMeasureToJoint(maker, child, p) < tgMeasureToJoint(maker, best, p);
            best = isNearer ? child : best;
        }
        bones->skin.hinges[i] = hingeOfJoint[best];
    }
    return true;
}

bool tgBuildBoneSkin(tgBoneSkinMaker* maker)
{
    tgBoneLists lists = {0};
    return tgBuildRings(maker->mesh, maker->scratch, &lists.rings) && tgListBones(maker, &lists) &&
           tgListVertices(maker, &lists) && tgFillLists(maker, &lists) &&
           tgMeasureOffsets(maker, &lists) && tgFindHinges(maker);
}
