// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The property SkinningType of an FBX file's skin deformers, found in its raw bytes. A binary node
// is the length of its name, the name, then its values: "S", the length in four bytes with the
// lowest first, and the text. Only arrays are ever compressed, so the name stands there as it is.
// In a text file the line is
//     SkinningType: "DualQuaternion"
// The other values are "Linear", "Rigid" (one joint a vertex, so linear as well) and "Blend".

#include "io/fbx_skinning.h"

#include <string.h>

static const char tg_key[] = "SkinningType";
enum { tg_keySize = sizeof(tg_key) - 1 };

typedef struct tgBytes {
    const unsigned char *at, *end;
} tgBytes;

/// Whether `bytes` starts with this text.
static bool tgStartsWith(tgBytes bytes, const char* text, size_t size)
{
    return (size_t)(bytes.end - bytes.at) >= size && memcmp(bytes.at, text, size) == 0;
}

/// The value after the name of a binary node; empty when it is no text.
static tgBytes tgFindBinaryValue(tgBytes rest)
{
    enum { tg_headSize = 5 };
    tgBytes none = {rest.end, rest.end};
    if (rest.end - rest.at < tg_headSize || rest.at[0] != 'S') {
        return none;
    }
    size_t size =
        rest.at[1] | (size_t)rest.at[2] << 8 | (size_t)rest.at[3] << 16 | (size_t)rest.at[4] << 24;
    rest.at += tg_headSize;
    return (size_t)(rest.end - rest.at) >= size ? (tgBytes){rest.at, rest.at + size} : none;
}

/// The value after the name in a text file: what is between the quotation marks.
static tgBytes tgFindTextValue(tgBytes rest)
{
    tgBytes none = {rest.end, rest.end};
    if (!tgStartsWith(rest, ":", 1)) {
        return none;
    }
    do {
        rest.at += 1;
    } while (rest.at < rest.end && (*rest.at == ' ' || *rest.at == '\t'));
    if (!tgStartsWith(rest, "\"", 1)) {
        return none;
    }
    const unsigned char* close =
        memchr(rest.at + 1, '"', (size_t)(rest.end - rest.at - 1)); // one is there
    return close != NULL ? (tgBytes){rest.at + 1, close} : none;
}

/// Whether only blanks are between `at` and the start of its line.
static bool tgIsFirstOfLine(const unsigned char* start, const unsigned char* at)
{
    while (at > start && (at[-1] == ' ' || at[-1] == '\t')) {
        at -= 1;
    }
    return at == start || at[-1] == '\n' || at[-1] == '\r';
}

static void tgCountValue(tgBytes value, tgFbxSkinnings* skinnings)
{
    static const struct {
        const char* text;
        tgSkinning skinning;
    } values[] = {{"Linear", tg_linear},
                  {"Rigid", tg_linear},
                  {"DualQuaternion", tg_dualQuaternion},
                  {"Blend", tg_blend}};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); ++i) {
        size_t size = strlen(values[i].text);
        bool isSame =
            (size_t)(value.end - value.at) == size && tgStartsWith(value, values[i].text, size);
        skinnings->counts[values[i].skinning] += isSame;
    }
}

tgFbxSkinnings tgScanFbxSkinnings(const void* bytes, size_t size)
{
    tgFbxSkinnings skinnings = {{0}};
    const unsigned char* start = bytes;
    tgBytes rest = {start, start + size};
    bool isBinary = tgStartsWith(rest, "Kaydara FBX Binary", 18);
    while (rest.at < rest.end &&
           (rest.at = memchr(rest.at, tg_key[0], (size_t)(rest.end - rest.at))) != NULL) {
        const unsigned char* key = rest.at;
        if (!tgStartsWith(rest, tg_key, tg_keySize)) {
            rest.at += 1;
            continue;
        }
        rest.at += tg_keySize;
        if (isBinary && key > start && key[-1] == tg_keySize) {
            tgCountValue(tgFindBinaryValue(rest), &skinnings);
        } else if (!isBinary && tgIsFirstOfLine(start, key)) {
            tgCountValue(tgFindTextValue(rest), &skinnings);
        }
    }
    return skinnings;
}

tgSkinning tgFbxSkinnings_GetMost(const tgFbxSkinnings* skinnings)
{
    int most = tg_linear;
    for (int s = tg_dualQuaternion; s <= tg_blend; ++s) {
        most = skinnings->counts[s] > skinnings->counts[most] ? s : most;
    }
    return (tgSkinning)most;
}
