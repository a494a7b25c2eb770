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

/// Letters get smaller by this step until all fits, but not below so many pixels.
static const float tg_textStep = 0.94f, tg_leastText = 7.5f;
/// In letters: from one line to the next, from a box to its name, between columns.
static const float tg_titleLine = 1.1f, tg_listLine = 1.45f, tg_nameStart = 1.35f,
                   tg_columnGap = 1.1f;
/// A bar with its numbers is about so many letters wide.
static const float tg_barLetters = 5.0f;
/// Its ticks are so many letters long, and its numbers stand so far from it.
static const float tg_tickLetters = 0.25f, tg_numberGap = 0.56f;
/// What has fewer of the smallest letters across and down tells nothing.
static const float tg_leastAcross = 6.0f, tg_leastDown = 8.0f;

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

/// Not the first byte of a character.
static bool tgIsWithinCharacter(char byte)
{
    return ((unsigned char)byte & 0xc0u) == 0x80u;
}

/// The text, its middle left out where it is wider than there is room: ends tell names apart.
static void tgShorten(const char* text, float width, float size, char line[tg_lineBytes])
{
    size_t length = strlen(text), kept = length < tg_lineBytes ? length : tg_lineBytes - 3;
    snprintf(line, tg_lineBytes, "%.*s", tg_lineBytes - 1, text);
    width += 0.5f; // of a pixel: what was measured fits
    while (kept > 2 && (kept < length || tgMeasureText(line, size) > width)) {
        size_t head = (kept + 1) / 2, tail = length - kept / 2;
        while (head > 0 && tgIsWithinCharacter(text[head])) {
            head -= 1;
        }
        while (tgIsWithinCharacter(text[tail])) {
            tail += 1;
        }
        int bytes = snprintf(line, tg_lineBytes, "%.*s..%s", (int)head, text, text + tail);
        if (bytes < tg_lineBytes && tgMeasureText(line, size) <= width) {
            break;
        }
        kept -= 1;
    }
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

/// How many lines the title takes, and how wide the widest is.
static int tgCountTitleLines(const tgLegendDef* def, float size, float* widest)
{
    int count = 0;
    *widest = 0.0f;
    const char* rest = def->title;
    while (rest != NULL && *rest != '\0') {
        char line[tg_lineBytes];
        rest += tgTakeLine(rest, (float)def->rect.width, size, line);
        *widest = fmaxf(*widest, tgMeasureText(line, size));
        count += 1;
    }
    return count;
}

/// The title's lines from the top of the rectangle; where the next line stands.
static tgResult tgWriteTitle(tgPicture* picture, const tgLegendDef* def, float* y, tgError* error)
{
    tgResult result = tg_success;
    const char* rest = def->title;
    while (rest != NULL && *rest != '\0' && result == tg_success) {
        char line[tg_lineBytes], shown[tg_lineBytes];
        rest += tgTakeLine(rest, (float)def->rect.width, def->textSize, line);
        tgShorten(line, (float)def->rect.width, def->textSize, shown);
        result = tgWriteWords(picture, def, shown, (float)def->rect.x, *y, error);
        *y += tg_titleLine * def->textSize;
    }
    return result;
}

static tgResult tgDrawBar(tgPicture* picture, const tgLegendDef* def, float begin, tgError* error)
{
    int width = (int)(1.1f * def->textSize);
    int first = (int)begin, last = def->rect.y + def->rect.height - (int)(0.5f * def->textSize);
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
    int tickLength = (int)(tg_tickLetters * def->textSize + 0.5f);
    int tickWidth = 1 + (int)(def->textSize / 32.0f);
    int tickCount = (int)((float)height / (3.0f * def->textSize));
    tgAxis axis = tgMakeAxis(def->low, def->high, true, tickCount > 2 ? tickCount : 2);
    tgResult result = tg_success;
    for (int i = 0; i < axis.tickCount && result == tg_success; ++i) {
        double tick = tgAxis_GetTick(&axis, i);
        float y = (float)last - (float)((tick - def->low) / (def->high - def->low)) * (float)height;
        int top = (int)(y - 0.5f * (float)tickWidth);
        tgPicture_FillRect(picture, (tgRect){def->rect.x + width, top, tickLength, tickWidth},
                           def->ink);
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
        result = tgWriteWords(picture, def, text,
                              (float)(def->rect.x + width) + tg_numberGap * def->textSize,
                              y + 0.32f * def->textSize, error);
    }
    return result;
}

/// How a list is set.
typedef struct tgListLayout {
    float textSize;
    int columns, rows;
    float columnWidth; ///< from one column to the next
    bool fits;         ///< all entries, with all of their names
} tgListLayout;

static tgListLayout tgTryLayout(const tgLegendDef* def, float size)
{
    float titleWidth, widest = 0.0f;
    float titleHeight = tg_titleLine * (float)tgCountTitleLines(def, size, &titleWidth);
    for (int i = 0; i < def->entryCount; ++i) {
        widest = fmaxf(widest, tgMeasureText(def->entries[i].text, size));
    }
    float gap = tg_columnGap * size, width = (float)def->rect.width;
    float room = (float)def->rect.height - (titleHeight + 0.4f) * size;
    tgListLayout layout = {.textSize = size};
    layout.columnWidth = fminf(tg_nameStart * size + widest, width) + gap;
    int rows = (int)(room / (tg_listLine * size));
    rows = rows > 1 ? rows : 1;
    int needed = (def->entryCount + rows - 1) / rows;
    int most = (int)((width + gap) / layout.columnWidth);
    most = most > 1 ? most : 1;
    layout.columns = needed < most ? needed : most;
    layout.columns = layout.columns > 1 ? layout.columns : 1;
    layout.fits = needed <= most && tg_nameStart * size + widest <= width && titleWidth <= width;
    if (layout.fits && def->entryCount > 0) { // columns of one height
        rows = (def->entryCount + layout.columns - 1) / layout.columns;
    }
    layout.rows = rows;
    return layout;
}

/// The largest letters with which all of it fits.
static tgListLayout tgLayOutList(const tgLegendDef* def)
{
    float size = def->textSize;
    tgListLayout layout = tgTryLayout(def, size);
    while (!layout.fits && size > tg_leastText) {
        size = fmaxf(tg_textStep * size, tg_leastText);
        layout = tgTryLayout(def, size);
    }
    return layout;
}

static tgResult tgDrawEntry(tgPicture* picture, const tgLegendDef* def, const tgLegendEntry* entry,
                            float x, float y, float width, tgError* error)
{
    float size = def->textSize;
    tgRect box = {(int)x, (int)(y - 0.72f * size), (int)(0.9f * size), (int)(0.8f * size)};
    tgResult result = tg_success;
    if (entry->isLine) {
        float middle = (float)box.y + 0.5f * (float)box.height;
        tgSegment line = {(float)box.x + 1.5f, middle, (float)(box.x + box.width) - 1.5f, middle};
        result = tgPicture_DrawSegments(picture, &line, 1, 3.0f, entry->color, error);
    } else {
        tgPicture_FillRect(picture, box, entry->color);
    }
    char name[tg_lineBytes];
    tgShorten(entry->text, width - tg_nameStart * size, size, name);
    return result == tg_success
               ? tgWriteWords(picture, def, name, x + tg_nameStart * size, y, error)
               : result;
}

static tgResult tgDrawList(tgPicture* picture, const tgLegendDef* def, tgError* error)
{
    tgListLayout layout = tgLayOutList(def);
    tgLegendDef set = *def;
    set.textSize = layout.textSize;
    float top = (float)def->rect.y + set.textSize;
    tgResult result = tgWriteTitle(picture, &set, &top, error);
    top += 0.4f * set.textSize;
    int places = layout.columns * layout.rows;
    int shown = def->entryCount <= places ? def->entryCount : places - 1;
    for (int i = 0; i <= shown && result == tg_success; ++i) {
        float x = (float)def->rect.x + layout.columnWidth * (float)(i / layout.rows);
        float y = top + tg_listLine * set.textSize * (float)(i % layout.rows);
        if (i < shown) {
            result = tgDrawEntry(picture, &set, &def->entries[i], x, y,
                                 layout.columnWidth - tg_columnGap * set.textSize, error);
        } else if (shown < def->entryCount) {
            char text[64];
            snprintf(text, sizeof(text), "and %d more", def->entryCount - shown);
            result = tgWriteWords(picture, &set, text, x, y, error);
        }
    }
    return result;
}

/// Letters with which the title and the bar's numbers stay within the width.
static float tgFitBar(const tgLegendDef* def)
{
    float size = fminf(def->textSize, (float)def->rect.width / tg_barLetters), widest;
    while (size > tg_leastText && tgCountTitleLines(def, size, &widest) > 0 &&
           widest > (float)def->rect.width) {
        size *= tg_textStep;
    }
    return fmaxf(size, tg_leastText);
}

bool tgIsLegendReadable(const tgLegendDef* def)
{
    return (float)def->rect.width >= tg_leastAcross * tg_leastText &&
           (float)def->rect.height >= tg_leastDown * tg_leastText;
}

int tgMeasureLegend(const tgLegendDef* def)
{
    float width;
    if (def->high > def->low) {
        float size = tgFitBar(def);
        tgCountTitleLines(def, size, &width);
        width = fmaxf(width, tg_barLetters * size);
    } else {
        tgListLayout layout = tgLayOutList(def);
        tgCountTitleLines(def, layout.textSize, &width);
        float list = layout.columnWidth * (float)layout.columns - tg_columnGap * layout.textSize;
        width = fmaxf(width, list);
    }
    int whole = (int)width + 1;
    return whole < def->rect.width ? whole : def->rect.width;
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
    if (!(def->high > def->low)) {
        return tgDrawList(picture, def, error);
    }
    tgLegendDef set = *def;
    set.textSize = tgFitBar(def);
    float y = (float)def->rect.y + set.textSize;
    tgResult result = tgWriteTitle(picture, &set, &y, error);
    return result == tg_success ? tgDrawBar(picture, &set, y, error) : result;
}
