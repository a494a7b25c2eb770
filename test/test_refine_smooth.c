// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Refinement with a smoothing scheme: the cube after one step of Catmull and Clark, the octahedron,
// the tetrahedron and the icosahedron after one of Loop, both by their published rules worked out
// anew from the faces; flat grids stay as they are, borders stand still, seams stay shut.

#include "check.h"
#include "shapes.h"
#include "turgor/refine.h"

typedef struct tgSmall {
    int vertexCount, faceCount, size; ///< corners of every face
    const float (*positions)[3];
    const int* faces;
} tgSmall;

static tgRefinement* tgRefineSmall(const tgSmall* mesh, const float* values)
{
    float ones[512];
    int sizes[512];
    for (int i = 0; i < 512; ++i) {
        ones[i] = 1.0f;
        sizes[i] = mesh->size;
    }
    tgRefineDef def = tgDefaultRefineDef();
    def.positions = (tgVec3View){&mesh->positions[0][0], mesh->vertexCount, 3 * sizeof(float)};
    def.faceVertices = mesh->faces;
    def.faceSizes = sizes;
    def.faceCount = mesh->faceCount;
    def.values = values != NULL ? values : ones;
    def.smooth = true;
    tgError error = {0};
    tgRefinement* refinement = tgCreateRefinement(&def, &error);
    if (refinement == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(refinement);
    return refinement;
}

static void tgAveragePlaces(const tgRefinement* refinement, const float (*positions)[3],
                            float (*fine)[3])
{
    tgRefinement_Average(refinement, true, &positions[0][0], 3, &fine[0][0]);
}

static void tgCheckSums(const tgRefinement* refinement)
{
    for (int v = 0; v < refinement->vertexCount; ++v) {
        double sum = 0.0;
        for (int i = refinement->maskStarts[v]; i < refinement->maskStarts[v + 1]; ++i) {
            assert_true(refinement->maskEntries[i].weight > 0.0f);
            sum += (double)refinement->maskEntries[i].weight;
        }
        CHECK_NEAR(sum, 1.0, 3e-7);
    }
}

static const float tg_cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static const int tg_cubeFaces[24] = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4,
                                     1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};

/// By hand: corners at 2/9, middles of edges at 1/8, of faces where they are.
static void test_cube(void** state)
{
    (void)state;
    const tgSmall cube = {8, 6, 4, tg_cube, tg_cubeFaces};
    tgRefinement* refinement = tgRefineSmall(&cube, NULL);
    assert_int_equal(refinement->vertexCount, 8 + 12 + 6);
    float fine[26][3];
    tgAveragePlaces(refinement, tg_cube, fine);
    for (int v = 0; v < 26; ++v) {
        int halves = 0, eighths = 0, ends = 0;
        for (int k = 0; k < 3; ++k) {
            double in = fmin((double)fine[v][k], 1.0 - (double)fine[v][k]);
            halves += fabs(in - 0.5) < 1e-6;
            eighths += fabs(in - 0.125) < 1e-6;
            ends += v < 8 ? fabs(in - 2.0 / 9.0) < 1e-6 : fabs(in) < 1e-6;
        }
        bool isCorner = v < 8 && ends == 3;
        bool isEdge = halves == 1 && eighths == 2;
        bool isFace = halves == 2 && ends == 1;
        assert_true(v < 8 ? isCorner : isEdge || isFace);
    }
    tgCheckSums(refinement);
    tgDestroyRefinement(refinement);
}

static bool tgAreNeighbours(const tgSmall* mesh, int a, int b)
{
    for (int f = 0; f < mesh->faceCount; ++f) {
        for (int k = 0; k < 3; ++k) {
            int from = mesh->faces[3 * f + k], to = mesh->faces[3 * f + (k + 1) % 3];
            if ((from == a && to == b) || (from == b && to == a)) {
                return true;
            }
        }
    }
    return false;
}

