// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Stage 3 of the frame (2005 s.4): each element's springs hang on the middle of its virtual bone,
// in the world, and the skin follows them. The anchor moves evenly from frame to frame; so the step
//
//   us = (g - drag (va - wind)) / omega^2      y = u - us,  v - va: the spring of spring.c
//
// is exact for any length of time, and only where a spring may meet its limit it is cut into inner
// steps short enough that the frame rate does not show.

#include "core/flesh.h"

#include "core/elementary.h"

#include <math.h>

/// Inner steps a second, while the limit may be met. (480 are enough for springs that keep their
/// speed there, 0.6 % of the limit between frame rates; those that stop need more: 4.4 %, now 1.5
/// %.)
static const double tg_innerRate = 1920.0;
static const double tg_mostInnerSteps = 19200.0;
/// Closer to its place than this part of the limit, and as slow, a spring is at rest.
static const double tg_atRest = 1e-12;

static void tgTransform3(const tgMat34d* m, const double p[3], bool isPoint, double out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = (m->c[0][k] * p[0] + m->c[1][k] * p[1]) + m->c[2][k] * p[2];
        out[k] += isPoint ? m->c[3][k] : 0.0;
    }
}

// ---- where the driver is ------------------------------------------------------------------------

/// An element's driver in this frame, in the world.
typedef struct tgDriver {
    double anchor[3];
    double axis[3], side[3]; ///< unit vectors along the bone and across it
    double stretch;          ///< of the bone since the bind pose
} tgDriver;

static tgDriver tgGetDriver(const tgElement* element, const tgMat34d* toWorld)
{
    tgDriver driver;
    double axis[3], side[3];
    tgTransform3(toWorld, element->middle, true, driver.anchor);
    tgTransform3(toWorld, element->axis, false, axis);
    tgTransform3(toWorld, element->side, false, side);
    driver.stretch = sqrt(tgDot3(axis, axis));
    double scale = driver.stretch > 0.0 ? 1.0 / driver.stretch : 0.0;
    for (int k = 0; k < 3; ++k) {
        driver.axis[k] = scale * axis[k];
    }
    double along = tgDot3(side, driver.axis);
    for (int k = 0; k < 3; ++k) {
        side[k] -= along * driver.axis[k];
    }
    double length = sqrt(tgDot3(side, side));
    for (int k = 0; k < 3; ++k) {
        driver.side[k] = length > 0.0 ? side[k] / length : 0.0;
    }
    return driver;
}

/// How far the driver turned about its bone: the side of before, swung along with the bone, against
/// the side of now.
static double tgGetTurn(const tgElementState* state, const tgDriver* driver)
{
    double swing[3], swung[3], twice[3], side[3], cross[3];
    double cosine = tgDot3(state->axis, driver->axis);
    if (!(cosine > -0.999)) {
        return 0.0; // turned right over: no way to tell
    }
    // r + s x r + s x (s x r) / (1 + c), s = a x b and c = a . b: the turn from a to b
    tgCross3(state->axis, driver->axis, swing);
    tgCross3(swing, state->side, swung);
    tgCross3(swing, swung, twice);
    for (int k = 0; k < 3; ++k) {
        side[k] = state->side[k] + swung[k] + twice[k] / (1.0 + cosine);
    }
    tgCross3(side, driver->side, cross);
    return tgArcTangent(tgDot3(cross, driver->axis), tgDot3(side, driver->side));
}

// ---- springs ------------------------------------------------------------------------------------

/// Where a spring comes to rest while its anchor moves evenly.
static void tgGetRestingPlace(const tgElement* element, const tgElementSpring* spring,
                              const double velocity[3], double place[3])
{
    double squared = spring->spring.omega * spring->spring.omega;
    for (int k = 0; k < 3; ++k) {
        place[k] =
            (element->gravity[k] - element->drag * (velocity[k] - element->wind[k])) / squared;
    }
}

static void tgSumDisplacement(const tgElementSpring* springs, const tgSpringState* states,
                              int count, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0.0;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            sum[k] += springs[i].share * states[i].displacement[k];
        }
    }
}

