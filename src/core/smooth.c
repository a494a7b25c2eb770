// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Nested iteration, eight right-hand sides side by side: the equation is solved on clusters of
// clusters of vertices first, and each level starts from what the coarser one found and damps the
// rest of its error by a few of Chebyshev's sweeps. The cost grows as the mesh does, whatever the
// length. Supports come out within some hundredths of their peak, and smooth.

#include "core/smooth.h"

#include <math.h>
#include <string.h>

/// Cotangents of slivers are kept within these.
static const double tg_leastCotangent = 0.02, tg_mostCotangent = 1e4;
/// A vertex has at least this part of the mean area.
static const float tg_leastArea = 1e-3f;
/// A level of so few clusters is the last, and is solved by many sweeps.
enum { tg_fewClusters = 24, tg_lastSweeps = 48, tg_coarseSweeps = 16, tg_fineSweeps = 8 };
/// The part of the spectrum that sweeps damp: what a level of clusters cannot show.
static const float tg_levelSpan = 30.0f, tg_lastSpan = 400.0f;

enum { tg_lanes = tg_smoothLanes };

// ---- the matrices -------------------------------------------------------------------------------

/// Splits a face into triangles: {0, 1, 2} and {0, 2, 3}.
static void tgGetTriangle(const tgMesh* mesh, int t, int out[3])
{
    int triangleCount = mesh->triangleCount;
    if (t < triangleCount) {
        memcpy(out, mesh->triangles + 3 * (size_t)t, 3 * sizeof(int));
        return;
    }
    int q = (t - triangleCount) / 2, half = (t - triangleCount) % 2;
    const int* corners = mesh->quads + 4 * (size_t)q;
    out[0] = corners[0];
    out[1] = corners[1 + half];
    out[2] = corners[2 + half];
}

/// Twice the area of a triangle, and the cotangent at each corner.
static double tgGetCotangents(const float* rest, const int corners[3], double cotangents[3])
{
    double area = 0.0;
    for (int k = 0; k < 3; ++k) {
        const float* o = rest + 4 * (size_t)corners[k];
        const float* a = rest + 4 * (size_t)corners[(k + 1) % 3];
        const float* b = rest + 4 * (size_t)corners[(k + 2) % 3];
        double u[3], v[3];
        for (int i = 0; i < 3; ++i) {
            u[i] = (double)a[i] - (double)o[i];
            v[i] = (double)b[i] - (double)o[i];
        }
        double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2];
        double z = u[0] * v[1] - u[1] * v[0];
        area = sqrt(x * x + y * y + z * z);
        double dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        double least = 1e-12 * (fabs(dot) + area);
        double cotangent = 0.5 * dot / fmax(area, fmax(least, 1e-300));
        cotangents[k] = fmin(fmax(cotangent, tg_leastCotangent), tg_mostCotangent);
    }
    return area;
}

/// One half edge while the finest level is made.
typedef struct tgHalfEdge {
    int column;
    float weight;
} tgHalfEdge;

/// Neighbours that were listed once for each face become one.
static int tgMergeRow(tgHalfEdge* row, int count)
{
    for (int i = 1; i < count; ++i) { // a handful: insertion sort
        tgHalfEdge own = row[i];
        int at = i;
        for (; at > 0 && row[at - 1].column > own.column; --at) {
            row[at] = row[at - 1];
        }
        row[at] = own;
    }
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        if (kept > 0 && row[kept - 1].column == row[i].column) {
            row[kept - 1].weight += row[i].weight;
        } else {
            row[kept++] = row[i];
        }
    }
    return kept;
}

static bool tgTakeLevel(tgSmoothLevel* level, int count, size_t edges, tgScratch* scratch)
{
    level->count = count;
    level->start = tgScratch_Take(scratch, (size_t)count + 1, sizeof(int));
    level->columns = tgScratch_Take(scratch, edges, sizeof(int));
    level->weights = tgScratch_Take(scratch, edges, sizeof(float));
    level->degrees = tgScratch_Take(scratch, (size_t)count, sizeof(float));
    level->masses = tgScratch_Take(scratch, (size_t)count, sizeof(float));
    return !scratch->failed;
}

