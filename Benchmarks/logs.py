#!/usr/bin/env python3
"""Throughput of the motion log: 24 h of head motion at 100 Hz (8.64 million records with every field)
imported by `aurient log import` and by bare-sqlite.c, which inserts the same rows from the same file
with the same pragmas. Prints the rates, their ratio (1 is as fast as the bare program), the size of the
database, the most memory that was used, and the time to read ten seconds out of the middle.

motion-log.py [RECORDS]      needs: a release build, cc, libsqlite3-dev, 11 GB of disk
"""
import math, os, sqlite3, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AURIENT = os.path.join(ROOT, ".build/release/aurient")
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


def run(command):
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command[0]} failed")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 8_640_000
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/tmp")) as folder:
        log, sql = os.path.join(folder, "log.csv"), os.path.join(folder, "schema.sql")
        bare, out = os.path.join(folder, "bare"), os.path.join(folder, "log.sqlite")
        bare_out = os.path.join(folder, "bare.sqlite")
        subprocess.run(["cc", "-O2", "-o", bare, os.path.join(ROOT, "Benchmarks/bare-sqlite.c"),
                        "-lsqlite3"], check=True)
        write_log(log, 1000)
        subprocess.run([AURIENT, "log", "import", log, "-o", out], check=True,
                       stdout=subprocess.DEVNULL)
        with open(sql, "w") as file:
            for (statement,) in sqlite3.connect(out).execute("SELECT sql FROM sqlite_schema WHERE sql "
                                                             "IS NOT NULL"):
                file.write(statement + ";\n")
        os.remove(out)
        write_log(log, count)
        elapsed, cpu, _ = run([bare, log, sql, bare_out])
        print(f"bare C   {count / elapsed:9.0f} records/s, {elapsed:.1f} s, {cpu:.1f} s of processor")
        ours, our_cpu, memory = run([AURIENT, "log", "import", log, "-o", out])
        print(f"aurient  {count / ours:9.0f} records/s, {ours:.1f} s, {our_cpu:.1f} s of processor")
        print(f"ratio    {elapsed / ours:.3f}, of processor time {cpu / our_cpu:.3f}")
        print(f"size     {os.path.getsize(out) / 1e9:.3f} GB, bare C "
              f"{os.path.getsize(bare_out) / 1e9:.3f} GB")
        print(f"memory   {memory:.1f} MB at most")
        rows = "SELECT * FROM airpods_motion WHERE id IN (1, 2, ?) ORDER BY id"
        both = [sqlite3.connect(p).execute(rows, (count,)).fetchall() for p in (out, bare_out)]
        print("rows     " + ("equal" if both[0] == both[1] else "DIFFER"))
        os.remove(bare_out)
        middle = START + 10 * (count // 2)
        taken, _, _ = run([AURIENT, "log", "export", out, "--from", str(middle), "--to",
                           str(middle + 10_000), "-o", os.path.join(folder, "part.csv")])
        with open(os.path.join(folder, "part.csv")) as part:
            print(f"range    {sum(1 for _ in part) - 1} records in {1000 * taken:.0f} ms")


if __name__ == "__main__":
    main()
