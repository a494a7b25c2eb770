// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A character at many times. A viewer puts a vertex at M p, with p the bind pose and its morph
// targets and M the blend of the joints' matrices. Where turgor has it at x, the offset that makes
// the viewer agree is d = M^-1 x - p.

#include "play/clips.h"

#include "core/core.h"
#include "core/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A blend whose volume is less than this part of its size's cube is as good as flat; it is
/// inverted as far as this part of its size.
static const float tg_flatBlend = 0.02f;
/// Keys closer than this to a frame or another key, in frames, add nothing.
static const double tg_leastGap = 0.25;
/// How long before the jump of a step track its last sample is taken, in seconds.
static const double tg_beforeStep = 1e-4;

static void* tgAllocSamples(int count, int each, size_t size)
{
    return calloc((size_t)count * (size_t)(each > 0 ? each : 1) + 1, size);
}

static void tgMeasureAreas(const tgScene* scene, float* areas)
{
    int corner = 0;
    for (int f = 0; f < scene->faceCount; ++f) {
        const int* face = scene->faceVertices + corner;
        for (int k = 2; k < scene->faceSizes[f]; ++k) {
            tgVec3 a = scene->positions[face[0]];
            tgVec3 n = tgCross(tgSub(scene->positions[face[k - 1]], a),
                               tgSub(scene->positions[face[k]], a));
            float third = tgLength(n) / 6.0f;
            areas[face[0]] += third;
            areas[face[k - 1]] += third;
            areas[face[k]] += third;
        }
        corner += scene->faceSizes[f];
    }
}

tgResult tgClips_Make(tgClips* clips, const tgScene* viewer, const tgActor* actor,
                      tgParallel parallel, int sampleCount, bool hasNormals, tgError* error)
{
    int vertexCount = viewer->vertexCount;
    *clips = (tgClips){
        .viewer = viewer,
        .mesh = &actor->rig->mesh,
        .parallel = parallel,
        .sampleCount = sampleCount,
        .samples = tgAllocSamples(sampleCount, 1, sizeof(tgClipSample)),
        .palettes = tgAllocSamples(sampleCount, viewer->jointCount, sizeof(tgMat34)),
        .morphWeights = tgAllocSamples(sampleCount, viewer->morphCount, sizeof(float)),
        .offsets = tgAllocSamples(sampleCount, vertexCount, sizeof(tgVec3)),
        .volumes = tgAllocSamples(sampleCount, 1, sizeof(double)),
        .restNormals = tgAllocSamples(1, vertexCount, sizeof(tgVec3)),
        .areas = tgAllocSamples(1, vertexCount, sizeof(float)),
        .restDiagonal = tgRig_GetInfo(actor->rig).restDiagonal,
    };
    clips->normals = hasNormals ? tgAllocSamples(sampleCount, vertexCount, sizeof(tgVec3)) : NULL;
    if (clips->samples == NULL || clips->palettes == NULL || clips->morphWeights == NULL ||
        clips->offsets == NULL || clips->volumes == NULL || clips->restNormals == NULL ||
        clips->areas == NULL || (hasNormals && clips->normals == NULL)) {
        return tgFail(error, tg_outOfMemory, -1,
                      "no memory for %d frames of %d vertices; fewer fit with --animation NAME or "
                      "a smaller --fps",
                      sampleCount, vertexCount);
    }
    tgMeasureAreas(viewer, clips->areas);
    return tg_success;
}

void tgClips_Free(tgClips* clips)
{
    free(clips->samples);
    free(clips->palettes);
    free(clips->morphWeights);
    free(clips->offsets);
    free(clips->normals);
    free(clips->volumes);
    free(clips->restNormals);
    free(clips->areas);
    *clips = (tgClips){0};
}

static int tgCompareSamples(const void* a, const void* b)
{
    const tgClipSample *x = a, *y = b;
    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    return (int)y->isFrame - (int)x->isFrame;
}

