// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Setting up flesh elements (2005 s.5): the virtual bone, the weights alpha2 = s A / max(s A) of
// the vertices round it, the longest displacement that keeps every vertex on its side of the bone,
// mass and springs. Runs once, at creation.

#include "core/flesh.h"

#include "core/flesh_patch.h"

#include <math.h>
#include <string.h>

/// A bone shorter than this fraction of the bounding diagonal has no direction.
static const double tg_shortestBone = 1e-5;
/// A joint that carries nothing and lies so near the bone, in its lengths, is a twist joint.
static const double tg_onBone = 0.05;
/// Over so much of the bone's length a given set of vertices fades out at its border.
static const float tg_border = 0.25f;
static const double tg_twoPi = 6.283185307179586;

typedef struct tgFleshMaker {
    const tgRigDef* def;
    const tgMesh* mesh;
    const tgSkeleton* skeleton;
    const tgInfluences* influences;
    const float* rest;
    double diagonal;
    tgPatchMeter meter;
    bool* ofBone; ///< joints of the bone at hand
    bool* inside; ///< vertices of the element at hand
    float* depth; ///< of those of a given set, how far they are from the others along the skin
    tgFlesh* flesh;
} tgFleshMaker;

// ---- the virtual bone ---------------------------------------------------------------------------

