// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// At most n influences, smoothly. Cutting off all but the n largest jumps where two weights change
// places. Instead the first weight that must go is subtracted from all: what is cut off is 0 there,
// so weights stay continuous over the skin.

#include "bind/prune.h"

/// Lighter weights move nothing that can be seen, and cost as much as heavy ones.
static const float tg_leastWeight = 5e-3f;

bool tgOpenWeights(tgWeights* weights, int vertexCount, int influences, tgScratch* scratch)
{
    weights->perVertex = influences + 1;
    size_t count = (size_t)vertexCount * (size_t)weights->perVertex;
    weights->counts = tgScratch_Take(scratch, (size_t)vertexCount, sizeof(int));
    weights->joints = tgScratch_Take(scratch, count, sizeof(int));
    weights->weights = tgScratch_Take(scratch, count, sizeof(float));
    return !scratch->failed;
}

void tgWeights_Add(tgWeights* weights, int v, int joint, float weight)
{
    size_t start = (size_t)v * (size_t)weights->perVertex;
    int* joints = weights->joints + start;
    float* own = weights->weights + start;
    int at = weights->counts[v];
    if (at == weights->perVertex) {
        if (own[at - 1] >= weight) {
            return;
        }
        at -= 1;
    } else {
        weights->counts[v] += 1;
    }
    for (; at > 0 && own[at - 1] < weight; --at) {
        own[at] = own[at - 1];
        joints[at] = joints[at - 1];
    }
    own[at] = weight;
    joints[at] = joint;
}

void tgPruneWeights(tgWeights* weights, int vertexCount)
{
    for (int v = 0; v < vertexCount; ++v) {
        size_t start = (size_t)v * (size_t)weights->perVertex;
        float* own = weights->weights + start;
        int count = weights->counts[v];
        float cut = tg_leastWeight;
        if (count == weights->perVertex && own[count - 1] > cut) {
            cut = own[count - 1];
        }
        double sum = 0.0;
        for (int k = 0; k < count; ++k) {
            own[k] = own[k] > cut ? own[k] - cut : 0.0f;
            sum += (double)own[k];
        }
        if (!(sum > 0.0)) { // all alike: the first will do
            own[0] = 1.0f;
            sum = 1.0;
        }
        int kept = 0;
        for (int k = 0; k < count; ++k) {
            own[k] = (float)((double)own[k] / sum);
            kept += own[k] > 0.0f ? 1 : 0;
        }
        weights->counts[v] = kept;
    }
}
