// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops of the volume stage: faces of four corners, and the passes over supports; a part
// of kernels.inl.

// ---- faces of four corners ----------------------------------------------------------------------

/// Terms that are floats before they go to a double: few enough to lose nothing that counts.
enum { tg_faceRun = 8 };

/// A point that moves, of each face of a part: at + s * by.
typedef struct tgMovingPart {
    tgPart at, by;
} tgMovingPart;

/// Corner k of the faces at `part`.
TG_INLINE tgMovingPart tgLoadMoving(const tgFourTask* task, const int* part, int k, bool moves)
{
    tgMovingPart p = {tgPart_Gather(task->positions, part + k), TG_PART(Splat)(0.0f)};
    if (moves) {
        p.by = tgPart_Gather(task->field, part + k);
    }
    return p;
}

TG_INLINE tgMovingPart tgSubMoving(tgMovingPart a, tgMovingPart b, bool moves)
{
    tgMovingPart r = {TG_PART(Sub)(a.at, b.at), a.by};
    if (moves) {
        r.by = TG_PART(Sub)(a.by, b.by);
    }
    return r;
}

TG_INLINE tgPart tgCrossPart(tgPart a, tgPart b)
{
    return TG_PART(Yzx)(
        TG_PART(Sub)(TG_PART(Mul)(a, TG_PART(Yzx)(b)), TG_PART(Mul)(TG_PART(Yzx)(a), b)));
}

/// a + (b + c)
TG_INLINE tgPart tgAddTwo(tgPart a, tgPart b, tgPart c)
{
    return TG_PART(Add)(a, TG_PART(Add)(b, c));
}

/// Adds terms c0 to c3 of arm(s) . (x(s) x y(s)).
TG_INLINE void tgAddTerms(tgPart c[4], tgMovingPart arm, tgMovingPart x, tgMovingPart y, bool moves)
{
    tgPart still = tgCrossPart(x.at, y.at);
    c[0] = TG_PART(Add)(c[0], TG_PART(Mul)(still, arm.at));
    if (moves) {
        tgPart turned = tgCrossPart(x.by, y.by);
        tgPart mixed = TG_PART(Add)(tgCrossPart(x.at, y.by), tgCrossPart(x.by, y.at));
        c[1] = tgAddTwo(c[1], TG_PART(Mul)(still, arm.by), TG_PART(Mul)(mixed, arm.at));
        c[2] = tgAddTwo(c[2], TG_PART(Mul)(mixed, arm.by), TG_PART(Mul)(turned, arm.at));
        c[3] = TG_PART(Add)(c[3], TG_PART(Mul)(turned, arm.by));
    }
}

/// Six times the cones over one part of the faces from `face` to `last`, from the apex:
/// a . ((c - a) x (d - b)) over a pair of triangles, (a + b) / 2 in place of a for a quad.
TG_INLINE void tgSumRun(const tgFourTask* task, const int* face, const int* last, tgPart apex,
                        bool isQuad, bool moves, tgPart c[4])
{
    const tgPart half = TG_PART(Splat)(0.5f);
    for (; face < last; face += 8) {
        tgMovingPart p = tgLoadMoving(task, face, 0, moves), q = tgLoadMoving(task, face, 1, moves);
        tgMovingPart r = tgLoadMoving(task, face, 2, moves), s = tgLoadMoving(task, face, 3, moves);
        tgMovingPart arm = {TG_PART(Sub)(p.at, apex), p.by};
        if (isQuad) {
            arm.at = TG_PART(Mul)(half, TG_PART(Add)(arm.at, TG_PART(Sub)(q.at, apex)));
            arm.by = moves ? TG_PART(Mul)(half, TG_PART(Add)(p.by, q.by)) : p.by;
        }
        tgAddTerms(c, arm, tgSubMoving(r, p, moves), tgSubMoving(s, q, moves), moves);
    }
}

