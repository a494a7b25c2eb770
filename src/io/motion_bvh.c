// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Biovision .bvh: HIERARCHY (ROOT, JOINT, End Site, each with OFFSET and CHANNELS), then MOTION,
// one line of numbers for each frame. Several ROOTs, channels in any order, names with blanks and
// keywords in any capitals are taken; what is wrong is told with its line.

#include "io/motion_bvh.h"

#include "core/core.h"
#include "io/gltf_uri.h"
#include "io/motion_bvh_private.h"

#include <stdlib.h>
#include <string.h>

/// Seconds between frames that a file may claim.
static const float tg_leastFrameTime = 1e-6f, tg_mostFrameTime = 1e6f;

static const char* const tg_bvhChannelNames[tg_mostBvhChannels] = {
    "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation",
};

/// Bytes of the file may be anything; a message is text.
static tgResult tgFailBvh(tgBvhReader* reader, const char* wanted, tgObjWord found)
{
    char text[40];
    size_t length = 0;
    for (; length < (size_t)found.length && length + 1 < sizeof(text); ++length) {
        char c = found.text[length];
        text[length] = c >= 0x20 && c < 0x7f ? c : '?';
    }
    text[length] = '\0';
    return tgFail(reader->error, tg_ioError, -1, "line %d: expected %s, found \"%s\"",
                  reader->text.line, wanted, text);
}

/// The next word, on this line or a later one; an empty one at the end of the file.
static tgObjWord tgNextBvhWord(tgBvhReader* reader)
{
    tgObjWord word = {"", 0};
    while (!tgObjText_NextWord(&reader->text, &word) && tgObjText_NextLine(&reader->text)) {
    }
    return word;
}

/// Programs disagree on capitals.
static bool tgIsBvhWord(tgObjWord word, const char* text)
{
    for (int i = 0; i < word.length; ++i) {
        char a = word.text[i], b = text[i];
        a = a >= 'a' && a <= 'z' ? (char)(a - 'a' + 'A') : a;
        b = b >= 'a' && b <= 'z' ? (char)(b - 'a' + 'A') : b;
        if (b == '\0' || a != b) {
            return false;
        }
    }
    return text[word.length] == '\0';
}

static tgResult tgExpectBvhWord(tgBvhReader* reader, const char* text)
{
    tgObjWord word = tgNextBvhWord(reader);
    return tgIsBvhWord(word, text) ? tg_success : tgFailBvh(reader, text, word);
}

static tgResult tgReadBvhFloat(tgBvhReader* reader, const char* what, float* value)
{
    tgObjWord word = tgNextBvhWord(reader);
    return tgObjWord_GetFloat(word, value) ? tg_success : tgFailBvh(reader, what, word);
}

/// The rest of the line as a name; an opening brace at its end is left to be read.
static tgObjWord tgReadBvhName(tgBvhReader* reader)
{
    tgObjWord name = tgObjText_Rest(&reader->text);
    if (name.length > 0 && name.text[name.length - 1] == '{') {
        name.length -= 1;
        reader->text.at = name.text + name.length;
    }
    while (name.length > 0 &&
           (name.text[name.length - 1] == ' ' || name.text[name.length - 1] == '\t')) {
        name.length -= 1;
    }
    return name;
}

/// Adds a node below `parent` and reads its name and its opening brace; its index comes back.
static tgResult tgOpenBvhNode(tgBvhReader* reader, int parent, bool isEnd, int* opened)
{
    if (reader->nodeCount == tg_mostBvhNodes) {
        return tgFail(reader->error, tg_unsupported, -1, "line %d: more than %d joints",
                      reader->text.line, tg_mostBvhNodes);
    }
    if (reader->nodeCount == reader->nodeRoom) {
        int room = reader->nodeRoom > 0 ? 2 * reader->nodeRoom : 64;
        tgBvhNode* grown = realloc(reader->nodes, (size_t)room * sizeof(*grown));
        if (grown == NULL) {
            return tgFail(reader->error, tg_outOfMemory, -1, "not enough memory for the joints");
        }
        reader->nodes = grown;
        reader->nodeRoom = room;
    }
    tgObjWord name = tgReadBvhName(reader);
    tgBvhNode* node = &reader->nodes[reader->nodeCount];
    *node = (tgBvhNode){.name = name, .parent = parent, .isEnd = isEnd};
    if (isEnd) {
        node->name = reader->nodes[parent].name;
    } else if (name.length == 0) {
        return tgFailBvh(reader, "the joint's name", name);
    }
    *opened = reader->nodeCount++;
    return tgExpectBvhWord(reader, "{");
}

