// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The flesh stage: its motion against the equation integrated another way, at many frame rates; and
// what stays as it was.
// Past 500 lines because its bodies and oracles serve all cases.

#include "flesh_stage.h"

static const double tg_twoPi = 6.283185307179586;

// ---- motion -------------------------------------------------------------------------------------

/// The path of the anchor: corners 24 times a second, straight in between.
static double tgGetCorner(int i)
{
    return i < 24 ? 0.1 * sin(0.9 * i) * (i > 4 ? 1.0 : i / 4.0) + 0.02 * i : 0.48;
}

static double tgGetPath(double t)
{
    double x = 24.0 * t;
    int i = (int)floor(x + 1e-9);
    return tgGetCorner(i) + (x - i) * (tgGetCorner(i + 1) - tgGetCorner(i));
}

/// The displacement after t seconds, by tiny steps of Runge and Kutta; the flesh starts at rest and
/// as fast as its anchor.
static double tgIntegrate(double omega, double beta, double t)
{
    int perCorner = 4000, corners = (int)floor(24.0 * t + 0.5);
    double h = 1.0 / (24.0 * perCorner), u = 0.0, v = 0.0; // u = x - a, v = u'
    for (int i = 0; i < corners; ++i) {
        if (i > 0) { // the anchor's speed changes at a corner, that of the flesh does not
            v -= 24.0 * (tgGetCorner(i + 1) - 2.0 * tgGetCorner(i) + tgGetCorner(i - 1));
        }
        for (int n = 0; n < perCorner; ++n) {
            double ku[4], kv[4], su = u, sv = v;
            for (int s = 0; s < 4; ++s) {
                ku[s] = sv;
                kv[s] = -omega * omega * su - 2.0 * beta * sv;
                double part = s < 2 ? 0.5 * h : h;
                su = u + part * ku[s];
                sv = v + part * kv[s];
            }
            u += h / 6.0 * (ku[0] + 2.0 * ku[1] + 2.0 * ku[2] + ku[3]);
            v += h / 6.0 * (kv[0] + 2.0 * kv[1] + 2.0 * kv[2] + kv[3]);
        }
    }
    return u;
}

/// Plays the path at so many frames for each corner, evenly or not; displacements at the corners.
static void tgPlayPath(tgFleshStage* stage, int perCorner, bool uneven, int corners, double* out)
{
    double last = 0.0;
    tgInstance_Reset(stage->instance);
    tgPlayMoved(stage, tgMakeVec3(0.0f, (float)tgGetPath(0.0), 0.0f), 0.0, 0.0);
    out[0] = (double)tgGetDisplacement(stage).y;
    for (int i = 0; i < corners * perCorner; ++i) {
        double part = (double)(i % perCorner + 1) / perCorner;
        part = uneven && part < 1.0 ? part * part * part : part;
        double t = (i / perCorner + part) / 24.0;
        tgPlayMoved(stage, tgMakeVec3(0.0f, (float)tgGetPath(t), 0.0f), t, t - last);
        last = t;
        if ((i + 1) % perCorner == 0) {
            out[(i + 1) / perCorner] = (double)tgGetDisplacement(stage).y;
        }
    }
}

static void TestMotion(void** state)
{
    (void)state;
    enum { corners = 48 };
    static const double ratios[] = {0.0, 0.15, 1.0, 5.0};
    for (int r = 0; r < 4; ++r) {
        tgFleshElement element = tgMakeTubeElement();
        element.springs[0].dampingRatio = (float)ratios[r];
        tgFleshStage stage;
        tgOpenFleshStage(&stage, &element);
        double omega = tg_twoPi * 3.0, truth[corners + 1], amplitude = 0.0, worst = 0.0;
        for (int i = 0; i <= corners; ++i) {
            truth[i] =
                tgIntegrate(omega, (double)element.springs[0].dampingRatio * omega, i / 24.0);
            amplitude = fmax(amplitude, fabs(truth[i]));
        }
        static const int rates[] = {1, 2, 5, 10, 3, 7}; // 24, 48, 120, 240 fps; 3 and 7 uneven
        for (int k = 0; k < 6; ++k) {
            double played[corners + 1];
            tgPlayPath(&stage, rates[k], k >= 4, corners, played);
            for (int i = 0; i <= corners; ++i) {
                worst = fmax(worst, fabs(played[i] - truth[i]) / amplitude);
            }
        }
        assert_true(amplitude > 0.01 && amplitude < 0.9); // seen, and short of the limit
        CHECK_AT_MOST(worst, 1e-5);
        tgCloseFleshStage(&stage);
    }
}

