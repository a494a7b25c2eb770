// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Regions against brute force: who belongs to whom, each face once; losses by prisms one by one
// and as sums over the whole; the maps by their formulas; the bones that count; and the closed form
// against one written down plainly.

#include "core/mat34d.h"
#include "spine.h"

static const double tg_bend[tg_spineJoints] = {0.0, 0.7, -0.5, 0.6};

static double tgGetWeight(const tgShape* shape, int v, int joint)
{
    double weight = 0.0;
    for (int k = 0; k < shape->influencesPerVertex; ++k) {
        int i = v * shape->influencesPerVertex + k;
        weight += shape->joints[i] == joint ? (double)shape->weights[i] : 0.0;
    }
    return weight;
}

/// The joint with the largest summed weight.
static int tgGetMainJoint(const tgShape* shape, const int* vertices, int count)
{
    int best = 0;
    double most = -1.0;
    for (int j = 0; j < shape->jointCount; ++j) {
        double sum = 0.0;
        for (int i = 0; i < count; ++i) {
            sum += tgGetWeight(shape, vertices[i], j);
        }
        if (sum > most + 1e-6) {
            most = sum;
            best = j;
        }
    }
    return best;
}

// ---- segmentation -------------------------------------------------------------------------------

static void tgTestSegmentation(void** state)
{
    (void)state;
    tgVolumeDef volume = tgLocalVolume();
    tgStage stage = tgMakeStage(tgMakeSpine(0.3f), tg_linear, &volume);
    const tgShape* shape = &stage.shape;
    const tgRegions* regions = &stage.rig->regions;
    assert_int_equal(regions->count, tg_spineJoints);
    for (int v = 0; v < shape->vertexCount; ++v) {
        assert_int_equal(tgRig_GetRegion(stage.rig, v), tgGetMainJoint(shape, &v, 1));
    }
    // Every face once, in the region of its joint.
    int* owners = calloc((size_t)shape->faceCount, sizeof(int));
    int quads = 0, triangles = 0;
    for (int r = 0; r < regions->count; ++r) {
        const tgRegion* region = &regions->regions[r];
        assert_int_equal(region->joint, r);
        triangles += region->ownTriangleCount;
        quads += region->ownQuadCount;
        for (int q = 0; q < region->ownQuadCount; ++q) {
            const int* corners = regions->quads + 4 * (region->firstQuad + q);
            for (int f = 0; f < shape->faceCount; ++f) {
                if (memcmp(corners, shape->faceVertices + 4 * f, 4 * sizeof(int)) == 0) {
                    owners[f] += r + 1;
                    assert_int_equal(tgGetMainJoint(shape, corners, 4), r);
                }
            }
        }
        // Takers are of the region, and nothing moves where two regions meet.
        for (int i = 0; i < region->takerCount; ++i) {
            int v = regions->takers[region->firstTaker + i];
            assert_int_equal(tgRig_GetRegion(stage.rig, v), r);
        }
    }
    assert_int_equal(quads, shape->faceCount);
    assert_int_equal(triangles, 2 * tg_spineAround); // the caps
    for (int f = 0; f < shape->faceCount; ++f) {
        assert_true(owners[f] > 0 && owners[f] <= regions->count);
    }
    free(owners);
    tgFreeStage(&stage);
}

// ---- losses -------------------------------------------------------------------------------------

