// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Distances through the inside (Rohmer, Hahmann, Cani 2009, s. 4.1). Where a straight way from the
// vertex to the bone stays inside, its length is exact. Elsewhere: Dijkstra's algorithm over a
// graph of the cells inside (26 neighbours, no way through a face), the vertices, and the edges of
// the mesh, which carry the distance through parts thinner than a cell.
//
// One run from all bones at once finds the nearest distance of every node; then each joint goes out
// again by itself, but only as far as its claim can matter.

#include "bind/geodesic.h"

#include "bind/sight.h"
#include "bind/way_heap.h"
#include "core/core.h"

#include <string.h>

const float tg_claimBand = 0.02f;

/// How far a joint walks, in terms of the nearest bone's distance: ways over 26 neighbours are up
/// to 13 % too long, and past its end a bone's distance counts twice.
static const float tg_walkRatio = 1.3f;
static const float tg_walkSlack = 3.0f; ///< cells

typedef struct tgLink {
    int node;
    float length;
} tgLink;

/// Nodes: the cells inside, then the vertices.
typedef struct tgWayGraph {
    const tgVoxels* voxels;
    const tgBones* bones;
    int cellCount, nodeCount;
    int* linkStart; ///< vertexCount + 1
    tgLink* links;  ///< the cells that each vertex sees
    int* backStart; ///< cellCount + 1
    tgLink* backs;  ///< the same from the cells
    float wayLengths[tg_wayCount];
    tgWayHeap heap;
    bool* isPast; ///< of each node: its way began at the end of a bone, where another goes on
    int* touched; ///< nodes met since the last reset
    int touchedCount;
    const float* limits; ///< of each node: the furthest that is still of use; NULL: anything
} tgWayGraph;

void tgTellProgress(const tgProgress* progress, const char* stage, int done, int total)
{
    if (progress->tell != NULL) {
        progress->tell(stage, done, total, progress->user);
    }
}

// ---- what a vertex sees ----

/// The cells inside round a point, and whether the way there is clear.
/// @return how many of at most 27
static int tgListSeenCells(const tgVoxels* voxels, tgVec3 p, int vertex, tgLink* seen)
{
    int at[3];
    tgVoxels_Locate(voxels, p, at);
    int count = 0;
    for (int i = 0; i < 27; ++i) {
        int to[3] = {at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1};
        if (to[0] < 0 || to[0] >= voxels->count[0] || to[1] < 0 || to[1] >= voxels->count[1] ||
            to[2] < 0 || to[2] >= voxels->count[2]) {
            continue;
        }
        int cell = tgVoxels_Cell(voxels, to[0], to[1], to[2]);
        tgVec3 center = tgVoxels_Center(voxels, cell);
        if (voxels->insideIndex[cell] >= 0 && tgIsClear(voxels, p, center, vertex)) {
            seen[count++] = (tgLink){voxels->insideIndex[cell], tgDistance(p, center)};
        }
    }
    return count;
}

static bool tgBuildLinks(tgWayGraph* graph, tgScratch* scratch)
{
    const tgVoxels* voxels = graph->voxels;
    int vertexCount = voxels->body->vertexCount;
    graph->linkStart = tgScratch_Take(scratch, (size_t)vertexCount + 1, sizeof(int));
    graph->backStart = tgScratch_Take(scratch, (size_t)graph->cellCount + 2, sizeof(int));
    graph->links = tgScratch_Take(scratch, 27 * (size_t)vertexCount, sizeof(tgLink));
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < vertexCount; ++v) {
        int start = graph->linkStart[v];
        int count = 0;
        if (!tgBody_IsLoose(voxels->body, v)) {
            count = tgListSeenCells(voxels, voxels->body->positions[v], v, graph->links + start);
        }
        graph->linkStart[v + 1] = start + count;
        for (int i = start; i < start + count; ++i) {
            graph->backStart[graph->links[i].node + 2] += 1;
        }
    }
    graph->backs =
        tgScratch_Take(scratch, (size_t)graph->linkStart[vertexCount] + 1, sizeof(tgLink));
    if (scratch->failed) {
        return false;
    }
    // backStart[c + 2] counted; backStart[c + 1] walks from the begin of c to its end.
    for (int c = 0; c < graph->cellCount; ++c) {
        graph->backStart[c + 2] += graph->backStart[c + 1];
    }
    for (int v = 0; v < vertexCount; ++v) {
        for (int i = graph->linkStart[v]; i < graph->linkStart[v + 1]; ++i) {
            tgLink link = graph->links[i];
            graph->backs[graph->backStart[link.node + 1]++] =
                (tgLink){graph->cellCount + v, link.length};
        }
    }
    return true;
}

