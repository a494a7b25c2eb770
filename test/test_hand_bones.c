// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The hand's bone meshes: one for each joint of a digit, closed, two-headed, apart from each other
// and under the skin; and its markers: rigid on each segment but for the noise, and centred on the
// joints.

#include "model_checks.h"
#include "turgor/models.h"

enum { tg_boneCount = 19, tg_markerCount = 16, tg_frameCount = 400 };

static void tgTestOneBoneForEachJoint(void** state)
{
    (void)state;
    tgScene* bones = tgCreateModelBones("hand", NULL);
    assert_non_null(bones);
    assert_int_equal(bones->partCount, tg_boneCount);
    print_message("%d vertices\n", bones->vertexCount);
    assert_int_equal(tgCountBadEdges(bones), 0);
    assert_int_equal(tgCountPinchedVertices(bones), 0);
    assert_int_equal(tgCountBadFaces(bones), 0);
    assert_int_equal(tgCountHandles(bones), 0);
    tgCheckWeights(bones);
    tgCheckAnimations(bones);
    for (int i = 0; i < tg_boneCount; ++i) {
        const tgScenePart* part = &bones->parts[i];
        int joint = tgScene_FindJoint(bones, part->name);
        assert_true(joint >= 0 && joint != part->node);
        for (int v = part->firstVertex; v < part->firstVertex + part->vertexCount; ++v) {
            assert_int_equal(bones->influenceJoints[v * bones->influencesPerVertex], joint);
            CHECK_NEAR(bones->influenceWeights[v * bones->influencesPerVertex], 1.0, 0.0);
        }
    }
    tgDestroyScene(bones);
}

/// The widest a bone is about the line from its first to its last vertex, in each third of it.
static void tgMeasureThirds(const tgScene* bones, const tgScenePart* part, tgVec3 start, tgVec3 end,
                            float widest[3])
{
    tgVec3 axis = tgNormalize(tgSub(end, start), tgMakeVec3(0.0f, 1.0f, 0.0f));
    float least = 1e9f, most = -1e9f;
    for (int v = 0; v < part->vertexCount; ++v) {
        float t = tgDot(tgSub(bones->positions[part->firstVertex + v], start), axis);
        least = fminf(least, t);
        most = fmaxf(most, t);
    }
    widest[0] = widest[1] = widest[2] = 0.0f;
    for (int v = 0; v < part->vertexCount; ++v) {
        tgVec3 p = tgSub(bones->positions[part->firstVertex + v], start);
        float t = tgDot(p, axis), u = (t - least) / (most - least);
        float away = tgLength(tgMulAdd(p, -t, axis));
        // The shaft is the fifth in the middle.
        int third = u < 0.4f ? 0 : u > 0.6f ? 2 : 1;
        widest[third] = fmaxf(widest[third], away);
    }
}

static void tgTestBonesHaveTwoHeads(void** state)
{
    (void)state;
    tgScene* bones = tgCreateModelBones("hand", NULL);
    assert_non_null(bones);
    for (int i = 0; i + 1 < tg_boneCount; ++i) {
        const tgScenePart* part = &bones->parts[i];
        if (strstr(part->name, "distal") != NULL) {
            continue; // ends in a small tuft
        }
        int joint = tgScene_FindJoint(bones, part->name);
        int next = tgScene_FindJoint(bones, bones->parts[i + 1].name);
        float widest[3];
        tgMeasureThirds(bones, part, bones->joints[joint].restJoint.origin,
                        bones->joints[next].restJoint.origin, widest);
        assert_true(widest[0] > 1.2f * widest[1] && widest[2] > 1.2f * widest[1]);
    }
    tgDestroyScene(bones);
}

/// The least distance from a point to a scene's vertices, and whether it is under their skin.
static float tgMeasureDepth(const tgScene* scene, int vertexCount, tgVec3 p)
{
    float nearest = 1e9f, depth = 0.0f;
    for (int v = 0; v < vertexCount; ++v) {
        float distance = tgDistance(scene->positions[v], p);
        if (distance < nearest) {
            nearest = distance;
            depth = tgDot(tgSub(scene->positions[v], p), scene->normals[v]);
        }
    }
    return depth;
}

