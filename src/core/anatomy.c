// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where flesh goes round a joint that bends, in closed form, fitted to finite elements of limbs
// that are nearly incompressible and touch themselves. In limb radii, with z along the limb from
// the joint, u to the inner side of this frame's bend and y across it from the limb's middle line,
// o how far that line lies from the bone to the inner side, theta the swing of the joint, s = 2
// sin(theta / 2) and h = 1/2 + u / (2 sqrt(u^2 + y^2)), a vertex moves before it is skinned by
//
//   inner side:  (drift + banana u^2 + oval u) (1 - .51 z^2) e^-(z/.68)^2 + crease h^2 e^-(z/.34)^2
//
//   across:      y (widen + wedge u) e^-(z/.99)^2
//
//   along:       z (slide + .064 s u) e^-(z/2.11)^2
//
// After skinning, with zeta its distance from the bisecting plane and a = .26 z bounded by .1, zeta
// below a becomes a e^(zeta/a - 1): skin is laid against the plane and never passes it.

#include "core/anatomy.h"

#include "core/elementary.h"
#include "core/meeting.h"

#include <math.h>
#include <string.h>

/// The limb's middle line counts as no farther than this from the bone.
static const float tg_farthestMiddle = 0.4f;
/// Joints that swing by less have not moved but for rounding: 2 sin(theta / 2).
static const float tg_leastSwing = 1e-5f;

void tgAnatomyTask_Place(const tgAnatomy* anatomy, tgLayout* layout, tgAnatomyTask* task)
{
    task->changed = tgLayout_Take(layout, (size_t)anatomy->count, sizeof(double));
    task->poses = tgLayout_Take(layout, (size_t)anatomy->count, sizeof(tgAnatomyPose));
}

// ---- the bend -----------------------------------------------------------------------------------

/// The part of a direction across the limb, at length 1.
static void tgGetAcross(const tgAnatomyJoint* joint, tgVec3 way, float sign, float out[2])
{
    float p = sign * tgDot(way, joint->p), q = sign * tgDot(way, joint->q);
    float length = sqrtf(p * p + q * q);
    out[0] = length > 0.0f ? p / length : 1.0f;
    out[1] = length > 0.0f ? q / length : 0.0f;
}

static float tgGetDrift(const tgAnatomyTask* task, const tgAnatomyJoint* joint)
{
    return task->drift != NULL ? task->drift[joint->joint] : 1.0f;
}

/// With R the turn of the joint's own body against its parent's, its limb goes along R n where it
/// was n: the inner side is where R n leans to, and seen from the own body where R^T n leans from.
/// @return false where flesh stays as it is
static bool tgGetBend(const tgAnatomyTask* task, const tgAnatomyJoint* joint, tgBend* bend)
{
    const tgMat34d* parent = &task->skinMatrices[joint->parentBody];
    const tgMat34d* own = &task->skinMatrices[joint->joint];
    tgVec3 a = tgNormalize(tgMat34d_MulVector(parent, joint->n), joint->n);
    tgVec3 b = tgNormalize(tgMat34d_MulVector(own, joint->n), joint->n);
    bend->swing = tgDistance(a, b);
    bend->cosine = 0.5f * tgLength(tgAdd(a, b));
    bool isAsked = tgGetDrift(task, joint) > 0.0f;
    if (!isAsked || bend->swing < tg_leastSwing || bend->cosine <= TG_PLANE_FLAT) {
        return false;
    }
    bend->strength =
        tgSmoothstep((bend->cosine - TG_PLANE_FLAT) / (TG_PLANE_FOLDED - TG_PLANE_FLAT));
    tgGetAcross(joint, tgMat34d_MulTransposed(parent, b), 1.0f, bend->inner[0]);
    tgGetAcross(joint, tgMat34d_MulTransposed(own, a), -1.0f, bend->inner[1]);
    float offset = bend->inner[0][0] * joint->middle[0] + bend->inner[0][1] * joint->middle[1];
    bend->offset = fminf(fmaxf(offset, -tg_farthestMiddle), tg_farthestMiddle);
    return true;
}

static tgShape tgGetShape(const tgBend* bend)
{
    float s = bend->swing, o = bend->offset, squared = s * s;
    return (tgShape){
        .drift = s * (0.13f - 0.021f * squared - 0.001f * o * s),
        .banana = s * (0.19f + 0.27f * o * s),
        .oval = 0.11f * squared + 0.23f * o * s,
        .crease = (0.007f - 0.26f * o) * tgSmoothstep((s - 1.0f) / 0.7f),
        .widen = 0.058f * squared + 0.04f * o * s,
        .wedge = s * (0.18f + 0.038f * squared),
        .slide = 0.041f * squared + 0.19f * o * s,
        .shear = 0.064f * s,
    };
}

