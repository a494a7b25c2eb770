// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// One moment of a shot: a frame, a time, or the bind pose with some joints turned.

#include "moment.h"

#include "io/joint_names.h"
#include "play/bends.h"
#include "report.h"
#include "stand.h"
#include "take.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A bind pose that the file moves by less than rounding does stays as it is.
static const float tg_standSlop = 1e-5f;

tgMoment tgDefaultMoment(void)
{
    tgMoment moment = {.frame = INT_MIN, .time = (double)NAN};
    return moment;
}

static float tgToRadians(double degrees)
{
    return (float)(fmod(degrees, 360.0) * 3.14159265358979323846 / 180.0);
}

/// JOINT=AX,AY,AZ,DEGREES. A joint's name may hold an equals sign, so the last one counts.
static int tgParseTurn(const char* text, tgTurn* turn)
{
    const char* equals = strrchr(text, '=');
    double n[4] = {0.0, 0.0, 0.0, 0.0};
    bool good = equals != NULL && tgParseNumbers(equals + 1, 4, n);
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!good || !(length > 0.0) || !isfinite(length)) {
        return tgSayUsage("--rotate wants JOINT=AX,AY,AZ,DEGREES with an axis that is not zero, "
                          "found %s",
                          text);
    }
    snprintf(turn->joint, sizeof(turn->joint), "%.*s", (int)(equals - text), text);
    turn->axis = tgMakeVec3((float)(n[0] / length), (float)(n[1] / length), (float)(n[2] / length));
    turn->angle = tgToRadians(n[3]);
    return tg_statusDone;
}

/// JOINT=DEGREES.
static int tgParseBend(const char* text, tgTurn* turn)
{
    const char* equals = strrchr(text, '=');
    char* end = NULL;
    double degrees = equals != NULL ? strtod(equals + 1, &end) : 0.0;
    if (equals == NULL || end == equals + 1 || *end != '\0' || !isfinite(degrees)) {
        return tgSayUsage("--bend wants JOINT=DEGREES, found %s; --rotate turns about an axis of "
                          "your own",
                          text);
    }
    snprintf(turn->joint, sizeof(turn->joint), "%.*s", (int)(equals - text), text);
    turn->isBend = true;
    turn->angle = tgToRadians(degrees);
    return tg_statusDone;
}

/// Where a root joint stands in the file; rounding does not move it.
/// @param extent how far joints are from the origin
static tgMat34 tgStandRoot(const tgSceneJoint* root, const tgMat34* stands, float extent)
{
    tgMat34 stand = tgGetStand(root, stands), none = tgIdentityMat34();
    float turned = fmaxf(tgDistance(stand.x, none.x),
                         fmaxf(tgDistance(stand.y, none.y), tgDistance(stand.z, none.z)));
    bool isMoved = turned > tg_standSlop || tgLength(stand.origin) > tg_standSlop * extent;
    return isMoved ? stand : none;
}

/// The bind pose, as it stands in the file, with the turns on top: each joint about its own origin,
/// ancestors carry it along.
/// @param joints in: as the file has them; out: turned
static int tgTurnJoints(const tgShot* shot, const tgQuat* rotations, tgMat34* joints)
{
    const tgScene* scene = shot->scene;
    tgMat34* motions = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    if (motions == NULL) {
        return tgSayFailure(shot->file, "out of memory for %d joints", scene->jointCount);
    }
    float extent = 0.0f;
    for (int j = 0; j < scene->jointCount; ++j) {
        extent = fmaxf(extent, tgLength(scene->joints[j].restJoint.origin));
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        const tgSceneJoint* joint = &scene->joints[j]; // parents come first
        tgVec3 origin = joint->restJoint.origin;
        tgTransform turn = tgIdentityTransform();
        turn.rotation = rotations[j];
        turn.position = tgSub(origin, tgRotate(rotations[j], origin));
        tgMat34 own = tgMakeMat34(turn);
        tgMat34 above =
            joint->parent >= 0 ? motions[joint->parent] : tgStandRoot(joint, &joints[j], extent);
        motions[j] = tgMulMat34(&above, &own);
        joints[j] = tgMulMat34(&motions[j], &joint->restJoint);
    }
    free(motions);
    return tg_statusDone;
}

/// With an axis for --rotate, so that a bend can be had again and changed.
static void tgTellBend(const tgScene* scene, int joint, const tgBend* bend)
{
    static const char* const tg_sources[] = {"as the animations bend it",
                                             "on from its bend at rest",
                                             "across the limb: nothing tells its axis"};
    printf("%s bends about %.3f,%.3f,%.3f, %s\n", scene->joints[joint].name, (double)bend->axis.x,
           (double)bend->axis.y, (double)bend->axis.z, tg_sources[bend->source]);
}

