// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pieces without an inside: one-sided ones, sheets, soup. No volume is defined there, skinning
// stays as it is, and pieces beside them keep their volume. Edges of more than two faces alone do
// no harm.

#include "actor.h"
#include "core/rig.h"
#include "counted_memory.h"
#include "random.h"
#include "shapes.h"

#include <string.h>

static const double tg_turn = 6.283185307179586;

/// The figure-eight immersion of a Klein bottle: a torus whose tube is turned over on the way
/// round.
static tgShape tgMakeKleinBottle(int around, int tube)
{
    tgShape klein = tgMakeShape(around * tube, around * tube, 4 * around * tube);
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < tube; ++j) {
            double u = tg_turn * i / around, v = tg_turn * (j + 0.5) / tube;
            double r = 3.0 + cos(u / 2) * sin(v) - sin(u / 2) * sin(2 * v);
            klein.positions[i * tube + j] =
                tgMakeVec3((float)(r * cos(u)), (float)(r * sin(u)),
                           (float)(sin(u / 2) * sin(v) + cos(u / 2) * sin(2 * v)));
            bool isLast = i + 1 == around;
            int next = (i + 1) % around * tube, k = (j + 1) % tube;
            int corners[4] = {i * tube + j, next + (isLast ? tube - 1 - j : j),
                              next + (isLast ? tube - 1 - k : k), i * tube + k};
            tgShape_AddFace(&klein, 4, corners);
        }
    }
    return klein;
}

static tgShape tgMakeMoebiusStrip(int around)
{
    tgShape strip = tgMakeShape(2 * around, around, 4 * around);
    for (int i = 0; i < around; ++i) {
        for (int side = 0; side < 2; ++side) {
            double u = tg_turn * i / around, w = side == 0 ? -0.5 : 0.5;
            double r = 2.0 + w * cos(u / 2);
            strip.positions[2 * i + side] =
                tgMakeVec3((float)(r * cos(u)), (float)(r * sin(u)), (float)(w * sin(u / 2)));
        }
        bool isLast = i + 1 == around;
        int next = 2 * ((i + 1) % around);
        int corners[4] = {2 * i, next + isLast, next + !isLast, 2 * i + 1};
        tgShape_AddFace(&strip, 4, corners);
    }
    return strip;
}

/// Quads in the plane z = 0, each vertex lifted by `bulge` times what is left to the rim.
static tgShape tgMakeSheet(int size, float bulge)
{
    tgShape sheet = tgMakeShape((size + 1) * (size + 1), size * size, 4 * size * size);
    for (int i = 0; i <= size; ++i) {
        for (int k = 0; k <= size; ++k) {
            float x = (float)(2 * i) / (float)size - 1.0f, y = (float)(2 * k) / (float)size - 1.0f;
            float rim = fmaxf(fabsf(x), fabsf(y));
            sheet.positions[i * (size + 1) + k] = tgMakeVec3(x, y, bulge * (1.0f - rim));
            int at = i * (size + 1) + k;
            int corners[4] = {at, at + size + 1, at + size + 2, at + 1};
            if (i < size && k < size) {
                tgShape_AddFace(&sheet, 4, corners);
            }
        }
    }
    return sheet;
}