/// Let go, the flesh swings with its own period and decay, at any frame rate.
static void TestPeriod(void** state)
{
    (void)state;
    static const double rates[] = {24.0, 30.0, 60.0, 240.0};
    double ratio = 0.15, omega = tg_twoPi * 3.0, beta = ratio * omega;
    double w = sqrt(omega * omega - beta * beta);
    for (int k = 0; k < 5; ++k) { // the last one with uneven steps
        tgFleshElement element = tgMakeTubeElement();
        element.springs[0].dampingRatio = (float)ratio;
        element.resetDistance = 0.0f;
        tgFleshStage stage;
        tgOpenFleshStage(&stage, &element);
        double t = 0.0, last = 0.0, start = 0.0, u0 = 0.0, v0 = 0.0, worst = 0.0, most = 0.0;
        for (int i = 0; t < 2.0; ++i) {
            // Still, then moved, then still: from there on it swings freely.
            tgVec3 at = tgMakeVec3(0.0f, i < 2 ? 0.0f : i == 2 ? 0.1f : 0.25f, 0.0f);
            tgPlayMoved(&stage, at, t, t - last);
            tgFleshMotion motion = tgInstance_GetFleshMotion(stage.instance, 0);
            if (i == 4) {
                start = t;
                u0 = (double)motion.displacement.y;
                v0 = (double)motion.velocity.y;
            } else if (i > 4) {
                double h = t - start;
                double free =
                    exp(-beta * h) * (u0 * cos(w * h) + (v0 + beta * u0) / w * sin(w * h));
                worst = fmax(worst, fabs((double)motion.displacement.y - free));
                most = fmax(most, fabs(free));
            }
            last = t;
            t += k < 4 ? 1.0 / rates[k] : 0.01 + 0.03 * fabs(sin(3.0 * i));
        }
        assert_true(most > 0.05);
        CHECK_AT_MOST(worst / most, 1e-5);
        tgCloseFleshStage(&stage);
    }
}

static void TestSag(void** state)
{
    (void)state;
    tgFleshElement element = tgMakeTubeElement();
    element.gravity = tgMakeVec3(0.0f, -9.81f, 0.0f);
    element.mass = 2.0f;
    element.springs[0].stiffness = 400.0f;
    element.springs[0].dampingRatio = 1.0f;
    element.flow = 1.0f;
    tgFleshStage stage;
    tgOpenFleshStage(&stage, &element);
    double sag = -2.0 * (double)9.81f / 400.0; // m g / k
    // At rest from the first frame on, also after a bump.
    for (int i = 0; i < 1000; ++i) {
        float bump = i == 5 ? 0.3f : 0.0f;
        tgPlayMoved(&stage, tgMakeVec3(bump, bump, 0.0f), i / 30.0, 0.0);
        if (i == 0 || i == 999) {
            CHECK_NEAR(tgGetDisplacement(&stage).y, sag, 1e-5 * fabs(sag));
            CHECK_NEAR(tgGetDisplacement(&stage).x, 0.0, 1e-9);
        }
    }
    double lowest = 0.0;
    for (int v = 0; v < stage.count; ++v) {
        lowest = fmin(lowest, (double)(stage.positions[v].y - stage.shape.positions[v].y));
    }
    CHECK_NEAR(lowest, sag, 1e-5 * fabs(sag)); // of the vertices whose weight is 1
    tgCloseFleshStage(&stage);
}

