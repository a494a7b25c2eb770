// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Lists of vertices that follow the same elements: a frame goes through each list once, so what
// several elements do to a vertex is summed before it is held back from their bones.

#include "core/flesh.h"

/// Whether vertex v follows exactly the elements of the group.
static bool tgIsOfGroup(const tgFlesh* flesh, const tgFleshGroup* group, const float* weights,
                        int vertexCount, int v)
{
    int found = 0;
    for (int e = 0; e < flesh->elementCount; ++e) {
        if (weights[(size_t)e * (size_t)vertexCount + (size_t)v] > 0.0f) {
            if (found == group->elementCount ||
                flesh->groupElements[group->firstElement + found] != e) {
                return false;
            }
            found += 1;
        }
    }
    return found == group->elementCount;
}

static int tgCountFollowed(const tgFlesh* flesh, const float* weights, int vertexCount, int v)
{
    int count = 0;
    for (int e = 0; e < flesh->elementCount; ++e) {
        count += weights[(size_t)e * (size_t)vertexCount + (size_t)v] > 0.0f;
    }
    return count;
}

/// The group of each vertex, -1 for none; groups are numbered as vertices meet them.
static bool tgFindGroups(tgFlesh* flesh, const float* weights, int vertexCount, tgScratch* scratch,
                         int* groupOf)
{
    size_t room = 0, elements = 0;
    for (int v = 0; v < vertexCount; ++v) {
        int followed = tgCountFollowed(flesh, weights, vertexCount, v);
        room += followed > 0;
        elements += (size_t)followed;
    }
    flesh->groups = tgScratch_Take(scratch, room, sizeof(tgFleshGroup));
    flesh->groupElements = tgScratch_Take(scratch, elements, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < vertexCount; ++v) {
        int followed = tgCountFollowed(flesh, weights, vertexCount, v);
        int g = followed > 0 ? 0 : -1;
        while (g >= 0 && g < flesh->groupCount &&
               !tgIsOfGroup(flesh, &flesh->groups[g], weights, vertexCount, v)) {
            g += 1;
        }
        if (g == flesh->groupCount) {
            flesh->groups[flesh->groupCount++] =
                (tgFleshGroup){.firstElement = flesh->groupElementCount, .elementCount = followed};
            for (int e = 0; e < flesh->elementCount; ++e) {
                if (weights[(size_t)e * (size_t)vertexCount + (size_t)v] > 0.0f) {
                    flesh->groupElements[flesh->groupElementCount++] = e;
                }
            }
        }
        groupOf[v] = g;
        if (g >= 0) {
            flesh->groups[g].vertexCount += 1;
        }
    }
    return true;
}

/// One group's vertices and weights.
static void tgFillGroup(tgFlesh* flesh, tgFleshGroup* group, int number, const int* groupOf,
                        const float* weights, int vertexCount)
{
    int* list = flesh->vertices + group->firstVertex;
    int count = 0;
    for (int v = 0; v < vertexCount; ++v) {
        if (groupOf[v] == number) {
            list[count++] = v;
        }
    }
    for (; count < group->vertexCount; ++count) {
        list[count] = list[count - 1];
    }
    for (int k = 0; k < group->elementCount; ++k) {
        int e = flesh->groupElements[group->firstElement + k];
        const float* from = weights + (size_t)e * (size_t)vertexCount;
        float* to = flesh->weights + group->firstWeight + k * group->vertexCount;
        for (int i = 0; i < group->vertexCount; ++i) {
            to[i] = from[list[i]];
        }
    }
}

static bool tgFillTwists(tgFlesh* flesh, int vertexCount, const float* twistWeights,
                         tgScratch* scratch)
{
    size_t room = 0;
    for (int e = 0; e < flesh->elementCount; ++e) {
        room += flesh->elements[e].twists ? (size_t)tgRoundToLane(vertexCount) : 0;
    }
    flesh->twistVertices = tgScratch_Take(scratch, room, sizeof(int));
    flesh->twistWeights = tgScratch_Take(scratch, room, sizeof(float));
    if (scratch->failed) {
        return false;
    }
    for (int e = 0; e < flesh->elementCount; ++e) {
        tgElement* element = &flesh->elements[e];
        element->firstTwist = flesh->twistCount;
        if (!element->twists) {
            continue;
        }
        int* list = flesh->twistVertices + element->firstTwist;
        float* to = flesh->twistWeights + element->firstTwist;
        int count = 0;
        for (int v = 0; v < vertexCount; ++v) {
            float w = twistWeights[(size_t)e * (size_t)vertexCount + (size_t)v];
            if (w > 0.0f) {
                list[count] = v;
                to[count++] = w;
            }
        }
        for (; count % tg_lane != 0; ++count) {
            list[count] = list[count - 1];
            to[count] = to[count - 1];
        }
        element->twistCount = count;
        flesh->twistCount += count;
    }
    return true;
}

bool tgMakeFleshGroups(int vertexCount, const float* weights, const float* twistWeights,
                       tgScratch* scratch, tgFlesh* flesh)
{
    int* groupOf = tgScratch_Take(scratch, (size_t)vertexCount, sizeof(int));
    if (groupOf == NULL || !tgFindGroups(flesh, weights, vertexCount, scratch, groupOf)) {
        return false;
    }
    for (int g = 0; g < flesh->groupCount; ++g) {
        tgFleshGroup* group = &flesh->groups[g];
        group->vertexCount = tgRoundToLane(group->vertexCount);
        group->firstVertex = flesh->vertexCount;
        group->firstWeight = flesh->weightCount;
        flesh->vertexCount += group->vertexCount;
        flesh->weightCount += group->vertexCount * group->elementCount;
    }
    flesh->vertices = tgScratch_Take(scratch, (size_t)flesh->vertexCount, sizeof(int));
    flesh->weights = tgScratch_Take(scratch, (size_t)flesh->weightCount, sizeof(float));
    if (scratch->failed) {
        return false;
    }
    for (int g = 0; g < flesh->groupCount; ++g) {
        tgFillGroup(flesh, &flesh->groups[g], g, groupOf, weights, vertexCount);
    }
    return tgFillTwists(flesh, vertexCount, twistWeights, scratch);
}

float tgFlesh_GetWeight(const tgFlesh* flesh, int element, int vertex)
{
    for (int g = 0; g < flesh->groupCount; ++g) {
        const tgFleshGroup* group = &flesh->groups[g];
        for (int k = 0; k < group->elementCount; ++k) {
            if (flesh->groupElements[group->firstElement + k] != element) {
                continue;
            }
            const int* list = flesh->vertices + group->firstVertex;
            int low = 0, high = group->vertexCount; // lists rise, but for the padding
            while (low < high) {
                int middle = low + (high - low) / 2;
                low = list[middle] < vertex ? middle + 1 : low;
                high = list[middle] < vertex ? high : middle;
            }
            if (low < group->vertexCount && list[low] == vertex) {
                return flesh->weights[group->firstWeight + k * group->vertexCount + low];
            }
        }
    }
    return 0.0f;
}
