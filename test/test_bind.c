// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Automatic weights: the closed form on a tube, arms that nearly touch, a tongue round a bend, the
// same weights at any resolution and on both sides of a symmetric body.

#include "check.h"

#include "bind_shapes.h"
#include "turgor/io.h"
#include "turgor/models.h"

static tgBinding* tgMustBind(const tgBindDef* def)
{
    tgError error = {0};
    tgBinding* binding = tgCreateBinding(def, &error);
    if (binding == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(binding);
    return binding;
}

static double tgGetWeight(const tgBinding* binding, int v, int joint)
{
    double weight = 0.0;
    size_t start = (size_t)v * (size_t)binding->influencesPerVertex;
    for (int k = 0; k < binding->influencesPerVertex; ++k) {
        if (binding->influenceJoints[start + (size_t)k] == joint) {
            weight += (double)binding->influenceWeights[start + (size_t)k];
        }
    }
    return weight;
}

static int tgGetMain(const tgBinding* binding, int v)
{
    return binding->influenceJoints[(size_t)v * (size_t)binding->influencesPerVertex];
}

/// Sums of 1 to 1e-6, all in [0, 1], heaviest first.
static void tgCheckPartition(const tgBinding* binding, const char* name)
{
    for (int v = 0; v < binding->vertexCount; ++v) {
        const float* w =
            binding->influenceWeights + (size_t)v * (size_t)binding->influencesPerVertex;
        double sum = 0.0;
        for (int k = 0; k < binding->influencesPerVertex; ++k) {
            assert_true(w[k] >= 0.0f && w[k] <= 1.0f);
            assert_true(k == 0 || w[k] <= w[k - 1]);
            sum += (double)w[k];
        }
        CHECK_NEAR(sum, 1.0, 1e-6);
    }
    print_message("%s: %d vertices, largest jump along an edge %.3f\n", name, binding->vertexCount,
                  (double)binding->largestJump);
}

static double tgCompareWeights(const tgBinding* a, const tgBinding* b)
{
    double most = 0.0;
    for (int v = 0; v < a->vertexCount; ++v) {
        for (int j = 0; j < a->jointCount; ++j) {
            most = fmax(most, fabs(tgGetWeight(a, v, j) - tgGetWeight(b, v, j)));
        }
    }
    return most;
}

/// Doubling the voxels moves no weight by more than 0.06.
static void tgCheckResolution(const tgBindDef* def, const char* name)
{
    tgBindDef fine = *def;
    fine.voxels = 2 * def->voxels;
    tgBinding* a = tgMustBind(def);
    tgBinding* b = tgMustBind(&fine);
    tgCheckPartition(a, name);
    double moved = tgCompareWeights(a, b);
    print_message("%s: %d to %d voxels moves a weight by at most %.4f\n", name, def->voxels,
                  fine.voxels, moved);
    CHECK_AT_MOST(moved, 0.06);
    tgDestroyBinding(a);
    tgDestroyBinding(b);
}

// On a long tube of radius r with the bone in its axis, w'' = (w - p) / r^2: the weight goes over
// as 1 - exp(-x / r) / 2 on one side of the joint and exp(x / r) / 2 on the other.
static void tgTestClosedForm(void** state)
{
    (void)state;
    tgCylinderDef cylinder = tgDefaultCylinderDef();
    cylinder.aroundCount = 48;
    cylinder.ringCount = 121;
    cylinder.length = 12.0f;
    tgScene* scene = tgCreateCylinder(&cylinder, NULL);
    assert_non_null(scene);
    tgVec3 joints[2], tails[2];
    const int parents[2] = {-1, 0};
    for (int j = 0; j < 2; ++j) {
        joints[j] = scene->joints[j].restJoint.origin;
        tails[j] = tgMakeVec3(12.0f, 0.0f, 0.0f);
    }
    CHECK_NEAR(joints[1].x, 6.0, 1e-5);
    tgBindDef def = tgDefaultBindDef();
    def.positions = (tgVec3View){&scene->positions->x, scene->vertexCount, sizeof(tgVec3)};
    def.faceVertices = scene->faceVertices;
    def.faceSizes = scene->faceSizes;
    def.faceCount = scene->faceCount;
    def.jointPositions = (tgVec3View){&joints->x, 2, sizeof(tgVec3)};
    def.jointParents = parents;
    def.jointTails = tails;
    def.voxels = 64;
    tgBinding* binding = tgMustBind(&def);
    double worst = 0.0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        double x = (double)scene->positions[v].x - 6.0;
        if (fabs(x) < 4.0) { // away from the ends
            double w = x > 0.0 ? 1.0 - 0.5 * exp(-x) : 0.5 * exp(x);
            worst = fmax(worst, fabs(tgGetWeight(binding, v, 1) - w));
        }
    }
    print_message("cylinder: off the closed form by at most %.4f\n", worst);
    CHECK_AT_MOST(worst, 0.03);
    tgDestroyBinding(binding);
    tgCheckResolution(&def, "cylinder");
    tgDestroyScene(scene);
}

