// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor rig MESH -o OUT.glb: a skeleton for a bare mesh, its weights, and a report of what was
// met.

#include "args.h"
#include "commands.h"
#include "core/core.h"
#include "inputs.h"
#include "io/output_file.h"
#include "json.h"
#include "report.h"
#include "rig_page.h"
#include "shot.h"
#include "stand.h"
#include "turgor/autorig.h"
#include "turgor/bind.h"
#include "turgor/io.h"
#include "weights.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char* const tg_templates[] = {"auto", "biped", "quadruped", "hand", "none", NULL};
static const char* const tg_symmetries[] = {"auto", "x", "y", "z", "none", NULL};
static const char* const tg_ups[] = {"auto", "x", "y", "z", "-x", "-y", "-z", NULL};
/// The file stands along an axis of its own when it is as near to it as this, as a cosine.
static const float tg_alongAxis = 0.99f;

typedef struct tgRigOptions {
    const char* output;
    const char* up;
    const char* source; ///< a vertex or a place; NULL: found
    const char* symmetry;
    const char* plan;
    const char* report;
    int jointsPerLimb, unfolding;
    double leastLength;
    bool toes, wiggle, replace, allowOutside, json;
} tgRigOptions;

/// A vertex by its number, or a place.
static int tgParseSource(const tgRigOptions* options, const tgScene* scene, const char* file,
                         tgAutorigDef* def)
{
    if (options->source == NULL) {
        return tg_statusDone;
    }
    double n[3];
    def->hasSource = true;
    if (tgParseNumbers(options->source, 3, n)) {
        def->source = tgMakeVec3((float)n[0], (float)n[1], (float)n[2]);
        return tg_statusDone;
    }
    char* end = NULL;
    errno = 0;
    long vertex = strtol(options->source, &end, 10);
    if (end == options->source || *end != '\0' || errno != 0) {
        return tgSayUsage("--source is %s, wanted a vertex or a place X,Y,Z", options->source);
    }
    if (vertex < 0 || vertex >= scene->vertexCount) {
        return tgSayFailure(file, "there is no vertex %ld, the mesh has %d", vertex,
                            scene->vertexCount);
    }
    def->source = scene->positions[vertex];
    return tg_statusDone;
}

/// How the bind pose stands in the file: by the first joint that is there already.
static tgMat34 tgFindStand(const tgScene* scene)
{
    tgMat34 stand = tgIdentityMat34();
    tgMat34* nodes = calloc((size_t)scene->nodeCount + 1, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount + 1, sizeof(tgMat34));
    if (nodes != NULL && joints != NULL && scene->jointCount > 0) {
        tgScene_SamplePose(scene, -1, 0.0, nodes, joints, NULL);
        stand = tgGetStand(&scene->joints[0], &joints[0]);
    }
    free(nodes);
    free(joints);
    return stand;
}

/// As --up has it: the axis that lies nearest.
static const char* tgGetUpName(tgVec3 up)
{
    const float along[3] = {up.x, up.y, up.z};
    int best = 0;
    for (int k = 1; k < 3; ++k) {
        best = fabsf(along[k]) > fabsf(along[best]) ? k : best;
    }
    return tg_ups[1 + best + (along[best] < 0.0f ? 3 : 0)];
}

/// The axis of the bind pose that is up in the file; zero when none is, or when it is y, as it
/// would be anyway.
static tgVec3 tgFindUp(const tgMat34* stand)
{
    const tgVec3 columns[3] = {stand->x, stand->y, stand->z};
    for (int k = 0; k < 3; ++k) {
        tgVec3 along = tgNormalize(columns[k], tgMakeVec3(0.0f, 0.0f, 0.0f));
        if (fabsf(along.y) > tg_alongAxis) {
            float sign = along.y > 0.0f ? 1.0f : -1.0f;
            return k == 1 && sign > 0.0f
                       ? tgMakeVec3(0.0f, 0.0f, 0.0f)
                       : tgMulSV(sign,
                                 tgMakeVec3((float)(k == 0), (float)(k == 1), (float)(k == 2)));
        }
    }
    return tgMakeVec3(0.0f, 0.0f, 0.0f);
}

