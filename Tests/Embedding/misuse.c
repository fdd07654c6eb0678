/* All that a program may do wrong is answered with a status. */
#include "expect.h"

#include <stdint.h>

#define NOT_UTF8 "\xC3\x28"

/* Every call on a session that is none. */
static void use(aurient_session *session) {
  float samples[64];
  int32_t number;
  aurient_state state;
  aurient_beacon_state beacons[2];
  size_t count;
  char text[8] = "before";
  memset(&state, 0, sizeof state);
  state.struct_size = sizeof state;
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_close(session));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_pull(session, samples, 32));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_sample_rate(session, &number));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_port(session, &number));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_push_head_quaternion(session, 0, 0, 0, 0, 1));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_push_head_angles(session, 0, 0, 0, 0));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_push_head_lost(session, 0));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_push_phone_heading(session, 0, 0, 0, 0));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_push_location(session, 0, 0, 0, 0, 0));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_push_course(session, 0, 0, 0));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_push_location_lost(session, 0));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_recenter(session, 0));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_place_beacon(session, "a", 0, 0));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_place_beacon_around(session, "a", 0, 1));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_remove_beacon(session, "a"));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_set_beacon_style(session, "a", "wood"));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_set_beacon_sound(session, "a", "b"));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_set_beacon_gain(session, "a", 0));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_mute_beacon(session, "a", 1));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_set_volume(session, 0));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_set_route_place(session, 0));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_set_hrtf(session, NULL));
  EXPECT(AURIENT_INVALID_HANDLE, aurient_session_state(session, &state));
  EXPECT(AURIENT_INVALID_HANDLE,
         aurient_session_beacons(session, beacons, 2, sizeof beacons[0], &count));
  HOLDS(aurient_session_message(session, text, sizeof text) == 0 && text[0] == '\0');
}

static void handles(void) {
  int local = 0;
  size_t number;
  aurient_session *session = open_session();
  use(NULL);
  use((aurient_session *)(void *)&local);
  use((aurient_session *)(uintptr_t)UINTPTR_MAX);
  for (number = 1; number < 4096; number += 7) {
    EXPECT(AURIENT_INVALID_HANDLE, aurient_session_pull((aurient_session *)number, NULL, 0));
  }
  /* Neighbours of a good one. */
  use((aurient_session *)((uintptr_t)session + 1));
  use((aurient_session *)((uintptr_t)session + 65536));
  use((aurient_session *)((uintptr_t)session - 65536));
  EXPECT(AURIENT_OK, aurient_session_close(session));
  use(session);
  /* Its slot is used again, with another handle. */
  aurient_session *next = open_session();
  HOLDS(next != session);
  use(session);
  EXPECT(AURIENT_OK, aurient_session_close(next));
}

static void sizes(void) {
  struct {
    aurient_session_options options;
    char more[64];
  } longer;
  struct {
    aurient_state state;
    char more[64];
  } state;
  aurient_session *session = NULL;
  aurient_session_options options = default_options();
  size_t wrong[] = {0, 1, 7, 8, 64, sizeof options - 1, 1u << 20, SIZE_MAX, SIZE_MAX / 2};
  size_t index;
  for (index = 0; index < sizeof wrong / sizeof wrong[0]; index++) {
    options.struct_size = wrong[index];
    EXPECT(AURIENT_INVALID_SIZE, aurient_session_open_pulled(&options, &session));
    HOLDS(session == NULL);
  }
  /* A structure of a newer version: what is unknown must be 0. */
  memset(&longer, 0, sizeof longer);
  longer.options = default_options();
  longer.options.struct_size = sizeof longer;
  longer.more[63] = 1;
  EXPECT(AURIENT_INVALID_SIZE, aurient_session_open_pulled(&longer.options, &session));
  longer.more[63] = 0;
  EXPECT(AURIENT_OK, aurient_session_open_pulled(&longer.options, &session));

  memset(&state, 1, sizeof state);
  for (index = 0; index < sizeof wrong / sizeof wrong[0]; index++) {
    state.state.struct_size = wrong[index] == sizeof options - 1 ? 24 : wrong[index];
    EXPECT(AURIENT_INVALID_SIZE, aurient_session_state(session, &state.state));
  }
  state.state.struct_size = sizeof state;
  EXPECT(AURIENT_OK, aurient_session_state(session, &state.state));
  HOLDS(state.more[0] == 0 && state.more[63] == 0 && state.state.struct_size == sizeof state);
  state.state.struct_size = sizeof state.state;
  state.more[0] = 7;
  EXPECT(AURIENT_OK, aurient_session_state(session, &state.state));
  HOLDS(state.more[0] == 7);
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_state(session, NULL));
  EXPECT(AURIENT_OK, aurient_session_close(session));
}

