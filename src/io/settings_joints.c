// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The object "joints" of "volume": profiles by the names of joints, by patterns of names, and for
// the other side of the body. Of several entries that are for one joint a name comes before a
// pattern, then an entry's own joints before those that it is mirrored to, then what stands later.

#include "io/settings_private.h"

#include <stdio.h>
#include <string.h>

/// One member of the object: what it says, and for whom.
typedef struct tgJointEntry {
    const tgJsonValue* member;
    tgMatches matches;
    const tgProfile* profiles; ///< none: null
    int profileCount;
    bool isMirrored;
    const tgProfile* mirrored; ///< the same for the other side
    const float* paint;        ///< of its joints' own; NULL: none
} tgJointEntry;

/// What is under way.
typedef struct tgJointsReader {
    tgSettingsReader* reader;
    tgNamedJoints names;
    tgMirrorPlane plane;
    bool hasPlane; ///< it has been looked for
    tgJointEntry* entries;
    int entryCount;
    tgJointProfiles* profiles; ///< in the order in which joints are met
    int profileCount;
    int* byJoint;         ///< which of them a joint has, + 1; 0 for none
    const float** paints; ///< of each joint its own, NULL for none
} tgJointsReader;

/// Names of some of them: "a, b and 3 more".
typedef struct tgNamesText {
    char text[120];
} tgNamesText;

static tgNamesText tgTellNames(const tgScene* scene, const tgMatches* matches)
{
    tgNamesText told = {""};
    size_t used = 0;
    int i = 0;
    for (; i < matches->count; ++i) {
        const char* name = scene->joints[matches->joints[i]].name;
        if (used + strlen(name) + 24 > sizeof(told.text)) {
            break;
        }
        used += (size_t)snprintf(told.text + used, sizeof(told.text) - used, "%s%s",
                                 i > 0 ? ", " : "", name);
    }
    if (i < matches->count) {
        snprintf(told.text + used, sizeof(told.text) - used, "%s%d more", i > 0 ? " and " : "",
                 matches->count - i);
    }
    return told;
}

/// What points to one side of the bending axis points to the other: a mirror turns the axis round.
static void tgMirrorProfile(tgProfile* profile)
{
    int count = profile->curveCounts[1];
    tgCurvePoint curve[tg_mostCurvePoints];
    memcpy(curve, profile->curves[1], sizeof(curve));
    profile->center[1] = profile->center[1] != 0.0f ? -profile->center[1] : 0.0f;
    for (int i = 0; i < count; ++i) {
        tgCurvePoint from = curve[count - 1 - i];
        profile->curves[1][i] = (tgCurvePoint){-from.coordinate, from.value};
    }
}

static tgResult tgMakeMirrored(tgJointsReader* joints, tgJointEntry* entry)
{
    size_t count = (size_t)entry->profileCount;
    tgArena* arena = &joints->reader->settings->memory->arena;
    tgProfile* mirrored = tgArena_Take(arena, count, sizeof(tgProfile));
    if (mirrored == NULL) {
        return tgFailMemory(joints->reader);
    }
    memcpy(mirrored, entry->profiles, count * sizeof(tgProfile));
    for (size_t i = 0; i < count; ++i) {
        tgMirrorProfile(&mirrored[i]);
    }
    entry->mirrored = mirrored;
    if (!joints->hasPlane) {
        joints->plane = tgFindMirrorPlane(joints->reader->scene, &joints->names);
        joints->hasPlane = true;
    }
    return tg_success;
}

/// A profile that reaches none of its joints' skin is told.
static void tgCheckReach(const tgSettingsReader* reader, const tgJointEntry* entry)
{
    bool reaches = entry->profileCount == 0;
    for (int i = 0; i < entry->matches.count && !reaches; ++i) {
        reaches = tgProfilesReach(reader->scene, entry->matches.joints[i], entry->profiles,
                                  entry->profileCount);
    }
    if (!reaches) {
        tgWarnAt(reader, entry->member->place,
                 "this profile reaches no skin of %s; center, sigma and curves count in lengths of "
                 "the parent bone",
                 tgMakeQuote(entry->member->key).text);
    }
}

