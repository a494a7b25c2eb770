// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pictures of the papers' page: panels side by side, outlines of cuts, plots.

#include "cli/report.h"
#include "core/core.h"
#include "draw/scale.h"
#include "paper.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What a scale with its numbers adds to the width, in panels.
static const float tg_scaleWidth = 0.3f;

int tgOpenSheet(tgPaper* paper, const tgSheetDef* def, tgSheet* sheet)
{
    *sheet = (tgSheet){.paper = paper, .shape = def->shape, .focus = def->focus};
    sheet->settings.volume.method = tg_volumeExact;
    sheet->shot = (tgShot){.file = "paper",
                           .scene = (tgScene*)def->actor->scene,
                           .settings = &sheet->settings,
                           .animation = -1};
    int status = tgOpenShow(def->show, NULL, &sheet->shot, &sheet->show);
    if (status != tg_statusDone) {
        return status;
    }
    if (def->title != NULL) {
        snprintf(sheet->show.title, sizeof(sheet->show.title), "%s", def->title);
    }
    tgLook look = tgDefaultLook();
    look.wireframe = def->wireframe;
    status = def->view != NULL ? tgParseView(def->view, &look) : tg_statusDone;
    sheet->figure = (tgFigure){.scene = def->actor->scene,
                               .show = &sheet->show,
                               .rig = def->actor->rig,
                               .look = look,
                               .hasLabels = true};
    tgError error = {0};
    if (status == tg_statusDone && tgOpenFigure(&sheet->figure, &error) != tg_success) {
        status = tgSayFailed("paper", &error);
    }
    return status;
}

bool* tgMarkHeights(const tgScene* scene, float low, float high)
{
    bool* marks = calloc((size_t)scene->vertexCount, sizeof(bool));
    for (int v = 0; marks != NULL && v < scene->vertexCount; ++v) {
        float height = scene->positions[v].y;
        marks[v] = height > low && height < high;
    }
    return marks;
}

void tgCloseSheet(tgSheet* sheet)
{
    for (int i = 0; i < sheet->count; ++i) {
        tgFreePanel(&sheet->panels[i]);
    }
    tgCloseFigure(&sheet->figure);
    tgCloseShow(&sheet->show);
}

tgPanel* tgSheet_Add(tgSheet* sheet, const tgActor* actor, const char* label, ...)
{
    if (sheet->count == tg_mostSheetPanels) {
        return NULL;
    }
    tgPanel* panel = &sheet->panels[sheet->count++];
    if (!tgAllocPanel(&sheet->show, panel)) {
        return NULL;
    }
    size_t count = (size_t)actor->scene->vertexCount;
    memcpy(panel->positions, actor->positions, count * sizeof(tgVec3));
    if (panel->values != NULL) {
        memset(panel->values, 0, count * sizeof(float));
    }
    va_list arguments;
    va_start(arguments, label);
    vsnprintf(panel->label, sizeof(panel->label), label, arguments);
    va_end(arguments);
    return panel;
}

tgPanel* tgSheet_AddMoved(tgSheet* sheet, const tgActor* actor, const tgActor* plain,
                          const char* label)
{
    tgPanel* panel = tgSheet_Add(sheet, actor, "%s", label);
    if (panel != NULL && panel->values != NULL) {
        float percent = 100.0f / tgRig_GetInfo(actor->rig).restDiagonal;
        for (int v = 0; v < actor->scene->vertexCount; ++v) {
            panel->values[v] = percent * tgDistance(actor->positions[v], plain->positions[v]);
        }
    }
    return panel;
}

/// The next picture of an entry, with its name; NULL when there is no room.
static tgPaperPicture* tgAddPicture(tgPaperEntry* entry, const char* ending, const char* words)
{
    if (entry->pictureCount == tg_mostPictures) {
        tgSayFailure(entry->item->id, "has more than %d pictures", tg_mostPictures);
        return NULL;
    }
    tgPaperPicture* picture = &entry->pictures[entry->pictureCount];
    char number[16] = "";
    if (entry->pictureCount > 0) {
        snprintf(number, sizeof(number), "-%d", entry->pictureCount + 1);
    }
    entry->pictureCount += 1;
    snprintf(picture->file, sizeof(picture->file), "%.32s%s%s", entry->item->id, number, ending);
    snprintf(picture->words, sizeof(picture->words), "%s", words);
    return picture;
}

/// Save pixels beside the page and tell the entry; destroys them. Returns the status.
static int tgSavePixels(const tgPaper* paper, tgPaperEntry* entry, tgPicture* pixels,
                        const char* words, tgError* error)
{
    if (pixels == NULL) {
        return tgSayFailed(entry->item->id, error);
    }
    tgPaperPicture* picture = tgAddPicture(entry, ".png", words);
    int status = picture != NULL ? tg_statusDone : tg_statusFailed;
    if (status == tg_statusDone) {
        char path[tg_paperPath];
        snprintf(path, sizeof(path), "%s/%s", paper->folder, picture->file);
        picture->width = pixels->width;
        picture->height = pixels->height;
        if (tgPicture_SavePng(pixels, path, error) != tg_success) {
            status = tgSayFailed(path, error);
        }
    }
    tgDestroyPicture(pixels);
    return status;
}

