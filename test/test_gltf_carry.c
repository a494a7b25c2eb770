// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Bakes of a glTF: what its skin does not touch is in the baked file as it was, what the bake
// replaces is gone, and nothing is there that nothing uses. Also: every allocation failed in turn.

#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE

#include "failing_memory.h"
#include "glb_file.h"
#include "gltf_maker.h"

#include "io/gltf_source.h"

#include <limits.h>

/// One red pixel.
static const uint8_t tg_png[] = {
    0x89, 'P',  'N',  'G',  0x0d, 0x0a, 0x1a, 0x0a, 0,    0,    0,    0x0d, 'I',  'H',
    'D',  'R',  0,    0,    0,    1,    0,    0,    0,    1,    8,    2,    0,    0,
    0,    0x90, 0x77, 0x53, 0xde, 0,    0,    0,    0x0c, 'I',  'D',  'A',  'T',  0x08,
    0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00, 0x18, 0xdd, 0x8d,
    0xb0, 0,    0,    0,    0,    'I',  'E',  'N',  'D',  0xae, 0x42, 0x60, 0x82};
static const char* const tg_pngUri =
    "data:image/"
    "png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4z8AAAAMBAQAY3Y2wAAAAAElFTkSu"
    "QmCC";

static const uint16_t tg_uvs[8] = {0, 0, 65535, 0, 0, 65535, 65535, 65535};
static const uint8_t tg_colors[16] = {255, 0, 0, 99, 0, 255, 0, 99, 0, 0, 255, 99, 9, 8, 7, 99};
static const float tg_swordPositions[9] = {0, 0, 0, 0.1f, 0, 0, 0, 1, 0};
static const float tg_times[2] = {0, 1};
static const float tg_turns[8] = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f};
static const float tg_tangents[16] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
static const float tg_normals[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
static const float tg_bulge[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0.5f, 0, 0, 0};
static const float tg_places[6] = {0, 0, 0, 3, 0, 0};

/// Accessors 0 to 4 are the arm's; the numbers below follow the order here.
static void tgMakeRichBinary(tgGltfMaker* maker)
{
    tgMakeArm(maker);
    tgAddAccessor(maker, tg_uvs, sizeof(tg_uvs), 4, 5123, "VEC2", ",\"normalized\":true"); // 5
    int colors = tgAddView(maker, tg_colors, sizeof(tg_colors), ",\"byteStride\":4");
    char json[160];
    snprintf(json, sizeof(json),
             "\"bufferView\":%d,\"count\":4,\"componentType\":5121,\"type\":\"VEC3\","
             "\"normalized\":true",
             colors);
    tgAddRawAccessor(maker, json); // 6
    tgAddAccessor(maker, tg_swordPositions, sizeof(tg_swordPositions), 3, 5126, "VEC3",
                  ",\"min\":[0,0,0],\"max\":[0.10000000149011612,1,0]"); // 7
    tgAddAccessor(maker, tg_times, sizeof(tg_times), 2, 5126, "SCALAR",
                  ",\"min\":[0],\"max\":[1]");     // 8
    tgAddFloats(maker, tg_turns, 2, "VEC4", 4);    // 9
    tgAddFloats(maker, tg_times, 2, "SCALAR", 1);  // 10, weights
    tgAddFloats(maker, tg_bulge, 4, "VEC3", 3);    // 11
    tgAddFloats(maker, tg_tangents, 4, "VEC4", 4); // 12
    tgAddFloats(maker, tg_normals, 4, "VEC3", 3);  // 13
    tgAddFloats(maker, tg_places, 2, "VEC3", 3);   // 14
    tgAddView(maker, tg_png, sizeof(tg_png), "");  // view 15
}

/// Nodes: 0 shoulder, 1 elbow, 2 the arm, 3 a sword in the elbow, 4 camera, 5 light, 6 a second arm
/// of the same mesh with a child, 7 that child: many swords.
static const char* const tg_richBody =
    "\"scene\":1,\"scenes\":[{\"nodes\":[4]},{\"name\":\"stage\",\"nodes\":[0,2,5,6]}],"
    "\"nodes\":[{\"name\":\"shoulder\",\"children\":[1]},"
    "{\"name\":\"elbow\",\"translation\":[0,1,0],\"children\":[3]},"
    "{\"name\":\"skin\",\"mesh\":0,\"skin\":0,\"translation\":[7,0,0],\"extras\":{\"tag\":5}},"
    "{\"name\":\"sword\",\"mesh\":1,\"scale\":[2,2,2]},{\"camera\":0},"
    "{\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}},"
    "{\"name\":\"twin\",\"mesh\":0,\"skin\":0,\"children\":[7]},"
    "{\"mesh\":1,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":14}}}"
    "}],"
    "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":0.7,\"znear\":0.1}}],"
    "\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":3}],"
    "\"meshes\":[{\"name\":\"arm\",\"weights\":[0.5],\"extras\":{\"targetNames\":[\"bulge\"]},"
    "\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2,"
    "\"TEXCOORD_0\":5,\"COLOR_0\":6,\"TANGENT\":12,\"NORMAL\":13},\"indices\":4,\"material\":0,"
    "\"targets\":[{\"POSITION\":11}]}]},"
    "{\"name\":\"sword\",\"primitives\":[{\"attributes\":{\"POSITION\":7},\"material\":1}]}],"
    "\"materials\":[{\"name\":\"painted\",\"pbrMetallicRoughness\":{\"baseColorTexture\":{"
    "\"index\":0}"
    ",\"metallicFactor\":0.1},\"normalTexture\":{\"index\":1},\"emissiveTexture\":{\"index\":2}},"
    "{\"extensions\":{\"KHR_materials_unlit\":{}}}],"
    "\"samplers\":[{\"wrapS\":33071}],\"textures\":[{\"source\":0,\"sampler\":0},{\"source\":1},"
    "{\"source\":2}],"
    "\"extensions\":{\"KHR_lights_punctual\":{\"lights\":[{\"type\":\"point\"}]}},"
    "\"extensionsUsed\":[\"KHR_mesh_quantization\",\"KHR_lights_punctual\",\"KHR_materials_unlit\","
    "\"EXT_mesh_gpu_instancing\",\"KHR_texture_transform\"],"
    "\"animations\":[{\"name\":\"other\",\"samplers\":[{\"input\":8,\"output\":10}],\"channels\":["
    "{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"weights\"}}]},"
    "{\"name\":\"wave\",\"samplers\":[{\"input\":8,\"output\":10},{\"input\":8,\"output\":9}],"
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"weights\"}},"
    "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"rotation\"}}]}],\"extras\":{\"by\":\"me\"}";

