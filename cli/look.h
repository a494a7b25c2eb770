// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How pictures look, whatever they show: size, view, background.
#ifndef TURGOR_CLI_LOOK_H
#define TURGOR_CLI_LOOK_H

#include "draw/picture.h"

typedef struct tgLook {
    int width, height; ///< of the whole picture
    bool hasView;      ///< `direction` is given; else what shows the character is found
    tgVec3 direction;  ///< to look from
    tgColor background;
    tgColor ink;    ///< of labels: dark on light, light on dark
    bool hasColor;  ///< `color` stands in place of the materials'
    tgColor color;  ///< of the skin
    bool wireframe; ///< the edges of the faces over the skin
    bool hasGround;
} tgLook;

tgLook tgDefaultLook(void);

/// Each reads one option; returns the status, with one line when it is not good.
int tgParseSize(const char* text, tgLook* look);       ///< WxH
int tgParseView(const char* text, tgLook* look);       ///< front, side, ..., or X,Y,Z
int tgParseBackground(const char* text, tgLook* look); ///< a colour, or transparent
int tgParseSkinColor(const char* text, tgLook* look);  ///< a colour
/// X,Y,Z
/// @param names that would do as well, ending in NULL
int tgParseDirection(const char* option, const char* text, const char* const* names,
                     tgVec3* direction);

#endif
