// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Bones pressed through skin: where the skin comes to lie against an all-triangles ray cast and
// against closed forms, what stays as it was, and how it gets there.
// Past 500 lines because its shapes and measures serve all cases.

#include "check.h"
#include "shapes.h"

static const float tg_ballRadius = 0.5f;

/// A bone of any size and place as a definition; it lives as long as the ball.
typedef struct tgBall {
    tgShape sphere;
    tgBoneDef def;
} tgBall;

static tgBall tgMakeBall(int joint, tgVec3 center, tgVec3 radii)
{
    tgBall ball = {.sphere = tgMakeSphere(48, 36)};
    for (int v = 0; v < ball.sphere.vertexCount; ++v) {
        tgVec3* p = &ball.sphere.positions[v];
        *p = tgAdd(center, tgMakeVec3(radii.x * p->x, radii.y * p->y, radii.z * p->z));
    }
    ball.def = (tgBoneDef){
        .joint = joint,
        .positions = {&ball.sphere.positions->x, ball.sphere.vertexCount, sizeof(tgVec3)},
        .faceVertices = ball.sphere.faceVertices,
        .faceSizes = ball.sphere.faceSizes,
        .faceCount = ball.sphere.faceCount,
        .thickness = 0.02f,
    };
    return ball;
}

enum { tg_side = 61 };

/// A flat square of skin, y = 0, looking up, on joint 0; joint 1 hangs on it and carries no skin.
static tgShape tgMakeFlatSkin(void)
{
    tgShape skin = tgMakeShape(tg_side * tg_side, (tg_side - 1) * (tg_side - 1),
                               4 * (tg_side - 1) * (tg_side - 1));
    for (int i = 0; i < tg_side; ++i) {
        for (int k = 0; k < tg_side; ++k) {
            // Not quite regular, so that no line runs along an edge of the ball.
            float x = -1.5f + 3.0f * (float)i / (tg_side - 1) + 0.0037f;
            float z = -1.5f + 3.0f * (float)k / (tg_side - 1) - 0.0059f;
            skin.positions[i * tg_side + k] = tgMakeVec3(x, 0.0f, z);
        }
    }
    for (int i = 0; i + 1 < tg_side; ++i) {
        for (int k = 0; k + 1 < tg_side; ++k) {
            int a = i * tg_side + k;
            const int corners[4] = {a, a + 1, a + tg_side + 1, a + tg_side};
            tgShape_AddFace(&skin, 4, corners);
        }
    }
    return skin;
}

/// A rig of the flat skin, two joints and some bones, with its one instance.
typedef struct tgStage {
    tgShape skin;
    int parents[2];
    tgMat34 rest[2], posed[2];
    tgRig* rig;
    tgInstance* instance;
    tgVec3* out;
} tgStage;

static tgStage tgMakeStage(tgShape skin, tgBonesDef bones, tgVolumeMethod volume)
{
    tgStage stage = {.skin = skin, .parents = {-1, 0}};
    stage.rest[0] = stage.rest[1] = tgIdentityMat34();
    stage.rest[1].origin = tgMakeVec3(0.1f, -2.0f, 0.2f);
    stage.posed[0] = stage.rest[0];
    stage.posed[1] = stage.rest[1];
    tgRigDef def = tgShape_GetRigDef(&stage.skin);
    def.jointParents = stage.parents;
    def.restJoints = stage.rest;
    def.jointCount = 2;
    def.bones = bones;
    def.volume.method = volume;
    tgError error = {0};
    stage.rig = tgCreateRig(&def, &error);
    if (stage.rig == NULL) {
        print_error("%s\n", error.message);
        fail();
    }
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    stage.instance = tgCreateInstance(stage.rig, &instanceDef, NULL);
    assert_non_null(stage.instance);
    stage.out = calloc((size_t)skin.vertexCount, sizeof(tgVec3));
    return stage;
}

static void tgFreeStage(tgStage* stage)
{
    tgDestroyInstance(stage->instance);
    tgDestroyRig(stage->rig);
    tgFreeShape(&stage->skin);
    free(stage->out);
}

