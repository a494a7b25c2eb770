// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file volume.h
/// How the volume comes back. The exact method: where each joint's correction goes (profiles),
/// along which axes (shares), and how much there should be. The local method: along the normals of
/// each region, by a map.
///
/// A joint's frame: e0 along the parent bone into the joint, e2 to the side the bone bends towards,
/// e1 = e2 x e0 the bending axis. Lengths are in parent bone lengths, so that a setting fits any
/// character.
#ifndef TURGOR_VOLUME_H
#define TURGOR_VOLUME_H

#include "turgor/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tgVolumeMethod {
    tg_volumeNone = 0, ///< plain skinning
    tg_volumeExact,    ///< the enclosed volume equals its target in every frame
    tg_volumeLocal,    ///< each region is given back about what it lost, along its normals; fastest
} tgVolumeMethod;

/// Which exact method.
typedef enum tgVolumeMode {
    tg_modeExact = 0, ///< all joints at once, without an order
    tg_modePaper,     ///< pose and correct joint after joint, as published; for comparison
} tgVolumeMode;

/// The shape of a correction: how much each vertex may take of it.
typedef enum tgProfileKind {
    tg_profileOrganic = 0, ///< the plain support of the joint: the skin near where it bends
    tg_profileIsotropic,   ///< a ball about the joint, all axes alike
    tg_profileRubber,      ///< a ball about the joint, widening along the bending axis
    tg_profileMuscle,      ///< a bulge on the parent bone, on the inner side
    tg_profileFolds,       ///< waves along the bone
    tg_profileBelly,       ///< one bulge that turns into waves as it is squeezed
    tg_profileCurves,      ///< three curves, one along each axis
} tgProfileKind;

/// How a profile of a list joins those before it.
typedef enum tgCombine { tg_combineAdd = 0, tg_combineMultiply } tgCombine;

/// A point of a curve: monotone cubic in between, level outside.
typedef struct tgCurvePoint {
    float coordinate; ///< increasing
    float value;      ///< 0 or more
} tgCurvePoint;

enum { tg_mostCurvePoints = 32 };

/// Start from tgDefaultProfile(). Organic uses `drift` and `gain` alone.
typedef struct tgProfile {
    tgProfileKind kind;
    tgCombine combine;
    float mu[3];     ///< shares of e0, e1, e2, 0 to 1, sum 1; of the first profile of a list.
                     ///< All 0: all axes alike (isotropic's own way)
    float sigma[3];  ///< widths along e0, e1, e2, > 0
    float center[3]; ///< of the bulge: in e0, e1, e2
    float folds;     ///< waves per unit of length: sin^2(folds pi x)
    float foldAngle; ///< belly: the bend at which it is all folds, radians, > 0; pi / 2
    float drift;     ///< amplitude of organic's anatomical shape, 0 to 1; 0. Of the first profile
    float gain;      ///< the joint gives back so many times what it lost, 0 to 4; 1. Of the first
                     ///< profile; the volume to keep changes by the difference
    int curveCounts[3];
    tgCurvePoint curves[3][tg_mostCurvePoints]; ///< along e0, e1, e2; no points: 1 everywhere
    int cookie;                                 ///< set by tgDefaultProfile, not by you
} tgProfile;

/// The profile as published; organic is ours.
TG_API tgProfile tgDefaultProfile(tgProfileKind kind);

/// Profiles of one joint.
typedef struct tgJointProfiles {
    int joint;
    const tgProfile* profiles; ///< none: this joint's loss goes to the others
    int profileCount;
} tgJointProfiles;

/// A paint that one joint has of its own.
typedef struct tgJointPaint {
    int joint;
    const float* paint; ///< one for each render vertex, 0 to 1
} tgJointPaint;

/// The target over time, as a factor of the volume to keep; linear in between.
typedef struct tgVolumeKey {
    float time;  ///< seconds, increasing
    float scale; ///< > 0
} tgVolumeKey;

