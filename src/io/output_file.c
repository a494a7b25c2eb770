// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A file that appears only when it is whole: on the disk (output_disk.c), or in memory.

#include "io/output_file.h"

#include "core/core.h"
#include "io/output_disk.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    tg_copySize = 3 * 16384,  ///< a multiple of 3, so that base64 pieces join without padding
    tg_smallestRoom = 1 << 16 ///< bytes in memory, at first
};

tgResult tgOutputFile_Open(tgOutputFile* file, const char* path, tgError* error)
{
    memset(file, 0, sizeof(*file));
    return tgOutputDisk_Open(file, path, true, error);
}

tgResult tgOutputFile_OpenNext(tgOutputFile* file, const char* path, tgError* error)
{
    memset(file, 0, sizeof(*file));
    return tgOutputDisk_Open(file, path, false, error);
}

void tgOutputFile_OpenMemory(tgOutputFile* file, tgBytes* target)
{
    *file = (tgOutputFile){.inMemory = true, .target = target};
}

tgResult tgOutputFile_OpenFor(tgOutputFile* file, const char* path, tgBytes* target, tgError* error)
{
    if (target == NULL) {
        return tgOutputFile_Open(file, path, error);
    }
    tgOutputFile_OpenMemory(file, target);
    return tg_success;
}

tgResult tgOutputFile_OpenBeside(tgOutputFile* file, const tgOutputFile* other, tgError* error)
{
    if (!other->inMemory) {
        return tgOutputFile_OpenNext(file, other->path, error);
    }
    tgOutputFile_OpenMemory(file, NULL);
    return tg_success;
}

/// Room for `size` more bytes, half as much again as there was.
static bool tgGrowMemory(tgOutputFile* file, size_t size)
{
    if (size > SIZE_MAX / 2 - (size_t)file->size) {
        return false;
    }
    size_t wanted = (size_t)file->size + size;
    if (wanted <= file->room) {
        return true;
    }
    size_t room = file->room + file->room / 2;
    room = room > wanted ? room : wanted > tg_smallestRoom ? wanted : tg_smallestRoom;
    uint8_t* bytes = realloc(file->bytes, room);
    if (bytes != NULL) {
        file->bytes = bytes;
        file->room = room;
    }
    return bytes != NULL;
}

static tgResult tgWriteMemory(tgOutputFile* file, const void* data, size_t size, tgError* error)
{
    if (!tgGrowMemory(file, size)) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for a file of %zu bytes",
                      (size_t)file->size + size);
    }
    memcpy(file->bytes + file->size, data, size);
    return tg_success;
}

tgResult tgOutputFile_Write(tgOutputFile* file, const void* data, size_t size, tgError* error)
{
    if (size == 0) {
        return tg_success;
    }
    tgResult result = file->inMemory ? tgWriteMemory(file, data, size, error)
                                     : tgOutputDisk_Write(file, data, size, error);
    file->size += result == tg_success ? size : 0;
    return result;
}

/// What was written.
static tgResult tgRead(tgOutputFile* file, uint64_t offset, void* data, size_t size, tgError* error)
{
    if (!file->inMemory) {
        return tgOutputDisk_Read(file, offset, data, size, error);
    }
    if (size > 0) {
        memcpy(data, file->bytes + offset, size);
    }
    return tg_success;
}

/// Encode up to tg_copySize bytes; returns the number of characters.
static size_t tgEncodeBase64(const unsigned char* bytes, size_t size, char* text)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t length = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t group = (uint32_t)bytes[i] << 16;
        group |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        group |= left > 2 ? (uint32_t)bytes[i + 2] : 0;
        text[length++] = letters[group >> 18 & 63];
        text[length++] = letters[group >> 12 & 63];
        text[length++] = left > 1 ? letters[group >> 6 & 63] : '=';
        text[length++] = left > 2 ? letters[group & 63] : '=';
    }
    return length;
}

static tgResult tgCopyBytes(tgOutputFile* file, tgOutputFile* from, bool asText, tgError* error)
{
    unsigned char* bytes = malloc(tg_copySize);
    char* text = asText ? malloc(tg_copySize / 3 * 4) : NULL;
    tgResult result = bytes == NULL || (asText && text == NULL)
                          ? tgFail(error, tg_outOfMemory, -1, "no memory for a copy buffer")
                          : tg_success;
    for (uint64_t done = 0; done < from->size && result == tg_success;) {
        uint64_t left = from->size - done;
        size_t size = left < tg_copySize ? (size_t)left : (size_t)tg_copySize;
        result = tgRead(from, done, bytes, size, error);
        if (result == tg_success && asText) {
            result = tgOutputFile_Write(file, text, tgEncodeBase64(bytes, size, text), error);
        } else if (result == tg_success) {
            result = tgOutputFile_Write(file, bytes, size, error);
        }
        done += size;
    }
    free(bytes);
    free(text);
    return result;
}

tgResult tgOutputFile_Append(tgOutputFile* file, tgOutputFile* from, tgError* error)
{
    return tgCopyBytes(file, from, false, error);
}

tgResult tgOutputFile_AppendBase64(tgOutputFile* file, tgOutputFile* from, tgError* error)
{
    return tgCopyBytes(file, from, true, error);
}

tgResult tgOutputFile_Rewrite(tgOutputFile* file, const void* data, size_t size, tgError* error)
{
    TG_ASSERT(size <= file->size);
    if (!file->inMemory) {
        return tgOutputDisk_Rewrite(file, data, size, error);
    }
    memcpy(file->bytes, data, size);
    return tg_success;
}

uint8_t* tgOutputFile_ReadBack(tgOutputFile* file, tgError* error)
{
    size_t size = (size_t)file->size;
    uint8_t* bytes = malloc(size + 1);
    if (bytes == NULL) {
        tgFail(error, tg_outOfMemory, -1, "no memory for a file of %zu bytes", size);
        return NULL;
    }
    if (tgRead(file, 0, bytes, size, error) != tg_success) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

tgResult tgOutputFile_Finish(tgOutputFile* file, tgError* error)
{
    return file->inMemory ? tg_success : tgOutputDisk_Finish(file, error);
}

tgResult tgOutputFile_Commit(tgOutputFile* file, tgError* error)
{
    if (!file->inMemory) {
        return tgOutputDisk_Commit(file, error);
    }
    if (file->target != NULL) {
        *file->target = (tgBytes){file->bytes, (size_t)file->size};
        file->bytes = NULL;
    }
    return tg_success;
}

void tgOutputFile_Undo(tgOutputFile* file)
{
    if (!file->inMemory) {
        tgOutputDisk_Undo(file);
    } else if (file->target != NULL) {
        tgFreeBytes(file->target);
    }
}

void tgOutputFile_Discard(tgOutputFile* file)
{
    if (!file->inMemory) {
        tgOutputDisk_Discard(file);
    }
    free(file->bytes);
    memset(file, 0, sizeof(*file));
}

const char* tgGetFileName(const char* path)
{
    const char* slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path != NULL ? path : "";
}

void tgFreeBytes(tgBytes* bytes)
{
    free(bytes->data);
    *bytes = (tgBytes){NULL, 0};
}

bool tgHasEnding(const char* path, const char* ending)
{
    size_t pathSize = strlen(path);
    size_t endingSize = strlen(ending);
    if (pathSize < endingSize) {
        return false;
    }
    for (size_t i = 0; i < endingSize; ++i) {
        if (tolower((unsigned char)path[pathSize - endingSize + i]) != ending[i]) {
            return false;
        }
    }
    return true;
}
