// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skeleton for binding: out of any file that has joints, or from a small JSON file,
//   {"joints": [{"name": "hip", "parent": null, "position": [0, 1, 0], "tail": [0, 1, 0.2]}]}
// Parents come before children and are named; "tail" is optional.

#include "core/core.h"
#include "io/gltf_uri.h"
#include "io/json.h"
#include "io/output_file.h"
#include "io/skeleton_make.h"
#include "turgor/io.h"

#include <stdlib.h>
#include <string.h>

enum { tg_mostSkeletonJoints = 65535 };

typedef struct tgSkeletonReader {
    tgScene* scene;
    tgError* error;
} tgSkeletonReader;

static tgResult tgFailSkeleton(const tgSkeletonReader* reader, const tgJsonValue* found,
                               const char* what, const char* wanted)
{
    return tgFailAt(reader->error, tg_invalidArgument, found->place, "%s is %s, expected %s", what,
                    tgDescribeJson(found).text, wanted);
}

/// The members of an object by name; an unknown one is an error.
static tgResult tgFindMembers(const tgSkeletonReader* reader, const tgJsonValue* object,
                              const char* const* names, int count, const tgJsonValue** members)
{
    for (int i = 0; i < count; ++i) {
        members[i] = NULL;
    }
    for (int at = 0; at < object->count; ++at) {
        const tgJsonValue* member = object->items[at];
        int i = 0;
        while (i < count && strcmp(member->key, names[i]) != 0) {
            i += 1;
        }
        if (i == count) {
            return tgFailAt(reader->error, tg_invalidArgument, member->keyPlace,
                            "unknown key %s, expected %s, %s ...", tgMakeQuote(member->key).text,
                            names[0], names[1]);
        }
        members[i] = member;
    }
    return tg_success;
}

static tgResult tgReadPlace(const tgSkeletonReader* reader, const tgJsonValue* value,
                            const char* what, tgVec3* place)
{
    float* coordinates = &place->x;
    if (value->kind != tg_jsonList || value->count != 3) {
        return tgFailSkeleton(reader, value, what, "three numbers");
    }
    int i = 0;
    for (int at = 0; at < value->count; ++at, ++i) {
        const tgJsonValue* number = value->items[at];
        if (number->kind != tg_jsonNumber) {
            return tgFailSkeleton(reader, number, what, "three numbers");
        }
        coordinates[i] = tgJson_GetFloat(number);
    }
    return tg_success;
}

/// The parent by its name; -1 for null, and when it is left out.
static tgResult tgReadParent(const tgSkeletonReader* reader, const tgJsonValue* value, int* parent)
{
    *parent = -1;
    if (value == NULL || value->kind == tg_jsonNull) {
        return tg_success;
    }
    if (value->kind != tg_jsonText) {
        return tgFailSkeleton(reader, value, "\"parent\"", "the name of a joint, or null");
    }
    *parent = tgScene_FindJoint(reader->scene, value->text);
    if (*parent < 0) {
        return tgFailSkeleton(reader, value, "\"parent\"", "the name of a joint above");
    }
    return tg_success;
}

static tgResult tgReadJoint(const tgSkeletonReader* reader, const tgJsonValue* object)
{
    static const char* const names[] = {"name", "position", "parent", "tail"};
    enum { tg_name, tg_position, tg_parent, tg_tail, tg_memberCount };
    const tgJsonValue* members[tg_memberCount];
    tgScene* scene = reader->scene;
    if (object->kind != tg_jsonObject) {
        return tgFailSkeleton(reader, object, "a joint", "an object {...}");
    }
    tgResult result = tgFindMembers(reader, object, names, tg_memberCount, members);
    if (result != tg_success) {
        return result;
    }
    for (int i = tg_name; i <= tg_position; ++i) {
        if (members[i] == NULL) {
            return tgFailAt(reader->error, tg_invalidArgument, object->place,
                            "the joint has no \"%s\"", names[i]);
        }
    }
    if (members[tg_name]->kind != tg_jsonText || members[tg_name]->text[0] == '\0') {
        return tgFailSkeleton(reader, members[tg_name], "\"name\"", "a text");
    }
    if (tgScene_FindJoint(scene, members[tg_name]->text) >= 0) {
        return tgFailSkeleton(reader, members[tg_name], "\"name\"", "a name that is not taken");
    }
    tgVec3 place = {0}, tail = {0};
    int parent = -1;
    result = tgReadPlace(reader, members[tg_position], "\"position\"", &place);
    if (result == tg_success) {
        result = tgReadParent(reader, members[tg_parent], &parent);
    }
    if (result == tg_success && members[tg_tail] != NULL) {
        result = tgReadPlace(reader, members[tg_tail], "\"tail\"", &tail);
    }
    if (result != tg_success) {
        return result;
    }
    tgScene_AddSkeletonJoint(scene, members[tg_name]->text, parent, -1, place,
                             members[tg_tail] != NULL ? &tail : NULL);
    return tg_success;
}

