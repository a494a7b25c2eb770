// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor pose FILE -o OUT: one frame of an animation, or the bind pose with some joints turned.

#include "actor.h"
#include "commands.h"
#include "report.h"
#include "shot.h"
#include "turgor/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One --rotate.
typedef struct tgTurn {
    char joint[256];
    tgQuat rotation;
} tgTurn;

/// JOINT=AX,AY,AZ,DEGREES. A joint's name may hold an equals sign, so the last one counts.
static int tgParseTurn(const char* text, tgTurn* turn)
{
    const char* equals = strrchr(text, '=');
    double n[4] = {0.0, 0.0, 0.0, 0.0};
    char* at = NULL;
    bool good = equals != NULL;
    for (int i = 0; good && i < 4; ++i) {
        const char* from = i == 0 ? equals + 1 : at + 1;
        n[i] = strtod(from, &at);
        good = at != from && *at == (i < 3 ? ',' : '\0') && isfinite(n[i]);
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!good || !(length > 0.0) || !isfinite(length)) {
        return tgSayUsage("--rotate wants JOINT=AX,AY,AZ,DEGREES with an axis that is not zero, "
                          "found %s",
                          text);
    }
    snprintf(turn->joint, sizeof(turn->joint), "%.*s", (int)(equals - text), text);
    tgVec3 axis =
        tgMakeVec3((float)(n[0] / length), (float)(n[1] / length), (float)(n[2] / length));
    turn->rotation = tgMakeQuat(axis, (float)(fmod(n[3], 360.0) * 3.14159265358979323846 / 180.0));
    return tg_statusDone;
}

/// The bind pose with the turns on top: each joint about its own origin, ancestors carry it along.
static int tgTurnJoints(const tgShot* shot, const tgTurn* turns, int turnCount, tgMat34* joints)
{
    const tgScene* scene = shot->scene;
    tgMat34* motions = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    tgQuat* rotations = calloc((size_t)scene->jointCount, sizeof(tgQuat));
    int status = motions != NULL && rotations != NULL
                     ? tg_statusDone
                     : tgSayFailure(shot->file, "no memory for %d joints", scene->jointCount);
    for (int j = 0; status == tg_statusDone && j < scene->jointCount; ++j) {
        rotations[j] = tgIdentityQuat();
    }
    for (int i = 0; status == tg_statusDone && i < turnCount; ++i) {
        int joint = tgScene_FindJoint(scene, turns[i].joint);
        if (joint < 0) {
            status = tgSayFailure(shot->file, "there is no joint %s; turgor info --json lists them",
                                  turns[i].joint);
        } else {
            rotations[joint] = tgMulQuat(turns[i].rotation, rotations[joint]);
        }
    }
    for (int j = 0; status == tg_statusDone && j < scene->jointCount; ++j) {
        const tgSceneJoint* joint = &scene->joints[j]; // parents come first
        tgVec3 origin = joint->restJoint.origin;
        tgTransform turn = tgIdentityTransform();
        turn.rotation = rotations[j];
        turn.position = tgSub(origin, tgRotate(rotations[j], origin));
        tgMat34 own = tgMakeMat34(turn);
        motions[j] = joint->parent >= 0 ? tgMulMat34(&motions[joint->parent], &own) : own;
        joints[j] = tgMulMat34(&motions[j], &joint->restJoint);
    }
    free(motions);
    free(rotations);
    return status;
}

static int tgWritePose(const tgShot* shot, const tgActor* actor, double time, const char* output)
{
    tgError error = {0};
    tgBakeDef def = tgDefaultBakeDef();
    def.scene = shot->scene;
    def.path = output;
    def.frameCount = 1;
    def.startTime = time;
    def.fps = shot->fps;
    def.animation = -1;
    def.still = true;
    tgHoldInterrupt();
    tgBake* bake = tgOpenBake(&def, &error);
    if (bake == NULL) {
        return tgSayFailed(output, &error);
    }
    if (tgBake_AddFrame(bake, actor->positions, actor->normals, &error) != tg_success) {
        tgCancelBake(bake);
        return tgSayFailed(output, &error);
    }
    return tgCloseBake(bake, &error) == tg_success ? tg_statusDone : tgSayFailed(output, &error);
}

