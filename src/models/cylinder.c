// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The papers' test tube. Linear skinning of two bones changes its volume, as a part of the rest
// volume, by -2 sin^2(theta/2) <w(1-w)> - (c/H) sin(theta) when the joint bends by theta about +z,
// with
//   H = length and c = boneOffset (the axis stands c above the bones, on the side they bend to),
//   <w(1-w)> = the mean over the whole length, not over the transition alone:
//     blendLength / (6 length) for the ramp, 9 blendLength / (70 length) for the smooth step.
// Facets between rings leave a difference of second order in the rings' distance.

#include "models/cylinder.h"

#include "core/core.h"
#include "models/angles.h"
#include "models/rigging.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tg_cylinderCookie = 0x63796c };
static const float tg_cylinderSeconds = 2.0f;
// Between keys a linear turn about one axis is exact; these keep the easing smooth.
enum { tg_cylinderKeyCount = 61 };

tgCylinderDef tgDefaultCylinderDef(void)
{
    tgCylinderDef def = {.radius = 1.0f,
                         .length = 8.0f,
                         .aroundCount = 16,
                         .ringCount = 16,
                         .boneCount = 2,
                         .boneOffset = 0.0f,
                         .blendLength = 2.0f,
                         .smooth = true,
                         .quads = true,
                         .capped = true,
                         .bendDegrees = 90.0f,
                         .cookie = tg_cylinderCookie};
    return def;
}

static bool tgIsPositive(float x)
{
    return isfinite(x) && x > 0.0f;
}

static tgResult tgCheckCylinderDef(const tgCylinderDef* def, tgError* error)
{
    if (def == NULL || def->cookie != tg_cylinderCookie) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the cylinder's def does not come from tgDefaultCylinderDef()");
    }
    if (!tgIsPositive(def->radius) || !tgIsPositive(def->length)) {
        return tgFail(error, tg_invalidArgument, -1,
                      "a cylinder of radius %g and length %g: both must be above 0",
                      (double)def->radius, (double)def->length);
    }
    if (def->aroundCount < 3 || def->ringCount < 2 ||
        def->aroundCount > tg_maxCylinderVertexCount / def->ringCount) {
        return tgFail(
            error, tg_invalidArgument, -1,
            "a cylinder of %d rings with %d vertices: at least 2 with 3, at most %d in all",
            def->ringCount, def->aroundCount, tg_maxCylinderVertexCount);
    }
    if (def->boneCount < 2 || def->boneCount > tg_maxModelJoints) {
        return tgFail(error, tg_invalidArgument, -1, "a cylinder of %d bones, expected 2 to %d",
                      def->boneCount, tg_maxModelJoints);
    }
    if (!tgIsPositive(def->blendLength) || def->blendLength > def->length) {
        return tgFail(
            error, tg_invalidArgument, -1,
            "weights that change over %g of a cylinder of length %g: above 0 and within it",
            (double)def->blendLength, (double)def->length);
    }
    if (!isfinite(def->boneOffset) || !isfinite(def->bendDegrees) ||
        fabsf(def->bendDegrees) > 180.0f) {
        return tgFail(error, tg_invalidArgument, -1,
                      "bones %g below the axis that bend to %g degrees: finite, and at most 180",
                      (double)def->boneOffset, (double)def->bendDegrees);
    }
    return tg_success;
}

/// What joint i and all after it carry at x.
static float tgGetCarried(const tgCylinderDef* def, int i, float x)
{
    if (i <= 0 || i >= def->boneCount) {
        return i <= 0 ? 1.0f : 0.0f;
    }
    float joint = def->length * (float)i / (float)def->boneCount;
    float t = fmaxf(0.0f, fminf(1.0f, (x - joint) / def->blendLength + 0.5f));
    return def->smooth ? t * t * (3.0f - 2.0f * t) : t;
}

/// How many joints can share a vertex.
static int tgCountCylinderInfluences(const tgCylinderDef* def)
{
    float boneLength = def->length / (float)def->boneCount;
    int count = 2 + (int)ceilf(def->blendLength / boneLength - 1e-4f);
    return count < def->boneCount ? count : def->boneCount;
}

static void tgWriteCylinderWeights(tgScene* scene, const tgCylinderDef* def, int v, float x)
{
    int* joints = &scene->influenceJoints[(size_t)v * (size_t)scene->influencesPerVertex];
    float* weights = &scene->influenceWeights[(size_t)v * (size_t)scene->influencesPerVertex];
    int count = 0;
    for (int i = 0; i < def->boneCount; ++i) {
        float w = tgGetCarried(def, i, x) - tgGetCarried(def, i + 1, x);
        if (w > 0.0f && count < scene->influencesPerVertex) {
            joints[count] = i;
            weights[count] = w;
            count += 1;
        }
    }
}