static double tgGetLength(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// Marks the joints from the driver to a driven one, without that.
static bool tgMarkPath(tgFleshMaker* maker, int driver, int driven)
{
    int up = maker->skeleton->parents[driven];
    while (up >= 0 && up != driver) {
        up = maker->skeleton->parents[up];
    }
    if (up < 0) {
        return false;
    }
    for (up = maker->skeleton->parents[driven]; up != driver; up = maker->skeleton->parents[up]) {
        maker->ofBone[up] = true;
    }
    maker->ofBone[driver] = true;
    return true;
}

/// Where the bone ends. Fills the list of driven joints and marks the bone's own.
static tgResult tgFindTail(tgFleshMaker* maker, int index, double tail[3], tgError* error)
{
    const tgFleshElement* from = &maker->def->flesh.elements[index];
    const tgSkeleton* skeleton = maker->skeleton;
    tgFlesh* flesh = maker->flesh;
    tgElement* element = &flesh->elements[index];
    bool byChildren = from->driven == NULL || from->drivenCount < 1;
    memset(maker->ofBone, 0, (size_t)skeleton->jointCount * sizeof(bool));
    element->firstDriven = flesh->drivenCount;
    int most = byChildren ? skeleton->jointCount : from->drivenCount;
    for (int i = 0; i < most; ++i) {
        int joint = byChildren ? i : from->driven[i];
        if (byChildren && skeleton->parents[joint] != from->driver) {
            continue;
        }
        if (!tgMarkPath(maker, from->driver, joint)) {
            return tgFailElement(maker->def, index, error,
                                 "joint %d is driven, wanted a descendant of the driver %d", joint,
                                 from->driver);
        }
        flesh->driven[flesh->drivenCount++] = joint;
        for (int k = 0; k < 3; ++k) {
            tail[k] += skeleton->rest[joint].c[3][k];
        }
    }
    element->drivenCount = flesh->drivenCount - element->firstDriven;
    if (element->drivenCount == 0) {
        return tgFailElement(maker->def, index, error,
                             "the driver %d has no children, wanted some to end the bone",
                             from->driver);
    }
    for (int k = 0; k < 3; ++k) {
        tail[k] /= element->drivenCount;
    }
    return tg_success;
}

static tgResult tgMakeBone(tgFleshMaker* maker, int index, tgError* error)
{
    tgElement* element = &maker->flesh->elements[index];
    element->driver = maker->def->flesh.elements[index].driver;
    double tail[3] = {0.0, 0.0, 0.0}, bone[3];
    tgResult result = tgFindTail(maker, index, tail, error);
    if (result != tg_success) {
        return result;
    }
    const double* head = maker->skeleton->rest[element->driver].c[3];
    for (int k = 0; k < 3; ++k) {
        bone[k] = tail[k] - head[k];
        element->middle[k] = 0.5 * (tail[k] + head[k]);
    }
    double length = tgGetLength(bone);
    if (!(length > tg_shortestBone * maker->diagonal)) {
        return tgFailElement(maker->def, index, error,
                             "its bone is %g long, wanted driven joints away from the driver",
                             length);
    }
    // The side: the axis that the bone follows least, made square to it.
    int least = 0;
    for (int k = 0; k < 3; ++k) {
        element->axis[k] = bone[k] / length;
        least = fabs(bone[k]) < fabs(bone[least]) ? k : least;
    }
    double side[3];
    for (int k = 0; k < 3; ++k) {
        side[k] = (k == least ? 1.0 : 0.0) - element->axis[least] * element->axis[k];
    }
    for (int k = 0; k < 3; ++k) {
        element->side[k] = side[k] / tgGetLength(side);
    }
    element->info.boneLength = (float)length;
    return tg_success;
}

/// Place along the bone, -1 to 1 between its ends, and distance from it.
static void tgGetPlace(const tgElement* element, const double p[3], double* y, double* distance)
{
    double half = 0.5 * (double)element->info.boneLength, away[3], along = 0.0;
    for (int k = 0; k < 3; ++k) {
        away[k] = p[k] - element->middle[k];
        along += away[k] * element->axis[k];
    }
    double nearest = fmin(fmax(along, -half), half);
    for (int k = 0; k < 3; ++k) {
        away[k] -= nearest * element->axis[k];
    }
    *y = along / half;
    *distance = tgGetLength(away);
}

/// Joints whose flesh belongs to the bone beside its own: those that are given, and twist joints,
/// which lie on it and carry nothing.
static void tgMarkFurtherJoints(tgFleshMaker* maker, int index)
{
    const tgSkeleton* skeleton = maker->skeleton;
    const tgFleshElement* from = &maker->def->flesh.elements[index];
    const tgElement* element = &maker->flesh->elements[index];
    for (int i = 0; from->joints != NULL && i < from->jointCount; ++i) {
        maker->ofBone[from->joints[i]] = true;
    }
    for (int j = 0; j < skeleton->jointCount; ++j) {
        int parent = skeleton->parents[j];
        bool isDriven = false;
        for (int i = 0; i < element->drivenCount; ++i) {
            isDriven |= maker->flesh->driven[element->firstDriven + i] == j;
        }
        if (parent < 0 || !maker->ofBone[parent] || skeleton->tree.firstChild[j] >= 0 || isDriven) {
            continue;
        }
        double y, distance;
        tgGetPlace(element, skeleton->rest[j].c[3], &y, &distance);
        maker->ofBone[j] |= distance < tg_onBone * (double)element->info.boneLength;
    }
}

// ---- weights ------------------------------------------------------------------------------------

static double tgCubicHermite(const tgAttenuationKey* a, const tgAttenuationKey* b, double y)
{
    double h = (double)b->coordinate - (double)a->coordinate;
    double t = (y - (double)a->coordinate) / h, u = 1.0 - t;
    return (double)a->value * (1.0 + 2.0 * t) * u * u + (double)b->value * t * t * (3.0 - 2.0 * t) +
           h * t * u * ((double)a->tangent * u - (double)b->tangent * t);
}

static double tgGetAttenuation(const tgFleshElement* element, double y)
{
    if (!(fabs(y) < 1.0)) {
        return 0.0;
    }
    double squared = y * y;
    if (element->attenuation == tg_attenuationParabola) {
        return 1.0 - squared;
    }
    if (element->attenuation == tg_attenuationWyvill) {
        return 1.0 + ((-4.0 * squared + 17.0) * squared - 22.0) * squared / 9.0;
    }
    const tgAttenuationKey* keys = element->keys;
    int last = element->keyCount - 1;
    if (y < (double)keys[0].coordinate || y > (double)keys[last].coordinate) {
        return 0.0; // level outside, and 0 at the ends
    }
    int i = 0;
    while (i < last - 1 && y > (double)keys[i + 1].coordinate) {
        i += 1;
    }
    return fmin(fmax(tgCubicHermite(&keys[i], &keys[i + 1], y), 0.0), 1.0);
}

/// Lowers the depth of a face's corners to that of each other and the way between them; returns
/// whether it did.
static bool tgLowerDepths(tgFleshMaker* maker, const int* corners, int count)
{
    bool any = false;
    for (int k = 0; k < 2 * count; ++k) { // every side, both ways
        int a = corners[k % count], b = corners[(k + (k < count ? 1 : count - 1)) % count];
        const float *p = maker->rest + 4 * (size_t)a, *q = maker->rest + 4 * (size_t)b;
        float x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
        float way = maker->depth[b] + sqrtf(x * x + y * y + z * z);
        any |= way < maker->depth[a];
        maker->depth[a] = fminf(way, maker->depth[a]);
    }
    return any;
}

/// How deep each vertex lies in a given set: its way along edges to one that is not in it, up to
/// `most`.
static void tgMeasureDepths(tgFleshMaker* maker, float most)
{
    const tgMesh* mesh = maker->mesh;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        maker->depth[v] = maker->inside[v] ? most : 0.0f;
    }
    bool changes = true;
    while (changes) { // as often as the way has edges
        changes = false;
        for (int f = 0; f < mesh->triangleCount; ++f) {
            changes |= tgLowerDepths(maker, mesh->triangles + 3 * (size_t)f, 3);
        }
        for (int f = 0; f < mesh->quadCount; ++f) {
            changes |= tgLowerDepths(maker, mesh->quads + 4 * (size_t)f, 4);
        }
    }
}

