// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where the volume goes and how far, in numbers that hold both ways: closed forms of the radii on a
// ball, a plate and two plates, then characters and tubes against what they come to. Every constant
// of the method moves some of these; a change of one is a change of how characters look.

#include "actor.h"
#include "assets.h"
#include "core/instance.h"
#include "shapes.h"
#include "turgor/models.h"

static tgRigDef tgGetExactDef(const tgShape* shape, tgContactChoice contact)
{
    tgRigDef def = tgShape_GetRigDef(shape);
    def.volume.method = tg_volumeExact;
    def.volume.contact = contact;
    return def;
}

// ---- radii --------------------------------------------------------------------------------------

/// A box of so many quads along x and y, one high, at a height. Its vertices are welded.
static void tgAddBox(tgShape* shape, int count, float width, float low, float high)
{
    int first = 0;
    while (first < shape->vertexCount && shape->weights[first] > 0.0f) {
        first += 1; // those that are placed have weights
    }
    int side = (count + 1) * (count + 1);
    for (int v = 0; v < 2 * side; ++v) {
        int i = v % side % (count + 1), k = v % side / (count + 1);
        shape->positions[first + v] =
            tgMakeVec3(width * ((float)i / (float)count - 0.5f),
                       width * ((float)k / (float)count - 0.5f), v < side ? low : high);
        shape->weights[first + v] = 1.0f;
    }
    for (int f = 0; f < count * count; ++f) {
        int a = first + f / count * (count + 1) + f % count, b = a + side;
        const int bottom[4] = {a, a + count + 1, a + count + 2, a + 1};
        const int top[4] = {b, b + 1, b + count + 2, b + count + 1};
        tgShape_AddFace(shape, 4, bottom);
        tgShape_AddFace(shape, 4, top);
    }
    for (int k = 0; k < 4 * count; ++k) { // round the rim, counter-clockwise
        int m = k % count, n = count + 1, a, b;
        a = k < count       ? m
            : k < 2 * count ? m * n + count
            : k < 3 * count ? count * n + count - m
                            : (count - m) * n;
        b = k < count       ? m + 1
            : k < 2 * count ? (m + 1) * n + count
            : k < 3 * count ? count * n + count - m - 1
                            : (count - m - 1) * n;
        const int wall[4] = {first + a, first + b, first + b + side, first + a + side};
        tgShape_AddFace(shape, 4, wall);
    }
}

static tgShape tgMakeBoxes(int boxes, int count)
{
    int vertices = boxes * 2 * (count + 1) * (count + 1),
        faces = boxes * (2 * count * count + 4 * count);
    tgShape shape = tgMakeShape(vertices, faces, 4 * faces);
    memset(shape.weights, 0, (size_t)vertices * sizeof(float));
    return shape;
}

/// R of the vertex next to a place.
static double tgGetRadiusAt(const tgActor* actor, const tgShape* shape, tgVec3 place)
{
    int best = 0;
    for (int v = 1; v < shape->vertexCount; ++v) {
        float own = tgDistance(shape->positions[v], place);
        best = own < tgDistance(shape->positions[best], place) ? v : best;
    }
    return (double)actor->rig->stage.radii[actor->rig->mesh.renderToVertex[best]];
}

static void tgTestRadii(void** state)
{
    (void)state;
    // A ball is thicker than an eighth of its diagonal.
    tgShape ball = tgMakeSphere(48, 23);
    tgRigDef def = tgGetExactDef(&ball, tg_contactOff);
    tgActor actor = tgMakeActor(&def);
    double diagonal = (double)tgRig_GetInfo(actor.rig).restDiagonal;
    CHECK_NEAR(tgGetRadiusAt(&actor, &ball, tgMakeVec3(1, 0, 0)) / diagonal, 0.125, 0.002);
    tgFreeActor(&actor);
    tgFreeShape(&ball);
    // A sheet has a radius all the same.
    tgShape sheet = tgMakeBoxes(1, 16);
    tgAddBox(&sheet, 16, 4.0f, 0.0f, 1e-3f);
    def = tgGetExactDef(&sheet, tg_contactOff);
    actor = tgMakeActor(&def);
    diagonal = (double)tgRig_GetInfo(actor.rig).restDiagonal;
    CHECK_NEAR(tgGetRadiusAt(&actor, &sheet, tgMakeVec3(0, 0, 0)) / diagonal, 2e-3, 4e-5);
    tgFreeActor(&actor);
    tgFreeShape(&sheet);
    // Two plates: 1/R = 1/r + 1/gap - 1/far between them, 1/r outside.
    tgShape plates = tgMakeBoxes(2, 24);
    tgAddBox(&plates, 24, 4.0f, 0.0f, 0.4f);
    tgAddBox(&plates, 24, 4.0f, 0.6f, 1.0f);
    def = tgGetExactDef(&plates, tg_contactOff);
    actor = tgMakeActor(&def);
    double far = 0.125 * (double)tgRig_GetInfo(actor.rig).restDiagonal;
    double between = 1.0 / (1.0 / 0.2 + 1.0 / 0.1 - 1.0 / far);
    CHECK_NEAR(tgGetRadiusAt(&actor, &plates, tgMakeVec3(0, 0, 0)), 0.2, 0.005);
    CHECK_NEAR(tgGetRadiusAt(&actor, &plates, tgMakeVec3(0, 0, 0.4f)), between, 0.02 * between);
    tgFreeActor(&actor);
    tgFreeShape(&plates);
}

