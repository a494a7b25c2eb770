// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A cut through a character at a joint. Left the skin with the outline of the cut on it; right the
// cut: what the corrected skin encloses is filled, the plain takes are lines.

#include "cut.h"

#include "core/core.h"
#include "draw/section.h"
#include "play/bends.h"
#include "report.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tg_cutWidth = 1280 };

/// Below this |sine| a joint counts as straight, and its bend has no plane.
static const float tg_straight = 0.02f;
/// Of the outline on the skin, in rest diagonals.
static const float tg_outlineRadius = 0.0025f;

static tgColor tgGetTakeColor(tgTake take)
{
    static const unsigned int tg_colors[tg_takeCount] = {0xd55e00, 0xe69f00, 0x009e73, 0x0072b2};
    return tgMakeColor(tg_colors[take]);
}

/// A direction at rest, moved along with a joint.
static tgVec3 tgCarry(const tgActor* actor, int joint, tgVec3 direction)
{
    tgMat34 inverse;
    if (joint < 0 || !tgInvertMat34(&actor->scene->joints[joint].restJoint, &inverse)) {
        return direction;
    }
    tgVec3 local = tgMulMatDirection(&inverse, direction);
    return tgNormalize(tgMulMatDirection(&actor->joints[joint], local), direction);
}

/// The plane of the cut, its normal towards the camera; returns the status.
static int tgChoosePlane(const tgRenderDef* def, const tgCutDef* cut, const tgActor* actor,
                         tgVec3 view, tgPlane* plane)
{
    const tgShot* shot = def->shot;
    int joint;
    if (tgFindOneJoint(shot->file, shot->scene, cut->joint, &joint) != tg_statusDone) {
        return tg_statusFailed;
    }
    // Where the joint's bone is, and where its parent alone would carry it.
    tgVec3 bone = tgGetRestBone(shot->scene, joint);
    tgVec3 posed = tgCarry(actor, joint, bone);
    tgVec3 carried = tgCarry(actor, shot->scene->joints[joint].parent, bone);
    static const char* const names[] = {"bend", "across", NULL};
    tgVec3 normal;
    if (cut->plane == NULL || strcmp(cut->plane, "bend") == 0) {
        normal = tgCross(carried, posed);
        if (tgLength(normal) < tg_straight) { // along the bone, as open to the view as can be
            normal = tgMulAdd(view, -tgDot(view, posed), posed);
        }
    } else if (strcmp(cut->plane, "across") == 0) {
        normal = tgAdd(carried, posed);
    } else if (tgParseDirection("--plane", cut->plane, names, &normal) != tg_statusDone) {
        return tg_statusUsage;
    }
    if (tgDot(normal, view) < 0.0f) {
        normal = tgMulSV(-1.0f, normal);
    }
    *plane = tgMakePlane(actor->joints[joint].origin, normal);
    return tg_statusDone;
}

static tgDrawMesh tgGetWholeMesh(const tgScene* scene, const tgVec3* positions)
{
    return (tgDrawMesh){
        .positions = {&positions->x, scene->vertexCount, sizeof(tgVec3)},
        .faceSizes = scene->faceSizes,
        .faceVertices = scene->faceVertices,
        .faceCount = scene->faceCount,
    };
}

/// The outline as a thin tube on the skin.
static bool tgMarkOutline(const tgPlane* plane, const tgSection* section, float radius,
                          tgSolids* marks)
{
    for (int i = 0; i < section->count; ++i) {
        const tgSegment* s = &section->segments[i];
        tgVec3 from = tgMulAdd(plane->origin, s->x0, plane->right);
        tgVec3 to = tgMulAdd(plane->origin, s->x1, plane->right);
        tgSolids_AddTube(marks, tgMulAdd(from, s->y0, plane->up), tgMulAdd(to, s->y1, plane->up),
                         radius);
    }
    return !marks->failed;
}

/// The sections of all takes.
typedef struct tgCuts {
    int count;
    tgTake takes[tg_takeCount];
    tgSection sections[tg_takeCount];
} tgCuts;

/// From the plane to pixels of the picture, y down.
typedef struct tgCutView {
    float scale, x, y;
} tgCutView;

