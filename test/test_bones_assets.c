// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Real bones inside a real hand that curls, and the embedded hand: no skin inside a bone, the skin
// over the knuckles as thick as it should be, the rest pose as it was, the volume kept with what
// rests on bone in its place.

#include "check.h"
#include "core/bvh.h"
#include "io/load_objects.h"
#include "turgor/io.h"
#include "turgor/models.h"
#include "turgor/scene.h"

enum { tg_mostBones = 32 };
static const float tg_thickness = 0.0015f; // a millimetre and a half

/// A hand with its bones, which the test keeps in trees of its own.
typedef struct tgHand {
    tgScene *skin, *objects;
    int boneCount;
    bool allBones; ///< every bone counts for every vertex
    tgBoneDef bones[tg_mostBones];
    int* corners[tg_mostBones];
    tgVec3* inJoint[tg_mostBones];
    tgSurface surfaces[tg_mostBones];
    tgBvh trees[tg_mostBones];
    void* memory[tg_mostBones];
} tgHand;

static void tgAddBone(tgHand* hand, const tgScenePart* part, int firstCorner, int joint)
{
    int b = hand->boneCount++;
    int triangleCount = 0, cornerCount = 0;
    const int* sizes = hand->objects->faceSizes + part->firstFace;
    for (int f = 0; f < part->faceCount; ++f) {
        triangleCount += sizes[f] - 2;
        cornerCount += sizes[f];
    }
    int* corners = calloc((size_t)cornerCount, sizeof(int));
    int* triangles = calloc(3 * (size_t)triangleCount, sizeof(int));
    for (int k = 0; k < cornerCount; ++k) {
        corners[k] = hand->objects->faceVertices[firstCorner + k] - part->firstVertex;
    }
    for (int f = 0, at = 0, from = 0; f < part->faceCount; from += sizes[f++]) {
        for (int k = 1; k + 1 < sizes[f]; ++k) {
            triangles[at++] = corners[from];
            triangles[at++] = corners[from + k];
            triangles[at++] = corners[from + k + 1];
        }
    }
    const tgVec3* positions = hand->objects->positions + part->firstVertex;
    hand->bones[b] = (tgBoneDef){
        .joint = joint,
        .positions = {&positions->x, part->vertexCount, sizeof(tgVec3)},
        .faceVertices = corners,
        .faceSizes = sizes,
        .faceCount = part->faceCount,
        .thickness = tg_thickness,
    };
    tgMat34 inverse = tgIdentityMat34();
    assert_true(tgInvertMat34(&hand->skin->joints[joint].restJoint, &inverse));
    hand->inJoint[b] = calloc((size_t)part->vertexCount, sizeof(tgVec3));
    for (int v = 0; v < part->vertexCount; ++v) {
        hand->inJoint[b][v] = tgMulMatPoint(&inverse, positions[v]);
    }
    hand->corners[b] = corners;
    hand->surfaces[b] = (tgSurface){
        {&hand->inJoint[b]->x, part->vertexCount, sizeof(tgVec3)}, triangles, triangleCount};
    hand->memory[b] = malloc(tgBvh_GetSize(triangleCount));
    tgBvh_Build(&hand->trees[b], &hand->surfaces[b], hand->memory[b]);
}

static void tgOpenHand(tgHand* hand, tgScene* skin, tgScene* objects)
{
    *hand = (tgHand){.skin = skin, .objects = objects};
    assert_true(skin != NULL && objects != NULL);
    for (int p = 0, f = 0, corner = 0; p < objects->partCount; ++p) {
        const tgScenePart* part = &objects->parts[p];
        for (; f < part->firstFace; ++f) {
            corner += objects->faceSizes[f];
        }
        const char* name = strncmp(part->name, "bone_", 5) == 0 ? part->name + 5 : part->name;
        int joint = tgScene_FindJoint(skin, name);
        if (joint >= 0) {
            tgAddBone(hand, part, corner, joint);
        }
    }
    assert_int_equal(hand->boneCount, 19);
}

static void tgCloseHand(tgHand* hand)
{
    for (int b = 0; b < hand->boneCount; ++b) {
        free(hand->corners[b]);
        free(hand->inJoint[b]);
        free(hand->memory[b]);
        free((void*)hand->surfaces[b].triangles);
    }
    tgDestroyScene(hand->skin);
    tgDestroyScene(hand->objects);
}