static double tgDet(const double* a, const double* b, const double* c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// The signed volume between a rest triangle and a posed one, walls cut in four at their middles.
static double tgPrism(const double rest[3][3], const double posed[3][3])
{
    double sum = tgDet(posed[0], posed[1], posed[2]) - tgDet(rest[0], rest[1], rest[2]);
    for (int k = 0; k < 3; ++k) {
        int n = (k + 1) % 3;
        const double* wall[4] = {posed[n], posed[k], rest[k], rest[n]};
        double middle[3];
        for (int i = 0; i < 3; ++i) {
            middle[i] = 0.25 * (wall[0][i] + wall[1][i] + wall[2][i] + wall[3][i]);
        }
        for (int t = 0; t < 4; ++t) {
            sum += tgDet(wall[t], wall[(t + 1) % 4], middle);
        }
    }
    return sum / 6.0;
}

/// Vertices at rest and as posed and carried back by the inverse of a joint's skin matrix; the
/// middles of the two open ends last.
static void tgCarryBack(const tgStage* plain, const tgMat34* joints, int joint, double (*rest)[3],
                        double (*back)[3])
{
    const tgShape* shape = &plain->shape;
    tgMat34d posed = tgMat34d_FromFloat(&joints[joint]), inverse = {0};
    tgMat34d bind = tgMat34d_FromFloat(&shape->restJoints[joint]);
    assert_true(tgMat34d_Invert(&posed, &inverse));
    tgMat34d m = tgMat34d_Mul(&bind, &inverse);
    int n = shape->vertexCount;
    memset(rest[n], 0, 6 * sizeof(double));
    memset(back[n], 0, 6 * sizeof(double));
    for (int v = 0; v < n; ++v) {
        const float *p = &plain->out[v].x, *r = &shape->positions[v].x;
        int end = v < tg_spineAround ? 0 : v >= n - tg_spineAround ? 1 : -1;
        for (int i = 0; i < 3; ++i) {
            rest[v][i] = (double)r[i];
            back[v][i] = m.c[0][i] * (double)p[0] + m.c[1][i] * (double)p[1] +
                         m.c[2][i] * (double)p[2] + m.c[3][i];
            if (end >= 0) {
                rest[n + end][i] += rest[v][i] / tg_spineAround;
                back[n + end][i] += back[v][i] / tg_spineAround;
            }
        }
    }
}

/// Prisms over the triangles of a quad in both ways, or over a cap's triangle.
static double tgSumPrisms(double (*rest)[3], double (*back)[3], const int* corners, int count)
{
    static const int cuts[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}};
    double sum = 0.0;
    for (int t = 0; t < (count == 3 ? 1 : 4); ++t) {
        double from[3][3], to[3][3];
        for (int k = 0; k < 3; ++k) {
            memcpy(from[k], rest[corners[cuts[t][k]]], sizeof(from[k]));
            memcpy(to[k], back[corners[cuts[t][k]]], sizeof(to[k]));
        }
        sum += (count == 3 ? 1.0 : 0.5) * tgPrism((const double(*)[3])from, (const double(*)[3])to);
    }
    return sum;
}

/// Every region's loss by prisms, against prisms one by one in the frame of its joint.
static void tgTestPrisms(void** state)
{
    (void)state;
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgVolumeDef volume = tgLocalVolume(), none = tgDefaultRigDef().volume;
        volume.local.loss = tg_lossPrisms;
        tgStage stage = tgMakeStage(tgMakeSpine(0.3f), (tgSkinning)skinning, &volume);
        tgStage plain = tgMakeStage(tgMakeSpine(0.3f), (tgSkinning)skinning, &none);
        const tgShape* shape = &plain.shape;
        tgMat34 joints[tg_spineJoints];
        tgBendSpine(shape, tg_bend, joints);
        tgPlay(&stage, joints, 0.0f);
        tgPlay(&plain, joints, 0.0f);
        size_t n = (size_t)shape->vertexCount + 2;
        double(*rest)[3] = calloc(n, sizeof(*rest));
        double(*back)[3] = calloc(n, sizeof(*back));
        tgReport report = tgInstance_GetReport(stage.instance);
        assert_int_equal(report.lossCount, tg_spineJoints);
        for (int i = 0; i < report.lossCount; ++i) {
            int joint = report.losses[i].joint;
            tgCarryBack(&plain, joints, joint, rest, back);
            double sum = 0.0;
            for (int f = 0; f < shape->faceCount; ++f) {
                const int* corners = shape->faceVertices + 4 * f;
                sum += tgGetMainJoint(shape, corners, 4) == joint
                           ? tgSumPrisms(rest, back, corners, 4)
                           : 0.0;
            }
            for (int end = 0; end < 2; ++end) { // caps turn rigidly with the first and last bone
                int first = end == 0 ? 0 : shape->vertexCount - tg_spineAround;
                for (int k = 0; k < tg_spineAround; ++k) {
                    int a = first + k, b = first + (k + 1) % tg_spineAround;
                    const int cap[3] = {end == 0 ? b : a, end == 0 ? a : b,
                                        shape->vertexCount + end};
                    bool isOwn = joint == (end == 0 ? 0 : tg_spineJoints - 1);
                    sum += isOwn ? tgSumPrisms(rest, back, cap, 3) : 0.0;
                }
            }
            CHECK_NEAR(report.losses[i].loss, sum, 2e-5);
            assert_true(fabs(sum) > 0.01 || skinning == tg_dualQuaternion);
        }
        free(rest);
        free(back);
        tgFreeStage(&stage);
        tgFreeStage(&plain);
    }
}

