// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A figure: panels side by side, seen by one camera, each with its label, and a legend.

#include "figure.h"

#include "core/core.h"
#include "draw/lines.h"
#include "draw/scale.h"
#include "facing.h"
#include "view.h"

#include <float.h>
#include <stdlib.h>

/// How far light is kept off colours that stand for values.
static const float tg_mapClarity = 0.55f;
/// Colours whose channels differ by less are greys; greys from here on would be lost on white.
static const float tg_palest = 0.85f, tg_lightGrey = 0.45f;
/// A character that goes less far than this, in rest diagonals, stays where it is.
static const float tg_leastWay = 0.1f;
/// Width of a scale in letters of the figure; the most of a panel's width that any legend takes.
static const float tg_scaleLetters = 6.7f, tg_mostLegend = 0.36f;
/// Height of a scale, and the most of a list, over the picture's.
static const float tg_scaleHeight = 0.72f, tg_listHeight = 0.92f;

/// Where the legend stands: as wide as it must be, at the right. Small pictures have none.
static void tgSettleLegend(tgFigure* figure)
{
    float size = tgFigure_GetTextSize(figure), padding = 0.8f * size;
    bool isScale = tgShow_HasValues(figure->show);
    float most = tg_mostLegend * (float)figure->look.width / (float)figure->panelCount;
    float share = isScale ? tg_scaleHeight : tg_listHeight;
    int height = (int)(share * (float)figure->look.height);
    tgLegendDef* legend = &figure->legend;
    *legend = tgDefaultLegendDef();
    legend->textSize = 0.8f * size;
    legend->ink = figure->look.ink;
    legend->rect = (tgRect){0, (figure->look.height - height) / 2, (int)(most - padding), height};
    figure->legendWidth = 0;
    if (!tgIsLegendReadable(legend)) {
        return;
    }
    // The range of a scale is known when all is seen; its width is not about that.
    tgShow_FillLegend(figure->show, 1.0f, figure->isSeen, legend, figure->entries);
    int width =
        isScale ? (int)fminf(tg_scaleLetters * size, most - padding) : tgMeasureLegend(legend);
    legend->rect.width = width > 1 ? width : 1;
    figure->legendWidth = legend->rect.width + (int)padding;
    legend->rect.x = figure->look.width - figure->legendWidth + (int)(0.3f * size);
}

tgResult tgOpenFigure(tgFigure* figure, tgError* error)
{
    const tgScene* scene = figure->scene;
    size_t vertexCount = (size_t)scene->vertexCount + 1;
    figure->lowest = FLT_MAX;
    figure->range = tgShow_GetFixedRange(figure->show);
    figure->entries = calloc((size_t)scene->jointCount + 1, sizeof(tgLegendEntry));
    figure->paint = calloc(vertexCount, sizeof(tgColor));
    if (figure->paint == NULL || figure->entries == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory for the picture");
    }
    if (!tgShow_Paint(figure->show, figure->rig, figure->paint)) {
        free(figure->paint);
        figure->paint = NULL;
    }
    size_t cornerCount = 0;
    for (int f = 0; f < scene->faceCount; ++f) {
        cornerCount += (size_t)scene->faceSizes[f];
    }
    figure->isOpen = calloc((size_t)scene->partCount + 1, sizeof(bool));
    int* corners = calloc(cornerCount + 1, sizeof(int));
    if (figure->isOpen == NULL || corners == NULL ||
        !tgFindOpenParts(figure->rig, scene, figure->isOpen) ||
        !tgTurnOutwards(figure->rig, scene, corners)) {
        free(corners);
        return tgFail(error, tg_outOfMemory, -1, "out of memory for the picture");
    }
    tgCreaseDef creases = tgDefaultCreaseDef();
    creases.positions = (tgVec3View){&scene->positions->x, scene->vertexCount, sizeof(tgVec3)};
    creases.welded = tgRig_GetWeldedVertices(figure->rig);
    creases.faceSizes = scene->faceSizes;
    creases.faceVertices = corners;
    creases.faceCount = scene->faceCount;
    tgResult result = tgFindCreases(&creases, &figure->creases, error);
    free(corners);
    return result;
}

void tgFigure_SetSize(tgFigure* figure, int panelCount, int width, int height)
{
    figure->panelCount = panelCount;
    figure->look.width = width;
    figure->look.height = height;
    figure->labelSize = tgFigure_GetTextSize(figure);
    if (tgShow_HasLegend(figure->show) && !figure->isBare) {
        tgSettleLegend(figure);
    }
}

