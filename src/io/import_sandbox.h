// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
#ifndef TURGOR_IO_IMPORT_SANDBOX_H
#define TURGOR_IO_IMPORT_SANDBOX_H

#include <stddef.h>

/// Memory, time and files, before the file is read. Ends the process with its parent.
void tgLimitProcess(void);

/// From here on the process computes, takes memory and writes to what it has open, and nothing
/// else: no files, no network, no other programs. Does nothing where the system has no such filter.
/// @param fileSize bytes of the file to read; larger ones may take more memory
void tgEnterSandbox(size_t fileSize);

#endif
