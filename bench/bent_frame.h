// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// One frame of a character with some joints bent: what the benches of the volume methods time.
#ifndef TURGOR_BENCH_BENT_FRAME_H
#define TURGOR_BENCH_BENT_FRAME_H

#include "turgor/scene.h"
#include "turgor/turgor.h"

#include <string.h>

enum { tg_mostBentJoints = 256 };

typedef struct tgJob {
    tgInstance* instance;
    const tgMat34* joints;
    int jointCount;
    tgVec3Span out;
} tgJob;

static inline void tgRunFrame(void* context)
{
    tgJob* job = context;
    tgPose pose = {.joints = job->joints, .jointCount = job->jointCount};
    tgInstance_Deform(job->instance, &pose, job->out, (tgVec3Span){0}, NULL);
}

static inline bool tgIsListed(const char* name, const char* const* names, int count)
{
    for (int i = 0; i < count; ++i) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/// The bind pose with joints turned about their own origins; children follow.
/// @param names of those that turn; NULL: all but the roots
static inline void tgTurnJoints(const tgScene* scene, const char* const* names, int count,
                                float angle, tgMat34* joints)
{
    tgMat34 motions[tg_mostBentJoints];
    for (int j = 0; j < scene->jointCount; ++j) {
        int parent = scene->joints[j].parent;
        bool turns = names == NULL ? parent >= 0 : tgIsListed(scene->joints[j].name, names, count);
        tgTransform turn = tgIdentityTransform();
        tgVec3 origin = scene->joints[j].restJoint.origin;
        turn.rotation = tgMakeQuat(tgMakeVec3(1.0f, 0.0f, 0.0f), turns ? angle : 0.0f);
        turn.position = tgSub(origin, tgRotate(turn.rotation, origin));
        tgMat34 own = tgMakeMat34(turn);
        motions[j] = parent >= 0 ? tgMulMat34(&motions[parent], &own) : own;
        joints[j] = tgMulMat34(&motions[j], &scene->joints[j].restJoint);
    }
}

#endif
