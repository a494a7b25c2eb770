// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Finds where skin can fold onto skin. Runs once, at creation. Only joints that bend like hinges
// are taken: bones longer than the limb is thick, and skin that follows the bone it lies over. At
// others, such as hips, shoulders and spines, skin may well pass the plane between two bones
// without meeting any other.

#include "core/crease.h"

#include "core/hinge.h"
#include "core/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// So far along a bone its skin can meet its neighbour's, in limb radii: up to a bend of 150
/// degrees, and the softness before that.
static const float tg_longest = 5.0f;
/// Flesh farther from the bone than this, in limb radii, belongs to something else: ribs by an arm.
static const float tg_thickest = 1.75f;
/// A vertex of a crease has at least so much of its weight, smoothed, on the two bones, and so much
/// of that on its own: what follows the other one more passes the plane on the outer side of bends,
/// where it meets nothing.
static const float tg_leastShare = 0.5f, tg_leastOwn = 0.5f;
/// With less than that, but so much, a vertex near the plane goes with those beside it.
static const float tg_leastOwnNear = 0.35f;
/// Of a hinge most vertices between a half and one and a half radii from the joint have more.
static const float tg_hingeShare = 0.8f, tg_hingeOwn = 0.65f, tg_hingePart = 0.7f;
/// Vertices nearer to the plane at rest than this, in limb radii, have a witness.
static const float tg_undecided = 0.25f;
/// Vertices nearer to it than this are as near to either bone: they belong to neither.
static const float tg_tie = 1e-3f;
/// A leaf's bone goes on straight; the middle of its skin lies within so much (a cosine) of it.
static const float tg_leafAlong = 0.9f;
/// Bones that lie on each other at rest have no plane between them.
static const float tg_leastNormal = 0.2f;

/// A place in a crease, and the bend from which on its vertex matters.
typedef struct tgOnset {
    float sine;
    int place;
} tgOnset;

/// What finding creases needs.
typedef struct tgCreaseMaker {
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgTree* tree;
    const tgInfluences* influences;
    const float* rest;
    tgScratch* scratch;
    float gap; ///< in limb radii
    tgReach reach;
    tgHinge hinge; ///< of the joint at hand
    tgVec3 normal; ///< of its plane
    tgCrease room; ///< the crease at hand, with room for all vertices of the mesh
    int* place;    ///< of each vertex of the mesh in it; -1 for none
    int* found;    ///< scratch
    tgOnset* order;
    bool* marked; ///< vertices of it, and the middles of caps that they move
} tgCreaseMaker;

static tgVec3 tgGetRest(const tgCreaseMaker* maker, int v)
{
    const float* p = maker->rest + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

static tgVec3 tgGetJoint(const tgCreaseMaker* maker, int j)
{
    const double* o = maker->skeleton->rest[j].c[3];
    return tgMakeVec3((float)o[0], (float)o[1], (float)o[2]);
}

/// Of the weights of a vertex, that of one joint.
static float tgGetWeight(const tgCreaseMaker* maker, int v, int joint)
{
    const tgInfluences* influences = maker->influences;
    int render = maker->mesh->vertexToRender[v];
    float weight = 0.0f;
    for (int k = influences->start[render]; k < influences->start[render + 1]; ++k) {
        weight += influences->joints[k] == joint ? influences->weights[k] : 0.0f;
    }
    return weight;
}

/// Whether the joint's own bone is known: to a child, or through the skin of a leaf. Where that
/// lies elsewhere, as a foot's that is the end of its leg, there is no plane to be told.
static bool tgKnowsOwnBone(const tgCreaseMaker* maker, const tgLimb* limb)
{
    if (maker->tree->firstChild[limb->joint] >= 0) {
        return true;
    }
    tgVec3 joint = tgGetJoint(maker, limb->joint), sum = tgMakeVec3(0.0f, 0.0f, 0.0f);
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        sum = tgMulAdd(sum, tgGetWeight(maker, v, limb->joint), tgSub(tgGetRest(maker, v), joint));
    }
    return tgDot(tgNormalize(sum, limb->boneOut), limb->boneOut) >= tg_leafAlong;
}

/// Of the carrier's bone. A limb has some length there even where joints coincide.
static float tgGetLengthIn(const tgCreaseMaker* maker, const tgLimb* limb)
{
    return fmaxf(maker->hinge.in, limb->boneLength);
}

