// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Bytes carried from the document a scene was read from: accessors unpacked from whatever views and
// sparse replacements they had, images from files and data URIs, views that extensions use.

#include "io/gltf_carry.h"

#include "core/core.h"
#include "io/gltf_image.h"

#include <stdlib.h>
#include <string.h>

void tgGltfCarry_Open(tgGltfCarry* carry, const tgGltfSource* source, tgGltfBuilder* builder)
{
    memset(carry, 0, sizeof(*carry));
    carry->source = source;
    carry->builder = builder;
    size_t accessorCount = tgJson_CountItems(tgJson_Find(source->document, "accessors"));
    size_t viewCount = tgJson_CountItems(tgJson_Find(source->document, "bufferViews"));
    carry->accessors = malloc((accessorCount * tg_carryUseCount + 1) * sizeof(int));
    carry->bufferViews = malloc((viewCount + 1) * sizeof(int));
    if (carry->accessors == NULL || carry->bufferViews == NULL) {
        tgGltfBuilder_Fail(builder, tg_outOfMemory, -1, "no memory for the accessors");
        return;
    }
    carry->accessorCount = (int)accessorCount;
    carry->viewCount = (int)viewCount;
    for (size_t i = 0; i < accessorCount * tg_carryUseCount; ++i) {
        carry->accessors[i] = -1;
    }
    for (size_t i = 0; i < viewCount; ++i) {
        carry->bufferViews[i] = -1;
    }
}

void tgGltfCarry_Free(tgGltfCarry* carry)
{
    free(carry->accessors);
    free(carry->bufferViews);
    for (tgRefinedAccessor* refined = carry->refined; refined != NULL;) {
        tgRefinedAccessor* next = refined->next;
        free(refined);
        refined = next;
    }
    memset(carry, 0, sizeof(*carry));
}

int tgGltfCarry_AddElements(tgGltfCarry* carry, const uint8_t* bytes, int count, size_t elementSize,
                            tgCarryUse use)
{
    tgGltfBuilder* builder = carry->builder;
    tgGltfBuilder_BeginView(builder);
    int stride = 0;
    if (use == tg_carryVertices && elementSize % 4 != 0) {
        // Elements of vertex attributes start on multiples of 4.
        static const uint8_t padding[4];
        stride = (int)((elementSize + 3) / 4 * 4);
        for (int i = 0; i < count; ++i) {
            tgGltfBuilder_Write(builder, bytes + (size_t)i * elementSize, elementSize);
            tgGltfBuilder_Write(builder, padding, (size_t)stride - elementSize);
        }
    } else {
        tgGltfBuilder_Write(builder, bytes, (size_t)count * elementSize);
    }
    static const int targets[] = {tg_gltfVertices, tg_gltfIndices, tg_gltfNoTarget};
    return tgGltfBuilder_EndView(builder, targets[use], stride);
}

static int tgCarryElements(tgGltfCarry* carry, const tgGltfAccessor* accessor, tgCarryUse use)
{
    size_t elementSize = (size_t)accessor->elementSize;
    uint8_t* bytes = malloc((size_t)accessor->count * elementSize + 1);
    if (bytes == NULL) {
        tgGltfBuilder_Fail(carry->builder, tg_outOfMemory, -1,
                           "no memory to carry an accessor over");
        return -1;
    }
    tgGltfAccessor_CopyPacked(accessor, bytes);
    int view = tgGltfCarry_AddElements(carry, bytes, accessor->count, elementSize, use);
    free(bytes);
    return view;
}

static int tgCarryAccessor(tgGltfCarry* carry, int index, tgCarryUse use)
{
    tgGltfBuilder* builder = carry->builder;
    tgGltfAccessor accessor;
    if (tgGltfBuilder_HasFailed(builder) ||
        tgGltfSource_GetAccessor(carry->source, index, &accessor, &builder->failure) !=
            tg_success) {
        return -1;
    }
    int* known = &carry->accessors[(size_t)use * (size_t)carry->accessorCount + (size_t)index];
    if (*known >= 0) {
        return *known;
    }
    const tgJsonValue* all = tgJson_Find(carry->source->document, "accessors");
    tgJsonValue* json = tgCopyJson(&builder->arena, tgJson_GetItem(all, (size_t)index));
    tgJson_Remove(json, "bufferView");
    tgJson_Remove(json, "byteOffset");
    tgJson_Remove(json, "sparse");
    // One without bytes is all zero, or its bytes are an extension's business; it stays so.
    if (accessor.data != NULL || accessor.sparseCount > 0) {
        int view = tgCarryElements(carry, &accessor, use);
        tgGltfBuilder_SetWhole(builder, json, "bufferView", view);
    }
    *known = tgGltfBuilder_AddAccessor(builder, json);
    return *known;
}

