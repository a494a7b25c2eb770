// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Bakes to PC2, MDD, OBJ and USD byte for byte, and what every bake promises: counted frames,
// finite positions, nothing left behind.

#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE

#include "write_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

/// Two vertices and one face of three corners, one of them used twice: enough for a point cache.
static tgScene* tgMakePairScene(void)
{
    static const int faceSizes[1] = {3};
    static const int faceVertices[3] = {0, 1, 1};
    tgVec3 positions[2] = {{1.0f, 2.0f, 3.0f}, {-1.0f, 0.5f, 0.0f}};
    tgScene* scene = tgCreateScene();
    assert_non_null(scene);
    scene->vertexCount = 2;
    scene->positions = tgKeep(scene, positions, 2, sizeof(tgVec3));
    scene->faceCount = 1;
    scene->faceSizes = tgKeep(scene, faceSizes, 1, sizeof(int));
    scene->faceVertices = tgKeep(scene, faceVertices, 3, sizeof(int));
    return scene;
}

static tgBakeDef tgMakeDef(const tgScene* scene, const char* path, int frameCount)
{
    tgBakeDef def = tgDefaultBakeDef();
    def.scene = scene;
    def.path = path;
    def.frameCount = frameCount;
    return def;
}

static void tgBakeFrames(const tgBakeDef* def, const tgVec3* const* frames, const tgVec3* normals)
{
    tgError error = {0};
    tgBake* bake = tgOpenBake(def, &error);
    assert_string_equal(error.message, "");
    assert_non_null(bake);
    for (int i = 0; i < def->frameCount; ++i) {
        assert_int_equal(tgBake_AddFrame(bake, frames[i], normals, &error), tg_success);
    }
    assert_int_equal(tgCloseBake(bake, &error), tg_success);
}

static const tgVec3 tg_frameA[2] = {{1.0f, 2.0f, 3.0f}, {-1.0f, 0.5f, 0.0f}};
static const tgVec3 tg_frameB[2] = {{-2.0f, 4.0f, 0.25f}, {8.0f, -0.125f, 16.0f}};
static const tgVec3* const tg_frames[2] = {tg_frameA, tg_frameB};

