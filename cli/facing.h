// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which way the faces of a scene look.
#ifndef TURGOR_CLI_FACING_H
#define TURGOR_CLI_FACING_H

#include "turgor/scene.h"

/// The corners of all faces, with the faces of pieces that came inside out turned round.
/// @param corners as many as the scene's faceVertices
/// @return false without memory
bool tgTurnOutwards(const tgRig* rig, const tgScene* scene, int* corners);

/// Parts on a piece with holes: their backs may be seen, as an ear's.
/// @param isOpen partCount entries
/// @return false without memory
bool tgFindOpenParts(const tgRig* rig, const tgScene* scene, bool* isOpen);

#endif
