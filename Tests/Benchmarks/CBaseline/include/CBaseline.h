#ifndef FEEDBELL_CBASELINE_H
#define FEEDBELL_CBASELINE_H

/// The time in seconds of `count` blocking calls of `Ping` to the bus with libdbus; negative on failure.
double cbaseline_round_trips(const char *address, int count);

/// The time in seconds of sending `count` signals on one connection, in its own thread, and receiving them on another
/// with libdbus; negative on failure.
double cbaseline_signals(const char *address, int count);

#endif
