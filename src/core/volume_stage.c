// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume stage, exact method: every joint that turns is given back what it lost, near where it
// bends, and the volume of the result is the target.
//
//   amounts   dV_j: what joint j takes away by turning alone, in closed form (limb.c), and what
//             contact added at it. What is missing besides, V* - V(p0) + sum dV_j, is shared out
//             first by the skin that joints bend together, then by what linear blending loses.
//   room      n' = B n the direction as the skin turns it, not normalised: it shrinks where the
//             blend collapses. c = min(|n'|^2, 1). A swell of 1 moves a vertex by R c f n', which
//             is worth a = R c^2 f |g| s^3 of volume. (R, g at rest; f freedom; s the character's
//             scale.) No gradient of the posed skin anywhere.
//             Skin near a contact plane has the part of n' across the plane taken away.
//   swells    A swell of lambda_j saturates softly: it brings lambda_j sum(S_j a) / sqrt(1 + m_j
//             (lambda_j / rho)^2) with m_j the mean of S_j^2 by S_j a, all known at creation.
//             lambda_j brings -dV_j, as wanted up to 1.5 rho and softly within 3; what is left goes
//             to the wide support in the same way, then to all the skin. h = sum lambda_j S_j.
//   closing   p1 = p0 + h w R c f n', w = 1 / sqrt(1 + (h / rho)^2). q: the same with |lambda_j|,
//             which has one sign. V(p1 + t q) = V* is a cubic in t.
//
// A chosen profile stands for S_j, goes A_j n' in place of n', and has a larger rho.

#include "core/volume_stage.h"

#include "core/polar.h"
#include "core/volume.h"

#include <math.h>
#include <string.h>

/// rho: a swell saturates at so many radii,
static const float tg_roomPart = 0.12f;
/// or so many where somebody asked for the shape: the larger, the less of it goes elsewhere.
static const float tg_chosenPart = 1.2f;
/// lambda goes no farther than so many times that: it would only push the rest of its support. It
/// is as wanted up to half of it; from there on what it falls short goes to the wide support. With
/// a chosen profile it falls short little by little from the start: what has no room in it goes to
/// the rest of it, whose foot would else start to move all at once.
static const float tg_mostOver = 3.0f;
/// All the skin is asked for no more than this, in its radii: floats hold its square.
static const double tg_mostWanted = 1e17;
/// What is missed by less of the volume is as promised. A joint that needs less is left to the
/// closing, but for the one that needs most: no one sees where it goes.
static const double tg_promise = 1e-6;
/// The target is met when it is missed by less, and a joint that turns by less stands still: a unit
/// in the last place of a position, or of a matrix.
static const double tg_closeEnough = sizeof(float) == sizeof(double) ? 2e-16 : 3e-8;

// ---- amounts ------------------------------------------------------------------------------------

/// The turn of a joint against the one that carries it, from the skinning matrices.
static void tgGetTurn(const tgVolumeTask* task, int joint, double turn[3][3])
{
    const tgMat34d* own = &task->skinMatrices[joint];
    const tgMat34d* carrier = &task->skinMatrices[task->skeleton->bodies.carriers[joint]];
    tgMat34d relative = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}}, inverse;
    if (task->isRigid) {
        double unit = 1.0 / (task->size * task->size);
        for (int k = 0; k < 3; ++k) {
            for (int i = 0; i < 3; ++i) {
                turn[k][i] =
                    unit * (carrier->c[i][0] * own->c[k][0] + carrier->c[i][1] * own->c[k][1] +
                            carrier->c[i][2] * own->c[k][2]);
            }
        }
        return;
    }
    double stretch[3][3];
    if (tgMat34d_Invert(carrier, &inverse)) { // else scaled to nothing: it turns nothing
        relative = tgMat34d_Mul(&inverse, own);
    }
    tgPolarDecompose(&relative, turn, stretch);
}

