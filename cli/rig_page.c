// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skeleton that was found, as one page. The skin is glass; kept extremities are red, the one that
// the skeleton was walked from is green, dropped ones are grey.

#include "rig_page.h"

#include "core/core.h"
#include "draw/page.h"
#include "draw/solids.h"
#include "io/output_file.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { tg_pageWidth = 420, tg_pageHeight = 420 };

/// Of the diagonal: the radius of a bone, of a joint, of a tip.
static const float tg_pageBone = 0.006f, tg_pageJoint = 0.0045f, tg_pageTip = 0.008f;

const char* tgGetPlanName(tgBodyPlan plan)
{
    static const char* const names[] = {"auto", "biped", "quadruped", "hand", "none"};
    return names[plan];
}

const char* tgGetFateName(tgTipFate fate)
{
    static const char* const names[] = {"kept", "added", "too blunt", "a pocket", "a toe"};
    return names[fate];
}

/// All that is drawn, as it stands in the file.
typedef struct tgRigModel {
    tgVec3* positions;
    tgSolids bones, kept, source, dropped;
    float diagonal;
} tgRigModel;

static tgVec3 tgStand(const tgRigPageDef* def, tgVec3 p)
{
    return tgMulMatPoint(def->bindToModel, p);
}

static void tgAddSkeleton(const tgRigPageDef* def, tgRigModel* model)
{
    const tgAutorig* rig = def->rig;
    float bone = tg_pageBone * model->diagonal;
    for (int j = 0; j < rig->jointCount; ++j) {
        const tgAutorigJoint* joint = &rig->joints[j];
        tgVec3 here = tgStand(def, joint->position), tail = tgStand(def, joint->tail);
        tgSolids_AddBall(&model->bones, here, tg_pageJoint * model->diagonal);
        if (joint->parent >= 0) {
            tgSolids_AddBone(&model->bones, tgStand(def, rig->joints[joint->parent].position), here,
                             bone);
        }
        if (tgDistance(here, tail) > 0.0f) {
            tgSolids_AddBone(&model->bones, here, tail, bone);
        }
    }
    for (int i = 0; i < rig->tipCount; ++i) {
        bool isKept = rig->tips[i].fate <= tg_tipAdded;
        tgSolids_AddBall(i == rig->source ? &model->source
                         : isKept         ? &model->kept
                                          : &model->dropped,
                         tgStand(def, rig->tips[i].position), tg_pageTip * model->diagonal);
    }
}

static void tgFreeRigModel(tgRigModel* model)
{
    free(model->positions);
    tgFreeSolids(&model->bones);
    tgFreeSolids(&model->kept);
    tgFreeSolids(&model->source);
    tgFreeSolids(&model->dropped);
}

static bool tgMakeRigModel(const tgRigPageDef* def, tgRigModel* model)
{
    const tgScene* scene = def->scene;
    *model = (tgRigModel){0};
    model->positions = calloc((size_t)scene->vertexCount + 1, sizeof(tgVec3));
    if (model->positions == NULL) {
        return false;
    }
    tgBounds bounds = tgEmptyBounds();
    for (int v = 0; v < scene->vertexCount; ++v) {
        model->positions[v] = tgStand(def, scene->positions[v]);
    }
    tgBounds_Add(&bounds, (tgVec3View){&model->positions->x, scene->vertexCount, sizeof(tgVec3)});
    model->diagonal = tgDistance(bounds.lower, bounds.upper);
    tgAddSkeleton(def, model);
    return !model->bones.failed && !model->kept.failed && !model->source.failed &&
           !model->dropped.failed;
}

static tgResult tgAddView(const tgRigPageDef* def, const tgRigModel* model, tgView view,
                          const char* name, FILE* file, tgError* error)
{
    const tgScene* scene = def->scene;
    tgVec3View points = {&model->positions->x, scene->vertexCount, sizeof(tgVec3)};
    tgPicture* picture = tgCreatePicture(tg_pageWidth, tg_pageHeight, tgMakeColor(0xffffff), error);
    if (picture == NULL) {
        return error->code;
    }
    tgDrawMesh meshes[5] = {{.positions = points,
                             .color = tgMakeColor(0x9fb4c7),
                             .faceSizes = scene->faceSizes,
                             .faceVertices = scene->faceVertices,
                             .faceCount = scene->faceCount,
                             .ghost = true,
                             .twoSided = true}};
    const tgSolids* solids[4] = {&model->bones, &model->kept, &model->source, &model->dropped};
    static const unsigned int colors[4] = {0xe8dcc0, 0xc83232, 0x2f9e44, 0x8a8f98};
    int count = 1;
    for (int k = 0; k < 4; ++k) {
        if (solids[k]->triangleCount > 0) {
            meshes[count++] = tgSolids_GetMesh(solids[k], tgMakeColor(colors[k]));
        }
    }
    tgCameraDef camera = tgDefaultCameraDef();
    camera.viewport = (tgRect){0, 0, tg_pageWidth, tg_pageHeight};
    camera.direction = tgGetViewDirection(view);
    tgDrawDef draw = tgDefaultDrawDef();
    draw.meshes = meshes;
    draw.meshCount = count;
    draw.ground = false;
    draw.lightCount = 64;
    tgResult result = tgFrameCamera(&camera, points, &draw.camera, error);
    result = result == tg_success ? tgPicture_DrawMeshes(picture, &draw, error) : result;
    result = result == tg_success ? tgPage_AddPicture(file, picture, name, error) : result;
    tgDestroyPicture(picture);
    return result;
}

