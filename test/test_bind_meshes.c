// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Automatic weights on meshes as people have them: open, inverted, non-manifold, in many pieces,
// with slivers, with vertices in no face. A result and a report, or a clear error; also when any
// allocation fails.

#include "check.h"

#include "bind_shapes.h"
#include "failing_memory.h"
#include "random.h"

// The core's memory comes from this one.
void* __real_aligned_alloc(size_t alignment, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);

void* __wrap_aligned_alloc(size_t alignment, size_t size)
{
    return tgMayAllocate() ? __real_aligned_alloc(alignment, size) : NULL;
}

static tgBinding* tgMustBind(const tgBindDef* def)
{
    tgError error = {0};
    tgBinding* binding = tgCreateBinding(def, &error);
    if (binding == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(binding);
    for (int v = 0; v < binding->vertexCount; ++v) {
        double sum = 0.0;
        for (int k = 0; k < binding->influencesPerVertex; ++k) {
            float w = binding->influenceWeights[v * binding->influencesPerVertex + k];
            assert_true(w >= 0.0f && w <= 1.0f);
            sum += (double)w;
        }
        CHECK_NEAR(sum, 1.0, 1e-6);
    }
    return binding;
}

static void tgMustFail(const tgBindDef* def, const char* fragment)
{
    tgError error = {0};
    assert_null(tgCreateBinding(def, &error));
    assert_int_not_equal(error.code, tg_success);
    CHECK_CONTAINS(error.message, fragment);
    assert_null(tgCreateBinding(def, NULL));
}

static int tgGetMain(const tgBinding* binding, int v)
{
    return binding->influenceJoints[(size_t)v * (size_t)binding->influencesPerVertex];
}

/// Vertices of a hairpin's arms whose main joint is the other arm's.
static int tgCountWrong(const tgBindShape* shape, const tgBinding* binding)
{
    int wrong = 0;
    for (int v = 0; v < shape->vertexCount; ++v) {
        int main = tgGetMain(binding, v);
        bool isFirst = shape->positions[v].y > 0.0f;
        wrong += shape->positions[v].x < 0.0f && (isFirst ? main >= 3 : main == 1 || main == 2);
    }
    return wrong;
}

static unsigned tg_state;

static void tgTestOpen(void** state)
{
    (void)state;
    const int percents[] = {2, 10, 25};
    for (int i = 0; i < 3; ++i) {
        tgBindShape shape = tgMakeHairpin(0.3f, 16, 33);
        tg_state = 7;
        int faces = 0, corners = 0;
        for (int f = 0, at = 0; f < shape.faceCount; at += shape.faceSizes[f], ++f) {
            if (100.0 * tgNextUnit(&tg_state) >= percents[i]) {
                int size = shape.faceSizes[f];
                memmove(shape.corners + corners, shape.corners + at, (size_t)size * sizeof(int));
                corners += size;
                shape.faceSizes[faces++] = size;
            }
        }
        shape.faceCount = faces;
        tgBindDef def = tgBindShape_GetDef(&shape);
        tgBinding* binding = tgMustBind(&def);
        int wrong = tgCountWrong(&shape, binding);
        print_message("%d %% of the faces missing: %d wrong, %d vertices unreached\n", percents[i],
                      wrong, binding->unreachedVertexCount);
        assert_int_equal(wrong, 0);
        tgDestroyBinding(binding);
        tgFreeBindShape(&shape);
    }
}

static void tgTurnFace(tgBindShape* shape, int f)
{
    int at = 0;
    for (int i = 0; i < f; ++i) {
        at += shape->faceSizes[i];
    }
    int* c = shape->corners + at;
    int last = shape->faceSizes[f] - 1, kept = c[1];
    c[1] = c[last];
    c[last] = kept;
}

/// Turned faces, all or some, change nothing.
static void tgTestInverted(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeHairpin(0.3f, 16, 33);
    tgBindDef def = tgBindShape_GetDef(&shape);
    tgBinding* good = tgMustBind(&def);
    for (int every = 1; every <= 3; every += 2) {
        for (int f = 0; f < shape.faceCount; f += every) {
            tgTurnFace(&shape, f);
        }
        tgBinding* binding = tgMustBind(&def);
        assert_int_equal(tgCountWrong(&shape, binding), 0);
        double moved = 0.0;
        for (int i = 0; i < good->vertexCount * good->influencesPerVertex; ++i) {
            moved = fmax(moved, fabs((double)good->influenceWeights[i] -
                                     (double)binding->influenceWeights[i]));
        }
        CHECK_AT_MOST(moved, 1e-3);
        tgDestroyBinding(binding);
    }
    tgDestroyBinding(good);
    tgFreeBindShape(&shape);
}

/// Every face twice, once from each side: winding numbers cancel, the flood still finds the inside.
static void tgTestDoubleSided(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeHairpin(0.3f, 16, 33);
    int faceCount = shape.faceCount;
    for (int f = 0, at = 0; f < faceCount; at += shape.faceSizes[f], ++f) {
        const int* c = shape.corners + at;
        bool isQuad = shape.faceSizes[f] == 4;
        tgBindShape_AddFace(&shape, c[0], isQuad ? c[3] : c[2], isQuad ? c[2] : c[1],
                            isQuad ? c[1] : -1);
    }
    tgBindDef def = tgBindShape_GetDef(&shape);
    tgBinding* binding = tgMustBind(&def);
    assert_true(binding->insideCellCount > 1000);
    assert_int_equal(tgCountWrong(&shape, binding), 0);
    tgDestroyBinding(binding);
    tgFreeBindShape(&shape);
}

/// A fin on an edge that has two faces already, slivers, a face of one point, vertices in no face.
static void tgTestOddities(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeHairpin(0.3f, 16, 33);
    int good = shape.vertexCount;
    tgVec3 a = shape.positions[100], b = shape.positions[101];
    int tip = tgBindShape_AddVertex(&shape, tgAdd(a, tgMakeVec3(0.0f, 0.3f, 0.5f)));
    tgBindShape_AddFace(&shape, 100, 101, tip, -1);
    int near = tgBindShape_AddVertex(&shape, tgMulAdd(tgLerp(a, b, 0.5f), 1e-5f, a));
    tgBindShape_AddFace(&shape, 100, 101, near, -1);
    tgBindShape_AddFace(&shape, 100, 100, 100, -1);
    int loose = tgBindShape_AddVertex(&shape, tgMakeVec3(-7.0f, 3.0f, 0.0f));
    tgBindDef def = tgBindShape_GetDef(&shape);
    for (int method = 0; method < 2; ++method) {
        def.method = method == 0 ? tg_bindGeodesic : tg_bindDistance;
        tgBinding* binding = tgMustBind(&def);
        assert_int_equal(binding->looseVertexCount, 1);
        assert_int_equal(tgGetMain(binding, loose), 1);
        for (int v = 0; method == 0 && v < good; ++v) {
            assert_true(binding->influenceWeights[4 * v] > 0.0f);
        }
        tgDestroyBinding(binding);
    }
    tgFreeBindShape(&shape);
}

static tgVec3 tgShortLine(float t, const void* user)
{
    tgVec3 from = *(const tgVec3*)user;
    return tgMakeVec3(from.x + 3.0f * t, from.y, from.z);
}

/// Pieces without a bone follow the nearest; they change nothing about the others.
static void tgTestIslands(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeHairpin(0.3f, 16, 33);
    tgBindDef def = tgBindShape_GetDef(&shape);
    def.voxels = 64;
    tgBinding* alone = tgMustBind(&def);
    int count = shape.vertexCount;
    const tgVec3 places[2] = {{-6.0f, 6.0f, 0.0f}, {-6.0f, -6.0f, 0.0f}};
    for (int i = 0; i < 2; ++i) {
        tgBindShape_AddTube(&shape, tgShortLine, &places[i], 8, 4);
    }
    // And a flat sheet, which has no inside at all.
    int first = tgBindShape_AddVertex(&shape, tgMakeVec3(-3.0f, 4.0f, 0.0f));
    tgBindShape_AddVertex(&shape, tgMakeVec3(-2.0f, 4.0f, 0.0f));
    tgBindShape_AddVertex(&shape, tgMakeVec3(-2.0f, 4.0f, 1.0f));
    tgBindShape_AddVertex(&shape, tgMakeVec3(-3.0f, 4.0f, 1.0f));
    tgBindShape_AddFace(&shape, first, first + 1, first + 2, first + 3);
    def = tgBindShape_GetDef(&shape);
    def.voxels = 64;
    tgBinding* binding = tgMustBind(&def);
    assert_int_equal(binding->islandCount, 4);
    assert_int_equal(binding->unreachedIslandCount, 3);
    assert_int_equal(binding->unreachedVertexCount, shape.vertexCount - count);
    for (int v = count; v < shape.vertexCount; ++v) {
        assert_int_equal(tgGetMain(binding, v), shape.positions[v].y > 0.0f ? 1 : 3);
    }
    for (int v = 0; v < count; ++v) {
        assert_int_equal(tgGetMain(binding, v), tgGetMain(alone, v));
    }
    tgDestroyBinding(binding);
    tgDestroyBinding(alone);
    tgFreeBindShape(&shape);
}

/// A plate that hovers over the skin beside a joint follows what is under it.
static void tgTestFollowers(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeCapsule(6.0f, 16, 32);
    int under[4], count = 0;
    for (int v = 0; v < shape.vertexCount && count < 4; ++v) { // two on each side of a ring
        tgVec3 p = shape.positions[v];
        if (fabsf(p.x) < 0.3f && p.z > 0.9f) {
            under[count++] = v;
        }
    }
    assert_int_equal(count, 4);
    int first = shape.vertexCount;
    for (int i = 0; i < 4; ++i) {
        tgVec3 p = shape.positions[under[i]];
        tgBindShape_AddVertex(&shape, tgMakeVec3(p.x, 1.12f * p.y, 1.12f * p.z));
    }
    tgBindShape_AddFace(&shape, first, first + 1, first + 2, -1);
    tgBindShape_AddFace(&shape, first + 1, first + 3, first + 2, -1);
    tgBindDef def = tgBindShape_GetDef(&shape);
    for (int method = 0; method < 2; ++method) {
        def.method = method == 0 ? tg_bindGeodesic : tg_bindDistance;
        tgBinding* binding = tgMustBind(&def);
        assert_int_equal(binding->islandCount, 2);
        assert_int_equal(binding->followingIslandCount, 1);
        assert_int_equal(binding->unreachedVertexCount, 0);
        for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 3; ++j) {
                double sums[2] = {0.0, 0.0};
                for (int k = 0; k < 4; ++k) {
                    int at[2] = {4 * under[i] + k, 4 * (first + i) + k};
                    for (int side = 0; side < 2; ++side) {
                        sums[side] += binding->influenceJoints[at[side]] == j
                                          ? (double)binding->influenceWeights[at[side]]
                                          : 0.0;
                    }
                }
                CHECK_NEAR(sums[0], sums[1], 0.02);
            }
        }
        tgDestroyBinding(binding);
    }
    tgFreeBindShape(&shape);
}