static float tgSmooth(float t)
{
    t = fminf(fmaxf(t, 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// ---- vertices -----------------------------------------------------------------------------------

/// Distances along the skin from the faces that bend.
static void tgSpreadFromBand(tgCreaseMaker* maker, const tgLimb* limb)
{
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        maker->reach.distances[v] = INFINITY;
    }
    for (int i = 0; i < limb->bandCount; ++i) {
        if (limb->bandVertices[i] < maker->mesh->vertexCount) {
            maker->reach.distances[limb->bandVertices[i]] = 0.0f;
        }
    }
    tgSpreadReach(&maker->reach, tg_longest * limb->radius);
}

/// How a vertex follows the two bones against all others, smoothed, and of the two its own one.
static void tgGetShares(const tgCreaseMaker* maker, int v, bool isOwn, float* both, float* one)
{
    const tgInfluences* influences = maker->influences;
    int render = maker->mesh->vertexToRender[v];
    float weights[3] = {0.0f, 0.0f, 0.0f};
    for (int k = influences->start[render]; k < influences->start[render + 1]; ++k) {
        weights[(int)maker->hinge.bones[influences->joints[k]]] += influences->weights[k];
    }
    float sum = weights[tg_ownBone] + weights[tg_carrierBone];
    *both = tgSmooth(sum);
    *one = sum > 0.0f ? weights[isOwn ? tg_ownBone : tg_carrierBone] / sum : 0.5f;
}

/// Fills the maker's crease; false where the joint is no hinge.
static bool tgFindVertices(tgCreaseMaker* maker, const tgLimb* limb)
{
    tgCrease* crease = &maker->room;
    tgVec3 joint = tgGetJoint(maker, limb->joint);
    float radius = limb->radius, longest = tg_longest * radius, thickest = tg_thickest * radius;
    // Beyond the first bone there is no other that the skin could follow.
    float in = maker->hinge.beginsFree ? longest : fminf(longest, tgGetLengthIn(maker, limb));
    float out = fminf(longest, maker->hinge.out);
    int seen = 0, hinged = 0;
    crease->count = 0;
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        maker->place[v] = -1;
        maker->marked[v] = false;
        tgVec3 p = tgSub(tgGetRest(maker, v), joint);
        float height = tgDot(p, maker->normal);
        bool isOwn = height >= 0.0f;
        float along = isOwn ? tgDot(p, limb->boneOut) : -tgDot(p, limb->boneIn);
        float across = tgDot(p, p) - (along > 0.0f ? along * along : 0.0f);
        if (along > (isOwn ? out : in) || across > thickest * thickest ||
            maker->reach.distances[v] == INFINITY) {
            continue;
        }
        int at = crease->count;
        float share, own;
        tgGetShares(maker, v, isOwn, &share, &own);
        if (fabsf(fabsf(height) - radius) < 0.5f * radius) {
            seen += 1;
            hinged += share > tg_hingeShare && own > tg_hingeOwn;
        }
        bool isNear = fabsf(height) <= tg_undecided * radius;
        if (share < tg_leastShare || own < (isNear ? tg_leastOwnNear : tg_leastOwn)) {
            continue;
        }
        crease->vertices[at] = v;
        bool isTie = fabsf(height) < tg_tie * radius || own < tg_leastOwn;
        crease->sides[at] = isTie ? 0.0f : isOwn ? 1.0f : -1.0f;
        crease->heights[at] = isTie ? 0.0f : fabsf(height);
        crease->spans[at] = sqrtf(fmaxf(tgDot(p, p) - height * height, 0.0f));
        crease->drifts[at] = 0.0f;
        crease->count += 1;
        maker->place[v] = at;
        maker->marked[v] = true;
    }
    return (float)hinged >= tg_hingePart * (float)seen;
}

static void tgCopyDrifts(const tgCreaseMaker* maker, const tgLimb* limb)
{
    for (int i = 0; i < limb->bandCount; ++i) {
        int v = limb->bandVertices[i];
        if (v < maker->mesh->vertexCount && maker->place[v] >= 0) {
            maker->room.drifts[maker->place[v]] = limb->bandDrift[i];
        }
    }
}

// ---- witnesses ----------------------------------------------------------------------------------

/// Squared distance of two vertices at rest, seen along the normal of the plane.
static float tgGetAside(const tgCreaseMaker* maker, int a, int b)
{
    tgVec3 way = tgSub(tgGetRest(maker, a), tgGetRest(maker, b));
    float along = tgDot(way, maker->normal);
    return tgDot(way, way) - along * along;
}

/// Of the witnesses of the vertex's neighbours the one most nearly straight over it; -1 when none
/// of them has one.
static int tgFindWitness(const tgCreaseMaker* maker, int v)
{
    const tgMesh* mesh = maker->mesh;
    int triangleCount = mesh->triangleCount + mesh->capTriangleCount, best = -1;
    float least = INFINITY;
    for (int k = mesh->cornerStart[v]; k < mesh->cornerStart[v + 1]; ++k) {
        int slot = mesh->cornerSlots[k];
        bool isQuad = slot >= triangleCount;
        const int* corners = isQuad ? mesh->quads + (slot - triangleCount) / 4 * 4
                                    : mesh->triangles + 3 * (size_t)slot;
        for (int i = 0; i < (isQuad ? 4 : 3); ++i) {
            int at = corners[i] < mesh->vertexCount ? maker->place[corners[i]] : -1;
            int witness = at >= 0 ? maker->room.witnesses[at] : -1;
            float aside =
                witness >= 0 ? tgGetAside(maker, v, maker->room.vertices[witness]) : INFINITY;
            best = aside < least ? witness : best;
            least = fminf(aside, least);
        }
    }
    return best;
}

/// From ring to ring, until all that can be reached have one.
static void tgFindWitnesses(tgCreaseMaker* maker, float undecided)
{
    tgCrease* crease = &maker->room;
    for (int i = 0; i < crease->count; ++i) {
        crease->witnesses[i] = crease->heights[i] >= undecided ? i : -1;
    }
    for (bool any = true; any;) {
        any = false;
        for (int i = 0; i < crease->count; ++i) {
            maker->found[i] = crease->witnesses[i] < 0 ? tgFindWitness(maker, crease->vertices[i])
                                                       : crease->witnesses[i];
        }
        for (int i = 0; i < crease->count; ++i) {
            any |= crease->witnesses[i] != maker->found[i];
            crease->witnesses[i] = maker->found[i];
        }
    }
    for (int i = 0; i < crease->count; ++i) {
        crease->witnesses[i] = crease->witnesses[i] >= 0 ? crease->witnesses[i] : i;
    }
}

// ---- onsets -------------------------------------------------------------------------------------

/// Sine of half the bend up to which a vertex stays above where it begins to close. Turned about
/// the joint it is no lower than h cos - s sin (see contact.c), which falls to k where cos(t + phi)
/// = k / sqrt(h^2 + s^2), tan(phi) = s / h.
static float tgGetOnset(const tgCreaseMaker* maker, const tgLimb* limb, int i)
{
    float height = maker->room.heights[i], span = maker->room.spans[i];
    float begins = tgGetLeastHeight(height, maker->gap * limb->radius) +
                   tgGetClosingRange(height, limb->radius);
    float away = sqrtf(height * height + span * span);
    if (!(begins < height)) {
        return -1.0f; // from the start
    }
    // sin(t) by the sines and cosines of t + phi and phi; rounding errs to the safe side.
    float cosine = begins / away, sine = sqrtf(fmaxf(1.0f - cosine * cosine, 0.0f));
    return sine * height / away - cosine * span / away - 1e-5f;
}

static int tgCompareOnsets(const void* a, const void* b)
{
    const tgOnset *left = a, *right = b;
    int bySine = (left->sine > right->sine) - (left->sine < right->sine);
    return bySine != 0 ? bySine : (left->place > right->place) - (left->place < right->place);
}

/// Fills the order of the crease at hand. A vertex goes by its witness too.
static void tgSortByOnset(const tgCreaseMaker* maker, const tgLimb* limb)
{
    const tgCrease* crease = &maker->room;
    for (int i = 0; i < crease->count; ++i) {
        float sine = tgGetOnset(maker, limb, i);
        maker->order[i] = (tgOnset){fminf(sine, tgGetOnset(maker, limb, crease->witnesses[i])), i};
    }
    qsort(maker->order, (size_t)crease->count, sizeof(tgOnset), tgCompareOnsets);
    for (int i = 0; i < crease->count; ++i) {
        maker->found[maker->order[i].place] = i;
    }
}

/// The crease at hand, in that order.
static void tgKeepCrease(const tgCreaseMaker* maker, tgCrease* crease)
{
    const tgCrease* room = &maker->room;
    crease->count = room->count;
    for (int i = 0; i < room->count; ++i) {
        int from = maker->order[i].place;
        crease->vertices[i] = room->vertices[from];
        crease->sides[i] = room->sides[from];
        crease->heights[i] = room->heights[from];
        crease->spans[i] = room->spans[from];
        crease->drifts[i] = room->drifts[from];
        crease->witnesses[i] = maker->found[room->witnesses[from]];
        crease->onsets[i] = maker->order[i].sine;
    }
}

// ---- faces --------------------------------------------------------------------------------------

/// A vertex on a boundary moves the middle of the cap along, and with it the whole cap.
static void tgMarkCaps(const tgCreaseMaker* maker)
{
    const tgMesh* mesh = maker->mesh;
    for (int l = 0; l < mesh->loopCount; ++l) {
        bool* middle = &maker->marked[mesh->vertexCount + l];
        *middle = false;
        for (int i = mesh->loopStart[l]; i < mesh->loopStart[l + 1]; ++i) {
            *middle |= maker->marked[mesh->loopVertices[i]];
        }
    }
}

/// Goes over all faces: counts those of the crease, or with room for them, fills them in.
static void tgFindFaces(const tgCreaseMaker* maker, tgPatch* faces, bool fill)
{
    const tgMesh* mesh = maker->mesh;
    int triangleCount = mesh->triangleCount + mesh->capTriangleCount;
    faces->triangleCount = faces->quadCount = 0;
    for (int f = 0; f < triangleCount + mesh->quadCount; ++f) {
        bool isQuad = f >= triangleCount, touches = false;
        int size = isQuad ? 4 : 3;
        const int* corners = isQuad ? mesh->quads + 4 * (size_t)(f - triangleCount)
                                    : mesh->triangles + 3 * (size_t)f;
        for (int k = 0; k < size; ++k) {
            touches |= maker->marked[corners[k]];
        }
        if (touches && fill) {
            memcpy(isQuad ? faces->quads + 4 * (size_t)faces->quadCount
                          : faces->triangles + 3 * (size_t)faces->triangleCount,
                   corners, (size_t)size * sizeof(int));
        }
        faces->quadCount += touches && isQuad;
        faces->triangleCount += touches && !isQuad;
    }
}

// ---- all joints ---------------------------------------------------------------------------------

/// Copies the arrays of a crease to wherever there is room for them.
static void tgCopyCrease(const tgCrease* from, tgCrease* to)
{
    size_t floats = (size_t)from->count * sizeof(float), ints = (size_t)from->count * sizeof(int);
    memcpy(to->vertices, from->vertices, ints);
    memcpy(to->sides, from->sides, floats);
    memcpy(to->heights, from->heights, floats);
    memcpy(to->spans, from->spans, floats);
    memcpy(to->drifts, from->drifts, floats);
    memcpy(to->witnesses, from->witnesses, ints);
    memcpy(to->onsets, from->onsets, floats);
}

static bool tgTakeCrease(tgScratch* scratch, size_t count, tgCrease* crease)
{
    crease->vertices = tgScratch_Take(scratch, count, sizeof(int));
    crease->sides = tgScratch_Take(scratch, count, sizeof(float));
    crease->heights = tgScratch_Take(scratch, count, sizeof(float));
    crease->spans = tgScratch_Take(scratch, count, sizeof(float));
    crease->drifts = tgScratch_Take(scratch, count, sizeof(float));
    crease->witnesses = tgScratch_Take(scratch, count, sizeof(int));
    crease->onsets = tgScratch_Take(scratch, count, sizeof(float));
    return !scratch->failed;
}

static bool tgBuildCrease(tgCreaseMaker* maker, const tgLimb* limb, tgCrease* crease)
{
    tgVec3 sum = tgAdd(limb->boneIn, limb->boneOut);
    tgFindHinge(maker->skeleton, maker->tree, limb->joint, &maker->hinge);
    // Twist bones do not make a spine thin: no part of a bone is shorter than the limb is thick.
    bool isThin = limb->radius <= limb->boneLength && limb->radius <= maker->hinge.next;
    if (!isThin || tgLength(sum) < tg_leastNormal || !tgKnowsOwnBone(maker, limb)) {
        return true;
    }
    maker->normal = tgNormalize(sum, limb->boneOut);
    tgSpreadFromBand(maker, limb);
    if (!tgFindVertices(maker, limb)) {
        return true;
    }
    tgFindWitnesses(maker, tg_undecided * limb->radius);
    tgCopyDrifts(maker, limb);
    tgMarkCaps(maker);
    tgPatch* faces = &crease->faces;
    tgFindFaces(maker, faces, false);
    size_t triangles = (size_t)faces->triangleCount, quads = (size_t)faces->quadCount;
    faces->triangles = tgScratch_Take(maker->scratch, 3 * triangles, sizeof(int));
    faces->quads = tgScratch_Take(maker->scratch, 4 * quads, sizeof(int));
    if (!tgTakeCrease(maker->scratch, (size_t)maker->room.count, crease)) {
        return false;
    }
    tgFindFaces(maker, faces, true);
    tgSortByOnset(maker, limb);
    tgKeepCrease(maker, crease);
    return true;
}

bool tgBuildCreases(const tgMesh* mesh, const tgSkeleton* skeleton, const tgLimbs* limbs,
                    const tgInfluences* influences, const float* rest, float gap,
                    tgScratch* scratch, tgCreases* creases)
{
    tgCreaseMaker maker = {.mesh = mesh,
                           .skeleton = skeleton,
                           .tree = &limbs->tree,
                           .influences = influences,
                           .rest = rest,
                           .scratch = scratch,
                           .gap = gap};
    size_t vertices = (size_t)mesh->vertexCount;
    maker.marked = tgScratch_Take(scratch, vertices + (size_t)mesh->loopCount, sizeof(bool));
    maker.place = tgScratch_Take(scratch, vertices, sizeof(int));
    maker.found = tgScratch_Take(scratch, vertices, sizeof(int));
    maker.order = tgScratch_Take(scratch, vertices, sizeof(tgOnset));
    maker.hinge.bones = tgScratch_Take(scratch, (size_t)skeleton->jointCount, sizeof(char));
    creases->creases = tgScratch_Take(scratch, (size_t)limbs->count, sizeof(tgCrease));
    if (!tgTakeCrease(scratch, vertices, &maker.room) ||
        !tgMakeReach(mesh, rest, scratch, &maker.reach)) {
        return false;
    }
    creases->count = limbs->count;
    for (int i = 0; i < limbs->count; ++i) {
        tgCrease* crease = &creases->creases[i];
        if (!tgBuildCrease(&maker, &limbs->limbs[i], crease)) {
            return false;
        }
        creases->most = crease->count > creases->most ? crease->count : creases->most;
    }
    return true;
}

// ---- placing ------------------------------------------------------------------------------------

static void tgPlacePatch(tgLayout* layout, const tgPatch* from, tgPatch* to)
{
    size_t triangles = 3 * (size_t)from->triangleCount, quads = 4 * (size_t)from->quadCount;
    to->triangles = tgLayout_Take(layout, triangles, sizeof(int));
    to->quads = tgLayout_Take(layout, quads, sizeof(int));
    if (layout->base != NULL && triangles > 0) {
        memcpy(to->triangles, from->triangles, triangles * sizeof(int));
    }
    if (layout->base != NULL && quads > 0) {
        memcpy(to->quads, from->quads, quads * sizeof(int));
    }
}

void tgCreases_Place(const tgCreases* built, tgLayout* layout, tgCreases* placed)
{
    *placed = *built;
    placed->creases = tgLayout_Take(layout, (size_t)built->count, sizeof(tgCrease));
    for (int i = 0; i < built->count; ++i) {
        const tgCrease* from = &built->creases[i];
        tgCrease to = *from;
        size_t count = (size_t)from->count;
        to.vertices = tgLayout_Take(layout, count, sizeof(int));
        to.sides = tgLayout_Take(layout, count, sizeof(float));
        to.heights = tgLayout_Take(layout, count, sizeof(float));
        to.spans = tgLayout_Take(layout, count, sizeof(float));
        to.drifts = tgLayout_Take(layout, count, sizeof(float));
        to.witnesses = tgLayout_Take(layout, count, sizeof(int));
        to.onsets = tgLayout_Take(layout, count, sizeof(float));
        tgPlacePatch(layout, &from->faces, &to.faces);
        if (placed->creases != NULL) {
            if (count > 0) {
                tgCopyCrease(from, &to);
            }
            placed->creases[i] = to;
        }
    }
}
