// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// FBX and COLLADA through Assimp: opens the file, copies the node tree and the materials, chooses
// the meshes, and runs the stages. Assimp post-processes nothing: polygons stay, all weights stay,
// and we join corners ourselves, because Assimp's own step joins by an absolute distance and loses
// weights. FBX pivots are kept: collapsing them in Assimp drops them from animations.

#define _POSIX_C_SOURCE 200809L // fmemopen

#include "io/import_assimp.h"

#include "core/core.h"
#include "io/fbx_skinning.h"
#include "io/gltf_uri.h"
#include "io/import_assimp_private.h"
#include "io/scene_finish.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_deepestNode = 1000, ///< the tree is walked recursively
    tg_oldestFbx = 7100,   ///< that Assimp reads
    tg_headSize = 4096,    ///< bytes in which a text FBX tells its version
};
static const char tg_memoryName[] = "$$$___magic___$$$"; ///< what Assimp calls a file in memory
/// How far a matrix may be from scale, rotation and position, relative to its longest axis.
static const float tg_shearSlop = 1e-5f;

tgResult tgAssimpImport_FailMemory(const tgAssimpImport* import)
{
    return tgFail(import->error, tg_outOfMemory, -1, "out of memory");
}

// ---- nodes ----

/// -1 when the tree is deeper than we walk.
static long tgCountNodes(const struct aiNode* node, int depth)
{
    if (depth > tg_deepestNode) {
        return -1;
    }
    long count = 1;
    for (unsigned c = 0; c < node->mNumChildren; ++c) {
        long inChild = tgCountNodes(node->mChildren[c], depth + 1);
        if (inChild < 0) {
            return -1;
        }
        count += inChild;
    }
    return count;
}

static tgQuat tgMakeQuatFromAxes(tgVec3 x, tgVec3 y, tgVec3 z)
{
    // Four times the square of each component; the largest is safe to divide by.
    float w4 = 1.0f + x.x + y.y + z.z, x4 = 1.0f + x.x - y.y - z.z;
    float y4 = 1.0f - x.x + y.y - z.z, z4 = 1.0f - x.x - y.y + z.z;
    tgQuat q;
    if (w4 >= x4 && w4 >= y4 && w4 >= z4) {
        q = (tgQuat){y.z - z.y, z.x - x.z, x.y - y.x, w4};
    } else if (x4 >= y4 && x4 >= z4) {
        q = (tgQuat){x4, x.y + y.x, z.x + x.z, y.z - z.y};
    } else if (y4 >= z4) {
        q = (tgQuat){x.y + y.x, y4, y.z + z.y, z.x - x.z};
    } else {
        q = (tgQuat){z.x + x.z, y.z + z.y, z4, x.y - y.x};
    }
    return tgNormalizeQuat(q);
}

bool tgDecompose(const tgMat34* matrix, tgTransform* transform)
{
    tgVec3 scale = {tgLength(matrix->x), tgLength(matrix->y), tgLength(matrix->z)};
    if (tgDeterminant(matrix) < 0.0f) {
        scale.x = -scale.x; // a mirror is a turn and one axis reversed
    }
    bool isFlat = scale.x == 0.0f || scale.y == 0.0f || scale.z == 0.0f;
    tgQuat rotation = tgIdentityQuat();
    if (!isFlat) {
        rotation = tgMakeQuatFromAxes(tgMulSV(1.0f / scale.x, matrix->x),
                                      tgMulSV(1.0f / scale.y, matrix->y),
                                      tgMulSV(1.0f / scale.z, matrix->z));
    }
    *transform = (tgTransform){matrix->origin, rotation, scale};
    tgMat34 again = tgMakeMat34(*transform);
    float longest = fmaxf(fabsf(scale.x), fmaxf(scale.y, scale.z));
    float worst = fmaxf(tgDistance(again.x, matrix->x),
                        fmaxf(tgDistance(again.y, matrix->y), tgDistance(again.z, matrix->z)));
    return worst <= tg_shearSlop * longest;
}

