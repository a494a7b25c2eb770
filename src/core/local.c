// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The local volume method (2008 s.3 and 5). With g = dV/dp at a vertex, which is parallel to its
// normal, and gamma of the map (region_map.c), a region that is to gain dV moves by
//
//   u_k = dV gamma_k g_k / sum_j gamma_j |g_j|^2
//
// exact to first order. A vertex between two regions follows both, each in part, and counts for
// each as much. All regions start from the same positions, so their order does not matter.
// What a region lost: region_rim.c.

#include "core/local.h"

#include "core/volume.h"

#include <math.h>
#include <string.h>

/// Motions closer than this (angles, and lengths over the region's radius) are the same motion.
static const double tg_sameTurn = 1e-6;
/// Regions that bend so far blend with their neighbours in full.
static const double tg_fullBend = 0.1;
/// A step that is this close to what was asked for is that but for rounding.
static const double tg_roundedShare = 1e-9;
/// A volume this close to the one wanted, relative to it, is met.
static const double tg_metVolume = 1e-6;

/// The regions at hand.
typedef struct tgLocalPass {
    const tgLocalTask* task;
    const tgRegions* regions;
    tgRegionState* states;
    bool measures; ///< losses are measured in this step
    bool isFirst;  ///< they are what the frame lost
    double part;   ///< of what is to be added, in this step
} tgLocalPass;

// ---- what moves ---------------------------------------------------------------------------------

/// How differently two joints move, near a point: an angle, or a length in units of `length`.
static double tgCompareMotions(const tgMat34d* a, const tgMat34d* b, const double* point,
                               double length)
{
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        double slid = a->c[3][i] - b->c[3][i];
        for (int k = 0; k < 3; ++k) {
            double turned = a->c[k][i] - b->c[k][i];
            slid += turned * point[k];
            most = fabs(turned) > most ? fabs(turned) : most;
        }
        slid = fabs(slid) / length;
        most = slid > most ? slid : most;
    }
    return most;
}

/// Where the joints are, in both poses, and which of them move as the one that carries them does.
static void tgReadJoints(const tgLocalTask* task)
{
    const tgTree* tree = &task->skeleton->tree;
    double length = (double)task->skinThickness;
    for (int i = 0; i < tree->count; ++i) {
        int j = tree->order[i], carrier = tree->carriers[j];
        const tgMat34d* m = &task->motions[j];
        const double* o = task->kept[j].c[3];
        double posed[3];
        for (int k = 0; k < 3; ++k) {
            posed[k] = m->c[3][k] + (m->c[0][k] * o[0] + m->c[1][k] * o[1] + m->c[2][k] * o[2]);
        }
        task->keptOrigins[j] = tgMakeVec3((float)o[0], (float)o[1], (float)o[2]);
        task->origins[j] = tgMakeVec3((float)posed[0], (float)posed[1], (float)posed[2]);
        bool follows =
            carrier >= 0 && tgCompareMotions(m, &task->motions[carrier], o, length) <= tg_sameTurn;
        task->leaders[j] = follows ? task->leaders[carrier] : j;
    }
}

/// How differently the joints of a region move. Where they all move alike it is carried as it is,
/// and has lost nothing.
static double tgMeasureBend(const tgLocalTask* task, const tgRegions* regions,
                            const tgRegion* region)
{
    int own = region->joint;
    double most = 0.0;
    for (int i = 0; i < region->jointCount; ++i) {
        int j = regions->joints[region->firstJoint + i];
        if (task->leaders[j] != task->leaders[own]) {
            double bend = tgCompareMotions(&task->motions[j], &task->motions[own],
                                           task->kept[own].c[3], (double)region->radius);
            most = bend > most ? bend : most;
        }
    }
    return most;
}

// ---- losses -------------------------------------------------------------------------------------