/// The same over faces [begin, end), an even number of one kind.
TG_INLINE void tgSumFaces(const tgFourTask* task, int begin, int end, bool isQuad, bool moves,
                          tgD4 sums[4])
{
    _Alignas(16) const float apexFloats[4] = {task->apex.x, task->apex.y, task->apex.z};
    const int both[8] = {0};
    const tgPart apex = tgPart_Gather(apexFloats, both), zero = TG_PART(Splat)(0.0f);
    for (int first = begin; first < end; first += 2 * tg_faceRun) {
        int stop = first + 2 * tg_faceRun < end ? first + 2 * tg_faceRun : end;
        const int *face = task->faces + 4 * (ptrdiff_t)first,
                  *last = task->faces + 4 * (ptrdiff_t)stop;
        tgPart runs[tg_partCount][4];
        for (int part = 0; part < tg_partCount; ++part) {
            tgPart c[4] = {zero, zero, zero, zero};
            tgSumRun(task, face + 4 * part, last, apex, isQuad, moves, c);
            memcpy(runs[part], c, sizeof(c));
        }
        for (int k = 0; k < (moves ? 4 : 1); ++k) {
            sums[k] = tgD4_AddF4(sums[k], tgPart_AddHalves(runs[0][k], runs[tg_partCount - 1][k]));
        }
    }
}

TG_INLINE void tgSumRange(const tgFourTask* task, int begin, int end, bool moves, double out[4])
{
    tgD4 sums[4] = {tgD4_Zero(), tgD4_Zero(), tgD4_Zero(), tgD4_Zero()};
    int split = task->quadStart < begin ? begin : task->quadStart > end ? end : task->quadStart;
    tgSumFaces(task, begin, split, false, moves, sums);
    tgSumFaces(task, split, end, true, moves, sums);
    for (int k = 0; k < 4; ++k) {
        double axes[4];
        tgD4_Store(axes, sums[k]);
        out[k] = axes[0] + axes[1] + axes[2];
    }
}

static double tgFaceVolume(const tgFourTask* shared, int begin, int end)
{
    const tgFourTask task = *shared;
    double sums[4];
    tgSumRange(&task, begin, end, false, sums);
    return sums[0];
}

static void tgFaceCubic(const tgFourTask* shared, int begin, int end, double cubic[4])
{
    const tgFourTask task = *shared;
    tgSumRange(&task, begin, end, true, cubic);
}

// ---- supports -----------------------------------------------------------------------------------

TG_INLINE tgF8 tgLoadSupport(const uint16_t* values, int e)
{
    return tgF8_LoadU16(values + tg_lane * (ptrdiff_t)e);
}

/// Of a chunk's vertices: x = sum of lambda / rho S, and the same of |lambda|.
typedef struct tgChunkSwell {
    _Alignas(32) float over[tg_chunkSize];
    _Alignas(32) float size[tg_chunkSize];
} tgChunkSwell;

TG_INLINE void tgAddParts(const tgPartTask* parts, bool withSize, tgChunkSwell* swell)
{
    for (int i = 0; i < parts->count; ++i) {
        float over = parts->overs[i];
        const tgF8 step = tgF8_Splat(over), size = tgF8_Splat(over < 0.0f ? -over : over);
        int end = over != 0.0f ? parts->entryStart[i + 1] : 0;
        for (int e = parts->entryStart[i]; e < end; ++e) {
            tgF8 support = tgLoadSupport(parts->values, e);
            float* to = swell->over + tg_lane * (ptrdiff_t)parts->blocks[e];
            tgF8_Store(to, tgF8_Add(tgF8_Load(to), tgF8_Mul(step, support)));
            if (withSize) {
                to = swell->size + tg_lane * (ptrdiff_t)parts->blocks[e];
                tgF8_Store(to, tgF8_Add(tgF8_Load(to), tgF8_Mul(size, support)));
            }
        }
    }
}