/// Depth first, so that parents come before children and the order is the file's.
static tgResult tgCopyNodes(tgAssimpImport* import, const struct aiNode* source, int parent)
{
    tgScene* scene = import->scene;
    int index = scene->nodeCount++;
    tgMat34 local = tgFromAiMatrix(&source->mTransformation);
    source = tgCollapseChain(source, &local, &import->orientations[index]);
    if (!tgIsFiniteMat34(&local)) {
        return tgFail(import->error, tg_invalidMesh, index,
                      "node \"%.80s\" has a transform that is not a number", source->mName.data);
    }
    if (parent < 0) {
        local = tgAssimpImport_ToMetres(import, &local);
    }
    tgSceneNode* node = &scene->nodes[index];
    node->name = tgScene_CopyText(scene, source->mName.data);
    node->parent = parent;
    node->matrix = local;
    node->hasMatrix = !tgDecompose(&local, &node->local);
    import->sourceNodes[index] = source;
    import->nodeToModel[index] =
        parent >= 0 ? tgMulMat34(&import->nodeToModel[parent], &local) : local;
    for (unsigned c = 0; c < source->mNumChildren; ++c) {
        tgResult result = tgCopyNodes(import, source->mChildren[c], index);
        if (result != tg_success) {
            return result;
        }
    }
    return tg_success;
}

/// Assimp's own tree is what the names point to, so equal names fall back to the order.
typedef struct tgNamedNode {
    const char* name;
    int node;
} tgNamedNode;

static int tgCompareNamedNodes(const void* left, const void* right)
{
    const tgNamedNode* a = left;
    const tgNamedNode* b = right;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->node > b->node) - (a->node < b->node);
}

static tgResult tgSortNodeNames(tgAssimpImport* import)
{
    const tgScene* scene = import->scene;
    size_t count = (size_t)scene->nodeCount;
    tgNamedNode* named = tgScene_Alloc(import->scratch, count, sizeof(*named));
    import->nodesByName = tgScene_Alloc(import->scratch, count, sizeof(int));
    if (named == NULL || import->nodesByName == NULL) {
        return tgAssimpImport_FailMemory(import);
    }
    for (int n = 0; n < scene->nodeCount; ++n) {
        named[n] = (tgNamedNode){scene->nodes[n].name, n};
    }
    qsort(named, count, sizeof(*named), tgCompareNamedNodes);
    for (int n = 0; n < scene->nodeCount; ++n) {
        import->nodesByName[n] = named[n].node;
    }
    return tg_success;
}

int tgAssimpImport_FindNode(const tgAssimpImport* import, const char* name)
{
    const tgScene* scene = import->scene;
    int begin = 0;
    int end = scene->nodeCount;
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        if (strcmp(scene->nodes[import->nodesByName[middle]].name, name) < 0) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    if (begin == scene->nodeCount) {
        return -1;
    }
    int node = import->nodesByName[begin];
    return strcmp(scene->nodes[node].name, name) == 0 ? node : -1;
}

static tgResult tgReadNodes(tgAssimpImport* import)
{
    const struct aiNode* root = import->source->mRootNode;
    long count = root != NULL ? tgCountNodes(root, 0) : 0;
    if (count < 0 || count > INT_MAX / 2) {
        return tgFail(import->error, tg_unsupported, -1, "nodes are nested deeper than %d",
                      tg_deepestNode);
    }
    if (count == 0) {
        return tgFail(import->error, tg_invalidMesh, -1, "the file has no nodes");
    }
    import->scene->nodes = tgScene_Alloc(import->scene, (size_t)count, sizeof(tgSceneNode));
    import->sourceNodes = tgScene_Alloc(import->scratch, (size_t)count, sizeof(struct aiNode*));
    import->nodeToModel = tgScene_Alloc(import->scratch, (size_t)count, sizeof(tgMat34));
    import->orientations = tgScene_Alloc(import->scratch, (size_t)count, sizeof(tgFbxOrientation));
    if (import->scene->nodes == NULL || import->sourceNodes == NULL ||
        import->nodeToModel == NULL || import->orientations == NULL) {
        return tgAssimpImport_FailMemory(import);
    }
    tgResult result = tgCopyNodes(import, root, -1);
    return result == tg_success ? tgSortNodeNames(import) : result;
}

