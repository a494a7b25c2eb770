// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Files that are looked at until they change. Editors write in place, or write another file and
// rename it, or remove and write again: so their folders are watched, and whatever happens there,
// the files themselves are asked. inotify only makes that prompt; where it does not work, as on
// some network drives, the files are asked now and then.

#include "watch.h"

#include "report.h"

#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#endif

/// Milliseconds: how often files are asked without a word from inotify, how long Ctrl-C may wait,
/// and how long a file has to stay the same to be whole.
enum { tg_askAfter = 500, tg_restFor = 40 };

static tgFileStamp tgGetStamp(const char* path)
{
    struct stat info;
    tgFileStamp stamp;
    memset(&stamp, 0, sizeof(stamp)); // stamps are compared byte by byte
    if (stat(path, &info) == 0) {
        stamp.isThere = true;
        stamp.device = (long long)info.st_dev;
        stamp.number = (long long)info.st_ino;
        stamp.size = (long long)info.st_size;
        stamp.seconds = (long long)info.st_mtim.tv_sec;
        stamp.nanoseconds = (long long)info.st_mtim.tv_nsec;
    }
    return stamp;
}

static bool tgIsSame(const tgFileStamp* a, const tgFileStamp* b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

#ifdef __linux__
static void tgWatchFolder(tgWatch* watch, const char* path)
{
    char folder[4096] = ".";
    const char* slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    if (slash != NULL && length + 1 < sizeof(folder)) {
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    if (watch->inotify >= 0) {
        inotify_add_watch(watch->inotify, folder[0] != '\0' ? folder : "/",
                          IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MODIFY);
    }
}
#endif

void tgOpenWatch(const char* const* paths, int count, tgWatch* watch)
{
    *watch = (tgWatch){.inotify = -1};
#ifdef __linux__
    watch->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#endif
    for (int i = 0; i < count && watch->count < tg_mostWatched; ++i) {
        if (paths[i] == NULL) {
            continue;
        }
        watch->paths[watch->count] = paths[i];
        watch->stamps[watch->count++] = tgGetStamp(paths[i]);
#ifdef __linux__
        tgWatchFolder(watch, paths[i]);
#endif
    }
}

void tgCloseWatch(tgWatch* watch)
{
    if (watch->inotify >= 0) {
        close(watch->inotify);
    }
    *watch = (tgWatch){.inotify = -1};
}

/// Until something happens in a folder, a signal comes, or the time is over.
static void tgSleep(tgWatch* watch, int milliseconds)
{
    struct pollfd wait = {.fd = watch->inotify, .events = POLLIN};
    char events[4096];
    if (poll(&wait, watch->inotify >= 0 ? 1 : 0, milliseconds) > 0) {
        while (read(watch->inotify, events, sizeof(events)) > 0) {
            // What happened does not matter: the files are asked.
        }
    }
}

/// Takes the stamps anew; whether any that is there differs.
static bool tgHaveChanged(tgWatch* watch)
{
    bool changed = false;
    for (int i = 0; i < watch->count; ++i) {
        tgFileStamp now = tgGetStamp(watch->paths[i]);
        if (now.isThere && !tgIsSame(&now, &watch->stamps[i])) {
            watch->stamps[i] = now;
            changed = true;
        }
    }
    return changed;
}

bool tgWatch_Wait(tgWatch* watch)
{
    bool changed = false;
    while (!tgWasInterrupted()) {
        bool moved = tgHaveChanged(watch);
        if (changed && !moved) {
            return true;
        }
        changed |= moved;
        if (changed) { // it may be half written: look again soon, whatever happens meanwhile
            struct timespec rest = {0, tg_restFor * 1000000L};
            nanosleep(&rest, NULL);
        } else {
            tgSleep(watch, tg_askAfter);
        }
    }
    return false;
}
