// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops of contact and of the anatomical shape; a part of kernels.inl. The loops have no
// branches: the compiler makes them as wide as the backend is, element by element the same.

#include "core/meeting.h"

/// In eight sums side by side.
TG_INLINE float tgSumEight(const float* values, int count)
{
    float sums[8] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i + 8 <= count; i += 8) {
        for (int k = 0; k < 8; ++k) {
            sums[k] += values[i + k];
        }
    }
    for (int i = count / 8 * 8; i < count; ++i) {
        sums[i % 8] += values[i];
    }
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
           ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// ---- contact ------------------------------------------------------------------------------------

/// Eight listed vectors by coordinate.
TG_INLINE void tgGatherEight(const float* from, const int* list, float (*to)[tg_meetingSize], int i)
{
    tgF8 rows[4];
    for (int k = 0; k < 4; ++k) {
        rows[k] = tgF8_LoadPair(from + 4 * (ptrdiff_t)list[k], from + 4 * (ptrdiff_t)list[k + 4]);
    }
    tgF8_TransposeHalves(&rows[0], &rows[1], &rows[2], &rows[3]);
    for (int k = 0; k < 4; ++k) {
        tgF8_Store(&to[k][i], rows[k]);
    }
}

/// With x the rest position and t the vertex's mix, the two bodies alone would bring it to the
/// height n . (t Ma x + (1 - t) Mb x). What is lower was brought there by other joints, as the skin
/// of a tail that is bent at its root, and meets nothing.
static void tgMeasureMeeting(const tgMeetingTask* task, int first, int count, tgMeeting* meeting)
{
    const tgPlanePose pose = *task->pose;
    const float* restrict side = task->vertices->side + first;
    const float* restrict mix = task->vertices->mix + first;
    const float* restrict share = task->vertices->share + first;
    const float* restrict overNear = task->vertices->overNear + first;
    const tgVec3 a = pose.normalAtRest[0], b = pose.normalAtRest[1];
    tgMeeting* restrict m = meeting;
    for (int i = 0; i < count; ++i) {
        float x = m->x[0][i], y = m->x[1][i], z = m->x[2][i];
        float px = m->p[0][i], py = m->p[1][i], pz = m->p[2][i];
        float one = a.x * x + a.y * y + a.z * z - pose.offsetAtRest[0];
        float other = b.x * x + b.y * y + b.z * z - pose.offsetAtRest[1];
        float own = side[i] * (other + mix[i] * (one - other));
        float over = pose.normal.x * px + pose.normal.y * py + pose.normal.z * pz - pose.offset;
        float height = side[i] * over * pose.inverseScale;
        height = height > own ? height : own;
        float inside = pose.inner.x * px + pose.inner.y * py + pose.inner.z * pz - pose.innerOffset;
        float near = 1.0f - tgSmoothstep(height * overNear[i]);
        m->height[i] = height;
        m->near[i] = near * share[i] * pose.strength;
        m->held[i] = tgSmoothstep(inside * pose.overCrease) * m->near[i];
        m->inner[i] = tgSmoothstep(TG_PLANE_INNER(inside * pose.overInner));
    }
}

static void tgBeginMeeting(const tgMeetingTask* task, int first, int count, tgMeeting* meeting)
{
    const int* list = task->vertices->vertex + first;
    for (int i = 0; i < count; i += 8) {
        int eight[8]; // the last ones repeat the last vertex
        for (int k = 0; k < 8; ++k) {
            eight[k] = list[i + k < count ? i + k : count - 1];
        }
        tgGatherEight(task->positions, eight, meeting->p, i);
        tgGatherEight(task->rest, eight, meeting->x, i);
    }
    for (int i = 0; i < count; ++i) {
        meeting->movable[i] = task->movable != NULL ? task->movable[list[i]] : 1.0f;
    }
    tgMeasureMeeting(task, first, count, meeting);
}

/// ramp(d, s): 0 below -s, d above s, and the parabola (d + s)^2 / 4s in between.
static double tgEndMeeting(const tgMeetingTask* task, int first, int count, tgMeeting* meeting)
{
    const tgPlaneVertices* at = task->vertices;
    const tgPlanePose pose = *task->pose;
    const float* restrict side = at->side + first;
    const float* restrict mix = at->mix + first;
    const float* restrict least = at->least + first;
    const float* restrict soft = at->soft + first;
    const float* restrict share = at->share + first;
    const float* restrict areaX = at->areaX + first;
    const float* restrict areaY = at->areaY + first;
    const float* restrict areaZ = at->areaZ + first;
    const tgVec3 a = pose.normalAtRest[0], b = pose.normalAtRest[1];
    tgMeeting* restrict m = meeting;
    float gain[tg_meetingSize], up[tg_meetingSize];
    for (int i = 0; i < count; ++i) {
        float deep = least[i] - m->height[i], run = deep + soft[i], over = deep - soft[i];
        run = run > 0.0f ? run : 0.0f;
        run = run < 2.0f * soft[i] ? run : 2.0f * soft[i];
        over = over > 0.0f ? over : 0.0f;
        float way = 0.25f * run * run / (soft[i] + 1e-30f) + over;
        float part = pose.strength * share[i] * m->movable[i] * side[i] * m->inner[i];
        float one = a.x * areaX[i] + a.y * areaY[i] + a.z * areaZ[i];
        float other = b.x * areaX[i] + b.y * areaY[i] + b.z * areaZ[i];
        up[i] = part * way * pose.scale;
        // Normals at rest are over the scale.
        gain[i] = up[i] * (other + mix[i] * (one - other)) * pose.scale * pose.scale;
    }
    for (int i = 0; i < count; ++i) {
        int v = at->vertex[first + i];
        float* p = task->positions + 4 * (ptrdiff_t)v;
        if (task->freedom != NULL) {
            task->freedom[v] *= 1.0f - m->held[i];
        }
        task->near[first + i] = m->near[i];
        if (up[i] != 0.0f) {
            p[0] = m->p[0][i] + up[i] * pose.normal.x;
            p[1] = m->p[1][i] + up[i] * pose.normal.y;
            p[2] = m->p[2][i] + up[i] * pose.normal.z;
        }
    }
    return (double)tgSumEight(gain, count);
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
