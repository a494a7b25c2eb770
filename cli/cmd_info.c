// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor info FILE: what is in the file, and what the rig makes of it.

#include "args.h"
#include "commands.h"
#include "core/core.h"
#include "joint_table.h"
#include "json.h"
#include "measure.h"
#include "mesh_count.h"
#include "shot.h"
#include "turgor/io.h"
#include "turgor/settings.h"

#include <stdlib.h>

static void tgPrintMesh(const tgRigInfo* info)
{
    printf("  vertices          %d, welded to %d\n", info->vertexCount, info->weldedVertexCount);
    printf("  faces             %s, %s",
           tgTellCount(info->triangleCount, "triangle", "triangles").text,
           tgTellCount(info->quadCount, "quad", "quads").text);
    if (info->degenerateFaceCount > 0) {
        printf(", %d left out because corners coincide", info->degenerateFaceCount);
    }
    printf("\n  closed            ");
    tgCountText edges = tgTellCount(info->boundaryEdgeCount, "boundary edge", "boundary edges");
    tgCountText loops = tgTellCount(info->boundaryLoopCount, "loop", "loops");
    if (info->boundaryEdgeCount == 0) {
        printf("yes");
    } else if (info->noInsideCount == 0) {
        printf("no: %s of %s, capped", loops.text, edges.text);
    } else {
        printf("no: %s", edges.text);
        if (info->boundaryLoopCount > 0) {
            printf(", %s of them capped", loops.text);
        }
    }
    if (info->nonManifoldEdgeCount > 0) {
        printf("; %s with more than two faces%s",
               tgTellCount(info->nonManifoldEdgeCount, "edge", "edges").text,
               info->boundaryEdgeCount == 0 ? ", in pairs" : "");
    }
    printf("\n  pieces            %d", info->componentCount);
    if (info->noInsideCount > 0) {
        printf(", %d of them without an inside", info->noInsideCount);
    }
    printf("\n");
    if (info->reorientedFaceCount > 0) {
        printf("  turned outwards   %s\n",
               tgTellCount(info->reorientedFaceCount, "face", "faces").text);
    }
    printf("  size              %g x %g x %g\n", (double)(info->restMax.x - info->restMin.x),
           (double)(info->restMax.y - info->restMin.y),
           (double)(info->restMax.z - info->restMin.z));
    printf("  rest volume       %.9g\n", info->restVolume);
}

/// The most keys that a channel of it has: the frames of motion capture.
static int tgCountKeys(const tgAnimation* animation)
{
    int most = 0;
    for (int c = 0; c < animation->channelCount; ++c) {
        int count = animation->channels[c].keyCount;
        most = count > most ? count : most;
    }
    return most;
}

/// Joints and what moves them.
static void tgPrintMotion(const tgScene* scene)
{
    if (scene->morphCount > 0) {
        printf("  morph targets     %d\n", scene->morphCount);
    }
    printf("  animations        %d\n", scene->animationCount);
    for (int a = 0; a < scene->animationCount; ++a) {
        const tgAnimation* animation = &scene->animations[a];
        const char* name = animation->name[0] != '\0' ? animation->name : "unnamed";
        printf("    %-3d %-24s %.3f s", a, tgTellName(name).text,
               animation->end - animation->start);
        if (scene->vertexCount == 0) {
            printf(", %s", tgTellCount(tgCountKeys(animation), "frame", "frames").text);
        }
        printf("\n");
    }
}

/// Those that go by the name they were given here.
static void tgPrintNameless(const tgScene* scene)
{
    int count = 0, first = -1;
    for (int j = 0; j < scene->jointCount; ++j) {
        if (scene->nodes[scene->joints[j].node].name[0] == '\0') {
            first = count++ == 0 ? j : first;
        }
    }
    if (count > 0) {
        printf("  without a name    %s, called %s%s\n", tgTellCount(count, "joint", "joints").text,
               scene->joints[first].name, count > 1 ? " and so on" : "");
    }
}

