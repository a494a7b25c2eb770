// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Contact over a slow bend of the embedded finger: nothing jumps.

#include "contact_stage.h"

enum { tg_mostNeighbours = 16 };

typedef struct tgRing {
    int count, vertices[tg_mostNeighbours];
} tgRing;

/// All corners of the faces round each vertex.
static tgRing* tgMakeRings(const tgStage* stage)
{
    const tgScene* scene = stage->scene;
    tgRing* rings = calloc((size_t)scene->vertexCount, sizeof(tgRing));
    const int* face = scene->faceVertices;
    for (int f = 0; f < scene->parts[0].faceCount; face += scene->faceSizes[f], ++f) {
        int size = scene->faceSizes[f];
        for (int k = 0; k < size * size; ++k) {
            int v = face[k / size], w = face[k % size];
            bool known = v == w || rings[v].count == tg_mostNeighbours;
            for (int i = 0; i < rings[v].count; ++i) {
                known |= rings[v].vertices[i] == w;
            }
            if (!known) {
                rings[v].vertices[rings[v].count++] = w;
            }
        }
    }
    return rings;
}

static int tgCompareFloats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

/// The largest step of a vertex over the median of its neighbours', in a quarter of a degree. Steps
/// below a thousandth of the radius cannot be seen; do not divide by them.
static double tgGetJump(const tgStage* stage, const tgRing* rings, const float* steps)
{
    double worst = 0.0;
    for (int v = 0; v < stage->scene->vertexCount; ++v) {
        int count = rings[v].count;
        float near[tg_mostNeighbours];
        for (int i = 0; i < count; ++i) {
            near[i] = steps[rings[v].vertices[i]];
        }
        if (count > 0) {
            qsort(near, (size_t)count, sizeof(float), tgCompareFloats);
            float median = 0.5f * (near[count / 2] + near[(count - 1) / 2]);
            worst = fmax(worst, (double)(steps[v] / fmaxf(median, 1e-3f * 0.0099f)));
        }
    }
    return worst;
}

static void tgTestContinuity(void** state)
{
    (void)state;
    static const char* const names[] = {"proximal", "middle", "distal"};
    for (int i = 0; i < 6; ++i) {
        const char* name = names[i >> 1];
        tgVolumeDef none = tgMakeVolume(tg_volumeNone, false);
        tgVolumeDef exact = tgMakeVolume(tg_volumeExact, true);
        tgStage plain = tgMakeStage("finger", 0, (tgSkinning)(i & 1), &none, tg_simdBest);
        tgStage stage = tgMakeStage("finger", 0, (tgSkinning)(i & 1), &exact, tg_simdBest);
        int n = stage.scene->vertexCount, joint = tgScene_FindJoint(stage.scene, name);
        tgRing* rings = tgMakeRings(&stage);
        tgVec3* before = calloc(2 * (size_t)n, sizeof(tgVec3));
        float* steps = calloc((size_t)n, sizeof(float));
        double worst[2] = {0.0, 0.0}; // with contact, plain
        for (int step = -600; step <= 600; ++step) {
            tgBendJoint(&plain, joint, tgMakeVec3(0.0f, 0.0f, -1.0f), 0.25 * step);
            tgMeetAlone(&stage, &plain, NULL);
            for (int way = 0; way < 2; ++way) {
                const tgVec3* out = way == 0 ? stage.out : plain.out;
                for (int v = 0; v < n; ++v) {
                    steps[v] = tgDistance(out[v], before[way * n + v]);
                    before[way * n + v] = out[v];
                }
                double jump = step > -600 ? tgGetJump(&stage, rings, steps) : 0.0;
                worst[way] = fmax(worst[way], jump);
            }
        }
        print_message("%s, skinning %d: largest step %.2f of its neighbours' median, plain %.2f\n",
                      name, i & 1, worst[0], worst[1]);
        CHECK_AT_MOST(worst[0], 3.0);

        free(before);
        free(steps);
        free(rings);
        tgFreeStage(&plain);
        tgFreeStage(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tgTestContinuity)};
    return cmocka_run_group_tests_name("contact_sweep", tests, NULL, NULL);
}
