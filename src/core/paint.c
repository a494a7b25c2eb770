// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Painted gamma (2008 s.4), from render vertices to welded ones. The paint of all joints is the
// first set; joints with a paint of their own have one of the others. Runs once, at creation.

#include "core/paint.h"

#include "core/core.h"

#include <math.h>
#include <stdio.h>

static tgResult tgCheckValues(const float* values, int count, int joint, tgError* error)
{
    for (int v = 0; v < count; ++v) {
        if (!(values[v] >= 0.0f && values[v] <= 1.0f)) { // NaN is not either
            char where[32] = "all joints";
            if (joint >= 0) {
                snprintf(where, sizeof(where), "joint %d", joint);
            }
            return tgFail(error, tg_invalidArgument, v,
                          "the paint of %s is %g at vertex %d, wanted 0 to 1", where,
                          (double)values[v], v);
        }
    }
    return tg_success;
}

tgResult tgCheckPaint(const tgRigDef* def, tgError* error)
{
    const tgVolumeDef* volume = &def->volume;
    int count = def->restPositions.count;
    tgResult result = tg_success;
    if (volume->paint != NULL) {
        result = tgCheckValues(volume->paint, count, -1, error);
    }
    for (int i = 0; result == tg_success && i < volume->jointPaintCount; ++i) {
        const tgJointPaint* entry = &volume->jointPaints[i];
        if (entry->joint < 0 || entry->joint >= def->jointCount || entry->paint == NULL) {
            return tgFail(error, tg_invalidArgument, entry->joint,
                          "%s joint %d, the skeleton has %d joints",
                          entry->paint == NULL ? "there is no paint for" : "there is a paint for",
                          entry->joint, def->jointCount);
        }
        result = tgCheckValues(entry->paint, count, entry->joint, error);
    }
    return result;
}

static void tgReadSet(const tgMesh* mesh, const float* values, float* set, float* most)
{
    for (int v = 0; v < mesh->vertexCount; ++v) {
        set[v] = values != NULL ? values[mesh->vertexToRender[v]] : 1.0f;
        most[v] = fmaxf(most[v], set[v]);
    }
}

bool tgBuildPaint(const tgRigDef* def, const tgMesh* mesh, tgScratch* scratch, tgPaint* paint)
{
    const tgVolumeDef* volume = &def->volume;
    *paint = (tgPaint){0};
    if (volume->paint == NULL && volume->jointPaintCount == 0) {
        return true;
    }
    size_t vertices = (size_t)mesh->vertexCount, sets = (size_t)volume->jointPaintCount + 1;
    paint->vertexCount = mesh->vertexCount;
    paint->sets = tgScratch_Take(scratch, sets * vertices, sizeof(float));
    paint->most = tgScratch_Take(scratch, vertices, sizeof(float));
    paint->jointSets = tgScratch_Take(scratch, (size_t)def->jointCount, sizeof(int));
    if (scratch->failed) {
        return false;
    }
    tgReadSet(mesh, volume->paint, paint->sets, paint->most);
    for (int i = 0; i < volume->jointPaintCount; ++i) {
        const tgJointPaint* entry = &volume->jointPaints[i];
        paint->jointSets[entry->joint] = i + 1;
        tgReadSet(mesh, entry->paint, paint->sets + ((size_t)i + 1) * vertices, paint->most);
    }
    paint->setCount = (int)sets;
    return true;
}

void tgPaint_Place(const tgPaint* built, int jointCount, tgLayout* layout, tgPaint* placed)
{
    *placed = *built;
    if (built->setCount > 0) {
        size_t vertices = (size_t)built->vertexCount;
        placed->sets =
            tgPlaceArray(layout, built->sets, (size_t)built->setCount * vertices, sizeof(float));
        placed->most = tgPlaceArray(layout, built->most, vertices, sizeof(float));
        placed->jointSets = tgPlaceArray(layout, built->jointSets, (size_t)jointCount, sizeof(int));
    }
}
