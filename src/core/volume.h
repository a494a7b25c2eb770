// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The enclosed volume and its gradient. Positions are four floats for each vertex, the virtual ones
// in the middle of caps included.
#ifndef TURGOR_CORE_VOLUME_H
#define TURGOR_CORE_VOLUME_H

#include "core/kernels.h"
#include "core/mesh.h"
#include "core/parallel.h"

/// Puts the virtual vertices where they belong: the mean of their loop.
void tgPlaceCapCenters(const tgMesh* mesh, float* positions);

/// The same for one loop.
void tgPlaceCapCenter(const tgMesh* mesh, int loop, float* positions);
/// What a loop's middle adds to the gradient of each vertex of the loop.
tgVec3 tgGetCapGradient(const tgMesh* mesh, int loop, const float* positions);
/// Adds that to a gradient of the whole mesh whose virtual vertices are filled in.
void tgSpreadCapGradient(const tgMesh* mesh, float* gradient);

/// Six times the signed volume of the cone from `origin` over a triangle, or over a quad as a
/// bilinear patch.
double tgTriangleCone(const int corners[3], const float* positions, const double origin[3]);
double tgQuadCone(const int corners[4], const float* positions, const double origin[3]);

/// The volume, face by face in double about the mesh's own mean point.
double tgVolume(const tgMesh* mesh, const float* positions);
/// The same by float cones, as a frame can afford it.
/// @param apex a point near the mesh; any will do for a closed surface
double tgQuickVolume(const tgKernels* kernels, const tgMesh* mesh, const float* positions,
                     tgVec3 apex);

/// The faces' shares of the gradient (mesh.h): what gradient and normals are gathered from.
void tgRunFaceSlots(const tgParallel* parallel, const tgKernels* kernels, const tgMesh* mesh,
                    const float* positions, float* slots);

/// dV/dp of all vertices, and of the middles of caps.
/// @param slots scratch: 4 for each slot of the mesh
void tgFillGradient(const tgParallel* parallel, const tgKernels* kernels, const tgMesh* mesh,
                    const float* positions, float* slots, float* gradient);

#endif
