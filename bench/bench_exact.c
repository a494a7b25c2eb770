// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the exact volume method costs beside plain linear skinning of the same mesh: the whole
// frame, default profile, contact on, no normals. Plain and exact frames take turns in one process,
// over several frames of an animation, so that a machine that slows down slows both. Then two
// threads against one, the time to make rigs, and tubes of up to a million vertices, with the most
// memory that the process had by then, character and all. Bars stand beside.
//
//   bench_exact [--csv FILE] [--assets FOLDER] [--only PART] [CHARACTER ...]
//
// PART is ratios, threads, rigs or tubes. With characters: their ratios alone.

#include "bars.h"
#include "bent_frame.h"
#include "clock.h"
#include "spin_pool.h"
#include "turgor/io.h"
#include "turgor/models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum { tg_poseCount = 8, tg_leastRounds = 12, tg_mostRounds = 200, tg_tubeFrames = 20 };

/// A pair is timed for about so long.
static const double tg_raceSeconds = 2.0;
/// No larger tube is tried after a rig that took longer.
static const double tg_patience = 30.0;

static FILE* tg_csv;

static void tgStop(const char* what, const tgError* error)
{
    fprintf(stderr, "bench_exact: %s: %s\n", what, error->message);
    exit(1);
}

static void tgTell(const char* what, int vertices, const char* measure, double value, double worst,
                   double bar, tgBarSide side)
{
    bool met = true;
    printf("%-34s %8d v  %-24s %9.3g", what, vertices, measure, value);
    if (worst > 0.0) {
        printf("  (worst frame %.2f)", worst);
    }
    if (bar > 0.0) {
        met = tgTellBar(value, side, bar);
    }
    printf("\n");
    fflush(stdout);
    if (tg_csv != NULL) {
        fprintf(tg_csv, "%s,%d,%s,%.4f,%.3f,%s%g,%s\n", what, vertices, measure, value, worst,
                side == tg_atLeast ? ">=" : "<=", bar,
                bar <= 0.0 ? ""
                : met      ? "met"
                           : "missed");
        fflush(tg_csv); // a large tube may take longer than one waits
    }
}

// ---- two instances that take turns --------------------------------------------------------------

typedef struct tgRunner {
    tgRig* rig;
    tgInstance* instance;
} tgRunner;

static tgRunner tgMakeRunner(const tgScene* scene, tgVolumeMethod method, tgSpinPool* pool)
{
    tgError error = {0};
    tgRigDef def = tgScene_GetRigDef(scene);
    def.volume.method = method;
    tgRunner runner = {.rig = tgCreateRig(&def, &error)};
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    instanceDef.parallelFor = pool != NULL ? tgSpinPool_Run : NULL;
    instanceDef.parallelUser = pool;
    runner.instance =
        runner.rig != NULL ? tgCreateInstance(runner.rig, &instanceDef, &error) : NULL;
    if (runner.instance == NULL) {
        tgStop("rig", &error);
    }
    return runner;
}

static void tgFreeRunner(tgRunner* runner)
{
    tgDestroyInstance(runner->instance);
    tgDestroyRig(runner->rig);
}

/// Poses that the frames are taken from, one after the other.
typedef struct tgPoses {
    tgMat34* joints; ///< jointCount for each pose
    float times[tg_poseCount];
    int count, jointCount;
} tgPoses;

static double tgTimeFrame(const tgRunner* runner, const tgPoses* poses, int i, tgVec3Span out)
{
    tgPose pose = {.joints = poses->joints + (size_t)i * (size_t)poses->jointCount,
                   .jointCount = poses->jointCount,
                   .time = poses->times[i]};
    tgError error = {0};
    double start = tgNow();
    tgResult result = tgInstance_Deform(runner->instance, &pose, out, (tgVec3Span){0}, &error);
    double time = tgNow() - start;
    if (result != tg_success) {
        tgStop("frame", &error);
    }
    return time;
}

/// Times of `first` and of `second` over those of first.
typedef struct tgRace {
    double firstSeconds, secondSeconds; ///< the least of each pose, summed over the poses
    double ratio;                       ///< of these
    double median;                      ///< of the ratios of two frames that follow each other
    double worst;                       ///< ratio of the pose where it is largest
    double volumeError;
} tgRace;

