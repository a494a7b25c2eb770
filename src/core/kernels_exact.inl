// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops of the exact volume method; a part of kernels.inl.

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
            if (task.local != NULL) {
                tgF8_Store(task.local + (ptrdiff_t)axis * task.stride + first, x);
            }
        }
        tgF8_Store(task.out + first, tgExpMinus(q));
    }
}

static void tgTurnBack(const tgTurnTask* shared, int count)
{
    const tgTurnTask task = *shared;
    const tgWideMatrix turn = {tgF8_Load(task.turn), tgF8_Load(task.turn + 8)};
    for (int i = 0; i < count; ++i) {
        ptrdiff_t at = 4 * (ptrdiff_t)task.vertices[i];
        tgF4 turned = tgF4_Mul(tgF4_Splat(task.turnShares[i]), tgApplyMatrix(turn, task.rest + at));
        tgF4_Store(task.positions + at, tgF4_Sub(tgF4_Load(task.positions + at), turned));
    }
}

static void tgDrift(const tgDriftTask* shared, int count)
{
    const tgDriftTask task = *shared;
    _Alignas(16) const float swingFloats[4] = {task.swing.x, task.swing.y, task.swing.z};
    const tgF4 swing = tgF4_Load(swingFloats);
    for (int i = 0; i < count; ++i) {
        int v = task.vertices[i];
        float drift = task.scale * task.drifts[i];
        drift = task.freedom != NULL ? drift * task.freedom[v] : drift;
        float* p = task.positions + 4 * (ptrdiff_t)v;
        tgF4_Store(p, tgF4_Add(tgF4_Load(p), tgF4_Mul(tgF4_Splat(drift), swing)));
    }
}

TG_INLINE void tgSkinDualListLoop(const tgSkinTask task, const int* elements, int count,
                                  bool single)
{
    for (int first = 0; first < count; first += tg_lane) {
        _Alignas(32) float moved[4 * tg_lane];
        int list[tg_lane]; // the last one fills up
        for (int k = 0; k < tg_lane; ++k) {
            list[k] = elements[first + k < count ? first + k : count - 1];
        }
        tgWideDualQuaternion q = tgBlendLane(&task, list, 0, single);
        tgWide3 p = tgMoveLane(&q, tgLoadListed(task.rest, list));
        tgStoreLane(moved, p.x, p.y, p.z);
        for (int k = 0; k < tg_lane; ++k) {
            tgF4_Store(task.positions + 4 * (ptrdiff_t)list[k], tgF4_Load(moved + 4 * k));
        }
    }
}

static void tgSkinDualList(const tgSkinTask* task, const int* elements, int count)
{
    if (task->groupStart == NULL) {
        tgSkinDualListLoop(*task, elements, count, true);
    } else {
        tgSkinDualListLoop(*task, elements, count, false);
    }
}

/// Of eight vertices: from the whole mesh by a list, or in order without one.
TG_INLINE tgWide3 tgLoadGradient(const float* gradient, const int* vertices, int first)
{
    if (vertices != NULL) {
        return tgLoadListed(gradient, vertices + first);
    }
    tgWide3 g;
    tgLoadLane(gradient + 4 * (ptrdiff_t)first, &g.x, &g.y, &g.z);
    return g;
}

enum { tg_worthRun = 256 }; ///< vertices whose sums are floats before they go to a double

static void tgWorth(const tgWorthTask* shared, int end, tgAxisWorth* out)
{
    const tgWorthTask task = *shared;
    const tgF8 zero = tgF8_Splat(0.0f);
    tgD4 sums[3] = {tgD4_Zero(), tgD4_Zero(), tgD4_Zero()};
    tgF8 most[3] = {zero, zero, zero};
    for (int begin = 0; begin < end; begin += tg_worthRun) {
        tgF8 run[3] = {zero, zero, zero};
        int stop = begin + tg_worthRun < end ? begin + tg_worthRun : end;
        for (int first = begin; first < stop; first += tg_lane) {
            tgWide3 g = tgLoadGradient(task.gradient, task.vertices, first);
            tgF8 share = tgF8_Load(task.gamma + first);
            for (int k = 0; k < 3; ++k) {
                tgF8 along = tgWideDot(task.axes[k], g);
                tgF8 move = tgF8_Mul(share, along);
                most[k] = tgF8_Max(most[k], tgF8_Max(move, tgF8_Sub(zero, move)));
                run[k] = tgF8_Add(run[k], tgF8_Mul(move, along));
            }
        }
        for (int k = 0; k < 3; ++k) {
            sums[k] = tgD4_AddF4(sums[k], tgF8_AddHalves(run[k]));
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

static void tgSpread(const tgSpreadTask* shared, int end)
{
    const tgSpreadTask task = *shared;
    const tgF4 fieldStep = tgF4_Splat(task.fieldStep), roomStep = tgF4_Splat(task.roomStep);
    for (int first = 0; first < end; first += tg_lane) {
        _Alignas(32) float moves[4 * tg_lane];
        tgWide3 g = tgLoadGradient(task.gradient, task.sources, first);
        tgF8 share = tgF8_Load(task.gamma + first);
        tgStoreLane(moves, tgF8_Mul(share, tgWideDot(task.rows[0], g)),
                    tgF8_Mul(share, tgWideDot(task.rows[1], g)),
                    tgF8_Mul(share, tgWideDot(task.rows[2], g)));
        for (int i = 0; i < tg_lane; ++i) {
            ptrdiff_t v = task.vertices != NULL ? task.vertices[first + i] : first + i, at = 4 * v;
            tgF4 move = tgF4_Load(moves + 4 * i);
            tgF4_Store(task.field + at,
                       tgF4_Add(tgF4_Load(task.field + at), tgF4_Mul(fieldStep, move)));
            if (task.room != NULL) {
                tgF4_Store(task.room + at,
                           tgF4_Add(tgF4_Load(task.room + at), tgF4_Mul(roomStep, move)));
            }
        }
    }
}

static void tgMoveField(float* positions, float* field, float step, const int* vertices, int count)
{
    const tgF4 wide = tgF4_Splat(step), zero = tgF4_Splat(0.0f);
    for (int i = 0; i < count; ++i) {
        ptrdiff_t at = 4 * (ptrdiff_t)(vertices != NULL ? vertices[i] : i);
        tgF4 move = tgF4_Mul(wide, tgF4_Load(field + at));
        tgF4_Store(positions + at, tgF4_Add(tgF4_Load(positions + at), move));
        tgF4_Store(field + at, zero);
    }
}
