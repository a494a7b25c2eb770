// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The joints that skin bends with. Runs once, at creation.
//
// The loss in closed form: with o the joint's origin a vertex stands at p = A + R B, where A = (1 -
// W)(x - o), B = W (x - o) and R is the turn of the joint against its parent. The determinant of a
// face's corners is trilinear in them. Its terms with one B are (A x A') . R B'', those with two
// A . (R B' x R B'') = A . R (B' x B''), and those with none or three do not change. So the volume
// is linear in R,
//
//   V(R) = c + <C, R>,   C = 1/6 sum over faces and their rotations of
//                            (A_j x A_k) B_i^T + A_i (B_j x B_k)^T
//
// exactly, for any mesh and weights, and only faces that bend count.

#include "core/limb.h"

#include "core/elementary.h"
#include "core/profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Sums of weights closer than this to 0 or 1 are 0 or 1.
static const float tg_weightSlop = 1e-5f;
/// A bone shorter than this fraction of the bounding diagonal has no direction.
static const float tg_shortBone = 1e-5f;
/// What counts as its length then, in bounding diagonals.
static const float tg_boneWithout = 0.1f;

// ---- checks -------------------------------------------------------------------------------------

static tgResult tgCheckTargetKeys(const tgVolumeDef* volume, tgError* error)
{
    for (int i = 0; i < volume->targetKeyCount; ++i) {
        tgVolumeKey key = volume->targetKeys[i];
        bool rising = i == 0 || key.time > volume->targetKeys[i - 1].time;
        if (!isfinite(key.time) || !(key.scale > 0.0f) || !isfinite(key.scale) || !rising) {
            return tgFail(error, tg_invalidArgument, i,
                          "target key %d is (%g, %g), wanted rising times and scales above 0", i,
                          (double)key.time, (double)key.scale);
        }
    }
    return tg_success;
}

tgResult tgCheckVolumeDef(const tgRigDef* def, tgError* error)
{
    const tgVolumeDef* volume = &def->volume;
    if (volume->method < tg_volumeNone || volume->method > tg_volumeLocal ||
        volume->mode < tg_modeExact || volume->mode > tg_modePaper) {
        return tgFail(error, tg_invalidArgument, -1, "volume method %d, mode %d: not there",
                      (int)volume->method, (int)volume->mode);
    }
    if (volume->profileCount < 0 || volume->jointCount < 0 || volume->targetKeyCount < 0) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the volume has %d profiles, %d joints and %d target keys, wanted 0 or more",
                      volume->profileCount, volume->jointCount, volume->targetKeyCount);
    }
    tgResult result = tgCheckTargetKeys(volume, error);
    for (int i = 0; result == tg_success && i < volume->profileCount; ++i) {
        result = tgCheckProfile(&volume->profiles[i], "default", -1, error);
    }
    for (int i = 0; result == tg_success && i < volume->jointCount; ++i) {
        const tgJointProfiles* entry = &volume->joints[i];
        if (entry->joint < 0 || entry->joint >= def->jointCount) {
            return tgFail(error, tg_invalidArgument, entry->joint,
                          "there are profiles for joint %d, the skeleton has %d joints",
                          entry->joint, def->jointCount);
        }
        char where[32];
        snprintf(where, sizeof(where), "joint %d", entry->joint);
        if (entry->profileCount < 0) {
            return tgFail(error, tg_invalidArgument, entry->joint,
                          "%s has %d profiles, wanted 0 or more", where, entry->profileCount);
        }
        for (int k = 0; result == tg_success && k < entry->profileCount; ++k) {
            result = tgCheckProfile(&entry->profiles[k], where, entry->joint, error);
        }
    }
    return result;
}

// ---- bones --------------------------------------------------------------------------------------

static tgVec3 tgGetRestOrigin(const tgSkeleton* skeleton, int j)
{
    const double* o = skeleton->rest[j].c[3];
    return tgMakeVec3((float)o[0], (float)o[1], (float)o[2]);
}

