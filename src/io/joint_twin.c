// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The joint on the other side of the body. Names tell it first: "elbow.L" and "elbow.R",
// "b_LeftArm_09" and "b_RightArm_06". Where they do not, the place does, mirrored in the plane
// between the two sides of the skeleton at rest.

#include "io/joint_names.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Joints nearer to each other than this, over the skeleton's diagonal, are at one place.
static const float tg_samePlace = 0.02f;
/// Two joints are as near to a place when that differs by less than this part of it.
static const float tg_asNear = 0.1f;
/// So many joints a plane has to bring onto others, of those that are off it.
static const float tg_leastMirrored = 0.5f;
/// More joints than this are not compared with each other.
enum { tg_mostCompared = 4096 };

enum { tg_twinNameSize = 256, tg_mostTwins = 8 };

/// What names call the sides, left first.
static const char* const tg_sides[][2] = {{"left", "right"}, {"lft", "rgt"}, {"l", "r"}};
enum { tg_sideCount = sizeof(tg_sides) / sizeof(tg_sides[0]) };

// ---- names --------------------------------------------------------------------------------------

static bool tgIsLetter(char c)
{
    return isalpha((unsigned char)c) != 0;
}

static bool tgStartsWith(const char* text, const char* word)
{
    for (; *word != '\0'; ++word, ++text) {
        if (tolower((unsigned char)*text) != *word) {
            return false;
        }
    }
    return true;
}

/// A side's word at `at`; which pair, or -1. A single letter has to begin or end a word: the L of
/// "armL", "L_arm", "arm.L" and "Larm".
/// @param isAlone it must be that word: not the L of "Leg"
static int tgGetSideAt(const char* name, int at, bool isAlone, int* side)
{
    for (int pair = 0; pair < tg_sideCount; ++pair) {
        for (int s = 0; s < 2; ++s) {
            const char* word = tg_sides[pair][s];
            if (!tgStartsWith(name + at, word)) {
                continue;
            }
            bool isLong = word[1] != '\0';
            bool begins =
                at == 0 || !tgIsLetter(name[at - 1]) ||
                (isupper((unsigned char)name[at]) && islower((unsigned char)name[at - 1]));
            bool ends = !tgIsLetter(name[at + 1]);
            bool goesOn = isAlone && islower((unsigned char)name[at + 1]);
            if (isLong || ends || (begins && !goesOn)) {
                *side = s;
                return pair;
            }
        }
    }
    return -1;
}

/// The other side's word in the letters' case: Left, LEFT, left.
static int tgWriteOther(const char* from, const char* word, char* out)
{
    bool isUpper = isupper((unsigned char)from[0]);
    bool isAll = isUpper && (!tgIsLetter(from[1]) || isupper((unsigned char)from[1]));
    int size = 0;
    for (; word[size] != '\0'; ++size) {
        bool raised = size == 0 ? isUpper : isAll;
        out[size] = (char)(raised ? toupper((unsigned char)word[size]) : word[size]);
    }
    return size;
}

/// The name with the side at `at`, or all that are of one side (at -1), put on the other.
/// @param side out: which it had; -1 for none
static void tgSwapSide(const char* name, int at, char out[tg_twinNameSize], int* side)
{
    int size = 0, i = 0;
    *side = -1;
    while (name[i] != '\0' && size < tg_twinNameSize - 8) {
        int here = -1, pair = at < 0 || at == i ? tgGetSideAt(name, i, at < 0, &here) : -1;
        if (pair >= 0 && (*side < 0 || here == *side)) {
            *side = here;
            size += tgWriteOther(name + i, tg_sides[pair][1 - here], out + size);
            i += (int)strlen(tg_sides[pair][here]);
        } else {
            out[size++] = name[i++];
        }
    }
    out[size] = '\0';
    *side = name[i] == '\0' ? *side : -1; // too long
}

/// Length without the number that exporters put behind a name: "_09".
static int tgGetStemLength(const char* name)
{
    int length = (int)strlen(name), end = length;
    while (end > 0 && isdigit((unsigned char)name[end - 1])) {
        end -= 1;
    }
    bool isNumbered = end < length && end > 1 && (name[end - 1] == '_' || name[end - 1] == '.');
    return isNumbered ? end - 1 : length;
}

/// Joints that might be the other side's by their names.
typedef struct tgTwins {
    int count;
    int joints[tg_mostTwins];
    int side; ///< of the name: 0 left, 1 right
} tgTwins;

static void tgAddTwin(tgTwins* twins, int own, int joint, int side)
{
    bool isNew = joint != own && twins->count < tg_mostTwins;
    for (int i = 0; i < twins->count; ++i) {
        isNew &= twins->joints[i] != joint;
    }
    if (isNew) {
        twins->joints[twins->count++] = joint;
        twins->side = side;
    }
}

