// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Weights for a mesh and a skeleton, with a bar while they are made.

#include "weights.h"

#include "core/core.h"
#include "report.h"
#include "turgor/io.h"

#include <stdlib.h>

static void tgShowStage(const char* stage, int done, int total, void* user)
{
    (void)user;
    tgShowProgress(stage, done, total);
}

tgBinding* tgMakeWeights(const tgBindDef* def, const tgScene* skeleton, tgError* error)
{
    tgVec3* tails = calloc((size_t)skeleton->jointCount + 1, sizeof(tgVec3));
    if (tails == NULL) {
        tgFail(error, tg_outOfMemory, -1, "out of memory for %d joints", skeleton->jointCount);
        return NULL;
    }
    tgScene_GetTails(skeleton, tails);
    tgBindDef whole = *def;
    whole.jointTails = tails;
    whole.progress = tgShowStage;
    tgBinding* binding = tgCreateBinding(&whole, error);
    free(tails);
    tgShowProgress("weights", 2, 2); // wipes the bar
    return binding;
}
