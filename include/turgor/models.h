// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file models.h
/// The embedded characters, generated on demand: closed meshes with skeleton, weights, animation.
#ifndef TURGOR_MODELS_H
#define TURGOR_MODELS_H

#include "turgor/base.h"
#include "turgor/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tgModelInfo {
    const char* name;
    const char* description; ///< one line
    int defaultVertexCount;  ///< about
} tgModelInfo;

/// All embedded characters; the count comes back in `count`.
TG_API const tgModelInfo* tgGetModels(int* count);

/// NULL with a message that lists the names when there is no such model, or when the vertex count
/// is out of its range.
/// @param vertexCount about how many vertices; 0 for the model's own default
TG_API tgScene* tgCreateModel(const char* name, int vertexCount, tgError* error);

/// The bones under a model's skin: a scene over the same skeleton, with the same animations, whose
/// parts are closed meshes, each named like the joint that it hangs on and moving with it alone.
/// Positions are those of the bind pose. NULL with a message when the model has no bones.
TG_API tgScene* tgCreateModelBones(const char* name, tgError* error);

/// Markers as motion capture sees them, made up: on a model that moves, with noise. Start from
/// tgDefaultModelMarkersDef().
typedef struct tgModelMarkersDef {
    const char* name; ///< of the model; "hand", whose forefinger bends
    float noise;      ///< standard deviation in each direction, metres, 0 to 1; 0.001
    int seed;         ///< of the noise; 1
    int frameCount;   ///< 2 to 100000; 400
    int rate;         ///< frames in a second, 1 to 10000; 100
    int cookie;       ///< set by tgDefaultModelMarkersDef, not by you
} tgModelMarkersDef;

TG_API tgModelMarkersDef tgDefaultModelMarkersDef(void);

/// Write a TRC file, in millimetres: four markers for each segment, named like the joint at which
/// it starts, "index_proximal_2". Without noise the first frame is the bind pose, so the joints of
/// the model are the true centres of rotation. Messages do not repeat the path.
TG_API tgResult tgSaveModelMarkers(const tgModelMarkersDef* def, const char* path, tgError* error);

/// A straight tube along +x about the x axis, with bones of equal length along it. Start from
/// tgDefaultCylinderDef().
typedef struct tgCylinderDef {
    float radius;      ///< 1
    float length;      ///< 8
    int aroundCount;   ///< vertices in one ring; 16
    int ringCount;     ///< rings along the length; 16. 16 x 16 is the papers' 256 vertices
    int boneCount;     ///< 2 or more; 2
    float boneOffset;  ///< the bones' line stands so far below the axis, in y; 0
    float blendLength; ///< of the weights' transition at each joint; 2 * radius
    bool smooth;       ///< smoothstep weights instead of a linear ramp; true
    bool quads;        ///< quads along the side instead of triangles; true
    bool capped;       ///< close the ends with faces; false leaves two boundary loops; true
    float bendDegrees; ///< what the animation bends each joint to; 90
    int cookie;        ///< set by tgDefaultCylinderDef, not by you
} tgCylinderDef;

TG_API tgCylinderDef tgDefaultCylinderDef(void);
/// Rings and vertices around that give about so many vertices, as many of the one as of the other.
TG_API void tgCylinderDef_SetVertexCount(tgCylinderDef* def, int vertexCount);
TG_API tgScene* tgCreateCylinder(const tgCylinderDef* def, tgError* error);

#ifdef __cplusplus
}
#endif

#endif
