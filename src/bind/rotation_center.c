// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// START HERE for rotation centres. In the parent's frame the child's markers move on spheres about
// the joint; three ways to find their centre, and what tells a hinge from a ball joint.

#include "bind/rotation_center.h"

#include "bind/symmetric.h"
#include "core/core.h"

#include <stdlib.h>

static const int tg_centerCookie = 0x7c04;
/// Fewer positions than this tell nothing about a marker's sphere.
enum { tg_fewestPositions = 4 };
/// A child whose noise swings the centre by more than its parent's over this, squared, is left out.
static const double tg_worseChild = 0.25;
/// A centre that is less certain than this fraction of the cloud's radius is none.
static const double tg_leastCertain = 0.25;

tgCenterDef tgDefaultCenterDef(void)
{
    return (tgCenterDef){.restarts = 5, .steps = 2000, .seed = 1, .cookie = tg_centerCookie};
}

static tgResult tgCheckMarkers(const tgCenterDef* def, const int* list, int count, const char* who,
                               int least, tgError* error)
{
    if (list == NULL || count < least) {
        return tgFail(error, tg_invalidArgument, -1, "the %s has %d markers, wanted %d or more",
                      who, list == NULL ? 0 : count, least);
    }
    for (int i = 0; i < count; ++i) {
        if (list[i] < 0 || list[i] >= def->markers.markerCount) {
            return tgFail(error, tg_invalidArgument, list[i], "the %s uses marker %d, there are %d",
                          who, list[i], def->markers.markerCount);
        }
    }
    return tg_success;
}

static tgResult tgCheckCenterDef(const tgCenterDef* def, tgError* error)
{
    if (def == NULL || def->cookie != tg_centerCookie) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the centre definition is not from tgDefaultCenterDef");
    }
    if (def->markers.positions == NULL || def->markers.frameCount < 1) {
        return tgFail(error, tg_invalidArgument, -1, "there are no markers");
    }
    if (def->referenceFrame < 0 || def->referenceFrame >= def->markers.frameCount) {
        return tgFail(error, tg_invalidArgument, def->referenceFrame,
                      "the reference frame is %d, there are %d frames", def->referenceFrame,
                      def->markers.frameCount);
    }
    if (def->restarts < 1 || def->restarts > 1000 || def->steps < 1 || def->steps > 1000000) {
        return tgFail(error, tg_invalidArgument, -1,
                      "%d restarts of %d steps, wanted 1 to 1000 and 1 to 1000000", def->restarts,
                      def->steps);
    }
    if (def->hasPrior && !tgIsFiniteVec3(def->prior)) {
        return tgFail(error, tg_invalidArgument, -1, "the prior is not finite");
    }
    tgResult result =
        tgCheckMarkers(def, def->parentMarkers, def->parentMarkerCount, "parent", 3, error);
    return result == tg_success
               ? tgCheckMarkers(def, def->childMarkers, def->childMarkerCount, "child", 1, error)
               : result;
}

static tgVec3 tgGetMarker(const tgCenterDef* def, int frame, int marker)
{
    return def->markers
        .positions[(size_t)frame * (size_t)def->markers.markerCount + (size_t)marker];
}

/// The child's markers as the parent sees them.
static tgResult tgFillCloud(tgCenterSearch* search, tgError* error)
{
    const tgCenterDef* def = search->def;
    tgCloud* cloud = &search->cloud;
    size_t most = (size_t)def->childMarkerCount * (size_t)def->markers.frameCount;
    cloud->starts = calloc((size_t)def->childMarkerCount + 1, sizeof(int));
    cloud->points = calloc(most, sizeof(tgVec3d));
    if (cloud->starts == NULL || cloud->points == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %zu positions", most);
    }
    int count = 0;
    for (int i = 0; i < def->childMarkerCount; ++i) {
        int start = count;
        for (int f = 0; f < def->markers.frameCount; ++f) {
            tgVec3 p = tgGetMarker(def, f, def->childMarkers[i]);
            if (search->parent.isSeen[f] && tgIsFiniteVec3(p)) {
                cloud->points[count++] =
                    tgMotion_Undo(&search->parent.motions[f], tgVec3d_FromFloat(p));
            }
        }
        if (count - start >= tg_fewestPositions) {
            cloud->starts[++cloud->markerCount] = count;
        } else {
            count = start;
        }
    }
    if (cloud->markerCount == 0) {
        return tgFail(error, tg_invalidArgument, -1,
                      "no marker of the child is seen together with the parent in %d frames or "
                      "more",
                      tg_fewestPositions);
    }
    return tg_success;
}

