// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A picture as a PNG file: 8-bit sRGB, with opacity only where the picture has any.

#include "core/core.h"
#include "draw/picture.h"
#include "io/output_file.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/// libpng's own handlers print; these keep the words for the caller.
static void tgPngError(png_structp png, png_const_charp message)
{
    bool isMemory = strstr(message, "memory") != NULL; // libpng has words for it, and no number
    tgFail(png_get_error_ptr(png), isMemory ? tg_outOfMemory : tg_ioError, -1,
           "the PNG cannot be written: %s", message);
    png_longjmp(png, 1);
}

static void tgPngWarning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/// Squeeze RGBA to RGB in place when every pixel is opaque.
static int tgPackChannels(unsigned char* bytes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (bytes[4 * i + 3] != 255) {
            return 4;
        }
    }
    for (size_t i = 0; i < count; ++i) {
        bytes[3 * i + 0] = bytes[4 * i + 0];
        bytes[3 * i + 1] = bytes[4 * i + 1];
        bytes[3 * i + 2] = bytes[4 * i + 2];
    }
    return 3;
}

/// Nothing here is owned across the jump: the caller frees both.
static bool tgWriteRows(png_structp png, png_infop info, const tgPicture* picture,
                        const unsigned char* bytes, int channels)
{
    if (setjmp(png_jmpbuf(png)) != 0) {
        return false;
    }
    png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8,
                 channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < picture->height; ++y) {
        png_write_row(png, bytes + (size_t)y * (size_t)picture->width * (size_t)channels);
    }
    png_write_end(png, info);
    return true;
}

/// Bytes that grow.
typedef struct tgPngBytes {
    unsigned char* data;
    size_t size, room;
} tgPngBytes;

static void tgAppendBytes(png_structp png, png_bytep data, size_t size)
{
    tgPngBytes* bytes = png_get_io_ptr(png);
    if (bytes->size + size > bytes->room) {
        size_t room = 2 * bytes->room + size + 4096;
        unsigned char* grown = realloc(bytes->data, room);
        if (grown == NULL) {
            png_error(png, "there is no memory");
        }
        bytes->data = grown;
        bytes->room = room;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void tgFlushBytes(png_structp png)
{
    (void)png;
}

/// Into the file, or into memory where that is NULL.
static tgResult tgWritePng(const tgPicture* picture, FILE* file, tgPngBytes* memory, tgError* error)
{
    size_t count = (size_t)picture->width * (size_t)picture->height;
    tgError reason = {tg_outOfMemory, -1, "no memory to write the PNG"};
    unsigned char* bytes = malloc(4 * count);
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, &reason, tgPngError, tgPngWarning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    bool done = false;
    if (bytes != NULL && info != NULL) {
        tgPicture_GetBytes(picture, bytes);
        int channels = tgPackChannels(bytes, count);
        if (file != NULL) {
            png_init_io(png, file);
        } else {
            png_set_write_fn(png, memory, tgAppendBytes, tgFlushBytes);
        }
        done = tgWriteRows(png, info, picture, bytes, channels);
    }
    png_destroy_write_struct(&png, &info);
    free(bytes);
    return done ? tg_success : tgFail(error, reason.code, -1, "%s", reason.message);
}

tgResult tgPicture_SavePng(const tgPicture* picture, const char* path, tgError* error)
{
    if (picture == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "there is no picture to save");
    }
    tgOutputFile file = {0};
    tgResult result = tgOutputFile_Open(&file, path, error);
    result = result == tg_success ? tgWritePng(picture, file.stream, NULL, error) : result;
    result = result == tg_success ? tgOutputFile_Finish(&file, error) : result;
    result = result == tg_success ? tgOutputFile_Commit(&file, error) : result;
    tgOutputFile_Discard(&file);
    return result;
}

tgResult tgPicture_EncodePng(const tgPicture* picture, unsigned char** bytes, size_t* size,
                             tgError* error)
{
    *bytes = NULL;
    *size = 0;
    if (picture == NULL) {
        return tgFail(error, tg_invalidArgument, -1, "there is no picture to save");
    }
    tgPngBytes memory = {0};
    tgResult result = tgWritePng(picture, NULL, &memory, error);
    if (result == tg_success) {
        *bytes = memory.data;
        *size = memory.size;
    } else {
        free(memory.data);
    }
    return result;
}