TG_INLINE void tgFillSwell(const tgSwellTask* task, bool withSize, tgChunkSwell* swell)
{
    const tgF8 over = tgF8_Splat(task->over);
    const tgF8 size = tgF8_Splat(task->over < 0.0f ? -task->over : task->over);
    for (int first = 0; first < tg_lane * task->blockCount; first += tg_lane) {
        tgF8_Store(swell->over + first, over);
        if (withSize) {
            tgF8_Store(swell->size + first, size);
        }
    }
    tgAddParts(task->near, withSize, swell);
    if (task->wide != NULL) {
        tgAddParts(task->wide, withSize, swell);
    }
}

/// Whether all that is asked of a chunk swells, or all of it shrinks: then |x| is the sum of sizes.
TG_INLINE bool tgHasOneSign(const tgSwellTask* task)
{
    float least = task->over, most = task->over;
    const tgPartTask* both[2] = {task->near, task->wide};
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; both[k] != NULL && i < both[k]->count; ++i) {
            float over = both[k]->overs[i];
            least = over < least ? over : least;
            most = over > most ? over : most;
        }
    }
    return least >= 0.0f || most <= 0.0f;
}

/// w = 1 / sqrt(1 + x^2)
TG_INLINE tgF8 tgSaturation(tgF8 over)
{
    const tgF8 one = tgF8_Splat(1.0f);
    return tgF8_Div(one, tgF8_Sqrt(tgF8_Add(one, tgF8_Mul(over, over))));
}

/// The room of eight vertices from `first` on, R c f, with c = min(|n'|^2, 1): where the blend has
/// crushed the skin there is little.
TG_INLINE tgF8 tgGetRoom(const tgSwellTask* task, ptrdiff_t first, tgWide3 n)
{
    tgF8 squared = tgF8_Add(tgF8_Add(tgF8_Mul(n.x, n.x), tgF8_Mul(n.y, n.y)), tgF8_Mul(n.z, n.z));
    tgF8 crushed =
        tgF8_Min(tgF8_Mul(squared, tgF8_Splat(task->inverseScaleSquared)), tgF8_Splat(1.0f));
    tgF8 room = tgF8_Mul(tgF8_Load(task->radii + first), crushed);
    return task->freedom != NULL ? tgF8_Mul(room, tgF8_Load(task->freedom + first)) : room;
}

/// p += h w room n', field = e w room n', with h = rho x and e the same of |lambda|.
static void tgMoveSwell(const tgSwellTask* shared)
{
    const tgSwellTask task = *shared;
    const tgF8 limit = tgF8_Splat(task.limit);
    tgChunkSwell swell;
    bool isOneSign = tgHasOneSign(&task);
    tgFillSwell(&task, !isOneSign, &swell);
    for (int block = 0; block < task.blockCount; ++block) {
        ptrdiff_t first = tg_lane * (ptrdiff_t)(task.firstBlock + block), at = 4 * first;
        tgF8 over = tgF8_Load(swell.over + tg_lane * (ptrdiff_t)block);
        tgF8 sizes = isOneSign ? tgF8_Max(over, tgF8_Sub(tgF8_Splat(0.0f), over))
                               : tgF8_Load(swell.size + tg_lane * (ptrdiff_t)block);
        tgF8 weight = tgF8_Mul(limit, tgSaturation(over));
        tgWide3 n, p;
        tgLoadLane(task.directions + at, &n.x, &n.y, &n.z);
        tgF8 room = tgF8_Mul(tgGetRoom(&task, first, n), weight);
        tgF8 step = tgF8_Mul(over, room);
        tgF8 size = tgF8_Mul(sizes, room);
        tgLoadLane(task.positions + at, &p.x, &p.y, &p.z);
        p = tgWideMulAdd(p, step, n);
        tgStoreLane(task.positions + at, p.x, p.y, p.z);
        tgStoreLane(task.field + at, tgF8_Mul(size, n.x), tgF8_Mul(size, n.y), tgF8_Mul(size, n.z));
    }
}

