#!/usr/bin/python3
"""Types into a real shell, lets it complete, and checks what then stands on its command line.

usage: completion.py bash|zsh|fish PREFIX

PREFIX is where aurient is installed; the shell has no other configuration.
"""

import os
import pty
import re
import select
import sys
import tempfile
import time

shell, prefix = sys.argv[1], os.path.abspath(sys.argv[2])

# What is typed before a tab, and what then stands there; _ is the cursor's place after a space.
CASES = [
    ("aurient rend", "aurient render _"),
    ("aurient hrtf conv", "aurient hrtf convert _"),
    ("aurient render --yaw", "aurient render --yaw-only _"),
    ("aurient play --latency saf", "aurient play --latency safe _"),
    ("aurient play --latency=saf", "aurient play --latency=safe _"),
    ("aurient render sce", "aurient render scene.json _"),
    ("aurient render --track wal", "aurient render --track walk.gpx _"),
    ("aurient render --style wo", "aurient render --style wood _"),
]

START = {
    "bash": [
        "bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
SETUP = {
    "bash": f". {prefix}/share/bash-completion/completions/aurient",
    "zsh": f"bindkey -e; unsetopt zle_bracketed_paste; fpath=({prefix}/share/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D",
    "fish": f"source {prefix}/share/fish/vendor_completions.d/aurient.fish",
}


def read(terminal, until, seconds=10):
    text = b""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                text += os.read(terminal, 65536)
            except OSError:
                break
        if until in text:
            return text.decode(errors="replace")
    sys.exit(f"{shell}: no {until!r} in {text.decode(errors='replace')!r}")


with tempfile.TemporaryDirectory() as folder:
    for name in ("scene.json", "walk.gpx"):
        open(f"{folder}/{name}", "w").close()
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.environ.update(
            PATH=f"{prefix}/bin:/usr/bin:/bin", HOME=folder, TERM="dumb", PS1="$ ", LC_ALL="C.UTF-8",
            INPUTRC="/dev/null", XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder)
        os.execvp(START[shell][0], START[shell])
    # What is typed is echoed; only what the shell makes of it ends so.
    os.write(terminal, f"{SETUP[shell]}\rprintf 'rea''dy\\n'\r".encode())
    read(terminal, b"ready\r\n")
    for typed, expected in CASES:
        os.write(terminal, typed.encode() + b"\t")
        time.sleep(0.7)
        # To the beginning of the line, and the words printed instead of run.
        os.write(terminal, b"'X'\x01printf '<%s>' '=''='; printf '<%s>' \x05; printf '=''+\\n'\r")
        text = read(terminal, b"=+\r\n")
        words = re.search(r"<==>(.*)=\+", text.replace("\r", "").replace("\n", ""))
        words = re.sub(r"\x1b[^m]*m", "", words[1] if words else "")
        wanted = "".join(f"<{word}>" for word in expected.replace("_", "X").split(" "))
        if words != wanted:
            sys.exit(f"{shell}: {typed!r} becomes {words!r} instead of {wanted!r}; {text!r}")
    os.write(terminal, b"exit\r")
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and os.waitpid(process, os.WNOHANG)[0] == 0:
        time.sleep(0.05)
print(f"{shell}: {len(CASES)} completions")
