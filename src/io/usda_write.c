// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Universal Scene Description as text: one mesh with the input's vertices in file order, its points
// and normals in time samples, and a subset of faces for each object. A still has no samples.
// Normals come frame by frame as points do, so they wait in a file of their own until those are
// all written.

#include "core/core.h"
#include "io/bake.h"
#include "io/mesh_layout.h"
#include "io/number_text.h"
#include "io/output_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tgUsdaWriter {
    const tgBakeDef* def;
    tgMeshLayout layout;
    tgOutputFile file;
    tgOutputFile normals; ///< their samples; never renamed
    tgVec3* extents;      ///< lowest and highest corner of each frame
    tgError failure;      ///< the first; pieces of text are too many to check one by one
} tgUsdaWriter;

static void tgDestroyUsdaWriter(void* pointer)
{
    tgUsdaWriter* writer = pointer;
    tgOutputFile_Discard(&writer->file);
    tgOutputFile_Discard(&writer->normals);
    tgMeshLayout_Free(&writer->layout);
    free(writer->extents);
    free(writer);
}

// ---- pieces of text -----------------------------------------------------------------------------

static void tgPut(tgUsdaWriter* writer, tgOutputFile* file, const char* text)
{
    if (writer->failure.code == tg_success) {
        tgOutputFile_Write(file, text, strlen(text), &writer->failure);
    }
}

static void tgPutInt(tgUsdaWriter* writer, int value, bool isFirst)
{
    char text[16];
    snprintf(text, sizeof(text), "%s%d", isFirst ? "" : ", ", value);
    tgPut(writer, &writer->file, text);
}

/// [(1, 2, 3), (4, 5, 6)]
static void tgPutTuples(tgUsdaWriter* writer, tgOutputFile* file, const float* values, int width,
                        int count)
{
    tgPut(writer, file, "[");
    for (int i = 0; i < count; ++i) {
        char text[4 * (tg_numberSize + 2)];
        int length = snprintf(text, sizeof(text), "%s", i > 0 ? ", (" : "(");
        for (int k = 0; k < width; ++k) {
            length +=
                snprintf(text + length, sizeof(text) - (size_t)length, "%s", k > 0 ? ", " : "");
            length += tgFormatFloat(values[width * i + k], text + length);
        }
        snprintf(text + length, sizeof(text) - (size_t)length, ")");
        tgPut(writer, file, text);
    }
    tgPut(writer, file, "]");
}

/// One time sample; of a still the value itself.
static void tgPutSample(tgUsdaWriter* writer, tgOutputFile* file, int frame, const tgVec3* values,
                        int count)
{
    char time[32] = "";
    if (!writer->def->still) {
        snprintf(time, sizeof(time), "            %d: ", writer->def->firstFrame + frame);
    }
    tgPut(writer, file, time);
    tgPutTuples(writer, file, &values->x, 3, count);
    tgPut(writer, file, writer->def->still ? "" : ",\n");
}

/// What stands before the samples of an attribute, and behind them.
static void tgBeginSamples(tgUsdaWriter* writer, const char* attribute)
{
    tgPut(writer, &writer->file, "        ");
    tgPut(writer, &writer->file, attribute);
    tgPut(writer, &writer->file, writer->def->still ? " = " : ".timeSamples = {\n");
}

static void tgEndSamples(tgUsdaWriter* writer)
{
    tgPut(writer, &writer->file, writer->def->still ? "\n" : "        }\n");
}

// ---- the stage ----------------------------------------------------------------------------------