static tgScene* tgLoadRich(tgFolder* folder)
{
    static char body[8192];
    static char json[3 * tg_makerRoom];
    static tgGltfMaker maker;
    maker = (tgGltfMaker){0};
    FILE* image = fopen(tgInFolder(folder, "beside.png"), "wb");
    assert_non_null(image);
    assert_int_equal(fwrite(tg_png, 1, sizeof(tg_png), image), sizeof(tg_png));
    fclose(image);
    tgMakeRichBinary(&maker);
    snprintf(body, sizeof(body),
             "%s,\"images\":[{\"name\":\"inside\",\"uri\":\"%s\"},{\"uri\":\"beside.png\"},"
             "{\"bufferView\":15,\"mimeType\":\"image/png\"},{\"uri\":\"gone.png\"}]",
             tg_richBody, tg_pngUri);
    tgMakeJson(&maker, NULL, body, json, sizeof(json));
    size_t size = 0;
    uint8_t* file = tgPackGlb(json, maker.binary, (size_t)maker.binarySize, &size);
    tgError error = {0};
    tgScene* scene = tgLoadGltfMemory(file, size, folder->path, &error);
    assert_string_equal(error.message, "");
    free(file);
    return scene;
}

/// Frames turn the whole mesh about z, 45 degrees at a time, and its normals with it.
static void tgTurn(const tgScene* scene, int frame, tgVec3* positions, tgVec3* normals)
{
    tgQuat turn = tgMakeQuat(tgMakeVec3(0.0f, 0.0f, 1.0f), 0.7853982f * (float)(frame + 1));
    for (int v = 0; v < scene->vertexCount; ++v) {
        positions[v] = tgRotate(turn, scene->positions[v]);
        normals[v] = tgRotate(turn, scene->normals[v]);
    }
}

