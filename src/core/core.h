// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What every part of the library leans on: errors in words, asserts, and objects in one block.
#ifndef TURGOR_CORE_CORE_H
#define TURGOR_CORE_CORE_H

#include "turgor/base.h"

#include <stdint.h>

/// Fill `error` (may be NULL) and return `code`, so that a check is one line:
/// `return tgFail(error, tg_invalidMesh, v, "vertex %d has ...", v);`
/// @param index the vertex, face or joint at fault; -1 when none is
tgResult tgFail(tgError* error, tgResult code, int index, const char* format, ...) TG_PRINTF(4, 5);

/// "1 frame", "12 frames".
typedef struct tgCountText {
    char text[64];
} tgCountText;
tgCountText tgTellCount(int count, const char* one, const char* many);

/// A promise of our own. On except in Release builds, which define TG_NO_ASSERT; goes through
/// tgSetAssertHook.
#ifdef TG_NO_ASSERT
#define TG_ASSERT(condition) ((void)0)
#else
#define TG_ASSERT(condition)                                                                       \
    ((condition) ? (void)0 : tgAssertFailed(#condition, __FILE__, __LINE__))
#endif

enum { tg_blockAlignment = 64 }; ///< a cache line; every array of an object starts on one

/// Both functions or none.
bool tgCheckAllocator(const tgAllocator* allocator, tgError* error);
/// Memory from the caller's allocator, zeroed and aligned; NULL when it has none left.
void* tgAllocate(const tgAllocator* allocator, size_t size);
void tgFree(const tgAllocator* allocator, void* memory, size_t size);

/// Lays out one block. Run the same calls twice: with base NULL to measure, then with the block.
typedef struct tgLayout {
    char* base;
    size_t size; ///< so far
    bool overflow;
} tgLayout;

/// Room for `count` elements of `size` bytes; NULL while measuring.
void* tgLayout_Take(tgLayout* layout, size_t count, size_t size);
/// The same, filled with a copy of `from` once there is a block.
void* tgPlaceArray(tgLayout* layout, const void* from, size_t count, size_t size);

#endif
