// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The animation of a baked glTF: the channels of the input's that move something other than the
// baked meshes, then the frames. For a still the nodes take the transforms of its time instead.

#include "io/gltf_bake_source.h"

#include <stdlib.h>
#include <string.h>

static const tgJsonValue* tgGetSourceAnimation(const tgSourceBake* work, int clip)
{
    int index = tgGetClip(work->bake->def, clip).animation;
    const tgJsonValue* animations = tgJson_Find(work->source->document, "animations");
    return index >= 0 ? tgJson_GetItem(animations, (size_t)index) : NULL;
}

/// Does a JSON pointer of KHR_animation_pointer lead to something that is still in its place?
static bool tgIsKeptPointer(const tgSourceBake* work, const char* pointer)
{
    int node = -1, end = 0;
    if (sscanf(pointer, "/nodes/%d/weights%n", &node, &end) == 1 && end > 0) {
        return node < 0 || node >= work->source->nodeCount || !work->isBaked[node];
    }
    return strncmp(pointer, "/meshes/", 8) != 0 && strncmp(pointer, "/skins/", 7) != 0;
}

static bool tgIsKeptChannel(const tgSourceBake* work, const tgJsonValue* channel)
{
    const tgJsonValue* target = tgJson_Find(channel, "target");
    const char* path = tgJson_GetString(tgJson_Find(target, "path"));
    const tgJsonValue* value = tgJson_Find(target, "node");
    const tgJsonValue* extension =
        tgJson_Find(tgJson_Find(target, "extensions"), "KHR_animation_pointer");
    const char* pointer = tgJson_GetString(tgJson_Find(extension, "pointer"));
    if (pointer != NULL) {
        return tgIsKeptPointer(work, pointer);
    }
    long long node = tgJson_IsWhole(value) ? tgJson_GetWhole(value) : -1;
    if (path == NULL || node < 0 || node >= work->source->nodeCount) {
        return false;
    }
    return strcmp(path, "weights") != 0 || !work->isBaked[node];
}

/// Copy a channel and, when it is the first of its users, its sampler.
static void tgCarryChannel(tgSourceBake* work, const tgJsonValue* oldAnimation,
                           const tgJsonValue* channel, tgJsonValue* animation, int* newSamplers)
{
    tgGltfBuilder* builder = work->builder;
    const tgJsonValue* oldSamplers = tgJson_Find(oldAnimation, "samplers");
    long long index = tgJson_GetWhole(tgJson_Find(channel, "sampler"));
    if (index < 0 || (size_t)index >= tgJson_CountItems(oldSamplers)) {
        return;
    }
    tgJsonValue* samplers = tgJson_Find(animation, "samplers");
    if (newSamplers[index] < 0) {
        tgJsonValue* sampler =
            tgCopyJson(&builder->arena, tgJson_GetItem(oldSamplers, (size_t)index));
        tgGltfCarry_Remap(&work->carry, sampler, "input", tg_carryOther);
        tgGltfCarry_Remap(&work->carry, sampler, "output", tg_carryOther);
        newSamplers[index] = (int)tgJson_CountItems(samplers);
        tgGltfBuilder_Append(builder, samplers, sampler);
    }
    tgJsonValue* copy = tgCopyJson(&builder->arena, channel);
    tgGltfBuilder_SetWhole(builder, copy, "sampler", newSamplers[index]);
    tgGltfBuilder_Append(builder, tgJson_Find(animation, "channels"), copy);
}

static void tgCarryChannels(tgSourceBake* work, int clip, tgJsonValue* animation)
{
    const tgJsonValue* old = tgGetSourceAnimation(work, clip);
    size_t samplerCount = tgJson_CountItems(tgJson_Find(old, "samplers"));
    int* newSamplers = malloc((samplerCount + 1) * sizeof(int));
    if (newSamplers == NULL) {
        tgGltfBuilder_Fail(work->builder, tg_outOfMemory, -1, "no memory for an animation");
        return;
    }
    for (size_t i = 0; i < samplerCount; ++i) {
        newSamplers[i] = -1;
    }
    tgJsonValue* channel = NULL;
    for (size_t index = 0; (channel = tgJson_GetItem(tgJson_Find(old, "channels"), index)) != NULL;
         ++index) {
        if (tgIsKeptChannel(work, channel)) {
            tgCarryChannel(work, old, channel, animation, newSamplers);
        }
    }
    static const char* const kept[] = {"extras", "extensions"};
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); ++i) {
        if (tgJson_Find(old, kept[i]) != NULL) {
            tgGltfBuilder_Set(work->builder, animation, kept[i],
                              tgCopyJson(&work->builder->arena, tgJson_Find(old, kept[i])));
        }
    }
    free(newSamplers);
}

