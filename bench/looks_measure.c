// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How a corrected skin looks beside the plain one. The displacement of a vertex is its corrected
// place less its place under plain skinning with the same blend: contact is part of it, since the
// volume method brings it along. Lengths are divided by the scale of the frame, the cube root of
// the volume to keep over the rest volume.

#include "looks_measure.h"

#include "core/triangulate.h"
#include "play/flips.h"
#include "turgor/io.h"
#include "turgor/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A face crushed to less of its rest area has no normal to speak of; whether it turns over is
/// counted apart. With 0.01 one crease of the reference method turns its worst angle from 52
/// degrees to 99.
static const double tg_leastArea = 0.05;
/// Half the thickness is at least and at most so much of the diagonal, as the method has it.
static const double tg_thinnest = 2e-3, tg_thickest = 0.125;

// ---- the surface --------------------------------------------------------------------------------

/// Twice the vector area.
static tgVec3 tgGetArea(const int* corners, const tgVec3* p)
{
    tgVec3 a = p[corners[0]];
    return tgCross(tgSub(p[corners[1]], a), tgSub(p[corners[2]], a));
}

typedef struct tgHalfEdge {
    int low, high, face;
} tgHalfEdge;

static int tgCompareHalfEdges(const void* a, const void* b)
{
    const tgHalfEdge *x = a, *y = b;
    int order = (x->low > y->low) - (x->low < y->low);
    order = order != 0 ? order : (x->high > y->high) - (x->high < y->high);
    return order != 0 ? order : (x->face > y->face) - (x->face < y->face);
}

static bool tgFindEdges(tgLooksMesh* mesh)
{
    int count = 3 * mesh->triangleCount;
    tgHalfEdge* halves = calloc((size_t)count + 1, sizeof(tgHalfEdge));
    mesh->edges = calloc(4 * (size_t)count + 1, sizeof(int));
    if (halves == NULL || mesh->edges == NULL) {
        free(halves);
        return false;
    }
    for (int i = 0; i < count; ++i) {
        int a = mesh->triangles[i], b = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
        halves[i] = (tgHalfEdge){a < b ? a : b, a < b ? b : a, i / 3};
    }
    qsort(halves, (size_t)count, sizeof(tgHalfEdge), tgCompareHalfEdges);
    for (int i = 0, next; i < count; i = next) {
        for (next = i; next < count && halves[next].low == halves[i].low &&
                       halves[next].high == halves[i].high;) {
            next += 1;
        }
        bool two = next == i + 2;
        int* edge = mesh->edges + 4 * (size_t)mesh->edgeCount++;
        edge[0] = halves[i].low;
        edge[1] = halves[i].high;
        edge[2] = two ? halves[i].face : -1;
        edge[3] = two ? halves[i + 1].face : -1;
    }
    free(halves);
    return true;
}

static void tgMeasureEdges(tgLooksMesh* mesh)
{
    for (int e = 0; e < mesh->edgeCount; ++e) {
        const int* edge = mesh->edges + 4 * (size_t)e;
        double length = (double)tgDistance(mesh->rest[edge[0]], mesh->rest[edge[1]]);
        for (int k = 0; k < 2; ++k) {
            mesh->edgeLengths[edge[k]] += length;
            mesh->neighbourCounts[edge[k]] += 1;
        }
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        mesh->edgeLengths[v] /= fmax(mesh->neighbourCounts[v], 1.0);
    }
}

// ---- the thickness ------------------------------------------------------------------------------

/// Spheres round the triangles, an array for each coordinate: the loop over all of them is short.
typedef struct tgSpheres {
    float *x, *y, *z, *radiusSquared;
} tgSpheres;

