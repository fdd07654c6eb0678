/* A beacon played on the default sound device for some seconds, the head turned to and fro; `live SECONDS`. */
#include <aurient.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check(aurient_status status) {
  char message[512];
  if (status == AURIENT_OK) return;
  aurient_last_message(message, sizeof message);
  fprintf(stderr, "live: %s: %s\n", aurient_status_name(status), message);
  exit(1);
}

int main(int argc, char **argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 10;
  struct timespec pause = {0, 10000000};
  aurient_session_options options;
  aurient_session *session;
  aurient_state state;

  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.head_reference = AURIENT_HEAD_NORTH;
  options.style = "wood";
  check(aurient_session_open_live(&options, &session));
  check(aurient_session_place_beacon_around(session, "Door", 30, 20));

  memset(&state, 0, sizeof state);
  state.struct_size = sizeof state;
  do {
    check(aurient_session_push_head_angles(session, NAN, 60 * sin(state.time), 0, 0));
    nanosleep(&pause, NULL);
    check(aurient_session_state(session, &state));
    printf("\r%5.1f s, heading %5.1f, peak %.2f ", state.time, state.heading, state.peak);
    fflush(stdout);
  } while (state.time < seconds && !state.has_ended);
  printf("\n");
  check(aurient_session_close(session));
  return 0;
}
