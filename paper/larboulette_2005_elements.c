// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2005, figures 2 to 5: flesh elements, their frames, and what their weights are made of.

#include "cli/report.h"
#include "core/core.h"
#include "flesh.h"
#include "larboulette_2005.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- figure 2: a limb ---------------------------------------------------------------------------

/// A tube on one bone, from end to end; NULL after one line.
static tgScene* tgMakeLimb(const tgCylinderDef* def)
{
    tgScene* limb = tgMakeCylinder(def);
    for (int i = 0; limb != NULL && i < limb->vertexCount * limb->influencesPerVertex; ++i) {
        limb->influenceJoints[i] = 0;
    }
    if (limb != NULL) {
        limb->joints[1].restJoint.origin.x = limb->joints[0].restJoint.origin.x + def->length;
    }
    return limb;
}

int tgMakeLimbFigure(tgPaper* paper, tgPaperEntry* entry)
{
    static const float tg_accelerations[3] = {0.0f, 10.0f, 20.0f};
    static const char* const tg_labels[3] = {"at rest", "10 m/s2 upwards", "20 m/s2 upwards"};
    tgCylinderDef def = tgDefaultCylinderDef();
    def.length = 6.0f;
    def.aroundCount = 48;
    def.ringCount = 81;
    tgScene* limb = tgMakeLimb(&def);
    tgFleshPair pairs[3] = {{{0}}};
    int driven = 0, status = limb != NULL ? tg_statusDone : tg_statusFailed;
    for (int i = 0; i < 3 && status == tg_statusDone; ++i) {
        tgFleshElement flesh = tgMakeElement(limb, "bone0", "bone1", &driven);
        flesh.springs[0].frequency = 1.0f;
        flesh.flow = 1.0f; // as published
        // A bone that speeds up is one at rest under a weight the other way.
        flesh.gravity = tgMakeVec3(0.0f, -tg_accelerations[i], 0.0f);
        status = tgOpenFleshPair(limb, &flesh, 1, &pairs[i]);
        status = status == tg_statusDone ? tgFleshPair_Run(&pairs[i], -1, 0.0, 6.0) : status;
        if (status == tg_statusDone && i > 0) {
            double way = tgGetLargestDistance(&pairs[i].plain, &pairs[i].moved);
            tgAddNumber(entry, (double)NAN, way, "m", tg_betterNeither,
                        "largest displacement at %s (a / omega^2 = %.4f m)", tg_labels[i],
                        (double)tg_accelerations[i] / pow(2.0 * 3.14159265358979, 2.0));
        }
    }
    if (status == tg_statusDone) {
        tgOutlines outlines = {
            .plane = tgMakePlane(tgMakeVec3(0.0f, 0.0f, 0.0f), tgMakeVec3(0.0f, 0.0f, 1.0f)),
            .count = 3,
            .actors = {&pairs[0].moved, &pairs[1].moved, &pairs[2].moved},
            .labels = {tg_labels[0], tg_labels[1], tg_labels[2]}};
        status = tgSaveOutlines(paper, entry, &outlines,
                                "The limb cut along its bone, which lies in the middle.");
    }
    for (int i = 0; i < 3; ++i) {
        tgCloseFleshPair(&pairs[i]);
    }
    tgDestroyScene(limb);
    return status;
}

// ---- figures 3 and 4: elements and their frames -------------------------------------------------

/// The axes of an element's local frame, at its anchor: y along the virtual bone.
static void tgAddLocalFrame(const tgFleshElement* element, const tgFleshPair* pair, int e,
                            float length, tgSolids* marks)
{
    tgVec3 anchor = tgInstance_GetFleshMotion(pair->moved.instance, e).anchor;
    tgVec3 up = {0.0f, 1.0f, 0.0f};
    tgVec3 y = tgNormalize(tgSub(anchor, pair->moved.joints[element->driver].origin), up);
    tgVec3 x = tgNormalize(tgCross(y, tgMakeVec3(0.0f, 0.0f, 1.0f)), tgMakeVec3(1.0f, 0.0f, 0.0f));
    const tgVec3 axes[3] = {x, y, tgCross(x, y)};
    for (int a = 0; a < 3; ++a) {
        tgSolids_AddArrow(marks, anchor, tgMulAdd(anchor, length, axes[a]), 0.04f * length);
    }
}