static void tgDeform(tgStage* stage)
{
    tgPose pose = {.joints = stage->posed, .jointCount = 2};
    tgVec3Span positions = {&stage->out->x, stage->skin.vertexCount, sizeof(tgVec3)};
    tgVec3Span none = {NULL, 0, 0};
    assert_int_equal(tgInstance_Deform(stage->instance, &pose, positions, none, NULL), tg_success);
}

static tgBonesDef tgMakeBonesDef(const tgBoneDef* bones, int count)
{
    tgBonesDef def = tgDefaultRigDef().bones;
    def.bones = bones;
    def.boneCount = count;
    return def;
}

/// All triangles, one by one: the largest t at which the line p + t n leaves the ball, moved.
static double tgFindExit(const tgShape* ball, tgVec3 move, tgVec3 p, tgVec3 n)
{
    double best = -HUGE_VAL;
    int corner = 0;
    for (int f = 0; f < ball->faceCount; ++f) {
        int size = ball->faceSizes[f];
        for (int k = 1; k + 1 < size; ++k) {
            double a[3][3];
            const int corners[3] = {0, k, k + 1};
            for (int i = 0; i < 3; ++i) {
                tgVec3 q =
                    tgSub(tgAdd(ball->positions[ball->faceVertices[corner + corners[i]]], move), p);
                a[i][0] = (double)q.x;
                a[i][1] = (double)q.y;
                a[i][2] = (double)q.z;
            }
            double u[3], v[3], cross[3];
            for (int i = 0; i < 3; ++i) {
                u[i] = a[1][i] - a[0][i];
                v[i] = a[2][i] - a[0][i];
            }
            cross[0] = u[1] * v[2] - u[2] * v[1];
            cross[1] = u[2] * v[0] - u[0] * v[2];
            cross[2] = u[0] * v[1] - u[1] * v[0];
            const double d[3] = {(double)n.x, (double)n.y, (double)n.z};
            double down = cross[0] * d[0] + cross[1] * d[1] + cross[2] * d[2];
            double t = (cross[0] * a[0][0] + cross[1] * a[0][1] + cross[2] * a[0][2]) / down;
            bool isIn = down > 0.0; // an exit: t = -N.(S - B) / N.n
            for (int i = 0; i < 3 && isIn; ++i) {
                const double *from = a[i], *to = a[(i + 1) % 3];
                double e[3], w[3];
                for (int c = 0; c < 3; ++c) {
                    e[c] = to[c] - from[c];
                    w[c] = t * d[c] - from[c];
                }
                double side = (e[1] * w[2] - e[2] * w[1]) * cross[0] +
                              (e[2] * w[0] - e[0] * w[2]) * cross[1] +
                              (e[0] * w[1] - e[1] * w[0]) * cross[2];
                isIn = side >= -1e-12;
            }
            best = isIn && t > best ? t : best;
        }
        corner += size;
    }
    return best;
}

