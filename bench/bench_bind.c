// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How long automatic weights take on one core, and the memory they need: the
// embedded hand, and the files named on the command line. The peak is the process's, so each case
// runs in a process of its own.
//
//   bench_bind [FILE...]

#define _DEFAULT_SOURCE

#include "turgor/bind.h"
#include "turgor/io.h"
#include "turgor/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { tg_handVertices = 50000 };

static int tgBenchScene(const char* name, const tgScene* scene, tgBindMethod method)
{
    tgBindDef def = tgScene_GetBindDef(scene, scene);
    def.method = method;
    tgError error = {0};
    clock_t start = clock(); // of the processor: one core, whatever else goes on
    tgBinding* binding = tgCreateBinding(&def, &error);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (binding == NULL) {
        fprintf(stderr, "bench_bind: %s: %s\n", name, error.message);
        return 1;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-28s %6d vertices %4d joints   %-9s %-9s %6.2f s   peak %5.0f MiB\n", name,
           scene->vertexCount, scene->jointCount,
           method == tg_bindGeodesic ? "geodesic" : "distance", binding->solver, seconds,
           (double)usage.ru_maxrss / 1024.0);
    tgDestroyBinding(binding);
    return 0;
}

/// @param path NULL for the embedded hand
static int tgBenchFile(const char* path, tgBindMethod method)
{
    tgError error = {0};
    tgScene* scene =
        path != NULL ? tgLoadScene(path, &error) : tgCreateModel("hand", tg_handVertices, &error);
    if (scene == NULL) {
        fprintf(stderr, "bench_bind: %s: %s\n", path != NULL ? path : "hand", error.message);
        return 1;
    }
    int status = tgBenchScene(path != NULL ? path : "hand", scene, method);
    tgDestroyScene(scene);
    return status;
}

static int tgBenchCases(const char* path)
{
    int status = 0;
    for (int i = 0; i < 2; ++i) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            int result = tgBenchFile(path, i == 0 ? tg_bindGeodesic : tg_bindDistance);
            fflush(stdout);
            _exit(result);
        }
        int ended = 1;
        waitpid(child, &ended, 0);
        status |= ended;
    }
    return status;
}

int main(int argc, char** argv)
{
    int status = argc < 2 ? tgBenchCases(NULL) : 0;
    for (int i = 1; i < argc; ++i) {
        status |= tgBenchCases(argv[i]);
    }
    return status != 0;
}
