// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The .bvh reader: the skeleton, channels in any order against rotations by hand, and messages with
// line numbers.

#include "read_text.h"

#include "io/motion_bvh.h"
#include "turgor/io.h"

static const char tg_arm[] = "HIERARCHY\n"
                             "ROOT Hips\n"
                             "{\n"
                             "  OFFSET 0 10 0\n"
                             "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
                             "Yrotation\n"
                             "  JOINT Left Arm {\n"
                             "    OFFSET 1 2 3\n"
                             "    CHANNELS 3 Yrotation Zrotation Xrotation\n"
                             "    End Site\n"
                             "    {\n"
                             "      OFFSET 0 5 0\n"
                             "    }\n"
                             "  }\n"
                             "  JOINT Tail\n"
                             "  {\n"
                             "    offset -1 0 0\n"
                             "    channels 0\n"
                             "  }\n"
                             "}\n"
                             "MOTION\n"
                             "Frames: 2\n"
                             "Frame Time: 0.025\n"
                             "0 10 0 0 0 0 0 0 0\n"
                             "1 11 2 90 0 0 30 40 50\n";

static tgScene* tgMustRead(const char* text)
{
    return tgMustReadText(tgImportBvhMemory, text);
}

static void tgMustFail(const char* text, const char* fragment)
{
    tgMustFailText(tgImportBvhMemory, text, fragment);
}

static void tgTestSkeleton(void** state)
{
    (void)state;
    tgScene* scene = tgMustRead(tg_arm);
    assert_int_equal(scene->vertexCount, 0);
    assert_int_equal(scene->jointCount, 3);
    assert_int_equal(scene->nodeCount, 4);
    assert_string_equal(scene->joints[1].name, "Left Arm");
    assert_string_equal(scene->nodes[2].name, "Left Arm_end");
    assert_int_equal(scene->nodes[2].parent, 1);
    assert_int_equal(scene->joints[2].parent, 0);
    assert_int_equal(scene->joints[2].node, 3);
    CHECK_NEAR(scene->joints[1].restJoint.origin.y, 12.0, 1e-6);
    CHECK_NEAR(scene->joints[2].restJoint.origin.x, -1.0, 1e-6);
    assert_int_equal(scene->warningCount, 0);
    tgDestroyScene(scene);
}

/// Column-major 3 x 3 rotation about one axis, by hand.
static void tgTurn(double m[9], int axis, double degrees)
{
    double a = degrees * 3.14159265358979323846 / 180.0;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double r[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, product[9] = {0};
    r[3 * u + u] = cos(a);
    r[3 * u + v] = sin(a);
    r[3 * v + u] = -sin(a);
    r[3 * v + v] = cos(a);
    for (int c = 0; c < 3; ++c) {
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                product[3 * c + i] += m[3 * k + i] * r[3 * c + k];
            }
        }
    }
    memcpy(m, product, sizeof(product));
}

static void tgTestMotion(void** state)
{
    (void)state;
    tgScene* scene = tgMustRead(tg_arm);
    assert_int_equal(scene->animationCount, 1);
    CHECK_NEAR(scene->animations[0].end, 0.025, 1e-6);
    tgMat34 nodes[4], joints[3];
    tgScene_SamplePose(scene, 0, 0.0, nodes, joints, NULL);
    CHECK_NEAR(joints[1].origin.y, 12.0, 1e-5);
    tgScene_SamplePose(scene, 0, 0.025, nodes, joints, NULL);
    // The root stands at its position channels, turned by 90 degrees about z.
    CHECK_NEAR(joints[0].origin.x, 1.0, 1e-5);
    CHECK_NEAR(joints[0].origin.y, 11.0, 1e-5);
    CHECK_NEAR(joints[1].origin.x, 1.0 - 2.0, 1e-5);
    CHECK_NEAR(joints[1].origin.y, 11.0 + 1.0, 1e-5);
    CHECK_NEAR(joints[1].origin.z, 2.0 + 3.0, 1e-5);
    double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    tgTurn(m, 2, 90.0);
    tgTurn(m, 1, 30.0);
    tgTurn(m, 2, 40.0);
    tgTurn(m, 0, 50.0);
    const float* found = &joints[1].x.x;
    for (int i = 0; i < 9; ++i) {
        CHECK_NEAR(found[i], m[i], 1e-5);
    }
    tgDestroyScene(scene);
}

