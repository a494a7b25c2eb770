// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A joint's bones go from it to each of its children; a joint without children is a point, or ends
// at its tail. Bones are cut to their parts inside the body. One that lies mostly outside and
// starts there, such as a root on the floor, carries no flesh.

#include "bind/bone.h"

#include "bind/sight.h"
#include "core/core.h"

#include <string.h>

/// Fractions of the body's diagonal: shorter bones are points; joints without children that stand
/// no further outside are brought inside.
static const float tg_shortestBone = 1e-6f, tg_snapReach = 0.05f;
/// A bone that starts outside must be inside for this part of its length.
static const double tg_insideShare = 0.5;

enum { tg_mostCrossings = 62 };

static int tgGetParent(const tgBindDef* def, int joint)
{
    const char* at = (const char*)def->jointParents + (ptrdiff_t)joint * def->jointParentStride;
    return *(const int*)at;
}

/// Adds the parts of a bone that are inside.
/// @return whether there are any
static bool tgAddInsideParts(const tgVoxels* voxels, tgBones* bones, const tgBone* whole)
{
    tgVec3 from = whole->from, to = whole->to;
    double cuts[tg_mostCrossings + 2];
    cuts[0] = 0.0;
    int count = tgListCrossings(voxels, from, to, cuts + 1, tg_mostCrossings) + 2;
    cuts[count - 1] = 1.0;
    bool isInside[tg_mostCrossings + 1];
    double share = 0.0;
    for (int i = 0; i + 1 < count; ++i) {
        float middle = (float)(0.5 * (cuts[i] + cuts[i + 1]));
        isInside[i] = cuts[i + 1] > cuts[i] && tgVoxels_IsInside(voxels, tgLerp(from, to, middle));
        share += isInside[i] ? cuts[i + 1] - cuts[i] : 0.0;
    }
    int before = bones->boneCount;
    for (int i = 0; i + 1 < count && (share >= tg_insideShare || isInside[0]); ++i) {
        bool goesOn = i > 0 && isInside[i - 1]; // a crossing of inner faces
        if (isInside[i] && !goesOn) {
            tgBone* part = &bones->bones[bones->boneCount++];
            *part = *whole;
            part->from = tgLerp(from, to, (float)cuts[i]);
            part->startsAtParent = whole->startsAtParent && i == 0;
        }
        if (isInside[i]) {
            tgBone* part = &bones->bones[bones->boneCount - 1];
            part->to = tgLerp(from, to, (float)cuts[i + 1]);
            part->endsAtChild = whole->endsAtChild && i + 2 == count;
        }
    }
    return bones->boneCount > before;
}

/// The middle of the nearest cell inside; false when there is none within reach.
static bool tgSnapInside(const tgVoxels* voxels, tgVec3* p)
{
    float best = tg_snapReach * voxels->body->diagonal;
    tgVec3 nearest = *p;
    bool isFound = false;
    for (int i = 0; i < voxels->insideCount; ++i) {
        tgVec3 center = tgVoxels_Center(voxels, voxels->insideCells[i]);
        float distance = tgDistance(center, *p);
        if (distance < best) {
            best = distance;
            nearest = center;
            isFound = true;
        }
    }
    *p = nearest;
    return isFound;
}

/// A joint without children.
static void tgAddLeaf(const tgBindDef* def, const tgVoxels* voxels, tgBones* bones, int joint,
                      bool isInside)
{
    tgVec3 p = tgVec3View_Get(def->jointPositions, joint);
    tgVec3 tail = def->jointTails != NULL ? def->jointTails[joint] : p;
    bool hasTail =
        tgIsFiniteVec3(tail) && tgDistance(p, tail) > tg_shortestBone * voxels->body->diagonal;
    tgBone bone = {.joint = joint, .from = p, .to = p};
    bone.startsAtParent = hasTail && tgGetParent(def, joint) >= 0;
    if (hasTail) {
        bone.to = tail;
        bone.length = tgDistance(p, tail);
    }
    if (voxels->insideCount == 0) {
        bones->bones[bones->boneCount++] = bone;
    } else if (hasTail && tgAddInsideParts(voxels, bones, &bone)) {
        return;
    } else if (isInside || tgSnapInside(voxels, &p)) {
        bones->bones[bones->boneCount++] = (tgBone){.joint = joint, .from = p, .to = p};
    }
}

