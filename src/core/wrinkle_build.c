// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where each joint's wrinkles lie, found once: the skin that bends with it, which way the limb goes
// there, how steeply the weights pass from one body to the other, and the waves.

#include "core/elementary.h"
#include "core/volume.h"
#include "core/wrinkle.h"

#include <math.h>
#include <string.h>

enum { tg_wrinkleCookie = 0x77726e6b, tg_mostWaves = 64 };

/// The ends of the limb's part over which waves fade, as a part of its length.
static const float tg_fadingPart = 0.1f;
/// Automatic waves are so long, in radii of the limb,
static const float tg_waveRadii = 0.5f;
/// or so many vertices where that is more; fewer than so many of them are none.
static const float tg_waveVertices = 6.0f;
enum { tg_leastWaves = 2 };
/// A joint compresses skin when a bend of 60 degrees does so by this part.
static const float tg_leastCompression = 0.15f;
/// Skin that goes less along the limb than this (a sine) carries no waves.
static const float tg_leastAlong = 0.2f;

tgWrinkle tgDefaultWrinkle(int joint)
{
    return (tgWrinkle){
        .joint = joint, .side = tg_wrinkleAll, .count = 4, .cookie = tg_wrinkleCookie};
}

// ---- checks -------------------------------------------------------------------------------------

static int tgGetParent(const tgRigDef* def, int joint)
{
    return *(const int*)((const char*)def->jointParents +
                         (size_t)joint * (size_t)def->jointParentStride);
}

tgResult tgCheckWrinkles(const tgRigDef* def, tgError* error)
{
    const tgWrinklesDef* wrinkles = &def->wrinkles;
    for (int i = 0; i < wrinkles->wrinkleCount; ++i) {
        const tgWrinkle* wrinkle = &wrinkles->wrinkles[i];
        int joint = wrinkle->joint;
        if (wrinkle->cookie != tg_wrinkleCookie) {
            return tgFail(error, tg_invalidArgument, i, "wrinkle %d is not from tgDefaultWrinkle",
                          i);
        }
        if (joint < 0 || joint >= def->jointCount || tgGetParent(def, joint) < 0) {
            return tgFail(error, tg_invalidArgument, joint,
                          "wrinkles at joint %d, wanted one with a parent of the %d there are",
                          joint, def->jointCount);
        }
        if (wrinkle->side < tg_wrinkleAll || wrinkle->side > tg_wrinkleOuter ||
            wrinkle->count < 1 || wrinkle->count > tg_mostWaves) {
            return tgFail(error, tg_invalidArgument, joint,
                          "%d wrinkles at joint %d, on side %d; wanted 1 to %d on one of "
                          "tgWrinkleSide",
                          wrinkle->count, joint, (int)wrinkle->side, tg_mostWaves);
        }
        if (!(wrinkle->depth >= 0.0f) || !isfinite(wrinkle->depth) || !(wrinkle->length >= 0.0f) ||
            !isfinite(wrinkle->length)) {
            return tgFail(error, tg_invalidArgument, joint,
                          "wrinkles at joint %d of depth %g and length %g, wanted 0 or more", joint,
                          (double)wrinkle->depth, (double)wrinkle->length);
        }
        for (int k = 0; k < i; ++k) {
            if (wrinkles->wrinkles[k].joint == joint) {
                return tgFail(error, tg_invalidArgument, joint, "joint %d has wrinkles twice",
                              joint);
            }
        }
    }
    return tg_success;
}

// ---- the skin of a joint ------------------------------------------------------------------------

typedef struct tgWrinkleMaker {
    const tgWrinkleSource* source;
    tgWrinkles* wrinkles;
    int room;        ///< of its vertices
    float* normals;  ///< 4 for each vertex; not unit
    float* weights;  ///< W of each vertex, at the joint at hand
    tgVec3* slopes;  ///< gradient of W, summed over faces by area
    float* areas;    ///< of all faces round each vertex
    float* spacings; ///< the farthest that an edge goes along the limb
    tgScratch* scratch;
    tgScratch step; ///< what only the making needs
} tgWrinkleMaker;

