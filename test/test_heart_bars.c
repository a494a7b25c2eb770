// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is asked of the volume stage, on characters: it obeys a profile that somebody drew, a joint
// that stands still keeps its bulge while others move, nothing jumps over a sweep or where dual
// quaternions pass 180 degrees, and it looks as good as its reference. Skipped in words for
// characters that are not there.

#include "assets.h"
#include "looks_measure.h"
#include "shapes.h"
#include "turgor/models.h"

static const double tg_degree = 3.14159265358979323846 / 180.0;

// ---- a character on stage -----------------------------------------------------------------------

typedef struct tgActor {
    const tgScene* scene;
    tgRig* rig;
    tgInstance* instance;
    tgVec3* out;
} tgActor;

/// `rig` is NULL when the library does not have the skinning.
static tgActor tgMakeActor(const tgScene* scene, tgSkinning skinning, const tgVolumeDef* volume)
{
    tgActor actor = {.scene = scene};
    tgError error = {0};
    tgRigDef def = tgScene_GetRigDef(scene);
    def.skinning = skinning;
    def.volume = *volume;
    actor.rig = tgCreateRig(&def, &error);
    if (actor.rig == NULL) {
        print_message("skinning %d: %s\n", (int)skinning, error.message);
        assert_int_equal(skinning, tg_blend);
        return actor;
    }
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    actor.instance = tgCreateInstance(actor.rig, &instanceDef, NULL);
    actor.out = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    assert_non_null(actor.instance);
    return actor;
}

static void tgFreeActor(tgActor* actor)
{
    tgDestroyInstance(actor->instance);
    tgDestroyRig(actor->rig);
    free(actor->out);
}

static void tgPlay(tgActor* actor, const tgMat34* joints)
{
    tgPose pose = {.joints = joints, .jointCount = actor->scene->jointCount};
    tgVec3Span out = {&actor->out->x, actor->scene->vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(actor->instance, &pose, out, (tgVec3Span){0}, NULL), 0);
}

/// A joint's turn about its own origin.
typedef struct tgTurn {
    int joint;
    tgVec3 axis;
    double angle; ///< radians
} tgTurn;

/// The bind pose with joints turned; children follow.
static void tgPoseTurns(const tgScene* scene, const tgTurn* turns, int count, tgMat34* joints)
{
    tgMat34* motions = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    for (int j = 0; j < scene->jointCount; ++j) {
        tgVec3 origin = scene->joints[j].restJoint.origin;
        tgTransform turn = tgIdentityTransform();
        for (int i = 0; i < count; ++i) {
            if (turns[i].joint == j) {
                turn.rotation = tgMakeQuat(turns[i].axis, (float)turns[i].angle);
            }
        }
        turn.position = tgSub(origin, tgRotate(turn.rotation, origin));
        tgMat34 own = tgMakeMat34(turn);
        int parent = scene->joints[j].parent;
        motions[j] = parent >= 0 ? tgMulMat34(&motions[parent], &own) : own;
        joints[j] = tgMulMat34(&motions[j], &scene->joints[j].restJoint);
    }
    free(motions);
}

static tgVolumeDef tgMakeExact(bool contact)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    volume.contact = contact ? tg_contactAuto : tg_contactOff;
    return volume;
}

// ---- drawn curves -------------------------------------------------------------------------------

/// A hinge of a character: turned about z it bends its bone towards `inner`.
typedef struct tgHingeCase {
    const char* model;
    const char* joint;
    float along[3]; ///< of the hill that is drawn: its foot, top and foot, in bone lengths, e0
} tgHingeCase;

/// What an artist draws about the hinge: a hill along the bone, all round or on the inner side.
static tgProfile tgDrawProfile(const tgHingeCase* hinge, bool isInner)
{
    tgProfile profile = tgDefaultProfile(tg_profileCurves);
    profile.curveCounts[0] = 3;
    for (int i = 0; i < 3; ++i) {
        profile.curves[0][i] = (tgCurvePoint){hinge->along[i], i == 1 ? 1.0f : 0.0f};
    }
    if (isInner) {
        profile.curveCounts[2] = 2;
        profile.curves[2][0] = (tgCurvePoint){0.0f, 0.0f};
        profile.curves[2][1] = (tgCurvePoint){0.05f, 1.0f};
    }
    return profile;
}

