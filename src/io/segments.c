// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The segments file: which markers are on which part of the body, and what it hangs on. JSON with
// places, so that a wrong name is told with its line and column.

#include "core/core.h"
#include "io/gltf_uri.h"
#include "io/settings_private.h"
#include "io/settings_text.h"
#include "turgor/markers.h"

#include <stdlib.h>
#include <string.h>

struct tgSegmentsMemory {
    tgArena arena;
};

typedef struct tgSegmentsReader {
    tgSegments* segments;
    tgSegment* list;
    const tgMarkers* markers;
    tgError* error;
} tgSegmentsReader;

static const char* const tg_fileKeys[] = {"turgor", "segments", NULL};
static const char* const tg_segmentKeys[] = {"name", "parent", "markers", "joint",
                                             "near", "end",    NULL};
static const char* const tg_jointKinds[] = {"auto", "ball", "hinge", NULL};

static tgResult tgExpect(const tgSegmentsReader* reader, const tgJsonValue* value, const char* what,
                         const char* wanted)
{
    return tgFailAt(reader->error, tg_invalidArgument, value->place, "%s is %s, expected %s", what,
                    tgDescribeJson(value).text, wanted);
}

/// A name that is not there, with the nearest that is.
static tgResult tgFailName(const tgSegmentsReader* reader, tgJsonPlace place, const char* what,
                           const char* name, const char* nearest)
{
    return tgFailAt(reader->error, tg_invalidArgument, place, "there is no %s %s%s%s", what,
                    tgMakeQuote(name).text, nearest != NULL ? ", perhaps " : "",
                    nearest != NULL ? tgMakeQuote(nearest).text : "");
}

static tgResult tgCheckNames(const tgSegmentsReader* reader, const tgJsonValue* object,
                             const char* const* keys)
{
    for (int at = 0; at < object->count; ++at) {
        const tgJsonValue* member = object->items[at];
        tgNearest nearest = {.word = member->key};
        int i = 0;
        while (keys[i] != NULL && strcmp(keys[i], member->key) != 0) {
            tgNearest_Try(&nearest, keys[i++]);
        }
        if (keys[i] == NULL) {
            return tgFailName(reader, member->keyPlace, "key", member->key, nearest.best);
        }
    }
    return tg_success;
}

/// A list of markers' names to their indices.
static tgResult tgReadMarkerList(const tgSegmentsReader* reader, const tgJsonValue* object,
                                 const char* key, const int** indices, int* count)
{
    const tgJsonValue* value = tgFindMember(object, key);
    if (value == NULL) {
        return tg_success;
    }
    if (value->kind != tg_jsonList || value->count == 0) {
        return tgExpect(reader, value, key, "a list of markers' names");
    }
    int* list = tgArena_Take(&reader->segments->memory->arena, (size_t)value->count, sizeof(int));
    if (list == NULL) {
        return tgFail(reader->error, tg_outOfMemory, -1, "no memory for the segments");
    }
    for (int at = 0; at < value->count; ++at) {
        const tgJsonValue* item = value->items[at];
        if (item->kind != tg_jsonText) {
            return tgExpect(reader, item, "a marker", "its name");
        }
        int index = tgMarkers_Find(reader->markers, item->text);
        if (index < 0) {
            tgNearest nearest = {.word = item->text};
            for (int i = 0; i < reader->markers->markerCount; ++i) {
                tgNearest_Try(&nearest, reader->markers->names[i]);
            }
            return tgFailName(reader, item->place, "marker", item->text, nearest.best);
        }
        for (int i = 0; i < *count; ++i) {
            if (list[i] == index) {
                return tgFailAt(reader->error, tg_invalidArgument, item->place,
                                "the marker %s is in the list twice", tgMakeQuote(item->text).text);
            }
        }
        list[(*count)++] = index;
    }
    *indices = list;
    return tg_success;
}

static tgResult tgReadSegmentName(const tgSegmentsReader* reader, const tgJsonValue* object,
                                  tgSegment* segment)
{
    const tgJsonValue* value = tgFindMember(object, "name");
    if (value == NULL || value->kind != tg_jsonText || value->text[0] == '\0') {
        return tgExpect(reader, value != NULL ? value : object, "the name of a segment", "a text");
    }
    char* name = tgArena_Take(&reader->segments->memory->arena, strlen(value->text) + 1, 1);
    if (name == NULL) {
        return tgFail(reader->error, tg_outOfMemory, -1, "no memory for the segments");
    }
    segment->name = strcpy(name, value->text);
    for (int i = 0; i < reader->segments->segmentCount; ++i) {
        if (strcmp(reader->list[i].name, name) == 0) {
            return tgFailAt(reader->error, tg_invalidArgument, value->place,
                            "a second segment is called %s", tgMakeQuote(name).text);
        }
    }
    return tg_success;
}

static tgResult tgReadSegmentParent(const tgSegmentsReader* reader, const tgJsonValue* object,
                                    tgSegment* segment)
{
    const tgJsonValue* value = tgFindMember(object, "parent");
    if (value == NULL || value->kind == tg_jsonNull) {
        return reader->segments->segmentCount == 0
                   ? tg_success
                   : tgFailAt(reader->error, tg_invalidArgument, object->place,
                              "the segment %s has no parent; only the first may have none",
                              tgMakeQuote(segment->name).text);
    }
    if (value->kind != tg_jsonText) {
        return tgExpect(reader, value, "parent", "the name of a segment");
    }
    tgNearest nearest = {.word = value->text};
    for (int i = 0; i < reader->segments->segmentCount; ++i) {
        if (strcmp(reader->list[i].name, value->text) == 0) {
            segment->parent = i;
        }
        tgNearest_Try(&nearest, reader->list[i].name);
    }
    if (segment->parent < 0) {
        return tgFailName(reader, value->place, "segment before this one that is called",
                          value->text, nearest.best);
    }
    const tgSegment* parent = &reader->list[segment->parent];
    if (parent->markerCount < 3) {
        return tgFailAt(reader->error, tg_invalidArgument, value->place,
                        "the parent %s has %d markers, expected 3 or more",
                        tgMakeQuote(parent->name).text, parent->markerCount);
    }
    return tg_success;
}

