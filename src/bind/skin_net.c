// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pieces of the mesh: the largest is the body. Small ones, as eyes and nails, are left to the
// weights. Others that come near to the body, as legs that are stuck on, are bridged to it. The
// ways of a vertex are its edges, its bridges, and the straight lines across each edge against it,
// which bring distances over the edges near to those over the surface.

#include "bind/skin_net.h"

#include "core/core.h"

#include <stdlib.h>
#include <string.h>

/// Fractions of the diagonal: smaller pieces are left out; a piece further off is not bridged; as
/// far as this each of its vertices gets a bridge.
static const float tg_smallPiece = 0.12f, tg_bridgeGap = 0.03f, tg_bridgeReach = 0.009f;
/// Or as far as this many times the smallest gap.
static const float tg_bridgeSpread = 1.5f;

/// A body has at least this part of all skin.
static const double tg_leastBody = 0.2;

typedef struct tgPiece {
    tgVec3 low, high;
    double area;
    float gap; ///< to the body
    bool isIn; ///< it belongs to the body
    bool isSmall;
} tgPiece;

/// What is only needed while the net is made.
typedef struct tgNetBuild {
    const tgBody* body;
    tgScratch* scratch;
    tgPiece* pieces;
    int pieceCount;
    int* order; ///< net vertex to body vertex
    int* netOf; ///< body vertex to net vertex, -1 for none
    int* faces; ///< triangles of the body that are in, in body vertices
    int faceCount;
    tgBridge* bridges; ///< in body vertices
    int bridgeCount, bridgeRoom;
} tgNetBuild;

static double tgMeasureTriangle(tgVec3 a, tgVec3 b, tgVec3 c)
{
    tgVec3d u = tgSubD(tgVec3d_FromFloat(b), tgVec3d_FromFloat(a));
    tgVec3d v = tgSubD(tgVec3d_FromFloat(c), tgVec3d_FromFloat(a));
    return 0.5 * tgLengthD(tgCrossD(u, v));
}

// ---- pieces ----

static bool tgListPieces(tgNetBuild* build)
{
    const tgBody* body = build->body;
    build->pieceCount = body->mesh.componentCount;
    build->pieces = tgScratch_Take(build->scratch, (size_t)build->pieceCount + 1, sizeof(tgPiece));
    if (build->scratch->failed) {
        return false;
    }
    for (int p = 0; p < build->pieceCount; ++p) {
        build->pieces[p].low = tgMakeVec3(HUGE_VALF, HUGE_VALF, HUGE_VALF);
        build->pieces[p].high = tgMakeVec3(-HUGE_VALF, -HUGE_VALF, -HUGE_VALF);
        build->pieces[p].gap = HUGE_VALF;
    }
    for (int t = 0; t < body->realCount; ++t) {
        const int* c = body->triangles + 3 * (size_t)t;
        tgPiece* piece = &build->pieces[body->mesh.vertexComponent[c[0]]];
        piece->area += tgMeasureTriangle(tgBody_Corner(body, t, 0), tgBody_Corner(body, t, 1),
                                         tgBody_Corner(body, t, 2));
        for (int k = 0; k < 3; ++k) {
            tgVec3 p = body->positions[c[k]];
            piece->low = tgMakeVec3(fminf(piece->low.x, p.x), fminf(piece->low.y, p.y),
                                    fminf(piece->low.z, p.z));
            piece->high = tgMakeVec3(fmaxf(piece->high.x, p.x), fmaxf(piece->high.y, p.y),
                                     fmaxf(piece->high.z, p.z));
        }
    }
    int largest = -1;
    for (int p = 0; p < build->pieceCount; ++p) {
        tgPiece* piece = &build->pieces[p];
        float across = piece->high.x >= piece->low.x ? tgDistance(piece->low, piece->high) : 0.0f;
        piece->isSmall = !(across >= tg_smallPiece * body->diagonal);
        if (piece->area > 0.0 && (largest < 0 || piece->area > build->pieces[largest].area)) {
            largest = p;
        }
    }
    if (largest >= 0) {
        build->pieces[largest].isIn = true;
        build->pieces[largest].isSmall = false;
    }
    return true;
}

