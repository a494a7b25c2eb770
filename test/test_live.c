// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Settings that change while a character is on stage: after any sequence of changes the frame is,
// to the bit, that of a rig made with those settings. Springs swing on, frames allocate nothing, a
// change without memory changes nothing, other instances of the rig stay as they are.

#include "assets.h"
#include "counted_memory.h"
#include "turgor/models.h"

// ---- random settings ----------------------------------------------------------------------------

static uint32_t tg_seed;

static uint32_t tgRandom(uint32_t below)
{
    tg_seed = tg_seed * 1664525u + 1013904223u;
    return (tg_seed >> 8) % below;
}

static float tgRandomIn(float low, float high)
{
    return low + (high - low) * (float)tgRandom(10001) / 10000.0f;
}

enum { tg_mostLists = 200, tg_mostKeys = 4, tg_mostElements = 8 };

/// What an instance should have, in memory of its own.
typedef struct tgWanted {
    tgVolumeDef volume;
    tgProfile all[2];
    tgProfile profiles[tg_mostLists][2];
    tgJointProfiles joints[tg_mostLists];
    tgVolumeKey keys[tg_mostKeys];
    float* paint;
    float* jointPaint;
    tgJointPaint jointPaints[1];
    tgFleshElement elements[tg_mostElements];
    tgFleshDef flesh;
    tgBonesDef bones;
    tgWrinklesDef wrinkles;
} tgWanted;

static tgProfile tgRandomProfile(void)
{
    tgProfile profile = tgDefaultProfile((tgProfileKind)tgRandom(7));
    float first = tgRandomIn(0.0f, 1.0f), second = tgRandomIn(0.0f, 1.0f - first);
    bool isOwn = profile.kind == tg_profileIsotropic && tgRandom(2) == 0;
    profile.mu[0] = isOwn ? 0.0f : first;
    profile.mu[1] = isOwn ? 0.0f : second;
    profile.mu[2] = isOwn ? 0.0f : 1.0f - first - second;
    for (int axis = 0; axis < 3; ++axis) {
        profile.sigma[axis] = tgRandomIn(0.1f, 0.8f);
        profile.center[axis] = tgRandomIn(-0.5f, 0.5f);
        profile.curveCounts[axis] = (int)tgRandom(6);
        for (int i = 0; i < profile.curveCounts[axis]; ++i) {
            profile.curves[axis][i] =
                (tgCurvePoint){-1.0f + 0.4f * (float)i, tgRandomIn(0.0f, 1.0f)};
        }
    }
    profile.folds = tgRandomIn(1.0f, 6.0f);
    profile.foldAngle = tgRandomIn(0.2f, 3.0f);
    profile.drift = tgRandom(3) == 0 ? tgRandomIn(0.0f, 1.0f) : 0.0f;
    profile.gain = tgRandom(3) == 0 ? tgRandomIn(0.0f, 2.0f) : 1.0f;
    profile.combine = (tgCombine)tgRandom(2);
    return profile;
}

static int tgFillProfiles(tgProfile profiles[2])
{
    int count = (int)tgRandom(6) / 2; // now and then none
    for (int i = 0; i < count; ++i) {
        profiles[i] = tgRandomProfile();
    }
    return count;
}

static void tgSetJoint(tgWanted* wanted, int joint, const tgProfile* profiles, int count)
{
    int at = 0;
    while (at < wanted->volume.jointCount && wanted->joints[at].joint != joint) {
        at += 1;
    }
    wanted->volume.jointCount += at == wanted->volume.jointCount;
    memcpy(wanted->profiles[at], profiles, (size_t)count * sizeof(tgProfile));
    wanted->joints[at] = (tgJointProfiles){joint, wanted->profiles[at], count};
}

static void tgSetKeys(tgWanted* wanted)
{
    wanted->volume.targetKeyCount = (int)tgRandom(tg_mostKeys + 1);
    for (int i = 0; i < wanted->volume.targetKeyCount; ++i) {
        wanted->keys[i] = (tgVolumeKey){0.3f * (float)i, tgRandomIn(0.9f, 1.1f)};
    }
}

