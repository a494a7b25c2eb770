// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Wavefront OBJ: one file for each frame, NAME_0000.obj and on, or NAME.obj for a still. All
// vertices come first, in the scene's order, then the faces of each object with the corners they
// have in the scene. The files of a sequence are renamed together at the end.

#define _POSIX_C_SOURCE 200809L

#include "core/core.h"
#include "io/bake.h"
#include "io/mesh_layout.h"
#include "io/number_text.h"
#include "io/output_file.h"

#include <stdlib.h>
#include <string.h>

typedef struct tgObjWriter {
    const tgBakeDef* def;
    tgMeshLayout layout;
    tgOutputFile* files; ///< one for each frame
    tgError failure;     ///< of the frame being written; its lines are too many to check one by one
} tgObjWriter;

static void tgDestroyObjWriter(void* pointer)
{
    tgObjWriter* writer = pointer;
    for (int i = 0; writer->files != NULL && i < writer->def->frameCount; ++i) {
        tgOutputFile_Discard(&writer->files[i]);
    }
    free(writer->files);
    tgMeshLayout_Free(&writer->layout);
    free(writer);
}

/// The name of a frame's file; the caller frees it.
static char* tgMakeFrameName(const tgBakeDef* def, int frame)
{
    size_t size = strlen(def->path) + 16;
    char* name = malloc(size);
    if (name == NULL || def->still) {
        return name != NULL ? strcpy(name, def->path) : NULL;
    }
    int stemSize = (int)(strlen(def->path) - strlen(".obj"));
    snprintf(name, size, "%.*s_%04d%s", stemSize, def->path, def->firstFrame + frame,
             def->path + stemSize);
    return name;
}

static tgResult tgOpenObjFrame(tgObjWriter* writer, int frame, tgError* error)
{
    char* name = tgMakeFrameName(writer->def, frame);
    if (name == NULL) {
        return tgFail(error, tg_outOfMemory, -1, "no memory for a file name");
    }
    tgOutputFile* file = &writer->files[frame];
    tgResult result = frame == 0 ? tgOutputFile_OpenFor(file, name, writer->def->memory, error)
                                 : tgOutputFile_OpenNext(file, name, error);
    free(name);
    return result;
}

static void* tgOpenObj(const tgBakeDef* def, tgError* error)
{
    tgObjWriter* writer = calloc(1, sizeof(*writer));
    tgOutputFile* files = calloc((size_t)def->frameCount, sizeof(*files));
    if (writer == NULL || files == NULL) {
        free(writer);
        free(files);
        tgFail(error, tg_outOfMemory, -1, "no memory for %d files", def->frameCount);
        return NULL;
    }
    writer->def = def;
    writer->files = files;
    // The first file now, so that a folder that cannot be written shows before the work.
    if (tgMeshLayout_Make(&writer->layout, def->scene, error) != tg_success ||
        tgOpenObjFrame(writer, 0, error) != tg_success) {
        tgDestroyObjWriter(writer);
        return NULL;
    }
    return writer;
}

static void tgPutText(tgObjWriter* writer, tgOutputFile* file, const char* text)
{
    if (writer->failure.code == tg_success) {
        tgOutputFile_Write(file, text, strlen(text), &writer->failure);
    }
}

/// One line of numbers.
static void tgPutNumbers(tgObjWriter* writer, tgOutputFile* file, const char* keyword,
                         const float* values, int count)
{
    tgPutText(writer, file, keyword);
    for (int i = 0; i < count; ++i) {
        char text[tg_numberSize + 1] = " ";
        tgFormatFloat(values[i], text + 1);
        tgPutText(writer, file, text);
    }
    tgPutText(writer, file, "\n");
}

