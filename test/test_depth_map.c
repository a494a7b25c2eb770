// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Depth maps against triangles solved in double, texel by texel, and shadows against closed forms.

#include "check.h"
#include "draw/depth_map.h"
#include "random.h"

#include <float.h>
#include <stdint.h>

enum { tg_triangleCount = 200 };

/// Height of the triangle over a place; -FLT_MAX outside. NAN where rounding decides.
static double tgGetHeight(const tgVec3 p[3], double x, double y)
{
    double ax = (double)p[0].x, ay = (double)p[0].y, az = (double)p[0].z;
    double bx = (double)p[1].x - ax, by = (double)p[1].y - ay, bz = (double)p[1].z - az;
    double cx = (double)p[2].x - ax, cy = (double)p[2].y - ay, cz = (double)p[2].z - az;
    double dx = x - ax, dy = y - ay;
    double area = bx * cy - cx * by;
    double u = (dx * cy - cx * dy) / area, v = (bx * dy - dx * by) / area;
    double inside = fmin(fmin(u, v), 1.0 - u - v);
    if (!(fabs(inside) > 1e-4)) {
        return (double)NAN;
    }
    return inside < 0.0 ? -(double)FLT_MAX : az + u * bz + v * cz;
}

static float tgDrawNumber(unsigned* seed, float least, float most)
{
    return least + (most - least) * (float)tgNextUnit(seed);
}

/// Triangles of all sizes: every texel has the height of the highest over its centre.
static void TestHeights(void** state)
{
    (void)state;
    unsigned seed = 7;
    tgDepthMap map;
    assert_true(tgMakeDepthMap(&map, (tgVec3){0}, 1.0f, 3 * tg_triangleCount));
    int casters[tg_triangleCount][3];
    for (int f = 0; f < tg_triangleCount; ++f) {
        float size = 0.3f * (float)(f % 40 + 1), x = tgDrawNumber(&seed, 30.0f, 226.0f);
        float y = tgDrawNumber(&seed, 60.0f, 180.0f);
        for (int k = 0; k < 3; ++k) {
            casters[f][k] = 3 * f + k;
            map.points[3 * f + k] = tgMakeVec3(x + tgDrawNumber(&seed, -size, size),
                                               y + tgDrawNumber(&seed, -size, size),
                                               tgDrawNumber(&seed, -100.0f, 100.0f));
        }
    }
    tgDepthMap_Fill(&map, 3 * tg_triangleCount, &(tgCasters){casters, 0, tg_triangleCount});
    int covered = 0;
    for (int row = (int)map.front; row <= (int)map.back; ++row) {
        for (int column = (int)map.left; column <= (int)map.right; ++column) {
            double wanted = -(double)FLT_MAX;
            for (int f = 0; f < tg_triangleCount && !isnan(wanted); ++f) {
                double height = tgGetHeight(&map.points[3 * f], column + 0.5, row + 0.5);
                wanted = isnan(height) ? height : fmax(wanted, height);
            }
            double found = (double)map.heights[row * tg_mapSide + column];
            if (!isnan(wanted)) {
                CHECK_NEAR(found, wanted, wanted < -1e30 ? 0.0 : 2e-3);
                covered += wanted > -1e30;
            }
        }
    }
    assert_true(covered > 2000);
    tgFreeDepthMap(&map);
}

/// A square of 20 texels above: full shadow under it, none beside it or before it.
static void TestShadow(void** state)
{
    (void)state;
    tgDepthMap map;
    assert_true(tgMakeDepthMap(&map, (tgVec3){0}, 1.0f, 4));
    static const float corners[4][2] = {{100, 90}, {120, 90}, {120, 110}, {100, 110}};
    for (int i = 0; i < 4; ++i) {
        map.points[i] = tgMakeVec3(corners[i][0], corners[i][1], 30.0f);
    }
    int casters[2][3] = {{0, 1, 2}, {0, 2, 3}};
    tgDepthMap_Fill(&map, 4, &(tgCasters){casters, 2, 2});
    for (int i = 0; i < 256 * 256; ++i) {
        float x = (float)(i % 256), y = (float)(i / 256);
        bool isUnder = x >= 101.0f && x <= 119.0f && y >= 91.0f && y <= 109.0f;
        bool isBeside = x <= 99.0f || x >= 121.0f || y <= 89.0f || y >= 111.0f;
        float shadow = tgDepthMap_GetShadow(&map, tgMakeVec3(x, y, 0.0f));
        assert_true(!isUnder || shadow == 1.0f);
        assert_true(!isBeside || shadow == 0.0f);
        assert_true(tgDepthMap_GetShadow(&map, tgMakeVec3(x, y, 30.0f)) == 0.0f);
    }
    // Half of the four texels around a place on its edge.
    CHECK_NEAR(tgDepthMap_GetShadow(&map, tgMakeVec3(100.0f, 100.0f, 0.0f)), 0.5, 1e-6);
    CHECK_NEAR(tgDepthMap_GetShadow(&map, tgMakeVec3(120.25f, 110.25f, 0.0f)), 0.0625, 1e-6);
    tgFreeDepthMap(&map);
}

/// Of a closed surface what looks away is left out; of another both sides count.
static void TestSides(void** state)
{
    (void)state;
    tgDepthMap map;
    assert_true(tgMakeDepthMap(&map, (tgVec3){0}, 1.0f, 3));
    map.points[0] = tgMakeVec3(100.0f, 100.0f, 5.0f);
    map.points[1] = tgMakeVec3(110.0f, 100.0f, 5.0f);
    map.points[2] = tgMakeVec3(100.0f, 110.0f, 5.0f);
    for (int i = 0; i < 4; ++i) {
        bool looksToLight = i % 2 == 0, isClosed = i < 2;
        int casters[1][3] = {{0, looksToLight ? 1 : 2, looksToLight ? 2 : 1}};
        tgDepthMap_Fill(&map, 3, &(tgCasters){casters, isClosed, 1});
        bool isDrawn = map.heights[102 * tg_mapSide + 102] == 5.0f;
        assert_int_equal(isDrawn, looksToLight || !isClosed);
    }
    tgFreeDepthMap(&map);
}

/// Axes are right-handed and unit whatever the light, and the sphere fits in.
static void TestAim(void** state)
{
    (void)state;
    unsigned seed = 3;
    tgDepthMap map;
    tgVec3 center = tgMakeVec3(3.0f, -1.0f, 2.0f);
    assert_true(tgMakeDepthMap(&map, center, 5.0f, 0));
    for (int i = 0; i < 200; ++i) {
        tgVec3 towards = tgMakeVec3(tgDrawNumber(&seed, -1, 1), tgDrawNumber(&seed, -1, 1),
                                    tgDrawNumber(&seed, -1, 1));
        towards = tgNormalize(towards, tgMakeVec3(0.0f, 1.0f, 0.0f));
        tgDepthMap_Aim(&map, towards);
        CHECK_NEAR(tgDot(tgCross(map.across, map.along), towards), 1.0, 1e-5);
        tgVec3 side = tgDepthMap_Place(&map, tgMulAdd(center, 5.0f, map.across));
        CHECK_NEAR(side.x, 254.0, 1e-3);
        CHECK_NEAR(side.y, 128.0, 1e-3);
        CHECK_NEAR(tgDepthMap_Place(&map, tgMulAdd(center, 2.5f, towards)).z, 63.0, 1e-3);
    }
    tgFreeDepthMap(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestHeights),
        cmocka_unit_test(TestShadow),
        cmocka_unit_test(TestSides),
        cmocka_unit_test(TestAim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
