// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Frames whose bits are the same on every machine: golden hashes are in golden_hashes.txt.
#ifndef TURGOR_TEST_FRAME_HASHES_H
#define TURGOR_TEST_FRAME_HASHES_H

#include "turgor/turgor.h"

enum { tg_frameCaseCount = 38 };

/// Deforms case `which` on a backend and hashes positions, normals and volumes; 0 when this machine
/// does not have the backend, 1 when something failed.
uint64_t tgHashFrameCase(int which, int simd);

#endif
