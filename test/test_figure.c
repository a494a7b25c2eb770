// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What figures are made of: strokes and areas against closed forms, cuts of a ball, solids that are
// closed, creases of a cube, pages; and bad input.

#include "check.h"

#include "draw/crease.h"
#include "draw/lines.h"
#include "draw/page.h"
#include "draw/section.h"
#include "draw/solids.h"

static const double tg_pi = 3.14159265358979323846;
static const tgColor tg_clear = {0.0f, 0.0f, 0.0f, 0.0f};
static const tgColor tg_full = {1.0f, 1.0f, 1.0f, 1.0f};

static double tgSumCover(const tgPicture* picture)
{
    double sum = 0.0;
    for (int i = 0; i < picture->width * picture->height; ++i) {
        sum += (double)picture->pixels[i].a;
    }
    return sum;
}

/// A circle of many pieces, counter-clockwise or not.
static void tgMakeCircle(tgSegment* segments, int count, double x, double y, double r, int turn)
{
    for (int i = 0; i < count; ++i) {
        double a = 2.0 * tg_pi * i / count * turn, b = 2.0 * tg_pi * (i + 1) / count * turn;
        segments[i] = (tgSegment){(float)(x + r * cos(a)), (float)(y + r * sin(a)),
                                  (float)(x + r * cos(b)), (float)(y + r * sin(b))};
    }
}

static void test_areas_are_filled(void** state)
{
    (void)state;
    tgSegment ring[240];
    for (int inner = -1; inner <= 1; ++inner) {
        // One circle; with another inside that goes on or turns back.
        tgPicture* picture = tgCreatePicture(100, 80, tg_clear, NULL);
        tgMakeCircle(ring, 120, 50.3, 40.7, 30.0, 1);
        tgMakeCircle(ring + 120, 120, 52.0, 40.0, 12.0, inner);
        int count = inner == 0 ? 120 : 240;
        assert_int_equal(tgPicture_FillSegments(picture, ring, count, tg_full, NULL), tg_success);
        double expected = tg_pi * 900.0 - (inner < 0 ? tg_pi * 144.0 : 0.0);
        CHECK_NEAR(tgSumCover(picture) / expected, 1.0, 2e-3);
        tgDestroyPicture(picture);
    }
}

static void test_strokes_are_as_wide_as_told(void** state)
{
    (void)state;
    tgPicture* picture = tgCreatePicture(120, 90, tg_clear, NULL);
    // A zigzag that crosses itself would count twice if pieces were drawn one by one.
    tgSegment line = {20.0f, 15.0f, 95.0f, 71.0f};
    assert_int_equal(tgPicture_DrawSegments(picture, &line, 1, 5.0f, tg_full, NULL), tg_success);
    double length = hypot(75.0, 56.0);
    CHECK_NEAR(tgSumCover(picture) / (5.0 * length + tg_pi * 6.25), 1.0, 0.01);
    double before = tgSumCover(picture);
    tgSegment twice[2] = {line, line};
    tgColor half = {1.0f, 1.0f, 1.0f, 0.5f};
    tgPicture* other = tgCreatePicture(120, 90, tg_clear, NULL);
    assert_int_equal(tgPicture_DrawSegments(other, twice, 2, 5.0f, half, NULL), tg_success);
    CHECK_NEAR(tgSumCover(other), 0.5 * before, 1e-2);
    tgDestroyPicture(picture);
    tgDestroyPicture(other);
}

enum { tg_rings = 48, tg_around = 96 };

/// A ball of radius 1 about (1, 2, 3), poles on the y axis.
static tgDrawMesh tgMakeBall(tgVec3* points, int* sizes, int* corners)
{
    for (int i = 0; i <= tg_rings; ++i) {
        for (int j = 0; j < tg_around; ++j) {
            double a = tg_pi * i / tg_rings, b = 2.0 * tg_pi * j / tg_around;
            points[tg_around * i + j] =
                tgMakeVec3((float)(1.0 + sin(a) * sin(b)), (float)(2.0 + cos(a)),
                           (float)(3.0 + sin(a) * cos(b)));
        }
    }
    for (int f = 0; f < tg_rings * tg_around; ++f) {
        int i = f / tg_around, j = f % tg_around;
        sizes[f] = 4;
        corners[4 * f + 0] = tg_around * i + j;
        corners[4 * f + 1] = tg_around * (i + 1) + j;
        corners[4 * f + 2] = tg_around * (i + 1) + (j + 1) % tg_around;
        corners[4 * f + 3] = tg_around * i + (j + 1) % tg_around;
    }
    return (tgDrawMesh){
        .positions = {&points->x, (tg_rings + 1) * tg_around, sizeof(tgVec3)},
        .faceSizes = sizes,
        .faceVertices = corners,
        .faceCount = tg_rings * tg_around,
    };
}

