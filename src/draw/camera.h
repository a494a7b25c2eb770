// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where a picture is taken from. A camera is framed on points (a mesh, or the corners of the bounds
// of a whole animation) seen from a direction, y up, and keeps all of them inside the viewport.
#ifndef TURGOR_DRAW_CAMERA_H
#define TURGOR_DRAW_CAMERA_H

#include "turgor/base.h"
#include "turgor/math.h"

/// Coordinates of what is drawn stay within this, so that no square of them overflows.
#define TG_DRAW_LIMIT 1e15f
bool tgIsDrawable(tgVec3 point); ///< false for a NaN, an infinity, or past the limit

/// Pixels of a picture; x to the right and y down from its top left corner.
typedef struct tgRect {
    int x, y, width, height;
} tgRect;

/// A box along the axes. Start from tgEmptyBounds().
typedef struct tgBounds {
    tgVec3 lower, upper;
} tgBounds;

tgBounds tgEmptyBounds(void);
void tgBounds_Add(tgBounds* bounds, tgVec3View points); ///< skips points with a NaN
void tgBounds_GetCorners(const tgBounds* bounds, tgVec3 corners[8]);

/// Named directions to look from. The front is +z, as in glTF.
typedef enum tgView {
    tg_viewFront,
    tg_viewBack,
    tg_viewLeft,  ///< the character's left, from +x
    tg_viewRight, ///< the character's right, from -x
    tg_viewTop,
    tg_viewThreeQuarter, ///< front and left, a little from above
} tgView;

/// From the subject towards the camera; a unit vector.
tgVec3 tgGetViewDirection(tgView view);

typedef struct tgCamera {
    tgVec3 eye;
    tgVec3 right, up, back; ///< unit vectors; back points from the subject to the camera
    float halfHeight;       ///< of the viewport: at distance 1, or everywhere when orthographic
    bool perspective;
} tgCamera;

/// Start from tgDefaultCameraDef().
typedef struct tgCameraDef {
    tgVec3 direction;  ///< from the subject towards the camera, any length; three-quarter
    float focalLength; ///< millimetres over a film 24 mm high, 10 or more; 0: orthographic; 85
    float margin;      ///< fraction of the viewport left free at each side, [0, 0.4]; 0.06
    tgRect viewport;   ///< its shape matters, its place does not; 640 x 480
    int cookie;        ///< set by tgDefaultCameraDef, not by you
} tgCameraDef;

tgCameraDef tgDefaultCameraDef(void);

/// The closest camera that sees all of the points.
tgResult tgFrameCamera(const tgCameraDef* def, tgVec3View points, tgCamera* camera, tgError* error);

/// The few of the points that decide where such a camera stands: framing them frames all.
/// @param extremes tg_extremeCount of them
enum { tg_extremeCount = 6 };
tgResult tgPickExtremes(const tgCameraDef* def, tgVec3View points, tgVec3 extremes[tg_extremeCount],
                        tgError* error);

/// Where a point falls: x and y in pixels of the picture (pixel centres at a half), z the distance
/// along the view. Behind a perspective camera, z <= 0, x and y mean nothing.
tgVec3 tgCamera_Project(const tgCamera* camera, tgRect viewport, tgVec3 point);

#endif
