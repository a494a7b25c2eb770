// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// An extremity is found when a tip of ours lies on skin that the artist gave to it. A joint's
// distance to our nearest one is measured in the mean length of the bones at it. Joints that carry
// no skin, as goals of inverse kinematics, do not count.

#include "rig_samples.h"

#include "assets.h"
#include "turgor/bind.h"
#include "turgor/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const tgRigSample tg_rigSamples[] = {
    {"CesiumMan.glb",
     "Skeleton_neck_joint_1 Skeleton_arm_joint_L__2_ Skeleton_arm_joint_R__3_ leg_joint_L_3 "
     "leg_joint_R_3",
     "leg_joint_L_2 leg_joint_R_2 leg_joint_L_3 leg_joint_R_3 Skeleton_arm_joint_L__3_ "
     "Skeleton_arm_joint_L__2_ Skeleton_arm_joint_R__2_ Skeleton_arm_joint_R__3_",
     "", 0},
    {"Fox.glb",
     "b_Head_05 b_RightHand_08 b_LeftHand_011 b_Tail02_013 b_LeftFoot01_017 b_RightFoot01_021",
     "b_RightForeArm_07 b_RightHand_08 b_LeftForeArm_010 b_LeftHand_011 b_LeftLeg02_016 "
     "b_LeftFoot01_017 b_RightLeg02_020 b_RightFoot01_021",
     "", 2},
    {"RiggedFigure.glb", "neck_joint_1 arm_joint_L_3 arm_joint_R_3 leg_joint_L_3 leg_joint_R_3",
     "arm_joint_L_2 arm_joint_R_2 arm_joint_L_3 arm_joint_R_3 leg_joint_L_2 leg_joint_R_2 "
     "leg_joint_L_3 leg_joint_R_3",
     "", 0},
    {"Q_Apatosaurus.glb",
     "Head Tail4 BackLowLeg.R|BackFoot.R BackLowLeg.L|BackFoot.L FrontLowLeg.R|FrontFoot.R "
     "FrontLowLeg.L|FrontFoot.L",
     "BackLowLeg.R BackLowLeg.L FrontLowLeg.R FrontLowLeg.L", "", 0},
    {"Q_Fox.glb",
     "Head Ear2.L Ear2.R Tail6 FrontLowerLeg.L|FF.L|IKFrontLeg.L FrontLowerLeg.R|FF.R|IKFrontLeg.R "
     "BackLowerLeg.L|FFB.L|IKBackLeg.L BackLowerLeg.R|FFB.R|IKBackLeg.R",
     "FrontLowerLeg.L FrontLowerLeg.R BackLowerLeg.L BackLowerLeg.R", "", 0},
    {"Q_KnightCharacter.glb",
     "Head MiddleHand.L|Fingers.L|Palm.L MiddleHand.R|Fingers.R|Palm.R Thumb.L Thumb.R "
     "Foot.L|LowerLeg.L Foot.R|LowerLeg.R",
     "LowerArm.L LowerArm.R Palm.L Palm.R LowerLeg.L LowerLeg.R Foot.L Foot.R", "", 0},
    {"Q_Rat.glb",
     "Head Tail6 FrontLowLeg.R|FrontFoot.R FrontLowLeg.L|FrontFoot.L BackLowLeg.R|BackFoot.R "
     "BackLowLeg.L|BackFoot.L",
     "FrontLowLeg.R FrontLowLeg.L BackLowLeg.R BackLowLeg.L", "", 2},
    {"Q_Spider.glb",
     "Head Abdomen FrontLeg3.L|FrontFoot.L MidFrontLeg3.L|MidFrontFoot.L "
     "BackLeg3.L|BackFoot.L MidBackLeg3.L|MidBackFoot.L FrontLeg3.R|FrontFoot2.R "
     "MidFrontLeg3.R|MidFrontFoot.R BackLeg3.R|BackFoot.R MidBackLeg3.R|MidBackFoot.R",
     "", "", 2},
    {"elephant_african_bush.glb",
     "Elephantidae_Trunk_8 Elephantidae_Ear_1_L Elephantidae_Ear_1_R Elephantidae_Tail_5 "
     "Elephantidae_Shin_L Elephantidae_Shin_R Elephantidae_Forearm_L Elephantidae_Forearm_R",
     "Elephantidae_Leg_L Elephantidae_Leg_R Elephantidae_Shin_L Elephantidae_Shin_R "
     "Elephantidae_Forearm_L Elephantidae_Forearm_R Elephantidae_Hand_L Elephantidae_Hand_R",
     "", 2},
    {"giraffe_adult.glb",
     "head tail_02 left_r_leg_bottom right_r_leg_bottom left_f_leg_bottom right_f_leg_bottom",
     "left_r_leg_mid right_r_leg_mid left_f_leg_mid right_f_leg_mid left_r_leg_bottom "
     "right_r_leg_bottom left_f_leg_bottom right_f_leg_bottom",
     "", 4},
    {"giraffe_vs.glb", "gi_head gi_tailD gi_L_fphaA gi_R_fphaA gi_L_hphaA gi_R_hphaA",
     "gi_L_elbow gi_R_elbow gi_L_wrist gi_R_wrist gi_L_knee gi_R_knee gi_L_ankle gi_R_ankle",
     "gi_T_ gi_jaw", 4},
    {"spot_vs.glb", "head tail hand_L hand_R foot_L foot_R", "", "", 2},
    {"hand_bones.glb",
     "wrist thumb-tip|thumb-phalanx-distal index-finger-tip|index-finger-phalanx-distal "
     "middle-finger-tip|middle-finger-phalanx-distal ring-finger-tip|ring-finger-phalanx-distal "
     "pinky-finger-tip|pinky-finger-phalanx-distal",
     "", "", 0},
    {"human_makehuman.glb",
     "head foot.L foot.R finger1-2.L finger2-2.L finger3-2.L finger4-2.L finger5-2.L finger1-2.R "
     "finger2-2.R finger3-2.R finger4-2.R finger5-2.R",
     "lowerarm01.L lowerarm01.R wrist.L wrist.R lowerleg01.L lowerleg01.R foot.L foot.R",
     "breast special eye jaw levator temporalis oculi orbicularis oris risorius toe tongue "
     "metacarpal",
     0},
    {"Trex.fbx",
     "Head Tail4 FrontLowLeg.R|FrontFoot.R FrontLowLeg.L|FrontFoot.L BackLowLeg.R|BackFoot.R "
     "BackLowLeg.L|BackFoot.L",
     "FrontLowLeg.R FrontLowLeg.L BackLowLeg.R BackLowLeg.L BackFoot.R BackFoot.L", "", 3},
    {"arnaud.fbx",
     "Head LeftFoot RightFoot LeftHandThumb2 LeftHandIndex2 LeftHandMiddle2 LeftHandRing2 "
     "LeftHandRingPinky2 RightHandThumb2 RightHandIndex2 RightHandMiddle2 RightHandRing2 "
     "RightHandPinky2",
     "LeftForeArm Lefthand LeftLeg LeftFoot RightForeArm RightHand RightLeg RightFoot", "", 0},
    {"cat", "head ear.L ear.R tail4 wrist.L wrist.R hock.L hock.R",
     "elbow.L elbow.R wrist.L wrist.R knee.L knee.R hock.L hock.R", "", 0},
    {"elephant", "trunk6 ear.L ear.R tail2 wrist.L wrist.R hock.L hock.R",
     "elbow.L elbow.R wrist.L wrist.R knee.L knee.R hock.L hock.R", "jaw", 2},
    {"giraffe", "head ear.L ear.R tail1 foreknee.L foreknee.R hock.L hock.R",
     "foreknee.L foreknee.R knee.L knee.R hock.L hock.R", "", 2},
    {"hand", "forearm|wrist thumb_distal index_distal middle_distal ring_distal little_distal", "",
     "", 0},
};
const int tg_rigSampleCount = sizeof(tg_rigSamples) / sizeof(tg_rigSamples[0]);

