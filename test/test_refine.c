// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Refinement on plain arrays: meshes of triangles and quads with random marks stay closed and keep
// their volume, nothing ends in the middle of a side, and seams stay shut.
// Past 500 lines because its meshes and checks serve all cases.

#include "check.h"
#include "random.h"
#include "shapes.h"
#include "turgor/refine.h"

#include <limits.h>

static unsigned tg_random = 1;

/// A mesh in doubles, so that volumes can be told to the last digit.
typedef struct tgExactMesh {
    int vertexCount, faceCount, cornerCount;
    double (*positions)[3];
    int* labels;
    int* faceSizes;
    int* faceVertices;
} tgExactMesh;

static void tgFreeExact(tgExactMesh* mesh)
{
    free(mesh->positions);
    free(mesh->labels);
    free(mesh->faceSizes);
    free(mesh->faceVertices);
}

static tgExactMesh tgMakeExact(int vertices, int faces, int corners)
{
    return (tgExactMesh){.positions = calloc((size_t)vertices, 3 * sizeof(double)),
                         .labels = calloc((size_t)vertices, sizeof(int)),
                         .faceSizes = calloc((size_t)faces, sizeof(int)),
                         .faceVertices = calloc((size_t)corners, sizeof(int)),
                         .vertexCount = vertices,
                         .faceCount = faces,
                         .cornerCount = corners};
}

/// From a shape, with corners shaken, quads cut at random, and vertices parted along a seam.
static tgExactMesh tgShake(const tgShape* shape, double amount, double cutPart, double seamPart)
{
    tgExactMesh mesh = tgMakeExact(shape->vertexCount + shape->cornerCount, 2 * shape->faceCount,
                                   2 * shape->cornerCount);
    mesh.vertexCount = shape->vertexCount;
    mesh.faceCount = mesh.cornerCount = 0;
    for (int v = 0; v < shape->vertexCount; ++v) {
        const float* p = &shape->positions[v].x;
        for (int k = 0; k < 3; ++k) {
            mesh.positions[v][k] = (double)p[k] + amount * (tgNextUnit(&tg_random) - 0.5);
        }
        mesh.labels[v] = v;
    }
    const int* c = shape->faceVertices;
    for (int f = 0; f < shape->faceCount; c += shape->faceSizes[f++]) {
        int corners[4];
        for (int k = 0; k < shape->faceSizes[f]; ++k) {
            corners[k] = c[k];
            if (tgNextUnit(&tg_random) < seamPart) { // a vertex of its own at the same place
                int own = mesh.vertexCount++;
                memcpy(mesh.positions[own], mesh.positions[c[k]], 3 * sizeof(double));
                mesh.labels[own] = c[k];
                corners[k] = own;
            }
        }
        bool isCut = shape->faceSizes[f] == 4 && tgNextUnit(&tg_random) < cutPart;
        const int pieces[2][3] = {{corners[0], corners[1], corners[2]},
                                  {corners[0], corners[2], corners[3]}};
        for (int i = 0; i < (isCut ? 2 : 1); ++i) {
            int size = isCut ? 3 : shape->faceSizes[f];
            memcpy(mesh.faceVertices + mesh.cornerCount, isCut ? pieces[i] : corners,
                   (size_t)size * sizeof(int));
            mesh.faceSizes[mesh.faceCount++] = size;
            mesh.cornerCount += size;
        }
    }
    return mesh;
}

static double tgTetrahedron(const double* a, const double* b, const double* c)
{
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
            a[2] * (b[0] * c[1] - b[1] * c[0])) /
           6.0;
}

