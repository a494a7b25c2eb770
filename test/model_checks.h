// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the tests of the embedded characters and of the cylinder both ask of a scene.
#ifndef TURGOR_TEST_MODEL_CHECKS_H
#define TURGOR_TEST_MODEL_CHECKS_H

#include "check.h"
#include "turgor/models.h"

/// `check` for every embedded character.
static inline void tgCheckModels(void (*check)(const char* name, const tgScene* scene))
{
    int count;
    const tgModelInfo* models = tgGetModels(&count);
    for (int i = 0; i < count; ++i) {
        tgScene* scene = tgCreateModel(models[i].name, 0, NULL);
        assert_non_null(scene);
        check(models[i].name, scene);
        tgDestroyScene(scene);
    }
}

typedef struct tgTestEdge {
    int low, high;
    int forward; ///< 1 when the face runs from low to high, else -1
} tgTestEdge;

static inline int tgCompareEdges(const void* a, const void* b)
{
    const tgTestEdge* x = a;
    const tgTestEdge* y = b;
    return x->low != y->low ? x->low - y->low : x->high - y->high;
}

static inline int tgCountCorners(const tgScene* scene)
{
    int count = 0;
    for (int f = 0; f < scene->faceCount; ++f) {
        count += scene->faceSizes[f];
    }
    return count;
}

/// How many edges lack a second face that runs the other way.
static inline int tgCountBadEdges(const tgScene* scene)
{
    int count = tgCountCorners(scene), filled = 0, bad = 0;
    tgTestEdge* edges = malloc((size_t)count * sizeof(tgTestEdge));
    const int* corner = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; ++f) {
        int size = scene->faceSizes[f];
        for (int k = 0; k < size; ++k) {
            int a = corner[k], b = corner[(k + 1) % size];
            edges[filled++] = (tgTestEdge){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1};
        }
        corner += size;
    }
    qsort(edges, (size_t)count, sizeof(tgTestEdge), tgCompareEdges);
    for (int e = 0; e < count;) {
        int end = e, sum = 0;
        while (end < count && tgCompareEdges(&edges[e], &edges[end]) == 0) {
            sum += edges[end++].forward;
        }
        bad += end - e != 2 || sum != 0 || edges[e].low == edges[e].high;
        e = end;
    }
    free(edges);
    return bad;
}

/// The faces around every vertex must form one fan: a closed manifold has no pinched vertices.
static inline int tgCountPinchedVertices(const tgScene* scene)
{
    int cornerCount = tgCountCorners(scene), pinched = 0;
    // For each corner the vertices before and after it in its face; sorted by vertex.
    int* start = calloc((size_t)scene->vertexCount + 1, sizeof(int));
    int(*sides)[2] = malloc((size_t)cornerCount * sizeof(*sides));
    for (int i = 0; i < cornerCount; ++i) {
        start[scene->faceVertices[i] + 1] += 1;
    }
    for (int v = 0; v < scene->vertexCount; ++v) {
        start[v + 1] += start[v];
    }
    int* fill = malloc((size_t)scene->vertexCount * sizeof(int));
    memcpy(fill, start, (size_t)scene->vertexCount * sizeof(int));
    const int* corner = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; ++f) {
        int size = scene->faceSizes[f];
        for (int k = 0; k < size; ++k) {
            int at = fill[corner[k]]++;
            sides[at][0] = corner[(k + size - 1) % size];
            sides[at][1] = corner[(k + 1) % size];
        }
        corner += size;
    }
    for (int v = 0; v < scene->vertexCount; ++v) {
        int count = start[v + 1] - start[v], walked = 0;
        if (count == 0) {
            pinched += 1;
            continue;
        }
        int first = sides[start[v]][1], at = first;
        do {
            int next = -1;
            for (int i = start[v]; i < start[v + 1]; ++i) {
                next = sides[i][1] == at ? sides[i][0] : next;
            }
            at = next;
            walked += 1;
        } while (at != first && at >= 0 && walked <= count);
        pinched += walked != count;
    }
    free(start);
    free(sides);
    free(fill);
    return pinched;
}

/// A quad as the mean of its two triangulations; larger faces as fans.
static inline double tgTestVolume(const tgScene* scene, const tgVec3* p)
{
    double sum = 0.0;
    const int* corner = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; ++f) {
        int size = scene->faceSizes[f];
        for (int turn = 0; turn < (size == 4 ? 2 : 1); ++turn) {
            for (int k = 1; k + 1 < size; ++k) {
                tgVec3 a = p[corner[turn]], b = p[corner[(turn + k) % size]];
                tgVec3 c = p[corner[(turn + k + 1) % size]];
                double x = (double)b.y * (double)c.z - (double)b.z * (double)c.y;
                double y = (double)b.z * (double)c.x - (double)b.x * (double)c.z;
                double z = (double)b.x * (double)c.y - (double)b.y * (double)c.x;
                double six = (double)a.x * x + (double)a.y * y + (double)a.z * z;
                sum += six * (size == 4 ? 0.5 : 1.0);
            }
        }
        corner += size;
    }
    return sum / 6.0;
}

