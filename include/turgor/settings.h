// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file settings.h
/// The settings file: one JSON text that says how a character is skinned and where its volume comes
/// back. docs/settings.md tells what may stand in it, docs/settings.schema.json tells it to
/// editors.
#ifndef TURGOR_SETTINGS_H
#define TURGOR_SETTINGS_H

#include "turgor/base.h"
#include "turgor/flesh.h"
#include "turgor/scene.h"
#include "turgor/turgor.h"
#include "turgor/volume.h"

#ifdef __cplusplus
extern "C" {
#endif

/// More vertices where folds need them, for tgSceneRefineDef.
typedef struct tgRefineSettings {
    float threshold; ///< 0 to 1; 0.3
    bool smooth;     ///< false
    int levels;      ///< 0 when the file has no "refine": nothing is refined
} tgRefineSettings;

/// What a settings file says, and the defaults where it says nothing.
typedef struct tgSettings {
    bool hasSkinning;       ///< the file names one; "auto" is none
    tgSkinning skinning;    ///< as named; otherwise what the scene's own file says
    bool hasMethod;         ///< the file names it; volume.method is tg_volumeExact when it does not
    tgVolumeDef volume;     ///< for tgRigDef. No profiles: the file names no default, so organic.
                            ///< `joints` are indices of the scene's joints, each at most once
    tgFleshDef flesh;       ///< for tgRigDef; its joints and vertices are those of the scene
    tgBonesDef bones;       ///< for tgRigDef; its meshes live as long as the settings
    tgWrinklesDef wrinkles; ///< for tgRigDef
    tgRefineSettings refine;
    int warningCount;
    const char** warnings; ///< "line 12, column 7: ..."; one line each, without the file's name
    int noteCount;
    const char** notes; ///< the same for what patterns of joint names and mirrors came to
    struct tgSettingsMemory* memory; ///< owns all that the others point to
} tgSettings;

/// Read a settings file. NULL on failure; a message about its content starts with "line 12, column
/// 7: ", columns counted in characters.
/// @param scene whose joints the file may name; NULL: one without joints
TG_API tgSettings* tgLoadSettings(const char* path, const tgScene* scene, tgError* error);
/// The same from memory, UTF-8; no closing zero is needed. "{}" gives the defaults.
TG_API tgSettings* tgParseSettings(const char* text, size_t size, const tgScene* scene,
                                   tgError* error);
TG_API void tgDestroySettings(tgSettings* settings); ///< NULL is fine

/// After tgScene_Refine: vertices that the file names become those of the finer mesh, with the new
/// ones between them. Done once, for the scene that the file was read with; a second call does
/// nothing.
TG_API tgResult tgSettings_FollowScene(tgSettings* settings, const tgScene* scene, tgError* error);

/// Refine the scene as the settings ask for it, if that has not been done, and follow it. For
/// another animation than the first; otherwise tgScene_CreateRig does it.
/// @param animation whose poses tell which joints bend; -1: all joints, in the bind pose
TG_API tgResult tgSettings_Refine(tgSettings* settings, tgScene* scene, int animation,
                                  tgError* error);

/// Add flesh elements by the names of joints, where there is flesh enough round them: belly,
/// thighs, upper arms. What the file says `"flesh": "auto"` for. False without memory.
TG_API bool tgSettings_AddFlesh(tgSettings* settings, const tgScene* scene);

/// What `--preset NAME` does: the preset's profile takes the place of the file's default. Muscle
/// and belly go to the joints that they suit alone (tgFindPresetJoints), the others stay organic.
/// Joints that the file has profiles for keep those. Flesh comes with the preset that has it,
/// unless the file has some.
TG_API tgResult tgSettings_ApplyPreset(tgSettings* settings, const tgScene* scene,
                                       const char* preset, tgError* error);
/// Which joints a preset suits. Muscle: those with a long, slender bone before them. Belly: those
/// of the trunk. All others: every joint. False without memory.
/// @param suits jointCount entries
TG_API bool tgFindPresetJoints(const char* preset, const tgScene* scene, bool* suits);

/// The profile of a preset: organic, rubber, muscle, folds, isotropic, belly, or flesh, which is
/// organic.
/// @return false when there is no such preset; then `profile` stays as it was
TG_API bool tgMakePreset(const char* name, tgProfile* profile);
/// Whether a preset has flesh: then tgSettings_AddFlesh belongs to it.
TG_API bool tgPresetHasFlesh(const char* name);
/// Names of the presets, 0 and up; NULL after the last.
TG_API const char* tgGetPresetName(int index);

#ifdef __cplusplus
}
#endif

#endif