static void tgFillSpheres(const tgLooksMesh* mesh, tgSpheres* spheres)
{
    for (int f = 0; f < mesh->triangleCount; ++f) {
        const int* c = mesh->triangles + 3 * (size_t)f;
        tgVec3 middle = tgAdd(tgAdd(mesh->rest[c[0]], mesh->rest[c[1]]), mesh->rest[c[2]]);
        middle = tgMulSV(1.0f / 3.0f, middle);
        float most = 0.0f;
        for (int k = 0; k < 3; ++k) {
            tgVec3 d = tgSub(mesh->rest[c[k]], middle);
            most = fmaxf(most, tgDot(d, d));
        }
        spheres->x[f] = middle.x;
        spheres->y[f] = middle.y;
        spheres->z[f] = middle.z;
        spheres->radiusSquared[f] = 1.0001f * most;
    }
}

/// Where a ray leaves the flesh through a triangle; `most` where it does not. Moeller and Trumbore
/// 1997.
static float tgLeaveBy(tgVec3 origin, tgVec3 direction, const tgVec3* rest, const int* corners,
                       float most)
{
    tgVec3 a = rest[corners[0]], ab = tgSub(rest[corners[1]], a), ac = tgSub(rest[corners[2]], a);
    tgVec3 p = tgCross(direction, ac);
    float det = tgDot(ab, p);
    if (!(det < 0.0f)) {
        return most; // seen from outside, or from the side
    }
    tgVec3 to = tgSub(origin, a), q = tgCross(to, ab);
    float u = tgDot(to, p) / det, v = tgDot(direction, q) / det, t = tgDot(ac, q) / det;
    bool inside = u >= 0.0f && v >= 0.0f && u + v <= 1.0f && t > 0.0f;
    return inside ? fminf(t, most) : most;
}

static float tgLookIn(const tgLooksMesh* mesh, const tgSpheres* spheres, int vertex, tgVec3 in,
                      float most)
{
    tgVec3 o = mesh->rest[vertex];
    float least = most;
    for (int f = 0; f < mesh->triangleCount; ++f) {
        float x = spheres->x[f] - o.x, y = spheres->y[f] - o.y, z = spheres->z[f] - o.z;
        float along = x * in.x + y * in.y + z * in.z;
        float across = x * x + y * y + z * z - along * along;
        if (across > spheres->radiusSquared[f]) {
            continue;
        }
        const int* c = mesh->triangles + 3 * (size_t)f;
        if (c[0] != vertex && c[1] != vertex && c[2] != vertex) {
            least = tgLeaveBy(o, in, mesh->rest, c, least);
        }
    }
    return least;
}

/// Inwards from each vertex to the skin on the other side, halved; of the vertices of a face the
/// least, since from the rim of an ear the way in goes along it. All triangles are tried.
static bool tgMeasureHalfThickness(tgLooksMesh* mesh)
{
    size_t faces = (size_t)mesh->triangleCount, vertices = (size_t)mesh->vertexCount;
    float* memory = calloc(4 * faces + 1, sizeof(float));
    double* own = calloc(vertices + 1, sizeof(double));
    tgVec3* normals = calloc(vertices + 1, sizeof(tgVec3));
    if (memory == NULL || own == NULL || normals == NULL) {
        free(memory);
        free(own);
        free(normals);
        return false;
    }
    tgSpheres spheres = {memory, memory + faces, memory + 2 * faces, memory + 3 * faces};
    tgFillSpheres(mesh, &spheres);
    for (int i = 0; i < 3 * mesh->triangleCount; ++i) {
        tgVec3* n = &normals[mesh->triangles[i]];
        *n = tgAdd(*n, tgGetArea(mesh->triangles + i / 3 * 3, mesh->rest));
    }
    float most = (float)(2.0 * tg_thickest * mesh->diagonal);
    double least = tg_thinnest * mesh->diagonal;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        tgVec3 in = tgNormalize(tgMulSV(-1.0f, normals[v]), tgMakeVec3(0.0f, 0.0f, 0.0f));
        float thickness = tgDot(in, in) > 0.5f ? tgLookIn(mesh, &spheres, v, in, most) : most;
        mesh->halfThickness[v] = own[v] = fmax(0.5 * (double)thickness, least);
    }
    for (int f = 0; f < mesh->triangleCount; ++f) {
        const int* c = mesh->triangles + 3 * (size_t)f;
        double thinnest = fmin(own[c[0]], fmin(own[c[1]], own[c[2]]));
        for (int k = 0; k < 3; ++k) {
            mesh->halfThickness[c[k]] = fmin(mesh->halfThickness[c[k]], thinnest);
        }
    }
    free(memory);
    free(own);
    free(normals);
    return true;
}

