// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The frame as a whole: the same bits for all workers and backends, the bind pose, normals, bind
// shapes, nothing allocated, every allocation failed in turn, refusals.

#include "core/rig.h"
#include "counted_memory.h"
#include "many_joints.h"

#include <pthread.h>

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
            tgRig* rig = tgMustCreateRig(&def);
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
        tgRig* rig = tgMustCreateRig(&def);
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
    tgRig* rig = tgMustCreateRig(&def);
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
/// Blended normals follow the joints, whatever the volume stage does: with joints that scale it
/// skins its target as well.
static void tgTestBlendedNormals(void** state)
{
    (void)state;
    tgShape shape = tgMakeManyJoints();
    tgMat34 joints[tg_manyJoints];
    tgPoseManyJoints(&shape, 2.0f, true, joints);
    tgVec3* normals[3];
    for (int method = tg_volumeNone; method <= tg_volumeLocal; ++method) {
        tgRigDef def = tgShape_GetRigDef(&shape);
        def.volume.method = (tgVolumeMethod)method;
        tgRig* rig = tgMustCreateRig(&def);
        tgInstanceDef instanceDef = tgDefaultInstanceDef();
        instanceDef.normals = tg_normalsBlended;
        tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
        normals[method] = calloc((size_t)shape.vertexCount, sizeof(tgVec3));
        tgPose pose = {.joints = joints, .jointCount = tg_manyJoints};
        tgVec3Span out = {&normals[method]->x, shape.vertexCount, sizeof(tgVec3)};
        assert_int_equal(tgInstance_Deform(instance, &pose, (tgVec3Span){0}, out, NULL),
                         tg_success);
        assert_memory_equal(normals[method], normals[0],
                            (size_t)shape.vertexCount * sizeof(tgVec3));
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
    }
    for (int i = 0; i < 3; ++i) {
        free(normals[i]);
    }
    tgFreeShape(&shape);
}

/// Twice what a face gives the normal of its corner k: twice its vector area for a triangle, the
/// mean over its two triangulations for a quad.
static tgVec3 tgGetCornerArea(const tgVec3* p, const int* face, int size, int k)
{
    tgVec3 a = p[face[k]], b = p[face[(k + 1) % size]], c = p[face[(k + 2) % size]];
    tgVec3 area = tgCross(tgSub(b, a), tgSub(c, a));
    if (size == 3) {
        return tgMulSV(2.0f, area);
    }
    tgVec3 d = p[face[(k + 3) % size]];
    return tgAdd(tgCross(tgSub(b, a), tgSub(d, a)), tgAdd(area, tgCross(tgSub(c, a), tgSub(d, a))));
}

/// Normals of the surface against sums over the faces, one by one: triangles and quads, open ends,
/// vertices of many faces.
static void tgTestNormalsOfFaces(void** state)
{
    (void)state;
    tgShape shapes[4] = {tgMakeCube(false), tgMakeSphere(150, 9), tgMakeTorus(12, 7),
                         tgMakeTube(9, 7, 6.0f, 2.0f, 4.0f, true)};
    for (int i = 0; i < 4; ++i) {
        tgShape* shape = &shapes[i];
        for (int v = 0; v < shape->vertexCount; ++v) { // nothing even
            tgVec3* p = &shape->positions[v];
            p->x += 0.03f * sinf(7.0f * (float)v);
            p->y += 0.03f * cosf(5.0f * (float)v);
        }
        tgRigDef def = tgShape_GetRigDef(shape);
        tgRig* rig = tgMustCreateRig(&def);
        tgInstanceDef instanceDef = tgDefaultInstanceDef();
        tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
        tgVec3* normals = calloc((size_t)shape->vertexCount, sizeof(tgVec3));
        tgVec3* expected = calloc((size_t)shape->vertexCount, sizeof(tgVec3));
        tgPose pose = {.joints = shape->restJoints, .jointCount = shape->jointCount};
        tgVec3Span out = {&normals->x, shape->vertexCount, sizeof(tgVec3)};
        assert_int_equal(tgInstance_Deform(instance, &pose, (tgVec3Span){0}, out, NULL), 0);
        const int* face = shape->faceVertices;
        for (int f = 0; f < shape->faceCount; face += shape->faceSizes[f], ++f) {
            for (int k = 0; k < shape->faceSizes[f]; ++k) {
                tgVec3 area = tgGetCornerArea(shape->positions, face, shape->faceSizes[f], k);
                expected[face[k]] = tgAdd(expected[face[k]], area);
            }
        }
        for (int v = 0; v < shape->vertexCount; ++v) {
            tgVec3 n = tgNormalize(expected[v], tgMakeVec3(0.0f, 0.0f, 0.0f));
            CHECK_NEAR(tgDistance(normals[v], n), 0.0, 1e-5);
        }
        free(normals);
        free(expected);
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
        tgFreeShape(shape);
    }
}

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
    tgRig* rig = tgMustCreateRig(&def);
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
        tgRig* rig = tgMustCreateRig(&def);
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
        tgRig* rig = tgMustCreateRig(&def);
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
    tgRig* rig = tgMustCreateRig(&def);
    tgShape fat = tgMakeTube(16, 33, 8.0f, 3.0f, 5.0f, true);
    for (int v = 0; v < fat.vertexCount; ++v) {
        fat.positions[v].y *= 1.25f;
    }
    tgRigDef fatDef = tgShape_GetRigDef(&fat);
    tgRig* fatRig = tgMustCreateRig(&fatDef);
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