/// Whether a rest vertex lies where nothing was drawn.
static bool tgIsBare(const tgHingeCase* hinge, const tgScene* scene, tgVec3 p, bool isInner)
{
    const tgSceneJoint* joint = &scene->joints[tgScene_FindJoint(scene, hinge->joint)];
    tgVec3 o = joint->restJoint.origin, from = scene->joints[joint->parent].restJoint.origin;
    float length = tgDistance(o, from);
    tgVec3 e0 = tgMulSV(1.0f / length, tgSub(o, from));
    tgVec3 e2 = tgCross(tgMakeVec3(0.0f, 0.0f, 1.0f), e0); // where a turn about z takes the bone
    float x = tgDot(tgSub(p, o), e0) / length, z = tgDot(tgSub(p, o), e2) / length;
    return x <= hinge->along[0] || x >= hinge->along[2] || (isInner && z <= 0.0f);
}

/// Of all displacement, by area, the share where nothing was drawn.
/// @return NAN when nothing moved
static double tgMeasureSpill(const tgHingeCase* hinge, bool isInner, const tgActor* kept,
                             const tgActor* base)
{
    const tgScene* scene = kept->scene;
    double* areas = calloc((size_t)scene->vertexCount, sizeof(double));
    const int* face = scene->faceVertices;
    for (int f = 0; f < scene->faceCount; face += scene->faceSizes[f], ++f) {
        tgVec3 area = {0.0f, 0.0f, 0.0f}, a = scene->positions[face[0]];
        for (int k = 1; k + 1 < scene->faceSizes[f]; ++k) {
            area = tgAdd(area, tgCross(tgSub(scene->positions[face[k]], a),
                                       tgSub(scene->positions[face[k + 1]], a)));
        }
        for (int k = 0; k < scene->faceSizes[f]; ++k) {
            areas[face[k]] += (double)tgLength(area) / scene->faceSizes[f];
        }
    }
    double all = 0.0, bare = 0.0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        double moved = areas[v] * (double)tgDistance(kept->out[v], base->out[v]);
        all += moved;
        bare += tgIsBare(hinge, scene, scene->positions[v], isInner) ? moved : 0.0;
    }
    free(areas);
    return all > 0.0 ? bare / all : (double)NAN;
}

/// The skin that the correction starts from. Without contact plain skinning; with it a joint that
/// gives back none of what it lost, so that contact alone is left.
static tgActor tgMakeBase(const tgScene* scene, const tgProfile* drawn, bool contact)
{
    tgProfile none = *drawn;
    none.gain = 0.0f;
    tgVolumeDef volume = contact ? tgMakeExact(true) : tgDefaultRigDef().volume;
    volume.profiles = contact ? &none : NULL;
    volume.profileCount = contact ? 1 : 0;
    return tgMakeActor(scene, tg_linear, &volume);
}