/// Nodes whose mesh another node shows already.
static void tgPrintPlaces(const tgScene* scene)
{
    if (scene->placeCount > 0) {
        bool isSkinned = scene->jointCount > 0;
        printf("  shown again       %s, by nodes with the same mesh%s\n",
               tgTellCount(scene->placeCount, "time", "times").text,
               isSkinned ? " and skin: counted once" : ": all are counted, none are welded");
    }
}

/// What settings may name at the vertices, besides objects and materials.
static void tgPrintPainted(const tgScene* scene)
{
    for (int a = 0; a < scene->attributeCount; ++a) {
        printf("%s%s", a == 0 ? "  painted           " : ", ",
               tgTellName(scene->attributes[a].name).text);
        printf("%s", a + 1 == scene->attributeCount ? "\n" : "");
    }
    for (int g = 0; g < scene->groupCount; ++g) {
        printf("%s%s (%d)", g == 0 ? "  groups            " : ", ",
               tgTellName(scene->groups[g].name).text, scene->groups[g].vertexCount);
        printf("%s", g + 1 == scene->groupCount ? "\n" : "");
    }
}

/// Presets that choose their joints.
static const char* const tg_choosyPresets[] = {"muscle", "belly"};

/// Joints that each of these suits, one after the other; the caller frees them. NULL without
/// memory.
static bool* tgListSuited(const tgScene* scene)
{
    size_t count = (size_t)scene->jointCount;
    bool* suits = calloc(2 * count + 1, sizeof(bool));
    for (int p = 0; suits != NULL && p < 2; ++p) {
        if (!tgFindPresetJoints(tg_choosyPresets[p], scene, suits + (size_t)p * count)) {
            free(suits);
            suits = NULL;
        }
    }
    return suits;
}

static void tgPrintPresets(const tgScene* scene, const bool* suits)
{
    for (int p = 0; p < 2; ++p, suits += scene->jointCount) {
        int count = 0;
        for (int j = 0; j < scene->jointCount; ++j) {
            if (suits[j] && count++ == 0) {
                printf("  %-6s suits      %s", tg_choosyPresets[p],
                       tgTellName(scene->joints[j].name).text);
            } else if (suits[j]) {
                printf(", %s", tgTellName(scene->joints[j].name).text);
            }
        }
        printf("%s", count > 0 ? "\n" : "");
    }
}

/// @param info all zero when there is no mesh
static void tgPrintText(const char* file, const tgScene* scene, const tgRigInfo* info,
                        const bool* suits)
{
    printf("%s\n", file);
    if (scene->vertexCount > 0) {
        tgPrintMesh(info);
        tgPrintPlaces(scene);
        tgPrintPainted(scene);
        printf("  joints            %d", scene->jointCount);
        if (scene->jointCount > 0) {
            printf(", at most %d on a vertex", info->influencesPerVertex);
        }
        printf("\n");
        if (scene->jointCount > 0) {
            printf("  skinning          %s\n", tgGetSkinningName(scene->skinning));
            tgPrintPresets(scene, suits);
        }
    } else {
        printf("  joints            %d, and no mesh\n", scene->jointCount);
    }
    if (scene->unskinnedMeshCount > 0) {
        printf("  meshes besides    %d without a skin, which go along with their nodes\n",
               scene->unskinnedMeshCount);
    }
    tgPrintNameless(scene);
    tgPrintMotion(scene);
}

static tgJsonValue* tgListAnimations(tgArena* arena, const tgScene* scene)
{
    tgJsonValue* animations = tgMakeJsonList(arena);
    for (int a = 0; a < scene->animationCount; ++a) {
        const tgAnimation* animation = &scene->animations[a];
        tgJson_Append(animations,
                      tgPackJson(arena, "{s:o, s:f, s:f, s:i}", "name",
                                 tgMakeJsonText(arena, animation->name), "start", animation->start,
                                 "end", animation->end, "keys", tgCountKeys(animation)));
    }
    return animations;
}

/// @param suits those that are told; NULL for all
static tgJsonValue* tgListJointNames(tgArena* arena, const tgScene* scene, const bool* suits)
{
    tgJsonValue* names = tgMakeJsonList(arena);
    for (int j = 0; j < scene->jointCount; ++j) {
        if (suits == NULL || suits[j]) {
            tgJson_Append(names, tgMakeJsonText(arena, scene->joints[j].name));
        }
    }
    return names;
}

