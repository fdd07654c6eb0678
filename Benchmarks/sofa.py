"""SOFA files: converted, against OpenAL's `makehrtf` on the same responses; read, against sofar and
pysofaconventions by size of file; opened from the cache; and a set of 41,527 directions."""
import json, os, statistics, sys, time

from measure import AURIENT, KEMAR, KU100, Row, memory, number, repeated, require, timed
from sofafiles import write_definition, write_dense


def conversion(bench):
    require("makehrtf")
    source, out = write_definition(bench.folder), bench.path("out")

    def makehrtf():
        folder = os.getcwd()
        os.chdir(bench.folder)
        try:
            return bench.run(["makehrtf", "-m", "-e", "off", "-w", "128", "-i", source, "-o", out + "-%r.mhr"])
        finally:
            os.chdir(folder)

    yield bench.compare("KEMAR converted, cold", "s", lambda: bench.aurient("hrtf", "convert", KEMAR, "-o", out + ".mhr"),
                        makehrtf, "makehrtf", bench.rounds(5, 2), ">= 5")
    if not bench.quick:
        dense = bench.path("dense.sofa")
        write_dense(dense, 41_527)
        start = time.perf_counter()
        sizes = memory([AURIENT, "hrtf", "convert", dense, "-o", out + ".mhr"], bench.environment)
        yield Row("41,527 directions of 512 samples converted", time.perf_counter() - start, "s")
        yield Row("its peak of memory, all processes", max(sizes), "MiB")


PEERS = {
    "sofar": "import sofar; read = lambda path: sofar.read_sofa(path, verify=False, verbose=False)",
    "pysofaconventions": """
import pysofaconventions
def read(path):
    file = pysofaconventions.SOFAFile(path, "r")
    file.getDataIR(), file.getVariableValue("SourcePosition")
    file.close()
""",
}


def reading(bench):
    """A whole `aurient hrtf info`, which also checks and describes what it reads, against a whole process of Python
    that reads; what the reading alone takes there is in the last column."""
    files = {"KEMAR": KEMAR, "KU 100": KU100}
    for count in (2000, 8000):
        files[f"{count} directions"] = bench.path(f"dense-{count}.sofa")
        write_dense(files[f"{count} directions"], count)
    for name, path in files.items():
        size = os.path.getsize(path) / 1e6
        for peer, code in PEERS.items():
            names = {}
            exec(code, names)
            alone = repeated(lambda: timed(lambda: names["read"](path)), bench.rounds(5, 2))
            script = f"import warnings; warnings.filterwarnings('ignore')\n{code}\nread({path!r})"
            yield bench.compare(f"{name} read, {size:.1f} MB", "MB/s", lambda: bench.aurient("hrtf", "info", path),
                                lambda: bench.run([sys.executable, "-c", script]), peer, bench.rounds(5, 2), amount=size,
                                note=f"{number(size / alone)} MB/s")


def opening(bench):
    """A warm `hrtf impulse FILE.sofa` over that with a data set of OpenAL's own, which needs no file."""
    sets = json.loads(bench.output("hrtf", "list", "--json"))
    own = next(entry["name"] for entry in sets if entry["file"] is None and "44100" in entry["name"])
    words = ["--azimuth", "30", "--elevation", "0", "-o", bench.path("impulse.wav")]
    seconds = {name: [] for name in (KEMAR, own)}
    for index in range(1 + bench.rounds(50, 10)):
        for name, values in seconds.items():
            taken = bench.aurient("hrtf", "impulse", name, *words).wall
            if index:
                values.append(taken)
    yield Row("a cached set opened", 1000 * (statistics.median(seconds[KEMAR]) - statistics.median(seconds[own])), "ms")


def run(bench):
    yield "SOFA files converted", list(conversion(bench))
    yield "SOFA files read and opened", list(reading(bench)) + list(opening(bench))