/// A n
TG_INLINE tgWide3 tgShapeVector(const float* m, tgWide3 n)
{
    tgWide3 r = {tgWideDot(tgMakeVec3(m[0], m[1], m[2]), n),
                 tgWideDot(tgMakeVec3(m[3], m[4], m[5]), n),
                 tgWideDot(tgMakeVec3(m[6], m[7], m[8]), n)};
    return r;
}

/// Adds lambda S A n to the shift and |lambda| S A n to the field, at rest, over the room.
TG_INLINE void tgAddShaped(const tgSwellTask* task, const tgPartTask* parts, tgChunkSwell* swell)
{
    for (int i = 0; i < parts->count; ++i) {
        float over = parts->overs[i];
        float step = over * (parts->limits != NULL ? parts->limits[i] : task->limit);
        const float* shape = parts->shapes != NULL ? parts->shapes[i] : NULL;
        int end = over != 0.0f ? parts->entryStart[i + 1] : 0;
        for (int e = parts->entryStart[i]; e < end; ++e) {
            ptrdiff_t block = parts->blocks[e];
            ptrdiff_t at = 4 * tg_lane * ((ptrdiff_t)task->firstBlock + block);
            tgF8 support = tgLoadSupport(parts->values, e);
            tgF8 move = tgF8_Mul(tgF8_Splat(step), support);
            tgF8 size = tgF8_Mul(tgF8_Splat(step < 0.0f ? -step : step), support);
            float* sum = swell->over + tg_lane * block;
            tgWide3 n, shift, field;
            tgLoadLane(task->restDirections + at, &n.x, &n.y, &n.z);
            tgLoadLane(task->shift + at, &shift.x, &shift.y, &shift.z);
            tgLoadLane(task->field + at, &field.x, &field.y, &field.z);
            n = shape != NULL ? tgShapeVector(shape, n) : n;
            shift = tgWideMulAdd(shift, move, n);
            field = tgWideMulAdd(field, size, n);
            tgStoreLane(task->shift + at, shift.x, shift.y, shift.z);
            tgStoreLane(task->field + at, field.x, field.y, field.z);
            tgF8_Store(sum, tgF8_Add(tgF8_Load(sum), tgF8_Mul(tgF8_Splat(over), support)));
        }
    }
}

/// The same as tgMoveSwell for skin that chosen profiles move: at rest, still to be turned.
static void tgShapeSwell(const tgSwellTask* shared)
{
    const tgSwellTask task = *shared;
    const tgF8 over = tgF8_Splat(task.over), step = tgF8_Splat(task.limit * task.over);
    const tgF8 size = tgF8_Splat(task.limit * (task.over < 0.0f ? -task.over : task.over));
    tgChunkSwell swell;
    for (int block = 0; block < task.blockCount; ++block) {
        ptrdiff_t at = 4 * tg_lane * (ptrdiff_t)(task.firstBlock + block);
        tgWide3 n;
        tgLoadLane(task.restDirections + at, &n.x, &n.y, &n.z);
        tgStoreLane(task.shift + at, tgF8_Mul(step, n.x), tgF8_Mul(step, n.y), tgF8_Mul(step, n.z));
        tgStoreLane(task.field + at, tgF8_Mul(size, n.x), tgF8_Mul(size, n.y), tgF8_Mul(size, n.z));
        tgF8_Store(swell.over + tg_lane * (ptrdiff_t)block, over);
    }
    tgAddShaped(&task, task.near, &swell);
    if (task.wide != NULL) {
        tgAddShaped(&task, task.wide, &swell);
    }
    for (int block = 0; block < task.blockCount; ++block) {
        ptrdiff_t first = tg_lane * (ptrdiff_t)(task.firstBlock + block), at = 4 * first;
        tgF8 weight = tgSaturation(tgF8_Load(swell.over + tg_lane * (ptrdiff_t)block));
        tgWide3 n, shift, field;
        tgLoadLane(task.directions + at, &n.x, &n.y, &n.z);
        tgF8 room = tgF8_Mul(tgGetRoom(&task, first, n), weight);
        tgLoadLane(task.shift + at, &shift.x, &shift.y, &shift.z);
        tgLoadLane(task.field + at, &field.x, &field.y, &field.z);
        tgStoreLane(task.shift + at, tgF8_Mul(room, shift.x), tgF8_Mul(room, shift.y),
                    tgF8_Mul(room, shift.z));
        tgStoreLane(task.field + at, tgF8_Mul(room, field.x), tgF8_Mul(room, field.y),
                    tgF8_Mul(room, field.z));
    }
}

