// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The exact method with double in place of float throughout: the steps themselves are exact, what
// the float build leaves is the rounding of its positions.

#include "core/instance.h"
#include "shapes.h"

#include <stdio.h>

/// Two ways to sum 240 faces differ by so much; the steps add no more.
static const double tg_sumRounding = 4e-15;
static const double tg_pi = 3.14159265358979323846;

/// Worst relative error over bends to 150 degrees.
static double tgMeasureWorst(tgProfileKind kind, tgSkinning skinning)
{
    tgShape tube = tgMakeTube(16, 16, 8.0, 2.0, 6.0, true); // the papers' 256 vertices
    tgProfile profile = tgDefaultProfile(kind);
    tgRigDef def = tgShape_GetRigDef(&tube);
    def.skinning = skinning;
    def.volume.method = tg_volumeExact;
    def.volume.profiles = &profile;
    def.volume.profileCount = 1;
    tgRig* rig = tgCreateRig(&def, NULL);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, NULL);
    double worst = 0.0;
    for (int degrees = 10; degrees <= 150; degrees += 10) {
        tgMat34 joints[2];
        tgBendTube(&tube, 8.0, 0.0, degrees * tg_pi / 180.0, joints);
        tgPose pose = {.joints = joints, .jointCount = 2};
        tgInstance_Deform(instance, &pose, (tgVec3Span){0}, (tgVec3Span){0}, NULL);
        tgVolumeReport volume = tgInstance_MeasureVolume(instance);
        worst = fmax(worst, fabs(volume.result / volume.target - 1.0));
    }
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgFreeShape(&tube);
    return worst;
}

int main(void)
{
    int passed = 0, failed = 0;
    for (int kind = tg_profileOrganic; kind <= tg_profileBelly; ++kind) {
        for (int skinning = 0; skinning < 2; ++skinning) {
            double worst = tgMeasureWorst((tgProfileKind)kind, (tgSkinning)skinning);
            printf("profile %d, skinning %d: %.1e\n", kind, skinning, worst);
            passed += worst <= tg_sumRounding;
            failed += !(worst <= tg_sumRounding);
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && sizeof(float) == sizeof(double) ? 0 : 1;
}
