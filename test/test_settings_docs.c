// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The published schema and the manual of the settings file say what the loader does: the same keys,
// names and defaults, and examples that load.

#include "read_json.h"
#include "settings_scene.h"

#include "io/settings_private.h"

static tgJsonValue* tgGetDefinition(tgJsonValue* schema, const char* name)
{
    tgJsonValue* definition = tgJson_Find(tgJson_Find(schema, "$defs"), name);
    assert_non_null(definition);
    return definition;
}

/// What the schema allows in one object is what the loader knows, no more and no less.
static void tgCheckSchemaObject(tgJsonValue* object, tgSettingsObject which)
{
    tgJsonValue* properties = tgJson_Find(object, "properties");
    assert_true(tgJson_IsObject(properties));
    const tgJsonValue* others = tgJson_Find(object, "additionalProperties");
    assert_true(others != NULL && others->kind == tg_jsonBool && !others->truth);
    int keyCount = 0;
    const tgSettingsKey* keys = tgGetSettingsKeys(&keyCount);
    size_t known = 0;
    for (int i = 0; i < keyCount; ++i) {
        if (keys[i].object == which) {
            tgJsonValue* property = tgJson_Find(properties, keys[i].name);
            if (property == NULL) {
                print_error("the schema lacks \"%s\"\n", keys[i].name);
            }
            assert_non_null(property);
            assert_true(tgJson_IsText(tgJson_Find(property, "description")));
            known += 1;
        }
    }
    assert_int_equal(tgJson_CountMembers(properties), known);
}

static void tgCheckSchemaNames(tgJsonValue* object, const char* key, const tgNameList* list)
{
    tgJsonValue* property = tgJson_Find(tgJson_Find(object, "properties"), key);
    tgJsonValue* names = tgJson_Find(property, "enum");
    assert_int_equal(tgJson_CountItems(names), (size_t)list->count);
    for (int i = 0; i < list->count; ++i) {
        bool isThere = false;
        for (size_t k = 0; k < tgJson_CountItems(names); ++k) {
            isThere |= strcmp(tgJson_GetString(tgJson_GetItem(names, k)), list->names[i]) == 0;
        }
        if (!isThere) {
            print_error("the schema lacks \"%s\" for \"%s\"\n", list->names[i], key);
        }
        assert_true(isThere);
    }
}

static tgJsonValue* tgGetSchemaDefault(tgJsonValue* object, const char* key)
{
    tgJsonValue* property = tgJson_Find(tgJson_Find(object, "properties"), key);
    tgJsonValue* value = tgJson_Find(property, "default");
    assert_non_null(value);
    return value;
}

