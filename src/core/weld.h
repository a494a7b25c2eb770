// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Render vertices that share place and weights become one.
#ifndef TURGOR_CORE_WELD_H
#define TURGOR_CORE_WELD_H

#include "core/influence.h"

/// @param keys vertices with different keys stay apart; NULL: all the same
/// @param tolerance positions closer than this are one
/// @param renderToVertex one entry for each render vertex
/// @param vertexToRender the first render vertex of each welded one; as many entries as render
///        vertices at most
/// @return the number of welded vertices, numbered by first appearance; 0 without memory
int tgWeld(tgVec3View positions, const tgInfluences* influences, const int* keys, float tolerance,
           tgScratch* scratch, int* renderToVertex, int* vertexToRender);

#endif