static void tgPutHeader(tgUsdaWriter* writer)
{
    const tgBakeDef* def = writer->def;
    tgOutputFile* file = &writer->file;
    tgPut(writer, file,
          "#usda 1.0\n(\n    defaultPrim = \"character\"\n    metersPerUnit = 1\n"
          "    upAxis = \"Y\"\n");
    if (!def->still) {
        char rate[tg_numberSize], text[256];
        tgFormatFloat((float)def->fps, rate);
        snprintf(text, sizeof(text),
                 "    startTimeCode = %d\n    endTimeCode = %d\n    timeCodesPerSecond = %s\n"
                 "    framesPerSecond = %s\n",
                 def->firstFrame, def->firstFrame + def->frameCount - 1, rate, rate);
        tgPut(writer, file, text);
    }
    tgPut(writer, file,
          ")\n\ndef Xform \"character\"\n{\n    def Mesh \"skin\"\n    {\n"
          "        uniform token subdivisionScheme = \"none\"\n");
    if (!def->still) { // for those who ask without a time: the bind pose
        tgPut(writer, file, "        point3f[] points = ");
        tgPutTuples(writer, file, &def->scene->positions->x, 3, def->scene->vertexCount);
        tgPut(writer, file, "\n");
    }
    tgBeginSamples(writer, "point3f[] points");
}

static void tgPutFaces(tgUsdaWriter* writer)
{
    const tgScene* scene = writer->def->scene;
    tgPut(writer, &writer->file, "        int[] faceVertexCounts = [");
    for (int f = 0; f < scene->faceCount; ++f) {
        tgPutInt(writer, scene->faceSizes[f], f == 0);
    }
    tgPut(writer, &writer->file, "]\n        int[] faceVertexIndices = [");
    for (int k = 0; k < writer->layout.faceStarts[scene->faceCount]; ++k) {
        tgPutInt(writer, scene->faceVertices[k], k == 0);
    }
    tgPut(writer, &writer->file, "]\n");
}

static void tgPutUvs(tgUsdaWriter* writer)
{
    const tgScene* scene = writer->def->scene;
    tgPut(writer, &writer->file, "        texCoord2f[] primvars:st = [");
    for (int v = 0; v < scene->vertexCount; ++v) {
        // A scene counts v down from the top of the picture as glTF does, USD up from its bottom.
        char s[tg_numberSize], t[tg_numberSize], text[2 * tg_numberSize + 8];
        tgFormatFloat(scene->uvs[2 * v], s);
        tgFormatFloat(1.0f - scene->uvs[2 * v + 1], t);
        snprintf(text, sizeof(text), "%s(%s, %s)", v > 0 ? ", " : "", s, t);
        tgPut(writer, &writer->file, text);
    }
    tgPut(writer, &writer->file, "] (\n            interpolation = \"vertex\"\n        )\n");
}

/// A subset of faces for each object. Names are letters, digits and underscores, no digit first;
/// the index at the end tells apart what that makes the same.
static void tgPutObject(tgUsdaWriter* writer, int object)
{
    const tgMeshLayout* layout = &writer->layout;
    char name[96];
    snprintf(name, sizeof(name), "_%.64s_%d", layout->objects[object].name, object);
    for (char* c = name; *c != '\0'; ++c) {
        bool isLetter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        *c = isLetter || (*c >= '0' && *c <= '9') ? *c : '_';
    }
    bool startsWell = name[1] < '0' || name[1] > '9';
    tgPut(writer, &writer->file, "        def GeomSubset \"");
    tgPut(writer, &writer->file, startsWell ? name + 1 : name);
    tgPut(writer, &writer->file,
          "\"\n        {\n            uniform token elementType = \"face\"\n"
          "            uniform token familyName = \"object\"\n            int[] indices = [");
    bool isFirst = true;
    for (int part = 0; part < layout->partCount; ++part) {
        int count = layout->partObjects[part] == object ? layout->parts[part].faceCount : 0;
        for (int f = 0; f < count; ++f) {
            tgPutInt(writer, layout->parts[part].firstFace + f, isFirst);
            isFirst = false;
        }
    }
    tgPut(writer, &writer->file, "]\n        }\n");
}

// ---- the format ---------------------------------------------------------------------------------

