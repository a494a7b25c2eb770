// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The frame on plain skinning: laws of the bent tube, references in double, many influences, scale,
// antipodal quaternions, the same bits for all workers and backends, nothing allocated.

#include "check.h"
#include "core/rig.h"
#include "shapes.h"

#include <pthread.h>

static const double tg_pi = 3.14159265358979323846;

static tgRig* tgMakeRig(const tgRigDef* def)
{
    tgError error = {0};
    tgRig* rig = tgCreateRig(def, &error);
    if (rig == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(rig);
    return rig;
}

static tgInstance* tgMakeInstance(const tgRig* rig, tgSimd simd)
{
    tgInstanceDef def = tgDefaultInstanceDef();
    def.simd = simd;
    tgInstance* instance = tgCreateInstance(rig, &def, NULL);
    return instance;
}

static void tgDeform(tgInstance* instance, const tgMat34* joints, int jointCount, tgVec3* positions,
                     int vertexCount)
{
    tgPose pose = {.joints = joints, .jointCount = jointCount};
    tgVec3Span out = {positions != NULL ? &positions->x : NULL, vertexCount, sizeof(tgVec3)};
    tgError error = {0};
    if (tgInstance_Deform(instance, &pose, out, (tgVec3Span){0}, &error) != tg_success) {
        print_error("%s\n", error.message);
        fail();
    }
}

// ---- the laws of the bent tube (method: local correction, "known") ------------------------------

/// Relative volume change of the tube bent by an angle, bones `offset` above the axis.
static double tgBendLoss(tgSkinning skinning, float offset, double angle, bool smooth)
{
    const float length = 8.0f;
    tgShape tube = tgMakeTube(64, 1025, length, 2.0f, 6.0f, smooth);
    tgMat34 joints[2];
    tgBendTube(&tube, length, offset, 0.0, tube.restJoints);
    tgRigDef def = tgShape_GetRigDef(&tube);
    def.skinning = skinning;
    tgRig* rig = tgMakeRig(&def);
    tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
    tgBendTube(&tube, length, offset, angle, joints);
    tgDeform(instance, joints, 2, NULL, 0);
    tgVolumeReport volume = tgInstance_MeasureVolume(instance);
    CHECK_NEAR(volume.target / volume.rest, 1.0, 1e-12); // nothing scales or slides
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&tube);
    return volume.result / volume.rest - 1.0;
}

/// Mean of w (1 - w) over the length: half of it is in transition, where a ramp has 1/6 and the
/// cubic step 9/70.
static void tgTestBendLaws(void** state)
{
    (void)state;
    const double degrees[3] = {10.0, 50.0, 90.0};
    for (int i = 0; i < 3; ++i) {
        double angle = degrees[i] * tg_pi / 180.0, half = sin(0.5 * angle);
        for (int smooth = 0; smooth < 2; ++smooth) {
            double blend = 0.5 * (smooth ? 9.0 / 70.0 : 1.0 / 6.0);
            for (int k = -1; k <= 1; ++k) {
                double offset = 0.4 * k; // the mesh's centre stands -offset from the bones
                double linear = -2.0 * half * half * blend + offset / 8.0 * sin(angle);
                double dual = offset / 8.0 * angle;
                CHECK_NEAR(tgBendLoss(tg_linear, (float)offset, angle, smooth), linear, 1e-5);
                CHECK_NEAR(tgBendLoss(tg_dualQuaternion, (float)offset, angle, smooth), dual, 1e-5);
            }
        }
    }
}

/// 0.2, 4 and 11 % lost at 10, 50 and 90 degrees: the published table, with the ramp it implies.
static void tgTestPublishedLoss(void** state)
{
    (void)state;
    const double degrees[3] = {10.0, 50.0, 90.0}, published[3] = {-0.002, -0.04, -0.11};
    tgShape tube = tgMakeTube(64, 513, 8.0f, 4.0f - 2.64f, 4.0f + 2.64f, false);
    tgRigDef def = tgShape_GetRigDef(&tube);
    tgRig* rig = tgMakeRig(&def);
    tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
    for (int i = 0; i < 3; ++i) {
        tgMat34 joints[2];
        tgBendTube(&tube, 8.0f, 0.0f, degrees[i] * tg_pi / 180.0, joints);
        tgDeform(instance, joints, 2, NULL, 0);
        tgVolumeReport volume = tgInstance_MeasureVolume(instance);
        CHECK_NEAR(volume.result / volume.rest - 1.0, published[i], 0.001);
    }
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&tube);
}

// ---- against a plain reference in double --------------------------------------------------------

enum { tg_manyJoints = 17, tg_manyInfluences = 13 };