/// Loop's rules in their own words: a neighbour is whoever shares an edge, an edge's wings are
/// whoever neighbours both of its ends in a face.
static void tgCheckLoop(const tgSmall* mesh)
{
    tgRefinement* refinement = tgRefineSmall(mesh, NULL);
    static float fine[512][3];
    tgAveragePlaces(refinement, mesh->positions, fine);
    for (int v = 0; v < mesh->vertexCount; ++v) {
        double sum[3] = {0}, n = 0.0;
        for (int other = 0; other < mesh->vertexCount; ++other) {
            if (other != v && tgAreNeighbours(mesh, v, other)) {
                n += 1.0;
                for (int k = 0; k < 3; ++k) {
                    sum[k] += (double)mesh->positions[other][k];
                }
            }
        }
        double c = 0.375 + 0.25 * cos(2.0 * acos(-1.0) / n), beta = (0.625 - c * c) / n;
        for (int k = 0; k < 3; ++k) {
            double wanted = (1.0 - n * beta) * (double)mesh->positions[v][k] + beta * sum[k];
            CHECK_NEAR(fine[v][k], wanted, 1e-6);
        }
    }
    for (int v = mesh->vertexCount; v < refinement->vertexCount; ++v) {
        const tgVertexMean* mean = &refinement->means[v - mesh->vertexCount];
        int a = mean->vertices[0], b = mean->vertices[1];
        double wanted[3];
        for (int k = 0; k < 3; ++k) {
            wanted[k] = 0.375 * ((double)mesh->positions[a][k] + (double)mesh->positions[b][k]);
        }
        for (int f = 0; f < mesh->faceCount; ++f) {
            const int* c = mesh->faces + 3 * f;
            for (int i = 0; i < 3; ++i) {
                bool isEdge =
                    (c[i] == a && c[(i + 1) % 3] == b) || (c[i] == b && c[(i + 1) % 3] == a);
                for (int k = 0; k < 3 && isEdge; ++k) {
                    wanted[k] += 0.125 * (double)mesh->positions[c[(i + 2) % 3]][k];
                }
            }
        }
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(fine[v][k], wanted[k], 1e-6);
        }
    }
    tgCheckSums(refinement);
    tgDestroyRefinement(refinement);
}

