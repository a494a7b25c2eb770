// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character with flesh beside the same one without, moved through an animation.
#ifndef TURGOR_PAPER_FLESH_H
#define TURGOR_PAPER_FLESH_H

#include "paper.h"

typedef struct tgFleshPair {
    tgActor plain, moved;
} tgFleshPair;

/// An element from a joint to a descendant; all else by default.
tgFleshElement tgMakeElement(const tgScene* scene, const char* driver, const char* driven,
                             int* drivenPlace);

/// Returns the status; close it in either case.
int tgOpenFleshPair(const tgScene* scene, const tgFleshElement* elements, int count,
                    tgFleshPair* pair);
/// The same with any layers on the one that moves.
int tgOpenLayerPair(const tgActorDef* layers, tgFleshPair* pair);
void tgCloseFleshPair(tgFleshPair* pair);

/// From one time of an animation, which goes round, to a later one, in steps of 1/60 s; both skins
/// stand at the last. Returns the status.
/// @param animation -1: the bind pose
int tgFleshPair_Run(tgFleshPair* pair, int animation, double from, double to);

/// A panel with arrows along the displacements; returns the status.
int tgAddFleshPanel(tgSheet* sheet, tgFleshPair* pair, float arrowScale, const char* label);

/// A picture of the elements' weights, the largest counts; returns the status.
int tgSaveFleshWeights(tgPaper* paper, tgPaperEntry* entry, tgFleshPair* pair, const char* view,
                       const char* words);
/// One more panel of a sheet of glass: each element's spring, from its anchor to its mass; returns
/// the status.
int tgAddSpringPanel(tgSheet* sheet, tgFleshPair* pair, const char* label);

/// The shortest frame of an animation with flesh over the shortest without.
double tgFleshPair_GetCost(tgFleshPair* pair, int animation);
/// The largest displacement that flesh made, in percent of the diagonal.
double tgGetLargestMove(const tgFleshPair* pair);

#endif
