// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What outputs may be called: they end as their options say, and none may be an input or another
// output. Files are compared by device and number, so that links and other spellings of a path do
// not hide one; one that is not there yet by its folder and name.

#include "inputs.h"

#include "io/gltf_source.h"
#include "io/gltf_uri.h"
#include "io/output_file.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// By device and number; what is not there is no file.
static bool tgIsSameFile(const char* a, const char* b)
{
    struct stat at, other;
    return stat(a, &at) == 0 && stat(b, &other) == 0 && at.st_dev == other.st_dev &&
           at.st_ino == other.st_ino;
}

static bool tgIsPlainFile(const char* path)
{
    struct stat at;
    return stat(path, &at) == 0 && S_ISREG(at.st_mode);
}

int tgRefuseSame(const char* output, const char* input)
{
    if (output == NULL || input == NULL || !tgIsPlainFile(output) || !tgIsSameFile(output, input)) {
        return tg_statusDone;
    }
    return tgSayFailure(output,
                        "is the input %s itself, which it would replace; give the output "
                        "another name",
                        input);
}

/// What the table shows for its value says what an option is.
/// @param which of a pair
static const char* tgGetPath(const tgOption* option, const char* kind, int which)
{
    bool isPair = option->kind == tg_optionPair;
    bool isPath = (option->kind == tg_optionText || isPair) && option->value != NULL &&
                  strncmp(option->value, kind, strlen(kind)) == 0;
    return isPath && which < (isPair ? 2 : 1) ? ((const char**)option->target)[which] : NULL;
}

/// ".glb, .gltf or .obj" of the value "OUT.glb|.gltf|.obj", and whether a path ends so.
static bool tgListEndings(const char* value, const char* path, char* list, size_t size)
{
    bool isOne = false;
    size_t used = 0;
    list[0] = '\0';
    for (const char* at = strchr(value, '.'); at != NULL; at = strchr(at, '.')) {
        char ending[16];
        int length = (int)strcspn(at, "|");
        bool isFirst = used == 0, isLast = at[length] == '\0';
        snprintf(ending, sizeof(ending), "%.*s", length, at);
        isOne = isOne || tgHasEnding(path, ending);
        used += (size_t)snprintf(list + used, size - used, "%s%s",
                                 isFirst  ? ""
                                 : isLast ? " or "
                                          : ", ",
                                 ending);
        at += length;
    }
    return isOne;
}

/// The same file, or, where it is not there yet, the same name in the same folder.
static bool tgIsSamePlace(const char* a, const char* b)
{
    if (access(a, F_OK) == 0) {
        return tgIsPlainFile(a) && tgIsSameFile(a, b);
    }
    const char *name = tgGetFileName(a), *other = tgGetFileName(b);
    char folder[4096], otherFolder[4096];
    snprintf(folder, sizeof(folder), "%.*s.", (int)(name - a), a);
    snprintf(otherFolder, sizeof(otherFolder), "%.*s.", (int)(other - b), b);
    return strcmp(name, other) == 0 && tgIsSameFile(folder, otherFolder);
}

int tgCheckOutputNames(const tgVerb* verb)
{
    for (int o = 0; o < verb->optionCount; ++o) {
        const tgOption* option = &verb->options[o];
        const char* output = tgGetPath(option, "OUT", 0);
        char endings[64];
        if (output != NULL && !tgListEndings(option->value, output, endings, sizeof(endings))) {
            return tgSayUsage("%s is %s, wanted a name that ends in %s", option->name, output,
                              endings);
        }
        for (int i = 0; i < o && output != NULL; ++i) {
            const char* other = tgGetPath(&verb->options[i], "OUT", 0);
            if (other != NULL && tgIsSamePlace(output, other)) {
                return tgSayUsage("%s and %s are both %s, of which one would be lost; give them "
                                  "names of their own",
                                  verb->options[i].name, option->name, output);
            }
        }
    }
    return tg_statusDone;
}