/// Two shapes as one mesh; both follow the joints of the first, the second one of them at x < 0 and
/// more and more the other from there on.
static tgShape tgJoinShapes(const tgShape* a, const tgShape* b, tgVec3 offset)
{
    tgShape both = tgMakeShape(a->vertexCount + b->vertexCount, a->faceCount + b->faceCount,
                               a->cornerCount + b->cornerCount);
    int n = both.influencesPerVertex = a->influencesPerVertex;
    both.jointCount = a->jointCount;
    memcpy(both.parents, a->parents, (size_t)a->jointCount * sizeof(int));
    memcpy(both.restJoints, a->restJoints, (size_t)a->jointCount * sizeof(tgMat34));
    for (int v = 0; v < both.vertexCount; ++v) {
        bool isFirst = v < a->vertexCount;
        int from = isFirst ? v : v - a->vertexCount;
        both.positions[v] = isFirst ? a->positions[from] : tgAdd(b->positions[from], offset);
        float w = fminf(fmaxf(b->positions[isFirst ? 0 : from].x, 0.0f), 1.0f);
        for (int k = 0; k < n; ++k) {
            both.joints[n * v + k] = isFirst ? a->joints[n * from + k] : k;
            both.weights[n * v + k] = isFirst  ? a->weights[n * from + k]
                                      : k == 0 ? 1.0f - w
                                      : k == 1 ? w
                                               : 0.0f;
        }
    }
    const tgShape* parts[2] = {a, b};
    for (int part = 0; part < 2; ++part) {
        const int* corners = parts[part]->faceVertices;
        for (int f = 0; f < parts[part]->faceCount; ++f) {
            int moved[4], size = parts[part]->faceSizes[f];
            for (int k = 0; k < size; ++k) {
                moved[k] = *corners++ + (part == 0 ? 0 : a->vertexCount);
            }
            tgShape_AddFace(&both, size, moved);
        }
    }
    return both;
}

static tgRigInfo tgInfoOf(const tgShape* shape)
{
    tgRigDef def = tgShape_GetRigDef(shape);
    def.volume.method = tg_volumeExact;
    tgRig* rig = tgMustCreateRig(&def);
    tgRigInfo info = tgRig_GetInfo(rig);
    tgDestroyRig(rig);
    return info;
}

static void tgTestOneSided(void** state)
{
    (void)state;
    for (int size = 4; size <= 24; size += 5) {
        tgShape klein = tgMakeKleinBottle(2 * size, size);
        tgRigInfo info = tgInfoOf(&klein);
        assert_int_equal(info.componentCount, 1);
        assert_int_equal(info.noInsideCount, 1);
        assert_int_equal(info.oneSidedCount, 1);
        assert_int_equal(info.boundaryEdgeCount, 0); // it is closed all the same
        assert_int_equal(info.nonManifoldEdgeCount, 0);
        assert_int_equal(info.boundaryLoopCount, 0);
        assert_int_equal(info.reorientedFaceCount, 0);
        assert_true(info.isFlat && info.restVolume == 0.0);
        tgFreeShape(&klein);
        tgShape strip = tgMakeMoebiusStrip(2 * size);
        info = tgInfoOf(&strip);
        assert_int_equal(info.oneSidedCount, 1);
        assert_int_equal(info.boundaryEdgeCount, 4 * size);
        assert_int_equal(info.boundaryLoopCount, 0); // nothing is capped
        assert_true(info.isFlat);
        tgFreeShape(&strip);
    }
    // The same grid without the turn is a torus.
    tgShape torus = tgMakeTorus(24, 12);
    tgRigInfo info = tgInfoOf(&torus);
    assert_int_equal(info.noInsideCount, 0);
    assert_false(info.isFlat);
    tgFreeShape(&torus);
}

/// Triangles with vertices of their own, and triangles that share some.
static void tgTestSoup(void** state)
{
    (void)state;
    unsigned seed = 3;
    int wrong = 0;
    for (int round = 0; round < 40; ++round) {
        bool shares = round % 2 == 1;
        tgShape soup = tgMakeShape(shares ? 200 : 900, 300, 900);
        for (int i = 0; i < soup.vertexCount; ++i) {
            float x = (float)tgNextUnit(&seed), y = (float)tgNextUnit(&seed),
                  z = (float)tgNextUnit(&seed);
            soup.positions[i] = tgMakeVec3(x, y, z);
        }
        for (int f = 0; f < 300; ++f) {
            int corners[3];
            for (int k = 0; k < 3; ++k) {
                corners[k] = shares ? (int)(199.99f * (float)tgNextUnit(&seed)) : 3 * f + k;
            }
            tgShape_AddFace(&soup, 3, corners);
        }
        tgRigInfo info = tgInfoOf(&soup);
        assert_true(shares ? info.componentCount < 30 : info.componentCount == 300);
        wrong += info.noInsideCount != info.componentCount || !info.isFlat;
        tgFreeShape(&soup);
    }
    assert_int_equal(wrong, 0);
}

