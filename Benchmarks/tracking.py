"""Calibration of head tracking: frames a second of each calibrator against the published algorithm in
Python, and a day's log replayed."""
from inputs import write_head, write_phone, write_walk
from measure import Row, timed
from published import replay


def logs(bench, seconds):
    head, phone, walk = (bench.path(f"{name}-{seconds}.csv") for name in ("head", "phone", "walk"))
    write_head(head, seconds)
    write_phone(phone, seconds)
    write_walk(walk, seconds)
    return head, phone, walk


def replayed(bench, files, calibrator):
    head, phone, walk = files
    return bench.aurient("head", "replay", head, "--phone", phone, "--track", walk, "--calibrator", calibrator,
                         "-o", bench.path("out.csv"))


def calibration(bench):
    seconds = 300 if bench.quick else 1200
    files = logs(bench, seconds)
    for calibrator in ("classic", "adaptive"):
        yield bench.compare(f"{calibrator}, log to headings", "frames/s", lambda: replayed(bench, files, calibrator),
                            lambda: timed(lambda: replay(*files, bench.path("peer.csv"))), "published, in Python",
                            bench.rounds(3, 2), ">= 10", amount=100 * seconds)


def day(bench):
    hours = 2 if bench.quick else 24
    files = logs(bench, 3600 * hours)
    for calibrator in ("adaptive", "classic"):
        usages = [replayed(bench, files, calibrator) for _ in range(bench.rounds(3, 2))]
        wall = sorted(usage.wall for usage in usages)[len(usages) // 2]
        yield Row(f"{hours} h at 100 Hz, {calibrator}", 3600 * hours / wall, "× real time", goal=">= 20000")
    yield Row("its peak of memory", max(usage.memory for usage in usages), "MiB")


def run(bench):
    yield "Calibration of head tracking", list(calibration(bench)) + list(day(bench))
