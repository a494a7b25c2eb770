// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// 2005, figure 8: the mushroom filled with masses that damped springs join, round a rigid core,
// against one flesh element with one spring. Both stand on the same base, which shakes.

#include "network.h"

#include "cli/report.h"
#include "flesh.h"
#include "models/spring_network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { tg_wantedSprings = 3000 }; ///< "about 3000 damped springs"
static const double tg_frame = 1.0 / 60.0, tg_lastTime = 6.0;
/// Tissue: a few Hz, and gone after a few swings.
static const float tg_frequency = 3.0f, tg_dampingRatio = 0.2f;
/// The rigid core is as thick as the stem: its radius in lengths of the bone.
static const float tg_core = 0.15f;

/// Sums over all vertices and frames: the product, and the squares of either.
typedef struct tgAgreement {
    double field[3];
    double time[3]; ///< of the mean displacements
} tgAgreement;

/// What the figure is made from.
typedef struct tgShaking {
    tgNetwork* network;
    tgFleshPair pair;
    tgActor carried; ///< the skin as the network moves it
    double size;     ///< the mushroom's height
    double base[3];  ///< how far the base has moved
} tgShaking;

static void tgCloseShaking(tgShaking* shaking)
{
    tgDestroyNetwork(shaking->network);
    tgCloseFleshPair(&shaking->pair);
    tgCloseActor(&shaking->carried);
}

/// All of the mushroom on one element, from the ground to the top of the cap.
static int tgOpenShaking(const tgScene* scene, tgShaking* shaking)
{
    *shaking = (tgShaking){0};
    int top = 0;
    tgFleshElement body = tgMakeElement(scene, "base", "top", &top);
    body.joints = &top;
    body.jointCount = 1;
    body.attenuation = tg_attenuationParabola;
    body.flow = 1.0f; // as published
    body.springs[0].frequency = tg_frequency;
    body.springs[0].dampingRatio = tg_dampingRatio;
    int status = tgOpenFleshPair(scene, &body, 1, &shaking->pair);
    status = status == tg_statusDone ? tgOpenSkin(scene, NULL, &shaking->carried) : status;
    if (status != tg_statusDone) {
        return status;
    }
    float low = INFINITY, high = -INFINITY;
    for (int v = 0; v < scene->vertexCount; ++v) {
        low = fminf(low, scene->positions[v].y);
        high = fmaxf(high, scene->positions[v].y);
    }
    shaking->size = (double)(high - low);
    tgVec3 head = scene->joints[body.driver].restJoint.origin;
    tgVec3 tail = scene->joints[top].restJoint.origin;
    float core = tg_core * tgDistance(head, tail);
    shaking->network = tgCreateNetwork(scene, head, tail, tg_wantedSprings, core);
    if (shaking->network == NULL) {
        return tgSayFailure("mushroom", "out of memory for a network of springs");
    }
    tgNetwork_Tune(shaking->network, (double)tg_frequency, (double)tg_dampingRatio);
    return tg_statusDone;
}

/// The actor in its bind pose, as far to the side as the base is.
static tgResult tgDeformMoved(tgActor* actor, const double at[3], double timeStep, tgError* error)
{
    const tgScene* scene = actor->scene;
    tgVec3 shift = tgMakeVec3((float)at[0], (float)at[1], (float)at[2]);
    for (int j = 0; j < scene->jointCount; ++j) {
        actor->joints[j] = scene->joints[j].restJoint;
        actor->joints[j].origin = tgAdd(actor->joints[j].origin, shift);
    }
    tgPose pose = {
        .joints = actor->joints, .jointCount = scene->jointCount, .timeStep = (float)timeStep};
    tgVec3Span positions = {&actor->positions->x, scene->vertexCount, sizeof(tgVec3)};
    return tgInstance_Deform(actor->instance, &pose, positions, (tgVec3Span){0}, error);
}

/// Everyone goes where the base is in a frame; returns the status.
static int tgMoveBase(tgShaking* shaking, int frame)
{
    double to[3], timeStep = frame > 0 ? tg_frame : 0.0;
    tgGetShake(frame * tg_frame, to);
    for (int k = 0; k < 3; ++k) {
        to[k] *= shaking->size;
    }
    if (frame > 0) {
        tgNetwork_Advance(shaking->network, shaking->base, to, tg_frame);
    }
    memcpy(shaking->base, to, sizeof(to));
    tgError error = {0};
    tgResult result = tgDeformMoved(&shaking->pair.moved, to, timeStep, &error);
    if (result == tg_success) {
        result = tgDeformMoved(&shaking->pair.plain, to, timeStep, &error);
    }
    return result == tg_success ? tg_statusDone : tgSayFailed("mushroom", &error);
}

