// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The OBJ reader: order and count kept, every form of index, parts, and messages with line numbers.

#include "read_text.h"

#include "io/obj_read.h"
#include "turgor/io.h"

static tgScene* tgMustRead(const char* text)
{
    return tgMustReadText(tgImportObjMemory, text);
}

static void tgMustFail(const char* text, const char* fragment)
{
    tgMustFailText(tgImportObjMemory, text, fragment);
}

static void tgTestOrder(void** state)
{
    (void)state;
    // Vertex 2 is used first, vertex 4 never, vertices 1 and 5 coincide: all stay where they are.
    tgScene* scene = tgMustRead("# a comment\n"
                                "v 0 0 0\nv 1 0 0\nv 1 1 0 0.5 0.5 0.5\nv 9 9 9\nv 0 0 0\n"
                                "f 2 3 1\nf 5 2 3\n");
    assert_int_equal(scene->vertexCount, 5);
    CHECK_NEAR(scene->positions[1].x, 1.0, 0.0);
    CHECK_NEAR(scene->positions[3].z, 9.0, 0.0);
    assert_int_equal(scene->faceCount, 2);
    const int expected[6] = {1, 2, 0, 4, 1, 2};
    assert_memory_equal(scene->faceVertices, expected, sizeof(expected));
    assert_int_equal(scene->jointCount, 0);
    assert_int_equal(scene->influencesPerVertex, 0);
    assert_null(scene->normals);
    assert_null(scene->uvs);
    assert_int_equal(scene->partCount, 1);
    assert_int_equal(scene->parts[0].vertexCount, 5);
    tgDestroyScene(scene);
}

static void tgTestPolygons(void** state)
{
    (void)state;
    tgScene* scene = tgMustRead("v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nv 0.5 2 0\r\n"
                                "f 1 2 \\\r\n 3 4\r\nf 1 2 3 5 4\r\nf 1 2 3\r\n");
    const int sizes[3] = {4, 5, 3};
    assert_int_equal(scene->faceCount, 3);
    assert_memory_equal(scene->faceSizes, sizes, sizeof(sizes));
    assert_int_equal(scene->faceVertices[3], 3);
    assert_int_equal(scene->faceVertices[7], 4);
    tgDestroyScene(scene);
}

static void tgTestIndices(void** state)
{
    (void)state;
    // Negative ones count back from the line they stand on, positive ones may point forwards.
    tgScene* scene = tgMustRead("v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nf 1 2 4\nv 0 1 0\n"
                                "vn 0 0 2\nvt 0.25 0.25\n"
                                "f -4//1 -3//-1 -2//1\n");
    const int expected[9] = {0, 1, 2, 0, 1, 3, 0, 1, 2};
    assert_memory_equal(scene->faceVertices, expected, sizeof(expected));
    assert_null(scene->normals); // two faces have none
    tgDestroyScene(scene);
    scene = tgMustRead("v 0 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 2\nvt 0.25 0.25\nvt 0.5 1\n"
                       "f 1/1/1 2/2/1 3/1/1\nf 1/1/1 3/1/1 2/2/1\n");
    assert_non_null(scene->normals);
    assert_non_null(scene->uvs);
    CHECK_NEAR(scene->normals[2].z, 1.0, 1e-7);
    CHECK_NEAR(scene->uvs[1], 0.75, 1e-7); // v downwards
    CHECK_NEAR(scene->uvs[2], 0.5, 1e-7);
    tgDestroyScene(scene);
}

static void tgTestSeams(void** state)
{
    (void)state;
    tgScene* scene = tgMustRead("v 0 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 1\nvn 0 1 0\nvt 0 0\nvt 1 1\n"
                                "f 1/1/1 2/1/1 3/1/1\nf 1/2/2 3/1/1 2/1/1\n");
    assert_null(scene->uvs);
    assert_null(scene->normals);
    assert_int_equal(scene->warningCount, 1);
    CHECK_CONTAINS(scene->warnings[0], "1 vertex lies on texture seams");
    tgDestroyScene(scene);
}

