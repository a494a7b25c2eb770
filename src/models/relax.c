// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Each pass moves every vertex half way to the mean of its neighbours, keeps only the part along
// the surface, and takes one Newton step back onto the field's zero. The staircase of the grid is
// gone after a few passes; more of them even out the quads.

#include "models/relax.h"

#include <stdlib.h>
#include <string.h>

enum {
    tg_coarsePassCount = 12,
    tg_finePassCount = 4,
    tg_projectStepCount = 2,
    tg_rimPassCount = 12
};

// No vertex moves farther at once, in cells: keeps a thin ear's two sides apart.
static const float tg_longestStep = 0.4f;

bool tgNeighbors_Create(tgNeighbors* neighbors, const tgQuadMesh* mesh)
{
    size_t cornerCount = 4 * (size_t)mesh->quadCount;
    neighbors->start = calloc((size_t)mesh->vertexCount + 1, sizeof(int));
    neighbors->list = malloc((2 * cornerCount + 1) * sizeof(int));
    if (neighbors->start == NULL || neighbors->list == NULL) {
        tgNeighbors_Destroy(neighbors);
        return false;
    }
    for (size_t i = 0; i < cornerCount; ++i) {
        neighbors->start[mesh->quads[i]] += 2;
    }
    int sum = 0;
    for (int v = 0; v <= mesh->vertexCount; ++v) {
        sum += neighbors->start[v];
        neighbors->start[v] = sum;
    }
    // Filling from the back turns each end into the start it should be.
    for (size_t i = cornerCount; i-- > 0;) {
        const int* quad = &mesh->quads[i & ~(size_t)3];
        int* end = &neighbors->start[mesh->quads[i]];
        neighbors->list[--*end] = quad[(i + 1) & 3];
        neighbors->list[--*end] = quad[(i + 3) & 3];
    }
    return true;
}

void tgNeighbors_Destroy(tgNeighbors* neighbors)
{
    free(neighbors->start);
    free(neighbors->list);
    *neighbors = (tgNeighbors){0};
}

static tgVec3 tgLimitStep(tgVec3 step, float longest)
{
    float length = tgLength(step);
    return length > longest ? tgMulSV(longest / length, step) : step;
}

/// One Newton step to the field's zero.
static tgVec3 tgProject(const tgField* field, tgVec3 p, float longest)
{
    tgFieldSample sample = tgField_Sample(field, p);
    float lengthSquared = fmaxf(tgDot(sample.gradient, sample.gradient), 0.04f);
    tgVec3 step = tgMulSV(-sample.value / lengthSquared, sample.gradient);
    return tgAdd(p, tgLimitStep(step, longest));
}

static tgVec3 tgMeanOfNeighbors(const tgNeighbors* neighbors, const tgVec3* positions, int v)
{
    tgVec3 sum = {0.0f, 0.0f, 0.0f};
    int begin = neighbors->start[v], end = neighbors->start[v + 1];
    for (int k = begin; k < end; ++k) {
        sum = tgAdd(sum, positions[neighbors->list[k]]);
    }
    return tgMulSV(1.0f / (float)(end - begin), sum);
}

typedef struct tgRelaxation {
    tgQuadMesh* mesh;
    const tgNeighbors* neighbors;
    tgVec3* normals;
    float* sharpness; ///< 1 where the surface turns round within a cell, as at an ear's rim; else 0
    tgVec3* moved;
} tgRelaxation;

static void tgFindSharpPlaces(tgRelaxation* relaxation, const tgField* field)
{
    const tgNeighbors* neighbors = relaxation->neighbors;
    tgVec3* gradients = relaxation->normals;
    for (int v = 0; v < relaxation->mesh->vertexCount; ++v) {
        gradients[v] = tgField_Sample(field, relaxation->mesh->positions[v]).gradient;
    }
    for (int v = 0; v < relaxation->mesh->vertexCount; ++v) {
        float least = 1.0f;
        for (int k = neighbors->start[v]; k < neighbors->start[v + 1]; ++k) {
            least = fminf(least, tgDot(gradients[v], gradients[neighbors->list[k]]));
        }
        relaxation->sharpness[v] = fmaxf(0.0f, fminf(1.0f, 1.6f - 2.0f * least));
    }
}