/// Six times the volume to keep: of a region closed by fans, of one without, or of a piece.
static double tgMeasureKept(const tgLocalTask* task, const tgRegions* regions,
                            const tgRegion* region)
{
    if (task->isRestPose) {
        return region->restVolume;
    }
    return tgMeasureCones(task->kernels, regions, region, task->rest, task->keptOrigins) +
           tgMeasureFans(task->kernels, regions, region, task->rest, task->keptOrigins,
                         task->points);
}

/// Volume now minus volume to keep, given the cones over the region's faces as they are now.
static double tgGetLoss(const tgLocalTask* task, const tgRegions* regions, const tgRegion* region,
                        double cones)
{
    double kept = tgMeasureKept(task, regions, region);
    if (!regions->prisms || regions->whole) {
        double fans = tgMeasureFans(task->kernels, regions, region, task->positions, task->origins,
                                    task->points);
        return (cones + fans - kept) / 6.0;
    }
    // Carrying the region back by the inverse of this motion would divide all by the growth.
    const tgMat34d* motion = &task->motions[region->joint];
    double cofactors[3][3], growth = tgMat34d_Cofactors(motion, cofactors);
    double walls = tgMeasureWalls(task->kernels, regions, region, task->rest, task->positions,
                                  motion, task->origins, task->points);
    return (cones + walls - growth * kept) / 6.0;
}

static double tgMeasureAll(const tgLocalTask* task, const float* positions)
{
    tgVec3 apex = tgMakeVec3(positions[0], positions[1], positions[2]);
    return tgQuickVolume(task->kernels, task->mesh, positions, apex);
}

// ---- steps --------------------------------------------------------------------------------------

/// Fills the slots of a region's faces and loops; returns the cones over its own faces.
static double tgFillSlots(const tgLocalTask* task, const tgRegions* regions, const tgRegion* region,
                          float* slots)
{
    tgFaceTask faces = {
        .triangles = regions->triangles + 3 * (size_t)region->firstTriangle,
        .quads = regions->quads + 4 * (size_t)region->firstQuad,
        .positions = task->positions,
        .slots = slots,
        .triangleCount = region->triangleCount,
    };
    const tgFaceCounts counts = {region->ownTriangleCount, region->triangleCount,
                                 region->ownQuadCount, region->quadCount};
    double cones = task->kernels->slotsAndCones(
        &faces, &counts, tgGetApex(regions, region, task->positions, task->origins));
    float* slot = slots + 4 * (size_t)(region->triangleCount + 4 * region->quadCount);
    for (int i = 0; i < region->loopCount; ++i, slot += 4) {
        int loop = regions->loops[region->firstLoop + i];
        tgVec3 share = tgMulSV(6.0f, tgGetCapGradient(task->mesh, loop, task->positions));
        memcpy(slot, &share, sizeof(share));
        slot[3] = 0.0f;
    }
    return cones;
}

/// Gamma of the takers, less where a region's are not free.
static const float* tgGetGamma(const tgLocalTask* task, const tgRegions* regions,
                               const tgRegion* region)
{
    if (task->freedom == NULL) {
        return regions->gamma;
    }
    int end = region->firstTaker + region->takerCount;
    for (int i = region->firstTaker; i < end; ++i) {
        task->gamma[i] = regions->gamma[i] * task->freedom[regions->takers[i]];
    }
    return task->gamma;
}

/// Loss and fields of one region; nothing moves yet.
static void tgPrepareRegion(const tgLocalPass* pass, int r)
{
    const tgLocalTask* task = pass->task;
    const tgRegions* regions = pass->regions;
    const tgRegion* region = &regions->regions[r];
    tgRegionState* state = &pass->states[r];
    float* slots = task->slots + 4 * (size_t)region->firstSlot;
    double cones = tgFillSlots(task, regions, region, slots);
    if (pass->measures) {
        double loss = tgGetLoss(task, regions, region, cones);
        state->loss = pass->isFirst ? loss : state->loss;
        state->amount = -loss;
        if (regions->whole && task->breath != 1.0) {
            state->amount += (task->breath - 1.0) * tgMeasureKept(task, regions, region) / 6.0;
        }
        state->left = state->amount;
    }
    tgGatherTask gather = {.start = regions->slotStart,
                           .slotList = regions->slotList,
                           .slots = slots,
                           .out = task->field};
    const float* gamma = tgGetGamma(task, regions, region);
    for (int i = region->firstSeam; i < region->firstSeam + region->seamCount; ++i) {
        const tgSeam* seam = &regions->seams[i];
        task->worths[i] = task->kernels->gatherField(
            &gather, gamma, regions->shares, seam->firstTaker, seam->firstTaker + seam->takerCount);
    }
}

