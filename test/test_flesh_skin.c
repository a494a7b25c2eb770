// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What flesh does to the skin: weights, bones that are never crossed, neighbours that meet, volumes
// that stay, the same bits everywhere, and input that cannot be used.

#include "flesh_stage.h"
#include "random.h"

static double tgGetSegmentDistance(tgVec3 p, tgVec3 a, tgVec3 b)
{
    tgVec3 along = tgSub(b, a), to = tgSub(p, a);
    double d[3] = {(double)along.x, (double)along.y, (double)along.z};
    double q[3] = {(double)to.x, (double)to.y, (double)to.z};
    double squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    double t = (q[0] * d[0] + q[1] * d[1] + q[2] * d[2]) / squared;
    t = fmin(fmax(t, 0.0), 1.0);
    double x = q[0] - t * d[0], y = q[1] - t * d[1], z = q[2] - t * d[2];
    return sqrt(x * x + y * y + z * z);
}

/// A tube of three bones along x, 6 long, whose radius varies; bones at 0, 2, 4.
static tgShape tgMakeLumpyTube(unsigned seed, double lumps)
{
    int around = 12, rings = 37;
    tgShape shape = tgMakeTube(around, rings, 6.0f, 2.5f, 3.5f, true);
    free(shape.parents);
    free(shape.restJoints);
    free(shape.joints);
    free(shape.weights);
    shape.jointCount = shape.influencesPerVertex = 3;
    shape.parents = calloc(3, sizeof(int));
    shape.restJoints = calloc(3, sizeof(tgMat34));
    shape.joints = calloc(3 * (size_t)shape.vertexCount, sizeof(int));
    shape.weights = calloc(3 * (size_t)shape.vertexCount, sizeof(float));
    for (int j = 0; j < 3; ++j) {
        shape.parents[j] = j - 1;
        shape.restJoints[j] = tgIdentityMat34();
        shape.restJoints[j].origin.x = 2.0f * (float)j;
    }
    for (int v = 0; v < shape.vertexCount; ++v) {
        tgVec3* p = &shape.positions[v];
        float radius = (float)(1.0 + lumps * (tgNextUnit(&seed) - 0.5));
        p->y *= radius;
        p->z *= radius;
        float sum = 0.0f;
        for (int j = 0; j < 3; ++j) {
            float away = fmaxf(0.0f, 1.0f - fabsf(p->x - 2.0f * (float)j - 1.0f) / 1.5f);
            shape.joints[3 * v + j] = j;
            shape.weights[3 * v + j] = away;
            sum += away;
        }
        for (int j = 0; j < 3; ++j) {
            shape.weights[3 * v + j] /= sum;
        }
    }
    return shape;
}

static void tgMakeThreeElements(tgFleshElement elements[2])
{
    static const int driven[2] = {1, 2};
    for (int e = 0; e < 2; ++e) {
        elements[e] = tgDefaultFleshElement();
        elements[e].driver = e;
        elements[e].driven = &driven[e];
        elements[e].drivenCount = 1;
    }
}

// ---- weights ------------------------------------------------------------------------------------

static void TestWeights(void** state)
{
    (void)state;
    static const tgAttenuation kinds[] = {tg_attenuationParabola, tg_attenuationWyvill,
                                          tg_attenuationCurve};
    for (int k = 0; k < 3; ++k) {
        for (unsigned seed = 1; seed <= 5; ++seed) {
            tgFleshElement elements[2];
            tgMakeThreeElements(elements);
            elements[0].attenuation = elements[1].attenuation = kinds[k];
            elements[0].thickness = 0.05f;
            tgAttenuationKey keys[3] = {{-1.0f, 0.0f, 0.0f}, {0.2f, 0.9f, 0.3f}, {1.0f, 0, -2.0f}};
            memcpy(elements[0].keys, keys, sizeof(keys));
            memcpy(elements[1].keys, keys, sizeof(keys));
            elements[0].keyCount = elements[1].keyCount = 3;
            tgFleshStage stage = {.shape = tgMakeLumpyTube(seed, 0.5)};
            stage.def = tgShape_GetRigDef(&stage.shape);
            stage.def.flesh = (tgFleshDef){elements, 2};
            tgOpenFleshRig(&stage);
            float* weights = calloc((size_t)stage.count, sizeof(float));
            for (int e = 0; e < 2; ++e) {
                tgRig_GetFleshWeights(stage.rig, e, weights);
                float most = 0.0f;
                for (int v = 0; v < stage.count; ++v) {
                    assert_true(weights[v] >= 0.0f && weights[v] <= 1.0f);
                    float x = stage.shape.positions[v].x - 2.0f * (float)e;
                    assert_true(weights[v] == 0.0f || (x > 0.0f && x < 2.0f));
                    most = fmaxf(most, weights[v]);
                }
                assert_true(most == 1.0f);
            }
            free(weights);
            tgCloseFleshStage(&stage);
        }
    }
}

