"""Sessions that play, to a sink that plays to nobody, in processes of their own."""

import json
import subprocess

import numpy as np
from conftest import WALK
from test_rendering import short  # noqa: F401


def test_devices(run, sink):
    run(
        """
import aurient
devices = aurient.devices()
assert len(devices) == 1 and devices[0].is_default and "Null" in devices[0].name, devices
with aurient.LiveSession(device=devices[0].name, latency="safe") as session:
    assert session.sample_rate == 48000
try:
    aurient.LiveSession(device="nothing")
except (aurient.DeviceError, aurient.MissingError) as error:
    assert "nothing" in str(error)
else:
    raise SystemExit("no error")
""",
        environment=sink,
    )


def test_a_session_plays_until_it_is_closed(run, sink, tmp_path):
    with open(tmp_path / "heard.f32", "wb") as file:
        record = ["parec", "--device=nobody.monitor", "--format=float32le", "--rate=48000", "--channels=2"]
        recorder = subprocess.Popen(record, env=sink, stdout=file)
    try:
        run(
            """
import aurient, time
with aurient.LiveSession(head_reference="north", style="wood", osc_port=0) as session:
    session.add_beacon_around("a", 100, 20)
    assert session.port
    session.push_head(30, pitch=5)
    assert not session.wait(1)
    state = session.state()
    (beacon,) = session.beacons()
    assert state.time > 0.8 and state.is_playing and not state.has_ended
    assert abs(state.heading - 30) < 1e-6, state
    assert abs(beacon.relative_bearing - 70) < 1e-6 and beacon.region == "beside", beacon
    assert state.peak > 0
    samples = __import__("numpy").zeros((8, 2), "f4")
    try:
        session._call("pull", samples.ctypes.data, 8)
    except aurient.WrongStateError:
        pass
    else:
        raise SystemExit("a live session was pulled")
try:
    session.state()
except aurient.ClosedError:
    pass
else:
    raise SystemExit("no error")
""",
            environment=sink,
        )
    finally:
        recorder.terminate()
        recorder.wait()
    heard = np.fromfile(tmp_path / "heard.f32", np.float32)
    left, right = np.sum(np.square(heard[: len(heard) // 2 * 2].reshape(-1, 2), dtype=float), axis=0)
    # On the right by 70 degrees: measured level differences are above 3 dB there.
    assert right > 2 * left > 0


def test_a_recorded_session_is_rendered_again(run, sink, short):  # noqa: F811
    run(
        """
import aurient, soundfile, sys
with aurient.LiveSession(sys.argv[1], record="record") as session:
    assert session.wait(20)
aurient.render("record", "record.wav")
assert 1.5 < soundfile.info("record.wav").duration < 10
try:
    aurient.render("record", "again.wav", sample_rate=22050)
except aurient.InvalidArgumentError:
    pass
else:
    raise SystemExit("no error")
""",
        short,
        environment=sink,
    )


def test_a_fault_that_ends_a_session_is_raised(run, sink, tmp_path):
    # A log that is damaged half a second in.
    lines = (WALK / "head.csv").read_text().splitlines()
    broken = lines[:40] + ["damaged"] + lines[40:]
    (tmp_path / "head.csv").write_text("\n".join(broken))
    scene = {"head": "head.csv", "beacons": [{"latitude": 0, "longitude": 0}]}
    (tmp_path / "scene.json").write_text(json.dumps(scene))
    run(
        """
import aurient
try:
    with aurient.LiveSession("scene.json") as session:
        session.wait(20)
except aurient.AurientError as error:
    assert "head.csv" in str(error), error
else:
    raise SystemExit("no error")
""",
        environment=sink,
    )
