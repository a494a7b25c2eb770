// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Contact over a slow bend of the embedded finger: nothing jumps.

#include "contact_stage.h"
#include "steps.h"

/// A thousandth of the finger's radius: shorter steps cannot be seen.
static const float tg_leastStep = 1e-3f * 0.0099f;

static void tgTestContinuity(void** state)
{
    (void)state;
    static const char* const names[] = {"proximal", "middle", "distal"};
    for (int i = 0; i < 6; ++i) {
        const char* name = names[i >> 1];
        tgVolumeDef none = tgMakeVolume(tg_volumeNone, false);
        tgVolumeDef exact = tgMakeVolume(tg_volumeExact, true);
        tgStage plain = tgMakeStage("finger", 0, (tgSkinning)(i & 1), &none, tg_simdBest);
        tgStage stage = tgMakeStage("finger", 0, (tgSkinning)(i & 1), &exact, tg_simdBest);
        int joint = tgScene_FindJoint(stage.scene, name);
        // The first part: the finger has a nail that lies in it.
        tgRigDef def = tgScene_GetRigDef(stage.scene);
        tgSteps steps[2]; // with contact, plain
        double worst[2] = {0.0, 0.0};
        for (int way = 0; way < 2; ++way) {
            steps[way] = tgOpenSteps(stage.rig, &def, stage.scene->parts[0].faceCount);
        }
        for (int step = -600; step <= 600; ++step) { // by a quarter of a degree
            tgBendJoint(&plain, joint, tgMakeVec3(0.0f, 0.0f, -1.0f), 0.25 * step);
            tgMeetAlone(&stage, &plain, NULL);
            for (int way = 0; way < 2; ++way) {
                tgSteps_Take(&steps[way], way == 0 ? stage.out : plain.out);
                double jump = step > -600 ? tgSteps_FindJump(&steps[way], tg_leastStep) : 0.0;
                worst[way] = fmax(worst[way], jump);
            }
        }
        print_message("%s, skinning %d: largest step %.2f of its neighbours' median, plain %.2f\n",
                      name, i & 1, worst[0], worst[1]);
        CHECK_AT_MOST(worst[0], 3.0);
        tgCloseSteps(&steps[0]);
        tgCloseSteps(&steps[1]);
        tgFreeStage(&plain);
        tgFreeStage(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tgTestContinuity)};
    return cmocka_run_group_tests_name("contact_sweep", tests, NULL, NULL);
}
