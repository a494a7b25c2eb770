// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume of written files, measured by their own triangles: a mesh of quads that leaves as glTF
// is cut before the volume is kept. Skipped in words for characters that are not there.

#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE

#include "assets.h"
#include "mesh_volume.h"
#include "write_fixture.h"

enum { tg_frameCount = 6 };

/// Bakes some frames of the first animation, and tells each one's target over the bind volume.
static void tgBakeFrames(const tgScene* scene, const char* path, double targets[tg_frameCount])
{
    tgRigDef def = tgScene_GetRigDef(scene);
    def.volume.method = tg_volumeExact;
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    tgVec3* positions = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    tgBakeDef bakeDef = tgDefaultBakeDef();
    bakeDef.scene = scene;
    bakeDef.path = path;
    bakeDef.frameCount = tg_frameCount;
    bakeDef.fps = 1.0; // so that frame i is at second i of the file
    tgBake* bake = tgOpenBake(&bakeDef, NULL);
    assert_non_null(bake);
    for (int i = 0; i < tg_frameCount; ++i) {
        double time = scene->animations[0].end * i / (tg_frameCount - 1);
        tgScene_SamplePose(scene, 0, time, nodes, joints, NULL);
        tgPose pose = {.joints = joints, .jointCount = scene->jointCount};
        tgVec3Span out = {&positions->x, scene->vertexCount, sizeof(tgVec3)};
        assert_int_equal(tgInstance_Deform(instance, &pose, out, (tgVec3Span){0}, NULL), 0);
        assert_int_equal(tgBake_AddFrame(bake, positions, NULL, NULL), tg_success);
        targets[i] = tgInstance_MeasureVolume(instance).target / tgRig_GetInfo(rig).restVolume;
    }
    assert_int_equal(tgCloseBake(bake, NULL), tg_success);
    free(nodes);
    free(joints);
    free(positions);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
}

/// The worst miss of the file's frames, by its own triangles.
/// @param character whose bind pose tells which vertices are one
static double tgMeasureFile(const tgScene* character, const char* path,
                            const double targets[tg_frameCount])
{
    tgScene* file = tgLoadScene(path, NULL);
    assert_non_null(file);
    assert_int_equal(file->vertexCount, character->vertexCount);
    tgScene bind = *file; // the file's triangles at rest
    bind.positions = character->positions;
    tgTestMesh mesh = tgMakeTestMesh(&bind);
    double rest = tgTestMesh_Measure(&mesh, bind.positions), worst = 0.0;
    tgMat34* nodes = calloc((size_t)file->nodeCount, sizeof(tgMat34));
    float* weights = calloc((size_t)file->morphCount, sizeof(float));
    tgVec3* positions = calloc((size_t)file->vertexCount, sizeof(tgVec3));
    for (int i = 0; i < tg_frameCount; ++i) {
        tgScene_SamplePose(file, 0, i, nodes, NULL, weights);
        tgScene_SampleShape(file, weights, positions);
        double volume = tgTestMesh_Measure(&mesh, positions);
        worst = fmax(worst, fabs(volume / (rest * targets[i]) - 1.0));
    }
    free(nodes);
    free(weights);
    free(positions);
    tgFreeTestMesh(&mesh);
    tgDestroyScene(file);
    return worst;
}

static void tgCheckWritten(const char* name, const tgScene* scene)
{
    tgFolder folder = tgMakeFolder();
    const char* path = tgInFolder(&folder, "written.glb");
    double misses[2], targets[tg_frameCount];
    for (int i = 0; i < 2; ++i) {
        tgScene* own = tgLoadAsset(name); // the scene is not ours to cut
        assert_int_equal(own->vertexCount, scene->vertexCount);
        if (i == 1) {
            assert_int_equal(tgScene_Triangulate(own, NULL), tg_success);
        }
        tgBakeFrames(own, path, targets);
        misses[i] = tgMeasureFile(own, path, targets);
        tgDestroyScene(own);
    }
    print_message("%-12s misses its volume by %.1e, cut beforehand by %.1e\n", name, misses[0],
                  misses[1]);
    assert_true(misses[0] > 1e-5); // else this would prove nothing
    CHECK_AT_MOST(misses[1], 1e-6);
    tgRemoveFolder(&folder);
}

static void TestCharacters(void** state)
{
    (void)state;
    static const char* const names[] = {"Trex.fbx", "Snake.fbx"};
    tgCheckAssets(names, sizeof(names) / sizeof(names[0]), tgCheckWritten);
}

/// A quad, a triangle and a pentagon in two parts, of which the second has the last two.
static void TestTriangulate(void** state)
{
    (void)state;
    tgVec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {3, 1, 0}, {0, 1, 0},  {0, 0, 1},
                          {1, 0, 1}, {0, 1, 1}, {1, 2, 1}, {-1, 1, 1}, {-1, 0, 1}};
    int sizes[] = {4, 3, 5}, corners[] = {0, 1, 2, 3, 4, 5, 6, 4, 6, 7, 8, 9};
    tgScenePart parts[] = {{.vertexCount = 4, .faceCount = 1},
                           {.firstVertex = 4, .vertexCount = 6, .firstFace = 1, .faceCount = 2}};
    tgScene* scene = tgCreateScene();
    scene->vertexCount = 10;
    scene->positions = positions;
    scene->faceCount = 3;
    scene->faceSizes = sizes;
    scene->faceVertices = corners;
    scene->partCount = 2;
    scene->parts = parts;
    assert_int_equal(tgScene_Triangulate(scene, NULL), tg_success);
    assert_int_equal(scene->faceCount, 6);
    const int first[] = {0, 1, 3, 1, 2, 3, 4, 5, 6}; // 1 to 3 is the shorter way
    assert_memory_equal(scene->faceVertices, first, sizeof(first));
    for (int f = 0; f < 6; ++f) {
        assert_int_equal(scene->faceSizes[f], 3);
    }
    assert_int_equal(scene->parts[0].faceCount, 2);
    assert_int_equal(scene->parts[1].firstFace, 2);
    assert_int_equal(scene->parts[1].faceCount, 4);
    // Once more changes nothing.
    const int* faces = scene->faceVertices;
    assert_int_equal(tgScene_Triangulate(scene, NULL), tg_success);
    assert_ptr_equal(scene->faceVertices, faces);
    tgDestroyScene(scene);
}

static void TestFormats(void** state)
{
    (void)state;
    static const char* const keep[] = {"a.obj", "a.usda", "a.pc2", "a.mdd", "a.OBJ", "a"};
    for (size_t i = 0; i < sizeof(keep) / sizeof(keep[0]); ++i) {
        assert_true(tgKeepsPolygons(keep[i]));
    }
    assert_false(tgKeepsPolygons("a.glb"));
    assert_false(tgKeepsPolygons("a.gltf"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestTriangulate),
        cmocka_unit_test(TestFormats),
        cmocka_unit_test(TestCharacters),
    };
    return cmocka_run_group_tests_name("written_volume", tests, NULL, NULL);
}
