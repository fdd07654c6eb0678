#!/usr/bin/env python3
"""Heading error of `aurient head replay` on simulated walks with known truth, for each calibrator.

Somebody walks with tracked headphones, a phone and a receiver. The body's direction wanders and turns
corners; the head sways about it and glances aside; the phone errs by a bias that some scenarios change;
a course comes once a second. Prints one Markdown row a scenario: mean and worst RMS error over the
seeds (degrees, while there is a heading) of each calibrator, and of `adaptive` the median time of the
first heading, the share of frames whose true heading lies within the uncertainty, the longest time
more than 30 degrees off, and the largest change of the offset in one frame.

calibration.py [SCENARIO...] [--seeds 20] [--rate 25 50 100]     needs: a release build; numpy
"""
import argparse, csv, math, multiprocessing, os, subprocess, tempfile
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AURIENT = os.path.join(ROOT, ".build/release/aurient")
EPOCH = 1_790_000_000_000

# What a scenario changes of the usual: see `simulate`.
SCENARIOS = {
    "straight": {},
    "corners and glances": dict(seconds=240, corners=40, glances=9),
    "standing, looking around": dict(glances=3, course=lambda t: False),
    "magnet, 40° for 90 s": dict(seconds=240, corners=40, glances=12,
                                 bias=lambda t: 40 * ((t > 60) & (t < 150))),
    "magnet at the start": dict(seconds=240, corners=40, glances=12, bias=lambda t: 40 * (t < 60)),
    "drift, 3°/min": dict(seconds=600, corners=40, glances=12, drift=3),
    "drift, 4°/min, 2 min": dict(drift=4),
    "pocket, 75°": dict(seconds=180, glances=15, bias=lambda t: 75 + 0 * t),
    "pocket and drift": dict(seconds=180, glances=15, bias=lambda t: 75 + 0 * t, drift=-4),
    "reconnect": dict(seconds=180, glances=12, gap=(80, 90)),
    "no phone": dict(seconds=240, corners=40, glances=9, phone=False),
    "no course": dict(seconds=240, corners=40, glances=9, course=lambda t: False),
    "magnet, no course": dict(seconds=240, corners=40, glances=12, course=lambda t: False,
                              bias=lambda t: 40 * ((t > 60) & (t < 150))),
    "course ±12°": dict(seconds=240, corners=40, glances=9, noise=12),
    "course 2 s late": dict(seconds=240, corners=40, glances=9, late=2),
    "course smoothed, no phone": dict(seconds=240, corners=40, glances=9, smooth=0.4, phone=False),
    "stop of a minute": dict(seconds=240, corners=40, glances=9,
                             course=lambda t: (t < 60) | (t > 120)),
    "aside for 20 s": dict(seconds=240, corners=40, glances=9, aside=True),
    "aside for 20 s, no phone": dict(seconds=240, corners=40, glances=9, aside=True, phone=False),
    "course after 20 s": dict(seconds=240, corners=40, glances=9, course=lambda t: t > 20),
    "pocket, course after 20 s": dict(seconds=180, glances=15, bias=lambda t: 75 + 0 * t,
                                      course=lambda t: t > 20),
    "frames lost and late": dict(seconds=240, corners=40, glances=9, jitter=True),
}


def wrap(degrees):
    return (np.asarray(degrees) + 180) % 360 - 180


def wander(random, times, deviation, correlation):
    """A first-order Gauss-Markov process at evenly spaced times."""
    kept = math.exp(-(times[1] - times[0]) / correlation)
    steps = random.normal(size=len(times)) * deviation * math.sqrt(1 - kept * kept)
    value, values = random.normal() * deviation, []
    for step in steps.tolist():
        value = kept * value + step
        values.append(value)
    return np.array(values)