static void tgWriteCylinderVertices(tgScene* scene, const tgCylinderDef* def)
{
    for (int ring = 0; ring < def->ringCount; ++ring) {
        float x = def->length * (float)ring / (float)(def->ringCount - 1);
        for (int k = 0; k < def->aroundCount; ++k) {
            int v = ring * def->aroundCount + k;
            double angle = 2.0 * 3.14159265358979323846 * (double)k / (double)def->aroundCount;
            double sine, cosine;
            tgSineCosine(angle, &sine, &cosine);
            tgVec3 normal = tgMakeVec3(0.0f, (float)cosine, (float)sine);
            scene->positions[v] = tgMakeVec3(x, def->radius * normal.y, def->radius * normal.z);
            scene->normals[v] = normal;
            tgWriteCylinderWeights(scene, def, v, x);
        }
    }
}

static void tgAddCylinderFace(tgScene* scene, int* cornerCount, const int* corners, int size)
{
    memcpy(&scene->faceVertices[*cornerCount], corners, (size_t)size * sizeof(int));
    scene->faceSizes[scene->faceCount++] = size;
    *cornerCount += size;
}

/// A quad, or its two triangles.
static void tgAddCylinderQuad(tgScene* scene, int* cornerCount, const int* quad, bool quads)
{
    if (quads) {
        tgAddCylinderFace(scene, cornerCount, quad, 4);
        return;
    }
    const int triangles[2][3] = {{quad[0], quad[1], quad[2]}, {quad[0], quad[2], quad[3]}};
    tgAddCylinderFace(scene, cornerCount, triangles[0], 3);
    tgAddCylinderFace(scene, cornerCount, triangles[1], 3);
}

/// Close one end with strips across its ring: no vertex more, and it stays flat as the ring does.
static void tgAddCylinderCap(tgScene* scene, int* cornerCount, const tgCylinderDef* def, bool atEnd)
{
    int n = def->aroundCount, first = atEnd ? (def->ringCount - 1) * n : 0;
    for (int k = 0; 2 * k + 2 < n; ++k) {
        // Rung k joins vertices k and n - 1 - k; counter-clockwise seen from +x.
        int low = k, high = n - 1 - k;
        int quad[4] = {low, low + 1, high - 1, high};
        int size = high - 1 == low + 1 ? 3 : 4;
        if (size == 3) {
            quad[2] = high;
        }
        int face[4];
        for (int c = 0; c < size; ++c) {
            face[c] = first + quad[atEnd ? c : size - 1 - c];
        }
        if (size == 3) {
            tgAddCylinderFace(scene, cornerCount, face, 3);
        } else {
            tgAddCylinderQuad(scene, cornerCount, face, def->quads);
        }
    }
}

static void tgWriteCylinderFaces(tgScene* scene, const tgCylinderDef* def)
{
    int cornerCount = 0, n = def->aroundCount;
    for (int ring = 0; ring + 1 < def->ringCount; ++ring) {
        for (int k = 0; k < n; ++k) {
            int a = ring * n + k, b = ring * n + (k + 1) % n;
            // Round from y to z, then along x: z cross x looks outwards at y.
            const int quad[4] = {a, b, b + n, a + n};
            tgAddCylinderQuad(scene, &cornerCount, quad, def->quads);
        }
    }
    if (def->capped) {
        tgAddCylinderCap(scene, &cornerCount, def, false);
        tgAddCylinderCap(scene, &cornerCount, def, true);
    }
}

static bool tgWriteCylinderMesh(tgScene* scene, const tgCylinderDef* def)
{
    size_t vertexCount = (size_t)def->aroundCount * (size_t)def->ringCount;
    // Two triangles for each quad of the side and the caps is more than enough.
    size_t faceCount = 2 * vertexCount + 2 * (size_t)def->aroundCount;
    scene->influencesPerVertex = tgCountCylinderInfluences(def);
    size_t influenceCount = vertexCount * (size_t)scene->influencesPerVertex;
    scene->positions = tgScene_Alloc(scene, vertexCount, sizeof(tgVec3));
    scene->normals = tgScene_Alloc(scene, vertexCount, sizeof(tgVec3));
    scene->faceSizes = tgScene_Alloc(scene, faceCount, sizeof(int));
    scene->faceVertices = tgScene_Alloc(scene, 3 * faceCount, sizeof(int));
    scene->influenceJoints = tgScene_Alloc(scene, influenceCount, sizeof(int));
    scene->influenceWeights = tgScene_Alloc(scene, influenceCount, sizeof(float));
    scene->parts = tgScene_Alloc(scene, 1, sizeof(tgScenePart));
    scene->materials = tgScene_Alloc(scene, 1, sizeof(tgSceneMaterial));
    if (scene->positions == NULL || scene->normals == NULL || scene->faceSizes == NULL ||
        scene->faceVertices == NULL || scene->influenceJoints == NULL ||
        scene->influenceWeights == NULL || scene->parts == NULL || scene->materials == NULL) {
        return false;
    }
    scene->vertexCount = (int)vertexCount;
    tgWriteCylinderVertices(scene, def);
    tgWriteCylinderFaces(scene, def);
    scene->materialCount = 1;
    scene->materials[0] = (tgSceneMaterial){"tube", {0.30f, 0.52f, 0.75f, 1.0f}, 0.5f};
    scene->partCount = 1;
    scene->parts[0] = (tgScenePart){.name = "tube",
                                    .node = def->boneCount,
                                    .vertexCount = scene->vertexCount,
                                    .faceCount = scene->faceCount};
    return true;
}

