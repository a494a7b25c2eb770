// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A hash of results, to tell whether two runs returned the same bits.
#ifndef TURGOR_CORE_HASH_H
#define TURGOR_CORE_HASH_H

#include "turgor/base.h"

#include <stddef.h>
#include <stdint.h>

enum { tg_hashSeed = 0 };

/// Continue `hash` over 32-bit words, by value: the same on machines of either byte order.
uint64_t tgHashWords(uint64_t hash, const void* words, size_t count);

#endif
