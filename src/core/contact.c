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
// over the planes, group by group: planes of a group share no vertex.

#include "core/contact.h"

#include "core/meeting.h"
#include "core/volume.h"

#include <math.h>

/// Bodies that turn against each other by less, a quarter of a degree, have not moved: sine of half
/// the bend.
static const float tg_leastBend = 0.002f;

void tgContactTask_Place(const tgPlanes* planes, tgLayout* layout, tgContactTask* task)
{
    size_t count = (size_t)planes->count;
    task->changed = tgLayout_Take(layout, count, sizeof(double));
    task->normals = tgLayout_Take(layout, count, sizeof(tgVec3));
    task->ends = tgLayout_Take(layout, count, sizeof(int));
    task->near = tgLayout_Take(layout, (size_t)planes->vertexCount, sizeof(float));
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

/// As skin closes on the plane it goes over to the linear blend.
static void tgGoLinear(const tgContactTask* task, int first, int count, tgMeeting* meeting)
{
    for (int i = 0; i < count; ++i) {
        float part = meeting->movable[i] * meeting->held[i];
        if (part > 0.0f) {
            int v = task->planes->vertices.vertex[first + i];
            tgVec3 blend = tgBlendLinear(task, v);
            float* p = task->positions + 4 * (size_t)v;
            p[0] = meeting->p[0][i] += part * (blend.x - meeting->p[0][i]);
            p[1] = meeting->p[1][i] += part * (blend.y - meeting->p[1][i]);
            p[2] = meeting->p[2][i] += part * (blend.z - meeting->p[2][i]);
        }
    }
}

/// The first of a plane's vertices that the bend does not reach.
static int tgFindEnd(const tgPlanes* planes, const tgPlane* plane, float sine)
{
    int low = plane->first, high = plane->first + plane->count;
    while (low < high) {
        int middle = (low + high) / 2;
        bool isReached = planes->vertices.onset[middle] < sine;
        low = isReached ? middle + 1 : low;
        high = isReached ? high : middle;
    }
    return low;
}

/// The first vertices of a plane, up to the one that the bend does not reach.
/// @return volume that was added
static double tgMeet(const tgContactTask* task, const tgPlanePose* pose, int first, int last)
{
    const tgKernels* kernels = task->kernels;
    tgMeetingTask meet = {pose,          &task->planes->vertices, task->rest,
                          task->movable, task->positions,         task->freedom,
                          task->near};
    double changed = 0.0;
    for (; first < last; first += tg_meetingSize) {
        int count = last - first < tg_meetingSize ? last - first : tg_meetingSize;
        tgMeeting meeting;
        kernels->beginMeeting(&meet, first, count, &meeting);
        if (!task->isLinear) {
            tgGoLinear(task, first, count, &meeting);
            kernels->measureMeeting(&meet, first, count, &meeting);
        }
        changed += kernels->endMeeting(&meet, first, count, &meeting);
    }
    return changed;
}

static void tgMeetRange(int begin, int end, void* context)
{
    const tgContactTask* task = context;
    const tgPlanes* planes = task->planes;
    for (int i = begin; i < end; ++i) {
        const tgPlane* plane = &planes->planes[i];
        double changed = 0.0;
        int reached = plane->first;
        tgPlanePose pose;
        if (tgPosePlane(task, plane, &pose)) {
            reached = tgFindEnd(planes, plane, pose.sine);
            changed = tgMeet(task, &pose, plane->first, reached);
            task->normals[i] = pose.normal;
        }
        task->changed[i] = changed;
        task->ends[i] = reached;
    }
}

static void tgRunPlanes(tgContactTask task, tgRangeFcn* range)
{
    const tgPlanes* planes = task.planes;
    const tgParallel* parallel = tgGetPlaneThreads(task.parallel, planes->vertexCount);
    tgRunGroups(parallel, planes->groupStart, planes->groupCount, range, &task);
}

void tgRunContact(const tgContactTask* task)
{
    tgRunPlanes(*task, tgMeetRange);
    tgPlaceCapCenters(task->mesh, task->positions);
}

static void tgHoldRange(int begin, int end, void* context)
{
    const tgContactTask* task = context;
    const tgPlanes* planes = task->planes;
    for (int i = begin; i < end; ++i) {
        tgVec3 n = task->normals[i];
        for (int k = planes->planes[i].first; k < task->ends[i]; ++k) {
            if (task->near[k] > 0.0f) {
                float* v = task->vectors + 4 * (size_t)planes->vertices.vertex[k];
                float across = task->near[k] * (n.x * v[0] + n.y * v[1] + n.z * v[2]);
                v[0] -= across * n.x;
                v[1] -= across * n.y;
                v[2] -= across * n.z;
            }
        }
    }
}

void tgHoldVectors(const tgContactTask* task, float* vectors)
{
    tgContactTask hold = *task;
    hold.vectors = vectors;
    tgRunPlanes(hold, tgHoldRange);
}
