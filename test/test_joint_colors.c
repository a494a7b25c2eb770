// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Colours of joints on the embedded characters: no two joints on one face share one, and where
// there are few joints none do.

#include "check.h"

#include "../cli/joint_colors.h"
#include "draw/scale.h"
#include "turgor/models.h"

/// Every pair of corners of every face, and every pair of their influences.
static void tgCheckNeighbours(const tgScene* scene, const int* colors)
{
    const int* corners = scene->faceVertices;
    int per = scene->influencesPerVertex;
    for (int f = 0; f < scene->faceCount; ++f) {
        for (int i = 0; i < scene->faceSizes[f] * per; ++i) {
            for (int k = 0; k < scene->faceSizes[f] * per; ++k) {
                int a = corners[i / per] * per + i % per, b = corners[k / per] * per + k % per;
                int first = scene->influenceJoints[a], second = scene->influenceJoints[b];
                bool shows =
                    scene->influenceWeights[a] > 0.02f && scene->influenceWeights[b] > 0.02f;
                assert_true(!shows || first == second || colors[first] != colors[second]);
            }
        }
        corners += scene->faceSizes[f];
    }
}

static void tgTestNeighbours(void** state)
{
    (void)state;
    static const char* const names[] = {"cylinder", "arm",      "finger", "giraffe",
                                        "elephant", "mushroom", "cat",    "hand"};
    for (int i = 0; i < 8; ++i) {
        tgScene* scene = tgCreateModel(names[i], 0, NULL);
        assert_non_null(scene);
        int* colors = calloc((size_t)scene->jointCount, sizeof(int));
        bool* isUsed = calloc((size_t)scene->jointCount, sizeof(bool));
        assert_true(tgColorJoints(scene, colors));
        tgFindUsedJoints(scene, isUsed);
        tgCheckNeighbours(scene, colors);
        int counts[tg_categoryCount] = {0}, usedCount = 0, most = 0;
        for (int j = 0; j < scene->jointCount; ++j) {
            assert_true(isUsed[j] ? colors[j] >= 0 && colors[j] < tg_categoryCount
                                  : colors[j] == -1);
            usedCount += isUsed[j];
            counts[isUsed[j] ? colors[j] : 0] += isUsed[j];
        }
        for (int c = 0; c < tg_categoryCount; ++c) {
            most = counts[c] > most ? counts[c] : most;
        }
        assert_true(usedCount > tg_categoryCount || most == 1);
        free(colors);
        free(isUsed);
        tgDestroyScene(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tgTestNeighbours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
