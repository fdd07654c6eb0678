#!/usr/bin/env python3
"""How fast measurements become data sets: cold conversion of MIT KEMAR against OpenAL's `makehrtf` on the
same responses, opening of a data set that is cached, and a set of 41,527 directions with its peak of
memory (all processes together).

makehrtf.py [RUNS] [--json]   needs: a release build, makehrtf (package openal-info), python3 with numpy,
                              h5py and soundfile

Opening is the time of `aurient hrtf impulse FILE.sofa` with a warm cache over that of the same command
with a data set of OpenAL's own, which needs no file: reading and hashing the SOFA file, finding the data
set, and loading its taps.
"""
import json, os, resource, statistics, subprocess, sys, tempfile, time
import h5py, numpy, soundfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AURIENT = os.path.join(ROOT, ".build/release/aurient")
KEMAR = os.path.join(ROOT, "HRTF/MIT-KEMAR-44100.sofa")


def definition(folder):
    """Writes KEMAR as a definition of makehrtf: rings of 10 degrees, those below -40 left out."""
    with h5py.File(KEMAR) as file:
        responses, positions = file["Data.IR"][:], file["SourcePosition"][:]
        rate = int(file["Data.SamplingRate"][0])
    rings = [positions[numpy.abs(positions[:, 1] - elevation) < 0.1] for elevation in range(-90, 91, 10)]
    counts = [len(ring) or len(rings[-1 - index]) or 1 for index, ring in enumerate(rings)]
    path = os.path.join(folder, "kemar.def")
    with open(path, "w") as output:
        output.write(f"rate = {rate}\ntype = stereo\npoints = {responses.shape[2]}\nradius = 0.09\n"
                     f"distance = 1.4\nazimuths = {', '.join(map(str, counts))}\n")
        lines = []
        for index, (azimuth, elevation, _) in enumerate(positions):
            ring = round((elevation + 90) / 10)
            number = round((360 - azimuth) % 360 / 360 * counts[ring]) % counts[ring]
            # Full scale is the greatest sample: some are beyond 1.
            soundfile.write(os.path.join(folder, f"{index}.wav"),
                            responses[index].T / numpy.abs(responses).max(), rate, "PCM_24")
            lines.append((ring, number, f'[ {ring}, {number} ] = wave (0) : "./{index}.wav" left'
                                        f' + wave (1) : "./{index}.wav" right\n'))
        output.writelines(line for _, _, line in sorted(lines))
    return path


def dense(path, count=41527, taps=512, rate=48000.0):
    """Writes a spherical head's responses, two decaying resonances behind Woodworth's delay."""
    index = numpy.arange(count) + 0.5
    height = 1 - 2 * index / count
    azimuth, elevation = numpy.degrees(numpy.pi * (1 + 5 ** 0.5) * index) % 360, numpy.degrees(numpy.arcsin(height))
    lateral = numpy.arcsin(numpy.cos(numpy.radians(elevation)) * numpy.sin(numpy.radians(azimuth)))
    with h5py.File(path, "w") as file:
        for name, value in {"Conventions": "SOFA", "Version": "1.0", "SOFAConventions": "SimpleFreeFieldHRIR",
                            "SOFAConventionsVersion": "1.0", "DataType": "FIR", "RoomType": "free field",
                            "Title": "spherical head"}.items():
            file.attrs[name] = numpy.bytes_(value)
        for name, size in {"M": count, "R": 2, "E": 1, "N": taps, "C": 3, "I": 1}.items():
            file.create_dataset(name, (size,), dtype="f4").make_scale(name)

        def variable(name, values, dimensions, **attributes):
            data = file.create_dataset(name, data=numpy.asarray(values, "f8"))
            for axis, dimension in enumerate(dimensions):
                data.dims[axis].attach_scale(file[dimension])
            for attribute, value in attributes.items():
                data.attrs[attribute] = numpy.bytes_(value)

        samples = numpy.arange(taps)
        ears = []
        for side in (1, -1):
            onset = 30 - side * 0.0875 / 343 * (lateral + numpy.sin(lateral)) / 2 * rate
            after = samples - onset[:, None]
            wave = numpy.where(after >= 0, numpy.exp(-numpy.clip(after, 0, None) / 12)
                               * numpy.cos(after * (0.6 + 0.2 * height[:, None])), 0)
            ears.append(wave * (0.4 + 0.25 * side * numpy.sin(lateral))[:, None])
        variable("Data.IR", numpy.stack(ears, 1), "MRN")
        variable("Data.SamplingRate", [rate], "I", Units="hertz")
        variable("Data.Delay", [[0, 0]], "IR")
        variable("SourcePosition", numpy.stack([azimuth, elevation, numpy.full(count, 1.2)], 1), "MC",
                 Type="spherical", Units="degree, degree, metre")
        for name, value in {"ListenerPosition": [0, 0, 0], "ListenerView": [1, 0, 0],
                            "ListenerUp": [0, 0, 1]}.items():
            variable(name, [value], "IC", Type="cartesian", Units="metre")
        variable("ReceiverPosition", [[[0], [0.0875], [0]], [[0], [-0.0875], [0]]], "RCI", Type="cartesian",
                 Units="metre")
        variable("EmitterPosition", [[[0], [0], [0]]], "ECI", Type="cartesian", Units="metre")


