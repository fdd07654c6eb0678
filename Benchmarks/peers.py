"""What a user would take instead: the same scene, SOFA file and sound through pyBinSim, a block convolver of scipy's,
slab, and libmysofa with a convolution in C, each as its documentation has it; and how true each is to the file.

The scene is a still source in the horizontal plane and a head that looks about, 100 moves a second; Aurient has to read
it from logs. The Python ones are timed without their imports, plans and loading of filters.
"""
import logging, math, os, struct, subprocess, warnings
import numpy, soundfile
from scipy.signal import butter, correlate, oaconvolve, resample_poly, sosfiltfilt

from inputs import write_scene
from measure import SOUND, timed

warnings.filterwarnings("ignore")
# Degrees from the plane between the ears beyond which time differences are ill defined.
LATERAL = 75


class Measurements:
    """What a SOFA file holds."""

    def __init__(self, path):
        import sofar
        self.path = path
        self.content = sofar.read_sofa(path, verify=False, verbose=False)
        self.responses = numpy.asarray(self.content.Data_IR, float)
        self.rate = int(numpy.ravel(self.content.Data_SamplingRate)[0])
        self.positions = numpy.atleast_2d(numpy.asarray(self.content.SourcePosition, float))
        azimuth, elevation = numpy.radians(self.positions[:, :2].T)
        self.units = numpy.stack([numpy.cos(elevation) * numpy.cos(azimuth),
                                  numpy.cos(elevation) * numpy.sin(azimuth), numpy.sin(elevation)], 1)

    def nearest(self, azimuth, elevation):
        a, e = math.radians(azimuth), math.radians(elevation)
        return int(numpy.argmax(self.units @ [math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)]))

    def without(self, left_out, path):
        """Writes the file without some directions."""
        import sofar
        kept = numpy.setdiff1d(numpy.arange(len(self.responses)), left_out)
        count = len(self.responses)
        for name, value in list(vars(self.content).items()):
            if not name.startswith("_") and not isinstance(value, str) and numpy.ndim(value) and len(value) == count:
                setattr(self.content, name, numpy.asarray(value)[kept])
        sofar.write_sofa(path, self.content)
        return Measurements(path)


# How each makes the response of a direction from a file: arrays of two rows.

def of_aurient(bench, set, azimuth, elevation, distance):
    out = bench.path("impulse.wav")
    bench.aurient("hrtf", "impulse", set.path, "--azimuth", azimuth, "--elevation", elevation, "--distance", distance,
                  "-o", out)
    return soundfile.read(out, always_2d=True)[0].T


def of_nearest(bench, set, azimuth, elevation, distance):
    return set.responses[set.nearest(azimuth, elevation)]


def of_slab(bench, set, azimuth, elevation, distance):
    if not hasattr(set, "slab"):
        import slab
        set.slab = slab.HRTF(set.path)
    return set.slab.interpolate(azimuth, elevation, method="barycentric").data.T


def of_libmysofa(bench, set, azimuth, elevation, distance):
    a, e = math.radians(azimuth), math.radians(elevation)
    places, out = bench.path("places"), bench.path("responses")
    with open(places, "wb") as file:
        file.write(struct.pack("<3f", *(distance * math.cos(e) * numpy.array([math.cos(a), math.sin(a), 0])
                                        + [0, 0, distance * math.sin(e)])))
    bench.run([bench.path("bare-sofa"), set.path, places, out])
    return numpy.fromfile(out, "f4").reshape(2, -1)


def spectrum(response, rate, size):
    frequencies = numpy.fft.rfftfreq(size, 1 / rate)
    heard = (frequencies > 200) & (frequencies < min(16_000, 0.45 * rate))
    return 20 * numpy.log10(numpy.abs(numpy.fft.rfft(response, size))[heard] + 1e-7)


def time_difference(pair, rate):
    """Left before right in microseconds, below 1.6 kHz."""
    low = butter(4, 1600, "low", fs=rate, output="sos")
    left, right = (resample_poly(sosfiltfilt(low, numpy.pad(ear, 512)), 16, 1) for ear in pair)
    return (int(numpy.argmax(correlate(left, right, method="fft"))) - (len(right) - 1)) / 16 / rate * 1e6