/// The mean of a joint's children; false when there is none away from the joint itself.
static bool tgGetTail(const tgSkeleton* skeleton, int j, float shortest, tgVec3* tail)
{
    const tgTree* tree = &skeleton->tree;
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    int count = 0;
    for (int c = tree->firstChild[j]; c >= 0; c = tree->nextSibling[c]) {
        sum = tgAdd(sum, tgGetRestOrigin(skeleton, c));
        count += 1;
    }
    *tail = count > 0 ? tgMulSV(1.0f / (float)count, sum) : sum;
    return count > 0 && tgDistance(*tail, tgGetRestOrigin(skeleton, j)) > shortest;
}

void tgSetLimbBones(const tgSkeleton* skeleton, float diagonal, tgLimb* limb)
{
    const tgTree* tree = &skeleton->tree;
    float shortest = tg_shortBone * diagonal;
    tgVec3 tail, in = {0.0f, 0.0f, 0.0f};
    limb->origin = tgGetRestOrigin(skeleton, limb->hinge);
    for (int up = tree->carriers[limb->hinge]; up >= 0; up = tree->carriers[up]) {
        in = tgSub(limb->origin, tgGetRestOrigin(skeleton, up));
        if (tgLength(in) > shortest) {
            break;
        }
    }
    bool hasTail = tgGetTail(skeleton, limb->hinge, shortest, &tail);
    tgVec3 out = hasTail ? tgSub(tail, limb->origin) : in;
    if (!(tgLength(in) > shortest)) {
        in = out;
    }
    limb->boneLength = tgLength(in) > shortest ? tgLength(in) : tg_boneWithout * diagonal;
    limb->boneIn = tgNormalize(in, tgMakeVec3(0.0f, 1.0f, 0.0f));
    limb->boneOut = tgNormalize(out, limb->boneIn);
    // Across the bone: away from the axis it follows least.
    tgVec3 a = limb->boneIn;
    tgVec3 axis = fabsf(a.z) <= fabsf(a.x) && fabsf(a.z) <= fabsf(a.y) ? tgMakeVec3(0, 0, 1)
                  : fabsf(a.x) <= fabsf(a.y)                           ? tgMakeVec3(1, 0, 0)
                                                                       : tgMakeVec3(0, 1, 0);
    limb->reference = tgNormalize(tgMulAdd(axis, -tgDot(axis, a), a), axis);
}

void tgLimb_SetProfiles(const tgProfile* profiles, int count, bool isNamed, tgLimb* limb)
{
    limb->gain = count > 0 ? profiles[0].gain : 1.0f;
    limb->drift = count > 0 ? profiles[0].drift : 0.0f;
    limb->profiles = (tgProfile*)profiles; // copied when the limb is placed
    limb->profileCount = count;
    limb->isSilent = isNamed && count == 0;
    limb->isChosen = false;
    limb->foldSwingSquared = 2.0f;
    for (int i = count - 1; i >= 0; --i) {
        limb->isChosen |= profiles[i].kind != tg_profileOrganic;
        if (profiles[i].kind == tg_profileBelly) {
            limb->foldSwingSquared = tgGetSwingSquared(profiles[i].foldAngle);
        }
    }
}

void tgLimb_FindProfiles(const tgVolumeDef* volume, tgLimb* limb)
{
    const tgProfile* profiles = volume->profiles;
    int count = volume->profileCount;
    bool isNamed = count > 0;
    for (int i = 0; i < volume->jointCount; ++i) {
        if (volume->joints[i].joint == limb->hinge) {
            profiles = volume->joints[i].profiles;
            count = volume->joints[i].profileCount;
            isNamed = true;
        }
    }
    tgLimb_SetProfiles(profiles, count, isNamed, limb);
}

// ---- the weights W ------------------------------------------------------------------------------

/// W of every vertex at every joint, as far as it is neither 0 nor 1.
typedef struct tgBands {
    const tgTree* tree;
    int* start; ///< of each vertex, into joints and weights; and the end
    int* joints;
    float* weights;
    int* whole; ///< of each vertex the lowest joint with W = 1; so have those above it
} tgBands;

/// What a vertex follows, while it is gathered towards the root.
typedef struct tgPart {
    int joint;
    float weight;
} tgPart;

