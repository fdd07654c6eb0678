"""What all topics of the benchmark suite share: timing in turns, rows of the table, C programs."""
import dataclasses, datetime, math, os, platform, shutil, statistics, subprocess, sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AURIENT = os.path.join(ROOT, ".build/release/aurient")
SOUND = os.path.join(ROOT, "Sounds/mallet.flac")
KEMAR = os.path.join(ROOT, "HRTF/MIT-KEMAR-44100.sofa")
KU100 = os.path.join(ROOT, "HRTF/SADIE-KU100-48000.sofa")


@dataclasses.dataclass
class Row:
    """A line of the table: what was measured, ours and the peer's median, and how they compare."""
    what: str
    ours: float
    unit: str
    peer: str = ""
    theirs: float | None = None
    # How many times better ours is: the median, and the least and most of the rounds.
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    # What is to be reached: of the ratio where there is a peer, else of ours. ">= 10" or "<= 15".
    goal: str = ""
    note: str = ""

    @property
    def reached(self):
        if not self.goal:
            return None
        sign, limit = self.goal.split()
        value = self.ours if self.ratio is None else self.ratio
        return value >= float(limit) if sign == ">=" else value <= float(limit)


@dataclasses.dataclass
class Usage:
    """What a process took: seconds on the clock and of the processors."""
    wall: float
    processor: float


class Bench:
    """A run of the suite: its options, and a folder for what it makes."""

    def __init__(self, quick, folder, sofa=None):
        self.quick, self.folder = quick, folder
        self.sofa = sofa or KU100
        # A cache of its own, which the first run fills.
        self.environment = dict(os.environ, XDG_CACHE_HOME=folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def rounds(self, full, quick=3):
        return quick if self.quick else full

    def run(self, command, **environment):
        """Runs a command to its end; what it prints is thrown away."""
        command = [str(word) for word in command]
        start = time.perf_counter()
        process = subprocess.Popen(command, env=self.environment | environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"bench: {' '.join(command)}: {errors.decode()[-500:]}")
        return Usage(wall, usage.ru_utime + usage.ru_stime)

    def aurient(self, *words, **environment):
        return self.run([AURIENT, *words], **environment)

    def output(self, *words):
        """What `aurient` prints."""
        return subprocess.run([AURIENT, *map(str, words)], check=True, env=self.environment,
                              capture_output=True, text=True).stdout

    def compile(self, name, *libraries, options=("-O2",)):
        """Compiles a C file of this folder; returns the program."""
        program = self.path(name)
        subprocess.run(["cc", *options, "-o", program, os.path.join(ROOT, "Benchmarks", name + ".c"),
                        *[f"-l{library}" for library in libraries], "-lm"], check=True)
        return program

    def compare(self, what, unit, ours, theirs, peer, rounds, goal="", note="", amount=None, tells_processor=False):
        """Times ours and the peer's by turns, so that a busy machine is busy for both.

        `ours` and `theirs` do the work and return a `Usage` or seconds. The row tells `amount` over the
        seconds, or the seconds where there is none. The first round warms up and does not count. A note tells the
        ratio of processor time, too, where that is asked for.
        """
        seconds, processor = ([], []), ([], [])
        for index in range(rounds + 1):
            for work, values, cores in zip((ours, theirs), seconds, processor):
                taken = work()
                if index:
                    values.append(taken.wall if isinstance(taken, Usage) else taken)
                    cores.append(taken.processor if tells_processor else 1)
        ratios = [b / a for a, b in zip(*seconds)]
        if tells_processor:
            note = f"{number(statistics.median(b / a for a, b in zip(*processor)))} by processor time"
        show = (lambda s: amount / s) if amount else (lambda s: s)
        return Row(what, show(statistics.median(seconds[0])), unit, peer,
                   show(statistics.median(seconds[1])), statistics.median(ratios), min(ratios), max(ratios),
                   goal, note)


def processes(root):
    """A process and those below it."""
    found = [root]
    try:
        for thread in os.listdir(f"/proc/{root}/task"):
            with open(f"/proc/{root}/task/{thread}/children") as file:
                for child in file.read().split():
                    found += processes(int(child))
    except OSError:
        pass  # it has ended
    return found


def resident(process):
    """MiB; pages that processes share count once each."""
    try:
        with open(f"/proc/{process}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2 ** 20
    except OSError:
        return 0


def memory(command, environment, every=0.01):
    """Runs a command; the memory in MiB of it and those below it together, time after time. What the system
    itself tells of a process's peak includes the program that started it."""
    process = subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    sizes = []
    while process.poll() is None:
        sizes.append(sum(map(resident, processes(process.pid))))
        time.sleep(every)
    if process.returncode:
        sys.exit(f"bench: {command} exits with {process.returncode}")
    return sizes


def require(program):
    """Ends the run where a program is missing: what it takes part in would else be left out without a word."""
    if not shutil.which(program):
        sys.exit(f"bench: there is no {program}; `Scripts/install-dependencies --bench` installs it")


def timed(work):
    """Seconds that a call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def repeated(work, rounds):
    """The median of what calls return, the first left out."""
    return statistics.median([work() for _ in range(rounds + 1)][1:])


def machine():
    """What the figures depend on."""
    def first(command):
        try:
            return subprocess.run(command, capture_output=True, text=True).stdout.split("\n")[0].strip()
        except OSError:
            return "none"

    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")),
                     platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2 ** 30
    package = lambda name: first(["dpkg-query", "-W", "-f", "${Version}", name])
    return {
        "processor": model, "cores": os.cpu_count(), "memory_gib": round(memory, 1),
        "kernel": platform.release(), "load": round(os.getloadavg()[0], 2),
        "openal": package("libopenal1"), "libmysofa": package("libmysofa1"),
        "swift": first(["swift", "--version"]), "python": platform.python_version(),
        "commit": first(["git", "-C", ROOT, "describe", "--always", "--dirty"]),
        "date": datetime.date.today().isoformat()}


def number(value):
    """Three digits that count."""
    if value is None:
        return ""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.{max(0, 2 - int(math.floor(math.log10(abs(value)))))}f}"


def table(title, rows):
    """A Markdown table, aligned for a terminal."""
    head = ["", "Aurient", "peer", "its", "ratio", "spread", "goal", ""]
    cells = [head] + [[
        row.what, f"{number(row.ours)} {row.unit}", row.peer,
        f"{number(row.theirs)} {row.unit}" if row.theirs is not None else "",
        number(row.ratio), f"{number(row.low)} to {number(row.high)}" if row.low is not None else "",
        (row.goal + (" ✓" if row.reached else " ✗")) if row.goal else "", row.note] for row in rows]
    used = [column for column in range(len(head)) if column < 2 or any(row[column] for row in cells[1:])]
    cells = [[row[column] for column in used] for row in cells]
    widths = [max(len(row[i]) for row in cells) for i in range(len(used))]
    line = lambda row: "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
    rule = "| " + " | ".join("-" * max(3, width) for width in widths) + " |"
    return "\n".join([f"### {title}", "", line(cells[0]), rule, *map(line, cells[1:]), ""])
