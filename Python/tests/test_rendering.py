"""Scenes rendered to files."""

import csv
import json
import subprocess
import sys

import aurient
import numpy as np
import pytest
import soundfile
from conftest import PROJECT, WALK
from geographiclib.geodesic import Geodesic

SHORT = '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{}</trkseg></trk></gpx>'


@pytest.fixture
def short(tmp_path):
    """A scene file of a walk of two seconds to the north."""
    points = [
        f'<trkpt lat="{51.478 + step * 1e-5}" lon="-0.0015"><time>2026-09-21T12:00:0{step}Z</time></trkpt>'
        for step in range(3)
    ]
    (tmp_path / "short.gpx").write_text(SHORT.format("".join(points)))
    path = tmp_path / "short.json"
    path.write_text(
        json.dumps({"track": "short.gpx", "beacons": [{"name": "Door", "latitude": 51.4785, "longitude": -0.001}]})
    )
    return path


def test_a_walk(tmp_path, short):
    fractions = []
    aurient.render(short, tmp_path / "a.wav", trace=tmp_path / "a.csv", sample_rate=44_100, progress=fractions.append)
    samples, rate = soundfile.read(tmp_path / "a.wav")
    assert rate == 44_100
    assert samples.shape[1] == 2 and len(samples) == pytest.approx(2 * 44_100, abs=1)
    assert np.max(np.abs(samples)) > 0.02
    assert fractions == sorted(fractions) and fractions[-1] == 1
    with open(tmp_path / "a.csv") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        expected = Geodesic.WGS84.Inverse(float(row["latitude"]), float(row["longitude"]), 51.4785, -0.001)
        assert float(row["bearing_deg"]) == pytest.approx(expected["azi1"], abs=1e-9)
        assert float(row["distance_m"]) == pytest.approx(expected["s12"], abs=1e-6)


def test_threads_are_not_heard(tmp_path):
    scene = {"track": WALK / "walk.gpx", "beacons": [{"latitude": 51.4764, "longitude": -0.0031}], "rate": 8000}
    for threads in (1, 3, None):
        aurient.render(scene, tmp_path / f"{threads}.wav", threads=threads)
    one = (tmp_path / "1.wav").read_bytes()
    assert (tmp_path / "3.wav").read_bytes() == one
    assert (tmp_path / "None.wav").read_bytes() == one
    with pytest.raises(aurient.InvalidArgumentError):
        aurient.render(scene, tmp_path / "none.wav", threads=-1)


def test_a_mapping_is_a_scene(tmp_path, short, monkeypatch):
    aurient.render(short, tmp_path / "file.flac")
    monkeypatch.chdir(tmp_path)
    scene = {
        "track": tmp_path / "short.gpx",
        "beacons": [{"name": "Door", "latitude": np.float64(51.4785), "longitude": np.float64(-0.001)}],
    }
    aurient.render(scene, "mapping.flac")
    aurient.render({**scene, "track": "short.gpx"}, "relative.flac")
    expected = (tmp_path / "file.flac").read_bytes()
    assert (tmp_path / "mapping.flac").read_bytes() == expected
    assert (tmp_path / "relative.flac").read_bytes() == expected


def test_what_progress_raises_ends_it_and_leaves_nothing(tmp_path):
    class Enough(Exception):
        pass

    def progress(fraction):
        raise Enough

    with pytest.raises(Enough):
        aurient.render(WALK / "tour.json", tmp_path / "tour.wav", sample_rate=96_000, progress=progress)
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_ends_it_and_leaves_nothing(tmp_path):
    code = f"""
import aurient, os, signal
# Programs in the background of a shell are started with it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
def progress(fraction):
    if fraction > 0: os.kill(os.getpid(), signal.SIGINT)
aurient.render({str(WALK / "tour.json")!r}, "tour.wav", sample_rate=192000, progress=progress)
"""
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "KeyboardInterrupt" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "kind, scene, output, options",
    [
        (aurient.MissingError, "none.json", "a.wav", {}),
        (aurient.BadFileError, {"track": "none.gpx", "colour": "red"}, "a.wav", {}),
        (aurient.MissingError, {"track": "none.gpx"}, "a.wav", {}),
        (aurient.BadFileError, WALK / "scene.json", "a.mp3", {}),
        (aurient.UnwritableError, WALK / "scene.json", "none/a.wav", {}),
        (aurient.InvalidArgumentError, WALK / "scene.json", "a.wav", {"sample_rate": 7999}),
        (aurient.MissingError, WALK / "scene.json", "a.wav", {"hrtf": "nobody's ears"}),
    ],
)
def test_what_cannot_be_rendered(tmp_path, monkeypatch, kind, scene, output, options):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind) as caught:
        aurient.render(scene, output, **options)
    assert str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_converted_set_can_be_asked_for(tmp_path):
    sofa = PROJECT / "HRTF" / "MIT-KEMAR-44100.sofa"
    aurient.convert_sofa(sofa, tmp_path / "kemar.mhr", equalization="diffuse-field", head_circumference=60)
    # The format's magic, OpenAL Soft's documentation of data sets.
    assert (tmp_path / "kemar.mhr").read_bytes().startswith(b"MinPHR02")
    with aurient.Session(hrtf=tmp_path / "kemar.mhr") as session:
        assert session.sample_rate == 44_100
    with pytest.raises(aurient.InvalidArgumentError):
        aurient.convert_sofa(sofa, tmp_path / "a.mhr", head_circumference=30)
    with pytest.raises(ValueError, match="equalization"):
        aurient.convert_sofa(sofa, tmp_path / "a.mhr", equalization="loud")


def test_fidelity():
    fractions = []
    fidelity = aurient.verify_sofa("MIT-KEMAR-44100", progress=fractions.append)
    # Directions of the data set, HRTF/README.md; what is asked of the renderer.
    assert fidelity.direction_count == 710
    assert fidelity.spectral_distortion_mean < 1
    assert fidelity.time_error_p95 < 5
    assert not fidelity.is_mirrored
    assert fractions[-1] == 1


def test_data_sets_that_ship():
    sets = {one.name for one in aurient.data_sets() if one.ships}
    assert sets == {"MIT-KEMAR-44100", "SADIE-KU100-48000"}
