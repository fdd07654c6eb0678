"""How late a turn of the head is heard: from a head frame to the listener over millions of frames, and from a packet
to the sink of a sound server."""
import json, math, os, statistics, subprocess, sys, threading, time

import numpy

from endurance import RATE, environment, free_port, nmea, osc, start_daemon, write_noise
from measure import AURIENT, ROOT, Row

FRAMES = os.path.join(ROOT, ".build/release/FrameLatency")


def frames(bench):
    if not os.path.exists(FRAMES):
        print("bench: no .build/release/FrameLatency; `make bench` builds it", file=sys.stderr)
        return
    count = 300_000 if bench.quick else 10_000_000
    figures = json.loads(subprocess.run([FRAMES, str(count)], check=True, env=bench.environment | {"AURIENT_DATA": ROOT},
                                        capture_output=True, text=True).stdout)
    for key, what in (("heading_ns", "frame to heading"), ("listener_ns", "frame to listener and source")):
        for quantile, name in (("p50", "median"), ("p99", "99 %"), ("p999", "99.9 %"), ("max", "longest")):
            yield Row(f"{what}, {name} of {count:,}", figures[key][quantile] / 1000, "µs",
                      goal="<= 2" if (key, quantile) == ("heading_ns", "p50") else "")


def packets(bench):
    """By endurance.py, with no other load and a process on each core."""
    minutes = 0.4 if bench.quick else 2
    for load in (0, os.cpu_count()):
        text = subprocess.run([sys.executable, os.path.join(ROOT, "Benchmarks/endurance.py"), "--minutes", str(minutes),
                               "--latency", "normal", "--load", str(load), "--aurient", AURIENT, "--json"],
                              capture_output=True, text=True, env=bench.environment).stdout
        figures = json.loads(text)
        name = f"{load} busy cores"
        for quantile in ("median", "p99", "longest"):
            yield Row(f"packet to listener, {name}, {quantile}", figures["listener_delay_us"][quantile], "µs")
        yield Row(f"gaps in {60 * minutes:.0f} s, {name}", figures["gaps"], "")


class Recorder(threading.Thread):
    """What the sink's monitor gives, and when."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.process = subprocess.Popen(
            ["parec", "--device=sink.monitor", "--format=float32le", f"--rate={RATE}", "--channels=2", "--latency-msec=2"],
            env=environment(folder), stdout=subprocess.PIPE)
        self.pieces = []
        self.start()

    def run(self):
        while data := os.read(self.process.stdout.fileno(), 8 * RATE):
            self.pieces.append((time.monotonic(), data))

    def sides(self, window=96):
        """Times of windows of 2 ms, and whether the left ear is louder in them."""
        times, levels, rest = [], [], b""
        for arrival, data in list(self.pieces):
            rest += data
            whole = len(rest) // (8 * window)
            samples = numpy.frombuffer(rest[:whole * 8 * window], "<f4").reshape(whole, window, 2)
            rest = rest[whole * 8 * window:]
            # The last of the piece came just now.
            times += [arrival - (whole - 1 - i) * window / RATE for i in range(whole)]
            levels += list((samples ** 2).sum(1))
        levels = numpy.array(levels)
        return numpy.array(times), levels[:, 0] > levels[:, 1]


def turns(bench):
    """Noise ahead, and a head that turns from 30 degrees on one side to the other in one packet: how long until the
    other ear is the louder one at the sink's monitor, the recorder's own 2 ms included."""
    count = 5 if bench.quick else 40
    for preset in ("low", "normal", "safe"):
        folder = bench.path(f"pulse-{preset}")
        os.makedirs(folder)
        write_noise(f"{folder}/noise.wav")
        head, place = free_port(), free_port()
        daemon = start_daemon(folder)
        processes = [daemon]
        try:
            recorder = Recorder(folder)
            processes.append(recorder.process)
            player = subprocess.Popen(
                [AURIENT, "play", "--osc", str(head), "--nmea", f"udp:{place}", "--beacon", "51.6,-0.0017,Noise", "--sound",
                 f"{folder}/noise.wav", "--latency", preset, "--quiet", "--duration", str(12 + count)],
                env=environment(folder) | {"XDG_CACHE_HOME": bench.folder}, stdout=subprocess.DEVNULL)
            processes.append(player)
            sent, start, index, side = [], time.monotonic(), 0, 1
            import socket
            sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            while player.poll() is None:
                if index % 100 == 0:
                    sender.sendto(nmea(index // 100, 0.014 * index), ("127.0.0.1", place))
                # Ten seconds to be calibrated in, then a turn about each second, at no fixed place in a period.
                if index > 1000 and index % 97 == 0 and len(sent) < count:
                    side = -side
                    sent.append(time.monotonic())
                yaw = 30 * side if index > 1000 else 10 * math.sin(index / 40)
                sender.sendto(osc("/ypr", yaw, 0, 0), ("127.0.0.1", head))
                index += 1
                time.sleep(max(0, start + index / 100 - time.monotonic()))
            player.wait()
        finally:
            for process in reversed(processes):
                process.kill()
                process.wait()
        times, is_left = recorder.sides()
        delays = []
        for moment in sent:
            before = is_left[(times > moment - 0.1) & (times < moment)].mean() > 0.5
            # Three windows in a row, for noise differs by chance.
            later = numpy.flatnonzero(times > moment)
            for i in later[:200]:
                if (is_left[i:i + 3] != before).all():
                    delays.append(1000 * (times[i] - moment))
                    break
        yield Row(f"packet to sound at the sink, {preset}, median of {len(delays)} turns", statistics.median(delays), "ms")
        yield Row(f"packet to sound at the sink, {preset}, longest", max(delays), "ms")


def run(bench):
    yield "Latency of head frames", list(frames(bench))
    yield "Latency of packets in `play`", list(turns(bench)) + list(packets(bench))