/// Ball and ellipsoid through a flat skin: every vertex against the ray cast.
static void tgTestOnFlatSkin(void** state)
{
    (void)state;
    const tgVec3 radii[2] = {{0.5f, 0.5f, 0.5f}, {0.9f, 0.35f, 0.5f}};
    for (int shape = 0; shape < 2; ++shape) {
        float up = radii[shape].y;
        tgBall ball = tgMakeBall(1, tgMakeVec3(0.0f, -up - 0.1f, 0.0f), radii[shape]);
        tgBonesDef def = tgMakeBonesDef(&ball.def, 1);
        def.softness = 1e-4f;
        def.smoothRounds = 0;
        tgStage stage = tgMakeStage(tgMakeFlatSkin(), def, tg_volumeNone);
        const float heights[3] = {0.12f, 0.2f, 0.1f + 0.9f * up};
        for (int h = 0; h < 3; ++h) {
            tgVec3 move = {0.05f, heights[h], -0.03f};
            stage.posed[1].origin = tgAdd(stage.rest[1].origin, move);
            tgDeform(&stage);
            int moved = 0;
            double worst = 0.0;
            for (int v = 0; v < stage.skin.vertexCount; ++v) {
                tgVec3 rest = stage.skin.positions[v];
                const tgVec3 normal = {0.0f, 1.0f, 0.0f};
                double exit = tgFindExit(&ball.sphere, move, rest, normal);
                double s = exit + 0.02;
                if (s > 1e-5) {
                    worst = fmax(worst, fabs((double)stage.out[v].y - s));
                    moved += 1;
                } else if (s < -1e-5) {
                    assert_memory_equal(&stage.out[v], &rest, sizeof(tgVec3));
                }
                assert_true(stage.out[v].x == rest.x && stage.out[v].z == rest.z);
            }
            print_message("%s at %.2f: %d vertices on the bone to %.1e of its size\n",
                          shape == 0 ? "ball" : "ellipsoid", (double)heights[h], moved,
                          worst / (double)up);
            assert_in_range(moved, 10, stage.skin.vertexCount / 2);
            CHECK_AT_MOST(worst, 1e-5 * (double)up);
        }
        tgFreeStage(&stage);
        tgFreeShape(&ball.sphere);
    }
}

/// An ellipsoid inside a closed tube, turned and moved: along radial normals.
static void tgTestOnTube(void** state)
{
    (void)state;
    tgVec3 radii = {1.2f, 0.6f, 0.8f};
    tgBall ball = tgMakeBall(1, tgMakeVec3(3.0f, 0.0f, 0.0f), radii);
    tgBonesDef def = tgMakeBonesDef(&ball.def, 1);
    def.softness = 1e-4f;
    def.smoothRounds = 0;
    tgShape tube = tgMakeTube(61, 61, 6.0f, 2.0f, 4.0f, true);
    for (int i = 0; i < tube.vertexCount * tube.influencesPerVertex; ++i) {
        tube.joints[i] = 0; // all skin stands still
        tube.weights[i] = i % tube.influencesPerVertex == 0 ? 1.0f : 0.0f;
    }
    tgStage stage = tgMakeStage(tube, def, tg_volumeNone);
    tgVec3 move = {0.1f, 0.55f, 0.1f};
    stage.posed[1].origin = tgAdd(stage.rest[1].origin, move);
    tgDeform(&stage);
    int moved = 0;
    double worst = 0.0;
    for (int v = 0; v < tube.vertexCount; ++v) {
        tgVec3 rest = tube.positions[v];
        tgVec3 normal = tgNormalize(tgMakeVec3(0.0f, rest.y, rest.z), rest);
        double exit = tgFindExit(&ball.sphere, move, rest, normal);
        if (exit + 0.02 > 1e-4 && exit < 0.5) {
            tgVec3 expected = tgMulAdd(rest, (float)(exit + 0.02), normal);
            worst = fmax(worst, (double)tgDistance(expected, stage.out[v]));
            moved += 1;
        } else if (exit + 0.02 < -1e-4) {
            assert_memory_equal(&stage.out[v], &rest, sizeof(tgVec3));
        }
    }
    print_message("ellipsoid through a tube: %d vertices on it to %.1e of its size\n", moved,
                  worst / 1.2);
    assert_in_range(moved, 20, tube.vertexCount / 2);
    CHECK_AT_MOST(worst, 1e-5 * 1.2);
    tgFreeStage(&stage);
    tgFreeShape(&ball.sphere);
}

