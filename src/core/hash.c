// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A hash of results: each word is mixed in by a multiplication and a shift, both invertible, so one
// changed bit always changes the sum.

#include "core/hash.h"

#include <string.h>

uint64_t tgHashWords(uint64_t hash, const void* words, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        uint32_t word;
        memcpy(&word, (const char*)words + 4 * i, sizeof(word));
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}
