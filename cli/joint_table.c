// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is known of each joint of a character.

#include "joint_table.h"

#include "io/settings_private.h"

#include <stdlib.h>
#include <string.h>

static const double tg_degreesPerRadian = 57.29577951308232;
/// Columns that a name and its indentation have at most; longer ones push the rest aside.
enum { tg_widestName = 56, tg_deepTree = 12 };

tgRig* tgCreateAptRig(const tgScene* scene, tgError* error)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    tgProfile drifting = tgDefaultProfile(tg_profileOrganic);
    drifting.drift = 1.0f;
    def.volume.method = tg_volumeExact;
    def.volume.contact = tg_contactOn;
    def.volume.profiles = &drifting;
    def.volume.profileCount = 1;
    return tgCreateRig(&def, error);
}

bool tgOpenJointTable(const tgScene* scene, const tgSettings* settings, tgJointTable* table)
{
    size_t count = (size_t)scene->jointCount + 1;
    *table = (tgJointTable){.scene = scene,
                            .settings = settings,
                            .bends = calloc(count, sizeof(tgBend)),
                            .infos = calloc(count, sizeof(tgJointInfo))};
    if (table->bends == NULL || table->infos == NULL || !tgFindBends(scene, table->bends)) {
        return false;
    }
    // Motion alone has no skin; a mesh that makes no rig is told elsewhere.
    tgError error = {0};
    tgRig* rig = scene->vertexCount > 0 ? tgCreateAptRig(scene, &error) : NULL;
    for (int j = 0; rig != NULL && j < scene->jointCount; ++j) {
        table->infos[j] = tgRig_GetJointInfo(rig, j);
    }
    tgDestroyRig(rig);
    return error.code != tg_outOfMemory;
}

void tgCloseJointTable(tgJointTable* table)
{
    free(table->bends);
    free(table->infos);
    *table = (tgJointTable){0};
}

tgProfileText tgTellProfiles(const tgVolumeDef* volume, int joint)
{
    const tgProfile* profiles = volume->profiles;
    int count = volume->profileCount;
    tgProfileText told = {"organic"};
    for (int i = 0; i < volume->jointCount; ++i) {
        if (volume->joints[i].joint == joint) {
            profiles = volume->joints[i].profiles;
            count = volume->joints[i].profileCount;
            snprintf(told.text, sizeof(told.text), "none");
        }
    }
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof(told.text); ++i) {
        bool drifts = profiles[i].kind == tg_profileOrganic && profiles[0].drift > 0.0f;
        const char* name = drifts ? "anatomic" : tg_profileNames.names[profiles[i].kind];
        used += (size_t)snprintf(told.text + used, sizeof(told.text) - used, "%s%s",
                                 i > 0 ? " + " : "", name);
    }
    return told;
}

static float tgGetBoneLength(const tgJointTable* table, int joint)
{
    const tgSceneJoint* joints = table->scene->joints;
    int parent = joints[joint].parent;
    if (table->infos[joint].bends) {
        return table->infos[joint].boneLength;
    }
    return parent >= 0 ? tgDistance(joints[joint].restJoint.origin, joints[parent].restJoint.origin)
                       : 0.0f;
}

/// @param width of the names, indentation included
static void tgPrintJoint(const tgJointTable* table, int joint, int indent, int width)
{
    const tgScene* scene = table->scene;
    const tgBend* bend = &table->bends[joint];
    const tgJointInfo* info = &table->infos[joint];
    indent = indent < width - 8 ? indent : width - 8;
    printf("    %*s%-*s", indent, "", width - indent, tgTellName(scene->joints[joint].name).text);
    if (scene->animationCount > 0) {
        printf(" %5.0f %6.0f", tg_degreesPerRadian * (double)bend->swing,
               tg_degreesPerRadian * (double)bend->twist);
    }
    if (info->bends) {
        printf("  %8.4g  %5.2f  %s", (double)info->radius, (double)info->aptness,
               tgTellProfiles(&table->settings->volume, joint).text);
    } else if (scene->vertexCount > 0) {
        printf("  %8s  %5s", "-", "-"); // no skin bends with it
    }
    printf("\n");
}

