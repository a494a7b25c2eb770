// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Smoothing over a length against a dense solve of (M + l^2 L) x = M y in double, on a cube, a tube
// and a triangulation without order; constants, linearity, and how the cost grows.

#include "core/smooth.h"

#include "random_skin.h"

/// A mesh of triangles and quads, and the same as dense matrices.
typedef struct tgPatch {
    tgMesh mesh;
    float* rest; ///< 4 for each vertex
    double* masses;
    double* stiffness; ///< L, by rows
} tgPatch;

static void tgAddCotangent(tgPatch* patch, int a, int b, int o)
{
    int n = patch->mesh.vertexCount;
    const float *p = patch->rest + 4 * a, *q = patch->rest + 4 * b, *r = patch->rest + 4 * o;
    double u[3], v[3];
    for (int i = 0; i < 3; ++i) {
        u[i] = (double)p[i] - (double)r[i];
        v[i] = (double)q[i] - (double)r[i];
    }
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0], area = sqrt(x * x + y * y + z * z);
    double dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    double w = fmin(fmax(0.5 * dot / fmax(area, 1e-300), 0.02), 1e4);
    patch->stiffness[a * n + b] -= w;
    patch->stiffness[b * n + a] -= w;
    patch->stiffness[a * n + a] += w;
    patch->stiffness[b * n + b] += w;
    patch->masses[a] += area / 12.0; // each corner is one of two at two of the edges
    patch->masses[b] += area / 12.0;
}

static void tgAddTriangle(tgPatch* patch, int a, int b, int c)
{
    tgAddCotangent(patch, a, b, c);
    tgAddCotangent(patch, b, c, a);
    tgAddCotangent(patch, c, a, b);
}

static tgPatch tgMakePatch(const tgShape* shape)
{
    size_t n = (size_t)shape->vertexCount;
    tgPatch patch = {.mesh = {.vertexCount = shape->vertexCount}};
    patch.mesh.triangles = calloc(3 * (size_t)shape->faceCount, sizeof(int));
    patch.mesh.quads = calloc(4 * (size_t)shape->faceCount, sizeof(int));
    patch.rest = calloc(4 * n, sizeof(float));
    patch.masses = calloc(n, sizeof(double));
    patch.stiffness = n < 2000 ? calloc(n * n, sizeof(double)) : NULL;
    for (int v = 0; v < shape->vertexCount; ++v) {
        memcpy(patch.rest + 4 * v, &shape->positions[v], sizeof(tgVec3));
    }
    const int* c = shape->faceVertices;
    for (int f = 0; f < shape->faceCount; c += shape->faceSizes[f], ++f) {
        bool isQuad = shape->faceSizes[f] == 4;
        int* to = isQuad ? patch.mesh.quads + 4 * patch.mesh.quadCount++
                         : patch.mesh.triangles + 3 * patch.mesh.triangleCount++;
        memcpy(to, c, (isQuad ? 4 : 3) * sizeof(int));
        if (patch.stiffness != NULL) {
            tgAddTriangle(&patch, c[0], c[1], c[2]);
        }
        if (patch.stiffness != NULL && isQuad) {
            tgAddTriangle(&patch, c[0], c[2], c[3]);
        }
    }
    return patch;
}

static void tgFreePatch(tgPatch* patch)
{
    free(patch->mesh.triangles);
    free(patch->mesh.quads);
    free(patch->rest);
    free(patch->masses);
    free(patch->stiffness);
}

