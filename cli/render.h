// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pictures and films of a shot.
#ifndef TURGOR_CLI_RENDER_H
#define TURGOR_CLI_RENDER_H

#include "figure.h"
#include "stage.h"

/// What a picture says in words.
typedef struct tgRenderNotes {
    int panelCount;
    char labels[tg_mostPanels][sizeof(((tgPanel*)0)->label)];
    double low, high; ///< ends of the scale of its colours; equal where there is none
} tgRenderNotes;

/// What is drawn, and how.
typedef struct tgRenderDef {
    const tgShot* shot;
    const tgShow* show;
    tgLook look;          ///< a size of 0 x 0: what suits the panels
    bool compare;         ///< linear, dual quaternion and corrected side by side
    float arrowScale;     ///< lengths of the arrows over the displacements; 0: none
    const bool* focus;    ///< vertices that the camera looks at; NULL: all
    const tgFocus* joint; ///< joints that it looks at; NULL: none
    bool frameAnimation;  ///< the camera sees the whole animation, not only what is drawn; in films
                          ///< it does so from one place
    tgRenderNotes* notes; ///< words are put down here and not drawn, nor frames; NULL: they are
} tgRenderDef;

/// One picture; returns the status.
/// @param picture for the caller to destroy
int tgRenderMoment(const tgRenderDef* def, const tgMoment* moment, tgPicture** picture);
/// All frames of the shot; returns the status.
/// @param path .mp4 or .gif
int tgRenderFilm(const tgRenderDef* def, const char* path);

/// Actors on stage and a figure to draw them in; returns the status. For both of the above.
int tgOpenRender(const tgRenderDef* def, tgStage* stage, tgFigure* figure);
/// Look at all frames of the shot.
/// @param follows the camera goes along with a character that travels
int tgWatchAnimation(tgStage* stage, tgFigure* figure, bool follows);

#endif
