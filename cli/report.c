// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the user is told beside the result: errors, warnings, progress; and Ctrl-C.

#include "report.h"

#include "io/joint_names.h"
#include "io/settings_text.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { tg_lineSize = 8192 }; ///< a path of 4096, twice

static volatile sig_atomic_t tg_interrupted, tg_interruptHeld, tg_barShown;
static char tg_interruptLine[64]; ///< made beforehand: a signal handler may not format text
static const char tg_clearLine[] = "\r\033[K";

/// Question marks for control characters: those of ASCII, and U+0080 to U+009F in UTF-8.
static void tgClean(char* text)
{
    for (char* c = text; *c != '\0'; ++c) {
        bool isSecond = (unsigned char)c[0] == 0xc2 && (unsigned char)(c[1] ^ 0x80) < 0x20;
        if ((unsigned char)*c < 0x20 || *c == 0x7f || isSecond) {
            c[isSecond] = '?';
            *c = '?';
        }
    }
}

tgNameText tgTellName(const char* name)
{
    tgNameText told;
    size_t length = strlen(name), most = sizeof(told.text) - 4;
    bool isLong = length > most;
    while (isLong && most > 0 && ((unsigned char)name[most] & 0xc0) == 0x80) {
        most -= 1; // not inside a character
    }
    snprintf(told.text, sizeof(told.text), "%.*s%s", (int)(isLong ? most : length), name,
             isLong ? "..." : "");
    tgClean(told.text);
    return told;
}

/// `text` on a line of its own, whatever names and arguments brought into it.
static void tgPutLine(char* text)
{
    tgClean(text);
    fprintf(stderr, "%s%s\n", tg_barShown ? tg_clearLine : "", text);
    tg_barShown = 0;
}

int tgSayFailed(const char* file, const tgError* error)
{
    bool isMemory =
        error->code == tg_outOfMemory && strstr(error->message, "out of memory") == NULL;
    return tgSayFailure(file, "%s%s", isMemory ? "out of memory: " : "", error->message);
}

tgScene* tgLoadCharacter(const char* file, const tgLoadDef* def)
{
    tgError error = {0};
    tgScene* scene = tgLoadSceneWith(file, def, &error);
    if (scene == NULL) {
        tgSayFailed(file, &error);
    }
    return scene;
}

int tgSayFailure(const char* file, const char* format, ...)
{
    char line[tg_lineSize];
    int used = snprintf(line, sizeof(line), "turgor: %.4096s: ", file);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, sizeof(line) - (size_t)used, format, arguments);
    va_end(arguments);
    tgPutLine(line);
    return tg_statusFailed;
}