static tgJsonValue* tgMakeMeshJson(tgArena* arena, const char* file, const tgRigInfo* info)
{
    return tgPackJson(
        arena, "{s:o, s:i, s:i, s:i, s:i, s:b, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f}",
        "file", tgMakeJsonText(arena, file), "vertices", info->vertexCount, "weldedVertices",
        info->weldedVertexCount, "triangles", info->triangleCount, "quads", info->quadCount,
        "closed", info->vertexCount > 0 && info->boundaryEdgeCount == 0, "boundaryLoops",
        info->boundaryLoopCount, "boundaryEdges", info->boundaryEdgeCount, "nonManifoldEdges",
        info->nonManifoldEdgeCount, "degenerateFaces", info->degenerateFaceCount, "reorientedFaces",
        info->reorientedFaceCount, "components", info->componentCount, "componentsWithoutVolume",
        info->noInsideCount, "oneSidedComponents", info->oneSidedCount, "restVolume",
        info->restVolume);
}

/// Joints, what moves them, and what is named at the vertices.
static tgJsonValue* tgMakeSceneJson(tgArena* arena, const tgScene* scene, const tgRigInfo* info)
{
    tgJsonValue* warnings = tgMakeJsonList(arena);
    tgJsonValue* painted = tgMakeJsonList(arena);
    tgJsonValue* groups = tgMakeJsonList(arena);
    for (int i = 0; i < scene->warningCount; ++i) {
        tgJson_Append(warnings, tgMakeJsonText(arena, scene->warnings[i]));
    }
    for (int a = 0; a < scene->attributeCount; ++a) {
        tgJson_Append(painted, tgMakeJsonText(arena, scene->attributes[a].name));
    }
    for (int g = 0; g < scene->groupCount; ++g) {
        tgJson_Append(groups, tgMakeJsonText(arena, scene->groups[g].name));
    }
    return tgPackJson(arena, "{s:i, s:o, s:i, s:i, s:o, s:o, s:o, s:o}", "joints",
                      scene->jointCount, "jointNames", tgListJointNames(arena, scene, NULL),
                      "influencesPerVertex", scene->jointCount > 0 ? info->influencesPerVertex : 0,
                      "morphTargets", scene->morphCount, "animations",
                      tgListAnimations(arena, scene), "warnings", warnings, "painted", painted,
                      "groups", groups);
}

static tgJsonValue* tgMakeInfoJson(tgArena* arena, const char* file, const tgScene* scene,
                                   const tgRigInfo* info, const bool* suits)
{
    tgJsonValue* object = tgMakeMeshJson(arena, file, info);
    tgJsonValue* more = tgMakeSceneJson(arena, scene, info);
    if (scene->unskinnedMeshCount > 0) {
        tgJson_Set(more, "unskinnedMeshes", tgMakeJsonWhole(arena, scene->unskinnedMeshCount));
    }
    if (scene->placeCount > 0) {
        tgJson_Set(more, "places", tgMakeJsonWhole(arena, scene->placeCount));
    }
    if (info->vertexCount > 0 && scene->jointCount > 0) {
        tgJsonValue* presets = tgMakeJsonObject(arena);
        for (int p = 0; p < 2; ++p) {
            tgJson_Set(presets, tg_choosyPresets[p],
                       tgListJointNames(arena, scene, suits + p * scene->jointCount));
        }
        tgJson_Set(more, "skinning", tgMakeJsonText(arena, tgGetSkinningName(scene->skinning)));
        tgJson_Set(more, "presets", presets);
    }
    return tgJson_Merge(object, more) ? object : NULL; // one of them could not be made
}

/// The settings that are to be told of; says what is wrong with them and returns NULL.
static tgSettings* tgReadSettingsOf(const char* file, const tgScene* scene, const char* path)
{
    tgError error = {0};
    tgSettings* settings = path != NULL ? tgLoadSettings(path, scene, &error)
                                        : tgParseSettings("{}", 2, scene, &error);
    if (settings == NULL) {
        tgSayFailed(path != NULL ? path : file, &error);
    }
    for (int i = 0; settings != NULL && i < settings->warningCount; ++i) {
        tgSayFailure(path, "warning: %s", settings->warnings[i]);
    }
    return settings;
}

