// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file scene.h
/// A rigged character as files hold it: mesh, skeleton, weights, morph targets, animations. The
/// readers and the embedded models make it; rigs, poses and writers are made from it.
#ifndef TURGOR_SCENE_H
#define TURGOR_SCENE_H

#include "turgor/base.h"
#include "turgor/math.h"
#include "turgor/turgor.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One node of the file's transform tree. Joints are nodes; so is whatever stands above them.
typedef struct tgSceneNode {
    const char* name;  ///< never NULL, may be empty
    int parent;        ///< -1 for a root; parent before child
    bool hasMatrix;    ///< `matrix` is the local transform and nothing animates it
    tgMat34 matrix;    ///< node to parent, when hasMatrix
    tgTransform local; ///< node to parent, otherwise
} tgSceneNode;

/// One joint of the rig. Two skins that bind the same node alike share a joint.
typedef struct tgSceneJoint {
    const char* name; ///< the node's, or joint_N by its place in the list where that has none
    int parent;       ///< nearest ancestor joint, -1 for a root; parent before child
    int node;
    tgMat34 restJoint; ///< joint to model in the bind pose
} tgSceneJoint;

/// One object and material: a glTF primitive. Parts may share their vertices.
typedef struct tgScenePart {
    const char* name; ///< of the object
    int node;         ///< the node that carries it
    int primitive;    ///< which one of its mesh's primitives it is
    int material;     ///< into materials, -1 for none
    int firstVertex, vertexCount;
    int firstFace, faceCount;
} tgScenePart;

/// A node that shows the parts of another node once more: one mesh of the file, in the scene once.
/// Under a skin it stands where those do, for the joints alone move it. Without one its node puts
/// it elsewhere, and the vertices of those parts are in the space of their node, not of the model.
typedef struct tgScenePlace {
    const char* name; ///< of the object
    int node;         ///< the node that shows it
    int source;       ///< the node that carries the parts
} tgScenePlace;

/// Only what a mesh from FBX, DAE, OBJ or our generator has; glTF carries its own materials over.
typedef struct tgSceneMaterial {
    const char* name;
    float baseColor[4]; ///< linear RGB and opacity
    float roughness;    ///< 0 to 1
} tgSceneMaterial;

/// An offset of some vertices in the bind pose, added with a weight before skinning.
typedef struct tgSceneMorph {
    const char* name;
    int node;        ///< the node whose weights drive it
    int indexInNode; ///< which of that node's weights
    int firstVertex, vertexCount;
    const tgVec3* offsets;
    float weight; ///< when no animation says otherwise
} tgSceneMorph;

/// Numbers at all vertices: colours, or what an artist painted.
typedef struct tgSceneAttribute {
    const char* name; ///< as in glTF: "COLOR_0", or one that the file's maker chose, "_SOFT"
    int width;        ///< numbers at each vertex, 1 to 4
    float* values;
} tgSceneAttribute;

/// Vertices that an artist selected: an OBJ's "g" beside its objects.
typedef struct tgSceneGroup {
    const char* name;
    int vertexCount;
    const int* vertices; ///< increasing
} tgSceneGroup;

typedef enum tgPath { tg_pathTranslation, tg_pathRotation, tg_pathScale, tg_pathWeights } tgPath;
typedef enum tgInterpolation {
    tg_interpolateStep,
    tg_interpolateLinear, ///< rotations along the shorter arc
    tg_interpolateCubic,  ///< in-tangent, value, out-tangent for each key
} tgInterpolation;

/// One animated property of one node.
typedef struct tgChannel {
    int node;
    tgPath path;
    tgInterpolation interpolation;
    int keyCount;
    int width;           ///< floats in one value: 3, 4 (xyzw), or the node's morph count
    const float* times;  ///< seconds, increasing
    const float* values; ///< keyCount * width, three times as many for cubic
} tgChannel;

typedef struct tgAnimation {
    const char* name; ///< never NULL, may be empty
    double start;     ///< time of the first key, seconds
    double end;       ///< time of the last key
    int channelCount;
    const tgChannel* channels;
} tgAnimation;

/// All skinned meshes of a file as one mesh over one skeleton. Arrays live as long as the scene.
typedef struct tgScene {
    int vertexCount; ///< in file order
    tgVec3* positions;
    tgVec3* normals; ///< NULL when the file has none
    float* uvs;      ///< 2 for each vertex, from the top left as in glTF; NULL when there are none

    int attributeCount;
    tgSceneAttribute* attributes; ///< vertex colours and attributes with a leading underscore
    int groupCount;
    tgSceneGroup* groups;

    int* weldKeys; ///< vertices that morph targets move alike; NULL without morphs

    int faceCount;
    int* faceSizes;    ///< corners of each face
    int* faceVertices; ///< corners of all faces

    int influencesPerVertex; ///< 0 when there is no skin at all
    int* influenceJoints;
    float* influenceWeights;
    tgSkinning skinning; ///< that the file asks for: linear but in some FBX

    int jointCount;
    tgSceneJoint* joints;
    int nodeCount;
    tgSceneNode* nodes;
    int partCount;
    tgScenePart* parts;
    int placeCount; ///< nodes that show a mesh of another node; by node, increasing
    tgScenePlace* places;
    int materialCount;
    tgSceneMaterial* materials;
    int morphCount;
    tgSceneMorph* morphs;
    int animationCount;
    tgAnimation* animations;

    int unskinnedMeshCount; ///< meshes of the file that no joint moves, beside the skinned ones;
                            ///< they are not in the scene; a glTF's bake as glTF carries them over
    int warningCount;
    const char** warnings; ///< one line each, without the file's name

    struct tgSceneMemory* memory; ///< owns all of the above
    struct tgGltfSource* source;  ///< the document a glTF came from, for its writer; NULL otherwise
    const struct tgRefinedScene* refined; ///< how vertices came from the file's; NULL: they are
    bool hasRunOut; ///< an allocation of it failed: names or warnings may be missing; no reader
                    ///< returns such a scene and no writer takes one
} tgScene;

