/* What the test programs share. */
#ifndef EXPECT_H
#define EXPECT_H

#include <aurient.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static inline void expect_status(int line, const char *text, aurient_status is,
                                 aurient_status wanted) {
  char message[512];
  if (is == wanted) return;
  aurient_last_message(message, sizeof message);
  fprintf(stderr, "line %d: %s: %s, not %s (%s)\n", line, text, aurient_status_name(is),
          aurient_status_name(wanted), message);
  failures++;
}

/* That a call answers with a status. */
#define EXPECT(wanted, call) expect_status(__LINE__, #call, call, wanted)

/* That something holds. */
#define HOLDS(condition)                                            \
  do {                                                              \
    if (!(condition)) {                                             \
      fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition); \
      failures++;                                                   \
    }                                                               \
  } while (0)

static inline aurient_session_options default_options(void) {
  aurient_session_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.head_reference = AURIENT_HEAD_NORTH;
  options.beacon_capacity = 8;
  return options;
}

static inline aurient_session *open_session(void) {
  aurient_session_options options = default_options();
  aurient_session *session = NULL;
  EXPECT(AURIENT_OK, aurient_session_open_pulled(&options, &session));
  if (session == NULL) exit(1);
  return session;
}

#endif