static void TestLimit(void** state)
{
    (void)state;
    enum { corners = 48 };
    for (int stops = 0; stops < 2; ++stops) {
        tgFleshElement element = tgMakeTubeElement();
        element.springs[0].dampingRatio = 0.15f;
        element.elongation = 0.03f;
        element.stopAtLimit = stops;
        tgFleshStage stage;
        tgOpenFleshStage(&stage, &element);
        double limit = (double)tgRig_GetFleshInfo(stage.rig, 0).limit;
        CHECK_NEAR(limit, 0.03, 1e-6); // the radius is 1
        double fine[corners + 1], played[corners + 1], worst = 0.0, most = 0.0;
        tgPlayPath(&stage, 10, false, corners, fine);
        static const int rates[] = {1, 2, 5, 3, 7};
        for (int k = 0; k < 5; ++k) {
            tgPlayPath(&stage, rates[k], k >= 3, corners, played);
            for (int i = 0; i <= corners; ++i) {
                worst = fmax(worst, fabs(played[i] - fine[i]));
                most = fmax(most, fabs(played[i]));
            }
        }
        assert_true(most > 0.9 * limit && most < 1.000001 * limit); // met, and kept
        CHECK_AT_MOST(worst / limit, 0.03);
        tgCloseFleshStage(&stage);
    }
}

static void TestStiff(void** state)
{
    (void)state;
    static const float ratios[] = {0.0f, 0.2f, 1.0f, 5.0f};
    for (int r = 0; r < 4; ++r) {
        tgFleshElement element = tgMakeTubeElement();
        element.springs[0].frequency = 1000.0f;
        element.springs[0].dampingRatio = ratios[r];
        element.gravity = tgMakeVec3(0.0f, -9.81f, 0.0f);
        element.resetDistance = 0.0f;
        tgFleshStage stage;
        tgOpenFleshStage(&stage, &element);
        for (int i = 0; i < 200; ++i) {
            float x = i % 3 == 0 ? 100.0f : -70.0f;
            tgPlayMoved(&stage, tgMakeVec3(x, 0.0f, x), (double)i, 0.0);
            tgVec3 u = tgGetDisplacement(&stage);
            assert_true(tgIsFiniteVec3(u));
            CHECK_AT_MOST(tgLength(u), 1.00001);
        }
        tgCloseFleshStage(&stage);
    }
}

/// Mesh, path, gravity, wind, all of it larger: the same shape, larger.
static void TestScale(void** state)
{
    (void)state;
    static const float sizes[] = {1.0f, 1000.0f, 0.001f};
    tgVec3* first = NULL;
    for (int s = 0; s < 3; ++s) {
        tgFleshElement element = tgMakeTubeElement();
        element.gravity = tgMakeVec3(0.0f, -9.81f * sizes[s], 0.0f);
        element.wind = tgMakeVec3(sizes[s], 0.0f, 0.0f);
        element.airFriction = 0.5f;
        element.mass = 1.0f;
        element.elongation = 0.2f;
        element.thickness = 0.1f;
        tgFleshStage stage = {.shape = tgMakeTube(16, 33, 4.0f, 1.5f, 2.5f, true)};
        for (int v = 0; v < stage.shape.vertexCount; ++v) {
            stage.shape.positions[v] = tgMulSV(sizes[s], stage.shape.positions[v]);
        }
        for (int j = 0; j < 2; ++j) {
            tgVec3* origin = &stage.shape.restJoints[j].origin;
            *origin = tgMulSV(sizes[s], *origin);
        }
        stage.def = tgShape_GetRigDef(&stage.shape);
        stage.def.flesh = (tgFleshDef){&element, 1};
        tgOpenFleshRig(&stage);
        for (int i = 0; i < 60; ++i) {
            float y = sizes[s] * (float)tgGetPath(i / 30.0);
            tgPlayMoved(&stage, tgMakeVec3(0.0f, y, 0.0f), i / 30.0, 0.0);
        }
        if (first == NULL) {
            first = calloc((size_t)stage.count, sizeof(tgVec3));
            memcpy(first, stage.positions, (size_t)stage.count * sizeof(tgVec3));
        }
        double worst = 0.0;
        for (int v = 0; v < stage.count; ++v) {
            tgVec3 back = tgMulSV(1.0f / sizes[s], stage.positions[v]);
            worst = fmax(worst, (double)tgDistance(back, first[v]));
        }
        CHECK_AT_MOST(worst, 5e-6);
        tgCloseFleshStage(&stage);
    }
    free(first);
}

