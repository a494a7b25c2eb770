// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Marker files and the segments file: what they hold, and every way in which they can be wrong.

#include "c3d_maker.h"
#include "check.h"
#include "io/motion_bvh.h"
#include "io/motion_bvh_write.h"
#include "turgor/io.h"
#include "turgor/markers.h"

static tgMarkers* tgParse(const char* text, tgMarkerFormat format)
{
    tgError error = {0};
    tgMarkers* markers = tgParseMarkers(text, strlen(text), format, &error);
    if (markers == NULL) {
        print_error("%s\n", error.message);
        fail();
    }
    return markers;
}

static void tgExpectWrong(const void* data, size_t size, tgMarkerFormat format, const char* words)
{
    tgError error = {0};
    assert_null(tgParseMarkers(data, size, format, &error));
    CHECK_CONTAINS(error.message, words);
}

static void tgCheckC3d(int processor, bool isFloat)
{
    tgC3dFile file;
    tgMakeC3d(&file, processor, isFloat, "mm");
    tgError error = {0};
    tgMarkers* markers = tgParseMarkers(file.bytes, sizeof(file.bytes), tg_markersC3d, &error);
    if (markers == NULL) {
        print_error("processor %d: %s\n", processor, error.message);
        fail();
    }
    assert_int_equal(markers->markerCount, tg_c3dMarkers);
    assert_int_equal(markers->frameCount, tg_c3dFrames);
    assert_int_equal(markers->gapCount, 1);
    assert_int_equal(markers->warningCount, 0);
    CHECK_NEAR(markers->rate, 50.0, 1e-6);
    assert_string_equal(markers->names[1], "S1:TOE");
    assert_int_equal(tgMarkers_Find(markers, "HEEL"), 2);
    assert_int_equal(tgMarkers_Find(markers, "TOE"), 1);
    assert_int_equal(tgMarkers_Find(markers, "S1:TOE"), 1);
    assert_int_equal(tgMarkers_Find(markers, "S1"), -1);
    for (int f = 0; f < tg_c3dFrames; ++f) {
        for (int m = 0; m < tg_c3dMarkers; ++m) {
            tgVec3 p = markers->positions[f * tg_c3dMarkers + m];
            for (int i = 0; i < 3; ++i) {
                float found = (&p.x)[i];
                if (f == 2 && m == 1) {
                    assert_true(isnan(found));
                } else {
                    CHECK_NEAR(found, 0.001 * (double)tgGetC3dCoordinate(f, m, i), 1e-7);
                }
            }
        }
    }
    tgDestroyMarkers(markers);
}

static void tgTestC3d(void** state)
{
    (void)state;
    for (int processor = 84; processor <= 86; ++processor) {
        tgCheckC3d(processor, false);
        tgCheckC3d(processor, true);
    }
}

static void tgTestC3dUnit(void** state)
{
    (void)state;
    tgC3dFile file;
    tgMakeC3d(&file, 84, true, "m");
    tgMarkers* markers = tgParseMarkers(file.bytes, sizeof(file.bytes), tg_markersC3d, NULL);
    assert_non_null(markers);
    CHECK_NEAR(markers->positions[2].x, 50.0, 1e-6);
    tgDestroyMarkers(markers);
    tgMakeC3d(&file, 84, true, NULL);
    markers = tgParseMarkers(file.bytes, sizeof(file.bytes), tg_markersC3d, NULL);
    assert_non_null(markers);
    assert_int_equal(markers->warningCount, 1);
    CHECK_CONTAINS(markers->warnings[0], "millimetres");
    tgDestroyMarkers(markers);
}