/// Closed regions: their losses sum to what the whole lost, also far from the origin and with the
/// bones off the middle, where prisms see only a part.
static void tgTestClosedSums(void** state)
{
    (void)state;
    for (int which = 0; which < 8; ++which) {
        float offset = which & 1 ? 0.5f : 0.0f;
        tgVolumeDef volume = tgLocalVolume(), none = tgDefaultRigDef().volume;
        volume.local.scope = (tgLocalScope)(which >> 1 & 1);
        tgStage stage = tgMakeStage(tgMakeSpine(offset), (tgSkinning)(which >> 2), &volume);
        tgStage plain = tgMakeStage(tgMakeSpine(offset), (tgSkinning)(which >> 2), &none);
        tgMat34 joints[tg_spineJoints];
        tgBendSpine(&stage.shape, tg_bend, joints);
        for (int j = 0; j < tg_spineJoints; ++j) {
            joints[j].origin = tgAdd(joints[j].origin, tgMakeVec3(30.0f, -20.0f, 40.0f));
        }
        tgPlay(&stage, joints, 0.0f);
        tgPlay(&plain, joints, 0.0f);
        tgVolumeReport lost = tgInstance_MeasureVolume(plain.instance);
        tgReport report = tgInstance_GetReport(stage.instance);
        double sum = 0.0;
        for (int i = 0; i < report.lossCount; ++i) {
            sum += report.losses[i].loss;
        }
        CHECK_NEAR(sum / lost.rest, (lost.result - lost.rest) / lost.rest, 2e-5);
        tgFreeStage(&stage);
        tgFreeStage(&plain);
    }
}

// ---- maps ---------------------------------------------------------------------------------------

/// Distance to the nearest of some bones of the spine, by sampling.
static double tgGetDistance(const tgShape* spine, int v, int firstBone, int boneCount)
{
    double least = 1e9;
    for (int i = 0; i <= 4000; ++i) {
        double x = 2.5 * (firstBone + boneCount * i / 4000.0);
        tgVec3 at = tgMakeVec3((float)x, spine->restJoints[0].origin.y, 0.0f);
        least = fmin(least, (double)tgDistance(spine->positions[v], at));
    }
    return least;
}

/// The area round each vertex in the bind pose, in double.
static double* tgMeasureAreas(const tgShape* shape)
{
    double* areas = calloc((size_t)shape->vertexCount, sizeof(double));
    const int* c = shape->faceVertices;
    for (int f = 0; f < shape->faceCount; ++f) {
        int count = shape->faceSizes != NULL ? shape->faceSizes[f] : 3;
        tgVec3 a = shape->positions[c[0]], b = shape->positions[c[count == 3 ? 1 : 2]];
        tgVec3 d = shape->positions[c[count == 3 ? 0 : 1]], e = shape->positions[c[count - 1]];
        double area = 0.5 * (double)tgLength(tgCross(tgSub(b, a), tgSub(e, d)));
        for (int k = 0; k < count; ++k) {
            areas[c[k]] += area / count;
        }
        c += count;
    }
    return areas;
}

