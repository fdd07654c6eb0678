/* What a C program with libmysofa does to render a moving source: the filter that the library interpolates for each
 * direction, and direct convolution, with a linear fade from the filter before, for a step would click.
 *
 * bare-sofa FILE.sofa SOUND.wav MOVES OUT.wav   MOVES: for each move the frame until which it lasts as a double,
 *                                               then the source's place as floats, x y z of SOFA, metres
 * bare-sofa FILE.sofa PLACES OUT                PLACES: x y z as floats; OUT: for each place the left and right
 *                                               responses as floats, delays taken in, 2048 each */
#include <math.h>
#include <mysofa.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TAPS = 2048, LONGEST_BLOCK = 4096 };

static void fail(const char *cause) {
  fprintf(stderr, "bare-sofa: %s\n", cause);
  exit(1);
}

static struct MYSOFA_EASY *sofa;
static int taps;

/* The responses of a place, their delays put before them as fractions of a sample. */
static int response(const float *place, float *left, float *right) {
  static float filter[2][MOST_TAPS];
  float delays[2];
  mysofa_getfilter_float(sofa, place[0], place[1], place[2], filter[0], filter[1], delays, delays + 1);
  int length = 0;
  for (int ear = 0; ear < 2; ear++) {
    float *out = ear ? right : left, delay = delays[ear] * sofa->hrtf->DataSamplingRate.values[0];
    int whole = (int)floorf(delay);
    float part = delay - whole;
    if (whole + taps + 1 > MOST_TAPS) fail("a delay is too long");
    memset(out, 0, sizeof(float) * MOST_TAPS);
    for (int i = 0; i < taps; i++) {
      out[whole + i] += (1 - part) * filter[ear][i];
      out[whole + i + 1] += part * filter[ear][i];
    }
    if (whole + taps + 1 > length) length = whole + taps + 1;
  }
  return length;
}

/* Adds the convolution of `count` samples, with those before them, to `out`. */
static void convolve(const float *restrict in, const float *restrict filter, int length,
                     float *restrict out, int count) {
  for (int tap = 0; tap < length; tap++) {
    float factor = filter[tap];
    const float *from = in - tap;
    for (int i = 0; i < count; i++) out[i] += factor * from[i];
  }
}

int main(int argc, char **argv) {
  if (argc < 4) fail("see its source");
  int error;
  SF_INFO info = {0};
  SNDFILE *in = argc == 5 ? sf_open(argv[2], SFM_READ, &info) : NULL;
  /* At the file's own rate, and its responses as they are. */
  struct MYSOFA_HRTF *probe = mysofa_load(argv[1], &error);
  if (!probe) fail("no such measurements");
  float rate = probe->DataSamplingRate.values[0];
  mysofa_free(probe);
  sofa = mysofa_open_no_norm(argv[1], rate, &taps, &error);
  if (!sofa || taps >= MOST_TAPS) fail("no such measurements");
  static float filter[2][2][MOST_TAPS];

  if (argc == 4) {
    FILE *places = fopen(argv[2], "rb"), *out = fopen(argv[3], "wb");
    float place[3];
    if (!places || !out) fail("cannot open the places or the output");
    while (fread(place, sizeof place, 1, places) == 1) {
      response(place, filter[0][0], filter[0][1]);
      fwrite(filter[0], sizeof filter[0], 1, out);
    }
    return fclose(out);
  }

  if (!in || info.channels != 1 || info.samplerate != (int)rate) fail("no such sound");
  float *sound = malloc(sizeof(float) * info.frames);
  sf_readf_float(in, sound, info.frames);
  sf_close(in);
  SF_INFO form = {0};
  form.samplerate = (int)rate;
  form.channels = 2;
  form.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  SNDFILE *out = sf_open(argv[4], SFM_WRITE, &form);
  FILE *moves = fopen(argv[3], "rb");
  if (!out || !moves) fail("cannot open the moves or the output");
  static float past[MOST_TAPS + LONGEST_BLOCK], ears[2][2][LONGEST_BLOCK], mixed[2 * LONGEST_BLOCK];
  double until;
  float place[3];
  long rendered = 0;
  int length[2] = {0, 0}, now = 0, fades = 0;
  while (fread(&until, sizeof until, 1, moves) == 1 && fread(place, sizeof place, 1, moves) == 1) {
    now = !now;
    length[now] = response(place, filter[now][0], filter[now][1]);
    while (rendered < until) {
      int count = until - rendered < LONGEST_BLOCK ? until - rendered : LONGEST_BLOCK;
      float *block = past + MOST_TAPS;
      for (int i = 0; i < count; i++) block[i] = sound[(rendered + i) % info.frames];
      memset(ears, 0, sizeof ears);
      for (int ear = 0; ear < 2; ear++) {
        convolve(block, filter[now][ear], length[now], ears[now][ear], count);
        if (fades) convolve(block, filter[!now][ear], length[!now], ears[!now][ear], count);
      }
      for (int i = 0; i < count; i++) {
        float share = fades ? (float)(i + 1) / count : 1;
        for (int ear = 0; ear < 2; ear++)
          mixed[2 * i + ear] = share * ears[now][ear][i] + (1 - share) * ears[!now][ear][i];
      }
      sf_writef_float(out, mixed, count);
      memmove(past, past + count, sizeof(float) * MOST_TAPS);
      rendered += count;
      fades = 0;
    }
    fades = 1;
  }
  return sf_close(out);
}
