#!/usr/bin/env python3
"""Makes results of listening tests by made-up listeners whose bias, gain, noise and confusions are known, and
works out their metrics with numpy and scipy, apart from the program.

    python3 Tests/Fixtures/make_listener.py Tests/Fixtures/listening

was run with Python 3.11, numpy 2.4.6 and scipy 1.17.1.
"""
import itertools
import json
import math
import sys

import numpy as np
from scipy import optimize, stats

HEADER = ("test,test_hash,participant,row,time_utc,type,trial,kind,block,condition,stimulus,"
          "target_azimuth_deg,target_elevation_deg,target_distance_m,response_azimuth_deg,"
          "response_elevation_deg,track,level_deg,order,system,role,rating,expected,response,correct,"
          "response_time_s,replays,check").split(",")
RESAMPLES, SEED = 200, 7
MASK = (1 << 64) - 1


# XXH64 by its specification (github.com/Cyan4973/xxHash, doc/xxhash_spec.md), for inputs as short as rows.
def xxh64(data, seed=0):
    p1, p2, p3, p4, p5 = (11400714785074694791, 14029467366897019727, 1609587929392839161,
                          9650029242287828579, 2870177450012600261)
    rotl = lambda x, r: ((x << r) | (x >> (64 - r))) & MASK
    rnd = lambda acc, lane: rotl((acc + lane * p2) & MASK, 31) * p1 & MASK
    n, i = len(data), 0
    word = lambda at, size: int.from_bytes(data[at:at + size], "little")
    if n >= 32:
        acc = [(seed + p1 + p2) & MASK, (seed + p2) & MASK, seed, (seed - p1) & MASK]
        while i + 32 <= n:
            for k in range(4):
                acc[k] = rnd(acc[k], word(i + 8 * k, 8))
            i += 32
        h = sum(rotl(a, r) for a, r in zip(acc, (1, 7, 12, 18))) & MASK
        for a in acc:
            h = ((h ^ rnd(0, a)) * p1 + p4) & MASK
    else:
        h = (seed + p5) & MASK
    h = (h + n) & MASK
    while i + 8 <= n:
        h = (rotl(h ^ rnd(0, word(i, 8)), 27) * p1 + p4) & MASK
        i += 8
    if i + 4 <= n:
        h = (rotl(h ^ (word(i, 4) * p1 & MASK), 23) * p2 + p3) & MASK
        i += 4
    while i < n:
        h = rotl(h ^ (data[i] * p5 & MASK), 11) * p1 & MASK
        i += 1
    h = (h ^ (h >> 33)) * p2 & MASK
    h = (h ^ (h >> 29)) * p3 & MASK
    return h ^ (h >> 32)


assert xxh64(b"") == 0xEF46DB3751D8E999  # the specification's own value


def quoted(field):
    return '"' + field.replace('"', '""') + '"' if any(c in field for c in ',"\r\n') else field


def write(path, sessions, kind, test_hash):
    with open(path, "w", newline="") as file:
        file.write(",".join(HEADER) + "\n")
        for participant, rows in sessions.items():
            check = test_hash
            for number, row in enumerate(rows + [{"kind": "end"}], 1):
                row = {"test": "made-up", "test_hash": test_hash, "participant": participant,
                       "row": str(number), "type": kind,
                       "time_utc": f"2026-01-01T10:{number // 60 % 60:02}:{number % 60:02}.000Z", **row}
                text = ",".join(quoted(row.get(name, "")) for name in HEADER[:-1])
                check = f"{xxh64((check + chr(10) + text).encode()):016x}"
                file.write(f"{text},{check}\n")


# The program's random numbers, so that the same samples are drawn: SplitMix64.
def splitmix(count):
    with np.errstate(over="ignore"):
        state = np.uint64(SEED) + np.uint64(0x9E3779B97F4A7C15) * np.arange(1, count + 1, dtype=np.uint64)
        z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def resampled(n):
    draws = splitmix(n * RESAMPLES) >> np.uint64(32)
    return ((draws * np.uint64(n)) >> np.uint64(32)).astype(int).reshape(RESAMPLES, n)


