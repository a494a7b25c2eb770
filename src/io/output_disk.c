// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// A file that appears under its name only when it is whole, and stays there when the power goes.
// The temporary name is ".NAME.tmp-PID-NUMBER" in the target's own folder, so that the rename stays
// on one file system. A process that is killed leaves it behind; the next one that writes there
// removes it.

#define _DEFAULT_SOURCE   // flock
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "io/output_disk.h"

#include "core/core.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    tg_streamBufferSize = 1 << 16,
    tg_longestStem = 160, ///< bytes of the target's name kept in the temporary one; most file
                          ///< systems allow 255 in all
    tg_nameTries = 10000, ///< temporary names before giving up
};

/// The message for errno, which stdio leaves 0 in rare cases.
static const char* tgReason(void)
{
    return errno != 0 ? strerror(errno) : "unknown reason";
}

static char* tgCopyString(const char* text)
{
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

/// Make a new file beside the target. The descriptor, or -1 with errno set.
static int tgCreateTemporary(tgOutputFile* file)
{
    const char* slash = strrchr(file->path, '/');
    const char* name = slash != NULL ? slash + 1 : file->path;
    size_t nameSize = strlen(name);
    if (nameSize > tg_longestStem) {
        nameSize = tg_longestStem;
        while (nameSize > 0 && ((unsigned char)name[nameSize] & 0xC0) == 0x80) {
            nameSize -= 1; // not within a UTF-8 character
        }
    }
    size_t folderSize = (size_t)(name - file->path);
    size_t capacity = folderSize + nameSize + 64;
    file->temporaryPath = malloc(capacity);
    if (file->temporaryPath == NULL) {
        errno = ENOMEM;
        return -1;
    }
    for (int number = 0; number < tg_nameTries; ++number) {
        snprintf(file->temporaryPath, capacity, "%.*s.%.*s.tmp-%ld-%04d", (int)folderSize,
                 file->path, (int)nameSize, name, (long)getpid(), number);
        int descriptor = open(file->temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) {
            return descriptor;
        }
    }
    return -1;
}

/// The folder of a path, to be closed; -1 when it cannot be opened.
static int tgOpenFolder(const char* path)
{
    const char* slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    char* folder = malloc(length + 2);
    if (folder == NULL) {
        return -1;
    }
    memcpy(folder, path, length);
    strcpy(folder + length, slash == path ? "/" : length == 0 ? "." : "");
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    return descriptor;
}

/// The process that made a temporary file of ours, by its name; 0 for any other file.
static long tgGetMaker(const char* name)
{
    const char* mark = NULL;
    for (const char* at = name; (at = strstr(at, ".tmp-")) != NULL; ++at) {
        mark = at;
    }
    if (name[0] != '.' || mark == NULL || mark == name) {
        return 0;
    }
    const char* digits = mark + strlen(".tmp-");
    size_t digitCount = strspn(digits, "0123456789");
    bool isOurs = digitCount > 0 && digitCount < 11 && digits[digitCount] == '-' &&
                  strspn(digits + digitCount + 1, "0123456789") == 4 &&
                  digits[digitCount + 5] == '\0';
    return isOurs ? strtol(digits, NULL, 10) : 0;
}

/// Plain, our own, and nobody holds its lock: a writer elsewhere, where numbers of processes mean
/// something else, still has it.
static bool tgIsLeftBehind(int folder, const char* name)
{
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    bool isLeft = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                  status.st_uid == geteuid() && flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0) {
        close(file);
    }
    return isLeft;
}

/// Remove the temporary files of dead processes in the folder of `path`.
static void tgRemoveLeftovers(const char* path)
{
    int folder = tgOpenFolder(path);
    DIR* list = folder >= 0 ? fdopendir(folder) : NULL;
    if (list == NULL) {
        if (folder >= 0) {
            close(folder);
        }
        return;
    }
    for (const struct dirent* entry; (entry = readdir(list)) != NULL;) {
        long maker = tgGetMaker(entry->d_name);
        bool isDead = maker > 0 && kill((pid_t)maker, 0) != 0 && errno == ESRCH;
        if (isDead && tgIsLeftBehind(folder, entry->d_name)) {
            unlinkat(folder, entry->d_name, 0);
        }
    }
    closedir(list);
}

