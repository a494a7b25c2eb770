// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which joints have a clean limb round them, how thick it is and where its middle line runs. Runs
// once, at creation, for every plane between two bodies. Five sections through the limb, at the
// joint and up to half a radius to either side, give
//
//   radius = sqrt(area / pi),  middle = centroid
//
// and how far round the bone the skin of the two bodies goes.

#include "core/anatomy.h"
#include "core/elementary.h"
#include "core/meeting.h"
#include "core/volume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Aptness is a product of fades. The sections' skin that belongs to the two bodies winds so far
/// round the bone, in turns: less at shoulders, hips and jaws, where other bodies have a part.
static const float tg_leastWinding = 0.8f, tg_wholeWinding = 0.95f;
/// Both bodies are so long, in radii. The shape reaches two to four radii along the limb; where the
/// next joint is nearer, as in fingers, the shapes of both would add up to more than flesh does.
static const float tg_leastLength = 3.0f, tg_wholeLength = 5.0f;
/// Flesh farther from the middle than this, in radii, goes as what is nearer.
static const float tg_farthest = 1.5f;

/// The limb at hand.
typedef struct tgAnatomyMaker {
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgPlanes* planes;
    const tgPaint* paint; ///< NULL: none
    const float* rest;
    float* shares; ///< of each vertex at the plane at hand; 0 for others
    tgAnatomyVertices all;
    tgAnatomyJoint* joints;
    int jointCount, vertexCount;
} tgAnatomyMaker;

static tgVec3 tgGetRest(const tgAnatomyMaker* maker, int v)
{
    const float* p = maker->rest + 4 * (size_t)v;
    return tgMakeVec3(p[0], p[1], p[2]);
}

static tgVec3 tgGetOrigin(const tgAnatomyMaker* maker, int j)
{
    const double* o = maker->skeleton->rest[j].c[3];
    return tgMakeVec3((float)o[0], (float)o[1], (float)o[2]);
}

