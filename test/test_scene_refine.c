// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Scenes made finer: every attribute follows, seams stay shut, parts stay whole, files keep their
// materials, and the volume is kept exactly afterwards.
// Past 500 lines because its scenes and checks serve all cases.

#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE

#include "failing_memory.h"
#include "glb_file.h"
#include "gltf_maker.h"
#include "io/scene_refine.h"
#include "turgor/models.h"
#include "turgor/settings.h"

enum { tg_columns = 8, tg_rings = 9, tg_tubeVertices = (tg_columns + 1) * tg_rings };

/// What a vertex of the tube is: how far round and how far along.
typedef struct tgPlace2 {
    float round, along;
} tgPlace2;

static tgPlace2 tgGetPlace(int v)
{
    return (tgPlace2){(float)(v % (tg_columns + 1)) / tg_columns,
                      (float)(v / (tg_columns + 1)) / (tg_rings - 1)};
}

/// The numbers of an attribute of the tube, which are its place or follow from it.
static void tgAddTubeAttributes(tgGltfMaker* maker)
{
    static float positions[tg_tubeVertices][3], weights[tg_tubeVertices][4];
    static float uvs[tg_tubeVertices][2], tangents[tg_tubeVertices][4];
    static float normals[tg_tubeVertices][3], offsets[tg_tubeVertices][3];
    static uint16_t secondUvs[tg_tubeVertices][2];
    static uint8_t joints[tg_tubeVertices][4], colors[tg_tubeVertices][4];
    static uint8_t labels[tg_tubeVertices][4];
    for (int v = 0; v < tg_tubeVertices; ++v) {
        tgPlace2 place = tgGetPlace(v);
        // The last column stands exactly where the first one does.
        double angle = 2.0 * 3.14159265358979 * (v % (tg_columns + 1) % tg_columns) / tg_columns;
        positions[v][0] = 4.0f * place.along;
        positions[v][1] = normals[v][1] = (float)cos(angle);
        positions[v][2] = normals[v][2] = (float)sin(angle);
        tangents[v][1] = (float)-sin(angle);
        tangents[v][2] = (float)cos(angle);
        tangents[v][3] = place.along < 0.5f ? -1.0f : 1.0f;
        weights[v][1] = fminf(fmaxf(2.0f * place.along - 0.5f, 0.0f), 1.0f);
        weights[v][0] = 1.0f - weights[v][1];
        joints[v][1] = 1;
        uvs[v][0] = place.round;
        uvs[v][1] = place.along;
        secondUvs[v][0] = (uint16_t)(65535.0f * place.round);
        secondUvs[v][1] = (uint16_t)(65535.0f * place.along);
        colors[v][0] = (uint8_t)(255.0f * place.along);
        colors[v][3] = 255;
        labels[v][0] = (uint8_t)(v / (tg_columns + 1));
        offsets[v][1] = place.along;
    }
    int n = tg_tubeVertices;
    tgAddFloats(maker, &positions[0][0], n, "VEC3", 3);
    tgAddAccessor(maker, joints, sizeof(joints), n, 5121, "VEC4", "");
    tgAddFloats(maker, &weights[0][0], n, "VEC4", 4);
    tgAddFloats(maker, tg_armInverseBinds, 2, "MAT4", 16);
    tgAddFloats(maker, &normals[0][0], n, "VEC3", 3);
    tgAddFloats(maker, &tangents[0][0], n, "VEC4", 4);
    tgAddFloats(maker, &uvs[0][0], n, "VEC2", 2);
    tgAddAccessor(maker, secondUvs, sizeof(secondUvs), n, 5123, "VEC2", ",\"normalized\":true");
    tgAddAccessor(maker, colors, sizeof(colors), n, 5121, "VEC4", ",\"normalized\":true");
    int view = tgAddView(maker, labels, sizeof(labels), ",\"byteStride\":4");
    char json[128];
    snprintf(json, sizeof(json),
             "\"bufferView\":%d,\"count\":%d,\"componentType\":5121,\"type\":\"SCALAR\"", view, n);
    tgAddRawAccessor(maker, json);
    tgAddFloats(maker, &offsets[0][0], n, "VEC3", 3);
}