// ---- before skinning ----------------------------------------------------------------------------

/// Volume that is added, from what bends of this joint alone add: waves round the limb, and
/// straight on from one angle to the next.
static float tgGetGain(const tgAnatomyGain* gain, const tgBend* bend)
{
    static const float swings[tg_gainAngles] = {TG_ANATOMY_SWINGS};
    float c = bend->inner[0][0], d = bend->inner[0][1], s = bend->swing;
    float before = 0.0f, from = 0.0f;
    for (int k = 0; k < tg_gainAngles; ++k) {
        const float* t = gain->terms[k];
        float value = t[0] + t[1] * c + t[2] * d + t[3] * (c * c - d * d) + t[4] * 2.0f * c * d;
        if (s < swings[k]) {
            return before + (value - before) * (s - from) / (swings[k] - from);
        }
        before = value;
        from = swings[k];
    }
    return before;
}

/// Volume that shape and clamp of a bent joint add.
static double tgGetChange(const tgAnatomyTask* task, const tgAnatomyJoint* joint,
                          const tgBend* bend)
{
    float drift = tgGetDrift(task, joint);
    float unit = 0.5f * (tgMat34d_GetScale(&task->skinMatrices[joint->parentBody]) +
                         tgMat34d_GetScale(&task->skinMatrices[joint->joint]));
    float clamped = tgGetGain(&joint->gains[0], bend), both = tgGetGain(&joint->gains[1], bend);
    return (double)(bend->strength * unit * unit * unit * (clamped + drift * (both - clamped)));
}

static void tgShapePart(const tgAnatomyTask* task, const tgListPart* part)
{
    const tgAnatomyJoint* joint = &task->anatomy->joints[part->list];
    const tgBend* bend = &task->poses[part->list].bend;
    float scale = joint->reach * tgGetDrift(task, joint) * bend->strength * joint->radius;
    tgShapeTask shape = {
        .vertices = &task->anatomy->vertices,
        .bend = *bend,
        .shape = tgGetShape(bend),
        .p = {scale * joint->p.x, scale * joint->p.y, scale * joint->p.z, 0.0f},
        .q = {scale * joint->q.x, scale * joint->q.y, scale * joint->q.z, 0.0f},
        .n = {scale * joint->n.x, scale * joint->n.y, scale * joint->n.z, 0.0f},
        .shaped = task->shaped,
    };
    int last = part->first + part->count;
    for (int begin = part->first; begin < last && scale > 0.0f; begin += tg_meetingSize) {
        int end = last - begin < tg_meetingSize ? last : begin + tg_meetingSize;
        task->kernels->shapeVertices(&shape, begin, end);
    }
}

static void tgShapeRange(int begin, int end, void* context)
{
    const tgAnatomyTask* task = context;
    const tgParts* parts = &task->anatomy->parts;
    for (int chunk = begin; chunk < end; ++chunk) {
        int first = chunk * tg_chunkSize, stop = first + tg_chunkSize;
        stop = stop < task->elementCount ? stop : task->elementCount;
        if (first < stop) {
            memcpy(task->shaped + 4 * (size_t)first, task->rest + 4 * (size_t)first,
                   4 * (size_t)(stop - first) * sizeof(float));
        }
        int last = chunk < parts->chunkCount ? parts->chunkStart[chunk + 1] : 0;
        for (int i = last > 0 ? parts->chunkStart[chunk] : 0; i < last; ++i) {
            if (task->poses[parts->parts[i].list].isBent) {
                tgShapePart(task, &parts->parts[i]);
            }
        }
    }
}

bool tgShapeRest(const tgAnatomyTask* task)
{
    const tgAnatomy* anatomy = task->anatomy;
    if (anatomy->count == 0) {
        return false;
    }
    for (int i = 0; i < anatomy->count; ++i) {
        const tgAnatomyJoint* joint = &anatomy->joints[i];
        tgAnatomyPose* pose = &task->poses[i];
        pose->isBent = tgGetBend(task, joint, &pose->bend);
        task->changed[i] = pose->isBent ? tgGetChange(task, joint, &pose->bend) : 0.0;
    }
    int chunks = tgCountChunks(task->elementCount);
    chunks = chunks > anatomy->parts.chunkCount ? chunks : anatomy->parts.chunkCount;
    tgAnatomyTask loop = *task;
    tgRun(task->parallel, tgShapeRange, chunks, &loop);
    return true;
}

// ---- after it -----------------------------------------------------------------------------------

