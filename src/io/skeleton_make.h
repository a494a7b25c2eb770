// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A scene that is a skeleton alone.
#ifndef TURGOR_IO_SKELETON_MAKE_H
#define TURGOR_IO_SKELETON_MAKE_H

#include "turgor/scene.h"

/// Room for so many joints, each with a tail, and for one more node; false without memory.
bool tgScene_OpenSkeleton(tgScene* scene, int jointCount);
/// A joint that stands as the model does, at a place of the bind pose. Its node hangs on that of
/// its parent; a root's on `rootNode`, -1 for none.
/// @param tail where its bone ends, a node without a joint; NULL: not told
void tgScene_AddSkeletonJoint(tgScene* scene, const char* name, int parent, int rootNode,
                              tgVec3 place, const tgVec3* tail);

#endif