static bool tgGatherFaces(tgNetBuild* build, tgSurface* surface, tgBvh* tree, bool wantsTree)
{
    const tgBody* body = build->body;
    build->faceCount = 0;
    for (int t = 0; t < body->realCount; ++t) {
        const int* c = body->triangles + 3 * (size_t)t;
        if (build->pieces[body->mesh.vertexComponent[c[0]]].isIn) {
            memcpy(build->faces + 3 * (size_t)build->faceCount++, c, 3 * sizeof(int));
        }
    }
    if (!wantsTree) {
        return true;
    }
    *surface = (tgSurface){
        {&body->positions->x, body->vertexCount, sizeof(tgVec3)}, build->faces, build->faceCount};
    void* memory = tgScratch_Take(build->scratch, tgBvh_GetSize(build->faceCount) + 1, 1);
    if (build->scratch->failed) {
        return false;
    }
    tgBvh_Build(tree, surface, memory);
    return true;
}

/// The corner of a triangle that is nearest to a place on it.
static int tgNearestCorner(const int* triangles, const tgClosestPoint* place)
{
    int best = 0;
    for (int k = 1; k < 3; ++k) {
        best = place->weights[k] > place->weights[best] ? k : best;
    }
    return triangles[3 * (size_t)place->triangle + (size_t)best];
}

static bool tgAddBridge(tgNetBuild* build, tgBridge bridge)
{
    if (build->bridgeCount == build->bridgeRoom) {
        int room = build->bridgeRoom > 0 ? 2 * build->bridgeRoom : 64;
        tgBridge* bridges = tgScratch_Take(build->scratch, (size_t)room, sizeof(tgBridge));
        if (bridges == NULL) {
            return false;
        }
        if (build->bridgeCount > 0) {
            memcpy(bridges, build->bridges, (size_t)build->bridgeCount * sizeof(tgBridge));
        }
        build->bridges = bridges;
        build->bridgeRoom = room;
    }
    build->bridges[build->bridgeCount++] = bridge;
    return true;
}

/// One round: pieces that come near to what is in by now. How many joined, -1 without memory.
static int tgBridgePieces(tgNetBuild* build, tgClosestPoint* places)
{
    const tgBody* body = build->body;
    tgSurface surface;
    tgBvh tree;
    if (!tgGatherFaces(build, &surface, &tree, true)) {
        return -1;
    }
    double within = (double)(tg_bridgeGap * body->diagonal);
    for (int v = 0; v < body->vertexCount; ++v) {
        tgPiece* piece = &build->pieces[body->mesh.vertexComponent[v]];
        places[v].triangle = -1;
        if (piece->isIn || piece->isSmall || tgBody_IsLoose(body, v)) {
            continue;
        }
        if (tgBvh_FindClosest(&tree, &surface, body->positions[v], within, &places[v])) {
            piece->gap = fminf(piece->gap, (float)sqrt(places[v].distanceSquared));
        } else {
            places[v].triangle = -1;
        }
    }
    int joined = 0;
    for (int v = 0; v < body->vertexCount; ++v) {
        tgPiece* piece = &build->pieces[body->mesh.vertexComponent[v]];
        float reach = fmaxf(tg_bridgeReach * body->diagonal, tg_bridgeSpread * piece->gap);
        if (places[v].triangle >= 0 && (float)sqrt(places[v].distanceSquared) <= reach) {
            int to = tgNearestCorner(build->faces, &places[v]);
            float length = tgDistance(body->positions[v], body->positions[to]);
            if (!tgAddBridge(build, (tgBridge){v, to, length})) {
                return -1;
            }
        }
    }
    for (int p = 0; p < build->pieceCount; ++p) {
        tgPiece* piece = &build->pieces[p];
        if (!piece->isIn && !piece->isSmall && piece->gap < HUGE_VALF) {
            piece->isIn = true;
            joined += 1;
        }
    }
    return joined;
}

static bool tgJoinPieces(tgNetBuild* build, tgSkinNet* net)
{
    enum { tg_mostRounds = 8 };
    const tgBody* body = build->body;
    build->faces = tgScratch_Take(build->scratch, 3 * (size_t)body->realCount, sizeof(int));
    tgClosestPoint* places =
        tgScratch_Take(build->scratch, (size_t)body->vertexCount, sizeof(tgClosestPoint));
    if (build->scratch->failed || !tgListPieces(build)) {
        return false;
    }
    int waiting = 0;
    for (int p = 0; p < build->pieceCount; ++p) {
        net->pieceCount += build->pieces[p].area > 0.0;
        waiting += !build->pieces[p].isIn && !build->pieces[p].isSmall;
    }
    for (int round = 0; round < tg_mostRounds && waiting > 0; ++round) {
        int joined = tgBridgePieces(build, places);
        if (joined < 0) {
            return false;
        }
        net->bridgedCount += joined;
        waiting -= joined;
        if (joined == 0) {
            break;
        }
    }
    net->leftCount = net->pieceCount - 1 - net->bridgedCount;
    return tgGatherFaces(build, NULL, NULL, false);
}

