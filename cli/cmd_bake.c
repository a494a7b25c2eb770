// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor bake FILE -o OUT: deform every frame and write it, in the format of the ending.

#include "actor.h"
#include "commands.h"
#include "json.h"
#include "measure.h"
#include "report.h"
#include "shot.h"
#include "turgor/io.h"

#include <stdio.h>

/// All frames into an open bake.
static tgResult tgBakeFrames(const tgShot* shot, tgActor* actor, tgBake* bake, tgError* error)
{
    for (int i = 0; i < shot->frameCount; ++i) {
        if (tgWasInterrupted()) {
            error->code = tg_ioError;
            snprintf(error->message, sizeof(error->message), "interrupted at frame %d of %d", i,
                     shot->frameCount);
            return tg_ioError;
        }
        double time = tgShot_GetTime(shot, shot->firstFrame + i);
        tgResult result = tgActor_Play(actor, shot->animation, time, error);
        if (result == tg_success) {
            result = tgBake_AddFrame(bake, actor->positions, actor->normals, error);
        }
        if (result != tg_success) {
            return result;
        }
        tgShowProgress("bake", i + 1, shot->frameCount);
    }
    return tg_success;
}

static int tgBakeShot(const tgShot* shot, const char* output)
{
    tgError error = {0};
    tgActor actor;
    if (tgOpenActor(shot->scene, shot->skinning, shot->pool, &actor, &error) != tg_success) {
        return tgSayFailed(shot->file, &error);
    }
    tgRigInfo info = tgRig_GetInfo(actor.rig);
    if (tgIsFlat(info.restVolume, (double)info.restDiagonal)) {
        tgSayFailure(shot->file, "warning: the mesh is flat: it encloses no volume to keep");
    }
    tgBakeDef def = tgDefaultBakeDef();
    def.scene = shot->scene;
    def.path = output;
    def.frameCount = shot->frameCount;
    def.firstFrame = shot->firstFrame;
    def.animation = shot->animation;
    def.startTime = tgShot_GetTime(shot, shot->firstFrame);
    def.fps = shot->fps;
    tgHoldInterrupt();
    tgBake* bake = tgOpenBake(&def, &error);
    tgResult result = bake != NULL ? tgBakeFrames(shot, &actor, bake, &error) : error.code;
    if (result == tg_success) {
        result = tgCloseBake(bake, &error);
    } else {
        tgCancelBake(bake);
    }
    tgCloseActor(&actor);
    return result == tg_success ? tg_statusDone : tgSayFailed(output, &error);
}

int tgCommandBake(int argc, char** argv)
{
    const char* output = NULL;
    bool json = false;
    tgShotOptions options = tgDefaultShotOptions();
    const tgOption table[] = {
        {"-o", "OUT", tg_optionText, &output,
         "what to write: .glb .gltf .pc2 .mdd .obj (a sequence OUT_0000.obj and on)"},
        TG_SHOT_OPTIONS(options),
        {"--json", NULL, tg_optionFlag, &json, "print one JSON object instead of text"},
    };
    const tgVerb verb = {"bake", "FILE -o OUT",
                         true,   "Deform every frame and write it.",
                         table,  sizeof(table) / sizeof(table[0])};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return parse == tg_parseDone ? tg_statusDone : tg_statusUsage;
    }
    if (output == NULL) {
        return tgSayUsage("bake wants -o OUT, the file to write");
    }
    tgShot shot;
    int status = tgOpenShot(file, &options, &shot);
    if (status == tg_statusDone) {
        status = tgBakeShot(&shot, output);
    }
    if (status == tg_statusDone && json) {
        status = tgPrintJson(json_pack("{s:o, s:o, s:i, s:i, s:f}", "file", tgJsonText(file),
                                       "output", tgJsonText(output), "frames", shot.frameCount,
                                       "vertices", shot.scene->vertexCount, "fps", shot.fps));
    } else if (status == tg_statusDone) {
        printf("%s: %d frames of %d vertices at %g fps\n", output, shot.frameCount,
               shot.scene->vertexCount, shot.fps);
    }
    tgCloseShot(&shot);
    return status;
}
