// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What turgor correctives costs beside turgor bake of the same frames: processor seconds of both
// programs, all threads together, in turn so that both meet the same machine, the least of some
// runs. Ends with status 1 when a character takes more than three times the bake.
//
//   bench_correctives [--csv FILE] [FILE...]

#define _DEFAULT_SOURCE

#include "turgor/io.h"
#include "turgor/models.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { tg_runs = 5, tg_vertexGoal = 13000 };

static const double tg_mostTimes = 3.0;
static const char tg_bakePath[] = "bench_bake.glb", tg_correctivesPath[] = "bench_correctives.glb";

/// Processor seconds of one run of the program; below 0 when it fails.
static double tgRunProgram(const char* verb, const char* file, const char* output)
{
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execl(TURGOR_PROGRAM, TURGOR_PROGRAM, verb, file, "--animation", "all", "-o", output,
              (char*)NULL);
        _exit(127);
    }
    int status = 0;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0) {
        return -1.0;
    }
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/// 0 when the character is within the bar.
static int tgBenchFile(const char* path, FILE* csv)
{
    double bake = INFINITY, correctives = INFINITY;
    for (int i = 0; i < tg_runs; ++i) {
        double first = tgRunProgram("bake", path, tg_bakePath);
        double second = tgRunProgram("correctives", path, tg_correctivesPath);
        if (first < 0.0 || second < 0.0) {
            fprintf(stderr, "bench_correctives: %s: turgor %s fails\n", path,
                    first < 0.0 ? "bake" : "correctives");
            return 1;
        }
        bake = fmin(bake, first);
        correctives = fmin(correctives, second);
    }
    struct stat baked = {0}, written = {0};
    stat(tg_bakePath, &baked);
    stat(tg_correctivesPath, &written);
    remove(tg_bakePath);
    remove(tg_correctivesPath);
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    double times = correctives / bake;
    printf("%-26s bake %6.2f s %7.2f MB   correctives %6.2f s %7.2f MB   %.2f times%s\n", name,
           bake, 1e-6 * (double)baked.st_size, correctives, 1e-6 * (double)written.st_size, times,
           times > tg_mostTimes ? ", wanted 3 at most" : "");
    if (csv != NULL) {
        fprintf(csv, "%s,%.3f,%lld,%.3f,%lld,%.2f\n", name, bake, (long long)baked.st_size,
                correctives, (long long)written.st_size, times);
    }
    return times > tg_mostTimes ? 1 : 0;
}

/// The human among the assets; without them the embedded one.
static int tgBenchHuman(FILE* csv)
{
    static const char asset[] = TURGOR_ASSETS "/human_makehuman.glb";
    if (access(asset, R_OK) == 0) {
        return tgBenchFile(asset, csv);
    }
    static const char path[] = "bench_human.glb";
    tgError error = {0};
    tgScene* human = tgCreateModel("human", tg_vertexGoal, &error);
    if (human == NULL || tgSaveScene(human, path, &error) != tg_success) {
        fprintf(stderr, "bench_correctives: %s\n", error.message);
        return 1;
    }
    tgDestroyScene(human);
    int status = tgBenchFile(path, csv);
    remove(path);
    return status;
}

int main(int argc, char** argv)
{
    FILE* csv = NULL;
    int first = 1, status = 0;
    if (argc > 2 && strcmp(argv[1], "--csv") == 0) {
        csv = fopen(argv[2], "w");
        if (csv == NULL) {
            fprintf(stderr, "bench_correctives: cannot write %s\n", argv[2]);
            return 1;
        }
        fprintf(csv, "character,bake seconds,bake bytes,correctives seconds,correctives bytes,"
                     "times\n");
        first = 3;
    }
    for (int i = first; i < argc; ++i) {
        status |= tgBenchFile(argv[i], csv);
    }
    status |= first == argc ? tgBenchHuman(csv) : 0;
    if (csv != NULL) {
        fclose(csv);
    }
    return status;
}
