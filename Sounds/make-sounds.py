#!/usr/bin/env python3
# To the extent possible under law, the Aurient developers have waived all copyright and related
# rights to this script and to the sounds that it makes: CC0 1.0 Universal.
# https://creativecommons.org/publicdomain/zero/1.0/
"""Makes the sounds of this folder and the beacon styles in its folders, checks them, and prints their
figures.

  make-sounds.py [FOLDER]    writes into FOLDER, or beside the script

Every loop is made on a circle: events wrap around its end and filters are circular, so that the
last sample runs into the first. Random numbers are seeded by the sound's name: the same versions
of numpy and libFLAC give the same bytes.
needs: numpy, soundfile
"""
import json
import pathlib
import sys
import zlib

import numpy as np
import soundfile

RATE = 48_000
LOUDNESS = -20.0  # LUFS, integrated
TRUE_PEAK_LIMIT = -3.0  # dBTP


def samples(seconds):
    return round(seconds * RATE)


def decibels(power):
    return 10 * np.log10(np.maximum(power, 1e-30))


# Building blocks


def noise(rng, count, low, high, tilt=0.0):
    """Noise of unit RMS between two frequencies in hertz, its level changing by `tilt` dB an octave."""
    spectrum = np.fft.rfft(rng.standard_normal(count))
    f = np.maximum(np.fft.rfftfreq(count, 1 / RATE), 1.0)
    # Butterworth magnitudes: smooth edges keep the noise's ringing short.
    gain = 1 / np.sqrt(1 + (low / f) ** 8) / np.sqrt(1 + (f / high) ** 8)
    spectrum *= gain * (f / 1000) ** (tilt / 20 / np.log10(2))
    spectrum[0] = 0
    out = np.fft.irfft(spectrum, count)
    return out / np.sqrt(np.mean(out**2))


def strike(seconds, attack, decay):
    """An envelope: a raised-cosine rise of `attack` seconds, then an exponential fall."""
    t = np.arange(samples(seconds)) / RATE
    rise = 0.5 - 0.5 * np.cos(np.pi * np.clip(t / attack, 0, 1))
    fall = np.exp(-np.maximum(t - attack, 0) / decay)
    release = np.clip((seconds - t) / 0.01, 0, 1)
    return rise * fall * release


def burst(rng, low, high, attack, decay, tilt=0.0):
    """A burst of noise under a strike's envelope."""
    seconds = attack + 6 * decay
    return noise(rng, samples(seconds), low, high, tilt) * strike(seconds, attack, decay)


def bar(frequency, decay, ratios=(1, 3.93, 9.24), levels=(1, 0.6, 0.35)):
    """A struck bar: its modes, the higher the shorter. The ratios are a marimba bar's."""
    seconds = 6 * decay
    t = np.arange(samples(seconds)) / RATE
    modes = (
        level * np.sin(2 * np.pi * frequency * ratio * t) * strike(seconds, 0.0004, decay / ratio**0.5)
        for ratio, level in zip(ratios, levels)
    )
    return sum(modes)


def add(loop, seconds, event, gain=1.0):
    """Adds an event to a loop; what goes beyond the end comes in at the start."""
    places = (samples(seconds) + np.arange(len(event))) % len(loop)
    np.add.at(loop, places, gain * event)


# The sounds. Each has several sharp onsets a second and energy from 300 Hz to beyond 8 kHz.


def mallet(rng):
    """Wooden bars, a noisy attack on each, sixteen steps of 150 ms."""
    loop = np.zeros(samples(2.4))
    steps = [
        (0, 392, 1.0), (2, 523, 0.7), (3, 587, 0.55), (5, 440, 0.8), (6, 659, 0.6), (8, 392, 0.95),
        (9, 587, 0.55), (10, 523, 0.7), (12, 330, 0.9), (13, 523, 0.55), (14, 440, 0.75), (15, 587, 0.5),
    ]
    for step, frequency, gain in steps:
        at = 0.15 * step
        add(loop, at, bar(frequency, 0.045), 0.8 * gain)
        add(loop, at, burst(rng, 900, 14_000, 0.0005, 0.028, -1.5), 0.5 * gain)
        add(loop, at, burst(rng, 250, 2_500, 0.001, 0.040, -3), 0.3 * gain)
    return loop


