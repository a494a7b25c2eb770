// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Skeletons for meshes as they are met: blobs, sheets, soups, holes, pieces; and without memory.

#include "autorig_checks.h"
#include "failing_memory.h"
#include "random.h"
#include "turgor/bind.h"

// The core's memory comes from this one.
void* __real_aligned_alloc(size_t alignment, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);

void* __wrap_aligned_alloc(size_t alignment, size_t size)
{
    return tgMayAllocate() ? __real_aligned_alloc(alignment, size) : NULL;
}

/// Triangles and quads with room to grow.
typedef struct tgOddMesh {
    int vertexCount, faceCount, cornerCount;
    tgVec3 positions[20000];
    int corners[80000], sizes[20000];
} tgOddMesh;

static tgOddMesh tg_odd;

static void tgAddOddFace(int a, int b, int c, int d)
{
    const int corners[4] = {a, b, c, d};
    int size = d >= 0 ? 4 : 3;
    memcpy(tg_odd.corners + tg_odd.cornerCount, corners, (size_t)size * sizeof(int));
    tg_odd.cornerCount += size;
    tg_odd.sizes[tg_odd.faceCount++] = size;
}

static int tgAddOddVertex(float x, float y, float z)
{
    tg_odd.positions[tg_odd.vertexCount] = tgMakeVec3(x, y, z);
    return tg_odd.vertexCount++;
}

/// A closed ball of rings.
static void tgAddBall(tgVec3 center, tgVec3 radii, int around, int rings)
{
    int top = tgAddOddVertex(center.x, center.y + radii.y, center.z), first = tg_odd.vertexCount;
    for (int i = 1; i < rings; ++i) {
        float a = 3.14159265f * (float)i / (float)rings;
        for (int j = 0; j < around; ++j) {
            float b = 6.2831853f * (float)j / (float)around;
            tgAddOddVertex(center.x + radii.x * sinf(a) * cosf(b), center.y + radii.y * cosf(a),
                           center.z + radii.z * sinf(a) * sinf(b));
        }
    }
    int bottom = tgAddOddVertex(center.x, center.y - radii.y, center.z);
    for (int j = 0; j < around; ++j) {
        int next = (j + 1) % around, last = first + (rings - 2) * around;
        tgAddOddFace(top, first + next, first + j, -1);
        tgAddOddFace(bottom, last + j, last + next, -1);
        for (int i = 0; i + 2 < rings; ++i) {
            int row = first + i * around;
            tgAddOddFace(row + j, row + next, row + next + around, row + j + around);
        }
    }
}

static tgAutorigDef tgGetOddDef(void)
{
    tgAutorigDef def = tgDefaultAutorigDef();
    def.positions = (tgVec3View){&tg_odd.positions->x, tg_odd.vertexCount, sizeof(tgVec3)};
    def.faceVertices = tg_odd.corners;
    def.faceSizes = tg_odd.sizes;
    def.faceCount = tg_odd.faceCount;
    return def;
}

static bool tgWarns(const tgAutorig* rig, const char* words)
{
    for (int i = 0; i < rig->warningCount; ++i) {
        if (strstr(rig->warnings[i], words) != NULL) {
            return true;
        }
    }
    print_error("no warning says: %s\n", words);
    return false;
}

static tgAutorig* tgRigOdd(void)
{
    tgAutorigDef def = tgGetOddDef();
    return tgMustFindRig(&def, "an odd mesh");
}

/// One joint in the middle: nothing sticks out.
static void tgTestBall(void** state)
{
    (void)state;
    tg_odd = (tgOddMesh){0};
    tgAddBall(tgMakeVec3(1.0f, 2.0f, 3.0f), tgMakeVec3(1.0f, 1.0f, 1.0f), 32, 16);
    tgAutorig* rig = tgRigOdd();
    assert_int_equal(rig->jointCount, 1);
    CHECK_AT_MOST(tgDistance(rig->joints[0].position, tgMakeVec3(1.0f, 2.0f, 3.0f)), 0.2f);
    assert_true(tgWarns(rig, "nothing branches off"));
    tgDestroyAutorig(rig);
}

/// A flat strip is a chain; it has no inside.
static void tgTestStrip(void** state)
{
    (void)state;
    tg_odd = (tgOddMesh){0};
    for (int i = 0; i < 40; ++i) {
        tgAddOddVertex(0.1f * (float)i, 0.0f, 0.0f);
        tgAddOddVertex(0.1f * (float)i, 0.5f, 0.0f);
    }
    for (int i = 0; i < 39; ++i) {
        tgAddOddFace(2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1);
    }
    tgAutorig* rig = tgRigOdd();
    assert_true(tgWarns(rig, "no inside"));
    for (int j = 0; j < rig->jointCount; ++j) {
        assert_int_equal(rig->joints[j].parent, j - 1);
        assert_true(rig->joints[j].position.z == 0.0f);
        CHECK_NEAR(rig->joints[j].position.y, 0.25f, 0.2f);
    }
    tgDestroyAutorig(rig);
}

