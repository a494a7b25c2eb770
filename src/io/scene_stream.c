// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene as bytes. One list of its fields serves both directions, so that they cannot differ:
// writing copies them out, reading copies them in and checks each count against the bytes left.

#include "io/scene_stream.h"

#include "core/core.h"
#include "io/scene_check.h"
#include "io/scene_select.h"

#include <string.h>

static const char tg_streamMark[8] = "TgScene3";
static const char tg_streamEnd[8] = "TgSceneE";

typedef struct tgSceneStream {
    FILE* out;         ///< NULL when reading
    const uint8_t* in; ///< the bytes left
    size_t left;
    tgScene* scene; ///< being read; owns what is made
    tgResult result;
} tgSceneStream;

static void tgStream_Fail(tgSceneStream* stream, tgResult result)
{
    stream->result = stream->result == tg_success ? result : stream->result;
}

static void tgExchange(tgSceneStream* stream, void* value, size_t size)
{
    if (stream->result != tg_success || size == 0) {
        return;
    }
    if (stream->out != NULL) {
        if (fwrite(value, 1, size, stream->out) != size) {
            tgStream_Fail(stream, tg_ioError);
        }
    } else if (size > stream->left) {
        tgStream_Fail(stream, tg_ioError);
    } else {
        memcpy(value, stream->in, size);
        stream->in += size;
        stream->left -= size;
    }
}

static void tgExchangeInt(tgSceneStream* stream, int* value)
{
    tgExchange(stream, value, sizeof(*value));
}

/// A count of things that take at least four bytes each.
static void tgExchangeCount(tgSceneStream* stream, int* count)
{
    tgExchangeInt(stream, count);
    if (stream->out == NULL && (*count < 0 || (size_t)*count > stream->left / 4)) {
        *count = 0;
        tgStream_Fail(stream, tg_ioError);
    }
}

/// Memory for `count` things, when reading. Never NULL unless something failed.
static void* tgStream_Make(tgSceneStream* stream, void* array, int count, size_t size)
{
    if (stream->out != NULL || stream->result != tg_success) {
        return array;
    }
    void* memory = tgScene_Alloc(stream->scene, (size_t)count, size);
    if (memory == NULL) {
        tgStream_Fail(stream, tg_outOfMemory);
    }
    return memory;
}

/// `count` plain numbers, or none at all: arrays that are NULL stay so.
static void tgExchangeArray(tgSceneStream* stream, void** array, size_t count, size_t size)
{
    int isThere = *array != NULL;
    tgExchangeInt(stream, &isThere);
    if (stream->result != tg_success || !isThere) {
        return;
    }
    if (stream->out == NULL) {
        if (count > stream->left / size) {
            tgStream_Fail(stream, tg_ioError);
            return;
        }
        *array = tgScene_Alloc(stream->scene, count, size);
        if (*array == NULL) {
            tgStream_Fail(stream, tg_outOfMemory);
            return;
        }
    }
    tgExchange(stream, *array, count * size);
}

static void tgExchangeText(tgSceneStream* stream, const char** text)
{
    int length = stream->out != NULL ? (int)strlen(*text) : 0;
    tgExchangeInt(stream, &length);
    if (stream->out != NULL) {
        tgExchange(stream, (void*)*text, (size_t)length);
        return;
    }
    if (stream->result != tg_success || length < 0 || (size_t)length > stream->left) {
        tgStream_Fail(stream, tg_ioError);
        return;
    }
    char* copy = tgStream_Make(stream, NULL, length + 1, 1); // zeroed, so it ends
    if (stream->result == tg_success) {
        tgExchange(stream, copy, (size_t)length);
        *text = copy;
    }
}

