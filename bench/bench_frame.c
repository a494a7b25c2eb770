// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What a frame costs on one thread: a tube of 100 000 vertices over 64 joints, four influences
// each. Prints nanoseconds per vertex, the least of many runs, and the ratio to plain SSE skinning.
//
//   bench_frame [--csv FILE]

#include "bars.h"
#include "clock.h"
#include "core/instance.h"
#include "core/volume.h"
#include "plain_sse.h"

#include <stdio.h>
#include <string.h>

enum { tg_around = 250, tg_rings = 400, tg_joints = 64, tg_vertices = tg_around * tg_rings };

static struct {
    tgVec3 positions[tg_vertices], normals[tg_vertices], out[tg_vertices], outNormals[tg_vertices];
    int faces[6 * tg_around * (tg_rings - 1)];
    int joints[4 * tg_vertices];
    float weights[4 * tg_vertices];
    int parents[tg_joints];
    tgMat34 rest[tg_joints], posed[tg_joints];
    float palette[16 * tg_joints];
} tg_scene;

/// A tube along x with a joint every unit; each vertex follows the four nearest.
static tgRigDef tgMakeTube(void)
{
    int faceCount = 0;
    for (int i = 0; i < tg_rings; ++i) {
        float x = (float)(tg_joints - 1) * (float)i / (float)(tg_rings - 1);
        int first = (int)x - 1 < 0 ? 0 : (int)x - 1;
        first = first > tg_joints - 4 ? tg_joints - 4 : first;
        float total = 0.0f, w[4];
        for (int k = 0; k < 4; ++k) {
            float d = x - (float)(first + k);
            w[k] = 1.0f / (0.1f + d * d);
            total += w[k];
        }
        for (int a = 0; a < tg_around; ++a) {
            int v = i * tg_around + a, next = i * tg_around + (a + 1) % tg_around;
            float angle = 6.2831853f * (float)a / tg_around;
            tg_scene.positions[v] = tgMakeVec3(x, cosf(angle), sinf(angle));
            tg_scene.normals[v] = tgMakeVec3(0.0f, cosf(angle), sinf(angle));
            for (int k = 0; k < 4; ++k) {
                tg_scene.joints[4 * v + k] = first + k;
                tg_scene.weights[4 * v + k] = w[k] / total;
            }
            if (i + 1 < tg_rings) {
                int* f = tg_scene.faces + 3 * faceCount;
                const int two[6] = {v, next, next + tg_around, v, next + tg_around, v + tg_around};
                memcpy(f, two, sizeof(two));
                faceCount += 2;
            }
        }
    }
    tgRigDef def = tgDefaultRigDef();
    def.restPositions = (tgVec3View){&tg_scene.positions[0].x, tg_vertices, sizeof(tgVec3)};
    def.restNormals = (tgVec3View){&tg_scene.normals[0].x, tg_vertices, sizeof(tgVec3)};
    def.faceVertices = tg_scene.faces;
    def.faceCount = faceCount;
    def.jointParents = tg_scene.parents;
    def.restJoints = tg_scene.rest;
    def.jointCount = tg_joints;
    def.influenceJoints = tg_scene.joints;
    def.influenceWeights = tg_scene.weights;
    return def;
}

static void tgMakeJoints(void)
{
    tgMat34 parent = tgIdentityMat34();
    for (int j = 0; j < tg_joints; ++j) {
        tgTransform local = tgIdentityTransform();
        local.position.x = j > 0 ? 1.0f : 0.0f;
        local.rotation = tgMakeQuat(tgMakeVec3(0.0f, 0.6f, 0.8f), 0.1f);
        tgMat34 m = tgMakeMat34(local);
        tg_scene.parents[j] = j - 1;
        tg_scene.rest[j] = tgIdentityMat34();
        tg_scene.rest[j].origin.x = (float)j;
        tg_scene.posed[j] = parent = tgMulMat34(&parent, &m);
    }
}

// ---- what is timed ------------------------------------------------------------------------------

typedef struct tgJob {
    tgInstance* instance;
    tgVec3Span positions, normals;
} tgJob;

static void tgRunFrame(void* context)
{
    tgJob* job = context;
    tgPose pose = {.joints = tg_scene.posed, .jointCount = tg_joints};
    tgInstance_Deform(job->instance, &pose, job->positions, job->normals, NULL);
}

#ifdef TG_HAVE_PLAIN_SSE
static void tgRunPlain(void* context)
{
    (void)context;
    tgPlainSse(&tg_scene.positions[0].x, tg_scene.joints, tg_scene.weights, tg_scene.palette,
               &tg_scene.out[0].x, tg_vertices);
}

/// @param context whether normals have length 1
static void tgRunPlainNormals(void* context)
{
    const bool* unit = context;
    tgPlainSseNormals(&tg_scene.positions[0].x, &tg_scene.normals[0].x, tg_scene.joints,
                      tg_scene.weights, tg_scene.palette, &tg_scene.out[0].x,
                      &tg_scene.outNormals[0].x, tg_vertices, *unit);
}
#endif

// ---- the table ----------------------------------------------------------------------------------

static double tg_yardstick; ///< least time of plain SSE
static FILE* tg_csv;

