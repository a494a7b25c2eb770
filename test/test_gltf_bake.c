// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Bakes to glTF of scenes that did not come from one: read back, they make every frame; taken
// apart, they are sparse where that is smaller, and a still is the mesh itself.

#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE

#include "glb_file.h"

#include "io/gltf_builder.h"

enum { tg_gridSide = 20, tg_gridCount = tg_gridSide * tg_gridSide, tg_gridFrames = 4 };

/// A flat sheet of quads in 400 vertices.
static tgScene* tgMakeGridScene(void)
{
    tgScene* scene = tgCreateScene();
    int faceCount = (tg_gridSide - 1) * (tg_gridSide - 1);
    scene->vertexCount = tg_gridCount;
    scene->positions = tgScene_Alloc(scene, tg_gridCount, sizeof(tgVec3));
    scene->faceCount = faceCount;
    scene->faceSizes = tgScene_Alloc(scene, (size_t)faceCount, sizeof(int));
    scene->faceVertices = tgScene_Alloc(scene, (size_t)faceCount, 4 * sizeof(int));
    for (int v = 0; v < tg_gridCount; ++v) {
        scene->positions[v] =
            tgMakeVec3(0.1f * (float)(v % tg_gridSide), 0.0f, -0.1f * (float)(v / tg_gridSide));
    }
    for (int f = 0; f < faceCount; ++f) {
        int v = f / (tg_gridSide - 1) * tg_gridSide + f % (tg_gridSide - 1);
        int quad[4] = {v, v + 1, v + 1 + tg_gridSide, v + tg_gridSide};
        memcpy(scene->faceVertices + 4 * f, quad, sizeof(quad));
        scene->faceSizes[f] = 4;
    }
    return scene;
}

/// Frame 0 is the bind pose, in 1 and 2 a few vertices move, in 3 all of them.
static void tgMakeGridFrame(const tgScene* scene, int frame, tgVec3* positions)
{
    for (int v = 0; v < tg_gridCount; ++v) {
        bool moves = frame == 3 || (frame > 0 && v % 50 == frame);
        positions[v] = scene->positions[v];
        positions[v].y = moves ? 0.3f * sinf((float)(v + frame)) : 0.0f;
    }
}

static void tgBakeGridTo(const tgScene* scene, const char* path, tgBytes* memory,
                         const tgVec3* normals)
{
    tgBakeDef def = tgDefaultBakeDef();
    tgError error = {0};
    def.scene = scene;
    def.path = path;
    def.memory = memory;
    def.frameCount = tg_gridFrames;
    def.firstFrame = 8;
    def.startTime = 0.5;
    def.fps = 10.0;
    tgBake* bake = tgOpenBake(&def, &error);
    assert_non_null(bake);
    for (int i = 0; i < tg_gridFrames; ++i) {
        tgVec3 positions[tg_gridCount];
        tgMakeGridFrame(scene, i, positions);
        assert_int_equal(tgBake_AddFrame(bake, positions, normals, &error), tg_success);
    }
    assert_int_equal(tgCloseBake(bake, &error), tg_success);
}

static void tgBakeGrid(const tgScene* scene, const char* path, const tgVec3* normals)
{
    tgBakeGridTo(scene, path, NULL, normals);
}

