// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The characters of the papers' figures: made once, posed, measured and timed.

#include "cli/moment.h"
#include "cli/report.h"
#include "paper.h"
#include "turgor/io.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

tgPaperNumber* tgAddNumber(tgPaperEntry* entry, double published, double ours, const char* unit,
                           tgBetter better, const char* what, ...)
{
    // The last place is overwritten rather than passed: an item has a fixed list of numbers.
    int at = entry->numberCount < tg_mostNumbers ? entry->numberCount++ : tg_mostNumbers - 1;
    tgPaperNumber* number = &entry->numbers[at];
    *number = (tgPaperNumber){.published = published, .ours = ours, .unit = unit, .better = better};
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(number->what, sizeof(number->what), what, arguments);
    va_end(arguments);
    return number;
}

/// A place for one more scene, or the one that is there.
static tgPaperScene* tgFindScene(tgPaper* paper, const char* name, int vertexCount)
{
    for (int i = 0; i < paper->sceneCount; ++i) {
        tgPaperScene* place = &paper->scenes[i];
        if (strcmp(place->name, name) == 0 && place->vertexCount == vertexCount) {
            return place;
        }
    }
    if (paper->sceneCount == tg_mostPaperScenes) {
        tgSayFailure(name, "is one character too many for the page");
        return NULL;
    }
    tgPaperScene* place = &paper->scenes[paper->sceneCount++];
    *place = (tgPaperScene){.vertexCount = vertexCount};
    snprintf(place->name, sizeof(place->name), "%s", name);
    return place;
}

const tgScene* tgPaper_GetModel(tgPaper* paper, const char* name, int vertexCount)
{
    tgPaperScene* place = tgFindScene(paper, name, vertexCount);
    if (place != NULL && place->scene == NULL) {
        tgError error = {0};
        place->scene = tgCreateModel(name, vertexCount, &error);
        if (place->scene == NULL) {
            tgSayFailed(name, &error);
        }
    }
    return place != NULL ? place->scene : NULL;
}

/// Faces that look inwards are turned, so that pictures show their outside.
static tgResult tgTurnOutwards(tgScene* scene, tgError* error)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    tgRig* rig = tgCreateRig(&def, error);
    if (rig == NULL) {
        return tg_invalidMesh;
    }
    int* corners = scene->faceVertices;
    bool inwards = 2 * tgRig_GetInfo(rig).reorientedFaceCount > scene->faceCount;
    for (int f = 0; inwards && f < scene->faceCount; corners += scene->faceSizes[f++]) {
        for (int a = 0, b = scene->faceSizes[f] - 1; a < b; ++a, --b) {
            int swap = corners[a];
            corners[a] = corners[b];
            corners[b] = swap;
        }
    }
    tgDestroyRig(rig);
    return tg_success;
}

const tgScene* tgPaper_GetGiraffe(tgPaper* paper, int vertexCount)
{
    if (paper->assets == NULL) {
        return tgPaper_GetModel(paper, "giraffe", vertexCount);
    }
    tgPaperScene* place = tgFindScene(paper, "giraffe_vs", 0);
    if (place != NULL && place->scene == NULL) {
        char path[tg_paperPath];
        snprintf(path, sizeof(path), "%s/giraffe_vs.glb", paper->assets);
        tgError error = {0};
        place->scene = tgLoadScene(path, &error);
        if (place->scene == NULL || tgTurnOutwards(place->scene, &error) != tg_success) {
            tgSayFailed(path, &error);
            return NULL;
        }
    }
    return place != NULL ? place->scene : NULL;
}

tgScene* tgMakeCylinder(const tgCylinderDef* def)
{
    tgError error = {0};
    tgScene* scene = tgCreateCylinder(def, &error);
    if (scene == NULL) {
        tgSayFailed("cylinder", &error);
    }
    return scene;
}

int tgOpenSkin(const tgScene* scene, const tgVolumeDef* volume, tgActor* actor)
{
    *actor = (tgActor){0};
    if (scene == NULL) {
        return tg_statusFailed; // it has been told why
    }
    tgError error = {0};
    tgActorDef def = {.scene = scene, .volume = volume};
    return tgOpenActor(&def, actor, &error) == tg_success ? tg_statusDone
                                                          : tgSayFailed("paper", &error);
}

