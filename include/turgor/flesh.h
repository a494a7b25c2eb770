// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file flesh.h
/// Flesh that follows through: parts of the skin that lag behind their bone, swing past it and come
/// to rest, whatever animation moves the skeleton.
///
/// An element hangs on a virtual bone, from the driver joint's origin to the mean of the driven
/// joints' origins. A damped spring in the middle of it shakes; every vertex follows the spring by
/// its weight, which is its distance from the bone, faded out towards both ends, and 1 at most.
#ifndef TURGOR_FLESH_H
#define TURGOR_FLESH_H

#include "turgor/base.h"
#include "turgor/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How weights fade out along the virtual bone, y from -1 to 1.
typedef enum tgAttenuation {
    tg_attenuationParabola = 0, ///< 1 - y^2
    tg_attenuationWyvill,       ///< 1 + (-4 y^6 + 17 y^4 - 22 y^2) / 9: level at the ends
    tg_attenuationCurve,        ///< the artist's keys
} tgAttenuation;

/// A key of the artist's attenuation: cubic Hermite in between, clipped to 0 and 1.
typedef struct tgAttenuationKey {
    float coordinate; ///< y, -1 to 1, increasing
    float value;      ///< 0 at both ends of the bone
    float tangent;    ///< slope, per unit of y
} tgAttenuationKey;

enum { tg_mostAttenuationKeys = 16, tg_mostFleshSprings = 8 };

typedef struct tgFleshSpring {
    float share;        ///< of the displacement, 0 to 1; an element's shares sum to 1
    float frequency;    ///< Hz, above 0; 3
    float dampingRatio; ///< 0 rings for ever, 1 does not swing past; 0 or more; 0.2
    float stiffness;    ///< N/m; above 0 it takes the place of the frequency; 0
    float damping;      ///< N s/m; 0 or more takes the place of the ratio; -1
} tgFleshSpring;

/// Start from tgDefaultFleshElement().
typedef struct tgFleshElement {
    const char* name;  ///< for messages; may be NULL
    int driver;        ///< the joint that carries it
    const int* driven; ///< descendants of the driver, where the bone ends; none: its children
    int drivenCount;
    const int* joints; ///< further joints whose flesh belongs to it, besides those of the bone
    int jointCount;
    const int* vertices; ///< render vertices; NULL: those that follow the joints of the bone. Given
                         ///< ones fade out towards their border, over a quarter of the bone
    int vertexCount;

    tgAttenuation attenuation; ///< default tg_attenuationWyvill
    int keyCount;              ///< of tg_attenuationCurve, 2 or more
    tgAttenuationKey keys[tg_mostAttenuationKeys];
    float thickness; ///< of the bone, where nothing moves: in bone lengths, 0 or more; 0
    float flow; ///< how much of a displacement goes towards or away from the bone, 0 to 1; 0.5.
                ///< Flesh flows round its bone; the published way is 1

    int springCount; ///< 1 or more; 1
    tgFleshSpring springs[tg_mostFleshSprings];
    float mass;        ///< kg; 0: density times the volume of the element. Only stiffness, damping
                       ///< and air friction need it
    float density;     ///< kg per cubic unit, above 0; 1000
    tgVec3 gravity;    ///< units per second squared, in the world; none
    float airFriction; ///< kg/s, 0 or more; 0
    tgVec3 wind;       ///< units per second, in the world; none

    float elongation;    ///< the most a spring may stretch, as a part of what keeps every vertex on
                         ///< its side of the bone, above 0 to 1; 1
    bool stopAtLimit;    ///< a spring at its limit stops there; false keeps its speed, as published
    float resetDistance; ///< a driver that moves farther in one frame has jumped, and the flesh
                         ///< with it: in bounding diagonals, 0 or more; 0 never; 1

    float twistFrequency;    ///< Hz; above 0 the flesh also turns about its bone; 0
    float twistDampingRatio; ///< 0 or more; 0.2
    float twistLimit;        ///< radians, above 0 to pi / 2; pi / 4
    int cookie;              ///< set by tgDefaultFleshElement, not by you
} tgFleshElement;

TG_API tgFleshElement tgDefaultFleshElement(void);

/// Part of tgRigDef. Everything it points to is copied.
typedef struct tgFleshDef {
    const tgFleshElement* elements; ///< default none
    int elementCount;
} tgFleshDef;

/// What an element came to.
typedef struct tgFleshInfo {
    int vertexCount;  ///< welded vertices that it moves
    float boneLength; ///< of the virtual bone, in the bind pose
    float limit;      ///< the longest displacement
    double volume;    ///< enclosed by its patch of skin, borders closed by fans
    double mass;      ///< kg
} tgFleshInfo;

/// Where an element's springs are, in the world.
typedef struct tgFleshMotion {
    tgVec3 anchor;       ///< the middle of the virtual bone
    tgVec3 displacement; ///< of the springs from the anchor
    tgVec3 velocity;     ///< of the springs against the anchor, units per second
    float twist;         ///< radians about the bone
    float twistVelocity; ///< radians per second, the driver's included
} tgFleshMotion;

#ifdef __cplusplus
}
#endif

#endif
