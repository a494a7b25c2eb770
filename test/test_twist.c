// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A twist has no inner side: a bend of a quarter of a degree beside it, to whichever side, must not
// decide where the volume comes back.

#include "shape_stage.h"

static const float tg_length = 8.0f;

/// A limb twisted by 120 degrees and bent by a little, to one side or the other.
static void tgTwistLimb(tgStage* stage, float bend)
{
    tgMat34 joints[2];
    tgBendTube(&stage->shape, tg_length, 0.0f, 0.0, joints);
    tgQuat twist = tgMakeQuat(tgMakeVec3(1.0f, 0.0f, 0.0f), 2.0943951f);
    tgQuat swing = tgMakeQuat(tgMakeVec3(0.0f, 0.0f, 1.0f), bend);
    tgTransform turned = {.position = joints[1].origin,
                          .rotation = tgMulQuat(swing, twist),
                          .scale = {1.0f, 1.0f, 1.0f}};
    joints[1] = tgMakeMat34(turned);
    tgPlay(stage, joints, 0.0f);
}

static tgStage tgMakeTwisted(const tgVolumeDef* volume, float bend)
{
    tgStage stage = tgMakeStage(tgMakeTube(32, 65, tg_length, 3.0f, 5.0f, true), tg_linear, volume);
    tgTwistLimb(&stage, bend);
    return stage;
}

static void tgTestNoInnerSide(void** state)
{
    (void)state;
    const float bend = 0.004f;
    for (int kind = tg_profileOrganic; kind < tg_profileCurves; ++kind) {
        tgProfile profile = tgDefaultProfile((tgProfileKind)kind);
        tgVolumeDef exact = tgDefaultRigDef().volume, none = exact;
        exact.method = tg_volumeExact;
        exact.profiles = &profile;
        exact.profileCount = 1;
        tgStage left = tgMakeTwisted(&exact, bend), right = tgMakeTwisted(&exact, -bend);
        tgStage plainLeft = tgMakeTwisted(&none, bend), plainRight = tgMakeTwisted(&none, -bend);
        double moved = 0.0, apart = 0.0;
        for (int v = 0; v < left.shape.vertexCount; ++v) {
            tgVec3 a = tgSub(left.out[v], plainLeft.out[v]);
            tgVec3 b = tgSub(right.out[v], plainRight.out[v]);
            moved = fmax(moved, (double)tgLength(a));
            apart = fmax(apart, (double)tgDistance(a, b));
        }
        print_message("kind %d: moved %.4f, bent to the other side %.1e apart\n", kind, moved,
                      apart);
        CHECK_AT_MOST(0.05, moved);
        CHECK_AT_MOST(apart, 0.05 * moved);
        tgFreeStage(&left);
        tgFreeStage(&right);
        tgFreeStage(&plainLeft);
        tgFreeStage(&plainRight);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tgTestNoInnerSide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
