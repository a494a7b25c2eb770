// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops, once for all backends. A kernels_*.c names its backend and includes this file.
// Order of operations is part of the result: every backend follows it element by element. Past 500
// lines because one include is what a backend needs.

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
                                bool withNormals)
{
    for (int e = begin; e < end; ++e) {
        tgWideMatrix m = tgBlendMatrix(&task, e, single);
        ptrdiff_t at = 4 * (ptrdiff_t)e;
        tgF4_Store(task.positions + at, tgApplyMatrix(m, task.rest + at));
        if (withNormals) {
            tgF4_Store(task.normals + at, tgApplyMatrix(m, task.restNormals + at));
        }
    }
    for (int first = begin; withNormals && first < end; first += tg_lane) {
        tgNormalizeLane(task.normals + 4 * (ptrdiff_t)first);
    }
}

static void tgSkinLinear(const tgSkinTask* task, int begin, int end)
{
    if (task->restNormals == NULL) {
        if (task->groupStart == NULL) {
            tgSkinLinearLoop(*task, begin, end, true, false);
        } else {
            tgSkinLinearLoop(*task, begin, end, false, false);
        }
    } else if (task->groupStart == NULL) {
        tgSkinLinearLoop(*task, begin, end, true, true);
    } else {
        tgSkinLinearLoop(*task, begin, end, false, true);
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

TG_INLINE void tgSkinDualQuaternionLoop(const tgSkinTask task, int begin, int end, bool single)
{
    for (int first = begin; first < end; first += tg_lane) {
        ptrdiff_t at = 4 * (ptrdiff_t)first;
        tgWideDualQuaternion q = tgBlendLane(&task, first, single);
        tgWide3 p;
        tgLoadLane(task.rest + at, &p.x, &p.y, &p.z);
        p = tgRotateLane(&q, p);
        // Translation: 2 / |q|^2 (w v - vw u + u x v)
        tgWide3 t = tgWideMulAdd(tgWideCross(q.u, q.v), q.w, q.v);
        t = tgWideMulAdd(t, tgF8_Sub(tgF8_Splat(0.0f), q.vw), q.u);
        p = tgWideMulAdd(p, q.scale, t);
        tgStoreLane(task.positions + at, p.x, p.y, p.z);
        if (task.restNormals != NULL) {
            tgWide3 n;
            tgLoadLane(task.restNormals + at, &n.x, &n.y, &n.z);
            n = tgRotateLane(&q, n);
            tgStoreLane(task.normals + at, n.x, n.y, n.z);
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

/// Cross products of the two halves.
static inline tgF8 tgCrossHalves(tgF8 a, tgF8 b)
{
    return tgF8_Yzx(tgF8_Sub(tgF8_Mul(a, tgF8_Yzx(b)), tgF8_Mul(tgF8_Yzx(a), b)));
}

TG_INLINE const float* tgVertex(const tgFaceTask* task, int v)
{
    return task->positions + 4 * (ptrdiff_t)v;
}

/// (b - a) x (c - a), two triangles at a time.
static void tgTriangleSlots(const tgFaceTask* shared, int begin, int end)
{
    const tgFaceTask copy = *shared, *task = &copy;
    for (int t = begin; t < end; t += 2) {
        const int* low = task->triangles + 3 * (ptrdiff_t)t;
        const int* high = t + 1 < end ? low + 3 : low;
        tgF8 a = tgF8_LoadPair(tgVertex(task, low[0]), tgVertex(task, high[0]));
        tgF8 b = tgF8_LoadPair(tgVertex(task, low[1]), tgVertex(task, high[1]));
        tgF8 c = tgF8_LoadPair(tgVertex(task, low[2]), tgVertex(task, high[2]));
        tgF8 cross = tgCrossHalves(tgF8_Sub(b, a), tgF8_Sub(c, a));
        // The last triangle of an odd number is done twice, into the same slot.
        float* slot = task->slots + 4 * (ptrdiff_t)t;
        tgF8_StorePair(slot, t + 1 < end ? slot + 4 : slot, cross);
    }
}

/// A quad is the mean of its two triangulations. With F = (c - a) x (d - b), twice the vector area,
/// and A = (b - a) x (d - a) the corner's own product, six times dV/da is (F + A) / 2; so for the
/// other corners, and A + C = F.
static void tgQuadSlots(const tgFaceTask* shared, int begin, int end)
{
    const tgFaceTask copy = *shared, *task = &copy;
    const tgF8 half = tgF8_Splat(0.5f);
    for (int q = begin; q < end; ++q) {
        const int* corners = task->quads + 4 * (ptrdiff_t)q;
        const float* a = tgVertex(task, corners[0]);
        const float* b = tgVertex(task, corners[1]);
        const float* c = tgVertex(task, corners[2]);
        const float* d = tgVertex(task, corners[3]);
        tgF8 aa = tgF8_LoadPair(a, a), dd = tgF8_LoadPair(d, d), bd = tgF8_LoadPair(b, d);
        tgF8 ca = tgF8_LoadPair(c, a), ac = tgF8_LoadPair(a, c);
        tgF8 faceAndA =
            tgCrossHalves(tgF8_Sub(tgF8_LoadPair(c, b), aa), tgF8_Sub(dd, tgF8_LoadPair(b, a)));
        tgF8 cornersBd = tgCrossHalves(tgF8_Sub(ca, bd), tgF8_Sub(ac, bd));
        tgF8 face = tgF8_JoinLow(faceAndA, faceAndA);
        tgF8 cornerA = tgF8_JoinHigh(faceAndA, faceAndA);
        tgF8 cornersAc = tgF8_JoinLow(cornerA, tgF8_Sub(face, cornerA));
        float* slot = task->slots + 4 * ((ptrdiff_t)task->triangleCount + 4 * (ptrdiff_t)q);
        tgF8_StorePair(slot, slot + 8, tgF8_Mul(half, tgF8_Add(face, cornersAc)));
        tgF8_StorePair(slot + 4, slot + 12, tgF8_Mul(half, tgF8_Add(face, cornersBd)));
    }
}

// ---- sums round vertices ------------------------------------------------------------------------

TG_INLINE tgF4 tgSumSlots(const tgGatherTask* task, int v)
{
    tgF4 sum = tgF4_Splat(0.0f);
    for (int k = task->start[v]; k < task->start[v + 1]; ++k) {
        sum = tgF4_Add(sum, tgF4_Load(task->slots + 4 * (ptrdiff_t)task->slotList[k]));
    }
    return sum;
}

static void tgGatherGradient(const tgGatherTask* shared, int begin, int end, double sums[4])
{
    const tgGatherTask copy = *shared, *task = &copy;
    tgD4 total = tgD4_Zero();
    _Alignas(16) const float originFloats[4] = {task->origin[0], task->origin[1], task->origin[2]};
    const tgF4 origin = tgF4_Load(originFloats);
    const tgF4 sixth = tgF4_Splat((float)1 / 6);
    for (int v = begin; v < end; ++v) {
        tgF4 gradient = tgF4_Mul(sixth, tgSumSlots(task, v));
        tgF4 arm = tgF4_Sub(tgF4_Load(task->positions + 4 * (ptrdiff_t)v), origin);
        tgF4_Store(task->out + 4 * (ptrdiff_t)v, gradient);
        total = tgD4_AddF4(total, tgF4_Mul(arm, gradient));
    }
    tgD4_Store(sums, total);
}

static void tgGatherNormals(const tgGatherTask* shared, int begin, int end)
{
    const tgGatherTask copy = *shared, *task = &copy;
    for (int first = begin; first < end; first += tg_lane) {
        for (int v = first; v < first + tg_lane; ++v) {
            tgF4_Store(task->out + 4 * (ptrdiff_t)v, tgSumSlots(task, v));
        }
        tgNormalizeLane(task->out + 4 * (ptrdiff_t)first);
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

/// a . ((b - a) x (c - a)) for a triangle from the apex; (a + b) / 2 . ((c - a) x (d - b)) for a
/// quad, which is the mean of its two triangulations.
static double tgConeVolume(const int* triangles, int triangleCount, const int* quads, int quadCount,
                           const float* positions, tgVec3 apex)
{
    tgD4 sum = tgD4_Zero();
    _Alignas(16) const float apexFloats[4] = {apex.x, apex.y, apex.z};
    const tgF8 o = tgF8_LoadPair(apexFloats, apexFloats);
    const tgF8 half = tgF8_Splat(0.5f), zero = tgF8_Splat(0.0f);
    const tgFaceTask task = {.positions = positions};
    for (int t = 0; t < triangleCount; t += 2) {
        const int* low = triangles + 3 * (ptrdiff_t)t;
        const int* high = t + 1 < triangleCount ? low + 3 : low;
        tgF8 a = tgF8_LoadPair(tgVertex(&task, low[0]), tgVertex(&task, high[0]));
        tgF8 b = tgF8_LoadPair(tgVertex(&task, low[1]), tgVertex(&task, high[1]));
        tgF8 c = tgF8_LoadPair(tgVertex(&task, low[2]), tgVertex(&task, high[2]));
        tgF8 cone = tgF8_Mul(tgCrossHalves(tgF8_Sub(b, a), tgF8_Sub(c, a)), tgF8_Sub(a, o));
        // The last triangle of an odd number counts once.
        cone = t + 1 < triangleCount ? cone : tgF8_JoinLow(cone, zero);
        sum = tgD4_AddF4(sum, tgF8_AddHalves(cone));
    }
    for (int q = 0; q < quadCount; q += 2) {
        const int* low = quads + 4 * (ptrdiff_t)q;
        const int* high = q + 1 < quadCount ? low + 4 : low;
        tgF8 a = tgF8_LoadPair(tgVertex(&task, low[0]), tgVertex(&task, high[0]));
        tgF8 b = tgF8_LoadPair(tgVertex(&task, low[1]), tgVertex(&task, high[1]));
        tgF8 c = tgF8_LoadPair(tgVertex(&task, low[2]), tgVertex(&task, high[2]));
        tgF8 d = tgF8_LoadPair(tgVertex(&task, low[3]), tgVertex(&task, high[3]));
        tgF8 arm = tgF8_Mul(half, tgF8_Add(tgF8_Sub(a, o), tgF8_Sub(b, o)));
        tgF8 cone = tgF8_Mul(tgCrossHalves(tgF8_Sub(c, a), tgF8_Sub(d, b)), arm);
        cone = q + 1 < quadCount ? cone : tgF8_JoinLow(cone, zero);
        sum = tgD4_AddF4(sum, tgF8_AddHalves(cone));
    }
    double axes[4];
    tgD4_Store(axes, sum);
    return axes[0] + axes[1] + axes[2];
}

/// Coordinates of eight listed vertices.
TG_INLINE tgWide3 tgLoadListed(const float* positions, const int* vertices)
{
    tgF8 w = tgF8_LoadPair(positions + 4 * (ptrdiff_t)vertices[3],
                           positions + 4 * (ptrdiff_t)vertices[7]);
    tgWide3 p = {
        tgF8_LoadPair(positions + 4 * (ptrdiff_t)vertices[0],
                      positions + 4 * (ptrdiff_t)vertices[4]),
        tgF8_LoadPair(positions + 4 * (ptrdiff_t)vertices[1],
                      positions + 4 * (ptrdiff_t)vertices[5]),
        tgF8_LoadPair(positions + 4 * (ptrdiff_t)vertices[2],
                      positions + 4 * (ptrdiff_t)vertices[6]),
    };
    tgF8_TransposeHalves(&p.x, &p.y, &p.z, &w);
    return p;
}

/// exp(-q) for q >= 0 as (1 - y + y^2/2 - y^3/6 + y^4/24)^256, y = q / 256: 2e-5 relative up to q =
/// 16, where it stays from there on. Sums and products only.
TG_INLINE tgF8 tgExpMinus(tgF8 q)
{
    const tgF8 most = tgF8_Splat(-16.0f);
    tgF8 y = tgF8_Mul(tgF8_Max(tgF8_Sub(tgF8_Splat(0.0f), q), most), tgF8_Splat(1.0f / 256.0f));
    tgF8 e = tgF8_Add(tgF8_Splat((float)1 / 6), tgF8_Mul(y, tgF8_Splat((float)1 / 24)));
    e = tgF8_Add(tgF8_Splat(0.5f), tgF8_Mul(y, e));
    e = tgF8_Add(tgF8_Splat(1.0f), tgF8_Mul(y, e));
    e = tgF8_Add(tgF8_Splat(1.0f), tgF8_Mul(y, e));
    for (int k = 0; k < 8; ++k) {
        e = tgF8_Mul(e, e);
    }
    return e;
}

TG_INLINE tgF8 tgWideDot(tgVec3 axis, tgWide3 p)
{
    return tgF8_Add(tgF8_Add(tgF8_Mul(tgF8_Splat(axis.x), p.x), tgF8_Mul(tgF8_Splat(axis.y), p.y)),
                    tgF8_Mul(tgF8_Splat(axis.z), p.z));
}

static void tgBell(const tgBellTask* shared, int begin, int end)
{
    const tgBellTask task = *shared;
    for (int first = begin; first < end; first += tg_lane) {
        tgWide3 p = tgLoadListed(task.positions, task.vertices + first);
        p.x = tgF8_Sub(p.x, tgF8_Splat(task.origin.x));
        p.y = tgF8_Sub(p.y, tgF8_Splat(task.origin.y));
        p.z = tgF8_Sub(p.z, tgF8_Splat(task.origin.z));
        tgF8 q = tgF8_Splat(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            tgF8 x = tgWideDot(task.axes[axis], p);
            tgF8 away = tgF8_Mul(tgF8_Sub(x, tgF8_Splat(task.center[axis])),
                                 tgF8_Splat(task.inverseSigma[axis]));
            q = tgF8_Add(q, tgF8_Mul(away, away));
            tgF8_Store(task.local + (ptrdiff_t)axis * task.stride + first, x);
        }
        tgF8_Store(task.out + first, tgExpMinus(q));
    }
}

TG_INLINE void tgTurnListLoop(const tgTurnTask task, int begin, int end, bool single)
{
    const tgSkinTask skin = {.groupStart = task.groupStart,
                             .weights = task.weights,
                             .entries = task.entries,
                             .palette = task.palette};
    const tgWideMatrix turn = {tgF8_Load(task.turn), tgF8_Load(task.turn + 8)};
    for (int i = begin; i < end; ++i) {
        const float* rest = task.rest + 4 * (ptrdiff_t)task.vertices[i];
        tgF4 before = tgApplyMatrix(tgBlendMatrix(&skin, task.vertices[i], single), rest);
        tgF4 turned = tgF4_Mul(tgF4_Splat(task.turnShares[i]), tgApplyMatrix(turn, rest));
        tgF4_Store(task.before + 4 * (ptrdiff_t)i, before);
        tgF4_Store(task.after + 4 * (ptrdiff_t)i, tgF4_Add(before, turned));
    }
}

static void tgTurnList(const tgTurnTask* task, int begin, int end)
{
    if (task->groupStart == NULL) {
        tgTurnListLoop(*task, begin, end, true);
    } else {
        tgTurnListLoop(*task, begin, end, false);
    }
}

static void tgWorth(const float* gradient, const float* gamma, const tgVec3 axes[3], int end,
                    tgAxisWorth* out)
{
    tgD4 sums[3] = {tgD4_Zero(), tgD4_Zero(), tgD4_Zero()};
    tgF8 most[3] = {tgF8_Splat(0.0f), tgF8_Splat(0.0f), tgF8_Splat(0.0f)};
    const tgVec3 directions[3] = {axes[0], axes[1], axes[2]};
    for (int first = 0; first < end; first += tg_lane) {
        tgWide3 g;
        tgLoadLane(gradient + 4 * (ptrdiff_t)first, &g.x, &g.y, &g.z);
        tgF8 share = tgF8_Load(gamma + first);
        for (int k = 0; k < 3; ++k) {
            tgF8 along = tgWideDot(directions[k], g);
            tgF8 move = tgF8_Mul(share, along);
            most[k] = tgF8_Max(most[k], tgF8_Max(move, tgF8_Sub(tgF8_Splat(0.0f), move)));
            sums[k] = tgD4_AddF4(sums[k], tgF8_AddHalves(tgF8_Mul(move, along)));
        }
    }
    for (int k = 0; k < 3; ++k) {
        double parts[4];
        float moves[tg_lane];
        tgD4_Store(parts, sums[k]);
        tgF8_Store(moves, most[k]);
        out->worth[k] = (parts[0] + parts[1]) + (parts[2] + parts[3]);
        out->largest[k] = 0.0f;
        for (int i = 0; i < tg_lane; ++i) {
            out->largest[k] = moves[i] > out->largest[k] ? moves[i] : out->largest[k];
        }
    }
}

static void tgPush(const tgPushTask* shared, int end)
{
    const tgPushTask task = *shared;
    _Alignas(16) const float axisFloats[4] = {task.axis.x, task.axis.y, task.axis.z};
    const tgF4 axis = tgF4_Load(axisFloats);
    const tgF8 step = tgF8_Splat(task.step);
    for (int first = 0; first < end; first += tg_lane) {
        tgWide3 g;
        float moves[tg_lane];
        tgLoadLane(task.gradient + 4 * (ptrdiff_t)first, &g.x, &g.y, &g.z);
        tgF8 along = tgWideDot(task.axis, g);
        tgF8_Store(moves, tgF8_Mul(step, tgF8_Mul(tgF8_Load(task.gamma + first), along)));
        for (int i = 0; i < tg_lane; ++i) {
            int v = task.vertices != NULL ? task.vertices[first + i] : first + i;
            float* p = task.positions + 4 * (ptrdiff_t)v;
            tgF4_Store(p, tgF4_Add(tgF4_Load(p), tgF4_Mul(tgF4_Splat(moves[i]), axis)));
        }
    }
}

// ---- the flesh stage ----------------------------------------------------------------------------

#include "core/kernels_flesh.inl"

// ---- faces held back
// -----------------------------------------------------------------------------

#include "core/kernels_hold.inl"

// ---- the local volume method --------------------------------------------------------------------

#include "core/kernels_local.inl"

extern const tgKernels TG_JOIN(tg_kernels_, TG_KERNELS_NAME);
const tgKernels TG_JOIN(tg_kernels_, TG_KERNELS_NAME) = {
    .name = TG_TEXT(TG_KERNELS_NAME),
    .skinLinear = tgSkinLinear,
    .skinDualQuaternion = tgSkinDualQuaternion,
    .triangleSlots = tgTriangleSlots,
    .quadSlots = tgQuadSlots,
    .gatherGradient = tgGatherGradient,
    .gatherNormals = tgGatherNormals,
    .gatherList = tgGatherList,
    .coneVolume = tgConeVolume,
    .bell = tgBell,
    .turnList = tgTurnList,
    .worth = tgWorth,
    .push = tgPush,
    .follow = tgFollow,
    .twist = tgTwist,
    .slotsAndCones = tgSlotsAndCones,
    .gatherField = tgGatherField,
    .addField = tgAddField,
    .skinList = tgSkinList,
    .turnover = tgTurnover,
};
