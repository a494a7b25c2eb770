// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What profiles and paint make of the supports that volume_setup.c measured: which skin each limb
// moves, in the order that frames walk over it. Takes a few milliseconds, so that an instance of a
// live rig can have profiles of its own (change.c).

#include "core/volume_stage.h"

#include <math.h>
#include <string.h>

/// A chosen profile reaches as far as the wide support, fading where that is below this.
static const float tg_chosenFade = 0.2f;

typedef struct tgArranger {
    const tgVolumeSource* source;
    const tgLimbs* limbs;
    const tgSupportSource* supports;
    tgScratch* scratch; ///< for what stays
    tgScratch step;     ///< for the rest
    tgVolumeRig* volume;
} tgArranger;

// ---- paint --------------------------------------------------------------------------------------

/// What is painted for all joints scales the radii: skin moves by so much less, also where there is
/// no room elsewhere. What a joint may not have of that scales its supports.
static bool tgPaintSkin(tgArranger* maker)
{
    const tgVolumeSource* source = maker->source;
    maker->volume->radii =
        tgScratch_Take(maker->scratch, (size_t)source->elementCount, sizeof(float));
    for (int v = 0; !maker->scratch->failed && v < source->mesh->vertexCount; ++v) {
        maker->volume->radii[v] = maker->supports->radii[v] * tgPaint_GetMost(source->paint, v);
    }
    return !maker->scratch->failed;
}

/// @param chosen also those of chosen limbs; their masks are painted in place of the others
static void tgPaintSupports(const tgArranger* maker, bool chosen, const tgSupportList* list)
{
    const tgPaint* paint = maker->source->paint;
    int vertexCount = maker->source->mesh->vertexCount;
    for (int i = 0; paint->setCount > 1 && i < list->count; ++i) {
        const tgLimb* limb = &maker->limbs->limbs[list->limbs[i]];
        int first = list->blocks[i] * tg_lane;
        bool isMeant = chosen || !limb->isChosen;
        for (int k = 0; isMeant && k < tg_lane && first + k < vertexCount; ++k) {
            list->values[tg_lane * (size_t)i + (size_t)k] *=
                tgPaint_GetPart(paint, limb->hinge, first + k);
        }
    }
}

// ---- lists --------------------------------------------------------------------------------------

static bool tgTakeList(tgArranger* maker, int room, tgSupportList* list)
{
    *list = (tgSupportList){
        .room = room,
        .blocks = tgScratch_Take(&maker->step, (size_t)room, sizeof(int)),
        .limbs = tgScratch_Take(&maker->step, (size_t)room, sizeof(int)),
        .values = tgScratch_Take(&maker->step, tg_lane * (size_t)room, sizeof(float)),
    };
    return !maker->step.failed;
}

static void tgAddEntry(const tgSupportList* from, int i, tgSupportList* to)
{
    to->blocks[to->count] = from->blocks[i];
    to->limbs[to->count] = from->limbs[i];
    memcpy(to->values + tg_lane * (size_t)to->count, from->values + tg_lane * (size_t)i,
           tg_lane * sizeof(float));
    to->count += 1;
}

static float tgGetVertexDistance(const tgArranger* maker, int v, tgVec3 from)
{
    const float* p = maker->source->rest + 4 * (size_t)v;
    return tgDistance(tgMakeVec3(p[0], p[1], p[2]), from);
}

/// Whether any vertex of a block is within a limb's profile, whatever way it bends.
static bool tgIsInReach(const tgArranger* maker, const tgLimb* limb, int block, float reach)
{
    int end = (block + 1) * tg_lane, count = maker->source->mesh->vertexCount;
    for (int v = block * tg_lane; v < end && v < count; ++v) {
        if (tgGetVertexDistance(maker, v, limb->origin) <= reach) {
            return true;
        }
    }
    return false;
}

/// The supports of the limbs. Where a profile was chosen it is as far as that may reach along the
/// skin: a hand beside a thigh is not moved by the hip.
static bool tgListNear(tgArranger* maker, tgSupportList* near)
{
    const tgSupportList *plain = &maker->supports->plain, *wide = &maker->supports->wide;
    if (!tgTakeList(maker, plain->count + wide->count, near)) {
        return false;
    }
    for (int i = 0; i < plain->count; ++i) {
        const tgLimb* limb = &maker->limbs->limbs[plain->limbs[i]];
        if (!limb->isChosen && !limb->isSilent) {
            tgAddEntry(plain, i, near);
        }
    }
    for (int i = 0; i < wide->count; ++i) {
        const tgLimb* limb = &maker->limbs->limbs[wide->limbs[i]];
        if (limb->isChosen && !limb->isSilent &&
            tgIsInReach(maker, limb, wide->blocks[i], tgGetProfileReach(limb))) {
            tgAddEntry(wide, i, near);
        }
    }
    tgPaintSupports(maker, false, near);
    return true;
}