/// Whether a bone is of a vertex's own joints: those that move it, or next to the main one. A
/// fingertip that is pressed into the palm is another matter.
static bool tgIsOwnBone(const tgHand* hand, int b, int v)
{
    const tgScene* skin = hand->skin;
    const int* joints = skin->influenceJoints + v * skin->influencesPerVertex;
    const float* weights = skin->influenceWeights + v * skin->influencesPerVertex;
    int main = 0, joint = hand->bones[b].joint;
    bool isOwn = false;
    for (int k = 0; k < skin->influencesPerVertex; ++k) {
        main = weights[k] > weights[main] ? k : main;
        isOwn |= joints[k] == joint && weights[k] > 0.02f;
    }
    return isOwn || skin->joints[joints[main]].parent == joint ||
           skin->joints[joint].parent == joints[main];
}

/// How far a skin vertex is from the nearest of its own bones; negative inside one. Inside by three
/// rays in odd directions, of which two must agree.
static double tgMeasureClear(const tgHand* hand, const tgMat34* joints, int v, tgVec3 p)
{
    static const tgVec3 ways[3] = {
        {0.31f, 0.77f, 0.55f}, {-0.61f, 0.23f, 0.77f}, {0.13f, -0.91f, 0.4f}};
    double nearest = HUGE_VAL;
    bool isInside = false;
    for (int b = 0; b < hand->boneCount; ++b) {
        if (!hand->allBones && !tgIsOwnBone(hand, b, v)) {
            continue;
        }
        tgMat34 inverse = tgIdentityMat34();
        assert_true(tgInvertMat34(&joints[hand->bones[b].joint], &inverse));
        tgVec3 q = tgMulMatPoint(&inverse, p);
        int votes = 0;
        for (int k = 0; k < 3; ++k) {
            tgRay ray = tgMakeRay(q, ways[k]);
            tgRayHit hit;
            votes += tgBvh_FindNearestHit(&hand->trees[b], &hand->surfaces[b], &ray, &hit) &&
                     !hit.entering;
        }
        tgClosestPoint closest;
        assert_true(tgBvh_FindClosest(&hand->trees[b], &hand->surfaces[b], q, HUGE_VAL, &closest));
        double distance = sqrt(closest.distanceSquared);
        isInside |= votes >= 2;
        nearest = distance < nearest ? distance : nearest;
    }
    return isInside ? -nearest : nearest;
}

/// One way to deform the hand.
typedef struct tgActor {
    tgRig* rig;
    tgInstance* instance;
    tgVec3* out;
} tgActor;

static tgActor tgMakeActor(const tgHand* hand, bool hasBones, tgVolumeMethod volume,
                           tgSkinning skinning)
{
    tgRigDef def = tgScene_GetRigDef(hand->skin);
    def.skinning = skinning;
    def.volume.method = volume;
    def.bones.bones = hand->bones;
    def.bones.boneCount = hasBones ? hand->boneCount : 0;
    tgError error = {0};
    tgActor actor = {.rig = tgCreateRig(&def, &error)};
    if (actor.rig == NULL) {
        print_error("%s\n", error.message);
        fail();
    }
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    actor.instance = tgCreateInstance(actor.rig, &instanceDef, NULL);
    actor.out = calloc((size_t)hand->skin->vertexCount, sizeof(tgVec3));
    return actor;
}

static void tgFreeActor(tgActor* actor)
{
    tgDestroyInstance(actor->instance);
    tgDestroyRig(actor->rig);
    free(actor->out);
}

static void tgDeform(const tgHand* hand, tgActor* actor, const tgMat34* joints)
{
    tgPose pose = {.joints = joints, .jointCount = hand->skin->jointCount};
    tgVec3Span out = {&actor->out->x, hand->skin->vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(actor->instance, &pose, out, (tgVec3Span){NULL, 0, 0}, NULL),
                     tg_success);
}