/// Goes up the tree from a vertex's joints, the farthest first, until one carries all of it.
/// @param parts room for its influences
/// @return how many joints carry only a part
static int tgClimb(const tgTree* tree, const tgInfluences* influences, int render, tgPart* parts,
                   int* joints, float* weights, int* whole)
{
    int count = 0, found = 0;
    for (int k = influences->start[render]; k < influences->start[render + 1]; ++k) {
        parts[count++] = (tgPart){influences->joints[k], influences->weights[k]};
    }
    for (;;) {
        int far = 0;
        for (int i = 1; i < count; ++i) {
            far = tree->place[parts[i].joint] > tree->place[parts[far].joint] ? i : far;
        }
        tgPart part = parts[far];
        int carrier = tree->carriers[part.joint];
        if (part.weight > 1.0f - tg_weightSlop || carrier < 0) {
            *whole = part.joint;
            return found;
        }
        if (part.weight >= tg_weightSlop) {
            if (joints != NULL) {
                joints[found] = part.joint;
                weights[found] = part.weight;
            }
            found += 1;
        }
        int same = 0;
        while (same < count && parts[same].joint != carrier) {
            same += 1;
        }
        if (same < count) {
            parts[same].weight += part.weight;
            parts[far] = parts[--count];
        } else {
            parts[far].joint = carrier;
        }
    }
}

static bool tgBuildBands(const tgMesh* mesh, const tgTree* tree, const tgInfluences* influences,
                         tgScratch* scratch, tgBands* bands)
{
    size_t count = (size_t)mesh->vertexCount;
    tgPart* parts = tgScratch_Take(scratch, (size_t)influences->most + 1, sizeof(tgPart));
    bands->tree = tree;
    bands->start = tgScratch_Take(scratch, count + 1, sizeof(int));
    bands->whole = tgScratch_Take(scratch, count, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        bands->start[v + 1] = bands->start[v] + tgClimb(tree, influences, mesh->vertexToRender[v],
                                                        parts, NULL, NULL, &bands->whole[v]);
    }
    size_t total = (size_t)bands->start[mesh->vertexCount];
    bands->joints = tgScratch_Take(scratch, total, sizeof(int));
    bands->weights = tgScratch_Take(scratch, total, sizeof(float));
    for (int v = 0; !scratch->failed && v < mesh->vertexCount; ++v) {
        int at = bands->start[v];
        tgClimb(tree, influences, mesh->vertexToRender[v], parts, bands->joints + at,
                bands->weights + at, &bands->whole[v]);
    }
    return !scratch->failed;
}

static float tgGetW(const tgBands* bands, int v, int joint)
{
    for (int i = bands->start[v]; i < bands->start[v + 1]; ++i) {
        if (bands->joints[i] == joint) {
            return bands->weights[i];
        }
    }
    return tgTree_Carries(bands->tree, joint, bands->whole[v]) ? 1.0f : 0.0f;
}

// ---- faces --------------------------------------------------------------------------------------

/// What making the limbs goes by.
typedef struct tgLimbMaker {
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const float* rest;
    tgBands bands;
    tgLimbs* limbs;
    int* limbOf;    ///< of each joint: its limb; -1 for none
    tgLimb* joints; ///< what each joint would be as a limb: loss and sources so far
    int* touched;   ///< joints of the face at hand
    int* mark;      ///< of each joint: the last face it was touched by
    float* amounts; ///< of each vertex, for the joint at hand
    int* listed;    ///< of each vertex: the last joint that listed it, + 1
} tgLimbMaker;

/// Joints that bend any of the vertices.
static int tgFindJoints(tgLimbMaker* maker, const int* vertices, int count, int stamp)
{
    int found = 0;
    for (int k = 0; k < count; ++k) {
        int v = vertices[k];
        for (int i = maker->bands.start[v]; i < maker->bands.start[v + 1]; ++i) {
            int j = maker->bands.joints[i];
            if (maker->mark[j] != stamp) {
                maker->mark[j] = stamp;
                maker->touched[found++] = j;
            }
        }
    }
    // A corner that stands still beside one that turns rigidly bends the face as well.
    for (int k = 0; k < count; ++k) {
        int other = maker->bands.whole[vertices[k]];
        for (int l = 0; l < count; ++l) {
            int j = maker->bands.whole[vertices[l]];
            for (;
                 j >= 0 && !tgTree_Carries(maker->bands.tree, j, other) && maker->mark[j] != stamp;
                 j = maker->bands.tree->carriers[j]) {
                maker->mark[j] = stamp;
                maker->touched[found++] = j;
            }
        }
    }
    return found;
}

