// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Surface nets, dual to marching cubes (Gibson 1998; Nielson 2004 for several sheets in a cell):
// sample signs on a grid, remove the sign patterns that would pinch the surface, then walk the grid
// slab by slab, keeping the cells of two slabs.

#include "models/surface_nets.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A smooth union of distances changes by at most 1 for each unit of length. Flattened chains are
// distances only near their surface; up to this many cells from one corner to the next was seen.
static const float tg_steepness = 2.2f;

// Values are kept in 1/64 of a cell: plenty to place a crossing that is projected afterwards.
static const float tg_valueScale = 64.0f;

typedef struct tgGrid {
    int size[3];  ///< corners along x, y, z
    int first[3]; ///< lattice index of corner 0; it stands at (first + 1/2) * cellSize
    float cellSize;
    int8_t* values; ///< negative inside, never 0; x runs fastest
} tgGrid;

/// A grown array of vertices or quads.
typedef struct tgList {
    char* data;
    size_t itemSize, count, capacity;
    bool failed;
} tgList;

static void* tgList_Push(tgList* list)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 1024 : 2 * list->capacity;
        char* data = realloc(list->data, capacity * list->itemSize);
        if (data == NULL) {
            list->failed = true;
            return NULL;
        }
        list->data = data;
        list->capacity = capacity;
    }
    return list->data + list->itemSize * list->count++;
}

static size_t tgGrid_Index(const tgGrid* grid, int x, int y, int z)
{
    return ((size_t)z * (size_t)grid->size[1] + (size_t)y) * (size_t)grid->size[0] + (size_t)x;
}

static tgVec3 tgGrid_Position(const tgGrid* grid, float x, float y, float z)
{
    return tgMakeVec3(((float)grid->first[0] + 0.5f + x) * grid->cellSize,
                      ((float)grid->first[1] + 0.5f + y) * grid->cellSize,
                      ((float)grid->first[2] + 0.5f + z) * grid->cellSize);
}

static int8_t tgQuantize(float cells)
{
    float scaled = fmaxf(-127.0f, fminf(127.0f, tg_valueScale * cells));
    int value = (int)scaled;
    if (value == 0) {
        value = cells < 0.0f ? -1 : 1;
    }
    return (int8_t)value;
}

/// Of two signed bounds the one that is farther from 0.
static float tgGetStronger(float a, float b)
{
    return fabsf(a) > fabsf(b) ? a : b;
}

/// One plane of corners. What is known of a corner's three earlier neighbours often says which side
/// it is on; only near the surface is the field asked.
/// @param before bounds on the plane before this one, in cells; 0 where nothing is known
/// @param bounds for this one
static void tgSamplePlane(tgGrid* grid, const tgField* field, int z, const float* before,
                          float* bounds)
{
    int rowSize = grid->size[0];
    for (int y = 0; y < grid->size[1]; ++y) {
        int8_t* values = &grid->values[tgGrid_Index(grid, 0, y, z)];
        float* row = &bounds[(size_t)y * (size_t)rowSize];
        const float* rowBefore = &before[(size_t)y * (size_t)rowSize];
        for (int x = 0; x < rowSize; ++x) {
            float known = tgGetStronger(rowBefore[x], x > 0 ? row[x - 1] : 0.0f);
            known = tgGetStronger(known, y > 0 ? row[x - rowSize] : 0.0f);
            float left = fabsf(known) - tg_steepness;
            if (left > 1.0f) {
                // More than a cell away: no edge from here crosses, so the value does not matter.
                row[x] = known > 0.0f ? left : -left;
            } else {
                tgVec3 p = tgGrid_Position(grid, (float)x, (float)y, (float)z);
                row[x] = tgField_Sample(field, p).value / grid->cellSize;
            }
            values[x] = tgQuantize(row[x]);
        }
    }
}