def interval(values):
    values = np.asarray([v for v in values if np.isfinite(v)])
    return list(np.percentile(values, [2.5, 97.5])) if len(values) > 1 else [None, None]


def entry(value, low_high):
    return [None if value is None or not np.isfinite(value) else float(value)] + [
        None if v is None else float(v) for v in low_high]


# ---------------------------------------------------------------- localisation

LISTENER = dict(lateral_gain=0.9, lateral_bias=3.0, lateral_noise=7.0, polar_gain=0.8, polar_bias=10.0,
                polar_noise=14.0, front_back=0.12)


def to_angles(az, el):
    az, el = np.radians(az), np.radians(el)
    x, y, z = np.cos(el) * np.cos(az), np.cos(el) * np.sin(az), np.sin(el)
    lateral = np.degrees(np.arcsin(np.clip(y, -1, 1)))
    polar = (np.degrees(np.arctan2(z, x)) + 90) % 360 - 90
    return lateral, polar, np.stack([x, y, z], -1)


def from_angles(lateral, polar):
    lateral, polar = np.radians(lateral), np.radians(polar)
    x, y, z = np.cos(lateral) * np.cos(polar), np.sin(lateral), np.cos(lateral) * np.sin(polar)
    return np.degrees(np.arctan2(y, x)), np.degrees(np.arcsin(np.clip(z, -1, 1)))


def localisation(rng):
    sessions, data = {}, {}
    for person in range(4):
        rows = []
        for hrtf, scale in (("A", 1.0), ("B", 1.6)):
            lateral, polar = rng.uniform(-70, 70, 60), rng.uniform(-30, 210, 60)
            az, el = from_angles(lateral, polar)
            az, el = np.round(az, 1), np.round(el, 1)
            r_lateral = LISTENER["lateral_gain"] * lateral + LISTENER["lateral_bias"] + rng.normal(
                0, LISTENER["lateral_noise"] * scale, 60)
            # Elevations are drawn to the horizon, ahead and behind alike.
            centre = np.where(polar <= 90, 0, 180)
            r_polar = centre + LISTENER["polar_gain"] * (polar - centre) + LISTENER["polar_bias"] + rng.normal(
                0, LISTENER["polar_noise"] * scale, 60)
            confused = rng.uniform(size=60) < LISTENER["front_back"] * scale
            r_polar = np.where(confused, 180 - r_polar, r_polar)
            r_az, r_el = from_angles(np.clip(r_lateral, -89, 89), r_polar)
            for i in range(60):
                rows.append({
                    "trial": f"{hrtf}{i}", "kind": "test", "block": "1", "condition": f"hrtf={hrtf}",
                    "stimulus": f"s{i}", "target_azimuth_deg": f"{az[i]:g}",
                    "target_elevation_deg": f"{el[i]:g}", "target_distance_m": "1.5",
                    "response_azimuth_deg": f"{r_az[i]:.1f}", "response_elevation_deg": f"{r_el[i]:.1f}",
                    "response_time_s": f"{rng.lognormal(0.5, 0.3):.3f}", "replays": "0"})
        # A row that has to be quoted, and one that counts in no metric.
        rows.insert(0, {**rows[0], "trial": 'practice, "one"', "kind": "practice",
                        "response_azimuth_deg": "170"})
        sessions[f"P{person + 1}"] = rows
    for code, rows in sessions.items():
        tests = [r for r in rows if r["kind"] == "test"]
        pick = lambda name, rs: np.array([float(r[name]) for r in rs])
        for condition in (None, "hrtf=A", "hrtf=B"):
            rs = [r for r in tests if condition in (None, r["condition"])]
            data[code, condition] = np.stack([
                pick(n, rs) for n in ("target_azimuth_deg", "target_elevation_deg", "response_azimuth_deg",
                                      "response_elevation_deg", "response_time_s")])
    return sessions, data


def wrap(x):
    return (x + 180) % 360 - 180