/// The rotation of a matrix with unit columns at right angles (Shepperd 1978).
static tgQuat tgGetRotation(const tgMat34* m)
{
    float trace = m->x.x + m->y.y + m->z.z;
    float largest = fmaxf(fmaxf(m->x.x, m->y.y), fmaxf(m->z.z, trace));
    tgQuat q;
    if (largest == trace) {
        q = (tgQuat){m->y.z - m->z.y, m->z.x - m->x.z, m->x.y - m->y.x, 1.0f + trace};
    } else if (largest == m->x.x) {
        q = (tgQuat){1.0f + 2.0f * m->x.x - trace, m->x.y + m->y.x, m->z.x + m->x.z,
                     m->y.z - m->z.y};
    } else if (largest == m->y.y) {
        q = (tgQuat){m->x.y + m->y.x, 1.0f + 2.0f * m->y.y - trace, m->y.z + m->z.y,
                     m->z.x - m->x.z};
    } else {
        q = (tgQuat){m->z.x + m->x.z, m->y.z + m->z.y, 1.0f + 2.0f * m->z.z - trace,
                     m->x.y - m->y.x};
    }
    return tgNormalizeQuat(q);
}

/// Local transform of a node out of two node-to-model matrices.
static tgTransform tgSplitLocal(const tgMat34* node, const tgMat34* modelToParent)
{
    tgMat34 local = tgMulMat34(modelToParent, node);
    tgTransform split;
    float side = tgDeterminant(&local) < 0.0f ? -1.0f : 1.0f;
    split.position = local.origin;
    split.scale =
        tgMakeVec3(side * tgLength(local.x), side * tgLength(local.y), side * tgLength(local.z));
    local.x = tgMulSV(1.0f / split.scale.x, local.x);
    local.y = tgMulSV(1.0f / split.scale.y, local.y);
    local.z = tgMulSV(1.0f / split.scale.z, local.z);
    split.rotation = tgGetRotation(&local);
    return split;
}

static void tgPlaceNode(tgSourceBake* work, const tgMat34* nodes, int sceneNode)
{
    const tgScene* scene = work->bake->def->scene;
    tgGltfBuilder* builder = work->builder;
    int parent = scene->nodes[sceneNode].parent;
    tgMat34 modelToParent = tgIdentityMat34();
    tgMat34 unused;
    // A node that shrinks to nothing has no rotation to give; it stays as the file has it.
    if ((parent >= 0 && !tgInvertMat34(&nodes[parent], &modelToParent)) ||
        !tgInvertMat34(&nodes[sceneNode], &unused)) {
        return;
    }
    tgTransform local = tgSplitLocal(&nodes[sceneNode], &modelToParent);
    tgJsonValue* array = tgGltfBuilder_GetArray(builder, "nodes");
    tgJsonValue* json = tgJson_GetItem(array, (size_t)work->source->gltfNodes[sceneNode]);
    tgJson_Remove(json, "matrix");
    tgGltfBuilder_Set(builder, json, "translation",
                      tgMakeJsonFloats(&builder->arena, &local.position.x, 3));
    tgGltfBuilder_Set(builder, json, "rotation",
                      tgMakeJsonFloats(&builder->arena, &local.rotation.x, 4));
    tgGltfBuilder_Set(builder, json, "scale", tgMakeJsonFloats(&builder->arena, &local.scale.x, 3));
}

/// Put every node that the animation moves where it is at the still's time.
static void tgPoseNodes(tgSourceBake* work)
{
    const tgBakeDef* def = work->bake->def;
    const tgScene* scene = def->scene;
    tgMat34* nodes = malloc(((size_t)scene->nodeCount + 1) * sizeof(*nodes));
    tgMat34* joints = malloc(((size_t)scene->jointCount + 1) * sizeof(*joints));
    float* weights = malloc(((size_t)scene->morphCount + 1) * sizeof(*weights));
    bool* isPlaced = calloc((size_t)scene->nodeCount + 1, sizeof(*isPlaced));
    if (nodes == NULL || joints == NULL || weights == NULL || isPlaced == NULL) {
        tgGltfBuilder_Fail(work->builder, tg_outOfMemory, -1, "no memory for a pose");
    } else {
        const tgAnimation* animation = &scene->animations[def->animation];
        tgScene_SamplePose(scene, def->animation, def->startTime, nodes, joints, weights);
        for (int c = 0; c < animation->channelCount; ++c) {
            const tgChannel* channel = &animation->channels[c];
            if (channel->path != tg_pathWeights && !isPlaced[channel->node]) {
                tgPlaceNode(work, nodes, channel->node);
                isPlaced[channel->node] = true;
            }
        }
    }
    free(nodes);
    free(joints);
    free(weights);
    free(isPlaced);
}

void tgWriteSourceAnimation(tgSourceBake* work)
{
    if (work->bake->def->still) {
        if (work->bake->def->animation >= 0) {
            tgPoseNodes(work);
        }
        return;
    }
    for (int c = 0; c < tgCountClips(work->bake->def); ++c) {
        tgJsonValue* animation = tgMakeFrameAnimation(work->bake, c);
        tgCarryChannels(work, c, animation);
        tgAnimateFrames(work->bake, c, animation, work->objectNodes);
        tgGltfBuilder_Append(work->builder, tgGltfBuilder_GetArray(work->builder, "animations"),
                             animation);
    }
}
