// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the rig and the volume stage think of each joint and vertex, for pictures, for lists and for
// refinement. Reads the rig and the last frame, and leaves the character as it stands.

#include "core/elementary.h"
#include "core/instance.h"

#include <math.h>
#include <string.h>

tgJointInfo tgRig_GetJointInfo(const tgRig* rig, int joint)
{
    tgJointInfo info = {.bends = false};
    bool isThere = rig != NULL && joint >= 0 && joint < rig->skeleton.jointCount;
    int limb = isThere && rig->limbs.count > 0 ? rig->limbs.byJoint[joint] : -1;
    if (limb >= 0) {
        info.bends = true;
        info.radius = rig->limbs.limbs[limb].radius;
        info.boneLength = rig->limbs.limbs[limb].boneLength;
    }
    for (int i = 0; isThere && i < rig->anatomy.count; ++i) {
        const tgAnatomyJoint* at = &rig->anatomy.joints[i];
        info.aptness =
            at->joint == joint && at->aptness > info.aptness ? at->aptness : info.aptness;
    }
    return info;
}

/// Raises each vertex to a limb's aptness, times its weight of the two bodies that meet there; of
/// render vertices the first that shows it.
static void tgRaiseToAptness(const tgRig* rig, const tgAnatomyJoint* joint, float* most)
{
    const tgSkin* skin = &rig->skin;
    for (int v = 0; v < rig->mesh.vertexCount; ++v) {
        int begin = skin->groupStart != NULL ? skin->groupStart[v] : v;
        int end = skin->groupStart != NULL ? skin->groupStart[v + 1] : v + 1;
        float share = 0.0f;
        for (int k = 4 * begin; k < 4 * end; ++k) {
            bool isOfLimb = skin->joints[k] == joint->joint || skin->joints[k] == joint->parentBody;
            share += isOfLimb ? skin->weights[k] : 0.0f;
        }
        float* at = &most[rig->mesh.vertexToRender[v]];
        *at = joint->aptness * share > *at ? joint->aptness * share : *at;
    }
}

void tgRig_GetAptness(const tgRig* rig, int joint, float* aptness)
{
    const tgMesh* mesh = &rig->mesh;
    memset(aptness, 0, (size_t)mesh->renderCount * sizeof(float));
    for (int i = 0; i < rig->anatomy.count; ++i) {
        if (joint < 0 || rig->anatomy.joints[i].joint == joint) {
            tgRaiseToAptness(rig, &rig->anatomy.joints[i], aptness);
        }
    }
    for (int r = 0; r < mesh->renderCount; ++r) {
        aptness[r] = aptness[mesh->vertexToRender[mesh->renderToVertex[r]]];
    }
}

/// How much a region counts where something is asked of a joint, or of all that bend.
static float tgGetPart(const tgInstance* instance, int region, int joint)
{
    bool isOfJoint = instance->rig->regions.regions[region].joint == joint;
    return joint < 0 ? instance->local.states[region].bend : isOfJoint ? 1.0f : 0.0f;
}

/// The map of the regions that are asked of, the peak at 1. Where two regions meet, a vertex
/// follows each in part.
static void tgSampleRegions(const tgInstance* instance, int joint, float* gamma)
{
    const tgRig* rig = instance->rig;
    const tgRegions* regions = &rig->regions;
    float peak = 0.0f;
    memset(gamma, 0, (size_t)rig->mesh.renderCount * sizeof(float));
    for (int r = 0; r < regions->count; ++r) {
        const tgRegion* region = &regions->regions[r];
        for (int s = region->firstSeam; s < region->firstSeam + region->seamCount; ++s) {
            const tgSeam* seam = &regions->seams[s];
            for (int i = seam->firstTaker; i < seam->firstTaker + seam->takerCount; ++i) {
                float share = regions->shares[i];
                float part = share * tgGetPart(instance, r, joint) +
                             (1.0f - share) * tgGetPart(instance, seam->across, joint);
                float* at = &gamma[rig->mesh.vertexToRender[regions->takers[i]]];
                *at = fmaxf(*at, part * regions->map[i]); // the padding repeats a vertex, with 0
                peak = fmaxf(peak, *at);
            }
        }
    }
    for (int k = 0; k < rig->mesh.renderCount; ++k) {
        int first = rig->mesh.vertexToRender[rig->mesh.renderToVertex[k]];
        // Render vertices of one place come after the first of them.
        gamma[k] = first < k ? gamma[first] : peak > 0.0f ? gamma[k] / peak : 0.0f;
    }
}

bool tgInstance_GetJointAxes(const tgInstance* instance, int joint, tgJointAxes* axes)
{
    const tgRig* rig = instance->rig;
    bool isThere = joint >= 0 && joint < rig->skeleton.jointCount && rig->limbs.count > 0;
    int i = isThere ? rig->limbs.byJoint[joint] : -1;
    if (i < 0 || !instance->deformed || rig->volume.method != tg_volumeExact) {
        return false;
    }
    const tgLimb* limb = &rig->limbs.limbs[i];
    tgJointFrame frame =
        tgMakeHingeFrame(limb, (const double(*)[3])instance->volume.states[i].turn);
    // The parent bone is the carrier's; of a hinge that carries its joint, the joint's own.
    int carrier = rig->skeleton.bodies.carriers[limb->joint];
    int body = limb->hinge == limb->joint ? carrier : limb->joint;
    const tgMat34d* skin = &instance->skinMatrices[body >= 0 ? body : limb->joint];
    tgVec3 zero = {0.0f, 0.0f, 0.0f}, bone = zero;
    axes->restOrigin = limb->origin;
    axes->origin = instance->joints[limb->hinge].origin;
    for (int k = 0; k < 3; ++k) {
        tgVec3 e = frame.axes[k], turned;
        float* out = &turned.x;
        for (int r = 0; r < 3; ++r) {
            out[r] = (float)(skin->c[0][r] * (double)e.x + skin->c[1][r] * (double)e.y +
                             skin->c[2][r] * (double)e.z);
        }
        bone = k == 0 ? turned : bone;
        axes->restAxes[k] = e;
        axes->axes[k] = tgNormalize(turned, e);
    }
    axes->length = limb->boneLength * tgLength(bone);
    // |s| = 2 sin(bend / 2).
    double half = fmin(0.5 * sqrt((double)frame.swingSquared), 1.0);
    axes->bend = (float)(2.0 * tgArcTangent(half, sqrt(1.0 - half * half)));
    return true;
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
    if (rig->volume.method == tg_volumeNone || !instance->deformed) {
        return tgFail(error, tg_unsupported, -1,
                      rig->volume.method == tg_volumeNone
                          ? "there is no gamma without a volume method, wanted exact or local"
                          : "there is no gamma before the first frame");
    }
    if (rig->volume.method == tg_volumeLocal) {
        tgSampleRegions(instance, joint, gamma);
        return tg_success;
    }
    float* most = instance->volume.field; // scratch memory, free between frames
    memset(most, 0, (size_t)rig->mesh.vertexCount * sizeof(float));
    for (int i = 0; i < rig->limbs.count; ++i) {
        bool bends = instance->volume.states[i].turns;
        if (joint < 0 ? bends : rig->limbs.limbs[i].hinge == joint) {
            tgRaiseToSupport(&instance->volume, i, most);
        }
    }
    for (int r = 0; r < rig->mesh.renderCount; ++r) {
        int v = rig->mesh.renderToVertex[r];
        gamma[r] = most[v] * tgPaint_GetMost(&rig->paint, v);
    }
    return tg_success;
}
