// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the volume stage knows beforehand. With P_l the smoothing over a length (smooth.h):
//
//   direction   n = unit(P_l n0), n0 the area-weighted normals at rest, l half the mean radius
//   radius      1/R = P_l(1/r + max(1/gap - 1/far, 0) + k), r half the flesh under the skin, gap
//               half the air over it, k its concave curvature: how far skin may move
//   support     S_j = P_w P_w s_j, peak 1, s_j = 4 W (1 - W) where skin bends with joint j, w its
//               radius there; and once more with a larger w

#include "core/volume_stage.h"

#include "core/smooth.h"
#include "core/thickness.h"
#include "core/volume.h"

#include <math.h>
#include <string.h>

/// Directions and radii are smoothed over so many mean radii: creases and slivers do not tear them.
static const float tg_softRadii = 0.5f;
/// No flesh counts as thicker, no air as wider, in bounding diagonals;
static const float tg_farRadius = 0.125f;
/// nor as thinner.
static const float tg_thinRadius = 2e-3f;
/// Supports are smoothed over the radius of their joint, twice; wide ones over so many radii.
static const float tg_wideWidth = 2.5f;
/// Their tails are cut there, the peak being 1.
static const float tg_supportCut = 0.05f;
/// What is left of a tail below this is dropped: no one sees it.
static const float tg_supportLeast = 0.01f;

// ---- faces in fours -----------------------------------------------------------------------------

static uint32_t tgHashSide(int from, int to, uint32_t mask)
{
    uint32_t h = (uint32_t)from * 0x9e3779b1u ^ (uint32_t)to * 0x85ebca77u;
    return (h ^ h >> 15) & mask;
}

/// Of each side of each triangle the side that walks it the other way, in a triangle of its own;
/// -1: none. A side k of triangle t is 3 t + k, from its corner k.
static int* tgMatchSides(const int* triangles, int count, tgScratch* scratch)
{
    size_t room = 16;
    while (room < 6 * (size_t)count) {
        room *= 2;
    }
    uint32_t mask = (uint32_t)(room - 1);
    int* table = tgScratch_Take(scratch, room, sizeof(int)); // open sides: side + 1
    int* others = tgScratch_Take(scratch, 3 * (size_t)count, sizeof(int));
    for (int side = 0; !scratch->failed && side < 3 * count; ++side) {
        int from = triangles[side], to = triangles[side / 3 * 3 + (side + 1) % 3];
        others[side] = -1;
        for (uint32_t at = tgHashSide(to, from, mask); table[at] != 0; at = (at + 1) & mask) {
            int other = table[at] - 1;
            if (others[other] < 0 && triangles[other] == to &&
                triangles[other / 3 * 3 + (other + 1) % 3] == from) {
                others[side] = other;
                others[other] = side;
                break;
            }
        }
        uint32_t at = tgHashSide(from, to, mask);
        while (others[side] < 0 && table[at] != 0) {
            at = (at + 1) & mask;
        }
        if (others[side] < 0) {
            table[at] = side + 1;
        }
    }
    return others;
}

/// What pairing triangles goes by.
typedef struct tgPairing {
    const int* triangles;
    const int* others; ///< of tgMatchSides
    uint8_t* free;     ///< of each triangle: neighbours without a partner
    bool* taken;
    int* lonely; ///< triangles with a single such neighbour, the last one first
    int lonelyCount;
} tgPairing;

static void tgTakeTriangle(tgPairing* pairing, int t)
{
    pairing->taken[t] = true;
    for (int k = 0; k < 3; ++k) {
        int other = pairing->others[3 * t + k] / 3;
        if (pairing->others[3 * t + k] >= 0 && --pairing->free[other] == 1) {
            pairing->lonely[pairing->lonelyCount++] = other;
        }
    }
}

/// Takes a triangle and, if it has one, the neighbour with the fewest others to go to.
static void tgPairTriangle(tgPairing* pairing, int t, int face[4])
{
    int best = -1;
    for (int k = 0; k < 3; ++k) {
        int side = pairing->others[3 * t + k], other = side / 3;
        bool isFree = side >= 0 && !pairing->taken[other] && other != t;
        if (isFree &&
            (best < 0 || pairing->free[other] < pairing->free[pairing->others[3 * t + best] / 3])) {
            best = k;
        }
    }
    const int* c = pairing->triangles + 3 * (size_t)t;
    tgTakeTriangle(pairing, t);
    for (int k = 0; k < 4; ++k) {
        face[k] = c[k % 3];
    }
    if (best >= 0) { // this is (from, to, y), the other (to, from, x): together from, x, to, y
        int side = pairing->others[3 * t + best];
        const int* o = pairing->triangles + 3 * (size_t)(side / 3);
        tgTakeTriangle(pairing, side / 3);
        face[0] = c[best];
        face[1] = o[(side + 2) % 3];
        face[2] = c[(best + 1) % 3];
        face[3] = c[(best + 2) % 3];
    }
}

