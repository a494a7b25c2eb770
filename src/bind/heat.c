// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Diffusion over the skin (Baran and Popovic 2007; Rohmer, Hahmann, Cani 2009): each vertex takes
// heat from the bone nearest to it through the inside, and gives it to its neighbours,
//   (L + M H) w_i = M H p_i,
// L the cotangent Laplacian, M the area of each vertex, H = c / d^2 with d the nearest distance,
// p_i the share of joint i in the vertex. L 1 = 0, so the w_i of a vertex sum to 1. One
// factorisation serves all joints, a block of them at a time.
//
// Cotangents are raw: the few weights that come out below 0 are cut off in the end. Clamping the
// cotangents instead costs five times the error.

#include "bind/heat.h"

#include "core/core.h"

#include <math.h>
#include <string.h>

enum { tg_blockWidth = 16 };

/// Areas are at least this fraction of the square of the diagonal.
static const double tg_leastMass = 1e-10;
/// A triangle counts as at least so high, for its longest side: its Laplacian stays positive.
static const double tg_leastHeight = 2e-6;
/// What diffuses further is not kept.
static const double tg_leastHeat = 1e-5;

typedef struct tgHeatSystem {
    const tgBody* body;
    tgTriplet* triplets;
    size_t tripletCount;
    double* mass;
} tgHeatSystem;

/// Adds one triangle times `share`. Its entries are K_ij = e_i . e_j / (4 A), with e_i the side
/// against corner i, which is -cot / 2 off the diagonal.
static void tgAddTriangle(tgHeatSystem* system, int a, int b, int c, double share)
{
    const int corners[3] = {a, b, c};
    double sides[3][3];
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        tgVec3 from = system->body->positions[corners[(k + 1) % 3]];
        tgVec3 to = system->body->positions[corners[(k + 2) % 3]];
        sides[k][0] = (double)to.x - (double)from.x;
        sides[k][1] = (double)to.y - (double)from.y;
        sides[k][2] = (double)to.z - (double)from.z;
        longest = fmax(longest, sides[k][0] * sides[k][0] + sides[k][1] * sides[k][1] +
                                    sides[k][2] * sides[k][2]);
    }
    double x = sides[0][1] * sides[1][2] - sides[0][2] * sides[1][1];
    double y = sides[0][2] * sides[1][0] - sides[0][0] * sides[1][2];
    double z = sides[0][0] * sides[1][1] - sides[0][1] * sides[1][0];
    double area = 0.5 * sqrt(x * x + y * y + z * z);
    if (!(longest > 0.0)) {
        return;
    }
    double scale = share / (4.0 * fmax(area, 0.5 * tg_leastHeight * longest));
    for (int i = 0; i < 3; ++i) {
        system->mass[corners[i]] += share * area / 3.0;
        for (int j = i; j < 3; ++j) {
            double dot =
                sides[i][0] * sides[j][0] + sides[i][1] * sides[j][1] + sides[i][2] * sides[j][2];
            system->triplets[system->tripletCount++] =
                (tgTriplet){corners[i], corners[j], scale * dot};
        }
    }
}

/// The system matrix; `heat` becomes M H.
static bool tgAssemble(tgHeatSystem* system, const tgClaims* claims, float strength,
                       tgScratch* scratch, double* heat, tgSparse* matrix)
{
    const tgMesh* mesh = &system->body->mesh;
    size_t vertexCount = (size_t)system->body->vertexCount;
    size_t room = 6 * ((size_t)mesh->triangleCount + 4 * (size_t)mesh->quadCount) + vertexCount;
    system->triplets = tgScratch_Take(scratch, room, sizeof(tgTriplet));
    system->mass = tgScratch_Take(scratch, vertexCount, sizeof(double));
    if (scratch->failed) {
        return false;
    }
    for (int t = 0; t < mesh->triangleCount; ++t) {
        const int* c = mesh->triangles + 3 * (size_t)t;
        tgAddTriangle(system, c[0], c[1], c[2], 1.0);
    }
    for (int q = 0; q < mesh->quadCount; ++q) { // the mean of both ways to cut it
        const int* c = mesh->quads + 4 * (size_t)q;
        for (int k = 0; k < 4; ++k) {
            tgAddTriangle(system, c[k], c[(k + 1) % 4], c[(k + 2) % 4], 0.5);
        }
    }
    double diagonal = (double)system->body->diagonal;
    for (size_t v = 0; v < vertexCount; ++v) {
        double distance = (double)claims[v].distances[0];
        double mass = fmax(system->mass[v], tg_leastMass * diagonal * diagonal);
        // A bone nearer than the mesh is fine would pin the vertex against its neighbours.
        heat[v] = (double)strength * mass / fmax(distance * distance, mass);
        system->triplets[system->tripletCount++] = (tgTriplet){(int)v, (int)v, heat[v]};
    }
    return tgMakeSparse((int)vertexCount, system->triplets, system->tripletCount, scratch, matrix);
}

