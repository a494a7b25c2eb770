// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Places of a refined mesh by a smoothing scheme (2009 s.4.3 names a classical subdivision). With P
// a vertex, N its neighbours along n edges and f the means of its quads:
//
//   triangles  Loop            P' = (1 - n b) P + b sum N,  b = (5/8 - (3/8 + cos(2 pi/n)/4)^2) / n
//   quads      Catmull, Clark  P' = (n - 3)/n P + 2/n^2 sum (P + N)/2 + 1/n^2 sum f
//   both       Stam, Loop      P' = a P + a/2 sum (P + N)/2 + a/4 sum f,  a = 1/(1 + n/2 + quads/4)
//
// and in the middle of an edge (p, q) each face beside it gives half: 3/16 (p + q) + 1/8 r for a
// triangle with r across, 3/16 (p + q) + 1/16 (r + s) for a quad. Only what lies inside the part
// that is split in four moves: its border and that of the mesh stay where they are, so that nothing
// opens. Masks are the same for all vertices at one place.

#include "bind/refine.h"

#include "core/elementary.h"

#include <stdlib.h>
#include <string.h>

/// Masks being made, of labels and of edges: a list of labels and weights for each.
typedef struct tgMasks {
    int count;
    int* starts; ///< count + 1
    int* used;   ///< of each: entries so far
    int* labels;
    double* weights;
} tgMasks;

/// What is known of a label or an edge.
typedef struct tgSmoother {
    const tgRefineWork* work;
    bool* isInner;   ///< of each label: all round it is split in four
    int* edgeCounts; ///< of each label: edges at it
    int* quadCounts; ///< of each label: quads at it
    int* sides;      ///< of each edge: faces beside it
    bool* isSmooth;  ///< of each edge: two of them, both split in four
    tgMasks vertices, edges;
} tgSmoother;

static int tgGetLabel(const tgSmoother* smoother, const tgFacePiece* piece, int k)
{
    return smoother->work->labels[piece->corners[(k + piece->size) % piece->size]];
}

static bool tgOpenMasks(tgMasks* masks, int count, const int* sizes, tgScratch* scratch)
{
    masks->count = count;
    masks->starts = tgScratch_Take(scratch, (size_t)count + 1, sizeof(int));
    masks->used = tgScratch_Take(scratch, (size_t)count + 1, sizeof(int));
    for (int i = 0; i < count && !scratch->failed; ++i) {
        masks->starts[i + 1] = masks->starts[i] + sizes[i];
    }
    size_t entries = scratch->failed ? 0 : (size_t)masks->starts[count];
    masks->labels = tgScratch_Take(scratch, entries + 1, sizeof(int));
    masks->weights = tgScratch_Take(scratch, entries + 1, sizeof(double));
    return !scratch->failed;
}

/// Adds to the entry of a label, or opens one.
static void tgAddToMask(tgMasks* masks, int of, int label, double weight)
{
    int first = masks->starts[of];
    for (int i = first; i < first + masks->used[of]; ++i) {
        if (masks->labels[i] == label) {
            masks->weights[i] += weight;
            return;
        }
    }
    int at = first + masks->used[of]++;
    masks->labels[at] = label;
    masks->weights[at] = weight;
}