// ---- numbers ------------------------------------------------------------------------------------

typedef struct tgNumber {
    const char* what;
    double known, within; ///< within: relative
} tgNumber;

static int tg_missCount;

static void tgCompare(const tgNumber* number, double found)
{
    bool isMissed = !(fabs(found - number->known) <= number->within * fabs(number->known));
    tg_missCount += isMissed;
    print_message("%-34s %.5g (%.5g)%s\n", number->what, found, number->known,
                  isMissed ? " MISSED" : "");
}

/// Mean radius in diagonals, how far directions leave the normals, and what supports reach.
static void tgMeasureSetUp(const tgActor* actor, double found[4])
{
    const tgRig* rig = actor->rig;
    double area = 0.0, away = 0.0;
    for (int v = 0; v < rig->mesh.vertexCount; ++v) {
        const float *n = rig->stage.directions + 4 * (size_t)v,
                    *m = rig->normals.rest + 4 * (size_t)v;
        double g = (double)rig->stage.areas[v];
        area += g;
        away += g * (1.0 - (double)(n[0] * m[0] + n[1] * m[1] + n[2] * m[2]));
    }
    found[0] = rig->stage.allSum / area / (double)rig->info.restDiagonal;
    found[1] = away / area;
    found[2] = found[3] = 0.0;
    for (int i = 0; i < rig->limbs.count; ++i) {
        found[2] += rig->stage.sums[2 * i].worth / rig->stage.allSum;
        found[3] += rig->stage.sums[2 * i + 1].worth / rig->stage.allSum;
    }
}

/// Largest and mean displacement against plain skin, in diagonals, and what went to all the skin.
static void tgMeasureSwell(const tgActor* kept, const tgActor* plain, double found[3])
{
    double diagonal = (double)tgRig_GetInfo(kept->rig).restDiagonal;
    double scale = kept->instance->volume.scale;
    found[0] = found[1] = 0.0;
    for (int v = 0; v < kept->vertexCount; ++v) {
        double moved = (double)tgDistance(kept->out[v], plain->out[v]) / (scale * diagonal);
        found[0] = fmax(found[0], moved);
        found[1] += moved / kept->vertexCount;
    }
    found[2] = kept->instance->volume.spilled / kept->instance->volume.target;
}

/// One frame of an animation.
static void tgCompareFrame(const tgScene* scene, int animation, double time,
                           const tgProfile* profile, const tgNumber numbers[7])
{
    tgRigDef def = tgScene_GetRigDef(scene);
    tgActor plain = tgMakeActor(&def);
    def.volume.method = tg_volumeExact;
    def.volume.contact = tg_contactOff;
    def.volume.profiles = profile;
    def.volume.profileCount = profile != NULL ? 1 : 0;
    tgActor kept = tgMakeActor(&def);
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    tgScene_SamplePose(scene, animation, time, nodes, joints, NULL);
    tgActor_Play(&plain, joints);
    tgActor_Play(&kept, joints);
    double found[7];
    tgMeasureSetUp(&kept, found);
    tgMeasureSwell(&kept, &plain, found + 4);
    for (int i = 0; i < 7; ++i) {
        tgCompare(&numbers[i], found[i]);
    }
    free(nodes);
    free(joints);
    tgFreeActor(&plain);
    tgFreeActor(&kept);
}

