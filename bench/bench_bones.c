// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the bones stage costs: a hand that closes, its skin over the bones inside it. `bench_bones
// [--csv FILE] [HAND.glb BONES.obj]`; without files the embedded hand, as coarse as it
// goes. One thread; against plain skinning of the same frames.

#include "bars.h"
#include "clock.h"
#include "turgor/io.h"
#include "turgor/models.h"
#include "turgor/scene.h"

#include <stdio.h>
#include <string.h>

enum { tg_frames = 60, tg_rounds = 50, tg_mostBones = 64 };

typedef struct tgBoneBench {
    const tgScene* skin;
    tgRig* rig;
    tgInstance* instance;
    tgMat34* poses[tg_frames];
    tgVec3* positions;
} tgBoneBench;

static void tgExpect(bool condition, const tgError* error)
{
    if (!condition) {
        fprintf(stderr, "bench_bones: %s\n", error->message);
        exit(1);
    }
}

/// The objects that are called like a joint, or like one with "bone_" before it.
static int tgFindBones(const tgScene* skin, const tgScene* objects, tgBoneDef* bones)
{
    int count = 0, corner = 0, f = 0;
    for (int p = 0; p < objects->partCount && count < tg_mostBones; ++p) {
        const tgScenePart* part = &objects->parts[p];
        for (; f < part->firstFace; ++f) {
            corner += objects->faceSizes[f];
        }
        const char* name = strncmp(part->name, "bone_", 5) == 0 ? part->name + 5 : part->name;
        int joint = tgScene_FindJoint(skin, name);
        if (joint < 0) {
            continue;
        }
        int cornerCount = 0;
        for (int k = 0; k < part->faceCount; ++k) {
            cornerCount += objects->faceSizes[part->firstFace + k];
        }
        int* corners = calloc((size_t)cornerCount, sizeof(int)); // kept until the end
        for (int k = 0; k < cornerCount; ++k) {
            corners[k] = objects->faceVertices[corner + k] - part->firstVertex;
        }
        bones[count++] = (tgBoneDef){
            .joint = joint,
            .positions = {&objects->positions[part->firstVertex].x, part->vertexCount,
                          sizeof(tgVec3)},
            .faceVertices = corners,
            .faceSizes = objects->faceSizes + part->firstFace,
            .faceCount = part->faceCount,
            .thickness = -1.0f,
        };
    }
    return count;
}

static void tgOpenBench(tgBoneBench* bench, const tgScene* skin, const tgBoneDef* bones, int count)
{
    tgError error = {0};
    tgRigDef def = tgScene_GetRigDef(skin);
    def.bones.bones = bones;
    def.bones.boneCount = count;
    bench->skin = skin;
    bench->rig = tgCreateRig(&def, &error);
    tgExpect(bench->rig != NULL, &error);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    bench->instance = tgCreateInstance(bench->rig, &instanceDef, &error);
    tgExpect(bench->instance != NULL, &error);
    bench->positions = calloc((size_t)skin->vertexCount, sizeof(tgVec3));
    tgMat34* nodes = calloc((size_t)skin->nodeCount, sizeof(tgMat34));
    const tgAnimation* animation = &skin->animations[0];
    for (int f = 0; f < tg_frames; ++f) {
        bench->poses[f] = calloc((size_t)skin->jointCount, sizeof(tgMat34));
        double time = animation->start + (animation->end - animation->start) * f / (tg_frames - 1);
        tgScene_SamplePose(skin, 0, time, nodes, bench->poses[f], NULL);
    }
    free(nodes);
}

static void tgCloseBench(tgBoneBench* bench)
{
    tgDestroyInstance(bench->instance);
    tgDestroyRig(bench->rig);
    for (int f = 0; f < tg_frames; ++f) {
        free(bench->poses[f]);
    }
    free(bench->positions);
}

static void tgDeformFrame(tgBoneBench* bench, int f)
{
    tgPose pose = {.joints = bench->poses[f], .jointCount = bench->skin->jointCount};
    tgVec3Span out = {&bench->positions->x, bench->skin->vertexCount, sizeof(tgVec3)};
    tgInstance_Deform(bench->instance, &pose, out, (tgVec3Span){NULL, 0, 0}, NULL);
}

