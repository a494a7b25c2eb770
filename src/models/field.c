// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Rounded cones along Catmull-Rom curves, and their smooth union with a cubic polynomial. Chains
// are united in the order given, each with its own blend width: a trunk given after the legs with a
// small width grows out of the head and still does not fuse with a leg beside it.

#include "models/field.h"

#include <float.h>
#include <stdlib.h>

// Cones for each piece of a chain's curve: 6 keep the kinks between them below a few degrees.
enum { tg_conesPerKey = 6 };

// A plate must be thicker than a tube for the grid, or its rim follows the grid's steps.
static const float tg_thinnestPlate = 1.4f;

// Stands for "nothing here yet"; its square is still a float.
static const float tg_farAway = 1e18f;

// The twins of a mirrored chain meet more sharply than the chain meets the rest.
static const float tg_twinBlend = 0.4f;

static int tgCountKeys(const tgChainDef* def)
{
    int count = 0;
    while (count < tg_maxChainKeys && def->keys[count].radius > 0.0f) {
        count += 1;
    }
    return count;
}

static float tgHermite(float a, float b, float slopeA, float slopeB, float t)
{
    float s = 1.0f - t;
    return s * s * (a * (1.0f + 2.0f * t) + t * slopeA) +
           t * t * (b * (3.0f - 2.0f * t) - s * slopeB);
}

/// The chain's sphere at t in [0, 1] of the piece that follows key k: Catmull-Rom, one-sided ends.
static tgChainKey tgSampleCurve(const tgChainKey* keys, int count, int k, float t)
{
    const tgChainKey a = keys[k], b = keys[k + 1];
    const tgChainKey before = keys[k > 0 ? k - 1 : k], after = keys[k + 2 < count ? k + 2 : k + 1];
    float scaleA = k > 0 ? 0.5f : 1.0f, scaleB = k + 2 < count ? 0.5f : 1.0f;
    tgVec3 slopeA = tgMulSV(scaleA, tgSub(b.position, before.position));
    tgVec3 slopeB = tgMulSV(scaleB, tgSub(after.position, a.position));
    tgChainKey key;
    key.position.x = tgHermite(a.position.x, b.position.x, slopeA.x, slopeB.x, t);
    key.position.y = tgHermite(a.position.y, b.position.y, slopeA.y, slopeB.y, t);
    key.position.z = tgHermite(a.position.z, b.position.z, slopeA.z, slopeB.z, t);
    key.radius = tgHermite(a.radius, b.radius, scaleA * (b.radius - before.radius),
                           scaleB * (after.radius - a.radius), t);
    return key;
}

static tgVec3 tgStretch(tgVec3 axis, float stretch, tgVec3 v)
{
    return tgMulAdd(v, stretch * tgDot(axis, v), axis);
}

static tgCone tgMakeCone(tgChainKey a, tgChainKey b)
{
    tgCone cone = {.start = a.position, .startRadius = a.radius};
    tgVec3 along = tgSub(b.position, a.position);
    cone.length = tgLength(along);
    cone.axis = tgNormalize(along, tgMakeVec3(0.0f, 1.0f, 0.0f));
    if (cone.length > 0.0f) {
        // The slope is the sine of the cone's half angle; a steeper one is a ball inside a ball.
        cone.slope = fmaxf(-0.95f, fminf(0.95f, (b.radius - a.radius) / cone.length));
        cone.lean = cone.slope / sqrtf(1.0f - cone.slope * cone.slope);
    }
    cone.middle = tgLerp(a.position, b.position, 0.5f);
    cone.boundRadius = 0.5f * cone.length + fmaxf(a.radius, b.radius);
    return cone;
}

/// The nearest sphere of the sweep is the one whose normal, tilted by the slope, meets p.
static float tgFindFoot(const tgCone* cone, tgVec3 fromStart)
{
    float along = tgDot(fromStart, cone->axis);
    float away = tgLength(tgMulAdd(fromStart, -along, cone->axis));
    float t = along + away * cone->lean;
    t = t < cone->length ? t : cone->length;
    return t > 0.0f ? t : 0.0f;
}