void tgFindTurns(tgVolumeTask* task)
{
    double size = task->scale * task->scale * task->scale;
    task->gained = 0.0;
    for (int i = 0; i < task->limbs->count; ++i) {
        const tgLimb* limb = &task->limbs->limbs[i];
        tgLimbState* state = &task->states[i];
        tgGetTurn(task, limb->joint, state->turn);
        // Half the squared size of R - 1.
        double away = 3.0 - (state->turn[0][0] + state->turn[1][1] + state->turn[2][2]);
        state->turns = away > tg_closeEnough;
        state->loss = state->bend = 0.0;
        if (state->turns) {
            state->bend = size * tgLimb_GetLoss(limb, (const double(*)[3])state->turn, 0.0);
            state->loss = size * tgLimb_GetLoss(limb, (const double(*)[3])state->turn, state->dual);
        }
        state->extra = (1.0 - (double)limb->gain) * state->loss;
        task->gained += state->extra;
    }
}

bool tgIsChunkTurned(const tgVolumeTask* task, int chunk)
{
    const tgSupports* near = &task->volume->near;
    for (int i = near->partStart[chunk]; i < near->partStart[chunk + 1]; ++i) {
        if (task->states[near->limbs[i]].turns) {
            return true;
        }
    }
    return false;
}

/// How limbs share what is missing besides their losses. That comes from skin that several of them
/// bend: limbs take part by how much they have in common with others that turn, and none more than
/// its own loss. A joint far from what moves keeps its bulge.
/// @return what is left of it
static double tgShareOverlaps(tgVolumeTask* task, double besides)
{
    double sum = 0.0, left = besides;
    for (int i = 0; i < task->limbs->count; ++i) {
        task->states[i].share = 0.0;
    }
    for (int i = 0; i < task->limbs->overlapCount; ++i) {
        const tgOverlap* overlap = &task->limbs->overlaps[i];
        tgLimbState* first = &task->states[overlap->first];
        tgLimbState* second = &task->states[overlap->second];
        double both = (double)overlap->amount * sqrt(fabs(first->bend) * fabs(second->bend));
        first->share += both;
        second->share += both;
        sum += 2.0 * both;
    }
    for (int i = 0; sum > 0.0 && i < task->limbs->count; ++i) {
        tgLimbState* state = &task->states[i];
        bool isSilent = task->limbs->limbs[i].isSilent;
        double most = isSilent ? 0.0 : fabs(state->bend);
        double share = besides * state->share / sum;
        state->share = share > most ? most : share < -most ? -most : share;
        left -= state->share;
    }
    return left;
}

/// Shares out what is missing besides the losses. A silent joint's loss is missing, too.
/// @param missing all that is to be added
/// @return what no joint is there for
static double tgShareNeeds(tgVolumeTask* task, double missing)
{
    double sizes = 0.0, losses = 0.0, most = 0.0;
    for (int i = 0; i < task->limbs->count; ++i) {
        tgLimbState* state = &task->states[i];
        state->need = state->share = 0.0;
        if (!task->limbs->limbs[i].isSilent) {
            double added = task->added != NULL ? task->added[i] : 0.0;
            state->loss += added;
            state->bend += added;
            sizes += fabs(state->bend);
            losses += state->loss - state->extra;
        }
    }
    if (!(sizes > 0.0)) {
        return missing;
    }
    double besides = missing + losses;
    besides = tgShareOverlaps(task, besides);
    for (int i = 0; i < task->limbs->count; ++i) {
        tgLimbState* state = &task->states[i];
        if (!task->limbs->limbs[i].isSilent) {
            state->loss -= state->share + besides * fabs(state->bend) / sizes;
            state->need = state->extra - state->loss;
            most = fmax(most, fabs(state->need));
        }
    }
    double least = fmin(tg_promise * fabs(task->target), most);
    for (int i = 0; i < task->limbs->count; ++i) { // the closing makes up for them
        tgLimbState* state = &task->states[i];
        state->need = fabs(state->need) < least ? 0.0 : state->need;
    }
    return 0.0;
}

// ---- chosen profiles ----------------------------------------------------------------------------

/// A = diag(mu) / max(mu) in the joint's frame.
static void tgSetShape(const tgLimb* limb, const tgJointFrame* frame, float shape[3][3])
{
    float shares[3];
    tgGetShares(limb, frame, shares);
    float most = fmaxf(fmaxf(shares[0], shares[1]), shares[2]);
    memset(shape, 0, 9 * sizeof(float));
    for (int axis = 0; axis < 3; ++axis) {
        const float e[3] = {frame->axes[axis].x, frame->axes[axis].y, frame->axes[axis].z};
        for (int k = 0; k < 3; ++k) {
            for (int i = 0; i < 3; ++i) {
                shape[k][i] += shares[axis] / most * e[k] * e[i];
            }
        }
    }
}