static void TestSeveralSprings(void** state)
{
    (void)state;
    tgFleshElement one = tgMakeTubeElement(), two = one;
    two.springCount = 2;
    two.springs[0].share = 0.7f;
    two.springs[1].share = 0.3f;
    two.springs[1].frequency = 8.0f;
    tgFleshElement other = one;
    other.springs[0].frequency = 8.0f;
    tgFleshStage stages[3];
    tgOpenFleshStage(&stages[0], &one);
    tgOpenFleshStage(&stages[1], &other);
    tgOpenFleshStage(&stages[2], &two);
    for (int i = 0; i < 100; ++i) {
        for (int s = 0; s < 3; ++s) {
            tgPlayMoved(&stages[s], tgMakeVec3(0.0f, 0.0f, (float)tgGetPath(i / 60.0)), i / 60.0,
                        0.0);
        }
        CHECK_NEAR(tgGetDisplacement(&stages[2]).z,
                   0.7 * (double)tgGetDisplacement(&stages[0]).z +
                       0.3 * (double)tgGetDisplacement(&stages[1]).z,
                   1e-6);
    }
    for (int s = 0; s < 3; ++s) {
        tgCloseFleshStage(&stages[s]);
    }
}

/// A driver that spins about its bone, then stops: flesh lags, by the same spring, and keeps its
/// distance.
static void TestTwist(void** state)
{
    (void)state;
    tgFleshElement element = tgMakeTubeElement();
    element.twistFrequency = 2.0f;
    element.twistDampingRatio = 0.1f;
    element.twistLimit = 1.5f;
    tgFleshStage stage;
    tgOpenFleshStage(&stage, &element);
    double omega = tg_twoPi * 2.0, beta = 0.1 * omega, w = sqrt(omega * omega - beta * beta);
    double stop = 0.5, worst = 0.0, most = 0.0;
    for (int i = 0; i < 120; ++i) {
        double t = i / 60.0, angle = 3.0 * fmin(t, stop);
        tgMat34 joints[2] = {stage.shape.restJoints[0], stage.shape.restJoints[1]};
        for (int j = 0; j < 2; ++j) {
            joints[j].y = tgMakeVec3(0.0f, (float)cos(angle), (float)sin(angle));
            joints[j].z = tgMakeVec3(0.0f, (float)-sin(angle), (float)cos(angle));
        }
        tgPlayJoints(&stage, joints, t, i > 0 ? 1.0 / 60.0 : 0.0);
        // It starts as fast as its driver, so it lags from the stop on.
        double h = fmax(t - stop, 0.0), lag = 3.0 * exp(-beta * h) * sin(w * h) / w;
        tgFleshMotion motion = tgInstance_GetFleshMotion(stage.instance, 0);
        worst = fmax(worst, fabs((double)motion.twist - lag));
        most = fmax(most, fabs(lag));
        for (int v = 0; v < stage.count; ++v) {
            tgVec3 p = stage.positions[v], rest = stage.shape.positions[v];
            CHECK_NEAR(sqrtf(p.y * p.y + p.z * p.z), 1.0, 2e-6);
            double turned = atan2((double)p.z, (double)p.y) - atan2((double)rest.z, (double)rest.y);
            double y = (double)rest.x - 1.0, fade = y * y;
            fade = fabs(y) < 1.0 && rest.x <= 1.5f
                       ? 1.0 + ((-4.0 * fade + 17.0) * fade - 22.0) * fade / 9.0
                       : 0.0;
            if (fade > 0.0) {
                double off = turned - angle - fade * lag;
                CHECK_NEAR(off - tg_twoPi * floor(off / tg_twoPi + 0.5), 0.0, 3e-5);
            }
        }
    }
    assert_true(most > 0.1);
    CHECK_AT_MOST(worst, 1e-5);
    tgCloseFleshStage(&stage);
}

