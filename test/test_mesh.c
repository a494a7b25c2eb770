// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Meshes as they come: seams, holes, wrong windings, several pieces, soups, bad input.

#include "check.h"
#include "core/rig.h"
#include "core/volume.h"
#include "random.h"
#include "shapes.h"

static tgRig* tgTryRig(const tgShape* shape, tgError* error)
{
    tgRigDef def = tgShape_GetRigDef(shape);
    return tgCreateRig(&def, error);
}

static tgRigInfo tgInfoOf(const tgShape* shape)
{
    tgError error = {0};
    tgRig* rig = tgTryRig(shape, &error);
    if (rig == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(rig);
    tgRigInfo info = tgRig_GetInfo(rig);
    tgDestroyRig(rig);
    return info;
}

static void tgFlipFaceOf(tgShape* shape, int f)
{
    int* corners = shape->faceVertices;
    for (int i = 0; i < f; ++i) {
        corners += shape->faceSizes[i];
    }
    int last = shape->faceSizes[f] - 1, swap = corners[1];
    corners[1] = corners[last];
    corners[last] = swap;
}

static void tgTestClosedCube(void** state)
{
    (void)state;
    tgShape cube = tgMakeCube(true);
    tgRigInfo info = tgInfoOf(&cube);
    assert_int_equal(info.vertexCount, 8);
    assert_int_equal(info.weldedVertexCount, 8);
    assert_int_equal(info.quadCount, 6);
    assert_int_equal(info.triangleCount, 0);
    assert_int_equal(info.boundaryLoopCount, 0);
    assert_int_equal(info.componentCount, 1);
    assert_int_equal(info.reorientedFaceCount, 0);
    CHECK_NEAR(info.restDiagonal, sqrt(3.0), 1e-6);
    tgFreeShape(&cube);
}

/// A cube as a renderer holds it: every side has its own four vertices.
static tgShape tgMakeSeamCube(void)
{
    tgShape cube = tgMakeCube(true);
    tgShape seams = tgMakeShape(24, 6, 24);
    for (int i = 0; i < 24; ++i) {
        seams.positions[i] = cube.positions[cube.faceVertices[i]];
    }
    for (int f = 0; f < 6; ++f) {
        const int side[4] = {4 * f, 4 * f + 1, 4 * f + 2, 4 * f + 3};
        tgShape_AddFace(&seams, 4, side);
    }
    tgFreeShape(&cube);
    return seams;
}

static void tgTestWeld(void** state)
{
    (void)state;
    tgShape seams = tgMakeSeamCube();
    tgRigInfo info = tgInfoOf(&seams);
    assert_int_equal(info.weldedVertexCount, 8);
    assert_int_equal(info.boundaryLoopCount, 0);
    CHECK_NEAR(info.restVolume, 1.0, 1e-15);
    // Half a tolerance apart still welds, across the wall of a grid cell too; ten apart does not.
    seams.positions[0].x += 0.5e-6f * info.restDiagonal;
    assert_int_equal(tgInfoOf(&seams).weldedVertexCount, 8);
    seams.positions[0].x += 10e-6f * info.restDiagonal;
    assert_int_equal(tgInfoOf(&seams).weldedVertexCount, 9);
    tgFreeShape(&seams);
}

static void tgTestDifferentWeightsDoNotWeld(void** state)
{
    (void)state;
    tgShape seams = tgMakeSeamCube();
    seams.jointCount = 2;
    seams.parents[1] = 0;
    for (int i = 0; i < 4; ++i) {
        seams.joints[i] = 1; // the first side follows another joint
    }
    tgRigInfo info = tgInfoOf(&seams);
    assert_int_equal(info.weldedVertexCount, 12);
    assert_int_equal(info.boundaryLoopCount, 1); // of the five other sides
    assert_int_equal(info.componentCount, 2);
    assert_int_equal(info.noInsideCount, 1);
    tgFreeShape(&seams);
}

static void tgTestDifferentKeysDoNotWeld(void** state)
{
    (void)state;
    tgShape seams = tgMakeSeamCube();
    int keys[24] = {1, 1, 1, 1}; // a morph target moves the first side alone
    tgRigDef def = tgShape_GetRigDef(&seams);
    def.weldKeys = keys;
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    assert_int_equal(tgRig_GetInfo(rig).weldedVertexCount, 12);
    tgDestroyRig(rig);
    tgFreeShape(&seams);
}

/// One stray vertex far away must not put all others into one cell of the weld's grid.
static void tgTestWeldIsQuick(void** state)
{
    (void)state;
    tgShape torus = tgMakeTorus(600, 300);
    torus.positions[0] = tgMakeVec3(5000.0f, 0.0f, 0.0f);
    tgRigInfo info = tgInfoOf(&torus); // 180 000 vertices: seconds, if it were quadratic
    assert_int_equal(info.weldedVertexCount, torus.vertexCount);
    tgFreeShape(&torus);
}

static void tgTestOrientation(void** state)
{
    (void)state;
    for (int mask = 0; mask < 64; ++mask) {
        tgShape cube = tgMakeCube(true);
        int flipped = 0;
        for (int f = 0; f < 6; ++f) {
            if (mask >> f & 1) {
                tgFlipFaceOf(&cube, f);
                flipped += 1;
            }
        }
        tgRigInfo info = tgInfoOf(&cube);
        CHECK_NEAR(info.restVolume, 1.0, 1e-15);
        assert_int_equal(info.reorientedFaceCount, flipped);
        assert_int_equal(info.boundaryLoopCount, 0);
        tgFreeShape(&cube);
    }
}

static void tgTestHoles(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(12, 6, 5.0f, 2.0f, 3.0f, true);
    tgRigInfo info = tgInfoOf(&tube);
    assert_int_equal(info.boundaryLoopCount, 2);
    assert_int_equal(info.boundaryEdgeCount, 24);
    assert_int_equal(info.componentCount, 1);
    double volume = info.restVolume;
    assert_true(volume > 0.0);
    for (int f = 0; f < tube.faceCount; ++f) {
        tgFlipFaceOf(&tube, f); // inside out: the caps must turn along
    }
    CHECK_NEAR(tgInfoOf(&tube).restVolume, volume, 1e-12);
    tgFreeShape(&tube);
}

/// Two tetrahedra that share an edge: four faces meet in it, and nothing is open.
static void tgTestNonManifoldEdge(void** state)
{
    (void)state;
    static const int faces[8][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2},
                                    {0, 1, 4}, {0, 5, 1}, {0, 4, 5}, {1, 5, 4}};
    tgShape pair = tgMakeShape(6, 8, 24);
    pair.positions[0] = tgMakeVec3(0.0f, 0.0f, 0.0f);
    pair.positions[1] = tgMakeVec3(1.0f, 0.0f, 0.0f);
    pair.positions[2] = tgMakeVec3(0.0f, 0.0f, 1.0f);
    pair.positions[3] = tgMakeVec3(0.0f, 1.0f, 0.0f);
    pair.positions[4] = tgMakeVec3(0.0f, 0.0f, -1.0f);
    pair.positions[5] = tgMakeVec3(0.0f, -1.0f, 0.0f);
    for (int f = 0; f < 8; ++f) {
        tgShape_AddFace(&pair, 3, faces[f]);
    }
    tgRigInfo info = tgInfoOf(&pair);
    assert_int_equal(info.nonManifoldEdgeCount, 1);
    assert_int_equal(info.boundaryLoopCount, 0);
    CHECK_NEAR(info.restVolume, 2.0 / 6.0, 1e-7);
    tgFreeShape(&pair);
}

