// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What every reader promises about a scene, checked: for scenes that come from another process, and
// for the fuzzers.

#include "io/scene_check.h"

#include "io/scene_select.h"

#include <math.h>

static bool tgIsIndex(int index, int count)
{
    return index >= 0 && index < count;
}

/// [first, first + count) lies within [0, total).
static bool tgIsRange(int first, int count, int total)
{
    return first >= 0 && count >= 0 && count <= total && first <= total - count;
}

static bool tgAreFinite(const float* values, size_t count)
{
    // Zero times anything finite is zero: one test at the end serves all of them.
    float sum = 0.0f;
    for (size_t i = 0; i < count; ++i) {
        sum += 0.0f * values[i];
    }
    return sum == 0.0f;
}

static bool tgIsMeshSound(const tgScene* scene)
{
    size_t vertexCount = (size_t)scene->vertexCount;
    if (vertexCount > 0 && scene->positions == NULL) {
        return false;
    }
    if ((scene->positions != NULL && !tgAreFinite(&scene->positions->x, 3 * vertexCount)) ||
        (scene->normals != NULL && !tgAreFinite(&scene->normals->x, 3 * vertexCount)) ||
        (scene->uvs != NULL && !tgAreFinite(scene->uvs, 2 * vertexCount))) {
        return false;
    }
    if (scene->faceCount > 0 && (scene->faceSizes == NULL || scene->faceVertices == NULL)) {
        return false;
    }
    const int* corner = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; ++f) {
        if (scene->faceSizes[f] < 3) {
            return false;
        }
        for (int k = 0; k < scene->faceSizes[f]; ++k, ++corner) {
            if (!tgIsIndex(*corner, scene->vertexCount)) {
                return false;
            }
        }
    }
    return true;
}

static bool tgAreAttributesSound(const tgScene* scene)
{
    size_t vertexCount = (size_t)scene->vertexCount;
    for (int a = 0; a < scene->attributeCount; ++a) {
        const tgSceneAttribute* attribute = &scene->attributes[a];
        if (attribute->name == NULL || attribute->width < 1 ||
            attribute->width > tg_widestAttribute || attribute->values == NULL ||
            !tgAreFinite(attribute->values, (size_t)attribute->width * vertexCount)) {
            return false;
        }
    }
    const float* paint = tgScene_GetPaint(scene);
    for (size_t v = 0; paint != NULL && v < vertexCount; ++v) {
        if (!(paint[v] >= 0.0f && paint[v] <= 1.0f)) {
            return false;
        }
    }
    for (int g = 0; g < scene->groupCount; ++g) {
        const tgSceneGroup* group = &scene->groups[g];
        if (group->name == NULL || (group->vertexCount > 0 && group->vertices == NULL)) {
            return false;
        }
        for (int i = 0; i < group->vertexCount; ++i) {
            if (!tgIsIndex(group->vertices[i], scene->vertexCount) ||
                (i > 0 && group->vertices[i] <= group->vertices[i - 1])) {
                return false;
            }
        }
    }
    return true;
}

static bool tgIsSkinSound(const tgScene* scene)
{
    size_t count = (size_t)scene->vertexCount * (size_t)scene->influencesPerVertex;
    if (count == 0) {
        return true;
    }
    if (scene->influenceJoints == NULL || scene->influenceWeights == NULL ||
        !tgAreFinite(scene->influenceWeights, count)) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        if (!tgIsIndex(scene->influenceJoints[i], scene->jointCount) ||
            scene->influenceWeights[i] < 0.0f) {
            return false;
        }
    }
    return true;
}

static bool tgIsTreeSound(const tgScene* scene)
{
    for (int n = 0; n < scene->nodeCount; ++n) {
        const tgSceneNode* node = &scene->nodes[n];
        bool isFinite = node->hasMatrix ? tgIsFiniteMat34(&node->matrix)
                                        : tgIsFiniteVec3(node->local.position) &&
                                              tgIsFiniteVec3(node->local.scale) &&
                                              tgAreFinite(&node->local.rotation.x, 4);
        if (node->name == NULL || node->parent < -1 || node->parent >= n || !isFinite) {
            return false;
        }
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        const tgSceneJoint* joint = &scene->joints[j];
        if (joint->name == NULL || joint->parent < -1 || joint->parent >= j ||
            !tgIsIndex(joint->node, scene->nodeCount) || !tgIsFiniteMat34(&joint->restJoint)) {
            return false;
        }
    }
    return true;
}