/// The middle and the radius of both segments' markers together.
static void tgBoundCloud(tgCenterSearch* search)
{
    tgCloud* cloud = &search->cloud;
    int count = cloud->starts[cloud->markerCount];
    tgVec3d child = {0}, parent = {0};
    for (int i = 0; i < count; ++i) {
        child = tgMulAddD(child, 1.0 / count, cloud->points[i]);
    }
    int known = 0;
    for (int i = 0; i < search->parent.markerCount; ++i) {
        if (search->parent.isKnown[i]) {
            parent = tgAddD(parent, search->parent.shape[i]);
            known += 1;
        }
    }
    parent = tgMulSVD(1.0 / known, parent);
    cloud->middle = tgMulSVD(0.5, tgAddD(child, parent));
    for (int i = 0; i < count; ++i) {
        cloud->radius = fmax(cloud->radius, tgLengthD(tgSubD(cloud->points[i], cloud->middle)));
    }
    for (int i = 0; i < search->parent.markerCount; ++i) {
        if (search->parent.isKnown[i]) {
            tgVec3d d = tgSubD(search->parent.shape[i], cloud->middle);
            cloud->radius = fmax(cloud->radius, tgLengthD(d));
        }
    }
}

/// The child's motion in the parent's frame, wherever both are tracked.
static tgResult tgFillRelative(tgCenterSearch* search, tgError* error)
{
    const tgCenterDef* def = search->def;
    search->relative = calloc((size_t)def->markers.frameCount, sizeof(tgMotion));
    if (search->relative == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d frames",
                      def->markers.frameCount);
    }
    for (int f = 0; search->hasChild && f < def->markers.frameCount; ++f) {
        if (!search->parent.isSeen[f] || !search->child.isSeen[f]) {
            continue;
        }
        const tgMotion *p = &search->parent.motions[f], *c = &search->child.motions[f];
        tgMotion* relative = &search->relative[search->relativeCount++];
        for (int i = 0; i < 3; ++i) { // row i of P^T C is C^T applied to column i of P
            tgVec3d axis = tgMakeVec3d(i == 0, i == 1, i == 2);
            relative->row[i] = tgMotion_TurnBack(c, tgMotion_Turn(p, axis));
        }
        relative->translation = tgMotion_Undo(p, c->translation);
    }
    search->hasChild = search->relativeCount >= tg_fewestPositions;
    return tg_success;
}

static tgResult tgTrackBoth(tgCenterSearch* search, tgError* error)
{
    const tgCenterDef* def = search->def;
    tgError reason = {0};
    tgResult result = tgSegmentTrack_Make(&search->parent, def->markers, def->parentMarkers,
                                          def->parentMarkerCount, def->referenceFrame, &reason);
    if (result != tg_success) {
        return tgFail(error, result, -1, "the parent cannot be followed: %s", reason.message);
    }
    // A child of one or two markers, or hidden in the reference frame, still has its spheres.
    result = tgSegmentTrack_Make(&search->child, def->markers, def->childMarkers,
                                 def->childMarkerCount, def->referenceFrame, &reason);
    search->hasChild = result == tg_success;
    if (result == tg_outOfMemory) {
        return tgFail(error, result, -1, "%s", reason.message);
    }
    result = tgFillCloud(search, error);
    return result == tg_success ? tgFillRelative(search, error) : result;
}

/// Where the centre may be: decides between ball and hinge.
/// @return whether the child turns at all
static bool tgChooseFreedom(tgCenterSearch* search)
{
    const tgCenterDef* def = search->def;
    tgFreedom* freedom = &search->freedom;
    freedom->prior = def->hasPrior ? tgVec3d_FromFloat(def->prior) : search->cloud.middle;
    double noise = search->parent.turnNoise;
    tgTurning turning = search->hasChild ? tgFindTurning(search->relative, search->relativeCount,
                                                         noise + search->child.turnNoise)
                                         : tgFindFlatTurning(&search->cloud, freedom->prior, noise);
    freedom->axis = turning.axis;
    freedom->isHinge = def->kind == tg_jointAuto ? turning.isHinge : def->kind == tg_jointHinge;
    return turning.isSeen;
}

