// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Any bytes as an .fbx whose skins say how they blend: what is counted is there, and nothing past
// the end is read. The rest of the file is Assimp's to read.

#include "io/fbx_skinning.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    tgFbxSkinnings found = tgScanFbxSkinnings(data, size);
    tgSkinning most = tgFbxSkinnings_GetMost(&found);
    for (int s = tg_linear; s <= tg_blend; ++s) {
        // Each has at least the name and the shortest value, "Blend", in quotes or with its length.
        if (found.counts[s] < 0 || (size_t)found.counts[s] > size / 17 ||
            found.counts[s] > found.counts[most]) {
            abort();
        }
    }
    return 0;
}
