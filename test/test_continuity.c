// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Nothing jumps: a sweep of one joint from -150 to 150 degrees, all presets, in steps of a quarter
// of a degree on cylinder, arm and finger, without contact and with it; and where two joints pass
// 180 degrees of each other.

#include "check.h"
#include "turgor/models.h"

static const double tg_degree = 3.14159265358979323846 / 180.0;

/// A character, and for each welded vertex those it shares a face with.
typedef struct tgActor {
    tgScene* scene;
    tgRig* rig;
    tgInstance* instance;
    tgVec3 *out, *before;
    tgMat34* joints;
    float* steps;
    int* start;  ///< of each vertex, into around; and the end
    int* around; ///< render vertices
} tgActor;

static void tgListNeighbours(tgActor* actor)
{
    const tgScene* scene = actor->scene;
    const int* welded = tgRig_GetWeldedVertices(actor->rig);
    int count = tgRig_GetInfo(actor->rig).weldedVertexCount, total = 0;
    actor->start = calloc((size_t)count + 2, sizeof(int));
    for (int pass = 0; pass < 2; ++pass) {
        const int* c = scene->faceVertices;
        for (int f = 0; f < scene->faceCount; c += scene->faceSizes[f], ++f) {
            for (int k = 0; k < scene->faceSizes[f]; ++k) {
                int size = scene->faceSizes[f], v = welded[c[k]];
                for (int m = 1; m < size; ++m) {
                    if (pass == 0) {
                        actor->start[v + 2] += 1;
                        total += 1;
                    } else {
                        actor->around[actor->start[v + 1]++] = c[(k + m) % size];
                    }
                }
            }
        }
        for (int v = 0; pass == 0 && v < count; ++v) {
            actor->start[v + 2] += actor->start[v + 1];
        }
        actor->around = pass == 0 ? calloc((size_t)total, sizeof(int)) : actor->around;
    }
}

