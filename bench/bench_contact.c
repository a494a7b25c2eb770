// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What contact costs: whole frames of the exact method with it over those without, in the same run,
// one thread, normals off. The embedded hand from open to fist and back, and the finger's curl.
//
//   bench_contact [--csv FILE]

#include "clock.h"
#include "turgor/models.h"
#include "turgor/turgor.h"

#include <stdio.h>
#include <string.h>

enum { tg_frameCount = 16, tg_repeats = 40 };

static FILE* tg_csv;

typedef struct tgTake {
    tgRig* rig;
    tgInstance* instance;
    double least[tg_frameCount]; ///< seconds of each frame
} tgTake;

static void tgStop(const tgError* error)
{
    fprintf(stderr, "bench_contact: %s\n", error->message);
    exit(1);
}

static tgTake tgMakeTake(const tgScene* scene, tgSkinning skinning, bool contact, bool general)
{
    tgTake take = {0};
    tgError error = {0};
    tgRigDef def = tgScene_GetRigDef(scene);
    def.skinning = skinning;
    def.volume.method = tg_volumeExact;
    def.volume.contact.neighbours = contact ? tg_contactOn : tg_contactOff;
    def.volume.contact.general = general;
    take.rig = tgCreateRig(&def, &error);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    take.instance = take.rig != NULL ? tgCreateInstance(take.rig, &instanceDef, &error) : NULL;
    if (take.instance == NULL) {
        tgStop(&error);
    }
    for (int i = 0; i < tg_frameCount; ++i) {
        take.least[i] = 1e9;
    }
    return take;
}

/// Sum over the frames, each by its shortest run.
static double tgGetTime(const tgTake* take)
{
    double sum = 0.0;
    for (int i = 0; i < tg_frameCount; ++i) {
        sum += take->least[i];
    }
    return sum;
}

static void tgBench(const char* model, tgSkinning skinning)
{
    static const char* const names[] = {"off", "neighbours", "general too"};
    tgError error = {0};
    tgScene* scene = tgCreateModel(model, 0, &error);
    if (scene == NULL) {
        tgStop(&error);
    }
    tgTake takes[3];
    for (int t = 0; t < 3; ++t) {
        takes[t] = tgMakeTake(scene, skinning, t > 0, t > 1);
    }
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    tgVec3* out = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    tgPose pose = {.joints = joints, .jointCount = scene->jointCount};
    tgVec3Span span = {&out->x, scene->vertexCount, sizeof(tgVec3)};
    for (int i = 0; i < tg_frameCount; ++i) {
        double time = scene->animations[0].end * i / tg_frameCount;
        tgScene_SamplePose(scene, 0, time, nodes, joints, NULL);
        // Side by side, so that all see the same machine.
        for (int run = 0; run < 3 * tg_repeats; ++run) {
            tgTake* take = &takes[run % 3];
            double start = tgNow();
            tgInstance_Deform(take->instance, &pose, span, (tgVec3Span){0}, NULL);
            double spent = tgNow() - start;
            take->least[i] = spent < take->least[i] ? spent : take->least[i];
        }
    }
    double off = tgGetTime(&takes[0]);
    for (int t = 0; t < 3; ++t) {
        double time = tgGetTime(&takes[t]);
        printf("%-8s %6d v %-16s contact %-12s %9.1f us a frame  %6.2f x\n", model,
               scene->vertexCount, skinning == tg_linear ? "linear" : "dual quaternion", names[t],
               1e6 * time / tg_frameCount, time / off);
        if (tg_csv != NULL) {
            fprintf(tg_csv, "%s,%d,%s,%s,1,%d,%.2f,%.3f\n", model, scene->vertexCount,
                    skinning == tg_linear ? "linear" : "dual-quaternion", names[t], tg_repeats,
                    1e6 * time / tg_frameCount, time / off);
        }
        tgDestroyInstance(takes[t].instance);
        tgDestroyRig(takes[t].rig);
    }
    free(nodes);
    free(joints);
    free(out);
    tgDestroyScene(scene);
}

int main(int argc, char** argv)
{
    if (argc == 3 && strcmp(argv[1], "--csv") == 0) {
        tg_csv = fopen(argv[2], "w");
    }
    if (argc != 1 && tg_csv == NULL) {
        fprintf(stderr, "usage: bench_contact [--csv FILE]\n");
        return 2;
    }
    if (tg_csv != NULL) {
        fprintf(tg_csv, "model,vertices,skinning,contact,threads,runs,frame_us,ratio\n");
    }
    tgBench("hand", tg_linear);
    tgBench("hand", tg_dualQuaternion);
    tgBench("finger", tg_dualQuaternion);
    return tg_csv != NULL && fclose(tg_csv) != 0;
}
