"""What is wrong raises an error that says what, and changes nothing."""

import gc
import math

import aurient
import numpy as np
import pytest

CALLS = {
    "push_head": lambda s: s.push_head(0),
    "push_head_quaternion": lambda s: s.push_head_quaternion(0, 0, 0, 1),
    "push_head_lost": lambda s: s.push_head_lost(),
    "push_phone_heading": lambda s: s.push_phone_heading(10),
    "push_location": lambda s: s.push_location(0, 0),
    "push_course": lambda s: s.push_course(10),
    "push_location_lost": lambda s: s.push_location_lost(),
    "recenter": lambda s: s.recenter(),
    "add_beacon": lambda s: s.add_beacon("a", 0, 0),
    "add_beacon_around": lambda s: s.add_beacon_around("a", 0, 1),
    "remove_beacon": lambda s: s.remove_beacon("a"),
    "set_beacon_style": lambda s: s.set_beacon_style("a", "wood"),
    "set_beacon_sound": lambda s: s.set_beacon_sound("a", "a.wav"),
    "set_beacon_gain": lambda s: s.set_beacon_gain("a", 0),
    "mute_beacon": lambda s: s.mute_beacon("a"),
    "say": lambda s: s.say("a", "hello"),
    "set_volume": lambda s: s.set_volume(0),
    "set_route_place": lambda s: s.set_route_place(0),
    "set_hrtf": lambda s: s.set_hrtf(),
    "state": lambda s: s.state(),
    "beacons": lambda s: s.beacons(),
    "pull": lambda s: s.pull(1),
    "sample_rate": lambda s: s.sample_rate,
    "port": lambda s: s.port,
}


@pytest.fixture(scope="module")
def closed():
    session = aurient.Session()
    session.close()
    session.close()
    assert session.is_closed
    return session


@pytest.mark.parametrize("name", CALLS)
def test_after_close(closed, name):
    with pytest.raises(aurient.ClosedError, match="closed"):
        CALLS[name](closed)


def test_every_call_is_tried_after_close():
    public = {name for name in dir(aurient.Session) if not name.startswith("_")}
    assert public == set(CALLS) | {"close", "is_closed", "pull_into"}


def test_a_handle_that_the_library_has_closed_is_refused(closed):
    # Past the check of this package.
    from aurient import _library

    with pytest.raises(aurient.ClosedError):
        _library.call("session_push_head_lost", closed._handle, math.nan)


def test_what_nobody_refers_to_is_closed():
    session = aurient.Session()
    finalizer = session._finalizer
    del session
    gc.collect()
    assert not finalizer.alive


def test_more_sessions_than_there_is_room_for_at_once_can_be_opened_in_turn():
    # Were one not freed, the 1025th would be refused; each maps some megabytes.
    for _ in range(30):
        aurient.Session(beacon_capacity=1).close()


WRONG_VALUES = [
    lambda s: s.push_head(math.nan),
    lambda s: s.push_head(math.inf),
    lambda s: s.push_head(361),
    lambda s: s.push_head_quaternion(0, 0, 0, 0),
    lambda s: s.push_location(91, 0),
    lambda s: s.push_location(0, 181),
    lambda s: s.push_location(math.nan, 0),
    lambda s: s.push_course(-1),
    lambda s: s.push_phone_heading(),
    lambda s: s.push_head(0, time=1e6),
    lambda s: s.add_beacon("", 0, 0),
    lambda s: s.add_beacon("a\0b", 0, 0),
    lambda s: s.add_beacon("a\nb", 0, 0),
    lambda s: s.add_beacon("a" * 65, 0, 0),
    lambda s: s.add_beacon("\udc80", 0, 0),
    lambda s: s.add_beacon("a", 0, math.nan),
    lambda s: s.add_beacon_around("a", 0, 0),
    lambda s: s.add_beacon_around("a", 0, -1),
    lambda s: s.set_volume(1),
    lambda s: s.set_volume(-121),
    lambda s: s.set_route_place(2**40),
    lambda s: s.pull(-1),
    lambda s: s.pull(2**20 + 1),
    lambda s: aurient.Session(sample_rate=7999),
    lambda s: aurient.Session(sample_rate=2**32 + 48_000),
    lambda s: aurient.Session(beacon_capacity=0),
    lambda s: aurient.Session(beacon_capacity=256),
    lambda s: aurient.Session(gain=3),
    lambda s: aurient.Session(gain=math.nan),
    lambda s: aurient.Session(head_reference="south"),
    lambda s: aurient.Session(osc_port=65_536),
    lambda s: aurient.Session(osc_port=-1),
]


