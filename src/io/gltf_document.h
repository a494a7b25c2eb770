// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// From the bytes of a .glb or .gltf to a document with its buffers, ready for tgGltfSource_*.
#ifndef TURGOR_IO_GLTF_DOCUMENT_H
#define TURGOR_IO_GLTF_DOCUMENT_H

#include "io/gltf_source.h"

/// Bytes of memory that any file may take, beside tgLoadDef.mostUnfolding for each of its bytes.
#define tg_freeMemory ((uint64_t)36 << 20)

/// Parse the container and the JSON, refuse extensions we cannot read, and bring in all buffers.
/// @param file taken over, and freed with the source or on failure
/// @param root where external files are; its folder is copied
/// @param mostUnfolding as in tgLoadDef
/// @return NULL on failure
tgGltfSource* tgOpenGltfSource(uint8_t* file, size_t size, const tgFileRoot* root,
                               int mostUnfolding, tgError* error);

/// True when the object's "extensions" has `name`.
bool tgGltfHasExtension(const tgJsonValue* object, const char* name);

#endif
