// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A joint's loss is measured against the joint that carries it. Some rigs hang joints side by side
// under one root and let them follow each other by animation: a jaw under the root and not under
// the head, every bone of a hand under the wrist of the scene. Measured against the root, the jaw
// tears off and comes back, two huge losses that cancel. So a joint is hung on the joint that it
// shares most flesh with, unless it shares enough with its own ancestors.

#include "core/hang.h"

#include <string.h>

/// A joint keeps its parent when it shares at least this part of the most it shares with anyone.
static const double tg_enoughShared = 0.2;
/// Beyond so many joints the table of what they share is too large; the skeleton's own tree will
/// do.
enum { tg_mostTabled = 2048 };

/// shared[i * count + k]: sum over the vertices of the product of both joints' weights.
static void tgFillShared(const tgInfluences* influences, int count, float* shared)
{
    for (int v = 0; v < influences->vertexCount; ++v) {
        for (int a = influences->start[v]; a < influences->start[v + 1]; ++a) {
            for (int b = influences->start[v]; b < influences->start[v + 1]; ++b) {
                size_t at =
                    (size_t)influences->joints[a] * (size_t)count + (size_t)influences->joints[b];
                shared[at] += influences->weights[a] * influences->weights[b];
            }
        }
    }
}

/// What all that joint j carries shares with joint other.
static double tgGetShared(const tgTree* tree, const float* shared, int j, int other)
{
    double sum = 0.0;
    for (int i = tree->place[j]; i < tree->subtreeEnd[j]; ++i) {
        sum += (double)shared[(size_t)tree->order[i] * (size_t)tree->count + (size_t)other];
    }
    return sum;
}

/// The joint to hang j on.
static int tgChooseCarrier(const tgTree* tree, const float* shared, int j)
{
    int best = -1;
    double most = 0.0, withAncestors = 0.0;
    for (int other = 0; other < tree->count; ++other) {
        if (tgTree_Carries(tree, j, other)) {
            continue;
        }
        double own = tgGetShared(tree, shared, j, other);
        if (own > most) {
            most = own;
            best = other;
        }
        withAncestors += tgTree_Carries(tree, other, j) ? own : 0.0;
    }
    bool keep = best < 0 || withAncestors >= tg_enoughShared * most;
    return keep ? tree->carriers[j] : best;
}

static bool tgTakeTree(int count, tgScratch* scratch, tgTree* tree)
{
    tgLayout layout = {0};
    tgTree_Place(count, &layout, tree);
    layout = (tgLayout){.base = tgScratch_Take(scratch, 1, layout.size)};
    if (layout.base != NULL) {
        tgTree_Place(count, &layout, tree);
    }
    return layout.base != NULL;
}

bool tgHangByFlesh(const tgSkeleton* skeleton, const tgInfluences* influences, tgScratch* scratch,
                   tgTree* tree)
{
    int count = skeleton->jointCount;
    bool tabled = count <= tg_mostTabled;
    size_t cells = tabled ? (size_t)count * (size_t)count : 1;
    float* shared = tgScratch_Take(scratch, cells, sizeof(float));
    if (!tgTakeTree(count, scratch, tree) || shared == NULL) {
        return false;
    }
    memcpy(tree->carriers, skeleton->tree.carriers, (size_t)count * sizeof(int));
    tgTree_Fill(tree);
    if (!tabled) {
        return true;
    }
    tgFillShared(influences, count, shared);
    for (int i = 0; i < count; ++i) {
        int j = skeleton->tree.order[i];
        if (tree->carriers[j] < 0) {
            continue;
        }
        int carrier = tgChooseCarrier(tree, shared, j);
        if (carrier != tree->carriers[j]) {
            tree->carriers[j] = carrier; // not below j, so it stays a tree
            tgTree_Fill(tree);
        }
    }
    return true;
}
