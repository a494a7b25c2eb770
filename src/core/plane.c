// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Planes between neighbouring bodies, from the weights alone: no hinges, leaves or twist bones need
// to be known, and flat skeletons do as well. With wa, wb the weights of two bodies and s = 4 wa wb
// the skin that both share,
//
//   normal  m = sum over faces of area s grad(wa - wb), at length 1
//   place   J = the joint of the two nearest to the centroid of s
//
// Runs once, at creation. Sums are double, in the order of the mesh.

#include "core/plane.h"

#include "core/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Joints that fewer vertices follow most have no body: fewer do not tell which way a limb goes.
static const int tg_leastBody = 20;
/// Bodies turn against each other about a joint of theirs. Where none is so near to the skin that
/// they share, in limb radii, as in hard shells and between fingers, they have no plane.
static const float tg_farthestJoint = 1.5f;
/// Where the skin between two bodies does not go round a limb, as at a shoulder blade or between
/// two bones of a palm, skin may pass the plane and meet nothing. 1 on a tube, 0.2 on half a tube,
/// 0 on a sheet.
static const double tg_leastRound = 0.3;
/// And where the weights do not pass from one to the other: 4 wa wb of the skin that shares most.
static const double tg_leastPassage = 0.35;
/// The part of its height that a vertex keeps, so that layers of skin keep their order.
static const float tg_keptHeight = 0.1f;
/// Skin gives way softly from so far before, as a part of the limb's radius and its own height at
/// rest, which the plane comes to the faster; and no farther than half that height.
static const float tg_softness = 0.07f;
/// The plane comes the faster to skin the farther out on the limb it is: that is less free from so
/// much higher on, as a part of its height at rest, than what is near (TG_PLANE_NEAR).
static const float tg_farNear = 0.2f;
/// A plane concerns vertices by the weight that they have on its two bodies, from the first on, and
/// wholly from the second.
static const float tg_leastShare = 0.2f, tg_wholeShare = 0.7f;
/// And no farther than this from the middle of the limb, in limb radii, fading from 3/4 of it.
static const float tg_widest = 2.0f;

/// A vertex at a plane; see tgPlaneVertices.
typedef struct tgFoundVertex {
    int vertex;
    float side, mix, least, soft, near, share, own, onset;
    tgVec3 area;
} tgFoundVertex;

/// A plane and its vertices.
typedef struct tgFoundPlane {
    tgPlane plane;
    tgFoundVertex* vertices;
} tgFoundPlane;

/// What making planes needs. Pairs of bodies are taken one after the other.
typedef struct tgPlaneMaker {
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgInfluences* influences;
    const float* rest;
    float gap;
    bool* isBody;         ///< of each joint
    int* memberStart;     ///< of each joint, into `members`, and the end
    int* members;         ///< vertices with weight on it
    float* memberWeights; ///< what they have
    float* weights[2];    ///< of each vertex on the two bodies at hand; 0 in between
    float* hanging;       ///< of each vertex on what hangs on the joint that bends; so, too
    int* seen;            ///< of each vertex: the last pair that listed it
    int* partners;        ///< bodies that share weights with the one at hand
    int* met;             ///< of each joint: the last body that met it
    int* faces;           ///< that the two bodies share; triangles, then quads
    int faceCount;
    int pair;             ///< number of the pair at hand
    tgFoundVertex* found; ///< its vertices
    tgFoundPlane* planes; ///< found so far
    int planeCount, planeRoom;
    tgVec3* areas; ///< dV/dp of each vertex
} tgPlaneMaker;

static void tgGetPoint(const tgPlaneMaker* maker, int v, double p[3])
{
    for (int i = 0; i < 3; ++i) {
        p[i] = (double)maker->rest[4 * (size_t)v + (size_t)i];
    }
}

