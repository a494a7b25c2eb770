// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which reader takes a file, by its ending.

#include "core/core.h"
#include "io/gltf_load.h"
#include "io/load_objects.h"
#include "io/motion_bvh.h"
#include "io/obj_read.h"
#include "io/output_file.h"
#include "turgor/io.h"

#ifdef TURGOR_HAS_ASSIMP
#include "io/import_assimp.h"
#endif

static tgScene* tgLoad(const char* path, bool prefersLoose, tgError* error)
{
    if (path == NULL) {
        tgFail(error, tg_invalidArgument, -1, "path is NULL");
        return NULL;
    }
    if (tgHasEnding(path, ".glb") || tgHasEnding(path, ".gltf")) {
        return tgLoadGltf(path, prefersLoose, error);
    }
    if (tgHasEnding(path, ".obj")) {
        return tgImportObj(path, error);
    }
    if (tgHasEnding(path, ".bvh")) {
        return tgImportBvh(path, error);
    }
    if (tgHasEnding(path, ".fbx") || tgHasEnding(path, ".dae")) {
#ifdef TURGOR_HAS_ASSIMP
        return tgImportAssimp(path, error);
#else
        tgFail(error, tg_unsupported, -1,
               "this build reads .glb .gltf .obj and .bvh; FBX and DAE need TURGOR_ASSIMP");
        return NULL;
#endif
    }
    tgFail(error, tg_unsupported, -1, "unknown ending, expected .glb .gltf .fbx .dae .obj or .bvh");
    return NULL;
}

tgScene* tgLoadScene(const char* path, tgError* error)
{
    return tgLoad(path, false, error);
}

tgScene* tgLoadObjects(const char* path, tgError* error)
{
    return tgLoad(path, true, error);
}
