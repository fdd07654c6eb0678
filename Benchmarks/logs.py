"""Logs: GPX against gpxpy, CSV and SQLite against Python's csv and sqlite3, and the import of head motion
with every field against bare-sqlite.c, which inserts the same rows from the same file with
the same pragmas."""
import csv, math, os, sqlite3, time

from inputs import write_head
from measure import Row, timed

START = 1790000000000


def write_log(path, count):
    """Records of a head that turns, all columns filled with numbers of full length."""
    fields = (["roll", "pitch", "yaw"] + ["quaternion" + a for a in "XYZW"]
              + [f"rotationMatrixM{r}{c}" for r in "123" for c in "123"]
              + [k + a for k in ("rotation", "gravity", "userAcc") for a in "XYZ"])
    names = fields + ["headphonePlacement", "label", "deviceId", "timestamp", "timezone", "os",
                      "jsonVersion"]
    with open(path, "w", buffering=1 << 20) as file:
        file.write(",".join(names) + "\n")
        # Making the text takes longer than importing it: a thousand rows are used again and again.
        bodies = []
        for i in range(1000):
            a = 2 * math.pi * i / 1000
            values = [math.sin(a + k) * (0.7 if k else 0.3) for k in range(25)]
            values[2] = math.pi * math.sin(a)
            values[3:7] = [0.0001234567, 0.000076543, math.sin(a / 2), math.cos(a / 2)]
            bodies.append(",".join(map(repr, values))
                          + ",1,walk,6f9619ff-8b86-4011-b42d-00c04fc964ff,")
        for i in range(count):
            file.write(f"{bodies[i % 1000]}{START + 10 * i},0,iOS,1\n")


def write_gpx(path, points):
    """A walk as a phone logs it."""
    with open(path, "w") as file:
        file.write('<?xml version="1.0"?>\n<gpx version="1.1" creator="bench" '
                   'xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\n')
        for i in range(points):
            stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START / 1000 + i))
            file.write(f'<trkpt lat="{51.5 + 1e-5 * i:.7f}" lon="-0.1000000"><ele>20.5</ele><time>{stamp}</time>'
                       '</trkpt>\n')
        file.write("</trkseg></trk></gpx>\n")


def gpx(bench):
    """Read as the track of a head log of one second, which takes next to nothing."""
    import gpxpy
    points = 10_000 if bench.quick else 40_000
    path, head = bench.path("walk.gpx"), bench.path("second.csv")
    write_gpx(path, points)
    write_head(head, 1)

    def peer():
        with open(path) as file:
            return gpxpy.parse(file)

    yield bench.compare("GPX", "MB/s",
                        lambda: bench.aurient("head", "replay", head, "--track", path, "-o", bench.path("out.csv")),
                        lambda: timed(peer), "gpxpy", bench.rounds(5, 2), amount=os.path.getsize(path) / 1e6)


def schema(bench, log):
    """The statements that make the database of a log."""
    bench.aurient("log", "import", log, "-o", log + ".sqlite")
    path = log + ".sql"
    with open(path, "w") as file:
        for (statement,) in sqlite3.connect(log + ".sqlite").execute(
                "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"):
            file.write(statement + ";\n")
    os.remove(log + ".sqlite")
    return path


def python_numbers(row):
    return [float(value) if index < 25 else value for index, value in enumerate(row)]


def records(bench):
    """Every field of every record read as a number, and counted; imported; exported."""
    count = 20_000 if bench.quick else 100_000
    log, database = bench.path("log.csv"), bench.path("log.sqlite")
    write_log(log, count)
    size = os.path.getsize(log) / 1e6

    def read_csv():
        with open(log, newline="") as file:
            rows = csv.reader(file)
            next(rows)
            for row in rows:
                python_numbers(row)

    yield bench.compare("CSV read, all fields", "MB/s", lambda: bench.aurient("log", "info", log),
                        lambda: timed(read_csv), "csv", bench.rounds(5, 2), amount=size)

    statements = open(schema(bench, log)).read()

    def python_import():
        path = bench.path("peer.sqlite")
        if os.path.exists(path):
            os.remove(path)
        target = sqlite3.connect(path)
        target.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + statements)
        with open(log, newline="") as file, target:
            rows = csv.reader(file)
            next(rows)
            target.executemany(f"INSERT INTO airpods_motion VALUES (NULL{', ?' * 33})",
                               (python_numbers(row) + [None] * (33 - len(row)) for row in rows))
        target.close()

    def ours_import():
        if os.path.exists(database):
            os.remove(database)
        return bench.aurient("log", "import", log, "-o", database)

    yield bench.compare("CSV into SQLite", "MB/s", ours_import, lambda: timed(python_import), "csv and sqlite3",
                        bench.rounds(5, 2), amount=size)

    def python_export():
        with open(bench.path("peer.csv"), "w", newline="") as file:
            csv.writer(file).writerows(sqlite3.connect(database).execute("SELECT * FROM airpods_motion ORDER BY timestamp"))

    yield bench.compare("SQLite into CSV", "MB/s",
                        lambda: bench.aurient("log", "export", database, "-o", bench.path("out.csv")),
                        lambda: timed(python_export), "sqlite3 and csv", bench.rounds(5, 2), amount=size)


def against_bare(bench):
    """The import against C; the least peer that there can be."""
    count = 200_000 if bench.quick else 2_000_000
    log, out, bare_out = (bench.path(name) for name in ("many.csv", "many.sqlite", "bare.sqlite"))
    program = bench.compile("bare-sqlite", "sqlite3")
    write_log(log, 1000)
    sql = schema(bench, log)
    write_log(log, count)

    def fresh(path, work):
        if os.path.exists(path):
            os.remove(path)
        return work()

    yield bench.compare(f"{count:,} records into SQLite", "records/s",
                        lambda: fresh(out, lambda: bench.aurient("log", "import", log, "-o", out)),
                        lambda: fresh(bare_out, lambda: bench.run([program, log, sql, bare_out])), "bare C", 1,
                        ">= 0.6", amount=count)
    ids = (1, 2, count)
    rows = [sqlite3.connect(path).execute("SELECT * FROM airpods_motion WHERE id IN (?, ?, ?) ORDER BY id", ids).fetchall()
            for path in (out, bare_out)]
    if rows[0] != rows[1]:
        raise SystemExit("bench: the databases differ")
    os.remove(bare_out)
    middle = START + 10 * (count // 2)
    usage = bench.aurient("log", "export", out, "--from", middle, "--to", middle + 10_000, "-o", bench.path("part.csv"))
    yield Row("ten seconds out of its middle", 1000 * usage.wall, "ms")


def run(bench):
    yield "Logs", list(gpx(bench)) + list(records(bench)) + list(against_bare(bench))