static void tgSetMasses(tgSmoothLevel* level, const double* areas, float* meanArea)
{
    double sum = 0.0;
    for (int v = 0; v < level->count; ++v) {
        sum += areas[v];
    }
    double mean = sum > 0.0 ? sum / level->count : 1.0;
    for (int v = 0; v < level->count; ++v) {
        level->masses[v] = fmaxf((float)(areas[v] / mean), tg_leastArea);
    }
    *meanArea = (float)mean;
}

/// @param step for what is not needed afterwards
static bool tgBuildFinest(const tgMesh* mesh, const float* rest, tgScratch* step,
                          tgScratch* scratch, tgSmoother* smoother)
{
    int count = mesh->vertexCount, triangleCount = mesh->triangleCount + 2 * mesh->quadCount;
    size_t room = 6 * (size_t)triangleCount;
    tgSmoothLevel* level = &smoother->levels[0];
    int* start = tgScratch_Take(step, (size_t)count + 2, sizeof(int));
    tgHalfEdge* edges = tgScratch_Take(step, room, sizeof(tgHalfEdge));
    int* kept = tgScratch_Take(step, (size_t)count, sizeof(int));
    double* areas = tgScratch_Take(step, (size_t)count, sizeof(double));
    if (step->failed) {
        return false;
    }
    for (int t = 0; t < triangleCount; ++t) {
        int c[3];
        tgGetTriangle(mesh, t, c);
        for (int k = 0; k < 3; ++k) {
            start[c[k] + 2] += 2;
        }
    }
    for (int v = 0; v < count; ++v) {
        start[v + 2] += start[v + 1];
    }
    for (int t = 0; t < triangleCount; ++t) {
        int c[3];
        double cotangents[3];
        tgGetTriangle(mesh, t, c);
        double area = 0.5 * tgGetCotangents(rest, c, cotangents);
        for (int k = 0; k < 3; ++k) {
            int a = c[(k + 1) % 3], b = c[(k + 2) % 3]; // the edge across from corner k
            edges[start[a + 1]++] = (tgHalfEdge){b, (float)cotangents[k]};
            edges[start[b + 1]++] = (tgHalfEdge){a, (float)cotangents[k]};
            areas[c[k]] += area / 3.0;
        }
    }
    room = 0;
    for (int v = 0; v < count; ++v) {
        kept[v] = tgMergeRow(edges + start[v], start[v + 1] - start[v]);
        room += (size_t)kept[v];
    }
    if (!tgTakeLevel(level, count, room, scratch)) {
        return false;
    }
    int used = 0;
    for (int v = 0; v < count; ++v) {
        level->start[v] = used;
        for (int i = 0; i < kept[v]; ++i) {
            const tgHalfEdge* edge = &edges[start[v] + i];
            level->columns[used] = edge->column;
            level->weights[used++] = edge->weight;
            level->degrees[v] += edge->weight;
        }
    }
    level->start[count] = used;
    tgSetMasses(level, areas, &smoother->meanArea);
    return true;
}

// ---- clusters -----------------------------------------------------------------------------------

/// A vertex none of whose neighbours is taken makes a cluster with all of them; the others join the
/// neighbour that they hold to most.
static int tgFindClusters(const tgSmoothLevel* level, int* cluster)
{
    int count = 0;
    memset(cluster, -1, (size_t)level->count * sizeof(int));
    for (int v = 0; v < level->count; ++v) {
        bool isFree = cluster[v] < 0;
        for (int i = level->start[v]; isFree && i < level->start[v + 1]; ++i) {
            isFree = cluster[level->columns[i]] < 0;
        }
        if (isFree) {
            cluster[v] = count;
            for (int i = level->start[v]; i < level->start[v + 1]; ++i) {
                cluster[level->columns[i]] = count;
            }
            count += 1;
        }
    }
    int whole = count;
    for (int v = 0; v < level->count; ++v) {
        float most = 0.0f;
        int best = -1;
        for (int i = level->start[v]; cluster[v] < 0 && i < level->start[v + 1]; ++i) {
            int other = cluster[level->columns[i]];
            if (other >= 0 && other < whole && level->weights[i] > most) {
                most = level->weights[i];
                best = other;
            }
        }
        cluster[v] = cluster[v] >= 0 ? cluster[v] : best >= 0 ? best : count++;
    }
    return count;
}