static int tgCheckHinge(const tgHingeCase* hinge, bool isInner, bool contact)
{
    tgScene* scene = tgCreateModel(hinge->model, 0, NULL);
    assert_non_null(scene);
    tgProfile drawn = tgDrawProfile(hinge, isInner);
    tgVolumeDef volume = tgMakeExact(contact);
    volume.profiles = &drawn;
    volume.profileCount = 1;
    tgActor kept = tgMakeActor(scene, tg_linear, &volume);
    tgActor base = tgMakeBase(scene, &drawn, contact);
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    int missed = 0;
    for (int degrees = 40; degrees <= 120; degrees += 40) {
        int joint = tgScene_FindJoint(scene, hinge->joint);
        assert_true(joint >= 0);
        tgTurn turn = {joint, {0.0f, 0.0f, 1.0f}, degrees * tg_degree};
        tgPoseTurns(scene, &turn, 1, joints);
        tgPlay(&kept, joints);
        tgPlay(&base, joints);
        double spill = tgMeasureSpill(hinge, isInner, &kept, &base);
        double bar = !contact ? 0.02 : degrees <= 80 ? 0.08 : 0.25;
        missed += !(spill <= bar);
        print_message("%s, %s, %d degrees, contact %s: %.1f %% where nothing was drawn, asked %g "
                      "%%%s\n",
                      hinge->model, isInner ? "inner side" : "all round", degrees,
                      contact ? "on" : "off", 100.0 * spill, 100.0 * bar,
                      spill <= bar ? "" : " MISSED");
    }
    free(joints);
    tgFreeActor(&kept);
    tgFreeActor(&base);
    tgDestroyScene(scene);
    return missed;
}

static void tgTestDrawnCurves(void** state)
{
    (void)state;
    // The hill stands on the bone before the joint and over it.
    static const tgHingeCase hinges[] = {
        {"cylinder", "bone1", {-0.6f, -0.1f, 0.4f}},
        {"arm", "forearm", {-0.7f, -0.2f, 0.4f}},
    };
    int missed = 0;
    for (int i = 0; i < 2; ++i) {
        for (int way = 0; way < 4; ++way) {
            missed += tgCheckHinge(&hinges[i], way & 1, way & 2);
        }
    }
    assert_int_equal(missed, 0);
}

// ---- a joint that stands still ------------------------------------------------------------------

/// Weights of a vertex: of one joint, and of those that move.
static void tgReadWeights(const tgScene* scene, int v, int joint, const bool* moves, float* own,
                          float* moving)
{
    *own = *moving = 0.0f;
    for (int k = 0; k < scene->influencesPerVertex; ++k) {
        size_t i = (size_t)v * (size_t)scene->influencesPerVertex + (size_t)k;
        int j = scene->influenceJoints[i];
        *own += j == joint ? scene->influenceWeights[i] : 0.0f;
        *moving += moves[j] ? scene->influenceWeights[i] : 0.0f;
    }
}

/// A joint stands bent; others, which do not carry it, swing through 60 degrees.
typedef struct tgStillCase {
    const char* model;
    const char* still;
    const char* others[8];
} tgStillCase;

/// @param moves joints that do in some step
static void tgPoseStill(const tgScene* scene, const tgStillCase* still, int joint, int step,
                        bool* moves, tgMat34* joints)
{
    tgTurn turns[16] = {{joint, {0.6f, 0.0f, 0.8f}, 70.0 * tg_degree}};
    int count = 1;
    for (int i = 0; still->others[i] != NULL; ++i) {
        double angle = 60.0 * tg_degree * sin(0.3 * step + 0.7 * i);
        int other = tgScene_FindJoint(scene, still->others[i]);
        assert_true(other >= 0);
        moves[other] = true;
        turns[count++] = (tgTurn){other, {0.0f, 0.6f, 0.8f}, angle};
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        moves[j] |= scene->joints[j].parent >= 0 && moves[scene->joints[j].parent];
    }
    assert_false(moves[joint]);
    tgPoseTurns(scene, turns, count, joints);
}

