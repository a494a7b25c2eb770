// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The skins of a shot that are compared.

#include "take.h"

#include "core/core.h"
#include "report.h"

const char* tgGetTakeName(tgTake take)
{
    static const char* const tg_names[] = {"linear", "dual quaternion", "blend", "corrected"};
    return tg_names[take];
}

tgTake tgShot_GetTake(const tgShot* shot)
{
    const tgSettings* settings = shot->settings;
    bool hasLayers = shot->settings->volume.method != tg_volumeNone ||
                     settings->flesh.elementCount > 0 || settings->bones.boneCount > 0 ||
                     settings->bones.automatic || settings->wrinkles.wrinkleCount > 0 ||
                     settings->wrinkles.automatic;
    return hasLayers ? tg_takeCorrected : (tgTake)shot->settings->skinning;
}

int tgShot_ListTakes(const tgShot* shot, bool corrected, tgTake takes[tg_takeCount])
{
    int count = 0;
    takes[count++] = tg_takeLinear;
    takes[count++] = tg_takeDualQuaternion;
    if (shot->settings->skinning == tg_blend) {
        takes[count++] = tg_takeBlend;
    }
    if (corrected) {
        takes[count++] = tg_takeCorrected;
    }
    return count;
}

/// Waves with fewer vertices along them are no waves.
static const float tg_leastPerWave = 4.0f;

static void tgWarnAboutWrinkles(const char* file, const tgActor* actor)
{
    for (int i = 0; i < tgRig_GetWrinkleCount(actor->rig); ++i) {
        tgWrinkleInfo info = tgRig_GetWrinkleInfo(actor->rig, i);
        if (info.verticesPerWave < tg_leastPerWave) {
            tgSayFailure(file,
                         "warning: wrinkles of joint %s have %.1f vertices a wave, wanted %.0f: "
                         "fewer waves, or a finer mesh by \"refine\"",
                         actor->scene->joints[info.joint].name, (double)info.verticesPerWave,
                         (double)tg_leastPerWave);
        }
    }
}

/// Bones that are open or were inside out, and wrinkles that the mesh is too coarse for.
static void tgWarnAboutRig(const char* file, const tgActor* actor)
{
    tgWarnAboutWrinkles(file, actor);
    for (int b = 0; b < tgRig_GetBoneCount(actor->rig); ++b) {
        tgBoneInfo info = tgRig_GetBoneInfo(actor->rig, b);
        const char* joint = actor->scene->joints[info.joint].name;
        if (info.boundaryEdgeCount > 0) {
            tgSayFailure(file,
                         "warning: the bone of joint %s is open (%s with one face), only its "
                         "outer side counts",
                         joint, tgTellCount(info.boundaryEdgeCount, "edge", "edges").text);
        }
        if (info.reorientedFaceCount > 0) {
            tgSayFailure(file, "warning: the bone of joint %s has %s inside out; turned", joint,
                         tgTellCount(info.reorientedFaceCount, "face", "faces").text);
        }
    }
}

/// Entries of the settings none of whose joints bends any skin: they change nothing.
static void tgWarnAboutIdle(const tgShot* shot, const tgVolumeDef* volume, const tgRig* rig)
{
    for (int i = 0; i < volume->jointCount; ++i) {
        // Joints of one entry have its profiles in common.
        const tgProfile* profiles = volume->joints[i].profiles;
        bool isFirst = profiles != NULL, isIdle = true;
        for (int k = 0; k < volume->jointCount && isFirst && isIdle; ++k) {
            bool isSame = volume->joints[k].profiles == profiles;
            isFirst &= !isSame || k >= i;
            isIdle &= !isSame || !tgRig_GetJointInfo(rig, volume->joints[k].joint).bends;
        }
        if (isFirst && isIdle) {
            tgSayFailure(shot->file,
                         "warning: no skin bends with joint %s, so its entry in the settings "
                         "changes nothing; turgor info shows which joints have a radius",
                         shot->scene->joints[volume->joints[i].joint].name);
        }
    }
}

tgResult tgOpenTake(const tgShot* shot, tgTake take, tgThreadPool* pool, tgActor* actor,
                    tgError* error)
{
    bool corrected = take == tg_takeCorrected;
    tgActorDef def = {
        .scene = shot->scene, .skinning = (tgSkinning)take, .parallel = tgGetParallel(pool)};
    if (corrected) {
        def.rig = tgScene_CreateRig(shot->scene, shot->settings, error);
    }
    tgResult result =
        corrected && def.rig == NULL ? tg_invalidMesh : tgOpenActor(&def, actor, error);
    if (result == tg_success && corrected) {
        tgWarnAboutRig(shot->file, actor);
        if (shot->settings->volume.method == tg_volumeExact) {
            tgWarnAboutIdle(shot, &shot->settings->volume, actor->rig);
        }
    }
    return result;
}

tgRoll tgShot_GetRoll(const tgShot* shot)
{
    return (tgRoll){shot->scene, shot->animation, shot->fps, shot->loop};
}

void tgSayRinging(const char* file)
{
    tgSayFailure(file,
                 "warning: after %d rounds the flesh does not repeat yet, it wants more damping",
                 tg_mostLoops);
}

tgResult tgShot_Preroll(const tgShot* shot, tgActor* actor, double end, tgError* error)
{
    bool rings = false;
    tgRoll roll = tgShot_GetRoll(shot);
    tgResult result = tgPreroll(&roll, actor, end, &rings, error);
    if (rings) {
        tgSayRinging(shot->file);
    }
    return result;
}
