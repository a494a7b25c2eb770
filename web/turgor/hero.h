// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character in a browser: a scene, its settings, a live rig on stage, and the same character
// without layers to compare with.
#ifndef TURGOR_WEB_HERO_H
#define TURGOR_WEB_HERO_H

#include "play/flips.h"
#include "turgor/io.h"

/// Whose parts of the settings changed; see tgHero_Apply.
enum { tg_volumeChanged = 1, tg_fleshChanged = 2, tg_bonesChanged = 4, tg_wrinklesChanged = 8 };

typedef struct tgPlain {
    tgRig* rig;
    tgInstance* instance;
} tgPlain;

typedef struct tgHero {
    tgScene* scene;
    tgSettings* settings;
    tgRig* rig; ///< live
    tgInstance* instance;
    tgPlain plains[3]; ///< by tgSkinning, made when they are asked for
    tgInstance* gauge; ///< measures other frames with the same settings; made when asked for
    tgFlipCounter flips;
    tgMat34* nodes;
    tgMat34* joints;
    tgQuat* rotations; ///< of joints that are turned by hand; all zero: none
    float* morphWeights;
    tgVec3* shape;                         ///< the bind shape under those
    bool isShaped;                         ///< it is not that at rest
    tgVec3 *positions, *normals;           ///< of the last frame
    tgVec3 *plainPositions, *plainNormals; ///< of the last plain frame
    float* values;                         ///< one for each vertex: what was asked for last
    uint8_t* marks;                        ///< one for each face
    double* losses;                        ///< one for each joint: what the gauge summed up
    bool isPosed, isPlayed, isBind, isOwn; ///< isOwn: joints are the page's
    int animation;
    double time, lastTime; ///< of the pose, and of the last frame
    double waited;         ///< seconds for springs alone, since the last frame
} tgHero;

/// Takes over the scene, also on failure; NULL then. Where the settings ask for a finer mesh, that
/// is refined by the first animation.
tgHero* tgCreateHero(tgScene* scene, const char* settings, size_t size, tgError* error);
void tgDestroyHero(tgHero* hero);

typedef enum tgApplied {
    tg_applyFailed = 0,
    tg_appliedLive,  ///< springs swing on
    tg_appliedAnew,  ///< the rig was made anew
    tg_applyReloads, ///< the mesh becomes another: make another hero
} tgApplied;

/// @param changed which parts of the settings may differ
/// @param isTrial tell what would be done, and do nothing
tgApplied tgHero_Apply(tgHero* hero, const char* text, size_t size, int changed, bool isTrial,
                       tgError* error);

/// The pose at a time of an animation, and turned joints.
void tgHero_Pose(tgHero* hero, int animation, double time);
void tgHero_PoseBind(tgHero* hero);
/// The same pose, with joints as they are turned by now; springs swing for so long.
void tgHero_Wait(tgHero* hero, double seconds);
/// Joints of the page's own; `joints` is filled in.
void tgHero_PoseOwn(tgHero* hero, double time, bool isShaped);

bool tgHero_Deform(tgHero* hero, tgError* error);
bool tgHero_DeformPlain(tgHero* hero, tgSkinning skinning, tgError* error);

/// Volumes of the last frame: rest, plain, target, corrected, residual.
bool tgHero_Measure(tgHero* hero, double volumes[5], tgError* error);

/// Another frame's, without touching the pose.
bool tgHero_OpenGauge(tgHero* hero, tgError* error);
/// @param volumes plain, corrected, target
bool tgHero_Gauge(tgHero* hero, int animation, double time, double volumes[3], tgError* error);

#endif
