// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What contact does and costs on its own, one thread, linear base: pairs of triangles that cross
// and did not at rest, faces turned over, and time over that of plain linear skinning of the same
// frame, side by side. All frames of all animations of the characters that are named, or of the
// embedded ones and of a human of 13 380 vertices. No more pairs may cross with contact than
// without, and the human has a bar for time.
//
//   bench_contact [--csv FILE] [--assets FOLDER] [CHARACTER ...]

#include "bars.h"
#include "clock.h"
#include "core/instance.h"
#include "core/meeting.h"
#include "crossings.h"
#include "play/flips.h"
#include "turgor/io.h"
#include "turgor/models.h"

#include <stdio.h>
#include <string.h>

enum { tg_frameCount = 12, tg_repeats = 5, tg_wayCount = 3 };

/// Amplitude of the shape.
static const float tg_drift = 0.8f;

/// Of contact and shape together, in plain skinnings.
static const double tg_mostTime = 1.3;

static FILE* tg_csv;

/// A character that is skinned, and then kept from crossing itself.
typedef struct tgTake {
    tgScene* scene;
    tgRig *plainRig, *rig;
    tgInstance *plain, *instance;
    tgCrossingCounter crossings;
    tgFlipCounter flips;
    tgVec3* out;
    float *positions, *freedom, *shaped, *drift;
    tgVec3* shape; ///< of each render vertex
    tgScratch scratch;
    tgAnatomy anatomy;
    double* changed;
    tgAnatomyPose* poses;
    int newPairs; ///< scratch
} tgTake;

typedef struct tgCounts {
    long pairs[tg_wayCount], flips[tg_wayCount]; ///< plain, with contact, with both
    double times[tg_wayCount];
} tgCounts;

static void tgStop(const tgError* error)
{
    fprintf(stderr, "bench_contact: %s\n", error->message);
    exit(1);
}

static void tgOpenTake(const char* name, tgTake* take)
{
    tgError error = {0};
    bool isFile = strchr(name, '.') != NULL;
    *take = (tgTake){.scene = isFile ? tgLoadScene(name, &error) : tgCreateModel(name, 0, &error)};
    if (take->scene == NULL) {
        tgStop(&error);
    }
    tgRigDef def = tgScene_GetRigDef(take->scene);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    def.skinning = tg_linear;
    take->plainRig = tgCreateRig(&def, &error);
    def.volume.method = tg_volumeExact;
    take->rig = tgCreateRig(&def, &error);
    if (take->plainRig != NULL && take->rig != NULL) {
        take->plain = tgCreateInstance(take->plainRig, &instanceDef, &error);
        take->instance = tgCreateInstance(take->rig, &instanceDef, &error);
    }
    if (take->plain == NULL || take->instance == NULL ||
        tgOpenCrossingCounter(take->scene, take->rig, &take->crossings, &error) != tg_success ||
        tgOpenFlipCounter(take->scene, &take->flips, &error) != tg_success) {
        tgStop(&error);
    }
    size_t elements = (size_t)take->rig->skin.elementCount;
    take->out = calloc((size_t)take->scene->vertexCount, sizeof(tgVec3));
    take->positions = aligned_alloc(64, 16 * elements + 64 - 16 * elements % 64);
    take->shaped = aligned_alloc(64, 16 * elements + 64 - 16 * elements % 64);
    take->freedom = calloc(elements, sizeof(float));
    take->shape = calloc((size_t)take->scene->vertexCount, sizeof(tgVec3));
    take->drift = calloc((size_t)take->scene->jointCount, sizeof(float));
    for (int j = 0; j < take->scene->jointCount; ++j) {
        take->drift[j] = tg_drift;
    }
    take->scratch.allocator = &take->rig->allocator;
    if (!tgBuildAnatomy(&take->rig->mesh, &take->rig->skeleton, &take->rig->planes, NULL,
                        take->rig->skin.rest, &take->scratch, &take->anatomy)) {
        tgStop(&error);
    }
    take->changed = calloc((size_t)take->anatomy.count + 1, sizeof(double));
    take->poses = calloc((size_t)take->anatomy.count + 1, sizeof(tgAnatomyPose));
}

static void tgCloseTake(tgTake* take)
{
    tgScratch_FreeAll(&take->scratch); // its allocator is the rig's
    tgCloseCrossingCounter(&take->crossings);
    tgCloseFlipCounter(&take->flips);
    tgDestroyInstance(take->plain);
    tgDestroyInstance(take->instance);
    tgDestroyRig(take->plainRig);
    tgDestroyRig(take->rig);
    free(take->out);
    free(take->positions);
    free(take->freedom);
    free(take->shaped);
    free(take->shape);
    free(take->drift);
    free(take->changed);
    free(take->poses);
    tgDestroyScene(take->scene);
}