/// Vertices at one place have the same weights, whatever faces they belong to.
static void tgTestSeams(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeHairpin(0.3f, 16, 33);
    int count = shape.vertexCount;
    for (int v = 0; v < count; ++v) {
        tgBindShape_AddVertex(&shape, shape.positions[v]);
    }
    for (int i = 0; i < shape.cornerCount; i += 2) {
        shape.corners[i] += count;
    }
    tgBindDef def = tgBindShape_GetDef(&shape);
    tgBinding* binding = tgMustBind(&def);
    assert_int_equal(binding->weldedVertexCount, count);
    size_t half = (size_t)count * (size_t)binding->influencesPerVertex;
    assert_memory_equal(binding->influenceWeights, binding->influenceWeights + half,
                        half * sizeof(float));
    assert_memory_equal(binding->influenceJoints, binding->influenceJoints + half,
                        half * sizeof(int));
    tgDestroyBinding(binding);
    tgFreeBindShape(&shape);
}

static void tgTestJoints(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeCapsule(6.0f, 16, 24);
    tgBindShape_AddJoint(&shape, 2, tgMakeVec3(4.1f, 0.0f, 0.0f));    // a little outside
    tgBindShape_AddJoint(&shape, -1, tgMakeVec3(0.0f, -30.0f, 0.0f)); // on the floor
    shape.parents[0] = 4;
    tgBindDef def = tgBindShape_GetDef(&shape);
    tgBinding* binding = tgMustBind(&def);
    assert_int_equal(binding->joints[1].place, tg_jointInside);
    assert_int_equal(binding->joints[3].place, tg_jointSnapped);
    assert_true(binding->joints[3].snapDistance > 0.0f && binding->joints[3].snapDistance < 0.4f);
    assert_int_equal(binding->joints[4].place, tg_jointOutside);
    assert_int_equal(binding->joints[4].vertexCount, 0);
    int sum = 0;
    for (int j = 0; j < binding->jointCount; ++j) {
        sum += binding->joints[j].vertexCount;
    }
    assert_int_equal(sum, shape.vertexCount);
    tgDestroyBinding(binding);
    tgFreeBindShape(&shape);
}