static void tgTestBonesAreUnderTheSkin(void** state)
{
    (void)state;
    tgScene* skin = tgCreateModel("hand", 0, NULL);
    tgScene* bones = tgCreateModelBones("hand", NULL);
    assert_non_null(skin);
    assert_non_null(bones);
    float least = 1e9f;
    for (int v = 0; v < bones->vertexCount; v += 3) {
        least = fminf(least, tgMeasureDepth(skin, skin->parts[0].vertexCount, bones->positions[v]));
    }
    print_message("%.2f mm of skin at least\n", 1000.0 * (double)least);
    assert_true(least > 0.0008f);
    tgDestroyScene(skin);
    tgDestroyScene(bones);
}

/// How far a point is outside of one bone; negative under its surface.
static float tgMeasureGap(const tgScene* bones, const tgScenePart* part, tgVec3 p)
{
    float nearest = 1e9f, gap = 0.0f;
    for (int v = part->firstVertex; v < part->firstVertex + part->vertexCount; ++v) {
        float distance = tgDistance(bones->positions[v], p);
        if (distance < nearest) {
            nearest = distance;
            gap = tgDot(tgSub(p, bones->positions[v]), bones->normals[v]) > 0.0f ? distance
                                                                                 : -distance;
        }
    }
    return gap;
}

static void tgTestBonesAreApart(void** state)
{
    (void)state;
    tgScene* bones = tgCreateModelBones("hand", NULL);
    assert_non_null(bones);
    float least = 1e9f;
    for (int a = 0; a < tg_boneCount; ++a) {
        const tgScenePart* one = &bones->parts[a];
        for (int b = 0; b < tg_boneCount; ++b) {
            for (int v = 0; v < one->vertexCount && a != b; v += 2) {
                tgVec3 p = bones->positions[one->firstVertex + v];
                least = fminf(least, tgMeasureGap(bones, &bones->parts[b], p));
            }
        }
    }
    print_message("%.2f mm apart\n", 1000.0 * (double)least);
    assert_true(least > 0.0f);
    tgDestroyScene(bones);
}

/// The numbers of a TRC file, frame after frame; metres.
static void tgReadTrc(const char* path, tgVec3 markers[tg_frameCount][tg_markerCount])
{
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    char line[4096];
    for (int i = 0; i < 6; ++i) {
        assert_non_null(fgets(line, sizeof(line), file));
    }
    for (int i = 0; i < tg_frameCount; ++i) {
        int frame;
        double number;
        assert_int_equal(fscanf(file, "%d %lf", &frame, &number), 2);
        assert_int_equal(frame, i + 1);
        CHECK_NEAR(number, 0.01 * i, 1e-4);
        for (int k = 0; k < 3 * tg_markerCount; ++k) {
            assert_int_equal(fscanf(file, "%lf", &number), 1);
            (&markers[i][k / 3].x)[k % 3] = (float)(0.001 * number);
        }
    }
    fclose(file);
}

static void tgWriteTrc(float noise, int seed, tgVec3 markers[tg_frameCount][tg_markerCount])
{
    tgModelMarkersDef def = tgDefaultModelMarkersDef();
    def.noise = noise;
    def.seed = seed;
    tgError error = {0};
    assert_int_equal(tgSaveModelMarkers(&def, "test_hand.trc", &error), tg_success);
    tgReadTrc("test_hand.trc", markers);
    remove("test_hand.trc");
}