int tgMakeElementsFigure(tgPaper* paper, tgPaperEntry* entry)
{
    static const char tg_view[] = "0.45,0.1,1";
    const tgScene* human = tgPaper_GetModel(paper, "human", 5554);
    tgError error = {0};
    tgSettings* settings = human != NULL ? tgParseSettings("{}", 2, human, &error) : NULL;
    if (settings == NULL || !tgSettings_AddFlesh(settings, human)) {
        tgDestroySettings(settings);
        return human != NULL ? tgSayFailure("human", "out of memory for its flesh")
                             : tg_statusFailed;
    }
    tgFleshPair pair = {0};
    tgSheet sheet = {0};
    tgActorDef layers = {.scene = human, .flesh = &settings->flesh};
    int status = tgOpenLayerPair(&layers, &pair);
    status = status == tg_statusDone ? tgFleshPair_Run(&pair, -1, 0.0, 0.0) : status;
    tgSheetDef def = {.actor = &pair.moved, .show = "bones", .view = tg_view};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    status =
        status == tg_statusDone ? tgAddFleshPanel(&sheet, &pair, 0.0f, "local frames") : status;
    if (status == tg_statusDone) {
        int count = settings->flesh.elementCount;
        for (int e = 0; e < count; ++e) {
            tgAddLocalFrame(&settings->flesh.elements[e], &pair, e, 0.12f, &sheet.panels[0].marks);
        }
        tgAddNumber(entry, (double)NAN, count, "elements", tg_betterNeither, "flesh elements");
        status = tgSaveFleshWeights(paper, entry, &pair, tg_view,
                                    "How far each vertex follows the element that it is in.");
    }
    status = status == tg_statusDone
                 ? tgSheet_Save(&sheet, entry,
                                "The local frame of each, in the middle of its virtual bone.")
                 : status;
    tgCloseSheet(&sheet);
    tgCloseFleshPair(&pair);
    tgDestroySettings(settings);
    return status;
}

int tgMakeFramesFigure(tgPaper* paper, tgPaperEntry* entry)
{
    const tgScene* human = tgPaper_GetModel(paper, "human", 5554);
    if (human == NULL) {
        return tg_statusFailed;
    }
    int knee = 0,
        ends[2] = {tgScene_FindJoint(human, "shoulder.L"), tgScene_FindJoint(human, "shoulder.R")};
    tgFleshElement elements[2] = {tgMakeElement(human, "hip.L", "knee.L", &knee),
                                  tgMakeElement(human, "spine1", "chest", &knee)};
    static const char* const tg_labels[2] = {"(b) two end joints", "(c) three end joints"};
    elements[0].driven = &knee;
    knee = tgScene_FindJoint(human, "knee.L");
    elements[1].driven = ends;
    elements[1].drivenCount = 2;
    tgFleshPair pairs[2] = {{{0}}};
    tgSheet sheet = {0};
    int walk = 1, status = tg_statusDone;
    for (int i = 0; i < 2 && status == tg_statusDone; ++i) {
        elements[i].springs[0].frequency = 2.0f; // soft, so that the springs are seen
        status = tgOpenFleshPair(human, &elements[i], 1, &pairs[i]);
        status = status == tg_statusDone ? tgFleshPair_Run(&pairs[i], walk, 0.0, 1.5) : status;
    }
    bool* focus = tgMarkHeights(human, 0.5f, 1.4f); // from the knees to the shoulders
    tgSheetDef def = {
        .actor = &pairs[0].moved, .show = "bones", .view = "0.7,0.1,1", .focus = focus};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    for (int i = 0; i < 2 && status == tg_statusDone; ++i) {
        status = tgAddSpringPanel(&sheet, &pairs[i], tg_labels[i]);
        tgFleshMotion motion = tgInstance_GetFleshMotion(pairs[i].moved.instance, 0);
        tgAddNumber(entry, (double)NAN, 1000.0 * (double)tgLength(motion.displacement), "mm",
                    tg_betterNeither, "the spring's elongation, %s", tg_labels[i]);
    }
    status = status == tg_statusDone
                 ? tgSheet_Save(&sheet, entry,
                                "In a walk: one ball is the local frame, the other, at the end of "
                                "the spring, the dynamic one. The thigh's bone goes from hip to "
                                "knee, the trunk's to between the shoulders.")
                 : status;
    tgCloseSheet(&sheet);
    free(focus);
    tgCloseFleshPair(&pairs[0]);
    tgCloseFleshPair(&pairs[1]);
    return status;
}