static void tgAddSums(double sums[3], double a, double b)
{
    sums[0] += a * b;
    sums[1] += a * a;
    sums[2] += b * b;
}

/// The skin as the network carries it; adds the frame to the agreement.
static void tgCompareFrame(tgShaking* shaking, tgAgreement* sums)
{
    int count = shaking->carried.scene->vertexCount;
    double means[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int v = 0; v < count; ++v) {
        double u[3];
        tgNetwork_Sample(shaking->network, v, u);
        tgVec3 plain = shaking->pair.plain.positions[v];
        tgVec3 flesh = tgSub(shaking->pair.moved.positions[v], plain);
        tgVec3 other = tgMakeVec3((float)u[0], (float)u[1], (float)u[2]);
        shaking->carried.positions[v] = tgAdd(plain, other);
        const float* t = &flesh.x;
        for (int k = 0; k < 3; ++k) {
            tgAddSums(sums->field, (double)t[k], u[k]);
            means[0][k] += (double)t[k] / count;
            means[1][k] += u[k] / count;
        }
    }
    for (int k = 0; k < 3; ++k) {
        tgAddSums(sums->time, means[0][k], means[1][k]);
    }
}

/// Shake both and look at both, at the times of the panels too; returns the status.
static int tgShake(tgShaking* shaking, const double* times, int timeCount, tgSheet sheets[2],
                   tgAgreement* sums)
{
    int status = tg_statusDone;
    for (int frame = 0; frame * tg_frame < tg_lastTime && status == tg_statusDone; ++frame) {
        double time = frame * tg_frame;
        status = tgMoveBase(shaking, frame);
        if (status == tg_statusDone) {
            tgCompareFrame(shaking, sums);
        }
        for (int i = 0; i < timeCount && status == tg_statusDone; ++i) {
            if (fabs(times[i] - time) < 0.5 * tg_frame) {
                tgSheet_Add(&sheets[0], &shaking->carried, "%.2f s", time);
                tgSheet_Add(&sheets[1], &shaking->pair.moved, "%.2f s", time);
            }
        }
    }
    return status;
}

static void tgAddAgreement(tgPaperEntry* entry, const tgShaking* shaking, const tgAgreement* sums)
{
    const double *field = sums->field, *time = sums->time;
    tgAddNumber(entry, tg_wantedSprings, tgNetwork_GetSpringCount(shaking->network), "springs",
                tg_betterNeither, "the network (published: about)");
    tgAddNumber(entry, 1.0, 1.0, "springs", tg_betterNeither, "the flesh element");
    tgAddNumber(entry, (double)NAN, field[0] / sqrt(field[1] * field[2]), "", tg_betterNeither,
                "correlation of the displacements, all vertices and frames (asked: 0.80)");
    tgAddNumber(entry, (double)NAN, time[0] / sqrt(time[1] * time[2]), "", tg_betterNeither,
                "correlation of the mean displacement over time (asked: 0.95)");
    tgAddNumber(entry, (double)NAN, sqrt(field[1] / field[2]), "times", tg_betterNeither,
                "size of the displacements, flesh over network (asked: 0.6 to 1.3)");
}

int tgMakeNetworkFigure(tgPaper* paper, tgPaperEntry* entry)
{
    static const double tg_times[] = {1.0, 1.25, 1.5, 1.75};
    const tgScene* scene = tgPaper_GetModel(paper, "mushroom", 1500);
    if (scene == NULL) {
        return tg_statusFailed;
    }
    tgShaking shaking;
    tgSheet sheets[2] = {{0}, {0}};
    tgAgreement sums = {0};
    int status = tgOpenShaking(scene, &shaking);
    for (int i = 0; i < 2 && status == tg_statusDone; ++i) {
        tgSheetDef def = {.actor = &shaking.carried, .view = "0.1,0.15,1"};
        status = tgOpenSheet(paper, &def, &sheets[i]);
    }
    status = status == tg_statusDone ? tgShake(&shaking, tg_times, 4, sheets, &sums) : status;
    if (status == tg_statusDone) {
        tgAddAgreement(entry, &shaking, &sums);
        status = tgSheet_Save(&sheets[0], entry, "The network of springs.");
    }
    status =
        status == tg_statusDone ? tgSheet_Save(&sheets[1], entry, "One flesh element.") : status;
    tgCloseSheet(&sheets[0]);
    tgCloseSheet(&sheets[1]);
    tgCloseShaking(&shaking);
    return status;
}
