// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What a joint takes away by turning, in ten numbers, against meshes that are really skinned in
// double; against the closed form of a cylinder; and what else is known of a limb beforehand.

#include "actor.h"
#include "core/instance.h"
#include "core/volume.h"
#include "random_skin.h"

static const double tg_pi = 3.14159265358979323846;

static tgRig* tgMakeRig(const tgShape* shape)
{
    tgRigDef def = tgShape_GetRigDef(shape);
    def.volume.method = tg_volumeExact;
    return tgMustCreateRig(&def);
}

/// Linear blend of one turn: joints that limb `i` carries turn about its pivot, others stand still.
static void tgSkinTurn(const tgShape* shape, const tgRig* rig, int i, const double turn[3][3],
                       double (*out)[3])
{
    const tgSkeleton* skeleton = &rig->skeleton;
    int joint = rig->limbs.limbs[i].joint, per = shape->influencesPerVertex;
    const double* o = skeleton->rest[skeleton->pivots[joint]].c[3];
    for (int v = 0; v < shape->vertexCount; ++v) {
        double turns = 0.0, sum = 0.0;
        for (int k = per * v; k < per * (v + 1); ++k) {
            double w = (double)shape->weights[k];
            turns += tgTree_Carries(&skeleton->bodies, joint, shape->joints[k]) ? w : 0.0;
            sum += w;
        }
        const float* from = &shape->positions[v].x;
        for (int k = 0; k < 3; ++k) {
            double turned = o[k], w = turns / sum;
            for (int c = 0; c < 3; ++c) {
                turned += turn[c][k] * ((double)from[c] - o[c]);
            }
            out[v][k] = (1.0 - w) * (double)from[k] + w * turned;
        }
    }
}