def fidelity(bench, render, set, truth, indices):
    """Mean log-spectral distortion in dB, one gain for all taken off, and the 95th percentile of the error of
    interaural time differences in microseconds."""
    size = 1 << int(math.ceil(math.log2(max(2048, 2 * truth.responses.shape[2]))))
    differences, times = [], []
    for index in indices:
        azimuth, elevation, distance = truth.positions[index]
        pair, measured = render(bench, set, azimuth, elevation, distance), truth.responses[index]
        differences += [spectrum(a[:size], truth.rate, size) - spectrum(b, truth.rate, size) for a, b in zip(pair, measured)]
        if abs(math.degrees(math.asin(max(-1, min(1, truth.units[index][1]))))) <= LATERAL:
            times.append(abs(time_difference([ear[:size] for ear in pair], truth.rate)
                             - time_difference(measured, truth.rate)))
    gain = numpy.mean(differences)
    return (float(numpy.mean([math.sqrt(numpy.mean((d - gain) ** 2)) for d in differences])),
            float(numpy.percentile(times, 95)))


def fidelities(bench):
    """At measured directions, and at every fourth, left out of the file."""
    truth = Measurements(bench.sofa)
    held = numpy.arange(2, len(truth.responses), 4)
    count = 12 if bench.quick else 48
    pick = lambda indices: indices[numpy.unique(numpy.linspace(0, len(indices) - 1, count).astype(int))]
    whole = Measurements(bench.sofa)
    thinned = Measurements(bench.sofa).without(held, bench.path("thinned.sofa"))
    ways = {"Aurient": of_aurient, "nearest": of_nearest, "slab": of_slab, "libmysofa": of_libmysofa}
    figures = {}
    for name, render in ways.items():
        figures[name] = (fidelity(bench, render, whole, truth, pick(numpy.arange(len(truth.responses))))
                         + fidelity(bench, render, thinned, truth, pick(held)))
    return figures


# How each renders the scene: calls that return seconds.

def azimuths(bench, scene, set, seconds):
    """SOFA's azimuth of the beacon at each head frame, as Aurient has it."""
    import csv
    trace = bench.path("trace.csv")
    bench.aurient("render", scene, "--trace", trace, "--hrtf", set.path, "-o", bench.path("ours.wav"))
    with open(trace, newline="") as file:
        return [-float(row["relative_deg"] or 0) % 360 for row in csv.DictReader(file)]


def through_scipy(set, sound, moves, block, sources):
    """Each block, with the past that the filters reach, through the pairs of the nearest measurements, all sources at
    once, and faded over from those of the block before."""
    taps = set.responses.shape[2]
    filters = set.responses.astype(numpy.float32)
    out = numpy.zeros((2, block * len(moves)), numpy.float32)
    rise = numpy.linspace(0, 1, block, dtype=numpy.float32)
    before = None
    for index, azimuth in enumerate(moves):
        start = index * block
        piece = numpy.take(sound, range(start - taps + 1, start + block), mode="wrap")
        now = filters[[set.nearest(azimuth + 360 * source / sources, 0) for source in range(sources)]]
        heard = oaconvolve(piece[None, None], now, mode="valid", axes=2).sum(0)
        if before is not None:
            heard = rise * heard + (1 - rise) * oaconvolve(piece[None, None], before, mode="valid", axes=2).sum(0)
        out[:, start:start + block] = heard
        before = now
    return out


