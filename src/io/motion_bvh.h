// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Biovision .bvh files: a skeleton and its motion, without a mesh.
#ifndef TURGOR_IO_MOTION_BVH_H
#define TURGOR_IO_MOTION_BVH_H

#include "turgor/scene.h"

/// A scene without vertices. Joints stand at their OFFSETs, in the file's units, with their axes
/// along those of the model; each End Site is a node that is no joint. The motion, when there is
/// one, is the animation "motion". NULL on failure, with the line in the message.
tgScene* tgImportBvh(const char* path, tgError* error);
/// The same from memory; no closing zero is needed.
tgScene* tgImportBvhMemory(const char* text, size_t size, tgError* error);

#endif
