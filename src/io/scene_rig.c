// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// From a scene and its settings to a rig: the mesh refined where they ask for it, then every layer
// that they name. The command line makes its rigs here, too.

#include "io/scene_rig.h"

#include "core/core.h"
#include "turgor/io.h"

tgResult tgSettings_Refine(tgSettings* settings, tgScene* scene, int animation, tgError* error)
{
    tgResult result = tg_success;
    if (scene->refined == NULL) {
        tgSceneRefineDef def = tgDefaultSceneRefineDef();
        def.threshold = settings->refine.threshold;
        def.levels = settings->refine.levels;
        def.smooth = settings->refine.smooth;
        def.skinning = settings->skinning;
        def.volume = &settings->volume;
        def.animation = animation;
        result = tgScene_Refine(scene, &def, error);
    }
    return result == tg_success ? tgSettings_FollowScene(settings, scene, error) : result;
}

tgResult tgCheckCharacter(const tgScene* scene, tgError* error)
{
    if (scene == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "there is no scene");
    }
    if (scene->vertexCount == 0) {
        return tgFail(error, tg_invalidMesh, -1,
                      "there is no mesh, only %s; turgor bind gives a mesh joints",
                      tgTellCount(scene->jointCount, "joint", "joints").text);
    }
    if (scene->jointCount == 0) {
        return tgFail(error, tg_invalidMesh, -1,
                      "there is no skin, wanted joints and weights to deform it with; turgor rig "
                      "gives a mesh both, turgor bind those of another file");
    }
    return tg_success;
}

tgRig* tgScene_CreateRig(tgScene* scene, tgSettings* settings, tgError* error)
{
    if (tgCheckCharacter(scene, error) != tg_success) {
        return NULL;
    }
    tgSettings* defaults = settings == NULL ? tgParseSettings("{}", 2, scene, error) : NULL;
    tgSettings* used = settings != NULL ? settings : defaults;
    tgRig* rig = NULL;
    int animation = scene->animationCount > 0 ? 0 : -1;
    if (used != NULL && tgSettings_Refine(used, scene, animation, error) == tg_success) {
        tgRigDef def = tgScene_GetRigDef(scene);
        def.skinning = used->skinning;
        def.volume = used->volume;
        def.flesh = used->flesh;
        def.bones = used->bones;
        def.wrinkles = used->wrinkles;
        rig = tgCreateRig(&def, error);
    }
    tgDestroySettings(defaults);
    return rig;
}
