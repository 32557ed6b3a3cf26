#ifndef FEEDBELL_CLINUX_SHIM_H
#define FEEDBELL_CLINUX_SHIM_H

// Swift's Glibc module does not contain these headers.
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// The headers declare it with _GNU_SOURCE only, with which Swift does not read them (glibc 2.34).
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// Swift does not import functions with variable arguments.
static inline void feedbell_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0L, 0L, 0L); }

// Swift does not import macros with arguments: the name of a locale's category (newlocale(3)).
static inline const char *feedbell_messages_locale(locale_t locale) {
    return nl_langinfo_l(_NL_LOCALE_NAME(LC_MESSAGES), locale);
}

// Swift imports the flags with a type of their own.
static inline int feedbell_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int feedbell_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline int feedbell_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }
static inline int feedbell_datagram_socket(void) { return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0); }
static inline int feedbell_send_flags(void) { return MSG_DONTWAIT | MSG_NOSIGNAL; }

#endif
