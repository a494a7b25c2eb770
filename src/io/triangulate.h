// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Faces of any size cut into triangles, for formats that know nothing else.
#ifndef TURGOR_IO_TRIANGULATE_H
#define TURGOR_IO_TRIANGULATE_H

#include "turgor/math.h"

/// Cut one face into size - 2 triangles that look the same way and use only its corners.
/// @param corners vertices of the face, into positions; overwritten when size is above 4
/// @param triangles 3 * (size - 2) vertices
void tgTriangulateFace(const tgVec3* positions, int* corners, int size, int* triangles);

#endif
