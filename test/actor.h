// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character on stage: a rig, an instance of it and the skin that it makes.
#ifndef TURGOR_TEST_ACTOR_H
#define TURGOR_TEST_ACTOR_H

#include "check.h"
#include "turgor/turgor.h"

typedef struct tgActor {
    tgRig* rig;
    tgInstance* instance;
    tgVec3* out;
    int vertexCount, jointCount;
} tgActor;

/// A rig that there must be.
static inline tgRig* tgMustCreateRig(const tgRigDef* def)
{
    tgError error = {0};
    tgRig* rig = tgCreateRig(def, &error);
    if (rig == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(rig);
    return rig;
}

static inline tgActor tgMakeActor(const tgRigDef* def)
{
    tgActor actor = {.rig = tgMustCreateRig(def),
                     .vertexCount = def->restPositions.count,
                     .jointCount = def->jointCount};
    actor.instance = tgCreateInstance(actor.rig, NULL, NULL);
    actor.out = calloc((size_t)actor.vertexCount, sizeof(tgVec3));
    assert_non_null(actor.instance);
    return actor;
}

static inline void tgFreeActor(tgActor* actor)
{
    free(actor->out);
    tgDestroyInstance(actor->instance);
    tgDestroyRig(actor->rig);
}

static inline void tgActor_Play(tgActor* actor, const tgMat34* joints)
{
    tgPose pose = {.joints = joints, .jointCount = actor->jointCount};
    tgVec3Span out = {&actor->out->x, actor->vertexCount, sizeof(tgVec3)};
    assert_int_equal(tgInstance_Deform(actor->instance, &pose, out, (tgVec3Span){0}, NULL),
                     tg_success);
}

/// The motion of all that a joint carries when it turns about its own origin.
static inline tgMat34 tgTurnAbout(tgVec3 origin, tgVec3 axis, double angle)
{
    tgTransform turn = tgIdentityTransform();
    turn.rotation = tgMakeQuat(axis, (float)angle);
    turn.position = tgSub(origin, tgRotate(turn.rotation, origin));
    return tgMakeMat34(turn);
}

static inline tgVolumeDef tgMakeExact(tgContactChoice contact)
{
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    volume.contact = contact;
    return volume;
}

#endif
