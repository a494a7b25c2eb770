// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops, once for all backends. A kernels_*.c names its backend and includes this file.
// Order of operations is part of the result: every backend follows it element by element.

#include "core/kernels.h"
#include "core/pose.h"
#include "core/simd.h"

#include <string.h>

#define TG_JOIN_(a, b) a##b
#define TG_JOIN(a, b)  TG_JOIN_(a, b)
#define TG_TEXT_(a)    #a
#define TG_TEXT(a)     TG_TEXT_(a)

/// Squared lengths below this are as good as 0: next to nothing that float holds.
static const float tg_tinySquared = 1e-37f;

/// Passes a copy of the task by value, so that its pointers stay in registers, and the flags as
/// constants, so that each combination becomes a loop of its own.
#define TG_INLINE static inline __attribute__((always_inline))

/// The four palette indices of a group, fetched at once: the loop is bound by its loads.
typedef struct tgEntries {
    uint64_t packed;
} tgEntries;

TG_INLINE tgEntries tgLoadEntries(const tgSkinTask* task, int group)
{
    tgEntries entries;
    memcpy(&entries.packed, task->entries + 4 * (ptrdiff_t)group, sizeof(entries.packed));
    return entries;
}

TG_INLINE ptrdiff_t tgGetEntry(tgEntries entries, int k)
{
    return (ptrdiff_t)(entries.packed >> 16 * k & 0xffff);
}

// ---- linear blend -------------------------------------------------------------------------------

/// Matrices: columns x and y in one half each of `xy`, column z and the origin in `zo`.
typedef struct tgWideMatrix {
    tgF8 xy, zo;
} tgWideMatrix;

/// ((w0 M0 + w1 M1) + w2 M2) + w3 M3
TG_INLINE tgWideMatrix tgBlendMatrixGroup(const tgSkinTask* task, int group)
{
    const float* weights = task->weights + 4 * (ptrdiff_t)group;
    tgEntries entries = tgLoadEntries(task, group);
    const float* matrix = task->palette + tg_matrixFloats * tgGetEntry(entries, 0);
    tgF8 w = tgF8_Splat(weights[0]);
    tgWideMatrix sum = {tgF8_Mul(w, tgF8_Load(matrix)), tgF8_Mul(w, tgF8_Load(matrix + 8))};
    for (int k = 1; k < 4; ++k) {
        matrix = task->palette + tg_matrixFloats * tgGetEntry(entries, k);
        w = tgF8_Splat(weights[k]);
        sum.xy = tgF8_Add(sum.xy, tgF8_Mul(w, tgF8_Load(matrix)));
        sum.zo = tgF8_Add(sum.zo, tgF8_Mul(w, tgF8_Load(matrix + 8)));
    }
    return sum;
}

TG_INLINE tgWideMatrix tgBlendMatrix(const tgSkinTask* task, int element, bool single)
{
    if (single) {
        return tgBlendMatrixGroup(task, element);
    }
    tgWideMatrix sum = tgBlendMatrixGroup(task, task->groupStart[element]);
    for (int g = task->groupStart[element] + 1; g < task->groupStart[element + 1]; ++g) {
        tgWideMatrix part = tgBlendMatrixGroup(task, g);
        sum.xy = tgF8_Add(sum.xy, part.xy);
        sum.zo = tgF8_Add(sum.zo, part.zo);
    }
    return sum;
}

/// (column x * x + column z * z) + (column y * y + origin * w)
static inline tgF4 tgApplyMatrix(tgWideMatrix m, const float* p)
{
    return tgF8_AddHalves(tgF8_Add(tgF8_Mul(m.xy, tgF8_LoadXY(p)), tgF8_Mul(m.zo, tgF8_LoadZW(p))));
}

/// Eight vectors of four floats, by coordinate.
static inline void tgLoadLane(const float* from, tgF8* x, tgF8* y, tgF8* z)
{
    tgF8 w = tgF8_LoadPair(from + 12, from + 28);
    *x = tgF8_LoadPair(from, from + 16);
    *y = tgF8_LoadPair(from + 4, from + 20);
    *z = tgF8_LoadPair(from + 8, from + 24);
    tgF8_TransposeHalves(x, y, z, &w);
}

static inline void tgStoreLane(float* to, tgF8 x, tgF8 y, tgF8 z)
{
    tgF8 w = tgF8_Splat(0.0f);
    tgF8_TransposeHalves(&x, &y, &z, &w);
    tgF8_StorePair(to, to + 16, x);
    tgF8_StorePair(to + 4, to + 20, y);
    tgF8_StorePair(to + 8, to + 24, z);
    tgF8_StorePair(to + 12, to + 28, w);
}

