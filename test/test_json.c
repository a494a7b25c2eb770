// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// JSON: numbers against the C library's, what is refused against RFC 8259, what is written against
// text set by hand, and every allocation failed in turn.

#include "failing_memory.h"
#include "io/decimal.h"
#include "read_json.h"

#include <float.h>
#include <math.h>

static uint64_t tgNextBits(uint64_t* state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double tgMakeDouble(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/// glibc's strtod rounds correctly, and the tests run in the locale "C".
static void tgCheckRead(const char* text)
{
    double value = (double)NAN, wanted = strtod(text, NULL);
    const char* end = tgReadDecimal(text, text + strlen(text), &value);
    if (end == NULL || *end != '\0' || memcmp(&value, &wanted, sizeof(value)) != 0) {
        print_error("%s: %a, wanted %a\n", text, value, wanted);
    }
    assert_true(end != NULL && *end == '\0');
    assert_memory_equal(&value, &wanted, sizeof(value));
}

static void TestReadsRandomNumbers(void** state)
{
    (void)state;
    uint64_t random = 88172645463325252;
    char text[1200];
    for (int i = 0; i < 60000; ++i) {
        double value = tgMakeDouble(tgNextBits(&random));
        if (!isfinite(value)) {
            continue;
        }
        int digits = (int)(tgNextBits(&random) % 25);
        snprintf(text, sizeof(text), "%.*e", digits, value);
        tgCheckRead(text);
        // As files have them: near 1, plain.
        double near = (double)(int64_t)tgNextBits(&random) * 0x1p-63;
        snprintf(text, sizeof(text), "%.*f", digits, 1000.0 * near);
        tgCheckRead(text);
        snprintf(text, sizeof(text), "%llu.%llue%d",
                 (unsigned long long)(tgNextBits(&random) >> tgNextBits(&random) % 64),
                 (unsigned long long)tgNextBits(&random), (int)(tgNextBits(&random) % 700) - 350);
        tgCheckRead(text);
    }
}

/// Exactly between two doubles, and a hair to either side: hundreds of digits decide.
static void TestReadsMidpoints(void** state)
{
    (void)state;
    uint64_t random = 2463534242;
    char text[1300];
    for (int i = 0; i < 3000; ++i) {
        uint64_t bits = tgNextBits(&random) & ~((uint64_t)1 << 63);
        bits = i % 3 == 0 ? bits % ((uint64_t)1 << 52) : bits; // small ones lose bits
        double low = tgMakeDouble(bits), high = tgMakeDouble(bits + 1);
        if (!isfinite(high)) {
            continue;
        }
        // long double has 64 bits: the midpoint is one of them, but for the smallest.
        long double middle = ((long double)low + (long double)high) / 2;
        if (middle <= (long double)low || middle >= (long double)high) {
            continue;
        }
        int length = snprintf(text, sizeof(text), "%.1080Le", middle);
        tgCheckRead(text);
        char* exponent = strchr(text, 'e');
        assert_true(length > 1080 && exponent != NULL);
        exponent[-1] = '1'; // past all digits that the midpoint has
        tgCheckRead(text);
    }
}

static void TestReadsEdges(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "0",
        "-0",
        "0.0",
        "0e5",
        "1",
        "-1",
        "9007199254740993",
        "9223372036854775807",
        "18446744073709551615",
        "18446744073709551616",
        "1e22",
        "1e23",
        "8.5e-27",
        "1e27",
        "1e28",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e-400",
        "1e400",
        "1e99999999999",
        "1e-99999999999",
        "0.000000000000000000000000000000000000000000000001e40",
        "100000000000000000000000000000000000000000000000e-40",
        "0.30000001192092896",
        "6.02214076E+23",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        tgCheckRead(texts[i]);
    }
    char text[4000];
    memset(text, '9', sizeof(text));
    text[1] = '.';
    text[sizeof(text) - 1] = '\0';
    tgCheckRead(text);
}

static void TestWritesNumbers(void** state)
{
    (void)state;
    static const struct {
        double value;
        int digits;
        const char* text;
    } known[] = {
        {0.0, 17, "0.0"},
        {-0.0, 17, "-0.0"},
        {1.0, 17, "1.0"},
        {-2.5, 17, "-2.5"},
        {0.1, 17, "0.10000000000000001"},
        {0.1, 15, "0.1"},
        {1e-4, 9, "0.0001"},
        {1e-5, 9, "1e-5"},
        {123456.0, 6, "123456.0"},
        {1234567.0, 6, "1.23457e6"},
        {1e16, 17, "10000000000000000.0"},
        {1e17, 17, "1e17"},
        {DBL_MAX, 17, "1.7976931348623157e308"},
        {5e-324, 17, "4.9406564584124654e-324"},
        {-1e-7, 12, "-1e-7"},
        {999999.9999, 6, "1e6"},
    };
    char text[tg_decimalSize];
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); ++i) {
        int length = tgWriteDecimal(known[i].value, known[i].digits, text);
        assert_string_equal(text, known[i].text);
        assert_int_equal(length, strlen(text));
    }
    uint64_t random = 123456789;
    for (int i = 0; i < 50000; ++i) {
        double value = tgMakeDouble(tgNextBits(&random)), again = (double)NAN;
        if (isfinite(value)) {
            int length = tgWriteDecimal(value, 17, text);
            assert_non_null(tgReadDecimal(text, text + length, &again));
            assert_memory_equal(&again, &value, sizeof(value));
        }
        uint32_t bits = (uint32_t)tgNextBits(&random);
        float small;
        memcpy(&small, &bits, sizeof(small));
        if (isfinite(small)) {
            int length = tgWriteDecimal((double)small, 9, text);
            assert_non_null(tgReadDecimal(text, text + length, &again));
            float back = (float)again;
            assert_memory_equal(&back, &small, sizeof(small));
        }
    }
}

