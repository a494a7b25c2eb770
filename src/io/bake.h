// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What a baked file format offers to tgOpenBake and its companions in bake.c, which check the
// arguments, the number of frames and the positions before a format sees them.
#ifndef TURGOR_IO_BAKE_H
#define TURGOR_IO_BAKE_H

#include "turgor/io.h"

/// How many animations a bake has, and one of them.
int tgCountClips(const tgBakeDef* def);
tgBakeClip tgGetClip(const tgBakeDef* def, int clip);

/// One baked file format.
typedef struct tgBakeFormat {
    /// A writer whose temporary file exists; NULL on failure. `def` lives as long as the writer.
    void* (*open)(const tgBakeDef* def, tgError* error);
    /// Frames come in order from 0, with finite positions. Normals may be NULL.
    tgResult (*addFrame)(void* writer, int frame, const tgVec3* positions, const tgVec3* normals,
                         tgError* error);
    /// After the last frame: finish and rename into place.
    tgResult (*close)(void* writer, tgError* error);
    /// Always called, whether closed or not; removes temporary files that are left.
    void (*destroy)(void* writer);
    bool cutsFaces;    ///< it holds triangles only
    bool takesSeveral; ///< animations
} tgBakeFormat;

extern const tgBakeFormat tg_gltfFormat; ///< .glb and .gltf
extern const tgBakeFormat tg_pc2Format;
extern const tgBakeFormat tg_mddFormat;
extern const tgBakeFormat tg_objFormat;
extern const tgBakeFormat tg_usdaFormat;

#endif
