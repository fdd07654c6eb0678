#include <sqlite3.h>

/* Swift cannot call functions with variable arguments. */
static inline void sqliteDefend(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/* A cast of a number to a pointer, which Swift does not import: SQLite copies the text. One without
 * bytes may have no address, which would mean null. */
static inline int sqliteBindText(sqlite3_stmt *statement, int position, const char *text, int size) {
  return sqlite3_bind_text(statement, position, text ? text : "", size, SQLITE_TRANSIENT);
}

/* Macros that Swift does not import. */
static const int sqliteReadFault = SQLITE_IOERR_READ;
static const int sqliteShortRead = SQLITE_IOERR_SHORT_READ;
