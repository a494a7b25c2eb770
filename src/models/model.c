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
    {"cylinder", "a tube with two bones that bends to 90 degrees", 256},
    {"elephant", "stands, sits down on its hind legs and curls its trunk", 6600},
    {"finger", "three phalanges and a knuckle that curl", 1200},
    {"giraffe", "bends its long neck down and to the side", 1700},
    {"hand", "closes to a fist, the thumb last, and opens again", 8600},
};

typedef tgScene* tgMakeModelFcn(int vertexCount, tgError* error);

/// How each of the list is made: from a character's table, or by a function of its own.
static const struct {
    const tgCharacterDef* table;
    tgMakeModelFcn* make;
    int leastVertexCount, mostVertexCount; ///< of those without a table
} tg_makers[] = {
    {.table = &tg_arm},
    {.make = tgCreateCylinderModel,
     .leastVertexCount = tg_minCylinderVertexCount,
     .mostVertexCount = tg_maxCylinderVertexCount},
    {.table = &tg_elephant},
    {.table = &tg_finger},
    {.table = &tg_giraffe},
    {.make = tgCreateHand,
     .leastVertexCount = tg_minHandVertexCount,
     .mostVertexCount = tg_maxHandVertexCount},
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

tgScene* tgCreateModel(const char* name, int vertexCount, tgError* error)
{
    int index = 0;
    while (name != NULL && index < tg_modelCount && strcmp(tg_models[index].name, name) != 0) {
        index += 1;
    }
    if (name == NULL || index == tg_modelCount) {
        tgFailUnknownModel(error, name != NULL ? name : "");
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
    return table != NULL ? tgCreateCharacter(table, vertexCount, error)
                         : tg_makers[index].make(vertexCount, error);
}