def processes(root):
    """A process and those below it."""
    found = [root]
    try:
        for thread in os.listdir(f"/proc/{root}/task"):
            with open(f"/proc/{root}/task/{thread}/children") as file:
                for child in file.read().split():
                    found += processes(int(child))
    except OSError:
        pass  # it has ended
    return found


def resident(process):
    """Bytes; pages that processes share count once each."""
    try:
        with open(f"/proc/{process}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(command, **options):
    """Seconds on the clock, and of the processors."""
    start, used = time.perf_counter(), processor_time()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    return time.perf_counter() - start, processor_time() - used


def timed_with_memory(command):
    start, peak = time.perf_counter(), 0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        peak = max(peak, sum(map(resident, processes(process.pid))))
        time.sleep(0.002)
    if process.returncode:
        sys.exit(f"{command} exits with {process.returncode}")
    return time.perf_counter() - start, peak


def main():
    words = [word for word in sys.argv[1:] if word != "--json"]
    runs = int(words[0]) if words else 5
    with tempfile.TemporaryDirectory() as folder:
        source, out = definition(folder), os.path.join(folder, "out")
        times = {"aurient": [], "makehrtf": []}
        for _ in range(runs):
            times["aurient"].append(timed([AURIENT, "hrtf", "convert", KEMAR, "-o", out + ".mhr"]))
            times["makehrtf"].append(timed(
                ["makehrtf", "-m", "-e", "off", "-w", "128", "-i", source, "-o", out + "-%r.mhr"],
                cwd=folder))
        if not os.path.exists(out + "-44100.mhr"):
            sys.exit("makehrtf wrote no data set")
        median, processor = ({name: statistics.median(run[kind] for run in values)
                              for name, values in times.items()} for kind in (0, 1))

        environment = dict(os.environ, XDG_CACHE_HOME=folder)
        sets = json.loads(subprocess.run([AURIENT, "hrtf", "list", "--json"], check=True, env=environment,
                                         capture_output=True).stdout)
        own = next(entry["name"] for entry in sets if entry["file"] is None and "44100" in entry["name"])
        impulse = ["--azimuth", "30", "--elevation", "0", "-o", out + ".wav"]
        warm = {KEMAR: [], own: []}
        for run in range(1 + 10 * runs):
            for name, values in warm.items():
                seconds, _ = timed([AURIENT, "hrtf", "impulse", name] + impulse, env=environment)
                if run:
                    values.append(seconds)
        opening = statistics.median(warm[KEMAR]) - statistics.median(warm[own])

        path = os.path.join(folder, "dense.sofa")
        dense(path)
        seconds, peak = timed_with_memory([AURIENT, "hrtf", "convert", path, "-o", out + ".mhr"])
    figures = {"convert_s": median["aurient"], "makehrtf_s": median["makehrtf"],
               "ratio": median["makehrtf"] / median["aurient"],
               "processor_ratio": processor["makehrtf"] / processor["aurient"], "warm_opening_ms": 1000 * opening,
               "dense_s": seconds, "dense_peak_mib": peak / 2 ** 20}
    if "--json" in sys.argv:
        print(json.dumps(figures))
    else:
        print(f"MIT KEMAR: aurient {median['aurient']:.2f} s, makehrtf {median['makehrtf']:.2f} s: "
              f"{figures['ratio']:.1f} times as fast, "
              f"{figures['processor_ratio']:.1f} times by processor time (medians of {runs})")
        print(f"opening of a cached set: {1000 * opening:.1f} ms (medians of {10 * runs})")
        print(f"41,527 directions of 512 samples: {seconds:.1f} s, {peak / 2 ** 20:.0f} MiB at the most")


if __name__ == "__main__":
    main()
