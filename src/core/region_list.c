// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What each region reads and moves: the vertices that take its correction, its faces and the others
// round those vertices, the joints it follows. Runs once, at creation.

#include "core/kernels.h"
#include "core/region_maker.h"

#include <stdlib.h>
#include <string.h>

/// A vertex that takes, with what its place in the list goes by: then the inner loop of the gather
/// runs as often for a vertex as for the one before, mostly.
typedef struct tgTaker {
    int region, across, corners, vertex;
} tgTaker;

static int tgCompareTakers(const void* a, const void* b)
{
    const int *left = (const int*)a, *right = (const int*)b;
    int i = 0;
    while (i < 3 && left[i] == right[i]) {
        i += 1;
    }
    return (left[i] > right[i]) - (left[i] < right[i]);
}

/// All takers, sorted; NULL without memory.
static tgTaker* tgSortTakers(const tgRegionMaker* maker, int* count)
{
    const tgMesh* mesh = maker->source->mesh;
    tgTaker* takers = tgScratch_Take(maker->scratch, (size_t)mesh->vertexCount, sizeof(tgTaker));
    *count = 0;
    for (int v = 0; takers != NULL && v < mesh->vertexCount; ++v) {
        if (maker->vertexRegion[v] >= 0 && maker->gamma[v] > 0.0f) {
            int corners = mesh->cornerStart[v + 1] - mesh->cornerStart[v];
            takers[(*count)++] = (tgTaker){maker->vertexRegion[v], maker->across[v], corners, v};
        }
    }
    if (takers != NULL) {
        qsort(takers, (size_t)*count, sizeof(tgTaker), tgCompareTakers);
    }
    return takers;
}

/// Adds the sorted takers of one seam, padded to whole lanes.
static void tgAddSeam(tgRegionMaker* maker, const tgTaker* takers, int count)
{
    tgRegions* out = maker->out;
    tgSeam* seam = &out->seams[out->seamCount++];
    *seam = (tgSeam){takers[0].across, out->takerCount, tgRoundToLane(count)};
    for (int i = 0; i < seam->takerCount; ++i) {
        int v = takers[i < count ? i : 0].vertex, at = out->takerCount++;
        out->takers[at] = v;
        out->map[at] = i < count ? maker->map[v] : 0.0f;
        out->gamma[at] = i < count ? maker->gamma[v] : 0.0f;
        out->shares[at] = maker->shares[v];
    }
}

/// Takers region by region, and in each seam by seam.
static bool tgListTakers(tgRegionMaker* maker)
{
    tgRegions* out = maker->out;
    int count = 0, i = 0;
    tgTaker* takers = tgSortTakers(maker, &count);
    size_t room = (size_t)count * tg_lane; // a seam may have one vertex
    out->seams = tgScratch_Take(maker->scratch, (size_t)count, sizeof(tgSeam));
    out->takers = tgScratch_Take(maker->scratch, room, sizeof(int));
    out->map = tgScratch_Take(maker->scratch, room, sizeof(float));
    out->gamma = tgScratch_Take(maker->scratch, room, sizeof(float));
    out->shares = tgScratch_Take(maker->scratch, room, sizeof(float));
    if (maker->scratch->failed) {
        return false;
    }
    for (int r = 0; r < out->count; ++r) {
        tgRegion* region = &out->regions[r];
        region->firstSeam = out->seamCount;
        region->firstTaker = out->takerCount;
        while (i < count && takers[i].region == r) {
            int begin = i;
            while (i < count && takers[i].region == r && takers[i].across == takers[begin].across) {
                i += 1;
            }
            tgAddSeam(maker, takers + begin, i - begin);
        }
        region->seamCount = out->seamCount - region->firstSeam;
        region->takerCount = out->takerCount - region->firstTaker;
    }
    return true;
}

// ---- faces --------------------------------------------------------------------------------------

/// Where faces went. A face is known by the slot of its first corner in the whole mesh (mesh.h).
typedef struct tgFaceTable {
    int* ownStart; ///< of each region's own faces in `own`, and the end
    int* own;
    int* stamps;    ///< for each slot: region + 1 that has the face already
    int* locals;    ///< its number there
    int* loopStart; ///< of each vertex in loopList, and the end
    int* loopList;  ///< boundary loops
} tgFaceTable;

