// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The mirror plane by rounds of closest points: reflect the vertices, find the nearest places of
// the skin, fit the plane to the best of the pairs. With v' the partner of v the normal is the
// largest eigenvector of sum (v - v') (v - v')', and the plane goes through the mean of
// (v + v') / 2. The worst tenth of the pairs counts for nothing, so that one bent arm does not
// spoil it.

#include "bind/mirror.h"

#include "bind/symmetric.h"

#include <stdlib.h>

enum {
    tg_mirrorSamples = 1500,
    tg_coarseSamples = 400,
    tg_mirrorRounds = 8,
    tg_firstRounds = 3, // enough to tell a plane that is none
    tg_mostCandidates = 6,
};

/// Of the pairs that count.
static const double tg_bestPairs = 0.9;
/// Fractions of the diagonal: a place this near is the mirror image; a pair further apart is none;
/// an offset this small is 0.
static const double tg_imageReach = 0.01, tg_pairReach = 0.1, tg_snapOffset = 1e-4;
/// As much of the area must have its image.
static const double tg_leastShare = 0.6;
/// With less than this after the first rounds no more are tried.
static const double tg_hopelessShare = 0.2;
/// What left and right along x count more, as a part of the area.
static const double tg_sideways = 0.15;
/// A normal this near to an axis is the axis.
static const double tg_snapCosine = 0.9995;

typedef struct tgMirrorFit {
    const tgSkinNet* net;
    int sampleCount;
    const int* samples;
    tgVec3d* images;
    double* distances;
    double* sorted;
} tgMirrorFit;

static int tgCompareDoubles(const void* left, const void* right)
{
    double a = *(const double*)left, b = *(const double*)right;
    return a < b ? -1 : a > b;
}

/// The nearest place of the skin to each sample's reflection.
static void tgFindImages(const tgMirrorFit* fit, const tgMirror* mirror)
{
    double reach = tg_pairReach * fit->net->diagonal;
    for (int i = 0; i < fit->sampleCount; ++i) {
        tgVec3d p = tgMirror_Reflect(mirror, tgSkinNet_Place(fit->net, fit->samples[i]));
        tgClosestPoint place;
        bool isNear = tgBvh_FindClosest(&fit->net->tree, &fit->net->surface, tgVec3d_ToFloat(p),
                                        reach, &place);
        fit->images[i] = isNear ? tgVec3d_FromFloat(place.point) : p;
        fit->distances[i] = isNear ? sqrt(place.distanceSquared) : HUGE_VAL;
    }
}

static double tgMeasureShare(const tgMirrorFit* fit)
{
    double matched = 0.0, whole = 0.0;
    for (int i = 0; i < fit->sampleCount; ++i) {
        double area = fit->net->areas[fit->samples[i]];
        whole += area;
        matched += fit->distances[i] <= tg_imageReach * fit->net->diagonal ? area : 0.0;
    }
    return whole > 0.0 ? matched / whole : 0.0;
}

/// One round.
/// @param keepsNormal only the offset is fitted
static void tgFitPlane(const tgMirrorFit* fit, bool keepsNormal, tgMirror* mirror)
{
    int finite = 0;
    for (int i = 0; i < fit->sampleCount; ++i) {
        if (fit->distances[i] < HUGE_VAL) {
            fit->sorted[finite++] = fit->distances[i];
        }
    }
    if (finite < 3) {
        return;
    }
    qsort(fit->sorted, (size_t)finite, sizeof(double), tgCompareDoubles);
    double worst = fit->sorted[(int)(tg_bestPairs * (double)(finite - 1))];
    double sums[9] = {0};
    tgVec3d middle = {0};
    double count = 0.0;
    for (int i = 0; i < fit->sampleCount; ++i) {
        if (!(fit->distances[i] <= worst)) {
            continue;
        }
        tgVec3d p = tgSkinNet_Place(fit->net, fit->samples[i]);
        tgVec3d d = tgSubD(p, fit->images[i]);
        const double part[3] = {d.x, d.y, d.z};
        for (int k = 0; k < 9; ++k) {
            sums[k] += part[k / 3] * part[k % 3];
        }
        middle = tgAddD(middle, tgMulSVD(0.5, tgAddD(p, fit->images[i])));
        count += 1.0;
    }
    tgEigen eigen = tgFindEigen(3, sums);
    if (!keepsNormal && eigen.values[0] > 0.0) {
        mirror->normal = tgMakeVec3d(eigen.vectors[0][0], eigen.vectors[0][1], eigen.vectors[0][2]);
    }
    mirror->offset = tgDotD(mirror->normal, middle) / count;
}

