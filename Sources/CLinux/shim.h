#ifndef FEEDBELL_CLINUX_SHIM_H
#define FEEDBELL_CLINUX_SHIM_H

// Swift's Glibc module does not contain these headers.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>

// Swift does not import functions with variable arguments.
static inline void feedbell_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0L, 0L, 0L); }

// Swift imports the flags with a type of their own.
static inline int feedbell_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int feedbell_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

#endif