int tgSheet_Save(tgSheet* sheet, tgPaperEntry* entry, const char* words)
{
    tgFigure* figure = &sheet->figure;
    const tgPaper* paper = sheet->paper;
    bool hasScale = tgShow_HasLegend(&sheet->show);
    // More of them are narrower, so that labels stay legible on a page of one width.
    float narrow = sheet->count > 2 ? 2.8f / (float)(sheet->count + 1) : 1.0f;
    float width = fmaxf(narrow * (float)paper->width, 64.0f);
    float shape = sheet->shape > 0.0f ? sheet->shape : (float)paper->height / (float)paper->width;
    float scale = hasScale ? tg_scaleWidth * (float)paper->width : 0.0f;
    tgFigure_SetSize(figure, sheet->count, (int)((float)sheet->count * width + scale),
                     (int)fmaxf(shape * width, 64.0f));
    float text = tgFigure_GetTextSize(figure);
    figure->labelSize = fmaxf(text, fminf((float)figure->look.width / 55.0f, 1.5f * text));
    figure->legend.textSize = figure->labelSize; // narrower where it must be
    figure->hasFrames = sheet->focus != NULL;
    figure->focus = sheet->focus;
    tgError error = {0};
    tgResult result = tg_success;
    for (int i = 0; i < sheet->count && result == tg_success; ++i) {
        result = sheet->panels[i].positions != NULL
                     ? tgFigure_Watch(figure, &sheet->panels[i], &error)
                     : tgFail(&error, tg_outOfMemory, -1, "out of memory for the picture");
    }
    result = result == tg_success ? tgFigure_Aim(figure, &error) : result;
    tgPicture* pixels =
        result == tg_success ? tgFigure_Draw(figure, sheet->panels, paper->pool, &error) : NULL;
    return tgSavePixels(paper, entry, pixels, words, &error);
}

int tgSavePaperPlot(tgPaper* paper, tgPaperEntry* entry, tgPlotDef* plot, const char* words)
{
    tgPaperPicture* picture = tgAddPicture(entry, ".svg", words);
    if (picture == NULL) {
        return tg_statusFailed;
    }
    picture->width = plot->width;
    picture->height = plot->height;
    char path[tg_paperPath];
    snprintf(path, sizeof(path), "%s/%s", paper->folder, picture->file);
    plot->theme = tg_themeLight; // pictures of the page stand on white
    tgError error = {0};
    return tgSavePlot(plot, path, &error) == tg_success ? tg_statusDone : tgSayFailed(path, &error);
}

/// Sections of everyone, and from their plane to pixels, y down.
typedef struct tgOutlineView {
    tgSection sections[4];
    float scale, x, y;
} tgOutlineView;

/// Leave out the pieces that are farther from the origin than that.
static void tgKeepNear(float focus, tgSection* section)
{
    int count = 0;
    for (int i = 0; i < section->count; ++i) {
        tgSegment s = section->segments[i];
        bool isNear = fabsf(s.x0) < focus && fabsf(s.y0) < focus && fabsf(s.x1) < focus &&
                      fabsf(s.y1) < focus;
        if (isNear) {
            section->segments[count++] = s;
        }
    }
    section->count = count;
}

static tgResult tgCutEveryone(const tgOutlines* outlines, tgOutlineView* view, tgError* error)
{
    tgResult result = tg_success;
    for (int i = 0; i < outlines->count && result == tg_success; ++i) {
        const tgScene* scene = outlines->actors[i]->scene;
        tgDrawMesh mesh = {
            .positions = {&outlines->actors[i]->positions->x, scene->vertexCount, sizeof(tgVec3)},
            .faceSizes = scene->faceSizes,
            .faceVertices = scene->faceVertices,
            .faceCount = scene->faceCount};
        result = tgCutMesh(&mesh, &outlines->plane, &view->sections[i], error);
        if (result == tg_success && outlines->focus > 0.0f) {
            tgKeepNear(outlines->focus, &view->sections[i]);
        }
    }
    return result;
}

static void tgFrameOutlines(const tgOutlines* outlines, tgRect rect, tgOutlineView* view)
{
    float left = FLT_MAX, right = -FLT_MAX, below = FLT_MAX, above = -FLT_MAX;
    for (int i = 0; i < outlines->count; ++i) {
        for (int k = 0; k < view->sections[i].count; ++k) {
            const tgSegment* s = &view->sections[i].segments[k];
            left = fminf(left, s->x0);
            right = fmaxf(right, s->x0);
            below = fminf(below, s->y0);
            above = fmaxf(above, s->y0);
        }
    }
    if (outlines->focus > 0.0f) {
        left = below = -outlines->focus;
        right = above = outlines->focus;
    }
    float width = fmaxf(right - left, 1e-12f), height = fmaxf(above - below, 1e-12f);
    view->scale = 0.9f * fminf((float)rect.width / width, (float)rect.height / height);
    view->x = (float)rect.x + 0.5f * ((float)rect.width - view->scale * (left + right));
    view->y = (float)rect.y + 0.5f * ((float)rect.height + view->scale * (below + above));
}

