// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The embedded characters: closed, oriented, manifold, weighted, animated and the same every time.

#include "core/bvh.h"
#include "model_checks.h"
#include "turgor/models.h"

static int tgCompareVec3(const void* a, const void* b)
{
    return memcmp(a, b, sizeof(tgVec3));
}

static int tgCountDuplicateVertices(const tgScene* scene)
{
    size_t count = (size_t)scene->vertexCount;
    tgVec3* sorted = malloc(count * sizeof(tgVec3));
    memcpy(sorted, scene->positions, count * sizeof(tgVec3));
    qsort(sorted, count, sizeof(tgVec3), tgCompareVec3);
    int duplicates = 0;
    for (size_t v = 1; v < count; ++v) {
        duplicates += memcmp(&sorted[v], &sorted[v - 1], sizeof(tgVec3)) == 0;
    }
    free(sorted);
    return duplicates;
}

static void tgCheckSkeleton(const tgScene* scene)
{
    assert_int_equal(scene->nodeCount, scene->jointCount + 1);
    for (int n = 0; n < scene->nodeCount; ++n) {
        assert_non_null(scene->nodes[n].name);
        assert_true(scene->nodes[n].parent < n);
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        const tgSceneJoint* joint = &scene->joints[j];
        assert_true(joint->parent < j);
        assert_true(strlen(joint->name) > 0);
        // Without the animation the nodes stand in the bind pose.
        tgVec3 position = scene->nodes[joint->node].local.position;
        if (joint->parent >= 0) {
            position = tgAdd(position, scene->joints[joint->parent].restJoint.origin);
        }
        CHECK_NEAR(tgDistance(position, joint->restJoint.origin), 0.0, 1e-5);
    }
    for (int i = 0; i < scene->partCount; ++i) {
        assert_int_equal(scene->parts[i].node, scene->jointCount);
        assert_in_range(scene->parts[i].material, 0, scene->materialCount - 1);
    }
}

static void tgCheckModel(const char* name, int vertexCount, int expected)
{
    tgError error = {0};
    tgScene* scene = tgCreateModel(name, vertexCount, &error);
    if (scene == NULL) {
        print_error("%s with %d vertices: %s\n", name, vertexCount, error.message);
        fail();
        return;
    }
    print_message("%s: %d vertices for %d\n", name, scene->vertexCount, expected);
    CHECK_NEAR(scene->vertexCount, expected, 0.03 * (double)expected);
    assert_int_equal(tgCountBadEdges(scene), 0);
    assert_int_equal(tgCountPinchedVertices(scene), 0);
    assert_int_equal(tgCountDuplicateVertices(scene), 0);
    assert_int_equal(tgCountBadFaces(scene), 0);
    assert_true(tgTestVolume(scene, scene->positions) > 0.0);
    tgCheckWeights(scene);
    tgCheckSkeleton(scene);
    tgCheckAnimations(scene);
    assert_int_equal(tgCountHandles(scene), 0);
    tgDestroyScene(scene);
}

static void tgTestEveryModel(void** state)
{
    (void)state;
    int count = 0;
    const tgModelInfo* models = tgGetModels(&count);
    assert_true(count >= 8);
    for (int i = 0; i < count; ++i) {
        assert_true(i == 0 || strcmp(models[i - 1].name, models[i].name) < 0);
        assert_true(strlen(models[i].description) > 0);
        int own = models[i].defaultVertexCount;
        tgCheckModel(models[i].name, 0, own);
        tgCheckModel(models[i].name, 2 * own + 77, 2 * own + 77);
        tgCheckModel(models[i].name, 9000, 9000);
    }
}

static void tgTestSmallestModels(void** state)
{
    (void)state;
    tgCheckModel("arm", 300, 300);
    tgCheckModel("cat", 900, 900);
    tgCheckModel("cylinder", 200, 200);
    tgCheckModel("elephant", 1500, 1500);
    tgCheckModel("finger", 300, 300);
    tgCheckModel("giraffe", 800, 800);
    tgCheckModel("hand", 2000, 2000);
    tgCheckModel("human", 3000, 3000);
    tgCheckModel("mushroom", 400, 400);
}

/// Each vertex has a mirrored one, within the rounding that the relaxation gathers; metres.
static void tgCheckSymmetry(const char* name, int axis, double tolerance)
{
    tgScene* scene = tgCreateModel(name, 0, NULL);
    assert_non_null(scene);
    double worst = 0.0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 mirrored = scene->positions[v];
        (&mirrored.x)[axis] *= -1.0f;
        float nearest = 1e9f;
        for (int u = 0; u < scene->vertexCount; ++u) {
            nearest = fminf(nearest, tgDistance(mirrored, scene->positions[u]));
        }
        worst = fmax(worst, (double)nearest);
    }
    CHECK_AT_MOST(worst, tolerance);
    tgDestroyScene(scene);
}

static void tgTestSymmetry(void** state)
{
    (void)state;
    tgCheckSymmetry("giraffe", 0, 1e-3);
    tgCheckSymmetry("elephant", 0, 1e-3);
    tgCheckSymmetry("finger", 2, 2e-5);
    tgCheckSymmetry("cat", 0, 1e-4);
    tgCheckSymmetry("human", 0, 5e-4);
    tgCheckSymmetry("mushroom", 0, 1e-4);
    tgCheckSymmetry("mushroom", 2, 1e-4);
}

