// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character filled with masses and damped springs round a rigid core: what flesh is measured
// against.
#ifndef TURGOR_MODELS_SPRING_NETWORK_H
#define TURGOR_MODELS_SPRING_NETWORK_H

#include "turgor/scene.h"

typedef struct tgNetwork tgNetwork;

/// Where the skeleton is in the motion that both are compared by, for a character one unit high:
/// steps to the side and back and a hop, for four seconds, then still.
void tgGetShake(double time, double place[3]);

/// A cubic lattice inside the skin, with springs along its edges and the diagonals of its faces.
/// @param springs about how many
/// @param core nodes nearer to the bone than this are rigid
/// @return NULL without memory
tgNetwork* tgCreateNetwork(const tgScene* scene, tgVec3 head, tgVec3 tail, int springs, float core);
void tgDestroyNetwork(tgNetwork* network); ///< NULL is fine
int tgNetwork_GetSpringCount(const tgNetwork* network);
int tgNetwork_GetNodeCount(const tgNetwork* network);
/// Steps in one frame of the last tgNetwork_Advance.
int tgNetwork_GetStepCount(const tgNetwork* network);

/// Stiffness and damping that make its first sideways swing have this frequency and damping ratio.
void tgNetwork_Tune(tgNetwork* network, double frequency, double dampingRatio);
/// All nodes where they belong, and still.
void tgNetwork_Rest(tgNetwork* network);
/// The core moves evenly from one place to another.
void tgNetwork_Advance(tgNetwork* network, const double from[3], const double to[3], double dt);
/// How far vertex v of the skin is from where the core alone would put it.
void tgNetwork_Sample(const tgNetwork* network, int v, double displacement[3]);

#endif
