// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where the light on a surface is measured. Vertices are joined by the bits of their place and
// normal, found through a hash table; points are numbered in the order of the vertices, so the
// table never shows in the result.

#include "draw/light_points.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint32_t tgHashVertex(const tgSurfaceVertex* vertex)
{
    const float values[6] = {vertex->position.x, vertex->position.y, vertex->position.z,
                             vertex->normal.x,   vertex->normal.y,   vertex->normal.z};
    uint32_t hash = 2166136261u;
    for (int i = 0; i < 6; ++i) {
        uint32_t bits;
        float value = values[i] + 0.0f; // both zeros are one
        memcpy(&bits, &value, sizeof(bits));
        hash = (hash ^ bits) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash;
}

static bool tgIsSameVec3(tgVec3 a, tgVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void tgJoinVertices(const tgSurface* surface, tgLightPoints* light, int* table,
                           uint32_t mask)
{
    for (int v = 0; v < surface->vertexCount; ++v) {
        const tgSurfaceVertex* vertex = &surface->vertices[v];
        light->ofVertex[v] = -1;
        if (!vertex->used) {
            continue;
        }
        uint32_t slot = tgHashVertex(vertex) & mask;
        while (table[slot] != 0) {
            const tgLightPoint* point = &light->points[table[slot] - 1];
            if (tgIsSameVec3(point->position, vertex->position) &&
                tgIsSameVec3(point->normal, vertex->normal)) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        if (table[slot] == 0) {
            light->points[light->count] =
                (tgLightPoint){.position = vertex->position, .normal = vertex->normal};
            table[slot] = ++light->count;
        }
        light->ofVertex[v] = table[slot] - 1;
    }
}

bool tgGatherLightPoints(const tgSurface* surface, tgLightPoints* light)
{
    *light = (tgLightPoints){0};
    uint32_t tableSize = 64;
    while (tableSize < 2u * (uint32_t)surface->vertexCount) {
        tableSize *= 2;
    }
    size_t vertexCount = (size_t)surface->vertexCount + 1;
    int* table = calloc(tableSize, sizeof(int));
    light->points = malloc(vertexCount * sizeof(tgLightPoint));
    light->ofVertex = malloc(vertexCount * sizeof(int));
    bool memory = table != NULL && light->points != NULL && light->ofVertex != NULL;
    if (memory) {
        tgJoinVertices(surface, light, table, tableSize - 1);
    }
    free(table);
    return memory;
}

void tgFreeLightPoints(tgLightPoints* light)
{
    free(light->points);
    free(light->ofVertex);
    *light = (tgLightPoints){0};
}

static void tgSmoothOnce(tgLightPoints* light, const tgSurface* surface, tgVec3* sums)
{
    memset(sums, 0, (size_t)light->count * sizeof(tgVec3));
    for (int f = 0; f < surface->triangleCount; ++f) {
        const int* corners = surface->triangles[f].corners;
        for (int k = 0; k < 3; ++k) {
            const tgLightPoint* a = &light->points[light->ofVertex[corners[(k + 1) % 3]]];
            const tgLightPoint* b = &light->points[light->ofVertex[corners[(k + 2) % 3]]];
            tgVec3* sum = &sums[light->ofVertex[corners[k]]];
            *sum = tgAdd(*sum, tgMakeVec3(a->sky + b->sky, a->key + b->key, 2.0f));
        }
    }
    for (int i = 0; i < light->count; ++i) {
        tgLightPoint* point = &light->points[i];
        point->sky = 0.5f * (point->sky + sums[i].x / sums[i].z);
        point->key = 0.5f * (point->key + sums[i].y / sums[i].z);
    }
}

bool tgLightPoints_Smooth(tgLightPoints* light, const tgSurface* surface, int passes)
{
    tgVec3* sums = malloc(((size_t)light->count + 1) * sizeof(tgVec3));
    bool memory = sums != NULL;
    for (int i = 0; memory && i < passes; ++i) {
        tgSmoothOnce(light, surface, sums);
    }
    free(sums);
    return memory;
}

void tgLightPoints_Store(const tgLightPoints* light, tgSurface* surface)
{
    for (int v = 0; v < surface->vertexCount; ++v) {
        if (light->ofVertex[v] >= 0) {
            surface->vertices[v].sky = light->points[light->ofVertex[v]].sky;
            surface->vertices[v].key = light->points[light->ofVertex[v]].key;
        }
    }
}
