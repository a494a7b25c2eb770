// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What bake, pose and measure share: a file, one of its animations, a range of frames, the
// skinning, and how the volume is kept.

#include "shot.h"

#include "io/scene_rig.h"
#include "play/bake_job.h"
#include "report.h"
#include "turgor/io.h"

#include <string.h>

// "auto", then in the order of tgSkinning.
static const char* const tg_skinnings[] = {"auto", "linear", "dual-quaternion", "blend", NULL};
// In the order of tgVolumeMethod and tgVolumeMode.
static const char* const tg_methods[] = {"none", "exact", "local", NULL};
// Presets that have a map, those of tgLocalMap in its order; flesh is organic.
static const char* const tg_maps[] = {"organic", "rubber", "flesh", NULL};
static const char* const tg_modes[] = {"exact", "paper", NULL};
static const char* const tg_switches[] = {"off", "on", NULL};

const char* tgGetMethodName(tgVolumeMethod method)
{
    return tg_methods[method];
}

const char* tgGetModeName(tgVolumeMode mode)
{
    return tg_modes[mode];
}

const char* tgGetSkinningName(tgSkinning skinning)
{
    return tg_skinnings[skinning + 1];
}

/// Index of an option's value in the list, `otherwise` when it is not given, -1 when it is wrong.
static int tgChoose(const char* option, const char* text, const char* const* choices, int otherwise)
{
    return text != NULL ? tgParseChoice(option, text, choices) : otherwise;
}

/// The same of --mode. Modes of earlier versions are exact, too.
static int tgChooseMode(const char* text, tgVolumeMode otherwise)
{
    bool isGone = text != NULL && (strcmp(text, "sequence") == 0 || strcmp(text, "together") == 0);
    return isGone ? tg_modeExact : tgChoose("--mode", text, tg_modes, (int)otherwise);
}

/// Those that say how the volume is kept.
static int tgCheckVolumeOptions(const tgShotOptions* options)
{
    const char* presets[16] = {NULL};
    for (int i = 0; i < 15 && tgGetPresetName(i) != NULL; ++i) {
        presets[i] = tgGetPresetName(i);
    }
    bool good = tgChoose("--volume", options->volume, tg_methods, 0) >= 0 &&
                tgChooseMode(options->mode, tg_modeExact) >= 0 &&
                tgChoose("--contact", options->contact, tg_switches, 0) >= 0 &&
                tgChoose("--preset", options->preset, presets, 0) >= 0 &&
                tgChoose("--skinning", options->skinning, tg_skinnings, 0) >= 0;
    return good ? tg_statusDone : tg_statusUsage;
}

/// The options that can be judged without the file.
static int tgCheckOptions(const tgShotOptions* options, tgShot* shot)
{
    if (tgCheckVolumeOptions(options) != tg_statusDone) {
        return tg_statusUsage;
    }
    if (!(options->fps > 0.0 && options->fps <= 100000.0)) {
        return tgSayUsage("--fps is %g, wanted more than 0 and at most 100000", options->fps);
    }
    if (options->threads < 0 || options->threads > 1024) {
        return tgSayUsage("--threads is %d, wanted 0 to 1024", options->threads);
    }
    if (options->frames[0] < 0 || options->frames[1] < options->frames[0]) {
        return tgSayUsage("--frames is %d:%d, wanted 0 or more and the first before the last",
                          options->frames[0], options->frames[1]);
    }
    shot->fps = options->fps;
    shot->loop = options->loop;
    return tg_statusDone;
}

int tgShot_SetAnimation(tgShot* shot, int animation)
{
    int count = tgScene_GetFrameCount(shot->scene, animation, shot->fps);
    if (count > tg_mostFrames) {
        return tgSayFailure(shot->file, "the animation has %d frames at %g fps, wanted at most %d",
                            count, shot->fps, tg_mostFrames);
    }
    shot->animation = animation;
    shot->firstFrame = 0;
    shot->frameCount = count;
    return tg_statusDone;
}

