// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Any bytes through the glTF reader. Whatever is read must keep the promises that rigs and writers
// build on; then it is posed, and its accessors and images are read the way the writer does.

#include "io/gltf_source.h"
#include "turgor/io.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// Not assert: it must hold in builds without asserts too.
static void tgRequire(bool isTrue)
{
    if (!isTrue) {
        abort();
    }
}

static void tgCheckScene(const tgScene* scene)
{
    tgRequire(scene->vertexCount > 0 && scene->faceCount > 0);
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgRequire(tgIsFiniteVec3(scene->positions[v]));
    }
    for (int k = 0; k < 3 * scene->faceCount; ++k) {
        tgRequire(scene->faceVertices[k] >= 0 && scene->faceVertices[k] < scene->vertexCount);
    }
    for (int n = 0; n < scene->nodeCount; ++n) {
        tgRequire(scene->nodes[n].parent >= -1 && scene->nodes[n].parent < n);
    }
    for (int i = 0; i < scene->placeCount; ++i) {
        const tgScenePlace* place = &scene->places[i];
        tgRequire(place->name != NULL && place->node >= 0 && place->node < scene->nodeCount);
        tgRequire(place->source >= 0 && place->source < scene->nodeCount);
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        tgRequire(scene->joints[j].parent >= -1 && scene->joints[j].parent < j);
        tgRequire(scene->joints[j].node >= 0 && scene->joints[j].node < scene->nodeCount);
        tgRequire(tgIsFiniteMat34(&scene->joints[j].restJoint));
    }
    size_t width = (size_t)scene->influencesPerVertex;
    for (size_t v = 0; v < (size_t)scene->vertexCount && width > 0; ++v) {
        double sum = 0.0;
        for (size_t i = v * width; i < (v + 1) * width; ++i) {
            int joint = scene->influenceJoints[i];
            tgRequire(joint >= 0 && joint < scene->jointCount);
            sum += (double)scene->influenceWeights[i];
        }
        tgRequire(fabs(sum - 1.0) < 1e-5);
    }
}

static void tgPoseScene(const tgScene* scene)
{
    tgMat34* nodes = malloc(((size_t)scene->nodeCount + 1) * sizeof(tgMat34));
    tgMat34* joints = malloc(((size_t)scene->jointCount + 1) * sizeof(tgMat34));
    float* weights = malloc(((size_t)scene->morphCount + 1) * sizeof(float));
    tgVec3* shape = malloc((size_t)scene->vertexCount * sizeof(tgVec3));
    tgRequire(nodes != NULL && joints != NULL && weights != NULL && shape != NULL);
    for (int a = -1; a < scene->animationCount; ++a) {
        double start = a >= 0 ? scene->animations[a].start : 0.0;
        double end = a >= 0 ? scene->animations[a].end : 0.0;
        tgRequire(isfinite(start) && isfinite(end) && start <= end);
        tgRequire(tgScene_GetFrameCount(scene, a, 30.0) >= 1);
        for (int i = -1; i <= 4; ++i) {
            tgScene_SamplePose(scene, a, start + i / 3.0 * (end - start), nodes, joints, weights);
        }
    }
    tgScene_SampleShape(scene, weights, shape);
    free(nodes);
    free(joints);
    free(weights);
    free(shape);
}

/// As the writer: everything the document has, whether the scene uses it or not.
static void tgReadSource(const tgGltfSource* source)
{
    int accessorCount = (int)tgJson_CountItems(tgJson_Find(source->document, "accessors"));
    for (int i = 0; i < accessorCount; ++i) {
        tgGltfAccessor accessor;
        if (tgGltfSource_GetAccessor(source, i, &accessor, NULL) != tg_success ||
            accessor.count > 100000) {
            continue;
        }
        uint8_t* packed = malloc((size_t)accessor.count * (size_t)accessor.elementSize);
        float* floats =
            malloc((size_t)accessor.count * (size_t)accessor.componentCount * sizeof(float));
        tgRequire(packed != NULL && floats != NULL);
        tgGltfAccessor_CopyPacked(&accessor, packed);
        tgGltfAccessor_CopyFloats(&accessor, floats);
        free(packed);
        free(floats);
    }
    int imageCount = (int)tgJson_CountItems(tgJson_Find(source->document, "images"));
    for (int i = 0; i < imageCount; ++i) {
        uint8_t* bytes = NULL;
        size_t size = 0;
        if (tgGltfSource_ReadImage(source, i, &bytes, &size, NULL) == tg_success) {
            free(bytes);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tgError error = {0};
    tgScene* scene = tgLoadGltfMemory(data, size, NULL, &error);
    if (scene == NULL) {
        tgRequire(error.code != tg_success && error.message[0] != '\0');
        return 0;
    }
    tgCheckScene(scene);
    tgPoseScene(scene);
    tgReadSource(scene->source);
    tgDestroyScene(scene);
    return 0;
}