/// All joints of a name, or of its stem.
static void tgAddTwins(const tgScene* scene, const tgNamedJoints* joints, const char* name,
                       bool byStem, int own, int side, tgTwins* twins)
{
    int count = 0, first = byStem ? 0 : tgFindJoints(joints, name, &count);
    for (int i = first; i < first + count; ++i) {
        tgAddTwin(twins, own, joints->sorted[i].joint, side);
    }
    int length = byStem ? tgGetStemLength(name) : 0;
    for (int j = 0; byStem && j < scene->jointCount; ++j) {
        const char* other = scene->joints[j].name;
        if (tgGetStemLength(other) == length && strncmp(other, name, (size_t)length) == 0) {
            tgAddTwin(twins, own, j, side);
        }
    }
}

static tgTwins tgListTwins(const tgScene* scene, const tgNamedJoints* joints, int joint,
                           bool byStem)
{
    const char* name = scene->joints[joint].name;
    int length = (int)strlen(name), side;
    tgTwins twins = {.count = 0};
    char swapped[tg_twinNameSize];
    for (int at = -1; at < length; ++at) {
        tgSwapSide(name, at, swapped, &side);
        if (side >= 0) {
            tgAddTwins(scene, joints, swapped, byStem, joint, side, &twins);
        }
    }
    return twins;
}

// ---- places -------------------------------------------------------------------------------------

static tgVec3 tgGetPlace(const tgScene* scene, int joint)
{
    return scene->joints[joint].restJoint.origin;
}

static float tgGetHeight(const tgMirrorPlane* plane, tgVec3 place)
{
    return tgDot(plane->normal, place) - plane->offset;
}

static tgVec3 tgMirrorPlace(const tgMirrorPlane* plane, tgVec3 place)
{
    return tgMulAdd(place, -2.0f * tgGetHeight(plane, place), plane->normal);
}

/// The plane half way between all pairs.
static bool tgFindPlaneByNames(const tgScene* scene, const tgNamedJoints* joints,
                               tgMirrorPlane* plane)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f}, middle = sum;
    int count = 0;
    for (int j = 0; j < scene->jointCount; ++j) {
        tgTwins twins = tgListTwins(scene, joints, j, false);
        if (twins.count == 1 && twins.side == 0) {
            tgVec3 left = tgGetPlace(scene, j), right = tgGetPlace(scene, twins.joints[0]);
            sum = tgAdd(sum, tgSub(left, right));
            middle = tgAdd(middle, tgMulSV(0.5f, tgAdd(left, right)));
            count += 1;
        }
    }
    if (!(tgLength(sum) > plane->slop)) {
        return false;
    }
    plane->normal = tgNormalize(sum, sum);
    plane->offset = tgDot(plane->normal, middle) / (float)count;
    return true;
}

/// Joints off the plane that it brings onto others, over all that are off it.
static float tgJudgePlane(const tgScene* scene, const tgMirrorPlane* plane)
{
    int off = 0, met = 0;
    for (int j = 0; j < scene->jointCount; ++j) {
        tgVec3 place = tgGetPlace(scene, j);
        if (fabsf(tgGetHeight(plane, place)) <= plane->slop) {
            continue;
        }
        tgVec3 mirrored = tgMirrorPlace(plane, place);
        off += 1;
        for (int k = 0; k < scene->jointCount; ++k) {
            if (tgDistance(tgGetPlace(scene, k), mirrored) <= plane->slop) {
                met += 1;
                break;
            }
        }
    }
    return off > 1 ? (float)met / (float)off : 0.0f;
}

/// Across x, y or z, through the first joint, the origin or the middle: whichever is better.
/// @param best how good the plane is so far
static float tgFindPlaneByPlaces(const tgScene* scene, tgVec3 low, tgVec3 high, float best,
                                 tgMirrorPlane* plane)
{
    tgMirrorPlane tried = *plane;
    for (int axis = 0; axis < 3; ++axis) {
        tried.normal =
            tgMakeVec3(axis == 0 ? 1.0f : 0.0f, axis == 1 ? 1.0f : 0.0f, axis == 2 ? 1.0f : 0.0f);
        const float offsets[3] = {tgDot(tried.normal, tgGetPlace(scene, 0)), 0.0f,
                                  0.5f * tgDot(tried.normal, tgAdd(low, high))};
        for (int i = 0; i < 3; ++i) {
            tried.offset = offsets[i];
            float part = tgJudgePlane(scene, &tried);
            if (part > best) {
                best = part;
                *plane = tried;
            }
        }
    }
    return best;
}

