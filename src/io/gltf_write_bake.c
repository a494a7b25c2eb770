// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Baked frames as glTF: the mesh is the first frame, every frame a morph target of offsets from it,
// and an animation turns on one target after the other, blending linearly between two. That plays
// in any viewer, and those that take a box or a camera from the mesh alone see the character as it
// stands. A still has its one frame as the mesh itself.

#include "io/gltf_bake.h"

#include "core/core.h"
#include "io/tangents.h"
#include "io/vertex_normals.h"

#include <stdlib.h>
#include <string.h>

static void tgDestroyGltfBake(void* writer)
{
    tgGltfBake* bake = writer;
    tgGltfBuilder_Discard(&bake->builder);
    tgMeshLayout_Free(&bake->layout);
    free(bake->attributes);
    free(bake->targets);
    free(bake->partAttributes);
    free(bake->basePositions);
    free(bake->baseNormals);
    free(bake->frameNormals);
    free(bake->offsets);
    free(bake->tangents);
    free(bake->baseTangents);
    free(bake->frameTangents);
    free(bake->firstTangents);
    free(bake->rangeHasTangents);
    free(bake);
}

/// Each frame animates the weights of all of them, so a file grows by their square: 256 MB here.
enum { tg_mostTargets = 8192 };

static tgResult tgAllocateBake(tgGltfBake* bake, tgError* error)
{
    int frameCount = bake->def->frameCount;
    if (frameCount > tg_mostTargets) {
        return tgFail(error, tg_unsupported, -1,
                      "%d frames are more than %d morph targets; .pc2 and .mdd take any number",
                      frameCount, tg_mostTargets);
    }
    size_t rangeCount = (size_t)bake->layout.rangeCount;
    size_t vertexCount = (size_t)bake->def->scene->vertexCount;
    bake->attributes = calloc(rangeCount, sizeof(tgJsonValue*));
    bake->targets = calloc(rangeCount, sizeof(tgJsonValue*));
    bake->partAttributes = calloc((size_t)bake->layout.partCount, sizeof(tgJsonValue*));
    bake->rangeHasTangents = calloc(rangeCount, sizeof(bool));
    bake->basePositions = calloc(vertexCount, sizeof(tgVec3));
    bake->baseNormals = calloc(vertexCount, sizeof(tgVec3));
    bake->frameNormals = calloc(vertexCount, sizeof(tgVec3));
    bake->offsets = calloc((size_t)bake->layout.largestRange, sizeof(tgVec3));
    if (bake->attributes == NULL || bake->targets == NULL || bake->partAttributes == NULL ||
        bake->rangeHasTangents == NULL || bake->basePositions == NULL ||
        bake->baseNormals == NULL || bake->frameNormals == NULL || bake->offsets == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for a frame of %zu vertices",
                      vertexCount);
    }
    for (size_t i = 0; i < rangeCount; ++i) {
        bake->attributes[i] = tgMakeJsonObject(&bake->builder.arena);
        bake->targets[i] = tgMakeJsonList(&bake->builder.arena);
        if (bake->attributes[i] == NULL || bake->targets[i] == NULL) {
            return tgFail(error, tg_outOfMemory, -1, "no memory for a document");
        }
    }
    return tg_success;
}

static tgResult tgStartBake(tgGltfBake* bake, tgError* error)
{
    const tgScene* scene = bake->def->scene;
    tgResult result = tgMeshLayout_Make(&bake->layout, scene, error);
    if (result == tg_success) {
        result = tgGltfBuilder_Open(&bake->builder, bake->def->path, bake->def->memory, error);
    }
    if (result == tg_success) {
        result = tgAllocateBake(bake, error); // with memory of the builder
    }
    if (result == tg_success) {
        result = tgMakeUnitNormals(scene, &bake->layout, scene->positions, scene->normals,
                                   bake->baseNormals, error);
    }
    if (result != tg_success) {
        return result;
    }
    if (tgMatchesSource(bake)) {
        tgLayOutSource(bake);
        tgReadSourceTangents(bake);
    } else {
        tgLayOutObjects(bake);
    }
    if (tgGltfBuilder_HasFailed(&bake->builder) && error != NULL) {
        *error = bake->builder.failure;
    }
    return bake->builder.failure.code;
}