/// With softness and smoothing: nothing below the bone, and no vertex jumps as the bone rises.
static void tgTestContinuous(void** state)
{
    (void)state;
    tgBall ball = tgMakeBall(1, tgMakeVec3(0.0f, -0.6f, 0.0f),
                             tgMakeVec3(tg_ballRadius, tg_ballRadius, tg_ballRadius));
    ball.def.thickness = 0.04f;
    tgBonesDef def = tgMakeBonesDef(&ball.def, 1);
    tgStage stage = tgMakeStage(tgMakeFlatSkin(), def, tg_volumeNone);
    enum { steps = 200 };
    int count = stage.skin.vertexCount;
    float* before = calloc((size_t)count, sizeof(float));
    float* step = calloc((size_t)count, sizeof(float));
    double worst = 0.0, lowest = HUGE_VAL;
    const float rise = 0.45f / steps;
    for (int i = 0; i <= steps; ++i) {
        tgVec3 move = {0.0f, rise * (float)i, 0.0f};
        stage.posed[1].origin = tgAdd(stage.rest[1].origin, move);
        tgDeform(&stage);
        for (int v = 0; v < count; ++v) {
            step[v] = i > 0 ? stage.out[v].y - before[v] : 0.0f;
            before[v] = stage.out[v].y;
            double x = (double)stage.out[v].x, z = (double)stage.out[v].z;
            double flat = 0.25 - x * x - z * z;
            if (flat > 0.0) {
                double top = -0.6 + (double)move.y + sqrt(flat);
                lowest = fmin(lowest, (double)stage.out[v].y - top);
            }
        }
        // A vertex may rise as fast as the bone; beyond that, thrice what its neighbours do.
        for (int a = 1; a + 1 < tg_side; ++a) {
            for (int b = 1; b + 1 < tg_side; ++b) {
                int v = a * tg_side + b;
                float around = 0.25f * (fabsf(step[v - 1]) + fabsf(step[v + 1]) +
                                        fabsf(step[v - tg_side]) + fabsf(step[v + tg_side]));
                double ratio = (double)(fabsf(step[v]) / fmaxf(around, 0.1f * rise));
                worst = fmax(worst, ratio);
            }
        }
    }
    print_message("slowly through: largest step over its neighbours' mean %.2f, least height over "
                  "the bone %.4f\n",
                  worst, lowest);
    CHECK_AT_MOST(worst, 3.0);
    CHECK_AT_MOST(0.0, lowest); // nowhere inside
    free(before);
    free(step);
    tgFreeStage(&stage);
    tgFreeShape(&ball.sphere);
}

/// A bone that comes down onto the skin from outside lifts it to its far side over the gap, not at
/// once. What is inside the bone meanwhile is brought out on the near side until it has passed the
/// middle, so that there is half a bone's way left to jump at most.
static void tgTestFromOutside(void** state)
{
    (void)state;
    const float radius = 0.1f, step = 5e-4f;
    tgBall ball = tgMakeBall(1, tgMakeVec3(0.0f, -0.15f, 0.0f), tgMakeVec3(radius, radius, radius));
    tgBonesDef def = tgMakeBonesDef(&ball.def, 1);
    def.softness = 1e-4f;
    def.smoothRounds = 0;
    def.reach = 4.0f;
    def.gap = 2.0f; // thicknesses
    tgStage stage = tgMakeStage(tgMakeFlatSkin(), def, tg_volumeNone);
    float* before = calloc((size_t)stage.skin.vertexCount, sizeof(float));
    double worst = 0.0, highest = 0.0;
    for (int i = 0; i < 220; ++i) {
        tgVec3 move = {0.0f, 0.35f - step * (float)i, 0.0f};
        stage.posed[1].origin = tgAdd(stage.rest[1].origin, move);
        tgDeform(&stage);
        for (int v = 0; v < stage.skin.vertexCount; ++v) {
            double moved = i > 0 ? (double)fabsf(stage.out[v].y - before[v]) : 0.0;
            worst = fmax(worst, moved);
            before[v] = stage.out[v].y;
            highest = fmax(highest, (double)before[v]);
        }
    }
    print_message("a bone from outside: largest step %.4f, at last %.4f high\n", worst, highest);
    CHECK_AT_MOST(worst, (double)radius);
    CHECK_AT_MOST(2.0 * (double)radius, highest); // it was on top of the bone
    free(before);
    tgFreeStage(&stage);
    tgFreeShape(&ball.sphere);
}