/// Brings the sum of the springs back within the limit.
static void tgClampSprings(const tgElement* element, const tgElementSpring* springs,
                           tgSpringState* states, const double velocity[3], double limit)
{
    double sum[3];
    tgSumDisplacement(springs, states, element->springCount, sum);
    double squared = tgDot3(sum, sum);
    if (!(squared > limit * limit)) {
        return;
    }
    double length = sqrt(squared), scale = limit / length;
    for (int i = 0; i < element->springCount; ++i) {
        double outwards = 0.0;
        for (int k = 0; k < 3; ++k) {
            states[i].displacement[k] *= scale;
            outwards += (states[i].velocity[k] - velocity[k]) * sum[k] / length;
        }
        for (int k = 0; k < 3 && element->stopAtLimit && outwards > 0.0; ++k) {
            states[i].velocity[k] -= outwards * sum[k] / length;
        }
    }
}

/// How far the sum of the springs can get from the anchor, whatever they do from now on.
static double tgGetFarthest(const tgElement* element, const tgElementSpring* springs,
                            const tgSpringState* states, const double velocity[3],
                            const double places[][3])
{
    double farthest = 0.0;
    for (int i = 0; i < element->springCount; ++i) {
        double away[3], speed[3];
        for (int k = 0; k < 3; ++k) {
            away[k] = states[i].displacement[k] - places[i][k];
            speed[k] = states[i].velocity[k] - velocity[k];
        }
        double reach =
            tgGetSpringReach(&springs[i].spring, tgDot3(away, away), tgDot3(speed, speed));
        farthest += springs[i].share * (sqrt(tgDot3(places[i], places[i])) + reach);
    }
    return farthest;
}

static void tgStepSpring(const tgSpringStep* step, const double velocity[3], const double place[3],
                         tgSpringState* state)
{
    for (int k = 0; k < 3; ++k) {
        double y = state->displacement[k] - place[k], v = state->velocity[k] - velocity[k];
        state->displacement[k] = place[k] + (step->yy * y + step->yv * v);
        state->velocity[k] = velocity[k] + (step->vy * y + step->vv * v);
    }
}

/// Without an end to it the frames of a character at rest would go on changing, ever slower.
static void tgEndSpring(const tgElementSpring* spring, const double velocity[3],
                        const double place[3], double limit, tgSpringState* state)
{
    double distance = 0.0, speed = 0.0;
    for (int k = 0; k < 3; ++k) {
        distance = fmax(distance, fabs(state->displacement[k] - place[k]));
        speed = fmax(speed, fabs(state->velocity[k] - velocity[k]));
    }
    if (distance < tg_atRest * limit && speed < tg_atRest * limit * spring->spring.omega) {
        for (int k = 0; k < 3; ++k) {
            state->displacement[k] = place[k];
            state->velocity[k] = velocity[k];
        }
    }
}

static int tgCountInnerSteps(double dt)
{
    // A step that is longer by rounding alone does not count.
    return (int)fmin(fmax(ceil(dt * tg_innerRate - 1e-3), 1.0), tg_mostInnerSteps);
}

static void tgStepSprings(const tgElement* element, const tgElementSpring* springs,
                          tgSpringState* states, const double velocity[3], double dt, double limit)
{
    double places[tg_mostFleshSprings][3];
    tgSpringStep steps[tg_mostFleshSprings];
    for (int i = 0; i < element->springCount; ++i) {
        tgGetRestingPlace(element, &springs[i], velocity, places[i]);
    }
    bool within = tgGetFarthest(element, springs, states, velocity, places) <= limit;
    int stepCount = within ? 1 : tgCountInnerSteps(dt);
    for (int i = 0; i < element->springCount; ++i) {
        steps[i] = tgMakeSpringStep(&springs[i].spring, dt / stepCount);
    }
    for (int n = 0; n < stepCount; ++n) {
        for (int i = 0; i < element->springCount; ++i) {
            tgStepSpring(&steps[i], velocity, places[i], &states[i]);
        }
        if (!within) {
            tgClampSprings(element, springs, states, velocity, limit);
        }
    }
    for (int i = 0; i < element->springCount; ++i) {
        tgEndSpring(&springs[i], velocity, places[i], limit, &states[i]);
    }
}