static void tgCountPair(int first, int second, void* context)
{
    tgTake* take = context;
    tgVec3 a[3], b[3];
    for (int k = 0; k < 3; ++k) {
        a[k] = take->scene->positions[take->crossings.triangles[3 * (size_t)first + k]];
        b[k] = take->scene->positions[take->crossings.triangles[3 * (size_t)second + k]];
    }
    take->newPairs += !tgDoTrianglesCross(a, b);
}

static void tgCount(tgTake* take, int way, tgCounts* counts)
{
    tgCrossingCounter* counter = &take->crossings;
    tgSurface surface = {{&take->out->x, take->scene->vertexCount, sizeof(tgVec3)},
                         counter->triangles,
                         counter->triangleCount};
    take->newPairs = 0;
    tgBvh_Build(&counter->tree, &surface, counter->memory);
    tgBvh_FindCrossings(&counter->tree, &surface, tgCountPair, take);
    counts->pairs[way] += take->newPairs;
    counts->flips[way] += tgFlipCounter_Count(&take->flips, take->out);
}

/// Plain skin of the bind shape, or of the shape that joints give it, to where contact takes it on.
static void tgSkinTake(tgTake* take, const tgPose* pose)
{
    size_t elements = (size_t)take->rig->skin.elementCount;
    tgVec3Span span = {&take->out->x, take->scene->vertexCount, sizeof(tgVec3)};
    tgInstance_Deform(take->plain, pose, span, (tgVec3Span){0}, NULL);
    memcpy(take->positions, take->plain->positions, 4 * elements * sizeof(float));
    for (size_t v = 0; v < elements; ++v) {
        take->freedom[v] = 1.0f;
    }
}

static void tgCopyTake(tgTake* take)
{
    for (int v = 0; v < take->scene->vertexCount; ++v) {
        const float* p = take->positions + 4 * (size_t)take->rig->mesh.renderToVertex[v];
        take->out[v] = tgMakeVec3(p[0], p[1], p[2]);
    }
}

static void tgKeepLeast(double* least, double spent)
{
    *least = spent < *least ? spent : *least;
}

static void tgRunFrames(tgTake* take, const tgMat34* joints, tgCounts* counts)
{
    int vertexCount = take->scene->vertexCount;
    tgPose pose = {.joints = joints, .jointCount = take->scene->jointCount}, shaped = pose;
    tgContactTask contact = take->instance->contact;
    contact.positions = take->positions;
    contact.freedom = take->freedom;
    contact.skinMatrices = take->plain->skinMatrices;
    tgAnatomyTask anatomy = {
        .anatomy = &take->anatomy,
        .skinMatrices = take->plain->skinMatrices,
        .drift = take->drift,
        .parallel = &take->plain->parallel,
        .kernels = take->plain->kernels,
        .rest = take->rig->skin.rest,
        .shaped = take->shaped,
        .positions = take->positions,
        .changed = take->changed,
        .poses = take->poses,
        .elementCount = take->rig->skin.elementCount,
    };
    shaped.shapePositions = (tgVec3View){&take->shape->x, vertexCount, sizeof(tgVec3)};
    tgFlipCounter_SetPose(&take->flips, joints);
    double least[4] = {1e9, 1e9, 1e9, 1e9}; // plain, contact, shape, clamp
    for (int i = 0; i < tg_repeats; ++i) {
        double start = tgNow();
        tgInstance_Deform(take->plain, &pose, (tgVec3Span){&take->out->x, vertexCount, 12},
                          (tgVec3Span){0}, NULL);
        tgKeepLeast(&least[0], tgNow() - start);
        start = tgNow();
        bool isShaped = tgShapeRest(&anatomy);
        tgKeepLeast(&least[2], tgNow() - start);
        shaped.shapePositions.data = isShaped ? &take->shape->x : NULL;
        tgSkinTake(take, &pose);
        start = tgNow();
        contact.rest = take->rig->skin.rest;
        tgRunContact(&contact);
        tgKeepLeast(&least[1], tgNow() - start);
    }
    tgCount(take, 0, counts);
    tgCopyTake(take);
    tgCount(take, 1, counts);
    for (int v = 0; v < vertexCount && shaped.shapePositions.data != NULL; ++v) {
        const float* p = take->shaped + 4 * (size_t)take->rig->mesh.renderToVertex[v];
        take->shape[v] = tgMakeVec3(p[0], p[1], p[2]);
    }
    for (int i = 0; i < tg_repeats; ++i) {
        tgSkinTake(take, &shaped);
        double start = tgNow();
        tgClampFolds(&anatomy);
        tgKeepLeast(&least[3], tgNow() - start);
    }
    contact.rest = shaped.shapePositions.data != NULL ? take->shaped : take->rig->skin.rest;
    tgRunContact(&contact);
    tgCopyTake(take);
    tgCount(take, 2, counts);
    counts->times[0] += least[0];
    counts->times[1] += least[1];
    counts->times[2] += least[1] + least[2] + least[3];
}

