#!/usr/bin/env python3
"""Plays for minutes on a loaded machine and tells what was lost.

    Benchmarks/endurance.py --minutes 10 --latency safe

A beacon of steady noise is played by `aurient play` to a PulseAudio daemon that this starts, whose sink
plays to nobody. The head turns by OSC 100 times a second, places come as NMEA 0183 once a second, and
as many processes as there are cores calculate all the while (--load 0 for none). Told are the gaps in
what the sink's monitor gave, the growth of the program's memory after the first half minute, and the
time from a packet's arrival to the call that turns the listener.

Needs pulseaudio and pulseaudio-utils; no session, bus or sound card.
"""
import argparse
import array
import json
import math
import multiprocessing
import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import wave

RATE = 48_000
# Frames of silence that are a gap: noise is never so long exactly zero.
GAP = 16


def environment(folder):
    """What keeps a process from any other sound server."""
    return os.environ | {
        "PULSE_SERVER": f"unix:{folder}/native", "PULSE_RUNTIME_PATH": folder,
        "PULSE_COOKIE": f"{folder}/cookie", "PULSE_CONFIG": f"{folder}/daemon.conf",
        "XDG_RUNTIME_DIR": folder, "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/no-bus",
        "ALSOFT_DRIVERS": "pulse"}


def start_daemon(folder):
    open(f"{folder}/daemon.conf", "w").close()
    daemon = subprocess.Popen(
        ["pulseaudio", "-n", "--daemonize=no", "--system=no", "--use-pid-file=no", "--realtime=yes",
         "--high-priority=yes", "--disable-shm=yes", "--exit-idle-time=120",
         f"--load=module-native-protocol-unix socket={folder}/native auth-anonymous=1",
         f"--load=module-null-sink norewinds=1 sink_name=sink format=float32le rate={RATE} "
         "channel_map=stereo"],
        env=environment(folder) | {"HOME": folder}, stdout=subprocess.DEVNULL,
        stderr=open(f"{folder}/daemon.log", "w"))
    for _ in range(100):
        if subprocess.run(["pactl", "get-sink-volume", "sink"], env=environment(folder),
                          capture_output=True).returncode == 0:
            return daemon
        time.sleep(0.1)
    daemon.kill()
    sys.exit(f"PulseAudio does not come up: {open(f'{folder}/daemon.log').read()}")


def write_noise(path):
    """A second of noise at -20 dB."""
    chance = random.Random(1)
    samples = array.array("h", (int(3277 * chance.uniform(-1, 1)) or 1 for _ in range(RATE)))
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())


