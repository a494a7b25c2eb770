// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file turgor.h
/// The runtime: make a rig once, an instance per character on stage, then deform every frame.
#ifndef TURGOR_TURGOR_H
#define TURGOR_TURGOR_H

#include "turgor/base.h"
#include "turgor/bones.h"
#include "turgor/flesh.h"
#include "turgor/math.h"
#include "turgor/volume.h"
#include "turgor/wrinkles.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tgRig tgRig; ///< never changes once made; any number of threads may read it
typedef struct tgInstance tgInstance; ///< one character on stage; one thread at a time

/// How a vertex follows several joints.
typedef enum tgSkinning {
    tg_linear = 0,     ///< blend the joints' matrices: the common standard
    tg_dualQuaternion, ///< blend rotations and translations on the sphere, scale beside them
    tg_blend,          ///< between the two: more of the second where joints twist
} tgSkinning;

/// Where vertex normals come from.
typedef enum tgNormals {
    tg_normalsOfSurface = 0, ///< from the faces of the result; right whatever the layers did
    tg_normalsBlended,       ///< rest normals turned with the skin; cheaper, for plain skinning
} tgNormals;

/// Which instructions the frame uses. The results are the same to the bit.
typedef enum tgSimd {
    tg_simdBest = 0, ///< the widest this machine has
    tg_simdScalar,
    tg_simdSse2,
    tg_simdAvx2,
    tg_simdNeon,
    tg_simdWasm,
} tgSimd;

/// A mesh, a skeleton and skin weights. Start from tgDefaultRigDef(). Everything it points to is
/// copied by tgCreateRig.
typedef struct tgRigDef {
    tgVec3View restPositions; ///< render vertices in the bind pose
    tgVec3View restNormals;   ///< optional: tells hard edges from seams
    const int* weldKeys;      ///< optional: vertices with different keys are never welded
    const int* faceVertices;  ///< corners of all faces, counter-clockwise seen from outside
    const int* faceSizes;     ///< corners of each face, 3 or more; NULL: all triangles
    int faceCount;
    const int* jointParents;       ///< -1 for a root; any order
    int jointParentStride;         ///< bytes from one to the next; default sizeof(int)
    const tgMat34* restJoints;     ///< joint to model, in the bind pose
    int restJointStride;           ///< bytes from one to the next; default sizeof(tgMat34)
    int jointCount;                ///< 1 to 65535
    int influencesPerVertex;       ///< 1 or more; unused ones have weight 0
    const int* influenceJoints;    ///< influencesPerVertex for each vertex
    const float* influenceWeights; ///< same shape; each vertex sums to 1
    tgSkinning skinning;           ///< default tg_linear
    tgVolumeDef volume;            ///< default none: plain skinning
    tgFleshDef flesh;              ///< default none
    tgBonesDef bones;              ///< default none
    tgWrinklesDef wrinkles;        ///< default none
    bool live; ///< its instances may be given other layers later (tgInstance_SetLayers and so on).
               ///< That takes time at creation, and memory; false
    tgAllocator allocator; ///< default malloc and free
    int cookie;            ///< set by tgDefaultRigDef, not by you
} tgRigDef;

TG_API tgRigDef tgDefaultRigDef(void);
TG_API tgRig* tgCreateRig(const tgRigDef* def, tgError* error); ///< NULL on failure
TG_API void tgDestroyRig(tgRig* rig);                           ///< NULL is fine

/// What the rig made of the mesh.
typedef struct tgRigInfo {
    int vertexCount;       ///< render vertices, as given
    int weldedVertexCount; ///< after vertices that share place and weights became one
    int triangleCount;     ///< faces in use, after polygons of 5 and more became triangles
    int quadCount;
    int degenerateFaceCount;  ///< faces left out because two of their corners coincide
    int reorientedFaceCount;  ///< faces that looked the other way and were turned
    int boundaryEdgeCount;    ///< sides of faces that no other side walks the opposite way
    int nonManifoldEdgeCount; ///< edges with more than two faces
    int boundaryLoopCount;    ///< holes, which boundary edges run round; each has a virtual cap
    int componentCount;       ///< pieces that share no vertex
    int noInsideCount; ///< pieces without an inside: no volume is defined, plain skinning stays
    int oneSidedCount; ///< those of them whose faces cannot all be turned to one side
    int jointCount;
    int influencesPerVertex; ///< the most that any vertex uses
    double restVolume;       ///< enclosed in the bind pose, caps included
    float restDiagonal;      ///< of the bounding box in the bind pose
    bool isFlat;             ///< it encloses no volume, and none is kept
    tgVec3 restMin, restMax;
} tgRigInfo;

TG_API tgRigInfo tgRig_GetInfo(const tgRig* rig);
TG_API int tgRig_GetVertexCount(const tgRig* rig);
/// For each render vertex the welded vertex it shows; tgRigInfo.vertexCount entries.
TG_API const int* tgRig_GetWeldedVertices(const tgRig* rig);
/// The region of a render vertex: the joint that it follows most. Whatever the volume method.
TG_API int tgRig_GetRegion(const tgRig* rig, int vertex);