// ---- materials ----

static float tgClampColor(float value, float fallback)
{
    return isfinite(value) ? fminf(fmaxf(value, 0.0f), 1.0f) : fallback;
}

static void tgReadMaterial(tgScene* scene, const struct aiMaterial* source,
                           tgSceneMaterial* material)
{
    struct aiString name = {0};
    aiGetMaterialString(source, AI_MATKEY_NAME, &name);
    material->name = tgScene_CopyText(scene, name.data);
    struct aiColor4D color = {0.8f, 0.8f, 0.8f, 1.0f};
    aiGetMaterialColor(source, AI_MATKEY_COLOR_DIFFUSE, &color);
    ai_real opacity = 1.0f;
    aiGetMaterialFloatArray(source, AI_MATKEY_OPACITY, &opacity, NULL);
    material->baseColor[0] = tgClampColor((float)color.r, 0.8f);
    material->baseColor[1] = tgClampColor((float)color.g, 0.8f);
    material->baseColor[2] = tgClampColor((float)color.b, 0.8f);
    material->baseColor[3] = tgClampColor((float)opacity, 1.0f);
    // The width of a Blinn-Phong highlight: roughness squared = sqrt(2 / (shininess + 2)).
    ai_real shininess = 0.0f;
    aiGetMaterialFloatArray(source, AI_MATKEY_SHININESS, &shininess, NULL);
    float width = 2.0f / (fmaxf((float)shininess, 0.0f) + 2.0f);
    material->roughness = tgClampColor(sqrtf(sqrtf(width)), 1.0f);
}

static tgResult tgReadMaterials(tgAssimpImport* import)
{
    tgScene* scene = import->scene;
    unsigned count = import->source->mNumMaterials;
    scene->materials = tgScene_Alloc(scene, count, sizeof(tgSceneMaterial));
    if (scene->materials == NULL || count > INT_MAX) {
        return tgAssimpImport_FailMemory(import);
    }
    scene->materialCount = (int)count;
    for (unsigned m = 0; m < count; ++m) {
        tgReadMaterial(scene, import->source->mMaterials[m], &scene->materials[m]);
    }
    return tg_success;
}

// ---- meshes ----

bool tgHasPolygons(const struct aiMesh* mesh)
{
    unsigned polygons = aiPrimitiveType_TRIANGLE | aiPrimitiveType_POLYGON;
    return mesh->mNumVertices > 0 && mesh->mVertices != NULL && mesh->mNumFaces > 0 &&
           (mesh->mPrimitiveTypes == 0 || (mesh->mPrimitiveTypes & polygons) != 0);
}

/// Add a node's meshes. A skin is placed by its joints alone, so a skinned mesh counts once however
/// many nodes show it; a plain one counts for each.
static tgResult tgTakeMeshes(tgAssimpImport* import, int node, bool* isTaken)
{
    const struct aiNode* source = import->sourceNodes[node];
    bool hasLoose = false;
    for (unsigned k = 0; k < source->mNumMeshes; ++k) {
        unsigned m = source->mMeshes[k];
        if (m >= import->source->mNumMeshes) {
            return tgFail(import->error, tg_invalidMesh, node,
                          "node \"%.80s\" shows mesh %u, the file has %u", source->mName.data, m,
                          import->source->mNumMeshes);
        }
        const struct aiMesh* mesh = import->source->mMeshes[m];
        bool isLoose = mesh->mNumBones == 0;
        import->shownCount += !import->isSkinned && tgHasPolygons(mesh);
        if (!tgHasPolygons(mesh) || (import->isSkinned && isTaken[m]) ||
            (import->takesLoose && !isLoose) || import->isPlace[node]) {
            continue;
        }
        if (import->isSkinned && isLoose) {
            hasLoose = true;
        } else {
            isTaken[m] = true;
            tgAssimpMesh* taken = &import->meshes[import->meshCount++];
            *taken = (tgAssimpMesh){.source = mesh,
                                    .node = node,
                                    .isMoved = !import->isSkinned && !import->isShared[node],
                                    .meshToModel = tgIdentityMat34()};
            if (taken->isMoved) {
                taken->meshToModel = import->nodeToModel[node];
            }
        }
    }
    import->scene->unskinnedMeshCount += hasLoose;
    return tg_success;
}

