// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the stages of the glTF reader share. They run in the order in which they stand here; each
// fills a part of the scene and leaves behind what the next ones need.
#ifndef TURGOR_IO_GLTF_READ_H
#define TURGOR_IO_GLTF_READ_H

#include "io/gltf_accessor.h"
#include "io/gltf_json.h"
#include "io/gltf_source.h"
#include "turgor/scene.h"

/// How the corners of a primitive make triangles; glTF's numbers.
enum { tg_modeTriangles = 4, tg_modeStrip = 5, tg_modeFan = 6 };

/// A node by its index in the document.
typedef struct tgGltfNode {
    int parent;    ///< in the document, -1 for a root
    int mesh;      ///< -1 for none
    int skin;      ///< -1 for none
    bool isShown;  ///< part of the scene that the file opens with
    bool isTaken;  ///< its mesh becomes a part of ours, or shows one of them again
    bool isPlace;  ///< it shows the parts of another node
    bool isShared; ///< other nodes show its parts
} tgGltfNode;

/// A skin by its index in the document.
typedef struct tgGltfSkin {
    int jointCount; ///< 0 until a node that is taken uses it
    int* joints;    ///< for each of the skin's joints the joint of the scene
} tgGltfSkin;

/// What becomes of one primitive; runs along with scene->parts and source->parts.
typedef struct tgGltfPrimitive {
    const tgJsonValue* attributes;
    const tgJsonValue* targets; ///< NULL for none
    const char* meshName;       ///< may be empty
    int positions;              ///< accessor
    int normals;                ///< accessor, -1 for none
    int uvs;                    ///< accessor, -1 for none
    int indices;                ///< accessor, -1 for none
    int mode;                   ///< tg_modeTriangles and so on
    int setCount;               ///< pairs of JOINTS_n and WEIGHTS_n
    int cornerCount;            ///< indices, or vertices when there are none
    int before;                 ///< the part before it that owns vertices with these positions, -1
} tgGltfPrimitive;

typedef struct tgGltfReader {
    tgScene* scene;
    tgGltfSource* source; ///< the scene's
    tgScene* scratch;     ///< its memory goes when the reading is done
    const tgJsonValue* accessors;
    const tgJsonValue* animations;
    const tgJsonValue* materials;
    const tgJsonValue* meshes;
    const tgJsonValue* nodes;
    const tgJsonValue* skins;
    uint64_t budget;      ///< bytes of memory that may still be taken
    bool prefersLoose;    ///< meshes without a skin are wanted, where there are any
    bool sharesLoose;     ///< they are in the scene once, however many nodes show them
    bool isOverBudget;    ///< it failed because of that
    bool hasSkin;         ///< some node that is shown has a skin and a mesh
    int looseCornerCount; ///< indices after the last whole triangle
    tgGltfNode* gltfNodes;
    tgGltfSkin* gltfSkins;
    tgGltfPrimitive* primitives;
    int* lastWithPositions; ///< by accessor: the last part that owns vertices with these positions
    tgMat34* nodesToModel;  ///< by node of the scene; NULL until it is asked for
    tgVec3* zeros;          ///< offsets of morph targets that move nothing
    int zeroCount;
} tgGltfReader;

/// The file's transform tree; which nodes are taken.
tgResult tgReadGltfNodes(tgGltfReader* reader, tgError* error);
/// The joints of all skins in use.
tgResult tgReadGltfSkins(tgGltfReader* reader, tgError* error);
/// Which nodes show the mesh of another node again.
tgResult tgReadGltfPlaces(tgGltfReader* reader, tgError* error);
/// Which primitives there are, and which vertices and faces each of them gets.
tgResult tgReadGltfParts(tgGltfReader* reader, tgError* error);
/// Positions, normals, texture coordinates and faces.
tgResult tgReadGltfMesh(tgGltfReader* reader, tgError* error);
/// Colours and other numbers that artists paint at vertices.
tgResult tgReadGltfAttributes(tgGltfReader* reader, tgError* error);
/// Which joints move each vertex.
tgResult tgReadGltfWeights(tgGltfReader* reader, tgError* error);
tgResult tgReadGltfMorphs(tgGltfReader* reader, tgError* error);
tgResult tgReadGltfMaterials(tgGltfReader* reader, tgError* error);
tgResult tgReadGltfAnimations(tgGltfReader* reader, tgError* error);
/// Nothing for the scene: a warning for those that the writer will not find.
tgResult tgReadGltfImages(tgGltfReader* reader, tgError* error);

/// Take bytes off the budget: `count` times `size`. A small file may claim billions of elements (an
/// accessor without a buffer view is all zero; nodes may share a mesh), so this comes before any
/// memory is asked for.
/// @param what of which there are too many, for the message: "vertices"
tgResult tgGltfReader_Spend(tgGltfReader* reader, const char* place, size_t count, size_t size,
                            const char* what, tgError* error);

/// Look up an accessor that must have `componentCount` components, and take its elements, as
/// floats, off the budget.
/// @param place who wants it, for messages
tgResult tgGltfReader_GetAccessor(tgGltfReader* reader, int index, int componentCount,
                                  const char* place, tgGltfAccessor* accessor, tgError* error);

/// Zeroed memory that lives as long as `owner`: the scene, or reader->scratch. NULL, with the error
/// told, when there is none left.
void* tgGltfReader_Alloc(tgScene* owner, size_t count, size_t size, tgError* error);

/// Morph targets of a mesh: the most that one of its primitives has.
int tgGltfReader_CountTargets(const tgGltfReader* reader, int mesh);

/// World transforms of the scene's nodes in the file's own pose; NULL when there is no memory.
const tgMat34* tgGltfReader_GetNodesToModel(tgGltfReader* reader, tgError* error);

#endif
