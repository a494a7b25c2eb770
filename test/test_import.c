// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// FBX and DAE through Assimp: what real characters must count, the volume they keep under plain
// skinning, and small files of our own for pivots, several bind spaces, morphs and bad input.

#define _POSIX_C_SOURCE 200809L // setenv, open_memstream

#include "check.h"

#include "mesh_volume.h"

#include "io/fbx_skinning.h"
#include "io/import_assimp.h"
#include "io/scene_stream.h"
#include "turgor/io.h"

#include <sys/stat.h>

// ---- characters ----

typedef struct tgExpectedCharacter {
    const char* path;
    int vertexCount, weldedCount, faceCount, partCount;
    int jointCount, influencesPerVertex, animationCount;
    const char* animation;
    double end;             ///< of the first animation, seconds
    double lowest, highest; ///< volume under plain skinning, percent
} tgExpectedCharacter;

/// The ranges of Trex, Snake and RiggedFigure were measured in another program. The turkey's come
/// from reading its XML directly: its keys are matrices at 30 frames a second.
static const tgExpectedCharacter tg_characters[] = {
    {TURGOR_ASSETS "/Trex.fbx", 3424, 912, 838, 5, 29, 7, 6, "Armature|TRex_Attack", 28.0 / 24.0,
     88.47, 93.62},
    {TURGOR_ASSETS "/Snake.fbx", 3250, 815, 822, 7, 15, 4, 4, "SnakeArmature|Snake_Attack",
     16.0 / 24.0, 95.33, 101.79},
    {TURGOR_ASSETS "/RiggedFigure.dae", 328, 130, 256, 1, 19, 8, 1, "animation", 1.25, 96.14,
     100.00},
    {TURGOR_ASSETS "/turkey_walk.dae", 486, 408, 798, 1, 22, 8, 1, "Turkey_Turkey", 2.0, 94.88,
     105.19},
};

static tgScene* tgLoadAsset(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL) {
        print_message("skipped: there is no %s\n", path);
        skip();
    }
    fclose(file);
    tgError error = {0};
    tgScene* scene = tgLoadScene(path, &error);
    if (scene == NULL) {
        print_error("%s: %s\n", path, error.message);
    }
    assert_non_null(scene);
    return scene;
}

static void tgCheckWeights(const tgScene* scene)
{
    for (int v = 0; v < scene->vertexCount; ++v) {
        size_t first = (size_t)v * (size_t)scene->influencesPerVertex;
        double sum = 0.0;
        for (int k = 0; k < scene->influencesPerVertex; ++k) {
            float w = scene->influenceWeights[first + (size_t)k];
            assert_in_range(scene->influenceJoints[first + (size_t)k], 0, scene->jointCount - 1);
            assert_true(k == 0 || w <= scene->influenceWeights[first + (size_t)k - 1]);
            sum += (double)w;
        }
        CHECK_NEAR(sum, 1.0, 1e-6);
    }
    for (int j = 0; j < scene->jointCount; ++j) {
        assert_true(scene->joints[j].parent < j);
    }
}

static void tgTestCharacter(void** state)
{
    const tgExpectedCharacter* expected = *state;
    tgScene* scene = tgLoadAsset(expected->path);
    tgTestMesh mesh = tgMakeTestMesh(scene);
    int weldedCount = 0;
    for (int v = 0; v < scene->vertexCount; ++v) {
        weldedCount += mesh.welded[v] == v ? 1 : 0;
    }
    tgFreeTestMesh(&mesh);
    assert_int_equal(scene->vertexCount, expected->vertexCount);
    assert_int_equal(weldedCount, expected->weldedCount);
    assert_int_equal(scene->faceCount, expected->faceCount);
    assert_int_equal(scene->partCount, expected->partCount);
    assert_int_equal(scene->jointCount, expected->jointCount);
    assert_int_equal(scene->influencesPerVertex, expected->influencesPerVertex);
    assert_int_equal(scene->animationCount, expected->animationCount);
    assert_string_equal(scene->animations[0].name, expected->animation);
    CHECK_NEAR(scene->animations[0].start, 0.0, 1e-6);
    CHECK_NEAR(scene->animations[0].end, expected->end, 1e-6);
    assert_non_null(scene->normals);
    tgCheckWeights(scene);
    tgVolumeRange range = tgMeasureAnimation(scene, 0);
    CHECK_NEAR(range.lowest, expected->lowest, 0.01);
    CHECK_NEAR(range.highest, expected->highest, 0.01);
    tgDestroyScene(scene);
}

