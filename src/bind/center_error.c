// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How far off a centre may be. The residual alone is too hopeful: where a segment's markers are
// close together, the noise of its turning swings everything that is far from them, and draws the
// centre to one side besides. So the shot is made again a few times, with the motion that was found
// and new noise of the same size, and its centre, which is known, is looked for in the same way
// (Efron's parametric bootstrap, 1979). What the noise of the one frame adds in whose pose
// positions are told has a closed form.

#include "bind/rotation_center.h"

#include "bind/symmetric.h"
#include "core/core.h"

#include <stdlib.h>

/// A dozen tell the size of an error to about a seventh.
enum { tg_shots = 12 };

/// What a shot is made of, in the parent's frame.
typedef struct tgTruth {
    const tgCenterSearch* search;
    tgVec3d center;  ///< as the parent carries it
    tgVec3d carried; ///< as the child carries it
    double* radii;   ///< of each child marker's sphere; NaN for one that was never seen
} tgTruth;

/// Two of them from one pair of uniform numbers (Box and Muller, 1958); one is enough.
static double tgDrawNormal(uint64_t* state)
{
    double u = 1.0 - tgDrawNumber(state), v = tgDrawNumber(state);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

static tgVec3d tgDrawNoise(uint64_t* state, double variance)
{
    double size = sqrt(variance);
    double x = size * tgDrawNormal(state), y = size * tgDrawNormal(state);
    return tgMakeVec3d(x, y, size * tgDrawNormal(state));
}

static tgVec3 tgGetMarker(const tgCenterDef* def, int frame, int marker)
{
    return def->markers
        .positions[(size_t)frame * (size_t)def->markers.markerCount + (size_t)marker];
}

/// Mean distances of the child's markers from the centre.
static void tgMeasureRadii(tgTruth* truth)
{
    const tgCenterSearch* search = truth->search;
    const tgCenterDef* def = search->def;
    for (int i = 0; i < def->childMarkerCount; ++i) {
        double sum = 0.0;
        int count = 0;
        for (int f = 0; f < def->markers.frameCount; ++f) {
            tgVec3 p = tgGetMarker(def, f, def->childMarkers[i]);
            if (search->parent.isSeen[f] && tgIsFiniteVec3(p)) {
                tgVec3d q = tgMotion_Undo(&search->parent.motions[f], tgVec3d_FromFloat(p));
                sum += tgLengthD(tgSubD(q, truth->center));
                count += 1;
            }
        }
        truth->radii[i] = sum / count;
    }
}

/// Where a child's marker would be in the parent's frame if the joint were where it was found: the
/// child turns about it as it did, or where that is not known the marker goes to its sphere.
/// @param seen where it was seen, in the parent's frame
static tgVec3d tgPlaceChildMarker(const tgTruth* truth, int f, int i, tgVec3d seen)
{
    const tgCenterSearch* search = truth->search;
    if (search->hasChild && search->child.isSeen[f] && search->child.isKnown[i]) {
        const tgMotion *p = &search->parent.motions[f], *c = &search->child.motions[f];
        tgVec3d arm = tgSubD(search->child.shape[i], truth->carried);
        return tgAddD(truth->center, tgMotion_TurnBack(p, tgMotion_Turn(c, arm)));
    }
    tgVec3d arm = tgSubD(seen, truth->center);
    return tgMulAddD(truth->center, truth->radii[i] / fmax(tgLengthD(arm), 1e-300), arm);
}

/// One shot: the parent's markers, then the child's, in every frame; hidden where they were. The
/// parent in the reference frame is exact: it is what the truth is told in.
static void tgMakeShot(const tgTruth* truth, uint64_t* state, tgVec3* positions)
{
    const tgCenterSearch* search = truth->search;
    const tgCenterDef* def = search->def;
    double childNoise = search->hasChild ? search->child.noise : search->parent.noise;
    const tgVec3 none = {NAN, NAN, NAN};
    for (int f = 0, at = 0; f < def->markers.frameCount; ++f) {
        const tgMotion* motion = &search->parent.motions[f];
        bool isSeen = search->parent.isSeen[f];
        for (int i = 0; i < def->parentMarkerCount; ++i, ++at) {
            bool isThere = isSeen && search->parent.isKnown[i] &&
                           tgIsFiniteVec3(tgGetMarker(def, f, def->parentMarkers[i]));
            tgVec3d p = tgMotion_Apply(motion, search->parent.shape[i]);
            tgVec3d noise = tgDrawNoise(state, search->parent.noise);
            p = f == def->referenceFrame ? p : tgAddD(p, noise);
            positions[at] = isThere ? tgVec3d_ToFloat(p) : none;
        }
        for (int i = 0; i < def->childMarkerCount; ++i, ++at) {
            tgVec3 seen = tgGetMarker(def, f, def->childMarkers[i]);
            bool isThere = isSeen && tgIsFiniteVec3(seen);
            tgVec3d p = tgMotion_Undo(motion, tgVec3d_FromFloat(seen));
            p = tgMotion_Apply(motion, tgPlaceChildMarker(truth, f, i, p));
            p = tgAddD(p, tgDrawNoise(state, childNoise));
            positions[at] = isThere ? tgVec3d_ToFloat(p) : none;
        }
    }
}

/// Sums over the shots.
typedef struct tgMisses {
    double fit, twoSided; ///< squares of what was missed
    double residual;      ///< of the fit, squared
} tgMisses;

static double tgMeasureMiss(const tgTruth* truth, tgVec3d found)
{
    tgVec3d off = tgFreedom_Project(&truth->search->freedom, tgSubD(found, truth->center));
    return tgDotD(off, off);
}

/// Looks for the centre of a shot. One in which it cannot be found misses by all there is.
static tgResult tgAddMisses(const tgTruth* truth, const tgCenterDef* shot, tgMisses* misses,
                            tgError* error)
{
    tgCenterSearch search;
    tgResult result = tgCenterSearch_Open(&search, shot, error);
    if (result == tg_success) {
        tgVec3d fitted = tgFitCenter(&search.cloud, &search.freedom);
        misses->fit += tgMeasureMiss(truth, fitted) / tg_shots;
        int count = search.cloud.starts[search.cloud.markerCount];
        misses->residual += tgMeasureSpheres(&search.cloud, fitted) / count / tg_shots;
        double residual;
        misses->twoSided +=
            search.hasChild
                ? tgMeasureMiss(truth, tgFitTwoSided(search.relative, search.relativeCount,
                                                     &search.freedom, &residual)) /
                      tg_shots
                : 0.0;
    } else if (result != tg_outOfMemory) {
        double all = truth->search->cloud.radius * truth->search->cloud.radius;
        misses->fit += all / tg_shots;
        misses->twoSided += all / tg_shots;
        result = tg_success;
    }
    tgCenterSearch_Close(&search);
    return result;
}

/// All shots of a truth, in memory of its own.
static tgResult tgPlayShots(tgTruth* truth, tgJointKind kind, tgMisses* misses, tgError* error)
{
    const tgCenterDef* def = truth->search->def;
    int markerCount = def->parentMarkerCount + def->childMarkerCount;
    size_t count = (size_t)markerCount * (size_t)def->markers.frameCount;
    tgVec3* positions = calloc(count, sizeof(tgVec3));
    int* markers = calloc((size_t)markerCount, sizeof(int));
    truth->radii = calloc((size_t)def->childMarkerCount, sizeof(double));
    tgResult result = tg_success;
    if (positions == NULL || markers == NULL || truth->radii == NULL) {
        result = tgFail(error, tg_outOfMemory, -1, "no memory for %zu positions", count);
    } else {
        for (int i = 0; i < markerCount; ++i) {
            markers[i] = i;
        }
        tgMeasureRadii(truth);
        tgCenterDef shot = *def;
        shot.markers = (tgMarkerView){positions, markerCount, def->markers.frameCount};
        shot.parentMarkers = markers;
        shot.childMarkers = markers + def->parentMarkerCount;
        shot.kind = kind;
        shot.hasPrior = true;
        shot.prior = tgVec3d_ToFloat(truth->search->freedom.prior);
        uint64_t state = def->seed;
        for (int i = 0; i < tg_shots && result == tg_success; ++i) {
            tgMakeShot(truth, &state, positions);
            result = tgAddMisses(truth, &shot, misses, error);
        }
    }
    free(positions);
    free(markers);
    free(truth->radii);
    return result;
}

/// How far the noise of the parent in the reference frame moves the centre, squared: it shifts the
/// segment as it does the mean of the markers, and turns it about each axis by noise over the
/// markers' moment about that axis.
static double tgMeasureFrameNoise(const tgTruth* truth)
{
    const tgCenterSearch* search = truth->search;
    const tgSegmentTrack* parent = &search->parent;
    const tgCenterDef* def = search->def;
    tgVec3d mean = {0};
    int count = 0;
    for (int i = 0; i < parent->markerCount; ++i) {
        if (tgIsFiniteVec3(tgGetMarker(def, def->referenceFrame, def->parentMarkers[i]))) {
            mean = tgAddD(mean, parent->shape[i]);
            count += 1;
        }
    }
    mean = tgMulSVD(1.0 / count, mean);
    double moments[3][3] = {{0.0}};
    for (int i = 0; i < parent->markerCount; ++i) {
        if (tgIsFiniteVec3(tgGetMarker(def, def->referenceFrame, def->parentMarkers[i]))) {
            tgVec3d r = tgSubD(parent->shape[i], mean);
            const double x[3] = {r.x, r.y, r.z};
            for (int k = 0; k < 9; ++k) {
                moments[k / 3][k % 3] += (k % 4 == 0 ? tgDotD(r, r) : 0.0) - x[k / 3] * x[k % 3];
            }
        }
    }
    tgEigen eigen = tgFindEigen(3, &moments[0][0]);
    tgVec3d arm = tgSubD(truth->center, mean);
    double sum = (search->freedom.isHinge ? 2.0 : 3.0) * parent->noise / count;
    for (int i = 0; i < 3; ++i) {
        const double* u = eigen.vectors[i];
        tgVec3d swing = tgMakeVec3d(u[1] * arm.z - u[2] * arm.y, u[2] * arm.x - u[0] * arm.z,
                                    u[0] * arm.y - u[1] * arm.x);
        swing = tgFreedom_Project(&search->freedom, swing);
        sum += parent->noise / eigen.values[i] * tgDotD(swing, swing);
    }
    return sum;
}

/// Markers that are put about a hinge by eye have their mean at its middle as well as this: their
/// spread along the axis over the root of their number.
static double tgMeasureAxisError(const tgCenterSearch* search)
{
    if (!search->freedom.isHinge || search->def->hasPrior) {
        return 0.0;
    }
    const tgSegmentTrack* tracks[2] = {&search->parent, &search->child};
    double sum = 0.0, squares = 0.0;
    int count = 0;
    for (int k = 0; k < 1 + search->hasChild; ++k) {
        for (int i = 0; i < tracks[k]->markerCount; ++i) {
            if (tracks[k]->isKnown[i]) {
                tgVec3d p = tgSubD(tracks[k]->shape[i], search->freedom.prior);
                double along = tgDotD(p, search->freedom.axis);
                sum += along;
                squares += along * along;
                count += 1;
            }
        }
    }
    return sqrt(fmax(squares - sum * sum / count, 0.0) / (count - 1) / count);
}

tgResult tgMeasureErrors(const tgCenterSearch* search, tgCenter* center, tgError* error)
{
    bool isTwoSided = center->best == tg_centerTwoSided;
    const tgCenterEstimate* best = isTwoSided ? &center->twoSided : &center->fit;
    tgTruth truth = {.search = search,
                     .center = tgVec3d_FromFloat(best->position),
                     .carried = tgVec3d_FromFloat(best->carried)};
    tgMisses misses = {0};
    tgResult result = tgPlayShots(&truth, center->kind, &misses, error);
    if (result != tg_success) {
        return result;
    }
    // Skin that slides makes distances vary more than the noise of rigid segments would.
    double variance = center->fit.residual * center->fit.residual;
    double more = misses.residual > 0.0 ? fmax(variance / misses.residual, 1.0) : 1.0;
    double frame = tgMeasureFrameNoise(&truth);
    center->fit.error = center->annealed.error = sqrt(more * misses.fit + frame);
    center->twoSided.error = center->twoSided.found ? sqrt(more * misses.twoSided + frame) : 0.0;
    center->axisError = tgMeasureAxisError(search);
    double across = best->error;
    center->standardError = sqrt(across * across + center->axisError * center->axisError);
    return tg_success;
}
