// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How the vertices of a refined scene came from those of its file, for attributes that only the
// file holds.
#ifndef TURGOR_IO_SCENE_REFINE_H
#define TURGOR_IO_SCENE_REFINE_H

#include "turgor/refine.h"
#include "turgor/scene.h"

/// Give the scene the finer mesh. On failure it stays as it was.
tgResult tgScene_Apply(tgScene* scene, const tgRefinement* refinement, tgError* error);

/// Part of a scene after tgScene_Refine.
typedef struct tgRefinedScene {
    const tgVertexMean* means; ///< of all vertices, over earlier ones of the same part; a vertex of
                               ///< the file is itself with weight 1
    const tgScenePart* fileParts; ///< the parts as they were read
} tgRefinedScene;

/// Vertices and faces of a part as its file has them.
static inline tgScenePart tgScene_GetFilePart(const tgScene* scene, int part)
{
    return scene->refined != NULL ? scene->refined->fileParts[part] : scene->parts[part];
}

/// Which vertices belong to a set of the file's: those themselves, and new ones between them alone.
/// @param isFile one entry for each vertex of the file: it is in the set
/// @param isIn one entry for each vertex
void tgScene_FollowVertices(const tgScene* scene, const bool* isFile, bool* isIn);

/// Numbers from 0 to 1 of the file's vertices, carried to all vertices.
/// @param fileValues one for each vertex of the file
/// @param values one for each vertex
void tgScene_FollowValues(const tgScene* scene, const float* fileValues, float* values);

/// Numbers of a part's vertices in the file, carried to all of its vertices.
/// @param values `width` for each vertex of the part; those of the file come first and are given
void tgScene_AveragePart(const tgScene* scene, int part, int width, float* values);

#endif
