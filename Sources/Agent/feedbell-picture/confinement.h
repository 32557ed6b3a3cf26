#ifndef CONFINEMENT_H
#define CONFINEMENT_H

/// Gives up everything but standard input and output, memory and time, for the rest of this process. It needs no
/// privilege and no namespace.
///
/// Returns NULL, or what the system refused: then the process is not confined.
const char *confine(void);

/// Whether Landlock forbids files, too, besides the filter of system calls.
extern _Bool has_landlock;

#endif
