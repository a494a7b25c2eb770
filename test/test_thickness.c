// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The thickness of flesh and of the air over it where they are known: a plate, a ball, a sheet
// without another side, two plates with a gap between them.

#include "check.h"
#include "core/thickness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float tg_most = 3.0f;

typedef struct tgSolid {
    tgMesh mesh;
    float* rest;    ///< 4 for each vertex
    float* normals; ///< so, too
} tgSolid;

static tgSolid tgMakeSolid(int vertexCount, int quadCount)
{
    tgSolid solid = {.mesh = {.vertexCount = vertexCount}};
    solid.mesh.quads = calloc(4 * (size_t)quadCount, sizeof(int));
    solid.rest = calloc(4 * (size_t)vertexCount, sizeof(float));
    solid.normals = calloc(4 * (size_t)vertexCount, sizeof(float));
    return solid;
}

static void tgSetPoint(float* vectors, int v, tgVec3 p)
{
    vectors[4 * v] = p.x;
    vectors[4 * v + 1] = p.y;
    vectors[4 * v + 2] = p.z;
}

static void tgAddQuad(tgSolid* solid, int a, int b, int c, int d)
{
    int* corners = solid->mesh.quads + 4 * solid->mesh.quadCount++;
    const int all[4] = {a, b, c, d};
    memcpy(corners, all, sizeof(all));
}

/// Grids of side 1 at the given height, looking up or down, joined round the rim when there are
/// two.
static tgSolid tgMakePlate(int count, float thickness, bool bothSides)
{
    tgSolid plate = tgMakeSolid(2 * count * count, 2 * count * count + 4 * count);
    for (int side = 0; side < (bothSides ? 2 : 1); ++side) {
        for (int v = 0; v < count * count; ++v) {
            float x = (float)(v % count) / (float)(count - 1),
                  y = (float)(v / count) / (float)(count - 1);
            tgSetPoint(plate.rest, side * count * count + v,
                       tgMakeVec3(x, y, side == 0 ? thickness : 0.0f));
            // On the rim the normal points outwards, along the plate.
            bool rim = v % count == 0 || v % count == count - 1 || v / count == 0 ||
                       v / count == count - 1;
            tgVec3 up = tgMakeVec3(0.0f, 0.0f, side == 0 ? 1.0f : -1.0f);
            tgVec3 out = tgMakeVec3(x - 0.5f, y - 0.5f, 0.01f * up.z);
            tgSetPoint(plate.normals, side * count * count + v, rim && bothSides ? out : up);
        }
        for (int i = 0; i < (count - 1) * (count - 1); ++i) {
            int a = side * count * count + i / (count - 1) * count + i % (count - 1);
            if (side == 0) {
                tgAddQuad(&plate, a, a + 1, a + count + 1, a + count);
            } else {
                tgAddQuad(&plate, a, a + count, a + count + 1, a + 1);
            }
        }
    }
    plate.mesh.vertexCount = (bothSides ? 2 : 1) * count * count;
    return plate;
}

static tgSolid tgMakeBall(int rings, int around)
{
    tgSolid ball = tgMakeSolid(rings * around, rings * around);
    for (int r = 0; r < rings; ++r) {
        for (int k = 0; k < around; ++k) {
            double polar = 3.14159265 * (r + 0.5) / rings, turn = 6.28318531 * k / around;
            tgVec3 p = tgMakeVec3((float)(sin(polar) * cos(turn)), (float)(sin(polar) * sin(turn)),
                                  (float)cos(polar));
            tgSetPoint(ball.rest, r * around + k, p);
            tgSetPoint(ball.normals, r * around + k, p);
            if (r + 1 < rings) {
                int a = r * around + k, b = r * around + (k + 1) % around;
                tgAddQuad(&ball, a, a + around, b + around, b);
            }
        }
    }
    return ball;
}

static void tgFreeSolid(tgSolid* solid)
{
    free(solid->mesh.quads);
    free(solid->rest);
    free(solid->normals);
}

/// Flesh within both; nothing is over it.
static void tgCheckThickness(tgSolid solid, float least, float most)
{
    tgAllocator allocator = tgDefaultRigDef().allocator;
    tgScratch scratch = {.allocator = &allocator};
    tgThickness thickness;
    assert_true(
        tgMeasureThickness(&solid.mesh, solid.rest, solid.normals, tg_most, &scratch, &thickness));
    for (int v = 0; v < solid.mesh.vertexCount; ++v) {
        assert_true(thickness.flesh[v] >= least && thickness.flesh[v] <= most);
        CHECK_NEAR(thickness.air[v], tg_most, 0.0);
    }
    tgScratch_FreeAll(&scratch);
    tgFreeSolid(&solid);
}

/// The rim, too, is as thin as what lies beside it.
static void tgTestPlate(void** state)
{
    (void)state;
    tgCheckThickness(tgMakePlate(9, 0.05f, true), 0.0499f, 0.0501f);
    tgCheckThickness(tgMakePlate(9, 1e-4f, true), 0.99e-4f, 1.01e-4f);
}

static void tgTestBall(void** state)
{
    (void)state;
    tgCheckThickness(tgMakeBall(24, 32), 1.9f, 2.01f);
}

static void tgTestNoOtherSide(void** state)
{
    (void)state;
    tgCheckThickness(tgMakePlate(5, 0.0f, false), tg_most, tg_most);
}

/// One plate over another: each sees the other across the air between them, and no farther.
static void tgTestGap(void** state)
{
    (void)state;
    const float gap = 0.2f, thickness = 0.05f;
    tgSolid low = tgMakePlate(9, thickness, true), both = tgMakeSolid(2 * 162, 2 * 200);
    for (int side = 0; side < 2; ++side) {
        for (int v = 0; v < 162; ++v) {
            memcpy(both.rest + 4 * (162 * side + v), low.rest + 4 * v, 4 * sizeof(float));
            memcpy(both.normals + 4 * (162 * side + v), low.normals + 4 * v, 4 * sizeof(float));
            both.rest[4 * (162 * side + v) + 2] += (float)side * (gap + thickness);
        }
        for (int q = 0; q < low.mesh.quadCount; ++q) {
            const int* c = low.mesh.quads + 4 * q;
            tgAddQuad(&both, c[0] + 162 * side, c[1] + 162 * side, c[2] + 162 * side,
                      c[3] + 162 * side);
        }
    }
    tgAllocator allocator = tgDefaultRigDef().allocator;
    tgScratch scratch = {.allocator = &allocator};
    tgThickness found;
    assert_true(tgMeasureThickness(&both.mesh, both.rest, both.normals, tg_most, &scratch, &found));
    for (int v = 0; v < both.mesh.vertexCount; ++v) {
        bool isBetween = (v / 81) == 0 || (v / 81) == 3; // top of the low one, bottom of the high
        int column = v % 81 % 9, row = v % 81 / 9;
        if (column > 1 && column < 7 && row > 1 && row < 7) { // rims look sideways
            CHECK_NEAR(found.air[v], isBetween ? gap : tg_most, 1e-5);
            CHECK_NEAR(found.flesh[v], thickness, 1e-5);
        }
    }
    tgScratch_FreeAll(&scratch);
    tgFreeSolid(&low);
    tgFreeSolid(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestPlate),
        cmocka_unit_test(tgTestBall),
        cmocka_unit_test(tgTestNoOtherSide),
        cmocka_unit_test(tgTestGap),
    };
    return cmocka_run_group_tests_name("thickness", tests, NULL, NULL);
}
