// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// From the bytes of a .glb or .gltf to a document with its buffers, ready for tgGltfSource_*.
#ifndef TURGOR_IO_GLTF_DOCUMENT_H
#define TURGOR_IO_GLTF_DOCUMENT_H

#include "io/gltf_source.h"

/// Parse the container and the JSON, refuse extensions we cannot read, and bring in all buffers.
/// @param file taken over, and freed with the source or on failure
/// @param root where external files are; its folder is copied
/// @return NULL on failure
tgGltfSource* tgOpenGltfSource(uint8_t* file, size_t size, const tgFileRoot* root, tgError* error);

/// True when the object's "extensions" has `name`.
bool tgGltfHasExtension(const json_t* object, const char* name);

#endif
