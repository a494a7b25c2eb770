// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor model NAME -o OUT: write an embedded character, with skeleton, weights and animation.

#include "args.h"
#include "commands.h"
#include "core/core.h"
#include "io/output_file.h"
#include "report.h"
#include "turgor/io.h"
#include "turgor/models.h"

#include <stdio.h>
#include <string.h>

enum { tg_mostModels = 32 }; ///< as many as are looked through for one that was misspelt

static int tgListModels(void)
{
    int count;
    const tgModelInfo* models = tgGetModels(&count);
    for (int i = 0; i < count; ++i) {
        printf("%-10s %6d vertices  %s\n", models[i].name, models[i].defaultVertexCount,
               models[i].description);
    }
    return tg_statusDone;
}

/// Why there is no such model, and which one there is perhaps.
static int tgSayNoModel(const char* name, const tgError* error)
{
    if (error->code == tg_outOfMemory) {
        return tgSayFailed(name, error);
    }
    int count;
    const tgModelInfo* models = tgGetModels(&count);
    const char* names[tg_mostModels + 1] = {NULL};
    for (int i = 0; i < count && i < tg_mostModels; ++i) {
        names[i] = models[i].name;
    }
    return tgSayFailure(name, "%s%s", error->message, tgTellPerhaps(name, names).text);
}

/// The mesh alone, quads and all.
static tgResult tgSaveMesh(const tgScene* scene, const char* path, tgError* error)
{
    tgBakeDef def = tgDefaultBakeDef();
    def.scene = scene;
    def.path = path;
    def.frameCount = 1;
    def.animation = -1;
    def.still = true;
    tgBake* bake = tgOpenBake(&def, error);
    if (bake == NULL) {
        return error->code;
    }
    tgResult result = tgBake_AddFrame(bake, scene->positions, scene->normals, error);
    if (result != tg_success) {
        tgCancelBake(bake);
        return result;
    }
    return tgCloseBake(bake, error);
}

/// The rigged scene, or its mesh alone where the file holds no more.
static int tgSaveModel(const tgScene* scene, const char* what, const char* path)
{
    tgError error = {0};
    tgHoldInterrupt();
    bool isMesh = tgHasEnding(path, ".obj");
    tgResult result = isMesh ? tgSaveMesh(scene, path, &error) : tgSaveScene(scene, path, &error);
    if (result != tg_success) {
        return tgSayFailed(path, &error);
    }
    printf("%s: %s, %s, %s", path, what, tgTellCount(scene->vertexCount, "vertex", "vertices").text,
           tgTellCount(scene->faceCount, "face", "faces").text);
    if (!isMesh) {
        printf(", %s", tgTellCount(scene->jointCount, "joint", "joints").text);
    }
    printf("\n");
    return tg_statusDone;
}

static int tgWriteModel(const char* name, int vertices, const char* path)
{
    tgError error = {0};
    tgScene* scene = tgCreateModel(name, vertices, &error);
    int status = scene != NULL ? tgSaveModel(scene, name, path) : tgSayNoModel(name, &error);
    tgDestroyScene(scene);
    return status;
}

/// What options make of the cylinder; 0: as it is.
typedef struct tgTubeOptions {
    double radius, length, blend, offset;
    int boneCount;
} tgTubeOptions;

static bool tgHasTubeOptions(const tgTubeOptions* options)
{
    return options->radius != 0.0 || options->length != 0.0 || options->blend != 0.0 ||
           options->offset != 0.0 || options->boneCount != 0;
}

static int tgWriteTube(const tgTubeOptions* options, int vertices, const char* path)
{
    enum { tg_leastVertices = 12 };
    tgError error = {0};
    tgCylinderDef def = tgDefaultCylinderDef();
    if (vertices != 0 && vertices < tg_leastVertices) {
        return tgSayFailure("cylinder", "cannot have %d vertices; ask for %d or more", vertices,
                            tg_leastVertices);
    }
    def.radius = options->radius != 0.0 ? (float)options->radius : def.radius;
    def.length = options->length != 0.0 ? (float)options->length : def.length;
    def.blendLength = options->blend != 0.0 ? (float)options->blend : 2.0f * def.radius;
    def.boneOffset = (float)options->offset;
    def.boneCount = options->boneCount != 0 ? options->boneCount : def.boneCount;
    if (vertices != 0) {
        tgCylinderDef_SetVertexCount(&def, vertices);
    }
    tgScene* scene = tgCreateCylinder(&def, &error);
    int status = scene != NULL ? tgSaveModel(scene, "cylinder", path)
                               : tgSayFailure("cylinder", "%s", error.message);
    tgDestroyScene(scene);
    return status;
}

