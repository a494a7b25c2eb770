// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Cameras: frames that hold all points with the margin that was asked for, bounds, and bad input.

#include "check.h"

#include "draw/picture.h"
#include "random.h"

#include <float.h>

static tgVec3View tgViewOf(const tgVec3* points, int count)
{
    tgVec3View view = {&points->x, count, (int)sizeof(tgVec3)};
    return view;
}

/// All points lie inside the margins, and some lie on them.
static void tgCheckFrame(const tgCameraDef* def, tgVec3View points)
{
    tgError error = {0};
    tgCamera camera;
    assert_int_equal(tgFrameCamera(def, points, &camera, &error), tg_success);
    tgRect viewport = def->viewport;
    float left = FLT_MAX, right = -FLT_MAX, above = FLT_MAX, below = -FLT_MAX;
    for (int v = 0; v < points.count; ++v) {
        tgVec3 p = tgCamera_Project(&camera, viewport, tgVec3View_Get(points, v));
        assert_true(p.z > 0.0f);
        left = fminf(left, p.x - (float)viewport.x);
        right = fmaxf(right, p.x - (float)viewport.x);
        above = fminf(above, p.y - (float)viewport.y);
        below = fmaxf(below, p.y - (float)viewport.y);
    }
    float marginX = def->margin * (float)viewport.width;
    float marginY = def->margin * (float)viewport.height;
    CHECK_AT_MOST(marginX - left, 0.05);
    CHECK_AT_MOST(right - ((float)viewport.width - marginX), 0.05);
    CHECK_AT_MOST(marginY - above, 0.05);
    CHECK_AT_MOST(below - ((float)viewport.height - marginY), 0.05);
    // No closer camera would do: both sides of one axis are touched.
    float gapX = fmaxf(left - marginX, (float)viewport.width - marginX - right);
    float gapY = fmaxf(above - marginY, (float)viewport.height - marginY - below);
    CHECK_AT_MOST(fminf(gapX, gapY), 0.05);
}

static void test_frame_holds_all_points(void** state)
{
    (void)state;
    unsigned seed = 11u;
    tgVec3 points[100];
    for (int v = 0; v < 100; ++v) {
        points[v] = tgMakeVec3(5.0f + (float)tgNextUnit(&seed), 3.0f * (float)tgNextUnit(&seed),
                               2.0f * (float)tgNextUnit(&seed) - 9.0f);
    }
    for (int view = 0; view < 20; ++view) {
        tgCameraDef def = tgDefaultCameraDef();
        def.direction = tgMakeVec3((float)tgNextUnit(&seed) - 0.5f, (float)tgNextUnit(&seed) - 0.5f,
                                   (float)tgNextUnit(&seed) - 0.5f);
        if (view <= (int)tg_viewThreeQuarter) {
            def.direction = tgGetViewDirection((tgView)view);
        }
        def.viewport = (tgRect){30, 40, 300 + 10 * view, 420 - 10 * view};
        def.margin = 0.01f * (float)view;
        def.focalLength = 85.0f;
        tgCheckFrame(&def, tgViewOf(points, 100));
        def.focalLength = 0.0f;
        tgCheckFrame(&def, tgViewOf(points, 100));
    }
    // One point has no size; it still gets a camera that sees it in the middle.
    tgCameraDef def = tgDefaultCameraDef();
    tgCamera camera;
    assert_int_equal(tgFrameCamera(&def, tgViewOf(points, 1), &camera, NULL), tg_success);
    assert_true(camera.halfHeight > 0.0f);
}

static void test_bounds(void** state)
{
    (void)state;
    const tgVec3 points[3] = {{1.0f, -2.0f, 3.0f}, {NAN, 9.0f, 9.0f}, {-1.0f, 4.0f, 0.5f}};
    tgBounds bounds = tgEmptyBounds();
    tgBounds_Add(&bounds, tgViewOf(points, 3));
    tgVec3 corners[8];
    tgBounds_GetCorners(&bounds, corners);
    CHECK_NEAR(corners[0].x, -1.0, 0.0);
    CHECK_NEAR(corners[0].y, -2.0, 0.0);
    CHECK_NEAR(corners[7].y, 4.0, 0.0);
    CHECK_NEAR(corners[7].z, 3.0, 0.0);
}

static void test_bad_cameras(void** state)
{
    (void)state;
    tgError error = {0};
    tgCamera camera;
    const tgVec3 points[2] = {{0.0f, 0.0f, 0.0f}, {NAN, 0.0f, 0.0f}};
    tgCameraDef def = {0};
    assert_int_equal(tgFrameCamera(&def, tgViewOf(points, 1), &camera, &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "tgDefaultCameraDef");
    def = tgDefaultCameraDef();
    assert_int_equal(tgFrameCamera(&def, tgViewOf(points, 2), &camera, &error), tg_invalidMesh);
    CHECK_CONTAINS(error.message, "point 1");
    assert_int_equal(tgFrameCamera(&def, tgViewOf(points, 0), &camera, &error), tg_invalidArgument);
    def.direction = tgMakeVec3(0.0f, 0.0f, 0.0f);
    assert_int_equal(tgFrameCamera(&def, tgViewOf(points, 1), &camera, &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "direction");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame_holds_all_points),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_bad_cameras),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