static void tgTestWarnings(void** state)
{
    (void)state;
    tgScene* scene = tgLoadAsset(TURGOR_ASSETS "/Snake.fbx");
    assert_int_equal(scene->warningCount, 1);
    CHECK_CONTAINS(scene->warnings[0], "had weights that sum to 0.20 to 1.81; normalised");
    assert_int_equal(scene->materialCount, 7);
    assert_string_equal(scene->materials[0].name, "DarkGreen");
    CHECK_NEAR(scene->materials[0].baseColor[1], 0.389513, 1e-6);
    tgDestroyScene(scene);
}

// ---- files of our own ----

static void tgWriteText(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static tgScene* tgImportText(const char* path, const char* text)
{
    tgWriteText(path, text);
    tgError error = {0};
    tgScene* scene = tgImportAssimp(path, (tgImportWish){0}, &error);
    remove(path);
    if (scene == NULL) {
        print_error("%s: %s\n", path, error.message);
    }
    assert_non_null(scene);
    return scene;
}

static void tgMustFail(const char* path, const char* text, const char* fragment)
{
    tgWriteText(path, text);
    tgError error = {0};
    tgScene* scene = tgImportAssimp(path, (tgImportWish){0}, &error);
    remove(path);
    assert_null(scene);
    CHECK_CONTAINS(error.message, fragment);
    assert_null(strchr(error.message, '\n'));
}

#define TG_FBX_HEAD                                                                                \
    "; FBX 7.3.0 project file\n"                                                                   \
    "FBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7300\n}\n"                    \
    "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"                                    \
    "\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n"                               \
    "\t\tP: \"TimeMode\", \"enum\", \"\", \"\",6\n\t}\n}\n"                                        \
    "Objects:  {\n"                                                                                \
    "\tGeometry: 1000, \"Geometry::Tri\", \"Mesh\" {\n"                                            \
    "\t\tVertices: *9 {\n\t\t\ta: 0,0,0,1,0,0,0,1,0\n\t\t}\n"                                      \
    "\t\tPolygonVertexIndex: *3 {\n\t\t\ta: 0,1,-3\n\t\t}\n\t}\n"                                  \
    "\tModel: 2000, \"Model::Tri\", \"Mesh\" {\n\t\tProperties70:  {\n"                            \
    "\t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",4,5,6\n"                       \
    "\t\t\tP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",1,2,3\n"
#define TG_FBX_CURVE(id, value)                                                                    \
    "\tAnimationCurve: " id ", \"AnimCurve::\", \"\" {\n\t\tKeyVer: 4008\n"                        \
    "\t\tKeyTime: *2 {\n\t\t\ta: 0,46186158000\n\t\t}\n"                                           \
    "\t\tKeyValueFloat: *2 {\n\t\t\ta: 0," value "\n\t\t}\n"                                       \
    "\t\tKeyAttrFlags: *1 {\n\t\t\ta: 24836\n\t\t}\n"                                              \
    "\t\tKeyAttrDataFloat: *4 {\n\t\t\ta: 0,0,0,0\n\t\t}\n"                                        \
    "\t\tKeyAttrRefCount: *1 {\n\t\t\ta: 2\n\t\t}\n\t}\n"
#define TG_FBX_TAKE                                                                                \
    "\tAnimationStack: 3000, \"AnimStack::Take\", \"\" {\n\t\tProperties70:  {\n"                  \
    "\t\t\tP: \"LocalStart\", \"KTime\", \"Time\", \"\",0\n"                                       \
    "\t\t\tP: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n\t\t}\n\t}\n"                  \
    "\tAnimationLayer: 3100, \"AnimLayer::Base\", \"\" {\n\t}\n"
#define TG_FBX_LINKS                                                                               \
    "}\nConnections:  {\n\tC: \"OO\",2000,0\n\tC: \"OO\",1000,2000\n\tC: \"OO\",3100,3000\n"
#define TG_FBX_VECTOR(name, value)                                                                 \
    "\t\t\tP: \"" name "\", \"Vector3D\", \"Vector\", \"\"," value "\n"
#define TG_FBX_TURN                                                                                \
    "\t\t}\n\t}\n" TG_FBX_TAKE                                                                     \
    "\tAnimationCurveNode: 3200, \"AnimCurveNode::R\", \"\" {\n\t\tProperties70:  {\n"             \
    "\t\t\tP: \"d|X\", \"Number\", \"\", \"A\",0\n\t\t\tP: \"d|Y\", \"Number\", \"\", \"A\",0\n"   \
    "\t\t\tP: \"d|Z\", \"Number\", \"\", \"A\",0\n\t\t}\n\t}\n" TG_FBX_CURVE("3300", "40")         \
        TG_FBX_CURVE("3301", "-50") TG_FBX_CURVE("3302", "60") TG_FBX_LINKS                        \
        "\tC: \"OO\",3200,3100\n\tC: \"OP\",3200,2000, \"Lcl Rotation\"\n"                         \
        "\tC: \"OP\",3300,3200, \"d|X\"\n\tC: \"OP\",3301,3200, \"d|Y\"\n"                         \
        "\tC: \"OP\",3302,3200, \"d|Z\"\n}\n"

/// Rows of the node's matrix, without and with the Euler rotation (40, -50, 60) degrees.
typedef struct tgExpectedNode {
    const char* properties;
    float rest[12];
    float turned[12];
} tgExpectedNode;

/// By the FBX rule T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1, computed elsewhere.
static const tgExpectedNode tg_orientedNodes[] = {
    {"",
     {1, 0, 0, 4, 0, 2, 0, 5, 0, 0, 3, 6},
     {0.32139f, -1.81923f, 0.78978f, 4, 0.55667f, -0.08682f, -2.48880f, 5, 0.76604f, 0.82635f,
      1.47721f, 6}},
    {TG_FBX_VECTOR("PreRotation", "10,20,30"),
     {0.81380f, -0.88194f, 1.13557f, 4, 0.46985f, 1.76513f, 0.05408f, 5, -0.34202f, 0.32635f,
      2.77625f, 6},
     {0.30604f, -1.12941f, 2.29936f, 4, 0.65611f, -0.91649f, -1.79882f, 5, 0.68982f, 1.37277f,
      0.69081f, 6}},
    {TG_FBX_VECTOR("PreRotation", "10,20,30") TG_FBX_VECTOR("PostRotation", "5,-15,25"),
     {0.83258f, -0.26574f, 1.61321f, 4, 0.01816f, 1.95366f, 0.63976f, 5, -0.55361f, -0.33557f,
      2.44709f, 6},
     {0.36633f, -1.04718f, 2.30756f, 4, 0.89470f, -0.05765f, -1.33720f, 5, 0.25555f, 1.70296f,
      1.37370f, 6}},
    {TG_FBX_VECTOR("PreRotation", "10,20,30") TG_FBX_VECTOR("PostRotation", "5,-15,25")
         TG_FBX_VECTOR("RotationPivot", "1,2,3") TG_FBX_VECTOR("RotationOffset", "0.5,-0.25,0.1")
             TG_FBX_VECTOR("ScalingPivot", "0.3,0.2,0.1")
                 TG_FBX_VECTOR("ScalingOffset", "-0.1,0.4,0.2"),
     {0.83258f, -0.26574f, 1.61321f, 3.21012f, 0.01816f, 1.95366f, 0.63976f, 4.33198f, -0.55361f,
      -0.33557f, 2.44709f, 7.56389f},
     {0.36633f, -1.04718f, 2.30756f, 3.73193f, 0.89470f, -0.05765f, -1.33720f, 7.15492f, 0.25555f,
      1.70296f, 1.37370f, 5.91253f}},
};

static void tgCheckNode(const tgScene* scene, int animation, double time, const float* rows)
{
    tgMat34 nodes[32];
    assert_in_range(scene->nodeCount, 1, 32);
    tgScene_SamplePose(scene, animation, time, nodes, NULL, NULL);
    const tgMat34* m = &nodes[scene->parts[0].node];
    const float actual[12] = {m->x.x, m->y.x,      m->z.x, m->origin.x, m->x.y, m->y.y,
                              m->z.y, m->origin.y, m->x.z, m->y.z,      m->z.z, m->origin.z};
    for (int i = 0; i < 12; ++i) {
        CHECK_NEAR(actual[i], rows[i], 3e-5);
    }
}

static void tgTestPivots(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(tg_orientedNodes) / sizeof(tg_orientedNodes[0]); ++i) {
        const tgExpectedNode* expected = &tg_orientedNodes[i];
        char text[8192];
        snprintf(text, sizeof(text), "%s%s%s", TG_FBX_HEAD, expected->properties, TG_FBX_TURN);
        tgScene* scene = tgImportText("test_import_pivot.fbx", text);
        assert_int_equal(scene->animationCount, 1);
        CHECK_NEAR(scene->animations[0].end, 1.0, 1e-6);
        tgCheckNode(scene, -1, 0.0, expected->rest);
        tgCheckNode(scene, 0, 0.0, expected->rest);
        tgCheckNode(scene, 0, 1.0, expected->turned);
        // No skin: the vertices stand where their node puts them.
        assert_int_equal(scene->influencesPerVertex, 0);
        CHECK_NEAR(scene->positions[1].x, expected->rest[0] + expected->rest[3], 3e-5);
        CHECK_NEAR(scene->positions[2].z, expected->rest[9] + expected->rest[11], 3e-5);
        tgDestroyScene(scene);
    }
}