static void tgPrepareRange(int begin, int end, void* context)
{
    const tgLocalPass* pass = context;
    for (int r = begin; r < end; ++r) {
        if (pass->states[r].moves) {
            tgPrepareRegion(pass, r);
        }
    }
}

/// How much two regions blend. With one that stands still there is a still edge, because that one
/// is not to be touched; as it begins to bend the edge opens little by little, so that nothing
/// pops.
static float tgGetBlend(const tgRegionState* own, const tgRegionState* across)
{
    return own->bend * across->bend;
}

/// The step that would give a region at once what it was given in all, outwards.
static float tgGetReach(const tgRegionState* state)
{
    return state->worth > 0.0 ? (float)(fabs(state->given) / state->worth) : 0.0f;
}

/// Moves a region's takers in `positions`.
/// @param outwards by what regions were given in all, whichever way that went
static void tgMoveRegion(const tgLocalPass* pass, int r, bool outwards, float* positions)
{
    const tgRegions* regions = pass->regions;
    const tgRegion* region = &regions->regions[r];
    for (int i = region->firstSeam; i < region->firstSeam + region->seamCount; ++i) {
        const tgSeam* seam = &regions->seams[i];
        const tgRegionState *own = &pass->states[r], *across = &pass->states[seam->across];
        float ownStep = outwards ? tgGetReach(own) : own->step;
        float acrossStep = outwards ? tgGetReach(across) : across->step;
        float blend = tgGetBlend(own, across);
        tgFieldMove move = {
            .positions = positions,
            .vertices = regions->takers,
            .field = pass->task->field,
            .shares = regions->shares,
            .own = ownStep,
            // A still edge is 0 at a share of 1/2: share - (1 - share).
            .across = blend * acrossStep - (1.0f - blend) * ownStep,
        };
        pass->task->kernels->addField(&move, seam->firstTaker, seam->firstTaker + seam->takerCount);
    }
}

static void tgMoveRange(int begin, int end, void* context)
{
    const tgLocalPass* pass = context;
    for (int r = begin; r < end; ++r) {
        if (pass->states[r].moves) {
            tgMoveRegion(pass, r, false, pass->task->positions);
        }
    }
}

/// Where three regions meet their fans leave a gap, from the one joint to the other, so their
/// losses miss the whole by a little: the elephant with all joints turned by 0.3 by 0.3 % of its
/// volume. A repeat measures the whole and shares that out by what the regions lost.
static void tgShareGap(const tgLocalPass* pass)
{
    const tgLocalTask* task = pass->task;
    double gap = tgMeasureAll(task, task->positions) - task->target, total = 0.0;
    for (int r = 0; r < pass->regions->count; ++r) {
        const tgRegionState* state = &pass->states[r];
        gap += state->moves ? state->amount : 0.0;
        total += state->moves ? fabs(state->loss) : 0.0;
    }
    for (int r = 0; r < pass->regions->count && total > 0.0; ++r) {
        tgRegionState* state = &pass->states[r];
        state->amount -= state->moves ? gap * fabs(state->loss) / total : 0.0;
        state->left = state->amount;
    }
}

