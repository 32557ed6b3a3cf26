#define _GNU_SOURCE
#include "confinement.h"

#include <errno.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stdbool.h>
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

/// Every other system call fails; one of another calling convention ends the process.
static bool filter_system_calls(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return false;
    static const int always[] = {
        SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall), SCMP_SYS(brk),
        SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(clock_gettime),
    };
    int failure = 0;
    for (size_t index = 0; index < sizeof always / sizeof *always; index++)
        failure |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, always[index], 0);
    failure |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(read), 1, SCMP_A0(SCMP_CMP_EQ, STDIN_FILENO));
    failure |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1, SCMP_A0(SCMP_CMP_EQ, STDOUT_FILENO));
    // Memory that is no file and no code.
    struct scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    struct scmp_arg_cmp no_file = SCMP_A4(SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, 0xFFFFFFFF);
    failure |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, no_code);
    failure |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, no_code, no_file);
    return failure == 0 && seccomp_load(filter) == 0;
}

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