/// Whether a point is on the outer side of the bend at the joint that moves it most.
static bool tgIsOuter(const tgScene* skin, const tgMat34* joints, int v, tgVec3 p)
{
    int joint = skin->influenceJoints[v * skin->influencesPerVertex];
    int parent = skin->joints[joint].parent, child = -1;
    for (int j = 0; j < skin->jointCount; ++j) {
        child = skin->joints[j].parent == joint ? j : child;
    }
    if (parent < 0 || child < 0) {
        return false;
    }
    const tgVec3 zero = {0.0f, 0.0f, 0.0f};
    tgVec3 middle = joints[joint].origin;
    tgVec3 along = tgNormalize(tgSub(joints[child].origin, middle), zero);
    tgVec3 before = tgNormalize(tgSub(middle, joints[parent].origin), zero);
    tgVec3 inwards = tgNormalize(tgSub(along, before), zero);
    return tgDot(tgNormalize(tgSub(p, middle), zero), inwards) < -0.3f;
}

/// What was found over a whole animation.
typedef struct tgFindings {
    int plainInside, inside; ///< skin vertices inside a bone, the worst frame
    int thin;                ///< skin over bone that is thinner than it should be, on all frames
    int held;                ///< vertices that rest on bone, the most
} tgFindings;

static tgFindings tgPlayHand(const tgHand* hand, tgSkinning skinning)
{
    const tgScene* skin = hand->skin;
    tgActor plain = tgMakeActor(hand, false, tg_volumeNone, skinning);
    tgActor boned = tgMakeActor(hand, true, tg_volumeNone, skinning);
    tgMat34* nodes = calloc((size_t)skin->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)skin->jointCount, sizeof(tgMat34));
    double* restClear = calloc((size_t)skin->vertexCount, sizeof(double));
    tgMat34* rest = calloc((size_t)skin->jointCount, sizeof(tgMat34));
    for (int j = 0; j < skin->jointCount; ++j) {
        rest[j] = skin->joints[j].restJoint;
    }
    tgDeform(hand, &boned, rest);
    tgDeform(hand, &plain, rest);
    // The rest pose is the same to the bit.
    assert_memory_equal(boned.out, plain.out, (size_t)skin->vertexCount * sizeof(tgVec3));
    for (int v = 0; v < skin->vertexCount; ++v) {
        restClear[v] = tgMeasureClear(hand, rest, v, skin->positions[v]);
    }
    tgFindings found = {0};
    int frameCount = tgScene_GetFrameCount(skin, 0, 30.0);
    for (int f = 0; f < frameCount; f += 10) {
        tgScene_SamplePose(skin, 0, tgScene_GetFrameTime(skin, 0, 30.0, f), nodes, joints, NULL);
        tgDeform(hand, &plain, joints);
        tgDeform(hand, &boned, joints);
        int plainInside = 0, inside = 0;
        for (int v = 0; v < skin->vertexCount; ++v) {
            if (restClear[v] < 0.0) {
                continue; // a bone that sticks out at rest does so in every pose
            }
            plainInside += tgMeasureClear(hand, joints, v, plain.out[v]) < 0.0;
            double clear = tgMeasureClear(hand, joints, v, boned.out[v]);
            inside += clear < 0.0;
            // What was moved out over a bone is half its thickness away from it by any way.
            bool isMoved = memcmp(&plain.out[v], &boned.out[v], sizeof(tgVec3)) != 0;
            isMoved = isMoved && tgIsOuter(skin, joints, v, plain.out[v]);
            double wanted = fmin((double)tg_thickness, restClear[v]);
            found.thin += isMoved && clear < 0.5 * wanted && clear < 0.5 * (double)tg_thickness;
        }
        found.plainInside = plainInside > found.plainInside ? plainInside : found.plainInside;
        found.inside = inside > found.inside ? inside : found.inside;
        int held = tgInstance_GetBoneReport(boned.instance).heldCount;
        found.held = held > found.held ? held : found.held;
    }
    free(nodes);
    free(joints);
    free(rest);
    free(restClear);
    tgFreeActor(&plain);
    tgFreeActor(&boned);
    return found;
}

static bool tgOpenRealHand(tgHand* hand)
{
    tgScene* skin = tgLoadScene(TURGOR_ASSETS "/hand_bones.glb", NULL);
    if (skin == NULL) {
        return false;
    }
    tgOpenHand(hand, skin, tgLoadObjects(TURGOR_ASSETS "/hand_bones.glb", NULL));
    hand->allBones = true;
    return true;
}

