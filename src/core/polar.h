// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A linear map as a rotation after a stretch: A = R S.
#ifndef TURGOR_CORE_POLAR_H
#define TURGOR_CORE_POLAR_H

#include "core/mat34d.h"

/// @param rotation the rotation nearest to the linear part of m, by columns
/// @param stretch R^T A, by columns; symmetric. A mirror is all in here.
/// @return false when m is a pure rotation to rounding: stretch is then the identity
bool tgPolarDecompose(const tgMat34d* m, double rotation[3][3], double stretch[3][3]);

/// Whether the linear part is a rotation to rounding.
bool tgIsRotation(const tgMat34d* m);
/// Whether it is one after a scale that is the same in all directions.
bool tgIsSimilarity(const tgMat34d* m, double scale);

/// The quaternion x, y, z, w of a rotation given by columns.
void tgRotationToQuat(const double rotation[3][3], double quat[4]);

#endif