/// The angle through which the child turned: twice the widest from the middle of the motion.
static double tgMeasureRange(const tgCenterSearch* search, tgVec3d center)
{
    const tgCloud* cloud = &search->cloud;
    double widest = 0.0;
    for (int m = 0; m < cloud->markerCount; ++m) {
        tgVec3d mean = {0};
        for (int i = cloud->starts[m]; i < cloud->starts[m + 1]; ++i) {
            tgVec3d arm = tgSubD(cloud->points[i], center);
            mean = tgAddD(mean, tgFreedom_Project(&search->freedom, arm));
        }
        for (int i = cloud->starts[m]; i < cloud->starts[m + 1]; ++i) {
            tgVec3d arm = tgSubD(cloud->points[i], center);
            arm = tgFreedom_Project(&search->freedom, arm);
            double size = tgLengthD(arm) * tgLengthD(mean);
            double cosine = size > 0.0 ? tgDotD(arm, mean) / size : 1.0;
            widest = fmax(widest, acos(fmax(-1.0, fmin(1.0, cosine))));
        }
    }
    return 2.0 * widest;
}

/// Whether the markers can tell the centre at all: the error of the fit from its residual and its
/// matrix. Noise alone also spreads directions, by its square over the squared distance: that part
/// tells nothing and is taken off.
static double tgMeasureCertainty(const tgCenterSearch* search, tgVec3d center, double* residual)
{
    const tgCloud* cloud = &search->cloud;
    double matrix[3][3] = {{0.0}}, slope[3] = {0.0};
    double sum = tgMeasureSlope(cloud, center, matrix, slope);
    int count = cloud->starts[cloud->markerCount];
    int unknowns = cloud->markerCount + (search->freedom.isHinge ? 2 : 3);
    double variance = sum / (count > unknowns ? count - unknowns : 1);
    double far = 0.0;
    for (int i = 0; i < count; ++i) {
        tgVec3d arm = tgSubD(cloud->points[i], center);
        far += tgDotD(arm, arm) / count;
    }
    *residual = sqrt(sum / count);
    tgEigen eigen = tgFindEigen(3, &matrix[0][0]);
    double error = 0.0;
    for (int i = 0; i < (search->freedom.isHinge ? 2 : 3); ++i) {
        double told = eigen.values[i] - count * variance / far;
        error += told > 0.0 ? variance / told : (double)INFINITY;
    }
    return sqrt(error);
}

/// The mean over all frames of where the child has the parent's point.
static tgVec3d tgCarry(const tgCenterSearch* search, tgVec3d center)
{
    if (!search->hasChild) {
        return center;
    }
    tgVec3d sum = {0};
    for (int f = 0; f < search->relativeCount; ++f) {
        sum = tgAddD(sum, tgMotion_Undo(&search->relative[f], center));
    }
    return tgMulSVD(1.0 / search->relativeCount, sum);
}

static tgCenterEstimate tgMakeEstimate(const tgCenterSearch* search, tgVec3d center,
                                       double residual)
{
    return (tgCenterEstimate){.found = true,
                              .position = tgVec3d_ToFloat(center),
                              .carried = tgVec3d_ToFloat(tgCarry(search, center)),
                              .residual = residual};
}

/// How far the noise of a segment's turning swings the centre, squared.
static double tgMeasureSwing(const tgSegmentTrack* track, tgVec3d center)
{
    tgVec3d sum = {0};
    int known = 0;
    for (int i = 0; i < track->markerCount; ++i) {
        if (track->isKnown[i]) {
            sum = tgAddD(sum, track->shape[i]);
            known += 1;
        }
    }
    tgVec3d arm = tgSubD(center, tgMulSVD(1.0 / known, sum));
    return track->turnNoise * tgDotD(arm, arm);
}

/// The fit takes the parent's turning for granted, and its noise draws the centre towards the
/// parent; the two-sided fit is drawn both ways, which evens out unless the child is much worse.
static tgCenterMethod tgChooseBest(const tgCenterSearch* search, const tgCenter* center)
{
    if (!center->twoSided.found) {
        return tg_centerFit;
    }
    double parent = tgMeasureSwing(&search->parent, tgVec3d_FromFloat(center->twoSided.position));
    double child = tgMeasureSwing(&search->child, tgVec3d_FromFloat(center->twoSided.carried));
    return parent >= tg_worseChild * child ? tg_centerTwoSided : tg_centerFit;
}

static double tgMeasureAgreement(const tgCenter* center)
{
    const tgCenterEstimate* all[3] = {&center->fit, &center->annealed, &center->twoSided};
    double widest = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int k = i + 1; k < 3; ++k) {
            if (all[i]->found && all[k]->found) {
                widest = fmax(widest, (double)tgDistance(all[i]->position, all[k]->position));
            }
        }
    }
    return widest;
}

