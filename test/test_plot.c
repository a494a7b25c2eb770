// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Line plots: text escaped, series, gaps, limits, refusals in words.

#include "check.h"
#include "draw/plot.h"

/// The saved plot as text; the file is removed.
static char* tgSaveAndRead(const tgPlotDef* def)
{
    const char* path = "test_draw.svg";
    tgError error = {0};
    assert_int_equal(tgSavePlot(def, path, &error), tg_success);
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    char* text = calloc(1, 100000);
    assert_non_null(text);
    size_t size = fread(text, 1, 99999, file);
    assert_true(size > 0 && size < 99999);
    fclose(file);
    assert_int_equal(remove(path), 0);
    return text;
}

static int tgCountOf(const char* text, const char* fragment)
{
    int count = 0;
    for (const char* at = strstr(text, fragment); at != NULL; at = strstr(at + 1, fragment)) {
        count += 1;
    }
    return count;
}

static void test_plot(void** state)
{
    (void)state;
    const double times[6] = {0.0, 0.5, 1.0, 1.5, 2.0, 2.5};
    const double linear[6] = {100.0, 97.0, (double)NAN, 94.0, (double)INFINITY, 99.0};
    const double flat[6] = {100.0, 100.0, 100.0, 100.0, 100.0, 100.0};
    const tgPlotSeries series[3] = {
        {"linear <b> & \"q\" \x01 \xFF", linear, -1, NULL},
        {"corrected", flat, 0x123abc, "6 4"},
        {"absent", NULL, -1, NULL},
    };
    tgPlotDef def = tgDefaultPlotDef();
    def.title = "a < b";
    def.xLabel = "time (s)";
    def.yLabel = "volume (%)";
    def.xValues = times;
    def.valueCount = 6;
    def.series = series;
    def.seriesCount = 3;
    char* text = tgSaveAndRead(&def);
    CHECK_CONTAINS(text, "<title>a &lt; b</title>");
    CHECK_CONTAINS(text, ">linear &lt;b&gt; &amp; &quot;q&quot; ? ?</text>");
    CHECK_CONTAINS(text, ">corrected</text>");
    CHECK_CONTAINS(text, ">time (s)</text>");
    CHECK_CONTAINS(text, ">94</text>");
    CHECK_CONTAINS(text, ">2.5</text>");
    CHECK_CONTAINS(text, "stroke=\"#123abc\"");
    CHECK_CONTAINS(text, "stroke-dasharray=\"6 4\"");
    // Two lines; the first in three pieces, its last two single points.
    assert_int_equal(tgCountOf(text, "<path"), 2);
    assert_int_equal(tgCountOf(text, "m-1 0a"), 2);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
}

static void test_plot_limits(void** state)
{
    (void)state;
    tgPlotDef def = tgDefaultPlotDef();
    char* text = tgSaveAndRead(&def);
    CHECK_CONTAINS(text, ">no data</text>");
    free(text);

    // Small numbers share a power of ten; a flat line still has an axis around it.
    const double small[3] = {-2e-8, 1e-8, 4e-8};
    const double flat[3] = {7.0, 7.0, 7.0};
    tgPlotSeries series = {"error", small, -1, NULL};
    def.series = &series;
    def.seriesCount = 1;
    def.valueCount = 3;
    text = tgSaveAndRead(&def);
    CHECK_CONTAINS(text, "10<tspan dy=\"-4\" font-size=\"9\">\xE2\x88\x92"
                         "8</tspan>");
    CHECK_CONTAINS(text, ">\xE2\x88\x92"
                         "2</text>");
    free(text);
    series.values = flat;
    text = tgSaveAndRead(&def);
    CHECK_CONTAINS(text, ">7.000</text>");
    free(text);

    tgError error = {0};
    def.cookie = 0;
    assert_int_equal(tgSavePlot(&def, "a.svg", &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "tgDefaultPlotDef");
    def = tgDefaultPlotDef();
    series.dash = "6\"/><script";
    def.series = &series;
    def.seriesCount = 1;
    assert_int_equal(tgSavePlot(&def, "a.svg", &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "dashes");
    def.seriesCount = 0;
    assert_int_equal(tgSavePlot(&def, "no_such_folder/a.svg", &error), tg_ioError);
    CHECK_CONTAINS(error.message, "cannot create a file in its folder");
    assert_int_equal(tgSavePlot(&def, "", &error), tg_ioError);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plot),
        cmocka_unit_test(test_plot_limits),
    };
    return cmocka_run_group_tests_name("plot", tests, NULL, NULL);
}
