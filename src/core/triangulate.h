// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Faces of any size cut into triangles: polygons of five and more for the rig, and all of them for
// file formats that know nothing else.
#ifndef TURGOR_CORE_TRIANGULATE_H
#define TURGOR_CORE_TRIANGULATE_H

#include "turgor/math.h"

/// Cut one face into size - 2 triangles that look the same way and use only its corners.
/// @param corners vertices of the face, into positions; overwritten when size is above 4
/// @param triangles 3 * (size - 2) vertices
void tgTriangulateFace(tgVec3View positions, int* corners, int size, int* triangles);

#endif