static bool tgGrid_Create(tgGrid* grid, const tgField* field, float cellSize)
{
    const float* low = &field->min.x;
    const float* high = &field->max.x;
    size_t count = 1;
    for (int a = 0; a < 3; ++a) {
        grid->first[a] = (int)floorf(low[a] / cellSize) - 2;
        grid->size[a] = (int)ceilf(high[a] / cellSize) + 2 - grid->first[a];
        count *= (size_t)grid->size[a];
    }
    grid->cellSize = cellSize;
    grid->values = malloc(count);
    size_t planeSize = (size_t)grid->size[0] * (size_t)grid->size[1];
    float* planes = calloc(2 * planeSize, sizeof(float));
    bool ok = grid->values != NULL && planes != NULL;
    for (int z = 0; ok && z < grid->size[2]; ++z) {
        float* bounds = &planes[planeSize * (size_t)(z & 1)];
        tgSamplePlane(grid, field, z, &planes[planeSize * (size_t)(1 - (z & 1))], bounds);
    }
    free(planes);
    return ok;
}

/// A face of the grid with its two inside corners on a diagonal would put four quads on one edge.
/// Fill both other corners, until there is no such face.
static bool tgGrid_RemovePinches(tgGrid* grid)
{
    const size_t stride[3] = {1, (size_t)grid->size[0],
                              (size_t)grid->size[0] * (size_t)grid->size[1]};
    tgList fills = {.itemSize = sizeof(size_t)};
    do {
        fills.count = 0;
        for (int z = 0; z + 1 < grid->size[2]; ++z) {
            for (int y = 0; y + 1 < grid->size[1]; ++y) {
                for (int x = 0; x + 1 < grid->size[0]; ++x) {
                    size_t i = tgGrid_Index(grid, x, y, z);
                    for (int a = 0; a < 3; ++a) {
                        size_t u = stride[a], v = stride[(a + 1) % 3];
                        bool in0 = grid->values[i] < 0, in1 = grid->values[i + u] < 0;
                        bool in2 = grid->values[i + v] < 0, in3 = grid->values[i + u + v] < 0;
                        if (in0 == in3 && in1 == in2 && in0 != in1) {
                            size_t* fill = tgList_Push(&fills);
                            size_t* other = tgList_Push(&fills);
                            if (fill == NULL || other == NULL) {
                                free(fills.data);
                                return false;
                            }
                            // The second push may have moved the first.
                            other[-1] = in0 ? i + u : i;
                            other[0] = in0 ? i + v : i + u + v;
                        }
                    }
                }
            }
        }
        for (size_t f = 0; f < fills.count; ++f) {
            grid->values[((const size_t*)(const void*)fills.data)[f]] = -1;
        }
    } while (fills.count > 0);
    free(fills.data);
    return true;
}

/// For each of the 256 sign patterns of a cell: how many sheets cross it, and the sheet of each
/// edge. Edge 4 a + 2 bv + bu runs along axis a, at offsets bu and bv along the next two axes.
typedef struct tgSheets {
    uint8_t count;
    int8_t ofEdge[12]; ///< -1 when the edge does not cross
} tgSheets;

static int tgGetEdgeCorner(int edge)
{
    int a = edge / 4, bu = edge & 1, bv = (edge >> 1) & 1;
    return bu << ((a + 1) % 3) | bv << ((a + 2) % 3);
}

static void tgMergeEdges(int8_t* group, int a, int b)
{
    int8_t from = group[a] > group[b] ? group[a] : group[b];
    int8_t to = group[a] > group[b] ? group[b] : group[a];
    for (int e = 0; e < 12; ++e) {
        group[e] = group[e] == from ? to : group[e];
    }
}