tgMirrorPlane tgFindMirrorPlane(const tgScene* scene, const tgNamedJoints* joints)
{
    tgMirrorPlane plane = {.isKnown = false};
    tgVec3 low = {FLT_MAX, FLT_MAX, FLT_MAX}, high = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (int j = 0; j < scene->jointCount; ++j) {
        tgVec3 p = tgGetPlace(scene, j);
        low = tgMakeVec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = tgMakeVec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    float diagonal = scene->jointCount > 0 ? tgDistance(low, high) : 0.0f;
    plane.slop = tg_samePlace * diagonal;
    if (!(diagonal > 0.0f) || scene->jointCount > tg_mostCompared) {
        return plane;
    }
    // Names may be wrong, and a skeleton that was bound in a pose has no plane at all.
    float good = tgFindPlaneByNames(scene, joints, &plane) ? tgJudgePlane(scene, &plane) : 0.0f;
    plane.isKnown = tgFindPlaneByPlaces(scene, low, high, good, &plane) > tg_leastMirrored;
    return plane;
}

// ---- the twin -----------------------------------------------------------------------------------

static int tgGetDepth(const tgScene* scene, int joint)
{
    int depth = 0;
    for (int j = scene->joints[joint].parent; j >= 0; j = scene->joints[j].parent) {
        depth += 1;
    }
    return depth;
}

/// Of the joints in a list, or of all, the one at the mirrored place: those as deep in the tree
/// come first, then the nearest. Two that are as near leave it open.
static tgTwin tgChooseByPlace(const tgScene* scene, const tgMirrorPlane* plane, int joint,
                              const tgTwins* twins)
{
    tgTwin found = {tg_twinMissing, -1, -1};
    tgVec3 mirrored = tgMirrorPlace(plane, tgGetPlace(scene, joint));
    int count = twins != NULL ? twins->count : scene->jointCount, depth = tgGetDepth(scene, joint);
    for (int pass = 0; pass < 2 && found.joint < 0; ++pass) {
        float least = plane->slop, second = FLT_MAX;
        for (int i = 0; i < count; ++i) {
            int j = twins != NULL ? twins->joints[i] : i;
            float away = tgDistance(tgGetPlace(scene, j), mirrored);
            bool isThere = j != joint && away <= plane->slop;
            if (!isThere || (pass == 0 && tgGetDepth(scene, j) != depth)) {
                continue;
            }
            bool isNearest = found.joint < 0 || away < least;
            if (isNearest || away < second) {
                second = isNearest ? (found.joint < 0 ? FLT_MAX : least) : away;
                found.other = isNearest ? found.joint : j;
            }
            least = isNearest ? away : least;
            found.joint = isNearest ? j : found.joint;
        }
        bool isOpen = second - least < tg_asNear * plane->slop;
        found.kind = found.joint < 0 ? tg_twinMissing : isOpen ? tg_twinUnclear : tg_twinByPlace;
    }
    return found;
}

/// Of those whose names fit, the one that stands at the mirrored place. Where another joint does,
/// the names are wrong.
static tgTwin tgCheckByPlace(const tgScene* scene, const tgMirrorPlane* plane, int joint,
                             const tgTwins* twins)
{
    tgTwin named = {tg_twinMissing, -1, -1}, placed = named;
    if (plane->isKnown) {
        named = tgChooseByPlace(scene, plane, joint, twins);
        placed = tgChooseByPlace(scene, plane, joint, NULL);
    }
    if (named.kind == tg_twinByPlace) {
        return (tgTwin){tg_twinByName, named.joint, -1};
    }
    if (placed.kind == tg_twinByPlace) {
        return (tgTwin){tg_twinAgainstName, placed.joint, twins->joints[0]};
    }
    return twins->count == 1 ? (tgTwin){tg_twinByName, twins->joints[0], -1}
                             : (tgTwin){tg_twinUnclear, twins->joints[0], twins->joints[1]};
}

tgTwin tgFindTwin(const tgScene* scene, const tgNamedJoints* joints, const tgMirrorPlane* plane,
                  int joint)
{
    tgTwins twins = tgListTwins(scene, joints, joint, false);
    if (twins.count == 0) {
        twins = tgListTwins(scene, joints, joint, true);
    }
    if (twins.count > 0) {
        return tgCheckByPlace(scene, plane, joint, &twins);
    }
    if (!plane->isKnown) {
        return (tgTwin){tg_twinMissing, -1, -1};
    }
    if (fabsf(tgGetHeight(plane, tgGetPlace(scene, joint))) <= plane->slop) {
        return (tgTwin){tg_twinInMiddle, -1, -1};
    }
    return tgChooseByPlace(scene, plane, joint, NULL);
}