/// The least of many rounds for every frame; returns the mean of them, and the slowest.
static double tgTimeFrames(tgBoneBench* bench, double* slowest)
{
    double sum = 0.0;
    *slowest = 0.0;
    for (int f = 0; f < tg_frames; ++f) {
        double least = 1e9;
        for (int round = 0; round < tg_rounds; ++round) {
            double start = tgNow();
            tgDeformFrame(bench, f);
            double seconds = tgNow() - start;
            least = seconds < least ? seconds : least;
        }
        sum += least;
        *slowest = least > *slowest ? least : *slowest;
    }
    return sum / tg_frames;
}

static void tgPrintReport(const tgScene* skin, const tgScene* objects, const char* name, FILE* csv)
{
    static tgBoneDef bones[tg_mostBones];
    int boneCount = tgFindBones(skin, objects, bones);
    tgBoneBench with, without;
    tgOpenBench(&with, skin, bones, boneCount);
    tgOpenBench(&without, skin, NULL, 0);
    double slowest, plainSlowest;
    double seconds = tgTimeFrames(&with, &slowest);
    double plain = tgTimeFrames(&without, &plainSlowest);
    int triangles = 0, mostRays = 0, mostHeld = 0, mostMoved = 0;
    for (int b = 0; b < tgRig_GetBoneCount(with.rig); ++b) {
        triangles += tgRig_GetBoneInfo(with.rig, b).triangleCount;
    }
    for (int f = 0; f < tg_frames; ++f) {
        tgDeformFrame(&with, f);
        tgBoneReport report = tgInstance_GetBoneReport(with.instance);
        mostRays = report.rayCount > mostRays ? report.rayCount : mostRays;
        mostHeld = report.heldCount > mostHeld ? report.heldCount : mostHeld;
        mostMoved = report.movedCount > mostMoved ? report.movedCount : mostMoved;
    }
    int welded = tgRig_GetInfo(with.rig).weldedVertexCount;
    printf(
        "%s: %d welded vertices over %d bones of %d triangles, 1 thread, %d frames, least of %d\n"
        "  at most %d rays a frame, %d vertices held, %d moved\n"
        "  linear skinning  %8.4f ms\n"
        "  bones            %8.4f ms, slowest frame %.4f ms",
        name, welded, boneCount, triangles, tg_frames, tg_rounds, mostRays, mostHeld, mostMoved,
        1e3 * plain, 1e3 * (seconds - plain), 1e3 * (slowest - plain));
    tgTellBar(1e3 * (slowest - plain), tg_atMost, 1.0);
    printf("\n");
    if (csv != NULL) {
        fprintf(csv,
                "what,vertices,triangles,rays,plain,bones,slowest\n%s,%d,%d,%d,%.3e,%.3e,%.3e\n",
                name, welded, triangles, mostRays, plain, seconds - plain, slowest - plain);
    }
    for (int b = 0; b < boneCount; ++b) {
        free((void*)bones[b].faceVertices);
    }
    tgCloseBench(&with);
    tgCloseBench(&without);
}

int main(int argc, char** argv)
{
    bool hasCsv = argc >= 3 && strcmp(argv[1], "--csv") == 0;
    FILE* csv = hasCsv ? fopen(argv[2], "w") : NULL;
    char** files = argv + (hasCsv ? 3 : 1);
    bool hasFiles = argc - (hasCsv ? 3 : 1) == 2;
    tgError error = {0};
    tgScene* skin = hasFiles ? tgLoadScene(files[0], &error) : tgCreateModel("hand", 2000, &error);
    tgExpect(skin != NULL, &error);
    tgScene* objects =
        hasFiles ? tgLoadScene(files[1], &error) : tgCreateModelBones("hand", &error);
    tgExpect(objects != NULL, &error);
    tgPrintReport(skin, objects, hasFiles ? "hand of the files" : "embedded hand", csv);
    tgDestroyScene(objects);
    tgDestroyScene(skin);
    return tgEndBench(csv);
}
