// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What differs between two settings files: both are walked side by side, objects by key and lists
// by place, down to the values that differ.

#include "settings_diff.h"

#include "io/gltf_uri.h"
#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Steps on the way to a value.
typedef struct tgWay {
    const char* steps[16];
    int count;
} tgWay;

static void tgDescribe(const tgJsonValue* value, char text[32])
{
    if (value == NULL) {
        snprintf(text, 32, "unset");
    } else if (value->kind == tg_jsonText || value->kind == tg_jsonNumber) {
        snprintf(text, 32, "%s", value->text);
    } else if (value->kind == tg_jsonBool) {
        snprintf(text, 32, "%s", value->truth ? "true" : "false");
    } else if (value->kind != tg_jsonNull && value->count == 0) {
        snprintf(text, 32, value->kind == tg_jsonList ? "[]" : "{}");
    } else if (value->kind == tg_jsonList) {
        int used = snprintf(text, 32, "[");
        for (int at = 0; at < value->count && used < 31; ++at) {
            const tgJsonValue* item = value->items[at];
            char own[32];
            tgDescribe(item, own);
            used += snprintf(text + used, (size_t)(32 - used), "%s%s", own,
                             at + 1 < value->count ? ", " : "]");
        }
    } else {
        snprintf(text, 32, value->kind == tg_jsonNull ? "null" : "{...}");
    }
}

/// Where values stand, without the words that go without saying.
static void tgAddDifference(tgDifferences* differences, const tgWay* way, const tgJsonValue* a,
                            const tgJsonValue* b)
{
    if (differences->count++ >= tg_mostDifferences) {
        return;
    }
    tgDifference* at = &differences->list[differences->count - 1];
    size_t used = 0;
    for (int i = 0; i < way->count && used + 1 < sizeof(at->name); ++i) {
        bool isPlain = i + 1 < way->count && (strcmp(way->steps[i], "volume") == 0 ||
                                              strcmp(way->steps[i], "joints") == 0);
        if (!isPlain) {
            used += (size_t)snprintf(at->name + used, sizeof(at->name) - used, "%s%.40s",
                                     used > 0 ? " " : "", way->steps[i]);
        }
    }
    tgDescribe(a, at->values[0]);
    tgDescribe(b, at->values[1]);
}

static bool tgIsLeaf(const tgJsonValue* value)
{
    return value != NULL && value->kind != tg_jsonObject && value->kind != tg_jsonList;
}

static bool tgIsSameLeaf(const tgJsonValue* a, const tgJsonValue* b)
{
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case tg_jsonNumber:
        return tgJson_GetFloat(a) == tgJson_GetFloat(b);
    case tg_jsonText:
        return strcmp(a->text, b->text) == 0;
    case tg_jsonBool:
        return a->truth == b->truth;
    default:
        return true;
    }
}

/// Whether two values are the same all the way down.
static bool tgIsSame(const tgJsonValue* a, const tgJsonValue* b)
{
    if (a == NULL || b == NULL || a->kind != b->kind || tgIsLeaf(a)) {
        return a == b || (a != NULL && b != NULL && tgIsSameLeaf(a, b));
    }
    bool isSame = a->count == b->count;
    for (int i = 0; isSame && i < a->count; ++i) {
        bool isObject = a->kind == tg_jsonObject;
        isSame = tgIsSame(a->items[i], isObject ? tgJson_Find(b, a->items[i]->key) : b->items[i]);
    }
    return isSame;
}

/// Objects key by key; whatever else differs is told as a whole, and so is an empty object where
/// the other file has nothing: `"refine": {}` asks for something.
static void tgWalk(tgDifferences* differences, tgWay* way, const tgJsonValue* a,
                   const tgJsonValue* b)
{
    bool isObject = (a == NULL || a->kind == tg_jsonObject) &&
                    (b == NULL || b->kind == tg_jsonObject) && way->count < 15;
    bool hasNone = (a == NULL || a->count == 0) && (b == NULL || b->count == 0);
    if (!isObject || hasNone) {
        if (!tgIsSame(a, b)) {
            tgAddDifference(differences, way, a, b);
        }
        return;
    }
    const tgJsonValue* child = NULL;
    for (size_t i = 0; (child = tgJson_GetMember(a, i)) != NULL; ++i) {
        way->steps[way->count++] = child->key;
        tgWalk(differences, way, child, tgJson_Find(b, child->key));
        way->count -= 1;
    }
    for (size_t i = 0; (child = tgJson_GetMember(b, i)) != NULL; ++i) {
        if (tgJson_Find(a, child->key) == NULL) {
            way->steps[way->count++] = child->key;
            tgWalk(differences, way, NULL, child);
            way->count -= 1;
        }
    }
}

tgResult tgCompareSettings(const char* const paths[2], tgDifferences* differences, tgError* error)
{
    tgArena arena = {0};
    const tgJsonValue* roots[2] = {NULL, NULL};
    tgResult result = tg_success;
    differences->count = 0;
    for (int i = 0; i < 2 && result == tg_success; ++i) {
        uint8_t* bytes = NULL;
        size_t size = 0;
        result = tgReadFile(paths[i], tg_largestJson, &bytes, &size, error);
        if (result == tg_success) {
            roots[i] = tgParseJson((const char*)bytes, size, &arena, error);
            result = roots[i] != NULL ? tg_success : tg_invalidArgument;
        }
        free(bytes);
    }
    tgWay way = {.count = 0};
    if (result == tg_success) {
        tgWalk(differences, &way, roots[0], roots[1]);
    }
    tgArena_Free(&arena);
    return result;
}

/// A name without what it shares with the one before, up to the last word.
static const char* tgShorten(const char* before, const char* name)
{
    const char *last = strrchr(name, ' '), *other = strrchr(before, ' ');
    bool isShared = last != NULL && other != NULL && last - name == other - before &&
                    strncmp(before, name, (size_t)(last - name)) == 0;
    return isShared ? last + 1 : name;
}

void tgDifferences_Tell(const tgDifferences* differences, int which, char* text, size_t size)
{
    size_t used = 0;
    int i = 0,
        known = differences->count < tg_mostDifferences ? differences->count : tg_mostDifferences;
    text[0] = '\0';
    for (; i < known; ++i) {
        const tgDifference* at = &differences->list[i];
        const char* name = i > 0 ? tgShorten(at[-1].name, at->name) : at->name;
        size_t needed = strlen(name) + strlen(at->values[which]) + 16;
        if (i > 0 && used + needed > size) {
            break;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s %s", i > 0 ? ", " : "", name,
                                 at->values[which]);
        used = used < size ? used : size - 1;
    }
    if (i < differences->count) {
        snprintf(text + used, size - used, " and %d more", differences->count - i);
    }
}