/// What the rig knows of a joint.
typedef struct tgJointInfo {
    bool bends;       ///< skin bends with it. Told by the exact method; else all of this is 0
    float radius;     ///< half the thickness of the flesh where it bends
    float boneLength; ///< of its parent bone: what lengths of its profiles count in
    float aptness;    ///< 0 to 1: how cleanly a limb goes round it, for organic's anatomical shape;
                      ///< told where any profile has drift and contact is on
} tgJointInfo;

TG_API tgJointInfo tgRig_GetJointInfo(const tgRig* rig, int joint);
/// The same aptness at each render vertex: the largest of the joints whose limb it belongs to,
/// times how far it belongs to it.
/// @param joint -1: all joints
/// @param aptness tgRigInfo.vertexCount entries
TG_API void tgRig_GetAptness(const tgRig* rig, int joint, float* aptness);

/// Start from tgDefaultInstanceDef().
typedef struct tgInstanceDef {
    tgParallelForFcn* parallelFor; ///< default NULL: the calling thread does it all
    void* parallelUser;
    tgNormals normals; ///< default tg_normalsOfSurface
    tgSimd simd;       ///< default tg_simdBest
    tgAllocator allocator;
    int cookie; ///< set by tgDefaultInstanceDef, not by you
} tgInstanceDef;

TG_API tgInstanceDef tgDefaultInstanceDef(void);
/// The rig must outlive its instances. A NULL def means the default. NULL on failure.
TG_API tgInstance* tgCreateInstance(const tgRig* rig, const tgInstanceDef* def, tgError* error);
TG_API void tgDestroyInstance(tgInstance* instance); ///< NULL is fine

/// Other layers for an instance of a live rig (tgRigDef.live). NULL: the instance keeps what it
/// has.
typedef struct tgLayers {
    const tgVolumeDef* volume; ///< all of it: profiles, target keys, paint, contact, method
    const tgFleshDef* flesh;
    const tgBonesDef* bones;
    const tgWrinklesDef* wrinkles;
} tgLayers;

/// Settings change while a character is on stage, between two frames. What follows belongs to the
/// one instance: the rig and its other instances stay as they are. From the next frame on the
/// result is, to the bit, that of a rig made with these settings; what a frame tells (volumes,
/// losses, gamma) is told again after it. Springs swing on: an element keeps its motion as long as
/// its virtual bone stays. Only the parts that differ are made, with the instance's allocator, in
/// milliseconds; frames allocate nothing as ever. On failure everything stays as it was.
TG_API tgResult tgInstance_SetLayers(tgInstance* instance, const tgLayers* layers, tgError* error);
/// Profiles of one joint; the others keep theirs. With the exact volume method only.
/// @param profiles copied; none: what this joint loses goes to the others
TG_API tgResult tgInstance_SetProfiles(tgInstance* instance, int joint, const tgProfile* profiles,
                                       int profileCount, tgError* error);
/// The volume to keep over time; no keys: 1.
TG_API tgResult tgInstance_SetTarget(tgInstance* instance, const tgVolumeKey* keys, int keyCount,
                                     tgError* error);
TG_API tgResult tgInstance_SetFlesh(tgInstance* instance, const tgFleshDef* flesh, tgError* error);
/// The rig as this instance has it, to ask tgRig_Get... of: good until its next change.
TG_API const tgRig* tgInstance_GetRig(const tgInstance* instance);

/// One frame's joints, and its bind shape where morph targets move it. Start from tgDefaultPose().
typedef struct tgPose {
    const tgMat34* joints; ///< joint to model
    int jointCount;
    float timeStep;            ///< seconds since the last frame; 0: the difference of the times
    float time;                ///< seconds, for what changes over time
    tgVec3View shapePositions; ///< NULL data: the rest positions. Else all render vertices, in the
                               ///< bind pose, after morph targets
    const tgMat34*
        modelToWorld; ///< for flesh, when the host moves the model; NULL: it stands still
} tgPose;

TG_API tgPose tgDefaultPose(void); ///< all zero

/// The frame. Never allocates. Render vertices out; a span with NULL data is not wanted. On failure
/// the spans and the instance stay as they were.
TG_API tgResult tgInstance_Deform(tgInstance* instance, const tgPose* pose, tgVec3Span positions,
                                  tgVec3Span normals, tgError* error);

/// Flesh comes to rest where it is at the next frame: after a cut, or to start over. Also happens
/// by itself when time runs backwards and when a driver jumps (tgFleshElement.resetDistance).
TG_API void tgInstance_Reset(tgInstance* instance);
/// Moves the flesh on to a frame without deforming the skin: frames before the one that is wanted,
/// at little cost. Deforming that one then gives the same bits as deforming them all.
TG_API tgResult tgInstance_Advance(tgInstance* instance, const tgPose* pose, tgError* error);