/// Two triangles that share an edge are one face of four corners: six times their cone is a . ((b -
/// d) x (c - a)) with the edge from a to c. One without a partner has d = a. Triangles that have
/// only one neighbour left go first, so that few are left over. Of each kind there is an even
/// number: four times the same corner adds nothing.
static bool tgPairFaces(const tgMesh* mesh, tgScratch* scratch, tgVolumeRig* volume)
{
    const int* triangles = mesh->triangles + 3 * (size_t)mesh->looseTriangleCount;
    int count = mesh->triangleCount + mesh->capTriangleCount - mesh->looseTriangleCount;
    int quadCount = mesh->quadCount - mesh->looseQuadCount;
    tgScratch step = tgScratch_BeginStep(scratch);
    tgPairing pairing = {
        .triangles = triangles,
        .others = tgMatchSides(triangles, count, &step),
        .free = tgScratch_Take(&step, (size_t)count, sizeof(uint8_t)),
        .taken = tgScratch_Take(&step, (size_t)count, sizeof(bool)),
        .lonely = tgScratch_Take(&step, 3 * (size_t)count, sizeof(int)),
    };
    volume->faces = tgScratch_Take(scratch, 4 * (size_t)(count + quadCount + 2), sizeof(int));
    if (step.failed || scratch->failed) {
        return tgScratch_EndStep(&step, scratch);
    }
    for (int side = 0; side < 3 * count; ++side) {
        pairing.free[side / 3] += pairing.others[side] >= 0;
    }
    for (int first = 0; first < count;) {
        bool isLonely = pairing.lonelyCount > 0;
        int t = isLonely ? pairing.lonely[--pairing.lonelyCount] : first++;
        if (!pairing.taken[t]) {
            tgPairTriangle(&pairing, t, volume->faces + 4 * (size_t)volume->quadStart++);
        }
    }
    volume->quadStart += volume->quadStart % 2; // scratch memory is 0: the first vertex, four times
    volume->faceCount = volume->quadStart + quadCount + quadCount % 2;
    if (quadCount > 0) {
        memcpy(volume->faces + 4 * (size_t)volume->quadStart,
               mesh->quads + 4 * (size_t)mesh->looseQuadCount, 4 * (size_t)quadCount * sizeof(int));
    }
    for (int i = 0; i < 4 * volume->faceCount; ++i) {
        volume->faces[i] *= 4; // where the corner is among the positions
    }
    return tgScratch_EndStep(&step, scratch);
}

/// Faces in the order of their first corners' chunks, each kind by itself: those of a joint's skin
/// lie together.
static bool tgSortFaces(tgScratch* scratch, tgVolumeRig* volume, int begin, int end)
{
    int chunks = volume->chunkCount + 1; // the last is for caps' middles
    int* next = tgScratch_Take(scratch, (size_t)chunks + 1, sizeof(int));
    int* sorted = tgScratch_Take(scratch, 4 * (size_t)(end - begin), sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int f = begin; f < end; ++f) {
            const int* face = volume->faces + 4 * (size_t)f;
            int chunk = face[0] / (4 * tg_chunkSize);
            chunk = chunk < chunks - 1 ? chunk : chunks - 1;
            if (pass == 0) {
                next[chunk + 1] += 1;
            } else {
                memcpy(sorted + 4 * (size_t)next[chunk]++, face, 4 * sizeof(int));
            }
        }
        for (int c = 0; pass == 0 && c < chunks; ++c) {
            next[c + 1] += next[c];
        }
    }
    memcpy(volume->faces + 4 * (size_t)begin, sorted, 4 * (size_t)(end - begin) * sizeof(int));
    return true;
}

