// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How a corrected skin looks beside the plain one, in numbers: faces turned over, edges folded,
// lumps, swelling, shaking. For bench/looks.c and test/test_looks.c. Only what is public of the
// library is used, so that any method can be measured.
#ifndef TURGOR_BENCH_LOOKS_MEASURE_H
#define TURGOR_BENCH_LOOKS_MEASURE_H

#include "turgor/scene.h"

// ---- measures of one frame, on plain arrays -----------------------------------------------------

/// A surface of triangles without seams, at rest.
typedef struct tgLooksMesh {
    int vertexCount, triangleCount, edgeCount;
    const tgVec3* rest;
    const int* triangles;  ///< 3 for each
    int* edges;            ///< 4 for each: its two vertices, then its two faces; -1 where there is
                           ///< one face, or more than two
    int* neighbourCounts;  ///< of each vertex
    double* edgeLengths;   ///< of each vertex: the mean at rest
    double* halfThickness; ///< of the flesh under each vertex at rest
    double* restAreas;     ///< of each triangle, doubled
    double diagonal;       ///< of the bounding box at rest
} tgLooksMesh;

/// Borrows both arrays. False without memory.
bool tgOpenLooksMesh(tgLooksMesh* mesh, const tgVec3* rest, int vertexCount, const int* triangles,
                     int triangleCount);
void tgCloseLooksMesh(tgLooksMesh* mesh);

/// Counts of values in equal bins; what is beyond the last is in the last.
typedef struct tgHistogram {
    double binWidth;
    int binCount;
    long* bins;
    long total;
    double most;
} tgHistogram;

bool tgOpenHistogram(tgHistogram* histogram, double binWidth, int binCount);
void tgCloseHistogram(tgHistogram* histogram);
void tgHistogram_Add(tgHistogram* histogram, double value);
/// The value that a share of all are at most, to a bin.
double tgHistogram_GetQuantile(const tgHistogram* histogram, double share);

/// Faces whose normals turned by more than 90 degrees between two positions of the vertices.
int tgCountTurnedFaces(const tgLooksMesh* mesh, const tgVec3* from, const tgVec3* to);

/// Adds how far each edge's dihedral angle changed, in degrees. Edges of a face crushed to nothing
/// have no angle and are left out.
/// @param scale of the character against its rest
void tgAddDihedralChanges(const tgLooksMesh* mesh, const tgVec3* from, const tgVec3* to,
                          double scale, tgHistogram* degrees);

/// The largest |d - mean of the neighbours' d| over the vertex's mean edge length.
/// @param scratch vertexCount vectors
double tgFindLump(const tgLooksMesh* mesh, const tgVec3* displacements, double scale,
                  tgVec3* scratch);

/// The largest |d| over half the thickness of the flesh.
double tgFindSwell(const tgLooksMesh* mesh, const tgVec3* displacements, double scale);

// ---- a character in motion ----------------------------------------------------------------------

/// What to measure. Start from tgDefaultLooksDef().
typedef struct tgLooksDef {
    const tgScene* scene;
    int animation;             ///< -1: the file's own pose; 0
    tgSkinning skinning;       ///< of both skins; tg_linear
    const tgVolumeDef* volume; ///< of the corrected skin; NULL: exact, the rest by default
    double fps;                ///< 60
    double mostVertexFrames;   ///< with more than so many vertices times frames, blocks of three
                               ///< frames are taken at equal distances; 1e6
} tgLooksDef;

/// For `looks --quick` and the test.
static const double tg_quickVertexFrames = 6e4;

tgLooksDef tgDefaultLooksDef(void);

typedef struct tgLooks {
    int vertexCount;         ///< welded
    int frameCount;          ///< looked at
    double volumeError;      ///< worst |volume / target - 1|
    double targetChange;     ///< largest target over the smallest, less 1
    double flips;            ///< faces that the correction turns over, mean a frame
    int mostFlips;           ///< in one frame
    int plainTurned, turned; ///< faces that look the wrong way, counted as `turgor measure` does,
                             ///< of the plain and the corrected skin; of the frame that misses most
    int overCount;           ///< frames with turned > 1.05 plainTurned + 2
    double dihedral;         ///< worst change of a dihedral angle, degrees
    double dihedral999;      ///< 99.9 % of them are at most this
    double lump;             ///< worst, in edge lengths
    double swell;            ///< worst displacement over half the thickness
    double shake; ///< 99.9 % of the second differences of displacements over time, per cent
                  ///< of the diagonal
} tgLooks;

/// tg_invalidArgument also when the library does not have the skinning.
tgResult tgMeasureLooks(const tgLooksDef* def, tgLooks* looks, tgError* error);

// ---- the characters -----------------------------------------------------------------------------

typedef struct tgLooksCharacter {
    const char* name; ///< of a file among the assets, or of an embedded model
    int animation;    ///< by number
    bool inMean;      ///< false where plain skinning keeps the volume anyway
} tgLooksCharacter;

/// Those that the bars are about; NULL name after the last.
extern const tgLooksCharacter tg_looksCharacters[];

/// From the folder of assets or embedded. NULL on failure, tg_ioError when the file is not there.
tgScene* tgLoadLooksScene(const tgLooksCharacter* character, const char* folder, tgError* error);

#endif
