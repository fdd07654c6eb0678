#!/usr/bin/python3
"""Does what the documentation tells its readers to do: runs the blocks of shell commands marked `sh` of the pages for
users, in a folder in which the project's data lies, and fails with the first command that fails. A block marked
`output` that follows is what it must print.

usage: try.py BUILD

BUILD is the folder of the built programs.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

build = os.path.abspath(sys.argv[1])
project = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
pages = sorted(
    glob.glob(f"{project}/docs/*.md") + glob.glob(f"{project}/Examples/*/README.md"))

count = 0
with tempfile.TemporaryDirectory() as folder:
    for name in ("HRTF", "Sounds", "Magnetism", "Examples"):
        os.symlink(f"{project}/{name}", f"{folder}/{name}")
    environment = {**os.environ, "PATH": f"{build}:{os.environ['PATH']}"}
    for page in pages:
        with open(page, encoding="utf-8") as file:
            blocks = re.findall(
                r"^```sh\n(.*?)^```\n(?:[^`]*^```output\n(.*?)^```)?", file.read(), re.MULTILINE | re.DOTALL)
        for block, output in blocks:
            # As one who has it installed.
            block = re.sub(r"^swift run (\S+)", r"\1", block, flags=re.MULTILINE)
            outcome = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", block], cwd=folder, env=environment,
                capture_output=True, text=True, timeout=300)
            count += 1
            if outcome.returncode != 0 or output and outcome.stdout != output:
                sys.exit(f"{os.path.relpath(page, project)}:\n{block}\n{outcome.stdout}{outcome.stderr}")
print(f"{count} blocks of commands in the documentation work")