/// Scratch for one vertex: its way to every joint.
typedef struct tgVertexWays {
    tgBoneWay* ways;
    bool* isTried;
} tgVertexWays;

/// The joint with the nearest claim that was not tried; -1 when there is none.
static int tgTakeNearest(const tgBones* bones, tgVertexWays* ways)
{
    int nearest = -1;
    for (int j = 0; j < bones->jointCount; ++j) {
        if (!ways->isTried[j] && ways->ways[j].distance < HUGE_VALF &&
            (nearest < 0 ||
             tgBoneWay_Claim(&ways->ways[j]) < tgBoneWay_Claim(&ways->ways[nearest]))) {
            nearest = j;
        }
    }
    if (nearest >= 0) {
        ways->isTried[nearest] = true;
    }
    return nearest;
}

/// Claims of the joints that a vertex sees, or of all when `mustSee` is false.
static void tgClaimStraight(const tgVoxels* voxels, const tgBones* bones, int v, bool mustSee,
                            tgVertexWays* ways, tgClaims* claims)
{
    tgVec3 p = voxels->body->positions[v];
    for (int j = 0; j < bones->jointCount; ++j) {
        ways->ways[j] = tgBones_Measure(bones, j, p);
        ways->isTried[j] = false;
    }
    for (int tries = 0; tries < 2 * tg_mostClaims; ++tries) {
        int j = tgTakeNearest(bones, ways);
        float claim = j >= 0 ? tgBoneWay_Claim(&ways->ways[j]) : HUGE_VALF;
        if (j < 0 || (claims->count > 0 && claim > (1.0f + tg_claimBand) * claims->distances[0])) {
            return;
        }
        if (!mustSee || tgIsClear(voxels, p, ways->ways[j].nearest, v)) {
            tgClaims_Add(claims, j, claim);
        }
    }
}

// ---- walking ----

static void tgOffer(tgWayGraph* graph, int node, float distance, bool isPast)
{
    if (graph->limits != NULL && distance > graph->limits[node]) {
        return;
    }
    bool isNew = graph->heap.distances[node] == HUGE_VALF;
    if (tgWayHeap_Offer(&graph->heap, node, distance)) {
        graph->isPast[node] = isPast;
        graph->touched[graph->touchedCount] = node;
        graph->touchedCount += isNew ? 1 : 0;
    }
}

static void tgReset(tgWayGraph* graph)
{
    for (int i = 0; i < graph->touchedCount; ++i) {
        graph->heap.distances[graph->touched[i]] = HUGE_VALF;
    }
    graph->touchedCount = 0;
}

/// A joint's bones, in samples half a cell apart, offer themselves to the cells they see; and to
/// the vertices that see them.
static void tgOfferJoint(tgWayGraph* graph, int joint, const int* seenStart, const int* seenBy)
{
    const tgVoxels* voxels = graph->voxels;
    for (int b = graph->bones->jointStart[joint]; b < graph->bones->jointStart[joint + 1]; ++b) {
        const tgBone* bone = &graph->bones->bones[b];
        double length = (double)tgDistance(bone->from, bone->to);
        int steps = (int)fmin(ceil(2.0 * length / voxels->size), 1e6);
        for (int i = 0; i <= steps; ++i) {
            bool isEnd = i == steps && steps > 0;
            bool isPast =
                steps > 0 && ((isEnd && bone->endsAtChild) || (i == 0 && bone->startsAtParent));
            tgVec3 p = isEnd
                           ? bone->to
                           : tgLerp(bone->from, bone->to, steps > 0 ? (float)i / (float)steps : 0);
            tgLink seen[27];
            int count = tgListSeenCells(voxels, p, -1, seen);
            for (int k = 0; k < count; ++k) {
                tgOffer(graph, seen[k].node, seen[k].length, isPast);
            }
        }
    }
    for (int i = seenStart[joint]; i < seenStart[joint + 1]; ++i) {
        int v = seenBy[i];
        tgBoneWay way = tgBones_Measure(graph->bones, joint, voxels->body->positions[v]);
        tgOffer(graph, graph->cellCount + v, way.distance, way.past > 0.0f);
    }
}

