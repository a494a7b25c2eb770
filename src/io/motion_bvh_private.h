// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A .bvh file as it was read, before it becomes a scene.
#ifndef TURGOR_IO_MOTION_BVH_PRIVATE_H
#define TURGOR_IO_MOTION_BVH_PRIVATE_H

#include "io/obj_text.h"
#include "turgor/scene.h"

/// Channels by number: positions along x, y, z, then rotations about them.
enum { tg_mostBvhChannels = 6, tg_firstBvhRotation = 3, tg_mostBvhNodes = 65535 };

typedef struct tgBvhNode {
    tgObjWord name; ///< of an End Site: its parent's
    int parent;
    bool isEnd, hasOffset, hasChannels;
    tgVec3 offset;
    int channelCount;
    int channels[tg_mostBvhChannels]; ///< in the order of the file
} tgBvhNode;

typedef struct tgBvhReader {
    tgObjText text;
    tgError* error;
    int nodeCount, nodeRoom;
    tgBvhNode* nodes; ///< parent before child
    int channelCount; ///< of all nodes
    int frameCount;   ///< that were read
    int toldCount;    ///< that the file says it has
    float frameTime;  ///< seconds
    float* frames;    ///< channelCount for each
} tgBvhReader;

/// The nodes, joints and motion of an empty scene.
tgResult tgBuildBvhScene(const tgBvhReader* reader, tgScene* scene);

#endif
