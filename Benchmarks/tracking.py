"""Calibration of head tracking: frames a second of each calibrator against the published algorithm in
Python, and a day's log replayed."""
from inputs import write_head, write_phone, write_walk
from measure import AURIENT, Row, memory, repeated, timed
from published import replay


def logs(bench, seconds):
    head, phone, walk = (bench.path(f"{name}-{seconds}.csv") for name in ("head", "phone", "walk"))
    write_head(head, seconds)
    write_phone(phone, seconds)
    write_walk(walk, seconds)
    return head, phone, walk


def command(bench, files, calibrator):
    head, phone, walk = files
    return ["head", "replay", head, "--phone", phone, "--track", walk, "--calibrator", calibrator,
            "-o", bench.path("out.csv")]


def calibration(bench):
    seconds = 300 if bench.quick else 1200
    files = logs(bench, seconds)
    for calibrator in ("classic", "adaptive"):
        yield bench.compare(f"{calibrator}, log to headings", "frames/s", lambda: bench.aurient(*command(bench, files, calibrator)),
                            lambda: timed(lambda: replay(*files, bench.path("peer.csv"))), "published, in Python",
                            bench.rounds(3, 2), ">= 10", amount=100 * seconds)


def day(bench):
    hours = 2 if bench.quick else 24
    files = logs(bench, 3600 * hours)
    for calibrator in ("adaptive", "classic"):
        wall = repeated(lambda: bench.aurient(*command(bench, files, calibrator)).wall, bench.rounds(3, 1))
        yield Row(f"{hours} h at 100 Hz, {calibrator}", 3600 * hours / wall, "× real time", goal=">= 20000")
    sizes = memory([AURIENT, *command(bench, files, "adaptive")], bench.environment)
    settled = sizes[len(sizes) // 10:-2]
    yield Row("memory at the most", max(sizes), "MiB")
    yield Row("its growth after the first tenth", 1024 * (max(settled) - settled[0]), "KiB", goal="<= 256")


def run(bench):
    yield "Calibration of head tracking", list(calibration(bench)) + list(day(bench))
