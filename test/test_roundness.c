// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The roundness of skin where it is known: round a tube it is the tube's radius, on a flat sheet
// there is no end to it, and from a fold on it rises with the way.

#include "check.h"
#include "core/roundness.h"

#include <math.h>
#include <stdlib.h>

enum { tg_rows = 17, tg_columns = 24 };

typedef struct tgSheet {
    tgMesh mesh;
    float rest[4 * tg_rows * tg_columns];
    float normals[4 * tg_rows * tg_columns];
    int quads[4 * tg_rows * tg_columns];
    int cornerStart[tg_rows * tg_columns + 1];
    int cornerSlots[4 * tg_rows * tg_columns];
} tgSheet;

static void tgSetVector(float* vectors, int v, float x, float y, float z)
{
    vectors[4 * v] = x;
    vectors[4 * v + 1] = y;
    vectors[4 * v + 2] = z;
}

/// Quads of a grid, round and round when it is closed, and which of them are at each vertex.
static void tgJoin(tgSheet* sheet, bool isClosed)
{
    tgMesh* mesh = &sheet->mesh;
    *mesh = (tgMesh){.vertexCount = tg_rows * tg_columns,
                     .quads = sheet->quads,
                     .cornerStart = sheet->cornerStart,
                     .cornerSlots = sheet->cornerSlots};
    for (int i = 0; i < (tg_rows - 1) * (isClosed ? tg_columns : tg_columns - 1); ++i) {
        int across = isClosed ? tg_columns : tg_columns - 1;
        int row = i / across * tg_columns, a = i % across, b = (a + 1) % tg_columns;
        int* corners = sheet->quads + 4 * mesh->quadCount++;
        corners[0] = row + a;
        corners[1] = row + b;
        corners[2] = row + tg_columns + b;
        corners[3] = row + tg_columns + a;
    }
    int count = 0;
    for (int v = 0; v < mesh->vertexCount; ++v) {
        sheet->cornerStart[v] = count;
        for (int slot = 0; slot < 4 * mesh->quadCount; ++slot) {
            if (sheet->quads[slot] == v) {
                sheet->cornerSlots[count++] = slot;
            }
        }
    }
    sheet->cornerStart[mesh->vertexCount] = count;
}

static float* tgMeasure(const tgSheet* sheet, float most, tgScratch* scratch)
{
    tgReach reach;
    assert_true(tgMakeReach(&sheet->mesh, sheet->rest, scratch, &reach));
    float* roundness = tgMeasureRoundness(&sheet->mesh, sheet->normals, most, &reach, scratch);
    assert_non_null(roundness);
    return roundness;
}

static void tgTestTube(void** state)
{
    (void)state;
    static tgSheet tube;
    for (int v = 0; v < tg_rows * tg_columns; ++v) {
        float angle = 6.2831853f * (float)(v % tg_columns) / (float)tg_columns;
        float x = cosf(angle), y = sinf(angle);
        tgSetVector(tube.rest, v, 2.0f * x, 2.0f * y, (float)(v / tg_columns));
        tgSetVector(tube.normals, v, 3.0f * x, 3.0f * y, 0.0f);
    }
    tgJoin(&tube, true);
    tgAllocator allocator = tgDefaultRigDef().allocator;
    tgScratch scratch = {.allocator = &allocator};
    float* roundness = tgMeasure(&tube, 100.0f, &scratch);
    for (int v = 0; v < tube.mesh.vertexCount; ++v) {
        assert_float_equal(roundness[v], 2.0f, 1e-4f);
    }
    tgScratch_FreeAll(&scratch);
}

/// A sheet that is folded by a right angle along one row of vertices.
static void tgTestFold(void** state)
{
    (void)state;
    static tgSheet sheet;
    const float step = 0.25f, half = 0.70710678f;
    const int fold = tg_rows / 2;
    for (int v = 0; v < tg_rows * tg_columns; ++v) {
        int row = v / tg_columns;
        float along = step * (float)(v % tg_columns), away = step * (float)abs(row - fold);
        bool before = row < fold;
        tgSetVector(sheet.rest, v, along, before ? -away : 0.0f, row > fold ? -away : 0.0f);
        float up = row == fold ? half : before ? 1.0f : 0.0f;
        float out = row == fold ? half : before ? 0.0f : 1.0f;
        tgSetVector(sheet.normals, v, 0.0f, out, up);
    }
    tgJoin(&sheet, false);
    tgAllocator allocator = tgDefaultRigDef().allocator;
    tgScratch scratch = {.allocator = &allocator};
    float* roundness = tgMeasure(&sheet, 0.75f, &scratch);
    // Beside the fold normals turn by 45 degrees over one step: 2 sin(22.5 degrees).
    float sharpest = step / 0.76536686f;
    for (int v = 0; v < sheet.mesh.vertexCount; ++v) {
        int rows = abs(v / tg_columns - fold);
        float away = step * (float)(rows > 1 ? rows - 1 : 0);
        assert_float_equal(roundness[v], fminf(sharpest + 0.5f * away, 0.75f), 1e-5f);
    }
    tgScratch_FreeAll(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tgTestTube),
        cmocka_unit_test(tgTestFold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
