// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// START HERE: a skeleton for a bare mesh, one line per stage.

#include "bind/field.h"
#include "bind/sketch.h"
#include "core/core.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_autorigCookie = 0x72696773,
    tg_mostWarnings = 16,
    tg_mostPerLimb = 32,
};

/// The skeleton's own memory.
struct tgAutorigMemory {
    tgAllocator allocator;
    tgScratch scratch;
    const char* warnings[tg_mostWarnings];
};

/// Everything that goes again when the skeleton is there.
typedef struct tgAutorigWork {
    const tgAutorigDef* def;
    tgScratch scratch;
    tgBody body;
    tgSkinNet net;
    tgWalker walker;
    tgTips tips;
    tgMirror mirror;
    tgTipRules rules;
    double* field;
    tgReeb reeb;
    tgBranches branches;
    tgSketch sketch;
    bool isUpGuessed;
    int movedCount, droppedCount;
} tgAutorigWork;

tgAutorigDef tgDefaultAutorigDef(void)
{
    return (tgAutorigDef){.leastLength = 0.013f, .cookie = tg_autorigCookie};
}

static tgResult tgCheckAutorigDef(const tgAutorigDef* def, tgError* error)
{
    if (def == NULL || def->cookie != tg_autorigCookie) {
        return tgFail(error, tg_invalidArgument, -1, "start from tgDefaultAutorigDef()");
    }
    if (def->positions.data == NULL || def->positions.count < 3) {
        return tgFail(error, tg_invalidMesh, -1, "the mesh has %d vertices, wanted 3 or more",
                      def->positions.data != NULL ? def->positions.count : 0);
    }
    if (def->faceVertices == NULL || def->faceCount < 1) {
        return tgFail(error, tg_invalidMesh, -1, "the mesh has no faces");
    }
    if (!tgIsFiniteVec3(def->up) || (def->hasSource && !tgIsFiniteVec3(def->source))) {
        return tgFail(error, tg_invalidArgument, -1, "up and source must be finite");
    }
    if (def->jointsPerLimb < 0 || def->jointsPerLimb > tg_mostPerLimb) {
        return tgFail(error, tg_invalidArgument, -1,
                      "jointsPerLimb is %d, wanted 1 to %d, or 0 for the plan's own",
                      def->jointsPerLimb, tg_mostPerLimb);
    }
    if (!(def->leastLength >= 0.001f && def->leastLength <= 1.0f)) {
        return tgFail(error, tg_invalidArgument, -1, "leastLength is %g, wanted 0.001 to 1",
                      (double)def->leastLength);
    }
    return tg_success;
}

/// What does not depend on which way is up.
static tgResult tgReadSkin(tgAutorigWork* work, tgError* error)
{
    const tgAutorigDef* def = work->def;
    tgBindDef mesh = tgDefaultBindDef();
    mesh.positions = def->positions;
    mesh.faceVertices = def->faceVertices;
    mesh.faceSizes = def->faceSizes;
    mesh.faceCount = def->faceCount;
    tgResult result = tgBuildBody(&mesh, &work->scratch, &work->body, error);
    if (result == tg_success) {
        result = tgBuildSkinNet(&work->body, &work->scratch, &work->net, error);
    }
    if (result != tg_success) {
        return result;
    }
    work->field = tgScratch_Take(&work->scratch, (size_t)work->net.vertexCount, sizeof(double));
    if (!tgOpenWalker(work->net.vertexCount, &work->scratch, &work->walker) ||
        !tgMeasureAverages(&work->net, &work->walker, &work->scratch, &work->tips)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the distances");
    }
    return tg_success;
}

static int tgFindGivenSource(const tgAutorigWork* work)
{
    int best = -1;
    for (int v = 0; v < work->net.vertexCount && work->def->hasSource; ++v) {
        if (best < 0 || tgDistance(work->net.positions[v], work->def->source) <
                            tgDistance(work->net.positions[best], work->def->source)) {
            best = v;
        }
    }
    return best;
}

static void tgSetRules(tgAutorigWork* work, tgVec3d up)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int v = 0; v < work->net.vertexCount; ++v) {
        double at = tgDotD(up, tgSkinNet_Place(&work->net, v));
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    work->rules = (tgTipRules){.mirror = &work->mirror,
                               .up = up,
                               .floor = low,
                               .height = high - low,
                               .leastLength = (double)work->def->leastLength,
                               .keepsToes = work->def->keepToes,
                               .givenSource = tgFindGivenSource(work)};
}

