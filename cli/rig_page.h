// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skeleton that was found, as one page: pictures, extremities, joints, warnings.
#ifndef TURGOR_CLI_RIG_PAGE_H
#define TURGOR_CLI_RIG_PAGE_H

#include "io/output_file.h"
#include "turgor/autorig.h"
#include "turgor/scene.h"

typedef struct tgRigPageDef {
    const char* file; ///< the mesh
    const tgScene* scene;
    const tgAutorig* rig;
    const tgMat34* bindToModel; ///< how the mesh stands in its file
} tgRigPageDef;

/// "biped", as --template has it.
const char* tgGetPlanName(tgBodyPlan plan);
/// "kept", "too blunt", ...
const char* tgGetFateName(tgTipFate fate);

/// All of it under a temporary name; returns the status.
/// @param file to commit, or to discard
int tgPrepareRigPage(const tgRigPageDef* def, const char* path, tgOutputFile* file);

#endif