/// Whether skins are taken, or what has none. Returns how many meshes nodes show.
static size_t tgChooseKind(tgAssimpImport* import)
{
    const struct aiScene* source = import->source;
    for (unsigned m = 0; m < source->mNumMeshes; ++m) {
        const struct aiMesh* mesh = source->mMeshes[m];
        import->isSkinned |= mesh->mNumBones > 0 && tgHasPolygons(mesh);
    }
    size_t shownCount = 0;
    bool hasLoose = false;
    for (int n = 0; n < import->scene->nodeCount; ++n) {
        const struct aiNode* node = import->sourceNodes[n];
        shownCount += node->mNumMeshes;
        for (unsigned k = 0; k < node->mNumMeshes; ++k) {
            const struct aiMesh* mesh =
                node->mMeshes[k] < source->mNumMeshes ? source->mMeshes[node->mMeshes[k]] : NULL;
            hasLoose |= mesh != NULL && mesh->mNumBones == 0 && tgHasPolygons(mesh);
        }
    }
    import->takesLoose = import->isSkinned && import->file->wish.prefersLoose && hasLoose;
    import->isSkinned = import->isSkinned && !import->takesLoose;
    return shownCount;
}

static tgResult tgChooseMeshes(tgAssimpImport* import)
{
    const struct aiScene* source = import->source;
    size_t shownCount = tgChooseKind(import);
    import->meshes = tgScene_Alloc(import->scratch, shownCount, sizeof(tgAssimpMesh));
    bool* isTaken = tgScene_Alloc(import->scratch, source->mNumMeshes, sizeof(bool));
    size_t nodeCount = (size_t)import->scene->nodeCount;
    import->isPlace = tgScene_Alloc(import->scratch, nodeCount, sizeof(bool));
    import->isShared = tgScene_Alloc(import->scratch, nodeCount, sizeof(bool));
    if (import->meshes == NULL || isTaken == NULL || import->isPlace == NULL ||
        import->isShared == NULL || shownCount > INT_MAX || !tgAssimpImport_FindPlaces(import)) {
        return tgAssimpImport_FailMemory(import);
    }
    for (int n = 0; n < import->scene->nodeCount; ++n) {
        tgResult result = tgTakeMeshes(import, n, isTaken);
        if (result != tg_success) {
            return result;
        }
    }
    if (import->meshCount == 0) {
        return tgFail(import->error, tg_invalidMesh, -1, "the file has no mesh with faces");
    }
    if (!import->isSkinned) {
        tgScene_Warn(import->scene, "no skin: the file has %d mesh%s that no joint moves",
                     import->shownCount, import->shownCount == 1 ? "" : "es");
    }
    int count = import->scene->unskinnedMeshCount;
    if (count > 0) {
        tgScene_Warn(import->scene, "%d %s no skin: pictures show %s, files leave %s out", count,
                     count == 1 ? "mesh has" : "meshes have", count == 1 ? "it" : "them",
                     count == 1 ? "it" : "them");
    }
    return tg_success;
}

// ---- the whole file ----

tgResult tgFailAssimpMemory(tgError* error)
{
    return tgFail(error, tg_outOfMemory, -1,
                  "out of memory in the importer; where the machine has more, try exporting the "
                  "file as glTF or FBX 7.4 binary");
}

