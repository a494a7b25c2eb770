// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Percent escapes (RFC 3986) and base64 (RFC 4648) behind the URIs of a glTF.

#include "io/gltf_uri.h"

#include "core/core.h"
#include "io/gltf_json.h"

#include <stdlib.h>
#include <string.h>

/// 0 to 63, or 255 for a character that is not base64.
static uint8_t tgDecodeDigit(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return (uint8_t)(c - 'A');
    }
    if (c >= 'a' && c <= 'z') {
        return (uint8_t)(c - 'a' + 26);
    }
    if (c >= '0' && c <= '9') {
        return (uint8_t)(c - '0' + 52);
    }
    return c == '+' ? 62 : c == '/' ? 63 : 255;
}

static tgResult tgDecodeBase64(const char* text, const char* place, uint8_t** bytes, size_t* size,
                               tgError* error)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '=') {
        length -= 1;
    }
    if (length % 4 == 1) {
        return tgFail(error, tg_ioError, -1, "%s: the base64 data is cut off after %zu characters",
                      place, length);
    }
    uint8_t* memory = malloc(length / 4 * 3 + 3);
    if (memory == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "%s: not enough memory for %zu characters of data",
                      place, length);
    }
    size_t used = 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < length; ++i) {
        uint8_t digit = tgDecodeDigit(text[i]);
        if (digit > 63) {
            free(memory);
            return tgFail(error, tg_ioError, -1,
                          "%s: character %zu of the base64 data is not base64", place, i);
        }
        bits = bits << 6 | digit;
        if (i % 4 == 3) {
            memory[used++] = (uint8_t)(bits >> 16);
            memory[used++] = (uint8_t)(bits >> 8);
            memory[used++] = (uint8_t)bits;
        }
    }
    // Two digits left over hold one byte and three hold two.
    if (length % 4 >= 2) {
        bits <<= length % 4 == 2 ? 12 : 6;
        memory[used++] = (uint8_t)(bits >> 16);
    }
    if (length % 4 == 3) {
        memory[used++] = (uint8_t)(bits >> 8);
    }
    *bytes = memory;
    *size = used;
    return tg_success;
}

static int tgDecodeHex(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// Undo percent escapes in place; false when one is broken or stands for the end of the text.
static bool tgUnescape(char* text)
{
    char* out = text;
    for (const char* in = text; *in != '\0'; ++in) {
        if (*in != '%') {
            *out++ = *in;
            continue;
        }
        int high = tgDecodeHex(in[1]);
        int low = high >= 0 ? tgDecodeHex(in[2]) : -1;
        if (low < 0 || (high == 0 && low == 0)) {
            return false;
        }
        *out++ = (char)(high * 16 + low);
        in += 2;
    }
    *out = '\0';
    return true;
}

/// "http:", "file:" and "C:" alike: letters, then a colon, before any slash.
static bool tgHasScheme(const char* uri)
{
    size_t length = strcspn(uri, ":/\\?#");
    return length > 0 && uri[length] == ':';
}

static tgResult tgReadRelativeFile(char* relative, const tgFileRoot* root, const char* place,
                                   size_t most, uint8_t** bytes, size_t* size, tgError* error)
{
    tgPlace name = tgShortenText(relative);
    // Judged before the escapes: "a%3Ab.bin" is a plain file with a colon in its name.
    bool hasScheme = tgHasScheme(relative);
    if (!tgUnescape(relative) || relative[0] == '\0') {
        return tgFail(error, tg_ioError, -1, "%s: the file name \"%s\" is empty or badly escaped",
                      place, name.text);
    }
    if (hasScheme || relative[0] == '/' || relative[0] == '\\') {
        return tgFail(error, tg_unsupported, -1,
                      "%s: \"%s\" is an absolute address, expected a file beside this one", place,
                      name.text);
    }
    if (root->folder == NULL) {
        return tgFail(error, tg_ioError, -1,
                      "%s is in the file \"%s\", and there is no folder to look in", place,
                      name.text);
    }
    tgError reason = {0};
    tgResult result = tgReadBeside(root, relative, most, bytes, size, &reason);
    if (result != tg_success) {
        return tgFail(error, result, -1, "%s: file \"%s\" %.120s", place, name.text,
                      reason.message);
    }
    return tg_success;
}

bool tgIsDataUri(const char* uri)
{
    return strncmp(uri, "data:", 5) == 0;
}

char* tgMakeUriName(const char* uri)
{
    size_t size = strlen(uri) + 1;
    char* name = malloc(size);
    if (name != NULL && !tgUnescape(memcpy(name, uri, size))) {
        free(name);
        name = NULL;
    }
    return name;
}

tgResult tgReadUri(const char* uri, const tgFileRoot* root, const char* place, size_t most,
                   uint8_t** bytes, size_t* size, tgError* error)
{
    if (tgIsDataUri(uri)) {
        const char* comma = strchr(uri, ',');
        if (comma == NULL || comma - uri < 7 || strncmp(comma - 7, ";base64", 7) != 0) {
            return tgFail(error, tg_unsupported, -1, "%s: a data URI that is not base64", place);
        }
        return tgDecodeBase64(comma + 1, place, bytes, size, error);
    }
    size_t uriSize = strlen(uri) + 1;
    char* relative = malloc(uriSize);
    if (relative == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "%s: not enough memory", place);
    }
    memcpy(relative, uri, uriSize);
    tgResult result = tgReadRelativeFile(relative, root, place, most, bytes, size, error);
    free(relative);
    return result;
}