static void tgTestC3dErrors(void** state)
{
    (void)state;
    tgC3dFile file;
    tgMakeC3d(&file, 84, true, "mm");
    tgExpectWrong(file.bytes, 100, tg_markersC3d, "byte 1: is 80 in a file of 100 bytes");
    tgExpectWrong(file.bytes, 1024 + 60, tg_markersC3d, "byte 1084: the file ends in frame 2 of 4");
    tgExpectWrong(file.bytes, 512, tg_markersC3d, "byte 0: the parameters are in block 2");
    file.bytes[1] = 0;
    tgExpectWrong(file.bytes, sizeof(file.bytes), tg_markersC3d, "byte 1: is 0");
    tgMakeC3d(&file, 84, true, "mm");
    file.bytes[512 + 3] = 7;
    tgExpectWrong(file.bytes, sizeof(file.bytes), tg_markersC3d, "byte 515: the processor is 7");
    tgMakeC3d(&file, 84, true, "mm");
    memset(file.bytes + 12, 0, 4);
    tgExpectWrong(file.bytes, sizeof(file.bytes), tg_markersC3d, "byte 12: the scale is 0");
    tgMakeC3d(&file, 84, true, "mm");
    file.bytes[17] = 9;
    tgExpectWrong(file.bytes, sizeof(file.bytes), tg_markersC3d, "byte 16: the data begin");
    tgMakeC3d(&file, 84, true, "mm");
    file.bytes[2] = 0;
    tgExpectWrong(file.bytes, sizeof(file.bytes), tg_markersC3d, "0 markers");
}

#define TG_TRC_HEADER                                                                              \
    "PathFileType\t4\t(X/Y/Z)\ta.trc\r\n"                                                          \
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\r\n"                         \
    "100.00\t100.00\t3\t2\tcm\t100\r\n"                                                            \
    "Frame#\tTime\tKNEE\t\t\tTOE\t\t\t\r\n"                                                        \
    "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\r\n"                                                               \
    "\r\n"

static void tgTestTrc(void** state)
{
    (void)state;
    tgMarkers* markers = tgParse(TG_TRC_HEADER "1\t0.00\t1\t2\t3\t4\t5\t6\r\n"
                                               "2\t0.01\t\t\t\t-4.5\t5e1\t6\t\r\n"
                                               "3\t0.02\t7\t8\t9\r\n\r\n",
                                 tg_markersTrc);
    assert_int_equal(markers->markerCount, 2);
    assert_int_equal(markers->frameCount, 3);
    assert_int_equal(markers->gapCount, 2);
    assert_int_equal(markers->warningCount, 0);
    CHECK_NEAR(markers->rate, 100.0, 1e-9);
    assert_string_equal(markers->names[0], "KNEE");
    assert_string_equal(markers->names[1], "TOE");
    CHECK_NEAR(markers->positions[0].z, 0.03, 1e-8);
    assert_true(isnan(markers->positions[2].x));
    CHECK_NEAR(markers->positions[3].y, 0.5, 1e-7);
    CHECK_NEAR(markers->positions[4].y, 0.08, 1e-8);
    assert_true(isnan(markers->positions[5].z));
    tgDestroyMarkers(markers);
    markers = tgParse(TG_TRC_HEADER "1\t0\t1\t2\t3\tNaN\tnan\tNAN\n", tg_markersTrc);
    assert_int_equal(markers->gapCount, 1);
    assert_int_equal(markers->warningCount, 1);
    CHECK_CONTAINS(markers->warnings[0], "the header tells 3 frames, found 1");
    tgDestroyMarkers(markers);
}