/// On a tube of radius 1 a given set has the attenuation itself for weights.
static void TestClosedForms(void** state)
{
    (void)state;
    tgFleshElement element = tgMakeTubeElement();
    int all[16 * 33];
    for (int v = 0; v < 16 * 33; ++v) {
        all[v] = v;
    }
    element.vertices = all;
    element.vertexCount = 16 * 33;
    element.thickness = 0.25f; // of a bone of length 2
    for (int wyvill = 0; wyvill < 2; ++wyvill) {
        element.attenuation = wyvill ? tg_attenuationWyvill : tg_attenuationParabola;
        tgFleshStage stage;
        tgOpenFleshStage(&stage, &element);
        float weights[16 * 33];
        tgRig_GetFleshWeights(stage.rig, 0, weights);
        for (int v = 0; v < stage.count; ++v) {
            double y = (double)stage.shape.positions[v].x - 1.0, s = y * y;
            double fade = wyvill ? 1.0 - 22.0 / 9.0 * s + 17.0 / 9.0 * s * s - 4.0 / 9.0 * s * s * s
                                 : 1.0 - s;
            CHECK_NEAR(weights[v], fabs(y) < 1.0 ? fade : 0.0, 1e-6);
        }
        tgFleshInfo info = tgRig_GetFleshInfo(stage.rig, 0);
        CHECK_NEAR(info.limit, 0.5, 1e-6);
        CHECK_NEAR(info.boneLength, 2.0, 1e-6);
        // A prism over a regular 16-gon, 4 long; closed by fans.
        double area = 8.0 * sin(6.283185307179586 / 16.0);
        CHECK_NEAR(info.volume, 4.0 * area, 1e-5);
        CHECK_NEAR(info.mass, 4000.0 * area, 0.01);
        tgCloseFleshStage(&stage);
    }
}

/// Half of the tube as a set: its weights fade out towards the other half, over a quarter of the
/// bone along the edges, and are those of the whole farther in.
static void TestSetsFadeOut(void** state)
{
    (void)state;
    tgFleshElement element = tgMakeTubeElement();
    int half[9 * 33];
    for (int i = 0; i < 9 * 33; ++i) {
        half[i] = 16 * (i / 9) + i % 9;
    }
    element.vertices = half;
    element.vertexCount = 9 * 33;
    element.attenuation = tg_attenuationParabola;
    tgFleshStage stage;
    tgOpenFleshStage(&stage, &element);
    float weights[16 * 33];
    tgRig_GetFleshWeights(stage.rig, 0, weights);
    double edge = 2.0 * sin(6.283185307179586 / 32.0), t = edge / (0.25 * 2.0);
    for (int v = 0; v < stage.count; ++v) {
        double y = (double)stage.shape.positions[v].x - 1.0;
        double fade = fabs(y) < 1.0 ? 1.0 - y * y : 0.0;
        int k = v % 16;
        double border = k > 8 ? 0.0 : k == 0 || k == 8 ? t * t * (3.0 - 2.0 * t) : 1.0;
        CHECK_NEAR(weights[v], fade * border, 1e-5);
    }
    tgCloseFleshStage(&stage);
}