static double tgCheckLosses(const tgRandomDef* def)
{
    static const double none[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tgShape shape = tgMakeRandomSkin(def);
    tgRig* rig = tgMakeRig(&shape);
    double(*p)[3] = calloc((size_t)shape.vertexCount, sizeof(*p)), worst = 0.0;
    unsigned seed = def->seed;
    assert_int_equal(rig->limbs.count, def->jointCount - 1);
    for (int i = 0; i < rig->limbs.count; ++i) {
        for (int way = 0; way < 4; ++way) {
            double turn[3][3];
            tgMakeTurn(tgRandomVec3(&seed), tg_pi * tgNextSigned(&seed), turn);
            tgSkinTurn(&shape, rig, i, none, p);
            double rest = tgGetSkinVolume(&shape, def, (const double(*)[3])p);
            tgSkinTurn(&shape, rig, i, (const double(*)[3])turn, p);
            double changed = tgGetSkinVolume(&shape, def, (const double(*)[3])p) - rest;
            double told = tgLimb_GetLoss(&rig->limbs.limbs[i], (const double(*)[3])turn, 0.0);
            assert_true(fabs(changed) > 1e-5 * rest);
            worst = fmax(worst, fabs(told - changed) / rest);
        }
    }
    free(p);
    tgDestroyRig(rig);
    tgFreeShape(&shape);
    return worst;
}

/// Any mesh, any weights, any turn: triangles, quads and both, closed and with caps, up to 11
/// influences.
static void tgTestRandomSkins(void** state)
{
    (void)state;
    static const int influences[4] = {2, 3, 5, 11};
    double worst = 0.0;
    for (int i = 0; i < 24; ++i) {
        tgRandomDef def = {.seed = (unsigned)i + 1,
                           .around = 5 + i % 4,
                           .rings = 6 + i,
                           .isOpen = i & 1,
                           .faces = (tgFaceKinds)(i % 3),
                           .influences = influences[i % 4]};
        def.jointCount = def.influences + i % 3;
        worst = fmax(worst, tgCheckLosses(&def));
    }
    print_message("losses off by %.1e of the volume at most\n", worst);
    CHECK_AT_MOST(worst, 1e-6);
}

/// A cylinder of two bones that are c off its middle, bent by an angle: -2 sin^2(angle / 2) <w (1 -
/// w)> - c / H sin(angle), of the volume.
static void tgTestCylinder(void** state)
{
    (void)state;
    for (int way = 0; way < 6; ++way) {
        const float length = 8.0f, middle = 0.2f * (float)(way / 2);
        const double width = 5.28; // a ramp, whose mean of w (1 - w) is a sixth of its part
        tgShape tube = tgMakeTube(8, 201, length, 1.36f, 6.64f, way & 1);
        double mean = (way & 1 ? 9.0 / 70.0 : 1.0 / 6.0) * width / (double)length;
        for (int v = 0; v < tube.vertexCount; ++v) {
            tube.positions[v].y += middle;
        }
        tgRig* rig = tgMakeRig(&tube);
        assert_int_equal(rig->limbs.count, 1);
        for (int degrees = -150; degrees <= 150; degrees += 30) {
            double angle = degrees * tg_pi / 180.0, half = sin(0.5 * angle), turn[3][3];
            tgMakeTurn(tgMakeVec3(0, 0, 1), angle, turn);
            double told = tgLimb_GetLoss(&rig->limbs.limbs[0], (const double(*)[3])turn, 0.0);
            double known = -2.0 * half * half * mean - (double)middle / (double)length * sin(angle);
            CHECK_NEAR(told / tgRig_GetInfo(rig).restVolume, known, 1e-4);
            told = tgLimb_GetLoss(&rig->limbs.limbs[0], (const double(*)[3])turn, 1.0);
            known = -(double)middle / (double)length * angle; // dual quaternions
            CHECK_NEAR(told / tgRig_GetInfo(rig).restVolume, known, 1e-4);
        }
        tgDestroyRig(rig);
        tgFreeShape(&tube);
    }
}

/// The tube with every vertex turned as dual quaternions turn it, about an axis through (4, 0, 0).
static double tgGetTurnedVolume(const tgShape* tube, const tgRig* rig, tgVec3 axis, double angle)
{
    size_t count = (size_t)(rig->mesh.vertexCount + rig->mesh.loopCount);
    float* p = calloc(4 * count, sizeof(float));
    for (int v = 0; v < tube->vertexCount; ++v) {
        double w = (double)tube->weights[2 * v + 1], own[3][3];
        double turned = 2.0 * atan2(w * sin(0.5 * angle), 1.0 - w + w * cos(0.5 * angle));
        tgMakeTurn(axis, turned, own);
        const float* from = &tube->positions[v].x;
        for (int k = 0; k < 3; ++k) {
            float* to = p + 4 * (size_t)rig->mesh.renderToVertex[v] + k;
            *to = (float)(own[0][k] * ((double)from[0] - 4.0) + own[1][k] * (double)from[1] +
                          own[2][k] * (double)from[2]);
        }
    }
    tgPlaceCapCenters(&rig->mesh, p);
    double volume = tgVolume(&rig->mesh, p);
    free(p);
    return volume;
}

/// Dual quaternions, bends and twists of a tube whose middle is off its bones.
static void tgTestDuals(void** state)
{
    (void)state;
    static const tgVec3 axes[] = {
        {0, 0, 1}, {1, 0, 0}, {0.6f, 0, 0.8f}, {0.48f, -0.6f, 0.64f}, {0, 1, 0}};
    tgShape tube = tgMakeTube(24, 201, 8.0f, 2.0f, 6.5f, true);
    for (int v = 0; v < tube.vertexCount; ++v) { // no two sides alike
        float x = tube.positions[v].x;
        tube.positions[v].y = (1.0f + 0.05f * x) * tube.positions[v].y + 0.3f;
        tube.positions[v].z += 0.02f * x * x;
    }
    tgRig* rig = tgMakeRig(&tube);
    double rest = tgRig_GetInfo(rig).restVolume, worst = 0.0, most = 0.0;
    for (int i = 0; i < 5; ++i) {
        for (int degrees = -120; degrees <= 120; degrees += 40) {
            double angle = degrees * tg_pi / 180.0, turn[3][3];
            tgMakeTurn(axes[i], angle, turn);
            double told = tgLimb_GetLoss(&rig->limbs.limbs[0], (const double(*)[3])turn, 1.0);
            double changed = tgGetTurnedVolume(&tube, rig, axes[i], angle) - rest;
            worst = fmax(worst, fabs(told - changed) / rest);
            most = fmax(most, fabs(changed) / rest);
        }
    }
    print_message("of losses up to %.3f of the volume %.1e are missed\n", most, worst);
    CHECK_AT_MOST(worst, 0.01 * most);
    tgDestroyRig(rig);
    tgFreeShape(&tube);
}

/// The radius of a limb is half the thickness of what bends, the bone its parent's.
static void tgTestRadius(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(48, 65, 8.0f, 3.0f, 5.0f, true);
    tgRig* rig = tgMakeRig(&tube);
    const tgLimb* limb = &rig->limbs.limbs[0];
    CHECK_NEAR(limb->radius, 1.0, 0.01);
    CHECK_NEAR(limb->boneLength, 4.0, 1e-6);
    CHECK_NEAR(tgDistance(limb->origin, tgMakeVec3(4, 0, 0)), 0.0, 1e-6);
    CHECK_NEAR(tgDistance(limb->boneIn, tgMakeVec3(1, 0, 0)), 0.0, 1e-6);
    CHECK_NEAR(tgDistance(limb->boneOut, tgMakeVec3(1, 0, 0)), 0.0, 1e-6);
    CHECK_NEAR(tgDot(limb->reference, limb->boneIn), 0.0, 1e-6);
    tgDestroyRig(rig);
    tgFreeShape(&tube);
}

/// Joints that no skin bends with are no limbs: one that carries all of the skin, one without any.
static void tgTestNoLimbs(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(8, 9, 8.0f, 3.0f, 5.0f, true);
    for (int v = 0; v < tube.vertexCount; ++v) {
        tube.weights[2 * v] = 0.0f;
        tube.weights[2 * v + 1] = 1.0f;
    }
    tgRig* rig = tgMakeRig(&tube);
    assert_int_equal(rig->limbs.count, 0);
    tgDestroyRig(rig);
    tgFreeShape(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestRandomSkins), cmocka_unit_test(tgTestCylinder),
        cmocka_unit_test(tgTestDuals),       cmocka_unit_test(tgTestRadius),
        cmocka_unit_test(tgTestNoLimbs),
    };
    return cmocka_run_group_tests_name("limb", tests, NULL, NULL);
}