/// How far a vertex belongs to the element: of a given set it fades out towards the set's border,
/// else by its skin weights, where other bones take over.
static double tgGetMembership(const tgFleshMaker* maker, const tgFleshElement* element, int v)
{
    if (element->vertices != NULL) {
        double t = (double)maker->depth[v]; // 1 from a quarter of the bone on
        return t * t * (3.0 - 2.0 * t);
    }
    const tgInfluences* influences = maker->influences;
    int render = maker->mesh->vertexToRender[v];
    double w = 0.0;
    for (int k = influences->start[render]; k < influences->start[render + 1]; ++k) {
        w += maker->ofBone[influences->joints[k]] ? (double)influences->weights[k] : 0.0;
    }
    w = fmin(w, 1.0);
    return w * w * (3.0 - 2.0 * w);
}

/// Weights of one element, and the longest displacement.
static tgResult tgFillWeights(tgFleshMaker* maker, int index, float* weights, float* twistWeights,
                              tgError* error)
{
    const tgFleshElement* from = &maker->def->flesh.elements[index];
    tgElement* element = &maker->flesh->elements[index];
    int count = maker->mesh->vertexCount;
    memset(maker->inside, 0, (size_t)count * sizeof(bool));
    for (int i = 0; from->vertices != NULL && i < from->vertexCount; ++i) {
        maker->inside[maker->mesh->renderToVertex[from->vertices[i]]] = true;
    }
    if (from->vertices != NULL) {
        float border = tg_border * element->info.boneLength;
        tgMeasureDepths(maker, border);
        for (int v = 0; v < count; ++v) {
            maker->depth[v] /= border;
        }
    }
    double thickness = (double)from->thickness * (double)element->info.boneLength;
    float most = 0.0f;
    for (int v = 0; v < count; ++v) {
        const float* p = maker->rest + 4 * (size_t)v;
        const double place[3] = {(double)p[0], (double)p[1], (double)p[2]};
        double y, distance;
        tgGetPlace(element, place, &y, &distance);
        double fade = tgGetAttenuation(from, y) * tgGetMembership(maker, from, v);
        weights[v] = (float)(fmax(distance - thickness, 0.0) * fade);
        twistWeights[v] = (float)fade;
        most = fmaxf(most, weights[v]);
    }
    if (!((double)most > tg_shortestBone * maker->diagonal)) {
        return tgFailElement(
            maker->def, index, error,
            "no vertex of its set lies beside its bone, wanted some between its ends");
    }
    for (int v = 0; v < count; ++v) {
        weights[v] /= most;
        element->info.vertexCount += weights[v] > 0.0f;
        maker->inside[v] = from->vertices != NULL ? maker->inside[v] : weights[v] > 0.0f;
    }
    element->info.limit = from->elongation * most;
    return tg_success;
}