static void tgTestMorphs(void** state)
{
    (void)state;
    tgScene* scene = tgImportText(
        "test_import_morph.fbx", TG_FBX_HEAD
        "\t\t}\n\t}\n"
        "\tGeometry: 1100, \"Geometry::Smile\", \"Shape\" {\n\t\tIndexes: *1 {\n\t\t\ta: 1\n\t\t}\n"
        "\t\tVertices: *3 {\n\t\t\ta: 0.5,0.25,0\n\t\t}\n"
        "\t\tNormals: *3 {\n\t\t\ta: 0,0,0\n\t\t}\n\t}\n"
        "\tGeometry: 1101, \"Geometry::Frown\", \"Shape\" {\n\t\tIndexes: *1 {\n\t\t\ta: 2\n\t\t}\n"
        "\t\tVertices: *3 {\n\t\t\ta: 0,0,2\n\t\t}\n"
        "\t\tNormals: *3 {\n\t\t\ta: 0,0,0\n\t\t}\n\t}\n"
        "\tDeformer: 1200, \"Deformer::Face\", \"BlendShape\" {\n\t}\n"
        "\tDeformer: 1201, \"SubDeformer::Smile\", \"BlendShapeChannel\" {\n"
        "\t\tDeformPercent: 0\n\t\tFullWeights: *1 {\n\t\t\ta: 100\n\t\t}\n\t}\n"
        "\tDeformer: 1202, \"SubDeformer::Frown\", \"BlendShapeChannel\" {\n"
        "\t\tDeformPercent: 0\n\t\tFullWeights: *1 {\n\t\t\ta: 100\n\t\t}\n\t}\n" TG_FBX_TAKE
        "\tAnimationCurveNode: 3210, \"AnimCurveNode::DeformPercent\", \"\" {\n"
        "\t\tProperties70:  {\n\t\t\tP: \"d|DeformPercent\", \"Number\", \"\", \"A\",0\n\t\t}\n"
        "\t}\n" TG_FBX_CURVE("3310", "80") TG_FBX_LINKS
        "\tC: \"OO\",1200,1000\n\tC: \"OO\",1201,1200\n\tC: \"OO\",1202,1200\n"
        "\tC: \"OO\",1100,1201\n\tC: \"OO\",1101,1202\n\tC: \"OO\",3210,3100\n"
        "\tC: \"OP\",3210,1202, \"DeformPercent\"\n\tC: \"OP\",3310,3210, "
        "\"d|DeformPercent\"\n}\n");
    assert_int_equal(scene->morphCount, 2);
    assert_string_equal(scene->morphs[1].name, "Frown");
    assert_int_equal(scene->morphs[1].indexInNode, 1);
    CHECK_NEAR(scene->morphs[0].weight, 0.0, 0.0);
    CHECK_NEAR(scene->morphs[0].offsets[1].y, 0.5, 1e-6); // the node doubles y
    CHECK_NEAR(scene->morphs[1].offsets[2].z, 6.0, 1e-6);
    assert_int_equal(scene->animationCount, 1);
    const tgChannel* channel = &scene->animations[0].channels[0];
    assert_int_equal(channel->path, tg_pathWeights);
    assert_int_equal(channel->width, 2);
    assert_int_equal(channel->keyCount, 2);
    CHECK_NEAR(channel->values[2], 0.0, 0.0);
    CHECK_NEAR(channel->values[3], 0.8, 1e-6);
    tgDestroyScene(scene);
}