bool tgOpenLooksMesh(tgLooksMesh* mesh, const tgVec3* rest, int vertexCount, const int* triangles,
                     int triangleCount)
{
    *mesh = (tgLooksMesh){.vertexCount = vertexCount,
                          .triangleCount = triangleCount,
                          .rest = rest,
                          .triangles = triangles};
    mesh->edgeLengths = calloc((size_t)vertexCount + 1, sizeof(double));
    mesh->halfThickness = calloc((size_t)vertexCount + 1, sizeof(double));
    mesh->restAreas = calloc((size_t)triangleCount + 1, sizeof(double));
    mesh->neighbourCounts = calloc((size_t)vertexCount + 1, sizeof(int));
    bool ok = mesh->edgeLengths != NULL && mesh->halfThickness != NULL && mesh->restAreas != NULL &&
              mesh->neighbourCounts != NULL && tgFindEdges(mesh);
    if (ok) {
        tgVec3 low = rest[0], high = rest[0];
        for (int v = 1; v < vertexCount; ++v) {
            low = tgMakeVec3(fminf(low.x, rest[v].x), fminf(low.y, rest[v].y),
                             fminf(low.z, rest[v].z));
            high = tgMakeVec3(fmaxf(high.x, rest[v].x), fmaxf(high.y, rest[v].y),
                              fmaxf(high.z, rest[v].z));
        }
        mesh->diagonal = (double)tgDistance(low, high);
        for (int f = 0; f < triangleCount; ++f) {
            mesh->restAreas[f] = (double)tgLength(tgGetArea(triangles + 3 * (size_t)f, rest));
        }
        tgMeasureEdges(mesh);
        ok = tgMeasureHalfThickness(mesh);
    }
    if (!ok) {
        tgCloseLooksMesh(mesh);
    }
    return ok;
}

void tgCloseLooksMesh(tgLooksMesh* mesh)
{
    free(mesh->edges);
    free(mesh->neighbourCounts);
    free(mesh->edgeLengths);
    free(mesh->halfThickness);
    free(mesh->restAreas);
    *mesh = (tgLooksMesh){.vertexCount = 0};
}

// ---- counts -------------------------------------------------------------------------------------

bool tgOpenHistogram(tgHistogram* histogram, double binWidth, int binCount)
{
    *histogram = (tgHistogram){.binWidth = binWidth, .binCount = binCount};
    histogram->bins = calloc((size_t)binCount, sizeof(long));
    return histogram->bins != NULL;
}

void tgCloseHistogram(tgHistogram* histogram)
{
    free(histogram->bins);
    *histogram = (tgHistogram){.binCount = 0};
}

void tgHistogram_Add(tgHistogram* histogram, double value)
{
    double bin = value / histogram->binWidth;
    int last = histogram->binCount - 1;
    histogram->bins[bin < last ? (int)bin : last] += 1;
    histogram->total += 1;
    histogram->most = fmax(histogram->most, value);
}

double tgHistogram_GetQuantile(const tgHistogram* histogram, double share)
{
    long wanted = (long)ceil(share * (double)histogram->total), count = 0;
    for (int i = 0; i < histogram->binCount; ++i) {
        count += histogram->bins[i];
        if (count >= wanted) {
            // The upper end of the bin, and never more than the largest that there was.
            return fmin(histogram->binWidth * (i + 1), histogram->most);
        }
    }
    return histogram->most;
}

