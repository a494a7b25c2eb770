// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Pictures: PNG read back with libpng, bytes and linear light, letters against closed forms, and
// bad input.

#include "check.h"

#include "draw/picture.h"

#include <png.h>

static tgPicture* tgMakePicture(int width, int height, tgColor background)
{
    tgError error = {0};
    tgPicture* picture = tgCreatePicture(width, height, background, &error);
    assert_non_null(picture);
    return picture;
}

/// Opacity summed over a picture: pixels covered.
static double tgSumCover(const tgPicture* picture)
{
    double sum = 0.0;
    for (int i = 0; i < picture->width * picture->height; ++i) {
        sum += (double)picture->pixels[i].a;
    }
    return sum;
}

/// Write, read back with libpng and compare every byte.
static void tgCheckPng(const tgPicture* picture, bool transparent)
{
    const char* path = "test_picture.png";
    tgError error = {0};
    assert_int_equal(tgPicture_SavePng(picture, path, &error), tg_success);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, picture->width);
    assert_int_equal(image.height, picture->height);
    assert_int_equal((image.format & PNG_FORMAT_FLAG_ALPHA) != 0, transparent);
    image.format = PNG_FORMAT_RGBA;
    size_t size = PNG_IMAGE_SIZE(image);
    unsigned char* read = malloc(size);
    unsigned char* bytes = malloc(size);
    assert_true(read != NULL && bytes != NULL);
    assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
    tgPicture_GetBytes(picture, bytes);
    assert_memory_equal(read, bytes, size);
    free(read);
    free(bytes);
    assert_int_equal(remove(path), 0);
    assert_int_not_equal(remove("test_picture.png.tmp0"), 0);
}

static void test_png_reads_back(void** state)
{
    (void)state;
    tgPicture* picture = tgMakePicture(160, 120, tgMakeColor(0xffffff));
    for (int i = 0; i < 160; ++i) { // every column another colour, and rows that differ
        unsigned int color = (unsigned int)i * 0x010307u;
        tgPicture_FillRect(picture, (tgRect){i, i / 3, 1, 50}, tgMakeColor(color & 0xffffffu));
    }
    tgCheckPng(picture, false);
    tgDestroyPicture(picture);

    tgColor glass = {0.2f, 0.4f, 0.6f, 0.5f};
    picture = tgMakePicture(5, 3, glass);
    tgPicture_FillRect(picture, (tgRect){-1, 1, 3, 100}, tgMakeColor(0x123456));
    unsigned char bytes[5 * 3 * 4];
    tgPicture_GetBytes(picture, bytes);
    const unsigned char expected[4] = {0x12, 0x34, 0x56, 255};
    assert_memory_equal(&bytes[4 * (5 * 1 + 1)], expected, 4);
    assert_int_equal(bytes[3], 128);
    tgCheckPng(picture, true);
    tgDestroyPicture(picture);
}

static void test_srgb_round_trip(void** state)
{
    (void)state;
    for (unsigned int value = 0; value < 256; ++value) {
        tgPicture* picture = tgMakePicture(1, 1, tgMakeColor(value << 16 | (255 - value)));
        unsigned char bytes[4];
        tgPicture_GetBytes(picture, bytes);
        assert_int_equal(bytes[0], value);
        assert_int_equal(bytes[2], 255 - value);
        tgDestroyPicture(picture);
    }
    CHECK_NEAR(tgMakeColor(0x800000).r, pow((128.0 / 255.0 + 0.055) / 1.055, 2.4), 1e-7);
}

static void test_text(void** state)
{
    (void)state;
    const tgColor clear = {0.0f, 0.0f, 0.0f, 0.0f};
    tgPicture* picture = tgMakePicture(100, 60, clear);
    tgTextDef def = tgDefaultTextDef();
    def.text = "I";
    def.x = 50.0f;
    def.y = 45.0f;
    def.size = 40.0f;
    def.weight = 0.1f;
    assert_int_equal(tgPicture_DrawText(picture, &def, NULL), tg_success);
    // A capital is 0.7 of the size high, and the pen is round: 28 x 4 and a circle 4 across.
    CHECK_NEAR(tgSumCover(picture), 28.0 * 4.0 + 3.14159265 * 4.0, 1.5);
    tgDestroyPicture(picture);

    CHECK_NEAR(tgMeasureText("", 20.0f), 0.0, 0.0);
    CHECK_NEAR(tgMeasureText("HH", 20.0f), 9.0 + 3.0 + 9.0, 1e-5);
    // Every printable character leaves ink; others are one box each, and none reaches outside.
    for (int c = 33; c < 130; ++c) {
        char text[3] = {(char)c, '\0', '\0'};
        if (c > 127) {
            text[0] = (char)0xC3;
            text[1] = (char)c;
            CHECK_NEAR(tgMeasureText(text, 20.0f), 7.0, 1e-5);
        }
        picture = tgMakePicture(24, 24, clear);
        def.text = text;
        def.size = 30.0f;
        def.x = 12.0f;
        def.y = 18.0f;
        def.align = tg_alignCenter;
        assert_int_equal(tgPicture_DrawText(picture, &def, NULL), tg_success);
        assert_true(tgSumCover(picture) > 5.0);
        tgDestroyPicture(picture);
    }
}

static void test_bad_pictures(void** state)
{
    (void)state;
    tgError error = {0};
    assert_null(tgCreatePicture(0, 10, tgMakeColor(0), &error));
    CHECK_CONTAINS(error.message, "0 x 10");
    tgPicture* picture = tgMakePicture(8, 8, tgMakeColor(0xffffff));
    tgTextDef text = {0};
    assert_int_equal(tgPicture_DrawText(picture, &text, &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "tgDefaultTextDef");
    text = tgDefaultTextDef();
    assert_int_equal(tgPicture_DrawText(picture, &text, &error), tg_invalidArgument);
    text.text = "a";
    text.size = NAN;
    assert_int_equal(tgPicture_DrawText(picture, &text, &error), tg_invalidArgument);
    CHECK_CONTAINS(error.message, "size");
    assert_int_equal(tgPicture_SavePng(picture, "no_such_folder/a.png", &error), tg_ioError);
    CHECK_CONTAINS(error.message, "cannot create a file in its folder");
    tgDestroyPicture(picture);
    tgDestroyPicture(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png_reads_back),
        cmocka_unit_test(test_srgb_round_trip),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_bad_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
