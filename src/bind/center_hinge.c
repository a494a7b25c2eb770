// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Hinge or ball? The rotations of a hinge, q = cos(a/2) + axis sin(a/2), lie in a plane of
// quaternion space, whatever the angles and wherever they start; those of a ball joint do not. So
// the third eigenvalue of sum q q^T tells how much the joint turns about a second axis.

#include "bind/rotation_center.h"
#include "bind/symmetric.h"

/// A joint whose turning about a second axis is less than this fraction of its main one is a hinge;
/// real knees and fingers stay below a tenth.
static const double tg_hingeFraction = 0.12;
/// A variance up to this many times that of its noise is noise: for the second axis of a joint,
/// for what leaves a plane (the parent's own noise is in it too), and for any turning at all.
static const double tg_secondNoise = 1.5, tg_flatNoise = 4.0, tg_turnNoise = 4.0;

typedef struct tgQuatd {
    double w;
    tgVec3d v;
} tgQuatd;

/// Of a rotation by rows, from whichever of the four numbers is largest (Shepperd, 1978).
static tgQuatd tgMakeQuatd(const tgMotion* m)
{
    double xx = m->row[0].x, yy = m->row[1].y, zz = m->row[2].z;
    tgVec3d odd = tgMakeVec3d(m->row[2].y - m->row[1].z, m->row[0].z - m->row[2].x,
                              m->row[1].x - m->row[0].y);
    double xy = m->row[0].y + m->row[1].x, xz = m->row[0].z + m->row[2].x,
           yz = m->row[1].z + m->row[2].y;
    tgQuatd q; // four times one of its numbers times all of them
    if (xx + yy + zz >= fmax(xx, fmax(yy, zz))) {
        q = (tgQuatd){1.0 + xx + yy + zz, odd};
    } else if (xx >= fmax(yy, zz)) {
        q = (tgQuatd){odd.x, {1.0 + xx - yy - zz, xy, xz}};
    } else if (yy >= zz) {
        q = (tgQuatd){odd.y, {xy, 1.0 + yy - xx - zz, yz}};
    } else {
        q = (tgQuatd){odd.z, {xz, yz, 1.0 + zz - xx - yy}};
    }
    double length = sqrt(q.w * q.w + tgDotD(q.v, q.v));
    return (tgQuatd){q.w / length, tgMulSVD(1.0 / length, q.v)};
}

static tgVec3d tgUnitD(tgVec3d v)
{
    double length = tgLengthD(v);
    return length > 0.0 ? tgMulSVD(1.0 / length, v) : tgMakeVec3d(0.0, 0.0, 1.0);
}

tgTurning tgFindTurning(const tgMotion* motions, int count, double noise)
{
    double sums[4][4] = {{0.0}};
    for (int f = 0; f < count; ++f) {
        tgQuatd q = tgMakeQuatd(&motions[f]);
        const double parts[4] = {q.w, q.v.x, q.v.y, q.v.z};
        for (int r = 0; r < 4; ++r) {
            for (int c = 0; c < 4; ++c) {
                sums[r][c] += parts[r] * parts[c] / count;
            }
        }
    }
    tgEigen eigen = tgFindEigen(4, &sums[0][0]);
    // The first two span the hinge's plane: second times the inverse of the first is the axis.
    const double *a = eigen.vectors[0], *b = eigen.vectors[1];
    tgVec3d av = tgMakeVec3d(a[1], a[2], a[3]), bv = tgMakeVec3d(b[1], b[2], b[3]);
    tgVec3d product = tgSubD(tgSubD(tgMulSVD(a[0], bv), tgMulSVD(b[0], av)), tgCrossD(bv, av));
    // Quaternions turn by half the angle: four times an eigenvalue is a variance in radians^2.
    double first = 4.0 * eigen.values[1], second = 4.0 * eigen.values[2];
    double limit = tg_hingeFraction * tg_hingeFraction * first + tg_secondNoise * noise;
    return (tgTurning){tgUnitD(product), second <= limit, first > tg_turnNoise * noise};
}

tgTurning tgFindFlatTurning(const tgCloud* cloud, tgVec3d prior, double noise)
{
    double spread[3][3] = {{0.0}};
    tgMeasureSpread(cloud, spread);
    tgEigen eigen = tgFindEigen(3, &spread[0][0]);
    tgFreedom plane = {.prior = prior, .isHinge = true};
    plane.axis = tgMakeVec3d(eigen.vectors[2][0], eigen.vectors[2][1], eigen.vectors[2][2]);
    // Across the plane there is only noise, which a fit in the plane measures by itself.
    double off = tgMeasureSpheres(cloud, tgFitCenter(cloud, &plane));
    // Noise of the parent's turning swings a marker too, across the plane as well.
    double count = cloud->starts[cloud->markerCount];
    double swing = noise * cloud->radius * cloud->radius;
    double limit = tg_flatNoise * (off + count * swing) + 1e-12 * eigen.values[0];
    return (tgTurning){plane.axis, eigen.values[2] <= limit,
                       eigen.values[0] / count > tg_turnNoise * swing};
}