/// The result of the first call that failed.
static tgResult tgBakeRich(const tgScene* scene, const char* path, int frameCount, tgError* error)
{
    tgVec3 positions[8], normals[8];
    assert_int_equal(scene->vertexCount, 8);
    tgBakeDef def = tgDefaultBakeDef();
    def.scene = scene;
    def.path = path;
    def.frameCount = frameCount;
    def.still = frameCount == 1;
    def.animation = 1;
    def.startTime = def.still ? 1.0 : 0.0;
    tgBake* bake = tgOpenBake(&def, error);
    if (bake == NULL) {
        return error->code;
    }
    for (int i = 0; i < frameCount; ++i) {
        tgTurn(scene, i, positions, normals);
        tgBake_AddFrame(bake, positions, normals, NULL);
    }
    return tgCloseBake(bake, error);
}

static tgGlbFile tgOpenBaked(tgFolder* folder, const tgScene* scene, int frameCount)
{
    tgError error = {0};
    tgBakeRich(scene, tgInFolder(folder, "baked.glb"), frameCount, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(tgCountFiles(folder, false), 2); // and the texture
    return tgOpenGlb(tgInFolder(folder, "baked.glb"));
}

static void tgCheckSameMember(const tgGlbFile* file, const tgScene* scene, const char* path)
{
    const tgJsonValue* before = tgFindJson(scene->source->document, path);
    const tgJsonValue* after = tgFindJson(file->document, path);
    if (before == NULL || !tgJson_IsSame(before, after)) {
        print_error("%s was not carried over\n", path);
    }
    assert_true(before != NULL && tgJson_IsSame(before, after));
}

static void TestCarriesOver(void** state)
{
    (void)state;
    static const char* const same[] = {
        "materials",     "textures", "samplers", "cameras", "extensions.KHR_lights_punctual",
        "nodes.0",       "nodes.1",  "nodes.4",  "nodes.5", "extras",
        "scenes.1.name", "scene",
    };
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgLoadRich(&folder);
    tgGlbFile file = tgOpenBaked(&folder, scene, 3);
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); ++i) {
        tgCheckSameMember(&file, scene, same[i]);
    }
    for (int i = 0; i < 3; ++i) {
        char path[32];
        snprintf(path, sizeof(path), "images.%d", i);
        const tgJsonValue* image = tgFindJson(file.document, path);
        size_t size = 0;
        const unsigned char* bytes = tgGetView(&file, tgFindInt(image, "bufferView"), &size);
        assert_int_equal(size, sizeof(tg_png));
        assert_memory_equal(bytes, tg_png, sizeof(tg_png));
        assert_string_equal(tgFindText(image, "mimeType"), "image/png");
        assert_null(tgJson_Find(image, "uri"));
    }
    assert_string_equal(tgFindText(file.document, "images.0.name"), "inside");
    assert_string_equal(tgFindText(file.document, "images.3.uri"), "gone.png");
    // The sword hangs where it hung, and so do its many brothers.
    int sword = tgFindInt(file.document, "nodes.3.mesh");
    assert_int_equal(sword, tgFindInt(file.document, "nodes.7.mesh"));
    char path[64];
    snprintf(path, sizeof(path), "meshes.%d.primitives.0.attributes.POSITION", sword);
    assert_memory_equal(tgGetArray(&file, tgFindInt(file.document, path)), tg_swordPositions,
                        sizeof(tg_swordPositions));
    int places = tgFindInt(file.document,
                           "nodes.7.extensions.EXT_mesh_gpu_instancing.attributes.TRANSLATION");
    assert_memory_equal(tgGetArray(&file, places), tg_places, sizeof(tg_places));
    // Only what is still in use is declared: 16-bit texture coordinates are plain glTF.
    tgJsonValue* used = tgPackJson(file.arena, "[s, s, s]", "KHR_lights_punctual",
                                   "KHR_materials_unlit", "EXT_mesh_gpu_instancing");
    assert_true(tgJson_IsSame(tgJson_Find(file.document, "extensionsUsed"), used));
    tgCloseGlb(&file);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestBakedNodes(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgLoadRich(&folder);
    tgGlbFile file = tgOpenBaked(&folder, scene, 3);
    const tgJsonValue* document = file.document;
    assert_null(tgJson_Find(document, "skins"));
    static const char* const gone[] = {"nodes.2.mesh", "nodes.2.skin", "nodes.2.name",
                                       "nodes.6.mesh", "nodes.6.skin", "nodes.8.translation"};
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); ++i) {
        assert_null(tgFindJson(document, gone[i]));
    }
    assert_string_equal(tgFindText(document, "nodes.6.name"), "twin"); // it has a child
    assert_int_equal(tgCountJson(document, "nodes"), 10);
    assert_string_equal(tgFindText(document, "nodes.8.name"), "skin");
    assert_string_equal(tgFindText(document, "nodes.9.name"), "twin");
    assert_int_equal(tgFindInt(document, "nodes.8.extras.tag"), 5);
    tgJsonValue* shown = tgPackJson(file.arena, "[i, i, i, i, i, i]", 0, 2, 5, 6, 8, 9);
    assert_true(tgJson_IsSame(tgFindJson(document, "scenes.1.nodes"), shown));
    assert_int_equal(tgCountJson(document, "scenes.0.nodes"), 1);
    // Both have a mesh of their own; what the bake does not change they share.
    int first = tgFindInt(document, "nodes.8.mesh"), second = tgFindInt(document, "nodes.9.mesh");
    assert_int_not_equal(first, second);
    assert_int_equal(tgCountJson(document, "meshes"), 3);
    const tgJsonValue* mesh = tgJson_GetItem(tgJson_Find(document, "meshes"), (size_t)first);
    const tgJsonValue* other = tgJson_GetItem(tgJson_Find(document, "meshes"), (size_t)second);
    assert_string_equal(tgFindText(mesh, "name"), "arm");
    assert_null(tgJson_Find(mesh, "weights"));
    assert_string_equal(tgFindText(mesh, "extras.targetNames.2"), "frame_0002");
    assert_int_equal(tgCountJson(mesh, "extras.targetNames"), 3);
    const tgJsonValue* attributes = tgFindJson(mesh, "primitives.0.attributes");
    assert_int_equal(tgJson_CountMembers(attributes),
                     5); // POSITION NORMAL TANGENT TEXCOORD_0 COLOR_0
    int uvs = tgFindInt(attributes, "TEXCOORD_0");
    assert_int_equal(uvs, tgFindInt(other, "primitives.0.attributes.TEXCOORD_0"));
    assert_memory_equal(tgGetArray(&file, uvs), tg_uvs, sizeof(tg_uvs));
    int colors = tgFindInt(attributes, "COLOR_0");
    const uint8_t* bytes = tgGetArray(&file, colors);
    for (int v = 0; v < 4; ++v) {
        assert_memory_equal(bytes + 4 * v, tg_colors + 4 * v, 3);
    }
    char path[64];
    snprintf(path, sizeof(path), "accessors.%d.bufferView", colors);
    snprintf(path, sizeof(path), "bufferViews.%d.byteStride", tgFindInt(document, path));
    assert_int_equal(tgFindInt(document, path), 4);
    // The mesh is the first frame: turned by half of a quarter.
    const tgVec3* base = tgGetArray(&file, tgFindInt(attributes, "POSITION"));
    for (int v = 0; v < 4; ++v) {
        double x = (double)tg_armPositions[3 * v], y = (double)tg_armPositions[3 * v + 1];
        tgCheckVec3(base[v], sqrt(0.5) * (x - y), sqrt(0.5) * (x + y), 0.0, 1e-6);
    }
    tgCloseGlb(&file);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestBakedMotion(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgLoadRich(&folder);
    tgGlbFile file = tgOpenBaked(&folder, scene, 3);
    const tgJsonValue* document = file.document;
    assert_int_equal(tgCountJson(document, "animations"), 1);
    assert_string_equal(tgFindText(document, "animations.0.name"), "wave");
    assert_int_equal(tgCountJson(document, "animations.0.channels"), 3);
    assert_int_equal(tgCountJson(document, "animations.0.samplers"), 2);
    assert_int_equal(tgFindInt(document, "animations.0.channels.0.target.node"), 1);
    int turns = tgFindInt(document, "animations.0.samplers.0.output");
    assert_memory_equal(tgGetArray(&file, turns), tg_turns, sizeof(tg_turns));
    static const float oneHot[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    int weights = tgFindInt(document, "animations.0.samplers.1.output");
    assert_memory_equal(tgGetArray(&file, weights), oneHot, sizeof(oneHot));
    assert_string_equal(tgFindText(document, "animations.0.samplers.1.interpolation"), "LINEAR");
    // Turned by a quarter in the second frame: tangents have gone from x to y.
    const tgJsonValue* primitive = tgFindJson(document, "meshes.1.primitives.0");
    const float* tangents = tgGetArray(&file, tgFindInt(primitive, "attributes.TANGENT"));
    const tgVec3* base = tgGetArray(&file, tgFindInt(primitive, "attributes.POSITION"));
    const tgVec3* positions = tgGetArray(&file, tgFindInt(primitive, "targets.1.POSITION"));
    const tgVec3* offsets = tgGetArray(&file, tgFindInt(primitive, "targets.1.TANGENT"));
    for (int v = 0; v < 4; ++v) {
        const float* t = tangents + 4 * v;
        CHECK_NEAR((double)t[3], 1.0, 0.0);
        tgCheckVec3(tgMakeVec3(t[0], t[1], t[2]), sqrt(0.5), sqrt(0.5), 0.0, 1e-6);
        tgCheckVec3(tgAdd(offsets[v], tgMakeVec3(t[0], t[1], t[2])), 0.0, 1.0, 0.0, 1e-6);
        const float* p = tg_armPositions + 3 * v;
        tgCheckVec3(tgAdd(base[v], positions[v]), (double)-p[1], (double)p[0], 0.0, 1e-6);
    }
    tgCloseGlb(&file);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

/// Mark the accessors and views that anything below `json` refers to.
static void tgMarkUse(const tgJsonValue* json, const char* under, bool* accessors, bool* views)
{
    tgJsonValue* value = NULL;
    size_t index = 0;
    for (size_t member = 0; (value = tgJson_GetMember((tgJsonValue*)json, member)) != NULL;
         ++member) {
        const char* key = value->key;
        bool isAttribute = strcmp(under, "attributes") == 0 || strcmp(under, "targets") == 0;
        if (tgJson_IsWhole(value) && (isAttribute || strcmp(key, "indices") == 0 ||
                                      strcmp(key, "input") == 0 || strcmp(key, "output") == 0)) {
            accessors[tgJson_GetWhole(value)] = true;
        } else if (strcmp(key, "bufferView") == 0) {
            views[tgJson_GetWhole(value)] = true;
        }
        tgMarkUse(value, key, accessors, views);
    }
    for (index = 0; (value = tgJson_GetItem(json, index)) != NULL; ++index) {
        tgMarkUse(value, under, accessors, views);
    }
}

static void TestNothingUnused(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgLoadRich(&folder);
    for (int frameCount = 1; frameCount <= 3; frameCount += 2) { // a still, and an animation
        tgGlbFile file = tgOpenBaked(&folder, scene, frameCount);
        bool accessors[256] = {false}, views[256] = {false};
        tgMarkUse(file.document, "", accessors, views);
        size_t end = 0;
        for (int i = 0; i < tgCountJson(file.document, "accessors"); ++i) {
            assert_true(accessors[i]);
        }
        for (int i = 0; i < tgCountJson(file.document, "bufferViews"); ++i) {
            size_t size = 0;
            assert_true(views[i]);
            assert_int_equal((size_t)(tgGetView(&file, i, &size) - file.binary), end);
            end = (end + size + 3) / 4 * 4;
        }
        assert_int_equal(end, file.binarySize);
        assert_int_equal(tgCountJson(file.document, "buffers"), 1);
        assert_null(tgFindJson(file.document, "buffers.0.uri"));
        tgCloseGlb(&file);
    }
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

/// A still keeps the pose of its time for whatever hangs on the joints.
static void TestStill(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgLoadRich(&folder);
    tgGlbFile file = tgOpenBaked(&folder, scene, 1);
    assert_null(tgJson_Find(file.document, "animations"));
    const tgJsonValue* primitive = tgFindJson(file.document, "meshes.1.primitives.0");
    assert_null(tgJson_Find(primitive, "targets"));
    assert_null(tgFindJson(file.document, "meshes.1.extras.targetNames"));
    const tgVec3* positions = tgGetArray(&file, tgFindInt(primitive, "attributes.POSITION"));
    const float half = 0.70710678f;
    tgCheckVec3(positions[1], (double)half, (double)half, 0.0, 1e-6);
    const float* tangents = tgGetArray(&file, tgFindInt(primitive, "attributes.TANGENT"));
    CHECK_NEAR(tangents[1], half, 1e-6);
    CHECK_NEAR(tangents[3], 1.0, 0.0);
    static const double rotation[4] = {0.0, 0.0, 0.6, 0.8};
    for (int i = 0; i < 4; ++i) {
        char path[32];
        snprintf(path, sizeof(path), "nodes.1.rotation.%d", i);
        CHECK_NEAR(tgJson_GetNumber(tgFindJson(file.document, path)), rotation[i], 1e-6);
    }
    CHECK_NEAR(tgJson_GetNumber(tgFindJson(file.document, "nodes.1.translation.1")), 1.0, 1e-6);
    tgCloseGlb(&file);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

/// A mesh that changed since it was read cannot use the document's attributes; it is written alone.
static void TestChangedMesh(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgLoadRich(&folder);
    scene->parts[1].faceCount = 1;
    tgGlbFile file = tgOpenBaked(&folder, scene, 2);
    assert_null(tgJson_Find(file.document, "cameras"));
    assert_int_equal(tgCountJson(file.document, "nodes"), 2);
    assert_int_equal(tgCountJson(file.document, "meshes.1.primitives.0.targets"), 2);
    int indices = tgFindInt(file.document, "meshes.1.primitives.0.indices");
    char path[32];
    snprintf(path, sizeof(path), "accessors.%d.count", indices);
    assert_int_equal(tgFindInt(file.document, path), 3);
    tgCloseGlb(&file);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

static void TestOutOfMemory(void** state)
{
    (void)state;
    tgFolder folder = tgMakeFolder();
    tgScene* scene = tgLoadRich(&folder);
    tgResult result = tg_outOfMemory;
    int allowed = 0;
    while (result != tg_success) {
        tgError error = {0};
        tg_allocationsLeft = allowed;
        result = tgBakeRich(scene, tgInFolder(&folder, "baked.gltf"), 2, &error);
        tg_allocationsLeft = INT_MAX;
        if (result != tg_success) {
            if (result != tg_outOfMemory) {
                print_error("allocation %d: %s\n", allowed, error.message);
            }
            assert_int_equal(result, tg_outOfMemory);
            assert_int_equal(tgCountFiles(&folder, false), 1); // the texture
        }
        allowed += 1;
        assert_true(allowed < 100000);
    }
    assert_true(allowed > 20);
    tgDestroyScene(scene);
    tgRemoveFolder(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestCarriesOver), cmocka_unit_test(TestBakedNodes),
        cmocka_unit_test(TestBakedMotion), cmocka_unit_test(TestNothingUnused),
        cmocka_unit_test(TestStill),       cmocka_unit_test(TestChangedMesh),
        cmocka_unit_test(TestOutOfMemory),
    };
    return cmocka_run_group_tests_name("gltf_carry", tests, NULL, NULL);
}