static unsigned tg_seed = 1;

static float tgRandom(void)
{
    tg_seed = tg_seed * 1664525u + 1013904223u;
    return (float)(tg_seed >> 8) / 8388608.0f - 1.0f;
}

/// A sphere whose vertices each follow 13 of 17 joints.
static tgShape tgMakeManyJoints(void)
{
    tg_seed = 99;
    tgShape shape = tgMakeSphere(24, 13);
    int n = shape.vertexCount;
    shape.jointCount = tg_manyJoints;
    shape.influencesPerVertex = tg_manyInfluences;
    shape.parents = realloc(shape.parents, tg_manyJoints * sizeof(int));
    shape.restJoints = realloc(shape.restJoints, tg_manyJoints * sizeof(tgMat34));
    shape.joints = realloc(shape.joints, (size_t)(n * tg_manyInfluences) * sizeof(int));
    shape.weights = realloc(shape.weights, (size_t)(n * tg_manyInfluences) * sizeof(float));
    for (int j = 0; j < tg_manyJoints; ++j) {
        tgTransform t = tgIdentityTransform();
        t.position = tgMakeVec3(tgRandom(), tgRandom(), tgRandom());
        t.rotation = tgMakeQuat(tgNormalize(tgMakeVec3(tgRandom(), tgRandom(), tgRandom()),
                                            tgMakeVec3(1.0f, 0.0f, 0.0f)),
                                tgRandom());
        shape.parents[j] = j - 1;
        shape.restJoints[j] = tgMakeMat34(t);
    }
    for (int v = 0; v < n; ++v) {
        double sum = 0.0;
        for (int k = 0; k < tg_manyInfluences; ++k) {
            shape.joints[v * tg_manyInfluences + k] = (v + k) % tg_manyJoints;
            float w = tgRandom() + 1.01f;
            shape.weights[v * tg_manyInfluences + k] = w;
            sum += (double)w;
        }
        for (int k = 0; k < tg_manyInfluences; ++k) {
            float* w = &shape.weights[v * tg_manyInfluences + k];
            *w = (float)((double)*w / sum);
        }
    }
    return shape;
}

static void tgPoseManyJoints(const tgShape* shape, float turn, bool scaled, tgMat34* joints)
{
    for (int j = 0; j < tg_manyJoints; ++j) {
        tgTransform t = tgIdentityTransform();
        t.rotation = tgMakeQuat(tgNormalize(tgMakeVec3(tgRandom(), tgRandom(), tgRandom()),
                                            tgMakeVec3(0.0f, 1.0f, 0.0f)),
                                turn * tgRandom());
        t.position = tgMakeVec3(0.2f * tgRandom(), 0.2f * tgRandom(), 0.2f * tgRandom());
        if (scaled) {
            t.scale = tgMakeVec3(1.0f + 0.3f * tgRandom(), 1.0f + 0.3f * tgRandom(),
                                 1.0f + 0.3f * tgRandom());
        }
        tgMat34 m = tgMakeMat34(t);
        joints[j] = tgMulMat34(&m, &shape->restJoints[j]);
    }
}

/// p = sum of w M p, in double, as the definition reads.
static void tgReferenceLinear(const tgShape* shape, const tgMat34* joints, int v, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < shape->influencesPerVertex; ++k) {
        int j = shape->joints[v * shape->influencesPerVertex + k];
        double w = (double)shape->weights[v * shape->influencesPerVertex + k];
        tgMat34 inverse = tgIdentityMat34();
        assert_true(tgInvertMat34(&shape->restJoints[j], &inverse));
        tgVec3 local = tgMulMatPoint(&inverse, shape->positions[v]);
        tgVec3 p = tgMulMatPoint(&joints[j], local);
        out[0] += w * (double)p.x;
        out[1] += w * (double)p.y;
        out[2] += w * (double)p.z;
    }
}

static void tgTestManyInfluences(void** state)
{
    (void)state;
    tgShape shape = tgMakeManyJoints();
    tgRigDef def = tgShape_GetRigDef(&shape);
    tgRig* rig = tgMakeRig(&def);
    assert_int_equal(tgRig_GetInfo(rig).influencesPerVertex, tg_manyInfluences);
    tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
    tgVec3* out = calloc((size_t)shape.vertexCount, sizeof(tgVec3));
    tgMat34 joints[tg_manyJoints];
    tgPoseManyJoints(&shape, 3.0f, true, joints);
    tgDeform(instance, joints, tg_manyJoints, out, shape.vertexCount);
    for (int v = 0; v < shape.vertexCount; ++v) {
        double expected[3];
        tgReferenceLinear(&shape, joints, v, expected);
        CHECK_NEAR(out[v].x, expected[0], 2e-6);
        CHECK_NEAR(out[v].y, expected[1], 2e-6);
        CHECK_NEAR(out[v].z, expected[2], 2e-6);
    }
    free(out);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&shape);
}