static void test_cuts_of_a_ball(void** state)
{
    (void)state;
    static tgVec3 points[(tg_rings + 1) * tg_around];
    static int sizes[tg_rings * tg_around], corners[4 * tg_rings * tg_around];
    tgDrawMesh ball = tgMakeBall(points, sizes, corners);
    const tgVec3 normals[] = {{0.0f, 0.0f, 1.0f}, {0.3f, -0.8f, 0.2f}, {0.0f, 1.0f, 0.0f}};
    for (int n = 0; n < 3; ++n) {
        for (int k = -9; k <= 9; k += 3) {
            tgPlane plane = tgMakePlane(tgMakeVec3(1.0f, 2.0f, 3.0f), normals[n]);
            plane.origin = tgMulAdd(plane.origin, 0.1f * (float)k, plane.normal);
            tgSection section;
            assert_int_equal(tgCutMesh(&ball, &plane, &section, NULL), tg_success);
            double radiusSquared = 1.0 - 0.01 * k * k;
            CHECK_NEAR(section.area, tg_pi * radiusSquared, 0.01);
            // Every end is a start: the outline is closed.
            double sumX = 0.0, sumY = 0.0, squares = 0.0;
            for (int i = 0; i < section.count; ++i) {
                const tgSegment* s = &section.segments[i];
                sumX += (double)s->x1 - (double)s->x0;
                sumY += (double)s->y1 - (double)s->y0;
                double r = (double)s->x0 * (double)s->x0 + (double)s->y0 * (double)s->y0;
                squares = fmax(squares, fabs(r - radiusSquared));
            }
            CHECK_NEAR(sumX, 0.0, 1e-5);
            CHECK_NEAR(sumY, 0.0, 1e-5);
            CHECK_AT_MOST(squares, 0.01);
            tgFreeSection(&section);
        }
    }
    tgSection none;
    tgPlane beside = tgMakePlane(tgMakeVec3(9.0f, 0.0f, 0.0f), tgMakeVec3(1.0f, 0.0f, 0.0f));
    assert_int_equal(tgCutMesh(&ball, &beside, &none, NULL), tg_success);
    assert_int_equal(none.count, 0);
    tgFreeSection(&none);
}

/// Volume of triangles that are closed and look outwards.
static double tgGetVolume(const tgDrawMesh* mesh)
{
    double volume = 0.0;
    for (int f = 0; f < mesh->faceCount; ++f) {
        tgVec3 p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = tgVec3View_Get(mesh->positions, mesh->faceVertices[3 * f + k]);
        }
        volume += (double)tgDot(p[0], tgCross(p[1], p[2])) / 6.0;
    }
    return volume;
}

