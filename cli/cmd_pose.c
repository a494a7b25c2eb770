// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor pose FILE -o OUT: one frame of an animation, or the bind pose with some joints turned.

#include "commands.h"
#include "inputs.h"
#include "joint_measure.h"
#include "moment.h"
#include "report.h"
#include "take.h"
#include "turgor/io.h"

#include <math.h>
#include <stdio.h>

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

static void tgPrintKept(const tgShot* shot, tgActor* actor, const char* output)
{
    tgKept kept = tgActor_MeasureKept(actor);
    printf("%s: %d vertices, ", output, shot->scene->vertexCount);
    tgRigInfo info = tgRig_GetInfo(actor->rig);
    if (info.isFlat || !kept.any) {
        printf("%s: there is no volume to keep\n", info.oneSidedCount > 0 ? "one-sided" : "flat");
        return;
    }
    printf("volume %.6g ", kept.volume);
    if (shot->settings->volume.method == tg_volumeExact) {
        printf("(within %.1e of its target)\n", fabs(kept.error));
    } else {
        printf("(%+.2f %% off its target)\n", 100.0 * kept.error);
    }
    if (fabs(kept.residual) > TG_TOLD_RESIDUAL) {
        printf("%s %% of it found no place\n", tgTellPercent(fabs(kept.residual)).text);
    }
}

static int tgPoseShot(const tgShot* shot, tgMoment* moment, const char* output)
{
    int status = tgMoment_Settle(moment, shot);
    if (status != tg_statusDone) {
        return status;
    }
    tgError error = {0};
    tgActor actor;
    if (tgOpenTake(shot, tgShot_GetTake(shot), shot->pool, &actor, &error) != tg_success) {
        return tgSayFailed(shot->file, &error);
    }
    status = tgMoment_Play(moment, shot, &actor);
    if (status == tg_statusDone) {
        status = tgWritePose(shot, &actor, tgMoment_GetTime(moment, shot), output);
    }
    if (status == tg_statusDone) {
        tgPrintKept(shot, &actor, output);
        tgWarnAboutDents(shot, &actor);
    }
    tgCloseActor(&actor);
    return status;
}

int tgCommandPose(int argc, char** argv)
{
    const char* output = NULL;
    tgMoment moment = tgDefaultMoment();
    tgShotOptions shotOptions = tgDefaultShotOptions();
    const tgOption table[] = {
        {"-o", TG_BAKE_OUTPUT, tg_optionText, &output, "what to write"},
        TG_MOMENT_OPTIONS(moment),
        TG_SHOT_OPTIONS(shotOptions),
        TG_ANIMATION_OPTION(shotOptions),
        {"--frames", "A:B", tg_optionRange, shotOptions.frames,
         "as for the other verbs; changes nothing, as one frame is posed"},
    };
    const tgVerb verb = {"pose", "FILE -o OUT",
                         true,   "Deform one frame, or the bind pose with some joints turned.",
                         table,  sizeof(table) / sizeof(table[0])};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    if (output == NULL || tgMoment_CountWays(&moment) != 1) {
        return tgSayUsage("pose wants -o OUT and one of --frame, --time, --rotate or --bend");
    }
    int status = tgMoment_Check(&moment);
    if (status != tg_statusDone) {
        return status;
    }
    tgShot shot;
    status = tgOpenShot(file, &shotOptions, &shot);
    status = status == tg_statusDone ? tgShot_RefuseOutput(&shot, &shotOptions, output) : status;
    status = status == tg_statusDone ? tgShot_FitOutput(&shot, output) : status;
    if (status == tg_statusDone) {
        status = tgPoseShot(&shot, &moment, output);
    }
    tgFreeMoment(&moment);
    tgCloseShot(&shot);
    return status;
}
