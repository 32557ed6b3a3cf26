#define _GNU_SOURCE
#include "confinement.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

bool has_landlock = false;

/// Forbids every file, TCP port, abstract socket and signal that this kernel's Landlock knows (landlock(7)).
static void forbid_files(void) {
    // As in Linux 6.12: the system's header may be older than its kernel.
    struct { uint64_t files, ports, scopes; } handled;
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return;
    int files = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    handled.files = (1u << files) - 1;
    handled.ports = handled.scopes = 3;
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0);
    if (rules < 0) return;
    has_landlock = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped)
#define IF_SET(bits, skipped) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, skipped, 0)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ALLOW_CALL(name) UNLESS(SYS_##name, 1), ALLOW

/// Every other system call fails, also those of other calling conventions.
static struct sock_filter filter[] = {
    LOAD(arch), UNLESS(ARCHITECTURE, 1), BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0), KILL,
    LOAD(nr),
    ALLOW_CALL(exit), ALLOW_CALL(exit_group), ALLOW_CALL(rt_sigreturn), ALLOW_CALL(restart_syscall),
    ALLOW_CALL(brk), ALLOW_CALL(munmap), ALLOW_CALL(mremap), ALLOW_CALL(madvise),
    ALLOW_CALL(futex), ALLOW_CALL(clock_gettime),
    UNLESS(SYS_read, 4), LOAD(args[0]), UNLESS(STDIN_FILENO, 1), ALLOW, REFUSE,
    UNLESS(SYS_write, 4), LOAD(args[0]), UNLESS(STDOUT_FILENO, 1), ALLOW, REFUSE,
    // Memory that is no file and no code.
    UNLESS(SYS_mprotect, 4), LOAD(args[2]), IF_SET(PROT_EXEC, 1), ALLOW, REFUSE,
    UNLESS(SYS_mmap, 6), LOAD(args[2]), IF_SET(PROT_EXEC, 3), LOAD(args[4]), UNLESS(0xFFFFFFFF, 1), ALLOW, REFUSE,
    REFUSE,
};

static bool filter_system_calls(void) {
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static bool filter_system_calls(void) { return false; }
#endif

static bool limit(int resource, rlim_t maximum) {
    return setrlimit(resource, &(struct rlimit){maximum, maximum}) == 0;
}

const char *confine(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "no_new_privs";
    if (close_range(3, ~0u, 0) != 0) return "close_range";
    forbid_files();
    // Neither the picture's bytes nor a debugger can get what is in the environment.
    for (char **variable = environ; *variable; variable++) memset(*variable, 0, strlen(*variable));
    static char *no_variables[] = {NULL};
    environ = no_variables;
    // In bytes and seconds.
    if (!limit(RLIMIT_AS, 512 << 20) || !limit(RLIMIT_CPU, 4)) return "limits of memory and time";
    if (!limit(RLIMIT_CORE, 0) || !limit(RLIMIT_NOFILE, 0) || !limit(RLIMIT_NPROC, 0))
        return "limits of files and processes";
    if (!filter_system_calls()) return "seccomp";
    return NULL;
}