def pointing_metrics(d):
    t_lat, t_pol, t = to_angles(d[0], d[1])
    r_lat, r_pol, r = to_angles(d[2], d[3])
    d_lat, d_pol = r_lat - t_lat, wrap(r_pol - t_pol)
    great = lambda a, b: np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(-1)))
    angle = great(t, r)
    near = np.abs(r_lat) <= 30
    local = near & (np.abs(d_pol) <= 90)
    out = {"angular_error_deg": angle.mean(), "lateral_rms_error_deg": np.sqrt(np.mean(d_lat ** 2)),
           "lateral_bias_deg": d_lat.mean(), "lateral_precision_deg": np.std(d_lat)}

    def line(prefix, x, y):
        fit = stats.linregress(x, y)
        out[f"{prefix}_gain"], out[f"{prefix}_intercept_deg"] = fit.slope, fit.intercept
        out[f"{prefix}_correlation"] = fit.rvalue

    line("lateral", t_lat, r_lat)
    out["polar_rms_error_local_deg"] = np.sqrt(np.mean(d_pol[local] ** 2))
    out["polar_rms_error_deg"] = np.sqrt(np.mean(d_pol[near] ** 2))
    out["polar_bias_deg"] = stats.circmean(d_pol[local], high=180, low=-180)
    out["polar_precision_deg"] = stats.circstd(d_pol[local], high=180, low=-180)
    line("polar", t_pol[local], t_pol[local] + d_pol[local])
    for name, side in (("front", t_pol <= 90), ("rear", t_pol > 90)):
        which = local & side
        out[f"polar_gain_{name}"] = stats.linregress(t_pol[which], t_pol[which] + d_pol[which]).slope
    out["quadrant_error_percent"] = 100 * np.mean(np.abs(d_pol[near]) > 90)
    wide = np.abs(r_lat) < 60
    weight = 0.5 * np.cos(2 * np.radians(r_lat)) + 0.5
    out["weighted_quadrant_error_percent"] = 100 * np.mean((np.abs(d_pol) * weight > 45)[wide])
    for name, axis in (("front_back", 0), ("up_down", 2)):
        away = np.abs(t[:, axis]) >= math.sin(math.radians(15)) - 1e-9
        out[f"{name}_confusion_percent"] = 100 * np.mean((t[:, axis] * r[:, axis] < 0)[away])
    precise = angle <= 45
    mirrored = ~precise & (great(t * [-1, 1, 1], r) <= 45)
    cone = ~precise & ~mirrored & (np.abs(d_lat) <= 45)
    for name, which in (("precision", precise), ("front_back", mirrored), ("in_cone", cone),
                        ("off_cone", ~precise & ~mirrored & ~cone)):
        out[f"class_{name}_percent"] = 100 * which.mean()
    out["response_time_s"] = d[4].mean()
    return out


def pointing(data):
    expected, own = {}, {}
    for (code, condition), d in data.items():
        whole = pointing_metrics(d)
        own[code, condition] = whole
        samples = [pointing_metrics(d[:, index]) for index in resampled(d.shape[1])]
        for metric, value in whole.items():
            expected[f"{code}|{condition or ''}||{metric}"] = entry(
                value, interval([s[metric] for s in samples]))
    people = sorted({code for code, _ in data})
    for condition in (None, "hrtf=A", "hrtf=B"):
        for metric in own[people[0], condition]:
            values = np.array([own[code, condition][metric] for code in people])
            expected[f"|{condition or ''}||{metric}"] = entry(
                values.mean(), interval(values[resampled(len(people))].mean(1)))
    comparisons = {}
    for metric in ("angular_error_deg", "lateral_rms_error_deg", "polar_rms_error_local_deg",
                   "quadrant_error_percent", "front_back_confusion_percent", "response_time_s"):
        differences = np.array([own[c, "hrtf=B"][metric] - own[c, "hrtf=A"][metric] for c in people])
        comparisons[f"A|B|{metric}"] = compare(differences)
    return expected, comparisons


def compare(differences):
    sums = [abs((np.array(signs) * differences).sum())
            for signs in itertools.product((1, -1), repeat=len(differences))]
    p = np.mean(np.array(sums) >= abs(differences.sum()) - 1e-9)
    return [float(differences.mean()), float(p)]


