// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the first bytes of an image tell.
#ifndef TURGOR_IO_GLTF_IMAGE_H
#define TURGOR_IO_GLTF_IMAGE_H

#include <stddef.h>
#include <stdint.h>

enum { tg_imageMarkSize = 12 }; ///< so many bytes tell what an image is

/// "image/png" and so on for what may be in a glTF; NULL when the bytes are none of these.
const char* tgGetImageType(const uint8_t* bytes, size_t size);

#endif
