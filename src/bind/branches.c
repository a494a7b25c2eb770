// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Loops that lie on the ways to the same tips follow each other in one branch. Branches are
// smoothed, made of equally spaced points, and averaged with their mirror images. Hubs that a short
// branch joins become one.

#include "bind/branches.h"

#include <stdlib.h>
#include <string.h>

enum { tg_smoothings = 3 };

/// Of the diagonal: images further apart are left as they are, an arm that is posed otherwise.
static const double tg_imageFar = 0.05;
/// Unless as much of the skin has its image: then there is no pose.
static const double tg_exactShare = 0.99;
/// A branch shorter than this part of how far its tip sticks out started too late.
static const double tg_lateStart = 0.5;
/// In radii: a shorter branch between hubs is none; on the mirror plane and elsewhere.
static const double tg_shortMidline = 0.5, tg_shortBranch = 1.2;

typedef struct tgBranchBuild {
    const tgSkinNet* net;
    const tgMirror* mirror;
    const tgTips* tips;
    const tgReeb* reeb;
    uint64_t* tipsBeyond; ///< of each loop
    int* loops;           ///< of one branch, from the source on
    tgVec3d* points;
    double* radii;
    double* lengths;
    tgBranches* branches;
} tgBranchBuild;

static int tgStepTowards(const tgReeb* reeb, int part, int* loop)
{
    *loop = reeb->towards[part];
    if (*loop < 0) {
        return -1;
    }
    const tgLoop* crossed = &reeb->loops[*loop];
    return crossed->low == part ? crossed->high : crossed->low;
}

static uint64_t tgMarkWays(tgBranchBuild* build)
{
    uint64_t all = 0;
    for (int i = 0; i < build->tips->count; ++i) {
        int part = build->reeb->tipParts[i], loop;
        if (i == build->tips->source || part < 0) {
            continue;
        }
        all |= (uint64_t)1 << i;
        for (int next; (next = tgStepTowards(build->reeb, part, &loop)) >= 0; part = next) {
            build->tipsBeyond[loop] |= (uint64_t)1 << i;
        }
    }
    return all;
}

static int tgFindBranch(const tgBranches* branches, uint64_t tips)
{
    for (int b = 0; b < branches->count; ++b) {
        if (branches->branches[b].tips == tips) {
            return b;
        }
    }
    return -1;
}

/// The loops of a branch in order, walked from one of its tips.
static int tgListBranchLoops(const tgBranchBuild* build, uint64_t tips, int tip)
{
    int count = 0, loop;
    int part = build->reeb->tipParts[tip];
    for (int next; (next = tgStepTowards(build->reeb, part, &loop)) >= 0; part = next) {
        if (build->tipsBeyond[loop] == tips) {
            build->loops[count++] = loop;
        }
    }
    for (int i = 0; i < count / 2; ++i) {
        int swapped = build->loops[i];
        build->loops[i] = build->loops[count - 1 - i];
        build->loops[count - 1 - i] = swapped;
    }
    return count;
}

static void tgSmoothCurve(int count, tgVec3d* points, double* radii)
{
    for (int round = 0; round < tg_smoothings; ++round) {
        tgVec3d last = count > 0 ? points[0] : (tgVec3d){0};
        double lastRadius = count > 0 ? radii[0] : 0.0;
        for (int i = 1; i + 1 < count; ++i) {
            tgVec3d own = points[i];
            double radius = radii[i];
            points[i] = tgMulAddD(tgMulSVD(0.5, own), 0.25, tgAddD(last, points[i + 1]));
            radii[i] = 0.25 * lastRadius + 0.5 * radius + 0.25 * radii[i + 1];
            last = own;
            lastRadius = radius;
        }
    }
}

/// `tg_branchPoints` points at equal steps along the curve.
static void tgResample(int count, const tgVec3d* points, const double* radii, double* lengths,
                       tgBranch* branch)
{
    lengths[0] = 0.0;
    for (int i = 1; i < count; ++i) {
        lengths[i] = lengths[i - 1] + tgLengthD(tgSubD(points[i], points[i - 1]));
    }
    branch->length = lengths[count - 1];
    for (int k = 0, i = 0; k < tg_branchPoints; ++k) {
        double at = branch->length * (double)k / (tg_branchPoints - 1);
        while (i + 2 < count && lengths[i + 1] < at) {
            i += 1;
        }
        int next = count > 1 ? i + 1 : i;
        double step = lengths[next] - lengths[i];
        double t = step > 0.0 ? fmin(fmax((at - lengths[i]) / step, 0.0), 1.0) : 0.0;
        branch->points[k] = tgMixD(points[i], points[next], t);
        branch->radii[k] = (1.0 - t) * radii[i] + t * radii[next];
    }
}

