// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What a change of settings costs on stage (tgInstance_SetProfiles and so on), against making the
// rig anew, and what a live rig costs in memory. One thread.
//
//   bench_live

#include "clock.h"
#include "turgor/io.h"
#include "turgor/models.h"

#include <stdio.h>
#include <string.h>

static size_t tg_bytes; ///< in use now

static void* tgCountingAlloc(size_t size, size_t alignment, void* user)
{
    (void)user;
    tg_bytes += size;
    return aligned_alloc(alignment, size);
}

static void tgCountingFree(void* memory, size_t size, void* user)
{
    (void)user;
    tg_bytes -= size;
    free(memory);
}

typedef struct tgStage {
    tgScene* scene;
    tgRigDef def;
    tgRig* rig;
    tgInstance* instance;
    int joint; ///< that bends
    int round;
} tgStage;

static void tgMakeAnew(void* context)
{
    tgStage* stage = context;
    tgRig* rig = tgCreateRig(&stage->def, NULL);
    tgDestroyInstance(tgCreateInstance(rig, NULL, NULL));
    tgDestroyRig(rig);
}

static void tgDragCurve(void* context)
{
    tgStage* stage = context;
    tgProfile profile = tgDefaultProfile(tg_profileMuscle);
    profile.sigma[0] = 0.2f + 0.01f * (float)(stage->round++ % 20);
    tgInstance_SetProfiles(stage->instance, stage->joint, &profile, 1, NULL);
}

static void tgSwitchContact(void* context)
{
    tgStage* stage = context;
    tgVolumeDef volume = stage->def.volume;
    volume.contact = stage->round++ % 2 == 0 ? tg_contactOff : tg_contactOn;
    tgLayers layers = {.volume = &volume};
    tgInstance_SetLayers(stage->instance, &layers, NULL);
}

static void tgBenchScene(const char* name, tgScene* scene)
{
    tgStage stage = {.scene = scene, .def = tgScene_GetRigDef(scene)};
    stage.def.volume.method = tg_volumeExact;
    stage.def.allocator = (tgAllocator){tgCountingAlloc, tgCountingFree, NULL};
    stage.rig = tgCreateRig(&stage.def, NULL);
    size_t still = tg_bytes;
    tgDestroyRig(stage.rig);
    stage.def.live = true;
    stage.rig = tgCreateRig(&stage.def, NULL);
    size_t live = tg_bytes;
    stage.instance = tgCreateInstance(stage.rig, NULL, NULL);
    while (stage.joint < scene->jointCount - 1 &&
           !tgRig_GetJointInfo(stage.rig, stage.joint).bends) {
        stage.joint += 1;
    }
    tgTiming anew = tgTimeRuns(tgMakeAnew, &stage, 10);
    tgTiming drag = tgTimeRuns(tgDragCurve, &stage, 100);
    tgTiming contact = tgTimeRuns(tgSwitchContact, &stage, 20);
    printf("%-10s %6d  %8.2f %8.2f %8.2f ms   %6.2f %6.2f MB\n", name, scene->vertexCount,
           1e3 * anew.least, 1e3 * drag.least, 1e3 * contact.least, 1e-6 * (double)still,
           1e-6 * (double)live);
    tgDestroyInstance(stage.instance);
    tgDestroyRig(stage.rig);
    tgDestroyScene(scene);
}

int main(void)
{
    static const char* const names[] = {"arm", "elephant", "human"};
    printf("%-10s %6s  %8s %8s %8s      %6s %6s\n", "mesh", "verts", "rig anew", "curve", "contact",
           "rig", "live");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        tgError error = {0};
        tgScene* scene = tgCreateModel(names[i], 0, &error);
        if (scene == NULL) {
            fprintf(stderr, "bench_live: %s\n", error.message);
            return 1;
        }
        tgBenchScene(names[i], scene);
    }
    return 0;
}
