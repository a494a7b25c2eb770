// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// From a character's table to a scene: mesh each part, find the cell size that gives the vertices
// asked for, weigh, and write it all down.

#include "models/character.h"

#include "core/core.h"
#include "models/relax.h"
#include "models/skin_weights.h"
#include "models/surface_nets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tg_maxCharacterParts = 20, tg_maxSearchSteps = 24 };

// Closer than this to the count asked for ends the search.
static const float tg_countTolerance = 0.02f;

// In cells. The grid must see a tube of this radius whatever its direction; once its vertices are
// there they can close in on the finer shape.
static const float tg_thinnestSeen = 0.78f;
static const float tg_thinnestShown = 0.25f;

/// A part on its way to the scene.
typedef struct tgPartBuild {
    tgField field;
    tgQuadMesh mesh;
    tgNeighbors neighbors;
} tgPartBuild;

static bool tgMeshPart(tgPartBuild* build, const tgCharacterPart* part, float cellSize)
{
    tgField_Destroy(&build->field);
    tgQuadMesh_Destroy(&build->mesh);
    return tgField_Create(&build->field, part->chains, part->chainCount, tg_thinnestSeen * cellSize,
                          part->groundBlend) &&
           tgQuadMesh_Extract(&build->mesh, &build->field, cellSize);
}

/// Search the cell size for which the part has `count` vertices, within tg_countTolerance or as
/// near as the grid allows: false position on the logarithm of the count, kept inside a bracket.
static bool tgMeshPartToCount(tgPartBuild* build, const tgCharacterPart* part, int count)
{
    if (!tgField_Create(&build->field, part->chains, part->chainCount, 0.0f, 0.0f)) {
        return false;
    }
    tgVec3 size = tgSub(build->field.max, build->field.min);
    // About a third of its box's area; the search does not depend on how good this is.
    float area = 0.7f * (size.x * size.y + size.y * size.z + size.z * size.x);
    // A coarse mesh costs little and says how many vertices there are for each cell's area.
    float cellSize = 2.2f * sqrtf(area / (float)count);
    if (!tgMeshPart(build, part, cellSize)) {
        return false;
    }
    cellSize *= sqrtf((float)build->mesh.vertexCount / (float)count);
    float small = 0.0f, large = 0.0f, best = cellSize, bestError = 1e9f;
    for (int step = 0; step < tg_maxSearchSteps; ++step) {
        if (!tgMeshPart(build, part, cellSize)) {
            return false;
        }
        float ratio = (float)build->mesh.vertexCount / (float)count;
        float error = fabsf(ratio - 1.0f);
        if (error < bestError) {
            best = cellSize;
            bestError = error;
        }
        if (error <= tg_countTolerance) {
            return true;
        }
        if (ratio > 1.0f) {
            small = cellSize;
        } else {
            large = cellSize;
        }
        cellSize *= sqrtf(fmaxf(ratio, 0.05f));
        if (small > 0.0f && large > 0.0f && !(cellSize > small && cellSize < large)) {
            cellSize = 0.5f * (small + large);
        }
    }
    return tgMeshPart(build, part, best);
}

/// Even out the mesh, and take the finer shape in place of the one that the grid saw.
static bool tgRelaxPart(tgPartBuild* build, const tgCharacterPart* part)
{
    tgField coarse = build->field;
    bool ok = tgField_Create(&build->field, part->chains, part->chainCount,
                             tg_thinnestShown * build->mesh.cellSize, part->groundBlend) &&
              tgNeighbors_Create(&build->neighbors, &build->mesh) &&
              tgQuadMesh_Relax(&build->mesh, &coarse, &build->field, &build->neighbors);
    tgField_Destroy(&coarse);
    return ok;
}