/// The joint's own displacement, where it bends the skin and nothing that moves does, against that
/// of the first frame and over the largest of it. NAN without the skinning.
static double tgMeasureStillness(const tgScene* scene, const tgStillCase* still,
                                 tgSkinning skinning)
{
    tgVolumeDef none = tgDefaultRigDef().volume, exact = tgMakeExact(true);
    tgActor plain = tgMakeActor(scene, skinning, &none);
    if (plain.rig == NULL) {
        return (double)NAN;
    }
    tgActor kept = tgMakeActor(scene, skinning, &exact);
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    bool* moves = calloc((size_t)scene->jointCount, sizeof(bool));
    tgVec3* first = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    int joint = tgScene_FindJoint(scene, still->still), count = 0;
    assert_true(joint >= 0);
    double largest = 0.0, worst = 0.0;
    for (int step = 0; step <= 24; ++step) {
        tgPoseStill(scene, still, joint, step, moves, joints);
        tgPlay(&plain, joints);
        tgPlay(&kept, joints);
        for (int v = 0; v < scene->vertexCount; ++v) {
            float own, moving;
            tgReadWeights(scene, v, joint, moves, &own, &moving);
            if (own > 0.02f && own < 0.98f && moving == 0.0f) {
                tgVec3 d = tgSub(kept.out[v], plain.out[v]);
                first[v] = step == 0 ? d : first[v];
                largest = step == 0 ? fmax(largest, (double)tgLength(d)) : largest;
                worst = fmax(worst, (double)tgDistance(d, first[v]));
                count += 1;
            }
        }
    }
    assert_true(count > 0 && largest > 0.0);
    free(joints);
    free(moves);
    free(first);
    tgFreeActor(&plain);
    tgFreeActor(&kept);
    return worst / largest;
}

static void tgTestStandsStill(void** state)
{
    (void)state;
    static const tgStillCase cases[] = {
        {"arm", "forearm", {"hand", "fingers", "thumb"}},
        {"elephant", "elbow.L", {"knee.L", "knee.R", "elbow.R", "trunk2", "trunk4", "wrist.R"}},
        {"elephant", "knee.R", {"elbow.L", "knee.L", "elbow.R", "trunk1", "trunk3"}},
    };
    int missed = 0;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        tgScene* scene = tgCreateModel(cases[i].model, 0, NULL);
        for (int skinning = tg_linear; skinning <= tg_blend; ++skinning) {
            double varies = tgMeasureStillness(scene, &cases[i], (tgSkinning)skinning);
            if (!isnan(varies)) {
                print_message("%s, %s stands still, skinning %d: its displacement varies by %.2f "
                              "%%%s\n",
                              cases[i].model, cases[i].still, skinning, 100.0 * varies,
                              varies <= 0.02 ? "" : " MISSED");
                missed += varies > 0.02;
            }
        }
        tgDestroyScene(scene);
    }
    assert_int_equal(missed, 0);
}

// ---- sweeps -------------------------------------------------------------------------------------

enum { tg_around = 16, tg_rings = 33 };

/// A tube of two bones, bent by half a degree at a time.
typedef struct tgTubeStage {
    tgShape shape;
    tgRig* rig;
    tgInstance* instance;
    tgVec3 out[tg_around * tg_rings], before[tg_around * tg_rings];
    float steps[tg_around * tg_rings];
} tgTubeStage;

/// False when the library does not have the skinning.
static bool tgOpenTube(tgTubeStage* stage, tgSkinning skinning, const tgVolumeDef* volume)
{
    *stage = (tgTubeStage){.shape = tgMakeTube(tg_around, tg_rings, 8.0f, 3.0f, 5.0f, true)};
    tgRigDef def = tgShape_GetRigDef(&stage->shape);
    def.skinning = skinning;
    def.volume = *volume;
    stage->rig = tgCreateRig(&def, NULL);
    if (stage->rig == NULL) {
        assert_int_equal(skinning, tg_blend);
        tgFreeShape(&stage->shape);
        return false;
    }
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    stage->instance = tgCreateInstance(stage->rig, &instanceDef, NULL);
    assert_non_null(stage->instance);
    return true;
}

static void tgCloseTube(tgTubeStage* stage)
{
    tgDestroyInstance(stage->instance);
    tgDestroyRig(stage->rig);
    tgFreeShape(&stage->shape);
}

