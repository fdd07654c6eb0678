"""What the tests share: the checkout's files, and sounds that they make."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path

import aurient
import numpy as np
import pytest

PROJECT = Path(__file__).resolve().parents[2]
WALK = PROJECT / "Examples" / "walk"


@pytest.fixture(scope="session")
def noise(tmp_path_factory):
    """The path of two seconds of white noise, 44.1 kHz, mono, 16 bit."""
    path = tmp_path_factory.mktemp("sound") / "noise.wav"
    samples = np.random.default_rng(9).uniform(-0.25, 0.25, 88_200)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 44_100, 0, "NONE", ""))
        file.writeframes(np.round(samples * 32_767).astype("<i2").tobytes())
    return path


@pytest.fixture
def session():
    with aurient.Session(head_reference="north") as session:
        yield session


@pytest.fixture(scope="session")
def sink(tmp_path_factory):
    """A PulseAudio daemon with a sink, of 48 kHz, that plays to nobody: the environment that leads to it alone."""
    if shutil.which("pulseaudio") is None:
        pytest.skip("no pulseaudio")
    # Not under pytest's own folder: the name of a socket has 108 bytes at most.
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(
            os.environ,
            PULSE_SERVER=f"unix:{folder}/native",
            PULSE_RUNTIME_PATH=folder,
            PULSE_COOKIE=f"{folder}/cookie",
            XDG_RUNTIME_DIR=folder,
            DBUS_SESSION_BUS_ADDRESS=f"unix:path={folder}/no-bus",
            ALSOFT_DRIVERS="pulse",
        )
        words = ["pulseaudio", "-n", "--daemonize=no", "--system=no", "--use-pid-file=no", "--disable-shm=yes"]
        words += ["--exit-idle-time=120", f"--load=module-native-protocol-unix socket={folder}/native auth-anonymous=1"]
        words += ["--load=module-null-sink norewinds=1 sink_name=nobody format=float32le rate=48000"]
        daemon = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            ask = ["pactl", "get-sink-volume", "nobody"]
            deadline = time.monotonic() + 20
            while subprocess.run(ask, env=environment, capture_output=True).returncode != 0:
                assert time.monotonic() < deadline and daemon.poll() is None
                time.sleep(0.05)
            yield environment
        finally:
            daemon.kill()
            daemon.wait()


@pytest.fixture
def run(tmp_path):
    """Runs a program in a process and folder of its own."""

    def run(code, *arguments, environment=None, timeout=60):
        program = tmp_path / "program.py"
        program.write_text(code)
        result = subprocess.run(
            [sys.executable, program, *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            timeout=timeout,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stderr
        return result

    return run
