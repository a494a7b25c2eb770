// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What is wanted of an FBX or DAE file, on both sides of the pipe.
#ifndef TURGOR_IO_IMPORT_WISH_H
#define TURGOR_IO_IMPORT_WISH_H

#include <stdbool.h>

/// All zero: the skinned meshes, where there are any, and a copy of the others for each node.
typedef struct tgImportWish {
    bool prefersLoose; ///< of a file that has both, the meshes without a skin are taken
    int mostUnfolding; ///< not 0: where copies of meshes without a skin would take more than so
                       ///< many times the file's bytes, beside 36 MB, nodes share them
                       ///< (tgScene.places)
} tgImportWish;

#endif
