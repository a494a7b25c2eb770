// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// No output may be an input. Files are compared by device and number, so that links and other
// spellings of a path do not hide one.

#include "inputs.h"

#include "io/gltf_source.h"
#include "io/gltf_uri.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int tgRefuseSame(const char* output, const char* input)
{
    struct stat out, in;
    if (output == NULL || input == NULL || stat(output, &out) != 0 || stat(input, &in) != 0 ||
        !S_ISREG(out.st_mode) || out.st_dev != in.st_dev || out.st_ino != in.st_ino) {
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
static int tgRefuseUris(const tgShot* shot, const char* output, const char* key)
{
    const tgGltfSource* source = shot->scene->source;
    int status = tg_statusDone;
    const tgJsonValue* entry = NULL;
    for (size_t index = 0;
         (entry = tgJson_GetItem(tgJson_Find(source->document, key), index)) != NULL; ++index) {
        const char* uri = tgJson_GetString(tgJson_Find(entry, "uri"));
        char* name = uri != NULL && !tgIsDataUri(uri) ? tgMakeUriName(uri) : NULL;
        if (name != NULL && status == tg_statusDone) {
            status = tgRefuseBeside(output, source->folder, shot->file, name);
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

int tgShot_RefuseOutput(const tgShot* shot, const tgShotOptions* options, const char* output)
{
    if (output == NULL) {
        return tg_statusDone;
    }
    int status = tg_statusDone;
    if (shot->scene->source != NULL && shot->scene->source->folder != NULL) {
        status = tgRefuseUris(shot, output, "buffers");
        status = status == tg_statusDone ? tgRefuseUris(shot, output, "images") : status;
    }
    if (status == tg_statusDone && options->settings != NULL) {
        status = tgRefuseBones(options->settings, output);
    }
    return status;
}
