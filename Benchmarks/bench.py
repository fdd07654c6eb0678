#!/usr/bin/env python3
"""Where Aurient stands on this machine, side by side with the limit and with what else there is.

    Benchmarks/bench.py [TOPIC ...] [--quick] [--json FILE]

Topics: throughput, peers, latency, sofa, tracking, logs, startup; all of them where none is named. Prints a
table a topic: our median, the peer's, how many times better ours is (1 is the same), and the least and the most of
that over the rounds, in which both run by turns.

Peers from PyPI go into a virtual environment under .build/bench-venv, in which this then runs; it needs a
release build (`make bench` makes one), cc and the packages of `Scripts/install-dependencies --bench`.
"""
import argparse, dataclasses, importlib, json, os, subprocess, sys, tempfile

from measure import AURIENT, ROOT, Bench, machine, table

TOPICS = ["throughput", "peers", "latency", "sofa", "tracking", "logs", "startup"]
PACKAGES = ["numpy", "scipy", "h5py", "soundfile", "sofar", "pysofaconventions", "gpxpy", "slab", "h5netcdf", "pyfftw", "pyaudio",
            "python-osc"]
# Its own list of what it needs names versions that no longer build.
WITHOUT_DEPENDENCIES = ["pybinsim"]
VENV = os.path.join(ROOT, ".build/bench-venv")


def enter_environment():
    """Goes on in the virtual environment of the peers, made where there is none."""
    python = os.path.join(VENV, "bin/python")
    if os.path.abspath(sys.prefix) == os.path.abspath(VENV):
        return
    done = os.path.join(VENV, "installed")
    if not os.path.exists(done):
        print("bench: installing the peers into .build/bench-venv", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run(pip + PACKAGES, check=True)
        subprocess.run(pip + ["--no-deps"] + WITHOUT_DEPENDENCIES, check=True)
        open(done, "w").close()
    os.execv(python, [python, *sys.argv])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=", ".join(TOPICS))
    parser.add_argument("--quick", action="store_true", help="shorter inputs and fewer rounds: minutes in all")
    parser.add_argument("--json", metavar="FILE", help="also write all figures and the machine; - for standard output")
    parser.add_argument("--sofa", metavar="FILE", help="the measurements that the peers render with")
    options = parser.parse_args()
    for topic in options.topics:
        if topic not in TOPICS:
            parser.error(f"{topic} is none of {', '.join(TOPICS)}")
    if not os.path.exists(AURIENT):
        sys.exit("bench: there is no .build/release/aurient; `make bench` builds it")
    enter_environment()
    facts, results = machine(), {}
    out = sys.stderr if options.json == "-" else sys.stdout
    print(", ".join(f"{key} {value}" for key, value in facts.items()) + "\n", file=out)
    for topic in options.topics or TOPICS:
        with tempfile.TemporaryDirectory(prefix="aurient-bench-") as folder:
            bench = Bench(options.quick, folder, options.sofa and os.path.abspath(options.sofa))
            for title, rows in importlib.import_module(topic).run(bench):
                print(table(title, rows), file=out, flush=True)
                results[title] = [dataclasses.asdict(row) | {"reached": row.reached} for row in rows]
    if options.json:
        text = json.dumps({"machine": facts, "quick": options.quick, "results": results}, indent=1) + "\n"
        if options.json == "-":
            print(text, end="")
        else:
            with open(options.json, "w") as file:
                file.write(text)


if __name__ == "__main__":
    main()
