// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops of the local volume method; a part of kernels.inl.

static tgFieldWorth tgGatherField(const tgGatherTask* shared, const float* gamma,
                                  const float* shares, int begin, int end)
{
    const tgGatherTask copy = *shared, *task = &copy;
    const tgF8 sixth = tgF8_Splat((float)1 / 6);
    tgD4 own = tgD4_Zero(), all = tgD4_Zero();
    tgF8 largest = tgF8_Splat(0.0f);
    for (int first = begin; first < end; first += tg_lane) {
        float* at = task->out + 4 * (ptrdiff_t)first;
        for (int i = 0; i < tg_lane; ++i) {
            tgF4_Store(at + 4 * i, tgSumSlots(task, first + i));
        }
        tgWide3 g;
        tgLoadLane(at, &g.x, &g.y, &g.z);
        g = (tgWide3){tgF8_Mul(sixth, g.x), tgF8_Mul(sixth, g.y), tgF8_Mul(sixth, g.z)};
        tgF8 scale = tgF8_Load(gamma + first);
        tgF8 squared =
            tgF8_Add(tgF8_Add(tgF8_Mul(g.x, g.x), tgF8_Mul(g.y, g.y)), tgF8_Mul(g.z, g.z));
        tgF8 worth = tgF8_Mul(scale, squared);
        all = tgD4_AddF4(all, tgF8_AddHalves(worth));
        own = tgD4_AddF4(own, tgF8_AddHalves(tgF8_Mul(tgF8_Load(shares + first), worth)));
        largest = tgF8_Max(largest, tgF8_Mul(scale, worth));
        tgStoreLane(at, tgF8_Mul(scale, g.x), tgF8_Mul(scale, g.y), tgF8_Mul(scale, g.z));
    }
    double ownParts[4], allParts[4];
    float peaks[tg_lane];
    tgD4_Store(ownParts, own);
    tgD4_Store(allParts, all);
    tgF8_Store(peaks, tgF8_Sqrt(largest));
    tgFieldWorth result = {
        .own = (ownParts[0] + ownParts[1]) + (ownParts[2] + ownParts[3]),
        .across = (allParts[0] + allParts[1]) + (allParts[2] + allParts[3]),
    };
    result.across -= result.own;
    for (int i = 0; i < tg_lane; ++i) {
        result.peak = peaks[i] > result.peak ? peaks[i] : result.peak;
    }
    return result;
}

static void tgAddField(const tgFieldMove* shared, int begin, int end)
{
    const tgFieldMove task = *shared;
    const tgF8 across = tgF8_Splat(task.across), more = tgF8_Splat(task.own - task.across);
    for (int first = begin; first < end; first += tg_lane) {
        float steps[tg_lane];
        tgF8_Store(steps, tgF8_Add(across, tgF8_Mul(tgF8_Load(task.shares + first), more)));
        for (int i = 0; i < tg_lane; ++i) {
            float* p = task.positions + 4 * (ptrdiff_t)task.vertices[first + i];
            const float* f = task.field + 4 * (ptrdiff_t)(first + i);
            tgF4_Store(p, tgF4_Add(tgF4_Load(p), tgF4_Mul(tgF4_Splat(steps[i]), tgF4_Load(f))));
        }
    }
}
