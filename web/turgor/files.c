// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// WebAssembly has no disk. Files that a glTF names beside itself are those that the page gave
// along; everything else that would open one says so.

#include "files.h"

#include "core/core.h"
#include "io/gltf_uri.h"
#include "io/load_objects.h"
#include "io/output_disk.h"

#include <stdlib.h>
#include <string.h>

typedef struct tgGivenFile {
    char* name;
    uint8_t* data;
    size_t size;
    struct tgGivenFile* next;
} tgGivenFile;

static tgGivenFile* tg_givenFiles;

bool tgGiveFile(const char* name, const void* data, size_t size)
{
    tgGivenFile* file = calloc(1, sizeof(*file));
    char* ownName = malloc(strlen(name) + 1);
    uint8_t* ownData = malloc(size + 1);
    if (file == NULL || ownName == NULL || ownData == NULL) {
        free(file);
        free(ownName);
        free(ownData);
        return false;
    }
    *file = (tgGivenFile){strcpy(ownName, name), memcpy(ownData, data, size), size, tg_givenFiles};
    tg_givenFiles = file;
    return true;
}

void tgForgetFiles(void)
{
    while (tg_givenFiles != NULL) {
        tgGivenFile* next = tg_givenFiles->next;
        free(tg_givenFiles->name);
        free(tg_givenFiles->data);
        free(tg_givenFiles);
        tg_givenFiles = next;
    }
}

static tgResult tgFailFile(tgError* error)
{
    return tgFail(error, tg_ioError, -1, "there are no files in a browser");
}

tgResult tgReadBeside(const tgFileRoot* root, const char* name, size_t most, uint8_t** bytes,
                      size_t* size, tgError* error)
{
    (void)root;
    const tgGivenFile* file = tg_givenFiles;
    while (file != NULL && strcmp(file->name, name) != 0) {
        file = file->next;
    }
    if (file == NULL) {
        return tgFail(error, tg_ioError, -1, "it was not opened along with the document");
    }
    *size = file->size < most ? file->size : most;
    *bytes = malloc(*size + 1);
    if (*bytes == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "not enough memory for %zu bytes", *size);
    }
    memcpy(*bytes, file->data, *size);
    return tg_success;
}

tgResult tgReadFile(const char* path, size_t most, uint8_t** bytes, size_t* size, tgError* error)
{
    (void)path, (void)most, (void)bytes, (void)size;
    return tgFailFile(error);
}

tgScene* tgLoadObjects(const char* path, tgError* error)
{
    (void)path;
    tgFailFile(error);
    return NULL;
}

tgResult tgOutputDisk_Open(tgOutputFile* file, const char* path, bool isFirst, tgError* error)
{
    (void)file, (void)path, (void)isFirst;
    return tgFailFile(error);
}

tgResult tgOutputDisk_Write(tgOutputFile* file, const void* data, size_t size, tgError* error)
{
    (void)file, (void)data, (void)size;
    return tgFailFile(error);
}

tgResult tgOutputDisk_Rewrite(tgOutputFile* file, const void* data, size_t size, tgError* error)
{
    (void)file, (void)data, (void)size;
    return tgFailFile(error);
}

tgResult tgOutputDisk_Read(tgOutputFile* file, uint64_t offset, void* data, size_t size,
                           tgError* error)
{
    (void)file, (void)offset, (void)data, (void)size;
    return tgFailFile(error);
}

tgResult tgOutputDisk_Finish(tgOutputFile* file, tgError* error)
{
    (void)file;
    return tgFailFile(error);
}

tgResult tgOutputDisk_Commit(tgOutputFile* file, tgError* error)
{
    (void)file;
    return tgFailFile(error);
}

void tgOutputDisk_Undo(const tgOutputFile* file)
{
    (void)file;
}

void tgOutputDisk_Discard(tgOutputFile* file)
{
    (void)file;
}
