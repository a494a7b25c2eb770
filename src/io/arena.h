// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Memory that is taken piece by piece and freed at once.
#ifndef TURGOR_IO_ARENA_H
#define TURGOR_IO_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/// All zero is an empty one.
typedef struct tgArena {
    struct tgArenaBlock* blocks;
    bool ranOut; ///< a piece could not be had; whatever was made of this arena may lack something
} tgArena;

/// Zeroed memory, NULL when there is none left.
void* tgArena_Take(tgArena* arena, size_t count, size_t size);
/// `length` bytes and a closing zero.
char* tgArena_CopyText(tgArena* arena, const char* text, size_t length);
void tgArena_Free(tgArena* arena);

#endif