@pytest.mark.parametrize("number", range(len(WRONG_VALUES)))
def test_wrong_values(session, number):
    with pytest.raises(ValueError) as caught:
        WRONG_VALUES[number](session)
    assert str(caught.value)
    session.pull(10)
    assert session.beacons() == []


WRONG_TYPES = [
    lambda s: s.push_head("0"),
    lambda s: s.push_head(None),
    lambda s: s.push_head([0]),
    lambda s: s.add_beacon(7, 0, 0),
    lambda s: s.add_beacon(None, 0, 0),
    lambda s: s.pull(1.5),
    lambda s: s.pull("1"),
    lambda s: s.set_route_place(1.0),
    lambda s: aurient.Session(sample_rate=44_100.0),
    lambda s: aurient.Session(7),
    lambda s: aurient.Session({"beacons": object()}),
    lambda s: aurient.render(None, "a.wav"),
    lambda s: aurient.render({}, None),
]


@pytest.mark.parametrize("number", range(len(WRONG_TYPES)))
def test_wrong_types(session, number):
    with pytest.raises(TypeError):
        WRONG_TYPES[number](session)


def test_what_is_not_there(session, tmp_path):
    for attempt in (
        lambda: session.remove_beacon("nobody"),
        lambda: session.set_beacon_gain("nobody", 0),
        lambda: aurient.Session(hrtf="nobody's ears"),
        lambda: aurient.Session(style="silence").add_beacon("a", 0, 0),
        lambda: aurient.Session(sound="silence.wav").add_beacon("a", 0, 0),
        lambda: aurient.Session(tmp_path / "none.json"),
        lambda: aurient.verify_sofa(tmp_path / "none.sofa"),
        lambda: aurient.convert_sofa(tmp_path / "none.sofa", tmp_path / "a.mhr"),
    ):
        with pytest.raises(aurient.MissingError) as caught:
            attempt()
        assert str(caught.value)


def test_the_message_names_the_file_and_the_cause(tmp_path):
    scene = tmp_path / "scene.json"
    scene.write_text('{"beacons": [{"latitude": 91, "longitude": 0}]}')
    with pytest.raises(aurient.BadFileError, match=r"scene\.json.*91"):
        aurient.Session(scene)
    with pytest.raises(aurient.BadFileError, match="91") as caught:
        aurient.Session({"beacons": [{"latitude": 91, "longitude": 0}]})
    assert "/tmp" not in str(caught.value)


def test_a_damaged_sound_is_refused_and_changes_nothing(session, tmp_path):
    damaged = tmp_path / "damaged.wav"
    damaged.write_bytes(b"RIFF but not really")
    session.add_beacon_around("a", 0, 20)
    with pytest.raises(aurient.BadFileError, match="damaged.wav"):
        session.set_beacon_sound("a", damaged)
    assert np.any(session.pull(48_000))


def test_not_for_this_session(session):
    with pytest.raises(aurient.WrongStateError):
        session.set_route_place(0)


def test_no_room(session):
    with pytest.raises(aurient.FullError):
        for _ in range(1025):
            session.push_head(0)
    session.pull(1)
    session.push_head(0)
    with aurient.Session(beacon_capacity=2) as small:
        small.add_beacon("a", 0, 0)
        small.add_beacon("b", 0, 0)
        with pytest.raises(aurient.FullError):
            small.add_beacon("c", 0, 0)


def test_a_port_in_use():
    with aurient.Session(osc_port=0) as session:
        assert session.port is not None and session.port > 0
        with pytest.raises(aurient.SystemServiceError):
            aurient.Session(osc_port=session.port)
    with pytest.raises(aurient.SystemServiceError, match="nowhere"):
        aurient.Session(osc_port=0, listen_address="nowhere")
    with aurient.Session() as session:
        assert session.port is None


def test_after_fork(run):
    run(
        """
import os, aurient
if os.fork() == 0:
    # Nothing was used before.
    os._exit(0 if aurient.data_sets() else 1)
assert os.wait()[1] == 0
aurient.data_sets()
if os.fork() == 0:
    try:
        aurient.data_sets()
    except RuntimeError as error:
        os._exit(0 if "fork" in str(error) else 2)
    os._exit(3)
assert os.wait()[1] == 0
"""
    )
