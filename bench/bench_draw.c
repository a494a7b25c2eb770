// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// How long a picture takes on one thread: the embedded elephant as it sits, 640 x 480 pixels in
// full light with its ground, from the posed skin to the bytes of the PNG. Less than 2 s is wanted.
// Prints milliseconds, the least of several.

#include "bars.h"
#include "clock.h"
#include "draw/crease.h"
#include "turgor/models.h"

#include <stdio.h>

enum { tg_width = 640, tg_height = 480, tg_drawCount = 7 };

typedef struct tgSitter {
    const tgScene* scene;
    const tgVec3* positions;
    const int* welded;
    int failed;
} tgSitter;

static int tgDraw(const tgSitter* sitter, tgPicture* picture)
{
    const tgScene* scene = sitter->scene;
    tgCreaseDef def = tgDefaultCreaseDef();
    def.positions = (tgVec3View){&scene->positions->x, scene->vertexCount, sizeof(tgVec3)};
    def.welded = sitter->welded;
    def.faceSizes = scene->faceSizes;
    def.faceVertices = scene->faceVertices;
    def.faceCount = scene->faceCount;
    tgCreases creases;
    if (tgFindCreases(&def, &creases, NULL) != tg_success) {
        return 1;
    }
    tgVec3* places = malloc((size_t)creases.pointCount * sizeof(tgVec3));
    tgVec3* normals = malloc((size_t)creases.pointCount * sizeof(tgVec3));
    tgVec3View positions = {&sitter->positions->x, scene->vertexCount, sizeof(tgVec3)};
    tgCreases_Shape(&creases, positions, places, normals);
    tgDrawMesh mesh = {
        .positions = {&places->x, creases.pointCount, sizeof(tgVec3)},
        .normals = {&normals->x, creases.pointCount, sizeof(tgVec3)},
        .color = {0.5f, 0.5f, 0.5f, 1.0f},
        .faceSizes = scene->faceSizes,
        .faceVertices = creases.corners,
        .faceCount = scene->faceCount,
    };
    tgDrawDef draw = tgDefaultDrawDef();
    draw.meshes = &mesh;
    draw.meshCount = 1;
    tgCameraDef camera = tgDefaultCameraDef();
    camera.viewport = (tgRect){0, 0, tg_width, tg_height};
    unsigned char* bytes = NULL;
    size_t size = 0;
    int failed = tgFrameCamera(&camera, mesh.positions, &draw.camera, NULL) != tg_success ||
                 tgPicture_DrawMeshes(picture, &draw, NULL) != tg_success ||
                 tgPicture_EncodePng(picture, &bytes, &size, NULL) != tg_success;
    free(bytes);
    free(places);
    free(normals);
    tgFreeCreases(&creases);
    return failed;
}

static void tgDrawOnce(void* context)
{
    tgSitter* sitter = context;
    tgPicture* picture = tgCreatePicture(tg_width, tg_height, tgMakeColor(0xffffff), NULL);
    sitter->failed |= picture == NULL || tgDraw(sitter, picture);
    tgDestroyPicture(picture);
}

int main(void)
{
    tgError error = {0};
    tgScene* scene = tgCreateModel("elephant", 0, &error);
    tgRigDef rigDef = scene != NULL ? tgScene_GetRigDef(scene) : tgDefaultRigDef();
    tgRig* rig = scene != NULL ? tgCreateRig(&rigDef, &error) : NULL;
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = rig != NULL ? tgCreateInstance(rig, &instanceDef, &error) : NULL;
    if (instance == NULL) {
        fprintf(stderr, "bench_draw: %s\n", error.message);
        return 1;
    }
    tgMat34* nodes = calloc((size_t)scene->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc((size_t)scene->jointCount, sizeof(tgMat34));
    tgVec3* positions = calloc((size_t)scene->vertexCount, sizeof(tgVec3));
    tgScene_SamplePose(scene, 0, 2.0, nodes, joints, NULL);
    tgPose pose = {.joints = joints, .jointCount = scene->jointCount};
    tgVec3Span out = {&positions->x, scene->vertexCount, sizeof(tgVec3)};
    int failed = tgInstance_Deform(instance, &pose, out, (tgVec3Span){0}, &error) != tg_success;
    tgSitter sitter = {scene, positions, tgRig_GetWeldedVertices(rig), failed};
    tgTiming time = tgTimeRuns(tgDrawOnce, &sitter, tg_drawCount);
    printf("elephant %d vertices, %d x %d pixels, 1 thread   draw %7.1f ms (longest %.1f)",
           scene->vertexCount, tg_width, tg_height, 1e3 * time.least, 1e3 * time.percentile99);
    tgTellBar(1e3 * time.least, tg_atMost, 2000.0);
    printf("\n");
    free(nodes);
    free(joints);
    free(positions);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgDestroyScene(scene);
    return sitter.failed | tgEndBench(NULL);
}