static void test_loop(void** state)
{
    (void)state;
    static const float octahedron[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                           {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    static const int eight[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                  2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    static const float tetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int four[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const float g = 1.61803399f;
    const float icosahedron[12][3] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                                      {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                                      {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
    static const int twenty[60] = {0, 11, 5, 0, 5,  1,  0,  1,  7,  0,  7, 10, 0, 10, 11,
                                   1, 5,  9, 5, 11, 4,  11, 10, 2,  10, 7, 6,  7, 1,  8,
                                   3, 9,  4, 3, 4,  2,  3,  2,  6,  3,  6, 8,  3, 8,  9,
                                   4, 9,  5, 2, 4,  11, 6,  2,  10, 8,  6, 7,  9, 8,  1};
    tgCheckLoop(&(tgSmall){6, 8, 3, octahedron, eight});
    tgCheckLoop(&(tgSmall){4, 4, 3, tetrahedron, four});
    tgCheckLoop(&(tgSmall){12, 20, 3, icosahedron, twenty});
}

enum { tg_grid = 9 };

/// A flat sheet of quads, of triangles, or of both; inside, a linear function stays what it is, for
/// all masks sum to 1 and are even about their vertex. The edge of the sheet does not move.
static void test_flat_sheets(void** state)
{
    (void)state;
    static float positions[tg_grid * tg_grid][3];
    for (int v = 0; v < tg_grid * tg_grid; ++v) {
        positions[v][0] = (float)(v % tg_grid);
        positions[v][1] = (float)(v / tg_grid);
        positions[v][2] = 0.25f * positions[v][0] - 0.5f * positions[v][1];
    }
    for (int way = 0; way < 3; ++way) {
        int faces[6 * tg_grid * tg_grid], sizes[2 * tg_grid * tg_grid], count = 0, corners = 0;
        float values[tg_grid * tg_grid];
        for (int v = 0; v < tg_grid * tg_grid; ++v) {
            values[v] = 1.0f;
        }
        for (int i = 0; i < (tg_grid - 1) * (tg_grid - 1); ++i) {
            int x = i % (tg_grid - 1), y = i / (tg_grid - 1), a = x + tg_grid * y;
            const int quad[4] = {a, a + 1, a + 1 + tg_grid, a + tg_grid};
            bool isCut = way == 1 || (way == 2 && x < tg_grid / 2);
            const int cut[6] = {quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]};
            memcpy(faces + corners, isCut ? cut : quad, (isCut ? 6 : 4) * sizeof(int));
            corners += isCut ? 6 : 4;
            for (int k = 0; k < (isCut ? 2 : 1); ++k) {
                sizes[count++] = isCut ? 3 : 4;
            }
        }
        tgRefineDef def = tgDefaultRefineDef();
        def.positions = (tgVec3View){&positions[0][0], tg_grid * tg_grid, 3 * sizeof(float)};
        def.faceVertices = faces;
        def.faceSizes = sizes;
        def.faceCount = count;
        def.values = values;
        def.smooth = true;
        tgRefinement* refinement = tgCreateRefinement(&def, NULL);
        assert_non_null(refinement);
        tgCheckSums(refinement);
        static float fine[1024][3];
        tgAveragePlaces(refinement, (const float(*)[3])positions, fine);
        for (int v = 0; v < refinement->vertexCount; ++v) {
            // All on the plane; of regular ones also at the same place of it.
            CHECK_NEAR(fine[v][2], 0.25 * (double)fine[v][0] - 0.5 * (double)fine[v][1], 1e-5);
            int x = v % tg_grid, y = v / tg_grid;
            bool isEdge = x == 0 || y == 0 || x == tg_grid - 1 || y == tg_grid - 1;
            if (v < tg_grid * tg_grid && (isEdge || way < 2)) {
                CHECK_NEAR(fine[v][0], x, isEdge ? 0.0 : 1e-5);
                CHECK_NEAR(fine[v][1], y, isEdge ? 0.0 : 1e-5);
            }
        }
        tgDestroyRefinement(refinement);
    }
}

/// Only the part that is split in four moves, and not its border; whatever the rest looks like.
static void test_border_stands_still(void** state)
{
    (void)state;
    tgShape sphere = tgMakeSphere(24, 14);
    size_t count = (size_t)sphere.vertexCount;
    float* values = calloc(count, sizeof(float));
    for (size_t v = 0; v < count; ++v) {
        values[v] = sphere.positions[v].x > 0.3f ? 1.0f : 0.0f;
    }
    tgRefineDef def = tgDefaultRefineDef();
    def.positions = (tgVec3View){&sphere.positions->x, sphere.vertexCount, sizeof(tgVec3)};
    def.faceVertices = sphere.faceVertices;
    def.faceSizes = sphere.faceSizes;
    def.faceCount = sphere.faceCount;
    def.values = values;
    tgRefinement* plain = tgCreateRefinement(&def, NULL);
    def.smooth = true;
    tgRefinement* smooth = tgCreateRefinement(&def, NULL);
    assert_int_equal(plain->vertexCount, smooth->vertexCount);
    size_t fineCount = (size_t)plain->vertexCount;
    tgVec3* before = calloc(fineCount, sizeof(tgVec3));
    tgVec3* after = calloc(fineCount, sizeof(tgVec3));
    tgRefinement_Average(plain, true, &sphere.positions->x, 3, &before->x);
    tgRefinement_Average(smooth, true, &sphere.positions->x, 3, &after->x);
    // Faces that are not a quarter of another hold only vertices that stand still.
    const int* corner = smooth->faceVertices;
    int moved = 0, pieces[4096] = {0};
    for (int f = 0; f < smooth->faceCount; ++f) {
        pieces[smooth->faceParents[f]] += 1;
    }
    for (int f = 0; f < smooth->faceCount; ++f) {
        for (int k = 0; k < smooth->faceSizes[f]; ++k, ++corner) {
            bool isSame = memcmp(&before[*corner], &after[*corner], sizeof(tgVec3)) == 0;
            assert_true(isSame || pieces[smooth->faceParents[f]] == 4);
            moved += !isSame;
        }
    }
    assert_true(moved > 1000);
    free(before);
    free(after);
    free(values);
    tgDestroyRefinement(plain);
    tgDestroyRefinement(smooth);
    tgFreeShape(&sphere);
}

/// A cube whose six faces share no vertex, only places: all that are one place stay one, and are
/// where the cube in one piece has them.
static void test_seams(void** state)
{
    (void)state;
    float positions[24][3], whole[26][3], fine[128][3], values[24];
    int faces[24], welded[24], sizes[6];
    for (int c = 0; c < 24; ++c) {
        memcpy(positions[c], tg_cube[tg_cubeFaces[c]], sizeof(positions[c]));
        faces[c] = c;
        values[c] = 1.0f;
        sizes[c / 4] = 4;
        welded[c] = tg_cubeFaces[c];
    }
    tgRefineDef def = tgDefaultRefineDef();
    def.positions = (tgVec3View){&positions[0][0], 24, 3 * sizeof(float)};
    def.weldedVertices = welded;
    def.faceVertices = faces;
    def.faceSizes = sizes;
    def.faceCount = 6;
    def.values = values;
    def.smooth = true;
    tgRefinement* refinement = tgCreateRefinement(&def, NULL);
    assert_non_null(refinement);
    assert_int_equal(refinement->vertexCount, 24 + 24 + 6);
    tgAveragePlaces(refinement, (const float(*)[3])positions, fine);
    for (int v = 0; v < refinement->vertexCount; ++v) {
        int first = refinement->weldedVertices[v];
        for (int other = 0; other < v; ++other) {
            if (refinement->weldedVertices[other] == first) {
                assert_memory_equal(fine[v], fine[other], sizeof(fine[v]));
            }
        }
    }
    const tgSmall cube = {8, 6, 4, tg_cube, tg_cubeFaces};
    tgRefinement* one = tgRefineSmall(&cube, NULL);
    tgAveragePlaces(one, tg_cube, whole);
    for (int c = 0; c < 24; ++c) {
        assert_memory_equal(fine[c], whole[tg_cubeFaces[c]], sizeof(fine[c]));
    }
    tgDestroyRefinement(one);
    tgDestroyRefinement(refinement);
}

/// Skin weights go along the same masks: as a field with one number for each joint would.
static void test_weights_go_alike(void** state)
{
    (void)state;
    const tgSmall cube = {8, 6, 4, tg_cube, tg_cubeFaces};
    tgRefinement* refinement = tgRefineSmall(&cube, NULL);
    int joints[8 * 3], fineJoints[26 * 3];
    float weights[8 * 3], fineWeights[26 * 3], dense[8][3], fineDense[26][3];
    for (int v = 0; v < 8; ++v) {
        for (int k = 0; k < 3; ++k) {
            joints[3 * v + k] = k;
            dense[v][k] = (float)((v * (k + 2) + k) % 5) + 0.5f;
        }
        float sum = dense[v][0] + dense[v][1] + dense[v][2];
        for (int k = 0; k < 3; ++k) {
            weights[3 * v + k] = dense[v][k] /= sum;
        }
    }
    assert_int_equal(tgRefinement_AverageInfluences(refinement, 3, joints, weights, fineJoints,
                                                    fineWeights, NULL),
                     tg_success);
    tgAveragePlaces(refinement, (const float(*)[3])dense, fineDense);
    for (int v = 0; v < 26; ++v) {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(fineWeights[3 * v + k], fineDense[v][fineJoints[3 * v + k]], 1e-6);
            sum += (double)fineWeights[3 * v + k];
        }
        CHECK_NEAR(sum, 1.0, 1e-6);
    }
    tgDestroyRefinement(refinement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cube),        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_flat_sheets), cmocka_unit_test(test_border_stands_still),
        cmocka_unit_test(test_seams),       cmocka_unit_test(test_weights_go_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
