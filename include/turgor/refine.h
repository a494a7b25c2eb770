// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file refine.h
/// More vertices where bulges and folds need them, and nowhere else. Faces near a marked vertex are
/// split in four, their neighbours so that no corner ends on another face's side; the shape and
/// what it encloses stay the same, unless it is to be smoothed. Works on plain arrays;
/// tgScene_Refine does it all for a scene.
#ifndef TURGOR_REFINE_H
#define TURGOR_REFINE_H

#include "turgor/base.h"
#include "turgor/math.h"
#include "turgor/turgor.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A mesh and where it is wanted finer. Start from tgDefaultRefineDef(). Nothing is kept.
typedef struct tgRefineDef {
    tgVec3View positions;      ///< of all vertices
    const int* weldedVertices; ///< optional: vertices with the same number are one, parted by a
                               ///< seam, and are split alike (tgRig_GetWeldedVertices); 0 and up,
                               ///< below the vertex count
    const int* faceVertices;   ///< corners of all faces
    const int* faceSizes;      ///< corners of each face, 3 or more; NULL: all triangles
    int faceCount;
    const float* values; ///< for each vertex how much is to happen there (tgSampleLargestGamma)
    float threshold;     ///< faces with a corner whose value is above it are split; 0.3
    bool smooth; ///< by Loop's scheme on triangles, Catmull and Clark's on quads, inside the
                 ///< part that is split in four; false
    int cookie;  ///< set by tgDefaultRefineDef, not by you
} tgRefineDef;

TG_API tgRefineDef tgDefaultRefineDef(void);

/// A new vertex as a weighted mean of two or four vertices of the coarse mesh.
typedef struct tgVertexMean {
    int vertices[4];  ///< unused ones repeat the first
    float weights[4]; ///< sum 1; unused ones are 0
} tgVertexMean;

/// A vertex of the coarse mesh in the mask of one of the finer.
typedef struct tgMaskEntry {
    int vertex;
    float weight; ///< those of a mask sum to 1
} tgMaskEntry;

/// The finer mesh. Its vertices are those of the coarse one under their own numbers, then the new
/// ones; its faces stand in the order of the faces they are pieces of.
typedef struct tgRefinement {
    int vertexCount;
    int coarseVertexCount;
    const tgVertexMean* means;      ///< of the new vertices, along their own side of a seam: for
                                    ///< texture coordinates, normals, colours
    const tgVertexMean* placeMeans; ///< the same on both sides: for positions and skin weights
    const int* weldedVertices; ///< of all vertices: as given, then the first new one at its place
    int faceCount;
    const int* faceVertices; ///< corners of all faces
    const int* faceSizes;    ///< 3 or 4; a polygon that was not touched keeps its own
    const int* faceParents;  ///< the face of the coarse mesh that each is a piece of
    int splitFaceCount;      ///< faces of the coarse mesh that were split
    const int* maskStarts; ///< of all vertices, and the end: their places in maskEntries, in place
                           ///< of placeMeans; NULL unless it is smoothed
    const tgMaskEntry* maskEntries;
} tgRefinement;

/// NULL on failure.
TG_API tgRefinement* tgCreateRefinement(const tgRefineDef* def, tgError* error);
TG_API void tgDestroyRefinement(tgRefinement* refinement); ///< NULL is fine

/// Numbers of the coarse vertices carried to all vertices.
/// @param isPlace along placeMeans, or along the masks where it is smoothed, otherwise along means
/// @param values `width` for each coarse vertex
/// @param refined `width` for each vertex; may be `values` itself when that has the room, but not
///        along masks
TG_API void tgRefinement_Average(const tgRefinement* refinement, bool isPlace, const float* values,
                                 int width, float* refined);

/// The same for skin weights: joints in common are added, the heaviest are kept, the sum is 1.
/// @param influencesPerVertex of both
/// @param refinedJoints, refinedWeights influencesPerVertex for each vertex; the coarse ones are
///        copied as they are, but for those that are smoothed
TG_API tgResult tgRefinement_AverageInfluences(const tgRefinement* refinement,
                                               int influencesPerVertex, const int* joints,
                                               const float* weights, int* refinedJoints,
                                               float* refinedWeights, tgError* error);

/// How much each vertex takes at most of any joint's correction (tgInstance_SampleGamma): in the
/// poses that are given, of the joints that bend in them, or with no poses in the bind pose, of all
/// joints. The volume method of the rig is taken to be exact.
/// @param poses their joints are read; the bind shape stays as it is
/// @param gamma one entry for each vertex, 0 to 1
/// @param weldedVertices one entry for each vertex, for tgRefineDef; NULL: not wanted
TG_API tgResult tgSampleLargestGamma(const tgRigDef* def, const tgPose* poses, int poseCount,
                                     float* gamma, int* weldedVertices, tgError* error);

#ifdef __cplusplus
}
#endif

#endif