// ---- what stays as it was -----------------------------------------------------------------------

/// A still skeleton, and one that ran long ago: plain skinning to the bit, with and without volume.
static void TestStill(void** state)
{
    (void)state;
    tgFleshElement element = tgMakeTubeElement();
    element.twistFrequency = 2.0f;
    for (int exact = 0; exact < 2; ++exact) {
        tgFleshStage with = {.shape = tgMakeTube(16, 33, 4.0f, 1.5f, 2.5f, true)};
        tgFleshStage without = {.shape = tgMakeTube(16, 33, 4.0f, 1.5f, 2.5f, true)};
        with.def = tgShape_GetRigDef(&with.shape);
        without.def = tgShape_GetRigDef(&without.shape);
        with.def.volume.method = without.def.volume.method = exact ? tg_volumeExact : tg_volumeNone;
        with.def.flesh = (tgFleshDef){&element, 1};
        tgOpenFleshRig(&with);
        tgOpenFleshRig(&without);
        tgMat34 joints[2];
        tgBendTube(&with.shape, 4.0f, 0.0f, 1.0, joints);
        bool moved = false;
        for (int i = 0; i < 1200; ++i) {
            tgMat34 now[2] = {joints[0], joints[1]};
            float shift = i >= 20 && i < 40 ? 0.1f * (float)(i % 3) : 0.0f;
            now[0].origin.z += shift;
            now[1].origin.z += shift;
            tgPlayJoints(&with, now, i / 30.0, 0.0);
            tgPlayJoints(&without, now, i / 30.0, 0.0);
            bool same =
                tgInstance_GetStateHash(with.instance) == tgInstance_GetStateHash(without.instance);
            assert_true(same || i >= 20);
            assert_true(same || i < 1000);
            moved |= !same;
        }
        assert_true(moved);
        assert_memory_equal(with.positions, without.positions, (size_t)with.count * sizeof(tgVec3));
        tgCloseFleshStage(&with);
        tgCloseFleshStage(&without);
    }
}

static void TestResets(void** state)
{
    (void)state;
    tgFleshElement element = tgMakeTubeElement();
    tgFleshStage stage;
    tgOpenFleshStage(&stage, &element);
    for (int way = 0; way < 4; ++way) {
        for (int i = 0; i < 20; ++i) {
            tgPlayMoved(&stage, tgMakeVec3(0.0f, (float)tgGetPath(i / 30.0), 0.0f), 1.0 + i / 30.0,
                        0.0);
        }
        tgVec3 before = tgGetDisplacement(&stage);
        assert_true(tgLength(before) > 0.01f);
        float y = (float)tgGetPath(19 / 30.0);
        double time = 1.0 + 19 / 30.0;
        if (way == 0) { // another pose at the same time: carried along
            tgPlayMoved(&stage, tgMakeVec3(1.0f, y, 2.0f), time, 0.0);
            tgVec3 after = tgGetDisplacement(&stage);
            assert_memory_equal(&before, &after, sizeof(before));
        } else if (way == 1) { // said so
            tgInstance_Reset(stage.instance);
            tgPlayMoved(&stage, tgMakeVec3(0.0f, y, 0.0f), time + 0.01, 0.0);
            CHECK_NEAR(tgLength(tgGetDisplacement(&stage)), 0.0, 0.0);
        } else if (way == 2) { // time runs backwards
            tgPlayMoved(&stage, tgMakeVec3(0.0f, y, 0.0f), 0.5, 0.0);
            CHECK_NEAR(tgLength(tgGetDisplacement(&stage)), 0.0, 0.0);
        } else { // farther than the bounding diagonal, sqrt(16 + 4 + 4), in one frame
            tgPlayMoved(&stage, tgMakeVec3(5.0f, y, 0.0f), time + 0.01, 0.0);
            CHECK_NEAR(tgLength(tgGetDisplacement(&stage)), 0.0, 0.0);
        }
        tgInstance_Reset(stage.instance);
    }
    tgCloseFleshStage(&stage);
}