static void tgTestArm(void** state)
{
    (void)state;
    static const tgNumber organic[7] = {{"arm: mean radius", 0.050222, 0.02},
                                        {"arm: directions", 0.0062605, 0.05},
                                        {"arm: supports", 0.39997, 0.02},
                                        {"arm: wide supports", 1.1056, 0.02},
                                        {"arm: largest displacement", 0.0023932, 0.02},
                                        {"arm: mean displacement", 0.00062889, 0.02},
                                        {"arm: spilled", 0.0, 0.0}};
    static const tgNumber muscle[7] = {{"muscle: mean radius", 0.050222, 0.02},
                                       {"muscle: directions", 0.0062605, 0.05},
                                       {"muscle: supports", 0.96335, 0.02},
                                       {"muscle: wide supports", 1.1056, 0.02},
                                       {"muscle: largest displacement", 0.013188, 0.02},
                                       {"muscle: mean displacement", 0.00072588, 0.02},
                                       {"muscle: spilled", 0.0, 0.0}};
    tgScene* scene = tgCreateModel("arm", 0, NULL);
    tgProfile profile = tgDefaultProfile(tg_profileMuscle);
    tg_missCount = 0;
    tgCompareFrame(scene, 0, 1.0, NULL, organic);
    tgCompareFrame(scene, 0, 1.0, &profile, muscle);
    tgDestroyScene(scene);
    assert_int_equal(tg_missCount, 0);
}

static void tgCompareCesium(const char* name, const tgScene* scene)
{
    (void)name;
    static const tgNumber numbers[7] = {{"CesiumMan: mean radius", 0.029198, 0.02},
                                        {"CesiumMan: directions", 0.014581, 0.05},
                                        {"CesiumMan: supports", 1.4433, 0.02},
                                        {"CesiumMan: wide supports", 3.4986, 0.02},
                                        {"CesiumMan: largest displacement", 0.0052177, 0.02},
                                        {"CesiumMan: mean displacement", 0.00041752, 0.02},
                                        {"CesiumMan: spilled", 0.0, 0.0}};
    tgCompareFrame(scene, 0, 0.7, NULL, numbers);
}

static void tgCompareFox(const char* name, const tgScene* scene)
{
    (void)name;
    static const tgNumber numbers[7] = {{"Q_Fox: mean radius", 0.02601, 0.02},
                                        {"Q_Fox: directions", 0.079069, 0.05},
                                        {"Q_Fox: supports", 3.5889, 0.02},
                                        {"Q_Fox: wide supports", 9.0557, 0.02},
                                        {"Q_Fox: largest displacement", 0.0063547, 0.02},
                                        {"Q_Fox: mean displacement", 0.0010413, 0.02},
                                        {"Q_Fox: spilled", 0.0, 0.0}};
    tgCompareFrame(scene, 4, 0.4, NULL, numbers);
}

static void tgTestCharacters(void** state)
{
    (void)state;
    static const char* const names[] = {"CesiumMan.glb", "Q_Fox.glb"};
    tg_missCount = 0;
    tgCheckAssets(&names[0], 1, tgCompareCesium);
    tgCheckAssets(&names[1], 1, tgCompareFox);
    assert_int_equal(tg_missCount, 0);
}

// ---- a tube at its limits -----------------------------------------------------------------------

/// Bends a tube of two bones; gain asks for more than it lost.
static void tgCompareTube(float gain, tgProfileKind kind, const tgNumber numbers[2])
{
    tgShape tube = tgMakeTube(24, 97, 24.0f, 11.0f, 13.0f, true);
    tgProfile profile = tgDefaultProfile(kind);
    profile.gain = gain;
    profile.sigma[0] = profile.sigma[1] = profile.sigma[2] = 0.1f;
    tgRigDef def = tgShape_GetRigDef(&tube);
    tgActor plain = tgMakeActor(&def);
    def = tgGetExactDef(&tube, tg_contactOff);
    def.volume.profiles = &profile;
    def.volume.profileCount = 1;
    tgActor kept = tgMakeActor(&def);
    tgMat34 joints[2];
    tgBendTube(&tube, 24.0f, 0.0f, 2.4, joints);
    tgActor_Play(&plain, joints);
    tgActor_Play(&kept, joints);
    double found[3];
    tgMeasureSwell(&kept, &plain, found);
    tgCompare(&numbers[0], found[0] * (double)tgRig_GetInfo(kept.rig).restDiagonal);
    tgCompare(&numbers[1], found[1] * (double)tgRig_GetInfo(kept.rig).restDiagonal);
    tgFreeActor(&plain);
    tgFreeActor(&kept);
    tgFreeShape(&tube);
}