/// Eight vectors to length 1; a vector of length 0 stays 0.
static inline void tgNormalizeLane(float* vectors)
{
    tgF8 x, y, z;
    tgLoadLane(vectors, &x, &y, &z);
    tgF8 squared = tgF8_Add(tgF8_Add(tgF8_Mul(x, x), tgF8_Mul(y, y)), tgF8_Mul(z, z));
    squared = tgF8_Max(squared, tgF8_Splat(tg_tinySquared));
    tgF8 scale = tgF8_Div(tgF8_Splat(1.0f), tgF8_Sqrt(squared));
    tgStoreLane(vectors, tgF8_Mul(x, scale), tgF8_Mul(y, scale), tgF8_Mul(z, scale));
}

TG_INLINE void tgSkinLinearLoop(const tgSkinTask task, int begin, int end, bool single,
                                bool withPositions, bool withVectors)
{
    for (int e = begin; e < end; ++e) {
        tgWideMatrix m = tgBlendMatrix(&task, e, single);
        ptrdiff_t at = 4 * (ptrdiff_t)e;
        if (withPositions) {
            tgF4_Store(task.positions + at, tgApplyMatrix(m, task.rest + at));
        }
        if (withVectors) {
            tgF4_Store(task.turned + at, tgApplyMatrix(m, task.vectors + at));
        }
    }
}

static void tgSkinLinear(const tgSkinTask* task, int begin, int end)
{
    bool single = task->groupStart == NULL, withPositions = task->positions != NULL;
    if (single && withPositions && task->vectors == NULL) {
        tgSkinLinearLoop(*task, begin, end, true, true, false);
    } else if (single && withPositions) {
        tgSkinLinearLoop(*task, begin, end, true, true, true);
    } else if (single) {
        tgSkinLinearLoop(*task, begin, end, true, false, true);
    } else if (withPositions && task->vectors == NULL) {
        tgSkinLinearLoop(*task, begin, end, false, true, false);
    } else if (withPositions) {
        tgSkinLinearLoop(*task, begin, end, false, true, true);
    } else {
        tgSkinLinearLoop(*task, begin, end, false, false, true);
    }
}

static void tgNormalizeRange(float* vectors, int begin, int end)
{
    for (int first = begin; first < end; first += tg_lane) {
        tgNormalizeLane(vectors + 4 * (ptrdiff_t)first);
    }
}

// ---- dual quaternion blend ----------------------------------------------------------------------

TG_INLINE tgF8 tgBlendDualQuaternionGroup(const tgSkinTask* task, int group)
{
    const float* weights = task->weights + 4 * (ptrdiff_t)group;
    tgEntries entries = tgLoadEntries(task, group);
    const float* entry = task->palette + tg_dualQuaternionFloats * tgGetEntry(entries, 0);
    tgF8 sum = tgF8_Mul(tgF8_Splat(weights[0]), tgF8_Load(entry));
    for (int k = 1; k < 4; ++k) {
        entry = task->palette + tg_dualQuaternionFloats * tgGetEntry(entries, k);
        sum = tgF8_Add(sum, tgF8_Mul(tgF8_Splat(weights[k]), tgF8_Load(entry)));
    }
    return sum;
}

TG_INLINE tgF8 tgBlendDualQuaternion(const tgSkinTask* task, int element, bool single)
{
    if (single) {
        return tgBlendDualQuaternionGroup(task, element);
    }
    tgF8 sum = tgBlendDualQuaternionGroup(task, task->groupStart[element]);
    for (int g = task->groupStart[element] + 1; g < task->groupStart[element + 1]; ++g) {
        sum = tgF8_Add(sum, tgBlendDualQuaternionGroup(task, g));
    }
    return sum;
}

/// One coordinate of eight vectors each.
typedef struct tgWide3 {
    tgF8 x, y, z;
} tgWide3;

static inline tgWide3 tgWideCross(tgWide3 a, tgWide3 b)
{
    tgWide3 r = {
        tgF8_Sub(tgF8_Mul(a.y, b.z), tgF8_Mul(a.z, b.y)),
        tgF8_Sub(tgF8_Mul(a.z, b.x), tgF8_Mul(a.x, b.z)),
        tgF8_Sub(tgF8_Mul(a.x, b.y), tgF8_Mul(a.y, b.x)),
    };
    return r;
}

/// a + s b
static inline tgWide3 tgWideMulAdd(tgWide3 a, tgF8 s, tgWide3 b)
{
    tgWide3 r = {
        tgF8_Add(a.x, tgF8_Mul(s, b.x)),
        tgF8_Add(a.y, tgF8_Mul(s, b.y)),
        tgF8_Add(a.z, tgF8_Mul(s, b.z)),
    };
    return r;
}