static void tgTestSheets(void** state)
{
    (void)state;
    // A pyramid of height h on a base of half width 1 has sqrt(1 + h^2) times its area.
    const struct {
        float bulge;
        int noInside;
    } sheets[] = {{0.0f, 1}, {0.04f, 1}, {0.05f, 0}, {1.0f, 0}};
    for (size_t i = 0; i < sizeof(sheets) / sizeof(sheets[0]); ++i) {
        tgShape sheet = tgMakeSheet(8, sheets[i].bulge);
        tgRigInfo info = tgInfoOf(&sheet);
        assert_int_equal(info.noInsideCount, sheets[i].noInside);
        assert_int_equal(info.oneSidedCount, 0);
        assert_int_equal(info.boundaryEdgeCount, 32);
        assert_int_equal(info.boundaryLoopCount, 1 - sheets[i].noInside);
        // Quads across the pyramid's edges cut them.
        double height = (double)sheets[i].bulge;
        CHECK_NEAR(info.restVolume, sheets[i].noInside ? 0.0 : 4.0 * height / 3.0, 0.03 * height);
        tgFreeShape(&sheet);
    }
}

/// Fins on an edge of a cube, inwards or outwards, one or several, walked either way: edges of
/// three to five faces. The cube's volume stays what it is.
static void tgTestFins(void** state)
{
    (void)state;
    for (int way = 0; way < 16; ++way) {
        int fins = 1 + way % 3;
        bool out = way & 4, back = way & 8;
        tgShape cube = tgMakeCube(true);
        tgShape shape = tgMakeShape(8 + 2 * fins, 6 + fins, 24 + 4 * fins);
        memcpy(shape.positions, cube.positions, 8 * sizeof(tgVec3));
        const int* corners = cube.faceVertices;
        for (int f = 0; f < 6; ++f, corners += 4) {
            tgShape_AddFace(&shape, 4, corners);
        }
        int a = cube.faceVertices[0], b = cube.faceVertices[1];
        for (int k = 0; k < fins; ++k) {
            tgVec3 middle = tgMakeVec3(0.5f, 0.5f, 0.5f);
            tgVec3 edge = tgMulSV(0.5f, tgAdd(cube.positions[a], cube.positions[b]));
            tgVec3 away = tgMulSV((out ? -0.3f : 0.3f) - 0.05f * (float)k, tgSub(middle, edge));
            shape.positions[8 + 2 * k] = tgAdd(cube.positions[a], away);
            shape.positions[9 + 2 * k] = tgAdd(cube.positions[b], away);
            int fin[4] = {a, b, 9 + 2 * k, 8 + 2 * k}, turned[4] = {b, a, 8 + 2 * k, 9 + 2 * k};
            tgShape_AddFace(&shape, 4, back ? turned : fin);
        }
        tgRigInfo info = tgInfoOf(&shape);
        assert_int_equal(info.componentCount, 1);
        assert_int_equal(info.noInsideCount, 0);
        assert_int_equal(info.nonManifoldEdgeCount, 1);
        assert_int_equal(info.boundaryLoopCount, fins);
        assert_int_equal(info.boundaryEdgeCount, 4 * fins); // of each fin, its foot among them
        CHECK_NEAR(info.restVolume, 1.0, 1e-6);
        tgFreeShape(&cube);
        tgFreeShape(&shape);
    }
}