int tgRefuseOutputs(const tgVerb* verb, const char* operand)
{
    int status = tg_statusDone;
    for (int o = 0; o < verb->optionCount && status == tg_statusDone; ++o) {
        const char* output = tgGetPath(&verb->options[o], "OUT", 0);
        status = tgRefuseSame(output, operand);
        for (int i = 0; i < 2 * verb->optionCount && status == tg_statusDone; ++i) {
            status = tgRefuseSame(output, tgGetPath(&verb->options[i / 2], "FILE", i % 2));
        }
    }
    return status;
}

/// `name` as seen from the folder of `path`, or from `folder` where that is not NULL.
static int tgRefuseBeside(const char* output, const char* folder, const char* path,
                          const char* name)
{
    const char* slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    size_t size = (folder != NULL ? strlen(folder) : length) + strlen(name) + 2;
    char* joined = malloc(size);
    if (joined == NULL) {
        return tgSayFailure(output, "out of memory");
    }
    if (name[0] == '/') {
        snprintf(joined, size, "%s", name);
    } else if (folder != NULL) {
        snprintf(joined, size, "%s/%s", folder, name);
    } else {
        snprintf(joined, size, "%.*s%s", (int)length, path, name);
    }
    int status = tgRefuseSame(output, joined);
    free(joined);
    return status;
}

/// Every "uri" of the document's buffers, or of its images.
static int tgRefuseUris(const tgGltfSource* source, const char* file, const char* output,
                        const char* key)
{
    int status = tg_statusDone;
    const tgJsonValue* entry = NULL;
    for (size_t index = 0;
         (entry = tgJson_GetItem(tgJson_Find(source->document, key), index)) != NULL; ++index) {
        const char* uri = tgJson_GetString(tgJson_Find(entry, "uri"));
        char* name = uri != NULL && !tgIsDataUri(uri) ? tgMakeUriName(uri) : NULL;
        if (name != NULL && status == tg_statusDone) {
            status = tgRefuseBeside(output, source->folder, file, name);
        }
        free(name);
    }
    return status;
}

static int tgRefuseBones(const char* settings, const char* output)
{
    int status = tg_statusDone;
    tgError error = {0};
    tgArena arena = {0};
    uint8_t* bytes = NULL;
    size_t size = 0;
    if (tgReadFile(settings, tg_largestJson, &bytes, &size, &error) != tg_success) {
        return tgSayFailed(settings, &error);
    }
    const tgJsonValue* root = tgParseJson((const char*)bytes, size, &arena, &error);
    free(bytes);
    if (root == NULL) {
        status = tgSayFailed(settings, &error); // it was read once already, and found good
    }
    const tgJsonValue* bone = NULL;
    for (size_t index = 0; (bone = tgJson_GetItem(tgJson_Find(root, "bones"), index)) != NULL;
         ++index) {
        const char* mesh = tgJson_GetString(tgJson_Find(bone, "mesh"));
        if (mesh != NULL && status == tg_statusDone) {
            status = tgRefuseBeside(output, NULL, settings, mesh);
        }
    }
    tgArena_Free(&arena);
    return status;
}

int tgScene_RefuseOutput(const tgScene* scene, const char* file, const char* output)
{
    const tgGltfSource* source = scene->source;
    if (output == NULL || source == NULL || source->folder == NULL) {
        return tg_statusDone;
    }
    int status = tgRefuseUris(source, file, output, "buffers");
    return status == tg_statusDone ? tgRefuseUris(source, file, output, "images") : status;
}

int tgShot_RefuseOutput(const tgShot* shot, const tgShotOptions* options, const char* output)
{
    int status = tgScene_RefuseOutput(shot->scene, shot->file, output);
    return status == tg_statusDone && output != NULL && options->settings != NULL
               ? tgRefuseBones(options->settings, output)
               : status;
}
