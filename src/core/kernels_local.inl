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

static double tgGatherField(const tgGatherTask* shared, const float* gamma, int begin, int end,
                            float* peak)
{
    const tgGatherTask copy = *shared, *task = &copy;
    const tgF8 sixth = tgF8_Splat((float)1 / 6);
    tgD4 sum = tgD4_Zero();
    tgF8 largest = tgF8_Splat(0.0f);
    for (int first = begin; first < end; first += tg_lane) {
        float* at = task->out + 4 * (ptrdiff_t)first;
        for (int i = 0; i < tg_lane; ++i) {
            tgF4_Store(at + 4 * i, tgSumSlots(task, first + i));
        }
        tgWide3 g;
        tgLoadLane(at, &g.x, &g.y, &g.z);
        g = (tgWide3){tgF8_Mul(sixth, g.x), tgF8_Mul(sixth, g.y), tgF8_Mul(sixth, g.z)};
        tgF8 share = tgF8_Load(gamma + first);
        tgF8 squared =
            tgF8_Add(tgF8_Add(tgF8_Mul(g.x, g.x), tgF8_Mul(g.y, g.y)), tgF8_Mul(g.z, g.z));
        tgF8 worth = tgF8_Mul(share, squared);
        sum = tgD4_AddF4(sum, tgF8_AddHalves(worth));
        largest = tgF8_Max(largest, tgF8_Mul(share, worth));
        tgStoreLane(at, tgF8_Mul(share, g.x), tgF8_Mul(share, g.y), tgF8_Mul(share, g.z));
    }
    double parts[4];
    float peaks[tg_lane];
    tgD4_Store(parts, sum);
    tgF8_Store(peaks, tgF8_Sqrt(largest));
    *peak = 0.0f;
    for (int i = 0; i < tg_lane; ++i) {
        *peak = peaks[i] > *peak ? peaks[i] : *peak;
    }
    return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

static void tgAddField(float* positions, const int* vertices, const float* field, float step,
                       int begin, int end)
{
    const tgF4 scale = tgF4_Splat(step);
    for (int i = begin; i < end; ++i) {
        float* p = positions + 4 * (ptrdiff_t)vertices[i];
        tgF4_Store(p, tgF4_Add(tgF4_Load(p), tgF4_Mul(scale, tgF4_Load(field + 4 * (ptrdiff_t)i))));
    }
}
