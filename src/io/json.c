// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Values of JSON: queries, makers and changes.

#include "io/json.h"

#include "io/settings_text.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { tg_manyMembers = 24 }; ///< more than these are found through a table

/// Before the items of a list or object.
typedef struct tgJsonRoom {
    int capacity;
    uint32_t slotCount; ///< a power of two, more than twice the members
    uint32_t* slots;    ///< index of a member + 1, by its key's hash; NULL while there is no table
} tgJsonRoom;

static tgJsonRoom* tgGetRoom(const tgJsonValue* parent)
{
    return parent->items != NULL ? (tgJsonRoom*)parent->items - 1 : NULL;
}

// ---- queries ----

bool tgJson_IsObject(const tgJsonValue* value)
{
    return value != NULL && value->kind == tg_jsonObject;
}

bool tgJson_IsList(const tgJsonValue* value)
{
    return value != NULL && value->kind == tg_jsonList;
}

bool tgJson_IsText(const tgJsonValue* value)
{
    return value != NULL && value->kind == tg_jsonText;
}

bool tgJson_IsNumber(const tgJsonValue* value)
{
    return value != NULL && value->kind == tg_jsonNumber;
}

bool tgJson_IsTrue(const tgJsonValue* value)
{
    return value != NULL && value->kind == tg_jsonBool && value->truth;
}

/// False where the text has a point or an exponent, or leaves the range.
static bool tgReadWhole(const char* text, long long* whole)
{
    bool isNegative = *text == '-';
    unsigned long long magnitude = 0, most = (unsigned long long)LLONG_MAX + (isNegative ? 1 : 0);
    for (const char* at = text + (isNegative ? 1 : 0); *at != '\0'; ++at) {
        unsigned digit = (unsigned)(*at - '0');
        if (digit > 9 || magnitude > (most - digit) / 10) {
            return false;
        }
        magnitude = 10 * magnitude + digit;
    }
    *whole = isNegative ? (long long)(0 - magnitude) : (long long)magnitude;
    return true;
}

bool tgJson_IsWhole(const tgJsonValue* value)
{
    long long whole = 0;
    return tgJson_IsNumber(value) && value->text != NULL && tgReadWhole(value->text, &whole);
}

const char* tgJson_GetString(const tgJsonValue* value)
{
    return tgJson_IsText(value) ? value->text : NULL;
}

double tgJson_GetNumber(const tgJsonValue* value)
{
    return tgJson_IsNumber(value) ? value->number : 0.0;
}

float tgJson_GetFloat(const tgJsonValue* value)
{
    return (float)tgJson_GetNumber(value);
}

long long tgJson_GetWhole(const tgJsonValue* value)
{
    long long whole = 0;
    bool isWhole =
        tgJson_IsNumber(value) && value->text != NULL && tgReadWhole(value->text, &whole);
    return isWhole ? whole : 0;
}

static uint32_t tgHashKey(const char* key, uint32_t slotCount)
{
    uint64_t hash = 0xcbf29ce484222325; // FNV-1a, of which the upper bits are the better ones
    for (; *key != '\0'; ++key) {
        hash = (hash ^ (unsigned char)*key) * 0x100000001b3;
    }
    return (uint32_t)((hash * 0x9e3779b97f4a7c15) >> 32) & (slotCount - 1);
}

/// Its index, -1 for none.
static int tgFindIndex(const tgJsonValue* object, const char* key)
{
    const tgJsonRoom* room = tgGetRoom(object);
    if (room == NULL || room->slots == NULL) {
        for (int i = 0; i < object->count; ++i) {
            const char* other = object->items[i]->key;
            if (other[0] == key[0] && strcmp(other, key) == 0) {
                return i;
            }
        }
        return -1;
    }
    uint32_t slot = tgHashKey(key, room->slotCount);
    for (; room->slots[slot] != 0; slot = (slot + 1) & (room->slotCount - 1)) {
        int index = (int)room->slots[slot] - 1;
        if (strcmp(object->items[index]->key, key) == 0) {
            return index;
        }
    }
    return -1;
}

tgJsonValue* tgJson_Find(const tgJsonValue* object, const char* key)
{
    int index = tgJson_IsObject(object) ? tgFindIndex(object, key) : -1;
    return index >= 0 ? object->items[index] : NULL;
}

size_t tgJson_CountItems(const tgJsonValue* list)
{
    return tgJson_IsList(list) ? (size_t)list->count : 0;
}