static tgResult tgReadJointKind(const tgSegmentsReader* reader, const tgJsonValue* object,
                                tgSegment* segment)
{
    const tgJsonValue* value = tgFindMember(object, "joint");
    if (value == NULL) {
        return tg_success;
    }
    for (int i = 0; value->kind == tg_jsonText && tg_jointKinds[i] != NULL; ++i) {
        if (strcmp(value->text, tg_jointKinds[i]) == 0) {
            segment->kind = (tgJointKind)i;
            return tg_success;
        }
    }
    return tgExpect(reader, value, "joint", "\"auto\", \"ball\" or \"hinge\"");
}

static tgResult tgReadSegment(tgSegmentsReader* reader, const tgJsonValue* object)
{
    if (object->kind != tg_jsonObject) {
        return tgExpect(reader, object, "a segment", "an object {...}");
    }
    tgSegment segment = {.parent = -1};
    tgResult result = tgCheckNames(reader, object, tg_segmentKeys);
    if (result == tg_success) {
        result = tgReadSegmentName(reader, object, &segment);
    }
    if (result == tg_success && tgFindMember(object, "markers") == NULL) {
        return tgFailAt(reader->error, tg_invalidArgument, object->place,
                        "the segment %s has no markers", tgMakeQuote(segment.name).text);
    }
    if (result == tg_success) {
        result =
            tgReadMarkerList(reader, object, "markers", &segment.markers, &segment.markerCount);
    }
    if (result == tg_success) {
        result = tgReadMarkerList(reader, object, "near", &segment.near, &segment.nearCount);
    }
    if (result == tg_success) {
        result = tgReadMarkerList(reader, object, "end", &segment.end, &segment.endCount);
    }
    if (result == tg_success) {
        result = tgReadSegmentParent(reader, object, &segment);
    }
    if (result == tg_success) {
        result = tgReadJointKind(reader, object, &segment);
    }
    if (result == tg_success) {
        reader->list[reader->segments->segmentCount++] = segment;
    }
    return result;
}

static tgResult tgReadSegments(tgSegmentsReader* reader, const tgJsonValue* root)
{
    if (root->kind != tg_jsonObject) {
        return tgExpect(reader, root, "the file", "an object {...}");
    }
    tgResult result = tgCheckNames(reader, root, tg_fileKeys);
    const tgJsonValue* version = tgFindMember(root, "turgor");
    if (result == tg_success && version != NULL &&
        (version->kind != tg_jsonNumber || tgJson_GetFloat(version) != 1.0f)) {
        return tgExpect(reader, version, "turgor", "1, the version of the segments file");
    }
    const tgJsonValue* list = tgFindMember(root, "segments");
    if (result == tg_success && (list == NULL || list->kind != tg_jsonList || list->count == 0)) {
        return tgExpect(reader, list != NULL ? list : root, list != NULL ? "segments" : "the file",
                        "a list of segments: {\"segments\": [{...}]}");
    }
    if (result != tg_success) {
        return result;
    }
    tgArena* arena = &reader->segments->memory->arena;
    reader->list = tgArena_Take(arena, (size_t)list->count, sizeof(tgSegment));
    if (reader->list == NULL) {
        return tgFail(reader->error, tg_outOfMemory, -1, "no memory for the segments");
    }
    reader->segments->segments = reader->list;
    for (int at = 0; at < list->count && result == tg_success; ++at) {
        const tgJsonValue* item = list->items[at];
        result = tgReadSegment(reader, item);
    }
    return result;
}

static tgSegments* tgCreateSegments(void)
{
    tgSegments* segments = calloc(1, sizeof(tgSegments));
    struct tgSegmentsMemory* memory = calloc(1, sizeof(struct tgSegmentsMemory));
    if (segments == NULL || memory == NULL) {
        free(segments);
        free(memory);
        return NULL;
    }
    segments->memory = memory;
    return segments;
}

void tgDestroySegments(tgSegments* segments)
{
    if (segments != NULL) {
        tgArena_Free(&segments->memory->arena);
        free(segments->memory);
        free(segments);
    }
}

tgSegments* tgParseSegments(const char* text, size_t size, const tgMarkers* markers, tgError* error)
{
    tgArena arena = {0};
    const tgJsonValue* root = tgParseJson(text, size, &arena, error);
    tgSegments* segments = NULL;
    if (root != NULL) {
        segments = tgCreateSegments();
        tgSegmentsReader reader = {.segments = segments, .markers = markers, .error = error};
        tgResult result = segments != NULL
                              ? tgReadSegments(&reader, root)
                              : tgFail(error, tg_outOfMemory, -1, "no memory for the segments");
        if (result != tg_success) {
            tgDestroySegments(segments);
            segments = NULL;
        }
    }
    tgArena_Free(&arena);
    return segments;
}

tgSegments* tgLoadSegments(const char* path, const tgMarkers* markers, tgError* error)
{
    uint8_t* bytes = NULL;
    size_t size = 0;
    if (tgReadFile(path, tg_largestFile, &bytes, &size, error) != tg_success) {
        return NULL;
    }
    tgSegments* segments = tgParseSegments((const char*)bytes, size, markers, error);
    free(bytes);
    return segments;
}
