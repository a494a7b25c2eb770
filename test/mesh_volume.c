// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume of a scene's mesh, and its range under linear blend skinning, by a route of its own.

#include "mesh_volume.h"

#include <stdlib.h>
#include <string.h>

typedef struct tgPlacedVertex {
    tgVec3 place;
    int vertex;
} tgPlacedVertex;

static int tgComparePlaces(const void* left, const void* right)
{
    const tgPlacedVertex* a = left;
    const tgPlacedVertex* b = right;
    int order = memcmp(&a->place, &b->place, sizeof(tgVec3));
    return order != 0 ? order : a->vertex - b->vertex;
}

static void tgWeldPlaces(const tgScene* scene, int* welded)
{
    size_t count = (size_t)scene->vertexCount;
    tgPlacedVertex* placed = calloc(count, sizeof(*placed));
    tgVec3 zero = {0.0f, 0.0f, 0.0f};
    for (size_t v = 0; v < count; ++v) {
        placed[v] = (tgPlacedVertex){tgAdd(scene->positions[v], zero), (int)v}; // no -0
    }
    qsort(placed, count, sizeof(*placed), tgComparePlaces);
    for (size_t i = 0; i < count; ++i) {
        bool isNew = i == 0 || memcmp(&placed[i].place, &placed[i - 1].place, sizeof(tgVec3)) != 0;
        welded[placed[i].vertex] = isNew ? placed[i].vertex : welded[placed[i - 1].vertex];
    }
    free(placed);
}

int tgChooseFanStart(const tgScene* scene, const int* corners, int size)
{
    if (size != 4) {
        return size > 4 ? 1 : 0;
    }
    tgVec3 p = scene->positions[corners[0]];
    tgVec3 diagonal = tgSub(scene->positions[corners[2]], p);
    tgVec3 before = tgCross(tgSub(scene->positions[corners[1]], p), diagonal);
    tgVec3 after = tgCross(tgSub(scene->positions[corners[3]], p), diagonal);
    return tgDot(before, after) > 0.0f ? 1 : 0;
}

static int tgCompareEdges(const void* left, const void* right)
{
    const int* a = left;
    const int* b = right;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/// Half-edges that no half-edge the other way answers.
static void tgFindHoles(tgTestMesh* mesh)
{
    size_t count = 3 * (size_t)mesh->triangleCount;
    int(*all)[3] = calloc(count, sizeof(*all)); // low vertex, high vertex, direction
    for (size_t k = 0; k < count; ++k) {
        int a = mesh->triangles[k];
        int b = mesh->triangles[k % 3 == 2 ? k - 2 : k + 1];
        all[k][0] = a < b ? a : b;
        all[k][1] = a < b ? b : a;
        all[k][2] = a == b ? 0 : a < b ? 1 : -1;
    }
    qsort(all, count, sizeof(*all), tgCompareEdges);
    mesh->edges = calloc(2 * count, sizeof(int));
    for (size_t k = 0; k < count;) {
        size_t first = k;
        int balance = 0;
        for (; k < count && tgCompareEdges(all[first], all[k]) == 0; ++k) {
            balance += all[k][2];
        }
        for (int i = 0; i < abs(balance); ++i) {
            int* edge = &mesh->edges[2 * mesh->edgeCount++];
            edge[0] = all[first][balance > 0 ? 0 : 1];
            edge[1] = all[first][balance > 0 ? 1 : 0];
        }
    }
    free(all);
}

tgTestMesh tgMakeTestMesh(const tgScene* scene)
{
    tgTestMesh mesh = {0};
    size_t cornerCount = 0;
    for (int f = 0; f < scene->faceCount; ++f) {
        cornerCount += (size_t)scene->faceSizes[f];
    }
    mesh.welded = calloc((size_t)scene->vertexCount, sizeof(int));
    mesh.triangles = calloc(3 * cornerCount, sizeof(int));
    tgWeldPlaces(scene, mesh.welded);
    const int* corners = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; ++f) {
        int size = scene->faceSizes[f];
        int start = tgChooseFanStart(scene, corners, size);
        for (int k = 1; k + 1 < size; ++k) {
            int* triangle = &mesh.triangles[3 * mesh.triangleCount++];
            triangle[0] = mesh.welded[corners[start]];
            triangle[1] = mesh.welded[corners[(start + k) % size]];
            triangle[2] = mesh.welded[corners[(start + k + 1) % size]];
        }
        corners += size;
    }
    tgFindHoles(&mesh);
    return mesh;
}

void tgFreeTestMesh(tgTestMesh* mesh)
{
    free(mesh->welded);
    free(mesh->triangles);
    free(mesh->edges);
    *mesh = (tgTestMesh){0};
}

