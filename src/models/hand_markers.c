// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What motion capture would see of the hand: markers over the back of the forefinger while it bends
// and sways and the whole hand moves, with noise. The first frame is the bind pose, so the true
// centres are the joints of the model.

#include "models/hand.h"

#include "core/core.h"
#include "io/output_file.h"
#include "models/angles.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { tg_markersPerSegment = 4, tg_markerCount = tg_maxSegments * tg_markersPerSegment };

// A marker's middle is this far from the bone's axis, in radii of the digit: they stand on short
// wires, because markers that are close together tell badly how a segment is turned.
static const float tg_markerHeight = 2.4f;

/// Where the markers of a segment are: along it, and towards the thumb in radii of the digit.
static const float tg_markerPlaces[tg_markersPerSegment][2] = {
    {0.05f, -1.4f}, {0.35f, 1.8f}, {0.65f, -1.8f}, {0.95f, 1.4f}};

/// A generator whose state is one number (splitmix64); the same on every machine.
static float tgNextUniform(uint64_t* state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (float)((z ^ (z >> 31)) >> 40) * (1.0f / 16777216.0f);
}

/// The sum of twelve uniform numbers has variance 1 and is as good as normal here.
static float tgNextNormal(uint64_t* state)
{
    float sum = -6.0f;
    for (int i = 0; i < 12; ++i) {
        sum += tgNextUniform(state);
    }
    return sum;
}

/// A wave that starts and ends at 0, between 0 and 1, `count` times over the shot.
static float tgWave(float t, float count)
{
    return 0.5f - 0.5f * tgCos(6.2831853f * count * t);
}

/// The forefinger bends its joints out of step and sways; the hand turns and moves. t from 0 to 1.
static void tgBendForefinger(tgPoser* poser, float t)
{
    const tgDigit* index = &tg_digits[1];
    tgVec3 hinge = tgDigit_GetHinge(index);
    float sway = tgSin(6.2831853f * 3.0f * t);
    tgPoser_Turn(poser, index->joints[1], 0.0f, 0.0f, 15.0f * sway);
    tgPoser_TurnAbout(poser, index->joints[1], hinge, 75.0f * tgWave(t, 2.0f));
    tgPoser_TurnAbout(poser, index->joints[2], hinge, 95.0f * tgWave(t, 3.0f));
    tgPoser_TurnAbout(poser, index->joints[3], hinge, 60.0f * tgWave(t, 4.0f));
    tgPoser_Turn(poser, "forearm", 20.0f * tgWave(t, 1.0f), 25.0f * tgSin(6.2831853f * t), 0.0f);
    tgPoser_Move(poser, "forearm", tgMakeVec3(0.05f * tgWave(t, 1.0f), 0.0f, 0.02f * sway));
}

static tgVec3 tgPlaceMarker(const tgDigit* digit, int segment, int k)
{
    float r = digit->radius;
    float side = tg_markerPlaces[k][1] * r;
    // Two sides of a triangle give the third.
    float height = sqrtf(tg_markerHeight * tg_markerHeight * r * r - side * side);
    tgVec3 p = tgDigit_Place(digit, segment, tg_markerPlaces[k][0], height);
    return tgMulAdd(p, side, tgDigit_GetHinge(digit));
}

/// Where all markers truly are at a time.
static void tgPlaceMarkers(const tgModelSkeleton* skeleton, float t, tgVec3 markers[tg_markerCount])
{
    const tgDigit* index = &tg_digits[1];
    tgPoser poser = tgMakePoser(skeleton);
    tgBendForefinger(&poser, t);
    for (int s = 0; s < tg_maxSegments; ++s) {
        int joint = tgModelSkeleton_Find(skeleton, index->joints[s]);
        tgTransform posed = tgPoser_GetJoint(&poser, joint);
        for (int k = 0; k < tg_markersPerSegment; ++k) {
            tgVec3 local = tgSub(tgPlaceMarker(index, s, k), skeleton->positions[joint]);
            markers[s * tg_markersPerSegment + k] =
                tgAdd(posed.position, tgRotate(posed.rotation, local));
        }
    }
}