/// x = (M + l^2 L)^-1 M y by Cholesky.
static void tgSolveDense(const tgPatch* patch, double length, const double* y, double* x)
{
    int n = patch->mesh.vertexCount;
    double* a = malloc((size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n * n; ++i) {
        a[i] = length * length * patch->stiffness[i];
    }
    for (int i = 0; i < n; ++i) {
        a[i * n + i] += patch->masses[i];
        x[i] = patch->masses[i] * y[i];
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k <= i; ++k) {
            double sum = a[i * n + k];
            for (int m = 0; m < k; ++m) {
                sum -= a[i * n + m] * a[k * n + m];
            }
            a[i * n + k] = i == k ? sqrt(sum) : sum / a[k * n + k];
        }
        for (int k = 0; k < i; ++k) {
            x[i] -= a[i * n + k] * x[k];
        }
        x[i] /= a[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) {
            x[i] -= a[k * n + i] * x[k];
        }
        x[i] /= a[i * n + i];
    }
    free(a);
}

/// A cube whose sides are grids, welded; rounded so that no angle is a right one.
static tgShape tgMakeRoundCube(int side)
{
    tgShape cube = tgMakeSphere(4 * side, 2 * side);
    for (int v = 0; v < cube.vertexCount; ++v) {
        tgVec3 p = cube.positions[v];
        float most = fmaxf(fmaxf(fabsf(p.x), fabsf(p.y)), fabsf(p.z));
        cube.positions[v] = tgMulSV(0.3f + 0.7f / most, p);
    }
    return cube;
}

static tgShape tgMakeMesh(int which)
{
    if (which == 0) {
        return tgMakeRoundCube(6);
    }
    if (which == 1) {
        return tgMakeTube(16, 20, 8.0f, 3.0f, 5.0f, true);
    }
    tgRandomDef def = {.seed = 5, .around = 14, .rings = 24, .jointCount = 2, .influences = 2};
    return tgMakeRandomSkin(&def);
}

/// Something to smooth: lane 0 rough, lane 1 a spot, lane 2 a wave, others alike with other signs.
static void tgFillLanes(const tgPatch* patch, float* lanes)
{
    unsigned seed = 3;
    for (int v = 0; v < patch->mesh.vertexCount; ++v) {
        for (int k = 0; k < tg_smoothLanes; ++k) {
            float rough = (float)tgNextSigned(&seed);
            float wave =
                patch->rest[4 * v] + 2.0f * patch->rest[4 * v + 1] * patch->rest[4 * v + 2];
            bool isSpot = abs(v - patch->mesh.vertexCount / 2) < 4;
            lanes[tg_smoothLanes * v + k] = k % 3 == 0   ? rough + 0.2f
                                            : k % 3 == 1 ? (isSpot ? 1.0f + (float)k : 0.0f)
                                                         : wave;
        }
    }
}

typedef struct tgSolver {
    tgAllocator allocator;
    tgScratch scratch;
    tgSmoother smoother;
    tgSmoothRoom room;
} tgSolver;

static void tgOpenSolver(const tgPatch* patch, tgSolver* solver)
{
    *solver = (tgSolver){.allocator = tgDefaultRigDef().allocator};
    solver->scratch.allocator = &solver->allocator;
    assert_true(tgBuildSmoother(&patch->mesh, patch->rest, &solver->scratch, &solver->smoother));
    assert_true(tgTakeSmoothRoom(&solver->smoother, &solver->scratch, &solver->room));
}