static tgSheets tgFindSheets(int pattern)
{
    int8_t group[12];
    for (int e = 0; e < 12; ++e) {
        int corner = tgGetEdgeCorner(e), other = corner | 1 << (e / 4);
        bool crosses = ((pattern >> corner) & 1) != ((pattern >> other) & 1);
        group[e] = (int8_t)(crosses ? e : -1);
    }
    // Two crossings on the same face belong to the same sheet; there are none or two once pinches
    // are gone.
    for (int a = 0; a < 3; ++a) {
        int u = (a + 1) % 3, v = (a + 2) % 3;
        for (int side = 0; side < 2; ++side) {
            const int edges[4] = {4 * u + 2 * side, 4 * u + 2 * side + 1, 4 * v + side,
                                  4 * v + side + 2};
            int last = -1;
            for (int k = 0; k < 4; ++k) {
                if (group[edges[k]] >= 0) {
                    if (last >= 0) {
                        tgMergeEdges(group, last, edges[k]);
                    }
                    last = edges[k];
                }
            }
        }
    }
    tgSheets sheets = {.count = 0};
    for (int e = 0; e < 12; ++e) {
        sheets.ofEdge[e] = -1;
        if (group[e] == e) {
            sheets.ofEdge[e] = (int8_t)sheets.count++;
        } else if (group[e] >= 0) {
            sheets.ofEdge[e] = sheets.ofEdge[group[e]];
        }
    }
    return sheets;
}

/// A cell of a slab: its sign pattern and the first of its vertices.
typedef struct tgCell {
    int firstVertex;
    uint8_t pattern;
} tgCell;

typedef struct tgExtraction {
    const tgGrid* grid;
    tgSheets sheets[256];
    tgCell* slabs[2]; ///< cells at z - 1 and z, in the grid's x, y layout
    tgList vertices, quads;
} tgExtraction;

static int tgGetPattern(const tgGrid* grid, int x, int y, int z)
{
    int pattern = 0;
    for (int corner = 0; corner < 8; ++corner) {
        size_t i = tgGrid_Index(grid, x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2));
        pattern |= (grid->values[i] < 0) << corner;
    }
    return pattern;
}

