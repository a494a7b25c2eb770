// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
/// @file io.h
/// Files in and out. Messages do not repeat the file's name; the caller knows it.
#ifndef TURGOR_IO_H
#define TURGOR_IO_H

#include "turgor/autorig.h"
#include "turgor/base.h"
#include "turgor/bind.h"
#include "turgor/scene.h"
#include "turgor/settings.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Read a character by its ending: .glb, .gltf, .fbx, .dae, .obj (a mesh alone), .bvh (a skeleton
/// and its motion alone). NULL on failure. What could be mended is told in scene->warnings.
TG_API tgScene* tgLoadScene(const char* path, tgError* error);

/// What a file may bring along, and how much of it. Start from tgDefaultLoadDef().
typedef struct tgLoadDef {
    const char* folder; ///< the files that a glTF names are in it or below; NULL: the glTF's own
    bool allowOutside;  ///< they may also lie elsewhere, by "../" and by links; false
    size_t mostBytes;   ///< of the file; 4 GiB
    int mostVertices;   ///< 100 000 000
    int mostJoints;     ///< 1 000 000
    int mostFrames;     ///< keys of one track; 1 000 000
    int mostUnfolding;  ///< of a glTF: bytes of memory that the scene and a rig may take for each
                        ///< byte of it, beside 40 MB; nodes that show one mesh many times, and
                        ///< tracks that share their keys, unfold; 1 or more; 40
    bool sharesMeshes;  ///< of a glTF whose meshes without a skin would unfold further than that:
                        ///< each is in the scene once, in the space of its first node, and all
                        ///< other nodes that show it are in tgScene.places. What binds such a mesh
                        ///< would see one of them. false: refused
    int cookie;         ///< set by tgDefaultLoadDef, not by you
} tgLoadDef;

TG_API tgLoadDef tgDefaultLoadDef(void);
/// The same as tgLoadScene, with other rules.
TG_API tgScene* tgLoadSceneWith(const char* path, const tgLoadDef* def, tgError* error);

/// Read a .glb or .gltf from memory. `folder` is where its external files are, or below; NULL: no
/// file is read.
TG_API tgScene* tgLoadGltfMemory(const void* data, size_t size, const char* folder, tgError* error);

/// The character of a file and its settings, as the command line makes it: the same bits as turgor
/// bake gives. Where the settings ask for a finer mesh the scene is refined first, by its first
/// animation: then it has more vertices from here on.
/// @param settings NULL: the defaults of the command line. What is changed in them counts.
/// @return NULL on failure; frames of it are made by tgCreateInstance and tgInstance_Deform
TG_API tgRig* tgScene_CreateRig(tgScene* scene, tgSettings* settings, tgError* error);

/// Read a skeleton: any of the above that has joints, or a .json of joints (docs/bind.md). A scene
/// with joints, nodes and perhaps animations; NULL on failure.
TG_API tgScene* tgLoadSkeleton(const char* path, tgError* error);
/// The same with other rules.
TG_API tgScene* tgLoadSkeletonWith(const char* path, const tgLoadDef* def, tgError* error);
/// The .json from memory; no closing zero is needed.
TG_API tgScene* tgParseSkeleton(const char* text, size_t size, tgError* error);

/// A skeleton that was found for a mesh, for tgScene_GetBindDef and tgScene_SetSkin.
/// @param bindToModel how the mesh of the bind pose stands in its file; NULL: as it is
/// @param wiggles with an animation "wiggle" that swings every joint by 40 degrees, one after the
///        other
TG_API tgScene* tgCreateSkeletonScene(const tgAutorig* rig, const tgMat34* bindToModel,
                                      bool wiggles, tgError* error);

/// Where the bones of joints without children end, as far as the file tells by nodes that are no
/// joints (End Sites); the joint's own place for the others.
/// @param tails jointCount entries
TG_API void tgScene_GetTails(const tgScene* scene, tgVec3* tails);

