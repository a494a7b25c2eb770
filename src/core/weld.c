// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Welding by bind position and weights. A grid of cells a few tolerances wide; a vertex looks into
// a neighbouring cell only when it stands within the tolerance of the wall.

#include "core/weld.h"

#include <math.h>

enum { tg_tolerancesPerCell = 4 };

typedef struct tgGrid {
    const int* keys; ///< may be NULL
    int* heads;      ///< welded vertex + 1 that was put last into a bucket; 0 for none
    int* next;       ///< the one put in before it, in the same form
    uint32_t mask;
    double scale; ///< cells per unit
    double tolerance;
} tgGrid;

static uint32_t tgBucket(const tgGrid* grid, int64_t x, int64_t y, int64_t z)
{
    uint64_t h = (uint64_t)x * 0x9e3779b97f4a7c15u;
    h = (h ^ (uint64_t)y) * 0xc2b2ae3d27d4eb4fu;
    h = (h ^ (uint64_t)z) * 0x165667b19e3779f9u;
    return (uint32_t)(h >> 32) & grid->mask;
}

/// The lowest welded vertex in one cell that matches render vertex r; -1 when there is none. The
/// lowest, so that the answer does not depend on the order of a bucket.
static int tgFindInCell(const tgGrid* grid, tgVec3View positions, const tgInfluences* influences,
                        const int* vertexToRender, int r, const int64_t cell[3], int best)
{
    tgVec3 p = tgVec3View_Get(positions, r);
    uint32_t bucket = tgBucket(grid, cell[0], cell[1], cell[2]);
    for (int v = grid->heads[bucket] - 1; v >= 0; v = grid->next[v] - 1) {
        if (best >= 0 && v > best) {
            continue;
        }
        int other = vertexToRender[v];
        double distance = (double)tgDistance(p, tgVec3View_Get(positions, other));
        bool sameKey = grid->keys == NULL || grid->keys[r] == grid->keys[other];
        if (distance <= grid->tolerance && sameKey && tgInfluences_Match(influences, r, other)) {
            best = v;
        }
    }
    return best;
}

static int tgFindWelded(const tgGrid* grid, tgVec3View positions, const tgInfluences* influences,
                        const int* vertexToRender, int r, const int64_t low[3],
                        const int64_t high[3])
{
    int best = -1;
    for (int64_t x = low[0]; x <= high[0]; ++x) {
        for (int64_t y = low[1]; y <= high[1]; ++y) {
            for (int64_t z = low[2]; z <= high[2]; ++z) {
                const int64_t cell[3] = {x, y, z};
                best = tgFindInCell(grid, positions, influences, vertexToRender, r, cell, best);
            }
        }
    }
    return best;
}

int tgWeld(tgVec3View positions, const tgInfluences* influences, const int* keys, float tolerance,
           tgScratch* scratch, int* renderToVertex, int* vertexToRender)
{
    size_t bucketCount = 1024;
    while (bucketCount < 2 * (size_t)positions.count) {
        bucketCount *= 2;
    }
    tgGrid grid = {
        .keys = keys,
        .heads = tgScratch_Take(scratch, bucketCount, sizeof(int)),
        .next = tgScratch_Take(scratch, (size_t)positions.count, sizeof(int)),
        .mask = (uint32_t)(bucketCount - 1),
        .tolerance = (double)tolerance,
        .scale = tolerance > 0.0f ? 1.0 / (tg_tolerancesPerCell * (double)tolerance) : 0.0,
    };
    if (scratch->failed) {
        return 0;
    }
    int vertexCount = 0;
    for (int r = 0; r < positions.count; ++r) {
        tgVec3 p = tgVec3View_Get(positions, r);
        const double coordinates[3] = {(double)p.x, (double)p.y, (double)p.z};
        int64_t cell[3], low[3], high[3];
        for (int axis = 0; axis < 3; ++axis) {
            double c = coordinates[axis];
            cell[axis] = (int64_t)floor(c * grid.scale);
            low[axis] = (int64_t)floor((c - grid.tolerance) * grid.scale);
            high[axis] = (int64_t)floor((c + grid.tolerance) * grid.scale);
        }
        int v = tgFindWelded(&grid, positions, influences, vertexToRender, r, low, high);
        if (v < 0) {
            v = vertexCount++;
            vertexToRender[v] = r;
            uint32_t bucket = tgBucket(&grid, cell[0], cell[1], cell[2]);
            grid.next[v] = grid.heads[bucket];
            grid.heads[bucket] = v + 1;
        }
        renderToVertex[r] = v;
    }
    return vertexCount;
}