static void tgCheckRefused(const char* text, size_t size, const char* fragment)
{
    tgArena arena = {0};
    tgError error = {0};
    assert_null(tgReadJson(text, size, &tg_testRules, &arena, &error));
    assert_int_equal(error.code, tg_invalidArgument);
    CHECK_CONTAINS(error.message, fragment);
    assert_null(tgReadJson(text, size, &tg_testRules, &arena, NULL));
    tgArena_Free(&arena);
}

static void TestRefuses(void** state)
{
    (void)state;
    static const char* const texts[][2] = {
        {"", "empty"},
        {" ", "empty"},
        {"{", "line 1, column 2: found the end of the file, expected a key"},
        {"[1,]", "line 1, column 3: found a comma before ]"},
        {"{\"a\":1,}", "found a comma before }"},
        {"[1 2]", "column 4: found 2, expected a comma or ]"},
        {"[1}", "found }"},
        {"{\"a\" 1}", "expected a :"},
        {"{a:1}", "found a, expected a key in double quotes"},
        {"{'a':1}", "expected a key"},
        {"[01]", "01 is not a number"},
        {"[1.]", "1. is not a number"},
        {"[.5]", ".5 is not a number"},
        {"[+1]", "+1 is not a number"},
        {"[1e]", "1e is not a number"},
        {"[-]", "- is not a number"},
        {"[0x10]", "0x10 is not a number"},
        {"[1e400]", "1e400 is too large"},
        {"[NaN]", "NaN is not allowed"},
        {"[-Infinity]", "-Infinity is not allowed"},
        {"[nul]", "found \"nul\""},
        {"[truely]", "found \"truely\""},
        {"[\"a]", "a text without an end"},
        {"[\"a\n\"]", "a text without an end"},
        {"[\"\t\"]", "found byte 0x09"},
        {"[\"\\x\"]", "starts no known escape"},
        {"[\"\\ud800\"]", "starts no known escape"},
        {"[\"\\ud800\\u0041\"]", "starts no known escape"},
        {"[\"\\udc00\"]", "starts no known escape"},
        {"[\"\\u12g4\"]", "starts no known escape"},
        {"[\"\\u0000\"]", "any character but 0"},
        {"[\"\xc0\x80\"]", "not UTF-8"},
        {"[\"\xed\xa0\x80\"]", "not UTF-8"},
        {"[\"\xf5\x80\x80\x80\"]", "not UTF-8"},
        {"[\"\xe2\x82\"]", "not UTF-8"},
        {"[1] 2", "line 1, column 5: found 2, expected nothing more"},
        {"// a\n1", "JSON has no comments"},
        {"{\"a\":1,\n \"a\":2}", "line 2, column 2: \"a\" is there twice"},
        {"[\"\xc3\xa4\xc3\xb6\", x]", "line 1, column 8: found \"x\""},
        {"\xef\xbb\xbf\r\n\r[\n?", "line 4, column 1: found ?"},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
        tgCheckRefused(texts[i][0], strlen(texts[i][0]), texts[i][1]);
    }
    tgCheckRefused("[\0]", 3, "found byte 0x00");
    char deep[600];
    memset(deep, '[', 257);
    memset(deep + 257, ']', 257);
    tgCheckRefused(deep, 514, "nested too deep, expected at most 256 levels");
    tgArena arena = {0};
    assert_non_null(tgReadJson(deep + 1, 512, &tg_testRules, &arena, NULL));
    tgArena_Free(&arena);
    // Every text that ends too early.
    static const char whole[] = "{\"k\":[1.5e3,true,null,{\"\\u00e4\":\"\xc3\xa4\\n\"}]}";
    for (size_t size = 0; size + 1 < sizeof(whole) - 1; ++size) {
        assert_null(tgReadJson(whole, size, &tg_testRules, &arena, NULL));
    }
    assert_non_null(tgReadJson(whole, sizeof(whole) - 1, &tg_testRules, &arena, NULL));
    tgArena_Free(&arena);
}