/// Which animation: -1 where there is none to choose from, -2 where it is not there.
static int tgChooseAnimation(const tgShotOptions* options, tgShot* shot)
{
    const tgScene* scene = shot->scene;
    int first = scene->animationCount > 0 ? 0 : -1;
    if (options->animation == NULL) {
        return first;
    }
    int found = tgScene_FindAnimation(scene, options->animation);
    shot->all = found < 0 && options->takesAll && strcmp(options->animation, "all") == 0;
    if (shot->all) {
        return first;
    }
    return found >= 0 ? found : -2;
}

/// Animation and frames, which depend on what is in the file.
static int tgChooseFrames(const tgShotOptions* options, tgShot* shot)
{
    int animation = tgChooseAnimation(options, shot);
    if (animation < -1) {
        return tgSayNoAnimation(shot->file, shot->scene, options->animation);
    }
    if (shot->all && (options->frames[0] != 0 || options->frames[1] != INT_MAX)) {
        return tgSayUsage("--frames wants one animation, not --animation all");
    }
    int status = tgShot_SetAnimation(shot, animation);
    if (status != tg_statusDone) {
        return status;
    }
    int count = shot->frameCount;
    int first = options->frames[0];
    int last = options->frames[1] == INT_MAX ? count - 1 : options->frames[1];
    if ((first >= count || last >= count) && shot->animation < 0) {
        return tgSayFailure(shot->file,
                            "frames %d:%d are not there: without an animation there is frame 0 "
                            "alone",
                            first, last);
    }
    if (first >= count || last >= count) {
        return tgSayFailure(shot->file,
                            "frames %d:%d are not there, the animation has 0:%d at %g fps", first,
                            last, count - 1, shot->fps);
    }
    shot->firstFrame = first;
    shot->frameCount = last - first + 1;
    return tg_statusDone;
}

/// An option comes before the settings, and they before what the character's own file says.
static tgSkinning tgChooseSkinning(const tgShotOptions* options, const tgShot* shot)
{
    enum { tg_auto = 0 };
    int choice = tgChoose("--skinning", options->skinning, tg_skinnings, tg_auto);
    return choice != tg_auto           ? (tgSkinning)(choice - 1)
           : options->skinning != NULL ? shot->scene->skinning
                                       : shot->settings->skinning;
}

/// A preset stands in place of the default that the settings file names, and only of that.
static void tgTellReplaced(const tgShotOptions* options, const tgSettings* settings)
{
    if (settings->volume.profileCount > 0) {
        tgSayFailure(options->settings, "warning: --preset %s replaces its \"default\"%s",
                     options->preset,
                     settings->volume.jointCount > 0 ? "; joints with an entry keep theirs" : "");
    }
}

/// Puts a preset in place of the file's default, and tells where it finds nothing.
static int tgApplyPreset(const tgShotOptions* options, const char* file, tgShot* shot)
{
    tgSettings* settings = shot->settings;
    int before = settings->volume.jointCount;
    bool hadFlesh = settings->flesh.elementCount > 0;
    tgError error = {0};
    tgTellReplaced(options, settings);
    if (tgSettings_ApplyPreset(settings, shot->scene, options->preset, &error) != tg_success) {
        return tgSayFailed(file, &error);
    }
    tgProfile wanted = {0};
    tgMakePreset(options->preset, &wanted);
    bool isForSome = settings->volume.profiles[0].kind != wanted.kind;
    if (isForSome && settings->volume.jointCount == before) {
        tgSayFailure(file, "warning: no joint suits --preset %s; all stay organic",
                     options->preset);
    }
    if (tgPresetHasFlesh(options->preset) && !hadFlesh && settings->flesh.elementCount == 0) {
        tgSayFailure(
            file, "warning: no belly, thigh or upper arm with flesh on it was found by the names "
                  "of the joints");
    }
    return tg_statusDone;
}

