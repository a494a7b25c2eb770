// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the volume stage thinks of each vertex, for pictures and for refinement. Reads the rig and
// the last frame, and leaves the character as it stands.

#include "core/instance.h"

#include <string.h>

static tgVec3 tgGetRest(const float* rest, int v)
{
    return tgMakeVec3(rest[4 * (size_t)v], rest[4 * (size_t)v + 1], rest[4 * (size_t)v + 2]);
}

/// The area of the faces round each vertex at rest, each face shared by its corners.
static void tgFillRestAreas(const tgRig* rig, float* areas)
{
    const tgMesh* mesh = &rig->mesh;
    const float* rest = rig->skin.rest;
    memset(areas, 0, (size_t)mesh->vertexCount * sizeof(float));
    for (int f = 0; f < mesh->triangleCount; ++f) {
        const int* c = mesh->triangles + 3 * (size_t)f;
        tgVec3 a = tgGetRest(rest, c[0]);
        tgVec3 normal = tgCross(tgSub(tgGetRest(rest, c[1]), a), tgSub(tgGetRest(rest, c[2]), a));
        for (int k = 0; k < 3; ++k) {
            areas[c[k]] += tgLength(normal) / 6.0f;
        }
    }
    for (int f = 0; f < mesh->quadCount; ++f) {
        const int* c = mesh->quads + 4 * (size_t)f;
        tgVec3 normal = tgCross(tgSub(tgGetRest(rest, c[2]), tgGetRest(rest, c[0])),
                                tgSub(tgGetRest(rest, c[3]), tgGetRest(rest, c[1])));
        for (int k = 0; k < 4; ++k) {
            areas[c[k]] += tgLength(normal) / 8.0f;
        }
    }
}

/// Raise `most` of the limb's takers to its gamma, whose peak is 1.
/// @param areas undo the division by area that makes uneven meshes bulge evenly; NULL: there is
/// none
static void tgRaiseToGamma(const tgInstance* instance, const tgLimb* limb, bool takes,
                           const float* areas, float* most)
{
    const tgExactTask* exact = &instance->correct.exact;
    tgJointFrame frame;
    tgGetLimbFrame(&instance->correct, limb, &frame);
    tgFillGamma(limb, &frame, takes, exact->kernels, instance->positions, NULL, exact->gamma,
                exact->profile);
    float peak = 0.0f;
    for (int i = 0; i < limb->takerCount; ++i) {
        exact->gamma[i] *= areas != NULL ? areas[limb->takers[i]] : 1.0f;
        peak = fmaxf(peak, exact->gamma[i]);
    }
    for (int i = 0; i < limb->takerCount && peak > 0.0f; ++i) {
        int v = limb->takers[i];
        most[v] = fmaxf(most[v], exact->gamma[i] / peak);
    }
}

tgResult tgInstance_SampleGamma(tgInstance* instance, int joint, float* gamma, tgError* error)
{
    if (instance == NULL || gamma == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "there is no %s",
                      instance == NULL ? "instance" : "room for gamma");
    }
    const tgRig* rig = instance->rig;
    if (joint < -1 || joint >= rig->skeleton.jointCount) {
        return tgFail(error, tg_invalidArgument, joint, "there is no joint %d, the skeleton has %d",
                      joint, rig->skeleton.jointCount);
    }
    if (rig->volume.method != tg_volumeExact || !instance->deformed) {
        return tgFail(error, tg_unsupported, -1,
                      rig->volume.method != tg_volumeExact
                          ? "there is no gamma without the exact volume method"
                          : "there is no gamma before the first frame");
    }
    // The stage's own scratch memory: it is free between frames, and four times as long.
    float* most = instance->correct.exact.gradient;
    float* areas = rig->volume.evenOut ? most + rig->mesh.vertexCount : NULL;
    memset(most, 0, (size_t)rig->mesh.vertexCount * sizeof(float));
    if (areas != NULL) {
        tgFillRestAreas(rig, areas);
    }
    for (int i = 0; i < rig->limbs.count; ++i) {
        const tgLimb* limb = &rig->limbs.limbs[i];
        bool wanted = joint < 0 ? instance->correct.loss.bends[i] : limb->joint == joint;
        if (wanted && limb->takerCount > 0 && limb->profileCount > 0) {
            tgRaiseToGamma(instance, limb, instance->correct.loss.losses[i] > 0.0, areas, most);
        }
    }
    for (int r = 0; r < rig->mesh.renderCount; ++r) {
        gamma[r] = most[rig->mesh.renderToVertex[r]];
    }
    return tg_success;
}