// ---- measures of one frame ----------------------------------------------------------------------

int tgCountTurnedFaces(const tgLooksMesh* mesh, const tgVec3* from, const tgVec3* to)
{
    int count = 0;
    for (int f = 0; f < mesh->triangleCount; ++f) {
        const int* c = mesh->triangles + 3 * (size_t)f;
        count += tgDot(tgGetArea(c, from), tgGetArea(c, to)) < 0.0f;
    }
    return count;
}

/// The angle between the normals of an edge's faces, from -pi to pi.
/// @param least area, doubled, of each of its faces
/// @return false when a face has no normal
static bool tgGetDihedral(const tgLooksMesh* mesh, const int* edge, const tgVec3* p, double least,
                          double* angle)
{
    tgVec3 a = tgGetArea(mesh->triangles + 3 * (size_t)edge[2], p);
    tgVec3 b = tgGetArea(mesh->triangles + 3 * (size_t)edge[3], p);
    tgVec3 along = tgSub(p[edge[1]], p[edge[0]]);
    double lengthA = (double)tgLength(a), lengthB = (double)tgLength(b);
    double length = (double)tgLength(along);
    if (!(lengthA > least * mesh->restAreas[edge[2]] &&
          lengthB > least * mesh->restAreas[edge[3]] && length > 0.0)) {
        return false;
    }
    double sine = (double)tgDot(tgCross(a, b), along) / length;
    *angle = atan2(sine, (double)tgDot(a, b));
    return true;
}

void tgAddDihedralChanges(const tgLooksMesh* mesh, const tgVec3* from, const tgVec3* to,
                          double scale, tgHistogram* degrees)
{
    const double pi = 3.14159265358979323846;
    double least = tg_leastArea * scale * scale;
    for (int e = 0; e < mesh->edgeCount; ++e) {
        const int* edge = mesh->edges + 4 * (size_t)e;
        double before, after;
        if (edge[2] < 0 || !tgGetDihedral(mesh, edge, from, least, &before) ||
            !tgGetDihedral(mesh, edge, to, least, &after)) {
            continue;
        }
        double change = fabs(after - before);
        change = change > pi ? 2.0 * pi - change : change;
        tgHistogram_Add(degrees, change * 180.0 / pi);
    }
}

double tgFindLump(const tgLooksMesh* mesh, const tgVec3* displacements, double scale,
                  tgVec3* scratch)
{
    // The sum of d_v - d_u over the neighbours u.
    memset(scratch, 0, (size_t)mesh->vertexCount * sizeof(tgVec3));
    for (int e = 0; e < mesh->edgeCount; ++e) {
        const int* edge = mesh->edges + 4 * (size_t)e;
        tgVec3 d = tgSub(displacements[edge[0]], displacements[edge[1]]);
        scratch[edge[0]] = tgAdd(scratch[edge[0]], d);
        scratch[edge[1]] = tgSub(scratch[edge[1]], d);
    }
    double most = 0.0;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        if (mesh->neighbourCounts[v] > 0) {
            double size = (double)tgLength(scratch[v]) / mesh->neighbourCounts[v];
            most = fmax(most, size / (mesh->edgeLengths[v] * scale));
        }
    }
    return most;
}

double tgFindSwell(const tgLooksMesh* mesh, const tgVec3* displacements, double scale)
{
    double most = 0.0;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        if (mesh->neighbourCounts[v] > 0) {
            double half = mesh->halfThickness[v] * scale;
            most = fmax(most, (double)tgLength(displacements[v]) / half);
        }
    }
    return most;
}

// ---- a character in motion ----------------------------------------------------------------------

tgLooksDef tgDefaultLooksDef(void)
{
    return (tgLooksDef){.skinning = tg_linear, .fps = 60.0, .mostVertexFrames = 1e6};
}