// ---- how an FBX says that its skins blend ----

static void tgCheckSkinnings(const char* bytes, size_t size, int linear, int dual, int blend)
{
    tgFbxSkinnings found = tgScanFbxSkinnings(bytes, size);
    assert_int_equal(found.counts[tg_linear], linear);
    assert_int_equal(found.counts[tg_dualQuaternion], dual);
    assert_int_equal(found.counts[tg_blend], blend);
}

static void tgTestScan(void** state)
{
    (void)state;
    static const char text[] = "; FBX 7.4.0 project file\n"
                               "; SkinningType: \"DualQuaternion\"\n"
                               "\tSkinningType: \"DualQuaternion\"\r\n"
                               "  SkinningType:\"Blend\"\n"
                               "\tName: \"SkinningType: \"\n"
                               "SkinningType: \"Rigid\"\n"
                               "SkinningType: \"Other\"\nSkinningType: Linear\n"
                               "SkinningTypes: \"Linear\"\nSkinningType: \"Linear";
    tgCheckSkinnings(text, sizeof(text) - 1, 1, 1, 1);
    static const char binary[] = "Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0"
                                 "\x0cSkinningTypeS\x0e\0\0\0DualQuaternion"
                                 "\x0dSkinningTypeS\x05\0\0\0Blend" // the name is longer
                                 "\x0cSkinningTypeI\x05\0\0\0Blend" // a number
                                 "\x0cSkinningTypeS\x06\0\0\0Linear"
                                 "\x0cSkinningTypeS\xff\xff\xff\xff"
                                 "Blend";
    tgCheckSkinnings(binary, sizeof(binary) - 1, 1, 1, 0);
    // Cut anywhere, nothing past the end is read.
    for (size_t size = 0; size < sizeof(binary); ++size) {
        char* cut = malloc(size + 1);
        memcpy(cut, binary, size);
        char* exact = realloc(cut, size > 0 ? size : 1);
        tgScanFbxSkinnings(exact, size);
        free(exact);
    }
    tgCheckSkinnings("", 0, 0, 0, 0);
    assert_int_equal(tgFbxSkinnings_GetMost(&(tgFbxSkinnings){{0, 0, 0}}), tg_linear);
    assert_int_equal(tgFbxSkinnings_GetMost(&(tgFbxSkinnings){{1, 1, 1}}), tg_linear);
    assert_int_equal(tgFbxSkinnings_GetMost(&(tgFbxSkinnings){{1, 2, 1}}), tg_dualQuaternion);
    assert_int_equal(tgFbxSkinnings_GetMost(&(tgFbxSkinnings){{1, 0, 2}}), tg_blend);
}