int tgSayUsage(const char* format, ...)
{
    char line[tg_lineSize];
    int used = snprintf(line, sizeof(line), "turgor: ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, sizeof(line) - (size_t)used, format, arguments);
    va_end(arguments);
    tgPutLine(line);
    return tg_statusUsage;
}

tgPerhapsText tgTellPerhaps(const char* written, const char* const* words)
{
    tgPerhapsText told = {""};
    tgNearest nearest = {.word = written};
    for (int i = 0; words[i] != NULL; ++i) {
        tgNearest_Try(&nearest, words[i]);
    }
    if (nearest.best != NULL && strcmp(nearest.best, written) != 0) {
        snprintf(told.text, sizeof(told.text), ", perhaps %s", nearest.best);
    }
    return told;
}

/// "1 one-sided, 2 flat" of pieces without an inside.
static void tgTellKinds(const tgRigInfo* info, char* text, size_t size)
{
    int flat = info->noInsideCount - info->oneSidedCount;
    if (info->oneSidedCount == 0 || flat == 0) {
        snprintf(text, size, "%s", flat == 0 ? "one-sided" : "flat");
    } else {
        snprintf(text, size, "%d one-sided, %d flat", info->oneSidedCount, flat);
    }
}

tgVolumeText tgTellNoVolume(const tgRigInfo* info)
{
    tgVolumeText told = {""};
    char kinds[64];
    tgTellKinds(info, kinds, sizeof(kinds));
    if (info->noInsideCount > 0 && info->noInsideCount < info->componentCount) {
        snprintf(told.text, sizeof(told.text),
                 "%d of %d pieces (%s) enclose no volume: they keep plain skinning",
                 info->noInsideCount, info->componentCount, kinds);
    } else if (info->noInsideCount > 1) {
        snprintf(told.text, sizeof(told.text),
                 "none of the %d pieces (%s) encloses a volume: there is none to keep",
                 info->componentCount, kinds);
    } else if (info->oneSidedCount > 0) {
        snprintf(told.text, sizeof(told.text),
                 "the mesh is one-sided: it has no inside, and no volume to keep");
    } else if (info->isFlat) {
        snprintf(told.text, sizeof(told.text), "the mesh is flat: it encloses no volume to keep");
    }
    return told;
}

tgPercentText tgTellPercent(double part)
{
    tgPercentText told;
    double percent = 100.0 * part;
    snprintf(told.text, sizeof(told.text), fabs(percent) < 1.0 ? "%.2g" : "%.1f", percent);
    return told;
}

int tgSayNoJoint(const char* file, const tgScene* scene, const char* name)
{
    tgNearest nearest = {.word = name};
    for (int j = 0; j < scene->jointCount; ++j) {
        tgNearest_Try(&nearest, scene->joints[j].name);
    }
    const char* like = strpbrk(name, "*?") != NULL ? "like " : "";
    return nearest.best != NULL
               ? tgSayFailure(file, "there is no joint %s%s, perhaps %s", like, name, nearest.best)
               : tgSayFailure(file, "there is no joint %s%s; turgor info lists them", like, name);
}

int tgFindOneJoint(const char* file, const tgScene* scene, const char* name, int* joint)
{
    *joint = tgScene_FindJoint(scene, name);
    for (int j = 0; j < scene->jointCount && *joint < 0; ++j) {
        if (tgFitsPattern(name, scene->joints[j].name)) {
            *joint = j;
        }
    }
    if (*joint < 0) {
        return tgSayNoJoint(file, scene, name);
    }
    for (int j = *joint + 1; j < scene->jointCount; ++j) {
        bool isExact = strcmp(name, scene->joints[*joint].name) == 0;
        if (!isExact && tgFitsPattern(name, scene->joints[j].name)) {
            return tgSayFailure(file, "%s is for %s, %s and perhaps more, wanted one joint", name,
                                scene->joints[*joint].name, scene->joints[j].name);
        }
    }
    return tg_statusDone;
}

int tgSayNoAnimation(const char* file, const tgScene* scene, const char* name)
{
    tgNearest nearest = {.word = name};
    for (int a = 0; a < scene->animationCount; ++a) {
        tgNearest_Try(&nearest, scene->animations[a].name);
    }
    return nearest.best != NULL
               ? tgSayFailure(file, "there is no animation %s, perhaps %s", name, nearest.best)
               : tgSayFailure(file, "there is no animation %s; the file has %d, see turgor info",
                              name, scene->animationCount);
}

void tgSayWarnings(const char* file, const tgScene* scene)
{
    for (int i = 0; i < scene->warningCount; ++i) {
        tgSayFailure(file, "warning: %s", scene->warnings[i]);
    }
}

/// Work that takes longer is told of beforehand, in seconds.
static const double tg_longWork = 5.0;
/// Before that the rate is not known well enough, in seconds.
static const double tg_firstGuess = 0.5;

/// The work whose bar is shown.
typedef struct tgWork {
    char what[32];
    int firstDone, done;
    double start; ///< when so much was done
    bool isTold;  ///< that it takes long
} tgWork;

static double tgGetSeconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// Takes down how far it is; returns the seconds that are left, less than 0 while nobody knows.
static double tgWork_Continue(tgWork* work, const char* what, int done, int total)
{
    double now = tgGetSeconds();
    if (strcmp(work->what, what) != 0 || done <= work->done) { // another one
        *work = (tgWork){.firstDone = done, .start = now};
        snprintf(work->what, sizeof(work->what), "%s", what);
    }
    work->done = done;
    double elapsed = now - work->start;
    return elapsed > tg_firstGuess ? elapsed * (total - done) / (done - work->firstDone) : -1.0;
}

/// "turgor: measure: about 40 s more and 260 MB; Ctrl-C ends it"
static void tgTellWork(tgWork* work, double left)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    double megabytes = (double)usage.ru_maxrss / 1024.0; // ru_maxrss is in KB on Linux
    fprintf(stderr, "%sturgor: %s: about %.0f s and %.0f MB; Ctrl-C ends it\n", tg_clearLine,
            work->what, left, megabytes);
    work->isTold = true;
}