/// Where the local method lets the volume come back: how much each vertex may take. In terms of w,
/// the vertex's largest skin weight, and d, its distance to the bones in the bind pose.
typedef enum tgLocalMap {
    tg_mapOrganic = 0, ///< d^beta: flesh bulges far from the bones; globally and with still edges
                       ///< times what rubber is
    tg_mapRubber,      ///< (1 - w)^alpha, round the joints; with still edges (2 w - 1)^alpha
    tg_mapUniform,     ///< alike all over; with still edges but for those
} tgLocalMap;

/// What the local method gives volume back to.
typedef enum tgLocalScope {
    tg_scopeRegions = 0, ///< each region what it lost
    tg_scopeGlobal,      ///< each connected piece as a whole
} tgLocalScope;

/// How regions give way to each other, in regions' scope.
typedef enum tgLocalEdges {
    tg_edgesBlended = 0, ///< the skin between two regions goes from one's step to the other's
    tg_edgesStill,       ///< as published: nothing moves where regions meet
} tgLocalEdges;

/// How the local method tells what a region lost; it is open where it meets others.
typedef enum tgLocalLoss {
    tg_lossClosed = 0, ///< closed towards the joints that it bends about: losses sum to the whole
    tg_lossPrisms,     ///< as published: against the region as its joint alone would carry it
} tgLocalLoss;

/// A region that differs. A region is named after its joint: it is the skin that follows that joint
/// more than any other.
typedef struct tgLocalRegion {
    int joint;
    tgLocalMap map;
    float alpha, beta;
    const int* bones; ///< joints whose bones count for d, such as a belly's spine; none: all
    int boneCount;
} tgLocalRegion;

/// The local method: part of tgVolumeDef.
typedef struct tgLocalDef {
    tgLocalScope scope;           ///< default tg_scopeRegions
    tgLocalLoss loss;             ///< default tg_lossClosed
    tgLocalEdges edges;           ///< default tg_edgesBlended
    tgLocalMap map;               ///< default tg_mapOrganic
    float alpha;                  ///< 0 to 64; larger is more focused; 1
    float beta;                   ///< 0 to 64; larger prefers flesh far from the bones; 1
    const tgLocalRegion* regions; ///< each joint at most once
    int regionCount;
    int parts;   ///< 1 to 1000: so many steps, each along normals taken anew; 1
    int repeats; ///< 0 to 100: measure what is left, and give that back too; 0
    bool exact;  ///< then scale the correction by the root of a cubic: the volume is met; false
} tgLocalDef;

/// Whether contact is looked for between neighbouring bones.
typedef enum tgContactChoice {
    tg_contactOff = 0,
    tg_contactOn,   ///< not with mode paper
    tg_contactAuto, ///< on with the exact method but for mode paper, else off
} tgContactChoice;

/// Part of tgRigDef; tgDefaultRigDef() fills it in. Everything it points to is copied.
typedef struct tgVolumeDef {
    tgVolumeMethod method;     ///< default tg_volumeNone
    tgVolumeMode mode;         ///< default tg_modeExact
    const tgProfile* profiles; ///< of every joint without an entry of its own; none: organic
    int profileCount;
    const tgJointProfiles* joints;
    int jointCount;
    const tgVolumeKey* targetKeys; ///< breathing; none: 1
    int targetKeyCount;
    const float* paint; ///< where skin may swell: one for each render vertex, 0 to 1. Multiplies
                        ///< every profile and every map; NULL: 1
    const tgJointPaint* jointPaints; ///< in place of it, of what these joints give back; with the
                                     ///< local method of the regions named after them
    int jointPaintCount;
    tgLocalDef local;        ///< for tg_volumeLocal
    tgContactChoice contact; ///< skin that would pass through the neighbouring bone's stops there;
                             ///< default tg_contactAuto
    float contactGap;        ///< to leave between skin and skin, in limb radii, 0 or more; 0.02
} tgVolumeDef;

#ifdef __cplusplus
}
#endif

#endif