/// The settings file, and what the options put in its place.
static int tgSettle(const tgShotOptions* options, tgShot* shot)
{
    tgError error = {0};
    const char* file = options->settings != NULL ? options->settings : shot->file;
    tgSettings* settings = options->settings != NULL
                               ? tgLoadSettings(file, shot->scene, &error)
                               : tgParseSettings("{}", 2, shot->scene, &error);
    if (settings == NULL) {
        return tgSayFailed(file, &error);
    }
    shot->settings = settings;
    for (int i = 0; i < settings->warningCount; ++i) {
        tgSayFailure(file, "warning: %s", settings->warnings[i]);
    }
    tgVolumeDef* volume = &settings->volume;
    settings->skinning = tgChooseSkinning(options, shot);
    volume->method =
        (tgVolumeMethod)tgChoose("--volume", options->volume, tg_methods, (int)volume->method);
    volume->mode = (tgVolumeMode)tgChooseMode(options->mode, volume->mode);
    if (options->mode != NULL && strcmp(options->mode, tg_modes[volume->mode]) != 0) {
        tgSayFailure(file,
                     "warning: --mode %s is no longer there: there is one exact method now, "
                     "without an order of joints",
                     options->mode);
    }
    if (options->contact != NULL) {
        bool on = tgChoose("--contact", options->contact, tg_switches, 0) == 1;
        volume->contact = on ? tg_contactOn : tg_contactOff;
    }
    if (volume->method == tg_volumeLocal && options->preset != NULL) {
        int map = tgParseChoice("--volume local --preset", options->preset, tg_maps);
        if (map < 0) {
            return tg_statusUsage;
        }
        volume->local.map = map == tg_mapRubber ? tg_mapRubber : tg_mapOrganic;
    }
    return options->preset != NULL ? tgApplyPreset(options, file, shot) : tg_statusDone;
}

/// More vertices where the settings ask for them.
static int tgRefineShot(tgShot* shot)
{
    tgError error = {0};
    shot->fileVertexCount = shot->scene->vertexCount;
    tgResult result = tgSettings_Refine(shot->settings, shot->scene, shot->animation, &error);
    return result == tg_success ? tg_statusDone : tgSayFailed(shot->file, &error);
}

bool tgMakeLoadDef(bool allowOutside, int unfolding, tgLoadDef* def)
{
    *def = tgDefaultLoadDef();
    def->allowOutside = allowOutside;
    def->mostUnfolding = unfolding;
    if (unfolding < 1) {
        tgSayUsage("--max-unfolding is %d, wanted 1 or more", unfolding);
    }
    return unfolding >= 1;
}

int tgOpenShot(const char* file, const tgShotOptions* options, tgShot* shot)
{
    *shot = (tgShot){.file = file};
    int status = tgCheckOptions(options, shot);
    if (status != tg_statusDone) {
        return status;
    }
    if (!tgMakeLoadDef(options->allowOutside, options->unfolding, &shot->loadDef)) {
        return tg_statusUsage;
    }
    shot->scene = tgLoadCharacter(file, &shot->loadDef);
    if (shot->scene == NULL) {
        return tg_statusFailed;
    }
    tgSayWarnings(file, shot->scene);
    tgError error = {0};
    if (tgCheckCharacter(shot->scene, &error) != tg_success) {
        return tgSayFailed(file, &error);
    }
    status = tgSettle(options, shot);
    status = status == tg_statusDone ? tgChooseFrames(options, shot) : status;
    status = status == tg_statusDone ? tgRefineShot(shot) : status;
    if (status == tg_statusDone) {
        shot->pool = tgCreateThreadPool(options->threads);
    }
    return status;
}

int tgShot_FitOutput(tgShot* shot, const char* output)
{
    tgError error = {0};
    return tgKeepsPolygons(output) || tgScene_Triangulate(shot->scene, &error) == tg_success
               ? tg_statusDone
               : tgSayFailed(shot->file, &error);
}

void tgCloseShot(tgShot* shot)
{
    tgDestroyThreadPool(shot->pool);
    tgDestroySettings(shot->settings);
    tgDestroyScene(shot->scene);
    *shot = (tgShot){0};
}

double tgShot_GetTime(const tgShot* shot, int frame)
{
    return tgScene_GetFrameTime(shot->scene, shot->animation, shot->fps, frame);
}