size_t tgJson_CountMembers(const tgJsonValue* object)
{
    return tgJson_IsObject(object) ? (size_t)object->count : 0;
}

tgJsonValue* tgJson_GetMember(const tgJsonValue* object, size_t i)
{
    return i < tgJson_CountMembers(object) ? object->items[i] : NULL;
}

tgJsonValue* tgJson_GetItem(const tgJsonValue* list, size_t i)
{
    return i < tgJson_CountItems(list) ? list->items[i] : NULL;
}

const tgJsonValue* tgJson_GetEach(const tgJsonValue* value, size_t i)
{
    return tgJson_IsList(value) ? tgJson_GetItem(value, i) : i == 0 ? value : NULL;
}

bool tgJson_IsSame(const tgJsonValue* a, const tgJsonValue* b)
{
    if (a == NULL || b == NULL || a->kind != b->kind || a->count != b->count) {
        return false;
    }
    switch (a->kind) {
    case tg_jsonNull:
        return true;
    case tg_jsonBool:
        return a->truth == b->truth;
    case tg_jsonNumber:
        return a->number == b->number && tgJson_GetWhole(a) == tgJson_GetWhole(b) &&
               tgJson_IsWhole(a) == tgJson_IsWhole(b);
    case tg_jsonText:
        return strcmp(a->text, b->text) == 0;
    case tg_jsonList:
    case tg_jsonObject:
        break;
    }
    for (int i = 0; i < a->count; ++i) {
        bool isList = a->kind == tg_jsonList;
        const tgJsonValue* other = isList ? b->items[i] : tgJson_Find(b, a->items[i]->key);
        if (!tgJson_IsSame(a->items[i], other)) {
            return false;
        }
    }
    return true;
}

// ---- making ----

static tgJsonValue* tgMakeValue(tgArena* arena, tgJsonKind kind)
{
    tgJsonValue* value = tgArena_Take(arena, 1, sizeof(tgJsonValue));
    if (value != NULL) {
        value->kind = kind;
    }
    return value;
}

static tgJsonValue* tgMakeParent(tgArena* arena, tgJsonKind kind)
{
    tgJsonValue* value = tgMakeValue(arena, kind);
    if (value != NULL) {
        value->arena = arena;
    }
    return value;
}

tgJsonValue* tgMakeJsonObject(tgArena* arena)
{
    return tgMakeParent(arena, tg_jsonObject);
}

tgJsonValue* tgMakeJsonList(tgArena* arena)
{
    return tgMakeParent(arena, tg_jsonList);
}

tgJsonValue* tgMakeJsonNull(tgArena* arena)
{
    return tgMakeValue(arena, tg_jsonNull);
}

tgJsonValue* tgMakeJsonBool(tgArena* arena, bool truth)
{
    tgJsonValue* value = tgMakeValue(arena, tg_jsonBool);
    if (value != NULL) {
        value->truth = truth;
    }
    return value;
}

tgJsonValue* tgMakeJsonWhole(tgArena* arena, long long whole)
{
    char text[24];
    int length = snprintf(text, sizeof(text), "%lld", whole);
    tgJsonValue* value = tgMakeValue(arena, tg_jsonNumber);
    char* copy = tgArena_CopyText(arena, text, (size_t)length);
    if (value == NULL || copy == NULL) {
        return NULL;
    }
    value->text = copy;
    value->number = (double)whole;
    return value;
}

tgJsonValue* tgMakeJsonNumber(tgArena* arena, double number)
{
    tgJsonValue* value = tgMakeValue(arena, isfinite(number) ? tg_jsonNumber : tg_jsonNull);
    if (value != NULL && isfinite(number)) {
        value->number = number;
    }
    return value;
}

tgJsonValue* tgMakeJsonText(tgArena* arena, const char* text)
{
    size_t length = strlen(text);
    tgJsonValue* value = tgMakeValue(arena, tg_jsonText);
    char* copy = tgArena_CopyText(arena, text, length);
    if (value == NULL || copy == NULL) {
        return NULL;
    }
    for (char* at = copy; at < copy + length;) {
        int size = tgMeasureUtf8(at, copy + length);
        *at = size == 0 ? '_' : *at;
        at += size == 0 ? 1 : size;
    }
    value->text = copy;
    return value;
}

tgJsonValue* tgMakeJsonFloats(tgArena* arena, const float* values, int count)
{
    tgJsonValue* list = tgMakeJsonList(arena);
    for (int i = 0; i < count; ++i) {
        double number = isfinite(values[i]) ? (double)values[i] : 0.0;
        if (!tgJson_Append(list, tgMakeJsonNumber(arena, number))) {
            return NULL;
        }
    }
    return list;
}

