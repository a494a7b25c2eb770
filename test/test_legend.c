// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Colours that stand for values and joints, for every kind of eye, and the legends that tell them:
// within their rectangle, legible, and off their bar.

#include "check.h"

#include "draw/legend.h"
#include "draw/scale.h"

static const tgColor tg_clear = {0.0f, 0.0f, 0.0f, 0.0f};
static const tgColor tg_full = {1.0f, 1.0f, 1.0f, 1.0f};

/// CIE lightness of linear light.
static double tgGetLightness(tgColor color)
{
    double y = 0.2126 * (double)color.r + 0.7152 * (double)color.g + 0.0722 * (double)color.b;
    return y > 0.008856 ? 116.0 * cbrt(y) - 16.0 : 903.3 * y;
}

/// What a protanope (first) or deuteranope sees: Vienot, Brettel and Mollon 1999, linear light.
static tgColor tgSeeWithout(tgColor c, int kind)
{
    static const double tg_matrices[2][2][3] = {
        {{0.11238, 0.88762, 0.0}, {0.00401, -0.00401, 1.0}},
        {{0.29275, 0.70725, 0.0}, {-0.02234, 0.02234, 1.0}},
    };
    const double(*m)[3] = tg_matrices[kind];
    double red = m[0][0] * (double)c.r + m[0][1] * (double)c.g;
    double blue = m[1][0] * (double)c.r + m[1][1] * (double)c.g + (double)c.b;
    return (tgColor){(float)red, (float)red, (float)blue, 1.0f};
}

/// Lightness falls in even steps, for those who lack red or green receptors too.
static void test_scale_is_even(void** state)
{
    (void)state;
    for (int kind = -1; kind < 2; ++kind) {
        double previous = 0.0;
        for (int i = 0; i <= 20; ++i) {
            tgColor color = tgGetScaleColor((float)i / 20.0f);
            double lightness = tgGetLightness(kind < 0 ? color : tgSeeWithout(color, kind));
            if (i > 0) {
                CHECK_NEAR(previous - lightness, 3.7, 1.65);
            }
            previous = lightness;
        }
    }
    tgColor low = tgGetScaleColor(-3.0f), zero = tgGetScaleColor(0.0f);
    assert_memory_equal(&low, &zero, sizeof(low));
    tgColor nan = tgGetScaleColor(NAN);
    assert_memory_equal(&nan, &zero, sizeof(nan));
}

/// CIE 1976 difference of linear light, white D65.
static double tgGetDifference(tgColor a, tgColor b)
{
    static const double tg_toXyz[3][3] = {{0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505},
                                          {0.2126, 0.7152, 0.0722},
                                          {0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089}};
    const tgColor colors[2] = {a, b};
    double lab[2][3];
    for (int i = 0; i < 2; ++i) {
        double f[3];
        for (int k = 0; k < 3; ++k) {
            double t = tg_toXyz[k][0] * (double)colors[i].r + tg_toXyz[k][1] * (double)colors[i].g +
                       tg_toXyz[k][2] * (double)colors[i].b;
            f[k] = t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116.0;
        }
        lab[i][0] = 116.0 * f[1] - 16.0;
        lab[i][1] = 500.0 * (f[0] - f[1]);
        lab[i][2] = 200.0 * (f[1] - f[2]);
    }
    return sqrt(pow(lab[0][0] - lab[1][0], 2.0) + pow(lab[0][1] - lab[1][1], 2.0) +
                pow(lab[0][2] - lab[1][2], 2.0));
}

/// Each category colour is told from the others, also without red or green receptors.
static void test_categories_differ(void** state)
{
    (void)state;
    for (int a = 0; a < tg_categoryCount; ++a) {
        for (int b = 0; b < a; ++b) {
            for (int kind = -1; kind < 2; ++kind) {
                tgColor first = tgGetCategoryColor(a), second = tgGetCategoryColor(b);
                double difference = tgGetDifference(kind < 0 ? first : tgSeeWithout(first, kind),
                                                    kind < 0 ? second : tgSeeWithout(second, kind));
                if (!(difference > 8.0)) {
                    print_error("%d and %d, %d: %g\n", a, b, kind, difference);
                }
                assert_true(difference > 8.0);
            }
        }
    }
}

