// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How pictures look: size, view, background.

#include "look.h"

#include "args.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tg_leastSide = 64 };
static const float tg_leastRise = 0.12f;

tgLook tgDefaultLook(void)
{
    tgLook look = {
        .direction = tgGetViewDirection(tg_viewThreeQuarter),
        .background = tgMakeColor(0xffffff),
        .ink = tgMakeColor(0x2b2b2b),
        .hasGround = true,
    };
    return look;
}

int tgParseSize(const char* text, tgLook* look)
{
    int used = 0;
    bool good = sscanf(text, "%5dx%5d%n", &look->width, &look->height, &used) == 2 &&
                text[used] == '\0' && look->width >= tg_leastSide && look->height >= tg_leastSide &&
                look->width <= tg_maxPictureSide && look->height <= tg_maxPictureSide;
    return good ? tg_statusDone
                : tgSayUsage("--size wants WxH, %d to %d pixels a side, found %s", tg_leastSide,
                             tg_maxPictureSide, text);
}

int tgParseDirection(const char* option, const char* text, const char* const* names,
                     tgVec3* direction)
{
    double n[3] = {0.0, 0.0, 0.0};
    bool good = tgParseNumbers(text, 3, n);
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!good || !(length > 1e-6 && length < 1e6)) {
        return tgSayUsage("%s wants a name or X,Y,Z that is not zero, found %s%s; see turgor "
                          "render --help",
                          option, text, tgTellPerhaps(text, names).text);
    }
    *direction = tgMakeVec3((float)(n[0] / length), (float)(n[1] / length), (float)(n[2] / length));
    return tg_statusDone;
}

int tgParseView(const char* text, tgLook* look)
{
    static const char* const names[] = {"front", "back", "side",          "left",
                                        "right", "top",  "three-quarter", NULL};
    static const tgView views[] = {tg_viewFront, tg_viewBack, tg_viewLeft,        tg_viewLeft,
                                   tg_viewRight, tg_viewTop,  tg_viewThreeQuarter};
    look->hasView = true;
    for (int i = 0; names[i] != NULL; ++i) {
        if (strcmp(text, names[i]) == 0) {
            tgVec3 direction = tgGetViewDirection(views[i]);
            // From a little above eye level: the shadow on the ground is seen.
            direction.y = fmaxf(direction.y, tg_leastRise);
            look->direction = tgNormalize(direction, direction);
            return tg_statusDone;
        }
    }
    return tgParseDirection("--view", text, names, &look->direction);
}

#define TG_COLOR_NAMES "white", "black", "grey", "gray", "clay", "blue", "orange", "green"
static const char* const tg_colorNames[] = {TG_COLOR_NAMES, NULL};

/// #rgb, #rrggbb or a name.
static bool tgParseColor(const char* text, tgColor* color)
{
    static const unsigned int values[] = {0xffffff, 0x000000, 0x808080, 0x808080,
                                          0xbba893, 0x0072b2, 0xe69f00, 0x009e73};
    for (int i = 0; tg_colorNames[i] != NULL; ++i) {
        if (strcmp(text, tg_colorNames[i]) == 0) {
            *color = tgMakeColor(values[i]);
            return true;
        }
    }
    size_t length = strlen(text);
    if (text[0] != '#' || (length != 4 && length != 7) ||
        strspn(text + 1, "0123456789abcdefABCDEF") != length - 1) {
        return false;
    }
    unsigned int rgb = (unsigned int)strtoul(text + 1, NULL, 16);
    if (length == 4) { // each digit twice
        rgb = ((rgb >> 8) * 0x110000u) | (((rgb >> 4) & 15u) * 0x1100u) | ((rgb & 15u) * 0x11u);
    }
    *color = tgMakeColor(rgb);
    return true;
}

int tgParseBackground(const char* text, tgLook* look)
{
    static const char* const names[] = {TG_COLOR_NAMES, "transparent", NULL};
    if (strcmp(text, "transparent") == 0) {
        look->background = (tgColor){0.0f, 0.0f, 0.0f, 0.0f};
        return tg_statusDone;
    }
    if (!tgParseColor(text, &look->background)) {
        return tgSayUsage(
            "--background wants #rrggbb, white, black, grey or transparent, found %s%s", text,
            tgTellPerhaps(text, names).text);
    }
    tgColor c = look->background;
    bool isDark = 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b < 0.18f;
    look->ink = tgMakeColor(isDark ? 0xe6e6e6 : 0x2b2b2b);
    return tg_statusDone;
}

int tgParseSkinColor(const char* text, tgLook* look)
{
    look->hasColor = tgParseColor(text, &look->color);
    return look->hasColor
               ? tg_statusDone
               : tgSayUsage("--color wants #rrggbb, clay, blue, orange or green, found %s%s", text,
                            tgTellPerhaps(text, tg_colorNames).text);
}
