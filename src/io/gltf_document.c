// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The container of a glTF 2.0: GLB chunks (section 4 of the specification), the JSON, the
// extensions it cannot be read without, buffers, buffer views and images.

#include "io/gltf_document.h"

#include "core/core.h"
#include "io/gltf_json.h"
#include "io/gltf_uri.h"

#include <stdlib.h>
#include <string.h>

enum {
    tg_glbHeaderSize = 12,
    tg_chunkHeaderSize = 8,
    tg_longestStride = 1 << 20, ///< the specification says 252; larger ones are harmless
    tg_valueSize = sizeof(tgJsonValue) + sizeof(tgJsonValue*),
    tg_parentSize = tg_valueSize + 32,
};

static const uint32_t tg_glbMagic = 0x46546c67;  // "glTF"
static const uint32_t tg_chunkJson = 0x4e4f534a; // "JSON"
static const uint32_t tg_chunkBinary = 0x004e4942;

/// Parts of the file: the JSON text and, in a GLB, the binary chunk.
typedef struct tgGltfChunks {
    const uint8_t* json;
    size_t jsonSize;
    const uint8_t* binary;
    size_t binarySize;
    bool isBinary;
} tgGltfChunks;

/// What three.js takes too, but no deeper than any document needs. A GLB counts up to 4 GiB.
static const tgJsonRules tg_gltfRules = {
    .name = "JSON",
    .largest = (size_t)1 << 30,
    .deepest = 256,
    .takesLastOfTwins = true,
};

