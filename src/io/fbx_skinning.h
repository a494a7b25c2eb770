// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How an FBX file says that its skins blend. Assimp does not tell.
#ifndef TURGOR_IO_FBX_SKINNING_H
#define TURGOR_IO_FBX_SKINNING_H

#include "turgor/turgor.h"

/// How many skins of a file say each of tgSkinning.
typedef struct tgFbxSkinnings {
    int counts[tg_blend + 1];
} tgFbxSkinnings;

/// From the bytes of a file, binary or text. Bytes that are no FBX have none.
tgFbxSkinnings tgScanFbxSkinnings(const void* bytes, size_t size);
/// What most skins say; linear where none says anything, and before the others where as many do.
tgSkinning tgFbxSkinnings_GetMost(const tgFbxSkinnings* skinnings);

#endif