/// A triangle on one joint whose skin says how it blends.
static void tgTestSkinning(void** state)
{
    (void)state;
    static const struct {
        const char* line;
        tgSkinning skinning;
    } cases[] = {{"", tg_linear},
                 {"\t\tSkinningType: \"Linear\"\n", tg_linear},
                 {"\t\tSkinningType: \"DualQuaternion\"\n", tg_dualQuaternion},
                 {"\t\tSkinningType: \"Blend\"\n", tg_blend}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        char text[8192];
        snprintf(text, sizeof(text),
                 "%s\t\t}\n\t}\n"
                 "\tModel: 2100, \"Model::Bone\", \"LimbNode\" {\n\t}\n"
                 "\tDeformer: 1300, \"Deformer::\", \"Skin\" {\n%s\t}\n"
                 "\tDeformer: 1301, \"SubDeformer::\", \"Cluster\" {\n"
                 "\t\tIndexes: *3 {\n\t\t\ta: 0,1,2\n\t\t}\n"
                 "\t\tWeights: *3 {\n\t\t\ta: 1,1,1\n\t\t}\n"
                 "\t\tTransform: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n\t\t}\n"
                 "\t\tTransformLink: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n\t\t}\n"
                 "\t}\n%s"
                 "\tC: \"OO\",2100,0\n\tC: \"OO\",1300,1000\n\tC: \"OO\",1301,1300\n"
                 "\tC: \"OO\",2100,1301\n}\n",
                 TG_FBX_HEAD, cases[i].line, TG_FBX_LINKS);
        tgScene* scene = tgImportText("test_import_skinning.fbx", text);
        assert_int_equal(scene->jointCount, 1);
        assert_int_equal(scene->skinning, cases[i].skinning);
        assert_int_equal(tgScene_GetRigDef(scene).skinning, cases[i].skinning);
        tgDestroyScene(scene);
    }
}

// ---- COLLADA ----

#define TG_DAE_HEAD                                                                                \
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "      \
    "version=\"1.4.1\"><asset><up_axis>Y_UP</up_axis></asset>"
#define TG_DAE_SOURCE(id, array, type, count, stride, values)                                      \
    "<source id=\"" id "\"><" array " id=\"" id "-a\" count=\"" count "\">" values "</" array      \
    "><technique_common><accessor source=\"#" id "-a\" count=\"" stride "\" " type                 \
    "</accessor></technique_common></source>"
#define TG_DAE_GEOMETRY(id)                                                                        \
    "<geometry id=\"" id "\"><mesh>" TG_DAE_SOURCE(                                                \
        id "-p", "float_array",                                                                    \
        "stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"        \
        "<param name=\"Z\" type=\"float\"/>",                                                      \
        "12", "4",                                                                                 \
        "0 0 0 1 0 0 0 1 0 0 0 1") "<vertices id=\"" id                                            \
                                   "-v\"><input semantic=\"POSITION\" source=\"#" id               \
                                   "-p\"/></vertices>"                                             \
                                   "<triangles count=\"4\"><input semantic=\"VERTEX\" "            \
                                   "source=\"#" id "-v\" offset=\"0\"/>"                           \
                                   "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry>"
