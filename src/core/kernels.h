// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops over vertices and faces. Written once in kernels.inl on the operations of simd.h
// and compiled once for each backend; all of them return the same bits.
#ifndef TURGOR_CORE_KERNELS_H
#define TURGOR_CORE_KERNELS_H

#include "turgor/turgor.h"

#include <stdint.h>

/// Skin elements come in eights: arrays are padded, ranges begin and end on multiples.
enum { tg_lane = 8 };

static inline int tgRoundToLane(int count)
{
    return (count + tg_lane - 1) / tg_lane * tg_lane;
}

/// Blends of joints. Four floats for each element in all vertex arrays; influences in groups of
/// four, filled up with weight 0.
typedef struct tgSkinTask {
    const float* rest;        ///< x, y, z, 1
    const float* restNormals; ///< x, y, z, 0; NULL when normals are not wanted
    const int* groupStart;    ///< first group of each element, and the end; NULL: one group each
    const float* weights;     ///< 4 for each group
    const uint16_t* entries;  ///< 4 for each group, into the palette
    const float* palette;     ///< matrices or dual quaternions, see pose.h
    float* positions;         ///< may be `rest`
    float* normals;           ///< may be `restNormals`
} tgSkinTask;

/// Each face's share of the volume gradient, times six. See mesh.h for the slots.
typedef struct tgFaceTask {
    const int* triangles;
    const int* quads;
    const float* positions; ///< 4 for each vertex
    float* slots;           ///< 4 for each slot: the triangles', then the quads'
    int triangleCount;      ///< all of them: where the quads' slots begin
} tgFaceTask;

/// Faces, and how many of them from the first on have cones.
typedef struct tgFaceCounts {
    int triangleCones, triangles, quadCones, quads;
} tgFaceCounts;

/// Sums of slots round each vertex.
typedef struct tgGatherTask {
    const int* start; ///< of each vertex's slots, and the end
    const int* slotList;
    const float* slots;
    float* out;             ///< 4 for each vertex
    const float* positions; ///< 4 for each vertex; only for the gradient
    float origin[4];        ///< of the cones; only for the gradient
} tgGatherTask;

/// Bell curves exp(-sum of ((x - center) / sigma)^2) at a list of vertices, in a frame.
typedef struct tgBellTask {
    const float* positions; ///< 4 for each vertex of the mesh
    const int* vertices;    ///< the list; padded
    tgVec3 origin;
    tgVec3 axes[3]; ///< over the unit of length
    float center[3], inverseSigma[3];
    float* local; ///< coordinates in the frame: `stride` for each axis; NULL: not wanted
    float* out;   ///< one for each of the list
    int stride;
} tgBellTask;

/// Takes one joint's turn back from listed vertices.
typedef struct tgTurnTask {
    const float* rest;       ///< 4 for each vertex
    const int* vertices;     ///< the list
    const float* turnShares; ///< how much of the turn each took
    const float* turn;       ///< 16 floats: motion after minus motion before
    float* positions;        ///< 4 for each vertex
} tgTurnTask;

/// Listed vertices along one direction, each by scale * drift * freedom.
typedef struct tgDriftTask {
    float* positions; ///< 4 for each vertex
    const int* vertices;
    const float* drifts;  ///< of each of the list
    const float* freedom; ///< of each vertex; NULL: all free
    tgVec3 swing;
    float scale;
} tgDriftTask;

/// How near faces come to turning over.
typedef struct tgTurnoverTask {
    const int* triangles;
    const int* quads;
    int triangleCount, quadCount;
    const float* normals;   ///< 4 for each vertex: where its faces are to look
    const float* plain;     ///< 4 for each vertex: plain skinning
    const float* positions; ///< 4 for each vertex
    float* danger;          ///< of each vertex: raised to the most of its faces
} tgTurnoverTask;

/// What a correction along each of three axes could do.
typedef struct tgAxisWorth {
    double worth[3];  ///< sum of gamma (gradient . axis)^2
    float largest[3]; ///< the largest gamma |gradient . axis|
} tgAxisWorth;

/// The gradient and the gammas that are asked for that.
typedef struct tgWorthTask {
    const float* gradient; ///< 4 for each of the list, or of the mesh when `vertices` is not NULL
    const float* gamma;    ///< one for each of the list; 0 in the padding
    const int* vertices;   ///< the list, padded
    tgVec3 axes[3];
} tgWorthTask;

/// Vertices along an axis, each by step gamma (gradient . axis).
typedef struct tgPushTask {
    const float* gradient; ///< 4 for each of the list
    const float* gamma;    ///< one for each; 0 in the padding
    const int* vertices;   ///< the list, padded; NULL: all vertices in order
    float* positions;      ///< 4 for each vertex
    tgVec3 axis;
    float step;
} tgPushTask;

/// One joint's part of two fields: gamma M gradient, times a step for each.
typedef struct tgSpreadTask {
    const float* gradient; ///< 4 for each vertex
    const int* sources;    ///< where in the gradient each of the list is; NULL: in order
    const float* gamma;    ///< one for each of the list; 0 in the padding
    const int* vertices;   ///< the list, padded; NULL: all vertices in order
    tgVec3 rows[3];        ///< of M
    float* field;          ///< 4 for each vertex of the mesh
    float* room;           ///< so, too; NULL: not wanted
    float fieldStep, roomStep;
} tgSpreadTask;