static tgResult tgReadBvhOffset(tgBvhReader* reader, tgBvhNode* node)
{
    tgResult result = tgReadBvhFloat(reader, "the OFFSET's x", &node->offset.x);
    if (result == tg_success) {
        result = tgReadBvhFloat(reader, "the OFFSET's y", &node->offset.y);
    }
    if (result == tg_success) {
        result = tgReadBvhFloat(reader, "the OFFSET's z", &node->offset.z);
    }
    node->hasOffset = true;
    return result;
}

static tgResult tgReadBvhChannels(tgBvhReader* reader, tgBvhNode* node)
{
    tgObjWord word = tgNextBvhWord(reader);
    tgObjWord rest = word;
    if (!tgObjWord_CutInt(&rest, &node->channelCount) || rest.length > 0 ||
        node->channelCount < 0 || node->channelCount > tg_mostBvhChannels) {
        return tgFailBvh(reader, "a number of channels from 0 to 6", word);
    }
    bool isSeen[tg_mostBvhChannels] = {false};
    for (int c = 0; c < node->channelCount; ++c) {
        word = tgNextBvhWord(reader);
        int kind = 0;
        while (kind < tg_mostBvhChannels && !tgIsBvhWord(word, tg_bvhChannelNames[kind])) {
            kind += 1;
        }
        if (kind == tg_mostBvhChannels || isSeen[kind]) {
            return tgFailBvh(reader, "a channel such as Xposition or Zrotation, each once", word);
        }
        isSeen[kind] = true;
        node->channels[c] = kind;
    }
    node->hasChannels = true;
    reader->channelCount += node->channelCount;
    return tg_success;
}

/// What stands inside the braces of node `*open`, one item; moves `*open` down or up.
static tgResult tgReadBvhItem(tgBvhReader* reader, int* open)
{
    tgObjWord word = tgNextBvhWord(reader);
    tgBvhNode* node = &reader->nodes[*open];
    if (tgIsBvhWord(word, "OFFSET") && !node->hasOffset) {
        return tgReadBvhOffset(reader, node);
    }
    if (tgIsBvhWord(word, "CHANNELS") && !node->hasChannels && !node->isEnd) {
        return tgReadBvhChannels(reader, node);
    }
    if (tgIsBvhWord(word, "JOINT") && !node->isEnd) {
        return tgOpenBvhNode(reader, *open, false, open);
    }
    if (tgIsBvhWord(word, "End") && !node->isEnd) {
        tgResult result = tgExpectBvhWord(reader, "Site");
        return result == tg_success ? tgOpenBvhNode(reader, *open, true, open) : result;
    }
    if (tgIsBvhWord(word, "}")) {
        if (!node->hasOffset) {
            return tgFailBvh(reader, "an OFFSET before the end of the joint", word);
        }
        *open = node->parent;
        return tg_success;
    }
    return tgFailBvh(reader, "one OFFSET, one CHANNELS, JOINT, End Site or }", word);
}

/// All skeletons, up to the word after the last; that one comes back.
static tgResult tgReadBvhHierarchy(tgBvhReader* reader, tgObjWord* after)
{
    tgResult result = tgExpectBvhWord(reader, "HIERARCHY");
    *after = tgNextBvhWord(reader);
    if (result == tg_success && !tgIsBvhWord(*after, "ROOT")) {
        result = tgFailBvh(reader, "ROOT", *after);
    }
    while (result == tg_success && tgIsBvhWord(*after, "ROOT")) {
        int open = -1;
        result = tgOpenBvhNode(reader, -1, false, &open);
        while (result == tg_success && open >= 0) {
            result = tgReadBvhItem(reader, &open);
        }
        *after = result == tg_success ? tgNextBvhWord(reader) : *after;
    }
    return result;
}