/// Poses it and finds each vertex's step from the pose before.
static void tgStepTube(tgTubeStage* stage, const tgMat34 joints[2])
{
    int n = tg_around * tg_rings;
    memcpy(stage->before, stage->out, sizeof(stage->before));
    tgPose pose = {.joints = joints, .jointCount = 2};
    tgVec3Span out = {&stage->out[0].x, n, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(stage->instance, &pose, out, (tgVec3Span){0}, NULL), 0);
    for (int v = 0; v < n; ++v) {
        stage->steps[v] = tgDistance(stage->out[v], stage->before[v]);
    }
}

static int tgCompareFloats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

/// The largest step of a vertex over the median of its eight neighbours'.
static double tgGetJump(const tgTubeStage* stage)
{
    double worst = 0.0;
    for (int v = tg_around; v < tg_around * (tg_rings - 1); ++v) {
        int ring = v / tg_around * tg_around, k = v % tg_around, count = 0;
        float near[8];
        for (int i = 0; i < 9; ++i) {
            int row = ring + tg_around * (i / 3 - 1);
            if (i != 4) {
                near[count++] = stage->steps[row + (k + i % 3 - 1 + tg_around) % tg_around];
            }
        }
        qsort(near, 8, sizeof(float), tgCompareFloats);
        float median = 0.5f * (near[3] + near[4]);
        // Steps below a thousandth of the radius cannot be seen; do not divide by them.
        worst = fmax(worst, (double)(stage->steps[v] / fmaxf(median, 1e-3f)));
    }
    return worst;
}

static void tgTestSweep(void** state)
{
    (void)state;
    int missed = 0;
    for (int way = 0; way < 2 * 3 * (tg_profileCurves + 2); ++way) {
        // The last in place of a profile: none chosen.
        int kind = way / 6;
        bool contact = way & 1;
        tgSkinning skinning = (tgSkinning)(way / 2 % 3);
        bool chosen = kind <= (int)tg_profileCurves;
        tgProfile profile = tgDefaultProfile(chosen ? (tgProfileKind)kind : tg_profileOrganic);
        tgVolumeDef volume = tgMakeExact(contact);
        volume.profiles = chosen ? &profile : NULL;
        volume.profileCount = chosen ? 1 : 0;
        tgTubeStage stage;
        if (!tgOpenTube(&stage, skinning, &volume)) {
            continue;
        }
        double worst = 0.0;
        for (int i = 0; i <= 600; ++i) {
            tgMat34 joints[2];
            tgBendTube(&stage.shape, 8.0f, 0.0f, (-150.0 + 0.5 * i) * tg_degree, joints);
            tgStepTube(&stage, joints);
            worst = i > 0 ? fmax(worst, tgGetJump(&stage)) : worst;
        }
        print_message("profile %d, skinning %d, contact %d: largest step %.2f of its neighbours' "
                      "median%s\n",
                      chosen ? kind : -1, (int)skinning, contact, worst,
                      worst <= 3.0 ? "" : " MISSED");
        missed += !(worst <= 3.0);
        tgCloseTube(&stage);
    }
    assert_int_equal(missed, 0);
}

// ---- dual quaternions across 180 degrees --------------------------------------------------------

/// The largest of the steps over the median of those up to `window` before and after it.
static double tgGetLargestOverMedian(const float* steps, int count, int window)
{
    float* near = calloc(2 * (size_t)window + 1, sizeof(float));
    double worst = 0.0;
    float most = 0.0f;
    for (int i = 0; i < count; ++i) {
        most = fmaxf(most, steps[i]);
    }
    for (int i = 0; i < count; ++i) {
        int first = i > window ? i - window : 0;
        int last = i + window < count ? i + window : count - 1;
        memcpy(near, steps + first, (size_t)(last - first + 1) * sizeof(float));
        qsort(near, (size_t)(last - first + 1), sizeof(float), tgCompareFloats);
        // Where the character nearly stands still nothing is seen.
        float median = fmaxf(near[(last - first + 1) / 2], 1e-2f * most);
        worst = most > 0.0f ? fmax(worst, (double)(steps[i] / median)) : worst;
    }
    free(near);
    return worst;
}