static void tgTestRealHand(void** state)
{
    (void)state;
    tgHand hand;
    if (!tgOpenRealHand(&hand)) {
        skip();
    }
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgFindings found = tgPlayHand(&hand, (tgSkinning)skinning);
        print_message("real hand, %s: %d skin vertices inside bones, %d with bones on; %d held, %d "
                      "too thin\n",
                      skinning == 0 ? "linear" : "dual quaternions", found.plainInside,
                      found.inside, found.held, found.thin);
        assert_int_equal(found.inside, 0);
        assert_int_equal(found.thin, 0);
    }
    tgCloseHand(&hand);
}

static void tgTestEmbeddedHand(void** state)
{
    (void)state;
    tgHand hand;
    tgOpenHand(&hand, tgCreateModel("hand", 4000, NULL), tgCreateModelBones("hand", NULL));
    for (int skinning = 0; skinning < 2; ++skinning) {
        tgFindings found = tgPlayHand(&hand, (tgSkinning)skinning);
        print_message("embedded hand, %s: %d skin vertices inside bones, %d with bones on; %d "
                      "held, %d too thin\n",
                      skinning == 0 ? "linear" : "dual quaternions", found.plainInside,
                      found.inside, found.held, found.thin);
        assert_int_equal(found.inside, 0);
        assert_int_equal(found.thin, 0);
        assert_true(skinning == 1 || found.held > 0);
    }
    tgCloseHand(&hand);
}

/// The volume is exact with bones on, and what rests on bone stays there to the bit. Rubber,
/// because organic flesh drifts before the bones have their say.
static void tgCheckVolume(const tgHand* hand, tgVolumeMethod method)
{
    const tgScene* skin = hand->skin;
    tgActor boned = tgMakeActor(hand, true, tg_volumeNone, tg_linear);
    tgRigDef def = tgScene_GetRigDef(skin);
    tgProfile rubber = tgDefaultProfile(tg_profileRubber, false);
    def.volume.method = method;
    def.volume.profiles = &rubber;
    def.volume.profileCount = 1;
    def.volume.local.exact = true;
    def.bones.bones = hand->bones;
    def.bones.boneCount = hand->boneCount;
    tgActor kept = {.rig = tgCreateRig(&def, NULL)};
    assert_non_null(kept.rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    kept.instance = tgCreateInstance(kept.rig, &instanceDef, NULL);
    kept.out = calloc((size_t)skin->vertexCount, sizeof(tgVec3));
    float* freedom = calloc((size_t)skin->vertexCount, sizeof(float));
    tgMat34* nodes = calloc((size_t)skin->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)skin->jointCount, sizeof(tgMat34));
    int held = 0;
    double worst = 0.0;
    for (int f = 0; f < tgScene_GetFrameCount(skin, 0, 30.0); f += 10) {
        tgScene_SamplePose(skin, 0, tgScene_GetFrameTime(skin, 0, 30.0, f), nodes, joints, NULL);
        tgDeform(hand, &boned, joints);
        tgDeform(hand, &kept, joints);
        tgVolumeReport volume = tgInstance_MeasureVolume(kept.instance);
        worst = fmax(worst, fabs(volume.result / volume.target - 1.0));
        tgInstance_GetFreedom(kept.instance, freedom);
        for (int v = 0; v < skin->vertexCount; ++v) {
            if (freedom[v] == 0.0f) {
                assert_memory_equal(&kept.out[v], &boned.out[v], sizeof(tgVec3));
                held += 1;
            }
        }
    }
    print_message("volume off by %.1e at most; %d times a vertex is held, and stays\n", worst,
                  held);
    CHECK_AT_MOST(worst, 1e-6);
    assert_true(held > 0);
    free(freedom);
    free(nodes);
    free(joints);
    tgFreeActor(&boned);
    tgFreeActor(&kept);
}

static void tgTestVolume(void** state)
{
    (void)state;
    tgHand hand;
    tgOpenHand(&hand, tgCreateModel("hand", 4000, NULL), tgCreateModelBones("hand", NULL));
    tgCheckVolume(&hand, tg_volumeExact);
    tgCheckVolume(&hand, tg_volumeLocal);
    tgCloseHand(&hand);
    if (tgOpenRealHand(&hand)) {
        tgCheckVolume(&hand, tg_volumeExact);
        tgCloseHand(&hand);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestRealHand),
        cmocka_unit_test(tgTestEmbeddedHand),
        cmocka_unit_test(tgTestVolume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
