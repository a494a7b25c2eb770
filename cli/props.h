// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Meshes of a character's file that no joint moves: what it carries, wears and stands on. They keep
// their shape and go along with their nodes.
#ifndef TURGOR_CLI_PROPS_H
#define TURGOR_CLI_PROPS_H

#include "play/actor.h"
#include "shot.h"

typedef struct tgProps {
    tgScene* scene;         ///< those meshes; NULL: there are none
    const tgScene* skinned; ///< the character's, whose nodes are the same
    tgMat34* toNodes;       ///< of each part: from where it stands in the scene into its node
    int* jointOfNode;       ///< -1 for none
    float* weights;         ///< scratch: of morph targets
    tgMat34* nodes;         ///< scratch
    tgVec3* shape;          ///< scratch: under those weights
} tgProps;

tgResult tgOpenProps(const tgShot* shot, tgProps* props, tgError* error);
void tgCloseProps(tgProps* props);

/// Where they are when an actor stands as it does.
/// @param normals of all vertices too, unit vectors
void tgProps_Place(tgProps* props, const tgActor* actor, tgVec3* positions, tgVec3* normals);

#endif
