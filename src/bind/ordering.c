// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Nested dissection (George 1973) by breadth-first levels: from a vertex at the rim, levels go
// through the graph like slices; a thin one in the middle separates two halves, which are ordered
// first, each by the same rule, and the separator last. Limbs make thin slices, so the factor of a
// character's mesh stays small.

#include "bind/sparse.h"

#include <string.h>

enum { tg_leafSize = 48 };

typedef struct tgDissection {
    int* start; ///< neighbours of each vertex, both ways
    int* neighbors;
    int* order; ///< vertices; pieces are ranges of it
    int* piece; ///< of each vertex: the piece it belongs to
    int* level; ///< of each vertex in the search at hand
    int* queue;
    int* levelSize;
    int* buffer;
} tgDissection;

typedef struct tgPiece {
    int begin, end;
} tgPiece;

static bool tgListNeighbors(const tgSparse* matrix, tgScratch* scratch, tgDissection* work)
{
    int* start = tgScratch_Take(scratch, (size_t)matrix->count + 2, sizeof(int));
    work->neighbors =
        tgScratch_Take(scratch, 2 * (size_t)matrix->start[matrix->count], sizeof(int));
    if (scratch->failed) {
        return false;
    }
    // start[v + 2] counts, then start[v + 1] walks from the begin of v to its end.
    for (int pass = 0; pass < 2; ++pass) {
        for (int c = 0; c < matrix->count; ++c) {
            for (int i = matrix->start[c]; i < matrix->start[c + 1]; ++i) {
                int r = matrix->rows[i];
                if (r == c) {
                    continue;
                }
                if (pass == 0) {
                    start[r + 2] += 1;
                    start[c + 2] += 1;
                } else {
                    work->neighbors[start[r + 1]++] = c;
                    work->neighbors[start[c + 1]++] = r;
                }
            }
        }
        for (int v = 0; pass == 0 && v < matrix->count; ++v) {
            start[v + 2] += start[v + 1];
        }
    }
    work->start = start;
    return true;
}

/// Levels of the piece from `root`, in work->queue; how many vertices were reached, and levels.
static int tgSearchLevels(tgDissection* work, int root, int piece, int* levelCount)
{
    int count = 0, done = 0;
    work->queue[count++] = root;
    work->level[root] = 0;
    work->piece[root] = -1; // met
    *levelCount = 0;
    for (; done < count; ++done) {
        int v = work->queue[done];
        int level = work->level[v];
        if (level == *levelCount) {
            work->levelSize[(*levelCount)++] = 0;
        }
        work->levelSize[level] += 1;
        for (int i = work->start[v]; i < work->start[v + 1]; ++i) {
            int other = work->neighbors[i];
            if (work->piece[other] == piece) {
                work->piece[other] = -1;
                work->level[other] = level + 1;
                work->queue[count++] = other;
            }
        }
    }
    for (int i = 0; i < count; ++i) {
        work->piece[work->queue[i]] = piece;
    }
    return count;
}

/// The thinnest level that leaves at least a third on each side, or the one nearest the middle.
static int tgChooseSeparator(const tgDissection* work, int count, int levelCount)
{
    int before = 0, best = -1, middle = 1;
    for (int l = 0; l + 1 < levelCount; ++l) {
        int after = count - before - work->levelSize[l];
        if (l > 0 && 3 * before >= count && 3 * after >= count &&
            (best < 0 || work->levelSize[l] < work->levelSize[best])) {
            best = l;
        }
        middle = l > 0 && 2 * before <= count ? l : middle;
        before += work->levelSize[l];
    }
    return best >= 0 ? best : middle;
}

