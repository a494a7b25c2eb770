// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where to look from when nobody says.
#ifndef TURGOR_CLI_VIEW_H
#define TURGOR_CLI_VIEW_H

#include "turgor/scene.h"

/// Three-quarter where that shows the character; where it sees it edge on, or looks into a hole
/// such as a wrist that is cut off, the view that shows most of its skin.
/// @param positions of the vertices as they are drawn
/// @return towards the camera, a unit vector
tgVec3 tgChooseView(const tgRig* rig, const tgScene* scene, const tgVec3* positions);
/// For a part of it: from outside, so that the rest of the body is behind.
/// @param focus of each vertex: it is of the part
tgVec3 tgChooseViewOfPart(const tgScene* scene, const tgVec3* positions, const bool* focus);

#endif