/// How well it stands: the part of the skin that touches the floor, when the middle is above that
/// and there are pairs of feet; else 0. Soles are flat: 0.02 to 0.1 of the skin of characters;
/// lying on the back or on the nose they touch with 0.01 and less.
static double tgMeasureStand(const tgAutorigWork* work)
{
    static const double contact = 0.05, margin = 0.05; // of the height, of the diagonal
    const tgSkinNet* net = &work->net;
    tgVec3d up = work->rules.up, middle = {0};
    tgVec3d side = fabs(up.x) < 0.5 ? tgMakeVec3d(1.0, 0.0, 0.0) : tgMakeVec3d(0.0, 1.0, 0.0);
    tgVec3d axes[2];
    axes[0] = tgCrossD(up, side);
    axes[0] = tgMulSVD(1.0 / tgLengthD(axes[0]), axes[0]);
    axes[1] = tgCrossD(up, axes[0]);
    double touching = 0.0;
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int v = 0; v < net->vertexCount; ++v) {
        tgVec3d p = tgSkinNet_Place(net, v);
        middle = tgMulAddD(middle, net->areas[v] / net->area, p);
        if (tgDotD(up, p) - work->rules.floor > contact * work->rules.height) {
            continue;
        }
        touching += net->areas[v] / net->area;
        for (int k = 0; k < 2; ++k) {
            low[k] = fmin(low[k], tgDotD(axes[k], p));
            high[k] = fmax(high[k], tgDotD(axes[k], p));
        }
    }
    bool isAbove = true;
    for (int k = 0; k < 2; ++k) {
        double at = tgDotD(axes[k], middle);
        isAbove = isAbove && at >= low[k] - margin * net->diagonal &&
                  at <= high[k] + margin * net->diagonal;
    }
    int feet = 0;
    for (int i = 0; i < work->tips.count; ++i) {
        int partner = work->tips.tips[i].partner;
        feet += partner > i && work->tips.tips[i].isOnFloor && work->tips.tips[partner].isOnFloor;
    }
    return isAbove && feet > 0 ? touching : 0.0;
}

/// The tips, one way up.
static tgResult tgLookAround(tgAutorigWork* work, tgVec3d up, tgError* error)
{
    tgSetRules(work, up);
    if (!tgFindTips(&work->net, &work->rules, &work->walker, &work->scratch, &work->tips)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the extremities");
    }
    if (work->tips.count < 2) {
        return tgFail(error, tg_invalidMesh, -1, "the mesh has no two ends to walk between");
    }
    return tg_success;
}

/// The mirror plane, and which way is up: as the caller says; else y, or z when the body stands
/// better by that.
static tgResult tgChooseUp(tgAutorigWork* work, tgError* error)
{
    static const double firmly = 0.02;
    tgVec3d given = tgVec3d_FromFloat(work->def->up);
    double length = tgLengthD(given);
    tgVec3d y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    given = length > 0.0 ? tgMulSVD(1.0 / length, given) : given;
    if (!tgFindMirror(&work->net, work->def->symmetry, given, &work->scratch, &work->mirror)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the mirror plane");
    }
    if (length > 0.0) {
        return tgLookAround(work, given, error);
    }
    tgResult result = tgLookAround(work, y, error);
    double byY = result == tg_success ? tgMeasureStand(work) : 0.0;
    if (result != tg_success || !work->mirror.isFound || byY >= firmly) {
        return result;
    }
    result = tgLookAround(work, z, error);
    work->isUpGuessed = result == tg_success && tgMeasureStand(work) > byY;
    return result == tg_success && !work->isUpGuessed ? tgLookAround(work, y, error) : result;
}

/// Field, curves, joints.
static tgResult tgDrawSketch(tgAutorigWork* work, tgError* error)
{
    const tgSkinNet* net = &work->net;
    tgScratch* scratch = &work->scratch;
    tgResult result =
        tgSolveField(net, &work->mirror, &work->tips, &work->walker, scratch, work->field, error);
    if (result != tg_success) {
        return result;
    }
    tgSketchDef def = {.net = net,
                       .mirror = &work->mirror,
                       .tips = &work->tips,
                       .branches = &work->branches,
                       .up = work->rules.up,
                       .floor = work->rules.floor,
                       .height = work->rules.height,
                       .plan = work->def->plan,
                       .jointsPerLimb = work->def->jointsPerLimb};
    if (!tgBuildReeb(net, &work->tips, work->field, scratch, &work->reeb) ||
        !tgBuildBranches(net, &work->mirror, &work->tips, &work->reeb, scratch, &work->branches)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the curves");
    }
    if (work->branches.count == 0) {
        return tgFail(error, tg_invalidMesh, -1, "the mesh has no two ends to walk between");
    }
    if (!tgPlaceJoints(&def, scratch, &work->sketch)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the joints");
    }
    return tg_success;
}

static bool tgHasLegs(const tgAutorigWork* work)
{
    return work->sketch.plan == tg_planBiped || work->sketch.plan == tg_planQuadruped;
}

