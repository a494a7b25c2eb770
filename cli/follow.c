// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A camera that goes along: the character's way, averaged twice, so that neither
// steps nor sudden starts shake the picture.

#include "follow.h"

#include <stdlib.h>

enum { tg_rounds = 2 };

void tgFreeFollow(tgFollow* follow)
{
    free(follow->places);
    *follow = (tgFollow){0};
}

bool tgFollow_Add(tgFollow* follow, tgVec3 place)
{
    if (follow->count == follow->room) {
        int room = 2 * follow->room + 64;
        tgVec3* grown = realloc(follow->places, (size_t)room * sizeof(tgVec3));
        if (grown == NULL) {
            return false;
        }
        follow->places = grown;
        follow->room = room;
    }
    follow->places[follow->count++] = place;
    return true;
}

/// Mean of a coordinate over the frames about each; fewer towards both ends, as many to either
/// side. In place: `sums` holds what is needed of the old values.
static void tgAverage(tgFollow* follow, int axis, int window, double* sums)
{
    int count = follow->count;
    sums[0] = 0.0;
    for (int i = 0; i < count; ++i) {
        sums[i + 1] = sums[i] + (double)(&follow->places[i].x)[axis];
    }
    for (int i = 0; i < count; ++i) {
        int reach = window / 2;
        reach = reach < i ? reach : i;
        reach = reach < count - 1 - i ? reach : count - 1 - i;
        (&follow->places[i].x)[axis] =
            (float)((sums[i + reach + 1] - sums[i - reach]) / (2 * reach + 1));
    }
}

void tgFollow_Settle(tgFollow* follow, int window, float least)
{
    double* sums = calloc((size_t)follow->count + 1, sizeof(double));
    tgVec3 first = follow->count > 0 ? follow->places[0] : tgMakeVec3(0.0f, 0.0f, 0.0f);
    float farthest = 0.0f;
    for (int i = 0; i < follow->count; ++i) {
        follow->places[i] = tgSub(follow->places[i], first);
    }
    for (int round = 0; sums != NULL && round < tg_rounds; ++round) {
        for (int axis = 0; axis < 3; ++axis) {
            tgAverage(follow, axis, window, sums);
        }
    }
    free(sums);
    for (int i = 0; i < follow->count; ++i) {
        farthest = fmaxf(farthest, tgLength(follow->places[i]));
    }
    for (int i = 0; i < follow->count && farthest < least; ++i) {
        follow->places[i] = tgMakeVec3(0.0f, 0.0f, 0.0f);
    }
}