// ---- springs ------------------------------------------------------------------------------------

static tgResult tgSetMass(tgFleshMaker* maker, int index, tgError* error)
{
    const tgFleshElement* from = &maker->def->flesh.elements[index];
    tgFleshInfo* info = &maker->flesh->elements[index].info;
    bool needed = from->airFriction > 0.0f;
    for (int i = 0; i < from->springCount; ++i) {
        needed |= from->springs[i].stiffness > 0.0f || from->springs[i].damping >= 0.0f;
    }
    info->volume = tgMeasurePatch(&maker->meter, maker->inside);
    info->mass =
        from->mass > 0.0f ? (double)from->mass : (double)from->density * fmax(info->volume, 0.0);
    if (needed && !(info->mass > 0.0)) {
        return tgFailElement(maker->def, index, error,
                             "its skin encloses a volume of %g, wanted a mass for it",
                             info->volume);
    }
    return tg_success;
}

static tgResult tgSetSprings(tgFleshMaker* maker, int index, tgError* error)
{
    const tgFleshElement* from = &maker->def->flesh.elements[index];
    tgFlesh* flesh = maker->flesh;
    tgElement* element = &flesh->elements[index];
    tgResult result = tgSetMass(maker, index, error);
    if (result != tg_success) {
        return result;
    }
    double mass = element->info.mass, sum = 0.0;
    element->drag = from->airFriction > 0.0f ? (double)from->airFriction / mass : 0.0;
    element->firstSpring = flesh->springCount;
    element->springCount = from->springCount;
    for (int i = 0; i < from->springCount; ++i) {
        sum += (double)from->springs[i].share;
    }
    for (int i = 0; i < from->springCount; ++i) {
        const tgFleshSpring* s = &from->springs[i];
        double omega = s->stiffness > 0.0f ? sqrt((double)s->stiffness / mass)
                                           : tg_twoPi * (double)s->frequency;
        double beta =
            s->damping >= 0.0f ? 0.5 * (double)s->damping / mass : (double)s->dampingRatio * omega;
        flesh->springs[flesh->springCount++] = (tgElementSpring){
            .spring = {.omega = omega, .beta = beta + 0.5 * element->drag},
            .share = (double)s->share / sum,
        };
    }
    element->twists = from->twistFrequency > 0.0f;
    element->twist.omega = tg_twoPi * (double)from->twistFrequency;
    element->twist.beta = (double)from->twistDampingRatio * element->twist.omega;
    return tg_success;
}

static void tgCopyNumbers(const tgFleshMaker* maker, int index)
{
    const tgFleshElement* from = &maker->def->flesh.elements[index];
    tgElement* element = &maker->flesh->elements[index];
    const float* gravity = &from->gravity.x;
    const float* wind = &from->wind.x;
    for (int k = 0; k < 3; ++k) {
        element->gravity[k] = (double)gravity[k];
        element->wind[k] = (double)wind[k];
    }
    element->resetDistance = (double)from->resetDistance * maker->diagonal;
    element->stopAtLimit = from->stopAtLimit;
    element->thickness = from->thickness;
    element->flow = from->flow;
    element->twistLimit = (double)from->twistLimit;
}

// ---- all elements -------------------------------------------------------------------------------

static double tgGetDiagonal(const tgMesh* mesh, const float* rest)
{
    tgVec3 low = tgMakeVec3(rest[0], rest[1], rest[2]), high = low;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        const float* p = rest + 4 * (size_t)v;
        low = tgMakeVec3(fminf(low.x, p[0]), fminf(low.y, p[1]), fminf(low.z, p[2]));
        high = tgMakeVec3(fmaxf(high.x, p[0]), fmaxf(high.y, p[1]), fmaxf(high.z, p[2]));
    }
    return (double)tgDistance(low, high);
}