/// The boundary loops through each vertex.
static bool tgListLoops(tgRegionMaker* maker, tgFaceTable* table)
{
    const tgMesh* mesh = maker->source->mesh;
    table->loopStart = tgScratch_Take(maker->scratch, (size_t)mesh->vertexCount + 2, sizeof(int));
    table->loopList =
        tgScratch_Take(maker->scratch, (size_t)mesh->loopStart[mesh->loopCount], sizeof(int));
    if (maker->scratch->failed) {
        return false;
    }
    // loopStart[v + 2] counts, then loopStart[v + 1] walks from the begin of v to its end.
    for (int i = 0; i < mesh->loopStart[mesh->loopCount]; ++i) {
        table->loopStart[mesh->loopVertices[i] + 2] += 1;
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        table->loopStart[v + 2] += table->loopStart[v + 1];
    }
    for (int l = 0; l < mesh->loopCount; ++l) {
        for (int i = mesh->loopStart[l]; i < mesh->loopStart[l + 1]; ++i) {
            table->loopList[table->loopStart[mesh->loopVertices[i] + 1]++] = l;
        }
    }
    return true;
}

static bool tgMakeFaceTable(tgRegionMaker* maker, tgFaceTable* table)
{
    int faceCount = tgRegionMaker_FaceCount(maker), regionCount = maker->out->count;
    size_t slotCount = (size_t)tgMesh_SlotCount(maker->source->mesh);
    table->ownStart = tgScratch_Take(maker->scratch, (size_t)regionCount + 2, sizeof(int));
    table->own = tgScratch_Take(maker->scratch, (size_t)faceCount, sizeof(int));
    table->stamps = tgScratch_Take(maker->scratch, slotCount, sizeof(int));
    table->locals = tgScratch_Take(maker->scratch, slotCount, sizeof(int));
    if (maker->scratch->failed) {
        return false;
    }
    // ownStart[r + 2] counts, then ownStart[r + 1] walks from the begin of r to its end. Faces
    // without a region, r = -1, are the first.
    for (int f = 0; f < faceCount; ++f) {
        table->ownStart[maker->faceRegion[f] + 2] += 1;
    }
    for (int r = 0; r < regionCount; ++r) {
        table->ownStart[r + 2] += table->ownStart[r + 1];
    }
    for (int f = 0; f < faceCount; ++f) {
        table->own[table->ownStart[maker->faceRegion[f] + 1]++] = f;
    }
    return tgListLoops(maker, table);
}

static void tgAddRegionFace(tgRegionMaker* maker, tgFaceTable* table, int r, int slot)
{
    const tgMesh* mesh = maker->source->mesh;
    tgRegions* out = maker->out;
    tgRegion* region = &out->regions[r];
    int triangles = tgRegionMaker_TriangleCount(maker);
    if (table->stamps[slot] == r + 1) {
        return;
    }
    table->stamps[slot] = r + 1;
    if (slot < triangles) {
        table->locals[slot] = region->triangleCount++;
        memcpy(out->triangles + 3 * (size_t)out->triangleCount++,
               mesh->triangles + 3 * (size_t)slot, 3 * sizeof(int));
    } else {
        table->locals[slot] = region->quadCount++;
        memcpy(out->quads + 4 * (size_t)out->quadCount++, mesh->quads + (slot - triangles),
               4 * sizeof(int));
    }
}

/// The corner of its face that a slot belongs to; a triangle has one slot for all three.
static int tgGetSlotCorner(const tgRegionMaker* maker, int slot)
{
    int triangles = tgRegionMaker_TriangleCount(maker);
    return slot < triangles ? 0 : (slot - triangles) % 4;
}

/// Loops with a taker of the region, each once. Takers there move the middle of the cap along, so
/// what it adds to their gradient is one more slot of theirs.
static int tgFindLoop(tgRegions* out, tgRegion* region, int loop)
{
    for (int i = 0; i < region->loopCount; ++i) {
        if (out->loops[region->firstLoop + i] == loop) {
            return i;
        }
    }
    out->loops[region->firstLoop + region->loopCount] = loop;
    return region->loopCount++;
}

static void tgListFacesOf(tgRegionMaker* maker, tgFaceTable* table, int r)
{
    const tgMesh* mesh = maker->source->mesh;
    tgRegions* out = maker->out;
    tgRegion* region = &out->regions[r];
    int triangles = tgRegionMaker_TriangleCount(maker);
    region->firstTriangle = out->triangleCount;
    region->firstQuad = out->quadCount;
    region->firstSlot = out->slotCount;
    for (int i = table->ownStart[r]; i < table->ownStart[r + 1]; ++i) {
        int f = table->own[i];
        tgAddRegionFace(maker, table, r, f < triangles ? f : triangles + 4 * (f - triangles));
    }
    region->ownTriangleCount = region->triangleCount;
    region->ownQuadCount = region->quadCount;
    int end = region->firstTaker + region->takerCount;
    for (int i = region->firstTaker; i < end; ++i) {
        int v = out->takers[i];
        for (int k = mesh->cornerStart[v]; k < mesh->cornerStart[v + 1]; ++k) {
            int slot = mesh->cornerSlots[k];
            tgAddRegionFace(maker, table, r, slot - tgGetSlotCorner(maker, slot));
        }
    }
    region->firstLoop = out->loopCount;
    int loopSlot = region->triangleCount + 4 * region->quadCount;
    int count = region->firstTaker > 0 ? out->slotStart[region->firstTaker] : 0;
    for (int i = region->firstTaker; i < end; ++i) {
        int v = out->takers[i];
        bool takes = out->gamma[i] > 0.0f; // the padding needs no slots
        for (int k = mesh->cornerStart[v]; takes && k < mesh->cornerStart[v + 1]; ++k) {
            int slot = mesh->cornerSlots[k], corner = tgGetSlotCorner(maker, slot);
            int local = table->locals[slot - corner];
            out->slotList[count++] =
                slot < triangles ? local : region->triangleCount + 4 * local + corner;
        }
        for (int k = table->loopStart[v]; takes && k < table->loopStart[v + 1]; ++k) {
            out->slotList[count++] = loopSlot + tgFindLoop(out, region, table->loopList[k]);
        }
        out->slotStart[i + 1] = count;
    }
    out->loopCount += region->loopCount;
    out->slotCount += loopSlot + region->loopCount;
}

