"""What is heard, held against the measured responses and against WGS84 by another implementation."""

import math

import aurient
import h5py
import numpy as np
import pytest
from conftest import PROJECT
from geographiclib.geodesic import Geodesic

RATE = 44_100
KEMAR = PROJECT / "HRTF" / "MIT-KEMAR-44100.sofa"


def interaural(left, right):
    """ITD in microseconds, positive where the right ear hears first, and ILD in dB, positive where the right is
    louder: the peak of the cross-correlation between 200 Hz and 1.5 kHz, and the ratio of energies."""
    length = 1 << (len(left) + len(right)).bit_length()
    spectrum = np.fft.rfft(left, length) * np.conj(np.fft.rfft(right, length))
    frequencies = np.fft.rfftfreq(length, 1 / RATE)
    spectrum[(frequencies < 200) | (frequencies > 1500)] = 0
    # By a zero-padded spectrum a sixteenth of a sample apart.
    fine = 16
    correlation = np.fft.irfft(spectrum, fine * length)
    lags = np.concatenate([correlation[-48 * fine :], correlation[: 48 * fine]])
    itd = (np.argmax(lags) - 48 * fine) / (fine * RATE) * 1e6
    return itd, 10 * np.log10(np.sum(right**2) / np.sum(left**2))


def measured(bearing):
    """Interaural time and level of the file's own response from a bearing, degrees clockwise, at ear level."""
    with h5py.File(KEMAR) as file:
        positions = file["SourcePosition"][:]
        responses = file["Data.IR"][:]
    azimuth = (360 - bearing) % 360
    at_ears = np.abs(positions[:, 1]) < 1e-6
    distance = np.abs((positions[:, 0] - azimuth + 180) % 360 - 180)
    index = np.flatnonzero(at_ears)[np.argmin(distance[at_ears])]
    assert distance[index] < 1e-3
    return responses[index]