TG_INLINE tgF8 tgWideDot(tgVec3 axis, tgWide3 p)
{
    return tgF8_Add(tgF8_Add(tgF8_Mul(tgF8_Splat(axis.x), p.x), tgF8_Mul(tgF8_Splat(axis.y), p.y)),
                    tgF8_Mul(tgF8_Splat(axis.z), p.z));
}

/// Eight blended dual quaternions by coordinate: real part (u, w), dual part (v, vw), and 2 /
/// |real|^2, which stands for normalising both parts.
typedef struct tgWideDualQuaternion {
    tgWide3 u, v;
    tgF8 w, vw, scale;
} tgWideDualQuaternion;

TG_INLINE tgWideDualQuaternion tgBlendLane(const tgSkinTask* task, int first, bool single)
{
    tgF8 low[4], high[4]; // elements first to first + 3, and the next four: real half, dual half
    for (int k = 0; k < 4; ++k) {
        low[k] = tgBlendDualQuaternion(task, first + k, single);
        high[k] = tgBlendDualQuaternion(task, first + 4 + k, single);
    }
    tgF8_TransposeHalves(&low[0], &low[1], &low[2], &low[3]);
    tgF8_TransposeHalves(&high[0], &high[1], &high[2], &high[3]);
    tgWideDualQuaternion q;
    q.u.x = tgF8_JoinLow(low[0], high[0]);
    q.u.y = tgF8_JoinLow(low[1], high[1]);
    q.u.z = tgF8_JoinLow(low[2], high[2]);
    q.w = tgF8_JoinLow(low[3], high[3]);
    q.v.x = tgF8_JoinHigh(low[0], high[0]);
    q.v.y = tgF8_JoinHigh(low[1], high[1]);
    q.v.z = tgF8_JoinHigh(low[2], high[2]);
    q.vw = tgF8_JoinHigh(low[3], high[3]);
    tgF8 squared = tgF8_Add(tgF8_Add(tgF8_Mul(q.u.x, q.u.x), tgF8_Mul(q.u.y, q.u.y)),
                            tgF8_Add(tgF8_Mul(q.u.z, q.u.z), tgF8_Mul(q.w, q.w)));
    q.scale = tgF8_Div(tgF8_Splat(2.0f), tgF8_Max(squared, tgF8_Splat(tg_tinySquared)));
    return q;
}

/// p + 2 / |q|^2 u x (u x p + w p)
static inline tgWide3 tgRotateLane(const tgWideDualQuaternion* q, tgWide3 p)
{
    tgWide3 inner = tgWideMulAdd(tgWideCross(q->u, p), q->w, p);
    return tgWideMulAdd(p, q->scale, tgWideCross(q->u, inner));
}

/// Rotated, and by 2 / |q|^2 (w v - vw u + u x v).
static inline tgWide3 tgMoveLane(const tgWideDualQuaternion* q, tgWide3 p)
{
    tgWide3 t = tgWideMulAdd(tgWideCross(q->u, q->v), q->w, q->v);
    t = tgWideMulAdd(t, tgF8_Sub(tgF8_Splat(0.0f), q->vw), q->u);
    return tgWideMulAdd(tgRotateLane(q, p), q->scale, t);
}

TG_INLINE void tgSkinDualQuaternionLoop(const tgSkinTask task, int begin, int end, bool single)
{
    for (int first = begin; first < end; first += tg_lane) {
        ptrdiff_t at = 4 * (ptrdiff_t)first;
        tgWideDualQuaternion q = tgBlendLane(&task, first, single);
        if (task.positions != NULL) {
            tgWide3 p;
            tgLoadLane(task.rest + at, &p.x, &p.y, &p.z);
            p = tgMoveLane(&q, p);
            tgStoreLane(task.positions + at, p.x, p.y, p.z);
        }
        if (task.vectors != NULL) {
            tgWide3 n;
            tgLoadLane(task.vectors + at, &n.x, &n.y, &n.z);
            n = tgRotateLane(&q, n);
            tgStoreLane(task.turned + at, n.x, n.y, n.z);
        }
    }
}

static void tgSkinDualQuaternion(const tgSkinTask* task, int begin, int end)
{
    if (task->groupStart == NULL) {
        tgSkinDualQuaternionLoop(*task, begin, end, true);
    } else {
        tgSkinDualQuaternionLoop(*task, begin, end, false);
    }
}

// ---- faces --------------------------------------------------------------------------------------

#include "core/kernels_faces.inl"

// ---- sums round vertices ------------------------------------------------------------------------