/// Rigid motions blended as dual quaternions, straight from the definition, in double: q from axis
/// and angle, dual part t q / 2, signs by the heaviest joint.
static void tgTestDualQuaternionReference(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(12, 40, 8.0f, 2.0f, 6.0f, true);
    tgRigDef def = tgShape_GetRigDef(&tube);
    def.skinning = tg_dualQuaternion;
    tgRig* rig = tgMakeRig(&def);
    tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
    tgVec3* out = calloc((size_t)tube.vertexCount, sizeof(tgVec3));
    for (int degrees = -350; degrees <= 350; degrees += 25) {
        double angle = degrees * tg_pi / 180.0, c = cos(angle), s = sin(angle);
        tgMat34 joints[2];
        tgBendTube(&tube, 8.0f, 0.0f, angle, joints);
        tgDeform(instance, joints, 2, out, tube.vertexCount);
        for (int v = 0; v < tube.vertexCount; ++v) {
            // The screw from bone 0 to bone 1 is a turn about (4, 0): its blend by w turns about
            // the same point by the angle of the normalised sum of 1 and w-weighted (cos, sin) of
            // half.
            double w = (double)tube.weights[2 * v + 1];
            double half = 0.5 * atan2(s, c); // the shorter way
            double blended = 2.0 * atan2(w * sin(half), 1.0 - w + w * cos(half));
            double x = (double)tube.positions[v].x - 4.0, y = (double)tube.positions[v].y;
            CHECK_NEAR(out[v].x, 4.0 + x * cos(blended) - y * sin(blended), 5e-6);
            CHECK_NEAR(out[v].y, x * sin(blended) + y * cos(blended), 5e-6);
            CHECK_NEAR(out[v].z, tube.positions[v].z, 1e-6);
        }
    }
    free(out);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&tube);
}

/// One joint: both blends are the joint's own motion, scale and shear included.
static void tgTestRigid(void** state)
{
    (void)state;
    tgShape cube = tgMakeCube(true);
    tgTransform t = {tgMakeVec3(3.0f, -2.0f, 1.0f), tgMakeQuat(tgMakeVec3(0.6f, 0.0f, 0.8f), 2.5f),
                     tgMakeVec3(1.5f, 0.5f, 2.0f)};
    tgMat34 joint = tgMakeMat34(t);
    cube.restJoints[0].origin = tgMakeVec3(0.2f, 0.3f, 0.4f);
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgRigDef def = tgShape_GetRigDef(&cube);
        def.skinning = (tgSkinning)skinning;
        tgRig* rig = tgMakeRig(&def);
        tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
        tgVec3 out[8];
        tgDeform(instance, &joint, 1, out, 8);
        for (int v = 0; v < 8; ++v) {
            tgVec3 local = tgSub(cube.positions[v], cube.restJoints[0].origin);
            tgVec3 expected = tgMulMatPoint(&joint, local);
            CHECK_NEAR(tgDistance(out[v], expected), 0.0, 3e-6);
        }
        // The animator's scale is part of the target: the cube is 1.5 x 0.5 x 2.
        tgVolumeReport volume = tgInstance_MeasureVolume(instance);
        CHECK_NEAR(volume.target, 1.5, 1e-5);
        CHECK_NEAR(volume.result, 1.5, 1e-5);
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
    }
    tgFreeShape(&cube);
}

/// Scale and slide without a turn: dual quaternions must agree with the linear blend.
static void tgTestScaleAgrees(void** state)
{
    (void)state;
    tgShape shape = tgMakeManyJoints();
    tgMat34 joints[tg_manyJoints];
    tgPoseManyJoints(&shape, 0.0f, true, joints);
    tgVec3* out[2];
    double target[2];
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgRigDef def = tgShape_GetRigDef(&shape);
        def.skinning = (tgSkinning)skinning;
        tgRig* rig = tgMakeRig(&def);
        tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
        out[skinning] = calloc((size_t)shape.vertexCount, sizeof(tgVec3));
        tgDeform(instance, joints, tg_manyJoints, out[skinning], shape.vertexCount);
        target[skinning] = tgInstance_MeasureVolume(instance).target;
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
    }
    for (int v = 0; v < shape.vertexCount; ++v) {
        CHECK_NEAR(tgDistance(out[0][v], out[1][v]), 0.0, 3e-6);
    }
    CHECK_NEAR(target[0], target[1], 0.0);
    free(out[0]);
    free(out[1]);
    tgFreeShape(&shape);
}