const tgRigSample tg_unseenSamples[] = {
    {"godot_player.glb", "head|HEAD r-forearm l-forearm r-foot|r-leg l-foot|l-leg",
     "r-forearm l-forearm r-leg l-leg r-foot l-foot", "", 0},
    {"Yeti.glb",
     "Yeti_Head Yeti_LeftWrist Yeti_RightWrist Yeti_LeftFoot Yeti_RightFoot Yeti_TailMid",
     "Yeti_LeftElbow Yeti_RightElbow Yeti_LeftWrist Yeti_RightWrist Yeti_LeftKnee Yeti_RightKnee "
     "Yeti_LeftAnkle Yeti_RightAnkle",
     "", 8},
    {"turkey_walk.dae",
     "Turkey_Head Turkey_TailB Turkey_Feet_l|Turkey_Leg_l Turkey_Feet_r|Turkey_Leg_r", "", "", 2},
    {"Snake.fbx", "Head Tail2", "", "", 1},
};
const int tg_unseenSampleCount = sizeof(tg_unseenSamples) / sizeof(tg_unseenSamples[0]);

tgScene* tgLoadRigSample(const tgRigSample* sample)
{
    if (strchr(sample->file, '.') == NULL) {
        tgScene* model = tgCreateModel(sample->file, 0, NULL);
        assert_non_null(model);
        return model;
    }
    return tgLoadAsset(sample->file);
}

