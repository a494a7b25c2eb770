// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Nodes waiting for their turn in Dijkstra's algorithm, nearest first. Each stands in it once.
#ifndef TURGOR_BIND_WAY_HEAP_H
#define TURGOR_BIND_WAY_HEAP_H

#include "core/scratch.h"

typedef struct tgWayHeap {
    int count;
    int* nodes;       ///< a binary heap
    int* places;      ///< of each node its place in it, -1 when it is not there
    float* distances; ///< of each node; HUGE_VALF until it is met
} tgWayHeap;

static inline void tgWayHeap_Put(tgWayHeap* heap, int at, int node)
{
    heap->nodes[at] = node;
    heap->places[node] = at;
}

static inline void tgWayHeap_Rise(tgWayHeap* heap, int at, int node)
{
    while (at > 0) {
        int above = (at - 1) / 2;
        if (heap->distances[heap->nodes[above]] <= heap->distances[node]) {
            break;
        }
        tgWayHeap_Put(heap, at, heap->nodes[above]);
        at = above;
    }
    tgWayHeap_Put(heap, at, node);
}

/// A shorter way to a node. False when the one it has is as short.
static inline bool tgWayHeap_Offer(tgWayHeap* heap, int node, float distance)
{
    if (!(distance < heap->distances[node])) {
        return false;
    }
    heap->distances[node] = distance;
    int at = heap->places[node] >= 0 ? heap->places[node] : heap->count++;
    tgWayHeap_Rise(heap, at, node);
    return true;
}

/// The nearest node, taken out. The heap must not be empty.
static inline int tgWayHeap_Take(tgWayHeap* heap)
{
    int nearest = heap->nodes[0];
    int moved = heap->nodes[--heap->count];
    heap->places[nearest] = -1;
    int at = 0;
    while (heap->count > 0) {
        int below = 2 * at + 1;
        if (below >= heap->count) {
            break;
        }
        if (below + 1 < heap->count &&
            heap->distances[heap->nodes[below + 1]] < heap->distances[heap->nodes[below]]) {
            below += 1;
        }
        if (heap->distances[moved] <= heap->distances[heap->nodes[below]]) {
            break;
        }
        tgWayHeap_Put(heap, at, heap->nodes[below]);
        at = below;
    }
    if (heap->count > 0) {
        tgWayHeap_Put(heap, at, moved);
    }
    return nearest;
}

#endif