/// The chunks of vertices that each block of faces has corners in. A cap's middle moves with any
/// vertex of its loop; its own faces have those.
/// @param step for what is not needed afterwards
static bool tgListFaceChunks(const tgMesh* mesh, tgScratch* step, tgScratch* scratch,
                             tgVolumeRig* volume)
{
    int blocks = tgCountFaceBlocks(volume), used = 0;
    int* seen = tgScratch_Take(step, (size_t)volume->chunkCount + 1, sizeof(int));
    volume->faceChunkStart = tgScratch_Take(scratch, (size_t)blocks + 1, sizeof(int));
    volume->faceChunks = tgScratch_Take(scratch, 4 * (size_t)volume->faceCount + 1, sizeof(int));
    for (int b = 0; !step->failed && !scratch->failed && b < blocks; ++b) {
        int end = (b + 1) * tg_faceBlock;
        end = end < volume->faceCount ? end : volume->faceCount;
        int begin = volume->faceChunkStart[b] = used;
        for (int i = 4 * b * tg_faceBlock; i < 4 * end; ++i) {
            int v = volume->faces[i] / 4, chunk = v / tg_chunkSize;
            bool isCap = v >= mesh->vertexCount;
            // A cap's middle has a number of its own after all chunks: it always moves.
            chunk = isCap ? volume->chunkCount : chunk;
            if (seen[chunk] <= begin) { // places are + 1, so 0 was never used
                volume->faceChunks[used] = isCap ? -1 : chunk;
                seen[chunk] = ++used;
            }
        }
        volume->faceChunkStart[b + 1] = used;
    }
    return !step->failed && !scratch->failed;
}

// ---- directions and radii -----------------------------------------------------------------------

/// What making the stage goes by.
typedef struct tgVolumeMaker {
    const tgVolumeSource* source;
    tgLimbs* limbs;
    tgScratch* scratch; ///< for what stays
    tgScratch step;     ///< for the rest
    tgVolumeRig* volume;
    tgSupportSource* supports;
    tgSmoother smoother;
    tgSmoothRoom room;
    float* lanes;    ///< 8 for each vertex: what is smoothed
    float* gradient; ///< dV/dp at rest; 4 for each vertex
    float* radii;    ///< r: half the flesh under each vertex
    float length;    ///< l
} tgVolumeMaker;