static void* tgOpenGltfBake(const tgBakeDef* def, tgError* error)
{
    tgGltfBake* bake = calloc(1, sizeof(*bake));
    if (bake == NULL) {
        tgFail(error, tg_outOfMemory, -1, "no memory to start a bake");
        return NULL;
    }
    bake->def = def;
    if (tgStartBake(bake, error) != tg_success) {
        tgDestroyGltfBake(bake);
        return NULL;
    }
    return bake;
}

void tgSetFrameNames(tgGltfBake* bake, tgJsonValue* mesh)
{
    tgGltfBuilder* builder = &bake->builder;
    if (bake->def->still) {
        return;
    }
    tgJsonValue* names = tgMakeJsonList(&builder->arena);
    for (int c = 0; c < tgCountClips(bake->def); ++c) {
        tgBakeClip clip = tgGetClip(bake->def, c);
        for (int i = 0; i < clip.frameCount; ++i) {
            char name[48];
            int frame = bake->def->firstFrame + i;
            if (bake->def->clips == NULL) {
                snprintf(name, sizeof(name), "frame_%04d", frame);
            } else {
                snprintf(name, sizeof(name), "clip_%d_frame_%04d", c, frame);
            }
            tgGltfBuilder_Append(builder, names, tgMakeJsonText(&builder->arena, name));
        }
    }
    if (!tgJson_IsObject(tgJson_Find(mesh, "extras"))) {
        tgGltfBuilder_Set(builder, mesh, "extras", tgMakeJsonObject(&builder->arena));
    }
    tgGltfBuilder_Set(builder, tgJson_Find(mesh, "extras"), "targetNames", names);
}

tgJsonValue* tgMakeFrameAnimation(tgGltfBake* bake, int clip)
{
    int index = tgGetClip(bake->def, clip).animation;
    const char* name = index >= 0 ? bake->def->scene->animations[index].name : "";
    tgJsonValue* animation =
        tgPackJson(&bake->builder.arena, "{s:[], s:[]}", "channels", "samplers");
    tgGltfBuilder_SetText(&bake->builder, animation, "name",
                          name != NULL && name[0] != '\0' ? name : "bake");
    return animation;
}

/// Key times in seconds; glTF has none before 0.
static int tgAddFrameTimes(tgGltfBake* bake, tgBakeClip clip)
{
    const tgBakeDef* def = bake->def;
    float* times = malloc((size_t)clip.frameCount * sizeof(float));
    if (times == NULL) {
        tgGltfBuilder_Fail(&bake->builder, tg_outOfMemory, -1, "no memory for the key times");
        return -1;
    }
    double start = clip.startTime > 0.0 ? clip.startTime : 0.0;
    for (int i = 0; i < clip.frameCount; ++i) {
        times[i] = (float)(start + i / def->fps);
        if (i > 0 && !(times[i] > times[i - 1])) {
            tgGltfBuilder_Fail(&bake->builder, tg_invalidArgument, i,
                               "frames %d and %d have the same key time of %g s", i - 1, i,
                               (double)times[i]);
        }
    }
    tgGltfArray array = {times, clip.frameCount, tg_gltfFloat, 1, tg_gltfNoTarget, true};
    int accessor = tgGltfBuilder_AddArray(&bake->builder, &array);
    free(times);
    return accessor;
}

/// For each key the weights of all targets: 1 for its own. Sparse would be smaller, but several
/// viewers read sparse accessors in meshes only.
/// @param first target of the clip's first frame
static int tgAddFrameWeights(tgGltfBake* bake, size_t first, size_t keyCount)
{
    tgGltfBuilder* builder = &bake->builder;
    size_t count = (size_t)bake->def->frameCount;
    float* weights = calloc(count, sizeof(float));
    if (weights == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the weights");
        return -1;
    }
    tgGltfBuilder_BeginView(builder);
    for (size_t i = first; i < first + keyCount; ++i) {
        weights[i] = 1.0f;
        tgGltfBuilder_Write(builder, weights, count * sizeof(float));
        weights[i] = 0.0f;
    }
    free(weights);
    int view = tgGltfBuilder_EndView(builder, tg_gltfNoTarget, 0);
    return tgGltfBuilder_AddAccessor(
        builder,
        tgPackJson(&builder->arena, "{s:i, s:i, s:I, s:s}", "bufferView", view, "componentType",
                   tg_gltfFloat, "count", (long long)(keyCount * count), "type", "SCALAR"));
}