static void tgTestTwoJointsAcross180(void** state)
{
    (void)state;
    static const tgVec3 axes[] = {{1, 0, 0}, {0, 0, 1}, {0.6f, 0, 0.8f}};
    enum { tg_steps = 200 };
    int missed = 0;
    for (int way = 0; way < 6; ++way) {
        bool isExact = way & 1;
        tgVolumeDef volume = isExact ? tgMakeExact(true) : tgDefaultRigDef().volume;
        tgTubeStage stage;
        assert_true(tgOpenTube(&stage, tg_dualQuaternion, &volume));
        float steps[tg_steps];
        for (int i = 0; i <= tg_steps; ++i) {
            double angle = (170.0 + 20.0 * i / tg_steps) * tg_degree;
            tgTransform turn = tgIdentityTransform();
            turn.rotation = tgMakeQuat(axes[way / 2], (float)angle);
            tgVec3 origin = stage.shape.restJoints[1].origin;
            turn.position = tgSub(origin, tgRotate(turn.rotation, origin));
            tgMat34 motion = tgMakeMat34(turn);
            tgMat34 joints[2] = {stage.shape.restJoints[0],
                                 tgMulMat34(&motion, &stage.shape.restJoints[1])};
            tgStepTube(&stage, joints);
            float most = 0.0f;
            for (int v = 0; v < tg_around * tg_rings; ++v) {
                most = fmaxf(most, stage.steps[v]);
            }
            if (i > 0) {
                steps[i - 1] = most;
            }
        }
        double ratio = tgGetLargestOverMedian(steps, tg_steps, tg_steps);
        print_message("170 to 190 degrees about %g %g %g, %s: largest step %.2f of the median%s\n",
                      (double)axes[way / 2].x, (double)axes[way / 2].y, (double)axes[way / 2].z,
                      isExact ? "exact" : "plain", ratio, ratio <= 2.0 ? "" : " MISSED");
        missed += !(ratio <= 2.0);
        tgCloseTube(&stage);
    }
    assert_int_equal(missed, 0);
}

/// The largest step of any vertex from each frame to the next.
static float* tgMeasureSteps(tgActor* actor, int animation, double fps, int* count)
{
    const tgScene* scene = actor->scene;
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    tgVec3* before = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    int frames = tgScene_GetFrameCount(scene, animation, fps);
    float* steps = calloc((size_t)frames, sizeof(float));
    for (int f = 0; f < frames; ++f) {
        memcpy(before, actor->out, (size_t)scene->vertexCount * sizeof(tgVec3));
        double time = tgScene_GetFrameTime(scene, animation, fps, f);
        tgScene_SamplePose(scene, animation, time, nodes, joints, NULL);
        tgPlay(actor, joints);
        for (int v = 0; v < scene->vertexCount && f > 0; ++v) {
            steps[f - 1] = fmaxf(steps[f - 1], tgDistance(actor->out[v], before[v]));
        }
    }
    *count = frames - 1;
    free(nodes);
    free(joints);
    free(before);
    return steps;
}

/// Its death passes 180 degrees between two joints.
static void tgCheckDeath(const char* name, const tgScene* scene)
{
    for (int way = 0; way < 2; ++way) {
        tgVolumeDef volume = way == 0 ? tgDefaultRigDef().volume : tgMakeExact(true);
        tgActor actor = tgMakeActor(scene, tg_dualQuaternion, &volume);
        int count;
        float* steps = tgMeasureSteps(&actor, 5, 960.0, &count);
        double ratio = tgGetLargestOverMedian(steps, count, 32);
        print_message("%s, %s: largest step %.2f of the median of its time\n", name,
                      way == 0 ? "plain" : "exact", ratio);
        CHECK_AT_MOST(ratio, 2.0);
        free(steps);
        tgFreeActor(&actor);
    }
}

static void tgTestDeathAcross180(void** state)
{
    (void)state;
    static const char* const names[] = {"Q_Apatosaurus.glb"};
    tgCheckAssets(names, 1, tgCheckDeath);
}