static void lists(void) {
  aurient_session *session = open_session();
  aurient_beacon_state beacons[3];
  aurient_name names[4];
  size_t count = 99;
  EXPECT(AURIENT_OK, aurient_session_place_beacon_around(session, "a", 0, 1));
  EXPECT(AURIENT_OK, aurient_session_place_beacon_around(session, "b", 90, 1));
  EXPECT(AURIENT_OK, aurient_session_pull(session, NULL, 0));
  EXPECT(AURIENT_OK, aurient_session_beacons(session, NULL, 0, sizeof beacons[0], &count));
  float samples[2];
  EXPECT(AURIENT_OK, aurient_session_pull(session, samples, 1));
  EXPECT(AURIENT_OK, aurient_session_beacons(session, NULL, 0, sizeof beacons[0], &count));
  HOLDS(count == 2);
  memset(beacons, 1, sizeof beacons);
  EXPECT(AURIENT_OK, aurient_session_beacons(session, beacons, 1, sizeof beacons[0], &count));
  HOLDS(count == 2 && strcmp(beacons[0].name, "a") == 0 && beacons[1].name[0] == 1);
  EXPECT(AURIENT_OK, aurient_session_beacons(session, beacons, 3, sizeof beacons[0], &count));
  HOLDS(strcmp(beacons[1].name, "b") == 0 && beacons[1].bearing > 89.99 && beacons[2].name[0] == 1);
  EXPECT(AURIENT_INVALID_ARGUMENT,
         aurient_session_beacons(session, NULL, 1, sizeof beacons[0], &count));
  EXPECT(AURIENT_INVALID_ARGUMENT,
         aurient_session_beacons(session, beacons, 1, sizeof beacons[0], NULL));
  EXPECT(AURIENT_INVALID_SIZE, aurient_session_beacons(session, beacons, 1, 0, &count));
  EXPECT(AURIENT_INVALID_SIZE, aurient_session_beacons(session, beacons, 1, SIZE_MAX, &count));
  EXPECT(AURIENT_INVALID_ARGUMENT,
         aurient_session_beacons(session, beacons, SIZE_MAX, sizeof beacons[0], &count));
  EXPECT(AURIENT_INVALID_ARGUMENT,
         aurient_session_beacons(session, beacons, SIZE_MAX / 2, sizeof beacons[0], &count));
  EXPECT(AURIENT_OK, aurient_session_close(session));
  EXPECT(AURIENT_OK, aurient_list_data_sets(names, 4, sizeof names[0], &count));
  HOLDS(count >= 2 && names[0].is_standard == 1 && strcmp(names[0].name, "MIT-KEMAR-44100") == 0);
  EXPECT(AURIENT_INVALID_SIZE, aurient_list_data_sets(names, 4, 3, &count));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_list_devices(NULL, 4, sizeof names[0], &count));
}

