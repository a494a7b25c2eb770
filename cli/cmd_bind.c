// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor bind MESH -o OUT.glb: automatic weights from a skeleton, and a report of what was met.

#include "args.h"
#include "bind_fit.h"
#include "commands.h"
#include "core/core.h"
#include "inputs.h"
#include "json.h"
#include "report.h"
#include "shot.h"
#include "turgor/bind.h"
#include "turgor/io.h"
#include "weights.h"

#include <string.h>

static const char* const tg_bindMethods[] = {"geodesic", "distance", NULL};
// In the order of tgStance.
static const char* const tg_stanceNames[] = {"bound", "stands", "starts"};
static const char* const tg_insideTests[] = {"ray", "normal", NULL};

typedef struct tgBindOptions {
    const char* output;
    const char* skeleton; ///< NULL: the mesh's own
    const char* method;
    const char* inside;
    int voxels, influences, unfolding;
    double falloff; ///< 0: the method's own
    bool boneLength, allowOutside, fit, strict, json;
} tgBindOptions;

/// Every choice of the command line, checked; false when one line was printed.
static bool tgApplyOptions(const tgBindOptions* options, tgBindDef* def)
{
    int method = tgParseChoice("--method", options->method, tg_bindMethods);
    int inside = tgParseChoice("--inside", options->inside, tg_insideTests);
    if (method < 0 || inside < 0) {
        return false;
    }
    if (options->falloff < 0.0 || options->falloff > 1e6) {
        tgSayUsage("--falloff is %g, wanted a number above 0", options->falloff);
        return false;
    }
    def->method = method == 0 ? tg_bindGeodesic : tg_bindDistance;
    def->insideTest = inside == 0 ? tg_insideByRay : tg_insideByNormal;
    def->voxels = options->voxels;
    def->influencesPerVertex = options->influences;
    def->falloff = (float)options->falloff;
    def->useBoneLength = options->boneLength;
    return true;
}

// ---- the report ----

static bool tgIsIdle(const tgBindJoint* joint)
{
    return joint->vertexCount == 0 && joint->place != tg_jointOutside;
}

/// One line with the names of the joints that a test picks; nothing when there are none.
static void tgPrintJoints(const char* what, const tgBinding* binding, const tgScene* scene,
                          bool (*picks)(const tgBindJoint*))
{
    enum { tg_mostNames = 8 };
    int count = 0;
    for (int j = 0; j < binding->jointCount; ++j) {
        if (!picks(&binding->joints[j])) {
            continue;
        }
        count += 1;
        if (count == 1) {
            printf("  %-18s", what);
        }
        if (count <= tg_mostNames) {
            printf("%s%s", count > 1 ? ", " : "", tgTellName(scene->joints[j].name).text);
        }
    }
    if (count > tg_mostNames) {
        printf(" and %d more", count - tg_mostNames);
    }
    printf("%s", count > 0 ? "\n" : "");
}

static bool tgWasSnapped(const tgBindJoint* joint)
{
    return joint->place == tg_jointSnapped;
}

static bool tgIsOutside(const tgBindJoint* joint)
{
    return joint->place == tg_jointOutside;
}

static void tgPrintText(const tgBindOptions* options, const tgBinding* binding,
                        const tgScene* scene, const tgFit* fit)
{
    printf("%s: %s follow %s, by %s%s%s\n", options->output,
           tgTellCount(binding->vertexCount, "vertex", "vertices").text,
           tgTellCount(binding->jointCount, "joint", "joints").text, options->method,
           strcmp(binding->solver, "none") != 0 ? " distance and diffusion, solved by " : "",
           strcmp(binding->solver, "none") != 0 ? binding->solver : "");
    printf("  islands           %d\n", binding->islandCount);
    if (binding->followingIslandCount > 0) {
        printf("  follow the skin   %s on it\n",
               tgTellCount(binding->followingIslandCount, "island that lies", "islands that lie")
                   .text);
    }
    tgPrintJoints("snapped inside", binding, scene, tgWasSnapped);
    tgPrintJoints("outside, unused", binding, scene, tgIsOutside);
    tgPrintJoints("without vertices", binding, scene, tgIsIdle);
    if (binding->unreachedVertexCount > 0) {
        printf("  unreached         %s, %s: the nearest bone took them\n",
               tgTellCount(binding->unreachedVertexCount, "vertex", "vertices").text,
               tgTellCount(binding->unreachedIslandCount, "whole island", "whole islands").text);
    }
    if (binding->looseVertexCount > 0) {
        printf("  in no face        %s: the nearest bone took them\n",
               tgTellCount(binding->looseVertexCount, "vertex", "vertices").text);
    }
    printf("  largest jump      %.3f along an edge\n", (double)binding->largestJump);
    if (fit != NULL) {
        printf("  skeleton          %s\n", tgTellFit(fit).text);
    }
}

