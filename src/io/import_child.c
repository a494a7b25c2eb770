// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// FBX and COLLADA from a process of its own. Assimp writes and reads wildly on some damaged files,
// so the program turgor-import runs it, under limits, and sends the scene through a pipe. Here it
// is started, waited for, and what it sends is checked as any file would be.

#define _GNU_SOURCE // pipe2, secure_getenv

#include "io/import_child.h"

#include "core/core.h"
#include "io/scene_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

enum {
    tg_importSeconds = 60, ///< a file that takes longer is one that never ends
    tg_firstPipeSize = 1 << 20,
};

/// What came out of the child.
typedef struct tgChildOutput {
    uint8_t* bytes;
    size_t size;
    bool isLate;
    bool isOutOfMemory;
} tgChildOutput;

// ---- where the program is ----

/// "FOLDER/NAME" when that can be run. The caller frees it.
/// @param hasRunOut set when there was no memory to see
static char* tgTryProgram(const char* folder, int folderSize, const char* name, bool* hasRunOut)
{
    size_t size = (size_t)folderSize + strlen(name) + 2;
    char* path = malloc(size);
    if (path == NULL) {
        *hasRunOut = true;
    } else {
        snprintf(path, size, "%.*s/%s", folderSize, folder, name);
        if (access(path, X_OK) != 0) {
            free(path);
            path = NULL;
        }
    }
    return path;
}

/// What TURGOR_IMPORT says, or beside the running program, or where an install puts it. Never by
/// PATH or the current folder: who owns these is not known.
static char* tgFindProgram(bool* hasRunOut)
{
#ifdef __GLIBC__
    const char* told = secure_getenv("TURGOR_IMPORT"); // not in a program with more rights
#else
    const char* told = getenv("TURGOR_IMPORT");
#endif
    if (told != NULL && told[0] != '\0') {
        const char* slash = strrchr(told, '/');
        return slash != NULL ? tgTryProgram(told, (int)(slash - told), slash + 1, hasRunOut)
                             : tgTryProgram(".", 1, told, hasRunOut);
    }
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    char* path = NULL;
    if (length > 0) {
        self[length] = '\0';
        int folderSize = (int)(strrchr(self, '/') - self);
        path = tgTryProgram(self, folderSize, "turgor-import", hasRunOut);
        path = path != NULL
                   ? path
                   : tgTryProgram(self, folderSize, "../libexec/turgor/turgor-import", hasRunOut);
    }
    return path != NULL ? path
                        : tgTryProgram(TURGOR_LIBEXEC, (int)strlen(TURGOR_LIBEXEC), "turgor-import",
                                       hasRunOut);
}

// ---- running it ----

/// Starts it with its standard output on `pipe`; 0 or an errno.
static int tgStart(const char* program, char* const* arguments, int pipe, pid_t* child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) {
        return failure;
    }
    failure = posix_spawnattr_init(&attributes);
    if (failure == 0) {
        // What the host ignores or blocks is its own affair.
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        failure |= posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        failure |= posix_spawn_file_actions_adddup2(&actions, pipe, 1);
        failure |= posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
        failure = failure == 0
                      ? posix_spawn(child, program, &actions, &attributes, arguments, environ)
                      : ENOMEM;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/// One that other programs which the host starts meanwhile do not hold open.
static int tgMakePipe(int ends[2])
{
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC);
#else
    int failure = pipe(ends);
    if (failure == 0) {
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    }
    return failure;
#endif
}

static double tgGetSeconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// Everything until the other end is closed, or the time is up.
static void tgCollect(int pipe, tgChildOutput* output)
{
    double end = tgGetSeconds() + tg_importSeconds;
    size_t capacity = 0;
    for (;;) {
        if (output->size == capacity) {
            capacity = capacity > 0 ? 2 * capacity : (size_t)tg_firstPipeSize;
            uint8_t* grown = realloc(output->bytes, capacity);
            if (grown == NULL) {
                output->isOutOfMemory = true;
                return;
            }
            output->bytes = grown;
        }
        double left = end - tgGetSeconds();
        struct pollfd ready = {.fd = pipe, .events = POLLIN};
        int count = left > 0.0 ? poll(&ready, 1, (int)(1000.0 * left) + 1) : 0;
        if (count == 0) {
            output->isLate = true;
            return;
        }
        ssize_t size =
            count > 0 ? read(pipe, output->bytes + output->size, capacity - output->size) : -1;
        if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN)) {
            return;
        }
        output->size += size > 0 ? (size_t)size : 0;
    }
}

static tgResult tgRunChild(const char* program, char* const* arguments, tgChildOutput* output,
                           tgError* error)
{
    int ends[2];
    if (tgMakePipe(ends) != 0) {
        return tgFail(error, tg_ioError, -1, "cannot start the importer: %s", strerror(errno));
    }
    pid_t child = -1;
    int failure = tgStart(program, arguments, ends[1], &child);
    close(ends[1]);
    if (failure == 0) {
        tgCollect(ends[0], output);
        // One that is done has ended by itself; one that is not has nothing more to say.
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    close(ends[0]);
    return failure == 0 ? tg_success
                        : tgFail(error, failure == ENOMEM ? tg_outOfMemory : tg_ioError, -1,
                                 "cannot start the importer %.80s: %s", program, strerror(failure));
}

tgScene* tgImportInChild(const char* path, tgImportWish wish, tgError* error)
{
    bool hasRunOut = false;
    char* program = tgFindProgram(&hasRunOut);
    if (program == NULL && hasRunOut) {
        tgFail(error, tg_outOfMemory, -1, "out of memory");
        return NULL;
    }
    if (program == NULL) {
        tgFail(error, tg_unsupported, -1,
               "FBX and DAE need the program turgor-import, which is neither beside this program "
               "nor in %.60s; set TURGOR_IMPORT to where it is",
               TURGOR_LIBEXEC);
        return NULL;
    }
    tgChildOutput output = {0};
    tgError reason = {0};
    tgScene* scene = NULL;
    char unfolding[16];
    snprintf(unfolding, sizeof(unfolding), "%d", wish.mostUnfolding);
    char* const arguments[] = {program, (char*)path, wish.prefersLoose ? "loose" : "skinned",
                               unfolding, NULL};
    if (tgRunChild(program, arguments, &output, &reason) != tg_success) {
        tgFail(error, reason.code, -1, "%s", reason.message);
    } else if (output.isOutOfMemory) {
        tgFail(error, tg_outOfMemory, -1, "out of memory");
    } else if (output.isLate) {
        tgFail(error, tg_ioError, -1,
               "the importer did not finish within %d s; try exporting it as glTF or FBX 7.4 "
               "binary",
               tg_importSeconds);
    } else {
        scene = tgReadSceneStream(output.bytes, output.size, &reason);
        if (scene == NULL && reason.code == tg_ioError &&
            strcmp(reason.message, "the scene is damaged") == 0) {
            // It ended before it had said all: a crash, or a limit.
            tgFail(error, tg_ioError, -1,
                   "the importer failed on this file; try exporting it as glTF or FBX 7.4 binary");
        } else if (scene == NULL) {
            tgFail(error, reason.code, reason.index, "%s", reason.message);
        }
    }
    free(output.bytes);
    free(program);
    return scene;
}