/// A skin of the character on stage.
typedef struct tgLooksSkin {
    tgRig* rig;
    tgInstance* instance;
    tgVec3* render; ///< positions as the scene has them
    tgVec3* welded;
} tgLooksSkin;

typedef struct tgLooksStage {
    const tgLooksDef* def;
    tgLooksSkin plain, kept;
    tgFlipCounter flips;
    tgMat34 *nodes, *joints;
    float* morphWeights;
    tgVec3* shape;
    tgVec3* rest; ///< welded
    int* triangles;
    tgLooksMesh mesh;
    tgVec3* displacements[3]; ///< of this frame and the two before it, newest first
    tgVec3* scratch;
    tgHistogram degrees, shakes;
    double leastTarget, mostTarget; ///< volumes to keep
} tgLooksStage;

static tgResult tgOpenSkin(tgLooksSkin* skin, const tgLooksDef* def, const tgVolumeDef* volume,
                           tgError* error)
{
    tgRigDef rigDef = tgScene_GetRigDef(def->scene);
    rigDef.skinning = def->skinning;
    rigDef.volume = *volume;
    skin->rig = tgCreateRig(&rigDef, error);
    if (skin->rig == NULL) {
        return error->code;
    }
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    skin->instance = tgCreateInstance(skin->rig, &instanceDef, error);
    skin->render = calloc((size_t)def->scene->vertexCount + 1, sizeof(tgVec3));
    skin->welded = calloc((size_t)def->scene->vertexCount + 1, sizeof(tgVec3));
    return skin->instance == NULL || skin->render == NULL || skin->welded == NULL ? tg_outOfMemory
                                                                                  : tg_success;
}

static void tgCloseSkin(tgLooksSkin* skin)
{
    tgDestroyInstance(skin->instance);
    tgDestroyRig(skin->rig);
    free(skin->render);
    free(skin->welded);
}

static void tgWeld(const tgRig* rig, const tgVec3* render, tgVec3* welded)
{
    const int* vertices = tgRig_GetWeldedVertices(rig);
    for (int v = 0; v < tgRig_GetVertexCount(rig); ++v) {
        welded[vertices[v]] = render[v];
    }
}

static int tgFindRoot(int* parents, int v)
{
    while (parents[v] != v) {
        v = parents[v] = parents[parents[v]];
    }
    return v;
}

/// Pieces that enclose a negative volume look inwards: turn them.
/// @param parents vertexCount entries
/// @param volumes vertexCount entries, zero
static void tgTurnPieces(const tgVec3* p, int vertexCount, int* triangles, int triangleCount,
                         int* parents, double* volumes)
{
    for (int v = 0; v < vertexCount; ++v) {
        parents[v] = v;
    }
    for (int i = 0; i < 3 * triangleCount; ++i) {
        parents[tgFindRoot(parents, triangles[i])] = tgFindRoot(parents, triangles[i / 3 * 3]);
    }
    for (int f = 0; f < triangleCount; ++f) {
        const int* c = triangles + 3 * (size_t)f;
        int root = tgFindRoot(parents, c[0]);
        // About a vertex of the piece: near enough right for one that is not quite closed.
        tgVec3 o = p[root];
        volumes[root] += (double)tgDot(tgSub(p[c[0]], o), tgGetArea(c, p));
    }
    for (int f = 0; f < triangleCount; ++f) {
        int* c = triangles + 3 * (size_t)f;
        if (volumes[tgFindRoot(parents, c[0])] < 0.0) {
            int last = c[2];
            c[2] = c[1];
            c[1] = last;
        }
    }
}