/// The numbers of the line at hand into the next frame; an empty line is passed over.
static tgResult tgReadBvhFrame(tgBvhReader* reader, int* room)
{
    tgObjWord word;
    int count = 0;
    float* frame = NULL;
    for (; tgObjText_NextWord(&reader->text, &word); ++count) {
        if (reader->frameCount == *room) {
            *room = 2 * *room + 64;
            size_t size = (size_t)*room * (size_t)reader->channelCount * sizeof(float);
            float* grown = realloc(reader->frames, size);
            if (grown == NULL) {
                return tgFail(reader->error, tg_outOfMemory, -1, "not enough memory for %d frames",
                              *room);
            }
            reader->frames = grown;
        }
        frame = reader->frames + (size_t)reader->frameCount * (size_t)reader->channelCount;
        float value;
        if (!tgObjWord_GetFloat(word, &value)) {
            return tgFailBvh(reader, "a number", word);
        }
        if (count < reader->channelCount) {
            frame[count] = value;
        }
    }
    if (count > 0 && count != reader->channelCount) {
        return tgFail(reader->error, tg_ioError, reader->frameCount,
                      "line %d: frame %d has %d numbers, the joints have %d channels",
                      reader->text.line, reader->frameCount, count, reader->channelCount);
    }
    reader->frameCount += count > 0 ? 1 : 0;
    return tg_success;
}

static tgResult tgReadBvhMotion(tgBvhReader* reader)
{
    tgResult result = tgExpectBvhWord(reader, "Frames:");
    if (result == tg_success) {
        tgObjWord word = tgNextBvhWord(reader);
        tgObjWord rest = word;
        if (!tgObjWord_CutInt(&rest, &reader->toldCount) || rest.length > 0 ||
            reader->toldCount < 0) {
            return tgFailBvh(reader, "the number of frames", word);
        }
        result = tgExpectBvhWord(reader, "Frame");
    }
    if (result == tg_success) {
        result = tgExpectBvhWord(reader, "Time:");
    }
    if (result == tg_success) {
        result = tgReadBvhFloat(reader, "the seconds of a frame", &reader->frameTime);
    }
    if (result == tg_success &&
        !(reader->frameTime >= tg_leastFrameTime && reader->frameTime <= tg_mostFrameTime)) {
        result =
            tgFail(reader->error, tg_ioError, -1,
                   "line %d: a frame lasts %g seconds, expected %g to %g", reader->text.line,
                   (double)reader->frameTime, (double)tg_leastFrameTime, (double)tg_mostFrameTime);
    }
    if (result == tg_success && reader->toldCount > 0 && reader->channelCount == 0) {
        result = tgFail(reader->error, tg_ioError, -1,
                        "line %d: there are frames, but no joint has channels", reader->text.line);
    }
    int room = 0;
    while (result == tg_success && tgObjText_NextLine(&reader->text)) {
        result = tgReadBvhFrame(reader, &room);
    }
    return result;
}

tgScene* tgImportBvhMemory(const char* text, size_t size, tgError* error)
{
    tgBvhReader reader = {.text = {text, text + size, 1}, .error = error};
    tgObjWord after = {"", 0};
    tgResult result = tgReadBvhHierarchy(&reader, &after);
    if (result == tg_success && tgIsBvhWord(after, "MOTION")) {
        result = tgReadBvhMotion(&reader);
    } else if (result == tg_success && after.length > 0) {
        result = tgFailBvh(&reader, "MOTION, ROOT or the end of the file", after);
    }
    tgScene* scene = result == tg_success ? tgCreateScene() : NULL;
    if (result == tg_success && scene == NULL) {
        tgFail(error, tg_outOfMemory, -1, "not enough memory");
    }
    if (scene != NULL && tgBuildBvhScene(&reader, scene) != tg_success) {
        tgDestroyScene(scene);
        scene = NULL;
    }
    free(reader.nodes);
    free(reader.frames);
    return scene;
}

tgScene* tgImportBvh(const char* path, tgError* error)
{
    uint8_t* bytes = NULL;
    size_t size = 0;
    if (tgReadFile(path, tg_largestFile, &bytes, &size, error) != tg_success) {
        return NULL;
    }
    tgScene* scene = tgImportBvhMemory((const char*)bytes, size, error);
    free(bytes);
    return scene;
}
