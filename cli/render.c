// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pictures of a shot: everyone on stage takes the pose, the camera is framed, the panels are drawn.

#include "render.h"

#include "joint_measure.h"
#include "report.h"

#include <math.h>
#include <string.h>

enum { tg_panelWidth = 640, tg_panelHeight = 600, tg_soloWidth = 960, tg_soloHeight = 720 };

int tgOpenRender(const tgRenderDef* def, tgStage* stage, tgFigure* figure)
{
    *figure =
        (tgFigure){.scene = def->shot->scene,
                   .show = def->show,
                   .look = def->look,
                   .focus = def->focus,
                   .isBare = def->notes != NULL,
                   .hasFrames = def->notes == NULL && (def->focus != NULL || def->joint != NULL)};
    tgStageDef stageDef = {.shot = def->shot,
                           .show = def->show,
                           .focus = def->joint,
                           .compare = def->compare,
                           .arrowScale = def->arrowScale};
    int status = tgOpenStage(&stageDef, stage);
    if (status != tg_statusDone) {
        return status;
    }
    figure->hasLabels = stage->takeCount > 1 && def->notes == NULL;
    figure->rig = stage->actors[0].rig;
    tgError error = {0};
    if (def->joint != NULL) {
        const tgRig* rig = stage->actors[stage->takeCount - 1].rig;
        figure->isSeen = tgFocus_FindSeen(def->joint, rig, def->shot->scene);
        if (figure->isSeen == NULL) {
            return tgSayFailure(def->shot->file, "out of memory for the legend");
        }
    }
    if (tgOpenFigure(figure, &error) != tg_success) {
        return tgSayFailed(def->shot->file, &error);
    }
    bool alone = stage->takeCount == 1;
    int width = alone ? tg_soloWidth : stage->takeCount * tg_panelWidth;
    int height = alone ? tg_soloHeight : tg_panelHeight;
    bool isAsked = def->look.width > 0;
    tgFigure_SetSize(figure, stage->takeCount, isAsked ? def->look.width : width,
                     isAsked ? def->look.height : height);
    return tg_statusDone;
}

/// @param follows the panels are the next frame of a film
static int tgWatchPanels(tgFigure* figure, const tgPanel* panels, bool follows, const char* file)
{
    tgError error = {0};
    if (follows && tgFigure_NextFrame(figure, panels[0].place, &error) != tg_success) {
        return tgSayFailed(file, &error);
    }
    for (int i = 0; i < figure->panelCount; ++i) {
        if (tgFigure_Watch(figure, &panels[i], &error) != tg_success) {
            return tgSayFailed(file, &error);
        }
    }
    return tg_statusDone;
}

/// Panels for everyone on stage; returns the status.
static int tgAllocPanels(const tgStage* stage, tgPanel panels[tg_mostPanels])
{
    bool memory = true;
    for (int i = 0; i < stage->takeCount; ++i) {
        memory &= tgAllocPanel(stage->show, &panels[i]);
    }
    return memory ? tg_statusDone
                  : tgSayFailure(stage->shot->file, "out of memory for the picture");
}

static void tgFreePanels(tgPanel panels[tg_mostPanels])
{
    for (int i = 0; i < tg_mostPanels; ++i) {
        tgFreePanel(&panels[i]);
    }
}

int tgWatchAnimation(tgStage* stage, tgFigure* figure, bool follows)
{
    const tgShot* shot = stage->shot;
    figure->followWindow = (int)(0.5 * shot->fps); // half a second
    tgPanel panels[tg_mostPanels] = {{0}};
    int status = tgAllocPanels(stage, panels);
    tgMoment moment = tgDefaultMoment();
    for (int i = 0; i < shot->frameCount && status == tg_statusDone; ++i) {
        moment.frame = shot->firstFrame + i;
        status = tgWasInterrupted()
                     ? tgSayFailure(shot->file, "interrupted at frame %d", moment.frame)
                     : tgStage_Play(stage, &moment);
        status = status == tg_statusDone ? tgStage_Capture(stage, panels) : status;
        status =
            status == tg_statusDone ? tgWatchPanels(figure, panels, follows, shot->file) : status;
        if (status == tg_statusDone) {
            tgShowProgress("look", i + 1, shot->frameCount);
        }
    }
    tgFreePanels(panels);
    return status;
}

/// The moment on stage, watched and drawn.
static int tgDrawMoment(const tgRenderDef* def, const tgMoment* moment, tgStage* stage,
                        tgFigure* figure, tgPicture** picture)
{
    tgPanel panels[tg_mostPanels] = {{0}};
    tgError error = {0};
    int status = tgAllocPanels(stage, panels);
    status = status == tg_statusDone ? tgStage_Play(stage, moment) : status;
    status = status == tg_statusDone ? tgStage_Capture(stage, panels) : status;
    status =
        status == tg_statusDone ? tgWatchPanels(figure, panels, false, def->shot->file) : status;
    int last = stage->takeCount - 1;
    if (status == tg_statusDone && stage->takes[last] == tg_takeCorrected) {
        tgWarnAboutDents(def->shot, &stage->actors[last]);
    }
    if (status == tg_statusDone) {
        if (tgFigure_Aim(figure, &error) == tg_success) {
            *picture = tgFigure_Draw(figure, panels, def->shot->pool, &error);
        }
        status = *picture != NULL ? tg_statusDone : tgSayFailed(def->shot->file, &error);
    }
    if (def->notes != NULL) {
        *def->notes = (tgRenderNotes){.panelCount = figure->panelCount,
                                      .low = figure->legend.low,
                                      .high = figure->legend.high};
        for (int i = 0; i < figure->panelCount; ++i) {
            memcpy(def->notes->labels[i], panels[i].label, sizeof(panels[i].label));
        }
    }
    tgFreePanels(panels);
    return status;
}

int tgRenderMoment(const tgRenderDef* def, const tgMoment* moment, tgPicture** picture)
{
    tgStage stage;
    tgFigure figure;
    *picture = NULL;
    int status = tgOpenRender(def, &stage, &figure);
    if (status == tg_statusDone && def->frameAnimation) {
        status = tgWatchAnimation(&stage, &figure, false);
    }
    if (status == tg_statusDone) {
        status = tgDrawMoment(def, moment, &stage, &figure, picture);
    }
    tgCloseFigure(&figure);
    tgCloseStage(&stage);
    return status;
}
