/* The least that any program must do to put a motion log's records into SQLite: the measure of what
 * `aurient log import` adds. Reads the same CSV with strtod, computes and checks nothing, and inserts the
 * same rows into the same table and index with the same pragmas.
 *
 * bare-sqlite LOG.csv SCHEMA.sql OUT.sqlite
 * LOG.csv: the 32 columns that `aurient log export` writes, without quotes. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(sqlite3 *database, int result) {
  if (result == SQLITE_OK || result == SQLITE_DONE) return;
  fprintf(stderr, "bare-sqlite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static void run(sqlite3 *database, const char *sql) {
  check(database, sqlite3_exec(database, sql, NULL, NULL, NULL));
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  FILE *log = fopen(argv[1], "r"), *schema = fopen(argv[2], "r");
  static char sql[1 << 16], line[1 << 16];
  if (!log || !schema || !fread(sql, 1, sizeof sql - 1, schema)) return 2;
  setvbuf(log, NULL, _IOFBF, 1 << 20);
  sqlite3 *database;
  check(NULL, sqlite3_open_v2(argv[3], &database,
                              SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                              NULL));
  run(database, "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  run(database, sql);
  sqlite3_stmt *insert;
  check(database, sqlite3_prepare_v2(database,
                                     "INSERT INTO airpods_motion VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                                     " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                                     " ?, ?, ?)",
                                     -1, &insert, NULL));
  run(database, "BEGIN");
  if (!fgets(line, sizeof line, log)) return 2;
  for (sqlite3_int64 id = 1; fgets(line, sizeof line, log); id++) {
    sqlite3_bind_int64(insert, 1, id);
    char *field = line;
    for (int column = 0; column < 32; column++) {
      size_t length = strcspn(field, ",\n");
      int place = column + 2, isText = column == 26 || column == 27 || column == 30;
      if (isText)
        sqlite3_bind_text(insert, place, field, (int)length, SQLITE_STATIC);
      else if (length == 0)
        sqlite3_bind_null(insert, place);
      else if (column < 25)
        sqlite3_bind_double(insert, place, strtod(field, NULL));
      else
        sqlite3_bind_int64(insert, place, strtoll(field, NULL, 10));
      field += length + 1;
    }
    check(database, sqlite3_step(insert));
    sqlite3_reset(insert);
  }
  run(database, "COMMIT");
  sqlite3_finalize(insert);
  run(database, "PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL");
  sqlite3_close(database);
  return 0;
}