/// p_i of a vertex's claims: all to the nearest, going over smoothly where another is as near.
static void tgShareClaims(const tgClaims* claims, float shares[tg_mostClaims])
{
    float sum = 0.0f;
    for (int i = 0; i < claims->count; ++i) {
        float further = claims->distances[i] - claims->distances[0];
        float left = claims->distances[0] > 0.0f
                         ? 1.0f - further / (tg_claimBand * claims->distances[0])
                         : (further > 0.0f ? 0.0f : 1.0f);
        shares[i] = left > 0.0f ? left * left : 0.0f;
        sum += shares[i];
    }
    for (int i = 0; i < claims->count; ++i) {
        shares[i] /= sum;
    }
}

/// Joints that claim anything, and M H p in blocks of them: solve, keep, next.
static tgResult tgSolveBlocks(const tgBody* body, const tgClaims* claims, int jointCount,
                              const double* heat, const tgFactor* factor,
                              const tgProgress* progress, tgScratch* scratch, tgWeights* weights,
                              tgError* error)
{
    size_t vertexCount = (size_t)body->vertexCount;
    double* values = tgScratch_Take(scratch, vertexCount * tg_blockWidth, sizeof(double));
    int* columns = tgScratch_Take(scratch, (size_t)jointCount, sizeof(int));
    if (scratch->failed) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the weights");
    }
    int columnCount = 0;
    for (int j = 0; j < jointCount; ++j) {
        columns[j] = -1;
    }
    for (size_t v = 0; v < vertexCount; ++v) {
        for (int i = 0; i < claims[v].count; ++i) {
            int* column = &columns[claims[v].joints[i]];
            *column = *column < 0 ? columnCount++ : *column;
        }
    }
    for (int begin = 0; begin < columnCount; begin += tg_blockWidth) {
        tgTellProgress(progress, "weights", begin, columnCount);
        memset(values, 0, vertexCount * tg_blockWidth * sizeof(double));
        for (size_t v = 0; v < vertexCount; ++v) {
            float shares[tg_mostClaims];
            tgShareClaims(&claims[v], shares);
            for (int i = 0; i < claims[v].count; ++i) {
                int column = columns[claims[v].joints[i]] - begin;
                if (column >= 0 && column < tg_blockWidth) {
                    values[v * tg_blockWidth + (size_t)column] = heat[v] * (double)shares[i];
                }
            }
        }
        if (!tgFactor_Solve(factor, tg_blockWidth, values)) {
            return tgFail(error, tg_outOfMemory, -1, "no memory for the solution");
        }
        for (int j = 0; j < jointCount; ++j) {
            int column = columns[j] - begin;
            for (size_t v = 0; v < vertexCount && column >= 0 && column < tg_blockWidth; ++v) {
                double weight = values[v * tg_blockWidth + (size_t)column];
                if (weight > tg_leastHeat) {
                    tgWeights_Add(weights, (int)v, j, (float)weight);
                }
            }
        }
    }
    return tg_success;
}

tgResult tgDiffuse(const tgBody* body, const tgClaims* claims, int jointCount, float strength,
                   const tgProgress* progress, tgScratch* scratch, tgWeights* weights,
                   tgError* error)
{
    tgHeatSystem system = {.body = body};
    tgSparse matrix;
    double* heat = tgScratch_Take(scratch, (size_t)body->vertexCount, sizeof(double));
    if (scratch->failed || !tgAssemble(&system, claims, strength, scratch, heat, &matrix)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for the diffusion");
    }
    tgFactor* factor = tgCreateFactor(&matrix, error);
    if (factor == NULL) {
        return error != NULL ? error->code : tg_notConverged;
    }
    tgResult result =
        tgSolveBlocks(body, claims, jointCount, heat, factor, progress, scratch, weights, error);
    tgDestroyFactor(factor);
    return result;
}
