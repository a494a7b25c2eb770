// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Errors in words, and objects in one block.

#include "core/core.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* tgResult_GetName(tgResult result)
{
    switch (result) {
    case tg_success:
        return "success";
    case tg_invalidArgument:
        return "invalid argument";
    case tg_invalidMesh:
        return "invalid mesh";
    case tg_invalidPose:
        return "invalid pose";
    case tg_outOfMemory:
        return "out of memory";
    case tg_notConverged:
        return "not converged";
    case tg_ioError:
        return "input or output error";
    case tg_unsupported:
        return "unsupported";
    }
    return "unknown result";
}

tgResult tgFail(tgError* error, tgResult code, int index, const char* format, ...)
{
    if (error != NULL) {
        error->code = code;
        error->index = index;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof(error->message), format, arguments);
        va_end(arguments);
    }
    return code;
}

tgCountText tgTellCount(int count, const char* one, const char* many)
{
    tgCountText told;
    snprintf(told.text, sizeof(told.text), "%d %s", count, count == 1 ? one : many);
    return told;
}

/// aligned_alloc wants a multiple of the alignment.
static size_t tgRoundUp(size_t size)
{
    return (size + tg_blockAlignment - 1) / tg_blockAlignment * tg_blockAlignment;
}

bool tgCheckAllocator(const tgAllocator* allocator, tgError* error)
{
    bool isWhole = (allocator->allocFcn == NULL) == (allocator->freeFcn == NULL);
    if (!isWhole) {
        tgFail(error, tg_invalidArgument, -1, "the allocator has one of its two functions");
    }
    return isWhole;
}

void* tgAllocate(const tgAllocator* allocator, size_t size)
{
    size_t rounded = tgRoundUp(size);
    if (rounded < size) {
        return NULL;
    }
    void* memory = allocator->allocFcn != NULL
                       ? allocator->allocFcn(rounded, tg_blockAlignment, allocator->user)
                       : aligned_alloc(tg_blockAlignment, rounded);
    return memory != NULL ? memset(memory, 0, rounded) : NULL;
}

void tgFree(const tgAllocator* allocator, void* memory, size_t size)
{
    if (memory == NULL) {
        return;
    }
    if (allocator->freeFcn != NULL) {
        allocator->freeFcn(memory, tgRoundUp(size), allocator->user);
    } else {
        free(memory);
    }
}

void* tgLayout_Take(tgLayout* layout, size_t count, size_t size)
{
    size_t start = tgRoundUp(layout->size);
    if (start < layout->size || (size != 0 && count > (SIZE_MAX - start) / size)) {
        layout->overflow = true;
        return NULL;
    }
    layout->size = start + count * size;
    return layout->base != NULL ? layout->base + start : NULL;
}

void* tgPlaceArray(tgLayout* layout, const void* from, size_t count, size_t size)
{
    void* to = tgLayout_Take(layout, count, size);
    if (to != NULL && count > 0) {
        memcpy(to, from, count * size);
    }
    return to;
}