/// Attributes and groups.
static void tgExchangePainted(tgSceneStream* stream, tgScene* scene)
{
    tgExchangeCount(stream, &scene->attributeCount);
    scene->attributes =
        tgStream_Make(stream, scene->attributes, scene->attributeCount, sizeof(tgSceneAttribute));
    for (int a = 0; a < scene->attributeCount && stream->result == tg_success; ++a) {
        tgSceneAttribute* attribute = &scene->attributes[a];
        tgExchangeText(stream, &attribute->name);
        tgExchangeInt(stream, &attribute->width);
        if (attribute->width < 1 || attribute->width > tg_widestAttribute) {
            tgStream_Fail(stream, tg_ioError);
            return;
        }
        size_t count = (size_t)attribute->width * (size_t)scene->vertexCount;
        tgExchangeArray(stream, (void**)&attribute->values, count, sizeof(float));
    }
    tgExchangeCount(stream, &scene->groupCount);
    scene->groups = tgStream_Make(stream, scene->groups, scene->groupCount, sizeof(tgSceneGroup));
    for (int g = 0; g < scene->groupCount && stream->result == tg_success; ++g) {
        tgSceneGroup* group = &scene->groups[g];
        tgExchangeText(stream, &group->name);
        tgExchangeCount(stream, &group->vertexCount);
        tgExchangeArray(stream, (void**)&group->vertices, (size_t)group->vertexCount, sizeof(int));
    }
}

static void tgExchangeMesh(tgSceneStream* stream, tgScene* scene)
{
    size_t cornerCount = 0;
    tgExchangeCount(stream, &scene->vertexCount);
    size_t vertexCount = (size_t)scene->vertexCount;
    tgExchangeArray(stream, (void**)&scene->positions, vertexCount, sizeof(tgVec3));
    tgExchangeArray(stream, (void**)&scene->normals, vertexCount, sizeof(tgVec3));
    tgExchangeArray(stream, (void**)&scene->uvs, vertexCount, 2 * sizeof(float));
    tgExchangeArray(stream, (void**)&scene->weldKeys, vertexCount, sizeof(int));
    tgExchangePainted(stream, scene);
    tgExchangeCount(stream, &scene->faceCount);
    tgExchangeArray(stream, (void**)&scene->faceSizes, (size_t)scene->faceCount, sizeof(int));
    for (int f = 0; f < scene->faceCount && stream->result == tg_success; ++f) {
        if (scene->faceSizes == NULL || scene->faceSizes[f] < 3) {
            tgStream_Fail(stream, tg_ioError);
            return;
        }
        cornerCount += (size_t)scene->faceSizes[f];
    }
    tgExchangeArray(stream, (void**)&scene->faceVertices, cornerCount, sizeof(int));
    int skinning = (int)scene->skinning;
    tgExchangeInt(stream, &skinning);
    scene->skinning = (tgSkinning)skinning;
    tgExchangeInt(stream, &scene->influencesPerVertex);
    if (scene->influencesPerVertex < 0 || skinning < tg_linear || skinning > tg_blend) {
        tgStream_Fail(stream, tg_ioError);
        return;
    }
    size_t influenceCount = vertexCount * (size_t)scene->influencesPerVertex;
    tgExchangeArray(stream, (void**)&scene->influenceJoints, influenceCount, sizeof(int));
    tgExchangeArray(stream, (void**)&scene->influenceWeights, influenceCount, sizeof(float));
}

static void tgExchangeTree(tgSceneStream* stream, tgScene* scene)
{
    tgExchangeCount(stream, &scene->nodeCount);
    scene->nodes = tgStream_Make(stream, scene->nodes, scene->nodeCount, sizeof(tgSceneNode));
    for (int n = 0; n < scene->nodeCount && stream->result == tg_success; ++n) {
        tgSceneNode* node = &scene->nodes[n];
        int hasMatrix = node->hasMatrix;
        tgExchangeText(stream, &node->name);
        tgExchangeInt(stream, &node->parent);
        tgExchangeInt(stream, &hasMatrix);
        tgExchange(stream, &node->matrix, sizeof(node->matrix));
        tgExchange(stream, &node->local, sizeof(node->local));
        node->hasMatrix = hasMatrix != 0;
    }
    tgExchangeCount(stream, &scene->jointCount);
    scene->joints = tgStream_Make(stream, scene->joints, scene->jointCount, sizeof(tgSceneJoint));
    for (int j = 0; j < scene->jointCount && stream->result == tg_success; ++j) {
        tgSceneJoint* joint = &scene->joints[j];
        tgExchangeText(stream, &joint->name);
        tgExchangeInt(stream, &joint->parent);
        tgExchangeInt(stream, &joint->node);
        tgExchange(stream, &joint->restJoint, sizeof(joint->restJoint));
    }
}