/// Parts take the faces in order, and the corners of each lie within its own vertices.
static bool tgArePartsSound(const tgScene* scene)
{
    const int* corner = scene->faceVertices;
    int f = 0;
    for (int p = 0; p < scene->partCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        if (part->name == NULL || !tgIsIndex(part->node, scene->nodeCount) || part->primitive < 0 ||
            part->material < -1 || part->material >= scene->materialCount ||
            !tgIsRange(part->firstVertex, part->vertexCount, scene->vertexCount) ||
            !tgIsRange(part->firstFace, part->faceCount, scene->faceCount) ||
            part->firstFace != f) {
            return false;
        }
        for (; f < part->firstFace + part->faceCount; ++f) {
            for (int k = 0; k < scene->faceSizes[f]; ++k, ++corner) {
                if (!tgIsIndex(*corner - part->firstVertex, part->vertexCount)) {
                    return false;
                }
            }
        }
    }
    for (int m = 0; m < scene->materialCount; ++m) {
        const tgSceneMaterial* material = &scene->materials[m];
        if (material->name == NULL || !tgAreFinite(material->baseColor, 4) ||
            !isfinite(material->roughness)) {
            return false;
        }
    }
    return scene->partCount == 0 || f == scene->faceCount;
}

/// Nodes in order, each of which shows the parts of another.
static bool tgArePlacesSound(const tgScene* scene)
{
    for (int i = 0; i < scene->placeCount; ++i) {
        const tgScenePlace* place = &scene->places[i];
        if (place->name == NULL || !tgIsIndex(place->node, scene->nodeCount) ||
            !tgIsIndex(place->source, scene->nodeCount) || place->node == place->source ||
            (i > 0 && place->node <= place[-1].node)) {
            return false;
        }
    }
    return true;
}

static bool tgAreMorphsSound(const tgScene* scene)
{
    for (int m = 0; m < scene->morphCount; ++m) {
        const tgSceneMorph* morph = &scene->morphs[m];
        if (morph->name == NULL || !tgIsIndex(morph->node, scene->nodeCount) ||
            morph->indexInNode < 0 || !isfinite(morph->weight) ||
            !tgIsRange(morph->firstVertex, morph->vertexCount, scene->vertexCount) ||
            (morph->vertexCount > 0 && morph->offsets == NULL)) {
            return false;
        }
        if (morph->offsets != NULL &&
            !tgAreFinite(&morph->offsets->x, 3 * (size_t)morph->vertexCount)) {
            return false;
        }
    }
    return true;
}

static bool tgIsChannelSound(const tgScene* scene, const tgChannel* channel)
{
    static const int widths[] = {
        [tg_pathTranslation] = 3, [tg_pathRotation] = 4, [tg_pathScale] = 3};
    bool isWeights = channel->path == tg_pathWeights;
    if (!tgIsIndex(channel->node, scene->nodeCount) || channel->keyCount < 1 ||
        channel->width < 1 || (!isWeights && channel->width != widths[channel->path]) ||
        channel->times == NULL || channel->values == NULL) {
        return false;
    }
    size_t keyCount = (size_t)channel->keyCount;
    size_t valueCount =
        keyCount * (size_t)channel->width * (channel->interpolation == tg_interpolateCubic ? 3 : 1);
    for (size_t i = 1; i < keyCount; ++i) {
        if (!(channel->times[i - 1] < channel->times[i])) {
            return false;
        }
    }
    return tgAreFinite(channel->times, keyCount) && tgAreFinite(channel->values, valueCount);
}

static bool tgAreAnimationsSound(const tgScene* scene)
{
    for (int a = 0; a < scene->animationCount; ++a) {
        const tgAnimation* animation = &scene->animations[a];
        if (animation->name == NULL || !isfinite(animation->start) || !isfinite(animation->end) ||
            animation->start > animation->end) {
            return false;
        }
        for (int c = 0; c < animation->channelCount; ++c) {
            if (!tgIsChannelSound(scene, &animation->channels[c])) {
                return false;
            }
        }
    }
    return true;
}

bool tgScene_IsSound(const tgScene* scene)
{
    return scene->unskinnedMeshCount >= 0 && tgIsMeshSound(scene) && tgAreAttributesSound(scene) &&
           tgIsTreeSound(scene) && tgIsSkinSound(scene) && tgArePartsSound(scene) &&
           tgArePlacesSound(scene) && tgAreMorphsSound(scene) && tgAreAnimationsSound(scene);
}
