/* The least that any program must do to render a beacon through OpenAL Soft's loopback: the measure
 * of what Aurient adds. Same library, data set, sound, moves and output file as `aurient render`,
 * without logs, calibration, geometry or metering.
 *
 * bare-loopback DATASET RATE SOUND.wav MOVES OUT.wav
 * MOVES: a line a move: sound frame, then ahead, up and the source's place, each x y z of OpenAL. */
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
  if (argc != 6) fail("DATASET RATE SOUND.wav MOVES OUT.wav");
  int rate = atoi(argv[2]);
  ALCdevice *device = alcLoopbackOpenDeviceSOFT(NULL);
  if (!device) fail("no loopback device");
  ALCint count = 0, index = -1;
  alcGetIntegerv(device, ALC_NUM_HRTF_SPECIFIERS_SOFT, 1, &count);
  for (int i = 0; i < count; i++)
    if (!strcmp(alcGetStringiSOFT(device, ALC_HRTF_SPECIFIER_SOFT, i), argv[1])) index = i;
  if (index < 0) fail("no such data set; is ALSOFT_CONF set?");
  ALCint attributes[] = {ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT,
                         ALC_FLOAT_SOFT, ALC_FREQUENCY, rate, ALC_HRTF_SOFT, ALC_TRUE,
                         ALC_HRTF_ID_SOFT, index, 0};
  ALCcontext *context = alcCreateContext(device, attributes);
  if (!context || !alcMakeContextCurrent(context)) fail("no context");

  SF_INFO info = {0};
  SNDFILE *in = sf_open(argv[3], SFM_READ, &info);
  if (!in || info.channels != 1 || info.samplerate != rate) fail("no such sound");
  float *sound = malloc(sizeof(float) * info.frames);
  sf_readf_float(in, sound, info.frames);
  sf_close(in);
  ALuint buffer, source;
  alGenBuffers(1, &buffer);
  alBufferData(buffer, AL_FORMAT_MONO_FLOAT32, sound, info.frames * sizeof(float), rate);
  alGenSources(1, &source);
  alSourcei(source, AL_BUFFER, buffer);
  alSourcei(source, AL_LOOPING, AL_TRUE);
  alSourcef(source, AL_ROLLOFF_FACTOR, 0);
  alSourcePlay(source);

  SF_INFO form = {0};
  form.samplerate = rate;
  form.channels = 2;
  form.format = SF_FORMAT_WAV | SF_FORMAT_FLOAT;
  SNDFILE *out = sf_open(argv[5], SFM_WRITE, &form);
  FILE *moves = fopen(argv[4], "r");
  if (!out || !moves) fail("cannot open the moves or the output");
  static float block[2 * 2048];
  long at, rendered = 0;
  float o[6], p[3];
  while (fscanf(moves, "%ld %f %f %f %f %f %f %f %f %f", &at, o, o + 1, o + 2, o + 3, o + 4, o + 5,
                p, p + 1, p + 2) == 10) {
    while (rendered < at) {
      long n = at - rendered < 2048 ? at - rendered : 2048;
      alcRenderSamplesSOFT(device, block, n);
      sf_writef_float(out, block, n);
      rendered += n;
    }
    alListenerfv(AL_ORIENTATION, o);
    alSource3f(source, AL_POSITION, p[0], p[1], p[2]);
  }
  if (alGetError() != AL_NO_ERROR) fail("OpenAL reports an error");
  sf_close(out);
  alDeleteSources(1, &source);
  alDeleteBuffers(1, &buffer);
  alcMakeContextCurrent(NULL);
  alcDestroyContext(context);
  alcCloseDevice(device);
  return 0;
}
