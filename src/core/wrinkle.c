// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Wrinkles, in a frame. A joint that stands at L x + t against its carrier carries skin of weight W
// to (1 - W) x + W (L x + t), and so a step d along the limb to
//
//   J d = (1 - W) d + W L d + (dW/dd) (L x + t - x)
//
// The compression c is what J d is short of d. A strip that is
// compressed by c and carries a wave of amplitude A and wave number k (at rest; k / (1 - c) by
// then) has its length again when the wave is 1 / (1 - c) times as long as straight. With s = A k /
// (1 - c)
//
//   mean of sqrt(1 + s^2 cos^2) = 1 + e,  e = c / (1 - c),  so s^2 = 4 e + 3 e^2 - e^3 / 2 + ...
//
// to first order A = 2 sqrt(c / (1 - c)) (1 - c) / k. The square root is steep at 0, so c is
// replaced by c^3 / (c^2 + c0^2): skin takes the first half of c0 without a wave, and the wave
// begins with no slope. Rest vertices move along their normals, before they are skinned; where the
// blend shortens normals they move as much farther.

#include "core/wrinkle.h"

#include <math.h>
#include <string.h>

/// c0: half of it is what skin takes without a wave.
static const float tg_softStart = 0.01f;
/// More compression than this is a crease: waves fade out until
static const float tg_creaseStart = 0.55f, tg_creaseEnd = 0.95f;
/// Steps that go forwards by less than this begin to count as folded back.
static const float tg_foldedStep = 0.3f;
/// Normals that the blend shortens to less than this count as so long.
static const float tg_shortNormal = 0.4f;
/// A joint that differs from its carrier by less does not turn.
static const double tg_stillTurn = 1e-7;

