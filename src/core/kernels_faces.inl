// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops over faces: their shares of the volume gradient, and the volume of cones over
// them; a part of kernels.inl.

/// Cross products of the two halves.
static inline tgF8 tgCrossHalves(tgF8 a, tgF8 b)
{
    return tgF8_Yzx(tgF8_Sub(tgF8_Mul(a, tgF8_Yzx(b)), tgF8_Mul(tgF8_Yzx(a), b)));
}

TG_INLINE const float* tgVertex(const tgFaceTask* task, int v)
{
    return task->positions + 4 * (ptrdiff_t)v;
}

/// (b - a) x (c - a), two triangles at a time. The last one of an odd number is done twice, into
/// the same slot, and its cone counts once.
TG_INLINE tgD4 tgTrianglePairs(const tgFaceTask* task, int begin, int end, bool withCones, tgF8 o,
                               tgD4 sum)
{
    for (int t = begin; t < end; t += 2) {
        bool both = t + 1 < end;
        const int* low = task->triangles + 3 * (ptrdiff_t)t;
        const int* high = both ? low + 3 : low;
        tgF8 a = tgF8_LoadPair(tgVertex(task, low[0]), tgVertex(task, high[0]));
        tgF8 b = tgF8_LoadPair(tgVertex(task, low[1]), tgVertex(task, high[1]));
        tgF8 c = tgF8_LoadPair(tgVertex(task, low[2]), tgVertex(task, high[2]));
        tgF8 cross = tgCrossHalves(tgF8_Sub(b, a), tgF8_Sub(c, a));
        float* slot = task->slots + 4 * (ptrdiff_t)t;
        tgF8_StorePair(slot, both ? slot + 4 : slot, cross);
        if (withCones) {
            tgF8 cone = tgF8_Mul(cross, tgF8_Sub(a, o));
            cone = both ? cone : tgF8_JoinLow(cone, tgF8_Splat(0.0f));
            sum = tgD4_AddF4(sum, tgF8_AddHalves(cone));
        }
    }
    return sum;
}

/// A quad is the mean of its two triangulations: with F twice its vector area and A its corner's
/// own product, six times dV/da is (F + A) / 2. Two quads at a time. From corner a, with p = b - a,
/// q = c - a and r = d - a: the corners' own products are A = p x r, B = p x q, D = q x r, C = B +
/// D - A, twice the vector area is F = B + D.
TG_INLINE tgD4 tgQuadPairs(const tgFaceTask* task, int begin, int end, bool withCones, tgF8 o,
                           tgD4 sum)
{
    const tgF8 half = tgF8_Splat(0.5f);
    for (int t = begin; t < end; t += 2) {
        bool both = t + 1 < end;
        const int* low = task->quads + 4 * (ptrdiff_t)t;
        const int* high = both ? low + 4 : low;
        tgF8 a = tgF8_LoadPair(tgVertex(task, low[0]), tgVertex(task, high[0]));
        tgF8 b = tgF8_LoadPair(tgVertex(task, low[1]), tgVertex(task, high[1]));
        tgF8 p = tgF8_Sub(b, a);
        tgF8 q = tgF8_Sub(tgF8_LoadPair(tgVertex(task, low[2]), tgVertex(task, high[2])), a);
        tgF8 r = tgF8_Sub(tgF8_LoadPair(tgVertex(task, low[3]), tgVertex(task, high[3])), a);
        tgF8 cornerA = tgCrossHalves(p, r), cornerB = tgCrossHalves(p, q);
        tgF8 cornerD = tgCrossHalves(q, r);
        tgF8 face = tgF8_Add(cornerB, cornerD);
        tgF8 cornerC = tgF8_Sub(face, cornerA);
        float* slot = task->slots + 4 * ((ptrdiff_t)task->triangleCount + 4 * (ptrdiff_t)t);
        float* next = both ? slot + 16 : slot;
        tgF8_StorePair(slot, next, tgF8_Mul(half, tgF8_Add(face, cornerA)));
        tgF8_StorePair(slot + 4, next + 4, tgF8_Mul(half, tgF8_Add(face, cornerB)));
        tgF8_StorePair(slot + 8, next + 8, tgF8_Mul(half, tgF8_Add(face, cornerC)));
        tgF8_StorePair(slot + 12, next + 12, tgF8_Mul(half, tgF8_Add(face, cornerD)));
        if (withCones) {
            tgF8 arm = tgF8_Mul(half, tgF8_Add(tgF8_Sub(a, o), tgF8_Sub(b, o)));
            tgF8 cone = tgF8_Mul(face, arm);
            cone = both ? cone : tgF8_JoinLow(cone, tgF8_Splat(0.0f));
            sum = tgD4_AddF4(sum, tgF8_AddHalves(cone));
        }
    }
    return sum;
}

static double tgSlotsAndCones(const tgFaceTask* shared, const tgFaceCounts* counts, tgVec3 origin)
{
    const tgFaceTask copy = *shared, *task = &copy;
    _Alignas(16) const float originFloats[4] = {origin.x, origin.y, origin.z};
    const tgF8 o = tgF8_LoadPair(originFloats, originFloats);
    tgD4 sum = tgD4_Zero();
    sum = tgTrianglePairs(task, 0, counts->triangleCones, true, o, sum);
    sum = tgTrianglePairs(task, counts->triangleCones, counts->triangles, false, o, sum);
    sum = tgQuadPairs(task, 0, counts->quadCones, true, o, sum);
    sum = tgQuadPairs(task, counts->quadCones, counts->quads, false, o, sum);
    double axes[4];
    tgD4_Store(axes, sum);
    return axes[0] + axes[1] + axes[2];
}

static void tgTriangleSlots(const tgFaceTask* shared, int begin, int end)
{
    const tgFaceTask copy = *shared;
    tgTrianglePairs(&copy, begin, end, false, tgF8_Splat(0.0f), tgD4_Zero());
}

static void tgQuadSlots(const tgFaceTask* shared, int begin, int end)
{
    const tgFaceTask copy = *shared;
    tgQuadPairs(&copy, begin, end, false, tgF8_Splat(0.0f), tgD4_Zero());
}

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