/// Distance to a plate: its outline is swept in the plane, its rim is round.
static tgFieldSample tgSamplePlate(const tgChain* chain, const tgCone* cones, tgVec3 p)
{
    tgFieldSample best = {.value = FLT_MAX, .gradient = {0.0f, 1.0f, 0.0f}};
    float height = tgDot(chain->flattenAxis, p);
    tgVec3 flat = tgMulAdd(p, -height, chain->flattenAxis);
    for (int i = 0; i < chain->coneCount; ++i) {
        const tgCone* cone = &cones[i];
        tgVec3 fromStart = tgSub(flat, cone->start);
        float t = tgFindFoot(cone, fromStart);
        tgVec3 offset = tgMulAdd(fromStart, -t, cone->axis);
        float length = tgLength(offset);
        float radius = cone->startRadius + cone->slope * t - chain->rimRadius;
        float beyond = fmaxf(0.0f, length - fmaxf(radius, 0.0f));
        float above = height - (cone->startHeight + cone->climb * t);
        float distance = sqrtf(beyond * beyond + above * above);
        if (distance - chain->thickness < best.value) {
            best.value = distance - chain->thickness;
            tgVec3 outward = tgMulSV(length > 0.0f ? beyond / length : 0.0f, offset);
            best.gradient =
                tgNormalize(tgMulAdd(outward, above, chain->flattenAxis), chain->flattenAxis);
        }
    }
    return best;
}

/// Distance in stretched space to the best of a chain's cones, and the direction away from it.
/// Cones that are farther than `limit` are not looked at; when all are, the value is the limit.
static tgFieldSample tgSampleCones(const tgCone* cones, int count, tgVec3 p, float limit)
{
    tgFieldSample best = {.value = limit, .gradient = {0.0f, 1.0f, 0.0f}};
    tgVec3 bestOffset = {0.0f, 1.0f, 0.0f};
    for (int i = 0; i < count; ++i) {
        const tgCone* cone = &cones[i];
        tgVec3 fromMiddle = tgSub(p, cone->middle);
        float reach = best.value + cone->boundRadius;
        if (reach <= 0.0f || tgDot(fromMiddle, fromMiddle) >= reach * reach) {
            continue;
        }
        tgVec3 fromStart = tgSub(p, cone->start);
        float t = tgFindFoot(cone, fromStart);
        tgVec3 offset = tgMulAdd(fromStart, -t, cone->axis);
        float distance = tgLength(offset);
        float value = distance - (cone->startRadius + cone->slope * t);
        if (value < best.value) {
            best.value = value;
            bestOffset = offset;
        }
    }
    best.gradient = tgNormalize(bestOffset, best.gradient);
    return best;
}

/// A point about the y axis as the revolved chain's own plane has it, and the gradient back again.
static tgFieldSample tgSampleRevolved(const tgCone* cones, int count, tgVec3 p, float limit)
{
    float away = sqrtf(p.x * p.x + p.z * p.z);
    tgFieldSample sample = tgSampleCones(cones, count, tgMakeVec3(away, p.y, 0.0f), limit);
    float outward = away > 0.0f ? sample.gradient.x / away : 0.0f;
    sample.gradient = tgMakeVec3(outward * p.x, sample.gradient.y, outward * p.z);
    return sample;
}

tgFieldSample tgField_SampleChain(const tgField* field, int c, tgVec3 p, float limit)
{
    const tgChain* chain = &field->chains[c];
    const tgCone* cones = &field->cones[chain->firstCone];
    if (chain->revolved) {
        return tgSampleRevolved(cones, chain->coneCount, p, limit);
    }
    if (chain->thickness > 0.0f) {
        return tgSamplePlate(chain, cones, p);
    }
    if (chain->stretch == 0.0f) {
        return tgSampleCones(cones, chain->coneCount, p, limit);
    }
    tgVec3 stretched = tgStretch(chain->flattenAxis, chain->stretch, p);
    float farthest = limit > 0.0f ? limit * (1.0f + chain->stretch) : limit;
    tgFieldSample sample = tgSampleCones(cones, chain->coneCount, stretched, farthest);
    // Stretching is symmetric, so it carries the gradient too; dividing by the gradient's length
    // makes the value a distance again, to first order at the surface.
    tgVec3 gradient = tgStretch(chain->flattenAxis, chain->stretch, sample.gradient);
    float length = fmaxf(tgLength(gradient), 1.0f);
    sample.value /= length;
    sample.gradient = tgMulSV(1.0f / length, gradient);
    return sample;
}