/// The scene's faces as triangles of welded vertices, all looking outwards.
static bool tgOpenStageMesh(tgLooksStage* stage)
{
    const tgScene* scene = stage->def->scene;
    const int* welded = tgRig_GetWeldedVertices(stage->kept.rig);
    int vertexCount = tgRig_GetInfo(stage->kept.rig).weldedVertexCount, cornerCount = 0;
    for (int f = 0; f < scene->faceCount; ++f) {
        cornerCount += scene->faceSizes[f];
    }
    stage->rest = calloc((size_t)vertexCount + 1, sizeof(tgVec3));
    stage->triangles = calloc(3 * (size_t)cornerCount + 1, sizeof(int));
    int* parents = calloc((size_t)vertexCount + 1, sizeof(int));
    double* volumes = calloc((size_t)vertexCount + 1, sizeof(double));
    int* polygon = calloc((size_t)cornerCount + 1, sizeof(int));
    int* cut = calloc(3 * (size_t)cornerCount + 1, sizeof(int));
    bool ok = stage->rest != NULL && stage->triangles != NULL && parents != NULL &&
              volumes != NULL && polygon != NULL && cut != NULL;
    tgVec3View view = {&scene->positions[0].x, scene->vertexCount, sizeof(tgVec3)};
    if (ok) {
        tgWeld(stage->kept.rig, scene->positions, stage->rest);
        int count = 0;
        const int* corners = scene->faceVertices;
        for (int f = 0; f < scene->faceCount; corners += scene->faceSizes[f], ++f) {
            int size = scene->faceSizes[f];
            memcpy(polygon, corners, (size_t)size * sizeof(int));
            tgTriangulateFace(view, polygon, size, cut); // concave ones as the rig cuts them
            for (int k = 0; k < size - 2; ++k) {
                int a = welded[cut[3 * k]], b = welded[cut[3 * k + 1]], c = welded[cut[3 * k + 2]];
                if (a != b && b != c && c != a) {
                    int* triangle = stage->triangles + 3 * (size_t)count++;
                    triangle[0] = a;
                    triangle[1] = b;
                    triangle[2] = c;
                }
            }
        }
        tgTurnPieces(stage->rest, vertexCount, stage->triangles, count, parents, volumes);
        ok = tgOpenLooksMesh(&stage->mesh, stage->rest, vertexCount, stage->triangles, count);
    }
    free(parents);
    free(volumes);
    free(polygon);
    free(cut);
    return ok;
}

static tgResult tgOpenStage(tgLooksStage* stage, const tgLooksDef* def, tgError* error)
{
    const tgScene* scene = def->scene;
    *stage = (tgLooksStage){.def = def};
    tgVolumeDef none = tgDefaultRigDef().volume, kept = none;
    kept.method = tg_volumeExact;
    tgResult result = tgOpenSkin(&stage->plain, def, &none, error);
    if (result == tg_success) {
        result = tgOpenSkin(&stage->kept, def, def->volume != NULL ? def->volume : &kept, error);
    }
    if (result == tg_success) {
        result = tgOpenFlipCounter(scene, &stage->flips, error);
    }
    if (result != tg_success) {
        return result;
    }
    stage->nodes = calloc((size_t)scene->nodeCount + 1, sizeof(tgMat34));
    stage->joints = calloc((size_t)scene->jointCount + 1, sizeof(tgMat34));
    stage->morphWeights = calloc((size_t)scene->morphCount + 1, sizeof(float));
    stage->shape = calloc((size_t)scene->vertexCount + 1, sizeof(tgVec3));
    stage->scratch = calloc((size_t)scene->vertexCount + 1, sizeof(tgVec3));
    bool ok = stage->nodes != NULL && stage->joints != NULL && stage->morphWeights != NULL &&
              stage->shape != NULL && stage->scratch != NULL;
    for (int i = 0; i < 3; ++i) {
        stage->displacements[i] = calloc((size_t)scene->vertexCount + 1, sizeof(tgVec3));
        ok = ok && stage->displacements[i] != NULL;
    }
    ok = ok && tgOpenStageMesh(stage) && tgOpenHistogram(&stage->degrees, 0.01, 18001) &&
         tgOpenHistogram(&stage->shakes, 1e-4, 1000000);
    return ok ? tg_success : tg_outOfMemory;
}

