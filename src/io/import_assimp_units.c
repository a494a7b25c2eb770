// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Sizes. FBX counts in centimetres unless it says otherwise, everything we write in metres. And
// exporters like to bind a mesh in one unit and stand its skeleton in another, with a scale of 100
// above: the bind pose is brought to the size the file stands in, so that rest and posed volumes
// can be compared.

#include "io/import_assimp_private.h"

#include <assimp/metadata.h>
#include <math.h>
#include <string.h>

static const double tg_centimetre = 0.01;
/// A file that stands this close to the size it was bound in is left as it is.
static const double tg_sizeSlop = 1e-4;

/// Metres in one unit of the file.
static float tgGetUnit(const tgAssimpImport* import)
{
    double unit = 1.0;
    const struct aiMetadata* metadata = import->source->mMetaData;
    for (unsigned i = 0; import->isFbx && metadata != NULL && i < metadata->mNumProperties; ++i) {
        const struct aiMetadataEntry* entry = &metadata->mValues[i];
        if (strcmp(metadata->mKeys[i].data, "UnitScaleFactor") != 0) {
            continue;
        }
        if (entry->mType == AI_FLOAT) {
            unit = (double)*(const float*)entry->mData;
        } else if (entry->mType == AI_DOUBLE) {
            unit = *(const double*)entry->mData;
        }
    }
    if (!import->isFbx || !(unit > 1e-6 && unit < 1e6)) {
        return import->isFbx ? (float)tg_centimetre : 1.0f;
    }
    return (float)(unit * tg_centimetre);
}

static tgMat34 tgScaleMatrix(const tgMat34* m, float scale)
{
    tgMat34 r = {tgMulSV(scale, m->x), tgMulSV(scale, m->y), tgMulSV(scale, m->z),
                 tgMulSV(scale, m->origin)};
    return r;
}

tgMat34 tgAssimpImport_ToMetres(const tgAssimpImport* import, const tgMat34* root)
{
    float unit = tgGetUnit(import);
    return unit == 1.0f ? *root : tgScaleMatrix(root, unit);
}

tgResult tgAssimpImport_SettleSize(tgAssimpImport* import)
{
    tgScene* scene = import->scene;
    if (scene->jointCount == 0) {
        return tg_success;
    }
    const tgSceneJoint* first = &scene->joints[0];
    double bound = (double)tgDeterminant(&first->restJoint);
    double standing = (double)tgDeterminant(&import->nodeToModel[first->node]);
    double size = cbrt(fabs(standing / bound));
    if (!(size > 1e-6 && size < 1e6) || fabs(size - 1.0) <= tg_sizeSlop) {
        return tg_success;
    }
    float scale = (float)size;
    for (int v = 0; v < scene->vertexCount; ++v) {
        scene->positions[v] = tgMulSV(scale, scene->positions[v]);
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        scene->joints[j].restJoint = tgScaleMatrix(&scene->joints[j].restJoint, scale);
    }
    for (int m = 0; m < scene->morphCount; ++m) {
        const tgSceneMorph* morph = &scene->morphs[m];
        tgVec3* scaled = tgScene_Alloc(scene, (size_t)morph->vertexCount, sizeof(tgVec3));
        if (scaled == NULL) {
            return tgAssimpImport_FailMemory(import);
        }
        for (int v = 0; v < morph->vertexCount; ++v) {
            scaled[v] = tgMulSV(scale, morph->offsets[v]);
        }
        scene->morphs[m].offsets = scaled;
    }
    return tg_success;
}
