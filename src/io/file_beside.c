// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which files a document may name. The name is resolved first, then walked again from the folder
// without following any link, so that a link put there in between is met and refused.

#define _GNU_SOURCE // O_PATH: a folder that may be entered but not listed

#include "io/file_beside.h"

#include "core/core.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef O_PATH
enum { tg_enterFolder = O_PATH | O_DIRECTORY | O_CLOEXEC };
#else
enum { tg_enterFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
#endif
// A pipe must not make us wait, a terminal must not become ours.
enum { tg_openPlain = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };

static tgResult tgFailOpen(tgError* error)
{
    return errno == ENOMEM ? tgFail(error, tg_outOfMemory, -1, "out of memory")
                           : tgFail(error, tg_ioError, -1, "cannot open: %s", strerror(errno));
}

tgResult tgFailPlain(tgError* error)
{
    return tgFail(error, tg_ioError, -1, "is a folder, a pipe or a device, expected a plain file");
}

static tgResult tgFailOutside(tgError* error)
{
    return tgFail(error, tg_ioError, -1,
                  "lies outside this file's folder and is not read; move it there, or use "
                  "--allow-outside");
}

/// What is left of `path` below `folder`, both without links; NULL when it is not below.
static char* tgFindBelow(char* path, const char* folder)
{
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/// Open `below`, which is cut up on the way, from an open folder, following no link at all.
static int tgWalk(int folder, char* below, tgError* error)
{
    int at = folder;
    for (char* slash; (slash = strchr(below, '/')) != NULL; below = slash + 1) {
        *slash = '\0';
        int next = openat(at, below, tg_enterFolder | O_NOFOLLOW);
        if (at != folder) {
            close(at);
        }
        if (next < 0) {
            tgFailOpen(error);
            return -1;
        }
        at = next;
    }
    // Asked before it is opened: opening a device may already do something.
    struct stat status;
    int file = -1;
    if (fstatat(at, below, &status, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(status.st_mode)) {
        tgFailPlain(error);
    } else {
        file = openat(at, below, tg_openPlain | O_NOFOLLOW);
        if (file < 0) {
            tgFailOpen(error);
        }
    }
    if (at != folder) {
        close(at);
    }
    return file;
}

/// The descriptor of `path` when it lies below `folder`, -1 otherwise.
static int tgOpenInside(const char* folder, const char* path, tgError* error)
{
    char* realFolder = realpath(folder[0] != '\0' ? folder : "/", NULL);
    char* realFile = realFolder != NULL ? realpath(path, NULL) : NULL;
    int file = -1;
    if (realFile == NULL) {
        tgFailOpen(error);
    } else if (strcmp(realFile, realFolder) == 0) {
        tgFailPlain(error);
    } else {
        char* below = tgFindBelow(realFile, realFolder);
        int root = below != NULL ? open(realFolder, tg_enterFolder) : -1;
        if (below == NULL) {
            tgFailOutside(error);
        } else if (root < 0) {
            tgFailOpen(error);
        } else {
            file = tgWalk(root, below, error);
            close(root);
        }
    }
    free(realFile);
    free(realFolder);
    return file;
}

static int tgOpenAnywhere(const char* path, tgError* error)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        tgFailPlain(error);
        return -1;
    }
    int file = open(path, tg_openPlain);
    if (file < 0) {
        tgFailOpen(error);
    }
    return file;
}

FILE* tgOpenBeside(const tgFileRoot* root, const char* name, uint64_t* size, tgError* error)
{
    size_t pathSize = strlen(root->folder) + strlen(name) + 2;
    char* path = malloc(pathSize);
    if (path == NULL) {
        tgFail(error, tg_outOfMemory, -1, "out of memory");
        return NULL;
    }
    snprintf(path, pathSize, "%s/%s", root->folder, name);
    int file =
        root->allowOutside ? tgOpenAnywhere(path, error) : tgOpenInside(root->folder, path, error);
    free(path);
    struct stat status;
    FILE* stream = NULL;
    if (file >= 0 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
        tgFailPlain(error);
    } else if (file >= 0) {
        *size = (uint64_t)status.st_size;
        stream = fdopen(file, "rb");
        if (stream == NULL) {
            tgFail(error, tg_outOfMemory, -1, "out of memory");
        }
    }
    if (stream == NULL && file >= 0) {
        close(file);
    }
    return stream;
}