# ---------------------------------------------------------------- staircases

ALPHA, BETA, LAPSE = 4.0, 2.0, 0.02


def weibull(x, alpha, beta):
    return 0.5 + (0.5 - LAPSE) * (1 - np.exp(-(x / alpha) ** beta))


def staircases(rng):
    levels = [1, 1.5, 2, 3, 4, 6, 8, 12]
    sessions, tracks = {}, {}
    for code, easier in (("P1", 1.0), ("P2", 1.5)):
        rows = []
        for track in ("k1", "k2", "k3"):
            step, in_row, direction, reversals, count = 6, 0, 0, [], 0
            while len(reversals) < 12 and count < 80:
                count += 1
                level = levels[step]
                right = bool(rng.uniform() < weibull(level, ALPHA * easier, BETA))
                rows.append({"trial": f"{track}-{count}", "kind": "test", "block": "1",
                             "condition": "hrtf=A", "stimulus": "a b", "track": track, "level_deg": f"{level:g}",
                             "order": "minus-plus", "expected": "right",
                             "response": "right" if right else "left", "correct": str(right).lower(),
                             "response_time_s": f"{rng.lognormal(0.2, 0.3):.3f}", "replays": "0"})
                in_row = in_row + 1 if right else 0
                move = 1 if not right else -1 if in_row == 2 else 0
                if move:
                    if direction and move != direction:
                        reversals.append(level)
                    direction, in_row = move, 0
                    step = max(0, min(len(levels) - 1, step + move))
            tracks.setdefault(code, []).append(reversals)
        sessions[code] = rows
    return sessions, tracks


def fit(points):
    x, k, n = (np.array(c, float) for c in zip(*points))

    def loss(q):
        p = weibull(x, np.exp(q[0]), np.exp(q[1]))
        return -(k * np.log(p) + (n - k) * np.log1p(-p)).sum()

    best = min((optimize.minimize(loss, [math.log(a), math.log(b)], method="Nelder-Mead",
                                  options=dict(xatol=1e-11, fatol=1e-13, maxiter=20000, maxfev=20000))
                for a in (2, 4, 8) for b in (1, 2, 4)), key=lambda r: r.fun)
    alpha, beta = np.exp(best.x)
    part = 0.25 / (0.5 - LAPSE)
    return alpha * (-math.log(1 - part)) ** (1 / beta), beta


def thresholds(sessions, tracks):
    expected = {}
    for code, rows in sessions.items():
        reversals = np.array(sum((t[2:] for t in tracks[code]), []))
        expected[f"{code}|all||staircase_threshold_deg"] = entry(
            reversals.mean(), interval(reversals[resampled(len(reversals))].mean(1)))
        by_level = {}
        for row in rows:
            point = by_level.setdefault(float(row["level_deg"]), [0, 0])
            point[0] += row["correct"] == "true"
            point[1] += 1
        threshold, slope = fit([(x, k, n) for x, (k, n) in sorted(by_level.items())])
        expected[f"{code}|all||psychometric_threshold_deg"] = [threshold]
        expected[f"{code}|all||psychometric_slope"] = [slope]
        right = np.array([100.0 * (r["correct"] == "true") for r in rows])
        expected[f"{code}|all||correct_percent"] = entry(
            right.mean(), interval(right[resampled(len(right))].mean(1)))
    return expected


# ---------------------------------------------------------------- ABX and ratings

def abx(rng):
    sessions, expected, total = {}, {}, [0, 0]
    for code, share in (("P1", 0.95), ("P2", 0.7), ("P3", 0.5)):
        rows, k = [], 0
        for i in range(40):
            x = "ab"[int(rng.integers(2))]
            right = bool(rng.uniform() < share)
            answer = x if right else "ba"["ab".index(x)]
            k += right
            rows.append({"trial": f"t{i}", "kind": "test", "block": "1", "condition": "pair=A-B",
                         "stimulus": "s1 s2", "expected": x, "response": answer,
                         "correct": str(right).lower(), "replays": "1"})
        sessions[code] = rows
        total = [total[0] + k, total[1] + 40]
        expected.update(choices(code, k, 40))
    expected.update(choices("", *total))
    return sessions, expected