/// Gamma by the formulas of the papers over the area round each vertex: all of a map differs from
/// them by one factor.
static void tgTestMaps(void** state)
{
    (void)state;
    const int bones[2] = {1, 2};
    for (int which = 0; which < 24; ++which) {
        bool isGlobal = which & 1, isNamed = which & 2, isStill = which >= 12;
        tgLocalRegion named = {2, (tgLocalMap)(which / 4 % 3), 1.5f, 2.0f, bones, 2};
        tgVolumeDef volume = tgLocalVolume();
        volume.local.scope = isGlobal ? tg_scopeGlobal : tg_scopeRegions;
        volume.local.edges = isStill ? tg_edgesStill : tg_edgesBlended;
        volume.local.map = (tgLocalMap)(which / 4 % 3);
        volume.local.alpha = 1.5f;
        volume.local.beta = 2.0f;
        volume.local.regions = &named;
        volume.local.regionCount = isNamed ? 1 : 0;
        tgStage stage = tgMakeStage(tgMakeSpine(0.4f), tg_linear, &volume);
        const tgRegions* regions = &stage.rig->regions;
        double* areas = tgMeasureAreas(&stage.shape);
        for (int r = 0; r < regions->count; ++r) {
            const tgRegion* region = &regions->regions[r];
            double factor = 0.0;
            assert_true(region->takerCount > 10);
            for (int i = 0; i < region->takerCount; ++i) {
                int at = region->firstTaker + i, v = regions->takers[at];
                int joint = tgRig_GetRegion(stage.rig, v);
                double w = tgGetWeight(&stage.shape, v, joint);
                bool isDistant = volume.local.map == tg_mapOrganic;
                double inside = fmin(2.0 * (2.0 * w - 1.0), 1.0);
                bool hasEdges = isStill && !isGlobal;
                double map = volume.local.map == tg_mapUniform
                                 ? (hasEdges ? inside * inside * (3.0 - 2.0 * inside) : 1.0)
                                 : pow(hasEdges ? 2.0 * w - 1.0 : 1.0 - w, 1.5);
                map = isDistant && !isGlobal && !isStill ? 1.0 : map;
                bool few = isNamed && joint == 2;
                double d = tgGetDistance(&stage.shape, v, few ? 1 : 0, few ? 2 : tg_spineJoints);
                map *= isDistant ? d * d : 1.0;
                map /= areas[v];
                if (map * areas[v] < 1e-4 || regions->gamma[at] == 0.0f) {
                    continue; // as good as none, or padding
                }
                factor = factor == 0.0 ? (double)regions->gamma[at] / map : factor;
                CHECK_NEAR((double)regions->gamma[at] / map / factor, 1.0, 1e-3);
            }
        }
        free(areas);
        tgFreeStage(&stage);
    }
}

/// Rings that lie closer and closer together.
static tgShape tgMakeGradedTube(void)
{
    tgShape tube = tgMakeTube(24, 41, 8.0f, 2.0f, 6.0f, true);
    for (int v = 0; v < tube.vertexCount; ++v) {
        float x = tube.positions[v].x;
        tube.positions[v].x = 0.25f * x + 0.75f * x * x / 8.0f;
    }
    return tube;
}

/// An uneven mesh moves evenly.
static void tgTestEven(void** state)
{
    (void)state;
    tgVolumeDef volume = tgLocalVolume(), none = tgDefaultRigDef().volume;
    volume.local.scope = tg_scopeGlobal;
    volume.local.map = tg_mapUniform;
    tgStage plain = tgMakeStage(tgMakeGradedTube(), tg_linear, &none);
    tgStage stage = tgMakeStage(tgMakeGradedTube(), tg_linear, &volume);
    tgMat34 joints[2];
    tgBendTube(&stage.shape, 8.0f, 0.0f, 0.8, joints);
    tgPlay(&stage, joints, 0.0f);
    tgPlay(&plain, joints, 0.0f);
    double least = 1e9, most = 0.0;
    for (int v = 24; v < 10 * 24; ++v) { // where it stays straight
        double moved = (double)tgDistance(stage.out[v], plain.out[v]);
        least = fmin(least, moved);
        most = fmax(most, moved);
    }
    CHECK_AT_MOST(most / least - 1.0, 0.01);
    tgFreeStage(&stage);
    tgFreeStage(&plain);
}

// ---- the closed form ----------------------------------------------------------------------------

