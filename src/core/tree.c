// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Joints as a tree, laid out depth first.

#include "core/tree.h"

void tgTree_Place(int count, tgLayout* layout, tgTree* tree)
{
    size_t room = (size_t)count;
    tree->count = count;
    tree->carriers = tgLayout_Take(layout, room, sizeof(int));
    tree->order = tgLayout_Take(layout, room, sizeof(int));
    tree->place = tgLayout_Take(layout, room, sizeof(int));
    tree->subtreeEnd = tgLayout_Take(layout, room, sizeof(int));
    tree->firstChild = tgLayout_Take(layout, room, sizeof(int));
    tree->nextSibling = tgLayout_Take(layout, room, sizeof(int));
}

static int tgLinkChildren(tgTree* tree)
{
    int root = -1;
    for (int j = tree->count - 1; j >= 0; --j) {
        tree->firstChild[j] = tree->nextSibling[j] = -1;
    }
    for (int j = tree->count - 1; j >= 0; --j) { // backwards: lists come out rising
        int carrier = tree->carriers[j];
        if (carrier >= 0) {
            tree->nextSibling[j] = tree->firstChild[carrier];
            tree->firstChild[carrier] = j;
        } else {
            root = j;
        }
    }
    return root;
}

void tgTree_Fill(tgTree* tree)
{
    int count = 0, j = tgLinkChildren(tree);
    // Down to the first child, else on to the next sibling of the nearest ancestor that has one.
    while (j >= 0) {
        tree->place[j] = count;
        tree->order[count++] = j;
        int next = tree->firstChild[j];
        while (next < 0 && j >= 0) {
            tree->subtreeEnd[j] = count;
            next = tree->nextSibling[j];
            j = tree->carriers[j];
        }
        j = next;
    }
    TG_ASSERT(count == tree->count);
}