static int tgWriteBones(const char* name, const char* path)
{
    tgError error = {0};
    tgScene* scene = tgCreateModelBones(name, &error);
    if (scene == NULL) {
        return tgSayNoModel(name, &error);
    }
    char what[64];
    snprintf(what, sizeof(what), "%d bones of the %.24s", scene->partCount, name);
    int status = tgSaveModel(scene, what, path);
    tgDestroyScene(scene);
    return status;
}

static int tgWriteMarkers(const char* name, int seed, const char* path)
{
    tgError error = {0};
    tgModelMarkersDef def = tgDefaultModelMarkersDef();
    def.name = name;
    def.seed = seed;
    tgHoldInterrupt();
    if (tgSaveModelMarkers(&def, path, &error) != tg_success) {
        return error.code == tg_invalidArgument ? tgSayNoModel(name, &error)
                                                : tgSayFailed(path, &error);
    }
    printf("%s: markers of the %s, %d frames at %d per second\n", path, name, def.frameCount,
           def.rate);
    return tg_statusDone;
}

int tgCommandModel(int argc, char** argv)
{
    const char *output = NULL, *bones = NULL, *markers = NULL;
    int vertices = 0, seed = 1;
    bool list = false;
    tgTubeOptions tube = {0};
    const tgOption table[] = {
        {"-o", "OUT.glb|.gltf|.obj", tg_optionText, &output,
         "the rigged character; .obj: its mesh, with quads"},
        {"--vertices", "N", tg_optionInt, &vertices, "about how many; default the model's own"},
        {"--bones", "OUT.glb|.gltf|.obj", tg_optionText, &bones,
         "the bones under its skin, an object each (hand)"},
        {"--markers", "OUT.trc", tg_optionText, &markers,
         "made-up motion capture, with 1 mm noise (hand)"},
        {"--seed", "N", tg_optionInt, &seed, "of the markers' noise; default 1"},
        {"--radius", "R", tg_optionNumber, &tube.radius, "of the cylinder; default 1"},
        {"--length", "L", tg_optionNumber, &tube.length, "of the cylinder; default 8"},
        {"--joints", "N", tg_optionInt, &tube.boneCount, "bones of the cylinder; default 2"},
        {"--blend", "B", tg_optionNumber, &tube.blend,
         "length over which its weights change; default 2 R. 6.84 loses 11 % at 90 degrees"},
        {"--offset", "C", tg_optionNumber, &tube.offset, "of its bones below its axis; default 0"},
        {"--list", NULL, tg_optionFlag, &list, "the models there are"},
    };
    const tgVerb verb = {"model", "NAME -o OUT",
                         false,   "Write an embedded character.",
                         table,   sizeof(table) / sizeof(table[0])};
    const char* name;
    tgParse parse = tgParseArguments(&verb, argc, argv, &name);
    if (parse != tg_parseRun) {
        return tgGetParseStatus(parse);
    }
    if (list) {
        return tgListModels();
    }
    if (name == NULL || (output == NULL && bones == NULL && markers == NULL)) {
        return tgSayUsage("model wants NAME and -o OUT; turgor model --list tells the names");
    }
    if (tgHasTubeOptions(&tube) && strcmp(name, "cylinder") != 0) {
        return tgSayUsage(
            "--radius, --length, --joints, --blend and --offset are for the cylinder, "
            "not for %s",
            name);
    }
    int status = tg_statusDone;
    if (output != NULL) {
        status = tgHasTubeOptions(&tube) ? tgWriteTube(&tube, vertices, output)
                                         : tgWriteModel(name, vertices, output);
    }
    if (status == tg_statusDone && bones != NULL) {
        status = tgWriteBones(name, bones);
    }
    if (status == tg_statusDone && markers != NULL) {
        status = tgWriteMarkers(name, seed, markers);
    }
    return status;
}
