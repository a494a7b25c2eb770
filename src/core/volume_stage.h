// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume stage of the frame, exact method. volume_setup.c and volume_arrange.c make tgVolumeRig
// once, volume_stage.c is the method. docs/pipeline.md explains the words.
#ifndef TURGOR_CORE_VOLUME_STAGE_H
#define TURGOR_CORE_VOLUME_STAGE_H

#include "core/kernels.h"
#include "core/limb.h"
#include "core/mat34d.h"
#include "core/paint.h"
#include "core/parallel.h"
#include "core/profile.h"
#include "core/skin.h"

/// Vertices come in blocks of eight, blocks in chunks (kernels.h): a chunk is what one thread works
/// on. Faces in blocks of their own.
enum { tg_faceBlock = 256 };

/// A support over the skin at rest.
typedef struct tgSupportSum {
    double worth;  ///< sum of S R g
    double square; ///< mean of S^2 by that; of a part the sum
} tgSupportSum;

/// How much each vertex takes part in what each limb gives back: a matrix with few entries. A chunk
/// has a list of parts, one for each limb that reaches into it; a part has an entry for each block
/// of the chunk that the limb reaches.
typedef struct tgSupports {
    int* partStart;     ///< of each chunk, into the parts; and the end
    int* limbs;         ///< of each part
    int* entryStart;    ///< of each part; and the end
    uint8_t* blocks;    ///< of each entry: which block of its chunk
    uint16_t* values;   ///< of each entry: 8 supports, the peak of a limb at TG_SUPPORT_ONE
    tgSupportSum* sums; ///< of each part
} tgSupports;

/// The entries of a limb with a chosen profile: their values follow the pose.
typedef struct tgChosen {
    int limb;
    int count;
    int* blocks;  ///< of each entry
    int* entries; ///< its number
    float* masks; ///< 8 each: how far the profile may reach along the skin
    float* plain; ///< 8 each: the support of the limb itself, for a profile list with organic
} tgChosen;

typedef struct tgVolumeRig {
    int chunkCount, blockCount;
    float* directions;  ///< 4 for each element: the smoothed unit normal at rest, and 0
    float* radii;       ///< R of each element: how far a swell of 1 moves it; 0 in the padding and
                        ///< where paint lets nothing swell
    float* areas;       ///< |dV/dp| of each element at rest; 0 in the padding
    double grain;       ///< square root of the sum of their squares
    double diagonal;    ///< of the mesh at rest
    tgSupportSum* sums; ///< of each limb, near and wide
    double allSum;      ///< R g of all the skin
    tgSupports near;    ///< of each limb, or its profile
    tgSupports wide;    ///< where what does not find room there goes
    int chosenCount;
    tgChosen* chosen;
    int faceCount;       ///< of all kinds; even
    int* faceChunkStart; ///< of each block of faces, into faceChunks; and the end
    int* faceChunks;     ///< chunks that its corners are in
    int quadStart;       ///< from here on they are quads, before it pairs of triangles; even
    int* faces;          ///< 4 corners for each, see kernels.h
} tgVolumeRig;

static inline int tgCountFaceBlocks(const tgVolumeRig* volume)
{
    return (volume->faceCount + tg_faceBlock - 1) / tg_faceBlock;
}

static inline uint16_t tgPackSupport(float support)
{
    float part = support < 0.0f ? 0.0f : support > 1.0f ? 1.0f : support;
    return (uint16_t)(TG_SUPPORT_ONE * part + 0.5f);
}

static inline float tgUnpackSupport(uint16_t packed)
{
    return (float)packed / TG_SUPPORT_ONE;
}

/// What the set-up reads.
typedef struct tgVolumeSource {
    const tgMesh* mesh;
    const float* rest; ///< 4 for each vertex, caps' middles included
    float diagonal;
    int elementCount;
    const tgPaint* paint;
} tgVolumeSource;

/// Supports as they are found, limb after limb.
typedef struct tgSupportList {
    int count, room;
    int* blocks;
    int* limbs;
    float* values; ///< 8 for each
} tgSupportList;

/// What supports are made of, whatever profiles and paint say.
typedef struct tgSupportSource {
    float* radii;        ///< R of each element before paint
    tgSupportList plain; ///< supports of the limbs themselves
    tgSupportList wide;  ///< the same over a larger width
} tgSupportSource;

/// The sum of a part's support, of skin that is as free as `freedom` says; NULL: all free.
tgSupportSum tgSumPart(const tgVolumeRig* volume, const tgSupports* supports, int chunk, int part,
                       const float* freedom);

/// volume_setup.c: all but what profiles and paint say. Fills in the limbs' radii as well.
/// @return false without memory
bool tgMeasureVolumeRig(const tgVolumeSource* source, tgLimbs* limbs, tgScratch* scratch,
                        tgVolumeRig* volume, tgSupportSource* supports);
void tgVolumeRig_Place(const tgVolumeRig* built, int elementCount, tgLayout* layout,
                       tgVolumeRig* placed);
