// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Drawings: covered area against closed forms, depth and interpolation against a ray cast over all
// triangles, light, equal pixels twice, and bad input.

#include "check.h"

#include "draw/picture.h"
#include "random.h"

#include <float.h>

enum { tg_soupCount = 60 };

static tgVec3View tgViewOf(const tgVec3* points, int count)
{
    tgVec3View view = {&points->x, count, (int)sizeof(tgVec3)};
    return view;
}

static tgDrawMesh tgMakeDrawMesh(const tgVec3* points, int count, const int* faces, int faceCount)
{
    tgDrawMesh mesh = {
        .positions = tgViewOf(points, count),
        .color = {0.5f, 0.5f, 0.5f, 1.0f},
        .faceVertices = faces,
        .faceCount = faceCount,
    };
    return mesh;
}

static tgPicture* tgMakePicture(int width, int height, tgColor background)
{
    tgError error = {0};
    tgPicture* picture = tgCreatePicture(width, height, background, &error);
    assert_non_null(picture);
    return picture;
}

/// A sphere of radius 1 from rings of quads, its poles pinched.
typedef struct tgBall {
    tgVec3 points[65 * 128];
    int sizes[64 * 128];
    int corners[64 * 128 * 4];
} tgBall;

static tgBall* tgMakeBall(void)
{
    tgBall* ball = malloc(sizeof(tgBall));
    assert_non_null(ball);
    const float pi = 3.14159265f;
    for (int i = 0; i <= 64; ++i) {
        for (int j = 0; j < 128; ++j) {
            float a = pi * (float)i / 64.0f;
            float b = 2.0f * pi * (float)j / 128.0f;
            tgVec3 p = {sinf(a) * sinf(b), cosf(a), sinf(a) * cosf(b)};
            ball->points[128 * i + j] = p;
        }
    }
    for (int f = 0; f < 64 * 128; ++f) {
        int i = f / 128;
        int j = f % 128;
        ball->sizes[f] = 4;
        ball->corners[4 * f + 0] = 128 * i + j;
        ball->corners[4 * f + 1] = 128 * (i + 1) + j;
        ball->corners[4 * f + 2] = 128 * (i + 1) + (j + 1) % 128;
        ball->corners[4 * f + 3] = 128 * i + (j + 1) % 128;
    }
    return ball;
}

static tgDrawMesh tgGetBallMesh(const tgBall* ball)
{
    tgDrawMesh mesh = tgMakeDrawMesh(ball->points, 65 * 128, ball->corners, 64 * 128);
    mesh.faceSizes = ball->sizes;
    mesh.normals = mesh.positions;
    return mesh;
}

/// Opacity summed over a picture: pixels covered.
static double tgSumCover(const tgPicture* picture)
{
    double sum = 0.0;
    for (int i = 0; i < picture->width * picture->height; ++i) {
        sum += (double)picture->pixels[i].a;
    }
    return sum;
}

static void test_ball_covers_its_disc(void** state)
{
    (void)state;
    const tgColor clear = {0.0f, 0.0f, 0.0f, 0.0f};
    tgBall* ball = tgMakeBall();
    tgDrawMesh mesh = tgGetBallMesh(ball);
    for (int perspective = 0; perspective < 2; ++perspective) {
        tgPicture* picture = tgMakePicture(200, 150, clear);
        tgDrawDef def = tgDefaultDrawDef();
        def.meshes = &mesh;
        def.meshCount = 1;
        def.lit = false;
        def.viewport = (tgRect){20, 10, 160, 130};
        def.camera.eye = tgMakeVec3(0.02f, 0.03f, 4.0f);
        def.camera.perspective = perspective != 0;
        def.camera.halfHeight = perspective != 0 ? 0.35f : 1.3f;
        tgError error = {0};
        assert_int_equal(tgPicture_DrawMeshes(picture, &def, &error), tg_success);
        // In perspective the outline is where rays touch the ball: a circle of slope 1/sqrt(d^2-1)
        // about its centre, stretched a little by being off the axis.
        double radius = 65.0 / 1.3;
        if (perspective != 0) {
            radius = 65.0 / 0.35 / sqrt(16.0 - 1.0);
        }
        const double pi = 3.14159265358979;
        CHECK_NEAR(tgSumCover(picture) / (pi * radius * radius), 1.0, 0.002);
        tgDestroyPicture(picture);
    }
    free(ball);
}

/// Random triangles with a colour of their own in red and corner weights in green and blue.
typedef struct tgSoup {
    tgVec3 points[3 * tg_soupCount];
    tgColor colors[3 * tg_soupCount];
    int corners[3 * tg_soupCount];
} tgSoup;

