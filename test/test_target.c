// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume to keep: rotations leave it alone. Every joint of every character, embedded or by
// others, is turned about its own origin by 30, 90 and 150 degrees about three axes, its children
// with it; then all joints at once, by anything. Characters with many joints: as many of these as
// time allows, spread evenly. Skipped in words for characters that are not there.

#include "assets.h"
#include "model_checks.h"
#include "random.h"

/// Poses of one joint for each character; more are left out evenly.
enum { tg_mostPoses = 600, tg_anglesPerJoint = 9, tg_wildPoses = 12 };

/// Joints in double, so that the rotations that go in are rotations to the last bit of float.
typedef struct tgMotion {
    double axes[3][3]; ///< columns
    double origin[3];
} tgMotion;

static void tgTurnVector(const tgMotion* m, const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = m->axes[0][i] * v[0] + m->axes[1][i] * v[1] + m->axes[2][i] * v[2];
    }
}

static tgMotion tgMulMotion(const tgMotion* a, const tgMotion* b)
{
    tgMotion r;
    for (int c = 0; c < 3; ++c) {
        tgTurnVector(a, b->axes[c], r.axes[c]);
    }
    tgTurnVector(a, b->origin, r.origin);
    for (int i = 0; i < 3; ++i) {
        r.origin[i] += a->origin[i];
    }
    return r;
}

static tgMotion tgFromMat34(const tgMat34* m)
{
    const tgVec3 columns[3] = {m->x, m->y, m->z};
    tgMotion r;
    for (int c = 0; c < 3; ++c) {
        r.axes[c][0] = (double)columns[c].x;
        r.axes[c][1] = (double)columns[c].y;
        r.axes[c][2] = (double)columns[c].z;
    }
    r.origin[0] = (double)m->origin.x;
    r.origin[1] = (double)m->origin.y;
    r.origin[2] = (double)m->origin.z;
    return r;
}

static tgVec3 tgRound(const double v[3])
{
    return tgMakeVec3((float)v[0], (float)v[1], (float)v[2]);
}

/// By an angle about an axis through a point: Rodrigues' formula.
static tgMotion tgMakeTurn(const double axis[3], double angle, tgVec3 point)
{
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double k[3] = {axis[0] / length, axis[1] / length, axis[2] / length};
    tgMotion r;
    for (int c = 0; c < 3; ++c) {
        const double unit[3] = {c == 0, c == 1, c == 2};
        const double cross[3] = {k[1] * unit[2] - k[2] * unit[1], k[2] * unit[0] - k[0] * unit[2],
                                 k[0] * unit[1] - k[1] * unit[0]};
        for (int i = 0; i < 3; ++i) {
            r.axes[c][i] =
                unit[i] * cos(angle) + cross[i] * sin(angle) + k[i] * k[c] * (1.0 - cos(angle));
        }
    }
    const double p[3] = {(double)point.x, (double)point.y, (double)point.z};
    double turned[3];
    tgTurnVector(&r, p, turned);
    for (int i = 0; i < 3; ++i) {
        r.origin[i] = p[i] - turned[i];
    }
    return r;
}

typedef struct tgStage {
    const tgScene* scene;
    tgRig* rig;
    tgInstance* instance;
    tgMotion *turns, *motions; ///< of each joint: its own, and with its parents'
    bool* hasTurn;
    tgMat34* joints;
} tgStage;

/// Joints after their turns; children follow.
/// @return |target / bind volume - 1|
static double tgMeasureTarget(tgStage* stage)
{
    const tgScene* scene = stage->scene;
    for (int j = 0; j < scene->jointCount; ++j) {
        int parent = scene->joints[j].parent;
        const double none[3] = {1.0, 0.0, 0.0};
        tgMotion own = stage->hasTurn[j] ? stage->turns[j]
                                         : tgMakeTurn(none, 0.0, tgMakeVec3(0.0f, 0.0f, 0.0f));
        stage->motions[j] = parent >= 0 ? tgMulMotion(&stage->motions[parent], &own) : own;
        tgMotion rest = tgFromMat34(&scene->joints[j].restJoint);
        tgMotion posed = tgMulMotion(&stage->motions[j], &rest);
        stage->joints[j] = (tgMat34){tgRound(posed.axes[0]), tgRound(posed.axes[1]),
                                     tgRound(posed.axes[2]), tgRound(posed.origin)};
    }
    tgPose pose = {.joints = stage->joints, .jointCount = scene->jointCount};
    tgError error = {0};
    tgResult result =
        tgInstance_Deform(stage->instance, &pose, (tgVec3Span){0}, (tgVec3Span){0}, &error);
    if (result != tg_success) {
        print_error("%s\n", error.message);
    }
    assert_int_equal(result, tg_success);
    tgVolumeReport volume = tgInstance_MeasureVolume(stage->instance);
    return fabs(volume.target / volume.rest - 1.0);
}