static void test_solids_are_closed(void** state)
{
    (void)state;
    const tgVec3 a = {0.3f, -0.2f, 1.0f}, b = {2.3f, 1.8f, 2.0f}; // 3 apart
    const double polygon = 3.0; // area of a regular 12-gon of radius 1
    tgSolids solids = {0};
    tgSolids_AddTube(&solids, a, b, 0.25f);
    tgDrawMesh mesh = tgSolids_GetMesh(&solids, tg_full);
    // A prism, and the two halves of a ball of six frusta.
    double tube = tgGetVolume(&mesh);
    tgFreeSolids(&solids);
    tgSolids_AddBall(&solids, a, 0.25f);
    mesh = tgSolids_GetMesh(&solids, tg_full);
    double ball = tgGetVolume(&mesh);
    CHECK_NEAR(tube - ball, 3.0 * polygon * 0.0625, 1e-5);
    double frusta = 0.0;
    for (int i = 0; i < 6; ++i) {
        double low = tg_pi * i / 6.0, high = tg_pi * (i + 1) / 6.0;
        double squares = sin(low) * sin(low) + sin(low) * sin(high) + sin(high) * sin(high);
        frusta += (cos(low) - cos(high)) * squares / 3.0;
    }
    CHECK_NEAR(ball, polygon * frusta / 64.0, 1e-6);
    tgFreeSolids(&solids);
    tgSolids_AddArrow(&solids, a, b, 0.1f);
    mesh = tgSolids_GetMesh(&solids, tg_full);
    CHECK_NEAR(tgGetVolume(&mesh), polygon * (2.4 * 0.01 + 0.6 * 0.252 * 0.252 / 3.0), 1e-5);
    tgFreeSolids(&solids);
    tgSolids_AddBone(&solids, a, b, 0.2f);
    mesh = tgSolids_GetMesh(&solids, tg_full);
    CHECK_NEAR(tgGetVolume(&mesh), 3.0 * 2.0 * 0.04 / 3.0, 1e-5);
    // No length, no size: nothing but finite points.
    tgSolids_AddArrow(&solids, a, a, 0.1f);
    tgSolids_AddBone(&solids, b, b, 0.0f);
    for (int v = 0; v < solids.vertexCount; ++v) {
        assert_true(tgIsFiniteVec3(solids.positions[v]));
    }
    tgFreeSolids(&solids);
}