static bool tgMeshAllParts(tgPartBuild* builds, const tgCharacterDef* def, int vertexCount)
{
    int left = vertexCount;
    bool byCount = vertexCount > 0;
    // Small parts follow the character's resolution when it rises, and keep their shape when it
    // falls.
    float ratio = byCount ? (float)def->defaultVertexCount / (float)vertexCount : 1.0f;
    float refine = fminf(1.0f, sqrtf(ratio));
    for (int i = byCount ? 1 : 0; i < def->partCount; ++i) {
        if (!tgMeshPart(&builds[i], &def->parts[i], def->parts[i].cellSize * refine)) {
            return false;
        }
        left -= builds[i].mesh.vertexCount;
    }
    if (byCount && !tgMeshPartToCount(&builds[0], &def->parts[0], left)) {
        return false;
    }
    for (int i = 0; i < def->partCount; ++i) {
        if (!tgRelaxPart(&builds[i], &def->parts[i])) {
            return false;
        }
    }
    return true;
}

static bool tgAllocateMesh(tgScene* scene, const tgPartBuild* builds, int partCount)
{
    size_t vertexCount = 0, quadCount = 0;
    for (int i = 0; i < partCount; ++i) {
        vertexCount += (size_t)builds[i].mesh.vertexCount;
        quadCount += (size_t)builds[i].mesh.quadCount;
    }
    size_t influenceCount = vertexCount * tg_modelInfluenceCount;
    scene->positions = tgScene_Alloc(scene, vertexCount, sizeof(tgVec3));
    scene->normals = tgScene_Alloc(scene, vertexCount, sizeof(tgVec3));
    scene->faceSizes = tgScene_Alloc(scene, quadCount, sizeof(int));
    scene->faceVertices = tgScene_Alloc(scene, 4 * quadCount, sizeof(int));
    scene->influencesPerVertex = tg_modelInfluenceCount;
    scene->influenceJoints = tgScene_Alloc(scene, influenceCount, sizeof(int));
    scene->influenceWeights = tgScene_Alloc(scene, influenceCount, sizeof(float));
    scene->parts = tgScene_Alloc(scene, (size_t)partCount, sizeof(tgScenePart));
    scene->materials = tgScene_Alloc(scene, (size_t)partCount, sizeof(tgSceneMaterial));
    return scene->positions != NULL && scene->normals != NULL && scene->faceSizes != NULL &&
           scene->faceVertices != NULL && scene->influenceJoints != NULL &&
           scene->influenceWeights != NULL && scene->parts != NULL && scene->materials != NULL;
}

/// Append one part with its material; its faces are quads over its own vertices.
static bool tgWritePart(tgScene* scene, const tgCharacterPart* part, const tgPartBuild* build,
                        const tgModelSkeleton* skeleton)
{
    const tgQuadMesh* mesh = &build->mesh;
    int firstVertex = scene->vertexCount, firstFace = scene->faceCount;
    memcpy(&scene->positions[firstVertex], mesh->positions,
           (size_t)mesh->vertexCount * sizeof(tgVec3));
    tgQuadMesh_ComputeNormals(mesh, &scene->normals[firstVertex]);
    for (int f = 0; f < mesh->quadCount; ++f) {
        scene->faceSizes[firstFace + f] = 4;
        for (int k = 0; k < 4; ++k) {
            scene->faceVertices[4 * (firstFace + f) + k] = firstVertex + mesh->quads[4 * f + k];
        }
    }
    int index = scene->partCount++;
    int objectCount = scene->nodeCount - scene->jointCount;
    scene->materialCount = scene->partCount;
    tgSceneMaterial* material = &scene->materials[index];
    material->name = tgScene_CopyText(scene, part->name);
    memcpy(material->baseColor, part->baseColor, sizeof(material->baseColor));
    material->roughness = part->roughness;
    scene->parts[index] = (tgScenePart){.name = material->name,
                                        .node = scene->jointCount + (objectCount > 1 ? index : 0),
                                        .primitive = objectCount > 1 ? 0 : index,
                                        .material = index,
                                        .firstVertex = firstVertex,
                                        .vertexCount = mesh->vertexCount,
                                        .firstFace = firstFace,
                                        .faceCount = mesh->quadCount};
    scene->vertexCount += mesh->vertexCount;
    scene->faceCount += mesh->quadCount;
    size_t firstInfluence = (size_t)firstVertex * tg_modelInfluenceCount;
    return tgComputeModelWeights(mesh, &build->neighbors, &build->field, part->chains, skeleton,
                                 &scene->influenceJoints[firstInfluence],
                                 &scene->influenceWeights[firstInfluence]);
}

