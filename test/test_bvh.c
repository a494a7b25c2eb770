// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The tree of boxes against a search through all triangles, by formulas of its own: hits of rays,
// closest points, crossing pairs, on random triangles, on embedded characters and on other
// people's; refitted and built anew. Then closed forms, rays through edges, and bad input.
// Past 500 lines because brute force stands beside every query.

#include "assets.h"
#include "core/bvh.h"
#include "random.h"
#include "shapes.h"
#include "turgor/models.h"

typedef struct tgSoup {
    int vertexCount;
    tgVec3* positions;
    int* triangles;
    tgSurface surface;
} tgSoup;

static unsigned tg_random = 1;

static tgVec3 tgRandomPoint(float size)
{
    float x = (float)tgNextUnit(&tg_random), y = (float)tgNextUnit(&tg_random),
          z = (float)tgNextUnit(&tg_random);
    return tgMulSV(size, tgMakeVec3(2.0f * x - 1.0f, 2.0f * y - 1.0f, 2.0f * z - 1.0f));
}

static tgSoup tgMakeSoup(int vertexCount, int triangleCount)
{
    tgSoup soup = {.vertexCount = vertexCount};
    soup.positions = calloc((size_t)vertexCount + 1, sizeof(tgVec3));
    soup.triangles = calloc(3 * (size_t)triangleCount + 1, sizeof(int));
    soup.surface = (tgSurface){
        {&soup.positions->x, vertexCount, sizeof(tgVec3)}, soup.triangles, triangleCount};
    return soup;
}

static void tgFreeSoup(tgSoup* soup)
{
    free(soup->positions);
    free(soup->triangles);
}

/// Triangles of about one size, some of them flat, some of them one point.
static tgSoup tgMakeRandomSoup(int triangleCount, float size)
{
    tgSoup soup = tgMakeSoup(3 * triangleCount, triangleCount);
    for (int t = 0; t < triangleCount; ++t) {
        tgVec3 middle = tgRandomPoint(1.0f);
        for (int k = 0; k < 3; ++k) {
            tgVec3 p = tgAdd(middle, tgRandomPoint(size));
            if (t % 50 == 1) {
                p = middle;
            } else if (t % 50 == 2) {
                p = tgAdd(middle, tgMakeVec3((float)k * size, 0.0f, 0.0f));
            } else if (t % 50 == 3) {
                p.z = middle.z;
            }
            soup.positions[3 * t + k] = p;
            soup.triangles[3 * t + k] = 3 * t + k;
        }
    }
    return soup;
}