static tgVec3 tgGetVector(const float* vectors, int v)
{
    const float* p = vectors + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

/// A mean by fourth roots: near the geometric mean, and the same bits everywhere.
static float tgSpreadRoot(float x)
{
    return sqrtf(sqrtf(x));
}

static float tgGatherRoot(double mean)
{
    double squared = mean * mean;
    return (float)(squared * squared);
}

/// Half the flesh under each vertex and half the air over it, by rays.
static bool tgMeasureRadii(tgVolumeMaker* maker, float** gaps)
{
    const tgVolumeSource* source = maker->source;
    float far = tg_farRadius * source->diagonal, thin = tg_thinRadius * source->diagonal;
    tgThickness thickness;
    if (!tgMeasureThickness(source->mesh, source->rest, maker->gradient, 2.0f * far, &maker->step,
                            &thickness)) {
        return false;
    }
    const float* masses = maker->smoother.levels[0].masses;
    double sum = 0.0, area = 0.0;
    for (int v = 0; v < source->mesh->vertexCount; ++v) {
        thickness.flesh[v] = fmaxf(0.5f * thickness.flesh[v], thin);
        thickness.air[v] = fmaxf(0.5f * thickness.air[v], 0.5f * thin);
        sum += (double)(masses[v] * tgSpreadRoot(thickness.flesh[v]));
        area += (double)masses[v];
    }
    maker->radii = thickness.flesh;
    maker->length = tg_softRadii * tgGatherRoot(sum / area);
    *gaps = thickness.air;
    return true;
}

static void tgSmoothLanes(tgVolumeMaker* maker, float length)
{
    float lengths[tg_smoothLanes];
    for (int k = 0; k < tg_smoothLanes; ++k) {
        lengths[k] = length;
    }
    tgSmooth(&maker->smoother, &maker->room, lengths, 0.0f, maker->lanes);
}

static void tgSetDirections(tgVolumeMaker* maker)
{
    int count = maker->source->mesh->vertexCount;
    const float* masses = maker->smoother.levels[0].masses;
    memset(maker->lanes, 0, tg_smoothLanes * (size_t)count * sizeof(float));
    for (int v = 0; v < count; ++v) {
        tgVec3 g = tgGetVector(maker->gradient, v);
        float* to = maker->lanes + tg_smoothLanes * (size_t)v;
        float share = 1.0f / (masses[v] * maker->smoother.meanArea);
        to[0] = share * g.x;
        to[1] = share * g.y;
        to[2] = share * g.z;
        maker->volume->areas[v] = tgLength(g);
        maker->volume->grain += (double)tgDot(g, g);
    }
    maker->volume->grain = sqrt(maker->volume->grain);
    maker->volume->diagonal = (double)maker->source->diagonal;
    tgSmoothLanes(maker, maker->length);
    for (int v = 0; v < count; ++v) {
        const float* from = maker->lanes + tg_smoothLanes * (size_t)v;
        tgVec3 n = tgNormalize(tgMakeVec3(from[0], from[1], from[2]), tgMakeVec3(0, 0, 0));
        memcpy(maker->volume->directions + 4 * (size_t)v, &n, sizeof(n));
    }
}

/// The most that the directions close in on each other along an edge: 1 over a concave radius.
static float tgGetConcavity(const tgVolumeMaker* maker, int v)
{
    const tgSmoothLevel* level = &maker->smoother.levels[0];
    float most = 0.0f;
    tgVec3 p = tgGetVector(maker->source->rest, v);
    tgVec3 n = tgGetVector(maker->volume->directions, v);
    for (int i = level->start[v]; i < level->start[v + 1]; ++i) {
        int other = level->columns[i];
        tgVec3 d = tgSub(tgGetVector(maker->source->rest, other), p);
        tgVec3 turned = tgSub(tgGetVector(maker->volume->directions, other), n);
        most = fmaxf(most, -tgDot(turned, d) / tgDot(d, d));
    }
    return most;
}

static void tgSetRadii(tgVolumeMaker* maker, const float* gaps)
{
    int count = maker->source->mesh->vertexCount;
    float far = tg_farRadius * maker->source->diagonal;
    memset(maker->lanes, 0, tg_smoothLanes * (size_t)count * sizeof(float));
    for (int v = 0; v < count; ++v) {
        float air = fmaxf(1.0f / gaps[v] - 1.0f / far, 0.0f);
        maker->lanes[tg_smoothLanes * (size_t)v] =
            1.0f / maker->radii[v] + air + tgGetConcavity(maker, v);
    }
    tgSmoothLanes(maker, maker->length);
    for (int v = 0; v < count; ++v) {
        // Never below what the least curvature of all gives: a solution of P_l is positive.
        maker->supports->radii[v] =
            1.0f / fmaxf(maker->lanes[tg_smoothLanes * (size_t)v], 1.0f / far);
    }
}

// ---- supports -----------------------------------------------------------------------------------

static bool tgGrowList(tgSupportList* list, int more, tgScratch* scratch)
{
    if (list->count + more <= list->room) {
        return true;
    }
    int room = 2 * list->room > list->count + more ? 2 * list->room : list->count + more + 1024;
    int* blocks = tgScratch_Take(scratch, (size_t)room, sizeof(int));
    int* limbs = tgScratch_Take(scratch, (size_t)room, sizeof(int));
    float* values = tgScratch_Take(scratch, tg_lane * (size_t)room, sizeof(float));
    if (scratch->failed) {
        return false;
    }
    if (list->count > 0) {
        memcpy(blocks, list->blocks, (size_t)list->count * sizeof(int));
        memcpy(limbs, list->limbs, (size_t)list->count * sizeof(int));
        memcpy(values, list->values, tg_lane * (size_t)list->count * sizeof(float));
    }
    *list = (tgSupportList){list->count, room, blocks, limbs, values};
    return true;
}

/// Pieces of the mesh that a limb's skin is on.
static void tgMarkPieces(const tgVolumeMaker* maker, const tgLimb* limb, int stamp, int* marks)
{
    for (int i = 0; i < limb->sourceCount; ++i) {
        const tgBendSource* source = &maker->limbs->sources[limb->firstSource + i];
        if (source->amount > 0.0f) {
            marks[maker->source->mesh->vertexComponent[source->vertex]] = stamp;
        }
    }
}

/// Cuts the tail of one lane and lists what is left.
static bool tgListSupport(tgVolumeMaker* maker, int lane, int limb, const int* marks, int stamp,
                          tgSupportList* list)
{
    const tgMesh* mesh = maker->source->mesh;
    const float* lanes = maker->lanes + lane;
    float peak = 0.0f;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        float own = lanes[tg_smoothLanes * (size_t)v];
        peak = own > peak ? own : peak;
    }
    float scale = peak > 0.0f ? 1.0f / (peak * (1.0f - tg_supportCut)) : 0.0f;
    float offset = tg_supportCut / (1.0f - tg_supportCut);
    if (!tgGrowList(list, maker->volume->blockCount, maker->scratch)) {
        return false;
    }
    for (int first = 0; first < mesh->vertexCount; first += tg_lane) {
        float* to = list->values + tg_lane * (size_t)list->count;
        float most = 0.0f;
        for (int k = 0; k < tg_lane; ++k) {
            int v = first + k, piece = v < mesh->vertexCount ? mesh->vertexComponent[v] : -1;
            bool isOn = piece >= 0 && marks[piece] == stamp;
            float value = isOn ? scale * lanes[tg_smoothLanes * (size_t)v] - offset : 0.0f;
            to[k] = value > 0.0f ? value : 0.0f;
            most = to[k] > most ? to[k] : most;
        }
        if (most > tg_supportLeast) {
            list->blocks[list->count] = first / tg_lane;
            list->limbs[list->count++] = limb;
        }
    }
    return true;
}

