"""The examples and the page for users do what they say."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import wave

import numpy as np
import pyte
import pytest
from conftest import PROJECT
from test_sound import interaural

EXAMPLES = PROJECT / "Examples" / "embedding" / "python"


def test_turn(tmp_path):
    subprocess.run([sys.executable, EXAMPLES / "turn.py"], cwd=tmp_path, check=True, timeout=60)
    with wave.open(str(tmp_path / "turn.wav")) as file:
        assert (file.getnchannels(), file.getframerate(), file.getnframes()) == (2, 48_000, 480_000)
        left, right = np.frombuffer(file.readframes(480_000), "<i2").reshape(-1, 2).T.astype(float)
    # The beacon is on the right at first, and on the left after half a turn.
    assert interaural(left[:48_000], right[:48_000])[1] > 3
    assert interaural(left[240_000:288_000], right[240_000:288_000])[1] < -3


def test_keys(sink):
    screen = pyte.Screen(100, 24)
    stream = pyte.ByteStream(screen)
    child, terminal = pty.fork()
    if child == 0:
        environment = dict(sink, TERM="linux", LINES="24", COLUMNS="100")
        os.execve(sys.executable, [sys.executable, str(EXAMPLES / "keys.py")], environment)
    deadline = time.monotonic() + 30

    def read_until(text):
        while text not in screen.display[0]:
            assert time.monotonic() < deadline, screen.display
            if select.select([terminal], [], [], 0.1)[0]:
                stream.feed(os.read(terminal, 4096))

    try:
        read_until("heading   0, pitch  +0: Fountain  +45 degrees to the right")
        # The key of the right arrow, three times, and of the left one.
        os.write(terminal, b"\x1b[C\x1b[C\x1b[C\x1b[D")
        read_until("heading  10, pitch  +0: Fountain  +35 degrees to the right")
        os.write(terminal, b"q")
        while True:
            try:
                if not os.read(terminal, 4096):
                    break
            except OSError:
                # What a terminal says whose program has ended.
                break
        assert os.waitpid(child, 0)[1] == 0
        child = 0
    finally:
        if child != 0:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.close(terminal)


def test_batch(tmp_path):
    # Two of its forty, beside a copy of the walk.
    (tmp_path / "Examples" / "embedding" / "python").mkdir(parents=True)
    shutil.copytree(PROJECT / "Examples" / "walk", tmp_path / "Examples" / "walk")
    program = tmp_path / "Examples" / "embedding" / "python" / "batch.py"
    text = (EXAMPLES / "batch.py").read_text()
    assert "range(40)" in text
    program.write_text(text.replace("range(40)", "range(2)"))
    result = subprocess.run(
        [sys.executable, program], cwd=tmp_path, check=True, capture_output=True, text=True, timeout=120
    )
    assert re.search(r"^2/2 walk-0\d\.flac rendered$", result.stdout, flags=re.M)
    assert len(list((tmp_path / "walks").iterdir())) == 4


@pytest.mark.parametrize("page, count", [("docs/python.md", 8), ("README.md", 1), ("Python/README.md", 1)])
def test_pages(page, count, tmp_path, run, sink):
    """All code of the page runs, one block after the other, beside the example walk."""
    shutil.copytree(PROJECT / "Examples", tmp_path / "Examples")
    shutil.copytree(PROJECT / "HRTF", tmp_path / "HRTF")
    blocks = re.findall(r"^```python\n(.*?)^```", (PROJECT / page).read_text(), flags=re.M | re.S)
    assert len(blocks) == count
    # Processes are spawned: they read the program too.
    body = re.sub(r"^(?=.)", "    ", "\n".join(blocks), flags=re.M)
    run(f'def page():\n{body}\n\nif __name__ == "__main__":\n    page()\n', environment=sink, timeout=300)