/// Faces whose area vanishes or that look against their vertex normals.
static inline int tgCountBadFaces(const tgScene* scene)
{
    int bad = 0;
    const int* corner = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; ++f) {
        int size = scene->faceSizes[f];
        tgVec3 area = {0.0f, 0.0f, 0.0f}, normal = {0.0f, 0.0f, 0.0f};
        float edge = 0.0f;
        for (int k = 0; k < size; ++k) {
            tgVec3 a = scene->positions[corner[k]], b = scene->positions[corner[(k + 1) % size]];
            area = tgAdd(area, tgCross(tgSub(a, scene->positions[corner[0]]),
                                       tgSub(b, scene->positions[corner[0]])));
            normal = tgAdd(normal, scene->normals[corner[k]]);
            edge = fmaxf(edge, tgDistance(a, b));
        }
        bool isCap = fabsf(tgDot(area, normal)) <= 1e-6f * tgLength(area) * tgLength(normal);
        bad += !(tgLength(area) > 1e-3f * edge * edge) || (!isCap && tgDot(area, normal) <= 0.0f);
        corner += size;
    }
    return bad;
}

static inline void tgCheckWeights(const tgScene* scene)
{
    int perVertex = scene->influencesPerVertex;
    assert_true(perVertex >= 2 && perVertex <= 8);
    for (int v = 0; v < scene->vertexCount; ++v) {
        double sum = 0.0;
        for (int k = 0; k < perVertex; ++k) {
            int joint = scene->influenceJoints[v * perVertex + k];
            float w = scene->influenceWeights[v * perVertex + k];
            assert_in_range(joint, 0, scene->jointCount - 1);
            assert_true(w >= 0.0f && w <= 1.0f);
            sum += (double)w;
        }
        CHECK_NEAR(sum, 1.0, 1e-6);
        CHECK_NEAR(tgLength(scene->normals[v]), 1.0, 1e-4);
    }
}

/// The last key equals the first, and the motion goes on across the seam as it does elsewhere: its
/// bend there, the second difference of three keys, is no larger than half as much again.
static inline void tgCheckSeam(const tgChannel* channel)
{
    int last = channel->keyCount - 1, width = channel->width;
    assert_memory_equal(channel->values, &channel->values[last * width],
                        (size_t)width * sizeof(float));
    for (int k = 0; k < width; ++k) {
        const float* value = &channel->values[k];
        float most = 0.0f;
        for (int i = 1; i < last; ++i) {
            float bend = value[(i + 1) * width] - 2.0f * value[i * width] + value[(i - 1) * width];
            most = fmaxf(most, fabsf(bend));
        }
        float seam = value[width] - 2.0f * value[0] + value[(last - 1) * width];
        CHECK_AT_MOST(fabsf(seam), 1.5f * most + 1e-5f);
    }
}

static inline void tgCheckChannel(const tgAnimation* animation, const tgChannel* channel)
{
    int last = channel->keyCount - 1;
    assert_true(last >= 2);
    CHECK_NEAR(channel->times[0], animation->start, 0.0);
    CHECK_NEAR(channel->times[last], animation->end, 0.0);
    for (int i = 0; i <= last; ++i) {
        const float* value = &channel->values[i * channel->width];
        float lengthSquared = 0.0f;
        for (int k = 0; k < channel->width; ++k) {
            assert_true(isfinite(value[k]));
            lengthSquared += value[k] * value[k];
        }
        assert_true(i == 0 || channel->times[i] > channel->times[i - 1]);
        if (channel->path == tg_pathRotation) {
            CHECK_NEAR(lengthSquared, 1.0, 1e-5);
        }
    }
    tgCheckSeam(channel);
}

/// Every animation loops, and starts in the bind pose; a run and a walk have no beginning.
static inline void tgCheckAnimations(const tgScene* scene)
{
    assert_true(scene->animationCount > 0);
    for (int a = 0; a < scene->animationCount; ++a) {
        const tgAnimation* animation = &scene->animations[a];
        assert_true(animation->channelCount > 0);
        CHECK_NEAR(animation->start, 0.0, 0.0);
        for (int c = 0; c < animation->channelCount; ++c) {
            const tgChannel* channel = &animation->channels[c];
            tgCheckChannel(animation, channel);
            const tgTransform* local = &scene->nodes[channel->node].local;
            bool goesOn =
                strcmp(animation->name, "run") == 0 || strcmp(animation->name, "walk") == 0;
            for (int k = 0; k < channel->width && !goesOn; ++k) {
                float rest = channel->path == tg_pathRotation ? (&local->rotation.x)[k]
                                                              : (&local->position.x)[k];
                CHECK_NEAR(channel->values[k], rest, 2e-3);
            }
        }
    }
}

/// Holes through the mesh, as between two fingers that grew together: for each closed piece
/// vertices - edges + faces is 2 less twice its holes.
static inline int tgCountHandles(const tgScene* scene)
{
    int* root = malloc((size_t)scene->vertexCount * sizeof(int));
    for (int v = 0; v < scene->vertexCount; ++v) {
        root[v] = v;
    }
    int pieces = scene->vertexCount;
    const int* corner = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; ++f) {
        for (int k = 0; k < scene->faceSizes[f]; ++k) {
            int a = corner[0], b = corner[k];
            while (root[a] != a) {
                a = root[a] = root[root[a]];
            }
            while (root[b] != b) {
                b = root[b] = root[root[b]];
            }
            pieces -= a != b;
            root[a] = b;
        }
        corner += scene->faceSizes[f];
    }
    free(root);
    int edgeCount = tgCountCorners(scene) / 2;
    return pieces - (scene->vertexCount - edgeCount + scene->faceCount) / 2;
}

#endif