/// Counts edges and quads, and finds what lies inside.
static bool tgFindInner(tgSmoother* smoother)
{
    const tgRefineWork* work = smoother->work;
    size_t labels = (size_t)work->vertexCount + 1, edges = (size_t)work->edgeCount + 1;
    smoother->isInner = tgScratch_Take(work->scratch, labels, sizeof(bool));
    smoother->edgeCounts = tgScratch_Take(work->scratch, labels, sizeof(int));
    smoother->quadCounts = tgScratch_Take(work->scratch, labels, sizeof(int));
    smoother->sides = tgScratch_Take(work->scratch, edges, sizeof(int));
    smoother->isSmooth = tgScratch_Take(work->scratch, edges, sizeof(bool));
    if (work->scratch->failed) {
        return false;
    }
    memset(smoother->isInner, true, labels * sizeof(bool));
    memset(smoother->isSmooth, true, edges * sizeof(bool));
    for (int i = 0; i < work->pieceCount; ++i) {
        const tgFacePiece* piece = &work->pieces[i];
        for (int k = 0; k < piece->size; ++k) {
            int label = tgGetLabel(smoother, piece, k);
            bool isNew = smoother->sides[piece->edges[k]]++ == 0;
            smoother->isSmooth[piece->edges[k]] &= work->isRed[i];
            smoother->isInner[label] &= work->isRed[i];
            smoother->quadCounts[label] += piece->size == 4;
            smoother->edgeCounts[label] += isNew;
            smoother->edgeCounts[tgGetLabel(smoother, piece, k + 1)] += isNew;
        }
    }
    for (int i = 0; i < work->pieceCount; ++i) {
        const tgFacePiece* piece = &work->pieces[i];
        for (int k = 0; k < piece->size; ++k) {
            bool isClosed = smoother->sides[piece->edges[k]] == 2;
            smoother->isSmooth[piece->edges[k]] &= isClosed;
            smoother->isInner[tgGetLabel(smoother, piece, k)] &= isClosed;
            smoother->isInner[tgGetLabel(smoother, piece, k + 1)] &= isClosed;
        }
    }
    for (int label = 0; label < work->vertexCount; ++label) {
        smoother->isInner[label] &= smoother->edgeCounts[label] >= 3;
    }
    return true;
}

/// Weights of P, of each (P + N)/2 and of each f.
static void tgGetVertexRule(int edges, int quads, double* self, double* middle, double* face)
{
    double n = (double)edges, q = (double)quads;
    *self = 1.0 / (1.0 + 0.5 * n + 0.25 * q);
    *middle = 0.5 * *self;
    *face = 0.25 * *self;
    if (quads == 0) {
        double sine, cosine;
        tgSineCosine(6.283185307179586 / n, &sine, &cosine);
        double inner = 0.375 + 0.25 * cosine, b = (0.625 - inner * inner) / n;
        *middle = 2.0 * b;
        *self = 1.0 - 2.0 * n * b;
    } else if (quads == edges) {
        *self = (n - 3.0) / n;
        *middle = 2.0 / (n * n);
        *face = 1.0 / (n * n);
    }
}

/// Each edge is met from both of its sides, so from each it gives half.
static void tgAddVertexMasks(tgSmoother* smoother, const tgFacePiece* piece)
{
    for (int k = 0; k < piece->size; ++k) {
        int label = tgGetLabel(smoother, piece, k);
        if (!smoother->isInner[label]) {
            continue;
        }
        double self, middle, face;
        tgGetVertexRule(smoother->edgeCounts[label], smoother->quadCounts[label], &self, &middle,
                        &face);
        for (int turn = -1; turn <= 1; turn += 2) {
            int next = tgGetLabel(smoother, piece, k + turn);
            tgAddToMask(&smoother->vertices, label, label, 0.25 * middle);
            tgAddToMask(&smoother->vertices, label, next, 0.25 * middle);
        }
        for (int i = 0; i < 4 && piece->size == 4; ++i) {
            tgAddToMask(&smoother->vertices, label, tgGetLabel(smoother, piece, i), 0.25 * face);
        }
    }
}

static void tgAddEdgeMasks(tgSmoother* smoother, const tgFacePiece* piece)
{
    for (int k = 0; k < piece->size; ++k) {
        int edge = piece->edges[k];
        if (!smoother->isSmooth[edge]) {
            continue;
        }
        double across = piece->size == 3 ? 0.125 : 0.0625;
        for (int i = 0; i < piece->size; ++i) {
            bool isEnd = i < 2;
            tgAddToMask(&smoother->edges, edge, tgGetLabel(smoother, piece, k + i),
                        isEnd ? 0.1875 : across);
        }
    }
}

