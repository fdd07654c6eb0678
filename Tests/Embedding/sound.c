/* Beacons are heard where they are: by the interaural time and level of what is pulled; and what was rendered to a file
 * is what the program renders. */
#include "expect.h"

enum { RATE = 48000, LENGTH = RATE };

static float samples[2 * LENGTH];

/* The time by which the sound is heard earlier by the right ear, microseconds: the greatest correlation, refined by a
 * parabola. */
static double right_leads(void) {
  double best = 0, around[129];
  int lag, place = 0;
  for (lag = -64; lag <= 64; lag++) {
    double sum = 0;
    int frame;
    for (frame = 4800; frame < LENGTH - 64; frame++) {
      sum += samples[2 * (frame + lag)] * samples[2 * frame + 1];
    }
    around[lag + 64] = sum;
    if (sum > best) {
      best = sum;
      place = lag;
    }
  }
  if (place > -64 && place < 64) {
    double before = around[place + 63], here = around[place + 64], after = around[place + 65];
    return 1e6 / RATE * (place + 0.5 * (before - after) / (before - 2 * here + after));
  }
  return 1e6;
}

static double right_louder(void) {
  double left = 0, right = 0;
  int frame;
  for (frame = 4800; frame < LENGTH; frame++) {
    left += samples[2 * frame] * samples[2 * frame];
    right += samples[2 * frame + 1] * samples[2 * frame + 1];
  }
  return 10 * log10(right / left);
}

int main(int argc, char **argv) {
  /* Woodworth's formula for a head of 8.75 cm, (r / c) (angle + sin angle), microseconds; a head of a real shape is
   * within 20 % of it. R. S. Woodworth, Experimental Psychology, 1938. */
  static const struct {
    double angle, time;
  } cases[] = {{0, 0}, {30, 261}, {60, 488}, {90, 656}, {-30, -261}, {-60, -488}, {-90, -656}};
  size_t index;
  aurient_session_options options = default_options();
  aurient_session *session = NULL;
  aurient_state state;
  options.hrtf = "SADIE";
  options.sound = argc > 1 ? argv[1] : NULL;
  options.sample_rate = RATE;
  EXPECT(AURIENT_OK, aurient_session_open_pulled(&options, &session));
  EXPECT(AURIENT_OK, aurient_session_place_beacon_around(session, "Door", 0, 5));
  for (index = 0; index < sizeof cases / sizeof cases[0]; index++) {
    double angle = cases[index].angle, time = cases[index].time, lead, louder;
    /* To the right of where the head looks: the head turned left by as much. */
    EXPECT(AURIENT_OK, aurient_session_push_head_angles(session, NAN, -angle, 0, 0));
    EXPECT(AURIENT_OK, aurient_session_pull(session, samples, LENGTH));
    lead = right_leads();
    louder = right_louder();
    printf("%+4.0f degrees: the right ear hears it %+4.0f us earlier, %+5.1f dB louder\n", angle, lead, louder);
    HOLDS(fabs(lead - time) <= 0.2 * fabs(time) + 25);
    HOLDS(angle == 0 ? fabs(louder) < 1 : louder * angle > 0);
  }
  memset(&state, 0, sizeof state);
  state.struct_size = sizeof state;
  EXPECT(AURIENT_OK, aurient_session_state(session, &state));
  HOLDS(state.frame_count == 7 * LENGTH && fabs(state.time - 7) < 1e-9);
  HOLDS(state.heading_source == AURIENT_HEADING_HEAD && fabs(state.heading - 90) < 1e-9);
  HOLDS(state.tracking == AURIENT_TRACKING_CALIBRATED && state.beacon_count == 1);
  HOLDS(state.peak > 0 && state.peak <= 1 && state.refused_count == 0);
  EXPECT(AURIENT_OK, aurient_session_close(session));

  if (argc > 3) {
    aurient_render_options render;
    memset(&render, 0, sizeof render);
    render.struct_size = sizeof render;
    render.scene_path = argv[2];
    render.output_path = argv[3];
    EXPECT(AURIENT_OK, aurient_render(&render));
  }
  return failures > 0;
}
