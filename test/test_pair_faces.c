// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Faces of four corners: the volume, and the cubic of it along a field, against sums over triangles
// in double and against finite differences; on meshes with quads, caps, odd numbers of triangles
// and faces without a partner.

#include "core/kernels.h"
#include "core/rig.h"
#include "core/volume.h"
#include "random_skin.h"

static tgRig* tgMakeRig(const tgShape* shape)
{
    tgRigDef def = tgShape_GetRigDef(shape);
    def.volume.method = tg_volumeExact;
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    return rig;
}

/// Each triangle and cap once, each quad once, corners that walk the same way.
static void tgCheckFaces(const tgRig* rig)
{
    const tgMesh* mesh = &rig->mesh;
    const tgVolumeRig* stage = &rig->stage;
    int triangles = 0, paired = 0;
    for (int f = 0; f < stage->quadStart; ++f) {
        const int* c = stage->faces + 4 * (size_t)f;
        bool isFilling = c[1] == c[0]; // makes the number even
        triangles += isFilling ? 0 : c[3] == c[0] ? 1 : 2;
        paired += c[3] == c[0] ? 0 : 2;
    }
    assert_int_equal(triangles, mesh->triangleCount + mesh->capTriangleCount);
    assert_int_equal(stage->faceCount - stage->quadStart, mesh->quadCount + mesh->quadCount % 2);
    assert_int_equal(stage->quadStart % 2, 0);
    // On a manifold most find a partner; 88 to 93 in a hundred on characters.
    assert_true(paired >= (triangles > 40 ? 0.75 : 0.0) * triangles);
}

/// 4 floats for each vertex and middle of a cap: the rest, shaken.
static float* tgShakeRest(const tgRig* rig, unsigned seed, float amount, float most)
{
    int count = rig->mesh.vertexCount + rig->mesh.loopCount;
    float* p = calloc(4 * (size_t)rig->skin.elementCount + 4 * (size_t)rig->mesh.loopCount + 32,
                      sizeof(float));
    for (int v = 0; v < count; ++v) {
        for (int i = 0; i < 3; ++i) {
            p[4 * v + i] = most * rig->skin.rest[4 * v + i] + amount * (float)tgNextSigned(&seed);
        }
    }
    tgPlaceCapCenters(&rig->mesh, p);
    return p;
}

static void tgCheckMesh(const tgShape* shape, unsigned seed)
{
    tgRig* rig = tgMakeRig(shape);
    const tgVolumeRig* stage = &rig->stage;
    tgCheckFaces(rig);
    float* p = tgShakeRest(rig, seed, 0.1f, 1.0f);
    float* field = tgShakeRest(rig, seed + 7, 0.2f, 0.0f);
    float* moved = tgShakeRest(rig, seed, 0.1f, 1.0f);
    double volume = tgVolume(&rig->mesh, p);
    int floats = 4 * (rig->mesh.vertexCount + rig->mesh.loopCount);
    for (int simd = tg_simdScalar; simd <= tg_simdWasm; ++simd) {
        const tgKernels* kernels = tgSelectKernels((tgSimd)simd);
        if (kernels == NULL) {
            continue;
        }
        tgFourTask task = {.faces = stage->faces,
                           .quadStart = stage->quadStart,
                           .positions = p,
                           .field = field,
                           .apex = {p[0], p[1], p[2]}};
        double cubic[4], halves[2][4], six = kernels->faceVolume(&task, 0, stage->faceCount);
        CHECK_NEAR(six / 6.0 / volume, 1.0, 1e-6);
        task.apex = tgMakeVec3(3.0f, -1.0f, 2.0f); // of a closed surface any will do
        CHECK_NEAR(kernels->faceVolume(&task, 0, stage->faceCount) / 6.0 / volume, 1.0, 3e-6);
        kernels->faceCubic(&task, 0, stage->faceCount, cubic);
        int middle = stage->faceCount / 2 / 16 * 16; // parts sum to the whole
        kernels->faceCubic(&task, 0, middle, halves[0]);
        kernels->faceCubic(&task, middle, stage->faceCount, halves[1]);
        for (int k = 0; k < 4; ++k) {
            CHECK_NEAR((halves[0][k] + halves[1][k] - cubic[k]) / volume, 0.0, 1e-6);
        }
        for (int step = -2; step <= 2; ++step) {
            double s = 0.5 * step;
            for (int i = 0; i < floats; ++i) {
                moved[i] = p[i] + (float)s * field[i];
            }
            double known = tgVolume(&rig->mesh, moved);
            double told = (cubic[0] + s * (cubic[1] + s * (cubic[2] + s * cubic[3]))) / 6.0;
            CHECK_NEAR((told - known) / volume, 0.0, 2e-6);
        }
        // Slope by a central difference, in double.
        const double h = 0.01;
        double sides[2];
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i < floats; ++i) {
                moved[i] = p[i] + (side == 0 ? -1.0f : 1.0f) * (float)h * field[i];
            }
            sides[side] = tgVolume(&rig->mesh, moved);
        }
        CHECK_NEAR(cubic[1] / 6.0, (sides[1] - sides[0]) / (2.0 * h), 1e-3 * volume);
    }
    free(p);
    free(field);
    free(moved);
    tgDestroyRig(rig);
}

static void tgTestRandom(void** state)
{
    (void)state;
    for (int i = 0; i < 30; ++i) {
        tgRandomDef def = {.seed = 50u + (unsigned)i,
                           .around = 3 + i % 7,
                           .rings = 2 + i % 11,
                           .isOpen = i & 1,
                           .faces = (tgFaceKinds)(i % 3),
                           .jointCount = 3,
                           .influences = 2};
        tgShape shape = tgMakeRandomSkin(&def);
        tgCheckMesh(&shape, (unsigned)i);
        tgFreeShape(&shape);
    }
}

/// A tetrahedron pairs up as two; without one side its cap makes up for it; and two solids.
static void tgTestSmall(void** state)
{
    (void)state;
    for (int which = 0; which < 3; ++which) {
        tgShape solid = tgMakeShape(8, 8, 24);
        static const int corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
        static const tgVec3 places[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        solid.vertexCount = which == 2 ? 8 : 4;
        for (int v = 0; v < solid.vertexCount; ++v) {
            solid.positions[v] = tgMulAdd(places[v % 4], (float)(v / 4), tgMakeVec3(3, 3, 3));
        }
        for (int f = which == 1 ? 1 : 0; f < (which == 2 ? 8 : 4); ++f) {
            const int* c = corners[f % 4];
            const int face[3] = {c[0] + f / 4 * 4, c[1] + f / 4 * 4, c[2] + f / 4 * 4};
            tgShape_AddFace(&solid, 3, face);
        }
        tgRig* rig = tgMakeRig(&solid);
        CHECK_NEAR(tgRig_GetInfo(rig).restVolume, which == 2 ? 2.0 / 6.0 : 1.0 / 6.0, 1e-12);
        tgDestroyRig(rig);
        tgCheckMesh(&solid, 9);
        tgFreeShape(&solid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestRandom),
        cmocka_unit_test(tgTestSmall),
    };
    return cmocka_run_group_tests_name("pair_faces", tests, NULL, NULL);
}