/// Where what does not find room there goes.
static bool tgListWide(tgArranger* maker, tgSupportList* wide)
{
    const tgSupportList* from = &maker->supports->wide;
    *wide = *from;
    if (maker->source->paint->setCount <= 1) {
        return true;
    }
    if (!tgTakeList(maker, from->count, wide)) {
        return false;
    }
    for (int i = 0; i < from->count; ++i) {
        tgAddEntry(from, i, wide);
    }
    tgPaintSupports(maker, true, wide);
    return true;
}

/// From a list by limbs, and by blocks for each, to parts by chunks. A stable sort by chunks: limbs
/// and blocks stay in their order.
static bool tgSortEntries(tgArranger* maker, const tgSupportList* list, tgSupports* supports)
{
    const tgVolumeRig* volume = maker->volume;
    tgScratch* scratch = maker->scratch;
    size_t entries = (size_t)list->count;
    int* next = tgScratch_Take(&maker->step, (size_t)volume->chunkCount + 2, sizeof(int));
    int* sorted = tgScratch_Take(&maker->step, entries, sizeof(int));
    supports->partStart = tgScratch_Take(scratch, (size_t)volume->chunkCount + 1, sizeof(int));
    supports->limbs = tgScratch_Take(scratch, entries, sizeof(int));
    supports->entryStart = tgScratch_Take(scratch, entries + 1, sizeof(int));
    supports->blocks = tgScratch_Take(scratch, entries, sizeof(uint8_t));
    supports->values = tgScratch_Take(scratch, tg_lane * entries, sizeof(uint16_t));
    if (scratch->failed || maker->step.failed) {
        return false;
    }
    for (int i = 0; i < list->count; ++i) {
        next[list->blocks[i] / tg_chunkBlocks + 2] += 1;
    }
    for (int c = 0; c < volume->chunkCount; ++c) {
        next[c + 2] += next[c + 1];
    }
    for (int i = 0; i < list->count; ++i) {
        sorted[next[list->blocks[i] / tg_chunkBlocks + 1]++] = i;
    }
    int parts = 0;
    for (int c = 0; c < volume->chunkCount; ++c) {
        supports->partStart[c] = parts;
        for (int e = next[c]; e < next[c + 1]; ++e) {
            int i = sorted[e];
            bool isNew = e == next[c] || list->limbs[i] != list->limbs[sorted[e - 1]];
            if (isNew) {
                supports->limbs[parts] = list->limbs[i];
                supports->entryStart[parts++] = e;
            }
            supports->blocks[e] = (uint8_t)(list->blocks[i] % tg_chunkBlocks);
            for (int k = 0; k < tg_lane; ++k) {
                float value = list->values[tg_lane * (size_t)i + (size_t)k];
                supports->values[tg_lane * (size_t)e + (size_t)k] = tgPackSupport(value);
            }
        }
    }
    supports->partStart[volume->chunkCount] = parts;
    supports->entryStart[parts] = list->count;
    return true;
}

/// One more entry of a chosen limb; counted, or also filled in.
static void tgAddChosen(const tgArranger* maker, int chunk, int e, bool fills, tgChosen* chosen)
{
    const tgSupports* near = &maker->volume->near;
    int block = chunk * tg_chunkBlocks + near->blocks[e];
    int hinge = maker->limbs->limbs[chosen->limb].hinge;
    for (int k = 0; fills && k < tg_lane; ++k) {
        float wide = tgUnpackSupport(near->values[tg_lane * (size_t)e + (size_t)k]);
        int v = block * tg_lane + k;
        bool isSkin = v < maker->source->mesh->vertexCount;
        chosen->masks[tg_lane * (size_t)chosen->count + (size_t)k] =
            fminf(wide / tg_chosenFade, 1.0f) *
            (isSkin ? tgPaint_GetPart(maker->source->paint, hinge, v) : 0.0f);
    }
    if (fills) {
        chosen->blocks[chosen->count] = block;
        chosen->entries[chosen->count] = e;
    }
    chosen->count += 1;
}