/// At rest nothing moves, to the bit, wherever the bone is: deep, close, or sticking out.
static void tgTestRestStays(void** state)
{
    (void)state;
    const float tops[5] = {-0.3f, -0.01f, 0.0f, 0.05f, 0.3f};
    for (int i = 0; i < 5; ++i) {
        tgBall ball =
            tgMakeBall(1, tgMakeVec3(0.0f, tops[i] - 0.5f, 0.0f), tgMakeVec3(0.5f, 0.5f, 0.5f));
        tgStage stage = tgMakeStage(tgMakeFlatSkin(), tgMakeBonesDef(&ball.def, 1), tg_volumeNone);
        tgDeform(&stage);
        assert_memory_equal(stage.out, stage.skin.positions,
                            (size_t)stage.skin.vertexCount * sizeof(tgVec3));
        assert_int_equal(tgInstance_GetBoneReport(stage.instance).movedCount, 0);
        // Everything carried elsewhere is the same pose.
        tgTransform away = {{3.0f, -2.0f, 5.0f}, {0.0f, 0.6f, 0.0f, 0.8f}, {1.0f, 1.0f, 1.0f}};
        tgMat34 carry = tgMakeMat34(away);
        for (int j = 0; j < 2; ++j) {
            stage.posed[j] = tgMulMat34(&carry, &stage.rest[j]);
        }
        tgDeform(&stage);
        assert_int_equal(tgInstance_GetBoneReport(stage.instance).movedCount, 0);
        // Once it rises, even the one that stuck out takes the skin with it.
        stage.posed[0] = stage.rest[0];
        stage.posed[1] = stage.rest[1];
        stage.posed[1].origin.y += 0.35f;
        tgDeform(&stage);
        assert_true(tgInstance_GetBoneReport(stage.instance).movedCount > 0);
        tgFreeStage(&stage);
        tgFreeShape(&ball.sphere);
    }
}

/// Where there is no bone in reach the skin keeps its bits, and no ray is cast.
static void tgTestUntouched(void** state)
{
    (void)state;
    tgBall ball = tgMakeBall(1, tgMakeVec3(0.0f, -0.6f, 0.0f), tgMakeVec3(0.4f, 0.4f, 0.4f));
    tgStage stage = tgMakeStage(tgMakeFlatSkin(), tgMakeBonesDef(&ball.def, 1), tg_volumeNone);
    stage.posed[1].origin.y += 0.3f;
    tgDeform(&stage);
    tgBoneReport report = tgInstance_GetBoneReport(stage.instance);
    int moved = 0;
    for (int v = 0; v < stage.skin.vertexCount; ++v) {
        bool isSame = memcmp(&stage.out[v], &stage.skin.positions[v], sizeof(tgVec3)) == 0;
        moved += !isSame;
        double far = hypot((double)stage.out[v].x, (double)stage.out[v].z);
        assert_true(isSame || far < 0.4 + 5 * 0.05); // the ball and four rings about it
    }
    assert_int_equal(moved, report.movedCount);
    assert_in_range(report.heldCount, 1, report.movedCount);
    assert_in_range(report.rayCount, report.heldCount, stage.skin.vertexCount / 4);
    // Far below, its box is not met: not one ray.
    stage.posed[1].origin.y -= 3.0f;
    tgDeform(&stage);
    report = tgInstance_GetBoneReport(stage.instance);
    assert_int_equal(report.rayCount, 0);
    assert_memory_equal(stage.out, stage.skin.positions,
                        (size_t)stage.skin.vertexCount * sizeof(tgVec3));
    tgFreeStage(&stage);
    tgFreeShape(&ball.sphere);
}