/// Triangles of rings `from` to `to`.
static void tgAddTubeFaces(tgGltfMaker* maker, int from, int to)
{
    static uint16_t indices[6 * tg_columns * tg_rings];
    int count = 0, width = tg_columns + 1;
    for (int ring = from; ring < to; ++ring) {
        for (int k = 0; k < tg_columns; ++k) {
            int a = ring * width + k;
            const int corners[6] = {a, a + 1, a + 1 + width, a, a + 1 + width, a + width};
            for (int i = 0; i < 6; ++i) {
                indices[count++] = (uint16_t)corners[i];
            }
        }
    }
    tgAddAccessor(maker, indices, (size_t)count * sizeof(uint16_t), count, 5123, "SCALAR", "");
}

#define TG_TUBE_PRIMITIVE                                                                          \
    "{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2,\"NORMAL\":4,\"TANGENT\":5,"   \
    "\"TEXCOORD_0\":6,\"TEXCOORD_1\":7,\"COLOR_0\":8,\"_LABEL\":9},"                               \
    "\"targets\":[{\"POSITION\":10}],"

/// A textured tube of two primitives over the same vertices, parted by a seam along its length.
static tgScene* tgLoadTube(void)
{
    static tgGltfMaker maker;
    maker = (tgGltfMaker){0};
    tgAddTubeAttributes(&maker);
    tgAddTubeFaces(&maker, 0, 4);
    tgAddTubeFaces(&maker, 4, tg_rings - 1);
    static const char body[] =
        "\"scene\":0,\"scenes\":[{\"nodes\":[0,2]}],"
        "\"nodes\":[{\"name\":\"root\",\"children\":[1]},"
        "{\"name\":\"tip\",\"translation\":[0,1,0]},{\"name\":\"skin\",\"mesh\":0,\"skin\":0}],"
        "\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":3}],"
        "\"meshes\":[{\"weights\":[0],\"primitives\":[" TG_TUBE_PRIMITIVE
        "\"indices\":11,\"material\":1}," TG_TUBE_PRIMITIVE "\"indices\":12,\"material\":0}]}],"
        "\"materials\":[{\"name\":\"plain\"},{\"name\":\"painted\",\"pbrMetallicRoughness\":"
        "{\"baseColorTexture\":{\"index\":0,\"texCoord\":1}}}],\"textures\":[{\"source\":0}],"
        "\"images\":[{\"uri\":\"data:image/png;base64,iVBORw0KGgo=\"}]";
    return tgLoadGood(&maker, body);
}

static void tgRefine(tgScene* scene, float threshold, int levels, int animation)
{
    tgProfile rubber = tgDefaultProfile(tg_profileRubber);
    rubber.sigma[0] = rubber.sigma[1] = rubber.sigma[2] = 1.0f;
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.profiles = &rubber;
    volume.profileCount = 1;
    tgSceneRefineDef def = tgDefaultSceneRefineDef();
    def.threshold = threshold;
    def.levels = levels;
    def.volume = &volume;
    def.animation = animation;
    tgError error = {0};
    tgResult result = tgScene_Refine(scene, &def, &error);
    if (result != tg_success) {
        print_error("%s\n", error.message);
    }
    assert_int_equal(result, tg_success);
}

static tgRigInfo tgGetInfo(const tgScene* scene)
{
    tgRigDef def = tgScene_GetRigDef(scene);
    tgError error = {0};
    tgRig* rig = tgCreateRig(&def, &error);
    assert_non_null(rig);
    tgRigInfo info = tgRig_GetInfo(rig);
    tgDestroyRig(rig);
    return info;
}

/// In the scene all that has a mean is still the function of the place that it was.
static void test_attributes_follow(void** state)
{
    (void)state;
    for (int levels = 1; levels <= 2; ++levels) {
        tgScene* scene = tgLoadTube();
        tgRigInfo before = tgGetInfo(scene);
        tgRefine(scene, 0.5f, levels, -1);
        tgRigInfo after = tgGetInfo(scene);
        assert_true(scene->vertexCount > tg_tubeVertices);
        assert_int_equal(scene->parts[0].vertexCount, scene->vertexCount);
        assert_int_equal(scene->parts[1].vertexCount, scene->vertexCount);
        assert_int_equal(scene->parts[1].firstFace, scene->parts[0].faceCount);
        assert_int_equal(scene->parts[1].firstFace + scene->parts[1].faceCount, scene->faceCount);
        for (int v = 0; v < scene->vertexCount; ++v) {
            float along = scene->uvs[2 * v + 1];
            CHECK_NEAR(scene->positions[v].x, 4.0f * along, 1e-6);
            CHECK_NEAR(scene->morphs[0].offsets[v].y, along, 1e-7);
            CHECK_NEAR(tgLength(scene->normals[v]), 1.0, 1e-6);
            float sum = 0.0f;
            for (int k = 0; k < scene->influencesPerVertex; ++k) {
                sum += scene->influenceWeights[v * scene->influencesPerVertex + k];
            }
            CHECK_NEAR(sum, 1.0, 1e-6);
        }
        // The seam is as long as it was, in more pieces, and shut.
        assert_int_equal(after.boundaryLoopCount, 2);
        assert_int_equal(after.nonManifoldEdgeCount, 0);
        assert_int_equal(after.componentCount, 1);
        assert_true(after.vertexCount - after.weldedVertexCount >
                    before.vertexCount - before.weldedVertexCount);
        CHECK_NEAR(after.restVolume / before.restVolume, 1.0, 2e-7);
        tgDestroyScene(scene);
    }
}