/// A TRC file in the making; after a failure nothing more is written.
typedef struct tgTrcWriter {
    const tgModelMarkersDef* def;
    tgOutputFile file;
    tgResult result;
    tgError* error;
} tgTrcWriter;

static void tgPutTrc(tgTrcWriter* writer, const char* text)
{
    if (writer->result == tg_success) {
        writer->result = tgOutputFile_Write(&writer->file, text, strlen(text), writer->error);
    }
}

/// With four decimals and a point, whatever the locale says.
static void tgPutTrcNumber(tgTrcWriter* writer, double value)
{
    char text[64];
    long long parts = llround(fabs(value) * 1e4);
    snprintf(text, sizeof(text), "\t%s%lld.%04lld", value < 0.0 ? "-" : "", parts / 10000,
             parts % 10000);
    tgPutTrc(writer, text);
}

/// The lines at the top: what the file holds, the markers' names, the axes, an empty one.
static void tgPutTrcHeader(tgTrcWriter* writer)
{
    const tgModelMarkersDef* def = writer->def;
    tgPutTrc(writer, "PathFileType\t4\t(X/Y/Z)\thand.trc\n"
                     "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"
                     "OrigDataStartFrame\tOrigNumFrames\n");
    char line[160];
    int rate = def->rate, frames = def->frameCount;
    snprintf(line, sizeof(line), "%d\t%d\t%d\t%d\tmm\t%d\t1\t%d\nFrame#\tTime", rate, rate, frames,
             tg_markerCount, rate, frames);
    tgPutTrc(writer, line);
    for (int m = 0; m < tg_markerCount; ++m) {
        snprintf(line, sizeof(line), "\t%s_%d\t\t", tg_digits[1].joints[m / tg_markersPerSegment],
                 m % tg_markersPerSegment + 1);
        tgPutTrc(writer, line);
    }
    tgPutTrc(writer, "\n\t");
    for (int m = 1; m <= tg_markerCount; ++m) {
        snprintf(line, sizeof(line), "\tX%d\tY%d\tZ%d", m, m, m);
        tgPutTrc(writer, line);
    }
    tgPutTrc(writer, "\n\n");
}

static void tgPutTrcFrames(tgTrcWriter* writer)
{
    const tgModelMarkersDef* def = writer->def;
    tgJointDef joints[tg_handJointCount];
    tgModelSkeleton skeleton;
    tgFillHandJoints(joints);
    tgModelSkeleton_Create(&skeleton, joints, tg_handJointCount);
    uint64_t state = (uint64_t)(unsigned)def->seed;
    for (int i = 0; i < def->frameCount; ++i) {
        tgVec3 markers[tg_markerCount];
        tgPlaceMarkers(&skeleton, (float)i / (float)def->frameCount, markers);
        char number[32];
        snprintf(number, sizeof(number), "%d", i + 1);
        tgPutTrc(writer, number);
        tgPutTrcNumber(writer, (double)i / (double)def->rate);
        for (int m = 0; m < tg_markerCount; ++m) {
            for (int axis = 0; axis < 3; ++axis) {
                float value = (&markers[m].x)[axis] + def->noise * tgNextNormal(&state);
                tgPutTrcNumber(writer, 1000.0 * (double)value);
            }
        }
        tgPutTrc(writer, "\n");
    }
}

tgResult tgSaveHandMarkers(const tgModelMarkersDef* def, const char* path, tgError* error)
{
    tgTrcWriter writer = {.def = def, .error = error};
    writer.result = tgOutputFile_Open(&writer.file, path, error);
    if (writer.result != tg_success) {
        return writer.result;
    }
    tgPutTrcHeader(&writer);
    tgPutTrcFrames(&writer);
    if (writer.result == tg_success) {
        writer.result = tgOutputFile_Finish(&writer.file, error);
    }
    if (writer.result == tg_success) {
        writer.result = tgOutputFile_Commit(&writer.file, error);
    }
    tgOutputFile_Discard(&writer.file);
    return writer.result;
}