void tgAnimateFrames(tgGltfBake* bake, int clip, tgJsonValue* animation, const int* nodes)
{
    size_t first = 0;
    for (int c = 0; c < clip; ++c) {
        first += (size_t)tgGetClip(bake->def, c).frameCount;
    }
    tgBakeClip at = tgGetClip(bake->def, clip);
    tgGltfBuilder* builder = &bake->builder;
    tgJsonValue* samplers = tgJson_Find(animation, "samplers");
    tgJsonValue* channels = tgJson_Find(animation, "channels");
    int sampler = (int)tgJson_CountItems(samplers);
    int times = tgAddFrameTimes(bake, at);
    int weights = tgAddFrameWeights(bake, first, (size_t)at.frameCount);
    tgGltfBuilder_Append(builder, samplers,
                         tgPackJson(&builder->arena, "{s:i, s:i, s:s}", "input", times, "output",
                                    weights, "interpolation", "LINEAR"));
    for (int i = 0; i < bake->layout.objectCount; ++i) {
        tgGltfBuilder_Append(builder, channels,
                             tgPackJson(&builder->arena, "{s:i, s:{s:i, s:s}}", "sampler", sampler,
                                        "target", "node", nodes[i], "path", "weights"));
    }
}

/// Clean normals and moved tangents of the frame at hand.
static tgResult tgPrepareFrame(tgGltfBake* bake, const tgVec3* positions, const tgVec3* normals,
                               tgError* error)
{
    const tgScene* scene = bake->def->scene;
    bool isStill = bake->def->still;
    if (normals == NULL && !isStill) {
        return tg_success;
    }
    // Where a frame has no normal, that of the first or the bind pose is closer than one made up.
    tgVec3* clean = bake->frameNormals;
    if (isStill) {
        tgResult result = tgMakeUnitNormals(scene, &bake->layout, positions, normals, clean, error);
        if (result != tg_success) {
            return result;
        }
    } else {
        for (int v = 0; v < scene->vertexCount; ++v) {
            bool isUsable = tgIsFiniteVec3(normals[v]) && tgDot(normals[v], normals[v]) > 1e-12f;
            clean[v] =
                isUsable ? tgNormalize(normals[v], bake->baseNormals[v]) : bake->baseNormals[v];
        }
    }
    if (bake->tangents != NULL) {
        tgMoveTangents(scene, &bake->layout, bake->baseTangents, positions, clean,
                       bake->frameTangents);
    }
    return tg_success;
}

/// The offsets of one attribute for one range, as an accessor of the target.
static void tgAddTarget(tgGltfBake* bake, tgJsonValue* target, const char* key, int range,
                        const tgVec3* base, const tgVec3* moved)
{
    tgVertexRange vertices = bake->layout.ranges[range];
    for (int i = 0; i < vertices.vertexCount; ++i) {
        int v = vertices.firstVertex + i;
        bake->offsets[i] = tgSub(moved[v], base[v]);
    }
    bool isPosition = strcmp(key, "POSITION") == 0;
    int accessor =
        tgGltfBuilder_AddOffsets(&bake->builder, bake->offsets, vertices.vertexCount, isPosition);
    tgGltfBuilder_SetWhole(&bake->builder, target, key, accessor);
}

static void tgAddBase(tgGltfBake* bake, int range, const char* key, const void* data, int width)
{
    tgVertexRange vertices = bake->layout.ranges[range];
    const float* values = (const float*)data + (size_t)vertices.firstVertex * (size_t)width;
    tgGltfArray array = {values, vertices.vertexCount, tg_gltfFloat,
                         width,  tg_gltfVertices,      strcmp(key, "POSITION") == 0};
    int accessor = tgGltfBuilder_AddArray(&bake->builder, &array);
    tgGltfBuilder_SetWhole(&bake->builder, bake->attributes[range], key, accessor);
}

/// Does the scene itself have normals for this range?
static bool tgHasOwnNormals(const tgScene* scene, tgVertexRange range)
{
    for (int i = 0; i < range.vertexCount && scene->normals != NULL; ++i) {
        tgVec3 n = scene->normals[range.firstVertex + i];
        if (n.x != 0.0f || n.y != 0.0f || n.z != 0.0f) {
            return true;
        }
    }
    return false;
}