static void tgTestErrors(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeCapsule(6.0f, 8, 8);
    tgBindDef good = tgBindShape_GetDef(&shape), def = good;
    def.cookie = 0;
    tgMustFail(&def, "tgDefaultBindDef()");
    def = good;
    def.faceCount = 0;
    tgMustFail(&def, "no faces");
    def = good;
    def.positions.count = 2;
    tgMustFail(&def, "2 vertices, wanted 3 or more");
    def = good;
    def.jointPositions.count = 0;
    tgMustFail(&def, "0 joints");
    def = good;
    def.voxels = 7;
    tgMustFail(&def, "voxels is 7, wanted 8 to 512");
    def = good;
    def.influencesPerVertex = 17;
    tgMustFail(&def, "influencesPerVertex is 17, wanted 1 to 16");
    def = good;
    def.falloff = NAN;
    tgMustFail(&def, "falloff is");
    const int parents[3] = {-1, 0, 9};
    def = good;
    def.jointParents = parents;
    tgMustFail(&def, "joint 2 has parent 9");
    for (int j = 0; j < 3; ++j) { // in millimetres
        shape.joints[j] = tgMakeVec3(1000.0f * (float)(j + 1), 500.0f, 0.0f);
        shape.tails[j] = shape.joints[j];
    }
    tgMustFail(&good, "no joint of 3 lies inside the mesh");
    shape.joints[1].y = NAN;
    tgMustFail(&good, "joint 1 is at");
    shape.joints[1].y = 0.0f;
    shape.positions[5].x = INFINITY;
    tgMustFail(&good, "vertex 5 is at");
    shape.positions[5].x = 0.0f;
    shape.corners[3] = 9999;
    tgMustFail(&good, "uses vertex 9999");
    tgFreeBindShape(&shape);
}

