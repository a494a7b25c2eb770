// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Point caches, which hold positions only: PC2 (little endian) and MDD (big endian). Frames go to
// the file as they come; bytes are laid out one by one, so the machine's own order does not matter.

#include "core/core.h"
#include "io/bake.h"
#include "io/output_file.h"

#include <stdlib.h>
#include <string.h>

enum { tg_pc2Version = 1, tg_pc2HeaderSize = 32 };

typedef struct tgPointCache {
    const tgBakeDef* def;
    tgOutputFile output;
    bool bigEndian;
    unsigned char* bytes; ///< one frame as the file has it
} tgPointCache;

static void tgPutInt(unsigned char* bytes, uint32_t value, bool bigEndian)
{
    for (int i = 0; i < 4; ++i) {
        bytes[i] = (unsigned char)(value >> 8 * (bigEndian ? 3 - i : i));
    }
}

static void tgPutFloat(unsigned char* bytes, float value, bool bigEndian)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    tgPutInt(bytes, bits, bigEndian);
}

static void tgDestroyPointCache(void* writer)
{
    tgPointCache* cache = writer;
    tgOutputFile_Discard(&cache->output);
    free(cache->bytes);
    free(cache);
}

/// Header: "POINTCACHE2\0", version, points, first frame, frames per sample, samples.
static tgResult tgWritePc2Header(tgPointCache* cache, tgError* error)
{
    const tgBakeDef* def = cache->def;
    unsigned char header[tg_pc2HeaderSize] = "POINTCACHE2";
    tgPutInt(header + 12, tg_pc2Version, false);
    tgPutInt(header + 16, (uint32_t)def->scene->vertexCount, false);
    tgPutFloat(header + 20, (float)def->firstFrame, false);
    tgPutFloat(header + 24, 1.0f, false);
    tgPutInt(header + 28, (uint32_t)def->frameCount, false);
    return tgOutputFile_Write(&cache->output, header, sizeof(header), error);
}

/// Header: frames, points, then the time of each frame in seconds.
static tgResult tgWriteMddHeader(tgPointCache* cache, tgError* error)
{
    const tgBakeDef* def = cache->def;
    unsigned char header[8];
    tgPutInt(header, (uint32_t)def->frameCount, true);
    tgPutInt(header + 4, (uint32_t)def->scene->vertexCount, true);
    tgResult result = tgOutputFile_Write(&cache->output, header, sizeof(header), error);
    for (int i = 0; i < def->frameCount && result == tg_success; ++i) {
        unsigned char time[4];
        tgPutFloat(time, (float)(def->startTime + i / def->fps), true);
        result = tgOutputFile_Write(&cache->output, time, sizeof(time), error);
    }
    return result;
}

static void* tgOpenPointCache(const tgBakeDef* def, bool bigEndian, tgError* error)
{
    tgPointCache* cache = calloc(1, sizeof(*cache));
    unsigned char* bytes = calloc((size_t)def->scene->vertexCount, sizeof(tgVec3));
    if (cache == NULL || bytes == NULL) {
        free(cache);
        free(bytes);
        tgFail(error, tg_outOfMemory, -1, "no memory for a frame of %d points",
               def->scene->vertexCount);
        return NULL;
    }
    cache->def = def;
    cache->bigEndian = bigEndian;
    cache->bytes = bytes;
    tgResult result = tgOutputFile_OpenFor(&cache->output, def->path, def->memory, error);
    if (result == tg_success) {
        result = bigEndian ? tgWriteMddHeader(cache, error) : tgWritePc2Header(cache, error);
    }
    if (result != tg_success) {
        tgDestroyPointCache(cache);
        return NULL;
    }
    return cache;
}

static void* tgOpenPc2(const tgBakeDef* def, tgError* error)
{
    return tgOpenPointCache(def, false, error);
}

static void* tgOpenMdd(const tgBakeDef* def, tgError* error)
{
    return tgOpenPointCache(def, true, error);
}

static tgResult tgAddPointCacheFrame(void* writer, int frame, const tgVec3* positions,
                                     const tgVec3* normals, tgError* error)
{
    (void)frame;
    (void)normals;
    tgPointCache* cache = writer;
    int vertexCount = cache->def->scene->vertexCount;
    unsigned char* bytes = cache->bytes;
    for (int v = 0; v < vertexCount; ++v, bytes += 12) {
        tgPutFloat(bytes, positions[v].x, cache->bigEndian);
        tgPutFloat(bytes + 4, positions[v].y, cache->bigEndian);
        tgPutFloat(bytes + 8, positions[v].z, cache->bigEndian);
    }
    return tgOutputFile_Write(&cache->output, cache->bytes, (size_t)vertexCount * 12, error);
}

static tgResult tgClosePointCache(void* writer, tgError* error)
{
    tgPointCache* cache = writer;
    tgResult result = tgOutputFile_Finish(&cache->output, error);
    return result == tg_success ? tgOutputFile_Commit(&cache->output, error) : result;
}

const tgBakeFormat tg_pc2Format = {tgOpenPc2, tgAddPointCacheFrame, tgClosePointCache,
                                   tgDestroyPointCache};
const tgBakeFormat tg_mddFormat = {tgOpenMdd, tgAddPointCacheFrame, tgClosePointCache,
                                   tgDestroyPointCache};
