// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Volume and gradient: closed forms, finite differences, far from the origin, open meshes.

#include "check.h"
#include "core/rig.h"
#include "core/volume.h"
#include "random.h"
#include "shapes.h"

static const double tg_pi = 3.14159265358979323846;

static tgRig* tgMakeRig(const tgShape* shape)
{
    tgError error = {0};
    tgRigDef def = tgShape_GetRigDef(shape);
    tgRig* rig = tgCreateRig(&def, &error);
    if (rig == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(rig);
    return rig;
}

static double tgVolumeOf(tgShape shape)
{
    tgRig* rig = tgMakeRig(&shape);
    double volume = tgRig_GetInfo(rig).restVolume;
    tgDestroyRig(rig);
    tgFreeShape(&shape);
    return volume;
}

static void tgTestCube(void** state)
{
    (void)state;
    CHECK_NEAR(tgVolumeOf(tgMakeCube(false)), 1.0, 1e-15);
    CHECK_NEAR(tgVolumeOf(tgMakeCube(true)), 1.0, 1e-15);
}

static void tgTestSphereConverges(void** state)
{
    (void)state;
    double exact = 4.0 / 3.0 * tg_pi;
    double coarse = exact - tgVolumeOf(tgMakeSphere(32, 15));
    double fine = exact - tgVolumeOf(tgMakeSphere(64, 31));
    double finest = exact - tgVolumeOf(tgMakeSphere(128, 63));
    assert_true(finest > 0.0);
    CHECK_NEAR(coarse / fine, 4.0, 0.1); // second order
    CHECK_NEAR(fine / finest, 4.0, 0.1);
    CHECK_AT_MOST(finest / exact, 2e-3);
}

static void tgTestTorus(void** state)
{
    (void)state;
    double exact = 2.0 * tg_pi * tg_pi * 2.0 * 0.25;
    CHECK_NEAR(tgVolumeOf(tgMakeTorus(400, 400)) / exact, 1.0, 1e-4);
}

/// Under the bilinear patch z = 1 + h x y lies 1 + h/4; its two triangulations give h/6 and h/3.
static void tgTestSaddle(void** state)
{
    (void)state;
    tgShape box = tgMakeCube(true);
    box.positions[7].z = 1.0f + 0.75f;
    CHECK_NEAR(tgVolumeOf(box), 1.0 + 0.75 / 4.0, 1e-15);
}

/// Shakes a shape so that no symmetry hides an error; deterministic.
static void tgShake(tgShape* shape, float amount)
{
    unsigned seed = 12345;
    for (int v = 0; v < shape->vertexCount; ++v) {
        float* p = &shape->positions[v].x;
        for (int axis = 0; axis < 3; ++axis) {
            p[axis] += amount * (float)tgNextSigned(&seed);
        }
    }
}

static void tgCheckGradient(tgShape shape, tgSimd simd)
{
    tgShake(&shape, 0.05f);
    tgRig* rig = tgMakeRig(&shape);
    const tgMesh* mesh = &rig->mesh;
    const tgKernels* kernels = tgSelectKernels(simd);
    const tgParallel here = {0};
    size_t count = (size_t)(mesh->vertexCount + mesh->loopCount);
    float* p = aligned_alloc(64, (16 * count + 63) / 64 * 64);
    float* g = aligned_alloc(64, (16 * count + 63) / 64 * 64);
    float* slots = aligned_alloc(64, (16 * (size_t)tgMesh_SlotCount(mesh) + 63) / 64 * 64);
    memcpy(p, rig->skin.rest, 16 * count);
    tgFillGradient(&here, kernels, mesh, p, slots, g);
    double volume = tgVolume(mesh, p);

    // V is linear in any one coordinate, so a difference over any step is the derivative.
    float step = 0.5f;
    double axisVolume[3] = {0.0, 0.0, 0.0};
    for (int v = 0; v < mesh->vertexCount; ++v) {
        for (int axis = 0; axis < 3; ++axis) {
            float* x = p + 4 * v + axis;
            float before = *x;
            *x = before + step;
            tgPlaceCapCenters(mesh, p);
            double up = tgVolume(mesh, p), high = (double)*x;
            *x = before - step;
            tgPlaceCapCenters(mesh, p);
            double down = tgVolume(mesh, p), low = (double)*x;
            *x = before;
            CHECK_NEAR((double)g[4 * v + axis], (up - down) / (high - low), 3e-6);
            axisVolume[axis] += (double)g[4 * v + axis] * ((double)before - (double)p[axis]);
        }
    }
    for (int axis = 0; axis < 3; ++axis) { // V = <x, dV/dx>, and so for y and z
        CHECK_NEAR(axisVolume[axis] / volume, 1.0, 1e-5);
    }
    free(p);
    free(g);
    free(slots);
    tgDestroyRig(rig);
    tgFreeShape(&shape);
}

static void tgTestGradient(void** state)
{
    (void)state;
    for (int simd = tg_simdScalar; simd <= tg_simdWasm; ++simd) {
        if (tgSelectKernels((tgSimd)simd) != NULL) {
            tgCheckGradient(tgMakeCube(false), (tgSimd)simd);
            tgCheckGradient(tgMakeSphere(12, 7), (tgSimd)simd);
            tgCheckGradient(tgMakeTorus(12, 8), (tgSimd)simd);
            tgCheckGradient(tgMakeTube(9, 5, 4.0f, 1.0f, 3.0f, true), (tgSimd)simd);
        }
    }
}

static double tgMovedVolume(tgShape* shape, float shift, double* fast)
{
    for (int v = 0; v < shape->vertexCount; ++v) {
        shape->positions[v] = tgAdd(shape->positions[v], tgMakeVec3(shift, -shift, shift));
    }
    tgRig* rig = tgMakeRig(shape);
    double volume = tgRig_GetInfo(rig).restVolume;
    const float* p = rig->skin.rest;
    *fast =
        tgQuickVolume(tgSelectKernels(tg_simdBest), &rig->mesh, p, tgMakeVec3(p[0], p[1], p[2]));
    tgDestroyRig(rig);
    return volume;
}

/// Coordinates are snapped to a grid that float holds exactly at both places, so that only the sum
/// itself is put to the test.
static void tgTestFarAway(void** state)
{
    (void)state;
    tgShape sphere = tgMakeSphere(64, 31);
    for (int v = 0; v < 3 * sphere.vertexCount; ++v) {
        float* x = &sphere.positions[0].x + v;
        *x = roundf(*x * 4096.0f) / 4096.0f;
    }
    double fastNear, fastFar;
    double near = tgMovedVolume(&sphere, 0.0f, &fastNear);
    double far = tgMovedVolume(&sphere, 1000.0f, &fastFar);
    CHECK_NEAR(far / near, 1.0, 1e-8);
    CHECK_NEAR(fastFar / fastNear, 1.0, 1e-8);
    tgFreeShape(&sphere);
}

/// An open tube closed by its caps has the volume of the prism over the polygon.
static void tgTestCaps(void** state)
{
    (void)state;
    double polygon = 0.5 * 24.0 * sin(2.0 * tg_pi / 24.0);
    CHECK_NEAR(tgVolumeOf(tgMakeTube(24, 10, 8.0f, 3.0f, 5.0f, true)), 8.0 * polygon, 1e-5);
    tgShape box = tgMakeCube(true);
    box.faceCount -= 1; // no lid
    CHECK_NEAR(tgVolumeOf(box), 1.0, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestCube),     cmocka_unit_test(tgTestSphereConverges),
        cmocka_unit_test(tgTestTorus),    cmocka_unit_test(tgTestSaddle),
        cmocka_unit_test(tgTestGradient), cmocka_unit_test(tgTestFarAway),
        cmocka_unit_test(tgTestCaps),
    };
    return cmocka_run_group_tests_name("volume", tests, NULL, NULL);
}