tgResult tgOutputDisk_Open(tgOutputFile* file, const char* path, bool isFirst, tgError* error)
{
    if (isFirst) {
        tgRemoveLeftovers(path);
    }
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        return tgFail(error, tg_ioError, -1, "cannot write: the target is a folder");
    }
    file->path = tgCopyString(path);
    int descriptor = file->path != NULL ? tgCreateTemporary(file) : -1;
    if (file->path == NULL || file->temporaryPath == NULL) {
        tgOutputFile_Discard(file);
        return tgFail(error, tg_outOfMemory, -1, "no memory for a file name");
    }
    if (descriptor < 0) {
        tgResult result =
            tgFail(error, tg_ioError, -1, "cannot create a file in its folder: %s", tgReason());
        free(file->temporaryPath); // nothing of ours to remove
        file->temporaryPath = NULL;
        tgOutputFile_Discard(file);
        return result;
    }
    flock(descriptor, LOCK_EX | LOCK_NB); // see tgIsLeftBehind
    file->stream = fdopen(descriptor, "w+b");
    if (file->stream == NULL) {
        close(descriptor);
        tgOutputFile_Discard(file);
        return tgFail(error, tg_outOfMemory, -1, "no memory for a file buffer");
    }
    setvbuf(file->stream, NULL, _IOFBF, tg_streamBufferSize);
    return tg_success;
}

tgResult tgOutputDisk_Write(tgOutputFile* file, const void* data, size_t size, tgError* error)
{
    TG_ASSERT(file->stream != NULL);
    errno = 0;
    if (fwrite(data, 1, size, file->stream) != size) {
        return tgFail(error, tg_ioError, -1, "cannot write: %s", tgReason());
    }
    return tg_success;
}

tgResult tgOutputDisk_Rewrite(tgOutputFile* file, const void* data, size_t size, tgError* error)
{
    errno = 0;
    if (fseeko(file->stream, 0, SEEK_SET) != 0 || fwrite(data, 1, size, file->stream) != size ||
        fseeko(file->stream, 0, SEEK_END) != 0) {
        return tgFail(error, tg_ioError, -1, "cannot write: %s", tgReason());
    }
    return tg_success;
}

tgResult tgOutputDisk_Read(tgOutputFile* file, uint64_t offset, void* data, size_t size,
                           tgError* error)
{
    errno = 0;
    if (fflush(file->stream) != 0 || fseeko(file->stream, (off_t)offset, SEEK_SET) != 0 ||
        fread(data, 1, size, file->stream) != size || fseeko(file->stream, 0, SEEK_END) != 0) {
        return tgFail(error, tg_ioError, -1, "cannot read a temporary file again: %s", tgReason());
    }
    return tg_success;
}

/// To the disk. What has no disk behind it says so, and is fine.
static bool tgSync(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

tgResult tgOutputDisk_Finish(tgOutputFile* file, tgError* error)
{
    TG_ASSERT(file->stream != NULL);
    errno = 0;
    // A full disk may show only now, when the last of the buffer goes out.
    bool flushed = fflush(file->stream) == 0 && tgSync(fileno(file->stream));
    int reason = errno;
    bool closed = fclose(file->stream) == 0;
    file->stream = NULL;
    if (!flushed || !closed) {
        errno = flushed ? errno : reason;
        return tgFail(error, tg_ioError, -1, "cannot write: %s", tgReason());
    }
    return tg_success;
}

tgResult tgOutputDisk_Commit(tgOutputFile* file, tgError* error)
{
    TG_ASSERT(file->stream == NULL && file->temporaryPath != NULL);
    // Another program may have written it since it was finished.
    int written = open(file->temporaryPath, O_RDONLY | O_CLOEXEC);
    bool isSynced = written < 0 || tgSync(written);
    if (written >= 0) {
        close(written);
    }
    if (!isSynced) {
        return tgFail(error, tg_ioError, -1, "cannot write: %s", tgReason());
    }
    if (rename(file->temporaryPath, file->path) != 0) {
        return tgFail(error, tg_ioError, -1, "cannot rename the finished file into place: %s",
                      tgReason());
    }
    free(file->temporaryPath);
    file->temporaryPath = NULL;
    // The name, too. The file is whole and in place: a folder that cannot be told so is no failure.
    int folder = tgOpenFolder(file->path);
    if (folder >= 0) {
        tgSync(folder);
        close(folder);
    }
    return tg_success;
}

void tgOutputDisk_Undo(const tgOutputFile* file)
{
    unlink(file->path);
}

void tgOutputDisk_Discard(tgOutputFile* file)
{
    if (file->stream != NULL) {
        fclose(file->stream);
    }
    if (file->temporaryPath != NULL) {
        unlink(file->temporaryPath);
    }
    free(file->temporaryPath);
    free(file->path);
}