void tgSupportSource_Place(const tgSupportSource* built, int elementCount, tgLayout* layout,
                           tgSupportSource* placed);

/// volume_arrange.c: what profiles and paint say: radii, supports and their sums, and chosen.
/// @param volume measured; these are filled in
/// @return false without memory
bool tgArrangeVolumeRig(const tgVolumeSource* source, const tgLimbs* limbs,
                        const tgSupportSource* supports, tgScratch* scratch, tgVolumeRig* volume);
/// @param placed holds what was measured
void tgVolumeRig_PlaceArranged(const tgVolumeRig* built, int elementCount, int limbCount,
                               tgLayout* layout, tgVolumeRig* placed);

/// Of a limb in one frame.
typedef struct tgLimbState {
    double turn[3][3]; ///< of the joint against its parent, by columns
    bool turns;
    double dual;    ///< part of dual quaternions in the blend
    double bend;    ///< volume that linear blending would take: its part in what else is missing
    double loss;    ///< volume that the frame's turn took away (negative) or added
    double extra;   ///< to be given besides, by its gain
    double need;    ///< to be given back
    double share;   ///< scratch: part in what is missing besides the losses
    double left;    ///< of that, when its own support is full
    double spilled; ///< of that, when its wide support is full, too
    tgSupportSum sums[2]; ///< of its support or profile, and of the wide support, in this frame
    float swell;          ///< lambda: in radii, at the peak of the support
    float wideSwell;      ///< the same for the wide support
    float shape[3][3];    ///< A, at rest: which way a chosen profile goes
} tgLimbState;

/// What the stage reads and writes.
typedef struct tgVolumeTask {
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgLimbs* limbs;
    const tgVolumeRig* volume;
    const tgKernels* kernels;
    const tgParallel* parallel;
    const tgMat34d* skinMatrices; ///< of the frame
    bool isRigid;                 ///< all of them scale by `size`, all ways
    double size;
    double target;        ///< volume to keep
    double unshared;      ///< part of the change that goes to all the skin: breathing
    double scale;         ///< of the character against its bind pose
    double sign;          ///< -1 for a mirrored character: volumes are times this
    const double* added;  ///< volume that stages before added at each limb; NULL: none
    const float* rest;    ///< the bind shape; 4 for each element
    float* directions;    ///< turned by the skin; 4 for each element
    float* positions;     ///< 4 for each element, caps' middles included
    const float* freedom; ///< of each element: 0 held, 1 free; NULL: all free
    /// Turns the directions of elements [begin, end) as the skin does.
    void (*turnDirections)(void* context, int begin, int end);
    /// Turns `shift` and `field` of elements [begin, end) as the skin does.
    void (*turnVectors)(void* context, int begin, int end);
    /// Takes from vectors, 4 for each element, what would bring skin across a plane.
    void (*holdVectors)(void* context, float* vectors);
    void* turnContext;

    // Scratch memory of the instance.
    tgLimbState* states;    ///< of each limb
    float* field;           ///< 4 for each element: q
    float* shift;           ///< 4 for each element; NULL without chosen profiles
    uint16_t* values;       ///< supports with chosen profiles in place; NULL: the rig's
    float* overs;           ///< lambda over rho of each part
    tgSupportSum* heldSums; ///< of each part, near and then wide; NULL where nothing holds skin
    float* wideOvers;       ///< and of the wide supports
    float* limits;          ///< rho of each part; NULL without chosen profiles
    const float** shapes;   ///< A of each; so, too
    bool* hasTurned;        ///< of each chunk: its directions are those of this frame
    bool* moves;            ///< of each chunk: it moves
    double* volumes;        ///< of each block of faces: six times its cones before anything moved
    double* faceSums;       ///< 4 for each block of faces

    double posed;    ///< scratch: the volume before the stage
    tgVec3 apex;     ///< scratch: of the cones over the faces
    double gained;   ///< out: by joints whose gain is not 1
    double residual; ///< out: what found no place, or rounding left
    double spilled;  ///< out: what went to all the skin for want of room
} tgVolumeTask;

/// Fills in turns, losses and what gains add.
void tgFindTurns(tgVolumeTask* task);
/// Whether a joint that turns has skin in a chunk.
bool tgIsChunkTurned(const tgVolumeTask* task, int chunk);
/// Corrects the positions, which hold the skinned character.
void tgRestoreVolume(tgVolumeTask* task);
/// The volume of the mesh at positions, 4 floats for each vertex, by float cones; below 0 for a
/// mirrored one.
double tgMeasureFaces(tgVolumeTask* task, const float* positions);
/// Meets the target once more, after a stage moved skin and holds it, along the same field.
/// @param freedom of each element: 0 held, 1 free
void tgCloseAgain(tgVolumeTask* task, const float* freedom);
/// Supports or profiles of a limb in the last frame, one for each vertex; raises `most` to them.
void tgRaiseToSupport(const tgVolumeTask* task, int limb, float* most);

#endif
