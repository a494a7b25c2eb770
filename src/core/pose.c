// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Stage 1 of the frame: joint transforms to skinning matrices and dual quaternions. A few dozen
// joints, so all of it is in double and rounded to float once.

#include "core/pose.h"

#include "core/polar.h"

#include <math.h>
#include <string.h>

/// Bones that are longer or shorter by less than this part of them are as long as at rest.
static const double tg_restSlop = 1e-5;

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

void tgRigidToDualQuaternion(const tgMat34d* motion, double out[tg_dualQuaternionFloats])
{
    double quat[4];
    tgRotationToQuat(motion->c, quat);
    tgMakeDualQuaternion(quat, motion->c[3], out);
}

/// Adds the product a b of quaternions.
static void tgAddQuatProduct(const double a[4], const float b[4], double out[4])
{
    double x = (double)b[0], y = (double)b[1], z = (double)b[2], w = (double)b[3];
    out[0] += a[3] * x + a[0] * w + a[1] * z - a[2] * y;
    out[1] += a[3] * y - a[0] * z + a[1] * w + a[2] * x;
    out[2] += a[3] * z + a[0] * y - a[1] * x + a[2] * w;
    out[3] += a[3] * w - a[0] * x - a[1] * y - a[2] * z;
}

void tgMulDualQuaternions(const double a[tg_dualQuaternionFloats], const float* b, float* out)
{
    double real[4] = {0.0}, dual[4] = {0.0};
    tgAddQuatProduct(a, b, real);
    tgAddQuatProduct(a, b + 4, dual);
    tgAddQuatProduct(a + 4, b, dual);
    for (int i = 0; i < 4; ++i) {
        out[i] = (float)real[i];
        out[4 + i] = (float)dual[i];
    }
}

/// Where the stretch of the joint that carries it takes a joint. Both then meet there, and the
/// rigid motions after them turn against each other about that very place: a character that is
/// scaled as a whole bends as it does at its own size.
static void tgStretchOrigin(const tgSkeleton* skeleton, int joint, const float* stretch,
                            double out[3])
{
    const double* origin = skeleton->rest[joint].c[3];
    int carrier = skeleton->flesh.carriers[joint];
    memcpy(out, origin, 3 * sizeof(double));
    for (int i = 0; i < 3 && carrier >= 0; ++i) {
        const float* m = stretch + tg_matrixFloats * carrier + i;
        out[i] = (double)m[12];
        for (int k = 0; k < 3; ++k) {
            out[i] += (double)m[4 * k] * origin[k];
        }
    }
}

bool tgSplitSkinMatrix(const tgSkeleton* skeleton, const tgMat34d* skinMatrix, int joint,
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
        int j = skeleton->flesh.order[i];
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

/// Joint to parent, now. Under a parent that is scaled to nothing there is no telling: rest.
static tgMat34d tgGetLocal(const tgSkeleton* skeleton, const tgMat34* joints, int j)
{
    tgMat34d jointToModel = tgMat34d_FromFloat(&joints[j]);
    int parent = skeleton->hungOn[j];
    if (parent < 0) {
        return jointToModel;
    }
    tgMat34d parentToModel = tgMat34d_FromFloat(&joints[parent]);
    tgMat34d modelToParent;
    if (!tgMat34d_Invert(&parentToModel, &modelToParent)) {
        return skeleton->restLocal[j];
    }
    return tgMat34d_Mul(&modelToParent, &jointToModel);
}

/// How far a joint has slid out along the way it stands from its parent at rest. Only that
/// stretches the character. What goes sideways is travel: rigs whose joints hang side by side under
/// one root and follow each other by animated translations would else be torn apart here.
static void tgStretchOffset(const double rest[3], const double now[3], double out[3])
{
    double squared = rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2];
    double along = rest[0] * now[0] + rest[1] * now[1] + rest[2] * now[2];
    for (int i = 0; i < 3; ++i) {
        out[i] = squared > 0.0 ? rest[i] * (along / squared) : now[i];
    }
}

/// Rest rotation, scale of now; length of now unless the joint is a root.
static tgMat34d tgUnrotate(const tgMat34d* local, const tgMat34d* restLocal, bool isRoot)
{
    double restRotation[3][3], restStretch[3][3], rotation[3][3], stretch[3][3];
    tgPolarDecompose(restLocal, restRotation, restStretch);
    tgPolarDecompose(local, rotation, stretch);
    tgMat34d r;
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            r.c[k][i] = restRotation[0][i] * stretch[k][0] + restRotation[1][i] * stretch[k][1] +
                        restRotation[2][i] * stretch[k][2];
        }
    }
    tgStretchOffset(restLocal->c[3], isRoot ? restLocal->c[3] : local->c[3], r.c[3]);
    return r;
}

bool tgIsRestTarget(const tgSkeleton* skeleton, const tgMat34d* skinMatrices)
{
    for (int j = 0; j < skeleton->jointCount; ++j) {
        if (!tgIsRotation(&skinMatrices[j])) {
            return false;
        }
        int parent = skeleton->hungOn[j];
        if (parent < 0) {
            continue;
        }
        // How far the joint left the place its parent carries it to, along the bone between them.
        const tgMat34d* own = &skinMatrices[j];
        const tgMat34d* carried = &skinMatrices[parent];
        const double* origin = skeleton->rest[j].c[3];
        double along = 0.0, squared = 0.0;
        for (int i = 0; i < 3; ++i) {
            double slid = own->c[3][i] - carried->c[3][i], bone = 0.0;
            for (int k = 0; k < 3; ++k) {
                slid += (own->c[k][i] - carried->c[k][i]) * origin[k];
                bone += carried->c[k][i] * (origin[k] - skeleton->rest[parent].c[3][k]);
            }
            along += slid * bone;
            squared += bone * bone;
        }
        if (!(fabs(along) <= tg_restSlop * squared)) {
            return false;
        }
    }
    return true;
}

void tgPoseToTargetMatrices(const tgSkeleton* skeleton, const tgMat34* joints,
                            tgMat34d* targetJoints, tgMat34d* skinMatrices)
{
    for (int i = 0; i < skeleton->jointCount; ++i) {
        int j = skeleton->flesh.order[i];
        int parent = skeleton->hungOn[j];
        tgMat34d local = tgGetLocal(skeleton, joints, j);
        tgMat34d target = tgUnrotate(&local, &skeleton->restLocal[j], parent < 0);
        int first = skeleton->flesh.carriers[j];
        for (int k = 0; k < 3 && parent < 0 && first >= 0; ++k) {
            // Roots beside the first stand where its scale takes them.
            const tgMat34d* m = &skinMatrices[first];
            const double* origin = skeleton->rest[j].c[3];
            target.c[3][k] = m->c[0][k] * origin[0] + m->c[1][k] * origin[1] +
                             m->c[2][k] * origin[2] + m->c[3][k];
        }
        targetJoints[j] = parent < 0 ? target : tgMat34d_Mul(&targetJoints[parent], &target);
        skinMatrices[j] = tgMat34d_Mul(&targetJoints[j], &skeleton->restInverse[j]);
    }
}
