// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The shape of bones under the skin: what is known at creation, and the stage of the frame.
#ifndef TURGOR_CORE_BONESHAPE_H
#define TURGOR_CORE_BONESHAPE_H

#include "core/bvh.h"
#include "core/influence.h"
#include "core/mesh.h"
#include "core/parallel.h"
#include "core/skeleton.h"
#include "turgor/bones.h"

/// One bone in its joint's space.
typedef struct tgBone {
    tgBoneInfo info;
    int vertexCount;
    tgVec3* positions;
    int* triangles; ///< 3 for each
    int triangleCount;
    void* treeMemory;
    tgBvh tree;
    float thickness;            ///< to keep over it
    float softness, gap, reach; ///< lengths, as asked
} tgBone;

/// A joint that bends, as the inner side of the bend is told by it.
typedef struct tgBoneHinge {
    int joint;
    int parent;
    tgVec3 end; ///< of the joint's own bone, in its space
} tgBoneHinge;

/// Skin that bones may move: vertices that a bone may reach and a few rings about them.
typedef struct tgBoneSkin {
    int count;
    int* vertices;    ///< welded
    int* boneStart;   ///< count + 1
    int* bones;       ///< those that may reach each vertex
    float* offsets;   ///< distance to keep from the bone, along the normal; -INFINITY: never moved
    bool* isHeld;     ///< inside a bone at rest: it may be inside one in any pose
    float* softness;  ///< over how much of it the skin gives way
    float* gaps;      ///< holes between its bones that are closed
    int* hinges;      ///< of each vertex, -1 for none
    int* ringStart;   ///< count + 1
    int* rings;       ///< neighbours on the skin, as places in this list
    float* ringShare; ///< of one neighbour in the mean: one over all of them, listed or not
} tgBoneSkin;

typedef struct tgBones {
    int count;
    tgBone* bones;
    int hingeCount;
    tgBoneHinge* hinges;
    tgBoneSkin skin;
    int smoothRounds;
    bool spareInside;
} tgBones;

/// bone_build.c: checks the definition and builds in scratch memory.
/// @param rest 4 floats for each element
tgResult tgBuildBoneShapes(const tgRigDef* def, const tgMesh* mesh, const tgSkeleton* skeleton,
                           const tgInfluences* influences, const float* rest, tgScratch* scratch,
                           tgBones* bones, tgError* error);
void tgBones_Place(const tgBones* built, tgLayout* layout, tgBones* placed);

/// What automatic bones are made from.
typedef struct tgBoneMaker {
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgInfluences* influences;
    const float* rest; ///< 4 for each element
    tgScratch* scratch;
    tgSurface surface; ///< the skin at rest, with its tree
    tgBvh tree;
} tgBoneMaker;

/// bone_auto.c: builds surface and tree; false without memory.
bool tgBoneMaker_Open(tgBoneMaker* maker);
/// The surface of a bone with two heads, scaled to its limb, in the bind pose.
/// @return false when the joint has no limb, or without memory (scratch->failed)
bool tgMakeAutomaticBone(const tgBoneMaker* maker, int joint, tgBoneDef* bone);

/// Where a joint's own bone ends, in model space at rest: the mean of its children, or for a leaf
/// as far on as its parent's bone is long.
tgVec3 tgFindBoneEnd(const tgSkeleton* skeleton, int joint);

/// A bone in a frame. Rays go to the joint's space, because the tree stays there.
typedef struct tgBonePose {
    tgMat34d modelToJoint, jointToModel;
    bool isThere; ///< false for a joint that is scaled to nothing
} tgBonePose;

/// The vertex normal, virtual caps left out; 0 where the surface has none.
/// @param slots of the surface
tgVec3 tgGatherNormal(const tgMesh* mesh, const float* slots, int v);

static inline bool tgHasLength(tgVec3 unitOrZero)
{
    return tgDot(unitOrZero, unitOrZero) > 0.5f;
}

/// A skin vertex that looks for bones.
typedef struct tgBoneProbe {
    tgVec3 origin, normal;
    float offset, softness, gap;
} tgBoneProbe;

/// What it finds.
typedef struct tgBoneExit {
    double t;     ///< where the bone ends on the line: negative below the skin
    float reach;  ///< of that bone
    float share;  ///< 1 where the skin is in or above it, less below it, 0 from the gap on
    int rayCount; ///< goes up by the rays that were cast
} tgBoneExit;

/// bone_ray.c: where the outermost bone that counts ends on the line from the skin along its
/// normal.

/// @return false when no bone counts
bool tgFindBoneExit(const tgBones* bones, const tgBonePose* poses, const int* list, int listCount,
                    const tgBoneProbe* probe, tgBoneExit* exit);

/// About a bone in a frame, in model space.
typedef struct tgBoneBox {
    tgVec3 low, high;
} tgBoneBox;

/// bone_leave.c
void tgBoxBones(const tgBones* bones, const tgBonePose* poses, tgBoneBox* boxes);
bool tgIsInsideBones(const tgBones* bones, const tgBonePose* poses, const tgBoneBox* boxes,
                     tgVec3 p);

/// The stage, with its scratch memory.
typedef struct tgBoneTask {
    const tgBones* bones;
    const tgMesh* mesh;
    const tgParallel* parallel;
    const tgMat34* joints; ///< joint to model, this frame
    const float* slots;    ///< of the skinned positions
    float* positions;      ///< 4 for each element
    float* freedom;        ///< of each element: lowered where skin rests on bone; may be NULL
    tgBonePose* poses;     ///< scratch, one for each bone
    tgVec3* normals;       ///< scratch, one for each listed vertex
    float* required;       ///< scratch: how far each has to go out
    float* holds;          ///< scratch: how much each is held, 0 to 1
    float* heights;        ///< scratch for smoothing, two for each
    tgBoneBox* boxes;      ///< scratch, one for each bone
    bool* isBeyond;        ///< scratch: the bone comes out about as far as its reach, or farther
    int* counts;           ///< scratch: 4 for each block of listed vertices
    tgBoneReport report;   ///< out
} tgBoneTask;

/// Moves the skin out over the bones.
void tgRunBones(tgBoneTask* task);
/// bone_leave.c: whatever skin is inside a bone, whosever it is, goes the shortest way out.
/// @param placedToo also skin that is pinned
/// @return how many vertices did
int tgLeaveBones(tgBoneTask* task, bool placedToo);
/// After another stage moved skin: out of the bones with what is not pinned.
/// @return whether there was any
bool tgLookAtBones(tgBoneTask* task);

#endif