static bool tgListFaces(tgRegionMaker* maker, tgFaceTable* table)
{
    const tgMesh* mesh = maker->source->mesh;
    tgRegions* out = maker->out;
    size_t triangles = (size_t)tgRegionMaker_TriangleCount(maker), quads = (size_t)mesh->quadCount;
    size_t corners = (size_t)mesh->cornerStart[mesh->vertexCount];
    // Every face is in its own region once, and at most once more for each of its corners.
    out->triangles = tgScratch_Take(maker->scratch, 12 * triangles, sizeof(int));
    out->quads = tgScratch_Take(maker->scratch, 20 * quads, sizeof(int));
    out->slotStart = tgScratch_Take(maker->scratch, (size_t)out->takerCount + 1, sizeof(int));
    size_t loopCorners = (size_t)mesh->loopStart[mesh->loopCount];
    out->slotList = tgScratch_Take(maker->scratch, corners + loopCorners, sizeof(int));
    out->loops = tgScratch_Take(maker->scratch, loopCorners, sizeof(int));
    for (int r = 0; !maker->scratch->failed && r < out->count; ++r) {
        tgListFacesOf(maker, table, r);
    }
    return !maker->scratch->failed;
}

// ---- joints -------------------------------------------------------------------------------------

/// The joints that a face's corners follow, into region r's list; while there is no list, counted.
static void tgAddFaceJoints(tgRegionMaker* maker, int f, int* stamps, int stamp)
{
    const tgRegionSource* source = maker->source;
    tgRegion* region = &maker->out->regions[maker->faceRegion[f]];
    int count = 0;
    const int* corners = tgRegionMaker_Corners(maker, f, &count);
    for (int i = 0; i < count; ++i) {
        if (corners[i] >= source->mesh->vertexCount) {
            continue; // the middle of a cap follows the loop, which is here whole
        }
        int render = source->mesh->vertexToRender[corners[i]];
        for (int k = source->influences->start[render]; k < source->influences->start[render + 1];
             ++k) {
            int j = source->influences->joints[k];
            if (j == region->joint || stamps[j] == stamp) {
                continue;
            }
            stamps[j] = stamp;
            if (maker->out->joints != NULL) {
                maker->out->joints[region->firstJoint + region->jointCount] = j;
            }
            region->jointCount += 1;
        }
    }
}

static bool tgListJoints(tgRegionMaker* maker, const tgFaceTable* table)
{
    tgRegions* out = maker->out;
    int faceCount = tgRegionMaker_FaceCount(maker);
    int* stamps =
        tgScratch_Take(maker->scratch, (size_t)maker->source->skeleton->jointCount, sizeof(int));
    if (stamps == NULL) {
        return false;
    }
    for (int pass = 0; pass < 2; ++pass) { // count, fill
        for (int i = table->ownStart[0]; i < faceCount; ++i) {
            int f = table->own[i];
            tgAddFaceJoints(maker, f, stamps, pass * out->count + maker->faceRegion[f] + 1);
        }
        for (int r = 0; pass == 0 && r < out->count; ++r) {
            out->regions[r].firstJoint = out->jointCount;
            out->jointCount += out->regions[r].jointCount;
            out->regions[r].jointCount = 0;
        }
        if (pass == 0) {
            out->joints = tgScratch_Take(maker->scratch, (size_t)out->jointCount, sizeof(int));
        }
        if (maker->scratch->failed) {
            return false;
        }
    }
    return true;
}

bool tgListRegions(tgRegionMaker* maker)
{
    tgFaceTable table = {0};
    return tgMakeFaceTable(maker, &table) && tgListTakers(maker) && tgListFaces(maker, &table) &&
           tgListJoints(maker, &table);
}
