// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Names to numbers by open addressing. A file may change its material at every face, so this must
// not search a list.

#include "io/obj_names.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint32_t tgHashBytes(const unsigned char* bytes, size_t length)
{
    uint32_t hash = 2166136261u; // FNV-1a
    for (size_t i = 0; i < length; ++i) {
        hash = (hash ^ bytes[i]) * 16777619u;
    }
    return hash ^ hash >> 15;
}

/// Where the name is, or the free slot where it belongs.
static int tgFindNameSlot(const tgObjNames* names, const void* bytes, size_t length, uint32_t hash)
{
    int mask = names->slotCount - 1;
    int slot = (int)(hash & (uint32_t)mask);
    while (names->slots[slot] != 0) {
        int name = names->slots[slot] - 1;
        if (names->hashes[name] == hash && names->lengths[name] == length &&
            memcmp(names->texts[name], bytes, length) == 0) {
            return slot;
        }
        slot = (slot + 1) & mask;
    }
    return slot;
}

/// Room for one more name with at least half of the slots free.
static bool tgGrowNames(tgObjNames* names)
{
    if (2 * names->count < names->slotCount) {
        return true;
    }
    if (names->slotCount > INT_MAX / 4) {
        return false;
    }
    int slotCount = names->slotCount > 0 ? 2 * names->slotCount : 16;
    size_t nameCount = (size_t)slotCount / 2;
    char** texts = realloc(names->texts, nameCount * sizeof(*texts));
    names->texts = texts != NULL ? texts : names->texts;
    size_t* lengths = realloc(names->lengths, nameCount * sizeof(*lengths));
    names->lengths = lengths != NULL ? lengths : names->lengths;
    uint32_t* hashes = realloc(names->hashes, nameCount * sizeof(*hashes));
    names->hashes = hashes != NULL ? hashes : names->hashes;
    int* slots = calloc((size_t)slotCount, sizeof(*slots));
    if (texts == NULL || lengths == NULL || hashes == NULL || slots == NULL) {
        free(slots);
        return false;
    }
    free(names->slots);
    names->slots = slots;
    names->slotCount = slotCount;
    for (int name = 0; name < names->count; ++name) {
        int slot =
            tgFindNameSlot(names, names->texts[name], names->lengths[name], names->hashes[name]);
        names->slots[slot] = name + 1;
    }
    return true;
}

int tgObjNames_Find(tgObjNames* names, const void* bytes, size_t length)
{
    if (!tgGrowNames(names)) {
        return -1;
    }
    uint32_t hash = tgHashBytes(bytes, length);
    int slot = tgFindNameSlot(names, bytes, length, hash);
    if (names->slots[slot] == 0) {
        char* text = malloc(length + 1);
        if (text == NULL) {
            return -1;
        }
        memcpy(text, bytes, length);
        text[length] = '\0';
        int name = names->count++;
        names->texts[name] = text;
        names->lengths[name] = length;
        names->hashes[name] = hash;
        names->slots[slot] = name + 1;
    }
    return names->slots[slot] - 1;
}

void tgObjNames_Free(tgObjNames* names)
{
    for (int name = 0; name < names->count; ++name) {
        free(names->texts[name]);
    }
    free(names->texts);
    free(names->lengths);
    free(names->hashes);
    free(names->slots);
    *names = (tgObjNames){0};
}