// ---- the volume to keep -------------------------------------------------------------------------

static tgVolumeReport tgMeasureTube(const tgShape* tube, const tgMat34* joints)
{
    tgRigDef def = tgShape_GetRigDef(tube);
    tgRig* rig = tgMakeRig(&def);
    tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
    tgVolumeReport before = tgInstance_MeasureVolume(instance);
    assert_true(before.target == before.rest && before.result == before.rest);
    tgDeform(instance, joints, 2, NULL, 0);
    tgVolumeReport volume = tgInstance_MeasureVolume(instance);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    return volume;
}

static void tgTestTarget(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(32, 65, 8.0f, 3.0f, 5.0f, true);
    tgMat34 joints[2], straight[2];
    // Bent, and the whole character carried away and turned: the target is the rest volume.
    tgTransform away = {tgMakeVec3(100.0f, 5.0f, -30.0f),
                        tgMakeQuat(tgMakeVec3(0.0f, 0.6f, 0.8f), 1.9f),
                        {1.0f, 1.0f, 1.0f}};
    tgMat34 root = tgMakeMat34(away);
    tgBendTube(&tube, 8.0f, 0.0f, 1.2, joints);
    joints[0] = tgMulMat34(&root, &joints[0]);
    joints[1] = tgMulMat34(&root, &joints[1]);
    tgVolumeReport volume = tgMeasureTube(&tube, joints);
    CHECK_NEAR(volume.target / volume.rest, 1.0, 1e-12);
    assert_true(volume.result < 0.99 * volume.rest);

    // The second bone slides out by 1 and doubles in size, bent or not: the same target, which is
    // what plain skinning gives the straight tube.
    tgMat34 scale = tgIdentityMat34();
    scale.x.x = scale.y.y = scale.z.z = 2.0f;
    for (int bent = 0; bent < 2; ++bent) {
        tgBendTube(&tube, 8.0f, 0.0f, bent ? 1.2 : 0.0, straight);
        joints[0] = straight[0];
        joints[1] = tgMulMat34(&straight[1], &scale);
        joints[1].origin.x += 1.0f;
        tgVolumeReport report = tgMeasureTube(&tube, joints);
        if (!bent) {
            volume = report;
            CHECK_NEAR(report.target, report.result, 1e-4);
            assert_true(report.target > 2.0 * report.rest);
        }
        CHECK_NEAR(report.target / volume.target, 1.0, 1e-6);
    }
    // A joint scaled to nothing, and its child with it: numbers all the same.
    memset(&joints[0].x, 0, 9 * sizeof(float));
    memset(&joints[1].x, 0, 9 * sizeof(float));
    volume = tgMeasureTube(&tube, joints);
    assert_true(isfinite(volume.target) && isfinite(volume.result));
    tgFreeShape(&tube);
}

// ---- the same bits ------------------------------------------------------------------------------

typedef struct tgWorker {
    tgRangeFcn* range;
    void* context;
    int begin, end;
} tgWorker;

static void* tgRunWorker(void* argument)
{
    tgWorker* worker = argument;
    worker->range(worker->begin, worker->end, worker->context);
    return NULL;
}

/// Splits the loop evenly over as many threads as `user` says, last piece first.
static void tgThreads(tgRangeFcn* range, int count, int minRange, void* context, void* user)
{
    (void)minRange;
    int workers = *(int*)user;
    pthread_t threads[8];
    tgWorker work[8];
    for (int i = workers - 1; i >= 0; --i) {
        work[i] = (tgWorker){range, context, count * i / workers, count * (i + 1) / workers};
        assert_int_equal(pthread_create(&threads[i], NULL, tgRunWorker, &work[i]), 0);
    }
    for (int i = 0; i < workers; ++i) {
        pthread_join(threads[i], NULL);
    }
}

