// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Weights of corrective targets from joint rotations. A turn is split into the swing of the bone
// and the twist about it, q = swing twist, and told as three numbers x; a target's weight is
//   b + sum over centres c of a exp(-|(x - c) / width|^2 / 2).

#include "turgor/driver.h"

#include "core/gaussian.h"

tgVec3 tgDriver_GetTurn(const tgDriverJoint* joint, tgQuat rotation)
{
    tgQuat back = {-joint->rest.x, -joint->rest.y, -joint->rest.z, joint->rest.w};
    tgQuat q = tgNormalizeQuat(tgMulQuat(back, rotation));
    if (q.w < 0.0f) { // the shorter way round
        q = (tgQuat){-q.x, -q.y, -q.z, -q.w};
    }
    float along = tgDot(tgMakeVec3(q.x, q.y, q.z), joint->axis);
    tgVec3 v = tgMulSV(along, joint->axis);
    tgQuat twist = tgNormalizeQuat((tgQuat){v.x, v.y, v.z, q.w});
    tgQuat swing = tgMulQuat(q, (tgQuat){-twist.x, -twist.y, -twist.z, twist.w});
    return tgMakeVec3(2.0f * (swing.x + twist.x), 2.0f * (swing.y + twist.y),
                      2.0f * (swing.z + twist.z));
}

/// Adds one centre's Gaussian to the weights of its element.
static void tgAddCenter(const tgDriverElement* element, int center, const float* turn,
                        float* weights)
{
    int width = 3 * element->jointCount;
    const float* at = element->centers + center * width;
    float gaussian = (float)tgGetGaussian(width, turn, at, element->widths);
    for (int t = 0; t < element->targetCount; ++t) {
        weights[t] += element->coefficients[t * element->centerCount + center] * gaussian;
    }
}

void tgDriver_GetWeights(const tgDriver* driver, const tgQuat* rotations, float* weights)
{
    for (int e = 0; e < driver->elementCount; ++e) {
        const tgDriverElement* element = &driver->elements[e];
        float* out = weights + element->firstTarget;
        float turn[6];
        for (int j = 0; j < element->jointCount; ++j) {
            int joint = element->joints[j];
            tgVec3 at = tgDriver_GetTurn(&driver->joints[joint], rotations[joint]);
            turn[3 * j] = at.x;
            turn[3 * j + 1] = at.y;
            turn[3 * j + 2] = at.z;
        }
        for (int t = 0; t < element->targetCount; ++t) {
            out[t] = element->biases[t];
        }
        for (int c = 0; c < element->centerCount; ++c) {
            tgAddCenter(element, c, turn, out);
        }
        for (int t = 0; t < element->targetCount; ++t) {
            out[t] = out[t] < 0.0f ? 0.0f : out[t] > 1.0f ? 1.0f : out[t];
        }
    }
}
