// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the local volume method costs: the whole frame as a ratio to plain linear skinning of the
// same mesh in the same run, one thread, linear base, normals off. An elephant of 5 700 vertices
// with all its regions moving, with one of them, and at rest, where no region may cost anything.
//
//   bench_local [--csv FILE]

#include "bars.h"
#include "bent_frame.h"
#include "clock.h"
#include "turgor/models.h"

#include <stdio.h>
#include <string.h>

static FILE* tg_csv;

/// Times plain skinning, and volume left over the target; 0: nothing is asked.
typedef struct tgAsked {
    double ratio, volume;
} tgAsked;

/// Plain skinning and the local method in turns, so that both see the same machine.
static void tgBench(const tgScene* scene, const char* what, const tgMat34* joints,
                    const tgLocalDef* local, const char* how, tgAsked asked)
{
    tgError error = {0};
    tgVec3* out = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    tgInstance* instances[2] = {NULL};
    tgRig* rigs[2] = {NULL};
    for (int i = 0; i < 2; ++i) {
        tgRigDef def = tgScene_GetRigDef(scene);
        def.volume.method = i == 0 ? tg_volumeNone : tg_volumeLocal;
        def.volume.local = *local;
        tgInstanceDef instanceDef = tgDefaultInstanceDef();
        rigs[i] = tgCreateRig(&def, &error);
        instances[i] = rigs[i] != NULL ? tgCreateInstance(rigs[i], &instanceDef, &error) : NULL;
        if (instances[i] == NULL || out == NULL) {
            fprintf(stderr, "bench_local: %s\n", error.message);
            exit(1);
        }
    }
    double least[2] = {1e9, 1e9};
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 2; ++i) {
            tgJob job = {instances[i],
                         joints,
                         scene->jointCount,
                         {&out->x, scene->vertexCount, sizeof(tgVec3)}};
            double time = tgTimeRuns(tgRunFrame, &job, tg_runCount).least;
            least[i] = time < least[i] ? time : least[i];
        }
    }
    tgVolumeReport report = tgInstance_MeasureVolume(instances[1]);
    int regions = tgInstance_GetReport(instances[1]).lossCount;
    double miss = report.result / report.target - 1.0;
    printf("%-22s %6d v %3d regions  %-20s %7.1f us  linear %6.1f us  %6.2f x  volume %+.1e", what,
           scene->vertexCount, regions, how, 1e6 * least[1], 1e6 * least[0], least[1] / least[0],
           miss);
    if (asked.ratio > 0.0) {
        tgTellBar(least[1] / least[0], tg_atMost, asked.ratio);
    }
    if (asked.volume > 0.0) {
        tgTellBar(fabs(miss), tg_atMost, asked.volume);
    }
    printf("\n");
    if (tg_csv != NULL) {
        fprintf(tg_csv, "%s,%d,%d,%s,1,%d,%.2f,%.2f,%.3f,%.2e\n", what, scene->vertexCount, regions,
                how, tg_runCount, 1e6 * least[0], 1e6 * least[1], least[1] / least[0], miss);
    }
    for (int i = 0; i < 2; ++i) {
        tgDestroyInstance(instances[i]);
        tgDestroyRig(rigs[i]);
    }
    free(out);
}

int main(int argc, char** argv)
{
    if (argc == 3 && strcmp(argv[1], "--csv") == 0) {
        tg_csv = fopen(argv[2], "w");
    }
    if (argc != 1 && tg_csv == NULL) {
        fprintf(stderr, "usage: bench_local [--csv FILE]\n");
        return 2;
    }
    if (tg_csv != NULL) {
        fprintf(tg_csv, "what,vertices,regions,how,threads,runs,plain_us,local_us,ratio,"
                        "volume_error\n");
    }
    tgError error = {0};
    tgScene* elephant = tgCreateModel("elephant", 5700, &error);
    if (elephant == NULL) {
        fprintf(stderr, "bench_local: %s\n", error.message);
        return 1;
    }
    tgMat34 still[tg_mostBentJoints], one[tg_mostBentJoints], all[tg_mostBentJoints];
    static const char* const knee[] = {"knee.L"};
    tgTurnJoints(elephant, NULL, 0, 0.0f, still);
    tgTurnJoints(elephant, knee, 1, 0.8f, one);
    tgTurnJoints(elephant, NULL, 0, 0.3f, all);
    tgAsked none = {0};
    tgLocalDef local = tgDefaultRigDef().volume.local;
    tgBench(elephant, "elephant at rest", still, &local, "organic", none);
    tgBench(elephant, "one joint turned", one, &local, "organic", none);
    tgBench(elephant, "all joints turned", all, &local, "organic", (tgAsked){.ratio = 4.0});
    local.map = tg_mapUniform;
    tgBench(elephant, "all joints turned", all, &local, "uniform", none);
    local.map = tg_mapOrganic;
    local.scope = tg_scopeGlobal;
    tgBench(elephant, "all joints turned", all, &local, "organic global", none);
    local.scope = tg_scopeRegions;
    local.exact = true;
    tgBench(elephant, "all joints turned", all, &local, "organic exact", (tgAsked){.volume = 1e-6});
    local.exact = false;
    local.repeats = 1;
    tgBench(elephant, "all joints turned", all, &local, "organic, one repeat", none);
    tgDestroyScene(elephant);
    return tgEndBench(tg_csv);
}