static void TestSchema(void** state)
{
    (void)state;
    tgArena arena = {0};
    tgJsonValue* schema = tgMustReadJsonFile(TURGOR_DOCS "/settings.schema.json", &arena);
    assert_string_equal(tgJson_GetString(tgJson_Find(schema, "$schema")),
                        "https://json-schema.org/draft/2020-12/schema");
    tgJsonValue* volume = tgGetDefinition(schema, "volume");
    tgJsonValue* profile = tgGetDefinition(schema, "profile");
    tgCheckSchemaObject(schema, tg_settingsFile);
    tgCheckSchemaObject(volume, tg_settingsVolume);
    tgJsonValue* contact = tgGetDefinition(schema, "contact");
    tgCheckSchemaObject(contact, tg_settingsContact);
    tgCheckSchemaObject(tgGetDefinition(schema, "targetKey"), tg_settingsTarget);
    tgCheckSchemaObject(profile, tg_settingsProfile);
    tgCheckSchemaObject(tgGetDefinition(schema, "fleshElement"), tg_settingsFlesh);
    tgCheckSchemaObject(tgGetDefinition(schema, "fleshSpring"), tg_settingsSpring);
    tgCheckSchemaObject(tgGetDefinition(schema, "fleshTwist"), tg_settingsTwist);
    tgCheckSchemaObject(tgGetDefinition(schema, "bone"), tg_settingsBone);
    tgJsonValue* wrinkle = tgGetDefinition(schema, "wrinkle");
    tgCheckSchemaObject(wrinkle, tg_settingsWrinkle);
    tgCheckSchemaNames(wrinkle, "side", &tg_sideNames);
    assert_int_equal(tgJson_GetWhole(tgGetSchemaDefault(wrinkle, "count")),
                     tgDefaultWrinkle(0).count);
    tgJsonValue* refine = tgGetDefinition(schema, "refine");
    tgCheckSchemaObject(refine, tg_settingsRefine);
    tgJsonValue* local = tgGetDefinition(schema, "local");
    tgCheckSchemaObject(local, tg_settingsLocal);
    tgCheckSchemaObject(tgGetDefinition(schema, "region"), tg_settingsRegion);
    tgCheckSchemaNames(local, "scope", &tg_scopeNames);
    tgCheckSchemaNames(local, "loss", &tg_lossNames);
    tgCheckSchemaNames(local, "edges", &tg_edgesNames);
    tgCheckSchemaNames(local, "map", &tg_mapNames);
    tgCheckSchemaNames(schema, "skinning", &tg_skinningNames);
    tgCheckSchemaNames(volume, "method", &tg_methodNames);
    tgCheckSchemaNames(volume, "mode", &tg_modeNames);
    tgCheckSchemaNames(profile, "profile", &tg_profileNames);
    tgCheckSchemaNames(profile, "combine", &tg_combineNames);

    tgSettings* settings = tgMustParse("{}");
    const tgVolumeDef* def = &settings->volume;
    assert_string_equal(tgJson_GetString(tgGetSchemaDefault(volume, "method")),
                        tg_methodNames.names[def->method]);
    assert_string_equal(tgJson_GetString(tgGetSchemaDefault(volume, "mode")),
                        tg_modeNames.names[def->mode]);
    assert_string_equal(tgJson_GetString(tgGetSchemaDefault(schema, "skinning")),
                        tg_skinningNames.names[0]);
    assert_false(settings->hasSkinning);
    tgProfile organic = tgDefaultProfile(tg_profileOrganic);
    CHECK_NEAR(tgJson_GetNumber(tgGetSchemaDefault(profile, "gain")), organic.gain, 0.0);
    CHECK_NEAR(tgJson_GetNumber(tgGetSchemaDefault(profile, "drift")), organic.drift, 0.0);
    assert_string_equal(tgJson_GetString(tgGetSchemaDefault(local, "scope")),
                        tg_scopeNames.names[def->local.scope]);
    assert_string_equal(tgJson_GetString(tgGetSchemaDefault(local, "loss")),
                        tg_lossNames.names[def->local.loss]);
    assert_string_equal(tgJson_GetString(tgGetSchemaDefault(local, "edges")),
                        tg_edgesNames.names[def->local.edges]);
    assert_string_equal(tgJson_GetString(tgGetSchemaDefault(local, "map")),
                        tg_mapNames.names[def->local.map]);
    CHECK_NEAR(tgJson_GetNumber(tgGetSchemaDefault(local, "alpha")), def->local.alpha, 0.0);
    CHECK_NEAR(tgJson_GetNumber(tgGetSchemaDefault(local, "beta")), def->local.beta, 0.0);
    CHECK_NEAR(tgJson_GetNumber(tgGetSchemaDefault(local, "parts")), def->local.parts, 0.0);
    CHECK_NEAR(tgJson_GetNumber(tgGetSchemaDefault(local, "repeats")), def->local.repeats, 0.0);
    assert_int_equal(tgJson_IsTrue(tgGetSchemaDefault(local, "exact")), def->local.exact);
    assert_int_equal(tgJson_IsTrue(tgGetSchemaDefault(volume, "contact")),
                     def->contact == tg_contactAuto);
    CHECK_NEAR(tgJson_GetNumber(tgGetSchemaDefault(contact, "gap")), def->contactGap, 1e-7);
    assert_string_equal(tgJson_GetString(tgGetSchemaDefault(profile, "profile")), "organic");
    assert_string_equal(tgJson_GetString(tgGetSchemaDefault(profile, "combine")), "add");
    assert_int_equal(settings->refine.levels, 0);
    tgDestroySettings(settings);
    settings = tgMustParse("{\"refine\": {}}");
    CHECK_NEAR(tgJson_GetNumber(tgGetSchemaDefault(refine, "threshold")),
               settings->refine.threshold, 1e-7);
    assert_int_equal(tgJson_GetWhole(tgGetSchemaDefault(refine, "levels")),
                     settings->refine.levels);
    tgDestroySettings(settings);
    tgArena_Free(&arena);
}

/// What the schema says of an element that the file leaves open.
static void TestFleshDefaults(void** state)
{
    (void)state;
    tgArena arena = {0};
    tgJsonValue* schema = tgMustReadJsonFile(TURGOR_DOCS "/settings.schema.json", &arena);
    tgJsonValue* object = tgGetDefinition(schema, "fleshElement");
    tgJsonValue* twist = tgGetDefinition(schema, "fleshTwist");
    tgSettings* settings = tgMustParse("{\"flesh\": [{\"driver\": \"hips\", \"twist\": {}}]}");
    const tgFleshElement* element = &settings->flesh.elements[0];
    const struct {
        tgJsonValue* object;
        const char* key;
        float value;
    } numbers[] = {
        {object, "thickness", element->thickness},
        {object, "flow", element->flow},
        {object, "frequency", element->springs[0].frequency},
        {object, "dampingRatio", element->springs[0].dampingRatio},
        {object, "density", element->density},
        {object, "airFriction", element->airFriction},
        {object, "elongation", element->elongation},
        {object, "resetDistance", element->resetDistance},
        {twist, "dampingRatio", element->twistDampingRatio},
        {twist, "limit", element->twistLimit * 57.2957795f},
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
        CHECK_NEAR(tgJson_GetNumber(tgGetSchemaDefault(numbers[i].object, numbers[i].key)),
                   numbers[i].value, 1e-5);
    }
    assert_string_equal(tgJson_GetString(tgGetSchemaDefault(object, "attenuation")),
                        tg_attenuationNames.names[element->attenuation]);
    assert_int_equal(tgJson_IsTrue(tgGetSchemaDefault(object, "stopAtLimit")),
                     element->stopAtLimit);
    tgDestroySettings(settings);
    tgArena_Free(&arena);
}