/// The axes, then the principal axes of the vertices; all through the middle of the area.
static int tgListCandidates(const tgSkinNet* net, tgSymmetry symmetry, tgMirror* candidates)
{
    tgVec3d middle = {0};
    for (int v = 0; v < net->vertexCount; ++v) {
        middle = tgMulAddD(middle, net->areas[v] / net->area, tgSkinNet_Place(net, v));
    }
    double sums[9] = {0};
    for (int v = 0; v < net->vertexCount; ++v) {
        tgVec3d d = tgSubD(tgSkinNet_Place(net, v), middle);
        const double part[3] = {d.x, d.y, d.z};
        for (int k = 0; k < 9; ++k) {
            sums[k] += net->areas[v] * part[k / 3] * part[k % 3];
        }
    }
    tgEigen eigen = tgFindEigen(3, sums);
    int count = 0;
    for (int k = 0; k < 6; ++k) {
        const double* e = k < 3 ? NULL : eigen.vectors[k - 3];
        tgVec3d normal =
            e != NULL ? tgMakeVec3d(e[0], e[1], e[2]) : tgMakeVec3d(k == 0, k == 1, k == 2);
        bool isWanted = symmetry == tg_symmetryAuto || k == (int)symmetry - (int)tg_symmetryX;
        if (isWanted) {
            candidates[count++] = (tgMirror){.normal = normal, .offset = tgDotD(normal, middle)};
        }
    }
    return count;
}

/// An axis when it is near one, pointing its way.
static bool tgSnapNormal(tgMirror* mirror)
{
    const double part[3] = {mirror->normal.x, mirror->normal.y, mirror->normal.z};
    for (int k = 0; k < 3; ++k) {
        if (fabs(part[k]) > tg_snapCosine) {
            mirror->normal = tgMakeVec3d(k == 0, k == 1, k == 2);
            return true;
        }
    }
    return false;
}

static void tgRunRounds(const tgMirrorFit* fit, int rounds, bool keepsNormal, tgMirror* mirror)
{
    for (int round = 0; round < rounds; ++round) {
        tgFindImages(fit, mirror);
        tgFitPlane(fit, keepsNormal, mirror);
    }
    tgFindImages(fit, mirror);
    mirror->share = tgMeasureShare(fit);
}

/// Every n-th vertex: they are sorted along x, so that all of the body is met.
static int tgPickSamples(const tgSkinNet* net, int most, int* samples)
{
    int count = net->vertexCount < most ? net->vertexCount : most;
    for (int i = 0; i < count; ++i) {
        samples[i] = (int)((long long)i * net->vertexCount / count);
    }
    return count;
}

/// Upright planes win over others that are as good, and most of all x = 0: characters look along z
/// or y, and those that are nearly as alike in front and behind are many.
static double tgRateMirror(const tgMirror* mirror, tgVec3d up)
{
    double lean = fabs(tgDotD(mirror->normal, up));
    bool isAxis = fabs(mirror->normal.x) == 1.0 || fabs(mirror->normal.y) == 1.0 ||
                  fabs(mirror->normal.z) == 1.0;
    return mirror->share - (lean > 0.7 ? 0.3 : 0.0) + (isAxis ? 0.01 : 0.0) +
           (mirror->normal.x == 1.0 && mirror->share >= tg_leastShare ? tg_sideways : 0.0);
}

bool tgFindMirror(const tgSkinNet* net, tgSymmetry symmetry, tgVec3d up, tgScratch* scratch,
                  tgMirror* mirror)
{
    *mirror = (tgMirror){0};
    if (symmetry == tg_symmetryNone) {
        return true;
    }
    int* samples = tgScratch_Take(scratch, tg_mirrorSamples, sizeof(int));
    tgMirrorFit fit = {
        .net = net,
        .samples = samples,
        .images = tgScratch_Take(scratch, tg_mirrorSamples, sizeof(tgVec3d)),
        .distances = tgScratch_Take(scratch, tg_mirrorSamples, sizeof(double)),
        .sorted = tgScratch_Take(scratch, tg_mirrorSamples, sizeof(double)),
    };
    if (scratch->failed) {
        return false;
    }
    bool isGiven = symmetry != tg_symmetryAuto;
    tgMirror candidates[tg_mostCandidates];
    int count = tgListCandidates(net, symmetry, candidates);
    fit.sampleCount = tgPickSamples(net, tg_coarseSamples, samples);
    int best = 0;
    for (int i = 0; i < count; ++i) {
        tgRunRounds(&fit, tg_firstRounds, isGiven, &candidates[i]);
        if (candidates[i].share >= tg_hopelessShare) {
            tgRunRounds(&fit, tg_mirrorRounds - tg_firstRounds, isGiven, &candidates[i]);
        }
        tgSnapNormal(&candidates[i]);
        if (tgRateMirror(&candidates[i], up) > tgRateMirror(&candidates[best], up)) {
            best = i;
        }
    }
    *mirror = candidates[best];
    fit.sampleCount = tgPickSamples(net, tg_mirrorSamples, samples);
    tgRunRounds(&fit, 2, isGiven || tgSnapNormal(mirror), mirror);
    if (tgSnapNormal(mirror)) {
        tgRunRounds(&fit, 2, true, mirror);
    }
    if (fabs(mirror->offset) < tg_snapOffset * net->diagonal) {
        mirror->offset = 0.0;
    }
    mirror->isFound = mirror->share >= tg_leastShare;
    return true;
}
