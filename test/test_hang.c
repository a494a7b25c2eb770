// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Who carries whom, by the flesh: skeletons laid flat are found again, joints that the rig hangs
// elsewhere lose what they lose in a rig that does not, and good skeletons stay as they are.

#include "check.h"
#include "core/rig.h"
#include "turgor/io.h"
#include "turgor/models.h"

static tgRig* tgMakeRig(const tgScene* scene, const int* parents)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    if (parents != NULL) {
        def.jointParents = parents;
        def.jointParentStride = sizeof(int);
    }
    def.volume.method = tg_volumeExact;
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    return rig;
}

/// Joints that move some skin; the others may hang anywhere.
static bool* tgFindFleshy(const tgScene* scene)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    bool* fleshy = calloc((size_t)scene->jointCount, sizeof(bool));
    for (int i = 0; i < scene->vertexCount * def.influencesPerVertex; ++i) {
        fleshy[def.influenceJoints[i]] |= def.influenceWeights[i] > 0.0f;
    }
    return fleshy;
}

static void tgCheckCarriers(const char* name, const tgScene* scene, const tgRig* rig,
                            const int* carriers)
{
    bool* fleshy = tgFindFleshy(scene);
    for (int j = 0; j < scene->jointCount; ++j) {
        int found = rig->skeleton.flesh.carriers[j];
        if (fleshy[j] && carriers[j] >= 0 && found != carriers[j]) {
            print_error("%s: %s hangs on %s, wanted %s\n", name, scene->joints[j].name,
                        found >= 0 ? scene->joints[found].name : "nothing",
                        scene->joints[carriers[j]].name);
            fail();
        }
    }
    free(fleshy);
}

/// Every joint a root of its own, as hands are in some headsets: the skin tells the chains.
static void tgTestFlat(void** state)
{
    (void)state;
    static const char* const names[] = {"cylinder", "arm", "finger", "hand"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        tgScene* scene = tgCreateModel(names[i], 0, NULL);
        assert_non_null(scene);
        int* flat = calloc((size_t)scene->jointCount, sizeof(int));
        int* parents = calloc((size_t)scene->jointCount, sizeof(int));
        for (int j = 0; j < scene->jointCount; ++j) {
            flat[j] = -1;
            parents[j] = scene->joints[j].parent;
        }
        tgRig* rig = tgMakeRig(scene, flat);
        tgCheckCarriers(names[i], scene, rig, parents);
        tgDestroyRig(rig);
        free(flat);
        free(parents);
        tgDestroyScene(scene);
    }
}

/// What the rigger hung well stays.
static void tgTestGood(void** state)
{
    (void)state;
    int count;
    const tgModelInfo* models = tgGetModels(&count);
    for (int i = 0; i < count; ++i) {
        tgScene* scene = tgCreateModel(models[i].name, 0, NULL);
        assert_non_null(scene);
        tgRig* rig = tgMakeRig(scene, NULL);
        tgCheckCarriers(models[i].name, scene, rig, rig->skeleton.tree.carriers);
        tgDestroyRig(rig);
        tgDestroyScene(scene);
    }
}

/// The elephant sits down, its feet hanging on the root as goals of their legs. Each joint is given
/// back what it loses in the rig whose feet hang on their legs.
static void tgTestGoals(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("elephant", 0, NULL);
    assert_non_null(scene);
    int* parents = calloc((size_t)scene->jointCount, sizeof(int));
    int moved = 0;
    for (int j = 0; j < scene->jointCount; ++j) {
        bool isFoot = strstr(scene->joints[j].name, "foot") != NULL;
        parents[j] = isFoot ? 0 : scene->joints[j].parent;
        moved += isFoot;
    }
    assert_int_equal(moved, 4);
    tgRig* rigs[2] = {tgMakeRig(scene, NULL), tgMakeRig(scene, parents)};
    tgInstanceDef def = tgDefaultInstanceDef();
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    tgScene_SamplePose(scene, 0, 2.0, nodes, joints, NULL);
    double losses[2] = {0.0, 0.0};
    for (int i = 0; i < 2; ++i) {
        tgInstance* instance = tgCreateInstance(rigs[i], &def, NULL);
        tgPose pose = {.joints = joints, .jointCount = scene->jointCount};
        assert_int_equal(tgInstance_Deform(instance, &pose, (tgVec3Span){0}, (tgVec3Span){0}, NULL),
                         0);
        tgReport report = tgInstance_GetReport(instance);
        for (int k = 0; k < report.lossCount; ++k) {
            losses[i] += fabs(report.losses[k].loss);
        }
        tgDestroyInstance(instance);
    }
    assert_true(losses[0] > 0.0);
    print_message("losses sum to %.4f of the volume, with goals %.4f\n",
                  losses[0] / tgRig_GetInfo(rigs[0]).restVolume,
                  losses[1] / tgRig_GetInfo(rigs[1]).restVolume);
    CHECK_NEAR(losses[1] / losses[0], 1.0, 1e-3);
    tgDestroyRig(rigs[0]);
    tgDestroyRig(rigs[1]);
    free(nodes);
    free(joints);
    free(parents);
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestFlat),
        cmocka_unit_test(tgTestGood),
        cmocka_unit_test(tgTestGoals),
    };
    return cmocka_run_group_tests_name("hang", tests, NULL, NULL);
}