def through_pybinsim(set, sound, moves, sources):
    """Its convolver and its store of filters, as its audio callback calls them, with the fade between filters."""
    logging.disable(logging.INFO)
    from pybinsim.convolver import ConvolverFFTW
    from pybinsim.filterstorage import Filter
    block = 256
    size = block * math.ceil(set.responses.shape[2] / block)
    filters = [Filter(numpy.pad(pair, ((0, 0), (0, size - pair.shape[1]))).T.astype("f4"), size // block, block)
               for pair in set.responses]
    convolvers = [ConvolverFFTW(size, block, False) for _ in range(sources)]
    rate = set.rate / 100

    def work():
        before = [None] * sources
        for start in range(0, int(len(moves) * rate) - block, block):
            piece = numpy.take(sound, range(start, start + block), mode="wrap")
            result = numpy.zeros((block, 2), numpy.float32)
            for source, convolver in enumerate(convolvers):
                now = set.nearest(moves[min(len(moves) - 1, int(start / rate))] + 360 * source / sources, 0)
                if now != before[source]:
                    convolver.setIR(filters[now], before[source] is not None)
                    before[source] = now
                left, right = convolver.process(piece)
                result[:, 0] += left
                result[:, 1] += right
    return work


def through_slab(set, sound, moves, block):
    """A filter interpolated for each block, and the block through it."""
    import slab
    if not hasattr(set, "slab"):
        set.slab = slab.HRTF(set.path)
    out = numpy.zeros((block * len(moves) + set.responses.shape[2] + block, 2))
    for index, azimuth in enumerate(moves):
        start = index * block
        piece = slab.Sound(numpy.take(sound, range(start, start + block), mode="wrap"), samplerate=set.rate)
        result = set.slab.interpolate(azimuth, 0, method="barycentric").apply(piece).data
        out[start:start + len(result)] += result
    return out


def run(bench):
    program = bench.compile("bare-sofa", "mysofa", "sndfile", options=("-O2",))
    truths = fidelities(bench)
    set = Measurements(bench.sofa)
    seconds = 20 if bench.quick else 60
    scene = write_scene(bench.path("peers"), seconds, 1)
    moves = azimuths(bench, scene, set, seconds)
    block = set.rate // 100
    sound = bench.path("sound.wav")
    subprocess.run(["sox", SOUND, "-r", str(set.rate), "-e", "float", "-b", "32", sound], check=True)
    samples = soundfile.read(sound, dtype="float32")[0]
    places = bench.path("moves")
    with open(places, "wb") as file:
        for index, azimuth in enumerate(moves):
            a = math.radians(azimuth)
            file.write(struct.pack("<d3f", (index + 1) * block, math.cos(a), math.sin(a), 0))
    def part(work, count):
        """The seconds that all moves would take, by the first of them."""
        return lambda: timed(lambda: work(moves[:count])) * len(moves) / count

    def note(way):
        lsd, itd, held_lsd, held_itd = truths[way]
        return f"its {lsd:.2f} dB, {itd:.0f} µs; held out {held_lsd:.2f} dB, {held_itd:.0f} µs"

    rows = []
    for sources in (1, 16):
        scene = write_scene(bench.path(f"scene-{sources}"), seconds, sources)
        ours = lambda: bench.aurient("render", scene, "--hrtf", set.path, "-o", bench.path("ours.wav"))
        pybinsim = through_pybinsim(set, samples, moves[:len(moves) // sources], sources)

        def libmysofa():
            """One after the other: the sum is not worth speaking of."""
            return sum(bench.run([program, set.path, sound, places, bench.path("theirs.wav")]).wall
                       for _ in range(sources))

        ways = {"pyBinSim": ("nearest", lambda: timed(pybinsim) * sources, ">= 10"),
                "scipy, oaconvolve": ("nearest", part(lambda m: through_scipy(set, samples, m, block, sources),
                                                      len(moves) // sources), ">= 10"),
                "libmysofa, C": ("libmysofa", libmysofa, ">= 1")}
        if sources == 1:
            ways["slab"] = ("slab", part(lambda m: through_slab(set, samples, m, block), 15), ">= 10")
        for name, (way, work, goal) in ways.items():
            rows.append(bench.compare(f"{sources} source{'s' * (sources > 1)}", "× real time", ours, work, name,
                                      bench.rounds(5, 2), goal, amount=seconds, note=note(way) if sources == 1 else ""))
    lsd, itd, held_lsd, held_itd = truths["Aurient"]
    title = (f"Peers on {os.path.basename(bench.sofa)}; Aurient: {lsd:.2f} dB, {itd:.0f} µs at measured directions, held out "
             f"{held_lsd:.2f} dB, {held_itd:.0f} µs")
    yield title, rows
