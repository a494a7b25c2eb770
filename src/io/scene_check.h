// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
#ifndef TURGOR_IO_SCENE_CHECK_H
#define TURGOR_IO_SCENE_CHECK_H

#include "turgor/scene.h"

/// Does a scene keep all that poses, rigs and writers build on: indices in range, parents before
/// children, finite numbers, rising key times? Linear in its size.
bool tgScene_IsSound(const tgScene* scene);

#endif