/// @param bar of the ratio to plain SSE; 0 for none
static void tgPrintRow(const char* what, const char* backend, tgTiming time, uint64_t hash,
                       double bar)
{
    double ns = 1e9 * time.least / tg_vertices, late = 1e9 * time.percentile99 / tg_vertices;
    double ratio = tg_yardstick > 0.0 ? time.least / tg_yardstick : 0.0;
    printf("%-34s %-7s %8.2f %8.2f %8.2f   %016llx", what, backend, ns, late, ratio,
           (unsigned long long)hash);
    if (bar > 0.0 && ratio > 0.0) {
        tgTellBar(ratio, tg_atMost, bar);
    }
    printf("\n");
    if (tg_csv != NULL) {
        fprintf(tg_csv, "%s,%s,%d,1,%d,%.3f,%.3f,%.3f,0,%016llx\n", what, backend, tg_vertices,
                tg_runCount, ns, late, ratio, (unsigned long long)hash);
    }
}

/// Times plain SSE, of the best backend (docs/numbers.md).
static const double tg_linearBar = 0.77, tg_normalsBar = 1.06, tg_dualBar = 1.54;

static bool tgIsBest(const tgRig* rig, const tgInstance* instance)
{
    tgInstance* best = tgCreateInstance(rig, NULL, NULL);
    bool isBest =
        best != NULL && strcmp(tgInstance_GetSimdName(best), tgInstance_GetSimdName(instance)) == 0;
    tgDestroyInstance(best);
    return isBest;
}

static void tgBenchBackend(const tgRigDef* tube, tgSimd simd)
{
    tgVec3Span none = {0}, out = {&tg_scene.out[0].x, tg_vertices, sizeof(tgVec3)};
    tgVec3Span outNormals = {&tg_scene.outNormals[0].x, tg_vertices, sizeof(tgVec3)};
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgRigDef def = *tube;
        def.skinning = (tgSkinning)skinning;
        tgRig* rig = tgCreateRig(&def, NULL);
        for (int from = 0; from < 2; ++from) {
            tgInstanceDef instanceDef = tgDefaultInstanceDef();
            instanceDef.simd = simd;
            instanceDef.normals = (tgNormals)from;
            tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
            if (instance == NULL) {
                continue;
            }
            const char* backend = tgInstance_GetSimdName(instance);
            bool isBest = tgIsBest(rig, instance);
            const char* blend = skinning == 0 ? "linear" : "dual quaternion";
            tgJob job = {.instance = instance, .positions = out, .normals = none};
            char what[64];
            if (from == 0) {
                tgTiming time = tgTimeRuns(tgRunFrame, &job, tg_runCount);
                tgPrintRow(blend, backend, time, tgInstance_GetStateHash(instance),
                           !isBest         ? 0.0
                           : skinning == 0 ? tg_linearBar
                                           : tg_dualBar);
            }
            job.normals = outNormals;
            snprintf(what, sizeof(what), "%s + normals %s", blend, from ? "blended" : "of surface");
            tgTiming time = tgTimeRuns(tgRunFrame, &job, tg_runCount);
            bool isHeld = isBest && skinning == 0 && instanceDef.normals == tg_normalsBlended;
            tgPrintRow(what, backend, time, tgInstance_GetStateHash(instance),
                       isHeld ? tg_normalsBar : 0.0);
            tgDestroyInstance(instance);
        }
        tgDestroyRig(rig);
    }
}

int main(int argc, char** argv)
{
    if (argc == 3 && strcmp(argv[1], "--csv") == 0) {
        tg_csv = fopen(argv[2], "w");
    }
    if (argc != 1 && tg_csv == NULL) {
        fprintf(stderr, "usage: bench_frame [--csv FILE]\n");
        return 2;
    }
    tgMakeJoints();
    tgRigDef tube = tgMakeTube();
    printf(
        "tube, %d vertices, %d joints, 4 influences, 1 thread, least and 99th percentile of %d\n\n",
        tg_vertices, tg_joints, tg_runCount);
    printf("%-34s %-7s %8s %8s %8s   %s\n", "", "", "ns/vert", "99 %", "/ plain", "hash");
    if (tg_csv != NULL) {
        fprintf(tg_csv, "what,backend,vertices,threads,runs,ns_per_vertex_least,"
                        "ns_per_vertex_99,ratio_to_plain_sse,allocations,hash\n");
    }
#ifdef TG_HAVE_PLAIN_SSE
    tgMat34d skinMatrices[tg_joints];
    for (int j = 0; j < tg_joints; ++j) {
        tgMat34 inverse = tgIdentityMat34();
        inverse.origin.x = -(float)j;
        tgMat34 m = tgMulMat34(&tg_scene.posed[j], &inverse);
        skinMatrices[j] = tgMat34d_FromFloat(&m);
    }
    tgFillMatrixPalette(skinMatrices, tg_joints, tg_scene.palette);
    tgTiming plain = tgTimeRuns(tgRunPlain, NULL, tg_runCount);
    tg_yardstick = plain.least;
    tgPrintRow("plain SSE linear (yardstick)", "", plain, 0, 0.0);
    bool unit = false;
    tgPrintRow("plain SSE + normals, as ozz", "", tgTimeRuns(tgRunPlainNormals, &unit, tg_runCount),
               0, 0.0);
    unit = true;
    tgPrintRow("plain SSE + normals of length 1", "",
               tgTimeRuns(tgRunPlainNormals, &unit, tg_runCount), 0, 0.0);
#endif
    for (int simd = tg_simdScalar; simd <= tg_simdWasm; ++simd) {
        tgBenchBackend(&tube, (tgSimd)simd);
    }
    return tgEndBench(tg_csv);
}
