#ifndef FEEDBELL_CTOML_H
#define FEEDBELL_CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of a TOML value. Dates and times without an offset are one kind: the configuration does not use them.
typedef enum ctoml_kind {
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    CTOML_DATE,
    /// A date and a time with an offset: `integer` has the milliseconds since the Unix epoch.
    CTOML_MOMENT,
    CTOML_TABLE,
    CTOML_ARRAY,
    CTOML_END
} ctoml_kind;

/// One step of a walk through a document, depth first: a value, or the beginning of a table or array, which a step of
/// kind `CTOML_END` ends. Texts are valid only during the call.
typedef struct ctoml_step {
    ctoml_kind kind;
    /// The key in the enclosing table; empty in an array.
    const char *_Nonnull key;
    size_t key_length;
    /// Lines count from 1. The line of the key in a table, of the value in an array.
    uint32_t line;
    const char *_Nullable text;
    size_t text_length;
    int64_t integer;
    double floating;
    bool boolean;
} ctoml_step;

typedef void (*ctoml_visitor)(void *_Nullable context, const ctoml_step *_Nonnull step);

/// Where and why a document is invalid.
typedef struct ctoml_failure {
    uint32_t line;
    uint32_t column;
    char message[256];
} ctoml_failure;

/// Parses a TOML 1.0 document and walks through it. The root table is not a step. Returns false, without a step, if the
/// document is not valid TOML.
bool ctoml_parse(const char *_Nonnull text, size_t length, ctoml_visitor _Nonnull visitor, void *_Nullable context,
                 ctoml_failure *_Nonnull failure);

#ifdef __cplusplus
}
#endif

#endif
