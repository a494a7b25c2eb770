// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Contact between neighbouring bodies (2008 s.5.4), by the planes of plane.h. With Ra, Rb the turns
// of two bodies since the bind pose and Ma, Mb their motions, the plane between them goes
//
//   through (Ma J + Mb J) / 2, with the normal n = Ra m + Rb m at length 1
//
// A vertex stays on the side that it had at rest. With h its height now and `least` the height it
// keeps, it goes up by ramp(least - h, s), which begins softly s before it gets there. One pass
// over the chunks, in each from plane to plane.

#include "core/contact.h"

#include "core/meeting.h"
#include "core/volume.h"

#include <math.h>

/// Bodies that turn against each other by less, a quarter of a degree, have not moved: sine of half
/// the bend.
static const float tg_leastBend = 0.002f;

void tgContactTask_Place(const tgPlanes* planes, tgLayout* layout, tgContactTask* task)
{
    size_t count = (size_t)planes->count, parts = (size_t)planes->parts.count;
    task->changed = tgLayout_Take(layout, count, sizeof(double));
    task->poses = tgLayout_Take(layout, count, sizeof(tgPlanePose));
    task->changedParts = tgLayout_Take(layout, parts, sizeof(double));
    task->ends = tgLayout_Take(layout, parts, sizeof(int));
    task->near = tgLayout_Take(layout, (size_t)planes->vertexCount + tg_lane, sizeof(float));
}

// ---- planes -------------------------------------------------------------------------------------

static tgVec3 tgCarryPoint(const tgMat34d* m, tgVec3 p)
{
    const double point[3] = {(double)p.x, (double)p.y, (double)p.z};
    return tgMat34d_MulPoint(m, point);
}

/// False where the plane is not to be looked at.
static bool tgPosePlane(const tgContactTask* task, const tgPlane* plane, tgPlanePose* pose)
{
    const tgMat34d* first = &task->skinMatrices[plane->bodies[0]];
    const tgMat34d* second = &task->skinMatrices[plane->bodies[1]];
    tgVec3 a = tgNormalize(tgMat34d_MulVector(first, plane->normal), plane->normal);
    tgVec3 b = tgNormalize(tgMat34d_MulVector(second, plane->normal), plane->normal);
    tgVec3 middle = tgMulSV(0.5f, tgAdd(a, b));
    pose->inner = tgMulSV(0.5f, tgSub(a, b));
    pose->sine = tgLength(pose->inner);
    float cosine = tgLength(middle);
    if (pose->sine < tg_leastBend || cosine <= TG_PLANE_FLAT) {
        return false;
    }
    tgVec3 from = tgCarryPoint(first, plane->place), to = tgCarryPoint(second, plane->place);
    tgVec3 place = tgMulSV(0.5f, tgAdd(from, to));
    pose->normal = tgNormalize(middle, a);
    pose->offset = tgDot(pose->normal, place);
    pose->innerOffset = tgDot(pose->inner, place);
    pose->scale = 0.5f * (tgMat34d_GetScale(first) + tgMat34d_GetScale(second));
    pose->strength = tgSmoothstep((cosine - TG_PLANE_FLAT) / (TG_PLANE_FOLDED - TG_PLANE_FLAT));
    pose->inverseScale = pose->scale > 0.0f ? 1.0f / pose->scale : 0.0f;
    pose->overCrease = pose->inverseScale / (TG_PLANE_NEAR * plane->radius);
    pose->overInner = pose->inverseScale / (pose->sine * plane->radius);
    for (int k = 0; k < 2; ++k) {
        const tgMat34d* motion = k == 0 ? first : second;
        tgVec3 carried = k == 0 ? from : to;
        tgVec3 seen = tgMulSV(pose->inverseScale, tgMat34d_MulTransposed(motion, pose->normal));
        float height = (tgDot(pose->normal, carried) - pose->offset) * pose->inverseScale;
        pose->normalAtRest[k] = seen;
        pose->offsetAtRest[k] = tgDot(seen, plane->place) - height;
    }
    return true;
}

// ---- vertices -----------------------------------------------------------------------------------

/// Vertex v as a linear blend carries it. Along the plane that keeps the order of vertices, where
/// dual quaternions swell them out of the crease.
static tgVec3 tgBlendLinear(const tgContactTask* task, int v)
{
    const tgSkin* skin = task->skin;
    int begin = skin->groupStart != NULL ? skin->groupStart[v] : v;
    int end = skin->groupStart != NULL ? skin->groupStart[v + 1] : v + 1;
    const float* at = task->rest + 4 * (size_t)v;
    tgVec3 rest = tgMakeVec3(at[0], at[1], at[2]), blend = {0.0f, 0.0f, 0.0f};
    for (int k = 4 * begin; k < 4 * end; ++k) {
        if (skin->weights[k] != 0.0f) {
            tgVec3 p = tgCarryPoint(&task->skinMatrices[skin->joints[k]], rest);
            blend = tgMulAdd(blend, skin->weights[k], p);
        }
    }
    return blend;
}

/// dV/dp of a plane's vertex in this frame, as its two bodies turn it, over their scale.
static tgVec3 tgTurnArea(const tgContactTask* task, const tgPlane* plane, int k)
{
    const tgPlaneVertices* at = &task->planes->vertices;
    tgVec3 area = tgMakeVec3(at->areaX[k], at->areaY[k], at->areaZ[k]);
    return tgLerp(tgMat34d_MulVector(&task->skinMatrices[plane->bodies[1]], area),
                  tgMat34d_MulVector(&task->skinMatrices[plane->bodies[0]], area), at->mix[k]);
}