/// Two elements in a row: no step between neighbours of different elements that is larger than the
/// largest within one.
static void TestNeighbours(void** state)
{
    (void)state;
    tgFleshElement elements[2];
    tgMakeThreeElements(elements);
    elements[0].gravity = tgMakeVec3(0.0f, -40.0f, 0.0f);
    elements[1].gravity = tgMakeVec3(0.0f, 40.0f, 0.0f); // as different as can be
    tgFleshStage stage = {.shape = tgMakeLumpyTube(1, 0.0)};
    stage.def = tgShape_GetRigDef(&stage.shape);
    stage.def.flesh = (tgFleshDef){elements, 2};
    tgOpenFleshRig(&stage);
    tgPlayJoints(&stage, stage.shape.restJoints, 0.0, 0.0);
    int around = 12, rings = stage.count / around;
    double within = 0.0, across = 0.0, least = 0.0;
    for (int r = 0; r + 1 < rings; ++r) {
        for (int i = 0; i < around; ++i) {
            int a = r * around + i, b = a + around;
            double ta = (double)(stage.positions[a].y - stage.shape.positions[a].y);
            double tb = (double)(stage.positions[b].y - stage.shape.positions[b].y);
            double middle = 0.5 * (double)(stage.shape.positions[a].x + stage.shape.positions[b].x);
            double* most = fabs(middle - 2.0) < 0.2 ? &across : &within;
            *most = fmax(*most, fabs(ta - tb));
            least = fmin(least, ta);
        }
    }
    assert_true(least < -0.05);
    CHECK_AT_MOST(across, within);
    tgCloseFleshStage(&stage);
}

// ---- bones are not crossed ----------------------------------------------------------------------

static tgMat34 tgMakeTurn(tgVec3 axis, double angle, tgVec3 about)
{
    tgTransform t = {{0, 0, 0}, tgMakeQuat(axis, (float)angle), {1, 1, 1}};
    tgMat34 turn = tgMakeMat34(t);
    turn.origin = tgSub(about, tgMulMatDirection(&turn, about));
    return turn;
}

/// A pose that bends both inner joints at random, and shakes the whole.
static void tgMakeWildPose(const tgShape* shape, unsigned* seed, tgMat34 joints[3])
{
    tgMat34 all = tgIdentityMat34();
    all.origin =
        tgMakeVec3((float)tgNextUnit(seed), (float)tgNextUnit(seed), (float)tgNextUnit(seed));
    for (int j = 0; j < 3; ++j) {
        tgVec3 axis =
            tgNormalize(tgMakeVec3((float)tgNextUnit(seed) - 0.5f, (float)tgNextUnit(seed) - 0.5f,
                                   (float)tgNextUnit(seed) - 0.5f),
                        tgMakeVec3(0.0f, 1.0f, 0.0f));
        tgMat34 turn =
            tgMakeTurn(axis, 3.0 * (tgNextUnit(seed) - 0.5), shape->restJoints[j].origin);
        all = tgMulMat34(&all, &turn);
        joints[j] = tgMulMat34(&all, &shape->restJoints[j]);
    }
}

static void TestNoCrossing(void** state)
{
    (void)state;
    int clipped = 0;
    for (unsigned seed = 1; seed <= 12; ++seed) {
        tgFleshElement elements[2];
        tgMakeThreeElements(elements);
        for (int e = 0; e < 2; ++e) {
            elements[e].thickness = seed % 3 == 0 ? 0.1f : 0.0f;
            elements[e].flow = seed % 2 == 0 ? 1.0f : 0.5f;
            elements[e].attenuation = seed % 4 < 2 ? tg_attenuationParabola : tg_attenuationWyvill;
            elements[e].resetDistance = 0.0f;
            elements[e].springs[0].dampingRatio = 0.05f;
            elements[e].gravity = tgMakeVec3(0.0f, -30.0f, 0.0f);
        }
        tgFleshStage stage = {.shape = tgMakeLumpyTube(seed, 0.8)};
        stage.def = tgShape_GetRigDef(&stage.shape);
        tgFleshStage plain = stage;
        stage.def.flesh = (tgFleshDef){elements, 2};
        tgOpenFleshRig(&stage);
        tgOpenFleshRig(&plain);
        float* weights[2] = {calloc((size_t)stage.count, sizeof(float)),
                             calloc((size_t)stage.count, sizeof(float))};
        tgRig_GetFleshWeights(stage.rig, 0, weights[0]);
        tgRig_GetFleshWeights(stage.rig, 1, weights[1]);
        unsigned motion = 77 * seed;
        for (int i = 0; i < 60; ++i) {
            tgMat34 joints[3];
            tgMakeWildPose(&stage.shape, &motion, joints);
            tgPlayJoints(&stage, joints, i / 30.0, 0.0);
            tgPlayJoints(&plain, joints, i / 30.0, 0.0);
            for (int v = 0; v < stage.count; ++v) {
                double t = (double)tgDistance(stage.positions[v], plain.positions[v]);
                for (int e = 0; e < 2; ++e) {
                    double room = tgGetSegmentDistance(plain.positions[v], joints[e].origin,
                                                       joints[e + 1].origin);
                    room = fmax(room - 2.0 * (double)elements[e].thickness, 0.0);
                    if (weights[e][v] > 0.0f) {
                        CHECK_AT_MOST(t, room + 3e-6);
                        clipped += t > room - 1e-5;
                    }
                }
            }
        }
        free(weights[0]);
        free(weights[1]);
        tgDestroyInstance(plain.instance);
        tgDestroyRig(plain.rig);
        free(plain.positions);
        tgCloseFleshStage(&stage);
    }
    assert_true(clipped > 10); // the property was put to the test
}

