// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Cutting a mesh into regions (2008 s.5.2): a vertex belongs to the joint of its largest weight, a
// face to the joint with the largest summed weight at its corners, and never two connected pieces
// to one region: what an arm lost, its bracelet does not give. In global scope each piece is one
// region. Runs once, at creation.

#include "core/region.h"

#include "core/kernels.h"
#include "core/region_maker.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---- checks -------------------------------------------------------------------------------------

static bool tgIsExponent(float x)
{
    return x >= 0.0f && x <= 64.0f;
}

static tgResult tgCheckLocalRegion(const tgLocalDef* def, int i, int jointCount, tgError* error)
{
    const tgLocalRegion* region = &def->regions[i];
    if (region->joint < 0 || region->joint >= jointCount) {
        return tgFail(error, tg_invalidArgument, region->joint,
                      "there is a region of joint %d, the skeleton has %d joints", region->joint,
                      jointCount);
    }
    for (int k = 0; k < i; ++k) {
        if (def->regions[k].joint == region->joint) {
            return tgFail(error, tg_invalidArgument, region->joint,
                          "there are two regions of joint %d, wanted one", region->joint);
        }
    }
    if (region->map < tg_mapOrganic || region->map > tg_mapUniform ||
        !tgIsExponent(region->alpha) || !tgIsExponent(region->beta)) {
        return tgFail(error, tg_invalidArgument, region->joint,
                      "the region of joint %d has map %d, alpha %g, beta %g; wanted one of "
                      "tgLocalMap, and 0 to 64",
                      region->joint, (int)region->map, (double)region->alpha, (double)region->beta);
    }
    for (int k = 0; k < region->boneCount; ++k) {
        if (region->bones[k] < 0 || region->bones[k] >= jointCount) {
            return tgFail(error, tg_invalidArgument, region->joint,
                          "the region of joint %d counts the bones of joint %d, the skeleton has "
                          "%d joints",
                          region->joint, region->bones[k], jointCount);
        }
    }
    return tg_success;
}

tgResult tgCheckLocalDef(const tgLocalDef* def, int jointCount, tgError* error)
{
    if (def->scope < tg_scopeRegions || def->scope > tg_scopeGlobal || def->loss < tg_lossClosed ||
        def->loss > tg_lossPrisms || def->edges < tg_edgesBlended || def->edges > tg_edgesStill ||
        def->map < tg_mapOrganic || def->map > tg_mapUniform) {
        return tgFail(error, tg_invalidArgument, -1,
                      "local scope %d, loss %d, edges %d, map %d: not there", (int)def->scope,
                      (int)def->loss, (int)def->edges, (int)def->map);
    }
    if (!tgIsExponent(def->alpha) || !tgIsExponent(def->beta)) {
        return tgFail(error, tg_invalidArgument, -1, "alpha is %g and beta %g, wanted 0 to 64",
                      (double)def->alpha, (double)def->beta);
    }
    if (def->parts < 1 || def->parts > 1000 || def->repeats < 0 || def->repeats > 100) {
        return tgFail(error, tg_invalidArgument, -1,
                      "parts is %d and repeats %d, wanted 1 to 1000 and 0 to 100", def->parts,
                      def->repeats);
    }
    tgResult result = tg_success;
    for (int i = 0; result == tg_success && i < def->regionCount; ++i) {
        result = tgCheckLocalRegion(def, i, jointCount, error);
    }
    return result;
}

// ---- who belongs to whom ------------------------------------------------------------------------

/// The joint with the largest summed weight at some vertices; the lowest of equals.
/// @param sums one for each joint, all 0, and so afterwards
static int tgFindMainJoint(const tgRegionSource* source, const int* vertices, int count,
                           double* sums)
{
    const tgInfluences* influences = source->influences;
    int best = -1;
    for (int pass = 0; pass < 3; ++pass) { // sum, choose, clear
        for (int i = 0; i < count; ++i) {
            if (vertices[i] >= source->mesh->vertexCount) {
                continue; // the middle of a cap
            }
            int render = source->mesh->vertexToRender[vertices[i]];
            for (int k = influences->start[render]; k < influences->start[render + 1]; ++k) {
                int j = influences->joints[k];
                if (pass == 0) {
                    sums[j] += (double)influences->weights[k];
                } else if (pass == 2) {
                    sums[j] = 0.0;
                } else if (best < 0 || sums[j] > sums[best] ||
                           (sums[j] == sums[best] && j < best)) {
                    best = j;
                }
            }
        }
    }
    return best;
}