/// An empty scene to fill; NULL when there is no memory. Free it with tgDestroyScene.
TG_API tgScene* tgCreateScene(void);
TG_API void tgDestroyScene(tgScene* scene); ///< NULL is fine

/// Zeroed memory that lives as long as the scene; NULL when there is none left.
TG_API void* tgScene_Alloc(tgScene* scene, size_t count, size_t size);
/// A copy of `text` that lives as long as the scene.
TG_API const char* tgScene_CopyText(tgScene* scene, const char* text);
/// Add one line to the warnings, printf style.
TG_API void tgScene_Warn(tgScene* scene, const char* format, ...) TG_PRINTF(2, 3);

/// A rig definition that points into the scene. The caller may change it before tgCreateRig. Where
/// the scene has a paint its volume goes by that.
TG_API tgRigDef tgScene_GetRigDef(const tgScene* scene);

/// Index of an animation by its name, or by its number in decimal; -1 when there is none.
TG_API int tgScene_FindAnimation(const tgScene* scene, const char* nameOrIndex);
TG_API int tgScene_FindJoint(const tgScene* scene, const char* name); ///< -1 when there is none

TG_API int tgScene_FindAttribute(const tgScene* scene, const char* name); ///< -1: there is none
/// The attribute _TURGOR_GAMMA, which tells where skin may swell, for tgVolumeDef.paint; NULL when
/// the file has none.
TG_API const float* tgScene_GetPaint(const tgScene* scene);

/// Frames of an animation at `fps`, so many that the last key is never lost; 1 for animation -1.
TG_API int tgScene_GetFrameCount(const tgScene* scene, int animation, double fps);
/// Seconds at which a frame is taken. Frame 0 is at time 0, as players have it, or at the first key
/// where that comes before; the last frame may be past the last key, where the pose stands still.
TG_API double tgScene_GetFrameTime(const tgScene* scene, int animation, double fps, int frame);

/// The pose at a time. Animation -1 is the file's own node transforms.
/// @param nodes scratch, nodeCount entries: node to model
/// @param joints jointCount entries: joint to model, ready for tgPose
/// @param morphWeights morphCount entries; NULL when they are not wanted
TG_API void tgScene_SamplePose(const tgScene* scene, int animation, double time, tgMat34* nodes,
                               tgMat34* joints, float* morphWeights);

/// The same with some joints turned by hand.
/// @param rotations jointCount entries: against the node above the joint's, in place of what the
/// animation and the file say; all zero: none. NULL: none at all
TG_API void tgScene_SampleTurnedPose(const tgScene* scene, int animation, double time,
                                     const tgQuat* rotations, tgMat34* nodes, tgMat34* joints,
                                     float* morphWeights);

enum { tg_mostRefineLevels = 4 };

/// More vertices where folds need them. Start from tgDefaultSceneRefineDef().
typedef struct tgSceneRefineDef {
    float threshold; ///< faces near a vertex that takes more than this of some joint's correction,
                     ///< of which the peak is 1, are split in four; 0 to 1; 0.3
    int levels;      ///< how often, each time on the mesh as it is by then; 0 to 4; 1
    bool smooth;     ///< each level by a smoothing scheme (tgRefineDef.smooth); skin weights and
                     ///< morph targets alike. The volume to keep is then that of the smoothed
                     ///< mesh; false
    tgSkinning skinning;
    const tgVolumeDef* volume; ///< whose profiles tell where corrections go; NULL: organic
    int animation;             ///< whose poses tell which joints bend, and where to; default -1:
                               ///< all joints, in the bind pose
    int cookie;                ///< set by tgDefaultSceneRefineDef, not by you
} tgSceneRefineDef;

TG_API tgSceneRefineDef tgDefaultSceneRefineDef(void);

/// Refine the mesh of a scene, before rigs are made of it. Shape and volume stay the same, unless
/// it is smoothed; weights, texture coordinates, normals and morph targets are averaged, also those
/// attributes that only its file holds when that is written again. A part's vertices keep their
/// order and come before its new ones.
TG_API tgResult tgScene_Refine(tgScene* scene, const tgSceneRefineDef* def, tgError* error);

/// Cut all faces into triangles, a quad along the shorter diagonal of the bind pose. Before rigs
/// are made of the scene: for a file that holds triangles only (tgKeepsPolygons), so that the
/// volume is kept of what is written.
TG_API tgResult tgScene_Triangulate(tgScene* scene, tgError* error);

/// The bind shape under these morph weights.
/// @param positions vertexCount entries
TG_API void tgScene_SampleShape(const tgScene* scene, const float* morphWeights, tgVec3* positions);

#ifdef __cplusplus
}
#endif

#endif