/// The joint after `joint` when a tree is walked from the top: its first child, else the next one
/// of the nearest joint above that has any. -1 after the last.
static int tgGetNextJoint(const int* firstChild, const int* nextSibling, const tgScene* scene,
                          int joint)
{
    if (firstChild[joint] >= 0) {
        return firstChild[joint];
    }
    while (joint >= 0 && nextSibling[joint] < 0) {
        joint = scene->joints[joint].parent;
    }
    return joint >= 0 ? nextSibling[joint] : -1;
}

/// Children of each joint as lists; roots follow each other. Returns the first.
/// @param depths joints above each
static int tgLinkJoints(const tgScene* scene, int* firstChild, int* nextSibling, int* depths)
{
    int firstRoot = -1;
    for (int j = 0; j < scene->jointCount; ++j) { // parents come first
        int parent = scene->joints[j].parent;
        firstChild[j] = -1;
        depths[j] = parent >= 0 ? depths[parent] + 1 : 0;
    }
    for (int j = scene->jointCount - 1; j >= 0; --j) { // so that lists begin with the first
        int parent = scene->joints[j].parent;
        int* first = parent >= 0 ? &firstChild[parent] : &firstRoot;
        nextSibling[j] = *first;
        *first = j;
    }
    return firstRoot;
}

/// How wide the names are with their indentation of so much a level.
static int tgGetWidth(const tgScene* scene, const int* depths, int step)
{
    int width = 24;
    for (int j = 0; j < scene->jointCount; ++j) {
        int own = step * depths[j] + (int)strlen(scene->joints[j].name);
        width = own > width ? own : width;
    }
    return width < tg_widestName ? width : tg_widestName;
}

/// The tree, from the top.
static void tgPrintTree(const tgJointTable* table, int* firstChild, int* nextSibling, int* depths)
{
    const tgScene* scene = table->scene;
    int joint = tgLinkJoints(scene, firstChild, nextSibling, depths), deepest = 0;
    for (int j = 0; j < scene->jointCount; ++j) {
        deepest = depths[j] > deepest ? depths[j] : deepest;
    }
    int step = deepest > tg_deepTree ? 1 : 2, width = tgGetWidth(scene, depths, step);
    printf("    %*s%s%s\n", width, "", scene->animationCount > 0 ? "  bend  twist" : "",
           scene->vertexCount > 0 ? "    radius    apt  profile" : "");
    while (joint >= 0) {
        tgPrintJoint(table, joint, step * depths[joint], width);
        joint = tgGetNextJoint(firstChild, nextSibling, scene, joint);
    }
}

bool tgJointTable_Print(const tgJointTable* table)
{
    size_t count = (size_t)table->scene->jointCount + 1;
    int* links = calloc(3 * count, sizeof(int));
    if (links != NULL) {
        tgPrintTree(table, links, links + count, links + 2 * count);
    }
    free(links);
    return links != NULL;
}

tgJsonValue* tgJointTable_MakeJson(tgArena* arena, const tgJointTable* table)
{
    const tgScene* scene = table->scene;
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int j = 0; j < scene->jointCount; ++j) {
        const tgSceneJoint* joint = &scene->joints[j];
        const tgBend* bend = &table->bends[j];
        const tgJointInfo* info = &table->infos[j];
        tgVec3 place = joint->restJoint.origin;
        tgJsonValue* object = tgPackJson(
            arena, "{s:o, s:o, s:[f, f, f], s:f, s:f, s:f, s:[f, f, f]}", "name",
            tgMakeJsonText(arena, joint->name), "parent",
            joint->parent >= 0 ? tgMakeJsonWhole(arena, joint->parent) : tgMakeJsonNull(arena),
            "position", (double)place.x, (double)place.y, (double)place.z, "length",
            (double)tgGetBoneLength(table, j), "bend", tg_degreesPerRadian * (double)bend->swing,
            "twist", tg_degreesPerRadian * (double)bend->twist, "axis", (double)bend->axis.x,
            (double)bend->axis.y, (double)bend->axis.z);
        if (info->bends) {
            tgJson_Set(object, "radius", tgMakeJsonNumber(arena, (double)info->radius));
            tgJson_Set(object, "aptness", tgMakeJsonNumber(arena, (double)info->aptness));
            tgJson_Set(object, "preset",
                       tgMakeJsonText(arena, tgTellProfiles(&table->settings->volume, j).text));
        }
        tgJson_Append(list, object);
    }
    return list;
}
