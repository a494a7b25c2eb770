// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// WebAssembly only. Formatting an error message drags in the C library's streams, and with them
// three calls to the host. They are never made; giving them a body here keeps the module free of
// imports, so that any page can start it with an empty object.

#include <stdint.h>

enum { tg_wasiNotSupported = 58 };

int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file);
int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t offset, int32_t whence,
                                                  int32_t result);
int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t vectors, int32_t count,
                                                   int32_t written);

int32_t __imported_wasi_snapshot_preview1_fd_close(int32_t file)
{
    (void)file;
    return tg_wasiNotSupported;
}

int32_t __imported_wasi_snapshot_preview1_fd_seek(int32_t file, int64_t offset, int32_t whence,
                                                  int32_t result)
{
    (void)file, (void)offset, (void)whence, (void)result;
    return tg_wasiNotSupported;
}

int32_t __imported_wasi_snapshot_preview1_fd_write(int32_t file, int32_t vectors, int32_t count,
                                                   int32_t written)
{
    (void)file, (void)vectors, (void)count, (void)written;
    return tg_wasiNotSupported;
}