// ---- looks --------------------------------------------------------------------------------------

/// Means over the characters.
typedef struct tgLooksSum {
    int count, overCount;
    tgLooks sum;
} tgLooksSum;

static tgLooksSum tgSumLooks(tgSkinning skinning, bool contact)
{
    tgLooksSum sum = {0};
    tgVolumeDef volume = tgMakeExact(contact);
    for (const tgLooksCharacter* c = tg_looksCharacters; c->name != NULL; ++c) {
        tgError error = {0};
        tgScene* scene = tgLoadLooksScene(c, TURGOR_ASSETS, &error);
        if (scene == NULL) {
            print_message("%s is skipped: %s\n", c->name, error.message);
            continue;
        }
        tgLooksDef def = tgDefaultLooksDef();
        def.scene = scene;
        def.animation = c->animation;
        def.skinning = skinning;
        def.volume = &volume;
        def.mostVertexFrames = tg_quickVertexFrames;
        tgLooks looks;
        tgResult result = tgMeasureLooks(&def, &looks, &error);
        tgDestroyScene(scene);
        if (result != tg_success) {
            assert_int_equal(skinning, tg_blend);
            break;
        }
        if (looks.overCount > 0) {
            print_message(
                "%s %d, skinning %d, contact %d: %d of %d frames turn over more than 1.05 "
                "times plain and 2; %d against %d\n",
                c->name, c->animation, (int)skinning, contact, looks.overCount, looks.frameCount,
                looks.turned, looks.plainTurned);
        }
        sum.overCount += looks.overCount;
        if (c->inMean) {
            sum.count += 1;
            sum.sum.flips += looks.flips;
            sum.sum.dihedral += looks.dihedral;
            sum.sum.dihedral999 += looks.dihedral999;
            sum.sum.lump += looks.lump;
            sum.sum.swell += looks.swell;
            sum.sum.shake += looks.shake;
        }
    }
    return sum;
}

/// 1.15 times what the reference comes to on its own characters; of the second differences over
/// time what it comes to on these, which move faster (bench/results, looks_reference.csv).
static void tgTestLooks(void** state)
{
    (void)state;
    tgLooksSum sum = tgSumLooks(tg_linear, false);
    double n = sum.count;
    if (sum.count < 20) {
        skip();
    }
    print_message("flips %.3f, dihedral %.1f / %.1f, lump %.3f, swell %.3f, shake %.4f\n",
                  sum.sum.flips / n, sum.sum.dihedral / n, sum.sum.dihedral999 / n,
                  sum.sum.lump / n, sum.sum.swell / n, sum.sum.shake / n);
    CHECK_AT_MOST(sum.sum.flips / n, 1.15 * 0.13);
    CHECK_AT_MOST(sum.sum.dihedral / n, 1.15 * 59.0);
    CHECK_AT_MOST(sum.sum.dihedral999 / n, 1.15 * 21.0);
    CHECK_AT_MOST(sum.sum.lump / n, 1.15 * 0.07);
    CHECK_AT_MOST(sum.sum.swell / n, 1.15 * 0.18);
    CHECK_AT_MOST(sum.sum.shake / n, 1.15 * 0.06);
}

/// By default settings no frame turns over more than 1.05 times the faces of plain skinning and 2.
static void tgTestTurnedFaces(void** state)
{
    (void)state;
    int over = tgSumLooks(tg_linear, true).overCount + tgSumLooks(tg_blend, true).overCount;
    assert_int_equal(over, 0);
}

/// One of them alone, by the name of its function, or all.
int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestDrawnCurves),    cmocka_unit_test(tgTestStandsStill),
        cmocka_unit_test(tgTestSweep),          cmocka_unit_test(tgTestTwoJointsAcross180),
        cmocka_unit_test(tgTestDeathAcross180), cmocka_unit_test(tgTestLooks),
        cmocka_unit_test(tgTestTurnedFaces),
    };
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests_name("heart_bars", tests, NULL, NULL);
}