static void tgTestCapsule(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeCapsule(6.0f, 24, 48);
    tgBindDef def = tgBindShape_GetDef(&shape);
    def.voxels = 48;
    tgCheckResolution(&def, "capsule");
    def.method = tg_bindDistance;
    tgBinding* binding = tgMustBind(&def);
    tgCheckPartition(binding, "capsule by distance");
    for (int v = 0; v < shape.vertexCount; ++v) {
        float x = shape.positions[v].x;
        if (fabsf(x) > 0.2f && fabsf(fabsf(x) - 3.0f) > 0.2f) {
            assert_int_equal(tgGetMain(binding, v), x < 0.0f ? 0 : x < 3.0f ? 1 : 2);
        }
    }
    tgDestroyBinding(binding);
    tgFreeBindShape(&shape);
}

static float tgMeasureSegment(tgVec3 p, tgVec3 a, tgVec3 b)
{
    tgVec3 along = tgSub(b, a);
    float t = tgDot(tgSub(p, a), along) / tgDot(along, along);
    return tgDistance(p, tgMulAdd(a, fminf(fmaxf(t, 0.0f), 1.0f), along));
}

static void tgTestHairpin(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeHairpin(0.3f, 16, 33);
    tgBindDef def = tgBindShape_GetDef(&shape);
    const int resolutions[] = {24, 48, 96, 192};
    for (int i = 0; i < 4; ++i) {
        def.voxels = resolutions[i];
        tgBinding* binding = tgMustBind(&def);
        double leak = 0.0, euclid = 0.0;
        int wrong = 0;
        for (int v = 0; v < shape.vertexCount; ++v) {
            tgVec3 p = shape.positions[v];
            bool isFirst = p.y > 0.0f;
            double other =
                tgGetWeight(binding, v, isFirst ? 3 : 1) + tgGetWeight(binding, v, isFirst ? 4 : 2);
            if (p.x < 0.0f) {
                leak = fmax(leak, other);
                wrong += other > 0.5;
                double a = (double)tgMeasureSegment(p, shape.joints[1], shape.joints[2]);
                double b = (double)tgMeasureSegment(p, shape.joints[3], shape.joints[4]);
                double ratio = isFirst ? a / b : b / a;
                euclid = fmax(euclid, 1.0 - 1.0 / (1.0 + pow(ratio, 4.0)));
            }
        }
        print_message("hairpin, %d voxels: other arm's weight at most %.4f, %d wrong; as the crow "
                      "flies %.2f\n",
                      def.voxels, leak, wrong, euclid);
        CHECK_AT_MOST(leak, 0.06);
        assert_int_equal(wrong, 0);
        assert_true(euclid > 0.2);
        tgDestroyBinding(binding);
    }
    def.voxels = 48;
    tgCheckResolution(&def, "hairpin");
    tgFreeBindShape(&shape);
}

