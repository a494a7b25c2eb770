// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor-import FILE [loose]: reads an .fbx or .dae with Assimp and writes the scene, or why there
// is none, to standard output as scene_stream.h has it; with `loose` the meshes that have no skin
// where there are both. Not for people: libturgor_io starts it, so that a
// file that brings Assimp down takes this process with it and no other.

#define _GNU_SOURCE // RTLD_DEFAULT

#include "io/import_assimp.h"
#include "io/import_sandbox.h"
#include "io/scene_stream.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Assimp catches a failed allocation here and there, and goes on with a part of the scene.
static void tgTellNoMemory(void)
{
    tgError error = {0};
    tgFailAssimpMemory(&error);
    _exit(tgWriteSceneStream(stdout, NULL, &error) ? 0 : 1);
}

/// std::set_new_handler, by the name that C++ gives it on all our systems.
static void tgWatchMemory(void)
{
    static char tg_buffer[1 << 16];
    typedef void tgNewHandler(void);
    tgNewHandler* (*setHandler)(tgNewHandler*);
    *(void**)&setHandler = dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE");
    if (setHandler != NULL) {
        setHandler(tgTellNoMemory);
    }
    setvbuf(stdout, tg_buffer, _IOFBF, sizeof(tg_buffer));
}

int main(int argc, char** argv)
{
    tgImportWish wish = {0};
    if (argc == 4) {
        wish.prefersLoose = strcmp(argv[2], "loose") == 0;
        wish.mostUnfolding = (int)strtol(argv[3], NULL, 10);
    }
    if ((argc != 2 && argc != 4) || isatty(STDOUT_FILENO)) {
        fprintf(stderr, "turgor-import: is started by turgor to read FBX and DAE files; use turgor "
                        "info FILE\n");
        return 2;
    }
    tgError error = {0};
    tgScene* scene = NULL;
    tgWatchMemory();
    tgLimitProcess();
    tgAssimpFile file;
    if (tgReadAssimpFile(&file, argv[1], wish, &error) == tg_success) {
        tgEnterSandbox(file.size);
        scene = tgImportAssimpFile(&file, &error);
    }
    bool isWritten = tgWriteSceneStream(stdout, scene, &error);
    // Nothing is freed: the process ends here, and Assimp's own clean-up may not survive the file.
    _exit(isWritten ? 0 : 1);
}
