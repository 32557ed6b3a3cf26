#ifndef FEEDBELL_CBASELINE_H
#define FEEDBELL_CBASELINE_H

/// Seconds that plain libdbus takes for so many blocking calls of `Ping` to the bus; negative on failure.
double cbaseline_round_trips(const char *address, int count);

/// Seconds that plain libdbus takes to receive so many signals that a second connection sends; negative on failure.
double cbaseline_signals(const char *address, int count);

#endif