static void tgSetPaint(tgWanted* wanted, const tgScene* scene)
{
    bool isPainted = tgRandom(2) == 0, hasJoint = tgRandom(2) == 0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        // By place, so that vertices of a seam agree.
        tgVec3 p = scene->positions[v];
        wanted->paint[v] = fminf(fmaxf(0.5f + p.x, 0.0f), 1.0f);
        wanted->jointPaint[v] = fminf(fmaxf(0.5f - p.y, 0.0f), 1.0f);
    }
    wanted->volume.paint = isPainted ? wanted->paint : NULL;
    wanted->jointPaints[0] =
        (tgJointPaint){(int)tgRandom((uint32_t)scene->jointCount), wanted->jointPaint};
    wanted->volume.jointPaints = wanted->jointPaints;
    wanted->volume.jointPaintCount = hasJoint ? 1 : 0;
}

/// One more or one less, with other springs.
static void tgSetElements(tgWanted* wanted, const tgScene* scene)
{
    wanted->flesh.elementCount = 0;
    for (int j = 1; j < scene->jointCount && wanted->flesh.elementCount < 3; ++j) {
        int driver = scene->joints[j].parent;
        if (driver < 0 || tgRandom(3) != 0) {
            continue;
        }
        tgFleshElement element = tgDefaultFleshElement();
        element.driver = driver;
        element.springs[0].frequency = tgRandomIn(1.0f, 6.0f);
        element.springs[0].dampingRatio = tgRandomIn(0.0f, 0.5f);
        element.elongation = tgRandomIn(0.2f, 1.0f);
        element.gravity = tgMakeVec3(0.0f, tgRandomIn(-5.0f, 0.0f), 0.0f);
        element.twistFrequency = tgRandom(2) == 0 ? 3.0f : 0.0f;
        wanted->elements[wanted->flesh.elementCount++] = element;
    }
}

static void tgStartWanted(tgWanted* wanted, const tgScene* scene)
{
    *wanted = (tgWanted){0};
    tgRigDef def = tgScene_GetRigDef(scene);
    wanted->volume = def.volume;
    wanted->volume.method = tg_volumeExact;
    wanted->volume.profiles = wanted->all;
    wanted->volume.joints = wanted->joints;
    wanted->volume.targetKeys = wanted->keys;
    wanted->flesh.elements = wanted->elements;
    wanted->bones = def.bones;
    wanted->paint = calloc((size_t)scene->vertexCount, sizeof(float));
    wanted->jointPaint = calloc((size_t)scene->vertexCount, sizeof(float));
}

static void tgEndWanted(tgWanted* wanted)
{
    free(wanted->paint);
    free(wanted->jointPaint);
}

static tgRigDef tgGetDef(const tgScene* scene, const tgWanted* wanted)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    def.volume = wanted->volume;
    def.flesh = wanted->flesh;
    def.bones = wanted->bones;
    def.wrinkles = wanted->wrinkles;
    return def;
}

// ---- a character --------------------------------------------------------------------------------

typedef struct tgStage {
    const tgScene* scene;
    tgMat34 *nodes, *joints;
    tgVec3* skin[2]; ///< positions, then normals; of two instances
} tgStage;

static tgStage tgOpenStage(const tgScene* scene)
{
    size_t count = (size_t)scene->vertexCount;
    return (tgStage){
        .scene = scene,
        .nodes = calloc((size_t)scene->nodeCount + 1, sizeof(tgMat34)),
        .joints = calloc((size_t)scene->jointCount, sizeof(tgMat34)),
        .skin = {calloc(2 * count, sizeof(tgVec3)), calloc(2 * count, sizeof(tgVec3))}};
}

static void tgCloseStage(tgStage* stage)
{
    free(stage->nodes);
    free(stage->joints);
    free(stage->skin[0]);
    free(stage->skin[1]);
}

static void tgPlay(tgStage* stage, tgInstance* instance, double time, int which)
{
    const tgScene* scene = stage->scene;
    int count = scene->vertexCount;
    tgScene_SamplePose(scene, scene->animationCount > 0 ? 0 : -1, time, stage->nodes, stage->joints,
                       NULL);
    tgPose pose = tgDefaultPose();
    pose.joints = stage->joints;
    pose.jointCount = scene->jointCount;
    pose.time = (float)time;
    tgVec3Span positions = {&stage->skin[which]->x, count, sizeof(tgVec3)};
    tgVec3Span normals = {&stage->skin[which][count].x, count, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(instance, &pose, positions, normals, NULL), tg_success);
}