/// Sorts the queue's vertices by side into the range at `begin`: before the level, after it, on it.
/// A vertex of the level without a neighbour after it goes before.
static void tgPartition(tgDissection* work, int begin, int count, int separator, int piece,
                        int sides[2])
{
    int before = 0, after = 0, on = 0;
    int* order = work->order + begin;
    for (int i = 0; i < count; ++i) {
        int v = work->queue[i];
        bool isBefore = work->level[v] < separator;
        if (work->level[v] == separator) {
            isBefore = true;
            for (int k = work->start[v]; k < work->start[v + 1]; ++k) {
                int other = work->neighbors[k];
                isBefore = isBefore &&
                           !(work->piece[other] == piece && work->level[other] == separator + 1);
            }
        }
        if (isBefore) {
            order[before++] = v;
        } else if (work->level[v] == separator) {
            work->buffer[count - 1 - on++] = v; // from the end: they come last
        } else {
            work->buffer[after++] = v;
        }
    }
    memcpy(order + before, work->buffer, (size_t)after * sizeof(int));
    for (int i = 0; i < on; ++i) {
        order[before + after + i] = work->buffer[count - 1 - i];
    }
    sides[0] = before;
    sides[1] = after;
}

/// Splits one piece; the parts that want more work come back.
/// @return how many parts
static int tgSplitPiece(tgDissection* work, tgPiece piece, int number, tgPiece parts[2])
{
    int size = piece.end - piece.begin;
    int levelCount = 0;
    int root = work->order[piece.begin];
    int count = tgSearchLevels(work, root, number, &levelCount);
    if (count < size) { // several components: the first one, then the others
        int at = 0, rest = count;
        memcpy(work->buffer, work->queue, (size_t)count * sizeof(int));
        for (int i = 0; i < count; ++i) {
            work->piece[work->queue[i]] = -1;
        }
        for (int i = piece.begin; i < piece.end; ++i) {
            if (work->piece[work->order[i]] == number) {
                work->buffer[rest++] = work->order[i];
            }
        }
        memcpy(work->order + piece.begin, work->buffer, (size_t)size * sizeof(int));
        for (; at < count; ++at) {
            work->piece[work->buffer[at]] = number;
        }
        parts[0] = (tgPiece){piece.begin, piece.begin + count};
        parts[1] = (tgPiece){piece.begin + count, piece.end};
        return 2;
    }
    // Twice from the far end, for long thin levels.
    for (int i = 0; i < 2; ++i) {
        root = work->queue[count - 1];
        tgSearchLevels(work, root, number, &levelCount);
    }
    if (levelCount < 3) {
        return 0;
    }
    int sides[2];
    tgPartition(work, piece.begin, count, tgChooseSeparator(work, count, levelCount), number,
                sides);
    parts[0] = (tgPiece){piece.begin, piece.begin + sides[0]};
    parts[1] = (tgPiece){parts[0].end, parts[0].end + sides[1]};
    return 2;
}

bool tgOrderSparse(const tgSparse* matrix, tgScratch* scratch, int* order)
{
    size_t count = (size_t)matrix->count;
    tgDissection work = {.order = order};
    work.piece = tgScratch_Take(scratch, count, sizeof(int));
    work.level = tgScratch_Take(scratch, count, sizeof(int));
    work.queue = tgScratch_Take(scratch, count, sizeof(int));
    work.levelSize = tgScratch_Take(scratch, count + 1, sizeof(int));
    work.buffer = tgScratch_Take(scratch, count, sizeof(int));
    tgPiece* stack = tgScratch_Take(scratch, count + 2, sizeof(tgPiece));
    if (scratch->failed || !tgListNeighbors(matrix, scratch, &work)) {
        return false;
    }
    for (int v = 0; v < matrix->count; ++v) {
        order[v] = v;
    }
    int top = 0, pieceCount = 0;
    stack[top++] = (tgPiece){0, matrix->count};
    while (top > 0) {
        tgPiece piece = stack[--top];
        if (piece.end - piece.begin <= tg_leafSize) {
            continue;
        }
        pieceCount += 1;
        for (int i = piece.begin; i < piece.end; ++i) {
            work.piece[order[i]] = pieceCount;
        }
        tgPiece parts[2];
        int partCount = tgSplitPiece(&work, piece, pieceCount, parts);
        for (int i = 0; i < partCount; ++i) {
            stack[top++] = parts[i];
        }
    }
    return true;
}