static void tgWalkFromCell(tgWayGraph* graph, int node)
{
    const tgVoxels* voxels = graph->voxels;
    float distance = graph->heap.distances[node];
    bool isPast = graph->isPast[node];
    int cell = voxels->insideCells[node];
    int at[3];
    tgVoxels_Unpack(voxels, cell, at);
    for (int w = 0; w < tg_wayCount; ++w) {
        // The grid has a margin, so neighbours of cells inside are in the grid.
        int step = tgVoxels_Cell(voxels, tg_ways[w][0], tg_ways[w][1], tg_ways[w][2]);
        int ahead = voxels->insideIndex[cell + step], behind = voxels->insideIndex[cell - step];
        if (ahead >= 0 && (voxels->cuts[cell] >> w & 1) == 0) {
            tgOffer(graph, ahead, distance + graph->wayLengths[w], isPast);
        }
        if (behind >= 0 && (voxels->cuts[cell - step] >> w & 1) == 0) {
            tgOffer(graph, behind, distance + graph->wayLengths[w], isPast);
        }
    }
    for (int i = graph->backStart[node]; i < graph->backStart[node + 1]; ++i) {
        tgOffer(graph, graph->backs[i].node, distance + graph->backs[i].length, isPast);
    }
}

static void tgWalkFromVertex(tgWayGraph* graph, int v)
{
    const tgBody* body = graph->voxels->body;
    float distance = graph->heap.distances[graph->cellCount + v];
    bool isPast = graph->isPast[graph->cellCount + v];
    for (int i = graph->linkStart[v]; i < graph->linkStart[v + 1]; ++i) {
        tgOffer(graph, graph->links[i].node, distance + graph->links[i].length, isPast);
    }
    for (int i = body->aroundStart[v]; i < body->aroundStart[v + 1]; ++i) {
        for (int k = 0; k < 3; ++k) {
            int other = body->triangles[3 * (size_t)body->around[i] + (size_t)k];
            if (other != v) {
                float length = tgDistance(body->positions[v], body->positions[other]);
                tgOffer(graph, graph->cellCount + other, distance + length, isPast);
            }
        }
    }
}

static void tgWalkAll(tgWayGraph* graph)
{
    while (graph->heap.count > 0) {
        int node = tgWayHeap_Take(&graph->heap);
        if (node < graph->cellCount) {
            tgWalkFromCell(graph, node);
        } else {
            tgWalkFromVertex(graph, node - graph->cellCount);
        }
    }
}