// ---- with the volume ----------------------------------------------------------------------------

static void TestVolume(void** state)
{
    (void)state;
    for (int mode = tg_modeExact; mode <= tg_modePaper; ++mode) {
        tgFleshElement elements[2];
        tgMakeThreeElements(elements);
        elements[0].twistFrequency = 2.0f;
        tgFleshStage stage = {.shape = tgMakeLumpyTube(3, 0.2)};
        stage.def = tgShape_GetRigDef(&stage.shape);
        stage.def.volume.method = tg_volumeExact;
        stage.def.volume.mode = (tgVolumeMode)mode;
        stage.def.flesh = (tgFleshDef){elements, 2};
        tgOpenFleshRig(&stage);
        double worst = 0.0, most = 0.0;
        for (int i = 0; i < 90; ++i) {
            tgMat34 joints[3], all = tgIdentityMat34();
            all.origin = tgMakeVec3(0.6f * sinf(0.6f * (float)i), 0.3f * cosf(0.5f * (float)i), 0);
            for (int j = 0; j < 3; ++j) { // straight at first, then bending
                tgMat34 turn =
                    tgMakeTurn(tgMakeVec3(0.0f, 0.0f, 1.0f), i < 30 ? 0.0 : 0.02 * (i - 30),
                               stage.shape.restJoints[j].origin);
                all = tgMulMat34(&all, &turn);
                joints[j] = tgMulMat34(&all, &stage.shape.restJoints[j]);
            }
            tgPlayJoints(&stage, joints, i / 30.0, 0.0);
            tgVolumeReport report = tgInstance_MeasureVolume(stage.instance);
            worst = fmax(worst, fabs(report.result / report.target - 1.0));
            CHECK_NEAR(tgInstance_GetReport(stage.instance).residual, 0.0, 0.0);
            most = fmax(most, (double)tgLength(tgGetDisplacement(&stage)));
        }
        assert_true(most > 0.1);
        CHECK_AT_MOST(worst, 1e-6);
        tgCloseFleshStage(&stage);
    }
}

static int tg_allocations;

static void* tgCountedAlloc(size_t size, size_t alignment, void* user)
{
    (void)user;
    tg_allocations += 1;
    return aligned_alloc(alignment, size);
}

static void tgCountedFree(void* memory, size_t size, void* user)
{
    (void)size;
    (void)user;
    free(memory);
}

/// An instance is one allocation, a frame takes none.
static void TestAllocations(void** state)
{
    (void)state;
    tgFleshElement elements[2];
    tgMakeThreeElements(elements);
    elements[0].twistFrequency = 3.0f;
    tgFleshStage stage = {.shape = tgMakeLumpyTube(3, 0.2)};
    stage.def = tgShape_GetRigDef(&stage.shape);
    stage.def.volume.method = tg_volumeExact;
    stage.def.flesh = (tgFleshDef){elements, 2};
    tgOpenFleshRig(&stage);
    tgInstanceDef def = tgDefaultInstanceDef();
    def.allocator = (tgAllocator){tgCountedAlloc, tgCountedFree, NULL};
    tgDestroyInstance(stage.instance);
    tg_allocations = 0;
    stage.instance = tgCreateInstance(stage.rig, &def, NULL);
    unsigned seed = 9;
    for (int i = 0; i < 10; ++i) {
        tgMat34 joints[3];
        tgMakeWildPose(&stage.shape, &seed, joints);
        tgPlayJoints(&stage, joints, i / 30.0, 0.0);
    }
    assert_int_equal(tg_allocations, 1);
    tgCloseFleshStage(&stage);
}

