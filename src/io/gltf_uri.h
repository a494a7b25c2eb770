// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where a glTF keeps bytes outside its JSON: files beside it, and base64 inside a URI.
#ifndef TURGOR_IO_GLTF_URI_H
#define TURGOR_IO_GLTF_URI_H

#include "turgor/base.h"

#include <stdint.h>

/// 4 GiB: what the lengths in a GLB can tell of.
#define tg_largestFile ((size_t)UINT32_MAX)

/// The bytes of a whole file, or of a pipe, which may never end.
/// @param most bytes; a longer file is refused
/// @param bytes the caller frees it; never NULL on success
tgResult tgReadFile(const char* path, size_t most, uint8_t** bytes, size_t* size, tgError* error);

/// The bytes that a URI of a document stands for: data in base64, or a file named relative to
/// `folder`. Addresses on the network and absolute paths are refused, and so is every file when
/// `folder` is NULL.
/// @param place whose URI it is, for messages: "buffers[0]"
/// @param bytes the caller frees it; never NULL on success
tgResult tgReadUri(const char* uri, const char* folder, const char* place, uint8_t** bytes,
                   size_t* size, tgError* error);

#endif