static void tgMakeCylinderSkeleton(tgModelSkeleton* skeleton, const tgCylinderDef* def)
{
    skeleton->jointCount = def->boneCount;
    for (int i = 0; i < def->boneCount; ++i) {
        snprintf(skeleton->names[i], sizeof(skeleton->names[i]), "bone%d", i);
        skeleton->parents[i] = i - 1;
        skeleton->twins[i] = i;
        skeleton->positions[i] =
            tgMakeVec3(def->length * (float)i / (float)def->boneCount, -def->boneOffset, 0.0f);
    }
}

/// All inner joints turn alike, so they share their keys.
static bool tgWriteCylinderAnimation(tgScene* scene, const tgCylinderDef* def)
{
    int channelCount = def->boneCount - 1;
    tgAnimation* animation = tgScene_Alloc(scene, 1, sizeof(tgAnimation));
    tgChannel* channels = tgScene_Alloc(scene, (size_t)channelCount, sizeof(tgChannel));
    float* times = tgScene_Alloc(scene, tg_cylinderKeyCount, sizeof(float));
    tgQuat* values = tgScene_Alloc(scene, tg_cylinderKeyCount, sizeof(tgQuat));
    if (animation == NULL || channels == NULL || times == NULL || values == NULL) {
        return false;
    }
    const float keys[3][2] = {{0.0f, 0.0f}, {0.5f, def->bendDegrees}, {1.0f, 0.0f}};
    for (int i = 0; i < tg_cylinderKeyCount; ++i) {
        float t = (float)i / (float)(tg_cylinderKeyCount - 1);
        float angle = tgEase(keys, 3, t) * (3.14159265f / 180.0f);
        times[i] = tg_cylinderSeconds * t;
        values[i] = tgMakeTurn(tgMakeVec3(0.0f, 0.0f, 1.0f), angle);
    }
    for (int c = 0; c < channelCount; ++c) {
        channels[c] = (tgChannel){.node = c + 1,
                                  .path = tg_pathRotation,
                                  .interpolation = tg_interpolateLinear,
                                  .keyCount = tg_cylinderKeyCount,
                                  .width = 4,
                                  .times = times,
                                  .values = &values->x};
    }
    *animation = (tgAnimation){"bend", 0.0, (double)tg_cylinderSeconds, channelCount, channels};
    scene->animationCount = 1;
    scene->animations = animation;
    return true;
}

tgScene* tgCreateCylinder(const tgCylinderDef* def, tgError* error)
{
    if (tgCheckCylinderDef(def, error) != tg_success) {
        return NULL;
    }
    tgModelSkeleton skeleton;
    tgMakeCylinderSkeleton(&skeleton, def);
    const char* name = "cylinder";
    tgScene* scene = tgCreateScene();
    if (scene == NULL || !tgWriteModelSkeleton(scene, &skeleton, &name, 1) ||
        !tgWriteCylinderMesh(scene, def) || !tgWriteCylinderAnimation(scene, def)) {
        tgDestroyScene(scene);
        tgFail(error, tg_outOfMemory, -1, "no memory for a cylinder of %d rings with %d vertices",
               def->ringCount, def->aroundCount);
        return NULL;
    }
    return scene;
}

void tgCylinderDef_SetVertexCount(tgCylinderDef* def, int vertexCount)
{
    // As many rings as vertices around, as the papers have it; of the numbers near that, the even
    // one that meets the count best.
    int middle = 2 * (int)(0.5f * sqrtf((float)vertexCount) + 0.5f), bestError = vertexCount;
    for (int around = middle > 6 ? middle - 2 : 4; around <= middle + 2; around += 2) {
        int rings = (vertexCount + around / 2) / around;
        int difference = abs(around * rings - vertexCount);
        bool closer = difference < bestError;
        bool asClose = difference == bestError && around == middle;
        if (closer || asClose) {
            bestError = difference;
            def->aroundCount = around;
            def->ringCount = rings;
        }
    }
}

tgScene* tgCreateCylinderModel(int vertexCount, tgError* error)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    tgCylinderDef_SetVertexCount(&def, vertexCount);
    return tgCreateCylinder(&def, error);
}