// ---- figure 5: shape and attenuation ------------------------------------------------------------

/// Of each vertex its distance to the bone, and the attenuation where it is along it.
static void tgFillShape(const tgScene* scene, tgVec3 from, tgVec3 to, float* shape, float* fade)
{
    tgVec3 along = tgSub(to, from);
    float squared = tgDot(along, along), most = 0.0f;
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 p = tgSub(scene->positions[v], from);
        float t = tgDot(p, along) / squared;
        double y = 2.0 * (double)t - 1.0;
        shape[v] = tgLength(tgMulAdd(p, -fminf(fmaxf(t, 0.0f), 1.0f), along));
        fade[v] = fabs(y) < 1.0 ? (float)tgAttenuate(true, y) : 0.0f;
        most = fmaxf(most, shape[v]);
    }
    for (int v = 0; v < scene->vertexCount; ++v) {
        shape[v] /= most;
    }
}

int tgMakeShapeFigure(tgPaper* paper, tgPaperEntry* entry)
{
    const tgScene* scene = tgPaper_GetModel(paper, "mushroom", 1500);
    int driven = 0, status = scene != NULL ? tg_statusDone : tg_statusFailed;
    tgFleshPair pair = {0};
    tgSheet sheet = {0};
    if (status == tg_statusDone) {
        tgFleshElement cap = tgMakeElement(scene, "cap", "top", &driven);
        status = tgOpenFleshPair(scene, &cap, 1, &pair);
    }
    status = status == tg_statusDone ? tgFleshPair_Run(&pair, -1, 0.0, 0.0) : status;
    tgSheetDef def = {.actor = &pair.moved,
                      .show = "displacement",
                      .title = "of the largest",
                      .view = "0.1,0.15,1"};
    status = status == tg_statusDone ? tgOpenSheet(paper, &def, &sheet) : status;
    if (status == tg_statusDone) {
        tgPanel* shape = tgSheet_Add(&sheet, &pair.plain, "(a) distance to the bone");
        tgPanel* fade = tgSheet_Add(&sheet, &pair.plain, "(b) attenuation");
        tgPanel* weight = tgSheet_Add(&sheet, &pair.plain, "their product, the weight");
        if (shape != NULL && fade != NULL && weight != NULL && shape->values != NULL &&
            fade->values != NULL && weight->values != NULL) {
            int cap = tgScene_FindJoint(scene, "cap");
            tgFillShape(scene, scene->joints[cap].restJoint.origin,
                        scene->joints[driven].restJoint.origin, shape->values, fade->values);
            tgRig_GetFleshWeights(pair.moved.rig, 0, weight->values);
        }
        status = tgSheet_Save(&sheet, entry,
                              "The cap's bone stands upright in its middle. Below the cap the "
                              "attenuation is 0, and nothing moves.");
    }
    tgCloseSheet(&sheet);
    tgCloseFleshPair(&pair);
    return status;
}
