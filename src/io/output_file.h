// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A file that appears under its name only when it is whole: written to a temporary name beside the
// target, then renamed. All writers go through it, those of other libraries of ours too.
#ifndef TURGOR_IO_OUTPUT_FILE_H
#define TURGOR_IO_OUTPUT_FILE_H

#include "turgor/base.h"

#include <stdint.h>
#include <stdio.h>

/// All zero is a file that was never opened; discarding it is fine.
typedef struct tgOutputFile {
    FILE* stream;        ///< NULL once closed
    char* path;          ///< the target
    char* temporaryPath; ///< beside it; NULL once renamed or removed
    uint64_t size;       ///< bytes appended so far
} tgOutputFile;

/// Create the temporary file, open for reading and writing. Fails when the target is a folder or
/// its folder cannot be written. Temporary files that dead processes left in the folder are
/// removed.
tgResult tgOutputFile_Open(tgOutputFile* file, const char* path, tgError* error);
/// One more of the same job: the folder is not looked through again.
tgResult tgOutputFile_OpenNext(tgOutputFile* file, const char* path, tgError* error);
tgResult tgOutputFile_Write(tgOutputFile* file, const void* data, size_t size, tgError* error);
/// Copy all of `from`, as written so far, to the end of `file`.
tgResult tgOutputFile_Append(tgOutputFile* file, tgOutputFile* from, tgError* error);
/// The same as base64 text.
tgResult tgOutputFile_AppendBase64(tgOutputFile* file, tgOutputFile* from, tgError* error);
/// Replace bytes at the start of the file, then go on at its end.
tgResult tgOutputFile_Rewrite(tgOutputFile* file, const void* data, size_t size, tgError* error);
/// All bytes written so far, for the caller to free; NULL on failure.
uint8_t* tgOutputFile_ReadBack(tgOutputFile* file, tgError* error);
/// Everything is written: flush to the disk and close. The file keeps its temporary name.
tgResult tgOutputFile_Finish(tgOutputFile* file, tgError* error);
/// Rename a finished file to its target.
tgResult tgOutputFile_Commit(tgOutputFile* file, tgError* error);
/// Close, remove the temporary file unless it was renamed, and free. The struct is all zero again.
void tgOutputFile_Discard(tgOutputFile* file);

/// What follows the last slash; all of the path where that is nothing; "" for NULL.
const char* tgGetFileName(const char* path);
/// Does the path end so, capitals or not? `ending` is lower case with its dot.
bool tgHasEnding(const char* path, const char* ending);

#endif
