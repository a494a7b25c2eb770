// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The files that the studio's page is made of: found, read, and looked up by their exact names. A
// name is never made into a path, so no name leads anywhere else.

#define _GNU_SOURCE // secure_getenv

#include "studio_page.h"

#include "io/gltf_uri.h"
#include "io/output_file.h"
#include "report.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    tg_mostPageDepth = 4,
    tg_largestPageFile = 64 << 20, ///< bytes; the page's largest file has less than two million
};

/// By the ending; browsers run a script only under its own type.
static const char* tgGetMediaType(const char* name)
{
    static const struct {
        const char *ending, *type;
    } tg_types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".wasm", "application/wasm"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".webmanifest", "application/manifest+json"},
    };
    for (size_t i = 0; i < sizeof(tg_types) / sizeof(tg_types[0]); ++i) {
        if (tgHasEnding(name, tg_types[i].ending)) {
            return tg_types[i].type;
        }
    }
    return "application/octet-stream";
}

static int tgReadPageFile(tgStudioPage* page, const char* path, const char* name)
{
    if (page->fileCount == tg_mostPageFiles || strlen(name) >= tg_mostPageName) {
        return tgSayFailure(path, "is one file too many for the studio's page, or has too long a "
                                  "name; make studio builds the page anew");
    }
    tgPageFile* file = &page->files[page->fileCount];
    tgError error = {0};
    if (tgReadFile(path, tg_largestPageFile, &file->bytes, &file->size, &error) != tg_success) {
        return tgSayFailed(path, &error);
    }
    snprintf(file->name, sizeof(file->name), "%s", name);
    file->type = tgGetMediaType(name);
    page->fileCount += 1;
    return tg_statusDone;
}

static int tgReadPageFolder(tgStudioPage* page, const char* folder, const char* prefix, int depth)
{
    DIR* entries = opendir(folder);
    int status = tg_statusDone;
    if (entries == NULL) {
        return tgSayFailure(folder, "cannot be read");
    }
    for (struct dirent* entry; status == tg_statusDone && (entry = readdir(entries)) != NULL;) {
        char path[PATH_MAX], name[PATH_MAX];
        struct stat info;
        int pathSize = snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        int nameSize = snprintf(name, sizeof(name), "%s%s", prefix, entry->d_name);
        if (entry->d_name[0] == '.' || pathSize >= (int)sizeof(path) ||
            nameSize + 1 >= (int)sizeof(name) || stat(path, &info) != 0) {
            continue;
        }
        if (S_ISREG(info.st_mode)) {
            status = tgReadPageFile(page, path, name);
        } else if (S_ISDIR(info.st_mode) && depth < tg_mostPageDepth) {
            strcat(name, "/");
            status = tgReadPageFolder(page, path, name, depth + 1);
        }
    }
    closedir(entries);
    return status;
}

static bool tgHasPage(const char* folder)
{
    char index[PATH_MAX];
    int size = snprintf(index, sizeof(index), "%s/index.html", folder);
    return size < (int)sizeof(index) && access(index, R_OK) == 0;
}

/// What TURGOR_STUDIO says, or from the running program as `make studio` and an install have it.
static bool tgFindStudioPage(char* folder, size_t size)
{
#ifdef __GLIBC__
    const char* told = secure_getenv("TURGOR_STUDIO"); // not in a program with more rights
#else
    const char* told = getenv("TURGOR_STUDIO");
#endif
    if (told != NULL && told[0] != '\0') {
        snprintf(folder, size, "%s", told);
        return tgHasPage(folder);
    }
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (length > 0) {
        self[length] = '\0';
        *strrchr(self, '/') = '\0';
        static const char* const tg_places[] = {"../studio", "../share/turgor/studio"};
        for (size_t i = 0; i < sizeof(tg_places) / sizeof(tg_places[0]); ++i) {
            if (snprintf(folder, size, "%s/%s", self, tg_places[i]) < (int)size &&
                tgHasPage(folder)) {
                return true;
            }
        }
    }
    snprintf(folder, size, "%s", TURGOR_SHARE "/studio");
    return tgHasPage(folder);
}

int tgReadStudioPage(tgStudioPage* page)
{
    *page = (tgStudioPage){0};
    char folder[PATH_MAX];
    if (!tgFindStudioPage(folder, sizeof(folder))) {
        return tgSayFailure(folder, "the studio's page is not here; make studio builds it");
    }
    int status = tgReadPageFolder(page, folder, "", 0);
    if (status != tg_statusDone) {
        tgFreeStudioPage(page);
    }
    return status;
}

void tgFreeStudioPage(tgStudioPage* page)
{
    for (int i = 0; i < page->fileCount; ++i) {
        free(page->files[i].bytes);
    }
    *page = (tgStudioPage){0};
}

const tgPageFile* tgStudioPage_Find(const tgStudioPage* page, const char* name)
{
    const char* wanted = name[0] != '\0' ? name : "index.html";
    for (int i = 0; i < page->fileCount; ++i) {
        if (strcmp(page->files[i].name, wanted) == 0) {
            return &page->files[i];
        }
    }
    return NULL;
}