static void values(void) {
  static char endless[5000];
  double bad[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 361, 1e9};
  size_t index;
  char message[256];
  float samples[8];
  aurient_session *session = open_session();
  memset(endless, 'x', sizeof endless - 1);
  EXPECT(AURIENT_OK, aurient_session_place_beacon(session, "Door", 51, 0));
  for (index = 0; index < sizeof bad / sizeof bad[0]; index++) {
    double value = bad[index];
    EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_push_head_quaternion(session, 0, value, 0, 0, 1));
    EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_push_head_angles(session, 0, value, 0, 0));
    EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_push_head_angles(session, 0, 0, 0, value));
    EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_push_location(session, 0, value, 0, NAN, NAN));
    EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_push_location(session, 0, 0, value, NAN, NAN));
    EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_place_beacon(session, "Door", value, 0));
    EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_place_beacon(session, "Door", 0, value));
    EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_place_beacon_around(session, "Door", value, 1));
    EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_set_beacon_gain(session, "Door", value));
    EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_set_volume(session, value));
    if (!isnan(value)) {
      EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_push_course(session, 0, value, NAN));
      EXPECT(AURIENT_INVALID_ARGUMENT,
             aurient_session_push_phone_heading(session, 0, value, NAN, NAN));
      EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_recenter(session, value));
    }
  }
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_push_head_lost(session, INFINITY));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_push_head_angles(session, 1e6, 0, 0, 0));
  EXPECT(AURIENT_OK, aurient_session_push_head_angles(session, -INFINITY + 1e300 > 0 ? 0 : NAN, 0, 0, 0));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_push_phone_heading(session, 0, NAN, NAN, NAN));
  EXPECT(AURIENT_OK, aurient_session_push_phone_heading(session, 0, NAN, NAN, -1));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_place_beacon_around(session, "Door", 0, 0));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_place_beacon_around(session, "Door", 0, -1));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_place_beacon_around(session, "Door", 0, NAN));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_pull(session, NULL, 1));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_pull(session, samples, SIZE_MAX));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_pull(session, samples, ((size_t)1 << 20) + 1));
  EXPECT(AURIENT_OK, aurient_session_pull(session, NULL, 0));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_sample_rate(session, NULL));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_port(session, NULL));

  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_place_beacon(session, NULL, 0, 0));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_place_beacon(session, "", 0, 0));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_place_beacon(session, "a\nb", 0, 0));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_place_beacon(session, NOT_UTF8, 0, 0));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_place_beacon(session, endless, 0, 0));
  EXPECT(AURIENT_NOT_FOUND, aurient_session_remove_beacon(session, "Window"));
  EXPECT(AURIENT_NOT_FOUND, aurient_session_set_beacon_style(session, "Door", "stone"));
  EXPECT(AURIENT_NOT_FOUND, aurient_session_set_beacon_sound(session, "Door", "/none.wav"));
  EXPECT(AURIENT_BAD_FILE, aurient_session_set_beacon_sound(session, "Door", "/dev/null"));
  EXPECT(AURIENT_NOT_FOUND, aurient_session_set_hrtf(session, "nobody"));
  EXPECT(AURIENT_NOT_FOUND, aurient_session_set_hrtf(session, "/none.sofa"));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_set_hrtf(session, ""));
  EXPECT(AURIENT_WRONG_STATE, aurient_session_set_route_place(session, 0));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_set_route_place(session, -1));
  HOLDS(aurient_session_message(session, message, sizeof message) == strlen(message));
  HOLDS(strstr(message, "place -1") != NULL);
  /* Cut off, and ended. */
  HOLDS(aurient_session_message(session, message, 4) > 4 && strlen(message) == 3);
  HOLDS(aurient_last_message(NULL, 0) > 0);
  for (index = 0; index < 7; index++) {
    char name[2] = {(char)('a' + index), 0};
    EXPECT(AURIENT_OK, aurient_session_place_beacon(session, name, 0, 0));
  }
  EXPECT(AURIENT_FULL, aurient_session_place_beacon(session, "one more", 0, 0));
  for (index = 0; index < 2000; index++) aurient_session_push_head_angles(session, 0, 1, 0, 0);
  EXPECT(AURIENT_FULL, aurient_session_push_head_angles(session, 0, 1, 0, 0));
  EXPECT(AURIENT_FULL, aurient_session_place_beacon(session, "Door", 1, 1));
  EXPECT(AURIENT_OK, aurient_session_pull(session, samples, 4));
  EXPECT(AURIENT_OK, aurient_session_place_beacon(session, "Door", 1, 1));
  EXPECT(AURIENT_OK, aurient_session_close(session));
}

static int32_t stop(double fraction, void *context) {
  *(double *)context = fraction;
  return 1;
}

