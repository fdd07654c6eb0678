"""The participant's page of the listening tests in Chromium.

  /usr/bin/python3 Tests/PageTests/page_tests.py [-v] [MODULE.CLASS.TEST…]

Without names all classes run, several at a time, each in a process with a browser of its own: most of the time is
waiting for sounds. AURIENT_AXE and AURIENT_SCREENSHOTS: see accessibility_tests.py.
"""

import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
AT_A_TIME = 4


def classes(suite):
    """The names of all classes of tests in a suite, in order."""
    names = {}
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            names.update(dict.fromkeys(classes(part)))
        else:
            names[part.id().rsplit(".", 1)[0]] = None
    return list(names)


def run(arguments):
    return subprocess.run(
        [sys.executable, "-B", "-m", "unittest", *arguments],
        cwd=FOLDER,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def main():
    options = [argument for argument in sys.argv[1:] if argument.startswith("-")]
    named = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if not named:
        # The page's own program is not one of them.
        pattern = "[!p]*_tests.py"
        named = classes(unittest.defaultTestLoader.discover(str(FOLDER), pattern))
    failed = False
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for name, done in zip(named, pool.map(run, ([*options, name] for name in named))):
            print(f"{name}\n{done.stdout}", flush=True)
            failed |= done.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