static void tgTestFrameAllocatesNothing(void** state)
{
    (void)state;
    tgCounter counter = {0};
    tgShape shape = tgMakeManyJoints();
    for (int which = 0; which < 6; ++which) {
        tgRigDef def = tgShape_GetRigDef(&shape);
        def.skinning = (tgSkinning)(which & 1);
        def.volume.method = (tgVolumeMethod)(which >> 1);
        def.allocator = tgCounter_GetAllocator(&counter);
        tgRig* rig = tgMustCreateRig(&def);
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
    def.allocator = tgCounter_GetAllocator(&counter);
    int failures = 0;
    for (int method = tg_volumeNone; method <= tg_volumeLocal; ++method) {
        def.volume.method = (tgVolumeMethod)method;
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
    }
    assert_true(failures > 100);
    tgFreeShape(&tube);
}

/// A large mesh needs memory in proportion to it: 1500 bytes a vertex, with all that is made in
/// between.
static void tgTestRigMemory(void** state)
{
    (void)state;
    for (int size = 60; size <= 240; size *= 2) {
        tgShape tube = tgMakeTube(size, size, 8.0f, 3.0f, 5.0f, true);
        tgCounter counter = {0};
        tgRigDef def = tgShape_GetRigDef(&tube);
        def.volume.method = tg_volumeExact;
        def.allocator = tgCounter_GetAllocator(&counter);
        tgRig* rig = tgMustCreateRig(&def);
        tgInstanceDef instanceDef = tgDefaultInstanceDef();
        instanceDef.allocator = def.allocator;
        tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
        assert_non_null(instance);
        CHECK_AT_MOST((double)counter.mostBytes / tube.vertexCount, 1500.0);
        tgDestroyInstance(instance);
        tgDestroyRig(rig);
        tgFreeShape(&tube);
    }
}

static void tgTestRefusals(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(8, 5, 4.0f, 1.0f, 3.0f, true);
    tgRigDef def = tgShape_GetRigDef(&tube);
    tgRig* rig = tgMustCreateRig(&def);
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

/// Memory of one allocator is not given back to another.
static void tgTestHalfAllocator(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(8, 5, 4.0f, 1.5f, 2.5f, true);
    tgRigDef def = tgShape_GetRigDef(&tube);
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    tgCounter counter = {0};
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    instanceDef.allocator = tgCounter_GetAllocator(&counter);
    instanceDef.allocator.freeFcn = NULL;
    def.allocator = instanceDef.allocator;
    tgError error = {0};
    assert_null(tgCreateInstance(rig, &instanceDef, &error));
    assert_int_equal(error.code, tg_invalidArgument);
    assert_null(tgCreateRig(&def, &error));
    assert_int_equal(error.code, tg_invalidArgument);
    assert_int_equal(counter.calls, 0);
    tgDestroyRig(rig);
    tgFreeShape(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestHalfAllocator),
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
        cmocka_unit_test(tgTestBlendedNormals),
        cmocka_unit_test(tgTestNormalsOfFaces),
        cmocka_unit_test(tgTestRigMemory),
    };
    return cmocka_run_group_tests_name("instance", tests, NULL, NULL);
}