/// Keys of the channels inside the frames' time, unsorted.
static int tgGatherKeys(const tgRoll* roll, double first, double last, tgClipSample* samples)
{
    const tgAnimation* animation = &roll->scene->animations[roll->animation];
    int count = 0;
    for (int c = 0; c < animation->channelCount; ++c) {
        const tgChannel* channel = &animation->channels[c];
        bool isStep = channel->interpolation == tg_interpolateStep;
        for (int k = 0; k < channel->keyCount; ++k) {
            double time = (double)channel->times[k];
            if (time > first && time < last) {
                if (samples != NULL) {
                    samples[count] = (tgClipSample){roll->animation, time, false};
                }
                count += 1;
            }
            if (isStep && k > 0 && time - tg_beforeStep > first && time < last) {
                if (samples != NULL) {
                    samples[count] = (tgClipSample){roll->animation, time - tg_beforeStep, false};
                }
                count += 1;
            }
        }
    }
    return count;
}

/// Is there a step between this key and the one just before it?
static bool tgIsJump(const tgClipSample* before, const tgClipSample* sample)
{
    return sample->time - before->time < 1.5 * tg_beforeStep &&
           sample->time - before->time > 0.5 * tg_beforeStep;
}

/// Leave out keys that are next to a frame or to each other, but for steps.
static int tgThinSamples(tgClipSample* samples, int count, double gap)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        bool isNearNext = i + 1 < count && samples[i + 1].isFrame &&
                          samples[i + 1].time - samples[i].time < gap &&
                          !tgIsJump(&samples[i], &samples[i + 1]);
        bool isNearLast = kept > 0 && samples[i].time - samples[kept - 1].time < gap &&
                          !tgIsJump(&samples[kept - 1], &samples[i]);
        bool isBeforeJump = i + 1 < count && tgIsJump(&samples[i], &samples[i + 1]);
        bool isSame = kept > 0 && samples[i].time - samples[kept - 1].time < 1e-6;
        if (samples[i].isFrame || (!isSame && isBeforeJump) || (!isNearNext && !isNearLast)) {
            samples[kept++] = samples[i];
        }
    }
    return kept;
}

int tgListSamples(const tgRoll* roll, tgClipSample* samples)
{
    const tgScene* scene = roll->scene;
    int frameCount = tgScene_GetFrameCount(scene, roll->animation, roll->fps), count = frameCount;
    double first = tgScene_GetFrameTime(scene, roll->animation, roll->fps, 0);
    double last = tgScene_GetFrameTime(scene, roll->animation, roll->fps, frameCount - 1);
    for (int i = 0; i < frameCount && samples != NULL; ++i) {
        double time = tgScene_GetFrameTime(scene, roll->animation, roll->fps, i);
        samples[i] = (tgClipSample){roll->animation, time, true};
    }
    count += tgGatherKeys(roll, first, last, samples != NULL ? samples + count : NULL);
    if (samples == NULL) {
        return count;
    }
    qsort(samples, (size_t)count, sizeof(*samples), tgCompareSamples);
    return tgThinSamples(samples, count, tg_leastGap / roll->fps);
}

void tgClips_SetPalette(tgClips* clips, int sample, const tgMat34* joints)
{
    const tgScene* viewer = clips->viewer;
    tgMat34* palette = clips->palettes + (size_t)sample * (size_t)viewer->jointCount;
    for (int j = 0; j < viewer->jointCount; ++j) {
        tgMat34 modelToRest;
        bool good = tgInvertMat34(&viewer->joints[j].restJoint, &modelToRest);
        palette[j] = good ? tgMulMat34(&joints[j], &modelToRest) : joints[j];
    }
}

tgMat34 tgClips_Blend(const tgClips* clips, int sample, int vertex)
{
    const tgScene* viewer = clips->viewer;
    const tgMat34* palette = clips->palettes + (size_t)sample * (size_t)viewer->jointCount;
    size_t first = (size_t)vertex * (size_t)viewer->influencesPerVertex;
    tgMat34 sum = {0};
    for (int k = 0; k < viewer->influencesPerVertex; ++k) {
        float w = viewer->influenceWeights[first + (size_t)k];
        if (w == 0.0f) {
            continue;
        }
        const tgMat34* m = &palette[viewer->influenceJoints[first + (size_t)k]];
        sum.x = tgMulAdd(sum.x, w, m->x);
        sum.y = tgMulAdd(sum.y, w, m->y);
        sum.z = tgMulAdd(sum.z, w, m->z);
        sum.origin = tgMulAdd(sum.origin, w, m->origin);
    }
    return sum;
}

