// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops of the local volume method; a part of kernels.inl.

/// Two triangles at a time, as tgTriangleSlots.
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

/// Two quads at a time. From corner a, with p = b - a, q = c - a and r = d - a: the corners' own
/// products are A = p x r, B = p x q, D = q x r, C = B + D - A, twice the vector area is F = B + D.
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

static tgFieldWorth tgGatherField(const tgGatherTask* shared, const float* gamma,
                                  const float* shares, int begin, int end)
{
    const tgGatherTask copy = *shared, *task = &copy;
    const tgF8 sixth = tgF8_Splat((float)1 / 6);
    tgD4 own = tgD4_Zero(), all = tgD4_Zero();
    tgF8 largest = tgF8_Splat(0.0f);
    for (int first = begin; first < end; first += tg_lane) {
        float* at = task->out + 4 * (ptrdiff_t)first;
        for (int i = 0; i < tg_lane; ++i) {
            tgF4_Store(at + 4 * i, tgSumSlots(task, first + i));
        }
        tgWide3 g;
        tgLoadLane(at, &g.x, &g.y, &g.z);
        g = (tgWide3){tgF8_Mul(sixth, g.x), tgF8_Mul(sixth, g.y), tgF8_Mul(sixth, g.z)};
        tgF8 scale = tgF8_Load(gamma + first);
        tgF8 squared =
            tgF8_Add(tgF8_Add(tgF8_Mul(g.x, g.x), tgF8_Mul(g.y, g.y)), tgF8_Mul(g.z, g.z));
        tgF8 worth = tgF8_Mul(scale, squared);
        all = tgD4_AddF4(all, tgF8_AddHalves(worth));
        own = tgD4_AddF4(own, tgF8_AddHalves(tgF8_Mul(tgF8_Load(shares + first), worth)));
        largest = tgF8_Max(largest, tgF8_Mul(scale, worth));
        tgStoreLane(at, tgF8_Mul(scale, g.x), tgF8_Mul(scale, g.y), tgF8_Mul(scale, g.z));
    }
    double ownParts[4], allParts[4];
    float peaks[tg_lane];
    tgD4_Store(ownParts, own);
    tgD4_Store(allParts, all);
    tgF8_Store(peaks, tgF8_Sqrt(largest));
    tgFieldWorth result = {
        .own = (ownParts[0] + ownParts[1]) + (ownParts[2] + ownParts[3]),
        .across = (allParts[0] + allParts[1]) + (allParts[2] + allParts[3]),
    };
    result.across -= result.own;
    for (int i = 0; i < tg_lane; ++i) {
        result.peak = peaks[i] > result.peak ? peaks[i] : result.peak;
    }
    return result;
}

static void tgAddField(const tgFieldMove* shared, int begin, int end)
{
    const tgFieldMove task = *shared;
    const tgF8 across = tgF8_Splat(task.across), more = tgF8_Splat(task.own - task.across);
    for (int first = begin; first < end; first += tg_lane) {
        float steps[tg_lane];
        tgF8_Store(steps, tgF8_Add(across, tgF8_Mul(tgF8_Load(task.shares + first), more)));
        for (int i = 0; i < tg_lane; ++i) {
            float* p = task.positions + 4 * (ptrdiff_t)task.vertices[first + i];
            const float* f = task.field + 4 * (ptrdiff_t)(first + i);
            tgF4_Store(p, tgF4_Add(tgF4_Load(p), tgF4_Mul(tgF4_Splat(steps[i]), tgF4_Load(f))));
        }
    }
}