/// rho_k = dV gamma_k <n_k, g_k> / sum of gamma_j <n_j, g_j>^2 along normals, in double, with a
/// gradient by finite differences of a volume that knows nothing of quads or caps.
static double tgPlainVolume(const tgShape* tube, const double (*p)[3])
{
    // The tube's quads as the mean of two triangulations, its open ends closed to their means.
    double sum = 0.0;
    const int* c = tube->faceVertices;
    for (int f = 0; f < tube->faceCount; ++f, c += 4) {
        static const int corners[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}};
        for (int t = 0; t < 4; ++t) {
            const double *a = p[c[corners[t][0]]], *b = p[c[corners[t][1]]],
                         *d = p[c[corners[t][2]]];
            sum += 0.5 * (a[0] * (b[1] * d[2] - b[2] * d[1]) + a[1] * (b[2] * d[0] - b[0] * d[2]) +
                          a[2] * (b[0] * d[1] - b[1] * d[0]));
        }
    }
    for (int end = 0; end < 2; ++end) {
        int first = end == 0 ? 0 : tube->vertexCount - 16;
        double m[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 16; ++k) {
            for (int i = 0; i < 3; ++i) {
                m[i] += p[first + k][i] / 16.0;
            }
        }
        for (int k = 0; k < 16; ++k) {
            const double* a = p[first + (end == 0 ? (k + 1) % 16 : k)];
            const double* b = p[first + (end == 0 ? k : (k + 1) % 16)];
            sum += a[0] * (b[1] * m[2] - b[2] * m[1]) + a[1] * (b[2] * m[0] - b[0] * m[2]) +
                   a[2] * (b[0] * m[1] - b[1] * m[0]);
        }
    }
    return sum / 6.0;
}

static void tgTestClosedForm(void** state)
{
    (void)state;
    tgVolumeDef none = tgDefaultRigDef().volume, volume = tgLocalVolume();
    volume.local.scope = tg_scopeGlobal;
    volume.local.map = tg_mapRubber;
    volume.local.alpha = 2.0f;
    tgStage plain = tgMakeStage(tgMakeTube(16, 16, 8.0f, 1.36f, 6.64f, false), tg_linear, &none);
    tgStage stage = tgMakeStage(tgMakeTube(16, 16, 8.0f, 1.36f, 6.64f, false), tg_linear, &volume);
    tgMat34 joints[2];
    tgBendTube(&plain.shape, 8.0f, 0.0f, 1.2, joints);
    tgPlay(&plain, joints, 0.0f);
    tgPlay(&stage, joints, 0.0f);
    int count = plain.shape.vertexCount;
    double(*p)[3] = calloc((size_t)count, sizeof(*p));
    double(*g)[3] = calloc((size_t)count, sizeof(*g));
    double *gamma = calloc((size_t)count, sizeof(double)), *areas = tgMeasureAreas(&plain.shape);
    for (int v = 0; v < count; ++v) {
        const float* from = &plain.out[v].x;
        double w = fmax((double)plain.shape.weights[2 * v], (double)plain.shape.weights[2 * v + 1]);
        gamma[v] = (1.0 - w) * (1.0 - w) / areas[v];
        for (int i = 0; i < 3; ++i) {
            p[v][i] = (double)from[i];
        }
    }
    double rest = tgRig_GetInfo(plain.rig).restVolume, sum = 0.0;
    double amount = rest - tgPlainVolume(&plain.shape, (const double(*)[3])p);
    for (int v = 0; v < count; ++v) {
        for (int i = 0; i < 3; ++i) {
            double at = p[v][i], ends[2];
            for (int s = 0; s < 2; ++s) {
                p[v][i] = at + (s == 0 ? -1e-3 : 1e-3);
                ends[s] = tgPlainVolume(&plain.shape, (const double(*)[3])p);
            }
            p[v][i] = at;
            g[v][i] = (ends[1] - ends[0]) / 2e-3; // V is linear in one coordinate
        }
        double squared = g[v][0] * g[v][0] + g[v][1] * g[v][1] + g[v][2] * g[v][2];
        sum += gamma[v] * squared; // <n, g> = |g|
    }
    double worst = 0.0, moved = 0.0;
    for (int v = 0; v < count; ++v) {
        const float *now = &stage.out[v].x, *before = &plain.out[v].x;
        for (int i = 0; i < 3; ++i) {
            double u = amount * gamma[v] * g[v][i] / sum;
            worst = fmax(worst, fabs((double)now[i] - (double)before[i] - u));
            moved = fmax(moved, fabs(u));
        }
    }
    assert_true(moved > 0.05);
    CHECK_AT_MOST(worst, 2e-6);
    free(p);
    free(g);
    free(gamma);
    free(areas);
    tgFreeStage(&plain);
    tgFreeStage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestSegmentation), cmocka_unit_test(tgTestPrisms),
        cmocka_unit_test(tgTestClosedSums),   cmocka_unit_test(tgTestMaps),
        cmocka_unit_test(tgTestEven),         cmocka_unit_test(tgTestClosedForm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