/// Read back, the morph targets make every frame, and straight lines between them.
static void TestBakeReadsBack(void** state)
{
    (void)state;
    static const char* const names[2] = {"grid.glb", "grid.gltf"};
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeGridScene();
    for (int i = 0; i < 2; ++i) {
        tgBakeGrid(scene, tgInFolder(&folder, names[i]), NULL);
        tgScene* back = tgLoadBack(tgInFolder(&folder, names[i]));
        assert_int_equal(back->jointCount, 0);
        assert_int_equal(back->morphCount, tg_gridFrames);
        assert_string_equal(back->morphs[3].name, "frame_0011");
        CHECK_NEAR(back->animations[0].start, 0.5, 0.0);
        CHECK_NEAR(back->animations[0].end, 0.8, 1e-6);
        tgVec3 expected[tg_gridCount], next[tg_gridCount], found[tg_gridCount];
        for (int frame = 0; frame < tg_gridFrames; ++frame) {
            tgMakeGridFrame(scene, frame, expected);
            tgSkinScene(back, 0, 0.5 + 0.1 * frame, found);
            tgCheckSamePositions(found, expected, tg_gridCount, 1e-6 * tg_armDiagonal);
        }
        tgMakeGridFrame(scene, 2, expected);
        tgMakeGridFrame(scene, 3, next);
        tgSkinScene(back, 0, 0.75, found);
        for (int v = 0; v < tg_gridCount; ++v) {
            expected[v] = tgLerp(expected[v], next[v], 0.5f);
        }
        tgCheckSamePositions(found, expected, tg_gridCount, 1e-6 * tg_armDiagonal);
        tgDestroyScene(back);
    }
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestBakeIsSparseWhereSmaller(void** state)
{
    (void)state;
    static const int counts[3] = {1, 8, 8}; // glTF wants one even where nothing moves
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeGridScene();
    tgBakeGrid(scene, tgInFolder(&folder, "grid.glb"), NULL);
    tgGlbFile file = tgOpenGlb(folder.file);
    // The base is the first frame to the bit, which here is the bind pose.
    int base = tgFindInt(file.document, "meshes.0.primitives.0.attributes.POSITION");
    assert_memory_equal(tgGetArray(&file, base), scene->positions, tg_gridCount * sizeof(tgVec3));
    assert_int_equal(tgCountJson(file.document, "meshes.0.primitives.0.targets"), 4);
    for (int i = 0; i < tg_gridFrames; ++i) {
        char path[96];
        snprintf(path, sizeof(path), "meshes.0.primitives.0.targets.%d.POSITION", i);
        snprintf(path, sizeof(path), "accessors.%d.sparse", tgFindInt(file.document, path));
        tgJsonValue* sparse = tgFindJson(file.document, path);
        if (i == 3) {
            assert_null(sparse);
            continue;
        }
        assert_int_equal(tgFindInt(sparse, "count"), counts[i]);
        size_t size = 0;
        const unsigned char* indices =
            tgGetView(&file, tgFindInt(sparse, "indices.bufferView"), &size);
        assert_int_equal(size, (size_t)counts[i] * 2); // 16 bits for 400 vertices
        uint16_t first;
        memcpy(&first, indices, sizeof(first));
        assert_int_equal(first, i);
    }
    tgCloseGlb(&file);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

/// Frames with normals: the base gets unit ones too, whatever the frames hold.
static void TestBakedNormals(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeGridScene();
    tgVec3 normals[tg_gridCount];
    for (int v = 0; v < tg_gridCount; ++v) {
        normals[v] = tgMakeVec3(0.0f, 0.0f, 2.0f);
    }
    normals[7] = tgMakeVec3(0.0f, 0.0f, 0.0f);
    normals[8] = tgMakeVec3(NAN, 0.0f, 0.0f);
    tgBakeGrid(scene, tgInFolder(&folder, "grid.glb"), normals);
    tgGlbFile file = tgOpenGlb(folder.file);
    const tgVec3* base =
        tgGetArray(&file, tgFindInt(file.document, "meshes.0.primitives.0.attributes.NORMAL"));
    for (int v = 0; v < tg_gridCount; ++v) { // of the sheet where frames have none
        bool hasNone = v == 7 || v == 8;
        tgVec3 wanted = hasNone ? tgMakeVec3(0.0f, 1.0f, 0.0f) : tgMakeVec3(0.0f, 0.0f, 1.0f);
        CHECK_NEAR(tgDistance(base[v], wanted), 0.0, 1e-6);
    }
    // All frames have the first one's normals.
    int same = tgFindInt(file.document, "meshes.0.primitives.0.targets.2.NORMAL");
    char path[64];
    snprintf(path, sizeof(path), "accessors.%d.sparse.count", same);
    assert_int_equal(tgFindInt(file.document, path), 1);
    tgCloseGlb(&file);

    tgBakeDef def = tgDefaultBakeDef();
    tgError error = {0};
    def.scene = scene;
    def.path = tgInFolder(&folder, "grid.glb");
    def.frameCount = 2;
    tgBake* bake = tgOpenBake(&def, &error);
    assert_int_equal(tgBake_AddFrame(bake, scene->positions, normals, &error), tg_success);
    assert_int_equal(tgBake_AddFrame(bake, scene->positions, NULL, &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "frame 1 has no normals");
    tgCancelBake(bake);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestStillIsTheMesh(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeArmScene();
    tgVec3 posed[tg_armVertexCount];
    tgSkinScene(scene, 0, 1.0, posed);
    tgBakeDef def = tgDefaultBakeDef();
    def.scene = scene;
    def.path = tgInFolder(&folder, "still.glb");
    def.still = true;
    def.animation = 0;
    def.startTime = 1.0;
    tgBake* bake = tgOpenBake(&def, NULL);
    assert_int_equal(tgBake_AddFrame(bake, posed, NULL, NULL), tg_success);
    assert_int_equal(tgCloseBake(bake, NULL), tg_success);
    tgGlbFile file = tgOpenGlb(folder.file);
    assert_null(tgFindJson(file.document, "animations"));
    assert_null(tgFindJson(file.document, "meshes.0.primitives.0.targets"));
    int positions = tgFindInt(file.document, "meshes.1.primitives.0.attributes.POSITION");
    assert_memory_equal(tgGetArray(&file, positions), posed + 12, 5 * sizeof(tgVec3));
    // The rest normals would be wrong by now: these come from the faces, and the hat has tipped.
    int normals = tgFindInt(file.document, "meshes.1.primitives.0.attributes.NORMAL");
    const tgVec3* hat = tgGetArray(&file, normals);
    tgVec3 wanted = tgNormalize(tgCross(tgSub(posed[13], posed[12]), tgSub(posed[14], posed[12])),
                                tgMakeVec3(0.0f, 0.0f, 0.0f));
    CHECK_NEAR(tgDistance(hat[0], wanted), 0.0, 1e-5);
    CHECK_AT_MOST(hat[0].y, 0.9);
    tgCloseGlb(&file);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

/// The limit itself is 4 GiB; a small one shows that it is kept, with nothing left behind.
static void TestTooLarge(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgVec3 positions[100] = {{0.0f, 0.0f, 0.0f}};
    for (int limit = 1000; limit <= 1300; limit += 300) { // by the arrays, by the whole file
        tgGltfBuilder builder;
        tgError error = {0};
        assert_int_equal(tgGltfBuilder_Open(&builder, tgInFolder(&folder, "a.glb"), NULL, &error),
                         tg_success);
        assert_true(builder.sizeLimit == UINT32_MAX);
        builder.sizeLimit = (uint64_t)limit;
        tgGltfBuilder_AddPositions(&builder, positions, 100);
        assert_int_equal(tgGltfBuilder_HasFailed(&builder), limit == 1000);
        assert_int_equal(tgGltfBuilder_Close(&builder, &error), tg_unsupported);
        CHECK_CONTAINS(error.message, "4 GiB");
        tgGltfBuilder_Discard(&builder);
        assert_int_equal(tgCountFiles(&folder, false), 0);
    }
    tgRemoveFolder(&folder);
}

/// In memory there are the bytes of the file, and no file; one that is given up leaves nothing.
static void TestMemory(void** state)
{
    (void)state;
    static const char* const names[] = {"grid.glb", "grid.gltf", "grid.pc2", "grid.mdd", "g.usda"};
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeGridScene();
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        tgBytes memory = {NULL, 1};
        tgBakeGridTo(scene, tgInFolder(&folder, names[i]), &memory, NULL);
        assert_int_equal(tgCountFiles(&folder, false), 0);
        tgBakeGrid(scene, tgInFolder(&folder, names[i]), NULL);
        size_t size = 0;
        unsigned char* written = tgReadBytes(tgInFolder(&folder, names[i]), &size);
        assert_int_equal(memory.size, size);
        assert_memory_equal(memory.data, written, size);
        free(written);
        tgFreeBytes(&memory);
        assert_null(memory.data);
        remove(tgInFolder(&folder, names[i]));
    }
    tgError error = {0};
    tgBytes memory = {NULL, 1};
    tgBakeDef def = tgDefaultBakeDef();
    def.scene = scene;
    def.path = "grid.glb";
    def.memory = &memory;
    tgBake* bake = tgOpenBake(&def, &error);
    assert_non_null(bake);
    assert_int_equal(tgCloseBake(bake, &error), tg_invalidArgument); // no frame was added
    assert_null(memory.data);
    def.path = "grid.obj";
    assert_null(tgOpenBake(&def, &error));
    CHECK_CONTAINS(error.message, "one file a frame");
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestBakeReadsBack), cmocka_unit_test(TestBakeIsSparseWhereSmaller),
        cmocka_unit_test(TestBakedNormals),  cmocka_unit_test(TestStillIsTheMesh),
        cmocka_unit_test(TestTooLarge),      cmocka_unit_test(TestMemory),
    };
    return cmocka_run_group_tests_name("gltf_bake", tests, NULL, NULL);
}
