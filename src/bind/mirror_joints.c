// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Partners across the mirror plane: limbs that start from mirrored branches, joint by joint.

#include "bind/sketch.h"

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