def heard(noise, bearing, yaw=0.0):
    """A second of a noise beacon, after what it takes to begin."""
    with aurient.Session(hrtf="MIT-KEMAR-44100", sample_rate=RATE, sound=noise, head_reference="north") as session:
        session.add_beacon_around("noise", bearing, 20)
        session.push_head(yaw)
        session.pull(RATE // 5)
        frames = session.pull(RATE)
        (beacon,) = session.beacons()
    return frames.T.astype(float), beacon


def reference(bearing):
    source = np.random.default_rng(10).standard_normal(RATE)
    left, right = measured(bearing)
    return interaural(np.convolve(source, left), np.convolve(source, right))


@pytest.mark.parametrize("bearing", [0, 30, 90, 150, 215, 270, 330])
def test_a_beacon_is_heard_where_the_measured_response_has_it(noise, bearing):
    (left, right), beacon = heard(noise, bearing)
    itd, ild = interaural(left, right)
    expected_itd, expected_ild = reference(bearing)
    assert itd == pytest.approx(expected_itd, abs=15)
    assert ild == pytest.approx(expected_ild, abs=0.5)
    assert beacon.bearing == pytest.approx(bearing, abs=1e-9)


@pytest.mark.parametrize("bearing, yaw", [(90, 60), (90, 180), (0, 45), (300, -30), (10, 350)])
def test_a_head_that_turns_leaves_the_beacon_in_the_world(noise, bearing, yaw):
    (left, right), beacon = heard(noise, bearing, yaw)
    itd, ild = interaural(left, right)
    expected_itd, expected_ild = reference((bearing - yaw) % 360)
    assert itd == pytest.approx(expected_itd, abs=15)
    assert ild == pytest.approx(expected_ild, abs=0.5)
    assert beacon.bearing == pytest.approx(bearing, abs=1e-9)
    assert beacon.relative_bearing == pytest.approx(math.remainder(bearing - yaw, 360), abs=1e-5)


def test_a_quaternion_is_the_same_as_its_angles(session):
    # Clockwise by 70 degrees about the axis upward.
    half = math.radians(-70) / 2
    session.push_head_quaternion(0, 0, math.sin(half), math.cos(half))
    session.pull(100)
    state = session.state()
    assert state.heading == pytest.approx(70, abs=1e-6)
    assert (state.heading_source, state.tracking) == ("head", "calibrated")


def pull_turn(noise, block, step_size):
    with aurient.Session(sample_rate=RATE, sound=noise, head_reference="north") as session:
        session.add_beacon_around("noise", 45, 20)
        for step in range(40):
            session.push_head(step_size * step, time=step / 100)
        return np.concatenate([session.pull(block) for _ in range(20_480 // block)]), session.state()


def test_what_is_pulled_depends_on_the_calls_alone(noise):
    once, state = pull_turn(noise, 1024, 9)
    again, state_again = pull_turn(noise, 1024, 9)
    assert np.max(np.abs(once)) > 0.01
    assert np.array_equal(once, again)
    assert state == state_again
    # At 20480 frames the last that counts is the one of 0.39 s.
    assert state.heading == pytest.approx(9 * 39, abs=1e-5)
    assert state.time == 20_480 / RATE


@pytest.mark.parametrize("block", [64, 320, 20_480])
def test_the_lengths_of_pulls_make_no_difference_to_a_still_head(noise, block):
    once, _ = pull_turn(noise, 1024, 0)
    other, _ = pull_turn(noise, block, 0)
    assert np.max(np.abs(once - other)) < 1e-5


@pytest.mark.parametrize(
    "here, there",
    [((51.478, -0.0015), (51.4764, -0.0031)), ((-33.86, 151.21), (-33.85, 151.22)), ((0, 179.999), (0.001, -179.999))],
)
def test_a_place_is_that_of_another_implementation_of_wgs84(session, here, there):
    expected = Geodesic.WGS84.Inverse(*here, *there)
    session.push_location(*here)
    session.add_beacon("there", *there)
    session.pull(100)
    (beacon,) = session.beacons()
    assert beacon.name == "there"
    assert beacon.bearing == pytest.approx(expected["azi1"] % 360, abs=1e-9)
    assert beacon.distance == pytest.approx(expected["s12"], abs=1e-6)
    state = session.state()
    assert (state.latitude, state.longitude) == here
    assert not state.is_location_stale


def test_beacons_come_and_go(session):
    session.add_beacon_around("a", 10, 20)
    session.add_beacon_around("b", 20, 20)
    session.pull(4800)
    assert [one.name for one in session.beacons()] == ["a", "b"]
    session.remove_beacon("a")
    session.mute_beacon("b")
    session.pull(48_000)
    (beacon,) = session.beacons()
    assert (beacon.name, beacon.presence) == ("b", "off")
    # After the fade.
    assert not np.any(session.pull(4800))
    session.mute_beacon("b", False)
    session.pull(48_000)
    assert np.any(session.pull(48_000))


def test_words_come_from_their_beacon():
    with aurient.Session(sample_rate=RATE, head_reference="north") as session:
        session.add_beacon_around("Door", 90, 3)
        session.mute_beacon("Door")
        session.push_head(0)
        session.say("Door", "the door")
        left, right = np.sum(np.square(session.pull(2 * RATE), dtype=float), axis=0)
        assert right > 2 * left > 0
        with pytest.raises(aurient.MissingError):
            session.say("Window", "the window")


def test_gains_in_decibels(noise):
    def level(change):
        with aurient.Session(sample_rate=RATE, sound=noise, head_reference="north") as session:
            session.add_beacon_around("noise", 0, 20)
            session.push_head(0)
            change(session)
            session.pull(RATE // 5)
            return 10 * math.log10(np.mean(np.square(session.pull(RATE), dtype=float)))

    loud = level(lambda session: None)
    assert level(lambda session: session.set_volume(-6)) == pytest.approx(loud - 6, abs=0.01)
    assert level(lambda session: session.set_beacon_gain("noise", -20)) == pytest.approx(loud - 20, abs=0.01)


def test_other_ears(noise):
    with aurient.Session(hrtf="MIT-KEMAR-44100", sample_rate=48_000, head_reference="north") as session:
        session.add_beacon_around("beacon", 60, 20)
        session.push_head(0)
        session.set_hrtf("SADIE-KU100-48000")
        session.set_hrtf()
        session.set_hrtf(KEMAR)
        assert np.any(session.pull(48_000))
        with pytest.raises(aurient.MissingError):
            session.set_hrtf("nobody's ears")
