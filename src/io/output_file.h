// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A file that appears under its name only when it is whole: written to a temporary name beside the
// target, then renamed. Or one in memory, with the same bytes. All writers go through it, those of
// other libraries of ours too.
#ifndef TURGOR_IO_OUTPUT_FILE_H
#define TURGOR_IO_OUTPUT_FILE_H

#include "turgor/io.h"

#include <stdint.h>
#include <stdio.h>

/// All zero is a file that was never opened; discarding it is fine.
typedef struct tgOutputFile {
    FILE* stream;        ///< NULL once closed
    char* path;          ///< the target
    char* temporaryPath; ///< beside it; NULL once renamed or removed
    uint64_t size;       ///< bytes appended so far
    bool inMemory;       ///< there is no file: the following hold it
    uint8_t* bytes;
    size_t room;
    tgBytes* target; ///< takes them over when all are written; NULL: nobody does
} tgOutputFile;

/// Create the temporary file, open for reading and writing. Fails when the target is a folder or
/// its folder cannot be written. Temporary files that dead processes left in the folder are
/// removed.
tgResult tgOutputFile_Open(tgOutputFile* file, const char* path, tgError* error);
/// One more of the same job: the folder is not looked through again.
tgResult tgOutputFile_OpenNext(tgOutputFile* file, const char* path, tgError* error);
/// A file in memory.
/// @param target takes the bytes over when the file is committed; NULL: nobody does
void tgOutputFile_OpenMemory(tgOutputFile* file, tgBytes* target);
/// To memory where there is a target for that, else to the path.
tgResult tgOutputFile_OpenFor(tgOutputFile* file, const char* path, tgBytes* target,
                              tgError* error);
/// For what waits until the end of another: where that is, on the disk or in memory.
tgResult tgOutputFile_OpenBeside(tgOutputFile* file, const tgOutputFile* other, tgError* error);
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
/// Remove a file that was committed.
void tgOutputFile_Undo(tgOutputFile* file);
/// Close, remove the temporary file unless it was renamed, and free. The struct is all zero again.
void tgOutputFile_Discard(tgOutputFile* file);

/// What follows the last slash; all of the path where that is nothing; "" for NULL.
const char* tgGetFileName(const char* path);
/// Does the path end so, capitals or not? `ending` is lower case with its dot.
bool tgHasEnding(const char* path, const char* ending);

#endif
