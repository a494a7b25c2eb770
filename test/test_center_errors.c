// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The error that is told with a rotation centre against the true one, over many shots whose noise
// is new in each: of ball joints that turn far and less far, and of the embedded forefinger.

#include "check.h"
#include "turgor/centers.h"
#include "turgor/markers.h"
#include "turgor/models.h"
#include "turgor/scene.h"

enum { tg_seeds = 50, tg_mostSamples = 3 * tg_seeds };

/// Told and true errors of one kind of joint.
typedef struct tgErrors {
    int count, within; ///< of them, those where the true one is at most twice the told one
    double ratios[tg_mostSamples];
    double told, truth; ///< squares
} tgErrors;

static void tgErrors_Add(tgErrors* errors, double told, double truth)
{
    errors->within += truth <= 2.0 * told;
    errors->ratios[errors->count++] = told / truth;
    errors->told += told * told;
    errors->truth += truth * truth;
}

static int tgCompareDoubles(const void* a, const void* b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void tgErrors_Check(tgErrors* errors, const char* name)
{
    qsort(errors->ratios, (size_t)errors->count, sizeof(double), tgCompareDoubles);
    double median = errors->ratios[errors->count / 2];
    print_message("%s: %d joints, %.2f mm told and %.2f mm true (root mean square), within twice "
                  "the told %d %%, told over true %.2f (median)\n",
                  name, errors->count, 1e3 * sqrt(errors->told / errors->count),
                  1e3 * sqrt(errors->truth / errors->count), 100 * errors->within / errors->count,
                  median);
    assert_true(10 * errors->within >= 9 * errors->count);
    CHECK_AT_MOST(median, 3.0);
}

/// Nothing but the error is asked here.
static tgCenterDef tgMakeDef(tgMarkerView markers, const int* parent, const int* child, int count)
{
    tgCenterDef def = tgDefaultCenterDef();
    def.markers = markers;
    def.parentMarkers = parent;
    def.childMarkers = child;
    def.parentMarkerCount = def.childMarkerCount = count;
    def.restarts = def.steps = 1;
    return def;
}

static tgCenter tgFind(const tgCenterDef* def)
{
    tgCenter center;
    tgError error = {0};
    if (tgFindCenter(def, &center, &error) != tg_success) {
        print_error("%s\n", error.message);
        fail();
    }
    return center;
}

static tgVec3 tgGetBest(const tgCenter* center)
{
    return center->best == tg_centerTwoSided ? center->twoSided.position : center->fit.position;
}

// ---- a thigh on a hip ---------------------------------------------------------------------------

enum { tg_markersPerSegment = 4, tg_markerCount = 8, tg_frameCount = 100 };
static const double tg_twoPi = 6.283185307179586;

static double tgUniform(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static double tgNormal(uint64_t* state)
{
    double u = fmax(tgUniform(state), 1e-300);
    return sqrt(-2.0 * log(u)) * cos(tg_twoPi * tgUniform(state));
}

static tgVec3 tgTurn(tgVec3 axis, double angle, tgVec3 p)
{
    float c = (float)cos(angle), s = (float)sin(angle);
    tgVec3 turned = tgMulAdd(tgMulSV(c, p), s, tgCross(axis, p));
    return tgMulAdd(turned, (1.0f - c) * tgDot(axis, p), axis);
}

/// The joint is at the origin in frame 0; every marker of every frame is noisy.
static void tgMakeShot(double range, double noise, uint64_t seed, tgVec3* positions)
{
    static const tgVec3 rest[tg_markerCount] = {
        {0.05f, 0.10f, 0.08f},   {-0.06f, 0.12f, 0.02f},   {0.02f, 0.16f, -0.07f},
        {0.08f, 0.05f, -0.03f},  {0.04f, -0.10f, 0.05f},   {-0.05f, -0.14f, 0.03f},
        {0.03f, -0.20f, -0.05f}, {-0.02f, -0.08f, -0.06f},
    };
    uint64_t state = 77 + 1000 * seed;
    for (int f = 0; f < tg_frameCount; ++f) {
        double t = tg_twoPi * f / tg_frameCount;
        for (int m = 0; m < tg_markerCount; ++m) {
            tgVec3 p = rest[m];
            if (m >= tg_markersPerSegment) { // a star of swings, and some twist
                p = tgTurn(tgMakeVec3(0.0f, 1.0f, 0.0f), 0.25 * range * sin(5.0 * t), p);
                p = tgTurn(tgMakeVec3((float)cos(t), 0.0f, (float)sin(t)),
                           0.5 * range * sin(11.0 * t), p);
            }
            p = tgTurn(tgMakeVec3(0.6f, 0.8f, 0.0f), 0.5 * sin(2.0 * t), p);
            p = tgAdd(p, tgMakeVec3((float)(0.2 * sin(t)), (float)(0.05 * sin(3.0 * t)), 0.0f));
            float x = (float)(noise * tgNormal(&state)), y = (float)(noise * tgNormal(&state));
            positions[f * tg_markerCount + m] =
                tgAdd(p, tgMakeVec3(x, y, (float)(noise * tgNormal(&state))));
        }
    }
}

static void tgTestBall(void** state)
{
    (void)state;
    static tgVec3 positions[tg_frameCount * tg_markerCount];
    static const int markers[tg_markerCount] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int degrees[3] = {20, 45, 90};
    for (int i = 0; i < 3; ++i) {
        tgErrors errors = {0};
        for (uint64_t seed = 0; seed < tg_seeds; ++seed) {
            tgMakeShot(degrees[i] * tg_twoPi / 360.0, 0.001, seed, positions);
            tgMarkerView view = {positions, tg_markerCount, tg_frameCount};
            tgCenterDef def =
                tgMakeDef(view, markers, markers + tg_markersPerSegment, tg_markersPerSegment);
            def.kind = tg_jointBall;
            tgCenter center = tgFind(&def);
            tgErrors_Add(&errors, center.standardError, (double)tgLength(tgGetBest(&center)));
        }
        char name[32];
        snprintf(name, sizeof(name), "ball joint, %d degrees", degrees[i]);
        tgErrors_Check(&errors, name);
    }
}

// ---- the forefinger -----------------------------------------------------------------------------

static void tgTestForefinger(void** state)
{
    (void)state;
    static const char* const joints[3] = {"index_proximal", "index_middle", "index_distal"};
    tgScene* hand = tgCreateModel("hand", 2000, NULL);
    assert_non_null(hand);
    tgErrors errors[2] = {{0}, {0}}; // with 3 markers a segment and with 4
    for (int seed = 1; seed <= tg_seeds; ++seed) {
        tgModelMarkersDef markersDef = tgDefaultModelMarkersDef();
        markersDef.seed = seed;
        markersDef.frameCount = 200;
        assert_int_equal(tgSaveModelMarkers(&markersDef, "center_errors.trc", NULL), tg_success);
        tgMarkers* markers = tgLoadMarkers("center_errors.trc", NULL);
        assert_non_null(markers);
        for (int j = 0; j < 3; ++j) {
            int list[8];
            for (int k = 0; k < 8; ++k) {
                list[k] = 4 * j + k;
            }
            int few = seed % 2;
            tgCenterDef def = tgMakeDef(tgMarkers_GetView(markers), list, list + 4, 4 - few);
            tgCenter center = tgFind(&def);
            tgVec3 truth = hand->joints[tgScene_FindJoint(hand, joints[j])].restJoint.origin;
            tgErrors_Add(&errors[few], center.standardError,
                         (double)tgDistance(tgGetBest(&center), truth));
        }
        tgDestroyMarkers(markers);
    }
    remove("center_errors.trc");
    tgErrors_Check(&errors[0], "forefinger, 4 markers a segment");
    tgErrors_Check(&errors[1], "forefinger, 3 markers a segment");
    tgDestroyScene(hand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestBall),
        cmocka_unit_test(tgTestForefinger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
