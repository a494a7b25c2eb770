// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// ffmpeg as a program of its own. It runs in a process group of its own, so that Ctrl-C reaches us
// alone and we end it; what it says goes to a file, whose first line becomes our one line.

#include "ffmpeg.h"

#include "io/output_file.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    tg_askInterrupt = 100, ///< milliseconds that Ctrl-C may wait while ffmpeg reads,
    tg_askEnd = 10,        ///< and that its end may go unseen
};

bool tgFindFfmpeg(void)
{
    const char* path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        char file[4096];
        snprintf(file, sizeof(file), "%.*s/ffmpeg", (int)(length < 4000 ? length : 4000), path);
        if (length > 0 && access(file, X_OK) == 0) {
            return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

/// In the new process: the pipe becomes its input, the file what it says. Never returns.
static void tgBecomeFfmpeg(const tgFfmpeg* ffmpeg, int input, int width, int height, double fps)
{
    char size[32], rate[32];
    snprintf(size, sizeof(size), "%dx%d", width, height);
    snprintf(rate, sizeof(rate), "%.6f", fps);
    // A palette of the film's own for .gif; for .mp4 even sides, which most players want.
    static char tg_palette[] = "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=sierra2_4a";
    static char tg_even[] = "pad=ceil(iw/2)*2:ceil(ih/2)*2";
    bool gif = tgHasEnding(ffmpeg->path, ".gif");
    char* target = (char*)ffmpeg->target;
    // Without -xerror it may end with success when a write failed, and leave half a film.
    char* forGif[] = {"ffmpeg", "-nostdin", "-y",       "-xerror", "-loglevel", "error",
                      "-f",     "rawvideo", "-pix_fmt", "rgba",    "-s",        size,
                      "-r",     rate,       "-i",       "-",       "-vf",       tg_palette,
                      "-f",     "gif",      target,     NULL};
    char* forMp4[] = {"ffmpeg",    "-nostdin",   "-y",       "-xerror", "-loglevel", "error",
                      "-f",        "rawvideo",   "-pix_fmt", "rgba",    "-s",        size,
                      "-r",        rate,         "-i",       "-",       "-vf",       tg_even,
                      "-c:v",      "libx264",    "-crf",     "16",      "-pix_fmt",  "yuv420p",
                      "-movflags", "+faststart", "-f",       "mp4",     target,      NULL};
    setpgid(0, 0);
    dup2(input, STDIN_FILENO);
    dup2(fileno(ffmpeg->words), STDOUT_FILENO);
    dup2(fileno(ffmpeg->words), STDERR_FILENO);
    execvp("ffmpeg", gif ? forGif : forMp4);
    _exit(127);
}

int tgStartFfmpeg(tgFfmpeg* ffmpeg, int width, int height, double fps)
{
    int ends[2];
    ffmpeg->words = tmpfile();
    ffmpeg->bytes = malloc(4 * (size_t)width * (size_t)height);
    if (ffmpeg->words == NULL || ffmpeg->bytes == NULL || pipe(ends) != 0) {
        return tgSayFailure(ffmpeg->path, "ffmpeg cannot be started: %s", strerror(errno));
    }
    signal(SIGPIPE, SIG_IGN); // a write tells when ffmpeg is gone
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        tgBecomeFfmpeg(ffmpeg, ends[0], width, height, fps);
    }
    close(ends[0]);
    if (process < 0) {
        close(ends[1]);
        return tgSayFailure(ffmpeg->path, "ffmpeg cannot be started: %s", strerror(errno));
    }
    ffmpeg->process = process;
    ffmpeg->pipe = ends[1];
    return tg_statusDone;
}

/// The first line of what it said.
static int tgSayItsWords(tgFfmpeg* ffmpeg)
{
    char line[512] = "it did not say why";
    rewind(ffmpeg->words);
    if (fgets(line, sizeof(line), ffmpeg->words) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
    }
    return tgSayFailure(ffmpeg->path, "ffmpeg failed: %s", line);
}

int tgFfmpeg_AddFrame(tgFfmpeg* ffmpeg, const tgPicture* picture)
{
    size_t size = 4 * (size_t)picture->width * (size_t)picture->height, done = 0;
    tgPicture_GetBytes(picture, ffmpeg->bytes);
    while (done < size) {
        // Who waits in write() would be put back there after a signal; ffmpeg may never read.
        struct pollfd ready = {.fd = ffmpeg->pipe, .events = POLLOUT};
        poll(&ready, 1, tg_askInterrupt);
        if (tgWasInterrupted()) {
            return tgSayFailure(ffmpeg->path, "interrupted while ffmpeg read a frame");
        }
        ssize_t written = write(ffmpeg->pipe, ffmpeg->bytes + done, size - done);
        if (written < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        if (written <= 0) {
            close(ffmpeg->pipe);
            waitpid(ffmpeg->process, NULL, 0);
            ffmpeg->process = 0;
            return tgSayItsWords(ffmpeg);
        }
        done += (size_t)written;
    }
    return tg_statusDone;
}

/// Until it ends by itself, or we are told to end.
static int tgAwaitFfmpeg(tgFfmpeg* ffmpeg)
{
    int ended = 0;
    pid_t seen = 0;
    while ((seen = waitpid(ffmpeg->process, &ended, WNOHANG)) <= 0) {
        if (tgWasInterrupted()) {
            kill(ffmpeg->process, SIGKILL);
            waitpid(ffmpeg->process, &ended, 0);
            return tgSayFailure(ffmpeg->path, "interrupted while ffmpeg wrote the film");
        }
        if (seen < 0 && errno != EINTR) {
            return tgSayFailure(ffmpeg->path, "ffmpeg is lost: %s", strerror(errno));
        }
        poll(NULL, 0, tg_askEnd);
    }
    bool isWhole = WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
    return isWhole ? tg_statusDone : tgSayItsWords(ffmpeg);
}

int tgEndFfmpeg(tgFfmpeg* ffmpeg, bool whole)
{
    int status = tg_statusDone;
    if (ffmpeg->process > 0) {
        close(ffmpeg->pipe);
        if (whole) {
            status = tgAwaitFfmpeg(ffmpeg);
        } else {
            kill(ffmpeg->process, SIGKILL);
            waitpid(ffmpeg->process, NULL, 0);
        }
        ffmpeg->process = 0;
    }
    if (ffmpeg->words != NULL) {
        fclose(ffmpeg->words);
        ffmpeg->words = NULL;
    }
    free(ffmpeg->bytes);
    ffmpeg->bytes = NULL;
    return status;
}