static void tgTestTongue(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeTongue(0.3f, 16, 33);
    tgBindDef def = tgBindShape_GetDef(&shape);
    const int resolutions[] = {24, 48, 96, 192};
    for (int i = 0; i < 4; ++i) {
        def.voxels = resolutions[i];
        tgBinding* binding = tgMustBind(&def);
        int count = 0, wrong = 0, wrongEuclid = 0;
        for (int v = 0; v < shape.vertexCount; ++v) {
            tgVec3 p = shape.positions[v];
            if (p.y < 0.0f) { // the tongue
                count += 1;
                wrong += tgGetMain(binding, v) != 2;
                float straight = tgDistance(p, shape.joints[2]);
                wrongEuclid += tgMeasureSegment(p, shape.joints[0], shape.joints[1]) < straight;
            }
        }
        print_message("tongue, %d voxels: %d of %d wrong, nearest bone as the crow flies %d\n",
                      def.voxels, wrong, count, wrongEuclid);
        assert_int_equal(wrong, 0);
        assert_true(2 * wrongEuclid > count / 2);
        tgDestroyBinding(binding);
    }
    def.voxels = 48;
    tgCheckResolution(&def, "tongue");
    tgFreeBindShape(&shape);
}

/// The hairpin is its own mirror image in y, its joints 1 and 2 those of 3 and 4.
static void tgTestSymmetry(void** state)
{
    (void)state;
    static const int mirrored[5] = {0, 3, 4, 1, 2};
    tgBindShape shape = tgMakeHairpin(0.3f, 16, 32);
    tgBindDef def = tgBindShape_GetDef(&shape);
    for (int method = 0; method < 2; ++method) {
        def.method = method == 0 ? tg_bindGeodesic : tg_bindDistance;
        tgBinding* binding = tgMustBind(&def);
        double worst = 0.0;
        int pairs = 0;
        for (int a = 0; a < shape.vertexCount; ++a) {
            tgVec3 p = shape.positions[a];
            p.y = -p.y;
            for (int b = 0; b < shape.vertexCount; ++b) {
                if (tgDistance(p, shape.positions[b]) < 1e-4f) {
                    pairs += 1;
                    for (int j = 0; j < 5; ++j) {
                        worst = fmax(worst, fabs(tgGetWeight(binding, a, j) -
                                                 tgGetWeight(binding, b, mirrored[j])));
                    }
                }
            }
        }
        assert_int_equal(pairs, shape.vertexCount);
        print_message("symmetry, method %d: off by at most %.2g\n", method, worst);
        CHECK_AT_MOST(worst, 1e-3);
        tgDestroyBinding(binding);
    }
    tgFreeBindShape(&shape);
}

static void tgTestHand(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("hand", 0, NULL);
    assert_non_null(scene);
    tgBindDef def = tgScene_GetBindDef(scene, scene);
    def.voxels = 96;
    tgCheckResolution(&def, "hand");
    // No finger takes a vertex that another one owns.
    tgBinding* binding = tgMustBind(&def);
    int agreed = 0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        size_t start = (size_t)v * (size_t)scene->influencesPerVertex;
        int best = 0;
        for (int k = 1; k < scene->influencesPerVertex; ++k) {
            best = scene->influenceWeights[start + (size_t)k] >
                           scene->influenceWeights[start + (size_t)best]
                       ? k
                       : best;
        }
        agreed += scene->influenceJoints[start + (size_t)best] == tgGetMain(binding, v);
    }
    print_message("hand: the main joint is the model's for %.1f %% of the vertices\n",
                  100.0 * agreed / scene->vertexCount);
    tgDestroyBinding(binding);
    tgDestroyScene(scene);
}

static void tgTestInfluences(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeHairpin(0.3f, 16, 33);
    tgBindDef def = tgBindShape_GetDef(&shape);
    for (int count = 1; count <= 16; count *= 2) {
        def.influencesPerVertex = count;
        tgBinding* binding = tgMustBind(&def);
        assert_int_equal(binding->influencesPerVertex, count);
        tgCheckPartition(binding, "influences");
        tgDestroyBinding(binding);
    }
    tgFreeBindShape(&shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestClosedForm), cmocka_unit_test(tgTestCapsule),
        cmocka_unit_test(tgTestHairpin),    cmocka_unit_test(tgTestTongue),
        cmocka_unit_test(tgTestSymmetry),   cmocka_unit_test(tgTestHand),
        cmocka_unit_test(tgTestInfluences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