/// Legs and ears keep to their own side, and the belly to the spine.
static void tgTestWeightsAreLocal(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("elephant", 0, NULL);
    assert_non_null(scene);
    int bellyCount = 0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        tgVec3 p = scene->positions[v];
        bool isBelly = fabsf(p.x) < 0.1f && p.y < 1.1f && p.z > -0.3f && p.z < 0.2f;
        bellyCount += isBelly;
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            int joint = scene->influenceJoints[v * scene->influencesPerVertex + k];
            float w = scene->influenceWeights[v * scene->influencesPerVertex + k];
            const char* name = scene->joints[joint].name;
            size_t length = strlen(name);
            bool isLeft = strcmp(name + length - 2, ".L") == 0;
            bool isRight = strcmp(name + length - 2, ".R") == 0;
            if ((isLeft && p.x < -0.25f) || (isRight && p.x > 0.25f) ||
                (isBelly && (isLeft || isRight))) {
                CHECK_AT_MOST(w, 0.02);
            }
        }
    }
    assert_true(bellyCount > 5);
    tgDestroyScene(scene);
}

/// Pairs of triangles of the first part that pass through each other in the bind pose.
static int tgCountCrossings(const tgScene* scene)
{
    int* triangles = malloc(6 * (size_t)scene->faceCount * sizeof(int));
    const int* corner = scene->faceVertices;
    int count = 0;
    for (int f = 0; f < scene->parts[0].faceCount; ++f) {
        for (int k = 2; k < scene->faceSizes[f]; ++k, ++count) {
            triangles[3 * count] = corner[0];
            triangles[3 * count + 1] = corner[k - 1];
            triangles[3 * count + 2] = corner[k];
        }
        corner += scene->faceSizes[f];
    }
    tgSurface surface = {
        {&scene->positions[0].x, scene->vertexCount, sizeof(tgVec3)}, triangles, count};
    void* memory = malloc(tgBvh_GetSize(count));
    tgBvh bvh;
    tgBvh_Build(&bvh, &surface, memory);
    int crossings = tgBvh_FindCrossings(&bvh, &surface, NULL, NULL);
    free(memory);
    free(triangles);
    return crossings;
}

static void tgTestSkinDoesNotCrossItself(void** state)
{
    (void)state;
    static const char* const tg_names[] = {"cat",  "elephant", "finger",  "giraffe",
                                           "hand", "human",    "mushroom"};
    for (int i = 0; i < 7; ++i) {
        tgScene* scene = tgCreateModel(tg_names[i], 0, NULL);
        assert_non_null(scene);
        assert_int_equal(tgCountCrossings(scene), 0);
        tgDestroyScene(scene);
    }
}

static void tgTestSameBits(void** state)
{
    (void)state;
    int count = 0;
    const tgModelInfo* models = tgGetModels(&count);
    for (int i = 0; i < count; ++i) {
        tgScene* a = tgCreateModel(models[i].name, 0, NULL);
        tgScene* b = tgCreateModel(models[i].name, 0, NULL);
        assert_non_null(a);
        assert_non_null(b);
        assert_int_equal(a->vertexCount, b->vertexCount);
        assert_int_equal(a->faceCount, b->faceCount);
        size_t vertexCount = (size_t)a->vertexCount;
        size_t influenceCount = vertexCount * (size_t)a->influencesPerVertex;
        assert_memory_equal(a->positions, b->positions, vertexCount * sizeof(tgVec3));
        assert_memory_equal(a->normals, b->normals, vertexCount * sizeof(tgVec3));
        assert_memory_equal(a->influenceJoints, b->influenceJoints, influenceCount * sizeof(int));
        assert_memory_equal(a->influenceWeights, b->influenceWeights,
                            influenceCount * sizeof(float));
        assert_memory_equal(a->faceVertices, b->faceVertices,
                            (size_t)tgCountCorners(a) * sizeof(int));
        tgDestroyScene(a);
        tgDestroyScene(b);
    }
}

static void tgTestBadArguments(void** state)
{
    (void)state;
    tgError error = {0};
    assert_null(tgCreateModel("rhinoceros", 0, &error));
    assert_int_equal(error.code, tg_invalidArgument);
    CHECK_CONTAINS(error.message, "rhinoceros");
    CHECK_CONTAINS(error.message,
                   "arm, cat, cylinder, elephant, finger, giraffe, hand, human, mushroom");
    assert_null(tgCreateModel(NULL, 0, &error));
    assert_null(tgCreateModel("rhinoceros", 0, NULL));
    assert_null(tgCreateModel("elephant", 12, &error));
    CHECK_CONTAINS(error.message, "12");
    CHECK_CONTAINS(error.message, "1500");
    assert_null(tgCreateModel("elephant", -1, &error));
    assert_null(tgCreateModel("giraffe", 2000000000, &error));
    CHECK_CONTAINS(error.message, "giraffe");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestEveryModel),
        cmocka_unit_test(tgTestSmallestModels),
        cmocka_unit_test(tgTestSymmetry),
        cmocka_unit_test(tgTestWeightsAreLocal),
        cmocka_unit_test(tgTestSkinDoesNotCrossItself),
        cmocka_unit_test(tgTestSameBits),
        cmocka_unit_test(tgTestBadArguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
