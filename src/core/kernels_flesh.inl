// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops of the flesh stage; a part of kernels.inl.

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

/// Eight listed vertices back to their places; lists are padded by repeating a vertex, so places
/// within one lane may be the same.
TG_INLINE void tgStoreListed(float* positions, const int* vertices, tgWide3 p)
{
    tgF8 w = tgF8_Splat(0.0f);
    tgF8_TransposeHalves(&p.x, &p.y, &p.z, &w);
    tgF8_StorePair(positions + 4 * (ptrdiff_t)vertices[0], positions + 4 * (ptrdiff_t)vertices[4],
                   p.x);
    tgF8_StorePair(positions + 4 * (ptrdiff_t)vertices[1], positions + 4 * (ptrdiff_t)vertices[5],
                   p.y);
    tgF8_StorePair(positions + 4 * (ptrdiff_t)vertices[2], positions + 4 * (ptrdiff_t)vertices[6],
                   p.z);
    tgF8_StorePair(positions + 4 * (ptrdiff_t)vertices[3], positions + 4 * (ptrdiff_t)vertices[7],
                   w);
}

TG_INLINE tgWide3 tgSplat3(tgVec3 v)
{
    return (tgWide3){tgF8_Splat(v.x), tgF8_Splat(v.y), tgF8_Splat(v.z)};
}

/// How far along the bone p lies (0 to 1 between its ends), and p from its start.
TG_INLINE tgF8 tgProject(const tgFleshMove* move, tgWide3 p, tgWide3* away)
{
    away->x = tgF8_Sub(p.x, tgF8_Splat(move->start.x));
    away->y = tgF8_Sub(p.y, tgF8_Splat(move->start.y));
    away->z = tgF8_Sub(p.z, tgF8_Splat(move->start.z));
    return tgF8_Mul(tgWideDot(move->bone, *away), tgF8_Splat(move->inverseSquared));
}

TG_INLINE tgF8 tgWideSquared(tgWide3 a)
{
    return tgF8_Add(tgF8_Add(tgF8_Mul(a.x, a.x), tgF8_Mul(a.y, a.y)), tgF8_Mul(a.z, a.z));
}

/// What one element does to eight vertices, added to `sum`: w (u - held (u . n) n), n away from the
/// bone.
/// @return how far each may go, squared: not as far as the bone is
TG_INLINE tgF8 tgAddMove(const tgFleshMove* move, tgWide3 p, tgF8 weight, tgWide3* sum)
{
    const tgF8 zero = tgF8_Splat(0.0f), one = tgF8_Splat(1.0f);
    tgWide3 away;
    tgF8 along = tgF8_Min(tgF8_Max(tgProject(move, p, &away), zero), one);
    away = tgWideMulAdd(away, tgF8_Sub(zero, along), tgSplat3(move->bone));
    tgF8 squared = tgWideSquared(away);
    tgF8 held =
        tgF8_Div(tgWideDot(move->heldBack, away), tgF8_Max(squared, tgF8_Splat(tg_tinySquared)));
    tgWide3 moved = tgWideMulAdd(tgSplat3(move->displacement), held, away);
    *sum = tgWideMulAdd(*sum, weight, moved);
    if (move->thickness > 0.0f) {
        tgF8 free = tgF8_Max(tgF8_Sub(tgF8_Sqrt(squared), tgF8_Splat(move->thickness)), zero);
        squared = tgF8_Mul(free, free);
    }
    return squared;
}

TG_INLINE void tgFollowLoop(const tgFollowTask task, int begin, int end, bool single)
{
    const tgF8 zero = tgF8_Splat(0.0f);
    const tgFleshMove own = task.moves[task.elements[0]];
    for (int first = begin; first < end; first += tg_lane) {
        const int* vertices = task.vertices + first;
        tgWide3 p = tgLoadListed(task.positions, vertices), sum = {zero, zero, zero};
        tgF8 room = tgAddMove(&own, p, tgF8_Load(task.weights + first), &sum);
        for (int k = 1; !single && k < task.elementCount; ++k) {
            tgF8 weight = tgF8_Load(task.weights + (ptrdiff_t)k * task.stride + first);
            room = tgF8_Min(room, tgAddMove(&task.moves[task.elements[k]], p, weight, &sum));
        }
        // The sum of all is held back from the nearest bone; mostly none is near.
        tgF8 squared = tgWideSquared(sum);
        if (tgF8_AnyLess(room, squared)) {
            tgF8 part = tgF8_Div(room, tgF8_Max(squared, tgF8_Splat(tg_tinySquared)));
            tgF8 scale = tgF8_Sqrt(tgF8_Min(part, tgF8_Splat(1.0f)));
            sum = (tgWide3){tgF8_Mul(scale, sum.x), tgF8_Mul(scale, sum.y), tgF8_Mul(scale, sum.z)};
        }
        p = (tgWide3){tgF8_Add(p.x, sum.x), tgF8_Add(p.y, sum.y), tgF8_Add(p.z, sum.z)};
        tgStoreListed(task.positions, vertices, p);
    }
}

static void tgFollow(const tgFollowTask* task, int begin, int end)
{
    if (task->elementCount == 1) {
        tgFollowLoop(*task, begin, end, true);
    } else {
        tgFollowLoop(*task, begin, end, false);
    }
}

/// Vertices turn about an element's bone by their weights: with h the tangent of half the angle
/// they move by 2 h / (1 + h^2) (e x q - h q), q away from the bone, and keep their distance.
static void tgTwist(const tgFollowTask* shared, int begin, int end)
{
    const tgFollowTask task = *shared;
    const tgFleshMove* move = &task.moves[task.elements[0]];
    const tgF8 zero = tgF8_Splat(0.0f), one = tgF8_Splat(1.0f);
    const tgWide3 axis = tgSplat3(tgMulSV(sqrtf(move->inverseSquared), move->bone));
    const tgF8 half = tgF8_Splat(0.5f * move->twist);
    for (int first = begin; first < end; first += tg_lane) {
        const int* vertices = task.vertices + first;
        tgWide3 p = tgLoadListed(task.positions, vertices), q;
        tgF8 along = tgProject(move, p, &q);
        q = tgWideMulAdd(q, tgF8_Sub(zero, along), tgSplat3(move->bone));
        // tan x = x (105 - 10 x^2) / (105 - 45 x^2 + x^4) to 1e-5 up to pi / 4
        tgF8 x = tgF8_Mul(tgF8_Load(task.weights + first), half), xx = tgF8_Mul(x, x);
        tgF8 above = tgF8_Sub(tgF8_Splat(105.0f), tgF8_Mul(tgF8_Splat(10.0f), xx));
        tgF8 below = tgF8_Add(tgF8_Splat(105.0f), tgF8_Mul(xx, tgF8_Sub(xx, tgF8_Splat(45.0f))));
        tgF8 h = tgF8_Div(tgF8_Mul(x, above), below);
        tgWide3 turn = tgWideMulAdd(tgWideCross(axis, q), tgF8_Sub(zero, h), q);
        tgF8 scale = tgF8_Div(tgF8_Add(h, h), tgF8_Add(one, tgF8_Mul(h, h)));
        tgStoreListed(task.positions, vertices, tgWideMulAdd(p, scale, turn));
    }
}
