#ifndef FEEDBELL_CLINUX_SHIM_H
#define FEEDBELL_CLINUX_SHIM_H

// Swift's Glibc module does not contain these headers.
#include <fcntl.h>
#include <langinfo.h>
#include <libintl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

// The headers declare it with _GNU_SOURCE only, with which Swift does not read them (glibc 2.34).
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// Swift does not import functions with variable arguments.
static inline void feedbell_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0L, 0L, 0L); }

// Swift does not import macros with arguments: the name of a locale's category (newlocale(3)).
static inline const char *feedbell_messages_locale(locale_t locale) {
    return nl_langinfo_l(_NL_LOCALE_NAME(LC_MESSAGES), locale);
}
// nl_langinfo(3), as localeconv(3) describes them.
static inline const char *feedbell_thousands_separator(locale_t locale) { return nl_langinfo_l(THOUSEP, locale); }
static inline const char *feedbell_digit_grouping(locale_t locale) { return nl_langinfo_l(__GROUPING, locale); }

// A descriptor that is readable once the process has ended (pidfd_open(2)); it is not inherited. -1: not supported.
static inline int feedbell_pidfd(pid_t process) { return (int)syscall(434 /* SYS_pidfd_open */, process, 0); }

// Sends a signal to the process of a descriptor (pidfd_send_signal(2)).
static inline int feedbell_pidfd_signal(int process, int signal) {
    return (int)syscall(424 /* SYS_pidfd_send_signal */, process, signal, (void *)0, 0);
}

// The limit of core files (setrlimit(2)). Swift imports RLIMIT_CORE with a type of its own.
static inline void feedbell_disable_core_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
    limit.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &limit);
}

// Swift imports the flags with a type of their own.
static inline int feedbell_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int feedbell_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline int feedbell_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }
static inline int feedbell_datagram_socket(void) { return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0); }
// A socket that receives the changes of links, addresses and routes (rtnetlink(7)). -1: not supported.
static inline int feedbell_route_socket(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK};
    address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    close(descriptor);
    return -1;
}
static inline int feedbell_send_flags(void) { return MSG_DONTWAIT | MSG_NOSIGNAL; }

#endif
