// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A picture of one frame under every take of a measure, side by side and seen by one camera, each
// with its name and the volume it keeps.

#include "compare.h"

#include "actor.h"
#include "draw/picture.h"

#include <stdio.h>

enum { tg_panelWidth = 640, tg_panelHeight = 560, tg_mostParts = 8 };

/// One panel: a character, and words under it.
static tgResult tgDrawPanel(tgPicture* picture, const tgActor* actor, const tgDrawDef* view,
                            int panel, const char* label, tgError* error)
{
    const tgScene* scene = actor->scene;
    tgDrawMesh meshes[tg_mostParts] = {{{0}}};
    int count = scene->partCount < tg_mostParts ? scene->partCount : tg_mostParts;
    const int* corners = scene->faceVertices;
    int face = 0;
    for (int p = 0; p < count; ++p) {
        const tgScenePart* part = &scene->parts[p];
        for (; face < part->firstFace; ++face) {
            corners += scene->faceSizes[face];
        }
        const float* base = part->material >= 0 ? scene->materials[part->material].baseColor
                                                : (const float[4]){0.6f, 0.6f, 0.6f, 1.0f};
        meshes[p].positions =
            (tgVec3View){&actor->positions->x, scene->vertexCount, sizeof(tgVec3)};
        meshes[p].normals = (tgVec3View){&actor->normals->x, scene->vertexCount, sizeof(tgVec3)};
        meshes[p].color = (tgColor){base[0], base[1], base[2], 1.0f};
        meshes[p].faceSizes = scene->faceSizes + part->firstFace;
        meshes[p].faceVertices = corners;
        meshes[p].faceCount = part->faceCount;
    }
    tgDrawDef draw = *view;
    draw.meshes = meshes;
    draw.meshCount = count;
    draw.viewport = (tgRect){panel * tg_panelWidth, 0, tg_panelWidth, tg_panelHeight};
    tgTextDef text = tgDefaultTextDef();
    text.text = label;
    text.x = ((float)panel + 0.5f) * tg_panelWidth;
    text.y = tg_panelHeight - 22.0f;
    text.size = 24.0f;
    text.align = tg_alignCenter;
    tgResult result = tgPicture_DrawMeshes(picture, &draw, error);
    return result == tg_success ? tgPicture_DrawText(picture, &text, error) : result;
}

/// The actors in the frame, and a view that shows all of them.
static tgResult tgStageTakes(const tgShot* shot, const tgMeasure* measure, int frame,
                             tgVec3 direction, tgActor* actors, tgDrawDef* view, tgError* error)
{
    tgVolumeDef volume = tgShot_GetVolume(shot);
    tgBounds bounds = tgEmptyBounds();
    for (int t = 0; t < measure->takeCount; ++t) {
        bool corrected = t == tg_takeCorrected;
        tgActorDef def = {.scene = shot->scene,
                          .skinning = corrected ? shot->skinning : (tgSkinning)t,
                          .volume = corrected ? &volume : NULL,
                          .pool = shot->pool};
        tgResult result = tgOpenActor(&def, &actors[t], error);
        if (result == tg_success) {
            result = tgActor_Play(&actors[t], shot->animation, measure->times[frame], error);
        }
        if (result != tg_success) {
            return result;
        }
        tgBounds_Add(&bounds, (tgVec3View){&actors[t].positions->x, shot->scene->vertexCount,
                                           sizeof(tgVec3)});
    }
    tgVec3 corners[8];
    tgBounds_GetCorners(&bounds, corners);
    tgCameraDef camera = tgDefaultCameraDef();
    camera.viewport = (tgRect){0, 0, tg_panelWidth, tg_panelHeight};
    camera.direction = direction;
    camera.margin = 0.08f;
    *view = tgDefaultDrawDef();
    view->groundHeight = bounds.lower.y;
    return tgFrameCamera(&camera, (tgVec3View){&corners[0].x, 8, sizeof(tgVec3)}, &view->camera,
                         error);
}

tgResult tgDrawComparison(const tgShot* shot, const tgMeasure* measure, int frame, tgVec3 direction,
                          const char* path, tgError* error)
{
    static const char* const tg_labels[] = {"linear", "dual quaternion", "corrected"};
    tgActor actors[tg_takeCount] = {{0}};
    tgDrawDef view;
    tgPicture* picture = NULL;
    tgResult result = tgStageTakes(shot, measure, frame, direction, actors, &view, error);
    if (result == tg_success) {
        picture = tgCreatePicture(measure->takeCount * tg_panelWidth, tg_panelHeight,
                                  tgMakeColor(0xffffff), error);
        result = picture != NULL ? tg_success : error->code;
    }
    for (int t = 0; t < measure->takeCount && result == tg_success; ++t) {
        char label[64];
        // Two digits of nothing, without its sign.
        double percent = 100.0 * tgMeasure_GetError(measure, (tgTake)t, frame);
        snprintf(label, sizeof(label),
                 percent > -0.005 && percent < 0.005 ? "%s  0.00 %% volume" : "%s  %+.2f %% volume",
                 tg_labels[t], percent);
        result = tgDrawPanel(picture, &actors[t], &view, t, label, error);
    }
    result = result == tg_success ? tgPicture_SavePng(picture, path, error) : result;
    tgDestroyPicture(picture);
    for (int t = 0; t < tg_takeCount; ++t) {
        tgCloseActor(&actors[t]);
    }
    return result;
}