/// Triangles as they are; a quad is a bilinear patch, integrated by Gauss's rule of 3 x 3 points,
/// which is exact for it.
static double tgMeasureExact(const tgExactMesh* mesh)
{
    static const double nodes[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double weights[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    double sum = 0.0;
    const int* c = mesh->faceVertices;
    for (int f = 0; f < mesh->faceCount; c += mesh->faceSizes[f++]) {
        const double* p[4];
        for (int k = 0; k < mesh->faceSizes[f]; ++k) {
            p[k] = mesh->positions[c[k]];
        }
        if (mesh->faceSizes[f] == 3) {
            sum += tgTetrahedron(p[0], p[1], p[2]);
            continue;
        }
        for (int i = 0; i < 9; ++i) {
            double u = nodes[i / 3], v = nodes[i % 3], at[3], alongU[3], alongV[3];
            for (int k = 0; k < 3; ++k) {
                at[k] = (1 - u) * (1 - v) * p[0][k] + u * (1 - v) * p[1][k] + u * v * p[2][k] +
                        (1 - u) * v * p[3][k];
                alongU[k] = (1 - v) * (p[1][k] - p[0][k]) + v * (p[2][k] - p[3][k]);
                alongV[k] = (1 - u) * (p[3][k] - p[0][k]) + u * (p[2][k] - p[1][k]);
            }
            sum += weights[i / 3] * weights[i % 3] * 2.0 * tgTetrahedron(at, alongU, alongV);
        }
    }
    return sum;
}

static int tgCompareSides(const void* left, const void* right)
{
    const int *a = left, *b = right;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/// Sides of the welded mesh that are not walked once each way: 0 on a closed surface. A vertex in
/// the middle of another face's side would leave three of them.
static int tgCountOpenSides(const tgExactMesh* mesh)
{
    int(*sides)[3] = calloc((size_t)mesh->cornerCount, sizeof(*sides));
    int at = 0, count = 0;
    for (int f = 0, start = 0; f < mesh->faceCount; start += mesh->faceSizes[f++]) {
        for (int k = 0; k < mesh->faceSizes[f]; ++k, ++at) {
            int a = mesh->labels[mesh->faceVertices[start + k]];
            int b = mesh->labels[mesh->faceVertices[start + (k + 1) % mesh->faceSizes[f]]];
            sides[at][0] = a < b ? a : b;
            sides[at][1] = a < b ? b : a;
            sides[at][2] = a < b ? 1 : -1;
        }
    }
    qsort(sides, (size_t)at, sizeof(*sides), tgCompareSides);
    for (int i = 0; i < at;) {
        int first = i, ways = 0, uses = 0;
        for (; i < at && tgCompareSides(sides[first], sides[i]) == 0; ++i) {
            ways += sides[i][2];
            uses += 1;
        }
        count += ways != 0 || uses != 2;
    }
    free(sides);
    return count;
}

static double tgLargestLabelGap(const tgExactMesh* mesh)
{
    double most = 0.0;
    int* first = calloc((size_t)mesh->vertexCount, sizeof(int));
    for (int v = mesh->vertexCount - 1; v >= 0; --v) {
        first[mesh->labels[v]] = v;
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        for (int k = 0; k < 3; ++k) {
            most = fmax(most,
                        fabs(mesh->positions[v][k] - mesh->positions[first[mesh->labels[v]]][k]));
        }
    }
    free(first);
    return most;
}

/// The finer mesh by its own account of where vertices come from, in doubles.
static tgExactMesh tgRefineExact(const tgExactMesh* mesh, const float* values, float threshold,
                                 tgRefinement** kept)
{
    float* positions = calloc((size_t)mesh->vertexCount, sizeof(tgVec3));
    for (int v = 0; v < mesh->vertexCount; ++v) {
        for (int k = 0; k < 3; ++k) {
            positions[3 * v + k] = (float)mesh->positions[v][k];
        }
    }
    tgRefineDef def = tgDefaultRefineDef();
    def.positions = (tgVec3View){positions, mesh->vertexCount, sizeof(tgVec3)};
    def.weldedVertices = mesh->labels;
    def.faceVertices = mesh->faceVertices;
    def.faceSizes = mesh->faceSizes;
    def.faceCount = mesh->faceCount;
    def.values = values;
    def.threshold = threshold;
    tgError error = {0};
    tgRefinement* refinement = tgCreateRefinement(&def, &error);
    if (refinement == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(refinement);
    free(positions);
    int corners = 0;
    for (int f = 0; f < refinement->faceCount; ++f) {
        corners += refinement->faceSizes[f];
    }
    tgExactMesh fine = tgMakeExact(refinement->vertexCount, refinement->faceCount, corners);
    memcpy(fine.labels, refinement->weldedVertices, (size_t)fine.vertexCount * sizeof(int));
    memcpy(fine.faceSizes, refinement->faceSizes, (size_t)fine.faceCount * sizeof(int));
    memcpy(fine.faceVertices, refinement->faceVertices, (size_t)corners * sizeof(int));
    memcpy(fine.positions, mesh->positions, (size_t)mesh->vertexCount * 3 * sizeof(double));
    for (int v = mesh->vertexCount; v < fine.vertexCount; ++v) {
        const tgVertexMean* mean = &refinement->placeMeans[v - mesh->vertexCount];
        double sum = 0.0;
        for (int n = 0; n < 4; ++n) {
            // 22nds are not exact as floats; the mean they stand for is.
            double weight = round((double)mean->weights[n] * 44.0) / 44.0;
            CHECK_NEAR(weight, mean->weights[n], 1e-7);
            sum += weight;
            for (int k = 0; k < 3; ++k) {
                fine.positions[v][k] += weight * mesh->positions[mean->vertices[n]][k];
            }
            assert_true(mean->vertices[n] >= 0 && mean->vertices[n] < mesh->vertexCount);
        }
        CHECK_NEAR(sum, 1.0, 1e-15);
    }
    *kept = refinement;
    return fine;
}

/// Every face with a marked corner is in pieces none of which has a whole side of it; a face away
/// from the marks is as it was.
static void tgCheckMarks(const tgExactMesh* mesh, const float* values, float threshold,
                         const tgRefinement* refinement)
{
    int* pieceCounts = calloc((size_t)mesh->faceCount, sizeof(int));
    for (int f = 0; f < refinement->faceCount; ++f) {
        assert_true(f == 0 || refinement->faceParents[f] >= refinement->faceParents[f - 1]);
        pieceCounts[refinement->faceParents[f]] += 1;
    }
    int splitCount = 0;
    const int* c = mesh->faceVertices;
    for (int f = 0; f < mesh->faceCount; c += mesh->faceSizes[f++]) {
        bool isMarked = false;
        for (int k = 0; k < mesh->faceSizes[f]; ++k) {
            isMarked |= values[c[k]] > threshold;
        }
        assert_true(pieceCounts[f] >= 1 && pieceCounts[f] <= 4);
        if (isMarked) {
            assert_int_equal(pieceCounts[f], 4);
        }
        splitCount += pieceCounts[f] > 1;
    }
    assert_int_equal(splitCount, refinement->splitFaceCount);
    free(pieceCounts);
}

static tgShape tgMakeRandomShape(int trial)
{
    int a = 3 + (int)(9.0 * tgNextUnit(&tg_random)), b = 3 + (int)(9.0 * tgNextUnit(&tg_random));
    return trial % 2 == 0 ? tgMakeTorus(a, b) : tgMakeSphere(a, b);
}

static void test_random_marks(void** state)
{
    (void)state;
    double worst = 0.0;
    int greens = 0;
    for (int trial = 0; trial < 400; ++trial) {
        tgShape shape = tgMakeRandomShape(trial);
        tgExactMesh mesh = tgShake(&shape, 0.3, trial % 3 * 0.4, trial % 5 * 0.1);
        double volume = tgMeasureExact(&mesh);
        assert_int_equal(tgCountOpenSides(&mesh), 0);
        float markPart = (float)tgNextUnit(&tg_random);
        for (int level = 0; level < 2; ++level) {
            float* values = calloc((size_t)mesh.vertexCount, sizeof(float));
            for (int v = 0; v < mesh.vertexCount; ++v) {
                // All vertices at a place have one value.
                values[v] = mesh.labels[v] == v || mesh.labels[v] > v
                                ? (float)tgNextUnit(&tg_random)
                                : values[mesh.labels[v]];
            }
            tgRefinement* refinement = NULL;
            tgExactMesh fine = tgRefineExact(&mesh, values, markPart, &refinement);
            tgCheckMarks(&mesh, values, markPart, refinement);
            assert_int_equal(tgCountOpenSides(&fine), 0);
            CHECK_AT_MOST(tgLargestLabelGap(&fine), 0.0);
            double error = tgMeasureExact(&fine) / volume - 1.0;
            CHECK_AT_MOST(fabs(error), 1e-13);
            worst = fmax(worst, fabs(error));
            greens += fine.faceCount % 4 != mesh.faceCount % 4;
            tgFreeExact(&mesh);
            tgDestroyRefinement(refinement);
            free(values);
            mesh = fine;
        }
        tgFreeExact(&mesh);
        tgFreeShape(&shape);
    }
    print_message("800 refinements, volume kept to %.1e\n", worst);
    assert_true(greens > 100);
}

/// One quad of its own for each way its sides can be split, bent out of its plane.
static void test_every_split(void** state)
{
    (void)state;
    // A cube whose corners are shaken: marks on single vertices give all the ways there are.
    bool wasSeen[5] = {false};
    for (int marks = 0; marks < 256; ++marks) {
        tgShape cube = tgMakeTorus(6, 6);
        tgExactMesh mesh = tgShake(&cube, 0.5, 0.0, 0.0);
        float* values = calloc((size_t)mesh.vertexCount, sizeof(float));
        for (int i = 0; i < 3; ++i) {
            values[(int)(tgNextUnit(&tg_random) * 36.0) % 36] =
                tgNextUnit(&tg_random) < 0.5 ? 1.0f : 0.0f;
        }
        tgRefinement* refinement = NULL;
        tgExactMesh fine = tgRefineExact(&mesh, values, 0.5f, &refinement);
        CHECK_NEAR(tgMeasureExact(&fine) / tgMeasureExact(&mesh), 1.0, 1e-13);
        for (int f = 0; f < fine.faceCount;) {
            int first = f, quads = 0;
            for (;
                 f < fine.faceCount && refinement->faceParents[f] == refinement->faceParents[first];
                 ++f) {
                quads += fine.faceSizes[f] == 4;
            }
            int pieces = f - first;
            // whole; one side: 3 triangles; opposite: 2 quads; adjacent: 3 quads; all: 4 quads
            assert_true(pieces != 3 || quads == 0 || quads == 3);
            wasSeen[pieces == 1   ? 0
                    : pieces == 2 ? 2
                    : pieces == 4 ? 4
                    : quads == 0  ? 1
                                  : 3] = true;
        }
        tgFreeExact(&mesh);
        tgFreeExact(&fine);
        tgDestroyRefinement(refinement);
        free(values);
        tgFreeShape(&cube);
    }
    for (int i = 0; i < 5; ++i) {
        assert_true(wasSeen[i]);
    }
}

/// A cube with all corners marked is a cube of 2 x 2 faces on each side, in known numbers.
static void test_whole_cube(void** state)
{
    (void)state;
    for (int quads = 0; quads < 2; ++quads) {
        tgShape cube = tgMakeCube(quads != 0);
        const float values[8] = {1, 1, 1, 1, 1, 1, 1, 1};
        tgExactMesh mesh = tgShake(&cube, 0.0, 0.0, 0.0);
        tgRefinement* refinement = NULL;
        tgExactMesh fine = tgRefineExact(&mesh, values, 0.3f, &refinement);
        assert_int_equal(fine.vertexCount, quads ? 8 + 12 + 6 : 8 + 18);
        assert_int_equal(fine.faceCount, quads ? 24 : 48);
        CHECK_NEAR(tgMeasureExact(&fine), 1.0, 1e-14);
        tgFreeExact(&mesh);
        tgFreeExact(&fine);
        tgDestroyRefinement(refinement);
        tgFreeShape(&cube);
    }
}

/// Larger polygons: untouched ones stay, touched ones become triangles; collapsed faces stay.
static void test_polygons(void** state)
{
    (void)state;
    // A pentagonal prism; vertex 10 stands in the place of vertex 0, and the last face is nothing.
    tgVec3 positions[11];
    for (int v = 0; v < 10; ++v) {
        double angle = 2.0 * 3.14159265358979 * (v % 5) / 5.0;
        positions[v] = tgMakeVec3((float)cos(angle), (float)sin(angle), v < 5 ? 0.0f : 1.0f);
    }
    positions[10] = positions[0];
    const int corners[] = {4, 3, 2, 1, 0, 5, 6, 7, 8, 9, 0, 1, 6, 5, 1,  2, 7,
                           6, 2, 3, 8, 7, 3, 4, 9, 8, 4, 0, 5, 9, 0, 10, 1};
    const int sizes[] = {5, 5, 4, 4, 4, 4, 4, 3};
    const int welded[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0};
    const float values[11] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    tgRefineDef def = tgDefaultRefineDef();
    def.positions = (tgVec3View){&positions->x, 11, sizeof(tgVec3)};
    def.weldedVertices = welded;
    def.faceVertices = corners;
    def.faceSizes = sizes;
    def.faceCount = 8;
    def.values = values;
    tgRefinement* refinement = tgCreateRefinement(&def, NULL);
    assert_non_null(refinement);
    int counts[8] = {0}, cornerCount = 0;
    for (int f = 0; f < refinement->faceCount; ++f) {
        counts[refinement->faceParents[f]] += 1;
        cornerCount += refinement->faceSizes[f];
    }
    assert_true(counts[0] > 3); // holds vertex 3: some of its triangles in four
    assert_int_equal(counts[4], 4);
    assert_int_equal(counts[5], 4);
    assert_int_equal(counts[7], 1);
    tgExactMesh fine = tgMakeExact(refinement->vertexCount, refinement->faceCount - 1, 0);
    free(fine.faceVertices);
    fine.faceVertices = calloc((size_t)cornerCount, sizeof(int));
    memcpy(fine.labels, refinement->weldedVertices, (size_t)fine.vertexCount * sizeof(int));
    memcpy(fine.faceSizes, refinement->faceSizes, (size_t)fine.faceCount * sizeof(int));
    memcpy(fine.faceVertices, refinement->faceVertices, (size_t)cornerCount * sizeof(int));
    fine.cornerCount = cornerCount - 3;
    assert_int_equal(tgCountOpenSides(&fine), 0);
    tgFreeExact(&fine);
    tgDestroyRefinement(refinement);
    // Nothing is marked: nothing changes.
    def.threshold = 1.0f;
    refinement = tgCreateRefinement(&def, NULL);
    assert_int_equal(refinement->vertexCount, 11);
    assert_int_equal(refinement->splitFaceCount, 0);
    assert_memory_equal(refinement->faceVertices, corners, sizeof(corners));
    assert_memory_equal(refinement->faceSizes, sizes, sizeof(sizes));
    tgDestroyRefinement(refinement);
}

/// Weights: shared joints are added, the heaviest kept, the sum 1, the same on both sides of a
/// seam.
static void test_influences(void** state)
{
    (void)state;
    // Two triangles that touch along 1-2, which the second one calls 4-3.
    const tgVec3 positions[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}};
    const int corners[] = {0, 1, 2, 3, 4, 5}, welded[] = {0, 1, 2, 2, 1, 5};
    const float values[6] = {1, 1, 1, 1, 1, 1};
    const int joints[12] = {0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 0, 1};
    const float weights[12] = {0.5f,  0.5f,  0.7f,  0.3f,  0.6f, 0.4f,
                               0.41f, 0.59f, 0.31f, 0.69f, 1.0f, 0.0f};
    tgRefineDef def = tgDefaultRefineDef();
    def.positions = (tgVec3View){&positions->x, 6, sizeof(tgVec3)};
    def.weldedVertices = welded;
    def.faceVertices = corners;
    def.faceCount = 2;
    def.values = values;
    tgRefinement* refinement = tgCreateRefinement(&def, NULL);
    assert_non_null(refinement);
    assert_int_equal(refinement->vertexCount, 12);
    int fineJoints[24];
    float fineWeights[24];
    assert_int_equal(tgRefinement_AverageInfluences(refinement, 2, joints, weights, fineJoints,
                                                    fineWeights, NULL),
                     tg_success);
    assert_memory_equal(fineJoints, joints, sizeof(joints));
    assert_memory_equal(fineWeights, weights, sizeof(weights));
    int seamCount = 0;
    for (int v = 6; v < 12; ++v) {
        CHECK_NEAR(fineWeights[2 * v] + fineWeights[2 * v + 1], 1.0, 1e-7);
        const tgVertexMean* mean = &refinement->placeMeans[v - 6];
        if (mean->vertices[0] == 1 && mean->vertices[1] == 2) {
            // 0.35 of joint 2, 0.15 of 3, 0.3 of 4, 0.2 of 5: 2 and 4 are kept.
            assert_int_equal(fineJoints[2 * v], 2);
            assert_int_equal(fineJoints[2 * v + 1], 4);
            CHECK_NEAR(fineWeights[2 * v], 0.35 / 0.65, 1e-7);
            seamCount += 1;
        }
        if (mean->vertices[0] == 1 && mean->vertices[1] == 5) { // 0.35 of 2, 0.15 of 3, 0.5 of 0
            assert_int_equal(fineJoints[2 * v], 0);
            CHECK_NEAR(fineWeights[2 * v], 0.5 / 0.85, 1e-7);
        }
    }
    assert_int_equal(seamCount, 2);
    // Texture coordinates go along their own side: each triangle has its own square.
    const float uvs[12] = {0, 0, 1, 0, 0, 1, 10, 10, 11, 10, 10, 11};
    float fineUvs[24];
    tgRefinement_Average(refinement, false, uvs, 2, fineUvs);
    for (int f = 0; f < refinement->faceCount; ++f) {
        for (int k = 0; k < 3; ++k) {
            float u = fineUvs[2 * refinement->faceVertices[3 * f + k]];
            assert_true(refinement->faceParents[f] == 0 ? u <= 1.0f : u >= 10.0f);
        }
    }
    tgDestroyRefinement(refinement);
}

/// gamma of a rig: the largest over joints and poses is what the instance says of each.
static void test_largest_gamma(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(16, 17, 8.0f, 3.0f, 5.0f, true);
    tgRigDef def = tgShape_GetRigDef(&tube);
    tgProfile folds = tgDefaultProfile(tg_profileFolds);
    def.volume.method = tg_volumeExact;
    def.volume.profiles = &folds;
    def.volume.profileCount = 1;
    tgMat34 joints[3][2];
    tgPose poses[3];
    for (int i = 0; i < 3; ++i) {
        tgBendTube(&tube, 8.0f, 0.0f, 0.4 * i, joints[i]);
        poses[i] = (tgPose){.joints = joints[i], .jointCount = 2};
    }
    size_t count = (size_t)tube.vertexCount;
    float* gamma = calloc(count, sizeof(float));
    float* one = calloc(count, sizeof(float));
    float* most = calloc(count, sizeof(float));
    int* welded = calloc(count, sizeof(int));
    tgRig* rig = tgCreateRig(&def, NULL);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    for (int i = 0; i < 3; ++i) {
        tgInstance_Deform(instance, &poses[i], (tgVec3Span){0}, (tgVec3Span){0}, NULL);
        assert_int_equal(tgInstance_SampleGamma(instance, -1, one, NULL), tg_success);
        for (size_t v = 0; v < count; ++v) {
            most[v] = fmaxf(most[v], one[v]);
        }
    }
    def.volume.method = tg_volumeNone; // it asks for the exact one by itself
    assert_int_equal(tgSampleLargestGamma(&def, poses, 3, gamma, welded, NULL), tg_success);
    assert_memory_equal(gamma, most, count * sizeof(float));
    assert_memory_equal(welded, tgRig_GetWeldedVertices(rig), count * sizeof(int));
    // At rest nothing bends, and joint 1 alone has a limb.
    tgInstance_Deform(instance, &poses[0], (tgVec3Span){0}, (tgVec3Span){0}, NULL);
    assert_int_equal(tgInstance_SampleGamma(instance, 1, one, NULL), tg_success);
    assert_int_equal(tgSampleLargestGamma(&def, NULL, 0, gamma, NULL, NULL), tg_success);
    assert_memory_equal(gamma, one, count * sizeof(float));
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    free(gamma);
    free(one);
    free(most);
    free(welded);
    tgFreeShape(&tube);
}

static void test_refusals(void** state)
{
    (void)state;
    const tgVec3 positions[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const int corners[3] = {0, 1, 2}, badCorners[3] = {0, 1, 3}, badSizes[1] = {2};
    const int hugeSizes[1] = {INT_MAX}, badWelded[3] = {0, 1, 3};
    const float values[3] = {1, NAN, 1};
    tgRefineDef good = tgDefaultRefineDef();
    good.positions = (tgVec3View){&positions->x, 3, sizeof(tgVec3)};
    good.faceVertices = corners;
    good.faceCount = 1;
    good.values = values;
    tgRefinement* refinement = tgCreateRefinement(&good, NULL);
    assert_int_equal(refinement->faceCount, 4);
    tgDestroyRefinement(refinement);
    tgRefineDef defs[7];
    for (int i = 0; i < 7; ++i) {
        defs[i] = good;
    }
    defs[0].cookie = 0;
    defs[1].faceVertices = NULL;
    defs[2].values = NULL;
    defs[3].faceVertices = badCorners;
    defs[4].faceSizes = badSizes;
    defs[5].faceSizes = hugeSizes;
    defs[6].weldedVertices = badWelded;
    static const char* const messages[7] = {
        "start the def from tgDefaultRefineDef()",
        "there are no positions or no faces to refine",
        "there are no values to tell where to refine",
        "face 0 uses vertex 3, the mesh has 3",
        "face 0 has 2 corners, wanted 3 or more",
        "face 0 has 2147483647 corners",
        "vertex 2 is welded vertex 3, wanted 0 to 2",
    };
    for (int i = 0; i < 7; ++i) {
        tgError error = {0};
        assert_null(tgCreateRefinement(&defs[i], &error));
        CHECK_CONTAINS(error.message, messages[i]);
    }
    assert_null(tgCreateRefinement(NULL, NULL));
    tgDestroyRefinement(NULL);
    tgError error = {0};
    assert_int_equal(tgSampleLargestGamma(NULL, NULL, 0, NULL, NULL, &error), tg_invalidArgument);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_marks), cmocka_unit_test(test_every_split),
        cmocka_unit_test(test_whole_cube),   cmocka_unit_test(test_polygons),
        cmocka_unit_test(test_influences),   cmocka_unit_test(test_largest_gamma),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