static tgCutView tgFrameCuts(const tgCuts* cuts, tgRect rect, float textSize)
{
    float left = FLT_MAX, right = -FLT_MAX, below = FLT_MAX, above = -FLT_MAX;
    for (int i = 0; i < cuts->count; ++i) {
        for (int k = 0; k < cuts->sections[i].count; ++k) {
            const tgSegment* s = &cuts->sections[i].segments[k];
            left = fminf(left, s->x0);
            right = fmaxf(right, s->x0);
            below = fminf(below, s->y0);
            above = fmaxf(above, s->y0);
        }
    }
    if (!(left <= right)) {
        return (tgCutView){0.0f, 0.0f, 0.0f};
    }
    // The legend stands above.
    float top = 1.6f * textSize * (float)cuts->count + 0.5f * textSize;
    float width = 0.88f * (float)rect.width, height = 0.92f * ((float)rect.height - top);
    float scale = fminf(width / fmaxf(right - left, 1e-12f), height / fmaxf(above - below, 1e-12f));
    return (tgCutView){
        .scale = scale,
        .x = (float)rect.x + 0.5f * (float)rect.width - 0.5f * scale * (left + right),
        .y = (float)rect.y + top + 0.5f * ((float)rect.height - top) +
             0.5f * scale * (below + above),
    };
}

/// The section's outline in pixels; NULL without memory.
static tgSegment* tgPlaceSection(const tgSection* section, const tgCutView* view)
{
    tgSegment* placed = malloc(((size_t)section->count + 1) * sizeof(tgSegment));
    for (int i = 0; placed != NULL && i < section->count; ++i) {
        const tgSegment* s = &section->segments[i];
        placed[i] = (tgSegment){view->x + view->scale * s->x0, view->y - view->scale * s->y0,
                                view->x + view->scale * s->x1, view->y - view->scale * s->y1};
    }
    return placed;
}

/// One take's outline; the last one is filled first.
static tgResult tgDrawSection(const tgFigure* figure, tgPicture* picture, const tgCuts* cuts, int i,
                              const tgCutView* view, bool fill, tgError* error)
{
    tgSegment* placed = tgPlaceSection(&cuts->sections[i], view);
    if (placed == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for the cut");
    }
    tgColor color = tgGetTakeColor(cuts->takes[i]);
    int count = cuts->sections[i].count;
    float width = fmaxf(1.5f, (float)figure->look.height / 300.0f);
    tgResult result;
    if (fill) {
        color.a = 0.22f;
        result = tgPicture_FillSegments(picture, placed, count, color, error);
    } else {
        result = tgPicture_DrawSegments(picture, placed, count, width, color, error);
    }
    free(placed);
    return result;
}

/// What the lines are, and what the section's area is against the first take's.
static tgResult tgDrawCutLegend(const tgFigure* figure, tgPicture* picture, const tgCuts* cuts,
                                tgRect rect, tgError* error)
{
    tgLegendEntry entries[tg_takeCount];
    char words[tg_takeCount][96];
    for (int i = 0; i < cuts->count; ++i) {
        const char* name = tgGetTakeName(cuts->takes[i]);
        double percent = 100.0 * (cuts->sections[i].area / cuts->sections[0].area - 1.0);
        bool told = i > 0 && isfinite(percent);
        percent = fabs(percent) < 0.05 ? 0.0 : percent; // nothing has no sign
        snprintf(words[i], sizeof(words[i]), told ? "%s  %+.1f %% area" : "%s", name, percent);
        entries[i] = (tgLegendEntry){words[i], tgGetTakeColor(cuts->takes[i]), true};
    }
    tgLegendDef legend = tgDefaultLegendDef();
    legend.textSize = 0.85f * tgFigure_GetTextSize(figure);
    legend.ink = figure->look.ink;
    legend.entries = entries;
    legend.entryCount = cuts->count;
    legend.rect = (tgRect){rect.x + (int)(0.06f * (float)rect.width), rect.y,
                           (int)(0.92f * (float)rect.width), rect.height};
    return tgPicture_DrawLegend(picture, &legend, error);
}

static tgResult tgDrawCuts(const tgFigure* figure, tgPicture* picture, const tgCuts* cuts,
                           tgRect rect, tgError* error)
{
    tgCutView view = tgFrameCuts(cuts, rect, tgFigure_GetTextSize(figure));
    int last = cuts->count - 1;
    tgResult result = tgDrawSection(figure, picture, cuts, last, &view, true, error);
    for (int i = 0; i < cuts->count && result == tg_success; ++i) {
        result = tgDrawSection(figure, picture, cuts, i, &view, false, error);
    }
    tgSegment joint = {view.x, view.y, view.x, view.y};
    if (result == tg_success) {
        result = tgPicture_DrawSegments(picture, &joint, 1, 0.4f * tgFigure_GetTextSize(figure),
                                        figure->look.ink, error);
    }
    return result == tg_success ? tgDrawCutLegend(figure, picture, cuts, rect, error) : result;
}