/// Displacements as told are those that were made.
static void TestDisplacements(void** state)
{
    (void)state;
    tgFleshElement elements[2];
    tgMakeThreeElements(elements);
    tgFleshStage stage = {.shape = tgMakeLumpyTube(3, 0.2)};
    stage.def = tgShape_GetRigDef(&stage.shape);
    tgFleshStage plain = stage;
    stage.def.flesh = (tgFleshDef){elements, 2};
    tgOpenFleshRig(&stage);
    tgOpenFleshRig(&plain);
    tgVec3* told = calloc((size_t)stage.count, sizeof(tgVec3));
    tgVec3Span span = {&told->x, stage.count, sizeof(tgVec3)};
    assert_false(tgInstance_GetFleshDisplacements(stage.instance, span));
    unsigned seed = 5;
    for (int i = 0; i < 5; ++i) {
        tgMat34 joints[3];
        tgMakeWildPose(&stage.shape, &seed, joints);
        tgPlayJoints(&stage, joints, i / 30.0, 0.0);
        tgPlayJoints(&plain, joints, i / 30.0, 0.0);
        assert_true(tgInstance_GetFleshDisplacements(stage.instance, span));
        for (int v = 0; v < stage.count; ++v) {
            tgVec3 made = tgSub(stage.positions[v], plain.positions[v]);
            CHECK_NEAR(tgDistance(made, told[v]), 0.0, 0.0);
        }
    }
    span.count -= 1;
    assert_false(tgInstance_GetFleshDisplacements(stage.instance, span));
    free(told);
    tgDestroyInstance(plain.instance);
    tgDestroyRig(plain.rig);
    free(plain.positions);
    tgCloseFleshStage(&stage);
}

// ---- bad input ----------------------------------------------------------------------------------

static void tgExpectRefused(tgFleshElement element, const char* fragment)
{
    tgShape shape = tgMakeTube(16, 33, 4.0f, 1.5f, 2.5f, true);
    tgRigDef def = tgShape_GetRigDef(&shape);
    def.flesh = (tgFleshDef){&element, 1};
    tgError error = {0};
    tgRig* rig = tgCreateRig(&def, &error);
    assert_null(rig);
    CHECK_CONTAINS(error.message, fragment);
    tgFreeShape(&shape);
}

#define TG_REFUSED(change, fragment)                                                               \
    do {                                                                                           \
        tgFleshElement element = tgMakeTubeElement();                                              \
        change;                                                                                    \
        tgExpectRefused(element, fragment);                                                        \
    } while (0)

