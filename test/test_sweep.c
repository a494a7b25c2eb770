// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Gains and losses of shoulders meet; those of tubes, of linear blends and of profiles that were
// asked for stay where they are. The whole stays the same.

#include "check.h"
#include "core/correct.h"

enum { tg_jointCount = 4 };

typedef struct tgBody {
    tgLimb limbs[tg_jointCount];
    tgProfile organic, rubber;
    tgLimbs all;
    bool bends[tg_jointCount];
    double losses[tg_jointCount];
    double metGains[tg_jointCount], metLosses[tg_jointCount];
    tgCorrectTask task;
} tgBody;

static void tgMakeBody(tgBody* body, const float balances[tg_jointCount],
                       const double losses[tg_jointCount])
{
    *body = (tgBody){.organic = tgDefaultProfile(tg_profileOrganic, true),
                     .rubber = tgDefaultProfile(tg_profileRubber, true)};
    for (int i = 0; i < tg_jointCount; ++i) {
        body->limbs[i] =
            (tgLimb){.balance = balances[i], .profileCount = 1, .profiles = &body->organic};
        body->bends[i] = true;
        body->losses[i] = losses[i];
    }
    body->all = (tgLimbs){.count = tg_jointCount, .limbs = body->limbs};
    body->task.metGains = body->metGains;
    body->task.metLosses = body->metLosses;
    body->task.loss = (tgLossTask){
        .limbs = &body->all, .dualQuaternion = true, .bends = body->bends, .losses = body->losses};
}

/// What is left of all four, checked against their sum.
static void tgMeet(tgBody* body, double unmet[tg_jointCount])
{
    double before = 0.0, after = 0.0;
    tgMeetSweeps(&body->task);
    for (int i = 0; i < tg_jointCount; ++i) {
        unmet[i] = tgGetUnmet(&body->task, i);
        before += body->bends[i] ? body->losses[i] : 0.0;
        after += body->bends[i] ? unmet[i] : 0.0;
    }
    CHECK_NEAR(after, before, 1e-15);
}

static void tgTestShoulders(void** state)
{
    (void)state;
    const float balances[tg_jointCount] = {0.0f, 0.0f, 0.0f, 1.0f};
    const double losses[tg_jointCount] = {3.0, -1.0, -1.0, -5.0};
    tgBody body;
    double unmet[tg_jointCount];
    tgMakeBody(&body, balances, losses);
    tgMeet(&body, unmet);
    // Two of the three are met; the tube keeps what it lost.
    CHECK_NEAR(unmet[0], 1.0, 1e-15);
    CHECK_NEAR(unmet[1], 0.0, 1e-15);
    CHECK_NEAR(unmet[2], 0.0, 1e-15);
    CHECK_NEAR(unmet[3], -5.0, 0.0);
    body.bends[1] = false;
    tgMeet(&body, unmet);
    CHECK_NEAR(unmet[0], 2.0, 1e-15);
}

/// Two bodies in one file: what one gains is not what the other lost.
static void tgTestBodies(void** state)
{
    (void)state;
    const float balances[tg_jointCount] = {0.0f, 0.0f, 0.0f, 0.0f};
    const double losses[tg_jointCount] = {3.0, -1.0, -4.0, 1.0};
    tgBody body;
    double unmet[tg_jointCount];
    tgMakeBody(&body, balances, losses);
    body.limbs[2].kin = body.limbs[3].kin = 2;
    tgMeet(&body, unmet);
    CHECK_NEAR(unmet[0], 2.0, 1e-15);
    CHECK_NEAR(unmet[1], 0.0, 1e-15);
    CHECK_NEAR(unmet[2], -3.0, 1e-15);
    CHECK_NEAR(unmet[3], 0.0, 1e-15);
}

/// Of 1 - b^4 of its loss a joint asks the others.
static void tgTestBalance(void** state)
{
    (void)state;
    const float balances[tg_jointCount] = {0.5f, 0.0f, 1.0f, 1.0f};
    const double losses[tg_jointCount] = {16.0, -30.0, 0.0, 0.0};
    tgBody body;
    double unmet[tg_jointCount];
    tgMakeBody(&body, balances, losses);
    tgMeet(&body, unmet);
    CHECK_NEAR(unmet[0], 1.0, 1e-14);
    CHECK_NEAR(unmet[1], -15.0, 1e-14);
}

static void tgTestKept(void** state)
{
    (void)state;
    const float balances[tg_jointCount] = {0.0f, 0.0f, 0.0f, 0.0f};
    const double losses[tg_jointCount] = {2.0, -2.0, -1.0, -1.0};
    tgBody body;
    double unmet[tg_jointCount];
    tgMakeBody(&body, balances, losses);
    body.task.loss.dualQuaternion = false;
    tgMeet(&body, unmet);
    assert_memory_equal(unmet, losses, sizeof(losses));
    body.task.loss.dualQuaternion = true;
    body.limbs[0].profiles = &body.rubber;
    body.limbs[1].profileCount = 0;
    tgMeet(&body, unmet);
    assert_memory_equal(unmet, losses, sizeof(losses));
}

/// As gains pass losses nothing jumps.
static void tgTestPassing(void** state)
{
    (void)state;
    const float balances[tg_jointCount] = {0.1f, 0.2f, 0.3f, 0.9f};
    double last[tg_jointCount];
    for (int step = 0; step <= 400; ++step) {
        const double losses[tg_jointCount] = {0.01 * step, -1.0, 1.0 - 0.01 * step, -0.5};
        tgBody body;
        double unmet[tg_jointCount];
        tgMakeBody(&body, balances, losses);
        tgMeet(&body, unmet);
        for (int i = 0; i < tg_jointCount && step > 0; ++i) {
            CHECK_AT_MOST(fabs(unmet[i] - last[i]), 0.03);
        }
        memcpy(last, unmet, sizeof(last));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestShoulders), cmocka_unit_test(tgTestBodies),
        cmocka_unit_test(tgTestBalance),   cmocka_unit_test(tgTestKept),
        cmocka_unit_test(tgTestPassing),
    };
    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
