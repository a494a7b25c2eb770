// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// What artists paint and select at vertices: read from glTF and OBJ, found by name in the settings,
// carried to a finer mesh and through a stream.

#include "gltf_maker.h"
#include "read_text.h"

#include "io/obj_read.h"
#include "io/scene_check.h"
#include "io/scene_refine.h"
#include "io/scene_select.h"
#include "io/scene_stream.h"
#include "turgor/settings.h"

/// Two quads side by side, the left one in groups a and b, the right one in b and of another
/// object and material; the first three vertices have colours.
static const char tg_objText[] = "o left\n"
                                 "v 0 0 0 1 0 0\nv 1 0 0 0 0.5 0\nv 1 1 0 0.25 0 1\nv 0 1 0\n"
                                 "v 2 0 0\nv 2 1 0\n"
                                 "g a b\nusemtl soft\nf 1 2 3 4\n"
                                 "o right\ng b\nusemtl hard\nf 2 5 6 3\n";

static const char tg_text[] = "{\"volume\": {\"paint\": %s}}";

static tgScene* tgReadObjText(void)
{
    return tgMustReadText(tgImportObjMemory, tg_objText);
}

static void tgCheckSelect(const tgScene* scene, const char* name, const float* wanted)
{
    float values[16] = {-1.0f};
    tgSelection found = tgScene_Select(scene, name, values);
    assert_true(found == tg_selectionPaint || found == tg_selectionSet);
    for (int v = 0; v < scene->vertexCount; ++v) {
        CHECK_NEAR(values[v], wanted[v], 1e-6);
    }
}

static void test_obj_groups_and_colors(void** state)
{
    (void)state;
    tgScene* scene = tgReadObjText();
    assert_true(tgScene_IsSound(scene));
    assert_int_equal(scene->groupCount, 2);
    assert_int_equal(scene->attributeCount, 1);
    assert_int_equal(scene->attributes[0].width, 3);
    tgCheckSelect(scene, "a", (const float[]){1, 1, 1, 1, 0, 0});
    tgCheckSelect(scene, "b", (const float[]){1, 1, 1, 1, 1, 1});
    tgCheckSelect(scene, "right", (const float[]){0, 1, 1, 0, 1, 1});
    tgCheckSelect(scene, "soft", (const float[]){1, 1, 1, 1, 0, 0});
    tgCheckSelect(scene, "COLOR_0.r", (const float[]){1, 0, 0.25f, 1, 1, 1});
    tgCheckSelect(scene, "COLOR_0.g", (const float[]){0, 0.5f, 0, 1, 1, 1});
    tgCheckSelect(scene, "COLOR_0.z", (const float[]){0, 0, 1, 1, 1, 1});
    float values[8];
    assert_int_equal(tgScene_Select(scene, "COLOR_0", values), tg_selectionWide);
    assert_int_equal(tgScene_Select(scene, "COLOR_0.a", values), tg_selectionNone);
    assert_int_equal(tgScene_Select(scene, "c", values), tg_selectionNone);
    tgDestroyScene(scene);
    // Without objects a single group is one, as before, and numbers that are no colour are none.
    scene =
        tgMustReadText(tgImportObjMemory, "v 0 0 0 1\nv 1 0 0 x y z\nv 1 1 0\ng body\nf 1 2 3\n");
    assert_int_equal(scene->groupCount, 0);
    assert_int_equal(scene->attributeCount, 0);
    assert_string_equal(scene->parts[0].name, "body");
    tgDestroyScene(scene);
}