static uint64_t tgHashOfFrame(const tgRig* rig, const tgMat34* joints, tgSimd simd, int workers,
                              tgNormals from)
{
    tgInstanceDef def = tgDefaultInstanceDef();
    def.simd = simd;
    def.normals = from;
    def.parallelFor = workers > 0 ? tgThreads : NULL;
    def.parallelUser = &workers;
    tgInstance* instance = tgCreateInstance(rig, &def, NULL);
    if (instance == NULL) {
        return 0; // this machine does not have it
    }
    int count = tgRig_GetVertexCount(rig);
    tgVec3* normals = calloc((size_t)count, sizeof(tgVec3));
    tgPose pose = {.joints = joints, .jointCount = rig->skeleton.jointCount};
    assert_int_equal(tgInstance_Deform(instance, &pose, (tgVec3Span){0},
                                       (tgVec3Span){&normals->x, count, sizeof(tgVec3)}, NULL),
                     tg_success);
    uint64_t hash = tgInstance_GetStateHash(instance);
    for (int i = 0; i < 3 * count; ++i) {
        uint32_t bits;
        memcpy(&bits, &normals->x + i, 4);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    tgVolumeReport volume = tgInstance_MeasureVolume(instance);
    uint64_t bits;
    memcpy(&bits, &volume.result, 8);
    free(normals);
    tgDestroyInstance(instance);
    return hash ^ bits;
}

static void tgTestSameBits(void** state)
{
    (void)state;
    int backends = 0;
    for (int kind = 0; kind < 4; ++kind) {
        // Many influences on a small mesh; many vertices on an open tube.
        tgShape shape = kind < 2 ? tgMakeManyJoints() : tgMakeTube(61, 151, 8.0f, 3.0f, 5.0f, true);
        tgMat34 joints[tg_manyJoints];
        if (kind < 2) {
            tgPoseManyJoints(&shape, 2.0f, kind == 1, joints);
        } else {
            tgBendTube(&shape, 8.0f, 0.0f, 1.3, joints);
        }
        for (int variant = 0; variant < 4; ++variant) {
            tgRigDef def = tgShape_GetRigDef(&shape);
            def.skinning = (tgSkinning)(variant & 1);
            tgNormals from = (tgNormals)(variant >> 1);
            tgRig* rig = tgMakeRig(&def);
            uint64_t reference = tgHashOfFrame(rig, joints, tg_simdScalar, 0, from);
            assert_int_not_equal(reference, 0);
            for (int simd = tg_simdScalar; simd <= tg_simdWasm; ++simd) {
                for (int workers = 0; workers <= 8; ++workers) {
                    uint64_t hash = tgHashOfFrame(rig, joints, (tgSimd)simd, workers, from);
                    assert_true(hash == reference || hash == 0);
                    backends += hash != 0 && workers == 1;
                }
            }
            tgDestroyRig(rig);
        }
        tgFreeShape(&shape);
    }
    print_message("compared %d backend runs with the scalar reference\n", backends);
}

/// In its bind pose a character comes back as it was.
static void tgTestBindPose(void** state)
{
    (void)state;
    tgShape shape = tgMakeManyJoints();
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgRigDef def = tgShape_GetRigDef(&shape);
        def.skinning = (tgSkinning)skinning;
        tgRig* rig = tgMakeRig(&def);
        tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
        tgVec3* out = calloc((size_t)shape.vertexCount, sizeof(tgVec3));
        tgDeform(instance, shape.restJoints, tg_manyJoints, out, shape.vertexCount);
        for (int v = 0; v < shape.vertexCount; ++v) {
            // 1e-15: what the cosine of a right angle leaves in the rest positions.
            CHECK_NEAR(tgDistance(out[v], shape.positions[v]), 0.0, skinning == 0 ? 1e-15 : 2e-7);
        }
        free(out);
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
    }
    tgFreeShape(&shape);
}

// ---- normals, shape, memory, refusals -----------------------------------------------------------

static void tgTestNormals(void** state)
{
    (void)state;
    tgShape sphere = tgMakeSphere(64, 31);
    tgRigDef def = tgShape_GetRigDef(&sphere);
    def.restNormals = def.restPositions; // of a unit sphere
    tgRig* rig = tgMakeRig(&def);
    tgTransform t = tgIdentityTransform();
    t.rotation = tgMakeQuat(tgMakeVec3(0.0f, 0.6f, 0.8f), 1.0f);
    t.position = tgMakeVec3(5.0f, 6.0f, 7.0f);
    tgMat34 joint = tgMakeMat34(t);
    tgPose pose = {.joints = &joint, .jointCount = 1};
    tgVec3* normals = calloc((size_t)sphere.vertexCount, sizeof(tgVec3));
    for (int from = 0; from < 2; ++from) {
        tgInstanceDef instanceDef = tgDefaultInstanceDef();
        instanceDef.normals = (tgNormals)from;
        tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
        tgVec3Span out = {&normals->x, sphere.vertexCount, sizeof(tgVec3)};
        assert_int_equal(tgInstance_Deform(instance, &pose, (tgVec3Span){0}, out, NULL),
                         tg_success);
        for (int v = 0; v < sphere.vertexCount; ++v) {
            tgVec3 expected = tgMulMatDirection(&joint, sphere.positions[v]);
            CHECK_NEAR(tgLength(normals[v]), 1.0, 1e-6);
            CHECK_NEAR(tgDistance(normals[v], expected), 0.0, from == 0 ? 0.02 : 1e-6);
        }
        tgDestroyInstance(instance);
    }
    free(normals);
    tgDestroyRig(rig);
    tgFreeShape(&sphere);
}

