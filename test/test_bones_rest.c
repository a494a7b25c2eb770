// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Automatic bones leave every character in its bind pose as plain skinning has it, to the bit.

#include "check.h"
#include "turgor/io.h"
#include "turgor/models.h"
#include "turgor/scene.h"

#include <dirent.h>

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

static void tgCheckRest(const tgScene* scene, const char* name)
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

static void tgTestModels(void** state)
{
    (void)state;
    int count;
    const tgModelInfo* models = tgGetModels(&count);
    for (int i = 0; i < count; ++i) {
        tgScene* scene = tgCreateModel(models[i].name, 0, NULL);
        assert_non_null(scene);
        tgCheckRest(scene, models[i].name);
        tgDestroyScene(scene);
    }
}

/// Every file of the folder that holds a character.
static void tgTestAssets(void** state)
{
    (void)state;
    DIR* folder = opendir(TURGOR_ASSETS);
    if (folder == NULL) {
        skip();
    }
    int checked = 0;
    for (const struct dirent* entry; (entry = readdir(folder)) != NULL;) {
        char path[1024];
        snprintf(path, sizeof(path), "%s/%s", TURGOR_ASSETS, entry->d_name);
        tgScene* scene = entry->d_name[0] != '.' ? tgLoadScene(path, NULL) : NULL;
        if (scene != NULL && scene->jointCount > 0) {
            tgCheckRest(scene, entry->d_name);
            checked += 1;
        }
        tgDestroyScene(scene);
    }
    closedir(folder);
    if (checked == 0) {
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestModels),
        cmocka_unit_test(tgTestAssets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
