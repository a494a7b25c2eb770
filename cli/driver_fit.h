// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A pose driver for a character: corrective targets of each joint that bends, and of pairs that
// bend the same skin, with weights that follow from the joints' rotations alone.
#ifndef TURGOR_CLI_DRIVER_FIT_H
#define TURGOR_CLI_DRIVER_FIT_H

#include "play/clips.h"
#include "turgor/driver.h"

/// The targets of one element, and what makes its weights.
typedef struct tgTrainedElement {
    tgDriverElement driven; ///< its arrays are owned here
    int joints[2];          ///< of the scene
    tgVec3* offsets;        ///< vertexCount for each target, for weights as they are
    tgVec3* normals;        ///< the same; NULL: not wanted
} tgTrainedElement;

typedef struct tgTrained {
    int jointCount;
    int* sceneJoints; ///< of each driving joint
    tgDriverJoint* joints;
    int elementCount;
    tgTrainedElement* elements;
    tgDriver driver;
    tgDriverElement* driven; ///< what the driver points to
} tgTrained;

typedef struct tgTrainDef {
    const tgScene* scene;
    const tgScene* viewer;
    tgActor* actor;
    tgParallel parallel;
    const tgClips* clips; ///< for the joints' ranges and the character's size
    const char* file;     ///< for what is said
    float maxError;       ///< of one joint's targets, in diagonals
} tgTrainDef;

/// Free it also on failure.
tgResult tgTrainDriver(const tgTrainDef* def, tgTrained* trained, tgError* error);
void tgFreeTrained(tgTrained* trained);

/// The weight of a target at turns of its element's joints, without ends and bias.
double tgEvaluateTarget(const tgDriverElement* element, int target, const float* turn);

/// The rotations of all driving joints at a sample of clips.
void tgGetRotations(const tgTrained* trained, const tgClips* clips, int sample, tgQuat* rotations);

#endif
