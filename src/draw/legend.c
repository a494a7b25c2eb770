// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the colours of a picture mean: a bar with ticks at round values, or a list of names.

#include "draw/legend.h"

#include "core/core.h"
#include "draw/axis.h"
#include "draw/lines.h"
#include "draw/scale.h"

#include <stdio.h>
#include <string.h>

enum { tg_legendCookie = 0x6c676e64, tg_lineBytes = 96 };

tgLegendDef tgDefaultLegendDef(void)
{
    tgLegendDef def = {.textSize = 16.0f, .ink = tgMakeColor(0x2b2b2b), .cookie = tg_legendCookie};
    return def;
}

static tgResult tgWriteWords(tgPicture* picture, const tgLegendDef* def, const char* text, float x,
                             float y, tgError* error)
{
    tgTextDef words = tgDefaultTextDef();
    words.text = text;
    words.x = x;
    words.y = y;
    words.size = def->textSize;
    words.color = def->ink;
    return tgPicture_DrawText(picture, &words, error);
}

/// The first words that fit in the width, at least one; how many bytes they and the space after
/// them take.
static size_t tgTakeLine(const char* text, float width, float size, char line[tg_lineBytes])
{
    size_t taken = 0;
    for (size_t end = 0; end < tg_lineBytes - 1; ++end) {
        if (text[end] != ' ' && text[end] != '\0') {
            continue;
        }
        char words[tg_lineBytes];
        snprintf(words, sizeof(words), "%.*s", (int)end, text);
        if (taken > 0 && tgMeasureText(words, size) > width) {
            break;
        }
        memcpy(line, words, tg_lineBytes);
        taken = text[end] == ' ' ? end + 1 : end;
        if (text[end] == '\0') {
            break;
        }
    }
    if (taken == 0) { // one word longer than a line may be
        snprintf(line, tg_lineBytes, "%s", text);
        taken = strlen(text);
    }
    return taken;
}

/// The title's lines from the top of the rectangle; where the next line stands.
static tgResult tgWriteTitle(tgPicture* picture, const tgLegendDef* def, float* y, tgError* error)
{
    tgResult result = tg_success;
    const char* rest = def->title;
    while (rest != NULL && *rest != '\0' && result == tg_success) {
        char line[tg_lineBytes];
        rest += tgTakeLine(rest, (float)def->rect.width, def->textSize, line);
        result = tgWriteWords(picture, def, line, (float)def->rect.x, *y, error);
        *y += 1.1f * def->textSize;
    }
    return result;
}

static tgResult tgDrawBar(tgPicture* picture, const tgLegendDef* def, float top, tgError* error)
{
    int width = (int)(1.1f * def->textSize);
    int first = (int)top, last = def->rect.y + def->rect.height - (int)(0.5f * def->textSize);
    int height = last - first;
    if (height < 8) {
        return tg_success; // no room
    }
    for (int y = 0; y < height; ++y) {
        float value = 1.0f - ((float)y + 0.5f) / (float)height;
        tgPicture_FillRect(picture, (tgRect){def->rect.x, first + y, width, 1},
                           tgGetScaleColor(value));
    }
    tgPicture_DrawFrame(picture, (tgRect){def->rect.x, first, width, height}, 1, def->ink);
    int tickCount = (int)((float)height / (3.0f * def->textSize));
    tgAxis axis = tgMakeAxis(def->low, def->high, true, tickCount > 2 ? tickCount : 2);
    tgResult result = tg_success;
    for (int i = 0; i < axis.tickCount && result == tg_success; ++i) {
        double tick = tgAxis_GetTick(&axis, i);
        float y = (float)last - (float)((tick - def->low) / (def->high - def->low)) * (float)height;
        tgPicture_FillRect(picture, (tgRect){def->rect.x + width, (int)(y - 0.5f), 4, 1}, def->ink);
        char number[64], text[tg_lineBytes];
        double scaled = tick;
        for (int e = 0; e < (axis.exponent < 0 ? -axis.exponent : axis.exponent); ++e) {
            scaled = axis.exponent < 0 ? scaled * 10.0 : scaled / 10.0;
        }
        tgFormatNumber(scaled, axis.decimals, number, sizeof(number));
        if (axis.exponent != 0 && scaled != 0.0) {
            snprintf(text, sizeof(text), "%se%d", number, axis.exponent);
        } else {
            snprintf(text, sizeof(text), "%s", number);
        }
        result = tgWriteWords(picture, def, text, (float)(def->rect.x + width + 9),
                              y + 0.32f * def->textSize, error);
    }
    return result;
}

static tgResult tgDrawEntry(tgPicture* picture, const tgLegendDef* def, const tgLegendEntry* entry,
                            float y, tgError* error)
{
    float size = def->textSize;
    tgRect box = {def->rect.x, (int)(y - 0.72f * size), (int)(0.9f * size), (int)(0.8f * size)};
    tgResult result = tg_success;
    if (entry->isLine) {
        float middle = (float)box.y + 0.5f * (float)box.height;
        tgSegment line = {(float)box.x + 1.5f, middle, (float)(box.x + box.width) - 1.5f, middle};
        result = tgPicture_DrawSegments(picture, &line, 1, 3.0f, entry->color, error);
    } else {
        tgPicture_FillRect(picture, box, entry->color);
    }
    return result == tg_success ? tgWriteWords(picture, def, entry->text,
                                               (float)def->rect.x + 1.35f * size, y, error)
                                : result;
}

static tgResult tgDrawList(tgPicture* picture, const tgLegendDef* def, float y, tgError* error)
{
    float line = 1.45f * def->textSize;
    float bottom = (float)(def->rect.y + def->rect.height);
    tgResult result = tg_success;
    for (int i = 0; i < def->entryCount && result == tg_success; ++i, y += line) {
        if (y + line > bottom && i + 1 < def->entryCount) {
            char text[64];
            snprintf(text, sizeof(text), "and %d more", def->entryCount - i);
            return tgWriteWords(picture, def, text, (float)def->rect.x, y, error);
        }
        result = tgDrawEntry(picture, def, &def->entries[i], y, error);
    }
    return result;
}

tgResult tgPicture_DrawLegend(tgPicture* picture, const tgLegendDef* def, tgError* error)
{
    if (def == NULL || def->cookie != tg_legendCookie) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the legend definition must start from tgDefaultLegendDef()");
    }
    if (picture == NULL || (def->entryCount > 0 && def->entries == NULL)) {
        return tgFail(error, tg_invalidArgument, -1, "there is no %s",
                      picture == NULL ? "picture to draw into" : "entry to list");
    }
    float y = (float)def->rect.y + def->textSize;
    tgResult result = tgWriteTitle(picture, def, &y, error);
    if (result != tg_success) {
        return result;
    }
    return def->high > def->low ? tgDrawBar(picture, def, y, error)
                                : tgDrawList(picture, def, y + 0.4f * def->textSize, error);
}
