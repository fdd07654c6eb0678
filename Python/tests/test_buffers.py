"""What sound may be pulled into, and what numbers may be given."""

import threading
import tracemalloc

import aurient
import numpy as np
import pytest


@pytest.fixture
def sounding():
    with aurient.Session(sample_rate=48_000, head_reference="north") as session:
        session.add_beacon_around("a", np.float32(30), np.int16(20))
        session.push_head(np.float64(5), pitch=np.int64(2), time=np.float32(0))
        yield session


def read_only():
    array = np.zeros((16, 2), np.float32)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "kind, samples",
    [
        (TypeError, [[0.0, 0.0]]),
        (TypeError, bytearray(128)),
        (TypeError, None),
        (TypeError, np.zeros((16, 2))),
        (TypeError, np.zeros((16, 2), np.int16)),
        (TypeError, np.zeros((16, 2), ">f4")),
        (TypeError, np.zeros((16, 2), np.complex64)),
        (ValueError, np.zeros(32, np.float32)),
        (ValueError, np.zeros((2, 16), np.float32)),
        (ValueError, np.zeros((16, 2, 1), np.float32)),
        (ValueError, np.zeros((2, 16), np.float32).T),
        (ValueError, np.zeros((32, 2), np.float32)[::2]),
        (ValueError, np.zeros((16, 4), np.float32)[:, :2]),
        (ValueError, np.zeros((16, 2), np.float32)[::-1]),
        (ValueError, np.zeros((16, 2), np.float32, order="F")),
        (ValueError, read_only()),
    ],
)
def test_what_samples_cannot_be(sounding, kind, samples):
    with pytest.raises(kind, match="samples"):
        sounding.pull_into(samples)
    assert sounding.state().frame_count == 0


def test_part_of_an_array(sounding):
    with aurient.Session(sample_rate=48_000, head_reference="north") as other:
        other.add_beacon_around("a", 30, 20)
        other.push_head(5, pitch=2, time=0)
        expected = other.pull(6000)
    whole = np.full((8000, 2), 7, np.float32)
    sounding.pull_into(whole[1000:7000])
    assert np.any(expected)
    assert np.array_equal(whole[1000:7000], expected)
    assert np.all(whole[:1000] == 7) and np.all(whole[7000:] == 7)


def test_what_is_pulled(sounding):
    for count in (0, 1, np.int64(480)):
        frames = sounding.pull(count)
        assert frames.shape == (int(count), 2)
        assert frames.dtype == np.float32
        assert frames.flags.c_contiguous and frames.flags.owndata
    sounding.pull_into(np.empty((0, 2), np.float32))
    assert sounding.state().frame_count == 481


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_a_long_pull_takes_no_more_memory(sounding):
    block = np.empty((256, 2), np.float32)

    def pull(count):
        for step in range(count):
            sounding.push_head(step % 360)
            sounding.pull_into(block)
            if step % 100 == 0:
                sounding.state()
                sounding.beacons()

    pull(2000)
    tracemalloc.start()
    before, used = resident_bytes(), tracemalloc.get_traced_memory()[0]
    pull(8000)
    assert tracemalloc.get_traced_memory()[0] - used < 16_384
    tracemalloc.stop()
    # A leak of 64 bytes a pull would be 512 kB.
    assert resident_bytes() - before < 400_000


def walk_in_place(seed, block, count):
    with aurient.Session(sample_rate=48_000, head_reference="north") as session:
        session.add_beacon_around("a", 37 * seed, 20)
        pulled = []
        for step in range(count):
            session.push_head((seed + 1) * step % 360)
            pulled.append(session.pull(block))
        return np.concatenate(pulled)


def test_sessions_of_several_threads_know_nothing_of_each_other():
    alone = [walk_in_place(seed, 512, 100) for seed in range(2)]
    together = [None, None]

    def work(seed):
        together[seed] = walk_in_place(seed, 512, 100)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(2):
        assert np.any(alone[seed])
        assert np.array_equal(alone[seed], together[seed])


def test_a_session_that_several_threads_use_while_it_is_closed():
    session = aurient.Session(sample_rate=48_000, head_reference="north")
    unexpected = []
    counts = [0, 0, 0, 0]

    def work(number):
        try:
            while True:
                session.push_head(number)
                session.add_beacon_around(f"beacon {number}", 90 * number, 20)
                session.state()
                session.beacons()
                try:
                    session.pull(64)
                except aurient.BusyError:
                    pass
                counts[number] += 1
        except aurient.ClosedError:
            pass
        except BaseException as error:
            unexpected.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    while min(counts) < 20 and not unexpected:
        pass
    session.close()
    for thread in threads:
        thread.join()
    assert not unexpected
