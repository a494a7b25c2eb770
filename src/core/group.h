// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Lists of vertices in groups whose lists share none: those of a group can be worked on side by
// side, and every vertex has one writer.
#ifndef TURGOR_CORE_GROUP_H
#define TURGOR_CORE_GROUP_H

#include <stddef.h>
#include <stdint.h>

enum { tg_mostGroups = 64 };

/// The first group with no list yet that shares a vertex with this one; it has one then.
/// tg_mostGroups when none is left.
/// @param groups of each vertex: one bit for each group that it is in
/// @param stride from one vertex of the list to the next, in bytes
static inline int tgJoinGroup(uint64_t* groups, const int* list, size_t stride, int count)
{
    uint64_t taken = 0;
    int group = 0;
    for (int i = 0; i < count; ++i) {
        taken |= groups[*(const int*)((const char*)list + stride * (size_t)i)];
    }
    while (group < tg_mostGroups && (taken >> group & 1) != 0) {
        group += 1;
    }
    for (int i = 0; i < count && group < tg_mostGroups; ++i) {
        groups[*(const int*)((const char*)list + stride * (size_t)i)] |= (uint64_t)1 << group;
    }
    return group;
}

#endif