static void options(void) {
  aurient_session *session;
  aurient_session_options made;
  aurient_render_options render;
  aurient_fidelity fidelity;
  double fraction = -1;
#define REFUSED(status, change)                                        \
  do {                                                                 \
    made = default_options();                                          \
    change;                                                            \
    EXPECT(status, aurient_session_open_pulled(&made, &session));      \
    HOLDS(session == NULL);                                            \
  } while (0)
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_session_open_pulled(NULL, NULL));
  REFUSED(AURIENT_NOT_FOUND, made.scene_path = "/none.json");
  REFUSED(AURIENT_BAD_FILE, made.scene_path = "/dev/null");
  REFUSED(AURIENT_INVALID_ARGUMENT, made.scene_path = NOT_UTF8);
  REFUSED(AURIENT_NOT_FOUND, made.hrtf = "nobody");
  REFUSED(AURIENT_NOT_FOUND, made.route = "/none.gpx");
  REFUSED(AURIENT_INVALID_ARGUMENT, made.gain = NAN);
  REFUSED(AURIENT_INVALID_ARGUMENT, made.gain = 1);
  REFUSED(AURIENT_INVALID_ARGUMENT, made.sample_rate = -1);
  REFUSED(AURIENT_INVALID_ARGUMENT, made.sample_rate = 1 << 30);
  REFUSED(AURIENT_INVALID_ARGUMENT, made.beacon_capacity = -1);
  REFUSED(AURIENT_INVALID_ARGUMENT, made.beacon_capacity = 256);
  REFUSED(AURIENT_INVALID_ARGUMENT, made.head_reference = (aurient_head_reference)9);
  REFUSED(AURIENT_INVALID_ARGUMENT, made.calibrator = (aurient_calibrator)-1);
  REFUSED(AURIENT_INVALID_ARGUMENT, made.latency = (aurient_latency)77);
  REFUSED(AURIENT_INVALID_ARGUMENT, made.osc_port = 65536);
  REFUSED(AURIENT_INVALID_ARGUMENT, made.osc_port = -2);
  REFUSED(AURIENT_INVALID_ARGUMENT, made.osc_port = made.opentrack_port = 9000);
  REFUSED(AURIENT_SYSTEM, (made.osc_port = -1, made.listen_address = "no address"));
  REFUSED(AURIENT_INVALID_ARGUMENT, made.gpsd = "a:b:c");
  REFUSED(AURIENT_INVALID_ARGUMENT, made.nmea = "nothing");
  REFUSED(AURIENT_INVALID_ARGUMENT, (made.nmea = "udp:0", made.gpsd = "localhost"));

  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_render(NULL));
  memset(&render, 0, sizeof render);
  EXPECT(AURIENT_INVALID_SIZE, aurient_render(&render));
  render.struct_size = sizeof render;
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_render(&render));
  render.scene_path = "/none.json";
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_render(&render));
  render.output_path = "/none/out.wav";
  EXPECT(AURIENT_NOT_FOUND, aurient_render(&render));
  render.thread_count = -1;
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_render(&render));
  render.thread_count = 1025;
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_render(&render));
  render.thread_count = 1024;
  render.progress = stop;
  render.progress_context = &fraction;
  EXPECT(AURIENT_CANCELLED, aurient_render(&render));
  HOLDS(fraction == 0);
  EXPECT(AURIENT_NOT_FOUND, aurient_convert_sofa("/none.sofa", "/tmp/none.mhr", AURIENT_EQUALIZE_NONE, 0));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_convert_sofa(NULL, NULL, AURIENT_EQUALIZE_NONE, 0));
  EXPECT(AURIENT_INVALID_ARGUMENT,
         aurient_convert_sofa("MIT", "/tmp/none.mhr", (aurient_equalization)5, 0));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_convert_sofa("MIT", "/tmp/none.mhr", AURIENT_EQUALIZE_NONE, NAN));
  EXPECT(AURIENT_UNWRITABLE, aurient_convert_sofa("MIT", "/none/none.mhr", AURIENT_EQUALIZE_NONE, 0));
  fidelity.struct_size = 3;
  EXPECT(AURIENT_INVALID_SIZE, aurient_verify_sofa("MIT", &fidelity, NULL, NULL));
  fidelity.struct_size = sizeof fidelity;
  EXPECT(AURIENT_CANCELLED, aurient_verify_sofa("MIT", &fidelity, stop, &fraction));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_verify_sofa("MIT", NULL, NULL, NULL));
  EXPECT(AURIENT_WRONG_STATE, aurient_set_data_folder("/tmp"));
  EXPECT(AURIENT_NOT_FOUND, aurient_set_data_folder("/none"));
  EXPECT(AURIENT_INVALID_ARGUMENT, aurient_set_data_folder(NULL));
  HOLDS(strcmp(aurient_status_name((aurient_status)4711), "unknown") == 0);
}

int main(void) {
  handles();
  sizes();
  lists();
  values();
  options();
  return failures > 0;
}