static bool tgAddItem(tgJsonValue* parent, tgJsonValue* value);

static bool tgCopyItems(tgJsonValue* copy, const tgJsonValue* parent)
{
    bool isWhole = parent->count == 0 || tgJson_Reserve(copy, parent->count);
    for (int i = 0; isWhole && i < parent->count; ++i) {
        const char* key = parent->items[i]->key;
        tgJsonValue* item = tgCopyJson(copy->arena, parent->items[i]);
        if (item != NULL && parent->kind == tg_jsonObject) {
            item->key = tgArena_CopyText(copy->arena, key, strlen(key));
        }
        isWhole = item != NULL && (parent->kind == tg_jsonList || item->key != NULL) &&
                  tgAddItem(copy, item);
    }
    return isWhole;
}

tgJsonValue* tgCopyJson(tgArena* arena, const tgJsonValue* value)
{
    if (value == NULL) {
        return NULL;
    }
    tgJsonValue* copy = tgMakeParent(arena, value->kind);
    if (copy == NULL) {
        return NULL;
    }
    if (value->kind == tg_jsonList || value->kind == tg_jsonObject) {
        return tgCopyItems(copy, value) ? copy : NULL;
    }
    copy->text = value->text;
    if (value->kind == tg_jsonBool) {
        copy->truth = value->truth;
    } else {
        copy->number = value->number;
    }
    if (value->text != NULL) {
        copy->text = tgArena_CopyText(arena, value->text, strlen(value->text));
    }
    return copy->text != NULL || value->text == NULL ? copy : NULL;
}

// ---- packing ----

/// va_list by pointer is not the same type everywhere, so it travels in a struct.
typedef struct tgPacker {
    tgArena* arena;
    const char* at; ///< in the format
    va_list arguments;
} tgPacker;

static void tgSkipSigns(tgPacker* packer)
{
    packer->at += strspn(packer->at, " ,:");
}

static tgJsonValue* tgPackValue(tgPacker* packer);

static tgJsonValue* tgPackItems(tgPacker* packer, bool isObject)
{
    char closing = isObject ? '}' : ']';
    tgJsonValue* parent = tgMakeParent(packer->arena, isObject ? tg_jsonObject : tg_jsonList);
    bool isWhole = parent != NULL;
    packer->at += 1;
    for (tgSkipSigns(packer); *packer->at != closing; tgSkipSigns(packer)) {
        const char* key = NULL;
        if (isObject) {
            packer->at += 1; // s
            key = va_arg(packer->arguments, const char*);
            tgSkipSigns(packer);
        }
        tgJsonValue* value = tgPackValue(packer);
        isWhole &= isObject ? tgJson_Set(parent, key, value) : tgJson_Append(parent, value);
    }
    packer->at += 1;
    return isWhole ? parent : NULL;
}

static tgJsonValue* tgPackText(tgPacker* packer)
{
    const char* text = va_arg(packer->arguments, const char*);
    if (*packer->at == '?') {
        packer->at += 1;
    }
    return text != NULL ? tgMakeJsonText(packer->arena, text) : tgMakeJsonNull(packer->arena);
}

static tgJsonValue* tgPackValue(tgPacker* packer)
{
    if (*packer->at == '{' || *packer->at == '[') {
        return tgPackItems(packer, *packer->at == '{');
    }
    switch (*packer->at++) {
    case 's':
        return tgPackText(packer);
    case 'i':
        return tgMakeJsonWhole(packer->arena, va_arg(packer->arguments, int));
    case 'I':
        return tgMakeJsonWhole(packer->arena, va_arg(packer->arguments, long long));
    case 'f':
        return tgMakeJsonNumber(packer->arena, va_arg(packer->arguments, double));
    case 'b':
        return tgMakeJsonBool(packer->arena, va_arg(packer->arguments, int) != 0);
    default: // o
        return va_arg(packer->arguments, tgJsonValue*);
    }
}

tgJsonValue* tgPackJson(tgArena* arena, const char* format, ...)
{
    tgPacker packer = {.arena = arena, .at = format};
    va_start(packer.arguments, format);
    tgJsonValue* value = tgPackValue(&packer);
    va_end(packer.arguments);
    return value;
}

// ---- changing ----

