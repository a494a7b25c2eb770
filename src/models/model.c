// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// START HERE: the list of embedded characters. A character is a table (character.h) that becomes a
// field (field.c), a mesh (surface_nets.c, relax.c), a rig (skin_weights.c, rigging.c) and a scene
// (character.c). The hand fills its table from its digits; the cylinder is written down directly.

#include "turgor/models.h"

#include "core/core.h"
#include "models/character.h"
#include "models/cylinder.h"
#include "models/hand.h"

#include <string.h>

/// In the order of their names.
static const tgModelInfo tg_models[] = {
    {"arm", "upper arm, forearm and a mitten with a thumb; the elbow bends to 130 degrees", 2500},
    {"cat", "runs and jumps; its belly sags between a spine of four joints and the ground", 1300},
    {"cylinder", "a tube with two bones that bends to 90 degrees", 256},
    {"elephant", "stands, sits down on its hind legs and curls its trunk", 6600},
    {"finger", "three phalanges and a knuckle that curl", 1200},
    {"giraffe", "a rubber toy whose thick neck bends right over, and to the side", 3600},
    {"hand", "closes to a fist, the thumb last; has bone meshes and markers", 8600},
    {"human", "a woman who sits down and stands up, and walks; buttocks and thighs are groups",
     8000},
    {"mushroom", "a wide cap on a stem that jerks sideways and stops", 1500},
};

typedef tgScene* tgMakeModelFcn(int vertexCount, tgError* error);
typedef tgScene* tgMakeBonesFcn(tgError* error);
typedef tgResult tgSaveMarkersFcn(const tgModelMarkersDef* def, const char* path, tgError* error);

/// How each of the list is made: from a character's table, or by a function of its own.
static const struct {
    const tgCharacterDef* table;
    tgMakeModelFcn* make;
    tgMakeBonesFcn* makeBones;             ///< NULL: it has none
    tgSaveMarkersFcn* saveMarkers;         ///< NULL: it has none
    int leastVertexCount, mostVertexCount; ///< of those without a table
} tg_makers[] = {
    {.table = &tg_arm},
    {.table = &tg_cat},
    {.make = tgCreateCylinderModel,
     .leastVertexCount = tg_minCylinderVertexCount,
     .mostVertexCount = tg_maxCylinderVertexCount},
    {.table = &tg_elephant},
    {.table = &tg_finger},
    {.table = &tg_giraffe},
    {.make = tgCreateHand,
     .makeBones = tgCreateHandBones,
     .saveMarkers = tgSaveHandMarkers,
     .leastVertexCount = tg_minHandVertexCount,
     .mostVertexCount = tg_maxHandVertexCount},
    {.table = &tg_human},
    {.table = &tg_mushroom},
};

enum { tg_modelCount = sizeof(tg_models) / sizeof(tg_models[0]) };
_Static_assert(sizeof(tg_makers) / sizeof(tg_makers[0]) == tg_modelCount,
               "every model of the list has its maker");

const tgModelInfo* tgGetModels(int* count)
{
    if (count != NULL) {
        *count = tg_modelCount;
    }
    return tg_models;
}

static tgResult tgFailUnknownModel(tgError* error, const char* name)
{
    char list[128] = "";
    for (int i = 0; i < tg_modelCount; ++i) {
        strncat(list, i == 0 ? "" : ", ", sizeof(list) - strlen(list) - 1);
        strncat(list, tg_models[i].name, sizeof(list) - strlen(list) - 1);
    }
    return tgFail(error, tg_invalidArgument, -1, "there is no model \"%.40s\"; there are %s", name,
                  list);
}

/// Index of a model in the list; -1 with a message when there is none.
static int tgFindModel(const char* name, tgError* error)
{
    for (int i = 0; name != NULL && i < tg_modelCount; ++i) {
        if (strcmp(tg_models[i].name, name) == 0) {
            return i;
        }
    }
    tgFailUnknownModel(error, name != NULL ? name : "");
    return -1;
}

/// The scene, or NULL when memory ran out on the way and its names may be missing.
static tgScene* tgRequireWhole(tgScene* scene, tgError* error)
{
    if (scene != NULL && scene->hasRunOut) {
        tgDestroyScene(scene);
        scene = NULL;
        tgFail(error, tg_outOfMemory, -1, "out of memory");
    }
    return scene;
}

tgScene* tgCreateModelBones(const char* name, tgError* error)
{
    int index = tgFindModel(name, error);
    if (index < 0) {
        return NULL;
    }
    if (tg_makers[index].makeBones == NULL) {
        tgFail(error, tg_invalidArgument, -1, "the model %s has no bone meshes; hand has", name);
        return NULL;
    }
    return tgRequireWhole(tg_makers[index].makeBones(error), error);
}

enum { tg_markersCookie = 0x4d4b };

tgModelMarkersDef tgDefaultModelMarkersDef(void)
{
    return (tgModelMarkersDef){.name = "hand",
                               .noise = 0.001f,
                               .seed = 1,
                               .frameCount = 400,
                               .rate = 100,
                               .cookie = tg_markersCookie};
}

static tgResult tgCheckMarkersDef(const tgModelMarkersDef* def, tgError* error)
{
    if (def->cookie != tg_markersCookie) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the definition does not start from tgDefaultModelMarkersDef()");
    }
    if (!(def->noise >= 0.0f && def->noise <= 1.0f)) {
        return tgFail(error, tg_invalidArgument, -1, "the noise is %g m, wanted 0 to 1",
                      (double)def->noise);
    }
    if (def->frameCount < 2 || def->frameCount > 100000) {
        return tgFail(error, tg_invalidArgument, -1, "there are %d frames, wanted 2 to 100000",
                      def->frameCount);
    }
    if (def->rate < 1 || def->rate > 10000) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the rate is %d frames in a second, wanted 1 to 10000", def->rate);
    }
    return tg_success;
}

tgResult tgSaveModelMarkers(const tgModelMarkersDef* def, const char* path, tgError* error)
{
    tgResult result = tgCheckMarkersDef(def, error);
    int index = result == tg_success ? tgFindModel(def->name, error) : -1;
    if (index < 0) {
        return tg_invalidArgument;
    }
    if (tg_makers[index].saveMarkers == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "the model %s has no markers; hand has",
                      def->name);
    }
    return tg_makers[index].saveMarkers(def, path, error);
}

tgScene* tgCreateModel(const char* name, int vertexCount, tgError* error)
{
    int index = tgFindModel(name, error);
    if (index < 0) {
        return NULL;
    }
    const tgCharacterDef* table = tg_makers[index].table;
    int least = table != NULL ? table->minVertexCount : tg_makers[index].leastVertexCount;
    int most = table != NULL ? table->maxVertexCount : tg_makers[index].mostVertexCount;
    if (vertexCount == 0) {
        vertexCount = tg_models[index].defaultVertexCount;
    }
    if (vertexCount < least || vertexCount > most) {
        tgFail(error, tg_invalidArgument, -1,
               "the model %s cannot have %d vertices; ask for %d to %d, or 0 for its own %d", name,
               vertexCount, least, most, tg_models[index].defaultVertexCount);
        return NULL;
    }
    return tgRequireWhole(table != NULL ? tgCreateCharacter(table, vertexCount, error)
                                        : tg_makers[index].make(vertexCount, error),
                          error);
}
