// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is known of each joint of a character: for lists, and for those who look for one.
#ifndef TURGOR_CLI_JOINT_TABLE_H
#define TURGOR_CLI_JOINT_TABLE_H

#include "json.h"
#include "play/bends.h"
#include "turgor/settings.h"

typedef struct tgJointTable {
    const tgScene* scene;
    const tgSettings* settings;
    tgBend* bends;
    tgJointInfo* infos;
} tgJointTable;

/// Free it in either case.
/// @param settings whose profiles are told; live longer
/// @return false without memory
bool tgOpenJointTable(const tgScene* scene, const tgSettings* settings, tgJointTable* table);
void tgCloseJointTable(tgJointTable* table);

/// As a tree, a line for each; false without memory.
bool tgJointTable_Print(const tgJointTable* table);
tgJsonValue* tgJointTable_MakeJson(tgArena* arena, const tgJointTable* table);

/// A rig that knows how apt each joint is for the anatomical shape, whatever the settings ask for;
/// NULL on failure.
tgRig* tgCreateAptRig(const tgScene* scene, tgError* error);
/// Names of a joint's profiles: "muscle", "muscle + folds", "none".
typedef struct tgProfileText {
    char text[48];
} tgProfileText;
tgProfileText tgTellProfiles(const tgVolumeDef* volume, int joint);

#endif
