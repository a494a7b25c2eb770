// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Any mesh: four bytes of options, then vertices of three signed bytes and faces of three indices.
// Either there is a skeleton with sound joints, or a message.

#include "turgor/autorig.h"

#include <stdint.h>
#include <stdlib.h>

enum { tg_optionBytes = 4, tg_mostFuzzed = 200 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void tgCheckSkeleton(const tgAutorig* rig)
{
    for (int j = 0; j < rig->jointCount; ++j) {
        const tgAutorigJoint* joint = &rig->joints[j];
        if (!tgIsFiniteVec3(joint->position) || !tgIsFiniteVec3(joint->tail) ||
            joint->parent >= j || (j > 0) != (joint->parent >= 0) || joint->name[0] == '\0' ||
            joint->mirror >= rig->jointCount) {
            abort();
        }
    }
    for (int i = 0; i < rig->tipCount; ++i) {
        if (!tgIsFiniteVec3(rig->tips[i].position) || rig->tips[i].joint >= rig->jointCount) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static tgVec3 positions[tg_mostFuzzed];
    static int corners[3 * tg_mostFuzzed];
    if (size < tg_optionBytes + 12) {
        return 0;
    }
    const uint8_t* options = data;
    data += tg_optionBytes;
    size -= tg_optionBytes;
    int vertexCount = 3 + data[0] % (tg_mostFuzzed - 3), faceCount = 0;
    size_t at = 1;
    for (int v = 0; v < vertexCount; ++v) { // past the end the bytes begin again
        float place[3];
        for (int k = 0; k < 3; ++k, ++at) {
            place[k] = (float)(int8_t)data[at % size];
        }
        positions[v] = tgMakeVec3(place[0], place[1], options[0] & 1 ? 0.0f : place[2]);
    }
    while (faceCount < tg_mostFuzzed && at + 3 <= size) {
        for (int k = 0; k < 3; ++k) {
            corners[3 * faceCount + k] = data[at++] % vertexCount;
        }
        faceCount += 1;
    }
    tgAutorigDef def = tgDefaultAutorigDef();
    def.positions = (tgVec3View){&positions->x, vertexCount, sizeof(tgVec3)};
    def.faceVertices = corners;
    def.faceCount = faceCount;
    def.plan = (tgBodyPlan)(options[1] % 5);
    def.symmetry = (tgSymmetry)(options[2] % 5);
    def.jointsPerLimb = options[3] % 33;
    def.keepToes = (options[0] & 2) != 0;
    def.hasSource = (options[0] & 4) != 0;
    tgError error = {0};
    tgAutorig* rig = tgCreateAutorig(&def, &error);
    if (rig != NULL) {
        tgCheckSkeleton(rig);
    } else if (error.message[0] == '\0') {
        abort();
    }
    tgDestroyAutorig(rig);
    return 0;
}
