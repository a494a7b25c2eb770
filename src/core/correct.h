// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The volume stage of the frame: losses, then corrections, in one of three modes.
#ifndef TURGOR_CORE_CORRECT_H
#define TURGOR_CORE_CORRECT_H

#include "core/exact.h"
#include "core/flesh.h"
#include "core/loss.h"

/// Everything the stage needs, and its scratch memory.
typedef struct tgCorrectTask {
    tgLossTask loss;
    tgExactTask exact;
    tgVolumeMode mode;
    bool holdFaces; ///< none may turn over
    double target;  ///< volume to keep, breathing left out
    double breath;  ///< factor of it over time
    float restDiagonal;
    const tgFleshTask* flesh; ///< what flesh moved, it gives back its volume itself
    float* carried;           ///< scratch: 4 for each element; the displacements of mode paper
    float* jointShares;       ///< scratch: how much each joint's flesh lacks of what was left
    tgJointFrame* frames;     ///< scratch: of each limb that bends
    double* drifted;          ///< scratch: volume that each limb's drift added
    const float* freedom;     ///< of each vertex: 0 pinned, 1 free; NULL: all free
    bool hasBones;            ///< that may press skin out, away from any limb
    float* plain;             ///< scratch: 4 for each element; the skinned character
    float* normals;           ///< scratch: 4 for each element; where faces are to look
    float* danger;            ///< scratch: one for each element; of its faces' turning over
    float* held;              ///< scratch: one for each element; the freedom of vertices held back
    bool* unsettled;          ///< scratch: one for each limb; its faces are to be looked at
    double* withheld;         ///< scratch: one for each limb
    bool* driftsFirst;        ///< of each limb: its flesh drifts before contact is looked for
    bool hasDrifted;          ///< tgDriftFirst went before
    bool knowsDrift;          ///< and `drifted` is up to date
    const double* added;      ///< volume that stages before added at each limb; NULL: none
    double* metGains;         ///< scratch: of each kin, see tgLimb: part of what joints swept up
                              ///< that others lost,
    double* metLosses;        ///< and part of what they lost that others swept up; see sweep.c
    float* jointScales;       ///< scratch: of each joint
    float* scales;            ///< scratch: of each vertex
    double residual;          ///< out: volume that found no place
} tgCorrectTask;

/// Corrects task->exact.positions, which hold the skinned character.
void tgCorrectVolume(tgCorrectTask* task);

/// Moves the flesh that drifts before contact is looked for; tgCorrectVolume then does not.
void tgDriftFirst(tgCorrectTask* task);
/// Once more, after a stage changed the volume at some limbs by task->added.
void tgCorrectAgain(tgCorrectTask* task);

/// together.c: all joints at once, closed on the target; false, with nothing but drift moved, when
/// there is no such correction.
/// @param isSure rounding of positions cannot have left more than is worth telling
bool tgCorrectTogether(tgCorrectTask* task, bool* isSure);
/// paper.c: pose and correct joint after joint.
double tgCorrectAsPublished(tgCorrectTask* task);

/// sweep.c: finds how far gains and losses of the joints meet.
void tgMeetSweeps(tgCorrectTask* task);
/// What a joint's loss leaves to be corrected.
double tgGetUnmet(const tgCorrectTask* task, int limb);

/// What stages before added at a limb.
double tgGetAdded(const tgCorrectTask* task, int limb);
/// No joint is marked.
void tgForgetShares(tgCorrectTask* task);
/// Marks a joint and its carrier as those that take what was left.
void tgShareLeft(tgCorrectTask* task, const tgLimb* limb, double left);
/// task->exact.gamma of all vertices by how much they follow the joints that were marked, of
/// those that lack what there is too much of, or the other way round.
/// @param amount what is to be added
void tgFillLimbGamma(tgCorrectTask* task, double amount);
/// How far vertices may go to make room for what was left.
float tgGetWholeCap(const tgCorrectTask* task);
/// The frame of a limb in the full pose.
void tgGetLimbFrame(const tgCorrectTask* task, const tgLimb* limb, tgJointFrame* frame);
/// correct_measure.c: how much the volume may miss its target untold.
double tgGetResidualFloor(const tgCorrectTask* task);
/// Whether a step that is foretold but for the rounding of positions can be taken at its word.
/// @param amount that it brings
/// @param vertexCount of those that it moves
bool tgIsStepSure(const tgCorrectTask* task, double amount, int vertexCount);
/// The volume of the positions as they are now.
double tgMeasureNow(const tgCorrectTask* task);
/// The same after s steps along a field, as a cubic in s.
void tgMeasureAlong(const tgCorrectTask* task, const float* field, double cubic[4]);

#endif
