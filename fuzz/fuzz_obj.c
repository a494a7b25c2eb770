// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Any bytes as an OBJ file: either a scene whose every index is in range, or a message.

#include "io/obj_read.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void tgRequire(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void tgCheckScene(const tgScene* scene)
{
    size_t corner = 0;
    int f = 0;
    for (int p = 0; p < scene->partCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        tgRequire(part->firstFace == f && part->faceCount > 0);
        tgRequire(part->firstVertex >= 0 &&
                  part->firstVertex + part->vertexCount <= scene->vertexCount);
        tgRequire(part->node >= 0 && part->node < scene->nodeCount);
        tgRequire(part->material >= -1 && part->material < scene->materialCount);
        for (; f < part->firstFace + part->faceCount; ++f) {
            tgRequire(scene->faceSizes[f] >= 3);
            for (int k = 0; k < scene->faceSizes[f]; ++k, ++corner) {
                int v = scene->faceVertices[corner] - part->firstVertex;
                tgRequire(v >= 0 && v < part->vertexCount);
            }
        }
    }
    tgRequire(f == scene->faceCount);
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgRequire(tgIsFiniteVec3(scene->positions[v]));
        tgRequire(scene->normals == NULL || tgIsFiniteVec3(scene->normals[v]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tgError error = {0};
    tgScene* scene = tgImportObjMemory((const char*)data, size, &error);
    if (scene != NULL) {
        tgCheckScene(scene);
    } else {
        tgRequire(error.code != tg_success && error.message[0] != '\0');
    }
    tgDestroyScene(scene);
    return 0;
}
