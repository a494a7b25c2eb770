// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Settings of earlier versions that are no longer there. A file that still has them is read; each
// is told once, with the reason and what takes its place.

#include "io/settings_private.h"

#include <string.h>

static const struct {
    tgSettingsObject object;
    const char* name;
    const char* reason;
} tg_goneKeys[] = {
    {tg_settingsVolume, "cap", "the room of each vertex takes its place"},
    {tg_settingsVolume, "evenOut", "corrections follow the surface, however its vertices lie"},
    {tg_settingsVolume, "limbOnly", "a joint's correction spreads along its own skin only"},
    {tg_settingsVolume, "holdFaces", "corrections no longer go along the normals of crushed skin"},
    {tg_settingsVolume, "equalShares", "\"mu\": [0.33, 0.33, 0.34] says the same"},
    {tg_settingsContact, "neighbours", "\"contact\": true or false says it"},
    {tg_settingsContact, "general", "contact is looked for between neighbouring bones only"},
    {tg_settingsContact, "rounds", "contact goes before the correction, once"},
    {tg_settingsProfile, "driftFocus", "\"drift\" alone tells how much of the shape there is"},
};

enum { tg_goneKeyCount = sizeof(tg_goneKeys) / sizeof(tg_goneKeys[0]) };

_Static_assert(tg_goneKeyCount <= 32, "a bit for each");

bool tgWarnGoneKey(const tgSettingsReader* reader, const tgJsonValue* member,
                   tgSettingsObject which)
{
    for (int i = 0; i < tg_goneKeyCount; ++i) {
        if (tg_goneKeys[i].object == which && strcmp(tg_goneKeys[i].name, member->key) == 0) {
            unsigned* told = &reader->settings->memory->toldGone;
            if ((*told & 1u << i) == 0) {
                tgWarnAt(reader, member->keyPlace, "\"%s\" is no longer there: %s; remove it",
                         member->key, tg_goneKeys[i].reason);
            }
            *told |= 1u << i;
            return true;
        }
    }
    return false;
}

bool tgWarnGoneMode(const tgSettingsReader* reader, const tgJsonValue* mode)
{
    if (mode == NULL || mode->kind != tg_jsonText ||
        (strcmp(mode->text, "sequence") != 0 && strcmp(mode->text, "together") != 0)) {
        return false;
    }
    tgWarnAt(reader, mode->place,
             "mode \"%s\" is no longer there: there is one exact method now, without an order of "
             "joints; remove it",
             mode->text);
    return true;
}
