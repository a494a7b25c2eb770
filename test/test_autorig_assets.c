// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skeletons of characters whose own are forgotten, against what their artists made: a table, and
// bars. Then the same meshes with faces missing, with noise, finer, and in another order.

#include "autorig_checks.h"
#include "rig_samples.h"

#include <time.h>

enum { tg_mostMeasured = 4096 };

/// Sums over characters.
typedef struct tgTotals {
    int extremityCount, foundCount, falseCount, jointCount, hingeCount, ownCount;
    double distances[tg_mostMeasured], curve[tg_mostMeasured], hinges[tg_mostMeasured];
} tgTotals;

static tgAutorig* tgFind(const tgRigSample* sample, const tgAutorigDef* def)
{
    return tgMustFindRig(def, sample->file);
}

static void tgAddScore(const tgRigSample* sample, const tgScene* scene, const tgAutorig* rig,
                       double seconds, tgTotals* totals)
{
    static const char* const plans[] = {"", "biped", "quadruped", "hand", "none"};
    tgRigScore score = {.distances = totals->distances + totals->jointCount,
                        .curveDistances = totals->curve + totals->jointCount,
                        .hingeDistances = totals->hinges + totals->hingeCount};
    tgScoreRig(sample, scene, rig, &score, tg_mostMeasured - totals->jointCount);
    double own[tg_mostMeasured];
    memcpy(own, score.distances, (size_t)score.jointCount * sizeof(double));
    print_message("%-26s %-9s %c %2d/%2d %d false %3d joints, artist %3d: %.2f %.2f  %.2f s%s\n",
                  sample->file, plans[rig->plan], rig->isUpGuessed ? 'z' : ' ', score.foundCount,
                  score.extremityCount, score.falseCount, rig->jointCount, score.jointCount,
                  tgGetQuantile(own, score.jointCount, 0.5),
                  tgGetQuantile(own, score.jointCount, 0.9), seconds, score.missed);
    totals->extremityCount += score.extremityCount;
    totals->foundCount += score.foundCount;
    totals->falseCount += score.falseCount;
    totals->jointCount += score.jointCount;
    totals->hingeCount += score.hingeCount;
    totals->ownCount += rig->jointCount;
}

static double tgGetSeconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC; // of this process: the machine is shared
}

static void tgTestBars(void** state)
{
    (void)state;
    static tgTotals totals;
    tgBendScore bends = {0};
    int seen = 0, mirrored = 0, exact = 0;
    for (int i = 0; i < tg_rigSampleCount; ++i) {
        tgScene* scene = tgLoadRigSample(&tg_rigSamples[i]);
        if (scene == NULL) {
            continue;
        }
        seen += 1;
        tgAutorigDef def = tgGetAutorigDef(scene);
        double start = tgGetSeconds();
        tgAutorig* rig = tgFind(&tg_rigSamples[i], &def);
        tgAddScore(&tg_rigSamples[i], scene, rig, tgGetSeconds() - start, &totals);
        exact += tgIsPlaneX(rig) && rig->planeShare > 0.999f && tgCheckPartners(rig) > 0;
        mirrored += rig->hasPlane;
        int outside = 0;
        tgScene* own = tgBindSample(scene, rig, &outside);
        assert_int_equal(outside, 0);
        tgBendScore score = tgScoreBends(scene, own);
        bends.pairCount += score.pairCount;
        bends.artistFlips += score.artistFlips;
        bends.ownFlips += score.ownFlips;
        tgDestroyScene(own);
        tgDestroyAutorig(rig);
        tgDestroyScene(scene);
    }
    double median = tgGetQuantile(totals.distances, totals.jointCount, 0.5);
    double most = tgGetQuantile(totals.distances, totals.jointCount, 0.9);
    double hinges = tgGetQuantile(totals.hinges, totals.hingeCount, 0.5);
    print_message("extremities %d of %d, %d false; %d joints to ours: median %.3f, 90 %% %.3f; %d "
                  "knees, elbows, wrists, ankles %.3f; curve %.2f, %.2f radii\n",
                  totals.foundCount, totals.extremityCount, totals.falseCount, totals.jointCount,
                  median, most, totals.hingeCount, hinges,
                  tgGetQuantile(totals.curve, totals.jointCount, 0.5),
                  tgGetQuantile(totals.curve, totals.jointCount, 0.9));
    print_message("%d of %d have a mirror plane, %d are exactly their own images\n", mirrored, seen,
                  exact);
    print_message("60 degree bends of %d joints: artists turn %d faces over, ours %d\n",
                  bends.pairCount, bends.artistFlips, bends.ownFlips);
    CHECK_AT_MOST(bends.ownFlips, 0.4 * bends.artistFlips);
    if (seen < tg_rigSampleCount) {
        return; // the bars are for all of them
    }
    assert_true(mirrored >= 18);
    assert_int_equal(exact, 17);
    assert_true(totals.foundCount >= 143);
    assert_int_equal(totals.extremityCount, 147);
    assert_true(totals.falseCount <= 8);
    CHECK_AT_MOST(median, 0.30);
    CHECK_AT_MOST(most, 0.85);
    CHECK_AT_MOST(hinges, 0.22);
}