class Monitor(threading.Thread):
    """Counts gaps in what the sink plays."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.process = subprocess.Popen(
            ["parec", "--device=sink.monitor", "--format=float32le", f"--rate={RATE}", "--channels=2",
             "--latency-msec=100"], env=environment(folder), stdout=subprocess.PIPE)
        self.frames = 0
        self.gaps = []
        self.start()

    def run(self):
        silent, has_begun = 0, False
        zero = bytes(8)
        while data := self.process.stdout.read(8 * 4800):
            if zero * GAP not in data and silent < GAP:
                silent = 0
                # A run may go on in the next piece.
                while data.endswith(zero * (silent + 1)):
                    silent += 1
                has_begun = True
                self.frames += len(data) // 8
                continue
            for place in range(0, len(data) - 7, 8):
                if data[place:place + 8] == zero:
                    silent += 1
                    continue
                if silent >= GAP and has_begun:
                    self.gaps.append((self.frames + place // 8 - silent, silent))
                silent, has_begun = 0, True
            self.frames += len(data) // 8


def osc(address, *numbers):
    """A message of floats as OSC 1.0 has it."""
    def text(value):
        value = value.encode()
        return value + bytes(4 - len(value) % 4)
    return text(address) + text("," + "f" * len(numbers)) + struct.pack(f">{len(numbers)}f", *numbers)


def nmea(seconds, north):
    """A walk north at 1.4 m/s as RMC."""
    minutes = 28.0 + north / 1852
    body = (f"GPRMC,{120000 + seconds % 60 + 100 * (seconds // 60 % 60):06d}.00,A,51{minutes:07.4f},N,"
            "00000.1000,W,2.72,0.0,210926,,,A")
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n".encode()


def send(head_port, place_port, stop):
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    start = time.monotonic()
    count = 0
    while not stop.is_set():
        if count % 100 == 0:
            sender.sendto(nmea(count // 100, 0.014 * count), ("127.0.0.1", place_port))
        # 40 degrees each way in 6 s.
        sender.sendto(osc("/ypr", 40 * math.sin(count / 100), 0, 0), ("127.0.0.1", head_port))
        count += 1
        time.sleep(max(0, start + count / 100 - time.monotonic()))


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def calculate():
    while True:
        math.sqrt(2)


def memory(process):
    """Resident, KiB."""
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def percentile(share, values):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--latency", default="safe", choices=["low", "normal", "safe"])
    parser.add_argument("--load", type=int, default=os.cpu_count(), help="processes that calculate")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--aurient", default=".build/release/aurient", help="the program")
    options = parser.parse_args()
    ports = free_port(), free_port()
    stop = threading.Event()
    busy = [multiprocessing.Process(target=calculate, daemon=True) for _ in range(options.load)]
    with tempfile.TemporaryDirectory() as folder:
        write_noise(f"{folder}/noise.wav")
        daemon = start_daemon(folder)
        processes = [daemon]
        try:
            for process in busy:
                process.start()
            monitor = Monitor(folder)
            processes.append(monitor.process)
            player = subprocess.Popen(
                [options.aurient, "play", "--osc", str(ports[0]), "--nmea", f"udp:{ports[1]}",
                 "--beacon", "51.5,-0.0016,Noise", "--sound", f"{folder}/noise.wav",
                 "--latency", options.latency, "--json", "--every", "0.02",
                 "--duration", str(60 * options.minutes)],
                env=environment(folder), stdout=open(f"{folder}/states", "w"))
            processes.append(player)
            threading.Thread(target=send, args=(*ports, stop), daemon=True).start()
            memories, start = [], time.monotonic()
            # Not while it ends, which is a silence of its own.
            while player.poll() is None and time.monotonic() < start + 60 * options.minutes - 1:
                memories.append((time.monotonic() - start, memory(player)))
                time.sleep(1)
            gaps, frames = list(monitor.gaps), monitor.frames
            code = player.wait(30)
            states = [json.loads(line) for line in open(f"{folder}/states")]
        finally:
            stop.set()
            for process in reversed(processes):
                process.kill()
                process.wait()
            for process in busy:
                process.kill()
    delays = [state["listener_delay_s"] for state in states if state["listener_delay_s"] is not None]
    settled = [size for seconds, size in memories if seconds >= min(30, 30 * options.minutes)]
    if options.json:
        print(json.dumps({
            "seconds": frames / RATE, "gaps": len(gaps), "memory_growth_kib": settled[-1] - settled[0],
            "listener_delay_us": {name: 1e6 * percentile(share, delays) for name, share in
                                  (("median", 0.5), ("p99", 0.99), ("longest", 1))}}))
        return code
    print(f"latency {options.latency}, {options.load} processes on {os.cpu_count()} cores, exit code {code}")
    print(f"{frames / RATE:.0f} s heard, {len(gaps)} gaps"
          + "".join(f"; {length / RATE * 1000:.1f} ms at {place / RATE:.1f} s" for place, length in gaps[:10]))
    print(f"memory {settled[0] / 1024:.1f} MiB, grown by {settled[-1] - settled[0]} KiB "
          f"in {memories[-1][0] - min(30, 30 * options.minutes):.0f} s")
    print("listener delay: median {:.0f} µs, 99 % {:.0f} µs, longest {:.0f} µs of {}".format(
        *(1e6 * percentile(share, delays) for share in (0.5, 0.99, 1)), len(delays)))
    print(f"device opened anew {states[-1]['reopenings']} times")
    return code or (1 if gaps else 0)


if __name__ == "__main__":
    sys.exit(main())
