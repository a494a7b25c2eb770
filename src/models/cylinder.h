// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The cylinder by its vertex count alone.
#ifndef TURGOR_MODELS_CYLINDER_H
#define TURGOR_MODELS_CYLINDER_H

#include "turgor/models.h"

enum { tg_minCylinderVertexCount = 200, tg_maxCylinderVertexCount = 2000000 };

/// The default cylinder with rings and vertices around chosen to give about `vertexCount`.
tgScene* tgCreateCylinderModel(int vertexCount, tgError* error);

#endif