/// min(a, b), rounded off where the two differ by less than `width`.
static tgFieldSample tgSmoothMin(tgFieldSample a, tgFieldSample b, float width)
{
    if (b.value < a.value) {
        tgFieldSample swap = a;
        a = b;
        b = swap;
    }
    float gap = b.value - a.value;
    if (gap >= width) {
        return a;
    }
    float h = 1.0f - gap / width;
    tgFieldSample sample;
    sample.value = a.value - h * h * h * width * (1.0f / 6.0f);
    sample.gradient = tgLerp(a.gradient, b.gradient, 0.5f * h * h);
    return sample;
}

/// A point farther than `limit` from the chain's ball cannot feel it.
static bool tgIsNearChain(const tgChain* chain, tgVec3 p, float limit)
{
    float reach = limit + chain->boundRadius;
    tgVec3 offset = tgSub(p, chain->middle);
    return reach > 0.0f && tgDot(offset, offset) < reach * reach;
}

/// A chain and its twin; `limit` when both are farther than that.
static tgFieldSample tgSampleTwins(const tgField* field, int c, tgVec3 p, float limit)
{
    const tgChain* chain = &field->chains[c];
    tgFieldSample sample = {.value = limit};
    if (tgIsNearChain(chain, p, limit)) {
        sample = tgField_SampleChain(field, c, p, limit);
    }
    tgVec3 mirrored = tgMakeVec3(-p.x, p.y, p.z);
    if (chain->mirrored && tgIsNearChain(chain, mirrored, limit)) {
        tgFieldSample twin = tgField_SampleChain(field, c, mirrored, limit);
        twin.gradient.x = -twin.gradient.x;
        sample = tgSmoothMin(sample, twin, tg_twinBlend * chain->blend);
    }
    return sample;
}

tgFieldSample tgField_Sample(const tgField* field, tgVec3 p)
{
    tgFieldSample sum = {.value = tg_farAway, .gradient = {0.0f, 1.0f, 0.0f}};
    for (int c = 0; c < field->chainCount; ++c) {
        float blend = field->chains[c].blend;
        // What is farther than this changes nothing.
        float limit = sum.value + blend;
        tgFieldSample sample = tgSampleTwins(field, c, p, limit);
        if (sample.value < limit) {
            sum = tgSmoothMin(sum, sample, blend);
        }
    }
    if (field->hasGround && p.y < field->groundBlend - sum.value) {
        tgFieldSample below = {.value = p.y, .gradient = {0.0f, 1.0f, 0.0f}};
        tgFieldSample inside = {.value = -sum.value, .gradient = tgMulSV(-1.0f, sum.gradient)};
        inside = tgSmoothMin(inside, below, field->groundBlend);
        sum.value = -inside.value;
        sum.gradient = tgMulSV(-1.0f, inside.gradient);
    }
    return sum;
}

static void tgGrowBox(tgField* field, tgVec3 p, float radius)
{
    field->min = tgMakeVec3(fminf(field->min.x, p.x - radius), fminf(field->min.y, p.y - radius),
                            fminf(field->min.z, p.z - radius));
    field->max = tgMakeVec3(fmaxf(field->max.x, p.x + radius), fmaxf(field->max.y, p.y + radius),
                            fmaxf(field->max.z, p.z + radius));
}

/// Around all spheres of the chain, as it stands before stretching.
static void tgBoundChain(tgField* field, tgChain* chain, const tgChainKey* spheres, int count)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < count; ++i) {
        sum = tgAdd(sum, spheres[i].position);
    }
    chain->middle = tgMulSV(1.0f / (float)count, sum);
    if (chain->revolved) {
        chain->middle.x = 0.0f;
    }
    for (int i = 0; i < count; ++i) {
        float radius = spheres[i].radius + chain->thickness;
        tgVec3 p = spheres[i].position;
        chain->boundRadius = fmaxf(chain->boundRadius, tgDistance(p, chain->middle) + radius);
        tgGrowBox(field, p, radius + chain->blend);
        if (chain->mirrored) {
            tgGrowBox(field, tgMakeVec3(-p.x, p.y, p.z), radius + chain->blend);
        }
        if (chain->revolved) {
            tgGrowBox(field, tgMakeVec3(-p.x, p.y, p.x), radius + chain->blend);
            tgGrowBox(field, tgMakeVec3(-p.x, p.y, -p.x), radius + chain->blend);
        }
    }
}

