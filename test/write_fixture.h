// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the tests of the writers share: a folder that must be as empty afterwards as it was before,
// bytes of files, and a small character with everything a scene can hold.
#ifndef TURGOR_TEST_WRITE_FIXTURE_H
#define TURGOR_TEST_WRITE_FIXTURE_H

#include "turgor/io.h"

#include "check.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct tgFolder {
    char path[64];
    char file[352]; ///< the last path made by tgInFolder
} tgFolder;

static inline tgFolder tgMakeFolder(void)
{
    tgFolder folder = {"write_test_XXXXXX", ""};
    assert_non_null(mkdtemp(folder.path));
    return folder;
}

static inline const char* tgInFolder(tgFolder* folder, const char* name)
{
    snprintf(folder->file, sizeof(folder->file), "%s/%s", folder->path, name);
    return folder->file;
}

/// Files in the folder, temporary ones too. Removes them when asked.
static inline int tgCountFiles(tgFolder* folder, bool removes)
{
    DIR* listing = opendir(folder->path);
    assert_non_null(listing);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(listing)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        count += 1;
        if (removes) {
            remove(tgInFolder(folder, entry->d_name));
        }
    }
    closedir(listing);
    return count;
}

static inline void tgRemoveFolder(tgFolder* folder)
{
    tgCountFiles(folder, true);
    assert_int_equal(rmdir(folder->path), 0);
}

/// The bytes of a file with a zero after them; the caller frees them.
static inline unsigned char* tgReadBytes(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char* bytes = calloc(*size + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/// A copy of an array that lives as long as the scene.
static inline void* tgKeep(tgScene* scene, const void* data, size_t count, size_t size)
{
    void* copy = tgScene_Alloc(scene, count, size);
    assert_non_null(copy);
    return memcpy(copy, data, count * size);
}

enum { tg_armVertexCount = 17, tg_armFaceCount = 11 };

/// A square column of quads in three rings along y, skinned to two joints, and a pentagon hat of
/// its own above it. The column's two parts share their vertices and have a material each.
static inline void tgFillArmMesh(tgScene* scene)
{
    tgVec3 positions[tg_armVertexCount];
    tgVec3 normals[tg_armVertexCount];
    float uvs[2 * tg_armVertexCount];
    for (int v = 0; v < tg_armVertexCount; ++v) {
        bool isHat = v >= 12;
        float angle = isHat ? 1.2566371f * (float)(v - 12) : 1.5707964f * (float)(v % 4);
        float height = isHat ? 2.5f : (float)(v / 4);
        // Seen from above the corners go clockwise, so that sides listed upwards look outwards.
        positions[v] = tgMakeVec3(0.3f * sinf(angle), height, 0.3f * cosf(angle));
        normals[v] =
            isHat ? tgMakeVec3(0.0f, 1.0f, 0.0f) : tgMakeVec3(sinf(angle), 0.0f, cosf(angle));
        uvs[2 * v] = 0.0625f * (float)v;
        uvs[2 * v + 1] = 0.25f;
    }
    int sizes[tg_armFaceCount] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5};
    int corners[45];
    int count = 0;
    for (int ring = 0; ring < 2; ++ring) {
        for (int k = 0; k < 4; ++k) {
            int a = 4 * ring + k, b = 4 * ring + (k + 1) % 4;
            int quad[4] = {a, b, b + 4, a + 4};
            memcpy(corners + count, quad, sizeof(quad));
            count += 4;
        }
    }
    int rest[13] = {3, 2, 1, 0, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    memcpy(corners + count, rest, sizeof(rest));
    scene->vertexCount = tg_armVertexCount;
    scene->positions = tgKeep(scene, positions, tg_armVertexCount, sizeof(tgVec3));
    scene->normals = tgKeep(scene, normals, tg_armVertexCount, sizeof(tgVec3));
    scene->uvs = tgKeep(scene, uvs, tg_armVertexCount, 2 * sizeof(float));
    scene->faceCount = tg_armFaceCount;
    scene->faceSizes = tgKeep(scene, sizes, tg_armFaceCount, sizeof(int));
    scene->faceVertices = tgKeep(scene, corners, 45, sizeof(int));
    tgScenePart parts[3] = {{"column", 0, 0, 0, 0, 12, 0, 4},
                            {"column", 0, 1, 1, 0, 12, 4, 6},
                            {"hat", 1, 0, -1, 12, 5, 10, 1}};
    scene->partCount = 3;
    scene->parts = tgKeep(scene, parts, 3, sizeof(tgScenePart));
    tgSceneMaterial materials[2] = {{"skin", {0.9f, 0.6f, 0.5f, 1.0f}, 0.5f},
                                    {"glass", {0.1f, 0.2f, 0.3f, 0.5f}, 0.1f}};
    scene->materialCount = 2;
    scene->materials = tgKeep(scene, materials, 2, sizeof(tgSceneMaterial));
}

static inline void tgFillArmSkeleton(tgScene* scene)
{
    tgSceneNode nodes[4] = {{.name = "column", .parent = -1},
                            {.name = "hat", .parent = -1},
                            {.name = "lower", .parent = -1},
                            {.name = "upper", .parent = 2}};
    for (int n = 0; n < 4; ++n) {
        nodes[n].local = tgIdentityTransform();
    }
    nodes[3].local.position.y = 1.0f;
    scene->nodeCount = 4;
    scene->nodes = tgKeep(scene, nodes, 4, sizeof(tgSceneNode));
    tgSceneJoint joints[2] = {{"lower", -1, 2, tgIdentityMat34()},
                              {"upper", 0, 3, tgIdentityMat34()}};
    joints[1].restJoint.origin.y = 1.0f;
    scene->jointCount = 2;
    scene->joints = tgKeep(scene, joints, 2, sizeof(tgSceneJoint));
    int influenceJoints[2 * tg_armVertexCount];
    float weights[2 * tg_armVertexCount];
    for (int v = 0; v < tg_armVertexCount; ++v) {
        float upper = fminf(0.5f * scene->positions[v].y, 1.0f);
        influenceJoints[2 * v] = 0;
        influenceJoints[2 * v + 1] = 1;
        weights[2 * v] = 1.0f - upper;
        weights[2 * v + 1] = upper;
    }
    scene->influencesPerVertex = 2;
    scene->influenceJoints = tgKeep(scene, influenceJoints, tg_armVertexCount, 2 * sizeof(int));
    scene->influenceWeights = tgKeep(scene, weights, tg_armVertexCount, 2 * sizeof(float));
}

/// One second: the upper joint bends, the lower one rises on a curve, the column's morph comes on
/// in a step, and it grows at the end.
static inline void tgFillArmAnimation(tgScene* scene)
{
    tgVec3 offsets[12] = {{0.0f, 0.0f, 0.0f}};
    offsets[5] = tgMakeVec3(0.0f, 0.0f, 0.25f);
    tgSceneMorph morph = {"bulge", 0, 0, 0, 12, NULL, 0.5f};
    morph.offsets = tgKeep(scene, offsets, 12, sizeof(tgVec3));
    scene->morphCount = 1;
    scene->morphs = tgKeep(scene, &morph, 1, sizeof(morph));
    static const float times[2] = {0.0f, 1.0f};
    static const float turns[8] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.6427876f, 0.7660444f};
    static const float rises[18] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0.5f, 0, 0, 0, 0};
    static const float sizes[6] = {1, 1, 1, 1.5f, 1, 1};
    static const float weights[2] = {0.0f, 1.0f};
    tgChannel channels[4] = {
        {3, tg_pathRotation, tg_interpolateLinear, 2, 4, times, turns},
        {2, tg_pathTranslation, tg_interpolateCubic, 2, 3, times, rises},
        {3, tg_pathScale, tg_interpolateStep, 2, 3, times, sizes},
        {0, tg_pathWeights, tg_interpolateLinear, 2, 1, times, weights},
    };
    tgAnimation animation = {"bend", 0.0, 1.0, 4, NULL};
    animation.channels = tgKeep(scene, channels, 4, sizeof(tgChannel));
    scene->animationCount = 1;
    scene->animations = tgKeep(scene, &animation, 1, sizeof(animation));
}

