#!/usr/bin/env python3
"""Instructions that fixed work takes, and sizes of the program, against the checked-in figures: a guard that does
not depend on how fast or how busy a machine is.

    Benchmarks/instructions.py            checks; exit code 1 where a figure is off
    Benchmarks/instructions.py --renew    writes Benchmarks/instructions.json anew

Counted by valgrind's callgrind are the instructions in the program itself and in Swift's standard library. Of the
others (libc, libm, OpenAL and so on) some choose code by the processor, and none is ours. Needs valgrind, a
release build, and the Swift of the README; another one gives other figures.
"""
import argparse, json, os, re, subprocess, sys, tempfile

from inputs import write_head, write_phone, write_scene, write_walk
from measure import AURIENT, ROOT

FIGURES = os.path.join(ROOT, "Benchmarks/instructions.json")
# By how much a figure may differ.
TOLERANCE = {"instructions": 0.03, "bytes": 0.05}
COUNTED = ("aurient", "libswiftCore.so")


def by_object(path):
    """Instructions of a file of callgrind's, by the library that they stand in, callees apart."""
    names, counts = {}, {}
    current = None
    is_call = False
    with open(path) as file:
        for line in file:
            if line.startswith("ob="):
                number, name = re.match(r"ob=\((\d+)\)(?: (.*))?", line).groups()
                if name:
                    names[number] = os.path.basename(name)
                current = names[number]
            elif line.startswith("cob="):
                number, name = re.match(r"cob=\((\d+)\)(?: (.*))?", line).groups()
                if name:
                    names[number] = os.path.basename(name)
            elif line.startswith("calls="):
                is_call = True
            elif line[0] in "0123456789+-*":
                # The line after a call has what the callee took.
                if not is_call:
                    counts[current] = counts.get(current, 0) + int(line.split()[1])
                is_call = False
    return counts


def work(folder):
    """Commands of fixed work, by what they are called."""
    place = lambda name: os.path.join(folder, name)
    scene = write_scene(place("scene"), 5, 4)
    write_head(place("head.csv"), 60)
    write_phone(place("phone.csv"), 60)
    write_walk(place("walk.csv"), 60)
    replay = ["head", "replay", place("head.csv"), "--phone", place("phone.csv"), "--track", place("walk.csv"),
              "-o", place("out.csv"), "--calibrator"]
    return {
        "render, 4 beacons, 5 s": ["render", scene, "--jobs", "2", "-o", place("out.wav")],
        "render with a trace": ["render", scene, "--jobs", "2", "--trace", place("trace.csv"), "-o", place("out.wav")],
        "head replay, adaptive, 60 s": replay + ["adaptive"],
        "head replay, classic, 60 s": replay + ["classic"],
        "log import, 6001 records": ["log", "import", place("head.csv"), "-o", place("out.sqlite")],
        "version": ["--version"],
    }


def measured():
    figures = {}
    with tempfile.TemporaryDirectory(prefix="aurient-instructions-") as folder:
        # Hashes that are seeded anew in each process would change the counts.
        environment = dict(os.environ, XDG_CACHE_HOME=folder, SWIFT_DETERMINISTIC_HASHING="1")
        commands = work(folder)
        # Once before, so that the converted data set is there.
        first = next(iter(commands.values()))
        subprocess.run([AURIENT, *first], check=True, env=environment, stdout=subprocess.DEVNULL)
        counts = os.path.join(folder, "callgrind")
        for name, words in commands.items():
            subprocess.run(["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={counts}", AURIENT, *words],
                           check=True, env=environment, stdout=subprocess.DEVNULL)
            shares = by_object(counts)
            figures[name] = {"instructions": sum(shares.get(part, 0) for part in COUNTED)}
    sections = subprocess.run(["size", "-A", AURIENT], check=True, capture_output=True, text=True).stdout
    sizes = {words[0]: int(words[1]) for words in map(str.split, sections.splitlines()) if len(words) == 3 and words[1].isdigit()}
    figures["aurient, code"] = {"bytes": sizes[".text"]}
    figures["aurient, all that is loaded"] = {"bytes": sum(
        size for name, size in sizes.items() if name.startswith(".") and not name.startswith((".debug", ".comment")))}
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--renew", action="store_true", help="write the figures anew")
    options = parser.parse_args()
    now = measured()
    if options.renew:
        with open(FIGURES, "w") as file:
            file.write(json.dumps(now, indent=2) + "\n")
        return 0
    with open(FIGURES) as file:
        before = json.load(file)
    is_off = before.keys() != now.keys()
    for name, figure in now.items():
        ((unit, count),) = figure.items()
        known = before.get(name, {}).get(unit)
        change = count / known - 1 if known else float("inf")
        fault = abs(change) > TOLERANCE[unit]
        is_off |= fault
        print(f"{name:32} {count:>14,} {unit:12} {100 * change:+6.2f} %{'  off' if fault else ''}")
    if is_off:
        print("instructions: more is a loss to be mended, or to be explained; then, and where it became less, "
              "`Benchmarks/instructions.py --renew` and commit the file with the change", file=sys.stderr)
    return int(is_off)


if __name__ == "__main__":
    sys.exit(main())
