// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The scene: memory that is freed at once, warnings, look-ups, and the way to a rig definition.

#include "turgor/scene.h"

#include "io/gltf_source.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A list of blocks; a scene is a few dozen arrays, so one malloc for each is fine.
struct tgSceneMemory {
    struct tgSceneMemory* next;
};

_Static_assert(sizeof(struct tgSceneMemory) <= 16, "the block header must keep 16-byte alignment");
enum { tg_blockHeaderSize = 16 };

tgScene* tgCreateScene(void)
{
    return calloc(1, sizeof(tgScene));
}

void tgDestroyScene(tgScene* scene)
{
    if (scene == NULL) {
        return;
    }
    tgDestroyGltfSource(scene->source);
    for (struct tgSceneMemory* block = scene->memory; block != NULL;) {
        struct tgSceneMemory* next = block->next;
        free(block);
        block = next;
    }
    free(scene);
}

void* tgScene_Alloc(tgScene* scene, size_t count, size_t size)
{
    bool fits = size == 0 || count <= (SIZE_MAX - tg_blockHeaderSize) / size;
    struct tgSceneMemory* block = fits ? calloc(1, tg_blockHeaderSize + count * size) : NULL;
    if (block == NULL) {
        scene->hasRunOut = true;
        return NULL;
    }
    block->next = scene->memory;
    scene->memory = block;
    return (char*)block + tg_blockHeaderSize;
}

const char* tgScene_CopyText(tgScene* scene, const char* text)
{
    size_t size = strlen(text) + 1;
    char* copy = tgScene_Alloc(scene, size, 1);
    return copy != NULL ? memcpy(copy, text, size) : "";
}

void tgScene_Warn(tgScene* scene, const char* format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    // A broken file can give thousands of the same; the reader says each kind once with a count,
    // so growing by one is cheap enough.
    const char** grown = tgScene_Alloc(scene, (size_t)scene->warningCount + 1, sizeof(char*));
    if (grown == NULL) {
        return;
    }
    if (scene->warningCount > 0) {
        memcpy(grown, scene->warnings, (size_t)scene->warningCount * sizeof(char*));
    }
    grown[scene->warningCount] = tgScene_CopyText(scene, line);
    scene->warnings = grown;
    scene->warningCount += 1;
}

tgRigDef tgScene_GetRigDef(const tgScene* scene)
{
    tgRigDef def = tgDefaultRigDef();
    if (scene->positions != NULL) {
        def.restPositions = (tgVec3View){&scene->positions->x, scene->vertexCount, sizeof(tgVec3)};
    }
    if (scene->normals != NULL) {
        def.restNormals = (tgVec3View){&scene->normals->x, scene->vertexCount, sizeof(tgVec3)};
    }
    def.faceVertices = scene->faceVertices;
    def.faceSizes = scene->faceSizes;
    def.faceCount = scene->faceCount;
    def.weldKeys = scene->weldKeys;
    if (scene->jointCount > 0) {
        def.jointParents = &scene->joints->parent;
        def.jointParentStride = sizeof(tgSceneJoint);
        def.restJoints = &scene->joints->restJoint;
        def.restJointStride = sizeof(tgSceneJoint);
        def.jointCount = scene->jointCount;
    }
    def.influencesPerVertex = scene->influencesPerVertex;
    def.influenceJoints = scene->influenceJoints;
    def.influenceWeights = scene->influenceWeights;
    def.skinning = scene->skinning;
    def.volume.paint = tgScene_GetPaint(scene);
    return def;
}

int tgScene_FindAnimation(const tgScene* scene, const char* nameOrIndex)
{
    for (int a = 0; a < scene->animationCount; ++a) {
        if (strcmp(scene->animations[a].name, nameOrIndex) == 0) {
            return a;
        }
    }
    char* end = NULL;
    long index = strtol(nameOrIndex, &end, 10);
    bool isNumber = end != nameOrIndex && *end == '\0';
    return isNumber && index >= 0 && index < scene->animationCount ? (int)index : -1;
}

int tgScene_FindJoint(const tgScene* scene, const char* name)
{
    for (int j = 0; j < scene->jointCount; ++j) {
        if (strcmp(scene->joints[j].name, name) == 0) {
            return j;
        }
    }
    return -1;
}
