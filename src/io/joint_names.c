// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints by name, and all that a pattern such as "finger*.L" fits.

#include "io/joint_names.h"

#include "io/settings_text.h"

#include <stdlib.h>
#include <string.h>

static int tgCompareJoints(const void* a, const void* b)
{
    const tgNamedJoint* left = a;
    const tgNamedJoint* right = b;
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : left->joint - right->joint;
}

bool tgSortJoints(const tgScene* scene, tgNamedJoints* joints)
{
    joints->count = scene != NULL ? scene->jointCount : 0;
    joints->sorted = malloc(((size_t)joints->count + 1) * sizeof(tgNamedJoint));
    if (joints->sorted == NULL) {
        joints->count = 0;
        return false;
    }
    for (int j = 0; j < joints->count; ++j) {
        joints->sorted[j] = (tgNamedJoint){scene->joints[j].name, j};
    }
    qsort(joints->sorted, (size_t)joints->count, sizeof(tgNamedJoint), tgCompareJoints);
    return true;
}

void tgFreeJoints(tgNamedJoints* joints)
{
    free(joints->sorted);
    *joints = (tgNamedJoints){0};
}

int tgFindJoints(const tgNamedJoints* joints, const char* name, int* count)
{
    int low = 0;
    int high = joints->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(joints->sorted[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *count = 0;
    while (low + *count < joints->count && strcmp(joints->sorted[low + *count].name, name) == 0) {
        *count += 1;
    }
    return low;
}

/// Bytes of the character at `at`; 1 where it is not UTF-8.
static int tgGetStep(const char* at)
{
    int size = tgMeasureUtf8(at, at + strlen(at));
    return size > 0 ? size : 1;
}

bool tgFitsPattern(const char* pattern, const char* name)
{
    // Greedy: only the last * ever has to take more, so this ends after length times length steps.
    const char *star = NULL, *retry = NULL;
    while (*name != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = name;
        } else if (*pattern == '?') {
            pattern += 1;
            name += tgGetStep(name);
        } else if (*pattern == *name) {
            pattern += 1;
            name += 1;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern += 1;
    }
    return *pattern == '\0';
}

int tgMatchJoints(const tgScene* scene, const char* text, int* list)
{
    int count = 0, jointCount = scene != NULL ? scene->jointCount : 0;
    for (int way = 0; way < 2 && count == 0; ++way) {
        for (int j = 0; j < jointCount; ++j) {
            const char* name = scene->joints[j].name;
            if (way == 0 ? strcmp(name, text) == 0 : tgFitsPattern(text, name)) {
                if (list != NULL) {
                    list[count] = j;
                }
                count += 1;
            }
        }
    }
    return count;
}
