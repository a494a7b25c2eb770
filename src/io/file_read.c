// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The bytes of a file, whole or as much as is wanted.

#include "io/gltf_uri.h"

#include "core/core.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tg_firstReadSize = 1 << 18 };

/// Reads to the end by growing, so that pipes work as well as files.
static tgResult tgReadStream(FILE* file, size_t most, uint8_t** bytes, size_t* size, tgError* error)
{
    size_t capacity = tg_firstReadSize;
    size_t used = 0;
    uint8_t* memory = malloc(capacity);
    while (memory != NULL) {
        used += fread(memory + used, 1, capacity - used, file);
        if (used < capacity || used > most) {
            break;
        }
        uint8_t* grown = capacity <= SIZE_MAX / 2 ? realloc(memory, capacity * 2) : NULL;
        if (grown == NULL) {
            free(memory);
        }
        memory = grown;
        capacity *= 2;
    }
    if (memory == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "not enough memory to read the file");
    }
    if (ferror(file)) {
        free(memory);
        return tgFail(error, tg_ioError, -1, "cannot read: %s", strerror(errno));
    }
    if (used > most) {
        free(memory);
        return tgFail(error, tg_ioError, -1, "longer than %zu bytes, expected no more", most);
    }
    *bytes = memory;
    *size = used;
    return tg_success;
}

tgResult tgReadFile(const char* path, size_t most, uint8_t** bytes, size_t* size, tgError* error)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL && errno == ENOMEM) {
        return tgFail(error, tg_outOfMemory, -1, "out of memory");
    }
    if (file == NULL) {
        return tgFail(error, tg_ioError, -1, "cannot open: %s", strerror(errno));
    }
    tgResult result = tgReadStream(file, most, bytes, size, error);
    fclose(file);
    return result;
}

tgResult tgReadBeside(const tgFileRoot* root, const char* name, size_t most, uint8_t** bytes,
                      size_t* size, tgError* error)
{
    uint64_t fileSize = 0;
    FILE* file = tgOpenBeside(root, name, &fileSize, error);
    if (file == NULL) {
        return error->code;
    }
    size_t wanted = fileSize < most ? (size_t)fileSize : most;
    tgResult result = tg_success;
    *bytes = malloc(wanted + 1);
    if (*bytes == NULL) {
        result = tgFail(error, tg_outOfMemory, -1, "not enough memory for %zu bytes", wanted);
    } else {
        *size = fread(*bytes, 1, wanted, file);
        if (ferror(file)) {
            result = tgFail(error, tg_ioError, -1, "cannot read: %s", strerror(errno));
            free(*bytes);
            *bytes = NULL;
        }
    }
    fclose(file);
    return result;
}