/// Farther out than its reach a bone is nobody's knuckle; on the way there nothing jumps.
static void tgTestBeyondReach(void** state)
{
    (void)state;
    tgBall ball = tgMakeBall(1, tgMakeVec3(0.0f, -0.6f, 0.0f), tgMakeVec3(0.4f, 0.4f, 0.4f));
    tgBonesDef def = tgMakeBonesDef(&ball.def, 1);
    def.reach = 0.25f; // a fifth of a unit
    tgStage stage = tgMakeStage(tgMakeFlatSkin(), def, tg_volumeNone);
    float last = 0.0f, largest = 0.0f;
    int beyond = 0;
    for (int i = 0; i <= 300; ++i) {
        stage.posed[1].origin.y = stage.rest[1].origin.y + 0.002f * (float)i;
        tgDeform(&stage);
        float top = stage.out[tg_side * (tg_side / 2) + tg_side / 2].y;
        assert_true(fabsf(top - last) < 0.02f);
        last = top;
        largest = fmaxf(largest, top);
        beyond += tgInstance_GetBoneReport(stage.instance).beyondCount;
    }
    assert_true(largest > 0.1f && largest < 0.25f);
    assert_true(last < 0.05f); // only its neighbours hold it up
    assert_true(beyond > 0);
    tgFreeStage(&stage);
    tgFreeShape(&ball.sphere);
}

/// Two balls that overlap at a joint act as one: the skin goes over both.
static void tgTestOverlap(void** state)
{
    (void)state;
    tgBall balls[2] = {
        tgMakeBall(1, tgMakeVec3(-0.2f, -0.5f, 0.0f), tgMakeVec3(0.4f, 0.4f, 0.4f)),
        tgMakeBall(1, tgMakeVec3(0.2f, -0.5f, 0.0f), tgMakeVec3(0.4f, 0.4f, 0.4f)),
    };
    const tgBoneDef defs[2] = {balls[0].def, balls[1].def};
    tgBonesDef def = tgMakeBonesDef(defs, 2);
    def.softness = 1e-4f;
    def.smoothRounds = 0;
    tgStage stage = tgMakeStage(tgMakeFlatSkin(), def, tg_volumeNone);
    tgVec3 move = {0.0f, 0.3f, 0.0f};
    stage.posed[1].origin = tgAdd(stage.rest[1].origin, move);
    tgDeform(&stage);
    for (int v = 0; v < stage.skin.vertexCount; ++v) {
        tgVec3 rest = stage.skin.positions[v];
        const tgVec3 normal = {0.0f, 1.0f, 0.0f};
        double s = fmax(tgFindExit(&balls[0].sphere, move, rest, normal),
                        tgFindExit(&balls[1].sphere, move, rest, normal)) +
                   0.02;
        if (fabs(s) > 1e-5) {
            CHECK_NEAR(stage.out[v].y, fmax(s, 0.0), 1e-5);
        }
    }
    tgFreeStage(&stage);
    tgFreeShape(&balls[0].sphere);
    tgFreeShape(&balls[1].sphere);
}

/// What the rig keeps of a ball is the ball, in its joint's space, outwards.
static void tgTestMesh(void** state)
{
    (void)state;
    tgVec3 center = {0.0f, -0.6f, 0.0f};
    tgBall ball = tgMakeBall(1, center, tgMakeVec3(0.4f, 0.4f, 0.4f));
    tgStage stage = tgMakeStage(tgMakeFlatSkin(), tgMakeBonesDef(&ball.def, 1), tg_volumeNone);
    tgBoneMesh mesh = tgRig_GetBoneMesh(stage.rig, 0);
    assert_int_equal(mesh.triangleCount, tgRig_GetBoneInfo(stage.rig, 0).triangleCount);
    double volume = 0.0;
    for (int f = 0; f < mesh.triangleCount; ++f) {
        tgVec3 p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = tgSub(tgMulMatPoint(&stage.rest[1], mesh.positions[mesh.triangles[3 * f + k]]),
                         center);
            CHECK_NEAR(tgLength(p[k]), 0.4, 1e-6);
        }
        volume += (double)tgDot(p[0], tgCross(p[1], p[2])) / 6.0;
    }
    CHECK_NEAR(volume, 4.0 / 3.0 * 3.14159265 * 0.4 * 0.4 * 0.4, 0.01 * volume);
    assert_int_equal(tgRig_GetBoneMesh(stage.rig, 1).triangleCount, 0);
    assert_int_equal(tgRig_GetBoneMesh(stage.rig, -1).vertexCount, 0);
    tgFreeStage(&stage);
    tgFreeShape(&ball.sphere);
}