tgResult tgCenterSearch_Open(tgCenterSearch* search, const tgCenterDef* def, tgError* error)
{
    *search = (tgCenterSearch){.def = def};
    tgResult result = tgTrackBoth(search, error);
    if (result == tg_success) {
        tgBoundCloud(search);
        search->isSeen = tgChooseFreedom(search);
    }
    return result;
}

void tgCenterSearch_Close(tgCenterSearch* search)
{
    tgSegmentTrack_Free(&search->parent);
    tgSegmentTrack_Free(&search->child);
    free(search->relative);
    free(search->cloud.starts);
    free(search->cloud.points);
}

static tgResult tgSearch(tgCenterSearch* search, tgCenter* center, tgError* error)
{
    const tgCloud* cloud = &search->cloud;
    tgVec3d fitted = tgFitCenter(cloud, &search->freedom);
    *center = (tgCenter){.kind = search->freedom.isHinge ? tg_jointHinge : tg_jointBall};
    center->axis = search->freedom.isHinge ? tgVec3d_ToFloat(search->freedom.axis)
                                           : tgMakeVec3(0.0f, 0.0f, 0.0f);
    double residual;
    double certainty = tgMeasureCertainty(search, fitted, &residual);
    center->fit = tgMakeEstimate(search, fitted, residual);
    center->range = tgMeasureRange(search, fitted);
    for (int f = 0; f < search->def->markers.frameCount; ++f) {
        center->frameCount += search->parent.isSeen[f];
    }
    if (!search->isSeen || !(certainty <= tg_leastCertain * cloud->radius)) {
        return tgFail(error, tg_notConverged, -1,
                      "it turns too little to tell the centre: %.1f degrees, with distances that "
                      "vary by %.3g",
                      center->range * 57.29577951308232, center->fit.residual);
    }
    tgVec3d annealed = tgAnnealCenter(cloud, &search->freedom, search->def);
    double count = cloud->starts[cloud->markerCount];
    residual = sqrt(tgMeasureSpheres(cloud, annealed) / count);
    center->annealed = tgMakeEstimate(search, annealed, residual);
    if (search->hasChild) {
        tgVec3d twoSided =
            tgFitTwoSided(search->relative, search->relativeCount, &search->freedom, &residual);
        center->twoSided = tgMakeEstimate(search, twoSided, residual);
    }
    center->best = tgChooseBest(search, center);
    center->agreement = tgMeasureAgreement(center);
    return tgMeasureErrors(search, center, error);
}

tgResult tgFindCenter(const tgCenterDef* def, tgCenter* center, tgError* error)
{
    tgResult result = tgCheckCenterDef(def, error);
    if (result != tg_success) {
        return result;
    }
    tgCenterSearch search;
    result = tgCenterSearch_Open(&search, def, error);
    if (result == tg_success) {
        result = tgSearch(&search, center, error);
    }
    tgCenterSearch_Close(&search);
    return result;
}

tgResult tgTrackSegment(tgMarkerView markers, const int* segment, int segmentCount,
                        int referenceFrame, tgMat34* motions, tgError* error)
{
    tgCenterDef def = tgDefaultCenterDef();
    def.markers = markers;
    def.referenceFrame = referenceFrame;
    def.parentMarkers = def.childMarkers = segment;
    def.parentMarkerCount = def.childMarkerCount = segmentCount;
    tgResult result = tgCheckCenterDef(&def, error);
    if (result != tg_success) {
        return result;
    }
    tgSegmentTrack track;
    result = tgSegmentTrack_Make(&track, markers, segment, segmentCount, referenceFrame, error);
    const tgVec3 none = {NAN, NAN, NAN};
    for (int f = 0; f < markers.frameCount && result == tg_success; ++f) {
        motions[f] = (tgMat34){none, none, none, none};
        if (track.isSeen[f]) {
            const tgMotion* m = &track.motions[f];
            tgVec3 x = tgVec3d_ToFloat(tgMotion_Turn(m, tgMakeVec3d(1.0, 0.0, 0.0)));
            tgVec3 y = tgVec3d_ToFloat(tgMotion_Turn(m, tgMakeVec3d(0.0, 1.0, 0.0)));
            tgVec3 z = tgVec3d_ToFloat(tgMotion_Turn(m, tgMakeVec3d(0.0, 0.0, 1.0)));
            motions[f] = (tgMat34){x, y, z, tgVec3d_ToFloat(m->translation)};
        }
    }
    tgSegmentTrack_Free(&track);
    return result;
}
