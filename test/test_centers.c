// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Rotation centres from markers whose true centre is known, because they were made about it.

#include "bind/symmetric.h"
#include "check.h"
#include "turgor/centers.h"

enum { tg_parentCount = 4, tg_childCount = 4, tg_markerCount = 8, tg_frameCount = 300 };

static const int tg_parentMarkers[tg_parentCount] = {0, 1, 2, 3};
static const int tg_childMarkers[tg_childCount] = {4, 5, 6, 7};

/// A thigh on a hip, or a lower leg on a knee: metres.
static const double tg_rest[tg_markerCount][3] = {
    {0.05, 0.10, 0.08},  {-0.06, 0.12, 0.02},  {0.02, 0.16, -0.07},  {0.08, 0.05, -0.03},
    {0.04, -0.10, 0.05}, {-0.05, -0.14, 0.03}, {0.03, -0.20, -0.05}, {-0.02, -0.08, -0.06},
};

/// What a case turns through.
typedef struct tgCapture {
    double range;  ///< radians from end to end
    double noise;  ///< metres, standard deviation of each coordinate
    bool isHinge;  ///< about the x axis only
    double second; ///< of a hinge: amplitude about another axis, radians
    uint64_t seed;
} tgCapture;

static const double tg_center[3] = {0.3, 0.9, -0.2};
static const double tg_degree = 3.14159265358979323846 / 180.0;

