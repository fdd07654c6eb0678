"""Many scenes, on processes and on a cluster."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys

import aurient
import pytest
from distributed import Client, LocalCluster
from test_rendering import short  # noqa: F401


def beacons(longitude):
    return [{"name": "Door", "latitude": 51.4785, "longitude": longitude}]


@pytest.fixture
def scenes(tmp_path, short):  # noqa: F811
    """Four scenes, of which the second fails, with the names of their files."""
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"track": "short.gpx", "beacons": beacons(-0.002), "style": "wood"}))
    return {
        "first": short,
        "absent": tmp_path / "absent.json",
        "third": {"track": str(tmp_path / "short.gpx"), "beacons": beacons(0.001)},
        "fourth": other,
    }


def check(results, scenes, folder, tmp_path):
    """Every result is in its place, and every file as a single render makes it."""
    assert [one.output for one in results] == [folder / f"{name}.wav" for name in scenes]
    assert [one.scene for one in results] == list(scenes.values())
    assert [one.status for one in results] == ["rendered", "failed", "rendered", "rendered"]
    assert "absent.json" in results[1].message
    for one in results:
        if one.status == "rendered":
            assert one.message is None
            aurient.render(one.scene, tmp_path / "single.wav", trace=tmp_path / "single.csv")
            assert one.output.read_bytes() == (tmp_path / "single.wav").read_bytes()
            assert one.output.with_suffix(".csv").read_bytes() == (tmp_path / "single.csv").read_bytes()
    assert len(list(folder.iterdir())) == 6


def test_on_processes(scenes, tmp_path):
    folder = tmp_path / "made" / "here"
    seen = []
    results = aurient.render_many(
        scenes, folder, traces=True, processes=2, progress=lambda done, total, one: seen.append((done, total, one))
    )
    check(results, scenes, folder, tmp_path)
    assert [(done, total) for done, total, _ in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert {one.output for _, _, one in seen} == {one.output for one in results}
    assert multiprocessing.active_children() == []

    # What is there is left out, whatever is in it; what is not is tried again.
    results[0].output.write_bytes(b"mine")
    results[2].output.unlink()
    again = aurient.render_many(scenes, folder, traces=True, processes=2, skip_existing=True)
    assert [one.status for one in again] == ["skipped", "failed", "rendered", "skipped"]
    assert results[0].output.read_bytes() == b"mine"
    assert results[2].output.exists()


def test_on_a_cluster(scenes, tmp_path):
    folder = tmp_path / "out"
    with LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None, worker_dashboard_address=None
    ) as cluster, Client(cluster) as client:  # fmt: skip
        seen = []
        results = aurient.render_many(
            scenes, folder, traces=True, client=client, progress=lambda done, total, one: seen.append((done, total))
        )
        check(results, scenes, folder, tmp_path)
        assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
        again = aurient.render_many(scenes, folder, client=client, skip_existing=True)
        assert [one.status for one in again] == ["skipped", "failed", "skipped", "skipped"]


def test_a_process_that_is_killed_costs_its_own_scene_alone(scenes, tmp_path):
    def progress(done, total, one):
        if done == 1:
            (child,) = multiprocessing.active_children()
            os.kill(child.pid, signal.SIGKILL)
            child.join()

    results = aurient.render_many(scenes, tmp_path / "out", processes=1, progress=progress)
    assert [one.status for one in results] == ["rendered", "failed", "rendered", "rendered"]
    assert "signal 9" in results[1].message


def test_what_progress_raises_ends_the_batch(scenes, tmp_path):
    class Enough(Exception):
        pass

    def progress(done, total, one):
        raise Enough

    with pytest.raises(Enough):
        aurient.render_many(scenes, tmp_path / "out", processes=2, progress=progress)
    assert multiprocessing.active_children() == []
    # What was begun is not left behind.
    assert all(path.suffix == ".wav" for path in (tmp_path / "out").iterdir())


def test_names_of_files(tmp_path, short):  # noqa: F811
    scene = {"track": tmp_path / "short.gpx", "beacons": beacons(0)}
    same = {"beacons": beacons(0), "track": str(tmp_path / "short.gpx")}
    out = tmp_path / "out"
    (first, second) = aurient.render_many([short, scene], out, processes=1, format="ogg")
    assert first.output == out / "short.ogg"
    assert second.output.suffix == ".ogg" and second.output.exists()
    (skipped,) = aurient.render_many([same], out, processes=1, format="ogg", skip_existing=True)
    assert (skipped.status, skipped.output) == ("skipped", second.output)
    for wrong in ([short, short], {"a/b": short}, {"": short}, {".": short}):
        with pytest.raises(ValueError, match="name"):
            aurient.render_many(wrong, out)
    with pytest.raises(TypeError):
        aurient.render_many(short, out)
    assert aurient.render_many([], out) == []


def test_a_scene_that_makes_no_sense_costs_itself_alone(tmp_path, short):  # noqa: F811
    nowhere = {"track": tmp_path / "short.gpx", "beacons": beacons(float("nan"))}
    (failed, rendered) = aurient.render_many([nowhere, short], tmp_path / "out", processes=1)
    assert (failed.status, rendered.status) == ("failed", "rendered")
    assert failed.message


def test_options(tmp_path, short):  # noqa: F811
    for wrong in ({"processes": 0}, {"format": "mp3"}, {"processes": 1, "client": object()}):
        with pytest.raises(ValueError):
            aurient.render_many([short], tmp_path / "out", **wrong)
    (result,) = aurient.render_many([short], tmp_path / "out", processes=1, hrtf="MIT-KEMAR", sample_rate=22_050)
    aurient.render(short, tmp_path / "single.wav", hrtf="MIT-KEMAR", sample_rate=22_050)
    assert result.output.read_bytes() == (tmp_path / "single.wav").read_bytes()


def test_a_main_module_without_a_guard_is_told(tmp_path, short):  # noqa: F811
    program = tmp_path / "program.py"
    program.write_text(f"import aurient\naurient.render_many([{str(short)!r}], 'out', processes=1)\n")
    result = subprocess.run([sys.executable, program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert result.returncode != 0
    assert "__main__" in result.stderr.splitlines()[-1]
