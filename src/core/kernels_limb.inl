// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops of contact and of the anatomical shape; a part of kernels.inl. Those of the shape
// have no branches: the compiler makes them as wide as the backend is, element by element the same.

#include "core/meeting.h"

// ---- contact ------------------------------------------------------------------------------------

/// The first of a list, eight at most; the last ones repeat its last one.
TG_INLINE void tgListEight(const int* list, int count, int eight[8])
{
    for (int k = 0; k < 8; ++k) {
        eight[k] = list[k < count ? k : count - 1];
    }
}

TG_INLINE tgF8 tgGatherNumbers(const float* from, const int eight[8])
{
    _Alignas(32) float all[8];
    for (int k = 0; k < 8; ++k) {
        all[k] = from[eight[k]];
    }
    return tgF8_Load(all);
}

/// freedom *= 1 - held
TG_INLINE void tgLowerFreedom(float* freedom, const int eight[8], int count, tgF8 held)
{
    _Alignas(32) float all[8];
    tgF8_Store(all, held);
    for (int k = 0; k < count; ++k) {
        freedom[eight[k]] *= 1.0f - all[k];
    }
}

/// Eight listed vectors by coordinate; the last one is for what lies beside them in memory.
TG_INLINE void tgGatherEight(const float* from, const int eight[8], tgF8 rows[4])
{
    for (int k = 0; k < 4; ++k) {
        rows[k] = tgF8_LoadPair(from + 4 * (ptrdiff_t)eight[k], from + 4 * (ptrdiff_t)eight[k + 4]);
    }
    tgF8_TransposeHalves(&rows[0], &rows[1], &rows[2], &rows[3]);
}

/// The first `count` of them back to where they were.
TG_INLINE void tgScatterEight(float* to, const int eight[8], int count, tgF8 rows[4])
{
    tgF8_TransposeHalves(&rows[0], &rows[1], &rows[2], &rows[3]);
    if (count == 8) {
        for (int k = 0; k < 4; ++k) {
            tgF8_StorePair(to + 4 * (ptrdiff_t)eight[k], to + 4 * (ptrdiff_t)eight[k + 4], rows[k]);
        }
        return;
    }
    _Alignas(32) float all[4][8];
    for (int k = 0; k < 4; ++k) {
        tgF8_Store(all[k], rows[k]);
    }
    for (int k = 0; k < count; ++k) {
        memcpy(to + 4 * (ptrdiff_t)eight[k], &all[k % 4][k / 4 * 4], 4 * sizeof(float));
    }
}

/// The first `count` of eight numbers.
TG_INLINE void tgStoreSome(float* to, tgF8 numbers, int count)
{
    _Alignas(32) float all[8];
    tgF8_Store(all, numbers);
    memcpy(to, all, (size_t)count * sizeof(float));
}

/// 1 for the first `count` lanes, 0 for others.
TG_INLINE tgF8 tgGetLive(int count)
{
    static const float lanes[16] = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    return tgF8_LoadAny(lanes + 8 - count);
}

TG_INLINE tgF8 tgWideSmoothstep(tgF8 t)
{
    const tgF8 zero = tgF8_Splat(0.0f), one = tgF8_Splat(1.0f);
    t = tgF8_Min(tgF8_Max(t, zero), one);
    tgF8 rest = tgF8_Sub(tgF8_Splat(3.0f), tgF8_Mul(tgF8_Splat(2.0f), t));
    return tgF8_Mul(tgF8_Mul(t, t), rest);
}

/// n . p - offset
TG_INLINE tgF8 tgWideHeight(tgVec3 normal, tgWide3 p, float offset)
{
    return tgF8_Sub(tgWideDot(normal, p), tgF8_Splat(offset));
}

/// How eight vertices stand at a plane.
typedef struct tgMeeting {
    tgF8 height; ///< over the plane, on the own side, as lengths are at rest
    tgF8 near;   ///< 0 to 1: how near it is to the plane
    tgF8 inside; ///< the way to the inner side of the bend, times its sine
} tgMeeting;

/// With x the rest position and t the vertex's mix, the two bodies alone would bring it to the
/// height n . (t Ma x + (1 - t) Mb x). What is lower was brought there by other joints, as the skin
/// of a tail that is bent at its root, and meets nothing.
TG_INLINE tgMeeting tgMeasureMeeting(const tgPlanePose* pose, const tgPlaneVertices* at, int i,
                                     tgWide3 p, tgWide3 x)
{
    tgF8 one = tgWideHeight(pose->normalAtRest[0], x, pose->offsetAtRest[0]);
    tgF8 other = tgWideHeight(pose->normalAtRest[1], x, pose->offsetAtRest[1]);
    tgF8 side = tgF8_LoadAny(at->side + i), mix = tgF8_LoadAny(at->mix + i);
    tgF8 own = tgF8_Mul(side, tgF8_Add(other, tgF8_Mul(mix, tgF8_Sub(one, other))));
    tgF8 over = tgWideHeight(pose->normal, p, pose->offset);
    tgF8 inside = tgWideHeight(pose->inner, p, pose->innerOffset);
    tgF8 height = tgF8_Mul(tgF8_Mul(side, over), tgF8_Splat(pose->inverseScale));
    height = tgF8_Max(height, own);
    tgF8 away = tgWideSmoothstep(tgF8_Mul(height, tgF8_LoadAny(at->overNear + i)));
    tgF8 concerns = tgF8_Mul(tgF8_LoadAny(at->share + i), tgF8_Splat(pose->strength));
    tgF8 near = tgF8_Mul(tgF8_Sub(tgF8_Splat(1.0f), away), concerns);
    return (tgMeeting){height, near, inside};
}