static double tgUniform(uint64_t* state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static double tgNormal(uint64_t* state)
{
    double u = fmax(tgUniform(state), 1e-300), v = tgUniform(state);
    return sqrt(-2.0 * log(u)) * cos(2.0 * 3.14159265358979323846 * v);
}

static void tgTurn(const double axis[3], double angle, double p[3])
{
    double c = cos(angle), s = sin(angle);
    double dot = axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
    double cross[3] = {axis[1] * p[2] - axis[2] * p[1], axis[2] * p[0] - axis[0] * p[2],
                       axis[0] * p[1] - axis[1] * p[0]};
    for (int i = 0; i < 3; ++i) {
        p[i] = c * p[i] + s * cross[i] + (1.0 - c) * dot * axis[i];
    }
}

/// The joint's own turning in a frame.
static void tgTurnJoint(const tgCapture* capture, int frame, double p[3])
{
    const double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
    double t = 2.0 * 3.14159265358979323846 * frame / tg_frameCount;
    double half = 0.5 * capture->range;
    if (capture->isHinge) {
        tgTurn(z, capture->second * sin(7.0 * t), p);
        tgTurn(x, half * sin(t), p);
    } else { // a star of swings, and some twist
        tgTurn(y, 0.5 * half * sin(5.0 * t), p);
        const double swing[3] = {cos(t), 0.0, sin(t)};
        tgTurn(swing, half * sin(11.0 * t), p);
    }
}

/// Frames of markers; in frame 0 everything stands as at rest, moved to the centre.
static void tgMakeCapture(const tgCapture* capture, tgVec3* positions)
{
    uint64_t state = 77 + 1000 * capture->seed;
    const double tilt[3] = {0.6, 0.8, 0.0};
    for (int f = 0; f < tg_frameCount; ++f) {
        double t = 2.0 * 3.14159265358979323846 * f / tg_frameCount;
        for (int m = 0; m < tg_markerCount; ++m) {
            double p[3] = {tg_rest[m][0], tg_rest[m][1], tg_rest[m][2]};
            if (m >= tg_parentCount) {
                tgTurnJoint(capture, f, p);
            }
            tgTurn(tilt, 0.5 * sin(2.0 * t), p); // the whole body walks about
            p[0] += tg_center[0] + 0.2 * sin(t);
            p[1] += tg_center[1] + 0.05 * sin(3.0 * t);
            p[2] += tg_center[2] + 0.3 * sin(2.0 * t);
            // The parent in frame 0 is exact: it is what the truth is told in.
            for (int i = 0; i < 3 && (f > 0 || m >= tg_parentCount); ++i) {
                p[i] += capture->noise * tgNormal(&state);
            }
            positions[f * tg_markerCount + m] = tgMakeVec3((float)p[0], (float)p[1], (float)p[2]);
        }
    }
}

static tgCenterDef tgMakeCenterDef(const tgVec3* positions)
{
    tgCenterDef def = tgDefaultCenterDef();
    def.markers = (tgMarkerView){positions, tg_markerCount, tg_frameCount};
    def.parentMarkers = tg_parentMarkers;
    def.parentMarkerCount = tg_parentCount;
    def.childMarkers = tg_childMarkers;
    def.childMarkerCount = tg_childCount;
    return def;
}

static double tgMeasureMiss(tgVec3 found)
{
    double x = (double)found.x - tg_center[0], y = (double)found.y - tg_center[1],
           z = (double)found.z - tg_center[2];
    return sqrt(x * x + y * y + z * z);
}

static tgVec3 tg_positions[tg_frameCount * tg_markerCount];

static tgCenter tgFind(const tgCapture* capture)
{
    tgMakeCapture(capture, tg_positions);
    tgCenterDef def = tgMakeCenterDef(tg_positions);
    tgCenter center;
    tgError error = {0};
    if (tgFindCenter(&def, &center, &error) != tg_success) {
        print_error("%s\n", error.message);
        fail();
    }
    return center;
}

static tgVec3 tgGetBest(const tgCenter* center)
{
    return center->best == tg_centerTwoSided ? center->twoSided.position : center->fit.position;
}

/// Root mean square over 20 seeds, in metres.
static void tgMeasureSeeds(double range, double rms[4])
{
    enum { seeds = 20 };
    for (int k = 0; k < 4; ++k) {
        rms[k] = 0.0;
    }
    for (int seed = 0; seed < seeds; ++seed) {
        tgCapture capture = {.range = range, .noise = 0.001, .seed = (uint64_t)seed};
        tgCenter center = tgFind(&capture);
        assert_int_equal(center.kind, tg_jointBall);
        const tgVec3 found[4] = {center.fit.position, center.annealed.position,
                                 center.twoSided.position, tgGetBest(&center)};
        for (int k = 0; k < 4; ++k) {
            double miss = tgMeasureMiss(found[k]);
            rms[k] += miss * miss / seeds;
        }
    }
    for (int k = 0; k < 4; ++k) {
        rms[k] = sqrt(rms[k]);
    }
    print_message(
        "%3.0f degrees, 1 mm noise: fit %.3f mm, annealed %.3f mm, two-sided %.3f mm, best %.3f "
        "mm\n",
        range / tg_degree, 1e3 * rms[0], 1e3 * rms[1], 1e3 * rms[2], 1e3 * rms[3]);
}

static void tgTestBallWide(void** state)
{
    (void)state;
    double rms[4];
    tgMeasureSeeds(90.0 * tg_degree, rms);
    CHECK_AT_MOST(rms[0], 0.6e-3);
    CHECK_AT_MOST(rms[1], 0.6e-3);
    CHECK_AT_MOST(rms[3], 0.6e-3);
}

static void tgTestBallNarrow(void** state)
{
    (void)state;
    double rms[4];
    tgMeasureSeeds(20.0 * tg_degree, rms);
    CHECK_AT_MOST(rms[0], 2.5e-3);
    CHECK_AT_MOST(rms[1], 2.5e-3);
    CHECK_AT_MOST(rms[3], 2.5e-3);
}

/// Without noise all three are exact, to the rounding of the markers to float.
static void tgTestExact(void** state)
{
    (void)state;
    tgCapture capture = {.range = 60.0 * tg_degree};
    tgCenter center = tgFind(&capture);
    assert_int_equal(center.kind, tg_jointBall);
    CHECK_NEAR(tgMeasureMiss(center.fit.position), 0.0, 1e-6);
    CHECK_NEAR(tgMeasureMiss(center.annealed.position), 0.0, 1e-5);
    CHECK_NEAR(tgMeasureMiss(center.twoSided.position), 0.0, 1e-6);
    CHECK_AT_MOST(center.agreement, 1e-5);
    CHECK_AT_MOST(center.fit.residual, 1e-6);
    CHECK_AT_MOST(center.standardError, 1e-6);
    assert_int_equal(center.frameCount, tg_frameCount);
}

static void tgTestReproducible(void** state)
{
    (void)state;
    tgCapture capture = {.range = 40.0 * tg_degree, .noise = 0.001};
    tgMakeCapture(&capture, tg_positions);
    tgCenterDef def = tgMakeCenterDef(tg_positions);
    tgCenter first, again, other;
    assert_int_equal(tgFindCenter(&def, &first, NULL), tg_success);
    assert_int_equal(tgFindCenter(&def, &again, NULL), tg_success);
    assert_memory_equal(&first.annealed.position, &again.annealed.position, sizeof(tgVec3));
    def.seed = 12345;
    assert_int_equal(tgFindCenter(&def, &other, NULL), tg_success);
    assert_memory_not_equal(&first.annealed.position, &other.annealed.position, sizeof(tgVec3));
    CHECK_NEAR(tgDistance(first.annealed.position, other.annealed.position), 0.0, 2e-5);
}

/// Distance from the true axis, which is x through the centre in frame 0.
static double tgMeasureAxisMiss(tgVec3 found)
{
    double y = (double)found.y - tg_center[1], z = (double)found.z - tg_center[2];
    return sqrt(y * y + z * z);
}

static void tgTestHinge(void** state)
{
    (void)state;
    // A knee wobbles by a few degrees; it is a hinge all the same.
    const double seconds[3] = {0.0, 2.0 * tg_degree, 3.0 * tg_degree};
    for (int i = 0; i < 3; ++i) {
        tgCapture capture = {80.0 * tg_degree, 0.001, true, seconds[i], (uint64_t)i};
        tgMakeCapture(&capture, tg_positions);
        tgCenterDef def = tgMakeCenterDef(tg_positions);
        def.hasPrior = true;
        def.prior = tgMakeVec3(0.32f, 0.93f, -0.22f);
        tgCenter center;
        assert_int_equal(tgFindCenter(&def, &center, NULL), tg_success);
        assert_int_equal(center.kind, tg_jointHinge);
        CHECK_NEAR(fabsf(center.axis.x), 1.0, 2e-3);
        CHECK_AT_MOST(tgMeasureAxisMiss(center.fit.position), 1.5e-3);
        CHECK_AT_MOST(tgMeasureAxisMiss(center.annealed.position), 1.5e-3);
        CHECK_AT_MOST(tgMeasureAxisMiss(center.twoSided.position), 1.5e-3);
        // Nearest to the prior: as far along the axis as it.
        CHECK_NEAR(center.fit.position.x, 0.32, 2e-3);
        CHECK_NEAR(center.range / tg_degree, 80.0, 4.0 + 2.0 * seconds[i] / tg_degree);
    }
}

/// The same hinge taken for a ball joint on demand, and the ball joint for a hinge.
static void tgTestKindOnDemand(void** state)
{
    (void)state;
    tgCapture capture = {80.0 * tg_degree, 0.0, true, 0.2 * tg_degree, 1};
    tgMakeCapture(&capture, tg_positions);
    tgCenterDef def = tgMakeCenterDef(tg_positions);
    def.kind = tg_jointBall;
    tgCenter center;
    assert_int_equal(tgFindCenter(&def, &center, NULL), tg_success);
    assert_int_equal(center.kind, tg_jointBall);
    CHECK_NEAR(tgMeasureMiss(center.fit.position), 0.0, 1e-4);
    def.kind = tg_jointHinge;
    assert_int_equal(tgFindCenter(&def, &center, NULL), tg_success);
    assert_int_equal(center.kind, tg_jointHinge);
    CHECK_NEAR(tgMeasureAxisMiss(center.fit.position), 0.0, 1e-3);
}

/// One marker on the child: its sphere, or its circle, is all there is.
static void tgTestOneMarker(void** state)
{
    (void)state;
    for (int isHinge = 0; isHinge < 2; ++isHinge) {
        tgCapture capture = {90.0 * tg_degree, 0.001, isHinge == 1, 0.0, 3};
        tgMakeCapture(&capture, tg_positions);
        tgCenterDef def = tgMakeCenterDef(tg_positions);
        def.childMarkerCount = 1;
        tgCenter center;
        assert_int_equal(tgFindCenter(&def, &center, NULL), tg_success);
        assert_int_equal(center.kind, isHinge ? tg_jointHinge : tg_jointBall);
        assert_false(center.twoSided.found);
        assert_int_equal(center.best, tg_centerFit);
        double miss =
            isHinge ? tgMeasureAxisMiss(center.fit.position) : tgMeasureMiss(center.fit.position);
        CHECK_AT_MOST(miss, 2e-3);
    }
}

/// Which of the segments is crowded decides: a small parent wants the two-sided fit, a small child
/// the sphere fit. Small means markers a few millimetres apart, a hand's breadth from the joint.
static void tgTestCrowded(void** state)
{
    (void)state;
    for (int isChild = 0; isChild < 2; ++isChild) {
        double squares[2] = {0.0, 0.0};
        for (int seed = 0; seed < 10; ++seed) {
            tgCapture capture = {.range = 80.0 * tg_degree, .seed = (uint64_t)seed};
            tgMakeCapture(&capture, tg_positions);
            uint64_t random = 50 + (uint64_t)seed;
            int first = isChild ? tg_parentCount : 0;
            for (int f = 0; f < tg_frameCount; ++f) {
                tgVec3* frame = tg_positions + f * tg_markerCount;
                for (int m = 1; m < 4; ++m) { // a tenth as far apart
                    frame[first + m] = tgLerp(frame[first], frame[first + m], 0.1f);
                }
                for (int m = 0; m < tg_markerCount && (f > 0 || isChild); ++m) {
                    frame[m].x += 0.0005f * (float)tgNormal(&random);
                    frame[m].y += 0.0005f * (float)tgNormal(&random);
                    frame[m].z += 0.0005f * (float)tgNormal(&random);
                }
            }
            tgCenterDef def = tgMakeCenterDef(tg_positions);
            tgCenter center;
            assert_int_equal(tgFindCenter(&def, &center, NULL), tg_success);
            assert_int_equal(center.best, isChild ? tg_centerFit : tg_centerTwoSided);
            const tgVec3 found[2] = {center.fit.position, center.twoSided.position};
            for (int k = 0; k < 2; ++k) {
                squares[k] += tgMeasureMiss(found[k]) * tgMeasureMiss(found[k]) / 10.0;
            }
        }
        print_message("crowded %s: fit %.2f mm, two-sided %.2f mm\n", isChild ? "child" : "parent",
                      1e3 * sqrt(squares[0]), 1e3 * sqrt(squares[1]));
    }
}

static void tgTestGaps(void** state)
{
    (void)state;
    tgCapture capture = {.range = 90.0 * tg_degree, .noise = 0.001, .seed = 5};
    tgMakeCapture(&capture, tg_positions);
    uint64_t random = 9;
    const tgVec3 none = {NAN, NAN, NAN};
    for (int i = tg_markerCount; i < tg_frameCount * tg_markerCount; ++i) {
        bool hidden = i % tg_markerCount == 5 && i < 150 * tg_markerCount; // a long while
        tg_positions[i] = hidden || tgUniform(&random) < 0.25 ? none : tg_positions[i];
    }
    tg_positions[3] = none; // in the reference frame too
    tgCenterDef def = tgMakeCenterDef(tg_positions);
    tgCenter center;
    assert_int_equal(tgFindCenter(&def, &center, NULL), tg_success);
    assert_int_equal(center.kind, tg_jointBall);
    CHECK_AT_MOST(tgMeasureMiss(center.fit.position), 1.2e-3);
    CHECK_AT_MOST(tgMeasureMiss(center.annealed.position), 1.2e-3);
    assert_in_range(center.frameCount, tg_frameCount / 2, tg_frameCount - 1);
}

static void tgTestTrack(void** state)
{
    (void)state;
    tgCapture capture = {.range = 70.0 * tg_degree};
    tgMakeCapture(&capture, tg_positions);
    for (int m = 1; m < tg_parentCount; ++m) {
        tg_positions[40 * tg_markerCount + m].y = NAN;
    }
    tgMat34* motions = test_calloc(tg_frameCount, sizeof(tgMat34));
    tgMarkerView view = {tg_positions, tg_markerCount, tg_frameCount};
    assert_int_equal(tgTrackSegment(view, tg_parentMarkers, 4, 0, motions, NULL), tg_success);
    for (int f = 0; f < tg_frameCount; ++f) {
        if (f == 40) {
            assert_true(isnan(motions[f].x.x) && isnan(motions[f].origin.z));
            continue;
        }
        for (int m = 0; m < tg_parentCount; ++m) {
            tgVec3 moved = tgMulMatPoint(&motions[f], tg_positions[m]);
            CHECK_NEAR(tgDistance(moved, tg_positions[f * tg_markerCount + m]), 0.0, 1e-6);
        }
    }
    test_free(motions);
}

static void tgExpectFailure(const tgCenterDef* def, const char* words)
{
    tgCenter center;
    tgError error = {0};
    assert_int_not_equal(tgFindCenter(def, &center, &error), tg_success);
    CHECK_CONTAINS(error.message, words);
}

static void tgTestBadInput(void** state)
{
    (void)state;
    tgCapture still = {.range = 0.0, .noise = 0.001};
    tgMakeCapture(&still, tg_positions);
    tgCenterDef def = tgMakeCenterDef(tg_positions);
    tgExpectFailure(&def, "turns too little");
    tgCapture slight = {.range = 1.0 * tg_degree, .noise = 0.001};
    tgMakeCapture(&slight, tg_positions);
    tgExpectFailure(&def, "turns too little");
    def.childMarkerCount = 1;
    tgExpectFailure(&def, "turns too little");

    tgCapture capture = {.range = 60.0 * tg_degree};
    tgMakeCapture(&capture, tg_positions);
    def = tgMakeCenterDef(tg_positions);
    def.parentMarkerCount = 2;
    tgExpectFailure(&def, "the parent has 2 markers, wanted 3 or more");
    def = tgMakeCenterDef(tg_positions);
    def.referenceFrame = tg_frameCount;
    tgExpectFailure(&def, "reference frame is 300");
    def = tgMakeCenterDef(tg_positions);
    def.childMarkers = (const int[]){4, 5, 8, 6};
    tgExpectFailure(&def, "the child uses marker 8, there are 8");
    def = tgMakeCenterDef(tg_positions);
    def.cookie = 0;
    tgExpectFailure(&def, "tgDefaultCenterDef");
    def = tgMakeCenterDef(tg_positions);
    def.restarts = 0;
    tgExpectFailure(&def, "restarts");
    def = tgMakeCenterDef(tg_positions);
    def.markers.frameCount = 3;
    tgExpectFailure(&def, "no marker of the child");
    tg_positions[1].x = tg_positions[2].x = NAN;
    def = tgMakeCenterDef(tg_positions);
    tgExpectFailure(&def, "2 of its 4 markers are seen in frame 0");
    for (int f = 0; f < tg_frameCount; ++f) {
        for (int m = 0; m < tg_parentCount; ++m) {
            tg_positions[f * tg_markerCount + m] = tgMakeVec3((float)m, 2.0f * (float)m, 1.0f);
        }
    }
    tgExpectFailure(&def, "in a row");
}

/// Against a matrix built from known eigenvalues and vectors.
static void tgTestEigen(void** state)
{
    (void)state;
    const double values[3] = {7.0, 2.0, -0.5};
    const double vectors[3][3] = {
        {0.6, 0.8, 0.0}, {-0.8 * 0.6, 0.6 * 0.6, 0.8}, {0.8 * 0.8, -0.6 * 0.8, 0.6}};
    double matrix[9] = {0.0};
    for (int i = 0; i < 3; ++i) {
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                matrix[3 * r + c] += values[i] * vectors[i][r] * vectors[i][c];
            }
        }
    }
    tgEigen eigen = tgFindEigen(3, matrix);
    for (int i = 0; i < 3; ++i) {
        double along = 0.0;
        for (int k = 0; k < 3; ++k) {
            along += eigen.vectors[i][k] * vectors[i][k];
        }
        CHECK_NEAR(eigen.values[i], values[i], 1e-14);
        CHECK_NEAR(fabs(along), 1.0, 1e-14);
    }
    const double b[3] = {7.0 * 0.6, 7.0 * 0.8, 0.0};
    double x[3];
    tgEigen_Solve(&eigen, 2, b, x);
    CHECK_NEAR(x[0], 0.6, 1e-14);
    CHECK_NEAR(x[1], 0.8, 1e-14);
    CHECK_NEAR(x[2], 0.0, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestEigen),        cmocka_unit_test(tgTestExact),
        cmocka_unit_test(tgTestReproducible), cmocka_unit_test(tgTestHinge),
        cmocka_unit_test(tgTestKindOnDemand), cmocka_unit_test(tgTestOneMarker),
        cmocka_unit_test(tgTestCrowded),      cmocka_unit_test(tgTestGaps),
        cmocka_unit_test(tgTestTrack),        cmocka_unit_test(tgTestBadInput),
        cmocka_unit_test(tgTestBallWide),     cmocka_unit_test(tgTestBallNarrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
