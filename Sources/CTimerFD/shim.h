#ifndef FEEDBELL_CTIMERFD_SHIM_H
#define FEEDBELL_CTIMERFD_SHIM_H

// Swift's Glibc module leaves it out.
#include <sys/timerfd.h>

#endif