/// Over short lengths and over long ones, each lane its own.
static void tgTestAgainstDense(void** state)
{
    (void)state;
    for (int which = 0; which < 3; ++which) {
        tgShape shape = tgMakeMesh(which);
        tgPatch patch = tgMakePatch(&shape);
        tgSolver solver;
        tgOpenSolver(&patch, &solver);
        int n = shape.vertexCount;
        float* lanes = calloc(tg_smoothLanes * (size_t)n, sizeof(float));
        float* before = calloc(tg_smoothLanes * (size_t)n, sizeof(float));
        double *y = calloc((size_t)n, sizeof(double)), *x = calloc((size_t)n, sizeof(double));
        const float lengths[tg_smoothLanes] = {0.05f, 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.7f, 1.0f};
        tgFillLanes(&patch, before);
        memcpy(lanes, before, tg_smoothLanes * (size_t)n * sizeof(float));
        tgSmooth(&solver.smoother, &solver.room, lengths, 0.0f, lanes);
        double worst = 0.0;
        for (int k = 0; k < tg_smoothLanes; ++k) {
            double peak = 0.0, off = 0.0;
            for (int v = 0; v < n; ++v) {
                y[v] = (double)before[tg_smoothLanes * v + k];
            }
            tgSolveDense(&patch, (double)lengths[k], y, x);
            for (int v = 0; v < n; ++v) {
                peak = fmax(peak, fabs(x[v]));
                off = fmax(off, fabs((double)lanes[tg_smoothLanes * v + k] - x[v]));
            }
            worst = fmax(worst, off / peak);
        }
        print_message("mesh %d, %d vertices, %d levels: off by %.1e of the peak\n", which, n,
                      solver.smoother.levelCount, worst);
        CHECK_AT_MOST(worst, 0.04); // 40 sweeps over a span of 400 leave 2 exp(-4) of the error
        free(lanes);
        free(before);
        free(y);
        free(x);
        tgScratch_FreeAll(&solver.scratch);
        tgFreePatch(&patch);
        tgFreeShape(&shape);
    }
}

/// What supports are: a bump smoothed twice, where small parts may come out as 0.
static void tgTestSupports(void** state)
{
    (void)state;
    for (int which = 0; which < 3; ++which) {
        tgShape shape = tgMakeMesh(which);
        tgPatch patch = tgMakePatch(&shape);
        tgSolver solver;
        tgOpenSolver(&patch, &solver);
        int n = shape.vertexCount;
        float* lanes = calloc(tg_smoothLanes * (size_t)n, sizeof(float));
        double *y = calloc((size_t)n, sizeof(double)), *x = calloc((size_t)n, sizeof(double));
        const float lengths[tg_smoothLanes] = {0.3f, 0.5f, 0.7f, 1.0f, 1.3f, 1.7f, 2.0f, 2.5f};
        for (int v = 0; v < n; ++v) { // where x is within 0.8 of the middle
            y[v] = fmax(0.8 - fabs((double)shape.positions[v].x - (which == 0 ? 0.0 : 3.0)), 0.0);
            for (int k = 0; k < tg_smoothLanes; ++k) {
                lanes[tg_smoothLanes * v + k] = (float)y[v];
            }
        }
        tgSmooth(&solver.smoother, &solver.room, lengths, 0.01f, lanes);
        tgSmooth(&solver.smoother, &solver.room, lengths, 0.01f, lanes);
        double worst = 0.0, mean = 0.0;
        for (int k = 0; k < tg_smoothLanes; ++k) {
            double peak = 0.0, own = 0.0, off = 0.0;
            double* once = calloc((size_t)n, sizeof(double));
            tgSolveDense(&patch, (double)lengths[k], y, once);
            tgSolveDense(&patch, (double)lengths[k], once, x);
            for (int v = 0; v < n; ++v) {
                peak = fmax(peak, x[v]);
                own = fmax(own, (double)lanes[tg_smoothLanes * v + k]);
            }
            for (int v = 0; v < n; ++v) { // both with their peak at 1, as supports are
                off = fmax(off, fabs((double)lanes[tg_smoothLanes * v + k] / own - x[v] / peak));
            }
            worst = fmax(worst, off);
            mean += off / tg_smoothLanes;
            free(once);
        }
        print_message("mesh %d: supports off by %.3f of their peak, %.3f in the mean\n", which,
                      worst, mean);
        static const double bars[3] = {0.09, 0.075, 0.047};
        CHECK_AT_MOST(worst, bars[which]);
        free(lanes);
        free(y);
        free(x);
        tgScratch_FreeAll(&solver.scratch);
        tgFreePatch(&patch);
        tgFreeShape(&shape);
    }
}

