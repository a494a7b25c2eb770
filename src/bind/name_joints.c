// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Partners across the mirror plane, and names. The left side is that of up x forward, as of someone
// who looks forward.

#include "bind/sketch.h"

#include <stdio.h>
#include <string.h>

static void tgPairLimbs(const tgBranches* branches, tgSketch* sketch)
{
    for (int i = 0; i < sketch->limbCount; ++i) {
        tgSketchLimb* limb = &sketch->limbs[i];
        int image = branches->branches[limb->branch].mirror;
        for (int k = 0; k < sketch->limbCount && limb->mirror < 0 && image >= 0; ++k) {
            const tgSketchLimb* other = &sketch->limbs[k];
            bool isSelf = k == i && image == limb->branch;
            bool isOther = k != i && image != limb->branch && other->branch == image;
            if ((isSelf || isOther) && strcmp(other->base, limb->base) == 0 &&
                other->count == limb->count) {
                limb->mirror = k;
            }
        }
    }
}

void tgMirrorJoints(const tgMirror* mirror, const tgBranches* branches, tgSketch* sketch)
{
    tgPairLimbs(branches, sketch);
    for (int i = 0; i < sketch->limbCount; ++i) {
        tgSketchLimb* limb = &sketch->limbs[i];
        if (limb->mirror < 0) {
            continue;
        }
        tgSketchLimb* other = &sketch->limbs[limb->mirror];
        // A short ear may start in the plane; where it ends tells its side.
        const tgBranch* branch = &branches->branches[limb->branch];
        double height = tgMirror_Height(mirror, branch->points[tg_branchPoints - 1]);
        for (int k = 0; k < limb->count; ++k) {
            tgSketchJoint* joint = &sketch->joints[limb->first + k];
            tgSketchJoint* image = &sketch->joints[other->first + k];
            joint->mirror = other->first + k;
            if (limb == other) {
                joint->position = tgMirror_Flatten(mirror, joint->position);
                joint->tail = tgMirror_Flatten(mirror, joint->tail);
            } else if (limb < other && limb->isSymmetric && other->isSymmetric) {
                image->position = tgMirror_Reflect(mirror, joint->position);
                image->radius = joint->radius;
                if (joint->hasTail) {
                    image->tail = tgMirror_Reflect(mirror, joint->tail);
                }
            }
        }
        limb->side = limb == other ? 0 : height > 0.0 ? 1 : -1;
    }
}

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
