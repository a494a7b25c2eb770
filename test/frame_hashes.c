// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Frames whose bits are the same on every machine: made with sums, products, quotients and square
// roots only, because sines differ from one C library to the next.

#include "frame_hashes.h"

#include "core/hash.h"
#include "core/kernels.h"

enum { tg_side = 12, tg_around = 4 * tg_side, tg_levels = 30, tg_jointCount = 9, tg_most = 6 };
enum { tg_vertexCount = tg_around * tg_levels, tg_faceCount = tg_around * (tg_levels - 1) };

static struct {
    tgVec3 positions[tg_vertexCount], outPositions[tg_vertexCount], outNormals[tg_vertexCount];
    int faceSizes[2 * tg_faceCount];
    int faces[6 * tg_faceCount];
    int parents[tg_jointCount];
    tgMat34 rest[tg_jointCount], posed[tg_jointCount], moved[tg_jointCount];
    tgVec3 shape[tg_vertexCount];
    tgFleshElement flesh[3];
    tgProfile profiles[2];
    tgVec3 boneCorners[8];
    tgBoneDef bone;
    int joints[tg_most * tg_vertexCount];
    float weights[tg_most * tg_vertexCount];
} tg_frame;

/// A square of vertices pushed out to a circle, so that no cosine is needed.
static tgVec3 tgRingPoint(int i, float x)
{
    int k = i % tg_side;
    float t = 2.0f * (float)k / tg_side - 1.0f;
    const float y[4] = {1.0f, -t, -1.0f, t}, z[4] = {t, 1.0f, -t, -1.0f};
    float a = y[i / tg_side], b = z[i / tg_side];
    float scale = 1.0f / sqrtf(a * a + b * b);
    return tgMakeVec3(x, scale * a, scale * b);
}

static void tgAddFaces(int ring, bool quads, int* faceCount, int* cornerCount)
{
    for (int i = 0; i < tg_around; ++i) {
        int a = ring * tg_around + i, b = ring * tg_around + (i + 1) % tg_around;
        const int quad[4] = {a, b, b + tg_around, a + tg_around};
        const int triangles[6] = {a, b, b + tg_around, a, b + tg_around, a + tg_around};
        for (int k = 0; k < (quads ? 4 : 6); ++k) {
            tg_frame.faces[(*cornerCount)++] = quads ? quad[k] : triangles[k];
        }
        tg_frame.faceSizes[(*faceCount)++] = quads ? 4 : 3;
        if (!quads) {
            tg_frame.faceSizes[(*faceCount)++] = 3;
        }
    }
}

static void tgMakeJoints(bool scaled, float bend)
{
    tgMat34 parent = tgIdentityMat34();
    for (int j = 0; j < tg_jointCount; ++j) {
        tgTransform local = tgIdentityTransform();
        local.position.x = j > 0 ? 1.0f : 0.0f;
        tgQuat q = {0.02f * (float)j, 0.15f * bend, 0.1f * bend * (float)(j % 3), 1.0f};
        local.rotation = tgNormalizeQuat(q);
        if (scaled) {
            local.scale =
                tgMakeVec3(1.0f + 0.05f * (float)(j % 4), 1.0f - 0.03f * (float)(j % 5), 1.1f);
        }
        tgMat34 m = tgMakeMat34(local);
        parent = tgMulMat34(&parent, &m);
        tg_frame.posed[j] = parent;
        tg_frame.parents[j] = j - 1;
        tg_frame.rest[j] = tgIdentityMat34();
        tg_frame.rest[j].origin.x = (float)j;
    }
}

/// Three elements that overlap, one of them twisting, one of them past its limit.
static tgFleshDef tgMakeFlesh(void)
{
    static const int driven[3] = {2, 5, 7};
    for (int e = 0; e < 3; ++e) {
        tgFleshElement* element = &tg_frame.flesh[e];
        *element = tgDefaultFleshElement();
        element->driver = 2 * e;
        element->driven = &driven[e];
        element->drivenCount = 1;
        element->gravity = tgMakeVec3(0.0f, -9.0f, 3.0f);
        element->springs[0].dampingRatio = e == 2 ? 1.5f : 0.1f;
        element->twistFrequency = e == 1 ? 2.0f : 0.0f;
        element->elongation = e == 0 ? 0.05f : 1.0f;
        element->thickness = e == 1 ? 0.1f : 0.0f;
    }
    return (tgFleshDef){tg_frame.flesh, 3};
}