static void TestReads(void** state)
{
    (void)state;
    static const char text[] =
        "\xef\xbb\xbf {\"text\" : "
        "\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\ud83d\\ude00\xe2\x82\xac\",\r\n"
        "\t\"list\":[1 ,-2.50,9223372036854775807,-9223372036854775808,9223372036854775808],\n"
        "\"no\":null,\"yes\":true,\"not\":false,\"empty\":[{},[]],\"\":\"\"}\n";
    tgArena arena = {0};
    const tgJsonValue* root = tgMustReadJson(text, sizeof(text) - 1, &arena);
    assert_int_equal(tgJson_CountMembers(root), 7);
    assert_string_equal(tgJson_GetString(tgJson_Find(root, "text")),
                        "a\"\\/\b\f\n\r\t\xc3\xa4\xf0\x9f\x98\x80\xe2\x82\xac");
    const tgJsonValue* list = tgJson_Find(root, "list");
    assert_int_equal(tgJson_CountItems(list), 5);
    assert_int_equal(list->keyPlace.line, 2);
    assert_int_equal(list->keyPlace.column, 2);
    assert_int_equal(list->place.column, 9);
    assert_string_equal(list->items[1]->text, "-2.50");
    assert_false(tgJson_IsWhole(list->items[1]));
    assert_true(tgJson_GetNumber(list->items[1]) == -2.5);
    assert_true(tgJson_GetWhole(list->items[2]) == INT64_MAX);
    assert_true(tgJson_GetWhole(list->items[3]) == INT64_MIN);
    assert_false(tgJson_IsWhole(list->items[4])); // one too many
    assert_true(tgJson_GetNumber(list->items[4]) == 0x1p63);
    assert_int_equal(tgJson_Find(root, "no")->kind, tg_jsonNull);
    assert_true(tgJson_IsTrue(tgJson_Find(root, "yes")));
    assert_false(tgJson_IsTrue(tgJson_Find(root, "not")));
    assert_string_equal(tgJson_GetString(tgJson_Find(root, "")), "");
    // Paths through what is not there.
    assert_null(tgJson_Find(tgJson_GetItem(tgJson_Find(root, "none"), 3), "none"));
    assert_null(tgJson_GetItem(list, 5));
    assert_null(tgJson_GetItem(root, 0));
    assert_null(tgJson_GetMember(list, 0));
    tgArena_Free(&arena);
}

