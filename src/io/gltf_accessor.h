// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Reading accessors beyond what gltf_source.h offers to the writer.
#ifndef TURGOR_IO_GLTF_ACCESSOR_H
#define TURGOR_IO_GLTF_ACCESSOR_H

#include "io/gltf_source.h"

/// glTF's numbers for the types of a component.
typedef enum tgComponentType {
    tg_componentInt8 = 5120,
    tg_componentUint8 = 5121,
    tg_componentInt16 = 5122,
    tg_componentUint16 = 5123,
    tg_componentUint32 = 5125,
    tg_componentFloat = 5126,
} tgComponentType;

/// True for u8, u16 and u32: what indices and joints are made of.
bool tgGltfAccessor_IsUnsigned(const tgGltfAccessor* accessor);

/// The components of an unsigned accessor as they are, sparse replacements done.
/// @param values accessor->count * accessor->componentCount numbers
void tgGltfAccessor_CopyUnsigned(const tgGltfAccessor* accessor, uint32_t* values);

#endif