// ---- the result ----

static void tgWarn(tgAutorig* rig, const char* format, ...) TG_PRINTF(2, 3);

static void tgWarn(tgAutorig* rig, const char* format, ...)
{
    enum { tg_room = 256 };
    struct tgAutorigMemory* memory = rig->memory;
    char* text = tgScratch_Take(&memory->scratch, tg_room, 1);
    if (text == NULL || rig->warningCount == tg_mostWarnings) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, tg_room, format, arguments);
    va_end(arguments);
    memory->warnings[rig->warningCount++] = text;
    rig->warnings = memory->warnings;
}

static void tgFillWarnings(const tgAutorigWork* work, tgAutorig* rig)
{
    bool wantsLegs = work->def->plan == tg_planBiped || work->def->plan == tg_planQuadruped;
    if (wantsLegs && !tgHasLegs(work)) {
        tgWarn(rig, "%s: limbs about a hub instead",
               work->mirror.isFound ? "too few pairs of limbs for the template"
                                    : "a template needs the mirror image of each limb");
    }
    if (!work->mirror.isFound && work->def->symmetry != tg_symmetryNone &&
        work->sketch.plan != tg_planHand) {
        tgWarn(rig,
               "no mirror plane: %.0f %% of the skin has its image; a rest pose, T or A, gives "
               "better joints and names",
               100.0 * work->mirror.share);
    }
    if (work->isUpGuessed) {
        tgWarn(rig, "z is taken as up: it stands better so than by y; --up says otherwise");
    }
    if (work->net.leftCount > 0) {
        tgWarn(rig, "%s left to the skin nearby",
               tgTellCount(work->net.leftCount, "piece is", "pieces are").text);
    }
    if (rig->droppedCount == rig->jointCount && rig->droppedCount > 0) {
        tgWarn(rig, "the mesh has no inside: joints stand where they can");
    } else if (rig->droppedCount > 0) {
        tgWarn(rig, "%s dropped: there is no place inside the skin for %s",
               tgTellCount(rig->droppedCount, "joint was", "joints were").text,
               rig->droppedCount == 1 ? "it" : "them");
    }
    if (work->branches.count == 1) {
        tgWarn(rig, "nothing branches off: %s along the body",
               tgTellCount(rig->jointCount, "joint", "joints").text);
    }
}

static bool tgFillJoints(const tgAutorigWork* work, tgAutorig* rig)
{
    const tgSketch* sketch = &work->sketch;
    tgAutorigJoint* joints = tgScratch_Take(&rig->memory->scratch, (size_t)sketch->jointCount + 1,
                                            sizeof(tgAutorigJoint));
    if (joints == NULL) {
        return false;
    }
    for (int j = 0; j < sketch->jointCount; ++j) {
        const tgSketchJoint* from = &sketch->joints[j];
        joints[j] = (tgAutorigJoint){.parent = from->parent,
                                     .mirror = from->mirror,
                                     .position = tgVec3d_ToFloat(from->position),
                                     .radius = (float)from->radius,
                                     .wasMoved = from->isMoved};
        memcpy(joints[j].name, from->name, sizeof(joints[j].name));
        joints[j].tail = joints[j].position;
        if (from->hasTail) {
            joints[j].tail = tgVec3d_ToFloat(from->tail);
        }
    }
    for (int j = 0; j < sketch->jointCount; ++j) {
        if (joints[j].parent >= 0) {
            joints[joints[j].parent].tail = joints[joints[j].parent].position;
        }
    }
    rig->joints = joints;
    rig->jointCount = sketch->jointCount;
    return true;
}

static tgAutorigTip tgMakeTip(const tgAutorigWork* work, const tgTip* tip)
{
    return (tgAutorigTip){.position = work->net.positions[tip->vertex],
                          .length = (float)(tip->length / work->net.diagonal),
                          .fate = tip->fate,
                          .joint = -1};
}

static bool tgFillTips(const tgAutorigWork* work, tgAutorig* rig)
{
    const tgTips* tips = &work->tips;
    size_t room = (size_t)tips->count + (size_t)tips->droppedCount + 1;
    tgAutorigTip* list = tgScratch_Take(&rig->memory->scratch, room, sizeof(tgAutorigTip));
    if (list == NULL) {
        return false;
    }
    for (int i = 0; i < tips->count; ++i) {
        list[rig->tipCount++] = tgMakeTip(work, &tips->tips[i]);
    }
    for (int i = 0; i < tips->droppedCount; ++i) {
        list[rig->tipCount++] = tgMakeTip(work, &tips->dropped[i]);
    }
    for (int j = 0; j < work->sketch.jointCount; ++j) {
        if (work->sketch.joints[j].tip >= 0) {
            list[work->sketch.joints[j].tip].joint = j;
        }
    }
    rig->tips = list;
    rig->source = tips->source;
    return true;
}