/// One joint alone. The worst of all comes back, told which.
static double tgTurnEach(tgStage* stage, char* which, size_t size)
{
    static const double axes[3][3] = {{1.0, 0.2, 0.1}, {0.1, 1.0, 0.3}, {0.3, 0.1, 1.0}};
    static const double degrees[3] = {30.0, 90.0, 150.0};
    const tgScene* scene = stage->scene;
    int count = tg_anglesPerJoint * scene->jointCount;
    double step = count > tg_mostPoses ? (double)count / tg_mostPoses : 1.0, worst = 0.0;
    for (int i = 0; (int)(i * step) < count; ++i) {
        int k = (int)(i * step), j = k / tg_anglesPerJoint;
        memset(stage->hasTurn, 0, (size_t)scene->jointCount * sizeof(bool));
        stage->hasTurn[j] = true;
        double angle = degrees[k % 3] * 3.14159265358979323846 / 180.0;
        tgVec3 origin = scene->joints[j].restJoint.origin;
        stage->turns[j] = tgMakeTurn(axes[k / 3 % 3], angle, origin);
        double change = tgMeasureTarget(stage);
        if (change > worst) {
            worst = change;
            snprintf(which, size, "%s by %g degrees", scene->joints[j].name, degrees[k % 3]);
        }
    }
    return worst;
}

/// All joints at once, each by up to 150 degrees about any axis.
static double tgTurnAll(tgStage* stage)
{
    unsigned random = 1;
    double worst = 0.0;
    for (int i = 0; i < tg_wildPoses; ++i) {
        for (int j = 0; j < stage->scene->jointCount; ++j) {
            const double axis[3] = {tgNextSigned(&random), tgNextSigned(&random),
                                    1.5 + tgNextSigned(&random)};
            double angle = 2.6 * tgNextSigned(&random);
            stage->hasTurn[j] = true;
            stage->turns[j] = tgMakeTurn(axis, angle, stage->scene->joints[j].restJoint.origin);
        }
        worst = fmax(worst, tgMeasureTarget(stage));
    }
    return worst;
}

static int tg_missCount; ///< characters whose target moves

static void tgCheckTarget(const char* name, const tgScene* scene)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    def.volume.method = tg_volumeExact;
    tgStage stage = {.scene = scene, .rig = tgCreateRig(&def, NULL)};
    assert_non_null(stage.rig);
    if (!tgRig_GetInfo(stage.rig).isFlat) {
        tgInstanceDef instanceDef = tgDefaultInstanceDef();
        stage.instance = tgCreateInstance(stage.rig, &instanceDef, NULL);
        size_t joints = (size_t)scene->jointCount;
        stage.turns = calloc(joints, sizeof(tgMotion));
        stage.motions = calloc(joints, sizeof(tgMotion));
        stage.hasTurn = calloc(joints, sizeof(bool));
        stage.joints = calloc(joints, sizeof(tgMat34));
        char which[128] = "none";
        double each = tgTurnEach(&stage, which, sizeof(which)), all = tgTurnAll(&stage);
        bool missed = !(fmax(each, all) <= 1e-6);
        tg_missCount += missed;
        print_message("%-26s one joint %.1e (%s), all joints %.1e%s\n", name, each, which, all,
                      missed ? " MISSED" : "");
        free(stage.turns);
        free(stage.motions);
        free(stage.hasTurn);
        free(stage.joints);
        tgDestroyInstance(stage.instance);
    }
    tgDestroyRig(stage.rig);
}

static void tgTestEmbedded(void** state)
{
    (void)state;
    tg_missCount = 0;
    tgCheckModels(tgCheckTarget);
    assert_int_equal(tg_missCount, 0);
}

static void tgTestOthers(void** state)
{
    (void)state;
    tg_missCount = 0;
    tgCheckAssets(tg_characters, tg_usualCharacterCount, tgCheckTarget);
    assert_int_equal(tg_missCount, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestEmbedded),
        cmocka_unit_test(tgTestOthers),
    };
    return cmocka_run_group_tests_name("target", tests, NULL, NULL);
}