static tgSoup tgMakeSoup(unsigned seed)
{
    tgSoup soup;
    for (int f = 0; f < tg_soupCount; ++f) {
        tgVec3 center = {(float)tgNextUnit(&seed), (float)tgNextUnit(&seed),
                         (float)tgNextUnit(&seed)};
        for (int k = 0; k < 3; ++k) {
            tgVec3 offset = {(float)tgNextUnit(&seed), (float)tgNextUnit(&seed),
                             (float)tgNextUnit(&seed)};
            tgColor color = {(float)(f + 1) / (tg_soupCount + 1), k == 1, k == 2, 1.0f};
            soup.points[3 * f + k] = tgMulAdd(center, 0.6f, offset);
            soup.colors[3 * f + k] = color;
            soup.corners[3 * f + k] = 3 * f + k;
        }
    }
    return soup;
}

typedef struct tgHit {
    int face; ///< -1 for none
    double u, v, distance;
} tgHit;

/// All triangles in double, Moller and Trumbore 1997.
static tgHit tgCastRay(const tgSoup* soup, const double origin[3], const double ray[3])
{
    tgHit hit = {-1, 0.0, 0.0, DBL_MAX};
    for (int f = 0; f < tg_soupCount; ++f) {
        double a[3], e1[3], e2[3], s[3], h[3], q[3];
        for (int i = 0; i < 3; ++i) {
            a[i] = (double)(&soup->points[3 * f].x)[i];
            e1[i] = (double)(&soup->points[3 * f + 1].x)[i] - a[i];
            e2[i] = (double)(&soup->points[3 * f + 2].x)[i] - a[i];
            s[i] = origin[i] - a[i];
        }
        for (int i = 0; i < 3; ++i) {
            int j = (i + 1) % 3;
            int k = (i + 2) % 3;
            h[i] = ray[j] * e2[k] - ray[k] * e2[j];
            q[i] = s[j] * e1[k] - s[k] * e1[j];
        }
        double per = 1.0 / (e1[0] * h[0] + e1[1] * h[1] + e1[2] * h[2]);
        double u = per * (s[0] * h[0] + s[1] * h[1] + s[2] * h[2]);
        double v = per * (ray[0] * q[0] + ray[1] * q[1] + ray[2] * q[2]);
        double t = per * (e2[0] * q[0] + e2[1] * q[1] + e2[2] * q[2]);
        if (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 1e-3 && t < hit.distance) {
            hit = (tgHit){f, u, v, t};
        }
    }
    return hit;
}

static tgHit tgCastPixel(const tgSoup* soup, const tgCamera* camera, tgRect viewport, double x,
                         double y)
{
    double scale = 2.0 * (double)camera->halfHeight / viewport.height;
    double right = scale * (x - viewport.x - 0.5 * viewport.width);
    double up = -scale * (y - viewport.y - 0.5 * viewport.height);
    double origin[3];
    double ray[3];
    for (int i = 0; i < 3; ++i) {
        double side = right * (double)(&camera->right.x)[i] + up * (double)(&camera->up.x)[i];
        double eye = (double)(&camera->eye.x)[i];
        origin[i] = camera->perspective ? eye : eye + side;
        ray[i] = -(double)(&camera->back.x)[i] + (camera->perspective ? side : 0.0);
    }
    return tgCastRay(soup, origin, ray);
}

/// Pixels whose rays through a 16 x 16 grid all meet the same triangle must show it, and the corner
/// weights where the middle ray meets it. The number of pixels compared.
static int tgCompareWithRays(const tgSoup* soup, const tgPicture* picture, const tgCamera* camera,
                             tgRect viewport)
{
    int compared = 0;
    for (int y = viewport.y; y < viewport.y + viewport.height; y += 7) {
        for (int x = viewport.x; x < viewport.x + viewport.width; x += 7) {
            tgHit hit = tgCastPixel(soup, camera, viewport, x + 0.5, y + 0.5);
            bool same = hit.face >= 0;
            for (int k = 0; k < 256 && same; ++k) {
                double dx = (k % 16 + 0.5) / 16.0;
                double dy = (k / 16 + 0.5) / 16.0;
                same = tgCastPixel(soup, camera, viewport, x + dx, y + dy).face == hit.face;
            }
            if (same) {
                const tgColor* pixel = &picture->pixels[y * picture->width + x];
                CHECK_NEAR(pixel->a, 1.0, 0.0);
                CHECK_NEAR(pixel->r, (hit.face + 1.0) / (tg_soupCount + 1), 1e-5);
                // Corners sit on a grid of 1/256 pixel; a triangle seen edge-on feels it most.
                CHECK_NEAR(pixel->g, hit.u, 0.005);
                CHECK_NEAR(pixel->b, hit.v, 0.005);
                compared += 1;
            }
        }
    }
    return compared;
}