/// @param isTwin at -x, with ".R" in place of ".L"
static bool tgWriteGroup(tgScene* scene, const tgModelGroup* from, bool isTwin, tgSceneGroup* group)
{
    tgVec3 middle = from->middle;
    middle.x = isTwin ? -middle.x : middle.x;
    int partCount = scene->parts[0].vertexCount;
    int* vertices = tgScene_Alloc(scene, (size_t)partCount, sizeof(int));
    char name[32];
    snprintf(name, sizeof(name), "%s", from->name);
    if (isTwin) {
        name[strlen(name) - 1] = 'R';
    }
    for (int v = 0; v < partCount && vertices != NULL; ++v) {
        bool isOurSide = scene->positions[v].x * middle.x >= 0.0f; // the other is its twin's
        if (isOurSide && tgDistance(scene->positions[v], middle) <= from->radius) {
            vertices[group->vertexCount++] = v;
        }
    }
    group->name = tgScene_CopyText(scene, name);
    group->vertices = vertices;
    return vertices != NULL;
}

static bool tgWriteGroups(tgScene* scene, const tgCharacterDef* def)
{
    scene->groups = tgScene_Alloc(scene, 2 * (size_t)def->groupCount, sizeof(tgSceneGroup));
    bool done = scene->groups != NULL;
    for (int i = 0; i < def->groupCount && done; ++i) {
        const char* name = def->groups[i].name;
        size_t length = strlen(name);
        bool hasTwin = length > 2 && strcmp(name + length - 2, ".L") == 0;
        for (int twin = 0; twin < (hasTwin ? 2 : 1) && done; ++twin) {
            tgSceneGroup* group = &scene->groups[scene->groupCount++];
            done = tgWriteGroup(scene, &def->groups[i], twin == 1, group);
        }
    }
    return done;
}

static bool tgFillScene(tgScene* scene, const tgCharacterDef* def, const tgPartBuild* builds)
{
    tgModelSkeleton skeleton;
    tgModelSkeleton_Create(&skeleton, def->joints, def->jointCount);
    const char* const* names = def->objectNames != NULL ? def->objectNames : &def->name;
    int objectCount = def->objectNames != NULL ? def->partCount : 1;
    if (!tgWriteModelSkeleton(scene, &skeleton, names, objectCount) ||
        !tgAllocateMesh(scene, builds, def->partCount)) {
        return false;
    }
    for (int i = 0; i < def->partCount; ++i) {
        if (!tgWritePart(scene, &def->parts[i], &builds[i], &skeleton)) {
            return false;
        }
    }
    return (def->groupCount == 0 || tgWriteGroups(scene, def)) &&
           tgWriteModelAnimations(scene, &skeleton, def->animations, def->animationCount);
}

tgScene* tgCreateCharacter(const tgCharacterDef* def, int vertexCount, tgError* error)
{
    TG_ASSERT(def->partCount <= tg_maxCharacterParts);
    tgPartBuild builds[tg_maxCharacterParts];
    memset(builds, 0, sizeof(builds));
    tgScene* scene = tgCreateScene();
    bool ok = scene != NULL && tgMeshAllParts(builds, def, vertexCount) &&
              tgFillScene(scene, def, builds);
    for (int i = 0; i < def->partCount; ++i) {
        tgNeighbors_Destroy(&builds[i].neighbors);
        tgQuadMesh_Destroy(&builds[i].mesh);
        tgField_Destroy(&builds[i].field);
    }
    if (!ok) {
        tgDestroyScene(scene);
        tgFail(error, tg_outOfMemory, -1, "no memory for the model %s with %d vertices", def->name,
               vertexCount);
        return NULL;
    }
    return scene;
}
