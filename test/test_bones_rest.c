// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Automatic bones leave every character in its bind pose as plain skinning has it, to the bit, and
// lie inside the skin.

#include "assets.h"
#include "core/bvh.h"
#include "core/rig.h"
#include "model_checks.h"

/// The bind pose by plain skinning, or with bones.
static void tgDeformAtRest(const tgScene* scene, tgSkinning skinning, bool hasBones,
                           const tgMat34* rest, tgVec3* out, int* boneCount)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    def.skinning = skinning;
    def.volume.method = tg_volumeNone;
    def.bones.automatic = hasBones;
    tgError error = {0};
    tgRig* rig = tgCreateRig(&def, &error);
    if (rig == NULL) {
        print_error("%s\n", error.message);
        fail();
    }
    *boneCount = tgRig_GetBoneCount(rig);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    assert_non_null(instance);
    tgPose pose = {.joints = rest, .jointCount = scene->jointCount};
    tgVec3Span span = {&out->x, scene->vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(instance, &pose, span, (tgVec3Span){NULL, 0, 0}, NULL),
                     tg_success);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
}

static void tgCheckRest(const char* name, const tgScene* scene)
{
    tgMat34* rest = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    tgVec3* plain = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    tgVec3* boned = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    for (int j = 0; j < scene->jointCount; ++j) {
        rest[j] = scene->joints[j].restJoint;
    }
    for (int skinning = 0; skinning < 2; ++skinning) {
        int boneCount;
        tgDeformAtRest(scene, (tgSkinning)skinning, false, rest, plain, &boneCount);
        tgDeformAtRest(scene, (tgSkinning)skinning, true, rest, boned, &boneCount);
        int moved = 0;
        for (int v = 0; v < scene->vertexCount; ++v) {
            moved += memcmp(&plain[v], &boned[v], sizeof(tgVec3)) != 0;
        }
        print_message("%s: %d automatic bones, %d of %d vertices moved at rest\n", name, boneCount,
                      moved, scene->vertexCount);
        assert_int_equal(moved, 0);
    }
    free(rest);
    free(plain);
    free(boned);
}

/// Inside by three rays in odd directions, of which two must agree.
static bool tgIsInside(const tgBvh* tree, const tgSurface* surface, tgVec3 p)
{
    static const tgVec3 ways[3] = {{0.2f, -0.7f, 0.6f}, {0.7f, 0.3f, -0.5f}, {-0.5f, 0.1f, 0.9f}};
    int votes = 0;
    for (int k = 0; k < 3; ++k) {
        tgRay ray = tgMakeRay(p, ways[k]);
        tgRayHit hits[64];
        int exits = 0, hitCount = tgBvh_FindAllHits(tree, surface, &ray, hits, 64);
        assert_in_range(hitCount, 0, 64);
        for (int i = 0; i < hitCount; ++i) {
            exits += hits[i].entering ? -1 : 1; // nails and eyes are skins within one
        }
        votes += exits > 0;
    }
    return votes >= 2;
}

/// No vertex of a bone is out of the skin at rest.
static void tgCheckBones(const char* name, const tgScene* scene)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    def.bones.automatic = true;
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    const tgMesh* mesh = &rig->mesh;
    int count = mesh->triangleCount + 2 * mesh->quadCount, vertexCount = 0, outside = 0;
    int* triangles = calloc(3 * (size_t)count, sizeof(int));
    void* memory = malloc(tgBvh_GetSize(count));
    tgSplitFaces(mesh->triangles, mesh->triangleCount, mesh->quads, mesh->quadCount, triangles);
    tgSurface surface = {
        {rig->skin.rest, mesh->vertexCount, 4 * (int)sizeof(float)}, triangles, count};
    tgBvh tree;
    tgBvh_Build(&tree, &surface, memory);
    for (int b = 0; b < rig->bones.count; ++b) {
        const tgBone* bone = &rig->bones.bones[b];
        const tgMat34* toModel = &scene->joints[bone->info.joint].restJoint;
        for (int v = 0; v < bone->vertexCount; ++v) {
            outside += !tgIsInside(&tree, &surface, tgMulMatPoint(toModel, bone->positions[v]));
        }
        vertexCount += bone->vertexCount;
    }
    print_message("%s: %d of %d vertices of automatic bones are outside the skin\n", name, outside,
                  vertexCount);
    assert_int_equal(outside, 0);
    free(memory);
    free(triangles);
    tgDestroyRig(rig);
}

static void tgCheckModel(const char* name, const tgScene* scene)
{
    tgCheckRest(name, scene);
    tgCheckBones(name, scene);
}

static void tgTestModels(void** state)
{
    (void)state;
    tgCheckModels(tgCheckModel);
}

static void tgTestAssets(void** state)
{
    (void)state;
    tgCheckAssets(tg_characters, tg_characterCount, tgCheckRest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestModels),
        cmocka_unit_test(tgTestAssets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
