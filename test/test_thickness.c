// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The thickness of flesh where it is known: a plate, a ball, a sheet without another side.

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

static void tgCheckThickness(tgSolid solid, float least, float most)
{
    tgAllocator allocator = tgDefaultRigDef().allocator;
    tgScratch scratch = {.allocator = &allocator};
    float* thickness =
        tgMeasureThickness(&solid.mesh, solid.rest, solid.normals, tg_most, &scratch);
    assert_non_null(thickness);
    for (int v = 0; v < solid.mesh.vertexCount; ++v) {
        assert_true(thickness[v] >= least && thickness[v] <= most);
    }
    tgScratch_FreeAll(&scratch);
    free(solid.mesh.quads);
    free(solid.rest);
    free(solid.normals);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestPlate),
        cmocka_unit_test(tgTestBall),
        cmocka_unit_test(tgTestNoOtherSide),
    };
    return cmocka_run_group_tests_name("thickness", tests, NULL, NULL);
}
