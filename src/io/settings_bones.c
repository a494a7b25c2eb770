// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// "bones" of the settings file: "auto", or a list of meshes and the joints they hang on. Mesh files
// are found from the settings file's own folder; each is read once.

#include "core/core.h"
#include "io/load_objects.h"
#include "io/settings_private.h"
#include "io/settings_text.h"

#include <stdio.h>
#include <string.h>

/// A mesh file that some bone comes from.
struct tgBoneFile {
    const char* path;
    tgScene* scene;
    struct tgBoneFile* next;
};

/// What one entry of the list says.
typedef struct tgBoneEntry {
    const tgJsonValue* value;
    const tgJsonValue* mesh;
    const tgJsonValue* object; ///< NULL: by the joint's name
    int joint;                 ///< -1: all objects that are called like a joint
    float thickness;
} tgBoneEntry;

/// Bones as they are found.
typedef struct tgBoneList {
    tgBoneDef* bones; ///< as many as the settings count
    int room;
} tgBoneList;

void tgFreeBoneFiles(struct tgBoneFile* files)
{
    for (; files != NULL; files = files->next) {
        tgDestroyScene(files->scene);
    }
}

static char* tgTakeText(const tgSettingsReader* reader, const char* folder, const char* text)
{
    bool isAbsolute = text[0] == '/' || folder == NULL || folder[0] == '\0';
    size_t size = strlen(text) + (isAbsolute ? 0 : strlen(folder)) + 2;
    char* path = tgArena_Take(&reader->settings->memory->arena, size, 1);
    if (path != NULL) {
        snprintf(path, size, "%s%s%s", isAbsolute ? "" : folder, isAbsolute ? "" : "/", text);
    }
    return path;
}

/// The objects of a mesh file, from memory when it was read before.
static tgResult tgFindBoneFile(const tgSettingsReader* reader, const tgJsonValue* mesh,
                               const tgScene** scene)
{
    struct tgSettingsMemory* memory = reader->settings->memory;
    if (reader->folder == NULL) {
        return tgFailAt(reader->error, tg_unsupported, mesh->place,
                        "mesh is %s, but these settings are no file beside which it could be",
                        tgDescribeJson(mesh).text);
    }
    char* path = tgTakeText(reader, reader->folder, mesh->text);
    struct tgBoneFile* file = tgArena_Take(&memory->arena, 1, sizeof(struct tgBoneFile));
    if (path == NULL || file == NULL) {
        return tgFailMemory(reader);
    }
    for (const struct tgBoneFile* known = memory->boneFiles; known != NULL; known = known->next) {
        if (strcmp(known->path, path) == 0) {
            *scene = known->scene;
            return tg_success;
        }
    }
    tgError reason = {0};
    *file = (struct tgBoneFile){path, tgLoadObjects(path, &reason), memory->boneFiles};
    if (file->scene == NULL) {
        return tgFailAt(reader->error, reason.code, mesh->place, "%s: %s",
                        tgDescribeJson(mesh).text, reason.message);
    }
    memory->boneFiles = file;
    *scene = file->scene;
    return tg_success;
}

/// "bone_hand", "hand_bone" and "hand" are all the bone of the joint "hand".
static bool tgIsBoneOf(const char* object, const char* joint)
{
    size_t length = strlen(joint);
    if (strncmp(object, "bone_", 5) == 0 && strcmp(object + 5, joint) == 0) {
        return true;
    }
    return strncmp(object, joint, length) == 0 &&
           (object[length] == '\0' || strcmp(object + length, "_bone") == 0);
}

static bool tgBoneList_Grow(const tgSettingsReader* reader, tgBoneList* list)
{
    int count = reader->settings->bones.boneCount;
    if (count < list->room) {
        return true;
    }
    int room = 2 * count + 8;
    tgBoneDef* grown =
        tgArena_Take(&reader->settings->memory->arena, (size_t)room, sizeof(tgBoneDef));
    if (grown != NULL && count > 0) {
        memcpy(grown, list->bones, (size_t)count * sizeof(tgBoneDef));
    }
    if (grown != NULL) {
        *list = (tgBoneList){grown, room};
    }
    return grown != NULL;
}