/// Volume that a swell of 1 of one vertex brings, R c^2 f g s^3: contact may hold much of the skin
/// that a profile was chosen for.
static double tgGetWorth(const tgVolumeTask* task, size_t v)
{
    const float* n = task->directions + 4 * v;
    double scale = task->scale, squared = (double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double crushed = task->hasTurned[v / tg_chunkSize] ? fmin(squared / (scale * scale), 1.0) : 1.0;
    double freedom = task->freedom != NULL ? (double)task->freedom[v] : 1.0;
    return (double)(task->volume->radii[v] * task->volume->areas[v]) * freedom * crushed * crushed *
           (scale * scale * scale);
}

/// Values of a chosen limb's entries, gamma at rest coordinates in the frame of this turn, and
/// their sum.
static void tgFillChosen(const tgVolumeTask* task, const tgChosen* chosen)
{
    const tgLimb* limb = &task->limbs->limbs[chosen->limb];
    tgLimbState* state = &task->states[chosen->limb];
    tgJointFrame frame = tgMakeHingeFrame(limb, (const double(*)[3])state->turn);
    tgSetShape(limb, &frame, state->shape);
    const float(*a)[3] = (const float(*)[3])state->shape;
    tgSupportSum sum = {0.0, 0.0};
    for (int c = 0; c < chosen->count; ++c) {
        uint16_t* values = task->values + tg_lane * (size_t)chosen->entries[c];
        float gamma[tg_lane];
        size_t first = tg_lane * (size_t)chosen->blocks[c];
        tgFillGamma(limb, &frame, task->rest + 4 * first, chosen->plain + tg_lane * (size_t)c,
                    tg_lane, gamma);
        for (int k = 0; k < tg_lane; ++k) {
            const float* n = task->volume->directions + 4 * (first + (size_t)k);
            float along = 0.0f;
            for (int i = 0; i < 3; ++i) {
                along += n[i] * (a[0][i] * n[0] + a[1][i] * n[1] + a[2][i] * n[2]);
            }
            gamma[k] *= chosen->masks[tg_lane * (size_t)c + (size_t)k];
            values[k] = tgPackSupport(gamma[k]);
            double worth = (double)(gamma[k] * along) * tgGetWorth(task, first + (size_t)k);
            sum.worth += worth;
            sum.square += worth * (double)(gamma[k] * gamma[k]);
        }
    }
    sum.square = sum.worth > 0.0 ? sum.square / sum.worth : 0.0;
    state->sums[0] = sum;
}

static void tgChosenRange(int begin, int end, void* context)
{
    const tgVolumeTask* task = context;
    for (int c = begin; c < end; ++c) {
        const tgChosen* chosen = &task->volume->chosen[c];
        if (task->states[chosen->limb].need != 0.0) {
            tgFillChosen(task, chosen);
        }
    }
}

// ---- the pass over the skin ---------------------------------------------------------------------

/// What all chunks are asked for.
typedef struct tgPass {
    tgVolumeTask* task;
    float over;    ///< of all the skin: lambda over rho
    bool hasWide;  ///< some limb needs its wide support
    bool isActive; ///< all the skin is asked
} tgPass;

static tgPartTask tgGetParts(const tgVolumeTask* task, bool wide, int chunk)
{
    const tgSupports* supports = wide ? &task->volume->wide : &task->volume->near;
    bool isOwn = wide || task->values == NULL;
    size_t first = (size_t)supports->partStart[chunk];
    return (tgPartTask){
        .count = supports->partStart[chunk + 1] - supports->partStart[chunk],
        .entryStart = supports->entryStart + first,
        .blocks = supports->blocks,
        .values = isOwn ? supports->values : task->values,
        .overs = (wide ? task->wideOvers : task->overs) + first,
        .limits = isOwn ? NULL : task->limits + first,
        .shapes = isOwn ? NULL : task->shapes + first,
    };
}

static int tgGetEndBlock(const tgVolumeRig* volume, int chunk)
{
    int end = (chunk + 1) * tg_chunkBlocks;
    return end < volume->blockCount ? end : volume->blockCount;
}

/// Whether a limb that is asked reaches into the chunk.
static bool tgIsAsked(const tgSupports* supports, const float* overs, int chunk)
{
    for (int i = supports->partStart[chunk]; i < supports->partStart[chunk + 1]; ++i) {
        if (overs[i] != 0.0f) {
            return true;
        }
    }
    return false;
}

/// Nothing there moves: no field.
static void tgClearField(const tgVolumeTask* task, int firstBlock, int endBlock)
{
    size_t size = 4 * tg_lane * (size_t)(endBlock - firstBlock) * sizeof(float);
    memset(task->field + 4 * tg_lane * (size_t)firstBlock, 0, size);
}

/// A chunk of the skin and what swells it, as a kernel wants it.
typedef struct tgChunk {
    tgPartTask near, wide;
    tgSwellTask swell;
} tgChunk;

static void tgOpenChunk(const tgPass* pass, int chunk, bool asksWide, tgChunk* out)
{
    tgVolumeTask* task = pass->task;
    const tgVolumeRig* volume = task->volume;
    double scale = task->scale;
    int first = chunk * tg_chunkBlocks;
    out->near = tgGetParts(task, false, chunk);
    out->wide = tgGetParts(task, true, chunk);
    out->swell = (tgSwellTask){.firstBlock = first,
                               .blockCount = tgGetEndBlock(volume, chunk) - first,
                               .near = &out->near,
                               .wide = asksWide ? &out->wide : NULL,
                               .over = pass->over,
                               .limit = tg_roomPart,
                               .directions = task->directions,
                               .restDirections = volume->directions,
                               .radii = volume->radii,
                               .freedom = task->freedom,
                               .inverseScaleSquared = (float)(1.0 / (scale * scale)),
                               .positions = task->positions,
                               .field = task->field,
                               .shift = task->shift};
}

/// The directions of the chunk's skin, if they are not there yet.
static void tgTurnChunk(tgVolumeTask* task, int chunk)
{
    if (!task->hasTurned[chunk]) {
        int first = chunk * tg_chunkBlocks, stop = tgGetEndBlock(task->volume, chunk);
        task->turnDirections(task->turnContext, first * tg_lane, stop * tg_lane);
        task->hasTurned[chunk] = true;
    }
}

/// p1, and the field q.
static void tgMoveChunks(int begin, int end, void* context)
{
    const tgPass* pass = context;
    tgVolumeTask* task = pass->task;
    const tgVolumeRig* volume = task->volume;
    for (int chunk = begin; chunk < end; ++chunk) {
        bool asksWide = pass->hasWide && tgIsAsked(&volume->wide, task->wideOvers, chunk);
        bool isAsked = pass->isActive || asksWide || tgIsAsked(&volume->near, task->overs, chunk);
        int first = chunk * tg_chunkBlocks, stop = tgGetEndBlock(volume, chunk);
        task->moves[chunk] = isAsked;
        if (!isAsked) {
            tgClearField(task, first, stop);
            continue;
        }
        tgChunk open;
        tgOpenChunk(pass, chunk, asksWide, &open);
        tgTurnChunk(task, chunk);
        if (task->shift != NULL) {
            task->kernels->shapeSwell(&open.swell);
            task->turnVectors(task->turnContext, first * tg_lane, stop * tg_lane);
        } else {
            task->kernels->moveSwell(&open.swell);
        }
    }
}

// ---- swells -------------------------------------------------------------------------------------

static float tgGetLimit(const tgVolumeTask* task, int limb)
{
    return task->limbs->limbs[limb].isChosen ? tg_chosenPart : tg_roomPart;
}

/// Tells the chunks what their limbs do.
static void tgSpreadSwells(tgVolumeTask* task, bool wide)
{
    const tgSupports* supports = wide ? &task->volume->wide : &task->volume->near;
    int count = supports->partStart[task->volume->chunkCount];
    for (int i = 0; i < count; ++i) {
        int limb = supports->limbs[i];
        const tgLimbState* state = &task->states[limb];
        if (wide) {
            task->wideOvers[i] = state->wideSwell / (tg_roomPart * TG_SUPPORT_ONE);
        } else {
            task->overs[i] = state->swell / (tgGetLimit(task, limb) * TG_SUPPORT_ONE);
        }
        if (!wide && task->limits != NULL) {
            task->limits[i] = tgGetLimit(task, limb);
            task->shapes[i] = task->limbs->limbs[limb].isChosen ? &state->shape[0][0] : NULL;
        }
    }
}

/// How far lambda goes.
typedef struct tgReach {
    double from; ///< up to here as far as is wanted
    double over; ///< and then ever less, up to so much farther
} tgReach;

static tgReach tgGetReach(bool isChosen)
{
    double most = (double)(tg_mostOver * (isChosen ? tg_chosenPart : tg_roomPart));
    double from = isChosen ? 0.0 : 0.5 * most;
    return (tgReach){from, most - from};
}

/// lambda for what is needed, and what is left of it. The skin is worth as much as it would be with
/// the lambda that is wanted of skin that does not saturate.
/// @param sum of the support over skin of the size that it has now
/// @param limit rho
static double tgFit(double need, tgSupportSum sum, float limit, tgReach reach, float* swell)
{
    double first = sum.worth > 0.0 ? need / sum.worth / (double)limit : 0.0;
    double worth = sum.worth / sqrt(1.0 + sum.square * first * first);
    double wanted = sum.worth > 0.0 ? need / worth : 0.0;
    double size = fabs(wanted), over = (size - reach.from) / reach.over;
    size = over > 0.0 ? reach.from + reach.over * over / sqrt(1.0 + over * over) : size;
    *swell = (float)(wanted < 0.0 ? -size : size);
    return need - (double)*swell * worth;
}

/// Sums of the parts of chunks where skin is held; others have those of the rest.
static void tgSumHeldRange(int begin, int end, void* context)
{
    const tgVolumeTask* task = context;
    const tgVolumeRig* volume = task->volume;
    tgSupportSum* out = task->heldSums;
    for (int chunk = begin; chunk < end; ++chunk) {
        int first = chunk * tg_chunkSize, stop = first + tg_chunkSize;
        stop = stop < task->mesh->vertexCount ? stop : task->mesh->vertexCount;
        bool isHeld = false;
        for (int v = first; v < stop && !isHeld; ++v) {
            isHeld = task->freedom[v] < 1.0f;
        }
        for (int wide = 0; wide < 2; ++wide) {
            const tgSupports* supports = wide ? &volume->wide : &volume->near;
            int offset = wide ? volume->near.partStart[volume->chunkCount] : 0;
            for (int p = supports->partStart[chunk]; p < supports->partStart[chunk + 1]; ++p) {
                out[offset + p] = isHeld ? tgSumPart(volume, supports, chunk, p, task->freedom)
                                         : supports->sums[p];
            }
        }
    }
}

/// Sums of the limbs' supports where bones hold skin. @return that of all the skin
static double tgSumHeld(tgVolumeTask* task)
{
    const tgVolumeRig* volume = task->volume;
    const tgSupportSum* from = task->heldSums;
    tgRun(task->parallel, tgSumHeldRange, volume->chunkCount, task);
    for (int wide = 0; wide < 2; ++wide) {
        const tgSupports* supports = wide ? &volume->wide : &volume->near;
        for (int i = 0; i < task->limbs->count; ++i) {
            task->states[i].sums[wide] = (tgSupportSum){0.0, 0.0};
        }
        for (int p = 0; p < supports->partStart[volume->chunkCount]; ++p, ++from) {
            task->states[supports->limbs[p]].sums[wide].worth += from->worth;
            task->states[supports->limbs[p]].sums[wide].square += from->square;
        }
        for (int i = 0; i < task->limbs->count; ++i) {
            tgSupportSum* sum = &task->states[i].sums[wide];
            sum->square = sum->worth > 0.0 ? sum->square / sum->worth : 0.0;
        }
    }
    double all = 0.0;
    for (int v = 0; v < task->mesh->vertexCount; ++v) {
        all += (double)(volume->radii[v] * volume->areas[v] * task->freedom[v]);
    }
    return all;
}

/// Sums of the limbs' supports in this frame. @return that of all the skin
static double tgStartSums(tgVolumeTask* task)
{
    double size = task->scale * task->scale * task->scale, all = task->volume->allSum;
    if (task->freedom != NULL) {
        all = tgSumHeld(task);
    } else {
        for (int i = 0; i < task->limbs->count; ++i) {
            memcpy(task->states[i].sums, task->volume->sums + 2 * i, 2 * sizeof(tgSupportSum));
        }
    }
    for (int i = 0; i < task->limbs->count; ++i) {
        task->states[i].sums[0].worth *= size;
        task->states[i].sums[1].worth *= size;
    }
    return size * all;
}

/// The swells that give each limb what it needs.
/// @param unshared what goes to all the skin from the start
/// @param all sum of all the skin
static void tgFitSwells(tgVolumeTask* task, double unshared, double all, tgPass* pass)
{
    double least = tg_closeEnough * fabs(task->target), left = unshared;
    pass->hasWide = false;
    for (int i = 0; i < task->limbs->count; ++i) {
        tgLimbState* state = &task->states[i];
        bool isChosen = task->limbs->limbs[i].isChosen;
        state->left = tgFit(state->need, state->sums[0], tgGetLimit(task, i), tgGetReach(isChosen),
                            &state->swell);
        state->wideSwell = 0.0f;
        if (fabs(state->left) > least) {
            state->spilled = tgFit(state->left, state->sums[1], tg_roomPart, tgGetReach(false),
                                   &state->wideSwell);
            left += state->spilled;
            pass->hasWide = true;
        }
    }
    tgSpreadSwells(task, false);
    if (pass->hasWide) {
        tgSpreadSwells(task, true);
    }
    pass->isActive = fabs(left) > least && all > 0.0;
    double wanted = fmin(fmax(left / all, -tg_mostWanted), tg_mostWanted);
    pass->over = pass->isActive ? (float)wanted / tg_roomPart : 0.0f;
    task->spilled = pass->isActive ? left - unshared : 0.0;
}

// ---- closing ------------------------------------------------------------------------------------

/// A sum over all faces, in fixed blocks.
typedef struct tgFaceSum {
    const tgVolumeTask* task;
    tgFourTask four;
} tgFaceSum;

/// Whether any corner of a block of faces moves.
static bool tgDoFacesMove(const tgVolumeTask* task, int block)
{
    const tgVolumeRig* volume = task->volume;
    for (int i = volume->faceChunkStart[block]; i < volume->faceChunkStart[block + 1]; ++i) {
        if (volume->faceChunks[i] < 0 || task->moves[volume->faceChunks[i]]) {
            return true;
        }
    }
    return false;
}

static void tgFaceRange(int begin, int end, void* context)
{
    const tgFaceSum* loop = context;
    const tgVolumeTask* task = loop->task;
    for (int block = begin; block < end; ++block) {
        int first = block * tg_faceBlock, stop = first + tg_faceBlock;
        stop = stop < task->volume->faceCount ? stop : task->volume->faceCount;
        double* sums = task->faceSums + 4 * (size_t)block;
        if (loop->four.field == NULL) {
            task->volumes[block] = task->kernels->faceVolume(&loop->four, first, stop);
        } else if (tgDoFacesMove(task, block)) {
            task->kernels->faceCubic(&loop->four, first, stop, sums);
        } else {
            sums[0] = task->volumes[block];
            sums[1] = sums[2] = sums[3] = 0.0;
        }
    }
}

static tgFaceSum tgStartFaces(const tgVolumeTask* task, const float* positions)
{
    return (tgFaceSum){task,
                       {.faces = task->volume->faces,
                        .quadStart = task->volume->quadStart,
                        .positions = positions,
                        .apex = task->apex}};
}

/// The volume of positions + s field, as a cubic in s.
static void tgSumCubic(const tgVolumeTask* task, double cubic[4])
{
    tgFaceSum loop = tgStartFaces(task, task->positions);
    int count = tgCountFaceBlocks(task->volume);
    loop.four.field = task->field;
    tgRun(task->parallel, tgFaceRange, count, &loop);
    memset(cubic, 0, 4 * sizeof(double));
    for (int block = 0; block < count; ++block) {
        for (int k = 0; k < 4; ++k) {
            cubic[k] += task->sign * task->faceSums[4 * (size_t)block + (size_t)k] / 6.0;
        }
    }
}

double tgMeasureFaces(tgVolumeTask* task, const float* p)
{
    task->apex = tgMakeVec3(p[0], p[1], p[2]); // near the mesh: any will do for a closed surface
    tgFaceSum loop = tgStartFaces(task, p);
    int count = tgCountFaceBlocks(task->volume);
    tgRun(task->parallel, tgFaceRange, count, &loop);
    double sum = 0.0;
    for (int block = 0; block < count; ++block) {
        sum += task->volumes[block] / 6.0;
    }
    return sum;
}

static double tgCubicAt(const double c[4], double t)
{
    return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

/// The root of c(t) = target next to 0, by Newton's steps kept within what encloses it.
/// @return false where there is none within reach
static bool tgSolveCubic(const double c[4], double target, double* root)
{
    // The field has one sign, so the cubic rises from far below to far above its target.
    double low = -1.0, high = 1.0, t = 0.0;
    for (int i = 0; i < 8 && tgCubicAt(c, low) > target; ++i) {
        low *= 2.0;
    }
    for (int i = 0; i < 8 && tgCubicAt(c, high) < target; ++i) {
        high *= 2.0;
    }
    if (!(tgCubicAt(c, low) <= target && tgCubicAt(c, high) >= target)) {
        *root = 0.0;
        return false;
    }
    for (int i = 0; i < 60; ++i) {
        double value = tgCubicAt(c, t) - target, slope = c[1] + t * (2.0 * c[2] + 3.0 * t * c[3]);
        low = value < 0.0 ? t : low;
        high = value > 0.0 ? t : high;
        double next = slope > 0.0 ? t - value / slope : 0.5 * (low + high);
        next = next >= low && next <= high ? next : 0.5 * (low + high);
        if (fabs(next - t) <= 1e-15 * (1.0 + fabs(t))) {
            break;
        }
        t = next;
    }
    *root = t;
    return true;
}

typedef struct tgMoveLoop {
    const tgVolumeTask* task;
    const float* field;
    float step;
} tgMoveLoop;

static void tgMoveRange(int begin, int end, void* context)
{
    const tgMoveLoop* loop = context;
    const tgVolumeTask* task = loop->task;
    for (int chunk = begin; chunk < end; ++chunk) {
        int first = chunk * tg_chunkSize, stop = first + tg_chunkSize;
        stop = stop < task->mesh->vertexCount ? stop : task->mesh->vertexCount;
        if (task->moves[chunk]) {
            task->kernels->moveAlong(task->positions, loop->field, loop->step, first, stop);
        }
    }
}

/// The largest scale of any joint, any way: no area has grown by more than its square.
static double tgGetMostScale(const tgVolumeTask* task)
{
    double most = task->isRigid ? task->size * task->size : 0.0;
    for (int j = 0; !task->isRigid && j < task->skeleton->jointCount; ++j) {
        for (int k = 0; k < 3; ++k) {
            most = fmax(most, tgMat34d_ColumnSquared(&task->skinMatrices[j], k));
        }
    }
    return sqrt(most);
}

/// How much of the volume at t float sums and positions miss: the sums by their terms, the
/// positions by a random step each, as large as numbers are coarse so far from the origin.
static double tgGetRounding(const tgVolumeTask* task, const double c[4], double t)
{
    double terms = fabs(c[0]) + fabs(t) * (fabs(c[1]) + fabs(t) * (fabs(c[2]) + fabs(t * c[3])));
    double most = tgGetMostScale(task);
    double away = (double)tgLength(task->apex) + most * task->volume->diagonal;
    return tg_closeEnough * (terms + away * most * most * task->volume->grain);
}

/// p = p1 + t q. Where floats may miss more than was promised it is measured, and closed again as
/// long as that halves what is missed.
static void tgClose(tgVolumeTask* task)
{
    double promised = tg_promise * fabs(task->target), last = HUGE_VAL;
    task->residual = 0.0;
    for (bool isNearer = true; isNearer;) {
        tgPlaceCapCenters(task->mesh, task->positions);
        tgPlaceCapCenters(task->mesh, task->field); // a cap's middle moves as the mean of its loop
        double cubic[4], root;
        tgSumCubic(task, cubic);
        bool isMet = tgSolveCubic(cubic, task->target, &root);
        tgMoveLoop loop = {task, task->field, (float)root};
        tgRun(task->parallel, tgMoveRange, task->volume->chunkCount, &loop);
        tgPlaceCapCenters(task->mesh, task->positions);
        if (isMet && 4.0 * tgGetRounding(task, cubic, root) <= promised) { // four deviations
            task->residual = 0.0;
            return;
        }
        double left = task->target - task->sign * tgVolume(task->mesh, task->positions);
        task->residual = fabs(left) > promised ? left : 0.0;
        isNearer = task->residual != 0.0 && fabs(left) < 0.5 * last;
        last = fabs(left);
    }
}

/// Moves the skin as chosen profiles want it.
static void tgMoveShifted(tgVolumeTask* task)
{
    task->holdVectors(task->turnContext, task->shift);
    task->holdVectors(task->turnContext, task->field);
    tgMoveLoop loop = {task, task->shift, 1.0f};
    tgRun(task->parallel, tgMoveRange, task->volume->chunkCount, &loop);
}

void tgCloseAgain(tgVolumeTask* task, const float* freedom)
{
    for (int chunk = 0; chunk < task->volume->chunkCount; ++chunk) {
        task->moves[chunk] = true; // or was moved by others
    }
    for (int v = 0; v < task->mesh->vertexCount; ++v) {
        for (int i = 0; i < 3; ++i) {
            task->field[4 * (size_t)v + (size_t)i] *= freedom[v];
        }
    }
    tgClose(task);
}

// ---- all of it ----------------------------------------------------------------------------------

void tgRestoreVolume(tgVolumeTask* task)
{
    task->residual = task->spilled = 0.0;
    task->posed = task->sign * tgMeasureFaces(task, task->positions);
    double missing = task->target - task->posed - task->unshared;
    double unshared = task->unshared + tgShareNeeds(task, missing);
    bool isMet = fabs(unshared) + fabs(missing) <= tg_closeEnough * fabs(task->target);
    for (int i = 0; i < task->limbs->count; ++i) {
        tgLimbState* state = &task->states[i];
        state->left = state->spilled = 0.0;
        isMet &= state->need == 0.0;
    }
    if (isMet) { // as skinning left it, to the bit; and nowhere to go, if bones ask again
        tgClearField(task, 0, task->freedom != NULL ? task->volume->blockCount : 0);
        return;
    }
    tgPass pass = {.task = task};
    double all = tgStartSums(task);
    tgRun(task->parallel, tgChosenRange, task->volume->chosenCount, task);
    tgFitSwells(task, unshared, all, &pass);
    tgRun(task->parallel, tgMoveChunks, task->volume->chunkCount, &pass);
    if (task->shift != NULL) {
        tgMoveShifted(task);
    }
    tgClose(task);
}

void tgRaiseToSupport(const tgVolumeTask* task, int limb, float* most)
{
    const tgSupports* near = &task->volume->near;
    const uint16_t* values = task->values != NULL ? task->values : near->values;
    for (int c = 0; task->values != NULL && c < task->volume->chosenCount; ++c) {
        if (task->volume->chosen[c].limb == limb) { // frames fill in those that give back volume
            tgFillChosen(task, &task->volume->chosen[c]);
        }
    }
    for (int chunk = 0; chunk < task->volume->chunkCount; ++chunk) {
        for (int p = near->partStart[chunk]; p < near->partStart[chunk + 1]; ++p) {
            int end = near->limbs[p] == limb ? near->entryStart[p + 1] : 0;
            for (int i = tg_lane * near->entryStart[p]; i < tg_lane * end; ++i) {
                int v =
                    (chunk * tg_chunkBlocks + near->blocks[i / tg_lane]) * tg_lane + i % tg_lane;
                float own = tgUnpackSupport(values[i]);
                most[v] = v < task->mesh->vertexCount && own > most[v] ? own : most[v];
            }
        }
    }
}
