// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Everything a scene has at its vertices and faces, carried to a finer mesh. A part keeps the
// vertices it has, in their order, and the new ones follow them; so its vertices and faces stay
// one run each, as files want them.

#include "io/scene_refine.h"

#include "core/core.h"
#include "io/scene_finish.h"
#include "io/scene_select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Runs of vertices that parts share or that lie between them: new vertices go to the end of the
/// run of the vertices they lie between.
typedef struct tgRuns {
    int count;
    int* starts;    ///< count + 1, old vertices
    int* runOf;     ///< of each old vertex
    int* newStarts; ///< count + 1, new numbers
    int* newNumber; ///< of each vertex of the refinement
} tgRuns;

static void tgFreeRuns(tgRuns* runs)
{
    free(runs->starts);
    free(runs->runOf);
    free(runs->newStarts);
    free(runs->newNumber);
}

/// A run starts at the first vertex of a part and behind its last, unless another part goes across.
static bool tgFindRuns(const tgScene* scene, tgRuns* runs)
{
    size_t vertexCount = (size_t)scene->vertexCount;
    int* covers = calloc(vertexCount + 1, sizeof(int)); // parts that cover vertices v - 1 and v
    bool* isBorder = calloc(vertexCount + 1, sizeof(bool));
    runs->runOf = calloc(vertexCount, sizeof(int));
    runs->starts = calloc(2 * (size_t)scene->partCount + 2, sizeof(int));
    bool done = covers != NULL && isBorder != NULL && runs->runOf != NULL && runs->starts != NULL;
    for (int p = 0; p < scene->partCount && done; ++p) {
        const tgScenePart* part = &scene->parts[p];
        int first = part->firstVertex, end = part->firstVertex + part->vertexCount;
        if (part->vertexCount > 0) {
            isBorder[first] = isBorder[end] = true;
            covers[first + 1] += 1;
            covers[end] -= 1;
        }
    }
    int inside = 0;
    for (int v = 0; v < scene->vertexCount && done; ++v) {
        inside += covers[v];
        if (v == 0 || (isBorder[v] && inside == 0)) {
            runs->starts[runs->count++] = v;
        }
        runs->runOf[v] = runs->count - 1;
    }
    if (done) {
        runs->starts[runs->count] = scene->vertexCount;
    }
    free(covers);
    free(isBorder);
    return done;
}

/// Give every vertex of the refinement its number in the finer scene.
static bool tgNumberVertices(const tgRefinement* refinement, tgRuns* runs)
{
    int coarseCount = refinement->coarseVertexCount;
    runs->newStarts = calloc((size_t)runs->count + 1, sizeof(int));
    runs->newNumber = calloc((size_t)refinement->vertexCount, sizeof(int));
    int* next = calloc((size_t)runs->count + 1, sizeof(int));
    if (runs->newStarts == NULL || runs->newNumber == NULL || next == NULL) {
        free(next);
        return false;
    }
    for (int v = coarseCount; v < refinement->vertexCount; ++v) {
        next[runs->runOf[refinement->means[v - coarseCount].vertices[0]]] += 1;
    }
    for (int r = 0; r < runs->count; ++r) {
        int oldCount = runs->starts[r + 1] - runs->starts[r];
        runs->newStarts[r + 1] = runs->newStarts[r] + oldCount + next[r];
        next[r] = runs->newStarts[r] + oldCount;
    }
    for (int v = 0; v < refinement->vertexCount; ++v) {
        if (v < coarseCount) {
            int r = runs->runOf[v];
            runs->newNumber[v] = v - runs->starts[r] + runs->newStarts[r];
        } else {
            runs->newNumber[v] =
                next[runs->runOf[refinement->means[v - coarseCount].vertices[0]]]++;
        }
    }
    free(next);
    return true;
}

/// One level of work: what it makes lies in the scene's memory from the start.
typedef struct tgRefineLevel {
    tgScene* scene;
    const tgRefinement* refinement;
    tgRuns runs;
    float* scratch; ///< the widest array of all vertices, in the refinement's order
} tgRefineLevel;

/// An array of the scene, carried over and put in order; NULL without memory.
/// @param isPlace the same on both sides of a seam
static float* tgCarryFloats(tgRefineLevel* level, bool isPlace, const float* values, size_t width)
{
    size_t count = (size_t)level->refinement->vertexCount;
    float* carried = tgScene_Alloc(level->scene, count, width * sizeof(float));
    if (carried != NULL) {
        tgRefinement_Average(level->refinement, isPlace, values, (int)width, level->scratch);
    }
    for (size_t v = 0; v < count && carried != NULL; ++v) {
        memcpy(carried + (size_t)level->runs.newNumber[v] * width, level->scratch + v * width,
               width * sizeof(float));
    }
    return carried;
}