/// Edges between clusters are the sums of those between their members.
static bool tgAddLevel(tgSmoother* smoother, tgScratch* step, tgScratch* scratch)
{
    tgSmoothLevel* fine = &smoother->levels[smoother->levelCount - 1];
    tgSmoothLevel* coarse = fine + 1;
    int* cluster = tgScratch_Take(scratch, (size_t)fine->count, sizeof(int));
    int* members = tgScratch_Take(step, (size_t)fine->count, sizeof(int));
    int* first = tgScratch_Take(step, (size_t)fine->count + 2, sizeof(int));
    int* place = tgScratch_Take(step, (size_t)fine->count, sizeof(int));
    if (scratch->failed || step->failed) {
        return false;
    }
    int count = tgFindClusters(fine, cluster);
    if (!tgTakeLevel(coarse, count, (size_t)fine->start[fine->count], scratch)) {
        return false;
    }
    for (int v = 0; v < fine->count; ++v) {
        first[cluster[v] + 2] += 1;
        coarse->masses[cluster[v]] += fine->masses[v];
    }
    for (int c = 0; c < count; ++c) {
        first[c + 2] += first[c + 1];
    }
    for (int v = 0; v < fine->count; ++v) {
        members[first[cluster[v] + 1]++] = v;
    }
    int used = 0;
    for (int c = 0; c < count; ++c) {
        int begin = coarse->start[c] = used;
        for (int m = first[c]; m < first[c + 1]; ++m) {
            int v = members[m];
            for (int i = fine->start[v]; i < fine->start[v + 1]; ++i) {
                int other = cluster[fine->columns[i]];
                if (other == c) {
                    continue;
                }
                if (place[other] <= begin) { // places are + 1, so 0 was never used
                    coarse->columns[used] = other;
                    coarse->weights[used] = 0.0f;
                    place[other] = ++used;
                }
                coarse->weights[place[other] - 1] += fine->weights[i];
                coarse->degrees[c] += fine->weights[i];
            }
        }
    }
    coarse->start[count] = used;
    // Members stand as far apart as their cluster is wide; the edges between two of them are so
    // much more than one edge between the clusters would weigh.
    float width = sqrtf((float)count / (float)fine->count);
    for (int i = 0; i < used; ++i) {
        coarse->weights[i] *= width;
    }
    for (int c = 0; c < count; ++c) {
        coarse->degrees[c] *= width;
    }
    fine->cluster = cluster;
    smoother->levelCount += 1;
    return true;
}

bool tgBuildSmoother(const tgMesh* mesh, const float* rest, tgScratch* scratch,
                     tgSmoother* smoother)
{
    *smoother = (tgSmoother){.levelCount = 1};
    tgScratch step = tgScratch_BeginStep(scratch);
    bool isMade = tgBuildFinest(mesh, rest, &step, scratch, smoother);
    while (isMade && smoother->levelCount < tg_mostSmoothLevels) {
        const tgSmoothLevel* last = &smoother->levels[smoother->levelCount - 1];
        int before = last->count;
        if (before <= tg_fewClusters) {
            break;
        }
        tgScratch_FreeAll(&step);
        isMade = tgAddLevel(smoother, &step, scratch);
        if (isMade && 10 * last[1].count > 9 * before) {
            break; // loose vertices only
        }
    }
    return tgScratch_EndStep(&step, scratch) && isMade;
}

bool tgTakeSmoothRoom(const tgSmoother* smoother, tgScratch* scratch, tgSmoothRoom* room)
{
    size_t count = tg_lanes * (size_t)smoother->levels[0].count;
    room->step = tgScratch_Take(scratch, count, sizeof(float));
    room->rows = tgScratch_Take(scratch, (size_t)smoother->levels[0].count, sizeof(int));
    for (int k = 0; k < smoother->levelCount; ++k) {
        size_t clusters = tg_lanes * (size_t)smoother->levels[k].count;
        room->right[k] = tgScratch_Take(scratch, clusters, sizeof(float));
        room->x[k] = k > 0 ? tgScratch_Take(scratch, clusters, sizeof(float)) : NULL;
    }
    return !scratch->failed;
}

// ---- solving ------------------------------------------------------------------------------------

/// Chebyshev's iteration on D^-1 A, whose eigenvalues lie between 0 and 2.
/// @param span error components within this part of the spectrum, from its end, are damped
static void tgRelax(const tgKernels* kernels, const tgSweepTask* task, int sweeps, float span)
{
    float least = 2.0f / span, middle = 0.5f * (2.0f + least);
    float radius = 0.5f * (2.0f - least), sigma = middle / radius, rho = 1.0f / sigma;
    float keep = 0.0f, gain = 1.0f / middle;
    for (int i = 0; i < sweeps; ++i) {
        kernels->sweep(task, keep, gain);
        float next = 1.0f / (2.0f * sigma - rho);
        keep = next * rho;
        gain = 2.0f * next / radius;
        rho = next;
    }
}

