// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What flesh did before the first frame that is wanted. Springs depend on joints and times alone,
// so going through frames without deforming them is cheap.

#include "play/preroll.h"

#include <math.h>

/// Times closer than this are one, in seconds.
static const double tg_sameTime = 1e-9;
/// Flesh has come round when it differs by less, in parts of its longest displacement.
static const double tg_sameFlesh = 1e-6;
enum { tg_mostElements = 64 };

static double tgGetRollTime(const tgRoll* roll, int frame)
{
    return tgScene_GetFrameTime(roll->scene, roll->animation, roll->fps, frame);
}

/// All frames before `end` that have not been played.
static tgResult tgRollTo(const tgRoll* roll, tgActor* actor, double end, tgError* error)
{
    double last = actor->played ? actor->time : (double)-INFINITY;
    tgResult result = tg_success;
    for (int frame = 0; result == tg_success; ++frame) {
        double time = tgGetRollTime(roll, frame);
        if (!(time < end - tg_sameTime)) {
            break;
        }
        if (time > last + tg_sameTime) {
            result = tgActor_Advance(actor, roll->animation, time, error);
        }
    }
    return result;
}

/// How far the flesh is from where it was a round ago, in parts of its longest displacement; and
/// that is remembered.
static double tgCompareRounds(const tgActor* actor, tgFleshMotion* last)
{
    double most = 0.0;
    for (int e = 0; e < tgRig_GetFleshCount(actor->rig) && e < tg_mostElements; ++e) {
        tgFleshMotion now = tgInstance_GetFleshMotion(actor->instance, e);
        double limit = (double)tgRig_GetFleshInfo(actor->rig, e).limit;
        double moved = (double)tgDistance(now.displacement, last[e].displacement) / limit;
        // A speed counts by how far it takes the flesh in a tenth of a second.
        double faster = 0.1 * (double)tgDistance(now.velocity, last[e].velocity) / limit;
        double twisted = fabs((double)now.twist - (double)last[e].twist);
        most = fmax(most, fmax(fmax(moved, faster), twisted));
        last[e] = now;
    }
    return most;
}

/// Rounds of the animation until the flesh repeats; then it stands at the first frame.
static tgResult tgRollRound(const tgRoll* roll, tgActor* actor, bool* rings, tgError* error)
{
    const tgAnimation* animation = &roll->scene->animations[roll->animation];
    double start = tgGetRollTime(roll, 0);
    tgFleshMotion last[tg_mostElements] = {0};
    for (int round = 0; round < tg_mostLoops; ++round) {
        tgResult result = tgRollTo(roll, actor, animation->end, error);
        if (result == tg_success) {
            result = tgActor_Advance(actor, roll->animation, animation->end, error);
        }
        if (result == tg_success) {
            result = tgActor_StartOver(actor, roll->animation, start, error);
        }
        if (result != tg_success) {
            return result;
        }
        if (tgCompareRounds(actor, last) < tg_sameFlesh && round > 0) {
            return tg_success;
        }
    }
    if (rings != NULL) {
        *rings = true;
    }
    return tg_success;
}

tgResult tgPreroll(const tgRoll* roll, tgActor* actor, double end, bool* rings, tgError* error)
{
    if (tgRig_GetFleshCount(actor->rig) == 0 || roll->animation < 0) {
        return tg_success;
    }
    tgResult result = tg_success;
    if (!actor->played || end < actor->time - tg_sameTime) {
        tgInstance_Reset(actor->instance);
        actor->played = false;
        result = roll->loop ? tgRollRound(roll, actor, rings, error) : tg_success;
    }
    return result == tg_success ? tgRollTo(roll, actor, end, error) : result;
}
