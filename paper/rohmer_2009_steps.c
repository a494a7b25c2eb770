// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2009, figure 3: the correction in three steps, each along one axis of the joint's frame.

#include "cli/report.h"
#include "rohmer_2009.h"

#include <math.h>

enum { tg_stepCount = 4 };

/// The tube after so many of the three steps, a third of the loss each: that is all of the
/// correction along those axes, towards a volume that lacks the rest.
static int tgOpenStep(const tgScene* tube, int steps, double loss, tgActor* actor)
{
    tgProfile profile = tgDefaultProfile(tg_profileIsotropic);
    for (int axis = 0; axis < 3; ++axis) {
        profile.mu[axis] = axis < steps ? 1.0f / (float)steps : 0.0f;
        profile.sigma[axis] = 0.5f;
    }
    tgVolumeKey left = {0.0f, (float)(1.0 + loss * (3 - steps) / 3.0)};
    tgVolumeDef volume = tgMakeVolume(tg_volumeExact, &profile);
    volume.mode = tg_modePaper;
    volume.targetKeys = &left;
    volume.targetKeyCount = 1;
    int status = tgOpenSkin(tube, steps > 0 ? &volume : NULL, actor);
    return status == tg_statusDone ? tgPlay(actor, tgGetBendTime(tube)) : status;
}

static double tgGetVolumeError(tgActor* actor)
{
    tgVolumeReport volume = tgInstance_MeasureVolume(actor->instance);
    return volume.result / volume.rest - 1.0;
}

static int tgSaveSteps(tgPaper* paper, tgPaperEntry* entry, tgActor* actors)
{
    static const char* const tg_labels[tg_stepCount] = {"classical skinning", "1. along e0",
                                                        "2. along e1", "3. along e2"};
    tgSheetDef def = {.actor = &actors[0],
                      .show = "displacement",
                      .title = "moved by the step, % of the diagonal",
                      .view = "-0.2,0.5,1"};
    tgSheet sheet;
    int status = tgOpenSheet(paper, &def, &sheet);
    for (int i = 0; i < tg_stepCount && status == tg_statusDone; ++i) {
        tgSheet_AddMoved(&sheet, &actors[i], &actors[i > 0 ? i - 1 : 0], tg_labels[i]);
        tgAddNumber(entry, (double)NAN, 100.0 * tgGetVolumeError(&actors[i]), "% of the volume",
                    tg_betterNeither, "error, %s", tg_labels[i]);
    }
    status = status == tg_statusDone
                 ? tgSheet_Save(&sheet, entry,
                                "The tube before the correction and after each of its steps, "
                                "coloured by what that step moved.")
                 : status;
    tgCloseSheet(&sheet);
    return status;
}

int tgMakeStepsFigure(tgPaper* paper, tgPaperEntry* entry)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.aroundCount = 40;
    def.ringCount = 81;
    tgScene* tube = tgMakeCylinder(&def);
    tgActor actors[tg_stepCount] = {{0}};
    double loss = 0.0;
    int status = tube != NULL ? tg_statusDone : tg_statusFailed;
    for (int i = 0; i < tg_stepCount && status == tg_statusDone; ++i) {
        status = tgOpenStep(tube, i, loss, &actors[i]);
        loss = status == tg_statusDone && i == 0 ? tgGetVolumeError(&actors[0]) : loss;
    }
    status = status == tg_statusDone ? tgSaveSteps(paper, entry, actors) : status;
    for (int i = 0; i < tg_stepCount; ++i) {
        tgCloseActor(&actors[i]);
    }
    tgDestroyScene(tube);
    return status;
}
