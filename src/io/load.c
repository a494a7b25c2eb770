// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Which reader takes a file, by its ending.

#define _FILE_OFFSET_BITS 64

#include "core/core.h"
#include "io/gltf_load.h"
#include "io/gltf_uri.h"
#include "io/load_objects.h"
#include "io/motion_bvh.h"
#include "io/obj_read.h"
#include "io/output_file.h"
#include "turgor/io.h"

#include <sys/stat.h>

#if defined(TURGOR_IMPORT_IN_PROCESS)
#include "io/import_assimp.h"
#elif defined(TURGOR_IMPORT_IN_CHILD)
#include "io/import_child.h"
#endif

/// By its ending.
static tgScene* tgLoadAny(const char* path, const tgLoadDef* def, bool prefersLoose, tgError* error)
{
    if (tgHasEnding(path, ".glb") || tgHasEnding(path, ".gltf")) {
        return tgLoadGltf(path, def, prefersLoose, error);
    }
    if (tgHasEnding(path, ".obj")) {
        return tgImportObj(path, error);
    }
    if (tgHasEnding(path, ".bvh")) {
        return tgImportBvh(path, error);
    }
    if (tgHasEnding(path, ".fbx") || tgHasEnding(path, ".dae")) {
#if defined(TURGOR_IMPORT_IN_PROCESS) || defined(TURGOR_IMPORT_IN_CHILD)
        tgImportWish wish = {prefersLoose, def->sharesMeshes ? def->mostUnfolding : 0};
#endif
#if defined(TURGOR_IMPORT_IN_PROCESS)
        return tgImportAssimp(path, wish, error);
#elif defined(TURGOR_IMPORT_IN_CHILD)
        return tgImportInChild(path, wish, error);
#else
        tgFail(error, tg_unsupported, -1,
               "this build reads .glb .gltf .obj and .bvh; FBX and DAE need TURGOR_ASSIMP");
        return NULL;
#endif
    }
    tgFail(error, tg_unsupported, -1, "unknown ending, expected .glb .gltf .fbx .dae .obj or .bvh");
    return NULL;
}

static tgScene* tgLoad(const char* path, const tgLoadDef* def, bool prefersLoose, tgError* error)
{
    struct stat status;
    if (def == NULL || def->cookie != tg_loadCookie) {
        tgFail(error, tg_invalidArgument, -1, "the def is not from tgDefaultLoadDef()");
        return NULL;
    }
    if (path == NULL) {
        tgFail(error, tg_invalidArgument, -1, "path is NULL");
        return NULL;
    }
    if (stat(path, &status) == 0 && (uint64_t)status.st_size > def->mostBytes) {
        tgFail(error, tg_unsupported, -1,
               "has %llu bytes, expected at most %zu (tgLoadDef.mostBytes)",
               (unsigned long long)status.st_size, def->mostBytes);
        return NULL;
    }
    return tgKeepLimits(tgLoadAny(path, def, prefersLoose, error), def, error);
}

tgScene* tgLoadSceneWith(const char* path, const tgLoadDef* def, tgError* error)
{
    return tgLoad(path, def, false, error);
}

tgScene* tgLoadScene(const char* path, tgError* error)
{
    tgLoadDef def = tgDefaultLoadDef();
    return tgLoad(path, &def, false, error);
}

tgScene* tgLoadObjectsWith(const char* path, const tgLoadDef* def, tgError* error)
{
    return tgLoad(path, def, true, error);
}

tgScene* tgLoadObjects(const char* path, tgError* error)
{
    // Settings name such files, which come from strangers as well: nobody asked for a pipe.
    struct stat status;
    if (path != NULL && stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        tgFailPlain(error);
        return NULL;
    }
    tgLoadDef def = tgDefaultLoadDef();
    return tgLoad(path, &def, true, error);
}