/// Right-hand sides of all levels: a cluster's is the sum of its members'.
static void tgRestrict(const tgSmoother* smoother, tgSmoothRoom* room, const float* values)
{
    const tgSmoothLevel* level = &smoother->levels[0];
    for (int v = 0; v < level->count; ++v) {
        for (int k = 0; k < tg_lanes; ++k) {
            size_t at = tg_lanes * (size_t)v + (size_t)k;
            room->right[0][at] = level->masses[v] * values[at];
        }
    }
    for (int depth = 0; depth + 1 < smoother->levelCount; ++depth) {
        level = &smoother->levels[depth];
        float* to = room->right[depth + 1];
        memset(to, 0, tg_lanes * (size_t)level[1].count * sizeof(float));
        for (int v = 0; v < level->count; ++v) {
            for (int k = 0; k < tg_lanes; ++k) {
                to[tg_lanes * (size_t)level->cluster[v] + (size_t)k] +=
                    room->right[depth][tg_lanes * (size_t)v + (size_t)k];
            }
        }
    }
}

/// Starts a level from what the coarser one found; lists the rows where that is anything.
/// @param least part of a lane's peak below which it is nothing
/// @return how many
static int tgProlong(const tgSmoothLevel* level, const float* coarse, float least, float* x,
                     int* rows)
{
    float peaks[tg_lanes] = {0.0f};
    for (int c = 0; c < level[1].count; ++c) {
        for (int k = 0; k < tg_lanes; ++k) {
            float own = fabsf(coarse[tg_lanes * (size_t)c + (size_t)k]);
            peaks[k] = own > peaks[k] ? own : peaks[k];
        }
    }
    int count = 0;
    for (int v = 0; v < level->count; ++v) {
        const float* from = coarse + tg_lanes * (size_t)level->cluster[v];
        float* to = x + tg_lanes * (size_t)v;
        bool counts = least <= 0.0f;
        for (int k = 0; k < tg_lanes; ++k) {
            counts |= fabsf(from[k]) > least * peaks[k];
        }
        for (int k = 0; k < tg_lanes; ++k) {
            to[k] = counts ? from[k] : 0.0f;
        }
        rows[count] = v;
        count += counts;
    }
    return count;
}

void tgSmooth(const tgSmoother* smoother, tgSmoothRoom* room, const float lengths[tg_smoothLanes],
              float least, float* values)
{
    float squares[tg_lanes];
    for (int k = 0; k < tg_lanes; ++k) {
        squares[k] = lengths[k] * lengths[k] / smoother->meanArea;
    }
    const tgKernels* kernels = tgSelectKernels(tg_simdBest);
    tgRestrict(smoother, room, values);
    int last = smoother->levelCount - 1;
    for (int depth = last; depth >= 0; --depth) {
        const tgSmoothLevel* level = &smoother->levels[depth];
        float* x = depth > 0 ? room->x[depth] : values;
        int rowCount = level->count;
        if (depth < last) {
            rowCount = tgProlong(level, room->x[depth + 1], least, x, room->rows);
        } else {
            memset(x, 0, tg_lanes * (size_t)level->count * sizeof(float));
            for (int v = 0; v < level->count; ++v) {
                room->rows[v] = v;
            }
        }
        tgSweepTask task = {.rows = room->rows,
                            .rowCount = rowCount,
                            .start = level->start,
                            .columns = level->columns,
                            .weights = level->weights,
                            .degrees = level->degrees,
                            .masses = level->masses,
                            .squares = squares,
                            .b = room->right[depth],
                            .x = x,
                            .step = room->step};
        bool isFinest = depth == 0, isCut = least > 0.0f;
        int sweeps = depth == last ? tg_lastSweeps
                     : !isFinest   ? tg_coarseSweeps
                     : isCut       ? tg_fineSweeps
                                   : 5 * tg_fineSweeps;
        bool isThorough = depth == last || (isFinest && !isCut);
        tgRelax(kernels, &task, sweeps, isThorough ? tg_lastSpan : tg_levelSpan);
    }
}