static tgActor tgMakeActor(const char* model, tgSkinning skinning, const tgProfile* profile,
                           bool contact)
{
    tgActor actor = {.scene = tgCreateModel(model, 0, NULL)};
    assert_non_null(actor.scene);
    tgRigDef def = tgScene_GetRigDef(actor.scene);
    def.skinning = skinning;
    def.volume.method = tg_volumeExact;
    def.volume.contact = contact ? tg_contactOn : tg_contactOff;
    def.volume.profiles = profile;
    def.volume.profileCount = 1;
    actor.rig = tgCreateRig(&def, NULL);
    assert_non_null(actor.rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    actor.instance = tgCreateInstance(actor.rig, &instanceDef, NULL);
    size_t count = (size_t)actor.scene->vertexCount;
    actor.out = calloc(count, sizeof(tgVec3));
    actor.before = calloc(count, sizeof(tgVec3));
    actor.steps = calloc(count, sizeof(float));
    actor.joints = calloc((size_t)actor.scene->jointCount, sizeof(tgMat34));
    tgListNeighbours(&actor);
    return actor;
}

static void tgFreeActor(tgActor* actor)
{
    free(actor->out);
    free(actor->before);
    free(actor->steps);
    free(actor->joints);
    free(actor->start);
    free(actor->around);
    tgDestroyInstance(actor->instance);
    tgDestroyRig(actor->rig);
    tgDestroyScene(actor->scene);
}

/// Turns one joint about an axis through it, what it carries with it, and finds each vertex's step.
static void tgTurnJoint(tgActor* actor, int joint, tgVec3 axis, double angle)
{
    const tgScene* scene = actor->scene;
    tgVec3 origin = scene->joints[joint].restJoint.origin;
    tgTransform turn = tgIdentityTransform();
    turn.rotation = tgMakeQuat(axis, (float)angle);
    turn.position = tgSub(origin, tgRotate(turn.rotation, origin));
    tgMat34 motion = tgMakeMat34(turn);
    for (int j = 0; j < scene->jointCount; ++j) {
        int up = j;
        while (up >= 0 && up != joint) {
            up = scene->joints[up].parent;
        }
        const tgMat34* rest = &scene->joints[j].restJoint;
        actor->joints[j] = up == joint ? tgMulMat34(&motion, rest) : *rest;
    }
    tgPose pose = {.joints = actor->joints, .jointCount = scene->jointCount};
    tgVec3Span out = {&actor->out->x, scene->vertexCount, sizeof(tgVec3)};
    memcpy(actor->before, actor->out, (size_t)scene->vertexCount * sizeof(tgVec3));
    assert_int_equal(tgInstance_Deform(actor->instance, &pose, out, (tgVec3Span){0}, NULL), 0);
    for (int v = 0; v < scene->vertexCount; ++v) {
        actor->steps[v] = tgDistance(actor->out[v], actor->before[v]);
    }
}

static int tgCompareFloats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

/// The largest step over the median of its neighbours'. Steps below a ten-thousandth of the
/// diagonal cannot be seen; they do not divide.
static double tgFindJump(const tgActor* actor)
{
    const int* welded = tgRig_GetWeldedVertices(actor->rig);
    float least = 1e-4f * tgRig_GetInfo(actor->rig).restDiagonal;
    double worst = 0.0;
    for (int v = 0; v < actor->scene->vertexCount; ++v) {
        float near[64];
        int count = 0, w = welded[v];
        if ((double)actor->steps[v] <= worst * (double)least) {
            continue;
        }
        for (int i = actor->start[w]; i < actor->start[w + 1] && count < 64; ++i) {
            near[count++] = actor->steps[actor->around[i]];
        }
        qsort(near, (size_t)count, sizeof(float), tgCompareFloats);
        float median = count > 0 ? near[count / 2] : actor->steps[v];
        worst = fmax(worst, (double)(actor->steps[v] / fmaxf(median, least)));
    }
    return worst;
}

static void tgTestSweep(void** state)
{
    (void)state;
    static const struct {
        const char *model, *joint;
        tgVec3 axis;
    } limbs[] = {{"cylinder", NULL, {0, 0, 1}},
                 {"arm", "forearm", {0, 0, 1}},
                 {"finger", "middle", {0, 0, -1}}};
    int missed = 0;
    for (int way = 0; way < 2 * 3 * (tg_profileBelly + 2); ++way) { // the last is anatomic
        int kind = way / 6, which = way / 2 % 3;
        bool contact = way & 1, isAnatomic = kind > (int)tg_profileBelly;
        tgSkinning skinning = (tgSkinning)((kind + which) % 3);
        tgProfile profile = tgDefaultProfile(isAnatomic ? tg_profileOrganic : (tgProfileKind)kind);
        profile.drift = isAnatomic ? 0.8f : 0.0f;
        tgActor actor = tgMakeActor(limbs[which].model, skinning, &profile, contact);
        int joint =
            limbs[which].joint != NULL ? tgScene_FindJoint(actor.scene, limbs[which].joint) : 1;
        double worst = 0.0;
        for (int i = -600; i <= 600; ++i) {
            tgTurnJoint(&actor, joint, limbs[which].axis, 0.25 * i * tg_degree);
            worst = i > -600 ? fmax(worst, tgFindJump(&actor)) : worst;
        }
        print_message("%s, profile %d, skinning %d, contact %d: largest step %.2f of its "
                      "neighbours' median%s\n",
                      limbs[which].model, kind, skinning, contact, worst,
                      worst <= 3.0 ? "" : " MISSED");
        missed += !(worst <= 3.0);
        tgFreeActor(&actor);
    }
    assert_int_equal(missed, 0);
}

enum { tg_halfTurnSteps = 200 };

/// Dual quaternions and the blend: from 170 to 190 degrees no step of a vertex stands out of its
/// others.
static void tgTestHalfTurn(void** state)
{
    (void)state;
    for (int way = 0; way < 6; ++way) {
        tgProfile profile = tgDefaultProfile(tg_profileOrganic);
        tgActor actor =
            tgMakeActor("cylinder", way & 1 ? tg_blend : tg_dualQuaternion, &profile, false);
        tgVec3 axis = tgNormalize(tgMakeVec3((float)(way / 2), 0.0f, 1.0f), tgMakeVec3(0, 0, 1));
        int count = actor.scene->vertexCount;
        float* all = calloc((size_t)count * tg_halfTurnSteps, sizeof(float)); // by vertices
        for (int i = 0; i <= tg_halfTurnSteps; ++i) {
            tgTurnJoint(&actor, 1, axis, (170.0 + 20.0 * i / tg_halfTurnSteps) * tg_degree);
            for (int v = 0; i > 0 && v < count; ++v) {
                all[v * tg_halfTurnSteps + i - 1] = actor.steps[v];
            }
        }
        float least = 1e-4f * tgRig_GetInfo(actor.rig).restDiagonal;
        double ratio = 0.0;
        for (int v = 0; v < count; ++v) {
            float* own = all + v * tg_halfTurnSteps;
            qsort(own, tg_halfTurnSteps, sizeof(float), tgCompareFloats);
            float median = fmaxf(own[tg_halfTurnSteps / 2], least);
            ratio = fmax(ratio, (double)(own[tg_halfTurnSteps - 1] / median));
        }
        free(all);
        print_message("170 to 190 degrees, axis %d, skinning %d: largest step %.2f of the median\n",
                      way / 2, way & 1 ? tg_blend : tg_dualQuaternion, ratio);
        CHECK_AT_MOST(ratio, 2.0);
        tgFreeActor(&actor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestSweep),
        cmocka_unit_test(tgTestHalfTurn),
    };
    return cmocka_run_group_tests_name("continuity", tests, NULL, NULL);
}
