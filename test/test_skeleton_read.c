// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skeletons for binding: the small JSON file with messages that have line and column, tails, and
// the way from a mesh and a skeleton to a character.

#include "read_text.h"

#include "io/motion_bvh.h"
#include "io/obj_read.h"
#include "turgor/io.h"

static const char tg_arm[] =
    "{\"joints\": [\n"
    "  {\"name\": \"shoulder\", \"parent\": null, \"position\": [0, 1, 0]},\n"
    "  {\"name\": \"elbow\", \"parent\": \"shoulder\", \"position\": [2, 1, 0]},\n"
    "  {\"name\": \"wrist\", \"parent\": \"elbow\", \"position\": [3, 1, 0], \"tail\": [3, 1, 1]}\n"
    "]}\n";

static tgScene* tgMustParse(const char* text)
{
    return tgMustReadText(tgParseSkeleton, text);
}

static void tgMustFail(const char* text, const char* fragment)
{
    tgMustFailText(tgParseSkeleton, text, fragment);
}

static void tgTestJson(void** state)
{
    (void)state;
    tgScene* scene = tgMustParse(tg_arm);
    assert_int_equal(scene->jointCount, 3);
    assert_string_equal(scene->joints[1].name, "elbow");
    assert_int_equal(scene->joints[2].parent, 1);
    CHECK_NEAR(scene->joints[2].restJoint.origin.x, 3.0, 0.0);
    tgMat34 nodes[4], joints[3];
    assert_int_equal(scene->nodeCount, 4);
    tgScene_SamplePose(scene, -1, 0.0, nodes, joints, NULL);
    for (int j = 0; j < 3; ++j) {
        CHECK_NEAR(tgDistance(joints[j].origin, scene->joints[j].restJoint.origin), 0.0, 1e-6);
    }
    tgVec3 tails[3];
    tgScene_GetTails(scene, tails);
    CHECK_NEAR(tgDistance(tails[0], scene->joints[0].restJoint.origin), 0.0, 0.0);
    CHECK_NEAR(tgDistance(tails[2], tgMakeVec3(3.0f, 1.0f, 1.0f)), 0.0, 1e-6);
    tgDestroyScene(scene);
}

static void tgTestErrors(void** state)
{
    (void)state;
    tgMustFail("", "line 1, column 1");
    tgMustFail("[]", "line 1, column 1: the file is an empty list, expected an object");
    tgMustFail("{\"bones\": []}", "column 2: unknown key \"bones\"");
    tgMustFail("{\"joints\": []}",
               "column 12: \"joints\" is an empty list, expected a list of 1 to 65535");
    tgMustFail("{\"joints\": [1]}", "a joint is 1, expected an object");
    tgMustFail("{\"joints\": [{\"name\": \"a\"}]}", "column 13: the joint has no \"position\"");
    tgMustFail("{\"joints\": [{\"name\": 3, \"position\": [0,0,0]}]}", "\"name\" is 3");
    tgMustFail("{\"joints\": [{\"name\": \"a\", \"position\": [0,0]}]}", "expected three numbers");
    tgMustFail("{\"joints\": [{\"name\": \"a\", \"position\": [0,0,\"x\"]}]}",
               "\"position\" is \"x\"");
    tgMustFail("{\"joints\": [{\"name\": \"a\", \"position\": [0,0,1e99]}]}", "line 1, column");
    tgMustFail("{\"joints\": [{\"name\": \"a\", \"parent\": \"b\", \"position\": [0,0,0]}]}",
               "expected the name of a joint above");
    tgMustFail("{\"joints\": [{\"name\": \"a\", \"position\": [0,0,0]},\n"
               "{\"name\": \"a\", \"position\": [0,0,0]}]}",
               "line 2, column 10: \"name\" is \"a\", expected a name that is not taken");
    tgError error = {0};
    assert_null(tgLoadSkeleton("no_such.json", &error));
    assert_int_equal(error.code, tg_ioError);
    assert_null(tgLoadSkeleton(NULL, &error));
}

/// A mesh from one file, skeleton and motion from another; the end site is a tail.
static void tgTestSetSkin(void** state)
{
    (void)state;
    static const char bvh[] =
        "HIERARCHY\nROOT hip\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation "
        "Yrotation\nJOINT knee\n{\nOFFSET 0 -1 0\nCHANNELS 0\nEnd Site\n{\nOFFSET "
        "0 -2 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n90 0 0\n";
    static const char obj[] =
        "o leg\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 4 2\n"
        "f 2 4 3\n";
    tgScene* mesh = tgImportObjMemory(obj, strlen(obj), NULL);
    tgScene* skeleton = tgImportBvhMemory(bvh, strlen(bvh), NULL);
    assert_non_null(mesh);
    assert_non_null(skeleton);
    tgVec3 tails[2];
    tgScene_GetTails(skeleton, tails);
    CHECK_NEAR(tails[1].y, -2.0, 1e-6);
    const int joints[4] = {0, 0, 1, 1};
    const float weights[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    tgError error = {0};
    const int wrong[4] = {0, 0, 2, 0};
    assert_int_not_equal(tgScene_SetSkin(mesh, skeleton, 1, wrong, weights, &error), tg_success);
    CHECK_CONTAINS(error.message, "vertex 2 follows joint 2, the skeleton has 2");
    assert_int_equal(tgScene_SetSkin(mesh, skeleton, 1, joints, weights, &error), tg_success);
    tgDestroyScene(skeleton); // nothing of it is kept by pointer
    assert_int_equal(mesh->jointCount, 2);
    assert_int_equal(mesh->animationCount, 1);
    assert_string_equal(mesh->nodes[mesh->parts[0].node].name, "leg");
    assert_string_equal(mesh->joints[1].name, "knee");
    assert_int_equal(tgSaveScene(mesh, "set_skin.glb", &error), tg_success);
    tgDestroyScene(mesh);
    tgScene* read = tgLoadScene("set_skin.glb", &error);
    assert_non_null(read);
    assert_int_equal(read->vertexCount, 4);
    assert_int_equal(read->jointCount, 2);
    tgMat34* nodes = calloc((size_t)read->nodeCount, sizeof(tgMat34));
    tgMat34 posed[2];
    tgScene_SamplePose(read, 0, 0.5, nodes, posed, NULL);
    int knee = tgScene_FindJoint(read, "knee");
    CHECK_NEAR(posed[knee].origin.x, 1.0, 1e-5); // the thigh turned by 90 degrees about the hip
    CHECK_NEAR(posed[knee].origin.y, 1.0, 1e-5);
    free(nodes);
    tgDestroyScene(read);
    remove("set_skin.glb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestJson),
        cmocka_unit_test(tgTestErrors),
        cmocka_unit_test(tgTestSetSkin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
