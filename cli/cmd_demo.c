// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor demo [-o DIR]: the main job on an embedded character. Writes the rigged elephant and its
// bake, a picture of the frame that lost most, a plot, and prints the table.

#include "actor.h"
#include "args.h"
#include "commands.h"
#include "draw/picture.h"
#include "measure.h"
#include "report.h"
#include "turgor/io.h"
#include "turgor/models.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { tg_panelWidth = 640, tg_panelHeight = 560, tg_pathSize = 1024 };

/// One panel of the picture: the character under one blend, with its name and volume.
static tgResult tgDrawPanel(tgPicture* picture, const tgActor* actor, const tgCamera* camera,
                            float ground, int panel, const char* label, tgError* error)
{
    const tgScene* scene = actor->scene;
    tgDrawMesh meshes[8] = {{{0}}};
    int count = scene->partCount < 8 ? scene->partCount : 8;
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
    tgDrawDef draw = tgDefaultDrawDef();
    draw.meshes = meshes;
    draw.meshCount = count;
    draw.camera = *camera;
    draw.groundHeight = ground;
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

/// The worst frame under linear and dual quaternion skinning side by side, seen by one camera.
static tgResult tgDrawComparison(const tgShot* shot, const tgMeasure* measure, const char* path,
                                 tgError* error)
{
    int worst = tgMeasure_GetWorstFrame(measure, tg_linear);
    double time = measure->times[worst];
    tgActor actors[2] = {{0}};
    tgBounds bounds = tgEmptyBounds();
    tgResult result = tg_success;
    for (int s = 0; s < 2 && result == tg_success; ++s) {
        result = tgOpenActor(shot->scene, (tgSkinning)s, shot->pool, &actors[s], error);
        result =
            result == tg_success ? tgActor_Play(&actors[s], shot->animation, time, error) : result;
        if (result == tg_success) {
            tgBounds_Add(&bounds, (tgVec3View){&actors[s].positions->x, shot->scene->vertexCount,
                                               sizeof(tgVec3)});
        }
    }
    tgPicture* picture = NULL;
    tgCamera camera;
    tgVec3 cornersOfBounds[8];
    if (result == tg_success) {
        tgBounds_GetCorners(&bounds, cornersOfBounds);
        tgCameraDef def = tgDefaultCameraDef();
        def.viewport = (tgRect){0, 0, tg_panelWidth, tg_panelHeight};
        def.direction = tgMakeVec3(0.9f, 0.25f, 0.55f);
        def.margin = 0.08f;
        result = tgFrameCamera(&def, (tgVec3View){&cornersOfBounds[0].x, 8, sizeof(tgVec3)},
                               &camera, error);
    }
    if (result == tg_success) {
        picture = tgCreatePicture(2 * tg_panelWidth, tg_panelHeight, tgMakeColor(0xffffff), error);
        result = picture != NULL ? tg_success : error->code;
    }
    for (int s = 0; s < 2 && result == tg_success; ++s) {
        char label[64];
        snprintf(label, sizeof(label), "%s  %+.1f %% volume", s == 0 ? "linear" : "dual quaternion",
                 100.0 * tgMeasure_GetError(measure, (tgSkinning)s, worst));
        result = tgDrawPanel(picture, &actors[s], &camera, bounds.lower.y, s, label, error);
    }
    result = result == tg_success ? tgPicture_SavePng(picture, path, error) : result;
    tgDestroyPicture(picture);
    tgCloseActor(&actors[0]);
    tgCloseActor(&actors[1]);
    return result;
}

static void tgPrintTable(const tgMeasure* measure)
{
    printf("%8s %12s %12s\n", "time s", "linear %", "dual quat %");
    int step = measure->frameCount > 12 ? (measure->frameCount + 11) / 12 : 1;
    for (int i = 0; i < measure->frameCount; i += step) {
        printf("%8.2f %+12.2f %+12.2f\n", measure->times[i],
               100.0 * tgMeasure_GetError(measure, tg_linear, i),
               100.0 * tgMeasure_GetError(measure, tg_dualQuaternion, i));
    }
    printf("%8s %+12.2f %+12.2f\n\n", "worst", 100.0 * tgMeasure_GetWorst(measure, tg_linear),
           100.0 * tgMeasure_GetWorst(measure, tg_dualQuaternion));
}

static int tgRunDemo(const char* folder)
{
    char rigged[tg_pathSize], baked[tg_pathSize], picture[tg_pathSize], plot[tg_pathSize];
    snprintf(rigged, sizeof(rigged), "%s/elephant.glb", folder);
    snprintf(baked, sizeof(baked), "%s/elephant_baked.glb", folder);
    snprintf(picture, sizeof(picture), "%s/elephant.png", folder);
    snprintf(plot, sizeof(plot), "%s/elephant_volume.svg", folder);
    tgError error = {0};
    tgScene* elephant = tgCreateModel("elephant", 0, &error);
    tgHoldInterrupt();
    tgResult saved = elephant != NULL ? tgSaveScene(elephant, rigged, &error) : error.code;
    tgDestroyScene(elephant);
    if (saved != tg_success) {
        return tgSayFailed(rigged, &error);
    }
    char* bake[] = {rigged, "-o", baked};
    int status = tgCommandBake(3, bake);
    if (status != tg_statusDone) {
        return status;
    }
    tgShot shot;
    tgMeasure measure = {0};
    tgShotOptions options = tgDefaultShotOptions();
    status = tgOpenShot(rigged, &options, &shot);
    status = status == tg_statusDone ? tgMeasureShot(&shot, &measure) : status;
    if (status == tg_statusDone) {
        printf("\nvolume lost by skinning, against the volume to keep:\n\n");
        tgPrintTable(&measure);
        status = tgPlotMeasure(&measure, "The elephant sits down: volume over time", plot);
    }
    if (status == tg_statusDone &&
        tgDrawComparison(&shot, &measure, picture, &error) != tg_success) {
        status = tgSayFailed(picture, &error);
    }
    if (status == tg_statusDone) {
        printf("rigged   %s\nbaked    %s\npicture  %s\nplot     %s\n", rigged, baked, picture,
               plot);
    }
    tgFreeMeasure(&measure);
    tgCloseShot(&shot);
    return status;
}

int tgCommandDemo(int argc, char** argv)
{
    const char* folder = "demo";
    const tgOption table[] = {
        {"-o", "DIR", tg_optionText, &folder, "where to write; default demo"},
    };
    const tgVerb verb = {
        "demo", NULL, false, "Bake the embedded elephant: GLB, picture, plot, table.", table, 1};
    const char* operand;
    tgParse parse = tgParseArguments(&verb, argc, argv, &operand);
    if (parse != tg_parseRun) {
        return parse == tg_parseDone ? tg_statusDone : tg_statusUsage;
    }
    if (strlen(folder) + 32 > tg_pathSize) {
        return tgSayFailure(folder, "is too long a name, at most %d bytes", tg_pathSize - 32);
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return tgSayFailure(folder, "cannot be made: %s", strerror(errno));
    }
    return tgRunDemo(folder);
}