/// No constant was measured on these.
static void tgTestUnseen(void** state)
{
    (void)state;
    static tgTotals totals;
    for (int i = 0; i < tg_unseenSampleCount; ++i) {
        tgScene* scene = tgLoadRigSample(&tg_unseenSamples[i]);
        if (scene != NULL) {
            tgAutorigDef def = tgGetAutorigDef(scene);
            tgAutorig* rig = tgFind(&tg_unseenSamples[i], &def);
            tgAddScore(&tg_unseenSamples[i], scene, rig, 0.0, &totals);
            tgDestroyAutorig(rig);
            tgDestroyScene(scene);
        }
    }
    if (totals.jointCount == 0) {
        skip();
    }
    CHECK_AT_MOST(tgGetQuantile(totals.distances, totals.jointCount, 0.5), 0.6);
}

// ---- meshes as they are met ----

/// A copy of a mesh that may be changed; triangles.
typedef struct tgLooseMesh {
    int vertexCount, faceCount;
    tgVec3* positions;
    int* corners;
} tgLooseMesh;

static tgLooseMesh tgCopyMesh(const tgScene* scene)
{
    tgLooseMesh mesh = {.vertexCount = scene->vertexCount};
    for (int f = 0; f < scene->faceCount; ++f) {
        mesh.faceCount += scene->faceSizes[f] - 2;
    }
    mesh.positions = malloc((size_t)scene->vertexCount * sizeof(tgVec3));
    mesh.corners = malloc(3 * (size_t)mesh.faceCount * sizeof(int));
    memcpy(mesh.positions, scene->positions, (size_t)scene->vertexCount * sizeof(tgVec3));
    int* out = mesh.corners;
    const int* c = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; c += scene->faceSizes[f++]) {
        for (int k = 1; k + 1 < scene->faceSizes[f]; ++k, out += 3) {
            out[0] = c[0];
            out[1] = c[k];
            out[2] = c[k + 1];
        }
    }
    return mesh;
}

static void tgFreeMesh(tgLooseMesh* mesh)
{
    free(mesh->positions);
    free(mesh->corners);
}