/// Assimp's message in a rigger's words: FBX errors carry an offset and the names of Assimp's
/// parts.
static void tgFailAssimp(tgError* error)
{
    char line[128];
    const char* text = aiGetErrorString();
    const char* offset = text != NULL ? strstr(text, "offset 0x") : NULL;
    const char* place = text != NULL ? strstr(text, "line ") : NULL;
    if (text != NULL && strstr(text, "bad_alloc") != NULL) {
        tgFailAssimpMemory(error);
        return;
    }
    if (text != NULL && strncmp(text, "FBX", 3) == 0 && (offset != NULL || place != NULL)) {
        long number = offset != NULL ? strtol(offset + 7, NULL, 16) : strtol(place + 5, NULL, 10);
        tgFail(error, tg_ioError, -1,
               "cannot be read: damaged at %s %ld; try exporting it again, as FBX 7.4 binary or "
               "glTF",
               offset != NULL ? "byte" : "line", number);
        return;
    }
    if (text == NULL || text[0] == '\0' || strstr(text, tg_memoryName) != NULL) {
        text = "the content is not what the ending says";
    }
    snprintf(line, sizeof(line), "%s", text);
    size_t length = strcspn(line, "\r\n");
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '.')) {
        length -= 1;
    }
    line[length] = '\0';
    for (size_t i = 0; i < length; ++i) {
        if ((unsigned char)line[i] < ' ') {
            line[i] = ' ';
        }
    }
    tgFail(error, tg_ioError, -1, "cannot be read: %s; try exporting it as glTF", line);
}

static tgResult tgRunStages(tgAssimpImport* import)
{
    tgResult (*const stages[])(tgAssimpImport*) = {
        tgReadNodes,
        tgReadMaterials,
        tgChooseMeshes,
        tgAssimpImport_ReadJoints,
        tgAssimpImport_ReadSkin,
        tgAssimpImport_ReadMesh,
        tgAssimpImport_ReadAnimations,
        tgAssimpImport_SettleSize,
    };
    for (size_t s = 0; s < sizeof(stages) / sizeof(stages[0]); ++s) {
        tgResult result = stages[s](import);
        if (import->scene->hasRunOut || import->scratch->hasRunOut) {
            return tgAssimpImport_FailMemory(import); // names that are missing look like damage
        }
        if (result != tg_success) {
            return result;
        }
    }
    return tg_success;
}

static tgScene* tgConvert(const struct aiScene* source, const tgAssimpFile* file, tgError* error)
{
    tgAssimpImport import = {.source = source, .error = error, .isFbx = file->isFbx, .file = file};
    import.scene = tgCreateScene();
    import.scratch = tgCreateScene();
    tgResult result = tg_outOfMemory;
    if (import.scene == NULL || import.scratch == NULL) {
        tgAssimpImport_FailMemory(&import);
    } else {
        result = tgRunStages(&import);
        result = result == tg_success ? tgScene_Finish(import.scene, error) : result;
    }
    tgDestroyScene(import.scratch);
    if (result != tg_success) {
        tgDestroyScene(import.scene);
        return NULL;
    }
    return import.scene;
}

/// The version of an FBX file, 7400 for 7.4; 0 when it does not tell.
static long tgFindFbxVersion(const tgAssimpFile* file)
{
    static const char tg_binaryMark[] = "Kaydara FBX Binary  ";
    static const char tg_textMark[] = "FBXVersion:";
    const uint8_t* bytes = file->bytes;
    if (file->size >= 27 && memcmp(bytes, tg_binaryMark, sizeof(tg_binaryMark) - 1) == 0) {
        return (long)bytes[23] | (long)bytes[24] << 8 | (long)bytes[25] << 16;
    }
    size_t length = sizeof(tg_textMark) - 1;
    size_t end = file->size < tg_headSize ? file->size : tg_headSize;
    for (size_t at = 0; at + length < end; ++at) {
        if (memcmp(bytes + at, tg_textMark, length) == 0) {
            char digits[9] = {0};
            size_t left = end - at - length;
            memcpy(digits, bytes + at + length, left < 8 ? left : 8);
            return strtol(digits, NULL, 10);
        }
    }
    return 0;
}