static uint32_t tgLoad32(const uint8_t* bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static tgResult tgSplitGlb(const uint8_t* file, size_t size, tgGltfChunks* chunks, tgError* error)
{
    uint32_t version = tgLoad32(file + 4);
    size_t length = tgLoad32(file + 8);
    if (version != 2) {
        return tgFail(error, tg_unsupported, -1, "glTF version %u, expected 2", version);
    }
    if (length > size) {
        return tgFail(error, tg_ioError, -1, "truncated: %zu of %zu bytes are there", size, length);
    }
    for (size_t at = tg_glbHeaderSize; at + tg_chunkHeaderSize <= length;) {
        size_t chunkSize = tgLoad32(file + at);
        uint32_t type = tgLoad32(file + at + 4);
        at += tg_chunkHeaderSize;
        if (chunkSize > length - at) {
            return tgFail(error, tg_ioError, -1, "a chunk of %zu bytes at byte %zu, %zu are left",
                          chunkSize, at, length - at);
        }
        if (type == tg_chunkJson && chunks->json == NULL) {
            chunks->json = file + at;
            chunks->jsonSize = chunkSize;
        } else if (type == tg_chunkBinary && chunks->binary == NULL) {
            chunks->binary = file + at;
            chunks->binarySize = chunkSize;
        }
        at += chunkSize;
    }
    if (chunks->json == NULL) {
        return tgFail(error, tg_ioError, -1, "the GLB has no JSON chunk");
    }
    return tg_success;
}

static tgResult tgSplitFile(const uint8_t* file, size_t size, tgGltfChunks* chunks, tgError* error)
{
    *chunks = (tgGltfChunks){0};
    if (size >= tg_glbHeaderSize && tgLoad32(file) == tg_glbMagic) {
        chunks->isBinary = true;
        tgResult result = tgSplitGlb(file, size, chunks, error);
        if (result != tg_success) {
            return result;
        }
    } else {
        size_t markSize = size >= 3 && memcmp(file, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        chunks->json = file + markSize;
        chunks->jsonSize = size - markSize;
    }
    // Some writers pad with zero bytes where the specification wants spaces.
    while (chunks->jsonSize > 0 && chunks->json[chunks->jsonSize - 1] == '\0') {
        chunks->jsonSize -= 1;
    }
    size_t first = 0;
    while (first < chunks->jsonSize && strchr(" \t\r\n", chunks->json[first]) != NULL &&
           chunks->json[first] != '\0') {
        first += 1;
    }
    if (first == chunks->jsonSize || chunks->json[first] != '{') {
        return tgFail(error, tg_ioError, -1, "not a glTF: neither a GLB nor a JSON object");
    }
    return tg_success;
}

/// About what the document will take: a struct for each value, its place in the list or object
/// above it, and what every list and object has beside. So much that it alone would unfold too far
/// is refused before any of it is made.
static tgResult tgCheckJson(tgGltfSource* source, const tgGltfChunks* chunks, int mostUnfolding,
                            tgError* error)
{
    uint64_t memory = 0, count = 0;
    bool isText = false;
    for (size_t i = 0; i < chunks->jsonSize; ++i) {
        uint8_t c = chunks->json[i];
        i += isText && c == '\\' ? 1 : 0;
        isText = c == '"' ? !isText : isText;
        uint64_t size = c == '{' || c == '[' ? tg_parentSize : c == ',' ? tg_valueSize : 0;
        memory += isText ? 0 : size;
        count += !isText && size > 0 ? 1 : 0;
    }
    source->jsonMemory = memory;
    uint64_t most = tg_freeMemory + (uint64_t)mostUnfolding * chunks->jsonSize;
    return memory <= most ? tg_success
                          : tgFail(error, tg_invalidMesh, -1,
                                   "%llu values in its JSON are too many for a file of this size; "
                                   "--max-unfolding allows more",
                                   (unsigned long long)count);
}

static tgResult tgReadDocument(tgGltfSource* source, const tgGltfChunks* chunks, int mostUnfolding,
                               tgError* error)
{
    tgResult result = tgCheckJson(source, chunks, mostUnfolding, error);
    if (result != tg_success) {
        return result;
    }
    tgError reason = {0};
    source->document = tgReadJson((const char*)chunks->json, chunks->jsonSize, &tg_gltfRules,
                                  &source->arena, &reason);
    if (source->document == NULL) {
        if (reason.code == tg_outOfMemory) {
            return tgFail(error, tg_outOfMemory, -1, "not enough memory for the JSON");
        }
        return tgFail(error, tg_ioError, -1, "JSON %s", reason.message);
    }
    return tg_success;
}

/// So that nothing later needs to ask: the arrays of the document are arrays of objects.
static tgResult tgCheckArrays(const tgJsonValue* document, tgError* error)
{
    static const char* const keys[] = {
        "accessors", "animations", "buffers",  "bufferViews", "cameras", "images",   "materials",
        "meshes",    "nodes",      "samplers", "scenes",      "skins",   "textures",
    };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); ++i) {
        const tgJsonValue* array = NULL;
        tgResult result = tgJson_GetArray(document, keys[i], "", &array, error);
        if (result != tg_success) {
            return result;
        }
        const tgJsonValue* element = NULL;
        for (size_t index = 0; (element = tgJson_GetItem(array, index)) != NULL; ++index) {
            if (!tgJson_IsObject(element)) {
                return tgFail(error, tg_invalidMesh, -1, "%s[%zu] is %s, expected an object",
                              keys[i], index, tgJson_GetTypeName(element));
            }
        }
    }
    return tg_success;
}