/// Turned inside out it is turned back; open at the bottom it still works from above.
static void tgTestInvertedAndOpen(void** state)
{
    (void)state;
    tgBall ball = tgMakeBall(1, tgMakeVec3(0.0f, -0.6f, 0.0f), tgMakeVec3(0.4f, 0.4f, 0.4f));
    tgStage good = tgMakeStage(tgMakeFlatSkin(), tgMakeBonesDef(&ball.def, 1), tg_volumeNone);
    tgBoneInfo info = tgRig_GetBoneInfo(good.rig, 0);
    assert_int_equal(info.boundaryEdgeCount, 0);
    assert_int_equal(info.reorientedFaceCount, 0);
    assert_int_equal(info.joint, 1);
    assert_true(info.vertexCount > 0 && !info.isAutomatic);
    good.posed[1].origin.y += 0.3f;
    tgDeform(&good);

    int corner = 0;
    for (int f = 0; f < ball.sphere.faceCount; ++f) {
        int* c = ball.sphere.faceVertices + corner;
        int size = ball.sphere.faceSizes[f], swap = c[0];
        c[0] = c[size - 1];
        c[size - 1] = swap;
        if (size == 4) {
            swap = c[1];
            c[1] = c[2];
            c[2] = swap;
        }
        corner += size;
    }
    tgStage turned = tgMakeStage(tgMakeFlatSkin(), tgMakeBonesDef(&ball.def, 1), tg_volumeNone);
    assert_int_equal(tgRig_GetBoneInfo(turned.rig, 0).reorientedFaceCount, ball.sphere.faceCount);
    turned.posed[1].origin.y += 0.3f;
    tgDeform(&turned);
    for (int v = 0; v < good.skin.vertexCount; ++v) {
        CHECK_NEAR(turned.out[v].y, good.out[v].y, 1e-6);
    }

    // Keep the faces of the upper half only.
    int kept = 0, from = 0, to = 0;
    for (int f = 0; f < ball.sphere.faceCount; ++f) {
        int size = ball.sphere.faceSizes[f];
        bool isUpper = true;
        for (int k = 0; k < size; ++k) {
            isUpper &= ball.sphere.positions[ball.sphere.faceVertices[from + k]].y > -0.75f;
        }
        for (int k = 0; k < size && isUpper; ++k) {
            ball.sphere.faceVertices[to++] = ball.sphere.faceVertices[from + k];
        }
        if (isUpper) {
            ball.sphere.faceSizes[kept++] = size;
        }
        from += size;
    }
    ball.def.faceCount = kept;
    tgStage open = tgMakeStage(tgMakeFlatSkin(), tgMakeBonesDef(&ball.def, 1), tg_volumeNone);
    assert_true(tgRig_GetBoneInfo(open.rig, 0).boundaryEdgeCount > 0);
    open.posed[1].origin.y += 0.3f;
    tgDeform(&open);
    for (int v = 0; v < good.skin.vertexCount; ++v) {
        CHECK_NEAR(open.out[v].y, good.out[v].y, 1e-6);
    }
    tgFreeStage(&good);
    tgFreeStage(&turned);
    tgFreeStage(&open);
    tgFreeShape(&ball.sphere);
}

static void tgExpectRefusal(tgBonesDef bones, const char* words)
{
    tgShape skin = tgMakeFlatSkin();
    tgRigDef def = tgShape_GetRigDef(&skin);
    def.bones = bones;
    tgError error = {0};
    assert_null(tgCreateRig(&def, &error));
    CHECK_CONTAINS(error.message, words);
    tgFreeShape(&skin);
}