static void tgPutVertices(tgObjWriter* writer, tgOutputFile* file, const tgVec3* positions,
                          const tgVec3* normals)
{
    const tgScene* scene = writer->def->scene;
    int colors = tgScene_FindAttribute(scene, "COLOR_0");
    const tgSceneAttribute* color = colors >= 0 ? &scene->attributes[colors] : NULL;
    bool isColored = color != NULL && color->width >= 3;
    for (int v = 0; v < scene->vertexCount; ++v) {
        float values[6] = {positions[v].x, positions[v].y, positions[v].z};
        for (int i = 0; i < 3 && isColored; ++i) {
            values[3 + i] = color->values[(size_t)color->width * (size_t)v + (size_t)i];
        }
        tgPutNumbers(writer, file, "v", values, isColored ? 6 : 3);
    }
    for (int v = 0; v < scene->vertexCount && scene->uvs != NULL; ++v) {
        // A scene counts v down from the top of the picture as glTF does, OBJ up from its bottom.
        float uv[2] = {scene->uvs[2 * v], 1.0f - scene->uvs[2 * v + 1]};
        tgPutNumbers(writer, file, "vt", uv, 2);
    }
    for (int v = 0; v < scene->vertexCount && normals != NULL; ++v) {
        tgPutNumbers(writer, file, "vn", &normals[v].x, 3);
    }
}

static void tgPutFace(tgObjWriter* writer, tgOutputFile* file, int f, bool hasNormals)
{
    const tgScene* scene = writer->def->scene;
    const int* starts = writer->layout.faceStarts;
    bool hasUvs = scene->uvs != NULL;
    tgPutText(writer, file, "f");
    for (int k = starts[f]; k < starts[f + 1]; ++k) {
        char corner[48];
        int number = scene->faceVertices[k] + 1; // OBJ counts from 1
        if (hasUvs && hasNormals) {
            snprintf(corner, sizeof(corner), " %d/%d/%d", number, number, number);
        } else if (hasNormals) {
            snprintf(corner, sizeof(corner), " %d//%d", number, number);
        } else if (hasUvs) {
            snprintf(corner, sizeof(corner), " %d/%d", number, number);
        } else {
            snprintf(corner, sizeof(corner), " %d", number);
        }
        tgPutText(writer, file, corner);
    }
    tgPutText(writer, file, "\n");
}

/// "o NAME"; a name with a line break would become a line of its own.
static void tgPutObjectName(tgObjWriter* writer, tgOutputFile* file, const char* name, int index)
{
    char line[256];
    if (name[0] != '\0') {
        snprintf(line, sizeof(line) - 1, "o %s", name);
    } else {
        snprintf(line, sizeof(line) - 1, "o object_%d", index);
    }
    for (char* c = line; *c != '\0'; ++c) {
        *c = (unsigned char)*c < 0x20 ? '_' : *c;
    }
    tgPutText(writer, file, line);
    tgPutText(writer, file, "\n");
}

static tgResult tgAddObjFrame(void* pointer, int frame, const tgVec3* positions,
                              const tgVec3* normals, tgError* error)
{
    tgObjWriter* writer = pointer;
    const tgMeshLayout* layout = &writer->layout;
    tgOutputFile* file = &writer->files[frame];
    if (file->stream == NULL) {
        tgOpenObjFrame(writer, frame, &writer->failure);
    }
    tgPutText(writer, file, "# turgor\n");
    tgPutVertices(writer, file, positions, normals);
    for (int object = 0; object < layout->meshCount; ++object) {
        tgPutObjectName(writer, file, layout->objects[object].name, object);
        for (int part = 0; part < layout->partCount; ++part) {
            int faceCount = layout->partObjects[part] == object ? layout->parts[part].faceCount : 0;
            for (int f = 0; f < faceCount; ++f) {
                tgPutFace(writer, file, layout->parts[part].firstFace + f, normals != NULL);
            }
        }
    }
    if (writer->failure.code == tg_success) {
        tgOutputFile_Finish(file, &writer->failure);
    }
    if (writer->failure.code != tg_success && error != NULL) {
        *error = writer->failure;
    }
    return writer->failure.code;
}

static tgResult tgCloseObj(void* pointer, tgError* error)
{
    tgObjWriter* writer = pointer;
    for (int i = 0; i < writer->def->frameCount; ++i) {
        tgResult result = tgOutputFile_Commit(&writer->files[i], error);
        if (result != tg_success) {
            // Half a sequence is worse than none.
            for (int done = 0; done < i; ++done) {
                tgOutputFile_Undo(&writer->files[done]);
            }
            return result;
        }
    }
    return tg_success;
}

const tgBakeFormat tg_objFormat = {tgOpenObj, tgAddObjFrame, tgCloseObj, tgDestroyObjWriter};