static void tgMakeFoldPlane(const tgAnatomyTask* task, const tgAnatomyJoint* joint,
                            tgFoldPlane* plane)
{
    const tgMat34d* motions[2] = {&task->skinMatrices[joint->parentBody],
                                  &task->skinMatrices[joint->joint]};
    const double j[3] = {(double)joint->place.x, (double)joint->place.y, (double)joint->place.z};
    tgVec3 sum = {0.0f, 0.0f, 0.0f}, place = {0.0f, 0.0f, 0.0f};
    float scale = 0.0f;
    for (int k = 0; k < 2; ++k) {
        sum = tgAdd(sum, tgNormalize(tgMat34d_MulVector(motions[k], joint->n), joint->n));
        place = tgMulAdd(place, 0.5f, tgMat34d_MulPoint(motions[k], j));
        scale += 0.5f * tgMat34d_GetScale(motions[k]);
    }
    plane->normal = tgNormalize(sum, joint->n);
    plane->offset = tgDot(plane->normal, place);
    plane->unit = scale * joint->radius;
    plane->overUnit = plane->unit > 0.0f ? 1.0f / plane->unit : 0.0f;
    for (int k = 0; k < 2; ++k) {
        tgVec3 carried = tgMat34d_MulPoint(motions[k], j);
        float over = plane->overUnit;
        plane->atRest[k] = tgMulSV(over, tgMat34d_MulTransposed(motions[k], plane->normal));
        plane->offsetAtRest[k] = tgDot(plane->atRest[k], joint->place) -
                                 over * (tgDot(plane->normal, carried) - plane->offset);
    }
}

/// Lays vertex i against the plane. What other joints brought nearer to it than the two bodies
/// would is left alone; see contact.c.
static void tgClampVertex(const tgAnatomyTask* task, const tgBend* bend, const tgFoldPlane* plane,
                          int i)
{
    const tgAnatomyVertices* at = &task->anatomy->vertices;
    int v = at->vertex[i];
    float* p = task->positions + 4 * (size_t)v;
    const float* x = task->shaped + 4 * (size_t)v;
    float side = at->z[i] < 0.0f ? -1.0f : 1.0f, a = at->bound[i];
    tgVec3 now = tgMakeVec3(p[0], p[1], p[2]);
    float zeta = side * (tgDot(plane->normal, now) - plane->offset) * plane->overUnit;
    if (zeta >= a) {
        return;
    }
    float first = plane->atRest[0].x * x[0] + plane->atRest[0].y * x[1] +
                  plane->atRest[0].z * x[2] - plane->offsetAtRest[0];
    float second = plane->atRest[1].x * x[0] + plane->atRest[1].y * x[1] +
                   plane->atRest[1].z * x[2] - plane->offsetAtRest[1];
    float own = side * (first + at->own[i] * (second - first));
    zeta = zeta > own ? zeta : own;
    if (zeta >= a) {
        return;
    }
    float inner[2];
    tgGetInner(bend, at->own[i], inner);
    float fromBone = at->p[i] * inner[0] + at->q[i] * inner[1] + bend->offset;
    float share = at->share[i] * bend->strength * tgSmoothstep(TG_PLANE_INNER(fromBone));
    float laid = a > 1e-9f ? (float)tgExp((double)(zeta / a) - 1.0) : 0.0f;
    float way = share * side * (a * laid - zeta) * plane->unit;
    p[0] += way * plane->normal.x;
    p[1] += way * plane->normal.y;
    p[2] += way * plane->normal.z;
}

static void tgClampRange(int begin, int end, void* context)
{
    const tgAnatomyTask* task = context;
    const tgAnatomy* anatomy = task->anatomy;
    const tgParts* parts = &anatomy->parts;
    for (int k = parts->chunkStart[begin]; k < parts->chunkStart[end]; ++k) {
        const tgListPart* part = &parts->parts[k];
        const tgAnatomyPose* pose = &task->poses[part->list];
        float sine = pose->isBent ? 0.5f * pose->bend.swing : 0.0f;
        int last = part->first + part->count;
        for (int i = part->first; i < last && anatomy->vertices.onset[i] < sine; ++i) {
            tgClampVertex(task, &pose->bend, &pose->plane, i);
        }
    }
}

void tgClampFolds(const tgAnatomyTask* task)
{
    const tgAnatomy* anatomy = task->anatomy;
    for (int i = 0; i < anatomy->count; ++i) {
        tgAnatomyPose* pose = &task->poses[i];
        pose->isBent = tgGetBend(task, &anatomy->joints[i], &pose->bend);
        if (pose->isBent) {
            tgMakeFoldPlane(task, &anatomy->joints[i], &pose->plane);
        }
    }
    tgAnatomyTask loop = *task;
    tgRun(task->parallel, tgClampRange, anatomy->parts.chunkCount, &loop);
}