/// One pass along the surface and back onto it. The mesh's own normals say what is along: at a rim
/// that turns within a cell the field's would let vertices slide off to the sides.
static void tgSlide(tgRelaxation* relaxation, const tgField* field)
{
    tgQuadMesh* mesh = relaxation->mesh;
    float longest = tg_longestStep * mesh->cellSize;
    tgQuadMesh_ComputeNormals(mesh, relaxation->normals);
    for (int v = 0; v < mesh->vertexCount; ++v) {
        tgVec3 p = mesh->positions[v], normal = relaxation->normals[v];
        tgVec3 step = tgSub(tgMeanOfNeighbors(relaxation->neighbors, mesh->positions, v), p);
        step = tgMulAdd(step, -tgDot(step, normal), normal);
        relaxation->moved[v] = tgAdd(p, tgLimitStep(tgMulSV(0.5f, step), longest));
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        mesh->positions[v] = tgProject(field, relaxation->moved[v], longest);
    }
}

/// A rim that has now one, now two vertices across is jagged though all of them are on the surface.
/// A low-pass filter takes that out (Taubin 1995): shrink a little, grow a little more.
static void tgSmoothRims(tgRelaxation* relaxation)
{
    tgQuadMesh* mesh = relaxation->mesh;
    for (int pass = 0; pass < tg_rimPassCount; ++pass) {
        float rate = (pass & 1) == 0 ? 0.5f : -0.53f;
        for (int v = 0; v < mesh->vertexCount; ++v) {
            tgVec3 p = mesh->positions[v];
            relaxation->moved[v] = p;
            if (relaxation->sharpness[v] > 0.0f) {
                tgVec3 step =
                    tgSub(tgMeanOfNeighbors(relaxation->neighbors, mesh->positions, v), p);
                relaxation->moved[v] = tgMulAdd(p, rate * relaxation->sharpness[v], step);
            }
        }
        memcpy(mesh->positions, relaxation->moved, (size_t)mesh->vertexCount * sizeof(tgVec3));
    }
}

static void tgRunRelaxation(tgRelaxation* relaxation, const tgField* coarse, const tgField* fine)
{
    tgQuadMesh* mesh = relaxation->mesh;
    for (int pass = 0; pass < tg_coarsePassCount + tg_finePassCount; ++pass) {
        tgSlide(relaxation, pass < tg_coarsePassCount ? coarse : fine);
    }
    float longest = tg_longestStep * mesh->cellSize;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        for (int step = 0; step < tg_projectStepCount; ++step) {
            mesh->positions[v] = tgProject(fine, mesh->positions[v], longest);
        }
    }
    tgFindSharpPlaces(relaxation, fine);
    tgSmoothRims(relaxation);
}

bool tgQuadMesh_Relax(tgQuadMesh* mesh, const tgField* coarse, const tgField* fine,
                      const tgNeighbors* neighbors)
{
    size_t count = (size_t)mesh->vertexCount;
    tgRelaxation relaxation = {.mesh = mesh,
                               .neighbors = neighbors,
                               .normals = malloc(count * sizeof(tgVec3)),
                               .sharpness = malloc(count * sizeof(float)),
                               .moved = malloc(count * sizeof(tgVec3))};
    bool ok =
        relaxation.normals != NULL && relaxation.sharpness != NULL && relaxation.moved != NULL;
    if (ok) {
        tgRunRelaxation(&relaxation, coarse, fine);
    }
    free(relaxation.normals);
    free(relaxation.sharpness);
    free(relaxation.moved);
    return ok;
}

void tgQuadMesh_ComputeNormals(const tgQuadMesh* mesh, tgVec3* normals)
{
    memset(normals, 0, (size_t)mesh->vertexCount * sizeof(tgVec3));
    for (int f = 0; f < mesh->quadCount; ++f) {
        const int* quad = &mesh->quads[4 * f];
        // The cross product of the diagonals is twice the quad's vector area.
        tgVec3 area = tgCross(tgSub(mesh->positions[quad[2]], mesh->positions[quad[0]]),
                              tgSub(mesh->positions[quad[3]], mesh->positions[quad[1]]));
        for (int k = 0; k < 4; ++k) {
            normals[quad[k]] = tgAdd(normals[quad[k]], area);
        }
    }
    for (int v = 0; v < mesh->vertexCount; ++v) {
        normals[v] = tgNormalize(normals[v], tgMakeVec3(0.0f, 1.0f, 0.0f));
    }
}
