// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Mode paper: joint after joint as published. On a tube with one joint the step of equation 4, axis
// by axis with the gradient taken anew, is made once more here, in double; and for all presets and
// skinnings the volume is met, on a tube with several joints too.

#include "spine.h"

static const double tg_pi = 3.14159265358979323846;
static const float tg_length = 8.0f;

static tgVolumeDef tgPaperDef(const tgProfile* profile)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    volume.mode = tg_modePaper;
    volume.profiles = profile;
    volume.profileCount = 1;
    return volume;
}

static tgShape tgMakeLimb(void)
{
    return tgMakeTube(24, 33, tg_length, 2.8f, 5.2f, true);
}

static void tgBendLimb(tgStage* stage, double degrees)
{
    tgMat34 joints[2];
    tgBendTube(&stage->shape, tg_length, 0.0f, degrees * tg_pi / 180.0, joints);
    tgPlay(stage, joints, 0.0f);
}

// ---- in double ----------------------------------------------------------------------------------

/// Adds part of a triangle to the volume and to the gradient of its corners, whose weights say how
/// they hang on vertices.
typedef struct tgSum {
    const tgShape* shape;
    const double (*p)[3];
    double (*gradient)[3];
    double volume;
} tgSum;

static void tgAddTriangle(tgSum* sum, const double* at[3], double part, double out[3][3])
{
    for (int k = 0; k < 3; ++k) {
        double n[3];
        tgCross3(at[(k + 1) % 3], at[(k + 2) % 3], n);
        for (int i = 0; i < 3; ++i) {
            out[k][i] = part / 6.0 * n[i];
            sum->volume += k == 0 ? part / 6.0 * n[i] * at[0][i] : 0.0;
        }
    }
}

static void tgAddCorners(tgSum* sum, const int corners[3], double part)
{
    const double* at[3] = {sum->p[corners[0]], sum->p[corners[1]], sum->p[corners[2]]};
    double out[3][3];
    tgAddTriangle(sum, at, part, out);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            sum->gradient[corners[k]][i] += out[k][i];
        }
    }
}

/// The fan over an end; its middle is the mean of the ring.
static void tgAddEnd(tgSum* sum, int first, int around, bool isLast)
{
    double middle[3] = {0.0, 0.0, 0.0}, spread[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3 * around; ++k) {
        middle[k % 3] += sum->p[first + k / 3][k % 3] / around;
    }
    for (int k = 0; k < around; ++k) {
        int a = first + k, b = first + (k + 1) % around, from = isLast ? a : b, to = isLast ? b : a;
        const double* at[3] = {sum->p[from], sum->p[to], middle};
        double out[3][3];
        tgAddTriangle(sum, at, 1.0, out);
        for (int i = 0; i < 3; ++i) {
            sum->gradient[from][i] += out[0][i];
            sum->gradient[to][i] += out[1][i];
            spread[i] += out[2][i] / around;
        }
    }
    for (int k = 0; k < 3 * around; ++k) {
        sum->gradient[first + k / 3][k % 3] += spread[k % 3];
    }
}

/// Quads as the mean of both triangulations.
static double tgMeasure(const tgShape* tube, const double (*p)[3], double (*gradient)[3])
{
    static const int splits[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}};
    tgSum sum = {tube, p, gradient, 0.0};
    memset(gradient, 0, (size_t)tube->vertexCount * sizeof(*gradient));
    for (int f = 0; f < tube->faceCount; ++f) {
        const int* c = tube->faceVertices + 4 * f;
        for (int s = 0; s < 4; ++s) {
            const int corners[3] = {c[splits[s][0]], c[splits[s][1]], c[splits[s][2]]};
            tgAddCorners(&sum, corners, 0.5);
        }
    }
    tgAddEnd(&sum, 0, 24, false);
    tgAddEnd(&sum, tube->vertexCount - 24, 24, true);
    return sum.volume;
}

/// u = mu dV gamma g_a / sum gamma g_a^2 along each axis in turn, the largest share first. The bell
/// is about the joint, in the posed frame.
static void tgStepAsPublished(const tgShape* tube, double target, const double shares[3],
                              const double axes[3][3], double (*p)[3])
{
    int count = tube->vertexCount;
    double(*g)[3] = calloc((size_t)count, sizeof(*g));
    double* gamma = calloc((size_t)count, sizeof(double));
    const double sigma = 0.25 * 4.0; // of a bone of length 4
    for (int v = 0; v < count; ++v) {
        double x = p[v][0] - 4.0, squared = x * x + p[v][1] * p[v][1] + p[v][2] * p[v][2];
        gamma[v] = fmax(exp(-squared / (sigma * sigma)) - 1e-4, 0.0);
    }
    double amount = target - tgMeasure(tube, (const double(*)[3])p, g);
    for (int a = 0; a < 3; ++a) {
        tgMeasure(tube, (const double(*)[3])p, g);
        double sum = 0.0;
        for (int v = 0; v < count; ++v) {
            double along = g[v][0] * axes[a][0] + g[v][1] * axes[a][1] + g[v][2] * axes[a][2];
            sum += gamma[v] * along * along;
        }
        for (int v = 0; v < count; ++v) {
            double along = g[v][0] * axes[a][0] + g[v][1] * axes[a][1] + g[v][2] * axes[a][2];
            for (int i = 0; i < 3; ++i) {
                p[v][i] += shares[a] * amount / sum * gamma[v] * along * axes[a][i];
            }
        }
    }
    free(g);
    free(gamma);
}