/// Six times the volume of a tetrahedron with a corner at `origin`.
static double tgMeasureTriangle(tgVec3 origin, tgVec3 a, tgVec3 b, tgVec3 c)
{
    double ax = (double)a.x - (double)origin.x, ay = (double)a.y - (double)origin.y;
    double az = (double)a.z - (double)origin.z, bx = (double)b.x - (double)origin.x;
    double by = (double)b.y - (double)origin.y, bz = (double)b.z - (double)origin.z;
    double cx = (double)c.x - (double)origin.x, cy = (double)c.y - (double)origin.y;
    double cz = (double)c.z - (double)origin.z;
    return ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx);
}

/// A fan over one simple loop of hole edges, seen from the other side.
static double tgMeasureCap(const tgTestMesh* mesh, const tgVec3* positions, tgVec3 origin,
                           const int* loop, int size)
{
    tgVec3 mean = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < size; ++i) {
        mean = tgMulAdd(mean, 1.0f / (float)size, positions[mesh->edges[2 * loop[i]]]);
    }
    double sum = 0.0;
    for (int i = 0; i < size; ++i) {
        const int* edge = &mesh->edges[2 * loop[i]];
        sum += tgMeasureTriangle(origin, positions[edge[1]], positions[edge[0]], mean);
    }
    return sum;
}

/// Walk the hole edges; whenever the walk meets itself, what it went round is a loop.
static double tgMeasureCaps(const tgTestMesh* mesh, const tgVec3* positions, tgVec3 origin)
{
    bool* isUsed = calloc((size_t)mesh->edgeCount + 1, sizeof(bool));
    int* path = calloc((size_t)mesh->edgeCount + 1, sizeof(int));
    double sum = 0.0;
    for (int first = 0; first < mesh->edgeCount; ++first) {
        int length = 0;
        int vertex = mesh->edges[2 * first];
        for (int next = first; next >= 0;) {
            next = -1;
            for (int i = 0; i < length; ++i) {
                if (mesh->edges[2 * path[i]] == vertex) {
                    sum += tgMeasureCap(mesh, positions, origin, path + i, length - i);
                    length = i;
                }
            }
            for (int e = 0; e < mesh->edgeCount && next < 0; ++e) {
                next = !isUsed[e] && mesh->edges[2 * e] == vertex ? e : -1;
            }
            if (next >= 0) {
                isUsed[next] = true;
                path[length++] = next;
                vertex = mesh->edges[2 * next + 1];
            }
        }
    }
    free(isUsed);
    free(path);
    return sum;
}

double tgTestMesh_Measure(const tgTestMesh* mesh, const tgVec3* positions)
{
    tgVec3 origin = positions[mesh->triangles[0]];
    double sum = tgMeasureCaps(mesh, positions, origin);
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const int* corner = &mesh->triangles[3 * t];
        sum += tgMeasureTriangle(origin, positions[corner[0]], positions[corner[1]],
                                 positions[corner[2]]);
    }
    return sum / 6.0;
}

static void tgSkinLinearly(const tgScene* scene, const tgMat34* restToPosed, tgVec3* posed)
{
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 sum = {0.0f, 0.0f, 0.0f};
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            size_t at = (size_t)v * (size_t)scene->influencesPerVertex + (size_t)k;
            const tgMat34* matrix = &restToPosed[scene->influenceJoints[at]];
            sum = tgMulAdd(sum, scene->influenceWeights[at],
                           tgMulMatPoint(matrix, scene->positions[v]));
        }
        posed[v] = sum;
    }
}

tgVolumeRange tgMeasureAnimation(const tgScene* scene, int animation)
{
    const double fps = 30.0;
    tgTestMesh mesh = tgMakeTestMesh(scene);
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    float* morphWeights = calloc((size_t)scene->morphCount + 1, sizeof(float));
    tgVec3* posed = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    double start = scene->animations[animation].start;
    double end = scene->animations[animation].end;
    double restVolume = tgTestMesh_Measure(&mesh, scene->positions);
    tgVolumeRange range = {HUGE_VAL, -HUGE_VAL};
    for (int frame = 0; frame < (end - start) * fps + 1.0 - 1e-6; ++frame) {
        double time = fmin(start + frame / fps, end);
        tgScene_SamplePose(scene, animation, time, nodes, joints, morphWeights);
        for (int j = 0; j < scene->jointCount; ++j) {
            tgMat34 modelToJoint = tgIdentityMat34();
            tgInvertMat34(&scene->joints[j].restJoint, &modelToJoint);
            joints[j] = tgMulMat34(&joints[j], &modelToJoint);
        }
        tgSkinLinearly(scene, joints, posed);
        double scale = fabs((double)tgDeterminant(&joints[0]));
        double percent = 100.0 * tgTestMesh_Measure(&mesh, posed) / (scale * restVolume);
        range.lowest = fmin(range.lowest, percent);
        range.highest = fmax(range.highest, percent);
    }
    free(nodes);
    free(joints);
    free(morphWeights);
    free(posed);
    tgFreeTestMesh(&mesh);
    return range;
}
