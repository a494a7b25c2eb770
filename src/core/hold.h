// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// No face turns over: vertices whose faces a correction would turn are held back.
#ifndef TURGOR_CORE_HOLD_H
#define TURGOR_CORE_HOLD_H

#include "core/correct.h"

/// Remembers the skinned character, from which faces are held; before anything is corrected.
void tgRememberPlain(tgCorrectTask* task);

/// Makes ready to look at the faces round all joints that bend.
void tgWatchFaces(tgCorrectTask* task);

/// Pulls vertices back towards the skinned character where their faces have all but turned over,
/// and pins them; only round joints that task->unsettled marks; task->withheld is the volume that
/// those of each limb had taken.
/// @return false when no vertex was pulled
bool tgHoldFaces(tgCorrectTask* task);

#endif
