// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character as a table: joints, chains, colours and an animation; and the way from it to a scene.
#ifndef TURGOR_MODELS_CHARACTER_H
#define TURGOR_MODELS_CHARACTER_H

#include "models/field.h"
#include "models/rigging.h"
#include "turgor/models.h"

/// A closed surface of its own: the body, then what is stuck into it, such as eyes.
typedef struct tgCharacterPart {
    const char* name;
    float baseColor[4]; ///< linear RGB and opacity
    float roughness;
    const tgChainDef* chains;
    int chainCount;
    float cellSize;    ///< of its grid at the default vertex count; the first part follows from
                       ///< the count, where that is given
    float groundBlend; ///< cut off flat at y = 0 with an edge so round, in heights; 0: not cut
} tgCharacterPart;

/// Vertices of the first part within a ball, on its middle's side of x = 0, as a vertex group. A
/// name that ends in ".L" has a twin.
typedef struct tgModelGroup {
    const char* name;
    tgVec3 middle;
    float radius;
} tgModelGroup;

typedef struct tgCharacterDef {
    const char* name;
    const char* const* objectNames; ///< one for each part; NULL: all parts are one object
    int defaultVertexCount, minVertexCount, maxVertexCount;
    const tgJointDef* joints;
    int jointCount;
    const tgCharacterPart* parts; ///< the first takes the vertices that the others leave
    int partCount;
    const tgModelAnimation* animations;
    int animationCount;
    const tgModelGroup* groups;
    int groupCount;
} tgCharacterDef;

extern const tgCharacterDef tg_arm;
extern const tgCharacterDef tg_cat;
extern const tgCharacterDef tg_elephant;
extern const tgCharacterDef tg_finger;
extern const tgCharacterDef tg_giraffe;
extern const tgCharacterDef tg_human;
extern const tgCharacterDef tg_mushroom;

/// @param vertexCount in the character's range; the result has this many within 3 %. 0: as many
/// as the parts' cell sizes give
tgScene* tgCreateCharacter(const tgCharacterDef* def, int vertexCount, tgError* error);

#endif