/// Faces with cones over them while their vertices move along a field.
typedef struct tgConeTask {
    const int* triangles;
    const int* quads;
    int triangleCount, quadCount;
    const float* positions; ///< 4 for each vertex
    const float* field;     ///< so, too
    tgVec3 apex;
} tgConeTask;

/// What one flesh element does to the skin in a frame.
typedef struct tgFleshMove {
    tgVec3 displacement;  ///< of a vertex with weight 1
    tgVec3 start, bone;   ///< the virtual bone: where it starts, and from there to its end
    float inverseSquared; ///< 1 over the bone's length squared; 0 when it has none
    float thickness;      ///< of the bone
    tgVec3 heldBack; ///< minus the part of it that is taken off along a vertex's way to the bone
    float twist;     ///< radians about the bone
} tgFleshMove;

/// Vertices that follow the same flesh elements.
typedef struct tgFollowTask {
    const int* vertices;  ///< the list; padded by repeating the last one
    const float* weights; ///< one for each of the list, for each element in turn
    int stride;           ///< from one element's weights to the next one's
    const tgFleshMove* moves;
    const int* elements; ///< which moves
    int elementCount;    ///< one, for twists
    float* positions;    ///< 4 for each vertex of the mesh
} tgFollowTask;

/// What a field could do. Its vertices follow two steps, each by its share of the first.
typedef struct tgFieldWorth {
    double own;    ///< sum of share gamma |gradient|^2
    double across; ///< sum of (1 - share) gamma |gradient|^2
    float peak;    ///< the largest gamma |gradient|
} tgFieldWorth;

/// Vertices along a field, each by (across + share (own - across)).
typedef struct tgFieldMove {
    float* positions;    ///< 4 for each vertex
    const int* vertices; ///< the list, padded
    const float* field;  ///< 4 for each of the list; 0 in the padding
    const float* shares;
    float own, across; ///< steps
} tgFieldMove;

typedef struct tgKernels {
    const char* name;
    /// Matrices blended, then applied to positions and normals; normals come back with length 1.
    void (*skinLinear)(const tgSkinTask* task, int begin, int end);
    /// Dual quaternions blended, then applied as a rigid motion.
    void (*skinDualQuaternion)(const tgSkinTask* task, int begin, int end);
    void (*triangleSlots)(const tgFaceTask* task, int begin, int end);
    void (*quadSlots)(const tgFaceTask* task, int begin, int end);
    /// out = sum / 6: the gradient. Adds <p - origin, out> per axis to `sums`, three times the
    /// volume.
    void (*gatherGradient)(const tgGatherTask* task, int begin, int end, double sums[4]);
    /// out = sum / 6 for a list of vertices. Ranges as for skinning.
    void (*gatherList)(const tgGatherTask* task, int begin, int end);
    /// Six times the volume of the cones from origin over triangles and quads.
    double (*coneVolume)(const int* triangles, int triangleCount, const int* quads, int quadCount,
                         const float* positions, tgVec3 origin);
    /// The same after s steps along the field, c0 + c1 s + c2 s^2 + c3 s^3.
    void (*coneCubic)(const tgConeTask* task, double cubic[4]);
    /// c2 and c3 of that.
    void (*coneCurve)(const tgConeTask* task, double curve[2]);
    void (*bell)(const tgBellTask* task, int begin, int end);
    void (*turnBack)(const tgTurnTask* task, int count);
    void (*drift)(const tgDriftTask* task, int count);
    /// `end` is a multiple of tg_lane, here, for `push` and for `spread`.
    void (*worth)(const tgWorthTask* task, int end, tgAxisWorth* out);
    void (*push)(const tgPushTask* task, int end);
    void (*spread)(const tgSpreadTask* task, int end);
    /// positions += step * field at listed vertices, or all; the field is 0 then.
    void (*moveField)(float* positions, float* field, float step, const int* vertices, int count);
    /// Flesh after its springs, and about its bone. Ranges as for skinning.
    void (*follow)(const tgFollowTask* task, int begin, int end);
    void (*twist)(const tgFollowTask* task, int begin, int end);
    /// Positions as skinLinear and skinDualQuaternion make them, for listed elements only.
    void (*skinList)(const tgSkinTask* task, const int* elements, int count);
    void (*skinDualList)(const tgSkinTask* task, const int* elements, int count);
    /// The danger of a face: how much of the way to being held it has gone; 1 and more: too far.
    void (*turnover)(const tgTurnoverTask* task);
    /// out = sum at length 1, or 0 where there is nothing to sum. Ranges as for skinning.
    void (*gatherNormals)(const tgGatherTask* task, int begin, int end);
    /// All slots, and six times the volume of the cones over the first faces.
    double (*slotsAndCones)(const tgFaceTask* task, const tgFaceCounts* counts, tgVec3 origin);
    /// out = gamma sum / 6 for a list of vertices. Ranges as for skinning.
    tgFieldWorth (*gatherField)(const tgGatherTask* task, const float* gamma, const float* shares,
                                int begin, int end);
    void (*addField)(const tgFieldMove* task, int begin, int end);
} tgKernels;

/// NULL when this machine or build does not have the backend.
const tgKernels* tgSelectKernels(tgSimd simd);

#endif