static bool tgIsSame(const tgStage* stage)
{
    return memcmp(stage->skin[0], stage->skin[1],
                  2 * (size_t)stage->scene->vertexCount * sizeof(tgVec3)) == 0;
}

/// Two frames of the changed instance against those of a rig made with the same settings; gamma,
/// volumes and losses, too.
static void tgCompare(tgStage* stage, tgInstance* instance, const tgWanted* wanted, int change)
{
    tgError error = {0};
    tgRigDef def = tgGetDef(stage->scene, wanted);
    tgRig* rig = tgCreateRig(&def, &error);
    if (rig == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(rig);
    tgInstance* fresh = tgCreateInstance(rig, NULL, NULL);
    double start = 0.01 * (double)tgRandom(100);
    tgInstance_Reset(instance);
    for (int frame = 0; frame < 2; ++frame) {
        tgPlay(stage, instance, start + 0.05 * frame, 0);
        tgPlay(stage, fresh, start + 0.05 * frame, 1);
        if (!tgIsSame(stage)) {
            print_error("after change %d frame %d differs\n", change, frame);
        }
        assert_true(tgIsSame(stage));
    }
    tgVolumeReport a = tgInstance_MeasureVolume(instance), b = tgInstance_MeasureVolume(fresh);
    assert_memory_equal(&a, &b, sizeof(a));
    tgReport told = tgInstance_GetReport(instance), due = tgInstance_GetReport(fresh);
    assert_int_equal(told.lossCount, due.lossCount);
    for (int i = 0; i < told.lossCount; ++i) {
        assert_int_equal(told.losses[i].joint, due.losses[i].joint);
        assert_true(told.losses[i].loss == due.losses[i].loss);
        assert_true(told.losses[i].inside == due.losses[i].inside);
    }
    float* gamma[2] = {&stage->skin[0]->x, &stage->skin[1]->x};
    tgResult result = tgInstance_SampleGamma(instance, -1, gamma[0], NULL);
    assert_int_equal(result, tgInstance_SampleGamma(fresh, -1, gamma[1], NULL));
    assert_true(result == tg_unsupported || tgIsSame(stage));
    for (int j = 0; j < stage->scene->jointCount; ++j) {
        tgJointInfo own = tgRig_GetJointInfo(tgInstance_GetRig(instance), j);
        tgJointInfo other = tgRig_GetJointInfo(rig, j);
        assert_memory_equal(&own, &other, sizeof(own));
    }
    tgDestroyInstance(fresh);
    tgDestroyRig(rig);
}

static tgRig* tgMakeLiveRig(const tgScene* scene, const tgWanted* wanted)
{
    tgRigDef def = tgGetDef(scene, wanted);
    def.live = true;
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    return rig;
}

/// One random change of the instance and of what it should have.
static tgResult tgChangeAtRandom(const tgScene* scene, tgInstance* instance, tgWanted* wanted,
                                 tgError* error)
{
    tgProfile profiles[2];
    tgLayers layers = {.volume = &wanted->volume};
    int joint = (int)tgRandom((uint32_t)scene->jointCount), count;
    switch (tgRandom(12)) {
    case 0:
    case 1:
    case 2:
        count = tgFillProfiles(profiles);
        if (wanted->volume.method != tg_volumeExact) {
            assert_int_equal(tgInstance_SetProfiles(instance, joint, profiles, count, error),
                             tg_unsupported);
            return tg_success;
        }
        tgSetJoint(wanted, joint, profiles, count);
        return tgInstance_SetProfiles(instance, joint, profiles, count, error);
    case 3:
        wanted->volume.profileCount = tgFillProfiles(wanted->all);
        wanted->volume.jointCount = 0;
        break;
    case 4:
        tgSetKeys(wanted);
        return tgInstance_SetTarget(instance, wanted->keys, wanted->volume.targetKeyCount, error);
    case 5:
        wanted->volume.contact = tgRandom(2) == 0 ? tg_contactOff : tg_contactAuto;
        wanted->volume.contactGap = tgRandomIn(0.0f, 0.05f);
        break;
    case 6:
        wanted->volume.method = (tgVolumeMethod)(tgRandom(4) == 0 ? 0 : 1 + tgRandom(2));
        wanted->volume.mode = tgRandom(4) == 0 ? tg_modePaper : tg_modeExact;
        wanted->volume.local.map = (tgLocalMap)tgRandom(3);
        break;
    case 7:
        tgSetPaint(wanted, scene);
        break;
    case 8:
        wanted->bones.automatic = tgRandom(2) == 0;
        layers = (tgLayers){.bones = &wanted->bones};
        break;
    case 9:
        wanted->wrinkles.automatic = tgRandom(2) == 0;
        layers = (tgLayers){.wrinkles = &wanted->wrinkles};
        break;
    case 10:
        tgSetElements(wanted, scene);
        return tgInstance_SetFlesh(instance, &wanted->flesh, error);
    default:
        tgSetElements(wanted, scene);
        wanted->volume.method = tg_volumeExact;
        wanted->volume.mode = tg_modeExact;
        layers.flesh = &wanted->flesh;
        break;
    }
    return tgInstance_SetLayers(instance, &layers, error);
}

static void tgTryChanges(const tgScene* scene, uint32_t seed, int changes)
{
    tg_seed = seed;
    tgWanted wanted;
    tgStartWanted(&wanted, scene);
    tgRig* rig = tgMakeLiveRig(scene, &wanted);
    tgInstance* instance = tgCreateInstance(rig, NULL, NULL);
    tgStage stage = tgOpenStage(scene);
    for (int i = 0; i < changes; ++i) {
        tgError error = {0};
        tgWanted before = wanted;
        tgResult result = tgChangeAtRandom(scene, instance, &wanted, &error);
        if (result != tg_success) { // flesh that has no skin, as a rig would say, too
            tgRigDef def = tgGetDef(scene, &wanted);
            tgError same = {0};
            assert_null(tgCreateRig(&def, &same));
            assert_string_equal(error.message, same.message);
            memcpy(wanted.elements, before.elements, sizeof(before.elements));
            wanted.flesh = before.flesh;
            wanted.volume = before.volume;
        }
        tgCompare(&stage, instance, &wanted, i);
    }
    tgCloseStage(&stage);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgEndWanted(&wanted);
}

static void test_random_changes(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        int vertexCount, changes;
    } models[] = {{"arm", 600, 40},      {"elephant", 2000, 15}, {"giraffe", 1500, 15},
                  {"cylinder", 256, 40}, {"hand", 3000, 8},      {"cat", 0, 20}};
    for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); ++i) {
        tgError error = {0};
        tgScene* scene = tgCreateModel(models[i].name, models[i].vertexCount, &error);
        if (scene == NULL) {
            print_error("%s: %s\n", models[i].name, error.message);
        }
        assert_non_null(scene);
        tgTryChanges(scene, 7u + (uint32_t)i, models[i].changes);
        tgDestroyScene(scene);
    }
}