/// Both panels into one picture.
static tgResult tgDrawCutFigure(tgFigure* figure, const tgCutDef* cut, const tgPanel* panel,
                                const tgCuts* cuts, tgThreadPool* pool, tgPicture* picture,
                                tgError* error)
{
    tgRect skin = tgFigure_GetPanelRect(figure, 0), section = tgFigure_GetPanelRect(figure, 1);
    char label[128];
    snprintf(label, sizeof(label), "cut at %.100s", cut->joint);
    tgResult result = tgFigure_DrawPanel(figure, picture, panel, skin, pool, error);
    result = result == tg_success ? tgDrawCuts(figure, picture, cuts, section, error) : result;
    result = result == tg_success
                 ? tgFigure_DrawLabel(figure, picture, skin,
                                      tgGetTakeName(cuts->takes[cuts->count - 1]), error)
                 : result;
    return result == tg_success ? tgFigure_DrawLabel(figure, picture, section, label, error)
                                : result;
}

/// Cut everyone on stage; the last one's outline is marked on its panel. Returns the status.
static int tgCutTakes(const tgStage* stage, const tgPlane* plane, tgPanel* panel, tgCuts* cuts)
{
    const tgShot* shot = stage->shot;
    tgError error = {0};
    for (int i = 0; i < stage->takeCount; ++i) {
        tgDrawMesh mesh = tgGetWholeMesh(shot->scene, stage->actors[i].positions);
        cuts->takes[i] = stage->takes[i];
        cuts->count = i + 1;
        if (tgCutMesh(&mesh, plane, &cuts->sections[i], &error) != tg_success) {
            return tgSayFailed(shot->file, &error);
        }
    }
    float radius = tg_outlineRadius * tgRig_GetInfo(stage->actors[0].rig).restDiagonal;
    return tgMarkOutline(plane, &cuts->sections[cuts->count - 1], radius, &panel->marks)
               ? tg_statusDone
               : tgSayFailure(shot->file, "out of memory for the outline of the cut");
}

/// With the stage and the figure open.
static int tgDrawCutOf(const tgRenderDef* def, const tgCutDef* cut, tgStage* stage,
                       tgFigure* figure, tgPicture** picture)
{
    tgPanel panels[tg_mostPanels] = {{0}};
    tgCuts cuts = {0};
    tgPlane plane;
    tgError error = {0};
    int last = stage->takeCount - 1;
    tgFigure_ChooseView(figure, stage->actors[last].positions);
    int status = tgChoosePlane(def, cut, &stage->actors[last], figure->look.direction, &plane);
    bool memory = true;
    for (int i = 0; i < stage->takeCount; ++i) {
        memory &= tgAllocPanel(stage->show, &panels[i]);
    }
    status = memory ? status : tgSayFailure(def->shot->file, "out of memory for the picture");
    status = status == tg_statusDone ? tgStage_Capture(stage, panels) : status;
    status = status == tg_statusDone ? tgCutTakes(stage, &plane, &panels[last], &cuts) : status;
    if (status == tg_statusDone) {
        const tgLook* look = &figure->look;
        tgResult result = tgFigure_Watch(figure, &panels[last], &error);
        result = result == tg_success ? tgFigure_Aim(figure, &error) : result;
        if (result == tg_success) {
            *picture = tgCreatePicture(look->width, look->height, look->background, &error);
            result = *picture != NULL ? tgDrawCutFigure(figure, cut, &panels[last], &cuts,
                                                        def->shot->pool, *picture, &error)
                                      : tg_outOfMemory;
        }
        status = result == tg_success ? tg_statusDone : tgSayFailed(def->shot->file, &error);
    }
    for (int i = 0; i < tg_takeCount; ++i) {
        tgFreeSection(&cuts.sections[i]);
        tgFreePanel(&panels[i]);
    }
    return status;
}

int tgRenderCut(const tgRenderDef* def, const tgCutDef* cut, const tgMoment* moment,
                tgPicture** picture)
{
    tgStage stage;
    tgFigure figure;
    tgRenderDef both = *def;
    both.compare = true;
    *picture = NULL;
    int status = tgOpenRender(&both, &stage, &figure);
    if (status == tg_statusDone) {
        int width = def->look.width > 0 ? def->look.width : tg_cutWidth;
        tgFigure_SetSize(&figure, 2, width, figure.look.height);
    }
    status = status == tg_statusDone ? tgStage_Play(&stage, moment) : status;
    status = status == tg_statusDone ? tgDrawCutOf(&both, cut, &stage, &figure, picture) : status;
    tgCloseFigure(&figure);
    tgCloseStage(&stage);
    return status;
}