tgAutorigDef tgGetAutorigDef(const tgScene* scene)
{
    tgAutorigDef def = tgDefaultAutorigDef();
    def.positions = (tgVec3View){&scene->positions->x, scene->vertexCount, sizeof(tgVec3)};
    def.faceVertices = scene->faceVertices;
    def.faceSizes = scene->faceSizes;
    def.faceCount = scene->faceCount;
    return def;
}

// ---- names ----

/// Calls for each word of a list.
static const char* tgNextWord(const char* at, char separator, char* word, size_t room)
{
    while (*at == separator) {
        at += 1;
    }
    size_t length = strcspn(at, separator == ' ' ? " " : "|");
    snprintf(word, room, "%.*s", (int)length, at);
    return length > 0 ? at + length : NULL;
}

static bool tgIsListed(const char* list, const char* name, bool byStart)
{
    char word[64];
    while ((list = tgNextWord(list, ' ', word, sizeof(word))) != NULL) {
        if (byStart ? strncmp(name, word, strlen(word)) == 0 : strcmp(name, word) == 0) {
            return true;
        }
    }
    return false;
}

static bool tgIsBelow(const tgScene* scene, int joint, int above)
{
    while (joint >= 0 && joint != above) {
        joint = scene->joints[joint].parent;
    }
    return joint >= 0;
}

/// A joint of `names` ("a|b") is the joint or above it.
static bool tgIsOfExtremity(const tgScene* scene, const char* names, int joint)
{
    char name[64];
    while ((names = tgNextWord(names, '|', name, sizeof(name))) != NULL) {
        int above = tgScene_FindJoint(scene, name);
        if (above < 0) {
            printf("there is no joint %s\n", name);
            abort();
        }
        if (tgIsBelow(scene, joint, above)) {
            return true;
        }
    }
    return false;
}

static int tgCountBelow(const tgScene* scene, const char* names)
{
    int count = 0;
    for (int j = 0; j < scene->jointCount; ++j) {
        count += tgIsOfExtremity(scene, names, j);
    }
    return count;
}