static bool tgOpenGraph(const tgVoxels* voxels, const tgBones* bones, tgScratch* scratch,
                        tgWayGraph* graph)
{
    *graph = (tgWayGraph){.voxels = voxels, .bones = bones, .cellCount = voxels->insideCount};
    graph->nodeCount = graph->cellCount + voxels->body->vertexCount;
    size_t count = (size_t)graph->nodeCount;
    graph->heap.nodes = tgScratch_Take(scratch, count, sizeof(int));
    graph->heap.places = tgScratch_Take(scratch, count, sizeof(int));
    graph->heap.distances = tgScratch_Take(scratch, count, sizeof(float));
    graph->isPast = tgScratch_Take(scratch, count, sizeof(bool));
    graph->touched = tgScratch_Take(scratch, count + 1, sizeof(int));
    if (scratch->failed || !tgBuildLinks(graph, scratch)) {
        return false;
    }
    for (int n = 0; n < graph->nodeCount; ++n) {
        graph->heap.places[n] = -1;
        graph->heap.distances[n] = HUGE_VALF;
    }
    for (int w = 0; w < tg_wayCount; ++w) {
        const int* way = tg_ways[w];
        graph->wayLengths[w] =
            (float)(voxels->size * sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
    }
    return true;
}

// ---- claims ----

/// For each joint the vertices that it was seen from.
static bool tgListSeenBy(const tgClaims* claims, int vertexCount, int jointCount,
                         tgScratch* scratch, int** start, int** list)
{
    int* from = tgScratch_Take(scratch, (size_t)jointCount + 2, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < vertexCount; ++v) {
        for (int i = 0; i < claims[v].count; ++i) {
            from[claims[v].joints[i] + 2] += 1;
        }
    }
    for (int j = 0; j < jointCount; ++j) {
        from[j + 2] += from[j + 1];
    }
    *list = tgScratch_Take(scratch, (size_t)from[jointCount + 1] + 1, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < vertexCount; ++v) {
        for (int i = 0; i < claims[v].count; ++i) {
            (*list)[from[claims[v].joints[i] + 1]++] = v;
        }
    }
    *start = from;
    return true;
}

/// Walks from each joint in turn and adds what it reaches to the claims.
static bool tgClaimByWalking(tgWayGraph* graph, const tgProgress* progress, tgScratch* scratch,
                             tgClaims* claims)
{
    int vertexCount = graph->voxels->body->vertexCount, jointCount = graph->bones->jointCount;
    int *seenStart = NULL, *seenBy = NULL;
    float* limits = tgScratch_Take(scratch, (size_t)graph->nodeCount, sizeof(float));
    if (scratch->failed ||
        !tgListSeenBy(claims, vertexCount, jointCount, scratch, &seenStart, &seenBy)) {
        return false;
    }
    for (int j = 0; j < jointCount; ++j) {
        tgOfferJoint(graph, j, seenStart, seenBy);
    }
    tgWalkAll(graph);
    for (int n = 0; n < graph->nodeCount; ++n) {
        limits[n] =
            tg_walkRatio * graph->heap.distances[n] + tg_walkSlack * (float)graph->voxels->size;
    }
    tgReset(graph);
    graph->limits = limits;
    for (int j = 0; j < jointCount; ++j) {
        tgTellProgress(progress, "distances", j, jointCount);
        tgOfferJoint(graph, j, seenStart, seenBy);
        tgWalkAll(graph);
        for (int i = 0; i < graph->touchedCount; ++i) {
            int node = graph->touched[i];
            if (node >= graph->cellCount) {
                // Round a corner, what begins at a bone's end is another's. No way is shorter
                // than the straight one.
                int v = node - graph->cellCount;
                tgBoneWay way = tgBones_Measure(graph->bones, j, graph->voxels->body->positions[v]);
                float walked = graph->heap.distances[node] * (graph->isPast[node] ? 2.0f : 1.0f);
                tgClaims_Add(&claims[v], j, fmaxf(walked, tgBoneWay_Claim(&way)));
            }
        }
        tgReset(graph);
    }
    return true;
}

tgResult tgMeasureGeodesics(const tgVoxels* voxels, const tgBones* bones,
                            const tgProgress* progress, tgScratch* scratch, tgClaims* claims,
                            bool* isReached, tgError* error)
{
    const tgBody* body = voxels->body;
    tgWayGraph graph;
    tgVertexWays ways = {
        .ways = tgScratch_Take(scratch, (size_t)bones->jointCount, sizeof(tgBoneWay)),
        .isTried = tgScratch_Take(scratch, (size_t)bones->jointCount, sizeof(bool)),
    };
    if (scratch->failed || !tgOpenGraph(voxels, bones, scratch, &graph)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the distances");
    }
    for (int v = 0; v < body->vertexCount; ++v) {
        if (!tgBody_IsLoose(body, v) && voxels->insideCount > 0) {
            tgClaimStraight(voxels, bones, v, true, &ways, &claims[v]);
        }
    }
    if (voxels->insideCount > 0 && !tgClaimByWalking(&graph, progress, scratch, claims)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the distances");
    }
    for (int v = 0; v < body->vertexCount; ++v) {
        isReached[v] = claims[v].count > 0;
        if (!isReached[v]) {
            tgClaimStraight(voxels, bones, v, false, &ways, &claims[v]);
        }
    }
    return tg_success;
}
