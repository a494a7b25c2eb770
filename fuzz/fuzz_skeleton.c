// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Any bytes as a skeleton in JSON: either joints whose parents come before them and whose places
// are finite, or a message.

#include "turgor/io.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void tgRequire(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void tgCheckSkeleton(const tgScene* scene)
{
    tgRequire(scene->jointCount > 0 && scene->nodeCount >= scene->jointCount);
    tgVec3* tails = calloc((size_t)scene->jointCount, sizeof(tgVec3));
    tgRequire(tails != NULL);
    tgScene_GetTails(scene, tails);
    for (int j = 0; j < scene->jointCount; ++j) {
        const tgSceneJoint* joint = &scene->joints[j];
        tgRequire(joint->parent >= -1 && joint->parent < j && joint->name[0] != '\0');
        tgRequire(joint->node >= 0 && joint->node < scene->nodeCount);
        tgRequire(tgIsFiniteMat34(&joint->restJoint));
    }
    for (int n = 0; n < scene->nodeCount; ++n) {
        tgRequire(scene->nodes[n].parent >= -1 && scene->nodes[n].parent < n);
    }
    free(tails);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tgError error = {0};
    tgScene* scene = tgParseSkeleton((const char*)data, size, &error);
    if (scene != NULL) {
        tgCheckSkeleton(scene);
    } else {
        tgRequire(error.code != tg_success && error.message[0] != '\0');
    }
    tgDestroyScene(scene);
    return 0;
}
