// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Who bends against whom: the maximum spanning tree of shared skin against all trees there are, on
// small skins; a foot that hangs under the root; a hand whose joints all do.

#include "assets.h"
#include "core/rig.h"
#include "random_skin.h"

enum { tg_mostJoints = 6 };

/// sum of area w_a w_b over the vertices, with its mean place.
typedef struct tgShared {
    double amount[tg_mostJoints][tg_mostJoints];
    double middle[tg_mostJoints][tg_mostJoints][3];
} tgShared;

static double tgGetArea(const tgShape* shape, const int* c, int size)
{
    tgVec3 u = tgSub(shape->positions[c[2]], shape->positions[c[0]]);
    tgVec3 v = tgSub(shape->positions[c[size - 1]], shape->positions[c[1]]);
    if (size == 3) {
        v = tgSub(shape->positions[c[2]], shape->positions[c[1]]);
    }
    return 0.5 * (double)tgLength(tgCross(u, v));
}

static void tgFindShared(const tgShape* shape, tgShared* shared)
{
    int per = shape->influencesPerVertex;
    double* areas = calloc((size_t)shape->vertexCount, sizeof(double));
    const int* c = shape->faceVertices;
    for (int f = 0; f < shape->faceCount; c += shape->faceSizes[f], ++f) {
        for (int k = 0; k < shape->faceSizes[f]; ++k) {
            areas[c[k]] += tgGetArea(shape, c, shape->faceSizes[f]) / shape->faceSizes[f];
        }
    }
    memset(shared, 0, sizeof(*shared));
    for (int v = 0; v < shape->vertexCount; ++v) {
        for (int i = per * v; i < per * (v + 1); ++i) {
            for (int k = per * v; k < per * (v + 1); ++k) {
                int a = shape->joints[i], b = shape->joints[k];
                double own = areas[v] * (double)shape->weights[i] * (double)shape->weights[k];
                shared->amount[a][b] += a != b ? own : 0.0;
                for (int axis = 0; axis < 3 && a != b; ++axis) {
                    shared->middle[a][b][axis] += own * (double)(&shape->positions[v].x)[axis];
                }
            }
        }
    }
    free(areas);
}

/// The best of all trees over the joints, by the sequences of Pruefer.
static double tgFindBestTree(const tgShared* shared, int count)
{
    int codes = 1;
    for (int i = 0; i < count - 2; ++i) {
        codes *= count;
    }
    double best = 0.0;
    for (int code = 0; code < codes; ++code) {
        int degree[tg_mostJoints], sequence[tg_mostJoints];
        for (int j = 0; j < count; ++j) {
            degree[j] = 1;
        }
        for (int i = 0, rest = code; i < count - 2; ++i, rest /= count) {
            sequence[i] = rest % count;
            degree[sequence[i]] += 1;
        }
        double sum = 0.0;
        for (int i = 0; i < count - 2; ++i) {
            int leaf = 0;
            while (degree[leaf] != 1) {
                leaf += 1;
            }
            sum += shared->amount[leaf][sequence[i]];
            degree[leaf] = 0;
            degree[sequence[i]] -= 1;
        }
        int ends[2], found = 0;
        for (int j = 0; j < count; ++j) {
            if (degree[j] == 1) {
                ends[found++] = j;
            }
        }
        sum += shared->amount[ends[0]][ends[1]];
        best = fmax(best, sum);
    }
    return best;
}

static double tgGetSquaredDistance(const tgSkeleton* skeleton, int j, const double p[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        sum += (p[i] - skeleton->rest[j].c[3][i]) * (p[i] - skeleton->rest[j].c[3][i]);
    }
    return sum;
}

static tgRig* tgMakeRig(const tgRigDef* def)
{
    tgRigDef exact = *def;
    exact.volume.method = tg_volumeExact;
    tgRig* rig = tgCreateRig(&exact, NULL);
    assert_non_null(rig);
    return rig;
}

static void tgTestSpanningTree(void** state)
{
    (void)state;
    for (int i = 0; i < 40; ++i) {
        tgRandomDef def = {.seed = 100u + (unsigned)i,
                           .around = 6,
                           .rings = 7,
                           .isOpen = i & 1,
                           .faces = (tgFaceKinds)(i % 3),
                           .jointCount = 3 + i % (tg_mostJoints - 2),
                           .influences = 3};
        tgShape shape = tgMakeRandomSkin(&def);
        tgRigDef rigDef = tgShape_GetRigDef(&shape);
        tgRig* rig = tgMakeRig(&rigDef);
        const tgSkeleton* skeleton = &rig->skeleton;
        tgShared shared;
        tgFindShared(&shape, &shared);
        double sum = 0.0;
        for (int j = 0; j < def.jointCount; ++j) {
            int carrier = skeleton->bodies.carriers[j], best = 0;
            sum += carrier >= 0 ? shared.amount[j][carrier] : 0.0;
            for (int k = 1; k < def.jointCount; ++k) {
                best = shared.amount[j][k] > shared.amount[j][best] ? k : best;
            }
            assert_int_equal(skeleton->partners[j], best);
            if (carrier < 0) {
                assert_int_equal(j, 0); // the first of the file
                continue;
            }
            double middle[3];
            for (int axis = 0; axis < 3; ++axis) {
                middle[axis] = shared.middle[j][carrier][axis] / shared.amount[j][carrier];
            }
            bool isOther = tgGetSquaredDistance(skeleton, carrier, middle) <
                           tgGetSquaredDistance(skeleton, j, middle);
            assert_int_equal(skeleton->pivots[j], isOther ? carrier : j);
        }
        CHECK_NEAR(sum / tgFindBestTree(&shared, def.jointCount), 1.0, 1e-5);
        tgDestroyRig(rig);
        tgFreeShape(&shape);
    }
}

