// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// No skin inside a bone. On the inner side of a bend the normal is not followed, another finger's
// bone is nobody's knuckle, and the volume stage knows nothing of bones: whatever is inside one all
// the same goes the shortest way out. Runs of vertices are compared with boxes about the bones, so
// that few of them look at any.

#include "core/bone_skin.h"

/// So many vertices, neighbours in the list, have a box together.
enum { tg_runLength = 32 };
/// A point inside a bone is brought this much of the way to its surface: just out of it.
static const float tg_clearOf = 1.25f;
/// Boxes are larger by this fraction, for rounding.
static const double tg_boxMargin = 1e-5;

static bool tgIsInBox(tgVec3 p, tgVec3 low, tgVec3 high)
{
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z &&
           p.z <= high.z;
}

static void tgBoxBone(const tgBone* bone, const tgBonePose* pose, tgBoneBox* box)
{
    const tgBvhNode* node = &bone->tree.nodes[0];
    const tgMat34d* m = &pose->jointToModel;
    double low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        double middle = m->c[3][i], half = 0.0;
        for (int k = 0; k < 3; ++k) {
            double a = (double)node->low[k], b = (double)node->high[k];
            middle += 0.5 * m->c[k][i] * (a + b);
            half += 0.5 * fabs(m->c[k][i]) * (b - a);
        }
        half += tg_boxMargin * (fabs(middle) + half);
        low[i] = middle - half;
        high[i] = middle + half;
    }
    box->low = tgMakeVec3((float)low[0], (float)low[1], (float)low[2]);
    box->high = tgMakeVec3((float)high[0], (float)high[1], (float)high[2]);
}

void tgBoxBones(const tgBones* bones, const tgBonePose* poses, tgBoneBox* boxes)
{
    for (int b = 0; b < bones->count; ++b) {
        tgBoxBone(&bones->bones[b], &poses[b], &boxes[b]);
    }
}

/// The way to the surface of a bone for a point inside it; false for one that is not.
static bool tgFindWayOut(const tgBone* bone, const tgBonePose* pose, tgVec3 p, tgVec3* way)
{
    tgVec3 inJoint = tgMulPointD(&pose->modelToJoint, p);
    const tgBvhNode* box = &bone->tree.nodes[0];
    tgVec3 low = tgMakeVec3(box->low[0], box->low[1], box->low[2]);
    tgVec3 high = tgMakeVec3(box->high[0], box->high[1], box->high[2]);
    if (!tgIsInBox(inJoint, low, high)) {
        return false;
    }
    tgVec3 middle = tgMulSV(0.5f, tgAdd(low, high));
    tgVec3 direction = tgNormalize(tgSub(inJoint, middle), tgMakeVec3(1.0f, 0.0f, 0.0f));
    tgRay ray = tgMakeRay(inJoint, direction);
    tgSurface surface = tgBone_GetSurface(bone);
    tgRayHit hit;
    tgClosestPoint closest;
    if (!tgBvh_FindNearestHit(&bone->tree, &surface, &ray, &hit) || hit.entering ||
        !tgBvh_FindClosest(&bone->tree, &surface, inJoint, HUGE_VAL, &closest)) {
        return false;
    }
    *way = tgSub(tgMulPointD(&pose->jointToModel, closest.point), p);
    return true;
}

bool tgIsInsideBones(const tgBones* bones, const tgBonePose* poses, const tgBoneBox* boxes,
                     tgVec3 p)
{
    bool isInside = false;
    for (int b = 0; b < bones->count && !isInside; ++b) {
        tgVec3 way;
        isInside = tgIsInBox(p, boxes[b].low, boxes[b].high) &&
                   tgFindWayOut(&bones->bones[b], &poses[b], p, &way);
    }
    return isInside;
}

/// One vertex and one bone.
/// @return whether it was inside
static bool tgLeaveBone(const tgBoneTask* task, int b, int v)
{
    float* p = task->positions + 4 * (size_t)v;
    tgVec3 at = tgMakeVec3(p[0], p[1], p[2]), way;
    if (!tgIsInBox(at, task->boxes[b].low, task->boxes[b].high) ||
        !tgFindWayOut(&task->bones->bones[b], &task->poses[b], at, &way)) {
        return false;
    }
    // A little more, growing from nothing: on the surface itself nobody could say.
    at = tgMulAdd(at, tg_clearOf, way);
    p[0] = at.x;
    p[1] = at.y;
    p[2] = at.z;
    if (task->freedom != NULL) {
        task->freedom[v] = 0.0f;
    }
    return true;
}

static int tgLeaveInRun(const tgBoneTask* task, int begin, int end, bool placedToo)
{
    const tgBoneSkin* skin = &task->bones->skin;
    tgVec3 low = {HUGE_VALF, HUGE_VALF, HUGE_VALF}, high = tgMulSV(-1.0f, low);
    for (int i = begin; i < end; ++i) {
        const float* p = task->positions + 4 * (size_t)skin->vertices[i];
        low = tgMakeVec3(fminf(low.x, p[0]), fminf(low.y, p[1]), fminf(low.z, p[2]));
        high = tgMakeVec3(fmaxf(high.x, p[0]), fmaxf(high.y, p[1]), fmaxf(high.z, p[2]));
    }
    int count = 0;
    for (int b = 0; b < task->bones->count; ++b) {
        const tgBoneBox* box = &task->boxes[b];
        bool meets = low.x <= box->high.x && high.x >= box->low.x && low.y <= box->high.y &&
                     high.y >= box->low.y && low.z <= box->high.z && high.z >= box->low.z;
        for (int i = begin; i < end && meets && task->poses[b].isThere; ++i) {
            int v = skin->vertices[i];
            bool isPlaced = !placedToo && task->freedom != NULL && task->freedom[v] == 0.0f;
            if (!isPlaced && !skin->isHeld[i] && !task->isBeyond[i]) {
                count += tgLeaveBone(task, b, v);
            }
        }
    }
    return count;
}

typedef struct tgLeaveLoop {
    const tgBoneTask* task;
    bool placedToo;
} tgLeaveLoop;

static void tgLeaveBlock(int block, int begin, int end, void* context)
{
    const tgLeaveLoop* loop = context;
    int count = 0;
    for (int i = begin; i < end; i += tg_runLength) {
        int runEnd = i + tg_runLength < end ? i + tg_runLength : end;
        count += tgLeaveInRun(loop->task, i, runEnd, loop->placedToo);
    }
    loop->task->counts[4 * (size_t)block] = count;
}

int tgLeaveBones(tgBoneTask* task, bool placedToo)
{
    int count = task->bones->skin.count, left = 0;
    tgLeaveLoop loop = {task, placedToo};
    tgParallelBlocks(task->parallel, count, tgLeaveBlock, &loop);
    for (int block = 0; block < tgCountBlocks(count); ++block) {
        left += task->counts[4 * block];
    }
    return left;
}