static tgRace tgRunRace(const tgRunner* first, const tgRunner* second, const tgPoses* poses,
                        const tgScene* scene)
{
    tgVec3* positions = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    static double ratios[tg_poseCount * tg_mostRounds];
    if (positions == NULL) {
        exit(1);
    }
    tgVec3Span out = {&positions->x, scene->vertexCount, sizeof(tgVec3)};
    double least[2][tg_poseCount], end = tgNow() + tg_raceSeconds;
    int count = 0;
    tgRace race = {0};
    for (int round = 0; round < tg_mostRounds && (round < tg_leastRounds || tgNow() < end);
         ++round) {
        for (int i = 0; i < poses->count; ++i) {
            double a = tgTimeFrame(first, poses, i, out), b = tgTimeFrame(second, poses, i, out);
            least[0][i] = round == 0 ? a : fmin(least[0][i], a);
            least[1][i] = round == 0 ? b : fmin(least[1][i], b);
            ratios[count++] = b / a;
            if (round == 0) {
                tgVolumeReport volume = tgInstance_MeasureVolume(second->instance);
                race.volumeError =
                    fmax(race.volumeError, fabs(volume.result / volume.target - 1.0));
            }
        }
    }
    for (int i = 0; i < poses->count; ++i) {
        race.firstSeconds += least[0][i];
        race.secondSeconds += least[1][i];
        race.worst = fmax(race.worst, least[1][i] / least[0][i]);
    }
    qsort(ratios, (size_t)count, sizeof(double), tgCompareDoubles);
    race.median = ratios[count / 2];
    race.ratio = race.secondSeconds / race.firstSeconds;
    free(positions);
    return race;
}

/// Equally far apart over an animation, its ends left out.
static tgPoses tgSamplePoses(const tgScene* scene, int animation)
{
    tgPoses poses = {.count = tg_poseCount, .jointCount = scene->jointCount};
    poses.joints = calloc((size_t)tg_poseCount * (size_t)scene->jointCount, sizeof(tgMat34));
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    if (poses.joints == NULL || nodes == NULL) {
        exit(1);
    }
    int frames = tgScene_GetFrameCount(scene, animation, 60.0);
    for (int i = 0; i < tg_poseCount; ++i) {
        int frame = (2 * i + 1) * frames / (2 * tg_poseCount);
        double time = tgScene_GetFrameTime(scene, animation, 60.0, frame);
        poses.times[i] = (float)time;
        tgScene_SamplePose(scene, animation, time, nodes,
                           poses.joints + (size_t)i * (size_t)scene->jointCount, NULL);
    }
    free(nodes);
    return poses;
}

/// A joint bends a little more from pose to pose.
static tgPoses tgBendPoses(const tgScene* scene, const char* joint, float most)
{
    tgPoses poses = {.count = tg_poseCount, .jointCount = scene->jointCount};
    poses.joints = calloc((size_t)tg_poseCount * (size_t)scene->jointCount, sizeof(tgMat34));
    if (poses.joints == NULL) {
        exit(1);
    }
    for (int i = 0; i < tg_poseCount; ++i) {
        tgTurnJoints(scene, &joint, 1, most * (float)(i + 1) / tg_poseCount,
                     poses.joints + (size_t)i * (size_t)scene->jointCount);
    }
    return poses;
}

// ---- ratios -------------------------------------------------------------------------------------

static tgScene* tgLoad(const char* name, const char* folder)
{
    tgError error = {0};
    char path[1024];
    bool isFile = strchr(name, '.') != NULL, isPath = strchr(name, '/') != NULL;
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    tgScene* scene =
        isFile ? tgLoadScene(isPath ? name : path, &error) : tgCreateModel(name, 0, &error);
    if (scene == NULL) {
        fprintf(stderr, "bench_exact: %s is left out: %s\n", name, error.message);
    }
    return scene;
}