static void tgCloseStage(tgLooksStage* stage)
{
    tgCloseSkin(&stage->plain);
    tgCloseSkin(&stage->kept);
    tgCloseFlipCounter(&stage->flips);
    tgCloseLooksMesh(&stage->mesh);
    tgCloseHistogram(&stage->degrees);
    tgCloseHistogram(&stage->shakes);
    free(stage->nodes);
    free(stage->joints);
    free(stage->morphWeights);
    free(stage->shape);
    free(stage->rest);
    free(stage->triangles);
    free(stage->scratch);
    for (int i = 0; i < 3; ++i) {
        free(stage->displacements[i]);
    }
}

static tgResult tgPlaySkin(tgLooksSkin* skin, const tgPose* pose, tgError* error)
{
    tgVec3Span out = {&skin->render->x, tgRig_GetVertexCount(skin->rig), sizeof(tgVec3)};
    tgResult result = tgInstance_Deform(skin->instance, pose, out, (tgVec3Span){0}, error);
    if (result == tg_success) {
        tgWeld(skin->rig, skin->render, skin->welded);
    }
    return result;
}

static tgResult tgPlayFrame(tgLooksStage* stage, int frame, tgError* error)
{
    const tgLooksDef* def = stage->def;
    const tgScene* scene = def->scene;
    double time = tgScene_GetFrameTime(scene, def->animation, def->fps, frame);
    tgScene_SamplePose(scene, def->animation, time, stage->nodes, stage->joints,
                       stage->morphWeights);
    tgPose pose = {.joints = stage->joints, .jointCount = scene->jointCount, .time = (float)time};
    if (scene->morphCount > 0) {
        tgScene_SampleShape(scene, stage->morphWeights, stage->shape);
        pose.shapePositions = (tgVec3View){&stage->shape->x, scene->vertexCount, sizeof(tgVec3)};
    }
    tgFlipCounter_SetPose(&stage->flips, stage->joints);
    tgResult result = tgPlaySkin(&stage->plain, &pose, error);
    return result == tg_success ? tgPlaySkin(&stage->kept, &pose, error) : result;
}

static void tgMeasureFlips(const tgLooksStage* stage, tgLooks* looks)
{
    int flips = tgCountTurnedFaces(&stage->mesh, stage->plain.welded, stage->kept.welded);
    looks->flips += flips;
    looks->mostFlips = flips > looks->mostFlips ? flips : looks->mostFlips;
    int plain = tgFlipCounter_Count(&stage->flips, stage->plain.render);
    int kept = tgFlipCounter_Count(&stage->flips, stage->kept.render);
    looks->overCount += kept > 1.05 * plain + 2.0;
    if (looks->frameCount == 0 || kept - 1.05 * plain > looks->turned - 1.05 * looks->plainTurned) {
        looks->plainTurned = plain;
        looks->turned = kept;
    }
}

/// @param nth place of the frame in its run of frames one after the other
static void tgMeasureFrame(tgLooksStage* stage, int nth, tgLooks* looks)
{
    const tgLooksMesh* mesh = &stage->mesh;
    tgVolumeReport volume = tgInstance_MeasureVolume(stage->kept.instance);
    double scale = cbrt(fabs(volume.target / volume.rest));
    scale = scale > 0.0 && isfinite(scale) ? scale : 1.0;
    looks->volumeError = fmax(looks->volumeError, fabs(volume.result / volume.target - 1.0));
    bool isFirst = looks->frameCount == 0;
    stage->leastTarget = isFirst ? volume.target : fmin(stage->leastTarget, volume.target);
    stage->mostTarget = isFirst ? volume.target : fmax(stage->mostTarget, volume.target);
    tgMeasureFlips(stage, looks);
    tgVec3* oldest = stage->displacements[2];
    stage->displacements[2] = stage->displacements[1];
    stage->displacements[1] = stage->displacements[0];
    stage->displacements[0] = oldest;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        oldest[v] = tgSub(stage->kept.welded[v], stage->plain.welded[v]);
    }
    tgAddDihedralChanges(mesh, stage->plain.welded, stage->kept.welded, scale, &stage->degrees);
    looks->lump = fmax(looks->lump, tgFindLump(mesh, oldest, scale, stage->scratch));
    looks->swell = fmax(looks->swell, tgFindSwell(mesh, oldest, scale));
    for (int v = 0; nth >= 2 && v < mesh->vertexCount; ++v) {
        tgVec3 mean = tgMulSV(0.5f, tgAdd(oldest[v], stage->displacements[2][v]));
        double second = 2.0 * (double)tgDistance(mean, stage->displacements[1][v]);
        tgHistogram_Add(&stage->shakes, 100.0 * second / (mesh->diagonal * scale));
    }
    looks->frameCount += 1;
}