/// Rubber goes along the bending axis alone, isotropic along all three alike.
static void tgTestClosedForm(void** state)
{
    (void)state;
    for (int degrees = 20; degrees <= 110; degrees += 30) {
        for (int which = 0; which < 2; ++which) {
            tgProfile profile =
                tgDefaultProfile(which == 0 ? tg_profileRubber : tg_profileIsotropic);
            tgVolumeDef paper = tgPaperDef(&profile), none = tgDefaultRigDef().volume;
            tgStage stage = tgMakeStage(tgMakeLimb(), tg_linear, &paper);
            tgStage plain = tgMakeStage(tgMakeLimb(), tg_linear, &none);
            tgBendLimb(&stage, degrees);
            tgBendLimb(&plain, degrees);
            int count = plain.shape.vertexCount;
            double(*p)[3] = calloc((size_t)count, sizeof(*p));
            for (int v = 0; v < count; ++v) {
                for (int i = 0; i < 3; ++i) {
                    p[v][i] = (double)(&plain.out[v].x)[i];
                }
            }
            // e0 along the first bone, e2 to the side it bends to, e1 = e2 x e0.
            static const double rubber[3] = {0.0, 1.0, 0.0}, alike[3] = {1. / 3, 1. / 3, 1. / 3};
            static const double axes[3][3] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
            tgStepAsPublished(&plain.shape, tgRig_GetInfo(plain.rig).restVolume,
                              which == 0 ? rubber : alike, axes, p);
            double apart = 0.0, moved = 0.0;
            for (int v = 0; v < count; ++v) {
                tgVec3 known = tgMakeVec3((float)p[v][0], (float)p[v][1], (float)p[v][2]);
                apart = fmax(apart, (double)tgDistance(stage.out[v], known));
                moved = fmax(moved, (double)tgDistance(plain.out[v], known));
            }
            assert_true(moved > 0.005);
            CHECK_AT_MOST(apart, 1e-3 * moved + 1e-5);
            free(p);
            tgFreeStage(&stage);
            tgFreeStage(&plain);
        }
    }
}

/// All presets and skinnings: one joint, then three, whose displacements are carried along.
static void tgTestPresets(void** state)
{
    (void)state;
    for (int way = 0; way < 3 * (tg_profileBelly + 1); ++way) {
        tgProfile profile = tgDefaultProfile((tgProfileKind)(way / 3));
        tgVolumeDef paper = tgPaperDef(&profile);
        tgStage limb = tgMakeStage(tgMakeLimb(), (tgSkinning)(way % 3), &paper);
        for (int degrees = -120; degrees <= 120; degrees += 30) {
            tgBendLimb(&limb, degrees);
            CHECK_NEAR(tgMeasureMiss(&limb), 0.0, 1e-6);
        }
        tgFreeStage(&limb);
        tgStage spine = tgMakeStage(tgMakeSpine(0.2f), (tgSkinning)(way % 3), &paper);
        const double angles[tg_spineJoints] = {0.3, 0.8, -0.6, 0.5};
        tgMat34 joints[tg_spineJoints];
        tgBendSpine(&spine.shape, angles, joints);
        tgPlay(&spine, joints, 0.0f);
        CHECK_NEAR(tgMeasureMiss(&spine), 0.0, 1e-6);
        tgFreeStage(&spine);
    }
}

/// At rest nothing moves.
static void tgTestRest(void** state)
{
    (void)state;
    tgProfile profile = tgDefaultProfile(tg_profileMuscle);
    tgVolumeDef paper = tgPaperDef(&profile);
    tgStage stage = tgMakeStage(tgMakeLimb(), tg_linear, &paper);
    tgPlay(&stage, stage.shape.restJoints, 0.0f);
    assert_memory_equal(stage.out, stage.shape.positions,
                        (size_t)stage.shape.vertexCount * sizeof(tgVec3));
    tgFreeStage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestClosedForm),
        cmocka_unit_test(tgTestPresets),
        cmocka_unit_test(tgTestRest),
    };
    return cmocka_run_group_tests_name("paper", tests, NULL, NULL);
}