const tgVec3* tgClips_GetShape(const tgClips* clips, int sample, tgVec3* scratch)
{
    if (clips->viewer->morphCount == 0) {
        return clips->viewer->positions;
    }
    tgScene_SampleShape(clips->viewer,
                        clips->morphWeights + (size_t)sample * (size_t)clips->viewer->morphCount,
                        scratch);
    return scratch;
}

static float tgGetBlendSize(const tgMat34* m)
{
    return sqrtf((tgDot(m->x, m->x) + tgDot(m->y, m->y) + tgDot(m->z, m->z)) / 3.0f);
}

/// The inverse of a blend, for directions. Joints that turn against each other make blends that are
/// all but flat, where offsets would run off to nowhere: there the least squares are damped.
static bool tgInvertBlend(const tgMat34* blend, tgMat34* inverse)
{
    tgMat34 m = *blend;
    m.origin = tgMakeVec3(0.0f, 0.0f, 0.0f);
    float size = tgGetBlendSize(&m);
    if (!(size > 0.0f)) {
        return false;
    }
    if (fabsf(tgDeterminant(&m)) > tg_flatBlend * size * size * size) {
        return tgInvertMat34(&m, inverse);
    }
    float damping = tg_flatBlend * size * tg_flatBlend * size;
    tgMat34 transposed = {
        .x = {m.x.x, m.y.x, m.z.x}, .y = {m.x.y, m.y.y, m.z.y}, .z = {m.x.z, m.y.z, m.z.z}};
    tgMat34 normal = tgMulMat34(&transposed, &m);
    normal.x.x += damping;
    normal.y.y += damping;
    normal.z.z += damping;
    tgMat34 solved;
    if (!tgInvertMat34(&normal, &solved)) {
        return false;
    }
    *inverse = tgMulMat34(&solved, &transposed);
    return true;
}

typedef struct tgTakeTask {
    tgClips* clips;
    int sample;
    const tgVec3* shape;
    const tgActor* actor;
    const tgActor* plain;
} tgTakeTask;

static void tgTakeVertices(int begin, int end, void* context)
{
    const tgTakeTask* task = context;
    const tgClips* clips = task->clips;
    size_t row = (size_t)task->sample * (size_t)clips->viewer->vertexCount;
    for (int v = begin; v < end; ++v) {
        tgMat34 blend = tgClips_Blend(clips, task->sample, v);
        tgMat34 inverse;
        if (!tgInvertBlend(&blend, &inverse)) {
            continue; // scaled away: nothing shows
        }
        tgVec3 shown = tgMulMatPoint(&blend, task->shape[v]);
        clips->offsets[row + (size_t)v] =
            tgMulMatDirection(&inverse, tgSub(task->actor->positions[v], shown));
        if (clips->normals != NULL) {
            tgVec3 rest = clips->restNormals[v];
            tgVec3 from =
                task->plain == NULL
                    ? rest
                    : tgNormalize(tgMulMatDirection(&inverse, task->plain->normals[v]), rest);
            tgVec3 to = tgNormalize(tgMulMatDirection(&inverse, task->actor->normals[v]), from);
            clips->normals[row + (size_t)v] = tgSub(to, from);
        }
    }
}

void tgClips_Take(tgClips* clips, int sample, tgActor* actor, const tgActor* plain)
{
    tgTakeTask task = {.clips = clips,
                       .sample = sample,
                       .shape = tgClips_GetShape(clips, sample, actor->shape),
                       .actor = actor,
                       .plain = plain};
    tgRun(&clips->parallel, tgTakeVertices, clips->viewer->vertexCount, &task);
    tgVolumeReport volume = tgInstance_MeasureVolume(actor->instance);
    clips->volumes[sample] = tgActor_IsVolume(actor, fabs(volume.result)) ? volume.result : 0.0;
}

void tgClips_MeasureSize(tgClips* clips)
{
    double sum = 0.0;
    for (int v = 0; v < clips->viewer->vertexCount; ++v) {
        tgMat34 blend = tgClips_Blend(clips, 0, v);
        sum += (double)tgGetBlendSize(&blend);
    }
    float scale = (float)(sum / clips->viewer->vertexCount);
    clips->diagonal = clips->restDiagonal * (scale > 0.0f ? scale : 1.0f);
}