/// A frame, and what is left of the volume error.
static double tgPlay(const tgShape* shape, const tgRigDef* def, tgVec3* out)
{
    tgError error = {0};
    tgRig* rig = tgCreateRig(def, &error);
    assert_non_null(rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    assert_non_null(instance);
    tgMat34 joints[2];
    tgBendTube(shape, 8.0f, 0.0f, 1.2, joints);
    tgPose pose = {.joints = joints, .jointCount = 2};
    tgVec3Span span = {&out->x, shape->vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(instance, &pose, span, (tgVec3Span){0}, NULL), 0);
    tgVolumeReport report = tgInstance_MeasureVolume(instance);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    return report.result / report.target - 1.0;
}

/// A tube that bends beside a piece without an inside, which follows the same joints.
static void tgTestBeside(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(16, 33, 8.0f, 3.0f, 5.0f, true);
    tgShape others[3] = {tgMakeKleinBottle(16, 8), tgMakeSheet(6, 0.0f), tgMakeMoebiusStrip(20)};
    for (int i = 0; i < 3; ++i) {
        tgShape both = tgJoinShapes(&tube, &others[i], tgMakeVec3(4.0f, 9.0f, 0.0f));
        tgVec3* plain = calloc((size_t)both.vertexCount, sizeof(tgVec3));
        tgVec3* kept = calloc((size_t)both.vertexCount, sizeof(tgVec3));
        for (int way = 0; way < 5; ++way) { // linear, dual quaternions, blend; local; as published
            tgRigDef def = tgShape_GetRigDef(&both);
            def.skinning = way < 3 ? (tgSkinning)way : tg_linear;
            tgPlay(&both, &def, plain);
            def.volume.method = way == 3 ? tg_volumeLocal : tg_volumeExact;
            def.volume.mode = way == 4 ? tg_modePaper : tg_modeExact;
            def.volume.contact = tg_contactOff;
            double miss = tgPlay(&both, &def, kept);
            CHECK_NEAR(miss, 0.0, way == 3 ? 5e-2 : 1e-6);
            int first = tube.vertexCount, count = both.vertexCount - first;
            assert_memory_equal(plain + first, kept + first, (size_t)count * sizeof(tgVec3));
            assert_memory_not_equal(plain, kept, (size_t)first * sizeof(tgVec3));
        }
        tgRigInfo info = tgInfoOf(&both);
        assert_int_equal(info.componentCount, 2);
        assert_int_equal(info.noInsideCount, 1);
        assert_int_equal(info.oneSidedCount, i != 1);
        CHECK_NEAR(info.restVolume, tgInfoOf(&tube).restVolume, 1e-9);
        free(plain);
        free(kept);
        tgFreeShape(&both);
        tgFreeShape(&others[i]);
    }
    tgFreeShape(&tube);
}

/// Each allocation fails in turn.
static void tgTestNoMemory(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(6, 4, 8.0f, 3.0f, 5.0f, true), klein = tgMakeKleinBottle(6, 4);
    tgShape sheet = tgMakeSheet(2, 0.0f);
    tgShape two = tgJoinShapes(&tube, &klein, tgMakeVec3(4.0f, 9.0f, 0.0f));
    tgShape all = tgJoinShapes(&two, &sheet, tgMakeVec3(4.0f, -9.0f, 0.0f));
    tgCounter counter = {0};
    tgRigDef def = tgShape_GetRigDef(&all);
    def.volume.method = tg_volumeExact;
    def.allocator = tgCounter_GetAllocator(&counter);
    tgRig* rig = NULL;
    int failures = 0;
    while (rig == NULL) {
        counter.calls = 0;
        counter.failAt = ++failures;
        tgError error = {0};
        rig = tgCreateRig(&def, &error);
        assert_true(rig != NULL || (error.code == tg_outOfMemory && counter.live == 0));
    }
    assert_int_equal(tgRig_GetInfo(rig).noInsideCount, 2);
    assert_true(failures > 100);
    tgDestroyRig(rig);
    tgShape* const shapes[] = {&tube, &klein, &sheet, &two, &all};
    for (int i = 0; i < 5; ++i) {
        tgFreeShape(shapes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestOneSided), cmocka_unit_test(tgTestSoup),
        cmocka_unit_test(tgTestSheets),   cmocka_unit_test(tgTestFins),
        cmocka_unit_test(tgTestBeside),   cmocka_unit_test(tgTestNoMemory),
    };
    return cmocka_run_group_tests_name("inside", tests, NULL, NULL);
}