void tgCloseFigure(tgFigure* figure)
{
    tgFreeCreases(&figure->creases);
    free(figure->extremes);
    free(figure->frames);
    tgFreeFollow(&figure->follow);
    free(figure->paint);
    free(figure->entries);
    free(figure->isOpen);
    free(figure->isSeen);
    *figure = (tgFigure){0};
}

float tgFigure_GetTextSize(const tgFigure* figure)
{
    float size = (float)figure->look.height / 26.0f;
    return size < 11.0f ? 11.0f : (size > 64.0f ? 64.0f : size);
}

tgRect tgFigure_GetPanelRect(const tgFigure* figure, int i)
{
    int width = (figure->look.width - figure->legendWidth) / figure->panelCount;
    int label = figure->hasLabels ? (int)(2.2f * tgFigure_GetTextSize(figure)) : 0;
    return (tgRect){i * width, 0, width, figure->look.height - label};
}

static tgCameraDef tgGetCameraDef(const tgFigure* figure)
{
    tgCameraDef def = tgDefaultCameraDef();
    def.viewport = tgFigure_GetPanelRect(figure, 0);
    def.direction = figure->look.direction;
    def.margin = 0.07f;
    return def;
}

static tgResult tgWatchPoints(tgFigure* figure, tgVec3View points, tgError* error)
{
    if (points.count == 0) {
        return tg_success;
    }
    if (figure->extremeCount + tg_extremeCount > figure->extremeRoom) {
        int room = 2 * figure->extremeRoom + 8 * tg_extremeCount;
        tgVec3* grown = realloc(figure->extremes, (size_t)room * sizeof(tgVec3));
        figure->extremes = grown != NULL ? grown : figure->extremes;
        int* frames = realloc(figure->frames, (size_t)room * sizeof(int));
        figure->frames = frames != NULL ? frames : figure->frames;
        if (grown == NULL || frames == NULL) {
            return tgFail(error, tg_outOfMemory, -1, "out of memory for the camera");
        }
        figure->extremeRoom = room;
    }
    tgCameraDef def = tgGetCameraDef(figure);
    tgResult result = tgPickExtremes(&def, points, figure->extremes + figure->extremeCount, error);
    for (int i = 0; i < tg_extremeCount && result == tg_success; ++i) {
        figure->frames[figure->extremeCount++] = figure->follow.count - 1;
    }
    return result;
}

/// The vertices in focus alone.
static tgResult tgWatchFocus(tgFigure* figure, const tgVec3* positions, tgError* error)
{
    int count = 0;
    tgVec3* points = malloc(((size_t)figure->scene->vertexCount + 1) * sizeof(tgVec3));
    if (points == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the camera");
    }
    for (int v = 0; v < figure->scene->vertexCount; ++v) {
        if (figure->focus[v]) {
            points[count++] = positions[v];
        }
    }
    tgResult result = tgWatchPoints(figure, (tgVec3View){&points->x, count, sizeof(tgVec3)}, error);
    free(points);
    return result;
}

/// All labels are as small as the longest must be.
static void tgFitLabel(tgFigure* figure, const char* label)
{
    float widest = 0.92f * (float)tgFigure_GetPanelRect(figure, 0).width;
    float width = tgMeasureText(label, figure->labelSize);
    figure->labelSize *= width > widest ? widest / width : 1.0f;
}

void tgFigure_ChooseView(tgFigure* figure, const tgVec3* positions)
{
    if (!figure->look.hasView) {
        figure->look.direction = figure->focus != NULL
                                     ? tgChooseViewOfPart(figure->scene, positions, figure->focus)
                                     : tgChooseView(figure->rig, figure->scene, positions);
        figure->look.hasView = true;
    }
}

/// The ball about what is in focus: corners and faces of a cube, on the ball.
static tgResult tgWatchBall(tgFigure* figure, const tgPanel* panel, tgError* error)
{
    tgVec3 points[27];
    int count = 0;
    for (int i = 0; i < 27; ++i) {
        tgVec3 way = tgMakeVec3((float)(i % 3 - 1), (float)(i / 3 % 3 - 1), (float)(i / 9 - 1));
        tgVec3 unit = tgNormalize(way, tgMakeVec3(0.0f, 0.0f, 0.0f));
        points[count++] = tgMulAdd(panel->place, panel->reach, unit);
    }
    return tgWatchPoints(figure, (tgVec3View){&points->x, count, sizeof(tgVec3)}, error);
}

