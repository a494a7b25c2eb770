// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// L f = sum over tips of w delta, f = 0 at the source (Aujay, Hetroy, Lazarus, Depraz 2007, with
// flux at the tips in place of values). L is the cotangent Laplacian. Its weights are clamped to be
// positive, so the maximum principle holds: f has its maxima at the tips and its minimum at the
// source, and its level sets walk the body limb by limb. The flux w of a tip is the size of the
// limb about it: skin within rho over rho, the circumference of a tube.

#include "bind/field.h"

#include "bind/sparse.h"
#include "core/core.h"

static const double tg_leastCotangent = 0.01, tg_mostCotangent = 100.0;
/// A bridge carries as much as the best edge.
static const double tg_bridgeFlow = 100.0;
/// Of the diagonal: a limb is measured no further from its tip.
static const double tg_flowReach = 0.12;
/// The field is made symmetric where nearly all of the body is.
static const double tg_symmetricShare = 0.97;
/// Of the diagonal: as near to the skin a mirror image counts.
static const double tg_fieldImage = 0.02;

typedef struct tgFieldSystem {
    tgTriplet* triplets;
    size_t count;
    int source;
} tgFieldSystem;

/// f of the source is 0: its row and its column are gone.
static void tgAddConductance(tgFieldSystem* system, int a, int b, double weight)
{
    if (a != system->source) {
        system->triplets[system->count++] = (tgTriplet){a, a, weight};
    }
    if (b != system->source) {
        system->triplets[system->count++] = (tgTriplet){b, b, weight};
    }
    if (a != system->source && b != system->source) {
        system->triplets[system->count++] = (tgTriplet){a, b, -weight};
    }
}

static double tgCotangent(const tgSkinNet* net, int at, int a, int b)
{
    tgVec3d u = tgSubD(tgSkinNet_Place(net, a), tgSkinNet_Place(net, at));
    tgVec3d v = tgSubD(tgSkinNet_Place(net, b), tgSkinNet_Place(net, at));
    double across = tgLengthD(tgCrossD(u, v)), along = tgDotD(u, v);
    return across > 1e-12 * fabs(along) ? along / across : copysign(1e12, along);
}

/// Half the cotangents of the angles against each edge, clamped.
static void tgAddEdges(const tgSkinNet* net, tgFieldSystem* system)
{
    for (int i = 0; i < net->edgeCount;) {
        const tgNetEdge* edge = &net->edges[i];
        double sum = 0.0;
        int count = 0;
        for (; i + count < net->edgeCount && edge[count].low == edge->low &&
               edge[count].high == edge->high;
             ++count) {
            const int* c = net->triangles + 3 * (size_t)edge[count].triangle;
            for (int k = 0; k < 3; ++k) {
                if (c[k] != edge->low && c[k] != edge->high) {
                    sum += 0.5 * tgCotangent(net, c[k], edge->low, edge->high);
                }
            }
        }
        tgAddConductance(system, edge->low, edge->high,
                         fmin(fmax(sum, tg_leastCotangent), tg_mostCotangent));
        i += count;
    }
    for (int i = 0; i < net->bridgeCount; ++i) {
        tgAddConductance(system, net->bridges[i].from, net->bridges[i].to, tg_bridgeFlow);
    }
}

/// The flux of each tip; partners get the same.
static void tgMeasureFlux(const tgSkinNet* net, const tgTips* tips, tgWalker* walker,
                          double flux[tg_mostTips])
{
    for (int i = 0; i < tips->count; ++i) {
        double reach =
            fmin(fmax(tips->tips[i].length, 1e-3 * net->diagonal), tg_flowReach * net->diagonal);
        tgWalkFrom(net, walker, tips->tips[i].vertex, (float)reach);
        double area = 0.0;
        for (int k = 0; k < walker->reachedCount; ++k) {
            area += net->areas[walker->reached[k]];
        }
        flux[i] = area / reach;
    }
    for (int i = 0; i < tips->count; ++i) {
        int partner = tips->tips[i].partner;
        if (partner > i) {
            flux[i] = flux[partner] = 0.5 * (flux[i] + flux[partner]);
        }
    }
}

/// The mean of the field and its mirror image.
static bool tgMakeSymmetric(const tgSkinNet* net, const tgMirror* mirror, tgScratch* scratch,
                            double* field)
{
    double* image = tgScratch_Take(scratch, (size_t)net->vertexCount, sizeof(double));
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < net->vertexCount; ++v) {
        tgVec3 p = tgVec3d_ToFloat(tgMirror_Reflect(mirror, tgSkinNet_Place(net, v)));
        tgClosestPoint place;
        image[v] = field[v];
        if (tgBvh_FindClosest(&net->tree, &net->surface, p, tg_fieldImage * net->diagonal,
                              &place)) {
            const int* c = net->triangles + 3 * (size_t)place.triangle;
            image[v] = place.weights[0] * field[c[0]] + place.weights[1] * field[c[1]] +
                       place.weights[2] * field[c[2]];
        }
    }
    for (int v = 0; v < net->vertexCount; ++v) {
        field[v] = 0.5 * (field[v] + image[v]);
    }
    return true;
}

tgResult tgSolveField(const tgSkinNet* net, const tgMirror* mirror, const tgTips* tips,
                      tgWalker* walker, tgScratch* scratch, double* field, tgError* error)
{
    size_t room = 3 * ((size_t)net->edgeCount + (size_t)net->bridgeCount) + 1;
    tgFieldSystem system = {.triplets = tgScratch_Take(scratch, room, sizeof(tgTriplet)),
                            .source = tips->tips[tips->source].vertex};
    if (scratch->failed) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the field");
    }
    tgAddEdges(net, &system);
    system.triplets[system.count++] = (tgTriplet){system.source, system.source, 1.0};
    tgSparse matrix;
    if (!tgMakeSparse(net->vertexCount, system.triplets, system.count, scratch, &matrix)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the field");
    }
    double flux[tg_mostTips];
    tgMeasureFlux(net, tips, walker, flux);
    for (int v = 0; v < net->vertexCount; ++v) {
        field[v] = 0.0;
    }
    for (int i = 0; i < tips->count; ++i) {
        if (i != tips->source) {
            field[tips->tips[i].vertex] += flux[i];
        }
    }
    tgFactor* factor = tgCreateFactor(&matrix, error);
    if (factor == NULL) {
        return error != NULL ? error->code : tg_notConverged;
    }
    bool isSolved = tgFactor_Solve(factor, 1, field);
    tgDestroyFactor(factor);
    bool isSymmetric = mirror->isFound && mirror->share >= tg_symmetricShare;
    if (!isSolved || (isSymmetric && !tgMakeSymmetric(net, mirror, scratch, field))) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the field");
    }
    return tg_success;
}
