// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The end of a glTF file: the document and the binary chunk into one .glb, or into one .gltf with
// the chunk as a data URI. Neither is ever held in memory as text.

#include "core/core.h"
#include "io/gltf_builder.h"

#include <string.h>

enum {
    tg_containerMark = 0x46546C67,
    tg_containerVersion = 2,
    tg_containerJson = 0x4E4F534A,
    tg_containerBinary = 0x004E4942,
    tg_containerStart = 20, ///< the file's header and that of the first chunk
    tg_containerChunkStart = 8,
};

/// 17 digits bring every double back to the same bits. 15 do so for what people and other programs
/// wrote with no more, and for every float; compressed files, where size counts, take those.
enum { tg_allDigits = 17, tg_fewDigits = 15 };

static void tgWriteBytes(tgGltfBuilder* builder, const void* data, size_t size)
{
    if (!tgGltfBuilder_HasFailed(builder)) {
        tgOutputFile_Write(&builder->output, data, size, &builder->failure);
    }
}

static void tgWriteText(tgGltfBuilder* builder, const char* text)
{
    tgWriteBytes(builder, text, strlen(text));
}

static bool tgWriteJsonPiece(const char* text, size_t size, void* user)
{
    tgGltfBuilder* builder = user;
    tgWriteBytes(builder, text, size);
    return !tgGltfBuilder_HasFailed(builder);
}

static void tgWriteDocument(tgGltfBuilder* builder, bool isOpen)
{
    tgJsonLook look = {.digits = builder->unpackedSize > 0 ? tg_fewDigits : tg_allDigits,
                       .isOpen = isOpen};
    if (builder->arena.ranOut) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the document");
    }
    if (!tgGltfBuilder_HasFailed(builder)) {
        tgWriteJson(builder->document, &look, tgWriteJsonPiece, builder);
    }
}

static void tgWriteBinary(tgGltfBuilder* builder)
{
    uint32_t start[5] = {tg_containerMark, tg_containerVersion, 0, 0, tg_containerJson};
    tgWriteBytes(builder, start, sizeof(start)); // the lengths follow at the end
    tgJsonValue* buffers =
        tgPackJson(&builder->arena, "[{s:I}]", "byteLength", (long long)builder->spool.size);
    if (builder->unpackedSize > 0) {
        tgJsonValue* unpacked = tgPackJson(&builder->arena, "{s:I, s:{s:{s:b}}}", "byteLength",
                                           (long long)builder->unpackedSize, "extensions",
                                           "EXT_meshopt_compression", "fallback", 1);
        tgGltfBuilder_Append(builder, buffers, unpacked);
    }
    tgGltfBuilder_Set(builder, builder->document, "buffers", buffers);
    tgWriteDocument(builder, false);
    tgWriteBytes(builder, "   ", (size_t)(-builder->output.size & 3));

    uint64_t jsonSize = builder->output.size - tg_containerStart;
    uint64_t fileSize = builder->output.size + tg_containerChunkStart + builder->spool.size;
    if (fileSize > builder->sizeLimit) {
        tgGltfBuilder_Fail(builder, tg_unsupported, -1,
                           "the file would pass 4 GiB, the most a .glb can hold; bake fewer "
                           "frames, or to .pc2");
        return;
    }
    uint32_t chunk[2] = {(uint32_t)builder->spool.size, tg_containerBinary};
    tgWriteBytes(builder, chunk, sizeof(chunk));
    start[2] = (uint32_t)fileSize;
    start[3] = (uint32_t)jsonSize;
    if (!tgGltfBuilder_HasFailed(builder) &&
        tgOutputFile_Append(&builder->output, &builder->spool, &builder->failure) == tg_success) {
        tgOutputFile_Rewrite(&builder->output, start, sizeof(start), &builder->failure);
    }
}

static void tgWriteEmbedded(tgGltfBuilder* builder)
{
    char size[32];
    snprintf(size, sizeof(size), "%llu", (unsigned long long)builder->spool.size);
    tgWriteText(builder, "{\n");
    tgWriteDocument(builder, true);
    tgWriteText(builder, ",\n\"buffers\":[{\"byteLength\":");
    tgWriteText(builder, size);
    tgWriteText(builder, ",\"uri\":\"data:application/octet-stream;base64,");
    if (!tgGltfBuilder_HasFailed(builder)) {
        tgOutputFile_AppendBase64(&builder->output, &builder->spool, &builder->failure);
    }
    tgWriteText(builder, "\"}");
    if (builder->unpackedSize > 0) {
        snprintf(size, sizeof(size), "%llu", (unsigned long long)builder->unpackedSize);
        tgWriteText(builder, ",{\"byteLength\":");
        tgWriteText(builder, size);
        tgWriteText(builder, ",\"extensions\":{\"EXT_meshopt_compression\":{\"fallback\":true}}}");
    }
    tgWriteText(builder, "]\n}\n");
}

/// All of it into the output file, which keeps its temporary name.
static void tgAssemble(tgGltfBuilder* builder)
{
    tgGltfBuilder_Set(builder, builder->document, "accessors", builder->accessors);
    tgGltfBuilder_Set(builder, builder->document, "bufferViews", builder->bufferViews);
    tgJson_Remove(builder->document, "buffers");
    if (builder->isBinary) {
        tgWriteBinary(builder);
    } else {
        tgWriteEmbedded(builder);
    }
}

tgResult tgGltfBuilder_Close(tgGltfBuilder* builder, tgError* error)
{
    tgError* failure = &builder->failure;
    tgAssemble(builder);
    if (failure->code == tg_success &&
        tgOutputFile_Finish(&builder->output, failure) == tg_success) {
        tgOutputFile_Commit(&builder->output, failure);
    }
    if (failure->code != tg_success && error != NULL) {
        *error = *failure;
    }
    return failure->code;
}
