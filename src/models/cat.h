// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How the cat moves.
#ifndef TURGOR_MODELS_CAT_H
#define TURGOR_MODELS_CAT_H

#include "models/character.h"

void tgRunCat(tgPoser* poser, float time);  ///< a gallop; loops after 0.6 s
void tgJumpCat(tgPoser* poser, float time); ///< up and down again, 1.8 s

#endif