bool tgJson_Reserve(tgJsonValue* parent, int count)
{
    tgJsonRoom* room = tgGetRoom(parent);
    if (room != NULL && room->capacity >= count) {
        return true;
    }
    size_t capacity = room != NULL ? 2 * (size_t)room->capacity : 0;
    capacity = capacity > (size_t)count ? capacity : (size_t)count;
    size_t size = sizeof(tgJsonRoom) + capacity * sizeof(tgJsonValue*);
    tgJsonRoom* larger = capacity < INT_MAX ? tgArena_Take(parent->arena, size, 1) : NULL;
    if (larger == NULL) {
        return false;
    }
    if (room != NULL) {
        *larger = *room;
    }
    larger->capacity = (int)capacity;
    tgJsonValue** items = (tgJsonValue**)(larger + 1);
    if (parent->count > 0) {
        memcpy(items, parent->items, (size_t)parent->count * sizeof(tgJsonValue*));
    }
    parent->items = items;
    return true;
}

static void tgEnterSlot(const tgJsonValue* object, int index)
{
    tgJsonRoom* room = tgGetRoom(object);
    uint32_t slot = tgHashKey(object->items[index]->key, room->slotCount);
    while (room->slots[slot] != 0) {
        slot = (slot + 1) & (room->slotCount - 1);
    }
    room->slots[slot] = (uint32_t)index + 1;
}

/// The last member into the table, which grows with them.
static bool tgEnterLast(tgJsonValue* object)
{
    tgJsonRoom* room = tgGetRoom(object);
    if (room->slots != NULL && room->slotCount / 2 > (uint32_t)object->count) {
        tgEnterSlot(object, object->count - 1);
        return true;
    }
    room->slotCount = 128;
    while (room->slotCount / 4 <= (uint32_t)object->count) {
        room->slotCount *= 2;
    }
    room->slots = tgArena_Take(object->arena, room->slotCount, sizeof(uint32_t));
    for (int i = 0; room->slots != NULL && i < object->count; ++i) {
        tgEnterSlot(object, i);
    }
    return room->slots != NULL;
}

static bool tgAddItem(tgJsonValue* parent, tgJsonValue* value)
{
    if (!tgJson_Reserve(parent, parent->count + 1)) {
        return false;
    }
    parent->items[parent->count++] = value;
    bool needsTable = parent->kind == tg_jsonObject && parent->count > tg_manyMembers;
    return !needsTable || tgEnterLast(parent);
}

static void tgRemoveAt(tgJsonValue* parent, int index)
{
    tgGetRoom(parent)->slots = NULL; // the next that is added makes it anew
    parent->count -= 1;
    memmove(parent->items + index, parent->items + index + 1,
            (size_t)(parent->count - index) * sizeof(tgJsonValue*));
}

tgJsonValue* tgJson_AddNew(tgJsonValue* object, tgJsonValue* member, bool replaces)
{
    int index = tgFindIndex(object, member->key);
    if (index < 0) {
        return tgAddItem(object, member) ? member : NULL;
    }
    tgJsonValue* twin = object->items[index];
    object->items[index] = replaces ? member : twin;
    return replaces ? member : twin;
}

bool tgJson_Set(tgJsonValue* object, const char* key, tgJsonValue* value)
{
    if (!tgJson_IsObject(object) || value == NULL) {
        return false;
    }
    int index = tgFindIndex(object, key);
    if (index >= 0) {
        value->key = object->items[index]->key;
        object->items[index] = value;
        return true;
    }
    value->key = tgArena_CopyText(object->arena, key, strlen(key));
    return value->key != NULL && tgAddItem(object, value);
}

bool tgJson_Append(tgJsonValue* list, tgJsonValue* value)
{
    return tgJson_IsList(list) && value != NULL && tgAddItem(list, value);
}

bool tgJson_Merge(tgJsonValue* object, const tgJsonValue* from)
{
    bool isWhole = tgJson_IsObject(object) && tgJson_IsObject(from);
    for (int i = 0; isWhole && i < from->count; ++i) {
        isWhole = tgJson_Set(object, from->items[i]->key, from->items[i]);
    }
    return isWhole;
}

void tgJson_Remove(tgJsonValue* object, const char* key)
{
    int index = tgJson_IsObject(object) ? tgFindIndex(object, key) : -1;
    if (index >= 0) {
        tgRemoveAt(object, index);
    }
}

void tgJson_RemoveItem(tgJsonValue* list, size_t i)
{
    if (i < tgJson_CountItems(list)) {
        tgRemoveAt(list, (int)i);
    }
}