/// A corner: A and B of above, and W.
typedef struct tgCorner {
    double a[3], b[3], w;
} tgCorner;

static tgCorner tgGetCorner(const tgLimbMaker* maker, int v, int joint, float w)
{
    tgCorner corner;
    const float* p = maker->rest + 4 * (size_t)v;
    const double* o = maker->skeleton->rest[maker->skeleton->pivots[joint]].c[3];
    for (int i = 0; i < 3; ++i) {
        double x = (double)p[i] - o[i];
        corner.a[i] = (1.0 - (double)w) * x;
        corner.b[i] = (double)w * x;
    }
    corner.w = (double)w;
    return corner;
}

/// Adds a triangle's part of the integrals of f(W) x x n, f = W and W (1 - W) (1 - 2 W). By parts
/// they are those of |x|^2 / 2 n x grad f, and there is nothing to add where W is level.
static void tgAddTriangleMoments(const tgCorner* corners[3], double part, double moments[2][3])
{
    double x[3][3], sum[3], squares = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            x[k][i] = corners[k]->a[i] + corners[k]->b[i];
            squares += x[k][i] * x[k][i];
        }
        sum[i] = x[0][i] + x[1][i] + x[2][i];
    }
    double mean = (squares + tgDot3(sum, sum)) / 24.0; // of |x|^2 / 2
    for (int k = 0; k < 3; ++k) {
        double w = corners[k]->w, f[2] = {w, w * (1.0 - w) * (1.0 - 2.0 * w)};
        for (int i = 0; i < 3; ++i) { // along the side across from the corner
            double side = x[(k + 1) % 3][i] - x[(k + 2) % 3][i];
            moments[0][i] += part * 0.5 * mean * f[0] * side;
            moments[1][i] += part * 0.5 * mean * f[1] * side;
        }
    }
}

/// Adds a triangle's part of C and of the moments.
static void tgAddTriangleLoss(const tgCorner* corners[3], double part, tgLimb* limb)
{
    tgAddTriangleMoments(corners, part, limb->moments);
    for (int i = 0; i < 3; ++i) {
        const tgCorner *own = corners[i], *next = corners[(i + 1) % 3],
                       *last = corners[(i + 2) % 3];
        double aa[3], bb[3];
        tgCross3(next->a, last->a, aa);
        tgCross3(next->b, last->b, bb);
        for (int k = 0; k < 3; ++k) {
            for (int l = 0; l < 3; ++l) {
                limb->loss[k][l] += part / 6.0 * (aa[l] * own->b[k] + own->a[l] * bb[k]);
            }
        }
    }
}

/// Twice the area of a triangle at rest.
static double tgGetDoubleArea(const float* rest, int a, int b, int c)
{
    const float *p = rest + 4 * (size_t)a, *q = rest + 4 * (size_t)b, *r = rest + 4 * (size_t)c;
    double u[3], v[3], n[3];
    for (int i = 0; i < 3; ++i) {
        u[i] = (double)q[i] - (double)p[i];
        v[i] = (double)r[i] - (double)p[i];
    }
    tgCross3(u, v, n);
    return sqrt(tgDot3(n, n));
}

/// The triangles of a face, by its corners. A quad is the mean of its two triangulations.
static const int tg_splits[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}};

static void tgAddFace(tgLimbMaker* maker, const int* corners, int size, int stamp)
{
    int found = tgFindJoints(maker, corners, size, stamp);
    for (int m = 0; m < found; ++m) {
        int j = maker->touched[m];
        tgCorner at[4];
        for (int k = 0; k < size; ++k) {
            at[k] = tgGetCorner(maker, corners[k], j, tgGetW(&maker->bands, corners[k], j));
        }
        for (int t = 0; t < (size == 3 ? 1 : 4); ++t) {
            const tgCorner* triangle[3] = {&at[tg_splits[t][0]], &at[tg_splits[t][1]],
                                           &at[tg_splits[t][2]]};
            tgAddTriangleLoss(triangle, size == 3 ? 1.0 : 0.5, &maker->joints[j]);
        }
        maker->joints[j].sourceCount += size;
    }
}