def choices(code, k, n):
    test = stats.binomtest(k, n, 0.5, alternative="greater")
    ci = stats.binomtest(k, n, 0.5).proportion_ci(0.95, method="exact")
    phi = stats.norm.cdf
    share = min(k, n - 0.5) / n
    d = optimize.brentq(lambda d: phi(d / math.sqrt(2)) * phi(d / 2) + phi(-d / math.sqrt(2)) * phi(-d / 2)
                        - share, 0, 20, xtol=1e-13) if share > 0.5 else 0
    return {f"{code}|||correct_percent": [100 * k / n, 100 * ci.low, 100 * ci.high],
            f"{code}|||binomial_p": [test.pvalue], f"{code}|||d_prime": [d]}


def preference(rng):
    systems = (("reference", "reference", 98), ("anchor", "anchor", 15), ("A", "system", 75), ("B", "system", 55))
    sessions, ratings = {}, {}
    for code in ("P1", "P2", "P3", "P4"):
        rows = []
        for trial in range(8):
            for system, role, mean in systems:
                rating = int(np.clip(round(rng.normal(mean, 7)), 0, 100))
                if role == "reference":
                    # P4 mistakes the reference in 2 of 8 trials, more than 15 %.
                    rating = 60 if code == "P4" and trial in (2, 5) else max(rating, 91)
                ratings.setdefault((code, system), []).append(rating)
                rows.append({"trial": f"t{trial}", "kind": "test", "block": "1",
                             "condition": "sound=pink", "stimulus": "s", "system": system, "role": role,
                             "rating": str(rating), "replays": "2"})
        sessions[code] = rows
    expected, passed = {}, ("P1", "P2", "P3")
    means = {}
    for (code, system), values in ratings.items():
        values = np.array(values, float)
        samples = values[resampled(len(values))]
        means[code, system] = values.mean()
        expected[f"{code}||{system}|rating_mean"] = entry(values.mean(), interval(samples.mean(1)))
        expected[f"{code}||{system}|rating_median"] = entry(
            np.median(values), interval(np.median(samples, axis=1)))
    for system, *_ in systems:
        values = np.array([ratings[code, system] for code in passed], float)
        samples = values[resampled(3)].reshape(RESAMPLES, -1)
        expected[f"||{system}|rating_mean"] = entry(values.mean(), interval(samples.mean(1)))
        expected[f"||{system}|rating_median"] = entry(
            np.median(values), interval(np.median(samples, axis=1)))
    comparisons = {}
    names = sorted(s for s, *_ in systems)
    for one, other in itertools.combinations(names, 2):
        comparisons[f"{one}|{other}|rating_mean"] = compare(
            np.array([means[c, other] - means[c, one] for c in passed]))
    return sessions, expected, comparisons


def main(folder):
    rng = np.random.default_rng(20260101)
    expected = {"listener": LISTENER, "resamples": RESAMPLES, "seed": SEED}
    sessions, data = localisation(rng)
    write(f"{folder}/localisation.csv", sessions, "localisation", "0123456789abcdef")
    figures, comparisons = pointing(data)
    expected["localisation"], expected["localisation_comparisons"] = figures, comparisons
    sessions, tracks = staircases(rng)
    write(f"{folder}/staircases.csv", sessions, "minimum-audible-angle", "0123456789abcde0")
    expected["staircases"] = thresholds(sessions, tracks)
    sessions, expected["abx"] = abx(rng)
    write(f"{folder}/abx.csv", sessions, "abx", "0123456789abcde1")
    sessions, expected["preference"], expected["preference_comparisons"] = preference(rng)
    write(f"{folder}/preference.csv", sessions, "preference", "0123456789abcde2")
    with open(f"{folder}/expected.json", "w") as file:
        json.dump(expected, file, indent=0)
        file.write("\n")


main(sys.argv[1])