/// Supports of all limbs, eight at a time.
/// @param width in radii of each joint
static bool tgMakeSupports(tgVolumeMaker* maker, float width, int* marks, tgSupportList* list)
{
    const tgLimbs* limbs = maker->limbs;
    const float* masses = maker->smoother.levels[0].masses;
    size_t count = (size_t)maker->source->mesh->vertexCount;
    for (int first = 0; first < limbs->count; first += tg_smoothLanes) {
        float lengths[tg_smoothLanes];
        memset(maker->lanes, 0, tg_smoothLanes * count * sizeof(float));
        for (int k = 0; k < tg_smoothLanes; ++k) {
            const tgLimb* limb = &limbs->limbs[first + k < limbs->count ? first + k : first];
            lengths[k] = width * limb->radius;
            for (int i = 0; first + k < limbs->count && i < limb->sourceCount; ++i) {
                const tgBendSource* source = &limbs->sources[limb->firstSource + i];
                maker->lanes[tg_smoothLanes * (size_t)source->vertex + (size_t)k] =
                    source->amount / (masses[source->vertex] * maker->smoother.meanArea);
            }
        }
        tgSmooth(&maker->smoother, &maker->room, lengths, tg_supportLeast, maker->lanes);
        tgSmooth(&maker->smoother, &maker->room, lengths, tg_supportLeast, maker->lanes);
        for (int k = 0; k < tg_smoothLanes && first + k < limbs->count; ++k) {
            int stamp = first + k + 1;
            tgMarkPieces(maker, &limbs->limbs[first + k], stamp, marks);
            if (!tgListSupport(maker, k, first + k, marks, stamp, list)) {
                return false;
            }
        }
    }
    return true;
}

/// Mean of half the flesh where each joint bends.
static void tgSetLimbRadii(tgVolumeMaker* maker)
{
    for (int i = 0; i < maker->limbs->count; ++i) {
        tgLimb* limb = &maker->limbs->limbs[i];
        double sum = 0.0, amount = 0.0;
        for (int k = 0; k < limb->sourceCount; ++k) {
            const tgBendSource* source = &maker->limbs->sources[limb->firstSource + k];
            sum += (double)(source->amount * tgSpreadRoot(maker->radii[source->vertex]));
            amount += (double)source->amount;
        }
        limb->radius = tgGatherRoot(sum / amount);
    }
}

// ---- all of it ----------------------------------------------------------------------------------

static bool tgTakeVolumeRig(tgVolumeMaker* maker)
{
    const tgVolumeSource* source = maker->source;
    const tgMesh* mesh = source->mesh;
    tgScratch *scratch = maker->scratch, *step = &maker->step;
    size_t elements = (size_t)source->elementCount,
           all = (size_t)(mesh->vertexCount + mesh->loopCount);
    maker->volume->blockCount = (mesh->vertexCount + tg_lane - 1) / tg_lane;
    maker->volume->chunkCount = (mesh->vertexCount + tg_chunkSize - 1) / tg_chunkSize;
    maker->volume->directions = tgScratch_Take(scratch, 4 * elements, sizeof(float));
    maker->supports->radii = tgScratch_Take(scratch, elements, sizeof(float));
    maker->volume->areas = tgScratch_Take(scratch, elements, sizeof(float));
    maker->gradient = tgScratch_Take(step, 4 * all, sizeof(float));
    tgScratch brief = tgScratch_BeginStep(step);
    float* slots = tgScratch_Take(&brief, 4 * (size_t)tgMesh_SlotCount(mesh), sizeof(float));
    if (!scratch->failed && !brief.failed) {
        const tgParallel here = {NULL, NULL};
        tgFillGradient(&here, tgSelectKernels(tg_simdBest), mesh, source->rest, slots,
                       maker->gradient);
    }
    tgScratch_EndStep(&brief, step);
    maker->lanes = tgScratch_Take(step, tg_smoothLanes * (size_t)mesh->vertexCount, sizeof(float));
    return !scratch->failed && !step->failed;
}