/// The joints, and what patterns and mirrors of the settings came to.
static int tgPrintJoints(const tgJointTable* table, const char* file, const char* settingsFile)
{
    if (!tgJointTable_Print(table)) {
        return tgSayFailure(file, "out of memory for %d joints", table->scene->jointCount);
    }
    for (int i = 0; i < table->settings->noteCount; ++i) {
        printf("%s%s: %s\n", i == 0 ? "\n" : "", settingsFile,
               tgTellName(table->settings->notes[i]).text);
    }
    return tg_statusDone;
}

static void tgAddJointsJson(tgArena* arena, const tgJointTable* table, tgJsonValue* object)
{
    tgJsonValue* notes = tgMakeJsonList(arena);
    for (int i = 0; i < table->settings->noteCount; ++i) {
        tgJson_Append(notes, tgMakeJsonText(arena, table->settings->notes[i]));
    }
    tgJson_Set(object, "skeleton", tgJointTable_MakeJson(arena, table));
    tgJson_Set(object, "settingsNotes", notes);
}

/// All of it, as text or as JSON; returns the status.
static int tgTellFile(const char* file, const tgScene* scene, const tgRigInfo* info,
                      const char* settingsFile, bool json)
{
    tgJointTable table = {0};
    tgSettings* settings = tgReadSettingsOf(file, scene, settingsFile);
    int status = settings != NULL ? tg_statusDone : tg_statusFailed;
    bool* suits = tgListSuited(scene);
    if (status == tg_statusDone && (suits == NULL || !tgOpenJointTable(scene, settings, &table))) {
        status = tgSayFailure(file, "out of memory for %d joints", scene->jointCount);
    }
    tgArena arena = {0};
    if (status == tg_statusDone && json) {
        tgJsonValue* object = tgMakeInfoJson(&arena, file, scene, info, suits);
        if (scene->jointCount > 0) {
            tgAddJointsJson(&arena, &table, object);
        }
        status = tgPrintJson(object, &arena);
    } else if (status == tg_statusDone) {
        tgPrintText(file, scene, info, suits);
        status = scene->jointCount > 0 ? tgPrintJoints(&table, file, settingsFile) : status;
        tgSayWarnings(file, scene);
    }
    tgCloseJointTable(&table);
    free(suits);
    tgDestroySettings(settings);
    return status;
}

int tgCommandInfo(int argc, char** argv)
{
    bool json = false, allowOutside = false;
    int unfolding = tg_mostUnfolding;
    const char* settings = NULL;
    const tgOption table[] = {
        TG_LOAD_OPTIONS(allowOutside, unfolding),
        {"--settings", "FILE.json", tg_optionText, &settings,
         "tell which profile each joint has by these settings"},
        {"--json", NULL, tg_optionFlag, &json, "print one JSON object instead of text"},
    };
    const tgVerb verb = {"info", "FILE", true, "What is in a file.", table, 4};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    tgLoadDef def;
    if (!tgMakeLoadDef(allowOutside, unfolding, &def)) {
        return tg_statusUsage;
    }
    def.sharesMeshes = true;
    tgError error = {0};
    tgScene* scene = tgLoadCharacter(file, &def);
    if (scene == NULL) {
        return tg_statusFailed;
    }
    // Motion alone, such as a .bvh, has joints and no mesh.
    tgRigInfo info = {0};
    bool isMotion = scene->vertexCount == 0 && scene->jointCount > 0;
    bool isCounted = isMotion || tgCountMesh(scene, &info, &error) == tg_success;
    int status = isCounted ? tg_statusDone : tgSayFailed(file, &error);
    if (isCounted && !isMotion) {
        tgVolumeText told = tgTellNoVolume(&info);
        if (told.text[0] != '\0') {
            tgScene_Warn(scene, "%s", told.text);
        }
    }
    if (status == tg_statusDone) {
        status = tgTellFile(file, scene, &info, settings, json);
    }
    tgDestroyScene(scene);
    return status;
}