static double tgMeanRadius(const tgBranch* branch)
{
    double sum = 0.0;
    for (int k = 0; k < tg_branchPoints; ++k) {
        sum += branch->radii[k] / tg_branchPoints;
    }
    return sum;
}

/// The curve of a branch through its loops, from the source if it starts there, to its tip if it
/// ends in one. One without loops waits for its hub.
static void tgDrawBranch(const tgBranchBuild* build, int tip, tgBranch* branch)
{
    int loopCount = tgListBranchLoops(build, branch->tips, tip), count = 0;
    if (branch->parent < 0) {
        build->radii[count] = 0.0;
        build->points[count++] =
            tgSkinNet_Place(build->net, build->tips->tips[build->tips->source].vertex);
    }
    for (int i = 0; i < loopCount; ++i) {
        const tgLoop* loop = &build->reeb->loops[build->loops[i]];
        build->radii[count] = loop->radius;
        build->points[count++] = loop->center;
    }
    if (branch->tip >= 0) {
        build->radii[count] = 0.0;
        build->points[count++] = tgSkinNet_Place(build->net, build->tips->tips[branch->tip].vertex);
    }
    tgSmoothCurve(count, build->points, build->radii);
    if (count > 0) {
        tgResample(count, build->points, build->radii, build->lengths, branch);
    }
    branch->radius = count > 0 ? tgMeanRadius(branch) : -1.0; // -1: nothing there
}

/// All branches on the way to a tip that are not there yet.
static void tgAddBranchesOf(tgBranchBuild* build, int tip, uint64_t all)
{
    uint64_t own = (uint64_t)1 << tip;
    uint64_t masks[tg_mostTips + 1];
    int count = 0, loop;
    masks[count++] = own;
    int part = build->reeb->tipParts[tip];
    for (int next; (next = tgStepTowards(build->reeb, part, &loop)) >= 0; part = next) {
        if (build->tipsBeyond[loop] != masks[count - 1]) {
            masks[count++] = build->tipsBeyond[loop];
        }
    }
    if (masks[count - 1] != all) {
        masks[count++] = all; // the source is itself in a hub
    }
    int parent = -1;
    for (int i = count - 1; i >= 0; --i) {
        int b = tgFindBranch(build->branches, masks[i]);
        if (b < 0) {
            b = build->branches->count++;
            tgBranch* branch = &build->branches->branches[b];
            branch->tips = masks[i];
            branch->parent = parent;
            branch->tip = masks[i] == own ? tip : -1;
            branch->mirror = -1;
            tgDrawBranch(build, tip, branch);
        }
        parent = b;
    }
}

// ---- hubs ----

static void tgAddToHub(tgVec3d* sum, double* weight, double* radius, tgVec3d p, double r)
{
    *sum = tgMulAddD(*sum, r * r, p);
    *weight += r * r;
    *radius = fmax(*radius, r);
}

/// A hub lies among the loops about it, nearest to the thickest.
static void tgPlaceHubs(tgBranches* branches)
{
    for (int b = 0; b < branches->count; ++b) {
        tgBranch* branch = &branches->branches[b];
        if (branch->tip >= 0) {
            continue;
        }
        tgVec3d sum = {0};
        double weight = 0.0;
        branch->hubRadius = 0.0;
        if (branch->radius > 0.0) {
            tgAddToHub(&sum, &weight, &branch->hubRadius, branch->points[tg_branchPoints - 1],
                       branch->radii[tg_branchPoints - 1]);
        }
        for (int c = 0; c < branches->count; ++c) {
            const tgBranch* child = &branches->branches[c];
            if (child->parent == b && child->radius > 0.0) {
                tgAddToHub(&sum, &weight, &branch->hubRadius, child->points[0], child->radii[0]);
            }
        }
        branch->hub = weight > 0.0          ? tgMulSVD(1.0 / weight, sum)
                      : branch->parent >= 0 ? branches->branches[branch->parent].hub
                                            : branch->points[tg_branchPoints - 1];
    }
}