/// P 1 = 1, and P (a y + b z) = a P y + b P z.
static void tgTestLinear(void** state)
{
    (void)state;
    tgShape shape = tgMakeMesh(2);
    tgPatch patch = tgMakePatch(&shape);
    tgSolver solver;
    tgOpenSolver(&patch, &solver);
    float* lanes = calloc(tg_smoothLanes * (size_t)shape.vertexCount, sizeof(float));
    unsigned seed = 11;
    for (int v = 0; v < shape.vertexCount; ++v) {
        float* y = lanes + tg_smoothLanes * v;
        y[0] = y[1] = 1.0f;
        y[2] = (float)tgNextSigned(&seed);
        y[3] = (float)tgNextSigned(&seed);
        y[4] = 2.0f * y[2] - 0.5f * y[3];
    }
    const float lengths[tg_smoothLanes] = {0.1f, 1.0f, 0.4f, 0.4f, 0.4f, 1.0f, 1.0f, 1.0f};
    tgSmooth(&solver.smoother, &solver.room, lengths, 0.0f, lanes);
    for (int v = 0; v < shape.vertexCount; ++v) {
        const float* x = lanes + tg_smoothLanes * v;
        CHECK_NEAR(x[0], 1.0, 1e-4);
        CHECK_NEAR(x[1], 1.0, 1e-4);
        CHECK_NEAR(x[4], 2.0f * x[2] - 0.5f * x[3], 1e-5);
        CHECK_NEAR(x[5], 0.0, 0.0);
    }
    free(lanes);
    tgScratch_FreeAll(&solver.scratch);
    tgFreePatch(&patch);
    tgFreeShape(&shape);
}

/// All levels together are hardly more than the finest: the cost grows as the mesh does.
static void tgTestLevels(void** state)
{
    (void)state;
    for (int side = 8; side <= 128; side *= 2) {
        tgShape shape = tgMakeTorus(2 * side, side);
        tgPatch patch = tgMakePatch(&shape);
        tgSolver solver;
        tgOpenSolver(&patch, &solver);
        int all = 0, edges = 0;
        for (int k = 0; k < solver.smoother.levelCount; ++k) {
            const tgSmoothLevel* level = &solver.smoother.levels[k];
            all += level->count;
            edges += level->start[level->count];
        }
        const tgSmoothLevel* fine = &solver.smoother.levels[0];
        const tgSmoothLevel* last = &solver.smoother.levels[solver.smoother.levelCount - 1];
        CHECK_AT_MOST(all, 1.4 * fine->count);
        CHECK_AT_MOST(edges, 1.5 * fine->start[fine->count]);
        CHECK_AT_MOST(last->count, 24);
        CHECK_AT_MOST(solver.smoother.levelCount, 2.0 + log2((double)fine->count) / 2.0);
        tgScratch_FreeAll(&solver.scratch);
        tgFreePatch(&patch);
        tgFreeShape(&shape);
    }
}

/// Isolated vertices, faces of no area, one triangle: numbers come out.
static void tgTestOdd(void** state)
{
    (void)state;
    for (int which = 0; which < 3; ++which) {
        int count = which == 0 ? 3 : 60;
        tgShape shape = tgMakeShape(count, 2, 6);
        for (int v = 0; v < count; ++v) { // a line, where triangles have no area
            shape.positions[v] = tgMakeVec3((float)v, which == 2 || v != 1 ? 0.0f : 1.0f, 0.0f);
        }
        const int corners[6] = {0, 1, 2, 2, 1, 0};
        tgShape_AddFace(&shape, 3, corners);
        if (which == 1) {
            tgShape_AddFace(&shape, 3, corners + 3);
        }
        tgPatch patch = tgMakePatch(&shape);
        tgSolver solver;
        tgOpenSolver(&patch, &solver);
        float* lanes = calloc(tg_smoothLanes * (size_t)count, sizeof(float));
        tgFillLanes(&patch, lanes);
        const float lengths[tg_smoothLanes] = {0.0f, 0.1f, 0.2f, 0.5f, 1.0f, 2.0f, 5.0f, 100.0f};
        tgSmooth(&solver.smoother, &solver.room, lengths, 0.0f, lanes);
        tgSmooth(&solver.smoother, &solver.room, lengths, 0.01f, lanes);
        for (int i = 0; i < tg_smoothLanes * count; ++i) {
            assert_true(isfinite(lanes[i]));
        }
        free(lanes);
        tgScratch_FreeAll(&solver.scratch);
        tgFreePatch(&patch);
        tgFreeShape(&shape);
    }
}