tgResult tgFigure_Watch(tgFigure* figure, const tgPanel* panel, tgError* error)
{
    int count = figure->scene->vertexCount;
    bool inFocus = panel->reach > 0.0f;
    for (int v = 0; v < count; ++v) {
        tgVec3 p = panel->positions[v];
        bool isSeen = !inFocus || tgDistance(p, panel->place) <= panel->reach;
        figure->lowest = fminf(figure->lowest, p.y);
        if (panel->values != NULL && isSeen && tgShow_GetFixedRange(figure->show) == 0.0f) {
            figure->range = fmaxf(figure->range, panel->values[v]);
        }
    }
    tgFitLabel(figure, panel->label);
    if (inFocus && !figure->look.hasView) {
        figure->look.direction = panel->outlook;
        figure->look.hasView = true;
    }
    tgFigure_ChooseView(figure, panel->positions);
    if (inFocus) {
        return tgWatchBall(figure, panel, error);
    }
    if (figure->focus != NULL) {
        return tgWatchFocus(figure, panel->positions, error);
    }
    tgVec3View skin = {&panel->positions->x, count, sizeof(tgVec3)};
    tgResult result = tgWatchPoints(figure, skin, error);
    if (panel->props != NULL && result == tg_success) {
        int propCount = panel->props->shownCount;
        for (int v = 0; v < propCount; ++v) {
            figure->lowest = fminf(figure->lowest, panel->propPositions[v].y);
        }
        tgVec3View props = {&panel->propPositions->x, propCount, sizeof(tgVec3)};
        result = tgWatchPoints(figure, props, error);
    }
    tgVec3View marks = tgSolids_GetMesh(&panel->marks, figure->look.ink).positions;
    tgVec3View bones = tgSolids_GetMesh(&panel->bones, figure->look.ink).positions;
    result = result == tg_success ? tgWatchPoints(figure, marks, error) : result;
    return result == tg_success ? tgWatchPoints(figure, bones, error) : result;
}

tgResult tgFigure_WatchExtremes(tgFigure* figure, const tgFigure* other, int count, tgError* error)
{
    tgResult result = tg_success;
    for (int i = 0; i < count && result == tg_success; i += tg_extremeCount) {
        tgVec3View points = {&other->extremes[i].x, tg_extremeCount, sizeof(tgVec3)};
        result = tgWatchPoints(figure, points, error);
    }
    figure->range = fmaxf(figure->range, other->range);
    figure->lowest = fminf(figure->lowest, other->lowest);
    figure->labelSize = fminf(figure->labelSize, other->labelSize);
    return result;
}

tgResult tgFigure_NextFrame(tgFigure* figure, tgVec3 place, tgError* error)
{
    return tgFollow_Add(&figure->follow, place)
               ? tg_success
               : tgFail(error, tg_outOfMemory, -1, "out of memory for the camera");
}

tgVec3 tgFigure_GetShift(const tgFigure* figure, int frame)
{
    bool isThere = frame >= 0 && frame < figure->follow.count;
    return isThere ? figure->follow.places[frame] : tgMakeVec3(0.0f, 0.0f, 0.0f);
}

tgResult tgFigure_Aim(tgFigure* figure, tgError* error)
{
    if (tgShow_HasValues(figure->show)) {
        tgShow_FillLegend(figure->show, figure->range, figure->isSeen, &figure->legend,
                          figure->entries);
    }
    tgFollow_Settle(&figure->follow, figure->followWindow,
                    tg_leastWay * tgRig_GetInfo(figure->rig).restDiagonal);
    for (int i = 0; i < figure->extremeCount; ++i) {
        tgVec3 shift = tgFigure_GetShift(figure, figure->frames[i]);
        figure->extremes[i] = tgSub(figure->extremes[i], shift);
    }
    tgCameraDef def = tgGetCameraDef(figure);
    tgVec3View points = {figure->extremeCount > 0 ? &figure->extremes->x : NULL,
                         figure->extremeCount, sizeof(tgVec3)};
    return tgFrameCamera(&def, points, &figure->camera, error);
}