/// Branches that have no loops are straight from the hub.
static void tgDrawShortBranches(const tgSkinNet* net, const tgTips* tips, tgBranches* branches)
{
    for (int b = 0; b < branches->count; ++b) {
        tgBranch* branch = &branches->branches[b];
        bool isPoint = branch->radius >= 0.0 && !(branch->length > 0.0);
        if (branch->parent < 0 || (branch->radius >= 0.0 && !isPoint)) {
            continue;
        }
        const tgBranch* parent = &branches->branches[branch->parent];
        tgVec3d ends[2] = {parent->hub, branch->tip >= 0
                                            ? tgSkinNet_Place(net, tips->tips[branch->tip].vertex)
                                            : branch->hub};
        double radii[2] = {parent->hubRadius, branch->tip >= 0 ? 0.0 : branch->hubRadius};
        double lengths[2];
        tgResample(2, ends, radii, lengths, branch);
        branch->radius = tgMeanRadius(branch);
    }
}

/// How far a tip sticks out, the less of it and its partner: the longest tip of all is measured
/// down to the middle of the body. 0 for a tip without partner: the hub of a tail lies too deep to
/// start there.
static double tgGetTipLength(const tgTips* tips, int tip)
{
    int partner = tips->tips[tip].partner;
    return partner >= 0 && partner != tip ? fmin(tips->tips[tip].length, tips->tips[partner].length)
                                          : 0.0;
}

/// Few levels pass through what is small and near the source, as ears are: their loops start late.
/// Such a branch starts as far from its tip as that sticks out, towards the hub.
static void tgLengthenBranches(const tgTips* tips, tgBranches* branches)
{
    for (int b = 1; b < branches->count; ++b) {
        tgBranch* branch = &branches->branches[b];
        if (branch->tip < 0 || branch->parent < 0) {
            continue;
        }
        double reach = tgGetTipLength(tips, branch->tip);
        tgVec3d towards = tgSubD(branches->branches[branch->parent].hub, branch->points[0]);
        double room = tgLengthD(towards);
        if (!(branch->length < tg_lateStart * reach) || !(room > 0.0)) {
            continue;
        }
        tgVec3d points[tg_branchPoints + 1];
        double radii[tg_branchPoints + 1], lengths[tg_branchPoints + 1];
        points[0] =
            tgMulAddD(branch->points[0], fmin((reach - branch->length) / room, 1.0), towards);
        radii[0] = branch->radii[0];
        memcpy(points + 1, branch->points, sizeof(branch->points));
        memcpy(radii + 1, branch->radii, sizeof(branch->radii));
        tgResample(tg_branchPoints + 1, points, radii, lengths, branch);
        branch->radius = tgMeanRadius(branch);
    }
}

static int tgGetShortBranch(const tgBranches* branches)
{
    for (int b = 1; b < branches->count; ++b) {
        const tgBranch* branch = &branches->branches[b];
        if (branch->tip >= 0) {
            continue;
        }
        double length = branch->length, radius = branch->radius;
        if (branch->mirror >= 0) { // both of a pair, or none
            const tgBranch* image = &branches->branches[branch->mirror];
            length = 0.5 * (length + image->length);
            radius = 0.5 * (radius + image->radius);
        }
        if (length < (branch->mirror == b ? tg_shortMidline : tg_shortBranch) * radius) {
            return b;
        }
    }
    return -1;
}

/// Takes a branch out; its children start from its parent's hub.
static void tgRemoveBranch(tgBranches* branches, int gone)
{
    int parent = branches->branches[gone].parent;
    for (int b = 0; b < branches->count; ++b) {
        tgBranch* branch = &branches->branches[b];
        branch->parent = branch->parent == gone ? parent : branch->parent;
        branch->parent -= branch->parent > gone;
        branch->mirror = branch->mirror == gone ? -1 : branch->mirror;
        branch->mirror -= branch->mirror > gone;
    }
    branches->count -= 1;
    memmove(&branches->branches[gone], &branches->branches[gone + 1],
            (size_t)(branches->count - gone) * sizeof(tgBranch));
}

// ---- mirror images ----

static uint64_t tgMirrorTips(const tgTips* tips, uint64_t mask)
{
    uint64_t image = 0;
    for (int i = 0; i < tips->count; ++i) {
        if ((mask >> i & 1) != 0) {
            if (tips->tips[i].partner < 0) {
                return 0;
            }
            image |= (uint64_t)1 << tips->tips[i].partner;
        }
    }
    return image;
}

static double tgMeasureApart(const tgMirror* mirror, const tgBranch* a, const tgBranch* b)
{
    double most = 0.0;
    for (int k = 0; k < tg_branchPoints; ++k) {
        tgVec3d image = tgMirror_Reflect(mirror, b->points[k]);
        most = fmax(most, tgLengthD(tgSubD(a->points[k], image)));
    }
    return most;
}