/// Flesh goes along to a pose as it is, and swings on from there and from the pose's time: where an
/// animation starts over.
TG_API tgResult tgInstance_Carry(tgInstance* instance, const tgPose* pose, tgError* error);

TG_API int tgRig_GetFleshCount(const tgRig* rig);
TG_API tgFleshInfo tgRig_GetFleshInfo(const tgRig* rig, int element);
/// How far each render vertex follows the element, 0 to 1.
/// @param weights room for tgRigInfo.vertexCount
TG_API void tgRig_GetFleshWeights(const tgRig* rig, int element, float* weights);
/// After the last frame.
TG_API tgFleshMotion tgInstance_GetFleshMotion(const tgInstance* instance, int element);
/// How far the last frame's flesh moved each render vertex, before the volume was kept. Takes
/// another pass over the mesh. False when there has been no frame or `displacements` has another
/// count.
TG_API bool tgInstance_GetFleshDisplacements(tgInstance* instance, tgVec3Span displacements);

/// Volumes of the last frame. Takes another pass or two over the mesh, so only when asked.
typedef struct tgVolumeReport {
    double rest;   ///< in the bind pose
    double target; ///< to keep: joint scales and lengths of the frame, rotations at rest; times the
                   ///< target keys, and what gains change
    double result; ///< of the positions that tgInstance_Deform returned
} tgVolumeReport;

/// One joint's part in the last frame.
typedef struct tgJointLoss {
    int joint;
    double loss; ///< volume that its bend took away (negative) or added; with the local method:
                 ///< that its region lost
    // Where it is given back, with the exact method but for mode paper: to first order, before the
    // last step meets the target.
    double inside;  ///< in its support or profile
    double beside;  ///< round it, where that had no room
    double spilled; ///< to all the skin, where there was none either
} tgJointLoss;

/// What the volume stage found in the last frame.
typedef struct tgReport {
    int lossCount;
    const tgJointLoss* losses; ///< of the joints that bend; valid until the next frame
    double residual; ///< volume that the target is missed by, where there is no room left or float
                     ///< positions are too coarse; else 0. What the local method misses besides:
                     ///< tgInstance_MeasureVolume
    double spilled;  ///< volume that found no room near its joints and went to all the skin
} tgReport;

TG_API tgReport tgInstance_GetReport(const tgInstance* instance);

/// How much each render vertex takes part in what a joint gives back, as the last frame stands: the
/// joint's support, or its profile; with the local method the map of the region named after it. The
/// peak is 1.
/// @param joint -1: the largest of all joints that bend, or of all regions
/// @param gamma tgRigInfo.vertexCount entries
TG_API tgResult tgInstance_SampleGamma(tgInstance* instance, int joint, float* gamma,
                                       tgError* error);

/// A joint's own axes, which its profiles are drawn in, as the last frame stands.
typedef struct tgJointAxes {
    tgVec3 origin;  ///< of the joint
    tgVec3 axes[3]; ///< e0 along the parent bone into it, e1 the bending axis, e2 the inner side
    float length;   ///< of the parent bone: the unit of profiles' coordinates
    float bend;     ///< radians between the joint's own bone and where the bind pose has it
    tgVec3 restOrigin, restAxes[3]; ///< the same in the bind pose, bent to the same side
} tgJointAxes;

/// @return false where no skin bends with the joint, or without the exact method or a frame
TG_API bool tgInstance_GetJointAxes(const tgInstance* instance, int joint, tgJointAxes* axes);

/// All three are the rest volume before the first frame.
TG_API tgVolumeReport tgInstance_MeasureVolume(tgInstance* instance);

/// Bones of the rig, those made automatically last.
TG_API int tgRig_GetBoneCount(const tgRig* rig);
TG_API tgBoneInfo tgRig_GetBoneInfo(const tgRig* rig, int bone);
TG_API tgBoneMesh tgRig_GetBoneMesh(const tgRig* rig, int bone);
/// Joints that wrinkle the skin.
TG_API int tgRig_GetWrinkleCount(const tgRig* rig);
TG_API tgWrinkleInfo tgRig_GetWrinkleInfo(const tgRig* rig, int index);
/// How free each render vertex was in the last frame's volume stage: 0 where it rests on bone and,
/// with the local method, on other skin; 1 where nothing holds it. The exact method moves skin that
/// rests on other skin along it.
/// @param freedom tgRigInfo.vertexCount entries
TG_API void tgInstance_GetFreedom(const tgInstance* instance, float* freedom);
/// What the bones did in the last frame.
TG_API tgBoneReport tgInstance_GetBoneReport(const tgInstance* instance);

/// 64 bits over the last frame's welded positions: the same input gives the same hash for any
/// number of workers and any tgSimd.
TG_API uint64_t tgInstance_GetStateHash(const tgInstance* instance);

/// The backend in use, by its name: "avx2".
TG_API const char* tgInstance_GetSimdName(const tgInstance* instance);

#ifdef __cplusplus
}
#endif

#endif
