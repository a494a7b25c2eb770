// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// turgor-import FILE: reads an .fbx or .dae with Assimp and writes the scene, or why there is none,
// to standard output as scene_stream.h has it. Not for people: libturgor_io starts it, so that a
// file that brings Assimp down takes this process with it and no other.

#include "io/import_assimp.h"
#include "io/import_sandbox.h"
#include "io/scene_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv)
{
    if (argc != 2 || isatty(STDOUT_FILENO)) {
        fprintf(stderr, "turgor-import: is started by turgor to read FBX and DAE files; use turgor "
                        "info FILE\n");
        return 2;
    }
    tgError error = {0};
    tgScene* scene = NULL;
    tgLimitProcess();
    tgAssimpFile file;
    if (tgReadAssimpFile(&file, argv[1], &error) == tg_success) {
        tgEnterSandbox(file.size);
        scene = tgImportAssimpFile(&file, &error);
    }
    bool isWritten = tgWriteSceneStream(stdout, scene, &error);
    // Nothing is freed: the process ends here, and Assimp's own clean-up may not survive the file.
    _exit(isWritten ? 0 : 1);
}