/// What can be told before Assimp reads the file.
static tgResult tgCheckFile(const tgAssimpFile* file, tgError* error)
{
    if (file->size == 0) {
        return tgFail(error, tg_ioError, -1, "the file is empty or is no file");
    }
    if (file->isFbx) {
        long version = tgFindFbxVersion(file);
        return version == 0 || version >= tg_oldestFbx
                   ? tg_success
                   : tgFail(error, tg_unsupported, -1,
                            "is FBX version %ld.%ld, expected 7.1 or newer; re-export it as FBX "
                            "7.4 or glTF",
                            version / 1000, version / 100 % 10);
    }
    FILE* text = fmemopen(file->bytes, file->size, "rb");
    if (text == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory");
    }
    tgResult result = tgCheckCollada(text, error);
    fclose(text);
    return result;
}

/// What the skins of an FBX say about blending, from its raw bytes.
static void tgReadSkinning(const tgAssimpFile* file, tgScene* scene)
{
    static const char* const words[] = {"linear blending", "dual quaternions", "a blend of both"};
    tgFbxSkinnings found = tgScanFbxSkinnings(file->bytes, file->size);
    scene->skinning = tgFbxSkinnings_GetMost(&found);
    for (int s = tg_linear; s <= tg_blend; ++s) {
        if (found.counts[s] > 0 && s != (int)scene->skinning) {
            tgScene_Warn(scene, "%d of its skins %s for %s, all get %s", found.counts[s],
                         found.counts[s] == 1 ? "asks" : "ask", words[s], words[scene->skinning]);
        }
    }
}

tgResult tgReadAssimpFile(tgAssimpFile* file, const char* path, tgImportWish wish, tgError* error)
{
    const char* ending = strrchr(path, '.');
    *file = (tgAssimpFile){.isFbx = ending != NULL && tolower((unsigned char)ending[1]) == 'f',
                           .wish = wish};
    return tgReadFile(path, tg_largestFile, &file->bytes, &file->size, error);
}

tgScene* tgImportAssimpFile(const tgAssimpFile* file, tgError* error)
{
    if (tgCheckFile(file, error) != tg_success) {
        return NULL;
    }
    if (file->size > UINT_MAX) {
        tgFail(error, tg_unsupported, -1, "is longer than 4 GiB");
        return NULL;
    }
    struct aiPropertyStore* properties = aiCreatePropertyStore();
    if (properties == NULL) {
        tgFailAssimpMemory(error);
        return NULL;
    }
    aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 1);
    errno = 0;
    const struct aiScene* source = aiImportFileFromMemoryWithProperties(
        (const char*)file->bytes, (unsigned)file->size, 0, file->isFbx ? "fbx" : "dae", properties);
    // Assimp takes that for damage in places, and in others leaves out what had no room.
    bool hasRunOut = errno == ENOMEM;
    aiReleasePropertyStore(properties);
    if (hasRunOut) {
        tgFailAssimpMemory(error);
        aiReleaseImport(source); // NULL is fine
        return NULL;
    }
    if (source == NULL) {
        tgFailAssimp(error);
        return NULL;
    }
    tgScene* scene = tgConvert(source, file, error);
    aiReleaseImport(source);
    if (scene != NULL && file->isFbx && scene->jointCount > 0) {
        tgReadSkinning(file, scene);
    }
    if (scene != NULL && scene->hasRunOut) {
        tgFail(error, tg_outOfMemory, -1, "out of memory");
        tgDestroyScene(scene);
        return NULL;
    }
    return scene;
}

tgScene* tgImportAssimp(const char* path, tgImportWish wish, tgError* error)
{
    tgAssimpFile file;
    tgScene* scene = NULL;
    if (tgReadAssimpFile(&file, path, wish, error) == tg_success) {
        scene = tgImportAssimpFile(&file, error);
        free(file.bytes);
    }
    return scene;
}