static bool tgCarryNormals(tgRefineLevel* level)
{
    tgScene* scene = level->scene;
    float* normals = tgCarryFloats(level, false, &scene->normals->x, 3);
    if (normals == NULL) {
        return false;
    }
    scene->normals = (tgVec3*)(void*)normals;
    for (int v = level->refinement->coarseVertexCount; v < level->refinement->vertexCount; ++v) {
        tgVec3* normal = &scene->normals[level->runs.newNumber[v]];
        *normal = tgNormalize(*normal, *normal);
    }
    return true;
}

static bool tgCarryInfluences(tgRefineLevel* level, tgError* error)
{
    tgScene* scene = level->scene;
    size_t count = (size_t)level->refinement->vertexCount;
    size_t perVertex = (size_t)scene->influencesPerVertex;
    int* joints = tgScene_Alloc(scene, count, perVertex * sizeof(int));
    float* weights = tgScene_Alloc(scene, count, perVertex * sizeof(float));
    int* ownJoints = calloc(count, perVertex * sizeof(int));
    bool done = joints != NULL && weights != NULL && ownJoints != NULL &&
                tgRefinement_AverageInfluences(level->refinement, scene->influencesPerVertex,
                                               scene->influenceJoints, scene->influenceWeights,
                                               ownJoints, level->scratch, error) == tg_success;
    for (size_t v = 0; v < count && done; ++v) {
        size_t to = (size_t)level->runs.newNumber[v] * perVertex;
        memcpy(joints + to, ownJoints + v * perVertex, perVertex * sizeof(int));
        memcpy(weights + to, level->scratch + v * perVertex, perVertex * sizeof(float));
    }
    free(ownJoints);
    if (done) {
        scene->influenceJoints = joints;
        scene->influenceWeights = weights;
    }
    return done;
}

/// Rounding takes no mean out of the range of what it is of: paints stay from 0 to 1.
static void tgKeepWithin(const tgRefineLevel* level, tgSceneAttribute* attribute)
{
    const tgRefinement* refinement = level->refinement;
    const int* newNumber = level->runs.newNumber;
    size_t width = (size_t)attribute->width;
    for (int v = refinement->coarseVertexCount; v < refinement->vertexCount; ++v) {
        const tgVertexMean* mean = &refinement->means[v - refinement->coarseVertexCount];
        for (size_t k = 0; k < width; ++k) {
            float low = HUGE_VALF, high = -HUGE_VALF;
            for (int n = 0; n < 4; ++n) {
                float of = attribute->values[width * (size_t)newNumber[mean->vertices[n]] + k];
                low = mean->weights[n] != 0.0f ? fminf(low, of) : low;
                high = mean->weights[n] != 0.0f ? fmaxf(high, of) : high;
            }
            float* value = &attribute->values[width * (size_t)newNumber[v] + k];
            *value = fminf(fmaxf(*value, low), high);
        }
    }
}

static bool tgCarryAttributes(tgRefineLevel* level)
{
    tgScene* scene = level->scene;
    size_t count = (size_t)scene->attributeCount;
    tgSceneAttribute* attributes = tgScene_Alloc(scene, count, sizeof(tgSceneAttribute));
    bool done = attributes != NULL;
    for (size_t a = 0; a < count && done; ++a) {
        attributes[a] = scene->attributes[a];
        attributes[a].values =
            tgCarryFloats(level, false, attributes[a].values, (size_t)attributes[a].width);
        done = attributes[a].values != NULL;
        if (done) {
            tgKeepWithin(level, &attributes[a]);
        }
    }
    scene->attributes = done ? attributes : scene->attributes;
    return done;
}