/// How far each region steps: its part of what is to be added, over all that follows it.
static void tgFindSteps(const tgLocalPass* pass)
{
    const tgRegions* regions = pass->regions;
    tgRegionState* states = pass->states;
    for (int r = 0; r < regions->count; ++r) {
        states[r].worth = 0.0;
        states[r].peak = 0.0f;
    }
    for (int r = 0; r < regions->count; ++r) {
        const tgRegion* region = &regions->regions[r];
        for (int i = 0; states[r].moves && i < region->seamCount; ++i) {
            const tgFieldWorth* worth = &pass->task->worths[region->firstSeam + i];
            tgRegionState* across = &states[regions->seams[region->firstSeam + i].across];
            double blend = (double)tgGetBlend(&states[r], across);
            states[r].worth += worth->own - (1.0 - blend) * worth->across;
            states[r].peak = fmaxf(states[r].peak, worth->peak);
            across->worth += blend * worth->across;
            across->peak = fmaxf(across->peak, blend > 0.0 ? worth->peak : 0.0f);
        }
    }
    for (int r = 0; r < regions->count; ++r) {
        tgRegionState* state = &states[r];
        double step = state->worth > 0.0 ? pass->part * state->amount / state->worth : 0.0;
        float peak = state->peak > 0.0f ? state->peak : 1.0f;
        double out = (double)((state->room - state->moved) / peak);
        double in = (double)((-state->room - state->moved) / peak);
        // At the cap the whole field is scaled back: clipped tops would show as edges.
        step = step > out ? out : step < in ? in : step;
        state->step = (float)step;
        state->moved += (float)step * state->peak;
        state->left -= step * state->worth;
        state->given += step * state->worth;
    }
}

/// Every region reads its neighbours' vertices, so all are prepared before any moves.
static void tgStepRegions(tgLocalPass* pass)
{
    const tgParallel* parallel = pass->task->parallel;
    int count = pass->regions->count;
    bool isShared = parallel->run != NULL && count > 1;
    if (isShared) {
        parallel->run(tgPrepareRange, count, 1, pass, parallel->user);
    } else {
        tgPrepareRange(0, count, pass);
    }
    if (pass->measures && !pass->isFirst && !pass->regions->whole && !pass->regions->prisms) {
        tgShareGap(pass);
    }
    tgFindSteps(pass);
    if (isShared) {
        parallel->run(tgMoveRange, count, 1, pass, parallel->user);
    } else {
        tgMoveRange(0, count, pass);
    }
    tgPlaceCapCenters(pass->task->mesh, pass->task->positions);
}

/// @return whether there is anything to do
static bool tgStartPass(const tgLocalPass* pass)
{
    const tgLocalTask* task = pass->task;
    bool any = false;
    for (int r = 0; r < pass->regions->count; ++r) {
        const tgRegion* region = &pass->regions->regions[r];
        bool breathes = pass->regions->whole && task->breath != 1.0;
        double bend = task->displaced ? 1.0 : tgMeasureBend(task, pass->regions, region);
        double t = bend < tg_fullBend ? bend / tg_fullBend : 1.0;
        bool moves = breathes || bend > tg_sameTurn;
        pass->states[r] = (tgRegionState){.moves = moves,
                                          .bend = (float)(t * t * (3.0 - 2.0 * t)),
                                          .room = task->cap * region->radius};
        any |= moves;
    }
    return any;
}

/// What the caps turned away in the last round.
static double tgSumLeft(const tgLocalPass* pass)
{
    double left = 0.0;
    for (int r = 0; r < pass->regions->count; ++r) {
        const tgRegionState* state = &pass->states[r];
        left += fabs(state->left) > tg_roundedShare * fabs(state->amount) ? state->left : 0.0;
    }
    return left;
}

// ---- closing on the volume ----------------------------------------------------------------------