void tgGltfCarry_Remap(tgGltfCarry* carry, tgJsonValue* object, const char* key, tgCarryUse use)
{
    tgJsonValue* value = tgJson_Find(object, key);
    if (value == NULL) {
        return;
    }
    long long index = tgJson_IsWhole(value) ? tgJson_GetWhole(value) : -1;
    if (index < 0 || index >= carry->accessorCount) {
        tgGltfBuilder_Fail(carry->builder, tg_invalidMesh, -1,
                           "%s refers to accessor %lld, the input has %d", key, (long long)index,
                           carry->accessorCount);
        return;
    }
    int accessor = tgCarryAccessor(carry, (int)index, use);
    tgGltfBuilder_SetWhole(carry->builder, object, key, accessor);
}

void tgGltfCarry_RemapAll(tgGltfCarry* carry, tgJsonValue* attributes, tgCarryUse use)
{
    tgJsonValue* value = NULL;
    for (size_t member = 0; (value = tgJson_GetMember(attributes, member)) != NULL; ++member) {
        const char* key = value->key;
        // Replacing the value of a key that is there is safe within the loop.
        tgGltfCarry_Remap(carry, attributes, key, use);
    }
}

void tgGltfCarry_MoveImage(tgGltfCarry* carry, tgJsonValue* image, int index)
{
    tgGltfBuilder* builder = carry->builder;
    bool hasUri = tgJson_Find(image, "uri") != NULL;
    uint8_t* bytes = NULL;
    size_t size = 0;
    tgError reason;
    tgResult result = tgGltfSource_ReadImage(carry->source, index, &bytes, &size, &reason);
    if (result != tg_success) {
        if (!hasUri || result == tg_outOfMemory) {
            tgGltfBuilder_Fail(builder, result, -1, "%s", reason.message);
        }
        return;
    }
    const char* type = tgGetImageType(bytes, size);
    if (type == NULL) {
        type = tgJson_GetString(tgJson_Find(image, "mimeType"));
    }
    if (type == NULL && hasUri) { // a view needs a type; the URI has its ending
        free(bytes);
        return;
    }
    tgGltfBuilder_BeginView(builder);
    tgGltfBuilder_Write(builder, bytes, size);
    int view = tgGltfBuilder_EndView(builder, tg_gltfNoTarget, 0);
    tgJsonValue* typeText = tgMakeJsonText(&builder->arena, type != NULL ? type : "image/png");
    tgJson_Remove(image, "uri");
    tgGltfBuilder_Set(builder, image, "mimeType", typeText);
    tgGltfBuilder_SetWhole(builder, image, "bufferView", view);
    free(bytes);
}

void tgGltfCarry_MoveImages(tgGltfCarry* carry)
{
    tgJsonValue* images = tgJson_Find(carry->builder->document, "images");
    tgJsonValue* image = NULL;
    for (size_t index = 0; (image = tgJson_GetItem(images, index)) != NULL; ++index) {
        if (!tgGltfBuilder_HasFailed(carry->builder)) {
            tgGltfCarry_MoveImage(carry, image, (int)index);
        }
    }
}

static int tgCarryView(tgGltfCarry* carry, int index)
{
    tgGltfBuilder* builder = carry->builder;
    const uint8_t* data = NULL;
    size_t size = 0;
    int stride = 0;
    if (index < 0 || index >= carry->viewCount) {
        tgGltfBuilder_Fail(builder, tg_invalidMesh, -1,
                           "an extension refers to buffer view %d, the input has %d", index,
                           carry->viewCount);
        return -1;
    }
    if (carry->bufferViews[index] < 0 && !tgGltfBuilder_HasFailed(builder) &&
        tgGltfSource_GetBufferView(carry->source, index, &data, &size, &stride,
                                   &builder->failure) == tg_success) {
        tgGltfBuilder_BeginView(builder);
        tgGltfBuilder_Write(builder, data, size);
        carry->bufferViews[index] = tgGltfBuilder_EndView(builder, tg_gltfNoTarget, stride);
    }
    return carry->bufferViews[index];
}

/// @param isExtension inside the value of some "extensions"
static void tgMoveViewsBelow(tgGltfCarry* carry, tgJsonValue* json, bool isExtension)
{
    tgJsonValue* value = NULL;
    for (size_t member = 0; (value = tgJson_GetMember(json, member)) != NULL; ++member) {
        const char* key = value->key;
        if (isExtension && strcmp(key, "bufferView") == 0 && tgJson_IsWhole(value)) {
            int view = tgCarryView(carry, (int)tgJson_GetWhole(value));
            tgGltfBuilder_SetWhole(carry->builder, json, key, view);
        } else if (strcmp(key, "extras") != 0) {
            tgMoveViewsBelow(carry, value, isExtension || strcmp(key, "extensions") == 0);
        }
    }
    for (size_t index = 0; (value = tgJson_GetItem(json, index)) != NULL; ++index) {
        tgMoveViewsBelow(carry, value, isExtension);
    }
}

void tgGltfCarry_MoveExtensionViews(tgGltfCarry* carry)
{
    tgMoveViewsBelow(carry, carry->builder->document, false);
}
