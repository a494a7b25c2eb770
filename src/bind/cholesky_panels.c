// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which entries the factor of the built-in solver will have: order of elimination, elimination
// tree, and panels of columns that have the same rows below them.

#include "bind/cholesky.h"

#include <stdlib.h>
#include <string.h>

enum { tg_widestPanel = 96 };

static bool tgPermute(const tgFactor* factor, const tgSparse* matrix, tgScratch* scratch,
                      tgPermuted* permuted)
{
    size_t entryCount = (size_t)matrix->start[matrix->count];
    int* start = tgScratch_Take(scratch, (size_t)matrix->count + 2, sizeof(int));
    permuted->columns = tgScratch_Take(scratch, entryCount, sizeof(int));
    permuted->values = tgScratch_Take(scratch, entryCount, sizeof(double));
    if (scratch->failed) {
        return false;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int c = 0; c < matrix->count; ++c) {
            for (int i = matrix->start[c]; i < matrix->start[c + 1]; ++i) {
                int a = factor->place[matrix->rows[i]], b = factor->place[c];
                int low = a < b ? a : b, high = a < b ? b : a;
                if (pass == 0) {
                    start[high + 2] += 1;
                } else {
                    permuted->columns[start[high + 1]] = low;
                    permuted->values[start[high + 1]++] = matrix->values[i];
                }
            }
        }
        for (int r = 0; pass == 0 && r < matrix->count; ++r) {
            start[r + 2] += start[r + 1];
        }
    }
    permuted->start = start;
    return true;
}

/// The elimination tree (Liu 1990).
static void tgFindParents(const tgPermuted* permuted, int count, int* parents, int* ancestors)
{
    for (int r = 0; r < count; ++r) {
        parents[r] = -1;
        ancestors[r] = -1;
        for (int i = permuted->start[r]; i < permuted->start[r + 1]; ++i) {
            int c = permuted->columns[i];
            while (c != r && c >= 0) {
                int next = ancestors[c];
                ancestors[c] = r;
                if (next < 0) {
                    parents[c] = r;
                }
                c = next == r ? -1 : next;
            }
        }
    }
}