/// The root nearest 0 of c[0] + c[1] s + c[2] s^2 + c[3] s^3, by Newton's method; 0 when it runs
/// away.
static double tgFindRoot(const double c[4])
{
    double s = 0.0;
    for (int round = 0; round < 60; ++round) {
        double value = ((c[3] * s + c[2]) * s + c[1]) * s + c[0];
        double step = value / ((3.0 * c[3] * s + 2.0 * c[2]) * s + c[1]);
        s -= step;
        if (!(fabs(s) < 1.0)) {
            return 0.0;
        }
        if (fabs(step) < 1e-14) {
            break;
        }
    }
    return s;
}

/// out = positions + s * spread, the middles of caps too: they are linear in both.
static void tgTry(const tgLocalTask* task, float s, float* out)
{
    int count = 4 * (task->mesh->vertexCount + task->mesh->loopCount);
    for (int i = 0; i < count; ++i) {
        out[i] = task->positions[i] + s * task->spread[i];
    }
}

/// V(p + s W) is a cubic in s, with W what the regions were given, all of it outwards. By
/// trilinearity its last coefficient is V(W); the others follow from s = -1, 0 and 1.
/// @return what is still missing
static double tgCloseOn(const tgLocalPass* pass, double target)
{
    const tgLocalTask* task = pass->task;
    memset(task->spread, 0,
           4 * (size_t)(task->mesh->vertexCount + task->mesh->loopCount) * sizeof(float));
    for (int r = 0; r < pass->regions->count; ++r) {
        if (pass->states[r].moves) {
            tgMoveRegion(pass, r, true, task->spread);
        }
    }
    tgPlaceCapCenters(task->mesh, task->spread);
    double now = tgMeasureAll(task, task->positions), ends[2];
    for (int k = 0; k < 2; ++k) {
        tgTry(task, k == 0 ? -1.0f : 1.0f, task->trial);
        ends[k] = tgMeasureAll(task, task->trial);
    }
    double cubic = tgMeasureAll(task, task->spread);
    const double c[4] = {now - target, 0.5 * (ends[1] - ends[0]) - cubic,
                         0.5 * (ends[1] + ends[0]) - now, cubic};
    tgTry(task, (float)tgFindRoot(c), task->positions);
    double left = target - tgMeasureAll(task, task->positions);
    return fabs(left) > tg_metVolume * fabs(target) ? left : 0.0;
}

// ---- the stage ----------------------------------------------------------------------------------

/// Breathing with regions: whole pieces, alike all over. Apart from what the regions lost, so that
/// nothing jumps as it begins.
static void tgBreatheLocally(tgLocalTask* task)
{
    tgLocalPass pass = {.task = task,
                        .regions = task->breathing,
                        .states = task->breaths,
                        .part = 1.0 / task->parts};
    tgStartPass(&pass);
    for (int r = 0; r < pass.regions->count; ++r) {
        double kept = tgMeasureKept(task, pass.regions, &pass.regions->regions[r]) / 6.0;
        pass.states[r].amount = pass.states[r].left = (task->breath - 1.0) * kept;
    }
    for (int part = 0; part < task->parts; ++part) {
        tgStepRegions(&pass);
    }
    task->residual = task->exact ? tgCloseOn(&pass, task->target * task->breath)
                                 : task->residual + tgSumLeft(&pass);
}

void tgCorrectLocally(tgLocalTask* task)
{
    tgLocalPass pass = {
        .task = task, .regions = task->regions, .states = task->states, .part = 1.0 / task->parts};
    task->residual = 0.0;
    tgReadJoints(task);
    if (tgStartPass(&pass)) {
        for (int round = 0; round <= task->repeats; ++round) {
            for (int part = 0; part < task->parts; ++part) {
                pass.isFirst = round == 0;
                pass.measures = part == 0;
                tgStepRegions(&pass);
            }
        }
        double breath = task->regions->whole ? task->breath : 1.0;
        task->residual = task->exact ? tgCloseOn(&pass, task->target * breath) : tgSumLeft(&pass);
    }
    if (task->breath != 1.0 && task->breathing->count > 0) {
        tgBreatheLocally(task);
    }
}