static tgVec3 tgGetPlace(const tgWrinkleMaker* maker, int v)
{
    const float* p = maker->source->rest + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

static void tgFillWeights(tgWrinkleMaker* maker, int joint)
{
    const tgInfluences* influences = maker->source->influences;
    const tgTree* bodies = &maker->source->skeleton->bodies;
    for (int v = 0; v < maker->source->mesh->vertexCount; ++v) {
        int render = maker->source->mesh->vertexToRender[v];
        float sum = 0.0f;
        for (int k = influences->start[render]; k < influences->start[render + 1]; ++k) {
            bool counts = tgTree_Carries(bodies, joint, influences->joints[k]);
            sum += counts ? influences->weights[k] : 0.0f;
        }
        maker->weights[v] = fminf(sum, 1.0f);
    }
}

/// The gradient of W over a triangle, and how far its sides go along the limb.
static void tgAddTriangle(tgWrinkleMaker* maker, int a, int b, int c, tgVec3 axis)
{
    const int corners[3] = {a, b, c};
    const float* w = maker->weights;
    if (w[a] == w[b] && w[b] == w[c]) {
        return;
    }
    tgVec3 p = tgGetPlace(maker, a), ab = tgSub(tgGetPlace(maker, b), p);
    tgVec3 ac = tgSub(tgGetPlace(maker, c), p), n = tgCross(ab, ac);
    float squared = tgDot(n, n);
    if (!(squared > 0.0f)) {
        return;
    }
    // n x (ac (Wb - Wa) - ab (Wc - Wa)) / |n|^2, turned so that it rises with W.
    tgVec3 rise = tgSub(tgMulSV(w[b] - w[a], ac), tgMulSV(w[c] - w[a], ab));
    tgVec3 slope = tgMulSV(-1.0f / squared, tgCross(n, rise));
    float area = 0.5f * sqrtf(squared);
    for (int k = 0; k < 3; ++k) {
        maker->slopes[corners[k]] = tgMulAdd(maker->slopes[corners[k]], area, slope);
        int next = corners[(k + 1) % 3];
        tgVec3 side = tgSub(tgGetPlace(maker, next), tgGetPlace(maker, corners[k]));
        float step = fabsf(tgDot(side, axis));
        maker->spacings[corners[k]] = fmaxf(maker->spacings[corners[k]], step);
        maker->spacings[next] = fmaxf(maker->spacings[next], step);
    }
}

static void tgAddArea(tgWrinkleMaker* maker, int a, int b, int c, tgVec3 axis)
{
    (void)axis;
    tgVec3 p = tgGetPlace(maker, a), ab = tgSub(tgGetPlace(maker, b), p);
    float area = 0.5f * tgLength(tgCross(ab, tgSub(tgGetPlace(maker, c), p)));
    maker->areas[a] += area;
    maker->areas[b] += area;
    maker->areas[c] += area;
}

typedef void tgTriangleFcn(tgWrinkleMaker* maker, int a, int b, int c, tgVec3 axis);

/// Every face of the skin, quads cut both ways.
static void tgVisitTriangles(tgWrinkleMaker* maker, tgTriangleFcn* visit, tgVec3 axis)
{
    const tgMesh* mesh = maker->source->mesh;
    for (int t = 0; t < mesh->triangleCount; ++t) { // without those of caps
        const int* c = mesh->triangles + 3 * (size_t)t;
        visit(maker, c[0], c[1], c[2], axis);
    }
    for (int q = 0; q < mesh->quadCount; ++q) {
        const int* c = mesh->quads + 4 * (size_t)q;
        for (int k = 0; k < 4; ++k) {
            visit(maker, c[k], c[(k + 1) % 4], c[(k + 2) % 4], axis);
        }
    }
}

static void tgFillSlopes(tgWrinkleMaker* maker, tgVec3 axis)
{
    size_t count = (size_t)maker->source->mesh->vertexCount;
    memset(maker->slopes, 0, count * sizeof(tgVec3));
    memset(maker->spacings, 0, count * sizeof(float));
    tgVisitTriangles(maker, tgAddTriangle, axis);
}

/// A limb's skin, where it bends.
typedef struct tgWrinkleLimb {
    int joint, carrier; ///< that turn against each other
    int hinge;          ///< the joint by its name
    tgLimb bones;
    tgVec3 axis;
    float radius, spacing;
} tgWrinkleLimb;

/// The body that turns about a joint: itself, or what carries it in the tree of bodies.
static bool tgFindBodies(const tgWrinkleMaker* maker, int hinge, tgWrinkleLimb* limb)
{
    const tgSkeleton* skeleton = maker->source->skeleton;
    const int* carriers = skeleton->bodies.carriers;
    for (int i = -1; i < skeleton->jointCount; ++i) {
        int joint = i < 0 ? hinge : i, carrier = carriers[joint];
        bool isAbove = carrier >= 0 && tgTree_Carries(&skeleton->tree, joint, carrier);
        if (carrier >= 0 && (isAbove ? carrier : joint) == hinge) {
            limb->joint = joint;
            limb->carrier = carrier;
            limb->hinge = hinge;
            return true;
        }
    }
    return false;
}

/// Radius and spacing of the vertices: means over the skin that bends.
static bool tgMeasureLimb(tgWrinkleMaker* maker, tgWrinkleLimb* limb)
{
    tgVec3 in = limb->bones.boneIn, out = limb->bones.boneOut;
    limb->axis = tgDot(in, out) > -0.5f ? tgNormalize(tgAdd(in, out), in) : in;
    tgFillWeights(maker, limb->joint);
    tgFillSlopes(maker, limb->axis);
    double amount = 0.0, radius = 0.0, spacing = 0.0;
    for (int v = 0; v < maker->source->mesh->vertexCount; ++v) {
        double w = (double)maker->weights[v], own = w * (1.0 - w) * (double)maker->areas[v];
        tgVec3 way = tgSub(tgGetPlace(maker, v), limb->bones.origin);
        way = tgMulAdd(way, -tgDot(way, limb->axis), limb->axis);
        amount += own;
        radius += own * (double)tgLength(way);
        spacing += own * (double)maker->spacings[v];
    }
    limb->radius = amount > 0.0 ? (float)(radius / amount) : 0.0f;
    limb->spacing = amount > 0.0 ? (float)(spacing / amount) : 0.0f;
    return limb->radius > 0.0f && limb->spacing > 0.0f;
}

/// Fills in a vertex; false where it carries no waves.
/// @param waveLength over 2 pi
static bool tgMakeVertex(const tgWrinkleMaker* maker, const tgWrinkleLimb* limb, int v,
                         float waveLength, float length, tgWrinkleVertex* vertex)
{
    tgVec3 none = {0.0f, 0.0f, 0.0f}, place = tgGetPlace(maker, v);
    tgVec3 way = tgSub(place, limb->bones.origin);
    float s = tgDot(way, limb->axis), half = 0.5f * length;
    float w = maker->weights[v];
    bool bends = maker->spacings[v] > 0.0f; // else no face round it has a slope
    if (!bends || fabsf(s) >= half) {
        return false;
    }
    const float* n = maker->normals + 4 * (size_t)v;
    tgVec3 up = tgNormalize(tgMakeVec3(n[0], n[1], n[2]), none);
    tgVec3 along = tgMulAdd(limb->axis, -tgDot(limb->axis, up), up);
    float sine = tgLength(along);
    if (!(tgLength(up) > 0.0f) || sine < tg_leastAlong) {
        return false;
    }
    along = tgMulSV(1.0f / sine, along);
    double cosine, ignored;
    tgSineCosine((double)(s / waveLength), &ignored, &cosine);
    float end = fminf((half - fabsf(s)) / (tg_fadingPart * length), 1.0f);
    float fade = end * end * (3.0f - 2.0f * end);
    *vertex = (tgWrinkleVertex){
        .vertex = v,
        .weight = w,
        .slope = tgDot(maker->slopes[v], along) / maker->areas[v],
        .wave = -(float)cosine * fade * sine * waveLength,
        .place = place,
        .along = along,
        .up = up,
        .out = tgMulSV(1.0f / limb->radius, tgMulAdd(way, -s, limb->axis)),
    };
    return true;
}

/// Lists the vertices of a joint's waves.
static bool tgListVertices(tgWrinkleMaker* maker, const tgWrinkleLimb* limb, float length,
                           tgWrinkleJoint* joint)
{
    tgWrinkles* wrinkles = maker->wrinkles;
    int vertexCount = maker->source->mesh->vertexCount;
    if (wrinkles->vertexCount + vertexCount > maker->room) {
        int room = 2 * maker->room + vertexCount;
        tgWrinkleVertex* grown =
            tgScratch_Take(maker->scratch, (size_t)room, sizeof(tgWrinkleVertex));
        if (grown == NULL) {
            return false;
        }
        if (wrinkles->vertexCount > 0) {
            memcpy(grown, wrinkles->vertices,
                   (size_t)wrinkles->vertexCount * sizeof(tgWrinkleVertex));
        }
        wrinkles->vertices = grown;
        maker->room = room;
    }
    joint->first = wrinkles->vertexCount;
    for (int v = 0; v < vertexCount; ++v) {
        tgWrinkleVertex* to = &wrinkles->vertices[wrinkles->vertexCount];
        if (tgMakeVertex(maker, limb, v, joint->waveLength, length, to)) {
            wrinkles->vertexCount += 1;
        }
    }
    joint->count = wrinkles->vertexCount - joint->first;
    return true;
}

// ---- which joints, and how many waves -----------------------------------------------------------

/// The most that bends of 60 degrees to four sides compress the skin.
static float tgTryBends(const tgWrinkles* wrinkles, const tgWrinkleJoint* joint, tgVec3 origin)
{
    float most = 0.0f;
    tgVec3 aside = fabsf(joint->axis.x) < 0.6f ? tgMakeVec3(1, 0, 0) : tgMakeVec3(0, 1, 0);
    tgVec3 side = tgNormalize(tgCross(aside, joint->axis), aside);
    for (int way = 0; way < 4; ++way) {
        tgVec3 other = tgCross(joint->axis, side);
        // Columns of the turn by 60 degrees about `side`: v cos + (side x v) sin + side (side . v).
        tgWrinkleTurn turn = {.shift = origin};
        for (int k = 0; k < 3; ++k) {
            tgVec3 unit = tgMakeVec3(k == 0, k == 1, k == 2);
            tgVec3 v = tgMulAdd(tgMulSV(0.5f, unit), 0.866025404f, tgCross(side, unit));
            v = tgMulAdd(v, 0.5f * tgDot(side, unit), side);
            memcpy(turn.linear[k], &v, sizeof(v));
            turn.shift = tgMulAdd(turn.shift, -(&origin.x)[k], v);
        }
        for (int i = joint->first; i < joint->first + joint->count; ++i) {
            most = fmaxf(most, tgGetCompression(&wrinkles->vertices[i], &turn));
        }
        side = other;
    }
    return most;
}

/// Adds the wrinkles of one joint, where there is skin for them.
/// @param wrinkle NULL: as many as fit
static bool tgAddWrinkles(tgWrinkleMaker* maker, int hinge, const tgWrinkle* wrinkle)
{
    tgWrinkles* wrinkles = maker->wrinkles;
    tgWrinkleLimb limb = {.bones = {.hinge = hinge}};
    if (!tgFindBodies(maker, hinge, &limb)) {
        return true;
    }
    tgSetLimbBones(maker->source->skeleton, maker->source->diagonal, &limb.bones);
    if (!tgMeasureLimb(maker, &limb)) {
        return true;
    }
    bool isGiven = wrinkle != NULL;
    float unit = limb.bones.boneLength;
    float length = isGiven && wrinkle->length > 0.0f ? wrinkle->length * unit : 2.0f * limb.radius;
    float wave = fmaxf(tg_waveRadii * limb.radius, tg_waveVertices * limb.spacing);
    int count = isGiven ? wrinkle->count : (int)fminf(length / wave, (float)tg_mostWaves);
    if (count < (isGiven ? 1 : tg_leastWaves)) {
        return true; // the mesh is too coarse
    }
    float waveLength = length / (float)count;
    tgWrinkleJoint joint = {
        .info = {.joint = hinge,
                 .isAutomatic = !isGiven,
                 .count = count,
                 .verticesPerWave = waveLength / limb.spacing},
        .joint = limb.joint,
        .carrier = limb.carrier,
        .side = isGiven ? wrinkle->side : tg_wrinkleAll,
        .axis = limb.axis,
        .bone = limb.bones.boneOut,
        .waveLength = waveLength / 6.283185307f,
    };
    bool isShallow = isGiven && wrinkle->depth > 0.0f;
    joint.depth = isShallow ? wrinkle->depth * unit / joint.waveLength : INFINITY;
    if (!tgListVertices(maker, &limb, length, &joint)) {
        return false;
    }
    joint.info.vertexCount = joint.count;
    bool isWanted =
        isGiven || tgTryBends(wrinkles, &joint, limb.bones.origin) > tg_leastCompression;
    if (joint.count > 0 && isWanted) {
        wrinkles->joints[wrinkles->count++] = joint;
    } else {
        wrinkles->vertexCount = joint.first;
    }
    return true;
}

static bool tgTakeMaker(tgWrinkleMaker* maker)
{
    const tgMesh* mesh = maker->source->mesh;
    size_t all = (size_t)(mesh->vertexCount + mesh->loopCount);
    tgScratch *scratch = maker->scratch, *step = &maker->step;
    maker->normals = tgScratch_Take(step, 4 * all, sizeof(float));
    maker->weights = tgScratch_Take(step, all, sizeof(float));
    maker->slopes = tgScratch_Take(step, all, sizeof(tgVec3));
    maker->areas = tgScratch_Take(step, all, sizeof(float));
    maker->spacings = tgScratch_Take(step, all, sizeof(float));
    float* slots = tgScratch_Take(step, 4 * (size_t)tgMesh_SlotCount(mesh), sizeof(float));
    size_t joints = (size_t)maker->source->skeleton->jointCount;
    maker->wrinkles->joints = tgScratch_Take(scratch, joints, sizeof(tgWrinkleJoint));
    if (scratch->failed || step->failed) {
        return false;
    }
    const tgParallel here = {NULL, NULL};
    tgFillGradient(&here, tgSelectKernels(tg_simdScalar), mesh, maker->source->rest, slots,
                   maker->normals);
    tgVisitTriangles(maker, tgAddArea, tgMakeVec3(0.0f, 0.0f, 0.0f));
    return true;
}

bool tgBuildWrinkles(const tgWrinklesDef* def, const tgWrinkleSource* source, tgScratch* scratch,
                     tgWrinkles* wrinkles)
{
    *wrinkles = (tgWrinkles){0};
    if (def->wrinkleCount == 0 && !def->automatic) {
        return true;
    }
    tgWrinkleMaker maker = {.source = source,
                            .wrinkles = wrinkles,
                            .scratch = scratch,
                            .step = tgScratch_BeginStep(scratch)};
    bool done = tgTakeMaker(&maker);
    for (int j = 0; done && j < source->skeleton->jointCount; ++j) {
        const tgWrinkle* given = NULL;
        for (int i = 0; i < def->wrinkleCount; ++i) {
            given = def->wrinkles[i].joint == j ? &def->wrinkles[i] : given;
        }
        if (given != NULL || def->automatic) {
            done = tgAddWrinkles(&maker, j, given);
        }
    }
    return tgScratch_EndStep(&maker.step, scratch) && done;
}

void tgWrinkles_Place(const tgWrinkles* built, tgLayout* layout, tgWrinkles* placed)
{
    *placed = *built;
    placed->joints =
        tgPlaceArray(layout, built->joints, (size_t)built->count, sizeof(tgWrinkleJoint));
    placed->vertices =
        tgPlaceArray(layout, built->vertices, (size_t)built->vertexCount, sizeof(tgWrinkleVertex));
}
