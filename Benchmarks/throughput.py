#!/usr/bin/env python3
"""Offline throughput: `aurient render` of the example walk against bare-loopback.c, which makes the
same OpenAL calls and nothing else. Prints medians over alternating runs, their ratio (1 is as fast as
the bare program) and how many times real time.

throughput.py [RUNS]      needs: a release build, cc, libopenal-dev, libsndfile1-dev; sox
"""
import csv, json, math, os, statistics, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AURIENT = os.path.join(ROOT, ".build/release/aurient")
WALK = os.path.join(ROOT, "Examples/walk")
SOUND = os.path.join(ROOT, "Sounds/mallet.flac")


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as folder:
        bare, trace = os.path.join(folder, "bare"), os.path.join(folder, "trace.csv")
        subprocess.run(["cc", "-O2", "-o", bare, os.path.join(ROOT, "Benchmarks/bare-loopback.c"),
                        "-lopenal", "-lsndfile"], check=True)
        environment = dict(os.environ, XDG_CACHE_HOME=folder)
        out, bare_out = os.path.join(folder, "a.wav"), os.path.join(folder, "b.wav")
        render = [AURIENT, "render", "--track", WALK + "/walk.gpx", "--head", WALK + "/head.csv",
                  "--phone", WALK + "/phone.csv", "--beacon", "51.4764,-0.0031", "--sound", SOUND,
                  "--yaw-only", "--json"]
        summary = json.loads(subprocess.run(render + ["--trace", trace, "-o", out], check=True,
                                            env=environment, capture_output=True).stdout)
        rate, cache = summary["rate"], os.path.join(folder, "aurient/hrtf")
        (data_set,) = [f[:-4] for f in os.listdir(cache) if f.endswith(".mhr")]
        (settings,) = [f for f in os.listdir(cache) if f.endswith(".conf")]
        bare_environment = dict(environment, AURIENT_HRTF_CACHE=cache,
                                ALSOFT_CONF=os.path.join(cache, settings))
        sound, moves = os.path.join(folder, "sound.wav"), os.path.join(folder, "moves")
        subprocess.run(["sox", SOUND, "-e", "float", "-b", "32", sound], check=True)
        with open(moves, "w") as file:
            heading = 0.0
            for row in csv.DictReader(open(trace)):
                heading = math.radians(float(row["presentation_deg"] or math.degrees(heading)))
                bearing = math.radians(float(row["bearing_deg"]))
                file.write(f"{round(float(row['time_s']) * rate)} "
                           f"{math.sin(heading):.9g} 0 {-math.cos(heading):.9g} 0 1 0 "
                           f"{math.sin(bearing):.9g} 0 {-math.cos(bearing):.9g}\n")
        programs = {"aurient": (render + ["-o", out], environment),
                    "bare C": ([bare, data_set, str(rate), sound, moves, bare_out],
                               bare_environment)}
        times = {name: [] for name in programs}
        for _ in range(runs):
            for name, (command, variables) in programs.items():
                start = time.perf_counter()
                subprocess.run(command, check=True, env=variables, stdout=subprocess.DEVNULL)
                times[name].append(time.perf_counter() - start)
        median = {name: statistics.median(values) for name, values in times.items()}
        for name, values in times.items():
            print(f"{name:8} median {median[name]:.3f} s (least {min(values):.3f}, most "
                  f"{max(values):.3f}), {summary['seconds'] / median[name]:.0f} times real time")
        print(f"ratio {median['bare C'] / median['aurient']:.3f}")


if __name__ == "__main__":
    main()
