// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What the volume stage thinks of each vertex, for pictures and for refinement. Reads the rig and
// the last frame, and leaves the character as it stands.

#include "core/instance.h"

#include <string.h>

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
    float* most = instance->volume.field; // scratch memory, free between frames
    memset(most, 0, (size_t)rig->mesh.vertexCount * sizeof(float));
    for (int i = 0; i < rig->limbs.count; ++i) {
        bool bends = instance->volume.states[i].turns;
        if (joint < 0 ? bends : rig->limbs.limbs[i].hinge == joint) {
            tgRaiseToSupport(&instance->volume, i, most);
        }
    }
    for (int r = 0; r < rig->mesh.renderCount; ++r) {
        gamma[r] = most[rig->mesh.renderToVertex[r]];
    }
    return tg_success;
}
