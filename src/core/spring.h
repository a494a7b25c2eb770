// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The damped spring y'' = -omega^2 y - 2 beta y', one step of any length at a time.
#ifndef TURGOR_CORE_SPRING_H
#define TURGOR_CORE_SPRING_H

typedef struct tgSpring {
    double omega; ///< radians per second, > 0
    double beta;  ///< decay, per second, 0 or more: half of damping over mass
} tgSpring;

/// One step as a matrix: y1 = yy y0 + yv v0, v1 = vy y0 + vv v0.
typedef struct tgSpringStep {
    double yy, yv, vy, vv;
} tgSpringStep;

/// The exact solution after h seconds: any step is stable, two halves make a whole.
tgSpringStep tgMakeSpringStep(const tgSpring* spring, double h);

/// How far the spring can get from its place from now on: |y|^2 + |v|^2 / omega^2 never grows.
double tgGetSpringReach(const tgSpring* spring, double distanceSquared, double speedSquared);

#endif
