// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Films of a shot: frames are drawn several at a time, one on each thread, and handed to ffmpeg in
// order. ffmpeg writes to a temporary name; the film appears when it is whole.

#include "core/core.h"
#include "ffmpeg.h"
#include "io/output_file.h"
#include "render.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

enum { tg_mostBatch = 16 };

/// Frames that are drawn at the same time.
typedef struct tgBatch {
    const tgFigure* figure;
    int count;
    tgPanel panels[tg_mostBatch][tg_mostPanels];
    tgPicture* pictures[tg_mostBatch];
    tgError errors[tg_mostBatch];
} tgBatch;

static void tgDrawFrames(int begin, int end, void* context)
{
    tgBatch* batch = context;
    for (int i = begin; i < end && !tgWasInterrupted(); ++i) {
        batch->pictures[i] =
            tgFigure_Draw(batch->figure, batch->panels[i], NULL, &batch->errors[i]);
    }
}

static int tgAllocBatch(const tgStage* stage, tgBatch* batch)
{
    bool memory = true;
    for (int i = 0; i < tg_mostBatch; ++i) {
        for (int k = 0; k < stage->takeCount; ++k) {
            memory &= tgAllocPanel(stage->show, &batch->panels[i][k]);
        }
    }
    return memory ? tg_statusDone : tgSayFailure(stage->shot->file, "out of memory for the film");
}

static void tgFreeBatch(tgBatch* batch)
{
    for (int i = 0; i < tg_mostBatch; ++i) {
        for (int k = 0; k < tg_mostPanels; ++k) {
            tgFreePanel(&batch->panels[i][k]);
        }
        tgDestroyPicture(batch->pictures[i]);
    }
    free(batch);
}

/// Frames [first, first + count) of the shot; returns the status.
static int tgFilmBatch(tgStage* stage, tgBatch* batch, int first, tgFfmpeg* ffmpeg)
{
    const tgShot* shot = stage->shot;
    int status = tg_statusDone;
    tgMoment moment = tgDefaultMoment();
    for (int i = 0; i < batch->count && status == tg_statusDone; ++i) {
        moment.frame = shot->firstFrame + first + i;
        status = tgStage_Play(stage, &moment);
        status = status == tg_statusDone ? tgStage_Capture(stage, batch->panels[i]) : status;
        for (int k = 0; k < stage->takeCount; ++k) {
            batch->panels[i][k].shift = tgFigure_GetShift(batch->figure, first + i);
        }
    }
    if (status == tg_statusDone) {
        tgThreadPool_Run(tgDrawFrames, batch->count, 1, batch, shot->pool);
    }
    if (status == tg_statusDone && tgWasInterrupted()) {
        status = tgSayFailure(shot->file, "interrupted at frame %d", shot->firstFrame + first);
    }
    for (int i = 0; i < batch->count && status == tg_statusDone; ++i) {
        if (batch->pictures[i] == NULL) {
            status = tgSayFailed(shot->file, &batch->errors[i]);
        } else {
            status = tgFfmpeg_AddFrame(ffmpeg, batch->pictures[i]);
            tgShowProgress("render", first + i + 1, shot->frameCount);
        }
        tgDestroyPicture(batch->pictures[i]);
        batch->pictures[i] = NULL;
    }
    return status;
}

static int tgFilmFrames(tgStage* stage, tgFigure* figure, tgFfmpeg* ffmpeg)
{
    const tgShot* shot = stage->shot;
    tgBatch* batch = calloc(1, sizeof(tgBatch));
    if (batch == NULL) {
        return tgSayFailure(shot->file, "out of memory for the film");
    }
    batch->figure = figure;
    int status = tgAllocBatch(stage, batch);
    for (int i = 0; i < shot->frameCount && status == tg_statusDone; i += batch->count) {
        int left = shot->frameCount - i;
        batch->count = left < tg_mostBatch ? left : tg_mostBatch;
        status = tgWasInterrupted()
                     ? tgSayFailure(shot->file, "interrupted at frame %d", shot->firstFrame + i)
                     : tgFilmBatch(stage, batch, i, ffmpeg);
    }
    tgFreeBatch(batch);
    return status;
}

/// The camera sees all frames; then they are drawn.
static int tgFilmShot(const tgRenderDef* def, tgFfmpeg* ffmpeg)
{
    tgStage stage;
    tgFigure figure;
    tgError error = {0};
    int status = tgOpenRender(def, &stage, &figure);
    status =
        status == tg_statusDone ? tgWatchAnimation(&stage, &figure, !def->frameAnimation) : status;
    if (status == tg_statusDone && tgFigure_Aim(&figure, &error) != tg_success) {
        status = tgSayFailed(def->shot->file, &error);
    }
    if (status == tg_statusDone) {
        status = tgStartFfmpeg(ffmpeg, figure.look.width, figure.look.height, def->shot->fps);
    }
    status = status == tg_statusDone ? tgFilmFrames(&stage, &figure, ffmpeg) : status;
    int ended = tgEndFfmpeg(ffmpeg, status == tg_statusDone);
    if (status == tg_statusDone && ended == tg_statusDone) {
        printf("%s: %s, %d x %d pixels\n", ffmpeg->path,
               tgTellCount(def->shot->frameCount, "frame", "frames").text, figure.look.width,
               figure.look.height);
    }
    tgCloseFigure(&figure);
    tgCloseStage(&stage);
    return status == tg_statusDone ? ended : status;
}

int tgRenderFilm(const tgRenderDef* def, const char* path)
{
    if (def->look.background.a < 1.0f && !tgHasEnding(path, ".gif")) {
        return tgSayFailure(path, "has no transparency, wanted .gif or another --background");
    }
    tgFfmpeg ffmpeg = {.path = path};
    if (!tgFindFfmpeg()) {
        return tgSayFailure(path, "a film is made by ffmpeg, which is not on the PATH; install it, "
                                  "or draw pictures with -o");
    }
    tgError error = {0};
    tgOutputFile file = {0};
    tgHoldInterrupt();
    tgResult result = tgOutputFile_Open(&file, path, &error);
    result = result == tg_success ? tgOutputFile_Finish(&file, &error) : result;
    int status = result == tg_success ? tg_statusDone : tgSayFailed(path, &error);
    if (status == tg_statusDone) {
        ffmpeg.target = file.temporaryPath;
        status = tgFilmShot(def, &ffmpeg);
    }
    if (status == tg_statusDone && tgOutputFile_Commit(&file, &error) != tg_success) {
        status = tgSayFailed(path, &error);
    }
    tgOutputFile_Discard(&file);
    return status;
}
