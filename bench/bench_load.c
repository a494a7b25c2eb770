// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How long a GLB takes to load: an embedded elephant of about 34 000 vertices, or the files
// named on the command line. Prints milliseconds, the least of many.
//
//   bench_load [FILE...]

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

static int tgBenchFile(const char* path)
{
    tgError error = {0};
    tgScene* scene = tgLoadScene(path, &error);
    if (scene == NULL) {
        fprintf(stderr, "bench_load: %s: %s\n", path, error.message);
        return 1;
    }
    tgTiming time = tgTimeRuns(tgLoad, (void*)path, 20);
    printf("%-32s %7d vertices %5d joints   load %7.2f ms (99 %%: %.2f)\n", path,
           scene->vertexCount, scene->jointCount, 1e3 * time.least, 1e3 * time.percentile99);
    tgDestroyScene(scene);
    return 0;
}

int main(int argc, char** argv)
{
    int status = 0;
    for (int i = 1; i < argc; ++i) {
        status |= tgBenchFile(argv[i]);
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
        status = tgBenchFile(path);
        remove(path);
    }
    return status;
}
