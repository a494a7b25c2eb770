// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Meshes of a character's file that no joint moves: what it carries, wears and stands on. They keep
// their shape and go along with their nodes.
#ifndef TURGOR_CLI_PROPS_H
#define TURGOR_CLI_PROPS_H

#include "play/actor.h"
#include "shot.h"

/// Parts of one node, drawn where it stands or where another node shows them again.
typedef struct tgProp {
    int node;   ///< that stands for them
    int source; ///< that carries the parts
    int firstPart, partCount;
    int firstVertex; ///< of the parts, in the scene
    int vertexCount;
    int firstShown; ///< the same of what is drawn
} tgProp;

typedef struct tgProps {
    tgScene* scene; ///< those meshes; NULL: there are none. The corners of its faces are counted
                    ///< from the first vertex of their prop
    int propCount;
    tgProp* props;          ///< the scene's own first, then its places
    int shownCount;         ///< vertices that are drawn
    int shownPartCount;     ///< parts that are drawn
    const tgScene* skinned; ///< the character's, whose nodes are the same
    int* partCorners;       ///< of each part: its first corner
    tgMat34* toNodes;       ///< of each node: from where its parts stand in the scene into it
    int* jointOfNode;       ///< -1 for none
    float* weights;         ///< scratch: of morph targets
    tgMat34* nodes;         ///< scratch
    tgVec3* shape;          ///< scratch: under those weights
} tgProps;

tgResult tgOpenProps(const tgShot* shot, tgProps* props, tgError* error);
void tgCloseProps(tgProps* props);

/// Where they are when an actor stands as it does.
/// @param positions shownCount entries
/// @param normals of all those vertices too, unit vectors
void tgProps_Place(tgProps* props, const tgActor* actor, tgVec3* positions, tgVec3* normals);

#endif