/// Every choice of the command line, checked; returns the status.
static int tgFillDef(const tgRigOptions* options, const tgScene* scene, const char* file,
                     const tgMat34* stand, tgAutorigDef* def)
{
    int up = tgParseChoice("--up", options->up, tg_ups);
    int plan = tgParseChoice("--template", options->plan, tg_templates);
    int symmetry = tgParseChoice("--symmetry", options->symmetry, tg_symmetries);
    if (up < 0 || plan < 0 || symmetry < 0) {
        return tg_statusUsage;
    }
    if (options->jointsPerLimb < 0 || options->jointsPerLimb > 32) {
        return tgSayUsage("--joints-per-limb is %d, wanted 1 to 32", options->jointsPerLimb);
    }
    if (!(options->leastLength >= 0.001 && options->leastLength <= 1.0)) {
        return tgSayUsage("--least-length is %g, wanted 0.001 to 1, of the diagonal",
                          options->leastLength);
    }
    *def = tgDefaultAutorigDef();
    def->positions = (tgVec3View){&scene->positions->x, scene->vertexCount, sizeof(tgVec3)};
    def->faceVertices = scene->faceVertices;
    def->faceSizes = scene->faceSizes;
    def->faceCount = scene->faceCount;
    if (up > 0) {
        int axis = (up - 1) % 3;
        def->up = tgMulSV(up <= 3 ? 1.0f : -1.0f,
                          tgMakeVec3((float)(axis == 0), (float)(axis == 1), (float)(axis == 2)));
    } else if (scene->jointCount > 0) {
        def->up = tgFindUp(stand);
    }
    def->plan = (tgBodyPlan)plan;
    def->symmetry = (tgSymmetry)symmetry;
    def->jointsPerLimb = options->jointsPerLimb;
    def->keepToes = options->toes;
    def->leastLength = (float)options->leastLength;
    return tgParseSource(options, scene, file, def);
}

// ---- the report ----

static void tgPrintMoved(const tgAutorig* rig)
{
    const char* before = "  moved inside      ";
    for (int j = 0; j < rig->jointCount; ++j) {
        if (rig->joints[j].wasMoved) {
            printf("%s%s", before, rig->joints[j].name);
            before = ", ";
        }
    }
    printf("%s", rig->movedCount > 0 ? "\n" : "");
}

static void tgPrintRig(const tgRigOptions* options, const tgAutorig* rig, const tgBinding* binding)
{
    int counts[5] = {0};
    for (int i = 0; i < rig->tipCount; ++i) {
        counts[rig->tips[i].fate] += 1;
    }
    printf("%s: %s, template %s; %s follow them\n", options->output,
           tgTellCount(rig->jointCount, "joint", "joints").text, tgGetPlanName(rig->plan),
           tgTellCount(binding->vertexCount, "vertex", "vertices").text);
    printf("  extremities       %d kept, %d of them added; dropped: %d blunt, %s, %s\n",
           counts[tg_tipKept] + counts[tg_tipAdded], counts[tg_tipAdded], counts[tg_tipBlunt],
           tgTellCount(counts[tg_tipPocket], "pocket", "pockets").text,
           tgTellCount(counts[tg_tipToe], "toe", "toes").text);
    if (rig->hasPlane) {
        printf("  mirror plane      across (%.3g, %.3g, %.3g), %.0f %% of the skin has its image\n",
               (double)rig->planeNormal.x, (double)rig->planeNormal.y, (double)rig->planeNormal.z,
               100.0 * (double)rig->planeShare);
    }
    if (rig->pieceCount > 1) {
        printf("  pieces            %d, %d joined to the body\n", rig->pieceCount,
               rig->bridgedCount);
    }
    tgPrintMoved(rig);
    if (binding->unreachedVertexCount > 0) {
        printf("  unreached         %s: the nearest bone took them\n",
               tgTellCount(binding->unreachedVertexCount, "vertex", "vertices").text);
    }
}

static tgJsonValue* tgListTips(tgArena* arena, const tgAutorig* rig)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int i = 0; i < rig->tipCount; ++i) {
        const tgAutorigTip* tip = &rig->tips[i];
        tgJson_Append(
            list, tgPackJson(arena, "{s:s, s:f, s:[f,f,f], s:o}", "fate", tgGetFateName(tip->fate),
                             "length", (double)tip->length, "position", (double)tip->position.x,
                             (double)tip->position.y, (double)tip->position.z, "joint",
                             tip->joint >= 0 ? tgMakeJsonText(arena, rig->joints[tip->joint].name)
                                             : tgMakeJsonNull(arena)));
    }
    return list;
}

