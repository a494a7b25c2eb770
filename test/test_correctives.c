// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor correctives on other people's characters, all animations of each: the file it writes,
// played as a plain viewer does, against what turgor bake writes. Position, volume, size, and what
// of the source must stay. `test_correctives long` runs the larger ones, and `test_correctives play
// FILE ANIMATION SECONDS...` writes what it computes, for others to be compared with.

#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE

#include "played.h"

#include <sys/stat.h>

enum { tg_fps = 30 };

static const double tg_mostError = 1e-3;  ///< of the diagonal: the verb's default
static const double tg_mostVolume = 1e-5; ///< of the volume

static void tgRunProgram(const char* format, ...)
{
    char arguments[2048], command[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof(arguments), format, list);
    va_end(list);
    snprintf(command, sizeof(command), "\"%s\" %s >correctives_out.txt 2>&1", TURGOR_PROGRAM,
             arguments);
    if (system(command) != 0) {
        print_error("%s\n", command);
        fail();
    }
}

static long long tgGetSize(const char* path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return (long long)status.st_size;
}

/// How far one file is from the other over all frames of an animation.
typedef struct tgGap {
    double position; ///< of the diagonal
    double volume;   ///< of the volume
    int frames;
} tgGap;

/// Where two vertices are in one place in the first frame they are one: at rest copies of one mesh
/// may all lie in the same place.
/// @param original tells times and places at rest
static void tgCompare(const tgScene* original, tgPlayed* played, tgPlayed* baked, int animation,
                      tgGap* gap)
{
    int vertexCount = original->vertexCount;
    // Meshes without a skin come before what was baked.
    tgVec3* truth = baked->positions + (baked->scene->vertexCount - vertexCount);
    tgScene rest = *played->scene;
    rest.positions = original->positions;
    tgPlay(baked, animation, tgScene_GetFrameTime(original, animation, tg_fps, 0));
    tgScene first = rest;
    first.positions = truth;
    tgTestMesh mesh = tgMakeTestMesh(&first);
    int frameCount = tgScene_GetFrameCount(original, animation, tg_fps);
    double diagonal = 0.0;
    for (int frame = 0; frame < frameCount; frame += TURGOR_FRAME_STEP) {
        double time = tgScene_GetFrameTime(original, animation, tg_fps, frame);
        tgPlay(played, animation, time);
        tgPlay(baked, animation, time);
        if (frame == 0) { // at the size at which the character stands
            double area = tgMeasureArea(&rest, truth) / tgMeasureArea(&rest, rest.positions);
            diagonal = tgMeasureDiagonal(rest.positions, vertexCount) * sqrt(area);
        }
        for (int v = 0; v < vertexCount; ++v) {
            double off = (double)tgDistance(played->positions[v], truth[v]);
            gap->position = fmax(gap->position, off / diagonal);
        }
        double volume = tgTestMesh_Measure(&mesh, truth);
        if (fabs(volume) > 1e-9 * pow(diagonal, 3.0)) {
            double other = tgTestMesh_Measure(&mesh, played->positions);
            gap->volume = fmax(gap->volume, fabs(other / volume - 1.0));
        }
        gap->frames += 1;
    }
    tgFreeTestMesh(&mesh);
}

/// Skeleton, animations and the mesh's own targets are still there, under their names.
static void tgCheckKept(const tgScene* original, const tgScene* written)
{
    assert_int_equal(written->vertexCount, original->vertexCount);
    assert_int_equal(written->faceCount >= original->faceCount, 1);
    assert_int_equal(written->animationCount, original->animationCount);
    assert_true(written->morphCount >= original->morphCount);
    for (int a = 0; a < original->animationCount; ++a) {
        assert_string_equal(written->animations[a].name, original->animations[a].name);
    }
    for (int j = 0; j < original->jointCount; ++j) {
        assert_true(tgScene_FindJoint(written, original->joints[j].name) >= 0);
    }
    for (int v = 0; v < original->vertexCount; ++v) {
        assert_true(tgDistance(original->positions[v], written->positions[v]) == 0.0f);
    }
}

/// The weights of all keys lie between 0 and 1, which Blender clamps them to.
static void tgCheckWeights(const tgScene* written)
{
    for (int a = 0; a < written->animationCount; ++a) {
        for (int c = 0; c < written->animations[a].channelCount; ++c) {
            const tgChannel* channel = &written->animations[a].channels[c];
            for (int i = 0; channel->path == tg_pathWeights &&
                            channel->interpolation == tg_interpolateLinear &&
                            i < channel->keyCount * channel->width;
                 ++i) {
                assert_true(channel->values[i] >= 0.0f && channel->values[i] <= 1.0f);
            }
        }
    }
}

static void tgCheckAsset(const char* name, const tgScene* original)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", TURGOR_ASSETS, name);
    tgRunProgram("correctives \"%s\" -o played.glb", path);
    tgScene* written = tgLoadScene("played.glb", NULL);
    assert_non_null(written);
    tgCheckKept(original, written);
    tgCheckWeights(written);
    tgPlayed played = tgOpenPlayed(written);
    tgGap gap = {0};
    tgRunProgram("bake \"%s\" --animation all -o baked.glb", path);
    tgScene* bake = tgLoadScene("baked.glb", NULL);
    assert_non_null(bake);
    tgPlayed baked = tgOpenPlayed(bake);
    for (int a = 0; a < original->animationCount; ++a) {
        tgCompare(original, &played, &baked, a, &gap);
    }
    print_message("%-26s %4d frames, %2d targets: %.4f %%, volume %.1e, %lld bytes\n", name,
                  gap.frames, written->morphCount - original->morphCount, 100.0 * gap.position,
                  gap.volume, tgGetSize("played.glb"));
    assert_true(gap.position <= tg_mostError);
    assert_true(gap.volume <= tg_mostVolume);
    tgClosePlayed(&played);
    tgClosePlayed(&baked);
    tgDestroyScene(written);
    tgDestroyScene(bake);
}