/// The numbers in the finer scene of the vertices that are in a set, or between vertices of it
/// alone; increasing. NULL without memory.
/// @param isIn one for each vertex of the refinement; filled in for the new ones
static int* tgMarkBetween(tgRefineLevel* level, bool* isIn, int* foundCount)
{
    const tgRefinement* refinement = level->refinement;
    int coarseCount = refinement->coarseVertexCount, found = 0;
    bool* isNumber = calloc((size_t)refinement->vertexCount, sizeof(bool));
    for (int v = 0; v < refinement->vertexCount && isNumber != NULL; ++v) {
        const tgVertexMean* mean = &refinement->means[v >= coarseCount ? v - coarseCount : 0];
        isIn[v] |= v >= coarseCount;
        for (int n = 0; n < 4 && v >= coarseCount; ++n) {
            isIn[v] &= mean->weights[n] == 0.0f || isIn[mean->vertices[n]];
        }
        isNumber[level->runs.newNumber[v]] = isIn[v];
        found += isIn[v];
    }
    int* vertices =
        isNumber != NULL ? tgScene_Alloc(level->scene, (size_t)found, sizeof(int)) : NULL;
    for (int v = 0, i = 0; vertices != NULL && v < refinement->vertexCount; ++v) {
        if (isNumber[v]) {
            vertices[i++] = v;
        }
    }
    free(isNumber);
    *foundCount = found;
    return vertices;
}

/// A new vertex between vertices of a group alone is in it, too.
static bool tgCarryGroups(tgRefineLevel* level)
{
    tgScene* scene = level->scene;
    const tgRefinement* refinement = level->refinement;
    size_t count = (size_t)refinement->vertexCount;
    tgSceneGroup* groups = tgScene_Alloc(scene, (size_t)scene->groupCount, sizeof(tgSceneGroup));
    bool* isIn = calloc(count, sizeof(bool));
    bool done = groups != NULL && isIn != NULL;
    for (int g = 0; g < scene->groupCount && done; ++g) {
        const tgSceneGroup* group = &scene->groups[g];
        memset(isIn, 0, count);
        for (int i = 0; i < group->vertexCount; ++i) {
            isIn[group->vertices[i]] = true;
        }
        int* vertices = tgMarkBetween(level, isIn, &groups[g].vertexCount);
        groups[g].name = group->name;
        groups[g].vertices = vertices;
        done = vertices != NULL;
    }
    free(isIn);
    scene->groups = done ? groups : scene->groups;
    return done;
}

/// The vertices of a part or a morph, with all that joined their run: any of them may lie between.
static void tgMoveRange(const tgRefineLevel* level, int* firstVertex, int* vertexCount)
{
    const tgRuns* runs = &level->runs;
    if (*vertexCount == 0) {
        *firstVertex = 0;
        return;
    }
    int end = runs->newStarts[runs->runOf[*firstVertex + *vertexCount - 1] + 1];
    *firstVertex = runs->newNumber[*firstVertex];
    *vertexCount = end - *firstVertex;
}

/// Offsets over the whole mesh are averaged as anything else; what a morph does not reach is 0.
static bool tgCarryMorphs(tgRefineLevel* level)
{
    tgScene* scene = level->scene;
    float* all = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    tgSceneMorph* morphs = tgScene_Alloc(scene, (size_t)scene->morphCount, sizeof(tgSceneMorph));
    bool done = all != NULL && morphs != NULL;
    for (int m = 0; m < scene->morphCount && done; ++m) {
        morphs[m] = scene->morphs[m];
        size_t count = (size_t)morphs[m].vertexCount;
        memset(all, 0, (size_t)scene->vertexCount * sizeof(tgVec3));
        memcpy(all + 3 * (size_t)morphs[m].firstVertex, morphs[m].offsets, count * sizeof(tgVec3));
        tgMoveRange(level, &morphs[m].firstVertex, &morphs[m].vertexCount);
        // Smoothed as the places that they are offsets of.
        bool isPlace = level->refinement->maskStarts != NULL;
        const float* carried = tgCarryFloats(level, isPlace, all, 3);
        done = carried != NULL;
        if (done) {
            morphs[m].offsets = (const tgVec3*)(const void*)carried + morphs[m].firstVertex;
        }
    }
    free(all);
    scene->morphs = done ? morphs : scene->morphs;
    return done;
}