#define TG_DAE_SKIN(id, geometry, shape, counts, pairs)                                            \
    "<controller id=\"" id "\"><skin source=\"#" geometry "\"><bind_shape_matrix>" shape           \
    "</bind_shape_matrix>" TG_DAE_SOURCE(id "-j", "Name_array",                                    \
                                         "stride=\"1\"><param name=\"JOINT\" type=\"name\"/>",     \
                                         "2", "2", "Root Tip")                                     \
        TG_DAE_SOURCE(id "-b", "float_array",                                                      \
                      "stride=\"16\"><param name=\"TRANSFORM\" type=\"float4x4\"/>", "32", "2",    \
                      "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 -1 0 1 0 0 0 0 1 0 0 0 0 1")          \
            TG_DAE_SOURCE(id "-w", "float_array",                                                  \
                          "stride=\"1\"><param name=\"WEIGHT\" type=\"float\"/>", "3", "3",        \
                          "1 0.5 0.25") "<joints><input semantic=\"JOINT\" source=\"#" id "-j\"/>" \
                                        "<input semantic=\"INV_BIND_MATRIX\" source=\"#" id        \
                                        "-b\"/></joints>"                                          \
                                        "<vertex_weights count=\"4\"><input semantic=\"JOINT\" "   \
                                        "source=\"#" id "-j\" offset=\"0\"/>"                      \
                                        "<input semantic=\"WEIGHT\" source=\"#" id                 \
                                        "-w\" offset=\"1\"/><vcount>" counts "</vcount><v>" pairs  \
                                        "</v></vertex_weights></skin></controller>"
#define TG_DAE_USE(id)                                                                             \
    "<node id=\"node" id "\"><instance_controller url=\"#" id "\"><skeleton>#Root</skeleton>"      \
    "</instance_controller></node>"
#define TG_DAE_TREE(child)                                                                         \
    "<library_visual_scenes><visual_scene id=\"scene\"><node id=\"Root\" sid=\"Root\" "            \
    "type=\"JOINT\"><node id=\"" child "\" sid=\"" child                                           \
    "\" type=\"JOINT\"><translate>1 0 0</translate></node></node>" TG_DAE_USE("CA")                \
        TG_DAE_USE("CB") "<node id=\"prop\"><instance_geometry url=\"#A\"/></node></visual_scene>" \
                         "</library_visual_scenes><scene><instance_visual_scene "                  \
                         "url=\"#scene\"/></scene></COLLADA>"
