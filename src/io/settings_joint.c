// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints that the settings file names, and the nearest there is to one that is not there.

#include "io/settings_private.h"
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

tgResult tgSortJoints(const tgSettingsReader* reader, tgNamedJoints* joints)
{
    joints->count = reader->scene != NULL ? reader->scene->jointCount : 0;
    joints->sorted = malloc(((size_t)joints->count + 1) * sizeof(tgNamedJoint));
    if (joints->sorted == NULL) {
        return tgFailMemory(reader);
    }
    for (int j = 0; j < joints->count; ++j) {
        joints->sorted[j] = (tgNamedJoint){reader->scene->joints[j].name, j};
    }
    qsort(joints->sorted, (size_t)joints->count, sizeof(tgNamedJoint), tgCompareJoints);
    return tg_success;
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

tgResult tgFailJoint(const tgSettingsReader* reader, const char* name, tgJsonPlace place)
{
    tgNearest nearest = {.word = name};
    int jointCount = reader->scene != NULL ? reader->scene->jointCount : 0;
    for (int j = 0; j < jointCount; ++j) {
        tgNearest_Try(&nearest, reader->scene->joints[j].name);
    }
    if (nearest.best != NULL) {
        return tgFailAt(reader->error, tg_invalidArgument, place,
                        "the character has no joint %s, perhaps %s", tgMakeQuote(name).text,
                        tgMakeQuote(nearest.best).text);
    }
    return tgFailAt(reader->error, tg_invalidArgument, place,
                    "the character has no joint %s, expected the name of one of its %d%s%s",
                    tgMakeQuote(name).text, jointCount, jointCount > 0 ? ", such as " : "",
                    jointCount > 0 ? tgMakeQuote(reader->scene->joints[0].name).text : "");
}
