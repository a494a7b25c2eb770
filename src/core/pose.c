// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Stage 1 of the frame: joint transforms to skinning matrices and dual quaternions. A few dozen
// joints, so all of it is in double and rounded to float once.

#include "core/pose.h"

#include "core/polar.h"

#include <math.h>
#include <string.h>

void tgPoseToSkinMatrices(const tgSkeleton* skeleton, const tgMat34* joints, tgMat34d* skinMatrices)
{
    for (int j = 0; j < skeleton->jointCount; ++j) {
        tgMat34d jointToModel = tgMat34d_FromFloat(&joints[j]);
        skinMatrices[j] = tgMat34d_Mul(&jointToModel, &skeleton->restInverse[j]);
    }
}

void tgFillMatrixPalette(const tgMat34d* skinMatrices, int jointCount, float* palette)
{
    for (int j = 0; j < jointCount; ++j) {
        for (int k = 0; k < 4; ++k) {
            float* column = palette + tg_matrixFloats * j + 4 * k;
            for (int i = 0; i < 3; ++i) {
                column[i] = (float)skinMatrices[j].c[k][i];
            }
            column[3] = 0.0f;
        }
    }
}

/// Real part q, dual part t q / 2, with t as a quaternion without scalar part.
static void tgMakeDualQuaternion(const double q[4], const double t[3], double out[8])
{
    double dual[4] = {
        0.5 * (t[0] * q[3] + t[1] * q[2] - t[2] * q[1]),
        0.5 * (t[1] * q[3] + t[2] * q[0] - t[0] * q[2]),
        0.5 * (t[2] * q[3] + t[0] * q[1] - t[1] * q[0]),
        -0.5 * (t[0] * q[0] + t[1] * q[1] + t[2] * q[2]),
    };
    for (int i = 0; i < 4; ++i) {
        out[i] = q[i];
        out[4 + i] = dual[i];
    }
}

/// Where the stretch of the joint that carries it takes a joint. Both then meet there, and the
/// rigid motions after them turn against each other about that very place: a character that is
/// scaled as a whole bends as it does at its own size.
static void tgStretchOrigin(const tgSkeleton* skeleton, int joint, const float* stretch,
                            double out[3])
{
    const double* origin = skeleton->rest[joint].c[3];
    int carrier = skeleton->tree.carriers[joint];
    memcpy(out, origin, 3 * sizeof(double));
    for (int i = 0; i < 3 && carrier >= 0; ++i) {
        const float* m = stretch + tg_matrixFloats * carrier + i;
        out[i] = (double)m[12];
        for (int k = 0; k < 3; ++k) {
            out[i] += (double)m[4 * k] * origin[k];
        }
    }
}

/// The same for one joint, at its place in both arrays, after the one that carries it.
static bool tgSplitSkinMatrix(const tgSkeleton* skeleton, const tgMat34d* skinMatrix, int joint,
                              float* rigid, float* stretch)
{
    const tgMat34d* m = skinMatrix;
    const double* center = skeleton->rest[joint].c[3];
    double rotation[3][3], quat[4], translation[3], at[3], both[tg_dualQuaternionFloats];
    tgMat34d s;
    bool stretched = tgPolarDecompose(m, rotation, s.c);
    tgStretchOrigin(skeleton, joint, stretch, at);
    // S (p - c) + a, then R p + t with the t that makes the two equal m.
    for (int i = 0; i < 3; ++i) {
        double image = m->c[3][i];
        double turned = 0.0;
        s.c[3][i] = at[i];
        for (int k = 0; k < 3; ++k) {
            s.c[3][i] -= s.c[k][i] * center[k];
            image += m->c[k][i] * center[k];
            turned += rotation[k][i] * at[k];
        }
        translation[i] = image - turned;
    }
    tgRotationToQuat((const double(*)[3])rotation, quat);
    tgMakeDualQuaternion(quat, translation, both);
    for (int i = 0; i < tg_dualQuaternionFloats; ++i) {
        rigid[tg_dualQuaternionFloats * joint + i] = (float)both[i];
    }
    tgFillMatrixPalette(&s, 1, stretch + tg_matrixFloats * joint);
    return stretched;
}