// ---- an order that only places decide ----

typedef struct tgSortedPlace {
    tgVec3 p;
    int vertex;
} tgSortedPlace;

static int tgComparePlaces(const void* left, const void* right)
{
    const tgSortedPlace *a = left, *b = right;
    if (a->p.x != b->p.x) {
        return a->p.x < b->p.x ? -1 : 1;
    }
    if (a->p.y != b->p.y) {
        return a->p.y < b->p.y ? -1 : 1;
    }
    if (a->p.z != b->p.z) {
        return a->p.z < b->p.z ? -1 : 1;
    }
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

static int tgCompareTriangles(const void* left, const void* right)
{
    const int *a = left, *b = right;
    for (int k = 0; k < 3; ++k) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

static bool tgOrderVertices(tgNetBuild* build, tgSkinNet* net)
{
    const tgBody* body = build->body;
    size_t most = (size_t)body->vertexCount;
    tgSortedPlace* sorted = tgScratch_Take(build->scratch, most, sizeof(tgSortedPlace));
    build->netOf = tgScratch_Take(build->scratch, most, sizeof(int));
    if (build->scratch->failed) {
        return false;
    }
    for (int v = 0; v < body->vertexCount; ++v) {
        build->netOf[v] = -1;
        if (!tgBody_IsLoose(body, v) && build->pieces[body->mesh.vertexComponent[v]].isIn) {
            sorted[net->vertexCount++] = (tgSortedPlace){body->positions[v], v};
        }
    }
    qsort(sorted, (size_t)net->vertexCount, sizeof(tgSortedPlace), tgComparePlaces);
    net->positions = tgScratch_Take(build->scratch, (size_t)net->vertexCount, sizeof(tgVec3));
    if (build->scratch->failed) {
        return false;
    }
    for (int v = 0; v < net->vertexCount; ++v) {
        net->positions[v] = sorted[v].p;
        build->netOf[sorted[v].vertex] = v;
    }
    return true;
}

/// Each from its lowest corner on, sorted.
static bool tgOrderTriangles(tgNetBuild* build, tgSkinNet* net)
{
    net->triangles = tgScratch_Take(build->scratch, 3 * (size_t)build->faceCount, sizeof(int));
    net->areas = tgScratch_Take(build->scratch, (size_t)net->vertexCount, sizeof(double));
    net->aroundStart = tgScratch_Take(build->scratch, (size_t)net->vertexCount + 1, sizeof(int));
    net->around = tgScratch_Take(build->scratch, 3 * (size_t)build->faceCount, sizeof(int));
    int* walk = tgScratch_Take(build->scratch, (size_t)net->vertexCount, sizeof(int));
    if (build->scratch->failed) {
        return false;
    }
    net->triangleCount = build->faceCount;
    for (int t = 0; t < build->faceCount; ++t) {
        int corners[3];
        for (int k = 0; k < 3; ++k) {
            corners[k] = build->netOf[build->faces[3 * (size_t)t + (size_t)k]];
        }
        int first = corners[1] < corners[0] ? 1 : 0;
        first = corners[2] < corners[first] ? 2 : first;
        for (int k = 0; k < 3; ++k) {
            net->triangles[3 * (size_t)t + (size_t)k] = corners[(first + k) % 3];
        }
    }
    qsort(net->triangles, (size_t)net->triangleCount, 3 * sizeof(int), tgCompareTriangles);
    for (int i = 0; i < 3 * net->triangleCount; ++i) {
        net->aroundStart[net->triangles[i] + 1] += 1;
    }
    for (int v = 0; v < net->vertexCount; ++v) {
        net->aroundStart[v + 1] += net->aroundStart[v];
        walk[v] = net->aroundStart[v];
    }
    for (int i = 0; i < 3 * net->triangleCount; ++i) {
        net->around[walk[net->triangles[i]]++] = i / 3;
    }
    for (int t = 0; t < net->triangleCount; ++t) {
        const int* c = net->triangles + 3 * (size_t)t;
        double area =
            tgMeasureTriangle(net->positions[c[0]], net->positions[c[1]], net->positions[c[2]]);
        net->area += area;
        for (int k = 0; k < 3; ++k) {
            net->areas[c[k]] += area / 3.0;
        }
    }
    return true;
}

// ---- ways ----

static int tgCompareEdges(const void* left, const void* right)
{
    const tgNetEdge *a = left, *b = right;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

static bool tgListEdges(tgSkinNet* net, tgScratch* scratch)
{
    net->edgeCount = 3 * net->triangleCount;
    net->edges = tgScratch_Take(scratch, (size_t)net->edgeCount, sizeof(tgNetEdge));
    if (scratch->failed) {
        return false;
    }
    for (int i = 0; i < net->edgeCount; ++i) {
        int a = net->triangles[i], b = net->triangles[i % 3 < 2 ? i + 1 : i - 2];
        net->edges[i] = (tgNetEdge){a < b ? a : b, a < b ? b : a, i / 3};
    }
    qsort(net->edges, (size_t)net->edgeCount, sizeof(tgNetEdge), tgCompareEdges);
    return true;
}

static int tgOppositeCorner(const tgSkinNet* net, const tgNetEdge* edge)
{
    const int* c = net->triangles + 3 * (size_t)edge->triangle;
    for (int k = 0; k < 3; ++k) {
        if (c[k] != edge->low && c[k] != edge->high) {
            return c[k];
        }
    }
    return edge->low;
}

/// The straight way from c to d over two triangles at the edge a b laid flat; 0 when it does not
/// cross the edge.
static float tgMeasureAcross(const tgSkinNet* net, int a, int b, int c, int d)
{
    tgVec3d along = tgSubD(tgSkinNet_Place(net, b), tgSkinNet_Place(net, a));
    tgVec3d toC = tgSubD(tgSkinNet_Place(net, c), tgSkinNet_Place(net, a));
    tgVec3d toD = tgSubD(tgSkinNet_Place(net, d), tgSkinNet_Place(net, a));
    double length = tgLengthD(along);
    if (!(length > 0.0)) {
        return 0.0f;
    }
    double cx = tgDotD(toC, along) / length, dx = tgDotD(toD, along) / length;
    double cy = sqrt(fmax(tgDotD(toC, toC) - cx * cx, 0.0));
    double dy = sqrt(fmax(tgDotD(toD, toD) - dx * dx, 0.0));
    if (!(cy + dy > 0.0)) {
        return 0.0f;
    }
    double at = (cx * dy + dx * cy) / (cy + dy);
    return at > 0.0 && at < length ? (float)sqrt((cx - dx) * (cx - dx) + (cy + dy) * (cy + dy))
                                   : 0.0f;
}

/// Counts (`ways` NULL) or lists a way both there and back.
static void tgPutWay(int* walk, tgWay* ways, int a, int b, float length)
{
    if (ways != NULL) {
        ways[walk[a]] = (tgWay){b, length};
        ways[walk[b]] = (tgWay){a, length};
    }
    walk[a] += 1;
    walk[b] += 1;
}

static void tgPutLinks(const tgSkinNet* net, int* walk, tgWay* ways)
{
    for (int i = 0; i < net->edgeCount; ++i) {
        const tgNetEdge* edge = &net->edges[i];
        if (i == 0 || edge[-1].low != edge->low || edge[-1].high != edge->high) {
            tgPutWay(walk, ways, edge->low, edge->high,
                     tgDistance(net->positions[edge->low], net->positions[edge->high]));
        }
    }
    for (int i = 0; i < net->bridgeCount; ++i) {
        tgPutWay(walk, ways, net->bridges[i].from, net->bridges[i].to, net->bridges[i].length);
    }
}

static void tgPutStraightWays(const tgSkinNet* net, int* walk, tgWay* ways)
{
    for (int i = 0; i + 1 < net->edgeCount;) {
        const tgNetEdge* edge = &net->edges[i];
        int count = 1;
        while (i + count < net->edgeCount && edge[count].low == edge->low &&
               edge[count].high == edge->high) {
            count += 1;
        }
        int c = tgOppositeCorner(net, edge), d = count == 2 ? tgOppositeCorner(net, edge + 1) : c;
        float length = c != d ? tgMeasureAcross(net, edge->low, edge->high, c, d) : 0.0f;
        if (length > 0.0f) {
            tgPutWay(walk, ways, c, d, length);
        }
        i += count;
    }
}

static bool tgListWays(tgSkinNet* net, tgScratch* scratch)
{
    size_t count = (size_t)net->vertexCount;
    net->wayStart = tgScratch_Take(scratch, count + 1, sizeof(int));
    net->linkEnd = tgScratch_Take(scratch, count, sizeof(int));
    int* walk = tgScratch_Take(scratch, count, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    tgPutLinks(net, net->wayStart + 1, NULL);
    tgPutStraightWays(net, net->wayStart + 1, NULL);
    for (size_t v = 0; v < count; ++v) {
        net->wayStart[v + 1] += net->wayStart[v];
        walk[v] = net->wayStart[v];
    }
    net->ways = tgScratch_Take(scratch, (size_t)net->wayStart[count] + 1, sizeof(tgWay));
    if (scratch->failed) {
        return false;
    }
    tgPutLinks(net, walk, net->ways);
    memcpy(net->linkEnd, walk, count * sizeof(int));
    tgPutStraightWays(net, walk, net->ways);
    return true;
}

static bool tgPlantTree(tgSkinNet* net, tgScratch* scratch)
{
    net->surface = (tgSurface){
        {&net->positions->x, net->vertexCount, sizeof(tgVec3)}, net->triangles, net->triangleCount};
    void* memory = tgScratch_Take(scratch, tgBvh_GetSize(net->triangleCount) + 1, 1);
    if (scratch->failed) {
        return false;
    }
    tgBvh_Build(&net->tree, &net->surface, memory);
    net->low = net->high = net->positions[0];
    for (int v = 1; v < net->vertexCount; ++v) {
        tgVec3 p = net->positions[v];
        net->low =
            tgMakeVec3(fminf(net->low.x, p.x), fminf(net->low.y, p.y), fminf(net->low.z, p.z));
        net->high =
            tgMakeVec3(fmaxf(net->high.x, p.x), fmaxf(net->high.y, p.y), fmaxf(net->high.z, p.z));
    }
    net->diagonal = (double)tgDistance(net->low, net->high);
    return true;
}

/// How much of the skin is in the net.
static double tgMeasureBodyPart(const tgNetBuild* build)
{
    double body = 0.0, all = 0.0;
    for (int p = 0; p < build->pieceCount; ++p) {
        all += build->pieces[p].area;
        body += build->pieces[p].isIn ? build->pieces[p].area : 0.0;
    }
    return body / all;
}

tgResult tgBuildSkinNet(const tgBody* body, tgScratch* scratch, tgSkinNet* net, tgError* error)
{
    *net = (tgSkinNet){0};
    tgNetBuild build = {.body = body, .scratch = scratch};
    if (!tgJoinPieces(&build, net)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the pieces of the mesh");
    }
    if (build.faceCount == 0) {
        return tgFail(error, tg_invalidMesh, -1, "no face has an area");
    }
    double part = tgMeasureBodyPart(&build);
    if (part < tg_leastBody) {
        return tgFail(error, tg_invalidMesh, -1,
                      "the mesh is in %d pieces, the largest that hang together have %.1f %% of "
                      "its skin, wanted %.0f %%: weld its vertices or join its pieces",
                      net->pieceCount, 100.0 * part, 100.0 * tg_leastBody);
    }
    if (!tgOrderVertices(&build, net) || !tgOrderTriangles(&build, net)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the net");
    }
    net->bridgeCount = build.bridgeCount;
    net->bridges = build.bridges;
    for (int i = 0; i < net->bridgeCount; ++i) {
        net->bridges[i].from = build.netOf[net->bridges[i].from];
        net->bridges[i].to = build.netOf[net->bridges[i].to];
    }
    if (!tgListEdges(net, scratch) || !tgListWays(net, scratch) || !tgPlantTree(net, scratch)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the net");
    }
    return tg_success;
}

// ---- walking ----

bool tgOpenWalker(int vertexCount, tgScratch* scratch, tgWalker* walker)
{
    size_t count = (size_t)vertexCount;
    *walker = (tgWalker){
        .heap = {.nodes = tgScratch_Take(scratch, count, sizeof(int)),
                 .places = tgScratch_Take(scratch, count, sizeof(int)),
                 .distances = tgScratch_Take(scratch, count, sizeof(float))},
        .reached = tgScratch_Take(scratch, count, sizeof(int)),
    };
    for (int v = 0; v < vertexCount && !scratch->failed; ++v) {
        walker->heap.places[v] = -1;
        walker->heap.distances[v] = HUGE_VALF;
    }
    return !scratch->failed;
}

void tgWalkFrom(const tgSkinNet* net, tgWalker* walker, int vertex, float radius)
{
    tgWayHeap* heap = &walker->heap;
    for (int v = 0; v < net->vertexCount; ++v) {
        heap->places[v] = -1;
        heap->distances[v] = HUGE_VALF;
    }
    heap->count = 0;
    walker->reachedCount = 0;
    tgWayHeap_Offer(heap, vertex, 0.0f);
    while (heap->count > 0) {
        int v = tgWayHeap_Take(heap);
        float here = heap->distances[v];
        if (here > radius) {
            break;
        }
        walker->reached[walker->reachedCount++] = v;
        for (int i = net->wayStart[v]; i < net->wayStart[v + 1]; ++i) {
            tgWayHeap_Offer(heap, net->ways[i].to, here + net->ways[i].length);
        }
    }
}