static tgResult tgDrawOutline(const tgSection* section, const tgOutlineView* view, tgColor color,
                              bool fill, float width, tgPicture* pixels, tgError* error)
{
    tgSegment* placed = malloc(((size_t)section->count + 1) * sizeof(tgSegment));
    if (placed == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for an outline");
    }
    for (int i = 0; i < section->count; ++i) {
        const tgSegment* s = &section->segments[i];
        placed[i] = (tgSegment){view->x + view->scale * s->x0, view->y - view->scale * s->y0,
                                view->x + view->scale * s->x1, view->y - view->scale * s->y1};
    }
    tgColor pale = color;
    pale.a = 0.18f;
    tgResult result =
        fill ? tgPicture_FillSegments(pixels, placed, section->count, pale, error) : tg_success;
    if (result == tg_success) {
        result = tgPicture_DrawSegments(pixels, placed, section->count, width, color, error);
    }
    free(placed);
    return result;
}

/// A section of lines from where the second actor's vertices are to where the first's are, of those
/// that lie in the plane and are far enough apart. Free it.
static tgResult tgLinkMoved(const tgOutlines* outlines, tgSection* links, tgError* error)
{
    const tgActor *to = outlines->actors[0], *from = outlines->actors[1];
    const tgPlane* plane = &outlines->plane;
    *links = (tgSection){0};
    links->segments = malloc(((size_t)from->scene->vertexCount + 1) * sizeof(tgSegment));
    if (links->segments == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for an outline");
    }
    for (int v = 0; v < from->scene->vertexCount; ++v) {
        tgVec3 a = tgSub(from->positions[v], plane->origin);
        tgVec3 b = tgSub(to->positions[v], plane->origin);
        bool isIn = fabsf(tgDot(plane->normal, a)) < 1e-3f * outlines->moved;
        if (isIn && tgDistance(a, b) > outlines->moved) {
            links->segments[links->count++] =
                (tgSegment){tgDot(plane->right, a), tgDot(plane->up, a), tgDot(plane->right, b),
                            tgDot(plane->up, b)};
        }
    }
    return tg_success;
}

int tgSaveOutlines(tgPaper* paper, tgPaperEntry* entry, const tgOutlines* outlines,
                   const char* words)
{
    static const unsigned int tg_colors[] = {0x0072b2, 0xd55e00, 0x009e73, 0xe69f00};
    tgError error = {0};
    tgOutlineView view = {0};
    tgLegendEntry names[4];
    float textSize = fmaxf(11.0f, (float)paper->height / 24.0f);
    int top = (int)(1.6f * textSize * (float)outlines->count + 0.5f * textSize);
    int width = outlines->focus > 0.0f ? paper->width : 2 * paper->width;
    tgPicture* pixels = tgCreatePicture(width, paper->height, tgMakeColor(0xffffff), &error);
    tgResult result = pixels != NULL ? tgCutEveryone(outlines, &view, &error) : tg_outOfMemory;
    tgRect rect = {0, top, width, paper->height - top};
    tgFrameOutlines(outlines, rect, &view);
    for (int i = 0; i < outlines->count && result == tg_success; ++i) {
        tgColor color = tgMakeColor(tg_colors[i]);
        names[i] = (tgLegendEntry){outlines->labels[i], color, true};
        result = tgDrawOutline(&view.sections[i], &view, color, i == 0 && outlines->focus == 0.0f,
                               fmaxf(1.5f, (float)paper->height / 250.0f), pixels, &error);
    }
    if (result == tg_success && outlines->moved > 0.0f) {
        tgSection links;
        result = tgLinkMoved(outlines, &links, &error);
        result = result == tg_success ? tgDrawOutline(&links, &view, tgMakeColor(0x2b2b2b), false,
                                                      1.0f, pixels, &error)
                                      : result;
        tgFreeSection(&links);
    }
    if (result == tg_success) {
        tgLegendDef legend = tgDefaultLegendDef();
        legend.textSize = textSize;
        legend.ink = tgMakeColor(0x2b2b2b);
        legend.entries = names;
        legend.entryCount = outlines->count;
        legend.rect = (tgRect){paper->width / 20, 0, width - paper->width / 10, paper->height};
        result = tgPicture_DrawLegend(pixels, &legend, &error);
    }
    for (int i = 0; i < outlines->count; ++i) {
        tgFreeSection(&view.sections[i]);
    }
    if (result != tg_success) {
        tgDestroyPicture(pixels);
        pixels = NULL;
    }
    return tgSavePixels(paper, entry, pixels, words, &error);
}
