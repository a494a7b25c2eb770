// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// The part of an output file that a disk does. Where there is none, output_none.c stands for it.
#ifndef TURGOR_IO_OUTPUT_DISK_H
#define TURGOR_IO_OUTPUT_DISK_H

#include "io/output_file.h"

/// @param isFirst look for temporary files that dead processes left in the folder
tgResult tgOutputDisk_Open(tgOutputFile* file, const char* path, bool isFirst, tgError* error);
tgResult tgOutputDisk_Write(tgOutputFile* file, const void* data, size_t size, tgError* error);
tgResult tgOutputDisk_Rewrite(tgOutputFile* file, const void* data, size_t size, tgError* error);
/// What was written; writing goes on at the end.
tgResult tgOutputDisk_Read(tgOutputFile* file, uint64_t offset, void* data, size_t size,
                           tgError* error);
tgResult tgOutputDisk_Finish(tgOutputFile* file, tgError* error);
tgResult tgOutputDisk_Commit(tgOutputFile* file, tgError* error);
void tgOutputDisk_Undo(const tgOutputFile* file);
void tgOutputDisk_Discard(tgOutputFile* file);

#endif