static void tgTestSoup(void** state)
{
    (void)state;
    tg_odd = (tgOddMesh){0};
    unsigned seed = 1;
    for (int f = 0; f < 3000; ++f) {
        float x = (float)tgNextSigned(&seed), y = (float)tgNextSigned(&seed),
              z = (float)tgNextSigned(&seed);
        for (int k = 0; k < 3; ++k) {
            tgAddOddVertex(x + 0.05f * (float)tgNextSigned(&seed),
                           y + 0.05f * (float)tgNextSigned(&seed),
                           z + 0.05f * (float)tgNextSigned(&seed));
        }
        tgAddOddFace(3 * f, 3 * f + 1, 3 * f + 2, -1);
    }
    tgError error = {0};
    tgAutorigDef def = tgGetOddDef();
    assert_null(tgCreateAutorig(&def, &error));
    CHECK_CONTAINS(error.message, "3000 pieces");
    CHECK_CONTAINS(error.message, "join its pieces");
}

/// Faces between any three vertices: whatever comes out, it is sound.
static void tgTestTangles(void** state)
{
    (void)state;
    unsigned seed = 7;
    int made = 0;
    for (int round = 0; round < 200; ++round) {
        tg_odd = (tgOddMesh){0};
        int vertexCount = 3 + (int)(20.0f * (1.0f + (float)tgNextSigned(&seed)));
        int faceCount = 1 + (int)(40.0f * (1.0f + (float)tgNextSigned(&seed)));
        for (int v = 0; v < vertexCount; ++v) {
            // On a coarse grid, so that vertices fall together and faces lie in each other.
            tgAddOddVertex(roundf(4.0f * (float)tgNextSigned(&seed)),
                           roundf(4.0f * (float)tgNextSigned(&seed)),
                           round % 3 == 0 ? 0.0f : roundf(4.0f * (float)tgNextSigned(&seed)));
        }
        for (int f = 0; f < faceCount; ++f) {
            int corner[3];
            for (int k = 0; k < 3; ++k) {
                corner[k] =
                    (int)(0.499f * (1.0f + (float)tgNextSigned(&seed)) * (float)vertexCount);
            }
            tgAddOddFace(corner[0], corner[1], corner[2], -1);
        }
        tgError error = {0};
        tgAutorigDef def = tgGetOddDef();
        def.plan = (tgBodyPlan)(round % 5);
        def.jointsPerLimb = round % 7;
        tgAutorig* rig = tgCreateAutorig(&def, &error);
        if (rig != NULL) {
            made += 1;
            tgCheckSound(rig);
        } else {
            assert_true(strlen(error.message) > 0);
        }
        tgDestroyAutorig(rig);
    }
    assert_true(made > 50);
}

/// Legs that are stuck on, eyes that lie on: the first are joined, the others left.
static void tgTestPieces(void** state)
{
    (void)state;
    tg_odd = (tgOddMesh){0};
    tgAddBall(tgMakeVec3(0.0f, 1.2f, 0.0f), tgMakeVec3(0.5f, 0.4f, 1.0f), 24, 16);
    tgAddBall(tgMakeVec3(0.0f, 1.5f, 1.1f), tgMakeVec3(0.3f, 0.3f, 0.35f), 16, 12);
    for (int k = 0; k < 4; ++k) {
        tgAddBall(tgMakeVec3(k % 2 == 0 ? 0.3f : -0.3f, 0.45f, k < 2 ? 0.5f : -0.5f),
                  tgMakeVec3(0.1f, 0.5f, 0.1f), 12, 16);
    }
    for (int k = 0; k < 2; ++k) {
        tgAddBall(tgMakeVec3(k == 0 ? 0.12f : -0.12f, 1.6f, 1.4f), tgMakeVec3(0.05f, 0.05f, 0.05f),
                  8, 6);
    }
    tgAutorig* rig = tgRigOdd();
    assert_int_equal(rig->pieceCount, 8);
    assert_int_equal(rig->bridgedCount, 5);
    assert_int_equal(rig->leftCount, 2);
    assert_int_equal(rig->plan, tg_planQuadruped);
    assert_true(tgWarns(rig, "2 pieces"));
    tgDestroyAutorig(rig);
}