static tgJsonValue* tgListJoints(tgArena* arena, const tgBinding* binding, const tgScene* scene,
                                 bool (*picks)(const tgBindJoint*))
{
    tgJsonValue* names = tgMakeJsonList(arena);
    for (int j = 0; j < binding->jointCount; ++j) {
        if (picks(&binding->joints[j])) {
            tgJson_Append(names, tgMakeJsonText(arena, scene->joints[j].name));
        }
    }
    return names;
}

static tgJsonValue* tgMakeReport(tgArena* arena, const tgBindOptions* options,
                                 const tgBinding* binding, const tgScene* scene, const tgFit* fit)
{
    tgJsonValue* report = tgPackJson(
        arena, "{s:o, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:f, s:f}",
        "file", tgMakeJsonText(arena, options->output), "method", options->method, "solver",
        binding->solver, "vertices", binding->vertexCount, "joints", binding->jointCount, "islands",
        binding->islandCount, "followingIslands", binding->followingIslandCount, "unreachedIslands",
        binding->unreachedIslandCount, "unreachedVertices", binding->unreachedVertexCount,
        "looseVertices", binding->looseVertexCount, "snappedJoints",
        tgListJoints(arena, binding, scene, tgWasSnapped), "outsideJoints",
        tgListJoints(arena, binding, scene, tgIsOutside), "jointsWithoutVertices",
        tgListJoints(arena, binding, scene, tgIsIdle), "largestJump", (double)binding->largestJump,
        "cellSize", (double)binding->cellSize);
    if (fit != NULL) {
        tgJson_Set(report, "fit",
                   tgPackJson(arena, "{s:s, s:f, s:[f,f,f]}", "stance", tg_stanceNames[fit->stance],
                              "scale", (double)fit->scale, "offset", (double)fit->offset.x,
                              (double)fit->offset.y, (double)fit->offset.z));
    }
    return report;
}

/// Joints that get no skin because they lie outside: a warning, or with --strict the end.
static int tgTellOutside(const tgBindOptions* options, const char* file, const tgBinding* binding,
                         const tgScene* mesh, const tgScene* skeleton)
{
    enum { tg_mostNames = 40 };
    char names[2048] = "";
    size_t used = 0;
    int count = 0;
    for (int j = 0; j < binding->jointCount; ++j) {
        if (tgIsOutside(&binding->joints[j])) {
            count += 1;
            if (count <= tg_mostNames && used + 48 < sizeof(names)) {
                used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%.40s",
                                         count > 1 ? ", " : "", skeleton->joints[j].name);
            }
        }
    }
    if (count == 0) {
        return tg_statusDone;
    }
    char more[48] = "";
    if (count > tg_mostNames) {
        snprintf(more, sizeof(more), " and %d more", count - tg_mostNames);
    }
    bool canFit = mesh != skeleton && !options->fit;
    return tgSayFailure(file,
                        "%s%d of %d joints lie outside the mesh and get no skin%s: %s%s%s%s%s",
                        options->strict ? "" : "warning: ", count, binding->jointCount,
                        options->strict ? ", wanted none (--strict)" : "", names, more,
                        canFit ? "; " : "", canFit ? tgTellMisfit(mesh, skeleton).text : "",
                        canFit ? "; --fit scales and moves it" : "");
}

// ---- the work ----

/// @param fit how the skeleton was placed; NULL: it was not
static int tgBindScenes(const tgBindOptions* options, const char* file, tgScene* mesh,
                        const tgScene* skeleton, const tgFit* fit)
{
    tgError error = {0};
    tgBindDef def = tgScene_GetBindDef(mesh, skeleton);
    if (!tgApplyOptions(options, &def)) {
        return tg_statusUsage;
    }
    tgBinding* binding = tgMakeWeights(&def, skeleton, &error);
    if (binding == NULL && strncmp(error.message, "no joint of", 11) == 0 && mesh != skeleton &&
        !options->fit) {
        return tgSayFailure(file, "%s; %s; --fit scales and moves it", error.message,
                            tgTellMisfit(mesh, skeleton).text);
    }
    if (binding == NULL) {
        return tgSayFailed(file, &error);
    }
    int told = tgTellOutside(options, file, binding, mesh, skeleton);
    if (told != tg_statusDone && options->strict) {
        tgDestroyBinding(binding);
        return told;
    }
    tgHoldInterrupt();
    tgResult result = tgScene_SetSkin(mesh, skeleton, binding->influencesPerVertex,
                                      binding->influenceJoints, binding->influenceWeights, &error);
    if (result == tg_success) {
        result = tgSaveScene(mesh, options->output, &error);
    }
    int status = result == tg_success ? tg_statusDone : tgSayFailed(options->output, &error);
    tgArena arena = {0};
    if (status == tg_statusDone && options->json) {
        status = tgPrintJson(tgMakeReport(&arena, options, binding, mesh, fit), &arena);
    } else if (status == tg_statusDone) {
        tgPrintText(options, binding, mesh, fit);
    }
    tgDestroyBinding(binding);
    return status;
}