/// The number of an attribute's accessor in the first or second primitive.
static int tgFindAttribute(const tgGlbFile* file, int primitive, const char* key)
{
    char path[96];
    snprintf(path, sizeof(path), "meshes.0.primitives.%d.attributes.%s", primitive, key);
    return tgFindInt(file->document, path);
}

static void tgCheckAttributes(const tgGlbFile* file, int vertexCount)
{
    const float* positions = tgGetArray(file, tgFindAttribute(file, 0, "POSITION"));
    const float* uvs = tgGetArray(file, tgFindAttribute(file, 0, "TEXCOORD_0"));
    const float* second = tgGetArray(file, tgFindAttribute(file, 0, "TEXCOORD_1"));
    const float* colors = tgGetArray(file, tgFindAttribute(file, 0, "COLOR_0"));
    const float* tangents = tgGetArray(file, tgFindAttribute(file, 0, "TANGENT"));
    const uint8_t* labels = tgGetArray(file, tgFindAttribute(file, 0, "_LABEL"));
    for (int v = 0; v < vertexCount; ++v) {
        float along = uvs[2 * v + 1];
        CHECK_NEAR(positions[3 * v], 4.0f * along, 1e-6);
        CHECK_NEAR(second[2 * v], uvs[2 * v], 2e-5);
        CHECK_NEAR(second[2 * v + 1], along, 2e-5);
        CHECK_NEAR(colors[4 * v], along, 5e-3);
        CHECK_NEAR(colors[4 * v + 3], 1.0, 1e-6);
        const float* t = tangents + 4 * v;
        CHECK_NEAR(t[0] * t[0] + t[1] * t[1] + t[2] * t[2], 1.0, 1e-5);
        CHECK_NEAR(fabsf(t[3]), 1.0, 0.0);
        // A ring's own number, or that of the ring before or behind.
        CHECK_AT_MOST(fabsf((float)labels[4 * v] - 8.0f * along), 1.0);
    }
    for (int p = 0; p < 2; ++p) {
        static const char* const keys[] = {"POSITION", "TEXCOORD_0", "TEXCOORD_1", "COLOR_0",
                                           "TANGENT",  "_LABEL",     "NORMAL"};
        for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); ++k) {
            char path[64];
            int accessor = tgFindAttribute(file, p, keys[k]);
            snprintf(path, sizeof(path), "accessors.%d.count", accessor);
            assert_int_equal(tgFindInt(file->document, path), vertexCount);
            assert_int_equal(accessor, tgFindAttribute(file, 0, keys[k])); // written once
        }
    }
}

/// Baked and saved: primitives, materials, textures and all attributes are there.
static void test_files_keep_materials(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    for (int way = 0; way < 3; ++way) { // a bake, a still, the character itself
        tgScene* scene = tgLoadTube();
        tgRefine(scene, 0.5f, 2, -1);
        const char* path = tgInFolder(&folder, "tube.glb");
        tgBakeDef def = tgDefaultBakeDef();
        def.scene = scene;
        def.path = path;
        def.still = way == 1;
        tgError error = {0};
        if (way == 2) {
            assert_int_equal(tgSaveScene(scene, path, &error), tg_success);
        } else {
            tgBake* bake = tgOpenBake(&def, &error);
            assert_non_null(bake);
            assert_int_equal(tgBake_AddFrame(bake, scene->positions, scene->normals, &error),
                             tg_success);
            assert_int_equal(tgCloseBake(bake, &error), tg_success);
        }
        tgGlbFile file = tgOpenGlb(path);
        assert_int_equal(tgCountJson(file.document, "meshes.0.primitives"), 2);
        assert_int_equal(tgFindInt(file.document, "meshes.0.primitives.0.material"), 1);
        assert_int_equal(tgFindInt(file.document, "meshes.0.primitives.1.material"), 0);
        assert_string_equal(tgFindText(file.document, "materials.1.name"), "painted");
        assert_int_equal(tgCountJson(file.document, "images"), 1);
        tgCheckAttributes(&file, scene->vertexCount);
        tgCloseGlb(&file);
        tgScene* back = tgLoadBack(path);
        assert_int_equal(back->vertexCount, scene->vertexCount);
        assert_int_equal(back->faceCount, scene->faceCount);
        tgCheckSamePositions(back->positions, scene->positions, scene->vertexCount, 1e-6);
        tgDestroyScene(back);
        tgDestroyScene(scene);
    }
    tgRemoveFolder(&folder);
}

