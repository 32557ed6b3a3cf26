#ifndef FEEDBELL_CTIMERFD_SHIM_H
#define FEEDBELL_CTIMERFD_SHIM_H

// Swift's Glibc module does not contain this header.
#include <sys/timerfd.h>

#endif
