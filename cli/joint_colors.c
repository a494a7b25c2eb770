// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Colours of joints: a greedy colouring of the graph whose edges are pairs of joints that move
// corners of one face. Each joint in turn takes the colour that is used least and that no
// neighbour has.

#include "joint_colors.h"

#include "draw/scale.h"

#include <limits.h>
#include <stdlib.h>

/// Weights below this do not show.
static const float tg_leastShare = 0.02f;

void tgFindUsedJoints(const tgScene* scene, bool* isUsed)
{
    for (int j = 0; j < scene->jointCount; ++j) {
        isUsed[j] = false;
    }
    size_t count = (size_t)scene->vertexCount * (size_t)scene->influencesPerVertex;
    for (size_t i = 0; i < count; ++i) {
        isUsed[scene->influenceJoints[i]] |= scene->influenceWeights[i] > 0.0f;
    }
}

/// The joints that show on a face, each once; how many.
/// @param isListed false for all of them; left so
static int tgListJointsOfFace(const tgScene* scene, const int* corners, int size, bool* isListed,
                              int* list)
{
    int count = 0;
    for (int c = 0; c < size; ++c) {
        size_t first = (size_t)corners[c] * (size_t)scene->influencesPerVertex;
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            int joint = scene->influenceJoints[first + (size_t)k];
            if (scene->influenceWeights[first + (size_t)k] > tg_leastShare && !isListed[joint]) {
                isListed[joint] = true;
                list[count++] = joint;
            }
        }
    }
    for (int i = 0; i < count; ++i) {
        isListed[list[i]] = false;
    }
    return count;
}

/// @param touch jointCount rows of jointCount
static void tgFindNeighbours(const tgScene* scene, bool* isListed, int* list, bool* touch)
{
    const int* corners = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; ++f) {
        int count = tgListJointsOfFace(scene, corners, scene->faceSizes[f], isListed, list);
        for (int a = 0; a < count; ++a) {
            for (int b = 0; b < count; ++b) {
                touch[(size_t)list[a] * (size_t)scene->jointCount + (size_t)list[b]] = true;
            }
        }
        corners += scene->faceSizes[f];
    }
}

/// The least used colour that no neighbour before it has; the least used of all where each is had.
static int tgPickColor(const bool* touches, const int* colors, int joint, const int* useCounts)
{
    bool isTaken[tg_categoryCount] = {false};
    int takenCount = 0;
    for (int j = 0; j < joint; ++j) {
        if (touches[j] && colors[j] >= 0 && !isTaken[colors[j]]) {
            isTaken[colors[j]] = true;
            takenCount += 1;
        }
    }
    int best = -1, least = INT_MAX;
    for (int c = 0; c < tg_categoryCount; ++c) {
        bool isFree = !isTaken[c] || takenCount == tg_categoryCount;
        if (isFree && useCounts[c] < least) {
            best = c;
            least = useCounts[c];
        }
    }
    return best;
}

bool tgColorJoints(const tgScene* scene, int* colors)
{
    size_t count = (size_t)scene->jointCount;
    bool* touch = calloc(count * count + 1, sizeof(bool));
    bool* isUsed = calloc(count + 1, sizeof(bool));
    int* list = calloc(count + 1, sizeof(int));
    bool memory = touch != NULL && isUsed != NULL && list != NULL;
    if (memory) {
        tgFindNeighbours(scene, isUsed, list, touch);
        tgFindUsedJoints(scene, isUsed);
        int useCounts[tg_categoryCount] = {0};
        for (int j = 0; j < scene->jointCount; ++j) {
            // Those that move nothing are seen nowhere: they use no colour up.
            colors[j] =
                isUsed[j] ? tgPickColor(touch + (size_t)j * count, colors, j, useCounts) : -1;
            if (isUsed[j]) {
                useCounts[colors[j]] += 1;
            }
        }
    }
    free(touch);
    free(isUsed);
    free(list);
    return memory;
}
