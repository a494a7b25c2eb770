// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// FBX nodes with joint orientations or pivots. Assimp splits such a node into a chain, "Arm_$Assimp
// Fbx$_Translation" down to "Arm". With pivots in it, the chain and its animation are right and are
// kept. With orientations alone (most of Maya's and Mixamo's skeletons) Assimp 5.2 animates the
// last node as if there were no chain, and applies the post-rotation instead of its inverse: there
// the chain becomes one node again, and its keys are set right.

#include "io/import_assimp_private.h"

#include <string.h>

static const char tg_chainMark[] = "_$AssimpFbx$_";

/// The parts that one transform can hold: position * (pre * rotation * post) * scale.
static const char* const tg_plainParts[] = {"Translation", "PreRotation", "Rotation",
                                            "PostRotation", "Scaling"};

/// What follows the mark: "PreRotation". NULL for a node that is not part of a chain.
static const char* tgFindChainPart(const char* name)
{
    const char* mark = strstr(name, tg_chainMark);
    return mark != NULL ? mark + sizeof(tg_chainMark) - 1 : NULL;
}

static bool tgIsPlainPart(const char* part)
{
    for (size_t i = 0; i < sizeof(tg_plainParts) / sizeof(tg_plainParts[0]); ++i) {
        if (strcmp(part, tg_plainParts[i]) == 0) {
            return true;
        }
    }
    return false;
}

const struct aiNode* tgCollapseChain(const struct aiNode* first, tgMat34* local,
                                     tgFbxOrientation* orientation)
{
    const char* part = tgFindChainPart(first->mName.data);
    tgFbxOrientation found = {tgIdentityQuat(), tgIdentityQuat(), false};
    tgMat34 product = tgIdentityMat34();
    const struct aiNode* node = first;
    for (; part != NULL; part = tgFindChainPart(node->mName.data)) {
        if (!tgIsPlainPart(part) || node->mNumChildren != 1 || node->mNumMeshes != 0) {
            return first;
        }
        tgMat34 own = tgFromAiMatrix(&node->mTransformation);
        tgTransform transform;
        if (!tgDecompose(&own, &transform)) {
            return first;
        }
        if (strcmp(part, "PreRotation") == 0) {
            found.before = transform.rotation;
        } else if (strcmp(part, "PostRotation") == 0) {
            found.after = transform.rotation;
        }
        product = tgMulMat34(&product, &own);
        node = node->mChildren[0];
    }
    if (node != first) {
        tgMat34 own = tgFromAiMatrix(&node->mTransformation);
        found.isCollapsed = true;
        *local = tgMulMat34(&product, &own);
        *orientation = found;
    }
    return node;
}

int tgFindChainNode(const tgAssimpImport* import, const char* name, unsigned* pathBits)
{
    int node = tgAssimpImport_FindNode(import, name);
    const char* part = tgFindChainPart(name);
    *pathBits = ~0u;
    if (node >= 0 || part == NULL) {
        return node;
    }
    // A part of a chain that became one node.
    char whole[sizeof(((struct aiString*)0)->data)];
    size_t length = (size_t)(part - name) - (sizeof(tg_chainMark) - 1);
    memcpy(whole, name, length);
    whole[length] = '\0';
    *pathBits = strcmp(part, "Translation") == 0 ? 1u << tg_pathTranslation
                : strcmp(part, "Rotation") == 0  ? 1u << tg_pathRotation
                : strcmp(part, "Scaling") == 0   ? 1u << tg_pathScale
                                                 : 0u;
    return tgAssimpImport_FindNode(import, whole);
}

tgQuat tgOrientKey(const tgFbxOrientation* orientation, bool isChainPart, tgQuat key)
{
    if (!orientation->isCollapsed) {
        return key;
    }
    if (isChainPart) {
        return tgMulQuat(orientation->before, tgMulQuat(key, orientation->after));
    }
    // The key is pre * rotation * post, and `after` is the inverse of post.
    return tgMulQuat(key, tgMulQuat(orientation->after, orientation->after));
}
