// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A bake, whatever the format: picks the writer by the ending, counts frames, refuses positions
// that are not finite, and remembers the first failure so that closing cannot hide it.

#include "io/bake.h"

#include "core/core.h"
#include "io/output_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { tg_bakeCookie = 0x62616b65 };

static const struct {
    const char* ending;
    const tgBakeFormat* format;
} tg_bakeFormats[] = {
    {".glb", &tg_gltfFormat}, {".gltf", &tg_gltfFormat}, {".pc2", &tg_pc2Format},
    {".mdd", &tg_mddFormat},  {".obj", &tg_objFormat},   {".usda", &tg_usdaFormat},
};

struct tgBake {
    tgBakeDef def;
    char* path; ///< our copy; def.path points to it
    const tgBakeFormat* format;
    void* writer;
    int framesAdded;
    tgError failure; ///< the first one; tg_success while all is well
};

tgBakeDef tgDefaultBakeDef(void)
{
    tgBakeDef def = {0};
    def.frameCount = 1;
    def.animation = -1;
    def.fps = 30.0;
    def.cookie = tg_bakeCookie;
    return def;
}

static const tgBakeFormat* tgFindBakeFormat(const char* path)
{
    for (size_t i = 0; i < sizeof(tg_bakeFormats) / sizeof(tg_bakeFormats[0]); ++i) {
        if (tgHasEnding(path, tg_bakeFormats[i].ending)) {
            return tg_bakeFormats[i].format;
        }
    }
    return NULL;
}

bool tgKeepsPolygons(const char* path)
{
    const tgBakeFormat* format = tgFindBakeFormat(path);
    return format == NULL || !format->cutsFaces;
}

int tgCountClips(const tgBakeDef* def)
{
    return def->clips != NULL ? def->clipCount : 1;
}

tgBakeClip tgGetClip(const tgBakeDef* def, int clip)
{
    tgBakeClip only = {def->animation, def->frameCount, def->startTime};
    return def->clips != NULL ? def->clips[clip] : only;
}

/// Those of a list are there, and their frames are all.
static tgResult tgCheckClips(const tgBakeDef* def, tgError* error)
{
    long long frameCount = 0;
    for (int i = 0; i < tgCountClips(def); ++i) {
        tgBakeClip clip = tgGetClip(def, i);
        if (clip.animation < -1 || clip.animation >= def->scene->animationCount) {
            return tgFail(error, tg_invalidArgument, -1, "animation %d, the scene has %d",
                          clip.animation, def->scene->animationCount);
        }
        if (clip.frameCount < 1 || !isfinite(clip.startTime)) {
            return tgFail(error, tg_invalidArgument, -1,
                          "clip %d has %d frames from %g s, expected 1 or more", i, clip.frameCount,
                          clip.startTime);
        }
        frameCount += clip.frameCount;
    }
    if (frameCount != def->frameCount) {
        return tgFail(error, tg_invalidArgument, -1, "clips of %lld frames in all, expected %d",
                      frameCount, def->frameCount);
    }
    return tg_success;
}

static tgResult tgCheckBakeDef(const tgBakeDef* def, tgError* error)
{
    if (def == NULL || def->cookie != tg_bakeCookie) {
        return tgFail(error, tg_invalidArgument, -1, "start the def from tgDefaultBakeDef()");
    }
    const tgScene* scene = def->scene;
    if (scene == NULL || def->path == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "the def has no scene or no path");
    }
    if (scene->hasRunOut) {
        return tgFail(error, tg_outOfMemory, -1, "memory ran out while the scene was made");
    }
    if (scene->vertexCount < 1 || scene->positions == NULL) {
        return tgFail(error, tg_invalidMesh, -1, "the scene has no vertices to bake");
    }
    if (def->frameCount < 1 || (def->still && def->frameCount != 1)) {
        return tgFail(error, tg_invalidArgument, -1, "%d frames, expected %s", def->frameCount,
                      def->still ? "1 for a still" : "1 or more");
    }
    if (def->firstFrame > INT_MAX - def->frameCount) {
        return tgFail(error, tg_invalidArgument, -1, "first frame %d is too large",
                      def->firstFrame);
    }
    if (!(def->fps > 0.0) || !isfinite(def->fps) || !isfinite(def->startTime)) {
        return tgFail(error, tg_invalidArgument, -1,
                      "%g frames per second from %g s, expected finite numbers and a rate above 0",
                      def->fps, def->startTime);
    }
    return tgCheckClips(def, error);
}