static inline tgScene* tgMakeArmScene(void)
{
    tgScene* scene = tgCreateScene();
    assert_non_null(scene);
    tgFillArmMesh(scene);
    tgFillArmSkeleton(scene);
    tgFillArmAnimation(scene);
    return scene;
}

/// Plain linear skinning of a pose, straight from the definition. No skin: the bind shape.
static inline void tgSkinScene(const tgScene* scene, int animation, double time, tgVec3* positions)
{
    tgMat34* nodes = calloc((size_t)scene->nodeCount + 1, sizeof(*nodes));
    tgMat34* joints = calloc((size_t)scene->jointCount + 1, sizeof(*joints));
    float* weights = calloc((size_t)scene->morphCount + 1, sizeof(*weights));
    tgScene_SamplePose(scene, animation, time, nodes, joints, weights);
    tgScene_SampleShape(scene, weights, positions);
    int width = scene->influencesPerVertex;
    for (int v = 0; v < scene->vertexCount && width > 0; ++v) {
        tgVec3 sum = {0.0f, 0.0f, 0.0f};
        for (int k = 0; k < width; ++k) {
            int j = scene->influenceJoints[v * width + k];
            tgMat34 inverse = tgIdentityMat34();
            tgInvertMat34(&scene->joints[j].restJoint, &inverse);
            tgVec3 local = tgMulMatPoint(&inverse, positions[v]);
            sum = tgMulAdd(sum, scene->influenceWeights[v * width + k],
                           tgMulMatPoint(&joints[j], local));
        }
        positions[v] = sum;
    }
    free(nodes);
    free(joints);
    free(weights);
}

static const double tg_armDiagonal = 2.7; ///< of the bounding box

static inline tgScene* tgLoadBack(const char* path)
{
    tgError error = {0};
    tgScene* scene = tgLoadScene(path, &error);
    if (scene == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(scene);
    return scene;
}

static inline void tgCheckSamePositions(const tgVec3* a, const tgVec3* b, int count,
                                        double tolerance)
{
    for (int v = 0; v < count; ++v) {
        CHECK_AT_MOST(tgDistance(a[v], b[v]), tolerance);
    }
}

#endif
