// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Any bytes as a mesh file of bones, through a file as tgLoadObjects reads it: either a scene whose
// every index is in range, or a message. Its parts are then bones under the skin of a small arm.

#include "io/load_objects.h"
#include "turgor/turgor.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { tg_mostBones = 4 };

/// Not assert: it must hold in builds without asserts too.
static void tgRequire(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void tgCheckScene(const tgScene* scene)
{
    size_t corner = 0;
    int f = 0;
    for (int p = 0; p < scene->partCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        tgRequire(part->firstFace == f && part->faceCount > 0 && part->name != NULL);
        tgRequire(part->firstVertex >= 0 &&
                  part->firstVertex + part->vertexCount <= scene->vertexCount);
        for (; f < part->firstFace + part->faceCount; ++f) {
            tgRequire(scene->faceSizes[f] >= 3);
            for (int k = 0; k < scene->faceSizes[f]; ++k, ++corner) {
                int v = scene->faceVertices[corner] - part->firstVertex;
                tgRequire(v >= 0 && v < part->vertexCount);
            }
        }
    }
    tgRequire(f == scene->faceCount);
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgRequire(tgIsFiniteVec3(scene->positions[v]));
    }
}

/// A tetrahedron on two joints, with the scene's first parts as its bones.
static void tgMakeRig(const tgScene* scene)
{
    static const tgVec3 tg_skin[4] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 1}};
    static const int tg_faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    static const int tg_parents[2] = {-1, 0}, tg_joints[4] = {0, 0, 1, 0};
    static const float tg_weights[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    tgMat34 restJoints[2] = {tgMakeMat34(tgIdentityTransform()),
                             tgMakeMat34(tgIdentityTransform())};
    restJoints[1].origin = tgMakeVec3(0.0f, 1.0f, 0.0f);
    tgBoneDef bones[tg_mostBones];
    const int* corners = scene->faceVertices;
    int f = 0, boneCount = scene->partCount < tg_mostBones ? scene->partCount : tg_mostBones;
    for (int p = 0; p < boneCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        bones[p] = (tgBoneDef){
            .joint = p % 2,
            .positions = {&scene->positions->x, scene->vertexCount, sizeof(tgVec3)},
            .faceVertices = corners,
            .faceSizes = scene->faceSizes + part->firstFace,
            .faceCount = part->faceCount,
            .thickness = -1.0f,
        };
        for (; f < part->firstFace + part->faceCount; ++f) {
            corners += scene->faceSizes[f];
        }
    }
    tgError error = {0};
    tgRigDef def = tgDefaultRigDef();
    def.restPositions = (tgVec3View){&tg_skin->x, 4, sizeof(tgVec3)};
    def.faceVertices = tg_faces;
    def.faceCount = 4;
    def.jointParents = tg_parents;
    def.restJoints = restJoints;
    def.jointCount = 2;
    def.influencesPerVertex = 1;
    def.influenceJoints = tg_joints;
    def.influenceWeights = tg_weights;
    def.bones.bones = bones;
    def.bones.boneCount = boneCount;
    tgRig* rig = tgCreateRig(&def, &error);
    tgRequire(rig != NULL || (error.code != tg_success && error.message[0] != '\0'));
    tgRequire(rig == NULL || tgRig_GetBoneCount(rig) == boneCount);
    tgDestroyRig(rig);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    bool isGltf = size > 0 && (data[0] == '{' || data[0] == 'g');
    char path[64];
    snprintf(path, sizeof(path), "fuzz_objects_%d.%s", (int)getpid(), isGltf ? "gltf" : "obj");
    FILE* file = fopen(path, "wb");
    tgRequire(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    tgError error = {0};
    tgScene* scene = tgLoadObjects(path, &error);
    tgRequire(remove(path) == 0);
    if (scene != NULL) {
        tgCheckScene(scene);
        tgMakeRig(scene);
    } else {
        tgRequire(error.code != tg_success && error.message[0] != '\0');
    }
    tgDestroyScene(scene);
    return 0;
}
