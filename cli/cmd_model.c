// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor model NAME -o OUT: write an embedded character, with skeleton, weights and animation.

#include "args.h"
#include "commands.h"
#include "io/output_file.h"
#include "report.h"
#include "turgor/io.h"
#include "turgor/models.h"

#include <stdio.h>

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

int tgCommandModel(int argc, char** argv)
{
    const char* output = NULL;
    int vertices = 0;
    bool list = false;
    const tgOption table[] = {
        {"-o", "OUT", tg_optionText, &output,
         ".glb or .gltf: the rigged character; .obj: its mesh, with quads"},
        {"--vertices", "N", tg_optionInt, &vertices, "about how many; default the model's own"},
        {"--list", NULL, tg_optionFlag, &list, "the models there are"},
    };
    const tgVerb verb = {"model", "NAME -o OUT",
                         false,   "Write an embedded character.",
                         table,   sizeof(table) / sizeof(table[0])};
    const char* name;
    tgParse parse = tgParseArguments(&verb, argc, argv, &name);
    if (parse != tg_parseRun) {
        return parse == tg_parseDone ? tg_statusDone : tg_statusUsage;
    }
    if (list) {
        return tgListModels();
    }
    if (name == NULL || output == NULL) {
        return tgSayUsage("model wants NAME and -o OUT; turgor model --list tells the names");
    }
    tgError error = {0};
    tgScene* scene = tgCreateModel(name, vertices, &error);
    if (scene == NULL) {
        return tgSayFailed(name, &error);
    }
    tgHoldInterrupt();
    tgResult result = tgHasEnding(output, ".obj") ? tgSaveMesh(scene, output, &error)
                                                  : tgSaveScene(scene, output, &error);
    int status = result == tg_success ? tg_statusDone : tgSayFailed(output, &error);
    if (status == tg_statusDone) {
        printf("%s: %s, %d vertices, %d faces, %d joints\n", output, name, scene->vertexCount,
               scene->faceCount, scene->jointCount);
    }
    tgDestroyScene(scene);
    return status;
}
