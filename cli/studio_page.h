// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The files that the studio's page is made of. They are read once, so that nothing on the disk but
// the two files a user names is looked at while the server runs.
#ifndef TURGOR_CLI_STUDIO_PAGE_H
#define TURGOR_CLI_STUDIO_PAGE_H

#include <stddef.h>
#include <stdint.h>

enum { tg_mostPageFiles = 64, tg_mostPageName = 128 };

typedef struct tgPageFile {
    char name[tg_mostPageName]; ///< from the page's folder: "assets/index.js"
    const char* type;           ///< its media type
    uint8_t* bytes;
    size_t size;
} tgPageFile;

typedef struct tgStudioPage {
    tgPageFile files[tg_mostPageFiles];
    int fileCount;
} tgStudioPage;

/// Looks for the page where TURGOR_STUDIO says, else as built or installed beside this program, and
/// reads it. Says what is wrong; returns the status.
int tgReadStudioPage(tgStudioPage* page);
void tgFreeStudioPage(tgStudioPage* page);

/// NULL when the page has no such file.
const tgPageFile* tgStudioPage_Find(const tgStudioPage* page, const char* name);

#endif