/// Read, copied, changed and written: the text by hand.
static void TestWrites(void** state)
{
    (void)state;
    static const char text[] =
        "{ \"b\": [1.50, 1E2, 10000000000000000000, -0], \"gone\": 1,\n"
        "  \"a\": {\"\\u0001\\\"\": \"\\u007f\\/\xc3\xa4\"}, \"e\": [[], {}] }";
    tgArena source = {0}, arena = {0};
    tgJsonValue* root = tgCopyJson(&arena, tgMustReadJson(text, sizeof(text) - 1, &source));
    tgArena_Free(&source); // the copy owes it nothing
    tgJson_Remove(root, "gone");
    tgJson_Remove(root, "never there");
    tgJson_RemoveItem(tgJson_Find(root, "e"), 0);
    assert_true(tgJson_Append(tgJson_Find(root, "b"), tgMakeJsonNumber(&arena, 0.1)));
    assert_true(tgJson_Append(tgJson_Find(root, "b"), tgMakeJsonNumber(&arena, (double)INFINITY)));
    assert_true(tgJson_Set(root, "made",
                           tgPackJson(&arena, "{s:s, s:s?, s:[i, I, f, b], s:{}}", "t", "x\xff",
                                      "n", NULL, "l", -3, 1LL << 40, 2.0, 1, "o")));
    assert_true(tgJson_Set(root, "a", tgMakeJsonText(&arena, "new"))); // where the old one was
    assert_false(tgJson_Set(root, "a", NULL));
    assert_false(tgJson_Append(root, tgMakeJsonNull(&arena)));
    tgJsonLook look = {.digits = 17};
    char* written = tgFormatJson(root, &look);
    assert_string_equal(written,
                        "{\"b\":[1.50,1E2,10000000000000000000,-0,0.10000000000000001,null],"
                        "\"a\":\"new\",\"e\":[{}],\"made\":{\"t\":\"x_\",\"n\":null,"
                        "\"l\":[-3,1099511627776,2.0,true],\"o\":{}}}");
    free(written);
    look = (tgJsonLook){.digits = 9, .isIndented = true};
    written = tgFormatJson(tgJson_Find(root, "e"), &look);
    assert_string_equal(written, "[\n {}\n]");
    free(written);
    look = (tgJsonLook){.digits = 9, .isOpen = true};
    written = tgFormatJson(tgJson_Find(root, "b"), &look);
    assert_string_equal(written, "1.5,100.0,1e19,-0,0.1,null");
    free(written);
    static const char escapes[] = "{\"\\u0001\\\"\":\"\\u007f\\/\\u00e4\\n\"}";
    const tgJsonValue* odd = tgMustReadJson(escapes, sizeof(escapes) - 1, &arena);
    written = tgFormatJson(odd, &(tgJsonLook){.digits = 9, .isIndented = true});
    assert_string_equal(written, "{\n \"\\u0001\\\"\": \"\x7f/\xc3\xa4\\n\"\n}");
    free(written);
    tgArena_Free(&arena);
}

enum { tg_memberCount = 100000 };

static char* tgMakeManyMembers(int count, size_t* size)
{
    char* text = malloc((size_t)count * 32 + 32);
    assert_non_null(text);
    size_t used = 0;
    for (int i = 0; i < count; ++i) {
        used += (size_t)sprintf(text + used, "%c\"key%d\":%d", i == 0 ? '{' : ',', i * 7919, i);
    }
    used += (size_t)sprintf(text + used, "}");
    *size = used;
    return text;
}