/// Parts with their own and with shared vertices, quads and a polygon, and a morph.
static void test_parts(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgMakeArmScene();
    double volume = tgGetInfo(scene).restVolume;
    tgRefine(scene, 0.2f, 2, 0);
    assert_true(scene->vertexCount > tg_armVertexCount);
    assert_int_equal(scene->parts[0].firstVertex, 0);
    assert_int_equal(scene->parts[1].vertexCount, scene->parts[0].vertexCount);
    assert_int_equal(scene->parts[2].firstVertex, scene->parts[0].vertexCount);
    assert_int_equal(scene->morphs[0].vertexCount, scene->parts[0].vertexCount);
    assert_non_null(scene->weldKeys);
    // Every part uses its own vertices only; the writer checks it too.
    const int* corners = scene->faceVertices;
    for (int p = 0, f = 0; p < scene->partCount; ++p) {
        const tgScenePart* part = &scene->parts[p];
        assert_int_equal(part->firstFace, f);
        for (; f < part->firstFace + part->faceCount; corners += scene->faceSizes[f++]) {
            for (int k = 0; k < scene->faceSizes[f]; ++k) {
                assert_true(corners[k] >= part->firstVertex);
                assert_true(corners[k] < part->firstVertex + part->vertexCount);
            }
        }
    }
    CHECK_NEAR(tgGetInfo(scene).restVolume / volume, 1.0, 2e-7);
    assert_int_equal(tgSaveScene(scene, tgInFolder(&folder, "arm.glb"), NULL), tg_success);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

/// Faces that the volume settings have nothing to do with stay: no corner, nor a neighbour's
/// neighbour, is above the threshold.
static void tgCheckFarFaces(const tgScene* coarse, const tgScene* fine, const tgVolumeDef* volume,
                            float threshold)
{
    tgRigDef def = tgScene_GetRigDef(coarse);
    def.volume = *volume;
    tgMat34* nodes = calloc((size_t)coarse->nodeCount, sizeof(tgMat34));
    tgMat34* joints = calloc(64 * (size_t)coarse->jointCount, sizeof(tgMat34));
    tgPose poses[64];
    for (int i = 0; i < 64; ++i) {
        tgMat34* own = joints + (size_t)(i * coarse->jointCount);
        tgScene_SamplePose(coarse, 0, coarse->animations[0].end * i / 63.0, nodes, own, NULL);
        poses[i] = (tgPose){.joints = own, .jointCount = coarse->jointCount};
    }
    float* gamma = calloc((size_t)coarse->vertexCount, sizeof(float));
    float* near = calloc((size_t)coarse->vertexCount, sizeof(float));
    assert_int_equal(tgSampleLargestGamma(&def, poses, 64, gamma, NULL, NULL), tg_success);
    int marked = 0;
    for (int round = 0; round < 3; ++round) {
        const int* corners = coarse->faceVertices;
        memcpy(near, gamma, (size_t)coarse->vertexCount * sizeof(float));
        for (int f = 0; f < coarse->faceCount; corners += coarse->faceSizes[f++]) {
            float most = 0.0f;
            for (int k = 0; k < coarse->faceSizes[f]; ++k) {
                most = fmaxf(most, gamma[corners[k]]);
            }
            marked += round == 0 && most > threshold;
            for (int k = 0; k < coarse->faceSizes[f]; ++k) {
                near[corners[k]] = fmaxf(near[corners[k]], most);
            }
        }
        memcpy(gamma, near, (size_t)coarse->vertexCount * sizeof(float));
    }
    // Coarse faces that are still there, by their corners in new numbers.
    int* moved = calloc((size_t)coarse->vertexCount, sizeof(int));
    for (int p = 0; p < coarse->partCount; ++p) {
        const tgScenePart* part = &coarse->parts[p];
        for (int v = 0; v < part->vertexCount; ++v) {
            moved[part->firstVertex + v] = fine->parts[p].firstVertex + v;
        }
    }
    int kept = 0, farFaces = 0, f = 0;
    const int *corners = coarse->faceVertices, *fineCorners = fine->faceVertices;
    for (int c = 0; c < coarse->faceCount; corners += coarse->faceSizes[c++]) {
        int size = coarse->faceSizes[c], wanted[4] = {0};
        float most = 0.0f;
        for (int k = 0; k < size; ++k) {
            most = fmaxf(most, gamma[corners[k]]);
            wanted[k] = moved[corners[k]];
        }
        // Pieces come in the order of their faces: the next one that matches is this face.
        const int* at = fineCorners;
        int g = f;
        while (g < fine->faceCount && (fine->faceSizes[g] != size ||
                                       memcmp(at, wanted, (size_t)size * sizeof(int)) != 0)) {
            at += fine->faceSizes[g++];
        }
        if (g < fine->faceCount) {
            kept += 1;
            f = g;
            fineCorners = at;
        }
        if (most <= threshold) {
            farFaces += 1;
            assert_true(g < fine->faceCount);
        }
    }
    free(moved);
    print_message("%d faces: %d marked, %d as they were, %d of them more than 3 rings away\n",
                  coarse->faceCount, marked, kept, farFaces);
    free(nodes);
    free(joints);
    free(gamma);
    free(near);
}

/// The elephant whose belly folds: about twice the vertices, closed, and the volume exact.
static void test_elephant(void** state)
{
    (void)state;
    tgError error = {0};
    tgScene* coarse = tgCreateModel("elephant", 0, &error);
    tgScene* fine = tgCreateModel("elephant", 0, &error);
    assert_non_null(coarse);
    assert_non_null(fine);
    tgProfile folds = tgDefaultProfile(tg_profileFolds);
    folds.sigma[0] = 1.2f;
    folds.sigma[1] = 1.5f;
    folds.sigma[2] = 2.0f;
    folds.folds = 1.25f;
    static const char* const spine[] = {"spine1", "spine2", "spine3"};
    tgJointProfiles joints[3];
    for (int i = 0; i < 3; ++i) {
        joints[i] = (tgJointProfiles){tgScene_FindJoint(coarse, spine[i]), &folds, 1};
    }
    tgProfile narrow = tgDefaultProfile(tg_profileRubber);
    tgVolumeDef volume = tgDefaultRigDef().volume;
    volume.method = tg_volumeExact;
    volume.profiles = &narrow;
    volume.profileCount = 1;
    volume.joints = joints;
    volume.jointCount = 3;
    tgSceneRefineDef def = tgDefaultSceneRefineDef();
    def.volume = &volume;
    def.animation = 0;
    assert_int_equal(tgScene_Refine(fine, &def, &error), tg_success);
    tgRigInfo before = tgGetInfo(coarse), after = tgGetInfo(fine);
    print_message("elephant: %d to %d vertices, rest volume %.1e off\n", coarse->vertexCount,
                  fine->vertexCount, after.restVolume / before.restVolume - 1.0);
    assert_int_equal(before.boundaryEdgeCount, 0);
    assert_int_equal(after.boundaryEdgeCount, 0);
    assert_int_equal(after.nonManifoldEdgeCount, 0);
    assert_int_equal(after.componentCount, before.componentCount);
    CHECK_NEAR(after.restVolume / before.restVolume, 1.0, 1e-7);
    tgCheckFarFaces(coarse, fine, &volume, def.threshold);

    tgRigDef rigDef = tgScene_GetRigDef(fine);
    rigDef.volume = volume;
    tgRig* rig = tgCreateRig(&rigDef, &error);
    tgInstanceDef instanceDef = tgDefaultInstanceDef();
    tgInstance* instance = tgCreateInstance(rig, &instanceDef, &error);
    tgMat34* nodes = calloc((size_t)fine->nodeCount, sizeof(tgMat34));
    tgMat34* pose = calloc((size_t)fine->jointCount, sizeof(tgMat34));
    for (int i = 0; i <= 8; ++i) {
        tgScene_SamplePose(fine, 0, fine->animations[0].end * i / 8.0, nodes, pose, NULL);
        tgPose posed = {.joints = pose, .jointCount = fine->jointCount};
        assert_int_equal(
            tgInstance_Deform(instance, &posed, (tgVec3Span){0}, (tgVec3Span){0}, &error),
            tg_success);
        tgVolumeReport report = tgInstance_MeasureVolume(instance);
        CHECK_NEAR(report.result / report.target, 1.0, 1e-6);
    }
    free(nodes);
    free(pose);
    tgDestroyInstance(instance);
    tgDestroyRig(rig);
    tgDestroyScene(coarse);
    tgDestroyScene(fine);
}

/// Flesh on named vertices: on the same ones afterwards, and on those between them.
static void test_flesh_vertices(void** state)
{
    (void)state;
    tgScene* scene =
        tgMakeArmScene(); // its hat has vertices 12 to 16, which move behind the column's
    static const char text[] = "{\"flesh\": [{\"driver\": \"lower\", \"driven\": \"upper\", "
                               "\"vertices\": [4, 5, 8, 9, 13]}], \"refine\": {}}";
    tgError error = {0};
    tgSettings* settings = tgParseSettings(text, strlen(text), scene, &error);
    if (settings == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(settings);
    assert_int_equal(tgSettings_FollowScene(settings, scene, &error), tg_success);
    assert_int_equal(settings->flesh.elements[0].vertexCount, 5);
    tgVec3 hat = scene->positions[13];
    tgRefine(scene, 0.0f, 1, 0);
    assert_int_equal(tgSettings_FollowScene(settings, scene, &error), tg_success);
    const tgFleshElement* element = &settings->flesh.elements[0];
    // The side with corners 4, 5, 9, 8 has four middles and one vertex inside.
    assert_int_equal(element->vertexCount, 10);
    for (int i = 0; i < 9; ++i) {
        tgVec3 p = scene->positions[element->vertices[i]];
        CHECK_NEAR(fabsf(p.x) + fabsf(p.z), 0.3, 1e-6); // on one side of the column
        assert_true(p.y >= 1.0f && p.y <= 2.0f);
    }
    CHECK_AT_MOST(tgDistance(scene->positions[element->vertices[9]], hat), 0.0);
    tgDestroySettings(settings);
    tgDestroyScene(scene);
}

static void test_refusals(void** state)
{
    (void)state;
    tgScene* scene = tgMakeArmScene();
    tgSceneRefineDef good = tgDefaultSceneRefineDef();
    tgSceneRefineDef defs[6] = {good, good, good, good, good, good};
    defs[0].cookie = 0;
    defs[1].threshold = 1.5f;
    defs[2].threshold = NAN;
    defs[3].levels = -1;
    defs[4].levels = 5;
    defs[5].animation = 1;
    static const char* const messages[6] = {
        "start the def from tgDefaultSceneRefineDef()",
        "the threshold is 1.5, wanted 0 to 1",
        "the threshold is nan, wanted 0 to 1",
        "-1 levels, wanted 0 to 4",
        "5 levels, wanted 0 to 4",
        "animation 1, the scene has 1",
    };
    for (int i = 0; i < 6; ++i) {
        tgError error = {0};
        assert_int_equal(tgScene_Refine(scene, &defs[i], &error), tg_invalidArgument);
        CHECK_CONTAINS(error.message, messages[i]);
        assert_int_equal(scene->vertexCount, tg_armVertexCount);
    }
    tgError error = {0};
    assert_int_equal(tgScene_Refine(NULL, &good, &error), tg_invalidArgument);
    scene->influenceWeights[3] = -1.0f;
    assert_int_not_equal(tgScene_Refine(scene, &good, &error), tg_success);
    CHECK_CONTAINS(error.message, "vertex 1 has weight -1");
    tgDestroyScene(scene);
}

/// Memory that runs out at any point leaves a scene that is whole.
static void test_no_memory(void** state)
{
    (void)state;
    for (int room = 0, done = 0; done == 0; ++room) {
        tgScene* scene = tgMakeArmScene();
        tgSceneRefineDef def = tgDefaultSceneRefineDef();
        def.threshold = 0.2f;
        def.levels = 2;
        tgError error = {0};
        tg_allocationsLeft = room;
        tgResult result = tgScene_Refine(scene, &def, &error);
        tg_allocationsLeft = INT_MAX;
        done = result == tg_success;
        if (!done) {
            assert_true(error.message[0] != '\0');
        }
        assert_true(tgGetInfo(scene).restVolume > 0.0);
        tgDestroyScene(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attributes_follow),
        cmocka_unit_test(test_files_keep_materials),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_elephant),
        cmocka_unit_test(test_flesh_vertices),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
