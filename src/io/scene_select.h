// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Numbers and sets at the vertices of a scene, and what names of a settings file mean there.
#ifndef TURGOR_IO_SCENE_SELECT_H
#define TURGOR_IO_SCENE_SELECT_H

#include "turgor/scene.h"

enum { tg_widestAttribute = 4 }; ///< numbers at a vertex

/// Room for one more attribute; vertices that nobody fills in are 1 in colours and in the paint of
/// the volume, else 0. Its index; -1 without memory.
int tgScene_AddAttribute(tgScene* scene, const char* name, int width);
/// After reading: no numbers that are none, and a paint that is between 0 and 1.
bool tgScene_CleanAttributes(tgScene* scene);

/// What a name means at the vertices.
typedef enum tgSelection {
    tg_selectionNone = 0, ///< there is nothing called so
    tg_selectionWide,     ///< an attribute with several channels, of which none is named
    tg_selectionPaint,    ///< a channel of an attribute
    tg_selectionSet,      ///< vertices of groups, objects and materials
} tgSelection;

/// The numbers at all vertices that a name stands for: a channel of an attribute ("COLOR_1.r",
/// "_SOFT"), cut to 0 and 1; or 1 where a group, an object or a material called so has faces.
/// @param values one for each vertex; untouched for the first two
tgSelection tgScene_Select(const tgScene* scene, const char* name, float* values);

/// Calls `visit` with every name that tgScene_Select knows, but for channels.
void tgScene_VisitNames(const tgScene* scene, void (*visit)(void* context, const char* name),
                        void* context);

#endif
