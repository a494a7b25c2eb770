// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The camera: bounds, named directions, framing and projection. No trigonometry, so that a camera
// is the same to the bit on every machine.

#include "draw/camera.h"

#include "core/core.h"

#include <float.h>

enum { tg_cameraCookie = 0x63616d31 };

/// A subject that is a single point still gets a frame of this size, in scene units.
static const float tg_smallestFrame = 1e-6f;

/// Half of the film's height, millimetres.
static const float tg_halfFilm = 12.0f;

bool tgIsDrawable(tgVec3 point)
{
    return fabsf(point.x) < TG_DRAW_LIMIT && fabsf(point.y) < TG_DRAW_LIMIT &&
           fabsf(point.z) < TG_DRAW_LIMIT;
}

tgBounds tgEmptyBounds(void)
{
    tgBounds bounds = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
    return bounds;
}

void tgBounds_Add(tgBounds* bounds, tgVec3View points)
{
    for (int v = 0; v < points.count; ++v) {
        tgVec3 p = tgVec3View_Get(points, v);
        if (!tgIsFiniteVec3(p)) {
            continue;
        }
        tgVec3* lower = &bounds->lower;
        tgVec3* upper = &bounds->upper;
        *lower = tgMakeVec3(fminf(lower->x, p.x), fminf(lower->y, p.y), fminf(lower->z, p.z));
        *upper = tgMakeVec3(fmaxf(upper->x, p.x), fmaxf(upper->y, p.y), fmaxf(upper->z, p.z));
    }
}

void tgBounds_GetCorners(const tgBounds* bounds, tgVec3 corners[8])
{
    for (int k = 0; k < 8; ++k) {
        corners[k].x = (k & 1) != 0 ? bounds->upper.x : bounds->lower.x;
        corners[k].y = (k & 2) != 0 ? bounds->upper.y : bounds->lower.y;
        corners[k].z = (k & 4) != 0 ? bounds->upper.z : bounds->lower.z;
    }
}

tgVec3 tgGetViewDirection(tgView view)
{
    tgVec3 direction = {0.0f, 0.0f, 1.0f};
    switch (view) {
    case tg_viewFront:
        break;
    case tg_viewBack:
        direction = tgMakeVec3(0.0f, 0.0f, -1.0f);
        break;
    case tg_viewLeft:
        direction = tgMakeVec3(1.0f, 0.0f, 0.0f);
        break;
    case tg_viewRight:
        direction = tgMakeVec3(-1.0f, 0.0f, 0.0f);
        break;
    case tg_viewTop:
        direction = tgMakeVec3(0.0f, 1.0f, 0.0f);
        break;
    case tg_viewThreeQuarter:
        direction = tgMakeVec3(0.65f, 0.3f, 0.7f);
        break;
    }
    return tgNormalize(direction, tgMakeVec3(0.0f, 0.0f, 1.0f));
}

tgCameraDef tgDefaultCameraDef(void)
{
    tgCameraDef def = {
        .direction = tgGetViewDirection(tg_viewThreeQuarter),
        .focalLength = 85.0f,
        .margin = 0.06f,
        .viewport = {0, 0, 640, 480},
        .cookie = tg_cameraCookie,
    };
    return def;
}

/// The extent of the points along the four sides of the frame. A point (x, y, z), z away from the
/// camera, is inside a frame of half width t at distance 1 when |x - eyeX| <= t (z - eyeZ): two
/// half-planes whose offsets are the maxima of x - t z and of -x - t z. Orthographic is t = 0.
typedef struct tgExtent {
    float right, left, above, below;
    float nearest, farthest;
} tgExtent;

static tgExtent tgMeasureExtent(const tgCamera* camera, tgVec3View points, float slopeX,
                                float slopeY)
{
    tgExtent extent = {-FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX, FLT_MAX, -FLT_MAX};
    for (int v = 0; v < points.count; ++v) {
        tgVec3 p = tgVec3View_Get(points, v);
        float x = tgDot(camera->right, p);
        float y = tgDot(camera->up, p);
        float z = -tgDot(camera->back, p);
        extent.right = fmaxf(extent.right, x - slopeX * z);
        extent.left = fmaxf(extent.left, -x - slopeX * z);
        extent.above = fmaxf(extent.above, y - slopeY * z);
        extent.below = fmaxf(extent.below, -y - slopeY * z);
        extent.nearest = fminf(extent.nearest, z);
        extent.farthest = fmaxf(extent.farthest, z);
    }
    return extent;
}

static tgResult tgCheckCameraDef(const tgCameraDef* def, tgVec3View points, tgError* error)
{
    if (def == NULL || def->cookie != tg_cameraCookie) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the camera definition must start from tgDefaultCameraDef()");
    }
    if (!tgIsDrawable(def->direction) || !(tgLength(def->direction) > 0.0f)) {
        return tgFail(error, tg_invalidArgument, -1, "the view direction has no length");
    }
    if (def->focalLength != 0.0f && !(def->focalLength >= 10.0f && def->focalLength <= 1e5f)) {
        return tgFail(error, tg_invalidArgument, -1,
                      "the focal length is %g mm, expected 0 (orthographic) or at least 10",
                      (double)def->focalLength);
    }
    if (!(def->margin >= 0.0f && def->margin <= 0.4f)) {
        return tgFail(error, tg_invalidArgument, -1, "the margin is %g, expected 0 to 0.4",
                      (double)def->margin);
    }
    if (def->viewport.width < 1 || def->viewport.height < 1) {
        return tgFail(error, tg_invalidArgument, -1, "the viewport is %d x %d pixels",
                      def->viewport.width, def->viewport.height);
    }
    if (points.count < 1 || points.data == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "there are no points to frame");
    }
    for (int v = 0; v < points.count; ++v) {
        if (!tgIsDrawable(tgVec3View_Get(points, v))) {
            return tgFail(error, tg_invalidMesh, v, "point %d is not a finite number", v);
        }
    }
    return tg_success;
}