tgVolumeDef tgMakeVolume(tgVolumeMethod method, const tgProfile* profile)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = method;
    volume.profiles = profile;
    volume.profileCount = profile != NULL ? 1 : 0;
    return volume;
}

int tgTurnActor(tgActor* actor, const char* const* turns)
{
    tgMoment moment = tgDefaultMoment();
    for (; turns[moment.rotate.count] != NULL; ++moment.rotate.count) {
        moment.rotate.values[moment.rotate.count] = turns[moment.rotate.count];
    }
    tgShot shot = {.file = "paper", .scene = (tgScene*)actor->scene, .animation = -1, .fps = 30.0};
    int status = tgMoment_Check(&moment);
    status = status == tg_statusDone ? tgMoment_Settle(&moment, &shot) : status;
    status = status == tg_statusDone ? tgMoment_Play(&moment, &shot, actor) : status;
    tgFreeMoment(&moment);
    return status;
}

int tgPlay(tgActor* actor, double time)
{
    tgError error = {0};
    return tgActor_Play(actor, 0, time, &error) == tg_success ? tg_statusDone
                                                              : tgSayFailed("paper", &error);
}

double tgGetBendTime(const tgScene* cylinder)
{
    return cylinder != NULL ? 0.5 * cylinder->animations[0].end : 0.0; // and back in the rest
}

int tgFindWorstTime(const tgScene* scene, double* time)
{
    tgActor actor;
    int status = tgOpenSkin(scene, NULL, &actor);
    double worst = -1.0;
    int count = status == tg_statusDone ? tgScene_GetFrameCount(scene, 0, 30.0) : 0;
    for (int i = 0; i < count && status == tg_statusDone; ++i) {
        double now = tgScene_GetFrameTime(scene, 0, 30.0, i);
        status = tgPlay(&actor, now);
        double loss = status == tg_statusDone ? fabs(tgGetLoss(&actor)) : 0.0;
        if (loss > worst) {
            worst = loss;
            *time = now;
        }
    }
    tgCloseActor(&actor);
    return status;
}

double tgGetLoss(tgActor* actor)
{
    return 100.0 * tgActor_MeasureKept(actor).error;
}

double tgNow(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t); // small enough for a double to hold nanoseconds
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double tgTimeFrame(tgActor* actor)
{
    double least = (double)INFINITY, begin = tgNow();
    // At least 20 frames, then up to a tenth of a second of them.
    for (int i = 0; i < 20 || (i < 400 && tgNow() - begin < 0.1); ++i) {
        double start = tgNow();
        tgActor_Pose(actor, actor->joints, NULL);
        least = fmin(least, tgNow() - start);
    }
    return least;
}

double tgTimeRatio(tgActor* actor, tgActor* base)
{
    tgActor* const actors[2] = {actor, base};
    double least[2] = {(double)INFINITY, (double)INFINITY}, begin = tgNow();
    for (int i = 0; i < 60 || (i < 800 && tgNow() - begin < 0.2); ++i) {
        double start = tgNow();
        tgActor_Pose(actors[i % 2], actors[i % 2]->joints, NULL);
        least[i % 2] = fmin(least[i % 2], tgNow() - start);
    }
    return least[0] / least[1];
}

double tgGetLargestDistance(const tgActor* a, const tgActor* b)
{
    double most = 0.0;
    for (int v = 0; v < a->scene->vertexCount; ++v) {
        most = fmax(most, (double)tgDistance(a->positions[v], b->positions[v]));
    }
    return most;
}

double tgSumPrisms(const tgScene* scene, double height)
{
    double sum = 0.0;
    const int* corners = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; corners += scene->faceSizes[f++]) {
        for (int k = 2; k < scene->faceSizes[f]; ++k) {
            tgVec3 a = scene->positions[corners[0]];
            tgVec3 b = tgSub(scene->positions[corners[k - 1]], a);
            tgVec3 c = tgSub(scene->positions[corners[k]], a);
            double area = (double)b.x * (double)c.y - (double)c.x * (double)b.y;
            double high = 3.0 * ((double)a.z - height) + (double)b.z + (double)c.z;
            sum += area * high / 6.0;
        }
    }
    return sum;
}
