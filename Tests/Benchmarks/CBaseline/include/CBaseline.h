#ifndef FEEDBELL_CBASELINE_H
#define FEEDBELL_CBASELINE_H

/// Seconds that plain libdbus takes for so many blocking calls of `Ping` to the bus; negative on failure.
double cbaseline_round_trips(const char *address, int count);

/// Seconds that plain libdbus takes to send so many signals on one connection, on a thread of its own, and to receive them on another;
/// negative on failure.
double cbaseline_signals(const char *address, int count);

#endif