static bool tgFindMainJoints(tgRegionMaker* maker)
{
    const tgMesh* mesh = maker->source->mesh;
    double* sums =
        tgScratch_Take(maker->scratch, (size_t)maker->source->skeleton->jointCount, sizeof(double));
    if (sums == NULL) {
        return false;
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        maker->vertexJoint[v] = tgFindMainJoint(maker->source, &v, 1, sums);
    }
    for (int f = 0; f < tgRegionMaker_FaceCount(maker); ++f) {
        int count = 0;
        const int* corners = tgRegionMaker_Corners(maker, f, &count);
        maker->faceJoint[f] = tgFindMainJoint(maker->source, corners, count, sums);
    }
    // A cap is one face: its middle follows the whole loop. A fan has a triangle for each vertex.
    for (int l = 0; l < mesh->loopCount; ++l) {
        int begin = mesh->loopStart[l], end = mesh->loopStart[l + 1];
        int joint = tgFindMainJoint(maker->source, mesh->loopVertices + begin, end - begin, sums);
        for (int i = begin; i < end; ++i) {
            maker->faceJoint[mesh->triangleCount + i] = joint;
        }
    }
    return true;
}

static int tgCompareKeys(const void* a, const void* b)
{
    int64_t left = *(const int64_t*)a, right = *(const int64_t*)b;
    return (left > right) - (left < right);
}

/// Piece by piece, and in a piece by joint.
static int64_t tgGetKey(const tgRegionMaker* maker, int vertex, int joint)
{
    int64_t piece = maker->source->mesh->vertexComponent[vertex];
    return piece * maker->source->skeleton->jointCount + (maker->out->whole ? 0 : joint);
}

int tgFindRegion(const tgRegionMaker* maker, int vertex, int joint)
{
    int64_t key = tgGetKey(maker, vertex, joint);
    const int64_t* found =
        bsearch(&key, maker->keys, (size_t)maker->out->count, sizeof(int64_t), tgCompareKeys);
    return found != NULL ? (int)(found - maker->keys) : -1;
}

/// Numbers the regions that have a face or a vertex.
static bool tgNumberRegions(tgRegionMaker* maker)
{
    const tgMesh* mesh = maker->source->mesh;
    int faceCount = tgRegionMaker_FaceCount(maker), keyCount = 0, count = 0;
    int64_t* keys = tgScratch_Take(maker->scratch, (size_t)faceCount + (size_t)mesh->vertexCount,
                                   sizeof(int64_t));
    if (keys == NULL) {
        return false;
    }
    for (int f = 0; f < faceCount; ++f) {
        int size = 0, first = tgRegionMaker_Corners(maker, f, &size)[0];
        if (tgMesh_HasInside(mesh, first)) {
            keys[keyCount++] = tgGetKey(maker, first, maker->faceJoint[f]);
        }
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        if (tgMesh_HasInside(mesh, v)) {
            keys[keyCount++] = tgGetKey(maker, v, maker->vertexJoint[v]);
        }
    }
    qsort(keys, (size_t)keyCount, sizeof(int64_t), tgCompareKeys);
    for (int i = 0; i < keyCount; ++i) {
        if (i == 0 || keys[i] != keys[count - 1]) {
            keys[count++] = keys[i];
        }
    }
    maker->out->count = count;
    maker->keys = keys;
    maker->out->regions = tgScratch_Take(maker->scratch, (size_t)count, sizeof(tgRegion));
    if (maker->out->regions == NULL) {
        return false;
    }
    for (int v = mesh->vertexCount - 1; v >= 0; --v) {
        int r = tgMesh_HasInside(mesh, v) ? tgFindRegion(maker, v, maker->vertexJoint[v]) : -1;
        maker->vertexRegion[v] = r;
        if (r >= 0) {
            maker->out->regions[r].joint = maker->vertexJoint[v];
            maker->out->regions[r].anchor = v;
        }
    }
    for (int f = faceCount - 1; f >= 0; --f) {
        int size = 0, first = tgRegionMaker_Corners(maker, f, &size)[0];
        int r =
            tgMesh_HasInside(mesh, first) ? tgFindRegion(maker, first, maker->faceJoint[f]) : -1;
        maker->faceRegion[f] = r;
        if (r >= 0) {
            maker->out->regions[r].joint = maker->faceJoint[f];
        }
    }
    return true;
}

// ---- all of it ----------------------------------------------------------------------------------

double tgMeasureCones(const tgKernels* kernels, const tgRegions* regions, const tgRegion* region,
                      const float* positions, const tgVec3* origins)
{
    return kernels->coneVolume(regions->triangles + 3 * (size_t)region->firstTriangle,
                               region->ownTriangleCount,
                               regions->quads + 4 * (size_t)region->firstQuad, region->ownQuadCount,
                               positions, tgGetApex(regions, region, positions, origins));
}

