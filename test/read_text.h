// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A text through a reader: it must give a scene, or the message that is wanted.
#ifndef TURGOR_TEST_READ_TEXT_H
#define TURGOR_TEST_READ_TEXT_H

#include "check.h"
#include "turgor/scene.h"

typedef tgScene* tgReadTextFcn(const char* text, size_t size, tgError* error);

static inline tgScene* tgMustReadText(tgReadTextFcn* read, const char* text)
{
    tgError error = {0};
    tgScene* scene = read(text, strlen(text), &error);
    if (scene == NULL) {
        print_error("%s\n", error.message);
    }
    assert_non_null(scene);
    return scene;
}

static inline void tgMustFailText(tgReadTextFcn* read, const char* text, const char* fragment)
{
    tgError error = {0};
    assert_null(read(text, strlen(text), &error));
    assert_int_not_equal(error.code, tg_success);
    CHECK_CONTAINS(error.message, fragment);
    assert_null(read(text, strlen(text), NULL));
}

#endif