/// The mean of the crossings of each sheet.
static void tgAddCellVertices(tgExtraction* extraction, int x, int y, int z, int pattern)
{
    const tgGrid* grid = extraction->grid;
    const tgSheets* sheets = &extraction->sheets[pattern];
    for (int s = 0; s < sheets->count; ++s) {
        float sum[3] = {0.0f, 0.0f, 0.0f}, count = 0.0f;
        for (int e = 0; e < 12; ++e) {
            if (sheets->ofEdge[e] != s) {
                continue;
            }
            int corner = tgGetEdgeCorner(e), axis = e / 4;
            const int at[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
            size_t i = tgGrid_Index(grid, x + at[0], y + at[1], z + at[2]);
            size_t j = tgGrid_Index(grid, x + at[0] + (axis == 0), y + at[1] + (axis == 1),
                                    z + at[2] + (axis == 2));
            float a = (float)grid->values[i], b = (float)grid->values[j];
            for (int k = 0; k < 3; ++k) {
                sum[k] += (float)at[k] + (k == axis ? a / (a - b) : 0.0f);
            }
            count += 1.0f;
        }
        tgVec3* p = tgList_Push(&extraction->vertices);
        if (p != NULL) {
            *p = tgGrid_Position(grid, (float)x + sum[0] / count, (float)y + sum[1] / count,
                                 (float)z + sum[2] / count);
        }
    }
}

static void tgFillSlab(tgExtraction* extraction, int z)
{
    const tgGrid* grid = extraction->grid;
    for (int y = 0; y + 1 < grid->size[1]; ++y) {
        for (int x = 0; x + 1 < grid->size[0]; ++x) {
            int pattern = tgGetPattern(grid, x, y, z);
            tgCell* cell = &extraction->slabs[1][(size_t)y * (size_t)grid->size[0] + (size_t)x];
            *cell = (tgCell){(int)extraction->vertices.count, (uint8_t)pattern};
            if (pattern != 0 && pattern != 255) {
                tgAddCellVertices(extraction, x, y, z, pattern);
            }
        }
    }
}

/// The quad around the grid edge that leaves corner (x, y, z) along `axis`, if it crosses.
static void tgAddQuad(tgExtraction* extraction, int x, int y, int z, int axis)
{
    const tgGrid* grid = extraction->grid;
    bool inside = grid->values[tgGrid_Index(grid, x, y, z)] < 0;
    size_t next = tgGrid_Index(grid, x + (axis == 0), y + (axis == 1), z + (axis == 2));
    if (inside == (grid->values[next] < 0)) {
        return;
    }
    static const int tg_around[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
    int corners[4];
    for (int k = 0; k < 4; ++k) {
        // The cell that stands bu and bv back along the next two axes sees the edge at bu, bv.
        int bu = tg_around[k][0], bv = tg_around[k][1];
        int back[3] = {0, 0, 0};
        back[(axis + 1) % 3] = bu;
        back[(axis + 2) % 3] = bv;
        const tgCell* slab = extraction->slabs[1 - back[2]];
        const tgCell* cell =
            &slab[(size_t)(y - back[1]) * (size_t)grid->size[0] + (size_t)(x - back[0])];
        int sheet = extraction->sheets[cell->pattern].ofEdge[4 * axis + 2 * bv + bu];
        corners[k] = cell->firstVertex + sheet;
    }
    int* quad = tgList_Push(&extraction->quads);
    if (quad != NULL) {
        for (int k = 0; k < 4; ++k) {
            quad[k] = corners[inside ? k : 3 - k];
        }
    }
}

static void tgWalkSlabs(tgExtraction* extraction)
{
    const tgGrid* grid = extraction->grid;
    for (int z = 0; z + 1 < grid->size[2]; ++z) {
        tgCell* swap = extraction->slabs[0];
        extraction->slabs[0] = extraction->slabs[1];
        extraction->slabs[1] = swap;
        tgFillSlab(extraction, z);
        // The grid's rim is outside, so nothing crosses there and every quad has its four cells.
        for (int y = 1; z > 0 && y + 1 < grid->size[1]; ++y) {
            for (int x = 1; x + 1 < grid->size[0]; ++x) {
                for (int axis = 0; axis < 3; ++axis) {
                    tgAddQuad(extraction, x, y, z, axis);
                }
            }
        }
    }
}

bool tgQuadMesh_Extract(tgQuadMesh* mesh, const tgField* field, float cellSize)
{
    *mesh = (tgQuadMesh){.cellSize = cellSize};
    tgGrid grid = {0};
    tgExtraction extraction = {.grid = &grid,
                               .vertices = {.itemSize = sizeof(tgVec3)},
                               .quads = {.itemSize = 4 * sizeof(int)}};
    bool ok = tgGrid_Create(&grid, field, cellSize) && tgGrid_RemovePinches(&grid);
    if (ok) {
        size_t slabSize = (size_t)grid.size[0] * (size_t)grid.size[1];
        extraction.slabs[0] = calloc(slabSize, sizeof(tgCell));
        extraction.slabs[1] = calloc(slabSize, sizeof(tgCell));
        ok = extraction.slabs[0] != NULL && extraction.slabs[1] != NULL;
    }
    if (ok) {
        for (int pattern = 0; pattern < 256; ++pattern) {
            extraction.sheets[pattern] = tgFindSheets(pattern);
        }
        tgWalkSlabs(&extraction);
        ok = !extraction.vertices.failed && !extraction.quads.failed;
    }
    free(grid.values);
    free(extraction.slabs[0]);
    free(extraction.slabs[1]);
    if (!ok || extraction.vertices.count > INT_MAX / 8) {
        free(extraction.vertices.data);
        free(extraction.quads.data);
        return false;
    }
    mesh->vertexCount = (int)extraction.vertices.count;
    mesh->positions = (tgVec3*)(void*)extraction.vertices.data;
    mesh->quadCount = (int)extraction.quads.count;
    mesh->quads = (int*)(void*)extraction.quads.data;
    return true;
}

void tgQuadMesh_Destroy(tgQuadMesh* mesh)
{
    free(mesh->positions);
    free(mesh->quads);
    *mesh = (tgQuadMesh){0};
}