static void tgTestParts(void** state)
{
    (void)state;
    tgScene* scene = tgMustRead("o left hand\nv 0 0 0\nv 1 0 0\nv 1 1 0\n"
                                "usemtl skin\nf 1 2 3\nusemtl nail\nf 1 3 2\nusemtl skin\nf 2 3 1\n"
                                "o right\ng ignored\nv 5 0 0\nv 6 0 0\nv 6 1 0\nf 4 5 6\n");
    assert_int_equal(scene->nodeCount, 2);
    assert_int_equal(scene->materialCount, 2);
    assert_int_equal(scene->partCount, 3);
    assert_string_equal(scene->parts[0].name, "left hand");
    assert_string_equal(scene->materials[scene->parts[1].material].name, "nail");
    assert_string_equal(scene->parts[2].name, "right");
    assert_int_equal(scene->parts[0].faceCount, 2);
    assert_int_equal(scene->parts[1].firstFace, 2);
    assert_int_equal(scene->parts[1].primitive, 1);
    assert_int_equal(scene->parts[2].primitive, 0);
    // The first two share vertices 0 to 2; the third has its own.
    assert_int_equal(scene->parts[1].firstVertex, 0);
    assert_int_equal(scene->parts[1].vertexCount, 3);
    assert_int_equal(scene->parts[2].firstVertex, 3);
    assert_int_equal(scene->parts[2].vertexCount, 3);
    tgDestroyScene(scene);
}

static void tgTestNumbers(void** state)
{
    (void)state;
    // Nine digits give every float back, whatever its size.
    const float values[] = {0.1f,           -3.14159274f, 1e-38f,
                            3.40282347e38f, 16777217.0f,  1.17549435e-38f,
                            0.0f,           -0.5f,        123456.789f};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); ++i) {
        char text[128];
        snprintf(text, sizeof(text), "v %.9g +1.5E+2 .5\nv 1. 0 0\nv 0 1 0\nf 1 2 3",
                 (double)values[i]);
        tgScene* scene = tgMustRead(text);
        CHECK_NEAR(scene->positions[0].x, values[i], 0.0);
        CHECK_NEAR(scene->positions[0].y, 150.0, 0.0);
        CHECK_NEAR(scene->positions[0].z, 0.5, 0.0);
        tgDestroyScene(scene);
    }
}

static void tgTestErrors(void** state)
{
    (void)state;
    tgMustFail("", "no mesh");
    tgMustFail("hello\nworld\n", "no mesh");
    tgMustFail("v 1 2 3\n", "0 faces");
    tgMustFail("v 1 2\n", "line 1: a vertex has 2 numbers, expected 3");
    tgMustFail("\r\n\r\nv 1 2 nan\n", "line 3: \"nan\" in a vertex is not a number");
    tgMustFail("v 1 2 inf\n", "not a number");
    tgMustFail("v 1 2 1e99\n", "not a number");
    tgMustFail("v 1 2 3x\n", "\"3x\"");
    tgMustFail("v 1 2 1e\n", "\"1e\"");
    tgMustFail("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "line 4: a face has 2 corners");
    tgMustFail("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4: the face uses vertex 4");
    tgMustFail("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "line 4: \"0\" is no corner");
    tgMustFail("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", "\"-4\" is no corner of a face; 3");
    tgMustFail("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2/1 3/1\n", "uses texture coordinate 1");
    tgMustFail("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1//9 2//9 3//9\n", "uses normal 9");
    tgMustFail("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/a 2 3\n", "\"1/a\" is no corner");
    tgMustFail("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1/1/1 2 3\n", "is no corner");
    tgMustFail("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", "uses vertex");
}

static void tgTestHandBones(void** state)
{
    (void)state;
    tgError error = {0};
    tgScene* scene = tgLoadScene(TURGOR_ASSETS "/hand_bones.obj", &error);
    if (scene == NULL && error.code == tg_ioError) {
        print_message("skipped: no hand_bones.obj in %s\n", TURGOR_ASSETS);
        skip();
    }
    assert_non_null(scene);
    assert_int_equal(scene->vertexCount, 15750);
    assert_int_equal(scene->faceCount, 31416);
    assert_int_equal(scene->partCount, 20);
    int covered = 0;
    for (int p = 0; p < scene->partCount; ++p) {
        assert_int_equal(scene->parts[p].firstVertex, covered);
        covered += scene->parts[p].vertexCount;
    }
    assert_int_equal(covered, scene->vertexCount);
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestOrder),   cmocka_unit_test(tgTestPolygons),
        cmocka_unit_test(tgTestIndices), cmocka_unit_test(tgTestSeams),
        cmocka_unit_test(tgTestParts),   cmocka_unit_test(tgTestNumbers),
        cmocka_unit_test(tgTestErrors),  cmocka_unit_test(tgTestHandBones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