/// A box about the bone of the middle joint, whose edges lie just under the skin: every bend brings
/// some of it through.
static tgBonesDef tgMakeBones(void)
{
    static const int sizes[6] = {4, 4, 4, 4, 4, 4};
    static const int corners[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                    2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    for (int i = 0; i < 8; ++i) {
        tg_frame.boneCorners[i] =
            tgMakeVec3(i & 4 ? 4.9f : 4.1f, i & 2 ? 0.68f : -0.68f, i & 1 ? 0.68f : -0.68f);
    }
    tg_frame.bone = (tgBoneDef){.joint = tg_jointCount / 2,
                                .positions = {&tg_frame.boneCorners[0].x, 8, sizeof(tgVec3)},
                                .faceVertices = corners,
                                .faceSizes = sizes,
                                .faceCount = 6,
                                .thickness = -1.0f};
    tgBonesDef bones = tgDefaultRigDef().bones;
    bones.bones = &tg_frame.bone;
    bones.boneCount = 1;
    bones.automatic = true;
    bones.thickness = 0.3f;
    return bones;
}

/// A hill along the bone, on the inner side.
static tgProfile tgMakeCurves(void)
{
    tgProfile curves = tgDefaultProfile(tg_profileCurves);
    curves.curveCounts[0] = 3;
    curves.curves[0][0] = (tgCurvePoint){-0.9f, 0.0f};
    curves.curves[0][1] = (tgCurvePoint){-0.2f, 1.0f};
    curves.curves[0][2] = (tgCurvePoint){0.8f, 0.0f};
    curves.curveCounts[2] = 2;
    curves.curves[2][0] = (tgCurvePoint){-0.2f, 0.0f};
    curves.curves[2][1] = (tgCurvePoint){0.5f, 1.0f};
    return curves;
}

/// From here on cases are about the volume stage beside the others, on a tube that bends more.
enum { tg_volumeCases = 30 };

/// Profiles and contact in turn; flesh, bones, breathing, mode paper where their number says.
static void tgChooseVolume(int which, tgRigDef* def)
{
    static const tgVolumeKey breath[2] = {{-0.1f, 1.0f}, {0.05f, 1.06f}};
    static const tgProfileKind kinds[8] = {tg_profileCurves, tg_profileCurves,   tg_profileOrganic,
                                           tg_profileMuscle, tg_profileFolds,    tg_profileBelly,
                                           tg_profileRubber, tg_profileIsotropic};
    int number = which - tg_volumeCases;
    def->volume.method = tg_volumeExact;
    def->volume.mode = number == 7 ? tg_modePaper : tg_modeExact;
    def->volume.contact = number & 1 ? tg_contactAuto : tg_contactOff;
    def->volume.profiles = tg_frame.profiles;
    def->volume.profileCount = number == 4 ? 2 : 1;
    tg_frame.profiles[0] =
        kinds[number] == tg_profileCurves ? tgMakeCurves() : tgDefaultProfile(kinds[number]);
    tg_frame.profiles[0].gain = number == 6 ? 1.5f : 1.0f;
    tg_frame.profiles[1] = tgDefaultProfile(tg_profileOrganic);
    tg_frame.profiles[1].combine = tg_combineMultiply;
    if (number >= 3) {
        def->flesh = tgMakeFlesh();
    }
    if (number == 5 || number == 7) {
        def->bones = tgMakeBones();
    }
    if (number == 3) {
        def->volume.targetKeys = breath;
        def->volume.targetKeyCount = 2;
    }
}

static tgRigDef tgMakeCase(int which)
{
    bool quads = which & 1, scaled = which & 4;
    int influences = which & 2 ? tg_most : 3;
    int faceCount = 0, cornerCount = 0;
    tgMakeJoints(scaled, which < tg_volumeCases ? 1.0f : 3.0f);
    for (int r = 0; r < tg_levels; ++r) {
        float x = (float)(tg_jointCount - 1) * (float)r / (tg_levels - 1);
        for (int i = 0; i < tg_around; ++i) {
            int v = r * tg_around + i;
            tg_frame.positions[v] = tgRingPoint(i, x);
            tg_frame.shape[v] = tg_frame.positions[v];
            tg_frame.shape[v].y *= 1.1f;
            float w[tg_most], total = 0.0f;
            int first = (int)x > tg_jointCount - influences ? tg_jointCount - influences : (int)x;
            for (int k = 0; k < influences; ++k) {
                float d = x - (float)(first + k);
                w[k] = 1.0f / (0.2f + d * d);
                total += w[k];
            }
            for (int k = 0; k < influences; ++k) {
                tg_frame.joints[influences * v + k] = first + k;
                tg_frame.weights[influences * v + k] = w[k] / total;
            }
        }
        if (r + 1 < tg_levels) {
            tgAddFaces(r, quads, &faceCount, &cornerCount);
        }
    }
    tgRigDef def = tgDefaultRigDef();
    def.restPositions = (tgVec3View){&tg_frame.positions[0].x, tg_vertexCount, sizeof(tgVec3)};
    def.faceSizes = tg_frame.faceSizes;
    def.faceVertices = tg_frame.faces;
    def.faceCount = faceCount;
    def.jointParents = tg_frame.parents;
    def.restJoints = tg_frame.rest;
    def.jointCount = tg_jointCount;
    def.influencesPerVertex = influences;
    def.influenceJoints = tg_frame.joints;
    def.influenceWeights = tg_frame.weights;
    // Four cases have flesh, and volume in turn; eight the local method; the last two bones.
    def.volume.method = which < 16 ? (which & 8 ? tg_volumeExact : tg_volumeNone)
                                   : (which & 2 ? tg_volumeExact : tg_volumeNone);
    def.flesh = which < 16 || which >= 20 ? (tgFleshDef){NULL, 0} : tgMakeFlesh();
    if (which >= tg_volumeCases) {
        tgChooseVolume(which, &def);
    } else if (which >= 28) {
        def.volume.method = which & 1 ? tg_volumeExact : tg_volumeNone;
        def.bones = tgMakeBones();
    } else if (which >= 20) {
        def.volume.method = tg_volumeLocal;
        def.volume.local.map = (tgLocalMap)(which % 3);
        def.volume.local.scope = which & 2 ? tg_scopeGlobal : tg_scopeRegions;
        def.volume.local.loss = which & 1 ? tg_lossPrisms : tg_lossClosed;
        def.volume.local.edges = which & 4 ? tg_edgesStill : tg_edgesBlended;
        def.volume.local.alpha = 1.3f;
        def.volume.local.beta = 0.7f;
        def.volume.local.parts = which < 24 ? 1 : 2;
        def.volume.local.repeats = which & 2 ? 1 : 0;
        def.volume.local.exact = which >= 24;
    }
    return def;
}

/// As many threads would, in another order: ranges from the last to the first.
static void tgRunBackwards(tgRangeFcn* range, int count, int minRange, void* context, void* user)
{
    (void)user;
    for (int end = count; end > 0;) {
        int begin = end > minRange ? end - minRange : 0;
        range(begin, end, context);
        end = begin;
    }
}

/// @param isShaped a bind shape of its own
static uint64_t tgHashInstance(const tgRig* rig, const tgInstanceDef* def, bool isShaped,
                               uint64_t hash)
{
    tgInstance* instance = tgCreateInstance(rig, def, NULL);
    if (instance == NULL) {
        return 0;
    }
    tgVec3Span positions = {&tg_frame.outPositions[0].x, tg_vertexCount, sizeof(tgVec3)};
    tgVec3Span normals = {&tg_frame.outNormals[0].x, tg_vertexCount, sizeof(tgVec3)};
    // Frames before the one that counts matter to flesh alone.
    tgResult result = tg_success;
    for (int i = tgRig_GetFleshCount(rig) > 0 ? 3 : 0; i >= 0 && result == tg_success; --i) {
        for (int j = 0; j < tg_jointCount; ++j) {
            tg_frame.moved[j] = tg_frame.posed[j];
            tg_frame.moved[j].origin.y += 0.05f * (float)(i * i % 5);
        }
        tgPose pose = {
            .joints = tg_frame.moved, .jointCount = tg_jointCount, .time = -0.04f * (float)i};
        if (isShaped) {
            pose.shapePositions =
                (tgVec3View){&tg_frame.shape[0].x, tg_vertexCount, sizeof(tgVec3)};
        }
        result = tgInstance_Deform(instance, &pose, positions, normals, NULL);
    }
    tgVolumeReport volume = tgInstance_MeasureVolume(instance);
    tgDestroyInstance(instance);
    if (result != tg_success) {
        return 1;
    }
    hash = tgHashWords(hash, tg_frame.outPositions, 3 * (size_t)tg_vertexCount);
    hash = tgHashWords(hash, tg_frame.outNormals, 3 * (size_t)tg_vertexCount);
    hash = tgHashWords(hash, &volume.target, 2);
    return tgHashWords(hash, &volume.result, 2);
}

uint64_t tgHashFrameCase(int which, int simd)
{
    if (tgSelectKernels((tgSimd)simd) == NULL) {
        return 0;
    }
    tgRigDef def = tgMakeCase(which);
    bool isShaped = which == tg_volumeCases + 2;
    uint64_t hash = tg_hashSeed;
    tgSkinning last = which < tg_volumeCases ? tg_dualQuaternion : tg_blend;
    for (int skinning = tg_linear; skinning <= (int)last; ++skinning) {
        def.skinning = (tgSkinning)skinning;
        tgRig* rig = tgCreateRig(&def, NULL);
        if (rig == NULL) {
            return 1;
        }
        for (int from = 0; from < 2 && (hash > 1 || skinning + from == 0); ++from) {
            tgInstanceDef instanceDef = tgDefaultInstanceDef();
            instanceDef.simd = (tgSimd)simd;
            instanceDef.normals = (tgNormals)from;
            uint64_t before = hash;
            hash = tgHashInstance(rig, &instanceDef, isShaped, before);
            if (hash > 1 && which >= tg_volumeCases && from == 0) {
                instanceDef.parallelFor = tgRunBackwards;
                bool isSame = tgHashInstance(rig, &instanceDef, isShaped, before) == hash;
                hash = isSame ? hash : 1;
            }
        }
        tgDestroyRig(rig);
    }
    return hash;
}
