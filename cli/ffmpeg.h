// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// ffmpeg as a program of its own: raw frames in, a film out.
#ifndef TURGOR_CLI_FFMPEG_H
#define TURGOR_CLI_FFMPEG_H

#include "draw/picture.h"

#include <stdio.h>
#include <sys/types.h>

/// Start from zero with `path` and `target`.
typedef struct tgFfmpeg {
    const char* path;   ///< what the film will be called; its ending says what it is
    const char* target; ///< where to write it
    pid_t process;      ///< 0: not running
    int pipe;
    FILE* words;          ///< what it says
    unsigned char* bytes; ///< one frame
} tgFfmpeg;

/// Is it on the PATH?
bool tgFindFfmpeg(void);

/// All return the status.
int tgStartFfmpeg(tgFfmpeg* ffmpeg, int width, int height, double fps);
int tgFfmpeg_AddFrame(tgFfmpeg* ffmpeg, const tgPicture* picture);
/// @param whole false: stop at once, the film is not wanted
int tgEndFfmpeg(tgFfmpeg* ffmpeg, bool whole);

#endif
