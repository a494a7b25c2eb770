// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A camera that goes along with a character that travels.
#ifndef TURGOR_CLI_FOLLOW_H
#define TURGOR_CLI_FOLLOW_H

#include "turgor/math.h"

#include <stdbool.h>

/// All zero is an empty one. Free it with tgFreeFollow.
typedef struct tgFollow {
    tgVec3* places; ///< of the character in each frame; then, once settled, the camera's
    int count, room;
} tgFollow;

void tgFreeFollow(tgFollow* follow);
/// The next frame; false without memory.
bool tgFollow_Add(tgFollow* follow, tgVec3 place);
/// Places become how far the camera goes: smoothly, and not at all for a character that stays where
/// it is.
/// @param window frames that are averaged
/// @param least a shorter way is none
void tgFollow_Settle(tgFollow* follow, int window, float least);

#endif