/// A part's own colour. White and light greys are what files say that mean their texture, or
/// nothing: clay shows the shape, on white too.
static tgColor tgGetPartColor(const tgFigure* figure, const tgScene* scene, const tgScenePart* part)
{
    if (figure->look.hasColor) {
        return figure->look.color;
    }
    if (part->material >= 0) {
        const float* base = scene->materials[part->material].baseColor;
        float most = fmaxf(base[0], fmaxf(base[1], base[2]));
        float least = fminf(base[0], fminf(base[1], base[2]));
        if (least < tg_palest * most || most < tg_lightGrey) {
            return (tgColor){base[0], base[1], base[2], 1.0f};
        }
    }
    return tgMakeColor(0xbba893);
}

/// A panel's skin as it is drawn.
typedef struct tgSkinShape {
    tgVec3 *places, *normals; ///< of the points of the figure's creases
    tgColor* colors;          ///< NULL: the parts' own
} tgSkinShape;

static void tgFreeSkinShape(tgSkinShape* shape)
{
    free(shape->places);
    free(shape->normals);
    free(shape->colors);
}

/// False without memory; free in either case.
static bool tgShapeSkin(const tgFigure* figure, const tgPanel* panel, tgSkinShape* shape)
{
    const tgCreases* creases = &figure->creases;
    size_t count = (size_t)creases->pointCount + 1;
    bool isColored = panel->values != NULL || figure->paint != NULL;
    *shape = (tgSkinShape){.places = malloc(count * sizeof(tgVec3)),
                           .normals = malloc(count * sizeof(tgVec3)),
                           .colors = isColored ? malloc(count * sizeof(tgColor)) : NULL};
    if (shape->places == NULL || shape->normals == NULL || (isColored && shape->colors == NULL)) {
        return false;
    }
    tgVec3View positions = {&panel->positions->x, figure->scene->vertexCount, sizeof(tgVec3)};
    tgCreases_Shape(creases, positions, shape->places, shape->normals);
    float scale = figure->range > 0.0f ? 1.0f / figure->range : 0.0f;
    for (int i = 0; isColored && i < creases->pointCount; ++i) {
        int v = creases->vertices[i];
        shape->colors[i] =
            panel->values != NULL ? tgGetScaleColor(scale * panel->values[v]) : figure->paint[v];
    }
    return true;
}

/// One mesh for each part of a scene; they share their points.
/// @param common what all of them have
/// @param corners of all faces
static void tgFillMeshes(const tgFigure* figure, const tgScene* scene, const tgDrawMesh* common,
                         const int* corners, tgDrawMesh* meshes)
{
    int corner = 0, face = 0;
    for (int p = 0; p < scene->partCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        for (; face < part->firstFace; ++face) {
            corner += scene->faceSizes[face];
        }
        meshes[p] = *common;
        meshes[p].color = tgGetPartColor(figure, scene, part);
        meshes[p].faceSizes = scene->faceSizes + part->firstFace;
        meshes[p].faceVertices = corners + corner;
        meshes[p].faceCount = part->faceCount;
        meshes[p].wireframe = figure->look.wireframe;
    }
}

static void tgFillPartMeshes(const tgFigure* figure, const tgSkinShape* shape, tgDrawMesh* meshes)
{
    const tgCreases* creases = &figure->creases;
    tgDrawMesh common = {
        .positions = {&shape->places->x, creases->pointCount, sizeof(tgVec3)},
        .normals = {&shape->normals->x, creases->pointCount, sizeof(tgVec3)},
        .vertexColors = shape->colors,
        .ghost = tgShow_IsGlass(figure->show),
    };
    tgFillMeshes(figure, figure->scene, &common, creases->corners, meshes);
    for (int p = 0; p < figure->scene->partCount; ++p) {
        meshes[p].twoSided = figure->isOpen[p];
    }
}

/// What has no skin; pale where colours mean something.
static void tgFillPropMeshes(const tgFigure* figure, const tgPanel* panel, bool isColored,
                             tgDrawMesh* meshes)
{
    const tgProps* props = panel->props;
    for (int i = 0; i < props->propCount; ++i) {
        const tgProp* prop = &props->props[i];
        const tgVec3* positions = panel->propPositions + prop->firstShown;
        const tgVec3* normals = panel->propNormals + prop->firstShown;
        for (int p = prop->firstPart; p < prop->firstPart + prop->partCount; ++p, ++meshes) {
            const tgScenePart* part = &props->scene->parts[p];
            *meshes = (tgDrawMesh){
                .positions = {&positions->x, prop->vertexCount, sizeof(tgVec3)},
                .normals = {&normals->x, prop->vertexCount, sizeof(tgVec3)},
                .twoSided = true,
                .color =
                    isColored ? tgMakeColor(0xd8d8d8) : tgGetPartColor(figure, props->scene, part),
                .faceSizes = props->scene->faceSizes + part->firstFace,
                .faceVertices = props->scene->faceVertices + props->partCorners[p],
                .faceCount = part->faceCount,
                .wireframe = figure->look.wireframe,
            };
        }
    }
}