static void tgAddJoint(const tgBindDef* def, const tgVoxels* voxels, const int* firstChild,
                       const int* nextChild, tgBones* bones, int joint)
{
    tgVec3 p = tgVec3View_Get(def->jointPositions, joint);
    bool hasInside = voxels->insideCount > 0;
    bool isInside = !hasInside || tgVoxels_IsInside(voxels, p);
    int before = bones->boneCount;
    for (int child = firstChild[joint]; child >= 0; child = nextChild[child]) {
        tgVec3 to = tgVec3View_Get(def->jointPositions, child);
        if (tgDistance(p, to) <= tg_shortestBone * voxels->body->diagonal) {
            continue; // the child stands in its place
        }
        tgBone bone = {joint, p, to, tgGetParent(def, joint) >= 0, true, tgDistance(p, to)};
        if (hasInside) {
            tgAddInsideParts(voxels, bones, &bone);
        } else {
            bones->bones[bones->boneCount++] = bone;
        }
    }
    if (firstChild[joint] < 0) {
        tgAddLeaf(def, voxels, bones, joint, isInside);
    }
    tgBindJoint* found = &bones->joints[joint];
    found->place = isInside                    ? tg_jointInside
                   : bones->boneCount > before ? tg_jointSnapped
                                               : tg_jointOutside;
    found->snapDistance = found->place == tg_jointSnapped ? HUGE_VALF : 0.0f;
    for (int b = before; b < bones->boneCount && found->place == tg_jointSnapped; ++b) {
        found->snapDistance = fminf(found->snapDistance, tgDistance(p, bones->bones[b].from));
    }
}

/// No bone is inside: most often the skeleton is in other units than the mesh.
static tgResult tgFailOutside(const tgBindDef* def, const tgBody* body, tgError* error)
{
    tgVec3 low = tgVec3View_Get(def->jointPositions, 0), high = low;
    for (int j = 1; j < def->jointPositions.count; ++j) {
        tgVec3 p = tgVec3View_Get(def->jointPositions, j);
        low = tgMakeVec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = tgMakeVec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    return tgFail(error, tg_invalidArgument, -1,
                  "no joint of %d lies inside the mesh: it spans (%.3g %.3g %.3g) to (%.3g "
                  "%.3g %.3g), they span (%.3g %.3g %.3g) to (%.3g %.3g %.3g)",
                  def->jointPositions.count, (double)body->low.x, (double)body->low.y,
                  (double)body->low.z, (double)body->high.x, (double)body->high.y,
                  (double)body->high.z, (double)low.x, (double)low.y, (double)low.z, (double)high.x,
                  (double)high.y, (double)high.z);
}

tgResult tgBuildBones(const tgBindDef* def, const tgVoxels* voxels, tgScratch* scratch,
                      tgBones* bones, tgError* error)
{
    int jointCount = def->jointPositions.count;
    size_t count = (size_t)jointCount;
    int* firstChild = tgScratch_Take(scratch, count, sizeof(int));
    int* nextChild = tgScratch_Take(scratch, count, sizeof(int));
    // Every bone may fall apart into as many parts as it crosses faces, but is one in practice.
    size_t room = count * (tg_mostCrossings / 2 + 2) + 1;
    *bones = (tgBones){.jointCount = jointCount};
    bones->bones = tgScratch_Take(scratch, room, sizeof(tgBone));
    bones->jointStart = tgScratch_Take(scratch, count + 1, sizeof(int));
    bones->joints = tgScratch_Take(scratch, count, sizeof(tgBindJoint));
    if (scratch->failed) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d joints", jointCount);
    }
    memset(firstChild, -1, count * sizeof(int));
    for (int j = jointCount - 1; j >= 0; --j) { // children in ascending order
        int parent = tgGetParent(def, j);
        if (parent >= 0) {
            nextChild[j] = firstChild[parent];
            firstChild[parent] = j;
        }
    }
    for (int j = 0; j < jointCount; ++j) {
        tgAddJoint(def, voxels, firstChild, nextChild, bones, j);
        bones->jointStart[j + 1] = bones->boneCount;
    }
    if (bones->boneCount == 0) {
        return tgFailOutside(def, voxels->body, error);
    }
    return tg_success;
}

tgBoneWay tgBones_Measure(const tgBones* bones, int joint, tgVec3 p)
{
    tgBoneWay best = {p, HUGE_VALF, 0.0f, 0.0f};
    for (int b = bones->jointStart[joint]; b < bones->jointStart[joint + 1]; ++b) {
        const tgBone* bone = &bones->bones[b];
        tgVec3 along = tgSub(bone->to, bone->from);
        tgVec3 away = tgSub(p, bone->from);
        float squared = tgDot(along, along);
        float t = squared > 0.0f ? tgDot(away, along) / squared : 0.0f;
        t = fminf(fmaxf(t, 0.0f), 1.0f);
        tgBoneWay way = {t < 1.0f ? tgMulAdd(bone->from, t, along) : bone->to, 0.0f, 0.0f,
                         bone->length};
        tgVec3 rest = tgSub(p, way.nearest);
        way.distance = tgLength(rest);
        bool isPast = (t == 1.0f && bone->endsAtChild) || (t == 0.0f && bone->startsAtParent);
        if (isPast && squared > 0.0f && way.distance > 0.0f) {
            way.past = fabsf(tgDot(rest, along)) / (way.distance * sqrtf(squared));
        }
        best = tgBoneWay_Claim(&way) < tgBoneWay_Claim(&best) ? way : best;
    }
    return best;
}
