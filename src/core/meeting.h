// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the contact stage and the anatomical shape hand to their inner loops (kernels_limb.inl).
#ifndef TURGOR_CORE_MEETING_H
#define TURGOR_CORE_MEETING_H

#include "core/anatomy.h"
#include "core/plane.h"

/// 0 up to 0, 1 from 1 on, smooth in between.
static inline __attribute__((always_inline)) float tgSmoothstep(float t)
{
    t = t > 0.0f ? t : 0.0f;
    t = t < 1.0f ? t : 1.0f;
    return t * t * (3.0f - 2.0f * t);
}

/// A plane in this frame. Heights are over the scale of its bodies: as at rest.
typedef struct tgPlanePose {
    float sine;             ///< of half the bend
    float scale;            ///< of the bodies since the bind pose
    float inverseScale;     ///< 1 over that
    float strength;         ///< 1, less where the bodies fold flat
    tgVec3 normal;          ///< unit vector
    tgVec3 inner;           ///< in the plane, to the inner side; as long as the sine
    float offset;           ///< of the plane: normal . place
    float innerOffset;      ///< inner . place
    float overCrease;       ///< 1 over the way from the limb's middle into the crease
    float overInner;        ///< 1 over the limb's radius along `inner`
    tgVec3 normalAtRest[2]; ///< the plane as each body sees it in the bind pose
    float offsetAtRest[2];
} tgPlanePose;

/// Vertices that are looked at together.
enum { tg_meetingSize = 64 };

typedef struct tgMeetingTask {
    const tgPlanePose* pose;
    const tgPlaneVertices* vertices;
    const float* rest;
    const float* movable; ///< NULL: all 1
    float* positions;
    float* freedom; ///< may be NULL
    float* near;    ///< out, of each vertex: 0 to 1, how near it is to the plane
} tgMeetingTask;

/// A joint's swing in this frame, seen from the bind pose.
typedef struct tgBend {
    float swing;       ///< s
    float cosine;      ///< of half the swing
    float strength;    ///< 1, less where the limb folds flat
    float inner[2][2]; ///< unit vectors along p and q: to the inner side as the parent's body has
                       ///< it, and as the joint's own does
    float offset;      ///< o
} tgBend;

/// The coefficients of the closed form.
typedef struct tgShape {
    float drift, banana, oval, crease, widen, wedge, slide, shear;
} tgShape;

/// The bisecting plane.
typedef struct tgFoldPlane {
    tgVec3 normal;
    float offset;
    float unit;       ///< the limb's radius in this frame
    float overUnit;   ///< 1 over that
    tgVec3 atRest[2]; ///< the plane as the parent's body and the own one see it in the bind pose
    float offsetAtRest[2];
} tgFoldPlane;

/// A joint of the anatomy in this frame.
typedef struct tgAnatomyPose {
    bool isBent; ///< else flesh stays as it is
    tgBend bend;
    tgFoldPlane plane; ///< for tgClampFolds alone
} tgAnatomyPose;

typedef struct tgShapeTask {
    const tgAnatomyVertices* vertices;
    tgBend bend;
    tgShape shape;
    float p[4], q[4], n[4]; ///< the limb's axes, as long as its radius times the amplitude
    float* shaped;          ///< 4 for each element
} tgShapeTask;

/// Where the limb twists, the inner side turns with the weights from one body's to the other's. Two
/// steps to 1 / sqrt(squared), which is 1 without a twist. Where both sides point away from each
/// other there is no inner side, and what comes out is short.
static inline void tgGetInner(const tgBend* bend, float own, float inner[2])
{
    float p = bend->inner[0][0] + own * (bend->inner[1][0] - bend->inner[0][0]);
    float q = bend->inner[0][1] + own * (bend->inner[1][1] - bend->inner[0][1]);
    float squared = p * p + q * q, over = 1.5f - 0.5f * squared;
    over *= 1.5f - 0.5f * squared * over * over;
    inner[0] = over * p;
    inner[1] = over * q;
}

#endif
