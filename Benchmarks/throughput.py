"""Against the limit: `aurient render` and bare-loopback.c, which makes the same OpenAL calls and nothing
else; how the time grows, and where it goes."""
import csv, json, math, os, shutil, struct, subprocess

from inputs import write_scene
from instructions import by_object
from measure import AURIENT, SOUND, Row, memory, repeated, require
from sofafiles import write_dense

# Sources, and seconds of sound that take some seconds to render.
LENGTHS = {1: 600, 4: 300, 16: 120, 64: 30, 256: 10}


def moves(trace, path, rate, sources):
    """Writes what the bare program is told: see there."""
    heading, place = 0.0, []
    with open(trace, newline="") as rows, open(path, "wb") as out:
        for row in csv.DictReader(rows):
            bearing = math.radians(float(row["bearing_deg"]))
            distance = max(0.1, float(row["distance_m"]))
            place += [distance * math.sin(bearing), 0, -distance * math.cos(bearing)]
            if len(place) < 3 * sources:
                continue
            heading = math.radians(float(row["presentation_deg"] or math.degrees(heading)))
            out.write(struct.pack(f"<d{6 + len(place)}f", round(float(row["time_s"]) * rate), math.sin(heading), 0,
                                  -math.cos(heading), 0, 1, 0, *place))
            place = []


def bare(bench, program, scene, sources, folder):
    """The bare program on what a scene came to, as a call."""
    trace, track, sound, out = (os.path.join(folder, name) for name in
                                ("trace.csv", "moves", "sound.wav", "bare.wav"))
    summary = json.loads(bench.output("render", scene, "--trace", trace, "-o", os.path.join(folder, "ours.wav"),
                                      "--json"))
    moves(trace, track, summary["rate"], sources)
    os.remove(trace)
    subprocess.run(["sox", SOUND, "-e", "float", "-b", "32", sound], check=True)
    cache = bench.path("aurient/hrtf")
    names = sorted(os.listdir(cache))
    data_set = next(name[:-4] for name in names if name.endswith(".mhr") and data_rate(cache, name) == summary["rate"])
    settings = next(name for name in names if name.endswith(".conf"))
    variables = {"AURIENT_HRTF_CACHE": cache, "ALSOFT_CONF": os.path.join(cache, settings)}
    return lambda: bench.run([program, data_set, summary["rate"], sound, sources, track, out], **variables)


def data_rate(folder, name):
    """The rate in the header of a data set: 8 bytes of magic, then a 32-bit number."""
    with open(os.path.join(folder, name), "rb") as file:
        return struct.unpack("<8xI", file.read(12))[0]


def against_bare(bench):
    program = bench.compile("bare-loopback", "openal", "sndfile")
    for sources, seconds in LENGTHS.items():
        seconds = max(5, seconds // 10) if bench.quick else seconds
        folder = bench.path(f"sources-{sources}")
        scene = write_scene(folder, seconds, sources)
        limit = bare(bench, program, scene, sources, folder)
        ours = lambda *options: bench.aurient("render", scene, "-o", os.path.join(folder, "ours.wav"), *options)
        yield bench.compare(f"render, {sources} sources", "× real time", ours, limit, "bare C", bench.rounds(7),
                            ">= 0.97", amount=seconds, tells_processor=True)
        if sources == 16:
            yield bench.compare(f"render, {sources} sources, one thread", "× real time", lambda: ours("--jobs", 1),
                                limit, "bare C", bench.rounds(7), amount=seconds)
        shutil.rmtree(folder)


def scaling(bench):
    """Processor time for a second of sound, by one quantity at a time."""
    seconds = 20 if bench.quick else 60

    def cost(sources=4, rate=100, **keys):
        def total(length):
            scene = write_scene(bench.path("scaling"), length, sources, rate, **keys)
            return repeated(lambda: bench.aurient("render", scene, "-o", bench.path("out.wav")).processor, 2)
        # The start costs the same for each length.
        return 1000 * (total(2 * seconds) - total(seconds)) / seconds

    for sources in (1, 2, 4, 8, 16, 32):
        yield Row(f"a second of sound, {sources} sources", cost(sources=sources), "ms")
    for rate in (25, 50, 100, 200, 400):
        yield Row(f"a second of sound, 4 sources, head at {rate} Hz", cost(rate=rate), "ms")
    for count in (1000, 4000, 16_000):
        dense = bench.path(f"dense-{count}.sofa")
        write_dense(dense, count)
        yield Row(f"a second of sound, 4 sources, {count} directions", cost(hrtf=dense), "ms")


def flatness(bench):
    """Growth of memory over an hour of sound."""
    seconds = 600 if bench.quick else 3600
    scene = write_scene(bench.path("hour"), seconds, 1)
    sizes = memory([AURIENT, "render", scene, "-o", bench.path("hour/out.wav")], bench.environment)
    shutil.rmtree(bench.path("hour"))
    # What is loaded at the start is there after the first tenth; at the end it goes.
    settled = sizes[len(sizes) // 10:-2]
    yield Row(f"memory, {seconds // 60} min of sound", max(sizes), "MiB")
    yield Row("its growth after the first tenth", 1024 * (max(settled) - settled[0]), "KiB", goal="<= 256")


def cores(bench):
    """Many files by one core and by two."""
    scene = write_scene(bench.path("files"), 20 if bench.quick else 60, 16)
    count = 4 if bench.quick else 8
    names = [bench.path(f"files/{index}.wav") for index in range(count)]
    line = f"{AURIENT} render {scene} -o"
    work = lambda parallel, cores: bench.run(
        ["taskset", "-c", cores, "sh", "-c", f"printf '%s\\n' {' '.join(names)} | xargs -P {parallel} -n 1 {line}"])
    row = bench.compare(f"{count} files on two cores", "files/s", lambda: work(2, "0,1"), lambda: work(1, "0"),
                        "on one", bench.rounds(3, 2), ">= 1.9", amount=count)
    shutil.rmtree(bench.path("files"))
    yield row


def profile(bench):
    """Where the instructions of a rendering go, by library and by our own functions."""
    require("valgrind")
    scene = write_scene(bench.path("profile"), 10 if bench.quick else 30, 16)
    counts = bench.path("callgrind")
    bench.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}",
               AURIENT, "render", scene, "-o", bench.path("profile/out.wav")])
    shares = by_object(counts)
    total = sum(shares.values())
    for name, count in sorted(shares.items(), key=lambda item: -item[1])[:8]:
        yield Row(f"instructions in {name}", 100 * count / total, "%")


def run(bench):
    yield "Against bare C on the same OpenAL Soft", list(against_bare(bench))
    yield "How processor time grows", list(scaling(bench))
    yield "Memory and cores", list(flatness(bench)) + list(cores(bench))
    yield "Where time goes, 16 sources", list(profile(bench))