/// @param bar of the time with shape and contact over plain; 0 for none
static void tgBench(const char* path, double bar)
{
    tgTake take;
    tgCounts counts = {.pairs = {0, 0}};
    tgOpenTake(path, &take);
    const tgScene* scene = take.scene;
    tgMat34* nodes = calloc((size_t)scene->nodeCount + 1, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    for (int i = 0; i < scene->animationCount * tg_frameCount; ++i) {
        int animation = i / tg_frameCount, at = i % tg_frameCount;
        int frames = tgScene_GetFrameCount(scene, animation, 30.0);
        double time =
            tgScene_GetFrameTime(scene, animation, 30.0, at * (frames - 1) / (tg_frameCount - 1));
        tgScene_SamplePose(scene, animation, time, nodes, joints, NULL);
        tgRunFrames(&take, joints, &counts);
    }
    const char* name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    double plain = counts.times[0] > 0.0 ? counts.times[0] : 1.0;
    const long *pairs = counts.pairs, *flips = counts.flips;
    printf(
        "%-26s %6d v %3d planes %2d limbs  new pairs %6ld %6ld %6ld  turned %5ld %5ld %5ld  %.2f "
        "%.2f x",
        name, take.rig->mesh.vertexCount, take.rig->planes.count, take.anatomy.count, pairs[0],
        pairs[1], pairs[2], flips[0], flips[1], flips[2], counts.times[1] / plain,
        counts.times[2] / plain);
    tgTellBar((double)pairs[1], tg_atMost, (double)pairs[0]);
    if (bar > 0.0) {
        tgTellBar(counts.times[2] / plain, tg_atMost, bar);
    }
    printf("\n");
    if (tg_csv != NULL) {
        fprintf(tg_csv, "%s,%d,%d,%d,1,%d,%ld,%ld,%ld,%ld,%ld,%ld,%.3f,%.3f\n", name,
                take.rig->mesh.vertexCount, take.rig->planes.count, take.anatomy.count, tg_repeats,
                pairs[0], pairs[1], pairs[2], flips[0], flips[1], flips[2], counts.times[1] / plain,
                counts.times[2] / plain);
    }
    free(nodes);
    free(joints);
    tgCloseTake(&take);
}

/// The embedded ones, and the human where it is.
static void tgBenchOwn(const char* folder)
{
    static const char* const own[] = {"cylinder", "finger",   "arm", "hand",
                                      "giraffe",  "elephant", "cat"};
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); ++i) {
        tgBench(own[i], 0.0);
    }
    char path[1024];
    snprintf(path, sizeof(path), "%s/human_makehuman.glb", folder);
    FILE* human = fopen(path, "rb");
    if (human == NULL) {
        fprintf(stderr, "bench_contact: %s is not there: left out\n", path);
        return;
    }
    fclose(human);
    tgBench(path, tg_mostTime);
}

int main(int argc, char** argv)
{
    const char *folder = TURGOR_ASSETS, *csv = NULL;
    int first = 1;
    for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
        const char** option = strcmp(argv[first], "--csv") == 0      ? &csv
                              : strcmp(argv[first], "--assets") == 0 ? &folder
                                                                     : NULL;
        if (option == NULL) {
            break;
        }
        *option = argv[first + 1];
    }
    if (argc > first && argv[first][0] == '-') {
        fprintf(stderr, "usage: bench_contact [--csv FILE] [--assets FOLDER] [CHARACTER ...]\n");
        return 2;
    }
    tg_csv = csv != NULL ? fopen(csv, "w") : NULL;
    if (tg_csv != NULL) {
        fprintf(tg_csv, "character,vertices,planes,limbs,threads,runs,plain_pairs,contact_pairs,"
                        "shape_pairs,plain_turned,contact_turned,shape_turned,contact_ratio,"
                        "shape_ratio\n");
    }
    if (first == argc) {
        tgBenchOwn(folder);
    }
    for (int i = first; i < argc; ++i) {
        tgBench(argv[i], 0.0);
    }
    return tgEndBench(tg_csv);
}