/// Markers keep their distance from the joint they turn about: from the metacarpal's, three
/// phalanges' joints in the bind pose, as the frame's other markers say where those are.
static void tgTestMarkersTurnAboutJoints(void** state)
{
    (void)state;
    static tgVec3 tg_clean[tg_frameCount][tg_markerCount];
    tgWriteTrc(0.0f, 1, tg_clean);
    tgScene* scene = tgCreateModel("hand", 2000, NULL);
    static const char* const tg_joints[] = {"index_metacarpal", "index_proximal", "index_middle",
                                            "index_distal"};
    // Both segments that meet at a joint carry it along: a point that is rigid with one and with
    // the other. Express it by the three markers of each and compare the two places.
    for (int s = 1; s < 4; ++s) {
        tgVec3 joint = scene->joints[tgScene_FindJoint(scene, tg_joints[s])].restJoint.origin;
        double worst = 0.0, moved = 0.0;
        for (int i = 0; i < tg_frameCount; i += 7) {
            tgVec3 places[2];
            for (int side = 0; side < 2; ++side) {
                const tgVec3* rest = &tg_clean[0][4 * (s - 1 + side)];
                const tgVec3* now = &tg_clean[i][4 * (s - 1 + side)];
                tgVec3 local[3], posed[3];
                for (int k = 0; k < 2; ++k) {
                    const tgVec3* m = k == 0 ? rest : now;
                    tgVec3* frame = k == 0 ? local : posed;
                    frame[0] = tgNormalize(tgSub(m[1], m[0]), tgMakeVec3(1.0f, 0.0f, 0.0f));
                    frame[2] = tgNormalize(tgCross(frame[0], tgSub(m[2], m[0])), frame[0]);
                    frame[1] = tgCross(frame[2], frame[0]);
                }
                tgVec3 from = tgSub(joint, rest[0]);
                places[side] = now[0];
                for (int k = 0; k < 3; ++k) {
                    places[side] = tgMulAdd(places[side], tgDot(from, local[k]), posed[k]);
                }
            }
            worst = fmax(worst, (double)tgDistance(places[0], places[1]));
            moved = fmax(moved, (double)tgDistance(tg_clean[i][4 * s], tg_clean[0][4 * s]));
        }
        CHECK_AT_MOST(worst, 2e-6);
        assert_true(moved > 0.02);
    }
    tgDestroyScene(scene);
}

static void tgTestMarkerNoise(void** state)
{
    (void)state;
    static tgVec3 tg_clean[tg_frameCount][tg_markerCount], tg_noisy[tg_frameCount][tg_markerCount];
    static tgVec3 tg_again[tg_frameCount][tg_markerCount];
    tgWriteTrc(0.0f, 1, tg_clean);
    tgWriteTrc(0.001f, 1, tg_noisy);
    tgWriteTrc(0.001f, 1, tg_again);
    assert_memory_equal(tg_noisy, tg_again, sizeof(tg_noisy));
    tgWriteTrc(0.001f, 2, tg_again);
    assert_memory_not_equal(tg_noisy, tg_again, sizeof(tg_noisy));
    double sum = 0.0, squares = 0.0;
    int count = 3 * tg_frameCount * tg_markerCount;
    for (int i = 0; i < count; ++i) {
        double d = (double)(&tg_noisy[0][0].x)[i] - (double)(&tg_clean[0][0].x)[i];
        sum += d;
        squares += d * d;
    }
    // 19200 numbers: the mean is good to 1/138 of the deviation, that to 1/196; four times that.
    CHECK_NEAR(sum / count, 0.0, 2.9e-5);
    CHECK_NEAR(sqrt(squares / count), 1e-3, 2.1e-5);
}

static void tgTestBadArguments(void** state)
{
    (void)state;
    tgError error = {0};
    assert_null(tgCreateModelBones("elephant", &error));
    CHECK_CONTAINS(error.message, "elephant");
    assert_null(tgCreateModelBones("rhinoceros", &error));
    CHECK_CONTAINS(error.message, "there are");
    tgModelMarkersDef def = tgDefaultModelMarkersDef();
    def.name = "giraffe";
    assert_int_equal(tgSaveModelMarkers(&def, "x.trc", &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "giraffe");
    def = tgDefaultModelMarkersDef();
    def.noise = NAN;
    assert_int_equal(tgSaveModelMarkers(&def, "x.trc", &error), tg_invalidArgument);
    def = tgDefaultModelMarkersDef();
    def.frameCount = 0;
    assert_int_equal(tgSaveModelMarkers(&def, "x.trc", &error), tg_invalidArgument);
    def = tgDefaultModelMarkersDef();
    def.rate = 0;
    assert_int_equal(tgSaveModelMarkers(&def, "x.trc", &error), tg_invalidArgument);
    def = tgDefaultModelMarkersDef();
    assert_int_equal(tgSaveModelMarkers(&def, "no/such/folder/x.trc", &error), tg_ioError);
    memset(&def, 0, sizeof(def));
    assert_int_equal(tgSaveModelMarkers(&def, "x.trc", &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "tgDefaultModelMarkersDef");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestOneBoneForEachJoint),    cmocka_unit_test(tgTestBonesHaveTwoHeads),
        cmocka_unit_test(tgTestBonesAreUnderTheSkin),   cmocka_unit_test(tgTestBonesAreApart),
        cmocka_unit_test(tgTestMarkersTurnAboutJoints), cmocka_unit_test(tgTestMarkerNoise),
        cmocka_unit_test(tgTestBadArguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