/// Fast enough to be here at all: one by one this would take minutes.
static void TestManyMembers(void** state)
{
    (void)state;
    size_t size = 0;
    char* text = tgMakeManyMembers(tg_memberCount, &size);
    tgArena arena = {0};
    tgJsonValue* root = tgCopyJson(&arena, tgMustReadJson(text, size, &arena));
    tgJsonValue* made = tgMakeJsonObject(&arena);
    char key[32];
    for (int i = 0; i < tg_memberCount; ++i) {
        snprintf(key, sizeof(key), "key%d", i * 7919);
        assert_int_equal(tgJson_GetWhole(tgJson_Find(root, key)), i);
        assert_true(tgJson_Set(made, key, tgMakeJsonWhole(&arena, i)));
    }
    assert_null(tgJson_Find(root, "key1"));
    assert_true(tgJson_IsSame(root, made));
    tgJson_Remove(made, "key7919");
    assert_null(tgJson_Find(made, "key7919"));
    assert_true(tgJson_Set(made, "key7919", tgMakeJsonWhole(&arena, 2)));
    assert_int_equal(tgJson_GetWhole(tgJson_Find(made, "key15838")), 2);
    assert_false(tgJson_IsSame(root, made));
    text[size - 1] = ',';
    memcpy(text + size, "\"key7919\":5}", 12);
    tgCheckRefused(text, size + 12, "\"key7919\" is there twice");
    tgJsonRules rules = tg_testRules;
    rules.takesLastOfTwins = true;
    tgJsonValue* twins = tgReadJson(text, size + 12, &rules, &arena, NULL);
    assert_int_equal(tgJson_CountMembers(twins), tg_memberCount);
    assert_int_equal(tgJson_GetWhole(tgJson_Find(twins, "key7919")), 5);
    assert_string_equal(tgJson_GetMember(twins, 1)->key, "key7919");
    tgArena_Free(&arena);
    free(text);
}

/// Read, copied, extended and written with one allocation less than it takes, and one more.
static bool tgTryAll(const char* text, size_t size)
{
    tgArena arena = {0};
    tgError error = {0};
    tgJsonValue* root = tgReadJson(text, size, &tg_testRules, &arena, &error);
    assert_true(root != NULL || error.code == tg_outOfMemory);
    tgJsonValue* copy = tgCopyJson(&arena, root);
    tgJsonValue* list = tgMakeJsonList(&arena);
    for (int i = 0; i < 3000; ++i) {
        tgJson_Append(list, tgPackJson(&arena, "{s:i, s:[f, o]}", "a", i, "b", 0.5,
                                       tgMakeJsonText(&arena, "text")));
    }
    tgJson_Set(copy, "list", list);
    char* written = arena.ranOut ? NULL : tgFormatJson(copy, &(tgJsonLook){.digits = 17});
    bool isWhole = written != NULL;
    free(written);
    tgArena_Free(&arena);
    return isWhole;
}

static void TestOutOfMemory(void** state)
{
    (void)state;
    size_t size = 0;
    char* text = tgMakeManyMembers(5000, &size);
    int allowed = 0;
    for (bool isWhole = false; !isWhole; ++allowed) {
        tg_allocationsLeft = allowed;
        isWhole = tgTryAll(text, size);
        tg_allocationsLeft = INT_MAX;
    }
    assert_true(allowed > 15);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(TestReadsRandomNumbers),
        cmocka_unit_test(TestReadsMidpoints),
        cmocka_unit_test(TestReadsEdges),
        cmocka_unit_test(TestWritesNumbers),
        cmocka_unit_test(TestRefuses),
        cmocka_unit_test(TestReads),
        cmocka_unit_test(TestWrites),
        cmocka_unit_test(TestManyMembers),
        cmocka_unit_test(TestOutOfMemory),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