/// A name or pattern and its profiles, or null for none.
static tgResult tgReadJointEntry(tgJointsReader* joints, const tgJsonValue* member)
{
    tgSettingsReader* reader = joints->reader;
    tgJointEntry* entry = &joints->entries[joints->entryCount++];
    entry->member = member;
    tgResult result =
        tgReadMatches(reader, &joints->names, member->key, member->keyPlace, &entry->matches);
    if (result == tg_success && member->kind != tg_jsonNull) {
        result = tgReadProfiles(reader, member, &entry->profiles, &entry->profileCount);
    }
    const tgJsonValue* first = tgJson_GetEach(member, 0);
    if (result == tg_success && first->kind == tg_jsonObject) {
        result = tgReadBool(reader, first, "mirror", &entry->isMirrored);
        const tgJsonValue* paint = tgFindMember(first, "paint");
        if (result == tg_success && paint != NULL) {
            result = tgReadPaint(reader, paint, &entry->paint);
        }
    }
    if (result == tg_success && entry->isMirrored) {
        result = tgMakeMirrored(joints, entry);
    }
    if (result == tg_success) {
        tgCheckReach(reader, entry);
    }
    if (result == tg_success && entry->matches.isPattern) {
        tgNoteAt(reader, member->keyPlace, "%s is for %d of the joints: %s",
                 tgMakeQuote(member->key).text, entry->matches.count,
                 tgTellNames(reader->scene, &entry->matches).text);
    }
    return result;
}

/// In place of what the joint has so far.
static void tgGive(tgJointsReader* joints, int joint, const tgProfile* profiles,
                   const tgJointEntry* entry)
{
    joints->paints[joint] = entry->paint;
    if (joints->byJoint[joint] == 0) {
        joints->byJoint[joint] = ++joints->profileCount;
    }
    joints->profiles[joints->byJoint[joint] - 1] =
        (tgJointProfiles){joint, profiles, entry->profileCount};
}

/// One line on what mirroring a joint's entry came to.
static void tgTellTwin(const tgJointsReader* joints, const tgJointEntry* entry, int joint,
                       const tgTwin* twin)
{
    const tgSettingsReader* reader = joints->reader;
    const tgSceneJoint* all = reader->scene->joints;
    tgQuote name = tgMakeQuote(all[joint].name);
    tgQuote other = tgMakeQuote(twin->joint >= 0 ? all[twin->joint].name : "");
    tgJsonPlace place = entry->member->keyPlace;
    switch (twin->kind) {
    case tg_twinByName:
    case tg_twinByPlace:
        tgNoteAt(reader, place, "%s is mirrored to %s, by %s", name.text, other.text,
                 twin->kind == tg_twinByName ? "name" : "place");
        return;
    case tg_twinAgainstName:
        tgWarnAt(reader, place,
                 "%s is mirrored to %s, which stands where it is mirrored to, and not to %s; give "
                 "that an entry of its own if it should be",
                 name.text, other.text, tgMakeQuote(all[twin->other].name).text);
        return;
    case tg_twinUnclear:
        tgWarnAt(reader, place,
                 "%s is not mirrored: %s and %s might both be its other side; give that an entry "
                 "of its own",
                 name.text, other.text, tgMakeQuote(all[twin->other].name).text);
        return;
    default:
        break;
    }
    // Of a pattern many lie in the middle, and that is as it should be.
    if (!entry->matches.isPattern) {
        tgWarnAt(reader, place,
                 twin->kind == tg_twinInMiddle
                     ? "%s is not mirrored: it stands in the middle"
                     : "%s is not mirrored: no joint is its other side by name or place",
                 name.text);
    }
}

