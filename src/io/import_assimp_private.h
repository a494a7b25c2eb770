// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the stages of the Assimp import hand to each other: nodes, then joints, then skin, then
// mesh, then animation. Each stage returns tg_success or what tgFail said.
#ifndef TURGOR_IO_IMPORT_ASSIMP_PRIVATE_H
#define TURGOR_IO_IMPORT_ASSIMP_PRIVATE_H

#include "io/import_assimp.h"
#include "turgor/scene.h"

#include <assimp/scene.h>

#include <stdio.h>

/// One joint's hold on one vertex.
typedef struct tgBoneInfluence {
    int joint;
    float weight;
} tgBoneInfluence;

/// A mesh of the file that becomes a part of the scene. Assimp makes one mesh of each material.
typedef struct tgAssimpMesh {
    const struct aiMesh* source;
    int node;            ///< the scene node that carries it
    bool isMoved;        ///< `meshToModel` is not the identity
    tgMat34 meshToModel; ///< to the space that all rest positions share
    int* boneJoints;     ///< for each bone its scene joint

    int* influenceStarts;        ///< for each vertex and the end; NULL without a skin
    tgBoneInfluence* influences; ///< decreasing weights that sum to 1
    int vertexCount;             ///< after equal corners became one vertex
    int* joinedVertices;         ///< for each vertex of the source the one it became
    int* sourceVertices;         ///< for each vertex the first one of the source it came from
    int firstVertex;             ///< in the scene
} tgAssimpMesh;

/// Rotations that FBX wraps around a node's own: before * key * after.
typedef struct tgFbxOrientation {
    tgQuat before, after;
    bool isCollapsed; ///< the node was a chain of nodes in Assimp's tree
} tgFbxOrientation;

typedef struct tgAssimpImport {
    const struct aiScene* source;
    tgScene* scene;
    tgScene* scratch; ///< an empty scene: memory that only the import needs, freed at once
    tgError* error;

    const struct aiNode** sourceNodes; ///< for each scene node
    int* nodesByName;                  ///< all nodes, ordered by name and then by index
    tgMat34* nodeToModel;              ///< as the file stands, not as it is animated
    tgFbxOrientation* orientations;    ///< for each scene node

    bool isFbx;
    const tgAssimpFile* file;
    bool isSkinned;  ///< those with a skin are
    bool takesLoose; ///< those without one are, and no others
    bool* isPlace;   ///< of each node: it shows the meshes of another one (tgScene.places)
    bool* isShared;  ///< of each node: others show its meshes, which stay in its space
    int shownCount;  ///< meshes without a skin that nodes show
    int meshCount;
    tgAssimpMesh* meshes;
} tgAssimpImport;

/// Refuse a COLLADA file that Assimp would never finish reading; reads `file` to its end.
tgResult tgCheckCollada(FILE* file, tgError* error);

bool tgHasPolygons(const struct aiMesh* mesh);
/// Fill isPlace, isShared and the scene's places; false without memory.
bool tgAssimpImport_FindPlaces(tgAssimpImport* import);
/// The first node of that name, -1 when there is none.
int tgAssimpImport_FindNode(const tgAssimpImport* import, const char* name);
/// Fails with "out of memory".
tgResult tgAssimpImport_FailMemory(const tgAssimpImport* import);

/// True when scale, rotation and position say all that the matrix says.
bool tgDecompose(const tgMat34* matrix, tgTransform* transform);

/// Skip the nodes of an FBX chain that one node can stand for.
/// @return the last node of the chain, or `first` when there is nothing to skip
/// @param local, orientation changed only when nodes were skipped
const struct aiNode* tgCollapseChain(const struct aiNode* first, tgMat34* local,
                                     tgFbxOrientation* orientation);
/// The node a channel means, -1 for none, and which of its paths, as bits 1 << tgPath.
int tgFindChainNode(const tgAssimpImport* import, const char* name, unsigned* pathBits);
/// A rotation key as the node needs it.
/// @param isChainPart the channel was for a node inside the chain
tgQuat tgOrientKey(const tgFbxOrientation* orientation, bool isChainPart, tgQuat key);

/// Make the joints, and bring all meshes into the bind space of the first.
tgResult tgAssimpImport_ReadJoints(tgAssimpImport* import);
/// Gather each vertex's influences, and join corners that are the same vertex.
tgResult tgAssimpImport_ReadSkin(tgAssimpImport* import);
/// Fill the scene's vertices, faces, parts and morph targets.
tgResult tgAssimpImport_ReadMesh(tgAssimpImport* import);
tgResult tgAssimpImport_ReadAnimations(tgAssimpImport* import);

/// The root's transform with the file's unit taken to metres.
tgMat34 tgAssimpImport_ToMetres(const tgAssimpImport* import, const tgMat34* root);
/// Scale the bind pose to the size that the file stands in.
tgResult tgAssimpImport_SettleSize(tgAssimpImport* import);

static inline tgVec3 tgFromAiVector(struct aiVector3D v)
{
    return tgMakeVec3((float)v.x, (float)v.y, (float)v.z);
}

/// Assimp's letters are rows and its numbers are columns.
static inline tgMat34 tgFromAiMatrix(const struct aiMatrix4x4* m)
{
    tgMat34 result = {
        {(float)m->a1, (float)m->b1, (float)m->c1},
        {(float)m->a2, (float)m->b2, (float)m->c2},
        {(float)m->a3, (float)m->b3, (float)m->c3},
        {(float)m->a4, (float)m->b4, (float)m->c4},
    };
    return result;
}

#endif