static int tgHeaviestAt(const tgScene* scene, tgVec3 p)
{
    int best = 0;
    for (int v = 1; v < scene->vertexCount; ++v) {
        if (tgDistance(scene->positions[v], p) < tgDistance(scene->positions[best], p)) {
            best = v;
        }
    }
    size_t first = (size_t)best * (size_t)scene->influencesPerVertex, heaviest = first;
    for (int k = 1; k < scene->influencesPerVertex; ++k) {
        heaviest = scene->influenceWeights[first + (size_t)k] > scene->influenceWeights[heaviest]
                       ? first + (size_t)k
                       : heaviest;
    }
    return scene->influenceJoints[heaviest];
}

// ---- the character anew ----

tgScene* tgBindSample(const tgScene* scene, const tgAutorig* rig, int* outsideCount)
{
    tgError error = {0};
    tgScene* skeleton = tgCreateSkeletonScene(rig, NULL, false, &error);
    tgVec3* tails = calloc((size_t)rig->jointCount, sizeof(tgVec3));
    tgBindDef def = tgScene_GetBindDef(scene, skeleton);
    tgScene_GetTails(skeleton, tails);
    def.jointTails = tails;
    tgBinding* binding = tgCreateBinding(&def, &error);
    tgScene* own = tgCreateScene();
    *outsideCount = 0;
    if (binding == NULL || own == NULL) {
        printf("binding failed: %s\n", error.message);
        abort();
    }
    for (int j = 0; j < binding->jointCount; ++j) {
        *outsideCount += binding->joints[j].place != tg_jointInside;
    }
    own->vertexCount = scene->vertexCount;
    own->positions = scene->positions;
    own->faceCount = scene->faceCount;
    own->faceSizes = scene->faceSizes;
    own->faceVertices = scene->faceVertices;
    if (tgScene_SetSkin(own, skeleton, binding->influencesPerVertex, binding->influenceJoints,
                        binding->influenceWeights, &error) != tg_success) {
        printf("no skin: %s\n", error.message);
        abort();
    }
    free(tails);
    tgDestroyBinding(binding);
    tgDestroyScene(skeleton);
    return own;
}

/// How much of each vertex moves with a joint: its weights and those of all below it.
static void tgSumWeights(const tgScene* scene, int joint, float* moved)
{
    for (int v = 0; v < scene->vertexCount; ++v) {
        size_t first = (size_t)v * (size_t)scene->influencesPerVertex;
        float sum = 0.0f, whole = 0.0f;
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            float w = scene->influenceWeights[first + (size_t)k];
            whole += w;
            if (w > 0.0f && tgIsBelow(scene, scene->influenceJoints[first + (size_t)k], joint)) {
                sum += w;
            }
        }
        moved[v] = whole > 0.0f ? sum / whole : 0.0f;
    }
}

static tgVec3 tgGetNormal(const tgVec3* positions, const int* c)
{
    return tgCross(tgSub(positions[c[1]], positions[c[0]]),
                   tgSub(positions[c[2]], positions[c[0]]));
}

/// Faces turned over when a joint bends by 60 degrees about each of the axes: the posed normal
/// against the rest one turned by the mean of its corners' turns.
static int tgCountFlips(const tgScene* scene, tgVec3 origin, const float* moved, tgVec3* posed)
{
    int flips = 0;
    for (int axis = 0; axis < 3; ++axis) {
        tgQuat q =
            tgMakeQuat(tgMakeVec3((float)(axis == 0), (float)(axis == 1), (float)(axis == 2)),
                       60.0f * 3.14159265f / 180.0f);
        for (int v = 0; v < scene->vertexCount; ++v) {
            tgVec3 p = scene->positions[v];
            tgVec3 turned = tgAdd(origin, tgRotate(q, tgSub(p, origin)));
            posed[v] = tgLerp(p, turned, moved[v]);
        }
        const int* c = scene->faceVertices;
        for (int f = 0; f < scene->faceCount; c += scene->faceSizes[f++]) {
            float w = (moved[c[0]] + moved[c[1]] + moved[c[2]]) / 3.0f;
            tgQuat mean = {w * q.x, w * q.y, w * q.z, 1.0f - w + w * q.w};
            tgVec3 rest = tgRotate(tgNormalizeQuat(mean), tgGetNormal(scene->positions, c));
            flips += tgDot(rest, tgGetNormal(posed, c)) < 0.0f;
        }
    }
    return flips;
}

