#pragma once
#include <sqlite3.h>

/// `sqlite3_bind_text` with a copy of the text: Swift cannot import the macro SQLITE_TRANSIENT.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *text, int length) {
    return sqlite3_bind_text(statement, index, text ? text : "", length, SQLITE_TRANSIENT);
}

/// Lets the page caches of all connections grow with the pages that are read, instead of beginning with 20 pages each.
/// Takes effect before SQLite is initialized. Swift cannot call a function with a variable number of arguments.
static inline int csqlite_allocate_pages_singly(void) {
    return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}