static void tgTellRatio(const char* what, const tgScene* scene, tgPoses* poses, double bar)
{
    tgRunner plain = tgMakeRunner(scene, tg_volumeNone, NULL);
    tgRunner exact = tgMakeRunner(scene, tg_volumeExact, NULL);
    tgRace race = tgRunRace(&plain, &exact, poses, scene);
    printf("%-34s %8d v  plain %.1f us, exact %.1f us\n", what, scene->vertexCount,
           1e6 * race.firstSeconds / poses->count, 1e6 * race.secondSeconds / poses->count);
    tgTell(what, scene->vertexCount, "exact / plain", race.ratio, race.worst, bar, tg_atMost);
    tgTell(what, scene->vertexCount, "exact / plain median", race.median, 0.0, 0.0, tg_atMost);
    tgTell(what, scene->vertexCount, "volume error", race.volumeError, 0.0, 1e-6, tg_atMost);
    tgFreeRunner(&plain);
    tgFreeRunner(&exact);
    free(poses->joints);
}

static void tgTellFile(const char* name, const char* folder, double bar)
{
    tgScene* scene = tgLoad(name, folder);
    if (scene != NULL) {
        tgPoses poses = tgSamplePoses(scene, 0);
        tgTellRatio(name, scene, &poses, bar);
        tgDestroyScene(scene);
    }
}

static void tgBenchRatios(const char* folder)
{
    static const struct {
        const char* name;
        double bar;
    } characters[] = {{"CesiumMan.glb", 5.0},
                      {"Fox.glb", 5.0},
                      {"Trex.fbx", 5.0},
                      {"spot_vs.glb", 5.0},
                      {"elephant", 5.0},
                      {"Yeti.glb", 6.5},
                      {"human_makehuman.glb", 5.0},
                      {"elephant_african_bush.glb", 6.5}};
    for (size_t i = 0; i < sizeof(characters) / sizeof(characters[0]); ++i) {
        tgTellFile(characters[i].name, folder, characters[i].bar);
    }
    tgScene* elephant = tgLoad("elephant", folder);
    if (elephant != NULL) {
        tgPoses poses = tgBendPoses(elephant, "knee.L", 0.8f);
        tgTellRatio("elephant; one joint bent", elephant, &poses, 2.3);
        tgDestroyScene(elephant);
    }
}

// ---- threads, rigs, tubes -----------------------------------------------------------------------

static void tgBenchThreads(const char* folder)
{
    static const char* const names[] = {"Yeti.glb", "human_makehuman.glb"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        tgScene* scene = tgLoad(names[i], folder);
        if (scene == NULL) {
            continue;
        }
        tgPoses poses = tgSamplePoses(scene, 0);
        tgSpinPool* pool = tgCreateSpinPool(2);
        tgRunner two = tgMakeRunner(scene, tg_volumeExact, pool);
        tgRunner one = tgMakeRunner(scene, tg_volumeExact, NULL);
        tgRace race = tgRunRace(&two, &one, &poses, scene);
        tgTell(names[i], scene->vertexCount, "1 thread / 2 threads", race.ratio, 0.0, 1.6,
               tg_atLeast);
        tgTell(names[i], scene->vertexCount, "1 / 2 threads median", race.median, 0.0, 0.0,
               tg_atLeast);
        tgFreeRunner(&one);
        tgFreeRunner(&two);
        tgDestroySpinPool(pool);
        free(poses.joints);
        tgDestroyScene(scene);
    }
}

/// The least of some runs, seconds of the processor.
static double tgTimeRig(const tgScene* scene, int runs)
{
    double least = INFINITY;
    for (int i = 0; i < runs; ++i) {
        tgError error = {0};
        tgRigDef def = tgScene_GetRigDef(scene);
        def.volume.method = tg_volumeExact;
        double start = tgGetProcessorTime();
        tgRig* rig = tgCreateRig(&def, &error);
        least = fmin(least, tgGetProcessorTime() - start);
        if (rig == NULL) {
            tgStop("rig", &error);
        }
        tgDestroyRig(rig);
    }
    return least;
}

static void tgBenchRigs(const char* folder)
{
    static const char* const names[] = {"human_makehuman.glb", "human_makehuman_53k.glb"};
    static const double bars[] = {300.0, 1500.0};
    for (int i = 0; i < 2; ++i) {
        tgScene* scene = tgLoad(names[i], folder);
        if (scene != NULL) {
            tgTell(names[i], scene->vertexCount, "rig ms", 1e3 * tgTimeRig(scene, 3), 0.0, bars[i],
                   tg_atMost);
            tgDestroyScene(scene);
        }
    }
}