static void TestRefused(void** state)
{
    (void)state;
    static const int root[1] = {0}, outside[1] = {7}, vertex[1] = {999999}, end[1] = {16 * 33 - 1};
    float none = (float)NAN;
    TG_REFUSED(element.mass = -1.0f, "\"tube\": mass is -1, wanted at least 0");
    TG_REFUSED(element.springs[0].frequency = 0.0f, "frequency is 0, wanted more than 0");
    TG_REFUSED(element.springs[0].frequency = none, "frequency is nan");
    TG_REFUSED(element.springs[0].dampingRatio = -0.1f, "dampingRatio is -0.1");
    TG_REFUSED(element.springs[0].share = 0.4f, "shares sum to 0.4, wanted 1");
    TG_REFUSED(element.springs[0].stiffness = -2.0f, "stiffness is -2");
    TG_REFUSED(element.springs[0].damping = none, "damping is nan");
    TG_REFUSED(element.springCount = 0, "0 springs, wanted 1 to 8");
    TG_REFUSED(element.density = 0.0f, "density is 0");
    TG_REFUSED(element.flow = 1.5f, "flow is 1.5, wanted at least 0 and at most 1");
    TG_REFUSED(element.elongation = 1.1f, "elongation is 1.1");
    TG_REFUSED(element.gravity.y = none, "gravity is (0, nan, 0)");
    TG_REFUSED(element.wind.x = 1e20f, "wind is");
    TG_REFUSED(element.driver = 5, "driver is joint 5, the skeleton has 2");
    TG_REFUSED(element.driver = 1, "joint 1 is driven, wanted a descendant of the driver 1");
    TG_REFUSED(element.driven = root, "joint 0 is driven, wanted a descendant of the driver 0");
    TG_REFUSED(element.driven = outside, "it drives joint 7, the skeleton has 2");
    TG_REFUSED((element.driver = 1, element.drivenCount = 0), "the driver 1 has no children");
    TG_REFUSED((element.joints = outside, element.jointCount = 1), "it has joint 7");
    TG_REFUSED((element.vertices = vertex, element.vertexCount = 0), "set of vertices is empty");
    TG_REFUSED((element.vertices = vertex, element.vertexCount = 1), "it has vertex 999999");
    TG_REFUSED((element.vertices = end, element.vertexCount = 1),
               "no vertex of its set lies beside");
    TG_REFUSED(element.attenuation = (tgAttenuation)9, "9 is not one of tgAttenuation");
    TG_REFUSED(element.attenuation = tg_attenuationCurve, "0 keys, wanted 2 to 16");
    TG_REFUSED((element.attenuation = tg_attenuationCurve, element.keyCount = 2,
                element.keys[0] = (tgAttenuationKey){-1.0f, 0.0f, 0.0f},
                element.keys[1] = (tgAttenuationKey){1.0f, 0.3f, 0.0f}),
               "ends with 0 and 0.3, wanted 0");
    TG_REFUSED(element.cookie = 0, "not from tgDefaultFleshElement");
    // One vertex encloses nothing, so a stiffness has no mass to work on.
    static const int single[1] = {16 * 8};
    TG_REFUSED(
        (element.vertices = single, element.vertexCount = 1, element.springs[0].stiffness = 100.0f),
        "encloses a volume of 0, wanted a mass");
}

static void TestBadPoses(void** state)
{
    (void)state;
    tgFleshElement element = tgMakeTubeElement();
    tgFleshStage stage;
    tgOpenFleshStage(&stage, &element);
    for (int i = 0; i < 10; ++i) {
        tgPlayMoved(&stage, tgMakeVec3(0.0f, i % 2 ? 0.2f : 0.0f, 0.0f), i / 30.0, 0.0);
    }
    tgVec3 before = tgGetDisplacement(&stage);
    tgMat34 bad[2] = {stage.shape.restJoints[0], stage.shape.restJoints[1]};
    bad[0].origin.y = (float)NAN;
    tgMat34 lost = tgIdentityMat34();
    lost.x.x = (float)INFINITY;
    const tgPose poses[] = {
        {.joints = bad, .jointCount = 2, .time = 1.0f},
        {.joints = stage.shape.restJoints, .jointCount = 2, .time = (float)NAN},
        {.joints = stage.shape.restJoints, .jointCount = 2, .time = 1.0f, .timeStep = -0.1f},
        {.joints = stage.shape.restJoints, .jointCount = 2, .time = 1.0f, .modelToWorld = &lost},
    };
    static const char* const words[] = {"joint 0 has a transform", "at time nan", "-0.1 after",
                                        "modelToWorld has a number"};
    for (int i = 0; i < 4; ++i) {
        tgError error = {0};
        tgVec3Span none = {NULL, 0, 0};
        assert_int_equal(tgInstance_Deform(stage.instance, &poses[i], none, none, &error),
                         tg_invalidPose);
        CHECK_CONTAINS(error.message, words[i]);
        assert_int_equal(tgInstance_Advance(stage.instance, &poses[i], NULL), tg_invalidPose);
        tgVec3 after = tgGetDisplacement(&stage);
        assert_memory_equal(&before, &after, sizeof(before)); // nothing was touched
    }
    tgCloseFleshStage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestWeights),       cmocka_unit_test(TestClosedForms),
        cmocka_unit_test(TestSetsFadeOut),   cmocka_unit_test(TestNeighbours),
        cmocka_unit_test(TestNoCrossing),    cmocka_unit_test(TestVolume),
        cmocka_unit_test(TestDisplacements), cmocka_unit_test(TestAllocations),
        cmocka_unit_test(TestRefused),       cmocka_unit_test(TestBadPoses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