/// The fan over a hole; its middle is the mean of the loop.
static void tgAddCap(tgLimbMaker* maker, int loop, int stamp)
{
    const tgMesh* mesh = maker->mesh;
    int begin = mesh->loopStart[loop], count = mesh->loopStart[loop + 1] - begin;
    const int* vertices = mesh->loopVertices + begin;
    int found = tgFindJoints(maker, vertices, count, stamp);
    for (int m = 0; m < found; ++m) {
        int j = maker->touched[m];
        tgCorner middle = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.0};
        for (int i = 0; i < count; ++i) {
            tgCorner at = tgGetCorner(maker, vertices[i], j, tgGetW(&maker->bands, vertices[i], j));
            for (int axis = 0; axis < 3; ++axis) {
                middle.a[axis] += at.a[axis] / count;
                middle.b[axis] += at.b[axis] / count;
            }
            middle.w += at.w / count;
        }
        for (int i = 0; i < count; ++i) {
            int a = vertices[i], b = vertices[(i + 1) % count];
            tgCorner from = tgGetCorner(maker, a, j, tgGetW(&maker->bands, a, j));
            tgCorner to = tgGetCorner(maker, b, j, tgGetW(&maker->bands, b, j));
            const tgCorner* triangle[3] = {&from, &to, &middle};
            tgAddTriangleLoss(triangle, 1.0, &maker->joints[j]);
        }
    }
}

/// 4 F (1 - F) of a triangle, F its mean W, times its area: a third to each corner.
static void tgAddSources(tgLimbMaker* maker, const int* corners, int size, int stamp)
{
    int found = tgFindJoints(maker, corners, size, stamp);
    for (int m = 0; m < found; ++m) {
        int j = maker->touched[m];
        tgBendSource* sources = maker->limbs->sources + maker->joints[j].firstSource;
        float w[4], amounts[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int k = 0; k < size; ++k) {
            w[k] = tgGetW(&maker->bands, corners[k], j);
        }
        for (int t = 0; t < size - 2; ++t) {
            const int* c = tg_splits[t];
            float mean = (w[c[0]] + w[c[1]] + w[c[2]]) / 3.0f;
            double area =
                0.5 * tgGetDoubleArea(maker->rest, corners[c[0]], corners[c[1]], corners[c[2]]);
            for (int k = 0; k < 3; ++k) {
                amounts[c[k]] += 4.0f * mean * (1.0f - mean) * (float)(area / 3.0);
            }
        }
        for (int k = 0; k < size; ++k) {
            sources[maker->joints[j].sourceCount++] = (tgBendSource){corners[k], amounts[k]};
        }
    }
}

static void tgForEachFace(tgLimbMaker* maker, int* stamp,
                          void (*add)(tgLimbMaker*, const int*, int, int))
{
    const tgMesh* mesh = maker->mesh;
    for (int f = mesh->looseTriangleCount; f < mesh->triangleCount; ++f) {
        add(maker, mesh->triangles + 3 * (size_t)f, 3, ++*stamp);
    }
    for (int f = mesh->looseQuadCount; f < mesh->quadCount; ++f) {
        add(maker, mesh->quads + 4 * (size_t)f, 4, ++*stamp);
    }
}

/// Entries of one vertex become one.
static int tgMergeSources(tgLimbMaker* maker, int joint, tgBendSource* sources, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        int v = sources[i].vertex;
        if (maker->listed[v] != joint + 1) {
            maker->listed[v] = joint + 1;
            maker->amounts[v] = 0.0f;
            sources[kept++].vertex = v;
        }
        maker->amounts[v] += sources[i].amount;
    }
    for (int i = 0; i < kept; ++i) {
        sources[i].amount = maker->amounts[sources[i].vertex];
    }
    return kept;
}

