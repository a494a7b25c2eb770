// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A figure: panels side by side, seen by one camera, each with its label, and a legend.
#ifndef TURGOR_CLI_FIGURE_H
#define TURGOR_CLI_FIGURE_H

#include "draw/crease.h"
#include "follow.h"
#include "look.h"
#include "panel.h"

enum { tg_mostPanels = 4 };

typedef struct tgFigure {
    const tgScene* scene;
    const tgShow* show;
    const tgRig* rig; ///< of any actor
    tgLook look;
    int panelCount;
    bool hasLabels;
    bool isBare;       ///< no legend is drawn
    bool hasFrames;    ///< round the panels, where they show a part only
    const bool* focus; ///< vertices that the camera looks at; NULL: all
    bool* isSeen;      ///< of each joint: a legend has it; NULL: all
    tgCreases creases; ///< what is drawn: one point where faces share a normal
    bool* isOpen;      ///< of each part: it is on a surface with holes
    // Found by looking at all that will be drawn.
    tgVec3* extremes; ///< points that decide where the camera stands
    int* frames;      ///< of the follow, of each of them; -1 for none
    int extremeCount, extremeRoom;
    tgFollow follow;  ///< frames of a film; none for stills
    int followWindow; ///< frames over which its camera is smooth
    float lowest;     ///< the ground's height
    float range;      ///< largest value
    float labelSize;  ///< of the labels' letters, pixels
    tgCamera camera;
    tgColor* paint; ///< colours of the vertices where they stay the same; NULL without
    tgLegendDef legend;
    int legendWidth;        ///< of the picture, at the right; 0 without
    tgLegendEntry* entries; ///< of the legend
} tgFigure;

/// Set scene, show, rig, look and hasLabels before.
tgResult tgOpenFigure(tgFigure* figure, tgError* error);
/// Before anything is watched.
/// @param width of the whole picture
void tgFigure_SetSize(tgFigure* figure, int panelCount, int width, int height);
void tgCloseFigure(tgFigure* figure);

/// Where panel i stands in the picture, its label left out.
tgRect tgFigure_GetPanelRect(const tgFigure* figure, int i);
float tgFigure_GetTextSize(const tgFigure* figure);

/// Settle where to look from by a skin, unless that is told. The first that is watched does so.
void tgFigure_ChooseView(tgFigure* figure, const tgVec3* positions);
/// Look at a panel that will be drawn: the camera sees all of them.
tgResult tgFigure_Watch(tgFigure* figure, const tgPanel* panel, tgError* error);
/// The camera sees what another figure has watched so far, too, and values go as far.
/// @param count of its extremes
tgResult tgFigure_WatchExtremes(tgFigure* figure, const tgFigure* other, int count, tgError* error);
/// The panels that are watched next are of another frame, and the camera goes along.
tgResult tgFigure_NextFrame(tgFigure* figure, tgVec3 place, tgError* error);
/// How far the camera has gone in a frame, once it is aimed; 0 where it stands still.
tgVec3 tgFigure_GetShift(const tgFigure* figure, int frame);
/// After the last: place the camera, and settle the legend.
tgResult tgFigure_Aim(tgFigure* figure, tgError* error);

/// One picture of all panels; NULL on failure.
/// @param pool threads for it; NULL: none
tgPicture* tgFigure_Draw(const tgFigure* figure, const tgPanel* panels, tgThreadPool* pool,
                         tgError* error);
/// One panel into its place.
tgResult tgFigure_DrawPanel(const tgFigure* figure, tgPicture* picture, const tgPanel* panel,
                            tgRect rect, tgThreadPool* pool, tgError* error);
/// Words centred below a panel.
tgResult tgFigure_DrawLabel(const tgFigure* figure, tgPicture* picture, tgRect rect,
                            const char* label, tgError* error);

#endif
