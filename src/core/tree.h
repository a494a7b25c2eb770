// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints as a tree, in an order where each is followed by all that it carries.
#ifndef TURGOR_CORE_TREE_H
#define TURGOR_CORE_TREE_H

#include "core/core.h"

typedef struct tgTree {
    int count;
    int* carriers;    ///< the joint that carries each one; -1 for the one that carries all
    int* order;       ///< all joints
    int* place;       ///< of each joint in `order`
    int* subtreeEnd;  ///< end of what each joint carries, in `order`
    int* firstChild;  ///< -1 for none
    int* nextSibling; ///< -1 for the last
} tgTree;

/// Room in a block; the caller fills `carriers` and calls tgTree_Fill.
void tgTree_Place(int count, tgLayout* layout, tgTree* tree);
/// Everything that follows from the carriers, which must be one tree.
void tgTree_Fill(tgTree* tree);

static inline bool tgTree_Carries(const tgTree* tree, int carrier, int joint)
{
    return tree->place[joint] >= tree->place[carrier] &&
           tree->place[joint] < tree->subtreeEnd[carrier];
}

#endif
