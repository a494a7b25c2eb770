// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pages of pictures, plots and tables. Pictures travel inside the page as base64.

#include "draw/page.h"

#include "draw/svg.h"

#include <math.h>
#include <stdlib.h>

static const char tg_style[] =
    ":root{color-scheme:light dark;--ink:#1f2328;--soft:#59636e;--line:#d8dee4;--paper:#ffffff;"
    "--card:#f6f8fa;--loss:#b35900;--gain:#0060a8;--worse:#c40a1f}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a0a8b0;--line:#3a3f45;"
    "--paper:#16181b;--card:#1f2226;--loss:#f0a050;--gain:#6cb6ff;--worse:#ff7b81}}\n"
    "body{font:16px/1.55 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;"
    "color:var(--ink);background:var(--paper);max-width:1000px;margin:0 auto;padding:32px 24px}\n"
    "h1{font-size:28px;line-height:1.25;margin:0 0 4px}h2{font-size:20px;margin:36px 0 8px}\n"
    "p.lead,figcaption,.soft{color:var(--soft)}figure{margin:16px 0}figcaption{font-size:14px}\n"
    "img{display:block;width:100%;height:auto;background:#ffffff;border-radius:8px}\n"
    "img.clear{background:var(--card)}.panels{display:grid;gap:8px;"
    "grid-template-columns:repeat(auto-fit,minmax(min(220px,100%),1fr))}\n"
    ".panels p{margin:4px 0 0;font-size:14px}.scale{display:flex;align-items:center;gap:10px;"
    "margin:8px 0;font-size:14px;flex-wrap:wrap}.scale span{flex:0 1 220px;height:12px;"
    "border-radius:3px}\n"
    "svg.plot{display:block;width:100%;height:auto}.narrow{display:none}\n"
    "@media (max-width:640px){.narrow{display:block}.broad{display:none}}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    "th,td{text-align:left;padding:5px 12px 5px 0;border-bottom:1px solid var(--line);"
    "overflow-wrap:anywhere}\n"
    "th{color:var(--soft);font-weight:600;font-size:14px}td.number,th.number{text-align:right}\n"
    "td.bar{width:38%}.bar span{display:block;height:10px;border-radius:3px}\n"
    ".loss{background:var(--loss)}.gain{background:var(--gain)}.bad{color:var(--loss);"
    "font-weight:600}\n"
    ".worse{color:var(--worse);font-weight:600}.wide{overflow-x:auto}h3{font-size:17px;"
    "margin:28px 0 4px}\n"
    "pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 16px;"
    "overflow-x:auto;font:13px/1.45 ui-monospace,Menlo,Consolas,monospace}\n"
    ".numbers{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(280px,100%),1fr));"
    "gap:12px;margin:20px 0;padding:0;list-style:none}\n"
    ".numbers li{background:var(--card);border:1px solid var(--line);"
    "border-radius:8px;padding:10px 14px}.numbers b{display:block;font-size:22px}\n";

void tgPage_Begin(FILE* file, const char* title)
{
    fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<link rel=\"icon\" href=\"data:,\"/>\n",
          file);
    tgPage_AddText(file, "title", title);
    fprintf(file, "<style>\n%s</style>\n</head>\n<body>\n", tg_style);
}

void tgPage_End(FILE* file)
{
    fputs("</body>\n</html>\n", file);
}

void tgPage_AddText(FILE* file, const char* tag, const char* text)
{
    fprintf(file, "<%s>", tag);
    tgWriteEscaped(file, text);
    fprintf(file, "</%s>\n", tag);
}

void tgPage_AddSigns(FILE* file, const char* text)
{
    while (*text != '\0') {
        char word[256]; // a piece up to the next such hyphen, or as much as fits
        size_t length = 0;
        bool isMinus = false;
        while (text[length] != '\0' && length + 1 < sizeof(word) && !isMinus) {
            word[length] = text[length];
            length += 1;
            isMinus = text[length] == '-' && text[length - 1] == ' ' && text[length + 1] >= '0' &&
                      text[length + 1] <= '9';
        }
        word[length] = '\0';
        bool leads = word[0] == '-' && word[1] >= '0' && word[1] <= '9';
        fputs(leads ? "&#x2212;" : "", file);
        tgWriteEscaped(file, word + (leads ? 1 : 0));
        text += length;
    }
}

/// Digits in groups of three from the right, a narrow space between.
static void tgWriteGrouped(FILE* file, double value)
{
    char digits[32];
    int length = snprintf(digits, sizeof(digits), "%.0f", fabs(value));
    for (int i = 0; i < length; ++i) {
        fputs(i > 0 && (length - i) % 3 == 0 && length > 4 ? "&#x202f;" : "", file);
        fputc(digits[i], file);
    }
}

void tgPage_AddNumber(FILE* file, int digits, double value)
{
    double size = fabs(value);
    fputs(value < 0.0 ? "&#x2212;" : "", file);
    if (size >= 1000.0 && size < 1e8) {
        tgWriteGrouped(file, value);
    } else if (size == 0.0 || (size >= 0.001 && size < 1000.0)) {
        fprintf(file, "%.*g", digits, size);
    } else {
        int exponent = (int)floor(log10(size));
        double mantissa = size / pow(10.0, exponent);
        bool isRoundedUp = mantissa >= 9.95; // 10.0 is 1.0 of the next power
        exponent += isRoundedUp ? 1 : 0;
        fprintf(file, "%.1f&#xa0;&#xd7;&#xa0;10<sup>%s%d</sup>", isRoundedUp ? 1.0 : mantissa,
                exponent < 0 ? "&#x2212;" : "", abs(exponent));
    }
}

/// RFC 4648, in one line.
static void tgWriteBase64(FILE* file, const unsigned char* bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned int triple = (unsigned int)bytes[i] << 16;
        triple |= left > 1 ? (unsigned int)bytes[i + 1] << 8 : 0u;
        triple |= left > 2 ? (unsigned int)bytes[i + 2] : 0u;
        fputc(digits[triple >> 18], file);
        fputc(digits[(triple >> 12) & 63u], file);
        fputc(left > 1 ? digits[(triple >> 6) & 63u] : '=', file);
        fputc(left > 2 ? digits[triple & 63u] : '=', file);
    }
}

/// Is anything seen through it? Then it stands on the page's own ground, light or dark.
static bool tgIsClear(const tgPicture* picture)
{
    size_t count = (size_t)picture->width * (size_t)picture->height;
    for (size_t i = 0; i < count; ++i) {
        if (picture->pixels[i].a < 1.0f) {
            return true;
        }
    }
    return false;
}

tgResult tgPage_AddPicture(FILE* file, const tgPicture* picture, const char* alt, tgError* error)
{
    unsigned char* bytes = NULL;
    size_t size = 0;
    tgResult result = tgPicture_EncodePng(picture, &bytes, &size, error);
    if (result == tg_success) {
        fprintf(file, "<img%s width=\"%d\" height=\"%d\" alt=\"",
                tgIsClear(picture) ? " class=\"clear\"" : "", picture->width, picture->height);
        tgWriteEscaped(file, alt);
        fputs("\" src=\"data:image/png;base64,", file);
        tgWriteBase64(file, bytes, size);
        fputs("\"/>\n", file);
    }
    free(bytes);
    return result;
}