/// Puts the skeleton where it fits best; returns the status.
static int tgFitSkeleton(const char* file, const tgScene* mesh, tgScene* skeleton, tgFit* fit)
{
    tgError error = {0};
    tgResult result = tgFindFit(mesh, skeleton, fit, &error);
    result = result == tg_success ? tgApplyFit(fit, skeleton, &error) : result;
    return result == tg_success ? tg_statusDone : tgSayFailed(file, &error);
}

static int tgRunBind(const tgBindOptions* options, const char* file)
{
    tgError error = {0};
    tgLoadDef def;
    if (!tgMakeLoadDef(options->allowOutside, options->unfolding, &def)) {
        return tg_statusUsage;
    }
    tgScene* mesh = tgLoadCharacter(file, &def);
    if (mesh == NULL) {
        return tg_statusFailed;
    }
    bool isOwn =
        options->skeleton == NULL || (strcmp(options->skeleton, file) == 0 && mesh->jointCount > 0);
    tgScene* other = isOwn ? NULL : tgLoadSkeletonWith(options->skeleton, &def, &error);
    int status;
    if (!isOwn && other == NULL) {
        status = tgSayFailed(options->skeleton, &error);
    } else if (isOwn && options->fit) {
        status = tgSayUsage("--fit wants --skeleton FILE of another file, to place in the mesh");
    } else if (isOwn && mesh->jointCount == 0) {
        status = tgSayFailure(file, "the mesh has no skeleton of its own, wanted --skeleton FILE; "
                                    "turgor rig makes one");
    } else {
        if (!options->json) {
            tgSayWarnings(file, mesh);
        }
        tgFit fit;
        status = tgScene_RefuseOutput(mesh, file, options->output);
        if (status == tg_statusDone && !isOwn) {
            status = tgScene_RefuseOutput(other, options->skeleton, options->output);
        }
        status = status == tg_statusDone && options->fit ? tgFitSkeleton(file, mesh, other, &fit)
                                                         : status;
        status = status == tg_statusDone ? tgBindScenes(options, file, mesh, isOwn ? mesh : other,
                                                        options->fit ? &fit : NULL)
                                         : status;
    }
    tgDestroyScene(other);
    tgDestroyScene(mesh);
    return status;
}

int tgCommandBind(int argc, char** argv)
{
    tgBindDef defaults = tgDefaultBindDef();
    tgBindOptions options = {.method = "geodesic",
                             .inside = "ray",
                             .voxels = defaults.voxels,
                             .influences = defaults.influencesPerVertex,
                             .unfolding = tg_mostUnfolding};
    const tgOption table[] = {
        {"-o", "OUT.glb|.gltf", tg_optionText, &options.output, "the mesh with its weights"},
        {"--skeleton", "FILE", tg_optionText, &options.skeleton,
         ".glb .gltf .fbx .dae .bvh or .json; default the mesh's own"},
        {"--fit", NULL, tg_optionFlag, &options.fit,
         "scale and move the skeleton into the mesh's box, where it fits better so"},
        {"--strict", NULL, tg_optionFlag, &options.strict,
         "fail when joints lie outside the mesh and get no skin"},
        {"--method", "geodesic|distance", tg_optionText, &options.method,
         "through the inside and over the skin, or by distance alone"},
        {"--voxels", "N", tg_optionInt, &options.voxels, "along the longest side; default 128"},
        {"--influences", "N", tg_optionInt, &options.influences,
         "the most joints of a vertex; default 4"},
        {"--falloff", "X", tg_optionNumber, &options.falloff,
         "sharper above the default: geodesic 1, distance 4"},
        {"--inside", "ray|normal", tg_optionText, &options.inside,
         "distance: how a vertex sees a bone"},
        {"--bone-length", NULL, tg_optionFlag, &options.boneLength,
         "distance: longer bones reach further"},
        TG_LOAD_OPTIONS(options.allowOutside, options.unfolding),
        {"--json", NULL, tg_optionFlag, &options.json, "print one JSON object instead of text"},
    };
    const tgVerb verb = {"bind", "MESH -o OUT.glb --skeleton FILE",
                         true,   "Automatic weights for a mesh and a skeleton.",
                         table,  sizeof(table) / sizeof(table[0])};
    const char* file;
    tgParse parse = tgParseArguments(&verb, argc, argv, &file);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    return options.output != NULL ? tgRunBind(&options, file) : tgSayUsage("bind wants -o OUT.glb");
}
