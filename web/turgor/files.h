// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Files that a page gives along with a document, by the names that the document has for them.
#ifndef TURGOR_WEB_FILES_H
#define TURGOR_WEB_FILES_H

#include <stdbool.h>
#include <stddef.h>

/// Copies it; false without memory.
bool tgGiveFile(const char* name, const void* data, size_t size);
void tgForgetFiles(void);

#endif