/// Pelvis, thigh, shin and foot along a tube. The foot is the goal of the leg and hangs under the
/// pelvis in the file; it bends against the shin.
static void tgTestGoal(void** state)
{
    (void)state;
    enum { tg_pelvis, tg_thigh, tg_shin, tg_foot, tg_legJoints };
    tgRandomDef def = {
        .seed = 3, .around = 10, .rings = 33, .jointCount = tg_legJoints, .influences = 2};
    tgShape leg = tgMakeRandomSkin(&def);
    static const int parents[tg_legJoints] = {-1, tg_pelvis, tg_thigh, tg_pelvis};
    memcpy(leg.parents, parents, sizeof(parents));
    for (int j = 0; j < tg_legJoints; ++j) {
        leg.restJoints[j] = tgIdentityMat34();
        leg.restJoints[j].origin.x = 1.5f * (float)j;
    }
    for (int v = 0; v < leg.vertexCount; ++v) { // ramps of length 1 about each joint
        float x = fminf(fmaxf(leg.positions[v].x, 0.0f), 5.99f);
        int below = (int)((x + 0.5f) / 1.5f);
        below = below < 1 ? 1 : below > tg_foot ? tg_foot : below;
        float w = fminf(fmaxf(x - 1.5f * (float)below + 0.5f, 0.0f), 1.0f);
        leg.joints[2 * v] = below - 1;
        leg.joints[2 * v + 1] = below;
        leg.weights[2 * v] = 1.0f - w;
        leg.weights[2 * v + 1] = w;
    }
    tgRigDef rigDef = tgShape_GetRigDef(&leg);
    tgRig* rig = tgMakeRig(&rigDef);
    const tgSkeleton* skeleton = &rig->skeleton;
    assert_int_equal(skeleton->tree.carriers[tg_foot], tg_pelvis);
    assert_int_equal(skeleton->bodies.carriers[tg_pelvis], -1);
    assert_int_equal(skeleton->bodies.carriers[tg_thigh], tg_pelvis);
    assert_int_equal(skeleton->bodies.carriers[tg_shin], tg_thigh);
    assert_int_equal(skeleton->bodies.carriers[tg_foot], tg_shin);
    for (int j = tg_thigh; j <= tg_foot; ++j) {
        assert_int_equal(skeleton->pivots[j], j);
        assert_true(rig->limbs.byJoint[j] >= 0);
    }
    tgDestroyRig(rig);
    tgFreeShape(&leg);
}

/// All joints of the file hang on the wrist, or on nothing; fingers are chains all the same.
static void tgTestFlatHand(void** state)
{
    (void)state;
    tgScene* scene = tgLoadAsset("hand_generic_right.glb");
    if (scene == NULL) {
        skip();
    }
    tgRigDef def = tgScene_GetRigDef(scene);
    tgRig* rig = tgMakeRig(&def);
    static const char* const fingers[5] = {"thumb", "index-finger", "middle-finger", "ring-finger",
                                           "pinky-finger"};
    static const char* const bones[4] = {"metacarpal", "phalanx-proximal", "phalanx-intermediate",
                                         "phalanx-distal"};
    for (int f = 0; f < 5; ++f) {
        int above = -1, links = 0;
        for (int b = 0; b < 4; ++b) {
            char name[64];
            snprintf(name, sizeof(name), "%s-%s", fingers[f], bones[b]);
            int j = tgScene_FindJoint(scene, name);
            if (j >= 0 && above >= 0) {
                assert_int_equal(rig->skeleton.bodies.carriers[j], above);
                assert_int_equal(rig->skeleton.pivots[j], j);
                links += 1;
            }
            above = j >= 0 ? j : above;
        }
        assert_in_range(links, 2, 3);
    }
    tgDestroyRig(rig);
    tgDestroyScene(scene);
}

/// Characters whose file says who bends against whom keep that, with the names of their joints.
static void tgTestPlainSkeletons(void** state)
{
    (void)state;
    static const char* const names[] = {"CesiumMan.glb", "Fox.glb", "RiggedFigure.glb"};
    for (int i = 0; i < 3; ++i) {
        tgScene* scene = tgLoadAsset(names[i]);
        if (scene == NULL) {
            continue;
        }
        tgRigDef def = tgScene_GetRigDef(scene);
        tgRig* rig = tgMakeRig(&def);
        for (int k = 0; k < rig->limbs.count; ++k) {
            int j = rig->limbs.limbs[k].joint;
            assert_int_equal(rig->skeleton.pivots[j], j);
            assert_int_equal(rig->skeleton.bodies.carriers[j], rig->skeleton.parents[j]);
        }
        tgDestroyRig(rig);
        tgDestroyScene(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestSpanningTree),
        cmocka_unit_test(tgTestGoal),
        cmocka_unit_test(tgTestFlatHand),
        cmocka_unit_test(tgTestPlainSkeletons),
    };
    return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