/// A skeleton as it stands at a time of an animation, or for animation -1 as its file's nodes stand
/// it: that may be in another size and direction than its own skin was bound in, and a mesh that
/// was posed is so, too.
TG_API tgResult tgScene_StandSkeleton(tgScene* skeleton, int animation, double time,
                                      tgError* error);
/// Scale a skeleton about the origin and then move it, with its animations.
TG_API tgResult tgScene_MoveSkeleton(tgScene* skeleton, float scale, tgVec3 offset, tgError* error);

/// What tgCreateBinding asks for, of one scene's mesh and the joints of another, or the same. It
/// points into both. Tails are yours to add.
TG_API tgBindDef tgScene_GetBindDef(const tgScene* mesh, const tgScene* skeleton);

/// Give a scene's mesh the skeleton of another scene, with its animations, and weights for it. The
/// same scene twice: only the weights change.
/// @param influenceJoints influencesPerVertex for each vertex, into the skeleton's joints
TG_API tgResult tgScene_SetSkin(tgScene* scene, const tgScene* skeleton, int influencesPerVertex,
                                const int* influenceJoints, const float* influenceWeights,
                                tgError* error);

/// A file in memory; free it with tgFreeBytes.
typedef struct tgBytes {
    uint8_t* data;
    size_t size;
} tgBytes;

TG_API void tgFreeBytes(tgBytes* bytes); ///< all zero is fine

/// Write the character itself, skinned and animated, as .glb or .gltf (buffers inside).
TG_API tgResult tgSaveScene(const tgScene* scene, const char* path, tgError* error);

/// One animation of a bake of several.
typedef struct tgBakeClip {
    int animation;
    int frameCount;
    double startTime; ///< of its first frame, seconds
} tgBakeClip;

/// What a bake writes. Start from tgDefaultBakeDef().
typedef struct tgBakeDef {
    const tgScene* scene; ///< must outlive the bake
    const char* path; ///< .glb .gltf .pc2 .mdd .usda .obj; an .obj sequence is NAME_0000.obj and on
    int frameCount;   ///< exactly so many tgBake_AddFrame follow
    int firstFrame;   ///< number of the first frame, for names in a sequence; 0
    int animation;    ///< the one that was baked, -1 for none
    double startTime; ///< of the first frame, seconds; 0
    double fps;       ///< 30
    const tgBakeClip* clips; ///< .glb and .gltf: several animations, whose frames follow one
                             ///< another; must outlive the bake. NULL: one, as told above
    int clipCount;
    bool still;      ///< one frame that becomes the mesh itself instead of an animation
    tgBytes* memory; ///< NULL: a file. Else closing leaves the file's bytes here, and the path
                     ///< tells the format by its ending; not for an .obj sequence
    int cookie;      ///< set by tgDefaultBakeDef, not by you
} tgBakeDef;

typedef struct tgBake tgBake;

/// Whether a bake by this ending leaves quads and polygons as they are: .obj and .usda do, .pc2 and
/// .mdd have no faces. .glb and .gltf hold triangles only; see tgScene_Triangulate.
TG_API bool tgKeepsPolygons(const char* path);

TG_API tgBakeDef tgDefaultBakeDef(void);
/// Checks the ending and that the target can be written; NULL on failure. Everything is written to
/// a temporary name beside the target, or to memory.
TG_API tgBake* tgOpenBake(const tgBakeDef* def, tgError* error);
/// Positions and normals of all the scene's vertices. Normals may be NULL.
TG_API tgResult tgBake_AddFrame(tgBake* bake, const tgVec3* positions, const tgVec3* normals,
                                tgError* error);
/// Finish, rename into place and free. On failure nothing is left behind.
TG_API tgResult tgCloseBake(tgBake* bake, tgError* error);
/// Drop the bake and its temporary files; NULL is fine.
TG_API void tgCancelBake(tgBake* bake);

#ifdef __cplusplus
}
#endif

#endif