static float tgFade(float low, float high, float x)
{
    float t = fminf(fmaxf((x - low) / (high - low), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

static tgVec3 tgTurn(const tgWrinkleTurn* turn, tgVec3 v)
{
    const float(*m)[3] = turn->linear;
    return tgMakeVec3((m[0][0] * v.x + m[1][0] * v.y) + m[2][0] * v.z,
                      (m[0][1] * v.x + m[1][1] * v.y) + m[2][1] * v.z,
                      (m[0][2] * v.x + m[1][2] * v.y) + m[2][2] * v.z);
}

/// (1 - W) v + W L v.
static tgVec3 tgBlend(float weight, tgVec3 v, tgVec3 turned)
{
    return tgMulAdd(tgMulSV(1.0f - weight, v), weight, turned);
}

float tgGetCompression(const tgWrinkleVertex* vertex, const tgWrinkleTurn* turn)
{
    tgVec3 d = vertex->along, turned = tgTurn(turn, d);
    tgVec3 moved = tgAdd(tgSub(tgTurn(turn, vertex->place), vertex->place), turn->shift);
    tgVec3 way = tgBlend(vertex->weight, d, turned);
    float length = tgLength(way), scale = 1.0f - vertex->weight;
    scale += vertex->weight * tgLength(turned); // a limb that grows is not stretched
    if (!(length > 1e-6f) || !(scale > 1e-6f)) {
        return 0.0f;
    }
    tgVec3 step = tgMulAdd(way, vertex->slope, moved); // J d
    float along = tgDot(step, way) / length, whole = tgLength(step);
    // A step that goes backwards is a crease, however long it is.
    along += (whole - fabsf(along)) * tgFade(0.0f, tg_foldedStep * scale, along);
    return 1.0f - along / scale;
}

float tgGetWaveSteepness(float compression)
{
    float c = fminf(compression, tg_creaseEnd);
    if (!(c > 0.0f)) {
        return 0.0f;
    }
    float taken = c * c * c / (c * c + tg_softStart * tg_softStart);
    float e = taken / (1.0f - c);
    // Beyond e = 1 the series is of no use; there s grows nearly as pi / 2 (1 + e).
    float squared = e < 1.0f ? e * (4.0f + e * (3.0f - 0.5f * e))
                             : 6.5f + (e - 1.0f) * (8.5f + 2.5f * (e - 1.0f));
    return sqrtf(squared) * (1.0f - c);
}

/// Where the bone goes to.
static tgVec3 tgGetInner(const tgWrinkleJoint* joint, const tgWrinkleTurn* turn)
{
    tgVec3 none = {0.0f, 0.0f, 0.0f};
    tgVec3 swing = tgSub(tgNormalize(tgTurn(turn, joint->bone), joint->bone), joint->bone);
    swing = tgMulAdd(swing, -tgDot(swing, joint->axis), joint->axis);
    return tgLength(swing) > 1e-6f ? tgNormalize(swing, none) : none;
}

static bool tgFindTurn(const tgWrinkleTask* task, const tgWrinkleJoint* joint, tgWrinkleTurn* turn)
{
    tgMat34d back;
    if (!tgMat34d_Invert(&task->skinMatrices[joint->carrier], &back)) {
        return false; // scaled to nothing
    }
    tgMat34d relative = tgMat34d_Mul(&back, &task->skinMatrices[joint->joint]);
    double away = 0.0;
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            turn->linear[k][i] = (float)relative.c[k][i];
            away = fmax(away, fabs(relative.c[k][i] - (i == k ? 1.0 : 0.0)));
        }
    }
    const double* t = relative.c[3];
    turn->shift = tgMakeVec3((float)t[0], (float)t[1], (float)t[2]);
    away = fmax(away, (double)(tgLength(turn->shift) / joint->waveLength));
    turn->inner = tgGetInner(joint, turn);
    return away > tg_stillTurn;
}

static float tgGetSideShare(const tgWrinkleJoint* joint, const tgWrinkleTurn* turn, tgVec3 out)
{
    if (joint->side == tg_wrinkleAll) {
        return 1.0f;
    }
    float inside = tgFade(-0.25f, 0.25f, tgDot(out, turn->inner));
    return joint->side == tg_wrinkleInner ? inside : 1.0f - inside;
}

static void tgWrinkleRange(int begin, int end, void* context)
{
    const tgWrinkleTask* task = context;
    const tgWrinkleJoint* joint = task->joint;
    const tgWrinkleTurn* turn = &task->turns[joint - task->wrinkles->joints];
    for (int i = joint->first + begin; i < joint->first + end; ++i) {
        const tgWrinkleVertex* vertex = &task->wrinkles->vertices[i];
        float c = tgGetCompression(vertex, turn);
        float steepness = tgGetWaveSteepness(c) * (1.0f - tgFade(tg_creaseStart, tg_creaseEnd, c));
        if (!(steepness > 0.0f)) {
            continue;
        }
        // Within the depth, without a kink: (1 + x^8)^(-1/8).
        float over = steepness / joint->depth, squared = over * over, fourth = squared * squared;
        steepness /= sqrtf(sqrtf(sqrtf(1.0f + fourth * fourth)));
        tgVec3 turned = tgTurn(turn, vertex->up);
        float scale = 1.0f - vertex->weight + vertex->weight * tgLength(turned);
        float stands = tgLength(tgBlend(vertex->weight, vertex->up, turned));
        float height = steepness * vertex->wave * tgGetSideShare(joint, turn, vertex->out) * scale /
                       fmaxf(stands, tg_shortNormal * scale);
        float* p = task->shaped + 4 * (size_t)vertex->vertex;
        p[0] += height * vertex->up.x;
        p[1] += height * vertex->up.y;
        p[2] += height * vertex->up.z;
    }
}

bool tgWrinkleRest(tgWrinkleTask* task)
{
    bool any = false;
    for (int j = 0; j < task->wrinkles->count; ++j) {
        const tgWrinkleJoint* joint = &task->wrinkles->joints[j];
        if (!tgFindTurn(task, joint, &task->turns[j])) {
            continue;
        }
        if (!any && task->shaped != task->rest) {
            memcpy(task->shaped, task->rest, 4 * (size_t)task->elementCount * sizeof(float));
        }
        any = true;
        task->joint = joint; // joints in their order: a vertex may be in several
        tgRun(task->parallel, tgWrinkleRange, joint->count, task);
    }
    return any;
}