static bool tgMeasureRest(tgRegionMaker* maker)
{
    const tgKernels* kernels = tgSelectKernels(tg_simdScalar);
    const tgSkeleton* skeleton = maker->source->skeleton;
    const float* rest = maker->source->rest;
    tgRegions* out = maker->out;
    tgVec3* origins = tgScratch_Take(maker->scratch, (size_t)skeleton->jointCount, sizeof(tgVec3));
    float* points = tgScratch_Take(maker->scratch, 4 * (size_t)out->pointCount, sizeof(float));
    if (maker->scratch->failed) {
        return false;
    }
    for (int j = 0; j < skeleton->jointCount; ++j) {
        const double* o = skeleton->rest[j].c[3];
        origins[j] = tgMakeVec3((float)o[0], (float)o[1], (float)o[2]);
    }
    for (int r = 0; r < out->count; ++r) {
        tgRegion* region = &out->regions[r];
        region->restVolume = tgMeasureCones(kernels, out, region, rest, origins) +
                             tgMeasureFans(kernels, out, region, rest, origins, points);
    }
    return true;
}

static bool tgTakeRegionMaker(tgRegionMaker* maker)
{
    const tgMesh* mesh = maker->source->mesh;
    size_t faces = (size_t)tgRegionMaker_FaceCount(maker), vertices = (size_t)mesh->vertexCount;
    maker->vertexJoint = tgScratch_Take(maker->scratch, vertices, sizeof(int));
    maker->vertexRegion = tgScratch_Take(maker->scratch, vertices, sizeof(int));
    maker->faceJoint = tgScratch_Take(maker->scratch, faces, sizeof(int));
    maker->faceRegion = tgScratch_Take(maker->scratch, faces, sizeof(int));
    maker->map = tgScratch_Take(maker->scratch, vertices, sizeof(float));
    maker->gamma = tgScratch_Take(maker->scratch, vertices, sizeof(float));
    maker->shares = tgScratch_Take(maker->scratch, vertices, sizeof(float));
    maker->across = tgScratch_Take(maker->scratch, vertices, sizeof(int));
    maker->byJoint =
        tgScratch_Take(maker->scratch, (size_t)maker->source->skeleton->jointCount, sizeof(int));
    return !maker->scratch->failed;
}

bool tgBuildRegions(const tgRegionSource* source, const tgLocalDef* def, tgScratch* scratch,
                    tgRegions* regions)
{
    *regions =
        (tgRegions){.whole = def->scope == tg_scopeGlobal, .prisms = def->loss == tg_lossPrisms};
    tgRegionMaker maker = {.source = source, .def = def, .scratch = scratch, .out = regions};
    if (!tgTakeRegionMaker(&maker)) {
        return false;
    }
    for (int i = 0; i < def->regionCount; ++i) {
        maker.byJoint[def->regions[i].joint] = i + 1;
    }
    if (!tgFindMainJoints(&maker) || !tgNumberRegions(&maker) || !tgFillRegionMap(&maker) ||
        !tgListRegions(&maker) || !tgFindRims(&maker)) {
        return false;
    }
    return tgMeasureRest(&maker);
}

static void* tgPlaceList(tgLayout* layout, const void* from, int count, size_t size)
{
    void* to = tgLayout_Take(layout, (size_t)count, size);
    if (to != NULL && count > 0) {
        memcpy(to, from, (size_t)count * size);
    }
    return to;
}

void tgRegions_Place(const tgRegions* built, tgLayout* layout, tgRegions* placed)
{
    *placed = *built;
    if (built->count == 0) {
        return;
    }
    placed->regions = tgPlaceList(layout, built->regions, built->count, sizeof(tgRegion));
    placed->triangles =
        tgPlaceList(layout, built->triangles, 3 * built->triangleCount, sizeof(int));
    placed->quads = tgPlaceList(layout, built->quads, 4 * built->quadCount, sizeof(int));
    placed->seams = tgPlaceList(layout, built->seams, built->seamCount, sizeof(tgSeam));
    placed->shares = tgPlaceList(layout, built->shares, built->takerCount, sizeof(float));
    placed->takers = tgPlaceList(layout, built->takers, built->takerCount, sizeof(int));
    placed->map = tgPlaceList(layout, built->map, built->takerCount, sizeof(float));
    placed->gamma = tgPlaceList(layout, built->gamma, built->takerCount, sizeof(float));
    placed->slotStart = tgPlaceList(layout, built->slotStart, built->takerCount + 1, sizeof(int));
    placed->slotList =
        tgPlaceList(layout, built->slotList, built->slotStart[built->takerCount], sizeof(int));
    placed->loops = tgPlaceList(layout, built->loops, built->loopCount, sizeof(int));
    placed->hinges = tgPlaceList(layout, built->hinges, 2 * built->hingeCount, sizeof(int));
    placed->rim = tgPlaceList(layout, built->rim, built->rimCount, sizeof(int));
    placed->walls = tgPlaceList(layout, built->walls, 4 * built->wallCount, sizeof(int));
    placed->joints = tgPlaceList(layout, built->joints, built->jointCount, sizeof(int));
}