static bool tgTakeFlesh(tgFleshMaker* maker, tgScratch* scratch)
{
    const tgFleshDef* def = &maker->def->flesh;
    tgFlesh* flesh = maker->flesh;
    size_t driven = 0, springs = 0;
    for (int i = 0; i < def->elementCount; ++i) {
        const tgFleshElement* element = &def->elements[i];
        bool byChildren = element->driven == NULL || element->drivenCount < 1;
        driven += (size_t)(byChildren ? maker->skeleton->jointCount : element->drivenCount);
        springs += (size_t)element->springCount;
    }
    flesh->elementCount = def->elementCount;
    flesh->elements = tgScratch_Take(scratch, (size_t)def->elementCount, sizeof(tgElement));
    flesh->driven = tgScratch_Take(scratch, driven, sizeof(int));
    flesh->springs = tgScratch_Take(scratch, springs, sizeof(tgElementSpring));
    maker->ofBone = tgScratch_Take(scratch, (size_t)maker->skeleton->jointCount, sizeof(bool));
    maker->inside = tgScratch_Take(scratch, (size_t)maker->mesh->vertexCount, sizeof(bool));
    maker->depth = tgScratch_Take(scratch, (size_t)maker->mesh->vertexCount, sizeof(float));
    return !scratch->failed && tgMakePatchMeter(maker->mesh, maker->rest, scratch, &maker->meter);
}

tgResult tgBuildFlesh(const tgRigDef* def, const tgMesh* mesh, const tgSkeleton* skeleton,
                      const tgInfluences* influences, const float* rest, tgScratch* scratch,
                      tgFlesh* flesh, tgError* error)
{
    *flesh = (tgFlesh){0};
    tgFleshMaker maker = {.def = def,
                          .mesh = mesh,
                          .skeleton = skeleton,
                          .influences = influences,
                          .rest = rest,
                          .diagonal = tgGetDiagonal(mesh, rest),
                          .flesh = flesh};
    size_t count = (size_t)mesh->vertexCount;
    float* weights =
        tgScratch_Take(scratch, (size_t)def->flesh.elementCount * count, sizeof(float));
    float* twists = tgScratch_Take(scratch, (size_t)def->flesh.elementCount * count, sizeof(float));
    if (!tgTakeFlesh(&maker, scratch)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the flesh");
    }
    for (int i = 0; i < def->flesh.elementCount; ++i) {
        tgResult result = tgMakeBone(&maker, i, error);
        if (result == tg_success) {
            tgMarkFurtherJoints(&maker, i);
            result = tgFillWeights(&maker, i, weights + (size_t)i * count,
                                   twists + (size_t)i * count, error);
        }
        if (result == tg_success) {
            result = tgSetSprings(&maker, i, error);
        }
        if (result != tg_success) {
            return result;
        }
        tgCopyNumbers(&maker, i);
    }
    return tgMakeFleshGroups(mesh->vertexCount, weights, twists, scratch, flesh)
               ? tg_success
               : tgFail(error, tg_outOfMemory, -1, "no memory for the flesh");
}

static void* tgPlaceFleshArray(tgLayout* layout, const void* from, int count, size_t size)
{
    void* to = tgLayout_Take(layout, (size_t)count, size);
    if (to != NULL && count > 0) {
        memcpy(to, from, (size_t)count * size);
    }
    return to;
}

void tgFlesh_Place(const tgFlesh* built, tgLayout* layout, tgFlesh* placed)
{
    *placed = *built;
    placed->elements =
        tgPlaceFleshArray(layout, built->elements, built->elementCount, sizeof(tgElement));
    placed->driven = tgPlaceFleshArray(layout, built->driven, built->drivenCount, sizeof(int));
    placed->springs =
        tgPlaceFleshArray(layout, built->springs, built->springCount, sizeof(tgElementSpring));
    placed->groups =
        tgPlaceFleshArray(layout, built->groups, built->groupCount, sizeof(tgFleshGroup));
    placed->groupElements =
        tgPlaceFleshArray(layout, built->groupElements, built->groupElementCount, sizeof(int));
    placed->vertices = tgPlaceFleshArray(layout, built->vertices, built->vertexCount, sizeof(int));
    placed->weights = tgPlaceFleshArray(layout, built->weights, built->weightCount, sizeof(float));
    placed->twistVertices =
        tgPlaceFleshArray(layout, built->twistVertices, built->twistCount, sizeof(int));
    placed->twistWeights =
        tgPlaceFleshArray(layout, built->twistWeights, built->twistCount, sizeof(float));
}
