// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Faces that a deformation turned inside out: the posed vector area of a face against its rest one,
// turned by the rotations of its corners' joints blended with their weights. The same for every
// skinning, so that their counts compare.

#include "play/flips.h"

#include "core/core.h"
#include "core/polar.h"

#include <stdlib.h>

/// Twice the vector area of a polygon, seen from its first corner.
static tgVec3 tgGetFaceArea(const tgVec3* positions, const int* corners, int size)
{
    tgVec3 area = {0.0f, 0.0f, 0.0f};
    tgVec3 origin = positions[corners[0]];
    for (int k = 1; k + 1 < size; ++k) {
        area = tgAdd(area, tgCross(tgSub(positions[corners[k]], origin),
                                   tgSub(positions[corners[k + 1]], origin)));
    }
    return area;
}

tgResult tgOpenFlipCounter(const tgScene* scene, tgFlipCounter* counter, tgError* error)
{
    *counter = (tgFlipCounter){.scene = scene};
    counter->turns = calloc((size_t)scene->jointCount + 1, sizeof(tgQuat));
    counter->normals = calloc((size_t)scene->faceCount + 1, sizeof(tgVec3));
    if (counter->turns == NULL || counter->normals == NULL) {
        tgCloseFlipCounter(counter);
        return tgFail(error, tg_outOfMemory, -1, "out of memory for %d faces", scene->faceCount);
    }
    return tg_success;
}

void tgCloseFlipCounter(tgFlipCounter* counter)
{
    free(counter->turns);
    free(counter->normals);
    *counter = (tgFlipCounter){.scene = NULL};
}

/// The rotation of a joint since the bind pose, without its scale.
static tgQuat tgGetTurn(const tgMat34* restJoint, const tgMat34* joint)
{
    tgMat34d rest = tgMat34d_FromFloat(restJoint), posed = tgMat34d_FromFloat(joint), inverse;
    if (!tgMat34d_Invert(&rest, &inverse)) {
        return tgIdentityQuat();
    }
    tgMat34d skin = tgMat34d_Mul(&posed, &inverse);
    double rotation[3][3], stretch[3][3], q[4];
    tgPolarDecompose(&skin, rotation, stretch);
    tgRotationToQuat(rotation, q);
    return (tgQuat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

/// Adds w q to the sum, on the side of the sphere that the sum is on.
static void tgAddTurn(tgQuat* sum, tgQuat q, float w)
{
    float side = sum->x * q.x + sum->y * q.y + sum->z * q.z + sum->w * q.w;
    w = side < 0.0f ? -w : w;
    *sum = (tgQuat){sum->x + w * q.x, sum->y + w * q.y, sum->z + w * q.z, sum->w + w * q.w};
}

static tgQuat tgBlendTurns(const tgFlipCounter* counter, const int* corners, int size)
{
    const tgScene* scene = counter->scene;
    tgQuat sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < size; ++k) {
        size_t first = (size_t)corners[k] * (size_t)scene->influencesPerVertex;
        for (int i = 0; i < scene->influencesPerVertex; ++i) {
            float w = scene->influenceWeights[first + (size_t)i];
            if (w > 0.0f) {
                tgAddTurn(&sum, counter->turns[scene->influenceJoints[first + (size_t)i]], w);
            }
        }
    }
    return tgNormalizeQuat(sum);
}

void tgFlipCounter_SetPose(tgFlipCounter* counter, const tgMat34* joints)
{
    const tgScene* scene = counter->scene;
    for (int j = 0; j < scene->jointCount; ++j) {
        counter->turns[j] = tgGetTurn(&scene->joints[j].restJoint, &joints[j]);
    }
    const int* corners = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; ++f) {
        int size = scene->faceSizes[f];
        counter->normals[f] = tgRotate(tgBlendTurns(counter, corners, size),
                                       tgGetFaceArea(scene->positions, corners, size));
        corners += size;
    }
}

int tgFlipCounter_Mark(const tgFlipCounter* counter, const tgVec3* positions, uint8_t* marks)
{
    const tgScene* scene = counter->scene;
    const int* corners = scene->faceVertices;
    int count = 0;
    for (int f = 0; f < scene->faceCount; ++f) {
        int size = scene->faceSizes[f];
        bool isTurned = tgDot(tgGetFaceArea(positions, corners, size), counter->normals[f]) < 0.0f;
        count += isTurned;
        if (marks != NULL) {
            marks[f] = isTurned;
        }
        corners += size;
    }
    return count;
}

int tgFlipCounter_Count(const tgFlipCounter* counter, const tgVec3* positions)
{
    return tgFlipCounter_Mark(counter, positions, NULL);
}