static tgResult tgAddViews(const tgRigPageDef* def, FILE* file, tgError* error)
{
    tgRigModel model;
    tgResult result = tg_success;
    if (!tgMakeRigModel(def, &model)) {
        result = tgFail(error, tg_outOfMemory, -1, "out of memory for the pictures");
    }
    static const struct {
        tgView view;
        const char* name;
    } views[] = {{tg_viewThreeQuarter, "the skeleton from the front and the left"},
                 {tg_viewFront, "the skeleton from the front"},
                 {tg_viewLeft, "the skeleton from the left"}};
    for (int k = 0; k < 3 && result == tg_success; ++k) {
        result = tgAddView(def, &model, views[k].view, views[k].name, file, error);
    }
    tgFreeRigModel(&model);
    return result;
}

static void tgAddCell(FILE* file, const char* text)
{
    tgPage_AddText(file, "td", text);
}

static void tgAddTips(const tgRigPageDef* def, FILE* file)
{
    const tgAutorig* rig = def->rig;
    tgPage_AddText(file, "h2", "Extremities");
    fputs("<table>\n<tr><th></th><th>length, % of the diagonal</th><th>place</th><th>last "
          "joint</th></tr>\n",
          file);
    for (int i = 0; i < rig->tipCount; ++i) {
        const tgAutorigTip* tip = &rig->tips[i];
        char text[96];
        fputs("<tr>", file);
        tgAddCell(file, i == rig->source ? "kept, the head of the walk" : tgGetFateName(tip->fate));
        snprintf(text, sizeof(text), "%.1f", 100.0 * (double)tip->length);
        tgAddCell(file, text);
        snprintf(text, sizeof(text), "%.4g, %.4g, %.4g", (double)tip->position.x,
                 (double)tip->position.y, (double)tip->position.z);
        tgAddCell(file, text);
        tgAddCell(file, tip->joint >= 0 ? rig->joints[tip->joint].name : "");
        fputs("</tr>\n", file);
    }
    fputs("</table>\n", file);
}

static void tgAddJointRows(const tgRigPageDef* def, FILE* file)
{
    const tgAutorig* rig = def->rig;
    tgPage_AddText(file, "h2", "Joints");
    fputs("<table>\n<tr><th>name</th><th>parent</th><th>place</th><th></th></tr>\n", file);
    for (int j = 0; j < rig->jointCount; ++j) {
        const tgAutorigJoint* joint = &rig->joints[j];
        char text[96];
        fputs("<tr>", file);
        tgAddCell(file, joint->name);
        tgAddCell(file, joint->parent >= 0 ? rig->joints[joint->parent].name : "");
        snprintf(text, sizeof(text), "%.4g, %.4g, %.4g", (double)joint->position.x,
                 (double)joint->position.y, (double)joint->position.z);
        tgAddCell(file, text);
        tgAddCell(file, joint->wasMoved ? "moved inside" : "");
        fputs("</tr>\n", file);
    }
    fputs("</table>\n", file);
}

static void tgAddRigWarnings(const tgRigPageDef* def, FILE* file)
{
    const tgAutorig* rig = def->rig;
    tgPage_AddText(file, "h2", "Warnings");
    if (rig->warningCount == 0) {
        fputs("<p class=\"soft\">None.</p>\n", file);
        return;
    }
    fputs("<ul>\n", file);
    for (int i = 0; i < rig->warningCount; ++i) {
        tgPage_AddText(file, "li", rig->warnings[i]);
    }
    fputs("</ul>\n", file);
}

static tgResult tgFillRigPage(const tgRigPageDef* def, FILE* file, tgError* error)
{
    const tgAutorig* rig = def->rig;
    const char* name = tgGetFileName(def->file);
    tgPage_Begin(file, name);
    tgPage_AddText(file, "h1", name);
    fprintf(file, "<p class=\"lead\">Template %s, %s. ", tgGetPlanName(rig->plan),
            tgTellCount(rig->jointCount, "joint", "joints").text);
    if (rig->hasPlane) {
        fprintf(file, "%.0f %% of the skin has its mirror image. ",
                100.0 * (double)rig->planeShare);
    }
    fprintf(file, "%s moved inside, %d dropped.</p>\n",
            tgTellCount(rig->movedCount, "joint was", "joints were").text, rig->droppedCount);
    tgResult result = tgAddViews(def, file, error);
    tgAddTips(def, file);
    tgAddJointRows(def, file);
    tgAddRigWarnings(def, file);
    tgPage_End(file);
    return result;
}

int tgPrepareRigPage(const tgRigPageDef* def, const char* path, tgOutputFile* file)
{
    tgError error = {0};
    if (tgOutputFile_Open(file, path, &error) != tg_success) {
        return tgSayFailed(path, &error);
    }
    tgResult result = tgFillRigPage(def, file->stream, &error);
    result = result == tg_success ? tgOutputFile_Finish(file, &error) : result;
    if (result != tg_success) {
        tgOutputFile_Discard(file);
        return tgSayFailed(path, &error);
    }
    return tg_statusDone;
}