/// With its caps any soup is closed: the gradients must cancel, and the volume not depend on where
/// the origin is.
static void tgTestSoup(void** state)
{
    (void)state;
    unsigned seed = 7;
    for (int round = 0; round < 60; ++round) {
        tgShape soup = tgMakeShape(20, 30, 120);
        for (int i = 0; i < 60; ++i) {
            (&soup.positions[0].x)[i] = (float)tgNextUnit(&seed);
        }
        for (int f = 0; f < 30; ++f) {
            int corners[4];
            for (int k = 0; k < 4; ++k) {
                corners[k] = (int)(20.0 * tgNextUnit(&seed));
            }
            tgShape_AddFace(&soup, 3 + f % 2, corners);
        }
        tgError error = {0};
        tgRig* rig = tgTryRig(&soup, &error);
        assert_non_null(rig);
        const tgMesh* mesh = &rig->mesh;
        size_t count = (size_t)(mesh->vertexCount + mesh->loopCount);
        const tgParallel here = {0};
        const tgKernels* kernels = tgSelectKernels(tg_simdScalar);
        float* slots = calloc(4 * (size_t)tgMesh_SlotCount(mesh), sizeof(float));
        float* g = calloc(4 * count, sizeof(float));
        double volume = 0.0, total[3] = {0.0, 0.0, 0.0};
        tgFillGradient(&here, kernels, mesh, rig->skin.rest, slots, g);
        for (int v = 0; v < mesh->vertexCount; ++v) {
            for (int axis = 0; axis < 3; ++axis) {
                // V is trilinear: three times V = <p, dV/dp>.
                volume += (double)(rig->skin.rest[4 * v + axis] * g[4 * v + axis]) / 3.0;
                total[axis] += (double)g[4 * v + axis];
            }
        }
        CHECK_NEAR(volume, rig->info.restVolume, 2e-6);
        for (int axis = 0; axis < 3; ++axis) {
            CHECK_NEAR(total[axis], 0.0, 3e-6);
        }
        free(slots);
        free(g);
        tgDestroyRig(rig);
        tgFreeShape(&soup);
    }
}