/// As skin closes on the plane it goes over to the linear blend.
/// @return volume that was added, over the scale of the bodies
static double tgGoLinear(const tgContactTask* task, const tgPlane* plane, const tgMeetingTask* meet,
                         int first, int last)
{
    float held[tg_meetingSize];
    double added = 0.0;
    for (int begin = first; begin < last; begin += tg_meetingSize) {
        int end = last - begin < tg_meetingSize ? last : begin + tg_meetingSize;
        task->kernels->measureHeld(meet, begin, end, held);
        for (int i = begin; i < end; ++i) {
            int v = task->planes->vertices.vertex[i];
            float part = (task->movable != NULL ? task->movable[v] : 1.0f) * held[i - begin];
            if (part > 0.0f) {
                float* p = task->positions + 4 * (size_t)v;
                tgVec3 now = tgMakeVec3(p[0], p[1], p[2]);
                tgVec3 step = tgMulSV(part, tgSub(tgBlendLinear(task, v), now));
                p[0] += step.x;
                p[1] += step.y;
                p[2] += step.z;
                added += (double)tgDot(step, tgTurnArea(task, plane, i));
            }
        }
    }
    return added;
}

/// The end of a part's vertices that the bend reaches: few of many, so from the start.
static int tgFindEnd(const tgPlanes* planes, const tgListPart* part, float sine)
{
    const float* onset = planes->vertices.onset;
    int i = part->first, end = part->first + part->count;
    while (i + tg_lane <= end && onset[i + tg_lane - 1] < sine) {
        i += tg_lane;
    }
    while (i < end && onset[i] < sine) {
        i += 1;
    }
    return i;
}

static void tgPoseRange(int begin, int end, void* context)
{
    const tgContactTask* task = context;
    for (int i = begin; i < end; ++i) {
        if (!tgPosePlane(task, &task->planes->planes[i], &task->poses[i])) {
            task->poses[i].sine = 0.0f; // reaches nothing
        }
    }
}

static void tgMeetRange(int begin, int end, void* context)
{
    const tgContactTask* task = context;
    const tgParts* parts = &task->planes->parts;
    tgMeetingTask meet = {.vertices = &task->planes->vertices,
                          .rest = task->rest,
                          .movable = task->movable,
                          .positions = task->positions,
                          .freedom = task->freedom,
                          .near = task->near};
    for (int i = parts->chunkStart[begin]; i < parts->chunkStart[end]; ++i) {
        const tgListPart* part = &parts->parts[i];
        const tgPlanePose* pose = &task->poses[part->list];
        task->ends[i] = part->first;
        task->changedParts[i] = 0.0;
        if (!(task->planes->onsets[i] < pose->sine)) {
            continue;
        }
        int last = tgFindEnd(task->planes, part, pose->sine);
        task->ends[i] = last;
        meet.pose = pose;
        if (!task->isLinear) {
            const tgPlane* plane = &task->planes->planes[part->list];
            task->changedParts[i] =
                (double)pose->scale * tgGoLinear(task, plane, &meet, part->first, last);
        }
        task->changedParts[i] += task->kernels->meet(&meet, part->first, last);
    }
}

void tgRunContact(const tgContactTask* task)
{
    const tgPlanes* planes = task->planes;
    tgContactTask loop = *task;
    tgRun(task->parallel, tgPoseRange, planes->count, &loop);
    tgRun(task->parallel, tgMeetRange, planes->parts.chunkCount, &loop);
    for (int i = 0; i < planes->count; ++i) {
        task->changed[i] = 0.0;
    }
    for (int i = 0; i < planes->parts.count; ++i) {
        task->changed[planes->parts.parts[i].list] += task->changedParts[i];
    }
    tgPlaceCapCenters(task->mesh, task->positions);
}

// ---- what follows -------------------------------------------------------------------------------

bool tgIsChunkReached(const tgContactTask* task, int chunk)
{
    const tgParts* parts = &task->planes->parts;
    for (int i = parts->chunkStart[chunk]; i < parts->chunkStart[chunk + 1]; ++i) {
        if (task->ends[i] > parts->parts[i].first) {
            return true;
        }
    }
    return false;
}

void tgHoldChunk(const tgContactTask* task, int chunk, float* vectors)
{
    const tgParts* parts = &task->planes->parts;
    for (int i = parts->chunkStart[chunk]; i < parts->chunkStart[chunk + 1]; ++i) {
        const tgListPart* part = &parts->parts[i];
        int count = task->ends[i] - part->first;
        if (count > 0) {
            task->kernels->holdVectors(task->planes->vertices.vertex + part->first,
                                       task->near + part->first, count,
                                       task->poses[part->list].normal, vectors);
        }
    }
}

typedef struct tgHoldLoop {
    const tgContactTask* task;
    float* vectors;
} tgHoldLoop;

static void tgHoldRange(int begin, int end, void* context)
{
    const tgHoldLoop* loop = context;
    for (int chunk = begin; chunk < end; ++chunk) {
        tgHoldChunk(loop->task, chunk, loop->vectors);
    }
}

void tgHoldVectors(const tgContactTask* task, float* vectors)
{
    tgHoldLoop loop = {task, vectors};
    tgRun(task->parallel, tgHoldRange, task->planes->parts.chunkCount, &loop);
}