static void test_soup_equals_ray_cast(void** state)
{
    (void)state;
    tgSoup soup = tgMakeSoup(7u);
    tgDrawMesh mesh = tgMakeDrawMesh(soup.points, 3 * tg_soupCount, soup.corners, tg_soupCount);
    mesh.vertexColors = soup.colors;
    // Orthographic, perspective from outside, and from amid the triangles: most are then clipped.
    for (int kind = 0; kind < 3; ++kind) {
        tgError error = {0};
        tgPicture* picture = tgMakePicture(210, 170, tgMakeColor(0xffffff));
        tgDrawDef def = tgDefaultDrawDef();
        def.viewport = (tgRect){15, 10, 180, 150};
        def.meshes = &mesh;
        def.meshCount = 1;
        def.lit = false;
        tgCameraDef cameraDef = tgDefaultCameraDef();
        cameraDef.viewport = def.viewport;
        cameraDef.focalLength = kind == 0 ? 0.0f : 24.0f;
        assert_int_equal(tgFrameCamera(&cameraDef, mesh.positions, &def.camera, &error),
                         tg_success);
        if (kind == 2) {
            def.camera.eye = tgMakeVec3(0.7f, 0.6f, 0.8f);
        }
        assert_int_equal(tgPicture_DrawMeshes(picture, &def, &error), tg_success);
        int compared = tgCompareWithRays(&soup, picture, &def.camera, def.viewport);
        assert_true(compared >= 100);
        // Nothing is drawn outside the viewport.
        CHECK_NEAR(picture->pixels[9 * 210 + 100].r, 1.0, 0.0);
        CHECK_NEAR(picture->pixels[100 * 210 + 14].r, 1.0, 0.0);
        tgDestroyPicture(picture);
    }
}

static void test_neighbours_share_every_sample(void** state)
{
    (void)state;
    // A warped grid of triangles larger than the picture: any crack would let the background in.
    enum { side = 24 };
    tgVec3 points[side * side];
    int corners[(side - 1) * (side - 1) * 6];
    int count = 0;
    unsigned seed = 3u;
    for (int i = 0; i < side * side; ++i) {
        points[i] = tgMakeVec3((float)(i % side) + 0.4f * (float)tgNextUnit(&seed),
                               (float)(i / side) + 0.4f * (float)tgNextUnit(&seed), 0.0f);
    }
    for (int i = 0; i < side * (side - 1); ++i) {
        if (i % side < side - 1) {
            const int face[6] = {i, i + 1, i + side + 1, i, i + side + 1, i + side};
            memcpy(&corners[count], face, sizeof(face));
            count += 6;
        }
    }
    tgDrawMesh mesh = tgMakeDrawMesh(points, side * side, corners, count / 3);
    tgDrawDef def = tgDefaultDrawDef();
    def.meshes = &mesh;
    def.meshCount = 1;
    def.lit = false;
    def.camera.eye = tgMakeVec3(12.0f, 12.0f, 5.0f);
    def.camera.halfHeight = 10.0f;
    const tgColor clear = {0.0f, 0.0f, 0.0f, 0.0f};
    tgPicture* picture = tgMakePicture(90, 90, clear);
    assert_int_equal(tgPicture_DrawMeshes(picture, &def, NULL), tg_success);
    CHECK_NEAR(tgSumCover(picture), 90.0 * 90.0, 0.0);
    tgDestroyPicture(picture);
}

/// A ball lit with all there is, on white.
static tgPicture* tgDrawLitBall(const tgBall* ball, bool wireframe)
{
    tgDrawMesh mesh = tgGetBallMesh(ball);
    mesh.wireframe = wireframe;
    tgDrawDef def = tgDefaultDrawDef();
    def.lightCount = 64;
    def.meshes = &mesh;
    def.meshCount = 1;
    tgCameraDef cameraDef = tgDefaultCameraDef();
    cameraDef.viewport = (tgRect){0, 0, 160, 120};
    cameraDef.margin = 0.2f;
    assert_int_equal(tgFrameCamera(&cameraDef, mesh.positions, &def.camera, NULL), tg_success);
    tgPicture* picture = tgMakePicture(160, 120, tgMakeColor(0xffffff));
    assert_int_equal(tgPicture_DrawMeshes(picture, &def, NULL), tg_success);
    return picture;
}

static void test_same_pixels_twice(void** state)
{
    (void)state;
    tgBall* ball = tgMakeBall();
    tgPicture* first = tgDrawLitBall(ball, true);
    tgPicture* second = tgDrawLitBall(ball, true);
    assert_memory_equal(first->pixels, second->pixels, 160 * 120 * sizeof(tgColor));
    tgDestroyPicture(first);
    tgDestroyPicture(second);
    free(ball);
}

