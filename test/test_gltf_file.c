// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Where the bytes of a glTF come from: GLB chunks whole and damaged, JSON, base64, files beside it,
// images; and what happens when memory runs out.

#include "failing_memory.h"
#include "gltf_maker.h"

#include "io/gltf_source.h"

#include <limits.h>

static uint8_t* tgMakeArmFile(size_t* size)
{
    static char json[3 * tg_makerRoom];
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    float times[2] = {0, 1};
    tgAddFloats(&maker, times, 2, "SCALAR", 1);
    tgMakeJson(&maker, NULL,
               TG_ARM
               ",\"materials\":[{}],\"animations\":[{\"samplers\":[{\"input\":5,\"output\":5}],"
               "\"channels\":[]}]",
               json, sizeof(json));
    return tgPackGlb(json, maker.binary, (size_t)maker.binarySize, size);
}

static void TestOutOfMemory(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* file = tgMakeArmFile(&size);
    tgScene* scene = NULL;
    int failures = 0;
    while (scene == NULL) {
        tgError error = {0};
        tg_allocationsLeft = failures;
        scene = tgLoadGltfMemory(file, size, ".", &error);
        tg_allocationsLeft = INT_MAX;
        if (scene == NULL) {
            if (error.code != tg_outOfMemory) {
                print_error("allocation %d: %s\n", failures, error.message);
            }
            assert_int_equal(error.code, tg_outOfMemory);
            failures += 1;
        }
        assert_true(failures < 10000);
    }
    assert_true(failures > 20);
    tgDestroyScene(scene);
    free(file);
}

static void tgCheckFileRefused(const void* file, size_t size, const char* folder, tgResult code,
                               const char* fragment)
{
    tgError error = {0};
    assert_null(tgLoadGltfMemory(file, size, folder, &error));
    CHECK_CONTAINS(error.message, fragment);
    assert_int_equal(error.code, code);
}

static void TestEveryTruncation(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* file = tgMakeArmFile(&size);
    for (size_t length = 0; length < size; ++length) {
        tgError error = {0};
        assert_null(tgLoadGltfMemory(file, length, NULL, &error));
        assert_int_equal(error.code, tg_ioError);
        assert_true(error.message[0] != '\0');
    }
    free(file);
}

/// Whatever one byte is changed to, the reader answers; the sanitizers watch.
static void TestEveryByteDamaged(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* file = tgMakeArmFile(&size);
    static const uint8_t masks[] = {0x01, 0x10, 0x80, 0xff};
    int readCount = 0;
    for (size_t i = 0; i < 4 * size; ++i) {
        file[i / 4] ^= masks[i % 4];
        tgError error = {0};
        tgScene* scene = tgLoadGltfMemory(file, size, NULL, &error);
        assert_true(scene != NULL || (error.code != tg_success && error.message[0] != '\0'));
        readCount += scene != NULL;
        tgDestroyScene(scene);
        file[i / 4] ^= masks[i % 4];
    }
    assert_true(readCount > 0);
    free(file);
}

static void TestContainer(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* file = tgMakeArmFile(&size);
    file[4] = 1;
    tgCheckFileRefused(file, size, NULL, tg_unsupported, "glTF version 1, expected 2");
    file[4] = 2;
    file[8] = (uint8_t)(file[8] + 1);
    tgCheckFileRefused(file, size, NULL, tg_ioError, "truncated");
    file[8] = (uint8_t)(file[8] - 1);
    file[15] = 0x7f;
    tgCheckFileRefused(file, size, NULL, tg_ioError, "a chunk of 21");
    file[15] = 0;
    file[16] = 'X';
    tgCheckFileRefused(file, size, NULL, tg_ioError, "no JSON chunk");
    free(file);
    tgCheckFileRefused("", 0, NULL, tg_ioError, "not a glTF");
    tgCheckFileRefused("solid cube", 10, NULL, tg_ioError, "not a glTF");
    const char* broken = "{\n \"asset\": {\"version\" \"2.0\"}}";
    tgCheckFileRefused(broken, strlen(broken), NULL, tg_ioError,
                       "JSON line 2, column 22: found \", expected a : between key and value");
    const char* old = "{\"asset\":{\"version\":\"1.0\"}}";
    tgCheckFileRefused(old, strlen(old), NULL, tg_unsupported, "glTF version \"1.0\"");
    const char* newer = "{\"asset\":{\"version\":\"2.1\",\"minVersion\":\"2.1\"}}";
    tgCheckFileRefused(newer, strlen(newer), NULL, tg_unsupported, "glTF version \"2.1\"");
    static char deep[200001];
    memset(deep, '[', 200000);
    memcpy(deep, "{\"a\":", 5);
    tgCheckFileRefused(deep, 200000, NULL, tg_ioError, "JSON line 1");
    tgError error = {0};
    assert_null(tgLoadGltfMemory(NULL, 0, NULL, &error));
    assert_int_equal(error.code, tg_invalidArgument);
}

