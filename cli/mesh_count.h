// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What there is of a scene's mesh: vertices, faces, pieces, volume.
#ifndef TURGOR_CLI_MESH_COUNT_H
#define TURGOR_CLI_MESH_COUNT_H

#include "turgor/scene.h"

/// As a rig of the scene tells it. A mesh without a skin counts wherever a node shows it
/// (tgScene.places), and is not welded between those; the box is then one round their boxes.
tgResult tgCountMesh(const tgScene* scene, tgRigInfo* info, tgError* error);

#endif
