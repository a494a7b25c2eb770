// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The exact method on the embedded characters and on other people's: in every frame looked at the
// volume is the target, for all profiles in turn, all blends, with contact and without; nothing is
// NaN; losses sum to the whole change. Skipped in words for characters that are not there.

#include "actor.h"
#include "assets.h"
#include "model_checks.h"

static tgActor tgMakeSkin(const tgScene* scene, tgSkinning skinning, const tgVolumeDef* volume)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    def.skinning = skinning;
    def.volume = *volume;
    return tgMakeActor(&def);
}

/// Worst of the frames looked at.
typedef struct tgTally {
    double volume; ///< |result - target|
    double losses; ///< |target - plain - sum of the losses|
    double away;   ///< |target / rest - 1|
} tgTally;

static tgTally tgRunWay(const tgScene* scene, const tgProfile* profile, tgSkinning skinning,
                        tgContactChoice contact, int frameCount)
{
    tgTally tally = {0};
    tgVolumeDef none = tgDefaultRigDef().volume, exact = tgMakeExact(contact);
    exact.profiles = profile;
    exact.profileCount = 1;
    tgActor plain = tgMakeSkin(scene, skinning, &none);
    tgActor kept = tgMakeSkin(scene, skinning, &exact);
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    int all = tgScene_GetFrameCount(scene, 0, 30.0);
    for (int i = 0; i < frameCount; ++i) {
        int f = (int)((double)all * (i + 0.5) / frameCount);
        tgScene_SamplePose(scene, 0, tgScene_GetFrameTime(scene, 0, 30.0, f), nodes, joints, NULL);
        tgActor_Play(&plain, joints);
        tgActor_Play(&kept, joints);
        tgVolumeReport volume = tgInstance_MeasureVolume(kept.instance);
        tgReport report = tgInstance_GetReport(kept.instance);
        double error = fabs(volume.result - volume.target);
        tally.volume = fmax(tally.volume, error / fabs(volume.target));
        tally.away = fmax(tally.away, fabs(volume.target / volume.rest - 1.0));
        double lost = volume.target - tgInstance_MeasureVolume(plain.instance).result;
        for (int k = 0; k < report.lossCount; ++k) {
            lost += report.losses[k].loss;
        }
        tally.losses = fmax(tally.losses, fabs(lost / volume.target));
        for (int v = 0; v < scene->vertexCount; ++v) {
            assert_true(tgIsFiniteVec3(kept.out[v]));
        }
    }
    free(nodes);
    free(joints);
    tgFreeActor(&plain);
    tgFreeActor(&kept);
    return tally;
}

static void tgRunCharacter(const char* name, const tgScene* scene)
{
    static int turn = 0; // each character has other profiles
    tgTally worst = {0};
    int frames = (int)(40000.0 / TURGOR_FRAME_STEP / scene->vertexCount) + 2;
    frames = frames > 12 ? 12 : frames;
    bool isLarge = scene->vertexCount > 20000 || TURGOR_FRAME_STEP > 1;
    for (int way = 0; way < (isLarge ? 6 : 12); ++way) {
        bool isPlain = way % 2 == 0; // organic, then one that is chosen
        tgProfile profile = tgDefaultProfile(
            isPlain ? tg_profileOrganic : (tgProfileKind)(1 + turn++ % tg_profileBelly));
        tgTally tally = tgRunWay(scene, &profile, (tgSkinning)(way / 2 % 3),
                                 way < 6 ? tg_contactAuto : tg_contactOff, frames);
        CHECK_AT_MOST(tally.volume, 1e-6);
        worst.volume = fmax(worst.volume, tally.volume);
        worst.away = fmax(worst.away, tally.away);
        if (way >= 6) { // with contact what that added is told as a loss, too
            worst.losses = fmax(worst.losses, tally.losses);
        }
    }
    print_message("%-26s volume %.1e, losses %.1e, target %.1e from the bind volume\n", name,
                  worst.volume, worst.losses, worst.away);
    CHECK_AT_MOST(worst.losses, 1e-5);
}

static void tgTestEmbedded(void** state)
{
    (void)state;
    tgCheckModels(tgRunCharacter);
}

static void tgTestOthers(void** state)
{
    (void)state;
    tgCheckAssets(tg_characters, tg_characterCount, tgRunCharacter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestEmbedded),
        cmocka_unit_test(tgTestOthers),
    };
    return cmocka_run_group_tests_name("volume_assets", tests, NULL, NULL);
}
