// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The anatomical shape: where flesh goes round a joint that bends. The rest shape moves before it
// is skinned, in a closed form that was fitted to finite elements of fleshy limbs, and skin is laid
// against the bisecting plane afterwards. (Flesh that shakes on springs is flesh.h.)
#ifndef TURGOR_CORE_ANATOMY_H
#define TURGOR_CORE_ANATOMY_H

#include "core/kernels.h"
#include "core/mat34d.h"
#include "core/paint.h"
#include "core/parallel.h"
#include "core/plane.h"

/// Fitted, with all numbers of anatomy.c, to finite elements; in limb radii. How the shape falls
/// off along the limb, and how near the plane skin is laid.
#define TG_ANATOMY_NEAR  0.68f
#define TG_ANATOMY_DIP   0.51f
#define TG_ANATOMY_FOLD  0.34f
#define TG_ANATOMY_SIDE  0.99f
#define TG_ANATOMY_ALONG 2.11f
#define TG_ANATOMY_BOUND 0.1f
#define TG_ANATOMY_CLAMP 0.26f

/// 2 sin(theta / 2) of the swings by 30, 60 to 150 degrees.
#define TG_ANATOMY_SWINGS 0.517638090f, 1.0f, 1.414213562f, 1.732050808f, 1.931851653f

enum { tg_gainAngles = 5, tg_gainTerms = 5 };

/// Volume that is added at a joint, over 2 sin(theta / 2), for those swings:
/// for each the mean over all sides that it can bend to, and its first two waves round the limb.
typedef struct tgAnatomyGain {
    float terms[tg_gainAngles][tg_gainTerms];
} tgAnatomyGain;

/// A joint with a limb round it, in the bind pose. The limb's frame: n along it from the parent's
/// side to the joint's own, p and q across.
typedef struct tgAnatomyJoint {
    int joint;              ///< that bends
    int parentBody;         ///< the joint whose skin lies on the other side
    float aptness;          ///< 0 to 1: how cleanly a limb goes round the joint, and is long enough
    float reach;            ///< 0 to 1: its part that is for the length; the clamp goes without it
    float radius;           ///< of a circle as large as the limb's section
    tgVec3 place;           ///< of the joint
    tgVec3 p, q, n;         ///< unit vectors
    float middle[2];        ///< of the limb less the bone, along p and q, in radii
    int first, count;       ///< of its vertices
    tgAnatomyGain gains[2]; ///< volume that the clamp adds, and both with amplitude 1
} tgAnatomyJoint;

/// Vertices at joints, joint by joint, in each by chunk and rising onset; one array for each
/// number. Lengths are in limb radii.
typedef struct tgAnatomyVertices {
    int* vertex;
    float *p, *q;                      ///< from the limb's middle line
    float* overDistance;               ///< 1 over the distance from it
    float* bound;                      ///< so near the plane it is laid against it
    float* z;                          ///< along the limb
    float* own;                        ///< weight of the joint's own body over that of both
    float* share;                      ///< weight of both bodies, times aptness but for the length
    float *near, *fold, *side, *along; ///< how the shape falls off along the limb; see anatomy.c
    float* onset; ///< sine of half the bend from which on the plane may reach it
} tgAnatomyVertices;

typedef struct tgAnatomy {
    int count;
    tgAnatomyJoint* joints;
    int vertexCount;
    tgAnatomyVertices vertices;
    tgParts parts; ///< of the joints' lists of vertices
} tgAnatomy;

typedef struct tgAnatomyTask {
    const tgAnatomy* anatomy;
    const tgMat34d* skinMatrices; ///< of each joint since the bind pose
    const float* drift;           ///< of each joint: amplitude, 0 to 1; NULL: 1
    const tgParallel* parallel;
    const tgKernels* kernels;
    const float* rest; ///< the frame's bind shape, 4 for each element
    float* shaped;     ///< out of tgShapeRest: that shape as flesh moves it; 4 for each element
    float* positions;  ///< tgClampFolds moves these: 4 for each element
    double* changed;   ///< of each of the anatomy's joints: volume added, to first order
    struct tgAnatomyPose* poses; ///< scratch, of each of its joints
    int elementCount;
} tgAnatomyTask;

/// Builds in scratch memory, on the planes; false without any.
/// @param paint lowers the shape; NULL: none
bool tgBuildAnatomy(const tgMesh* mesh, const tgSkeleton* skeleton, const tgPlanes* planes,
                    const tgPaint* paint, const float* rest, tgScratch* scratch,
                    tgAnatomy* anatomy);

void tgAnatomy_Place(const tgAnatomy* built, tgLayout* layout, tgAnatomy* placed);

/// Room for what comes out.
void tgAnatomyTask_Place(const tgAnatomy* anatomy, tgLayout* layout, tgAnatomyTask* task);

/// Before skinning: moves the bind shape as the joints' bends ask.
/// @return false where no joint has a limb; `shaped` is not filled in then
bool tgShapeRest(const tgAnatomyTask* task);
/// After skinning: lays skin against the bisecting planes.
void tgClampFolds(const tgAnatomyTask* task);

#endif