/// How near a vertex is to the plane in the crease; 0 on the outer side of the bend.
TG_INLINE tgF8 tgGetHeld(const tgPlanePose* pose, const tgMeeting* m)
{
    return tgF8_Mul(tgWideSmoothstep(tgF8_Mul(m->inside, tgF8_Splat(pose->overCrease))), m->near);
}

/// 1 on the inner side, less from 0.2 radii on the outer side on.
TG_INLINE tgF8 tgGetInnerPart(const tgPlanePose* pose, const tgMeeting* m)
{
    tgF8 radii = tgF8_Mul(m->inside, tgF8_Splat(pose->overInner));
    tgF8 slope = tgF8_Mul(tgF8_Splat(TG_PLANE_INNER_SLOPE), radii);
    return tgWideSmoothstep(tgF8_Add(tgF8_Splat(TG_PLANE_INNER_AT), slope));
}

static void tgMeasureHeld(const tgMeetingTask* task, int first, int last, float* held)
{
    const tgPlanePose pose = *task->pose;
    for (int i = first; i < last; i += 8) {
        int eight[8], count = last - i < 8 ? last - i : 8;
        tgF8 p[4], x[4];
        tgListEight(task->vertices->vertex + i, count, eight);
        tgGatherEight(task->positions, eight, p);
        tgGatherEight(task->rest, eight, x);
        tgWide3 now = {p[0], p[1], p[2]}, then = {x[0], x[1], x[2]};
        tgMeeting m = tgMeasureMeeting(&pose, task->vertices, i, now, then);
        tgStoreSome(held + (i - first), tgGetHeld(&pose, &m), count);
    }
}

/// ramp(d, s): 0 below -s, d above s, and the parabola (d + s)^2 / 4s in between.
TG_INLINE tgF8 tgWideRamp(tgF8 deep, tgF8 soft)
{
    const tgF8 zero = tgF8_Splat(0.0f);
    tgF8 run = tgF8_Max(tgF8_Add(deep, soft), zero), over = tgF8_Max(tgF8_Sub(deep, soft), zero);
    run = tgF8_Min(run, tgF8_Add(soft, soft));
    tgF8 curve = tgF8_Mul(tgF8_Mul(tgF8_Splat(0.25f), run), run);
    return tgF8_Add(tgF8_Div(curve, tgF8_Add(soft, tgF8_Splat(1e-30f))), over);
}

/// How far eight vertices go up, from i on.
TG_INLINE tgF8 tgGetUp(const tgPlanePose* pose, const tgPlaneVertices* at, int i,
                       const tgMeeting* m, tgF8 deep)
{
    tgF8 way = tgF8_Mul(tgWideRamp(deep, tgF8_LoadAny(at->soft + i)), tgF8_Splat(pose->scale));
    tgF8 part = tgF8_Mul(tgF8_LoadAny(at->share + i), tgF8_Splat(pose->strength));
    part = tgF8_Mul(tgF8_Mul(part, tgF8_LoadAny(at->side + i)), tgGetInnerPart(pose, m));
    return tgF8_Mul(part, way);
}

/// dV/dp along the plane's normal, over the scale twice.
TG_INLINE tgF8 tgGetGain(const tgPlanePose* pose, const tgPlaneVertices* at, int i)
{
    tgWide3 area = {tgF8_LoadAny(at->areaX + i), tgF8_LoadAny(at->areaY + i),
                    tgF8_LoadAny(at->areaZ + i)};
    tgF8 one = tgWideDot(pose->normalAtRest[0], area);
    tgF8 other = tgWideDot(pose->normalAtRest[1], area);
    return tgF8_Add(other, tgF8_Mul(tgF8_LoadAny(at->mix + i), tgF8_Sub(one, other)));
}