/// A joint that skin bends with becomes a limb.
static void tgAddLimb(tgLimbMaker* maker, float diagonal, int joint)
{
    tgLimbs* limbs = maker->limbs;
    tgLimb limb = maker->joints[joint];
    tgBendSource* sources = limbs->sources + limb.firstSource;
    limb.joint = joint;
    int carrier = maker->skeleton->bodies.carriers[joint];
    bool isAbove = carrier >= 0 && tgTree_Carries(&maker->skeleton->tree, joint, carrier);
    limb.hinge = isAbove ? carrier : joint;
    limb.sourceCount = tgMergeSources(maker, joint, sources, limb.sourceCount);
    double sum = 0.0;
    for (int k = 0; k < limb.sourceCount; ++k) {
        sum += (double)sources[k].amount;
    }
    maker->limbOf[joint] = -1;
    if (sum > 0.0) {
        tgSetLimbBones(maker->skeleton, diagonal, &limb);
        maker->limbOf[joint] = limbs->count;
        bool isFirst = limb.hinge == joint || limbs->byJoint[limb.hinge] < 0;
        limbs->byJoint[limb.hinge] = isFirst ? limbs->count : limbs->byJoint[limb.hinge];
        limbs->limbs[limbs->count++] = limb;
    }
}

/// Adds to a pair in a hash table with open addressing; amount 0 is free.
static void tgAddOverlap(tgOverlap* table, size_t room, int a, int b, float amount)
{
    int first = a < b ? a : b, second = a < b ? b : a;
    uint32_t h = (uint32_t)first * 0x9e3779b1u ^ (uint32_t)second * 0x85ebca77u;
    size_t at = (h ^ h >> 15) & (room - 1);
    while (table[at].amount > 0.0f && (table[at].first != first || table[at].second != second)) {
        at = (at + 1) & (room - 1);
    }
    table[at] = (tgOverlap){first, second, table[at].amount + amount};
}

/// Limbs whose bends meet: 4 W (1 - W) of the one times that of the other, summed over vertices.
static bool tgFindOverlaps(tgLimbMaker* maker, tgScratch* scratch)
{
    const tgBands* bands = &maker->bands;
    tgLimbs* limbs = maker->limbs;
    size_t room = 16, pairs = 0;
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        size_t own = (size_t)(bands->start[v + 1] - bands->start[v]);
        pairs += own * (own - (own > 0)) / 2;
    }
    while (room < 2 * pairs) {
        room *= 2;
    }
    limbs->overlaps = tgScratch_Take(scratch, room, sizeof(tgOverlap));
    double* squares = tgScratch_Take(scratch, (size_t)limbs->count + 1, sizeof(double));
    for (int v = 0; !scratch->failed && v < maker->mesh->vertexCount; ++v) {
        for (int i = bands->start[v]; i < bands->start[v + 1]; ++i) {
            int own = maker->limbOf[bands->joints[i]];
            float bend = 4.0f * bands->weights[i] * (1.0f - bands->weights[i]);
            squares[own >= 0 ? own : limbs->count] += (double)(bend * bend);
            for (int k = bands->start[v]; own >= 0 && k < i; ++k) {
                int other = maker->limbOf[bands->joints[k]];
                float both = bend * 4.0f * bands->weights[k] * (1.0f - bands->weights[k]);
                if (other >= 0) {
                    tgAddOverlap(limbs->overlaps, room, own, other, both);
                }
            }
        }
    }
    for (size_t at = 0; !scratch->failed && at < room; ++at) {
        tgOverlap overlap = limbs->overlaps[at];
        if (overlap.amount > 0.0f) {
            double whole = sqrt(squares[overlap.first] * squares[overlap.second]);
            overlap.amount = (float)((double)overlap.amount / whole);
            limbs->overlaps[limbs->overlapCount++] = overlap;
        }
    }
    return !scratch->failed;
}

static bool tgTakeMaker(tgLimbMaker* maker, tgScratch* scratch)
{
    size_t joints = (size_t)maker->skeleton->jointCount;
    size_t vertices = (size_t)maker->mesh->vertexCount;
    maker->touched = tgScratch_Take(scratch, joints, sizeof(int));
    maker->mark = tgScratch_Take(scratch, joints, sizeof(int));
    maker->joints = tgScratch_Take(scratch, joints, sizeof(tgLimb));
    maker->limbOf = tgScratch_Take(scratch, joints, sizeof(int));
    maker->amounts = tgScratch_Take(scratch, vertices, sizeof(float));
    maker->listed = tgScratch_Take(scratch, vertices, sizeof(int));
    maker->limbs->limbs = tgScratch_Take(scratch, joints, sizeof(tgLimb));
    maker->limbs->byJoint = tgScratch_Take(scratch, joints, sizeof(int));
    return !scratch->failed;
}

