// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What a scene must have for a rig to be made of it.
#ifndef TURGOR_IO_SCENE_RIG_H
#define TURGOR_IO_SCENE_RIG_H

#include "turgor/scene.h"

/// A mesh, and joints for it.
tgResult tgCheckCharacter(const tgScene* scene, tgError* error);

#endif