static void tgAverageImages(const tgMirror* mirror, tgBranch* a, tgBranch* b)
{
    for (int k = 0; k < tg_branchPoints; ++k) {
        tgVec3d image = tgMirror_Reflect(mirror, b->points[k]);
        a->points[k] = tgMulSVD(0.5, tgAddD(a->points[k], image));
        b->points[k] = tgMirror_Reflect(mirror, a->points[k]);
        a->radii[k] = b->radii[k] = 0.5 * (a->radii[k] + b->radii[k]);
    }
    a->length = b->length = 0.5 * (a->length + b->length);
    a->radius = b->radius = 0.5 * (a->radius + b->radius);
    a->isSymmetric = b->isSymmetric = true;
}

static void tgCopyImage(const tgMirror* mirror, const tgBranch* from, tgBranch* to)
{
    for (int k = 0; k < tg_branchPoints; ++k) {
        to->points[k] = tgMirror_Reflect(mirror, from->points[k]);
        to->radii[k] = from->radii[k];
    }
    to->length = from->length;
    to->radius = from->radius;
    to->hub = tgMirror_Reflect(mirror, from->hub);
    to->hubRadius = from->hubRadius;
}

static void tgMirrorBranches(const tgBranchBuild* build)
{
    tgBranches* branches = build->branches;
    const tgMirror* mirror = build->mirror;
    const tgTips* tips = build->tips;
    if (!mirror->isFound || tips->tips[tips->source].partner != tips->source) {
        return;
    }
    for (int b = 0; b < branches->count; ++b) {
        tgBranch* branch = &branches->branches[b];
        uint64_t image = tgMirrorTips(tips, branch->tips);
        branch->mirror = image != 0 ? tgFindBranch(branches, image) : -1;
    }
    for (int b = 0; b < branches->count; ++b) {
        tgBranch* branch = &branches->branches[b];
        double far = tg_imageFar * build->net->diagonal;
        if (branch->mirror == b) {
            for (int k = 0; k < tg_branchPoints; ++k) {
                branch->points[k] = tgMirror_Flatten(mirror, branch->points[k]);
            }
            branch->hub = tgMirror_Flatten(mirror, branch->hub);
            branch->isSymmetric = true;
        } else if (branch->mirror > b) {
            tgBranch* other = &branches->branches[branch->mirror];
            bool isApart = tgMeasureApart(mirror, branch, other) > far;
            if (isApart && mirror->share >= tg_exactShare) {
                // Not a pose: where the first loop lies was decided by a hair. The longer one
                // counts.
                tgCopyImage(mirror, branch->length >= other->length ? branch : other,
                            branch->length >= other->length ? other : branch);
            }
            if (!isApart || mirror->share >= tg_exactShare) {
                tgAverageImages(mirror, branch, other);
                tgVec3d hub = tgMirror_Reflect(mirror, other->hub);
                branch->hub = tgMulSVD(0.5, tgAddD(branch->hub, hub));
                other->hub = tgMirror_Reflect(mirror, branch->hub);
            }
        }
    }
}

bool tgBuildBranches(const tgSkinNet* net, const tgMirror* mirror, const tgTips* tips,
                     const tgReeb* reeb, tgScratch* scratch, tgBranches* branches)
{
    size_t room = (size_t)reeb->partCount + 3;
    tgBranchBuild build = {
        .net = net,
        .mirror = mirror,
        .tips = tips,
        .reeb = reeb,
        .tipsBeyond = tgScratch_Take(scratch, (size_t)reeb->loopCount + 1, sizeof(uint64_t)),
        .loops = tgScratch_Take(scratch, room, sizeof(int)),
        .points = tgScratch_Take(scratch, room, sizeof(tgVec3d)),
        .radii = tgScratch_Take(scratch, room, sizeof(double)),
        .lengths = tgScratch_Take(scratch, room, sizeof(double)),
        .branches = branches,
    };
    branches->count = 0;
    branches->branches = tgScratch_Take(scratch, tg_mostBranches, sizeof(tgBranch));
    if (scratch->failed) {
        return false;
    }
    uint64_t all = tgMarkWays(&build);
    for (int i = 0; i < tips->count; ++i) {
        if ((all >> i & 1) != 0) {
            tgAddBranchesOf(&build, i, all);
        }
    }
    tgPlaceHubs(branches);
    tgDrawShortBranches(net, tips, branches);
    tgLengthenBranches(tips, branches);
    tgMirrorBranches(&build);
    for (int b; (b = tgGetShortBranch(branches)) >= 0;) {
        int image = branches->branches[b].mirror;
        tgRemoveBranch(branches, image > b ? image : b);
        if (image >= 0 && image != b) {
            tgRemoveBranch(branches, image > b ? b : image);
        }
    }
    return true;
}