/// One turn on all joints that it names.
/// @param list room for all joints
static int tgSettleTurn(const tgTurn* turn, const tgShot* shot, const tgBend* bends, int* list,
                        tgQuat* rotations)
{
    int count = tgMatchJoints(shot->scene, turn->joint, list);
    if (count == 0) {
        return tgSayNoJoint(shot->file, shot->scene, turn->joint);
    }
    for (int i = 0; i < count; ++i) {
        int j = list[i];
        tgQuat own = tgMakeQuat(turn->isBend ? bends[j].axis : turn->axis, turn->angle);
        rotations[j] = tgMulQuat(own, rotations[j]);
        if (turn->isBend) {
            tgTellBend(shot->scene, j, &bends[j]);
        }
    }
    return tg_statusDone;
}

static int tgSettleTurns(tgMoment* moment, const tgShot* shot)
{
    size_t count = (size_t)shot->scene->jointCount + 1;
    tgBend* bends = calloc(count, sizeof(tgBend));
    int* list = calloc(count, sizeof(int));
    moment->rotations = calloc(count, sizeof(tgQuat));
    int status =
        bends != NULL && list != NULL && moment->rotations != NULL &&
                (moment->bend.count == 0 || tgFindBends(shot->scene, bends))
            ? tg_statusDone
            : tgSayFailure(shot->file, "out of memory for %d joints", shot->scene->jointCount);
    for (int j = 0; status == tg_statusDone && j < shot->scene->jointCount; ++j) {
        moment->rotations[j] = tgIdentityQuat();
    }
    for (int i = 0; status == tg_statusDone && i < moment->turnCount; ++i) {
        status = tgSettleTurn(&moment->turns[i], shot, bends, list, moment->rotations);
    }
    free(bends);
    free(list);
    return status;
}

void tgFreeMoment(tgMoment* moment)
{
    free(moment->rotations);
    moment->rotations = NULL;
}

int tgMoment_CountWays(const tgMoment* moment)
{
    return (moment->frame != INT_MIN) + !isnan(moment->time) + tgMoment_IsTurned(moment);
}

int tgMoment_Check(tgMoment* moment)
{
    if (moment->frame < 0 && moment->frame != INT_MIN) {
        return tgSayUsage("--frame is %d, wanted 0 or more", moment->frame);
    }
    int status = tg_statusDone;
    moment->turnCount = 0;
    for (int i = 0; i < moment->rotate.count && status == tg_statusDone; ++i) {
        status = tgParseTurn(moment->rotate.values[i], &moment->turns[moment->turnCount++]);
    }
    for (int i = 0; i < moment->bend.count && status == tg_statusDone; ++i) {
        status = tgParseBend(moment->bend.values[i], &moment->turns[moment->turnCount++]);
    }
    return status;
}

/// Times are told with six digits, and one that was told is not outside.
static const double tg_toldTime = 5e-6;

/// A time outside the animation is one of its ends; targets of the volume may still go on there.
/// Frames begin at 0 where keys begin later, so nothing is wrong with that time.
static void tgWarnAboutTime(const tgMoment* moment, const tgShot* shot)
{
    if (shot->animation < 0 || isnan(moment->time)) {
        return;
    }
    double start = shot->scene->animations[shot->animation].start;
    double end = shot->scene->animations[shot->animation].end;
    if (moment->time < fmin(start, 0.0) - tg_toldTime * fabs(start) ||
        moment->time > end + tg_toldTime * fabs(end)) {
        tgSayFailure(shot->file,
                     "warning: time %g s is outside the animation, which goes from %g to %g s; the "
                     "joints are where it %s",
                     moment->time, start, end, moment->time < start ? "begins" : "ends");
    }
}

int tgMoment_Settle(tgMoment* moment, const tgShot* shot)
{
    int count = tgScene_GetFrameCount(shot->scene, shot->animation, shot->fps);
    if (moment->frame >= count && shot->animation < 0) {
        return tgSayFailure(shot->file,
                            "frame %d is not there: without an animation there is frame 0 alone",
                            moment->frame);
    }
    if (moment->frame >= count) {
        return tgSayFailure(shot->file, "frame %d is not there, the animation has 0 to %d",
                            moment->frame, count - 1);
    }
    tgWarnAboutTime(moment, shot);
    return tgMoment_IsTurned(moment) ? tgSettleTurns(moment, shot) : tg_statusDone;
}

double tgMoment_GetTime(const tgMoment* moment, const tgShot* shot)
{
    if (tgMoment_IsTurned(moment)) {
        return 0.0;
    }
    return moment->frame >= 0 ? tgShot_GetTime(shot, moment->frame) : moment->time;
}

int tgMoment_Play(const tgMoment* moment, const tgShot* shot, tgActor* actor)
{
    tgError error = {0};
    tgResult result;
    if (moment->rotations != NULL) {
        tgScene_SamplePose(shot->scene, -1, 0.0, actor->nodes, actor->joints, NULL);
        int status = tgTurnJoints(shot, moment->rotations, actor->joints);
        if (status != tg_statusDone) {
            return status;
        }
        result = tgActor_Pose(actor, actor->joints, &error);
    } else {
        double time = tgMoment_GetTime(moment, shot);
        result = tgShot_Preroll(shot, actor, time, &error);
        result = result == tg_success ? tgActor_Play(actor, shot->animation, time, &error) : result;
    }
    return result == tg_success ? tg_statusDone : tgSayFailed(shot->file, &error);
}
