// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Rigs spread the twist of a limb over joints along its bones: in the chain (upper arm, twist,
// forearm) or as leaves beside it. They do not bend, so at an elbow the skin that follows them
// follows the bone that they lie in.

#include "core/hinge.h"

#include <math.h>
#include <string.h>

/// Joints within so much of the straight way, as a part of it, lie in a bone. Twist bones of files
/// do to 0.0033; knees and knuckles are bent by more in most bind poses.
static const float tg_inLine = 0.005f;

static tgVec3 tgGetOrigin(const tgSkeleton* skeleton, int j)
{
    const double* o = skeleton->rest[j].c[3];
    return tgMakeVec3((float)o[0], (float)o[1], (float)o[2]);
}

static float tgGetDistance(const tgSkeleton* skeleton, int a, int b)
{
    return tgDistance(tgGetOrigin(skeleton, a), tgGetOrigin(skeleton, b));
}

static bool tgStandsBetween(const tgSkeleton* skeleton, int from, int joint, int to)
{
    tgVec3 start = tgGetOrigin(skeleton, from), way = tgSub(tgGetOrigin(skeleton, to), start);
    tgVec3 place = tgSub(tgGetOrigin(skeleton, joint), start);
    float squared = tgDot(way, way);
    float part = squared > 0.0f ? tgDot(place, way) / squared : -1.0f;
    float aside = tgLength(tgMulAdd(place, -part, way));
    return part >= -tg_inLine && part <= 1.0f + tg_inLine && aside <= tg_inLine * sqrtf(squared);
}

/// Where the bone of a joint ends: at the only joint that it carries, or the only one that carries
/// others, or of leaves the farthest. -1 where it branches or ends.
static int tgGetEnd(const tgSkeleton* skeleton, const tgTree* tree, int joint)
{
    int end = -1;
    for (int c = tree->firstChild[joint]; c >= 0; c = tree->nextSibling[c]) {
        bool carries = tree->firstChild[c] >= 0;
        bool endCarries = end >= 0 && tree->firstChild[end] >= 0;
        if (carries && endCarries) {
            return -1;
        }
        bool isFarther =
            end < 0 || tgGetDistance(skeleton, joint, c) > tgGetDistance(skeleton, joint, end);
        end = carries || (!endCarries && isFarther) ? c : end;
    }
    for (int c = tree->firstChild[joint]; c >= 0; c = tree->nextSibling[c]) {
        if (c != end && !tgStandsBetween(skeleton, joint, c, end)) {
            return -1;
        }
    }
    return end;
}

/// Leaves on the way from a joint to one that it carries.
static void tgMarkLeaves(const tgSkeleton* skeleton, const tgTree* tree, int from, int to,
                         char bone, char* bones)
{
    for (int c = tree->firstChild[from]; c >= 0; c = tree->nextSibling[c]) {
        if (c != to && tree->firstChild[c] < 0 && tgStandsBetween(skeleton, from, c, to)) {
            bones[c] = bone;
        }
    }
}

/// The farthest joint that a joint carries; endless for a leaf. Helpers at its own place, which is
/// so large, end nothing.
static float tgGetReach(const tgSkeleton* skeleton, const tgTree* tree, int joint, float place)
{
    float longest = 0.0f;
    for (int c = tree->firstChild[joint]; c >= 0; c = tree->nextSibling[c]) {
        longest = fmaxf(longest, tgGetDistance(skeleton, joint, c));
    }
    return longest > place ? longest : INFINITY;
}

/// Down from the joint to the end of its bone, as long as there is one line. What ends in a leaf
/// may as well be a finger.
static int tgFollowOut(const tgSkeleton* skeleton, const tgTree* tree, int joint, int end,
                       char* bones)
{
    int at = joint;
    for (bool goesOn = true; goesOn;) {
        tgMarkLeaves(skeleton, tree, at, end, tg_ownBone, bones);
        int after = tgGetEnd(skeleton, tree, end);
        goesOn = after >= 0 && tree->firstChild[after] >= 0 &&
                 tgStandsBetween(skeleton, joint, end, after);
        if (goesOn) {
            bones[end] = tg_ownBone;
            at = end;
            end = after;
        }
    }
    return end;
}

/// Up from the carrier, as long as there is one line.
/// @return where it begins
static int tgFollowIn(const tgSkeleton* skeleton, const tgTree* tree, int joint, char* bones)
{
    int below = joint, at = tree->carriers[joint];
    for (bool goesOn = true; goesOn;) {
        bones[at] = tg_carrierBone;
        tgMarkLeaves(skeleton, tree, at, below, tg_carrierBone, bones);
        int above = tree->carriers[at];
        goesOn = above >= 0 && tgGetEnd(skeleton, tree, at) == below &&
                 tgGetEnd(skeleton, tree, above) == at &&
                 tgStandsBetween(skeleton, above, at, joint);
        if (goesOn) {
            below = at;
            at = above;
        }
    }
    return at;
}

void tgFindHinge(const tgSkeleton* skeleton, const tgTree* tree, int joint, tgHinge* hinge)
{
    int start = tree->carriers[joint], end = tgGetEnd(skeleton, tree, joint);
    bool branches = tree->firstChild[joint] >= 0 && end < 0;
    memset(hinge->bones, tg_elsewhere, (size_t)tree->count);
    hinge->bones[joint] = tg_ownBone;
    hinge->bones[start] = tg_carrierBone;
    if (!branches) {
        start = tgFollowIn(skeleton, tree, joint, hinge->bones);
    }
    hinge->in = tgGetDistance(skeleton, start, joint);
    float place = tg_inLine * hinge->in;
    hinge->out = hinge->next = tgGetReach(skeleton, tree, joint, place);
    if (end >= 0) {
        end = tgFollowOut(skeleton, tree, joint, end, hinge->bones);
        float out = tgGetDistance(skeleton, joint, end);
        hinge->out = out > place ? out : hinge->out;
    }
    hinge->beginsFree = tree->carriers[start] < 0;
}
