// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file math.h
/// Plain structs and inline functions. Right-handed, column vectors, unit quaternions xyzw,
/// radians.
#ifndef TURGOR_MATH_H
#define TURGOR_MATH_H

#include "turgor/base.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tgVec3 {
    float x, y, z;
} tgVec3;

/// Rotation as a unit quaternion: x, y, z the vector part, w the scalar part.
typedef struct tgQuat {
    float x, y, z, w;
} tgQuat;

/// Scale, then rotate, then move.
typedef struct tgTransform {
    tgVec3 position;
    tgQuat rotation;
    tgVec3 scale;
} tgTransform;

/// An affine map by its columns: where the three axes go, and where the origin goes.
typedef struct tgMat34 {
    tgVec3 x, y, z, origin;
} tgMat34;

static inline tgVec3 tgMakeVec3(float x, float y, float z)
{
    tgVec3 v = {x, y, z};
    return v;
}

static inline tgVec3 tgAdd(tgVec3 a, tgVec3 b)
{
    return tgMakeVec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline tgVec3 tgSub(tgVec3 a, tgVec3 b)
{
    return tgMakeVec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline tgVec3 tgMulSV(float s, tgVec3 v)
{
    return tgMakeVec3(s * v.x, s * v.y, s * v.z);
}

/// a + s b
static inline tgVec3 tgMulAdd(tgVec3 a, float s, tgVec3 b)
{
    return tgMakeVec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline float tgDot(tgVec3 a, tgVec3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline tgVec3 tgCross(tgVec3 a, tgVec3 b)
{
    return tgMakeVec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float tgLength(tgVec3 v)
{
    return sqrtf(tgDot(v, v));
}

static inline float tgDistance(tgVec3 a, tgVec3 b)
{
    return tgLength(tgSub(a, b));
}

/// The unit vector along v, or `fallback` when v is too short to have a direction.
static inline tgVec3 tgNormalize(tgVec3 v, tgVec3 fallback)
{
    float length = tgLength(v);
    return length > 1e-30f ? tgMulSV(1.0f / length, v) : fallback;
}

static inline tgVec3 tgLerp(tgVec3 a, tgVec3 b, float t)
{
    return tgMulAdd(tgMulSV(1.0f - t, a), t, b);
}

static inline bool tgIsFiniteVec3(tgVec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static inline tgQuat tgIdentityQuat(void)
{
    tgQuat q = {0.0f, 0.0f, 0.0f, 1.0f};
    return q;
}

/// Turn by `angle` radians about a unit axis.
static inline tgQuat tgMakeQuat(tgVec3 axis, float angle)
{
    float s = sinf(0.5f * angle);
    tgQuat q = {s * axis.x, s * axis.y, s * axis.z, cosf(0.5f * angle)};
    return q;
}

/// First b, then a.
static inline tgQuat tgMulQuat(tgQuat a, tgQuat b)
{
    tgQuat q = {
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
    return q;
}

/// The unit quaternion along q; identity when q is too short to be a rotation.
static inline tgQuat tgNormalizeQuat(tgQuat q)
{
    float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 1e-30f)) {
        return tgIdentityQuat();
    }
    float s = 1.0f / length;
    tgQuat unit = {s * q.x, s * q.y, s * q.z, s * q.w};
    return unit;
}

static inline tgVec3 tgRotate(tgQuat q, tgVec3 v)
{
    tgVec3 u = tgMakeVec3(q.x, q.y, q.z);
    tgVec3 t = tgMulAdd(tgCross(u, v), q.w, v);
    return tgMulAdd(v, 2.0f, tgCross(u, t));
}

static inline tgTransform tgIdentityTransform(void)
{
    tgTransform t = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}, {1.0f, 1.0f, 1.0f}};
    return t;
}

static inline tgMat34 tgIdentityMat34(void)
{
    tgMat34 m = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f}};
    return m;
}

static inline tgMat34 tgMakeMat34(tgTransform t)
{
    tgMat34 m;
    m.x = tgMulSV(t.scale.x, tgRotate(t.rotation, tgMakeVec3(1.0f, 0.0f, 0.0f)));
    m.y = tgMulSV(t.scale.y, tgRotate(t.rotation, tgMakeVec3(0.0f, 1.0f, 0.0f)));
    m.z = tgMulSV(t.scale.z, tgRotate(t.rotation, tgMakeVec3(0.0f, 0.0f, 1.0f)));
    m.origin = t.position;
    return m;
}

static inline tgVec3 tgMulMatDirection(const tgMat34* m, tgVec3 v)
{
    return tgMulAdd(tgMulAdd(tgMulSV(v.x, m->x), v.y, m->y), v.z, m->z);
}

static inline tgVec3 tgMulMatPoint(const tgMat34* m, tgVec3 p)
{
    return tgAdd(tgMulMatDirection(m, p), m->origin);
}

/// First b, then a.
static inline tgMat34 tgMulMat34(const tgMat34* a, const tgMat34* b)
{
    tgMat34 m;
    m.x = tgMulMatDirection(a, b->x);
    m.y = tgMulMatDirection(a, b->y);
    m.z = tgMulMatDirection(a, b->z);
    m.origin = tgMulMatPoint(a, b->origin);
    return m;
}

/// How the map changes volume; negative when it mirrors.
static inline float tgDeterminant(const tgMat34* m)
{
    return tgDot(tgCross(m->x, m->y), m->z);
}

/// False, with `inverse` untouched, when m flattens space (or holds a NaN).
static inline bool tgInvertMat34(const tgMat34* m, tgMat34* inverse)
{
    // In double: rest matrices with scales of 0.01 and offsets of 100 are common.
    double ax = (double)m->x.x, ay = (double)m->x.y, az = (double)m->x.z;
    double bx = (double)m->y.x, by = (double)m->y.y, bz = (double)m->y.z;
    double cx = (double)m->z.x, cy = (double)m->z.y, cz = (double)m->z.z;
    double rx0 = by * cz - bz * cy, rx1 = bz * cx - bx * cz, rx2 = bx * cy - by * cx;
    double determinant = ax * rx0 + ay * rx1 + az * rx2;
    double size = (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz) *
                  (cx * cx + cy * cy + cz * cz);
    // |det| is the product of the axis lengths times how far they are from lying in one plane.
    if (!(determinant * determinant > 1e-14 * size)) {
        return false;
    }
    double d = 1.0 / determinant;
    double ry0 = cy * az - cz * ay, ry1 = cz * ax - cx * az, ry2 = cx * ay - cy * ax;
    double rz0 = ay * bz - az * by, rz1 = az * bx - ax * bz, rz2 = ax * by - ay * bx;
    double ox = (double)m->origin.x, oy = (double)m->origin.y, oz = (double)m->origin.z;
    tgMat34 r;
    r.x = tgMakeVec3((float)(d * rx0), (float)(d * ry0), (float)(d * rz0));
    r.y = tgMakeVec3((float)(d * rx1), (float)(d * ry1), (float)(d * rz1));
    r.z = tgMakeVec3((float)(d * rx2), (float)(d * ry2), (float)(d * rz2));
    r.origin = tgMakeVec3((float)(-d * (rx0 * ox + rx1 * oy + rx2 * oz)),
                          (float)(-d * (ry0 * ox + ry1 * oy + ry2 * oz)),
                          (float)(-d * (rz0 * ox + rz1 * oy + rz2 * oz)));
    *inverse = r;
    return true;
}

static inline bool tgIsFiniteMat34(const tgMat34* m)
{
    return tgIsFiniteVec3(m->x) && tgIsFiniteVec3(m->y) && tgIsFiniteVec3(m->z) &&
           tgIsFiniteVec3(m->origin);
}

/// Element i of a strided view.
static inline tgVec3 tgVec3View_Get(tgVec3View view, int i)
{
    const float* f = (const float*)((const char*)view.data + (ptrdiff_t)i * view.stride);
    return tgMakeVec3(f[0], f[1], f[2]);
}

static inline void tgVec3Span_Set(tgVec3Span span, int i, tgVec3 v)
{
    float* f = (float*)((char*)span.data + (ptrdiff_t)i * span.stride);
    f[0] = v.x;
    f[1] = v.y;
    f[2] = v.z;
}

#ifdef __cplusplus
}
#endif

#endif