static void tgTestForms(void** state)
{
    (void)state;
    // Windows line ends, several roots, no motion, no end site.
    tgScene* scene =
        tgMustRead("HIERARCHY\r\nROOT a{\r\nOFFSET 0 0 0\r\n}\r\nROOT b\r\n{ OFFSET 1 0 0 "
                   "}\r\n");
    assert_int_equal(scene->jointCount, 2);
    assert_int_equal(scene->joints[1].parent, -1);
    assert_int_equal(scene->animationCount, 0);
    tgDestroyScene(scene);
    scene =
        tgMustRead("HIERARCHY ROOT a\n{ OFFSET 0 0 0 CHANNELS 1 Xrotation }\nMOTION\nFrames: 3\n"
                   "Frame Time: 1\n5\n\n6\n");
    assert_int_equal(scene->warningCount, 1);
    CHECK_CONTAINS(scene->warnings[0], "says it has 3 frames, found 2");
    assert_int_equal(scene->animations[0].channels[0].keyCount, 2);
    tgDestroyScene(scene);
}

static void tgTestErrors(void** state)
{
    (void)state;
    tgMustFail("", "line 1: expected HIERARCHY");
    tgMustFail("HIERARCHY\nJOINT a", "line 2: expected ROOT, found \"JOINT\"");
    tgMustFail("HIERARCHY\nROOT\n{", "line 2: expected the joint's name");
    tgMustFail("HIERARCHY\nROOT a\nOFFSET", "line 3: expected {");
    tgMustFail("HIERARCHY\nROOT a\n{\nOFFSET 0 zero 0\n}", "line 4: expected the OFFSET's y");
    tgMustFail("HIERARCHY\nROOT a\n{\nCHANNELS 7\n}", "line 4: expected a number of channels");
    tgMustFail("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Wrotation\n}", "line 5: expected a");
    tgMustFail("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Xrotation\n}",
               "each once");
    tgMustFail("HIERARCHY\nROOT a\n{\n}", "line 4: expected an OFFSET");
    tgMustFail("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n", "found \"\"");
    tgMustFail("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nEnd Site\n{\nOFFSET 0 1 0\nJOINT b\n",
               "line 8: expected one OFFSET");
    const char* head = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Yrotation\n}\n";
    char text[512];
    snprintf(text, sizeof(text), "%sMOTIVE", head);
    tgMustFail(text, "line 7: expected MOTION");
    snprintf(text, sizeof(text), "%sMOTION\nFrames: -1\n", head);
    tgMustFail(text, "line 8: expected the number of frames");
    snprintf(text, sizeof(text), "%sMOTION\nFrames: 1\nFrame Time: 0\n1 2\n", head);
    tgMustFail(text, "line 9: a frame lasts 0 seconds");
    snprintf(text, sizeof(text), "%sMOTION\nFrames: 2\nFrame Time: 0.1\n1 2\n1 2 3\n", head);
    tgMustFail(text, "line 11: frame 1 has 3 numbers, the joints have 2 channels");
    snprintf(text, sizeof(text), "%sMOTION\nFrames: 2\nFrame Time: 0.1\n1 2\n1 nan\n", head);
    tgMustFail(text, "line 11: expected a number, found \"nan\"");
    tgMustFail("HIERARCHY\nROOT a\n{\nOFFSET 3e38 0 0\nJOINT b\n{\nOFFSET 3e38 0 0\n}\n}\n",
               "add up to no finite number");
    tgError error = {0};
    assert_null(tgLoadScene("no_such_file.bvh", &error));
    assert_int_equal(error.code, tg_ioError);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestSkeleton),
        cmocka_unit_test(tgTestMotion),
        cmocka_unit_test(tgTestForms),
        cmocka_unit_test(tgTestErrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
