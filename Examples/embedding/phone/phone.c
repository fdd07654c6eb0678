/*
 * The head tracking of a phone's OSC app: `phone [PORT [ADDRESS [SECONDS]]]`, 9000 on all networks unless said.
 *
 * Have an app send the attitude that it measures to this machine and port, in any dialect of docs/motion-sources.md:
 *   /head/quaternion x y z w    CMAttitude.quaternion as it is
 *   /orientation yaw pitch roll degrees: right, up, right ear down
 *   /adm/lis/ypr yaw pitch roll degrees: left, up, right ear down
 * and, where it has a compass, /phone/heading degrees [accuracy], which finds where north is. Without one the way that
 * the head points at the first frame is taken as north.
 */
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
  fprintf(stderr, "phone: %s: %s\n", aurient_status_name(status), message);
  exit(1);
}

int main(int argc, char **argv) {
  double seconds = argc > 3 ? atof(argv[3]) : HUGE_VAL;
  struct timespec pause = {0, 50000000};
  aurient_session_options options;
  aurient_session *session;
  aurient_state state;
  int32_t port;

  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.osc_port = argc > 1 ? atoi(argv[1]) : 9000;
  options.listen_address = argc > 2 ? argv[2] : "0.0.0.0";
  check(aurient_session_open_live(&options, &session));
  check(aurient_session_port(session, &port));
  check(aurient_session_place_beacon_around(session, "North", 0, 5));
  check(aurient_session_place_beacon_around(session, "East", 90, 5));
  printf("listening on UDP port %d\n", (int)port);

  memset(&state, 0, sizeof state);
  state.struct_size = sizeof state;
  do {
    nanosleep(&pause, NULL);
    check(aurient_session_state(session, &state));
    if (state.tracking == AURIENT_TRACKING_CONNECTED && isnan(state.phone_heading)) {
      check(aurient_session_recenter(session, 0));
    }
    printf("\r%s, heading %5.1f ", state.tracking >= AURIENT_TRACKING_CONNECTED ? "head" : "no head",
           state.heading);
    fflush(stdout);
  } while (state.time < seconds && !state.has_ended);
  printf("\n");
  check(aurient_session_close(session));
  return 0;
}