#define TG_DAE_MESHES                                                                              \
    TG_DAE_HEAD "<library_geometries>" TG_DAE_GEOMETRY("A")                                        \
        TG_DAE_GEOMETRY("B") "</library_geometries><library_controllers>" TG_DAE_SKIN(             \
            "CA", "A", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", "1 2 2 1", "0 0 0 1 1 2 1 1 0 1 1 0")    \
            TG_DAE_SKIN("CB", "B", "2 0 0 5 0 2 0 0 0 0 2 0 0 0 0 1", "1 0 1 2",                   \
                        "0 0 1 0 0 1 0 1") "</library_controllers>"

static void tgTestBindSpaces(void** state)
{
    (void)state;
    tgScene* scene = tgImportText("test_import_spaces.dae", TG_DAE_MESHES TG_DAE_TREE("Tip"));
    assert_int_equal(scene->partCount, 2);
    assert_int_equal(scene->vertexCount, 8);
    // Both meshes hang on the same two joints, and the second stands where its shape matrix says.
    assert_int_equal(scene->jointCount, 2);
    assert_string_equal(scene->joints[1].name, "Tip");
    assert_int_equal(scene->joints[1].parent, 0);
    CHECK_NEAR(scene->joints[1].restJoint.origin.x, 1.0, 1e-6);
    tgTestMesh mesh = tgMakeTestMesh(scene);
    CHECK_NEAR(tgTestMesh_Measure(&mesh, scene->positions), 1.0 / 6.0 + 8.0 / 6.0, 1e-6);
    tgFreeTestMesh(&mesh);
    float lowest = scene->positions[4].x;
    for (int v = 5; v < 8; ++v) {
        lowest = fminf(lowest, scene->positions[v].x);
    }
    CHECK_NEAR(lowest, 5.0, 1e-5);
    tgCheckWeights(scene);
    // 0.5 + 0.25 in the first mesh; nothing at all in the second; twice the same joint is one.
    assert_int_equal(scene->influencesPerVertex, 2);
    assert_int_equal(scene->warningCount, 3);
    CHECK_CONTAINS(scene->warnings[0], "1 mesh has no skin: pictures show it, files leave it out");
    CHECK_CONTAINS(scene->warnings[1], "1 vertex had weights that sum to 0.75; normalised");
    CHECK_CONTAINS(scene->warnings[2], "1 vertex had no weights");
    assert_int_equal(scene->unskinnedMeshCount, 1);
    int nodeCount = scene->nodeCount;
    tgDestroyScene(scene);
    // The prop alone, where its node stands; nodes have the same numbers.
    tgWriteText("test_import_spaces.dae", TG_DAE_MESHES TG_DAE_TREE("Tip"));
    scene = tgImportAssimp("test_import_spaces.dae", (tgImportWish){.prefersLoose = true}, NULL);
    remove("test_import_spaces.dae");
    assert_non_null(scene);
    assert_int_equal(scene->partCount, 1);
    assert_string_equal(scene->parts[0].name, "prop");
    assert_int_equal(scene->vertexCount, 4);
    assert_int_equal(scene->jointCount, 0);
    assert_int_equal(scene->nodeCount, nodeCount);
    tgDestroyScene(scene);
}

static void tgTestBadFiles(void** state)
{
    (void)state;
    tgError error = {0};
    assert_null(tgImportAssimp("test_import_absent.fbx", (tgImportWish){0}, &error));
    CHECK_CONTAINS(error.message, "cannot open: No such file");
    assert_null(tgImportAssimp(".", (tgImportWish){0}, &error));
    assert_null(tgImportAssimp("test_import_absent.fbx", (tgImportWish){0}, NULL));
    tgMustFail("test_import_bad.fbx", "", "the file is empty");
    tgMustFail("test_import_bad.fbx", "Kaydara FBX Binary  ", "cannot be read");
    tgMustFail("test_import_bad.fbx", "hello\nworld", "cannot be read");
    tgMustFail("test_import_bad.dae", "", "the file is empty");
    tgMustFail("test_import_bad.dae", "<COLLADA><broken", "cannot be read");
    tgMustFail("test_import_bad.dae", TG_DAE_HEAD "</COLLADA>", "");
    // Assimp would not come back from these.
    tgMustFail("test_import_bad.dae", "<COLLADA>\n<!-- <p>x</p> -->\n<p a='>'>0 1 x</p>",
               "line 3: <p> holds \"x\", expected whole numbers only");
    tgMustFail("test_import_bad.dae", "<vcount>3 - 3</vcount>", "<vcount> holds");
    tgMustFail("test_import_bad.dae", TG_DAE_MESHES TG_DAE_TREE("Other"), "Tip");
}

// ---- in a process of its own ----

/// A track of two keys whose output says two matrices and holds one: Assimp reads past its end and
/// aborts.
#define TG_DAE_TRACK                                                                               \
    "<library_animations><animation>" TG_DAE_SOURCE(                                               \
        "t", "float_array", "stride=\"1\"><param name=\"TIME\" type=\"float\"/>", "2", "2", "0 1") \
        TG_DAE_SOURCE(                                                                             \
            "m", "float_array", "stride=\"16\"><param name=\"TRANSFORM\" type=\"float4x4\"/>",     \
            "16", "2",                                                                             \
            "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1") "<sampler id=\"s\"><input semantic=\"INPUT\" "      \
                                               "source=\"#t\"/><input "                            \
                                               "semantic=\"OUTPUT\" "                              \
                                               "source=\"#m\"/></sampler><channel source=\"#s\" "  \
                                               "target=\"Root/transform\"/></animation></"         \
                                               "library_animations>"
#define TG_DAE_TURNED                                                                              \
    TG_DAE_MESHES TG_DAE_TRACK                                                                     \
        "<library_visual_scenes><visual_scene id=\"scene\"><node id=\"Root\" sid=\"Root\" "        \
        "type=\"JOINT\"><matrix sid=\"transform\">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><node "  \
        "id=\"Tip\" sid=\"Tip\" type=\"JOINT\"/></node>" TG_DAE_USE("CA") TG_DAE_USE(              \
            "CB") "</visual_scene></library_visual_scenes><scene><instance_visual_scene "          \
                  "url=\"#scene\"/></scene></COLLADA>"

static void tgMustFailInChild(const char* fragment)
{
    tgError error = {0};
    assert_null(tgLoadScene("test_import_child.dae", &error));
    CHECK_CONTAINS(error.message, fragment);
    assert_true(error.code != tg_success);
}

/// Stands in for turgor-import.
static void tgWriteProgram(const char* path, const char* text)
{
    tgWriteText(path, text);
    assert_int_equal(chmod(path, 0755), 0);
    assert_int_equal(setenv("TURGOR_IMPORT", path, 1), 0);
}

static void tgTestCrashingFile(void** state)
{
    (void)state;
#ifdef TURGOR_IMPORT_IN_PROCESS
    skip(); // it would take us down
#endif
    tgWriteText("test_import_child.dae", TG_DAE_TURNED);
    tgMustFailInChild("the importer failed on this file; try exporting it as glTF or FBX 7.4");
    remove("test_import_child.dae");
}

static void tgTestBadImporter(void** state)
{
    (void)state;
#ifdef TURGOR_IMPORT_IN_PROCESS
    skip();
#endif
    const char* own = getenv("TURGOR_IMPORT");
    char kept[1024] = "";
    snprintf(kept, sizeof(kept), "%s", own != NULL ? own : "");
    tgWriteText("test_import_child.dae", TG_DAE_HEAD "</COLLADA>");
    static const char* const programs[] = {
        "#!/bin/sh\nkill -SEGV $$\n",
        "#!/bin/sh\nexit 0\n",
        "#!/bin/sh\nprintf TgScene1\n",
        "#!/bin/sh\nhead -c 3000000 /dev/zero\n",
    };
    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); ++i) {
        tgWriteProgram("./test_import_fake", programs[i]);
        tgMustFailInChild("the importer failed on this file");
    }
    remove("test_import_fake");
    tgMustFailInChild("need the program turgor-import");
    setenv("TURGOR_IMPORT", kept, 1);
    remove("test_import_child.dae");
}