/// The mesh itself: positions and what depends on them.
static void tgAddBases(tgGltfBake* bake, const tgVec3* positions, const tgVec3* normals,
                       const tgVec3* tangents)
{
    for (int i = 0; tangents != NULL && i < bake->def->scene->vertexCount; ++i) {
        memcpy(bake->tangents + 4 * (size_t)i, &tangents[i], sizeof(tgVec3));
    }
    for (int range = 0; range < bake->layout.rangeCount; ++range) {
        tgAddBase(bake, range, "POSITION", positions, 3);
        // Without normals in the file viewers shade flat, which is what its author saw.
        if (bake->hasNormals || tgHasOwnNormals(bake->def->scene, bake->layout.ranges[range])) {
            tgAddBase(bake, range, "NORMAL", normals, 3);
        }
        if (bake->rangeHasTangents[range]) {
            tgAddBase(bake, range, "TANGENT", bake->tangents, 4);
        }
    }
}

/// The first frame is what the others are told against.
static void tgKeepFirstFrame(tgGltfBake* bake, const tgVec3* positions)
{
    size_t size = (size_t)bake->def->scene->vertexCount * sizeof(tgVec3);
    memcpy(bake->basePositions, positions, size);
    if (bake->hasNormals) {
        memcpy(bake->baseNormals, bake->frameNormals, size);
    }
    if (bake->hasNormals && bake->tangents != NULL) {
        memcpy(bake->firstTangents, bake->frameTangents, size);
    }
}

static tgResult tgAddGltfFrame(void* writer, int frame, const tgVec3* positions,
                               const tgVec3* normals, tgError* error)
{
    tgGltfBake* bake = writer;
    if (frame == 0) {
        bake->hasNormals = normals != NULL;
    }
    if (bake->hasNormals != (normals != NULL)) {
        return tgFail(error, tg_invalidArgument, -1, "frame %d has %s, unlike the first one",
                      bake->def->firstFrame + frame, normals != NULL ? "normals" : "no normals");
    }
    tgResult result = tgPrepareFrame(bake, positions, normals, error);
    if (result != tg_success) {
        return result;
    }
    if (bake->def->still) {
        tgAddBases(bake, positions, bake->frameNormals, bake->frameTangents);
    } else if (frame == 0) {
        tgKeepFirstFrame(bake, positions);
    }
    for (int range = 0; range < bake->layout.rangeCount && !bake->def->still; ++range) {
        tgJsonValue* target = tgMakeJsonObject(&bake->builder.arena);
        tgAddTarget(bake, target, "POSITION", range, bake->basePositions, positions);
        if (bake->hasNormals) {
            tgAddTarget(bake, target, "NORMAL", range, bake->baseNormals, bake->frameNormals);
        }
        if (bake->hasNormals && bake->rangeHasTangents[range]) {
            tgAddTarget(bake, target, "TANGENT", range, bake->firstTangents, bake->frameTangents);
        }
        tgGltfBuilder_Append(&bake->builder, bake->targets[range], target);
    }
    if (tgGltfBuilder_HasFailed(&bake->builder) && error != NULL) {
        *error = bake->builder.failure;
    }
    return bake->builder.failure.code;
}

static tgResult tgCloseGltfBake(void* writer, tgError* error)
{
    tgGltfBake* bake = writer;
    if (!bake->def->still) {
        bool hasTangents = bake->hasNormals && bake->tangents != NULL;
        tgAddBases(bake, bake->basePositions, bake->baseNormals,
                   hasTangents ? bake->firstTangents : NULL);
    }
    for (int p = 0; p < bake->layout.partCount; ++p) {
        tgJsonValue* own = bake->partAttributes[p];
        tgJsonValue* shared = bake->attributes[bake->layout.partRanges[p]];
        if (own != NULL && !tgJson_Merge(own, shared)) {
            tgGltfBuilder_Fail(&bake->builder, tg_outOfMemory, -1, "no memory for the document");
        }
    }
    return tgGltfBuilder_Close(&bake->builder, error);
}

const tgBakeFormat tg_gltfFormat = {tgOpenGltfBake,    tgAddGltfFrame,    tgCloseGltfBake,
                                    tgDestroyGltfBake, .cutsFaces = true, .takesSeveral = true};
