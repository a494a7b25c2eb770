// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which way faces look. Flood fill makes neighbours agree, patch by patch; then each piece is
// turned outwards by the sign of its volume. Also finds the pieces.

#include "core/topology.h"
#include "core/volume.h"

void tgMesh_FlipFace(tgMesh* mesh, int f)
{
    // Keep the first corner and reverse the others.
    int last = tgMesh_SideCount(mesh, f) - 1;
    int* lists[2] = {tgMesh_Corners(mesh, f), tgMesh_RenderCorners(mesh, f)};
    for (int i = 0; i < 2; ++i) {
        int swap = lists[i][1];
        lists[i][1] = lists[i][last];
        lists[i][last] = swap;
    }
}

/// What the flood fill knows of a face.
enum { tg_unseen = 0, tg_asGiven = 1, tg_toTurn = 2 };

/// Visit every face of the patch around `seed`; they end up in queue[0..return).
/// @param isOneSided out: two ways to a face do not agree on how to turn it
static int tgFloodPatch(const tgMesh* mesh, const tgEdges* edges, int seed, unsigned char* state,
                        int* queue, bool* isOneSided)
{
    int count = 1;
    *isOneSided = false;
    queue[0] = seed;
    state[seed] = tg_asGiven;
    for (int at = 0; at < count; ++at) {
        int f = queue[at];
        const int* sides = edges->faceEdges + tgMesh_FirstSide(mesh, f);
        for (int k = 0; k < tgMesh_SideCount(mesh, f); ++k) {
            int first = edges->edgeStart[sides[k]];
            // Where three or more faces meet there is no telling which ones belong together.
            if (edges->edgeStart[sides[k] + 1] - first != 2) {
                continue;
            }
            const tgEdgeUse* here = &edges->uses[first];
            const tgEdgeUse* there = here + 1;
            int other = here->face == f ? there->face : here->face;
            bool same = here->forward == there->forward;
            bool turn = (state[f] == tg_toTurn) != same;
            if (state[other] != tg_unseen) {
                *isOneSided |= (state[other] == tg_toTurn) != turn;
                continue;
            }
            state[other] = turn ? tg_toTurn : tg_asGiven;
            queue[count++] = other;
        }
    }
    return count;
}

bool tgOrientPatches(tgMesh* mesh, const tgEdges* edges, tgScratch* scratch, bool* turned,
                     bool* conflicts)
{
    int faceCount = mesh->triangleCount + mesh->quadCount;
    unsigned char* state = tgScratch_Take(scratch, (size_t)faceCount, 1);
    int* queue = tgScratch_Take(scratch, (size_t)faceCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int seed = 0; seed < faceCount; ++seed) {
        if (state[seed] != tg_unseen) {
            continue;
        }
        int count = tgFloodPatch(mesh, edges, seed, state, queue, &conflicts[seed]);
        if (conflicts[seed]) {
            continue;
        }
        int toTurn = 0;
        for (int i = 0; i < count; ++i) {
            toTurn += state[queue[i]] == tg_toTurn;
        }
        int minority = 2 * toTurn > count ? tg_asGiven : tg_toTurn;
        for (int i = 0; i < count; ++i) {
            if (state[queue[i]] == minority) {
                tgMesh_FlipFace(mesh, queue[i]);
                turned[queue[i]] = !turned[queue[i]];
            }
        }
    }
    return true;
}

static int tgFindRoot(int* parents, int v)
{
    while (parents[v] != v) {
        parents[v] = parents[parents[v]];
        v = parents[v];
    }
    return v;
}

bool tgFindComponents(tgMesh* mesh, tgScratch* scratch)
{
    int* parents = tgScratch_Take(scratch, (size_t)mesh->vertexCount, sizeof(int));
    mesh->vertexComponent = tgScratch_Take(scratch, (size_t)mesh->vertexCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        parents[v] = v;
        mesh->vertexComponent[v] = -1;
    }
    for (int f = 0; f < mesh->triangleCount + mesh->quadCount; ++f) {
        const int* corners = tgMesh_Corners(mesh, f);
        for (int k = 0; k < tgMesh_SideCount(mesh, f); ++k) {
            int a = tgFindRoot(parents, corners[0]), b = tgFindRoot(parents, corners[k]);
            // The lower vertex becomes the root, so numbers do not depend on the order of faces.
            parents[a > b ? a : b] = a > b ? b : a;
            mesh->vertexComponent[corners[k]] = 0;
        }
    }
    mesh->componentCount = 0;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        if (mesh->vertexComponent[v] < 0) {
            continue; // no face uses it
        }
        int root = tgFindRoot(parents, v);
        mesh->vertexComponent[v] = root == v ? mesh->componentCount++ : mesh->vertexComponent[root];
    }
    return true;
}

/// Adds the cones over all faces and caps to the volume of their piece.
static void tgSumComponentVolumes(const tgMesh* mesh, const float* positions, double* volumes)
{
    // With its caps every piece is closed, so any origin gives its volume.
    const double origin[3] = {(double)positions[0], (double)positions[1], (double)positions[2]};
    for (int t = 0; t < mesh->triangleCount + mesh->capTriangleCount; ++t) {
        const int* corners = mesh->triangles + 3 * (size_t)t;
        volumes[mesh->vertexComponent[corners[0]]] += tgTriangleCone(corners, positions, origin);
    }
    for (int q = 0; q < mesh->quadCount; ++q) {
        const int* corners = mesh->quads + 4 * (size_t)q;
        volumes[mesh->vertexComponent[corners[0]]] += tgQuadCone(corners, positions, origin);
    }
}

bool tgOrientOutwards(tgMesh* mesh, const float* positions, tgScratch* scratch, bool* turned)
{
    double* volumes = tgScratch_Take(scratch, (size_t)mesh->componentCount, sizeof(double));
    if (scratch->failed) {
        return false;
    }
    tgSumComponentVolumes(mesh, positions, volumes);
    for (int f = 0; f < mesh->triangleCount + mesh->quadCount; ++f) {
        int first = tgMesh_Corners(mesh, f)[0];
        if (tgMesh_HasInside(mesh, first) && volumes[mesh->vertexComponent[first]] < 0.0) {
            tgMesh_FlipFace(mesh, f);
            turned[f] = !turned[f];
        }
    }
    int* cap = mesh->triangles + 3 * (size_t)mesh->triangleCount;
    for (int t = 0; t < mesh->capTriangleCount; ++t, cap += 3) {
        if (volumes[mesh->vertexComponent[cap[0]]] < 0.0) {
            int swap = cap[0];
            cap[0] = cap[1];
            cap[1] = swap;
        }
    }
    return true;
}