/// Through the pipe and in this process: the same to the bit, as the streams of both show.
static void tgTestSameBits(void** state)
{
    const tgExpectedCharacter* expected = *state;
    tgScene* sent = tgLoadAsset(expected->path);
    tgScene* own = tgImportAssimp(expected->path, (tgImportWish){0}, NULL);
    assert_non_null(own);
    char* bytes[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
        FILE* file = open_memstream(&bytes[i], &sizes[i]);
        assert_true(tgWriteSceneStream(file, i == 0 ? sent : own, NULL));
        assert_int_equal(fclose(file), 0);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    // Cut off anywhere it is refused; damaged anywhere it is refused or sound.
    tgError error = {0};
    for (size_t size = 0; size < sizes[0]; size += 1 + size / 7) {
        assert_null(tgReadSceneStream((const uint8_t*)bytes[0], size, &error));
        assert_int_equal(error.code, tg_ioError);
    }
    for (size_t at = 0; at < sizes[0]; at += 1 + at / 50) {
        bytes[0][at] = (char)(bytes[0][at] ^ 0x81);
        tgDestroyScene(tgReadSceneStream((const uint8_t*)bytes[0], sizes[0], &error));
        bytes[0][at] = (char)(bytes[0][at] ^ 0x81);
    }
    free(bytes[0]);
    free(bytes[1]);
    tgDestroyScene(sent);
    tgDestroyScene(own);
}

static void tgTestOldFbx(void** state)
{
    (void)state;
    tgMustFail("test_import_old.fbx", "; FBX 6.1.0\nFBXHeaderExtension: {\n\tFBXVersion: 6100\n}\n",
               "is FBX version 6.1, expected 7.1 or newer; re-export it as FBX 7.4 or glTF");
    tgMustFail("test_import_old.fbx", TG_FBX_HEAD "\t\t\"\n", "cannot be read: damaged at line");
}

/// Assimp leaks when it reads morph animations. It is the only C++ here, so what C++ loses is not
/// ours; the leak checker asks for this by its name.
const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void)
{
    return "leak:libstdc++\n";
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(tgTestCharacter, (void*)&tg_characters[0]),
        cmocka_unit_test_prestate(tgTestCharacter, (void*)&tg_characters[1]),
        cmocka_unit_test_prestate(tgTestCharacter, (void*)&tg_characters[2]),
        cmocka_unit_test_prestate(tgTestCharacter, (void*)&tg_characters[3]),
        cmocka_unit_test(tgTestWarnings),
        cmocka_unit_test(tgTestPivots),
        cmocka_unit_test(tgTestMorphs),
        cmocka_unit_test(tgTestScan),
        cmocka_unit_test(tgTestSkinning),
        cmocka_unit_test(tgTestBindSpaces),
        cmocka_unit_test(tgTestBadFiles),
        cmocka_unit_test(tgTestOldFbx),
        cmocka_unit_test(tgTestCrashingFile),
        cmocka_unit_test(tgTestBadImporter),
        cmocka_unit_test_prestate(tgTestSameBits, (void*)&tg_characters[0]),
        cmocka_unit_test_prestate(tgTestSameBits, (void*)&tg_characters[1]),
        cmocka_unit_test_prestate(tgTestSameBits, (void*)&tg_characters[2]),
        cmocka_unit_test_prestate(tgTestSameBits, (void*)&tg_characters[3]),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