tgBake* tgOpenBake(const tgBakeDef* def, tgError* error)
{
    if (tgCheckBakeDef(def, error) != tg_success) {
        return NULL;
    }
    const tgBakeFormat* format = tgFindBakeFormat(def->path);
    if (format == NULL) {
        tgFail(error, tg_unsupported, -1,
               "unknown ending, a bake is written as .glb, .gltf, .pc2, .mdd, .obj or .usda");
        return NULL;
    }
    if (def->clips != NULL && !format->takesSeveral) {
        tgFail(error, tg_unsupported, -1,
               "several animations in one file are for .glb and .gltf; others hold one");
        return NULL;
    }
    if (def->memory != NULL && tgHasEnding(def->path, ".obj") && !def->still) {
        tgFail(error, tg_unsupported, -1,
               "an .obj is one file a frame, which is not for memory; a still is");
        return NULL;
    }
    tgBake* bake = calloc(1, sizeof(*bake));
    char* path = malloc(strlen(def->path) + 1);
    if (bake == NULL || path == NULL) {
        free(bake);
        free(path);
        tgFail(error, tg_outOfMemory, -1, "no memory to start a bake");
        return NULL;
    }
    bake->def = *def;
    bake->path = strcpy(path, def->path);
    bake->def.path = bake->path;
    if (def->memory != NULL) {
        *def->memory = (tgBytes){NULL, 0};
    }
    bake->format = format;
    bake->writer = format->open(&bake->def, error);
    if (bake->writer == NULL) {
        tgCancelBake(bake);
        return NULL;
    }
    return bake;
}

static tgResult tgCheckBakeFrame(const tgBake* bake, const tgVec3* positions, tgError* error)
{
    const tgBakeDef* def = &bake->def;
    int frame = def->firstFrame + bake->framesAdded;
    if (bake->framesAdded == def->frameCount) {
        return tgFail(error, tg_invalidArgument, -1,
                      "frame %d is one too many, the bake was opened for %d", frame,
                      def->frameCount);
    }
    if (positions == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "frame %d has no positions", frame);
    }
    for (int v = 0; v < def->scene->vertexCount; ++v) {
        tgVec3 p = positions[v];
        if (!tgIsFiniteVec3(p)) {
            return tgFail(error, tg_invalidArgument, v,
                          "frame %d has vertex %d at (%g, %g, %g), expected finite numbers", frame,
                          v, (double)p.x, (double)p.y, (double)p.z);
        }
    }
    return tg_success;
}

tgResult tgBake_AddFrame(tgBake* bake, const tgVec3* positions, const tgVec3* normals,
                         tgError* error)
{
    if (bake == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "no bake to add a frame to");
    }
    tgError* failure = &bake->failure;
    if (failure->code == tg_success && tgCheckBakeFrame(bake, positions, failure) == tg_success &&
        bake->format->addFrame(bake->writer, bake->framesAdded, positions, normals, failure) ==
            tg_success) {
        bake->framesAdded += 1;
    }
    if (failure->code != tg_success && error != NULL) {
        *error = *failure;
    }
    return failure->code;
}

tgResult tgCloseBake(tgBake* bake, tgError* error)
{
    if (bake == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "no bake to close");
    }
    tgError* failure = &bake->failure;
    if (failure->code == tg_success && bake->framesAdded < bake->def.frameCount) {
        tgFail(failure, tg_invalidArgument, -1, "%s added, the bake was opened for %d",
               tgTellCount(bake->framesAdded, "frame was", "frames were").text,
               bake->def.frameCount);
    }
    if (failure->code == tg_success) {
        bake->format->close(bake->writer, failure);
    }
    tgResult result = failure->code;
    if (result != tg_success && error != NULL) {
        *error = *failure;
    }
    tgCancelBake(bake);
    return result;
}

void tgCancelBake(tgBake* bake)
{
    if (bake == NULL) {
        return;
    }
    if (bake->writer != NULL) {
        bake->format->destroy(bake->writer);
    }
    free(bake->path);
    free(bake);
}