tgResult tgBuildLimbs(const tgMesh* mesh, const tgSkeleton* skeleton,
                      const tgInfluences* influences, const float* rest, float diagonal,
                      tgScratch* scratch, tgLimbs* limbs, tgError* error)
{
    *limbs = (tgLimbs){0};
    tgLimbMaker maker = {.mesh = mesh, .skeleton = skeleton, .rest = rest, .limbs = limbs};
    if (!tgTakeMaker(&maker, scratch) ||
        !tgBuildBands(mesh, &skeleton->bodies, influences, scratch, &maker.bands)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the joints' skin");
    }
    int stamp = 0, total = 0;
    tgForEachFace(&maker, &stamp, tgAddFace);
    for (int l = 0; l < mesh->loopCount; ++l) {
        tgAddCap(&maker, l, ++stamp);
    }
    for (int j = 0; j < skeleton->jointCount; ++j) {
        maker.joints[j].firstSource = total;
        total += maker.joints[j].sourceCount;
        maker.joints[j].sourceCount = 0;
    }
    limbs->sources = tgScratch_Take(scratch, (size_t)total, sizeof(tgBendSource));
    if (scratch->failed) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the joints' skin");
    }
    tgForEachFace(&maker, &stamp, tgAddSources);
    for (int j = 0; j < skeleton->jointCount; ++j) {
        limbs->byJoint[j] = -1;
    }
    for (int i = 0; i < skeleton->jointCount; ++i) {
        tgAddLimb(&maker, diagonal, skeleton->bodies.order[i]);
    }
    if (!tgFindOverlaps(&maker, scratch)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the joints' skin");
    }
    return tg_success;
}

/// By the matrix as above. Dual quaternions turn x by an angle phi(W) about the same axis u through
/// the joint, with tan(phi / 2) = W sin(t / 2) / (1 - W + W cos(t / 2)). The Jacobian determinant
/// of that is 1 + grad phi . (u x x), so the volume changes by the integral of phi u . (x x n) over
/// the skin. phi is t W + (2 sin(t / 2) - t) W (1 - W) (1 - 2 W), to a hundredth up to 120 degrees.
double tgLimb_GetLoss(const tgLimb* limb, const double turn[3][3], double dual)
{
    double linear = 0.0;
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) {
            linear += limb->loss[k][i] * (turn[k][i] - (i == k ? 1.0 : 0.0));
        }
    }
    const double axis[3] = {0.5 * (turn[1][2] - turn[2][1]), 0.5 * (turn[2][0] - turn[0][2]),
                            0.5 * (turn[0][1] - turn[1][0])}; // times sin t
    double sine = sqrt(tgDot3(axis, axis)), half, cosine;
    if (!(dual > 0.0) || !(sine > 0.0)) {
        return linear;
    }
    double angle = tgArcTangent(sine, 0.5 * (turn[0][0] + turn[1][1] + turn[2][2] - 1.0));
    tgSineCosine(0.5 * angle, &half, &cosine);
    double turned = angle * tgDot3(axis, limb->moments[0]) +
                    (2.0 * half - angle) * tgDot3(axis, limb->moments[1]);
    return linear + dual * (turned / sine - linear);
}

void tgLimbs_Place(const tgLimbs* built, int jointCount, tgLayout* layout, tgLimbs* placed)
{
    *placed = *built;
    placed->sources = NULL;
    placed->limbs = tgPlaceArray(layout, built->limbs, (size_t)built->count, sizeof(tgLimb));
    placed->byJoint = tgPlaceArray(layout, built->byJoint,
                                   built->byJoint != NULL ? (size_t)jointCount : 0, sizeof(int));
    placed->overlaps =
        tgPlaceArray(layout, built->overlaps, (size_t)built->overlapCount, sizeof(tgOverlap));
    for (int i = 0; i < built->count; ++i) {
        size_t profileCount = (size_t)built->limbs[i].profileCount;
        tgProfile* profiles =
            tgPlaceArray(layout, built->limbs[i].profiles, profileCount, sizeof(tgProfile));
        if (placed->limbs != NULL) {
            placed->limbs[i].profiles = profiles;
        }
    }
}
