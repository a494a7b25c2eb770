// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Fields that corrections move vertices along, u = gamma M g.
#ifndef TURGOR_CORE_EXACT_FIELD_H
#define TURGOR_CORE_EXACT_FIELD_H

#include "core/exact.h"

/// A field is followed at most so many times as far as its first order says.
static const double tg_farthestField = 2.0;
/// What is left of a correction is let go below this part of it. (See tg_closeEnough for double.)
static const double tg_doneFraction = sizeof(float) == sizeof(double) ? 1e-16 : 1e-7;

/// The vertices that a field moves and the faces that move with them. task->gradient has theirs, in
/// the order of the list.
typedef struct tgFieldPart {
    const int* vertices; ///< padded; NULL: all in order
    int count;
    tgPatch faces;    ///< over vertices of the whole mesh
    const int* loops; ///< boundary loops with such vertices; NULL: all in order
    int loopCount;
    tgVec3 apex; ///< a point near the faces
} tgFieldPart;

/// What each axis could do.
/// @param vertices that are asked, where the gradient is that of the whole mesh; NULL: in order
void tgMeasureWorth(const tgExactTask* task, const float* gamma, const int* vertices, int count,
                    const tgVec3 axes[3], tgAxisWorth* out);

/// M = sum of step e e^T over the axes.
void tgGetRows(const tgVec3 axes[3], const double steps[3], tgVec3 rows[3]);

/// Moves vertices along gamma M g, so far that the volume which this adds to first order is added.
/// @param volume to first order, not 0
/// @param most times as far is the farthest
/// @return the volume added
double tgFollowField(const tgExactTask* task, const tgFieldPart* part, const tgVec3 rows[3],
                     double volume, double most);

/// Adds amount f, scaled back to the cap, where f = gamma M g adds volume 1; see tgAddJointField.
/// @param largest displacement that amount f would bring
/// @param vertices that take part, where the gradient is that of the whole mesh; NULL: all
double tgSpreadField(const tgExactTask* task, const int* vertices, int count, const tgVec3 rows[3],
                     double amount, double largest, double cap, float* field, float* room);

#endif