static tgResult tgReturnFailure(const tgUsdaWriter* writer, tgError* error)
{
    if (writer->failure.code != tg_success && error != NULL) {
        *error = writer->failure;
    }
    return writer->failure.code;
}

static void* tgOpenUsda(const tgBakeDef* def, tgError* error)
{
    tgUsdaWriter* writer = calloc(1, sizeof(*writer));
    tgVec3* extents = calloc((size_t)def->frameCount, 2 * sizeof(tgVec3));
    if (writer == NULL || extents == NULL) {
        free(writer);
        free(extents);
        tgFail(error, tg_outOfMemory, -1, "no memory for %d frames", def->frameCount);
        return NULL;
    }
    writer->def = def;
    writer->extents = extents;
    if (tgMeshLayout_Make(&writer->layout, def->scene, &writer->failure) == tg_success &&
        tgOutputFile_OpenFor(&writer->file, def->path, def->memory, &writer->failure) ==
            tg_success &&
        tgOutputFile_OpenBeside(&writer->normals, &writer->file, &writer->failure) == tg_success) {
        tgPutHeader(writer);
    }
    if (tgReturnFailure(writer, error) != tg_success) {
        tgDestroyUsdaWriter(writer);
        return NULL;
    }
    return writer;
}

static tgResult tgAddUsdaFrame(void* pointer, int frame, const tgVec3* positions,
                               const tgVec3* normals, tgError* error)
{
    tgUsdaWriter* writer = pointer;
    int vertexCount = writer->def->scene->vertexCount;
    tgVec3 low = positions[0], high = low;
    for (int v = 1; v < vertexCount; ++v) {
        tgVec3 p = positions[v];
        low = tgMakeVec3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = tgMakeVec3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    writer->extents[2 * frame] = low;
    writer->extents[2 * frame + 1] = high;
    tgPutSample(writer, &writer->file, frame, positions, vertexCount);
    if (normals != NULL) {
        tgPutSample(writer, &writer->normals, frame, normals, vertexCount);
    }
    return tgReturnFailure(writer, error);
}

static void tgPutNormals(tgUsdaWriter* writer)
{
    if (!writer->def->still) {
        tgPut(writer, &writer->file,
              "        normal3f[] normals (\n            interpolation = \"vertex\"\n        )\n");
    }
    tgBeginSamples(writer, "normal3f[] normals");
    if (writer->failure.code == tg_success) {
        tgOutputFile_Append(&writer->file, &writer->normals, &writer->failure);
    }
    if (writer->def->still) {
        tgPut(writer, &writer->file, " (\n            interpolation = \"vertex\"\n        )");
    }
    tgEndSamples(writer);
}

static tgResult tgCloseUsda(void* pointer, tgError* error)
{
    tgUsdaWriter* writer = pointer;
    const tgBakeDef* def = writer->def;
    tgEndSamples(writer);
    if (writer->normals.size > 0) {
        tgPutNormals(writer);
    }
    tgBeginSamples(writer, "float3[] extent");
    for (int i = 0; i < def->frameCount; ++i) {
        tgPutSample(writer, &writer->file, i, writer->extents + 2 * (size_t)i, 2);
    }
    tgEndSamples(writer);
    tgPutFaces(writer);
    if (def->scene->uvs != NULL) {
        tgPutUvs(writer);
    }
    for (int object = 0; object < writer->layout.meshCount; ++object) {
        tgPutObject(writer, object);
    }
    tgPut(writer, &writer->file, "    }\n}\n");
    if (writer->failure.code == tg_success &&
        tgOutputFile_Finish(&writer->file, &writer->failure) == tg_success) {
        tgOutputFile_Commit(&writer->file, &writer->failure);
    }
    return tgReturnFailure(writer, error);
}

const tgBakeFormat tg_usdaFormat = {tgOpenUsda, tgAddUsdaFrame, tgCloseUsda, tgDestroyUsdaWriter};