/// Its joints' other sides.
static void tgGiveTwins(tgJointsReader* joints, const tgJointEntry* entry)
{
    for (int i = 0; i < entry->matches.count; ++i) {
        int joint = entry->matches.joints[i];
        tgTwin twin = tgFindTwin(joints->reader->scene, &joints->names, &joints->plane, joint);
        bool isFound = twin.kind == tg_twinByName || twin.kind == tg_twinByPlace ||
                       twin.kind == tg_twinAgainstName;
        const char* name = isFound ? joints->reader->scene->joints[twin.joint].name : "";
        if (isFound && entry->matches.isPattern && tgFitsPattern(entry->member->key, name)) {
            continue; // the pattern is for both sides
        }
        if (isFound) {
            tgGive(joints, twin.joint, entry->mirrored, entry);
        }
        tgTellTwin(joints, entry, joint, &twin);
    }
}

/// What comes first by the rules above is given last.
static void tgGiveAll(tgJointsReader* joints)
{
    for (int rank = 0; rank < 4; ++rank) {
        bool ofPatterns = rank < 2, ofTwins = rank % 2 == 0;
        for (int e = 0; e < joints->entryCount; ++e) {
            const tgJointEntry* entry = &joints->entries[e];
            if (entry->matches.isPattern != ofPatterns) {
                continue;
            }
            if (ofTwins && entry->isMirrored) {
                tgGiveTwins(joints, entry);
            }
            for (int i = 0; !ofTwins && i < entry->matches.count; ++i) {
                tgGive(joints, entry->matches.joints[i], entry->profiles, entry);
            }
        }
    }
}

/// Those that came out in the end.
static tgResult tgListPaints(const tgJointsReader* joints)
{
    tgSettings* settings = joints->reader->settings;
    tgJointPaint* list = tgArena_Take(&settings->memory->arena, (size_t)joints->names.count + 1,
                                      sizeof(tgJointPaint));
    int count = 0;
    for (int j = 0; j < joints->names.count && list != NULL; ++j) {
        if (joints->paints[j] != NULL) {
            list[count++] = (tgJointPaint){j, joints->paints[j]};
        }
    }
    settings->volume.jointPaints = list;
    settings->volume.jointPaintCount = count;
    return list != NULL ? tg_success : tgFailMemory(joints->reader);
}

tgResult tgReadJoints(tgSettingsReader* reader, const tgJsonValue* object)
{
    if (object == NULL) {
        return tg_success;
    }
    if (object->kind != tg_jsonObject) {
        return tgFailValue(reader, object, "joints", "an object of joint names and profiles");
    }
    if (object->count == 0) {
        return tg_success;
    }
    tgJointsReader joints = {.reader = reader};
    tgArena* arena = &reader->settings->memory->arena;
    bool hasMemory = tgSortJoints(reader->scene, &joints.names);
    size_t room = (size_t)joints.names.count + 1;
    joints.entries = tgArena_Take(arena, (size_t)object->count, sizeof(tgJointEntry));
    joints.profiles = tgArena_Take(arena, room, sizeof(tgJointProfiles));
    joints.byJoint = tgArena_Take(arena, room, sizeof(int));
    joints.paints = tgArena_Take(arena, room, sizeof(const float*));
    hasMemory &= joints.entries != NULL && joints.profiles != NULL && joints.byJoint != NULL &&
                 joints.paints != NULL;
    tgResult result = hasMemory ? tg_success : tgFailMemory(reader);
    for (int at = 0; at < object->count && result == tg_success; ++at) {
        const tgJsonValue* member = object->items[at];
        result = tgReadJointEntry(&joints, member);
    }
    if (result == tg_success) {
        tgGiveAll(&joints);
        reader->settings->volume.joints = joints.profiles;
        reader->settings->volume.jointCount = joints.profileCount;
        result = tgListPaints(&joints);
    }
    tgFreeJoints(&joints.names);
    return result;
}
