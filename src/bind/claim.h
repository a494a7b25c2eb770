// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which joints claim a vertex, and from how far.
#ifndef TURGOR_BIND_CLAIM_H
#define TURGOR_BIND_CLAIM_H

#include <stdbool.h>

enum { tg_mostClaims = 8 };

typedef struct tgClaims {
    int count;
    int joints[tg_mostClaims];
    float distances[tg_mostClaims]; ///< ascending
} tgClaims;

/// Adds a claim, or shortens the one the joint has; the furthest goes when there are too many.
static inline void tgClaims_Add(tgClaims* claims, int joint, float distance)
{
    int at = 0;
    while (at < claims->count && claims->joints[at] != joint) {
        at += 1;
    }
    if (at < claims->count && claims->distances[at] <= distance) {
        return;
    }
    if (at == claims->count) {
        if (claims->count < tg_mostClaims) {
            claims->count += 1;
        } else if (claims->distances[claims->count - 1] <= distance) {
            return;
        }
        at = claims->count - 1;
    }
    for (; at > 0 && claims->distances[at - 1] > distance; --at) {
        claims->joints[at] = claims->joints[at - 1];
        claims->distances[at] = claims->distances[at - 1];
    }
    claims->joints[at] = joint;
    claims->distances[at] = distance;
}

#endif
