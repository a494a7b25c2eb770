// SPDX-FileCopyrightText: The Turgor authors
// SPDX-License-Identifier: MIT
//
// Limits for the process that runs Assimp on a stranger's file: setrlimit, and on Linux a list of
// the system calls it may still make (seccomp). The file is in memory by then, so the list is
// short; a call that is not on it fails with EPERM.

#define _GNU_SOURCE

#include "io/import_sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

enum {
    tg_importCpuSeconds = 60,
    tg_importFiles = 16,
};
/// Bytes: so many in any case, and so many for each of the file's. FBX arrays are compressed.
static const rlim_t tg_importMemory = (rlim_t)2 << 30;
static const rlim_t tg_importMemoryPerByte = 64;

// The sanitizers map terabytes and read /proc at the end.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TG_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TG_IS_SANITIZED 1
#endif
#endif
#ifndef TG_IS_SANITIZED
#define TG_IS_SANITIZED 0
#endif

static void tgLimit(int resource, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0 && limit.rlim_max > most) {
        limit = (struct rlimit){most, most};
        setrlimit(resource, &limit);
    }
}

void tgLimitProcess(void)
{
    tgLimit(RLIMIT_CORE, 0);
    tgLimit(RLIMIT_CPU, tg_importCpuSeconds);
    tgLimit(RLIMIT_FSIZE, 0); // a pipe has no size
    tgLimit(RLIMIT_NOFILE, tg_importFiles);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#ifdef SYS_close_range
    syscall(SYS_close_range, 3u, ~0u, 0u); // what a host left open is not for this file
#endif
#endif
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && !TG_IS_SANITIZED
#ifdef __x86_64__
#define TG_AUDIT_ARCH AUDIT_ARCH_X86_64
#else
#define TG_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

static const uint32_t tg_allowedCalls[] = {
    SYS_read,         SYS_write,       SYS_writev, SYS_close,        SYS_fstat,
    SYS_lseek,        SYS_brk,         SYS_mmap,   SYS_munmap,       SYS_mremap,
    SYS_mprotect,     SYS_madvise,     SYS_futex,  SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_getpid,      SYS_gettid, SYS_tgkill,       SYS_clock_gettime,
    SYS_getrandom,    SYS_sched_yield, SYS_exit,   SYS_exit_group,   SYS_restart_syscall,
};

enum { tg_callCount = sizeof(tg_allowedCalls) / sizeof(tg_allowedCalls[0]) };

static void tgFilterCalls(void)
{
    struct sock_filter program[tg_callCount + 6];
    int count = 0;
    program[count++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    program[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TG_AUDIT_ARCH, 1, 0);
    program[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    program[count++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < tg_callCount; ++i) {
        // To the last instruction, over the calls that are left and the refusal.
        program[count++] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, tg_allowedCalls[i], (uint8_t)(tg_callCount - i), 0);
    }
    program[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    program[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {(unsigned short)count, program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
    }
}
#else
static void tgFilterCalls(void)
{
}
#endif

void tgEnterSandbox(size_t fileSize)
{
    if (!TG_IS_SANITIZED) {
        tgLimit(RLIMIT_AS, tg_importMemory + tg_importMemoryPerByte * (rlim_t)fileSize);
    }
    tgFilterCalls();
}