/// A number in [0, 1) from a number.
static double tgScramble(uint64_t seed)
{
    seed = (seed + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebu;
    return (double)((seed ^ (seed >> 31)) >> 11) / 9007199254740992.0;
}

static void tgDropFaces(tgLooseMesh* mesh, double part)
{
    int kept = 0;
    for (int f = 0; f < mesh->faceCount; ++f) {
        if (tgScramble((uint64_t)f) >= part) {
            memmove(mesh->corners + 3 * (size_t)kept++, mesh->corners + 3 * (size_t)f,
                    3 * sizeof(int));
        }
    }
    mesh->faceCount = kept;
}

/// Vertices at one place stay together.
static void tgShake(tgLooseMesh* mesh, double part)
{
    double sum = 0.0;
    for (int i = 0; i < 3 * mesh->faceCount; ++i) {
        int next = i % 3 < 2 ? i + 1 : i - 2;
        sum += (double)tgDistance(mesh->positions[mesh->corners[i]],
                                  mesh->positions[mesh->corners[next]]);
    }
    double reach = part * sum / (3.0 * mesh->faceCount);
    for (int v = 0; v < mesh->vertexCount; ++v) {
        float* p = &mesh->positions[v].x;
        uint32_t bits[3];
        memcpy(bits, p, sizeof(bits));
        uint64_t seed = bits[0] * 31u + bits[1] * 1009u + bits[2] * 100003u;
        for (int k = 0; k < 3; ++k) {
            p[k] += (float)(reach * (2.0 * tgScramble(3u * seed + (uint64_t)k) - 1.0));
        }
    }
}

/// Every triangle in four; vertices at one place are welded again later.
static void tgSubdivide(tgLooseMesh* mesh)
{
    size_t faceCount = (size_t)mesh->faceCount;
    tgVec3* positions = malloc(12 * faceCount * sizeof(tgVec3));
    int* corners = malloc(12 * faceCount * sizeof(int));
    for (size_t f = 0; f < faceCount; ++f) {
        tgVec3 p[6];
        for (int k = 0; k < 3; ++k) {
            p[k] = mesh->positions[mesh->corners[3 * f + (size_t)k]];
        }
        for (int k = 0; k < 3; ++k) {
            p[3 + k] = tgMulSV(0.5f, tgAdd(p[k], p[(k + 1) % 3]));
        }
        static const int pieces[12] = {0, 3, 5, 3, 1, 4, 5, 4, 2, 3, 4, 5};
        for (size_t k = 0; k < 12; ++k) {
            positions[12 * f + k] = p[pieces[k]];
            corners[12 * f + k] = (int)(12 * f + k);
        }
    }
    tgFreeMesh(mesh);
    *mesh = (tgLooseMesh){(int)(12 * faceCount), (int)(4 * faceCount), positions, corners};
}

static tgAutorigDef tgLooseMesh_GetDef(const tgLooseMesh* mesh)
{
    tgAutorigDef def = tgDefaultAutorigDef();
    def.positions = (tgVec3View){&mesh->positions->x, mesh->vertexCount, sizeof(tgVec3)};
    def.faceVertices = mesh->corners;
    def.faceCount = mesh->faceCount;
    return def;
}

typedef void tgSpoilFcn(tgLooseMesh* mesh);

static void tgSpoilFaces(tgLooseMesh* mesh)
{
    tgDropFaces(mesh, 0.03);
}

static void tgSpoilPlaces(tgLooseMesh* mesh)
{
    tgShake(mesh, 0.05);
}

static void tgCheckSpoiled(const char* what, tgSpoilFcn* spoil)
{
    static tgTotals totals;
    totals = (tgTotals){0};
    print_message("%s\n", what);
    int seen = 0;
    for (int i = 0; i < tg_rigSampleCount; ++i) {
        tgScene* scene = tgLoadRigSample(&tg_rigSamples[i]);
        if (scene == NULL) {
            continue;
        }
        seen += 1;
        tgLooseMesh mesh = tgCopyMesh(scene);
        spoil(&mesh);
        tgAutorigDef def = tgLooseMesh_GetDef(&mesh);
        double start = tgGetSeconds();
        tgAutorig* rig = tgFind(&tg_rigSamples[i], &def);
        tgAddScore(&tg_rigSamples[i], scene, rig, tgGetSeconds() - start, &totals);
        tgDestroyAutorig(rig);
        tgFreeMesh(&mesh);
        tgDestroyScene(scene);
    }
    double most = tgGetQuantile(totals.distances, totals.jointCount, 0.9);
    print_message("extremities %d of %d; median %.3f, 90 %% %.3f\n", totals.foundCount,
                  totals.extremityCount, tgGetQuantile(totals.distances, totals.jointCount, 0.5),
                  most);
    if (seen == tg_rigSampleCount) {
        CHECK_AT_MOST(most, 1.0);
    }
}

static void tgTestMissingFaces(void** state)
{
    (void)state;
    tgCheckSpoiled("3 % of the faces missing", tgSpoilFaces);
}

static void tgTestNoise(void** state)
{
    (void)state;
    tgCheckSpoiled("noise of 5 % of an edge", tgSpoilPlaces);
}

static void tgTestFiner(void** state)
{
    (void)state;
    tgCheckSpoiled("subdivided once", tgSubdivide);
}

/// The last vertex first.
static void tgReverse(tgLooseMesh* mesh)
{
    int last = mesh->vertexCount - 1;
    for (int v = 0; v < mesh->vertexCount / 2; ++v) {
        tgVec3 swapped = mesh->positions[v];
        mesh->positions[v] = mesh->positions[last - v];
        mesh->positions[last - v] = swapped;
    }
    for (int i = 0; i < 3 * mesh->faceCount; ++i) {
        mesh->corners[i] = last - mesh->corners[i];
    }
}

static void tgTestOrder(void** state)
{
    (void)state;
    for (int i = 0; i < tg_rigSampleCount; ++i) {
        tgScene* scene = tgLoadRigSample(&tg_rigSamples[i]);
        if (scene == NULL) {
            continue;
        }
        tgLooseMesh mesh = tgCopyMesh(scene);
        tgAutorigDef def = tgLooseMesh_GetDef(&mesh);
        tgAutorig* rig = tgFind(&tg_rigSamples[i], &def);
        float diagonal = 0.0f;
        for (int v = 0; v < mesh.vertexCount; ++v) {
            diagonal = fmaxf(diagonal, tgDistance(mesh.positions[0], mesh.positions[v]));
        }
        tgReverse(&mesh);
        tgAutorig* other = tgFind(&tg_rigSamples[i], &def);
        assert_int_equal(rig->jointCount, other->jointCount);
        for (int j = 0; j < rig->jointCount; ++j) {
            assert_string_equal(rig->joints[j].name, other->joints[j].name);
            CHECK_AT_MOST(tgDistance(rig->joints[j].position, other->joints[j].position),
                          1e-3f * diagonal);
        }
        tgDestroyAutorig(rig);
        tgDestroyAutorig(other);
        tgFreeMesh(&mesh);
        tgDestroyScene(scene);
    }
}

/// 13 380 and 53 514 vertices, in seconds of one core.
static void tgTestTime(void** state)
{
    (void)state;
    static const struct {
        const char* file;
        double most;
    } cases[] = {{"human_makehuman.glb", 0.5}, {"human_makehuman_53k.glb", 2.5}};
    for (int i = 0; i < 2; ++i) {
        tgRigSample sample = {.file = cases[i].file};
        tgScene* scene = tgLoadRigSample(&sample);
        if (scene == NULL) {
            continue;
        }
        tgAutorigDef def = tgGetAutorigDef(scene);
        double start = tgGetSeconds();
        tgAutorig* rig = tgFind(&sample, &def);
        double seconds = tgGetSeconds() - start;
        print_message("%-26s %.2f s\n", sample.file, seconds);
        assert_int_equal(rig->plan, tg_planBiped);
#if defined(NDEBUG) && !defined(TURGOR_SANITIZED)
        CHECK_AT_MOST(seconds, cases[i].most);
#endif
        tgDestroyAutorig(rig);
        tgDestroyScene(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestBars),  cmocka_unit_test(tgTestUnseen),
        cmocka_unit_test(tgTestOrder), cmocka_unit_test(tgTestMissingFaces),
        cmocka_unit_test(tgTestNoise), cmocka_unit_test(tgTestFiner),
        cmocka_unit_test(tgTestTime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
