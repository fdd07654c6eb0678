"""Many scenes rendered, on this machine's processes or on a cluster."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Literal, Optional, SupportsIndex, Union

from ._arguments import StrPath, whole
from ._scene import Scene, absolute
from .errors import AurientError
from .rendering import render

if TYPE_CHECKING:
    from distributed import Client, Future


@dataclass(frozen=True)
class Rendering:
    """What became of one scene of many."""

    #: As it was given.
    scene: Scene
    #: The sound file.
    output: Path
    status: Literal["rendered", "skipped", "failed"]
    #: Why it failed.
    message: Optional[str] = None


@dataclass(frozen=True)
class _Job:
    """A scene to render, as sent to another process."""

    index: int
    scene: Union[str, dict[str, Any]]
    output: str
    trace: Optional[str]
    hrtf: Optional[str]
    sample_rate: Optional[int]


@dataclass(frozen=True)
class _Result:
    """What became of a job: why it failed, or None."""

    index: int
    message: Optional[str]


def render_many(
    scenes: Union[Iterable[Scene], Mapping[str, Scene]],
    output_folder: StrPath,
    *,
    format: Literal["wav", "flac", "ogg"] = "wav",
    traces: bool = False,
    hrtf: Optional[StrPath] = None,
    sample_rate: Optional[SupportsIndex] = None,
    skip_existing: bool = False,
    processes: Optional[int] = None,
    client: Optional[Client] = None,
    progress: Optional[Callable[[int, int, Rendering], object]] = None,
) -> list[Rendering]:
    """Renders scenes to files of a folder, several at once; what became of each, in the order given.

    The bytes are those of `render`. A scene that fails is listed with its message, and the others go on.

    scenes         As of `render`. "walks/park.json" becomes "park.wav"; a mapping's file is named by its content.
                   Or a mapping of names to scenes, for files of these names. Two scenes of one name are a
                   ValueError, before anything is rendered.
    output_folder  Is made if it is not there.
    format         Of the sound files.
    traces         Whether to write a row a head frame as CSV beside each, "park.csv".
    hrtf, sample_rate  As of `render`, for all.
    skip_existing  Leaves out scenes whose files are there, whatever is in them: to go on with a batch that was
                   broken off. A file appears only when it is whole.
    processes      On this machine; None for one a core. They are spawned, so that the main module of the program must
                   be guarded by `if __name__ == "__main__":`.
    client         A dask.distributed.Client, on whose cluster to render instead. Its workers need this package, and
                   the files and the folder by the same paths.
    progress       Is called on the calling thread after each scene, with how many are done, how many there are, and
                   what became of this one. What it raises ends the batch, as Ctrl-C does; files that are whole stay.

    Raises RuntimeError if processes cannot start.
    """
    if processes is not None and processes < 1:
        raise ValueError(f"processes {processes} is not at least 1")
    if processes is not None and client is not None:
        raise ValueError("processes and client cannot both be given")
    if format not in ("wav", "flac", "ogg"):
        raise ValueError(f"format {format!r} is not wav, flac or ogg")
    folder = Path(os.path.abspath(output_folder))
    ears = None if hrtf is None else os.fspath(hrtf)
    if ears is not None and ears.endswith((".sofa", ".mhr")):
        ears = os.path.abspath(ears)
    rate = None if sample_rate is None else whole(sample_rate, "sample_rate")

    given: list[Scene] = []
    jobs: list[_Job] = []
    names: set[str] = set()
    for index, (name, scene) in enumerate(_named(scenes)):
        if name in names:
            raise ValueError(f"two scenes are named {name}: give a mapping of names to scenes")
        names.add(name)
        given.append(scene)
        trace = str(folder / f"{name}.csv") if traces else None
        jobs.append(_Job(index, absolute(scene), str(folder / f"{name}.{format}"), trace, ears, rate))
    folder.mkdir(parents=True, exist_ok=True)

    renderings: dict[int, Rendering] = {}

    def finish(job: _Job, status: Literal["rendered", "skipped", "failed"], message: Optional[str] = None) -> None:
        rendering = Rendering(given[job.index], Path(job.output), status, message)
        renderings[job.index] = rendering
        if progress is not None:
            progress(len(renderings), len(jobs), rendering)

    if skip_existing:
        for job in jobs:
            if os.path.exists(job.output) and (job.trace is None or os.path.exists(job.trace)):
                finish(job, "skipped")
    missing = [job for job in jobs if job.index not in renderings]
    results = _on_processes(missing, processes) if client is None else _on_cluster(missing, client)
    try:
        for result in results:
            finish(jobs[result.index], "rendered" if result.message is None else "failed", result.message)
    finally:
        results.close()
    return [renderings[job.index] for job in jobs]


def _named(scenes: Union[Iterable[Scene], Mapping[str, Scene]]) -> Iterator[tuple[str, Scene]]:
    """Scenes with the names of their files, less the suffix."""
    if isinstance(scenes, Mapping):
        for name, scene in scenes.items():
            if not isinstance(name, str) or not name or "/" in name or name.startswith("."):
                raise ValueError(f"{name!r} is no name of a file")
            yield name, scene
        return
    if isinstance(scenes, (str, os.PathLike)):
        raise TypeError("scenes is a list of scenes, not one")
    for scene in scenes:
        placed = absolute(scene)
        if isinstance(placed, str):
            yield Path(placed).name.removesuffix(".json"), scene
        else:
            content = json.dumps(placed, sort_keys=True).encode()
            yield hashlib.sha256(content).hexdigest()[:16], scene


def _render(job: _Job) -> _Result:
    """Renders one; whatever goes wrong is its message."""
    try:
        # Others render beside it.
        render(job.scene, job.output, trace=job.trace, hrtf=job.hrtf, sample_rate=job.sample_rate, threads=1)
    except AurientError as error:
        return _Result(job.index, str(error))
    except Exception as error:
        return _Result(job.index, f"{type(error).__name__}: {error}")
    return _Result(job.index, None)


# Processes of this machine. Not those of concurrent.futures: with the first of them that is killed all end.


def _on_processes(jobs: list[_Job], processes: Optional[int]) -> Generator[_Result, None, None]:
    waiting = deque(jobs)
    workers: dict[Connection, _Worker] = {}

    def start() -> None:
        worker = _Worker()
        workers[worker.connection] = worker

    try:
        for _ in range(min(processes or len(os.sched_getaffinity(0)), len(jobs))):
            start()
        while workers:
            heard = wait(list(workers))
            for connection in [one for one in workers if one in heard]:
                worker = workers[connection]
                result = worker.receive()
                if result is not None:
                    yield result
                if waiting and not worker.has_ended:
                    worker.send(waiting.popleft())
                    continue
                del workers[connection]
                worker.end()
                if waiting:
                    start()
    finally:
        for worker in workers.values():
            worker.process.terminate()
        for worker in workers.values():
            worker.end()


class _Worker:
    """A process that renders one job after the other."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other,), daemon=True)
        self.process.start()
        other.close()
        self.has_ended = False
        self._job: Optional[_Job] = None

    def send(self, job: _Job) -> None:
        self._job = job
        # One that has ended meanwhile is heard of by `receive`.
        with suppress(OSError):
            self.connection.send(job)

    def receive(self) -> Optional[_Result]:
        """The result of the job, and at first None, when the process is ready."""
        try:
            result: Optional[_Result] = self.connection.recv()
            return result
        except (EOFError, OSError):
            self.has_ended = True
            self.process.join()
            code = self.process.exitcode or 0
            cause = f"signal {-code}" if code < 0 else f"exit code {code}"
            if self._job is None:
                raise RuntimeError(
                    f'a process ended as it started ({cause}): is the main module guarded by if __name__ == "__main__"?'
                ) from None
            return _Result(self._job.index, f"the process that rendered it ended ({cause})")

    def end(self) -> None:
        self.connection.close()
        self.process.join()


def _work(connection: Connection) -> None:
    """What a process does until its parent closes the connection."""
    # Ctrl-C is the parent's, who then ends this process: what is half written goes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with suppress(EOFError, OSError):
        connection.send(None)
        while True:
            connection.send(_render(connection.recv()))


def _on_cluster(jobs: list[_Job], client: Client) -> Generator[_Result, None, None]:
    from distributed import as_completed

    waiting = deque(jobs)
    running: dict[Future, int] = {}

    def submit() -> Future:
        job = waiting.popleft()
        future = client.submit(_render, job, pure=False)
        running[future] = job.index
        return future

    # More than the cluster does at once, not so many that they burden its scheduler.
    most = max(64, 4 * sum(client.nthreads().values()))
    futures = as_completed([submit() for _ in range(min(most, len(jobs)))])
    try:
        for future in futures:
            index = running.pop(future)
            if future.status == "finished":
                yield future.result()
            else:
                error = future.exception()
                yield _Result(index, f"{type(error).__name__}: {error}")
            if waiting:
                futures.add(submit())
    finally:
        client.cancel(list(running))
