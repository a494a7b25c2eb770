// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skeletons found for bodies whose skeletons are known.

#include "autorig_checks.h"
#include "bind_shapes.h"
#include "turgor/bind.h"

/// On four legs, looking along z.
static const tgStick tg_beast[] = {
    {{0.0f, 0.8f, -0.5f}, {0.0f, 0.8f, 0.5f}, 0.2f},     // trunk
    {{0.0f, 0.85f, 0.5f}, {0.0f, 1.3f, 0.85f}, 0.1f},    // neck
    {{0.0f, 1.3f, 0.85f}, {0.0f, 1.25f, 1.15f}, 0.14f},  // head
    {{0.1f, 1.38f, 0.8f}, {0.16f, 1.62f, 0.78f}, 0.05f}, // ears
    {{-0.1f, 1.38f, 0.8f}, {-0.16f, 1.62f, 0.78f}, 0.05f},
    {{0.15f, 0.8f, 0.42f}, {0.17f, 0.05f, 0.42f}, 0.08f}, // forelegs
    {{-0.15f, 0.8f, 0.42f}, {-0.17f, 0.05f, 0.42f}, 0.08f},
    {{0.15f, 0.8f, -0.42f}, {0.17f, 0.05f, -0.42f}, 0.08f}, // hind legs
    {{-0.15f, 0.8f, -0.42f}, {-0.17f, 0.05f, -0.42f}, 0.08f},
    {{0.0f, 0.85f, -0.6f}, {0.0f, 0.6f, -1.3f}, 0.05f}, // tail
};
#define TG_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static tgAutorig* tgFind(const tgAutorigDef* def)
{
    return tgMustFindRig(def, "a body of cells");
}

static int tgFindNamed(const tgAutorig* rig, const char* name)
{
    for (int j = 0; j < rig->jointCount; ++j) {
        if (strcmp(rig->joints[j].name, name) == 0) {
            return j;
        }
    }
    print_error("there is no joint %s\n", name);
    fail();
    return -1;
}

/// A joint of that name, within a distance of a place, hanging on another.
static void tgCheckJoint(const tgAutorig* rig, const char* name, const char* parent, tgVec3 p,
                         float within)
{
    int j = tgFindNamed(rig, name);
    float distance = tgDistance(rig->joints[j].position, p);
    if (!(distance <= within)) {
        print_error("%s is at (%g, %g, %g)\n", name, (double)rig->joints[j].position.x,
                    (double)rig->joints[j].position.y, (double)rig->joints[j].position.z);
    }
    CHECK_AT_MOST(distance, within);
    assert_int_equal(rig->joints[j].parent, parent != NULL ? tgFindNamed(rig, parent) : -1);
}

static int tgCountKept(const tgAutorig* rig)
{
    int count = 0;
    for (int i = 0; i < rig->tipCount; ++i) {
        count += rig->tips[i].fate <= tg_tipAdded;
    }
    return count;
}

/// All of it, to the bit: the plane is x = 0.
static void tgCheckMirrored(const tgAutorig* rig)
{
    assert_true(tgIsPlaneX(rig));
    assert_int_equal(tgCheckPartners(rig), rig->jointCount);
}

/// A straight body with two ends: a chain along its axis.
static void tgTestCapsule(void** state)
{
    (void)state;
    tgBindShape shape = tgMakeCapsule(20.0f, 16, 40);
    tgBindDef mesh = tgBindShape_GetDef(&shape);
    tgAutorigDef def = tgDefaultAutorigDef();
    def.positions = mesh.positions;
    def.faceVertices = mesh.faceVertices;
    def.faceSizes = mesh.faceSizes;
    def.faceCount = mesh.faceCount;
    tgAutorig* rig = tgFind(&def);
    assert_int_equal(rig->plan, tg_planNone);
    assert_int_equal(tgCountKept(rig), 2);
    assert_true(rig->jointCount >= 4);
    float ends = tgDistance(rig->tips[0].position, rig->tips[1].position);
    CHECK_NEAR(ends, 22.0f, 2.0f);
    for (int j = 0; j < rig->jointCount; ++j) {
        tgVec3 p = rig->joints[j].position;
        CHECK_AT_MOST(sqrtf(p.y * p.y + p.z * p.z), 0.05f);
        assert_int_equal(rig->joints[j].parent, j - 1);
    }
    assert_true(rig->warningCount > 0);
    tgDestroyAutorig(rig);
    tgFreeBindShape(&shape);
}