static void TestPc2Bytes(void** state)
{
    (void)state;
    static const unsigned char expected[] = {
        'P', 'O', 'I',  'N',  'T', 'C', 'A',  'C',  'H', 'E', '2',  0,    // mark
        1,   0,   0,    0,                                                // version
        2,   0,   0,    0,                                                // points
        0,   0,   0x20, 0x41,                                             // first frame 10
        0,   0,   0x80, 0x3f,                                             // one frame to a sample
        2,   0,   0,    0,                                                // samples
        0,   0,   0x80, 0x3f, 0,   0,   0x00, 0x40, 0,   0,   0x40, 0x40, // 1 2 3
        0,   0,   0x80, 0xbf, 0,   0,   0x00, 0x3f, 0,   0,   0x00, 0x00, // -1 0.5 0
        0,   0,   0x00, 0xc0, 0,   0,   0x80, 0x40, 0,   0,   0x80, 0x3e, // -2 4 0.25
        0,   0,   0x00, 0x41, 0,   0,   0x00, 0xbe, 0,   0,   0x80, 0x41, // 8 -0.125 16
    };
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakePairScene();
    tgBakeDef def = tgMakeDef(scene, tgInFolder(&folder, "pair.pc2"), 2);
    def.firstFrame = 10;
    tgBakeFrames(&def, tg_frames, NULL);
    size_t size = 0;
    unsigned char* bytes = tgReadBytes(tgInFolder(&folder, "pair.pc2"), &size);
    assert_int_equal(size, sizeof(expected));
    assert_memory_equal(bytes, expected, sizeof(expected));
    free(bytes);
    assert_int_equal(tgCountFiles(&folder, false), 1);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestMddBytes(void** state)
{
    (void)state;
    static const unsigned char expected[] = {
        0,    0,    0, 2,                                     // frames
        0,    0,    0, 2,                                     // points
        0x40, 0x00, 0, 0, 0x40, 0x20, 0, 0,                   // at 2 s and 2.5 s
        0x3f, 0x80, 0, 0, 0x40, 0x00, 0, 0, 0x40, 0x40, 0, 0, // 1 2 3
        0xbf, 0x80, 0, 0, 0x3f, 0x00, 0, 0, 0x00, 0x00, 0, 0, // -1 0.5 0
        0xc0, 0x00, 0, 0, 0x40, 0x80, 0, 0, 0x3e, 0x80, 0, 0, // -2 4 0.25
        0x41, 0x00, 0, 0, 0xbe, 0x00, 0, 0, 0x41, 0x80, 0, 0, // 8 -0.125 16
    };
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakePairScene();
    tgBakeDef def = tgMakeDef(scene, tgInFolder(&folder, "pair.MDD"), 2);
    def.startTime = 2.0;
    def.fps = 2.0;
    tgBakeFrames(&def, tg_frames, NULL);
    size_t size = 0;
    unsigned char* bytes = tgReadBytes(tgInFolder(&folder, "pair.MDD"), &size);
    assert_int_equal(size, sizeof(expected));
    assert_memory_equal(bytes, expected, sizeof(expected));
    free(bytes);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void tgCheckText(tgFolder* folder, const char* name, const char* expected)
{
    size_t size = 0;
    unsigned char* text = tgReadBytes(tgInFolder(folder, name), &size);
    assert_string_equal((const char*)text, expected);
    free(text);
}

static void TestObjSequence(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakePairScene();
    tgBakeDef def = tgMakeDef(scene, tgInFolder(&folder, "pair.obj"), 2);
    def.firstFrame = 9999;
    tgBakeFrames(&def, tg_frames, NULL);
    assert_int_equal(tgCountFiles(&folder, false), 2);
    tgCheckText(&folder, "pair_9999.obj", "# turgor\nv 1 2 3\nv -1 0.5 0\no mesh\nf 1 2 2\n");
    tgCheckText(&folder, "pair_10000.obj",
                "# turgor\nv -2 4 0.25\nv 8 -0.125 16\no mesh\nf 1 2 2\n");
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestObjStillHasAllCorners(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeArmScene();
    scene->positions[16].x = 0.1f; // nine digits bring a float back, eight do not
    tgBakeDef def = tgMakeDef(scene, tgInFolder(&folder, "arm.obj"), 1);
    def.still = true;
    const tgVec3* frames[1] = {scene->positions};
    tgBakeFrames(&def, frames, scene->normals);
    size_t size = 0;
    char* text = (char*)tgReadBytes(tgInFolder(&folder, "arm.obj"), &size);
    CHECK_CONTAINS(text, "v 0.100000001 2.5 ");
    CHECK_CONTAINS(text, "\nvt 0.0625 0.75\n"); // OBJ counts v from the bottom
    CHECK_CONTAINS(text, "\nvn 0 1 0\n");
    CHECK_CONTAINS(text, "\no column\nf 1/1/1 2/2/2 6/6/6 5/5/5\n");
    CHECK_CONTAINS(text, "\no hat\nf 13/13/13 14/14/14 15/15/15 16/16/16 17/17/17\n");
    free(text);
    assert_int_equal(tgCountFiles(&folder, false), 1);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestUsdaText(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakePairScene();
    tgBakeDef def = tgMakeDef(scene, tgInFolder(&folder, "pair.usda"), 2);
    def.firstFrame = 10;
    def.fps = 12.5;
    tgBakeFrames(&def, tg_frames, tg_frameA);
    tgCheckText(&folder, "pair.usda",
                "#usda 1.0\n(\n    defaultPrim = \"character\"\n    metersPerUnit = 1\n"
                "    upAxis = \"Y\"\n    startTimeCode = 10\n    endTimeCode = 11\n"
                "    timeCodesPerSecond = 12.5\n    framesPerSecond = 12.5\n)\n\n"
                "def Xform \"character\"\n{\n    def Mesh \"skin\"\n    {\n"
                "        uniform token subdivisionScheme = \"none\"\n"
                "        point3f[] points = [(1, 2, 3), (-1, 0.5, 0)]\n"
                "        point3f[] points.timeSamples = {\n"
                "            10: [(1, 2, 3), (-1, 0.5, 0)],\n"
                "            11: [(-2, 4, 0.25), (8, -0.125, 16)],\n        }\n"
                "        normal3f[] normals (\n            interpolation = \"vertex\"\n        )\n"
                "        normal3f[] normals.timeSamples = {\n"
                "            10: [(1, 2, 3), (-1, 0.5, 0)],\n"
                "            11: [(1, 2, 3), (-1, 0.5, 0)],\n        }\n"
                "        float3[] extent.timeSamples = {\n"
                "            10: [(-1, 0.5, 0), (1, 2, 3)],\n"
                "            11: [(-2, -0.125, 0.25), (8, 4, 16)],\n        }\n"
                "        int[] faceVertexCounts = [3]\n"
                "        int[] faceVertexIndices = [0, 1, 1]\n"
                "        def GeomSubset \"mesh_0\"\n        {\n"
                "            uniform token elementType = \"face\"\n"
                "            uniform token familyName = \"object\"\n"
                "            int[] indices = [0]\n        }\n    }\n}\n");
    assert_int_equal(tgCountFiles(&folder, false), 1);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static const char* const tg_endings[] = {"a.pc2", "a.mdd", "a.obj", "a.usda", "a.glb", "a.gltf"};
enum { tg_endingCount = sizeof(tg_endings) / sizeof(tg_endings[0]) };

/// Whatever goes wrong, in whatever format: told, and nothing stays in the folder.
static void TestWrongFrames(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakePairScene();
    tgVec3 bad[2] = {{0.0f, 0.0f, 0.0f}, {0.0f, NAN, 0.0f}};
    for (int i = 0; i < tg_endingCount; ++i) {
        tgError error = {0};
        tgBakeDef def = tgMakeDef(scene, tgInFolder(&folder, tg_endings[i]), 2);
        def.firstFrame = 7;
        tgBake* bake = tgOpenBake(&def, &error);
        assert_non_null(bake);
        assert_true(tgCountFiles(&folder, false) > 0);
        assert_int_equal(tgBake_AddFrame(bake, tg_frameA, NULL, &error), tg_success);
        assert_int_equal(tgCloseBake(bake, &error), tg_invalidArgument);
        assert_string_equal(error.message, "1 frame was added, the bake was opened for 2");
        assert_int_equal(tgCountFiles(&folder, false), 0);

        bake = tgOpenBake(&def, NULL);
        assert_int_equal(tgBake_AddFrame(bake, tg_frameA, NULL, NULL), tg_success);
        assert_int_equal(tgBake_AddFrame(bake, tg_frameA, NULL, NULL), tg_success);
        assert_int_equal(tgBake_AddFrame(bake, tg_frameA, NULL, &error), tg_invalidArgument);
        CHECK_CONTAINS(error.message, "frame 9 is one too many");
        assert_int_equal(tgCloseBake(bake, NULL), tg_invalidArgument);
        assert_int_equal(tgCountFiles(&folder, false), 0);

        bake = tgOpenBake(&def, NULL);
        assert_int_equal(tgBake_AddFrame(bake, tg_frameA, NULL, NULL), tg_success);
        assert_int_equal(tgBake_AddFrame(bake, bad, NULL, &error), tg_invalidArgument);
        CHECK_CONTAINS(error.message, "frame 8 has vertex 1 at (0, ");
        assert_int_equal(error.index, 1);
        assert_int_equal(tgBake_AddFrame(bake, tg_frameA, NULL, NULL), tg_invalidArgument);
        assert_int_equal(tgCloseBake(bake, &error), tg_invalidArgument);
        assert_int_equal(tgCountFiles(&folder, false), 0);
    }
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestCancelLeavesNothing(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakePairScene();
    for (int i = 0; i < tg_endingCount; ++i) {
        FILE* old = fopen(tgInFolder(&folder, tg_endings[i]), "wb");
        assert_non_null(old);
        fputs("old", old);
        fclose(old);
        tgBakeDef def = tgMakeDef(scene, folder.file, 2);
        tgBake* bake = tgOpenBake(&def, NULL);
        assert_non_null(bake);
        assert_int_equal(tgBake_AddFrame(bake, tg_frameA, NULL, NULL), tg_success);
        assert_true(tgCountFiles(&folder, false) > 1);
        tgCancelBake(bake);
        assert_int_equal(tgCountFiles(&folder, false), 1);
        tgCheckText(&folder, tg_endings[i], "old");
        remove(tgInFolder(&folder, tg_endings[i]));
    }
    tgCancelBake(NULL);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestWrongTargets(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakePairScene();
    tgError error = {0};
    tgBakeDef def = tgMakeDef(scene, tgInFolder(&folder, "a.abc"), 1);
    assert_null(tgOpenBake(&def, &error));
    assert_int_equal(error.code, tg_unsupported);
    CHECK_CONTAINS(error.message, ".glb, .gltf, .pc2, .mdd, .obj or .usda");
    for (int i = 0; i < tg_endingCount; ++i) {
        char inside[64];
        snprintf(inside, sizeof(inside), "missing/%s", tg_endings[i]);
        def.path = tgInFolder(&folder, inside);
        error = (tgError){0};
        assert_null(tgOpenBake(&def, &error));
        assert_int_equal(error.code, tg_ioError);
        CHECK_CONTAINS(error.message, strerror(ENOENT));

        def.path = tgInFolder(&folder, tg_endings[i]);
        def.still = true; // an OBJ sequence would have other names
        assert_int_equal(mkdir(def.path, 0777), 0);
        assert_null(tgOpenBake(&def, &error));
        CHECK_CONTAINS(error.message, "the target is a folder");
        assert_int_equal(rmdir(def.path), 0);
        if (geteuid() != 0) { // root may write everywhere
            chmod(folder.path, 0500);
            assert_null(tgOpenBake(&def, &error));
            CHECK_CONTAINS(error.message, strerror(EACCES));
            chmod(folder.path, 0700);
        }
        def.still = false;
    }
    assert_int_equal(tgCountFiles(&folder, false), 0);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestWrongDefs(void** state)
{
    (void)state;
    tgScene* scene = tgMakePairScene();
    tgError error = {0};
    tgBakeDef zero = {0};
    assert_null(tgOpenBake(&zero, &error));
    CHECK_CONTAINS(error.message, "tgDefaultBakeDef");
    tgBakeDef good = tgMakeDef(scene, "never_written.pc2", 1);
    tgBakeDef defs[7] = {good, good, good, good, good, good, good};
    defs[0].frameCount = 0;
    defs[1].fps = 0.0;
    defs[2].fps = (double)NAN;
    defs[3].animation = 0; // the scene has none
    defs[4].scene = NULL;
    defs[5].frameCount = 2;
    defs[5].still = true;
    defs[6].startTime = (double)INFINITY;
    for (int i = 0; i < 7; ++i) {
        assert_null(tgOpenBake(&defs[i], &error));
        assert_int_equal(error.code, tg_invalidArgument);
    }
    assert_int_not_equal(access("never_written.pc2", F_OK), 0);
    tgDestroyScene(scene);
}

/// A limit on the size of files stands for a full disk.
static void TestFullDisk(void** state)
{
    (void)state;
    enum { bigCount = 40000, limit = 100000 };
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakePairScene();
    scene->positions = tgScene_Alloc(scene, bigCount, sizeof(tgVec3));
    scene->vertexCount = bigCount;
    for (int v = 0; v < bigCount; ++v) {
        scene->positions[v] = tgMakeVec3((float)v, 0.5f, -1.0f);
    }
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < tg_endingCount; ++i) {
        tgBakeDef def = tgMakeDef(scene, tgInFolder(&folder, tg_endings[i]), 1);
        tgBake* bake = tgOpenBake(&def, NULL);
        assert_non_null(bake);
        struct rlimit small = {limit, old.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        tgError error = {0};
        tgBake_AddFrame(bake, scene->positions, NULL, NULL);
        tgResult result = tgCloseBake(bake, &error);
        setrlimit(RLIMIT_FSIZE, &old);
        assert_int_equal(result, tg_ioError);
        CHECK_CONTAINS(error.message, strerror(EFBIG));
        assert_int_equal(tgCountFiles(&folder, false), 0);
    }
    signal(SIGXFSZ, SIG_DFL);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestPc2Bytes),
        cmocka_unit_test(TestMddBytes),
        cmocka_unit_test(TestUsdaText),
        cmocka_unit_test(TestObjSequence),
        cmocka_unit_test(TestObjStillHasAllCorners),
        cmocka_unit_test(TestWrongFrames),
        cmocka_unit_test(TestCancelLeavesNothing),
        cmocka_unit_test(TestWrongTargets),
        cmocka_unit_test(TestWrongDefs),
        cmocka_unit_test(TestFullDisk),
    };
    return cmocka_run_group_tests_name("pointcache", tests, NULL, NULL);
}