static void tgExchangeParts(tgSceneStream* stream, tgScene* scene)
{
    tgExchangeCount(stream, &scene->partCount);
    scene->parts = tgStream_Make(stream, scene->parts, scene->partCount, sizeof(tgScenePart));
    for (int p = 0; p < scene->partCount && stream->result == tg_success; ++p) {
        tgScenePart* part = &scene->parts[p];
        tgExchangeText(stream, &part->name);
        tgExchangeInt(stream, &part->node);
        tgExchangeInt(stream, &part->primitive);
        tgExchangeInt(stream, &part->material);
        tgExchangeInt(stream, &part->firstVertex);
        tgExchangeInt(stream, &part->vertexCount);
        tgExchangeInt(stream, &part->firstFace);
        tgExchangeInt(stream, &part->faceCount);
    }
    tgExchangeCount(stream, &scene->placeCount);
    scene->places = tgStream_Make(stream, scene->places, scene->placeCount, sizeof(tgScenePlace));
    for (int i = 0; i < scene->placeCount && stream->result == tg_success; ++i) {
        tgScenePlace* place = &scene->places[i];
        tgExchangeText(stream, &place->name);
        tgExchangeInt(stream, &place->node);
        tgExchangeInt(stream, &place->source);
    }
    tgExchangeCount(stream, &scene->materialCount);
    scene->materials =
        tgStream_Make(stream, scene->materials, scene->materialCount, sizeof(tgSceneMaterial));
    for (int m = 0; m < scene->materialCount && stream->result == tg_success; ++m) {
        tgSceneMaterial* material = &scene->materials[m];
        tgExchangeText(stream, &material->name);
        tgExchange(stream, material->baseColor, sizeof(material->baseColor));
        tgExchange(stream, &material->roughness, sizeof(material->roughness));
    }
    tgExchangeCount(stream, &scene->morphCount);
    scene->morphs = tgStream_Make(stream, scene->morphs, scene->morphCount, sizeof(tgSceneMorph));
    for (int m = 0; m < scene->morphCount && stream->result == tg_success; ++m) {
        tgSceneMorph* morph = &scene->morphs[m];
        tgExchangeText(stream, &morph->name);
        tgExchangeInt(stream, &morph->node);
        tgExchangeInt(stream, &morph->indexInNode);
        tgExchangeInt(stream, &morph->firstVertex);
        tgExchangeCount(stream, &morph->vertexCount);
        tgExchangeArray(stream, (void**)&morph->offsets, (size_t)morph->vertexCount,
                        sizeof(tgVec3));
        tgExchange(stream, &morph->weight, sizeof(morph->weight));
    }
}

static void tgExchangeChannel(tgSceneStream* stream, tgChannel* channel)
{
    int path = (int)channel->path, interpolation = (int)channel->interpolation;
    tgExchangeInt(stream, &channel->node);
    tgExchangeInt(stream, &path);
    tgExchangeInt(stream, &interpolation);
    tgExchangeCount(stream, &channel->keyCount);
    tgExchangeInt(stream, &channel->width);
    if (path < 0 || path > tg_pathWeights || interpolation < 0 ||
        interpolation > tg_interpolateCubic || channel->width < 0) {
        tgStream_Fail(stream, tg_ioError);
        return;
    }
    channel->path = (tgPath)path;
    channel->interpolation = (tgInterpolation)interpolation;
    size_t keyCount = (size_t)channel->keyCount;
    size_t valueCount = keyCount * (size_t)channel->width;
    valueCount *= interpolation == tg_interpolateCubic ? 3 : 1;
    tgExchangeArray(stream, (void**)&channel->times, keyCount, sizeof(float));
    tgExchangeArray(stream, (void**)&channel->values, valueCount, sizeof(float));
}

