// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Flesh without settings: belly, thighs and upper arms, found by the names of joints, where there
// is flesh enough round the bone. The thicker, the slower it swings.

#include "io/settings_private.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/// Flesh thinner than this, in bone lengths, does not swing.
static const double tg_thinFlesh = 0.08;
/// Nor does what has no vertex between the ends of its bone that moves by so much of its length
/// when the flesh does: the corners of a box of an arm all lie at its ends.
static const double tg_leastMove = 0.01;
/// Hz of flesh that is so thick, in metres; as the root of its thickness, and within limits.
static const double tg_usualFrequency = 3.0, tg_usualThickness = 0.12;
static const double tg_lowestFrequency = 1.5, tg_highestFrequency = 8.0;

// ---- names --------------------------------------------------------------------------------------

enum { tg_nameSize = 96 };

/// "mixamorig:LeftUpLeg" and "b_Left_up-leg_07" both become " left up leg ".
static void tgSplitName(const char* name, char out[tg_nameSize])
{
    const char* colon = strrchr(name, ':');
    name = colon != NULL ? colon + 1 : name;
    int size = 0;
    out[size++] = ' ';
    for (const char* c = name; *c != '\0' && size < tg_nameSize - 3; ++c) {
        bool isLetter = isalpha((unsigned char)*c) != 0;
        bool starts = isupper((unsigned char)*c) && c > name && islower((unsigned char)c[-1]);
        if ((!isLetter || starts) && out[size - 1] != ' ') {
            out[size++] = ' ';
        }
        if (isLetter) {
            out[size++] = (char)tolower((unsigned char)*c);
        }
    }
    if (out[size - 1] != ' ') {
        out[size++] = ' ';
    }
    out[size] = '\0';
}

bool tgHasJointWord(const char* name, const char* const* words)
{
    char split[tg_nameSize], word[32];
    tgSplitName(name, split);
    for (; *words != NULL; ++words) {
        snprintf(word, sizeof(word), " %s ", *words);
        if (strstr(split, word) != NULL) {
            return true;
        }
    }
    return false;
}

const char* const tg_trunkWords[] = {"spine", "belly",  "abdomen", "waist",
                                     "torso", "lumbar", "stomach", NULL};
/// Limbs, legs first: what their upper part is called; what the whole is called; the joint where it
/// begins; and what the lower part, or the joint before it, is called.
static const char* const tg_upperWords[2][8] = {
    {"thigh", "upleg", "up leg", "upperleg", "upper leg", "femur", NULL},
    {"upperarm", "upper arm", "uparm", "up arm", "humerus", NULL},
};
static const char* const tg_wholeWords[2][2] = {{"leg", NULL}, {"arm", NULL}};
static const char* const tg_firstJointWords[2][2] = {{"hip", NULL}, {"shoulder", NULL}};
static const char* const tg_lowerWords[2][9] = {
    {"knee", "calf", "shin", "tibia", "lowleg", "low leg", "lowerleg", "lower leg", NULL},
    {"elbow", "forearm", "fore arm", "radius", "lowarm", "low arm", "lowerarm", "lower arm", NULL},
};

// ---- bones --------------------------------------------------------------------------------------

/// A bone that flesh may hang on.
typedef struct tgFleshBone {
    int driver, driven;
} tgFleshBone;

static int tgCountDescendants(const tgScene* scene, int joint)
{
    int count = 0;
    for (int j = joint + 1; j < scene->jointCount; ++j) {
        int up = j;
        while (up > joint) {
            up = scene->joints[up].parent;
        }
        count += up == joint;
    }
    return count;
}

/// The child that carries most: where the limb goes on. -1 for none.
static int tgGetNext(const tgScene* scene, int joint)
{
    int best = -1, most = -1;
    for (int j = joint + 1; j < scene->jointCount; ++j) {
        if (scene->joints[j].parent == joint) {
            int count = tgCountDescendants(scene, j);
            best = count > most ? j : best;
            most = count > most ? count : most;
        }
    }
    return best;
}

/// From the lowest spine joint two thirds of the way up.
static bool tgFindBelly(const tgScene* scene, tgFleshBone* bone)
{
    for (int j = 0; j < scene->jointCount; ++j) {
        if (!tgHasJointWord(scene->joints[j].name, tg_trunkWords)) {
            continue;
        }
        int count = 0, end = j;
        for (int k = tgGetNext(scene, j);
             k >= 0 && tgHasJointWord(scene->joints[k].name, tg_trunkWords);
             k = tgGetNext(scene, k)) {
            count += 1;
        }
        for (int k = 0; k < (2 * count + 2) / 3; ++k) {
            end = tgGetNext(scene, end);
        }
        *bone = (tgFleshBone){j, end != j ? end : tgGetNext(scene, j)};
        return bone->driven >= 0;
    }
    return false;
}

/// Whether a joint without a telling name is a thigh or an upper arm: a leg is a thigh when a shank
/// follows it, unless it hangs on one or on a leg itself.
static bool tgIsPlainLimb(const tgScene* scene, int joint, int limb)
{
    const char* name = scene->joints[joint].name;
    bool isWhole = tgHasJointWord(name, tg_wholeWords[limb]);
    if (!isWhole && !tgHasJointWord(name, tg_firstJointWords[limb])) {
        return false;
    }
    int parent = scene->joints[joint].parent, next = tgGetNext(scene, joint);
    const char* above = parent >= 0 ? scene->joints[parent].name : "";
    const char* below = next >= 0 ? scene->joints[next].name : "";
    bool goesOn = tgHasJointWord(below, tg_lowerWords[limb]) ||
                  (isWhole && tgHasJointWord(below, tg_wholeWords[limb]));
    return goesOn && !tgHasJointWord(below, tg_upperWords[limb]) &&
           !tgHasJointWord(above, tg_wholeWords[limb]) &&
           !tgHasJointWord(above, tg_upperWords[limb]) &&
           !tgHasJointWord(above, tg_lowerWords[limb]);
}

