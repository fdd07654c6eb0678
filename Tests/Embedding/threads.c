/* Sessions of their own in several threads, and one session in several threads, closed while they use it. */
#include "expect.h"

#include <pthread.h>
#include <unistd.h>

static aurient_session *shared;

static void *own(void *argument) {
  float samples[2 * 256];
  int round, index;
  (void)argument;
  for (round = 0; round < 4; round++) {
    aurient_session *session = open_session();
    EXPECT(AURIENT_OK, aurient_session_place_beacon_around(session, "Door", 90, 3));
    for (index = 0; index < 50; index++) {
      EXPECT(AURIENT_OK, aurient_session_push_head_angles(session, NAN, index, 0, 0));
      EXPECT(AURIENT_OK, aurient_session_pull(session, samples, 256));
    }
    EXPECT(AURIENT_OK, aurient_session_close(session));
  }
  return NULL;
}

/* Until the session is closed; no other answer is right. */
static int goes_on(aurient_status status) {
  if (status == AURIENT_INVALID_HANDLE) return 0;
  HOLDS(status == AURIENT_OK || status == AURIENT_BUSY || status == AURIENT_FULL ||
        status == AURIENT_NOT_FOUND);
  return 1;
}

static void *pulls(void *argument) {
  float samples[2 * 64];
  (void)argument;
  while (goes_on(aurient_session_pull(shared, samples, 64))) {}
  return NULL;
}

static void *pushes(void *argument) {
  int index;
  (void)argument;
  for (index = 0; goes_on(aurient_session_push_head_angles(shared, NAN, index % 360, 0, 0)); index++) {
    if (index % 64 == 63) usleep(1000);
  }
  return NULL;
}

static void *places(void *argument) {
  const char *name = argument;
  aurient_state state;
  aurient_beacon_state beacons[8];
  size_t count;
  int index;
  for (index = 0; goes_on(aurient_session_place_beacon_around(shared, name, index % 360, 2)); index++) {
    goes_on(aurient_session_set_beacon_gain(shared, name, -3));
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    if (goes_on(aurient_session_state(shared, &state))) HOLDS(state.beacon_count <= 3);
    goes_on(aurient_session_beacons(shared, beacons, 8, sizeof beacons[0], &count));
    if (index % 3 == 2) goes_on(aurient_session_remove_beacon(shared, name));
    usleep(500);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[6];
  int index;
  for (index = 0; index < 4; index++) pthread_create(&threads[index], NULL, own, NULL);
  for (index = 0; index < 4; index++) pthread_join(threads[index], NULL);

  shared = open_session();
  pthread_create(&threads[0], NULL, pulls, NULL);
  pthread_create(&threads[1], NULL, pulls, NULL);
  pthread_create(&threads[2], NULL, pushes, NULL);
  pthread_create(&threads[3], NULL, places, "a");
  pthread_create(&threads[4], NULL, places, "b");
  pthread_create(&threads[5], NULL, places, "c");
  usleep(1000000);
  EXPECT(AURIENT_OK, aurient_session_close(shared));
  for (index = 0; index < 6; index++) pthread_join(threads[index], NULL);
  return failures > 0;
}