/// Faces, and the runs of vertices and faces of the parts.
static bool tgCarryFaces(tgRefineLevel* level)
{
    tgScene* scene = level->scene;
    const tgRefinement* refinement = level->refinement;
    size_t cornerCount = 0;
    for (int f = 0; f < refinement->faceCount; ++f) {
        cornerCount += (size_t)refinement->faceSizes[f];
    }
    int* faceSizes = tgScene_Alloc(scene, (size_t)refinement->faceCount, sizeof(int));
    int* faceVertices = tgScene_Alloc(scene, cornerCount, sizeof(int));
    tgScenePart* parts = tgScene_Alloc(scene, (size_t)scene->partCount, sizeof(tgScenePart));
    int* newFirst = calloc((size_t)scene->faceCount + 1, sizeof(int));
    if (faceSizes == NULL || faceVertices == NULL || parts == NULL || newFirst == NULL) {
        free(newFirst);
        return false;
    }
    for (int f = 0; f < refinement->faceCount; ++f) {
        faceSizes[f] = refinement->faceSizes[f];
        newFirst[refinement->faceParents[f] + 1] = f + 1;
    }
    for (size_t k = 0; k < cornerCount; ++k) {
        faceVertices[k] = level->runs.newNumber[refinement->faceVertices[k]];
    }
    for (int p = 0; p < scene->partCount; ++p) {
        parts[p] = scene->parts[p];
        int first = newFirst[parts[p].firstFace];
        parts[p].faceCount = newFirst[parts[p].firstFace + parts[p].faceCount] - first;
        parts[p].firstFace = first;
        tgMoveRange(level, &parts[p].firstVertex, &parts[p].vertexCount);
    }
    free(newFirst);
    scene->faceSizes = faceSizes;
    scene->faceVertices = faceVertices;
    scene->faceCount = refinement->faceCount;
    scene->parts = parts;
    return true;
}

/// How all vertices came from those of the file, with the new ones of this level.
static bool tgCarryOrigins(tgRefineLevel* level)
{
    tgScene* scene = level->scene;
    const tgRefinement* refinement = level->refinement;
    const int* newNumber = level->runs.newNumber;
    int coarseCount = refinement->coarseVertexCount;
    const tgRefinedScene* before = scene->refined;
    tgRefinedScene* refined = tgScene_Alloc(scene, 1, sizeof(*refined));
    tgVertexMean* means =
        tgScene_Alloc(scene, (size_t)refinement->vertexCount, sizeof(tgVertexMean));
    if (refined == NULL || means == NULL) {
        return false;
    }
    for (int v = 0; v < refinement->vertexCount; ++v) {
        tgVertexMean mean = {{v, v, v, v}, {1.0f, 0.0f, 0.0f, 0.0f}};
        if (v >= coarseCount) {
            mean = refinement->means[v - coarseCount];
        } else if (before != NULL) {
            mean = before->means[v];
        }
        for (int k = 0; k < 4; ++k) {
            mean.vertices[k] = newNumber[mean.vertices[k]];
        }
        means[newNumber[v]] = mean;
    }
    refined->means = means;
    refined->fileParts = before != NULL ? before->fileParts : scene->parts;
    scene->refined = refined;
    return true;
}

static bool tgCarryScene(tgRefineLevel* level, tgError* error)
{
    tgScene* scene = level->scene;
    float* positions = tgCarryFloats(level, true, &scene->positions->x, 3);
    bool done = positions != NULL && tgCarryInfluences(level, error);
    if (done) {
        scene->positions = (tgVec3*)(void*)positions;
        done = scene->normals == NULL || tgCarryNormals(level);
    }
    if (done && scene->uvs != NULL) {
        scene->uvs = tgCarryFloats(level, false, scene->uvs, 2);
        done = scene->uvs != NULL;
    }
    done = done && (scene->attributeCount == 0 || tgCarryAttributes(level));
    done = done && (scene->groupCount == 0 || tgCarryGroups(level));
    done = done && (scene->morphCount == 0 || tgCarryMorphs(level));
    done = done && tgCarryOrigins(level) && tgCarryFaces(level);
    if (done) {
        scene->vertexCount = level->refinement->vertexCount;
        done = tgScene_SetWeldKeys(scene);
    }
    return done;
}

tgResult tgScene_Apply(tgScene* scene, const tgRefinement* refinement, tgError* error)
{
    const tgScene before = *scene;
    tgRefineLevel level = {.scene = scene, .refinement = refinement};
    size_t width = scene->influencesPerVertex > tg_widestAttribute
                       ? (size_t)scene->influencesPerVertex
                       : tg_widestAttribute;
    level.scratch = calloc((size_t)refinement->vertexCount, width * sizeof(float));
    bool done = level.scratch != NULL && tgFindRuns(scene, &level.runs) &&
                tgNumberVertices(refinement, &level.runs) && tgCarryScene(&level, error);
    free(level.scratch);
    tgFreeRuns(&level.runs);
    if (done) {
        return tg_success;
    }
    struct tgSceneMemory* memory = scene->memory;
    *scene = before;
    scene->memory = memory;
    return tgFail(error, tg_outOfMemory, -1, "no memory for %d vertices", refinement->vertexCount);
}