/// |A and B| / |A or B| of the vertices that more than half follow.
static double tgMeasureOverlap(const float* a, const float* b, int count)
{
    int both = 0, any = 0;
    for (int v = 0; v < count; ++v) {
        both += a[v] > 0.5f && b[v] > 0.5f;
        any += a[v] > 0.5f || b[v] > 0.5f;
    }
    return any > 0 ? (double)both / any : 0.0;
}

tgBendScore tgScoreBends(const tgScene* artist, const tgScene* own)
{
    tgBendScore score = {0};
    size_t count = (size_t)artist->vertexCount;
    float* theirs = malloc((size_t)artist->jointCount * count * sizeof(float));
    float* ours = malloc(count * sizeof(float));
    tgVec3* posed = malloc(count * sizeof(tgVec3));
    for (int j = 0; j < artist->jointCount; ++j) {
        tgSumWeights(artist, j, theirs + (size_t)j * count);
    }
    for (int j = 0; j < own->jointCount; ++j) {
        tgSumWeights(own, j, ours);
        int best = -1;
        double overlap = 0.6;
        for (int a = 0; a < artist->jointCount; ++a) {
            double part = tgMeasureOverlap(theirs + (size_t)a * count, ours, artist->vertexCount);
            if (part >= overlap) {
                overlap = part;
                best = a;
            }
        }
        // Bones of a trunk or of a palm do not bend by 60 degrees.
        if (best >= 0 &&
            !tgIsListed("pelvis spine chest neck head palm root hub", own->joints[j].name, true)) {
            score.pairCount += 1;
            score.artistFlips += tgCountFlips(artist, artist->joints[best].restJoint.origin,
                                              theirs + (size_t)best * count, posed);
            score.ownFlips += tgCountFlips(own, own->joints[j].restJoint.origin, ours, posed);
        }
    }
    free(theirs);
    free(ours);
    free(posed);
    return score;
}

// ---- extremities ----

static void tgScoreTips(const tgRigSample* sample, const tgScene* scene, const tgAutorig* rig,
                        tgRigScore* score)
{
    enum { tg_mostWords = 32, tg_mostKept = 64 };
    char words[tg_mostWords][64];
    int sizes[tg_mostWords], wordCount = 0, keptCount = 0;
    int tipJoints[tg_mostKept];
    bool isUsed[tg_mostKept] = {false};
    for (const char* at = sample->extremities;
         (at = tgNextWord(at, ' ', words[wordCount], sizeof(words[0]))) != NULL;) {
        sizes[wordCount] = tgCountBelow(scene, words[wordCount]);
        wordCount += 1;
    }
    for (int i = 0; i < rig->tipCount && keptCount < tg_mostKept; ++i) {
        if (rig->tips[i].fate <= tg_tipAdded) {
            tipJoints[keptCount++] = tgHeaviestAt(scene, rig->tips[i].position);
        }
    }
    score->extremityCount = wordCount;
    for (int round = 0; round < wordCount; ++round) { // those with the fewest joints first
        int word = -1;
        for (int w = 0; w < wordCount; ++w) {
            word = sizes[w] >= 0 && (word < 0 || sizes[w] < sizes[word]) ? w : word;
        }
        sizes[word] = -1;
        bool isFound = false;
        for (int i = 0; i < keptCount && !isFound; ++i) {
            isFound = !isUsed[i] && tgIsOfExtremity(scene, words[word], tipJoints[i]);
            isUsed[i] = isUsed[i] || isFound;
        }
        score->foundCount += isFound;
        if (!isFound) {
            size_t length = strlen(score->missed);
            snprintf(score->missed + length, sizeof(score->missed) - length, " -%s", words[word]);
        }
    }
    int extra = -sample->extraTips;
    for (int i = 0; i < keptCount; ++i) {
        extra += !isUsed[i];
        if (!isUsed[i]) {
            size_t length = strlen(score->missed);
            snprintf(score->missed + length, sizeof(score->missed) - length, " +%s",
                     scene->joints[tipJoints[i]].name);
        }
    }
    score->falseCount = extra > 0 ? extra : 0;
}

