// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Stage 3 of the frame: springs, and the skin that follows them.
#ifndef TURGOR_CORE_FLESH_H
#define TURGOR_CORE_FLESH_H

#include "core/kernels.h"
#include "core/mesh.h"
#include "core/parallel.h"
#include "core/skeleton.h"
#include "core/spring.h"
#include "turgor/flesh.h"

/// One of an element's springs.
typedef struct tgElementSpring {
    tgSpring spring;
    double share; ///< of the displacement
} tgElementSpring;

/// An element as a frame needs it. Places and directions are in the model, in the bind pose.
typedef struct tgElement {
    tgFleshInfo info;
    int driver;
    int firstDriven, drivenCount; ///< into tgFlesh.driven
    int firstSpring, springCount; ///< into tgFlesh.springs
    double middle[3];             ///< of the virtual bone
    double axis[3], side[3];      ///< unit vectors along the bone and across it
    double gravity[3], wind[3];
    double drag;          ///< air friction over mass, per second
    double resetDistance; ///< 0: never
    bool stopAtLimit;
    float thickness; ///< in bone lengths
    float flow;
    bool twists;
    tgSpring twist;
    double twistLimit;
    int firstTwist, twistCount; ///< into tgFlesh.twistVertices, padded
} tgElement;

/// Vertices that follow the same elements. Lists are padded to tg_lane by repeating the last one.
typedef struct tgFleshGroup {
    int firstElement, elementCount; ///< into tgFlesh.groupElements
    int firstVertex, vertexCount;   ///< into tgFlesh.vertices; the count is padded
    int firstWeight;                ///< vertexCount of them for each element in turn
} tgFleshGroup;

/// All elements of a rig.
typedef struct tgFlesh {
    int elementCount;
    tgElement* elements;
    int drivenCount;
    int* driven;
    int springCount;
    tgElementSpring* springs;
    int groupCount;
    tgFleshGroup* groups;
    int groupElementCount;
    int* groupElements;
    int vertexCount;
    int* vertices;
    int weightCount;
    float* weights;
    int twistCount;
    int* twistVertices;
    float* twistWeights;
} tgFlesh;

/// flesh_check.c: the numbers of a definition.
tgResult tgCheckFleshDef(const tgRigDef* def, tgError* error);
/// A failure that names the element.
tgResult tgFailElement(const tgRigDef* def, int index, tgError* error, const char* format, ...)
    TG_PRINTF(4, 5);

/// flesh_element.c: bones, weights and masses, in scratch memory.
/// @param influences of the render vertices
tgResult tgBuildFlesh(const tgRigDef* def, const tgMesh* mesh, const tgSkeleton* skeleton,
                      const tgInfluences* influences, const float* rest, tgScratch* scratch,
                      tgFlesh* flesh, tgError* error);
/// How far a welded vertex follows an element; 0 where there is no such element.
float tgFlesh_GetWeight(const tgFlesh* flesh, int element, int vertex);
void tgFlesh_Place(const tgFlesh* built, tgLayout* layout, tgFlesh* placed);

/// flesh_group.c: lists of vertices that follow the same elements.
/// @param weights vertexCount for each element in turn
/// @param twistWeights the same for turning about the bone; those of still elements are not read
bool tgMakeFleshGroups(int vertexCount, const float* weights, const float* twistWeights,
                       tgScratch* scratch, tgFlesh* flesh);

/// Where one spring is.
typedef struct tgSpringState {
    double displacement[3]; ///< from the anchor, in the world
    double velocity[3];     ///< in the world
} tgSpringState;

/// Where one element is, in the world.
typedef struct tgElementState {
    double anchor[3];
    double anchorVelocity[3]; ///< during the last step
    double axis[3], side[3];  ///< of the driver, now
    double twist, twistVelocity;
    bool fresh; ///< has not moved since it was reset
    bool isNew; ///< was added after the flesh started: comes to rest at the next frame
} tgElementState;

/// The stage with its memory. All zero but the pointers: not started.
typedef struct tgFleshTask {
    const tgFlesh* flesh;
    tgElementState* elements;
    tgSpringState* springs;
    tgFleshMove* moves; ///< one for each element, for the kernels
    bool started;       ///< there has been a frame since the reset
    bool moved;         ///< some element is away from its place
    float time;         ///< of the last frame
} tgFleshTask;

/// What moves the flesh in a frame.
typedef struct tgFleshDrive {
    const tgSkeleton* skeleton;
    const tgMat34* joints;       ///< joint to model
    const tgMat34* modelToWorld; ///< NULL: the model is the world
    float time, timeStep;        ///< seconds; a step of 0: what the times say
    bool carried;                ///< no time passes, whatever the times say
} tgFleshDrive;

/// Moves the springs on to this frame.
void tgAdvanceFlesh(tgFleshTask* task, const tgFleshDrive* drive);
/// Moves the skin after them. Caps' middles are left where they were.
void tgMoveFlesh(const tgFleshTask* task, const tgParallel* parallel, const tgKernels* kernels,
                 float* positions);
/// Elements of other flesh take over the motion of those with the same virtual bone.
/// @param to new, not started
void tgCarryFlesh(const tgFleshTask* from, tgFleshTask* to);
tgFleshMotion tgGetFleshMotion(const tgFleshTask* task, int index);

#endif