static float tgFade(float low, float high, float x)
{
    float t = fminf(fmaxf((x - low) / (high - low), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// ---- the limb's direction -----------------------------------------------------------------------

/// From the joint's carrier, or one farther up where joints stand at one place.
static tgVec3 tgGetBoneIn(const tgAnatomyMaker* maker, const tgPlane* plane, tgVec3 fallback)
{
    const int* carriers = maker->skeleton->tree.carriers;
    for (int j = carriers[plane->joint]; j >= 0; j = carriers[j]) {
        tgVec3 way = tgSub(plane->place, tgGetOrigin(maker, j));
        if (tgLength(way) > 0.5f * plane->radius) {
            return tgNormalize(way, fallback);
        }
    }
    return fallback;
}

/// To the joints that this one carries, on the average.
static tgVec3 tgGetBoneOut(const tgAnatomyMaker* maker, const tgPlane* plane, tgVec3 fallback)
{
    const tgTree* tree = &maker->skeleton->tree;
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    for (int c = tree->firstChild[plane->joint]; c >= 0; c = tree->nextSibling[c]) {
        sum = tgAdd(sum, tgSub(tgGetOrigin(maker, c), plane->place));
    }
    return tgLength(sum) > 0.5f * plane->radius ? tgNormalize(sum, fallback) : fallback;
}

/// Fills in the frame; false where the bones do not lie along the limb.
/// @param stretch out: lengths along the bones over those along n
static bool tgMakeFrame(const tgAnatomyMaker* maker, const tgPlane* plane, tgAnatomyJoint* joint,
                        float* stretch)
{
    bool isFirst = plane->bodies[0] == plane->joint;
    tgVec3 across = tgMulSV(isFirst ? 1.0f : -1.0f, plane->normal);
    tgVec3 in = tgGetBoneIn(maker, plane, across), out = tgGetBoneOut(maker, plane, in);
    joint->joint = plane->joint;
    joint->parentBody = plane->bodies[isFirst ? 1 : 0];
    joint->place = plane->place;
    joint->n = tgNormalize(tgAdd(in, out), across);
    tgVec3 aside =
        fabsf(joint->n.x) < 0.6f ? tgMakeVec3(1.0f, 0.0f, 0.0f) : tgMakeVec3(0.0f, 1.0f, 0.0f);
    joint->p = tgNormalize(tgCross(aside, joint->n), aside);
    joint->q = tgCross(joint->n, joint->p);
    float cosine = tgDot(joint->n, out); // of half the bend at rest
    *stretch = cosine > 0.0f ? 1.0f / cosine : 1.0f;
    // A bend of 60 degrees at rest, and a plane that lies as the weights have it, about.
    return cosine > 0.866f && tgDot(joint->n, across) > 0.5f;
}

// ---- sections -----------------------------------------------------------------------------------

/// A section by a plane across the limb: sums over its pieces, seen along n from the bone.
typedef struct tgSection {
    double area, turn;
    double moment[2];
} tgSection;

static void tgAddPiece(tgSection* section, const double a[2], const double b[2])
{
    double cross = a[0] * b[1] - a[1] * b[0], dot = a[0] * b[0] + a[1] * b[1];
    section->area += 0.5 * cross;
    section->turn += tgArcTangent(cross, dot);
    section->moment[0] += (a[0] + b[0]) * cross / 6.0;
    section->moment[1] += (a[1] + b[1]) * cross / 6.0;
}

/// The piece of a triangle, from where the plane goes in to where it comes out.
static void tgCutTriangle(const tgAnatomyMaker* maker, const tgAnatomyJoint* joint,
                          const int corners[3], float height, tgSection* section)
{
    double ends[2][2];
    int found = 0;
    for (int k = 0; k < 3; ++k) {
        tgVec3 a = tgSub(tgGetRest(maker, corners[k]), joint->place);
        tgVec3 b = tgSub(tgGetRest(maker, corners[(k + 1) % 3]), joint->place);
        float from = tgDot(a, joint->n) - height, to = tgDot(b, joint->n) - height;
        if ((from < 0.0f) != (to < 0.0f)) {
            tgVec3 at = tgMulAdd(a, from / (from - to), tgSub(b, a));
            double* end = ends[from < 0.0f ? 0 : 1];
            end[0] = (double)tgDot(at, joint->p);
            end[1] = (double)tgDot(at, joint->q);
            found += 1;
        }
    }
    if (found == 2) {
        tgAddPiece(section, ends[0], ends[1]);
    }
}

/// Faces all of whose corners belong to the two bodies, each once: at its first corner.
static void tgCutLimb(const tgAnatomyMaker* maker, const tgPlane* plane,
                      const tgAnatomyJoint* joint, float height, tgSection* section)
{
    const tgMesh* mesh = maker->mesh;
    int triangles = mesh->triangleCount + mesh->capTriangleCount;
    *section = (tgSection){.area = 0.0};
    for (int i = plane->first; i < plane->first + plane->count; ++i) {
        int v = maker->planes->vertices.vertex[i];
        for (int k = mesh->cornerStart[v]; k < mesh->cornerStart[v + 1]; ++k) {
            int slot = mesh->cornerSlots[k];
            bool isQuad = slot >= triangles;
            const int* corners = isQuad ? mesh->quads + (slot - triangles) / 4 * 4
                                        : mesh->triangles + 3 * (size_t)slot;
            bool isWhole = isQuad || slot < mesh->triangleCount; // no cap
            for (int c = 0; c < (isQuad ? 4 : 3) && isWhole; ++c) {
                isWhole = maker->shares[corners[c]] >= 0.5f && corners[c] >= v;
            }
            for (int c = 1; c + 1 < (isQuad ? 4 : 3) && isWhole; ++c) {
                int triangle[3] = {corners[0], corners[c], corners[c + 1]};
                tgCutTriangle(maker, joint, triangle, height, section);
            }
        }
    }
}

/// Radius and middle of the limb, and the part of its aptness that sections tell.
static bool tgMeasureLimb(const tgAnatomyMaker* maker, const tgPlane* plane, tgAnatomyJoint* joint)
{
    enum { count = 5 };
    double area = 0.0, middle[2] = {0.0, 0.0}, winding = 0.0;
    for (int i = 0; i < count; ++i) {
        tgSection section;
        tgCutLimb(maker, plane, joint, 0.25f * (float)(i - count / 2) * plane->radius, &section);
        double sign = section.area < 0.0 ? -1.0 : 1.0, size = sign * section.area;
        if (!(size > 0.0)) {
            return false;
        }
        area += size / count;
        middle[0] += sign * section.moment[0] / size / count;
        middle[1] += sign * section.moment[1] / size / count;
        winding += sign * section.turn / 6.283185307179586 / count;
    }
    joint->radius = (float)sqrt(area / 3.141592653589793);
    joint->middle[0] = (float)middle[0] / joint->radius;
    joint->middle[1] = (float)middle[1] / joint->radius;
    joint->aptness = tgFade(tg_leastWinding, tg_wholeWinding, (float)winding);
    return joint->aptness > 0.0f;
}

// ---- vertices -----------------------------------------------------------------------------------

static float tgBell(float z, float width)
{
    return (float)tgExp(-(double)(z / width) * (double)(z / width));
}

static void tgAddVertex(tgAnatomyMaker* maker, const tgPlane* plane, const tgAnatomyJoint* joint,
                        int entry, float stretch)
{
    const tgAnatomyVertices* all = &maker->all;
    const tgPlaneVertices* at = &maker->planes->vertices;
    int i = maker->vertexCount++, v = at->vertex[entry];
    tgVec3 way = tgSub(tgGetRest(maker, v), joint->place);
    float over = 1.0f / joint->radius, z = stretch * over * tgDot(way, joint->n);
    float x = over * tgDot(way, joint->p), y = over * tgDot(way, joint->q);
    float p = x - joint->middle[0], q = y - joint->middle[1], distance = sqrtf(p * p + q * q);
    float shorter = distance > tg_farthest ? tg_farthest / distance : 1.0f;
    all->vertex[i] = v;
    all->p[i] = shorter * p;
    all->q[i] = shorter * q;
    all->overDistance[i] = 1.0f / fmaxf(shorter * distance, 1e-6f);
    all->z[i] = z;
    all->own[i] = plane->bodies[0] == plane->joint ? at->mix[entry] : 1.0f - at->mix[entry];
    all->share[i] = at->own[entry] * joint->aptness;
    float painted = maker->paint != NULL ? tgPaint_Get(maker->paint, joint->joint, v) : 1.0f;
    all->near[i] = painted * (1.0f - TG_ANATOMY_DIP * z * z) * tgBell(z, TG_ANATOMY_NEAR);
    all->fold[i] = painted * tgBell(z, TG_ANATOMY_FOLD);
    all->side[i] = painted * tgBell(z, TG_ANATOMY_SIDE);
    all->along[i] = painted * z * tgBell(z, TG_ANATOMY_ALONG);
    float far = TG_ANATOMY_CLAMP * fabsf(z), part = far / TG_ANATOMY_BOUND;
    all->bound[i] = far / sqrtf(1.0f + part * part);
    all->onset[i] = tgGetOnset(fabsf(z), sqrtf(x * x + y * y), TG_ANATOMY_BOUND);
}

/// How far the skin of both bodies goes along the limb, in radii: the shorter of the two.
static float tgGetLength(const tgAnatomyMaker* maker, int first, int end)
{
    float own = 0.0f, parent = 0.0f;
    for (int i = first; i < end; ++i) {
        bool counts = maker->shares[maker->all.vertex[i]] >= 0.5f;
        own = counts ? fmaxf(own, maker->all.z[i]) : own;
        parent = counts ? fmaxf(parent, -maker->all.z[i]) : parent;
    }
    return fminf(own, parent);
}

/// Adds the limb at a plane, where there is a clean one.
static void tgAddLimb(tgAnatomyMaker* maker, int number)
{
    const tgPlane* plane = &maker->planes->planes[number];
    const int* vertices = maker->planes->vertices.vertex + plane->first;
    const float* shares = maker->planes->vertices.own + plane->first;
    tgAnatomyJoint* joint = &maker->joints[maker->jointCount];
    float stretch;
    int first = maker->vertexCount;
    *joint = (tgAnatomyJoint){.first = first};
    if (!tgMakeFrame(maker, plane, joint, &stretch)) {
        return;
    }
    for (int i = 0; i < plane->count; ++i) {
        maker->shares[vertices[i]] = shares[i];
    }
    if (tgMeasureLimb(maker, plane, joint)) {
        for (int i = 0; i < plane->count; ++i) {
            if (shares[i] > 0.0f) {
                tgAddVertex(maker, plane, joint, plane->first + i, stretch);
            }
        }
        joint->count = maker->vertexCount - first;
        float length = tgGetLength(maker, first, maker->vertexCount);
        joint->reach = tgFade(tg_leastLength, tg_wholeLength, length);
        joint->aptness *= joint->reach;
        // Skin that lies against itself is nearer to the joint: half as long will do.
        float clamps = tgFade(0.5f * tg_leastLength, 0.5f * tg_wholeLength, length);
        for (int i = first; i < maker->vertexCount; ++i) {
            maker->all.share[i] *= clamps;
        }
        maker->vertexCount = clamps > 0.0f ? maker->vertexCount : first;
        maker->jointCount += clamps > 0.0f;
    }
    for (int i = 0; i < plane->count; ++i) {
        maker->shares[vertices[i]] = 0.0f;
    }
}

// ---- all of them --------------------------------------------------------------------------------

enum { tg_anatomyArrays = 12 };

/// The arrays of numbers, to treat all alike.
static void tgListArrays(tgAnatomyVertices* v, float** arrays[tg_anatomyArrays])
{
    float** all[tg_anatomyArrays] = {&v->p,    &v->q,     &v->overDistance, &v->z,
                                     &v->own,  &v->share, &v->near,         &v->fold,
                                     &v->side, &v->along, &v->onset,        &v->bound};
    memcpy(arrays, all, sizeof(all));
}

typedef struct tgOnset {
    int chunk;
    float sine;
    int from;
} tgOnset;

static int tgCompareOnsets(const void* a, const void* b)
{
    const tgOnset *left = a, *right = b;
    int byChunk = left->chunk - right->chunk;
    int bySine = (left->sine > right->sine) - (left->sine < right->sine);
    int byPlace = (left->from > right->from) - (left->from < right->from);
    return byChunk != 0 ? byChunk : bySine != 0 ? bySine : byPlace;
}

/// The vertices of each joint by chunk and rising onset, out of the maker's arrays into others.
static void tgSortVertices(tgAnatomyMaker* maker, tgOnset* order, tgAnatomyVertices* to)
{
    float **from[tg_anatomyArrays], **into[tg_anatomyArrays];
    tgListArrays(&maker->all, from);
    tgListArrays(to, into);
    for (int j = 0; j < maker->jointCount; ++j) {
        int first = maker->joints[j].first, count = maker->joints[j].count;
        for (int i = 0; i < count; ++i) {
            int chunk = maker->all.vertex[first + i] / tg_chunkSize;
            order[i] = (tgOnset){chunk, maker->all.onset[first + i], first + i};
        }
        qsort(order, (size_t)count, sizeof(tgOnset), tgCompareOnsets);
        for (int i = 0; i < count; ++i) {
            to->vertex[first + i] = maker->all.vertex[order[i].from];
            for (int k = 0; k < tg_anatomyArrays; ++k) {
                (*into[k])[first + i] = (*from[k])[order[i].from];
            }
        }
    }
}

static void tgTakeVertices(tgScratch* scratch, size_t count, tgAnatomyVertices* vertices)
{
    float** arrays[tg_anatomyArrays];
    tgListArrays(vertices, arrays);
    vertices->vertex = tgScratch_Take(scratch, count, sizeof(int));
    for (int k = 0; k < tg_anatomyArrays; ++k) {
        *arrays[k] = tgScratch_Take(scratch, count, sizeof(float));
    }
}

// ---- what they add ------------------------------------------------------------------------------

/// One joint bent alone, every vertex following its two bodies.
typedef struct tgTrial {
    const tgAnatomyMaker* maker;
    tgAnatomyTask task;
    tgMat34d* motions;
    float* weights; ///< of each vertex: of the joint's own body
    int* faces;     ///< slots of faces that the joint's vertices have
    int faceCount;
    int* corners; ///< vertices of those faces
    int cornerCount;
} tgTrial;

/// Corners of a face; caps have none.
static const int* tgGetSlotFace(const tgMesh* mesh, int slot, int* size)
{
    int triangles = mesh->triangleCount + mesh->capTriangleCount;
    *size = slot >= triangles ? 4 : slot < mesh->triangleCount ? 3 : 0;
    return slot >= triangles ? mesh->quads + (slot - triangles) / 4 * 4
                             : mesh->triangles + 3 * (size_t)slot;
}

/// Faces that the joint's vertices have, each once: at the first corner that is one of them; and
/// all their corners. What is no vertex of the joint goes with the body on its side.
static void tgListPatch(tgTrial* trial, const tgAnatomyJoint* joint)
{
    const tgAnatomyMaker* maker = trial->maker;
    const tgMesh* mesh = maker->mesh;
    const tgAnatomyVertices* at = &trial->task.anatomy->vertices;
    const int* vertices = at->vertex + joint->first;
    float* marks = maker->shares; // 1: the joint's, 2: a corner besides
    trial->faceCount = trial->cornerCount = 0;
    for (int i = 0; i < joint->count; ++i) {
        marks[vertices[i]] = 1.0f;
        trial->weights[vertices[i]] = at->own[joint->first + i];
        trial->corners[trial->cornerCount++] = vertices[i];
    }
    for (int i = 0; i < joint->count; ++i) {
        for (int k = mesh->cornerStart[vertices[i]]; k < mesh->cornerStart[vertices[i] + 1]; ++k) {
            int size, first = -1;
            const int* corners = tgGetSlotFace(mesh, mesh->cornerSlots[k], &size);
            for (int c = size - 1; c >= 0; --c) {
                int v = corners[c];
                first = marks[v] == 1.0f ? v : first;
                if (marks[v] == 0.0f) {
                    float z = tgDot(tgSub(tgGetRest(maker, v), joint->place), joint->n);
                    marks[v] = 2.0f;
                    trial->weights[v] = z > 0.0f ? 1.0f : 0.0f;
                    trial->corners[trial->cornerCount++] = v;
                }
            }
            if (first == vertices[i]) {
                trial->faces[trial->faceCount++] = mesh->cornerSlots[k];
            }
        }
    }
    for (int i = 0; i < trial->cornerCount; ++i) {
        marks[trial->corners[i]] = 0.0f;
    }
}

/// Positions of the faces' corners: (1 - w) x + w M x.
static void tgSkinTrial(tgTrial* trial, const tgAnatomyJoint* joint, const float* rest)
{
    const tgMat34d* motion = &trial->motions[joint->joint];
    for (int i = 0; i < trial->cornerCount; ++i) {
        int v = trial->corners[i];
        const float* x = rest + 4 * (size_t)v;
        const double point[3] = {(double)x[0], (double)x[1], (double)x[2]};
        tgVec3 from = tgMakeVec3(x[0], x[1], x[2]), to = tgMat34d_MulPoint(motion, point);
        tgVec3 p = tgLerp(from, to, trial->weights[v]);
        float* out = trial->task.positions + 4 * (size_t)v;
        out[0] = p.x;
        out[1] = p.y;
        out[2] = p.z;
    }
}

static double tgMeasureTrial(const tgTrial* trial, const tgAnatomyJoint* joint)
{
    const float* positions = trial->task.positions;
    const double apex[3] = {(double)joint->place.x, (double)joint->place.y, (double)joint->place.z};
    double sum = 0.0;
    for (int i = 0; i < trial->faceCount; ++i) {
        int size;
        const int* corners = tgGetSlotFace(trial->maker->mesh, trial->faces[i], &size);
        sum += size == 3 ? tgTriangleCone(corners, positions, apex)
                         : tgQuadCone(corners, positions, apex);
    }
    return sum / 6.0;
}

/// The joint's own body turns about its place, so that n leans to the side (c, d) along p and q.
static void tgSetBend(tgTrial* trial, const tgAnatomyJoint* joint, double c, double d, double angle)
{
    tgVec3 side = tgAdd(tgMulSV((float)c, joint->p), tgMulSV((float)d, joint->q));
    tgVec3 axis = tgCross(joint->n, side);
    const double a[3] = {(double)axis.x, (double)axis.y, (double)axis.z};
    const double o[3] = {(double)joint->place.x, (double)joint->place.y, (double)joint->place.z};
    tgMat34d* m = &trial->motions[joint->joint];
    double sine, cosine;
    tgSineCosine(angle, &sine, &cosine);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 3; ++i) { // Rodrigues
            int third = 3 - i - k;
            double cross = i == k ? 0.0 : ((k + 1) % 3 == i ? a[third] : -a[third]);
            m->c[k][i] = (i == k ? cosine : 0.0) + sine * cross + (1.0 - cosine) * a[i] * a[k];
        }
    }
    for (int i = 0; i < 3; ++i) {
        m->c[3][i] = o[i] - (m->c[0][i] * o[0] + m->c[1][i] * o[1] + m->c[2][i] * o[2]);
    }
}

/// What the clamp adds at a bend, and what both do.
static void tgTryBend(tgTrial* trial, const tgAnatomyJoint* joint, double added[2])
{
    const float* rest = trial->task.rest;
    tgSkinTrial(trial, joint, rest);
    double before = tgMeasureTrial(trial, joint);
    for (int way = 0; way < (joint->reach > 0.0f ? 2 : 1); ++way) {
        for (int i = 0; i < trial->cornerCount; ++i) {
            size_t v = 4 * (size_t)trial->corners[i];
            memcpy(trial->task.shaped + v, rest + v, 4 * sizeof(float));
        }
        if (way == 1) {
            tgShapeRest(&trial->task); // of no elements: the rest is there already
        }
        tgSkinTrial(trial, joint, trial->task.shaped);
        tgClampFolds(&trial->task);
        added[way] = added[1] = tgMeasureTrial(trial, joint) - before;
    }
}

/// Five sides, five angles: mean and waves by a discrete Fourier transform.
static void tgFindGains(tgTrial* trial, tgAnatomyJoint* joint)
{
    memset(joint->gains, 0, sizeof(joint->gains));
    tgListPatch(trial, joint);
    for (int i = 0; i < 5 * tg_gainAngles; ++i) {
        int angle = i / 5;
        double around = (i % 5) * 1.2566370614359172, c, d, c2, d2, added[2];
        tgSineCosine(around, &d, &c);
        tgSineCosine(2.0 * around, &d2, &c2);
        tgSetBend(trial, joint, c, d, 0.5235987755982988 * (angle + 1));
        tgTryBend(trial, joint, added);
        for (int way = 0; way < 2; ++way) {
            float* terms = joint->gains[way].terms[angle];
            double value = added[way] / 5.0;
            terms[0] += (float)value;
            terms[1] += (float)(2.0 * value * c);
            terms[2] += (float)(2.0 * value * d);
            terms[3] += (float)(2.0 * value * c2);
            terms[4] += (float)(2.0 * value * d2);
        }
    }
    trial->motions[joint->joint] = trial->motions[joint->parentBody];
}

/// The parts of one list, as if it were the first and all of it in one chunk.
static void tgKeepPartsOf(const tgParts* all, int list, int chunkStart[2], tgParts* out)
{
    out->count = 0;
    for (int i = 0; i < all->count; ++i) {
        if (all->parts[i].list == list) {
            out->parts[out->count] = all->parts[i];
            out->parts[out->count++].list = 0;
        }
    }
    chunkStart[0] = 0;
    chunkStart[1] = out->count;
    out->chunkStart = chunkStart;
    out->chunkCount = 1;
}

/// Bends every joint alone, to know what its shape and its clamp add.
static bool tgTryAll(const tgAnatomyMaker* maker, tgScratch* scratch, tgAnatomy* anatomy)
{
    size_t vertices = (size_t)maker->mesh->vertexCount,
           joints = (size_t)maker->skeleton->jointCount;
    size_t faces = (size_t)maker->mesh->triangleCount + (size_t)maker->mesh->quadCount;
    tgAnatomy single = *anatomy;
    tgParallel alone = {NULL, NULL};
    tgAnatomyPose pose;
    int chunkStart[2];
    double changed;
    tgTrial trial = {.maker = maker};
    trial.motions = tgScratch_Take(scratch, joints, sizeof(tgMat34d));
    trial.weights = tgScratch_Take(scratch, vertices, sizeof(float));
    trial.faces = tgScratch_Take(scratch, faces, sizeof(int));
    trial.task = (tgAnatomyTask){
        .anatomy = &single,
        .skinMatrices = trial.motions,
        .parallel = &alone,
        .kernels = tgSelectKernels(tg_simdScalar),
        .rest = maker->rest,
        .shaped = tgScratch_Take(scratch, 4 * vertices, sizeof(float)),
        .positions = tgScratch_Take(scratch, 4 * vertices, sizeof(float)),
        .changed = &changed,
        .poses = &pose,
        .elementCount = 0,
    };
    trial.corners = tgScratch_Take(scratch, vertices, sizeof(int));
    single.parts.parts = tgScratch_Take(scratch, (size_t)anatomy->parts.count, sizeof(tgListPart));
    if (scratch->failed) {
        return false;
    }
    for (size_t j = 0; j < joints; ++j) {
        for (int k = 0; k < 3; ++k) {
            trial.motions[j].c[k][k] = 1.0;
        }
    }
    single.count = 1;
    for (int i = 0; i < anatomy->count; ++i) {
        single.joints = &anatomy->joints[i];
        tgKeepPartsOf(&anatomy->parts, i, chunkStart, &single.parts);
        tgFindGains(&trial, &anatomy->joints[i]);
    }
    return true;
}

bool tgBuildAnatomy(const tgMesh* mesh, const tgSkeleton* skeleton, const tgPlanes* planes,
                    const tgPaint* paint, const float* rest, tgScratch* scratch, tgAnatomy* anatomy)
{
    size_t vertices = (size_t)mesh->vertexCount, entries = (size_t)planes->vertexCount;
    size_t limbs = (size_t)planes->count;
    tgAnatomyMaker maker = {
        .mesh = mesh, .skeleton = skeleton, .planes = planes, .paint = paint, .rest = rest};
    *anatomy = (tgAnatomy){.count = 0};
    maker.shares = tgScratch_Take(scratch, vertices, sizeof(float));
    maker.joints = tgScratch_Take(scratch, limbs + 1, sizeof(tgAnatomyJoint));
    tgOnset* order = tgScratch_Take(scratch, vertices, sizeof(tgOnset));
    int* starts = tgScratch_Take(scratch, limbs + 1, sizeof(int));
    tgTakeVertices(scratch, entries, &maker.all);
    tgTakeVertices(scratch, entries, &anatomy->vertices);
    if (scratch->failed) {
        return false;
    }
    for (int i = 0; i < planes->count; ++i) {
        tgAddLimb(&maker, i);
    }
    tgSortVertices(&maker, order, &anatomy->vertices);
    anatomy->vertexCount = maker.vertexCount;
    anatomy->joints = maker.joints;
    anatomy->count = maker.jointCount;
    for (int i = 0; i < anatomy->count; ++i) {
        starts[i + 1] = maker.joints[i].first + maker.joints[i].count;
    }
    return tgCutLists(anatomy->vertices.vertex, starts, anatomy->count, mesh->vertexCount, scratch,
                      &anatomy->parts) &&
           tgTryAll(&maker, scratch, anatomy);
}

void tgAnatomy_Place(const tgAnatomy* built, tgLayout* layout, tgAnatomy* placed)
{
    size_t count = (size_t)built->count, vertices = (size_t)built->vertexCount;
    tgAnatomyVertices from = built->vertices;
    float **all[tg_anatomyArrays], **to[tg_anatomyArrays];
    if (count == 0) {
        *placed = (tgAnatomy){.count = 0};
        return;
    }
    *placed = *built;
    tgListArrays(&from, all);
    tgListArrays(&placed->vertices, to);
    placed->joints = tgPlaceArray(layout, built->joints, count, sizeof(tgAnatomyJoint));
    tgParts_Place(&built->parts, layout, &placed->parts);
    placed->vertices.vertex = tgPlaceArray(layout, from.vertex, vertices, sizeof(int));
    for (int k = 0; k < tg_anatomyArrays; ++k) {
        *to[k] = tgPlaceArray(layout, *all[k], vertices, sizeof(float));
    }
}