static char* tgReadText(const char* path)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    char* text = calloc(1, 1 << 17);
    size_t size = fread(text, 1, (1 << 17) - 1, file);
    assert_true(size > 0 && size < (1 << 17) - 1);
    fclose(file);
    return text;
}

/// Every example of the manual is a file that loads without a warning, and every key is explained.
static void TestManual(void** state)
{
    (void)state;
    char* manual = tgReadText(TURGOR_DOCS "/settings.md");
    int exampleCount = 0;
    for (const char* at = strstr(manual, "```json\n"); at != NULL; at = strstr(at, "```json\n")) {
        at += 8;
        const char* end = strstr(at, "```");
        assert_non_null(end);
        tgError error = {0};
        tgSettings* settings = tgParseSettings(at, (size_t)(end - at), &tg_scene, &error);
        if (settings == NULL || settings->warningCount > 0) {
            print_error("%.*s%s\n", (int)(end - at), at,
                        settings == NULL ? error.message : settings->warnings[0]);
        }
        assert_non_null(settings);
        assert_int_equal(settings->warningCount, 0);
        tgDestroySettings(settings);
        exampleCount += 1;
        at = end + 3;
    }
    assert_true(exampleCount >= 2);
    int keyCount = 0;
    const tgSettingsKey* keys = tgGetSettingsKeys(&keyCount);
    for (int i = 0; i < keyCount; ++i) {
        char quoted[64];
        snprintf(quoted, sizeof(quoted), "`%s`", keys[i].name);
        CHECK_CONTAINS(manual, quoted);
    }
    for (int i = 0; tgGetPresetName(i) != NULL; ++i) {
        CHECK_CONTAINS(manual, tgGetPresetName(i));
    }
    free(manual);
}

/// "0, 0.65, 0.35", or one number when `isShort` and all are equal.
static void tgPrintThree(const float values[3], bool isShort, char* text, size_t size)
{
    if (isShort && values[0] == values[1] && values[1] == values[2]) {
        snprintf(text, size, "%g", (double)values[0]);
    } else {
        snprintf(text, size, "%g, %g, %g", (double)values[0], (double)values[1], (double)values[2]);
    }
}

/// The manual's table of defaults, row by row, and the shares in the schema. Organic has none.
static void TestDefaultTable(void** state)
{
    (void)state;
    char* manual = tgReadText(TURGOR_DOCS "/settings.md");
    char* schema = tgReadText(TURGOR_DOCS "/settings.schema.json");
    CHECK_CONTAINS(manual, "| organic | | | | |\n");
    for (int i = tg_profileIsotropic; i < tg_profileNames.count; ++i) {
        tgProfileKind kind = (tgProfileKind)i;
        tgProfile profile = tgDefaultProfile(kind);
        bool isFolded = kind == tg_profileFolds || kind == tg_profileBelly;
        bool isCurves = kind == tg_profileCurves;
        char mu[48], sigma[48], center[32], folds[16], row[256];
        tgPrintThree(profile.mu, false, mu, sizeof(mu));
        tgPrintThree(profile.sigma, true, sigma, sizeof(sigma));
        CHECK_NEAR(profile.foldAngle, 3.14159265358979 / 2.0, 1e-6);
        CHECK_NEAR(profile.gain, 1.0, 0.0);
        CHECK_NEAR(profile.drift, 0.0, 0.0);
        snprintf(center, sizeof(center), " %g", (double)profile.center[0]);
        snprintf(sigma + strlen(sigma), sizeof(sigma) - strlen(sigma), " ");
        snprintf(folds, sizeof(folds), " %g", (double)profile.folds);
        snprintf(row, sizeof(row), "| %s | %s | %s|%s |%s |\n", tg_profileNames.names[i],
                 kind == tg_profileIsotropic ? "all alike" : mu, isCurves ? "" : sigma,
                 isCurves ? "" : center, isFolded ? folds : "");
        CHECK_CONTAINS(manual, row);
        snprintf(row, sizeof(row), "%s %s", tg_profileNames.names[i], mu);
        CHECK_CONTAINS(schema, row);
    }
    free(schema);
    free(manual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestSchema),
        cmocka_unit_test(TestFleshDefaults),
        cmocka_unit_test(TestManual),
        cmocka_unit_test(TestDefaultTable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
