// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The symmetrical fit, SCoRE (Ehrig, Taylor, Duda and Heller, 2006): the point c in the parent and
// the point d in the child that stay closest together, sum |c - (R d + t)|^2 over all frames, R and
// t being the child's motion in the parent's frame. Linear in both, six unknowns.

#include "bind/rotation_center.h"
#include "bind/symmetric.h"

static double tgGetComponent(tgVec3d v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

/// Where the prior goes, less the prior: what c and d, both counted from the prior, must make up.
static tgVec3d tgFindOffset(const tgMotion* motion, tgVec3d prior)
{
    return tgSubD(tgMotion_Apply(motion, prior), prior);
}

tgVec3d tgFitTwoSided(const tgMotion* motions, int count, const tgFreedom* freedom,
                      double* residual)
{
    // [ n I   -sum R ] [c]   [  sum offset     ]
    // [ -sum R^T  n I] [d] = [ -sum R^T offset ]
    double matrix[6][6] = {{0.0}}, right[6] = {0.0}, x[6];
    for (int f = 0; f < count; ++f) {
        tgVec3d offset = tgFindOffset(&motions[f], freedom->prior);
        tgVec3d back = tgMotion_TurnBack(&motions[f], offset);
        for (int i = 0; i < 3; ++i) {
            matrix[i][i] += 1.0;
            matrix[3 + i][3 + i] += 1.0;
            right[i] += tgGetComponent(offset, i);
            right[3 + i] -= tgGetComponent(back, i);
            for (int k = 0; k < 3; ++k) {
                double entry = tgGetComponent(motions[f].row[i], k);
                matrix[i][3 + k] -= entry;
                matrix[3 + k][i] -= entry;
            }
        }
    }
    // A hinge leaves c and d free to slide along its axis together: the smallest eigenvalue.
    tgEigen eigen = tgFindEigen(6, &matrix[0][0]);
    tgEigen_Solve(&eigen, freedom->isHinge ? 5 : 6, right, x);
    tgVec3d inParent = tgMakeVec3d(x[0], x[1], x[2]), inChild = tgMakeVec3d(x[3], x[4], x[5]);
    double sum = 0.0;
    for (int f = 0; f < count; ++f) {
        tgVec3d moved =
            tgAddD(tgFindOffset(&motions[f], freedom->prior), tgMotion_Turn(&motions[f], inChild));
        tgVec3d apart = tgSubD(inParent, moved);
        sum += tgDotD(apart, apart);
    }
    *residual = sqrt(sum / count);
    return tgAddD(freedom->prior, inParent);
}
