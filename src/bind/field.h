// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A harmonic function over the skin that rises from the source to every tip, and nowhere else ends.
#ifndef TURGOR_BIND_FIELD_H
#define TURGOR_BIND_FIELD_H

#include "bind/tips.h"

/// @param field one value for each vertex
tgResult tgSolveField(const tgSkinNet* net, const tgMirror* mirror, const tgTips* tips,
                      tgWalker* walker, tgScratch* scratch, double* field, tgError* error);

#endif
