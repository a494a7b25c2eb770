// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Files that are looked at until they change.
#ifndef TURGOR_CLI_WATCH_H
#define TURGOR_CLI_WATCH_H

#include <stdbool.h>

enum { tg_mostWatched = 4 };

/// What a file is known by: another time, size or number is another file.
typedef struct tgFileStamp {
    bool isThere;
    long long device, number, size, seconds, nanoseconds;
} tgFileStamp;

typedef struct tgWatch {
    int count;
    const char* paths[tg_mostWatched];
    tgFileStamp stamps[tg_mostWatched];
    int inotify; ///< -1 without
} tgWatch;

/// From here on changes count.
/// @param paths NULL ones are left out
void tgOpenWatch(const char* const* paths, int count, tgWatch* watch);
void tgCloseWatch(tgWatch* watch);
/// Waits until one of the files is another and has come to rest; false after Ctrl-C, which must
/// only set its flag by then (tgHoldInterrupt). A file that is gone is waited for.
bool tgWatch_Wait(tgWatch* watch);

#endif