/// The arm as a .gltf whose buffer is at this URI; NULL in `fragment` when it must be read.
static void tgCheckUri(const char* uri, const char* folder, tgResult code, const char* fragment)
{
    static char json[3 * tg_makerRoom];
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgMakeJson(&maker, uri, TG_ARM, json, sizeof(json));
    tgError error = {0};
    tgScene* scene = tgLoadGltfMemory(json, strlen(json), folder, &error);
    if (fragment != NULL) {
        assert_null(scene);
        CHECK_CONTAINS(error.message, fragment);
        assert_int_equal(error.code, code);
        return;
    }
    if (scene == NULL) {
        print_error("%.40s: %s\n", uri, error.message);
    }
    assert_non_null(scene);
    assert_memory_equal(scene->positions, tg_armPositions, sizeof(tg_armPositions));
    tgDestroyScene(scene);
}

static void tgWriteFile(const char* name, const void* bytes, size_t size)
{
    FILE* file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void TestExternalBuffers(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgWriteFile("gltf file test.bin", maker.binary, (size_t)maker.binarySize);
    tgCheckUri("gltf%20file%20test.bin", ".", tg_success, NULL);
    tgCheckUri("./gltf file test.bin", ".", tg_success, NULL);
    tgCheckUri("gltf%20file%20test.bin", NULL, tg_ioError, "there is no folder to look in");
    tgCheckUri("missing.bin", ".", tg_ioError,
               "buffers[0]: file \"missing.bin\" cannot open: No such file");
    tgCheckUri("gltf%2zile", ".", tg_ioError, "badly escaped");
    tgCheckUri("gltf%00file", ".", tg_ioError, "badly escaped");
    tgCheckUri("", ".", tg_ioError, "empty or badly escaped");
    tgCheckUri("/etc/hostname", ".", tg_unsupported, "is an absolute address");
    tgCheckUri("%2Fetc/hostname", ".", tg_unsupported, "is an absolute address");
    tgCheckUri("http://example.org/a.bin", ".", tg_unsupported, "is an absolute address");
    tgCheckUri("C:/a.bin", ".", tg_unsupported, "is an absolute address");
    tgCheckUri(".", ".", tg_ioError, "expected a plain file");
    tgCheckUri("..", ".", tg_ioError, "lies outside this file's folder");
    tgCheckUri("../gltf%20file%20test.bin", "./CMakeFiles", tg_ioError, "lies outside");
    tgCheckUri("CMakeFiles/../gltf%20file%20test.bin", ".", tg_success, NULL);
    tgCheckUri("gltf%20file%20test.bin", "", tg_ioError, "cannot open");
    tgWriteFile("gltf file test.bin", maker.binary, 100);
    tgCheckUri("gltf%20file%20test.bin", ".", tg_ioError, "buffers[0] holds 100 bytes");
    remove("gltf file test.bin");
}

static void tgEncodeBase64(const uint8_t* bytes, size_t size, char* text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= i + 2 < size ? bytes[i + 2] : 0;
        *text++ = digits[bits >> 18];
        *text++ = digits[bits >> 12 & 63];
        *text++ = i + 1 < size ? digits[bits >> 6 & 63] : '=';
        *text++ = i + 2 < size ? digits[bits & 63] : '=';
    }
    *text = '\0';
}

static void TestDataUris(void** state)
{
    (void)state;
    static char uri[tg_makerRoom] = "data:application/octet-stream;base64,";
    char* data = uri + strlen(uri);
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    // Up to two bytes more than the buffer says, so that each kind of ending is met.
    for (size_t extra = 0; extra < 3; ++extra) {
        tgEncodeBase64(maker.binary, (size_t)maker.binarySize + extra, data);
        tgCheckUri(uri, NULL, tg_success, NULL);
    }
    data[strcspn(data, "=")] = '\0';
    tgCheckUri(uri, NULL, tg_success, NULL);
    data[7] = '*';
    tgCheckUri(uri, NULL, tg_ioError, "buffers[0]: character 7 of the base64 data is not base64");
    data[5] = '\0';
    tgCheckUri(uri, NULL, tg_ioError, "cut off after 5 characters");
    data[4] = '\0';
    tgCheckUri(uri, NULL, tg_ioError, "buffers[0] holds 3 bytes");
    tgCheckUri("data:,hello", NULL, tg_unsupported, "a data URI that is not base64");
}

