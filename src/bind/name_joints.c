// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Names. The left side is that of up x forward, as of someone who looks forward.

#include "bind/sketch.h"

#include <stdio.h>
#include <string.h>

/// The number of a limb among those of its base; partners share one.
static int tgNumberLimb(const tgSketch* sketch, int limb)
{
    int number = 1;
    int mirror = sketch->limbs[limb].mirror;
    if (mirror >= 0 && mirror < limb) {
        return tgNumberLimb(sketch, mirror);
    }
    for (int i = 0; i < limb; ++i) {
        int other = sketch->limbs[i].mirror;
        bool isSecond = other >= 0 && other < i;
        number += !isSecond && sketch->limbs[i].count > 0 &&
                  strcmp(sketch->limbs[i].base, sketch->limbs[limb].base) == 0;
    }
    return number;
}

static void tgNameJoint(const tgSketch* sketch, int limbIndex, int k, int left,
                        tgSketchJoint* joint)
{
    const tgSketchLimb* limb = &sketch->limbs[limbIndex];
    const char* side = limb->side == 0 ? "" : limb->side == left ? ".L" : ".R";
    if (limb->names != NULL) {
        snprintf(joint->name, sizeof(joint->name), "%s%s", limb->names[k], side);
    } else if (limb->isNumbered && limb->count > 1) {
        snprintf(joint->name, sizeof(joint->name), "%s%d_%d%s", limb->base,
                 tgNumberLimb(sketch, limbIndex), k + 1, side);
    } else if (limb->isNumbered) {
        snprintf(joint->name, sizeof(joint->name), "%s%d%s", limb->base,
                 tgNumberLimb(sketch, limbIndex), side);
    } else if (limb->count > 1) {
        snprintf(joint->name, sizeof(joint->name), "%s%d%s", limb->base, k + 1, side);
    } else {
        snprintf(joint->name, sizeof(joint->name), "%s%s", limb->base, side);
    }
}

/// A limb whose partner is bent over to its own side would share its names.
static void tgMakeUnique(tgSketch* sketch, int j)
{
    enum { tg_mostTries = 64 };
    char base[24];
    snprintf(base, sizeof(base), "%.23s", sketch->joints[j].name);
    for (int k = 0, number = 2; k < j && number < tg_mostTries; ++k) {
        if (strcmp(sketch->joints[k].name, sketch->joints[j].name) == 0) {
            snprintf(sketch->joints[j].name, sizeof(sketch->joints[j].name), "%s_%d", base,
                     number++);
            k = -1; // from the start again
        }
    }
}

void tgNameJoints(const tgMirror* mirror, tgVec3d up, tgSketch* sketch)
{
    double towards = tgDotD(tgCrossD(up, sketch->forward), mirror->normal);
    int left = towards >= 0.0 ? 1 : -1;
    for (int i = 0; i < sketch->limbCount; ++i) {
        for (int k = 0; k < sketch->limbs[i].count; ++k) {
            tgNameJoint(sketch, i, k, left, &sketch->joints[sketch->limbs[i].first + k]);
        }
    }
    for (int j = 1; j < sketch->jointCount; ++j) {
        tgMakeUnique(sketch, j);
    }
}