tgResult tgMeasureLooks(const tgLooksDef* def, tgLooks* looks, tgError* error)
{
    *looks = (tgLooks){0};
    tgLooksStage stage;
    tgResult result = tgOpenStage(&stage, def, error);
    int frames = tgScene_GetFrameCount(def->scene, def->animation, def->fps);
    double work = (double)frames * def->scene->vertexCount;
    int step = (int)ceil(3.0 * work / def->mostVertexFrames);
    bool all = work <= def->mostVertexFrames;
    for (int first = 0; first < frames && result == tg_success; first += all ? frames : step) {
        int end = all || first + 3 > frames ? frames : first + 3;
        for (int f = first; f < end && result == tg_success; ++f) {
            result = tgPlayFrame(&stage, f, error);
            if (result == tg_success) {
                tgMeasureFrame(&stage, f - first, looks);
            }
        }
    }
    if (result == tg_success) {
        looks->vertexCount = stage.mesh.vertexCount;
        looks->flips /= looks->frameCount;
        looks->targetChange = stage.mostTarget / stage.leastTarget - 1.0;
        looks->dihedral = stage.degrees.most;
        looks->dihedral999 = tgHistogram_GetQuantile(&stage.degrees, 0.999);
        looks->shake = tgHistogram_GetQuantile(&stage.shakes, 0.999);
    }
    tgCloseStage(&stage);
    return result;
}

// ---- the characters -----------------------------------------------------------------------------

const tgLooksCharacter tg_looksCharacters[] = {
    {"CesiumMan.glb", 0, true},
    {"Fox.glb", 2, true},
    {"Trex.fbx", 1, true},
    {"Trex.fbx", 0, true},
    {"Q_Fox.glb", 4, true},
    {"Q_Rat.glb", 1, true},
    {"Q_Apatosaurus.glb", 5, true},
    {"Q_Spider.glb", 1, true},
    {"Q_KnightCharacter.glb", 6, true},
    {"godot_player.glb", 4, true},
    {"spot_vs.glb", 0, true},
    {"elephant_african_bush.glb", 0, true},
    {"elephant_african_bush.glb", 4, true},
    {"giraffe_adult.glb", 3, true},
    {"giraffe_vs.glb", 0, true},
    {"Yeti.glb", 0, true},
    {"human_makehuman.glb", 0, true},
    {"Snake.fbx", 2, true},
    {"turkey_walk.dae", 0, true},
    {"RiggedFigure.glb", 0, true},
    {"hand_bones.glb", 0, true},
    {"arm", 0, true},
    {"elephant", 0, true},
    {"giraffe", 0, true},
    {"cat", 0, true},
    {"hand", 0, true},
    {"finger", 0, true},
    {"cylinder", 0, true},
    {"mushroom", 0, false},
    {NULL, 0, false},
};

tgScene* tgLoadLooksScene(const tgLooksCharacter* character, const char* folder, tgError* error)
{
    if (strchr(character->name, '.') == NULL) {
        return tgCreateModel(character->name, 0, error);
    }
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", folder, character->name);
    return tgLoadScene(path, error);
}