static bool tgFillCurve(const tgAutorigWork* work, tgAutorig* rig)
{
    tgScratch* keep = &rig->memory->scratch;
    int branchCount = work->branches.count;
    size_t count = (size_t)branchCount * tg_branchPoints;
    tgVec3* curve = tgScratch_Take(keep, count + 1, sizeof(tgVec3));
    float* radii = tgScratch_Take(keep, count + 1, sizeof(float));
    int* start = tgScratch_Take(keep, (size_t)branchCount + 1, sizeof(int));
    if (keep->failed) {
        return false;
    }
    for (int b = 0; b < branchCount; ++b) {
        start[b + 1] = (b + 1) * tg_branchPoints;
        for (int k = 0; k < tg_branchPoints; ++k) {
            curve[start[b] + k] = tgVec3d_ToFloat(work->branches.branches[b].points[k]);
            radii[start[b] + k] = (float)work->branches.branches[b].radii[k];
        }
    }
    rig->branchCount = branchCount;
    rig->curveCount = (int)count;
    rig->curve = curve;
    rig->curveRadii = radii;
    rig->curveStart = start;
    return true;
}

static bool tgFillAutorig(const tgAutorigWork* work, tgAutorig* rig)
{
    if (!tgFillJoints(work, rig) || !tgFillTips(work, rig) || !tgFillCurve(work, rig)) {
        return false;
    }
    rig->plan = work->sketch.plan;
    rig->hasPlane = work->mirror.isFound;
    rig->planeNormal = tgVec3d_ToFloat(work->mirror.normal);
    rig->planePoint = tgVec3d_ToFloat(tgMulSVD(work->mirror.offset, work->mirror.normal));
    rig->planeShare = (float)work->mirror.share;
    rig->up = tgVec3d_ToFloat(work->rules.up);
    rig->isUpGuessed = work->isUpGuessed;
    rig->movedCount = work->movedCount;
    rig->droppedCount = work->droppedCount;
    rig->pieceCount = work->net.pieceCount;
    rig->bridgedCount = work->net.bridgedCount;
    rig->leftCount = work->net.leftCount;
    tgFillWarnings(work, rig);
    return !rig->memory->scratch.failed;
}

static tgResult tgRunAutorig(tgAutorigWork* work, tgError* error)
{
    tgResult result = tgReadSkin(work, error);
    if (result == tg_success) {
        result = tgChooseUp(work, error);
    }
    if (result == tg_success) {
        result = tgDrawSketch(work, error);
    }
    if (result != tg_success) {
        return result;
    }
    tgMirrorJoints(&work->mirror, &work->branches, &work->sketch);
    tgNameJoints(&work->mirror, work->rules.up, &work->sketch);
    if (!tgMoveJointsInside(&work->body, &work->net, &work->mirror, &work->scratch, &work->sketch,
                            &work->movedCount, &work->droppedCount)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the joints");
    }
    return tg_success;
}

tgAutorig* tgCreateAutorig(const tgAutorigDef* def, tgError* error)
{
    tgError local = {0}; // the solver tells its reason through it
    tgError* told = error != NULL ? error : &local;
    if (tgCheckAutorigDef(def, told) != tg_success) {
        return NULL;
    }
    tgAutorig* rig = calloc(1, sizeof(tgAutorig));
    struct tgAutorigMemory* memory = calloc(1, sizeof(struct tgAutorigMemory));
    tgAutorigWork* work = calloc(1, sizeof(tgAutorigWork));
    tgAllocator allocator = {0};
    bool isMade = rig != NULL && memory != NULL && work != NULL;
    if (isMade) {
        memory->scratch.allocator = &memory->allocator;
        rig->memory = memory;
        work->def = def;
        work->scratch.allocator = &allocator;
        tgResult result = tgRunAutorig(work, told);
        isMade = result == tg_success && tgFillAutorig(work, rig);
        if (result == tg_success && !isMade) {
            tgFail(told, tg_outOfMemory, -1, "no memory for the skeleton");
        }
        tgScratch_FreeAll(&work->scratch);
    } else {
        free(memory);
        tgFail(told, tg_outOfMemory, -1, "no memory for the skeleton");
    }
    free(work);
    if (!isMade) {
        tgDestroyAutorig(rig);
        return NULL;
    }
    return rig;
}

void tgDestroyAutorig(tgAutorig* rig)
{
    if (rig == NULL) {
        return;
    }
    if (rig->memory != NULL) {
        tgScratch_FreeAll(&rig->memory->scratch);
        free(rig->memory);
    }
    free(rig);
}