static void tgStepTwist(const tgElement* element, tgElementState* state, double turn, double dt)
{
    double rate = turn / dt, v = state->twistVelocity - rate;
    bool within = tgGetSpringReach(&element->twist, state->twist * state->twist, v * v) <=
                  element->twistLimit;
    int stepCount = within ? 1 : tgCountInnerSteps(dt);
    tgSpringStep step = tgMakeSpringStep(&element->twist, dt / stepCount);
    for (int n = 0; n < stepCount; ++n) {
        double y = state->twist;
        state->twist = step.yy * y + step.yv * v;
        v = step.vy * y + step.vv * v;
        state->twist = fmin(fmax(state->twist, -element->twistLimit), element->twistLimit);
    }
    bool still = fabs(state->twist) < tg_atRest && fabs(v) < tg_atRest * element->twist.omega;
    state->twist = still ? 0.0 : state->twist;
    state->twistVelocity = rate + (still ? 0.0 : v);
}

// ---- elements -----------------------------------------------------------------------------------

/// At rest under gravity and wind, as if it had hung there for long.
static void tgRestElement(const tgElement* element, const tgElementSpring* springs,
                          const tgDriver* driver, tgElementState* state, tgSpringState* states)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < element->springCount; ++i) {
        states[i] = (tgSpringState){{0.0}};
        tgGetRestingPlace(element, &springs[i], none, states[i].displacement);
    }
    tgClampSprings(element, springs, states, none, (double)element->info.limit * driver->stretch);
    *state = (tgElementState){.fresh = true};
}

static void tgStepElement(const tgElement* element, const tgElementSpring* springs,
                          const tgDriver* driver, double dt, tgElementState* state,
                          tgSpringState* states)
{
    double velocity[3];
    double turn = element->twists ? tgGetTurn(state, driver) : 0.0;
    for (int k = 0; k < 3; ++k) {
        velocity[k] = (driver->anchor[k] - state->anchor[k]) / dt;
        state->anchorVelocity[k] = velocity[k];
    }
    if (state->fresh) { // a character that starts on the run has flesh that runs along
        for (int i = 0; i < element->springCount; ++i) {
            for (int k = 0; k < 3; ++k) {
                states[i].velocity[k] = velocity[k];
            }
        }
        state->twistVelocity = turn / dt;
        state->fresh = false;
    }
    tgStepSprings(element, springs, states, velocity, dt,
                  (double)element->info.limit * driver->stretch);
    if (element->twists) {
        tgStepTwist(element, state, turn, dt);
    }
}

static bool tgHasJumped(const tgElement* element, const tgElementState* state,
                        const tgDriver* driver)
{
    double moved[3];
    for (int k = 0; k < 3; ++k) {
        moved[k] = driver->anchor[k] - state->anchor[k];
    }
    return element->resetDistance > 0.0 && sqrt(tgDot3(moved, moved)) > element->resetDistance;
}

/// What the kernels need to know of an element.
static void tgSetMove(const tgFleshTask* task, int index, const tgFleshDrive* drive,
                      const tgDriver* driver, const tgMat34d* worldToModel)
{
    const tgElement* element = &task->flesh->elements[index];
    tgFleshMove* move = &task->moves[index];
    double sum[3], inModel[3];
    tgSumDisplacement(task->flesh->springs + element->firstSpring,
                      task->springs + element->firstSpring, element->springCount, sum);
    tgTransform3(worldToModel, sum, false, inModel);
    tgVec3 tail = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < element->drivenCount; ++i) {
        int joint = task->flesh->driven[element->firstDriven + i];
        tail = tgAdd(tail, drive->joints[joint].origin);
    }
    move->displacement = tgMakeVec3((float)inModel[0], (float)inModel[1], (float)inModel[2]);
    move->start = drive->joints[element->driver].origin;
    move->bone = tgSub(tgMulSV(1.0f / (float)element->drivenCount, tail), move->start);
    float squared = tgDot(move->bone, move->bone);
    move->inverseSquared = squared > 1e-30f ? 1.0f / squared : 0.0f;
    move->thickness = element->thickness * element->info.boneLength * (float)driver->stretch;
    move->heldBack = tgMulSV(element->flow - 1.0f, move->displacement);
    move->twist = (float)task->elements[index].twist;
}

