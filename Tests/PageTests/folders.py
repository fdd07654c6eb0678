"""Small listening tests as the page gets them: a folder with the page, test.json and short sounds."""

import json
import math
import random
import shutil
import struct
import wave
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "Listening"
RATE = 44100


def write_sound(path, seconds=0.1, left=0.2, right=0.2, rate=RATE):
    """A tone of 24 bit with the given amplitudes at the two ears."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frames = bytearray()
    for index in range(round(seconds * rate)):
        sample = math.sin(2 * math.pi * 500 * index / rate)
        for gain in (left, right):
            frames += struct.pack("<i", round(gain * sample * (2**23 - 1)))[:3]
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(3)
        sound.setframerate(rate)
        sound.writeframes(bytes(frames))


def build(folder, kind, long_sounds="", **changes):
    """Builds a test of a kind, with sounds of 0.1 s or 3 s; `changes` replace keys of test.json."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(PAGE / "index.html", folder)
    shutil.copytree(PAGE / "page", folder / "page")
    test = {
        "format": "aurient-listening-test",
        "version": 1,
        "id": f"{kind}-try",
        "hash": "00112233445566778899aabbccddeeff",
        "title": "Where is the sound?",
        "language": "en",
        "type": kind,
        "consent": "You will hear short sounds over headphones.\n\nYou may stop at any time.",
        "instructions": "Listen to each sound, then answer.\n\nDo not turn your head.",
        "thanks": "Thank you.",
        "post_url": None,
        "break_every": None,
        "break_text": "Rest your ears.",
        "check": None,
        "replays": 1,
        "interval_gap_s": 0.05,
        "practice_feedback": True,
        "stimuli": {},
    }
    for name in "abcdef":
        seconds = 3 if name in long_sounds else 0.1
        write_sound(folder / f"stimuli/{name}.wav", seconds)
        test["stimuli"][name] = {"file": f"stimuli/{name}.wav", "duration_s": seconds}
    test.update(DESIGNS[kind]())
    test.update(changes)
    if test["check"]:
        write_sound(folder / "stimuli/left.wav", right=0)
        write_sound(folder / "stimuli/right.wav", left=0)
        write_sound(folder / "stimuli/level.wav")
    (folder / "test.json").write_text(json.dumps(test))
    return test


CHECK = {side: f"stimuli/{side}.wav" for side in ("left", "right", "level")}


def trial(name, kind="test", **more):
    return {"id": name, "kind": kind, "block": 1, "condition": {"hrtf": "KEMAR", "sound": "a;b=c, d%"}, **more}


def at(azimuth, elevation=0, distance=1.5):
    return {"azimuth_deg": azimuth, "elevation_deg": elevation, "distance_m": distance}


def localisation():
    return {
        "response": {"kind": "sphere", "text": ""},
        "check": CHECK,
        "break_every": 2,
        "participants": [
            {
                "id": name,
                "trials": [
                    trial("p1", "practice", stimulus="a", target=at(45, 30)),
                    trial("t1", stimulus="a", target=at(30)),
                    trial("t2", stimulus="b", target=at(190, -36.9)),
                    trial("c1", "catch", stimulus="c", target=at(0, 90)),
                    trial("t3", stimulus="d", target=at(-90)),
                ],
            }
            for name in ("P01", "P02")
        ],
    }


def walk():
    return {
        "response": {"kind": "horizontal", "text": "Where is the beacon now?"},
        "replays": 0,
        "participants": [
            {
                "id": "P01",
                "trials": [trial("w1", stimulus="a", target=at(20)), trial("w2", stimulus="b", target=None)],
            }
        ],
    }


def minimum_audible_angle():
    steps = [
        {"level_deg": level, "minus": "ab"[index % 2], "plus": "cd"[index % 2]}
        for index, level in enumerate([1, 2, 3, 4, 6, 8, 11, 15])
    ]
    track = {
        "block": 1,
        "condition": {"azimuth": 0},
        "plane": "horizontal",
        "rule": "2-down-1-up",
        "start_step": 6,
        "step_change": [3, 2, 1],
        "stop_reversals": 4,
        "max_trials": 6,
        "steps": steps,
    }
    pair = {"minus": "a", "plus": "b", "level_deg": 15}
    return {
        "response": {"kind": "direction-of-change", "text": ""},
        "participants": [
            {
                "id": "P01",
                "seed": 4711,
                "trials": [
                    trial("p1", "practice", order="plus-minus", **pair),
                    trial("c1", "catch", order="minus-plus", **pair),
                    trial("c2", "catch", order="minus-plus", **pair),
                ],
                "tracks": [
                    {**track, "id": "k1", "seed": 12345},
                    {**track, "id": "k2", "rule": "3-down-1-up", "seed": 99},
                ],
            }
        ],
    }


def abx():
    return {
        "response": {"kind": "abx", "text": ""},
        "participants": [
            {
                "id": "P01",
                "trials": [
                    trial("p1", "practice", a="a", b="b", x="b"),
                    trial("t1", a="a", b="b", x="a"),
                    trial("t2", a="c", b="d", x="b"),
                ],
            }
        ],
    }


def preference():
    items = [
        {"system": "KEMAR", "stimulus": "b"},
        {"system": "reference", "stimulus": "a", "role": "reference"},
        {"system": "anchor", "stimulus": "c", "role": "anchor"},
    ]
    return {
        "response": {"kind": "rating", "text": "How good is each?", "minimum": 0, "maximum": 100},
        "replays": None,
        "participants": [
            {
                "id": "P01",
                "trials": [trial("t1", reference="a", items=items), trial("t2", reference="d", items=items[::-1])],
            }
        ],
    }


DESIGNS = {
    "localisation": localisation,
    "walk": walk,
    "minimum-audible-angle": minimum_audible_angle,
    "abx": abx,
    "preference": preference,
}


def random_tracks(seed):
    """A participant with several blocks of adaptive tracks of any rule and shape."""
    draw = random.Random(seed)
    trials, tracks = [], []
    for block in range(1, draw.randint(1, 3) + 1):
        for index in range(draw.randint(0, 3)):
            trials.append(
                {
                    "id": f"c{block}{index}",
                    "kind": draw.choice(["practice", "catch"]),
                    "block": block,
                    "minus": "a",
                    "plus": "b",
                    "order": "minus-plus",
                    "level_deg": 10,
                }
            )
        for index in range(draw.randint(1, 3)):
            count = draw.randint(3, 12)
            tracks.append(
                {
                    "id": f"k{block}{index}",
                    "block": block,
                    "condition": {},
                    "plane": "horizontal",
                    "rule": draw.choice(["2-down-1-up", "3-down-1-up"]),
                    "start_step": draw.randrange(count),
                    "step_change": draw.choice([[4, 2, 1], [1], [2, 1]]),
                    "stop_reversals": draw.randint(2, 8),
                    "max_trials": draw.randint(5, 40),
                    "seed": draw.randint(1, 2**32 - 1),
                    "steps": [{"level_deg": step + 1, "minus": "a", "plus": "b"} for step in range(count)],
                }
            )
    return {"id": "P01", "seed": draw.randint(1, 2**32 - 1), "trials": trials, "tracks": tracks}