static tgScene* tgMakeTube(int rings, int around)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.aroundCount = around;
    def.ringCount = rings;
    tgError error = {0};
    tgScene* tube = tgCreateCylinder(&def, &error);
    if (tube == NULL) {
        tgStop("tube", &error);
    }
    return tube;
}

/// The most memory that this process ever had, bytes.
static double tgGetPeakMemory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0.0;
}

static void tgBenchTubes(void)
{
    // Rings and vertices around in turns twice as many.
    static const int sizes[][2] = {{250, 250}, {500, 250}, {500, 500}, {1000, 500}, {1000, 1000}};
    double rigBefore = 0.0, frameBefore = 0.0;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && rigBefore < tg_patience; ++i) {
        tgScene* tube = tgMakeTube(sizes[i][0], sizes[i][1]);
        bool isLast = i + 1 == sizeof(sizes) / sizeof(sizes[0]);
        double rig = tgTimeRig(tube, rigBefore < 3.0 ? 2 : 1), frame = INFINITY;
        tgPoses poses = tgSamplePoses(tube, 0);
        tgRunner exact = tgMakeRunner(tube, tg_volumeExact, NULL);
        tgVec3* positions = calloc((size_t)tube->vertexCount, sizeof(tgVec3));
        tgVec3Span out = {&positions->x, tube->vertexCount, sizeof(tgVec3)};
        for (int k = 0; k < tg_tubeFrames; ++k) {
            double start = tgGetProcessorTime();
            tgTimeFrame(&exact, &poses, poses.count / 2, out);
            frame = fmin(frame, tgGetProcessorTime() - start);
        }
        char what[64];
        snprintf(what, sizeof(what), "tube of %d x %d", sizes[i][0], sizes[i][1]);
        tgTell(what, tube->vertexCount, "rig s", rig, 0.0, isLast ? 20.0 : 0.0, tg_atMost);
        tgTell(what, tube->vertexCount, "frame s", frame, 0.0, isLast ? 0.25 : 0.0, tg_atMost);
        tgTell(what, tube->vertexCount, "bytes / vertex", tgGetPeakMemory() / tube->vertexCount,
               0.0, isLast ? 1500.0 : 0.0, tg_atMost);
        if (i > 0) {
            tgTell(what, tube->vertexCount, "rig / half", rig / rigBefore, 0.0, 2.4, tg_atMost);
            tgTell(what, tube->vertexCount, "frame / half", frame / frameBefore, 0.0, 2.4,
                   tg_atMost);
        }
        rigBefore = rig;
        frameBefore = frame;
        free(positions);
        tgFreeRunner(&exact);
        free(poses.joints);
        tgDestroyScene(tube);
    }
}

int main(int argc, char** argv)
{
    const char *folder = TURGOR_ASSETS, *only = NULL, *csv = NULL;
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        const char** option = strcmp(argv[i], "--csv") == 0      ? &csv
                              : strcmp(argv[i], "--assets") == 0 ? &folder
                              : strcmp(argv[i], "--only") == 0   ? &only
                                                                 : NULL;
        if (option == NULL) {
            break;
        }
        *option = argv[i + 1];
    }
    if (i < argc && argv[i][0] == '-') {
        fprintf(stderr, "usage: bench_exact [--csv FILE] [--assets FOLDER] "
                        "[--only ratios|threads|rigs|tubes] [CHARACTER ...]\n");
        return 2;
    }
    tg_csv = csv != NULL ? fopen(csv, "w") : NULL;
    if (tg_csv != NULL) {
        fprintf(tg_csv, "what,vertices,measure,value,worst_frame,bar,verdict\n");
    }
    if (i < argc) {
        for (; i < argc; ++i) {
            tgTellFile(argv[i], folder, 0.0);
        }
        return tgEndBench(tg_csv);
    }
    if (only == NULL || strcmp(only, "ratios") == 0) {
        tgBenchRatios(folder);
    }
    if (only == NULL || strcmp(only, "threads") == 0) {
        tgBenchThreads(folder);
    }
    if (only == NULL || strcmp(only, "rigs") == 0) {
        tgBenchRigs(folder);
    }
    if (only == NULL || strcmp(only, "tubes") == 0) {
        tgBenchTubes();
    }
    return tgEndBench(tg_csv);
}