static void TestAnimatedAssetsPlayAsBaked(void** state)
{
    (void)state;
    static const char* const names[] = {
        "CesiumMan.glb",     "Fox.glb",          "RiggedFigure.glb", "RiggedFigure.dae",
        "RiggedSimple.glb",  "SimpleSkin.gltf",  "Yeti.glb",         "RecursiveSkeletons.glb",
        "giraffe_adult.glb", "giraffe_vs.glb",   "spot_vs.glb",      "elephant_african_bush.glb",
        "hand_bones.glb",    "Trex.fbx",         "Snake.fbx",        "turkey_walk.dae",
        "Q_Spider.glb",      "godot_player.glb",
    };
    tgCheckAssets(names, sizeof(names) / sizeof(names[0]), tgCheckAsset);
}

static void TestLongAssetsPlayAsBaked(void** state)
{
    (void)state;
    static const char* const names[] = {"human_makehuman.glb", "Q_Rat.glb", "Q_KnightCharacter.glb",
                                        "Q_Fox.glb", "Q_Apatosaurus.glb"};
    tgCheckAssets(names, sizeof(names) / sizeof(names[0]), tgCheckAsset);
}

/// Bytes that a character's file may take, in plain glTF and compressed.
static void tgCheckSize(const char* name, long long plain, long long compressed)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", TURGOR_ASSETS, name);
    struct stat status;
    if (stat(path, &status) != 0) {
        print_message("%s is not there: skipped\n", name);
        return;
    }
    tgRunProgram("correctives \"%s\" -o size.glb", path);
    tgRunProgram("correctives \"%s\" --compress -o size_packed.glb", path);
    print_message("%s: %lld bytes, compressed %lld\n", name, tgGetSize("size.glb"),
                  tgGetSize("size_packed.glb"));
    assert_true(tgGetSize("size.glb") <= plain);
    assert_true(tgGetSize("size_packed.glb") <= compressed);
}

static void TestFilesAreSmall(void** state)
{
    (void)state;
    tgCheckSize("CesiumMan.glb", 1300000, 400000);
    tgCheckSize("human_makehuman.glb", 8000000, 2500000);
}

static void TestFewTargetsKeepTheVolume(void** state)
{
    (void)state;
    tgScene* original = tgLoadAsset("CesiumMan.glb");
    if (original == NULL) {
        skip();
    }
    tgRunProgram("correctives \"%s/CesiumMan.glb\" --targets 8 -o few.glb", TURGOR_ASSETS);
    tgRunProgram("bake \"%s/CesiumMan.glb\" -o few_baked.glb", TURGOR_ASSETS);
    tgScene* written = tgLoadScene("few.glb", NULL);
    tgScene* bake = tgLoadScene("few_baked.glb", NULL);
    assert_non_null(written);
    assert_non_null(bake);
    assert_int_equal(written->morphCount, 9); // and the constant one
    tgPlayed played = tgOpenPlayed(written), baked = tgOpenPlayed(bake);
    tgGap gap = {0};
    tgCompare(original, &played, &baked, 0, &gap);
    print_message("8 targets: %.4f %%, volume %.1e\n", 100.0 * gap.position, gap.volume);
    assert_true(gap.volume <= tg_mostVolume);
    tgClosePlayed(&played);
    tgClosePlayed(&baked);
    tgDestroyScene(written);
    tgDestroyScene(bake);
    tgDestroyScene(original);
}

/// Places of all vertices at some times, on standard output: to judge other programs by.
static int tgPrintPlayed(int count, char** arguments)
{
    tgScene* scene = tgLoadScene(arguments[0], NULL);
    if (scene == NULL) {
        return 1;
    }
    tgPlayed played = tgOpenPlayed(scene);
    for (int i = 2; i < count; ++i) {
        tgPlay(&played, atoi(arguments[1]), atof(arguments[i]));
        fwrite(played.positions, sizeof(tgVec3), (size_t)scene->vertexCount, stdout);
    }
    tgClosePlayed(&played);
    tgDestroyScene(scene);
    return 0;
}

int main(int argc, char** argv)
{
    if (argc > 3 && strcmp(argv[1], "play") == 0) {
        return tgPrintPlayed(argc - 2, argv + 2);
    }
    const struct CMUnitTest quick[] = {
        cmocka_unit_test(TestAnimatedAssetsPlayAsBaked),
        cmocka_unit_test(TestFewTargetsKeepTheVolume),
    };
    const struct CMUnitTest slow[] = {
        cmocka_unit_test(TestLongAssetsPlayAsBaked),
        cmocka_unit_test(TestFilesAreSmall),
    };
    return argc > 1 && strcmp(argv[1], "long") == 0 ? cmocka_run_group_tests(slow, NULL, NULL)
                                                    : cmocka_run_group_tests(quick, NULL, NULL);
}