static void test_legends(void** state)
{
    (void)state;
    tgError error = {0};
    tgPicture* picture = tgCreatePicture(160, 300, tg_full, NULL);
    tgLegendDef def = tgDefaultLegendDef();
    def.title = "a title of several words, % of something with averyveryverylongwordindeed";
    def.rect = (tgRect){10, 10, 120, 280};
    const double ranges[] = {1.0, 3.3e-7, 2.5e9, 0.037};
    for (int i = 0; i < 4; ++i) {
        def.high = ranges[i];
        assert_int_equal(tgPicture_DrawLegend(picture, &def, &error), tg_success);
    }
    // The bar's ends are the scale's.
    tgColor last = picture->pixels[(size_t)270 * 160 + 18], end = tgGetScaleColor(0.02f);
    CHECK_NEAR(last.g, end.g, 0.05);
    tgLegendEntry entries[40];
    for (int i = 0; i < 40; ++i) {
        entries[i] = (tgLegendEntry){"name", tgGetCategoryColor(i), i % 2 == 0};
    }
    def.high = 0.0;
    def.entries = entries;
    def.entryCount = 40;
    assert_int_equal(tgPicture_DrawLegend(picture, &def, &error), tg_success);
    def.rect = (tgRect){-500, 290, 3, 2};
    assert_int_equal(tgPicture_DrawLegend(picture, &def, &error), tg_success);
    def.cookie = 0;
    assert_int_equal(tgPicture_DrawLegend(picture, &def, &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "tgDefaultLegendDef");
    tgDestroyPicture(picture);
}

/// Ticks reach from the bar towards the numbers, and a gap stays between them at any size.
static void test_numbers_stand_off_the_bar(void** state)
{
    (void)state;
    for (float size = 8.0f; size < 70.0f; size *= 1.6f) {
        tgPicture* picture = tgCreatePicture(500, 800, tg_clear, NULL);
        tgLegendDef def = tgDefaultLegendDef();
        def.textSize = size;
        def.high = 2.0;
        def.rect = (tgRect){0, 0, 500, 800};
        assert_int_equal(tgPicture_DrawLegend(picture, &def, NULL), tg_success);
        int inked[500] = {0}; // pixels of each column
        for (int i = 0; i < 500 * 800; ++i) {
            inked[i % 500] += picture->pixels[i].a > 0.3f;
        }
        int bar = 0, tick = 0, gap = 0;
        while (inked[bar] > 400) {
            bar += 1;
        }
        while (inked[bar + tick] > 0) {
            tick += 1;
        }
        while (inked[bar + tick + gap] == 0 && gap < 100) {
            gap += 1;
        }
        CHECK_NEAR(bar, 1.1f * size, 1.0);
        CHECK_NEAR(tick, 0.25f * size, 1.0);
        assert_true((float)gap > 0.15f * size && (float)gap < 0.6f * size);
        tgDestroyPicture(picture);
    }
}

static void test_legends_that_cannot_be_read(void** state)
{
    (void)state;
    tgLegendDef def = tgDefaultLegendDef();
    static const int sizes[][3] = {
        {15, 46, 0}, {26, 300, 0}, {300, 40, 0}, {50, 100, 1}, {200, 400, 1}};
    for (int i = 0; i < 5; ++i) {
        def.rect = (tgRect){0, 0, sizes[i][0], sizes[i][1]};
        assert_int_equal(tgIsLegendReadable(&def), sizes[i][2]);
    }
}

/// Nothing is drawn outside of the rectangle, whatever has to fit, and all of it is told of.
static void test_legends_fit(void** state)
{
    (void)state;
    char names[90][48];
    tgLegendEntry entries[90];
    for (int i = 0; i < 90; ++i) {
        snprintf(names[i], sizeof(names[i]), i % 7 == 3 ? "a_joint_with_a_long_name_%d.L" : "j%d",
                 i);
        entries[i] = (tgLegendEntry){names[i], tgGetCategoryColor(i), false};
    }
    static const int sizes[][2] = {{40, 60}, {60, 300}, {200, 90}, {220, 300}, {400, 400}};
    for (int s = 0; s < 5; ++s) {
        for (int count = 0; count <= 90; count += 15) {
            for (int bar = 0; bar < 2; ++bar) {
                tgPicture* picture = tgCreatePicture(500, 500, tg_clear, NULL);
                tgLegendDef def = tgDefaultLegendDef();
                def.title = "weight of a_joint_with_a_long_name_for_a_title";
                def.rect = (tgRect){50, 40, sizes[s][0], sizes[s][1]};
                def.high = bar;
                def.entries = entries;
                def.entryCount = count;
                assert_int_equal(tgPicture_DrawLegend(picture, &def, NULL), tg_success);
                assert_true(tgMeasureLegend(&def) <= def.rect.width);
                for (int i = 0; i < 500 * 500; ++i) {
                    int x = i % 500 - def.rect.x, y = i / 500 - def.rect.y;
                    bool isInside =
                        x >= -1 && x <= def.rect.width && y >= -1 && y <= def.rect.height;
                    if (!isInside && picture->pixels[i].a > 0.0f) {
                        print_error("%d x %d, %d entries, bar %d: drawn at %d, %d\n", sizes[s][0],
                                    sizes[s][1], count, bar, x, y);
                        fail();
                    }
                }
                tgDestroyPicture(picture);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scale_is_even),
        cmocka_unit_test(test_categories_differ),
        cmocka_unit_test(test_legends),
        cmocka_unit_test(test_numbers_stand_off_the_bar),
        cmocka_unit_test(test_legends_that_cannot_be_read),
        cmocka_unit_test(test_legends_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