static void tgExchangeAnimations(tgSceneStream* stream, tgScene* scene)
{
    tgExchangeCount(stream, &scene->animationCount);
    scene->animations =
        tgStream_Make(stream, scene->animations, scene->animationCount, sizeof(tgAnimation));
    for (int a = 0; a < scene->animationCount && stream->result == tg_success; ++a) {
        tgAnimation* animation = &scene->animations[a];
        tgExchangeText(stream, &animation->name);
        tgExchange(stream, &animation->start, sizeof(animation->start));
        tgExchange(stream, &animation->end, sizeof(animation->end));
        tgExchangeCount(stream, &animation->channelCount);
        tgChannel* channels = tgStream_Make(stream, (void*)animation->channels,
                                            animation->channelCount, sizeof(tgChannel));
        animation->channels = channels;
        for (int c = 0; c < animation->channelCount && stream->result == tg_success; ++c) {
            tgExchangeChannel(stream, &channels[c]);
        }
    }
    tgExchangeInt(stream, &scene->unskinnedMeshCount);
    tgExchangeCount(stream, &scene->warningCount);
    scene->warnings =
        tgStream_Make(stream, scene->warnings, scene->warningCount, sizeof(const char*));
    for (int w = 0; w < scene->warningCount && stream->result == tg_success; ++w) {
        tgExchangeText(stream, &scene->warnings[w]);
    }
}

static void tgExchangeScene(tgSceneStream* stream, tgScene* scene)
{
    tgExchangeMesh(stream, scene);
    tgExchangeTree(stream, scene);
    tgExchangeParts(stream, scene);
    tgExchangeAnimations(stream, scene);
}

static void tgExchangeMark(tgSceneStream* stream, const char mark[8])
{
    char found[8];
    memcpy(found, mark, sizeof(found));
    tgExchange(stream, found, sizeof(found));
    if (stream->result == tg_success && memcmp(found, mark, sizeof(found)) != 0) {
        tgStream_Fail(stream, tg_ioError);
    }
}

bool tgWriteSceneStream(FILE* file, const tgScene* scene, const tgError* error)
{
    tgSceneStream stream = {.out = file};
    tgError told = error != NULL ? *error : (tgError){0};
    int isScene = scene != NULL;
    tgExchangeMark(&stream, tg_streamMark);
    tgExchangeInt(&stream, &isScene);
    if (isScene) {
        tgScene copy = *scene; // the fields that reading would change
        tgExchangeScene(&stream, &copy);
    } else {
        tgExchange(&stream, &told, sizeof(told));
    }
    tgExchangeMark(&stream, tg_streamEnd);
    return stream.result == tg_success && fflush(file) == 0;
}

/// An error that a writer sent; false when it is none.
static bool tgReadError(tgSceneStream* stream, tgError* error)
{
    tgError told = {0};
    tgExchange(stream, &told, sizeof(told));
    tgExchangeMark(stream, tg_streamEnd);
    bool isGood = stream->result == tg_success && (int)told.code > tg_success &&
                  (int)told.code <= tg_unsupported &&
                  memchr(told.message, '\0', sizeof(told.message)) != NULL;
    if (isGood) {
        tgFail(error, told.code, told.index, "%s", told.message);
    }
    return isGood;
}

tgScene* tgReadSceneStream(const uint8_t* bytes, size_t size, tgError* error)
{
    tgSceneStream stream = {.in = bytes, .left = size, .scene = tgCreateScene()};
    int isScene = 0;
    if (stream.scene == NULL) {
        tgFail(error, tg_outOfMemory, -1, "out of memory");
        return NULL;
    }
    tgExchangeMark(&stream, tg_streamMark);
    tgExchangeInt(&stream, &isScene);
    if (stream.result == tg_success && !isScene && tgReadError(&stream, error)) {
        tgDestroyScene(stream.scene);
        return NULL;
    }
    if (stream.result == tg_success && !isScene) {
        tgStream_Fail(&stream, tg_ioError);
    }
    tgExchangeScene(&stream, stream.scene);
    tgExchangeMark(&stream, tg_streamEnd);
    if (stream.result == tg_success && (stream.left != 0 || !tgScene_IsSound(stream.scene))) {
        tgStream_Fail(&stream, tg_ioError);
    }
    if (stream.result != tg_success) {
        tgDestroyScene(stream.scene);
        tgFail(error, stream.result, -1, "%s",
               stream.result == tg_outOfMemory ? "out of memory" : "the scene is damaged");
        return NULL;
    }
    return stream.scene;
}