/// An animation that starts over far away and earlier: the flesh swings on as it would have.
static void TestCarry(void** state)
{
    (void)state;
    tgFleshElement element = tgMakeTubeElement();
    tgFleshStage stages[2];
    for (int s = 0; s < 2; ++s) {
        tgOpenFleshStage(&stages[s], &element);
        for (int i = 0; i < 40; ++i) {
            double t = i / 30.0;
            tgVec3 at = tgMakeVec3(0.0f, i < 20 ? (float)tgGetPath(t) : 0.5f, 0.0f);
            bool isOver = s == 1 && i >= 20;
            if (isOver) { // the same stillness, elsewhere and 20 frames earlier
                at.x = 100.0f;
                t -= 20 / 30.0;
            }
            if (isOver && i == 20) {
                tgPlayMoved(&stages[s], tgMakeVec3(0.0f, 0.5f, 0.0f), 20 / 30.0, 0.0);
                tgMat34 joints[2] = {stages[s].shape.restJoints[0], stages[s].shape.restJoints[1]};
                joints[0].origin = tgAdd(joints[0].origin, at);
                joints[1].origin = tgAdd(joints[1].origin, at);
                tgPose pose = {.joints = joints, .jointCount = 2, .time = (float)t};
                assert_int_equal(tgInstance_Carry(stages[s].instance, &pose, NULL), tg_success);
            }
            tgPlayMoved(&stages[s], at, t, 0.0);
        }
    }
    tgVec3 straight = tgGetDisplacement(&stages[0]), over = tgGetDisplacement(&stages[1]);
    assert_true(tgLength(straight) > 1e-3f);
    CHECK_NEAR(tgDistance(straight, over), 0.0, 1e-5 * (double)tgLength(straight));
    tgCloseFleshStage(&stages[0]);
    tgCloseFleshStage(&stages[1]);
}

/// Frames that are only advanced leave the same bits as frames that are deformed.
static void TestAdvance(void** state)
{
    (void)state;
    tgFleshElement element = tgMakeTubeElement();
    tgFleshStage all, some;
    tgOpenFleshStage(&all, &element);
    tgOpenFleshStage(&some, &element);
    for (int i = 0; i < 60; ++i) {
        tgVec3 at = tgMakeVec3(0.0f, (float)tgGetPath(i / 30.0), 0.0f);
        tgPlayMoved(&all, at, i / 30.0, 0.0);
        if (i >= 50) {
            tgPlayMoved(&some, at, i / 30.0, 0.0);
            assert_memory_equal(all.positions, some.positions, (size_t)all.count * sizeof(tgVec3));
        } else {
            tgMat34 joints[2] = {some.shape.restJoints[0], some.shape.restJoints[1]};
            joints[0].origin = tgAdd(joints[0].origin, at);
            joints[1].origin = tgAdd(joints[1].origin, at);
            tgPose pose = {.joints = joints, .jointCount = 2, .time = (float)(i / 30.0)};
            assert_int_equal(tgInstance_Advance(some.instance, &pose, NULL), tg_success);
        }
    }
    tgCloseFleshStage(&all);
    tgCloseFleshStage(&some);
}