typedef struct tgPoseOptions {
    const char* output;
    int frame;   ///< INT_MIN: not given
    double time; ///< NAN: not given
    tgTextList rotate;
    tgTurn turns[tg_mostRepeats]; ///< the same, parsed
} tgPoseOptions;

static void tgPrintKept(const tgShot* shot, tgActor* actor, const char* output)
{
    tgKept kept = tgActor_MeasureKept(actor);
    printf("%s: %d vertices, volume %.6g ", output, shot->scene->vertexCount, kept.volume);
    if (shot->method == tg_volumeExact) {
        printf("(within %.1e of its target)\n", fabs(kept.error));
    } else {
        printf("(%+.2f %% of its target)\n", 100.0 * kept.error);
    }
    if (fabs(kept.residual) > TG_TOLD_RESIDUAL) {
        printf("%.2g %% of it found no place within the cap\n", 100.0 * fabs(kept.residual));
    }
}

static int tgPoseShot(const tgShot* shot, const tgPoseOptions* options)
{
    int count = tgScene_GetFrameCount(shot->scene, shot->animation, shot->fps);
    if (options->frame >= count) {
        return tgSayFailure(shot->file, "frame %d is not there, the animation has 0 to %d",
                            options->frame, count - 1);
    }
    tgError error = {0};
    tgActor actor;
    tgVolumeDef volume = tgShot_GetVolume(shot);
    tgActorDef actorDef = {
        .scene = shot->scene, .skinning = shot->skinning, .volume = &volume, .pool = shot->pool};
    if (tgOpenActor(&actorDef, &actor, &error) != tg_success) {
        return tgSayFailed(shot->file, &error);
    }
    double time = options->frame >= 0 ? tgShot_GetTime(shot, options->frame) : options->time;
    int status = tg_statusDone;
    tgResult result = tg_success;
    if (options->rotate.count > 0) {
        time = 0.0;
        status = tgTurnJoints(shot, options->turns, options->rotate.count, actor.joints);
        result = status == tg_statusDone ? tgActor_Pose(&actor, actor.joints, &error) : tg_success;
    } else {
        result = tgActor_Play(&actor, shot->animation, time, &error);
    }
    if (result != tg_success) {
        status = tgSayFailed(shot->file, &error);
    }
    if (status == tg_statusDone) {
        status = tgWritePose(shot, &actor, time, options->output);
    }
    if (status == tg_statusDone) {
        tgPrintKept(shot, &actor, options->output);
    }
    tgCloseActor(&actor);
    return status;
}

int tgCommandPose(int argc, char** argv)
{
    tgPoseOptions options = {.frame = INT_MIN, .time = (double)NAN};
    tgShotOptions shotOptions = tgDefaultShotOptions();
    const tgOption table[] = {
        {"-o", "OUT", tg_optionText, &options.output, "what to write: .glb .gltf .obj .pc2 .mdd"},
        {"--frame", "N", tg_optionInt, &options.frame, "this frame of the animation"},
        {"--time", "T", tg_optionNumber, &options.time, "this time of the animation, in seconds"},
        {"--rotate", "JOINT=AX,AY,AZ,DEGREES", tg_optionTexts, &options.rotate,
         "turn a joint of the bind pose about its origin; repeatable"},
        TG_SHOT_OPTIONS(shotOptions),
    };
    const tgVerb verb = {"pose", "FILE -o OUT",
                         true,   "Deform one frame, or the bind pose with some joints turned.",
                         table,  sizeof(table) / sizeof(table[0])};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return parse == tg_parseDone ? tg_statusDone : tg_statusUsage;
    }
    int ways = (options.frame != INT_MIN) + !isnan(options.time) + (options.rotate.count > 0);
    if (options.output == NULL || ways != 1) {
        return tgSayUsage("pose wants -o OUT and one of --frame, --time, --rotate");
    }
    if (options.frame < 0 && options.frame != INT_MIN) {
        return tgSayUsage("--frame is %d, wanted 0 or more", options.frame);
    }
    for (int i = 0; i < options.rotate.count; ++i) {
        int status = tgParseTurn(options.rotate.values[i], &options.turns[i]);
        if (status != tg_statusDone) {
            return status;
        }
    }
    tgShot shot;
    int status = tgOpenShot(file, &shotOptions, &shot);
    if (status == tg_statusDone) {
        status = tgPoseShot(&shot, &options);
    }
    tgCloseShot(&shot);
    return status;
}