static void tgCheckAsset(const char* name, const tgScene* scene)
{
    (void)name;
    tgTryChanges(scene, 3u, 12);
}

static void test_assets(void** state)
{
    (void)state;
    static const char* const names[] = {"CesiumMan.glb", "Fox.glb", "RiggedFigure.glb"};
    tgCheckAssets(names, sizeof(names) / sizeof(names[0]), tgCheckAsset);
}

/// Every preset as the command line applies it, one after the other, on one instance.
static void test_presets(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("human", 0, NULL);
    assert_non_null(scene);
    tgWanted wanted;
    tgStartWanted(&wanted, scene);
    tgRig* rig = tgMakeLiveRig(scene, &wanted);
    tgInstance* instance = tgCreateInstance(rig, NULL, NULL);
    tgStage stage = tgOpenStage(scene);
    tg_seed = 1;
    for (int i = 0; tgGetPresetName(i) != NULL; ++i) {
        tgSettings* settings = tgParseSettings("{}", 2, scene, NULL);
        assert_int_equal(tgSettings_ApplyPreset(settings, scene, tgGetPresetName(i), NULL),
                         tg_success);
        tgLayers layers = {&settings->volume, &settings->flesh, &settings->bones,
                           &settings->wrinkles};
        assert_int_equal(tgInstance_SetLayers(instance, &layers, NULL), tg_success);
        tgWanted preset = wanted;
        preset.volume = settings->volume;
        preset.flesh = settings->flesh;
        tgCompare(&stage, instance, &preset, i);
        tgDestroySettings(settings);
    }
    tgCloseStage(&stage);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgEndWanted(&wanted);
    tgDestroyScene(scene);
}

// ---- springs ------------------------------------------------------------------------------------