/// The chain's curve as spheres; returns how many.
static int tgSweepChain(const tgChainDef* def, float minRadius, tgChainKey* spheres)
{
    int keyCount = tgCountKeys(def), count = 0;
    for (int k = 0; k + 1 < keyCount; ++k) {
        for (int i = 0; i < tg_conesPerKey; ++i) {
            float t = (float)i / (float)tg_conesPerKey;
            spheres[count++] = tgSampleCurve(def->keys, keyCount, k, t);
        }
    }
    spheres[count++] = def->keys[keyCount - 1];
    for (int i = 0; i < count; ++i) {
        spheres[i].radius = fmaxf(spheres[i].radius, minRadius);
    }
    return count;
}

static void tgAddCone(tgField* field, const tgChain* chain, tgChainKey a, tgChainKey b)
{
    float startHeight = tgDot(chain->flattenAxis, a.position);
    float climb = tgDot(chain->flattenAxis, b.position) - startHeight;
    a.position = tgStretch(chain->flattenAxis, chain->stretch, a.position);
    b.position = tgStretch(chain->flattenAxis, chain->stretch, b.position);
    tgCone cone = tgMakeCone(a, b);
    cone.startHeight = startHeight;
    cone.climb = cone.length > 0.0f ? climb / cone.length : 0.0f;
    field->cones[field->coneCount++] = cone;
}

/// The middle cone of each piece goes first: the nearest of them rules out most of the others.
static void tgAddCones(tgField* field, tgChain* chain, const tgChainKey* spheres, int count)
{
    if (count == 1) {
        tgAddCone(field, chain, spheres[0], spheres[0]);
    }
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i + 1 < count; ++i) {
            bool isMiddle = i % tg_conesPerKey == tg_conesPerKey / 2;
            if (isMiddle == (pass == 0)) {
                tgAddCone(field, chain, spheres[i], spheres[i + 1]);
            }
        }
    }
    chain->coneCount = field->coneCount - chain->firstCone;
}

static void tgAddChain(tgField* field, const tgChainDef* def, float minRadius)
{
    tgChainKey spheres[tg_maxChainKeys * tg_conesPerKey + 1];
    int sphereCount = tgSweepChain(def, minRadius, spheres);
    float largest = 0.0f;
    for (int i = 0; i < sphereCount; ++i) {
        largest = fmaxf(largest, spheres[i].radius);
    }
    tgChain* chain = &field->chains[field->chainCount++];
    *chain = (tgChain){.firstCone = field->coneCount,
                       .blend = def->blend,
                       .flattenAxis = def->flattenAxis,
                       .mirrored = def->mirrored,
                       .revolved = def->revolved};
    if (def->thickness > 0.0f) {
        chain->thickness = fmaxf(def->thickness, tg_thinnestPlate * minRadius);
        chain->rimRadius = def->thickness;
        chain->stretch = -1.0f;
    } else {
        float flatten = def->flatten > 0.0f ? def->flatten : 1.0f;
        chain->stretch = 1.0f / fminf(1.0f, fmaxf(flatten, minRadius / largest)) - 1.0f;
    }
    tgBoundChain(field, chain, spheres, sphereCount);
    tgAddCones(field, chain, spheres, sphereCount);
}

bool tgField_Create(tgField* field, const tgChainDef* chains, int chainCount, float minRadius,
                    float groundBlend)
{
    *field = (tgField){.hasGround = groundBlend > 0.0f,
                       .min = {FLT_MAX, FLT_MAX, FLT_MAX},
                       .max = {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    size_t coneCount = (size_t)chainCount * tg_maxChainKeys * tg_conesPerKey;
    field->chains = calloc((size_t)chainCount, sizeof(tgChain));
    field->cones = calloc(coneCount, sizeof(tgCone));
    if (field->chains == NULL || field->cones == NULL) {
        tgField_Destroy(field);
        return false;
    }
    for (int c = 0; c < chainCount; ++c) {
        tgAddChain(field, &chains[c], minRadius);
    }
    field->groundBlend = groundBlend * (field->max.y - field->min.y);
    return true;
}

void tgField_Destroy(tgField* field)
{
    free(field->chains);
    free(field->cones);
    *field = (tgField){0};
}
