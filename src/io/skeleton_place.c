// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skeleton somewhere else, before a mesh is bound to it: as its nodes stand, or scaled and moved.

#include "core/core.h"
#include "turgor/io.h"

#include <stdlib.h>
#include <string.h>

tgResult tgScene_StandSkeleton(tgScene* skeleton, int animation, double time, tgError* error)
{
    tgMat34* nodes = calloc((size_t)skeleton->nodeCount + 1, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)skeleton->jointCount + 1, sizeof(tgMat34));
    bool memory = nodes != NULL && joints != NULL;
    if (memory) {
        tgScene_SamplePose(skeleton, animation, time, nodes, joints, NULL);
        for (int j = 0; j < skeleton->jointCount; ++j) {
            skeleton->joints[j].restJoint = joints[j];
        }
    }
    free(nodes);
    free(joints);
    return memory ? tg_success : tgFail(error, tg_outOfMemory, -1, "no memory for the joints");
}

/// Scaled, then moved. A direction is only scaled.
typedef struct tgPlacement {
    float scale;
    tgVec3 offset;
} tgPlacement;

static tgVec3 tgPlace(const tgPlacement* placement, tgVec3 p)
{
    return tgMulAdd(placement->offset, placement->scale, p);
}

static void tgPlaceMatrix(const tgPlacement* placement, tgMat34* matrix)
{
    matrix->x = tgMulSV(placement->scale, matrix->x);
    matrix->y = tgMulSV(placement->scale, matrix->y);
    matrix->z = tgMulSV(placement->scale, matrix->z);
    matrix->origin = tgPlace(placement, matrix->origin);
}

/// The keys of a root: places are moved and scaled, sizes and slopes are scaled.
static bool tgPlaceKeys(tgScene* skeleton, const tgPlacement* placement, tgChannel* channel)
{
    bool isCubic = channel->interpolation == tg_interpolateCubic;
    size_t count = (size_t)channel->keyCount * (isCubic ? 3 : 1);
    tgVec3* values = tgScene_Alloc(skeleton, count + 1, sizeof(tgVec3));
    if (values == NULL) {
        return false;
    }
    memcpy(values, channel->values, count * sizeof(tgVec3));
    for (size_t i = 0; i < count; ++i) {
        bool isPlace = channel->path == tg_pathTranslation && (!isCubic || i % 3 == 1);
        values[i] = isPlace ? tgPlace(placement, values[i]) : tgMulSV(placement->scale, values[i]);
    }
    channel->values = &values->x;
    return true;
}

static bool tgPlaceAnimation(tgScene* skeleton, const tgPlacement* placement,
                             tgAnimation* animation)
{
    size_t count = (size_t)animation->channelCount;
    tgChannel* channels = tgScene_Alloc(skeleton, count + 1, sizeof(tgChannel));
    bool done = channels != NULL;
    for (size_t c = 0; c < count && done; ++c) {
        channels[c] = animation->channels[c];
        bool isSized = channels[c].path == tg_pathTranslation || channels[c].path == tg_pathScale;
        if (isSized && skeleton->nodes[channels[c].node].parent < 0) {
            done = tgPlaceKeys(skeleton, placement, &channels[c]);
        }
    }
    animation->channels = done ? channels : animation->channels;
    return done;
}

tgResult tgScene_MoveSkeleton(tgScene* skeleton, float scale, tgVec3 offset, tgError* error)
{
    if (!(scale > 0.0f && scale < HUGE_VALF)) {
        return tgFail(error, tg_invalidArgument, -1, "the scale is %g, wanted more than 0",
                      (double)scale);
    }
    tgPlacement placement = {scale, offset};
    for (int a = 0; a < skeleton->animationCount; ++a) {
        if (!tgPlaceAnimation(skeleton, &placement, &skeleton->animations[a])) {
            return tgFail(error, tg_outOfMemory, -1, "no memory for the animations");
        }
    }
    for (int n = 0; n < skeleton->nodeCount; ++n) {
        tgSceneNode* node = &skeleton->nodes[n];
        if (node->parent < 0) {
            tgPlaceMatrix(&placement, &node->matrix);
            node->local.position = tgPlace(&placement, node->local.position);
            node->local.scale = tgMulSV(scale, node->local.scale);
        }
    }
    for (int j = 0; j < skeleton->jointCount; ++j) {
        tgPlaceMatrix(&placement, &skeleton->joints[j].restJoint);
    }
    return tg_success;
}
