// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Any bytes as what turgor-import sends: a child that a hostile file has taken over may send
// anything. Either a message, or a scene that is sound, can be posed and written, and whose own
// stream is the same bytes again.

#define _POSIX_C_SOURCE 200809L // open_memstream

#include "fuzz_frames.h"
#include "io/scene_check.h"
#include "io/scene_stream.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tgError error = {0};
    tgScene* scene = tgReadSceneStream(data, size, &error);
    if (scene == NULL) {
        tgRequire(error.code != tg_success);
        return 0;
    }
    tgRequire(tgScene_IsSound(scene));
    tgMat34* nodes = malloc(((size_t)scene->nodeCount + 1) * sizeof(tgMat34));
    tgMat34* joints = malloc(((size_t)scene->jointCount + 1) * sizeof(tgMat34));
    float* weights = malloc(((size_t)scene->morphCount + 1) * sizeof(float));
    tgVec3* shape = malloc(((size_t)scene->vertexCount + 1) * sizeof(tgVec3));
    tgRequire(nodes != NULL && joints != NULL && weights != NULL && shape != NULL);
    for (int a = -1; a < scene->animationCount; ++a) {
        double end = a >= 0 ? scene->animations[a].end : 0.0;
        tgScene_SamplePose(scene, a, 0.5 * end, nodes, joints, weights);
    }
    tgScene_SampleShape(scene, weights, shape);
    free(nodes);
    free(joints);
    free(weights);
    free(shape);
    char* bytes = NULL;
    size_t byteCount = 0;
    FILE* file = open_memstream(&bytes, &byteCount);
    tgRequire(file != NULL && tgWriteSceneStream(file, scene, NULL) && fclose(file) == 0);
    tgScene* again = tgReadSceneStream((const uint8_t*)bytes, byteCount, &error);
    tgRequire(again != NULL);
    tgDestroyScene(again);
    free(bytes);
    if (scene->vertexCount <= 500 && scene->jointCount > 0 && scene->jointCount <= 40) {
        tgSettings* settings = tgParseSettings("{}", 2, scene, &error);
        if (settings != NULL) {
            free(tgPlayTwoFrames(scene, settings));
        }
        tgDestroySettings(settings);
    }
    tgDestroyScene(scene);
    return 0;
}
