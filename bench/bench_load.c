// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How long a GLB takes to load: an embedded elephant of about 34 000 vertices, which has a bar, or
// the files named on the command line. Prints milliseconds, the least of many.
//
//   bench_load [FILE...]

#include "bars.h"
#include "clock.h"
#include "turgor/io.h"
#include "turgor/models.h"

#include <stdio.h>

enum { tg_vertexGoal = 34000 };

static void tgLoad(void* context)
{
    tgScene* scene = tgLoadScene(context, NULL);
    tgDestroyScene(scene);
}

/// @param bar milliseconds; 0 for none
static int tgBenchFile(const char* path, double bar)
{
    tgError error = {0};
    tgScene* scene = tgLoadScene(path, &error);
    if (scene == NULL) {
        fprintf(stderr, "bench_load: %s: %s\n", path, error.message);
        return 1;
    }
    tgTiming time = tgTimeRuns(tgLoad, (void*)path, 20);
    printf("%-32s %7d vertices %5d joints   load %7.2f ms (99 %%: %.2f)", path, scene->vertexCount,
           scene->jointCount, 1e3 * time.least, 1e3 * time.percentile99);
    if (bar > 0.0) {
        tgTellBar(1e3 * time.least, tg_atMost, bar);
    }
    printf("\n");
    tgDestroyScene(scene);
    return 0;
}

int main(int argc, char** argv)
{
    int status = 0;
    for (int i = 1; i < argc; ++i) {
        status |= tgBenchFile(argv[i], 0.0);
    }
    if (argc == 1) {
        static const char path[] = "bench_load.glb";
        tgError error = {0};
        tgScene* elephant = tgCreateModel("elephant", tg_vertexGoal, &error);
        if (elephant == NULL || tgSaveScene(elephant, path, &error) != tg_success) {
            fprintf(stderr, "bench_load: %s\n", error.message);
            return 1;
        }
        tgDestroyScene(elephant);
        status = tgBenchFile(path, 50.0);
        remove(path);
    }
    return status | tgEndBench(NULL);
}