/// A cube of six quads keeps its edges; as one corner per place or as three, and posed.
static void test_creases_of_a_cube(void** state)
{
    (void)state;
    static const int faces[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                  2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    static const int sizes[6] = {4, 4, 4, 4, 4, 4};
    tgVec3 points[24], split[24];
    int corners[24], welded[24];
    for (int i = 0; i < 8; ++i) {
        points[i] = tgMakeVec3((float)(i & 1), (float)(i >> 1 & 1), (float)(i >> 2));
    }
    for (int i = 0; i < 24; ++i) {
        split[i] = points[faces[i]];
        corners[i] = i;
        welded[i] = faces[i];
    }
    for (int way = 0; way < 2; ++way) {
        tgCreaseDef def = tgDefaultCreaseDef();
        def.positions =
            (tgVec3View){way == 0 ? &points->x : &split->x, way == 0 ? 8 : 24, sizeof(tgVec3)};
        def.welded = way == 0 ? NULL : welded;
        def.faceSizes = sizes;
        def.faceVertices = way == 0 ? faces : corners;
        def.faceCount = 6;
        tgCreases creases;
        assert_int_equal(tgFindCreases(&def, &creases, NULL), tg_success);
        assert_int_equal(creases.pointCount, 24);
        tgVec3 places[24], normals[24];
        tgCreases_Shape(&creases, def.positions, places, normals);
        for (int i = 0; i < 24; ++i) {
            tgVec3 n = normals[creases.corners[i]];
            tgVec3 p = places[creases.corners[i]];
            CHECK_NEAR(fabsf(n.x) + fabsf(n.y) + fabsf(n.z), 1.0, 1e-6);
            assert_true(tgDistance(p, split[i]) == 0.0f);
            // Outwards.
            assert_true(tgDot(n, tgSub(p, tgMakeVec3(0.5f, 0.5f, 0.5f))) > 0.4f);
        }
        tgFreeCreases(&creases);
        // At any angle all is smooth: one point for each place, normals along the diagonals,
        // also of a long box, whose faces meet at the same angles.
        def.cosine = -1.0f;
        assert_int_equal(tgFindCreases(&def, &creases, NULL), tg_success);
        assert_int_equal(creases.pointCount, 8);
        for (int i = 0; i < 24; ++i) {
            points[i % 8].z = i < 8 ? 4.0f * points[i].z : points[i % 8].z;
            split[i].z *= 4.0f;
        }
        tgCreases_Shape(&creases, def.positions, places, normals);
        for (int i = 0; i < 8; ++i) {
            CHECK_NEAR(fabsf(normals[i].x), 0.57735, 1e-4);
            CHECK_NEAR(fabsf(normals[i].y), 0.57735, 1e-4);
        }
        tgFreeCreases(&creases);
    }
}

/// A seam of texture coordinates, its vertices there twice, leaves no trace in the picture.
static void test_no_seam(void** state)
{
    (void)state;
    static tgVec3 points[(tg_rings + 1) * tg_around], split[(tg_rings + 1) * (tg_around + 1)];
    static int sizes[tg_rings * tg_around], corners[4 * tg_rings * tg_around];
    static int welded[(tg_rings + 1) * (tg_around + 1)];
    tgDrawMesh ball = tgMakeBall(points, sizes, corners);
    tgPicture* pictures[2];
    for (int way = 0; way < 2; ++way) {
        tgCreaseDef def = tgDefaultCreaseDef();
        def.positions = ball.positions;
        def.faceSizes = sizes;
        def.faceVertices = corners;
        def.faceCount = ball.faceCount;
        if (way == 1) {
            // The last column of faces ends at vertices of its own.
            for (int i = 0; i <= tg_rings; ++i) {
                for (int j = 0; j <= tg_around; ++j) {
                    split[(tg_around + 1) * i + j] = points[tg_around * i + j % tg_around];
                    welded[(tg_around + 1) * i + j] = tg_around * i + j % tg_around;
                }
            }
            for (int f = 0; f < ball.faceCount; ++f) {
                int i = f / tg_around, j = f % tg_around;
                const int quad[4] = {(tg_around + 1) * i + j, (tg_around + 1) * (i + 1) + j,
                                     (tg_around + 1) * (i + 1) + j + 1,
                                     (tg_around + 1) * i + j + 1};
                memcpy(corners + 4 * (size_t)f, quad, sizeof(quad));
            }
            def.positions =
                (tgVec3View){&split->x, (tg_rings + 1) * (tg_around + 1), sizeof(tgVec3)};
            def.welded = welded;
        }
        tgCreases creases;
        assert_int_equal(tgFindCreases(&def, &creases, NULL), tg_success);
        tgVec3* places = malloc((size_t)creases.pointCount * sizeof(tgVec3));
        tgVec3* normals = malloc((size_t)creases.pointCount * sizeof(tgVec3));
        tgCreases_Shape(&creases, def.positions, places, normals);
        tgDrawMesh mesh = {
            .positions = {&places->x, creases.pointCount, sizeof(tgVec3)},
            .normals = {&normals->x, creases.pointCount, sizeof(tgVec3)},
            .color = {0.5f, 0.5f, 0.5f, 1.0f},
            .faceSizes = sizes,
            .faceVertices = creases.corners,
            .faceCount = ball.faceCount,
        };
        tgDrawDef draw = tgDefaultDrawDef();
        draw.meshes = &mesh;
        draw.meshCount = 1;
        tgCameraDef camera = tgDefaultCameraDef();
        camera.viewport = (tgRect){0, 0, 96, 96};
        assert_int_equal(tgFrameCamera(&camera, mesh.positions, &draw.camera, NULL), tg_success);
        pictures[way] = tgCreatePicture(96, 96, tg_full, NULL);
        assert_int_equal(tgPicture_DrawMeshes(pictures[way], &draw, NULL), tg_success);
        free(places);
        free(normals);
        tgFreeCreases(&creases);
    }
    assert_memory_equal(pictures[0]->pixels, pictures[1]->pixels, 96 * 96 * sizeof(tgColor));
    tgDestroyPicture(pictures[0]);
    tgDestroyPicture(pictures[1]);
}

/// A camera that is framed on the few extremes is the one that is framed on all points.
static void test_extremes_frame_all(void** state)
{
    (void)state;
    static tgVec3 points[(tg_rings + 1) * tg_around];
    static int sizes[tg_rings * tg_around], corners[4 * tg_rings * tg_around];
    tgDrawMesh ball = tgMakeBall(points, sizes, corners);
    for (int i = 0; i < 8; ++i) {
        tgCameraDef def = tgDefaultCameraDef();
        def.direction = tgMakeVec3(0.3f * (float)i - 1.0f, 0.2f, 0.5f);
        def.focalLength = i % 2 == 0 ? 85.0f : 0.0f;
        tgVec3 extremes[tg_extremeCount];
        tgCamera all, few;
        assert_int_equal(tgFrameCamera(&def, ball.positions, &all, NULL), tg_success);
        assert_int_equal(tgPickExtremes(&def, ball.positions, extremes, NULL), tg_success);
        tgVec3View view = {&extremes->x, tg_extremeCount, sizeof(tgVec3)};
        assert_int_equal(tgFrameCamera(&def, view, &few, NULL), tg_success);
        CHECK_NEAR(tgDistance(all.eye, few.eye), 0.0, 1e-4);
        CHECK_NEAR(all.halfHeight, few.halfHeight, 1e-5);
    }
}

/// Any parallel-for gives the same pixels: pieces in any order and of any size.
static void tgRunBackwards(tgRangeFcn* range, int count, int minRange, void* context, void* user)
{
    (void)minRange;
    int piece = *(int*)user;
    for (int end = count; end > 0; end -= piece) {
        range(end > piece ? end - piece : 0, end, context);
    }
}

static void test_threads_do_not_show(void** state)
{
    (void)state;
    static tgVec3 points[(tg_rings + 1) * tg_around];
    static int sizes[tg_rings * tg_around], corners[4 * tg_rings * tg_around];
    tgDrawMesh ball = tgMakeBall(points, sizes, corners);
    ball.color = tgMakeColor(0xcc8844);
    tgDrawMesh meshes[2] = {ball, ball};
    meshes[1].ghost = true;
    tgPicture* first = NULL;
    for (int piece = 0; piece < 4; ++piece) {
        tgDrawDef draw = tgDefaultDrawDef();
        draw.meshes = meshes;
        draw.meshCount = 2;
        tgCameraDef camera = tgDefaultCameraDef();
        camera.viewport = (tgRect){0, 0, 90, 70};
        tgFrameCamera(&camera, ball.positions, &draw.camera, NULL);
        if (piece > 0) {
            draw.parallelFor = tgRunBackwards;
            draw.parallelUser = &piece;
        }
        tgPicture* picture = tgCreatePicture(90, 70, tg_clear, NULL);
        assert_int_equal(tgPicture_DrawMeshes(picture, &draw, NULL), tg_success);
        if (first == NULL) {
            first = picture;
        } else {
            assert_memory_equal(first->pixels, picture->pixels, 90 * 70 * sizeof(tgColor));
            tgDestroyPicture(picture);
        }
    }
    tgDestroyPicture(first);
}

static void test_bad_lines(void** state)
{
    (void)state;
    tgError error = {0};
    tgPicture* picture = tgCreatePicture(20, 20, tg_full, NULL);
    tgSegment bad = {0.0f, NAN, 1.0f, 1.0f}, far = {0.0f, 0.0f, 1e9f, 0.0f};
    tgSegment good = {-100.0f, -50.0f, 300.0f, 40.0f};
    assert_int_equal(tgPicture_DrawSegments(picture, &bad, 1, 1.0f, tg_full, &error),
                     tg_invalidArgument);
    assert_int_equal(tgPicture_FillSegments(picture, &far, 1, tg_full, &error), tg_invalidArgument);
    assert_int_equal(tgPicture_DrawSegments(picture, &good, 1, 0.0f, tg_full, &error),
                     tg_invalidArgument);
    assert_int_equal(tgPicture_DrawSegments(NULL, &good, 1, 1.0f, tg_full, &error),
                     tg_invalidArgument);
    assert_int_equal(tgPicture_DrawSegments(picture, &good, 1, 1.0f, tg_full, &error), tg_success);
    tgPicture_DrawFrame(picture, (tgRect){-5, -5, 100, 3}, 2, tg_full);
    tgDestroyPicture(picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_areas_are_filled),
        cmocka_unit_test(test_strokes_are_as_wide_as_told),
        cmocka_unit_test(test_cuts_of_a_ball),
        cmocka_unit_test(test_solids_are_closed),
        cmocka_unit_test(test_creases_of_a_cube),
        cmocka_unit_test(test_no_seam),
        cmocka_unit_test(test_extremes_frame_all),
        cmocka_unit_test(test_threads_do_not_show),
        cmocka_unit_test(test_bad_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
