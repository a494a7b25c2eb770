// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What follows from a scene once it is read: which vertices morph targets keep together, what
// joints without a name are called, and whether the skeleton stands in the size that the mesh was
// bound in.

#include "io/scene_finish.h"

#include "core/core.h"
#include "core/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Sizes closer than this to the bound one are not worth a word.
static const double tg_sizeSlop = 0.01;

/// Vertices at one place that a morph target parts, such as closed lips, must not be welded. A key
/// is a hash of all offsets of a vertex: equal offsets, equal keys.
bool tgScene_SetWeldKeys(tgScene* scene)
{
    if (scene->morphCount == 0) {
        return true;
    }
    uint64_t* hashes = calloc((size_t)scene->vertexCount + 1, sizeof(uint64_t));
    scene->weldKeys = tgScene_Alloc(scene, (size_t)scene->vertexCount, sizeof(int));
    bool done = hashes != NULL && scene->weldKeys != NULL;
    for (int m = 0; done && m < scene->morphCount; ++m) {
        const tgSceneMorph* morph = &scene->morphs[m];
        for (int v = 0; v < morph->vertexCount; ++v) {
            tgVec3 offset = morph->offsets[v];
            bool moves = offset.x != 0.0f || offset.y != 0.0f || offset.z != 0.0f;
            if (moves) {
                uint64_t* hash = &hashes[morph->firstVertex + v];
                int number[2] = {morph->node, morph->indexInNode};
                *hash = tgHashWords(tgHashWords(*hash, number, 2), &offset, 3);
            }
        }
    }
    for (int v = 0; done && v < scene->vertexCount; ++v) {
        scene->weldKeys[v] = (int)(hashes[v] >> 33);
    }
    free(hashes);
    return done;
}

/// Volumes are told for the size the file stands in, so a rigger should know when that differs.
static bool tgWarnAboutSize(tgScene* scene)
{
    if (scene->jointCount == 0) {
        return true;
    }
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    bool done = nodes != NULL && joints != NULL;
    double smallest = HUGE_VAL, largest = 0.0;
    if (done) {
        tgScene_SamplePose(scene, -1, 0.0, nodes, joints, NULL);
    }
    for (int j = 0; done && j < scene->jointCount; ++j) {
        double bound = (double)tgDeterminant(&scene->joints[j].restJoint);
        double size = cbrt(fabs((double)tgDeterminant(&joints[j]) / bound));
        if (isfinite(size)) {
            smallest = fmin(smallest, size);
            largest = fmax(largest, size);
        }
    }
    if (largest > 0.0 && (largest > 1.0 + tg_sizeSlop || smallest < 1.0 - tg_sizeSlop)) {
        if (largest - smallest <= tg_sizeSlop * largest) {
            tgScene_Warn(scene, "the skeleton stands at %.4g times the size it was bound in",
                         largest);
        } else {
            tgScene_Warn(scene,
                         "the joints stand at %.4g to %.4g times the size they were bound in",
                         smallest, largest);
        }
    }
    free(nodes);
    free(joints);
    return done;
}

/// Marks in `taken`, where the file calls a joint joint_N with u underscores behind it, bit u of N.
static void tgMarkTaken(const tgScene* scene, const char* name, uint64_t* taken)
{
    static const char tg_stem[] = "joint_";
    size_t stem = sizeof(tg_stem) - 1;
    if (strncmp(name, tg_stem, stem) != 0) {
        return;
    }
    size_t digits = strspn(name + stem, "0123456789"), underscores = strlen(name + stem + digits);
    bool isPlain = digits == 1 || (digits > 1 && digits < 10 && name[stem] != '0');
    if (!isPlain || underscores >= 64 || strspn(name + stem + digits, "_") != underscores) {
        return;
    }
    int number = (int)strtol(name + stem, NULL, 10);
    if (number < scene->jointCount) {
        taken[number] |= (uint64_t)1 << underscores;
    }
}

/// Settings and options call joints by name, so each has one: joint_7 for one that the file gives
/// none, with underscores behind it as long as the file calls another so.
static bool tgNameJoints(tgScene* scene)
{
    uint64_t* taken = calloc((size_t)scene->jointCount + 1, sizeof(uint64_t));
    bool done = taken != NULL;
    for (int j = 0; done && j < scene->jointCount; ++j) {
        tgMarkTaken(scene, scene->joints[j].name, taken);
    }
    for (int j = 0; done && j < scene->jointCount; ++j) {
        tgSceneJoint* joint = &scene->joints[j];
        if (joint->name[0] == '\0') {
            char name[96];
            int length = snprintf(name, sizeof(name), "joint_%d", j);
            for (uint64_t rest = taken[j]; (rest & 1) != 0; rest >>= 1) {
                name[length++] = '_';
            }
            name[length] = '\0';
            joint->name = tgScene_CopyText(scene, name);
        }
        done = joint->name[0] != '\0';
    }
    free(taken);
    return done;
}

tgResult tgScene_Finish(tgScene* scene, tgError* error)
{
    if (!tgScene_SetWeldKeys(scene) || !tgNameJoints(scene) || !tgWarnAboutSize(scene)) {
        return tgFail(error, tg_outOfMemory, -1, "not enough memory");
    }
    return tg_success;
}