def shimmer(rng):
    """Dense bright grains that swell and fall over a soft pulse, ten pulses of 300 ms."""
    loop = np.zeros(samples(3.0))
    for pulse in range(10):
        at, accent = 0.3 * pulse, (1.0, 0.75, 0.85, 0.7, 0.8)[pulse % 5]
        add(loop, at, burst(rng, 250, 1_600, 0.004, 0.085, -3), 0.8 * accent)
        add(loop, at, burst(rng, 2_000, 15_000, 0.0008, 0.012, 0), 0.55 * accent)
        for _ in range(36):
            # Most grains fall soon after the onset, so that the ear hears one event.
            delay = min(rng.exponential(0.09), 0.29)
            centre = 2_500 * 2 ** (2.2 * rng.random())
            grain = burst(rng, centre / 1.3, centre * 1.3, 0.0008, 0.006 + 0.012 * rng.random())
            add(loop, at + delay, grain, 0.42 * accent * (0.4 + 0.6 * rng.random()))
    return loop


def brush(rng):
    """A brush on a drum: swept strokes, each ended by a tap, sixteen steps of 150 ms."""
    loop = np.zeros(samples(2.4))
    for step in range(16):
        at = 0.15 * step + (0.018 if step % 2 else 0)  # a light swing
        accent = (1.0, 0.45, 0.75, 0.55)[step % 4] * (1.15 if step % 8 == 4 else 1)
        add(loop, at, burst(rng, 280, 12_000, 0.0008, 0.042, -3), 0.9 * accent)
        if step % 2:
            # A sweep rises slowly towards the next tap; it never hides that tap's onset.
            sweep = noise(rng, samples(0.13), 1_200, 14_000, -1) * np.hanning(samples(0.13))
            add(loop, at, sweep, 0.22)
    return loop


def pulse(rng):
    """Pairs of noise pulses, a dark one and a bright one, ten pairs of 240 ms."""
    loop = np.zeros(samples(2.4))
    for pair in range(10):
        at, accent = 0.24 * pair, 1.0 if pair % 2 == 0 else 0.8
        add(loop, at, burst(rng, 260, 9_000, 0.001, 0.050, -4.5), accent)
        add(loop, at + 0.12, burst(rng, 700, 15_000, 0.0008, 0.028, -1.5), 0.6 * accent)
    return loop


def pink_bursts(rng):
    """Four bursts of pink noise, 250 ms long with ramps of 10 ms, one every 500 ms."""
    length, ramp = samples(0.25), samples(0.01)
    rise = 0.5 - 0.5 * np.cos(np.pi * (np.arange(ramp) + 0.5) / ramp)
    envelope = np.concatenate([rise, np.ones(length - 2 * ramp), rise[::-1]])
    loop = np.zeros(samples(2.0))
    for start in range(0, len(loop), samples(0.5)):
        shaped = noise(rng, length, 100, 18_000, -3) * envelope
        loop[start : start + length] = shaped - envelope * shaped.sum() / envelope.sum()
    return loop


# Measures of a sound that repeats without end, so that all transforms are circular.


