// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Images of a glTF: their encoded bytes, for the writer, and a look at those in other files when
// the document is read, so that what will not be carried over is told.

#include "io/gltf_image.h"

#include "core/core.h"
#include "io/gltf_read.h"
#include "io/gltf_uri.h"

#include <stdlib.h>
#include <string.h>

const char* tgGetImageType(const uint8_t* bytes, size_t size)
{
    static const struct {
        const char* type;
        size_t at, size;
        const char* mark;
    } marks[] = {
        {"image/png", 0, 4, "\x89PNG"},     {"image/jpeg", 0, 3, "\xff\xd8\xff"},
        {"image/webp", 8, 4, "WEBP"},       {"image/ktx2", 1, 6, "KTX 20"},
        {"image/vnd-ms.dds", 0, 4, "DDS "}, {"image/avif", 4, 8, "ftypavif"},
    };
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); ++i) {
        if (size >= marks[i].at + marks[i].size &&
            memcmp(bytes + marks[i].at, marks[i].mark, marks[i].size) == 0) {
            return marks[i].type;
        }
    }
    return NULL;
}

/// @param most bytes; of a file no more are read
static tgResult tgReadImageUri(const tgGltfSource* source, const char* uri, const char* place,
                               size_t most, uint8_t** bytes, size_t* size, tgError* error)
{
    tgResult result = tgReadUri(uri, &source->root, place, most, bytes, size, error);
    if (result != tg_success || tgIsDataUri(uri)) {
        return result;
    }
    // Whatever else lies there is not ours to pass on.
    if (tgGetImageType(*bytes, *size) == NULL) {
        free(*bytes);
        *bytes = NULL;
        tgPlace name = tgShortenText(uri);
        return tgFail(error, tg_unsupported, -1,
                      "%s: file \"%s\" is no PNG, JPEG, WebP, KTX, DDS or AVIF image", place,
                      name.text);
    }
    return tg_success;
}

tgResult tgGltfSource_ReadImage(const tgGltfSource* source, int index, uint8_t** bytes,
                                size_t* size, tgError* error)
{
    tgPlace place = tgMakePlace("images[%d]", index);
    const tgJsonValue* images = tgJson_Find(source->document, "images");
    const tgJsonValue* image = index >= 0 ? tgJson_GetItem(images, (size_t)index) : NULL;
    const char* uri = NULL;
    int view = -1;
    size_t viewCount = tgJson_CountItems(tgJson_Find(source->document, "bufferViews"));
    tgResult result = tgJson_GetText(image, "uri", place.text, &uri, error);
    if (result == tg_success) {
        result = tgJson_GetIndex(image, "bufferView", place.text, viewCount, &view, error);
    }
    if (result != tg_success) {
        return result;
    }
    if (uri != NULL) {
        return tgReadImageUri(source, uri, place.text, tg_largestBeside, bytes, size, error);
    }
    if (view < 0) {
        return tgFail(error, tg_invalidMesh, -1, "%s has neither uri nor bufferView", place.text);
    }
    const uint8_t* data = NULL;
    result = tgGltfSource_GetBufferView(source, view, &data, size, NULL, error);
    if (result != tg_success) {
        return result;
    }
    *bytes = malloc(*size + 1);
    if (*bytes == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "%s: not enough memory", place.text);
    }
    memcpy(*bytes, data, *size);
    return tg_success;
}

tgResult tgReadGltfImages(tgGltfReader* reader, tgError* error)
{
    const tgJsonValue* images = tgJson_Find(reader->source->document, "images");
    int missingCount = 0;
    tgError first = {0};
    const tgJsonValue* image = NULL;
    for (size_t index = 0; (image = tgJson_GetItem(images, index)) != NULL; ++index) {
        tgPlace place = tgMakePlace("images[%zu]", index);
        const char* uri = tgJson_GetString(tgJson_Find(image, "uri"));
        if (uri == NULL || tgIsDataUri(uri) || reader->source->root.folder == NULL) {
            continue;
        }
        uint8_t* bytes = NULL;
        size_t size = 0;
        tgError reason = {0};
        tgResult result = tgReadImageUri(reader->source, uri, place.text, tg_imageMarkSize, &bytes,
                                         &size, &reason);
        free(bytes);
        if (result == tg_outOfMemory) {
            return tgFail(error, result, -1, "%s", reason.message);
        }
        if (result != tg_success) {
            first = missingCount == 0 ? reason : first;
            missingCount += 1;
        }
    }
    if (missingCount > 1) {
        tgScene_Warn(reader->scene, "%d images are not written into any output; %s", missingCount,
                     first.message);
    } else if (missingCount == 1) {
        tgScene_Warn(reader->scene, "%s; it is not written into any output", first.message);
    }
    return tg_success;
}