static void tgTestEveryAllocationFails(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeCapsule(6.0f, 8, 8);
    tgBindDef def = tgBindShape_GetDef(&shape);
    def.voxels = 16;
    for (int method = 0; method < 2; ++method) {
        def.method = method == 0 ? tg_bindGeodesic : tg_bindDistance;
        int allowed = 0;
        tgBinding* binding = NULL;
        for (; binding == NULL && allowed < 1000; ++allowed) {
            tgError error = {0};
            tg_allocationsLeft = allowed;
            binding = tgCreateBinding(&def, &error);
            tg_allocationsLeft = INT_MAX;
            assert_true(binding != NULL || error.code == tg_outOfMemory);
        }
        assert_non_null(binding);
        assert_true(allowed > 20);
        tgDestroyBinding(binding);
    }
    tgFreeBindShape(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestOpen),        cmocka_unit_test(tgTestInverted),
        cmocka_unit_test(tgTestDoubleSided), cmocka_unit_test(tgTestOddities),
        cmocka_unit_test(tgTestIslands),     cmocka_unit_test(tgTestSeams),
        cmocka_unit_test(tgTestFollowers),   cmocka_unit_test(tgTestJoints),
        cmocka_unit_test(tgTestErrors),      cmocka_unit_test(tgTestEveryAllocationFails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