/// Lists the entries of each chosen limb, with masks made of their wide supports.
static bool tgListChosen(tgArranger* maker)
{
    tgVolumeRig* volume = maker->volume;
    const tgSupportList* plain = &maker->supports->plain;
    const tgSupports* near = &volume->near;
    int limbCount = maker->limbs->count;
    int* number = tgScratch_Take(&maker->step, (size_t)limbCount, sizeof(int));
    volume->chosen = tgScratch_Take(maker->scratch, (size_t)limbCount, sizeof(tgChosen));
    if (maker->step.failed) {
        return false;
    }
    for (int i = 0; !maker->scratch->failed && i < limbCount; ++i) {
        number[i] = -1;
        if (maker->limbs->limbs[i].isChosen) {
            number[i] = volume->chosenCount;
            volume->chosen[volume->chosenCount++].limb = i;
        }
    }
    for (int pass = 0; !maker->scratch->failed && pass < 2; ++pass) {
        for (int c = 0; c < volume->chosenCount && pass == 1; ++c) {
            tgChosen* chosen = &volume->chosen[c];
            size_t count = (size_t)chosen->count;
            chosen->blocks = tgScratch_Take(maker->scratch, count, sizeof(int));
            chosen->entries = tgScratch_Take(maker->scratch, count, sizeof(int));
            chosen->masks = tgScratch_Take(maker->scratch, tg_lane * count, sizeof(float));
            chosen->plain = tgScratch_Take(maker->scratch, tg_lane * count, sizeof(float));
            chosen->count = 0;
        }
        for (int chunk = 0; !maker->scratch->failed && chunk < volume->chunkCount; ++chunk) {
            for (int p = near->partStart[chunk]; p < near->partStart[chunk + 1]; ++p) {
                int c = number[near->limbs[p]];
                int end = c >= 0 ? near->entryStart[p + 1] : 0;
                for (int e = near->entryStart[p]; e < end; ++e) {
                    tgAddChosen(maker, chunk, e, pass == 1, &volume->chosen[c]);
                }
            }
        }
    }
    // The limb's own support at the same blocks; both lists are by limb and then by block.
    for (int c = 0, i = 0; !maker->scratch->failed && c < volume->chosenCount; ++c) {
        tgChosen* chosen = &volume->chosen[c];
        for (int k = 0; k < chosen->count; ++k) {
            while (i < plain->count &&
                   (plain->limbs[i] < chosen->limb ||
                    (plain->limbs[i] == chosen->limb && plain->blocks[i] < chosen->blocks[k]))) {
                i += 1;
            }
            if (i < plain->count && plain->limbs[i] == chosen->limb &&
                plain->blocks[i] == chosen->blocks[k]) {
                memcpy(chosen->plain + tg_lane * (size_t)k, plain->values + tg_lane * (size_t)i,
                       tg_lane * sizeof(float));
            }
        }
    }
    return !maker->scratch->failed;
}

tgSupportSum tgSumPart(const tgVolumeRig* volume, const tgSupports* supports, int chunk, int part,
                       const float* freedom)
{
    tgSupportSum sum = {0.0, 0.0};
    for (int e = supports->entryStart[part]; e < supports->entryStart[part + 1]; ++e) {
        size_t block = (size_t)(chunk * tg_chunkBlocks + supports->blocks[e]);
        for (int k = 0; k < tg_lane; ++k) {
            size_t v = tg_lane * block + (size_t)k;
            float value = tgUnpackSupport(supports->values[tg_lane * (size_t)e + (size_t)k]);
            double worth = (double)(value * (volume->radii[v] * volume->areas[v]));
            worth *= freedom != NULL ? (double)freedom[v] : 1.0;
            sum.worth += worth;
            sum.square += worth * (double)(value * value);
        }
    }
    return sum;
}

/// What the supports are worth as long as the skin rests.
static bool tgSumAtRest(const tgArranger* maker, tgSupports* supports, tgSupportSum* sums)
{
    const tgVolumeRig* volume = maker->volume;
    size_t parts = (size_t)supports->partStart[volume->chunkCount];
    supports->sums = tgScratch_Take(maker->scratch, parts, sizeof(tgSupportSum));
    if (maker->scratch->failed) {
        return false;
    }
    for (int chunk = 0; chunk < volume->chunkCount; ++chunk) {
        for (int p = supports->partStart[chunk]; p < supports->partStart[chunk + 1]; ++p) {
            supports->sums[p] = tgSumPart(volume, supports, chunk, p, NULL);
            sums[2 * supports->limbs[p]].worth += supports->sums[p].worth;
            sums[2 * supports->limbs[p]].square += supports->sums[p].square;
        }
    }
    return true;
}