/// A cube with flat sides keeps its hard edges although its corners are welded.
static void tgTestHardEdges(void** state)
{
    (void)state;
    tgShape cube = tgMakeCube(true);
    tgShape flat = tgMakeShape(24, 6, 24);
    tgVec3 flatNormals[24], out[24];
    for (int f = 0; f < 6; ++f) {
        int corners[4];
        for (int k = 0; k < 4; ++k) {
            corners[k] = 4 * f + k;
            flat.positions[4 * f + k] = cube.positions[cube.faceVertices[4 * f + k]];
        }
        tgVec3 a = flat.positions[4 * f];
        tgVec3 n =
            tgCross(tgSub(flat.positions[4 * f + 1], a), tgSub(flat.positions[4 * f + 3], a));
        for (int k = 0; k < 4; ++k) {
            flatNormals[4 * f + k] = n;
        }
        tgShape_AddFace(&flat, 4, corners);
    }
    tgRigDef def = tgShape_GetRigDef(&flat);
    def.restNormals = (tgVec3View){&flatNormals[0].x, 24, sizeof(tgVec3)};
    tgRig* rig = tgMakeRig(&def);
    assert_int_equal(tgRig_GetInfo(rig).weldedVertexCount, 8);
    tgMat34 joint = tgIdentityMat34();
    tgPose pose = {.joints = &joint, .jointCount = 1};
    for (int from = 0; from < 2; ++from) {
        tgInstanceDef instanceDef = tgDefaultInstanceDef();
        instanceDef.normals = (tgNormals)from;
        tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
        memset(out, 0, sizeof(out));
        assert_int_equal(tgInstance_Deform(instance, &pose, (tgVec3Span){0},
                                           (tgVec3Span){&out[0].x, 24, sizeof(tgVec3)}, NULL),
                         tg_success);
        for (int v = 0; v < 24; ++v) {
            CHECK_NEAR(tgDistance(out[v], flatNormals[v]), 0.0, 1e-6);
        }
        tgDestroyInstance(instance);
    }
    tgDestroyRig(rig);
    tgFreeShape(&cube);
    tgFreeShape(&flat);
}

/// Faces that came looking inwards are turned for the volume, but their normals look where they
/// did: a viewer still gets the winding of the file.
static void tgTestInwardFaces(void** state)
{
    (void)state;
    tgShape sphere = tgMakeSphere(24, 13);
    const int* end = sphere.faceVertices + sphere.cornerCount;
    int* face = sphere.faceVertices;
    for (int f = 0; f < sphere.faceCount; ++f) {
        int last = sphere.faceSizes[f] - 1, swap = face[1];
        face[1] = face[last];
        face[last] = swap;
        face += sphere.faceSizes[f];
    }
    assert_ptr_equal(face, end);
    tgVec3* normals = calloc((size_t)sphere.vertexCount, sizeof(tgVec3));
    tgMat34 joint = tgIdentityMat34();
    tgPose pose = {.joints = &joint, .jointCount = 1};
    for (int given = 0; given < 3; ++given) { // no rest normals; outwards; inwards
        tgRigDef def = tgShape_GetRigDef(&sphere);
        tgVec3* rest = calloc((size_t)sphere.vertexCount, sizeof(tgVec3));
        for (int v = 0; v < sphere.vertexCount; ++v) {
            rest[v] = tgMulSV(given == 2 ? -1.0f : 1.0f, sphere.positions[v]);
        }
        if (given > 0) {
            def.restNormals = (tgVec3View){&rest->x, sphere.vertexCount, sizeof(tgVec3)};
        }
        tgRig* rig = tgMakeRig(&def);
        assert_true(tgRig_GetInfo(rig).restVolume > 0.0);
        tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
        tgVec3Span out = {&normals->x, sphere.vertexCount, sizeof(tgVec3)};
        assert_int_equal(tgInstance_Deform(instance, &pose, (tgVec3Span){0}, out, NULL), 0);
        for (int v = 0; v < sphere.vertexCount; ++v) {
            float outwards = tgDot(normals[v], sphere.positions[v]);
            assert_true(given == 1 ? outwards > 0.9f : outwards < -0.9f);
        }
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
        free(rest);
    }
    free(normals);
    tgFreeShape(&sphere);
}

