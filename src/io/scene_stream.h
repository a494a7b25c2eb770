// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene as bytes, from one process to another on the same machine: all that a scene holds, to the
// bit. A GLB would lose polygons, bind matrices to their inverses, and what joints and parts are
// called.
#ifndef TURGOR_IO_SCENE_STREAM_H
#define TURGOR_IO_SCENE_STREAM_H

#include "turgor/scene.h"

#include <stdint.h>
#include <stdio.h>

/// A scene without a source, or, when it is NULL, why there is none. False when it cannot be
/// written.
bool tgWriteSceneStream(FILE* file, const tgScene* scene, const tgError* error);

/// What was written. Nothing about the bytes is taken on trust: NULL and tg_ioError when they are
/// cut off or hold anything that a reader of ours would not make; NULL and the writer's error when
/// that is what they hold.
tgScene* tgReadSceneStream(const uint8_t* bytes, size_t size, tgError* error);

#endif