/// A part of a mesh file as a bone.
static tgResult tgAddBone(tgSettingsReader* reader, const tgScene* scene, int p, tgBoneDef bone,
                          tgBoneList* list)
{
    const tgScenePart* part = &scene->parts[p];
    size_t first = 0, count = 0;
    for (int f = 0; f < part->firstFace + part->faceCount; ++f) {
        first += f < part->firstFace ? (size_t)scene->faceSizes[f] : 0;
        count += f < part->firstFace ? 0 : (size_t)scene->faceSizes[f];
    }
    int* corners = tgArena_Take(&reader->settings->memory->arena, count, sizeof(int));
    if (corners == NULL || !tgBoneList_Grow(reader, list)) {
        return tgFailMemory(reader);
    }
    for (size_t i = 0; i < count; ++i) {
        corners[i] = scene->faceVertices[first + i] - part->firstVertex;
    }
    bone.positions =
        (tgVec3View){&scene->positions[part->firstVertex].x, part->vertexCount, sizeof(tgVec3)};
    bone.faceVertices = corners;
    bone.faceSizes = scene->faceSizes + part->firstFace;
    bone.faceCount = part->faceCount;
    list->bones[reader->settings->bones.boneCount++] = bone;
    return tg_success;
}

/// The joint that an object belongs to under an entry; -1 for none.
/// @param isAlone the file has no other
static int tgMatchName(const tgSettingsReader* reader, const tgBoneEntry* entry, const char* name,
                       bool isAlone)
{
    if (entry->object != NULL) {
        return strcmp(name, entry->object->text) == 0 ? entry->joint : -1;
    }
    if (entry->joint >= 0) {
        bool isBone = tgIsBoneOf(name, reader->scene->joints[entry->joint].name);
        return isBone || isAlone ? entry->joint : -1;
    }
    for (int j = 0; reader->scene != NULL && j < reader->scene->jointCount; ++j) {
        if (tgIsBoneOf(name, reader->scene->joints[j].name)) {
            return j;
        }
    }
    return -1;
}

/// A part by its own name and by those of the places that show it again: a bone of each joint that
/// they belong to, but once.
static tgResult tgAddPart(tgSettingsReader* reader, const tgBoneEntry* entry, const tgScene* scene,
                          int p, tgBoneList* list)
{
    const tgScenePart* part = &scene->parts[p];
    const int* count = &reader->settings->bones.boneCount;
    int before = *count;
    tgResult result = tg_success;
    for (int i = -1; i < scene->placeCount && result == tg_success; ++i) {
        if (i >= 0 && scene->places[i].source != part->node) {
            continue;
        }
        const char* name = i < 0 ? part->name : scene->places[i].name;
        int joint = tgMatchName(reader, entry, name, scene->partCount == 1);
        int known = before;
        while (known < *count && list->bones[known].joint != joint) {
            known += 1;
        }
        if (joint >= 0 && known == *count) {
            tgBoneDef bone = {.joint = joint, .thickness = entry->thickness};
            result = tgAddBone(reader, scene, p, bone, list);
        }
    }
    return result;
}

static tgResult tgFailObject(const tgSettingsReader* reader, const tgBoneEntry* entry,
                             const tgScene* scene)
{
    tgQuote mesh = tgDescribeJson(entry->mesh);
    if (entry->object != NULL) {
        tgNearest nearest = {.word = entry->object->text};
        for (int p = 0; p < scene->partCount; ++p) {
            tgNearest_Try(&nearest, scene->parts[p].name);
        }
        for (int i = 0; i < scene->placeCount; ++i) {
            tgNearest_Try(&nearest, scene->places[i].name);
        }
        bool isNear = nearest.best != NULL;
        const char* other = isNear ? nearest.best : scene->parts[0].name;
        return tgFailAt(reader->error, tg_invalidArgument, entry->object->place,
                        isNear ? "%s has no object %s, perhaps %s"
                               : "%s has no object %s, expected %s or another of it",
                        mesh.text, tgDescribeJson(entry->object).text, tgMakeQuote(other).text);
    }
    return tgFailAt(reader->error, tg_invalidArgument, entry->mesh->place,
                    entry->joint >= 0
                        ? "%s has no object called like the joint, expected its name as \"object\""
                        : "%s has no object called like a joint, expected some, or \"joint\" and "
                          "\"object\" here",
                    mesh.text);
}

