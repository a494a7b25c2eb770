// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the exact volume method costs: the whole frame as a ratio to plain linear skinning of the
// same mesh in the same run, one thread, linear base, normals off. The embedded elephant, with one
// joint and with seventeen joints bent; joints that do not move; a limb cut into twice as many
// joints. Or characters that are named: in the middle of their own first animation, with the
// scales and lengths that it gives the joints.
//
//   bench_exact [--csv FILE] [CHARACTER.glb ...]

#include "bent_frame.h"
#include "clock.h"
#include "turgor/io.h"
#include "turgor/models.h"

#include <stdio.h>
#include <string.h>

static FILE* tg_csv;

static double tgTimeRig(const tgScene* scene, const tgVolumeDef* volume, const tgMat34* joints,
                        tgVec3* out, double* volumeError)
{
    tgError error = {0};
    tgRigDef def = tgScene_GetRigDef(scene);
    def.volume = *volume;
    tgRig* rig = tgCreateRig(&def, &error);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = rig != NULL ? tgCreateInstance(rig, &instanceDef, &error) : NULL;
    if (instance == NULL) {
        fprintf(stderr, "bench_exact: %s\n", error.message);
        exit(1);
    }
    tgJob job = {
        instance, joints, scene->jointCount, {&out->x, scene->vertexCount, sizeof(tgVec3)}};
    tgTiming time = tgTimeRuns(tgRunFrame, &job, tg_runCount);
    tgVolumeReport report = tgInstance_MeasureVolume(instance);
    *volumeError = report.result / report.target - 1.0;
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    return time.least;
}

static void tgBenchPose(const tgScene* scene, const char* what, const tgMat34* joints)
{
    static const struct {
        const char* name;
        tgProfileKind kind;
        tgVolumeMode mode;
        bool contact, holdFaces;
    } ways[] = {{"rubber", tg_profileRubber, tg_modeSequence, true, false},
                {"rubber", tg_profileRubber, tg_modeSequence, false, false},
                {"organic", tg_profileOrganic, tg_modeSequence, true, false},
                {"organic", tg_profileOrganic, tg_modeSequence, false, false},
                {"organic held", tg_profileOrganic, tg_modeSequence, true, true},
                {"rubber together", tg_profileRubber, tg_modeTogether, true, false},
                {"rubber together", tg_profileRubber, tg_modeTogether, false, false},
                {"organic together", tg_profileOrganic, tg_modeTogether, true, false},
                {"organic together", tg_profileOrganic, tg_modeTogether, false, false}};
    tgVec3* out = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    tgVolumeDef none = tgDefaultRigDef().volume;
    double error, plain = tgTimeRig(scene, &none, joints, out, &error);
    printf("%-36s %6d v %-30s %9.1f us\n", what, scene->vertexCount, "plain linear", 1e6 * plain);
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); ++i) {
        tgProfile profile = tgDefaultProfile(ways[i].kind, false);
        tgVolumeDef volume = none;
        volume.method = tg_volumeExact;
        volume.mode = ways[i].mode;
        volume.contact.neighbours = ways[i].contact ? tg_contactOn : tg_contactOff;
        volume.holdFaces = ways[i].holdFaces;
        volume.profiles = &profile;
        volume.profileCount = 1;
        double time = tgTimeRig(scene, &volume, joints, out, &error);
        const char* contact = ways[i].contact ? "on" : "off";
        printf("%-36s %6d v %-18s contact %-3s %9.1f us  %6.2f x   volume %+.1e\n", what,
               scene->vertexCount, ways[i].name, contact, 1e6 * time, time / plain, error);
        if (tg_csv != NULL) {
            fprintf(tg_csv, "%s,%d,%s,%s,1,%d,%.2f,%.2f,%.3f,%.2e\n", what, scene->vertexCount,
                    ways[i].name, contact, tg_runCount, 1e6 * plain, 1e6 * time, time / plain,
                    error);
        }
    }
    free(out);
}

static void tgBench(const tgScene* scene, const char* what, const char* const* names, int count,
                    float angle)
{
    tgMat34 joints[tg_mostBentJoints];
    tgTurnJoints(scene, names, count, angle, joints);
    tgBenchPose(scene, what, joints);
}

static void tgBenchFile(const char* path)
{
    tgError error = {0};
    tgScene* scene = tgLoadScene(path, &error);
    if (scene == NULL) {
        fprintf(stderr, "bench_exact: %s\n", error.message);
        exit(1);
    }
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    int frame = tgScene_GetFrameCount(scene, 0, 30.0) / 2;
    tgScene_SamplePose(scene, 0, tgScene_GetFrameTime(scene, 0, 30.0, frame), nodes, joints, NULL);
    const char* name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    tgBenchPose(scene, name, joints);
    free(joints);
    free(nodes);
    tgDestroyScene(scene);
}

/// A straight tube of so many bones; its joints in the middle share a bend of 90 degrees.
static void tgBenchTube(int boneCount)
{
    tgCylinderDef def = tgDefaultCylinderDef();
    def.aroundCount = 48;
    def.ringCount = 138;
    def.boneCount = boneCount;
    def.length = 16.0f;
    def.blendLength = 16.0f / (float)boneCount;
    tgError error = {0};
    tgScene* tube = tgCreateCylinder(&def, &error);
    if (tube == NULL) {
        fprintf(stderr, "bench_exact: %s\n", error.message);
        exit(1);
    }
    const char* names[64];
    int count = 0;
    for (int j = 0; j < tube->jointCount && count < 64; ++j) {
        if (tube->joints[j].parent >= 0) {
            names[count++] = tube->joints[j].name;
        }
    }
    char what[64];
    snprintf(what, sizeof(what), "tube of %d bones, 90 degrees in all", boneCount);
    tgBench(tube, what, names, count, 1.5707963f / (float)count);
    tgDestroyScene(tube);
}

static void tgBenchOwnModels(void)
{
    tgError error = {0};
    tgScene* elephant = tgCreateModel("elephant", 0, &error);
    if (elephant == NULL) {
        fprintf(stderr, "bench_exact: %s\n", error.message);
        exit(1);
    }
    static const char* const one[] = {"knee.L"};
    static const char* const many[] = {
        "spine1", "spine2", "spine3",  "neck",    "trunk1", "trunk2", "trunk3",  "trunk4", "trunk5",
        "trunk6", "trunk7", "elbow.L", "elbow.R", "knee.L", "knee.R", "wrist.L", "wrist.R"};
    tgBench(elephant, "elephant, one joint bent", one, 1, 0.8f);
    tgBench(elephant, "elephant, seventeen joints bent", many, 17, 0.3f);
    tgDestroyScene(elephant);
    tgBenchTube(5);
    tgBenchTube(9);
}

int main(int argc, char** argv)
{
    int first = 1;
    if (argc >= 3 && strcmp(argv[1], "--csv") == 0) {
        tg_csv = fopen(argv[2], "w");
        first = tg_csv != NULL ? 3 : 1;
    }
    if (argc > first && argv[first][0] == '-') {
        fprintf(stderr, "usage: bench_exact [--csv FILE] [CHARACTER.glb ...]\n");
        return 2;
    }
    if (tg_csv != NULL) {
        fprintf(
            tg_csv,
            "what,vertices,profile,contact,threads,runs,plain_us,exact_us,ratio,volume_error\n");
    }
    if (first == argc) {
        tgBenchOwnModels();
    }
    for (int i = first; i < argc; ++i) {
        tgBenchFile(argv[i]);
    }
    return tg_csv != NULL && fclose(tg_csv) != 0;
}
