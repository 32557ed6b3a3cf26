#pragma once
#include <sqlite3.h>

/// `sqlite3_bind_text` with a copy of the text: Swift cannot import the macro SQLITE_TRANSIENT.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *text, int length) {
    return sqlite3_bind_text(statement, index, text ? text : "", length, SQLITE_TRANSIENT);
}