static bool tgMakeMasks(tgSmoother* smoother)
{
    const tgRefineWork* work = smoother->work;
    size_t most =
        (size_t)(work->vertexCount > work->edgeCount ? work->vertexCount : work->edgeCount);
    int* sizes = tgScratch_Take(work->scratch, most + 1, sizeof(int));
    if (work->scratch->failed) {
        return false;
    }
    for (int label = 0; label < work->vertexCount; ++label) {
        bool isInner = smoother->isInner[label];
        sizes[label] = isInner ? 1 + smoother->edgeCounts[label] + smoother->quadCounts[label] : 0;
    }
    if (!tgOpenMasks(&smoother->vertices, work->vertexCount, sizes, work->scratch)) {
        return false;
    }
    for (int edge = 0; edge < work->edgeCount; ++edge) {
        sizes[edge] = smoother->isSmooth[edge] ? 6 : 0;
    }
    if (!tgOpenMasks(&smoother->edges, work->edgeCount, sizes, work->scratch)) {
        return false;
    }
    for (int label = 0; label < work->vertexCount; ++label) {
        if (smoother->isInner[label]) {
            double self, middle, face;
            tgGetVertexRule(smoother->edgeCounts[label], smoother->quadCounts[label], &self,
                            &middle, &face);
            tgAddToMask(&smoother->vertices, label, label, self);
        }
    }
    for (int i = 0; i < work->pieceCount; ++i) {
        tgAddVertexMasks(smoother, &work->pieces[i]);
        tgAddEdgeMasks(smoother, &work->pieces[i]);
    }
    return true;
}

/// The mask of one vertex of the finer mesh; its length.
/// @param edge that it is in the middle of, -1 for none
/// @param entries NULL: only count them
static int tgListMask(const tgSmoother* smoother, const tgRefinement* refinement, int v, int edge,
                      tgMaskEntry* entries)
{
    const tgRefineWork* work = smoother->work;
    int coarseCount = refinement->coarseVertexCount;
    const tgMasks* masks = v < coarseCount ? &smoother->vertices : &smoother->edges;
    int of = v < coarseCount ? work->labels[v] : edge;
    int count = of >= 0 ? masks->used[of] : 0;
    for (int i = 0; i < count && entries != NULL; ++i) {
        int at = masks->starts[of] + i;
        entries[i].vertex = work->firstVertex[masks->labels[at]];
        entries[i].weight = (float)masks->weights[at];
    }
    if (count > 0) {
        return count;
    }
    if (v < coarseCount) {
        if (entries != NULL) {
            entries[0] = (tgMaskEntry){v, 1.0f};
        }
        return 1;
    }
    const tgVertexMean* mean = &refinement->placeMeans[v - coarseCount];
    for (int k = 0; k < 4; ++k) {
        if (mean->weights[k] != 0.0f && entries != NULL) {
            entries[count] = (tgMaskEntry){mean->vertices[k], mean->weights[k]};
        }
        count += mean->weights[k] != 0.0f;
    }
    return count;
}

bool tgSmoothPlaces(const tgRefineWork* work, const int* edgeVertices, tgRefinement* refinement)
{
    tgSmoother smoother = {.work = work};
    size_t vertexCount = (size_t)refinement->vertexCount;
    int* edgeOf = tgScratch_Take(work->scratch, vertexCount + 1, sizeof(int));
    int* starts = calloc(vertexCount + 1, sizeof(int));
    refinement->maskStarts = starts;
    if (edgeOf == NULL || starts == NULL || !tgFindInner(&smoother) || !tgMakeMasks(&smoother)) {
        return false;
    }
    for (size_t v = 0; v < vertexCount; ++v) {
        edgeOf[v] = -1;
    }
    for (int edge = 0; edge < work->edgeCount; ++edge) {
        if (edgeVertices[edge] != 0) {
            edgeOf[edgeVertices[edge]] = edge;
        }
    }
    for (int v = 0; v < refinement->vertexCount; ++v) {
        int first = v < refinement->coarseVertexCount ? v : refinement->weldedVertices[v];
        starts[v + 1] = starts[v] + tgListMask(&smoother, refinement, v, edgeOf[first], NULL);
    }
    tgMaskEntry* entries = calloc((size_t)starts[vertexCount] + 1, sizeof(tgMaskEntry));
    refinement->maskEntries = entries;
    for (int v = 0; v < refinement->vertexCount && entries != NULL; ++v) {
        int first = v < refinement->coarseVertexCount ? v : refinement->weldedVertices[v];
        tgListMask(&smoother, refinement, v, edgeOf[first], entries + starts[v]);
    }
    return entries != NULL;
}
