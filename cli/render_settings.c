// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// One moment under two settings files. Settings may refine the mesh, so each side has a scene and a
// figure of its own; what the camera must see and the range of values are those of both.

#include "render_settings.h"

#include "io/output_file.h"
#include "joint_measure.h"
#include "report.h"
#include "settings_diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tg_sideWidth = 640, tg_sideHeight = 600 };

/// One of the two.
typedef struct tgSide {
    tgStage stage;
    tgFigure figure;
    tgPanel panel;
} tgSide;

/// "a.json  elbow.L gain 2"
static void tgLabelSide(const char* path, const tgDifferences* differences, int which,
                        tgPanel* panel)
{
    char what[80];
    tgDifferences_Tell(differences, which, what, sizeof(what));
    snprintf(panel->label, sizeof(panel->label), "%.40s%s%s", tgGetFileName(path),
             what[0] != '\0' ? "  " : "", what);
}

/// The stage plays, and the figure looks at it.
static int tgOpenSide(const tgSettingsPair* pair, int which, const tgDifferences* differences,
                      const tgMoment* moment, tgSide* side)
{
    const tgRenderDef* def = &pair->defs[which];
    int width = def->look.width > 0 ? def->look.width / 2 : tg_sideWidth;
    int height = def->look.height > 0 ? def->look.height : tg_sideHeight;
    int status = tgOpenRender(def, &side->stage, &side->figure);
    if (status != tg_statusDone) {
        return status;
    }
    side->figure.hasLabels = true;
    tgFigure_SetSize(&side->figure, 1, width, height);
    status = tgAllocPanel(def->show, &side->panel)
                 ? tgStage_Play(&side->stage, moment)
                 : tgSayFailure(def->shot->file, "out of memory for the picture");
    status = status == tg_statusDone ? tgStage_Capture(&side->stage, &side->panel) : status;
    if (status == tg_statusDone && side->stage.takes[0] == tg_takeCorrected) {
        tgWarnAboutDents(def->shot, &side->stage.actors[0]);
    }
    tgLabelSide(pair->paths[which], differences, which, &side->panel);
    return status;
}

static void tgCloseSide(tgSide* side)
{
    tgFreePanel(&side->panel);
    tgCloseFigure(&side->figure);
    tgCloseStage(&side->stage);
}

/// Both look at both panels: the same camera, the same scale.
static tgResult tgLookAtBoth(tgSide sides[2], tgError* error)
{
    tgResult result = tg_success;
    for (int i = 0; i < 2 && result == tg_success; ++i) {
        result = tgFigure_Watch(&sides[i].figure, &sides[i].panel, error);
        if (i == 0) { // the first one's view is the second's
            sides[1].figure.look.direction = sides[0].figure.look.direction;
            sides[1].figure.look.hasView = true;
        }
    }
    int counts[2] = {sides[0].figure.extremeCount, sides[1].figure.extremeCount};
    for (int i = 0; i < 2 && result == tg_success; ++i) {
        result =
            tgFigure_WatchExtremes(&sides[i].figure, &sides[1 - i].figure, counts[1 - i], error);
    }
    for (int i = 0; i < 2 && result == tg_success; ++i) {
        result = tgFigure_Aim(&sides[i].figure, error);
    }
    return result;
}

/// Each half of the picture by its own figure.
static tgPicture* tgDrawBoth(const tgSide sides[2], tgThreadPool* pool, tgError* error)
{
    const tgLook* look = &sides[0].figure.look;
    tgPicture* whole = tgCreatePicture(2 * look->width, look->height, look->background, error);
    for (int i = 0; i < 2 && whole != NULL; ++i) {
        tgPicture* half = tgFigure_Draw(&sides[i].figure, &sides[i].panel, pool, error);
        if (half == NULL) {
            tgDestroyPicture(whole);
            return NULL;
        }
        tgPicture_Paste(whole, half, i * look->width, 0);
        tgDestroyPicture(half);
    }
    return whole;
}

/// On standard output, all that there is room for.
static void tgPrintDifferences(const tgSettingsPair* pair, const tgDifferences* differences)
{
    if (differences->count == 0) {
        printf("%s and %s say the same\n", pair->paths[0], pair->paths[1]);
    }
    for (int i = 0; i < differences->count && i < tg_mostDifferences; ++i) {
        const tgDifference* at = &differences->list[i];
        printf("%s: %s in %s, %s in %s\n", at->name, at->values[0], pair->paths[0], at->values[1],
               pair->paths[1]);
    }
    if (differences->count > tg_mostDifferences) {
        printf("and %d more\n", differences->count - tg_mostDifferences);
    }
}

int tgRenderSettings(const tgSettingsPair* pair, const tgMoment* moment, tgPicture** picture)
{
    *picture = NULL;
    tgError error = {0};
    tgSide* sides = calloc(2, sizeof(tgSide));
    tgDifferences* differences = calloc(1, sizeof(tgDifferences));
    int status = sides != NULL && differences != NULL
                     ? tg_statusDone
                     : tgSayFailure(pair->defs[0].shot->file, "out of memory for the picture");
    if (status == tg_statusDone &&
        tgCompareSettings(pair->paths, differences, &error) != tg_success) {
        status = tgSayFailed(pair->paths[0], &error);
    }
    for (int i = 0; i < 2 && status == tg_statusDone; ++i) {
        status = tgOpenSide(pair, i, differences, moment, &sides[i]);
    }
    if (status == tg_statusDone) {
        if (tgLookAtBoth(sides, &error) == tg_success) {
            *picture = tgDrawBoth(sides, pair->defs[0].shot->pool, &error);
        }
        status = *picture != NULL ? tg_statusDone : tgSayFailed(pair->defs[0].shot->file, &error);
    }
    if (status == tg_statusDone) {
        tgPrintDifferences(pair, differences);
    }
    for (int i = 0; i < 2 && sides != NULL; ++i) {
        tgCloseSide(&sides[i]);
    }
    free(sides);
    free(differences);
    return status;
}
