// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// START HERE: the list of embedded characters. A character is a table (character.h) that becomes a
// field (field.c), a mesh (surface_nets.c, relax.c), a rig (skin_weights.c, rigging.c) and a scene
// (character.c); the cylinder is written down directly.

#include "turgor/models.h"

#include "core/core.h"
#include "models/character.h"
#include "models/cylinder.h"

#include <string.h>

/// In the order of their names.
static const tgModelInfo tg_models[] = {
    {"arm", "upper arm, forearm and a mitten with a thumb; the elbow bends to 130 degrees", 2500},
    {"cylinder", "a tube with two bones that bends to 90 degrees", 256},
    {"elephant", "stands, sits down on its hind legs and curls its trunk", 6600},
    {"finger", "three phalanges and a knuckle that curl", 1200},
    {"giraffe", "bends its long neck down and to the side", 1700},
};

static const tgCharacterDef* const tg_characters[] = {&tg_arm, NULL, &tg_elephant, &tg_finger,
                                                      &tg_giraffe};

enum { tg_modelCount = sizeof(tg_models) / sizeof(tg_models[0]) };
_Static_assert(sizeof(tg_characters) / sizeof(tg_characters[0]) == tg_modelCount,
               "every model of the list has its table, the cylinder none");

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
    const tgCharacterDef* def = tg_characters[index];
    int least = def != NULL ? def->minVertexCount : tg_minCylinderVertexCount;
    int most = def != NULL ? def->maxVertexCount : tg_maxCylinderVertexCount;
    if (vertexCount == 0) {
        vertexCount = tg_models[index].defaultVertexCount;
    }
    if (vertexCount < least || vertexCount > most) {
        tgFail(error, tg_invalidArgument, -1,
               "the model %s cannot have %d vertices; ask for %d to %d, or 0 for its own %d", name,
               vertexCount, least, most, tg_models[index].defaultVertexCount);
        return NULL;
    }
    return def != NULL ? tgCreateCharacter(def, vertexCount, error)
                       : tgCreateCylinderModel(vertexCount, error);
}