/// A character at a time of its first animation.
static tgSoup tgMakeCharacterSoup(const tgScene* scene, double time)
{
    tgError error = {0};
    tgRigDef def = tgScene_GetRigDef(scene);
    tgRig* rig = tgCreateRig(&def, &error);
    assert_non_null(rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    int triangleCount = 0;
    for (int f = 0; f < scene->faceCount; ++f) {
        triangleCount += scene->faceSizes[f] - 2;
    }
    tgSoup soup = tgMakeSoup(scene->vertexCount, triangleCount);
    tgScene_SamplePose(scene, scene->animationCount > 0 ? 0 : -1, time, nodes, joints, NULL);
    tgPose pose = {.joints = joints, .jointCount = scene->jointCount};
    tgVec3Span out = {&soup.positions->x, scene->vertexCount, sizeof(tgVec3)}, none = {0};
    assert_int_equal(tgInstance_Deform(instance, &pose, out, none, NULL), tg_success);
    // Corners by welded vertex, as whoever looks for crossings needs them.
    const int* welded = tgRig_GetWeldedVertices(rig);
    int* first = calloc((size_t)scene->vertexCount, sizeof(int));
    for (int v = scene->vertexCount - 1; v >= 0; --v) {
        first[welded[v]] = v;
    }
    const int* corners = scene->faceVertices;
    int* to = soup.triangles;
    for (int f = 0; f < scene->faceCount; corners += scene->faceSizes[f], ++f) {
        for (int k = 1; k + 1 < scene->faceSizes[f]; ++k) {
            *to++ = first[welded[corners[0]]];
            *to++ = first[welded[corners[k]]];
            *to++ = first[welded[corners[k + 1]]];
        }
    }
    free(first);
    free(joints);
    free(nodes);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    return soup;
}

// ---- all triangles, one by one ------------------------------------------------------------------

typedef struct tgLong {
    long double x, y, z;
} tgLong;

static tgLong tgToLong(tgVec3 v)
{
    return (tgLong){(long double)v.x, (long double)v.y, (long double)v.z};
}
static tgLong tgSubLong(tgLong a, tgLong b)
{
    return (tgLong){a.x - b.x, a.y - b.y, a.z - b.z};
}
static tgLong tgCrossLong(tgLong a, tgLong b)
{
    return (tgLong){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static long double tgDotLong(tgLong a, tgLong b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static void tgGetCorners(const tgSurface* surface, int t, tgLong corners[3])
{
    for (int k = 0; k < 3; ++k) {
        corners[k] = tgToLong(tgVec3View_Get(surface->positions, surface->triangles[3 * t + k]));
    }
}

/// Moeller and Trumbore.
static bool tgHitByForce(const tgSurface* surface, int t, const tgRay* ray, long double* along)
{
    tgLong p[3];
    tgGetCorners(surface, t, p);
    tgLong e1 = tgSubLong(p[1], p[0]), e2 = tgSubLong(p[2], p[0]), d = tgToLong(ray->direction);
    tgLong h = tgCrossLong(d, e2), s = tgSubLong(tgToLong(ray->origin), p[0]);
    long double a = tgDotLong(e1, h);
    tgLong q = tgCrossLong(s, e1);
    long double u = tgDotLong(s, h) / a, v = tgDotLong(d, q) / a;
    *along = tgDotLong(e2, q) / a;
    return a != 0.0L && u >= 0.0L && v >= 0.0L && u + v <= 1.0L &&
           *along >= (long double)ray->from && *along <= (long double)ray->to;
}

/// By the region of the plane that the point is over (Ericson).
static long double tgDistanceByForce(const tgSurface* surface, int t, tgVec3 from)
{
    tgLong c[3], p = tgToLong(from);
    tgGetCorners(surface, t, c);
    tgLong normal = tgCrossLong(tgSubLong(c[1], c[0]), tgSubLong(c[2], c[0]));
    long double size = tgDotLong(normal, normal), best = HUGE_VALL;
    bool inside = size > 0.0L;
    for (int k = 0; k < 3; ++k) {
        tgLong a = c[k], edge = tgSubLong(c[(k + 1) % 3], a), to = tgSubLong(p, a);
        inside &= tgDotLong(tgCrossLong(edge, to), normal) >= 0.0L;
        long double length = tgDotLong(edge, edge);
        long double s = length > 0.0L ? tgDotLong(to, edge) / length : 0.0L;
        s = s < 0.0L ? 0.0L : s > 1.0L ? 1.0L : s;
        tgLong off = {to.x - s * edge.x, to.y - s * edge.y, to.z - s * edge.z};
        long double distance = tgDotLong(off, off);
        best = distance < best ? distance : best;
    }
    long double height = tgDotLong(tgSubLong(p, c[0]), normal);
    return inside ? height * height / size : best;
}

/// Moeller 1997: the stretches in which the planes' common line runs through the two triangles.
static bool tgGetStretch(const tgLong p[3], const long double side[3], tgLong line,
                         long double stretch[2])
{
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        int n = (k + 1) % 3;
        if ((side[k] > 0.0L) != (side[n] > 0.0L)) {
            long double s = side[k] / (side[k] - side[n]);
            long double a = tgDotLong(line, p[k]), b = tgDotLong(line, p[n]);
            stretch[count++] = a + s * (b - a);
        }
    }
    if (count == 2 && stretch[0] > stretch[1]) {
        long double swap = stretch[0];
        stretch[0] = stretch[1];
        stretch[1] = swap;
    }
    return count == 2;
}

static bool tgCrossByForce(const tgSurface* surface, int s, int t)
{
    tgLong a[3], b[3];
    tgGetCorners(surface, s, a);
    tgGetCorners(surface, t, b);
    tgLong na = tgCrossLong(tgSubLong(a[1], a[0]), tgSubLong(a[2], a[0]));
    tgLong nb = tgCrossLong(tgSubLong(b[1], b[0]), tgSubLong(b[2], b[0]));
    long double sideA[3], sideB[3], onA[2], onB[2];
    for (int k = 0; k < 3; ++k) {
        sideA[k] = tgDotLong(nb, tgSubLong(a[k], b[0]));
        sideB[k] = tgDotLong(na, tgSubLong(b[k], a[0]));
    }
    tgLong line = tgCrossLong(na, nb);
    return tgGetStretch(a, sideA, line, onA) && tgGetStretch(b, sideB, line, onB) &&
           onA[0] < onB[1] && onB[0] < onA[1];
}

/// All of one lies to one side of the other along an axis.
static bool tgAreApart(const tgSurface* surface, int s, int t)
{
    tgVec3 low[2], high[2];
    for (int k = 0; k < 6; ++k) {
        int corner = surface->triangles[3 * (k < 3 ? s : t) + k % 3];
        tgVec3 p = tgVec3View_Get(surface->positions, corner);
        tgVec3 *l = &low[k / 3], *h = &high[k / 3];
        *l = k % 3 == 0 ? p : tgMakeVec3(fminf(l->x, p.x), fminf(l->y, p.y), fminf(l->z, p.z));
        *h = k % 3 == 0 ? p : tgMakeVec3(fmaxf(h->x, p.x), fmaxf(h->y, p.y), fmaxf(h->z, p.z));
    }
    return low[0].x > high[1].x || low[0].y > high[1].y || low[0].z > high[1].z ||
           low[1].x > high[0].x || low[1].y > high[0].y || low[1].z > high[0].z;
}

static bool tgAreNeighbours(const int* triangles, int s, int t)
{
    for (int k = 0; k < 9; ++k) {
        if (triangles[3 * s + k / 3] == triangles[3 * t + k % 3]) {
            return true;
        }
    }
    return false;
}

// ---- comparing ----------------------------------------------------------------------------------

static void tgCheckRays(const tgBvh* bvh, const tgSoup* soup, float size, int rayCount, int* found)
{
    const tgSurface* surface = &soup->surface;
    tgRayHit* hits = calloc((size_t)surface->triangleCount + 1, sizeof(tgRayHit));
    bool* hit = calloc((size_t)surface->triangleCount + 1, sizeof(bool));
    for (int r = 0; r < rayCount; ++r) {
        tgVec3 target = soup->positions[r % soup->vertexCount];
        tgVec3 origin = tgAdd(target, tgRandomPoint(2.0f * size));
        tgRay ray = tgMakeRay(origin, tgSub(tgAdd(target, tgRandomPoint(0.1f * size)), origin));
        ray.from = r % 3 == 0 ? -1.0 : 0.0;
        ray.to = r % 5 == 0 ? 1.1 : HUGE_VAL;
        int count = tgBvh_FindAllHits(bvh, surface, &ray, hits, surface->triangleCount);
        memset(hit, 0, (size_t)surface->triangleCount);
        for (int i = 0; i < count; ++i) {
            assert_false(hit[hits[i].triangle]);
            hit[hits[i].triangle] = true;
            assert_true(i == 0 || hits[i - 1].t <= hits[i].t);
        }
        int expected = 0;
        long double along;
        for (int t = 0; t < surface->triangleCount; ++t) {
            bool hitsIt = tgHitByForce(surface, t, &ray, &along);
            assert_int_equal(hitsIt, hit[t]);
            expected += hitsIt;
        }
        assert_int_equal(count, expected);
        for (int i = 0; i < count; ++i) {
            tgHitByForce(surface, hits[i].triangle, &ray, &along);
            CHECK_NEAR(hits[i].t, along, 1e-9);
            CHECK_NEAR(hits[i].weights[0] + hits[i].weights[1] + hits[i].weights[2], 1.0, 1e-12);
        }
        tgRayHit nearest, few[2];
        assert_int_equal(tgBvh_FindNearestHit(bvh, surface, &ray, &nearest), count > 0);
        assert_int_equal(tgBvh_FindAllHits(bvh, surface, &ray, few, 2), count);
        if (count > 0) {
            assert_int_equal(nearest.triangle, hits[0].triangle);
            assert_memory_equal(few, hits, (size_t)(count < 2 ? count : 2) * sizeof(tgRayHit));
        }
        *found += count;
    }
    free(hits);
    free(hit);
}

static void tgCheckClosest(const tgBvh* bvh, const tgSoup* soup, float size, int pointCount)
{
    const tgSurface* surface = &soup->surface;
    for (int i = 0; i < pointCount; ++i) {
        tgVec3 vertex = soup->positions[(i * 7) % soup->vertexCount];
        tgVec3 p = tgAdd(vertex, tgRandomPoint(i % 4 == 0 ? 0.0f : 0.3f * size));
        long double best = HUGE_VALL;
        for (int t = 0; t < surface->triangleCount; ++t) {
            long double distance = tgDistanceByForce(surface, t, p);
            best = distance < best ? distance : best;
        }
        tgClosestPoint closest;
        assert_true(tgBvh_FindClosest(bvh, surface, p, HUGE_VAL, &closest));
        double distance = sqrt((double)best);
        CHECK_NEAR(sqrt(closest.distanceSquared), distance, 1e-7 * (double)size);
        CHECK_NEAR(tgDistance(closest.point, p), distance, 1e-6 * (double)size);
        bool within = tgBvh_FindClosest(bvh, surface, p, 0.1 * (double)size, &closest);
        assert_int_equal(within, distance <= 0.1 * (double)size);
    }
}

typedef struct tgPairs {
    int count;
    uint64_t sum; ///< of a number for each pair: the same in any order
    const tgSurface* surface;
    int wrong; ///< that force does not find
} tgPairs;

static uint64_t tgNumberPair(int first, int second)
{
    uint64_t h = ((uint64_t)(uint32_t)first << 32 | (uint32_t)second) * 0x9E3779B97F4A7C15u;
    return (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9u;
}

static void tgNotePair(int first, int second, void* context)
{
    tgPairs* pairs = context;
    pairs->count += 1;
    pairs->sum += tgNumberPair(first, second);
    assert_true(first < second);
    pairs->wrong += !tgCrossByForce(pairs->surface, first, second);
}

/// One element at a time, the last first.
static void tgRunBackwards(tgRangeFcn* range, int count, int minRange, void* context, void* user)
{
    (void)minRange;
    (void)user;
    for (int i = count - 1; i >= 0; --i) {
        range(i, i + 1, context);
    }
}

static int tgCheckPairs(const tgBvh* bvh, const tgSoup* soup)
{
    const tgSurface* surface = &soup->surface;
    tgPairs found = {.surface = surface};
    int count = tgBvh_FindCrossings(bvh, surface, tgNotePair, &found);
    assert_int_equal(found.count, count);
    tgParallel backwards = {tgRunBackwards, NULL}, alone = {NULL, NULL};
    assert_int_equal(tgBvh_CountCrossings(bvh, surface, &backwards), count);
    assert_int_equal(tgBvh_CountCrossings(bvh, surface, &alone), count);
    int expected = 0;
    uint64_t sum = 0;
    for (int s = 0; s < surface->triangleCount; ++s) {
        for (int t = s + 1; t < surface->triangleCount; ++t) {
            if (!tgAreApart(surface, s, t) && !tgAreNeighbours(surface->triangles, s, t) &&
                tgCrossByForce(surface, s, t)) {
                expected += 1;
                sum += tgNumberPair(s, t);
            }
        }
    }
    assert_int_equal(found.wrong, 0);
    assert_int_equal(found.count, expected);
    assert_true(found.sum == sum);
    return expected;
}

static float tgGetSize(const tgSoup* soup)
{
    float size = 0.0f;
    for (int v = 0; v < soup->vertexCount; ++v) {
        size = fmaxf(size, tgDistance(soup->positions[v], soup->positions[0]));
    }
    return size;
}

static void tgCheckSoup(const char* name, const tgSoup* soup, const tgBvh* bvh)
{
    float size = tgGetSize(soup);
    int hits = 0;
    tgCheckRays(bvh, soup, size, 60, &hits);
    tgCheckClosest(bvh, soup, size, 60);
    int pairs = tgCheckPairs(bvh, soup);
    print_message("%-26s %6d triangles, %5d nodes: %5d hits, %5d crossing pairs\n", name,
                  soup->surface.triangleCount, bvh->nodeCount, hits, pairs);
}

static void tgBuildAndCheck(const char* name, const tgSoup* soup)
{
    void* memory = malloc(tgBvh_GetSize(soup->surface.triangleCount));
    tgBvh bvh;
    tgBvh_Build(&bvh, &soup->surface, memory);
    tgCheckSoup(name, soup, &bvh);
    free(memory);
}

static void tgTestRandom(void** state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        tgSoup soup = tgMakeRandomSoup(i == 0 ? 1 : 300 * i, 0.8f / (float)(i + 1));
        tgBuildAndCheck("random", &soup);
        tgFreeSoup(&soup);
    }
}

static void tgCheckScene(const char* name, tgScene* scene)
{
    assert_non_null(scene);
    double end = scene->animationCount > 0 ? scene->animations[0].end : 0.0;
    tgSoup rest = tgMakeCharacterSoup(scene, 0.0), posed = tgMakeCharacterSoup(scene, 0.5 * end);
    tgBuildAndCheck(name, &posed);
    // The tree of one pose fitted to the other finds the same.
    void* memory = malloc(tgBvh_GetSize(rest.surface.triangleCount));
    tgBvh bvh;
    tgBvh_Build(&bvh, &rest.surface, memory);
    tgBvh_Refit(&bvh, &posed.surface);
    tgCheckSoup("  refitted", &posed, &bvh);
    free(memory);
    tgFreeSoup(&rest);
    tgFreeSoup(&posed);
    tgDestroyScene(scene);
}

static void tgTestCharacters(void** state)
{
    (void)state;
    tgCheckScene("finger", tgCreateModel("finger", 2000, NULL));
    tgCheckScene("elephant", tgCreateModel("elephant", 3000, NULL));
    static const char* const others[] = {"hand_generic_right.glb", "Trex.fbx", "CesiumMan.glb"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); ++i) {
        tgScene* scene = tgLoadAsset(others[i]);
        if (scene == NULL) {
            continue;
        }
        tgCheckScene(others[i], scene);
    }
}

// ---- closed forms -------------------------------------------------------------------------------

static void tgTestSphere(void** state)
{
    (void)state;
    // From anywhere inside a closed surface there is one way out; from outside as many in as out.
    tgShape sphere = tgMakeSphere(40, 20);
    int quadCount = 0, triangleCount = 0;
    int *triangles = calloc(3 * (size_t)sphere.faceCount, sizeof(int)),
        *quads = calloc(4 * (size_t)sphere.faceCount, sizeof(int));
    const int* corners = sphere.faceVertices;
    for (int f = 0; f < sphere.faceCount; corners += sphere.faceSizes[f], ++f) {
        bool quad = sphere.faceSizes[f] == 4;
        memcpy(quad ? quads + 4 * quadCount++ : triangles + 3 * triangleCount++, corners,
               (size_t)sphere.faceSizes[f] * sizeof(int));
    }
    tgSoup soup = tgMakeSoup(sphere.vertexCount, triangleCount + 2 * quadCount);
    memcpy(soup.positions, sphere.positions, (size_t)sphere.vertexCount * sizeof(tgVec3));
    tgSplitFaces(triangles, triangleCount, quads, quadCount, soup.triangles);
    void* memory = malloc(tgBvh_GetSize(soup.surface.triangleCount));
    tgBvh bvh;
    tgBvh_Build(&bvh, &soup.surface, memory);
    for (int i = 0; i < 500; ++i) {
        tgRayHit hits[8];
        tgRay ray = tgMakeRay(tgRandomPoint(0.5f), tgRandomPoint(1.0f));
        assert_int_equal(tgBvh_FindAllHits(&bvh, &soup.surface, &ray, hits, 8), 1);
        assert_false(hits[0].entering);
        tgVec3 out = tgMulAdd(ray.origin, (float)hits[0].t, ray.direction);
        CHECK_NEAR(tgLength(out), 1.0, 0.02);
        tgClosestPoint closest;
        tgVec3 p = tgRandomPoint(2.0f);
        assert_true(tgBvh_FindClosest(&bvh, &soup.surface, p, HUGE_VAL, &closest));
        CHECK_NEAR(sqrt(closest.distanceSquared), fabs((double)tgLength(p) - 1.0), 0.02);
    }
    // Through vertices and the middles of edges, from the middle outwards: no gaps.
    for (int i = 0; i < 3 * soup.surface.triangleCount; ++i) {
        tgVec3 a = soup.positions[soup.triangles[i]],
               b = soup.positions[soup.triangles[i % 3 == 2 ? i - 2 : i + 1]];
        tgRay rays[2] = {tgMakeRay(tgMakeVec3(0.0f, 0.0f, 0.0f), a),
                         tgMakeRay(tgMakeVec3(0.0f, 0.0f, 0.0f), tgAdd(a, b))};
        for (int k = 0; k < 2; ++k) {
            tgRayHit hit;
            assert_true(tgBvh_FindNearestHit(&bvh, &soup.surface, &rays[k], &hit));
            CHECK_NEAR(hit.t, k == 0 ? 1.0 : 0.5, 1e-6);
        }
    }
    assert_int_equal(tgBvh_FindCrossings(&bvh, &soup.surface, NULL, NULL), 0);
    free(memory);
    tgFreeSoup(&soup);
    free(triangles);
    free(quads);
    tgFreeShape(&sphere);
}

/// A strip of quads along an axis, each cut in two, at whole numbers. Rays straight across go in
/// the sides of boxes, and most boxes lie beside them.
static void tgTestStraightAcross(void** state)
{
    (void)state;
    enum { tg_long = 1024, tg_wide = 4, tg_row = tg_wide + 1 };
    for (int axis = 0; axis < 3; ++axis) {
        tgSoup strip = tgMakeSoup((tg_long + 1) * tg_row, 2 * tg_long * tg_wide);
        tgSoup inTheWay = tgMakeSoup(3, strip.surface.triangleCount);
        for (int c = 0; c < 3 * strip.surface.triangleCount; ++c) {
            float p[3] = {0.0f, 0.0f, 0.0f};
            p[axis] = c % 3 == 0 ? 1e4f : -1e4f;
            p[(axis + 1) % 3] = c % 3 == 1 ? 1e4f : c % 3 == 2 ? -1e4f : 0.0f;
            inTheWay.positions[c % 3] = tgMakeVec3(p[0], p[1], p[2]);
            inTheWay.triangles[c] = c % 3;
        }
        int* to = strip.triangles;
        for (int v = 0; v < strip.vertexCount; ++v) {
            float p[3] = {0.0f, 0.0f, 0.0f};
            p[axis] = (float)(v / tg_row);
            p[(axis + 1) % 3] = (float)(v % tg_row);
            strip.positions[v] = tgMakeVec3(p[0], p[1], p[2]);
            int quad[6] = {v, v + tg_row, v + tg_row + 1, v, v + tg_row + 1, v + 1};
            if (v % tg_row < tg_wide && v / tg_row < tg_long) {
                memcpy(to, quad, sizeof(quad));
                to += 6;
            }
        }
        void* memory = malloc(tgBvh_GetSize(strip.surface.triangleCount));
        tgBvh bvh;
        tgBvh_Build(&bvh, &strip.surface, memory);
        float down[3] = {0.0f, 0.0f, 0.0f};
        down[(axis + 2) % 3] = -1.0f;
        // A vertex has six faces, a side two; the middle of a half lies in that alone.
        const struct {
            float along, beside;
            int count;
        } places[] = {{0.0f, 0.0f, 6}, {0.5f, 0.0f, 2}, {0.0f, 0.5f, 2}, {0.75f, 0.25f, 1}};
        for (int i = 1; i < tg_long; ++i) {
            for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); ++k) {
                float from[3];
                from[axis] = (float)i + places[k].along;
                from[(axis + 1) % 3] = 2.0f + places[k].beside;
                from[(axis + 2) % 3] = 3.0f;
                tgRay ray = tgMakeRay(tgMakeVec3(from[0], from[1], from[2]),
                                      tgMakeVec3(down[0], down[1], down[2]));
                int count = tgBvh_FindAllHits(&bvh, &strip.surface, &ray, NULL, 0);
                assert_int_equal(count, i + places[k].along < tg_long ? places[k].count : count);
                // With all triangles in its way it hits those that the tree makes it look at.
                assert_in_range(tgBvh_FindAllHits(&bvh, &inTheWay.surface, &ray, NULL, 0), 1, 64);
            }
        }
        free(memory);
        tgFreeSoup(&strip);
        tgFreeSoup(&inTheWay);
    }
}

