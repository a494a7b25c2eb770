// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where a glTF keeps bytes outside its JSON: files beside it, and base64 inside a URI.
#ifndef TURGOR_IO_GLTF_URI_H
#define TURGOR_IO_GLTF_URI_H

#include "io/file_beside.h"
#include "turgor/base.h"

#include <stdint.h>

/// 4 GiB: what the lengths in a GLB can tell of.
#define tg_largestFile ((size_t)UINT32_MAX)

/// The bytes of a whole file, or of a pipe, which may never end.
/// @param most bytes; a longer file is refused
/// @param bytes the caller frees it; never NULL on success
tgResult tgReadFile(const char* path, size_t most, uint8_t** bytes, size_t* size, tgError* error);

/// Base64 inside the document itself.
bool tgIsDataUri(const char* uri);

/// The file name that a URI stands for, its escapes undone; NULL when they are broken or there is
/// no memory. The caller frees it.
char* tgMakeUriName(const char* uri);

/// The bytes that a URI of a document stands for: data in base64, or a file as tgOpenBeside finds
/// it. Addresses on the network and absolute paths are refused, and so is every file when the root
/// has no folder.
/// @param place whose URI it is, for messages: "buffers[0]"
/// @param most bytes of a file that are wanted; what follows them is left unread
/// @param bytes the caller frees it; never NULL on success
tgResult tgReadUri(const char* uri, const tgFileRoot* root, const char* place, size_t most,
                   uint8_t** bytes, size_t* size, tgError* error);

#endif