/// Right, up and back of a camera that looks from `direction` with y up.
static void tgOrientCamera(tgCamera* camera, tgVec3 direction)
{
    camera->back = tgNormalize(direction, tgMakeVec3(0.0f, 0.0f, 1.0f));
    // Seen from straight above or below, y has no place in the picture: the front points down.
    bool vertical = fabsf(camera->back.y) > 0.9999f;
    tgVec3 up = vertical ? tgMakeVec3(0.0f, 0.0f, camera->back.y > 0.0f ? -1.0f : 1.0f)
                         : tgMakeVec3(0.0f, 1.0f, 0.0f);
    camera->right = tgNormalize(tgCross(up, camera->back), tgMakeVec3(1.0f, 0.0f, 0.0f));
    camera->up = tgCross(camera->back, camera->right);
}

tgResult tgFrameCamera(const tgCameraDef* def, tgVec3View points, tgCamera* camera, tgError* error)
{
    tgResult result = tgCheckCameraDef(def, points, error);
    if (result != tg_success) {
        return result;
    }
    tgOrientCamera(camera, def->direction);
    camera->perspective = def->focalLength > 0.0f;
    float aspect = (float)def->viewport.width / (float)def->viewport.height;
    float inside = 1.0f - 2.0f * def->margin;
    float eyeZ = 0.0f;
    tgExtent extent;
    if (camera->perspective) {
        camera->halfHeight = tg_halfFilm / def->focalLength;
        float slopeY = inside * camera->halfHeight;
        float slopeX = aspect * slopeY;
        extent = tgMeasureExtent(camera, points, slopeX, slopeY);
        eyeZ = fminf(-(extent.right + extent.left) / (2.0f * slopeX),
                     -(extent.above + extent.below) / (2.0f * slopeY));
        // Points on the axis alone ask for no distance at all.
        eyeZ = fminf(eyeZ, extent.nearest - tg_smallestFrame / camera->halfHeight);
    } else {
        extent = tgMeasureExtent(camera, points, 0.0f, 0.0f);
        float halfWidth = 0.5f * (extent.right + extent.left) / aspect;
        float halfHeight = 0.5f * (extent.above + extent.below);
        camera->halfHeight = fmaxf(fmaxf(halfWidth, halfHeight) / inside, tg_smallestFrame);
        eyeZ = extent.nearest - (extent.farthest - extent.nearest) - camera->halfHeight;
    }
    float eyeX = 0.5f * (extent.right - extent.left);
    float eyeY = 0.5f * (extent.above - extent.below);
    camera->eye =
        tgMulAdd(tgMulAdd(tgMulSV(eyeX, camera->right), eyeY, camera->up), -eyeZ, camera->back);
    return tg_success;
}

tgResult tgPickExtremes(const tgCameraDef* def, tgVec3View points, tgVec3 extremes[tg_extremeCount],
                        tgError* error)
{
    tgResult result = tgCheckCameraDef(def, points, error);
    if (result != tg_success) {
        return result;
    }
    tgCamera camera = {0};
    tgOrientCamera(&camera, def->direction);
    float slopeY = def->focalLength > 0.0f
                       ? (1.0f - 2.0f * def->margin) * tg_halfFilm / def->focalLength
                       : 0.0f;
    float slopeX = slopeY * (float)def->viewport.width / (float)def->viewport.height;
    // The same sums as tgMeasureExtent's, by which the camera is placed.
    const float sums[tg_extremeCount][3] = {{1.0f, 0.0f, -slopeX}, {-1.0f, 0.0f, -slopeX},
                                            {0.0f, 1.0f, -slopeY}, {0.0f, -1.0f, -slopeY},
                                            {0.0f, 0.0f, 1.0f},    {0.0f, 0.0f, -1.0f}};
    float most[tg_extremeCount];
    for (int v = 0; v < points.count; ++v) {
        tgVec3 p = tgVec3View_Get(points, v);
        float x = tgDot(camera.right, p), y = tgDot(camera.up, p), z = -tgDot(camera.back, p);
        for (int i = 0; i < tg_extremeCount; ++i) {
            float sum = sums[i][0] * x + sums[i][1] * y + sums[i][2] * z;
            if (v == 0 || sum > most[i]) {
                most[i] = sum;
                extremes[i] = p;
            }
        }
    }
    return tg_success;
}

tgVec3 tgCamera_Project(const tgCamera* camera, tgRect viewport, tgVec3 point)
{
    tgVec3 offset = tgSub(point, camera->eye);
    float distance = -tgDot(offset, camera->back);
    float scale = 0.5f * (float)viewport.height / camera->halfHeight;
    if (camera->perspective) {
        scale /= distance;
    }
    float centerX = (float)viewport.x + 0.5f * (float)viewport.width;
    float centerY = (float)viewport.y + 0.5f * (float)viewport.height;
    return tgMakeVec3(centerX + scale * tgDot(offset, camera->right),
                      centerY - scale * tgDot(offset, camera->up), distance);
}
