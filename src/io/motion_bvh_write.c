// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Biovision .bvh: joints nested in their parents, each with its offset and its channels, then a
// line of numbers per frame in the order of the channels. Rotations are degrees about Z, X and Y,
// the first one outermost: R = Rz Rx Ry.

#include "io/motion_bvh_write.h"

#include "core/core.h"
#include "io/output_file.h"

#include <stdio.h>
#include <stdlib.h>

static const double tg_degreesPerRadian = 57.29577951308232;
/// Where the first and the last angle turn about the same axis, to the rounding of a float.
static const double tg_poleCosine = 1e-6;

typedef struct tgBvhWriter {
    const tgSkeletonMotion* motion;
    tgOutputFile file;
    int* order; ///< joints as they are nested, filled while they are written
    int orderCount;
    tgResult result;
    tgError* error;
} tgBvhWriter;

static void tgWriteText(tgBvhWriter* writer, const char* text, int length)
{
    if (writer->result == tg_success) {
        writer->result = tgOutputFile_Write(&writer->file, text, (size_t)length, writer->error);
    }
}

static void tgWriteIndent(tgBvhWriter* writer, int depth)
{
    for (int i = 0; i < depth; ++i) {
        tgWriteText(writer, "\t", 1);
    }
}

/// A line with up to one word and three numbers.
static void tgWriteLine(tgBvhWriter* writer, int depth, const char* word, const tgVec3* numbers)
{
    char text[128];
    tgWriteIndent(writer, depth);
    int length = numbers == NULL
                     ? snprintf(text, sizeof(text), "%.100s\n", word)
                     : snprintf(text, sizeof(text), "%s %.9g %.9g %.9g\n", word, (double)numbers->x,
                                (double)numbers->y, (double)numbers->z);
    tgWriteText(writer, text, length);
}

/// Names of a .bvh end at a blank.
static void tgWriteName(tgBvhWriter* writer, int depth, int joint)
{
    tgWriteIndent(writer, depth);
    tgWriteText(writer, depth == 0 ? "ROOT " : "JOINT ", depth == 0 ? 5 : 6);
    for (const char* c = writer->motion->names[joint]; *c != '\0'; ++c) {
        char safe = (unsigned char)*c > ' ' ? *c : '_';
        tgWriteText(writer, &safe, 1);
    }
    tgWriteText(writer, "\n", 1);
}

static void tgWriteJoint(tgBvhWriter* writer, int joint, int depth)
{
    const tgSkeletonMotion* motion = writer->motion;
    writer->order[writer->orderCount++] = joint;
    int parent = motion->parents[joint];
    tgVec3 origin = parent >= 0 ? motion->positions[parent] : tgMakeVec3(0.0f, 0.0f, 0.0f);
    tgVec3 offset = tgSub(motion->positions[joint], origin);
    tgWriteName(writer, depth, joint);
    tgWriteLine(writer, depth, "{", NULL);
    tgWriteLine(writer, depth + 1, "OFFSET", &offset);
    tgWriteLine(writer, depth + 1,
                depth == 0
                    ? "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
                    : "CHANNELS 3 Zrotation Xrotation Yrotation",
                NULL);
    bool isLast = true;
    for (int child = joint + 1; child < motion->jointCount; ++child) {
        if (motion->parents[child] == joint) {
            tgWriteJoint(writer, child, depth + 1);
            isLast = false;
        }
    }
    if (isLast) {
        // The format wants an end; one of no length where none is known.
        tgVec3 end = motion->ends[joint];
        end = tgIsFiniteVec3(end) ? tgSub(end, motion->positions[joint]) : tgMakeVec3(0, 0, 0);
        tgWriteLine(writer, depth + 1, "End Site", NULL);
        tgWriteLine(writer, depth + 1, "{", NULL);
        tgWriteLine(writer, depth + 2, "OFFSET", &end);
        tgWriteLine(writer, depth + 1, "}", NULL);
    }
    tgWriteLine(writer, depth, "}", NULL);
}

/// Angles z, x, y in degrees with R = Rz Rx Ry.
static tgVec3 tgFindAngles(const tgMat34* rotation)
{
    tgVec3 x = rotation->x, y = rotation->y, z = rotation->z;
    // Y.z is sin x, the other two of that row are cos x times sines of y; at a pole y is taken as
    // 0.
    double cosine = sqrt((double)x.z * (double)x.z + (double)z.z * (double)z.z);
    bool isPole = cosine < tg_poleCosine;
    double angleX = atan2((double)y.z, cosine);
    double angleY = isPole ? 0.0 : atan2(-(double)x.z, (double)z.z);
    double angleZ = isPole ? atan2((double)x.y, (double)x.x) : atan2(-(double)y.x, (double)y.y);
    double scale = tg_degreesPerRadian;
    return tgMakeVec3((float)(scale * angleZ), (float)(scale * angleX), (float)(scale * angleY));
}

static void tgWriteFrames(tgBvhWriter* writer)
{
    const tgSkeletonMotion* motion = writer->motion;
    char text[128];
    int length = snprintf(text, sizeof(text), "MOTION\nFrames: %d\nFrame Time: %.9g\n",
                          motion->frameCount, motion->frameTime);
    tgWriteText(writer, text, length);
    for (int f = 0; f < motion->frameCount; ++f) {
        tgVec3 root = motion->rootPositions[f];
        length = snprintf(text, sizeof(text), "%.9g %.9g %.9g", (double)root.x, (double)root.y,
                          (double)root.z);
        tgWriteText(writer, text, length);
        for (int i = 0; i < motion->jointCount; ++i) {
            size_t at = (size_t)f * (size_t)motion->jointCount + (size_t)writer->order[i];
            tgVec3 angles = tgFindAngles(&motion->locals[at]);
            length = snprintf(text, sizeof(text), " %.7g %.7g %.7g", (double)angles.x,
                              (double)angles.y, (double)angles.z);
            tgWriteText(writer, text, length);
        }
        tgWriteText(writer, "\n", 1);
    }
}

tgResult tgSaveBvh(const tgSkeletonMotion* motion, const char* path, tgError* error)
{
    tgBvhWriter writer = {.motion = motion, .error = error};
    writer.order = calloc((size_t)motion->jointCount + 1, sizeof(int));
    if (writer.order == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for %d joints", motion->jointCount);
    }
    writer.result = tgOutputFile_Open(&writer.file, path, error);
    tgWriteLine(&writer, 0, "HIERARCHY", NULL);
    tgWriteJoint(&writer, 0, 0);
    tgWriteFrames(&writer);
    if (writer.result == tg_success) {
        writer.result = tgOutputFile_Finish(&writer.file, error);
    }
    if (writer.result == tg_success) {
        writer.result = tgOutputFile_Commit(&writer.file, error);
    }
    tgOutputFile_Discard(&writer.file);
    free(writer.order);
    return writer.result;
}
