/* A thread that may make no system call, for the kernel ends it at the first, pulls while others use the session: so it
 * never waits for them. Strict mode of seccomp(2). And its calls of the heap are counted: there are none. */
#include "CAllocationCount.h"
#include "expect.h"

#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FRAMES = 128, PULLS = 20000 };

static aurient_session *session;
static atomic_int pulled, is_over, is_ended;
static atomic_long heap_calls;

static void *pulls(void *argument) {
  static float samples[2 * FRAMES];
  int index, failed = 0;
  uint64_t heap_before;
  (void)argument;
  /* What Swift's runtime makes once in a process. */
  aurient_session_push_head_angles(session, NAN, 0, 0, 0);
  aurient_session_pull(session, samples, FRAMES);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) {
    atomic_store(&is_over, 2);
    return NULL;
  }
  heap_before = heap_call_count();
  for (index = 0; index < PULLS && !failed; index++) {
    failed |= aurient_session_push_head_angles(session, NAN, index % 360, 0, 0) == AURIENT_INVALID_HANDLE;
    failed |= aurient_session_pull(session, samples, FRAMES) != AURIENT_OK;
    atomic_fetch_add(&pulled, 1);
    atomic_store(&heap_calls, (long)(heap_call_count() - heap_before));
  }
  atomic_store(&is_over, 1);
  syscall(SYS_exit, 0); /* allowed; returning would unmap the stack */
  return NULL;
}

/* Once in a while, what else there is. Far away, near by, arrived. */
static void changes(const char *name, int index) {
  switch (index % 16) {
    case 1: aurient_session_mute_beacon(session, name, index % 32 < 16); break;
    case 2: aurient_session_set_beacon_gain(session, name, 0.5); break;
    case 3: aurient_session_set_volume(session, 0.5); break;
    case 4: aurient_session_recenter(session, index % 360); break;
    case 5: aurient_session_push_head_lost(session, NAN); break;
    case 6: aurient_session_push_location_lost(session, NAN); break;
    case 7: aurient_session_place_beacon(session, name, 51, index % 90 + 1e-4); break;
    case 8: aurient_session_place_beacon_around(session, name, index % 360, 40); break;
    case 9: aurient_session_set_beacon_sound(session, name, "Sounds/pink-burst.flac"); break;
    case 10: if (index % 128 == 10) aurient_session_say(session, name, "here"); break;
    case 15: aurient_session_remove_beacon(session, name); break;
    default: break;
  }
}

static void *uses(void *argument) {
  const char *name = argument;
  aurient_state state;
  int index;
  /* The first beacon is added when nothing may be made any more. */
  while (!atomic_load(&pulled) && !atomic_load(&is_ended)) usleep(100);
  for (index = 0; !atomic_load(&is_ended); index++) {
    memset(&state, 0, sizeof state);
    state.struct_size = sizeof state;
    aurient_session_place_beacon_around(session, name, index % 360, 2);
    aurient_session_set_beacon_style(session, name, index % 2 ? "wood" : "drops");
    aurient_session_push_location(session, NAN, 51, index % 90, 10, NAN);
    aurient_session_push_phone_heading(session, NAN, NAN, 10, 5);
    aurient_session_push_course(session, NAN, index % 360, 5);
    aurient_session_state(session, &state);
    changes(name, index);
    usleep(2000); /* a push that finds no room tells why, which takes memory */
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  session = open_session();
  pthread_create(&threads[1], NULL, uses, "a");
  pthread_create(&threads[2], NULL, uses, "b");
  pthread_create(&threads[0], NULL, pulls, NULL);
  pthread_join(threads[0], NULL); /* returns for a thread that the kernel has ended, too */
  atomic_store(&is_ended, 1);
  if (!atomic_load(&is_over)) {
    /* What it held is never given back: the others may wait for ever. */
    printf("realtime: the kernel ended the thread after %d of %d pulls and %ld calls of the heap\n",
           atomic_load(&pulled), PULLS, atomic_load(&heap_calls));
    fflush(stdout);
    _exit(1);
  }
  pthread_join(threads[1], NULL);
  pthread_join(threads[2], NULL);
  if (atomic_load(&is_over) == 2) {
    printf("realtime: the kernel has no seccomp: not tested\n");
    return 0;
  }
  printf("realtime: %d of %d pulls without a system call, %ld calls of the heap\n", atomic_load(&pulled), PULLS,
         atomic_load(&heap_calls));
  HOLDS(atomic_load(&pulled) == PULLS); /* a pull that fails is the last */
  HOLDS(counts_calls() && atomic_load(&heap_calls) == 0);
  return failures > 0;
}