/// Three sticks that meet: a hub where they do, a limb along each.
static void tgTestStar(void** state)
{
    (void)state;
    const tgStick sticks[] = {{{0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, 0.12f},
                              {{0.0f, 0.0f, 0.0f}, {0.8f, -0.5f, 0.0f}, 0.12f},
                              {{0.0f, 0.0f, 0.0f}, {-0.3f, -0.6f, 0.8f}, 0.12f}};
    tgCellBody body = tgMakeCellBody(sticks, TG_COUNT(sticks), 32, 1.3f);
    tgAutorigDef def = tgCellBody_GetDef(&body);
    tgAutorig* rig = tgFind(&def);
    assert_int_equal(rig->plan, tg_planNone);
    assert_int_equal(tgCountKept(rig), 3);
    assert_int_equal(rig->jointCount, 10);
    CHECK_AT_MOST(tgLength(rig->joints[0].position), 0.18f);
    for (int s = 0; s < 3; ++s) { // some tip at each end
        float nearest = HUGE_VALF;
        for (int i = 0; i < rig->tipCount; ++i) {
            nearest = fminf(nearest, tgDistance(rig->tips[i].position, sticks[s].to));
        }
        CHECK_AT_MOST(nearest, 0.17f);
    }
    for (int j = 1; j < rig->jointCount; ++j) {
        float off = HUGE_VALF;
        for (int s = 0; s < 3; ++s) {
            off = fminf(off, tgMeasureToStick(&sticks[s], rig->joints[j].position) + 0.12f);
        }
        // Just past the hub loops still lean towards the other limbs.
        CHECK_AT_MOST(off, rig->joints[j].parent == 0 ? 0.12f : 0.02f);
    }
    tgDestroyAutorig(rig);
    tgFreeCellBody(&body);
}

static void tgTestFigure(void** state)
{
    (void)state;
    tgCellBody body = tgMakeCellBody(tg_figure, tg_figureCount, 40, 2.0f);
    tgAutorigDef def = tgCellBody_GetDef(&body);
    tgAutorig* rig = tgFind(&def);
    assert_int_equal(rig->plan, tg_planBiped);
    tgCheckMirrored(rig);
    assert_int_equal(tgCountKept(rig), 5);
    tgCheckJoint(rig, "pelvis", NULL, tgMakeVec3(0.0f, 0.9f, 0.0f), 0.12f);
    tgCheckJoint(rig, "chest", "spine2", tgMakeVec3(0.0f, 1.4f, 0.0f), 0.12f);
    tgCheckJoint(rig, "head", "neck", tgMakeVec3(0.0f, 1.62f, 0.0f), 0.1f);
    // It looks along z, so that its left is at x > 0.
    tgCheckJoint(rig, "elbow.L", "shoulder.L", tgMakeVec3(0.43f, 1.42f, 0.0f), 0.08f);
    tgCheckJoint(rig, "elbow.R", "shoulder.R", tgMakeVec3(-0.43f, 1.42f, 0.0f), 0.08f);
    tgCheckJoint(rig, "wrist.L", "elbow.L", tgMakeVec3(0.65f, 1.42f, 0.0f), 0.08f);
    tgCheckJoint(rig, "knee.L", "hip.L", tgMakeVec3(0.13f, 0.48f, 0.0f), 0.1f);
    tgCheckJoint(rig, "ankle.R", "knee.R", tgMakeVec3(-0.14f, 0.1f, 0.0f), 0.1f);
    assert_int_equal(rig->joints[tgFindNamed(rig, "hip.L")].parent, tgFindNamed(rig, "pelvis"));
    assert_int_equal(rig->joints[tgFindNamed(rig, "shoulder.L")].parent, tgFindNamed(rig, "chest"));
    tgDestroyAutorig(rig);
    tgFreeCellBody(&body);
}

static void tgTestBeast(void** state)
{
    (void)state;
    tgCellBody body = tgMakeCellBody(tg_beast, TG_COUNT(tg_beast), 32, 2.0f);
    tgAutorigDef def = tgCellBody_GetDef(&body);
    tgAutorig* rig = tgFind(&def);
    assert_int_equal(rig->plan, tg_planQuadruped);
    tgCheckMirrored(rig);
    assert_int_equal(tgCountKept(rig), 8);
    tgCheckJoint(rig, "pelvis", NULL, tgMakeVec3(0.0f, 0.85f, -0.42f), 0.15f);
    tgCheckJoint(rig, "chest", "spine2", tgMakeVec3(0.0f, 0.85f, 0.42f), 0.15f);
    tgCheckJoint(rig, "carpus.L", "elbow.L", tgMakeVec3(0.16f, 0.37f, 0.42f), 0.12f);
    tgCheckJoint(rig, "hock.R", "knee.R", tgMakeVec3(-0.16f, 0.37f, -0.42f), 0.12f);
    assert_int_equal(rig->joints[tgFindNamed(rig, "tail1")].parent, tgFindNamed(rig, "pelvis"));
    tgFindNamed(rig, "ear1_1.L");
    tgVec3 head = rig->joints[tgFindNamed(rig, "head")].position;
    CHECK_AT_MOST(tgDistance(head, tgMakeVec3(0.0f, 1.25f, 0.85f)), 0.2f);
    tgDestroyAutorig(rig);
    tgFreeCellBody(&body);
}

static void tgCheckSame(const tgAutorig* a, const tgAutorig* b, float within)
{
    assert_int_equal(a->jointCount, b->jointCount);
    for (int j = 0; j < a->jointCount; ++j) {
        assert_string_equal(a->joints[j].name, b->joints[j].name);
        assert_int_equal(a->joints[j].parent, b->joints[j].parent);
        CHECK_AT_MOST(tgDistance(a->joints[j].position, b->joints[j].position), within);
    }
}

/// Vertices in another order, faces in another order and starting elsewhere.
static tgCellBody tgShuffle(const tgCellBody* body)
{
    tgCellBody other = *body;
    size_t vertexCount = (size_t)body->vertexCount, faceCount = (size_t)body->faceCount;
    other.positions = malloc(vertexCount * sizeof(tgVec3));
    other.corners = malloc(4 * faceCount * sizeof(int));
    other.sizes = malloc(faceCount * sizeof(int));
    size_t stride = 7919; // prime, and no divisor of either count
    assert_true(vertexCount % stride != 0 && faceCount % stride != 0);
    for (size_t v = 0; v < vertexCount; ++v) {
        other.positions[v * stride % vertexCount] = body->positions[v];
    }
    for (size_t f = 0; f < faceCount; ++f) {
        size_t to = f * stride % faceCount;
        other.sizes[to] = 4;
        for (size_t k = 0; k < 4; ++k) {
            size_t v = (size_t)body->corners[4 * f + (k + 2) % 4];
            other.corners[4 * to + k] = (int)(v * stride % vertexCount);
        }
    }
    return other;
}

/// The order of vertices and faces changes no bit; nor does the way the faces look.
static void tgTestOrder(void** state)
{
    (void)state;
    tgCellBody body = tgMakeCellBody(tg_beast, TG_COUNT(tg_beast), 20, 2.0f);
    tgCellBody other = tgShuffle(&body);
    tgAutorigDef def = tgCellBody_GetDef(&body), otherDef = tgCellBody_GetDef(&other);
    tgAutorig* rig = tgFind(&def);
    tgAutorig* again = tgFind(&def);
    tgAutorig* shuffled = tgFind(&otherDef);
    tgCheckSame(rig, again, 0.0f);
    tgCheckSame(rig, shuffled, 0.0f);
    for (int f = 0; f < body.faceCount; ++f) { // inside out
        int* c = body.corners + 4 * (size_t)f;
        int swapped = c[1];
        c[1] = c[3];
        c[3] = swapped;
    }
    tgAutorig* turned = tgFind(&def);
    tgCheckSame(rig, turned, 1e-4f);
    tgDestroyAutorig(rig);
    tgDestroyAutorig(again);
    tgDestroyAutorig(shuffled);
    tgDestroyAutorig(turned);
    tgFreeCellBody(&body);
    tgFreeCellBody(&other);
}

/// Lying with z up, larger, elsewhere: the same skeleton, moved along.
static void tgTestPlace(void** state)
{
    (void)state;
    tgCellBody body = tgMakeCellBody(tg_figure, tg_figureCount, 32, 2.0f);
    tgAutorigDef def = tgCellBody_GetDef(&body);
    tgAutorig* rig = tgFind(&def);
    for (int v = 0; v < body.vertexCount; ++v) {
        tgVec3 p = body.positions[v];
        body.positions[v] = tgMakeVec3(64.0f * p.x, -64.0f * p.z - 128.0f, 64.0f * p.y + 32.0f);
    }
    tgAutorig* moved = tgFind(&def);
    assert_true(moved->isUpGuessed && moved->up.z == 1.0f);
    assert_int_equal(moved->plan, tg_planBiped);
    def.up = tgMakeVec3(0.0f, 0.0f, 2.0f);
    tgAutorig* told = tgFind(&def);
    assert_false(told->isUpGuessed);
    tgCheckSame(moved, told, 0.0f);
    assert_int_equal(rig->jointCount, moved->jointCount);
    for (int j = 0; j < rig->jointCount; ++j) {
        tgVec3 p = rig->joints[j].position;
        p = tgMakeVec3(64.0f * p.x, -64.0f * p.z - 128.0f, 64.0f * p.y + 32.0f);
        assert_string_equal(rig->joints[j].name, moved->joints[j].name);
        CHECK_AT_MOST(tgDistance(p, moved->joints[j].position), 64.0f * 2e-3f);
    }
    tgDestroyAutorig(rig);
    tgDestroyAutorig(moved);
    tgDestroyAutorig(told);
    tgFreeCellBody(&body);
}

/// What can be asked for.
static void tgTestOptions(void** state)
{
    (void)state;
    tgCellBody body = tgMakeCellBody(tg_beast, TG_COUNT(tg_beast), 24, 2.0f);
    tgAutorigDef def = tgCellBody_GetDef(&body);
    def.jointsPerLimb = 6;
    tgAutorig* rig = tgFind(&def);
    tgFindNamed(rig, "foreleg6.L");
    tgDestroyAutorig(rig);

    def = tgCellBody_GetDef(&body);
    def.plan = tg_planNone;
    rig = tgFind(&def);
    assert_int_equal(rig->plan, tg_planNone);
    tgFindNamed(rig, "root");
    tgDestroyAutorig(rig);

    def = tgCellBody_GetDef(&body);
    def.symmetry = tg_symmetryNone;
    rig = tgFind(&def);
    assert_false(rig->hasPlane);
    assert_int_equal(rig->plan, tg_planNone);
    tgDestroyAutorig(rig);

    def = tgCellBody_GetDef(&body);
    def.symmetry = tg_symmetryX;
    rig = tgFind(&def);
    assert_int_equal(rig->plan, tg_planQuadruped);
    tgDestroyAutorig(rig);

    def = tgCellBody_GetDef(&body); // backwards: what was the tail is the head
    def.hasSource = true;
    def.source = tgMakeVec3(0.0f, 0.6f, -1.35f);
    rig = tgFind(&def);
    assert_int_equal(rig->plan, tg_planQuadruped);
    assert_true(rig->joints[tgFindNamed(rig, "head")].position.z < -0.5f);
    tgDestroyAutorig(rig);

    def = tgCellBody_GetDef(&body); // ears are 0.1 of the diagonal long
    def.leastLength = 0.2f;
    rig = tgFind(&def);
    assert_true(tgCountKept(rig) < 8);
    tgDestroyAutorig(rig);
    tgFreeCellBody(&body);
}

static void tgExpectError(const tgAutorigDef* def, const char* words)
{
    tgError error = {0};
    assert_null(tgCreateAutorig(def, &error));
    CHECK_CONTAINS(error.message, words);
    assert_null(tgCreateAutorig(def, NULL));
}

static void tgTestErrors(void** state)
{
    (void)state;
    tgCellBody body = tgMakeCellBody(tg_figure, tg_figureCount, 8, 2.0f);
    tgAutorigDef good = tgCellBody_GetDef(&body), def = good;
    tgExpectError(NULL, "tgDefaultAutorigDef");
    def.cookie = 0;
    tgExpectError(&def, "tgDefaultAutorigDef");
    def = good;
    def.faceCount = 0;
    tgExpectError(&def, "no faces");
    def = good;
    def.positions.count = 2;
    tgExpectError(&def, "2 vertices");
    def = good;
    def.leastLength = 0.0f;
    tgExpectError(&def, "leastLength");
    def = good;
    def.jointsPerLimb = 99;
    tgExpectError(&def, "jointsPerLimb is 99");
    def = good;
    def.up.x = NAN;
    tgExpectError(&def, "finite");
    body.positions[3].y = NAN;
    tgExpectError(&good, "vertex 3");
    for (int v = 0; v < body.vertexCount; ++v) {
        body.positions[v] = tgMakeVec3(1.0f, 2.0f, 3.0f);
    }
    tgExpectError(&good, "across");
    tgDestroyAutorig(NULL);
    tgFreeCellBody(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestCapsule), cmocka_unit_test(tgTestStar),
        cmocka_unit_test(tgTestFigure),  cmocka_unit_test(tgTestBeast),
        cmocka_unit_test(tgTestOrder),   cmocka_unit_test(tgTestPlace),
        cmocka_unit_test(tgTestOptions), cmocka_unit_test(tgTestErrors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