static void tgTestDegenerateAndPolygons(void** state)
{
    (void)state;
    // A prism over a regular hexagon, its ends two six-sided polygons.
    tgShape prism = tgMakeShape(12, 9, 40);
    for (int k = 0; k < 6; ++k) {
        float c = (float)cos(k * 1.0471975511965976), s = (float)sin(k * 1.0471975511965976);
        prism.positions[k] = tgMakeVec3(c, s, 0.0f);
        prism.positions[6 + k] = tgMakeVec3(c, s, 1.0f);
    }
    const int bottom[6] = {5, 4, 3, 2, 1, 0}, top[6] = {6, 7, 8, 9, 10, 11}, thin[3] = {0, 0, 1};
    tgShape_AddFace(&prism, 6, bottom);
    tgShape_AddFace(&prism, 6, top);
    tgShape_AddFace(&prism, 3, thin);
    for (int k = 0; k < 6; ++k) {
        const int side[4] = {k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k};
        tgShape_AddFace(&prism, 4, side);
    }
    tgRigInfo info = tgInfoOf(&prism);
    assert_int_equal(info.triangleCount, 8);
    assert_int_equal(info.quadCount, 6);
    assert_int_equal(info.degenerateFaceCount, 1);
    assert_int_equal(info.boundaryLoopCount, 0);
    CHECK_NEAR(info.restVolume, 1.5 * sqrt(3.0), 1e-6);
    tgFreeShape(&prism);
}

static void tgExpectError(const tgRigDef* def, const char* fragment)
{
    tgError error = {0};
    assert_null(tgCreateRig(def, &error));
    assert_int_not_equal(error.code, tg_success);
    CHECK_CONTAINS(error.message, fragment);
    assert_null(tgCreateRig(def, NULL)); // nobody has to ask why
}

static void tgTestBadInput(void** state)
{
    (void)state;
    tgShape cube = tgMakeCube(true);
    const tgRigDef good = tgShape_GetRigDef(&cube);
    tgRigDef def = {0};
    tgExpectError(&def, "tgDefaultRigDef");
    tgExpectError(NULL, "no rig definition");
    def = good;
    def.restPositions.count = 0;
    tgExpectError(&def, "0 vertices");
    def = good;
    def.faceCount = 0;
    tgExpectError(&def, "no faces");
    def = good;
    def.jointCount = 0;
    tgExpectError(&def, "0 joints");
    def = good;
    def.influenceWeights = NULL;
    tgExpectError(&def, "no skin weights");
    def = good;
    def.skinning = (tgSkinning)7;
    tgExpectError(&def, "skinning 7");

    cube.faceVertices[5] = 8;
    tgExpectError(&good, "face 1 uses vertex 8, the mesh has 8");
    cube.faceVertices[5] = -1;
    tgExpectError(&good, "face 1 uses vertex -1");
    cube.faceVertices[5] = 3;
    cube.faceSizes[2] = 2;
    tgExpectError(&good, "face 2 has 2 corners");
    cube.faceSizes[2] = 4;
    cube.positions[3].y = NAN;
    tgExpectError(&good, "vertex 3");
    cube.positions[3].y = 1e30f;
    tgExpectError(&good, "vertex 3");
    cube.positions[3].y = 1.0f;
    cube.weights[4] = 0.62f;
    tgExpectError(&good, "vertex 4 has weights that sum to 0.62");
    cube.weights[4] = NAN;
    tgExpectError(&good, "vertex 4 has weight nan");
    cube.weights[4] = 1.0f;
    cube.joints[6] = 9;
    tgExpectError(&good, "vertex 6 follows joint 9, the skeleton has 1");
    cube.joints[6] = 0;
    cube.parents[0] = 0;
    tgExpectError(&good, "its own ancestor");
    cube.parents[0] = 4;
    tgExpectError(&good, "joint 0 has parent 4");
    cube.parents[0] = -1;
    cube.restJoints[0].x = tgMakeVec3(0.0f, 0.0f, 0.0f);
    tgExpectError(&good, "cannot be inverted");
    cube.restJoints[0] = tgIdentityMat34();
    for (int v = 0; v < 8; ++v) {
        cube.positions[v] = tgMakeVec3(1.0f, 2.0f, 3.0f);
    }
    tgExpectError(&good, "coincide");
    tgFreeShape(&cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestClosedCube),
        cmocka_unit_test(tgTestWeld),
        cmocka_unit_test(tgTestDifferentWeightsDoNotWeld),
        cmocka_unit_test(tgTestDifferentKeysDoNotWeld),
        cmocka_unit_test(tgTestWeldIsQuick),
        cmocka_unit_test(tgTestOrientation),
        cmocka_unit_test(tgTestHoles),
        cmocka_unit_test(tgTestNonManifoldEdge),
        cmocka_unit_test(tgTestSoup),
        cmocka_unit_test(tgTestDegenerateAndPolygons),
        cmocka_unit_test(tgTestBadInput),
    };
    return cmocka_run_group_tests_name("mesh", tests, NULL, NULL);
}
