// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Colours of joints that tell neighbours apart.
#ifndef TURGOR_CLI_JOINT_COLORS_H
#define TURGOR_CLI_JOINT_COLORS_H

#include "turgor/scene.h"

/// A category (see draw/scale.h) for each joint; joints that move corners of one face get different
/// ones, as long as there are as many. As few joints as categories all get their own.
/// @param colors jointCount entries
/// @return false without memory
bool tgColorJoints(const tgScene* scene, int* colors);

/// Which joints move some vertex.
/// @param isUsed jointCount entries
void tgFindUsedJoints(const tgScene* scene, bool* isUsed);

#endif
