// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The digits of a right hand that stands on its wrist, fingers up along +y and a little spread,
// palm to +z, thumb at +x. Lengths between joint centres are those of an adult man. Metres.

#include "models/hand.h"

#include "models/angles.h"

static const float tg_degree = 3.14159265f / 180.0f;

const tgDigit tg_digits[tg_digitCount] = {
    // The thumb stands out of the palm's plane and is turned: its pad looks across the palm.
    {.joints = {"thumb_metacarpal", "thumb_proximal", "thumb_distal"},
     .base = {0.0215f, 0.0690f, 0.0080f},
     .knuckle = {0.0500f, 0.1000f, 0.0260f},
     .along = {0.4506f, 0.8211f, 0.3505f},
     .palmar = {-0.7497f, 0.1501f, 0.6445f},
     .lengths = {0.0f, 0.0350f, 0.0300f},
     .curls = {0.0f, 4.0f, 10.0f},
     .radius = 0.0106f},
    {.joints = {"index_metacarpal", "index_proximal", "index_middle", "index_distal"},
     .base = {0.0175f, 0.0765f, -0.0020f},
     .knuckle = {0.0305f, 0.1440f, -0.0020f},
     .along = {0.1219f, 0.9925f, 0.0f},
     .palmar = {0.0f, 0.0f, 1.0f},
     .lengths = {0.0f, 0.0450f, 0.0265f, 0.0245f},
     .curls = {0.0f, 6.0f, 10.0f, 7.0f},
     .radius = 0.0094f},
    {.joints = {"middle_metacarpal", "middle_proximal", "middle_middle", "middle_distal"},
     .base = {0.0058f, 0.0775f, -0.0040f},
     .knuckle = {0.0098f, 0.1465f, -0.0045f},
     .along = {0.0209f, 0.9998f, 0.0f},
     .palmar = {0.0f, 0.0f, 1.0f},
     .lengths = {0.0f, 0.0500f, 0.0305f, 0.0255f},
     .curls = {0.0f, 7.0f, 11.0f, 7.0f},
     .radius = 0.0096f},
    {.joints = {"ring_metacarpal", "ring_proximal", "ring_middle", "ring_distal"},
     .base = {-0.0058f, 0.0770f, -0.0035f},
     .knuckle = {-0.0105f, 0.1400f, -0.0035f},
     .along = {-0.0872f, 0.9962f, 0.0f},
     .palmar = {0.0f, 0.0f, 1.0f},
     .lengths = {0.0f, 0.0465f, 0.0290f, 0.0250f},
     .curls = {0.0f, 9.0f, 12.0f, 8.0f},
     .radius = 0.0090f},
    {.joints = {"little_metacarpal", "little_proximal", "little_middle", "little_distal"},
     .base = {-0.0172f, 0.0755f, -0.0010f},
     .knuckle = {-0.0295f, 0.1300f, 0.0000f},
     .along = {-0.2250f, 0.9744f, 0.0f},
     .palmar = {0.0f, 0.0f, 1.0f},
     .lengths = {0.0f, 0.0370f, 0.0215f, 0.0220f},
     .curls = {0.0f, 11.0f, 13.0f, 8.0f},
     .radius = 0.0080f},
};

int tgDigit_GetSegmentCount(const tgDigit* digit)
{
    int count = 0;
    while (digit->joints[count] != NULL) {
        count += 1;
    }
    return count;
}

tgVec3 tgDigit_GetHinge(const tgDigit* digit)
{
    return tgNormalize(tgCross(digit->along, digit->palmar), tgMakeVec3(1.0f, 0.0f, 0.0f));
}

/// How far a segment is turned towards the pad at rest, with all those before it; radians.
static float tgGetCurl(const tgDigit* digit, int segment)
{
    float sum = 0.0f;
    for (int i = 1; i <= segment; ++i) {
        sum += tg_degree * digit->curls[i];
    }
    return sum;
}

static tgVec3 tgGetDirection(const tgDigit* digit, int segment)
{
    if (segment == 0) {
        return tgNormalize(tgSub(digit->knuckle, digit->base), digit->along);
    }
    float curl = tgGetCurl(digit, segment);
    return tgMulAdd(tgMulSV(tgCos(curl), digit->along), tgSin(curl), digit->palmar);
}

tgVec3 tgDigit_GetDorsal(const tgDigit* digit, int segment)
{
    // Across the segment, in the plane in which the digit bends.
    return tgNormalize(tgCross(tgGetDirection(digit, segment), tgDigit_GetHinge(digit)),
                       tgMulSV(-1.0f, digit->palmar));
}

tgVec3 tgDigit_GetJoint(const tgDigit* digit, int segment)
{
    tgVec3 joint = segment > 0 ? digit->knuckle : digit->base;
    for (int i = 1; i < segment; ++i) {
        joint = tgMulAdd(joint, digit->lengths[i], tgGetDirection(digit, i));
    }
    return joint;
}

tgVec3 tgDigit_Place(const tgDigit* digit, int segment, float t, float dorsal)
{
    tgVec3 p = tgLerp(tgDigit_GetJoint(digit, segment), tgDigit_GetJoint(digit, segment + 1), t);
    return tgMulAdd(p, dorsal, tgDigit_GetDorsal(digit, segment));
}