/// positions += step field, for vertices [begin, end).
static void tgMoveAlong(float* positions, const float* field, float step, int begin, int end)
{
    const tgF4 wide = tgF4_Splat(step);
    for (ptrdiff_t at = 4 * (ptrdiff_t)begin; at < 4 * (ptrdiff_t)end; at += 4) {
        tgF4 move = tgF4_Mul(wide, tgF4_Load(field + at));
        tgF4_Store(positions + at, tgF4_Add(tgF4_Load(positions + at), move));
    }
}

// ---- two skins ----------------------------------------------------------------------------------

/// out += share (other - out), for each of eight elements.
static void tgMix(float* out, const float* other, const float* shares, int begin, int end)
{
    for (int e = begin; e < end; ++e) {
        ptrdiff_t at = 4 * (ptrdiff_t)e;
        tgF4 own = tgF4_Load(out + at);
        tgF4 way = tgF4_Sub(tgF4_Load(other + at), own);
        tgF4_Store(out + at, tgF4_Add(own, tgF4_Mul(tgF4_Splat(shares[e]), way)));
    }
}

// ---- the smoothing solve ------------------------------------------------------------------------

static void tgSweep(const tgSweepTask* shared, float keep, float gain)
{
    const tgSweepTask copy = *shared, *task = &copy;
    const tgF8 squares = tgF8_Load(task->squares), keeps = tgF8_Splat(keep);
    const tgF8 gains = tgF8_Splat(gain);
    for (int row = 0; row < task->rowCount; ++row) {
        int v = task->rows[row];
        ptrdiff_t at = tg_lane * (ptrdiff_t)v;
        const tgF8 degree = tgF8_Splat(task->degrees[v]), mass = tgF8_Splat(task->masses[v]);
        const tgF8 own = tgF8_Load(task->x + at);
        tgF8 sum = tgF8_Mul(degree, own);
        for (int i = task->start[v]; i < task->start[v + 1]; ++i) {
            const tgF8 other = tgF8_Load(task->x + tg_lane * (ptrdiff_t)task->columns[i]);
            sum = tgF8_Sub(sum, tgF8_Mul(tgF8_Splat(task->weights[i]), other));
        }
        tgF8 product = tgF8_Add(tgF8_Mul(mass, own), tgF8_Mul(squares, sum));
        tgF8 residual = tgF8_Sub(tgF8_Load(task->b + at), product);
        tgF8 diagonal = tgF8_Add(mass, tgF8_Mul(squares, degree));
        tgF8 old = tgF8_Mul(keeps, tgF8_Load(task->step + at));
        tgF8 added = tgF8_Div(tgF8_Mul(gains, residual), diagonal);
        tgF8_Store(task->step + at, tgF8_Add(old, added));
    }
    for (int row = 0; row < task->rowCount; ++row) {
        ptrdiff_t at = tg_lane * (ptrdiff_t)task->rows[row];
        tgF8_Store(task->x + at, tgF8_Add(tgF8_Load(task->x + at), tgF8_Load(task->step + at)));
    }
}