static float tgSmoothstepFrom(float low, float high, float x)
{
    float t = fminf(fmaxf((x - low) / (high - low), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/// Corners of a face that a slot belongs to; NULL for caps.
static const int* tgGetFace(const tgMesh* mesh, int face, int* size)
{
    int triangles = mesh->triangleCount + mesh->capTriangleCount;
    *size = face < triangles ? 3 : 4;
    if (face >= mesh->triangleCount && face < triangles) {
        return NULL;
    }
    return face < triangles ? mesh->triangles + 3 * (size_t)face
                            : mesh->quads + 4 * (size_t)(face - triangles);
}

static int tgGetSlotFace(const tgMesh* mesh, int slot)
{
    int triangles = mesh->triangleCount + mesh->capTriangleCount;
    return slot < triangles ? slot : triangles + (slot - triangles) / 4;
}

// ---- bodies -------------------------------------------------------------------------------------

/// The vertices that follow each joint.
static bool tgListMembers(tgPlaneMaker* maker, tgScratch* scratch)
{
    const tgInfluences* influences = maker->influences;
    const tgMesh* mesh = maker->mesh;
    size_t joints = (size_t)maker->skeleton->jointCount;
    maker->memberStart = tgScratch_Take(scratch, joints + 2, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    int* next = maker->memberStart + 1; // becomes the start of each body while they are filled
    for (int pass = 0; pass < 2; ++pass) {
        for (int v = 0; v < mesh->vertexCount; ++v) {
            int render = mesh->vertexToRender[v];
            for (int k = influences->start[render]; k < influences->start[render + 1]; ++k) {
                int j = influences->joints[k];
                if (pass == 0) {
                    next[j + 1] += 1;
                } else {
                    int at = next[j]++;
                    maker->members[at] = v;
                    maker->memberWeights[at] = influences->weights[k];
                }
            }
        }
        for (size_t j = 0; pass == 0 && j < joints; ++j) {
            next[j + 1] += next[j];
        }
        if (pass == 0) {
            size_t all = (size_t)next[joints];
            maker->members = tgScratch_Take(scratch, all, sizeof(int));
            maker->memberWeights = tgScratch_Take(scratch, all, sizeof(float));
            if (scratch->failed) {
                return false;
            }
        }
    }
    return true;
}

/// Which joints have a body.
static bool tgFindBodies(tgPlaneMaker* maker, tgScratch* scratch)
{
    const tgInfluences* influences = maker->influences;
    int count = maker->skeleton->jointCount;
    int* sizes = tgScratch_Take(scratch, (size_t)count, sizeof(int));
    maker->isBody = tgScratch_Take(scratch, (size_t)count, sizeof(bool));
    if (scratch->failed) {
        return false;
    }
    for (int v = 0; v < maker->mesh->vertexCount; ++v) {
        sizes[influences->joints[influences->start[maker->mesh->vertexToRender[v]]]] += 1;
    }
    for (int j = 0; j < count; ++j) {
        maker->isBody[j] = sizes[j] >= tg_leastBody;
    }
    return true;
}

/// Bodies after `body` that skin passes to from it: some vertex shares enough with both.
static int tgFindPartners(tgPlaneMaker* maker, int body)
{
    const tgInfluences* influences = maker->influences;
    int count = 0;
    for (int i = maker->memberStart[body]; i < maker->memberStart[body + 1]; ++i) {
        int render = maker->mesh->vertexToRender[maker->members[i]];
        double weight = 4.0 * (double)maker->memberWeights[i];
        for (int k = influences->start[render]; k < influences->start[render + 1]; ++k) {
            int other = influences->joints[k];
            bool passes = weight * (double)influences->weights[k] >= tg_leastPassage;
            if (other > body && passes && maker->isBody[other] && maker->met[other] != body + 1) {
                maker->met[other] = body + 1;
                maker->partners[count++] = other;
            }
        }
    }
    return count;
}

// ---- one plane ----------------------------------------------------------------------------------

static void tgLoadWeights(tgPlaneMaker* maker, const int bodies[2], bool load)
{
    for (int side = 0; side < 2; ++side) {
        int end = maker->memberStart[bodies[side] + 1];
        for (int i = maker->memberStart[bodies[side]]; i < end; ++i) {
            float* weight = &maker->weights[side][maker->members[i]];
            *weight = load ? *weight + maker->memberWeights[i] : 0.0f;
        }
    }
}

/// Whether a joint other than the one that bends hangs on it.
static bool tgHangs(const tgPlaneMaker* maker, const tgPlane* plane, int joint)
{
    return joint != plane->joint && tgTree_Carries(&maker->skeleton->tree, plane->joint, joint);
}

/// What hangs on the joint that bends goes with it: the tip of a finger that folds at its middle.
static void tgLoadHanging(tgPlaneMaker* maker, const tgPlane* plane, bool load)
{
    for (int j = 0; j < maker->skeleton->jointCount; ++j) {
        int end = tgHangs(maker, plane, j) ? maker->memberStart[j + 1] : 0;
        for (int i = maker->memberStart[j]; i < end; ++i) {
            float* weight = &maker->hanging[maker->members[i]];
            *weight = load ? *weight + maker->memberWeights[i] : 0.0f;
        }
    }
}

static double tgGetShared(const tgPlaneMaker* maker, int v)
{
    return 4.0 * (double)maker->weights[0][v] * (double)maker->weights[1][v];
}

/// Lists each face once: at the first of its corners that both bodies have.
static void tgListSharedFaces(tgPlaneMaker* maker, int body)
{
    const tgMesh* mesh = maker->mesh;
    maker->faceCount = 0;
    maker->pair += 1;
    for (int i = maker->memberStart[body]; i < maker->memberStart[body + 1]; ++i) {
        int v = maker->members[i];
        if (maker->seen[v] == maker->pair || !(tgGetShared(maker, v) > 0.0)) {
            continue;
        }
        maker->seen[v] = maker->pair;
        for (int k = mesh->cornerStart[v]; k < mesh->cornerStart[v + 1]; ++k) {
            int face = tgGetSlotFace(mesh, mesh->cornerSlots[k]), size, first = 0;
            const int* corners = tgGetFace(mesh, face, &size);
            while (corners != NULL && !(tgGetShared(maker, corners[first]) > 0.0)) {
                first += 1;
            }
            if (corners != NULL && corners[first] == v) {
                maker->faces[maker->faceCount++] = face;
            }
        }
    }
}

/// A triangle of a shared face: quads are two.
typedef struct tgSharedTriangle {
    double mean;   ///< of 4 wa wb
    double shared; ///< that times area
    double middle[3];
    double area[3];  ///< vector area times that mean
    double slope[3]; ///< grad(wa - wb) times area and that mean
} tgSharedTriangle;

static void tgMeasureTriangle(const tgPlaneMaker* maker, const int corners[3],
                              tgSharedTriangle* out)
{
    double p[3][3], sides[2][3], vector[3], turned[3] = {0.0, 0.0, 0.0};
    out->mean = 0.0;
    for (int k = 0; k < 3; ++k) {
        tgGetPoint(maker, corners[k], p[k]);
        out->mean += tgGetShared(maker, corners[k]) / 3.0;
    }
    for (int i = 0; i < 3; ++i) {
        sides[0][i] = p[1][i] - p[0][i];
        sides[1][i] = p[2][i] - p[0][i];
        out->middle[i] = (p[0][i] + p[1][i] + p[2][i]) / 3.0;
        for (int k = 0; k < 3; ++k) { // the side across from each corner, times its weight
            double w =
                (double)maker->weights[0][corners[k]] - (double)maker->weights[1][corners[k]];
            turned[i] += w * (p[(k + 2) % 3][i] - p[(k + 1) % 3][i]);
        }
    }
    tgCross3(sides[0], sides[1], vector);
    double twice = sqrt(tgDot3(vector, vector));
    double slope[3];
    tgCross3(vector, turned, slope);
    out->shared = 0.5 * twice * out->mean;
    for (int i = 0; i < 3; ++i) {
        out->area[i] = 0.5 * vector[i] * out->mean;
        out->slope[i] = twice > 0.0 ? 0.5 * slope[i] / twice * out->mean : 0.0;
    }
}

typedef void tgTriangleFcn(const tgSharedTriangle* triangle, void* context);

static void tgVisitShared(const tgPlaneMaker* maker, tgTriangleFcn* visit, void* context)
{
    for (int i = 0; i < maker->faceCount; ++i) {
        int size;
        const int* corners = tgGetFace(maker->mesh, maker->faces[i], &size);
        for (int k = 1; k + 1 < size; ++k) {
            int triangle[3] = {corners[0], corners[k], corners[k + 1]};
            tgSharedTriangle measured;
            tgMeasureTriangle(maker, triangle, &measured);
            visit(&measured, context);
        }
    }
}

/// Sums over the skin that two bodies share.
typedef struct tgSharedSums {
    double shared, most; ///< area; the largest mean of 4 wa wb
    double moment[3], net[3], slope[3];
    double spread[3][3]; ///< of the normals: area n n^T
    tgVec3 axis, middle; ///< unit vector; centroid
    double distance;     ///< from that axis through the centroid, times area
} tgSharedSums;

static void tgAddSums(const tgSharedTriangle* triangle, void* context)
{
    tgSharedSums* sums = context;
    sums->shared += triangle->shared;
    sums->most = fmax(sums->most, triangle->mean);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3 && triangle->shared > 0.0; ++k) {
            sums->spread[i][k] += triangle->area[i] * triangle->area[k] / triangle->shared;
        }
        sums->moment[i] += triangle->shared * triangle->middle[i];
        sums->net[i] += triangle->area[i];
        sums->slope[i] += triangle->slope[i];
    }
}

/// From a line.
static float tgGetAside(tgVec3 p, tgVec3 place, tgVec3 axis)
{
    tgVec3 way = tgSub(p, place);
    float along = tgDot(way, axis);
    return sqrtf(fmaxf(tgDot(way, way) - along * along, 0.0f));
}

static tgVec3 tgToVec3(const double p[3])
{
    return tgMakeVec3((float)p[0], (float)p[1], (float)p[2]);
}

static void tgAddDistance(const tgSharedTriangle* triangle, void* context)
{
    tgSharedSums* sums = context;
    float aside = tgGetAside(tgToVec3(triangle->middle), sums->middle, sums->axis);
    sums->distance += triangle->shared * (double)aside;
}

/// How far the skin goes round the axis: twice the smaller variance of its normals across it.
static double tgGetRoundness(const tgSharedSums* sums, const double axis[3])
{
    double across[2][3], c[3] = {0.0, 0.0, 0.0}, aside[3] = {0.0, 0.0, 0.0};
    aside[fabs(axis[0]) < 0.6 ? 0 : 1] = 1.0;
    tgCross3(axis, aside, across[0]);
    double length = sqrt(tgDot3(across[0], across[0]));
    for (int i = 0; i < 3; ++i) {
        across[0][i] /= length;
    }
    tgCross3(axis, across[0], across[1]);
    for (int i = 0; i < 3; ++i) { // variances along both, then their covariance
        const double *a = across[i & 1], *b = across[i > 0];
        double mean = tgDot3(a, sums->net) * tgDot3(b, sums->net) / sums->shared;
        for (int k = 0; k < 3; ++k) {
            c[i] += a[k] * tgDot3(sums->spread[k], b);
        }
        c[i] = (c[i] - mean) / sums->shared;
    }
    double half = 0.5 * (c[0] - c[1]);
    return c[0] + c[1] - 2.0 * sqrt(half * half + c[2] * c[2]);
}

/// The joint of the two bodies that is nearest to their middle; false where none is near.
static bool tgFindPlace(const tgPlaneMaker* maker, tgPlane* plane)
{
    bool found = false;
    float least = tg_farthestJoint * plane->radius;
    for (int side = 0; side < 2; ++side) {
        tgVec3 origin = tgToVec3(maker->skeleton->rest[plane->bodies[side]].c[3]);
        float distance = tgDistance(origin, plane->middle);
        if (distance < least) {
            least = distance;
            plane->place = origin;
            found = true;
        }
    }
    return found;
}

static int tgGetDepth(const tgSkeleton* skeleton, int joint)
{
    int depth = 0;
    for (int j = joint; skeleton->tree.carriers[j] >= 0; j = skeleton->tree.carriers[j]) {
        depth += 1;
    }
    return depth;
}

/// Fills in the plane between two bodies; false where there is none. Their weights are loaded.
static bool tgMakePlane(tgPlaneMaker* maker, const int bodies[2], tgPlane* plane)
{
    tgSharedSums sums = {.shared = 0.0};
    tgListSharedFaces(maker, bodies[0]);
    tgVisitShared(maker, tgAddSums, &sums);
    double slope = sqrt(tgDot3(sums.slope, sums.slope));
    if (!(sums.shared > 0.0) || !(slope > 0.0) || sums.most < tg_leastPassage) {
        return false;
    }
    double axis[3], middle[3];
    for (int i = 0; i < 3; ++i) {
        axis[i] = sums.slope[i] / slope;
        middle[i] = sums.moment[i] / sums.shared;
    }
    if (tgGetRoundness(&sums, axis) < tg_leastRound) {
        return false;
    }
    sums.axis = tgToVec3(axis);
    sums.middle = tgToVec3(middle);
    tgVisitShared(maker, tgAddDistance, &sums);
    bool firstIsDeeper =
        tgGetDepth(maker->skeleton, bodies[0]) > tgGetDepth(maker->skeleton, bodies[1]);
    *plane = (tgPlane){
        .bodies = {bodies[0], bodies[1]},
        .joint = firstIsDeeper ? bodies[0] : bodies[1],
        .radius = (float)(sums.distance / sums.shared),
        .middle = sums.middle,
        .normal = sums.axis,
    };
    return plane->radius > 0.0f && tgFindPlace(maker, plane);
}

// ---- its vertices -------------------------------------------------------------------------------

/// The height that a vertex keeps: a part of its own up to the gap, and less and less of it after
/// that, up to two gaps.
static float tgGetLeast(float height, float gap)
{
    float kept = tg_keptHeight * height;
    return kept <= gap ? kept : gap * (2.0f - gap / kept);
}

float tgGetOnset(float height, float span, float near)
{
    float away = sqrtf(height * height + span * span);
    if (!(near < height)) {
        return 0.0f; // from the start
    }
    float cosine = near / away, sine = sqrtf(fmaxf(1.0f - cosine * cosine, 0.0f));
    return fmaxf(sine * height / away - cosine * span / away - 1e-5f, 0.0f);
}

/// Vertex v at a plane; false where it has nothing to do with it.
static bool tgMakeVertex(const tgPlaneMaker* maker, const tgPlane* plane, int v,
                         tgFoundVertex* found)
{
    float hanging = maker->hanging[v], own = maker->weights[0][v] + maker->weights[1][v];
    float first = maker->weights[0][v] + (plane->joint == plane->bodies[0] ? hanging : 0.0f);
    float both = own + hanging;
    const float* at = maker->rest + 4 * (size_t)v;
    tgVec3 p = tgMakeVec3(at[0], at[1], at[2]), way = tgSub(p, plane->place);
    float aside = tgGetAside(p, plane->middle, plane->normal) / plane->radius;
    float wide = 1.0f - tgSmoothstepFrom(0.75f * tg_widest, tg_widest, aside);
    float share = tgSmoothstepFrom(tg_leastShare, tg_wholeShare, both) * wide;
    float over = tgDot(way, plane->normal), height = fabsf(over);
    *found = (tgFoundVertex){
        .vertex = v,
        .side = over > 0.0f || (over == 0.0f && first >= 0.5f * both) ? 1.0f : -1.0f,
        .mix = both > 0.0f ? first / both : 0.5f,
        .least = tgGetLeast(height, maker->gap * plane->radius),
        .soft = fminf(tg_softness * (plane->radius + height), 0.5f * height),
        .near = TG_PLANE_NEAR * plane->radius + tg_farNear * height,
        .share = share,
        .own = tgSmoothstepFrom(tg_leastShare, tg_wholeShare, own) * wide,
        .area = maker->areas[v],
    };
    float span = sqrtf(fmaxf(tgDot(way, way) - height * height, 0.0f));
    float gives = found->least + found->soft;
    found->onset = tgGetOnset(height, span, fmaxf(gives, found->near));
    return share > 0.0f && found->onset * found->onset < 1.0f - TG_PLANE_FLAT * TG_PLANE_FLAT;
}

/// By chunk, then by onset, then as the mesh has them.
static int tgCompareFound(const void* a, const void* b)
{
    const tgFoundVertex *left = a, *right = b;
    int byChunk = left->vertex / tg_chunkSize - right->vertex / tg_chunkSize;
    int byOnset = (left->onset > right->onset) - (left->onset < right->onset);
    int byVertex = (left->vertex > right->vertex) - (left->vertex < right->vertex);
    return byChunk != 0 ? byChunk : byOnset != 0 ? byOnset : byVertex;
}

/// The vertices of a plane, sorted.
static int tgListVertices(tgPlaneMaker* maker, const tgPlane* plane)
{
    int count = 0;
    maker->pair += 1;
    for (int j = 0; j < maker->skeleton->jointCount; ++j) {
        bool isBody = j == plane->bodies[0] || j == plane->bodies[1];
        int end = isBody || tgHangs(maker, plane, j) ? maker->memberStart[j + 1] : 0;
        for (int i = maker->memberStart[j]; i < end; ++i) {
            int v = maker->members[i];
            tgFoundVertex* found = &maker->found[count];
            bool isNew = maker->seen[v] != maker->pair;
            maker->seen[v] = maker->pair;
            if (isNew && tgMakeVertex(maker, plane, v, found)) {
                count += 1;
            }
        }
    }
    qsort(maker->found, (size_t)count, sizeof(tgFoundVertex), tgCompareFound);
    return count;
}

// ---- all of them --------------------------------------------------------------------------------

/// dV/dp of every vertex: a third of the vector area round it.
static void tgFillAreas(tgPlaneMaker* maker)
{
    const tgMesh* mesh = maker->mesh;
    int triangles = mesh->triangleCount + mesh->capTriangleCount;
    for (int f = 0; f < triangles + mesh->quadCount; ++f) {
        int size;
        const int* corners = tgGetFace(mesh, f, &size);
        for (int k = 1; corners != NULL && k + 1 < size; ++k) {
            const float* a = maker->rest + 4 * (size_t)corners[0];
            const float* b = maker->rest + 4 * (size_t)corners[k];
            const float* c = maker->rest + 4 * (size_t)corners[k + 1];
            tgVec3 first = tgMakeVec3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
            tgVec3 second = tgMakeVec3(c[0] - a[0], c[1] - a[1], c[2] - a[2]);
            tgVec3 area = tgCross(first, second);
            for (int i = 0; i < size; ++i) { // half of it, shared by the corners
                tgVec3* sum = &maker->areas[corners[i]];
                *sum = tgMulAdd(*sum, 0.5f / (float)size, area);
            }
        }
    }
}

static bool tgTakeMaker(tgPlaneMaker* maker, tgScratch* scratch)
{
    const tgMesh* mesh = maker->mesh;
    size_t vertices = (size_t)mesh->vertexCount, joints = (size_t)maker->skeleton->jointCount;
    size_t faces = (size_t)mesh->triangleCount + (size_t)mesh->quadCount;
    maker->weights[0] = tgScratch_Take(scratch, vertices, sizeof(float));
    maker->weights[1] = tgScratch_Take(scratch, vertices, sizeof(float));
    maker->hanging = tgScratch_Take(scratch, vertices, sizeof(float));
    maker->seen = tgScratch_Take(scratch, vertices, sizeof(int));
    maker->found = tgScratch_Take(scratch, vertices, sizeof(tgFoundVertex));
    maker->areas = tgScratch_Take(scratch, vertices, sizeof(tgVec3));
    maker->partners = tgScratch_Take(scratch, joints, sizeof(int));
    maker->met = tgScratch_Take(scratch, joints, sizeof(int));
    maker->faces = tgScratch_Take(scratch, faces, sizeof(int));
    return !scratch->failed;
}

/// Keeps a plane and the vertices that were just listed; false without memory.
static bool tgKeepPlane(tgPlaneMaker* maker, const tgPlane* plane, int count, tgScratch* scratch)
{
    if (maker->planeCount == maker->planeRoom) {
        tgFoundPlane* old = maker->planes;
        maker->planeRoom = maker->planeRoom > 0 ? 2 * maker->planeRoom : 64;
        maker->planes = tgScratch_Take(scratch, (size_t)maker->planeRoom, sizeof(tgFoundPlane));
        if (maker->planes != NULL && old != NULL) {
            memcpy(maker->planes, old, (size_t)maker->planeCount * sizeof(tgFoundPlane));
        }
    }
    tgFoundVertex* vertices = tgScratch_Take(scratch, (size_t)count, sizeof(tgFoundVertex));
    if (scratch->failed) {
        return false;
    }
    memcpy(vertices, maker->found, (size_t)count * sizeof(tgFoundVertex));
    maker->planes[maker->planeCount] = (tgFoundPlane){*plane, vertices};
    maker->planes[maker->planeCount++].plane.count = count;
    return true;
}

static bool tgFindPlanes(tgPlaneMaker* maker, tgScratch* scratch)
{
    for (int body = 0; body < maker->skeleton->jointCount; ++body) {
        int partnerCount = maker->isBody[body] ? tgFindPartners(maker, body) : 0;
        for (int i = 0; i < partnerCount; ++i) {
            int bodies[2] = {body, maker->partners[i]};
            tgPlane plane = {.count = 0};
            tgLoadWeights(maker, bodies, true);
            bool found = tgMakePlane(maker, bodies, &plane);
            int count = 0;
            if (found) {
                tgLoadHanging(maker, &plane, true);
                count = tgListVertices(maker, &plane);
                tgLoadHanging(maker, &plane, false);
            }
            tgLoadWeights(maker, bodies, false);
            if (count > 0 && !tgKeepPlane(maker, &plane, count, scratch)) {
                return false;
            }
        }
    }
    return true;
}

enum { tg_planeArrays = 11 };

/// The arrays of numbers, to treat all alike.
static void tgListArrays(tgPlaneVertices* v, float** arrays[tg_planeArrays])
{
    float** all[tg_planeArrays] = {&v->side,     &v->mix,   &v->least, &v->soft,
                                   &v->overNear, &v->share, &v->own,   &v->areaX,
                                   &v->areaY,    &v->areaZ, &v->onset};
    memcpy(arrays, all, sizeof(all));
}

static void tgKeepVertex(const tgFoundVertex* found, int at, tgPlaneVertices* out)
{
    out->vertex[at] = found->vertex;
    out->side[at] = found->side;
    out->mix[at] = found->mix;
    out->least[at] = found->least;
    out->soft[at] = found->soft;
    out->overNear[at] = 1.0f / found->near;
    out->share[at] = found->share;
    out->own[at] = found->own;
    out->areaX[at] = found->area.x;
    out->areaY[at] = found->area.y;
    out->areaZ[at] = found->area.z;
    out->onset[at] = found->onset;
}

/// Puts all planes and their vertices together.
static bool tgGatherPlanes(const tgPlaneMaker* maker, tgScratch* scratch, tgPlanes* out)
{
    size_t total = tg_lane; // kernels read eight at a time
    for (int i = 0; i < maker->planeCount; ++i) {
        total += (size_t)maker->planes[i].plane.count;
    }
    out->planes = tgScratch_Take(scratch, (size_t)maker->planeCount, sizeof(tgPlane));
    int* starts = tgScratch_Take(scratch, (size_t)maker->planeCount + 1, sizeof(int));
    float** arrays[tg_planeArrays];
    tgListArrays(&out->vertices, arrays);
    out->vertices.vertex = tgScratch_Take(scratch, total, sizeof(int));
    for (int k = 0; k < tg_planeArrays; ++k) {
        *arrays[k] = tgScratch_Take(scratch, total, sizeof(float));
    }
    if (scratch->failed) {
        return false;
    }
    for (; out->count < maker->planeCount; ++out->count) {
        const tgFoundPlane* found = &maker->planes[out->count];
        tgPlane* plane = &out->planes[out->count];
        *plane = found->plane;
        plane->first = out->vertexCount;
        for (int k = 0; k < plane->count; ++k) {
            tgKeepVertex(&found->vertices[k], out->vertexCount++, &out->vertices);
        }
        starts[out->count + 1] = out->vertexCount;
    }
    if (!tgCutLists(out->vertices.vertex, starts, out->count, maker->mesh->vertexCount, scratch,
                    &out->parts)) {
        return false;
    }
    out->onsets = tgScratch_Take(scratch, (size_t)out->parts.count, sizeof(float));
    for (int i = 0; !scratch->failed && i < out->parts.count; ++i) {
        out->onsets[i] = out->vertices.onset[out->parts.parts[i].first];
    }
    return !scratch->failed;
}

bool tgBuildPlanes(const tgMesh* mesh, const tgSkeleton* skeleton, const tgInfluences* influences,
                   const float* rest, float gap, tgScratch* scratch, tgPlanes* planes)
{
    tgPlaneMaker maker = {
        .mesh = mesh, .skeleton = skeleton, .influences = influences, .rest = rest, .gap = gap};
    *planes = (tgPlanes){.count = 0};
    if (!tgTakeMaker(&maker, scratch) || !tgFindBodies(&maker, scratch) ||
        !tgListMembers(&maker, scratch)) {
        return false;
    }
    tgFillAreas(&maker);
    return tgFindPlanes(&maker, scratch) && tgGatherPlanes(&maker, scratch, planes);
}

// ---- placing ------------------------------------------------------------------------------------

void tgPlanes_Place(const tgPlanes* built, tgLayout* layout, tgPlanes* placed)
{
    size_t count = (size_t)built->count, vertices = (size_t)built->vertexCount + tg_lane;
    tgPlaneVertices from = built->vertices;
    float **all[tg_planeArrays], **to[tg_planeArrays];
    if (count == 0) {
        *placed = (tgPlanes){.count = 0};
        return;
    }
    *placed = *built;
    tgListArrays(&from, all);
    tgListArrays(&placed->vertices, to);
    placed->planes = tgPlaceArray(layout, built->planes, count, sizeof(tgPlane));
    tgParts_Place(&built->parts, layout, &placed->parts);
    placed->onsets = tgPlaceArray(layout, built->onsets, (size_t)built->parts.count, sizeof(float));
    placed->vertices.vertex = tgPlaceArray(layout, from.vertex, vertices, sizeof(int));
    for (int k = 0; k < tg_planeArrays; ++k) {
        *to[k] = tgPlaceArray(layout, *all[k], vertices, sizeof(float));
    }
}