/// Four corners of a square in two triangles, with whatever attributes the test adds.
static tgScene* tgLoadSquare(tgGltfMaker* maker, const char* attributes)
{
    static const float positions[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const uint16_t indices[6] = {0, 1, 2, 0, 2, 3};
    char body[1024];
    tgError error = {0};
    int p = tgAddFloats(maker, positions, 4, "VEC3", 3);
    int i = tgAddAccessor(maker, indices, sizeof(indices), 6, 5123, "SCALAR", "");
    snprintf(body, sizeof(body),
             "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":"
             "[{\"primitives\":[{\"attributes\":{\"POSITION\":%d%s},\"indices\":%d}]}]",
             p, attributes, i);
    tgScene* scene = tgLoadMade(maker, body, &error);
    if (scene == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(scene);
    assert_true(tgScene_IsSound(scene));
    return scene;
}

static void test_gltf_attributes(void** state)
{
    (void)state;
    static tgGltfMaker maker;
    static const float gamma[4] = {0.0f, 0.5f, 2.0f, NAN};
    static const uint8_t color[16] = {255, 0, 0, 255, 0, 51, 0, 255, 0, 0, 0, 0, 102, 0, 0, 255};
    static const float three[9] = {0};
    tgAddFloats(&maker, gamma, 4, "SCALAR", 1);
    tgAddAccessor(&maker, color, sizeof(color), 4, 5121, "VEC4", ",\"normalized\":true");
    tgAddFloats(&maker, three, 3, "VEC3", 3);
    tgScene* scene = tgLoadSquare(&maker, ",\"_TURGOR_GAMMA\":0,\"COLOR_1\":1,\"_SHORT\":2,"
                                          "\"_NONE\":99,\"_soft\":0");
    // What cannot be used is left out with a word; a paint is cut to 0 and 1.
    assert_int_equal(scene->attributeCount, 3);
    static const char* const told[] = {"_SHORT left out", "_NONE left out",
                                       "2 values of _TURGOR_GAMMA not from 0 to 1",
                                       "1 value of _soft not finite"};
    for (int i = 0; i < 4; ++i) {
        bool isTold = false;
        for (int w = 0; w < scene->warningCount; ++w) {
            isTold |= strstr(scene->warnings[w], told[i]) != NULL;
        }
        assert_true(isTold);
    }
    tgCheckSelect(scene, "_TURGOR_GAMMA", (const float[]){0, 0.5f, 1, 0});
    tgCheckSelect(scene, "COLOR_1.r", (const float[]){1, 0, 0, 0.4f});
    tgCheckSelect(scene, "COLOR_1.y", (const float[]){0, 0.2f, 0, 0});
    tgCheckSelect(scene, "COLOR_1.a", (const float[]){1, 1, 0, 1});
    tgCheckSelect(scene, "soft", (const float[]){0, 0.5f, 1, 0});
    assert_ptr_equal(tgScene_GetRigDef(scene).volume.paint, tgScene_GetPaint(scene));
    // The settings go by it as well, and by another where they name one.
    tgSettings* settings = tgParseSettings("{}", 2, scene, NULL);
    assert_ptr_equal(settings->volume.paint, tgScene_GetPaint(scene));
    tgDestroySettings(settings);
    tgDestroyScene(scene);
}

static void test_settings_paint(void** state)
{
    (void)state;
    static const struct {
        const char* paint;
        const char* message; ///< NULL: it is fine
    } cases[] = {
        {"\"COLOR_0.r\"", NULL},
        {"\"a\"", NULL},
        {"null", NULL},
        {"7", "\"paint\" is 7, expected the name of a vertex attribute"},
        {"\"COLOR_0\"", "has several numbers at a vertex, expected one of them"},
        {"\"rigth\"", "perhaps \"right\""},
        {"\"nothing at all\"", "no vertex attribute, group, object or material"},
    };
    tgScene* scene = tgReadObjText();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        char text[160];
        tgError error = {0};
        snprintf(text, sizeof(text), tg_text, cases[i].paint);
        tgSettings* settings = tgParseSettings(text, strlen(text), scene, &error);
        assert_int_equal(settings != NULL, cases[i].message == NULL);
        if (settings == NULL) {
            CHECK_CONTAINS(error.message, cases[i].message);
            CHECK_CONTAINS(error.message, "line 1, column ");
            continue;
        }
        assert_non_null(settings->volume.paint);
        CHECK_NEAR(settings->volume.paint[1], i == 0 ? 0.0 : 1.0, 0.0);
        CHECK_NEAR(settings->volume.paint[5], i == 1 ? 0.0 : 1.0, 0.0);
        tgDestroySettings(settings);
    }
    static const char inDefault[] = "{\"volume\": {\"default\": {\"paint\": \"a\"}}}";
    tgError error = {0};
    assert_null(tgParseSettings(inDefault, strlen(inDefault), scene, &error));
    CHECK_CONTAINS(error.message, "expected it in \"volume\" itself");
    tgDestroyScene(scene);
}

/// Joints and flesh of a small character made by hand over the OBJ's mesh.
static tgSceneJoint tg_joints[] = {{.name = "hips", .parent = -1}, {.name = "leg", .parent = 0}};

static void test_settings_by_joint_and_flesh(void** state)
{
    (void)state;
    static const char text[] =
        "{\"volume\": {\"joints\": {\"leg\": {\"paint\": \"right\"}, \"hips\": {\"paint\": null}}},"
        " \"flesh\": [{\"driver\": \"hips\", \"vertices\": \"a\"},"
        "             {\"driver\": \"hips\", \"vertices\": [\"COLOR_0.g\", 0]}]}";
    tgScene* scene = tgReadObjText();
    scene->joints = tg_joints;
    scene->jointCount = 2;
    tgError error = {0};
    tgSettings* settings = tgParseSettings(text, strlen(text), scene, &error);
    if (settings == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(settings);
    const tgVolumeDef* volume = &settings->volume;
    assert_null(volume->paint);
    assert_int_equal(volume->jointPaintCount, 2);
    for (int i = 0; i < 2; ++i) {
        bool isLeg = volume->jointPaints[i].joint == 1;
        CHECK_NEAR(volume->jointPaints[i].paint[0], isLeg ? 0.0 : 1.0, 0.0);
        CHECK_NEAR(volume->jointPaints[i].paint[4], 1.0, 0.0);
    }
    const tgFleshElement* elements = settings->flesh.elements;
    assert_int_equal(elements[0].vertexCount, 4);
    assert_memory_equal(elements[0].vertices, ((const int[]){0, 1, 2, 3}), 4 * sizeof(int));
    // 0.5 and more of the attribute, and one by its number.
    assert_int_equal(elements[1].vertexCount, 5);
    assert_memory_equal(elements[1].vertices, ((const int[]){0, 1, 3, 4, 5}), 5 * sizeof(int));
    tgDestroySettings(settings);
    static const char none[] = "{\"flesh\": [{\"driver\": \"hips\", \"vertices\": \"hard \"}]}";
    assert_null(tgParseSettings(none, strlen(none), scene, &error));
    CHECK_CONTAINS(error.message, "perhaps \"hard\"");
    scene->joints = NULL;
    scene->jointCount = 0;
    tgDestroyScene(scene);
}

static void tgSplitAll(tgScene* scene)
{
    float values[16];
    for (int v = 0; v < 16; ++v) {
        values[v] = 1.0f;
    }
    tgRefineDef def = tgDefaultRefineDef();
    def.positions = (tgVec3View){&scene->positions->x, scene->vertexCount, sizeof(tgVec3)};
    def.faceVertices = scene->faceVertices;
    def.faceSizes = scene->faceSizes;
    def.faceCount = scene->faceCount;
    def.values = values;
    tgRefinement* refinement = tgCreateRefinement(&def, NULL);
    assert_non_null(refinement);
    assert_int_equal(tgScene_Apply(scene, refinement, NULL), tg_success);
    tgDestroyRefinement(refinement);
}

/// Settings that are read before a scene is refined and after it come to the same.
static void test_refined(void** state)
{
    (void)state;
    static const char text[] = "{\"volume\": {\"paint\": \"COLOR_0.r\", \"joints\": {\"leg\": "
                               "{\"paint\": \"right\"}}}, \"flesh\": [{\"driver\": \"hips\", "
                               "\"vertices\": [\"a\", 4]}]}";
    for (int order = 0; order < 2; ++order) {
        tgScene* scene = tgReadObjText();
        int influences[32] = {0};
        float weights[32];
        for (int v = 0; v < 32; ++v) {
            weights[v] = 1.0f;
        }
        scene->joints = tg_joints;
        scene->jointCount = 2;
        scene->influencesPerVertex = 1;
        scene->influenceJoints = influences;
        scene->influenceWeights = weights;
        tgSettings* settings = order == 0 ? tgParseSettings(text, strlen(text), scene, NULL) : NULL;
        tgSplitAll(scene);
        assert_int_equal(scene->vertexCount, 6 + 7 + 2);
        if (order == 1) {
            settings = tgParseSettings(text, strlen(text), scene, NULL);
        }
        assert_non_null(settings);
        assert_int_equal(tgSettings_FollowScene(settings, scene, NULL), tg_success);
        // The attribute and the group of the finer scene are means and what lies between.
        float painted[16], group[16];
        assert_int_equal(tgScene_Select(scene, "COLOR_0.r", painted), tg_selectionPaint);
        assert_int_equal(tgScene_Select(scene, "a", group), tg_selectionSet);
        int inGroup = 0, inFlesh = 0;
        const tgFleshElement* flesh = &settings->flesh.elements[0];
        for (int v = 0; v < scene->vertexCount; ++v) {
            CHECK_NEAR(settings->volume.paint[v], painted[v], 1e-6);
            bool isLeft = scene->positions[v].x <= 1.0f;
            CHECK_NEAR(group[v], isLeft ? 1.0 : 0.0, 0.0);
            inGroup += isLeft;
            tgVec3 p = scene->positions[v];
            if (p.x == 0.5f && p.y == 0.0f) {
                CHECK_NEAR(painted[v], 0.5, 1e-6); // between 1 and 0
            }
        }
        for (int i = 0; i < flesh->vertexCount; ++i) {
            inFlesh += scene->positions[flesh->vertices[i]].x <= 1.0f;
        }
        assert_int_equal(inGroup, 9);
        assert_int_equal(inFlesh, 9);
        // One by its number, and what lies between it and the group.
        assert_int_equal(flesh->vertexCount, 9 + 1 + 1);
        tgDestroySettings(settings);
        scene->joints = NULL;
        scene->jointCount = 0;
        tgDestroyScene(scene);
    }
}

static void test_stream(void** state)
{
    (void)state;
    tgScene* scene = tgReadObjText();
    FILE* file = tmpfile();
    assert_non_null(file);
    assert_true(tgWriteSceneStream(file, scene, NULL));
    size_t size = (size_t)ftell(file);
    uint8_t* bytes = malloc(size);
    rewind(file);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    tgScene* read = tgReadSceneStream(bytes, size, NULL);
    assert_non_null(read);
    tgCheckSelect(read, "a", (const float[]){1, 1, 1, 1, 0, 0});
    tgCheckSelect(read, "COLOR_0.r", (const float[]){1, 0, 0.25f, 1, 1, 1});
    tgDestroyScene(read);
    // Cut anywhere it is refused, not believed.
    for (size_t cut = 0; cut < size; cut += 7) {
        assert_null(tgReadSceneStream(bytes, cut, NULL));
    }
    free(bytes);
    tgDestroyScene(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obj_groups_and_colors),
        cmocka_unit_test(test_gltf_attributes),
        cmocka_unit_test(test_settings_paint),
        cmocka_unit_test(test_settings_by_joint_and_flesh),
        cmocka_unit_test(test_refined),
        cmocka_unit_test(test_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
