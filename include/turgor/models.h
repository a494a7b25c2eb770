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
TG_API tgScene* tgCreateCylinder(const tgCylinderDef* def, tgError* error);

#ifdef __cplusplus
}
#endif

#endif
