// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the parts of the settings loader share: the keys it knows, values by type with messages that
// point at them, and profiles.
#ifndef TURGOR_IO_SETTINGS_PRIVATE_H
#define TURGOR_IO_SETTINGS_PRIVATE_H

#include "io/joint_names.h"
#include "io/json.h"
#include "turgor/settings.h"

/// Objects of the file that have keys of their own.
typedef enum tgSettingsObject {
    tg_settingsFile = 0,
    tg_settingsVolume,
    tg_settingsTarget,
    tg_settingsProfile,
    tg_settingsFlesh,
    tg_settingsSpring,
    tg_settingsTwist,
    tg_settingsBone,
    tg_settingsRefine,
    tg_settingsLocal,
    tg_settingsRegion,
    tg_settingsContact,
    tg_settingsWrinkle,
} tgSettingsObject;

typedef struct tgSettingsKey {
    tgSettingsObject object;
    const char* name;
} tgSettingsKey;

/// Every key there is; the schema is tested against it.
const tgSettingsKey* tgGetSettingsKeys(int* count);

/// Names of an enum's values, in its order.
typedef struct tgNameList {
    const char* const* names;
    int count;
} tgNameList;

extern const tgNameList tg_skinningNames, tg_methodNames, tg_modeNames, tg_combineNames,
    tg_profileNames, tg_scopeNames, tg_lossNames, tg_edgesNames, tg_mapNames, tg_attenuationNames,
    tg_sideNames;

struct tgSettingsMemory {
    tgArena arena;
    struct tgBoneFile* boneFiles;          ///< meshes that bones point into
    const struct tgRefinedScene* followed; ///< the finer mesh that vertices are those of
    int warningCapacity, noteCapacity;
    bool hasRunOut;    ///< a warning or a note found no memory
    unsigned toldGone; ///< one bit for each key that is no longer there, once it has been told
};

typedef struct tgSettingsReader {
    tgSettings* settings;
    const tgScene* scene; ///< may be NULL
    const char* folder;   ///< of the settings file; NULL when they are none
    tgError* error;
    tgProfile base;     ///< what a profile that does not name its kind starts from
    bool baseHasCurves; ///< the file gives it curves
} tgSettingsReader;

// settings_value.c

/// Every key of `object` is one of `which`, or was one in an earlier version: that is told.
tgResult tgCheckKeys(const tgSettingsReader* reader, const tgJsonValue* object,
                     tgSettingsObject which);
/// The member `key`, NULL when there is none.
const tgJsonValue* tgFindMember(const tgJsonValue* object, const char* key);

/// "`key` is 5, expected `wanted`", at the value's place.
tgResult tgFailValue(const tgSettingsReader* reader, const tgJsonValue* value, const char* key,
                     const char* wanted);
tgResult tgFailMemory(const tgSettingsReader* reader);
/// Add a line to the warnings, printf style.
void tgWarnAt(const tgSettingsReader* reader, tgJsonPlace place, const char* format, ...)
    TG_PRINTF(3, 4);
/// The same to the notes: what patterns and mirrors came to.
void tgNoteAt(const tgSettingsReader* reader, tgJsonPlace place, const char* format, ...)
    TG_PRINTF(3, 4);

typedef enum tgNumberRange { tg_anyNumber = 0, tg_zeroOrMore, tg_moreThanZero } tgNumberRange;

// Each leaves its result as it was when the object has no such key.
tgResult tgReadFloat(const tgSettingsReader* reader, const tgJsonValue* object, const char* key,
                     tgNumberRange range, float* number);
tgResult tgReadBool(const tgSettingsReader* reader, const tgJsonValue* object, const char* key,
                    bool* truth);
/// A whole number from `least` to `most`.
tgResult tgReadInt(const tgSettingsReader* reader, const tgJsonValue* object, const char* key,
                   int least, int most, int* number);
/// @param choice index into `list`
tgResult tgReadChoice(const tgSettingsReader* reader, const tgJsonValue* object, const char* key,
                      const tgNameList* list, int* choice);
/// One value as a number.
tgResult tgGetFloat(const tgSettingsReader* reader, const tgJsonValue* value, const char* key,
                    tgNumberRange range, float* number);
