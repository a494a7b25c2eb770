// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What every skeleton that is found must be, and a body to find one in.
#ifndef TURGOR_TEST_AUTORIG_CHECKS_H
#define TURGOR_TEST_AUTORIG_CHECKS_H

#include "cell_body.h"
#include "check.h"

/// Standing, arms out, looking along z. Without the last two it has no feet.
static const tgStick tg_figure[] = {
    {{0.0f, 0.9f, 0.0f}, {0.0f, 1.4f, 0.0f}, 0.16f},   // trunk
    {{0.0f, 1.4f, 0.0f}, {0.0f, 1.65f, 0.0f}, 0.07f},  // neck
    {{0.0f, 1.72f, 0.0f}, {0.0f, 1.78f, 0.0f}, 0.14f}, // head
    {{0.1f, 1.42f, 0.0f}, {0.8f, 1.42f, 0.0f}, 0.07f}, // arms
    {{-0.1f, 1.42f, 0.0f}, {-0.8f, 1.42f, 0.0f}, 0.07f},
    {{0.12f, 0.9f, 0.0f}, {0.14f, 0.06f, 0.0f}, 0.08f}, // legs
    {{-0.12f, 0.9f, 0.0f}, {-0.14f, 0.06f, 0.0f}, 0.08f},
    {{0.14f, 0.06f, 0.0f}, {0.14f, 0.05f, 0.2f}, 0.06f}, // feet
    {{-0.14f, 0.06f, 0.0f}, {-0.14f, 0.05f, 0.2f}, 0.06f},
};
enum { tg_figureCount = sizeof(tg_figure) / sizeof(tg_figure[0]), tg_footlessCount = 7 };

/// Parents first and one root, names once, all finite, the mirror of the mirror is the joint
/// itself.
static inline void tgCheckSound(const tgAutorig* rig)
{
    assert_true(rig->jointCount > 0);
    for (int j = 0; j < rig->jointCount; ++j) {
        const tgAutorigJoint* joint = &rig->joints[j];
        assert_true(tgIsFiniteVec3(joint->position) && tgIsFiniteVec3(joint->tail));
        assert_true(j == 0 ? joint->parent == -1 : joint->parent >= 0 && joint->parent < j);
        assert_true(strlen(joint->name) > 0);
        for (int k = 0; k < j; ++k) {
            assert_string_not_equal(joint->name, rig->joints[k].name);
        }
        if (joint->mirror >= 0) {
            assert_int_equal(rig->joints[joint->mirror].mirror, j);
        }
    }
    for (int i = 0; i < rig->tipCount; ++i) {
        assert_true(isfinite(rig->tips[i].length) && tgIsFiniteVec3(rig->tips[i].position));
    }
}

/// A sound skeleton that there must be.
/// @param what in messages
static inline tgAutorig* tgMustFindRig(const tgAutorigDef* def, const char* what)
{
    tgError error = {0};
    tgAutorig* rig = tgCreateAutorig(def, &error);
    if (rig == NULL) {
        print_error("%s: %s\n", what, error.message);
    }
    assert_non_null(rig);
    tgCheckSound(rig);
    return rig;
}

/// Partners exactly across the plane x = 0.
/// @return joints that have one
static inline int tgCheckPartners(const tgAutorig* rig)
{
    int count = 0;
    for (int j = 0; j < rig->jointCount; ++j) {
        if (rig->joints[j].mirror >= 0) {
            tgVec3 p = rig->joints[j].position, q = rig->joints[rig->joints[j].mirror].position;
            assert_true(p.x == -q.x && p.y == q.y && p.z == q.z);
            count += 1;
        }
    }
    return count;
}

static inline bool tgIsPlaneX(const tgAutorig* rig)
{
    return rig->hasPlane && rig->planeNormal.x == 1.0f && rig->planePoint.x == 0.0f;
}

#endif
