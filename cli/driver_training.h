// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the parts of a driver's training share: its joints and their ranges (driver_joints.c), its
// elements (driver_fit.c) and their balance (driver_balance.c).
#ifndef TURGOR_CLI_DRIVER_TRAINING_H
#define TURGOR_CLI_DRIVER_TRAINING_H

#include "driver_fit.h"

enum {
    tg_mostTrain = 48,  ///< samples of one joint
    tg_poseCount = 128, ///< of all joints at once
};

/// Ranges are widened by 20 degrees to each side: twice the sine of half the angle.
static const float tg_widen = 0.3473f;

/// One element being trained.
typedef struct tgTraining {
    const tgTrainDef* def;
    tgTrained* trained;
    tgClips clips; ///< samples of the element
    int jointCount;
    int joints[2];                ///< driving ones
    float turns[tg_mostTrain][6]; ///< of each sample
    float widths[6];
    const tgVec3* rows[tg_mostTrain];
} tgTraining;

/// Range of each driving joint's turns.
typedef struct tgTurnRange {
    float low[3], high[3];
} tgTurnRange;

/// The viewer's scene may be another one than the character's, written and read again. Its joints
/// have to be the same at the same places of the list; names tell nothing, joints may share them.
tgResult tgCheckJoints(const tgTrainDef* def, tgError* error);
/// All joints that have a parent and skin of their own.
tgResult tgListJoints(const tgTrainDef* def, tgTrained* trained, tgError* error);
/// Which turns the clips have.
tgResult tgFindRanges(const tgTrainDef* def, const tgTrained* trained, tgTurnRange* ranges,
                      tgError* error);
void tgWidenRange(tgTurnRange* range);
/// Does it turn at all, or stand turned?
bool tgBends(const tgTurnRange* range);
/// The rotation against the parent that a turn stands for: swing after twist.
tgQuat tgMakeRotation(const tgDriverJoint* joint, const float* turn);

/// What turgor makes of some joints' rotations, against what a viewer does.
/// @param which driving joints, `count` of them, with their rotations
/// @param joints scratch, of the viewer's scene
tgResult tgTakePose(tgTraining* training, int sample, const int* which, int count,
                    const tgQuat* rotations, tgMat34* joints, tgError* error);
void tgNumberTargets(tgTrained* trained);

/// Scales all elements' weights.
/// @param ranges widened; of joints that do not bend low[0] is high[0]
tgResult tgBalanceElements(tgTraining* training, const tgTurnRange* ranges, tgError* error);

#endif
