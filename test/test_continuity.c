// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Nothing jumps: a sweep of one joint from -150 to 150 degrees, all presets, in steps of a quarter
// of a degree on cylinder, arm and finger, without contact and with it; and where two joints pass
// 180 degrees of each other.

#include "actor.h"
#include "steps.h"
#include "turgor/models.h"

static const double tg_degree = 3.14159265358979323846 / 180.0;

/// A character whose joints turn, and how far its vertices step.
typedef struct tgSweep {
    tgScene* scene;
    tgActor actor;
    tgSteps steps;
    tgMat34* joints;
    float leastStep; ///< shorter ones cannot be seen: a ten-thousandth of the diagonal
} tgSweep;

static tgSweep tgOpenSweep(const char* model, tgSkinning skinning, const tgProfile* profile,
                           bool contact)
{
    tgSweep sweep = {.scene = tgCreateModel(model, 0, NULL)};
    assert_non_null(sweep.scene);
    tgRigDef def = tgScene_GetRigDef(sweep.scene);
    def.skinning = skinning;
    def.volume = tgMakeExact(contact ? tg_contactOn : tg_contactOff);
    def.volume.profiles = profile;
    def.volume.profileCount = 1;
    sweep.actor = tgMakeActor(&def);
    sweep.steps = tgOpenSteps(sweep.actor.rig, &def, def.faceCount);
    sweep.joints = calloc((size_t)def.jointCount, sizeof(tgMat34));
    sweep.leastStep = 1e-4f * tgRig_GetInfo(sweep.actor.rig).restDiagonal;
    return sweep;
}

static void tgCloseSweep(tgSweep* sweep)
{
    free(sweep->joints);
    tgCloseSteps(&sweep->steps);
    tgFreeActor(&sweep->actor);
    tgDestroyScene(sweep->scene);
}

/// Turns one joint about an axis through it, what it carries with it, and takes the step there.
static void tgTurnJoint(tgSweep* sweep, int joint, tgVec3 axis, double angle)
{
    tgMat34 motion = tgTurnAbout(sweep->scene->joints[joint].restJoint.origin, axis, angle);
    for (int j = 0; j < sweep->scene->jointCount; ++j) {
        int up = j;
        while (up >= 0 && up != joint) {
            up = sweep->scene->joints[up].parent;
        }
        const tgMat34* rest = &sweep->scene->joints[j].restJoint;
        sweep->joints[j] = up == joint ? tgMulMat34(&motion, rest) : *rest;
    }
    tgActor_Play(&sweep->actor, sweep->joints);
    tgSteps_Take(&sweep->steps, sweep->actor.out);
}

/// The largest step over its neighbours' median.
static const tgBar tg_sweepBar = {3.0, 3.05};

static void tgTestSweep(void** state)
{
    (void)state;
    static const struct {
        const char *model, *joint;
        tgVec3 axis;
    } limbs[] = {{"cylinder", NULL, {0, 0, 1}},
                 {"arm", "forearm", {0, 0, 1}},
                 {"finger", "middle", {0, 0, -1}}};
    int missed = 0;
    for (int way = 0; way < 2 * 3 * (tg_profileBelly + 2); ++way) { // the last is anatomic
        int kind = way / 6, which = way / 2 % 3;
        bool contact = way & 1, isAnatomic = kind > (int)tg_profileBelly;
        tgSkinning skinning = (tgSkinning)((kind + which) % 3);
        tgProfile profile = tgDefaultProfile(isAnatomic ? tg_profileOrganic : (tgProfileKind)kind);
        profile.drift = isAnatomic ? 0.8f : 0.0f;
        tgSweep sweep = tgOpenSweep(limbs[which].model, skinning, &profile, contact);
        int joint =
            limbs[which].joint != NULL ? tgScene_FindJoint(sweep.scene, limbs[which].joint) : 1;
        double worst = 0.0;
        for (int i = -600; i <= 600; ++i) {
            tgTurnJoint(&sweep, joint, limbs[which].axis, 0.25 * i * tg_degree);
            worst = i > -600 ? fmax(worst, tgSteps_FindJump(&sweep.steps, sweep.leastStep)) : worst;
        }
        char what[128];
        snprintf(
            what, sizeof(what),
            "%s, profile %d, skinning %d, contact %d: largest step over its neighbours' median",
            limbs[which].model, kind, skinning, contact);
        missed += tgMissBar(what, worst, tg_sweepBar);
        tgCloseSweep(&sweep);
    }
    assert_int_equal(missed, 0);
}

enum { tg_halfTurnSteps = 200 };

/// Dual quaternions and the blend: from 170 to 190 degrees no step of a vertex stands out of its
/// others.
static void tgTestHalfTurn(void** state)
{
    (void)state;
    for (int way = 0; way < 6; ++way) {
        tgProfile profile = tgDefaultProfile(tg_profileOrganic);
        tgSweep sweep =
            tgOpenSweep("cylinder", way & 1 ? tg_blend : tg_dualQuaternion, &profile, false);
        tgVec3 axis = tgNormalize(tgMakeVec3((float)(way / 2), 0.0f, 1.0f), tgMakeVec3(0, 0, 1));
        int count = sweep.scene->vertexCount;
        float* all = calloc((size_t)count * tg_halfTurnSteps, sizeof(float)); // by vertices
        for (int i = 0; i <= tg_halfTurnSteps; ++i) {
            tgTurnJoint(&sweep, 1, axis, (170.0 + 20.0 * i / tg_halfTurnSteps) * tg_degree);
            for (int v = 0; i > 0 && v < count; ++v) {
                all[v * tg_halfTurnSteps + i - 1] = sweep.steps.lengths[v];
            }
        }
        double ratio = 0.0;
        for (int v = 0; v < count; ++v) {
            float* own = all + v * tg_halfTurnSteps;
            float median = fmaxf(tgFindMedian(own, tg_halfTurnSteps), sweep.leastStep);
            ratio = fmax(ratio, (double)(own[tg_halfTurnSteps - 1] / median));
        }
        free(all);
        print_message("170 to 190 degrees, axis %d, skinning %d: largest step %.2f of the median\n",
                      way / 2, way & 1 ? tg_blend : tg_dualQuaternion, ratio);
        CHECK_AT_MOST(ratio, 2.0);
        tgCloseSweep(&sweep);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestSweep),
        cmocka_unit_test(tgTestHalfTurn),
    };
    return cmocka_run_group_tests_name("continuity", tests, NULL, NULL);
}
