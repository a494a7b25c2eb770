// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where a plane cuts a mesh.
#ifndef TURGOR_DRAW_SECTION_H
#define TURGOR_DRAW_SECTION_H

#include "draw/lines.h"

typedef struct tgPlane {
    tgVec3 origin;
    tgVec3 normal;    ///< unit
    tgVec3 right, up; ///< unit, across the normal and each other
} tgPlane;

/// The plane through a point, up as near to y as it can be.
tgPlane tgMakePlane(tgVec3 origin, tgVec3 normal);

/// Pieces of the contour in the plane's own coordinates, y up, the inside to their left seen from
/// the tip of the normal. Free it with tgFreeSection.
typedef struct tgSection {
    tgSegment* segments;
    int count;
    double area; ///< enclosed, signed: positive for faces that look outwards
} tgSection;

/// Cut the faces of a mesh, polygons as fans.
tgResult tgCutMesh(const tgDrawMesh* mesh, const tgPlane* plane, tgSection* section,
                   tgError* error);
void tgFreeSection(tgSection* section);

#endif
