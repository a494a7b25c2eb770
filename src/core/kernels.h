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
    const float* rest;       ///< x, y, z, 1
    const float* vectors;    ///< x, y, z, 0: turned along with the skin; NULL: none
    const int* groupStart;   ///< first group of each element, and the end; NULL: one group each
    const float* weights;    ///< 4 for each group
    const uint16_t* entries; ///< 4 for each group, into the palette
    const float* palette;    ///< matrices or dual quaternions, see pose.h
    float* positions;        ///< may be `rest`; NULL: only vectors are wanted
    float* turned;           ///< may be `vectors`
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
    float* out; ///< 4 for each vertex
} tgGatherTask;

/// Normals of vertices, two at a time, from wedges: (middle - centre) x (last - first). Vertices
/// are told by their place in the positions.
typedef struct tgNormalTask {
    const float* positions; ///< 4 for each vertex
    const int* centers;     ///< of each normal
    const int* wedgeStart;  ///< of each two normals, and the end
    const int* wedges;      ///< 6 for each: middle, first, last of the one, then of the other
    float* out;             ///< 4 for each normal
} tgNormalTask;

/// Faces of four corners a, b, c, d: two triangles abc and acd, or from quadStart on quads. A
/// triangle without a partner has d = a. There is an even number of each kind.
typedef struct tgFourTask {
    const int* faces; ///< 4 for each: where the corner is among the positions
    int quadStart;
    const float* positions; ///< 4 for each vertex
    const float* field;     ///< so, too: where they move
    tgVec3 apex;            ///< of the cones over them
} tgFourTask;

/// Supports are whole numbers up to this, the peak of a limb: half the memory to go through.
#define TG_SUPPORT_ONE 65535.0f

/// Blocks of eight vertices in a chunk.
enum { tg_chunkSize = 256, tg_chunkBlocks = tg_chunkSize / tg_lane };

/// Parts of a chunk's supports, see volume_stage.h.
typedef struct tgPartTask {
    int count;
    const int* entryStart; ///< of each part; and the end
    const uint8_t* blocks;
    const uint16_t* values;     ///< 8 for each entry, in parts of TG_SUPPORT_ONE
    const float* overs;         ///< lambda over rho of each part; 0: its limb is not asked
    const float* limits;        ///< rho of each; NULL: all the same
    const float* const* shapes; ///< A of each, by columns, symmetric; NULL: 1
} tgPartTask;

/// The passes of the volume stage over blocks of eight vertices.
typedef struct tgSwellTask {
    int firstBlock, blockCount; ///< of the chunk
    const tgPartTask* near;
    const tgPartTask* wide;      ///< NULL: none
    float over;                  ///< of all the skin: lambda over rho
    float limit;                 ///< rho, where limbs have none of their own
    const float* directions;     ///< turned by the skin; 4 for each element
    const float* restDirections; ///< at rest
    const float* radii;
    const float* freedom; ///< NULL: all free
    float inverseScaleSquared;
    float* positions;
    float* field;
    float* shift;
} tgSwellTask;

/// One sweep of the smoothing solve, eight right-hand sides at a time (smooth.h). The matrix of a
/// lane is mass + square (degree - weights).
typedef struct tgSweepTask {
    const int* rows; ///< those that count
    int rowCount;
    const int* start; ///< of each row, and the end, into columns and weights
    const int* columns;
    const float *weights, *degrees, *masses;
    const float* squares; ///< of each lane
    const float* b;       ///< 8 for each row
    float *x, *step;
} tgSweepTask;

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

struct tgMeetingTask;
struct tgShapeTask;

typedef struct tgKernels {
    const char* name;
    /// Matrices blended, then applied to positions and vectors.
    void (*skinLinear)(const tgSkinTask* task, int begin, int end);
    /// Dual quaternions blended, then applied as a rigid motion.
    void (*skinDualQuaternion)(const tgSkinTask* task, int begin, int end);
    /// Vectors to length 1; 0 stays 0. Ranges as for skinning.
    void (*normalize)(float* vectors, int begin, int end);
    /// out += share (other - out) of elements.
    void (*mix)(float* out, const float* other, const float* shares, int begin, int end);
    void (*triangleSlots)(const tgFaceTask* task, int begin, int end);
    void (*quadSlots)(const tgFaceTask* task, int begin, int end);
    /// out = sum / 6 for a list of vertices: the gradient. Ranges as for skinning.
    void (*gatherList)(const tgGatherTask* task, int begin, int end);
    /// Six times the volume of the cones from origin over triangles and quads.
    double (*coneVolume)(const int* triangles, int triangleCount, const int* quads, int quadCount,
                         const float* positions, tgVec3 origin);
    /// Six times the volume of the cones over faces of four corners,
    double (*faceVolume)(const tgFourTask* task, int begin, int end);
    /// and after s steps along the field, c0 + c1 s + c2 s^2 + c3 s^3.
    void (*faceCubic)(const tgFourTask* task, int begin, int end, double cubic[4]);
    /// The pass of the volume stage over the skin, a chunk at a time.
    void (*moveSwell)(const tgSwellTask* task);
    void (*shapeSwell)(const tgSwellTask* task);
    /// step = keep step + gain D^-1 (b - A x), then x += step, for all rows that count.
    void (*sweep)(const tgSweepTask* task, float keep, float gain);
    /// positions += step field of vertices.
    void (*moveAlong)(float* positions, const float* field, float step, int begin, int end);
    /// Flesh after its springs, and about its bone. Ranges as for skinning.
    void (*follow)(const tgFollowTask* task, int begin, int end);
    void (*twist)(const tgFollowTask* task, int begin, int end);
    /// out = sum of wedges at length 1, or 0 where there are none. Ranges as for skinning.
    void (*gatherNormals)(const tgNormalTask* task, int begin, int end);
    /// All slots, and six times the volume of the cones over the first faces.
    double (*slotsAndCones)(const tgFaceTask* task, const tgFaceCounts* counts, tgVec3 origin);
    /// out = gamma sum / 6 for a list of vertices. Ranges as for skinning.
    tgFieldWorth (*gatherField)(const tgGatherTask* task, const float* gamma, const float* shares,
                                int begin, int end);
    void (*addField)(const tgFieldMove* task, int begin, int end);
    /// Contact (meeting.h) of vertices [first, last) at a plane: how near they are to it in the
    /// crease.
    void (*measureHeld)(const struct tgMeetingTask* task, int first, int last, float* held);
    /// Moves them, and tells the volume that adds.
    double (*meet)(const struct tgMeetingTask* task, int first, int last);
    /// Takes the part across a plane from listed vectors, 4 floats each, as near as they are to it.
    void (*holdVectors)(const int* list, const float* near, int count, tgVec3 normal,
                        float* vectors);
    /// The anatomical shape of up to 64 vertices.
    void (*shapeVertices)(const struct tgShapeTask* task, int begin, int end);
} tgKernels;

/// NULL when this machine or build does not have the backend.
const tgKernels* tgSelectKernels(tgSimd simd);

#endif
