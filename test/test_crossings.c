// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Triangles that cross, counted with a tree, against all pairs: pieces that lie in each other in
// the bind pose and then part, which no tree of the bind pose fits.

#include "check.h"
#include "crossings.h"
#include "turgor/turgor.h"

enum { tg_pieceCount = 60, tg_vertexCount = 4 * tg_pieceCount, tg_faceCount = 4 * tg_pieceCount };

static tgVec3 tg_positions[tg_vertexCount];
static int tg_faceVertices[3 * tg_faceCount], tg_faceSizes[tg_faceCount];

/// Tetrahedra of size 1, each so far from the last.
static void tgPlacePieces(tgVec3 step)
{
    static const tgVec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int v = 0; v < tg_vertexCount; ++v) {
        tg_positions[v] = tgMulAdd(corners[v % 4], (float)(v / 4), step);
    }
}

static int tgCountAllPairs(void)
{
    int count = 0;
    for (int f = 0; f < tg_faceCount; ++f) {
        for (int g = 4 * (f / 4 + 1); g < tg_faceCount; ++g) { // faces of one piece share vertices
            tgVec3 a[3], b[3];
            for (int k = 0; k < 3; ++k) {
                a[k] = tg_positions[tg_faceVertices[3 * f + k]];
                b[k] = tg_positions[tg_faceVertices[3 * g + k]];
            }
            count += tgDoTrianglesCross(a, b);
        }
    }
    return count;
}

static void test_pieces_that_part(void** state)
{
    (void)state;
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    static int joints[tg_vertexCount];
    static float weights[tg_vertexCount];
    for (int f = 0; f < tg_faceCount; ++f) {
        tg_faceSizes[f] = 3;
        for (int k = 0; k < 3; ++k) {
            tg_faceVertices[3 * f + k] = 4 * (f / 4) + faces[f % 4][k];
        }
    }
    for (int v = 0; v < tg_vertexCount; ++v) {
        weights[v] = 1.0f;
    }
    tgPlacePieces(tgMakeVec3(0.003f, 0.002f, 0.001f));
    tgScene scene = {.vertexCount = tg_vertexCount,
                     .positions = tg_positions,
                     .faceCount = tg_faceCount,
                     .faceSizes = tg_faceSizes,
                     .faceVertices = tg_faceVertices};
    int root = -1;
    tgMat34 still = tgMakeMat34(tgIdentityTransform());
    tgError error = {0};
    tgRigDef def = tgDefaultRigDef();
    def.restPositions = (tgVec3View){&tg_positions->x, tg_vertexCount, sizeof(tgVec3)};
    def.faceVertices = tg_faceVertices;
    def.faceCount = tg_faceCount;
    def.jointParents = &root;
    def.restJoints = &still;
    def.jointCount = 1;
    def.influencesPerVertex = 1;
    def.influenceJoints = joints;
    def.influenceWeights = weights;
    tgRig* rig = tgCreateRig(&def, &error);
    assert_non_null(rig);
    tgCrossingCounter counter;
    assert_int_equal(tgOpenCrossingCounter(&scene, rig, &counter, &error), tg_success);
    static const tgVec3 steps[] = {{0.003f, 0.002f, 0.001f}, {3.0f, 2.0f, 1.0f},
                                   {0.31f, 0.17f, -0.05f},   {0.0f, -7.0f, 0.4f},
                                   {0.003f, 0.002f, 0.001f}, {0.2f, 0.3f, 0.4f}};
    static const bool crosses[] = {true, false, true, false, true, true};
    for (int i = 0; i < 6; ++i) {
        tgPlacePieces(steps[i]);
        int found = tgCrossingCounter_Count(&counter, tg_positions);
        assert_int_equal(found, tgCountAllPairs());
        assert_int_equal(found > 0, crosses[i]);
    }
    tgCloseCrossingCounter(&counter);
    tgDestroyRig(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces_that_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