def loudness(loop):
    """Integrated loudness in LUFS: ITU-R BS.1770-4, K weighting (48 kHz), 400 ms blocks, both gates."""
    stages = [
        ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1, -1.69065929318241, 0.73248077421585)),
        ((1, -2, 1), (1, -1.99004745483398, 0.99007225036621)),
    ]
    z = np.exp(-2j * np.pi * np.arange(len(loop) // 2 + 1) / len(loop))
    weight = np.prod([np.polyval(b[::-1], z) / np.polyval(a[::-1], z) for b, a in stages], axis=0)
    power = np.fft.irfft(np.fft.rfft(loop) * weight, len(loop)) ** 2
    starts = np.arange(0, len(loop), samples(0.1))
    blocks = np.array([np.take(power, s + np.arange(samples(0.4)), mode="wrap").mean() for s in starts])
    blocks = blocks[decibels(blocks) - 0.691 > -70]
    return decibels(blocks[blocks > blocks.mean() / 10].mean()) - 0.691


def true_peak(loop):
    """The greatest magnitude of the waveform between the samples too, in dB: eight times oversampled."""
    padded = np.zeros(4 * len(loop) + 1, complex)
    padded[: len(loop) // 2 + 1] = np.fft.rfft(loop)
    return decibels(np.abs(np.fft.irfft(padded, 8 * len(loop)) * 8).max() ** 2)


def band(loop):
    """The lowest and highest third-octave band, in hertz, within 12 dB of the strongest one."""
    power = np.abs(np.fft.rfft(loop)) ** 2
    f = np.fft.rfftfreq(len(loop), 1 / RATE)
    centres = 1000 * 2.0 ** (np.arange(-13, 14) / 3)
    levels = np.array([power[(f >= c / 2 ** (1 / 6)) & (f < c * 2 ** (1 / 6))].sum() for c in centres])
    strong = centres[decibels(levels) > decibels(levels.max()) - 12]
    return strong[0], strong[-1]


def seam(loop):
    """The step over the seam, as a share of the greatest step inside."""
    return abs(loop[0] - loop[-1]) / np.abs(np.diff(loop)).max()


def level(loop, ceiling=None, loudness_wanted=LOUDNESS):
    """The loop at the loudness wanted, its highest peaks rounded off towards `ceiling` if one is given.

    The curve has no memory, so that the seam stays as it is.
    """
    gain = 1.0
    for _ in range(20):
        out = gain * loop if ceiling is None else ceiling * np.tanh(gain * loop / ceiling)
        out = out - out.mean()
        gain *= 10 ** ((loudness_wanted - loudness(out)) / 20)
    return out


def check(name, loop, loudness_wanted=LOUDNESS, highest=8000):
    """Measures a loop, prints the figures, and stops the script if one is not as it must be."""
    low, high = band(loop)
    figures = loudness(loop), true_peak(loop), seam(loop), np.abs(loop.mean()) / np.sqrt(np.mean(loop**2))
    print(
        f"{name:14} {len(loop) / RATE:.2f} s  {figures[0]:6.2f} LUFS  {figures[1]:6.2f} dBTP  "
        f"seam {figures[2]:.3f}  DC {figures[3]:.1e}  {low:.0f} to {high:.0f} Hz"
    )
    if abs(figures[0] - loudness_wanted) > 0.1:
        sys.exit(f"{name}: loudness {figures[0]:.2f} LUFS, wanted {loudness_wanted}")
    if figures[1] > TRUE_PEAK_LIMIT:
        sys.exit(f"{name}: true peak {figures[1]:.2f} dB, limit {TRUE_PEAK_LIMIT}")
    if figures[2] > 1:
        sys.exit(f"{name}: the step over the seam is greater than any inside")
    if figures[3] > 1e-3:
        sys.exit(f"{name}: mean {loop.mean():.2e}")
    if low > 315 or high < highest:
        sys.exit(f"{name}: band {low:.0f} to {high:.0f} Hz, wanted 315 to {highest}")


# Beacon styles: a loop for each region of direction, all on one grid of beats. Each beat is whole in
# itself, silent at its end, so that a change of region on a beat cuts nothing off. From ahead to behind
# the loops get lower, darker and sparser; the timbre stays, so that it is heard as one thing that moves.

STYLE_LOUDNESS = -23.0  # LUFS, the programme level of EBU R 128
STYLE_BEATS = 4
# Hz: a pentatonic scale from G3, in which no order of notes sounds wrong.
SCALE = [196.0, 220.0, 246.9, 293.7, 329.6, 392.0, 440.0, 493.9, 587.3, 659.3, 784.0, 880.0, 987.8]


class Bar:
    """Some beats in a row."""

    def __init__(self, beat, beats=STYLE_BEATS):
        self.beat = beat
        self.loop = np.zeros(beat * beats)

    def add(self, at, event, gain=1.0):
        """Adds an event `at` beats from the start; what is left of it at the beat's end fades out."""
        start = round(at * self.beat)
        end = (start // self.beat + 1) * self.beat
        event = np.array(event[: end - start])
        fade = min(len(event), samples(0.012))
        event[len(event) - fade :] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(1, fade + 1) / fade)
        self.loop[start : start + len(event)] += gain * event


def drop(rng, frequency, decay):
    """A drop of water: a tone that rises as its bubble closes, and the splash."""
    seconds = 6 * decay
    t = np.arange(samples(seconds)) / RATE
    phase = 2 * np.pi * np.cumsum(frequency * (1 + 1.1 * (1 - np.exp(-t / 0.018)))) / RATE
    tone = np.sin(phase) * strike(seconds, 0.001, decay)
    splash = burst(rng, 800, 15_000, 0.0005, 0.014, -0.5)
    out = np.zeros(max(len(tone), len(splash)))
    out[: len(tone)] += tone
    out[: len(splash)] += 0.55 * splash
    return out


def wood_note(bar_, rng, at, frequency, gain, bright):
    bar_.add(at, bar(frequency, 0.040), 0.7 * gain)
    bar_.add(at, burst(rng, 900, 14_000, 0.0005, 0.020, -1.5), 0.5 * gain * bright)
    bar_.add(at, burst(rng, 250, 2_500, 0.001, 0.030, -3), 0.35 * gain)


def wood(rng, part, beat):
    """Struck bars with a noisy attack."""
    notes = {
        "on": ([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5], [7, 9, 8, 10, 9, 11, 8, 10], 1.3),
        "near": ([0, 0.5, 1, 2, 2.5, 3], [6, 8, 7, 8, 6, 7], 1.0),
        "beside": ([0, 1, 2, 2.5, 3], [4, 5, 3, 4, 5], 0.9),
        "behind": ([0, 1, 2, 3], [2, 0, 2, 1], 1.3),
        "start": ([0, 0.5, 1, 1.5, 2, 3], [2, 4, 5, 7, 9, 10], 1.0),
        "end": ([0, 0.5, 1, 1.5, 2, 2.25, 2.5, 3], [10, 9, 7, 9, 10, 10, 12, 10], 1.2),
    }
    times, pitches, bright = notes[part]
    loop = Bar(beat)
    for at, pitch in zip(times, pitches):
        wood_note(loop, rng, at, SCALE[pitch], 1.0 if at == int(at) else 0.7, bright)
    return loop.loop


def sticks(rng, part, beat):
    """Sticks on a rim and a skin: short, dry, the brightest of all."""
    rhythm = {
        "on": ([0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.25, 2.5, 2.75, 3, 3.5], 1800),
        "near": ([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5], 1100),
        "behind": ([0, 0.5, 1, 2, 2.5, 3], 620),
        "start": ([0, 1, 1.5, 2, 2.25, 2.5, 2.75, 3], 1100),
        "end": ([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3], 1800),
    }
    times, pitch = rhythm[part]
    loop = Bar(beat)
    for number, at in enumerate(times):
        accent = 1.0 if at == int(at) else 0.65
        loop.add(at, bar(pitch * (1.12 if number % 2 else 1), 0.016, (1, 2.3, 3.9), (1, 0.7, 0.4)), 0.45 * accent)
        loop.add(at, burst(rng, 1_200, 16_000, 0.0004, 0.014, 0.5), 0.55 * accent)
        loop.add(at, burst(rng, 220, 1_400, 0.001, 0.032, -3), 0.55 * accent)
    return loop.loop


def drops(rng, part, beat):
    """Drops of water in a bowl."""
    notes = {
        "on": ([0, 0.5, 0.75, 1, 1.5, 2, 2.5, 2.75, 3, 3.5], [9, 11, 12, 10, 12, 9, 11, 12, 10, 11]),
        "near": ([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5], [7, 8, 9, 7, 8, 9, 7, 9]),
        "beside": ([0, 0.5, 1, 2, 2.5, 3], [5, 6, 4, 5, 6, 4]),
        "behind": ([0, 0.5, 1, 2, 2.5, 3], [2, 3, 1, 2, 3, 1]),
        "start": ([0, 0.5, 1, 1.5, 2, 2.5, 3], [1, 2, 4, 6, 7, 9, 10]),
        "end": ([0, 0.25, 0.5, 1, 1.25, 1.5, 2, 3], [7, 9, 10, 7, 9, 10, 12, 10]),
    }
    times, pitches = notes[part]
    loop = Bar(beat)
    for at, pitch in zip(times, pitches):
        accent = 1.0 if at == int(at) else 0.7
        loop.add(at, drop(rng, 1.3 * SCALE[pitch], 0.034), 0.7 * accent)
        loop.add(at, burst(rng, 220, 1_100, 0.001, 0.030, -3), 0.4 * accent)
    return loop.loop


def shaker(rng, part, beat):
    """Seeds in a gourd, and the hand that strikes it."""
    rhythm = {
        "on": ([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75], 1.0),
        "behind": ([0, 0.5, 1, 2, 2.5, 3], 0.6),
        "start": ([0, 1, 1.5, 2, 2.25, 2.5, 2.75, 3], 0.8),
        "end": ([0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3], 1.0),
    }
    times, bright = rhythm[part]
    loop = Bar(beat)
    for at in times:
        accent = 1.0 if at == int(at) else 0.55
        for _ in range(14):
            delay = min(rng.exponential(0.018), 0.07)
            centre = (2_000 + 3_000 * bright) * 2 ** (1.6 * rng.random() - 0.5)
            grain = burst(rng, centre / 1.5, centre * 1.5, 0.0005, 0.005 + 0.006 * rng.random())
            loop.add(min(at + delay * RATE / beat, int(at) + 0.95), grain, 0.4 * accent * (0.5 + rng.random()))
        loop.add(at, burst(rng, 1_500, 15_000, 0.0006, 0.010, 0), 0.5 * accent)
        if at % 1 in (0, 0.5):
            loop.add(at, burst(rng, 230, 1_300, 0.001, 0.034, -3), (1.1 - 0.2 * bright) * accent)
    return loop.loop


def hum(rng, root, beat):
    """The hum of nearness: soft chords that swell once a beat, and breath; two beats."""
    count = 2 * beat
    t = np.arange(count) / count
    swell = 0.75 - 0.25 * np.cos(4 * np.pi * t)
    tones = np.zeros(count)
    for ratio, gain in ((1, 1.0), (1.5, 0.7), (2, 0.5), (3, 0.3), (4, 0.2)):
        cycles = round(root * ratio * count / RATE)  # whole ones, so that the end meets the start
        tones += gain * np.sin(2 * np.pi * (cycles * t + rng.random()))
    return swell * (0.5 * tones + 0.45 * noise(rng, count, 300, 9_000, -4))


# Samples in a beat are multiples of 160: at 44.1 kHz too they are then whole.
STYLES = [
    (wood, 19_200, ("on", "near", "beside", "behind"), 196.0),
    (sticks, 17_280, ("on", "near", "behind"), 220.0),
    (drops, 20_800, ("on", "near", "beside", "behind"), 246.9),
    (shaker, 16_000, ("on", "behind"), 196.0),
]
EDGES = {2: (22.5,), 3: (15, 125), 4: (15, 55, 125)}


def make_style(folder, make, beat, regions, root):
    """Makes, checks and writes a style's sounds and their description."""
    style = make.__name__
    (folder / style).mkdir(exist_ok=True)
    for part in (*regions, "start", "end", "hum"):
        name = f"{style}/{part}"
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        loop = hum(rng, root, beat) if part == "hum" else make(rng, part, beat)
        loop = np.round(level(loop, 0.6, STYLE_LOUDNESS) * 32768).astype(np.int16)
        check(name, loop / 32768, STYLE_LOUDNESS, 1000 if part == "hum" else 8000)
        if len(loop) % beat:
            sys.exit(f"{name}: {len(loop)} samples are no whole number of beats of {beat}")
        ends = np.abs(loop.reshape(-1, beat)[:, [0, -1]]).max()
        if part != "hum" and ends > 32768 * 0.003:
            sys.exit(f"{name}: {ends} at a beat's end, wanted silence")
        write(folder / style / f"{part}.flac", loop)
    edges = [*EDGES[len(regions)], None]
    description = {
        "sampleRate": RATE,
        "beat": beat,
        "regions": [
            {"region": region, "file": f"{region}.flac"} | ({"edge": edge} if edge else {})
            for region, edge in zip(regions, edges)
        ],
        "start": "start.flac",
        "end": "end.flac",
        "hum": "hum.flac",
    }
    (folder / style / "style.json").write_text(json.dumps(description, indent=2) + "\n")


def write(path, sound):
    soundfile.write(path, sound, RATE, subtype="PCM_16")


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    for make, ceiling in ((mallet, 0.6), (shimmer, 0.6), (brush, 0.6), (pulse, 0.6), (pink_bursts, None)):
        name = make.__name__.replace("_", "-")
        loop = make(np.random.default_rng(zlib.crc32(name.encode())))
        loop = np.round(level(loop, ceiling) * 32768).astype(np.int16)
        check(name, loop / 32768)
        write(folder / f"{name}.flac", loop)
        if make is pink_bursts:
            write(folder / "pink-burst.flac", loop[: samples(0.5)])
    for style in STYLES:
        make_style(folder, *style)


if __name__ == "__main__":
    main()
