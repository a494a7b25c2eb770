// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file base.h
/// What every part of Turgor shares: results, errors in words, the caller's allocator and threads,
/// and views of borrowed memory.
#ifndef TURGOR_BASE_H
#define TURGOR_BASE_H

#include <stdbool.h>
#include <stddef.h>

#define TURGOR_VERSION_MAJOR 0
#define TURGOR_VERSION_MINOR 1
#define TURGOR_VERSION_PATCH 0

#if defined(_WIN32) && defined(TURGOR_SHARED)
#ifdef TURGOR_BUILDING
#define TG_API __declspec(dllexport)
#else
#define TG_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define TG_API __attribute__((visibility("default")))
#else
#define TG_API
#endif

#if defined(__GNUC__)
#define TG_PRINTF(formatAt, firstAt) __attribute__((format(printf, formatAt, firstAt)))
#else
#define TG_PRINTF(formatAt, firstAt)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tgResult {
    tg_success = 0,
    tg_invalidArgument,
    tg_invalidMesh,
    tg_invalidPose,
    tg_outOfMemory,
    tg_notConverged,
    tg_ioError,
    tg_unsupported,
} tgResult;

/// What went wrong, in words a rigger can act on. Every `error` parameter may be NULL.
typedef struct tgError {
    tgResult code;
    int index;         ///< the vertex, face or joint at fault; -1 when none is
    char message[192]; ///< "face 1204 uses vertex 8311, the mesh has 8290"
} tgError;

/// Serves one object for its whole life. All zero means malloc and free.
typedef struct tgAllocator {
    void* (*allocFcn)(size_t size, size_t alignment, void* user);
    void (*freeFcn)(void* memory, size_t size, void* user);
    void* user;
} tgAllocator;

/// One piece of a parallel loop: the elements [begin, end).
typedef void tgRangeFcn(int begin, int end, void* context);

/// Run `range` over all of [0, count), in pieces of at least `minRange` elements, and return when
/// all of it is done. NULL in place of the function means on the calling thread.
typedef void tgParallelForFcn(tgRangeFcn* range, int count, int minRange, void* context,
                              void* user);

/// Borrowed memory. Element i starts stride * i bytes after data: packed or interleaved both fit.
typedef struct tgVec3View {
    const float* data;
    int count;
    int stride;
} tgVec3View;

/// Borrowed memory that is written. A NULL `data` means the result is not wanted.
typedef struct tgVec3Span {
    float* data;
    int count;
    int stride;
} tgVec3Span;

/// Called with the failed condition when Turgor breaks a promise of its own. Returning lets the
/// default follow, which aborts.
typedef void tgAssertFcn(const char* condition, const char* file, int line);

/// Replace the assert hook; NULL restores the default. The one piece of process-wide state there
/// is: set it once at start-up, before other threads use the library.
TG_API void tgSetAssertHook(tgAssertFcn* hook);

/// Calls the hook, then aborts. All libraries of ours come here; you may too.
TG_API void tgAssertFailed(const char* condition, const char* file, int line);

/// "invalid mesh" for tg_invalidMesh, and so on; for logs.
TG_API const char* tgResult_GetName(tgResult result);

#ifdef __cplusplus
}
#endif

#endif