static bool tgMakeVolumeRig(tgVolumeMaker* maker)
{
    const tgVolumeSource* source = maker->source;
    tgVolumeRig* volume = maker->volume;
    tgScratch *scratch = maker->scratch, *step = &maker->step;
    float* gaps;
    int* marks = tgScratch_Take(step, (size_t)source->mesh->componentCount, sizeof(int));
    int* wideMarks = tgScratch_Take(step, (size_t)source->mesh->componentCount, sizeof(int));
    if (!tgTakeVolumeRig(maker) || !tgPairFaces(source->mesh, scratch, volume) ||
        !tgSortFaces(step, volume, 0, volume->quadStart) ||
        !tgSortFaces(step, volume, volume->quadStart, volume->faceCount) ||
        !tgListFaceChunks(source->mesh, step, scratch, volume) ||
        !tgBuildSmoother(source->mesh, source->rest, step, &maker->smoother) ||
        !tgTakeSmoothRoom(&maker->smoother, step, &maker->room) || !tgMeasureRadii(maker, &gaps)) {
        return false;
    }
    tgSetDirections(maker);
    tgSetRadii(maker, gaps);
    tgSetLimbRadii(maker);
    return tgMakeSupports(maker, 1.0f, marks, &maker->supports->plain) &&
           tgMakeSupports(maker, tg_wideWidth, wideMarks, &maker->supports->wide);
}

bool tgMeasureVolumeRig(const tgVolumeSource* source, tgLimbs* limbs, tgScratch* scratch,
                        tgVolumeRig* volume, tgSupportSource* supports)
{
    *volume = (tgVolumeRig){0};
    *supports = (tgSupportSource){0};
    tgVolumeMaker maker = {.source = source,
                           .limbs = limbs,
                           .scratch = scratch,
                           .step = tgScratch_BeginStep(scratch),
                           .volume = volume,
                           .supports = supports};
    bool isMade = tgMakeVolumeRig(&maker);
    return tgScratch_EndStep(&maker.step, scratch) && isMade;
}

void tgVolumeRig_Place(const tgVolumeRig* built, int elementCount, tgLayout* layout,
                       tgVolumeRig* placed)
{
    *placed = *built;
    placed->faces = tgPlaceArray(layout, built->faces, 4 * (size_t)built->faceCount, sizeof(int));
    if (built->directions == NULL) {
        return;
    }
    size_t elements = (size_t)elementCount;
    placed->directions = tgPlaceArray(layout, built->directions, 4 * elements, sizeof(float));
    placed->areas = tgPlaceArray(layout, built->areas, elements, sizeof(float));
    size_t faceBlocks = (size_t)tgCountFaceBlocks(built);
    placed->faceChunkStart =
        tgPlaceArray(layout, built->faceChunkStart, faceBlocks + 1, sizeof(int));
    placed->faceChunks = tgPlaceArray(layout, built->faceChunks,
                                      (size_t)built->faceChunkStart[faceBlocks], sizeof(int));
}

static void tgPlaceList(const tgSupportList* built, tgLayout* layout, tgSupportList* placed)
{
    size_t count = (size_t)built->count;
    placed->count = placed->room = built->count;
    placed->blocks = tgPlaceArray(layout, built->blocks, count, sizeof(int));
    placed->limbs = tgPlaceArray(layout, built->limbs, count, sizeof(int));
    placed->values = tgPlaceArray(layout, built->values, tg_lane * count, sizeof(float));
}

void tgSupportSource_Place(const tgSupportSource* built, int elementCount, tgLayout* layout,
                           tgSupportSource* placed)
{
    placed->radii = tgPlaceArray(layout, built->radii, (size_t)elementCount, sizeof(float));
    tgPlaceList(&built->plain, layout, &placed->plain);
    tgPlaceList(&built->wide, layout, &placed->wide);
}