static bool tgIsAway(const tgFleshMove* move)
{
    tgVec3 u = move->displacement;
    return u.x != 0.0f || u.y != 0.0f || u.z != 0.0f || move->twist != 0.0f;
}

/// Seconds since the last frame; negative when time ran backwards.
static double tgGetStep(const tgFleshTask* task, const tgFleshDrive* drive)
{
    if (drive->carried) {
        return 0.0;
    }
    return drive->timeStep > 0.0f ? (double)drive->timeStep
                                  : (double)drive->time - (double)task->time;
}

void tgAdvanceFlesh(tgFleshTask* task, const tgFleshDrive* drive)
{
    static const tgMat34d identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}};
    const tgFlesh* flesh = task->flesh;
    tgMat34d toWorld = identity, toModel = identity;
    if (drive->modelToWorld != NULL) {
        toWorld = tgMat34d_FromFloat(drive->modelToWorld);
        tgMat34d_Invert(&toWorld, &toModel);
    }
    double dt = tgGetStep(task, drive);
    task->moved = false;
    for (int e = 0; e < flesh->elementCount; ++e) {
        const tgElement* element = &flesh->elements[e];
        const tgElementSpring* springs = flesh->springs + element->firstSpring;
        tgElementState* state = &task->elements[e];
        tgSpringState* states = task->springs + element->firstSpring;
        tgMat34d joint = tgMat34d_FromFloat(&drive->joints[element->driver]);
        tgMat34d motion = tgMat34d_Mul(&joint, &drive->skeleton->restInverse[element->driver]);
        tgMat34d carried = tgMat34d_Mul(&toWorld, &motion);
        tgDriver driver = tgGetDriver(element, &carried);
        // Another pose at the same time carries the flesh along as it is.
        bool jumped = !drive->carried && tgHasJumped(element, state, &driver);
        if (!task->started || state->isNew || dt < 0.0 || jumped) {
            tgRestElement(element, springs, &driver, state, states);
        } else if (dt > 0.0) {
            tgStepElement(element, springs, &driver, dt, state, states);
        }
        for (int k = 0; k < 3; ++k) {
            state->anchor[k] = driver.anchor[k];
            state->axis[k] = driver.axis[k];
            state->side[k] = driver.side[k];
        }
        tgSetMove(task, e, drive, &driver, &toModel);
        task->moved |= tgIsAway(&task->moves[e]);
    }
    task->started = true;
    task->time = drive->time;
}

/// Whether two elements hang on the same virtual bone.
static bool tgHaveSameBone(const tgElement* a, const tgElement* b)
{
    bool isSame = a->driver == b->driver && a->info.boneLength == b->info.boneLength;
    for (int k = 0; k < 3; ++k) {
        isSame &= a->middle[k] == b->middle[k] && a->axis[k] == b->axis[k];
    }
    return isSame;
}

/// Springs of the same number take over one by one; of another number each takes what all of them
/// came to, so that the skin stays where it is.
static void tgCarrySprings(const tgFleshTask* from, const tgElement* old, const tgElement* element,
                           tgSpringState* states)
{
    const tgElementSpring* springs = from->flesh->springs + old->firstSpring;
    const tgSpringState* oldStates = from->springs + old->firstSpring;
    tgSpringState all = {{0.0}, {0.0}};
    for (int i = 0; i < old->springCount; ++i) {
        for (int k = 0; k < 3; ++k) {
            all.displacement[k] += springs[i].share * oldStates[i].displacement[k];
            all.velocity[k] += springs[i].share * oldStates[i].velocity[k];
        }
    }
    for (int i = 0; i < element->springCount; ++i) {
        states[i] = element->springCount == old->springCount ? oldStates[i] : all;
    }
}