static void tgTestRefusals(void** state)
{
    (void)state;
    tgBall ball = tgMakeBall(0, tgMakeVec3(0.0f, -0.6f, 0.0f), tgMakeVec3(0.4f, 0.4f, 0.4f));
    tgBoneDef bone = ball.def;
    tgBonesDef def = tgMakeBonesDef(&bone, 1);
    bone.joint = 7;
    tgExpectRefusal(def, "bone 0 is on joint 7, there are 1");
    bone = ball.def;
    bone.faceCount = 0;
    tgExpectRefusal(def, "bone 0 on joint 0 is empty");
    bone = ball.def;
    bone.positions.count = 2;
    tgExpectRefusal(def, "is empty: 2 vertices");
    bone = ball.def;
    bone.positions.count = 5;
    tgExpectRefusal(def, "bone 0 on joint 0: face");
    bone = ball.def;
    bone.thickness = NAN;
    tgExpectRefusal(def, "thickness of nan");
    bone = ball.def;
    bone.faceVertices = (const int[]){3, 3, 3};
    bone.faceSizes = NULL;
    bone.faceCount = 1;
    tgExpectRefusal(def, "bone 0 on joint 0: all 1 faces");
    bone = ball.def;
    ball.sphere.positions[4].y = NAN;
    tgExpectRefusal(def, "vertex 4 of bone 0 is at");
    ball.sphere.positions[4].y = -0.6f;
    def.softness = 0.0f;
    tgExpectRefusal(def, "softness 0");
    def = tgMakeBonesDef(&bone, 1);
    def.smoothRounds = 65;
    tgExpectRefusal(def, "65 rounds");
    def = tgMakeBonesDef(NULL, 1);
    tgExpectRefusal(def, "there are 1 bones in no list");
    tgFreeShape(&ball.sphere);
}

/// Made for a tube of two bones: two of them, inside it, and at rest nothing moves.
static void tgTestAutomatic(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(48, 61, 8.0f, 3.5f, 4.5f, true);
    tgRigDef def = tgShape_GetRigDef(&tube);
    def.bones.automatic = true;
    tgRig* rig = tgCreateRig(&def, NULL);
    assert_non_null(rig);
    assert_int_equal(tgRig_GetBoneCount(rig), 2);
    for (int b = 0; b < 2; ++b) {
        tgBoneInfo info = tgRig_GetBoneInfo(rig, b);
        assert_true(info.isAutomatic && info.triangleCount > 100);
        assert_int_equal(info.boundaryEdgeCount, 0);
    }
    assert_int_equal(tgRig_GetBoneInfo(rig, 2).joint, -1);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    tgVec3* out = calloc((size_t)tube.vertexCount, sizeof(tgVec3));
    tgVec3Span positions = {&out->x, tube.vertexCount, sizeof(tgVec3)}, none = {NULL, 0, 0};
    tgMat34 joints[2];
    int moved[4];
    for (int i = 0; i < 4; ++i) {
        tgBendTube(&tube, 8.0f, 0.0f, i * 0.7, joints);
        tgPose pose = {.joints = joints, .jointCount = 2};
        assert_int_equal(tgInstance_Deform(instance, &pose, positions, none, NULL), tg_success);
        moved[i] = tgInstance_GetBoneReport(instance).movedCount;
    }
    assert_int_equal(moved[0], 0);
    assert_true(moved[3] > 0); // 120 degrees: the outer side would sink into the bone's head
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    free(out);
    tgFreeShape(&tube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestOnFlatSkin),  cmocka_unit_test(tgTestOnTube),
        cmocka_unit_test(tgTestContinuous),  cmocka_unit_test(tgTestFromOutside),
        cmocka_unit_test(tgTestRestStays),   cmocka_unit_test(tgTestUntouched),
        cmocka_unit_test(tgTestBeyondReach), cmocka_unit_test(tgTestOverlap),
        cmocka_unit_test(tgTestMesh),        cmocka_unit_test(tgTestInvertedAndOpen),
        cmocka_unit_test(tgTestRefusals),    cmocka_unit_test(tgTestAutomatic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
