// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Frames of a character as the web package makes them: the pose of the first animation, the exact
// method with its defaults, positions and normals; one thread. Prints milliseconds of processor
// time a frame, the mean of the fastest round. bench_web.mjs runs it in turns with the package.
//
//   bench_hero FILE.glb FRAMES ROUNDS SIMD
//
// SIMD is one of tgSimd: 0 the widest there is, 2 SSE2, which is as wide as WebAssembly.

#include "clock.h"
#include "turgor/io.h"

#include <stdio.h>

int main(int argc, char** argv)
{
    tgError error = {0};
    tgScene* scene = argc == 5 ? tgLoadScene(argv[1], &error) : NULL;
    tgRig* rig = scene != NULL ? tgScene_CreateRig(scene, NULL, &error) : NULL;
    tgInstanceDef def = tgDefaultInstanceDef();
    def.simd = argc == 5 ? (tgSimd)atoi(argv[4]) : tg_simdBest;
    tgInstance* instance = rig != NULL ? tgCreateInstance(rig, &def, &error) : NULL;
    if (instance == NULL) {
        fprintf(stderr, "bench_hero: %s\n", argc == 5 ? error.message : "FILE FRAMES ROUNDS SIMD");
        return 1;
    }
    int frames = atoi(argv[2]), rounds = atoi(argv[3]), count = scene->vertexCount;
    tgMat34* nodes = calloc((size_t)scene->nodeCount + 1, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount + 1, sizeof(tgMat34));
    tgVec3* skin = calloc(2 * (size_t)count, sizeof(tgVec3));
    double* least = calloc((size_t)frames + 1, sizeof(double));
    double sum = 0.0, end = scene->animationCount > 0 ? scene->animations[0].end : 1.0;
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < frames; ++i) {
            double start = tgNow();
            double time = end * i / frames;
            tgScene_SamplePose(scene, scene->animationCount > 0 ? 0 : -1, time, nodes, joints,
                               NULL);
            tgPose pose = tgDefaultPose();
            pose.joints = joints;
            pose.jointCount = scene->jointCount;
            pose.time = (float)time;
            tgVec3Span positions = {&skin->x, count, sizeof(tgVec3)};
            tgVec3Span normals = {&skin[count].x, count, sizeof(tgVec3)};
            tgInstance_Deform(instance, &pose, positions, normals, NULL);
            double took = tgNow() - start;
            least[i] = round == 0 || took < least[i] ? took : least[i];
        }
    }
    for (int i = 0; i < frames; ++i) {
        sum += least[i] / frames;
    }
    printf("%.6f\n", 1e3 * sum);
    free(least);
    free(nodes);
    free(joints);
    free(skin);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgDestroyScene(scene);
    return 0;
}
