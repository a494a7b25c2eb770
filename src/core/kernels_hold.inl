// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The inner loops of hold.c; a part of kernels.inl.

/// Twice the vector areas of two faces, from the corners that their diagonals or edges end in.
TG_INLINE tgF8 tgGetAreas(const float* positions, const int* low, const int* high, int size)
{
    const tgFaceTask task = {.positions = positions};
    tgF8 a = tgF8_LoadPair(tgVertex(&task, low[0]), tgVertex(&task, high[0]));
    tgF8 b = tgF8_LoadPair(tgVertex(&task, low[1]), tgVertex(&task, high[1]));
    tgF8 c = tgF8_LoadPair(tgVertex(&task, low[2]), tgVertex(&task, high[2]));
    if (size == 3) {
        return tgCrossHalves(tgF8_Sub(b, a), tgF8_Sub(c, a));
    }
    tgF8 d = tgF8_LoadPair(tgVertex(&task, low[3]), tgVertex(&task, high[3]));
    return tgCrossHalves(tgF8_Sub(c, a), tgF8_Sub(d, b));
}

/// Of two faces: a where plain skinning has them look along their corners' normals, b now. A face
/// may fall to two fifths of a (blended normals are only about those that it should look along),
/// or where it looks the wrong way already, to five times that.
TG_INLINE void tgTurnoverLoop(const tgTurnoverTask* task, const int* faces, int count, int size)
{
    for (int f = 0; f < count; f += 2) {
        const int* low = faces + size * (ptrdiff_t)f;
        const int* high = f + 1 < count ? low + size : low;
        tgF8 normal = tgF8_LoadPair(task->normals + 4 * (ptrdiff_t)low[0],
                                    task->normals + 4 * (ptrdiff_t)high[0]);
        for (int k = 1; k < size; ++k) {
            normal = tgF8_Add(normal, tgF8_LoadPair(task->normals + 4 * (ptrdiff_t)low[k],
                                                    task->normals + 4 * (ptrdiff_t)high[k]));
        }
        float before[tg_lane], now[tg_lane];
        tgF8_Store(before, tgF8_Mul(normal, tgGetAreas(task->plain, low, high, size)));
        tgF8_Store(now, tgF8_Mul(normal, tgGetAreas(task->positions, low, high, size)));
        for (int half = 0; half < 2; ++half) {
            float a = (before[4 * half] + before[4 * half + 1]) + before[4 * half + 2];
            float b = (now[4 * half] + now[4 * half + 1]) + now[4 * half + 2];
            float room = a > 0.0f ? 0.6f * a : -4.0f * a, drop = a - b;
            const int* corners = half == 0 ? low : high;
            for (int k = 0; k < size && drop > 0.5f * room; ++k) {
                float danger = drop / (room + tg_tinySquared), *most = task->danger + corners[k];
                *most = danger > *most ? danger : *most;
            }
        }
    }
}

static void tgTurnover(const tgTurnoverTask* shared)
{
    const tgTurnoverTask task = *shared;
    tgTurnoverLoop(&task, task.triangles, task.triangleCount, 3);
    tgTurnoverLoop(&task, task.quads, task.quadCount, 4);
}

static void tgSkinList(const tgSkinTask* shared, const int* elements, int count)
{
    const tgSkinTask task = *shared;
    for (int i = 0; i < count; ++i) {
        ptrdiff_t at = 4 * (ptrdiff_t)elements[i];
        tgWideMatrix m = tgBlendMatrix(&task, elements[i], task.groupStart == NULL);
        tgF4_Store(task.positions + at, tgApplyMatrix(m, task.rest + at));
    }
}
