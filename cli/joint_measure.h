// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What each joint lost, what it was given back and where, and how far its skin went for that.
#ifndef TURGOR_CLI_JOINT_MEASURE_H
#define TURGOR_CLI_JOINT_MEASURE_H

#include "play/actor.h"
#include "shot.h"

/// Of one joint. Volumes are of the frame that took most, over its target.
typedef struct tgJointMeasure {
    int joint;
    double loss;         ///< that bending took away (negative) or added
    double inside;       ///< given back in its support or profile
    double beside;       ///< round that, where it was full
    double spilled;      ///< to all the skin, where that was, too
    int frame;           ///< of the shot
    double displacement; ///< farthest in any frame, in rest diagonals: skin that is its own more
                         ///< than any other bending joint's
} tgJointMeasure;

/// Room for the work.
typedef struct tgJointJudge {
    float *gamma, *most; ///< of each vertex
    int* owner;          ///< of each vertex: the joint whose it is; -1 for none
} tgJointJudge;

/// False without memory; free it in either case.
bool tgOpenJointJudge(const tgScene* scene, tgJointJudge* judge);
void tgCloseJointJudge(tgJointJudge* judge);

/// A frame that both actors stand in.
/// @param plain under the same skinning without correction
/// @param target volume to keep
/// @param size of the rest diagonal in this frame
/// @param joints one for each of the scene's
tgResult tgJudgeJoints(tgJointJudge* judge, const tgActor* corrected, const tgActor* plain,
                       int frame, double target, double size, tgJointMeasure* joints,
                       tgError* error);

/// How many times its loss a joint gives back.
float tgShot_GetGain(const tgShot* shot, int joint);
/// Whether somebody chose the shape in which it does: another than organic.
bool tgShot_IsChosen(const tgShot* shot, int joint);

/// Joints with a chosen profile that gain volume where they bend: it dents there.
typedef struct tgDents {
    int count;
    int joints[3];     ///< those that gain most, the largest first
    double gains[3];   ///< of these, over the target
    const char* shape; ///< of one: "muscle"
} tgDents;

/// One joint in a frame; counts where it is so.
/// @param loss over the target
void tgDents_Add(tgDents* dents, const tgShot* shot, int joint, double loss);
/// One line, if there are any.
void tgDents_Say(const tgDents* dents, const tgShot* shot);
/// Both for the frame that an actor stands in.
void tgWarnAboutDents(const tgShot* shot, tgActor* actor);

#endif