static tgJsonValue* tgListRigJoints(tgArena* arena, const tgAutorig* rig)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int j = 0; j < rig->jointCount; ++j) {
        const tgAutorigJoint* joint = &rig->joints[j];
        tgJson_Append(list,
                      tgPackJson(arena, "{s:s, s:o, s:[f,f,f], s:b}", "name", joint->name, "parent",
                                 joint->parent >= 0
                                     ? tgMakeJsonText(arena, rig->joints[joint->parent].name)
                                     : tgMakeJsonNull(arena),
                                 "position", (double)joint->position.x, (double)joint->position.y,
                                 (double)joint->position.z, "movedInside", joint->wasMoved));
    }
    return list;
}

static tgJsonValue* tgMakeRigJson(tgArena* arena, const tgRigOptions* options, const tgAutorig* rig,
                                  const tgBinding* binding)
{
    tgJsonValue* warnings = tgMakeJsonList(arena);
    for (int i = 0; i < rig->warningCount; ++i) {
        tgJson_Append(warnings, tgMakeJsonText(arena, rig->warnings[i]));
    }
    return tgPackJson(
        arena, "{s:o, s:s, s:s, s:i, s:o, s:o, s:i, s:f, s:i, s:i, s:i, s:i, s:i, s:o}", "file",
        tgMakeJsonText(arena, options->output), "template", tgGetPlanName(rig->plan), "up",
        tgGetUpName(rig->up), "vertices", binding->vertexCount, "joints",
        tgListRigJoints(arena, rig), "extremities", tgListTips(arena, rig), "source", rig->source,
        "mirroredShare", rig->hasPlane ? (double)rig->planeShare : 0.0, "pieces", rig->pieceCount,
        "joinedPieces", rig->bridgedCount, "movedJoints", rig->movedCount, "droppedJoints",
        rig->droppedCount, "unreachedVertices", binding->unreachedVertexCount, "warnings",
        warnings);
}

// ---- the work ----

/// The mesh with its skeleton, the page, and what is printed; returns the status.
static int tgSaveRig(const tgRigOptions* options, const char* file, tgScene* mesh,
                     const tgScene* skeleton, const tgAutorig* rig, const tgBinding* binding,
                     const tgMat34* stand)
{
    tgError error = {0};
    tgOutputFile page = {0};
    tgHoldInterrupt();
    if (options->report != NULL) {
        tgRigPageDef pageDef = {file, mesh, rig, stand};
        int status = tgPrepareRigPage(&pageDef, options->report, &page);
        if (status != tg_statusDone) {
            return status;
        }
    }
    tgResult result = tgScene_SetSkin(mesh, skeleton, binding->influencesPerVertex,
                                      binding->influenceJoints, binding->influenceWeights, &error);
    result = result == tg_success ? tgSaveScene(mesh, options->output, &error) : result;
    const char* written = options->output;
    if (result == tg_success && options->report != NULL) {
        written = options->report;
        result = tgOutputFile_Commit(&page, &error);
    }
    tgOutputFile_Discard(&page);
    if (result != tg_success) {
        return tgSayFailed(written, &error);
    }
    if (options->json) {
        tgArena arena = {0};
        return tgPrintJson(tgMakeRigJson(&arena, options, rig, binding), &arena);
    }
    for (int i = 0; i < rig->warningCount; ++i) {
        fprintf(stderr, "turgor: %s: warning: %s\n", file, rig->warnings[i]);
    }
    tgPrintRig(options, rig, binding);
    return tg_statusDone;
}