void tgCarryFlesh(const tgFleshTask* from, tgFleshTask* to)
{
    to->started = from->started;
    to->time = from->time;
    for (int e = 0; e < to->flesh->elementCount; ++e) {
        const tgElement* element = &to->flesh->elements[e];
        int i = 0;
        while (i < from->flesh->elementCount &&
               !tgHaveSameBone(&from->flesh->elements[i], element)) {
            i += 1;
        }
        to->elements[e].isNew = i == from->flesh->elementCount;
        if (i < from->flesh->elementCount) {
            to->elements[e] = from->elements[i];
            tgCarrySprings(from, &from->flesh->elements[i], element,
                           to->springs + element->firstSpring);
        }
    }
}

tgFleshMotion tgGetFleshMotion(const tgFleshTask* task, int index)
{
    const tgElement* element = &task->flesh->elements[index];
    const tgElementState* state = &task->elements[index];
    tgFleshMotion motion = {.twist = (float)state->twist,
                            .twistVelocity = (float)state->twistVelocity};
    float* out[3] = {&motion.anchor.x, &motion.displacement.x, &motion.velocity.x};
    for (int k = 0; k < 3; ++k) {
        double displacement = 0.0, velocity = 0.0;
        for (int i = element->firstSpring; i < element->firstSpring + element->springCount; ++i) {
            double share = task->flesh->springs[i].share;
            displacement += share * task->springs[i].displacement[k];
            velocity += share * (task->springs[i].velocity[k] - state->anchorVelocity[k]);
        }
        out[0][k] = (float)state->anchor[k];
        out[1][k] = (float)displacement;
        out[2][k] = (float)velocity;
    }
    return motion;
}

// ---- skin ---------------------------------------------------------------------------------------

typedef struct tgFleshLoop {
    void (*kernel)(const tgFollowTask*, int, int);
    tgFollowTask task;
} tgFleshLoop;

static void tgFleshBlock(int block, int begin, int end, void* context)
{
    (void)block;
    const tgFleshLoop* loop = context;
    loop->kernel(&loop->task, begin, end);
}

void tgMoveFlesh(const tgFleshTask* task, const tgParallel* parallel, const tgKernels* kernels,
                 float* positions)
{
    const tgFlesh* flesh = task->flesh;
    for (int e = 0; e < flesh->elementCount; ++e) {
        const tgElement* element = &flesh->elements[e];
        if (task->moves[e].twist != 0.0f) {
            tgFleshLoop loop = {kernels->twist,
                                {.vertices = flesh->twistVertices + element->firstTwist,
                                 .weights = flesh->twistWeights + element->firstTwist,
                                 .moves = task->moves,
                                 .elements = &e,
                                 .elementCount = 1,
                                 .positions = positions}};
            tgParallelBlocks(parallel, element->twistCount, tgFleshBlock, &loop);
        }
    }
    for (int g = 0; g < flesh->groupCount; ++g) {
        const tgFleshGroup* group = &flesh->groups[g];
        const int* elements = flesh->groupElements + group->firstElement;
        bool away = false;
        for (int k = 0; k < group->elementCount; ++k) {
            away |= tgLength(task->moves[elements[k]].displacement) > 0.0f;
        }
        if (away) {
            tgFleshLoop loop = {kernels->follow,
                                {.vertices = flesh->vertices + group->firstVertex,
                                 .weights = flesh->weights + group->firstWeight,
                                 .stride = group->vertexCount,
                                 .moves = task->moves,
                                 .elements = elements,
                                 .elementCount = group->elementCount,
                                 .positions = positions}};
            tgParallelBlocks(parallel, group->vertexCount, tgFleshBlock, &loop);
        }
    }
}