static tgResult tgReadJoints(const tgSkeletonReader* reader, const tgJsonValue* root)
{
    static const char* const names[] = {"joints", "turgor"};
    const tgJsonValue* members[2];
    if (root->kind != tg_jsonObject) {
        return tgFailSkeleton(reader, root, "the file", "an object {...}");
    }
    tgResult result = tgFindMembers(reader, root, names, 2, members);
    if (result != tg_success) {
        return result;
    }
    if (members[0] == NULL || members[0]->kind != tg_jsonList || members[0]->count < 1 ||
        members[0]->count > tg_mostSkeletonJoints) {
        return tgFailSkeleton(reader, members[0] != NULL ? members[0] : root, "\"joints\"",
                              "a list of 1 to 65535 joints");
    }
    if (!tgScene_OpenSkeleton(reader->scene, members[0]->count)) {
        return tgFail(reader->error, tg_outOfMemory, -1, "not enough memory for the joints");
    }
    for (int at = 0; at < members[0]->count && result == tg_success; ++at) {
        const tgJsonValue* joint = members[0]->items[at];
        result = tgReadJoint(reader, joint);
    }
    return result;
}

tgScene* tgParseSkeleton(const char* text, size_t size, tgError* error)
{
    tgArena arena = {0};
    const tgJsonValue* root = tgParseJson(text, size, &arena, error);
    tgScene* scene = root != NULL ? tgCreateScene() : NULL;
    if (root != NULL && scene == NULL) {
        tgFail(error, tg_outOfMemory, -1, "not enough memory");
    }
    tgSkeletonReader reader = {scene, error};
    if (scene != NULL && tgReadJoints(&reader, root) != tg_success) {
        tgDestroyScene(scene);
        scene = NULL;
    } else if (scene != NULL && scene->hasRunOut) {
        tgDestroyScene(scene);
        scene = NULL;
        tgFail(error, tg_outOfMemory, -1, "out of memory");
    }
    tgArena_Free(&arena);
    return scene;
}

static tgScene* tgLoadSkeletonJson(const char* path, tgError* error)
{
    uint8_t* bytes = NULL;
    size_t size = 0;
    if (tgReadFile(path, tg_largestFile, &bytes, &size, error) != tg_success) {
        return NULL;
    }
    tgScene* scene = tgParseSkeleton((const char*)bytes, size, error);
    free(bytes);
    return scene;
}

tgScene* tgLoadSkeletonWith(const char* path, const tgLoadDef* def, tgError* error)
{
    if (path == NULL) {
        tgFail(error, tg_invalidArgument, -1, "path is NULL");
        return NULL;
    }
    bool isJson = tgHasEnding(path, ".json");
    tgScene* scene = isJson ? tgLoadSkeletonJson(path, error) : tgLoadSceneWith(path, def, error);
    if (scene != NULL && scene->jointCount == 0) {
        tgDestroyScene(scene);
        tgFail(
            error, tg_invalidArgument, -1,
            "the file has no joints, expected a skeleton: a .glb, .gltf, .fbx or .dae with a skin, "
            "a .bvh, or a .json with \"joints\"");
        return NULL;
    }
    return scene;
}

tgScene* tgLoadSkeleton(const char* path, tgError* error)
{
    tgLoadDef def = tgDefaultLoadDef();
    return tgLoadSkeletonWith(path, &def, error);
}

/// For each node what tgFindOnNode says of it; NULL when there is no memory.
static int* tgMapNodes(const tgScene* scene)
{
    int* map = malloc(((size_t)scene->nodeCount + 1) * sizeof(int));
    for (int n = 0; n < scene->nodeCount && map != NULL; ++n) {
        map[n] = -1;
    }
    for (int p = 0; p < scene->partCount && map != NULL; ++p) {
        map[scene->parts[p].node] = -2;
    }
    for (int i = 0; i < scene->placeCount && map != NULL; ++i) {
        map[scene->places[i].node] = -2;
    }
    for (int j = 0; j < scene->jointCount && map != NULL; ++j) {
        map[scene->joints[j].node] = j;
    }
    return map;
}

/// The last joint of a node, -2 where a mesh hangs on it and no joint is, -1 for neither.
/// @param map NULL: look through all of them
static int tgFindOnNode(const tgScene* scene, const int* map, int n)
{
    if (map != NULL) {
        return map[n];
    }
    int found = -1;
    for (int p = 0; p < scene->partCount; ++p) {
        found = scene->parts[p].node == n ? -2 : found;
    }
    for (int i = 0; i < scene->placeCount; ++i) {
        found = scene->places[i].node == n ? -2 : found;
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        found = scene->joints[j].node == n ? j : found;
    }
    return found;
}

void tgScene_GetTails(const tgScene* scene, tgVec3* tails)
{
    for (int j = 0; j < scene->jointCount; ++j) {
        tails[j] = scene->joints[j].restJoint.origin;
    }
    int* map = tgMapNodes(scene);
    for (int n = 0; n < scene->nodeCount; ++n) {
        const tgSceneNode* node = &scene->nodes[n];
        int owner = node->parent >= 0 ? tgFindOnNode(scene, map, node->parent) : -1;
        if (owner >= 0 && !node->hasMatrix && tgFindOnNode(scene, map, n) == -1) {
            tails[owner] = tgMulMatPoint(&scene->joints[owner].restJoint, node->local.position);
        }
    }
    free(map);
}