static void TestLoadSceneByPath(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* file = tgMakeArmFile(&size);
    tgWriteFile("gltf_file_test.GLB", file, size);
    tgError error = {0};
    tgScene* scene = tgLoadScene("gltf_file_test.GLB", &error);
    assert_non_null(scene);
    assert_int_equal(scene->vertexCount, 4);
    tgDestroyScene(scene);
    remove("gltf_file_test.GLB");
    assert_null(tgLoadScene("gltf_file_test.GLB", &error));
    assert_int_equal(error.code, tg_ioError);
    CHECK_CONTAINS(error.message, "cannot open: No such file");
    assert_null(tgLoadScene("character.blend", &error));
    assert_int_equal(error.code, tg_unsupported);
    CHECK_CONTAINS(error.message, "expected .glb .gltf .fbx .dae .obj or .bvh");
    assert_null(tgLoadScene(NULL, &error));
    assert_int_equal(error.code, tg_invalidArgument);
    free(file);
}

static void tgCheckLimited(const tgLoadDef* def, const char* fragment)
{
    tgError error = {0};
    assert_null(tgLoadSceneWith("gltf_limit_test.glb", def, &error));
    CHECK_CONTAINS(error.message, fragment);
}

static void TestLimits(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* file = tgMakeArmFile(&size);
    tgWriteFile("gltf_limit_test.glb", file, size);
    free(file);
    tgLoadDef def = tgDefaultLoadDef();
    def.mostVertices = 3;
    tgCheckLimited(&def, "has 4 vertices, expected at most 3 (tgLoadDef.mostVertices)");
    def.mostVertices = 4;
    def.mostJoints = 1;
    tgCheckLimited(&def, "joints, expected at most 1 (tgLoadDef.mostJoints)");
    def = tgDefaultLoadDef();
    def.mostBytes = size - 1;
    tgCheckLimited(&def, "(tgLoadDef.mostBytes)");
    def.mostBytes = size;
    tgScene* scene = tgLoadSceneWith("gltf_limit_test.glb", &def, NULL);
    assert_non_null(scene);
    tgDestroyScene(scene);
    def.cookie = 0;
    tgCheckLimited(&def, "tgDefaultLoadDef()");
    remove("gltf_limit_test.glb");
}

static void TestImages(void** state)
{
    (void)state;
    tgGltfMaker maker = {0};
    tgMakeArm(&maker);
    tgAddView(&maker, "pixels", 6, "");
    tgScene* scene = tgLoadGood(
        &maker,
        TG_ARM ",\"images\":[{\"bufferView\":5,\"mimeType\":\"image/png\"},"
               "{\"uri\":\"data:image/png;base64,cGl4ZWxz\"},{\"uri\":\"data:;base64,cGl4ZWw=\"},"
               "{\"uri\":\"data:;base64,cGl4ZQ==\"},{},{\"uri\":\"a.png\"}]");
    static const size_t sizes[] = {6, 6, 5, 4};
    for (int i = 0; i < 4; ++i) {
        uint8_t* bytes = NULL;
        size_t size = 0;
        assert_int_equal(tgGltfSource_ReadImage(scene->source, i, &bytes, &size, NULL), tg_success);
        assert_int_equal(size, sizes[i]);
        assert_memory_equal(bytes, "pixels", sizes[i]);
        free(bytes);
    }
    for (int i = 4; i < 7; ++i) {
        uint8_t* bytes = NULL;
        size_t size = 0;
        tgError error = {0};
        assert_int_not_equal(tgGltfSource_ReadImage(scene->source, i, &bytes, &size, &error),
                             tg_success);
        assert_null(bytes);
        CHECK_CONTAINS(error.message, "images[");
    }
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestOutOfMemory),      cmocka_unit_test(TestEveryTruncation),
        cmocka_unit_test(TestEveryByteDamaged), cmocka_unit_test(TestContainer),
        cmocka_unit_test(TestExternalBuffers),  cmocka_unit_test(TestDataUris),
        cmocka_unit_test(TestLoadSceneByPath),  cmocka_unit_test(TestImages),
        cmocka_unit_test(TestLimits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
