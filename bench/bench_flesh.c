// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the flesh stage costs: against linear skinning on a character of about 5 500 vertices with
// four elements, and a crowd of a thousand small characters with one element each. `bench_flesh
// [--csv FILE]`. One thread; times are also told as ratios, because machines differ.

#include "bars.h"
#include "clock.h"
#include "turgor/models.h"
#include "turgor/scene.h"

#include <stdio.h>
#include <string.h>

enum { tg_crowdSize = 1000, tg_frames = 60 };

typedef struct tgFleshBench {
    tgScene* scene;
    tgRig* rig;
    tgInstance* instance;
    tgMat34* poses[tg_frames];
    tgVec3* positions;
    int frame;
} tgFleshBench;

/// The frames shake the whole character, so that every spring moves.
static void tgOpenBench(tgFleshBench* bench, const char* model, int vertices,
                        const char* const* drivers, const char* const* driven, int elementCount)
{
    tgError error = {0};
    memset(bench, 0, sizeof(*bench));
    bench->scene = tgCreateModel(model, vertices, &error);
    if (bench->scene == NULL) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    tgFleshElement elements[4];
    int ends[4];
    for (int e = 0; e < elementCount; ++e) {
        elements[e] = tgDefaultFleshElement();
        elements[e].driver = tgScene_FindJoint(bench->scene, drivers[e]);
        ends[e] = tgScene_FindJoint(bench->scene, driven[e]);
        elements[e].driven = &ends[e];
        elements[e].drivenCount = 1;
    }
    tgRigDef def = tgScene_GetRigDef(bench->scene);
    def.flesh = (tgFleshDef){elements, elementCount};
    bench->rig = tgCreateRig(&def, &error);
    if (bench->rig == NULL) {
        fprintf(stderr, "%s: %s\n", model, error.message);
        exit(1);
    }
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    bench->instance = tgCreateInstance(bench->rig, &instanceDef, &error);
    bench->positions = calloc((size_t)bench->scene->vertexCount, sizeof(tgVec3));
    tgMat34* nodes = calloc((size_t)bench->scene->nodeCount, sizeof(tgMat34));
    for (int f = 0; f < tg_frames; ++f) {
        size_t joints = (size_t)bench->scene->jointCount;
        bench->poses[f] = calloc(joints, sizeof(tgMat34));
        tgScene_SamplePose(bench->scene, 0, f / 30.0, nodes, bench->poses[f], NULL);
        for (size_t j = 0; j < joints; ++j) {
            bench->poses[f][j].origin.y += 0.02f * (float)(f % 7);
        }
    }
    free(nodes);
}

static void tgCloseBench(tgFleshBench* bench)
{
    tgDestroyInstance(bench->instance);
    tgDestroyRig(bench->rig);
    for (int f = 0; f < tg_frames; ++f) {
        free(bench->poses[f]);
    }
    free(bench->positions);
    tgDestroyScene(bench->scene);
}

static tgPose tgNextPose(tgFleshBench* bench)
{
    bench->frame += 1;
    return (tgPose){.joints = bench->poses[bench->frame % tg_frames],
                    .jointCount = bench->scene->jointCount,
                    .timeStep = (float)1 / 30};
}

static void tgDeformOnce(void* context)
{
    tgFleshBench* bench = context;
    tgPose pose = tgNextPose(bench);
    tgVec3Span out = {&bench->positions->x, bench->scene->vertexCount, sizeof(tgVec3)};
    tgInstance_Deform(bench->instance, &pose, out, (tgVec3Span){NULL, 0, 0}, NULL);
}

static void tgAdvanceOnce(void* context)
{
    tgFleshBench* bench = context;
    tgPose pose = tgNextPose(bench);
    tgInstance_Advance(bench->instance, &pose, NULL);
}