void tgShowProgress(const char* what, int done, int total)
{
    static int isTerminal = -1;
    static tgWork work;
    if (isTerminal < 0) {
        isTerminal = isatty(STDERR_FILENO);
    }
    if (!isTerminal || total < 2) {
        return;
    }
    enum { tg_barWidth = 40 };
    char bar[tg_barWidth + 1], ending[48];
    int filled = (int)((long long)tg_barWidth * done / total);
    memset(bar, '.', tg_barWidth);
    memset(bar, '#', (size_t)filled);
    bar[tg_barWidth] = '\0';
    bool isLast = done == total;
    double left = tgWork_Continue(&work, what, done, total);
    if (left > tg_longWork && !work.isTold) {
        tgTellWork(&work, left);
    }
    snprintf(ending, sizeof(ending), left >= 1.0 ? ", %.0f s left\033[K" : "\033[K", left);
    fprintf(stderr, "\r%s [%s] %d/%d%s", what, bar, done, total, isLast ? tg_clearLine : ending);
    fflush(stderr);
    tg_barShown = !isLast;
}

static const int tg_interrupts[] = {SIGINT, SIGTERM, SIGHUP};
enum { tg_interruptCount = sizeof(tg_interrupts) / sizeof(tg_interrupts[0]) };

static void tgEndInterrupted(void)
{
    if (write(STDERR_FILENO, tg_interruptLine, strlen(tg_interruptLine)) < 0) {
        // Nobody is there to be told.
    }
    _exit(tg_statusFailed);
}

static void tgOnInterrupt(int signalNumber)
{
    (void)signalNumber;
    tg_interrupted = 1;
    // Whatever holds us up now, the next one ends it.
    for (int i = 0; i < tg_interruptCount; ++i) {
        struct sigaction action;
        if (sigaction(tg_interrupts[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            action.sa_handler = SIG_DFL;
            sigaction(tg_interrupts[i], &action, NULL);
        }
    }
    if (!tg_interruptHeld) {
        tgEndInterrupted();
    }
}

void tgCatchInterrupt(const char* verb)
{
    // Past the largest file that is allowed, writing fails with EFBIG and is told.
    signal(SIGXFSZ, SIG_IGN);
    snprintf(tg_interruptLine, sizeof(tg_interruptLine), "turgor: %s: interrupted\n", verb);
    for (int i = 0; i < tg_interruptCount; ++i) {
        struct sigaction action;
        // Who started us in the background, or under nohup, may have asked to be left alone.
        if (sigaction(tg_interrupts[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            memset(&action, 0, sizeof(action));
            action.sa_handler = tgOnInterrupt;
            action.sa_flags = SA_RESTART;
            sigaction(tg_interrupts[i], &action, NULL);
        }
    }
}

void tgHoldInterrupt(void)
{
    tg_interruptHeld = 1;
}

void tgReleaseInterrupt(void)
{
    tg_interruptHeld = 0;
    if (tg_interrupted) {
        tgEndInterrupted();
    }
}

bool tgWasInterrupted(void)
{
    return tg_interrupted != 0;
}