static void tgTestLimits(void** state)
{
    (void)state;
    static const tgNumber plain[2] = {{"tube, gain 1: largest", 0.061051, 0.02},
                                      {"tube, gain 1: mean", 0.010056, 0.02}};
    static const tgNumber full[2] = {{"tube, gain 4: largest", 0.13792, 0.02},
                                     {"tube, gain 4: mean", 0.038453, 0.02}};
    static const tgNumber rubber[2] = {{"rubber, gain 1: largest", 0.30521, 0.02},
                                       {"rubber, gain 1: mean", 0.01506, 0.02}};
    static const tgNumber fullRubber[2] = {{"rubber, gain 4: largest", 0.85951, 0.02},
                                           {"rubber, gain 4: mean", 0.053996, 0.02}};
    tg_missCount = 0;
    tgCompareTube(1.0f, tg_profileOrganic, plain);
    tgCompareTube(4.0f, tg_profileOrganic, full);
    tgCompareTube(1.0f, tg_profileRubber, rubber);
    tgCompareTube(4.0f, tg_profileRubber, fullRubber);
    assert_int_equal(tg_missCount, 0);
}

/// A profile that has no end reaches as far as the wide support, and fades there.
static void tgTestReach(void** state)
{
    (void)state;
    static const tgNumber numbers[2] = {{"reach of a profile without end", 23.5, 0.02},
                                        {"where it fades", 8.75, 0.03}};
    tgShape tube = tgMakeTube(16, 161, 40.0f, 19.0f, 21.0f, true);
    tgProfile profile = tgDefaultProfile(tg_profileIsotropic);
    profile.sigma[0] = profile.sigma[1] = profile.sigma[2] = 1e3f;
    tgRigDef def = tgGetExactDef(&tube, tg_contactOff);
    def.volume.profiles = &profile;
    def.volume.profileCount = 1;
    tgActor actor = tgMakeActor(&def);
    tgMat34 joints[2];
    tgBendTube(&tube, 40.0f, 0.0f, 1.0, joints);
    tgActor_Play(&actor, joints);
    float* gamma = calloc((size_t)tube.vertexCount, sizeof(float));
    assert_int_equal(tgInstance_SampleGamma(actor.instance, 1, gamma, NULL), tg_success);
    double reach = 0.0, fades = 0.0; // in radii, all round in the mean
    for (int v = 0; v < tube.vertexCount; ++v) {
        reach += (gamma[v] > 0.0f ? 0.25 : 0.0) / 16;
        fades += (gamma[v] > 0.0f && gamma[v] < 0.99f ? 0.25 : 0.0) / 16;
    }
    tg_missCount = 0;
    tgCompare(&numbers[0], reach);
    tgCompare(&numbers[1], fades);
    assert_int_equal(tg_missCount, 0);
    free(gamma);
    tgFreeActor(&actor);
    tgFreeShape(&tube);
}

/// A groove with edges much shorter than the smoothing: there is less room in it, however short
/// they are. Without smoothing it would be 1 / (1 / 0.5 + 1), with a curvature of 1 along it.
static void tgTestGroove(void** state)
{
    (void)state;
    static const tgNumber number = {"least radius in a groove", 0.47501, 0.03};
    tgShape tube = tgMakeTube(32, 267, 8.0f, 3.0f, 5.0f, true);
    for (int v = 0; v < tube.vertexCount; ++v) { // rings are 0.03 apart, a fifteenth of the length
        float x = tube.positions[v].x - 4.0f, radius = 1.0f - 0.5f / (1.0f + x * x);
        tube.positions[v].y *= radius;
        tube.positions[v].z *= radius;
    }
    tgRigDef def = tgGetExactDef(&tube, tg_contactOff);
    tgActor actor = tgMakeActor(&def);
    tg_missCount = 0;
    tgCompare(&number, tgGetRadiusAt(&actor, &tube, tgMakeVec3(4.0f, 0.5f, 0.0f)));
    assert_int_equal(tg_missCount, 0);
    tgFreeActor(&actor);
    tgFreeShape(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestRadii),      cmocka_unit_test(tgTestArm),
        cmocka_unit_test(tgTestCharacters), cmocka_unit_test(tgTestLimits),
        cmocka_unit_test(tgTestReach),      cmocka_unit_test(tgTestGroove),
    };
    return cmocka_run_group_tests_name("swells", tests, NULL, NULL);
}
