// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The cylinder: its faces, and its volume under plain linear skinning against the closed form.

#include "model_checks.h"
#include "turgor/models.h"

enum { tg_maxTestJoints = 64 };

/// Plain linear skinning with every joint turned about +z by `angle` against its parent.
static double tgBendVolume(const tgScene* scene, double angle)
{
    tgMat34 skins[tg_maxTestJoints], posed[tg_maxTestJoints];
    for (int j = 0; j < scene->jointCount; ++j) {
        tgTransform local = tgIdentityTransform();
        local.position = scene->joints[j].restJoint.origin;
        int parent = scene->joints[j].parent;
        if (parent >= 0) {
            local.position = tgSub(local.position, scene->joints[parent].restJoint.origin);
            local.rotation = tgMakeQuat(tgMakeVec3(0.0f, 0.0f, 1.0f), (float)angle);
        }
        posed[j] = tgMakeMat34(local);
        if (parent >= 0) {
            posed[j] = tgMulMat34(&posed[parent], &posed[j]);
        }
        tgMat34 inverse = tgIdentityMat34();
        assert_true(tgInvertMat34(&scene->joints[j].restJoint, &inverse));
        skins[j] = tgMulMat34(&posed[j], &inverse);
    }
    tgVec3* p = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    for (int v = 0; v < scene->vertexCount; ++v) {
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            int i = v * scene->influencesPerVertex + k;
            tgVec3 moved = tgMulMatPoint(&skins[scene->influenceJoints[i]], scene->positions[v]);
            p[v] = tgMulAdd(p[v], scene->influenceWeights[i], moved);
        }
    }
    double volume = tgTestVolume(scene, p);
    free(p);
    return volume;
}

static void tgTestCylinderLaw(void** state)
{
    (void)state;
    for (int smooth = 0; smooth < 2; ++smooth) {
        for (int offset = -1; offset < 2; ++offset) {
            for (int quads = 0; quads < 2; ++quads) {
                tgCylinderDef def = tgDefaultCylinderDef();
                def.ringCount = 801;
                def.smooth = smooth != 0;
                def.quads = quads != 0;
                def.boneOffset = 0.3f * (float)offset;
                tgScene* scene = tgCreateCylinder(&def, NULL);
                assert_non_null(scene);
                double rest = tgTestVolume(scene, scene->positions);
                // The mean over the length of w (1 - w).
                double mean = (smooth != 0 ? 9.0 / 70.0 : 1.0 / 6.0) * 2.0 / 8.0;
                for (int degrees = 10; degrees <= 150; degrees += 35) {
                    double angle = degrees * 3.14159265358979323846 / 180.0;
                    double half = sin(0.5 * angle);
                    double law = -2.0 * half * half * mean - 0.3 * offset / 8.0 * sin(angle);
                    CHECK_NEAR(tgBendVolume(scene, angle) / rest - 1.0, law, 1e-5);
                }
                tgDestroyScene(scene);
            }
        }
    }
}

/// The 2008 paper's table: 0.2, 4 and 11 % lost at 10, 50 and 90 degrees.
static void tgTestCylinderTable(void** state)
{
    (void)state;
    tgCylinderDef def = tgDefaultCylinderDef();
    def.smooth = false;
    def.ringCount = 401;
    def.blendLength = 0.66f * def.length;
    tgScene* scene = tgCreateCylinder(&def, NULL);
    assert_non_null(scene);
    double rest = tgTestVolume(scene, scene->positions);
    const double degree = 3.14159265358979323846 / 180.0;
    CHECK_NEAR(tgBendVolume(scene, 10.0 * degree) / rest - 1.0, -0.002, 0.0005);
    CHECK_NEAR(tgBendVolume(scene, 50.0 * degree) / rest - 1.0, -0.04, 0.002);
    CHECK_NEAR(tgBendVolume(scene, 90.0 * degree) / rest - 1.0, -0.11, 0.001);
    tgDestroyScene(scene);
}

static void tgTestCylinderShapes(void** state)
{
    (void)state;
    for (int around = 3; around <= 9; ++around) {
        for (int quads = 0; quads < 2; ++quads) {
            tgCylinderDef def = tgDefaultCylinderDef();
            def.aroundCount = around;
            def.quads = quads != 0;
            def.boneCount = 5;
            tgScene* scene = tgCreateCylinder(&def, NULL);
            assert_non_null(scene);
            assert_int_equal(scene->vertexCount, 16 * around);
            assert_int_equal(tgCountBadEdges(scene), 0);
            assert_int_equal(tgCountBadFaces(scene), 0);
            tgCheckWeights(scene);
            tgCheckAnimations(scene);
            // A prism over a regular polygon.
            double area = 0.5 * around * sin(2.0 * 3.14159265358979323846 / around);
            CHECK_NEAR(tgTestVolume(scene, scene->positions) / (8.0 * area), 1.0, 1e-6);
            CHECK_NEAR(scene->joints[2].restJoint.origin.x, 2.0 * 8.0 / 5.0, 1e-5);
            tgDestroyScene(scene);

            def.capped = false;
            scene = tgCreateCylinder(&def, NULL);
            assert_non_null(scene);
            assert_int_equal(tgCountBadEdges(scene), 2 * around);
            tgDestroyScene(scene);
        }
    }
}

static void tgTestPapersCylinder(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("cylinder", 0, NULL);
    assert_non_null(scene);
    assert_int_equal(scene->vertexCount, 256);
    assert_int_equal(scene->jointCount, 2);
    const tgChannel* channel = &scene->animations[0].channels[0];
    const float* middle = &channel->values[4 * (channel->keyCount / 2)];
    CHECK_NEAR(2.0 * atan2((double)middle[2], (double)middle[3]), 0.5 * 3.14159265, 1e-5);
    CHECK_NEAR(scene->animations[0].end, 2.0, 0.0);
    tgDestroyScene(scene);
}

static void tgTestBadCylinders(void** state)
{
    (void)state;
    tgError error = {0};
    tgCylinderDef def = {0};
    assert_null(tgCreateCylinder(&def, &error));
    CHECK_CONTAINS(error.message, "tgDefaultCylinderDef");
    assert_null(tgCreateCylinder(NULL, &error));
    def = tgDefaultCylinderDef();
    def.radius = NAN;
    assert_null(tgCreateCylinder(&def, &error));
    def = tgDefaultCylinderDef();
    def.boneCount = 1;
    assert_null(tgCreateCylinder(&def, &error));
    CHECK_CONTAINS(error.message, "1 bones");
    def = tgDefaultCylinderDef();
    def.ringCount = 1;
    assert_null(tgCreateCylinder(&def, &error));
    def = tgDefaultCylinderDef();
    def.blendLength = 9.0f;
    assert_null(tgCreateCylinder(&def, &error));
    CHECK_CONTAINS(error.message, "9");
    def = tgDefaultCylinderDef();
    def.bendDegrees = INFINITY;
    assert_null(tgCreateCylinder(&def, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestCylinderLaw),    cmocka_unit_test(tgTestCylinderTable),
        cmocka_unit_test(tgTestCylinderShapes), cmocka_unit_test(tgTestPapersCylinder),
        cmocka_unit_test(tgTestBadCylinders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