static void tgTestTrcErrors(void** state)
{
    (void)state;
    const struct {
        const char *text, *words;
    } cases[] = {
        {"", "line 1: begins with \"\""},
        {"hello\tworld\n", "line 1: begins with \"hello\""},
        {"PathFileType\t4\n", "line 1:"},
        {"PathFileType\t4\nDataRate\n", "line 3: the file ends in its header"},
        {"PathFileType\t4\nDataRate\tUnits\nfast\tmm\n", "line 3: DataRate is \"fast\""},
        {"PathFileType\t4\nDataRate\n100\nFrame Time\n", "line 4: begins with \"Frame Time\""},
        {TG_TRC_HEADER, "0 frames"},
        {TG_TRC_HEADER "one\t0\t1\t2\t3\n", "line 7: the frame is \"one\""},
        {TG_TRC_HEADER "1\n", "line 7: the time is"},
        {TG_TRC_HEADER "1\t0\t1\t2\t3\n2\t0\t1\ttwo\t3\n", "line 8: \"two\" is no coordinate"},
        {TG_TRC_HEADER "1\t0\t1\t2\t3\t4\t5\t6\t7\n", "line 7: has a coordinate in column 9"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        tgExpectWrong(cases[i].text, strlen(cases[i].text), tg_markersTrc, cases[i].words);
    }
}

static void tgTestCsv(void** state)
{
    (void)state;
    tgMarkers* markers = tgParse("\xEF\xBB\xBF"
                                 "frame,time,\"KNEE_X\",KNEE_Y,KNEE_Z,toe tip.x,toe tip.y,"
                                 "toe tip.z\n"
                                 "0,0.0,1,2,3,4,5,6\n"
                                 "1,0.5,1,,3,4,5,6\n"
                                 "2,1.0,1,2,3,4,5,6\n",
                                 tg_markersCsv);
    assert_int_equal(markers->markerCount, 2);
    assert_int_equal(markers->frameCount, 3);
    assert_int_equal(markers->gapCount, 1);
    CHECK_NEAR(markers->rate, 2.0, 1e-6);
    assert_string_equal(markers->names[0], "KNEE");
    assert_string_equal(markers->names[1], "toe tip");
    assert_true(isnan(markers->positions[2].x));
    CHECK_NEAR(markers->positions[5].z, 6.0, 0.0);
    tgDestroyMarkers(markers);
    markers = tgParse("a:x;a:y;a:z\r\n1;2;3\r\n", tg_markersCsv);
    CHECK_NEAR(markers->positions[0].y, 2.0, 0.0);
    CHECK_NEAR(markers->rate, 0.0, 0.0);
    tgDestroyMarkers(markers);
}

static void tgTestCsvErrors(void** state)
{
    (void)state;
    const struct {
        const char *text, *words;
    } cases[] = {
        {"", "names no marker"},
        {"frame,time\n1,2\n", "line 1: names no marker"},
        {"a_x,a_y\n", "line 1: ends before the last marker's _z"},
        {"a_x,b_y,a_z\n", "line 1, column 2: is called \"b_y\""},
        {"hello\n", "line 1, column 1: is called \"hello\""},
        {"a_x,a_y,a_z\n1,2,three\n", "line 2, column 3: \"three\", expected a number"},
        {"a_x,a_y,a_z\n1,2,3,4\n", "line 2, column 4: \"4\", expected no such column"},
        {"time,a_x,a_y,a_z\n,2,3,4\n", "line 2, column 1: there is no time"},
        {"time,a_x,a_y,a_z\n1,2,3,4\n1,2,3,4\n", "expected it to grow"},
        {"a_x,a_y,a_z\n", "0 frames"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        tgExpectWrong(cases[i].text, strlen(cases[i].text), tg_markersCsv, cases[i].words);
    }
}

static void tgTestFiles(void** state)
{
    (void)state;
    tgError error = {0};
    assert_null(tgLoadMarkers("markers.txt", &error));
    CHECK_CONTAINS(error.message, "expected .c3d .trc or .csv");
    assert_null(tgLoadMarkers("not_there.trc", &error));
    CHECK_CONTAINS(error.message, "cannot open");
    assert_null(tgLoadMarkers(NULL, &error));
    tgDestroyMarkers(NULL);
    tgDestroySegments(NULL);
}

static tgMarkers* tgMakeFourMarkers(void)
{
    return tgParse("m1_x,m1_y,m1_z,m2_x,m2_y,m2_z,m3_x,m3_y,m3_z,m4_x,m4_y,m4_z\n"
                   "1,2,3,4,5,6,7,8,9,10,11,12\n",
                   tg_markersCsv);
}

static void tgTestSegments(void** state)
{
    (void)state;
    tgMarkers* markers = tgMakeFourMarkers();
    const char* text = "{\"turgor\": 1, \"segments\": ["
                       "{\"name\": \"hand\", \"markers\": [\"m1\", \"m2\", \"m3\"]},"
                       "{\"name\": \"finger\", \"parent\": \"hand\", \"markers\": [\"m4\"],"
                       " \"joint\": \"hinge\", \"near\": [\"m2\", \"m4\"], \"end\": [\"m4\"]}]}";
    tgError error = {0};
    tgSegments* segments = tgParseSegments(text, strlen(text), markers, &error);
    if (segments == NULL) {
        print_error("%s\n", error.message);
        fail();
    }
    assert_int_equal(segments->segmentCount, 2);
    const tgSegment* finger = &segments->segments[1];
    assert_string_equal(finger->name, "finger");
    assert_int_equal(finger->parent, 0);
    assert_int_equal(segments->segments[0].parent, -1);
    assert_int_equal(segments->segments[0].markerCount, 3);
    assert_int_equal(finger->markers[0], 3);
    assert_int_equal(finger->kind, tg_jointHinge);
    assert_int_equal(finger->nearCount, 2);
    assert_int_equal(finger->near[0], 1);
    assert_int_equal(finger->end[0], 3);
    tgDestroySegments(segments);
    tgDestroyMarkers(markers);
}

#define TG_HAND "{\"name\": \"hand\", \"markers\": [\"m1\", \"m2\", \"m3\"]}"

static void tgTestSegmentErrors(void** state)
{
    (void)state;
    tgMarkers* markers = tgMakeFourMarkers();
    const struct {
        const char *text, *words;
    } cases[] = {
        {"", "line 1, column 1"},
        {"[]", "line 1, column 1: the file is an empty list"},
        {"{}", "the file is an object, expected a list of segments"},
        {"{\"segments\": []}", "line 1, column 14: segments is an empty list"},
        {"{\"turgor\": 2, \"segments\": []}", "turgor is 2"},
        {"{\"segmets\": []}", "there is no key \"segmets\", perhaps \"segments\""},
        {"{\"segments\": [1]}", "a segment is 1"},
        {"{\"segments\": [{\"markers\": [\"m1\"]}]}", "the name of a segment"},
        {"{\"segments\": [{\"name\": \"a\"}]}", "the segment \"a\" has no markers"},
        {"{\"segments\": [{\"name\": \"a\", \"markers\": [\"m7\"]}]}",
         "line 1, column 41: there is no marker \"m7\", perhaps \"m1\""},
        {"{\"segments\": [{\"name\": \"a\", \"markers\": [\"m1\", \"m1\"]}]}", "twice"},
        {"{\"segments\": [{\"name\": \"a\", \"markers\": [3]}]}", "a marker is 3"},
        {"{\"segments\": [{\"name\": \"a\", \"markers\": \"m1\"}]}", "markers is \"m1\""},
        {"{\"segments\": [" TG_HAND ", " TG_HAND "]}", "a second segment is called \"hand\""},
        {"{\"segments\": [" TG_HAND ", {\"name\": \"b\", \"markers\": [\"m4\"]}]}",
         "the segment \"b\" has no parent"},
        {"{\"segments\": [" TG_HAND
         ", {\"name\": \"b\", \"parent\": \"hnd\", \"markers\": [\"m4\"]}]}",
         "\"hnd\", perhaps \"hand\""},
        {"{\"segments\": [" TG_HAND ", {\"name\": \"b\", \"parent\": 1, \"markers\": [\"m4\"]}]}",
         "parent is 1"},
        {"{\"segments\": [{\"name\": \"a\", \"markers\": [\"m1\"]}, {\"name\": \"b\", "
         "\"parent\": \"a\", \"markers\": [\"m4\"]}]}",
         "the parent \"a\" has 1 markers, expected 3"},
        {"{\"segments\": [{\"name\": \"a\", \"markers\": [\"m1\"], \"joint\": \"screw\"}]}",
         "joint is \"screw\", expected \"auto\", \"ball\" or \"hinge\""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        tgError error = {0};
        assert_null(tgParseSegments(cases[i].text, strlen(cases[i].text), markers, &error));
        CHECK_CONTAINS(error.message, cases[i].words);
    }
    tgDestroyMarkers(markers);
}

/// Written, read by the reader of .bvh files, and compared as places of the joints.
static void tgTestBvhRoundTrip(void** state)
{
    (void)state;
    enum { jointCount = 4, frameCount = 5 };
    const char* const names[jointCount] = {"hip", "left leg", "spine", "foot"};
    const int parents[jointCount] = {-1, 0, 0, 1};
    const tgVec3 positions[jointCount] = {
        {0.1f, 1.0f, 0.2f}, {0.2f, 0.5f, 0.2f}, {0.1f, 1.5f, 0.1f}, {0.2f, 0.1f, 0.3f}};
    const tgVec3 none = {NAN, NAN, NAN};
    const tgVec3 ends[jointCount] = {none, none, {0.1f, 1.9f, 0.0f}, none};
    tgVec3 roots[frameCount];
    tgMat34 locals[frameCount * jointCount];
    for (int f = 0; f < frameCount; ++f) {
        roots[f] = tgMakeVec3(0.1f * (float)f, 1.0f, 0.3f);
        for (int j = 0; j < jointCount; ++j) {
            tgVec3 axis = tgNormalize(tgMakeVec3(1.0f, (float)j - 1.5f, (float)f - 2.0f), roots[0]);
            // Frame 4 of joint 1 looks straight up: a pole of the angles.
            bool isPole = f == 4 && j == 1;
            tgQuat q = isPole ? tgMakeQuat(tgMakeVec3(1.0f, 0.0f, 0.0f), 1.57079632f)
                              : tgMakeQuat(axis, 0.7f * (float)(f - 2));
            locals[f * jointCount + j] =
                tgMakeMat34((tgTransform){{0.0f, 0.0f, 0.0f}, q, {1.0f, 1.0f, 1.0f}});
        }
    }
    tgSkeletonMotion motion = {jointCount, names,      parents, positions, ends,
                               frameCount, 1.0 / 25.0, roots,   locals};
    assert_int_equal(tgSaveBvh(&motion, "round_trip.bvh", NULL), tg_success);
    tgScene* scene = tgImportBvh("round_trip.bvh", NULL);
    assert_non_null(scene);
    assert_int_equal(scene->jointCount, jointCount);
    assert_int_equal(tgScene_FindJoint(scene, "left_leg"), 1);
    tgMat34 nodes[16], joints[jointCount];
    for (int f = 0; f < frameCount; ++f) {
        tgScene_SamplePose(scene, 0, f / 25.0, nodes, joints, NULL);
        tgMat34 expected[jointCount];
        for (int j = 0; j < jointCount; ++j) {
            expected[j] = locals[f * jointCount + j];
            expected[j].origin = roots[f];
            if (j > 0) {
                expected[j].origin = tgSub(positions[j], positions[parents[j]]);
                expected[j] = tgMulMat34(&expected[parents[j]], &expected[j]);
            }
            int at = tgScene_FindJoint(scene, j == 1 ? "left_leg" : names[j]);
            CHECK_NEAR(tgDistance(joints[at].origin, expected[j].origin), 0.0, 2e-6);
            CHECK_NEAR(tgDistance(joints[at].x, expected[j].x), 0.0, 1e-5);
            CHECK_NEAR(tgDistance(joints[at].z, expected[j].z), 0.0, 1e-5);
        }
    }
    tgDestroyScene(scene);
    remove("round_trip.bvh");
    tgError error = {0};
    assert_int_not_equal(tgSaveBvh(&motion, "no_such_folder/a.bvh", &error), tg_success);
    assert_true(error.message[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestC3d),          cmocka_unit_test(tgTestC3dUnit),
        cmocka_unit_test(tgTestC3dErrors),    cmocka_unit_test(tgTestTrc),
        cmocka_unit_test(tgTestTrcErrors),    cmocka_unit_test(tgTestCsv),
        cmocka_unit_test(tgTestCsvErrors),    cmocka_unit_test(tgTestFiles),
        cmocka_unit_test(tgTestSegments),     cmocka_unit_test(tgTestSegmentErrors),
        cmocka_unit_test(tgTestBvhRoundTrip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