bool tgSplitSkinMatrices(const tgSkeleton* skeleton, const tgMat34d* skinMatrices, float* rigid,
                         float* stretch)
{
    bool stretched = false;
    for (int i = 0; i < skeleton->jointCount; ++i) {
        int j = skeleton->tree.order[i];
        stretched |= tgSplitSkinMatrix(skeleton, &skinMatrices[j], j, rigid, stretch);
    }
    return stretched;
}

void tgFillPairPalette(const float* rigid, const tgJointPair* pairs, int pairCount, float* palette)
{
    for (int i = 0; i < pairCount; ++i) {
        const float* pivot = rigid + tg_dualQuaternionFloats * pairs[i].pivot;
        const float* own = rigid + tg_dualQuaternionFloats * pairs[i].joint;
        float* out = palette + tg_dualQuaternionFloats * i;
        float dot =
            (pivot[0] * own[0] + pivot[1] * own[1]) + (pivot[2] * own[2] + pivot[3] * own[3]);
        for (int k = 0; k < tg_dualQuaternionFloats; ++k) {
            out[k] = dot < 0.0f ? -own[k] : own[k];
        }
    }
}

/// From 127 degrees on, to a half turn, dual quaternions fade: the cosine of half of that. From 150
/// on a character that passes the half turn went from one side to the other in steps of 3.9 times
/// those beside them, now 1.9.
static const float tg_guardCosine = 0.45f;
/// Of the blend of both, what a pure bend takes of dual quaternions.
static const float tg_bendShare = 0.35f;

static float tgSmoothStep(float t)
{
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return t * t * (3.0f - 2.0f * t);
}

/// The part of the turn from a to b that is a twist about the axis.
static float tgGetTwistPart(const float a[4], const float b[4], tgVec3 axis)
{
    // Vector part of conj(a) b.
    tgVec3 u = tgMakeVec3(a[0], a[1], a[2]), v = tgMakeVec3(b[0], b[1], b[2]);
    tgVec3 turn = tgSub(tgSub(tgMulSV(a[3], v), tgMulSV(b[3], u)), tgCross(u, v));
    float along = tgDot(turn, axis), squared = tgDot(turn, turn);
    return squared > 1e-12f ? along * along / squared : 0.0f;
}

bool tgFillPairShares(const tgSkeleton* skeleton, const float* rigid, const tgJointPair* pairs,
                      int pairCount, bool twists, tgPairShare* shares)
{
    bool any = false;
    for (int i = 0; i < pairCount; ++i) {
        int pivot = pairs[i].pivot, joint = pairs[i].joint;
        const float* p = rigid + tg_dualQuaternionFloats * pivot;
        const float* q = rigid + tg_dualQuaternionFloats * joint;
        float cosine = fabsf((p[0] * q[0] + p[1] * q[1]) + (p[2] * q[2] + p[3] * q[3]));
        shares[i].allowed = tgSmoothStep(cosine / tg_guardCosine);
        shares[i].wanted = 1.0f;
        if (twists && pivot != joint) {
            const double *from = skeleton->rest[pivot].c[3], *to = skeleton->rest[joint].c[3];
            tgVec3 way = tgMakeVec3((float)(to[0] - from[0]), (float)(to[1] - from[1]),
                                    (float)(to[2] - from[2]));
            float part = tgGetTwistPart(p, q, tgNormalize(way, tgMakeVec3(0, 0, 0)));
            shares[i].wanted = tg_bendShare + (1.0f - tg_bendShare) * part;
        }
        any |= shares[i].allowed < 1.0f || shares[i].wanted < 1.0f;
    }
    return any;
}
