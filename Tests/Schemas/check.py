#!/usr/bin/python3
"""Checks that the schemas of docs/schemas and the program take and refuse the same files.

usage: check.py PROGRAM
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import jsonschema

program = os.path.abspath(sys.argv[1])
project = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def validator(name):
    with open(f"{project}/docs/schemas/{name}.schema.json") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


scene, style, calibration = validator("scene"), validator("style"), validator("calibration")
faults = []


def run(*words):
    return subprocess.run([program, *words], capture_output=True, text=True, timeout=60)


def check(what, valid, schema, content, refused):
    """Both schema and program must judge so."""
    if schema.is_valid(content) != valid:
        faults.append(f"{what}: the schema says {not valid}: {json.dumps(content)}")
    error = refused(content)
    if bool(error) == valid:
        faults.append(f"{what}: the program says {error or 'nothing'}: {json.dumps(content)}")


def keys(error):
    """The keys that there are, as the program lists them."""
    return set(re.search(r"there are (.*)", error)[1].strip().split(", "))


with tempfile.TemporaryDirectory() as folder:

    def write(name, content):
        os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
        with open(f"{folder}/{name}", "w") as file:
            json.dump(content, file)
        return f"{folder}/{name}"

    def refused_scene(content):
        # A sound scene fails only later, at its track, which does not exist.
        path = write("scene.json", content)
        error = run("render", path, "--beacon", "1,2", "-o", f"{folder}/out.wav").stderr
        return error if f"{path}:" in error else ""

    def with_track(**more):
        return {"track": "missing.gpx", **more}

    place = {"latitude": 51.5, "longitude": -0.1}
    good_scenes = [
        with_track(),
        with_track(head="h.csv", phone="p.csv", sound="s.wav", hrtf="MIT", beacons=[place]),
        with_track(rate=48000, equalize="free-field", headCircumference=45, course="derived"),
        with_track(rate=48000.0, calibrator="classic", yawOnly=True, nearField=False),
        with_track(style="wood", advance=0.5, vicinity=[15, 15], gain=-3),
        with_track(gain=0, callouts={"every": 5, "approach": False, "voice": "de"}),
        with_track(callouts={}, distanceModel={"curve": "exponent", "rolloff": 2}),
        with_track(distanceModel={"curve": "linear", "maximum": 50, "rolloff": 1}),
        with_track(beacons=[{**place, "name": "A", "sound": "s.wav", "style": "w", "gain": -1}]),
        with_track(beacons=[{"latitude": -90, "longitude": 360}]),
        with_track(head=None, rate=None, beacons=None, callouts=None, distanceModel=None),
        with_track(equalize=None, course=None, vicinity=None, yawOnly=None),
    ]
    bad_scenes = [
        [],
        with_track(haed="h.csv"),
        with_track(head=1),
        with_track(rate=7999),
        with_track(rate=44100.5),
        with_track(rate="48000"),
        with_track(equalize="loudness"),
        with_track(headCircumference=71),
        with_track(course="gps"),
        with_track(calibrator="best"),
        with_track(yawOnly=1),
        with_track(advance=0),
        with_track(vicinity=[15]),
        with_track(vicinity=[0, 10]),
        with_track(gain=1),
        with_track(callouts={"every": 4}),
        with_track(callouts={"often": 4}),
        with_track(callouts=True),
        with_track(distanceModel={}),
        with_track(distanceModel={"curve": "cubic"}),
        with_track(distanceModel={"curve": "inverse", "reference": 0}),
        with_track(distanceModel={"curve": "linear", "maximum": 50, "rolloff": 1.5}),
        with_track(distanceModel={"curve": "inverse", "rolloff": -1}),
        with_track(beacons={}),
        with_track(beacons=[{"latitude": 1}]),
        with_track(beacons=[{"latitude": 91, "longitude": 0}]),
        with_track(beacons=[{"latitude": 1, "longitude": -181}]),
        with_track(beacons=[{**place, "gain": 0.1}]),
        with_track(beacons=[{**place, "height": 1}]),
    ]
    for content in good_scenes:
        check("scene", True, scene, content, refused_scene)
    for content in bad_scenes:
        check("scene", False, scene, content, refused_scene)
    for content, part in [
        (with_track(x=1), scene.schema),
        (with_track(beacons=[{**place, "x": 1}]), scene.schema["$defs"]["beacon"]),
        (with_track(callouts={"x": 1}), scene.schema["$defs"]["callouts"]),
        (with_track(distanceModel={"x": 1}), scene.schema["$defs"]["distanceModel"]),
    ]:
        if keys(refused_scene(content)) != set(part["properties"]):
            faults.append(f"keys of the program: {keys(refused_scene(content))}")

    walk = f"{project}/Examples/walk"

    def refused_style(content):
        path = write("style/style.json", content)
        error = run(
            "render", "--track", f"{walk}/walk.gpx", "--beacon", "1,2", "--style",
            os.path.dirname(path), "-o", f"{folder}/out.wav").stderr
        # A sound style fails only later, at its sounds, which do not exist.
        return error if "style.json" in error else ""

    def regions(*edges):
        names = {2: "on behind", 3: "on near behind", 4: "on near beside behind"}
        found = names.get(len(edges) + 1, "on").split()
        return [
            {"region": name, "file": "x.flac", **({"edge": edge} if edge else {})}
            for name, edge in zip(found, [*edges, None])]

    def with_regions(*edges, **more):
        return {"sampleRate": 48000, "beat": 19200, "regions": regions(*edges), **more}

    for content in [
        with_regions(22.5), with_regions(15, 125), with_regions(15, 55, 125, hysteresis=2),
        with_regions(22.5, start="s.flac", end=None, hum="h.flac"), with_regions(90, hysteresis=0),
    ]:
        check("style", True, style, content, refused_style)
    for content in [
        {}, with_regions(), with_regions(180), with_regions(22.5, x=1),
        with_regions(22.5, beat=1), with_regions(22.5, sampleRate=1), with_regions(22.5, start=1),
        with_regions(22.5, hysteresis=-1),
    ]:
        check("style", False, style, content, refused_style)
    if keys(refused_style(with_regions(22.5, x=1))) != set(style.schema["properties"]):
        faults.append("keys of styles")

    def refused_calibration(content):
        path = write("calibration.json", content)
        outcome = run(
            "compass", "heading", f"{project}/Examples/compass/turn.csv", "--calibration", path,
            "-o", f"{folder}/out.csv")
        return outcome.stderr if outcome.returncode else ""

    made = f"{folder}/made.json"
    run("compass", "calibrate", f"{project}/Examples/compass/turn.csv", "-o", made)
    with open(made) as file:
        fitted = json.load(file)
    without_dip = {key: value for key, value in fitted.items() if key != "dip_deg"}
    for content in [fitted, without_dip, {**fitted, "dip_deg": None, "model": "sphere"}]:
        check("calibration", True, calibration, content, refused_calibration)
    for content in [
        {}, [], {**fitted, "model": "cube"}, {**fitted, "offset_ut": [1, 2]},
        {**fitted, "strength_ut": 0}, {**fitted, "coverage": 1.5}, {**fitted, "dip_deg": 91},
        {**fitted, "matrix": [[1, 0, 0]]}, {**fitted, "readings": -1},
    ]:
        check("calibration", False, calibration, content, refused_calibration)

# What ships.
shipped = 0
for parent, _, names in os.walk(project):
    if "/." in parent[len(project):]:
        continue
    for name in names:
        schema = {"style.json": style, "scene.json": scene, "tour.json": scene}.get(name)
        if schema:
            shipped += 1
            with open(f"{parent}/{name}") as file:
                for error in schema.iter_errors(json.load(file)):
                    faults.append(f"{parent}/{name}: {error.message}")
if shipped < 6:
    faults.append(f"only {shipped} files that ship were found")

for fault in faults:
    print(fault, file=sys.stderr)
if faults:
    sys.exit(1)
print("schemas and program agree")