static int tgRigScene(const tgRigOptions* options, const char* file, tgScene* mesh)
{
    tgError error = {0};
    tgMat34 stand = tgFindStand(mesh);
    tgAutorigDef def;
    int status = tgFillDef(options, mesh, file, &stand, &def);
    if (status != tg_statusDone) {
        return status;
    }
    tgAutorig* rig = tgCreateAutorig(&def, &error);
    if (rig == NULL) {
        return tgSayFailed(file, &error);
    }
    tgScene* skeleton =
        tgCreateSkeletonScene(rig, mesh->jointCount > 0 ? &stand : NULL, options->wiggle, &error);
    tgBinding* binding = NULL;
    if (skeleton != NULL) {
        tgBindDef bindDef = tgScene_GetBindDef(mesh, skeleton);
        binding = tgMakeWeights(&bindDef, skeleton, &error);
    }
    status = binding != NULL ? tgSaveRig(options, file, mesh, skeleton, rig, binding, &stand)
                             : tgSayFailed(file, &error);
    tgDestroyBinding(binding);
    tgDestroyScene(skeleton);
    tgDestroyAutorig(rig);
    return status;
}

static int tgRunRig(const tgRigOptions* options, const char* file)
{
    tgLoadDef def;
    if (!tgMakeLoadDef(options->allowOutside, options->unfolding, &def)) {
        return tg_statusUsage;
    }
    tgScene* mesh = tgLoadCharacter(file, &def);
    if (mesh == NULL) {
        return tg_statusFailed;
    }
    int status;
    if (mesh->vertexCount == 0) {
        status = tgSayFailure(file, "there is no mesh, only %s",
                              tgTellCount(mesh->jointCount, "joint", "joints").text);
    } else if (mesh->jointCount > 0 && !options->replace) {
        status = tgSayFailure(file,
                              "the mesh has %s already; --replace forgets them, turgor bind keeps "
                              "them and makes new weights",
                              tgTellCount(mesh->jointCount, "joint", "joints").text);
    } else {
        if (!options->json) {
            tgSayWarnings(file, mesh);
        }
        status = tgScene_RefuseOutput(mesh, file, options->output);
        status =
            status == tg_statusDone ? tgScene_RefuseOutput(mesh, file, options->report) : status;
        status = status == tg_statusDone ? tgRigScene(options, file, mesh) : status;
    }
    tgDestroyScene(mesh);
    return status;
}

int tgCommandRig(int argc, char** argv)
{
    tgRigOptions options = {.up = "auto",
                            .symmetry = "auto",
                            .plan = "auto",
                            .leastLength = (double)tgDefaultAutorigDef().leastLength,
                            .unfolding = tg_mostUnfolding};
    const tgOption table[] = {
        {"-o", "OUT.glb|.gltf", tg_optionText, &options.output,
         "the mesh with its skeleton and weights"},
        {"--up", "x|y|z|-x|-y|-z", tg_optionText, &options.up,
         "against gravity; default what the file says, or what it stands by"},
        {"--template", "biped|quadruped|hand|none", tg_optionText, &options.plan,
         "where joints go; default by the feet on the floor"},
        {"--symmetry", "x|y|z|none", tg_optionText, &options.symmetry,
         "left and right lie along this axis; default found"},
        {"--source", "VERTEX|X,Y,Z", tg_optionText, &options.source,
         "where the head is, or the wrist of a hand; default found"},
        {"--joints-per-limb", "N", tg_optionInt, &options.jointsPerLimb,
         "1 to 32; default as the template has it"},
        {"--toes", NULL, tg_optionFlag, &options.toes, "joints for toes too"},
        {"--least-length", "X", tg_optionNumber, &options.leastLength,
         "of an extremity, over the diagonal; default 0.013"},
        {"--replace", NULL, tg_optionFlag, &options.replace,
         "forget the skeleton and the weights that are there"},
        {"--wiggle", NULL, tg_optionFlag, &options.wiggle,
         "with an animation that swings every joint in turn"},
        {"--report", "OUT.html", tg_optionText, &options.report,
         "a page of pictures, extremities, joints and warnings"},
        TG_LOAD_OPTIONS(options.allowOutside, options.unfolding),
        {"--json", NULL, tg_optionFlag, &options.json, "print one JSON object instead of text"},
    };
    const tgVerb verb = {"rig", "MESH -o OUT.glb",
                         true,  "A skeleton for a bare mesh, and its weights.",
                         table, sizeof(table) / sizeof(table[0])};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    return options.output != NULL ? tgRunRig(&options, file) : tgSayUsage("rig wants -o OUT.glb");
}