static double tgMeet(const tgMeetingTask* shared, int first, int last)
{
    const tgMeetingTask task = *shared;
    const tgPlanePose pose = *task.pose;
    const tgPlaneVertices at = *task.vertices;
    tgF8 sum = tgF8_Splat(0.0f);
    for (int i = first; i < last; i += 8) {
        int eight[8], count = last - i < 8 ? last - i : 8;
        tgF8 p[4], x[4];
        tgListEight(at.vertex + i, count, eight);
        tgGatherEight(task.positions, eight, p);
        tgGatherEight(task.rest, eight, x);
        tgWide3 now = {p[0], p[1], p[2]}, then = {x[0], x[1], x[2]};
        tgMeeting m = tgMeasureMeeting(&pose, &at, i, now, then);
        tgStoreSome(task.near + i, m.near, count);
        if (task.freedom != NULL) {
            tgLowerFreedom(task.freedom, eight, count, tgGetHeld(&pose, &m));
        }
        tgF8 gives = tgF8_Add(tgF8_LoadAny(at.least + i), tgF8_LoadAny(at.soft + i));
        if (!tgF8_AnyLess(m.height, gives)) {
            continue;
        }
        tgF8 deep = tgF8_Sub(tgF8_LoadAny(at.least + i), m.height);
        tgF8 up = tgF8_Mul(tgGetUp(&pose, &at, i, &m, deep), tgGetLive(count));
        if (task.movable != NULL) {
            up = tgF8_Mul(up, tgGatherNumbers(task.movable, eight));
        }
        sum = tgF8_Add(sum, tgF8_Mul(up, tgGetGain(&pose, &at, i)));
        p[0] = tgF8_Add(p[0], tgF8_Mul(up, tgF8_Splat(pose.normal.x)));
        p[1] = tgF8_Add(p[1], tgF8_Mul(up, tgF8_Splat(pose.normal.y)));
        p[2] = tgF8_Add(p[2], tgF8_Mul(up, tgF8_Splat(pose.normal.z)));
        tgScatterEight(task.positions, eight, count, p);
    }
    _Alignas(32) float lanes[8];
    tgF8_Store(lanes, sum);
    float all = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
                ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    return (double)(all * pose.scale * pose.scale); // normals at rest are over the scale
}

static void tgHoldVectors(const int* list, const float* near, int count, tgVec3 normal,
                          float* vectors)
{
    const tgF8 zero = tgF8_Splat(0.0f);
    for (int i = 0; i < count; i += 8) {
        int eight[8], some = count - i < 8 ? count - i : 8;
        tgF8 held = tgF8_Mul(tgF8_LoadAny(near + i), tgGetLive(some)), v[4];
        if (!tgF8_AnyLess(zero, held)) {
            continue;
        }
        tgListEight(list + i, some, eight);
        tgGatherEight(vectors, eight, v);
        tgWide3 wide = {v[0], v[1], v[2]};
        tgF8 across = tgF8_Mul(held, tgWideDot(normal, wide));
        v[0] = tgF8_Sub(v[0], tgF8_Mul(across, tgF8_Splat(normal.x)));
        v[1] = tgF8_Sub(v[1], tgF8_Mul(across, tgF8_Splat(normal.y)));
        v[2] = tgF8_Sub(v[2], tgF8_Mul(across, tgF8_Splat(normal.z)));
        tgScatterEight(vectors, eight, some, v);
    }
}

// ---- the anatomical shape -----------------------------------------------------------------------

/// The closed form of anatomy.c for up to tg_meetingSize vertices.
static void tgShapeVertices(const tgShapeTask* task, int begin, int end)
{
    const tgAnatomyVertices* all = task->vertices;
    const float* restrict ps = all->p + begin;
    const float* restrict qs = all->q + begin;
    const float* restrict overDistance = all->overDistance + begin;
    const float* restrict own = all->own + begin;
    const float* restrict share = all->share + begin;
    const float* restrict near = all->near + begin;
    const float* restrict fold = all->fold + begin;
    const float* restrict side = all->side + begin;
    const float* restrict along = all->along + begin;
    const tgShape c = task->shape;
    const tgBend bend = task->bend;
    float moves[3][tg_meetingSize];
    for (int i = 0; i < end - begin; ++i) {
        float inner[2];
        tgGetInner(&bend, own[i], inner);
        float u = ps[i] * inner[0] + qs[i] * inner[1];
        float y = qs[i] * inner[0] - ps[i] * inner[1];
        float h = 0.5f + 0.5f * u * overDistance[i];
        float in = (c.drift + (c.banana * u + c.oval) * u) * near[i] + c.crease * h * h * fold[i];
        float across = y * (c.widen + c.wedge * u) * side[i];
        moves[0][i] = share[i] * (in * inner[0] - across * inner[1]);
        moves[1][i] = share[i] * (in * inner[1] + across * inner[0]);
        moves[2][i] = share[i] * (c.slide + c.shear * u) * along[i];
    }
    _Alignas(16) float axes[3][4];
    memcpy(axes[0], task->p, sizeof(axes[0]));
    memcpy(axes[1], task->q, sizeof(axes[1]));
    memcpy(axes[2], task->n, sizeof(axes[2]));
    const tgF4 p = tgF4_Load(axes[0]), q = tgF4_Load(axes[1]), n = tgF4_Load(axes[2]);
    for (int i = 0; i < end - begin; ++i) {
        float* x = task->shaped + 4 * (ptrdiff_t)all->vertex[begin + i];
        tgF4 move = tgF4_Add(
            tgF4_Add(tgF4_Mul(tgF4_Splat(moves[0][i]), p), tgF4_Mul(tgF4_Splat(moves[1][i]), q)),
            tgF4_Mul(tgF4_Splat(moves[2][i]), n));
        tgF4_Store(x, tgF4_Add(tgF4_Load(x), move));
    }
}
