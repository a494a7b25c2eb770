// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// One moment of a shot: a frame, a time, or the bind pose with some joints turned.
#ifndef TURGOR_CLI_MOMENT_H
#define TURGOR_CLI_MOMENT_H

#include "play/actor.h"
#include "shot.h"

/// One --rotate or --bend.
typedef struct tgTurn {
    char joint[256]; ///< a name or a pattern
    bool isBend;     ///< about the joint's own axis; else about `axis`
    tgVec3 axis;     ///< a unit vector
    float angle;     ///< radians
} tgTurn;

typedef struct tgMoment {
    int frame;   ///< INT_MIN: not given
    double time; ///< NAN: not given
    tgTextList rotate, bend;
    tgTurn turns[2 * tg_mostRepeats]; ///< the same, parsed
    int turnCount;
    tgQuat* rotations; ///< of each joint, once it is settled; NULL without turns
} tgMoment;

tgMoment tgDefaultMoment(void);

/// The lines of a verb's table for it.
#define TG_MOMENT_OPTIONS(moment)                                                                  \
    {"--frame", "N", tg_optionInt, &(moment).frame, "this frame of the animation"},                \
        {"--time", "T", tg_optionNumber, &(moment).time,                                           \
         "this time of the animation, in seconds"},                                                \
        {"--rotate", "JOINT=AX,AY,AZ,DEGREES", tg_optionTexts, &(moment).rotate,                   \
         "turn a joint of the bind pose about its origin; repeatable"},                            \
    {                                                                                              \
        "--bend", "JOINT=DEGREES", tg_optionTexts, &(moment).bend,                                 \
            "bend a joint of the bind pose about its own axis, to its natural side; repeatable"    \
    }

/// How many of the three ways are given.
int tgMoment_CountWays(const tgMoment* moment);
/// What can be judged without the file; returns the status.
int tgMoment_Check(tgMoment* moment);
/// Whether frame and joints are there; returns the status. A time outside the animation is told,
/// and so are the axes that joints bend about. Free it with tgFreeMoment in either case.
int tgMoment_Settle(tgMoment* moment, const tgShot* shot);
void tgFreeMoment(tgMoment* moment);
/// Whether joints are turned.
static inline bool tgMoment_IsTurned(const tgMoment* moment)
{
    return moment->rotate.count + moment->bend.count > 0;
}
/// Seconds at which it is taken; 0 for turned joints.
double tgMoment_GetTime(const tgMoment* moment, const tgShot* shot);
/// Deform an actor of the shot; returns the status.
int tgMoment_Play(const tgMoment* moment, const tgShot* shot, tgActor* actor);

#endif
