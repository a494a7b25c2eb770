// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Any bytes as a .bvh file: either a scene whose every index is in range and whose every number is
// finite, or a message.

#include "io/motion_bvh.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void tgRequire(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void tgCheckChannel(const tgScene* scene, const tgChannel* channel)
{
    tgRequire(channel->node >= 0 && channel->node < scene->nodeCount);
    tgRequire(channel->width == (channel->path == tg_pathRotation ? 4 : 3));
    for (int i = 0; i < channel->keyCount; ++i) {
        tgRequire(i == 0 || channel->times[i] > channel->times[i - 1]);
        for (int k = 0; k < channel->width; ++k) {
            tgRequire(isfinite(channel->values[i * channel->width + k]));
        }
    }
}

static void tgCheckScene(const tgScene* scene)
{
    tgRequire(scene->jointCount > 0 && scene->nodeCount >= scene->jointCount);
    for (int n = 0; n < scene->nodeCount; ++n) {
        tgRequire(scene->nodes[n].parent >= -1 && scene->nodes[n].parent < n);
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        const tgSceneJoint* joint = &scene->joints[j];
        tgRequire(joint->parent >= -1 && joint->parent < j);
        tgRequire(joint->node >= 0 && joint->node < scene->nodeCount);
        tgRequire(tgIsFiniteMat34(&joint->restJoint));
    }
    for (int a = 0; a < scene->animationCount; ++a) {
        for (int c = 0; c < scene->animations[a].channelCount; ++c) {
            tgCheckChannel(scene, &scene->animations[a].channels[c]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tgError error = {0};
    tgScene* scene = tgImportBvhMemory((const char*)data, size, &error);
    if (scene != NULL) {
        tgCheckScene(scene);
    } else {
        tgRequire(error.code != tg_success && error.message[0] != '\0');
    }
    tgDestroyScene(scene);
    return 0;
}
