// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What bake, pose and measure share: a file, one of its animations, a range of frames, the
// skinning.

#include "shot.h"

#include "report.h"
#include "turgor/io.h"

#include <string.h>

/// The options that can be judged without the file.
static int tgCheckOptions(const tgShotOptions* options, tgShot* shot)
{
    static const char* const skinnings[] = {"linear", "dual-quaternion", NULL};
    static const char* const volumes[] = {"none", NULL};
    if (options->volume != NULL && tgParseChoice("--volume", options->volume, volumes) < 0) {
        return tg_statusUsage;
    }
    shot->skinning = tg_dualQuaternion;
    if (options->skinning != NULL) {
        int skinning = tgParseChoice("--skinning", options->skinning, skinnings);
        if (skinning < 0) {
            return tg_statusUsage;
        }
        shot->skinning = skinning == 0 ? tg_linear : tg_dualQuaternion;
    }
    if (!(options->fps > 0.0 && options->fps <= 100000.0)) {
        return tgSayUsage("--fps is %g, wanted more than 0 and at most 100000", options->fps);
    }
    if (options->threads < 0 || options->threads > 1024) {
        return tgSayUsage("--threads is %d, wanted 0 to 1024", options->threads);
    }
    if (options->frames[0] < 0 || options->frames[1] < options->frames[0]) {
        return tgSayUsage("--frames is %d:%d, wanted 0 or more and the first before the last",
                          options->frames[0], options->frames[1]);
    }
    shot->fps = options->fps;
    return tg_statusDone;
}

/// More frames than this are a mistake in the file: nine hours at 30 fps.
enum { tg_mostFrames = 1000000 };

/// Animation and frames, which depend on what is in the file.
static int tgChooseFrames(const tgShotOptions* options, tgShot* shot)
{
    const tgScene* scene = shot->scene;
    shot->animation = scene->animationCount > 0 ? 0 : -1;
    if (options->animation != NULL) {
        shot->animation = tgScene_FindAnimation(scene, options->animation);
        if (shot->animation < 0) {
            return tgSayFailure(shot->file,
                                "there is no animation %s; the file has %d, see turgor info",
                                options->animation, scene->animationCount);
        }
    }
    int count = tgScene_GetFrameCount(scene, shot->animation, shot->fps);
    if (count > tg_mostFrames) {
        return tgSayFailure(shot->file, "the animation has %d frames at %g fps, wanted at most %d",
                            count, shot->fps, tg_mostFrames);
    }
    int first = options->frames[0];
    int last = options->frames[1] == INT_MAX ? count - 1 : options->frames[1];
    if (first >= count || last >= count) {
        return tgSayFailure(shot->file,
                            "frames %d:%d are not there, the animation has 0:%d at %g fps", first,
                            last, count - 1, shot->fps);
    }
    shot->firstFrame = first;
    shot->frameCount = last - first + 1;
    return tg_statusDone;
}

int tgOpenShot(const char* file, const tgShotOptions* options, tgShot* shot)
{
    *shot = (tgShot){.file = file};
    int status = tgCheckOptions(options, shot);
    if (status != tg_statusDone) {
        return status;
    }
    tgError error = {0};
    shot->scene = tgLoadScene(file, &error);
    if (shot->scene == NULL) {
        return tgSayFailed(file, &error);
    }
    tgSayWarnings(file, shot->scene);
    if (shot->scene->jointCount == 0) {
        return tgSayFailure(file, "there is no skin, wanted joints and weights to deform it with");
    }
    status = tgChooseFrames(options, shot);
    if (status == tg_statusDone) {
        shot->pool = tgCreateThreadPool(options->threads);
    }
    return status;
}

void tgCloseShot(tgShot* shot)
{
    tgDestroyThreadPool(shot->pool);
    tgDestroyScene(shot->scene);
    *shot = (tgShot){0};
}

double tgShot_GetTime(const tgShot* shot, int frame)
{
    return tgScene_GetFrameTime(shot->scene, shot->animation, shot->fps, frame);
}
