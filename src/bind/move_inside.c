// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints that came to lie outside the skin, in the bend of a curve or in a flat ear, are moved in:
// to the middle between the nearest place of the skin and the skin behind it. Where that is outside
// too the joint is dropped, and its children hang on its parent.

#include "bind/sketch.h"
#include "bind/voxel.h"

#include <string.h>

typedef struct tgInside {
    const tgBody* body;
    const tgSkinNet* net;
    int* windings; ///< of each piece
} tgInside;

static bool tgIsInside(const tgInside* inside, tgVec3d p)
{
    int count = inside->body->mesh.componentCount, winding = 0;
    memset(inside->windings, 0, (size_t)count * sizeof(int));
    tgCountIslandWindings(inside->body, tgVec3d_ToFloat(p), inside->windings);
    for (int c = 0; c < count; ++c) {
        winding += inside->windings[c];
    }
    return winding != 0;
}

/// The middle between the nearest place of the skin and what lies behind it.
static bool tgFindInside(const tgInside* inside, const tgMirror* mirror, bool isFlat, tgVec3d* p)
{
    const tgSkinNet* net = inside->net;
    tgClosestPoint place;
    if (!tgBvh_FindClosest(&net->tree, &net->surface, tgVec3d_ToFloat(*p), HUGE_VAL, &place)) {
        return false;
    }
    const int* c = net->triangles + 3 * (size_t)place.triangle;
    tgVec3d a = tgSkinNet_Place(net, c[0]);
    tgVec3d normal =
        tgCrossD(tgSubD(tgSkinNet_Place(net, c[1]), a), tgSubD(tgSkinNet_Place(net, c[2]), a));
    double length = tgLengthD(normal);
    if (!(length > 0.0)) {
        return false;
    }
    tgVec3d inwards = tgMulSVD(-1.0 / length, normal);
    tgVec3d from = tgVec3d_FromFloat(place.point);
    tgRay ray = tgMakeRay(place.point, tgVec3d_ToFloat(inwards));
    ray.from = 1e-5 * net->diagonal;
    tgRayHit hit;
    if (!tgBvh_FindNearestHit(&net->tree, &net->surface, &ray, &hit)) {
        return false;
    }
    tgVec3d middle = tgMulAddD(from, 0.5 * hit.t, inwards);
    middle = isFlat ? tgMirror_Flatten(mirror, middle) : middle;
    if (!tgIsInside(inside, middle)) {
        return false;
    }
    *p = middle;
    return true;
}

static void tgDropJoint(tgSketch* sketch, int gone)
{
    const tgSketchJoint* joint = &sketch->joints[gone];
    int parent = joint->parent;
    tgSketchLimb* limb = &sketch->limbs[joint->limb];
    if (joint->hasTail && parent >= 0 && joint->limb == sketch->joints[parent].limb) {
        sketch->joints[parent].hasTail = true;
        sketch->joints[parent].tail = joint->tail;
        sketch->joints[parent].tip = joint->tip;
    }
    limb->count -= 1;
    for (int i = 0; i < sketch->limbCount; ++i) {
        sketch->limbs[i].first -= sketch->limbs[i].first > gone;
    }
    for (int j = 0; j < sketch->jointCount; ++j) {
        tgSketchJoint* other = &sketch->joints[j];
        bool isChild = other->parent == gone;
        other->parent = isChild ? parent : other->parent;
        parent = isChild && parent < 0 ? j : parent; // its first child takes the place of a root
        other->parent -= other->parent > gone;
        other->mirror = other->mirror == gone ? -1 : other->mirror;
        other->mirror -= other->mirror > gone;
    }
    sketch->jointCount -= 1;
    memmove(&sketch->joints[gone], &sketch->joints[gone + 1],
            (size_t)(sketch->jointCount - gone) * sizeof(tgSketchJoint));
}

/// Moves all joints that lie outside; marks those for which there is no place.
static int tgMoveAll(const tgInside* inside, const tgMirror* mirror, tgSketch* sketch, bool* isLost)
{
    int moved = 0;
    for (int j = 0; j < sketch->jointCount; ++j) {
        tgSketchJoint* joint = &sketch->joints[j];
        bool isSymmetric = sketch->limbs[joint->limb].isSymmetric;
        if (joint->mirror >= 0 && joint->mirror < j && isSymmetric) { // as its partner
            const tgSketchJoint* image = &sketch->joints[joint->mirror];
            isLost[j] = isLost[joint->mirror];
            joint->isMoved = image->isMoved;
            joint->position =
                image->isMoved ? tgMirror_Reflect(mirror, image->position) : joint->position;
        }
        if (!isLost[j] && !tgIsInside(inside, joint->position)) {
            joint->isMoved = tgFindInside(inside, mirror, joint->mirror == j, &joint->position);
            isLost[j] = !joint->isMoved;
        }
        moved += joint->isMoved;
    }
    return moved;
}

bool tgMoveJointsInside(const tgBody* body, const tgSkinNet* net, const tgMirror* mirror,
                        tgScratch* scratch, tgSketch* sketch, int* movedCount, int* droppedCount)
{
    tgInside inside = {body, net,
                       tgScratch_Take(scratch, (size_t)body->mesh.componentCount + 1, sizeof(int))};
    bool* isLost = tgScratch_Take(scratch, tg_mostSketchJoints, sizeof(bool));
    if (scratch->failed) {
        return false;
    }
    *movedCount = tgMoveAll(&inside, mirror, sketch, isLost);
    int lost = 0;
    for (int j = 0; j < sketch->jointCount; ++j) {
        lost += isLost[j];
    }
    *droppedCount = lost;
    if (lost == sketch->jointCount) {
        return true; // the mesh has no inside at all
    }
    for (int j = sketch->jointCount - 1; j >= 0; --j) {
        if (isLost[j]) {
            tgDropJoint(sketch, j);
        }
    }
    return true;
}