/// A number, or all of a list, between the two: what the rig would refuse is told where it stands.
tgResult tgCheckBetween(const tgSettingsReader* reader, const tgJsonValue* value, float low,
                        float high, const char* key, const char* wanted);
/// Three numbers from a list.
tgResult tgGetFloat3(const tgSettingsReader* reader, const tgJsonValue* value, const char* key,
                     tgNumberRange range, float numbers[3]);

// settings_profile.c

/// A profile, or a list of them, in memory of the settings.
/// @param count how many; 1 or more on success
tgResult tgReadProfiles(const tgSettingsReader* reader, const tgJsonValue* value,
                        const tgProfile** profiles, int* count);

// settings_joint.c

/// Joints that a name or a pattern is for, in their order, in memory of the settings.
typedef struct tgMatches {
    const int* joints;
    int count;
    bool isPattern; ///< no joint has it for a name
} tgMatches;

/// Fails where there is none.
/// @param names of the scene, sorted
tgResult tgReadMatches(const tgSettingsReader* reader, const tgNamedJoints* names, const char* text,
                       tgJsonPlace place, tgMatches* matches);
/// There is no such joint; suggests one that is near.
tgResult tgFailJoint(const tgSettingsReader* reader, const char* name, tgJsonPlace place);

// settings_joints.c

/// The object "joints" of "volume"; NULL: none.
tgResult tgReadJoints(tgSettingsReader* reader, const tgJsonValue* object);

// settings_local.c

/// The object "local" of "volume"; NULL: none.
tgResult tgReadLocal(const tgSettingsReader* reader, const tgJsonValue* object);

// settings_paint.c

/// The name of something at the vertices, as numbers from 0 to 1; null is 1 all over.
tgResult tgReadPaint(const tgSettingsReader* reader, const tgJsonValue* value, const float** paint);
/// The paint that the character brings along, in the file's vertices.
tgResult tgReadOwnPaint(const tgSettingsReader* reader);
/// The vertices that names and numbers stand for, increasing; one or more.
tgResult tgReadVertexSet(const tgSettingsReader* reader, const tgJsonValue* value,
                         const int** vertices, int* vertexCount);
/// After tgScene_Refine: paints of the file's vertices become those of the finer mesh.
tgResult tgFollowPaints(tgSettings* settings, const tgScene* scene, tgError* error);

// settings_gone.c

/// Whether the key was one of `which` in an earlier version; then it is told, once in a file, with
/// what takes its place.
bool tgWarnGoneKey(const tgSettingsReader* reader, const tgJsonValue* member,
                   tgSettingsObject which);
/// The same of a value of "mode".
bool tgWarnGoneMode(const tgSettingsReader* reader, const tgJsonValue* mode);

// settings_reach.c

/// Whether profiles of a joint reach any of its skin, or of its parent's, however it bends. True
/// where that cannot be told: no mesh, no parent, no skin.
bool tgProfilesReach(const tgScene* scene, int joint, const tgProfile* profiles, int count);

// settings_volume.c

/// The object "volume".
tgResult tgReadVolume(tgSettingsReader* reader, const tgJsonValue* volume);

// settings_flesh.c

/// The list "flesh", or "auto".
tgResult tgReadFlesh(tgSettingsReader* reader, const tgJsonValue* flesh);

// flesh_auto.c

/// Whether a joint's name, cut into words ("mixamorig:LeftUpLeg": left up leg), has one of these;
/// NULL at the end.
bool tgHasJointWord(const char* name, const char* const* words);
/// What joints of the trunk are called; NULL at the end.
extern const char* const tg_trunkWords[];

// settings_bones.c

/// "auto", or the list "bones".
tgResult tgReadBones(tgSettingsReader* reader, const tgJsonValue* bones);
void tgFreeBoneFiles(struct tgBoneFile* files);

// settings_wrinkles.c

/// "auto", or the list "wrinkles".
tgResult tgReadWrinkles(const tgSettingsReader* reader, const tgJsonValue* wrinkles);

// settings_refine.c

/// The object "refine".
tgResult tgReadRefine(const tgSettingsReader* reader, const tgJsonValue* refine);

#endif
