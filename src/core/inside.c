// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which pieces have an inside. The volume of a piece is one third of the integral of x . n over its
// faces. It does not depend on the origin if and only if the directed edges of the faces cancel:
// the sum of their boundaries is nothing. A cap over each loop of what is left sees to that
// (boundary.c), so a number always comes out. It says something about the skin unless
//
//   - the piece is one-sided, as a Klein bottle is: its faces cannot be turned so that all pairs
//     at an edge walk it in opposite directions. Where the remaining edges lie, and so the caps,
//     is then an accident of the order of the faces;
//   - the caps have as much area as the faces, or more: a flat sheet, loose triangles. What is
//     enclosed is enclosed by what is not there.
//
// An edge of more than two faces does no harm by itself: four faces in opposing pairs cancel, and
// of three one is a fin, whose own boundary is capped.

#include "core/topology.h"

#include <math.h>
#include <string.h>

/// A sheet that bulges by less than about 3 % of its half width counts as flat: for a bowl of
/// height h on a rim of radius a, cap over faces is 1 / (1 + (h/a)^2).
static const double tg_mostCap = 0.999;

static double tgGetArea(const float* positions, int a, int b, int c)
{
    const float* o = positions + 4 * (size_t)a;
    double u[3], v[3];
    for (int i = 0; i < 3; ++i) {
        u[i] = (double)positions[4 * (size_t)b + (size_t)i] - (double)o[i];
        v[i] = (double)positions[4 * (size_t)c + (size_t)i] - (double)o[i];
    }
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

bool tgFindOneSided(tgMesh* mesh, const bool* conflicts, tgScratch* scratch)
{
    mesh->hasInside = tgScratch_Take(scratch, (size_t)mesh->componentCount, sizeof(bool));
    if (scratch->failed) {
        return false;
    }
    memset(mesh->hasInside, true, (size_t)mesh->componentCount * sizeof(bool));
    for (int f = 0; f < mesh->triangleCount + mesh->quadCount; ++f) {
        int piece = mesh->vertexComponent[tgMesh_Corners(mesh, f)[0]];
        if (conflicts[f] && mesh->hasInside[piece]) {
            mesh->hasInside[piece] = false;
            mesh->oneSidedCount += 1;
        }
    }
    mesh->noInsideCount = mesh->oneSidedCount;
    return true;
}

bool tgFindSheets(tgMesh* mesh, const float* positions, tgScratch* step)
{
    double* faces = tgScratch_Take(step, (size_t)mesh->componentCount, sizeof(double));
    double* caps = tgScratch_Take(step, (size_t)mesh->componentCount, sizeof(double));
    if (step->failed) {
        return false;
    }
    for (int f = 0; f < mesh->triangleCount + mesh->quadCount; ++f) {
        const int* c = tgMesh_Corners(mesh, f);
        int piece = mesh->vertexComponent[c[0]];
        for (int k = 1; k + 1 < tgMesh_SideCount(mesh, f); ++k) {
            faces[piece] += tgGetArea(positions, c[0], c[k], c[k + 1]);
        }
    }
    for (int l = 0; l < mesh->loopCount; ++l) {
        int begin = mesh->loopStart[l], count = mesh->loopStart[l + 1] - begin;
        const int* loop = mesh->loopVertices + begin;
        for (int i = 0; i < count; ++i) {
            caps[mesh->vertexComponent[loop[0]]] +=
                tgGetArea(positions, loop[i], loop[(i + 1) % count], mesh->vertexCount + l);
        }
    }
    for (int piece = 0; piece < mesh->componentCount; ++piece) {
        bool isSheet = !(caps[piece] < tg_mostCap * faces[piece]);
        mesh->noInsideCount += mesh->hasInside[piece] && isSheet;
        mesh->hasInside[piece] = mesh->hasInside[piece] && !isSheet;
    }
    return true;
}

/// Stable: faces without an inside first.
/// @param size corners of each
/// @return how many those are
static int tgPartFaces(const tgMesh* mesh, int count, int size, int* corners, int* render,
                       bool* turned, tgScratch* step)
{
    int* sorted = tgScratch_Take(step, 2 * (size_t)size * (size_t)count, sizeof(int));
    bool* flags = tgScratch_Take(step, (size_t)count, sizeof(bool));
    if (step->failed) {
        return 0;
    }
    size_t faceSize = (size_t)size * sizeof(int);
    int* sortedRender = sorted + (size_t)size * (size_t)count;
    int at = 0, loose = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int f = 0; f < count; ++f) {
            size_t from = (size_t)size * (size_t)f, to = (size_t)size * (size_t)at;
            if (tgMesh_HasInside(mesh, corners[from]) == (pass == 1)) {
                memcpy(sorted + to, corners + from, faceSize);
                memcpy(sortedRender + to, render + from, faceSize);
                flags[at++] = turned[f];
            }
        }
        loose = pass == 0 ? at : loose;
    }
    memcpy(corners, sorted, faceSize * (size_t)count);
    memcpy(render, sortedRender, faceSize * (size_t)count);
    memcpy(turned, flags, (size_t)count * sizeof(bool));
    return loose;
}

bool tgPutLooseFirst(tgMesh* mesh, bool* turned, tgScratch* step)
{
    if (mesh->noInsideCount > 0) {
        mesh->looseTriangleCount = tgPartFaces(mesh, mesh->triangleCount, 3, mesh->triangles,
                                               mesh->triangleRender, turned, step);
        mesh->looseQuadCount = tgPartFaces(mesh, mesh->quadCount, 4, mesh->quads, mesh->quadRender,
                                           turned + mesh->triangleCount, step);
    }
    return !step->failed;
}