/// Advancing to a pose with another volume to keep leaves that of the last frame.
static void TestAdvanceLeavesVolume(void** state)
{
    (void)state;
    tgFleshElement element = tgMakeTubeElement();
    tgFleshStage stage;
    tgOpenFleshStage(&stage, &element);
    tgPlayMoved(&stage, tgMakeVec3(0.0f, 0.0f, 0.0f), 0.0, 0.0);
    tgVolumeReport before = tgInstance_MeasureVolume(stage.instance);
    tgMat34 joints[2] = {stage.shape.restJoints[0], stage.shape.restJoints[1]};
    joints[1].x = tgMulSV(2.0f, joints[1].x);
    tgPose pose = {.joints = joints, .jointCount = 2, .time = 1.0f / 30.0f};
    assert_int_equal(tgInstance_Advance(stage.instance, &pose, NULL), tg_success);
    tgVolumeReport after = tgInstance_MeasureVolume(stage.instance);
    CHECK_NEAR(before.target / before.rest, 1.0, 1e-12);
    CHECK_NEAR(after.target, before.target, 0.0);
    CHECK_NEAR(after.result, before.result, 0.0);
    tgPlayJoints(&stage, joints, 2.0 / 30.0, 0.0);
    assert_true(tgInstance_MeasureVolume(stage.instance).target > 1.2 * before.target);
    tgCloseFleshStage(&stage);
}

/// A host that moves the model by a matrix of its own gets the same flesh, seen from the model.
static void TestWorld(void** state)
{
    (void)state;
    tgFleshElement element = tgMakeTubeElement();
    element.gravity = tgMakeVec3(1.0f, -9.81f, 2.0f);
    tgFleshStage inModel, inWorld;
    tgOpenFleshStage(&inModel, &element);
    tgOpenFleshStage(&inWorld, &element);
    for (int i = 0; i < 60; ++i) {
        double angle = 0.5 * sin(i * 0.2);
        tgMat34 place = tgIdentityMat34();
        place.x = tgMakeVec3((float)cos(angle), 0.0f, (float)-sin(angle));
        place.z = tgMakeVec3((float)sin(angle), 0.0f, (float)cos(angle));
        place.origin = tgMakeVec3(0.0f, (float)tgGetPath(i / 30.0), 0.1f * (float)i);
        tgMat34 joints[2];
        for (int j = 0; j < 2; ++j) {
            joints[j] = tgMulMat34(&place, &inWorld.shape.restJoints[j]);
        }
        tgPlayJoints(&inWorld, joints, i / 30.0, 0.0);
        tgPose pose = {.joints = inModel.shape.restJoints,
                       .jointCount = 2,
                       .time = (float)(i / 30.0),
                       .modelToWorld = &place};
        tgVec3Span out = {&inModel.positions->x, inModel.count, sizeof(tgVec3)};
        assert_int_equal(
            tgInstance_Deform(inModel.instance, &pose, out, (tgVec3Span){NULL, 0, 0}, NULL),
            tg_success);
        for (int v = 0; v < inModel.count; ++v) {
            tgVec3 placed = tgMulMatPoint(&place, inModel.positions[v]);
            CHECK_AT_MOST(tgDistance(placed, inWorld.positions[v]), 1e-5);
        }
    }
    tgCloseFleshStage(&inModel);
    tgCloseFleshStage(&inWorld);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestMotion),
        cmocka_unit_test(TestPeriod),
        cmocka_unit_test(TestSag),
        cmocka_unit_test(TestLimit),
        cmocka_unit_test(TestStiff),
        cmocka_unit_test(TestScale),
        cmocka_unit_test(TestTwist),
        cmocka_unit_test(TestSeveralSprings),
        cmocka_unit_test(TestStill),
        cmocka_unit_test(TestResets),
        cmocka_unit_test(TestWorld),
        cmocka_unit_test(TestAdvance),
        cmocka_unit_test(TestAdvanceLeavesVolume),
        cmocka_unit_test(TestCarry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