/// A mushroom's cap that was pushed and swings.
typedef struct tgSwing {
    tgScene* scene;
    tgRig* rig;
    tgInstance* instance;
    tgStage stage;
    tgFleshElement element;
    tgFleshDef def;
    double time;
} tgSwing;

static void tgStartSwing(tgSwing* swing)
{
    swing->scene = tgCreateModel("mushroom", 0, NULL);
    assert_non_null(swing->scene);
    swing->element = tgDefaultFleshElement();
    swing->element.driver = 0;
    swing->element.springs[0] =
        (tgFleshSpring){.share = 1.0f, .frequency = 2.0f, .dampingRatio = 0.1f, .damping = -1.0f};
    swing->def = (tgFleshDef){&swing->element, 1};
    tgRigDef def = tgScene_GetRigDef(swing->scene);
    def.flesh = swing->def;
    def.live = true;
    tgError error = {0};
    swing->rig = tgCreateRig(&def, &error);
    if (swing->rig == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(swing->rig);
    swing->instance = tgCreateInstance(swing->rig, NULL, NULL);
    swing->stage = tgOpenStage(swing->scene);
    swing->time = 0.0;
}

static void tgStep(tgSwing* swing, int frames)
{
    for (int i = 0; i < frames; ++i) {
        swing->time += 1.0 / 60.0;
        tgPlay(&swing->stage, swing->instance, swing->time, 0);
    }
}

static void tgEndSwing(tgSwing* swing)
{
    tgCloseStage(&swing->stage);
    tgDestroyInstance(swing->instance);
    tgDestroyRig(swing->rig);
    tgDestroyScene(swing->scene);
}

static void tgCheckMotion(const tgSwing* swing, tgFleshMotion before)
{
    tgFleshMotion after = tgInstance_GetFleshMotion(swing->instance, 0);
    assert_memory_equal(&before, &after, sizeof(after));
    assert_true(tgLength(after.velocity) > 1e-3f); // it does swing
}

/// A change keeps place and speed; from there on the spring is the new one, by its closed form.
static void test_springs_swing_on(void** state)
{
    (void)state;
    tgSwing swing;
    tgStartSwing(&swing);
    double end = swing.scene->animations[0].end;
    tgStep(&swing, (int)(60.0 * end) + 2); // the stem stands still from here on
    tgFleshMotion motion = tgInstance_GetFleshMotion(swing.instance, 0);
    swing.element.springs[0].frequency = 5.0f;
    swing.element.springs[0].dampingRatio = 0.3f;
    assert_int_equal(tgInstance_SetFlesh(swing.instance, &swing.def, NULL), tg_success);
    tgCheckMotion(&swing, motion);
    tgVolumeDef volume = tgScene_GetRigDef(swing.scene).volume;
    volume.method = tg_volumeExact;
    tgLayers layers = {.volume = &volume};
    assert_int_equal(tgInstance_SetLayers(swing.instance, &layers, NULL), tg_success);
    tgCheckMotion(&swing, motion);
    tgStep(&swing, 6);
    // y'' + 2 zeta w y' + w^2 y = 0 from y0 and v0, after 0.1 seconds.
    double w = 2.0 * 3.14159265358979 * 5.0, zeta = 0.3, t = 0.1;
    double damped = w * sqrt(1.0 - zeta * zeta), decay = exp(-zeta * w * t);
    double y0 = (double)motion.displacement.x, v0 = (double)motion.velocity.x;
    double y = decay * (y0 * cos(damped * t) + (v0 + zeta * w * y0) / damped * sin(damped * t));
    tgFleshMotion later = tgInstance_GetFleshMotion(swing.instance, 0);
    CHECK_NEAR(later.displacement.x, y, 1e-4 * fabs(y0) + 1e-6);
    tgEndSwing(&swing);
}

/// Two springs in place of one: the skin stays where it is. An element on another bone is new.
static void test_other_springs(void** state)
{
    (void)state;
    tgSwing swing;
    tgStartSwing(&swing);
    tgStep(&swing, 20);
    tgFleshMotion motion = tgInstance_GetFleshMotion(swing.instance, 0);
    swing.element.springCount = 2;
    swing.element.springs[0].share = 0.75f;
    swing.element.springs[1] = swing.element.springs[0];
    swing.element.springs[1].share = 0.25f;
    assert_int_equal(tgInstance_SetFlesh(swing.instance, &swing.def, NULL), tg_success);
    tgFleshMotion after = tgInstance_GetFleshMotion(swing.instance, 0);
    CHECK_NEAR(tgDistance(after.displacement, motion.displacement), 0.0, 1e-6);
    CHECK_NEAR(tgDistance(after.velocity, motion.velocity), 0.0, 1e-5);
    tgStep(&swing, 1);
    assert_int_equal(tgInstance_SetFlesh(swing.instance, NULL, NULL), tg_success);
    assert_int_equal(tgRig_GetFleshCount(tgInstance_GetRig(swing.instance)), 0);
    assert_int_equal(tgRig_GetFleshCount(swing.rig), 1);
    tgStep(&swing, 1);
    assert_int_equal(tgInstance_SetFlesh(swing.instance, &swing.def, NULL), tg_success);
    tgStep(&swing, 1); // at rest, where it was put
    after = tgInstance_GetFleshMotion(swing.instance, 0);
    CHECK_NEAR(tgLength(after.displacement), 0.0, 1e-9);
    tgEndSwing(&swing);
}

// ---- memory, other instances, refusals ----------------------------------------------------------

/// A small arm on a live rig, and where it is played.
typedef struct tgLive {
    tgScene* scene;
    tgWanted wanted;
    tgRig* rig;
    tgStage stage;
} tgLive;

static void tgOpenLive(tgLive* live)
{
    live->scene = tgCreateModel("arm", 600, NULL);
    tgStartWanted(&live->wanted, live->scene);
    live->rig = tgMakeLiveRig(live->scene, &live->wanted);
    live->stage = tgOpenStage(live->scene);
}

static void tgCloseLive(tgLive* live)
{
    tgCloseStage(&live->stage);
    tgDestroyRig(live->rig);
    tgEndWanted(&live->wanted);
    tgDestroyScene(live->scene);
}

static void test_no_allocation_in_a_frame(void** state)
{
    (void)state;
    tgLive arm;
    tgOpenLive(&arm);
    tgCounter counter = {0};
    tgInstanceDef def = tgDefaultInstanceDef();
    def.allocator = tgCounter_GetAllocator(&counter);
    tgInstance* instance = tgCreateInstance(arm.rig, &def, NULL);
    tgProfile profile = tgDefaultProfile(tg_profileMuscle);
    int live = 0;
    for (int i = 0; i < 10; ++i) {
        profile.sigma[0] = 0.1f + 0.05f * (float)i;
        assert_int_equal(tgInstance_SetProfiles(instance, 1, &profile, 1, NULL), tg_success);
        int calls = counter.calls;
        tgPlay(&arm.stage, instance, 0.3, 0);
        assert_int_equal(counter.calls, calls);
        live = i == 0 ? counter.live : live;
        assert_int_equal(counter.live, live); // nothing piles up
    }
    tgDestroyInstance(instance);
    assert_int_equal(counter.live, 0);
    tgCloseLive(&arm);
}

/// Every allocation of a change fails in turn; the instance goes on as it was.
static void test_failing_memory(void** state)
{
    (void)state;
    tgLive arm;
    tgOpenLive(&arm);
    tgCounter counter = {0};
    tgInstanceDef def = tgDefaultInstanceDef();
    def.allocator = tgCounter_GetAllocator(&counter);
    tgInstance* instance = tgCreateInstance(arm.rig, &def, NULL);
    tgPlay(&arm.stage, instance, 0.4, 0);
    tgSetElements(&arm.wanted, arm.scene);
    arm.wanted.all[0] = tgDefaultProfile(tg_profileRubber);
    arm.wanted.all[0].drift = 0.5f;
    arm.wanted.volume.profileCount = 1;
    arm.wanted.volume.contactGap = 0.03f;
    arm.wanted.bones.automatic = true;
    tgLayers layers = {&arm.wanted.volume, &arm.wanted.flesh, &arm.wanted.bones,
                       &arm.wanted.wrinkles};
    int failed = 0, live = counter.live;
    for (tgResult result = tg_outOfMemory; result == tg_outOfMemory; ++failed) {
        tgError error = {0};
        counter.calls = 0;
        counter.failAt = failed + 1;
        result = tgInstance_SetLayers(instance, &layers, &error);
        counter.failAt = 0;
        if (result == tg_outOfMemory) {
            assert_int_equal(error.code, tg_outOfMemory);
            assert_int_equal(counter.live, live);
            tgInstance_Reset(instance);
            tgPlay(&arm.stage, instance, 0.4, 1);
            assert_true(tgIsSame(&arm.stage));
        } else {
            assert_int_equal(result, tg_success);
        }
    }
    assert_true(failed > 20);
    tgCompare(&arm.stage, instance, &arm.wanted, failed);
    tgDestroyInstance(instance);
    assert_int_equal(counter.live, 0);
    counter = (tgCounter){.failAt = 2}; // an instance of a live arm.rig takes two blocks
    assert_null(tgCreateInstance(arm.rig, &def, NULL));
    assert_int_equal(counter.live, 0);
    tgCloseLive(&arm);
}

static void test_other_instances(void** state)
{
    (void)state;
    tgLive arm;
    tgOpenLive(&arm);
    tgInstance* changed = tgCreateInstance(arm.rig, NULL, NULL);
    tgInstance* other = tgCreateInstance(arm.rig, NULL, NULL);
    tgPlay(&arm.stage, other, 0.4, 0);
    tgProfile profile = tgDefaultProfile(tg_profileMuscle);
    int elbow = tgScene_FindJoint(arm.scene, "forearm");
    elbow = elbow >= 0 ? elbow : 1;
    assert_int_equal(tgInstance_SetProfiles(changed, elbow, &profile, 1, NULL), tg_success);
    tgPlay(&arm.stage, changed, 0.4, 1);
    assert_false(tgIsSame(&arm.stage)); // it did change
    tgPlay(&arm.stage, other, 0.4, 1);
    assert_true(tgIsSame(&arm.stage));
    tgDestroyInstance(changed);
    tgDestroyInstance(other);
    tgCloseLive(&arm);
}

static void test_refusals(void** state)
{
    (void)state;
    tgError error = {0};
    tgScene* scene = tgCreateModel("arm", 600, NULL);
    tgWanted wanted;
    tgStartWanted(&wanted, scene);
    tgRigDef def = tgGetDef(scene, &wanted);
    tgRig* still = tgCreateRig(&def, NULL);
    tgInstance* instance = tgCreateInstance(still, NULL, NULL);
    tgProfile profile = tgDefaultProfile(tg_profileMuscle);
    assert_int_equal(tgInstance_SetProfiles(instance, 1, &profile, 1, &error), tg_unsupported);
    CHECK_CONTAINS(error.message, "tgRigDef.live");
    tgDestroyInstance(instance);
    tgDestroyRig(still);

    tgRig* rig = tgMakeLiveRig(scene, &wanted);
    instance = tgCreateInstance(rig, NULL, NULL);
    assert_int_equal(tgInstance_SetProfiles(instance, 999, &profile, 1, &error),
                     tg_invalidArgument);
    CHECK_CONTAINS(error.message, "joint 999");
    profile.sigma[1] = NAN;
    assert_int_equal(tgInstance_SetProfiles(instance, 1, &profile, 1, &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "sigma");
    assert_int_equal(tgInstance_SetProfiles(instance, 1, &profile, -1, &error), tg_invalidArgument);
    tgVolumeKey keys[2] = {{1.0f, 1.0f}, {0.5f, 1.0f}};
    assert_int_equal(tgInstance_SetTarget(instance, keys, 2, &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "target key 1");
    assert_int_equal(tgInstance_SetTarget(instance, keys, -1, &error), tg_invalidArgument);
    tgFleshElement element = tgDefaultFleshElement();
    element.driver = -4;
    tgFleshDef flesh = {&element, 1};
    assert_int_equal(tgInstance_SetFlesh(instance, &flesh, &error), tg_invalidArgument);
    assert_int_equal(tgInstance_SetLayers(instance, NULL, &error), tg_invalidArgument);
    assert_int_equal(tgInstance_SetLayers(NULL, NULL, &error), tg_invalidArgument);
    tgStage stage = tgOpenStage(scene); // none of it changed anything
    tgCompare(&stage, instance, &wanted, 0);
    tgCloseStage(&stage);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgEndWanted(&wanted);
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_changes), cmocka_unit_test(test_assets),
        cmocka_unit_test(test_presets),        cmocka_unit_test(test_springs_swing_on),
        cmocka_unit_test(test_other_springs),  cmocka_unit_test(test_no_allocation_in_a_frame),
        cmocka_unit_test(test_failing_memory), cmocka_unit_test(test_other_instances),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