/// Everything below the knees cut off: still two legs on the floor. All joints are inside.
static void tgTestOpen(void** state)
{
    (void)state;
    tgCellBody body = tgMakeCellBody(tg_figure, tg_footlessCount, 32, 2.0f);
    int kept = 0;
    for (int f = 0; f < body.faceCount; ++f) {
        const int* c = body.corners + 4 * (size_t)f;
        float top = fmaxf(body.positions[c[0]].y, body.positions[c[2]].y);
        if (top > 0.3f) {
            memmove(body.corners + 4 * (size_t)kept++, c, 4 * sizeof(int));
        }
    }
    body.faceCount = kept;
    tgAutorigDef def = tgCellBody_GetDef(&body);
    tgAutorig* rig = tgMustFindRig(&def, "a body of cells");
    assert_int_equal(rig->plan, tg_planBiped);
    assert_int_equal(rig->droppedCount, 0);
    int parents[256];
    tgVec3 places[256];
    assert_true(rig->jointCount <= 256);
    for (int j = 0; j < rig->jointCount; ++j) {
        parents[j] = rig->joints[j].parent;
        places[j] = rig->joints[j].position;
    }
    tgBindDef bind = tgDefaultBindDef(); // tells independently where joints are
    bind.positions = def.positions;
    bind.faceVertices = def.faceVertices;
    bind.faceSizes = def.faceSizes;
    bind.faceCount = def.faceCount;
    bind.jointPositions = (tgVec3View){&places->x, rig->jointCount, sizeof(tgVec3)};
    bind.jointParents = parents;
    tgBinding* binding = tgCreateBinding(&bind, NULL);
    assert_non_null(binding);
    for (int j = 0; j < rig->jointCount; ++j) {
        assert_int_equal(binding->joints[j].place, tg_jointInside);
    }
    tgDestroyBinding(binding);
    tgDestroyAutorig(rig);
    tgFreeCellBody(&body);
}

/// One arm hangs: across x the rest is alike, so there is a template; the arms keep their poses.
/// (Sticks are alike in front and behind too, and more so: the axis must be told.)
static void tgTestPosed(void** state)
{
    (void)state;
    tgStick sticks[7];
    memcpy(sticks, tg_figure, sizeof(sticks));
    sticks[4].to = tgMakeVec3(-0.6f, 1.0f, 0.1f);
    sticks[4].from = tgMakeVec3(-0.16f, 1.42f, 0.0f);
    tgCellBody body = tgMakeCellBody(sticks, 7, 32, 2.0f);
    tgAutorigDef def = tgCellBody_GetDef(&body);
    def.symmetry = tg_symmetryX;
    tgAutorig* rig = tgMustFindRig(&def, "a body of cells");
    assert_int_equal(rig->plan, tg_planBiped);
    assert_true(rig->planeShare < 0.97f);
    int lowest = 0, furthest = 0;
    for (int j = 0; j < rig->jointCount; ++j) {
        if (strncmp(rig->joints[j].name, "wrist", 5) == 0) {
            tgVec3 p = rig->joints[j].position;
            lowest += p.x < 0.0f && p.y < 1.3f;
            furthest += p.x > 0.5f && p.y > 1.3f;
        }
    }
    assert_int_equal(lowest, 1);
    assert_int_equal(furthest, 1);
    tgDestroyAutorig(rig);
    tgFreeCellBody(&body);
}

/// Every allocation fails in turn: NULL, or the same as ever; nothing leaks (the sanitizer looks).
static void tgTestMemory(void** state)
{
    (void)state;
    tgCellBody body = tgMakeCellBody(tg_figure, tg_footlessCount, 10, 2.0f);
    tgAutorigDef def = tgCellBody_GetDef(&body);
    int failures = 0;
    for (int left = 0;; ++left) {
        tgError error = {0};
        tg_allocationsLeft = left;
        tgAutorig* rig = tgCreateAutorig(&def, &error);
        tg_allocationsLeft = INT_MAX;
        if (rig != NULL) {
            tgDestroyAutorig(rig);
            break;
        }
        assert_int_equal(error.code, tg_outOfMemory);
        failures += 1;
    }
    assert_true(failures > 50);
    tgFreeCellBody(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestBall),   cmocka_unit_test(tgTestStrip),
        cmocka_unit_test(tgTestSoup),   cmocka_unit_test(tgTestTangles),
        cmocka_unit_test(tgTestPieces), cmocka_unit_test(tgTestOpen),
        cmocka_unit_test(tgTestPosed),  cmocka_unit_test(tgTestMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
