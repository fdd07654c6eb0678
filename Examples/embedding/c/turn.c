/* A beacon to the east, a head that turns once around in ten seconds: written to turn.wav. */
#include <aurient.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(aurient_status status) {
  char message[512];
  if (status == AURIENT_OK) return;
  aurient_last_message(message, sizeof message);
  fprintf(stderr, "turn: %s: %s\n", aurient_status_name(status), message);
  exit(1);
}

/* Numbers of a WAV file are little-endian. */
static void put(FILE *file, uint32_t value, int bytes) {
  while (bytes-- > 0) {
    fputc((int)(value & 0xFF), file);
    value >>= 8;
  }
}

static void put_header(FILE *file, uint32_t rate, uint32_t frames) {
  fwrite("RIFF", 1, 4, file);
  put(file, 50 + 8 * frames, 4);
  fwrite("WAVEfmt ", 1, 8, file);
  put(file, 18, 4);
  put(file, 3, 2); /* floats */
  put(file, 2, 2);
  put(file, rate, 4);
  put(file, 8 * rate, 4);
  put(file, 8, 2);
  put(file, 32, 2);
  put(file, 0, 2);
  fwrite("fact", 1, 4, file);
  put(file, 4, 4);
  put(file, frames, 4);
  fwrite("data", 1, 4, file);
  put(file, 8 * frames, 4);
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "turn.wav";
  aurient_session_options options;
  aurient_session *session;
  int32_t rate;
  float samples[2 * 480];
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    perror(path);
    return 1;
  }

  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.head_reference = AURIENT_HEAD_NORTH;
  check(aurient_session_open_pulled(&options, &session));
  check(aurient_session_sample_rate(session, &rate));
  check(aurient_session_place_beacon_around(session, "Door", 90, 5));

  put_header(file, (uint32_t)rate, 10u * (uint32_t)rate);
  for (int32_t frame = 0; frame < 10 * rate; frame += rate / 100) {
    double yaw = 360.0 * frame / (10.0 * rate);
    check(aurient_session_push_head_angles(session, NAN, yaw, 0, 0));
    check(aurient_session_pull(session, samples, (size_t)(rate / 100)));
    for (int32_t index = 0; index < 2 * (rate / 100); index++) {
      uint32_t bits;
      memcpy(&bits, &samples[index], sizeof bits);
      put(file, bits, 4);
    }
  }
  check(aurient_session_close(session));
  if (fclose(file) != 0) {
    perror(path);
    return 1;
  }
  printf("%s: a beacon to the east, a head that turns right once around\n", path);
  return 0;
}
