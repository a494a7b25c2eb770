// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What follows from a scene once it is read.
#ifndef TURGOR_IO_SCENE_FINISH_H
#define TURGOR_IO_SCENE_FINISH_H

#include "turgor/scene.h"

/// Fills the weld keys, and warns when the file stands in another size than it was bound in.
tgResult tgScene_Finish(tgScene* scene, tgError* error);
/// The weld keys alone; also after its vertices have changed. False without memory.
bool tgScene_SetWeldKeys(tgScene* scene);

#endif