tgResult tgFigure_DrawPanel(const tgFigure* figure, tgPicture* picture, const tgPanel* panel,
                            tgRect rect, tgThreadPool* pool, tgError* error)
{
    int partCount = figure->scene->partCount;
    int propCount = panel->props != NULL ? panel->props->shownPartCount : 0;
    tgSkinShape shape;
    tgDrawMesh* meshes = calloc((size_t)partCount + (size_t)propCount + 2, sizeof(tgDrawMesh));
    if (!tgShapeSkin(figure, panel, &shape) || meshes == NULL || panel->marks.failed ||
        panel->bones.failed) {
        tgFreeSkinShape(&shape);
        free(meshes);
        return tgFail(error, tg_outOfMemory, -1, "out of memory to draw %d vertices",
                      figure->scene->vertexCount);
    }
    tgFillPartMeshes(figure, &shape, meshes);
    meshes[partCount] = tgSolids_GetMesh(&panel->marks, tgMakeColor(0xd55e00));
    meshes[partCount + 1] = tgSolids_GetMesh(&panel->bones, tgMakeColor(0xe9dfc8));
    if (panel->props != NULL) {
        tgFillPropMeshes(figure, panel, shape.colors != NULL, meshes + partCount + 2);
    }
    tgDrawDef def = tgDefaultDrawDef();
    def.meshes = meshes;
    def.meshCount = partCount + propCount + 2;
    def.camera = figure->camera;
    def.camera.eye = tgAdd(def.camera.eye, panel->shift);
    def.viewport = rect;
    // Glass casts no shadow, and the little that stands in it casts streaks.
    def.ground = figure->look.hasGround && !tgShow_IsGlass(figure->show);
    def.groundHeight = figure->lowest;
    def.clarity = shape.colors != NULL ? tg_mapClarity : 0.0f;
    def.wireframeWidth = fmaxf(0.6f, (float)figure->look.height / 900.0f);
    if (pool != NULL) {
        def.parallelFor = tgThreadPool_Run;
        def.parallelUser = pool;
    }
    tgResult result = tgPicture_DrawMeshes(picture, &def, error);
    tgFreeSkinShape(&shape);
    free(meshes);
    return result;
}

tgResult tgFigure_DrawLabel(const tgFigure* figure, tgPicture* picture, tgRect rect,
                            const char* label, tgError* error)
{
    tgTextDef text = tgDefaultTextDef();
    text.text = label;
    text.size = figure->labelSize;
    text.x = (float)rect.x + 0.5f * (float)rect.width;
    text.y = (float)(rect.y + rect.height) + 1.1f * tgFigure_GetTextSize(figure);
    text.align = tg_alignCenter;
    text.color = figure->look.ink;
    return tgPicture_DrawText(picture, &text, error);
}

tgPicture* tgFigure_Draw(const tgFigure* figure, const tgPanel* panels, tgThreadPool* pool,
                         tgError* error)
{
    const tgLook* look = &figure->look;
    tgPicture* picture = tgCreatePicture(look->width, look->height, look->background, error);
    tgResult result = picture != NULL ? tg_success : tg_outOfMemory;
    for (int i = 0; i < figure->panelCount && result == tg_success; ++i) {
        tgRect rect = tgFigure_GetPanelRect(figure, i);
        result = tgFigure_DrawPanel(figure, picture, &panels[i], rect, pool, error);
        if (figure->hasFrames) {
            tgPicture_DrawFrame(picture, rect, 1, tgMakeColor(0xc8c8c8));
        }
        if (result == tg_success && figure->hasLabels && panels[i].label[0] != '\0') {
            result = tgFigure_DrawLabel(figure, picture, rect, panels[i].label, error);
        }
    }
    if (result == tg_success && figure->legendWidth > 0) {
        result = tgPicture_DrawLegend(picture, &figure->legend, error);
    }
    if (result != tg_success) {
        tgDestroyPicture(picture);
        picture = NULL;
    }
    return picture;
}