/// Seconds a frame of the same character with and without flesh, once round the frames in turn; the
/// least of each.
static void tgTimePair(tgFleshBench* with, tgFleshBench* without, double* withLeast,
                       double* withoutLeast)
{
    *withLeast = *withoutLeast = 1e9;
    for (int round = 0; round < 100; ++round) {
        double times[2];
        for (int which = 0; which < 2; ++which) {
            double start = tgNow();
            for (int f = 0; f < tg_frames; ++f) {
                tgDeformOnce(which == 0 ? with : without);
            }
            times[which] = (tgNow() - start) / tg_frames;
        }
        *withLeast = times[0] < *withLeast ? times[0] : *withLeast;
        *withoutLeast = times[1] < *withoutLeast ? times[1] : *withoutLeast;
    }
}

int main(int argc, char** argv)
{
    static const char* const drivers[] = {"spine1", "neck", "shoulder.L", "shoulder.R"};
    static const char* const driven[] = {"spine3", "head", "elbow.L", "elbow.R"};
    static const char* const smallDriver[] = {"pelvis"};
    static const char* const smallDriven[] = {"chest"};
    FILE* csv = argc == 3 && strcmp(argv[1], "--csv") == 0 ? fopen(argv[2], "w") : NULL;
    tgFleshBench with, without;
    tgOpenBench(&with, "elephant", 5500, drivers, driven, 4);
    tgOpenBench(&without, "elephant", 5500, drivers, driven, 0);
    double flesh, plain;
    tgTimePair(&with, &without, &flesh, &plain);
    int moved = 0;
    for (int e = 0; e < 4; ++e) {
        moved += tgRig_GetFleshInfo(with.rig, e).vertexCount;
    }
    tgTiming springs = tgTimeRuns(tgAdvanceOnce, &with, 300);
    printf("elephant, %d vertices, 4 elements that move %d, 1 thread, %d frames, least of 100 "
           "rounds\n",
           with.scene->vertexCount, moved, tg_frames);
    printf("  linear skinning  %8.2f us\n  and flesh        %8.2f us\n", 1e6 * plain, 1e6 * flesh);
    printf("  springs alone    %8.2f us, poses included\n  flesh / skinning %8.3f",
           1e6 * springs.least, flesh / plain - 1.0);
    tgTellBar(flesh / plain - 1.0, tg_atMost, 0.25);
    printf("\n");
    if (csv != NULL) {
        fprintf(csv, "what,vertices,elements,moved,seconds,ratio\n");
        fprintf(csv, "linear,%d,0,0,%.3e,1\n", without.scene->vertexCount, plain);
        fprintf(csv, "linear and flesh,%d,4,%d,%.3e,%.3f\n", with.scene->vertexCount, moved, flesh,
                flesh / plain);
    }
    tgCloseBench(&with);
    tgCloseBench(&without);

    tgFleshBench small;
    tgOpenBench(&small, "cat", 1300, smallDriver, smallDriven, 1);
    tgInstance* crowd[tg_crowdSize];
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    for (int i = 0; i < tg_crowdSize; ++i) {
        crowd[i] = tgCreateInstance(small.rig, &instanceDef, NULL);
    }
    double least = 1e9;
    tgVec3Span out = {&small.positions->x, small.scene->vertexCount, sizeof(tgVec3)};
    for (int f = 0; f < tg_frames; ++f) {
        double start = tgNow();
        for (int i = 0; i < tg_crowdSize; ++i) {
            tgPose pose = {.joints = small.poses[(f + i) % tg_frames],
                           .jointCount = small.scene->jointCount,
                           .timeStep = (float)1 / 30};
            tgInstance_Deform(crowd[i], &pose, out, (tgVec3Span){NULL, 0, 0}, NULL);
        }
        double seconds = tgNow() - start;
        least = seconds < least ? seconds : least;
    }
    printf("%d characters of %d vertices, one element each: %.2f ms a frame, %.0f characters a "
           "second on one core\n",
           tg_crowdSize, small.scene->vertexCount, 1e3 * least, tg_crowdSize / least);
    if (csv != NULL) {
        fprintf(csv, "crowd of %d,%d,1,,%.3e,\n", tg_crowdSize, small.scene->vertexCount, least);
    }
    for (int i = 0; i < tg_crowdSize; ++i) {
        tgDestroyInstance(crowd[i]);
    }
    tgCloseBench(&small);
    return tgEndBench(csv);
}