/// The weight of an edge on the finest level; 0 without one.
static double tgGetWeight(const tgSmoothLevel* level, int a, int b)
{
    for (int i = level->start[a]; i < level->start[a + 1]; ++i) {
        if (level->columns[i] == b) {
            return (double)level->weights[i];
        }
    }
    return 0.0;
}

/// What the matrices do not let through: a right angle's cotangent of 0 is 0.02, a needle's is 1e4,
/// a vertex without faces has a thousandth of the mean area.
static void tgTestClamps(void** state)
{
    (void)state;
    tgShape square = tgMakeShape(9, 2, 7);
    static const tgVec3 corners[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},     {0, 1, 0},
                                      {5, 0, 0}, {6, 0, 0}, {7, 1e-6f, 0}, {9, 9, 9}};
    const int quad[4] = {0, 1, 2, 3}, needle[3] = {4, 5, 6};
    memcpy(square.positions, corners, sizeof(corners));
    square.positions[8] = tgMakeVec3(8, 8, 8);
    tgShape_AddFace(&square, 4, quad);
    tgShape_AddFace(&square, 3, needle);
    tgPatch patch = tgMakePatch(&square);
    tgSolver solver;
    tgOpenSolver(&patch, &solver);
    const tgSmoothLevel* level = &solver.smoother.levels[0];
    CHECK_NEAR(tgGetWeight(level, 0, 2), 2 * 0.02, 1e-6); // both of its angles are right
    CHECK_NEAR(tgGetWeight(level, 0, 1), 0.5, 1e-6);
    CHECK_NEAR(tgGetWeight(level, 4, 5), 1e4, 1.0);
    CHECK_NEAR(tgGetWeight(level, 4, 6), 0.02, 1e-6);
    CHECK_NEAR(level->masses[7], 1e-3, 1e-6);
    CHECK_NEAR(level->masses[8], 1e-3, 1e-6);
    CHECK_NEAR(level->masses[0] * solver.smoother.meanArea, 1.0 / 3.0, 1e-4);
    tgScratch_FreeAll(&solver.scratch);
    tgFreePatch(&patch);
    tgFreeShape(&square);
}

/// Clusters are clustered as long as there are more than 24 of them, and no longer.
static void tgTestLastLevel(void** state)
{
    (void)state;
    for (int around = 20; around < 80; ++around) {
        tgShape shape = tgMakeTorus(around, 6 + around % 7);
        tgPatch patch = tgMakePatch(&shape);
        tgSolver solver;
        tgOpenSolver(&patch, &solver);
        int last = solver.smoother.levelCount - 1;
        assert_true(last > 0);
        CHECK_AT_MOST(solver.smoother.levels[last].count, 24);
        CHECK_AT_MOST(25, solver.smoother.levels[last - 1].count);
        tgScratch_FreeAll(&solver.scratch);
        tgFreePatch(&patch);
        tgFreeShape(&shape);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestAgainstDense), cmocka_unit_test(tgTestSupports),
        cmocka_unit_test(tgTestLinear),       cmocka_unit_test(tgTestLevels),
        cmocka_unit_test(tgTestOdd),          cmocka_unit_test(tgTestClamps),
        cmocka_unit_test(tgTestLastLevel),
    };
    return cmocka_run_group_tests_name("smooth", tests, NULL, NULL);
}
