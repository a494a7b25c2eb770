// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints that the settings file names or fits with a pattern, and the nearest there is to one that
// is not there.

#include "io/settings_private.h"
#include "io/settings_text.h"

#include <string.h>

tgResult tgFailJoint(const tgSettingsReader* reader, const char* name, tgJsonPlace place)
{
    tgNearest nearest = {.word = name};
    int jointCount = reader->scene != NULL ? reader->scene->jointCount : 0;
    for (int j = 0; j < jointCount; ++j) {
        tgNearest_Try(&nearest, reader->scene->joints[j].name);
    }
    const char* which = strpbrk(name, "*?") != NULL ? "joint like" : "joint";
    if (nearest.best != NULL) {
        return tgFailAt(reader->error, tg_invalidArgument, place,
                        "the character has no %s %s, perhaps %s", which, tgMakeQuote(name).text,
                        tgMakeQuote(nearest.best).text);
    }
    return tgFailAt(reader->error, tg_invalidArgument, place,
                    "the character has no %s %s, expected the name of one of its %d%s%s", which,
                    tgMakeQuote(name).text, jointCount, jointCount > 0 ? ", such as " : "",
                    jointCount > 0 ? tgMakeQuote(reader->scene->joints[0].name).text : "");
}

tgResult tgReadMatches(const tgSettingsReader* reader, const tgNamedJoints* names, const char* text,
                       tgJsonPlace place, tgMatches* matches)
{
    int first = tgFindJoints(names, text, &matches->count);
    matches->isPattern = matches->count == 0;
    if (matches->isPattern) {
        matches->count = tgMatchJoints(reader->scene, text, NULL);
    }
    if (matches->count == 0) {
        return tgFailJoint(reader, text, place);
    }
    int* list = tgArena_Take(&reader->settings->memory->arena, (size_t)matches->count, sizeof(int));
    if (list == NULL) {
        return tgFailMemory(reader);
    }
    if (matches->isPattern) {
        tgMatchJoints(reader->scene, text, list);
    }
    for (int i = 0; !matches->isPattern && i < matches->count; ++i) {
        list[i] = names->sorted[first + i].joint;
    }
    matches->joints = list;
    return tg_success;
}