/// Most vertices of quad meshes have four faces; those are added in pairs, so that neither the loop
/// nor a chain of four sums is waited for.
TG_INLINE tgF4 tgSumSlots(const tgGatherTask* task, int v)
{
    int begin = task->start[v], end = task->start[v + 1];
    const int* list = task->slotList + begin;
    if (end - begin == 4) {
        return tgF4_Add(tgF4_Add(tgF4_Load(task->slots + 4 * (ptrdiff_t)list[0]),
                                 tgF4_Load(task->slots + 4 * (ptrdiff_t)list[1])),
                        tgF4_Add(tgF4_Load(task->slots + 4 * (ptrdiff_t)list[2]),
                                 tgF4_Load(task->slots + 4 * (ptrdiff_t)list[3])));
    }
    tgF4 sum = tgF4_Splat(0.0f);
    for (int k = 0; k < end - begin; ++k) {
        sum = tgF4_Add(sum, tgF4_Load(task->slots + 4 * (ptrdiff_t)list[k]));
    }
    return sum;
}

/// The sum of a x b over the wedges. In tgCrossHalves the coordinates come out in another order and
/// are put right once, after the sum. Lengths in a loop of their own: they are waited for.
static void tgGatherNormals(const tgNormalTask* shared, int begin, int end)
{
    const tgNormalTask task = *shared;
    const float* p = task.positions;
    for (int v = begin; v < end; v += 2) {
        tgF8 center = tgF8_LoadPair(p + task.centers[v], p + task.centers[v + 1]);
        tgF8 sum = tgF8_Splat(0.0f);
        const int* last = task.wedges + 6 * (ptrdiff_t)task.wedgeStart[v / 2 + 1];
        for (const int* w = task.wedges + 6 * (ptrdiff_t)task.wedgeStart[v / 2]; w < last; w += 6) {
            tgF8 a = tgF8_Sub(tgF8_LoadPair(p + w[0], p + w[3]), center);
            tgF8 b = tgF8_Sub(tgF8_LoadPair(p + w[2], p + w[5]), tgF8_LoadPair(p + w[1], p + w[4]));
            sum = tgF8_Add(sum, tgF8_Sub(tgF8_Mul(a, tgF8_Yzx(b)), tgF8_Mul(tgF8_Yzx(a), b)));
        }
        float* out = task.out + 4 * (ptrdiff_t)v;
        tgF8_StorePair(out, out + 4, tgF8_Yzx(sum));
    }
    for (int first = begin; first < end; first += tg_lane) {
        tgNormalizeLane(task.out + 4 * (ptrdiff_t)first);
    }
}

static void tgGatherList(const tgGatherTask* shared, int begin, int end)
{
    const tgGatherTask copy = *shared, *task = &copy;
    const tgF4 sixth = tgF4_Splat((float)1 / 6);
    for (int v = begin; v < end; ++v) {
        tgF4_Store(task->out + 4 * (ptrdiff_t)v, tgF4_Mul(sixth, tgSumSlots(task, v)));
    }
}

// ---- the volume stage ---------------------------------------------------------------------------

#include "core/kernels_volume.inl"

// ---- the flesh stage ----------------------------------------------------------------------------

#include "core/kernels_flesh.inl"

// ---- the local volume method --------------------------------------------------------------------

#include "core/kernels_local.inl"

// ---- contact and the anatomical shape -----------------------------------------------------------

#include "core/kernels_limb.inl"

extern const tgKernels TG_JOIN(tg_kernels_, TG_KERNELS_NAME);
const tgKernels TG_JOIN(tg_kernels_, TG_KERNELS_NAME) = {
    .name = TG_TEXT(TG_KERNELS_NAME),
    .skinLinear = tgSkinLinear,
    .skinDualQuaternion = tgSkinDualQuaternion,
    .normalize = tgNormalizeRange,
    .mix = tgMix,
    .triangleSlots = tgTriangleSlots,
    .quadSlots = tgQuadSlots,
    .gatherNormals = tgGatherNormals,
    .gatherList = tgGatherList,
    .coneVolume = tgConeVolume,
    .slotsAndCones = tgSlotsAndCones,
    .faceVolume = tgFaceVolume,
    .faceCubic = tgFaceCubic,
    .moveSwell = tgMoveSwell,
    .shapeSwell = tgShapeSwell,
    .sweep = tgSweep,
    .moveAlong = tgMoveAlong,
    .follow = tgFollow,
    .twist = tgTwist,
    .gatherField = tgGatherField,
    .addField = tgAddField,
    .measureHeld = tgMeasureHeld,
    .meet = tgMeet,
    .holdVectors = tgHoldVectors,
    .shapeVertices = tgShapeVertices,
};