static bool tgSetSums(const tgArranger* maker)
{
    tgVolumeRig* volume = maker->volume;
    volume->sums =
        tgScratch_Take(maker->scratch, 2 * (size_t)maker->limbs->count + 1, sizeof(tgSupportSum));
    if (maker->scratch->failed || !tgSumAtRest(maker, &volume->near, volume->sums) ||
        !tgSumAtRest(maker, &volume->wide, volume->sums + 1)) {
        return false;
    }
    for (int i = 0; i < 2 * maker->limbs->count; ++i) {
        tgSupportSum* sum = &volume->sums[i];
        sum->square = sum->worth > 0.0 ? sum->square / sum->worth : 0.0;
    }
    for (int v = 0; v < maker->source->mesh->vertexCount; ++v) {
        volume->allSum += (double)(volume->radii[v] * volume->areas[v]);
    }
    return true;
}

// ---- all of it ----------------------------------------------------------------------------------

bool tgArrangeVolumeRig(const tgVolumeSource* source, const tgLimbs* limbs,
                        const tgSupportSource* supports, tgScratch* scratch, tgVolumeRig* volume)
{
    tgArranger maker = {.source = source,
                        .limbs = limbs,
                        .supports = supports,
                        .scratch = scratch,
                        .step = tgScratch_BeginStep(scratch),
                        .volume = volume};
    tgSupportList near = {0}, wide = {0};
    bool isMade = tgPaintSkin(&maker) && tgListNear(&maker, &near) && tgListWide(&maker, &wide) &&
                  tgSortEntries(&maker, &near, &volume->near) &&
                  tgSortEntries(&maker, &wide, &volume->wide) && tgListChosen(&maker) &&
                  tgSetSums(&maker);
    return tgScratch_EndStep(&maker.step, scratch) && isMade;
}

static void tgPlaceSupports(const tgVolumeRig* volume, const tgSupports* built, tgLayout* layout,
                            tgSupports* placed)
{
    size_t parts = (size_t)built->partStart[volume->chunkCount];
    size_t entries = (size_t)built->entryStart[parts];
    placed->partStart =
        tgPlaceArray(layout, built->partStart, (size_t)volume->chunkCount + 1, sizeof(int));
    placed->limbs = tgPlaceArray(layout, built->limbs, parts, sizeof(int));
    placed->entryStart = tgPlaceArray(layout, built->entryStart, parts + 1, sizeof(int));
    placed->blocks = tgPlaceArray(layout, built->blocks, entries, sizeof(uint8_t));
    placed->values = tgPlaceArray(layout, built->values, tg_lane * entries, sizeof(uint16_t));
    placed->sums = tgPlaceArray(layout, built->sums, parts, sizeof(tgSupportSum));
}

void tgVolumeRig_PlaceArranged(const tgVolumeRig* built, int elementCount, int limbCount,
                               tgLayout* layout, tgVolumeRig* placed)
{
    if (built->directions == NULL) {
        return;
    }
    placed->radii = tgPlaceArray(layout, built->radii, (size_t)elementCount, sizeof(float));
    placed->sums = tgPlaceArray(layout, built->sums, 2 * (size_t)limbCount, sizeof(tgSupportSum));
    placed->allSum = built->allSum;
    tgPlaceSupports(built, &built->near, layout, &placed->near);
    tgPlaceSupports(built, &built->wide, layout, &placed->wide);
    placed->chosenCount = built->chosenCount;
    placed->chosen =
        tgPlaceArray(layout, built->chosen, (size_t)built->chosenCount, sizeof(tgChosen));
    for (int c = 0; c < built->chosenCount; ++c) {
        const tgChosen* from = &built->chosen[c];
        size_t count = (size_t)from->count;
        tgChosen to = *from;
        to.blocks = tgPlaceArray(layout, from->blocks, count, sizeof(int));
        to.entries = tgPlaceArray(layout, from->entries, count, sizeof(int));
        to.masks = tgPlaceArray(layout, from->masks, tg_lane * count, sizeof(float));
        to.plain = tgPlaceArray(layout, from->plain, tg_lane * count, sizeof(float));
        if (placed->chosen != NULL) {
            placed->chosen[c] = to;
        }
    }
}
