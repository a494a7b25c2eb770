// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file wrinkles.h
/// Wrinkles where a joint compresses the skin: waves along the limb that take up the length which
/// the skin has lost. None in the bind pose, none where skin is stretched.
#ifndef TURGOR_WRINKLES_H
#define TURGOR_WRINKLES_H

#include "turgor/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which side of a bend may wrinkle.
typedef enum tgWrinkleSide {
    tg_wrinkleAll = 0,
    tg_wrinkleInner, ///< the side that the bone bends towards
    tg_wrinkleOuter, ///< the other one
} tgWrinkleSide;

/// Wrinkles of one joint. Start from tgDefaultWrinkle().
typedef struct tgWrinkle {
    int joint;          ///< with a parent
    tgWrinkleSide side; ///< default tg_wrinkleAll
    int count;          ///< waves along the limb, 1 to 64; 4
    float depth;  ///< the most that skin rises or sinks, in parent bone lengths; 0, the default: as
                  ///< the skin's own length asks, about a fifth of a wave at most
    float length; ///< of the limb that they lie on, about the joint, in parent bone lengths; 0, the
                  ///< default: as long as the limb is thick
    int cookie;   ///< set by tgDefaultWrinkle, not by you
} tgWrinkle;

TG_API tgWrinkle tgDefaultWrinkle(int joint);

/// Part of tgRigDef; tgDefaultRigDef() fills it in. Everything it points to is copied.
typedef struct tgWrinklesDef {
    const tgWrinkle* wrinkles; ///< each joint at most once
    int wrinkleCount;
    bool automatic; ///< also for every other joint that compresses skin, with as many waves as the
                    ///< mesh has vertices for; false
} tgWrinklesDef;

/// What the rig made of them.
typedef struct tgWrinkleInfo {
    int joint;
    bool isAutomatic;
    int count;             ///< waves
    int vertexCount;       ///< that they may move
    float verticesPerWave; ///< along the limb; below 4 the waves do not show as such
} tgWrinkleInfo;

#ifdef __cplusplus
}
#endif

#endif