/// The bone of a thigh (limb 0) or upper arm (limb 1) that starts at a joint.
static bool tgFindUpperLimb(const tgScene* scene, int joint, int limb, tgFleshBone* bone)
{
    int parent = scene->joints[joint].parent;
    bool isUpper =
        tgHasJointWord(scene->joints[joint].name, tg_upperWords[limb]) &&
        !(parent >= 0 && tgHasJointWord(scene->joints[parent].name, tg_upperWords[limb]));
    if (!isUpper && !tgIsPlainLimb(scene, joint, limb)) {
        return false;
    }
    int next = tgGetNext(scene, joint);
    while (next >= 0 && tgHasJointWord(scene->joints[next].name, tg_upperWords[limb])) {
        next = tgGetNext(scene, next);
    }
    *bone = (tgFleshBone){joint, next};
    return next >= 0;
}

// ---- thickness ----------------------------------------------------------------------------------

static bool tgIsBetween(const tgScene* scene, int joint, const tgFleshBone* bone)
{
    int up = bone->driven;
    while (up > bone->driver && up != joint) {
        up = scene->joints[up].parent;
    }
    return up == joint && joint != bone->driven;
}

/// Mean distance from the bone of the vertices beside it, weighed by how far they follow it; 0 for
/// a bone without length, and where none moves.
static double tgMeasureThickness(const tgScene* scene, const tgFleshBone* bone, double* length)
{
    tgVec3 head = scene->joints[bone->driver].restJoint.origin;
    tgVec3 along = tgSub(scene->joints[bone->driven].restJoint.origin, head);
    double squared = (double)tgDot(along, along), sum = 0.0, total = 0.0, move = 0.0;
    *length = sqrt(squared);
    for (int v = 0; v < scene->vertexCount && squared > 0.0; ++v) {
        double w = 0.0;
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            size_t at = (size_t)v * (size_t)scene->influencesPerVertex + (size_t)k;
            bool isOfBone = tgIsBetween(scene, scene->influenceJoints[at], bone);
            w += isOfBone ? (double)scene->influenceWeights[at] : 0.0;
        }
        tgVec3 to = tgSub(scene->positions[v], head);
        double t = (double)tgDot(to, along) / squared;
        if (w > 0.0 && t > 0.0 && t < 1.0) {
            double distance = (double)tgLength(tgMulAdd(to, -(float)t, along));
            sum += w * distance;
            total += w;
            move = fmax(move, w * 4.0 * t * (1.0 - t) * distance); // the parabola of flesh
        }
    }
    return move > tg_leastMove * *length ? sum / total : 0.0;
}

/// An element on the bone, when there is flesh enough.
/// @param name room for one, all zero
static bool tgMakeAutoElement(const tgScene* scene, const tgFleshBone* bone, int* driven,
                              char name[tg_nameSize], tgFleshElement* element)
{
    double length, thickness = tgMeasureThickness(scene, bone, &length);
    if (!(thickness > tg_thinFlesh * length)) {
        return false;
    }
    double frequency = tg_usualFrequency * sqrt(tg_usualThickness / thickness);
    *driven = bone->driven;
    *element = tgDefaultFleshElement();
    strncpy(name, scene->joints[bone->driver].name, tg_nameSize - 1);
    element->name = name;
    element->driver = bone->driver;
    element->driven = driven;
    element->drivenCount = 1;
    element->springs[0].frequency =
        (float)fmin(fmax(frequency, tg_lowestFrequency), tg_highestFrequency);
    element->springs[0].dampingRatio = 0.25f;
    element->elongation = 0.5f;
    return true;
}

bool tgSettings_AddFlesh(tgSettings* settings, const tgScene* scene)
{
    int jointCount = scene != NULL ? scene->jointCount : 0, count = settings->flesh.elementCount;
    size_t room = (size_t)(count + jointCount + 1);
    tgFleshElement* elements = tgArena_Take(&settings->memory->arena, room, sizeof(tgFleshElement));
    int* driven = tgArena_Take(&settings->memory->arena, room, sizeof(int));
    char(*names)[tg_nameSize] = tgArena_Take(&settings->memory->arena, room, tg_nameSize);
    if (elements == NULL || driven == NULL || names == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(elements, settings->flesh.elements, (size_t)count * sizeof(tgFleshElement));
    }
    tgFleshBone bone;
    if (jointCount > 0 && tgFindBelly(scene, &bone)) {
        count += tgMakeAutoElement(scene, &bone, &driven[count], names[count], &elements[count]);
    }
    for (int j = 0; j < jointCount; ++j) {
        bool isLimb = tgFindUpperLimb(scene, j, 0, &bone) || tgFindUpperLimb(scene, j, 1, &bone);
        if (isLimb) {
            count +=
                tgMakeAutoElement(scene, &bone, &driven[count], names[count], &elements[count]);
        }
    }
    settings->flesh = (tgFleshDef){elements, count};
    return true;
}
