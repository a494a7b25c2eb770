// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file bones.h
/// The shape of bones under the skin: where a bone comes closer to the skin than its thickness, or
/// through it, the skin goes out over the bone. So knuckles show, and elbows and knees.
#ifndef TURGOR_BONES_H
#define TURGOR_BONES_H

#include "turgor/base.h"
#include "turgor/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A bone's surface, rigidly attached to a joint. It should be closed; where it is open, only its
/// outer side counts. Faces that look inwards are turned.
typedef struct tgBoneDef {
    int joint;
    tgVec3View positions;    ///< in the bind pose, in the same space as the skin
    const int* faceVertices; ///< corners of all faces
    const int* faceSizes;    ///< corners of each face, 3 or more; NULL: all triangles
    int faceCount;
    float
        thickness; ///< of the skin over it, in scene units, 0 or more; negative: that of all bones
} tgBoneDef;

/// Part of tgRigDef; tgDefaultRigDef() fills it in. Everything it points to is copied.
typedef struct tgBonesDef {
    const tgBoneDef* bones;
    int boneCount;    ///< 0: the stage is off, unless `automatic`
    bool automatic;   ///< a bone with two heads for every joint that has none; false
    float thickness;  ///< of the skin over bones, in scene units; negative: a quarter of the bone's
                      ///< width. Where the skin is thinner at rest, that is its thickness; -1
    float softness;   ///< how gently skin meets bone, in thicknesses, > 0; 0.25
    float reach;      ///< a bone that comes out farther than this is left alone, in bone widths; 1
    float gap;        ///< holes between bones up to this are closed, in thicknesses; 1
    int smoothRounds; ///< of the skin about the bones, 0 to 64; 4
    bool spareInside; ///< leave the inner side of a bend alone; true
} tgBonesDef;

/// What the rig made of a bone.
typedef struct tgBoneInfo {
    int joint;
    bool isAutomatic;
    int triangleCount;
    int boundaryEdgeCount;   ///< 0 when it is closed
    int reorientedFaceCount; ///< faces that looked inwards and were turned
    int vertexCount;         ///< skin vertices that it may move
} tgBoneInfo;

/// A bone's surface as the rig has it, good as long as the rig.
typedef struct tgBoneMesh {
    const tgVec3* positions; ///< in the joint's space
    int vertexCount;
    const int* triangles; ///< 3 corners for each, counter-clockwise seen from outside
    int triangleCount;
} tgBoneMesh;

/// What the stage did in the last frame.
typedef struct tgBoneReport {
    int rayCount;    ///< cast: vertices in reach of a bone, once for each bone
    int movedCount;  ///< welded vertices that were moved
    int heldCount;   ///< those of them that rest on a bone: the volume stage leaves them there
    int beyondCount; ///< vertices left alone because the bone comes out farther than its reach
    int leftCount;   ///< vertices that the volume stage put into a bone and that came out again
} tgBoneReport;

#ifdef __cplusplus
}
#endif

#endif
