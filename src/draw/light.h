// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The studio: a soft key light from the upper left of the camera, a cool fill from the right, a rim
// from behind, and a sky. Colours a fragment, or the ground.
#ifndef TURGOR_DRAW_LIGHT_H
#define TURGOR_DRAW_LIGHT_H

#include "draw/picture.h"

typedef struct tgStudio {
    tgVec3 key, fill, rim; ///< unit vectors towards the lights
    bool lit;
    float clarity;
    tgColor wireframeColor;
    float wireframeWidth; ///< pixels
} tgStudio;

/// What the rasteriser knows about a surface at one pixel.
typedef struct tgFragment {
    tgVec3 normal; ///< towards the camera's side of the surface, any length
    tgVec3 view;   ///< unit, from the surface to the camera
    float r, g, b; ///< of the surface itself
    float sky, key;
    float edgeDistance; ///< to the nearest drawn edge, pixels
    bool inside;        ///< the back of the face is seen
    bool ghost;         ///< what lies behind is seen through it
    bool twoSided;      ///< its back looks like its front
} tgFragment;

tgStudio tgMakeStudio(const tgDrawDef* def);

/// Premultiplied, opaque unless a ghost.
tgColor tgStudio_Shade(const tgStudio* studio, const tgFragment* fragment);

/// Opacity of the black shadow that lies on the ground where it sees so much of sky and key light.
float tgShadeGround(float sky, float key);

#endif