/// Normals have length 1 at any size that float can square.
static void tgTestTinyNormals(void** state)
{
    (void)state;
    for (int exponent = -7; exponent <= 7; exponent += 7) {
        tgShape sphere = tgMakeSphere(100, 99);
        for (int v = 0; v < sphere.vertexCount; ++v) {
            sphere.positions[v] = tgMulSV(powf(10.0f, (float)exponent), sphere.positions[v]);
        }
        tgRigDef def = tgShape_GetRigDef(&sphere);
        tgRig* rig = tgMakeRig(&def);
        tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
        tgVec3* normals = calloc((size_t)sphere.vertexCount, sizeof(tgVec3));
        tgMat34 joint = tgIdentityMat34();
        tgPose pose = {.joints = &joint, .jointCount = 1};
        tgVec3Span out = {&normals->x, sphere.vertexCount, sizeof(tgVec3)};
        assert_int_equal(tgInstance_Deform(instance, &pose, (tgVec3Span){0}, out, NULL), 0);
        for (int v = 0; v < sphere.vertexCount; ++v) {
            CHECK_NEAR(tgLength(normals[v]), 1.0, 1e-5);
        }
        free(normals);
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
        tgFreeShape(&sphere);
    }
}

/// A frame with a bind shape of its own equals a rig made from that shape, and sets the target.
static void tgTestShape(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(16, 33, 8.0f, 3.0f, 5.0f, true);
    tgRigDef def = tgShape_GetRigDef(&tube);
    tgRig* rig = tgMakeRig(&def);
    tgShape fat = tgMakeTube(16, 33, 8.0f, 3.0f, 5.0f, true);
    for (int v = 0; v < fat.vertexCount; ++v) {
        fat.positions[v].y *= 1.25f;
    }
    tgRigDef fatDef = tgShape_GetRigDef(&fat);
    tgRig* fatRig = tgMakeRig(&fatDef);
    tgMat34 joints[2];
    tgBendTube(&tube, 8.0f, 0.0f, 0.7, joints);
    tgInstance* morphed = tgMakeInstance(rig, tg_simdBest);
    tgInstance* made = tgMakeInstance(fatRig, tg_simdBest);
    tgPose pose = {.joints = joints, .jointCount = 2, .shapePositions = fatDef.restPositions};
    assert_int_equal(tgInstance_Deform(morphed, &pose, (tgVec3Span){0}, (tgVec3Span){0}, NULL), 0);
    tgDeform(made, joints, 2, NULL, 0);
    assert_true(tgInstance_GetStateHash(morphed) == tgInstance_GetStateHash(made));
    CHECK_NEAR(tgInstance_MeasureVolume(morphed).target / tgRig_GetInfo(fatRig).restVolume, 1.0,
               1e-6);
    tgDestroyInstance(morphed);
    tgDestroyInstance(made);
    tgDestroyRig(rig);
    tgDestroyRig(fatRig);
    tgFreeShape(&tube);
    tgFreeShape(&fat);
}

typedef struct tgCounter {
    int calls, live, failAt; ///< failAt: the call that finds no memory, counted from 1; 0 for none
    size_t bytes;
} tgCounter;

static void* tgCountedAlloc(size_t size, size_t alignment, void* user)
{
    tgCounter* counter = user;
    if (++counter->calls == counter->failAt) {
        return NULL;
    }
    counter->live += 1;
    counter->bytes += size;
    return aligned_alloc(alignment, size);
}

static void tgCountedFree(void* memory, size_t size, void* user)
{
    tgCounter* counter = user;
    counter->live -= 1;
    counter->bytes -= size;
    free(memory);
}

static void tgTestFrameAllocatesNothing(void** state)
{
    (void)state;
    tgCounter counter = {0};
    tgShape shape = tgMakeManyJoints();
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgRigDef def = tgShape_GetRigDef(&shape);
        def.skinning = (tgSkinning)skinning;
        def.allocator = (tgAllocator){tgCountedAlloc, tgCountedFree, &counter};
        tgRig* rig = tgMakeRig(&def);
        assert_int_equal(counter.live, 1); // the rig is one block
        tgInstanceDef instanceDef = tgDefaultInstanceDef();
        instanceDef.allocator = def.allocator;
        tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
        assert_int_equal(counter.live, 2); // and so is the instance
        int calls = counter.calls;
        tgMat34 joints[tg_manyJoints];
        tgVec3* out = calloc(2 * (size_t)shape.vertexCount, sizeof(tgVec3));
        for (int frame = 0; frame < 3; ++frame) {
            tgPoseManyJoints(&shape, 1.0f, frame > 0, joints);
            tgPose pose = {.joints = joints, .jointCount = tg_manyJoints};
            tgVec3Span positions = {&out->x, shape.vertexCount, sizeof(tgVec3)};
            tgVec3Span normals = {&out[shape.vertexCount].x, shape.vertexCount, sizeof(tgVec3)};
            assert_int_equal(tgInstance_Deform(instance, &pose, positions, normals, NULL), 0);
            tgInstance_MeasureVolume(instance);
        }
        assert_int_equal(counter.calls, calls);
        free(out);
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
        assert_int_equal(counter.live, 0);
        assert_int_equal(counter.bytes, 0);
    }
    tgFreeShape(&shape);
}

