/* The least that any program must do to render beacons through OpenAL Soft's loopback: the measure
 * of what Aurient adds. Same library, data set, sound, moves and output file as `aurient render`,
 * without logs, calibration, geometry or metering.
 *
 * bare-loopback DATASET RATE SOUND.wav SOURCES MOVES OUT.wav
 * MOVES: for each move the sound frame as a double, then as floats ahead and up of the listener and the
 * place of each source, each x y z of OpenAL. */
#define AL_ALEXT_PROTOTYPES 1
#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *cause) {
  fprintf(stderr, "bare-loopback: %s\n", cause);
  exit(1);
}

int main(int argc, char **argv) {
  if (argc != 7) fail("DATASET RATE SOUND.wav SOURCES MOVES OUT.wav");
  int rate = atoi(argv[2]), count = atoi(argv[4]);
  ALCdevice *device = alcLoopbackOpenDeviceSOFT(NULL);
  if (!device) fail("no loopback device");
  ALCint sets = 0, index = -1;
  alcGetIntegerv(device, ALC_NUM_HRTF_SPECIFIERS_SOFT, 1, &sets);
  for (int i = 0; i < sets; i++)
    if (!strcmp(alcGetStringiSOFT(device, ALC_HRTF_SPECIFIER_SOFT, i), argv[1])) index = i;
  if (index < 0) fail("no such data set; is ALSOFT_CONF set?");
  ALCint attributes[] = {ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT,
                         ALC_FLOAT_SOFT, ALC_MONO_SOURCES, count, ALC_STEREO_SOURCES, 0,
                         ALC_FREQUENCY, rate, ALC_HRTF_SOFT, ALC_TRUE, ALC_HRTF_ID_SOFT, index, 0};
  ALCcontext *context = alcCreateContext(device, attributes);
  if (!context || !alcMakeContextCurrent(context)) fail("no context");

  SF_INFO info = {0};
  SNDFILE *in = sf_open(argv[3], SFM_READ, &info);
  if (!in || info.channels != 1 || info.samplerate != rate) fail("no such sound");
  float *sound = malloc(sizeof(float) * info.frames);
  sf_readf_float(in, sound, info.frames);
  sf_close(in);
  ALuint buffer, *sources = malloc(count * sizeof *sources);
  alGenBuffers(1, &buffer);
  alBufferData(buffer, AL_FORMAT_MONO_FLOAT32, sound, info.frames * sizeof(float), rate);
  alGenSources(count, sources);
  for (int i = 0; i < count; i++) {
    alSourcei(sources[i], AL_BUFFER, buffer);
    alSourcei(sources[i], AL_LOOPING, AL_TRUE);
    alSourcef(sources[i], AL_ROLLOFF_FACTOR, 0);
    alSourcef(sources[i], AL_GAIN, 0.0316f);
  }
  alSourcePlayv(count, sources);

  SF_INFO form = {0};
  form.samplerate = rate;
  form.channels = 2;
  form.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  SNDFILE *out = sf_open(argv[6], SFM_WRITE, &form);
  FILE *moves = fopen(argv[5], "rb");
  if (!out || !moves) fail("cannot open the moves or the output");
  static float block[2 * 2048];
  long rendered = 0;
  double at;
  size_t floats = 6 + 3 * (size_t)count;
  float *move = malloc(floats * sizeof *move);
  while (fread(&at, sizeof at, 1, moves) == 1 && fread(move, sizeof *move, floats, moves) == floats) {
    while (rendered < at) {
      long n = at - rendered < 2048 ? at - rendered : 2048;
      alcRenderSamplesSOFT(device, block, n);
      sf_writef_float(out, block, n);
      rendered += n;
    }
    alListenerfv(AL_ORIENTATION, move);
    for (int i = 0; i < count; i++) alSourcefv(sources[i], AL_POSITION, move + 6 + 3 * i);
  }
  if (alGetError() != AL_NO_ERROR) fail("OpenAL reports an error");
  sf_close(out);
  alDeleteSources(count, sources);
  alDeleteBuffers(1, &buffer);
  alcMakeContextCurrent(NULL);
  alcDestroyContext(context);
  alcCloseDevice(device);
  return 0;
}
