// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints of an Assimp scene. A bone gives the map from its mesh to itself in the bind pose; its
// inverse is the rest joint. Meshes bound to the same skeleton may each have a space of their own,
// so every mesh is first mapped onto the bind space of the first one through a bone they share:
// then one bone is one joint, and the character stands together in its bind pose. The deformed
// skin is the same either way.

#include "core/core.h"
#include "io/import_assimp_private.h"

#include <limits.h>

/// How far two bind matrices may differ and be the same, relative to their size.
static const float tg_bindSlop = 1e-5f;

/// Joints as they are found, before they are sorted.
typedef struct tgJointTable {
    int count;
    int* nodes;
    int* meshes; ///< the first mesh that uses each
    tgMat34* restJoints;
    int* nextOfNode;  ///< another joint of the same node, -1 at the end
    int* firstOfNode; ///< for each node its first joint, -1 for none
    float meshSize;   ///< diagonal of the first mesh
} tgJointTable;

static float tgMeasureMesh(const struct aiMesh* mesh)
{
    tgVec3 low = {INFINITY, INFINITY, INFINITY};
    tgVec3 high = {-INFINITY, -INFINITY, -INFINITY};
    for (unsigned v = 0; v < mesh->mNumVertices; ++v) {
        tgVec3 p = tgFromAiVector(mesh->mVertices[v]);
        low = tgMakeVec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = tgMakeVec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    return tgDistance(low, high);
}

static float tgLongestAxis(const tgMat34* m)
{
    return fmaxf(tgLength(m->x), fmaxf(tgLength(m->y), tgLength(m->z)));
}

/// Equal for every point of the mesh, within the slop.
static bool tgIsSameBind(const tgMat34* a, const tgMat34* b, float meshSize)
{
    float axes = tg_bindSlop * tgLongestAxis(a);
    float origin = tg_bindSlop * (tgLength(a->origin) + meshSize);
    return tgDistance(a->x, b->x) <= axes && tgDistance(a->y, b->y) <= axes &&
           tgDistance(a->z, b->z) <= axes && tgDistance(a->origin, b->origin) <= origin;
}

static tgResult tgFindBoneNode(const tgAssimpImport* import, const struct aiBone* bone, int* node)
{
    *node = tgAssimpImport_FindNode(import, bone->mName.data);
    if (*node < 0) {
        return tgFail(import->error, tg_invalidMesh, -1,
                      "bone \"%.80s\" has no node of that name in the file", bone->mName.data);
    }
    return tg_success;
}

/// The map from this mesh to the bind space of the meshes before it.
static tgResult tgPlaceMesh(const tgAssimpImport* import, const tgJointTable* table,
                            tgAssimpMesh* mesh)
{
    if (table->count == 0) {
        return tg_success;
    }
    // A shared bone b must move both alike: inverse(rest of b) * meshToModel = offset of b. With
    // no bone in common, let the two stand as the file's own pose shows them: the map from a
    // mesh to the model is then nodeToModel * offset, with any of its bones.
    const struct aiBone* bone = mesh->source->mBones[0];
    tgMat34 offset = tgFromAiMatrix(&bone->mOffsetMatrix);
    tgMat34 toModel = tgIdentityMat34();
    int joint = -1;
    for (unsigned b = 0; b < mesh->source->mNumBones && joint < 0; ++b) {
        int node = -1;
        tgResult result = tgFindBoneNode(import, mesh->source->mBones[b], &node);
        if (result != tg_success) {
            return result;
        }
        joint = table->firstOfNode[node];
        if (joint >= 0) {
            offset = tgFromAiMatrix(&mesh->source->mBones[b]->mOffsetMatrix);
            toModel = tgMulMat34(&table->restJoints[joint], &offset);
        }
    }
    if (joint < 0) {
        tgMat34 inverse;
        if (tgInvertMat34(&import->nodeToModel[table->nodes[0]], &inverse)) {
            int node = tgAssimpImport_FindNode(import, bone->mName.data);
            tgMat34 posed = tgMulMat34(&import->nodeToModel[node], &offset);
            tgMat34 inJoint = tgMulMat34(&inverse, &posed);
            toModel = tgMulMat34(&table->restJoints[0], &inJoint);
        }
    }
    tgMat34 identity = tgIdentityMat34();
    tgMat34 inverse;
    mesh->isMoved =
        !tgIsSameBind(&identity, &toModel, table->meshSize) && tgInvertMat34(&toModel, &inverse);
    mesh->meshToModel = mesh->isMoved ? toModel : identity;
    return tg_success;
}

static tgResult tgAddBone(tgAssimpImport* import, tgJointTable* table, int m, unsigned b)
{
    tgAssimpMesh* mesh = &import->meshes[m];
    const struct aiBone* bone = mesh->source->mBones[b];
    int node = -1;
    tgResult result = tgFindBoneNode(import, bone, &node);
    if (result != tg_success) {
        return result;
    }
    tgMat34 offset = tgFromAiMatrix(&bone->mOffsetMatrix);
    tgMat34 rest;
    if (!tgIsFiniteMat34(&offset) || !tgInvertMat34(&offset, &rest)) {
        return tgFail(import->error, tg_invalidMesh, node,
                      "bone \"%.80s\" has a bind matrix that cannot be inverted", bone->mName.data);
    }
    if (mesh->isMoved) {
        rest = tgMulMat34(&mesh->meshToModel, &rest);
    }
    int* link = &table->firstOfNode[node];
    while (*link >= 0 && !tgIsSameBind(&table->restJoints[*link], &rest, table->meshSize)) {
        link = &table->nextOfNode[*link];
    }
    if (*link < 0) {
        int joint = table->count++;
        table->nodes[joint] = node;
        table->meshes[joint] = m;
        table->restJoints[joint] = rest;
        table->nextOfNode[joint] = -1;
        *link = joint;
    }
    mesh->boneJoints[b] = *link;
    return tg_success;
}

/// The joint of the nearest ancestor node that has any; of several the one of the same mesh.
static int tgFindParentJoint(const tgScene* scene, const tgJointTable* table, int joint)
{
    int node = scene->nodes[table->nodes[joint]].parent;
    while (node >= 0 && table->firstOfNode[node] < 0) {
        node = scene->nodes[node].parent;
    }
    if (node < 0) {
        return -1;
    }
    int found = table->firstOfNode[node];
    for (int j = found; j >= 0; j = table->nextOfNode[j]) {
        if (table->meshes[j] == table->meshes[joint]) {
            return j;
        }
    }
    return found;
}

/// Nodes are ordered parent before child, so joints in node order are too.
static tgResult tgSortJoints(tgAssimpImport* import, const tgJointTable* table)
{
    tgScene* scene = import->scene;
    int* newJoints = tgScene_Alloc(import->scratch, (size_t)table->count, sizeof(int));
    scene->joints = tgScene_Alloc(scene, (size_t)table->count, sizeof(tgSceneJoint));
    if (newJoints == NULL || scene->joints == NULL) {
        return tgAssimpImport_FailMemory(import);
    }
    for (int n = 0; n < scene->nodeCount; ++n) {
        for (int j = table->firstOfNode[n]; j >= 0; j = table->nextOfNode[j]) {
            newJoints[j] = scene->jointCount++;
        }
    }
    for (int j = 0; j < table->count; ++j) {
        int parent = tgFindParentJoint(scene, table, j);
        tgSceneJoint* joint = &scene->joints[newJoints[j]];
        joint->node = table->nodes[j];
        joint->name = scene->nodes[joint->node].name;
        joint->parent = parent >= 0 ? newJoints[parent] : -1;
        joint->restJoint = table->restJoints[j];
    }
    for (int m = 0; m < import->meshCount; ++m) {
        for (unsigned b = 0; b < import->meshes[m].source->mNumBones; ++b) {
            import->meshes[m].boneJoints[b] = newJoints[import->meshes[m].boneJoints[b]];
        }
    }
    return tg_success;
}

static bool tgAllocTable(tgAssimpImport* import, tgJointTable* table)
{
    size_t boneCount = 0;
    for (int m = 0; m < import->meshCount; ++m) {
        tgAssimpMesh* mesh = &import->meshes[m];
        boneCount += mesh->source->mNumBones;
        mesh->boneJoints = tgScene_Alloc(import->scratch, mesh->source->mNumBones, sizeof(int));
        if (mesh->boneJoints == NULL) {
            return false;
        }
    }
    size_t nodeCount = (size_t)import->scene->nodeCount;
    table->nodes = tgScene_Alloc(import->scratch, boneCount, sizeof(int));
    table->meshes = tgScene_Alloc(import->scratch, boneCount, sizeof(int));
    table->restJoints = tgScene_Alloc(import->scratch, boneCount, sizeof(tgMat34));
    table->nextOfNode = tgScene_Alloc(import->scratch, boneCount, sizeof(int));
    table->firstOfNode = tgScene_Alloc(import->scratch, nodeCount, sizeof(int));
    if (table->nodes == NULL || table->meshes == NULL || table->restJoints == NULL ||
        table->nextOfNode == NULL || table->firstOfNode == NULL || boneCount > INT_MAX) {
        return false;
    }
    for (size_t n = 0; n < nodeCount; ++n) {
        table->firstOfNode[n] = -1;
    }
    return true;
}

tgResult tgAssimpImport_ReadJoints(tgAssimpImport* import)
{
    if (!import->isSkinned) {
        return tg_success;
    }
    tgJointTable table = {.meshSize = tgMeasureMesh(import->meshes[0].source)};
    if (!tgAllocTable(import, &table)) {
        return tgAssimpImport_FailMemory(import);
    }
    for (int m = 0; m < import->meshCount; ++m) {
        tgResult result = tgPlaceMesh(import, &table, &import->meshes[m]);
        for (unsigned b = 0; b < import->meshes[m].source->mNumBones && result == tg_success; ++b) {
            result = tgAddBone(import, &table, m, b);
        }
        if (result != tg_success) {
            return result;
        }
    }
    return tgSortJoints(import, &table);
}
