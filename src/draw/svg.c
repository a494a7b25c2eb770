// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pieces of SVG: numbers without the locale, text with XML's special characters escaped, lines.

#include "draw/svg.h"

#include "draw/axis.h"

#include <stdbool.h>
#include <string.h>

void tgWriteNumber(FILE* file, double value)
{
    char text[64];
    tgFormatNumber(value, 2, text, sizeof(text));
    fputs(text, file);
}

/// ` name="value"`
static void tgWriteAttribute(FILE* file, const char* name, double value)
{
    fprintf(file, " %s=\"", name);
    tgWriteNumber(file, value);
    fputc('"', file);
}

/// Bytes of the UTF-8 character at `text`; 0 when it is not one that XML may hold.
static int tgGetCharacterSize(const unsigned char* text)
{
    static const unsigned char leads[] = {0x00, 0xC0, 0xE0, 0xF0};
    static const unsigned char masks[] = {0x80, 0xE0, 0xF0, 0xF8};
    static const unsigned int smallest[] = {0x20, 0x80, 0x800, 0x10000};
    for (int size = 1; size <= 4; ++size) {
        if ((text[0] & masks[size - 1]) != leads[size - 1]) {
            continue;
        }
        unsigned int code = text[0] & (unsigned int)(unsigned char)~masks[size - 1];
        for (int i = 1; i < size; ++i) {
            if ((text[i] & 0xC0) != 0x80) {
                return 0;
            }
            code = code << 6 | (text[i] & 0x3Fu);
        }
        bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        bool last = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
        return code < smallest[size - 1] || surrogate || last ? 0 : size;
    }
    return 0;
}

void tgWriteEscaped(FILE* file, const char* text)
{
    const unsigned char* next = (const unsigned char*)text;
    while (*next != '\0') {
        int size = tgGetCharacterSize(next);
        if (size == 0) {
            fputc(*next == '\t' || *next == '\n' ? ' ' : '?', file);
        } else if (*next == '&') {
            fputs("&amp;", file);
        } else if (*next == '<') {
            fputs("&lt;", file);
        } else if (*next == '>') {
            fputs("&gt;", file);
        } else if (*next == '"') {
            fputs("&quot;", file);
        } else {
            fwrite(next, 1, (size_t)size, file);
        }
        next += size > 0 ? size : 1;
    }
}

double tgEstimateWidth(const char* text, double size)
{
    double width = 0.0;
    for (const unsigned char* next = (const unsigned char*)text; *next != '\0'; ++next) {
        bool continues = (*next & 0xC0) == 0x80;
        bool narrow = strchr("fijlrtI.,:;!|'()[] ", *next) != NULL;
        bool wide = strchr("mwMW@%", *next) != NULL;
        width += continues ? 0.0 : (narrow ? 0.36 : (wide ? 0.97 : 0.62));
    }
    return width * size;
}

void tgWriteText(FILE* file, const tgSvgText* text)
{
    fputs("<text", file);
    tgWriteAttribute(file, "x", text->x);
    tgWriteAttribute(file, "y", text->y);
    tgWriteAttribute(file, "font-size", text->size);
    fprintf(file, " class=\"%s\" fill=\"%s\"", text->ink.name, text->ink.color);
    if (text->anchor != NULL) {
        fprintf(file, " text-anchor=\"%s\"", text->anchor);
    }
    if (text->weight != NULL) {
        fprintf(file, " font-weight=\"%s\"", text->weight);
    }
    fputc('>', file);
    tgWriteEscaped(file, text->text);
    if (text->exponent != 0) {
        // Times ten to the power, raised by a third of a line: superscripts by baseline-shift are
        // not drawn by every viewer.
        fputs(" (\xC3\x97 10<tspan dy=\"-4\" font-size=\"9\">", file);
        fprintf(file, "%s%d", text->exponent < 0 ? "\xE2\x88\x92" : "",
                text->exponent < 0 ? -text->exponent : text->exponent);
        fputs("</tspan><tspan dy=\"4\">)</tspan>", file);
    }
    fputs("</text>\n", file);
}

void tgWriteLine(FILE* file, const double from[2], const double to[2])
{
    fputs("<line", file);
    tgWriteAttribute(file, "x1", from[0]);
    tgWriteAttribute(file, "y1", from[1]);
    tgWriteAttribute(file, "x2", to[0]);
    tgWriteAttribute(file, "y2", to[1]);
}

void tgWriteThinLine(FILE* file, const double from[2], const double to[2], tgSvgInk ink)
{
    tgWriteLine(file, from, to);
    fprintf(file, " class=\"%s-line\" stroke=\"%s\"/>\n", ink.name, ink.color);
}