def simulate(seed, rate, seconds=120, corners=None, glances=None, bias=lambda t: 0 * t, drift=0,
             gap=None, phone=True, course=lambda t: True, noise=4, late=0, smooth=1, aside=False,
             jitter=False):
    """Times, true headings and clockwise yaws of the head; times and directions of phone and course
    (NaN where invalid)."""
    random = np.random.default_rng([seed, int(rate)])
    t = np.arange(0, seconds, 1 / rate)
    body = random.uniform(0, 360) + wander(random, t, 2, 4)
    for corner in np.arange(corners or seconds, seconds, corners or seconds):
        body += random.choice([-90, 90]) * np.clip((t - corner) / 2.5, 0, 1)
    head = wander(random, t, 5, 1.5)

    def look(start, length, angle):
        return angle * (np.clip((t - start) / 0.4, 0, 1) - np.clip((t - start - length) / 0.4, 0, 1))

    for start in np.arange(2, seconds - 4, glances) if glances else []:
        head += look(start + random.uniform(0, 2), random.uniform(0.5, 2), random.uniform(-70, 70))
    if aside:
        head += look(random.uniform(30, 70), 20, random.choice([-60, 60]))
    zero = np.full(len(t), random.uniform(0, 360))
    kept = np.ones(len(t), bool)
    if gap:
        kept = (t < gap[0]) | (t > gap[1])
        zero[t > gap[1]] = random.uniform(0, 360)
    if jitter:
        kept &= random.uniform(size=len(t)) > 0.2
    truth, yaw = body + head, body + head - zero + drift / 60 * t
    tp = np.arange(0, seconds, 0.1)
    directions = (np.interp(tp, t, body) + random.uniform(-4, 4) + bias(tp)
                  + wander(random, tp, 5, 1))
    tc = np.arange(0, seconds, 1.0)
    ways = np.interp(tc - late, t, body) + random.normal(size=len(tc)) * noise
    for i in range(1, len(ways)):
        ways[i] = ways[i - 1] + smooth * (ways[i] - ways[i - 1])
    stamps = t + (random.uniform(0, 0.4 / rate, len(t)) if jitter else 0)
    return ((stamps[kept], truth[kept] % 360, yaw[kept] % 360),
            (tp, directions % 360) if phone else None,
            (tc, np.where([course(x) for x in tc], ways % 360, np.nan)))


def write(path, header, times, values, line):
    with open(path, "w") as file:
        file.write(header + "\n")
        for time, value in zip(times.tolist(), values.tolist()):
            file.write(f"{EPOCH + round(time * 1000)},{line(value)}\n")


def run(job):
    name, rate, seed = job
    (t, truth, yaw), phone, course = simulate(seed, rate, **SCENARIOS[name])
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        head, phones, walk, out = (os.path.join(folder, f) for f in
                                   ("head.csv", "phone.csv", "walk.csv", "out.csv"))
        write(head, "timestamp,yaw", t, np.radians(wrap(180 - yaw)), lambda v: f"{v:.7f}")
        write(walk, "timestamp,latitude,longitude,course", *course,
              lambda v: f"51.5,-0.1,{-1 if math.isnan(v) else round(v, 2)}")
        command = [AURIENT, "head", "replay", head, "--track", walk, "-o", out]
        if phone:
            write(phones, "timestamp,trueHeading", *phone, lambda v: f"{v % 360:.3f}")
            command += ["--phone", phones]
        for calibrator in ("classic", "adaptive"):
            subprocess.run(command + ["--calibrator", calibrator], check=True)
            rows = list(csv.DictReader(open(out)))
            number = lambda column: np.array([float(r[column] or "nan") for r in rows])
            results[calibrator] = score(t, truth, number("head_deg"), number("offset_deg"),
                                        number("uncertainty_deg"))
    return name, rate, results


def score(t, truth, heading, offset, width):
    known = np.isfinite(heading)
    if not known.any():
        return None
    error = np.abs(wrap(heading - truth))
    gross, start, longest = known & (error > 30), None, 0.0
    for time, bad in zip(t, gross):
        start = (time if start is None else start) if bad else None
        longest = max(longest, time - start if start is not None else 0)
    return dict(rms=math.sqrt(np.mean(error[known] ** 2)), first=t[known][0] - t[0],
                inside=np.mean(error[known] <= width[known]), gross=longest,
                step=np.nanmax(np.abs(wrap(np.diff(offset)))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="some of: " + ", ".join(
        SCENARIOS).replace("%", "%%"))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--rate", type=int, nargs="+", default=[25, 50, 100])
    arguments = parser.parse_args()
    names = arguments.scenarios or list(SCENARIOS)
    if unknown := [n for n in names if n not in SCENARIOS]:
        parser.error(f"no scenario {unknown[0]!r}")
    jobs = [(n, r, s) for n in names for r in arguments.rate for s in range(1, arguments.seeds + 1)]
    print("| scenario | classic mean | worst | adaptive mean | worst | first heading | within 95 % "
          "width | > 30° | step |\n| --- " + "| ---: " * 8 + "|")
    with multiprocessing.Pool() as pool:
        done = pool.map(run, jobs, chunksize=1)
    for name in names:
        row = [name]
        for calibrator in ("classic", "adaptive"):
            all_runs = [r[calibrator] for n, _, r in done if n == name]
            runs = [r for r in all_runs if r]
            if not runs:
                row += ["none", "none"]
                continue
            rms = [r["rms"] for r in runs]
            missing = len(all_runs) - len(runs)
            row += [f"{np.mean(rms):.1f}°", f"{max(rms):.1f}°" + f" ({missing} none)" * (missing > 0)]
        row += [f"{np.median([r['first'] for r in runs]):.1f} s",
                f"{100 * np.mean([r['inside'] for r in runs]):.0f} %",
                f"{max(r['gross'] for r in runs):.1f} s", f"{max(r['step'] for r in runs):.2f}°"]
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