/// Each allocation fails in turn: an error in words, nothing leaked.
static void tgTestNoMemory(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(8, 5, 4.0f, 1.0f, 3.0f, true);
    tgCounter counter = {0};
    tgRigDef def = tgShape_GetRigDef(&tube);
    def.skinning = tg_dualQuaternion;
    def.allocator = (tgAllocator){tgCountedAlloc, tgCountedFree, &counter};
    int failures = 0;
    for (int failAt = 1;; ++failAt) {
        counter.calls = 0;
        counter.failAt = failAt;
        tgError error = {0};
        tgRig* rig = tgCreateRig(&def, &error);
        if (rig != NULL) {
            tgDestroyRig(rig);
            break;
        }
        failures += 1;
        assert_int_equal(error.code, tg_outOfMemory);
        assert_int_equal(counter.live, 0);
    }
    assert_true(failures > 10);
    tgFreeShape(&tube);
}

static void tgTestRefusals(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(8, 5, 4.0f, 1.0f, 3.0f, true);
    tgRigDef def = tgShape_GetRigDef(&tube);
    tgRig* rig = tgMakeRig(&def);
    tgInstance* instance = tgMakeInstance(rig, tg_simdBest);
    tgVec3 out[40] = {{0}};
    out[0].x = 42.0f;
    tgVec3Span span = {&out[0].x, 40, sizeof(tgVec3)}, none = {0}, small = {&out[0].x, 39, 12};
    tgMat34 joints[2];
    tgBendTube(&tube, 4.0f, 0.0f, 1.0, joints);
    tgPose pose = {.joints = joints, .jointCount = 2};
    tgError error = {0};
    assert_int_equal(tgInstance_Deform(instance, &pose, small, none, &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "39 positions, the mesh has 40");
    pose.jointCount = 1;
    assert_int_equal(tgInstance_Deform(instance, &pose, span, none, &error), tg_invalidPose);
    CHECK_CONTAINS(error.message, "1 joints, the skeleton has 2");
    pose.jointCount = 2;
    joints[1].y.z = NAN;
    assert_int_equal(tgInstance_Deform(instance, &pose, span, none, &error), tg_invalidPose);
    CHECK_CONTAINS(error.message, "joint 1");
    assert_int_equal(error.index, 1);
    joints[1].y.z = 3e38f; // a number, but positions would not be
    assert_int_equal(tgInstance_Deform(instance, &pose, span, none, &error), tg_invalidPose);
    CHECK_CONTAINS(error.message, "joint 1");
    assert_true(out[0].x == 42.0f); // untouched
    assert_int_equal(tgInstance_Deform(NULL, &pose, span, none, &error), tg_invalidArgument);

    tgInstanceDef instanceDef = {0};
    assert_null(tgCreateInstance(rig, &instanceDef, &error));
    CHECK_CONTAINS(error.message, "tgDefaultInstanceDef");
    instanceDef = tgDefaultInstanceDef();
    assert_null(tgCreateInstance(NULL, &instanceDef, &error));
    instanceDef.simd = (tgSimd)77;
    assert_null(tgCreateInstance(rig, &instanceDef, &error));
    tgDestroyInstance(instance);
    tgDestroyInstance(NULL);
    tgDestroyRig(rig);
    tgDestroyRig(NULL);
    tgFreeShape(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestBendLaws),
        cmocka_unit_test(tgTestPublishedLoss),
        cmocka_unit_test(tgTestManyInfluences),
        cmocka_unit_test(tgTestDualQuaternionReference),
        cmocka_unit_test(tgTestRigid),
        cmocka_unit_test(tgTestScaleAgrees),
        cmocka_unit_test(tgTestTarget),
        cmocka_unit_test(tgTestSameBits),
        cmocka_unit_test(tgTestBindPose),
        cmocka_unit_test(tgTestNormals),
        cmocka_unit_test(tgTestHardEdges),
        cmocka_unit_test(tgTestInwardFaces),
        cmocka_unit_test(tgTestTinyNormals),
        cmocka_unit_test(tgTestShape),
        cmocka_unit_test(tgTestFrameAllocatesNothing),
        cmocka_unit_test(tgTestNoMemory),
        cmocka_unit_test(tgTestRefusals),
    };
    return cmocka_run_group_tests_name("skin", tests, NULL, NULL);
}