static tgResult tgAddEntry(tgSettingsReader* reader, const tgBoneEntry* entry, tgBoneList* list)
{
    const tgScene* scene = NULL;
    tgResult result = tgFindBoneFile(reader, entry->mesh, &scene);
    if (result != tg_success) {
        return result;
    }
    int before = reader->settings->bones.boneCount;
    for (int p = 0; p < scene->partCount && result == tg_success; ++p) {
        result = tgAddPart(reader, entry, scene, p, list);
    }
    bool isNone = reader->settings->bones.boneCount == before;
    return result == tg_success && isNone ? tgFailObject(reader, entry, scene) : result;
}

static tgResult tgReadBoneJoint(const tgSettingsReader* reader, const tgJsonValue* value,
                                int* joint)
{
    if (value->kind != tg_jsonText) {
        return tgFailValue(reader, value, "joint", "the name of a joint");
    }
    *joint = reader->scene != NULL ? tgScene_FindJoint(reader->scene, value->text) : -1;
    return *joint >= 0 ? tg_success : tgFailJoint(reader, value->text, value->place);
}

static tgResult tgReadBoneEntry(const tgSettingsReader* reader, const tgJsonValue* value,
                                tgBoneEntry* entry)
{
    if (value->kind != tg_jsonObject) {
        return tgFailValue(reader, value, "a bone", "an object {...}");
    }
    tgResult result = tgCheckKeys(reader, value, tg_settingsBone);
    if (result != tg_success) {
        return result;
    }
    *entry = (tgBoneEntry){.value = value, .joint = -1, .thickness = -1.0f};
    entry->mesh = tgFindMember(value, "mesh");
    entry->object = tgFindMember(value, "object");
    const tgJsonValue* joint = tgFindMember(value, "joint");
    if (entry->mesh == NULL) {
        return tgFailAt(reader->error, tg_invalidArgument, value->place,
                        "a bone without \"mesh\", expected the name of a mesh file");
    }
    if (entry->mesh->kind != tg_jsonText || entry->mesh->text[0] == '\0') {
        return tgFailValue(reader, entry->mesh, "mesh", "the name of a mesh file");
    }
    if (entry->object != NULL && entry->object->kind != tg_jsonText) {
        return tgFailValue(reader, entry->object, "object", "the name of an object in the mesh");
    }
    if (entry->object != NULL && joint == NULL) {
        return tgFailAt(reader->error, tg_invalidArgument, entry->object->place,
                        "an object without \"joint\", expected the joint it hangs on");
    }
    result = joint != NULL ? tgReadBoneJoint(reader, joint, &entry->joint) : tg_success;
    return result == tg_success
               ? tgReadFloat(reader, value, "thickness", tg_zeroOrMore, &entry->thickness)
               : result;
}

tgResult tgReadBones(tgSettingsReader* reader, const tgJsonValue* bones)
{
    tgBonesDef* def = &reader->settings->bones;
    if (bones->kind == tg_jsonText && strcmp(bones->text, "auto") == 0) {
        def->automatic = true;
        return tg_success;
    }
    if (bones->kind != tg_jsonList) {
        return tgFailValue(reader, bones, "bones", "\"auto\" or a list of bones");
    }
    tgBoneList list = {0};
    tgResult result = tg_success;
    for (int at = 0; at < bones->count && result == tg_success; ++at) {
        const tgJsonValue* item = bones->items[at];
        tgBoneEntry entry;
        result = tgReadBoneEntry(reader, item, &entry);
        if (result == tg_success) {
            result = tgAddEntry(reader, &entry, &list);
        }
    }
    def->bones = list.bones;
    return result;
}