/// Renumbers so that each subtree of the tree is a range; children keep their order.
static bool tgPostorder(tgFactor* factor, tgScratch* scratch)
{
    int count = factor->count;
    int* first = tgScratch_Take(scratch, (size_t)count + 1, sizeof(int));
    int* next = tgScratch_Take(scratch, (size_t)count + 1, sizeof(int));
    int* stack = tgScratch_Take(scratch, (size_t)count + 1, sizeof(int));
    int* order = tgScratch_Take(scratch, (size_t)count, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    memset(first, -1, ((size_t)count + 1) * sizeof(int));
    for (int c = count - 1; c >= 0; --c) {
        int parent = factor->parents[c] >= 0 ? factor->parents[c] : count;
        next[c] = first[parent];
        first[parent] = c;
    }
    int top = 0, done = 0;
    stack[top++] = count; // stands for a root above all
    while (top > 0) {
        int c = stack[top - 1];
        if (first[c] >= 0) {
            stack[top++] = first[c];
            first[c] = next[first[c]];
        } else {
            top -= 1;
            if (c < count) {
                order[done++] = factor->order[c];
            }
        }
    }
    memcpy(factor->order, order, (size_t)count * sizeof(int));
    for (int c = 0; c < count; ++c) {
        factor->place[factor->order[c]] = c;
    }
    return true;
}

static int tgCompareInts(const void* a, const void* b)
{
    int x = *(const int*)a, y = *(const int*)b;
    return (x > y) - (x < y);
}

/// Growing list of the rows of all panels.
typedef struct tgRowList {
    int* rows;
    size_t count, room;
} tgRowList;

static bool tgRowList_Add(tgRowList* list, const int* rows, size_t count)
{
    if (list->count + count > list->room) {
        size_t room = 2 * list->room + count + 1024;
        int* grown = realloc(list->rows, room * sizeof(int));
        if (grown == NULL) {
            return false;
        }
        list->rows = grown;
        list->room = room;
    }
    memcpy(list->rows + list->count, rows, count * sizeof(int));
    list->count += count;
    return true;
}

/// The matrix by columns: for each place the later places it touches.
bool tgTransposeRows(const tgPermuted* permuted, int count, tgScratch* scratch, int** start,
                     int** rows)
{
    int* from = tgScratch_Take(scratch, (size_t)count + 2, sizeof(int));
    *rows = tgScratch_Take(scratch, (size_t)permuted->start[count], sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int i = 0; i < permuted->start[count]; ++i) {
        from[permuted->columns[i] + 2] += 1;
    }
    for (int c = 0; c < count; ++c) {
        from[c + 2] += from[c + 1];
    }
    for (int r = 0; r < count; ++r) {
        for (int i = permuted->start[r]; i < permuted->start[r + 1]; ++i) {
            (*rows)[from[permuted->columns[i] + 1]++] = r;
        }
    }
    *start = from;
    return true;
}

/// Rows of a column into `rows`: those of the matrix, and those of the children in the tree.
static int tgUniteRows(const tgFactor* factor, const tgRowList* list, const int* start,
                       const int* own, int firstChild, const int* nextChild, int c, int* mark,
                       int* rows)
{
    int count = 0;
    mark[c] = c;
    rows[count++] = c;
    for (int i = start[c]; i < start[c + 1]; ++i) {
        if (mark[own[i]] != c) {
            mark[own[i]] = c;
            rows[count++] = own[i];
        }
    }
    for (int child = firstChild; child >= 0; child = nextChild[child]) {
        int panel = factor->panelOf[child];
        size_t begin = factor->rowStart[panel] + (size_t)(child - factor->panelStart[panel]) + 1;
        size_t end = panel + 1 < factor->panelCount ? factor->rowStart[panel + 1] : list->count;
        for (size_t i = begin; i < end; ++i) {
            int r = list->rows[i];
            if (mark[r] != c) {
                mark[r] = c;
                rows[count++] = r;
            }
        }
    }
    return count;
}

/// Columns to panels, and the rows of each.
static bool tgFindPanels(tgFactor* factor, const tgPermuted* permuted, tgScratch* scratch,
                         tgRowList* list)
{
    int n = factor->count;
    int *start = NULL, *own = NULL;
    int* first = tgScratch_Take(scratch, (size_t)n, sizeof(int));
    int* next = tgScratch_Take(scratch, (size_t)n, sizeof(int));
    int* mark = tgScratch_Take(scratch, (size_t)n, sizeof(int));
    int* rows = tgScratch_Take(scratch, (size_t)n, sizeof(int));
    if (scratch->failed || !tgTransposeRows(permuted, n, scratch, &start, &own)) {
        return false;
    }
    memset(first, -1, (size_t)n * sizeof(int));
    memset(mark, -1, (size_t)n * sizeof(int));
    int before = 0; // rows of the column before
    for (int c = 0; c < n; ++c) {
        int count = tgUniteRows(factor, list, start, own, first[c], next, c, mark, rows);
        // The child's rows are among this column's; as many means the same.
        bool isJoined = c > 0 && factor->parents[c - 1] == c && count == before - 1 &&
                        c - factor->panelStart[factor->panelCount - 1] < tg_widestPanel;
        if (!isJoined) {
            factor->rowStart[factor->panelCount] = list->count;
            factor->panelStart[factor->panelCount++] = c;
            qsort(rows, (size_t)count, sizeof(int), tgCompareInts);
            if (!tgRowList_Add(list, rows, (size_t)count)) {
                return false;
            }
        }
        factor->panelOf[c] = factor->panelCount - 1;
        before = count;
        if (factor->parents[c] >= 0) {
            next[c] = first[factor->parents[c]];
            first[factor->parents[c]] = c;
        }
    }
    factor->panelStart[factor->panelCount] = n;
    factor->rowStart[factor->panelCount] = list->count;
    return true;
}

/// Order, tree and panels; the permuted matrix comes back.
bool tgAnalyzeFactor(tgFactor* factor, const tgSparse* matrix, tgScratch* scratch,
                     tgPermuted* permuted)
{
    tgScratch* keep = &factor->scratch;
    size_t n = (size_t)matrix->count;
    factor->count = matrix->count;
    factor->order = tgScratch_Take(keep, n, sizeof(int));
    factor->place = tgScratch_Take(keep, n, sizeof(int));
    factor->parents = tgScratch_Take(keep, n, sizeof(int));
    factor->panelStart = tgScratch_Take(keep, n + 1, sizeof(int));
    factor->panelOf = tgScratch_Take(keep, n, sizeof(int));
    factor->rowStart = tgScratch_Take(keep, n + 1, sizeof(size_t));
    factor->valueStart = tgScratch_Take(keep, n + 1, sizeof(size_t));
    int* ancestors = tgScratch_Take(scratch, n, sizeof(int));
    if (keep->failed || scratch->failed || !tgOrderSparse(matrix, scratch, factor->order)) {
        return false;
    }
    for (int c = 0; c < factor->count; ++c) {
        factor->place[factor->order[c]] = c;
    }
    tgPermuted first;
    if (!tgPermute(factor, matrix, scratch, &first)) {
        return false;
    }
    tgFindParents(&first, factor->count, factor->parents, ancestors);
    if (!tgPostorder(factor, scratch) || !tgPermute(factor, matrix, scratch, permuted)) {
        return false;
    }
    tgFindParents(permuted, factor->count, factor->parents, ancestors);
    tgRowList list = {0};
    bool done = tgFindPanels(factor, permuted, scratch, &list);
    factor->rows = done ? tgScratch_Take(keep, list.count, sizeof(int)) : NULL;
    if (factor->rows != NULL) {
        memcpy(factor->rows, list.rows, list.count * sizeof(int));
    }
    free(list.rows);
    for (int p = 0; done && p < factor->panelCount; ++p) {
        size_t height = factor->rowStart[p + 1] - factor->rowStart[p];
        size_t width = (size_t)(factor->panelStart[p + 1] - factor->panelStart[p]);
        factor->valueStart[p + 1] = factor->valueStart[p] + height * width;
    }
    size_t valueCount = done ? factor->valueStart[factor->panelCount] : 0;
    factor->values = done ? tgScratch_Take(keep, valueCount, sizeof(double)) : NULL;
    return done && !keep->failed;
}