// ---- joints ----

static bool* tgFindCarriers(const tgRigSample* sample, const tgScene* scene)
{
    bool* isCarrier = calloc((size_t)scene->jointCount + 1, sizeof(bool));
    size_t count = (size_t)scene->vertexCount * (size_t)scene->influencesPerVertex;
    for (size_t i = 0; i < count; ++i) {
        isCarrier[scene->influenceJoints[i]] |= scene->influenceWeights[i] > 0.0f;
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        isCarrier[j] = isCarrier[j] && !tgIsListed(sample->ignored, scene->joints[j].name, true);
    }
    return isCarrier;
}

/// The mean length of the bones at a joint; 0 when it has none.
static double tgMeasureBones(const tgScene* scene, const bool* isCarrier, int joint)
{
    double sum = 0.0;
    int count = 0;
    tgVec3 p = scene->joints[joint].restJoint.origin;
    for (int j = 0; j < scene->jointCount; ++j) {
        bool isNext =
            isCarrier[j] && (scene->joints[j].parent == joint || scene->joints[joint].parent == j);
        double length = (double)tgDistance(p, scene->joints[j].restJoint.origin);
        if (isNext && length > 0.0) {
            sum += length;
            count += 1;
        }
    }
    return count > 0 ? sum / count : 0.0;
}

static double tgMeasureToCurve(const tgAutorig* rig, tgVec3 p)
{
    double nearest = HUGE_VAL;
    for (int i = 0; i < rig->curveCount; ++i) {
        double distance = (double)tgDistance(rig->curve[i], p);
        nearest = fmin(nearest, distance / fmax((double)rig->curveRadii[i], 1e-9));
    }
    return nearest;
}

static void tgScoreJoints(const tgRigSample* sample, const tgScene* scene, const tgAutorig* rig,
                          tgRigScore* score, int room)
{
    bool* isCarrier = tgFindCarriers(sample, scene);
    for (int j = 0; j < scene->jointCount && score->jointCount < room; ++j) {
        double length = isCarrier[j] ? tgMeasureBones(scene, isCarrier, j) : 0.0;
        if (!(length > 0.0)) {
            continue;
        }
        tgVec3 p = scene->joints[j].restJoint.origin;
        double nearest = HUGE_VAL;
        for (int k = 0; k < rig->jointCount; ++k) {
            nearest = fmin(nearest, (double)tgDistance(p, rig->joints[k].position));
        }
        score->curveDistances[score->jointCount] = tgMeasureToCurve(rig, p);
        score->distances[score->jointCount++] = nearest / length;
        if (tgIsListed(sample->hinges, scene->joints[j].name, false)) {
            score->hingeDistances[score->hingeCount++] = nearest / length;
        }
    }
    free(isCarrier);
}

void tgScoreRig(const tgRigSample* sample, const tgScene* scene, const tgAutorig* rig,
                tgRigScore* score, int room)
{
    tgScoreTips(sample, scene, rig, score);
    tgScoreJoints(sample, scene, rig, score, room);
}

static int tgCompareValues(const void* left, const void* right)
{
    double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

double tgGetQuantile(double* values, int count, double part)
{
    if (count == 0) {
        return 0.0;
    }
    qsort(values, (size_t)count, sizeof(double), tgCompareValues);
    int at = (int)(part * (double)count);
    return values[at < count ? at : count - 1];
}
