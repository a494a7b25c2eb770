// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Exponential, sine and arc tangent in double: the same bits on every machine, where those of libm
// differ in the last place.
#ifndef TURGOR_CORE_ELEMENTARY_H
#define TURGOR_CORE_ELEMENTARY_H

/// e^x; 0 below -745, and never more than e^709.
double tgExp(double x);
/// e^x - 1, without losing what is left of a small x.
double tgExpMinusOne(double x);
void tgSineCosine(double x, double* sine, double* cosine);
/// The angle of (x, y) from the x axis, -pi to pi; 0 for the zero vector.
double tgArcTangent(double y, double x);

#endif