static void tgTestTwoTriangles(void** state)
{
    (void)state;
    const tgVec3 floor[3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    // A blade that stands at (x, x) and reaches from `low` up.
    struct {
        float x, low;
        bool cross;
    } cases[] = {
        {0.2f, -0.5f, true},  {0.2f, 0.1f, false},  // through, above
        {0.6f, -0.5f, false}, {0.2f, 0.0f, false},  // beside, touching
        {-0.1f, -0.5f, true}, {-2.0f, -0.5f, false} // edges of the floor alone pierce it; beside
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        float x = cases[i].x, low = cases[i].low;
        const tgVec3 blade[3] = {{x, x, low}, {x, x, 1.0f}, {x + 3.0f, x + 3.25f, 1.0f}};
        assert_int_equal(tgDoTrianglesCross(floor, blade), cases[i].cross);
        assert_int_equal(tgDoTrianglesCross(blade, floor), cases[i].cross);
    }
    const tgVec3 inPlane[3] = {{0.1f, 0.1f, 0.0f}, {2.0f, 0.1f, 0.0f}, {0.1f, 2.0f, 0.0f}};
    assert_false(tgDoTrianglesCross(floor, inPlane));
}

static void tgTestBadInput(void** state)
{
    (void)state;
    // Nothing at all; all in one place, so that no plane parts them; numbers that are none.
    tgSoup none = tgMakeSoup(0, 0);
    tgBvh bvh;
    tgRay ray = tgMakeRay(tgMakeVec3(0.0f, 0.0f, 0.0f), tgMakeVec3(0.0f, 0.0f, 1.0f));
    tgClosestPoint closest;
    tgRayHit hit;
    tgBvh_Build(&bvh, &none.surface, NULL);
    tgBvh_Refit(&bvh, &none.surface);
    assert_false(tgBvh_FindNearestHit(&bvh, &none.surface, &ray, &hit));
    assert_false(tgBvh_FindClosest(&bvh, &none.surface, ray.origin, HUGE_VAL, &closest));
    assert_int_equal(tgBvh_FindCrossings(&bvh, &none.surface, NULL, NULL), 0);
    tgFreeSoup(&none);

    tgSoup soup = tgMakeSoup(3000, 1000);
    for (int i = 0; i < 3000; ++i) {
        soup.positions[i] = tgMakeVec3((float)(i % 3 == 1), (float)(i % 3 == 2), 1.0f);
        soup.triangles[i] = i;
    }
    void* memory = malloc(tgBvh_GetSize(1000));
    for (int round = 0; round < 2; ++round) {
        tgBvh_Build(&bvh, &soup.surface, memory);
        ray.origin = tgMakeVec3(0.2f, 0.2f, 0.0f);
        assert_int_equal(tgBvh_FindAllHits(&bvh, &soup.surface, &ray, &hit, 1), 1000 - 10 * round);
        assert_int_equal(hit.triangle, 10 * round);
        assert_int_equal(tgBvh_FindCrossings(&bvh, &soup.surface, NULL, NULL), 0);
        assert_true(tgBvh_FindClosest(&bvh, &soup.surface, ray.origin, HUGE_VAL, &closest));
        CHECK_NEAR(closest.distanceSquared, 1.0, 1e-12);
        assert_int_equal(closest.triangle, 10 * round);
        for (int i = 0; i < 30; i += 3) {
            soup.positions[i].x = i % 2 == 0 ? NAN : INFINITY;
        }
    }
    free(memory);
    tgFreeSoup(&soup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestRandom),   cmocka_unit_test(tgTestCharacters),
        cmocka_unit_test(tgTestSphere),   cmocka_unit_test(tgTestTwoTriangles),
        cmocka_unit_test(tgTestBadInput), cmocka_unit_test(tgTestStraightAcross),
    };
    return cmocka_run_group_tests_name("bvh", tests, NULL, NULL);
}
