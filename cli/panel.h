// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A skin as it stood in one moment, copied so that it can be drawn later and on another thread.
#ifndef TURGOR_CLI_PANEL_H
#define TURGOR_CLI_PANEL_H

#include "draw/solids.h"
#include "focus.h"
#include "props.h"
#include "show.h"

typedef struct tgPanel {
    tgVec3* positions;
    float* values;        ///< of what is shown; NULL without
    const tgProps* props; ///< what has no skin; NULL: there is none
    tgVec3 *propPositions, *propNormals;
    tgSolids marks;  ///< arrows and contours over the skin
    tgSolids bones;  ///< below a skin of glass
    char label[128]; ///< under the panel; empty for none
    tgVec3 place;    ///< of the character: its first joint that moves skin; of what is in focus
    float reach;     ///< so far about that is in focus; 0: all of it
    tgVec3 outlook;  ///< where to see what is in focus from
    tgVec3 shift;    ///< how far the camera has gone along with it; 0 for stills
} tgPanel;

/// What to keep besides the skin.
typedef struct tgPanelDef {
    const tgShow* show;
    tgActor* actor;
    const tgActor* plain; ///< the same pose without correction; NULL where nothing asks for it
    const tgRig* boneRig; ///< whose bones lie below a skin of glass; NULL: none
    const tgFocus* focus; ///< NULL: none
    tgProps* props;       ///< what has no skin; NULL: it is left out
    float arrowScale;     ///< lengths of the arrows over the displacements; 0: none
} tgPanelDef;

/// False without memory; free in either case.
bool tgAllocPanel(const tgShow* show, tgPanel* panel);
void tgFreePanel(tgPanel* panel);
/// Copy how the actor stands now, in place of what was there.
tgResult tgPanel_Capture(tgPanel* panel, const tgPanelDef* def, tgError* error);

#endif
