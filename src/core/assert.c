// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Broken promises of our own. In a file of its own, because here is the one piece of process-wide
// state: libraries above a shared core bring private copies of what they borrow of it, not of this.

#include "turgor/base.h"

#include <stdlib.h>

static tgAssertFcn* tg_assertHook;

void tgSetAssertHook(tgAssertFcn* hook)
{
    tg_assertHook = hook;
}

void tgAssertFailed(const char* condition, const char* file, int line)
{
    if (tg_assertHook != NULL) {
        tg_assertHook(condition, file, line);
    }
    abort();
}
