// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Exact corrections: so much volume and no other is added, along the axes of a frame.
#ifndef TURGOR_CORE_EXACT_H
#define TURGOR_CORE_EXACT_H

#include "core/profile.h"

/// What a correction reads and writes.
typedef struct tgExactTask {
    const tgMesh* mesh;
    const tgKernels* kernels;
    const tgParallel* parallel;
    float cap;                   ///< in parent bone lengths or limb radii, whichever is shorter
    bool equalShares;            ///< isotropic: a third each
    float* positions;            ///< 4 for each vertex, caps' middles included
    float* slots;                ///< scratch: 4 for each slot of the mesh
    float* gradient;             ///< scratch: 4 for each element
    float* gamma;                ///< scratch: one for each element
    const float* freedom;        ///< of each vertex: 0 pinned, 1 free; NULL: all free
    const float* evenness;       ///< of each vertex: how far it takes part in what goes all over
    const float* inverseSquares; ///< of the gradient at rest; NULL: uneven meshes bulge unevenly
    float scale;                 ///< of the skin against its rest, in the mean
    const float* scales;         ///< of each vertex; NULL: that of all
    float* profile;              ///< scratch: 4 for each of the most takers
    float* field;                ///< scratch: 4 for each element; 0 between corrections
} tgExactTask;

/// Adds `amount` of volume round a joint as its profiles say.
/// @return what the caps turned away, or all of it where the profile misses the mesh
double tgCorrectJoint(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                      double amount);
/// The same axis after axis, as published, for any profile.
double tgCorrectByAxes(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                       double amount);

/// The field f of a joint adds volume 1 to first order. Nothing is moved; task->gradient is that of
/// the whole mesh. Where amount f would pass the cap, it is scaled back to it.
/// @param field gains amount f, 4 floats for each vertex
/// @param room gains |amount| f as far as there is room: half of it again stays below the cap
/// @return what found no place, as tgCorrectJoint
double tgAddJointField(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame,
                       double amount, float* field, float* room);
/// The same for all vertices, as tgCorrectWhole.
double tgAddWholeField(const tgExactTask* task, float cap, double amount, float* field,
                       float* room);

/// task->gradient of all vertices.
void tgRefreshWhole(const tgExactTask* task);

/// Adds `amount` all over, vertex k in proportion to task->gamma[k].
/// @param cap largest displacement along one axis
/// @param spares crushed skin takes little
double tgCorrectWhole(const tgExactTask* task, float cap, double amount, bool spares);

/// Moves the flesh of a joint's band by its drift.
void tgMoveBand(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame);
/// What that changed where nothing was pinned, <gradient, drift>; task->gradient is that of the
/// whole mesh.
double tgGetFirstOrderDrift(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame);
/// Both, caps included, and what it changed as measured.
double tgDriftBand(const tgExactTask* task, const tgLimb* limb, const tgJointFrame* frame);

#endif