/// Extensions that change nothing about positions, weights and poses are carried over unread.
static bool tgIsReadable(const char* extension)
{
    static const char* const prefixes[] = {
        "KHR_materials_", "KHR_lights_", "EXT_lights_", "ADOBE_materials_", "KHR_xmp",
    };
    static const char* const names[] = {
        "KHR_mesh_quantization", "KHR_texture_transform", "EXT_texture_webp",
        "EXT_texture_avif",      "MSFT_texture_dds",
    };
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); ++i) {
        if (strncmp(extension, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
        if (strcmp(extension, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static tgResult tgCheckVersion(const tgJsonValue* document, tgError* error)
{
    const tgJsonValue* asset = NULL;
    const char* version = "2.0";
    const char* wanted = "2.0";
    tgResult result = tgJson_GetObject(document, "asset", "", &asset, error);
    if (result == tg_success) {
        result = tgJson_GetText(asset, "version", "asset", &version, error);
    }
    if (result == tg_success) {
        result = tgJson_GetText(asset, "minVersion", "asset", &wanted, error);
    }
    if (result == tg_success && (strncmp(version, "2.", 2) != 0 || strcmp(wanted, "2.0") != 0)) {
        tgPlace found = tgShortenText(strcmp(wanted, "2.0") != 0 ? wanted : version);
        return tgFail(error, tg_unsupported, -1, "glTF version \"%s\", expected 2.0", found.text);
    }
    return result;
}

static tgResult tgCheckExtensions(const tgJsonValue* document, tgError* error)
{
    const tgJsonValue* required = NULL;
    tgResult result = tgJson_GetArray(document, "extensionsRequired", "", &required, error);
    if (result != tg_success) {
        return result;
    }
    const tgJsonValue* element = NULL;
    for (size_t index = 0; (element = tgJson_GetItem(required, index)) != NULL; ++index) {
        if (!tgJson_IsText(element)) {
            return tgFail(error, tg_invalidMesh, -1,
                          "extensionsRequired[%zu] is %s, expected a text", index,
                          tgJson_GetTypeName(element));
        }
        if (!tgIsReadable(tgJson_GetString(element))) {
            tgPlace name = tgShortenText(tgJson_GetString(element));
            return tgFail(error, tg_unsupported, -1,
                          "the file needs the extension %s, which is not supported", name.text);
        }
    }
    return tg_success;
}

static tgResult tgReadBuffer(tgGltfSource* source, const tgJsonValue* json, int index,
                             const tgGltfChunks* chunks, tgError* error)
{
    tgPlace place = tgMakePlace("buffers[%d]", index);
    tgGltfBuffer* buffer = &source->buffers[index];
    const char* uri = NULL;
    size_t declared = SIZE_MAX;
    tgResult result = tgJson_GetText(json, "uri", place.text, &uri, error);
    if (result == tg_success) {
        result = tgJson_GetSize(json, "byteLength", place.text, &declared, error);
    }
    if (result != tg_success) {
        return result;
    }
    size_t size = 0;
    if (uri != NULL) {
        if (!tgIsDataUri(uri) && declared != SIZE_MAX && declared > tg_largestBeside) {
            return tgFail(error, tg_unsupported, -1,
                          "%s wants %zu bytes of another file, expected at most %zu; a .glb may "
                          "hold more",
                          place.text, declared, tg_largestBeside);
        }
        size_t most = declared < tg_largestBeside ? declared : tg_largestBeside;
        uint8_t* bytes = NULL;
        result = tgReadUri(uri, &source->root, place.text, most, &bytes, &size, error);
        if (result != tg_success) {
            return result;
        }
        buffer->data = bytes;
        buffer->memory = bytes;
    } else if (index == 0 && chunks->binary != NULL) {
        buffer->data = chunks->binary;
        size = chunks->binarySize;
    } else {
        return tg_success; // without bytes; whoever needs them says so
    }
    if (declared == SIZE_MAX) {
        return tgFail(error, tg_invalidMesh, -1, "%s has no byteLength", place.text);
    }
    if (declared > size) {
        return tgFail(error, tg_ioError, -1, "%s holds %zu bytes, its byteLength says %zu",
                      place.text, size, declared);
    }
    buffer->size = declared;
    return tg_success;
}

static tgResult tgReadBuffers(tgGltfSource* source, const tgGltfChunks* chunks, tgError* error)
{
    const tgJsonValue* buffers = tgJson_Find(source->document, "buffers");
    size_t count = tgJson_CountItems(buffers);
    source->buffers = calloc(count + 1, sizeof(tgGltfBuffer));
    if (source->buffers == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "not enough memory for %zu buffers", count);
    }
    source->bufferCount = (int)count;
    for (int i = 0; i < source->bufferCount; ++i) {
        const tgJsonValue* json = tgJson_GetItem(buffers, (size_t)i);
        tgResult result = tgReadBuffer(source, json, i, chunks, error);
        if (result != tg_success) {
            return result;
        }
    }
    return tg_success;
}

static tgResult tgFillSource(tgGltfSource* source, size_t size, int mostUnfolding, tgError* error)
{
    tgGltfChunks chunks;
    tgResult result = tgSplitFile(source->file, size, &chunks, error);
    if (result == tg_success) {
        source->isBinary = chunks.isBinary;
        result = tgReadDocument(source, &chunks, mostUnfolding, error);
    }
    if (result == tg_success) {
        result = tgCheckVersion(source->document, error);
    }
    if (result == tg_success) {
        result = tgCheckExtensions(source->document, error);
    }
    if (result == tg_success) {
        result = tgCheckArrays(source->document, error);
    }
    if (result == tg_success) {
        result = tgReadBuffers(source, &chunks, error);
    }
    if (result == tg_success && chunks.binary == NULL) {
        free(source->file);
        source->file = NULL;
    }
    return result;
}

tgGltfSource* tgOpenGltfSource(uint8_t* file, size_t size, const tgFileRoot* root,
                               int mostUnfolding, tgError* error)
{
    tgGltfSource* source = calloc(1, sizeof(*source));
    size_t folderSize = root->folder != NULL ? strlen(root->folder) + 1 : 0;
    char* folder = root->folder != NULL ? malloc(folderSize) : NULL;
    if (source == NULL || (root->folder != NULL && folder == NULL)) {
        free(source);
        free(folder);
        free(file);
        tgFail(error, tg_outOfMemory, -1, "not enough memory");
        return NULL;
    }
    if (folder != NULL) {
        memcpy(folder, root->folder, folderSize);
    }
    source->file = file;
    source->folder = folder;
    source->root = (tgFileRoot){folder, root->allowOutside};
    if (tgFillSource(source, size, mostUnfolding, error) != tg_success) {
        tgDestroyGltfSource(source);
        return NULL;
    }
    return source;
}

void tgGltfSource_Forget(tgGltfSource* source)
{
    free(source->sceneNodes);
    free(source->gltfNodes);
    free(source->parts);
    source->sceneNodes = NULL;
    source->gltfNodes = NULL;
    source->parts = NULL;
    source->nodeCount = 0;
    source->partCount = 0;
}

void tgDestroyGltfSource(tgGltfSource* source)
{
    if (source == NULL) {
        return;
    }
    for (int i = 0; i < source->bufferCount; ++i) {
        free(source->buffers[i].memory);
    }
    free(source->buffers);
    tgGltfSource_Forget(source);
    free(source->folder);
    free(source->file);
    tgArena_Free(&source->arena);
    free(source);
}

bool tgGltfHasExtension(const tgJsonValue* object, const char* name)
{
    return tgJson_Find(tgJson_Find(object, "extensions"), name) != NULL;
}

tgResult tgGltfSource_GetBufferView(const tgGltfSource* source, int index, const uint8_t** data,
                                    size_t* size, int* stride, tgError* error)
{
    tgPlace place = tgMakePlace("bufferViews[%d]", index);
    const tgJsonValue* views = tgJson_Find(source->document, "bufferViews");
    const tgJsonValue* view = index >= 0 ? tgJson_GetItem(views, (size_t)index) : NULL;
    if (view == NULL) {
        return tgFail(error, tg_invalidMesh, -1, "%s does not exist", place.text);
    }
    if (tgGltfHasExtension(view, "EXT_meshopt_compression") ||
        tgGltfHasExtension(view, "KHR_meshopt_compression")) {
        return tgFail(error, tg_unsupported, -1,
                      "%s is compressed with EXT_meshopt_compression, which is not supported",
                      place.text);
    }
    int buffer = -1;
    size_t offset = 0;
    size_t length = 0;
    size_t step = 0;
    tgResult result =
        tgJson_GetIndex(view, "buffer", place.text, (size_t)source->bufferCount, &buffer, error);
    if (result == tg_success) {
        result = tgJson_GetSize(view, "byteOffset", place.text, &offset, error);
    }
    if (result == tg_success) {
        result = tgJson_GetSize(view, "byteLength", place.text, &length, error);
    }
    if (result == tg_success) {
        result = tgJson_GetSize(view, "byteStride", place.text, &step, error);
    }
    if (result != tg_success) {
        return result;
    }
    if (buffer < 0 || step > tg_longestStride) {
        return tgFail(error, tg_invalidMesh, -1, "%s has no buffer, or a byteStride of %zu",
                      place.text, step);
    }
    const tgGltfBuffer* bytes = &source->buffers[buffer];
    if (bytes->data == NULL) {
        return tgFail(error, tg_ioError, -1, "buffers[%d] has no data", buffer);
    }
    if (offset > bytes->size || length > bytes->size - offset) {
        return tgFail(error, tg_invalidMesh, -1,
                      "%s spans bytes %zu to %zu + %zu, buffers[%d] has %zu", place.text, offset,
                      offset, length, buffer, bytes->size);
    }
    *data = bytes->data + offset;
    *size = length;
    if (stride != NULL) {
        *stride = (int)step;
    }
    return tg_success;
}