static void test_light(void** state)
{
    (void)state;
    tgBall* ball = tgMakeBall();
    tgPicture* picture = tgDrawLitBall(ball, false);
    const tgColor* pixels = picture->pixels;
    // Key light from the upper left; on the ground, shadow right of the ball and none at the rim.
    float lit = pixels[40 * 160 + 66].g;
    float dark = pixels[80 * 160 + 94].g;
    assert_true(lit > 1.5f * dark);
    assert_true(pixels[96 * 160 + 92].g < 0.75f);
    CHECK_NEAR(pixels[2 * 160 + 2].g, 1.0, 1e-3);
    tgDestroyPicture(picture);

    // The back of a face is dark and reddish.
    const tgVec3 points[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    const int size = 4;
    const int corners[4] = {0, 1, 2, 3};
    tgColor seen[2];
    for (int side = 0; side < 2; ++side) {
        tgDrawMesh mesh = tgMakeDrawMesh(points, 4, corners, 1);
        mesh.faceSizes = &size;
        tgDrawDef def = tgDefaultDrawDef();
        def.meshes = &mesh;
        def.meshCount = 1;
        tgCameraDef cameraDef = tgDefaultCameraDef();
        cameraDef.direction = tgGetViewDirection(side == 0 ? tg_viewFront : tg_viewBack);
        assert_int_equal(tgFrameCamera(&cameraDef, mesh.positions, &def.camera, NULL), tg_success);
        tgPicture* one = tgMakePicture(32, 24, tgMakeColor(0x0000ff));
        assert_int_equal(tgPicture_DrawMeshes(one, &def, NULL), tg_success);
        seen[side] = one->pixels[12 * 32 + 16];
        tgDestroyPicture(one);
    }
    assert_true(seen[1].r < seen[0].r && seen[1].r > 1.5f * seen[1].g);
    CHECK_NEAR(seen[0].r / seen[0].b, 1.0, 0.35);
    free(ball);
}

static void test_bad_drawings(void** state)
{
    (void)state;
    tgError error = {0};
    tgPicture* picture = tgMakePicture(8, 8, tgMakeColor(0xffffff));
    tgVec3 points[3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    int corners[3] = {0, 1, 7};
    tgDrawMesh mesh = tgMakeDrawMesh(points, 3, corners, 1);
    tgDrawDef def = {0};
    assert_int_equal(tgPicture_DrawMeshes(picture, &def, &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "tgDefaultDrawDef");
    def = tgDefaultDrawDef();
    def.meshes = &mesh;
    def.meshCount = 1;
    assert_int_equal(tgPicture_DrawMeshes(picture, &def, &error), tg_invalidMesh);
    CHECK_CONTAINS(error.message, "face 0 uses vertex 7, the mesh has 3");
    corners[2] = 2;
    points[1].y = NAN;
    assert_int_equal(tgPicture_DrawMeshes(picture, &def, &error), tg_invalidMesh);
    CHECK_CONTAINS(error.message, "vertex 1");
    points[1].y = 1e30f;
    assert_int_equal(tgPicture_DrawMeshes(picture, &def, &error), tg_invalidMesh);
    CHECK_CONTAINS(error.message, "1e+30");
    points[1].y = 0.0f;
    int size = 2;
    mesh.faceSizes = &size;
    assert_int_equal(tgPicture_DrawMeshes(picture, &def, &error), tg_invalidMesh);
    CHECK_CONTAINS(error.message, "2 corners");
    mesh.faceSizes = NULL;
    def.camera.halfHeight = 0.0f;
    assert_int_equal(tgPicture_DrawMeshes(picture, &def, &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "camera");
    // What failed has drawn nothing; what is empty or flat is fine and draws nothing.
    def.camera.halfHeight = 1.0f;
    points[2] = points[1];
    assert_int_equal(tgPicture_DrawMeshes(picture, &def, &error), tg_success);
    def.meshCount = 0;
    assert_int_equal(tgPicture_DrawMeshes(picture, &def, &error), tg_success);
    for (int i = 0; i < 64; ++i) {
        CHECK_NEAR(picture->pixels[i].g, 1.0, 0.0);
    }
    tgDestroyPicture(picture);
    tgDestroyPicture(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_covers_its_disc),
        cmocka_unit_test(test_soup_equals_ray_cast),
        cmocka_unit_test(test_neighbours_share_every_sample),
        cmocka_unit_test(test_same_pixels_twice),
        cmocka_unit_test(test_light),
        cmocka_unit_test(test_bad_drawings),
    };
    return cmocka_run_group_tests_name("draw", tests, NULL, NULL);
}
